"""Kernels below conditionals that do not hold are told with what they need; none that is read, or only declared."""

from __future__ import annotations

from analysis_core.syntax.lex.left_out_kernels import said
from tests.syntax.reading import read

KERNEL = "__global__ void {}(float *o) {{ o[0] = 1; }}\n"


def told(text: str) -> list[str]:
    return said(read(text).left_out)


def test_what_kernels_need_is_told_once_for_each_condition() -> None:
    kernels = KERNEL.format("a") + "template <int N> __global__ void __launch_bounds__(64) b(int (*f)(int)) { f(N); }\n"
    text = f"#ifndef GUARD\n#define GUARD\n#if __CUDA_ARCH__ >= \\\n 1000\n#if X\n{kernels}#endif\n#endif\n{KERNEL.format('c')}#endif\n"
    assert told(text) == ["2 kernels need `__CUDA_ARCH__ >= 1000`"]


def test_other_branches_and_definitions() -> None:
    text = f"#ifdef OLD\n{KERNEL.format('a')}{KERNEL.format('b')}#elif NEW\n{KERNEL.format('c')}#else\n{KERNEL.format('a')}#endif\n"
    assert told(text) == ["1 kernel needs that `OLD` is defined", "1 kernel needs `NEW`"]
    assert told(f"#ifndef __CUDACC__\n__global__ void d(float *o);\n// {KERNEL.format('e')}#endif\n") == []
    assert told(f"#if 1\nint x;\n#else\n{KERNEL.format('g')}#endif\n") == ["1 kernel needs that `1` does not hold"]
