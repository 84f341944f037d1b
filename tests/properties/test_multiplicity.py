"""How often things happen, against the concrete machine: every warp of random kernels, one by one.

For each branch the tests and splits of a warp must lie within what its fact says of that warp; for each access the
executions, and the cost of a request above the ideal.  Trip counts that depend on data are named symbols: they get the most
rounds that a warp was seen to make in one execution of the loop.  Where nothing depends on data and the kernel runs to its
end, counts that claim to be sure are met exactly.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field

import numpy as np
import pytest

from analysis_core.expressions import expression as ex
from analysis_core.expressions.expression_text import safe_name, to_text
from analysis_core.ir.nodes import IfKind
from analysis_core.ir.types import Space
from analysis_core.requests.branch_facts import splits_by_warp
from analysis_core.requests.facts import AccessFact, BranchFact, KernelFacts, ReadWrite
from tests.properties.kernels.comparison import NotRead, _kind_name, _via, _wraps, analyse
from tests.properties.kernels.generator import program, sample
from tests.properties.kernels.machine import Machine, Outcome, Sample
from tests.properties.kernels.printing import print_program
from tests.properties.kernels.syntax import Loop
from tests.properties.test_excess import conflicts, sectors_excess

SAMPLES = 4


class Counting(Machine):
    """The machine, which also notes the most rounds of one warp in one execution of each loop, by its text."""

    def __init__(self, *args: object, **options: object) -> None:
        super().__init__(*args, **options)  # type: ignore[arg-type]
        self.rounds: dict[tuple[int, Hashable], np.ndarray] = {}
        self._now: list[tuple[object, np.ndarray]] = []

    def _loop(self, loop: Loop, mask: np.ndarray) -> np.ndarray:
        """One execution of a loop: every run of its body is a round of the warps with a lane in it."""
        made = np.zeros(len(self.recorder.sample_of_row), dtype=np.int64)
        self._now.append((loop.body, made))
        try:
            return super()._loop(loop, mask)
        finally:
            self._now.pop()
            place = self.ranges.get(loop)  # of its test; `for (;;)` has none, and its trip count stays unknown
            if place is not None:
                seen = self.rounds.setdefault((place[0], self.via), np.zeros_like(made))
                np.maximum(seen, made, out=seen)

    def _body(self, body: object, mask: np.ndarray) -> np.ndarray:
        if self._now and body is self._now[-1][0]:
            self._now[-1][1][:] += mask.reshape(-1, 32).any(axis=1)
        return super()._body(body, mask)  # type: ignore[arg-type]


@dataclass
class Found:
    wrong: list[str] = field(default_factory=list)
    checked: int = 0
    symbolic: int = 0
    exact: int = 0


def examine(seed: int, found: Found) -> None:
    p = program(seed)
    text, ranges = print_program(p)
    rng = random.Random(seed)
    samples = [sample(p, rng) for _ in range(SAMPLES)]
    machine = Counting(p, ranges, samples, seed, 500)
    outcome = machine.run()
    facts, _ = analyse(text, p.block, {})
    for s in np.flatnonzero(outcome.usable):
        if not _wraps(facts, outcome, int(s)):
            _compare(facts, outcome, samples[int(s)], int(s), machine, found)


def _compare(facts: KernelFacts, outcome: Outcome, run: Sample, s: int, machine: Counting, found: Found) -> None:
    rows = np.flatnonzero(outcome.recorder.sample_of_row == s)
    env: dict[str, int] = {f"gridDim.{a}": g for a, g in zip("xyz", run.grid, strict=True)}
    for name, value in run.values.items():
        env[name] = env[safe_name(name)] = value
    env |= _trips(facts, machine, rows)
    for fact in facts.branches:
        _branch(fact, outcome, rows, env, found)
    for access in facts.accesses:
        _access(access, outcome, rows, s, env, found)


def _trips(facts: KernelFacts, machine: Counting, rows: np.ndarray) -> dict[str, int]:
    """The rounds that named trip counts stand for: of the loop whose statement or test begins at the place."""
    found: dict[str, int] = {}
    names = {info.span: info.name for info in facts.symbols if info.kind == "trip"}
    for fact in facts.branches:
        if fact.whole is not None and (name := names.get(fact.whole)) is not None:
            for (start, _), made in machine.rounds.items():
                if start in (fact.span.start, fact.whole.start):
                    found[name] = max(found.get(name, 0), int(made[rows].max()))
    return found


def _value(e: ex.Expression | None, env: Mapping[str, int]) -> int | None:
    if e is None or not ex.symbols(e) <= env.keys():
        return None
    return ex.evaluate(e, env)


def _branch(fact: BranchFact, outcome: Outcome, rows: np.ndarray, env: Mapping[str, int], found: Found) -> None:
    tests = outcome.recorder.tests.get((fact.span.start, fact.span.end, _via(fact.via), _kind_name(fact.kind)))
    if tests is None:
        return
    place = f"{fact.span.start}..{fact.span.end} {env}"
    times = _value(fact.times, env)
    if times is not None and int(tests.times[rows].max()) > times:
        found.wrong.append(f"{place}: tested {tests.times[rows].max()} times, not {times} = {to_text(fact.times)}")
    if isinstance(fact.kind, IfKind) and fact.kind is not IfKind.IF:
        return
    if fact.kind == "switch":
        return  # the recorder counts a split once, whatever the targets
    by_warp = splits_by_warp(fact)
    for row in rows.tolist():
        low, high = by_warp[outcome.place(row)[2]] if by_warp else (ex.ZERO, ex.ZERO)
        least, most, seen = _value(low, env), _value(high, env), int(tests.splits[row])
        if most is not None:
            found.checked += 1
            found.symbolic += any(name.startswith("T@") for name in ex.symbols(high))
            if seen > most:
                found.wrong.append(f"{place}: warp splits {seen} times, not {most} = {to_text(high)}")
        if least is not None and least == most:
            found.exact += 1
        if least is not None and seen < least and outcome.complete[outcome.place(row)[0]] and tests.times[row]:
            found.wrong.append(f"{place}: warp splits {seen} times, surely {least}")


def _access(fact: AccessFact, outcome: Outcome, rows: np.ndarray, s: int, env: Mapping[str, int], found: Found) -> None:
    kinds = {ReadWrite.READ: "R", ReadWrite.WRITE: "W", ReadWrite.BOTH: "RW", ReadWrite.ATOMIC: "A"}[fact.rw]
    for kind in kinds:
        requests = outcome.recorder.requests.get((fact.span.start, fact.span.end, _via(fact.via), kind))
        if requests is None:
            continue
        place = f"{fact.span.start}..{fact.span.end} {kind} {env}"
        times = _value(fact.times, env)
        if times is not None and int(requests.times[rows].max()) > times:
            found.wrong.append(f"{place}: {requests.times[rows].max()} times, not {times} = {to_text(fact.times)}")
        if fact.space not in (Space.GLOBAL, Space.SHARED):
            continue
        count = sectors_excess if fact.space is Space.GLOBAL else conflicts
        for row, (addresses, lanes) in requests.kept.things:
            if outcome.recorder.sample_of_row[row] != s:
                continue
            found.checked += 1
            did = {int(i): int(addresses[i]) for i in np.flatnonzero(lanes)}
            if fact.bytes in (1, 2, 4, 8, 16) and count(did, fact.bytes) > fact.excess:
                found.wrong.append(f"{place}: excess {count(did, fact.bytes)}, not at most {fact.excess}")


@pytest.mark.parametrize("first", range(300_000, 300_060, 10))
def test_no_warp_does_more(first: int) -> None:
    found = Found()
    for seed in range(first, first + 10):
        before = len(found.wrong)
        try:
            examine(seed, found)
        except NotRead:
            continue
        assert len(found.wrong) == before, f"seed {seed}\n{print_program(program(seed))[0]}\n" + "\n".join(found.wrong)
    assert found.checked
