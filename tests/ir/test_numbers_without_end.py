"""Numbers that no integer holds (`1e400` is infinite) where the host's code is read, and numbers of 63 bits where residues are asked for."""

from __future__ import annotations

import pytest

from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings

KERNEL = "__global__ void k(float *a, int n) { a[threadIdx.x * n] = 1; }\n"
HOST = (
    "k<<<1, NUMBER>>>(a, 3);",
    "k<<<dim3(2, NUMBER), 64>>>(a, 3);",
    "dim3 g(1, 1); g.y = NUMBER; k<<<g, 64>>>(a, 3);",
    "double s = NUMBER; k<<<(int)(s / 32), 64>>>(a, s);",
    "k<<<1, 64, NUMBER>>>(a + (long)NUMBER, 3);",
    "int sizes[] = {2, 3}; sizes[(int)NUMBER] = 4; k<<<sizes[0], 64>>>(a, sizes[1]);",
    "cudaMalloc(&a, 4 * NUMBER); k<<<1, 64>>>(&a[(int)NUMBER], 3);",
)


@pytest.mark.parametrize("number", ["1e999", "(1e999 - 1e999)", "INFINITY", "1e30", "2.5"])
@pytest.mark.parametrize("host", HOST)
def test_a_host_may_write_any_number(host: str, number: str) -> None:
    text = KERNEL + f"void run(float *a) {{ {host.replace('NUMBER', number)} }}"
    report = analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), Settings(bounds=False), strict=True)
    assert [k.name for k in report.kernels] == ["k"]


@pytest.mark.parametrize("move", ["i *= 2;", "i <<= 3;", "i = i * 6 + n;"])
@pytest.mark.parametrize("test", ["bits[i >> 6] & 1ull << (i & 63)", "(bits[i] & i) == 0", "bits[i] ^ (i << 40) & n"])
def test_bits_of_contents_may_be_any(move: str, test: str) -> None:
    text = f"__global__ void k(unsigned long long *bits, int *a, int n) {{ int i = threadIdx.x; {move} if ({test}) a[i] = 1; }}"
    report = analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), Settings(bounds=False), strict=True)
    assert report.kernels[0].failure is None
