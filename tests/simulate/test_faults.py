"""What goes wrong is reported with the thread and the line, and runs that cannot go on say why."""

from __future__ import annotations

import numpy as np
import pytest

from analysis_core.simulate.binding import BadArguments
from analysis_core.simulate.faults import Fault, FaultKind
from analysis_core.simulate.machine import Stopped
from tests.simulate.running import kernel_of, run

INTS = np.arange(64, dtype=np.int32)


def faults_of(source: str, block: int = 64, **arguments: object) -> tuple[Fault, ...]:
    return run(kernel_of(source), block, 1, {"a": INTS, **arguments}).faults


def only(found: tuple[Fault, ...], kind: FaultKind) -> Fault:
    assert [f.kind for f in found] == [kind], found
    return found[0]


def line_of(source: str, fault: Fault) -> str:
    return source[fault.span.start : fault.span.end]


def test_out_of_bounds() -> None:
    source = "__global__ void k(int *a) { a[threadIdx.x + 4] = 1; }"
    fault = only(faults_of(source), FaultKind.OUT_OF_BOUNDS)
    assert (fault.thread, fault.count, line_of(source, fault)) == ((60, 0, 0), 4, "a[threadIdx.x + 4]")
    assert "byte 256 of `a`, which has 256" in fault.text
    before = only(
        faults_of("__global__ void k(int *a) { int t = threadIdx.x; a[t - 1] = 1; }"), FaultKind.OUT_OF_BOUNDS
    )
    assert "4 bytes before `a`" in before.text and before.thread == (0, 0, 0)


def test_a_bad_store_is_dropped_and_a_bad_load_gives_zero() -> None:
    kernel = kernel_of("__global__ void k(int *a, int *b) { int t = threadIdx.x; b[t] = a[t * 2]; a[t * 2] = 7; }")
    outcome = run(kernel, 64, 1, {"a": INTS + 1, "b": INTS})
    np.testing.assert_array_equal(outcome.arrays["b"][32:], 0)
    np.testing.assert_array_equal(outcome.arrays["b"][:32], INTS[::2] + 1)


def test_null_pointer() -> None:
    fault = only(faults_of("__global__ void k(int *a) { int *p = nullptr; if (threadIdx.x == 3) a[0] = *p; }"),
                 FaultKind.OUT_OF_BOUNDS)  # fmt: skip
    assert "null pointer" in fault.text and fault.thread == (3, 0, 0)


def test_misaligned() -> None:
    fault = only(faults_of("__global__ void k(int *a) { *(long long *)(a + 1) = 1; }", 1), FaultKind.MISALIGNED)
    assert "8 bytes" in fault.text


def test_uninitialised() -> None:
    found = faults_of("__global__ void k(int *a) { int q; if (threadIdx.x > 9) q = 1; a[threadIdx.x] = q + 1; }")
    assert only(found, FaultKind.UNINITIALISED).count == 10
    found = faults_of("__global__ void k(int *a) { __shared__ int s[64]; a[threadIdx.x] = s[threadIdx.x]; }")
    assert only(found, FaultKind.UNINITIALISED).count == 64


def test_copies_of_structures_that_are_partly_set_are_no_fault() -> None:
    assert not faults_of(
        """struct P { int x, y; };
        __global__ void k(int *a) { P p; p.x = 3; P q = p; a[threadIdx.x] = q.x; }"""
    )


def test_races_of_one_statement() -> None:
    found = faults_of("__global__ void k(int *a) { a[threadIdx.x / 2] = threadIdx.x; }")
    assert only(found, FaultKind.RACE_IN_WARP).count == 32
    assert not faults_of("__global__ void k(int *a) { a[threadIdx.x / 2] = 1; }")
    found = faults_of("__global__ void k(int *a) { a[threadIdx.x % 32] = threadIdx.x; }")
    assert only(found, FaultKind.RACE_IN_BLOCK).count == 32


SHARED = "__global__ void k(int *a) {{ __shared__ int s[64]; int t = threadIdx.x; s[t] = a[t]; {} a[t] = s[{}]; }}"


