"""The first block is looked at where that tells more of it than of any block, and nothing is lost where it is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis_core.bounds.first_block import tells_more
from analysis_core.expressions import expression as ex
from analysis_core.interp.interpret import interpret
from analysis_core.ir.nodes import IrModule
from analysis_core.lp import kernel_bounds as under_test
from analysis_core.pipeline.pipeline import lower, read
from analysis_core.program.launch import choose_launches
from analysis_core.requests.evaluate import evaluate
from analysis_core.requests.event_costs import EventCosts
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.lp.kernels import HARDWARE

SETTINGS = Settings(kernel_seconds=20.0, bound_cases=False)
BOUNDED = Path(__file__).parent / "bounded"

HEAD = "__global__ void k(float *a, const int *p, int n, int w) { int i = blockIdx.x * blockDim.x + threadIdx.x; "

SAME = (
    "if (i < n) a[i] = 1;",
    "a[i] = 1;",
    "a[blockIdx.x * w + threadIdx.x] = 1;",
    "a[blockIdx.y * 64 * w + threadIdx.x] = 1;",
    "a[p[i]] = 1;",
    "for (int j = 0; j < n; j++) a[j * 8 + i] = 1;",
    "a[blockIdx.x * n + 3 * threadIdx.x * w] = 1;",
)
MORE = (
    "if (i > 0) a[i] = 1;",
    "if (i < 1000) a[i] = 1;",
    "if (blockIdx.x == 0) a[threadIdx.x] = 1;",
    "a[blockIdx.x * w + threadIdx.x + 1] = 1;",
    "a[i % n] = 1;",
    "for (int j = blockIdx.x; j < n; j++) a[i] = 1;",
)


def module_of(text: str) -> IrModule:
    return lower(read("k.cu", MemoryFiles({"k.cu": text.encode()}), SETTINGS), SETTINGS, strict=True)


@pytest.mark.parametrize(("body", "expected"), [*((b, False) for b in SAME), *((b, True) for b in MORE)])
def test_what_blockidx_may_decide(body: str, expected: bool) -> None:
    kernel = module_of(HEAD + body + " }").kernels[0]
    events = interpret(kernel, choose_launches(kernel, SETTINGS)[0], SETTINGS)
    assert tells_more(events, EventCosts.of(events)) is expected


@pytest.mark.parametrize("path", sorted([*HARDWARE.glob("*.cu"), *BOUNDED.glob("*.cu")]), ids=lambda p: p.stem)
def test_nothing_is_lost(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The bounds are those that an interpretation of the first block gives."""
    for kernel in module_of(path.read_text(encoding="utf-8")).kernels:
        launch = choose_launches(kernel, SETTINGS)[0]
        events = interpret(kernel, launch, SETTINGS)
        if tells_more(events, EventCosts.of(events)):
            continue
        facts = evaluate(kernel, launch, events).facts
        found = under_test.kernel_bounds(kernel, launch, events, facts, SETTINGS).metrics
        with monkeypatch.context() as always:
            always.setattr(under_test, "tells_more", lambda *_: True)
            assert found == under_test.kernel_bounds(kernel, launch, events, facts, SETTINGS).metrics


@pytest.mark.parametrize("body", MORE)
def test_a_huge_kernel_is_not_looked_at_twice(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a kernel with too many accesses the first block is any block: upper bounds are the same, and lower ones no higher."""
    kernel = module_of(HEAD + body + " }").kernels[0]
    launch = choose_launches(kernel, SETTINGS)[0]
    events = interpret(kernel, launch, SETTINGS)
    facts = evaluate(kernel, launch, events).facts
    better = under_test.kernel_bounds(kernel, launch, events, facts, SETTINGS).metrics
    monkeypatch.setattr(under_test, "_MOST_OF_FIRST_BLOCK", 0)
    monkeypatch.setattr(under_test, "interpret", None)
    found = under_test.kernel_bounds(kernel, launch, events, facts, SETTINGS).metrics
    names = dict.fromkeys(("n", "w"), 40)
    for metric, bound in found.items():
        assert bound.per_warp.upper == better[metric].per_warp.upper
        lowers = [ex.evaluate(b.per_warp.worst_lower, names) for b in (bound, better[metric])]
        assert lowers == sorted(lowers)
