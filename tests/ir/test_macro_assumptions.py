"""What an `#if` asks of macros that nobody has stated is listed with the kernels whose text it shapes, and with no others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis_core.program.lower import lower
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.syntax.parse import parse

SOURCE = """
#define RECENT (CUDART_VERSION >= 11020)
#define OWN 1
__device__ float chosen(float x) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  return x;
#else
  return x / 2;
#endif
}
#if RECENT
__global__ void calls(float *p) { p[threadIdx.x] = chosen(p[0]); }
#else
__global__ void old(float *p) { p[threadIdx.x] = 1; }
#endif
__global__ void checks(float *p, int n) {
#ifndef NDEBUG
  if (n < 0) return;
#endif
#if OWN
  p[threadIdx.x] = 1;
#elif defined(_WIN32)
  p[0] = 1;
#endif
}
__global__ void rests_on_nothing(float *p) { p[threadIdx.x] = 2; }
"""


def assumed(settings: Settings, source: str = SOURCE) -> dict[str, list[str]]:
    """The assumptions about macros of each kernel."""
    module = lower(parse("a.cu", MemoryFiles({"a.cu": source.encode()}), settings), settings)
    return {k.name: [a.text for a in k.assumptions if a.text.startswith("`")] for k in module.kernels}


def test_conditionals_in_the_text_of_a_kernel_and_of_what_it_calls() -> None:
    assert assumed(Settings()) == {
        "calls": ["`CUDART_VERSION` is 13000", "`__CUDA_ARCH__` is 900"],
        "checks": ["`NDEBUG` is not defined"],
        "rests_on_nothing": [],
    }


def test_what_is_stated_is_no_assumption() -> None:
    settings = Settings(defines={"NDEBUG": "1", "__CUDA_ARCH__": "700"}, cuda_version="10.2")
    assert assumed(settings) == {
        "old": ["`CUDART_VERSION` is 10020"],
        "checks": [],
        "rests_on_nothing": [],
    }
    by_itself = assumed(Settings(), "#define NDEBUG\n" + SOURCE.replace("#if OWN", "#if !OWN"))
    assert by_itself["checks"] == ["`_WIN32` is not defined"]


@pytest.mark.parametrize(
    ("version", "condition"),
    [
        ("13.0", "CUDA_VERSION >= 12080 && CUDART_VERSION == CUDA_VERSION"),
        ("13.0", "__CUDACC_VER_MAJOR__ == 13 && __CUDACC_VER_MINOR__ == 0"),
        ("11.8", "CUDA_VERSION == 11080 && __CUDACC_VER_MAJOR__ < 12"),
        ("9.0", "CUDART_VERSION < 9010"),
    ],
)
def test_the_toolkit_is_the_newest_or_what_the_settings_say(version: str, condition: str) -> None:
    text = f"#if {condition}\n__global__ void k(int *p) {{ p[threadIdx.x] = 1; }}\n#endif\n"
    settings = replace(Settings(), cuda_version=version)
    assert list(assumed(settings, text)) == ["k"]