@pytest.mark.parametrize(
    ("barrier", "index", "kind"),
    [
        ("", "t", None),
        ("", "t ^ 1", FaultKind.RACE_IN_WARP),
        ("", "63 - t", FaultKind.RACE_IN_BLOCK),
        ("__syncwarp();", "t ^ 1", None),
        ("__syncwarp();", "63 - t", FaultKind.RACE_IN_BLOCK),
        ("__syncthreads();", "63 - t", None),
    ],
)
def test_races_across_statements(barrier: str, index: str, kind: FaultKind | None) -> None:
    found = faults_of(SHARED.format(barrier, index))
    assert [f.kind for f in found] == ([] if kind is None else [kind])


def test_a_write_after_reads_races() -> None:
    source = """__global__ void k(int *a) {{ __shared__ int s[64]; int t = threadIdx.x; s[t] = a[t]; __syncthreads();
        int v = s[(t + 1) % 64]; {} s[t] = v; __syncthreads(); a[t] = s[t]; }}"""
    assert {f.kind for f in faults_of(source.format(""))} == {FaultKind.RACE_IN_WARP, FaultKind.RACE_IN_BLOCK}
    assert not faults_of(source.format("__syncthreads();"))


def test_divergent_barrier() -> None:
    source = "__global__ void k(int *a) { if (threadIdx.x > 32) __syncthreads(); a[threadIdx.x] = 1; }"
    fault = only(faults_of(source), FaultKind.DIVERGENT_BARRIER)
    assert line_of(source, fault).startswith("__syncthreads()") and "thread (0, 0, 0)" in fault.text
    assert not faults_of(
        "__global__ void k(int *a) { if (threadIdx.x > 32) return; __syncthreads(); a[threadIdx.x] = 1; }"
    )


def test_division_by_zero_and_shifts() -> None:
    fault = only(
        faults_of("__global__ void k(int *a) { a[threadIdx.x] = 5 / a[threadIdx.x]; }"), FaultKind.DIVISION_BY_ZERO
    )
    assert (fault.thread, fault.count) == ((0, 0, 0), 1)
    assert (
        only(
            faults_of("__global__ void k(int *a) { a[threadIdx.x] = 1 << (threadIdx.x / 2 + 1); }"), FaultKind.SHIFT
        ).count
        == 2
    )
    assert not faults_of("__global__ void k(int *a) { int t = threadIdx.x; if (a[t] != 0 && 5 / a[t] > 1) a[t] = 1; }")


def test_signed_overflow_is_told_where_it_is_asked_for() -> None:
    source = "__global__ void k(int *a, int n, unsigned m) { int t = threadIdx.x; a[t] = (t + n) + (int)(m * 2u); }"
    arguments = {"a": INTS, "n": 2**31 - 10, "m": 2**31}
    kernel = kernel_of(source)
    assert not run(kernel, 64, 1, arguments).faults
    fault = only(run(kernel, 64, 1, arguments, overflow=True).faults, FaultKind.SIGNED_OVERFLOW)
    assert (fault.thread, fault.count) == ((10, 0, 0), 54)


def test_shuffle_from_a_lane_that_left() -> None:
    source = """__global__ void k(int *a) { int t = threadIdx.x; if (t >= 8) return;
        a[t] = __shfl_down_sync(0xffffffff, t, 4); }"""
    assert only(faults_of(source, 32), FaultKind.INACTIVE_LANE).count == 4


# --- runs that end early ----------------------------------------------------------------------------------------------


def stopped(source: str, **arguments: object) -> str:
    with pytest.raises(Stopped) as caught:
        run(kernel_of(source), 32, 1, {"a": INTS, **arguments})
    return caught.value.reason


def test_unknown_constructs_stop_the_run_only_where_they_are_reached() -> None:
    source = "__global__ void k(int *a, int n) { if (n > 3) { a[0] = missing(n); } a[threadIdx.x] = n; }"
    assert "missing" in stopped(source, n=4)
    assert not run(kernel_of(source), 32, 1, {"a": INTS, "n": 3}).faults
    assert "outside of what is simulated" in stopped(
        "__global__ void k(int *a) { again: a[0] += 1; if (a[0] < 5) goto again; }"
    )


