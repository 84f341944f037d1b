"""What there is to gain in a kernel: its places by what could be saved there, then by what they cost.

    1. line 42 `tile[threadIdx.x][threadIdx.y + j]`: 32-way conflict x 4 · about 60% of the work
    2. line 36 `in[(y + j)*w + x]`: 4 sectors x 4 · 50% of sectors, already ideal

What is saved is a part of the kernel's work (`profile/work.py`), so that sectors, conflicts and splits are weighed against each other; shares
of a metric are those of the bounds at representative sizes, without bounds of the accesses themselves.  The places of findings are always
listed, all that belongs to one finding as one.  A place without a finding is listed where there is as much to gain, with the reason why it is
not reported; of the others, which are ideal, the greatest of each metric,
or, where nothing is lost at all, those that cost most.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from analysis_core.expressions.expression import Expression, constant, scale, symbols
from analysis_core.expressions.expression_people import Spelling
from analysis_core.expressions.metric import Metric
from analysis_core.ir.types import Space
from analysis_core.profile.access_profile import AccessProfile, BranchProfile, KernelProfile
from analysis_core.profile.line_shares import line_shares
from analysis_core.profile.shares import request_cost, weigh
from analysis_core.profile.sizes import Sizes, representative_sizes
from analysis_core.profile.work import FELT_LOUD
from analysis_core.report.findings.figures import SHOWN, unspoken_ideal
from analysis_core.report.findings.model import Asked, CheckId, Finding, KernelReport, LaunchReport, Level
from analysis_core.report.findings.wording import LONGEST_EXPRESSION
from analysis_core.support.derived import derived
from analysis_core.support.settings import Settings
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

MOST = 5
"""Places listed; of findings all."""

WORK = "Work: an estimate of all that the warps of a block do, instructions and requests by what they cost."
OF_WORK = "of the work"
"""What shares of the work are shares of, said once on a card that has any."""

_STEPS = Metric.STEPS.value

_METRICS: Mapping[str, str] = {"WC1": "sectors", "WC2": "conflicts", "WC3": "divergences"}
"""What a rule's losses are counted in, by how its code begins."""

_TOTALS: Mapping[str, str] = {
    "sectors": "global traffic",
    "conflicts": "shared-memory traffic",
    "divergences": "the work",
}
"""What the share of a finding is a part of."""

_SMALL = frozenset({"little gain", "small share", "little loss"})
"""Gates that say no more than how little there is to gain."""

_NOTHING = frozenset({"spared", "handed out", "less as launched"})
"""Gates that say that what is paid too much is of use to others, or is not paid."""


@dataclass(frozen=True, slots=True)
class CostPlace:
    """One place of one metric: `what` it does there ("32-way conflict x 4").  `share`: of the metric (0 to 1); `gain`: the part of the kernel's
    work (0 to 1) that is lost there, 0 where that is not known; `lost`: whether it pays more than it must.  `code`: the rule that reports it,
    None where none does; `unreported`: why none does though something is lost, as a phrase.  `others`: how many places are told with it.  `fix`:
    the title of a fix, if there is one; `sizes`: names of the sizes that its cost depends on."""

    metric: str
    span: Span
    text: str
    what: str
    share: float
    lost: bool
    fix: str | None = None
    sizes: frozenset[str] = frozenset()
    gain: float = 0.0
    code: CheckId | None = None
    unreported: str = ""
    others: int = 0

    def share_texts(self) -> tuple[str, ...]:
        """("47% of shared-memory traffic", "the ideal saves about 19% of the work"); ("50% of sectors, already ideal",).  The share of a finding is the one that
        its message says."""
        if self.metric == "divergences" and self.gain >= 0.005:
            return (f"costs about {self.gain:.0%} of the work",)
        saved = (f"the ideal saves about {self.gain:.0%} of the work",) if self.gain >= 0.005 else ()
        if self.code is not None:
            return (f"{round(100 * self.share)}% of {_TOTALS.get(self.metric, self.metric)}", *saved)
        ideal = ", already ideal" if self.metric == "sectors" and not self.lost else ""
        return saved or (f"{self.share:.0%} of {self.metric}{ideal}",)

    @property
    def order(self) -> tuple[float, float, str, int]:
        """What there is to gain, then what it costs, then where it stands."""
        return (-round(self.gain, 3), -round(self.share, 3), self.span.file, self.span.start)


