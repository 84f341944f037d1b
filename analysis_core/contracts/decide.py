"""`contracts_of(kernel, launch, events, facts, settings)`: every cost contract of a kernel under one launch.

    bounds of the kernel, or of the statement (lp/kernel_bounds.py), where `when` is assumed  ->  exact comparison (sizes.py)  ->  holds
                                                                 ->  else sizes at which they differ, run by the simulator (replay.py)

Per warp it is the most expensive warp of a launch that is spoken of, per block the most expensive block, per launch all blocks together: `<=` rests on
the upper bound, `>=` on the lower one, and `==` on both.  Nothing holds where code was not understood, or a size that nobody says was guessed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from typing import TYPE_CHECKING

from analysis_core.contracts.paid import paid_within
from analysis_core.contracts.sizes import Names, Sizes, is_plain, learned
from analysis_core.contracts.verdicts import Contracted, Standing
from analysis_core.expressions import expression as ex
from analysis_core.expressions.bounds import KernelBounds, MetricBound, Reason
from analysis_core.expressions.compare import proved_at_most
from analysis_core.expressions.expression import Expression, to_text
from analysis_core.interp.core.events import Events
from analysis_core.interp.core.term_expressions import expression_of
from analysis_core.interp.interpret import interpret
from analysis_core.ir.nodes import BuiltinKind, Kernel
from analysis_core.ir.stated import GridValue, ParameterValue, StatedContract, StatedName
from analysis_core.ir.types import says_guess, says_launched
from analysis_core.lp.kernel_bounds import bounds_of
from analysis_core.program.launch import Launch
from analysis_core.requests.facts import KernelFacts
from analysis_core.support.facts import CauseKind
from analysis_core.support.settings import Settings
from analysis_core.support.store import Store
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

if TYPE_CHECKING:
    from analysis_core.contracts.replay import Account

_MOST = 64
"""Contracts of a kernel that are looked at."""

_LONGEST = 300
"""Nodes of an expression that bounds are held against."""

_MOST_ANALYSED = 12
"""Contracts of a kernel that may take an analysis of their own: those with `when`, or about a statement."""


def contracts_of(
    kernel: Kernel, launch: Launch, events: Events, facts: KernelFacts, settings: Settings, store: Store | None = None
) -> tuple[Contracted, ...]:
    """In the order of the text."""
    deciding = _Deciding(kernel, launch, events, facts, settings, store)
    known = sorted(kernel.annotations.contracts, key=lambda one: one.span.start)
    left = (replace(_open(one), cause="the kernel has too many contracts") for one in known[_MOST:])
    return (*(deciding.decided(one) for one in known[:_MOST]), *left)


@dataclass(frozen=True, slots=True, eq=False)
class _Under:
    """What is known where a `when` holds.  `refused`: why it cannot hold."""

    kernel: Kernel
    events: Events
    refused: Reason | None = None


@dataclass(slots=True, eq=False)
class _Deciding:
    """The contracts of one kernel under one launch, some of which share what is found out."""

    kernel: Kernel
    launch: Launch
    events: Events
    facts: KernelFacts
    settings: Settings
    store: Store | None
    under: dict[tuple[str, ...], _Under] = field(default_factory=dict)
    bounds: dict[tuple[tuple[str, ...], Span | None], KernelBounds | Reason] = field(default_factory=dict)
    account: Account | None = None

    def decided(self, one: StatedContract) -> Contracted:
        """One contract."""
        found = self._known_from_bounds(one)
        if found.standing is Standing.HOLDS:
            return found
        from analysis_core.contracts.replay import Account, broken

        self.account = self.account or Account()
        own = self.account.half()
        seen = broken(self.kernel, self.launch, self.events, one, found, self.settings, own)
        self.account.left += own.left
        return (
            found if seen is None else replace(found, standing=Standing.VIOLATED, broken=seen, cause="", because=None)
        )

    def _known_from_bounds(self, one: StatedContract) -> Contracted:
        """As holding or not shown."""
        asked = self._bounds(one)
        if isinstance(asked, Reason):
            return replace(_open(one), cause=asked.text, because=asked.span)
        bound = asked.metrics[one.metric]
        upper, lower = sides(bound, one.scope)
        if one.place is not None and one.scope == "per_warp" and upper is not None:
            own = paid_within(self.facts, one.place).get(one.metric, upper)
            upper = own if proved_at_most(own, upper) else upper
        assumptions = tuple(assumption.text for assumption in asked.assumptions)
        found = replace(_open(one), upper=upper, lower=lower, assumptions=assumptions)
        why = next(_incomplete(self.kernel, self.events), None) or self._why_open(one, bound, upper, lower)
        if why is None:
            return replace(found, standing=Standing.HOLDS)
        return replace(found, cause=why.text, because=why.span)

    def _why_open(
        self, one: StatedContract, bound: MetricBound, upper: Expression | None, lower: Expression
    ) -> Reason | None:
        """What keeps bounds from deciding for the contract; None if they do."""
        names = values_of(self.kernel, self.launch, self.events, one.names)
        under = self.under.get(tuple(part.text for part in one.when))
        events = self.events if under is None else under.events
        sizes = sizes_of(self.kernel, self.launch, events, self.settings, one)
        stated = expression_of(one.bound, names.get)
        if stated is None:
            return Reason("expressions of costs have no word for a part of what is expected", one.bound.span)
        if ex.size(stated) > _LONGEST:
            return Reason("what is expected is too long to be compared", one.bound.span)
        if not is_plain(one.bound, names, sizes):
            return Reason("what is divided may be negative", one.bound.span)
        if one.op in ("<", "<=", "=="):
            if upper is None:
                because = bound.per_warp.because
                return because or Reason("there is no upper bound", None)
            above = ex.subtract(stated, ex.ONE) if one.op == "<" else stated
            if sizes.at_most(safe(upper), above) is not True:
                return Reason(
                    f"the bound is {to_text(upper)}, and no run that was tried pays too much", _place(bound, one)
                )
        if one.op in (">", ">=", "=="):
            below = ex.add(stated, ex.ONE) if one.op == ">" else stated
            if sizes.at_most(below, safe(lower)) is not True:
                return Reason(f"the lower bound is {to_text(lower)}, and no run that was tried pays too little", None)
        return None

    def _bounds(self, one: StatedContract) -> KernelBounds | Reason:
        when = tuple(part.text for part in one.when)
        if not when and one.place is None and self.facts.bounds is not None:
            return self.facts.bounds
        key = when, one.place
        if key not in self.bounds and len(self.bounds) >= _MOST_ANALYSED:
            return Reason("the kernel has too many contracts that take an analysis of their own", one.span)
        if key not in self.bounds:
            self.bounds[key] = self._found(one, when)
        return self.bounds[key]

    def _found(self, one: StatedContract, when: tuple[str, ...]) -> KernelBounds | Reason:
        under = self.under.get(when) or self._assumed(one)
        self.under[when] = under
        if under.refused is not None:
            return under.refused
        names = sorted({other.metric for other in self.kernel.annotations.contracts})
        return bounds_of(under.kernel, self.launch, under.events, self.settings, names, one.place, self.store)

    def _assumed(self, one: StatedContract) -> _Under:
        """The kernel where the contract's `when` holds, interpreted."""
        if not one.when:
            return _Under(self.kernel, self.events)
        kernel = assuming(self.kernel, one)
        events = interpret(kernel, self.launch, self.settings)
        spans = [part.span for part in one.when]
        refused = next((r for r in events.rejected if any(s is not None and s.encloses(r.span) for s in spans)), None)
        return _Under(kernel, events, None if refused is None else Reason(f"`when`: {refused.reason}", refused.span))


