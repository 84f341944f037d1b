"""The published costs of published.tsv, and the same launches simulated.

Grids are those of the profiled launches: one thread per element, per column or per row, in one block where the paper's
numbers of warps say so.  Launches with more lanes than `most_lanes` are represented by blocks drawn evenly from the grid; their
totals are then scaled up and marked.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from analysis_core.simulate.arguments import ArrayArgument, LaunchRequest
from analysis_core.simulate.run import simulate
from tests.simulate.running import kernel_in

TABLE = Path(__file__).with_name("published.tsv")

RENDITIONS = {
    "vectorAdd": "vector_add", "addSub0": "add_sub_0", "addSub1": "add_sub_1", "addSub2": "add_sub_2",
    "addSub3": "add_sub_3", "matrixMul": "mat_mul", "matrixMulTranspose": "mat_mul_trans",
    "matrixMulBad": "mat_mul_bad", "reduce0": "reduce_0", "reduce1": "reduce_1", "reduce2": "reduce_2",
    "reduce2a": "reduce_2a", "reduce3": "reduce_3", "reduce3a": "reduce_3a", "syn-brdis": "distributed",
    "syn-brdis-opt": "distributed_opt",
}  # fmt: skip

NOT_SIMULATED = {
    "Mandelbrot": "the source is not public and its rows describe different work",
    "histogram256": "the profile is of another launch than the simulation",
}


@dataclass(frozen=True, slots=True)
class Row:
    """`warp0`: simulated in the paper; `total`: profiled, of a launch with `warps` warps."""

    kernel: str
    metric: str
    parameters: tuple[tuple[str, int], ...]
    warp0: int | None
    total: int | None
    warps: int | None


@dataclass(frozen=True, slots=True)
class Simulated:
    """Per metric: warp 0 of block 0, the total, the greatest of a warp.  `scaled`: only some blocks were run."""

    warp0: dict[str, int]
    total: dict[str, float]
    most: dict[str, int]
    warps: int
    scaled: bool


def rows() -> list[Row]:
    """Every published row."""
    found = []
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith(("#", "kernel\t")):
            continue
        kernel, metric, parameters, *numbers = line.split("\t")
        named = tuple((word.split("=")[0], int(word.split("=")[1])) for word in parameters.split())
        warp0, total, warps = (None if n == "-" else int(float(n)) for n in numbers)
        found.append(Row(kernel, metric, named, warp0, total, warps))
    return found


def _request(kernel: str, sizes: dict[str, int]) -> LaunchRequest:
    zeros = lambda count, dtype=np.int32: ArrayArgument(np.zeros(count, dtype=dtype))  # noqa: E731
    if kernel == "vectorAdd":
        n = sizes["numElements"]
        arrays = {name: zeros(n, np.float32) for name in "abc"}
        return LaunchRequest((256, 1, 1), (-(-n // 256), 1, 1), {**arrays, "n": n})
    if kernel.startswith("addSub"):
        w, h = sizes["w"], sizes["h"]
        threads = {"0": h, "1": h // 2}.get(kernel[-1], w)
        arguments = {"v": zeros(max(w, threads)), "m": zeros(w * (h + 2) + threads), "w": w, "h": h}
        return LaunchRequest((threads, 1, 1), (1, 1, 1), arguments)
    if kernel.startswith("matrixMul"):
        n = sizes["wA"]
        tiles = n // 32
        matrix = (n + 64) * (n + 64)
        arguments = {name: zeros(matrix, np.float32) for name in "ac"} | {"wa": n, "wb": n}
        # Neighbours differ, so that every test of mat_mul_bad splits.
        arguments["b"] = ArrayArgument((np.arange(matrix) % 2 * 10).astype(np.float32))
        return LaunchRequest((32, 32, 1), (tiles, tiles, 1), arguments)
    if kernel.startswith("reduce"):
        n = sizes["n"]
        blocks = n // 512 if "3" in kernel else n // 256
        return LaunchRequest((256, 1, 1), (blocks, 1, 1), {"in": zeros(n), "out": zeros(blocks), "n": n})
    n, m = sizes["N"], sizes["M"]
    return LaunchRequest((32, 1, 1), (1, 1, 1), {"n": n, "m": m, "v": 1}, shared_bytes=8 * m)


def simulated(kernel: str, sizes: dict[str, int], most_lanes: int = 1 << 18) -> Simulated:
    """One published launch, simulated."""
    request = _request(kernel, sizes)
    x, y, z = request.block
    blocks = request.grid[0] * request.grid[1]
    threads = x * y * z
    chosen: tuple[int, ...] | None = None
    if blocks * threads > most_lanes:
        count = max(2, most_lanes // threads)
        chosen = tuple(sorted({round(i * (blocks - 1) / (count - 1)) for i in range(count)}))
    request = LaunchRequest(
        request.block, request.grid, request.arguments, request.shared_bytes, keep=frozenset(), blocks=chosen
    )
    outcome = simulate(kernel_in("published.cu", RENDITIONS[kernel]), request)
    counts = outcome.warps.by_name()
    factor = 1.0 if chosen is None else blocks / len(chosen)
    return Simulated(
        {name: int(c[0]) for name, c in counts.items()},
        {name: float(c.sum()) * factor for name, c in counts.items()},
        {name: int(c.max()) for name, c in counts.items()},
        blocks * -(-threads // 32),
        chosen is not None,
    )
