"""Grid-stride loop: a thread goes on by the threads of the whole grid, so that a launch of any size does all of the work.

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
->
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = a * x[i] + y[i];

The launch stays as it is, unless a number of threads is asked for.
"""

from __future__ import annotations

from analysis_core.rewrite.actions.tile_inter import regrid_to
from analysis_core.rewrite.core.action import Action, Choice, Refused, Rewritten, Site
from analysis_core.rewrite.core.task_text import declared, looped, test_of
from analysis_core.rewrite.core.tiling import FULL, kernel_sites, tiled
from analysis_core.rewrite.core.unit import Unit


def _rewrite(unit: Unit, site: Site, choice: Choice) -> Rewritten | Refused:
    found = tiled(unit, site, choice.factor is not None)
    if isinstance(found, Refused):
        return found
    if found.tasks.guard is None:
        return Refused(f"no guard says which `{found.tasks.name}` there are, but the launch")
    if found.total is not None:
        return Refused(f"the launch has {found.total} threads, which may be less than the guard lets through")
    launches = () if choice.factor is None else regrid_to(found, choice.factor)
    if isinstance(launches, Refused):
        return launches
    name = found.tasks.name
    step = "gridDim.x * blockDim.x"
    edits = looped(
        unit, found.tasks, f"for ({declared(unit, found.tasks)}; {test_of(unit, found.tasks)}; {name} += {step})"
    )
    if isinstance(edits, str):
        return Refused(edits)
    return Rewritten(
        "Let any grid do the work (grid-stride loop)",
        (*edits, *launches),
        (FULL, f"`{name}` stays in its type when the threads of the grid are added"),
        "every task is done once, by some thread",
        found.tasks.rounding,
    )


ACTION = Action("grid-stride", "lets a grid of any size do all of the work", frozenset(), kernel_sites, _rewrite)
