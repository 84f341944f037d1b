"""The bounds of one kernel: inference over the cost programs of its warps, put together (docs/decisions/07-cost-programs-and-certificates.md).

Two interpretations are looked at.  That of *any* block gives `upper` (no warp of any block pays more) and `min_lower` (none
pays less).  That of the *first* block, which every launch has, gives `worst_lower`: the most expensive warp of the launch
pays at least what the most expensive warp of the first block surely pays.  There blockIdx is a number, so that most guards
are decided (`0*256 + tid < n` under n >= 32).

Per block, `lower` bounds the most expensive block from below, in the same way.  Per launch, the blocks' sum: what any block
pays at least times the number of blocks, or what the first block pays, whichever is known to be more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from analysis_core.bounds.block_phases import LATENCY
from analysis_core.bounds.build_program import BlockPrograms, WarpClass
from analysis_core.bounds.first_block import tells_more
from analysis_core.bounds.loop_nests import LoopReadings
from analysis_core.bounds.program import CostProgram
from analysis_core.bounds.step_places import step_places
from analysis_core.bounds.weighted import weighted_classes
from analysis_core.expressions import expression as ex
from analysis_core.expressions.bounds import BoundCase, KernelBounds, LineCost, MetricBound, Reason, SumBound, WarpBound
from analysis_core.expressions.compare import at_most, simplified
from analysis_core.expressions.expression import Expression
from analysis_core.expressions.metric import Metric
from analysis_core.interp.core.events import Events
from analysis_core.interp.core.trace import depth
from analysis_core.interp.interpret import interpret
from analysis_core.ir.nodes import Kernel
from analysis_core.ir.types import Space, says_guess
from analysis_core.lp.bound_cases import Asking, with_cases
from analysis_core.lp.ends import LARGE, Ends, at_large, both, relaxed
from analysis_core.lp.infer import Memo, infer
from analysis_core.lp.runs_differ import runs_differ
from analysis_core.lp.straight import straight_cost
from analysis_core.lp.work_span import work_span
from analysis_core.program.launch import Launch
from analysis_core.requests.event_costs import EventCosts
from analysis_core.requests.facts import AccessFact, KernelFacts
from analysis_core.support.facts import Assumption, CauseKind
from analysis_core.support.fuel import BOUNDS, ONE_BOUND, Fuel
from analysis_core.support.settings import Settings
from analysis_core.support.store import Store
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

DEEPEST = 40
"""Nested branches and loops beyond which no bound is sought; nobody writes such code by hand."""

_OF_SPAN = 0.03
"""The part of a kernel's fuel that its span may take: closed forms, and few linear programs."""


@dataclass(frozen=True, slots=True, eq=False)
class _Work:
    """What all inferences of a kernel share.  `most`: units of work for one of them; `part`: the text that is asked about, None for all;
    `only`: what operations are counted of there (ir/operations.py: within)."""

    readings: LoopReadings
    store: Store | None
    most: int
    memo: Memo = field(default_factory=Memo)
    assumptions: dict[Assumption, None] = field(default_factory=dict)
    part: Span | None = None
    only: frozenset[int] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class _Inferences:
    """The classes of a block's warps, and what was inferred for each of them.  `sizes`: names that users know.  `of_operations`: metrics that weigh
    operations, of which programs that follow the source of loops know nothing."""

    programs: BlockPrograms
    classes: tuple[WarpClass, ...]
    sizes: frozenset[str]
    fuel: Fuel
    work: _Work
    of_operations: frozenset[str] = frozenset()

    def all(self, metric: str) -> list[tuple[int, Ends]]:
        """(number of warps, what they pay) of each class."""
        return [(len(c.warps), self._of(c, metric)) for c in self.classes]

    def lowers(self, metric: str) -> list[Expression]:
        """What each class of warps surely pays."""
        return [ends.lower for _, ends in self.all(metric)]

    def is_open(self, metric: str, sizes: Mapping[str, int]) -> bool:
        """Whether each class of warps may pay more or less at these sizes; "no" where two programs of a class would have to agree."""
        return all(c.other is None and runs_differ(c.program, metric, sizes, LARGE) for c in self.classes)

    def span(self) -> Expression | None:
        """Cycles of the slowest warps of all phases one after the other (bounds/block_phases.py); None if nothing bounds them."""
        found: list[Expression] = []
        for programs in self.programs.phases():
            uppers = [self._of_program(program, LATENCY).upper for program in programs]
            known = [upper for upper in uppers if upper is not None]
            if len(known) < len(uppers):
                return None
            found.append(_greatest(known))
        return ex.add(*found) if found else ex.ZERO

    def _of(self, found: WarpClass, metric: str) -> Ends:
        ends = self._of_program(found.program, metric)
        if found.other is None or ends.upper == ends.lower or metric in self.of_operations:
            return ends
        better = both(ends, self._of_source(found.other, metric), self.sizes)
        if better != ends:
            self.work.assumptions.update(dict.fromkeys(found.assumptions))
        return better

    def _of_source(self, program: CostProgram, metric: str) -> Ends:
        """Of a program that follows the source: its bounds are never exact to the last unit."""
        ends = self._of_program(program, metric)
        if ends.upper is None or ends.upper == ends.lower:
            return ends
        natural = {p.stands_for for p in program.parameters if p.low is not None and p.low >= 0}
        return replace(ends, upper=relaxed(ends.upper, natural))

    def _of_program(self, program: CostProgram, metric: str) -> Ends:
        cost = straight_cost(program.body, metric)
        if cost is not None:
            return Ends(ex.integer(cost[1]), ex.integer(cost[0]), "closed form", None)
        work = self.work
        inference = infer(program, metric, memo=work.memo, fuel=self.fuel, store=work.store, most=work.most)
        if inference.upper is None:
            return Ends(None, inference.lower, "", inference.because)
        return Ends(inference.upper.expression, inference.lower, inference.upper.method, None)


