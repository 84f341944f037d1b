"""Reads types as written, from tokens alone: specifiers, template arguments and abstract declarators.

Declarators with a name are read from tree-sitter's tree in `read_declarators`; everything else about types is a short
run of tokens, and reading it here serves both the tree and the expression parser.
"""

from __future__ import annotations

from dataclasses import replace

from analysis_core.syntax.lex.tokens import TokenKind
from analysis_core.syntax.read import expression_parser, read_leaves
from analysis_core.syntax.read.environment import COMBINING, ELABORATED, QUALIFIERS, TYPE_KEYWORDS, qualifier
from analysis_core.syntax.read.lexical import after_brackets, member_star
from analysis_core.syntax.read.misreadings import scan_type
from analysis_core.syntax.read.reader import MAX_DEPTH, Reader
from analysis_core.syntax.read.tree import (
    ArrayOf,
    Expr,
    FunctionOf,
    MemberPointerTo,
    NamedType,
    Parameter,
    Parts,
    PointerTo,
    ReferenceTo,
    TemplateArg,
    TypeNode,
)


def read_specifiers(reader: Reader, start: int, end: int) -> tuple[TypeNode, int] | None:
    """Reads `const unsigned int`, `a::b<T>::c`, `struct S`, `decltype(e)` at `start`: (type, token after it)."""
    tokens = reader.tokens
    qualifiers: set[str] = set()
    words: list[str] = []
    named: tuple[str, tuple[TemplateArg, ...] | None, Parts] | None = None
    operand: Expr | None = None
    i = start
    while i < end:
        text = tokens[i].text
        if i in reader.rendered.skips:
            i = reader.rendered.skips[i]
        elif text in QUALIFIERS:
            qualifiers.add(qualifier(text))
            i += 1
        elif text in {"decltype", "typeof", "__typeof__"} and not words and named is None:
            stop = after_brackets(tokens, i + 1, end)
            operand = expression_parser.read_tokens(reader, i + 2, stop - 1)
            whole = reader.text(i + 2) == "(" and after_brackets(tokens, i + 2, end) == stop - 1
            named, i = ("decltype()" if whole else "decltype", None, ()), stop
        elif text in TYPE_KEYWORDS and named is None:
            if words and text not in COMBINING and text != "int":
                break
            words.append(text)
            i += 1
        elif text in ELABORATED:
            i += 1
        elif not words and named is None and (tokens[i].kind is TokenKind.IDENTIFIER or text == "::"):
            name, args, parts, i = read_qualified(reader, i, end)
            if not name:
                return None
            named = (name, args, parts)
        else:
            break
    if not words and named is None:
        return None
    name, args, parts = named if named is not None else (" ".join(words), None, ())
    node = NamedType(
        span=reader.span(start, i),
        expansion=reader.expansion(start),
        qualifiers=frozenset(qualifiers),
        name=name,
        template_args=args,
        parts=parts,
        operand=operand,
    )
    return node, i


def read_name(reader: Reader, start: int, end: int) -> tuple[str, tuple[TemplateArg, ...] | None, int]:
    """Reads `a::b<T>::c` at `start`: its name "a::b::c", the last template arguments, and the token after it."""
    name, args, _, after = read_qualified(reader, start, end)
    return name, args, after


def read_qualified(reader: Reader, start: int, end: int) -> tuple[str, tuple[TemplateArg, ...] | None, Parts, int]:
    """A name such as `a::b<T>::c` at `start`: the name, the template arguments of each of its parts, and the token
    after it."""
    tokens = reader.tokens
    close = reader.rendered.brackets.close
    parts: list[str] = []
    lists: list[tuple[TemplateArg, ...] | None] = []
    args: tuple[TemplateArg, ...] | None = None
    i = start + 1 if start < end and tokens[start].text == "::" else start
    while i < end:
        text = tokens[i].text
        if text == "template":
            i += 1
            continue
        if text == "operator":
            if i + 3 in close and tokens[i + 1].text == "(":  # `f.template operator()<N>`
                return "::".join((*parts, "operator()")), read_template_args(reader, i + 3), (), close[i + 3] + 1
            parts.append(text + "".join(t.text for t in tokens[i + 1 : end]))
            return "::".join(parts), None, (), end
        if text == "~" and parts:
            parts.append("~" + tokens[i + 1].text if i + 1 < end else "~")
            i += 2
            break
        if tokens[i].kind is not TokenKind.IDENTIFIER:
            break
        parts.append(text)
        lists.append(None)
        i += 1
        if i in close and i < end:
            args = read_template_args(reader, i)
            lists[-1] = args
            i = min(close[i] + 1, end)  # one `>>` closes two lists
        if i + 1 < end and tokens[i].text == "::":
            i += 1
        else:
            break
    kept = tuple(lists) if len(lists) > 1 and len(lists) == len(parts) and args is not None else ()
    return "::".join(parts), args, kept, i


def read_template_args(reader: Reader, opening: int) -> tuple[TemplateArg, ...]:
    """The arguments of the list opened by the `<` at token `opening`."""
    return tuple(
        read_template_arg(reader, low, high)
        for low, high in split_at_commas(reader, opening + 1, reader.rendered.brackets.close[opening])
    )


def read_template_arg(reader: Reader, start: int, end: int) -> TemplateArg:
    """One argument: a type where it is or may be one, else an expression."""
    scanned = scan_type(reader.tokens, start, end, reader.scope, reader.rendered.brackets)
    if reader.text(start) == "decltype":
        stop = after_brackets(reader.tokens, start + 1, end)
        scanned = None if stop < end and reader.text(stop) == "::" else (end, True, True)
    stop = end - 1 if end > start and reader.text(end - 1) == "..." else end
    if scanned is not None and (scanned[0] == stop or scanned[1]):
        node = read_type_id(reader, start, stop)
        if node is not None:
            return node if stop == end else replace(node, pack=True)
    value = expression_parser.read_tokens(reader, start, stop)
    if value is not None:
        return value if stop == end else read_leaves.expansion(reader, start, end, value)
    return reader.opaque(start, end, "template argument not understood")


