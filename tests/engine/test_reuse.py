"""How often threads of a block load an element in a loop: by hand, and never more than what a count of all loads says."""

from __future__ import annotations

import pytest

from analysis_core.expressions.expression import symbol
from analysis_core.interp.interpret import interpret
from analysis_core.pipeline.pipeline import lower, read
from analysis_core.program.launch import Launch
from analysis_core.requests.evaluate import evaluate
from analysis_core.requests.facts import Reuse
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings

KERNEL = """
__global__ void k(float *out, const float *in, const int *at, int n) {{
    int t = threadIdx.x, y = threadIdx.y, i = blockIdx.x * blockDim.x + t;
    float v = 0;
    for (int k = 0; k < {rounds}; k++) v += in[{index}];
    out[i] = v;
}}
"""

CASES = [
    # index, block, loads of each element where the loop has n rounds
    ("y * n + k", (16, 16, 1), 16.0),
    ("k * n + i", (16, 16, 1), 16.0),
    ("k * n + t", (256, 1, 1), 1.0),
    ("k", (256, 1, 1), 256.0),
    ("i + k", (256, 1, 1), 256.0),
    ("i + 4 * k", (256, 1, 1), 64.0),
    ("256 * k + t / 8", (256, 1, 1), 8.0),
    ("at[t] + k", (256, 1, 1), 1.0),
    ("at[k]", (256, 1, 1), 256.0),
    ("at[y] + k", (32, 8, 1), 32.0),
]


def times(index: str, rounds: str, block: tuple[int, int, int]) -> float | None:
    text, settings = KERNEL.format(index=index, rounds=rounds), Settings(kernel_seconds=60.0)
    kernel = lower(read("k.cu", MemoryFiles({"k.cu": text.encode()}), settings), settings).kernels[0]
    launch = Launch(block, (None, None, None), "option", None, ())
    facts = evaluate(kernel, launch, interpret(kernel, launch, settings)).facts
    found = [f.reuse for f in facts.accesses if f.base == "in" and f.reuse is not None]
    return found[0].times if found else None


@pytest.mark.parametrize(("index", "block", "expected"), CASES, ids=[c[0] for c in CASES])
def test_reuse(index: str, block: tuple[int, int, int], expected: float) -> None:
    found = times(index, "n", block)
    assert found == expected or (found is None and "at" in index)


@pytest.mark.parametrize("index", ["y * 64 + k", "k * 64 + t", "t + k", "t / 4 + 3 * k", "(t ^ k)", "y + 2 * k"])
def test_it_is_no_more_than_the_truth(index: str) -> None:
    found = times(index, "8", (16, 4, 1))
    rounds = [(t, y, k) for t in range(16) for y in range(4) for k in range(8)]
    cells = {eval(index.replace("/", "//"), {"t": t, "y": y, "k": k}) for t, y, k in rounds}
    assert found is not None
    assert found == len(rounds) / len(cells)


def test_a_short_loop_loads_its_first_round_as_well() -> None:
    reuse = Reuse(loads=256, fresh=1, rounds=1, first=256)
    assert [reuse.times_in(rounds) for rounds in (1, 2)] == [1, 512 / 257]
    assert reuse.times_in(1 << 20) == pytest.approx(reuse.times, rel=0.01)


def _of(body: str) -> Reuse | None:
    text, settings = (
        f"__global__ void k(float *out, const float *in, int n) {{ int t = threadIdx.x; float v = 0; {body} out[t] = v; }}",
        Settings(),
    )
    kernel = lower(read("k.cu", MemoryFiles({"k.cu": text.encode()}), settings), settings).kernels[0]
    launch = Launch((256, 1, 1), (None, None, None), "option", None, ())
    facts = evaluate(kernel, launch, interpret(kernel, launch, settings)).facts
    return next(f.reuse for f in facts.accesses if f.base == "in")


def test_a_window_begins_again_each_time_that_its_loop_is_entered() -> None:
    window = "for (int k = 0; k < n; k++) v += in[r * 4096 + t + k];"
    found = _of(f"for (int r = 0; r < 2 * n; r++) {window}")
    assert found is not None and found.trips is not None
    assert (found.first, found.fresh, str(found.trips)) == (256, 1, str(symbol("n")))
    assert found.times_in(3) == 768 / 258


def test_where_threads_leave_apart_nothing_is_said() -> None:
    assert _of("for (int k = 0; k < t / 8 + n; k++) v += in[k];") is None


def test_threads_that_exclude_each_other_share_nothing() -> None:
    found = _of("for (int k = 0; k < n; k++) if (t / 64 == n) v += in[k];")
    assert found is not None and found.times == 64
