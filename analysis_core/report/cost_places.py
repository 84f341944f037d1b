"""Where a kernel's cost goes: its places by share, with what a reader can do about each.

    1. line 42 `tile[threadIdx.x][threadIdx.y + j]`: 32-way conflict x 4 · 100% of conflicts
    2. line 36 `in[(y + j)*w + x]`: 4 sectors x 4 · 50% of sectors, already ideal

Shares are taken at representative sizes; without bounds, from the accesses themselves.  Of each metric the greatest place is
listed, and further ones that pay more than they must.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from analysis_core.expressions.expression import Expression, constant, scale, symbols
from analysis_core.expressions.expression_people import Spelling
from analysis_core.expressions.metric import Metric
from analysis_core.ir.types import Space
from analysis_core.profile.access_profile import AccessProfile, BranchProfile, KernelProfile
from analysis_core.profile.line_shares import line_shares
from analysis_core.profile.shares import request_cost, weigh
from analysis_core.profile.sizes import Sizes, representative_sizes
from analysis_core.report.findings.figures import LABELS, SHOWN
from analysis_core.report.findings.model import Finding
from analysis_core.report.findings.wording import LONGEST_EXPRESSION
from analysis_core.support.derived import derived
from analysis_core.support.settings import Settings
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

MOST = 5
"""Places listed."""

_STEPS = Metric.STEPS.value

LEAST_SHARE = 0.1
"""Of the places after the greatest, those below are not worth a line."""


@dataclass(frozen=True, slots=True)
class CostPlace:
    """One place of one metric: `what` it does there ("32-way conflict x 4"), and whether it pays more than it must
    (`lost`).  `fix`: the title of a fix, if there is one; `sizes`: names of the sizes that its cost depends on."""

    metric: str
    span: Span
    text: str
    what: str
    share: float
    lost: bool
    fix: str | None = None
    sizes: frozenset[str] = frozenset()

    def share_text(self) -> str:
        """ "100% of conflicts", "50% of sectors, already ideal"."""
        label = LABELS.get(self.metric, self.metric)
        ideal = ", already ideal" if self.metric == "sectors" and not self.lost else ""
        return f"{round(100 * self.share)}% of {label}{ideal}"


def cost_places(
    profile: KernelProfile, settings: Settings, findings: tuple[Finding, ...] = (), steps: bool = False
) -> tuple[CostPlace, ...]:
    """The places to show, greatest share first; what is lost before what is not.  `steps`: where these go, too."""
    sizes = representative_sizes(profile, settings)
    found: list[CostPlace] = []
    for metric in (*SHOWN, *((_STEPS,) if steps else ())):
        listed = [p for p in _of_metric(profile, metric, sizes, settings) if p.what]
        found += listed[:1]
        found += [place for place in listed[1:] if place.lost and place.share >= LEAST_SHARE]
    fixes = {finding.span: finding.fixes[0].title for finding in findings if finding.fixes}
    found = [replace(place, fix=fixes.get(place.span)) for place in found]
    return tuple(sorted(found, key=lambda p: (-round(p.share, 3), not p.lost, p.span.file, p.span.start)))[:MOST]


def worst_place(profile: KernelProfile, settings: Settings) -> CostPlace | None:
    """The place to look at first: of those that pay more than they must, the one with the greatest share."""
    return next((place for place in cost_places(profile, settings) if place.lost), None)


def _of_metric(profile: KernelProfile, metric: str, sizes: Sizes, settings: Settings) -> Iterator[CostPlace]:
    """The places of a metric by the bounds; without bounds those of the profile."""
    if profile.facts.bounds is None:
        if metric == _STEPS:
            return
        yield from _without_bounds(profile, metric, settings)
        return
    for line in line_shares(profile.facts.bounds, metric, sizes.values):
        span, text = line.place.span, line.place.text
        what, lost = f"{line.cost} {LABELS.get(metric, metric)}", metric not in ("sectors", _STEPS)
        if metric == "divergences":
            branch = next((b for b in profile.branches if b.fact.span == span), None)
            if branch is not None:
                what, lost, text = (
                    _splits(branch, profile),
                    branch.fact.divergence.value != "boundary",
                    branch.fact.spelled.text or text,
                )
        elif (access := _access_at(profile, span, text)) is not None:
            what, lost = _request(access, sizes, profile)
        yield CostPlace(metric, span, text, what, line.share, lost, None, symbols(line.place.cost))


def _without_bounds(profile: KernelProfile, metric: str, settings: Settings) -> list[CostPlace]:
    weights = weigh(profile, settings)
    found: list[CostPlace] = []
    if metric == "divergences":
        for branch, share in zip(profile.branches, weights.branch_shares, strict=True):
            if share > 0 and branch.fact.divergence.value in ("possible", "always"):
                what, sizes = _splits(branch, profile), _sizes(branch.fact.times)
                found.append(
                    CostPlace(metric, branch.fact.span, branch.fact.spelled.text, what, share, True, None, sizes)
                )
    else:
        space = Space.GLOBAL if metric == "sectors" else Space.SHARED
        here = [a for a in profile.accesses if a.fact.space is space]
        costs = {id(a): cost for a, cost in zip(profile.accesses, weights.accesses, strict=True)}
        excess = {id(a): costs[id(a)] * (a.fact.worst - a.fact.ideal) / max(1, a.fact.worst) for a in here}
        total = sum(costs[id(a)] if metric == "sectors" else excess[id(a)] for a in here)
        for access in here:
            part = costs[id(access)] if metric == "sectors" else excess[id(access)]
            if part > 0:
                what, lost = _request(access, weights.sizes, profile)
                sizes = _sizes(access.fact.times)
                found.append(
                    CostPlace(metric, access.fact.span, access.fact.text, what, part / total, lost, None, sizes)
                )
    return sorted(found, key=lambda place: (-place.share, place.span.file, place.span.start))


def _sizes(times: Expression | None) -> frozenset[str]:
    return frozenset() if times is None else symbols(times)


def _access_at(profile: KernelProfile, span: Span, text: str) -> AccessProfile | None:
    """The worst access of a place."""
    return _worst_accesses(profile).get((span, text))


@derived
def _worst_accesses(profile: KernelProfile) -> Mapping[tuple[Span, str], AccessProfile]:
    worst: dict[tuple[Span, str], AccessProfile] = {}
    for access in profile.accesses:
        known = worst.setdefault((access.fact.span, access.fact.text), access)
        if access.fact.worst > known.fact.worst:
            worst[access.fact.span, access.fact.text] = access
    return worst


def _request(access: AccessProfile, sizes: Sizes, profile: KernelProfile) -> tuple[str, bool]:
    """ "32-way conflict x 4", "4 sectors x 4", and whether that is more than the ideal."""
    cost = request_cost(access, sizes)
    lost = cost > access.fact.ideal
    if access.fact.space is Space.SHARED:
        what = f"{cost}-way conflict" if access.fact.ideal == 1 else f"{cost} wavefronts, ideal {access.fact.ideal},"
    else:
        what = f"{cost} sector{'s' * (cost != 1)}" + (f", ideal {access.fact.ideal}," if lost else "")
    runs = _runs(None if access.fact.times is None else scale(access.fact.requests, access.fact.times), profile)
    return (what + runs) if runs else what.rstrip(","), lost


def _splits(branch: BranchProfile, profile: KernelProfile) -> str:
    """ "splits a warp x 4"."""
    return "splits a warp" + _runs(branch.fact.splits.upper, profile)


def _runs(times: Expression | None, profile: KernelProfile) -> str:
    """ " x 4", " x ceil(n/256)", "" for once."""
    if times is None:
        return " an unknown number of times"
    number = constant(times)
    if number is not None:
        return f" x {number}" if number not in (0, 1) else ""
    text = Spelling(tuple(info.source for info in profile.facts.symbols)).text(times)
    return f" x {text}" if len(text) <= LONGEST_EXPRESSION // 2 else " in loops"