def split_at_commas(reader: Reader, start: int, end: int) -> list[tuple[int, int]]:
    """The token ranges between top-level commas; none for an empty range."""
    tokens = reader.tokens
    close = reader.rendered.brackets.close
    ranges: list[tuple[int, int]] = []
    low = i = start
    while i < end:
        text = tokens[i].text
        if text in {"(", "[", "{"}:
            i = after_brackets(tokens, i, end)
            continue
        if i in close and close[i] <= end:
            i = min(close[i] + 1, end)  # one `>>` closes this list and that around it
            continue
        if text == ",":
            ranges.append((low, i))
            low = i + 1
        i += 1
    if low < end or ranges:
        ranges.append((low, end))
    return ranges


def read_type_id(reader: Reader, start: int, end: int) -> TypeNode | None:
    """Reads the whole range as a type without a name: `const float *`, `int (*)(float)`, `T[3]`; None if it is not."""
    if reader.depth + 3 > MAX_DEPTH:
        return None
    reader.depth += 3
    head = read_specifiers(reader, start, end)
    node = _abstract_declarator(reader, head[0], start, head[1], end) if head is not None else None
    reader.depth -= 3
    return node


def _abstract_declarator(reader: Reader, node: TypeNode, start: int, i: int, end: int) -> TypeNode | None:
    tokens = reader.tokens
    while i < end:
        text = tokens[i].text
        if text == "*":
            node = PointerTo(span=reader.span(start, i + 1), target=node)
            i += 1
        elif text in {"&", "&&"}:
            node = ReferenceTo(span=reader.span(start, i + 1), target=node, rvalue=text == "&&")
            i += 1
        elif text in QUALIFIERS:
            node = replace(node, qualifiers=node.qualifiers | {qualifier(text)})
            i += 1
        elif (star := member_star(tokens, i, end, reader.rendered.brackets.close)) > 0:
            node = member_pointer(reader, node, i, star)
            i = star + 1
        elif text == "[" or text == "(":
            return _abstract_suffix(reader, node, start, i, end)
        else:
            return None
    return node


def _abstract_suffix(reader: Reader, node: TypeNode, start: int, i: int, end: int) -> TypeNode | None:
    """`(*)(int)`, `(int)`, `[2][3]` after the pointers of a type-id."""
    tokens = reader.tokens
    inner: tuple[int, int] | None = None
    close = reader.rendered.brackets.close
    if (
        tokens[i].text == "("
        and i + 1 < end
        and (tokens[i + 1].text in {"*", "&", "&&"} or member_star(tokens, i + 1, end, close) > 0)
    ):
        stop = after_brackets(tokens, i, end)
        inner = (i + 1, stop - 1)
        i = stop
    extents: list[tuple[int, int]] = []
    if i < end and tokens[i].text == "(":
        stop = after_brackets(tokens, i, end)
        parameters = tuple(
            _abstract_parameter(reader, low, high) for low, high in split_at_commas(reader, i + 1, stop - 1)
        )
        node = FunctionOf(span=reader.span(start, stop), result=node, parameters=parameters)
        i = stop
    while i < end and tokens[i].text == "[":
        stop = after_brackets(tokens, i, end)
        extents.append((i + 1, stop - 1))
        i = stop
    if i != end:
        return None
    for low, high in reversed(extents):
        extent = expression_parser.read_tokens(reader, low, high) if high > low else None
        node = ArrayOf(span=reader.span(start, i), element=node, extent=extent)
    if inner is None:
        return node
    if reader.depth + 3 > MAX_DEPTH:
        return None
    reader.depth += 3
    result = _abstract_declarator(reader, node, start, inner[0], inner[1])
    reader.depth -= 3
    return result


def member_pointer(reader: Reader, target: TypeNode, start: int, star: int) -> TypeNode:
    """`target C::*` with the class named between the tokens `start` and `star`."""
    name, args, parts, _ = read_qualified(reader, start, star)
    if not name:
        return unknown_type(reader, start, star)
    owner = NamedType(span=reader.span(start, star - 1), name=name, template_args=args, parts=parts)
    return MemberPointerTo(span=reader.span(start, star + 1), target=target, owner=owner)


def _abstract_parameter(reader: Reader, start: int, end: int) -> Parameter:
    whole, dots = end, [i for i in range(start, end) if reader.text(i) == "..."]
    pack = bool(dots) and dots[0] > start
    if pack:
        end = dots[0]
    node = read_type_id(reader, start, end)
    name: str | None = None
    if node is None and end - start >= 2 and reader.is_name(end - 1):
        node, name = read_type_id(reader, start, end - 1), reader.text(end - 1)
    if node is None:
        node = unknown_type(reader, start, end)
    if pack and whole > end + 1 and reader.is_name(whole - 1):
        name = reader.text(whole - 1)
    return Parameter(span=reader.span(start, whole), name=name, type=node, pack=pack)


def unknown_type(reader: Reader, start: int, end: int) -> NamedType:
    """A type that was not understood, by its spelling; lowering finds no such name and says so."""
    return NamedType(span=reader.span(start, end), name=reader.joined(start, end) or "?")


def function_type(result: TypeNode, parameters: tuple[Parameter, ...]) -> FunctionOf:
    """The type of a function that returns `result`."""
    return FunctionOf(span=result.span, result=result, parameters=parameters)
