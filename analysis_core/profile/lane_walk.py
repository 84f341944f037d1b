"""What some lanes of a launch do at the numbers that it passes: which accesses they come to, and how many rounds loops have.

    if (i < n) out[i] = in[i];          k<<<n, 256>>>: of 256 n threads n come to it
    while (at < end) at <<= 1;          rounds that no expression gives

Statements are executed for all these lanes together, each with its own numbers where they are known.  A condition that is not known sends a
lane both ways, and what it holds after both is known where they agree.  Loops go round as long as their conditions are known; beyond that,
or where that takes too long, what a loop assigns is unknown, and its body is gone through once.  So a lane that does not come to an access
does not at these numbers; one that does, may.

    for (int k = 0; k < 16; k++) sum += tile[row][k] * tile[k][column];         all lanes come to both in the first round

Rounds that nobody would miss are not executed: where such a last round, with unknown numbers, leads no lane anywhere that it has not come to
before, none of those that it stands for does.  What the loop assigns must not be asked for behind it, and no loop in it may be one whose rounds are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import field

import numpy as np

from analysis_core.domains.shape import BoolVector
from analysis_core.ir.effects import assigned_by, assigned_in, variables_in
from analysis_core.ir.nodes import (
    AccessId,
    Assign,
    Atomic,
    Block,
    Break,
    Continue,
    Expr,
    If,
    Inlined,
    Kernel,
    Load,
    Loop,
    LoopKind,
    Return,
    Stmt,
    Store,
    Switch,
    VarId,
)
from analysis_core.ir.walk import expressions_of, statements, statements_of
from analysis_core.profile.lane_numbers import Numbers, Places, numbers_of
from analysis_core.support.derived import derived
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_MOST_STEPS = 3_000
"""Statements that are executed before loops are cut short."""

MOST_ROUNDS = 64
"""Rounds of one loop that are executed."""

_DEEPEST = 64


@dataclass(frozen=True, slots=True, eq=False)
class _State:
    """The lanes that may be here, and what variables hold on them."""

    may: BoolVector
    held: Mapping[VarId, Numbers]

    @property
    def is_dead(self) -> bool:
        return not self.may.any()


@dataclass(slots=True)
class _Left:
    """Where lanes went that left a loop or a call: to its end, or to its next round."""

    broke: list[_State] = field(default_factory=list)
    again: list[_State] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Inside:
    """What is to be known of a loop before rounds of it are left out.  `assigned`: in it; `later`: what of that is read elsewhere; `is_whole`: whether
    its rounds are executed one by one, whatever they do."""

    assigned: frozenset[VarId]
    later: frozenset[VarId]
    is_whole: bool


@dataclass(slots=True)
class LaneWalk:
    """`came`: the lanes that may come to each access, and to each condition by its place; `rounds`: how many each of the loops that are `asked` for
    (whole statements) has wherever lanes come to it, None where that is not known or differs.  Where some are, nobody asks who comes where.
    `places`: where the lanes stand."""

    kernel: Kernel
    places: Places
    lanes: int
    asked: frozenset[Span] = frozenset()
    came: dict[AccessId | Span, BoolVector] = field(default_factory=dict)
    rounds: dict[Span, int | None] = field(default_factory=dict)
    steps: int = _MOST_STEPS
    inside: dict[int, Inside] = field(default_factory=dict)

    def walk(self, held: Mapping[VarId, Numbers]) -> None:
        """Executes the kernel's body."""
        self._block(self.kernel.body, _State(np.ones(self.lanes, dtype=bool), held), _Left(), _Left(), 0)

    def _of(self, expr: Expr, state: _State) -> Numbers | None:
        return numbers_of(expr, state.held, self.places, self.lanes)

    def _block(self, block: Block, state: _State, loop: _Left, call: _Left, depth: int) -> _State:
        for stmt in block:
            if state.is_dead:
                break
            self.steps -= 1
            state = self._statement(stmt, state, loop, call, depth)
        return state

    def _statement(self, stmt: Stmt, state: _State, loop: _Left, call: _Left, depth: int) -> _State:
        dead = _State(np.zeros_like(state.may), state.held)
        match stmt:
            case Assign(var=var, value=value):
                return _with(state, var, self._of(value, state))
            case If(condition=condition, then=then, otherwise=otherwise, span=span) if depth < _DEEPEST:
                self._come(span, state)
                true, false = self._parted(condition, state)
                first = self._block(then, true, loop, call, depth + 1)
                return _joined([first, self._block(otherwise, false, loop, call, depth + 1)], dead)
            case Loop() if depth < _DEEPEST:
                return self._loop(stmt, state, call, depth + 1)
            case Switch(arms=arms) if depth < _DEEPEST:
                changed = [var for arm in arms for var in assigned_in(arm.body)]
                unknown, own = _without(state, changed), _Left()
                for arm in arms:
                    self._block(arm.body, unknown, _Left(own.broke, loop.again), call, depth + 1)
                return unknown
            case Inlined(body=body) if depth < _DEEPEST:
                own = _Left()
                end = self._block(body, state, _Left(), own, depth + 1)
                return _joined([end, *own.broke], dead)
            case Return():
                call.broke.append(state)
                return dead
            case Break():
                loop.broke.append(state)
                return dead
            case Continue():
                loop.again.append(state)
                return dead
            case Load(access=access) | Store(access=access) | Atomic(access=access):
                self._come(access.id, state)
                return _without(state, assigned_by(stmt))
            case _:
                return _without(state, assigned_by(stmt))

    def _parted(self, condition: Expr | None, state: _State) -> tuple[_State, _State]:
        """The lanes that may find a condition true, and those that may find it false."""
        if condition is None:
            return state, _State(np.zeros_like(state.may), state.held)
        found = self._of(condition, state)
        if found is None:
            return state, state
        true = state.may & (~found.known | (found.values != 0))
        return _State(true, state.held), _State(state.may & (~found.known | (found.values == 0)), state.held)

    def _loop(self, loop: Loop, state: _State, call: _Left, depth: int) -> _State:
        ways: list[_State] = []
        dead = _State(np.zeros_like(state.may), state.held)
        begun, rounds, tests_first = state.may, 0, loop.kind is not LoopKind.DO
        decided, widened = True, False
        while not state.is_dead:
            if (
                tests_first
                and rounds & (rounds - 1) == 0
                and (rest := self._rest(loop, state, call, depth)) is not None
            ):
                ways.extend(rest)
                break
            if tests_first:
                self._come(loop.span, state)
                state = self._block(loop.test, state, _Left(), call, depth)
                state, done = self._parted(loop.condition, state)
                decided = decided and not (state.may & done.may).any()
                ways.append(done)
                if state.is_dead:
                    break
            if not widened and (not decided or rounds >= MOST_ROUNDS or self.steps < 0):
                decided, widened = False, True
                state = _without(state, self._inside(loop).assigned)
            left, returned = _Left(), len(call.broke)
            end = self._block(loop.body, state, left, call, depth)
            gone = (*left.broke, *call.broke[returned:])
            decided = decided and not any((one.may & end.may).any() for one in gone)
            ways.extend(left.broke)
            state = self._block(loop.step, _joined([end, *left.again], dead), _Left(), call, depth)
            rounds, tests_first = rounds + 1, True
            if widened:
                state = self._block(loop.test, state, _Left(), call, depth)
                ways.append(self._parted(loop.condition, state)[1])
                break
        self._note(loop.whole, rounds if decided else None, begun)
        return _joined(ways, dead)

    def _rest(self, loop: Loop, state: _State, call: _Left, depth: int) -> list[_State] | None:
        """Where lanes leave the loop, if rounds from this state on lead none anywhere that it has not come to; None if they may."""
        inside = self._inside(loop)
        if inside.is_whole or any(var in state.held for var in inside.later):
            return None
        before, left, dead = dict(self.came), _Left(), _State(np.zeros_like(state.may), state.held)
        begun = _without(state, inside.assigned)
        self._come(loop.span, begun)
        going, done = self._parted(loop.condition, self._block(loop.test, begun, _Left(), call, depth))
        end = self._block(loop.body, going, left, call, depth)
        end = self._block(loop.step, _joined([end, *left.again], dead), _Left(), call, depth)
        last = self._parted(loop.condition, self._block(loop.test, end, _Left(), call, depth))[1]
        if all(before.get(place) is lanes for place, lanes in self.came.items()):
            return [done, *left.broke, last]
        self.came = before
        return None

    def _inside(self, loop: Loop) -> Inside:
        found = self.inside.get(id(loop))
        if found is None:
            inner = statements((loop,))
            assigned, reads = assigned_in((loop,)), _reads(inner)
            later = frozenset(var for var in assigned if reads[var] < _all_reads(self.kernel)[var])
            whole = any(isinstance(one, Return) or (isinstance(one, Loop) and one.whole in self.asked) for one in inner)
            found = self.inside[id(loop)] = Inside(assigned, later, whole)
        return found

    def _come(self, place: AccessId | Span, state: _State) -> None:
        if self.asked:
            return
        before = self.came.get(place)
        if before is None or (state.may & ~before).any():
            self.came[place] = state.may if before is None else before | state.may

    def _note(self, loop: Span, rounds: int | None, begun: BoolVector) -> None:
        if loop in self.asked and begun.any():
            same = loop not in self.rounds or self.rounds[loop] == rounds
            self.rounds[loop] = rounds if same else None


