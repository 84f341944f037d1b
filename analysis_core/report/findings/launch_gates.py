"""What findings are worth to a program that launches the kernel as it does.  The quietest of these gates decides: findings with a share are

  - none, where every launch is of one block that does nothing often, but for a loop that repeats all of it to be measured (profile/repeats.py): it takes no longer
    than any launch takes;
  - hints, where the program launches other kernels as well and each launch of this one once, of no more warps than one multiprocessor runs at once, which do nothing
    often: no longer than any launch takes (who tries a kernel out alone is told);
  - information, where every launch is over the first of many parts, of which a loop takes the others (program/first_parts.py), and a thread does nothing often;
  - information, where the program is run with hardly any warps (program/host/run_arguments.py, or what callers pass);
  - hints, which say so, where a constant condition of the host leaves out every launch;
  - hints, where every launch is made once, beside a loop of launches of other kernels (program/launch_rounds.py);
  - information, where every launch is made so in each round of a loop around both, and hints, where a thread does
    nothing more often than inner loops have rounds at least;
  - hints, where every launch is made once, beside a loop of launches of other kernels that are over so many more threads (program/outnumbered.py) that
    what threads do a constant number of times each is little beside them;
  - hints, where every launch is lesser than others beside it (program/launch_extents.py) and a thread does nothing often, or so little
    that all of them together do far less than the others have threads, or there are few of them wherever it is launched: a few warps wait for memory, not for each other, so that what a request takes longer is not what the launch takes;
  - hints, which say so, where hardly any of the launched warps has anything to do (idle_warps.py);
  - hints, which say so, where every launch is made only to verify something (program/verifying.py);
  - hints, where the host makes this launch for unusual sizes only, and they say so: other launches are what a warning would be about.

Of the findings that were judged by hand in public code, one of ten that these gates let through as information was worth reading.

An access that a thread of a lesser launch makes a constant number of times is no warning either (`is_of_boundary`), and a hint if it makes it
a few times in launches of which others have far more threads still (`is_unnoticed`), whatever else it does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import prod

from analysis_core.expressions.expression import Expression, constant, symbols
from analysis_core.ir.launch_site import LaunchSite, is_assumed, made_launches
from analysis_core.ir.types import Space
from analysis_core.machine.sizes import WARP
from analysis_core.profile.access_profile import AccessProfile, BranchProfile
from analysis_core.profile.idle_warps import SAMPLES, busiest_part, most_done
from analysis_core.profile.kernel_context import Context
from analysis_core.profile.sizes import symbol_infos
from analysis_core.program.launch_extents import FAR_MORE, FEW_WARPS
from analysis_core.report.findings.model import Finding, Level
from analysis_core.report.findings.wording import joined
from analysis_core.text.span import Span

NEVER = "every launch is left out by a constant condition"

_FEW = 64
"""Executions by a warp that take less time than a launch."""

_ONCE = 8
"""Executions by a warp up to which a thread of a boundary does what it does for its one place."""

_SMALL_RUN = 8
"""Warps whose requests of 32 sectors each a multiprocessor takes in while it waits for the first."""

_HARDLY = 1 / 8
"""Executions of what is done most often, by all warps together and for each that is launched, beside which launching them is what takes time."""

_NOTHING = 256
"""Times as many threads, beside which a launch is nothing."""


def as_launched(context: Context, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings, as loud as launches let them be."""
    sites, found = made_launches(context.kernel.launches), tuple(findings)
    if _is_soon_done(context, sites):
        return tuple(finding for finding in found if finding.share is None)
    if _is_brief(context, sites):
        found = tuple(_at_most(Level.HINT, finding) for finding in found)
    if _is_run_small(sites) or (_is_first(sites) and _does_little(context, _FEW)):
        found = tuple(_at_most(Level.INFORMATION, finding) for finding in found)
    if context.kernel.launches and not sites:
        found = tuple(_said_to_be_minor(finding, NEVER) for finding in found)
    single = bool(sites) and all(site.profile.single for site in sites)
    in_turn = bool(sites) and all(site.profile.single or site.profile.in_turn for site in sites)
    if in_turn:
        found = tuple(_at_most(Level.INFORMATION, finding) for finding in found)
    minor = (in_turn and _does_little(context, _FEW)) or (_are_lesser(sites) and _is_minor(context, sites))
    if single or minor or _is_outnumbered(context, sites):
        found = tuple(_at_most(Level.HINT, finding) for finding in found)
    if (idle := _idle(context, sites, found)) is not None:
        found = tuple(_said_to_be_minor(finding, idle) for finding in found)
    if any(site.profile.lesser for site in sites) and _are_few_warps(sites):
        found = tuple(_at_most(Level.HINT, finding) if finding.worst else finding for finding in found)
    if sites and all(site.profile.verifies for site in sites):
        said = f"launched only to verify (`{sites[0].profile.verifies}`)"
        found = tuple(_said_to_be_minor(finding, said) for finding in found)
    where = _rare(context)
    return tuple(_said_to_be_minor(finding, f"only where {where}") for finding in found) if where else found