def assuming(kernel: Kernel, one: StatedContract) -> Kernel:
    """The kernel under the condition of a contract, as if its user had stated it."""
    stated = kernel.annotations
    names = tuple({**dict(stated.names), **dict(one.names)}.items())
    return replace(
        kernel, annotations=replace(stated, assumptions=(*stated.assumptions, *one.when), names=names, contracts=())
    )


def sides(bound: MetricBound, scope: str) -> tuple[Expression | None, Expression]:
    """The most and the least of a scope."""
    if scope == "per_warp":
        return bound.per_warp.upper, bound.per_warp.worst_lower
    known = bound.per_block if scope == "per_block" else bound.per_launch
    return known.upper, known.lower


def safe(expression: Expression) -> Expression:
    """The expression over safe names."""
    return ex.substitute(expression, {name: ex.symbol(ex.safe_name(name)) for name in ex.symbols(expression)})


def values_of(kernel: Kernel, launch: Launch, events: Events, names: Sequence[tuple[str, StatedName]]) -> Names:
    """What names of a kernel's annotations are worth."""
    found: dict[str, Expression] = {}
    for name, meaning in names:
        match meaning:
            case int():
                found[name] = ex.integer(meaning)
            case ParameterValue(var):
                found[name] = safe(ex.symbol(kernel.variables[var].name))
            case GridValue(BuiltinKind.BLOCK_DIM, axis):
                found[name] = ex.integer(launch.block[axis])
            case GridValue(BuiltinKind.GRID_DIM, axis):
                given = launch.grid[axis]
                own = ex.symbol(f"gridDim_{'xyz'[axis]}") if events.grid is None else safe(events.grid[axis])
                found[name] = own if given is None else ex.integer(given)
            case _:
                pass
    return found


def sizes_of(kernel: Kernel, launch: Launch, events: Events, settings: Settings, one: StatedContract) -> Sizes:
    """What is known of sizes where a contract speaks."""
    stated = kernel.annotations
    known = values_of(kernel, launch, events, stated.names)
    own = values_of(kernel, launch, events, one.names)
    conditions = [(each.condition, known) for each in stated.assumptions]
    sizes = learned([*conditions, *((each.condition, own) for each in one.when)])
    for symbol in events.parameters:
        sizes.within(ex.safe_name(symbol.name), symbol.low, symbol.high, symbol.modulus if symbol.residue == 0 else 1)
    for name, value in settings.values.items():
        sizes.worth[ex.safe_name(name)] = ex.integer(value)
    return sizes


def _incomplete(kernel: Kernel, events: Events) -> Iterator[Reason]:
    """Why bounds may leave something out, or rest on what nobody says."""
    yield from (Reason(one.reason, one.span) for one in kernel.unknowns if one.kind is not CauseKind.DATA)
    yield from (Reason(one.reason, one.span) for one in events.unknowns)
    guesses = [one for one in kernel.assumptions if says_guess(one.text) or says_launched(one.text)]
    yield from (Reason(f"it rests on a guess: {one.text}", one.span) for one in guesses)
    if kernel.guessed or kernel.resized is not None:
        yield Reason("it rests on guessed arguments of a template, or sizes of types", kernel.name_span)


def _place(bound: MetricBound, one: StatedContract) -> Span | None:
    """Where most is paid, as far as the sizes of expressions tell: the first place that pays by a size, else the first of all."""
    if one.place is not None or not bound.places:
        return one.place
    growing = [place for place in bound.places if ex.symbols(place.cost)]
    return (growing or list(bound.places))[0].span


def _open(one: StatedContract) -> Contracted:
    """The contract, of which nothing is shown yet."""
    text, when = one.text.removeprefix("expect").strip(), " && ".join(part.text for part in one.when)
    return Contracted(one.metric, one.scope, text, one.span, one.place, Standing.NOT_SHOWN, when=when)