@dataclass(frozen=True, slots=True)
class Unreported:
    """Losses of a metric of which none is worth a line: `gain`, the part of the kernel's work (0 to 1) that they are together, and why the
    greatest, at `span`, is not reported ("" where it is only that there is little to gain)."""

    metric: str
    gain: float
    span: Span
    reason: str


def cost_places(
    kernel: KernelReport, launch: LaunchReport, settings: Settings, steps: bool = False
) -> tuple[CostPlace, ...]:
    """The places to show of a kernel's launch, most to gain first.  `steps`: where these go, too."""
    sizes = representative_sizes(launch.profile, settings)
    found = [one for one in kernel.findings if one.share is not None and _metric_of(one.check)]
    told = {span for one in kernel.findings for span in (one.span, *one.fellows)}
    told |= {one.span for one in launch.asked if one.level is not None}
    about = {one.span for one in launch.asked}
    silent = _by_place(_silent(kernel, launch))
    listed: list[CostPlace] = []
    rest: list[CostPlace] = []
    ideal: list[CostPlace] = []
    for metric in (*SHOWN, *((_STEPS,) if steps else ())):
        places = [place for place in _of_metric(launch.profile, metric, sizes, settings) if place.what]
        listed += [_of_finding(one, launch, places, sizes) for one in found if _metric_of(one.check) == metric]
        for number, place in enumerate(places):
            asked = silent.get((metric, place.span, place.text))
            if asked:
                gain, reason = min(1.0, sum(one.gain for one in asked)), _reason(asked[0]) or "little to gain"
                rest += [replace(place, gain=gain, unreported=reason)] if gain >= FELT_LOUD else []
            elif place.span not in (told if unspoken_ideal(metric) is None else told | about):
                # Where the ideal is none, a place of which rules say that nothing is lost there is not worth a line.
                (ideal if number else rest).append(place)
    if not any(place.lost for place in (*listed, *rest)):
        rest += ideal
    rest = sorted(rest, key=lambda place: place.order)[: max(0, MOST - len(listed))]
    return tuple(sorted((*listed, *rest), key=lambda place: place.order))


def most_to_gain(kernel: KernelReport, launch: LaunchReport, settings: Settings) -> CostPlace | None:
    """The place to look at first: of those that are reported the one with most to gain."""
    return next((place for place in cost_places(kernel, launch, settings) if place.code is not None), None)


def unreported(kernel: KernelReport, launch: LaunchReport, listed: Collection[CostPlace]) -> tuple[Unreported, ...]:
    """What is lost of metrics of which no place is listed that loses something, and why that is not reported."""
    shown = {place.metric for place in listed if place.gain or place.code is not None}
    found: list[Unreported] = []
    silent = _silent(kernel, launch)
    for metric in SHOWN:
        asked = [one for one in silent if _metric_of(one.code) == metric]
        if asked and metric not in shown:
            gain = min(1.0, sum(one.gain for one in asked))
            found.append(Unreported(metric, gain, asked[0].span, _reason(asked[0])))
    return tuple(found)


def _metric_of(code: CheckId) -> str | None:
    return _METRICS.get(code[:3])


def _silent(kernel: KernelReport, launch: LaunchReport) -> Sequence[Asked]:
    """Where something is lost that is not reported, or as a hint that nobody asked for, the greatest first.  What a comment silences, or what
    is told at another line of its statement, is left out."""
    shown = {one.span for one in kernel.findings}
    hints = {one.span for one in launch.findings if one.level is Level.HINT} - shown
    asked = (
        one
        for one in launch.asked
        if one.gain > 0
        and (one.level is None or (one.along or one.span) in hints)
        and one.span not in shown
        and not any(reason.gate in _NOTHING for reason in one.reasons)
    )
    return sorted(asked, key=lambda one: (-one.gain, one.span.file, one.span.start))


def _by_place(asked: Iterable[Asked]) -> Mapping[tuple[str, Span, str], list[Asked]]:
    found: dict[tuple[str, Span, str], list[Asked]] = {}
    for one in asked:
        found.setdefault((_metric_of(one.code) or "", one.span, one.text), []).append(one)
    return found


