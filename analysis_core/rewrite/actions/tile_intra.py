"""Tiling, intra: a thread takes a chunk of elements in a row (Alpinist's intra-tiling).  Lanes of a warp are a chunk apart then, which costs sectors:
that is said with the figures.

    //@ launch block=256 grid=16                                       //@ launch block=256 grid=4
    int i = blockIdx.x * 256 + threadIdx.x;                            int first = (blockIdx.x * 256 + threadIdx.x) * 4;
    if (i < T) a[i] = 2 * a[i];                                  ->    for (int i = first; i < first + 4 && i < T; i++) a[i] = 2 * a[i];
"""

from __future__ import annotations

import re

from analysis_core.rewrite.core.action import Action, Choice, Refused, Rewritten, Site
from analysis_core.rewrite.core.regrid import Grid, regridded
from analysis_core.rewrite.core.source import fresh
from analysis_core.rewrite.core.task_text import declared, looped, test_of
from analysis_core.rewrite.core.tiling import FULL, kernel_sites, tiled
from analysis_core.rewrite.core.unit import Unit

_FEW, _MOST = 4, 1024


def _rewrite(unit: Unit, site: Site, choice: Choice) -> Rewritten | Refused:
    chunk = _FEW if choice.factor is None else choice.factor
    if not 2 <= chunk <= _MOST:
        return Refused(f"a chunk has 2 to {_MOST} elements")
    found = tiled(unit, site, True)
    if isinstance(found, Refused):
        return found
    if any(grid.number is None and not grid.text for grid in found.grids):
        return Refused("the grid of a launch is neither a number nor a `dim3` whose declaration is in view")
    tasks = found.tasks
    assert tasks.number.init is not None
    first = fresh(unit, "first")
    tests = [f"{tasks.name} < {first} + {chunk}"] + ([] if tasks.guard is None else [test_of(unit, tasks)])
    if found.total is not None and any((grid.number or 0) % chunk for grid in found.grids):
        tests.append(f"{tasks.name} < {found.total}")
    begun = declared(unit, tasks, f"({unit.spelled(tasks.number.init.span)}) * {chunk}")
    line = re.sub(rf"\b{re.escape(tasks.name)}\b", first, begun, count=1) + ";"
    head = f"for ({declared(unit, tasks, first)}; {' && '.join(tests)}; {tasks.name}++)"
    edits = looped(unit, tasks, head, [line])
    if isinstance(edits, str):
        return Refused(edits)
    return Rewritten(
        f"Give each thread a chunk of {chunk} elements",
        (*edits, *regridded(found.grids, lambda grid: _fewer(grid, chunk))),
        (FULL, f"{chunk} times as many as there are threads stay in the type of `{tasks.name}`"),
        "every task is done once, by some thread",
        tasks.rounding,
    )


def _fewer(grid: Grid, chunk: int) -> str:
    """The blocks that are left."""
    if grid.number is not None:
        return str(-(-grid.number // chunk))
    if grid.call is None:
        quotient = re.fullmatch(r"ceil\((.*)/\s*(\d+)\s*\)", grid.text)
        if quotient is not None and "(" not in quotient[1] and "/" not in quotient[1]:
            return f"ceil({quotient[1]}/{int(quotient[2]) * chunk})"
        return f"ceil_div({grid.text}, {chunk})"
    return f"({grid.text} + {chunk - 1}) / {chunk}"


ACTION = Action("tile-intra", "gives each thread a chunk of elements in a row", frozenset(), kernel_sites, _rewrite)
