"""The table of judged accesses is well formed, and its formulas have values.

Whether the analysis agrees with it is checked by `compare_judged.py`, which needs the corpora.
"""

from __future__ import annotations

import csv
from collections import Counter

import pytest

from tests.bench import judged_places
from tests.bench.compare_costs import BRANCHES, COSTS, rows_of
from tests.bench.judged_table import TABLE, Row, evaluate, names_of, read_table

SAMPLE = TABLE.with_name("reviewed_sample.tsv")
KERNELS = TABLE.with_name("judged_kernels.tsv")

ROWS = read_table()
ACCESSES = [row for row in ROWS if row.judged]


def test_two_hundred_accesses_of_four_corpora() -> None:
    assert Counter(row.corpus for row in ACCESSES) == {
        "gpu-rodinia": 62,
        "cuda-samples": 71,
        "HeCBench": 57,
        "llm.c": 10,
    }


def test_every_draw_up_to_the_last_judged_one_has_one_row() -> None:
    for corpus in {row.corpus for row in ROWS}:
        draws = [int(row.draw) for row in ROWS if row.corpus == corpus]
        assert draws == list(range(1, max(draws) + 1))


def test_all_spaces_and_directions_are_there() -> None:
    spaces = Counter(space for row in ACCESSES for space in row.space.split("/"))
    assert set(spaces) == {"global", "shared", "local", "constant"}
    assert all(count >= 7 for count in spaces.values())
    assert {row.rw for row in ACCESSES} == {"R", "W", "RW", "A"}


@pytest.mark.parametrize("row", ACCESSES, ids=lambda row: row.name)
def test_row_is_complete(row: Row) -> None:
    assert int(row.line) > 0 and int(row.column) > 0 and int(row.length) > 0
    assert all(int(size) in (1, 2, 4, 8, 16) for size in row.bytes.split("/"))
    assert row.rw != "RW" or row.requests == "2"
    names = {name: 1 + 7 * number for number, name in enumerate(names_of(row.address))}
    assert evaluate(row.address, names) >= 0
    assert row.base.isidentifier()


def test_the_table_quotes_no_source() -> None:
    assert not any(mark in TABLE.read_text(encoding="utf-8") for mark in (";", "{", "}", '"'))


@pytest.mark.parametrize(
    ("formula", "value"),
    [("4*(i+2*j)", 4 * (3 + 2 * 5)), ("j/i", 1), ("j%i*2", 4), ("i+j&6", 0), ("8*threadIdx.x", 72)],
)
def test_formulas_are_c_arithmetic(formula: str, value: int) -> None:
    assert evaluate(formula, {"i": 3, "j": 5, "threadIdx.x": 9}) == value


def test_costs_are_possible_and_have_an_outcome() -> None:
    rows = rows_of(COSTS)
    assert len(rows) >= 60
    for row in rows:
        worst, best, ideal = (int(row[name]) for name in ("worst", "best", "ideal"))
        assert 1 <= best <= worst <= 64 and 1 <= ideal <= worst, row
        assert row["class"] != "exact" or worst == best, row
        assert row["outcome"].split(":")[0] in ("agree", "mended", "explained"), row


def test_branches_that_never_split_run_whole_warps() -> None:
    rows = rows_of(BRANCHES)
    assert len(rows) >= 40
    for row in rows:
        least, most = int(row["least"]), int(row["most"])
        assert (row["class"] == "never") == ((least, most) == (32, 32)) and 1 <= least <= most <= 32, row
        assert row["outcome"].split(":")[0] in ("agree", "mended", "explained"), row


def test_wasteful_places_of_thirty_kernels_are_told() -> None:
    with KERNELS.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert len({(row["corpus"], row["draw"]) for row in rows}) == 30
    for row in rows:
        wasteful = row["kind"] != "none"
        assert bool(row["judged"] and row["line"]) == wasteful or row["kind"].startswith("loop"), row
        assert row["now"] in ("finding", "statement", "together", "figure") or not wasteful, row
        told = row["now"] in ("finding", "together", "quiet")
        assert row["kind"] == "alignment" or row["first"] != "finding" or told or "quiet: " in row["note"], row


@pytest.mark.parametrize(("name", "count"), [("second", 60), ("third", 60), ("fourth", 60)])
def test_later_samples_are_judged(name: str, count: int) -> None:
    with TABLE.with_name(f"reviewed_{name}_sample.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert [row["draw"] for row in rows] == [str(number) for number in range(1, count + 1)]
    for row in rows:
        assert row["verdict"] in ("right", "wrong", "noise") and bool(row["cause"]) == (row["verdict"] != "right"), row
        assert row["now"] in ("warning", "information", "quiet"), row


@pytest.mark.parametrize(
    ("name", "count"), [("twelfth", 150), ("certain", 90), ("thirteenth", 150), ("fourteenth", 150)]
)
def test_samples_with_hints_are_judged(name: str, count: int) -> None:
    with TABLE.with_name(f"reviewed_{name}_sample.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert [row["draw"] for row in rows] == [str(number) for number in range(1, count + 1)]
    for row in rows:
        assert row["verdict"] in ("right", "wrong", "noise") and bool(row["cause"]) == (row["verdict"] != "right"), row
        assert row["now"] in ("warning", "information", "hint", "quiet", ""), row


def test_all_others_that_were_told_are_judged() -> None:
    with TABLE.with_name("reviewed_census.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert [row["draw"] for row in rows] == [str(number) for number in range(201, 426)]
    for row in rows:
        assert row["verdict"] in ("right", "wrong", "noise") and bool(row["cause"]) == (row["verdict"] != "right"), row
        assert row["now"] in ("warning", "information", "hint", "quiet"), row


def test_ten_more_kernels_are_judged() -> None:
    with TABLE.with_name("judged_more_kernels.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert {row["draw"] for row in rows} == {str(number) for number in range(1, 11)}
    for row in rows:
        wasteful = row["kind"] != "none"
        assert bool(row["judged"] and row["line"]) == wasteful, row
        assert row["now"] in (("finding", "statement", "together", "figure") if wasteful else ("quiet",)), row


def test_a_sample_of_150_findings_is_judged() -> None:
    with SAMPLE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    assert [row["draw"] for row in rows] == [str(number) for number in range(1, 151)]
    for row in rows:
        assert row["verdict"] in ("right", "wrong", "noise") and bool(row["cause"]) == (row["verdict"] != "right"), row
        assert row["now"] in ("warning", "information", "quiet"), row
    assert all(row["verdict"] == "right" for row in rows if row["now"] == "warning")


def test_judged_places_are_told_at_the_highest_level_of_their_line() -> None:
    verdicts = judged_places.judged()
    assert len(verdicts) == 1261
    place = next(p for p in sorted(verdicts, key=str) if p.corpus == "llm.c")
    findings = [[place.code, level, place.line, "k", "text"] for level in ("hint", "warning", "information")]
    state = {f"/somewhere/llm.c/{place.path}": {"findings": findings, "launches": {}}}
    found = judged_places.levels(state, verdicts)
    assert found[place] == "warning"
    assert {p.corpus for p in found} == {"llm.c"}
    assert sum(level != "silent" for level in found.values()) == 1
    assert judged_places.table(verdicts, found)[-1].startswith("right of told")
