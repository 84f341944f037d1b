"""WC301 divergent-branch: a warp splits at an `if` or `switch` and the sides run one after the other.

Fires where another arrangement of the work would need fewer warps, or where both sides carry real work:

- two sides with work, and warps split at a quarter of the tests at least;
- one side with work, whose lanes are spread over at least twice the warps that they would fill and do not stand side by side in them
  (`if (tid % 2)`, a reduction with doubling stride), or run a loop: a quarter of those warps at least would be saved;
- the tests of an `else if` chain are one;
- one lane that runs a loop while the others wait (`if (tid == 0) for (..)`): information.

Quiet: boundary guards (`if (i < n)`), in any number of dimensions; cuts at a multiple of 32 threads (they never split);
right sides of `&&`, `||`, `?:` (they do not count as splits); arms without memory accesses, calls or loops, which the
compiler predicates, and so a side that is a single store or fills in a few constants, unless the other side has work too and the split is certain
(`profile/light_sides.py`), and sides that all store constants to one place; one-lane work (`if (tid == 0) out[b] = s;`) and the tail of a reduction with halving stride;
a kernel of which nothing but the work of one thread of the grid is left and no launch is in view.

What is told is the part of the kernel's work that is lost (`profile/work.py`); what loses less than a tenth is quiet.

Warning only where the split is certain, and the lanes of a lone side do not stand side by side in their warps; a condition
on memory contents may or may not split.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from math import prod

from analysis_core.ir.choices import choices
from analysis_core.ir.early_exits import loops_of_exits
from analysis_core.ir.nodes import (
    LAUNCHED,
    Atomic,
    Block,
    If,
    IfKind,
    Kernel,
    Load,
    Loop,
    Stmt,
    Store,
    UnknownStmt,
)
from analysis_core.ir.walk import statements, statements_of
from analysis_core.machine.sizes import WARP
from analysis_core.profile.access_profile import BranchProfile, KernelProfile
from analysis_core.profile.evidence import Evidence
from analysis_core.profile.idioms.else_chains import else_chains
from analysis_core.profile.kernel_context import Context, Loss
from analysis_core.profile.leaving import leaves_inside
from analysis_core.profile.light_sides import light_sides, without_light_sides
from analysis_core.profile.own_elements import is_own
from analysis_core.profile.run_totals import exclude
from analysis_core.profile.shares import splitting_part
from analysis_core.profile.sides_by_data import SidesByData
from analysis_core.profile.sureness import rests_on_data, surely_splits
from analysis_core.profile.work import Side, Work, loss_at, work_text
from analysis_core.report.findings.branch_gates import LOSSES, Lost
from analysis_core.report.findings.check import Check, notes_of, told_at_all_blocks
from analysis_core.report.findings.gates import asked
from analysis_core.report.findings.model import Asked, CheckId, Finding, Level, Note, Reason, Verdict
from analysis_core.report.findings.split_gates import (
    SPLITS,
    Split,
    is_one_lane,
    side_with_work,
    stands_together,
)
from analysis_core.report.findings.wording import assuming_text, by_data_text, sentences, times_text
from analysis_core.requests.facts import ArmRuns, Divergence
from analysis_core.support.derived import derived
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

CODE = CheckId("WC301")


_UNLESS_MERGED = ", unless the compiler merges what both sides do"

_LEADERS = 2
"""Lanes of a warp that load or write something for their row, where it is the first of sixteen that does."""


@dataclass(frozen=True, slots=True)
class Told:
    """A split that is reported: at `branch`, which loses most. `others`: the further tests of an `else if`
    chain; `loss`: what they lose together. `instead`: those that ask the same on sides of which a run takes
    one. `alike`: it is worth a line only if compilers do not put together what both sides do."""

    branch: BranchProfile
    others: tuple[BranchProfile, ...]
    loss: Loss
    level: Level
    instead: tuple[BranchProfile, ...] = ()
    alike: bool = False
    reasons: tuple[Reason, ...] = ()

    @property
    def again(self) -> list[Span]:
        """The places of the others."""
        spans = dict.fromkeys(other.fact.span for other in self.others if other.fact.span != self.branch.fact.span)
        return list(spans)

    @property
    def wholes(self) -> Iterator[Span]:
        """The statements of all branches that this speaks of."""
        return (one.fact.whole for one in (self.branch, *self.others, *self.instead) if one.fact.whole is not None)


def ask(context: Context) -> Iterator[Asked]:
    """One finding per question that splits a warp between sides with work."""
    judged = _judged(context)
    yield from judged.silent
    for told in judged.told:
        branch, loss = told.branch, told.loss
        verdict = Verdict.FAILS if surely_splits(branch) else Verdict.MAY_FAIL
        again = Note.of_all("further tests of this chain", told.again)
        again += Note.of_all(
            "same pattern, on a path that skips this line,", [other.fact.span for other in told.instead]
        )
        finding = Finding(
            CODE, verdict, told.level, branch.fact.span, _message(context, told), notes_of(context, branch) + again,
            share=loss.lost, subject=branch.fact.spelled.text,
        )  # fmt: skip
        yield _asked(branch, told.level, told.reasons, finding, gain=loss.lost)
        for other in (*told.others, *told.instead):
            yield _asked(other, told.level, told.reasons, along=branch.fact.span)


def _asked(
    branch: BranchProfile,
    level: Level | None,
    reasons: tuple[Reason, ...],
    finding: Finding | None = None,
    along: Span | None = None,
    gain: float = 0.0,
) -> Asked:
    return Asked(CODE, branch.fact.span, branch.fact.spelled.text, level, reasons, finding, along, gain)


@dataclass(frozen=True, slots=True)
class _Judged:
    """The splits that are told, and the branches that stay silent."""

    told: tuple[Told, ...]
    silent: tuple[Asked, ...]


def worth_a_line(context: Context) -> tuple[Told, ...]:
    """The splits to report, each with all tests of their chain."""
    return _judged(context).told


@derived
def _judged(context: Context) -> _Judged:
    heads = else_chains(context.kernel)
    silent: list[Asked] = []
    found: list[Told] = []
    chains: dict[Hashable, list[_Waste]] = {}
    for one in _wasteful(context, silent):
        fact = one.branch.fact
        whole = fact.whole or fact.span
        chains.setdefault((heads.get(whole, whole), fact.via, fact.kind), []).append(one)
    for group in chains.values():
        group = sorted(group, key=lambda one: (one.branch.fact.span.file, one.branch.fact.span.start))
        told, answers = _weighed(context, group)
        if told is not None:
            found.append(told)
        else:
            silent += (_asked(one.branch, None, one.reasons + answers, gain=one.losses[0].lost) for one in group)
    return _Judged(tuple(_once_for_a_run(context, found)), tuple(silent))


def _weighed(context: Context, group: Sequence[_Waste]) -> tuple[Told | None, tuple[Reason, ...]]:
    """What is told of the tests of one chain, with what was asked about their loss."""
    first = group[0]
    branch, by_data = first.branch, rests_on_data(first.branch.fact)
    certain = surely_splits(branch) and not by_data and not _is_packed(branch)
    others = tuple(other.branch for other in group if other.branch is not branch)
    sure = branch.fact.span in told_at_all_blocks(context, ask)
    every = zip(*((*one.losses, *one.in_full) for one in group), strict=True)
    told, least, most, least_in_full = (_sum(losses) for losses in every)
    in_full = min(most.lost, least_in_full.lost)
    lost = Lost.of(context, told, least, certain=certain, by_data=by_data, sure=sure, in_full=in_full)
    level, answers = asked(LOSSES, lost, CHECK.level)
    if level is None:
        return None, answers
    alike = level is Level.HINT and in_full > told.lost
    return Told(branch, others, most if alike else told, level, alike=alike, reasons=first.reasons + answers), ()


def _once_for_a_run(context: Context, found: Sequence[Told]) -> list[Told]:
    """Of splits with one text on sides of a test of which a run takes one, the one that loses most: a launch pays for either of them."""
    if len(found) < 2:
        return list(found)
    sides = choices(context.kernel).branches
    kept: list[Told] = []
    for told in sorted(found, key=lambda one: (-one.level.rank, -one.loss.lost)):
        mine = sides.get(told.branch.fact.whole or told.branch.fact.span, ())
        for number, other in enumerate(kept):
            theirs = sides.get(other.branch.fact.whole or other.branch.fact.span, ())
            if told.branch.fact.spelled.text == other.branch.fact.spelled.text and exclude(mine, theirs):
                kept[number] = replace(other, instead=(*other.instead, told.branch))
                break
        else:
            kept.append(told)
    return kept


def _sum(losses: Iterable[Loss]) -> Loss:
    parts = list(losses)
    return Loss(min(1.0, sum(loss.held for loss in parts)), min(1.0, sum(loss.lost for loss in parts)))


@dataclass(frozen=True, slots=True)
class _Waste:
    """A branch that wastes lanes, with what that costs, and what it costs at least.  `in_full`: the same if nothing of what both sides do
    is put together."""

    branch: BranchProfile
    losses: tuple[Loss, Loss]
    in_full: tuple[Loss, Loss]
    reasons: tuple[Reason, ...]


def splits_of(context: Context) -> Iterator[Split]:
    """The branches that the rule asks about, as compilers leave them: sides without work of their own are predicated."""
    heavy, light = _conditions_over_loops(context.kernel), light_sides(context.kernel)
    exits = loops_of_exits(context.kernel)
    for one in context.profile.branches:
        if one.fact.kind is IfKind.IF or one.fact.kind == "switch":
            branch = without_light_sides(one, light.get(one.fact.span))
            loops = heavy.get(branch.fact.span, (False, False))
            yield Split(branch, loops, one.fact.span in exits and leaves_inside(one.fact))


def _wasteful(context: Context, silent: list[Asked]) -> Iterator[_Waste]:
    """The branches that waste lanes; others are added to the silent ones."""
    any_by_data = any(rests_on_data(one) for one in context.facts.branches)
    by_data = SidesByData.of(context.kernel) if any_by_data else SidesByData({}, frozenset(), frozenset())
    for split in splits_of(context):
        branch = split.branch
        level, reasons = asked(SPLITS, split, CHECK.level)
        if level is None:
            silent.append(_asked(branch, None, reasons))
            continue
        losses, in_full = (
            loss_at(context, branch, partial(_loss, context.profile, branch, split.loops, by_data, full))
            for full in (False, True)
        )
        if _is_serial(context, branch, losses[0]):
            silent.append(_asked(branch, None, (*reasons, _SERIAL)))
        else:
            yield _Waste(branch, losses, in_full, reasons)


_NEARLY_ALL = 0.9


_SERIAL = Reason(
    "one thread",
    Evidence.DEFAULT,
    "one thread of the grid does all the work, and no launch is in view: such kernels are launched with one thread",
    True,
    None,
)


def _is_serial(context: Context, branch: BranchProfile, loss: Loss) -> bool:
    """Whether one thread of the grid does all the work, and no launch is in view: such kernels are launched with one thread."""
    one = branch.fact.divergence is Divergence.BOUNDARY and is_one_lane(branch)
    return one and not context.kernel.launches and loss.held >= _NEARLY_ALL


def _loss(
    facts: KernelProfile,
    branch: BranchProfile,
    loops: tuple[bool, bool],
    by_data: SidesByData,
    in_full: bool,
    work: Work,
) -> Loss:
    """The work of the sides, and what of it another arrangement would save.  `loops`: the sides with a loop; `in_full`: with what
    two sides with work do alike."""
    sides = work.of(branch)
    whole = max((side.whole for side in sides), default=0.0)
    if whole <= 0:
        return Loss(0.0, 0.0)
    slots = [side.slots for side in sides]
    if branch.fact.kind == "switch":
        lost = (sum(slots) - max(slots)) * splitting_part(branch)
    elif all(has_work or has_loop for has_work, has_loop in zip((*branch.fact.work, False), loops, strict=False)):
        if not in_full:
            slots = [side.own for side in sides]
        lost = _run_twice(branch, slots, -(-prod(facts.facts.block) // WARP))
    else:
        lost = _saved(branch, sides, loops, by_data)
    if rests_on_data(branch.fact):
        lost *= by_data.parting(branch.fact.span)
    return Loss(sum(slots) / whole, lost / whole)


def _run_twice(branch: BranchProfile, slots: Sequence[float], warps: int) -> float:
    """Of two sides with work: the idle lanes of each, where they are known; else the cheaper side in the tests that may split.  If
    warps agreed, each would run one side with all of its lanes.  `slots`: of what each side does that the other does not; `warps`: of the
    block."""
    runs = branch.fact.runs
    if runs is None or sum(arm.warps > 0 for arm in runs.arms) < 2 or len(slots) < 2:
        return 0.0
    first, second = runs.arms
    if runs.open:
        # What lanes share in memory cuts a block at one place.
        cut = runs.cut is None and rests_on_data(branch.fact) and not branch.by_lane
        splits = runs.splitting / (warps if cut else 1)
        return splits * min(slots[0] / max(1.0, runs.warps(0)), slots[1] / max(1.0, runs.warps(1)))
    return slots[0] * _idle(first, second) + slots[1] * _idle(second, first)


def _idle(arm: ArmRuns, other: ArmRuns) -> float:
    """The part of its lanes that do not run a side because they run the other."""
    lanes = arm.warps * WARP
    return min(lanes - arm.lanes, other.lanes) / lanes


def _saved(branch: BranchProfile, sides: Sequence[Side], loops: tuple[bool, bool], by_data: SidesByData) -> float:
    """Of one side with work: what is saved if its lanes fill warps; where a single lane works, by sharing its loop out; where data
    decides, half of it, or less where the text says that fewer lanes idle, but for loops that lanes leave apart, which are told there.
    Sectors are moved all the same, by however few warps, but for what lies between lanes that stand apart; and so are wavefronts that few
    lanes fill with several words each."""
    runs = branch.fact.runs
    saved = 0.0
    parts = zip(runs.arms if runs else (), sides, branch.fact.work, loops, strict=False)
    for number, (arm, side, has_work, has_loop) in enumerate(parts):
        if runs is None or not arm.warps or not (has_work or has_loop):
            continue
        if arm.lanes == arm.warps:
            saved += side.slots * (1 - 1 / WARP) * has_loop
        elif not runs.open:
            needed = max(side.moved, side.apart) if stands_together(arm) else side.apart
            saved += (side.slots - needed) * (arm.warps - arm.packed) / arm.warps
        elif has_loop and rests_on_data(branch.fact):
            saved += (side.slots - side.waiting - side.moved) * by_data.idle(branch.fact.span, number)
    return saved


def _is_packed(branch: BranchProfile) -> bool:
    """Whether one of two sides has a single lane each time (`if (tid == 0) first(); else others();`), or the lanes of the
    only side with work stand side by side in most of their warps: the tree that each warp makes of its own lanes
    (`if (lane < s)`), a single lane; or they are few, the leaders of short rows.  To need fewer warps, the work of several would have to be
    put together, which is seldom worth its barriers."""
    if sum(branch.fact.work) >= 2:
        return branch.fact.runs is not None and any(0 < arm.warps == arm.lanes for arm in branch.fact.runs.arms)
    arm = side_with_work(branch)
    return arm is not None and (stands_together(arm) or arm.lanes <= _LEADERS * arm.warps)


@derived
def _conditions_over_loops(kernel: Kernel) -> Mapping[Span, tuple[bool, bool]]:
    """By `if` condition with a loop below it, which sides have one: never predicated, whatever the loop does.  A loop that touches
    nothing but arrays of the thread's own (the text of a message) is no work to share out."""
    found: dict[Span, tuple[bool, bool]] = {}
    for stmt in statements_of(kernel):
        if isinstance(stmt, If):
            then, otherwise = _is_heavy(stmt.then, kernel), _is_heavy(stmt.otherwise, kernel)
            if then or otherwise:
                old = found.get(stmt.span, (False, False))
                found[stmt.span] = (old[0] or then, old[1] or otherwise)
    return found


