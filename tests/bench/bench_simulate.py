"""Speed of the simulator on one core: lane-statements per second of kernels with 256 threads a block and many blocks.

A lane-statement is one statement or test of the IR, executed by one active lane, its costs counted.  The goal is 2 million
per second for every kernel here; the script ends with 1 below it.
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import process_time

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from analysis_core.simulate.run import Outcome
from tests.simulate.running import kernel_in, run

GOAL = 2e6


def _floats(count: int) -> np.ndarray:
    return np.random.default_rng(1).random(count).astype(np.float32)


def _vector_add() -> Outcome:
    n = 1 << 20
    arguments = {"a": _floats(n), "b": _floats(n), "c": _floats(n), "n": n}
    return run(kernel_in("algorithms.cu", "vector_add"), 256, n // 256, arguments)


def _matrix_product() -> Outcome:
    n = 128
    arguments = {name: _floats(n * n) for name in "abc"} | {"n": n}
    return run(kernel_in("algorithms.cu", "matrix_product"), (16, 16), (n // 16, n // 16), arguments)


def _reduction() -> Outcome:
    n = 1 << 20
    arguments = {"in": _floats(n), "out": _floats(1), "n": n}
    return run(kernel_in("algorithms.cu", "reduction"), 256, 512, arguments, shared_bytes=1024)


def _histogram() -> Outcome:
    n = 1 << 20
    data = np.random.default_rng(1).integers(0, 256, n).astype(np.uint8)
    arguments = {"data": data, "bins": np.zeros(256, np.uint32), "n": n}
    return run(kernel_in("algorithms.cu", "histogram"), 256, 256, arguments)


def _integers() -> Outcome:
    n = 1 << 16
    values = np.random.default_rng(1).integers(1, 1 << 20, n).astype(np.int32)
    arguments = {"a": values, "b": values, "out": np.zeros(n, np.int64), "bytes": np.zeros(n, np.uint8), "n": n}
    return run(kernel_in("algorithms.cu", "integers"), 256, n // 256, arguments)


def main() -> int:
    """Prints a line per kernel."""
    _matrix_product()  # Modules are imported and the file is read once before anything is measured.
    slow = 0
    for name, measured in (
        ("vector add", _vector_add),
        ("matrix product", _matrix_product),
        ("reduction", _reduction),
        ("histogram", _histogram),
        ("integers, divergent", _integers),
    ):
        started = process_time()
        outcome = measured()
        seconds = process_time() - started
        speed = outcome.lane_statements / seconds
        slow += speed < GOAL
        print(
            f"{name:<22}{outcome.lane_statements:>12} lane-statements{seconds:>8.2f} s{speed / 1e6:>8.1f} million per second"
        )
    return 1 if slow else 0


if __name__ == "__main__":
    sys.exit(main())
