"""What the text of a loop says: its counter, its steps, what is assigned before it, and what leaves it."""

from __future__ import annotations

import pytest

from analysis_core.ir.loop_info import LoopInfo, loops_of
from analysis_core.ir.nodes import Const, Kernel, Local
from analysis_core.ir.walk import uncast
from tests.ir import lowering


def _loops(body: str) -> tuple[Kernel, list[LoopInfo]]:
    kernel = lowering.kernel(f"__global__ void k(int *p, int n) {{ {body} }}")
    return kernel, list(loops_of(kernel))


COUNTERS = (
    ("for (int i = 2; i < n; i += 3) p[i] = 0;", ("i", 2, "<", 3)),
    ("for (int i = 2; n > i; i++) p[i] = 0;", ("i", 2, "<", 1)),
    ("int i = 9; while (i >= 1) { p[i] = 0; i -= 2; }", ("i", 9, ">=", -2)),
    ("int i = 9; if (n) for (; i != 1; --i) p[i] = 0;", ("i", 9, "!=", -1)),
    ("int i = 9; if (n) i = 3; while (i > 0) i--;", ("i", None, ">", -1)),
    ("for (int i = 0; i < n; i++) if (p[i]) i++;", None),
    ("for (int i = 1; i < n; i *= 2) p[i] = 0;", None),
    ("int i = 0; do { p[i] = 0; i++; } while (i < n);", None),
    ("for (int i = 0; p[i] < n; i++) p[0]++;", None),
)


@pytest.mark.parametrize(("body", "expected"), COUNTERS)
def test_counter(body: str, expected: tuple[str, int | None, str, int] | None) -> None:
    kernel, (info,) = _loops(body)
    counter = info.counter
    if expected is None or counter is None:
        assert counter is None and expected is None
        return
    start = None if counter.start is None else uncast(counter.start)
    value = start.value if isinstance(start, Const) else None
    assert (kernel.variables[counter.var].name, value, counter.relation, counter.step.number) == expected


def test_a_loop_around_gives_the_start() -> None:
    kernel, (outer, inner) = _loops("for (int l = 0; l < n; l++) for (int i = l; i > 0; i--) p[i] = 0;")
    assert inner.around is outer and outer.around is None
    counter = inner.counter
    start = None if counter is None or counter.start is None else uncast(counter.start)
    assert isinstance(start, Local) and kernel.variables[start.var].name == "l"
    assert [inner.loop in (stmt for stmt, _ in one.placed) for one in (outer, inner)] == [True, False]


def test_a_round_of_the_loop_around_may_have_changed_the_start() -> None:
    _, (_, inner) = _loops("int i = 9; for (int l = 0; l < n; l++) while (i > 0) i--;")
    assert inner.counter is not None and inner.counter.start is None


EXITS = (
    ("for (int i = 0; i < n; i++) p[i] = 0;", []),
    ("for (int i = 0; i < n; i++) if (p[i]) break;", [1]),
    ("for (int i = 0; i < n; i++) if (p[i]) { if (p[0]) return; }", [2]),
    ("for (int i = 0; i < n; i++) { switch (p[i]) { case 1: break; } continue; }", []),
    ("for (;;) { p[0] = 0; break; }", [0]),
)


@pytest.mark.parametrize(("body", "depths"), EXITS)
def test_exits(body: str, depths: list[int]) -> None:
    _, (info,) = _loops(body)
    assert [len(one.under) for one in info.exits] == depths


def test_a_break_leaves_its_own_loop_and_a_return_all_of_them() -> None:
    _, (outer, inner) = _loops("for (int i = 0; i < n; i++) while (p[i]) { if (p[0]) break; if (p[1]) return; }")
    assert len(inner.exits) == 2
    assert [type(one.stmt).__name__ for one in outer.exits] == ["Return"]


def test_what_meets() -> None:
    _, (block, warp) = _loops("while (n) { __syncthreads(); n--; } while (p[0]) __syncwarp();")
    assert block.meets and not warp.meets
