"""Turns tree-sitter's expression nodes into syntax nodes: one small function per kind, found in a table.

Where the concrete tree is broken, or is known to be misread, the same tokens are read by `expression_parser`; what
neither understands becomes an `OpaqueExpr`.  Long chains of operators are read in a loop, not by recursion, and
`MAX_DEPTH` limits how deep the result nests, chains of operators aside, and `MAX_CHAIN` how long those are.
"""

from __future__ import annotations

from collections.abc import Callable

from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import expression_parser, read_statements, read_types
from analysis_core.syntax.read.concrete import Concrete
from analysis_core.syntax.read.environment import CAST_TEMPLATES, TYPE_KEYWORDS, Sort
from analysis_core.syntax.read.read_leaves import ALTERNATIVE, ambiguous_cast, construct, expansion, listed, literal
from analysis_core.syntax.read.reader import MAX_CHAIN, MAX_CONDITIONS, MAX_DEPTH, TOO_DEEP, Reader
from analysis_core.syntax.read.rendering import Mask, MaskKind
from analysis_core.syntax.read.tree import (
    Assign,
    Binary,
    Call,
    Cast,
    Conditional,
    Construct,
    Expr,
    IncDec,
    InitList,
    KernelLaunch,
    Member,
    Name,
    SizeOf,
    Subscript,
    Unary,
)

_LOGICAL = frozenset({"&&", "||", "and", "or"})


def read_expression(reader: Reader, node: Concrete) -> Expr:
    """The expression that `node` stands for; never fails and never nests deeper than `MAX_DEPTH`."""
    while node.kind == "parenthesized_expression":
        inner = [child for child in node.children if child.named]
        if len(inner) != 1:
            return reread(reader, node)
        node = inner[0]
    if node.broken:
        return _read_broken(reader, node)
    handler = _HANDLERS.get(node.kind)
    if handler is None:
        return reread(reader, node)
    if reader.depth >= MAX_DEPTH:
        return reader.opaque(node.start, node.end, TOO_DEEP)
    reader.depth += 1
    result = handler(reader, node)
    reader.depth -= 1
    return result


def reread(reader: Reader, node: Concrete) -> Expr:
    """Reads the node's tokens with the second reader; opaque if that fails too."""
    result = expression_parser.read_tokens(reader, node.start, node.end)
    if result is not None:
        reader.accounted.append((node.start, node.end))
        return result
    words = reader.joined(node.start, min(node.end, node.start + 8))
    return reader.opaque(node.start, node.end, f"expression not understood: {words}")


def _read_broken(reader: Reader, node: Concrete) -> Expr:
    result = expression_parser.read_tokens(reader, node.start, node.end)
    if result is not None:
        reader.accounted.append((node.start, node.end))
        return result
    return reader.opaque(node.start, node.end, "syntax error in an expression")


def _name(reader: Reader, node: Concrete) -> Expr:
    mask = reader.rendered.masks.get(node.start)
    if mask is not None:
        return masked(reader, mask)
    start = node.start
    text = reader.text(start)
    if text in {"NULL", "nullptr"}:
        return literal(reader, start, node.end)
    return Name(span=reader.span(start, node.end), expansion=reader.expansion(start), name=text)


def masked(reader: Reader, mask: Mask) -> Expr:
    """The expression in place of a placeholder."""
    match mask.kind:
        case MaskKind.ASM:
            return reader.opaque(mask.start, mask.end, "inline assembly", CauseKind.UNSUPPORTED)
        case MaskKind.LONG_LIST:
            return reader.opaque(mask.start, mask.end, "a table of constants, not read", CauseKind.UNSUPPORTED)
        case MaskKind.NEW:
            return reader.opaque(mask.start, mask.end, _new(reader, mask.start), CauseKind.UNSUPPORTED)
        case MaskKind.UNEVALUATED:
            read = expression_parser.read_tokens(reader, mask.start, mask.end)
            return read or reader.opaque(mask.start, mask.end, reader.text(mask.start), CauseKind.UNSUPPORTED)
        case MaskKind.NAME:
            return _qualified_name(reader, mask.start, mask.end)
        case MaskKind.BLOCK_EXPRESSION:
            block = read_statements.read_block_expression(reader, mask.start, mask.end)
            return block if block is not None else reader.opaque(mask.start, mask.end, "block not understood")
        case MaskKind.MACRO | MaskKind.PUNCTUATION | MaskKind.GAP | MaskKind.TYPE | MaskKind.AMBIGUOUS_CAST:
            return reader.opaque(mask.start, mask.end, "text not understood")


