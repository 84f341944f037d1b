"""What kernels compute in the simulator is what numpy computes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from analysis_core.simulate.arguments import ArrayArgument
from analysis_core.simulate.faults import FaultKind
from analysis_core.simulate.run import Outcome
from tests.simulate.running import kernel_in, kernel_of, run

RANDOM = np.random.default_rng(2026)


def clean(outcome: Outcome) -> Outcome:
    """The outcome, if nothing went wrong."""
    assert not outcome.faults, outcome.faults
    return outcome


def floats(*shape: int, dtype: type = np.float32) -> np.ndarray:
    return RANDOM.uniform(-1, 1, shape).astype(dtype)


@pytest.mark.parametrize("n", [1, 255, 256, 1000])
def test_vector_add(n: int) -> None:
    a, b = floats(n), floats(n)
    outcome = clean(run(kernel_in("algorithms.cu", "vector_add"), 256, 4, {"a": a, "b": b, "c": floats(n), "n": n}))
    np.testing.assert_array_equal(outcome.arrays["c"], a + b)


def test_chunks_do_not_matter() -> None:
    n = 5000
    a, b, c = floats(n), floats(n), floats(n)
    kernel = kernel_in("algorithms.cu", "vector_add")
    runs = [run(kernel, 96, 60, {"a": a, "b": b, "c": c, "n": n}, lanes=lanes) for lanes in (96, 1000, 1 << 20)]
    for other in runs[1:]:
        np.testing.assert_array_equal(other.arrays["c"], runs[0].arrays["c"])
        assert other.accesses == runs[0].accesses
        np.testing.assert_array_equal(other.warps.steps, runs[0].warps.steps)


@pytest.mark.parametrize("n", [64, 50])
def test_matrix_product(n: int) -> None:
    a, b = floats(n, n), floats(n, n)
    kernel = kernel_in("algorithms.cu", "matrix_product")
    outcome = clean(run(kernel, (16, 16), (4, 4), {"a": a, "b": b, "c": floats(n, n), "n": n}))
    np.testing.assert_allclose(outcome.arrays["c"], a @ b, rtol=1e-4, atol=1e-5)


def test_reductions() -> None:
    values = RANDOM.integers(-9, 9, 3000)
    kernel = kernel_in("algorithms.cu", "reduction")
    arguments = {"in": values.astype(np.float32), "out": np.zeros(1, np.float32), "n": 3000}
    outcome = clean(run(kernel, 128, 5, arguments, shared_bytes=512))
    assert outcome.arrays["out"][0] == values.sum()
    shuffled = kernel_in("algorithms.cu", "shuffled_reduction")
    arguments = {"in": values.astype(np.int32), "out": np.zeros(12, np.int32), "n": 3000}
    outcome = clean(run(shuffled, 256, 12, arguments))
    np.testing.assert_array_equal(outcome.arrays["out"], np.append(values, np.zeros(72)).reshape(12, 256).sum(axis=1))


def test_scan() -> None:
    values = RANDOM.integers(-99, 99, 300).astype(np.int32)
    outcome = clean(run(kernel_in("algorithms.cu", "scan"), 512, 1, {"in": values, "out": values * 0, "n": 300}))
    np.testing.assert_array_equal(outcome.arrays["out"], np.cumsum(values))


def test_histogram() -> None:
    data = RANDOM.integers(0, 256, 10_000).astype(np.uint8)
    bins = np.zeros(256, np.uint32)
    outcome = clean(run(kernel_in("algorithms.cu", "histogram"), 192, 7, {"data": data, "bins": bins, "n": 10_000}))
    np.testing.assert_array_equal(outcome.arrays["bins"], np.bincount(data, minlength=256))


def test_transpose() -> None:
    matrix = floats(40, 70, dtype=np.float64)
    arguments = {"in": matrix, "out": np.zeros((70, 40)), "w": 70, "h": 40}
    outcome = clean(run(kernel_in("algorithms.cu", "transpose"), (16, 16), (5, 3), arguments))
    np.testing.assert_array_equal(outcome.arrays["out"], matrix.T)


def test_stencil() -> None:
    values, weights = floats(1000), floats(5)
    arguments = {"in": values, "out": values * 0, "n": 1000, "weights": weights}
    outcome = clean(run(kernel_in("algorithms.cu", "stencil"), 128, 8, arguments))
    padded = np.concatenate([np.zeros(2, np.float32), values, np.zeros(2, np.float32)])
    expected = sum(weights[k] * padded[k : k + 1000] for k in range(5))
    np.testing.assert_allclose(outcome.arrays["out"], expected, rtol=1e-5, atol=1e-6)


def test_sparse_product() -> None:
    dense = np.where(RANDOM.random((100, 80)) < 0.1, floats(100, 80), 0).astype(np.float32)
    rows, columns = np.nonzero(dense)
    start = np.searchsorted(rows, np.arange(101)).astype(np.int32)
    x = floats(80)
    arguments = {
        "m.count": 100, "m.start": start, "m.column": columns.astype(np.int32), "m.value": dense[rows, columns],
        "x": x, "y": np.zeros(100, np.float32),
    }  # fmt: skip
    outcome = clean(run(kernel_in("algorithms.cu", "sparse_product"), 64, 2, arguments))
    np.testing.assert_allclose(outcome.arrays["y"], dense @ x, rtol=1e-4, atol=1e-5)


def test_structures_and_vectors() -> None:
    n = 40
    particle = np.dtype(
        {"names": ["p", "m", "k"], "formats": [("f4", 3), "f4", "i2"], "offsets": [0, 12, 16], "itemsize": 20}
    )
    particles = np.zeros(n, particle)
    particles["p"], particles["m"], particles["k"] = floats(n, 3), floats(n), RANDOM.integers(-5, 5, n)
    arguments = {"particles": particles, "out": np.zeros((n, 4), np.float32), "n": n}
    outcome = clean(run(kernel_in("algorithms.cu", "forces"), 64, 1, arguments))
    d = particles["p"][None, :, :] - particles["p"][:, None, :]
    strength = particles["m"][None, :] * ((d**2).sum(axis=2) + 1) ** -1.5
    np.fill_diagonal(strength, 0)
    expected = (strength[:, :, None] * d).sum(axis=1)
    np.testing.assert_allclose(outcome.arrays["out"][:, :3], expected, rtol=1e-4, atol=1e-5)
    others = (particles["k"] >= 0).sum() - (particles["k"] >= 0)
    np.testing.assert_array_equal(outcome.arrays["out"][:, 3], others)


def c_integers(i: int, x: int, y: int) -> tuple[int, int]:
    """The kernel `integers` for one thread, in exact arithmetic."""

    def signed(value: int, bits: int) -> int:
        value &= (1 << bits) - 1
        return value - (1 << bits) if value >> (bits - 1) else value

    def quotient(a: int, b: int) -> int:
        return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)

    u, s, result = x * 2654435761 & 0xFFFFFFFF, signed(x * 3, 16), x * y
    match i % 5:
        case 0:
            result += quotient(x, y)
        case 1:
            result -= x - quotient(x, y) * y
            result ^= u >> (i & 31)
        case 2:
            result ^= u >> (i & 31)
        case 3:
            result = (result << 3) + s
        case _:
            result = -(result >> 2) | (x & ~y)
    while True:
        result -= 7
        if result % 11 == 0 or result % 13 == 0:
            return result, (x - y) & 255


def test_integers_have_the_widths_of_c() -> None:
    n = 400
    a = RANDOM.integers(-(2**30), 2**30, n).astype(np.int32)
    b = (RANDOM.integers(1, 2**20, n) * RANDOM.choice([-1, 1], n)).astype(np.int32)
    arguments = {"a": a, "b": b, "out": np.zeros(n, np.int64), "bytes": np.zeros(n, np.uint8), "n": n}
    outcome = clean(run(kernel_in("algorithms.cu", "integers"), 128, 4, arguments))
    expected = [c_integers(i, int(a[i]), int(b[i])) for i in range(n)]
    np.testing.assert_array_equal(outcome.arrays["out"], [r for r, _ in expected])
    np.testing.assert_array_equal(outcome.arrays["bytes"], [r for _, r in expected])


def test_half_precision_rounds_after_every_operation() -> None:
    a, b = floats(100, dtype=np.float16), floats(100, dtype=np.float16)
    outcome = clean(run(kernel_in("algorithms.cu", "halves"), 128, 1, {"a": a, "b": b, "c": a * 0, "n": 100}))
    np.testing.assert_array_equal(outcome.arrays["c"], a * b + np.float16(0.5))


def test_the_last_block_sees_what_the_others_did() -> None:
    values = RANDOM.integers(0, 100, 1000).astype(np.int32)
    zeros = lambda n: ArrayArgument(np.zeros(n, np.int32))  # noqa: E731
    arguments = {"in": values, "partial": zeros(8), "ticket": zeros(1), "out": zeros(1), "n": 1000}
    outcome = clean(run(kernel_in("algorithms.cu", "last_block"), 128, 8, arguments, lanes=256))
    assert outcome.arrays["out"][0] == values.sum()


def test_atomics_of_a_warp_come_one_after_the_other() -> None:
    kernel = kernel_of("__global__ void k(int *a, int *old) { old[threadIdx.x] = atomicAdd(&a[threadIdx.x % 2], 3); }")
    outcome = clean(run(kernel, 64, 1, {"a": np.zeros(2, np.int32), "old": np.zeros(64, np.int32)}))
    assert sorted(outcome.arrays["old"]) == sorted([*range(0, 96, 3)] * 2)


def test_blocks_find_no_shared_memory_of_earlier_ones() -> None:
    kernel = kernel_of(
        "__global__ void k(int *a) { __shared__ int s[32]; if (blockIdx.x == 0) s[threadIdx.x] = 7; a[0] = s[threadIdx.x]; }"
    )
    outcome = run(kernel, 32, 2, {"a": np.zeros(1, np.int32)}, lanes=32)
    assert [(fault.kind, fault.block) for fault in outcome.faults] == [(FaultKind.UNINITIALISED, (1, 0, 0))]
    assert outcome.arrays["a"][0] == 0


@pytest.mark.parametrize(
    ("operation", "expected"),
    [
        ("add", np.add),
        ("min", np.minimum),
        ("max", np.maximum),
        ("and", np.bitwise_and),
        ("or", np.bitwise_or),
        ("xor", np.bitwise_xor),
    ],
)
def test_reductions_over_a_warp(operation: str, expected: np.ufunc) -> None:
    source = f"""__global__ void k(int *a, int *out, int n) {{
        if (threadIdx.x < n) out[threadIdx.x] = __reduce_{operation}_sync(__activemask(), a[threadIdx.x]);
    }}"""
    values = RANDOM.integers(-1000, 1000, 64).astype(np.int32)
    outcome = clean(run(kernel_of(source), 64, 1, {"a": values, "out": np.zeros(64, np.int32), "n": 50}))
    assert (outcome.arrays["out"][:32] == expected.reduce(values[:32])).all()
    assert (outcome.arrays["out"][32:50] == expected.reduce(values[32:50])).all()


def test_reductions_over_a_tile() -> None:
    source = """namespace cg = cooperative_groups;
    __global__ void k(float *a, float *out) {
        auto warp = cg::tiled_partition<32>(cg::this_thread_block());
        out[threadIdx.x] = cg::reduce(warp, a[threadIdx.x], cg::greater<float>());
    }"""
    values = RANDOM.uniform(-9, -1, 64).astype(np.float32)
    outcome = clean(run(kernel_of(source), 64, 1, {"a": values, "out": np.zeros(64, np.float32)}))
    assert (outcome.arrays["out"] == np.repeat(values.reshape(2, 32).max(axis=1), 32)).all()


def test_ballots() -> None:
    values = RANDOM.integers(0, 100, 128).astype(np.int32)
    arguments = {"in": values, "out": np.zeros(4, np.uint32), "ranks": values * 0, "n": 128}
    outcome = clean(run(kernel_in("algorithms.cu", "ballots"), 128, 1, arguments))
    odd = (values & 1).reshape(4, 32)
    np.testing.assert_array_equal(outcome.arrays["out"], (odd << np.arange(32)).sum(axis=1))
    expected = np.where(odd == 1, np.cumsum(odd, axis=1) - odd, -1)
    np.testing.assert_array_equal(outcome.arrays["ranks"], expected.ravel())


@pytest.mark.parametrize(
    ("update", "start", "wraps"),
    [
        ("unsigned char k = n; k -= 3;", 2, True),
        ("unsigned char k = n; k -= 3;", 3, False),
        ("unsigned short k = n; k = (k + 1) * 2;", 32767, True),
        ("unsigned short k = n; k = (k + 1) * 2;", 32766, False),
        ("unsigned k = n; k += n - 7;", 5, False),
        ("unsigned k = n; k <<= 31;", 2, True),
        ("unsigned long long k = n; k--;", 0, True),
        ("unsigned long long k = n; k += 1ull << 63;", 1, False),
        ("int k = n; k -= 3;", 0, False),
        ("unsigned k = n - 7;", 5, False),
        ("unsigned k = n - 7u;", 5, True),
        ("unsigned long long k = n - 7u;", 5, True),
        ("long long k = n - 7u;", 7, False),
        ("int k = n + threadIdx.x + 2147483640u;", 7, False),
        ("int k = n + threadIdx.x + 2147483640u;", 8, True),
        ("int k = threadIdx.x - n;", 5, False),
        ("int k = n * blockDim.x; k = 3 * blockIdx.x - 4;", 5, False),
    ],
)
def test_updates_that_wrap_around(update: str, start: int, wraps: bool) -> None:
    kernel = kernel_of(f"__global__ void k(int *a, int n) {{ {update} a[0] = k; }}")
    arguments = {"a": np.zeros(1, np.int32), "n": start}
    assert run(kernel, 1, 1, arguments, wraps=True).wrapped == (frozenset("k") if wraps else frozenset())
    assert not run(kernel, 1, 1, arguments).wrapped


def test_telling_of_wraps_counts_nothing_twice() -> None:
    kernel = kernel_of("__global__ void k(int *a, int n) { unsigned k = n; k -= n > 5 ? n / n : n % 0; a[0] = k; }")
    plain, told = (run(kernel, 64, 1, {"a": np.zeros(1, np.int32), "n": 3}, wraps=w) for w in (False, True))
    assert plain.work == told.work
    assert [fault.count for fault in plain.faults] == [fault.count for fault in told.faults]


def test_roundings_of_the_device_library() -> None:
    values = np.array([2.5, 3.5, -0.5, -2.7, 0.49999997, 8388609.0, 3e10, np.nan], dtype=np.float32)
    functions = ("__float2int_rn", "__float2int_rz", "__float2int_ru", "__float2int_rd", "roundf")
    stores = "".join(f"o[{len(values)} * {row} + t] = {name}(a[t]);" for row, name in enumerate(functions))
    source = f"__global__ void k(const float *a, double *o) {{ int t = threadIdx.x; {stores} }}"
    found = run(kernel_of(source), len(values), 1, {"a": values, "o": np.zeros(5 * len(values))}).arrays["o"]
    top = 2**31 - 1
    expected = [
        [2, 4, 0, -3, 0, 8388609, top, 0],
        [2, 3, 0, -2, 0, 8388609, top, 0],
        [3, 4, 0, -2, 1, 8388609, top, 0],
        [2, 3, -1, -3, 0, 8388609, top, 0],
        [3, 4, -1, -3, 0, 8388609, float(np.float32(3e10)), np.nan],
    ]
    np.testing.assert_array_equal(found.reshape(5, -1), expected)


def test_remainders_are_exact() -> None:
    generator = np.random.default_rng(3)
    a, b = generator.uniform(-1e9, 1e9, 200), generator.choice([0.1, 3.0, 7.5, -2.0, 1e-3], 200)
    a[:4], b[:4] = (5.0, 7.0, -5.0, 1.0), 2.0
    source = "__global__ void k(const double *a, const double *b, double *o) { int t = threadIdx.x; o[t] = remainder(a[t], b[t]); }"
    found = run(kernel_of(source), 200, 1, {"a": a, "b": b, "o": np.zeros(200)}).arrays["o"]
    assert found.tolist() == [math.remainder(x, y) for x, y in zip(a.tolist(), b.tolist())]


def test_casts_to_references_assign_bits() -> None:
    bits = RANDOM.integers(0, 1 << 30, 32).astype(np.uint32)
    source = (
        "__global__ void k(unsigned *v, float *o) { float x = 1; (unsigned &)x = v[threadIdx.x]; o[threadIdx.x] = x; }"
    )
    outcome = clean(run(kernel_of(source), 32, 1, {"v": bits, "o": floats(32)}))
    np.testing.assert_array_equal(outcome.arrays["o"], bits.view(np.float32))


def test_one_lane_of_a_warp_is_elected() -> None:
    asm = (
        '"{ .reg .b32 %%x; .reg .pred %%p; elect.sync %%x|%%p, %2; @%%p mov.s32 %1, 1; mov.s32 %0, %%x; }"'
        ' : "=r"(lane), "+r"(elected) : "r"(0xffffffff)'
    )
    source = f"__global__ void k(int *o) {{ int lane, elected = 0; asm volatile({asm}); o[threadIdx.x] = elected; o[64 + threadIdx.x] = lane; }}"
    out = clean(run(kernel_of(source), 64, 1, {"o": np.full(128, -1, np.int32)})).arrays["o"].reshape(4, 32)
    assert (out[:2].sum(axis=1) == 1).all()
    assert (out[2:] == out[:2].argmax(axis=1)[:, None]).all()
