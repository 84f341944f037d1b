"""An operator-precedence parser of C++ expressions over tokens: the second reader of every expression.

It reads what tree-sitter cannot (expressions next to a syntax error, template and launch-bounds arguments, extents)
and is compared with the first reader in the tests.  The grammar is that of C++ with CUDA's launches; declarations in
lambdas are read by rendering the body anew.  Types are told from values by the names in scope.

Precedence climbing (Richards and Whitby-Strevens): `binary(minimum)` reads operators of at least that precedence;
assignment and `?:` associate to the right and share one level.
"""

from __future__ import annotations

from analysis_core.support.facts import Cause, CauseKind
from analysis_core.syntax.lex.tokens import TokenKind
from analysis_core.syntax.read import read_statements, read_types
from analysis_core.syntax.read.environment import CAST_TEMPLATES, TYPE_KEYWORDS, Sort
from analysis_core.syntax.read.expression_cursor import Cursor, Failure, TooDeep, descend
from analysis_core.syntax.read.expression_suffixes import arguments, init_list, postfix
from analysis_core.syntax.read.lexical import OFFSETS, UNEVALUATED, after_brackets
from analysis_core.syntax.read.misreadings import names_value, scan_type
from analysis_core.syntax.read.read_leaves import ALTERNATIVE, ambiguous_cast, construct, listed, literal
from analysis_core.syntax.read.reader import TOO_DEEP, Reader
from analysis_core.syntax.read.tree import (
    Assign,
    Binary,
    Cast,
    Conditional,
    Construct,
    Expr,
    Fold,
    IncDec,
    Member,
    Name,
    OffsetOf,
    OpaqueExpr,
    SizeOf,
    TypeNode,
    Unary,
)

_LEVELS = (
    (3, "||", "or"),
    (4, "&&", "and"),
    (5, "|", "bitor"),
    (6, "^", "xor"),
    (7, "&", "bitand"),
    (8, "==", "!=", "not_eq"),
    (9, "<", ">", "<=", ">="),
    (10, "<<", ">>"),
    (11, "+", "-"),
    (12, "*", "/", "%"),
    (13, ".*", "->*"),
)
_PRECEDENCE = {str(op): int(level[0]) for level in _LEVELS for op in level[1:]}
_ASSIGN = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^="})
_PREFIX = frozenset({"+", "-", "!", "~", "*", "&", "not", "compl"})
_NO_NAME = frozenset(
    [
        "return",
        "if",
        "else",
        "for",
        "while",
        "do",
        "switch",
        "case",
        "default",
        "break",
        "continue",
        "goto",
        "throw",
        "typedef",
        "using",
    ]
)


def read_tokens(reader: Reader, start: int, end: int) -> Expr | None:
    """The whole token range as one expression, or None if it is not one.  Too deep nesting gives an OpaqueExpr."""
    problems = len(reader.problems)
    depth = reader.depth
    parser = Cursor(reader, start, end)
    try:
        node = comma(parser)
        if parser.pos == end:
            return node
        result = None
    except Failure:
        result = None
    except TooDeep:
        result = OpaqueExpr(
            span=reader.span(start, end), cause=Cause(CauseKind.READER, TOO_DEEP, reader.span(start, end))
        )
    reader.depth = depth
    del reader.problems[problems:]
    if result is not None:
        reader.problems.append(result.cause)
    return result


def comma(p: Cursor) -> Expr:
    start = p.pos
    node = binary(p, 2)
    while p.text() == ",":
        p.pos += 1
        right = binary(p, 2)
        node = Binary(span=p.reader.span(start, p.pos), expansion=node.expansion, op=",", left=node, right=right)
    return node


