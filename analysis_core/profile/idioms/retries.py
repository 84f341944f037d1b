"""Loops that exchange a word by comparison, and go on only where another thread was quicker.

    do { again = false; if ((seen = atomicCAS(&p[a], a, b)) != a) { a = seen; again = true; } } while (again);
    do { old = p[i]; } while (old < mine && atomicCAS(&p[i], old, mine) != old);

A word that a thread has just read is the same still, nearly always: what is tried succeeds at once.  So one round is gone through as if
each exchange had found what it compared with: where nothing goes on then, the loop is left after one try.  A loop that takes the next
slot of a table compares with what is no content of memory that it has read, or goes on for other reasons, too.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import field

from analysis_core.ir.effects import assigned_by, assigned_in, made_of, variables_in
from analysis_core.ir.loop_info import LoopInfo
from analysis_core.ir.nodes import (
    Assign,
    Atomic,
    Binary,
    Block,
    Break,
    Cast,
    Const,
    Continue,
    Expr,
    If,
    Inlined,
    Load,
    Local,
    Loop,
    Return,
    Stmt,
    Switch,
    Unary,
    UnknownExpr,
    UnknownStmt,
    VarId,
)
from analysis_core.ir.walk import fold, own_part, statements
from analysis_core.text.records import dataclass

_DEEPEST = 40
"""Statements inside of each other; what is deeper is not looked at."""

_State = dict[VarId, int]
"""What variables hold, by number: equal numbers are equal values."""


def is_retried(info: LoopInfo) -> bool:
    """Whether the loop repeats only while an atomic exchange fails."""
    if not any(isinstance(s, Atomic) and s.op == "cas" and s.var is not None for s in info.inside):
        return False
    if info.meets or any(isinstance(s, UnknownStmt) for s in info.inside):
        return False
    read = frozenset(var for s in info.inside if isinstance(s, (Load, Atomic)) for var in assigned_by(s))
    loop, one = info.loop, _Round(made_of(info.inside, read))
    order = (loop.body, loop.step, loop.test)
    try:
        return one.is_last(order, loop.condition) and one.tried
    except _TooDeep:
        return False


class _TooDeep(Exception):
    pass


@dataclass(slots=True)
class _Round:
    """One round in which all exchanges succeed.  `read`: what the loop reads from memory.  `known`: numbers of values; `constants`: by
    number.  `ends`: where `continue` leaves the variables, and `returns`: `return`s of the call that is gone through."""

    read: frozenset[VarId]
    known: dict[Hashable, int] = field(default_factory=dict)
    constants: dict[int, int | float] = field(default_factory=dict)
    ends: list[_State] = field(default_factory=list)
    returns: list[list[_State]] = field(default_factory=list)
    tried: bool = False

    def is_last(self, order: tuple[Block, Block, Block], condition: Expr | None) -> bool:
        """Whether no way through the round leads to another one."""
        body, step, test = order
        after = self._list(body, {}, 0)
        state = self._joined([*self.ends, *([] if after is None else [after])])
        for block in (step, test):
            state = None if state is None else self._list(block, state, 0)
        if state is None:
            return True
        return condition is not None and self._truth(condition, state) is False

    def _list(self, block: Block, state: _State, depth: int) -> _State | None:
        """The variables after the statements; None where no way leads there."""
        if depth > _DEEPEST:
            raise _TooDeep
        now: _State | None = state
        for stmt in block:
            if now is None:
                return None
            now = self._one(stmt, now, depth)
        return now

    def _one(self, stmt: Stmt, state: _State, depth: int) -> _State | None:
        match stmt:
            case Assign(var=var, value=value):
                return {**state, var: self._number(value, state)}
            case Atomic(op="cas", var=var, args=(expected, _)) if (
                var is not None and variables_in(expected) & self.read
            ):
                self.tried = True
                return {**state, var: self._number(expected, state)}
            case If(condition=condition, then=then, otherwise=otherwise):
                truth = self._truth(condition, state)
                arms = [arm for arm, taken in ((then, True), (otherwise, False)) if truth is not (not taken)]
                return self._joined([s for s in (self._list(arm, state, depth + 1) for arm in arms) if s is not None])
            case Inlined(body=body):
                self.returns.append([])
                after = self._list(body, state, depth + 1)
                return self._joined([*self.returns.pop(), *([] if after is None else [after])])
            case Return():
                if self.returns:
                    self.returns[-1].append(state)
                return None
            case Break():
                return None
            case Continue():
                self.ends.append(state)
                return None
            case Loop() | Switch():
                return self._passed(stmt, state)
            case _:
                return self._without(state, assigned_by(stmt))

    def _passed(self, stmt: Loop | Switch, state: _State) -> _State:
        """After what is not gone through: a loop of its own, a switch."""
        after = self._without(state, assigned_in((stmt,)))
        for inner in statements((stmt,)):
            if isinstance(inner, Return) and self.returns:
                self.returns[-1].append(after)
            elif isinstance(inner, Continue):
                self.ends.append(after)
        return after

    def _without(self, state: _State, changed: Iterable[VarId]) -> _State:
        return {**state, **{var: self._fresh() for var in changed}}

    def _joined(self, states: Sequence[_State]) -> _State | None:
        """What is the same in all of them."""
        if len(states) < 2:
            return states[0] if states else None
        changed = {var for state in states for var in state}
        held = {var: {self._of(var, state) for state in states} for var in changed}
        return {var: numbers.pop() if len(numbers) == 1 else self._fresh() for var, numbers in held.items()}

    def _of(self, var: VarId, state: _State) -> int:
        found = state.get(var)
        return self._numbered(("before", var)) if found is None else found

    def _fresh(self) -> int:
        return self._numbered(("unlike", len(self.known)))

    def _numbered(self, key: Hashable) -> int:
        return self.known.setdefault(key, len(self.known))

    def _constant(self, value: int | float) -> int:
        number = self._numbered(("constant", value))
        self.constants[number] = value
        return number

    def _truth(self, condition: Expr, state: _State) -> bool | None:
        value = self.constants.get(self._number(condition, state))
        return None if value is None else bool(value)

    def _number(self, expr: Expr, state: _State) -> int:
        """The number of a value; conversions keep it."""

        def of(node: Expr, parts: Sequence[int]) -> int:
            match node:
                case Const(value=value):
                    return self._constant(value)
                case Local(var=var):
                    return self._of(var, state)
                case Cast():
                    return parts[0]
                case Unary(op="!"):
                    known = self.constants.get(parts[0])
                    return self._numbered(("!", *parts)) if known is None else self._constant(not known)
                case Binary(op=op):
                    known = self._compared(op, *parts)
                    return self._numbered((op, *parts)) if known is None else self._constant(known)
                case UnknownExpr():
                    return self._fresh()
                case _:
                    return self._numbered((type(node), own_part(node), *parts))

        return fold(expr, of)

    def _compared(self, op: str, left: int, right: int) -> bool | None:
        """What a test says of two values; None where that is not known, or it is no test."""
        if op in ("==", "!="):
            apart = left != right
            return None if apart and not self.constants.keys() >= {left, right} else apart is (op == "!=")
        if op in ("<", ">", "<=", ">="):
            return op in ("<=", ">=") if left == right else None
        if op in ("&&", "||"):
            sides = [self.constants.get(side) for side in (left, right)]
            if any(side is not None and bool(side) is (op == "||") for side in sides):
                return op == "||"
            return None if None in sides else op == "&&"
        return None
