"""What findings know of the traffic of one access: a record that the modules beside this one fill in."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Traffic:
    """What compilers and the accesses beside it make of an access's requests.

    `spared`: because of other accesses it wastes nothing (side_by_side.py).  `filled`: those of its executions that cost more than the ideal use
    their sectors together with others beside them (side_by_side.py); `walked`: or in their next rounds, in short rows of each lane's own (own_walks.py);
    `thin`: others beside them use their sectors, too, but a line is looked up for every few bytes.  `own_rows`: each lane goes through a row of its own
    (own_rows.py); `along`: the bytes that it goes on within its sectors from round to round, however long its row is (long_walks.py), 0 if it does not;
    `behind_walk`: behind such a loop, at the place to which its rounds have led each lane (behind_walks.py).  `swept`: of misaligned loads, that the
    rounds of a loop leave no gap (sweeps.py).  `row_end`: each lane is at the end of a long row (row_ends.py).
    `joined`: its requests are wider ones, made together with those beside it (made_requests.py).  `seen`: the parameters that are what launches pass,
    and `room`: bytes that launches allocate for the array (seen_sizes.py).  `likely`: what a request may be expected to add to the sectors of global
    memory where no cost is counted: of a thread's own array in memory (own_arrays.py), of memory that is not known (lost_places.py)."""

    spared: bool = False
    filled: bool = False
    walked: bool = False
    thin: bool = False
    own_rows: bool = False
    along: int = 0
    behind_walk: bool = False
    swept: bool = False
    row_end: bool = False
    joined: bool = False
    seen: tuple[str, ...] = ()
    room: int | None = None
    likely: int = 0