def _is_first(sites: Sequence[LaunchSite]) -> bool:
    return bool(sites) and all(site.profile.first for site in sites)


def is_of_boundary(context: Context, access: AccessProfile) -> bool:
    """Whether every launch is lesser than others beside it, and a thread makes the access a constant number of times: rows of a boundary,
    of which the program notices little."""
    once = access.fact.times is not None and constant(access.fact.times) is not None
    return once and _are_lesser(made_launches(context.kernel.launches))


def is_begin_of_rows(context: Context, access: AccessProfile) -> bool:
    """Whether a kernel goes over nothing but one end of each row, where another is handed the same arrays and sizes beside each of its launches:
    a boundary of what that goes over."""
    sites = made_launches(context.kernel.launches)
    if not access.traffic.row_begin or not sites or not all(site.profile.alike for site in sites):
        return False
    others = (
        one for one in context.profile.accesses if one.fact.space is Space.GLOBAL and one.fact.worst > one.fact.ideal
    )
    return all(one.traffic.row_begin or one.traffic.row_end for one in others)


def is_unnoticed(context: Context, access: AccessProfile) -> bool:
    """Whether every launch has so many times fewer threads than others beside it that what one does a few times is nothing beside them."""
    sites = made_launches(context.kernel.launches)
    if not sites or any(site.profile.lesser < _NOTHING for site in sites):
        return False
    return context.weights.sizes.executions(access.fact.times, context.settings) <= _ONCE


def _are_lesser(sites: Sequence[LaunchSite]) -> bool:
    return bool(sites) and all(site.profile.lesser for site in sites)


def _is_soon_done(context: Context, sites: Sequence[LaunchSite]) -> bool:
    """Whether every launch in view is of one block, nobody knows of how many threads, which does nothing often: no longer than any launch
    takes, whatever the lanes do."""
    if not is_assumed(context.facts.source) or not sites or any(site.grid != (1, 1, 1) for site in sites):
        return False
    return _most_executions(context, _repeated(context)) <= _FEW


def _repeated(context: Context) -> Mapping[Span, int]:
    """How often loops that repeat what they do go round, by their statements."""
    loops, sizes, settings = context.profile.repeats, context.weights.sizes, context.settings
    tests = (test for test in context.profile.branches if test.fact.span in loops and test.fact.whole is not None)
    return {
        test.fact.whole: max(1, sizes.executions(test.fact.times, settings) - 1)
        for test in tests
        if test.fact.whole is not None
    }


def _idle(context: Context, sites: Sequence[LaunchSite], findings: Iterable[Finding]) -> str | None:
    """What there is to say of a launch that takes longer than what all its warps together do; asked where something is told."""
    told = any(finding.share is not None and finding.level.rank > Level.HINT.rank for finding in findings)
    if not told or not sites or any(site.profile.elsewhere for site in sites):
        return None
    if most_done(context.profile, context.settings) > SAMPLES * _HARDLY:
        return None  # However few warps come: at least one of those that are followed is taken to.
    often, part = busiest_part(context.kernel, context.profile, context.settings)
    if not 0 < part <= often <= _HARDLY:
        return None
    return f"at most one of {int(1 / part)} warps that are launched has anything to do"


def _is_brief(context: Context, sites: Sequence[LaunchSite]) -> bool:
    """Whether a program with other kernels makes each launch once, of no more warps than one multiprocessor runs at once, which do nothing often."""
    return all(site.profile.beside_main for site in sites) and _are_few_warps(sites, WARP) and _does_little(context)


