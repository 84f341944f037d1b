"""Tiling, inter: fewer threads take the elements in turns, each N after the last one, so that neighbours stay side by side (Alpinist's inter-tiling).

//@ launch block=256 grid=(ceil(T/256))                            //@ launch block=256 grid=(4)
int i = blockIdx.x * 256 + threadIdx.x;                            for (int i = blockIdx.x * 256 + threadIdx.x; i < T; i += 1024)
if (i < T) a[i] = 2 * a[i];                                  ->        a[i] = 2 * a[i];
"""

from __future__ import annotations

from analysis_core.report.findings.model import Edit
from analysis_core.rewrite.core.action import Action, Choice, Refused, Rewritten, Site
from analysis_core.rewrite.core.regrid import regridded
from analysis_core.rewrite.core.task_text import declared, looped, test_of
from analysis_core.rewrite.core.tiling import FULL, Tiled, kernel_sites, tiled
from analysis_core.rewrite.core.unit import Unit

_THREADS = 1 << 16
"""As many as keep a device busy."""


def _rewrite(unit: Unit, site: Site, choice: Choice) -> Rewritten | Refused:
    found = tiled(unit, site, True)
    if isinstance(found, Refused):
        return found
    threads = choice.factor or _THREADS // found.block * found.block
    launches = regrid_to(found, threads)
    if isinstance(launches, Refused):
        return launches
    if found.total is not None and found.total <= threads:
        return Refused(f"it is launched with {found.total} threads, no more than the {threads} that were asked for")
    tasks = found.tasks
    most = [grid.number for grid in found.grids if grid.number is not None]
    if len(most) == len(found.grids) and max(most) * found.block <= threads:
        return Refused(
            f"it is launched with {max(most) * found.block} threads, no more than the {threads} that were asked for"
        )
    tests = [] if tasks.guard is None else [test_of(unit, tasks)]
    tests += [] if found.total is None else [f"{tasks.name} < {found.total}"]
    edits = looped(unit, tasks, f"for ({declared(unit, tasks)}; {' && '.join(tests)}; {tasks.name} += {threads})")
    if isinstance(edits, str):
        return Refused(edits)
    return Rewritten(
        f"Let {threads} threads take turns",
        (*edits, *launches),
        (FULL, f"`{tasks.name}` stays in its type when {threads} are added"),
        "every task is done once, by some thread",
        tasks.rounding,
    )


def regrid_to(found: Tiled, threads: int) -> tuple[Edit, ...] | Refused:
    """The launches with so many threads."""
    if threads < found.block or threads % found.block or threads >= 1 << 31:
        return Refused(f"{threads} threads are no number of blocks of {found.block}")
    return regridded(found.grids, lambda grid: str(threads // found.block))


ACTION = Action("tile-inter", "lets fewer threads take the elements in turns", frozenset(), kernel_sites, _rewrite)
