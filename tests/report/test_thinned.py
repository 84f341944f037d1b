"""What is left of the cost of a request whose lanes take part or not, each by itself."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis_core.profile.access_profile import AccessProfile
from analysis_core.profile.thinned import part_left
from analysis_core.requests.facts import LanePicture, OpenLanes
from tests.report.samples import access, good, shared

WAYS = tuple(LanePicture("bank", tuple(lane % (32 // ways) for lane in range(32)), None) for ways in (1, 2, 32))
ROWS = LanePicture("sector", tuple(range(32)), "32")

SAMPLES = (
    (access(thinned=0), 1.0),
    (access(thinned=1, picture=ROWS), 1 / 2),
    (access(thinned=2, picture=ROWS), 1 / 4),
    (good(thinned=1), 1 - 1 / 2**8),
    (good(thinned=6), 1 - (63 / 64) ** 8),
    (access(thinned=1, picture=None, open=OpenLanes((True,) * 32, 32, 1, None)), 1 / 2),
    (shared(thinned=1, worst=1, picture=WAYS[0]), 1.0),
    (shared(thinned=1, worst=2, picture=WAYS[1]), (2 - 0.75**16) / 2),
    (shared(thinned=1, worst=32, picture=WAYS[2]), 1 / 2),
    (shared(thinned=1, worst=1, picture=LanePicture("bank", (0,) * 32, "0")), 1.0),
    (access(thinned=1, worst=0), 1.0),
)


@pytest.mark.parametrize(("sample", "part"), SAMPLES)
def test_part_left(sample: AccessProfile, part: float) -> None:
    assert part_left(sample) == pytest.approx(part, abs=1e-3)


def test_more_halvings_leave_less() -> None:
    for sample in (access(), good(), shared(worst=2, picture=WAYS[1]), shared(worst=4, picture=None)):
        parts = [
            part_left(replace(sample, frequency=replace(sample.frequency, thinned=halvings))) for halvings in range(7)
        ]
        assert parts == sorted(parts, reverse=True) and all(0 < part <= 1 for part in parts)