def _is_run_small(sites: Sequence[LaunchSite]) -> bool:
    """Whether the program is run so that every launch has hardly any warps, though others of its runs may have more: their requests wait for
    memory longer than for each other.  (Where the text of a launch says so, somebody tries the kernel out.)"""
    return _are_few_warps(sites, _SMALL_RUN) and all(None in site.grid or site.block is None for site in sites)


def _is_minor(context: Context, sites: Sequence[LaunchSite]) -> bool:
    """Whether the threads of lesser launches do nothing often, or together far less than others have threads.  (Not where a size or its
    number says how often: the same may be what makes the others larger, and is taken for some number there, whatever launches pass.)"""
    if _does_little(context):
        return True
    infos = symbol_infos(context.facts)
    known = [times for times in _counts(context) if times is not None]
    names = frozenset[str]().union(*map(symbols, known))
    if any(name not in infos or infos[name].kind != "trip" for name in names):
        return False
    if any((number := constant(times)) is not None and number > _FEW for times in known):
        return False
    return FAR_MORE * _most_executions(context) <= min(site.profile.lesser for site in sites)


def _is_outnumbered(context: Context, sites: Sequence[LaunchSite]) -> bool:
    """Whether every launch is made once beside a loop whose launches have far more threads than this one does things, each a constant number of times."""
    least = min((site.profile.outnumbered for site in sites), default=0)
    return least > 0 and _does_little(context, least // FAR_MORE)


def _most_executions(context: Context, repeated: Mapping[Span, int] | None = None) -> float:
    """How often a warp does what it does most often, at usual sizes; in one round of these loops."""

    def each(place: AccessProfile | BranchProfile, times: float) -> float:
        around = (
            n for loop, n in (repeated or {}).items() if any(map(loop.encloses, (place.fact.span, *place.fact.via)))
        )
        return times / max(around, default=1)

    profile, sizes = context.profile, context.weights.sizes
    accesses = (each(a, sizes.executions(a.fact.times, context.settings)) for a in profile.accesses)
    branches = (each(b, times) for b, times in zip(profile.branches, context.weights.branches, strict=True))
    return max((*accesses, *branches), default=0)


def _are_few_warps(sites: Sequence[LaunchSite], most: int = FEW_WARPS) -> bool:
    """Whether every launch has no more warps, all blocks together: by default those that one multiprocessor runs side by side."""
    return bool(sites) and all((warps := _warps(site)) is not None and warps <= most for site in sites)


def _warps(site: LaunchSite) -> int | None:
    """The warps of a launch, where that is a constant or what callers and the run of the program tell."""
    blocks = [number for number in site.grid if number is not None]
    if site.block is None or len(blocks) < len(site.grid):
        return site.profile.warps
    return prod(blocks) * -(-prod(site.block) // WARP)


def _does_little(context: Context, often: int = _ONCE) -> bool:
    """Whether a thread does nothing more often, whatever sizes are: boundaries, corners, a block that starts something off."""
    known = [constant(times) if times is not None else None for times in _counts(context)]
    return all(times is not None and times <= often for times in known)


def _counts(context: Context) -> tuple[Expression | None, ...]:
    """How often a warp makes each access, and comes to each branch."""
    profile = context.profile
    return (*(access.fact.times for access in profile.accesses), *(branch.fact.times for branch in profile.branches))


def _at_most(level: Level, finding: Finding) -> Finding:
    loud = finding.share is not None and finding.level.rank > level.rank
    return replace(finding, level=level) if loud else finding


def _rare(context: Context) -> str:
    """The condition under which this launch is made, where the sizes that parameters usually are taken for do not meet it, else ""."""
    size = context.settings.representative_size
    parts = []
    for seen in context.profile.ranges:
        if seen.condition and seen.most is not None and seen.most < size:
            parts.append(f"{seen.name} <= {seen.most}")
        elif seen.condition and seen.least is not None and seen.least > size:
            parts.append(f"{seen.name} >= {seen.least}")
    return " and ".join(parts)


def _said_to_be_minor(finding: Finding, why: str) -> Finding:
    """A finding as a hint, which says why: under a launch that only some sizes lead to, or only a test."""
    if finding.share is None:
        return finding
    return replace(_at_most(Level.HINT, finding), message=joined(finding.message, why))
