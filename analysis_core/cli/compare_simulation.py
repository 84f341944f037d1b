"""Static bounds beside what a simulated launch observed, line by line: the analysis checked by an execution.

The analysis runs with the launch's block and grid and with parameters left open (but for `--set`), so its figures hold for
every size; the run shows one.  A row is `broken` if the run exceeds what the analysis promises: that is a bug of ours, or an
argument that breaks a listed assumption (a negative size, arrays that overlap, an offset that is not aligned).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from analysis_core.cli.render_text import place_text
from analysis_core.cli.terminal import printable
from analysis_core.cli.work import Task
from analysis_core.expressions.expression import Expression, evaluate, safe_name, symbols, to_text
from analysis_core.ir.nodes import Kernel
from analysis_core.ir.types import Space
from analysis_core.requests.facts import AccessFact, BranchFact, Divergence, KernelFacts
from analysis_core.simulate.arguments import LaunchRequest
from analysis_core.simulate.counts import AccessCount, BranchCount
from analysis_core.simulate.run import Outcome
from analysis_core.support.sources import Sources
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

Range = tuple[int, float, int]
"""Least, mean and most."""


@dataclass(frozen=True, slots=True)
class AccessRow:
    """One access, observed and analysed. `cost`: per request as observed, None if it was not executed; `times`: the
    most executions by one warp, beside the analysis' expression and its value for the launch (None where it has names
    that the launch does not give)."""

    span: Span
    text: str
    rw: str
    unit: str
    best: int
    worst: int
    ideal: int
    cost: Range | None
    times: int
    expression: str | None
    bound: int | None

    @property
    def broken(self) -> bool:
        """Whether the run exceeds what the analysis claims."""
        return (self.cost is not None and self.cost[2] > self.worst) or (
            self.bound is not None and self.times > self.bound
        )


@dataclass(frozen=True, slots=True)
class BranchRow:
    """One branch, observed and analysed: its class, and how many of the `executions` by warps split."""

    span: Span
    kind: str
    divergence: str
    executions: int
    splits: int

    @property
    def broken(self) -> bool:
        """Whether a warp split at a branch that never splits by the analysis."""
        return self.splits > 0 and self.divergence == Divergence.NEVER.value


@dataclass(frozen=True, slots=True)
class Comparison:
    accesses: tuple[AccessRow, ...]
    branches: tuple[BranchRow, ...]
    failure: str | None
    void: tuple[str, ...] = ()  # assumptions of the analysis that the run does not keep

    @property
    def broken(self) -> bool:
        """Whether the run exceeds a claim of the analysis although it keeps the assumptions, as far as it can tell."""
        return not self.void and self._exceeded

    @property
    def _exceeded(self) -> bool:
        return any(row.broken for row in self.accesses) or any(row.broken for row in self.branches)


def analysed(
    task: Task, kernel: Kernel, request: LaunchRequest
) -> tuple[KernelFacts | None, str | None, Mapping[str, int]]:
    """The kernel's facts for the launch's shapes (or why there are none), and the values of the names in them."""
    from analysis_core.pipeline.pipeline import analyse_file

    settings = replace(task.settings, block=request.block, grid=request.grid)
    name = kernel.instantiation or kernel.name
    report = analyse_file(task.path, task.files(), settings, kernel=name, units=task.units)
    found = next((k for k in report.kernels if (k.instantiation or k.name) == name), None)
    values = {key: int(value) for key, value in request.arguments.items() if isinstance(value, int)}
    values |= {f"gridDim.{axis}": extent for axis, extent in zip("xyz", request.grid)}
    if found is None or not found.launches:
        return None, (found.failure if found is not None else None) or "the kernel was not analysed", values
    return found.launches[0].facts, None, values


def compare(
    static: tuple[KernelFacts | None, str | None, Mapping[str, int]], outcome: Outcome, kernel: Kernel
) -> Comparison:
    """Joins facts and counts by access and by place."""
    facts, failure, values = static
    if facts is None:
        return Comparison((), (), failure)
    by_id = {access.id: access for access in outcome.accesses}
    accesses = [
        _access(fact, [by_id[i] for i in fact.ids if i in by_id], values)
        for fact in facts.accesses
        if fact.space in (Space.GLOBAL, Space.SHARED)
    ]
    by_place = {(branch.span, branch.kind): branch for branch in outcome.branches}
    # A function that is called twice has a fact for each call, and one count for both: the loudest class holds.
    loudest: dict[tuple[Span, str], BranchFact] = {}
    for fact in facts.branches:
        place = (fact.span, _word(fact))
        known = loudest.get(place)
        if known is None or _LOUDNESS.index(known.divergence) < _LOUDNESS.index(fact.divergence):
            loudest[place] = fact
    branches = [
        _branch(fact, by_place[place])
        for place, fact in loudest.items()
        if place in by_place and place[1] in ("if", "loop", "switch")
    ]
    return Comparison(tuple(accesses), tuple(branches), None, void_assumptions(facts, outcome))


def void_assumptions(facts: KernelFacts, outcome: Outcome) -> tuple[str, ...]:
    """The assumptions "does not wrap around" that the run has broken. The run must have been asked to note such
    updates."""
    texts = [a.text for a in facts.assumptions if "does not wrap around" in a.text]
    return tuple(text for text in texts if any(f"`{name}`" in text for name in outcome.wrapped))


_LOUDNESS = (Divergence.NEVER, Divergence.BOUNDARY, Divergence.POSSIBLE, Divergence.ALWAYS)


def _word(fact: BranchFact) -> str:
    """The kind as the simulator names it."""
    kind = fact.kind if isinstance(fact.kind, str) else fact.kind.value
    return "loop" if kind in ("for", "while", "do") else kind


def _access(fact: AccessFact, counts: list[AccessCount], values: Mapping[str, int]) -> AccessRow:
    counts = [count for count in counts if count.space is fact.space and count.requests.total]
    cost = None
    if counts:
        requests = sum(count.requests.total for count in counts)
        costs = [kind.cost for count in counts for kind in count.histogram]
        cost = (min(costs), sum(count.cost.total for count in counts) / requests, max(costs))
    times = max((count.requests.most for count in counts), default=0)
    bound = None if fact.times is None else _value(fact.times, values)
    text = None if fact.times is None else to_text(fact.times)
    unit = "sectors" if fact.space is Space.GLOBAL else "wavefronts"
    return AccessRow(
        fact.span, fact.text, fact.rw.value, unit, fact.best, fact.worst, fact.ideal, cost, times, text, bound
    )


def _value(times: Expression, values: Mapping[str, int]) -> int | None:
    names = symbols(times)
    known = {**{safe_name(name): value for name, value in values.items()}, **values}
    if not names <= set(known):
        return None
    try:
        return evaluate(times, known)
    except ZeroDivisionError:
        return None  # a step of 0, which the analysis assumes not to be given


def _branch(fact: BranchFact, count: BranchCount) -> BranchRow:
    return BranchRow(fact.span, count.kind, fact.divergence.value, count.executions.total, count.divergences.total)


def comparison_lines(compared: Comparison, sources: Sources) -> Iterator[str]:
    """The comparison as text."""
    yield ""
    if compared.failure is not None:
        yield f"no comparison: {printable(compared.failure)}"
        return
    for text in compared.void:
        yield f"this run does not keep an assumption of the analysis, whose figures need not hold: {printable(text)}"
    yield "analysis (best to worst per request, ideal) | observed (least, mean, most) | executions of a warp"
    for row in compared.accesses:
        seen = "never executed" if row.cost is None else f"{row.cost[0]}, {row.cost[1]:.2f}, {row.cost[2]}"
        times = "?" if row.expression is None else row.expression
        times += f" = {row.bound}" if row.bound is not None and str(row.bound) != times else ""
        yield (
            f"{place_text(row.span, sources)}: {row.rw} {printable(row.text)}: {row.best} to {row.worst} {row.unit},"
            f" ideal {row.ideal} | {seen} | at most {times}, observed {row.times}{_mark(row.broken)}"
        )
    for branch in compared.branches:
        yield (
            f"{place_text(branch.span, sources)}: {branch.kind}: {branch.divergence} |"
            f" {branch.splits} of {branch.executions} executions split{_mark(branch.broken)}"
        )


def _mark(broken: bool) -> str:
    return "  BROKEN" if broken else ""


def comparison_json(compared: Comparison, sources: Sources) -> dict[str, Any]:
    """The comparison as plain data."""
    return {
        "failure": compared.failure,
        "void": list(compared.void),
        "accesses": [
            {
                "line": sources.line(row.span),
                "text": row.text,
                "rw": row.rw,
                "best": row.best,
                "worst": row.worst,
                "ideal": row.ideal,
                "observed": None if row.cost is None else dict(zip(("least", "mean", "most"), row.cost)),
                "times": {"expression": row.expression, "value": row.bound, "observed": row.times},
                "broken": row.broken,
            }
            for row in compared.accesses
        ],
        "branches": [
            {
                "line": sources.line(row.span),
                "kind": row.kind,
                "divergence": row.divergence,
                "executions": row.executions,
                "splits": row.splits,
                "broken": row.broken,
            }
            for row in compared.branches
        ],
    }