def _reason(one: Asked) -> str:
    """Why it is not reported, "" where only because there is little to gain."""
    last = one.reasons[-1] if one.reasons else None
    return "" if last is None or last.gate in _SMALL else last.text


def _of_finding(finding: Finding, launch: LaunchReport, places: Sequence[CostPlace], sizes: Sizes) -> CostPlace:
    """The place of a finding: what is known of it under this launch, with all that is told there."""
    metric = _metric_of(finding.check) or ""
    place = next((one for one in places if one.span == finding.span), None)
    if place is None:
        what, often = _what(finding.span, launch.profile, sizes)
        place = CostPlace(metric, finding.span, finding.subject, what, finding.share or 0.0, True, None, often)
    gain = _gain_of(finding, launch)
    others = len({span for span in finding.fellows if span != finding.span})
    fix = finding.fixes[0].title if finding.fixes else None
    return replace(place, lost=True, share=finding.share or 0.0, gain=gain, code=finding.check, others=others, fix=fix)


def _gain_of(finding: Finding, launch: LaunchReport) -> float:
    """The part of the kernel's work (0 to 1) that is lost at a finding, with all that is told there."""
    mine = (o for o in launch.asked if o.code == finding.check and finding.span in (o.span, o.along))
    return min(1.0, sum(one.gain for one in mine))


def by_gain(kernel: KernelReport) -> tuple[Finding, ...]:
    """The findings of a kernel: errors first, then by what could be saved under any launch, then by what they cost; what has no cost last."""

    def order(finding: Finding) -> tuple[bool, float, float]:
        gain = max((_gain_of(finding, launch) for launch in kernel.launches), default=0.0)
        return finding.level is not Level.ERROR, -gain, 1.0 if finding.share is None else -finding.share

    return tuple(sorted(kernel.findings, key=order))


def once(places: Iterable[CostPlace], where: Callable[[Span], str]) -> Iterator[CostPlace]:
    """The places, those that read the same (the arms of one `?:`) as one that costs what they cost together."""
    rows: dict[tuple[str, ...], list[CostPlace]] = {}
    for place in places:
        key = (where(place.span), place.metric, place.text, place.what, place.code or "", place.unreported)
        rows.setdefault(key, []).append(place)
    for first, *more in rows.values():
        share, gain = (min(1.0, sum(costs)) for costs in zip(*((one.share, one.gain) for one in (first, *more))))
        yield replace(first, share=share, gain=gain)


def _what(span: Span, profile: KernelProfile, sizes: Sizes) -> tuple[str, frozenset[str]]:
    """What an access or a branch does that bounds do not name, and the sizes that it depends on."""
    here = [access for access in profile.accesses if access.fact.span == span]
    if here:
        worst = max(here, key=lambda access: access.fact.worst)
        return _request(worst, sizes, profile)[0], _sizes(worst.fact.times)
    branch = next((one for one in profile.branches if one.fact.span == span), None)
    return ("", frozenset()) if branch is None else (_splits(branch, profile), _sizes(branch.fact.times))


def _of_metric(profile: KernelProfile, metric: str, sizes: Sizes, settings: Settings) -> Iterator[CostPlace]:
    """The places of a metric by the bounds; without bounds those of the profile."""
    if profile.facts.bounds is None:
        if metric == _STEPS:
            return
        yield from _without_bounds(profile, metric, settings)
        return
    for line in line_shares(profile.facts.bounds, metric, sizes.values):
        span, text = line.place.span, line.place.text
        what, lost = f"{line.cost} {metric}", metric not in ("sectors", _STEPS)
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
    """ "diverges x 4"."""
    return "diverges" + _runs(branch.fact.splits.upper, profile)


def _runs(times: Expression | None, profile: KernelProfile) -> str:
    """ " x 4", " x ceil(n/256)", "" for once."""
    if times is None:
        return " an unknown number of times"
    number = constant(times)
    if number is not None:
        return f" x {number}" if number not in (0, 1) else ""
    text = Spelling(tuple(info.source for info in profile.facts.symbols)).text(times)
    return f" x {text}" if len(text) <= LONGEST_EXPRESSION // 2 else " in loops"