def test_a_bit_field_of_a_record_that_nobody_wrote_to_can_be_assigned() -> None:
    source = """struct S { int low : 5; int high : 7; };
    __global__ void k(int *a) { __shared__ S s[64]; S t; t.low = 1; s[threadIdx.x].high = 3; a[0] = t.low; %s }"""
    assert not faults_of(source % "", 64)
    fault = only(faults_of(source % "S u; a[1] = u.low;", 64), FaultKind.UNINITIALISED)
    assert line_of(source % "S u; a[1] = u.low;", fault) == "u.low"


def test_pointers_into_different_arrays() -> None:
    source = "__global__ void k(int *a, int *b, int n) { a[0] = (int)((a + n) - a) + (int)(a - b); }"
    fault = only(faults_of(source, 1, b=INTS, n=-5), FaultKind.FOREIGN_POINTER)
    assert line_of(source, fault).startswith("a[0]")


def test_loops_that_do_not_end() -> None:
    with pytest.raises(Stopped) as caught:
        run(kernel_of("__global__ void k(volatile int *a) { while (a[0] == 0) { } }"), 32, 1, {"a": INTS}, rounds=100)
    assert "does not end within 100 rounds" in caught.value.reason


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"a": INTS}, "no value is given for `n`"),
        ({"a": INTS, "n": 2**31}, "lies between"),
        ({"a": INTS, "n": 1.5}, "is an integer"),
        ({"a": 5, "n": 1}, "is a pointer"),
        ({"a": INTS, "n": INTS}, "is no pointer"),
        ({"a": INTS, "n": 1, "m": 2}, "has no parameter `m`"),
    ],
)
def test_bad_arguments(arguments: dict[str, object], words: str) -> None:
    with pytest.raises(BadArguments, match=words):
        run(kernel_of("__global__ void k(int *a, int n) { a[0] = n; }"), 32, 1, arguments)


PARTIAL = (
    "__global__ void k(int *a) {{ __shared__ int s[64]; int t = threadIdx.x; s[t] = t; if (t < {}) {{ {}; {} }} {} }}"
)


def test_a_barrier_orders_only_those_who_take_it() -> None:
    others = PARTIAL.format(32, "__syncthreads()", "", "a[t] = s[63 - t];")
    assert [f.kind for f in faults_of(others)] == [FaultKind.DIVERGENT_BARRIER, FaultKind.RACE_IN_BLOCK]
    themselves = PARTIAL.format(40, "__syncthreads()", "a[t] = s[39 - t];", "")
    assert [f.kind for f in faults_of(themselves)] == [FaultKind.DIVERGENT_BARRIER]


def test_a_part_of_a_warp_may_meet() -> None:
    assert not faults_of(PARTIAL.format(16, "__syncwarp(0xffff)", "a[t] = s[t ^ 1];", ""))
    found = faults_of(PARTIAL.format(16, "__syncwarp(0xffff)", "", "if (t < 32) a[t] = s[t ^ 16];"))
    assert only(found, FaultKind.RACE_IN_WARP).count == 32


def test_threads_that_are_gone_need_not_come() -> None:
    assert not faults_of(PARTIAL.format(16, "return", "", "__syncwarp(); a[t] = s[t ^ 1];"))
    assert not faults_of(PARTIAL.format(16, "return", "", "__syncthreads(); a[t] = s[t < 24 ? t - 16 : t];"))


@pytest.mark.parametrize(
    ("type", "value", "fits"),
    [
        ("int", 2147483520.0, True), ("int", 2147483648.0, False), ("int", -2147483648.0, True),
        ("int", float("nan"), False), ("unsigned", -0.5, True), ("unsigned", -1.0, False),
        ("unsigned", 4294967040.0, True), ("signed char", 128.0, False), ("signed char", -128.9, True),
        ("long long", 9.3e18, False), ("unsigned long long", 1.8e19, True), ("bool", 1e30, True),
    ],
)  # fmt: skip
def test_floats_that_an_integer_does_not_hold(type: str, value: float, fits: bool) -> None:
    found = faults_of(f"__global__ void k(float *a) {{ a[1] = ({type})a[0]; }}", 1, a=np.array([value, 0], np.float32))
    assert not found if fits else only(found, FaultKind.CONVERSION).count == 1
