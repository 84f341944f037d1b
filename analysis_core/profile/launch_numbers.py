"""The numbers that expressions of a kernel have at the launches in view.

    products<<<grid, block>>>(x, 768, 12);       int size = channels / heads;       64

For the sizes of shares: nothing here holds for other launches.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from analysis_core.ir.constants import Places, fold_at
from analysis_core.ir.effects import assigned_in, assigned_once, variables_in
from analysis_core.ir.launch_site import SizeRange, is_assumed
from analysis_core.ir.nodes import BuiltinKind, Const, Expr, Kernel, VarId
from analysis_core.program.launch import Launch
from analysis_core.text.records import dataclass

_DEEPEST = 16
"""Variables that are made of variables."""


@dataclass(slots=True, eq=False)
class LaunchNumbers:
    """Numbers that the launches in view give expressions of a kernel. `made`: the values of variables that keep them;
    `known`: variables whose number was found, which grows with what is asked; `places`: what is known of the grid, and of
    its first thread."""

    made: Mapping[VarId, Expr]
    known: dict[VarId, Const]
    places: Places

    @staticmethod
    def of(kernel: Kernel, ranges: Iterable[SizeRange], launch: Launch) -> LaunchNumbers:
        """The numbers for a launch, with what is seen of the values of parameters (`ranges`)."""
        values = {one.name: one.least for one in ranges if one.least is not None and one.least == one.most}
        changed = assigned_in(kernel.body) if values else frozenset()
        own = [kernel.variables[p] for p in kernel.parameters if p not in changed]
        known = {v.id: Const(values[v.name], v.type) for v in own if v.name in values}
        return LaunchNumbers(assigned_once(kernel), known, _first_thread(launch) if known else {})

    def of_expr(self, expr: Expr | None, depth: int = 0) -> int | None:
        """The number that an expression has; None if it is not known."""
        if expr is None or depth > _DEEPEST:
            return None
        for var in variables_in(expr) - self.known.keys():
            made = self.made.get(var)
            number = None if made is None else self.of_expr(made, depth + 1)
            if made is not None and number is not None:
                self.known[var] = Const(number, made.type)
        value = fold_at(expr, self.known, self.places)
        return value.value if value is not None and isinstance(value.value, int) else None


def _first_thread(launch: Launch) -> Places:
    """The place of the thread with the most rounds of a loop over a grid of stated extents."""
    if is_assumed(launch.source) or None in launch.grid:
        return {}
    first = {(kind, axis): 0 for kind in (BuiltinKind.THREAD_IDX, BuiltinKind.BLOCK_IDX) for axis in range(3)}
    extents = {(BuiltinKind.BLOCK_DIM, axis): extent for axis, extent in enumerate(launch.block)}
    blocks = {(BuiltinKind.GRID_DIM, axis): extent for axis, extent in enumerate(launch.grid) if extent is not None}
    return first | extents | blocks
