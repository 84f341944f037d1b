"""Launch configurations: which source wins, what is assumed, what the hardware refuses."""

from __future__ import annotations

from typing import Any

import pytest

from analysis_core.ir.launch_site import LaunchSite, is_assumed
from analysis_core.ir.nodes import Const, Kernel, MemoryObject, ObjectId
from analysis_core.ir.types import FLOAT, INT, ArrayType, Space, Type
from analysis_core.machine.block_shape import is_launchable
from analysis_core.program.launch import Launch, choose_launches, shape_text
from analysis_core.program.lower import lower
from analysis_core.program.shape_evidence import Limit, fitted
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.syntax.parse import parse
from tests.report.samples import kernel, span


def site(block: tuple[int, int, int] | None, start: int = 700, grid: tuple[int | None, ...] = (4, 1, 1)) -> LaunchSite:
    return LaunchSite(span(start), block, (grid[0], grid[1], grid[2]), "b", "g", ())


def tile(name: str, *extents: int | None, space: Space = Space.SHARED) -> MemoryObject:
    inner: Type = FLOAT
    for extent in reversed(extents):
        inner = ArrayType(inner, None if extent is None else Const(extent, INT))
    return MemoryObject(ObjectId(0), name, space, inner, span(40))


def only(made: Kernel, settings: Settings | None = None) -> Launch:
    (launch,) = choose_launches(made, settings or Settings())
    return launch


def axes(highest: int) -> Any:
    return frozenset(range(highest + 1))


def test_an_option_overrides_everything() -> None:
    launch = only(kernel(launches=(site((64, 1, 1)),)), Settings(block=(32, 8, 1), grid=(9, 9, 1)))
    assert (launch.block, launch.grid, launch.source, launch.assumptions) == ((32, 8, 1), (9, 9, 1), "option", ())


