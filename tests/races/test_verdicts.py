"""Verdicts on kernels that were written for them: `free.cu`, in which no threads meet, and `racy.cu`, in which they do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from analysis_core.interp.core.events import Events
from analysis_core.interp.interpret import interpret
from analysis_core.ir.nodes import Kernel
from analysis_core.ir.types import PointerType
from analysis_core.pipeline.pipeline import lower, read
from analysis_core.program.launch import choose_launches
from analysis_core.races import replay
from analysis_core.races.decide import race_report, races_of
from analysis_core.races.runs import STATEMENTS
from analysis_core.races.verdicts import RaceReport, Scope, Verdict
from analysis_core.simulate.arguments import ArrayArgument, LaunchRequest
from analysis_core.simulate.faults import FaultKind
from analysis_core.simulate.run import simulate
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings

HERE = Path(__file__).parent
OTHERWISE = {
    ("free", "one_value"): Verdict.BENIGN,
    ("free", "product"): Verdict.CONDITIONAL,
    ("free", "transposed"): Verdict.CONDITIONAL,
    ("racy", "one_side_waits"): Verdict.CONDITIONAL,
    ("racy", "breaks_before_the_barrier"): Verdict.CONDITIONAL,
}
"""Kernels that are neither free of meetings nor surely racy: a row of a matrix may be too short for the grid."""


def kernels_of(text: str) -> list[Kernel]:
    """The kernels of a text."""
    settings = Settings()
    return list(lower(read("k.cu", MemoryFiles({"k.cu": text.encode()}), settings), settings).kernels)


def events_of(kernel: Kernel) -> Events:
    """The events of a kernel under its first launch."""
    return interpret(kernel, choose_launches(kernel, Settings())[0], Settings())


def report_of(kernel: Kernel) -> RaceReport:
    """The verdicts on a kernel under its first launch."""
    return races_of(kernel, choose_launches(kernel, Settings())[0], events_of(kernel))


@pytest.mark.parametrize(("name", "usual"), [("free", Verdict.ABSENT), ("racy", Verdict.CERTAIN)])
def test_verdicts(name: str, usual: Verdict) -> None:
    found = {k.name: report_of(k).verdict for k in kernels_of((HERE / f"{name}.cu").read_text())}
    assert len(found) > 15
    assert found == {kernel: OTHERWISE.get((name, kernel), usual) for kernel in found}


def test_the_simulator_meets_no_race_in_free_kernels() -> None:
    for kernel in kernels_of((HERE / "free.cu").read_text()):
        if ("free", kernel.name) in OTHERWISE:
            continue
        launch = choose_launches(kernel, Settings())[0]
        arrays = ArrayArgument(np.arange(1 << 14, dtype=np.int32) % 7)
        arguments = {v.name: arrays if isinstance(v.type, PointerType) else 64 for v in kernel.variables if v.parameter}
        outcome = simulate(kernel, LaunchRequest(launch.block, (1, 1, 1), arguments))
        assert not [f for f in outcome.faults if f.kind is FaultKind.RACE_IN_BLOCK], kernel.name


CROWDED = """
__global__ void k(int4 *a, char *b, int n) {
    __shared__ int4 s[64];
    s[0] = make_int4(n, n, n, n);
    ((char *)s)[1000] = b[0];
    a[threadIdx.x] = s[n];
}
void run(int4 *a, char *b, int n) { k<<<1, 1024>>>(a, b, n); }
"""


OVERLAP = """
__global__ void shift(float *to, const float *from, int n) {
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i < n) to[i] = from[i];
}
void run(float *p, float *q, int n) { shift<<<n / 256, 256>>>(%s, n); }
"""


@pytest.mark.parametrize(
    ("pointers", "verdict"),
    [
        ("p, q", Verdict.ABSENT),
        ("p, p", Verdict.ABSENT),
        ("p, p + 1", Verdict.CERTAIN),
        ("p + 2, p", Verdict.CERTAIN),
        ("p, p + n", Verdict.UNDECIDED),
    ],
)
def test_pointers_into_one_array(pointers: str, verdict: Verdict) -> None:
    (kernel,) = kernels_of(OVERLAP % pointers)
    launch = choose_launches(kernel, Settings())[0]
    assert race_report(kernel, launch, events_of(kernel), False).verdict is verdict


def test_atomics_of_a_block_are_none_to_others() -> None:
    text = "__global__ void k(int *n) { atomicAdd%s(n, 1); }\nvoid run(int *n) { k<<<64, 256>>>(n); }\n"
    found = []
    for suffix in ("", "_block"):
        (kernel,) = kernels_of(text % suffix)
        found.append(report_of(kernel).verdict)
    assert found[0] is Verdict.ABSENT
    assert found[1] is not Verdict.ABSENT


def test_of_more_meetings_than_are_looked_at_nothing_harmless_is_said() -> None:
    (kernel,) = kernels_of(CROWDED)
    stores = [r for r in report_of(kernel).races if r.first.text == r.second.text == "s[0]"]
    assert [race.verdict for race in stores] == [Verdict.UNDECIDED]


NAMED_BARRIER = """
__global__ void k(float *a) {
    __shared__ float s[64];
    s[threadIdx.x] = a[threadIdx.x];
    asm volatile("barrier.sync 1, 32;" ::: "memory");
    a[threadIdx.x] = s[threadIdx.x ^ 32];
}
void run(float *a) { k<<<1, 64>>>(a); }
"""

DIVERGENT = """
__global__ void k(float *a, int n) {
    __shared__ float s[256];
    s[threadIdx.x] = a[threadIdx.x];
    if (threadIdx.x < n) __syncthreads();
    a[threadIdx.x] = s[255 - threadIdx.x];
}
void run(float *a) { k<<<1, 256>>>(a, 256); }
"""

PITCH = """
__global__ void k(float *a, int pitch) {
    __shared__ float s[4096];
    s[threadIdx.y * pitch + threadIdx.x] = a[threadIdx.y * 16 + threadIdx.x];
    __syncthreads();
    a[threadIdx.y * 16 + threadIdx.x] = s[threadIdx.x * pitch + threadIdx.y];
}
void run(float *a, int pitch) { k<<<1, dim3(16, 16)>>>(a, pitch); }
"""

FLAG = """
__global__ void k(int *a) {
    __shared__ volatile int flag;
    if (threadIdx.x == 0) flag = a[0];
    if (threadIdx.x == 32) a[1] = flag;
}
void run(int *a) { k<<<1, 64>>>(a); }
"""

BY_DATA = """
__global__ void k(int *a) {
    __shared__ int s[256];
    s[a[threadIdx.x] & 255] = threadIdx.x;
    __syncthreads();
    a[threadIdx.x] = s[threadIdx.x];
}
void run(int *a) { k<<<1, 256>>>(a); }
"""


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (NAMED_BARRIER, Verdict.UNDECIDED),
        (DIVERGENT, Verdict.UNDECIDED),
        (PITCH, Verdict.CONDITIONAL),
        (FLAG, Verdict.UNDECIDED),
        (BY_DATA, Verdict.DATA),
    ],
)
def test_what_is_not_certain(text: str, verdict: Verdict) -> None:
    (kernel,) = kernels_of(text)
    assert report_of(kernel).verdict is verdict


def test_a_witness_names_both_threads_and_the_byte() -> None:
    (kernel,) = [k for k in kernels_of((HERE / "racy.cu").read_text()) if k.name == "late_barrier"]
    race = report_of(kernel).races[0]
    assert race.witness is not None
    assert race.witness.array == "s"
    assert {race.first.does, race.second.does} == {"reads", "writes"}
    assert [one.thread for one in race.witness.threads] == [(128, 0, 0), (0, 0, 0)]
    assert race.witness.byte == 512


def test_each_round_of_a_loop_is_held_against_the_next() -> None:
    """The same store and load, one barrier or two."""
    body = "s[threadIdx.x] = a[k]; __syncthreads(); b[k * 256 + threadIdx.x] = s[255 - threadIdx.x];"
    text = (
        "__global__ void k(float *a, float *b, int n) {{ __shared__ float s[256]; for (int k = 0; k < n; k++) {{ {} }} }}\n"
        "void run(float *a, float *b, int n) {{ k<<<1, 256>>>(a, b, n); }}\n"
    )
    verdicts = []
    for end in ("", " __syncthreads();"):
        (kernel,) = kernels_of(text.format(body + end))
        verdicts.append(report_of(kernel).verdict)
    assert verdicts == [Verdict.CERTAIN, Verdict.ABSENT]


@pytest.mark.parametrize(
    ("condition", "found"),
    [
        ("blockIdx.x % 2 == 0", [Verdict.CERTAIN]),
        ("threadIdx.x < 16", [Verdict.CERTAIN]),
        ("blockIdx.x < gridDim.x", []),
        ("a[0] > 3", [Verdict.DATA]),
        ("n > 3", []),
    ],
)
def test_a_barrier_of_the_grid_is_for_all_blocks(condition: str, found: list[Verdict]) -> None:
    text = f"""#include <cooperative_groups.h>
