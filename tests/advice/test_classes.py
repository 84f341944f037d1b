"""Classes of shapes, held against runs of the simulator: pitches of tiles, extents of blocks, bounds with blockDim.x as a symbol."""

from __future__ import annotations

import random
from math import prod
from pathlib import Path

import pytest

from analysis_core.advice.blocks import BlockClasses, block_classes
from analysis_core.advice.pitches import PitchClass, pitch_classes
from analysis_core.expressions import expression as ex
from analysis_core.ir.nodes import Kernel
from analysis_core.ir.types import Space
from analysis_core.program.launch import Launch, choose_launches
from analysis_core.races.runs import argument
from analysis_core.simulate.arguments import LaunchRequest
from analysis_core.simulate.binding import BadArguments
from analysis_core.simulate.machine import Stopped
from analysis_core.simulate.run import Outcome, simulate
from analysis_core.support.settings import Settings
from tests.advice.variants import variants

GLOBAL = "int i = blockIdx.x * blockDim.x + threadIdx.x;"


def first(text: str) -> tuple[Kernel, Launch]:
    kernel = variants(text).kernels()[0]
    return kernel, choose_launches(kernel, Settings())[0]


def ran(kernel: Kernel, block: tuple[int, int, int], grid: int, size: int = 100) -> Outcome:
    arguments = {v.name: argument(v.type, None, size, True) for v in kernel.variables if v.parameter}
    return simulate(kernel, LaunchRequest(block, (grid, 1, 1), arguments, rounds=2000, statements=4000))


# --- pitches --------------------------------------------------------------------------------------------------------


def tiled(row: str, column: str, pitch: int, type_: str = "float", block: str = "(32, 8)") -> str:
    return f"""
#define P {pitch}
//@ launch block={block}
__global__ void k({type_} *out) {{
    __shared__ {type_} tile[64][P];
    tile[{row}][{column}] = out[0];
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.y][0];
}}
"""


def pitches(text: str) -> PitchClass:
    (found,) = pitch_classes(*first(text), Settings())
    return found


@pytest.mark.parametrize(
    ("row", "column", "type_", "said"),
    [
        ("threadIdx.x", "threadIdx.y", "float", "0 bank conflicts iff the pitch of its rows is odd"),
        ("threadIdx.y", "threadIdx.x", "float", "0 bank conflicts at every pitch of its rows"),
        ("threadIdx.x", "threadIdx.y", "double", "0 bank conflicts iff the pitch of its rows is odd"),
        ("0", "2 * threadIdx.x", "float", "0 bank conflicts at no pitch of its rows"),
        ("threadIdx.x / 16", "threadIdx.x % 16", "float", "0 bank conflicts iff the pitch of its rows modulo 32 is 16"),
    ],
)
def test_pitches_by_hand(row: str, column: str, type_: str, said: str) -> None:
    assert pitches(tiled(row, column, 33, type_)).text.startswith(said)


ROWS = ("threadIdx.x", "threadIdx.x / 2", "threadIdx.x / 8", "threadIdx.y", "31 - threadIdx.x", "threadIdx.x % 4", "3")
COLUMNS = (
    "threadIdx.y",
    "threadIdx.x",
    "threadIdx.x % 8",
    "31 - threadIdx.x",
    "threadIdx.x / 4",
    "(5 * threadIdx.x) % 32",
    "1",
)


@pytest.mark.parametrize("seed", range(24))
def test_pitches_are_those_of_runs(seed: int) -> None:
    pick = random.Random(seed)
    row, column, type_ = pick.choice(ROWS), pick.choice(COLUMNS), pick.choice(("float", "int", "double"))
    block, shape = pick.choice((("(32, 8)", (32, 8, 1)), ("(16, 4)", (16, 4, 1)), ("(8, 8)", (8, 8, 1))))
    found = pitches(tiled(row, column, 40, type_, block))
    for pitch in pick.sample(range(max(found.least, 32), 110), 14):
        outcome = ran(first(tiled(row, column, pitch, type_, block))[0], shape, 1)
        conflicts = sum(one.excess.total for one in outcome.accesses if one.space is Space.SHARED)
        is_free = pitch % found.period in found.free
        assert (conflicts == 0) == is_free if found.certain else (conflicts == 0 or not is_free), (
            row,
            column,
            type_,
            block,
            pitch,
        )