def binary(p: Cursor, minimum: int) -> Expr:
    """Reads operators of at least the precedence `minimum`; 2 is assignment and `?:`."""
    reader = p.reader
    start = p.pos
    descend(p)
    node = _unary(p)
    while p.pos < p.end:
        op = p.text()
        level = _PRECEDENCE.get(op)
        if level is not None and level >= minimum and p.pos not in reader.rendered.brackets.closers:
            p.pos += 1
            right = binary(p, level + 1)
            op = ALTERNATIVE.get(op, op)
            node = Binary(
                span=reader.span(start, p.pos), expansion=reader.expansion(start), op=op, left=node, right=right
            )
        elif minimum <= 2 and op in _ASSIGN:
            p.pos += 1
            value = init_list(p) if p.text() == "{" else binary(p, 2)
            node = Assign(
                span=reader.span(start, p.pos), expansion=reader.expansion(start), op=op, target=node, value=value
            )
        elif minimum <= 2 and op == "?":
            node = _conditional(p, node, start)
        else:
            break
    p.reader.depth -= 2
    return node


def _conditional(p: Cursor, condition: Expr, start: int) -> Expr:
    p.pos += 1
    then = comma(p)
    p.take(":")
    otherwise = binary(p, 2)
    reader = p.reader
    return Conditional(
        span=reader.span(start, p.pos),
        expansion=reader.expansion(start),
        condition=condition,
        then=then,
        otherwise=otherwise,
    )


def _unary(p: Cursor) -> Expr:
    reader = p.reader
    start = p.pos
    text = p.text()
    if text in _PREFIX or text in {"++", "--"}:
        p.pos += 1
        descend(p)
        operand = _unary(p)
        p.reader.depth -= 2
        span, expansion = reader.span(start, p.pos), reader.expansion(start)
        if text in {"++", "--"}:
            return IncDec(span=span, expansion=expansion, op=text, prefix=True, operand=operand)
        return Unary(span=span, expansion=expansion, op=ALTERNATIVE.get(text, text), operand=operand)
    if text in {"sizeof", "alignof", "__alignof__"}:
        return _sizeof(p)
    if text in UNEVALUATED and p.pos + 1 < p.end and reader.text(p.pos + 1) == "(":
        p.pos = after_brackets(reader.tokens, p.pos + 1, p.end)
        found = _offset_of(reader, start, p.pos) if text in OFFSETS else None
        return found or reader.opaque(start, p.pos, text, CauseKind.UNSUPPORTED)
    if text in {"new", "delete", "throw", "co_await"}:
        p.pos = _expression_end(p)
        return reader.opaque(start, p.pos, f"{text} expression", CauseKind.UNSUPPORTED)
    if text == "(":
        cast = _c_cast(p)
        if cast is not None:
            return cast
    return postfix(p, _primary(p), start)


def _offset_of(reader: Reader, start: int, end: int) -> OffsetOf | None:
    """`offsetof(type, place)`."""
    parts = read_types.split_at_commas(reader, start + 2, end - 1)
    if len(parts) != 2:
        return None
    type, place = read_types.read_type_id(reader, *parts[0]), read_tokens(reader, *parts[1])
    if type is None or place is None:
        return None
    return OffsetOf(span=reader.span(start, end), expansion=reader.expansion(start), type=type, place=place)


def _expression_end(p: Cursor) -> int:
    tokens = p.reader.tokens
    i = p.pos
    while i < p.end and tokens[i].text not in {",", ")", "]", "}", ";", ":"}:
        i = after_brackets(tokens, i, p.end) if tokens[i].text in {"(", "[", "{"} else i + 1
    return i


def _sizeof(p: Cursor) -> Expr:
    reader = p.reader
    start = p.pos
    operator = "sizeof" if p.text() == "sizeof" else "alignof"
    p.pos += 1
    if p.text() == "...":
        p.pos += 1
    if p.text() == "(":
        stop = after_brackets(reader.tokens, p.pos, p.end)
        operand = read_type_operand(reader, p.pos + 1, stop - 1)
        if operand is not None:
            p.pos = stop
            return SizeOf(
                span=reader.span(start, p.pos), expansion=reader.expansion(start), operator=operator, operand=operand
            )
    value = _unary(p)
    return SizeOf(span=reader.span(start, p.pos), expansion=reader.expansion(start), operator=operator, operand=value)


