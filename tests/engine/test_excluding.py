"""What is said of a kernel beside code that is not understood: no bound, but what all the rest pays, whatever that code gives."""

from __future__ import annotations

import numpy as np
import pytest

from analysis_core.expressions.bounds import WarpBound
from analysis_core.expressions.expression import constant
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.findings.model import KernelReport
from analysis_core.report.kernel_line import kernel_text
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.simulate.running import kernel_of, run

BODIES = [
    "out[i] = f(in[8 * i]);",
    "float x = 0; for (int k = 0; k < 4; k++) x += in[i + 64 * k] * f(x); out[i] = x;",
    "out[i] = in[(int)f(i) & 255];",
    "if (f(i) > 0) out[i] = in[2 * i]; else out[i] = in[i];",
    "__shared__ float s[512]; s[2 * i] = in[i]; __syncthreads(); out[i] = f(s[2 * i]);",
    "int j = i; if (i < 7) j = (int)f(j) & 63; out[j & 63] = in[i];",
]
GIVEN = ("return x;", "return -x;", "return 8 * x;", "return x > 3 ? 1.0f : 0.0f;")


def kernel(body: str) -> str:
    return f"//@ launch block=(64)\n__global__ void k(float *out, const float *in) {{ int i = threadIdx.x; {body} }}"


def report_of(text: str) -> tuple[KernelReport, dict[str, WarpBound]]:
    report = analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), Settings(), strict=True)
    (one,) = report.kernels
    bounds = one.launches[0].facts.bounds
    assert bounds is not None
    return one, {name: bound.per_warp for name, bound in bounds.metrics.items()}


@pytest.mark.parametrize("body", BODIES)
def test_what_is_known_holds_whatever_the_rest_gives(body: str) -> None:
    _, bounds = report_of(kernel(body))
    for given in GIVEN:
        defined = kernel_of(f"__device__ float f(float x) {{ {given} }}\n{kernel(body)}")
        arrays = {"out": np.zeros(1024, np.float32), "in": np.arange(1024, dtype=np.float32)}
        counted = run(defined, 64, 1, arrays).warps.by_name()
        for metric in ("sectors", "conflicts", "divergences"):
            bound = bounds[metric]
            assert bound.upper is None and not bound.exact and bound.excluded
            assert bound.known is not None and counted[metric].max() <= (constant(bound.known) or 0), (metric, given)


def test_it_is_told_as_what_it_is() -> None:
    text = kernel(BODIES[0])
    one, bounds = report_of(text)
    assert [reason.text for reason in bounds["sectors"].excluded] == ["the function 'f' is not declared here"]
    assert (kernel_text(one, Settings()) or "").endswith("; excluding that <= 36 sectors per warp")


def test_rounds_that_wait_for_it_are_not_counted() -> None:
    _, bounds = report_of(kernel("float x = 1; while (f(x) > 0) x += in[i]; out[i] = x;"))
    known = bounds["sectors"].known
    assert known is not None and constant(known) is None and bounds["sectors"].upper is None
