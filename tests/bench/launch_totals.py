"""Bounds of whole launches beside the totals that were profiled on a GPU (POPL 2021): `python -m tests.bench.launch_totals`.

Our own renditions of the kernels (tests/simulate/kernels/published.cu), each under the assumption that its sizes are
aligned; the block is that of the profiled launch.  Per row: the bound of the launch (`=` exact), its value at the row's
sizes, the profiled total, and the difference.  A row is aligned if no warp of it is ragged: sizes are multiples of 32, of
256 for the reductions, of 512 for reduce3.  Conflicts of kernels without shared memory, and of addSub3, which has none, are 0
in every row and no part of the count.  Returns 1 if a bound is missing or off by more than 2.8%.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping

from analysis_core.expressions import expression as ex
from analysis_core.expressions.bounds import KernelBounds
from analysis_core.interp.interpret import interpret
from analysis_core.lp.kernel_bounds import kernel_bounds
from analysis_core.pipeline.pipeline import lower, read
from analysis_core.program.launch import choose_launches
from analysis_core.requests.evaluate import evaluate
from analysis_core.simulate.arguments import LaunchRequest
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.simulate.published import NOT_SIMULATED, RENDITIONS, Row, request_of, rows
from tests.simulate.running import KERNELS

MOST_OFF = 0.028

_REDUCE, _MATRIX = ("n % 256 == 0", "n >= 256"), ("wa % 32 == 0", "wa >= 32", "wb == wa")
_ASSUMED: Mapping[str, tuple[str, ...]] = {
    "vectorAdd": ("n % 256 == 0", "n >= 256"),
    **dict.fromkeys(("reduce0", "reduce1", "reduce2"), _REDUCE),
    "reduce3": ("n % 512 == 0", "n >= 512"),
    **{f"addSub{i}": ("w % 32 == 0", "w >= 32", "h % 2 == 0") for i in range(4)},
    **dict.fromkeys(("matrixMul", "matrixMulTranspose", "matrixMulBad"), _MATRIX),
}


def main() -> int:
    """Prints the table."""
    known: dict[tuple[str, tuple[int, int, int]], KernelBounds] = {}
    equal = counted = missing = 0
    furthest = 0.0
    print("kernel\tmetric\tsizes\tbound of the launch\tvalue\tprofiled\tdifference")
    for row in rows():
        if row.total is None or row.kernel in NOT_SIMULATED or not _aligned(row):
            continue
        request = request_of(row.kernel, dict(row.parameters))
        key = (row.kernel, request.block)
        if key not in known:
            known[key] = _bounds(row.kernel, request)
        bound = known[key].metrics[row.metric].per_launch
        sizes = " ".join(f"{name}={value}" for name, value in row.parameters)
        if bound.upper is None:
            missing += 1
            print(f"{row.kernel}\t{row.metric}\t{sizes}\tnone\t-\t{row.total}\t-")
            continue
        value = ex.evaluate(bound.upper, _values(request))
        off = (value - row.total) / max(1, row.total)
        text = ("= " if bound.exact else "<= ") + ex.to_text(bound.upper)
        print(f"{row.kernel}\t{row.metric}\t{sizes}\t{text}\t{value}\t{row.total}\t{off:+.2%}")
        if not (row.metric == "conflicts" and row.kernel.startswith("addSub")):
            counted, equal = counted + 1, equal + (value == row.total)
        furthest = max(furthest, abs(off))
    print(f"{equal} of {counted} rows equal, none off by more than {furthest:.2%}; {missing} without bound")
    return 1 if missing or furthest > MOST_OFF else 0


def _aligned(row: Row) -> bool:
    unit = 512 if row.kernel == "reduce3" else 256 if row.kernel.startswith("reduce") else 32
    return all(value % unit == 0 for _, value in row.parameters)


def _bounds(name: str, request: LaunchRequest) -> KernelBounds:
    grid = request.grid if name.startswith("addSub") else None
    settings = Settings(block=request.block, grid=grid, assume=_ASSUMED[name], kernel_seconds=20.0)
    files = MemoryFiles({"published.cu": (KERNELS / "published.cu").read_bytes()})
    module = lower(read("published.cu", files, settings), settings, strict=True)
    kernel = next(k for k in module.kernels if k.name == RENDITIONS[name])
    launch = choose_launches(kernel, settings)[0]
    events = interpret(kernel, launch, settings)
    return kernel_bounds(kernel, launch, events, evaluate(kernel, launch, events).facts, settings)


def _values(request: LaunchRequest) -> dict[str, int]:
    values = {name: v for name, v in request.arguments.items() if isinstance(v, int)}
    return values | {f"gridDim.{axis}": extent for axis, extent in zip("xyz", request.grid)}


if __name__ == "__main__":
    sys.exit(main())
