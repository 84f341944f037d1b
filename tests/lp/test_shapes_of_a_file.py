"""Linear programs of one file: instances of a kernel with the same loops share them, and their bounds are those from scratch."""

from __future__ import annotations

import pytest

from analysis_core.lp.invariants import Invariants
from analysis_core.lp.level import Level
from analysis_core.lp.transitions import System
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.findings.model import FileReport
from analysis_core.support.files import MemoryFiles
from analysis_core.support.fuel import Fuel
from analysis_core.support.settings import Settings

# The inner counter is never set back: its bound needs a linear program.
KERNEL = """
template <int BYTES> __global__ void scan(const int *ends, int *out, int rows, int all) {
    int k = 0;
    for (int row = 0; row < rows; row++) {
        while (k < all && ends[k] < row) k++;
        out[row * BYTES] = k;
    }
}
"""
HOST = "void host(int *a, int *b, int n) {{ {calls} }}\n"


def _analysed(*bytes: int) -> FileReport:
    calls = " ".join(f"scan<{number}><<<1, 32>>>(a, b, n, n);" for number in bytes)
    text = (KERNEL + HOST.format(calls=calls)).encode()
    return analyse_file("a.cu", MemoryFiles({"a.cu": text}), Settings(), strict=True)


def test_instances_share_their_linear_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    make = Level.__init__

    def noted(self: Level, system: System, invariants: Invariants, degree: int, fuel: Fuel | None) -> None:
        made.append(degree)
        make(self, system, invariants, degree, fuel)

    monkeypatch.setattr(Level, "__init__", noted)
    alone = [_analysed(number).kernels[0].launches[0].facts.bounds for number in (4, 8)]
    each = len(made)
    both = [kernel.launches[0].facts.bounds for kernel in _analysed(4, 8).kernels]
    assert each > 0 and len(made) - each == each // 2
    for one, other in zip(alone, both, strict=True):
        assert one is not None and other is not None and one.metrics == other.metrics
