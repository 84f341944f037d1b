"""Launches over the first of many parts that running totals tell apart, beside a loop of launches over the others.

    inputs<<<(end[0] + 255) / 256, 256>>>(cuts, end[0]);
    for (int i = 1; i < levels; i++)
        nodes<<<(end[i] - end[i - 1] + 255) / 256, 256>>>(cuts, end[i - 1], end[i] - end[i - 1]);

The parts are as large as they are, and there are many of them: what the first one is handed is what all of them are, and it is one of them.  Where
a loop takes `size[i]` and no difference, the first one may be the largest by far (the levels of a pyramid).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from analysis_core.ir.spelling import spelling
from analysis_core.program.host.host_calls import bare_name
from analysis_core.program.host.host_flow import names_in
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside, uncast
from analysis_core.text.span import Span


def first_parts(nodes: Collection[syn.Node], many: Collection[Span]) -> frozenset[Span]:
    """The launches of a function that are over the first part, once for each time that a loop behind goes over the others.  `many`: the loops that may go
    round often."""
    launches = [node for node in nodes if isinstance(node, syn.KernelLaunch)]
    firsts = [one for one in launches if _taken_first(one)] if many else []
    if not firsts:
        return frozenset()
    loops = [node.span for node in nodes if isinstance(node, syn.Loop)]
    return frozenset(
        one.span for one in firsts if any(_is_rest(one, other, loops, many) for other in launches if other is not one)
    )


def _is_rest(one: syn.KernelLaunch, other: syn.KernelLaunch, loops: Collection[Span], many: Collection[Span]) -> bool:
    """Whether the other launch is over the parts behind the first, in a loop of its own, and is handed the same array."""
    if bare_name(uncast(one.callee)) == bare_name(uncast(other.callee)) or other.span.start < one.span.end:
        return False
    around = {loop for loop in loops if loop.encloses(other.span)}
    own = {loop for loop in loops if loop.encloses(one.span)}
    if not own < around or len(around - own) > 1 or not around - own <= set(many):
        return False
    return not _names(one).isdisjoint(_names(other)) and not _taken_first(one).isdisjoint(_differences(other))


def _names(launch: syn.KernelLaunch) -> set[str]:
    """The variables that a launch is handed as they are."""
    return {arg.name for arg in map(uncast, launch.args) if isinstance(arg, syn.Name)}


def _taken_first(launch: syn.KernelLaunch) -> frozenset[str]:
    """The tables whose first element alone sizes the launch, and is handed to it."""
    sized, handed = _subscripts(launch.config[:1]), _subscripts(launch.args)
    tables = {base for base, _ in sized} & {base for base, _ in handed}
    return frozenset(
        base for base in tables if all(_is_zero(index) for name, index in (*sized, *handed) if name == base)
    )


def _subscripts(exprs: Collection[syn.Expr]) -> list[tuple[str, syn.Expr]]:
    found = (node for expr in exprs for node in inside(expr))
    return [(spelling(node.base), node.index) for node in found if isinstance(node, syn.Subscript)]


def _differences(launch: syn.KernelLaunch) -> Iterator[str]:
    """The tables of which neighbours are taken from each other to size the launch."""
    for expr in launch.config[:1]:
        for node in inside(expr):
            if isinstance(node, syn.Binary) and node.op == "-":
                left, right = uncast(node.left), uncast(node.right)
                if isinstance(left, syn.Subscript) and isinstance(right, syn.Subscript):
                    base = spelling(left.base)
                    moves = names_in(left.index) == names_in(right.index) and names_in(left.index)
                    if base == spelling(right.base) and moves and spelling(left.index) != spelling(right.index):
                        yield base


def _is_zero(index: syn.Expr) -> bool:
    return spelling(uncast(index)) == "0"
