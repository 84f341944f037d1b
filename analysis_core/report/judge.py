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

from analysis_core.ir.early_exits import loops_of_exits
from analysis_core.ir.nodes import Kernel
from analysis_core.ir.walk import expressions_of, statements_of, subexpressions
from analysis_core.profile.access_profile import KernelProfile
from analysis_core.profile.kernel_context import Context
from analysis_core.profile.shares import weigh
from analysis_core.profile.sizes import Guess
from analysis_core.profile.slots import is_division
from analysis_core.profile.sureness import is_loose
from analysis_core.profile.work import work_of
from analysis_core.report.checks.divergent_branch import CODE as BRANCH
from analysis_core.report.checks.divergent_loop import CODE as LOOP
from analysis_core.report.checks.registry import CHECKS
from analysis_core.report.findings.gates import ASSUMED_BLOCK
from analysis_core.report.findings.model import Asked, CheckId, Finding, Level, Verdict
from analysis_core.report.findings.program_gates import as_launched
from analysis_core.report.levels import OFF
from analysis_core.support.settings import Settings
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_WRONG = "WC4"
"""How the codes begin of rules about what a kernel does wrong."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the rules find in one kernel under one launch configuration, in the order of the rules; and what they asked about each place.
    `divided`: the part of the work that integer divisions are."""

    findings: tuple[Finding, ...]
    asked: tuple[Asked, ...]
    divided: float = 0.0


def judge(kernel: Kernel, profile: KernelProfile, settings: Settings) -> Judgement:
    """Runs every rule on one kernel under one launch configuration.

    A condition that lanes leave a loop by is told as that alone, once for all ways out of the loop: what else they do there is done once."""
    context = _context(kernel, profile, settings)
    answers = [answer for check in CHECKS for answer in check.asked(context)]
    asked = tuple(answer for answer in answers if isinstance(answer, Asked))
    told = (answer.finding if isinstance(answer, Asked) else answer for answer in answers)
    found = [finding for finding in told if finding is not None]
    left = {f.span for f in found if f.check == LOOP and settings.levels.get(LOOP) != OFF}
    exits = loops_of_exits(kernel) if left else {}
    left |= {exits[span] for span in left if span in exits}
    kept = [f for f in found if f.check != BRANCH or (f.span not in left and exits.get(f.span) not in left)]
    findings = as_launched(kernel.launches, profile.work, map(_as_guessed, kept) if kernel.guessed else kept)
    return _with_numbers_passed(kernel, profile, settings, Judgement((*findings,), asked, _part_of_divisions(context)))


def _as_guessed(finding: Finding) -> Finding:
    """What certainly goes wrong with template arguments that are guesses, of which that is to be said."""
    if not finding.check.startswith(_WRONG) or finding.level.rank <= Level.INFORMATION.rank:
        return finding
    return replace(finding, level=Level.INFORMATION, verdict=Verdict.MAY_FAIL)


def _with_numbers_passed(kernel: Kernel, profile: KernelProfile, settings: Settings, judged: Judgement) -> Judgement:
    """With what is found with the numbers that all launches in view pass, at accesses of which only an upper figure is known without them."""
    if profile.at_numbers is None:
        return judged
    loose = {one.fact.span for one in profile.accesses if is_loose(one.fact)}
    there = judge(kernel, profile.at_numbers, settings)
    findings = (*judged.findings, *(one for one in there.findings if one.span in loose))
    asked = (one for one in judged.asked if one.span not in loose)
    return Judgement(findings, (*asked, *(one for one in there.asked if one.span in loose)), judged.divided)


def _part_of_divisions(context: Context) -> float:
    """The part of the kernel's work (0 to 1) that integer divisions and remainders by values of the run are."""
    inside = (
        node for stmt in statements_of(context.kernel) for expr in expressions_of(stmt) for node in subexpressions(expr)
    )
    if not any(map(is_division, inside)):
        return 0.0
    work = work_of(context, Guess())
    return work.divided / work.total if work.total else 0.0


def rests_on_block(kernel: Kernel, profile: KernelProfile, settings: Settings) -> bool:
    """Whether a loss is no warning only because the shape of the block is a guess."""
    context = _context(kernel, profile, settings)
    answers = (one for check in CHECKS for one in check.asked(context) if isinstance(one, Asked))
    return any([reason.gate for reason in one.reasons if reason.holds] == [ASSUMED_BLOCK] for one in answers)


def _context(kernel: Kernel, profile: KernelProfile, settings: Settings) -> Context:
    made = profile.made
    others = tuple(_context(kernel, other, settings) for other in profile.at_other_blocks)
    return Context(kernel, made, weigh(made, settings), settings, others)


def worst_per_statement(
    findings: Iterable[Finding], statement: Callable[[Span], tuple[str, int]]
) -> tuple[Finding, ...]:
    """The worst finding for each rule and statement, ordered; `statement` names the statement that a span lies in.

    WC900 findings are about places, not statements: they are kept apart by span and message."""
    return _worst(findings, statement, _badness)


def worst_of_kernels(findings: Iterable[Finding], statement: Callable[[Span], tuple[str, int]]) -> tuple[Finding, ...]:
    """The worst finding for each rule and statement over several kernels: the one that loses most, since shares are of
    different totals."""
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
