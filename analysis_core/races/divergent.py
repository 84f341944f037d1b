"""Barriers of the block, or of the grid, to which not all of its threads come together, by what keeps the others away."""

from __future__ import annotations

from collections.abc import Iterator

from analysis_core.domains import condition as cond
from analysis_core.domains.mask import Mask
from analysis_core.domains.shape import BoolVector, every
from analysis_core.domains.symbol import Level
from analysis_core.interp.core.events import Events
from analysis_core.interp.core.trace import Barred, walk
from analysis_core.ir.nodes import Barrier, BarrierScope, Kernel
from analysis_core.ir.walk import statements_of
from analysis_core.races.guards import decided_by_data, is_known
from analysis_core.races.occurrences import BLOCK_INDEX
from analysis_core.races.verdicts import Divergence, Scope, Verdict

_SCOPES = {BarrierScope.BLOCK: Scope.BLOCK, BarrierScope.GRID: Scope.GRID}

UNSEEN = "no run showed it"


def divergences(kernel: Kernel, events: Events) -> Iterator[Divergence]:
    """One for each barrier in the text, in its order. Whether a run shows it remains to be seen: until then it is not decided."""
    texts = {stmt.span: stmt.text for stmt in statements_of(kernel) if isinstance(stmt, Barrier)}
    nodes = [n for n in walk(events.trace) if isinstance(n, Barred) and n.scope in _SCOPES]
    told = set()
    for node in sorted(nodes, key=lambda one: (one.span.start, one.whole)):
        parted = not _comes_whole(node.mask, events.shape.real) or (
            node.scope is BarrierScope.GRID and _asks_for_blocks(node.mask)
        )
        if parted and node.span in texts and node.span not in told:
            told.add(node.span)
            yield _divergence(node, texts[node.span])


def _divergence(node: Barred, text: str) -> Divergence:
    """Where all come that have not left, parameters decide who has."""
    formulas = [entry.formula for entry in node.mask.literals]
    if decided_by_data(formulas):
        verdict, cause = Verdict.DATA, ""
    elif not is_known(formulas):
        verdict, cause = Verdict.UNDECIDED, "a condition is not known"
    elif node.whole and node.scope is BarrierScope.BLOCK:
        verdict, cause = Verdict.CONDITIONAL, ""
    else:
        verdict, cause = Verdict.UNDECIDED, UNSEEN
    scope = _SCOPES[node.scope]
    return Divergence(verdict, node.span, text, scope, left=node.whole and scope is Scope.BLOCK, cause=cause)


def _asks_for_blocks(mask: Mask) -> bool:
    """Whether blocks that come differ from others in what they wait for."""
    return any(symbol.name.startswith(BLOCK_INDEX) for entry in mask.literals for symbol in cond.symbols(entry.formula))


def _comes_whole(mask: Mask, real: BoolVector) -> bool:
    """Whether all threads of the block come, or none."""
    return every(mask.may == real) and all(
        cond.open_level(entry.formula) is Level.BLOCK and every(entry.scope == mask.may) for entry in mask.literals
    )
