"""WC302 divergent-loop: lanes of a warp leave a loop at different iterations, so the warp runs as long as its last lane.

Fires when more than two exit times occur in a warp.  Quiet for the one ragged iteration of a strided loop
(`for (i = tid; i < n; i += stride)` leaves at two neighbouring times, and may leave apart only for a stride that nobody passes), for boundary splits, where nothing is known
but that lanes might leave apart, and for loops that data decides and that meet a barrier of the block or a shuffle of all lanes, wait for other threads,
or halve a range that is searched, go through a window (`profile/idioms/windows`), or make two rounds at most.  An `if` with a `break` is an exit too, where memory contents decide it, unless it asks whether a window matches (`profile/idioms/matches`).  Trip counts that come from memory may differ or not: information, never a warning.

What is told is the part of the kernel's work that goes to rounds in which lanes wait (`profile/work.py`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from analysis_core.expressions.expression import constant
from analysis_core.ir.early_exits import loops_of_exits
from analysis_core.ir.nodes import Barrier, BarrierScope, Loop, LoopKind, Shuffle, Vote
from analysis_core.ir.walk import statements, statements_of
from analysis_core.profile.access_profile import BranchProfile, KernelProfile
from analysis_core.profile.idioms.matches import asked_for_matches
from analysis_core.profile.idioms.searches import searches, step_searches
from analysis_core.profile.idioms.windows import windows
from analysis_core.profile.kernel_context import Context, Loss
from analysis_core.profile.leaving import apart_text, leaves_apart, leaves_inside, waited
from analysis_core.profile.line_shares import value_at
from analysis_core.profile.sureness import rests_on_data, surely_splits
from analysis_core.profile.work import Work, loss_at, work_text
from analysis_core.report.findings.by_memory import heard
from analysis_core.report.findings.check import Check, level_of_loss, notes_of
from analysis_core.report.findings.model import CheckId, Finding, Level, Verdict
from analysis_core.report.findings.wording import assuming_text, by_data_text, joined, times_text
from analysis_core.requests.facts import Divergence
from analysis_core.text.span import Span

CODE = CheckId("WC302")

SHORT = 2
"""Rounds up to which a loop that data decides is not told: a lane that leaves it early misses one."""

_SEARCHED = 0.2
"""The part of its rounds that a lane waits in a search by a step that shrinks: half of all places are found in the last round, a quarter in the
one before."""


def find(context: Context) -> Iterator[Finding]:
    """One finding per loop that lanes leave apart: at its test, or else at its first exit out of the middle."""
    loops = loops_of_exits(context.kernel)
    told: set[Span] = set()
    # At its test, else where lanes do nothing but leave, else at any way out.
    places = sorted(
        _places(context, loops), key=lambda p: (not isinstance(p[0].fact.kind, LoopKind), sum(p[0].fact.work) >= 2)
    )
    for branch, (loss, least) in places:
        by_data = rests_on_data(branch.fact)
        certain = surely_splits(branch) and not by_data
        level = level_of_loss(context, loss, least, certain, by_data)
        loop = loops.get(branch.fact.span, branch.fact.span)
        if level is None or (loop in told and branch.fact.span in loops):
            continue
        told.add(loop)
        verdict = Verdict.FAILS if surely_splits(branch) else Verdict.MAY_FAIL
        yield Finding(
            CODE, verdict, heard(level, by_data), branch.fact.span, _message(context, branch, loss.lost, by_data), notes_of(context, branch),
            share=loss.lost, subject=branch.fact.spelled.text,
        )  # fmt: skip


def _places(context: Context, loops: Mapping[Span, Span]) -> Iterator[tuple[BranchProfile, tuple[Loss, Loss]]]:
    """Loop tests and exits at which lanes leave apart, with what they lose, and at least lose."""
    branches = context.profile.branches
    apart = [b for b in branches if leaves_apart(b.fact) or (b.fact.span in loops and leaves_inside(b.fact))]
    if not apart:
        return
    by_steps = step_searches(context.kernel)
    by_data = any(rests_on_data(one.fact) for one in apart)  # all ways out that are no loop's test are
    quiet = _left_together(context) | _short(context) if by_data else frozenset[Span]()
    matches = asked_for_matches(context.kernel) if by_data else frozenset[Span]()
    tests = {(b.fact.span, b.fact.via): b for b in branches if isinstance(b.fact.kind, LoopKind)}
    for branch in apart:
        loop = loops.get(branch.fact.span, branch.fact.span)
        if rests_on_data(branch.fact) and loop in quiet:
            continue
        if branch.fact.span in matches or (
            branch.fact.span in loops and _is_seldom(branch, tests.get((loop, branch.fact.via)))
        ):
            continue
        loss_of = partial(_loss, branch, loop, _SEARCHED if loop in by_steps else None)
        yield branch, loss_at(context, branch, loss_of, not isinstance(branch.fact.kind, LoopKind))


def _is_seldom(branch: BranchProfile, test: BranchProfile | None) -> bool:
    """Whether a lane comes to an exit once at most, as a rule, in a fixed number of rounds: few leave there long before the others."""
    if test is None or test.fact.leaving.rounds is None or constant(test.fact.leaving.rounds) is None:
        return False
    return 0 < _rounds_each(test, {}) <= 1 << max(0, branch.rarity - test.rarity)


def _left_together(context: Context) -> frozenset[Span]:
    """The loops that lanes leave together, or nearly so, whatever memory holds: the block meets in each round, or each waits for others
    and goes on; or they halve what is left to be searched, or go through a window."""
    return (
        searches(context.kernel)
        | windows(context.kernel)
        | frozenset(
            loop.span
            for loop in statements_of(context.kernel)
            if isinstance(loop, Loop) and (loop.whole in context.profile.waits or _meets(loop))
        )
    )


def _short(context: Context) -> frozenset[Span]:
    """The loops of so few rounds that hardly anything of them is left to wait for."""
    values = context.weights.sizes.values
    loops = (
        b
        for b in context.profile.branches
        if isinstance(b.fact.kind, LoopKind) and b.fact.leaving.rounds and b.fact.times
    )
    return frozenset(b.fact.span for b in loops if 0 < _rounds_each(b, values) <= SHORT)


def _rounds_each(branch: BranchProfile, values: Mapping[str, int]) -> float:
    """How many rounds a loop makes each time that it is come to; 0 where that is not known."""
    rounds = None if branch.fact.leaving.rounds is None else value_at(branch.fact.leaving.rounds, values)
    tests = None if branch.fact.times is None else value_at(branch.fact.times, values)
    return rounds / max(1, tests - rounds) if rounds and tests is not None else 0.0


def _meets(loop: Loop) -> bool:
    """Whether the threads of the block, or all lanes of a warp, are said to come to one place in each round."""
    return any(
        (isinstance(s, Barrier) and s.scope is not BarrierScope.WARP)
        or (isinstance(s, (Barrier, Shuffle, Vote)) and s.whole)
        for s in statements((loop,))
    )


def _loss(branch: BranchProfile, loop: Span, waiting: float | None, work: Work) -> Loss:
    """The work of a loop, and what of it goes to rounds in which lanes wait that have left it; rounds of inner loops that lanes leave
    apart are told there, and the lanes that a branch around surely leaves idle at that branch.  `waiting`: the part of the rounds that
    lanes wait, if that is known."""
    sides = work.of(branch) if isinstance(branch.fact.kind, LoopKind) else work.of_loop(loop, branch.fact.via)
    if not sides or sides[0].whole <= 0:
        return Loss(0.0, 0.0)
    held = (sides[0].slots - sides[0].waiting) / sides[0].whole
    held *= sides[0].lanes
    return Loss(held, held * (_waiting(branch, work.values) if waiting is None else waiting))


def _waiting(branch: BranchProfile, values: Mapping[str, int]) -> float:
    """The part of the rounds that a lane waits for the others on average: where its rounds are known, what is counted; else half of them,
    less if lanes leave in few groups, or half of how far they leave apart, as far as that or the number of rounds in which they leave is known."""
    known = waited(branch.fact, values)
    if known is not None:
        return known
    apart = branch.fact.leaving.exits if branch.fact.leaving.spread is None else branch.fact.leaving.spread
    if apart is None or not isinstance(branch.fact.kind, LoopKind):
        return 0.5 - 0.5 / branch.fact.leaving.groups if branch.fact.leaving.groups > 1 else 0.5
    if branch.fact.leaving.groups > 1:
        return 0.5 - 0.5 / branch.fact.leaving.groups
    each = _rounds_each(branch, values)
    return 0.5 if not each else min(apart, each) / 2 / each


def _message(context: Context, branch: BranchProfile, share: float, by_data: bool) -> str:
    apart = apart_text(branch.fact, context.weights.sizes.values)
    may = "may leave" if branch.fact.divergence is Divergence.POSSIBLE or branch.rarity else "leave"
    at_most = branch.rarity > 0 or branch.ends or (by_data and not _is_named(branch, context.profile))
    return joined(
        f"lanes of a warp {may} this loop {apart}{by_data_text(branch) if by_data else ''}",
        times_text(branch.fact.times, context.weights.sizes, at_most=at_most).replace("executed", "tested"),
        work_text(context, share, by_data),
        assuming_text(context.facts),
    )


def _is_named(branch: BranchProfile, facts: KernelProfile) -> bool:
    """Whether the length of the loop has a name of its own: an expression is no more than a cap where data decides when lanes leave."""
    return any(info.kind == "trip" and info.span == branch.fact.whole for info in facts.facts.symbols)


CHECK = Check(CODE, "divergent-loop", "lanes of a warp leave a loop at different iterations", Level.WARNING, find)
