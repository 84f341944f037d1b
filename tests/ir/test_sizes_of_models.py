"""Sizes and alignments of the classes in models are those of the toolkit's own headers, as g++ reads them, where these are installed."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from analysis_core.ir.nodes import Const, Store
from analysis_core.ir.walk import statements
from tests.ir import gpp
from tests.ir.lowering import kernel

HEADERS = "".join(
    f"#include <{name}>\n"
    for name in ("cuda.h", "cuda_fp8.h", "cuda/barrier", "cuda/pipeline", "cuda/std/array", "cuda/std/complex", "cuda/std/optional",
                 "cuda/std/span", "cuda/std/tuple", "cuda/std/utility", "tuple")
)  # fmt: skip
CLASSES = (
    "__half_raw", "__half2_raw", "__nv_bfloat16_raw", "__nv_bfloat162_raw", "CUtensorMap", "cuda::aligned_size_t<16>",
    *(f"__nv_fp8{lanes}_{kind}" for kind in ("e4m3", "e5m2") for lanes in ("", "x2", "x4")),
    *(f"cuda::barrier<cuda::thread_scope_{scope}>" for scope in ("block", "device", "thread")),
    *(f"cuda::pipeline_shared_state<cuda::thread_scope_block, {stages}>" for stages in (1, 2, 5)),
    *(f"cuda::pipeline<cuda::thread_scope_{scope}>" for scope in ("block", "thread")),
    "cuda::std::span<float>", "cuda::std::span<float, 4>", "cuda::std::array<short, 7>", "cuda::std::complex<float>",
    "cuda::std::pair<char, double>", "cuda::std::optional<short>", "cuda::std::tuple<int, float, char>", "cuda::std::tuple<char, double, char>",
    "std::tuple<char, double>", "std::tuple<char, short, int, char>", "std::aligned_storage<24, 8>::type", "std::aligned_storage_t<5>",
)  # fmt: skip


def _folders() -> list[Path]:
    """Where the headers are: those of the packages `nvidia-cuda-runtime` and `nvidia-cuda-cccl`, or the toolkit's around nvcc."""
    compiler = shutil.which("nvcc")
    tops = [top for entry in sys.path for top in sorted(Path(entry, "nvidia").glob("cu*/include"))]
    tops += [Path(compiler).resolve().parents[1] / "include"] if compiler else []
    found = [top for top in tops if (top / "cuda_fp8.h").exists() and (top / "cccl").is_dir()]
    return [found[0], found[0] / "cccl"] if found else []


@pytest.mark.nightly
@pytest.mark.skipif(gpp.COMPILER is None, reason="g++ is not installed")
def test_sizes_are_those_of_the_headers(tmp_path: Path) -> None:
    folders = _folders()
    if not folders:
        pytest.skip("the toolkit's headers are not here: `pip install warpcost[headers]` has them")
    questions = [f"{word}({name})" for name in CLASSES for word in ("sizeof", "alignof")]
    found = kernel(f"__global__ void k(long long *o) {{ {' '.join(f'o[0] = {question};' for question in questions)} }}")
    values = [stmt.values[0] for stmt in statements(found.body) if isinstance(stmt, Store)]
    ours = [int(value.value) if isinstance(value, Const) else None for value in values]
    true = gpp.integers(HEADERS, questions, tmp_path, folders)
    assert dict(zip(questions, ours, strict=True)) == dict(zip(questions, true, strict=True))
