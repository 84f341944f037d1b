"""What each warp of a block pays in all, added up from the facts' own ingredients: events, requests and their costs.

The analysis states costs per access and the dearest warp's executions; the cost rules' tables speak of each warp of a
block.  The sums are made here in the plainest way: every event, restricted to the lanes of one warp, times its number
of executions.  `most` adds up worst costs over everything that may happen, `least` adds up best costs over what surely
happens; where the two meet the figure is exact.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from analysis_core.domains.mask import Mask
from analysis_core.domains.shape import WARP, IntVector
from analysis_core.expressions import expression as ex
from analysis_core.interp.core.events import AccessEvent, BranchEvent, Events
from analysis_core.interp.interpret import interpret
from analysis_core.ir.nodes import IfKind, Kernel, LoopKind
from analysis_core.ir.types import Space
from analysis_core.pipeline.pipeline import analyse_file, load
from analysis_core.program.launch import choose_launches
from analysis_core.requests.access_cost import period_of, request_cost
from analysis_core.requests.branches import classify, exit_spread
from analysis_core.requests.facts import AccessFact, BranchFact, Divergence, KernelFacts
from analysis_core.requests.requests import event_key, requests
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings

KERNELS = Path(__file__).resolve().parents[1] / "kernels" / "hardware"

Shape = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Totals:
    """One warp's cost of one metric, at most and at least."""

    most: int
    least: int


@dataclass(frozen=True, slots=True)
class WarpCosts:
    """Per warp of the block.  Sectors count requests of global memory, wavefronts and conflicts those of shared memory,
    splits the tests of branches and loops at which the warp's lanes disagree."""

    sectors: tuple[Totals, ...]
    wavefronts: tuple[Totals, ...]
    conflicts: tuple[Totals, ...]
    splits: tuple[Totals, ...]


def exactly(totals: tuple[Totals, ...]) -> list[int]:
    """The figures of all warps; fails where most and least differ."""
    assert all(t.most == t.least for t in totals), totals
    return [t.most for t in totals]


def most(totals: tuple[Totals, ...]) -> list[int]:
    """The upper figures of all warps."""
    return [t.most for t in totals]


def warp_costs(
    file: str,
    kernel: str,
    block: Shape,
    *,
    grid: Shape | None = None,
    sizes: Mapping[str, int] | None = None,
    trips: Mapping[str, int] | None = None,
    rounds: int = 0,
    assume: tuple[str, ...] = (),
) -> WarpCosts:
    """The costs of a kernel of tests/kernels/hardware; `sizes` fixes parameters, `trips` says what those that stay
    symbols are in trip counts, `rounds` what every loop takes whose trip count depends on data; `assume`: conditions on
    the parameters, as in annotations."""
    settings = Settings(block=block, grid=grid, values=dict(sizes or {}), assume=assume)
    data = (KERNELS / file).read_bytes()
    events = events_of(data, kernel, settings)
    return costs_of(events, {**(sizes or {}), **(trips or {}), **{name: rounds for name, _ in events.trips}})


def events_of(data: bytes, kernel: str, settings: Settings) -> Events:
    """Everything that the interpreter saw of one kernel."""
    _, module = load("k.cu", MemoryFiles({"k.cu": data}), settings, strict=True)
    found = _named(module.kernels, kernel)
    (launch,) = choose_launches(found, settings)
    events = interpret(found, launch, settings)
    assert not events.unknowns, events.unknowns
    return events


def facts_of(text: str, kernel: str | None = None, **settings: object) -> KernelFacts:
    """The facts of the only kernel of a text, or of the one named, under one launch."""
    chosen = Settings(**settings)  # type: ignore[arg-type]
    report = analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), chosen, kernel=kernel, strict=True)
    (found,) = report.kernels
    (launch,) = found.launches
    assert not launch.facts.unknowns, launch.facts.unknowns
    return launch.facts


def access(facts: KernelFacts, text: str) -> AccessFact:
    """The access that is spelled so."""
    (found,) = (a for a in facts.accesses if a.text == text)
    return found


