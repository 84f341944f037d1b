"""WC302 divergent-loop: lanes of a warp leave a loop at different iterations, so the warp runs as long as its last lane.

Fires when more than two exit times occur in a warp, or lanes idle for most of a loop that has no more.  Quiet for the one ragged iteration of a strided loop
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
from analysis_core.ir.nodes import Barrier, Loop, LoopKind, Shuffle, Vote
from analysis_core.ir.walk import statements, statements_of
from analysis_core.machine.sizes import WARP
from analysis_core.profile.access_profile import BranchProfile, KernelProfile
from analysis_core.profile.evidence import Evidence
from analysis_core.profile.idioms.matches import asked_for_matches
from analysis_core.profile.idioms.searches import searches, step_searches
from analysis_core.profile.idioms.windows import windows
from analysis_core.profile.kernel_context import Context, Loss
from analysis_core.profile.leaving import apart_text, is_ragged, leaves_inside, waited
from analysis_core.profile.line_shares import value_at
from analysis_core.profile.sureness import rests_on_data, surely_splits
from analysis_core.profile.work import Work, loss_at, work_text
from analysis_core.report.findings.branch_gates import LOSSES, Lost
from analysis_core.report.findings.check import Check, notes_of, told_at_all_blocks
from analysis_core.report.findings.gates import Gate, asked
from analysis_core.report.findings.model import Asked, CheckId, Finding, Level, Verdict
from analysis_core.report.findings.wording import assuming_text, by_data_text, sentences, times_text
from analysis_core.requests.facts import Divergence
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

CODE = CheckId("WC302")

SHORT = 2
"""Rounds up to which a loop that data decides is not told: a lane that leaves it early misses one."""

_SEARCHED = 0.2
"""The part of its rounds that a lane waits in a search by a step that shrinks: half of all places are found in the last round, a quarter in the
one before."""


def ask(context: Context) -> Iterator[Asked]:
    """One finding per loop that lanes leave apart: at its test, or else at its first exit out of the middle."""
    told: dict[Span, Span] = {}
    sure = told_at_all_blocks(context, ask)
    by_steps = step_searches(context.kernel)
    # At its test, else where lanes do nothing but leave, else at any way out.
    for way in sorted(ways_out(context), key=lambda way: (way.is_exit, sum(way.branch.fact.work) >= 2)):
        branch, by_data = way.branch, way.by_data
        level, reasons = asked(WAYS, way, CHECK.level)
        finding = along = None
        loss = least = Loss(0.0, 0.0)
        if level is not None:
            loss_of = partial(_loss, branch, way.loop, _SEARCHED if way.loop in by_steps else None)
            loss, least = loss_at(context, branch, loss_of, way.is_exit)
            certain = surely_splits(branch) and not by_data
            lost = Lost.of(context, loss, least, certain=certain, by_data=by_data, sure=branch.fact.span in sure)
            level, answers = asked(LOSSES, lost, CHECK.level)
            reasons += answers
        if level is not None and way.loop in told and way.is_exit:
            along = told[way.loop]
        elif level is not None:
            told.setdefault(way.loop, branch.fact.span)
            finding = Finding(
                CODE, Verdict.FAILS if surely_splits(branch) else Verdict.MAY_FAIL, level, branch.fact.span,
                _message(context, branch, loss.lost, by_data), notes_of(context, branch), share=loss.lost,
                subject=branch.fact.spelled.text,
            )  # fmt: skip
        gain = 0.0 if along is not None else loss.lost
        yield Asked(CODE, branch.fact.span, branch.fact.spelled.text, level, reasons, finding, along, gain)


@dataclass(frozen=True, slots=True)
class Way:
    """A way out of a loop: its test, or an `if` in it.  `test`: that of the loop, where there is one; `apart`: lanes may leave there in different
    rounds, as far as more is known than that they might; `quiet`: whatever memory holds, lanes leave nearly together (_left_together), and
    `short`: it has two rounds at most; `matches`: the `if` asks whether a window matches."""

    branch: BranchProfile
    loop: Span
    test: BranchProfile | None
    apart: bool
    quiet: bool
    short: bool
    matches: bool

    @property
    def is_exit(self) -> bool:
        """Whether it is no test of the loop."""
        return not isinstance(self.branch.fact.kind, LoopKind)

    @property
    def by_data(self) -> bool:
        """Whether memory decides when lanes leave."""
        return rests_on_data(self.branch.fact)


def ways_out(context: Context) -> Iterator[Way]:
    """The ways out of all loops."""
    loops, branches = loops_of_exits(context.kernel), context.profile.branches
    asked = [b for b in branches if isinstance(b.fact.kind, LoopKind) or b.fact.span in loops]
    apart = {id(b) for b in asked if is_ragged(b) or (b.fact.span in loops and leaves_inside(b.fact))}
    by_data = any(rests_on_data(b.fact) for b in asked if id(b) in apart)  # all ways out that are no loop's test are
    quiet = _left_together(context) if by_data else frozenset[Span]()
    short = _short(context) if by_data else frozenset[Span]()
    matches = asked_for_matches(context.kernel) if by_data else frozenset[Span]()
    tests = {(b.fact.span, b.fact.via): b for b in branches if isinstance(b.fact.kind, LoopKind)}
    for branch in asked:
        span = branch.fact.span
        loop = loops.get(span, span)
        test = tests.get((loop, branch.fact.via)) if span in loops else None
        yield Way(branch, loop, test, id(branch) in apart, loop in quiet, loop in short, span in matches)


def _is_seldom(way: Way) -> bool:
    """Whether a lane comes to an exit once at most, as a rule, in a fixed number of rounds: few leave there long before the others."""
    test = way.test
    if test is None or test.fact.leaving.rounds is None or constant(test.fact.leaving.rounds) is None:
        return False
    return 0 < _rounds_each(test, {}) <= 1 << max(0, way.branch.rarity - test.rarity)


WAYS: tuple[Gate[Way], ...] = (
    Gate(
        "together",
        Evidence.DEFAULT,
        "the lanes of a warp leave within two neighbouring rounds, as far as is known",
        lambda way: not way.apart,
    ),
    Gate(
        "kept together",
        Evidence.PATTERN,
        "the loop has a barrier, waits for other threads, halves a range or goes through a window: lanes leave it nearly together, whatever memory holds",
        lambda way: way.by_data and way.quiet,
    ),
    Gate(
        "short",
        Evidence.DEFAULT,
        f"memory decides, and the loop has {SHORT} rounds at most",
        lambda way: way.by_data and way.short,
    ),
    Gate("match", Evidence.PATTERN, "it leaves where something matches, which few lanes find", lambda way: way.matches),
    Gate("seldom", Evidence.PATTERN, "few lanes take this way out", _is_seldom),
)
"""Asked of each way out of a loop: a yes silences it."""


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
        (isinstance(s, Barrier) and (s.scope.is_whole or s.tile == WARP))
        or (isinstance(s, (Shuffle, Vote)) and s.whole)
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
    known = waited(branch.fact, values) if branch.idle is None else branch.idle
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
    apart = apart_text(branch.fact, context.weights.sizes.values, branch.idle)
    may = "may exit" if branch.fact.divergence is Divergence.POSSIBLE or branch.rarity else "exit"
    at_most = branch.rarity > 0 or branch.ends or (by_data and not _is_named(branch, context.profile))
    return sentences(
        f"divergent loop: threads of a warp {may} {apart}{by_data_text(branch) if by_data else ''}",
        times_text(branch.fact.times, context.weights.sizes, at_most=at_most).replace("runs", "tested", 1),
        work_text(context, share, by_data),
        assuming_text(context.facts),
    )


def _is_named(branch: BranchProfile, facts: KernelProfile) -> bool:
    """Whether the length of the loop has a name of its own: an expression is no more than a cap where data decides when lanes leave."""
    return any(info.kind == "trip" and info.span == branch.fact.whole for info in facts.facts.symbols)


CHECK = Check(CODE, "divergent-loop", "lanes of a warp leave a loop at different iterations", Level.WARNING, ask=ask)
