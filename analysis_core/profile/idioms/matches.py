"""Tests for a window that matches: after a loop that counts where two things differ, or notes that they do.

    int differ = 0;                                    bool same = true;
    for (int j = 0; j < m; j++)                        for (int j = 0; j < m; j++)
        if (text[i + j] != word[j]) differ++;              if (text[i + j] != word[j]) { same = false; break; }
    if (differ < limit) { .. break; }                  if (same) { .. break; }

Of all places of a text few match (records that are compared are another matter: one of them is looked for, and found), so that a lane which leaves a loop there leaves it long before the others, if it does, but seldom does.
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis_core.ir.effects import assigned_in, variables_in
from analysis_core.ir.loop_info import loops_of
from analysis_core.ir.nodes import (
    Assign,
    Binary,
    Block,
    Const,
    Expr,
    If,
    Kernel,
    Load,
    Local,
    Loop,
    PtrAdd,
    Unary,
    VarId,
)
from analysis_core.ir.walk import statements, uncast
from analysis_core.text.span import Span

_BELOW = {"<": True, "<=": True, ">": False, ">=": False}
"""Whether an order asks its left side to be small."""


def asked_for_matches(kernel: Kernel) -> frozenset[Span]:
    """The conditions in loops that ask whether a window matches, where each round moves the window on."""
    found: set[Span] = set()
    for info in loops_of(kernel):
        for test, block in info.tests:
            asked = _asked(test.condition)
            place = next(number for number, stmt in enumerate(block) if stmt is test)
            loops = [s for s in block[:place] if isinstance(s, Loop) and asked is not None and _notes(s, *asked)]
            if any(_slides(loop, info.loop) for loop in loops):
                found.add(test.span)
    return frozenset(found)


def _asked(condition: Expr) -> tuple[VarId, bool] | None:
    """A variable, and whether it is asked to be small: a count below a limit, a flag that is not set."""
    asked = uncast(condition)
    if isinstance(asked, Local):
        return asked.var, False
    if isinstance(asked, Unary) and asked.op == "!" and isinstance(flag := uncast(asked.operand), Local):
        return flag.var, True
    if not isinstance(asked, Binary):
        return None
    left, right = uncast(asked.left), uncast(asked.right)
    if asked.op in _BELOW:
        small = _BELOW[asked.op]
        side = left if small else right
        other = right if small else left
        return (side.var, True) if isinstance(side, Local) and side.var not in variables_in(other) else None
    if asked.op in ("==", "!=") and isinstance(left, Local) and isinstance(right, Const):
        return left.var, (asked.op == "==") == (right.value == 0)
    return None


def _notes(loop: Loop, var: VarId, small: bool) -> bool:
    """Whether the loop counts in the variable where things differ, or sets it to what is not asked for then."""
    sides = [side for stmt in statements((loop,)) if isinstance(stmt, If) for side in _differing(stmt)]
    notes = [s for side in sides for s in side if isinstance(s, Assign) and s.var == var]
    if not notes or len(notes) < sum(isinstance(s, Assign) and s.var == var for s in statements((loop,))):
        return False
    return all(map(_is_counted if small else _is_cleared, notes))


def _slides(loop: Loop, around: Loop) -> bool:
    """Whether something is read at the sum of a place that each round of the loop around moves, and of one that those of the loop do."""
    inner = assigned_in((loop,))
    outer = assigned_in((*around.body, *around.step)) - inner
    return any(
        isinstance(s, Load) and not (own := _terms(s.address)).isdisjoint(inner) and not own.isdisjoint(outer)
        for s in statements((loop,))
    )


def _terms(address: Expr) -> frozenset[VarId]:
    """The variables of which an address is the sum, once each."""
    found: set[VarId] = set()
    pending = [address]
    while pending:
        node = uncast(pending.pop())
        if isinstance(node, PtrAdd):
            pending.extend((node.pointer, node.index))
        elif isinstance(node, Binary) and node.op == "+":
            pending.extend((node.left, node.right))
        elif isinstance(node, Local):
            found.add(node.var)
    return frozenset(found)


def _differing(branch: If) -> Iterator[Block]:
    asked = uncast(branch.condition)
    if isinstance(asked, Binary) and asked.op in ("!=", "=="):
        yield branch.then if asked.op == "!=" else branch.otherwise


def _is_counted(stmt: Assign) -> bool:
    """One more, or set."""
    value = uncast(stmt.value)
    if isinstance(value, Const):
        return value.value != 0
    return isinstance(value, Binary) and value.op == "+" and variables_in(value) == {stmt.var}


def _is_cleared(stmt: Assign) -> bool:
    value = uncast(stmt.value)
    return isinstance(value, Const) and value.value == 0
