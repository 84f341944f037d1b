"""What a refactoring makes is checked before anybody is offered it.

    edits  ->  do they fit?  ->  the kernels analysed again  ->  new races, claims that break, bounds that are lost: refused
                             ->  are results the same?  ladder: shown by the action's conditions, by a solver for one thread, by runs
                             ->  costs before and after

Whatever the ladder says, both texts are run (runs.py): a difference refuses, as it is a bug of ours.  Where nothing can be run and nothing is
proved, it is refused as well.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from analysis_core.advice.grids import run_at
from analysis_core.advice.knobs import Launched
from analysis_core.claims.equal import equality
from analysis_core.expressions.expression import Expression, add, symbols
from analysis_core.ir.dump import dump
from analysis_core.ir.launch_site import is_assumed
from analysis_core.ir.nodes import Kernel, Loop
from analysis_core.ir.walk import statements_of
from analysis_core.profile.line_shares import value_at
from analysis_core.profile.sizes import representative_sizes
from analysis_core.report.findings.figures import Amount, Figures, figures_of
from analysis_core.report.findings.model import Edit, Finding, KernelReport, LaunchReport
from analysis_core.rewrite.core.action import Action as Refactoring
from analysis_core.rewrite.core.action import Choice, Comparison, Refused, Rewritten, Site
from analysis_core.rewrite.core.unit import Unit
from analysis_core.rewrite.runs import Ran, compared
from analysis_core.support.facts import CauseKind
from analysis_core.text.records import dataclass

_METRICS = ("sectors", "conflicts", "divergences", "steps")
"""By which a refactoring is told, the first that changes first."""

_WEIGHTS = {"sectors": 2, "conflicts": 1, "divergences": 1}
"""Of a metric in the score: half a sector for a wavefront or a split, as the advisor has it."""

_COSTS = frozenset({"WC101", "WC102", "WC103", "WC104", "WC105", "WC201", "WC202", "WC301", "WC302"})
"""Rules about costs, which are compared by their bounds: all others are about what the program means."""

_UNREAD = frozenset({CauseKind.READER, CauseKind.UNSUPPORTED, CauseKind.MISSING})

_LONGEST = 80

_SIZE = 1 << 14
"""Elements of the data for which launches are compared that have other threads afterwards, where their grids follow the data."""

NO_CHOICE = Choice()


@dataclass(frozen=True, slots=True)
class Cost:
    """A metric before and after, in words and at representative sizes.  `scope`: "per warp" or "per launch"."""

    metric: str
    scope: str
    before: str
    after: str
    was: int
    becomes: int

    @property
    def text(self) -> str:
        return f"{self.metric} {self.before} -> {self.after} {self.scope}"


@dataclass(frozen=True, slots=True)
class Checked:
    """A refactoring that may be offered.  `equality`: why, and how surely, results stay the same."""

    action: Refactoring
    site: Site
    rewritten: Rewritten
    costs: tuple[Cost, ...]
    equality: str
    ran: Ran

    @property
    def title(self) -> str:
        """ "Transpose through a tile: sectors 36 -> 8 per warp (proved equal)"."""
        told = [cost for cost in self.costs if cost.before != cost.after][:2]
        figures = "; ".join(cost.text for cost in told) or "costs stay"
        return f"{self.rewritten.title}: {figures} ({self.equality})"

    @property
    def gain(self) -> float:
        """The part of the weighted cost that is saved at representative sizes, negative for a loss; of those that change nothing else by steps."""
        was, becomes = (
            sum(weight * value for name, weight in _WEIGHTS.items() for value in _values(self.costs, name, side))
            for side in (0, 1)
        )
        if was != becomes:
            return (was - becomes) / max(was, becomes)
        steps = next((cost for cost in self.costs if cost.metric == "steps"), None)
        if steps is None or not steps.was:
            return 0.0
        return (steps.was - steps.becomes) / max(steps.was, steps.becomes) / 1000


def _values(costs: Sequence[Cost], metric: str, side: int) -> Iterator[int]:
    return ((cost.was, cost.becomes)[side] for cost in costs if cost.metric == metric)


def checked(
    unit: Unit, action: Refactoring, site: Site, choice: Choice = NO_CHOICE, shapes: int = 3
) -> Checked | Refused:
    """Does what the action says, and checks it.  `shapes`: how many launches are run."""
    rewritten = action.rewrite(unit, site, choice)
    if isinstance(rewritten, Refused):
        return rewritten
    if (wrong := _misfit(unit, rewritten.edits)) is not None:
        return Refused(wrong)
    after = unit.edited(rewritten.edits)
    kernel = site.kernel.instantiation or site.kernel.name
    comparison = rewritten.comparison
    names = [[one.kernel for one in side] or [kernel] for side in (comparison.before, comparison.after)]
    before, becomes = (_reports(each, of) for each, of in zip((unit, after), names, strict=True))
    alike = [] if comparison.before else _alike(unit, site.kernel)
    sides = [(before, becomes), *((_reports(unit, [name]), _reports(after, [name])) for name in alike)]
    if (worse := next(filter(None, (_worse(*side) for side in sides)), None)) is not None:
        return Refused(worse)
    if (other := _elsewhere(unit, after, {name for side in (*names, alike) for name in side})) is not None:
        return Refused(f"`{other}` would be another kernel afterwards")
    runs = [compared(unit, after, name, comparison, shapes, rewritten.reorders) for name in (kernel, *alike)]
    ran = min(runs, key=lambda one: one.equal)
    if (different := next((one.different for one in runs if one.different), "")) != "":
        return Refused(f"a run leaves something else in memory: {different}")
    equal = _equality(unit, after, site, rewritten, ran)
    if equal is None:
        return Refused(f"nothing shows that results stay the same: {ran.nothing}")
    return Checked(action, site, rewritten, tuple(_costs(unit, after, before, becomes)), equal, ran)


def _alike(unit: Unit, kernel: Kernel) -> list[str]:
    """The other kernels that the same text makes: instantiations of one template."""
    every = (one.instantiation for one in unit.module.kernels if one.name_span == kernel.name_span)
    return [name for name in every if name is not None and name != kernel.instantiation]


def _misfit(unit: Unit, edits: Sequence[Edit]) -> str | None:
    """Why edits cannot be made together; None if they can."""
    spans = sorted(edit.span for edit in edits)
    if not spans:
        return "there is nothing to edit"
    if any(span.file != unit.file or span.end > len(unit.text) for span in spans):
        return "part of it stands in another file"
    if any(one.end > other.start for one, other in pairwise(spans)):
        return "its edits overlap"
    if unit.transcoded:
        return "the file is UTF-16, and not edited"
    return None


def _reports(unit: Unit, names: Sequence[str]) -> list[KernelReport]:
    return [one for name in names for one in unit.reports(name)]


# --- what must not become worse -------------------------------------------------------------------------------------


def _worse(before: Sequence[KernelReport], after: Sequence[KernelReport]) -> str | None:
    """What the analysis says of the kernels afterwards that it did not say before; None for nothing."""
    if not after or not all(one.launches for one in after):
        return "the edited text is not understood"
    if any(one.failure is not None for one in after):
        return "the edited kernel is not analysed"
    known = [(f.check, f.level.rank) for one in before for f in one.findings]
    for one in after:
        for finding in one.findings:
            if finding.check not in _COSTS and not any(
                code == finding.check and rank >= finding.level.rank for code, rank in known
            ):
                return f"the edited kernel would have a finding {finding.check}: {_clause(finding)}"
    reasons = {cause.reason for one in before for cause in one.unknowns}
    causes = (cause for one in after for cause in one.unknowns if cause.kind in _UNREAD)
    new = next((cause for cause in causes if cause.reason not in reasons), None)
    if new is not None:
        return f"part of the edited kernel is not understood: {new.reason}"
    had = {metric for one in before for metric in _bounded(one)}
    lost = sorted(had - {metric for one in after for metric in _bounded(one)}) if len(before) == len(after) else []
    return f"there would be no bound of {lost[0]} any more" if lost else None


def _elsewhere(unit: Unit, after: Unit, names: set[str]) -> str | None:
    """A kernel that the refactoring is not about, and that is another one afterwards: it shares what was edited.  None for none."""
    before, becomes = (
        {
            (kernel.name, kernel.instantiation): (dump(kernel, lambda span: ""), _launched(each, kernel))
            for kernel in each.module.kernels
            if not names & {kernel.name, kernel.instantiation}
        }
        for each in (unit, after)
    )
    return next((name for name, one in before if becomes.get((name, one)) != before[name, one]), None)


def _launched(unit: Unit, kernel: Kernel) -> tuple[object, ...]:
    """What tells its launches from others, but for where they stand."""
    shapes = [(one.block, one.grid, one.source) for one in unit.launches(kernel)]
    return shapes, [one.text for one in kernel.annotations.launches]


def _clause(finding: Finding) -> str:
    return finding.message.split("\n", 1)[0].rstrip(".")


def _bounded(kernel: KernelReport) -> set[str]:
    """Metrics that have a bound at all launches."""
    found = [
        {name for name, one in launch.facts.bounds.metrics.items() if one.per_warp.upper is not None}
        for launch in kernel.launches
        if launch.facts.bounds is not None
    ]
    return set.intersection(*found) if found else set()


# --- are results the same? ------------------------------------------------------------------------------------------


def _equality(unit: Unit, after: Unit, site: Site, rewritten: Rewritten, ran: Ran) -> str | None:
    rounding = " but for rounding" if rewritten.reorders else ""
    if rewritten.proof:
        return f"proved equal{rounding}"
    if rewritten.comparison == Comparison() and not _alike(unit, site.kernel):
        found = after.named(site.kernel.instantiation or site.kernel.name)
        if found is not None and all(_is_straight(each) for each in (site.kernel, found)):
            proof = equality(site.kernel, found)
            if proof.proved:
                return "proved equal but for rounding" if proof.rounding else "proved equal"
    return f"the same{rounding} in {ran.equal} runs" if ran.equal else None


def _is_straight(kernel: Kernel) -> bool:
    return not any(isinstance(stmt, Loop) for stmt in statements_of(kernel))


# --- costs ----------------------------------------------------------------------------------------------------------


def _costs(unit: Unit, after: Unit, before: Sequence[KernelReport], becomes: Sequence[KernelReport]) -> Iterator[Cost]:
    """Of the first launch of all kernels together: per warp, or per launch where that has other threads, or changes in another way (a branch that
    other warps split at)."""
    sides = [(unit, before), (after, becomes)]
    if not all(one.launches for _, side in sides for one in side):
        return
    same = len({_threads(each, one) for each, side in sides for one in side}) == 1
    sized = not same and any(_is_sized(side) for _, side in sides)
    for metric in _METRICS:
        warp, launch = (
            [
                one
                for one in (_figure(each, side, metric, scope, same, sized) for each, side in sides)
                if one is not None
            ]
            for scope in ("per warp", "per launch")
        )
        if len(launch) == 2 and (len(warp) < 2 or not same or _differently(warp, launch)):
            data = f" of {_SIZE:,} elements" if sized else ""
            yield Cost(metric, f"per launch{data}", launch[0][0], launch[1][0], launch[0][1], launch[1][1])
        elif len(warp) == 2 and same:
            yield Cost(metric, "per warp", warp[0][0], warp[1][0], warp[0][1], warp[1][1])


def _differently(warp: Sequence[tuple[str, int]], launch: Sequence[tuple[str, int]]) -> bool:
    """Whether all warps together change by another factor than the one that pays most, by a tenth or more."""
    (_, was), (_, becomes) = warp
    (_, all_was), (_, all_become) = launch
    return abs(was * all_become - becomes * all_was) * 10 > max(was * all_become, becomes * all_was)


def _threads(unit: Unit, kernel: KernelReport) -> tuple[object, ...]:
    """What tells whether the first launches of kernels have as many threads."""
    facts = kernel.launches[0].facts
    return facts.block, facts.grid, _grid(unit, kernel)


def _grid(unit: Unit, report: KernelReport) -> tuple[int, int, int] | None:
    """The blocks of the first launch for data of `_SIZE` elements; None where nothing says how many."""
    kernel = unit.named(report.instantiation or report.name)
    launches = () if kernel is None else unit.launches(kernel)
    if kernel is None or not launches or is_assumed(launches[0].source):
        return None
    at = run_at(Launched(kernel, launches[0]), _SIZE, evenly=False)
    return None if at is None else at[0]


def _is_sized(kernels: Sequence[KernelReport]) -> bool:
    """Whether the grid of a first launch is no constant."""
    return any(one.launches[0].facts.grid is None for one in kernels)


def _figure(
    unit: Unit, kernels: Sequence[KernelReport], metric: str, scope: str, same: bool, sized: bool
) -> tuple[str, int] | None:
    """A metric of kernels that are launched one after the other, in words and at representative sizes; None where one has no bound.  `same`: they have
    as many threads afterwards, so that the number of blocks may stand for itself; `sized`: a launch is told as a number, for `_SIZE` elements."""
    parts: list[Expression] = []
    exact, value, told = True, 0, ""
    for kernel in kernels:
        launch = kernel.launches[0]
        figures = figures_of(launch.facts, steps=True)
        figure = None if figures is None else figures.get(metric)
        if figures is None or figure is None:
            if _is_absent(launch, metric):
                continue
            return None
        amount = figure.warp if scope == "per warp" else figure.launch
        if amount.expression is None:
            return None
        sizes = dict(representative_sizes(launch.profile, unit.place.settings).values)
        grid = _grid(unit, kernel) if not same else None
        if sized and scope != "per warp":
            sizes |= {name: _SIZE for name in symbols(amount.expression) if name in kernel.parameters}
        sizes |= {} if grid is None else {f"gridDim.{axis}": extent for axis, extent in zip("xyz", grid, strict=True)}
        at = value_at(amount.expression, sizes)
        if at is None:
            return None
        value += at
        exact &= amount.exact
        parts.append(amount.expression)
        told = _spelled(Amount(add(*parts), exact), figures)
        if sized and scope != "per warp":
            told = f"{'' if exact else '<= '}{value:,}"
    return told or "0", value


def _is_absent(launch: LaunchReport, metric: str) -> bool:
    """Whether a kernel makes no request that such a metric counts."""
    bounds = launch.facts.bounds
    return bounds is not None and metric in bounds.metrics


def _spelled(amount: Amount, figures: Figures) -> str:
    if amount.expression is None:
        return "?"
    text = figures.spell(amount).short(amount.expression, _LONGEST)
    return text if amount.exact else f"<= {text}"
