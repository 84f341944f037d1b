"""What `warpcost stats` says of pairs of accesses."""

from __future__ import annotations

from pathlib import Path

from analysis_core.cli.statistics.as_json import as_json
from analysis_core.cli.statistics.races import race_lines
from analysis_core.cli.statistics.text import table
from analysis_core.cli.stats import numbers_of
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.support.settings import Settings
from analysis_core.workspace.disk import DiskFiles

RULES = Path(__file__).parents[1] / "kernels" / "rules"


def test_pairs_are_counted_by_what_is_said_of_them() -> None:
    numbers = numbers_of(analyse_file(str(RULES / "idle_barrier.cu"), DiskFiles(), Settings()), 1.0)
    assert set(numbers.races) == {"absent"}
    assert race_lines(numbers.races) == [
        f"pairs of accesses proved apart {numbers.races['absent']} of {numbers.races['absent']} (100.0%)"
    ]
    assert as_json([numbers])["races"] == dict(numbers.races)


def test_nothing_is_said_of_no_pairs() -> None:
    assert race_lines(numbers_of(analyse_file("none.cu", DiskFiles(), Settings()), 1.0).races) == []


def test_claims_are_counted_by_what_is_found_of_them() -> None:
    numbers = numbers_of(analyse_file(str(RULES / "broken_claim.cu"), DiskFiles(), Settings()), 1.0)
    assert set(numbers.claims) == {"proved", "refuted", "undecided"}
    assert as_json([numbers])["claims"] == dict(numbers.claims)
    assert any(line.startswith("claims of annotations: ") for line in table([numbers]))


def test_contracts_are_counted_by_what_is_found_of_them() -> None:
    kernels = Path(__file__).parents[1] / "contracts" / "kernels"
    numbers = numbers_of(analyse_file(str(sorted(kernels.glob("*.cu"))[0]), DiskFiles(), Settings()), 1.0)
    assert set(numbers.contracts) == {"holds", "violated", "not shown"}
    assert as_json([numbers])["contracts"] == dict(numbers.contracts)
    assert any(line.startswith("cost contracts: ") for line in table([numbers]))
