"""Precision is counted per access and launch; every miss stands under its reason, data-dependent accesses apart."""

from __future__ import annotations

import pytest

from analysis_core.cli.statistics.as_json import missed_places
from analysis_core.ir.types import Space
from analysis_core.report.precision import Figures, Shares, access_class, figures, precision_of, together, without_names
from analysis_core.requests.facts import Certainty, Divergence
from analysis_core.support.facts import Cause, CauseKind
from analysis_core.support.files import MemoryFiles
from tests.report.samples import FILE, access, branch, by_data, case, facts, good, our_limit

LOST = Cause(CauseKind.ANALYSIS, "`k` changes in a loop in a way that has no closed form", None)

SAMPLES = (
    ("exact", good()),
    ("executions", access(best=1, certainty=Certainty.EXECUTIONS)),
    ("residue", access(worst=5, best=4, certainty=Certainty.RESIDUE)),
    ("residue", access(worst=5, best=4, certainty=Certainty.RANGED, cases=(case("w % 8 == 0", 4),))),
    ("ranged", access(best=1, certainty=Certainty.RANGED, because="rows at the pitch `w` may share sectors or not")),
    ("ranged", access(best=1, certainty=Certainty.RANGED, cause=our_limit())),
    ("unknown", access(best=1, certainty=Certainty.RANGED, unknown=LOST, cause=our_limit())),
    ("data-dependent", access(best=1, certainty=Certainty.RANGED, data_dependent=True, cause=by_data())),
    ("uncounted", access(space=Space.LOCAL, worst=0, best=0, certainty=Certainty.UNCOUNTED)),
)


def test_every_access_is_in_one_class() -> None:
    assert [access_class(sample.fact) for _, sample in SAMPLES] == [name for name, _ in SAMPLES]


def test_shares_are_over_the_accesses_whose_index_does_not_come_from_memory() -> None:
    exact_all_the_same = good(unknown=LOST)
    found = precision_of([facts(*(sample for _, sample in SAMPLES), exact_all_the_same, branch()).facts])
    assert (found.direct, found.known, found.settled, found.strict) == (8, 6, 5, 4)
    assert found.unknowns == {".. changes in a loop in a way that has no closed form": 2}
    assert found.misses == {
        "rows at the pitch .. may share sectors or not": 1,
        "the loop was widened": 1,
        ".. changes in a loop in a way that has no closed form": 1,
    }
    assert found.branches == {"always": 1}


def test_reports_add_up() -> None:
    one = precision_of([facts(good(), branch(divergence=Divergence.NEVER)).facts])
    both = together([one, one])
    assert both.accesses == {"exact": 2} and both.branches == {"never": 2}
    assert one.accesses == {"exact": 1}, "the parts are left alone"


def test_names_do_not_tell_reasons_apart() -> None:
    assert without_names("`a[i]` is  loaded (missing: x.h)") == ".. is loaded .."


def test_a_place_counts_once_however_often_it_is_instantiated() -> None:
    lost = good(unknown=LOST, certainty=Certainty.RANGED, best=1)
    found = precision_of(
        [
            facts(good()).facts,
            facts(good()).facts,
            facts(lost).facts,
            facts(good(start=900)).facts,
            facts(good(start=901)).facts,
        ]
    )
    assert (found.direct, found.known) == (5, 4)
    counted = figures(found.places)
    assert counted.all == 3
    assert counted.known == counted.settled == Shares(worst=2 / 3, mean=pytest.approx(8 / 9))


def test_executions_that_differ_settle_no_place() -> None:
    counted = figures(precision_of([facts(good(certainty=Certainty.EXECUTIONS, best=1)).facts]).places)
    assert counted == Figures(1, known=Shares(1.0, 1.0), settled=Shares(0.0, 0.0))


def test_places_of_a_header_are_the_same_in_each_file() -> None:
    one = precision_of([facts(good()).facts])
    assert figures(together([one, one]).places).all == 1
    assert figures({}) == Figures(0, Shares(1.0, 1.0), Shares(1.0, 1.0))


def test_missed_places_are_named_by_line() -> None:
    found = precision_of([facts(good(start=3, unknown=LOST), good(start=5)).facts])
    (row,) = missed_places(found.places, MemoryFiles({FILE: b"ab\nc a[i]"}))
    assert (row["path"], row["line"], row["column"], row["occurrences"]) == (FILE, 2, 1, 1)
    (row,) = missed_places(found.places, MemoryFiles({}))
    assert (row["line"], row["unknowns"]) == (None, {".. changes in a loop in a way that has no closed form": 1})