def test_pitches_through_loops_and_conditions() -> None:
    text = """
//@ launch block=(32, 8)
__global__ void k(float *out, const float *in, int n) {
    __shared__ float tile[32][32];
    for (int j = 0; j < 32; j += 8) if (n > j) tile[threadIdx.y + j][threadIdx.x] = in[j];
    __syncthreads();
    for (int j = 0; j < 32; j += 8) out[j] = tile[threadIdx.x][threadIdx.y + j];
}
"""
    assert pitches(text).text.startswith("0 bank conflicts iff the pitch of its rows is odd")


@pytest.mark.parametrize(
    "body",
    [
        "float *p = &tile[0][0]; p[threadIdx.x] = 1;",
        "tile[0][at[threadIdx.x]] = 1;",
        "unknown(tile); tile[threadIdx.x][0] = 1;",
    ],
)
def test_no_answer_where_lanes_are_not_known(body: str) -> None:
    text = f"//@ launch block=32\n__global__ void k(const int *at) {{ __shared__ float tile[32][32]; {body} }}"
    assert not list(pitch_classes(*first(text), Settings()))


# --- blocks ---------------------------------------------------------------------------------------------------------


def blocks(body: str) -> tuple[Kernel, BlockClasses | None]:
    kernel, launch = first(
        f"//@ launch block=128\n__global__ void k(float *a, const float *b, const double *c, int n, int w) {{ {body} }}"
    )
    return kernel, block_classes(kernel, launch, Settings())


BODIES = (
    f"{GLOBAL} if (i < n) a[i] = b[i];",
    f"{GLOBAL} a[2 * i] = c[i];",
    f"{GLOBAL} a[i] = b[i + 1];",
    f"{GLOBAL} if (i < n) a[i] = b[n - i];",
    f"{GLOBAL} float s = 0; for (int j = 0; j < w % 8; j++) s += b[i + j]; a[i] = s;",
    f"{GLOBAL} float s = 0; for (int j = 0; j < 3; j++) s += b[3 * i + j]; a[i] = s;",
    f"{GLOBAL} if (i % 3 == 0) a[i] = b[i / 2]; else a[i] = 0;",
    f"{GLOBAL} for (int j = i; j < n; j += blockDim.x * gridDim.x) a[j] = 2 * b[j];",
    f"{GLOBAL} ((float4 *)a)[i] = ((const float4 *)b)[i];",
)


def test_what_is_said_by_hand() -> None:
    _, found = blocks(BODIES[0])
    assert found is not None
    assert {one.text for one in found.requests} == {
        "each request is ideal where blockDim.x is a multiple of 8, and from 32 on nowhere else"
    }
    assert found.per_warp["sectors"].upper == ex.integer(8)
    _, found = blocks(BODIES[8])
    assert found is not None
    assert {one.text for one in found.requests} == {
        "each request is ideal where blockDim.x is a multiple of 2, and from 32 on nowhere else"
    }


@pytest.mark.parametrize("body", BODIES)
def test_bounds_hold_at_all_multiples_of_a_warp(body: str) -> None:
    kernel, found = blocks(body)
    assert found is not None
    pick = random.Random(body)
    for _ in range(8):
        extent, grid, size = 32 * pick.randrange(1, 33), pick.randrange(1, 5), pick.choice((5, 100, 999))
        outcome = ran(kernel, (extent, 1, 1), grid, size)
        values = {"n": size, "w": size, "blockDim.x": extent, "gridDim.x": grid}
        for name, counts in (("sectors", outcome.warps.sectors), ("divergences", outcome.warps.divergences)):
            upper = found.per_warp[name].upper
            assert upper is not None
            assert counts.max() <= ex.evaluate(upper, values), (name, extent, grid, size)