def branch(facts: KernelFacts, kind: IfKind | LoopKind | str) -> BranchFact:
    """The only branch of a kind."""
    (found,) = (b for b in facts.branches if b.kind == kind)
    return found


def costs_of(events: Events, env: Mapping[str, int]) -> WarpCosts:
    """The sums over all events, per warp; `env` says what the symbols of trip counts are."""
    warps = events.shape.warps
    sums = {name: np.zeros((warps, 2), dtype=np.int64) for name in ("sectors", "wavefronts", "conflicts", "splits")}
    known: dict[Hashable, IntVector] = {}
    for event in events.accesses:
        times = ex.evaluate(event.times, env)
        requests_of_warps = _of_all_warps(event, known)
        if event.space is Space.SHARED:
            sums["wavefronts"] += times * requests_of_warps[:, :2]
            sums["conflicts"] += times * requests_of_warps[:, 2:]
        elif event.space is Space.GLOBAL:
            sums["sectors"] += times * requests_of_warps[:, :2]
    for branch in events.branches:
        if branch.kind not in (IfKind.AND, IfKind.OR, IfKind.SELECT):
            times = ex.evaluate(branch.times, env)
            sums["splits"] += [_splits(replace(branch, mask=mask), times) for mask in _warps(branch.mask)]
    return WarpCosts(*(tuple(Totals(int(m), int(n)) for m, n in found) for found in sums.values()))


def _named(kernels: tuple[Kernel, ...], name: str) -> Kernel:
    (found,) = (k for k in kernels if name in (k.name, k.instantiation))
    return found


def _warps(mask: Mask) -> Iterator[Mask]:
    """The mask cut down to each warp of the block."""
    for first in range(0, len(mask.may), WARP):
        lanes = np.zeros(len(mask.may), dtype=np.bool_)
        lanes[first : first + WARP] = mask.may[first : first + WARP]
        yield Mask(lanes, mask.literals)


def _of_all_warps(event: AccessEvent, known: dict[Hashable, IntVector]) -> IntVector:
    """(warps, 4): worst and best cost, most and fewest conflicts; events with the same requests share them in `known`."""
    key = (event.space, event.access.width, event.mask.must.tobytes(), event_key(event, period_of(event.space)))
    if key not in known:
        rows = [_request(replace(event, mask=mask)) for mask in _warps(event.mask)]
        known[key] = np.array(rows, dtype=np.int64)
    return known[key]


def _request(event: AccessEvent) -> tuple[int, int, int, int]:
    """The figures of one warp's request; the least are 0 where it is not certain that all of its lanes run."""
    if event.mask.is_dead:
        return 0, 0, 0, 0
    period = period_of(event.space)
    costs = [request_cost(request, event.space, event.access.width) for _, request in requests(event, period)]
    sure = bool((event.mask.must == event.mask.may).all())
    conflicts = max(max(0, c.worst - c.ideal) for c in costs)
    fewest = conflicts if sure and all(c.worst == c.best for c in costs) else 0
    return max(c.worst for c in costs), min(c.best for c in costs) * sure, conflicts, fewest


def _splits(event: BranchEvent, times: int) -> tuple[int, int]:
    """How often one warp splits at `times` executions of a test, at most and at least."""
    if event.mask.is_dead:
        return 0, 0
    if isinstance(event.kind, LoopKind) and event.iteration is not None:
        spread = exit_spread([event])
        return min(WARP - 1 if spread is None else spread, times), 0
    high, low = _targets(event) if event.kind == "switch" else _sides(event)
    return times * high, times * low


def _sides(event: BranchEvent) -> tuple[int, int]:
    """1 where the warp may split (surely splits) at a test, else 0."""
    divergence = classify(event).divergence
    return int(divergence is not Divergence.NEVER), int(divergence is Divergence.ALWAYS)


def _targets(event: BranchEvent) -> tuple[int, int]:
    """Distinct targets of a switch, minus 1: those that a lane may take, and those that one surely takes."""
    may = event.mask.may
    open_or_taken = sum(bool((may & ~c.false).any()) for c in event.conditions)
    taken = sum(bool((event.mask.must & c.true).any()) for c in event.conditions)
    return max(0, open_or_taken - 1), max(0, taken - 1)
