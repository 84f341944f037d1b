"""From events to facts: the executions of each access and of each branch, put together.

Nearly all executions of an access have the same relative pattern (DESIGN.md section 14, rule 9), so requests are
costed once per distinct pattern and kept in a table that lives as long as this evaluation.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable

from analysis_core.cost import expression as ex
from analysis_core.cost.access_cost import RequestCost
from analysis_core.cost.access_facts import AccessSite
from analysis_core.cost.branch_facts import branch_fact
from analysis_core.cost.facts import KernelFacts, SymbolInfo
from analysis_core.domains.symbol import SymbolKind
from analysis_core.interp.events import BranchEvent, Events
from analysis_core.ir.launch import Launch
from analysis_core.ir.nodes import Kernel
from analysis_core.support.facts import Assumption
from analysis_core.support.settings import Settings


def evaluate(kernel: Kernel, launch: Launch, events: Events, settings: Settings) -> KernelFacts:
    """All facts of one kernel under one launch configuration."""
    table: dict[Hashable, RequestCost] = {}
    sites: dict[Hashable, AccessSite] = {}
    for event in events.accesses:
        key = (event.access.span, event.access.via) if event.access.compound else event.access.id
        sites.setdefault(key, AccessSite()).add(event, table)
    branches: dict[Hashable, list[BranchEvent]] = {}
    for branch in events.branches:
        branches.setdefault((branch.span, branch.whole, branch.via, branch.kind), []).append(branch)
    accesses = tuple(site.fact() for site in sites.values())
    grid = None if None in launch.grid else tuple(str(g) for g in launch.grid)
    return KernelFacts(
        launch.block,
        grid,  # type: ignore[arg-type]  # three texts, one per axis
        launch.source,
        launch.span,
        accesses,
        tuple(branch_fact(group) for group in branches.values()),
        tuple(_symbol_infos(events, kernel)),
        _distinct((*launch.assumptions, *kernel.assumptions, *events.assumptions)),
        tuple(dict.fromkeys((*events.unknowns, *events.coarse))),
    )


def _distinct(assumptions: Iterable[Assumption]) -> tuple[Assumption, ...]:
    return tuple(dict.fromkeys(assumptions))


def _symbol_infos(events: Events, kernel: Kernel) -> Iterable[SymbolInfo]:
    spans = {kernel.variables[number].name: kernel.variables[number].span for number in kernel.parameters}
    for symbol in events.parameters:
        kind = "grid" if symbol.kind is SymbolKind.GRID else "parameter"
        yield SymbolInfo(ex.safe_name(symbol.name), symbol.name, kind, spans.get(symbol.name))
    for name, span in events.trips:
        yield SymbolInfo(name, name, "trip", span)