def _qualified(reader: Reader, node: Concrete) -> Expr:
    name, _, end = read_types.read_name(reader, node.start, node.end)
    return _qualified_name(reader, node.start, node.end) if name and end == node.end else reread(reader, node)


def _qualified_name(reader: Reader, start: int, end: int) -> Name:
    name, args, parts, _ = read_types.read_qualified(reader, start, end)
    span, expansion = reader.span(start, end), reader.expansion(start)
    return Name(span=span, expansion=expansion, name=name, template_args=args, parts=parts)


def _literal(reader: Reader, node: Concrete) -> Expr:
    return literal(reader, node.start, node.end)


def _binary(reader: Reader, node: Concrete) -> Expr:
    """Reads the left spine in a loop: `a + b + c + ...` is as deep as it is long, and whoever walks it does so in a loop."""
    spine: list[Concrete] = []
    leftmost = node
    while leftmost.kind == "binary_expression" and not leftmost.broken:
        spine.append(leftmost)
        leftmost = leftmost.children[0]
    if len(spine) > MAX_CHAIN or sum(reader.text(p.children[1].start) in _LOGICAL for p in spine) > MAX_CONDITIONS:
        return reader.opaque(node.start, node.end, TOO_DEEP)
    result = read_expression(reader, leftmost)
    for part in reversed(spine):
        op = reader.text(part.children[1].start)
        right = read_expression(reader, part.children[2])
        result = Binary(
            span=reader.span(node.start, part.end),
            expansion=reader.expansion(node.start),
            op=ALTERNATIVE.get(op, op),
            left=result,
            right=right,
        )
    return result


def _comma(reader: Reader, node: Concrete) -> Expr:
    """tree-sitter nests commas to the right; C to the left."""
    parts: list[Concrete] = []
    rest = node
    while rest.kind == "comma_expression" and not rest.broken:
        left, right = rest.child("left"), rest.child("right")
        if left is None or right is None:
            return reread(reader, node)
        parts.append(left)
        rest = right
    parts.append(rest)
    if len(parts) > MAX_CHAIN:
        return reader.opaque(node.start, node.end, TOO_DEEP)
    result = read_expression(reader, parts[0])
    for part in parts[1:]:
        right_side = read_expression(reader, part)
        span = reader.span(node.start, part.end)
        result = Binary(span=span, expansion=reader.expansion(node.start), op=",", left=result, right=right_side)
    return result


def _unary(reader: Reader, node: Concrete) -> Expr:
    operand = node.child("argument")
    if operand is None:
        return reread(reader, node)
    op = reader.text(node.start)
    return Unary(
        span=reader.span(node.start, node.end),
        expansion=reader.expansion(node.start),
        op=ALTERNATIVE.get(op, op),
        operand=read_expression(reader, operand),
    )


def _update(reader: Reader, node: Concrete) -> Expr:
    operand = node.child("argument")
    operator = node.child("operator")
    if operand is None or operator is None:
        return reread(reader, node)
    return IncDec(
        span=reader.span(node.start, node.end),
        expansion=reader.expansion(node.start),
        op=reader.text(operator.start),
        prefix=operator.start < operand.start,
        operand=read_expression(reader, operand),
    )


def _assign(reader: Reader, node: Concrete) -> Expr:
    target, operator, value = node.child("left"), node.child("operator"), node.child("right")
    if target is None or operator is None or value is None:
        return reread(reader, node)
    return Assign(
        span=reader.span(node.start, node.end),
        expansion=reader.expansion(node.start),
        op=reader.text(operator.start),
        target=read_expression(reader, target),
        value=read_expression(reader, value),
    )


def _conditional(reader: Reader, node: Concrete) -> Expr:
    condition, then, otherwise = node.child("condition"), node.child("consequence"), node.child("alternative")
    if condition is None or then is None or otherwise is None:
        return reread(reader, node)
    return Conditional(
        span=reader.span(node.start, node.end),
        expansion=reader.expansion(node.start),
        condition=read_expression(reader, condition),
        then=read_expression(reader, then),
        otherwise=read_expression(reader, otherwise),
    )


def _subscript(reader: Reader, node: Concrete) -> Expr:
    base, indices = node.child("argument"), node.child("indices")
    index = indices.named_children() if indices is not None else []
    if base is None or len(index) != 1:
        return reread(reader, node)
    return Subscript(
        span=reader.span(node.start, node.end),
        expansion=reader.expansion(node.start),
        base=read_expression(reader, base),
        index=read_expression(reader, index[0]),
    )


