"""What counters of the profiler are said to show of random kernels, against simulated runs: no run lies outside, so each exact figure is the run's."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import pytest

from analysis_core.ir.types import Space
from analysis_core.machine.counters import Operation, Quantity
from analysis_core.pipeline.pipeline import analyse_file, lower, read
from analysis_core.report.counters import Amount, Counters, OfAccess, counters_of
from analysis_core.simulate.arguments import LaunchRequest
from analysis_core.simulate.faults import FaultKind
from analysis_core.simulate.machine import Stopped
from analysis_core.simulate.run import Outcome, simulate
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.harness.wild_kernels import N, W, arguments, wild

OPERATIONS = {"R": Operation.LOAD, "W": Operation.STORE, "A": Operation.ATOMIC}


def _checked(seed: int) -> tuple[list[str], Counter[str]]:
    """What is wrong with the figures of one kernel, and how many were held against runs."""
    made, chance = wild(seed), random.Random(seed)
    n, w, blocks = chance.choice(N), chance.choice(W), chance.choice((1, 2, 3, 4))
    assume = (f"n == {n}", f"w == {w}") if chance.random() < 0.5 else ()
    settings = Settings(block=made.block, grid=(blocks, 1, 1), assume=assume, kernel_seconds=60.0)
    files = MemoryFiles({"k.cu": made.text().encode()})
    (launch,) = analyse_file("k.cu", files, settings, strict=True).kernels[0].launches
    kernel = lower(read("k.cu", files, settings), settings).kernels[0]
    said, counted = counters_of(launch.profile, {"n": n, "w": w}), Counter[str]()
    for given in arguments(chance, n, w):
        request = LaunchRequest(made.block, (blocks, 1, 1), given, statements=20_000, overflow=True, wraps=True)
        try:
            outcome = simulate(kernel, request)
        except Stopped:
            continue
        if outcome.wrapped or any(fault.kind is not FaultKind.RACE_IN_WARP for fault in outcome.faults):
            continue
        counted["runs"] += 1
        held = [*_of_kernel(said, outcome), *_of_accesses(said.accesses, outcome)]
        counted["figures"] += len(held)
        counted["exact"] += sum(amount.exact for _, amount, _ in held)
        wrong = [f"{what}: {amount}, counted {seen}" for what, amount, seen in held if not _is_in(seen, amount)]
        if wrong:
            sizes = f"n = {n}, w = {w}, {blocks} blocks of {made.block}"
            return [f"seed {seed}: {one}\n{sizes}\n{made.text()}" for one in wrong], counted
    return [], counted


def _is_in(seen: int, amount: Amount) -> bool:
    return amount.low <= seen and (amount.high is None or seen <= amount.high)


def _of_kernel(said: Counters, outcome: Outcome) -> Iterator[tuple[str, Amount, int]]:
    """Each counter of the whole kernel, and what a run counted."""
    warps = outcome.warps.by_name()
    for one in said.kernel:
        counter, space = one.counter, Space.SHARED if one.counter.shared else Space.GLOBAL
        kinds = {counter.operation} if counter.operation is not Operation.ALL else set(OPERATIONS.values())
        own = [a for a in outcome.accesses if a.space is space and OPERATIONS[a.rw] in kinds]
        cost = sum(a.cost.total for a in own)
        excess = int(warps["conflicts" if counter.shared else "excessive_sectors"].sum())
        seen = {
            Quantity.REQUESTS: sum(a.requests.total for a in own),
            Quantity.COST: cost,
            Quantity.EXCESS: excess,
            Quantity.IDEAL: cost - excess,
        }[counter.quantity]
        # What lies behind a cache sees no more than was asked for.
        yield counter.name, Amount(0, one.amount.high) if counter.behind else one.amount, seen


def _of_accesses(said: Iterable[OfAccess], outcome: Outcome) -> Iterator[tuple[str, Amount, int]]:
    """What each access costs, and in how many requests: copies of one place in the text together."""
    seen: dict[object, list[int]] = {}
    for access in outcome.accesses:
        both = seen.setdefault((access.span, access.via, OPERATIONS[access.rw], access.space), [0, 0])
        both[0] += access.cost.total
        both[1] += access.requests.total
    rows: dict[object, list[OfAccess]] = {}
    for row in said:
        rows.setdefault((row.fact.span, row.fact.via, row.operation, row.fact.space), []).append(row)
    for key, (cost, requests) in seen.items():
        own = rows.get(key, [])
        if own or requests:
            name = own[0].fact.text if own else f"an access that nothing is said of: {key}"
            yield f"cost of {name}", _together([row.cost for row in own]), cost
            yield f"requests of {name}", _together([row.requests for row in own]), requests


def _together(amounts: Sequence[Amount]) -> Amount:
    highs = [one.high for one in amounts]
    return Amount(
        sum(one.low for one in amounts), None if None in highs else sum(high for high in highs if high is not None)
    )


def test_counters_of_random_kernels() -> None:
    every = Counter[str]()
    for seed in range(12):
        wrong, counted = _checked(seed)
        assert wrong == []
        every += counted
    assert every["exact"] > 60


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(1000, 2000, 50))
def test_counters_of_many_random_kernels(first: int) -> None:
    for seed in range(first, first + 50):
        assert _checked(seed)[0] == []
