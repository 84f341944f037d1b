"""Questions about whole syntax subtrees, answered without recursion: what is assigned, returned, called.

`inside` visits every node below a statement or expression; lambdas are entered only on request, since their
statements run elsewhere.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from operator import attrgetter

from analysis_core.syntax.read import tree as syn
from analysis_core.text.records import dataclass

_PLAIN = frozenset(
    {"span", "expansion", "name_span", "cause", "op", "name", "text", "style", "qualifiers", "storage", "asserted"}
)


def _node_fields(root: type[syn.Node]) -> Iterator[tuple[type[syn.Node], tuple[str, ...]]]:
    """Every node class with the fields that can hold nodes, the last one first."""
    pending = [root]
    while pending:
        cls = pending.pop()
        pending.extend(cls.__subclasses__())
        yield cls, tuple(f.name for f in reversed(fields(cls)) if f.name not in _PLAIN)


def _children_of(names: tuple[str, ...]) -> Callable[[syn.Node], tuple[object, ...]]:
    """What such fields of a node hold, as a tuple."""
    if not names:
        return lambda node: ()
    values = attrgetter(*names)
    return values if len(names) > 1 else lambda node: (values(node),)


_CHILDREN = {cls: _children_of(names) for cls, names in _node_fields(syn.Node)}


def inside(root: syn.Node, lambdas: bool = True) -> Iterator[syn.Node]:
    """`root` and all nodes below it, in source order."""
    pending: list[object] = [root]
    while pending:
        item = pending.pop()
        if isinstance(item, tuple):
            pending += item[::-1]
        elif isinstance(item, syn.Node):
            yield item
            if not lambdas and isinstance(item, syn.Lambda) and item is not root:
                continue
            pending += filter(None, _CHILDREN[type(item)](item))  # No node is false.


def uncast(expr: syn.Expr) -> syn.Expr:
    """What is inside of the casts around it."""
    while isinstance(expr, syn.Cast):
        expr = expr.operand
    return expr


@dataclass(frozen=True, slots=True)
class Measure:
    """What inlining asks of a function's body.  `statements` that do something (no blocks, no empty statements);
    `returns` outside of lambdas; `assigned`: names that are assigned, stepped, or have their address taken."""

    statements: int
    returns: int
    assigned: frozenset[str]


def measure(body: syn.Node) -> Measure:
    """One walk over a body."""
    statements = 0
    assigned: set[str] = set()
    for node in inside(body):
        if isinstance(node, syn.Stmt):
            statements += not isinstance(node, syn.Compound | syn.Empty)
            continue
        match node:
            case (
                syn.Assign(target=syn.Name(name=name))
                | syn.IncDec(operand=syn.Name(name=name))
                | syn.Unary(op="&", operand=syn.Name(name=name))
            ):
                assigned.add(name)
            case _:
                pass
    returns = sum(isinstance(node, syn.Return) for node in inside(body, lambdas=False))
    return Measure(statements, returns, frozenset(assigned))


def touched(node: syn.Node) -> Iterator[str]:
    """The variables that an expression assigns to, or passes to something that may assign to them."""
    match node:
        case syn.Assign(target=target) | syn.IncDec(operand=target) | syn.Unary(op="&", operand=target):
            parts: tuple[syn.Expr, ...] = (target,)
        case syn.Call(callee=syn.Member(base=base), args=args):
            parts = (base, *args)
        case syn.Call(args=args) | syn.Construct(args=args):
            parts = args
        case _:
            parts = ()
    for part in parts:
        while isinstance(part, syn.Member | syn.Subscript):
            part = part.base
        if isinstance(part, syn.Name):
            yield part.name
