"""The lanes of a request as a picture: which sector, bank or constant address each lane touches."""

from __future__ import annotations

import numpy as np

from analysis_core.domains.polynomial import Poly
from analysis_core.domains.shape import WARP, every, some, some_nonzero
from analysis_core.ir.types import Space
from analysis_core.requests.access_cost import Layouts
from analysis_core.requests.facts import LanePicture
from analysis_core.requests.requests import Request


def picture_of(layout: Layouts, request: Request, space: Space, stride: str | None) -> LanePicture:
    """Sectors (banks, addresses) numbered in order of appearance; None for an inactive lane."""
    match space:
        case Space.SHARED:
            unit, places = "bank", layout // 4 % 32
        case Space.CONSTANT:
            unit, places = "address", layout
        case _:
            unit, places = "sector", layout // 32
    names: dict[int, int] = {}
    group = tuple(
        names.setdefault(int(places[lane]), len(names)) if request.active[lane] else None for lane in range(WARP)
    )
    return LanePicture(unit, group, stride)


def stride_of(poly: Poly, request: Request) -> str | None:
    """The distance in bytes between neighbouring active lanes, where it is the same for all: "32", "4*h"."""
    lanes = np.flatnonzero(request.active)
    if len(lanes) < 2 or some(request.scattered):
        return None
    gaps = np.diff(lanes)
    parts: list[str] = []
    for pitch in request.pitches:
        step = _common_step(pitch.lanes[lanes], gaps)
        if step is None:
            return None
        name = "*".join(s.name for s in pitch.monomial)
        parts.append(name if step == 1 else f"{step}*{name}")
    step = _common_step(request.relative[lanes], gaps)
    if step is None:
        return None
    if step or not parts:
        parts.append(str(step))
    return " + ".join(parts)


def _common_step(values: Layouts, gaps: Layouts) -> int | None:
    """d where neighbouring lanes differ by d per lane."""
    steps = np.diff(values)
    if some_nonzero(steps % gaps):
        return None
    each = steps // gaps
    return int(each[0]) if every(each == each[0]) else None