def read_type_operand(reader: Reader, start: int, end: int) -> TypeNode | None:
    """The type in `sizeof(type)`: a name that is not known as a value counts as a type; None for an expression."""
    scanned = scan_type(reader.tokens, start, end, reader.scope, reader.rendered.brackets)
    if reader.text(start) != "decltype" and (scanned is None or not (scanned[0] == end or scanned[1])):
        return None
    return read_types.read_type_id(reader, start, end)


def _c_cast(p: Cursor) -> Expr | None:
    """`(type) operand`, if the parenthesis at the cursor holds a type that stands before an operand."""
    reader = p.reader
    start = p.pos
    scanned = scan_type(reader.tokens, start + 1, p.end, reader.scope, reader.rendered.brackets)
    if scanned is None:
        return None
    stop, sure, derived = scanned
    if stop + 1 >= p.end or reader.text(stop) != ")" or names_value(reader.tokens, stop):
        return None
    after = reader.tokens[stop + 1]
    operand_follows = after.kind in {
        TokenKind.IDENTIFIER,
        TokenKind.NUMBER,
        TokenKind.STRING,
        TokenKind.CHAR,
    } or after.text in {"(", "-", "+", "*", "&", "!", "~", "++", "--", "{", "::"}
    if not operand_follows or after.text in _NO_NAME:
        return None
    node = read_types.read_type_id(reader, start + 1, stop)
    if node is None:
        return None
    p.pos = stop + 1
    if after.text == "{":
        items = init_list(p)
        return Construct(span=reader.span(start, p.pos), type=node, args=listed(items), braces=True)
    operand = _unary(p)
    if not sure and not derived and after.text in {"-", "+", "*", "&"}:
        return ambiguous_cast(reader, start, p.pos, stop, operand)
    return Cast(
        span=reader.span(start, p.pos), expansion=reader.expansion(start), style="c", type=node, operand=operand
    )


def _primary(p: Cursor) -> Expr:
    reader = p.reader
    if p.pos >= p.end:
        raise Failure
    token = reader.tokens[p.pos]
    start = p.pos
    match token.kind:
        case TokenKind.NUMBER:
            p.pos += 1
            return literal(reader, start, p.pos)
        case TokenKind.CHAR:
            p.pos += 1
            return literal(reader, start, p.pos)
        case TokenKind.STRING:
            while p.pos < p.end and reader.tokens[p.pos].kind is TokenKind.STRING:
                p.pos += 1
            return literal(reader, start, p.pos)
        case TokenKind.IDENTIFIER:
            return _named(p)
        case _:
            pass
    if token.text == "::":
        return _named(p)
    if token.text == "(" and p.pos + 1 < p.end and reader.text(p.pos + 1) == "{":
        p.pos = after_brackets(reader.tokens, p.pos, p.end)
        block = read_statements.read_block_expression(reader, start, p.pos)
        if block is None:
            raise Failure
        return block
    if token.text == "(":
        fold = _fold(p)
        if fold is not None:
            return fold
        p.pos += 1
        node = comma(p)
        p.take(")")
        return node
    if token.text == "[":
        return _lambda(p)
    if token.text == "{":
        return init_list(p)
    raise Failure


def _fold(p: Cursor) -> Expr | None:
    """`(a op ...)`, `(... op a)`, `(a op ... op b)`, if that is what the parenthesis at the cursor holds."""
    reader = p.reader
    start, tokens = p.pos, p.reader.tokens
    stop = after_brackets(tokens, start, p.end)
    i = start + 1
    while i < stop - 1 and tokens[i].text != "...":
        i = after_brackets(tokens, i, stop - 1) if tokens[i].text in {"(", "[", "{"} else i + 1
    if i >= stop - 1:
        return None
    before, after = i > start + 1, i < stop - 2
    op = reader.text(i - 1) if before else reader.text(i + 1)
    left = read_tokens(reader, start + 1, i - 1) if before else None
    right = read_tokens(reader, i + 2, stop - 1) if after else None
    if (before and left is None) or (after and right is None) or (before and after and reader.text(i + 1) != op):
        raise Failure
    p.pos = stop
    op = ALTERNATIVE.get(op, op)
    return Fold(span=reader.span(start, stop), expansion=reader.expansion(start), op=op, left=left, right=right)