_MOST_OF_FIRST_BLOCK = 800
"""Accesses and branches up to which the first block is looked at on its own, for better lower bounds: that doubles the time, and of the
kernels of Rodinia none with more than 700 got anything from it."""


def kernel_bounds(
    kernel: Kernel,
    launch: Launch,
    events: Events,
    facts: KernelFacts,
    settings: Settings,
    costs: EventCosts | None = None,
    store: Store | None = None,
) -> KernelBounds:
    """The bounds of all metrics; of those that are not exact also in the case that sizes are multiples of a warp or of the
    block.  `costs`: what is known of the events; `store`: linear programs that were made before."""
    if depth(events.trace) > DEEPEST:
        return _withheld(Reason("branches and loops are nested too deeply", kernel.name_span), facts, settings, events)
    lost = tuple(_lost(events))
    work = _Work(LoopReadings(kernel), store, Fuel.of_kernel(ONE_BOUND, settings).left)
    known = costs or EventCosts.of(events)
    if lost:
        rest = _inferences(kernel, events, settings, work, _fuel(settings, 0.5), known)
        return _with_rest(_withheld(lost[0], facts, settings, events), rest, lost)
    anywhere = _inferences(kernel, events, settings, work, _fuel(settings), known)
    metrics = _metrics(kernel, launch, events, settings, work, known, metric_names(settings), anywhere=anywhere)
    ask = Asking(
        kernel, launch, events, facts, settings,
        lambda inner, found, names: _metrics(inner, launch, found, settings, work, EventCosts.of(found, known), names, of_case=True),
        lambda inner, found: _inferences(inner, found, settings, work, _fuel(settings), EventCosts.of(found, known)),
    )  # fmt: skip
    metrics = with_cases(metrics, ask)
    places = _Places.at(facts, settings, events)
    placed = {
        m: replace(_with_ideals(bound, metrics.get(_EXCESS_OF.get(m, ""))), places=tuple(places.of(m)))
        for m, bound in metrics.items()
    }
    guessed = any(says_guess(assumption.text) for assumption in kernel.assumptions)
    if guessed or any(cause.kind is not CauseKind.DATA for cause in kernel.unknowns):
        placed = {m: bound.inexact() for m, bound in placed.items()}
    placed |= _without_matrices(kernel, settings, placed)
    closed = metrics[Metric.STEPS.value].per_warp.method == "closed form"
    span = replace(anywhere, fuel=_fuel(settings, _OF_SPAN)).span() if closed else None
    scheduled = work_span(placed, span, anywhere.programs.block.barred)
    return KernelBounds(placed, scheduled, tuple(work.assumptions), work.memo.solver_seconds)


