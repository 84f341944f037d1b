"""Cost bounds of one kernel under one launch configuration, as data.

Let W be the cost of the most expensive warp of the launch.  `upper` bounds every warp of every block of every launch that
the assumptions allow; `worst_lower` bounds W from below; `min_lower` bounds every warp from below.  `exact`: upper and
worst_lower are equal for all values of the parameters, where some contents of memory reach them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from fractions import Fraction
from typing import TypeVar

from analysis_core.expressions.expression import Expression
from analysis_core.support.facts import Assumption
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

CAP = "//@ loop_bound 64"
"""The annotation that bounds a loop, as users write it; the number is there to be changed."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why there is no bound: the place that prevents it, and the annotation that would help, if one would."""

    text: str
    span: Span | None
    annotation: str | None = None


@dataclass(frozen=True, slots=True)
class BoundCase:
    """The first case whose condition holds applies.  `when`: conditions that all hold, as Python texts over safe names.
    `ideal`: as of the whole bound, where the case holds."""

    when: str
    upper: Expression | None
    worst_lower: Expression
    exact: bool
    ideal: Expression | None = None


@dataclass(frozen=True, slots=True)
class WarpBound:
    """Per warp.  `upper` None: no bound, `because` says why.  `method`: "closed form", "lp", or "" where there is none.

    `known`: where code was not understood, what all the rest pays at most: a figure that leaves out what `excluded` names, and no bound."""

    upper: Expression | None
    worst_lower: Expression
    min_lower: Expression
    exact: bool
    cases: tuple[BoundCase, ...] = ()
    because: Reason | None = None
    method: str = ""
    known: Expression | None = None
    excluded: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class SumBound:
    """Per block, or per launch: the sum over the warps, or over the blocks.  In `cases`, `worst_lower` is the lower sum."""

    upper: Expression | None
    lower: Expression
    exact: bool
    cases: tuple[BoundCase, ...] = ()


@dataclass(frozen=True, slots=True)
class LineCost:
    """What one place contributes to a metric: an upper expression per warp.  Places of one line are kept apart."""

    span: Span
    text: str
    cost: Expression


@dataclass(frozen=True, slots=True)
class MetricBound:
    """The bounds of one metric. `ideal`, for sectors and wavefronts: an upper bound of what the same requests would
    pay with the best pattern."""

    metric: str
    per_warp: WarpBound
    per_block: SumBound
    per_launch: SumBound
    places: tuple[LineCost, ...] = ()
    ideal: Expression | None = None

    def in_case(self, when: str, found: MetricBound) -> MetricBound:
        """The bound with one more case, in which it is what was found."""

        def sums(known: SumBound, case: SumBound) -> SumBound:
            return replace(known, cases=(*known.cases, BoundCase(when, case.upper, case.lower, case.exact)))

        warp = found.per_warp
        case = BoundCase(when, warp.upper, warp.worst_lower, warp.exact, found.ideal)
        return replace(
            self,
            per_warp=replace(self.per_warp, cases=(*self.per_warp.cases, case)),
            per_block=sums(self.per_block, found.per_block),
            per_launch=sums(self.per_launch, found.per_launch),
        )

    def without_upper(self, because: Reason) -> MetricBound:
        """The bound as one from below alone."""

        def below(known: SumBound) -> SumBound:
            return SumBound(None, known.lower, False)

        warp = replace(self.per_warp, upper=None, exact=False, cases=(), because=because, method="")
        return replace(
            self, per_warp=warp, per_block=below(self.per_block), per_launch=below(self.per_launch), ideal=None
        )

    def inexact(self) -> MetricBound:
        """The bound without the claim that it is reached: for kernels of which something was not understood."""
        return replace(
            self,
            per_warp=_unsure(self.per_warp),
            per_block=_unsure(self.per_block),
            per_launch=_unsure(self.per_launch),
        )


_Part = TypeVar("_Part", WarpBound, SumBound)


def _unsure(part: _Part) -> _Part:
    return replace(part, exact=False, cases=tuple(replace(case, exact=False) for case in part.cases))


@dataclass(frozen=True, slots=True)
class WorkSpan:
    """Of a block: `work` in steps, each an issue slot; `span` in cycles, of the slowest warps of all phases between barriers one after
    the other (machine/latencies.py); and `schedule` = work/P + span for P warps that can issue at a time (`processors`), in which a
    schedule ends that lets no slot idle while a warp could issue."""

    work: Expression | None
    span: Expression | None
    processors: Fraction
    schedule: Expression | None


@dataclass(frozen=True, slots=True)
class KernelBounds:
    """`metrics` by name.  `assumptions`: what the bounds rest on beyond what all facts of the kernel do.
    `solver_seconds`: spent in linear programs; not part of any result that is compared."""

    metrics: Mapping[str, MetricBound]
    work_span: WorkSpan | None = None
    assumptions: tuple[Assumption, ...] = ()
    solver_seconds: float = field(default=0.0, compare=False)
