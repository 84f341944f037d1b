"""Loops whose counters double or halve: `for (l = n / 2; l > 0; l >>= 1)`, `while (d < n) d = 2 * d + 1`.

They end within some dozen rounds whatever the size, and in each of them other lanes are busy at another stride.  A summary knows the
greatest stride and the most lanes, but not that the one comes with the fewest of the other: so such loops are worth to be
executed round by round even where a kernel has used up what it may for that.
"""

from __future__ import annotations

from analysis_core.ir.nodes import Assign, Binary, Const, Expr, Local, Loop, VarId
from analysis_core.ir.walk import statements, uncast


def moves_by_powers(loop: Loop, tested: frozenset[VarId]) -> bool:
    """Whether a variable that the loop's test reads (one of `tested`) is multiplied or divided in each round, and
    otherwise changed by adding numbers at most."""
    inside = [s for s in statements((*loop.test, *loop.body, *loop.step)) if isinstance(s, Assign)]
    always = [s for s in (*loop.body, *loop.step) if isinstance(s, Assign)]
    for var in tested:
        scaled = [s for s in always if s.var == var and _is_scaled(s.value, var)]
        if scaled and all(s is scaled[0] or _is_raised(s.value, var) for s in inside if s.var == var):
            return True
    return False


def _is_scaled(value: Expr, var: VarId) -> bool:
    """Whether the value is the variable's times a number, or divided by one, of two or more."""
    least = {"*": 2, "/": 2, "<<": 1, ">>": 1}
    value = uncast(value)
    amount = _amount(value, var)
    return isinstance(value, Binary) and amount is not None and amount >= least.get(value.op, amount + 1)


def _is_raised(value: Expr, var: VarId) -> bool:
    """Whether the value is the variable's and a number that is not negative."""
    value = uncast(value)
    amount = _amount(value, var)
    return isinstance(value, Binary) and value.op == "+" and amount is not None and amount >= 0


def _amount(value: Expr, var: VarId) -> int | None:
    """The number n of `var op n`, or of `n * var`."""
    if not isinstance(value, Binary):
        return None
    left, right = uncast(value.left), uncast(value.right)
    if value.op in ("*", "+") and isinstance(left, Const):
        left, right = right, left
    if (
        not isinstance(left, Local)
        or left.var != var
        or not isinstance(right, Const)
        or not isinstance(right.value, int)
    ):
        return None
    return right.value