@pytest.mark.parametrize("body", BODIES)
def test_requests_are_as_told_at_any_extent(body: str) -> None:
    kernel, found = blocks(body)
    assert found is not None
    told = {one.access.id: one for one in found.requests}
    pick = random.Random(body)
    for extent in (*pick.sample(range(1, 1025), 10), 8, 12, 24, 40, 36, 64):
        outcome = ran(kernel, (extent, 1, 1), 5, 20_000)
        full = {32} if extent >= 32 else set()
        full |= {extent % 32} - {0}
        for one in outcome.accesses:
            if one.id in told:
                kinds = [kind for kind in one.histogram if kind.active in full]
                if extent in told[one.id].ideal:
                    assert all(kind.cost <= kind.ideal for kind in kinds), (one.text, extent)
                if extent % 32 == 0:
                    assert all(kind.cost <= told[one.id].worst for kind in kinds), (one.text, extent)


@pytest.mark.parametrize(
    "body",
    [
        f"__shared__ float s[128]; {GLOBAL} s[threadIdx.x] = b[i]; __syncthreads(); a[i] = s[127 - threadIdx.x];",
        "a[blockIdx.x * 128 + threadIdx.x] = 1;",
        f"{GLOBAL} a[i] = blockDim.x;",
        "int i = blockIdx.y * blockDim.y + threadIdx.y; a[i] = 1;",
    ],
)
def test_no_answer_where_it_depends_on_the_block(body: str) -> None:
    _, found = blocks(body)
    assert found is None


def test_what_the_present_launch_passes_is_no_fact_of_other_blocks() -> None:
    """Its n is a multiple of its own block; with blocks of 32 it may end inside of a warp's sectors."""
    kernel, launch = first(
        "__global__ void k(float *a, const float *b, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; a[i] = b[n - 1 - i]; }\n"
        "void run(float *a, float *b) { k<<<4, 256>>>(a, b, 1024); }"
    )
    found = block_classes(kernel, launch, Settings())
    assert found is not None
    assert {one.text for one in found.requests if one.access.text == "b[n - 1 - i]"} == {
        "from blockDim.x = 32 on not every request is ideal: up to 5 sectors where 4 would do"
    }


def test_a_value_of_a_group_of_lanes_is_no_line() -> None:
    _, found = blocks(f"{GLOBAL} a[i + (int)b[i / 32]] = 1;")
    assert found is None or all(one.access.text != "a[i + (int)b[i / 32]]" for one in found.requests)


@pytest.mark.nightly
def test_all_kernels_of_the_fixtures_pay_at_most_what_is_told() -> None:
    """Those of one dimension whose threads are functions of their global numbers."""
    held = 0
    for path in sorted((Path(__file__).parents[1] / "kernels").rglob("*.cu")):
        for kernel in variants(path.read_text(encoding="utf-8", errors="surrogateescape")).kernels():
            launch = choose_launches(kernel, Settings())[0]
            found = block_classes(kernel, launch, Settings())
            if found is None or launch.stated_grid:
                continue
            upper = found.per_warp["sectors"].upper
            for extent in (64, 96):
                try:
                    outcome = ran(kernel, (extent, 1, 1), 2)
                except (Stopped, BadArguments):
                    continue
                if upper is None or prod(outcome.warps.sectors.shape) == 0 or outcome.faults:
                    continue
                values = {v.name: 100 for v in kernel.variables if v.parameter} | {"blockDim.x": extent, "gridDim.x": 2}
                if ex.symbols(upper) <= set(values):
                    held += 1
                    assert outcome.warps.sectors.max() <= ex.evaluate(upper, values), (path.name, kernel.name, extent)
    assert held > 100
