"""What other blocks would cost, which are offered, and which are refused after a run."""

from __future__ import annotations

import random
from fractions import Fraction
from functools import cache

import pytest

from analysis_core.advice.account import NOT_RUN, SPENT, Account
from analysis_core.advice.advisor import Advice, advice
from analysis_core.advice.knobs import Variants
from analysis_core.advice.offers import offers
from analysis_core.advice.trials import trial
from analysis_core.expressions.expression import constant
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.advice.variants import PATH, variants

COPY = """#define W 32
#define H 8
__global__ void turn(float *out, const float *in, int n) {
    int x = blockIdx.x * W + threadIdx.x, y = blockIdx.y * H + threadIdx.y;
    out[x * n + y] = in[y * n + x];
}
void run(float *out, const float *in, int n) { turn<<<dim3(n / W, n / H), dim3(W, H)>>>(out, in, n); }
"""
"""The transposition without a tile: a warp of w columns and 32/w rows loads w/8 sectors a row and stores w columns of its rows."""

TILE = """#define T 32
#define R 8
__global__ void turn(float *out, const float *in, int n) {
    __shared__ float tile[T][T];
    int x = blockIdx.x * T + threadIdx.x, y = blockIdx.y * T + threadIdx.y;
    for (int j = 0; j < T; j += R) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
    __syncthreads();
    x = blockIdx.y * T + threadIdx.x;
    y = blockIdx.x * T + threadIdx.y;
    for (int j = 0; j < T; j += R) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}
void run(float *out, const float *in, int n) { turn<<<dim3(n / T, n / T), dim3(T, R)>>>(out, in, n); }
"""


def test_work_is_counted() -> None:
    """What is left of an account decides what is looked at, whatever else a machine does."""
    found = variants(COPY)
    kernel = found.kernels()[0]
    found.account.work = 2_500
    told = advice(found, kernel)
    assert told.rows[0].costs is not None and {row.why for row in told.rows[1:]} == {SPENT}
    assert advice(found, kernel).why == SPENT
    found, told = _tiled()
    other = found.turned(told.found, told.rows[1].edits) if told.found else None
    assert told.found is not None and other is not None
    account = Account(statements=1)
    trial(told.found, other, account)
    assert account.statements < 0 and trial(told.found, other, account).text == NOT_RUN


@cache
def _tiled() -> tuple[Variants, Advice]:
    found = variants(TILE)
    return found, advice(found, found.kernels()[0])


def advised(text: str) -> Advice:
    found = variants(text)
    return advice(found, found.kernels()[0])


