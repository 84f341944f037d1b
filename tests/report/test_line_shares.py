"""Shares by the bounds: symbolic costs of places, at representative sizes, in findings."""

from __future__ import annotations

from analysis_core.expressions.bounds import KernelBounds, LineCost
from analysis_core.expressions.expression import ONE, add, ceil_div, integer, scale, symbol, to_text
from analysis_core.profile.access_profile import KernelProfile
from analysis_core.profile.line_shares import cost_within, line_shares
from analysis_core.profile.shares import access_times, weigh
from analysis_core.profile.sizes import at_sizes, representative_sizes
from analysis_core.report.judge import judge
from analysis_core.support.settings import Settings
from tests.report.bound_samples import metric
from tests.report.samples import access, branch, facts, good, kernel, span

N = symbol("n")
ROUNDS = ceil_div(N, integer(256))


def bounded(*places: LineCost, name: str = "sectors") -> KernelProfile:
    """Two accesses that cost 32 and 4 by themselves, under bounds that know better."""
    total = add(*(place.cost for place in places))
    found = (access(times=integer(2)), good(times=symbol("h")), branch(), branch(450))
    return facts(*found, bounds=KernelBounds({name: metric(name, total, None, places)}))


def test_findings_weigh_all_warps_of_a_block() -> None:
    """One warp of eight executes the first access, all of them the second."""
    one, all_warps = (
        access(total=integer(32), executed=ONE),
        good(times=ROUNDS, total=scale(32, ROUNDS), executed=scale(8, ROUNDS)),
    )
    known = facts(one, all_warps)
    weights = weigh(known, Settings())
    assert weights.accesses == (32, 128)
    assert weights.access_shares == (0.2, 0.8)
    assert at_sizes(access_times(known, known.accesses[0]), weights.sizes) == " if n = 1024"
    known = facts(access(total=scale(32, ROUNDS), executed=ROUNDS), all_warps)
    (finding,) = (f for f in judge(kernel(), known, Settings()).findings if f.check == "WC101")
    assert finding.share == 0.5 and "50% of this kernel's global traffic if n = 1024" in finding.message


def test_without_totals_all_warps_pay_what_one_does() -> None:
    assert weigh(facts(access(times=integer(2)), good()), Settings()).accesses == (512, 32)
    unknown = good(times=ceil_div(ONE, N), total=ceil_div(ONE, N))
    assert weigh(facts(unknown), Settings(values={"n": 0})).accesses == (4 * 32 * 8,)


def test_what_data_makes_rare_counts_for_less() -> None:
    known = facts(access(rarity=1), access(rarity=3), good())
    assert weigh(known, Settings()).accesses == (128, 32, 32)


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
    found = line_shares(known.facts.bounds, "sectors", values)
    assert [(line.place.text, line.cost, line.share) for line in found] == [("a[i]", 12, 0.6), ("b[8*i]", 8, 0.4)]
    assert to_text(found[1].place.cost) == "2*ceil(n/256)"
    assert line_shares(known.facts.bounds, "wavefronts", values) == line_shares(None, "sectors", values) == ()
    within = cost_within(known.facts, "sectors", span(90, 200))
    assert within is not None and [to_text(e) for e in within] == ["2*ceil(n/256)", "12 + 2*ceil(n/256)"]
    assert cost_within(known.facts, "conflicts", span(90, 200)) is None
