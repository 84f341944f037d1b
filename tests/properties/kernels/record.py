"""What the machine saw: the cost and lanes of every request, every split, and how often each warp came by."""

from __future__ import annotations

import random
from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tests.properties.kernels import request_costs

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

NEVER = 1 << 30
_KEPT = 24


class Kept:
    """A fair draw of at most `_KEPT` of the things put in: (row, what the warp's lanes did)."""

    def __init__(self, seed: int) -> None:
        self.things: list[tuple[int, tuple[npt.NDArray[np.generic], ...]]] = []
        self._seen = 0
        self._rng = random.Random(seed)

    def put(self, row: int, *what: npt.NDArray[np.generic]) -> None:
        """Takes one in, maybe in place of another."""
        self._seen += 1
        if len(self.things) < _KEPT:
            self.things.append((row, what))
        elif (at := self._rng.randrange(self._seen)) < _KEPT:
            self.things[at] = (row, what)


@dataclass
class Requests:
    """One place and kind of access.  `low[s, a]`, `high[s, a]`: least and greatest cost of sample s's requests with a
    active lanes; `times` per warp (row); `crowd` per sample: most lanes on one address; `kept`: some of the requests."""

    low: Ints
    high: Ints
    times: Ints
    crowd: Ints
    kept: Kept


@dataclass
class Tests:
    """One branch, loop test or switch.  `splits`, `times` per row; `least`, `most`: lanes of a side in a split warp, per
    sample; `apart` per sample: most splits of one warp in one execution of a loop; `kept`: some of the decisions."""

    splits: Ints
    times: Ints
    least: Ints
    most: Ints
    apart: Ints
    kept: Kept


class Recorder:
    """Keys are (start, end, via) of the place in the text, and the kind."""

    def __init__(self, samples: int, rows_per_sample: int) -> None:
        self.samples = samples
        self.sample_of_row = np.repeat(np.arange(samples), rows_per_sample)
        self.requests: dict[Hashable, Requests] = {}
        self.tests: dict[Hashable, Tests] = {}

    def access(self, key: Hashable, space: str, addresses: Ints, mask: Bools, width: int, crowd: bool = False) -> None:
        """One execution of an access by all warps with a lane in the mask."""
        lanes = mask.reshape(-1, 32)
        rows = np.flatnonzero(lanes.any(axis=1))
        if not len(rows) or space == "local":
            return
        found = self.requests.get(key)
        if found is None:
            shape = (self.samples, 33)
            found = self.requests[key] = Requests(
                np.full(shape, NEVER),
                np.zeros(shape, np.int64),
                np.zeros(len(lanes), np.int64),
                np.zeros(self.samples, np.int64),
                Kept(len(self.requests)),
            )
        at, on = addresses.reshape(-1, 32)[rows], lanes[rows]
        cost = request_costs.wavefronts(at, on, width) if space == "shared" else request_costs.sectors(at, on, width)
        where = (self.sample_of_row[rows], on.sum(axis=1))
        np.minimum.at(found.low, where, cost)
        np.maximum.at(found.high, where, cost)
        found.times[rows] += 1
        for i, row in enumerate(rows.tolist()):
            found.kept.put(row, at[i].copy(), on[i].copy())
        if crowd:
            np.maximum.at(found.crowd, where[0], request_costs.contention(at, on))

    def test(self, key: Hashable, sides: list[Bools], mask: Bools) -> Bools:
        """One decision of the threads in the mask; gives the rows that split."""
        rows = mask.reshape(-1, 32).any(axis=1)
        counts = np.stack([side.reshape(-1, 32).sum(axis=1) for side in sides])
        split = (counts > 0).sum(axis=0) > 1
        found = self.tests.get(key)
        if found is None:
            zeros = [np.zeros(n, np.int64) for n in (len(rows), len(rows), self.samples, self.samples)]
            kept = Kept(len(self.tests))
            found = self.tests[key] = Tests(zeros[0], zeros[1], np.full(self.samples, 33), zeros[2], zeros[3], kept)
        found.times += rows
        found.splits += split
        taken = np.stack([side.reshape(-1, 32) for side in sides])
        for row in np.flatnonzero(rows).tolist():
            found.kept.put(row, taken[:, row].copy())
        for row in np.flatnonzero(split):
            sizes = counts[:, row][counts[:, row] > 0]
            sample = self.sample_of_row[row]
            found.least[sample] = min(found.least[sample], sizes.min())
            found.most[sample] = max(found.most[sample], sizes.max())
        return split

    def loop_ended(self, key: Hashable | None, splits: Ints) -> None:
        """One execution of a loop is over, in which each row's warp split so often."""
        if key is not None and key in self.tests:
            np.maximum.at(self.tests[key].apart, self.sample_of_row, splits)
