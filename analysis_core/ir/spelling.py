"""Expressions back as text, for messages and for `Access.text`.

The tree has no white space and no redundant parentheses, so the spelling is canonical: one blank around binary
operators, parentheses where precedence asks for them.  Whoever has the source shows the bytes of the span instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from analysis_core.syntax.read import tree as syn

_PRECEDENCE: Mapping[str, int] = {
    "*": 14, "/": 14, "%": 14, "+": 13, "-": 13, "<<": 12, ">>": 12, "<": 11, "<=": 11, ">": 11, ">=": 11,
    "==": 10, "!=": 10, "&": 9, "^": 8, "|": 7, "&&": 6, "||": 5, ",": 1,
}  # fmt: skip
_POSTFIX = 17
_PREFIX = 16
_LIMIT = 200
"""Longest spelling in characters; longer ones are cut with an ellipsis."""


def spelling(node: syn.Node) -> str:
    """The text of an expression or a type, cut at 200 characters."""
    text = _spell(node, 0, 0)
    return text if len(text) <= _LIMIT else text[: _LIMIT - 3] + "..."


def _spell(node: syn.Node, least: int, depth: int) -> str:
    if depth > 40:
        return "..."
    text, precedence = _text(node, depth + 1)
    return text if precedence >= least else f"({text})"


def _text(node: syn.Node, depth: int) -> tuple[str, int]:
    match node:
        case syn.Literal(text=text):
            return text, 18
        case syn.Name(name=name, template_args=args):
            return name + _arguments(args, depth), 18
        case syn.Unary(op=op, operand=operand):
            inner = _spell(operand, _PREFIX, depth)
            return f"{op}{' ' if inner[:1] == op else ''}{inner}", _PREFIX
        case syn.IncDec(op=op, prefix=prefix, operand=operand):
            inner = _spell(operand, _PREFIX if prefix else _POSTFIX, depth)
            return (op + inner, _PREFIX) if prefix else (inner + op, _POSTFIX)
        case syn.Binary():
            return _binary(node, depth)
        case syn.Assign(op=op, target=target, value=value):
            return f"{_spell(target, 3, depth)} {op} {_spell(value, 2, depth)}", 2
        case syn.Conditional(condition=condition, then=then, otherwise=otherwise):
            parts = _spell(condition, 4, depth), _spell(then, 2, depth), _spell(otherwise, 3, depth)
            return "{} ? {} : {}".format(*parts), 3
        case syn.Subscript(base=base, index=index):
            return f"{_spell(base, _POSTFIX, depth)}[{_spell(index, 0, depth)}]", _POSTFIX
        case syn.Member(base=base, name=name, arrow=arrow):
            return f"{_spell(base, _POSTFIX, depth)}{'->' if arrow else '.'}{name}", _POSTFIX
        case syn.Call(callee=callee, args=args):
            return f"{_spell(callee, _POSTFIX, depth)}({_list(args, depth)})", _POSTFIX
        case syn.Cast():
            return _cast(node, depth)
        case syn.Construct(type=type, args=args, braces=braces):
            opening, closing = "{}" if braces else "()"
            return f"{_spell(type, 0, depth)}{opening}{_list(args, depth)}{closing}", _POSTFIX
        case syn.InitList(items=items):
            return f"{{{_list(items, depth)}}}", 18
        case syn.SizeOf(operator=operator, operand=operand):
            return f"{operator}({_spell(operand, 0, depth)})", _PREFIX
        case syn.TypeNode():
            return _type(node, depth), 18
        case _:
            return "...", 18


def _binary(node: syn.Binary, depth: int) -> tuple[str, int]:
    """Left-deep chains are walked, not recursed into: sums have thousands of terms."""
    chain: list[syn.Binary] = [node]
    while isinstance(chain[-1].left, syn.Binary) and len(chain) < 60:
        chain.append(chain[-1].left)
    innermost = chain[-1]
    level = _PRECEDENCE.get(innermost.op, 0)
    text = _spell(innermost.left, level, depth) if len(chain) < 60 else "..."
    held = level
    for link in reversed(chain):
        level = _PRECEDENCE.get(link.op, 0)
        if held < level:
            text = f"({text})"
        blank = "" if link.op == "," else " "
        text = f"{text}{blank}{link.op} {_spell(link.right, level + 1, depth)}"
        held = level
    return text, held


def _cast(node: syn.Cast, depth: int) -> tuple[str, int]:
    type = _spell(node.type, 0, depth)
    if node.style == "c":
        return f"({type}){_spell(node.operand, _PREFIX, depth)}", _PREFIX
    operand = _spell(node.operand, 0, depth)
    return (f"{type}({operand})" if node.style == "functional" else f"{node.style}<{type}>({operand})"), _POSTFIX


def _type(node: syn.TypeNode, depth: int) -> str:
    match node:
        case syn.NamedType(name=name, template_args=args, qualifiers=qualifiers):
            words = [word for word in ("const", "volatile") if word in qualifiers]
            return " ".join([*words, name + _arguments(args, depth)])
        case syn.PointerTo(target=target):
            return _spell(target, 0, depth) + "*"
        case syn.ReferenceTo(target=target, rvalue=rvalue):
            return _spell(target, 0, depth) + ("&&" if rvalue else "&")
        case syn.ArrayOf(element=element, extent=extent):
            return f"{_spell(element, 0, depth)}[{'' if extent is None else _spell(extent, 0, depth)}]"
        case syn.RecordType(definition=definition):
            return definition.name or "struct"
        case _:
            return "..."


def _arguments(args: Sequence[syn.TemplateArg] | None, depth: int) -> str:
    return "" if args is None else f"<{_list(args, depth)}>"


def _list(nodes: Sequence[syn.Node], depth: int) -> str:
    return ", ".join(_spell(node, 2, depth) for node in nodes)