def bounds_of(
    kernel: Kernel,
    launch: Launch,
    events: Events,
    settings: Settings,
    names: Sequence[str],
    part: Span | None,
    store: Store | None = None,
) -> KernelBounds | Reason:
    """The bounds of these metrics, without cases and places, for what stands in a `part` of the kernel's text or is called from there
    (None: for all of it); or why there are none."""
    lost = next(_lost(events), None)
    if lost is not None or depth(events.trace) > DEEPEST:
        return lost or Reason("branches and loops are nested too deeply", kernel.name_span)
    only = None
    if part is not None and not settings.metrics.keys().isdisjoint(names):
        from analysis_core.ir.operations import asked_by, within

        if asked_by({name: weights for name, weights in settings.metrics.items() if name in names}):
            only = within(kernel, part)
            if only is None:
                return Reason("what is done there is done elsewhere, too", part)
            events = interpret(kernel, launch, settings, only=only)
    work = _Work(LoopReadings(kernel), store, Fuel.of_kernel(ONE_BOUND, settings).left, part=part, only=only)
    found = _metrics(kernel, launch, events, settings, work, EventCosts.of(events), names)
    found |= _without_matrices(kernel, settings, found)
    return KernelBounds(found, None, tuple(work.assumptions), work.memo.solver_seconds)


def block_uppers(
    kernel: Kernel,
    launch: Launch,
    events: Events,
    settings: Settings,
    names: Sequence[str],
    costs: EventCosts | None = None,
    store: Store | None = None,
) -> Mapping[str, Expression | Reason]:
    """What a block pays at most of these metrics, or why nothing is known: the `upper` of `kernel_bounds` per block, without all else."""
    lost = next(_lost(events), None)
    if lost is None and depth(events.trace) > DEEPEST:
        lost = Reason("branches and loops are nested too deeply", kernel.name_span)
    if lost is not None:
        return dict.fromkeys(names, lost)
    work = _Work(LoopReadings(kernel), store, Fuel.of_kernel(ONE_BOUND, settings).left)
    anywhere = _inferences(kernel, events, settings, work, _fuel(settings), costs or EventCosts.of(events))
    return {name: _block_upper(anywhere.all(name)) for name in names}


def _block_upper(found: Sequence[tuple[int, Ends]]) -> Expression | Reason:
    because = next((ends.because for _, ends in found if ends.because is not None), None)
    if because is not None or _upper(found) is None:
        return because or Reason("there is no bound", None)
    return _sum((n, ends.upper) for n, ends in found if ends.upper is not None)


def _without_matrices(kernel: Kernel, settings: Settings, metrics: Mapping[str, MetricBound]) -> dict[str, MetricBound]:
    """Metrics that weigh floating-point operations, without a bound where some are in no count."""
    weighing = [name for name in metrics if any(one.startswith("flops") for one in settings.metrics.get(name, ()))]
    if not weighing:
        return {}
    from analysis_core.ir.operations import matrix_product

    span = matrix_product(kernel)
    if span is None:
        return {}
    because = Reason("operations of matrix instructions are in no count", span)
    return {name: metrics[name].without_upper(because) for name in weighing}


_EXCLUDING = (Metric.SECTORS.value, Metric.CONFLICTS.value, Metric.DIVERGENCES.value)
"""The metrics of which it is said what is known, where code was not understood."""

_EXCESS_OF = {Metric.SECTORS.value: Metric.EXCESSIVE_SECTORS.value, Metric.WAVEFRONTS.value: Metric.CONFLICTS.value}


def _with_ideals(bound: MetricBound, excess: MetricBound | None) -> MetricBound:
    """Ideals are cost less excess, where both are known exactly, of the whole and of its cases."""
    if excess is None:
        return bound
    beyond = {case.when: case for case in excess.per_warp.cases}
    cases = tuple(
        replace(case, ideal=_difference(case, beyond.get(case.when, excess.per_warp))) for case in bound.per_warp.cases
    )
    warp = replace(bound.per_warp, cases=cases)
    return replace(bound, per_warp=warp, ideal=_difference(bound.per_warp, excess.per_warp))


def _difference(cost: WarpBound | BoundCase, excess: WarpBound | BoundCase) -> Expression | None:
    if not (cost.exact and excess.exact) or cost.upper is None or excess.upper is None:
        return None
    return ex.subtract(cost.upper, excess.upper)