def _reads(block: Collection[Stmt]) -> Counter[VarId]:
    """How many expressions of these statements read each variable."""
    return Counter(var for stmt in block for expr in expressions_of(stmt) for var in variables_in(expr))


@derived
def _all_reads(kernel: Kernel) -> Counter[VarId]:
    return _reads(statements_of(kernel))


def _with(state: _State, var: VarId, numbers: Numbers | None) -> _State:
    if numbers is None:
        return _without(state, (var,))
    return _State(state.may, {**state.held, var: numbers})


def _without(state: _State, variables: Collection[VarId]) -> _State:
    gone = [var for var in variables if var in state.held]
    return _State(state.may, {v: n for v, n in state.held.items() if v not in gone}) if gone else state


def _joined(states: Collection[_State], dead: _State) -> _State:
    """The lanes of all of them, with what each that a lane may come from says alike."""
    found = dead
    for state in states:
        if not state.is_dead:
            found = state if found.is_dead else _both(found, state)
    return found


def _both(one: _State, other: _State) -> _State:
    held: dict[VarId, Numbers] = {}
    for var, mine in one.held.items():
        theirs = other.held.get(var)
        if theirs is mine:
            held[var] = mine
        elif theirs is not None:
            values = np.where(one.may, mine.values, theirs.values)
            own = ~one.may | (mine.known & (mine.values == values))
            held[var] = Numbers(values, own & (~other.may | (theirs.known & (theirs.values == values))))
        elif (alone := mine.known & ~other.may).any():
            held[var] = Numbers(mine.values, alone)
    for var, theirs in other.held.items():
        if var not in one.held and (alone := theirs.known & ~one.may).any():
            held[var] = Numbers(theirs.values, alone)
    return _State(one.may | other.may, held)
