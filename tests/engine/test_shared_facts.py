"""What an access costs is found out once for all kernels of a file in which it has the same executions, and shows the same as if it were not."""

from __future__ import annotations

from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.findings.model import FileReport
from analysis_core.requests.site_memo import SITES
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.support.store import Store

SOURCE = b"""
template <int MODE> __global__ void step(float *out, const float *in, int w, int h) {
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    if (x < w && y < h) {
        tile[threadIdx.x][threadIdx.y] = in[x * h + y];
        if (MODE == 1) out[y * w + x] = 0.0f;
        if (MODE == 2 && x % 2) out[0] = 1.0f;
    }
}
template __global__ void step<0>(float *, const float *, int, int);
template __global__ void step<1>(float *, const float *, int, int);
template __global__ void step<2>(float *, const float *, int, int);
"""


def report(store: Store, kernel: str | None = None) -> FileReport:
    return analyse_file("a.cu", MemoryFiles({"a.cu": SOURCE}), Settings(), kernel=kernel, strict=True, store=store)


def test_facts_are_shared_between_kernels_and_change_nothing() -> None:
    store = Store()
    whole = report(store)
    assert len(whole.kernels) == 3
    assert store.count(SITES).hits >= 4
    for shared in whole.kernels:
        (alone,) = report(Store(), shared.instantiation).kernels
        assert [launch.facts for launch in shared.launches] == [launch.facts for launch in alone.launches]
