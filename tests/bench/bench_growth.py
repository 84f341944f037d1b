"""Time grows linearly with the length of a kernel: python tests/bench/bench_growth.py [--profile] [--start N]

Kernels of N, 2N, 4N and 8N repetitions of one piece of code are analysed, from text to findings, for several pieces:
straight lines, branches, loops, shared tiles, calls, and all of them.  Printed are milliseconds of processor time (the best
of three) by stage, and the factor by which eight times the text takes longer; 8 is linear.  Ends with 1 if a factor is
above 12.  `--profile` shows where the time of the longest kernel goes.  Then the sources of tests/harness/growing.py at their largest, and the
constructs of growing_constructs.py, 200 in a row, with seconds of processor time; those above 2 are named, and it ends with 1 if one takes more
than 10.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import sys
from collections.abc import Mapping
from pathlib import Path
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.harness.growing import LARGEST
from tests.harness.growing_constructs import CONSTRUCTS

STEPS = (1, 2, 4, 8)
WORST_FACTOR = 12.0
"""For eight times the text: linear with a logarithm and some noise."""

IN_A_ROW = 200
"""Of each construct."""

WANTED_SECONDS = 2.0
MOST_SECONDS = 10.0
"""Of a source at its largest: what is wanted of each, and what only something that multiplies takes."""

PIECES: Mapping[str, str] = {
    "straight": "    float x{n} = a[i + {n} * n] * 2.0f + b[i];\n    b[i + {n}] = x{n} + c;\n",
    "branches": "    if (i + {n} < n) {{ a[i] = b[i] + {n}; }} else {{ b[i] += c; }}\n",
    "rebound": "    c = c * 1.5f + a[j];\n    j = j + n;\n",
    "loops": "    for (int k = 0; k < n; k++) c += a[k * 256 + i + {n}];\n",
    "tiles": "    s[threadIdx.x] = a[i + {n}];\n    __syncthreads();\n    c += s[255 - threadIdx.x];\n    __syncthreads();\n",
    "calls": "    c += twice(a[i + {n}], n);\n",
}


def source(piece: str, repetitions: int) -> bytes:
    """A file with one kernel of so many repetitions of the piece."""
    body = "".join(piece.format(n=number) for number in range(repetitions))
    return (
        "__device__ float twice(float x, int n) { if (n > 3) return 2 * x; return x + n; }\n"
        "__global__ void grown(float *a, float *b, float c, int n) {\n    __shared__ float s[256];\n"
        f"    int i = blockIdx.x * blockDim.x + threadIdx.x, j = i;\n{body}    b[i] = c + s[0] + j;\n}}\n"
        "void run(float *a, float *b, int n) { grown<<<64, 256>>>(a, b, 1.0f, n); }\n"
    ).encode()


def analysed(text: bytes) -> tuple[float, Mapping[str, float]]:
    """Processor seconds from text to findings, and wall seconds by stage."""
    started = process_time()
    report = analyse_file("grown.cu", MemoryFiles({"grown.cu": text}), Settings(), strict=True)
    seconds = process_time() - started
    assert all(kernel.launches for kernel in report.kernels)
    return seconds, {time.stage: time.seconds for time in report.times}


def measured(name: str, piece: str, start: int) -> float:
    """Prints the row of a piece; returns the factor between the shortest and the longest kernel."""
    best = []
    stages: Mapping[str, float] = {}
    for step in STEPS:
        runs = [analysed(source(piece, start * step)) for _ in range(3)]
        seconds, stages = min(runs, key=lambda run: run[0])
        best.append(seconds)
    factor = best[-1] / best[0]
    times = " ".join(f"{1e3 * seconds:8.1f}" for seconds in best)
    where = ", ".join(f"{stage} {1e3 * s:.0f}" for stage, s in stages.items() if s >= 0.05 * best[-1])
    print(f"{name:<10}{times}   x{factor:5.1f}   ({where})")
    return factor


def largest_sources() -> Mapping[str, float]:
    """Prints seconds for each source at its largest and for each construct, and returns them."""
    found = {}
    in_a_row = {name: (construct.source, IN_A_ROW) for name, construct in CONSTRUCTS.items()}
    for name, (make, largest) in {**LARGEST, **in_a_row}.items():
        seconds, stages = analysed(make(largest).encode())
        where = ", ".join(f"{stage} {s:.2f}" for stage, s in stages.items() if s >= 0.1 * seconds)
        print(f"{name:<22}{largest:>6} {seconds:8.2f} s   ({where})")
        found[name] = seconds
    return found


def main() -> int:
    """Prints the table; returns the exit status."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--start", type=int, default=40, metavar="N", help="repetitions in the shortest kernel")
    arguments.add_argument("--profile", action="store_true", help="where the time of the longest mixed kernel goes")
    options = arguments.parse_args()
    pieces = {**PIECES, "all": "".join(PIECES.values())}
    analysed(source(pieces["all"], 2))  # imports and tables are not what is measured
    header = " ".join(f"{f'{options.start * step}':>8}" for step in STEPS)
    print(f"{'ms for':<10}{header}   growth   (stages of the longest)")
    factors = {name: measured(name, piece, options.start) for name, piece in pieces.items()}
    if options.profile:
        profile = cProfile.Profile()
        profile.runcall(analysed, source(pieces["all"], options.start * STEPS[-1]))
        pstats.Stats(profile).sort_stats("tottime").print_stats(25)
    slow = [name for name, factor in factors.items() if factor > WORST_FACTOR]
    if slow:
        print(f"not linear: {', '.join(slow)}")
    seconds = largest_sources()
    print(f"above {WANTED_SECONDS:.0f} s: {', '.join(n for n, s in seconds.items() if s > WANTED_SECONDS) or 'none'}")
    return 1 if slow or max(seconds.values()) > MOST_SECONDS else 0


if __name__ == "__main__":
    sys.exit(main())
