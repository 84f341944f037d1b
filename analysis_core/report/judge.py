"""From facts to findings: runs the rules and decides what is worth a reader's time.

1. `judge` runs every rule on one kernel under one launch.
2. `worst_per_statement` merges launches: one finding per statement and rule, the loudest, then the one with the greatest share.
   `worst_of_kernels` merges instantiations of a template, which share their text, and kernels that call one function.
3. Findings are ordered by level and share; those without a share come last, in source order.

Suppressions are applied afterwards, per file (`suppression.py`): whether a comment is used depends on all kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial

from analysis_core.cost.expression import constant
from analysis_core.cost.facts import KernelFacts
from analysis_core.ir.early_exits import loops_of_exits
from analysis_core.ir.launch_site import is_assumed
from analysis_core.ir.nodes import Kernel
from analysis_core.report.check import Context
from analysis_core.report.checks.divergent_branch import CODE as BRANCH
from analysis_core.report.checks.divergent_loop import CODE as LOOP
from analysis_core.report.levels import OFF
from analysis_core.report.model import CheckId, Finding, Level
from analysis_core.report.probed import with_expected
from analysis_core.report.registry import CHECKS
from analysis_core.report.shares import weigh
from analysis_core.report.wording import joined
from analysis_core.support.settings import Settings
from analysis_core.text.span import Span


def judge(kernel: Kernel, facts: KernelFacts, settings: Settings) -> tuple[Finding, ...]:
    """Everything that the rules find in one kernel under one launch configuration, in the order of the rules.

    A condition that lanes leave a loop by is told as that alone, once for all ways out of the loop: what else they do there is done once.  Where the host makes
    this launch for unusual sizes only, other launches are what a warning would be about."""
    made = with_expected(_made(facts), settings)
    context = Context(kernel, made, weigh(made, settings), settings)
    found = [finding for check in CHECKS for finding in check.find(context)]
    left = {f.span for f in found if f.check == LOOP and settings.levels.get(LOOP) != OFF}
    exits = loops_of_exits(kernel) if left else {}
    left |= {exits[span] for span in left if span in exits}
    kept = [f for f in found if f.check != BRANCH or (f.span not in left and exits.get(f.span) not in left)]
    if _is_soon_done(context):
        kept = [f for f in kept if f.share is None]
    if _is_launched_once(context):
        kept = list(map(_at_most_information, kept))
    if _is_minor(context):
        kept = [replace(f, level=Level.HINT) if f.share is not None else f for f in kept]
    where = _rare(facts, settings)
    return tuple(kept) if not where else tuple(map(partial(_said_to_be_rare, where=where), kept))


_FEW = 64
"""Executions by a warp that take less time than a launch."""


def _is_soon_done(context: Context) -> bool:
    """Whether every launch in view is of one block, nobody knows of how many threads, which does nothing often: no longer than any launch
    takes, whatever the lanes do."""
    sites = [site for site in context.kernel.launches if not site.dead]
    if not is_assumed(context.facts.source) or not sites or any(site.grid != (1, 1, 1) for site in sites):
        return False
    sizes = context.weights.sizes
    most = max((sizes.executions(a.times, context.settings) for a in context.facts.accesses), default=0)
    return max(most, *context.weights.branches, 0) <= _FEW


def _is_launched_once(context: Context) -> bool:
    """Whether every launch in view is made once, beside a loop of launches of other kernels: a program spends little of its time there."""
    sites = [site for site in context.kernel.launches if not site.dead]
    return bool(sites) and all(site.single for site in sites)


_ONCE = 8
"""Executions by a warp up to which a thread of a boundary does what it does for its one place."""


def _is_minor(context: Context) -> bool:
    """Whether all launches go over a dimension less than others beside them, or are far smaller, and a thread does nothing often:
    boundaries, corners, a block that starts something off.  The program does not notice them."""
    sites = [site for site in context.kernel.launches if not site.dead]
    if not sites or not all(site.lesser for site in sites):
        return False
    facts = context.facts
    counts = (*(access.times for access in facts.accesses), *(branch.times for branch in facts.branches))
    known = [constant(times) if times is not None else None for times in counts]
    return all(times is not None and times <= _ONCE for times in known)


def _at_most_information(finding: Finding) -> Finding:
    loud = finding.share is not None and finding.level.rank > Level.INFORMATION.rank
    return replace(finding, level=Level.INFORMATION) if loud else finding


def _made(facts: KernelFacts) -> KernelFacts:
    """The facts with accesses as often as the machine makes them."""
    if all(access.kept is None and access.merged is None for access in facts.accesses):
        return facts
    return replace(facts, accesses=tuple(access.made for access in facts.accesses))


def _rare(facts: KernelFacts, settings: Settings) -> str:
    """The condition under which this launch is made, where the sizes that parameters usually are taken for do not meet it, else ""."""
    size = settings.representative_size
    parts = []
    for seen in facts.ranges:
        if seen.condition and seen.most is not None and seen.most < size:
            parts.append(f"{seen.name} <= {seen.most}")
        elif seen.condition and seen.least is not None and seen.least > size:
            parts.append(f"{seen.name} >= {seen.least}")
    return " and ".join(parts)


def _said_to_be_rare(finding: Finding, where: str) -> Finding:
    """A finding under a launch that only some sizes lead to: information at most, and it says so."""
    if finding.share is None:
        return finding
    return replace(_at_most_information(finding), message=joined(finding.message, f"only where {where}"))


def worst_per_statement(
    findings: Iterable[Finding], statement: Callable[[Span], tuple[str, int]]
) -> tuple[Finding, ...]:
    """The worst finding for each rule and statement, ordered; `statement` names the statement that a span lies in.

    WC900 findings are about places, not statements: they are kept apart by span and message."""
    return _worst(findings, statement, _badness)


def worst_of_kernels(findings: Iterable[Finding], statement: Callable[[Span], tuple[str, int]]) -> tuple[Finding, ...]:
    """The same over several kernels: shares are those of different totals, and the one that loses most is the worst."""
    return _worst(findings, statement, lambda finding: (finding.level.rank, finding.lost, finding.worst))


def _worst(
    findings: Iterable[Finding],
    statement: Callable[[Span], tuple[str, int]],
    badness: Callable[[Finding], tuple[int, float, int]],
) -> tuple[Finding, ...]:
    worst: dict[tuple[object, ...], Finding] = {}
    for finding in findings:
        place: tuple[object, ...]
        if finding.share is None:
            place = (finding.span, finding.message)
        else:
            place = statement(finding.span)
        key = (finding.check, *place)
        if key not in worst or badness(finding) > badness(worst[key]):
            worst[key] = finding
    return ordered(_not_told_along(sorted(worst.values(), key=badness, reverse=True)))


def _not_told_along(findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings, the worst first, without those at a place that a worse one tells with its own: under another launch, or in another
    instantiation, another access of the same group may be the dearest."""
    told: set[tuple[CheckId, Span]] = set()
    for finding in findings:
        if (finding.check, finding.span) not in told:
            told |= {(finding.check, span) for span in finding.fellows}
            yield finding


def ordered(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Loudest first, then the greatest share; ties in source order."""
    return tuple(
        sorted(
            findings,
            key=lambda f: (-f.level.rank, f.share is None, -(f.share or 0.0), f.span.file, f.span.start, f.check),
        )
    )


def _badness(finding: Finding) -> tuple[int, float, int]:
    return finding.level.rank, finding.share or 0.0, finding.worst
