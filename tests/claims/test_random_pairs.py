"""Kernels that are proved equal leave the same in memory in every run."""

from __future__ import annotations

import random

import numpy as np
import pytest

from analysis_core.claims.equal import equality
from analysis_core.ir.nodes import Kernel
from analysis_core.simulate.arguments import ArrayArgument, LaunchRequest
from analysis_core.simulate.run import simulate
from tests.races.test_verdicts import kernels_of

_ALIKE = (
    ("i + 1", "1 + i"), ("n * 2", "n + n"), ("n & 7", "n % 8"), ("min(n, i)", "(n < i ? n : i)"), ("i < n", "!(i >= n)"), ("i < n", "i <= n"),
    ("x[i] + 1.5f", "1.5f + x[i]"), ("x[i] * 2.0f", "x[i] + x[i]"), ("n / 2", "n >> 1"), ("(i ^ 5)", "(i | 5)"), ("i * 4", "i << 2"), ("b[i]", "b[i + 64]"),
)  # fmt: skip


def _body(rng: random.Random, depth: int = 0) -> list[str]:
    found = [] if depth else ["u += 1;"]
    for _ in range(rng.randint(1, 3)):
        kind = rng.choice(("b", "b", "a", "u", "u", "if", "for", "return"))
        number = rng.choice(
            ("i + 1", "n * 2", "n & 7", "min(n, i)", "n / 2", "(i ^ 5)", "u", "u - 3", "b[i]", "i * 4", "(int)x[i]")
        )
        if kind == "b":
            found.append(f"b[{rng.choice(('i', 'i', 'i + 64', '128 + (i ^ 5)'))}] = {number};")
        elif kind == "a":
            found.append(f"a[i] = {rng.choice(('x[i] + 1.5f', 'x[i] * 2.0f', 'a[i] + x[i]', '(float)u'))};")
        elif kind == "u":
            found.append(f"u {rng.choice(('=', '+=', '^='))} {number};")
        elif kind == "if" and depth < 2:
            found += [f"if ({rng.choice(('i < n', 'u > 3', 'x[i] > 0.0f', 'n & 1'))}) {{", *_body(rng, depth + 1), "}"]
            found += ["else {", *_body(rng, depth + 1), "}"] if rng.random() < 0.4 else []
        elif kind == "for" and depth < 2:
            found += [
                f"for (int k = 0; k < {rng.choice('234')}; k++) {{",
                *_body(rng, depth + 1),
                rng.choice(("", "if (u > 9) break;")),
                "}",
            ]
        elif kind == "return" and depth > 0 and rng.random() < 0.4:
            found.append("return;")
            break
    return found


def _pair(seed: int) -> tuple[str, list[Kernel]]:
    rng = random.Random(seed)
    lines = _body(rng)
    other = list(lines)
    for _ in range(rng.randint(1, 2)):
        at = rng.randrange(len(other))
        usable = [both for both in _ALIKE if both[0] in other[at]]
        if usable:
            other[at] = other[at].replace(*rng.choice(usable), 1)
    kernel = "__global__ void {}(float *a, int *b, const float *x, int n) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; int u = n;\n {}\n b[i + 256] = u; }}\n"
    text = kernel.format("one", "\n ".join(lines)) + kernel.format("two", "\n ".join(other))
    return text, kernels_of(text)


def _left(kernel: Kernel, n: int, block: int, grid: int) -> list[np.ndarray]:
    rng = np.random.default_rng(n + 10)
    arguments = {
        "a": ArrayArgument(rng.integers(-9, 9, 512).astype(np.float32)),
        "b": ArrayArgument(rng.integers(-9, 9, 512).astype(np.int32)),
        "x": ArrayArgument(rng.integers(-9, 9, 512).astype(np.float32) / 4),
        "n": n,
    }
    return list(simulate(kernel, LaunchRequest((block, 1, 1), (grid, 1, 1), arguments)).arrays.values())


def _batch(first: int, count: int) -> int:
    """How many pairs are proved equal; all of them are."""
    proved = 0
    for seed in range(first, first + count):
        text, (one, two) = _pair(seed)
        found = equality(one, two)
        if not found.proved or found.rounding:
            continue
        proved += 1
        for n in (0, 1, 7, 40) if found.natural else (0, 1, 7, 40, -1, -5):
            for block, grid in ((32, 2), (64, 1)):
                mine, others = _left(one, n, block, grid), _left(two, n, block, grid)
                assert all(np.array_equal(m, o) for m, o in zip(mine, others, strict=True)), (
                    f"seed {seed}, n = {n}\n{text}"
                )
    return proved


def test_pairs() -> None:
    assert _batch(0, 60) > 15


@pytest.mark.nightly
@pytest.mark.parametrize("batch", range(10))
def test_many_pairs(batch: int) -> None:
    assert _batch(1_000 + 100 * batch, 100) > 20
