"""What the statements of a kernel cost the warps of a block, about: the work behind a branch or a loop.

A split is no cost in itself: what it costs are the instructions that run once more because of it.  So what is lost at a branch is told
as a part of the work of the whole kernel, and this module says how much work stands where.

What a statement itself costs is in `slots`; registers are free, and so are arrays of a thread's own at constant indexes.  What requests
cost is what shares say (`shares`): at representative sizes, for all warps of a block, halved for each condition that data decides.
Statements are executed as often as the accesses beside them are, of which that is known; where there are none, as the conditions and
loops around them say.  The figures weigh parts of one kernel against each other and predict no running time.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import field, replace
from math import prod

from analysis_core.expressions.expression import Expression
from analysis_core.ir.choices import choices
from analysis_core.ir.early_exits import loops_of_exits
from analysis_core.ir.nodes import (
    AccessId,
    Atomic,
    Block,
    Break,
    Continue,
    If,
    IfKind,
    Inlined,
    Kernel,
    Load,
    Loop,
    LoopKind,
    Return,
    Stmt,
    Store,
    Switch,
    UnknownStmt,
)
from analysis_core.ir.types import Space
from analysis_core.lower.library.ptx import BULK_COPY
from analysis_core.machine.sizes import LINE_BYTES, SECTOR_BYTES, WARP
from analysis_core.profile.access_profile import AccessProfile, BranchProfile, KernelProfile
from analysis_core.profile.idioms.alike_sides import Alike, alike_sides
from analysis_core.profile.kernel_context import Context, Loss
from analysis_core.profile.leaving import is_ragged, leaves_inside
from analysis_core.profile.own_elements import is_register
from analysis_core.profile.shares import costs_at
from analysis_core.profile.sizes import Guess, Sizes, at_sizes, other_sizes
from analysis_core.profile.slots import CYCLE, Slots
from analysis_core.profile.sureness import rests_on_data
from analysis_core.requests.facts import Divergence, ReadWrite
from analysis_core.support.derived import derived
from analysis_core.support.facts import as_far_as_read
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

FELT_LOUD = 0.05
"""The part of a kernel's work that mending an access has to save, to be a warning."""

Place = tuple[Span, Span, tuple[Span, ...], IfKind | LoopKind | str]
"""A branch: its span, the whole statement, the calls that lead to it, its kind."""


@dataclass(frozen=True, slots=True)
class Side:
    """A side of a branch, or a whole loop.  `slots`: what it costs all warps of a block; `waiting`: what of that is in loops whose own
    lanes leave apart.  `whole`: the work of a run of the kernel that comes here: of two sides between which all lanes of a block
    choose alike, a block has one.  `moved`: what of the rest is sectors, of requests with several; `apart`: what of sectors and wavefronts the
    same lanes would need, however they stood.  `lanes`: of a loop, the part of
    each warp (0 to 1) that branches around leave it: what idles there is lost at them, and cannot be lost again.  `alike`: what of the slots
    the other side of the branch does as well (profile/idioms/alike_sides.py)."""

    slots: float
    waiting: float
    whole: float
    moved: float
    apart: float = 0.0
    lanes: float = 0.0
    alike: float = 0.0

    @property
    def own(self) -> float:
        """The slots of what this side does and the other side does not do as well."""
        return self.slots - self.alike


_NOTHING = Side(0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True, slots=True)
class Work:
    """The work of a kernel. `sides`: of each branch, then before else, the arms of a `switch`, one for a loop;
    `values`: at these sizes; `total`: of the kernel; `divided`: about what of that integer divisions by values of the run take."""

    sides: Mapping[Place, tuple[Side, ...]]
    values: Mapping[str, int]
    total: float
    divided: float = 0.0

    def of(self, branch: BranchProfile) -> tuple[Side, ...]:
        """The sides of a branch; none where it does not stand in the kernel."""
        return self.sides.get(place_of(branch), ())

    def of_loop(self, loop: Span, via: tuple[Span, ...]) -> tuple[Side, ...]:
        """The loop that stands there."""
        places = (p for p in self.sides if p[0] == loop and p[2] == via and isinstance(p[3], LoopKind))
        return next((self.sides[place] for place in places), ())


