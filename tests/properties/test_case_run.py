"""A case that takes over what the case before it has found out is the case that finds everything out by itself, work included."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable
from typing import Any

import pytest

from analysis_core.domains.polynomial import Poly
from analysis_core.interp.core.events import Events
from analysis_core.requests import case_split
from analysis_core.requests.case_run import CaseRun
from analysis_core.requests.case_split import Splitter
from tests.properties.split_check import analyse
from tests.properties.split_kernels import make

_KERNELS = 60
_BUDGET = 4400

QUOTIENTS = """__global__ void k(float *a, float *b, int n, int m, int w) {
    int t = threadIdx.x + blockIdx.x * blockDim.x;
    int row = t / w, column = t % w, x = min(max(t + m, 0), n - 1);
    a[row * 8 + column] = b[(t + m) % 8];
    if (t % 3 != 1 && x % 2) b[x] = a[(x + t) % 4 + t / 4 % 3];
    if (column > 2) a[column] = b[min(row, 5) + (t + n) % 2];
}"""


def _told(poly: Poly) -> Hashable:
    """The polynomial by what its symbols are: another splitter makes other objects."""
    return sorted(
        (
            [(s.name, s.level, s.low is None, s.low, s.high, s.modulus, s.residue) for s in monomial],
            coefficient if isinstance(coefficient, int) else coefficient.tolist(),
        )
        for monomial, coefficient in poly.terms.items()
    ).__repr__()


def _answers(events: Events) -> list[Hashable]:
    """All cases of all accesses and branches, and what they took."""
    splitter = Splitter(events.derivations, events.symbols, _BUDGET)
    found: list[Hashable] = []
    for event in events.accesses:
        if splitter.concerns(event.address.poly, event.mask):
            leaves = splitter.leaves(event.address.poly, event.mask)
            found.append(None if leaves is None else tuple((x.active.tobytes(), _told(x.address)) for x in leaves))
    for branch in events.branches:
        for condition in branch.conditions:
            told = splitter.truths(condition, branch.mask)
            found.append(
                None if told is None else repr({w: [(t.may.tolist(), t.true.tolist()) for t in told[w]] for w in told})
            )
    return [*found, *splitter.log]


def _alone(warps: Any, derivations: Any, made: Any, fresh: Any, parent: object = None) -> CaseRun:
    return CaseRun(warps, derivations, made, fresh)


@pytest.mark.parametrize("block", [(64, 1, 1), (16, 4, 1)])
def test_quotients_and_clamps(block: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    events, found = analyse(QUOTIENTS, block), CaseRun._found
    counted = Counter[str]()

    def count(run: CaseRun, *asked: Any) -> Poly | None:
        counted[kind] += 1
        return found(run, *asked)

    monkeypatch.setattr(CaseRun, "_found", count)
    kind = "together"
    together = _answers(events)
    kind = "alone"
    monkeypatch.setattr(case_split, "CaseRun", _alone)
    assert together == _answers(events)
    assert len([answer for answer in together if isinstance(answer, tuple)]) >= 3
    assert counted["together"] < 0.8 * counted["alone"], counted


def test_random_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    kernels = [make(seed) for seed in range(_KERNELS)]
    interpreted = [analyse(kernel.text, kernel.block) for kernel in kernels]
    together = [_answers(events) for events in interpreted]
    monkeypatch.setattr(case_split, "CaseRun", _alone)
    for kernel, events, found in zip(kernels, interpreted, together, strict=True):
        assert found == _answers(events), kernel.text
    assert sum(map(len, together)) > 4 * _KERNELS