def _lambda(p: Cursor) -> Expr:
    start = p.pos
    tokens = p.reader.tokens
    i = after_brackets(tokens, start, p.end)
    if i in p.reader.rendered.brackets.close:
        i = p.reader.rendered.brackets.close[i] + 1
    if i < p.end and tokens[i].text == "(":
        i = after_brackets(tokens, i, p.end)
    while i < p.end and tokens[i].text != "{":
        if tokens[i].text in {";", ")", "]", "}"}:
            raise Failure
        i += 1
    if i >= p.end:
        raise Failure
    p.pos = after_brackets(tokens, i, p.end)
    node = read_statements.read_lambda_tokens(p.reader, start, p.pos)
    if node is None:
        raise Failure
    return node


def _named(p: Cursor) -> Expr:
    """A name, `name<...>`, a literal word, a functional cast or a C++ cast."""
    reader = p.reader
    start = p.pos
    text = p.text()
    if text in _NO_NAME:
        raise Failure
    if text in {"true", "false", "nullptr", "NULL"}:
        p.pos += 1
        return literal(reader, start, p.pos)
    if text in CAST_TEMPLATES and start + 1 in reader.rendered.brackets.close:
        return _cpp_cast(p, text)
    if text in TYPE_KEYWORDS or text == "typename":
        head = read_types.read_specifiers(reader, start, p.end)
        if head is None:
            raise Failure
        node, p.pos = head
        return _construct(p, node, start)
    if text == "decltype":
        return _member_of_type(p)
    if text == "operator":
        raise Failure
    name, args, parts, p.pos = read_types.read_qualified(reader, start, p.end)
    if not name:
        raise Failure
    if p.text() in {"(", "{"} and (reader.scope.sort(name) is Sort.TYPE or p.text() == "{"):
        head = read_types.read_specifiers(reader, start, p.pos)
        if head is not None and head[1] == p.pos:
            return _construct(p, head[0], start)
    span, expansion = reader.span(start, p.pos), reader.expansion(start)
    return Name(span=span, expansion=expansion, name=name, template_args=args, parts=parts)


def _member_of_type(p: Cursor) -> Expr:
    """`decltype(x)::value`: a static member of the type, which is that of `x`."""
    reader, start = p.reader, p.pos
    stop = after_brackets(reader.tokens, start + 1, p.end)
    base = read_tokens(reader, start + 2, stop - 1)
    if base is None or stop + 2 > p.end or reader.text(stop) != "::" or stop + 1 in reader.rendered.brackets.close:
        raise Failure
    p.pos = stop + 2
    name = reader.tokens[stop + 1]
    if name.kind is not TokenKind.IDENTIFIER or p.text() in {"::", "<", "(", "{"}:
        raise Failure
    span, expansion = reader.span(start, p.pos), reader.expansion(start)
    name_span = reader.span(stop + 1, p.pos)
    return Member(span=span, expansion=expansion, base=base, name=name.text, arrow=False, name_span=name_span)


def _construct(p: Cursor, node: TypeNode, start: int) -> Expr:
    reader = p.reader
    if p.text() == "(":
        args = arguments(p)
        return construct(reader, start, p.pos, node, args, False)
    if p.text() == "{":
        items = init_list(p)
        return construct(reader, start, p.pos, node, listed(items), True)
    raise Failure


def _cpp_cast(p: Cursor, style: str) -> Expr:
    reader = p.reader
    start = p.pos
    shut = reader.rendered.brackets.close[start + 1]
    node = read_types.read_type_id(reader, start + 2, shut)
    p.pos = shut + 1
    if node is None:
        raise Failure
    p.take("(")
    operand = comma(p)
    p.take(")")
    return Cast(
        span=reader.span(start, p.pos), expansion=reader.expansion(start), style=style, type=node, operand=operand
    )
