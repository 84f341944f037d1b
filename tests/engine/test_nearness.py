"""Requests of lanes whose addresses are clamped, halved or chosen: what their distances say, held against launches."""

from __future__ import annotations

import numpy as np
import pytest

from analysis_core.interp.interpret import interpret
from analysis_core.ir.nodes import Kernel
from analysis_core.ir.types import Space
from analysis_core.program.launch import choose_launches
from analysis_core.requests import nearness
from analysis_core.requests.evaluate import evaluate
from analysis_core.requests.facts import AccessFact
from analysis_core.support.settings import Settings
from tests.simulate.running import kernel_of, run

WHERE = """
    int t = threadIdx.y * 16 + threadIdx.x, bx = blockIdx.x * 16 - 1, by = blockIdx.y * 16 - 1;
    int r = t / 18, c = t % 18;
"""

CLAMPED = [
    ("int x = min(max(bx + c, 0), w - 1), y = min(max(by + r, 0), h - 1);", "y * w + x", 9),
    ("int x = bx + c, y = by + r; if (x < 0) x = 0; if (x >= w) x = w - 1; if (y < 0) y = 0; if (y >= h) y = h - 1;",
     "y * w + x", 9),
    ("int x = min(max(bx + c, 0), w - 1) / 2, y = min(max(by + r, 0), h - 1) / 2;", "y * w + x", 7),
    ("int x = max(min(bx + c, w - 1), 0) >> 3, y = min(max(by + r, 0), h - 1);", "(y * w + x) * 4", 7),
    ("int x = min(max(bx + c, 0), w - 1), y = min(max(by + r, 0), h - 1);", "x * h + y", 32),
]  # fmt: skip


def kernel(code: str, index: str) -> Kernel:
    return kernel_of(
        f"__global__ void k(const float *in, float *out, int w, int h) {{ {WHERE} {code} out[t] = in[{index}]; }}"
    )


def access(found: Kernel, base: str = "in") -> AccessFact:
    settings = Settings(block=(16, 16, 1))
    launch = choose_launches(found, settings)[0]
    facts = evaluate(found, launch, interpret(found, launch, settings)).facts
    return next(a for a in facts.accesses if a.base == base)


@pytest.mark.parametrize(("code", "index", "worst"), CLAMPED)
def test_clamped_coordinates(code: str, index: str, worst: int) -> None:
    """Never less than any launch pays, and no more than is written here."""
    found = kernel(code, index)
    told = access(found)
    assert told.worst == worst
    rng = np.random.default_rng(7)
    for _ in range(12):
        w, h = (int(n) for n in rng.integers(1, 40, 2))
        cells = np.zeros(4 * w * h + 64, np.float32)
        outcome = run(found, (16, 16), (3, 3), {"in": cells, "out": np.zeros(256, np.float32), "w": w, "h": h})
        assert not outcome.faults
        counted = next(a for a in outcome.accesses if a.text.startswith("in["))
        assert counted.cost.most <= told.worst
        assert counted.excess.most <= told.excess


def test_without_distances_the_lanes_would_be_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """The figure of the first kernel comes from here."""
    monkeypatch.setattr(
        nearness.Nearness, "of", lambda self, poly, size, depth=0: nearness._unknown(np.zeros((8, 32, 32)))
    )
    assert access(kernel(*CLAMPED[0][:2])).worst == 32


def test_chains_are_put_together_and_far_lanes_apart() -> None:
    line = np.arange(32, dtype=np.float64) * 4
    line[16:] += 4000
    distances = np.abs(line[:, np.newaxis] - line)
    every = np.ones(32, dtype=bool)
    assert nearness.most_of_clusters(distances, every, Space.GLOBAL, 4, 1) == 2 * 3  # 64 bytes touch 3 sectors
    assert nearness.most_of_clusters(distances, every & (line < 30), Space.GLOBAL, 4, 1) == 2
    assert nearness.most_of_clusters(distances, every, Space.SHARED, 4, 1) == 2
    nowhere = nearness._unknown(np.zeros((1, 32, 32)))[0]
    assert nearness.most_of_clusters(nowhere, every, Space.GLOBAL, 4, 1) == 32
    nowhere[0] = nowhere[:, 0] = 4.0  # all are near the first lane, hence near each other
    assert nearness.most_of_clusters(nowhere, every, Space.GLOBAL, 4, 1) == 2
    assert nearness.most_of_clusters(np.zeros((32, 32)), every, Space.GLOBAL, 4, 1) == 1
    assert nearness.most_of_clusters(np.zeros((32, 32)), every, Space.GLOBAL, 16, 2) == 2
