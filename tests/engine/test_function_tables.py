"""Calls through tables of functions: what the simulator counts for each index stays within the bounds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from analysis_core.expressions.expression import constant
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.simulate.running import kernel_of, run

SOURCE = (Path(__file__).parents[1] / "kernels" / "precision" / "function_tables.cu").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["by_number", "by_lane", "by_name"])
def test_no_function_of_a_table_costs_more_than_the_bounds_say(name: str) -> None:
    report = analyse_file("k.cu", MemoryFiles({"k.cu": SOURCE.encode()}), Settings(), strict=True)
    launch = next(kernel for kernel in report.kernels if kernel.name == name).launches[0]
    bounds = launch.facts.bounds
    assert bounds is not None
    if name == "by_name":
        told = [assumption.text for assumption in launch.facts.assumptions]
        assert "`single` holds what it is initialised with" in told
    costs: list[set[float]] = []
    for n in (0, 1):
        given = {"n": n} if name == "by_number" else {}
        arrays = {"out": np.zeros(64, np.float32), "p": np.ones(512, np.float32)}
        warps = run(kernel_of(SOURCE, name), 64, 1, {**arrays, **given}).warps.by_name()
        for metric in ("sectors", "conflicts", "divergences"):
            upper = bounds.metrics[metric].per_warp.upper
            assert upper is not None and warps[metric].max() <= (constant(upper) or 0)
        costs.append(set(warps["sectors"]))
    assert (costs[0] != costs[1]) == (name == "by_number")


ORDERS = (("near", "far", "one"), ("far", "near", "one"), ("one", "near", "far"))
HANDED = """
typedef float (*Step)(const float *, int);
__device__ float near(const float *p, int i) {{ return p[i]; }}
__device__ float far(const float *p, int i) {{ return p[8 * i]; }}
__device__ float one(const float *p, int i) {{ return p[0]; }}
__device__ Step a = {}, b = {}, c = {};
__global__ void handed(const float *p, float *out, Step step) {{ out[threadIdx.x] = step(p, threadIdx.x); }}
__global__ void direct(const float *p, float *out) {{ out[threadIdx.x] = far(p, threadIdx.x); }}
void host(const float *p, float *out, Step step) {{ handed<<<1, 64>>>(p, out, step); direct<<<1, 64>>>(p, out); }}
"""


@pytest.mark.parametrize("order", ORDERS)
def test_a_pointer_that_is_handed_over_costs_what_the_dearest_function_does_in_any_order(
    order: tuple[str, ...],
) -> None:
    source = HANDED.format(*order).encode()
    report = analyse_file("k.cu", MemoryFiles({"k.cu": source}), Settings(), strict=True)
    handed, direct = (kernel.launches[0].facts for kernel in report.kernels)
    assert handed.bounds is not None and direct.bounds is not None
    for metric in ("sectors", "conflicts", "divergences"):
        assert handed.bounds.metrics[metric].per_warp.upper == direct.bounds.metrics[metric].per_warp.upper
    names = ", ".join(f"`{name}`" for name in order)
    text = f"`step` is one of the functions of its type that variables of the device hold: {names}"
    assert text in [assumption.text for assumption in handed.assumptions]


def test_templates_over_pointers_to_functions_of_different_types_are_two_instances() -> None:
    source = b"""
    typedef float (*Step)(float);
    typedef int (*Whole)(int, const int *);
    template <typename F> __global__ void k(float *out, F f) { out[threadIdx.x] = 0; }
    void host(float *out, Step step, Whole whole) { k<<<1, 64>>>(out, step); k<<<1, 64>>>(out, whole); }
    """
    report = analyse_file("k.cu", MemoryFiles({"k.cu": source}), Settings(), strict=True)
    assert [kernel.instantiation for kernel in report.kernels] == ["k<float (*)(float)>", "k<int (*)(int, int*)>"]
