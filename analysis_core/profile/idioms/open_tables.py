"""Loops that look for a key in a table of open addressing, from the slot that a hash gives on.

    slot = hash(key) % slots;
    while (true) {
        old = atomicCAS(&keys[slot], EMPTY, key);
        if (old == EMPTY || old == key) break;
        slot = (slot + 1) % slots;
    }

Each round looks at another slot, which is found again from the first one on behind the last, and a comparison with what stands there ends the
loop.  Whoever makes such a table makes it large enough that this comes soon: half full, one that is found takes 1.5 looks on average, and a free
slot 2.5.  So a loop like that is taken for one of two rounds, in shares.  A loop that goes all around for something else, with a sum or a
barrier in it, is none.
"""

from __future__ import annotations

from collections.abc import Sequence, Set

from analysis_core.ir.effects import assigned_by, made_of, variables_in
from analysis_core.ir.loop_info import LoopInfo
from analysis_core.ir.nodes import (
    Assign,
    Atomic,
    Binary,
    Const,
    Expr,
    Load,
    Loop,
    Select,
    Stmt,
    UnknownStmt,
    VarId,
)
from analysis_core.ir.walk import subexpressions, uncast

PROBES = 2
"""Slots that are looked at, rounded."""


def looks_for_a_key(info: LoopInfo) -> bool:
    """Whether a loop looks for a key in a table of open addressing."""
    inside = info.inside
    if info.meets or any(isinstance(s, (Loop, UnknownStmt)) for s in inside):
        return False
    slots = frozenset(s.var for s in inside if isinstance(s, Assign) and _wraps(s, info.changes.keys()))
    if not slots or _adds_up(inside, slots):
        return False
    looked_at = made_of(inside, slots)
    found = frozenset(
        var
        for s in inside
        if (isinstance(s, Load) or (isinstance(s, Atomic) and s.op == "cas")) and variables_in(s.address) & looked_at
        for var in assigned_by(s)
    )
    held = made_of(inside, found)
    test = () if info.loop.condition is None else (info.loop.condition,)
    deciders = (*test, *(condition for one in info.exits for condition in one.under))
    compared = (e for decider in deciders for e in subexpressions(decider))
    return any(isinstance(e, Binary) and e.op in ("==", "!=") and variables_in(e) & held for e in compared)


def _wraps(stmt: Assign, changed: Set[VarId]) -> bool:
    """`slot = (slot + 1) % slots`, `(slot + step) & mask`, `slot + 1 == slots ? 0 : slot + 1`: what comes after a slot, round and round."""
    match uncast(stmt.value):
        case Binary(op="%" | "&", left=left, right=right):
            return stmt.var in variables_in(left) and not variables_in(right) & changed and _is_sum(left)
        case Select(then=then, otherwise=otherwise):
            ends = [uncast(side) for side in (then, otherwise)]
            begins = any(isinstance(side, Const) and not side.value for side in ends)
            return begins and any(stmt.var in variables_in(side) and _is_sum(side) for side in ends)
        case _:
            return False


def _is_sum(expr: Expr) -> bool:
    """Whether something is added, so that the next is another slot."""
    inner = uncast(expr)
    return isinstance(inner, Binary) and inner.op in ("+", "-")


def _adds_up(inside: Sequence[Stmt], slots: frozenset[VarId]) -> bool:
    """Whether something but the slot and a count goes from round to round: whoever adds up what he meets goes all around."""
    own = (s for s in inside if isinstance(s, Assign) and s.var not in slots and s.var in variables_in(s.value))
    return any(len(variables_in(s.value)) > 1 for s in own)
