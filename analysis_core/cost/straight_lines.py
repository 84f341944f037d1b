"""Which accesses a compiler sees in one piece of straight-line code, as the text of a kernel says.

Barriers, shuffles, atomics, volatile accesses and code that is not known let other threads in: what stands before them and what stands
behind them are *stretches* of their own.  A loop whose rounds are known when it is compiled (`for (int j = 0; j < 4; j++)`) is
unrolled, and its rounds are one piece of code; other loops begin anew with each round.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from analysis_core.ir.nodes import (
    AccessId,
    Assign,
    Atomic,
    Barrier,
    Builtin,
    Const,
    Expr,
    Inlined,
    Intrinsic,
    Kernel,
    Load,
    Local,
    Loop,
    Shuffle,
    Stmt,
    Store,
    UnknownExpr,
    UnknownStmt,
    VarId,
    Vote,
)
from analysis_core.ir.walk import expressions_of, statements, subexpressions
from analysis_core.text.span import Span

_MOST_NODES = 256
"""Parts of expressions in a loop that is unrolled without being told to."""

_CALL = 64
"""What a call of a function of the library counts as."""


@dataclass(frozen=True, slots=True)
class StraightLines:
    """`stretches`: by access, the number of its stretch.  `unrolled`: loops, by the whole statement."""

    stretches: Mapping[AccessId, int]
    unrolled: frozenset[Span]


def straight_lines(kernel: Kernel) -> StraightLines:
    """What the text of the kernel says."""
    every = tuple(statements(kernel.body))
    loops = [stmt for stmt in every if isinstance(stmt, Loop)]
    constant = _constants(kernel, every)
    rolled = {loop.whole for loop in loops if not _is_unrolled(loop, constant)}
    return StraightLines(_stretches(every), frozenset(loop.whole for loop in loops) - rolled)


def _stretches(every: tuple[Stmt, ...]) -> dict[AccessId, int]:
    found: dict[AccessId, int] = {}
    number = 0
    for stmt in every:
        alone = _lets_others_in(stmt)
        number += alone
        if isinstance(stmt, (Load, Store, Atomic)):
            found[stmt.access.id] = number
        number += alone
    for stmt in every:
        if isinstance(stmt, Loop) and stmt.condition is None:  # no test is seen between its rounds
            inside = statements((stmt,))
            found.update({s.access.id: -1 - s.access.id for s in inside if isinstance(s, (Load, Store, Atomic))})
    return found


def _lets_others_in(stmt: Stmt) -> bool:
    match stmt:
        case Barrier() | Atomic() | Shuffle() | Vote() | UnknownStmt():
            return True
        case Load(access=access) | Store(access=access):
            return access.volatile
        case Inlined(body=body):
            return not body
        case _:
            return False


def _is_unrolled(loop: Loop, constant: frozenset[VarId]) -> bool:
    """Whether its rounds are one piece of code: their number is known, and they are small or it is said so."""
    if loop.condition is None or loop.unroll == 1 or not _is_constant(loop.condition, constant):
        return False
    inside = tuple(statements((*loop.test, *loop.body, *loop.step)))
    if any(_lets_others_in(stmt) for stmt in inside):
        return False
    if any(isinstance(stmt, Loop) and not _is_unrolled(stmt, constant) for stmt in inside):
        return False
    return loop.unroll is not None or sum(map(_size, inside)) <= _MOST_NODES


def _size(stmt: Stmt) -> int:
    return sum(_CALL if isinstance(e, Intrinsic) else 1 for expr in expressions_of(stmt) for e in subexpressions(expr))


def _constants(kernel: Kernel, every: tuple[Stmt, ...]) -> frozenset[VarId]:
    """Variables whose values follow from constants, as far as assignments say: those that nothing else goes into."""
    users: dict[VarId, list[VarId]] = {}
    assigned: set[VarId] = set()
    spoiled = {*kernel.parameters, *_changed_otherwise(every)}
    for stmt in every:
        if isinstance(stmt, Assign):
            assigned.add(stmt.var)
            for node in subexpressions(stmt.value):
                if isinstance(node, Local):
                    users.setdefault(node.var, []).append(stmt.var)
                elif isinstance(node, (Builtin, UnknownExpr)):
                    spoiled.add(stmt.var)
    spoiled |= {var for var in users if var not in assigned}
    waiting = list(spoiled)
    for var in waiting:
        fresh = [user for user in users.get(var, ()) if user not in spoiled]
        spoiled.update(fresh)
        waiting += dict.fromkeys(fresh)
    return frozenset(assigned - spoiled)


def _changed_otherwise(every: tuple[Stmt, ...]) -> frozenset[VarId]:
    """Variables that get values from memory, from other lanes and from unknown code."""
    found: set[VarId] = set()
    for stmt in every:
        match stmt:
            case Load(vars=vars):
                found.update(vars)
            case Atomic(var=var) | Shuffle(var=var) | Vote(var=var):
                found |= set() if var is None else {var}
            case UnknownStmt(changes=changes):
                found.update(changes)
            case _:
                pass
    return frozenset(found)


def _is_constant(expr: Expr, constant: frozenset[VarId]) -> bool:
    for node in subexpressions(expr):
        match node:
            case Const():
                pass
            case Local(var=var) if var not in constant:
                return False
            case Builtin() | UnknownExpr():
                return False
            case _:
                pass
    return True
