"""Loops that wait for other threads: for a lock, a flag, their turn at a word that all of them change.

    while (atomicCAS(&lock[b], 0, 1) != 0) {}
    do { assumed = old; old = atomicCAS(&sum[b], assumed, add(v, assumed)); } while (assumed != old);
    while (state[b] == BUSY) state[mine] = FREE;

A round does what the round before did, at the same places, until memory has changed: nothing that it computes goes into the next but
what it has read.  As a rule others are done before, so that such a loop runs once, or not at all; a loop that gets on (the next slot
of a table, the next node of a list, a count) is none of these, and neither is one that meets a barrier: there the block works together.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from analysis_core.ir.effects import variables_in
from analysis_core.ir.loop_info import ORDERS, LoopInfo, loops_of
from analysis_core.ir.nodes import (
    Assign,
    Atomic,
    Binary,
    Const,
    Expr,
    If,
    Kernel,
    Load,
    Loop,
    Stmt,
    Store,
    UnknownStmt,
    VarId,
)
from analysis_core.ir.walk import subexpressions, uncast
from analysis_core.text.span import Span

_TAKES = ("cas", "exch")
"""Atomics whose old value says whether this thread was the one; others count."""

_Changes = Mapping[VarId, Sequence[Stmt]]


def waiting_loops(kernel: Kernel) -> frozenset[Span]:
    """The loops (whole statements) that wait for other threads."""
    return frozenset(info.loop.whole for info in loops_of(kernel) if waits(info))


def waits(info: LoopInfo) -> bool:
    """Whether a loop waits for other threads."""
    if info.meets or any(isinstance(s, UnknownStmt) for s in info.inside) or not all(one.under for one in info.exits):
        return False
    test = [] if info.loop.condition is None else [info.loop.condition]
    known = _repeated(info.changes)
    free = info.changes.keys() - known
    deciders = _with_flags([*test, *(one.under[-1] for one in info.exits)], info, known)
    read = {var for decider in deciders for var in variables_in(decider)}
    sources = list(_sources(read, info.changes))
    if not sources or read & free:
        return False
    if any(isinstance(s, Atomic) for s in sources):
        return True
    stores = [s for s in info.inside if isinstance(s, Store)]
    if not all(_is_settled(s, info.changes) for s in stores) or _competes(sources, stores):
        return False
    if all(isinstance(s, Load) and s.access.volatile for s in sources):
        return True
    # Memory that no word says others change: only where a round can do nothing else than ask again.
    asked = (e for decider in deciders for e in subexpressions(decider))
    orders = any(isinstance(e, Binary) and e.op in ORDERS for e in asked)
    nested = any(isinstance(s, Loop) for s in info.inside)
    fixed = all(isinstance(s, Load) and not variables_in(s.address) & info.changes.keys() for s in sources)
    return fixed and not orders and not nested and not free


def _repeated(changes: _Changes) -> frozenset[VarId]:
    """The variables that hold in each round what memory held at places that do not change, or constants: nothing in them counts."""
    left = dict(changes)
    while True:
        more = {var for var, made in left.items() if all(_repeats(stmt, frozenset(left)) for stmt in made)}
        if not more:
            return frozenset(changes.keys() - left.keys())
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


def _with_flags(deciders: list[Expr], info: LoopInfo, known: frozenset[VarId]) -> list[Expr]:
    """What decides, with the conditions under which flags are set that it reads (`done = true`)."""
    tests = [stmt for stmt in info.inside if isinstance(stmt, If)]
    for decider in deciders:  # grows
        flags = variables_in(decider) & known
        for test in tests:
            plain = (s for s in (*test.then, *test.otherwise) if isinstance(s, Assign) and not variables_in(s.value))
            if test.condition not in deciders and any(s.var in flags for s in plain):
                deciders.append(test.condition)
    return deciders


def _sources(read: set[VarId], changes: _Changes) -> Iterator[Stmt]:
    """The loads and atomics of a round that these variables rest on."""
    pending, seen = list(read), set(read)
    while pending:
        for stmt in changes.get(pending.pop(), ()):
            if isinstance(stmt, (Load, Atomic)):
                yield stmt
            more = (_read_by(stmt) or frozenset()) - seen
            seen |= more
            pending.extend(more)


def _competes(sources: Iterable[Stmt], stores: Iterable[Store]) -> bool:
    """Whether what is asked for is what the loop stores: lanes of one warp that write to one place have their turns in it, round by round."""
    asked = {s.address for s in sources if isinstance(s, Load)}
    return any(store.address in asked for store in stores)


def _is_settled(store: Store, changes: _Changes) -> bool:
    """Whether each round stores the same."""
    return all(not variables_in(value) & changes.keys() for value in store.values)
