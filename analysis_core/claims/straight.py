"""Claims of straight-line kernels, with all that one thread stores followed (one_thread.py): `i >= n || a[i] == \\old(a[i]) + 1`.

The interpreter forgets what only one side of a branch has stored; here it stays, with its condition.
"""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.ir.nodes import BuiltinKind, Kernel
from analysis_core.program.launch import Launch
from analysis_core.text.span import Span

_WORK = 1_500_000
"""Units of the solver's own count for one claim."""


def proved_in(kernel: Kernel, launch: Launch) -> Mapping[Span, bool]:
    """For each claim whether it is proved of all threads; empty if the kernel is not followed."""
    try:
        import z3

        from analysis_core.claims.one_thread import Thread
        from analysis_core.claims.symbols import Symbols, Unfollowed
    except ImportError:
        return {}
    symbols = Symbols(real=False, natural=True)
    found: dict[Span, bool] = {}
    try:
        thread = Thread(kernel, symbols, "own")
        thread.run()
        facts = []
        for kind, extents in ((BuiltinKind.BLOCK_DIM, launch.block), (BuiltinKind.GRID_DIM, launch.grid)):
            for axis, extent in enumerate(extents):
                if extent is not None:
                    facts.append(symbols.builtin(kind.value, axis) == symbols.number(extent, 32))
        for claim, live, holds in thread.claims:
            solver = z3.Solver(ctx=symbols.context)
            solver.set("rlimit", _WORK)
            solver.add(*symbols.limits, *facts, live, z3.Not(holds))
            found[claim.span] = found.get(claim.span, True) and solver.check() == z3.unsat
    except (Unfollowed, z3.Z3Exception):
        return {}
    return found
