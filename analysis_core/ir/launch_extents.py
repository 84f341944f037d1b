"""Launches over a dimension less than others beside them: the boundary of a grid, beside what is done for all of it.

    dim3 all((w + 15) / 16, (h + 15) / 16), side((h + 255) / 256);
    for (int i = 0; i < steps; i++) {
        inner<<<all, dim3(16, 16)>>>(p, w, h);
        left_side<<<side, 256>>>(p, w, h);         // h threads, beside w * h
    }

The number of blocks is read as a sum of products of sizes, by their names and through what local variables say; divisors are constants.
Each product of a lesser launch is a proper part of one of the other's.  That says nothing of what a thread does: it may go over the
dimension that is missing in a loop.  Where no size is in it, numbers of threads are compared, of launches in one loop: a few warps are less
than as many blocks as some size says, and any threads than 64 times as many.  (Outside of loops kernels may have nothing to do with each other.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod

from analysis_core.ir.host_calls import bare_name
from analysis_core.ir.host_flow import assigned_base
from analysis_core.ir.literals import integer_literal
from analysis_core.ir.walk_syntax import uncast
from analysis_core.machine.sizes import WARP
from analysis_core.syntax import tree as syn
from analysis_core.text.span import Span

_Products = frozenset[tuple[str, ...]]
"""A sum of products: the names of each, in order, with repetitions."""

_ONE: _Products = frozenset({()})
_MOST = 32
_DEPTH = 8

_FAR_MORE = 64
"""Times as many threads, beside which a launch takes next to no time."""

_FEW_WARPS = 4
"""Warps of one multiprocessor, none of which it needs to wait for."""


def lesser_launches(hosts: Iterable[Sequence[Launched]]) -> frozenset[Span]:
    """The launches beside which, in no more loops of the same function, another has blocks for one dimension more, or far
    more threads."""
    return frozenset(
        one.span
        for launches in hosts
        for one in launches
        if any(one.loops <= other.loops and is_less(one, other) for other in launches)
    )


@dataclass(frozen=True, slots=True)
class Launched:
    """A launch in a function: `kernel`, its name; `blocks`: their number, None where it cannot be read; `loops`: those around it;
    `threads`: of all blocks, where that is a constant."""

    span: Span
    kernel: str
    blocks: _Products | None
    loops: frozenset[Span]
    threads: int | None = None


def launches_in(nodes: Collection[syn.Node]) -> Sequence[Launched]:
    """The launches among the nodes of a function."""
    launches = [node for node in nodes if isinstance(node, syn.KernelLaunch) and node.config]
    if not launches:
        return ()
    loops = [node.span for node in nodes if isinstance(node, syn.Loop)]
    values = _values(nodes) if len(launches) > 1 else {}
    found: list[Launched] = []
    for node in launches:
        blocks = _products(node.config[0], values, _DEPTH)
        around = frozenset(loop for loop in loops if loop.encloses(node.span))
        sizes = [_number(size, values, _DEPTH) for size in node.config[:2]]
        threads = None if None in sizes or len(sizes) < 2 else prod(size for size in sizes if size is not None)
        found.append(Launched(node.span, bare_name(uncast(node.callee)), blocks, around, threads))
    return found


def _values(nodes: Collection[syn.Node]) -> Mapping[str, syn.Expr | None]:
    """What the variables of a function are set to, once; None of those that are set otherwise."""
    values: dict[str, syn.Expr | None] = {}
    for node in nodes:
        if isinstance(node, syn.VarDecl):
            values[node.name] = None if node.name in values else node.init
    for node in nodes:
        target = node.target if isinstance(node, syn.Assign) else node.operand if isinstance(node, syn.IncDec) else None
        values.update(dict.fromkeys(() if target is None else assigned_base(target)))
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


def _number(expr: syn.Expr, values: Mapping[str, syn.Expr | None], depth: int) -> int | None:
    """A constant number of blocks or threads, of all dimensions together; None where it is none that can be read."""
    expr = uncast(expr)
    if depth == 0:
        return None
    match expr:
        case syn.Literal(kind=syn.LiteralKind.INT, text=text):
            known = integer_literal(text)
            return None if known is None else int(known.value)
        case syn.Name(name=name):
            value = values.get(name)
            return None if value is None else _number(value, values, depth - 1)
        case syn.Construct(args=args) | syn.InitList(items=args):
            numbers = [_number(arg, values, depth - 1) for arg in args]
            return None if None in numbers else prod(number for number in numbers if number is not None)
        case syn.Binary(op="+" | "-" | "*" | "/" as op, left=left, right=right):
            first, second = _number(left, values, depth - 1), _number(right, values, depth - 1)
            if first is None or second is None or (op == "/" and second == 0):
                return None
            return {"+": first + second, "-": first - second, "*": first * second}.get(op, first // max(1, second))
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


def is_less(one: Launched, other: Launched) -> bool:
    """Whether every product of the blocks is a proper part of one of the other's, constants being part of all sums; or by far fewer
    threads."""
    if one.threads is not None and one.loops & other.loops:
        if other.threads is not None:
            return one.threads * _FAR_MORE <= other.threads
        if one.threads <= _FEW_WARPS * WARP and other.blocks and not is_one_size(other):
            return True
    if one.blocks is None or other.blocks is None:
        return False
    sized = [Counter(product) for product in one.blocks if product]
    more = [Counter(product) for product in other.blocks]
    return bool(sized) and all(any(product < others for others in more) for product in sized)


def is_one_size(launch: Launched) -> bool:
    """Whether no size is in the number of its blocks."""
    return launch.blocks == _ONE
