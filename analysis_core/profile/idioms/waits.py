"""Loops that wait for other threads: for a lock, a flag, their turn at a word that all of them change.

    while (atomicCAS(&lock[b], 0, 1) != 0) {}
    do { assumed = old; old = atomicCAS(&sum[b], assumed, add(v, assumed)); } while (assumed != old);
    while (state[b] == BUSY) state[mine] = FREE;

A round does what the round before did, at the same places, until memory has changed: nothing that it computes goes into the next but
what it has read.  As a rule others are done before, so that such a loop runs once, or not at all; a loop that gets on (the next slot
of a table, the next node of a list, a count) is none of these, and neither is one that meets a barrier: there the block works together.
One that goes on only where it was forestalled at a word waits, too (retries.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from analysis_core.ir.effects import assigned_by, variables_in
from analysis_core.ir.nodes import (
    Assign,
    Atomic,
    Barrier,
    BarrierScope,
    Binary,
    Block,
    Break,
    Const,
    Expr,
    If,
    Inlined,
    Kernel,
    Load,
    Loop,
    Return,
    Stmt,
    Store,
    Switch,
    UnknownStmt,
    VarId,
)
from analysis_core.ir.walk import blocks_of, statements_of, subexpressions, uncast
from analysis_core.profile.idioms.retries import is_retried
from analysis_core.text.span import Span

_TAKES = ("cas", "exch")
"""Atomics whose old value says whether this thread was the one; others count."""

_ORDERS = ("<", ">", "<=", ">=")


def waiting_loops(kernel: Kernel) -> frozenset[Span]:
    """The loops (whole statements) that wait."""
    return frozenset(s.whole for s in statements_of(kernel) if isinstance(s, Loop) and (_waits(s) or is_retried(s)))


@dataclass(slots=True)
class _Round:
    """What a loop holds: its own statements, what decides that it goes on, and by variable what is assigned to it."""

    body: list[Stmt] = field(default_factory=list)
    deciders: list[Expr] = field(default_factory=list)
    assigned: dict[VarId, list[tuple[Stmt, Expr | None]]] = field(default_factory=dict)


def _waits(loop: Loop) -> bool:
    found = _round(loop)
    if found is None or not found.deciders:
        return False
    known = _repeated(found)
    free = found.assigned.keys() - known
    deciders = _with_flags(found, known)
    read = {var for decider in deciders for var in variables_in(decider)}
    if read & free:
        return False
    sources = list(_sources(read, found))
    if not sources:
        return False
    if any(isinstance(s, Atomic) for s in sources):
        return True
    stores = [s for s in found.body if isinstance(s, Store)]
    if not all(_is_settled(s, found) for s in stores) or _competes(sources, stores):
        return False
    if all(isinstance(s, Load) and s.access.volatile for s in sources):
        return True
    # Memory that no word says others change: only where a round can do nothing else than ask again.
    asked = (e for decider in deciders for e in subexpressions(decider))
    orders = any(isinstance(e, Binary) and e.op in _ORDERS for e in asked)
    nested = sum(isinstance(s, Loop) for s in found.body)
    fixed = all(isinstance(s, Load) and not variables_in(s.address) & found.assigned.keys() for s in sources)
    return fixed and not orders and not nested and not free


def _round(loop: Loop) -> _Round | None:
    """What is in a loop; None where it meets a barrier, holds what is not understood, or is left for no reason."""
    found = _Round(deciders=[] if loop.condition is None else [loop.condition])
    # A block, the condition it stands under in the loop, and the jumps that leave the loop from there.
    jumps: tuple[type[Stmt], ...] = (Break, Return)
    pending: list[tuple[Block, Expr | None, tuple[type[Stmt], ...]]] = [
        (part, None, jumps) for part in (loop.test, loop.body, loop.step)
    ]
    while pending:
        block, under, leaving = pending.pop()
        for stmt in block:
            found.body.append(stmt)
            for var in assigned_by(stmt):
                found.assigned.setdefault(var, []).append((stmt, under))
            match stmt:
                case UnknownStmt():
                    return None
                case Barrier(scope=scope) if scope is not BarrierScope.WARP:
                    return None
                case Return() | Break() if isinstance(stmt, leaving):
                    if under is None:
                        return None
                    found.deciders.append(under)
                case Loop() | Switch():
                    pending.extend((nested, under, tuple({Return} & set(leaving))) for nested in blocks_of(stmt))
                case Inlined(body=body):
                    pending.append((body, under, ()))
                case If(condition=condition):
                    pending.extend((nested, condition, leaving) for nested in blocks_of(stmt))
                case _:
                    pass
    return found


def _repeated(found: _Round) -> frozenset[VarId]:
    """The variables that hold in each round what memory held at places that do not change, or constants: nothing in them counts."""
    known: set[VarId] = set()
    left = dict(found.assigned)
    while True:
        more = {var for var, made in left.items() if all(_repeats(stmt, frozenset(left)) for stmt, _ in made)}
        if not more:
            return frozenset(known)
        known |= more
        for var in more:
            del left[var]


def _repeats(stmt: Stmt, free: frozenset[VarId]) -> bool:
    read = _read_by(stmt)
    return read is not None and not read & free


def _read_by(stmt: Stmt) -> frozenset[VarId] | None:
    """The variables that decide what an assignment gives; None where a round's is never that of another."""
    match stmt:
        case Assign(value=value):
            return variables_in(value)
        case Load(address=address):
            return variables_in(address)
        case Atomic(address=address, op=op, args=args):
            asks = all(isinstance(arg, Const) and not arg.value for arg in map(uncast, args))
            return variables_in(address) if op in _TAKES or asks else None
        case _:
            return None


def _with_flags(found: _Round, known: frozenset[VarId]) -> list[Expr]:
    """What decides, with the conditions under which flags are set that it reads (`done = true`)."""
    deciders = list(found.deciders)
    for decider in deciders:
        for var in variables_in(decider) & known:
            for stmt, under in found.assigned[var]:
                plain = isinstance(stmt, Assign) and not variables_in(stmt.value)
                if plain and under is not None and under not in deciders:
                    deciders.append(under)
    return deciders


def _sources(read: set[VarId], found: _Round) -> Iterator[Stmt]:
    """The loads and atomics of a round that these variables rest on."""
    pending, seen = list(read), set(read)
    while pending:
        for stmt, _ in found.assigned.get(pending.pop(), ()):
            if isinstance(stmt, (Load, Atomic)):
                yield stmt
            more = (_read_by(stmt) or frozenset()) - seen
            seen |= more
            pending.extend(more)


def _competes(sources: Iterable[Stmt], stores: Iterable[Store]) -> bool:
    """Whether what is asked for is what the loop stores: lanes of one warp that write to one place have their turns in it, round by round."""
    asked = {s.address for s in sources if isinstance(s, Load)}
    return any(store.address in asked for store in stores)


def _is_settled(store: Store, found: _Round) -> bool:
    """Whether each round stores the same."""
    return all(not variables_in(value) & found.assigned.keys() for value in store.values)
