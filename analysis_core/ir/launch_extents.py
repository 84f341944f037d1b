"""Launches over a dimension less than others beside them: the boundary of a grid, beside what is done for all of it.

    dim3 all((w + 15) / 16, (h + 15) / 16), side((h + 255) / 256);
    for (int i = 0; i < steps; i++) {
        inner<<<all, dim3(16, 16)>>>(p, w, h);
        left_side<<<side, 256>>>(p, w, h);         // h threads, beside w * h
    }

The number of blocks is read as a sum of products of sizes, by their names and through what local variables say; divisors are constants.
Each product of a lesser launch is a proper part of one of the other's.  That says nothing of what a thread does: it may go over the
dimension that is missing in a loop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from analysis_core.ir.launch_site import LaunchSite
from analysis_core.ir.walk_syntax import inside, uncast
from analysis_core.syntax import tree as syn
from analysis_core.text.span import Span

_Products = frozenset[tuple[str, ...]]
"""A sum of products: the names of each, in order, with repetitions."""

_ONE: _Products = frozenset({()})
_MOST = 32
_DEPTH = 8


def lesser_launches(functions: Collection[syn.FunctionDecl]) -> frozenset[Span]:
    """The launches beside which, in no more loops, another has blocks for one dimension more."""
    return frozenset(span for function in functions for span in _lesser(function))


def marked(site: LaunchSite | None, lesser: Collection[Span]) -> LaunchSite | None:
    """The launch; whether it is one of these."""
    return site if site is None or site.span not in lesser else replace(site, lesser=True)


@dataclass(frozen=True, slots=True)
class _Launched:
    """`loops`: those around it."""

    span: Span
    blocks: _Products
    loops: frozenset[Span]


def _lesser(function: syn.FunctionDecl) -> Iterator[Span]:
    assert function.body is not None
    nodes = list(inside(function.body))
    launches = [node for node in nodes if isinstance(node, syn.KernelLaunch) and node.config]
    if len(launches) < 2:
        return
    loops = [node.span for node in nodes if isinstance(node, (syn.For, syn.While, syn.DoWhile))]
    values = _values(nodes)
    found: list[_Launched] = []
    for node in launches:
        blocks = _products(node.config[0], values, _DEPTH)
        if blocks is not None:
            around = (loop for loop in loops if loop.start <= node.span.start and node.span.end <= loop.end)
            found.append(_Launched(node.span, blocks, frozenset(around)))
    for one in found:
        if any(one.loops <= other.loops and _is_less(one.blocks, other.blocks) for other in found):
            yield one.span


def _values(nodes: Collection[syn.Node]) -> Mapping[str, syn.Expr | None]:
    """What the variables of a function are set to, once; None of those that are set otherwise."""
    values: dict[str, syn.Expr | None] = {}
    for node in nodes:
        if isinstance(node, syn.VarDecl):
            values[node.name] = None if node.name in values else node.init
    for node in nodes:
        target = node.target if isinstance(node, syn.Assign) else node.operand if isinstance(node, syn.IncDec) else None
        while isinstance(target, (syn.Member, syn.Subscript)):
            target = target.base
        if isinstance(target, syn.Name):
            values[target.name] = None
    return values


def _products(expr: syn.Expr, values: Mapping[str, syn.Expr | None], depth: int) -> _Products | None:
    """The sum of products that a number of blocks is; None where it is none that can be read."""
    expr = uncast(expr)
    if depth == 0:
        return None
    match expr:
        case syn.Literal():
            return _ONE
        case syn.Name(name=name):
            value = values.get(name)
            return (None if value is None else _products(value, values, depth - 1)) or frozenset({(name,)})
        case syn.Construct(args=args) | syn.InitList(items=args):
            return _product([_products(arg, values, depth - 1) for arg in args])
        case syn.Binary(op="*", left=left, right=right):
            return _product([_products(left, values, depth - 1), _products(right, values, depth - 1)])
        case syn.Binary(op="/" | ">>", left=left, right=right):
            below = _products(right, values, depth - 1)
            return _products(left, values, depth - 1) if below == _ONE else None
        case syn.Binary(op="+" | "-", left=left, right=right):
            first, second = _products(left, values, depth - 1), _products(right, values, depth - 1)
            return None if first is None or second is None else _limited(first | second)
        case _:
            return None


def _product(factors: Collection[_Products | None]) -> _Products | None:
    product = _ONE
    for factor in factors:
        if factor is None:
            return None
        known = _limited(frozenset(tuple(sorted(a + b)) for a in product for b in factor))
        if known is None:
            return None
        product = known
    return product


def _limited(products: _Products) -> _Products | None:
    return products if len(products) <= _MOST else None


def _is_less(blocks: _Products, others: _Products) -> bool:
    """Whether every product is a proper part of another; constants are part of all sums."""
    sized = [Counter(one) for one in blocks if one]
    more = [Counter(one) for one in others]
    return bool(sized) and all(any(one < other for other in more) for one in sized)
