"""What counters of the profiler would show, by the bounds of a kernel: per launch where the grid is known, else per block.

A figure is an interval.  From above it is what the accesses of its kind cost at most, and no more than the bound of all of them; from below the
bound of all, without what the others may cost at most.  Where what the accesses cost at most is together what all of them surely cost, each costs just
that: so figures of single accesses are exact, too.  Requests are exact along with what they cost, since each costs something.

Counts are those of the source (docs/counters.md has what makes the profiler's differ).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import TypeVar

from analysis_core.expressions.bounds import BoundCase, SumBound
from analysis_core.expressions.conditions import holds
from analysis_core.expressions.expression import Expression, safe_name, symbols
from analysis_core.ir.types import Space
from analysis_core.machine.counters import COUNTERS, Counter, Operation, Quantity, of
from analysis_core.profile.access_profile import KernelProfile
from analysis_core.profile.line_shares import value_at
from analysis_core.requests.facts import AccessFact, CostCase, ReadWrite
from analysis_core.text.records import dataclass

_OPERATIONS: Mapping[ReadWrite, tuple[Operation, ...]] = {
    ReadWrite.READ: (Operation.LOAD,),
    ReadWrite.WRITE: (Operation.STORE,),
    ReadWrite.BOTH: (Operation.LOAD, Operation.STORE),
    ReadWrite.ATOMIC: (Operation.ATOMIC,),
}

_METRICS: Mapping[bool, tuple[str, str]] = {False: ("sectors", "excessive_sectors"), True: ("wavefronts", "conflicts")}
"""What is paid, and what of it is too much, in global memory and in shared memory."""


_Case = TypeVar("_Case", BoundCase, CostCase)


@dataclass(frozen=True, slots=True)
class Amount:
    """A figure: at least `low` and at most `high`; None: no upper figure is known."""

    low: int
    high: int | None

    @property
    def exact(self) -> bool:
        """Whether it is one number."""
        return self.low == self.high


@dataclass(frozen=True, slots=True)
class Predicted:
    """What a counter would show of a whole kernel, or of one access."""

    counter: Counter
    amount: Amount


@dataclass(frozen=True, slots=True)
class OfAccess:
    """One access and kind of request: what it costs, in how many requests, and what the same requests would cost at the ideal (None where that
    varies)."""

    fact: AccessFact
    operation: Operation
    cost: Amount
    requests: Amount
    ideal: int | None

    @property
    def shared(self) -> bool:
        """Whether it is of shared memory."""
        return self.fact.space is Space.SHARED


@dataclass(frozen=True, slots=True)
class Counters:
    """`blocks`: of the launch that figures are for, None: they are per block.  `missing`: names of sizes that a figure would need."""

    blocks: int | None
    kernel: tuple[Predicted, ...]
    accesses: tuple[OfAccess, ...]
    missing: tuple[str, ...] = ()

    @property
    def scope(self) -> str:
        """What figures are of: "launch" or "block"."""
        return "block" if self.blocks is None else "launch"


def known_sizes(profile: KernelProfile, given: Mapping[str, int], parameters: Iterable[str] = ()) -> Mapping[str, int]:
    """The numbers that sizes are known to have, as spelled: those that all launches in view pass, and before them those that are given of
    `parameters` and of what figures are made of, iterations of loops (`T28`) too."""
    passed = {i.source: profile.passed[i.name] for i in profile.facts.symbols if i.name in profile.passed}
    asked = dict.fromkeys((*parameters, *(info.source for info in profile.facts.symbols)))
    return {**passed, **{name: given[name] for name in asked if name in given}}


def counter_text(fact: AccessFact, counters: Counters) -> str:
    """ "`l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum` 1,048,576 per launch (ideal 131,072)", "" where no figure is known."""
    rows = [row for row in counters.accesses if row.fact is fact]
    names = " and ".join(f"`{of(row.shared, row.operation)}`" for row in rows)
    if not rows or rows[0].cost.high is None:
        return ""
    row, each = rows[0], " each" * (len(rows) > 1)
    ideal = "" if row.ideal is None or row.cost.high == row.ideal else f" (ideal {row.ideal:,})"
    return f"{names} {amount_text(row.cost)}{each} per {counters.scope}{ideal}"


def amount_text(amount: Amount) -> str:
    """ "131,072", "up to 512", "640 to 1,024", "at least 8", "an unknown number of"."""
    if amount.high is None:
        return f"at least {amount.low:,}" if amount.low else "an unknown number of"
    if amount.exact:
        return f"{amount.low:,}"
    return f"{amount.low:,} to {amount.high:,}" if amount.low else f"up to {amount.high:,}"


def blocks_of(profile: KernelProfile) -> int | None:
    """The number of blocks of the launch, where its grid is numbers."""
    grid = profile.facts.grid
    return prod(map(int, grid)) if grid is not None and all(one.isdigit() for one in grid) else None


def counters_of(profile: KernelProfile, values: Mapping[str, int]) -> Counters:
    """The counters of a launch at these sizes, by the names in the source or by safe names."""
    named = {**{safe_name(name): value for name, value in values.items()}, **values}
    blocks = blocks_of(profile)
    missing: dict[str, None] = {}
    kernel: list[Predicted] = []
    accesses: list[OfAccess] = []
    for shared in (False, True):
        space = Space.SHARED if shared else Space.GLOBAL
        facts = [one.fact for one in profile.accesses if one.fact.space is space]
        paid, lost = (_whole(profile, name, named, blocks, missing) for name in _METRICS[shared])
        elsewhere = any(one.fact.space is Space.UNKNOWN for one in profile.accesses)
        if not facts and not elsewhere and paid in (None, Amount(0, 0)):
            continue
        found = [row for fact in facts for row in _rows(fact, named, blocks or 1, missing)]
        known = paid or Amount(0, None)
        # Without an upper bound of all there may be accesses that nobody sees.
        unknown = elsewhere or known.high is None
        tight = not unknown and known.low == sum(row.cost.high or 0 for row in found) and None not in map(_high, found)
        rows = [_settled(row) for row in found] if tight else found
        accesses += rows
        amounts = _amounts(rows, known, lost, unknown)
        kernel += (Predicted(one, amounts(one)) for one in COUNTERS if one.shared is shared)
    return Counters(blocks, tuple(kernel), tuple(accesses), tuple(missing))


def _high(row: OfAccess) -> int | None:
    return row.cost.high


def _settled(row: OfAccess) -> OfAccess:
    """The row as exact as its upper figures."""
    cost, requests = row.cost.high or 0, row.requests.high or 0
    return replace(row, cost=Amount(cost, cost), requests=Amount(requests, requests))


def _whole(
    profile: KernelProfile, metric: str, values: Mapping[str, int], blocks: int | None, missing: dict[str, None]
) -> Amount | None:
    """What all warps pay of a metric; None where no bounds were sought."""
    bounds = profile.facts.bounds
    if bounds is None or metric not in bounds.metrics:
        return None
    found = bounds.metrics[metric]
    total = found.per_block if blocks is None else found.per_launch
    case = _first(total.cases, values)
    part = total if case is None else SumBound(case.upper, case.worst_lower, case.exact)
    low, high = _at(part.lower, values, {}), _at(part.upper, values, missing)
    return Amount(low or 0, high if high is None else max(high, low or 0))


def _first(cases: Sequence[_Case], values: Mapping[str, int]) -> _Case | None:
    """The case that applies: the first whose condition holds, if it is known that those before it do not."""
    for case in cases:
        if (answer := holds(case.when, values)) is not False:
            return case if answer else None
    return None


def _at(expression: Expression | None, values: Mapping[str, int], missing: dict[str, None]) -> int | None:
    if expression is None:
        return None
    absent = [name for name in symbols(expression) if name not in values]
    missing.update(dict.fromkeys(absent))
    return None if absent else value_at(expression, values)


def _rows(fact: AccessFact, values: Mapping[str, int], blocks: int, missing: dict[str, None]) -> list[OfAccess]:
    """What one access may cost at most; an update in two requests is a load and a store, each half of it."""
    operations = _OPERATIONS[fact.rw]
    cost, requests = (_at(one, values, missing) for one in (fact.block.total, fact.block.executed))
    case = _first(fact.cases, values)
    if case is not None and requests is not None and cost is not None:
        cost = min(cost, case.cost * requests)
    share = len(operations) if fact.requests >= len(operations) else 1
    parts = (None if one is None else -(-one * blocks // share) for one in (cost, requests))
    paid, made = parts
    ideal = None if fact.variation.ideals is not None or fact.why.unsized or made is None else fact.ideal * made
    return [OfAccess(fact, operation, Amount(0, paid), Amount(0, made), ideal) for operation in operations]


class _amounts:
    """The figure of a counter, from those of accesses (`rows`), of all requests (`paid`), and of what is too much (`lost`)."""

    def __init__(self, rows: Sequence[OfAccess], paid: Amount, lost: Amount | None, unknown: bool) -> None:
        self._rows, self._paid, self._lost, self._unknown = rows, paid, lost or Amount(0, None), unknown

    def __call__(self, counter: Counter) -> Amount:
        mine = [row for row in self._rows if counter.operation in (row.operation, Operation.ALL)]
        others = [row for row in self._rows if counter.operation not in (row.operation, Operation.ALL)]
        match counter.quantity:
            case Quantity.REQUESTS:
                return _sum((row.requests for row in mine), self._unknown)
            case Quantity.EXCESS:
                return self._lost
            case Quantity.IDEAL:
                return _less(self._paid, self._lost)
            case Quantity.COST:
                cost = _sum((row.cost for row in mine), self._unknown)
                high = _least(cost.high, self._paid.high)
                rest = _sum((row.cost for row in others), self._unknown).high
                low = 0 if rest is None else max(cost.low, self._paid.low - rest)
                return Amount(0 if counter.behind else low, high)


def _sum(amounts: Iterable[Amount], unknown: bool) -> Amount:
    """All together; no upper figure where accesses are known to be somewhere, and may be here."""
    found = list(amounts)
    highs = [one.high for one in found]
    high = None if unknown or None in highs else sum(one for one in highs if one is not None)
    return Amount(sum(one.low for one in found), high)


def _less(whole: Amount, part: Amount) -> Amount:
    low = 0 if part.high is None else max(0, whole.low - part.high)
    return Amount(low, None if whole.high is None else max(low, whole.high - part.low))


def _least(*numbers: int | None) -> int | None:
    return min((one for one in numbers if one is not None), default=None)
