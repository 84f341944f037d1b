"""Events with their costs, line by line: `warpcost explain --stage events`.

      5 |     out[x*h + y] = in[y*w + x];
          R global in[y * w + x], 4 bytes: worst 5, best 4, ideal 4 sectors; residue; times 1
            address   &in + 128*blockIdx.x + 32*blockIdx.y*w + 4*w*threadIdx.y + 4*threadIdx.x
            lanes     0, 4 .. 124
            residues  w mod 8: 0 -> 4; 1-7 -> 5
            case      4 when w % 8 == 0

For each line of the source its accesses and branches, in the order in which they are first executed.  The address is that
of the dearest request, over the whole block; the lanes are those of its warp, in bytes relative to the first active one, with
a second row for each pitch.  Requests that are alike are counted, not repeated: a loop that was executed exactly shows each
kind of request once, dearest first.  A branch shows its class and, for each kind of test, who is decided and what the others
wait for.  Lines are at most `COLUMNS` wide.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

import numpy as np

from analysis_core.domains.condition import Condition
from analysis_core.domains.shape import WARP, BoolVector, IntVector, Shape, every, some, some_nonzero, warps_with
from analysis_core.expressions.expression import Expression, constant, to_text
from analysis_core.interp.core.dump import condition_text, polynomial_text
from analysis_core.interp.core.events import BranchEvent, Events
from analysis_core.ir.nodes import IfKind, Kernel, LoopKind
from analysis_core.ir.types import Space
from analysis_core.requests.access_cost import RequestCost, ResidueCosts
from analysis_core.requests.access_facts import AccessSite, Taken
from analysis_core.requests.evaluate import access_sites, branch_groups
from analysis_core.requests.facts import AccessFact, BranchFact, Certainty, KernelFacts
from analysis_core.requests.requests import Request
from analysis_core.support.facts import Cause
from analysis_core.text.span import Span

Place = Callable[[Span], str]
"""Spells a place: "a.cu:7:5"."""

SourceLine = Callable[[Span], tuple[str, int, str]]
"""File, 1-based line and its text."""

COLUMNS = 118
_INDENT = " " * 10
_HANG = " " * 22
_MOST_KINDS = 3
_MOST_RESIDUES = 8


def dump(events: Events, kernel: Kernel, facts: KernelFacts, place: Place, source: SourceLine) -> str:
    """All events of one launch with `facts`, the facts of the same events (trip counts may have other names there).  Ends
    with a newline."""
    shape = "x".join(str(extent) for extent in events.shape.dims)
    lines = [f"kernel {kernel.instantiation or kernel.name}, block {shape}, {events.shape.warps} warps"]
    lines += [f"  symbol {symbol.name} {symbol.kind.name.lower()}" for symbol in events.parameters]
    trips = [info for info in facts.symbols if info.kind == "trip" and info.span is not None]
    lines += [f"  trip {info.name}: iterations of the loop at {place(info.span)}" for info in trips if info.span]
    lines += _by_line(_entries(events, facts), source)
    lines += [f"  assume {assumption.text}" for assumption in facts.assumptions]
    lines += [f"  unknown {_cause(cause, place)}" for cause in events.unknowns]
    lines += [f"  coarse {_cause(cause, place)}" for cause in events.coarse]
    return "".join(line.rstrip() + "\n" for line in lines)


_Entry = tuple[Span, list[str]]


def _entries(events: Events, facts: KernelFacts) -> Iterator[_Entry]:
    """One entry per branch and access; branches first, since they stand before what they guard on a line."""
    for group, branch in zip(branch_groups(events), facts.branches, strict=True):
        yield branch.span, list(_branch(group, branch, events.shape))
    for site, access in zip(access_sites(events), facts.accesses, strict=True):
        yield access.span, list(_access(site, access, events.shape))


def _by_line(entries: Iterator[_Entry], source: SourceLine) -> Iterator[str]:
    """The entries below the source lines that they stand on, files in order of appearance."""
    placed = [(source(span), entry) for span, entry in entries]
    files = list(dict.fromkeys(file for (file, _, _), _ in placed))
    last: tuple[str, int] | None = None
    for (file, line, text), entry in sorted(placed, key=lambda item: (files.index(item[0][0]), item[0][1])):
        if last != (file, line):
            if last is None or last[0] != file:
                yield f"in {file}"
            last = (file, line)
            yield f"{line:5d} | {text.expandtabs(4)}"[:COLUMNS]
        yield from entry


# --- accesses -----------------------------------------------------------------------------------------------------


def _access(site: AccessSite, fact: AccessFact, shape: Shape) -> Iterator[str]:
    unit = {Space.SHARED: "wavefronts", Space.CONSTANT: "addresses"}.get(fact.space, "sectors")
    twice = f" x{fact.requests} requests" if fact.requests != 1 else ""
    costs = f"worst {fact.worst}, best {fact.best}, ideal {fact.ideal} {unit}"
    if fact.certainty is Certainty.UNCOUNTED:
        costs = "not counted"
    sure = "" if fact.certainty is Certainty.UNCOUNTED else f"; {fact.certainty.value}"
    yield from _wrapped(
        f"{_INDENT}{fact.rw.value} {fact.space.value} {fact.text}, {fact.bytes} bytes{twice}: {costs}{sure}; "
        f"times {_times(fact.times)}"
    )
    kinds = _kinds(site.taken)
    for number, (taken, count) in enumerate(kinds[:_MOST_KINDS]):
        yield from _request(taken, count, number, shape)
    if len(kinds) > _MOST_KINDS:
        yield _field("also", f"{len(kinds) - _MOST_KINDS} other kinds of requests, none dearer")
    if not kinds and site.events:
        yield from _wrapped(_field("address", polynomial_text(site.events[0].address.poly, shape)))
    if len(site.events) > 1:
        plural = "" if len(kinds) == 1 else "s"
        yield _field("executed", f"{len(site.events)} times in the analysis, {len(kinds)} kind{plural} of requests")
    for case in fact.cases:
        yield _field("case", f"{case.cost} when {case.when}")
    if fact.variation.sizes is not None:
        size = fact.variation.sizes
        told = f"{size.worst} when {size.symbol} >= {size.threshold}, fewer below, {size.least} when "
        yield _field("sizes", f"{told}{size.symbol} == {size.value}")
    if fact.contention is not None:
        yield _field("same", f"at most {fact.contention} lanes on one address")
    ranged = fact.why.because if fact.certainty is Certainty.RANGED else None
    because = ranged if fact.why.cause is None else fact.why.cause.reason
    if because is not None:
        yield from _wrapped(_field("because", because))


def _kinds(taken: Sequence[Taken]) -> list[tuple[Taken, int]]:
    """The requests that differ in their lanes or their cost, dearest first, with how often each was met."""
    counts: Counter[tuple[object, ...]] = Counter()
    firsts: dict[tuple[object, ...], Taken] = {}
    for one in taken:
        _, request, cost = one
        pitches = tuple((p.monomial, p.lanes.tobytes()) for p in request.pitches)
        lanes = np.where(request.active, request.relative, 0).tobytes()
        key = (request.active.tobytes(), lanes, pitches, cost.worst, cost.best)
        counts[key] += 1
        firsts.setdefault(key, one)
    order = sorted(firsts, key=lambda key: (-firsts[key][2].worst, -int(firsts[key][1].active.sum())))
    return [(firsts[key], counts[key]) for key in order]


def _request(taken: Taken, count: int, number: int, shape: Shape) -> Iterator[str]:
    """The first kind with its address, the others by what differs."""
    event, request, cost = taken
    if number == 0:
        yield from _wrapped(_field("address", polynomial_text(event.address.poly, shape)))
    price = f"{cost.worst}" if cost.worst == cost.best else f"{cost.best} to {cost.worst}"
    alike = f"  (x{count})" if count > 1 else ""
    own = "" if number == 0 else f"  -> {price}{alike}"
    lanes = lanes_text(request)
    yield from _wrapped(_field("lanes" if number == 0 else "or lanes", lanes + own))
    if cost.by_residue is not None:
        yield from _wrapped(_field("residues", residues_text(cost.by_residue)))
    elif number == 0 and cost.worst != cost.best and (common := _common(request, cost)):
        yield from _wrapped(_field("residues", common))


def lanes_text(request: Request) -> str:
    """The bytes of the active lanes relative to the first one: "0, 4 .. 124", with a factor for each pitch, and which lanes
    they are where some are missing."""
    lanes = np.flatnonzero(request.active)
    parts = [f"({vector_text(p.lanes[lanes])})*{'*'.join(s.name for s in p.monomial)}" for p in request.pitches]
    relative = request.relative[lanes]
    if some(request.scattered[lanes]):
        parts.append("each its own")
    elif some_nonzero(relative) or not parts:
        parts.append(vector_text(relative))
    active = "" if len(lanes) == WARP else f"  (lanes {ranges_text(lanes)})"
    return " + ".join(parts) + active


def vector_text(vector: IntVector) -> str:
    """ "0, 4 .. 124"; "0 x16, 64 x16"; else entry by entry, at most sixteen."""
    steps = np.diff(vector)
    if len(vector) > 3 and every(steps == steps[0]) and steps[0]:
        return f"{vector[0]}, {vector[1]} .. {vector[-1]}"
    runs: list[list[int]] = []
    for entry in vector.tolist():
        if runs and runs[-1][0] == entry:
            runs[-1][1] += 1
        else:
            runs.append([entry, 1])
    shown = [str(entry) if count == 1 else f"{entry} x{count}" for entry, count in runs[:16]]
    return ", ".join(shown) + (", .." if len(runs) > 16 else "")


def ranges_text(numbers: IntVector) -> str:
    """ "0-15", "1, 3 .. 31", "0, 5-7"."""
    steps = np.diff(numbers)
    if len(numbers) > 2 and steps[0] > 1 and every(steps == steps[0]):
        return f"{numbers[0]}, {numbers[1]} .. {numbers[-1]}"
    cuts = [0, *(np.flatnonzero(steps != 1) + 1).tolist(), len(numbers)]
    spans = [(int(numbers[a]), int(numbers[b - 1])) for a, b in pairwise(cuts)]
    shown = [str(a) if a == b else f"{a}-{b}" for a, b in spans]
    return ", ".join(shown[:12]) + (", .." if len(shown) > 12 else "")


def residues_text(costs: ResidueCosts) -> str:
    """ "w mod 8: 0 -> 4; 1-7 -> 5": the cost for each residue of the symbol that decides."""
    groups: dict[int, list[int]] = {}
    for residue, cost in enumerate(costs.costs):
        groups.setdefault(cost, []).append(residue)
    name = "*".join(symbol.name for symbol in costs.monomial) or "the common part"
    told = "; ".join(f"{ranges_text(np.array(residues))} -> {cost}" for cost, residues in sorted(groups.items()))
    return f"{name} mod {len(costs.costs)}: {told}"


def _common(request: Request, cost: RequestCost) -> str:
    """What was gone through where no one symbol decides."""
    if cost.layout is None:
        return "none enumerated: the most that the lanes can cost"
    parts = []
    if request.step < request.period and request.shift_terms:
        names = ", ".join(dict.fromkeys("*".join(s.name for s in m) for m, _ in request.shift_terms))
        shifts = np.arange(request.shift % request.step, request.period, request.step)
        parts.append(f"of what all lanes share mod {request.period}: {vector_text(shifts)} ({names})")
    for pitch in request.pitches:
        name = "*".join(s.name for s in pitch.monomial)
        parts.append(f"of {name} modulo {request.period}, rows that share nothing to rows that coincide")
    return "; ".join(parts)


# --- branches -----------------------------------------------------------------------------------------------------


def _branch(group: Sequence[BranchEvent], fact: BranchFact, shape: Shape) -> Iterator[str]:
    kind = fact.kind.value if isinstance(fact.kind, IfKind | LoopKind) else fact.kind
    active = (
        ""
        if fact.splits.active == (WARP, WARP)
        else f", {fact.splits.active[0]} to {fact.splits.active[1]} of 32 threads active"
    )
    spread = f"; lanes leave at {fact.leaving.spread + 1} times at most" if fact.leaving.spread else ""
    rounds = "" if fact.leaving.rounds is None else f"; iterations {_times(fact.leaving.rounds)}"
    most = constant(fact.splits.upper)
    splits = "" if most == 0 else f"; splits at most {_times(fact.splits.upper)}"
    yield from _wrapped(
        f"{_INDENT}{kind} ({fact.spelled.text}): {fact.divergence.value}{active}; tests {_times(fact.times)}{rounds}{splits}{spread}"
    )
    tests: Counter[str] = Counter()
    for event in group:
        tests[_test(event, shape)] += 1
    for text, count in list(tests.items())[:_MOST_KINDS]:
        yield from _wrapped(_field("test" if count == 1 else f"{count} tests", text))
    if len(tests) > _MOST_KINDS:
        yield _field("also", f"{len(tests) - _MOST_KINDS} other kinds of tests")
    if fact.why.cause is not None:
        yield from _wrapped(_field("because", fact.why.cause.reason))


def _test(event: BranchEvent, shape: Shape) -> str:
    """Who is there and how it is decided: "256 lanes: 128 true, 128 false; splits 8 of 8 warps"."""
    may = event.mask.may
    sides = [_side(condition, may, shape) for condition in event.conditions]
    some = int(may.sum()) - int((may & event.mask.must).sum())
    there = f"{int(may.sum())} lanes{f' ({some} of them perhaps)' if some else ''}"
    return f"{there}: {' | '.join(sides)}"


def _side(condition: Condition, may: BoolVector, shape: Shape) -> str:
    true, false, undecided = (may & v for v in (condition.true, condition.false, condition.undecided))
    counts = [(true, "true"), (false, "false"), (undecided, "undecided")]
    told = ", ".join(f"{int(lanes.sum())} {name}" for lanes, name in counts if some(lanes))
    both = warps_with(true) & warps_with(false)
    split = f", in {int(both.sum())} of {shape.warps} warps both" if some(both) else ""
    waits = f": {condition_text(condition, shape)}" if some(undecided) else ""
    return f"{told or 'nobody'}{split}{waits}"


# --- lines --------------------------------------------------------------------------------------------------------


def _times(times: Expression | None) -> str:
    return "?" if times is None else to_text(times)


def _field(name: str, text: str) -> str:
    return f"{_INDENT}  {name:<9} {text}"


def _wrapped(line: str) -> Iterator[str]:
    """The line, broken between words where it is too long."""
    if len(line) <= COLUMNS:
        yield line
        return
    yield from textwrap.wrap(
        line, COLUMNS, subsequent_indent=_HANG, break_long_words=True, break_on_hyphens=False, drop_whitespace=True
    )


def _cause(cause: Cause, place: Place) -> str:
    at = f" at {place(cause.span)}" if cause.span is not None else ""
    return f"{cause.kind.value}: {cause.reason}{at}"