def place_of(branch: BranchProfile) -> Place:
    """The place of a branch in the text, by which its sides are found."""
    return (branch.fact.span, branch.fact.whole or branch.fact.span, branch.fact.via, branch.fact.kind)


def loss_at(
    context: Context, branch: BranchProfile, loss_of: Callable[[Work], Loss], is_exit: bool = False
) -> tuple[Loss, Loss]:
    """What is lost at the representative sizes, and the least that it may be at others that are as likely: a loss that only a guess
    makes is none to be told.

    Loops of unknown length may have few rounds, all of them, or all but those that stand around; and where a size is large, what is done
    once for each part of the data that a block takes is nothing.  `is_exit`: the loop that the branch leaves is none that stands around."""
    told = least = loss_of(work_of(context, Guess()))
    around = {info.span for info in context.facts.symbols if info.span is not None and _is_around(info.span, branch)}
    if is_exit:
        around -= {min(around, key=lambda loop: loop.end - loop.start, default=branch.fact.span)}
    for guess in dict.fromkeys(
        (Guess(few=True), Guess(few=True, many=frozenset(around)), Guess(large=True), Guess(blocks=True))
    ):
        if least.lost < context.settings.information_share:
            break
        other = loss_of(work_of(context, guess))
        least = Loss(min(least.held, other.held), min(least.lost, other.lost))
    return told, least


def _is_around(loop: Span, branch: BranchProfile) -> bool:
    """Whether the branch stands in the loop (whole statements), or a call that leads to it does."""
    places = (branch.fact.whole or branch.fact.span, *branch.fact.via)
    return any(p != loop and p.file == loop.file and loop.start <= p.start and p.end <= loop.end for p in places)


@derived
def work_of(context: Context, guess: Guess) -> Work:
    """The work of one kernel under one launch."""
    profile, settings = context.profile, context.settings
    sizes, changed = other_sizes(profile, settings, guess)
    few, many = changed.representative_trips, settings.representative_trips
    early = (few, _left_by_data(context)) if guess.few else None
    if sizes == context.weights.sizes and guess != Guess() and not (early and early[1]):
        return work_of(context, Guess())
    paid = context.weights.accesses if guess == Guess() else costs_at(profile, sizes, changed)

    def trips(loop: Span) -> int:
        return 1 if loop in profile.waits else many if loop in guess.many else few

    weights = Slots.of_kernel(context.kernel)
    return _Reckoning.of(context.kernel, profile, sizes, paid, trips, weights, early).run()


def _left_by_data(context: Context) -> frozenset[Span]:
    """The loops that an `if` in them leaves by what memory holds."""
    exits = loops_of_exits(context.kernel)
    return frozenset(exits[b.span] for b in context.facts.branches if b.span in exits and rests_on_data(b))


def most_saved(context: Context, accesses: Collection[AccessProfile]) -> float:
    """The part of the kernel's work (0 to 1) that these accesses would not take at the ideal, with many rounds in loops of unknown length or with few."""
    known = [gains(context, guess) for guess in (Guess(), Guess(few=True)) if work_of(context, guess).total]
    return max((sum(one.get(id(access), 0.0) for access in accesses) for one in known), default=1.0)


@derived
def gains(context: Context, guess: Guess) -> Mapping[int, float]:
    """The part of the kernel's work (0 to 1) that each access (by `id`) would not take at the ideal."""
    sizes, changed = other_sizes(context.profile, context.settings, guess)
    paid = context.weights.accesses if guess == Guess() else costs_at(context.profile, sizes, changed)
    total = work_of(context, guess).total
    known = zip(context.profile.accesses, paid, strict=True)
    wasteful = ((one, cost) for one, cost in known if total and one.fact.worst > one.fact.ideal)
    return {id(access): _each(access) * cost * access.wasted / total for access, cost in wasteful}


