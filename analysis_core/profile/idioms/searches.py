"""Searches by halves: loops that halve what is left between two ends, or the step by which they move a place.

    while (lo < hi) { mid = (lo + hi) / 2; if (key[mid] < x) lo = mid + 1; else hi = mid; }
    while (true) { step = (step + 1) / 2; if (found) break; if (key[at] < x) at += step; else at -= step; }

Whatever memory holds, n elements take floor(log2 n) + 1 rounds or one fewer: lanes that search equal ranges leave within a round of each
other, and those of ranges of which one is twice as long within two.  By a step, the place is found by the time that the step has come to
rest, but for a round.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from analysis_core.ir.effects import assigned_once, variables_in
from analysis_core.ir.loop_info import ORDERS, LoopInfo, loops_of, step_of
from analysis_core.ir.nodes import Assign, Binary, Const, Expr, If, Kernel, Local, Stmt, VarId
from analysis_core.ir.shared_values import is_shared
from analysis_core.ir.walk import subexpressions, uncast
from analysis_core.text.span import Span


def searches(kernel: Kernel) -> frozenset[Span]:
    """The conditions of loops that end when their two ends have met, of which one is set to the middle, or next to it, in each round."""
    return frozenset(info.loop.span for info in loops_of(kernel) if _is_search(info))


def step_searches(kernel: Kernel) -> frozenset[Span]:
    """The conditions of loops that search by a step that shrinks."""
    return frozenset(info.loop.span for info in loops_of(kernel) if shrinking_steps(info))


def begun_alike(kernel: Kernel) -> frozenset[Span]:
    """The conditions of `if`s in searches whose two ends begin as the same numbers in all threads of a block: their lanes look at one place
    first, at two then, and part as they go on, if what they look for is not near."""
    found: set[Span] = set()
    for info in loops_of(kernel):
        before = [info.before(end) for end in halving_ends(info)] if _is_search(info) else [None]
        if all(value is not None and is_shared(value, assigned_once(kernel), kernel) for value in before):
            found.update(s.span for s in info.inside if isinstance(s, If))
    return frozenset(found)


def _is_search(info: LoopInfo) -> bool:
    return bool(halving_ends(info)) and info.ends_by_test


def halving_ends(info: LoopInfo) -> tuple[VarId, ...]:
    """The two ends between which a loop looks, if one of them is set to the middle, or next to it, in each round; none of other loops.
    The loop asks for them, or for how far they are apart."""
    order = None if info.loop.condition is None else uncast(info.loop.condition)
    if not isinstance(order, Binary) or order.op not in (*ORDERS, "!="):
        return ()
    ends, length = variables_in(order), frozenset[VarId]()
    if len(ends) == 1:
        ends, length = _apart(ends, info.inside), ends
    made = {s.var: variables_in(s.value) for s in info.inside if isinstance(s, Assign) and halves(s.value)}
    middles = {var for var, of in made.items() if ends <= (of | ends if of & length else of)}
    moved = len(ends) == 2 and all(_is_set_to(middles, info.changes.get(end, ())) for end in ends)
    return tuple(sorted(ends)) if moved and middles else ()


def _apart(length: frozenset[VarId], inside: Iterable[Stmt]) -> frozenset[VarId]:
    """The variables whose difference a variable is set to, and to nothing else."""
    values = [uncast(s.value) for s in inside if isinstance(s, Assign) and s.var in length]
    known = len(values) == 1 and isinstance(values[0], Binary) and values[0].op == "-"
    return variables_in(values[0]) if known else frozenset()


def _is_set_to(middles: set[VarId], changes: Iterable[Stmt]) -> bool:
    """Whether an end is moved, and never but to the middle, or next to it."""
    values = [s.value for s in changes if isinstance(s, Assign)]
    return bool(values) and all(variables_in(value) <= middles and variables_in(value) for value in values)


def halved(info: LoopInfo) -> VarId | None:
    """The variable that each round halves, and that nothing else in the loop changes."""
    for var, changes in info.changes.items():
        value = changes[0].value if len(changes) == 1 and isinstance(changes[0], Assign) else None
        if value is not None and variables_in(value) == {var} and halves(value):
            return var
    return None


def halving_step(info: LoopInfo) -> VarId | None:
    """The number that each round halves and that alone ends the loop."""
    step = None if info.loop.condition is None else halved(info)
    return step if info.loop.condition is not None and variables_in(info.loop.condition) == {step} else None


def halves(value: Expr) -> bool:
    """Whether something is divided by two."""
    return any(
        isinstance(e, Binary)
        and isinstance(by := uncast(e.right), Const)
        and ((e.op == "/" and by.value == 2) or (e.op == ">>" and by.value == 1))
        for e in subexpressions(value)
    )


def shrinking_steps(info: LoopInfo) -> Mapping[VarId, tuple[int, int]]:
    """The variables s that each round replaces by (s + a) / d and by which it moves other variables, each with its a
    and d."""
    own = [s for s in (*info.loop.body, *info.loop.step) if isinstance(s, Assign) and len(info.changes[s.var]) == 1]
    parts = ((stmt.var, _part(stmt)) for stmt in own)
    return {var: part for var, part in parts if part is not None and _moves(var, info)}


def _part(stmt: Assign) -> tuple[int, int] | None:
    """(a, d) of `s = (s + a) / d`."""
    value = uncast(stmt.value)
    by = uncast(value.right) if isinstance(value, Binary) else None
    if not isinstance(value, Binary) or not isinstance(by, Const) or not isinstance(by.value, int):
        return None
    divisor = by.value if value.op == "/" else 1 << by.value if value.op == ">>" and 0 < by.value < 32 else 0
    added = _added(uncast(value.left), stmt.var)
    return None if added is None or divisor < 2 or not 0 <= added < divisor else (added, divisor)


def _added(value: Expr, var: VarId) -> int | None:
    """a of `s + a`."""
    if isinstance(value, Local):
        return 0 if value.var == var else None
    if not isinstance(value, Binary) or value.op != "+":
        return None
    left, right = uncast(value.left), uncast(value.right)
    alone = isinstance(left, Local) and left.var == var and isinstance(right, Const) and isinstance(right.value, int)
    return int(right.value) if alone and isinstance(right, Const) else None


def _moves(step: VarId, info: LoopInfo) -> bool:
    """Whether some variable goes by the step in both directions."""
    for changes in info.changes.values():
        steps = [made for stmt in changes if (made := step_of(stmt)) is not None]
        if {made.op for made in steps if variables_in(made.by) == {step}} == {"+", "-"}:
            return True
    return False
