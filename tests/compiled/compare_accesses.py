"""Claims about accesses against the requests that were made.

missing   a request was made of which nothing is said       worst, best, ideal, excess, contention   as in the schema
case      the condition holds and a request cost more       times     a warp made more requests
exact     worst and best differ, and no cases are given
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.compiled.broken import Findings
from tests.compiled.evaluation import evaluated
from tests.compiled.marks import Site
from tests.compiled.names import Named

Json = dict[str, Any]
Sites = tuple[Site | None, ...]


@dataclass
class Ideals:
    """Of accesses that cost one number, by what is said: the ideals of whole warps in all launches."""

    met: dict[tuple[str, int], set[int]] = field(default_factory=dict)

    def check(self, found: Findings) -> None:
        """Compares them at the end, since each launch has one case of many."""
        for (what, said), met in self.met.items():
            found.check(said in met, "access.ideal", f"{what}: ideal {said}, but {sorted(met)}")


@dataclass(frozen=True)
class _Asking:
    """One launch: the threads of its block, its numbers, and where results go."""

    threads: int
    numbers: Named
    ideals: Ideals
    found: Findings


def compare_accesses(
    launch: Json, seen: Json, sites: Sites, threads: int, numbers: Named, ideals: Ideals, found: Findings
) -> None:
    """Every access that was executed."""
    asking = _Asking(threads, numbers, ideals, found)
    for asked in seen["accesses"]:
        said = claims_of(launch["accesses"], asked, sites)
        site = sites[asked["site"]]
        assert site is not None
        what = f"line {site.line}, {asked['rw']} of {asked['bytes']} bytes {asked['space']}"
        found.check(bool(said), "access.missing", f"{what}: nothing is said")
        if said:
            _costs(f"{what} `{said[0]['text']}`", said, asked, asking)


def claims_of(claims: Sequence[Json], asked: Json, sites: Sites) -> list[Json]:
    """Claims about an access: of its place, its part of a record, its calls as far as they are known."""
    site = sites[asked["site"]]
    assert site is not None
    here = [c for c in claims if c["span"] == [site.start, site.end] and asked["rw"] in c["rw"]]
    via = [_line(sites, number) for number in asked["via"]]
    if None not in via:
        same = [c for c in here if c["via"] == via]
        here = same or here
    parts = list(dict.fromkeys(c["text"] for c in here))
    if len(parts) > 1 and asked["part"] < len(parts):
        here = [c for c in here if c["text"] == parts[asked["part"]]]
    memory = [c for c in here if c["space"] in (asked["space"], "unknown", "generic")]
    return [c for c in memory if c["bytes"] == asked["bytes"]]


def _line(sites: Sites, number: int) -> int | None:
    """The line of a call; operators do not know theirs."""
    site = sites[number] if number >= 0 else None
    return None if site is None else site.line


def _costs(what: str, said: Sequence[Json], asked: Json, asking: _Asking) -> None:
    found = asking.found
    if any(c["certainty"] == "uncounted" for c in said):
        found.check(False, "access.uncounted", what)
        return
    worst, best = max(c["worst"] for c in said), min(c["best"] for c in said)
    found.check(asked["worst"] <= worst, "access.worst", f"{what}: at most {worst}, but {asked['worst']}")
    excess = max(c["excess"] for c in said)
    found.check(asked["excess"] <= excess, "access.excess", f"{what}: {excess} above the ideal, but {asked['excess']}")
    full = min(32, asking.threads)
    least = [low for lanes, low, _ in asked["costs"] if lanes == full]
    if least:
        found.check(best <= least[0], "access.best", f"{what}: at least {best}, but {least[0]} by {full} lanes")
    if asked["rw"] == "A":
        most = max(c["contention"] or 0 for c in said)
        found.check(
            asked["contention"] <= most, "access.contention", f"{what}: {most} lanes, but {asked['contention']}"
        )
    if len(said) == 1:
        _single(what, said[0], asked, full, asking)


def _single(what: str, claim: Json, asked: Json, full: int, asking: _Asking) -> None:
    numbers, found = asking.numbers, asking.found
    ideals = {ideal for lanes, ideal in asked["ideals"] if lanes == full}
    if ideals and claim["certainty"] == "exact":
        asking.ideals.met.setdefault((what, claim["ideal"]), set()).update(ideals)
    if claim["exact"] and not claim["cases"]:
        found.check(
            claim["worst"] == claim["best"], "access.exact", f"{what}: exact, {claim['best']} to {claim['worst']}"
        )
    for case in claim["cases"]:
        if evaluated(case["when"], numbers.most):
            text = f"{what}: {case['cost']} when {case['when']}, but {asked['worst']}"
            found.check(asked["worst"] <= case["cost"], "access.case", text)
            break
    if claim["times"] is not None:
        times = evaluated(claim["times"], numbers.most)
        text = f"{what}: {claim['times']} = {times} times, but {asked['most_requests']}"
        found.check(asked["most_requests"] <= times, "access.times", text)
