"""Do two kernels store the same in every thread?  A proof by a solver (z3), for all blocks, grids, parameters and contents of memory.

What is proved is about one thread that reads what was there before the launch and what it stores itself.  So it holds for launches in which pointers
lead to different arrays and no thread reads or writes what another one writes; which is taken for granted, and said.
"""

from __future__ import annotations

from analysis_core.ir.nodes import Kernel
from analysis_core.text.records import dataclass

_WORK = 6_000_000
"""Units of the solver's own count: some seconds."""


@dataclass(frozen=True, slots=True)
class Equality:
    """`proved`: both store the same; `natural`: if integer parameters are not negative; `rounding`: but that floating point operations are done in
    another order, or other ones that are equal for real numbers; `cause`: why nothing is proved."""

    proved: bool
    natural: bool = False
    rounding: bool = False
    cause: str = ""


_RUNGS = ((False, False), (True, False), (True, True))
"""Whether parameters are not negative, and floating point is exact: what is tried, the strongest first."""


def equality(one: Kernel, other: Kernel) -> Equality:
    """Tries the operations as they are written first, then real numbers."""
    try:
        import z3

        from analysis_core.claims.symbols import Unfollowed
    except ImportError:
        return Equality(False, cause="there is no solver: z3 is not installed")
    found: bool | None = None
    floats = True
    try:
        for natural, real in _RUNGS:
            if real and not floats:
                break
            found, floats = _is_equal(one, other, natural, real)
            if found:
                return Equality(True, natural, real)
    except Unfollowed as why:
        return Equality(False, cause=f"not followed: {why}")
    except z3.Z3Exception:
        return Equality(False, cause="the solver does not decide it")
    if found is None:
        return Equality(False, cause="the solver finds no proof")
    return Equality(False, cause="the solver finds a thread that may store something else")


def _is_equal(one: Kernel, other: Kernel, natural: bool, real: bool) -> tuple[bool | None, bool]:
    """None if the solver does not know; and whether there is floating point in it. Raises `Unfollowed`."""
    import z3

    from analysis_core.claims.one_thread import Thread
    from analysis_core.claims.symbols import Symbols, Unfollowed

    symbols = Symbols(real, natural)
    threads = Thread(one, symbols, "first"), Thread(other, symbols, "second")
    effects = [thread.run() for thread in threads]
    types = {**effects[0].cells, **effects[1].cells}
    if any((types[root].size, types[root].kind) != (t.size, t.kind) for e in effects for root, t in e.cells.items()):
        raise Unfollowed("an array that is read and written in several types")
    place = symbols.bits("cell", 64)
    differ = []
    for root in sorted({root for e in effects for root in e.stores}):
        if root.startswith(("first.", "second.")):
            continue  # of the thread itself
        mine, others = (thread.there(root, place, types[root]) for thread in threads)
        differ.append(mine != others)
    solver = z3.Solver(ctx=symbols.context)
    solver.set("rlimit", _WORK)
    solver.add(*symbols.limits, z3.Or([z3.BoolVal(False, symbols.context), *differ]))
    answer = solver.check()
    return True if answer == z3.unsat else False if answer == z3.sat else None, symbols.floats