def _is_heavy(arm: Block, kernel: Kernel) -> bool:
    """Whether a loop is the work of the side; one that launches kernels shares its work out by these, and what it loops over
    beside is bookkeeping."""
    found = list(statements(arm))
    launches = any(isinstance(s, UnknownStmt) and s.cause.reason == LAUNCHED for s in found)
    return not launches and any(_is_work(s, kernel) for s in found)


def _is_work(stmt: Stmt, kernel: Kernel) -> bool:
    if not isinstance(stmt, Loop):
        return False
    touched = [s.address for s in statements((stmt,)) if isinstance(s, (Load, Store, Atomic))]
    return not touched or not all(is_own(address, kernel) for address in touched)


def _message(context: Context, told: Told) -> str:
    branch, share = told.branch, told.loss.lost
    splits = "the warp splits" if surely_splits(branch) else "the warp may split"
    arm = side_with_work(branch)
    active = active_text(branch.fact.splits.active) if arm is None else _average_text(arm)
    return sentences(
        f"divergent branch: {splits}{by_data_text(branch) if rests_on_data(branch.fact) else ''}, {active}",
        times_text(branch.fact.times, context.weights.sizes, at_most=branch.rarity > 0 or branch.ends),
        work_text(context, share, rests_on_data(branch.fact)) + (_UNLESS_MERGED if told.alike else ""),
        assuming_text(context.facts),
    )


def active_text(active: tuple[int, int]) -> str:
    """ "16 of 32 threads active", "1 to 31 of 32 threads active"."""
    least, most = active
    number = str(least) if least == most else f"{least} to {most}"
    return f"{number} of 32 threads active"


def _average_text(arm: ArmRuns) -> str:
    """ "16 of 32 threads active", "5.2 of 32 threads active on average"."""
    if arm.lanes % arm.warps == 0:
        return f"{arm.lanes // arm.warps} of 32 threads active"
    return f"{arm.lanes / arm.warps:.1f} of 32 threads active on average"


CHECK = Check(CODE, "divergent-branch", "both sides of a branch run in one warp", Level.WARNING, ask=ask)
