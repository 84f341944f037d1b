"""Which arrays WC103 says nothing of, beside what ptxas says of the stack: loops of many numbers of rounds and sizes of body, whose counter is an array's index."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.oracles.ptx import compiler

pytestmark = pytest.mark.skipif(compiler() is None, reason="no nvcc")

ROUNDS = (2, 8, 13, 24, 31, 40, 64, 100, 160)
_SUMS = "x = x * y + z; y = y * z + x; z = z * x + y; "
BODIES = {
    "short": _SUMS,
    "longer": _SUMS * 5,
    "long": _SUMS * 30,
    "loop": f"for (int j = 0; j < 4; j++) {{ {_SUMS} out[j * m + k] = x; }}",
    "open_loop": f"for (int j = 0; j < n; j++) {{ {_SUMS} x += in[j]; }}",
    "barrier": f"{_SUMS} s[threadIdx.x] = x; __syncthreads(); y += s[threadIdx.x ^ 1]; __syncthreads();",
    "long_barrier": f"{_SUMS * 12} s[threadIdx.x] = x; __syncthreads(); y += s[threadIdx.x ^ 1]; __syncthreads();",
    "division": "x = x / y; y = z / x; z = x / y;",
    "integer_division": "x += (t + k) / n + (t * k) % m;",
    "branch": f"if (x > y) {{ {_SUMS * 4} }} else {{ y += in[t + k]; }}",
    "leaves": f"if (x > y) break; {_SUMS * 4}",
    "goes_on": f"if (x > y) continue; {_SUMS * 4}",
    "shuffle": f"{_SUMS} x += __shfl_xor_sync(~0u, x, 1); y += __shfl_xor_sync(~0u, y, 2);",
    "atomic": f"{_SUMS} atomicAdd(&out[k], x);",
    "loads": "".join(f"x += in[t * {q} + k * n]; out[{q} * m + k] = x; " for q in range(12)),
}


def _kernel(name: str, rounds: int, body: str, pragma: str = "") -> str:
    return f"""extern "C" __global__ void {name}(float *out, const float *in, int n, int m) {{
    __shared__ float s[1024];
    float a[{rounds}];
    int t = threadIdx.x + blockIdx.x * blockDim.x; float x = t, y = n, z = m;
    #pragma unroll
    for (int k = 0; k < {rounds}; k++) a[k] = in[t + k * n];
    __syncthreads();
    {pragma}
    for (int k = 0; k < {rounds}; k++) {{ x += a[k]; {body} a[k] = x; }}
    __syncthreads();
    #pragma unroll
    for (int k = 0; k < {rounds}; k++) out[t + k * m] = a[k];
    out[t] += y + z + s[0];
}}
"""


def _kernels() -> Iterator[tuple[str, str]]:
    for name, body in BODIES.items():
        for rounds in ROUNDS:
            if len(body) * rounds < 60_000:
                yield f"{name}_{rounds}", _kernel(f"{name}_{rounds}", rounds, body)
    for rounds in ROUNDS:
        yield f"said_{rounds}", _kernel(f"said_{rounds}", rounds, _SUMS, "#pragma unroll")
        yield f"parted_{rounds}", _kernel(f"parted_{rounds}", rounds, _SUMS, "#pragma unroll 4")
        yield f"rolled_{rounds}", _kernel(f"rolled_{rounds}", rounds, _SUMS, "#pragma unroll 1")


def _in_memory(text: str, folder: Path) -> dict[str, bool]:
    """By kernel, whether it has bytes on the stack."""
    source, nvcc = folder / "loops.cu", compiler()
    source.write_text(text)
    assert nvcc is not None
    command = [nvcc, "-arch=sm_80", "-cubin", "-Xptxas", "-v", "-o", str(folder / "loops.cubin"), str(source)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stderr
    found = re.findall(r"Function properties for (\w+)\s+(\d+) bytes stack frame", said)
    return {name: int(size) > 0 for name, size in found}


@pytest.mark.nightly
def test_arrays_that_nothing_is_said_of_are_in_registers(tmp_path: Path) -> None:
    kernels = dict(_kernels())
    text = "".join(kernels.values())
    frames = _in_memory(text, tmp_path)
    settings = Settings(hints=True, kernel_seconds=60.0, block=(256, 1, 1))
    report = analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), settings, strict=True)
    found = {}
    for kernel in report.kernels:
        told = [f for launch in kernel.launches for f in launch.findings if f.check == "WC103"]
        found[kernel.name] = (bool(told), any("may not be unrolled" in f.message for f in told))
    silent = [name for name, (told, _) in found.items() if not told]
    sure = [name for name, (told, maybe) in found.items() if told and not maybe]
    assert [name for name in silent if frames[name]] == []
    assert len(silent) > len(found) / 2
    assert {name.partition("_")[0] for name in sure} <= {"rolled"}
    assert sum(frames[name] for name, (_, maybe) in found.items() if maybe) > 10
