"""The hover card of an access as Markdown, free of protocol types (branches: hover_branch.py).

The first line carries the answer; prose stays within 100 columns and code blocks within 72.  `<=` is an upper figure; a
bare number is exact.  `where` spells a place: the server makes links of it, tests plain text.
"""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.ir.types import Space
from analysis_core.profile.access_profile import AccessProfile, KernelProfile
from analysis_core.profile.shares import access_times, moved, weigh
from analysis_core.profile.sizes import at_sizes
from analysis_core.report.findings.model import LaunchReport
from analysis_core.report.findings.reasons import Where, assumes, sizes_passed, through, why, why_this_level, wrapped
from analysis_core.report.findings.wording import factor_text, sizes_text, times_words
from analysis_core.report.picture import picture_lines
from analysis_core.requests.facts import AccessFact, Certainty, ReadWrite
from analysis_core.support.settings import Settings

_VERBS: Mapping[ReadWrite, str] = {
    ReadWrite.READ: "load",
    ReadWrite.WRITE: "store",
    ReadWrite.BOTH: "load + store",
    ReadWrite.ATOMIC: "atomic",
}


def hover_access(access: AccessProfile, launch: LaunchReport, settings: Settings, where: Where) -> str:
    """The card of one access under one launch: cost, lanes, cases, share, reason, level, assumptions."""
    fact, profile = access.fact, launch.profile
    level = why_this_level(launch.asked_at(fact.span, fact.text))
    paragraphs = [_headline(fact)]
    picture = picture_lines(fact)
    if picture:
        paragraphs.append("\n".join(("```text", *picture, "```")))
    paragraphs.append(
        "\n".join(part for part in (_cases(fact), _passed(access, profile), _runs(access, profile, settings)) if part)
    )
    paragraphs.append("\n".join(part for part in (_why(fact, where), level, assumes(profile.facts, where)) if part))
    return "\n\n".join(part for part in paragraphs if part) + "\n"


def _cases(fact: AccessFact) -> str:
    """ "32 when `h >= 8` · fewer below · 4 when `h == 1`"; "4 when `w % 8 == 0` · at most 5 otherwise"."""
    sizes = fact.variation.sizes
    if sizes is not None:
        low = f"{sizes.least} when `{sizes.symbol} == {sizes.value}`"
        return wrapped([f"{sizes.worst} when `{sizes.symbol} >= {sizes.threshold}`", "fewer below", low])
    if not fact.cases:
        return ""
    return wrapped([*(f"{case.cost} when `{case.when}`" for case in fact.cases), f"at most {fact.worst} otherwise"])


def _passed(access: AccessProfile, profile: KernelProfile) -> str:
    """ "16 at `w` = 128, which launches pass": what findings speak of."""
    passed = access.merged
    if passed is None or not passed.traffic.seen or passed.fact.worst == access.fact.worst:
        return ""
    return wrapped([f"{passed.fact.worst} at {sizes_passed(passed, profile.ranges)}"])


def _headline(fact: AccessFact) -> str:
    tail = f"{_VERBS[fact.rw]}, {_lanes(fact)}{fact.bytes} bytes"
    if fact.space not in (Space.GLOBAL, Space.SHARED):
        return f"**{fact.space.value} memory: not counted** · {tail}"
    unit = "sector" if fact.space is Space.GLOBAL else "wavefront"
    plural = "s" if fact.worst != 1 else ""
    settled = fact.exact or fact.best == fact.worst or fact.variation.sizes is not None
    figure = str(fact.worst) if settled else f"<= {fact.worst}"
    over = f" (**{factor_text(fact.worst, fact.ideal)}**)" if fact.worst > fact.ideal else ""
    conflict = " · bank conflict" if fact.space is Space.SHARED and fact.worst > fact.ideal else ""
    if fact.variation.sized is not None:
        return f"**{sizes_text(fact.variation.sized, f'{unit}{plural} per request', '' if settled else 'up to ')}** · {tail}"
    ideal = (
        f"ideal {fact.ideal}{over}{conflict}" if not fact.why.unsized else "elements of a type that is not known here"
    )
    return f"**{figure} {unit}{plural} per request**, {ideal} · {tail}"


def _lanes(fact: AccessFact) -> str:
    if fact.picture is None:
        return ""
    active = sum(group is not None for group in fact.picture.group)
    return f"{active} lane{'s' if active != 1 else ''} x "


def _runs(access: AccessProfile, profile: KernelProfile, settings: Settings) -> str | None:
    """ "Runs once per warp · 89% of this kernel's global traffic (256 of 288 per block if h = w = 1024)"."""
    if access not in profile.accesses:
        return None
    fact = access.fact
    weights = weigh(profile, settings)
    place = profile.accesses.index(access)
    total = sum(c for a, c in zip(profile.accesses, weights.accesses, strict=True) if a.fact.space is fact.space)
    run = f"Runs {times_words(fact.times)}{'' if fact.times is None else ' per warp'}"
    if fact.requests > 1:
        run += f", {fact.requests} requests each"
    if fact.space not in (Space.GLOBAL, Space.SHARED) or total == 0:
        return run
    metric = moved(profile) if fact.space is Space.GLOBAL else "shared-memory traffic"
    detail = f"{round(weights.accesses[place])} of {round(total)} per block" + at_sizes(
        access_times(profile, access), weights.sizes
    )
    return wrapped([run, f"{round(100 * weights.access_shares[place])}% of this kernel's {metric} ({detail})"])


def _why(fact: AccessFact, where: Where) -> str:
    """What makes the lanes differ; a cause that the cases explain is left out."""
    lines = [why(fact.why.story, fact.why.origin, (fact.why.cause,), where)]
    if fact.why.because is not None and fact.why.cause is None and fact.certainty is Certainty.RANGED:
        lines.append(f"A range because {fact.why.because}")
    if fact.contention is not None and fact.contention > 1:
        lines.append(f"Contention: up to {fact.contention} lanes on one address take turns")
    lines.append(through(fact.via, where))
    return "\n".join(line for line in lines if line)