__global__ void k(int *a, int n) {{
    auto g = cooperative_groups::this_grid();
    if ({condition}) {{ g.sync(); }}
    a[blockIdx.x * blockDim.x + threadIdx.x] = n;
}}
void run(int *a, int n) {{ k<<<2, 64>>>(a, n); }}
"""
    (kernel,) = kernels_of(text)
    report = race_report(kernel, choose_launches(kernel, Settings())[0], events_of(kernel), False)
    assert [one.verdict for one in report.divergences] == found
    if found == [Verdict.CERTAIN]:
        (one,) = report.divergences
        assert one.scope is Scope.GRID and one.thread is not None and one.absent is not None
        assert (one.thread.block != one.absent.block) is ("blockIdx" in condition)


WIDE_GRID = """__global__ void tiles(float *g) {
    int i = blockIdx.x * blockDim.x * 8 + threadIdx.x;
    const int pitch = gridDim.x * blockDim.x * 8;
    for (int k = 0; k < 4; k++) {
        float sum = 0;
        for (int j = 0; j < 8; j++) sum += g[i + j * 64 + k * pitch];
        g[i + k * pitch] = sum;
    }
}
void run(float *g, int n) { tiles<<<n, 64>>>(g); }
"""


def test_a_pitch_that_wraps_around_in_a_grid_of_millions_is_not_certain() -> None:
    (kernel,) = kernels_of(WIDE_GRID)
    assert report_of(kernel).verdict is Verdict.CONDITIONAL


LONG = """
//@ launch block=(256)
__global__ void k(float *__restrict__ out, const float *__restrict__ in, int n) {
    int gid = blockIdx.x * 256 + threadIdx.x;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            out[gid / 4 * 56 + (4 + gid % 4) + 8 * i] += in[j];
}
"""


def test_a_replay_ends_with_its_account(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs of nested loops would take minutes: what they execute is counted."""
    executed: list[int] = []

    def counted(kernel: Kernel, request: LaunchRequest, *more: object) -> object:
        executed.append(request.statements)
        return simulate(kernel, request, *more)  # type: ignore[arg-type]

    monkeypatch.setattr(replay, "simulate", counted)
    (kernel,) = kernels_of(LONG)
    report = report_of(kernel)
    assert 0 < len(executed) <= 4
    assert set(executed) == {STATEMENTS}
    assert {race.verdict for race in report.races} == {Verdict.UNDECIDED}


def test_a_cause_has_its_place() -> None:
    text = (HERE / "kernels" / "barrier_objects.cu").read_text()
    (kernel,) = [one for one in kernels_of(text) if one.name == "made_for_fewer"]
    (race,) = report_of(kernel).races
    assert race.because is not None
    assert text[race.because.start : race.because.end] == "bar.arrive_and_wait()"


def test_what_keeps_all_accesses_from_being_ordered_has_its_place() -> None:
    body = "for (int k = 0; k < n; k++) { s[threadIdx.x] = k; if (k == a[0]) continue; __syncthreads(); a[k] = s[n]; }"
    text = f"__global__ void k(int *a, int n) {{ __shared__ int s[99]; {body} }}"
    report = report_of(*kernels_of(text))
    assert report.cause
    assert report.because is not None
    assert text[report.because.start : report.because.end] == "__syncthreads()"
