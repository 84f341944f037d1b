"""What the three actions that give a thread several tasks have in common: which tasks there are is the same before and after.

Before, a launch of G blocks of B threads does the tasks below G * B that the guard lets through.  Where G * B is at least what the guard asks for,
these are all that it lets through; where G is a constant and there is no guard, or not enough threads, the ones below G * B.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analysis_core.ir.nodes import Kernel
from analysis_core.rewrite.core.action import Refused, Site
from analysis_core.rewrite.core.regrid import UNKNOWN, Grid, grids_of, rounds_up, speaks_of_grid
from analysis_core.rewrite.core.shown import holds_at
from analysis_core.rewrite.core.tasks import Tasks, covered, strays, tasks_of
from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.read.tree import FunctionDecl
from analysis_core.text.records import dataclass

FULL = "each thread its own tasks: no barrier, no shared memory, no race"


@dataclass(frozen=True, slots=True)
class Tiled:
    """`tasks` of a kernel, its launches as `grids`, the threads of a block; `total`: a number of tasks that the launch had, and that the guard does
    not say, None where it says all."""

    tasks: Tasks
    grids: tuple[Grid, ...]
    block: int
    total: int | None


def kernel_sites(unit: Unit, kernel: Kernel, declaration: FunctionDecl) -> Iterator[Site]:
    """Every kernel, at its name."""
    yield Site(kernel, declaration, kernel.name_span, f"`{kernel.name}`")


def tiled(unit: Unit, site: Site, moves: bool) -> Tiled | Refused:
    """The tasks of a kernel with its launches, or why threads cannot do several.  `moves`: launches are given other grids."""
    tasks = tasks_of(unit, site.kernel, site.declaration)
    if isinstance(tasks, str):
        return Refused(tasks)
    if strays(tasks):
        return Refused(f"a function that the kernel calls asks for the thread's place beside `{tasks.name}`")
    grids = grids_of(unit, tasks.kernels)
    if isinstance(grids, str):
        return Refused(grids, _statement(unit, tasks) if grids == UNKNOWN else "")
    blocks = {grid.launch.block[0] for grid in grids}
    if len(blocks) != 1:
        return Refused("it is launched with blocks of different sizes")
    block = blocks.pop()
    if tasks.block not in (None, block):
        return Refused(f"`{tasks.name}` counts blocks of {tasks.block} threads, and they have {block}")
    if moves and speaks_of_grid(tasks.kernels):
        return Refused("what is assumed of the kernel speaks of its grid, which changes")
    if tasks.guard is not None and _is_covered(unit, tasks, grids):
        return Tiled(tasks, tuple(grids), block, None)
    numbers = {grid.number for grid in grids}
    number = next(iter(numbers))
    if len(numbers) != 1 or number is None:
        return Refused(UNKNOWN if tasks.guard is None else _short(unit, tasks), _statement(unit, tasks))
    return Tiled(tasks, tuple(grids), block, number * block)


def _short(unit: Unit, tasks: Tasks) -> str:
    assert tasks.guard is not None
    return (
        f"it is not known that there is a thread for each `{tasks.name}` below `{unit.spelled(tasks.guard.end.span)}`"
    )


def _statement(unit: Unit, tasks: Tasks) -> str:
    block = tasks.block or 256
    if tasks.guard is None:
        return f"//@ launch block={block} grid=4"
    return f"//@ launch block={block} grid=(ceil({unit.spelled(tasks.guard.end.span)}/{block}))"


def _is_covered(unit: Unit, tasks: Tasks, grids: Sequence[Grid]) -> bool:
    """Whether all launches have a thread for each number that the guard lets through."""
    assert tasks.guard is not None
    for kernel in tasks.kernels:
        asked = covered(tasks, kernel)
        stated = [launch for launch in unit.launches(kernel) if launch.source == "annotation"]
        if asked is None or (stated and not holds_at(unit, kernel, asked[0], asked[1], stated)):
            return False
        calls = [] if stated else [grid for grid in grids if grid.call is not None]
        if tasks.guard.op != "<" and calls:
            return False
        if not all(rounds_up(unit, kernel, grid, tasks.guard.end) for grid in calls):
            return False
    return True
