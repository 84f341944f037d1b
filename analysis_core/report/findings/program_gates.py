"""What the rest of a program says of a kernel's findings: three questions, asked in this order, each of which says how loud they may be and why.

  reach        no run makes the launches, or only to verify something: hints at most
  smallness    each launch does less than launching it takes: hints at most
  domination   another kernel of the program certainly does so many times as much: information at most, or hints

The first two are asked where one kernel is judged.  Domination is asked where the report of a file is put together, as it rests on what other
kernels do: the report of one kernel never rests on another's body.  Which functions nothing calls is read off the text (report/uncalled.py).
Nothing else of a program changes a level.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from fractions import Fraction

from analysis_core.ir.launch_site import LaunchSite, made_launches, warps_of
from analysis_core.profile.access_profile import LaunchWork
from analysis_core.profile.evidence import Evidence
from analysis_core.program.program_profile import Domination, Made, dominates, may_dominate, parts_of
from analysis_core.report.findings.model import Finding, KernelReport, Level, Reason
from analysis_core.report.findings.wording import sentences

NEVER = "every launch is left out by a constant condition"

DEEPEST = 8
"""Loads that a warp makes one after another while a launch begins: some 4 microseconds, at half a microsecond each."""

REQUESTS = 256
"""Requests of 32 sectors each that one multiprocessor has answered in that time: those of 32 warps that make so many."""

MORE, NOTHING = 64, 4096
"""Times as much work of another kernel, beside which a launch is hardly noticed, and not at all."""


def reach(sites: Sequence[LaunchSite]) -> Reason | None:
    """Why a kernel is told as a hint at most, if no run makes its launches, or only to verify something; None for other kernels."""
    made = made_launches(sites)
    if sites and not made and not any(site.profile.elsewhere for site in sites):
        return Reason("reach", Evidence.PROVED, NEVER, True, Level.HINT)
    if made and all(site.profile.verifies for site in made):
        said = f"launched only to verify (`{made[0].profile.verifies}`)"
        return Reason("reach", Evidence.NAME, said, True, Level.HINT)
    return None


def smallness(sites: Sequence[LaunchSite], work: LaunchWork | None) -> Reason | None:
    """Why a kernel is told as a hint at most, if its launches do less than launching takes; None for other kernels."""
    made = made_launches(sites)
    warps = [warps_of(site) for site in made if site.profile.by_main and not site.profile.elsewhere]
    known = [number for number in warps if number is not None]
    if work is None or work.requests is None or work.deepest is None or not made or len(known) < len(made):
        return None
    most = max(known)
    if work.deepest > DEEPEST or most * work.requests > REQUESTS:
        return None
    because = f"{most} warps of at most {work.requests} requests each, {work.deepest} one after another"
    return Reason("smallness", Evidence.SEEN, "launching it takes longer than running it", True, Level.HINT, because)


def domination(kernel: KernelReport, others: Sequence[Made]) -> Reason | None:
    """Why a kernel is told more quietly, if others certainly do many times as much in every way in which it is launched;
    the least of these decides. None for other kernels. `others`: launches of all kernels in view."""
    found: Domination | None = None
    for one in launches_of(kernel):
        each = (dominates(one, other) for other in others if may_dominate(one, other))
        best = max((d for d in each if d is not None), key=lambda d: d.times, default=None)
        if best is None or best.times < MORE:
            return None
        found = best if found is None or best.times < found.times else found
    if found is None:
        return None
    level = Level.HINT if found.times >= NOTHING else Level.INFORMATION
    said = f"`{found.kernel}` does {_rounded(found.times)} times as much"
    return Reason("domination", Evidence.PATTERN, said, True, level, found.because)


def launches_of(kernel: KernelReport) -> tuple[Made, ...]:
    """The ways in which a kernel is launched, with the work of a warp; none if it may be launched in ways that nobody
    knows."""
    if kernel.work is None or not all(kernel.executions):
        return ()
    least, most = kernel.work.least, kernel.work.most
    return tuple(Made(kernel.name, one, least, most, kernel.work.traffic) for each in kernel.executions for one in each)


def _rounded(times: Fraction) -> str:
    """ "64", "1000", "26 million": with two digits from a hundred on."""
    number = int(times) if times < 100 else int(float(f"{float(times):.1e}"))
    return f"{number // 10**6} million" if number >= 10**6 else str(number)


def as_launched(
    sites: Sequence[LaunchSite], work: LaunchWork | None, findings: Iterable[Finding]
) -> tuple[Finding, ...]:
    """The findings of a kernel as loud as reach and smallness let them be."""
    return through(reach(sites) or smallness(sites, work), findings)


def beside_others(kernels: Sequence[KernelReport]) -> tuple[KernelReport, ...]:
    """The kernels of a file, with findings as loud as domination by other kernels lets them be."""
    each = [launches_of(kernel) for kernel in kernels]
    made = [one for launches in each for one in launches]
    told = (any(_is_louder(f, Level.HINT) for f in kernel.findings) for kernel in kernels)
    gates = (domination(kernel, made) if loud else None for kernel, loud in zip(kernels, told, strict=True))
    return tuple(
        replace(kernel, findings=through(gate, kernel.findings), part=part)
        for kernel, gate, part in zip(kernels, gates, parts_of(each), strict=True)
    )


def through(reason: Reason | None, findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The findings, those that are louder than the reason allows at its level, with the reason in their message."""
    if reason is None:
        return tuple(findings)
    return tuple(_at_most(reason, finding) for finding in findings)


def _at_most(reason: Reason, finding: Finding) -> Finding:
    if reason.level is None or not _is_louder(finding, reason.level):
        return finding
    message = sentences(finding.message, reason.text)
    return replace(finding, level=reason.level, message=message, reasons=(*finding.reasons, reason))


def _is_louder(finding: Finding, level: Level) -> bool:
    return finding.share is not None and finding.level.rank > level.rank
