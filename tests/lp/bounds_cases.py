"""The launches of the kernels in `tests/lp/bounded`: per kernel its block, and how parameters and arrays are drawn.

Kernels with a `//@ launch grid=..` of their own are launched as it says; of the others any grid will do.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from analysis_core.simulate.arguments import LaunchRequest
from tests.simulate.running import argument, shape

FOLDER = Path(__file__).with_name("bounded")

Shape = tuple[int, ...]
Launched = tuple[Shape, Mapping[str, Any]]
"""Grid and arguments."""


class Draw:
    """Random sizes and contents."""

    def __init__(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)

    def size(self, most: int, least: int = 0) -> int:
        """One of `least` .. `most`; a quarter of the draws are near the least, since small sizes are the odd ones."""
        most = min(most, least + 3) if self._random.integers(4) == 0 else most
        return int(self._random.integers(least, most, endpoint=True))

    def ints(self, count: int, least: int, most: int, dtype: Any = np.int32) -> Any:
        """`count` numbers of `least` .. `most` (at least one cell, so that there is memory)."""
        return self._random.integers(least, max(least, most), max(1, count), endpoint=True).astype(dtype)

    def floats(self, count: int, least: float = 0.0, most: float = 1.0) -> Any:
        return self._random.uniform(least, most, max(1, count)).astype(np.float32)

    def rows(self, n: int, longest: int) -> Any:
        """Starts of n rows with 0 .. `longest` entries each, and their end."""
        return np.concatenate([[0], np.cumsum(self._random.integers(0, longest, n, endpoint=True))]).astype(np.int32)


@dataclass(frozen=True, slots=True)
class Case:
    file: str
    kernel: str
    block: Shape
    draw: Callable[[Draw], Launched]

    def text(self) -> str:
        return (FOLDER / self.file).read_text(encoding="utf-8")

    def request(self, seed: int) -> LaunchRequest:
        """A launch; the same one for the same seed."""
        grid, values = self.draw(Draw(seed))
        arguments = {name: argument(value) for name, value in values.items()}
        return LaunchRequest(shape(self.block), shape(grid), arguments, keep=frozenset(), lanes=4096)


def _up(n: int, d: int) -> int:
    return max(1, -(-n // d))


def _zeros(count: int, dtype: Any = np.float32) -> Any:
    return np.zeros(max(1, count), dtype=dtype)


# --- strides.cu ---------------------------------------------------------------------------------------------------


def _saxpy(d: Draw) -> Launched:
    n = d.size(1500)
    return (d.size(3, 1),), {"n": n, "a": 2.0, "x": _zeros(n), "y": _zeros(n)}


def _scale_rows(d: Draw) -> Launched:
    rows, cols = d.size(6, 1), d.size(500)
    return (rows,), {"m": _zeros(rows * cols), "factor": _zeros(rows), "rows": rows, "cols": cols}


def _add_vectors(d: Draw) -> Launched:
    n = d.size(3000)
    return (d.size(3, 1),), {"a": _zeros(n + 4), "b": _zeros(n + 4), "c": _zeros(n + 4), "n": n}


def _drift(d: Draw) -> Launched:
    n = d.size(700)
    return (_up(n, 128),), {"p": _zeros(6 * n), "n": n, "dt": 0.5}


def _chunked_sum(d: Draw) -> Launched:
    chunk, grid = d.size(40), d.size(2, 1)
    n = d.size(chunk * 128 * grid)
    return (grid,), {"in": _zeros(n, np.int32), "out": _zeros(128 * grid, np.int32), "chunk": chunk, "n": n}


# --- guards.cu ----------------------------------------------------------------------------------------------------


def _relu_backward(d: Draw) -> Launched:
    n = d.size(900)
    return (_up(n, 256),), {"x": d.floats(n, -1.0), "dy": _zeros(n), "dx": _zeros(n), "n": n}


def _compact(d: Draw) -> Launched:
    n = d.size(900)
    return (_up(n, 256),), {"in": d.ints(n, 0, 9), "out": _zeros(n), "count": _zeros(1), "n": n, "limit": d.size(10)}


def _newton_sqrt(d: Draw) -> Launched:
    n = d.size(500)
    return (_up(n, 128),), {"x": d.floats(n, 0.5, 1000.0), "root": _zeros(n), "n": n}


def _dispatch(d: Draw) -> Launched:
    n = d.size(900)
    arrays = {name: _zeros(n, np.int32) for name in "abc"}
    return (_up(n, 256),), {"op": d.ints(n, 0, d.size(4), np.uint8), **arrays, "n": n}


def _leave_in_turn(d: Draw) -> Launched:
    n = d.size(200, -60)
    return (2,), {"a": _zeros(600), "b": d.ints(300, 0, 40), "n": n, "m": d.size(30)}


def _lookup(d: Draw) -> Launched:
    n, size = d.size(500), d.size(300)
    table = np.sort(d.ints(size, 0, 1000))
    return (_up(n, 128),), {"table": table, "size": size, "key": d.ints(n, 0, 1000), "place": _zeros(n), "n": n}


# --- tiles.cu -----------------------------------------------------------------------------------------------------


def _transpose_padded(d: Draw) -> Launched:
    w, h = d.size(100, 1), d.size(100, 1)
    return (_up(w, 32), _up(h, 32)), {"out": _zeros(w * h), "in": _zeros(w * h), "w": w, "h": h}


def _transpose_plain(d: Draw) -> Launched:
    w, h = 32 * d.size(4, 1), 32 * d.size(4, 1)
    return (w // 32, h // 32), {"out": _zeros(w * h), "in": _zeros(w * h), "w": w, "h": h}


def _sgemm_tiled(d: Draw) -> Launched:
    m, n, k = d.size(40, 1), d.size(40, 1), d.size(60)
    arrays = {"A": _zeros(m * k), "B": _zeros(k * n), "C": _zeros(m * n)}
    return (_up(n, 16), _up(m, 16)), {**arrays, "M": m, "N": n, "K": k}


def _matvec(d: Draw) -> Launched:
    rows, cols = d.size(200, 1), d.size(300)
    arrays = {"A": _zeros(rows * cols), "x": _zeros(cols), "y": _zeros(rows)}
    return (_up(rows, 128),), {**arrays, "rows": rows, "cols": cols}


def _tile_columns(d: Draw) -> Launched:
    n = d.size(3000, 1)
    grid = _up(n, 1024)
    return (grid,), {"in": _zeros(n, np.int32), "out": _zeros(32 * grid, np.int32), "n": n}


# --- reductions.cu ------------------------------------------------------------------------------------------------


def _reduce_warp_tail(d: Draw) -> Launched:
    n = d.size(1500, 1)
    return (_up(n, 512),), {"in": _zeros(n, np.int32), "out": _zeros(_up(n, 512), np.int32), "n": n}


def _reduce_shuffle(d: Draw) -> Launched:
    n = d.size(1500)
    return (d.size(3, 1),), {"in": _zeros(n), "out": _zeros(1), "n": n}


def _argmax(d: Draw) -> Launched:
    n = d.size(500)
    grid = _up(n, 128)
    return (grid,), {"in": d.floats(n), "value": _zeros(grid), "place": _zeros(grid), "n": n}


def _segment_sums(d: Draw) -> Launched:
    grid = d.size(5, 1)
    start = d.rows(grid, 400)
    return (grid,), {"in": _zeros(int(start[-1]), np.int32), "start": start, "out": _zeros(grid)}


def _column_sums(d: Draw) -> Launched:
    rows, cols = d.size(60), d.size(100, 1)
    return (_up(cols, 32),), {"m": _zeros(rows * cols), "out": _zeros(cols), "rows": rows, "cols": cols}


# --- stencils.cu --------------------------------------------------------------------------------------------------


def _stencil_1d(d: Draw) -> Launched:
    n = d.size(600, 1)
    return (_up(n, 128),), {"in": _zeros(n, np.int32), "out": _zeros(n, np.int32), "n": n}


def _plane(d: Draw, names: tuple[str, str]) -> Launched:
    w, h = d.size(70, 1), d.size(70, 1)
    return (_up(w, 16), _up(h, 16)), {names[0]: _zeros(w * h), names[1]: _zeros(w * h), "w": w, "h": h}


def _seven_point(d: Draw) -> Launched:
    nx, ny, nz = d.size(40, 1), d.size(20, 1), d.size(9, 2)
    cells = nx * ny * nz
    return (_up(nx, 32), _up(ny, 4)), {"in": _zeros(cells), "out": _zeros(cells), "nx": nx, "ny": ny, "nz": nz}


# --- scans.cu -----------------------------------------------------------------------------------------------------


def _scan(most: int, block: int) -> Callable[[Draw], Launched]:
    def draw(d: Draw) -> Launched:
        n = d.size(most)
        return (_up(n, block),), {"in": _zeros(n, np.int32), "out": _zeros(n, np.int32), "n": n}

    return draw


def _scan_blelloch(d: Draw) -> Launched:
    n = 256 * d.size(4, 1)
    return (n // 256,), {"in": _zeros(n, np.int32), "out": _zeros(n, np.int32), "n": n}


# --- batched.cu ---------------------------------------------------------------------------------------------------


def _softmax_rows(d: Draw) -> Launched:
    rows, cols = d.size(4, 1), d.size(500, 1)
    return (rows,), {"in": d.floats(rows * cols), "out": _zeros(rows * cols), "rows": rows, "cols": cols}


def _cholesky_batch(d: Draw) -> Launched:
    n, batch = d.size(6), d.size(150)
    return (_up(batch, 64),), {"a": d.floats(n * n * batch, 1.0, 2.0), "n": n, "batch": batch}


def _forward_substitution(d: Draw) -> Launched:
    n, columns = d.size(12), 64 * d.size(3, 1)
    return (columns // 64,), {"L": d.floats(n * n, 1.0), "x": _zeros(n * columns), "n": n, "columns": columns}


def _pairs(d: Draw) -> Launched:
    n = d.size(120)
    return (_up(n, 64),), {"x": _zeros(n), "d": _zeros(n * n), "n": n}


def _eliminate(d: Draw) -> Launched:
    n = d.size(32, 1)
    return (1,), {"m": d.floats(n * n, 1.0, 2.0), "n": n}


# --- sparse.cu ----------------------------------------------------------------------------------------------------


def _csr(d: Draw, threads_per_row: int) -> Launched:
    n = d.size(300 // (threads_per_row // 8 + 1))
    row = d.rows(n, d.size(70))
    nnz = int(row[-1])
    arrays = {"row": row, "col": d.ints(nnz, 0, n - 1), "val": _zeros(nnz), "x": _zeros(n), "y": _zeros(n)}
    return (_up(n * threads_per_row, 128),), {**arrays, "n": n}


def _spmv_ell(d: Draw) -> Launched:
    n, width = d.size(400), d.size(12)
    pitch = n + d.size(40)
    arrays = {"col": d.ints(width * pitch, -1, n - 1), "val": _zeros(width * pitch), "x": _zeros(n), "y": _zeros(n)}
    return (_up(n, 128),), {**arrays, "n": n, "width": width, "pitch": pitch}


def _spmv_coo(d: Draw) -> Launched:
    n, nnz = d.size(200, 1), d.size(1500)
    row = np.sort(d.ints(nnz, 0, n - 1))
    arrays = {"row": row, "col": d.ints(nnz, 0, n - 1), "val": _zeros(nnz), "x": _zeros(n), "y": _zeros(n)}
    return (d.size(3, 1),), {**arrays, "nnz": nnz}


# --- graphs.cu ----------------------------------------------------------------------------------------------------


def _graph(d: Draw, longest: int) -> tuple[int, dict[str, Any]]:
    n = d.size(300, 1)
    row = d.rows(n, d.size(longest))
    return n, {"row": row, "edge": d.ints(int(row[-1]), 0, n - 1)}


def _bfs_level(d: Draw) -> Launched:
    n, graph = _graph(d, 30)
    own = {"level": d.ints(n, -1, 2), "changed": _zeros(1, np.int32), "depth": d.size(2), "n": n}
    return (_up(n, 128),), {**graph, **own}


def _rank_push(d: Draw) -> Launched:
    n, graph = _graph(d, 30)
    return (_up(n, 128),), {**graph, "rank": _zeros(n), "next": _zeros(n), "n": n}


def _find_roots(d: Draw) -> Launched:
    n = d.size(300, 1)
    parent = np.minimum(d.ints(n, 0, n - 1), np.arange(n, dtype=np.int32))
    return (_up(n, 128),), {"parent": parent.astype(np.int32), "n": n}


def _triangles(d: Draw) -> Launched:
    n, m, longest = d.size(60, 1), d.size(300), d.size(20)
    row = d.rows(n, longest)
    edge = np.concatenate([np.sort(d.ints(int(b - a), 0, n - 1)) for a, b in pairwise(row)])
    ends = {"from": d.ints(m, 0, n - 1), "to": d.ints(m, 0, n - 1)}
    return (_up(m, 128),), {"row": row, "edge": edge.astype(np.int32), **ends, "count": _zeros(m), "m": m}


# --- histograms.cu ------------------------------------------------------------------------------------------------


def _histogram_shared(d: Draw) -> Launched:
    n = d.size(2000)
    return (d.size(3, 1),), {"data": d.ints(n, 0, d.size(255), np.uint8), "bins": _zeros(256, np.int32), "n": n}


def _histogram_bytes(d: Draw) -> Launched:
    blocks, per_thread = d.size(3, 1), d.size(40)
    data = d.ints(64 * blocks * per_thread, 0, d.size(255), np.uint8)
    return (blocks,), {"data": data, "bins": _zeros(64, np.int32), "per_thread": per_thread, "blocks": blocks}


def _histogram_warps(d: Draw) -> Launched:
    n = d.size(1000)
    return (d.size(3, 1),), {"data": d.ints(4 * n, 0, d.size(255), np.uint8), "bins": _zeros(64), "n": n}


def _equalise(d: Draw) -> Launched:
    w, h = d.size(90), d.size(30)
    pitch = w + d.size(20)
    arrays = {"image": d.ints(pitch * h, 0, 255, np.uint8), "table": d.ints(256, 0, 255, np.uint8)}
    return (_up(w, 32), _up(h, 8)), {**arrays, "w": w, "h": h, "pitch": pitch}


CASES = (
    Case("strides.cu", "saxpy", (256,), _saxpy),
    Case("strides.cu", "scale_rows", (128,), _scale_rows),
    Case("strides.cu", "add_vectors", (128,), _add_vectors),
    Case("strides.cu", "drift", (128,), _drift),
    Case("strides.cu", "chunked_sum", (128,), _chunked_sum),
    Case("guards.cu", "relu_backward", (256,), _relu_backward),
    Case("guards.cu", "compact", (256,), _compact),
    Case("guards.cu", "newton_sqrt", (128,), _newton_sqrt),
    Case("guards.cu", "dispatch", (256,), _dispatch),
    Case("guards.cu", "leave_in_turn", (128,), _leave_in_turn),
    Case("guards.cu", "lookup", (128,), _lookup),
    Case("tiles.cu", "transpose_padded", (32, 8), _transpose_padded),
    Case("tiles.cu", "transpose_plain", (32, 8), _transpose_plain),
    Case("tiles.cu", "sgemm_tiled", (16, 16), _sgemm_tiled),
    Case("tiles.cu", "matvec", (128,), _matvec),
    Case("tiles.cu", "tile_columns", (32,), _tile_columns),
    Case("reductions.cu", "reduce_warp_tail", (256,), _reduce_warp_tail),
    Case("reductions.cu", "reduce_shuffle", (256,), _reduce_shuffle),
    Case("reductions.cu", "argmax", (128,), _argmax),
    Case("reductions.cu", "segment_sums", (64,), _segment_sums),
    Case("reductions.cu", "column_sums", (32, 8), _column_sums),
    Case("stencils.cu", "stencil_1d", (128,), _stencil_1d),
    Case("stencils.cu", "five_point", (16, 16), lambda d: _plane(d, ("u", "v"))),
    Case("stencils.cu", "blur_tile", (16, 16), lambda d: _plane(d, ("in", "out"))),
    Case("stencils.cu", "seven_point", (32, 4), _seven_point),
    Case("scans.cu", "scan_naive", (128,), _scan(128, 128)),
    Case("scans.cu", "scan_blelloch", (128,), _scan_blelloch),
    Case("scans.cu", "scan_spread", (128,), _scan(256, 256)),
    Case("scans.cu", "scan_warps", (256,), _scan(900, 256)),
    Case("batched.cu", "softmax_rows", (128,), _softmax_rows),
    Case("batched.cu", "cholesky_batch", (64,), _cholesky_batch),
    Case("batched.cu", "forward_substitution", (64,), _forward_substitution),
    Case("batched.cu", "pairs", (64,), _pairs),
    Case("batched.cu", "eliminate", (32,), _eliminate),
    Case("sparse.cu", "spmv_csr", (128,), lambda d: _csr(d, 1)),
    Case("sparse.cu", "spmv_csr_warp", (128,), lambda d: _csr(d, 32)),
    Case("sparse.cu", "spmv_ell", (128,), _spmv_ell),
    Case("sparse.cu", "spmv_coo", (128,), _spmv_coo),
    Case("graphs.cu", "bfs_level", (128,), _bfs_level),
    Case("graphs.cu", "rank_push", (128,), _rank_push),
    Case("graphs.cu", "find_roots", (128,), _find_roots),
    Case("graphs.cu", "triangles", (128,), _triangles),
    Case("histograms.cu", "histogram_shared", (256,), _histogram_shared),
    Case("histograms.cu", "histogram_bytes", (64,), _histogram_bytes),
    Case("histograms.cu", "histogram_warps", (128,), _histogram_warps),
    Case("histograms.cu", "equalise", (32, 8), _equalise),
)
