"""Claims about branches and loop tests against how warps decided.

never, always   how many warps split          boundary   it is the edge of something: few warps split
active          the lanes on the sides of a split          times   tests of a warp       spread   rounds that lanes are apart
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tests.compiled.broken import Findings
from tests.compiled.evaluation import evaluated
from tests.compiled.marks import Site
from tests.compiled.names import Named

Json = dict[str, Any]
Sites = tuple[Site | None, ...]
_KINDS = {"I": ("if", "select"), "L": ("loop",), "S": ("switch",)}


def compare_branches(launch: Json, seen: Json, sites: Sites, numbers: Named, found: Findings) -> None:
    """Every test that was executed."""
    loops = {(loop["site"], tuple(loop["via"])): loop for loop in seen["loops"]}
    for test in seen["branches"]:
        site = sites[test["site"]]
        assert site is not None
        said = _claims_of(launch["branches"], test, site, sites)
        what = f"line {site.line}, {_KINDS[site.kind][0]}"
        if not said:
            found.check(not test["splits"], "branch.missing", f"{what}: {test['splits']} splits, nothing is said")
            continue
        what = f"{what} `{said[0]['text']}`"
        _divergence(what, said, test, found)
        if len(said) == 1:
            _figures(what, said[0], test, site.kind, numbers, found)
            loop = loops.get((test["site"], tuple(test["via"])))
            if site.kind == "L" and loop is not None and said[0]["spread"] is not None:
                text = f"{what}: {said[0]['spread']} rounds apart, but {loop['apart']}"
                found.check(loop["apart"] <= said[0]["spread"], "branch.spread", text)


def _claims_of(claims: Sequence[Json], test: Json, site: Site, sites: Sites) -> list[Json]:
    here = [c for c in claims if c["span"] == [site.start, site.end] and c["kind"] in _KINDS[site.kind]]
    if not here:
        here = [c for c in claims if c["line"] == site.line and c["kind"] in _KINDS[site.kind]]
    via = [getattr(sites[number] if number >= 0 else None, "line", None) for number in test["via"]]
    return [c for c in here if c["via"] == via] or here


def _divergence(what: str, said: Sequence[Json], test: Json, found: Findings) -> None:
    kinds = {c["divergence"] for c in said}
    if kinds == {"never"}:
        split = f"{test['splits']} of {test['tests']} split"
        found.check(not test["splits"], "branch.never", f"{what}: never, but {split}")
    if kinds == {"always"}:
        unsplit = test["whole_unsplit"]
        found.check(
            not unsplit, "branch.always", f"{what}: always, but in {unsplit} blocks all warps came whole and none split"
        )


def _figures(what: str, claim: Json, test: Json, kind: str, numbers: Named, found: Findings) -> None:
    if test["splits"] and kind != "S":
        low, high = claim["active"]
        text = f"{what}: {low} to {high} active, but {test['least_side']} to {test['greatest_side']}"
        found.check(low <= test["least_side"] and test["greatest_side"] <= high, "branch.active", text)
    if claim["times"] is not None:
        times = evaluated(claim["times"], numbers.most)
        text = f"{what}: {claim['times']} = {times} tests, but {test['most_tests']}"
        found.check(test["most_tests"] <= times, "branch.times", text)