def _member(reader: Reader, node: Concrete) -> Expr:
    base, operator, name = node.child("argument"), node.child("operator"), node.child("field")
    if base is None or operator is None or name is None or operator.kind == ".*":
        return reread(reader, node)
    text, args, _ = read_types.read_name(reader, name.start, name.end)
    if name.kind == "destructor_name":
        text = reader.joined(name.start, name.end).replace(" ", "")
    return Member(
        span=reader.span(node.start, node.end),
        expansion=reader.expansion(node.start),
        base=read_expression(reader, base),
        name=text,
        arrow=reader.text(operator.start) == "->",
        name_span=reader.span(name.start, name.end),
        template_args=args,
    )


def read_arguments(reader: Reader, node: Concrete) -> tuple[Expr, ...]:
    """The expressions of an `argument_list` or `initializer_list` node."""
    return tuple([_element(reader, child) for child in node.children if child.named])


def _element(reader: Reader, node: Concrete) -> Expr:
    """An element of a list; of `(int)n...` all that stands before the dots is expanded, not only what is next to them."""
    dots = node.end - 1
    if reader.text(dots) != "..." or node.kind == "parameter_pack_expansion":
        return read_expression(reader, node)
    pattern = expression_parser.read_tokens(reader, node.start, dots)
    return reread(reader, node) if pattern is None else expansion(reader, node.start, node.end, pattern)


def _call(reader: Reader, node: Concrete) -> Expr:
    callee, arguments = node.child("function"), node.child("arguments")
    if callee is None or arguments is None:
        return reread(reader, node)
    start = node.start
    first = reader.text(callee.start)
    if callee.kind == "template_function" and first in CAST_TEMPLATES:
        return _cpp_cast(reader, node, callee, arguments)
    if callee.kind == "primitive_type" or first in TYPE_KEYWORDS or _names_type(reader, callee):
        return _functional(reader, node, callee, arguments)
    span, expansion = reader.span(start, node.end), reader.expansion(start)
    launch = node.of_kind("kernel_call_syntax")
    args = read_arguments(reader, arguments)
    if launch is not None:
        config = read_arguments(reader, launch)
        return KernelLaunch(
            span=span, expansion=expansion, callee=read_expression(reader, callee), config=config, args=args
        )
    return Call(span=span, expansion=expansion, callee=read_expression(reader, callee), args=args)


def _names_type(reader: Reader, callee: Concrete) -> bool:
    if callee.kind == "identifier":
        return reader.scope.sort(reader.text(callee.start)) is Sort.TYPE
    if callee.kind in {"qualified_identifier", "template_function"}:
        name, _, _ = read_types.read_name(reader, callee.start, callee.end)
        return reader.scope.sort(name) is Sort.TYPE
    return False


def _functional(reader: Reader, node: Concrete, callee: Concrete, arguments: Concrete) -> Expr:
    type_node = read_types.read_type_id(reader, callee.start, callee.end)
    if type_node is None:
        return reread(reader, node)
    return construct(reader, node.start, node.end, type_node, read_arguments(reader, arguments), False)


def _cpp_cast(reader: Reader, node: Concrete, callee: Concrete, arguments: Concrete) -> Expr:
    operands = arguments.named_children()
    type_node = read_types.read_type_id(reader, callee.start + 2, callee.end - 1)
    if type_node is None or len(operands) != 1:
        return reread(reader, node)
    return Cast(
        span=reader.span(node.start, node.end),
        expansion=reader.expansion(node.start),
        style=reader.text(callee.start),
        type=type_node,
        operand=read_expression(reader, operands[0]),
    )


def _cast(reader: Reader, node: Concrete) -> Expr:
    type_child, value = node.child("type"), node.child("value")
    # `(T &)a = b` assigns to what the cast gives; tree-sitter casts the assignment.
    if type_child is None or value is None or value.kind == "assignment_expression":
        return reread(reader, node)
    mask = reader.rendered.masks.get(type_child.start)
    if mask is not None and mask.kind is MaskKind.AMBIGUOUS_CAST:
        return ambiguous_cast(reader, node.start, node.end, type_child.end, read_expression(reader, value))
    type_node = read_types.read_type_id(reader, type_child.start, type_child.end)
    if type_node is None:
        return reread(reader, node)
    return Cast(
        span=reader.span(node.start, node.end),
        expansion=reader.expansion(node.start),
        style="c",
        type=type_node,
        operand=read_expression(reader, value),
    )