def _withheld(reason: Reason, facts: KernelFacts, settings: Settings, events: Events) -> KernelBounds:
    none = SumBound(None, ex.ZERO, False)
    warp = WarpBound(None, ex.ZERO, ex.ZERO, False, (), reason)
    known = _Places.at(facts, settings, events)
    metrics = {m: MetricBound(m, warp, none, none, tuple(known.of(m))) for m in metric_names(settings)}
    return KernelBounds(metrics, work_span(metrics, None, True))


def _metrics(
    kernel: Kernel,
    launch: Launch,
    events: Events,
    settings: Settings,
    work: _Work,
    costs: EventCosts,
    names: Sequence[str],
    of_case: bool = False,
    anywhere: _Inferences | None = None,
) -> dict[str, MetricBound]:
    """`of_case`: nothing but exact bounds is wanted, at half the work.  `anywhere`: the inferences of any block, if there are some."""
    anywhere = anywhere or _inferences(kernel, events, settings, work, _fuel(settings, 0.5 if of_case else 1), costs)
    first: list[_Inferences] = []

    def first_block() -> _Inferences:
        stated = kernel.annotations.assumptions or launch.stated_grid
        if not first and (events.size > _MOST_OF_FIRST_BLOCK or not (stated or tells_more(events, costs))):
            first.append(anywhere)
        if not first:
            at_first = interpret(kernel, launch, settings, (0, 0, 0), work.only)
            costs_there = EventCosts.of(at_first, costs)
            first.append(_inferences(kernel, at_first, settings, work, anywhere.fuel, costs_there))
        return first[0]

    blocks = _number_of_blocks(events, launch)
    return {name: _metric_bound(name, anywhere, first_block, blocks, of_case) for name in names}


def _inferences(
    kernel: Kernel, events: Events, settings: Settings, work: _Work, fuel: Fuel, costs: EventCosts
) -> _Inferences:
    programs = BlockPrograms.of(kernel, events, costs, work.readings, work.part)
    classes = weighted_classes(programs.classes(), settings.metrics)
    sizes = frozenset(ex.safe_name(symbol.name) for symbol in events.parameters)
    weighed = (name for name, weights in settings.metrics.items() if not weights.keys().isdisjoint(events.counted))
    return _Inferences(programs, classes, sizes, fuel, work, frozenset(weighed))


def _fuel(settings: Settings, part: float = 1) -> Fuel:
    """What the linear programs of one interpretation may take."""
    fuel = Fuel.of_kernel(BOUNDS * part, settings)
    fuel.spare = fuel.left // 4
    return fuel


def metric_names(settings: Settings) -> tuple[str, ...]:
    """The metrics that are counted, and the user's own."""
    return (*(metric.value for metric in Metric), *settings.metrics)


def _lost(events: Events) -> Iterator[Reason]:
    """What may cost anything: code that was not understood, and accesses of which the memory is not known."""
    yield from (Reason(cause.reason, cause.span) for cause in events.unknowns)
    unknown = {e.access.span: e.access.text for e in events.accesses if e.space is Space.UNKNOWN}
    yield from (Reason(f"it is not known which memory `{text}` is in", span) for span, text in unknown.items())


def _with_rest(withheld: KernelBounds, rest: _Inferences, lost: tuple[Reason, ...]) -> KernelBounds:
    """No bounds, but what is known of all the rest."""
    metrics = dict(withheld.metrics)
    for name in _EXCLUDING:
        known = _upper(rest.all(name))
        if known is not None:
            warp = replace(metrics[name].per_warp, known=known, excluded=lost)
            metrics[name] = replace(metrics[name], per_warp=warp)
    assumptions = tuple(rest.work.assumptions)
    return replace(withheld, metrics=metrics, assumptions=assumptions, solver_seconds=rest.work.memo.solver_seconds)


def _upper(found: Sequence[tuple[int, Ends]]) -> Expression | None:
    """What the most expensive of these classes pays at most; None where nothing bounds one of them."""
    uppers = [ends.upper for _, ends in found if ends.upper is not None]
    known = len(uppers) == len(found) and all(ends.because is None for _, ends in found)
    return _greatest(uppers) if known and uppers else None


