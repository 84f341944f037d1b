"""Claims about what requests cost over all launches of a kernel that is run so often that all sets of lanes are met.

best     the least that a request of the most lanes cost      ideal    of requests of the most lanes, one number or a range
worst    told of the worst request: its ideal
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from tests.compiled.broken import Findings
from tests.compiled.compare_accesses import claims_of
from tests.compiled.marks import Site

Json = dict[str, Any]
Sites = tuple[Site | None, ...]
_Kind = tuple[int, int, int]
"""Active lanes, cost and ideal of a request."""


@dataclass
class Met:
    """What was met of an access of which one thing is said."""

    claim: Json
    what: str
    kinds: set[_Kind] = field(default_factory=set)

    def check(self, found: Findings) -> None:
        """Compares what was met with what is said."""
        claim, most = self.claim, max(lanes for lanes, _, _ in self.kinds)
        full = [(cost, ideal) for lanes, cost, ideal in self.kinds if lanes == most]
        least, best = min(cost for cost, _ in full), claim["best"]
        found.check(best <= least, "sets.best", f"{self.what}: at least {best}, but {least} by {most} lanes")
        worst = {ideal for _, cost, ideal in self.kinds if cost == claim["worst"]}
        if worst and claim["certainty"] != "ranged":
            text = f"{self.what}: ideal {claim['ideal']} of the worst request, but {sorted(worst)}"
            found.check(claim["ideal"] in worst, "sets.ideal", text)
        ideals = {ideal for _, ideal in full}
        low, high = claim.get("ideals", (claim["ideal"], claim["ideal"]))
        if claim["certainty"] == "exact":
            text = f"{self.what}: ideals {low} to {high}, but {sorted(ideals)} of {most} lanes"
            found.check(low <= min(ideals) and max(ideals) <= high, "sets.ideals", text)


@dataclass
class Sets:
    """All accesses of a kernel."""

    met: dict[tuple[int, int], Met] = field(default_factory=dict)

    def add(self, launch: Json, seen: Json, sites: Sites) -> None:
        """One launch."""
        for asked in seen["accesses"]:
            said = claims_of(launch["accesses"], asked, sites)
            if len(said) != 1 or said[0]["certainty"] == "uncounted":
                continue
            site = sites[asked["site"]]
            assert site is not None
            what = f"line {site.line}, {asked['rw']} of {asked['bytes']} bytes {asked['space']} `{said[0]['text']}`"
            key = (asked["site"], asked["part"])
            self.met.setdefault(key, Met(said[0], what)).kinds.update(map(tuple, asked["kinds"]))

    def check(self, found: Findings) -> None:
        """At the end."""
        for met in self.met.values():
            met.check(found)

    def loose(self) -> Iterator[str]:
        """Accesses that cost less than is said, whatever was tried: nothing is wrong with that."""
        for met in self.met.values():
            most = max(cost for _, cost, _ in met.kinds)
            if met.claim["worst"] > most:
                yield f"{met.what}: at most {met.claim['worst']}, met {most}"
