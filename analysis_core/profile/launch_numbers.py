"""The numbers that expressions of a kernel have at the launches in view.

    products<<<grid, block>>>(x, 768, 12);       int size = channels / heads;       64
    lengths[i] = rand() % 61;                    int length = lengths[id];          60 at most

For the sizes of shares: nothing here holds for other launches.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from analysis_core.ir.constants import Places, fold_at
from analysis_core.ir.effects import assigned_in, assigned_once, sources_of, variables_in
from analysis_core.ir.launch_site import SizeRange, is_assumed
from analysis_core.ir.nodes import BuiltinKind, Const, Expr, Kernel, Load, Local, PtrAdd, VarId
from analysis_core.ir.walk import uncast
from analysis_core.program.launch import Launch
from analysis_core.text.records import dataclass

_DEEPEST = 16
"""Variables that are made of variables."""


@dataclass(slots=True, eq=False)
class LaunchNumbers:
    """Numbers that the launches in view give expressions of a kernel. `made`: the values of variables that keep them;
    `known`: variables whose number was found, which grows with what is asked; `greatest`: the most that variables loaded from arrays can be; `places`:
    what is known of the grid, and of its first thread."""

    made: Mapping[VarId, Expr]
    known: dict[VarId, Const]
    greatest: Mapping[VarId, int]
    places: Places

    @staticmethod
    def of(kernel: Kernel, ranges: Iterable[SizeRange], launch: Launch) -> LaunchNumbers:
        """The numbers for a launch, with what is seen of the values of parameters (`ranges`)."""
        values = {one.name: one.least for one in ranges if one.least is not None and one.least == one.most}
        changed = assigned_in(kernel.body) if values or launch.arguments.held else frozenset()
        own = [kernel.variables[p] for p in kernel.parameters if p not in changed]
        known = {v.id: Const(values[v.name], v.type) for v in own if v.name in values}
        held = dict(launch.arguments.held)
        arrays = {v.id: held[v.name] for v in own if v.name in held}
        return LaunchNumbers(
            assigned_once(kernel),
            known,
            _greatest(kernel, arrays) if arrays else {},
            _first_thread(launch) if known else {},
        )

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

    def most_of(self, expr: Expr | None) -> int | None:
        """The number that an expression has, or for a value loaded from an array, the array's greatest element."""
        number = self.of_expr(expr)
        for _ in range(_DEEPEST):
            expr = None if expr is None else uncast(expr)
            if number is not None or not isinstance(expr, Local):
                break
            number, expr = self.greatest.get(expr.var), self.made.get(expr.var)
        return number


def _greatest(kernel: Kernel, arrays: Mapping[VarId, int]) -> Mapping[VarId, int]:
    """The variables that one load from these arrays sets, and nothing else."""
    found: dict[VarId, int] = {}
    for var, (first, *others) in sources_of(kernel).items():
        base = _base(first.address) if isinstance(first, Load) and len(first.vars) == 1 and not others else None
        if base is not None and base in arrays:
            found[var] = arrays[base]
    return found


def _base(address: Expr) -> VarId | None:
    address = uncast(address)
    while isinstance(address, PtrAdd):
        address = uncast(address.pointer)
    return address.var if isinstance(address, Local) else None


def _first_thread(launch: Launch) -> Places:
    """The place of the thread with the most rounds of a loop over a grid of stated extents."""
    if is_assumed(launch.source) or None in launch.grid:
        return {}
    first = {(kind, axis): 0 for kind in (BuiltinKind.THREAD_IDX, BuiltinKind.BLOCK_IDX) for axis in range(3)}
    extents = {(BuiltinKind.BLOCK_DIM, axis): extent for axis, extent in enumerate(launch.block)}
    blocks = {(BuiltinKind.GRID_DIM, axis): extent for axis, extent in enumerate(launch.grid) if extent is not None}
    return first | extents | blocks
