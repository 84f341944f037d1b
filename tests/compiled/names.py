"""What the names in a launch's expressions stand for in one sample."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from tests.compiled.evaluation import Numbers
from tests.compiled.launches import Sample
from tests.compiled.marks import Site
from tests.compiled.unit import Unit

Json = dict[str, Any]
_TRIP = re.compile(r"T(\d+)")


@dataclass(frozen=True, slots=True)
class Named:
    """Values of all symbols; of a trip count (the rounds of the loop in a line) the least and the greatest that a warp made."""

    least: Numbers
    most: Numbers
    trips: bool


def named(launch: Json, unit: Unit, sample: Sample, seen: Json, sites: tuple[Site | None, ...]) -> Named:
    """The numbers of one launch."""
    known = {f"gridDim.{axis}": size for axis, size in zip("xyz", sample.grid)}
    known |= {n.name: value for n, value in zip(unit.numbers, sample.values)}
    rounds: dict[int, tuple[int, int]] = {}
    for loop in seen["loops"]:
        line = _line(sites, loop["site"])
        low, high = rounds.get(line, (loop["least"], loop["most"]))
        rounds[line] = min(low, loop["least"]), max(high, loop["most"])
    least, most, trips = {}, {}, False
    for name, symbol in launch["symbols"].items():
        if symbol["kind"] == "trip":
            trips = True
            at = _TRIP.match(name)
            least[name], most[name] = rounds.get(int(at[1]) if at else -1, (0, 0))
        else:
            least[name] = most[name] = known[symbol["source"]]
    return Named(least, most, trips)


def _line(sites: tuple[Site | None, ...], number: int) -> int:
    site = sites[number]
    assert site is not None
    return site.head
