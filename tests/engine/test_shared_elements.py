"""How often threads of a block load an element, and how many meet at an atomic, against counts of simulated runs of random kernels: never more.

Both are said of executions that all threads come to that may together, so runs in which others come are left out; what is said to be so without
that condition holds in all runs."""

from __future__ import annotations

import random
from collections import Counter, defaultdict

import numpy as np
import pytest

from analysis_core.expressions.expression import evaluate as at
from analysis_core.interp.interpret import interpret
from analysis_core.pipeline.pipeline import lower, read
from analysis_core.program.launch import Launch
from analysis_core.requests.contention import sets_together
from analysis_core.requests.evaluate import evaluate
from analysis_core.requests.facts import AccessFact
from analysis_core.simulate.arguments import ArrayArgument, LaunchRequest
from analysis_core.simulate.machine import Stopped, Touched
from analysis_core.simulate.run import simulate
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings

BLOCKS = [(32, 1, 1), (16, 4, 1), (8, 8, 1), (96, 1, 1), (48, 1, 1)]
LOOPS = [
    "for (int {k} = 0; {k} < n; {k}++) ",
    "for (int {k} = 0; {k} < 3; {k}++) ",
    "for (int {k} = 0; {k} < 100; {k} += 2) ",
    "for (int {k} = n; {k} > 0; {k}--) ",
    "for (int {k} = 0; {k} <= w; {k}++) ",
    "for (int {k} = 0; {k} < t / 8 + 1; {k}++) ",
    "for (int {k} = t; {k} < n; {k} += blockDim.x) ",
    "for (int {k} = 1; {k} < n; {k} *= 2) ",
]
GUARDS = ["", "", "if (t / 32 == n % 2) ", "if (t / 8 == w) ", "if (y == n % 4) "]


def _index(chance: random.Random, names: list[str], deep: int = 2) -> str:
    one = chance.choice(names)
    if deep == 0:
        return one
    other = _index(chance, names, deep - 1)
    return chance.choice(
        (f"{one} + {other}", f"{one} + {other}", f"({other}) / 4", f"({other}) * 3", f"{one} * w + {other}",
         f"{one} * 16 + {other}", f"(({other}) & 7)", f"{other}", f"(({one}) ^ ({other}))")
    )  # fmt: skip


def _kernel(chance: random.Random, atomic: bool) -> str:
    names, body = ["t", "y", "i"], ""
    for k in ("k", "j", "q")[: chance.randint(0 if atomic else 1, 3)]:
        body += chance.choice(LOOPS).format(k=k)
        names = [*names, k, k]
    body += chance.choice(GUARDS)
    index = _index(chance, names)
    body += f"atomicAdd(&out[{index}], 1);" if atomic else f"v += in[{index}];"
    return (
        "__global__ void k(int *out, int *all, const int *in, int n, int w) {\n"
        "    int t = threadIdx.x, y = threadIdx.y, i = blockIdx.x * blockDim.x + t, v = 0;\n"
        f"    {body}\n    all[i] = v;\n}}\n"
    )


def _counted(text: str, block: tuple[int, int, int], base: str) -> list[str]:
    """What is wrong."""
    settings, wrong = Settings(kernel_seconds=60.0), []
    kernel = lower(read("k.cu", MemoryFiles({"k.cu": text.encode()}), settings), settings).kernels[0]
    launch = Launch(block, (None, None, None), "option", None, ())
    found = evaluate(kernel, launch, interpret(kernel, launch, settings))
    ((fact, group),) = (one for one in zip(found.facts.accesses, found.groups, strict=True) if one[0].base == base)
    may = {frozenset(np.nonzero(one)[0].tolist()) for event in group for one in sets_together(event) or ()}
    met: list[tuple[int, int]] = []
    threads = block[0] * block[1] * block[2]
    for n, w in ((40, 3), (5, 1), (9, 20), (threads, 2)):
        requests: list[Touched] = []

        def seen(touched: Touched, found: list[Touched] = requests) -> None:
            if touched.access in fact.ids:
                found.append(touched)

        arrays = {name: ArrayArgument(np.zeros(1 << 16, np.int32)) for name in ("out", "all", "in")}
        request = LaunchRequest(block, (1, 1, 1), {**arrays, "n": n, "w": w}, statements=1500)
        try:
            run = simulate(kernel, request, trace=seen)
        except Stopped:  # too long
            if n == threads:
                met.clear()  # nothing is said of what threads that may come do together, if not all of them came
            continue
        if requests and not any("RACE" not in fault.kind.name for fault in run.faults):
            if fact.together or _came(requests) in may:
                wrong += [f"{said}, n = {n}, w = {w}" for said in _of_run(fact, requests, {"n": n, "w": w})]
            met.append(_met(requests))
    if fact.meets is None or not met:
        return wrong
    warp, block_ = (max(one[part] for one in met) for part in range(2))
    return [*wrong, *[f"meets {fact.meets}, counted {warp, block_}"] * (fact.meets[0] > warp or fact.meets[1] > block_)]


def _came(requests: list[Touched]) -> frozenset[int] | None:
    """The threads that came, if each came as often as the others."""
    often = Counter(thread for one in requests for thread in one.threads.tolist())
    return frozenset(often) if len(set(often.values())) == 1 else None


def _met(requests: list[Touched]) -> tuple[int, int]:
    """The most lanes of a warp, and threads of the block, that come to one element."""
    warp = block = 0
    for one in requests:
        offsets, warps = one.offsets.tolist(), (one.threads // 32).tolist()
        block = max(block, *Counter(offsets).values())
        warp = max(warp, *Counter(zip(offsets, warps, strict=True)).values())
    return warp, block


def _of_run(fact: AccessFact, requests: list[Touched], sizes: dict[str, int]) -> list[str]:
    if fact.reuse is None:
        return []
    by_element: dict[int, int] = defaultdict(int)
    for one in requests:
        for offset in one.offsets.tolist():
            by_element[offset] += 1
    counted = sum(by_element.values()) / len(by_element)
    trips = fact.reuse.trips
    said = fact.reuse.times_in(1 if trips is None else at(trips, sizes))
    return [f"{said} times, counted {counted}"] * (said > counted * 1.0001)


def _check(seed: int) -> None:
    chance = random.Random(seed)
    atomic, block = chance.random() < 0.4, chance.choice(BLOCKS)
    text = _kernel(chance, atomic)
    assert _counted(text, block, "out" if atomic else "in") == [], f"seed {seed}, block {block}\n{text}"


@pytest.mark.parametrize("seed", range(16))
def test_no_more_than_is_counted(seed: int) -> None:
    _check(seed)


@pytest.mark.nightly
@pytest.mark.parametrize("first", range(1000, 4000, 100))
def test_no_more_than_is_counted_in_many_kernels(first: int) -> None:
    for seed in range(first, first + 100):
        _check(seed)
