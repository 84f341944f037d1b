"""The parts of the expression parser behind an operand: calls, members, subscripts, launches; and lists in braces."""

from __future__ import annotations

from analysis_core.syntax.read import expression_parser, read_types
from analysis_core.syntax.read.expression_cursor import Cursor, Failure, descend
from analysis_core.syntax.read.lexical import after_brackets, launch_end
from analysis_core.syntax.read.read_leaves import expansion
from analysis_core.syntax.read.tree import Call, Expr, IncDec, InitList, KernelLaunch, Member, Subscript, TemplateArg


def arguments(p: Cursor) -> tuple[Expr, ...]:
    """`(a, {b}, c...)` at the cursor."""
    p.take("(")
    args: list[Expr] = []
    while p.text() != ")":
        args.append(_expanded(p, p.pos, expression_parser.binary(p, 2)))
        if p.text() != ")":
            p.take(",")
    p.pos += 1
    return tuple(args)


def _expanded(p: Cursor, start: int, node: Expr) -> Expr:
    """`node...` where that is what is written."""
    if p.text() != "...":
        return node
    p.pos += 1
    return expansion(p.reader, start, p.pos, node)


def init_list(p: Cursor) -> InitList:
    """`{a, .x = b, [3] = c}` at the cursor."""
    reader = p.reader
    start = p.pos
    p.take("{")
    descend(p)
    items: list[Expr] = []
    designators: list[str | None] = []
    while p.text() != "}":
        mark = p.pos
        designator: str | None = None
        if p.text() in {".", "["}:
            i = p.pos
            while i < p.end and reader.text(i) not in {"=", "{", ",", "}"}:
                i += 1
            if i < p.end and reader.text(i) in {"=", "{"}:
                designator = "".join(t.text for t in reader.tokens[mark:i])
                p.pos = i + 1 if reader.text(i) == "=" else i
        first = p.pos
        items.append(_expanded(p, first, init_list(p) if p.text() == "{" else expression_parser.binary(p, 2)))
        designators.append(designator)
        if p.text() != "}":
            p.take(",")
    p.pos += 1
    p.reader.depth -= 2
    return InitList(
        span=reader.span(start, p.pos),
        expansion=reader.expansion(start),
        items=tuple(items),
        designators=tuple(designators),
    )


def postfix(p: Cursor, node: Expr, start: int) -> Expr:
    reader = p.reader
    while p.pos < p.end:
        text = p.text()
        if text == "[":
            p.pos += 1
            index = init_list(p) if p.text() == "{" else expression_parser.comma(p)
            p.take("]")
            node = Subscript(span=reader.span(start, p.pos), expansion=reader.expansion(start), base=node, index=index)
        elif text == "(":
            args = arguments(p)
            node = Call(span=reader.span(start, p.pos), expansion=reader.expansion(start), callee=node, args=args)
        elif text in {".", "->"}:
            node = _member(p, node, start, text)
        elif text in {"++", "--"}:
            p.pos += 1
            span = reader.span(start, p.pos)
            node = IncDec(span=span, expansion=reader.expansion(start), op=text, prefix=False, operand=node)
        elif text == "<<<" or (text == "<<" and launch_end(reader.tokens, p.pos, p.end) is not None):
            node = _launch(p, node, start)
        else:
            break
    return node


def _member(p: Cursor, base: Expr, start: int, op: str) -> Expr:
    reader = p.reader
    p.pos += 1
    if p.text() == "template":
        p.pos += 1
    name_start = p.pos
    if p.text() == "operator":
        p.pos += 2
        name: str = reader.joined(name_start, p.pos).replace(" ", "")
        args: tuple[TemplateArg, ...] | None = None
    elif p.text() == "~":
        p.pos += 2
        name, args = reader.joined(name_start, p.pos).replace(" ", ""), None
    elif reader.is_name(p.pos):
        name, args, p.pos = read_types.read_name(reader, p.pos, p.end)
    else:
        raise Failure
    return Member(
        span=reader.span(start, p.pos),
        expansion=reader.expansion(start),
        base=base,
        name=name,
        arrow=op == "->",
        name_span=reader.span(name_start, name_start + 1),
        template_args=args,
    )


def _launch_arguments(p: Cursor) -> tuple[Expr, ...]:
    """The arguments of a launch; one that cannot be read is opaque alone, so that kernel and block stay known."""
    reader, start, depth = p.reader, p.pos, p.reader.depth
    try:
        return arguments(p)
    except Failure:
        shut = after_brackets(reader.tokens, start, p.end)
        if start == p.end or reader.text(start) != "(" or reader.text(shut - 1) != ")":
            raise
        p.pos, reader.depth = shut, depth
        parts = read_types.split_at_commas(reader, start + 1, shut - 1)
        read = ((expression_parser.read_tokens(reader, low, high), low, high) for low, high in parts)
        return tuple(e or reader.opaque(low, high, "launch argument not understood") for e, low, high in read)


def _launch(p: Cursor, callee: Expr, start: int) -> Expr:
    reader = p.reader
    apart = p.text() == "<<"
    p.pos += 2 if apart else 1
    config: list[Expr] = []
    low = p.pos
    tokens = reader.tokens
    i = low
    while i < p.end and reader.text(i) != (">>" if apart else ">>>"):
        i = after_brackets(tokens, i, p.end) if tokens[i].text in {"(", "[", "{"} else i + 1
    for first, last in read_types.split_at_commas(reader, low, i):
        value = expression_parser.read_tokens(reader, first, last)
        config.append(value if value is not None else reader.opaque(first, last, "launch configuration not understood"))
    p.pos = i
    p.take(">>" if apart else ">>>")
    p.pos += apart
    args = _launch_arguments(p)
    return KernelLaunch(
        span=reader.span(start, p.pos),
        expansion=reader.expansion(start),
        callee=callee,
        config=tuple(config),
        args=args,
    )
