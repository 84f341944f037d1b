"""What findings know of the traffic of one access: a record that the modules beside this one fill in."""

from __future__ import annotations

from enum import IntEnum

from analysis_core.text.records import dataclass


class Reuse(IntEnum):
    """Who uses the rest of the sectors that an access moves, by the window in which that happens: nobody whom we know; the accesses beside it
    (footprint.py); its next rounds, in a row of each lane's own that begins where memory says (next_rounds.py)."""

    NONE = 0
    BESIDE = 1
    OWN_ROW = 2


@dataclass(frozen=True, slots=True)
class Traffic:
    """What compilers and the accesses beside it make of an access's requests.

    `spared`: because of other accesses it wastes nothing (side_by_side.py).  `reuse`: who else uses the sectors of those of its executions that cost
    more than the ideal.  `step`: the bytes that lanes go on within their sectors from round to round, however long their rows are, 0 if they
    do not: whether a cache holds these nobody knows (next_rounds.py).  `row_end`: each lane is at the end of a long row (row_ends.py).
    `joined`: its requests are wider ones, made together with those beside it (made_requests.py).  `seen`: the parameters that are what launches pass,
    and `room`: bytes that launches allocate for the array (seen_sizes.py).  `likely`: what a request may be expected to add to the sectors of global
    memory where no cost is counted: of a thread's own array in memory (own_arrays.py), of memory that is not known (lost_places.py)."""

    spared: bool = False
    reuse: Reuse = Reuse.NONE
    step: int = 0
    row_end: bool = False
    joined: bool = False
    seen: tuple[str, ...] = ()
    room: int | None = None
    likely: int = 0
