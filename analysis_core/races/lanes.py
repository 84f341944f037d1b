"""Primitives of a warp that name all its lanes, where some surely do not come: a lane that comes whatever parameters and memory are, and
others that never do."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from analysis_core.domains.shape import WARP
from analysis_core.interp.core.events import Events
from analysis_core.ir.nodes import Shuffle, Vote
from analysis_core.machine.block_shape import place_of
from analysis_core.races.verdicts import AbsentLanes, Thread


def absent_lanes(events: Events) -> Iterator[AbsentLanes]:
    """One for each primitive in the text. Lanes that have left the kernel are among them: a run has to tell."""
    told = set()
    for stmt, _, mask, _ in events.executed:
        if not isinstance(stmt, Shuffle | Vote) or not stmt.whole or stmt.span in told:
            continue
        comes = mask.must.reshape(-1, WARP)
        missing = (events.shape.real & ~mask.may).reshape(-1, WARP)
        warps = np.flatnonzero(comes.any(axis=1) & missing.any(axis=1))
        if len(warps):
            told.add(stmt.span)
            warp = int(warps[0])
            lanes = tuple(int(lane) for lane in np.flatnonzero(missing[warp]))
            thread = WARP * warp + int(np.flatnonzero(comes[warp])[0])
            what = "shuffle" if isinstance(stmt, Shuffle) else "vote"
            yield AbsentLanes(stmt.span, what, lanes, Thread((0, 0, 0), place_of(thread, events.shape.dims)))
