"""Which accesses a compiler sees in one piece of straight-line code, as the text of a kernel says.

Barriers, fences, shuffles, atomics, volatile accesses and code that is not known let other threads in: what stands before them and what stands
behind them are *stretches* of their own.  A loop whose rounds are known when it is compiled (`for (int j = 0; j < 4; j++)`) is
unrolled, and its rounds are one piece of code; other loops begin anew with each round.

Whether each round is code of its own (`written_out`), so that its counter is a number there, is another question than whether its accesses stand in one
piece.  nvcc 13 writes out a known number of rounds up to 24 whatever they do, loops and barriers in them included, and more of them as long as the code that
it makes of them has about 2,500 instructions; of the others it writes out some all the same (tests/oracles/test_unrolled.py).  `#pragma unroll 4` before more rounds than
these leaves a loop, of which compilers often make nothing but code in a second go.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import field
from math import inf

from analysis_core.ir.constants import fold_int
from analysis_core.ir.effects import accesses_memory, assigned_by, lets_others_in
from analysis_core.ir.loop_info import LoopInfo, loops_of
from analysis_core.ir.nodes import (
    AccessId,
    Assign,
    Atomic,
    Binary,
    Builtin,
    Const,
    Expr,
    Intrinsic,
    Kernel,
    Load,
    Local,
    Loop,
    Stmt,
    Store,
    UnknownExpr,
    VarId,
)
from analysis_core.ir.types import ScalarKind, ScalarType
from analysis_core.ir.walk import expressions_of, statements, statements_of, subexpressions
from analysis_core.support.derived import derived
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_MOST_NODES = 256
"""Parts of expressions in a loop that is unrolled without being told to."""

_FEW_ROUNDS = 24
"""Rounds that are written out whatever they do."""

_MOST_INSTRUCTIONS, _OF_ROUND = 2048, 4
"""Of all rounds that are written out, however many they are; and of each, what counts and tests."""

_CALL = 64
"""What a call of a function of the library counts as."""


@dataclass(frozen=True, slots=True)
class StraightLines:
    """`stretches`: by access, the number of its stretch.  `unrolled`: loops, by the whole statement.  `written_out`: these, and others whose
    rounds stand one behind the other, though not as one piece of code: with barriers, loops and divisions between them.  `strung`: the unrolled
    ones, and others between whose accesses there are loops that access nothing.  `undecided`: others with a known number of rounds, of which nothing is said: compilers
    choose."""

    stretches: Mapping[AccessId, int] = field(default_factory=dict)
    unrolled: frozenset[Span] = frozenset()
    written_out: frozenset[Span] = frozenset()
    strung: frozenset[Span] = frozenset()
    undecided: frozenset[Span] = frozenset()


@derived
def straight_lines(kernel: Kernel) -> StraightLines:
    """Which accesses of a kernel stand in one stretch of code, and which loops compilers write out."""
    every = statements_of(kernel)
    loops = [stmt for stmt in every if isinstance(stmt, Loop)]
    constants = _Constants.of(kernel, every)
    pieces = set[int]()
    for loop in reversed(loops):  # the inner ones first
        pieces |= {id(loop)} if _is_unrolled(loop, constants, pieces) else set()
    sizes, out = dict[int, float](), set[int]()
    for info in reversed(loops_of(kernel)):
        sizes[id(info.loop)] = size = _OF_ROUND + sum(_instructions(stmt, sizes) for stmt, _ in info.placed)
        rounds = rounds_of(info)
        out |= {id(info.loop)} if _is_written_out(info.loop, constants, rounds, size) else set()
        sizes[id(info.loop)] *= rounds if rounds is not None and id(info.loop) in out else inf
    rolled = {loop.whole for loop in loops if id(loop) not in pieces}
    written = frozenset(loop.whole for loop in loops if id(loop) in out)
    unrolled = frozenset(loop.whole for loop in loops) - rolled
    strung = frozenset(loop.whole for loop in loops if _is_strung(loop, constants, unrolled))
    undecided = frozenset(
        loop.whole
        for loop in loops
        if id(loop) not in out and loop.unroll != 1 and loop.condition and constants.decide(loop.condition)
    )
    return StraightLines(_stretches(every), unrolled, written, unrolled | strung, undecided)


def _stretches(every: tuple[Stmt, ...]) -> dict[AccessId, int]:
    found: dict[AccessId, int] = {}
    number = 0
    for stmt in every:
        alone = lets_others_in(stmt)
        number += alone
        if isinstance(stmt, (Load, Store, Atomic)):
            found[stmt.access.id] = number
        number += alone
    for stmt in every:
        if isinstance(stmt, Loop) and stmt.condition is None:  # no test is seen between its rounds
            inside = statements((stmt,))
            found.update({s.access.id: -1 - s.access.id for s in inside if isinstance(s, (Load, Store, Atomic))})
    return found


def _is_unrolled(loop: Loop, constants: _Constants, known: Collection[int]) -> bool:
    """Whether its rounds are one piece of code: their number is known, and they are small or it is said so.  `known`: those loops in it of
    which that holds, by identity."""
    if loop.condition is None or loop.unroll == 1 or not constants.decide(loop.condition):
        return False
    inside = tuple(statements((*loop.test, *loop.body, *loop.step)))
    if any(lets_others_in(stmt) for stmt in inside):
        return False
    if any(isinstance(stmt, Loop) and id(stmt) not in known for stmt in inside):
        return False
    return loop.unroll is not None or sum(map(_size, inside)) <= _MOST_NODES


def _is_strung(loop: Loop, constants: _Constants, unrolled: Collection[Span]) -> bool:
    """Whether it is said to be unrolled, as the number of its rounds lets it, and no loop in it that is not accesses anything."""
    if loop.condition is None or loop.unroll in (None, 1) or not constants.decide(loop.condition):
        return False
    inside = tuple(statements((*loop.test, *loop.body, *loop.step)))
    inner = (stmt for stmt in inside if isinstance(stmt, Loop) and stmt.whole not in unrolled)
    return not any(map(lets_others_in, inside)) and not any(map(accesses_memory, inner))


def _is_written_out(loop: Loop, constants: _Constants, rounds: int | None, size: float) -> bool:
    """Whether the number of its rounds is known, and compilers write them out, as it is said or as they do unasked.  `size`: instructions of one."""
    if loop.condition is None or loop.unroll == 1 or not constants.decide(loop.condition):
        return False
    if loop.unroll is not None:
        return loop.unroll == 0 or rounds is None or rounds <= loop.unroll
    if rounds is None:
        return size <= _MOST_NODES // 2
    return rounds <= _FEW_ROUNDS or rounds * size <= _MOST_INSTRUCTIONS


def rounds_of(info: LoopInfo) -> int | None:
    """How many rounds a loop makes that counts from one number to another, if nothing ends it before; None where its text does not say."""
    counter = info.counter
    if counter is None or counter.start is None:
        return None
    start, end, step = fold_int(counter.start), fold_int(counter.end), counter.step.number
    if start is None or end is None or not step:
        return None
    way = (end - start) * (1 if step > 0 else -1) + (counter.relation in ("<=", ">="))
    return max(0, -(-way // abs(step)))


def _instructions(stmt: Stmt, loops: Mapping[int, float]) -> float:
    """About how many instructions a statement of a round is, without what stands in it; of an inner loop, those of all its rounds, if they are written out."""
    if isinstance(stmt, Loop):
        return loops[id(stmt)]
    moved = isinstance(stmt, (Load, Store, Atomic))
    parts = (e for expr in expressions_of(stmt) for e in subexpressions(expr))
    return moved + sum(_weight(e) for e in parts if not isinstance(e, (Const, Local, Builtin)))


def _size(stmt: Stmt) -> int:
    return sum(_weight(e) for expr in expressions_of(stmt) for e in subexpressions(expr))


def _weight(expr: Expr) -> int:
    """A division of floats is code with branches of its own."""
    if isinstance(expr, Binary) and expr.op == "/" and not isinstance(expr.right, Const):
        return _MOST_NODES if isinstance(expr.type, ScalarType) and expr.type.kind is ScalarKind.FLOAT else 1
    return _CALL if isinstance(expr, Intrinsic) else 1


@dataclass(frozen=True, slots=True)
class _Constants:
    """Variables whose values follow from constants, as far as assignments say; those that change (`counters`) only from their own.  The
    rounds of `for (j = 0; j < i; j++)` are known only where the loop around it was unrolled before, which nvcc does the other way round."""

    values: frozenset[VarId]
    counters: frozenset[VarId]

    def decide(self, condition: Expr) -> bool:
        """Whether a condition is of constants and one counter, or never holds."""
        nodes = tuple(subexpressions(condition))
        if any(isinstance(node, (Builtin, UnknownExpr)) for node in nodes):
            return False
        asked = {node.var for node in nodes if isinstance(node, Local)}
        if not asked:
            return isinstance(condition, Const) and not condition.value
        return asked <= self.values and len(asked & self.counters) == 1

    @staticmethod
    def of(kernel: Kernel, every: tuple[Stmt, ...]) -> _Constants:
        """Those into which nothing else goes."""
        assigned = [stmt for stmt in every if isinstance(stmt, Assign)]
        times = Counter(stmt.var for stmt in assigned)
        counters = frozenset(var for var, count in times.items() if count > 1)
        users: dict[VarId, list[VarId]] = {}
        spoiled = {*kernel.parameters}
        for stmt in every:  # what comes from memory, from other lanes and from unknown code
            spoiled.update(() if isinstance(stmt, Assign) else assigned_by(stmt))
        for stmt in assigned:
            for node in subexpressions(stmt.value):
                if isinstance(node, Local):
                    users.setdefault(node.var, []).append(stmt.var)
                    spoiled |= {stmt.var} if node.var in counters and node.var != stmt.var else set()
                elif isinstance(node, (Builtin, UnknownExpr)):
                    spoiled.add(stmt.var)
        spoiled |= {var for var in users if var not in times}
        waiting = list(spoiled)
        for var in waiting:
            fresh = [user for user in users.get(var, ()) if user not in spoiled]
            spoiled.update(fresh)
            waiting += dict.fromkeys(fresh)
        return _Constants(frozenset(times) - spoiled, counters)