def test_each_distinct_site_is_analysed_up_to_the_limit() -> None:
    sites = tuple(site((32 * (1 + i // 2), 1, 1), 700 + i) for i in range(40))
    launches = choose_launches(kernel(launches=sites), Settings())
    assert [launch.block[0] for launch in launches] == [32 * (1 + i) for i in range(8)]
    assert {launch.source for launch in launches} == {"call"}
    assert launches[1].span == span(702)
    assert launches[0].grid == (4, 1, 1)


def test_the_same_block_with_another_grid_is_another_launch() -> None:
    sites = (site((64, 1, 1), grid=(4, 1, 1)), site((64, 1, 1), grid=(None, 1, 1)))
    assert len(choose_launches(kernel(launches=sites), Settings())) == 2
    assert len(choose_launches(kernel(launches=sites), Settings(grid=(7, 1, 1)))) == 1


def test_sites_that_cannot_run_or_are_not_constant_are_passed_over_and_said() -> None:
    launch = only(kernel(launches=(site((2048, 1, 1)), site(None, 710), site((128, 1, 1)))))
    assert launch.block == (128, 1, 1)
    said = [(a.span, a.text.partition(" is not analysed: ")[2]) for a in launch.assumptions]
    assert said == [(span(700), "no device accepts it (1 to 1024 threads)"), (span(710), "its value is not known here")]


@pytest.mark.parametrize(
    ("block", "said"),
    [
        ("1e400", "`1e400` is not analysed: no device accepts it"),
        ("-1e400", "`-1e400` is not analysed: no device accepts it"),
        ("1024 * 2", "`1024 * 2` is not analysed: no device accepts it"),
        ("dim3(n, 0)", "`n, 0` is not analysed: no device accepts it"),
        ("dim3(8, 1e400)", "`8, 1e400` is not analysed: no device accepts it"),
        ("n", "`n` is not analysed: its value is not known here"),
        ("128.5", None),
        ("dim3(64.0f, 2)", None),
    ],
)
def test_a_block_that_no_device_accepts_is_said_and_one_of_another_type_is_converted(
    block: str, said: str | None
) -> None:
    text = (
        f"__global__ void k(float *a) {{ a[threadIdx.x] = 0; }}\nvoid run(float *a, int n) {{ k<<<4, {block}>>>(a); }}"
    )
    module = lower(parse("k.cu", MemoryFiles({"k.cu": text.encode()}), Settings()), Settings())
    launch = only(module.kernels[0])
    if said is None:
        assert launch.source == "call" and launch.block in ((128, 1, 1), (64, 2, 1))
    else:
        assert any(said in assumption.text for assumption in launch.assumptions)


@pytest.mark.parametrize(
    ("objects", "highest", "block"),
    [
        ((tile("s", 128),), 0, (128, 1, 1)),
        ((tile("t", 16, 16),), 1, (16, 16, 1)),
        ((tile("t", 8, 33),), 1, (32, 8, 1)),  # padded
        ((tile("a", 64), tile("b", 128), tile("c", 128)), 0, (128, 1, 1)),
        ((tile("a", 128), tile("b", 64)), 0, (64, 1, 1)),
    ],
)
def test_shared_tiles_suggest_a_shape(
    objects: tuple[MemoryObject, ...], highest: int, block: tuple[int, int, int]
) -> None:
    launch = only(kernel(objects=objects, requested_axes=axes(highest)))
    assert (launch.block, launch.source) == (block, "shape")
    assert "from the extents of" in launch.assumptions[0].text


@pytest.mark.parametrize(
    "objects",
    [
        (tile("s", 10),),  # no whole warps
        (tile("s", 4096),),  # too large
        (tile("s", None),),  # extern
        (tile("t", 16, 16),),  # two extents, one component of threadIdx
        (tile("s", 128, space=Space.LOCAL),),
    ],
)
def test_other_arrays_suggest_nothing(objects: tuple[MemoryObject, ...]) -> None:
    launch = only(kernel(objects=objects))
    assert (launch.block, launch.source) == ((256, 1, 1), "default")


@pytest.mark.parametrize(
    ("bound", "highest", "block"),
    [
        (512, 0, (512, 1, 1)),
        (256, 1, (16, 16, 1)),
        (512, 1, (32, 16, 1)),
        (1024, 2, (16, 8, 8)),
        (100, 0, (100, 1, 1)),
        (1, 2, (1, 1, 1)),
    ],
)
def test_launch_bounds_are_a_maximum(bound: int, highest: int, block: tuple[int, int, int]) -> None:
    launch = only(kernel(launch_bounds=bound, requested_axes=axes(highest)))
    assert (launch.block, launch.source) == (block, "launch_bounds")
    assert is_launchable(launch.block) and launch.block[0] * launch.block[1] * launch.block[2] <= bound


@pytest.mark.parametrize(("highest", "block"), [(0, (256, 1, 1)), (1, (16, 16, 1)), (2, (8, 8, 4))])
def test_the_default_follows_the_components_used(highest: int, block: tuple[int, int, int]) -> None:
    launch = only(kernel(requested_axes=axes(highest)))
    assert (launch.block, launch.source, launch.grid) == (block, "default", (None, None, None))
    assert launch.assumptions[0].text == f"block {shape_text(block)}, the default shape"
    assert is_assumed(launch.source)


def test_a_kernel_without_threads_has_a_launch_too() -> None:
    assert only(kernel(requested_axes=frozenset())).block == (256, 1, 1)
    assert only(kernel(launch_bounds=0)).source == "default"


def test_shapes_as_text() -> None:
    assert [shape_text(s) for s in ((256, 1, 1), (16, 16, 1), (8, 8, 4), (1, 1, 1), (1, 8, 1))] == [
        "256", "16x16", "8x8x4", "1", "1x8",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("block", "limit", "wanted"),
    [
        ((256, 1, 1), ((1, 0, 0), 7), (8, 1, 1)),
        ((256, 1, 1), ((1, 0, 0), 255), (256, 1, 1)),
        ((256, 1, 1), ((1, 0, 0), 128), (128, 1, 1)),  # one element more than a power of two
        ((16, 16, 1), ((4, 0, 0), 31), (8, 16, 1)),
        ((16, 16, 1), ((1, 16, 0), 127), (16, 8, 1)),
        ((8, 8, 4), ((0, 0, 1), 2), (8, 8, 2)),
    ],
)
def test_blocks_are_cut_to_the_room_there_is(
    block: tuple[int, int, int], limit: tuple[tuple[int, int, int], int], wanted: tuple[int, int, int]
) -> None:
    found = Limit(*limit, "s", span(40))
    assert fitted(block, [found]) == (wanted, None if wanted == block else found)