def test_costs_of_a_transposition_by_hand() -> None:
    """Rows of a warp: 32/w, or the block's; with a pitch that nobody knows each row may begin at any byte, so a row of w floats takes w/8 + 1
    sectors.  Per 1,000 threads there are 1,000/32 warps."""
    rows = {row.block: row.costs for row in advised(COPY).rows}
    for (w, _, _), costs in rows.items():
        assert costs is not None
        width = min(w, 32)
        high = 32 // width
        loads = high * (width // 8 + 1)
        stores = width * (1 if high == 1 else max(1, -(-high // 8) + 1))
        assert costs.sectors <= Fraction(1000, 32) * (loads + stores)
        assert costs.conflicts == costs.divergences == 0


def test_the_square_warp_is_the_best_without_a_tile() -> None:
    best = advised(COPY).ranked("9.0")[0].block
    assert best[0] == 8


def test_each_row_costs_what_its_text_costs() -> None:
    """Edits of a row, applied to the text and checked from the start, give the row's bounds per block."""
    _, told = _tiled()
    for row in random.Random(5).sample([one for one in told.rows[1:] if one.costs is not None], 6):
        text = TILE
        for edit in sorted(row.edits, key=lambda one: -one.span.start):
            text = text[: edit.span.start] + edit.text + text[edit.span.end :]
        (kernel,) = analyse_file(PATH, MemoryFiles({PATH: text.encode()}), Settings()).kernels
        facts = kernel.launches[0].facts
        assert facts.block == row.block
        assert facts.bounds is not None
        assert row.costs is not None
        blocks = Fraction(1000, row.block[0] ** 2 * 8) * 32  # n*n/T^2 of them; the present launch has n*n*8/32 threads
        conflicts = facts.bounds.metrics["conflicts"].per_block.upper
        assert conflicts is not None
        assert row.costs.conflicts == constant(conflicts) * blocks


@pytest.mark.parametrize("capability", ["7.0", "8.6", "9.0"])
def test_offers_are_better_and_give_the_same(capability: str) -> None:
    found, told = _tiled()
    present = told.rows[0].score(capability)
    assert present is not None
    made = list(offers(told, found, capability))
    for offer in made:
        score = offer.row.score(capability)
        assert score is not None
        assert score < present
    assert any(offer.trial.same for offer in made)


def test_a_tile_with_fewer_rows_than_the_block_is_refused() -> None:
    """Threads of rows beyond the tile write outside of it."""
    found, told = _tiled()
    launched = told.found
    assert launched is not None
    row = next(row for row in told.rows if row.block == (8, 16, 1))
    other = found.turned(launched, row.edits)
    assert other is not None
    tried = trial(launched, other)
    assert tried.same is False
    assert "undefined" in tried.text


def test_a_grid_that_does_not_follow_is_refused() -> None:
    text = """__global__ void k(float *a, const float *b) { int i = blockIdx.x * blockDim.x + threadIdx.x; a[i] = 2 * b[i]; }
void run(float *a, const float *b, int n) { int blocks = n >> 8; k<<<blocks, 256>>>(a, b); }
"""
    found = variants(text)
    told = advice(found, found.kernels()[0])
    assert told.found is not None
    row = next(row for row in told.rows if row.block == (128, 1, 1))
    other = found.turned(told.found, row.edits)
    assert other is not None
    tried = trial(told.found, other)
    assert tried.same is False


def test_a_kernel_whose_result_depends_on_its_block_is_refused() -> None:
    text = """#define B 256
__global__ void k(float *a, int n) { a[blockIdx.x * B + threadIdx.x] = threadIdx.x; }
void run(float *a, int n) { k<<<n / B, B>>>(a, n); }
"""
    found = variants(text)
    told = advice(found, found.kernels()[0])
    assert told.found is not None
    tried = [
        trial(told.found, other) for row in told.rows[1:] if (other := found.turned(told.found, row.edits)) is not None
    ]
    assert all(one.same is not True for one in tried)
    assert any(one.same is False for one in tried)


def test_what_the_kernel_promises_limits_the_shapes() -> None:
    text = COPY.replace("void turn(", "void __launch_bounds__(2 * 128) turn(")
    assert all(row.costs is None for row in advised(text).rows if row.block[0] * row.block[1] > 256)


def test_a_kernel_without_a_bound_has_no_costs_and_says_why() -> None:
    text = """#define B 256
__device__ void other(float *a);
__global__ void k(float *a) { other(a); a[blockIdx.x * B + threadIdx.x] = 1; }
void run(float *a, int n) { k<<<n / B, B>>>(a); }
"""
    told = advised(text)
    assert all(row.costs is None and row.why for row in told.rows)
    assert told.ranked("9.0") == ()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("__global__ void k(float *a) { a[threadIdx.x] = 1; }", "no launch in view"),
        (
            "__global__ void k(float *a) { a[threadIdx.x] = 1; }\nvoid f(float *a, int t) { k<<<1, t>>>(a); }",
            "no launch in view",
        ),
        (
            "__global__ void k(float *a) { a[threadIdx.x] = 1; }\nconst int w = 4;\nvoid f(float *a) { k<<<1, 32 * w>>>(a); }",
            "not made of numbers",
        ),
    ],
)
def test_why_there_is_no_advice(text: str, why: str) -> None:
    told = advised(text)
    assert told.rows == ()
    assert why in told.why


def test_an_estimate_of_registers_refuses_no_block() -> None:
    """100 values that are alive at once, and blocks of 1,024 threads, each of which can have 64 registers."""
    names = [f"v{n}" for n in range(100)]
    loads = " ".join(f"float {name} = a[{n} * 1024 + threadIdx.x];" for n, name in enumerate(names))
    text = f"""__global__ void k(float *a) {{ {loads} __syncthreads(); a[threadIdx.x] = {" + ".join(names)}; }}
void run(float *a) {{ k<<<1, 1024>>>(a); }}"""
    found = variants(text)
    told = advice(found, found.kernels()[0])
    assert told.estimated and told.registers > 100
    assert all(held.blocks for held in told.rows[0].occupancies.values())
    said = advice(found, found.kernels()[0], told.registers)
    assert not said.estimated and said.rows[0].why == "no multiprocessor has room for a block"