def work_text(context: Context, share: float, by_data: bool) -> str:
    """ "costs about 30% of this kernel's work if n = 1024"; "up to about 30%" where data may keep lanes together."""
    return f"costs {'up to ' if by_data else ''}about {round(100 * share)}% of this kernel's work{_at_sizes_of_work(context)}"


@derived
def _at_sizes_of_work(context: Context) -> str:
    often = [e for branch in context.profile.branches for e in (branch.fact.times, branch.fact.leaving.rounds)]
    made = (access.fact.block.executed for access in context.profile.accesses)
    return at_sizes([*often, *made], context.weights.sizes) + as_far_as_read(context.kernel.unknowns)


@dataclass(frozen=True, slots=True)
class _Here:
    """How often a place is reached: by all warps of the block, by the warp that gets there most, and the halvings that data's
    conditions make it rarer by.  `lanes`: the part of a warp that branches which surely split it leave there.  `part`: of what facts say
    that is executed there, where loops are taken to end early."""

    block: float
    warp: float
    rarity: int
    lanes: float = 1.0
    part: float = 1.0

    @property
    def expected(self) -> float:
        return self.block / (1 << self.rarity)


@dataclass(slots=True)
class _Reckoning:
    """Statements are gone through from the outside in, and their work is added up from the inside out.  `parents`, `slots`: by number
    of a list of statements; `owners`: the branch and side that it is; `moved`, `apart`: what of the slots is sectors, or needed however lanes stand; `lanes`: of loops; `chosen`: tests
    of which a warp takes one side though lanes decide (ir/choices.py); `early`: the rounds of loops that memory may end early, where it decides
    whether they are come to, and these."""

    kernel: Kernel
    sizes: Sizes
    warps: int
    branches: Mapping[Place, BranchProfile]
    ragged: frozenset[Span]
    accesses: Mapping[AccessId, tuple[AccessProfile, float]]
    trips: Callable[[Span], int]
    weights: Slots
    chosen: frozenset[Span]
    similar: Mapping[int, Alike]
    early: tuple[int, frozenset[Span]] | None
    parents: list[int] = field(default_factory=lambda: [0])
    slots: list[float] = field(default_factory=lambda: [0.0])
    moved: list[float] = field(default_factory=lambda: [0.0])
    apart: list[float] = field(default_factory=lambda: [0.0])
    owners: list[tuple[Place, int] | None] = field(default_factory=lambda: [None])
    pending: list[tuple[Block, _Here, int, tuple[Span, ...]]] = field(default_factory=list)
    known: dict[int, tuple[float | None]] = field(default_factory=dict)
    lanes: dict[int, float] = field(default_factory=dict)
    alike: dict[tuple[Place, int], float] = field(default_factory=dict)
    divided: list[float] = field(default_factory=list)

    @staticmethod
    def of(
        kernel: Kernel,
        profile: KernelProfile,
        sizes: Sizes,
        paid: tuple[float, ...],
        trips: Callable[[Span], int],
        weights: Slots,
        early: tuple[int, frozenset[Span]] | None,
    ) -> _Reckoning:
        costs = {
            number: (access, cost / len(access.fact.ids))
            for access, cost in zip(profile.accesses, paid, strict=True)
            for number in access.fact.ids
        }
        branches = {place_of(branch): branch for branch in profile.branches}
        exits = loops_of_exits(kernel)
        ragged = {branch.fact.span for branch in profile.branches if is_ragged(branch)}
        ragged |= {
            exits[branch.fact.span]
            for branch in profile.branches
            if branch.fact.span in exits and leaves_inside(branch.fact)
        }
        warps = -(-prod(profile.facts.block) // WARP)
        chosen = choices(kernel).tests
        return _Reckoning(
            kernel, sizes, warps, branches, frozenset(ragged), costs, trips, weights, chosen, alike_sides(kernel), early
        )

    def run(self) -> Work:
        """All statements from the outside in, then their sums from the inside out."""
        self.pending.append((self.kernel.body, _Here(self.warps, 1, 0), 0, ()))
        while self.pending:
            self._list(*self.pending.pop())
        waiting = [0.0] * len(self.slots)
        for number in range(len(self.slots) - 1, 0, -1):
            parent, other, owner = self.parents[number], self._other(number), self.owners[number]
            ragged = owner is not None and isinstance(owner[0][3], LoopKind) and owner[0][0] in self.ragged
            mine, waits = self.slots[number], self.slots[number] if ragged else waiting[number]
            # Of two sides of which a block takes one the dearer counts; the second comes later in the lists, and was added before.
            self.slots[parent] += mine if other is None else max(0.0, mine - self.slots[other])
            waiting[parent] += waits if other is None else max(0.0, waits - waiting[other])
            for parts in (self.moved, self.apart):
                moves = 0.0 if ragged else parts[number]
                parts[parent] += moves if other is None else max(0.0, moves - parts[other])
        sides: dict[Place, tuple[Side, ...]] = {}
        whole = [self.slots[0]] * len(self.slots)
        for number, owner in enumerate(self.owners):
            if owner is None:
                continue
            whole[number] = whole[self.parents[number]] - self._spared(number)
            place, side = owner
            known = sides.get(place, ())
            known += (_NOTHING,) * (side + 1 - len(known))
            old, mine = known[side], self.slots[number]
            whole_run = max(old.whole, whole[number])
            moved, apart = old.moved + self.moved[number], old.apart + self.apart[number]
            lanes = max(old.lanes, self.lanes.get(number, 0.0))
            alike = self.alike.get(owner, 0.0)
            new = Side(old.slots + mine, old.waiting + waiting[number], whole_run, moved, apart, lanes, alike)
            sides[place] = (*known[:side], new, *known[side + 1 :])
        return Work(sides, self.sizes.values, self.slots[0], min(sum(self.divided), self.slots[0]))

    def _other(self, number: int) -> int | None:
        """Of the first of two sides between which the lanes of a block choose alike, the second."""
        owner, following = self.owners[number], number + 1
        if owner is None or owner[1] != 0 or following == len(self.owners):
            return None
        branch = self.branches.get(owner[0])
        if branch is None or branch.fact.kind is not IfKind.IF or branch.fact.divergence is Divergence.ALWAYS:
            return None
        alike = branch.fact.divergence is Divergence.NEVER or owner[0][0] in self.chosen
        return following if alike and self.owners[following] == (owner[0], 1) else None

    def _spared(self, number: int) -> float:
        """By how much a run that takes this side does less than one that takes the other."""
        first = number if self._other(number) is not None else number - 1
        second = self._other(first) if first > 0 else None
        if second is None or number not in (first, second):
            return 0.0
        return max(0.0, self.slots[first + second - number] - self.slots[number])

    def _open(self, block: Block, here: _Here, parent: int, via: tuple[Span, ...], owner: tuple[Place, int]) -> None:
        """Notes a list of statements for later."""
        if block and here.block > 0:
            self.parents.append(parent)
            self.slots.append(0.0)
            self.moved.append(0.0)
            self.apart.append(0.0)
            self.owners.append(owner)
            self.pending.append((block, here, len(self.slots) - 1, via))

    def _list(self, block: Block, here: _Here, number: int, via: tuple[Span, ...]) -> None:
        for stmt in block:
            before, at = self.slots[number], here
            match stmt:
                case Load() | Store() | Atomic():
                    here = self._access(stmt, here, number)
                case If():
                    self.slots[number] += self.weights.of(stmt) * here.expected
                    here = self._if(stmt, here, number, via)
                case _:
                    self._other_statement(stmt, here, number, via)
            self.divided.append(self.weights.of_divisions(stmt) * at.expected)
            similar = self.similar.get(id(stmt))
            if similar is not None:
                self._note_alike(stmt, similar, self.slots[number] - before, at.expected, via)

    def _other_statement(self, stmt: Stmt, here: _Here, number: int, via: tuple[Span, ...]) -> None:
        match stmt:
            case Loop():
                self._loop(stmt, here, number, via)
            case Switch():
                place = (stmt.span, stmt.whole, via, "switch")
                for side, arm in enumerate(stmt.arms):
                    self._open(arm.body, here, number, via, (place, side))
            case Inlined(function=name) if name != BULK_COPY:  # of that one no lane does the work
                self.pending.append((stmt.body, here, number, (*via, stmt.span)))
        self.slots[number] += self.weights.of(stmt) * here.expected

    def _note_alike(self, stmt: Stmt, similar: Alike, slots: float, times: float, via: tuple[Span, ...]) -> None:
        """Adds what a statement costs to what the sides that it is on have in common with their other ones."""
        place_alone = max(0.0, slots - self.weights.of_stored(stmt) * times) if similar.places else 0.0
        for sides, part in ((similar.sides, slots), (similar.places, place_alone)):
            for span, whole, side in sides:
                arm = ((span, whole, via, IfKind.IF), side)
                self.alike[arm] = self.alike.get(arm, 0.0) + part

    def _access(self, stmt: Load | Store | Atomic, here: _Here, number: int) -> _Here:
        """Adds the work of a request; how often the place is reached in truth."""
        access, cost = self.accesses.get(self.kernel.plain_number(stmt.access.id), (None, 0.0))
        registered = is_register(stmt.address, self.kernel)
        if access is None:
            self.slots[number] += (self.weights.of(stmt) - registered) * here.expected
            return here
        made = self._reached(access, here)
        # What stands beside what a register keeps, or another request brings, is done in each round all the same.
        kept = access.fact.block.kept is not None and not access.fact.block.kept.leaving
        source = access if access.reached is None else access.reached
        after = replace(here, rarity=access.frequency.rarity) if kept else self._reached(source, here)
        if access.fact.space is Space.LOCAL and registered:
            self.slots[number] += (self.weights.of(stmt) - 1) * after.expected  # what the value takes
            return after
        each = _each(access)
        moved = here.part * cost if access.fact.worst else made.expected
        self.slots[number] += each * moved + self.weights.of(stmt) * made.expected
        if access.fact.space is not Space.SHARED and moved > made.expected:
            self.moved[number] += each * moved
        self.apart[number] += each * moved * _needed(access, here.lanes)
        return after

    def _reached(self, access: AccessProfile, here: _Here) -> _Here:
        """How often requests are made, as far as that is known."""
        block, warp = self._value(access.fact.block.executed), self._value(access.fact.times)
        block = here.block if block is None else here.part * block / access.fact.requests
        return replace(
            here, block=block, warp=here.warp if warp is None else here.part * warp, rarity=access.frequency.rarity
        )

    def _value(self, expression: Expression | None) -> float | None:
        if expression is None:
            return None
        # Facts share most of their expressions, and live as long as this.
        known = self.known.get(id(expression))
        if known is None:
            known = self.known[id(expression)] = (self.sizes.at(expression),)
        return known[0]

    def _if(self, stmt: If, here: _Here, number: int, via: tuple[Span, ...]) -> _Here:
        """Both sides; how often what comes after is reached."""
        place = (stmt.span, stmt.whole, via, stmt.kind)
        branch = self.branches.get(place)
        sides = (stmt.then, stmt.otherwise)
        leaves = tuple(map(_leaves, sides))
        taken = [self._side(branch, side, here, any(leaves)) for side in range(2)]
        for side, arm in enumerate(sides):
            self._open(arm, taken[side], number, via, (place, side))
        if any(leaves):
            return taken[1] if leaves[0] else taken[0]
        return here

    def _side(self, branch: BranchProfile | None, side: int, here: _Here, leaving: bool) -> _Here:
        if branch is None or branch.fact.runs is None or not branch.fact.runs.tests:
            return here
        part = min(1.0, branch.fact.runs.warps(side) / branch.fact.runs.tests)
        by_data = not leaving and branch.fact.runs.open > 0 and rests_on_data(branch.fact)
        lanes, arm = here.lanes, branch.fact.runs.arms[side]
        if not leaving and not branch.fact.runs.open and arm.warps and branch.fact.divergence is Divergence.ALWAYS:
            lanes *= arm.lanes / (arm.warps * WARP)
        rarity = max(here.rarity, branch.rarity) + by_data
        return replace(here, block=here.block * part, warp=here.warp if part else 0.0, rarity=rarity, lanes=lanes)

    def _loop(self, stmt: Loop, here: _Here, number: int, via: tuple[Span, ...]) -> None:
        place = (stmt.span, stmt.whole, via, stmt.kind)
        branch = self.branches.get(place)
        rounds = self._value(branch.fact.leaving.rounds) if branch is not None else None
        rounds = here.warp * self.trips(stmt.whole) if rounds is None else here.part * rounds
        part = self._part(branch, here, rounds)
        rounds *= part
        trips = rounds / max(1.0, here.warp)
        inside = replace(here, block=here.block * trips, warp=rounds, part=here.part * part)
        tests = (
            inside
            if stmt.kind is LoopKind.DO
            else replace(here, block=inside.block + here.block, warp=rounds + here.warp)
        )
        outer = len(self.slots)
        self.lanes[outer] = here.lanes
        self.parents.append(number)
        self.slots.append(self.weights.of(stmt) * tests.expected)
        self.moved.append(0.0)
        self.apart.append(0.0)
        self.owners.append((place, 0))
        for block, often in ((stmt.test, tests), (stmt.body, inside), (stmt.step, inside)):
            if block and often.block > 0:
                self.pending.append((block, often, outer, via))

    def _part(self, loop: BranchProfile | None, here: _Here, rounds: float) -> float:
        """The part of a loop's rounds that it makes if memory ends it early, where memory decides whether it is come to: what looks for
        something behind a search that found nothing."""
        if self.early is None or loop is None or loop.fact.span not in self.early[1] or not here.rarity or rounds <= 0:
            return 1.0
        return min(1.0, self.early[0] * here.warp / rounds)


def _needed(access: AccessProfile, part: float) -> float:
    """The part of what requests of some lanes (a part of each warp) move that full warps of such lanes would move as well, beside what they
    save as fewer warps do: nothing of a float in every fourth lane, all of four floats in each of eight lanes.  Of memory that
    nobody knows nothing is taken to be needed, nor of places that a counter hands out, which are neighbours."""
    if (
        part >= 1
        or not access.fact.best
        or access.fact.space not in (Space.GLOBAL, Space.SHARED)
        or access.expected.handed_out
    ):
        return 0.0
    unit = LINE_BYTES if access.fact.space is Space.SHARED else SECTOR_BYTES
    # What is paid above the best place to begin is paid wherever the lanes stand.
    used = min(1.0, access.each_ideal / access.fact.best, part * WARP * access.fact.bytes / unit / access.fact.best)
    return max(0.0, (used - part) / (1 - part))


def _each(access: AccessProfile) -> int:
    """The slots of a wavefront or sector."""
    return 1 if access.fact.space is Space.CONSTANT else CYCLE * (1 + (access.fact.rw is ReadWrite.ATOMIC))


def _leaves(arm: Block) -> bool:
    """Whether no lane comes out of its end."""
    return any(isinstance(s, (Return, Break, Continue)) or (isinstance(s, UnknownStmt) and s.leaves) for s in arm)
