"""Sixty kernels and more that race and as many that do not, by idiom: `kernels/*.cu`, `free.cu` and `racy.cu`.

The line before a kernel of `kernels/` says what is true of it and what is said of it:

    // free: absent                                  nobody meets
    // racy with n=3: certain                        two threads meet if n is 3
    // free by hand: undecided, for this reason      what no run of the simulator shows

What is true is held against runs of the simulator, which count barriers and nothing else.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import pytest

from analysis_core.program.launch import choose_launches
from analysis_core.races.verdicts import Verdict
from analysis_core.support.settings import Settings
from tests.races.meetings import someone_meets
from tests.races.test_verdicts import HERE, kernels_of, report_of

FILES = sorted((HERE / "kernels").glob("*.cu"))
_LOUD = frozenset({Verdict.CERTAIN, Verdict.CONDITIONAL})
_QUIET = frozenset({Verdict.ABSENT, Verdict.BENIGN})
_STATED = re.compile(r"// (free|racy)(?: with n=(\d+)| (by hand))?: ([a-z ]+)(?:, .*)?\n__global__ void (\w+)")


@dataclass(frozen=True)
class Stated:
    """What a comment says: `size` is what all numbers of the kernel are in runs, `verdict` what is said of it."""

    racy: bool
    size: int
    by_hand: bool
    verdict: Verdict


def stated(path: Path) -> dict[str, Stated]:
    """By kernel."""
    return {
        name: Stated(truth == "racy", int(size or 4), bool(by_hand), Verdict(verdict))
        for truth, size, by_hand, verdict, name in _STATED.findall(path.read_text())
    }


def test_there_are_sixty_of_each() -> None:
    of_comments = [one.racy for path in FILES for one in stated(path).values()]
    both = [kernels_of((HERE / name).read_text()) for name in ("free.cu", "racy.cu")]
    assert of_comments.count(False) + len(both[0]) >= 60
    assert of_comments.count(True) + len(both[1]) >= 60


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_verdicts_are_those_stated(path: Path) -> None:
    expected = stated(path)
    found = {kernel.name: report_of(kernel).verdict for kernel in kernels_of(path.read_text())}
    assert found == {name: one.verdict for name, one in expected.items()}
    assert not [name for name, one in expected.items() if one.racy and one.verdict in _QUIET]
    assert not [name for name, one in expected.items() if not one.racy and one.verdict in _LOUD]


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_runs_show_what_is_stated(path: Path) -> None:
    expected = stated(path)
    for kernel in kernels_of(path.read_text()):
        one = expected[kernel.name]
        if not one.by_hand:
            launch = choose_launches(kernel, Settings())[0]
            x, y, z = launch.grid
            assert x and y and z
            sizes = {v.name: one.size for v in kernel.variables if v.parameter}
            assert bool(someone_meets(kernel, launch.block, (x, y, z), sizes, True)) is one.racy, kernel.name
