"""Launches beside which another kernel is handed the same arrays and the same sizes.

    inner<<<blocks, 256>>>(out, in, count, rows, columns);
    first_of_rows<<<blocks, 256>>>(out, in, rows, columns);

They stand side by side, with nothing but launches and what checks for errors between them, and all that one is handed the other is, too.  That
both go over the same arrays is seen in the text of the host, whatever their bodies do.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from analysis_core.ir.spelling import spelling
from analysis_core.program.host.host_calls import bare_name
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import uncast
from analysis_core.text.span import Span

_FEWEST = 3
"""Arguments, fewer of which kernels may have in common that have nothing to do with each other."""


def handed_alike(nodes: Collection[syn.Node]) -> frozenset[Span]:
    """The launches of a function whose arguments another kernel beside them is handed, with others."""
    found: set[Span] = set()
    for node in nodes:
        if isinstance(node, syn.Compound):
            for launches in _side_by_side(node.body):
                found.update(one.span for one in launches if any(_has_all(other, one) for other in launches))
    return frozenset(found)


def _side_by_side(statements: Sequence[syn.Stmt]) -> Iterator[list[syn.KernelLaunch]]:
    """Launches that follow each other."""
    run: list[syn.KernelLaunch] = []
    for stmt in statements:
        launch = _launched(stmt)
        if launch is not None:
            run.append(launch)
        else:
            yield run
            run = []
    yield run


def _launched(stmt: syn.Stmt) -> syn.KernelLaunch | None:
    expr = stmt.expr if isinstance(stmt, syn.ExprStmt) else None
    return expr if isinstance(expr, syn.KernelLaunch) else None


def _has_all(other: syn.KernelLaunch, one: syn.KernelLaunch) -> bool:
    """Whether another kernel is handed all that one is, and more."""
    if bare_name(uncast(other.callee)) == bare_name(uncast(one.callee)):
        return False
    mine, theirs = [spelling(arg) for arg in one.args], {spelling(arg) for arg in other.args}
    return len(mine) >= _FEWEST and set(mine) < theirs
