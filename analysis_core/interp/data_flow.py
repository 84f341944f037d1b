"""What a loop changes in a way that depends on memory contents, found without interpreting it.

A summarised loop replaces a variable without a closed form by a fresh symbol.  Whether that symbol is lost to the
analysis or comes from memory is what this module tells: the same flow-insensitive walk as that of levels.py, asking
whether a load reaches the variable, through what is assigned to it or through the conditions that decide whether an
assignment runs (`if (data[m] < x) low = m;`, a binary search).  The loop's own exits are not among them.
"""

from __future__ import annotations

from collections.abc import Callable

from analysis_core.interp.levels import Assignment, assignments
from analysis_core.ir.nodes import Expr, Local, Loop, VarId
from analysis_core.ir.walk import subexpressions
from analysis_core.support.facts import Cause


def data_causes(
    loop: Loop, entry: Callable[[VarId], Cause | None], is_private: Callable[[Expr], bool]
) -> dict[VarId, Cause]:
    """The variables that depend on memory contents at the start of some round, with the load that makes them.

    `entry` gives that of a variable's value before the loop; `is_private` as in `levels.loop_levels`."""
    found = [a for part in (loop.test, loop.body, loop.step) for a in assignments(part, (), is_private)]
    assigned = {a.var for a in found}
    causes = {var: cause for var in sorted(assigned) if (cause := entry(var)) is not None}

    known: dict[int, tuple[VarId | Cause, ...]] = {}

    def read_in(expr: Expr) -> tuple[VarId | Cause, ...]:
        """In order, the variables that the loop assigns, and the causes of those that it does not."""
        read = known.get(id(expr))
        if read is None:
            names = dict.fromkeys(node.var for node in subexpressions(expr) if isinstance(node, Local))
            parts = [var if var in assigned else entry(var) for var in names]
            read = known[id(expr)] = tuple(part for part in parts if part is not None)
        return read

    def cause_of(a: Assignment) -> Cause | None:
        if a.data is not None:
            return a.data
        for expr in (*a.sources, *a.guards):
            for part in read_in(expr):
                cause = part if isinstance(part, Cause) else causes.get(part)
                if cause is not None:
                    return cause
        return None

    pending = [a for a in found if a.var not in causes]
    changed = True
    while changed:
        changed = False
        for a in pending:
            if a.var not in causes and (cause := cause_of(a)) is not None:
                causes[a.var] = cause
                changed = True
    return causes