def _compound_literal(reader: Reader, node: Concrete) -> Expr:
    type_child, value = node.child("type"), node.child("value")
    if type_child is None or value is None:
        return reread(reader, node)
    type_node = read_types.read_type_id(reader, type_child.start, type_child.end)
    items = read_init_list(reader, value)
    if type_node is None or not isinstance(items, InitList):
        return reread(reader, node)
    return Construct(
        span=reader.span(node.start, node.end),
        expansion=reader.expansion(node.start),
        type=type_node,
        args=listed(items),
        braces=True,
    )


def read_init_list(reader: Reader, node: Concrete) -> Expr:
    """`{a, .x = b, [3] = c}`."""
    items: list[Expr] = []
    designators: list[str | None] = []
    for child in node.children:
        if not child.named:
            continue
        if child.kind == "initializer_pair":
            value = child.child("value")
            names = child.all("designator")
            if value is None:
                return reread(reader, node)
            items.append(read_expression(reader, value))
            designators.append("".join(reader.joined(d.start, d.end).replace(" ", "") for d in names))
        else:
            items.append(_element(reader, child))
            designators.append(None)
    return InitList(
        span=reader.span(node.start, node.end),
        expansion=reader.expansion(node.start),
        items=tuple(items),
        designators=tuple(designators),
    )


def _sizeof(reader: Reader, node: Concrete) -> Expr:
    """`sizeof (T)` and `sizeof (x)` look alike; the names in scope decide."""
    start, end = node.start, node.end
    operator = "sizeof" if reader.text(start) == "sizeof" else "alignof"
    span, expansion = reader.span(start, end), reader.expansion(start)
    if reader.text(start + 1) == "(" and reader.text(end - 1) == ")":
        type_node = expression_parser.read_type_operand(reader, start + 2, end - 1)
        if type_node is not None:
            return SizeOf(span=span, expansion=expansion, operator=operator, operand=type_node)
    value = node.child("value")
    if value is None:
        return reread(reader, node)
    return SizeOf(span=span, expansion=expansion, operator=operator, operand=read_expression(reader, value))


def _lambda(reader: Reader, node: Concrete) -> Expr:
    return read_statements.read_lambda(reader, node)


def _pack_expansion(reader: Reader, node: Concrete) -> Expr:
    pattern = node.child("pattern")
    if pattern is None:
        return reread(reader, node)
    return expansion(reader, node.start, node.end, read_expression(reader, pattern))


def _unsupported(reason: str) -> Callable[[Reader, Concrete], Expr]:
    def read(reader: Reader, node: Concrete) -> Expr:
        return reader.opaque(node.start, node.end, reason, CauseKind.UNSUPPORTED)

    return read


def _new(reader: Reader, start: int) -> str:
    """What a `new` is: one with a place of its own (`new (buffer) T`) takes nothing from the heap."""
    return "placement new" if reader.text(start + 1) == "(" else "new expression"


_HANDLERS: dict[str, Callable[[Reader, Concrete], Expr]] = {
    "identifier": _name,
    "field_identifier": _name,
    "this": _name,
    "qualified_identifier": _qualified,
    "template_function": _qualified,
    "dependent_name": _qualified,
    "number_literal": _literal,
    "string_literal": _literal,
    "raw_string_literal": _literal,
    "concatenated_string": _literal,
    "char_literal": _literal,
    "true": _literal,
    "false": _literal,
    "null": _literal,
    "user_defined_literal": _literal,
    "binary_expression": _binary,
    "comma_expression": _comma,
    "unary_expression": _unary,
    "pointer_expression": _unary,
    "update_expression": _update,
    "assignment_expression": _assign,
    "conditional_expression": _conditional,
    "subscript_expression": _subscript,
    "field_expression": _member,
    "call_expression": _call,
    "cast_expression": _cast,
    "compound_literal_expression": _compound_literal,
    "initializer_list": read_init_list,
    "sizeof_expression": _sizeof,
    "alignof_expression": _sizeof,
    "lambda_expression": _lambda,
    "parameter_pack_expansion": _pack_expansion,
    "new_expression": lambda reader, node: reader.opaque(
        node.start, node.end, _new(reader, node.start), CauseKind.UNSUPPORTED
    ),
    "delete_expression": _unsupported("delete expression"),
    "fold_expression": reread,
    "co_await_expression": _unsupported("coroutine"),
    "requires_expression": _unsupported("requires expression"),
    "generic_expression": _unsupported("generic selection"),
}
