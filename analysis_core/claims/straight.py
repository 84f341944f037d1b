"""Claims of straight-line kernels, with all that one thread stores followed (one_thread.py): `i >= n || a[i] == \\old(a[i]) + 1`.

The interpreter forgets what only one side of a branch has stored; here it stays, with its condition.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis_core.ir.nodes import BuiltinKind, Kernel
from analysis_core.program.launch import Launch
from analysis_core.text.span import Span

if TYPE_CHECKING:
    from analysis_core.claims.one_thread import Thread

_WORK = 300_000
"""Units of the solver's own count for one claim."""


_CLAIMS = 12
"""Claims of one kernel that it is asked about."""


class Straight:
    """One thread of a kernel under a launch, followed once."""

    def __init__(self, kernel: Kernel, launch: Launch) -> None:
        self._thread, self._left = _followed(kernel), _CLAIMS
        self._launch = launch

    def proves(self, claim: Span) -> bool:
        """Whether the claim holds for all threads, wherever it was inlined; False as well if the kernel is not followed."""
        self._left -= 1
        if self._thread is None or self._left < 0:
            return False
        import z3

        symbols = self._thread.symbols
        facts = []
        for kind, extents in ((BuiltinKind.BLOCK_DIM, self._launch.block), (BuiltinKind.GRID_DIM, self._launch.grid)):
            for axis, extent in enumerate(extents):
                if extent is not None:
                    facts.append(symbols.builtin(kind.value, axis) == symbols.number(extent, 32))
        broken = [z3.And(live, z3.Not(holds)) for one, live, holds in self._thread.claims if one.span == claim]
        try:
            solver = z3.Solver(ctx=symbols.context)
            solver.set("rlimit", _WORK)
            solver.add(*symbols.limits, *facts, z3.Or([z3.BoolVal(False, symbols.context), *broken]))
            return bool(solver.check() == z3.unsat)
        except z3.Z3Exception:
            return False


def _followed(kernel: Kernel) -> Thread | None:
    try:
        import z3

        from analysis_core.claims.one_thread import Thread
        from analysis_core.claims.symbols import Symbols, Unfollowed
    except ImportError:
        return None
    try:
        thread = Thread(kernel, Symbols(real=False, natural=True), "own")
        thread.run()
        return thread
    except (Unfollowed, z3.Z3Exception):
        return None
