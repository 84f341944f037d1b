"""The published costs of published.tsv, and the same launches simulated.

Grids are those of the profiled launches: one thread per element, per column or per row, in one block where the paper's
numbers of warps say so.  Of launches with more threads than `most_lanes` the first, middle and last block of every class of
blocks that cost the same are run (`_alike`); the totals are those of the whole launch.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
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
    """Per metric: warp 0 of block 0, the total, the greatest of a warp.  `run`: how many of the `blocks` were run."""

    warp0: dict[str, int]
    total: dict[str, int]
    most: dict[str, int]
    warps: int
    run: int
    blocks: int


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


def request_of(kernel: str, sizes: dict[str, int]) -> LaunchRequest:
    """The profiled launch of a kernel of the table."""
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
    """One published launch, simulated; in part if it has more than `most_lanes` threads."""
    request = request_of(kernel, sizes)
    x, y, z = request.block
    blocks = request.grid[0] * request.grid[1]
    classes = [(block, block + 1) for block in range(blocks)]
    if blocks * x * y * z > most_lanes:
        classes = _alike(kernel, sizes, blocks)
    chosen = tuple(sorted({block for first, end in classes for block in (first, (first + end) // 2, end - 1)}))
    request = replace(request, keep=frozenset(), blocks=chosen)
    outcome = simulate(kernel_in("published.cu", RENDITIONS[kernel]), request)
    warps = -(-x * y * z // 32)
    counts = {name: c.reshape(-1, warps) for name, c in outcome.warps.by_name().items()}
    totals = {}
    for name, per_warp in counts.items():
        per_block = dict(zip(chosen, per_warp.sum(axis=1).tolist()))
        for first, end in classes:
            seen = {per_block[block] for block in (first, (first + end) // 2, end - 1)}
            assert len(seen) == 1, f"{kernel} {sizes}: blocks {first} to {end - 1} are not alike: {name} {seen}"
        totals[name] = sum((end - first) * per_block[first] for first, end in classes)
    return Simulated(
        {name: int(c[0, 0]) for name, c in counts.items()},
        totals,
        {name: int(c.max()) for name, c in counts.items()},
        blocks * warps,
        len(chosen),
        blocks,
    )


def _alike(kernel: str, sizes: dict[str, int], blocks: int) -> list[tuple[int, int]]:
    """Ranges of blocks that cost the same.

    A block's addresses are those of block 0 plus a multiple of 128 bytes: 256 elements of vectorAdd and of the reductions, 32
    columns and 32 rows of any pitch of the matrix products.  Its tests compare block-local numbers, or in vectorAdd the
    index with n, which only the last block passes in part.  The columns of b differ from their neighbours everywhere."""
    if kernel == "vectorAdd" and sizes["numElements"] % 256:
        return [(0, blocks - 1), (blocks - 1, blocks)]
    return [(0, blocks)]