def _metric_bound(
    metric: str,
    anywhere: _Inferences,
    first_block: Callable[[], _Inferences],
    blocks: Expression,
    of_case: bool,
) -> MetricBound:
    found = anywhere.all(metric)
    because = next((i.because for _, i in found if i.because is not None), None)
    upper = _upper(found)
    min_lower = _least([i.lower for _, i in found])
    lowest = _sum((n, i.lower) for n, i in found)
    everywhere_exact = because is None and all(i.upper == i.lower for _, i in found)
    if everywhere_exact or (of_case and upper is None):
        worst_lower, block_lower = _best([i.lower for _, i in found], upper), lowest
    else:
        at_first = first_block().all(metric)
        worst_lower = _best([min_lower, *(i.lower for _, i in at_first)], upper)
        block_lower = _best([lowest, _sum((n, i.lower) for n, i in at_first)], None)
    method = "" if upper is None else "lp" if any(i.method == "lp" for _, i in found) else "closed form"
    exact = upper is not None and upper == worst_lower
    block_upper = None if upper is None else _sum((n, i.upper) for n, i in found if i.upper is not None)
    launch_upper = None if block_upper is None else ex.multiply(blocks, block_upper)
    launch_lower = ex.multiply(blocks, lowest)
    if not at_most(block_lower, lowest):
        launch_lower = _best([launch_lower, block_lower], None)
    return MetricBound(
        metric,
        WarpBound(upper, worst_lower, min_lower, exact, (), because, method),
        SumBound(block_upper, block_lower, block_upper is not None and block_upper == block_lower),
        SumBound(launch_upper, launch_lower, launch_upper is not None and launch_upper == launch_lower),
    )


def _greatest(items: Sequence[Expression]) -> Expression:
    distinct = list(dict.fromkeys(items))
    return simplified(ex.maximum(*distinct)) if len(distinct) > 1 else distinct[0]


def _least(items: Sequence[Expression]) -> Expression:
    distinct = list(dict.fromkeys(items))
    if ex.ZERO in distinct:
        return ex.ZERO
    return simplified(ex.minimum(*distinct)) if len(distinct) > 1 else distinct[0]


def _best(lowers: Sequence[Expression], upper: Expression | None) -> Expression:
    """Of lower bounds of one number the one that tells most: the upper bound itself if it is among them, else the greatest
    at some large sizes."""
    distinct = list(dict.fromkeys(lowers))
    if upper is not None and upper in distinct:
        return upper
    return max(distinct, key=at_large)


def _sum(parts: Iterable[tuple[int, Expression]]) -> Expression:
    return ex.add(*(ex.scale(count, e) for count, e in parts))


def _number_of_blocks(events: Events, launch: Launch) -> Expression:
    if events.grid is not None:
        return ex.multiply(*events.grid)
    known = [ex.symbol(f"gridDim.{axis}") if n is None else ex.integer(n) for axis, n in zip("xyz", launch.grid)]
    return ex.multiply(*known)


@dataclass(frozen=True, slots=True, eq=False)
class _Places:
    """What each place contributes at most.  `steps`: what statements do, without their accesses; `operations`: of those that are counted."""

    facts: KernelFacts
    settings: Settings
    steps: tuple[LineCost, ...]
    operations: Mapping[str, tuple[LineCost, ...]]

    @staticmethod
    def at(facts: KernelFacts, settings: Settings, events: Events) -> _Places:
        """What the places of an interpretation contribute."""
        if not events.counted:
            return _Places(facts, settings, step_places(events), {})
        from analysis_core.bounds.operation_places import operation_places

        return _Places(facts, settings, step_places(events), operation_places(events))

    def of(self, metric: str) -> Iterator[LineCost]:
        """Accesses, branches or statements; to a weighted metric, by weight."""
        for counted, weight in self.settings.metrics.get(metric, {}).items():
            if weight:
                found = self.operations[counted] if counted in self.operations else self.of(counted)
                yield from (replace(place, cost=ex.scale(weight, place.cost)) for place in found)
        if metric == Metric.DIVERGENCES.value:
            for branch in self.facts.branches:
                if branch.splits.upper != ex.ZERO:
                    yield LineCost(branch.span, branch.spelled.text, branch.splits.upper)
            return
        if metric == Metric.STEPS.value:
            yield from self.steps
        for access in self.facts.accesses:
            cost = _request_cost(metric, access)
            if cost and access.times is not None:
                yield LineCost(access.span, access.text, ex.scale(cost * access.requests, access.times))


def _request_cost(metric: str, access: AccessFact) -> int:
    match access.space, metric:
        case (Space.GLOBAL, "sectors" | "steps") | (Space.SHARED, "wavefronts" | "steps"):
            return access.worst
        case (Space.GLOBAL, "excessive_sectors") | (Space.SHARED, "conflicts"):
            return access.excess
        case _:
            return 0
