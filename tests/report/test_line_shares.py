"""Shares by the bounds: symbolic costs of places, at representative sizes, in findings."""

from __future__ import annotations

from dataclasses import replace

from analysis_core.cost.bounds import KernelBounds, LineCost
from analysis_core.cost.expression import ONE, add, ceil_div, integer, scale, symbol, to_text
from analysis_core.cost.facts import KernelFacts
from analysis_core.report.judge import judge
from analysis_core.report.line_shares import cost_within, divided, line_shares
from analysis_core.report.shares import access_times, representative_sizes, sizes_text, weigh
from analysis_core.support.settings import Settings
from tests.report.bound_samples import metric
from tests.report.samples import access, branch, facts, good, kernel, span

N = symbol("n")
ROUNDS = ceil_div(N, integer(256))


def bounded(*places: LineCost, name: str = "sectors") -> KernelFacts:
    """Two accesses that cost 32 and 4 by themselves, under bounds that know better."""
    total = add(*(place.cost for place in places))
    found = (access(times=integer(2)), good(times=symbol("h")), branch(), branch(450))
    return facts(*found, bounds=KernelBounds({name: metric(name, total, None, places)}))


def test_findings_use_the_costs_of_places() -> None:
    known = bounded(LineCost(span(100), "b[8*i]", integer(8)), LineCost(span(300), "a[i]", scale(8, ROUNDS)))
    weights = weigh(known, Settings())
    assert weights.accesses == (8, 32)
    assert weights.access_shares == (0.2, 0.8)
    assert sizes_text(access_times(known, known.accesses[0]), weights.sizes) == "n = 1024"
    (finding,) = (f for f in judge(kernel(), known, Settings()) if f.check == "WC101")
    assert finding.share == 0.2 and "20% of this kernel's sectors at n = 1024" in finding.message


def test_without_places_nothing_changes() -> None:
    known = bounded(LineCost(span(100), "b[8*i]", integer(8)), name="wavefronts")
    assert weigh(known, Settings()).accesses == weigh(replace(known, bounds=None), Settings()).accesses
    unknown = bounded(LineCost(span(100), "b[8*i]", ceil_div(ONE, N)))
    at = Settings(values={"n": 0})
    assert weigh(unknown, at).accesses == weigh(replace(unknown, bounds=None), at).accesses


def test_accesses_at_one_place_share_its_cost() -> None:
    place = LineCost(span(100), "b[8*i]", integer(101))
    bounds = KernelBounds({"sectors": metric("sectors", 101, None, (place,))})
    known = facts(access(), access(times=integer(3)), bounds=bounds)
    assert weigh(known, Settings()).accesses == (25, 76)
    assert divided(7, [0, 0, 0]) == [2, 2, 3] and divided(0, [1, 2]) == [0, 0]


def test_branches_split_as_often_as_the_bounds_say() -> None:
    known = bounded(LineCost(span(400), "i % 2", ROUNDS), LineCost(span(450), "j", integer(12)), name="divergences")
    assert weigh(known, Settings()).branch_shares == (0.25, 0.75)


def test_shares_of_lines() -> None:
    places = (
        LineCost(span(100), "b[8*i]", ROUNDS),
        LineCost(span(300), "a[i]", integer(12)),
        LineCost(span(100), "b[8*i]", ROUNDS),
        LineCost(span(500), "c[i]", integer(0)),
    )
    known = bounded(*places)
    values = representative_sizes(known, Settings()).values
    found = line_shares(known.bounds, "sectors", values)
    assert [(line.place.text, line.cost, line.share) for line in found] == [("a[i]", 12, 0.6), ("b[8*i]", 8, 0.4)]
    assert to_text(found[1].place.cost) == "2*ceil(n/256)"
    assert line_shares(known.bounds, "wavefronts", values) == line_shares(None, "sectors", values) == ()
    within = cost_within(known, "sectors", span(90, 200))
    assert within is not None and [to_text(e) for e in within] == ["2*ceil(n/256)", "12 + 2*ceil(n/256)"]
    assert cost_within(known, "conflicts", span(90, 200)) is None
