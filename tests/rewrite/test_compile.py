"""What refactorings make is a program: every result that is accepted compiles, where the text did before."""

from __future__ import annotations

import shutil
import subprocess
from functools import cache
from importlib import import_module
from pathlib import Path

import pytest

from tests.rewrite.hunt import applied, unit_of
from tests.rewrite.test_laws import FIXTURES, random_text

pytestmark = pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed")

_OPTIONS = ("-cubin", "-arch=sm_80", "-std=c++17", "-w", "-o", "out.cubin")

_TABLES = (
    "test_unroll",
    "test_merge",
    "test_registers_of_loops",
    "test_tiling",
    "test_fuse",
    "test_vectorise",
    "test_sequential_addressing",
    "test_shuffle_reduction",
)
"""Tests whose `APPLIED` has texts with kernels."""

POINTWISE = """// Scales, and adds.
template <typename T> __device__ T twice(T v) { return v * 2; }
#define SQUARE(x) ((x) * (x))

__global__ void __launch_bounds__(128) first(float *__restrict__ b, const float *__restrict__ a, int n) { // opening {
    int i = blockIdx.x * 128 + threadIdx.x;
    if (i < n) b[i] = SQUARE(a[i]) /* } */ + 1.0f; // scaled
}

__global__ void second(short *c, const short *d, unsigned n) {
\tunsigned i = blockIdx.x * 128 + threadIdx.x;
\tif (i >= n) return;
\tshort v = twice(d[i]); v ^= 3;
\tc[i] = v;
}

void host(float *a, float *b, short *c, short *d, int n) {
    dim3 block(128), grid((n + 127) / 128);
    first<<<(n + 127) / 128, 128>>>(b, a, n);
    second<<<grid, block, 0, 0>>>(c, d, n);
}
"""

LOOPS = """template <typename T, int N> __global__ void sums(T *out, const T *in, const T *w) {
    const T table[4] = {1, 2, 3, 4};
    __shared__ T s[64];
    int t = threadIdx.x, j = 0;
    T sum = 0;
    for (int k = 0; k < N; ++k) {
        int t = k * 2; // another one
        sum += in[t] * table[k & 3] + w[5];
        j += k;
    }
    s[t] = sum + j;
    __syncthreads();
    for (unsigned d = 1; d < 64; d *= 2) {
        if (t % (2 * d) == 0) s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}

void host(int *a, int *b, int *c, float *x, float *y, float *z) {
    sums<int, 8><<<4, 64>>>(a, b, c);
    sums<float, 8><<<4, 64>>>(x, y, z);
}
"""

PLANES = """//@ launch block=(16,16) grid=(n/16, n/16)
//@ assume n % 16 == 0 && n >= 16
__global__ void product(float *c, const float *a, const float *b, int n) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
    c[y * n + x] = sum;
}

//@ launch block=(16,16) grid=(n/16, n/16)
//@ assume n % 16 == 0 && n >= 16
__global__ void turned(float *out, const float *in, int n) {
    int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
    __shared__ float tile[16][16];
    tile[threadIdx.y][threadIdx.x] = in[x * n + y];
    __syncthreads();
    out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}
"""


@cache
def compiles(text: bytes, folder: Path) -> str:
    """ "" or what the compiler says."""
    (folder / "a.cu").write_bytes(text)
    done = subprocess.run(["nvcc", *_OPTIONS, "a.cu"], cwd=folder, capture_output=True, text=True, check=False)
    return (done.stdout + done.stderr or "it fails") if done.returncode else ""


def all_compile(text: bytes, folder: Path, most: int | None = None) -> int:
    """How many refactorings of a text were accepted, all of which compile."""
    if compiles(text, folder):
        return 0
    accepted = 0
    for one in applied(unit_of("a.cu", text), shapes=1, most=most):
        if not one.refused:
            said = compiles(one.text, folder)
            assert not said, f"{one.title}\n{said}\n{one.text.decode(errors='replace')}"
            accepted += 1
    return accepted


@pytest.mark.parametrize(
    ("text", "least"), [(POINTWISE, 4), (LOOPS, 3), (PLANES, 3)], ids=["pointwise", "loops", "planes"]
)
@pytest.mark.nightly
def test_texts(text: str, least: int, tmp_path: Path) -> None:
    assert all_compile(text.encode(), tmp_path) >= least


def test_one(tmp_path: Path) -> None:
    assert all_compile(PLANES.split("\n\n")[1].encode(), tmp_path, most=8) >= 1


@pytest.mark.nightly
@pytest.mark.parametrize("table", _TABLES)
def test_what_is_applied_elsewhere(table: str, tmp_path: Path) -> None:
    rows = import_module(f"tests.rewrite.{table}").APPLIED.values()
    texts = [next(part for part in row if isinstance(part, str) and "__global__" in part) for row in rows]
    assert sum(all_compile(text.encode(), tmp_path) for text in texts) >= 2


@pytest.mark.nightly
def test_fixtures(tmp_path: Path) -> None:
    assert sum(all_compile(path.read_bytes(), tmp_path) for path in FIXTURES) >= 20


@pytest.mark.nightly
def test_random_kernels(tmp_path: Path) -> None:
    assert sum(all_compile(random_text(seed), tmp_path) for seed in range(2000, 2060)) >= 20
