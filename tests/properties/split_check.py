"""The costs of the accesses of a random kernel against every request of a brute force (split_kernels.py)."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from analysis_core.expressions.expression import safe_name
from analysis_core.interp.core.events import Events
from analysis_core.interp.interpret import interpret
from analysis_core.pipeline.pipeline import lower, read
from analysis_core.program.launch import Launch
from analysis_core.requests.access_facts import AccessSite
from analysis_core.requests.case_split import Splitter
from analysis_core.requests.divisible_cases import DivisibleCases
from analysis_core.requests.evaluate import access_sites
from analysis_core.requests.event_costs import EventCosts
from analysis_core.requests.facts import AccessFact
from analysis_core.requests.nearness import Nearness
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.properties.kernels.containment import Known, holds
from tests.properties.split_kernels import PARAMETERS, SHARED_EXTENT, Access, Kernel, Step, Undefined, make
from tests.properties.test_access_cost import sectors_of, wavefronts_of

Lanes = list[tuple[int, int]]
"""(lane, byte address), of the active lanes of one request."""

_SMALL = (*range(1, 41), *range(1, 17), 31, 32, 33, 63, 64, 65, 0)
_LARGE = (0, 1, 2, 3, 5, 8, 48, 95, 96, 97, 100, 128, 200, 256, 1000, 1023, 1024, 4096, 100_003)
_BLOCKS = (0, 0, 1, 1, 2, 3, 5, 7, 10, 31, 1000)
_ROUNDS = 3


@dataclass
class Tally:
    """What happened on the way: nothing is passed over in silence."""

    kernels: int = 0
    samples: int = 0
    undefined: int = 0
    accesses: int = 0
    split: int = 0
    given_up: int = 0
    tight: int = 0
    split_tight: int = 0
    exact: int = 0
    narrow: int = 0
    leaves: int = 0


@dataclass(frozen=True)
class Sample:
    block: int
    values: Mapping[str, int]


@dataclass(frozen=True)
class Seen:
    """One request of the brute force."""

    sample: Sample
    warp: int
    lanes: Lanes
    cost: int
    ideal: int

    def __str__(self) -> str:
        return f"{self.cost} at {dict(self.sample.values)}, block {self.sample.block}, warp {self.warp}: {self.lanes}"


class _Cut(Exception):
    """The thread ran as many rounds as are looked at."""


def _spend(loop: str, round_: int) -> None:
    if round_ >= _ROUNDS:
        raise _Cut(loop)


def analyse(text: str, block: tuple[int, int, int]) -> Events:
    """The events of the one kernel of the text."""
    settings = Settings(kernel_seconds=60.0)
    kernel = lower(read("k.cu", MemoryFiles({"k.cu": text.encode()}), settings), settings, True).kernels[0]
    assert not kernel.unknowns, kernel.unknowns[0].reason
    return interpret(kernel, Launch(block, (None, None, None), "option", None, ()), settings)


def samples(kernel: Kernel, rng: random.Random, count: int) -> list[Sample]:
    found = []
    for _ in range(count):
        values = {}
        for name in PARAMETERS:
            pool = _SMALL if rng.random() < 0.7 else _LARGE
            values[name] = max(kernel.least[name], rng.choice(pool))
        found.append(Sample(rng.choice(_BLOCKS), values))
    return found


def run(kernel: Kernel, sample: Sample) -> dict[int, list[Seen]] | None:
    """All requests of one block by access; None if a thread does what is undefined."""
    x, y, z = kernel.block
    lanes: dict[tuple[int, int, tuple[int, ...]], Lanes] = {}
    cuts: set[str] = set()
    thread = 0
    for tz in range(z):
        for ty in range(y):
            for tx in range(x):
                steps: list[Step] = []
                try:
                    kernel.run(tx, ty, tz, sample.block, *(sample.values[p] for p in PARAMETERS), _spend, steps)
                    cuts.add("")
                except _Cut as cut:
                    cuts.add(str(cut))
                except Undefined:
                    return None
                for number, rounds, index, unsigned in steps:
                    access = kernel.accesses[number]
                    if (access.shared and not 0 <= index < SHARED_EXTENT) or (unsigned and index >= 1 << 31):
                        return None
                    lanes.setdefault((number, thread // 32, rounds), []).append((thread % 32, index * access.width))
                thread += 1
    if len(cuts) > 1:
        return None  # some threads go on, and those that were cut off are missing
    seen: dict[int, list[Seen]] = {}
    for (number, warp, _), found in lanes.items():
        access = kernel.accesses[number]
        cost, ideal = _cost(access, tuple(found))
        seen.setdefault(number, []).append(Seen(sample, warp, found, cost, ideal))
    return seen


def _cost(access: Access, lanes: tuple[tuple[int, int], ...]) -> tuple[int, int]:
    if access.shared:
        return wavefronts_of(list(lanes), access.width), _ideal_wavefronts(dict(lanes), access.width)
    distinct = len({address for _, address in lanes})
    return sectors_of(list(lanes), access.width), -(-distinct * access.width // 32)


def _ideal_wavefronts(lanes: dict[int, int], width: int) -> int:
    """Of the same lanes with as many distinct addresses; widths up to 8."""
    if width <= 4:
        return 1
    pairs = max(len({i & ~bit for i in lanes}) for bit in (1, 2))
    return 1 if len(set(lanes.values())) <= pairs else len({lane // 16 for lane in lanes})


def examine(kernel: Kernel, seed: int, tally: Tally | None = None, count: int = 40, engine: bool = True) -> list[str]:
    """All broken promises about one kernel."""
    tally = Tally() if tally is None else tally
    rng = random.Random(seed)
    seen: dict[int, list[Seen]] = {}
    for sample in samples(kernel, rng, count):
        found = run(kernel, sample)
        tally.samples += 1
        tally.undefined += found is None
        for number, requests in (found or {}).items():
            seen.setdefault(number, []).extend(requests)
    tally.kernels += 1
    if not seen:
        return []
    events = analyse(kernel.text, kernel.block)
    sites = {site.events[0].access.span.start: site for site in access_sites(events)}
    splitter = Splitter(events.derivations, events.symbols, 1 << 20)
    broken, place = [], 0
    for number, access in enumerate(kernel.accesses):
        place = kernel.text.index(access.text, place)
        site, requests = sites.get(place), seen.get(number, [])
        place += 1
        if not requests:
            continue
        if site is None:
            broken.append(f"missing: `{access.text}` {requests[0]}")
            continue
        wrong = list(_judge(site, site.fact(DivisibleCases(64), EventCosts(splitter, Nearness({}))), requests))
        wrong += list(_no_worse(site, _without_cases(site, events, Nearness({}))))
        wrong += list(_too_near(_without_cases(site, events, Nearness(events.derivations)), requests))
        if engine:
            wrong += list(_uncovered(site, splitter, requests, rng, tally))
        broken += [f"{access.text}: {text}" for text in wrong]
        tally.accesses += 1
        tally.split += site.split
        tally.given_up += bool(site.unsettled)
        high = max(r.cost for r in requests)
        tally.tight += high == site.worst.worst if site.worst else 0
        tally.split_tight += site.split and high == site.worst.worst if site.worst else 0
        tally.exact += site.exact and site.single
    return broken


def _without_cases(site: AccessSite, events: Events, nearness: Nearness) -> AccessSite:
    """The same executions where no case may be looked at."""
    plain, costs = AccessSite(), EventCosts(Splitter(events.derivations, events.symbols, 0), nearness)
    for event in site.events:
        plain.add(event, costs)
    return plain


def _no_worse(site: AccessSite, plain: AccessSite) -> Iterator[str]:
    """Cases only tell more: less may be the worst, more the best, than without them."""
    assert site.worst is not None and plain.worst is not None
    if site.worst.worst > plain.worst.worst:
        yield f"worst {plain.worst.worst} without cases, {site.worst.worst} with them"
    if site.most_active == plain.most_active and site.best < plain.best:
        yield f"best {plain.best} without cases, {site.best} with them"


def _too_near(near: AccessSite, requests: list[Seen]) -> Iterator[str]:
    """What the distances of lanes promise, where no case was looked at."""
    assert near.worst is not None
    high = max(requests, key=lambda r: r.cost)
    if high.cost > near.worst.worst:
        yield f"worst {near.worst.worst} by distances, but {high}"
    above = max(requests, key=lambda r: r.cost - r.ideal)
    if above.cost - above.ideal > near.excess:
        yield f"excess {near.excess} by distances, but {above}"


def _judge(site: AccessSite, fact: AccessFact, requests: list[Seen]):
    high = max(requests, key=lambda r: r.cost)
    if high.cost > fact.worst:
        yield f"worst {fact.worst}, but {high}"
    most = max(requests, key=lambda r: len(r.lanes))
    if len(most.lanes) > site.most_active:
        yield f"at most {site.most_active} lanes, but {most}"
    full = [r for r in requests if len(r.lanes) == site.most_active]
    low = min(full, key=lambda r: r.cost, default=None)
    if low is not None and low.cost < fact.best:
        yield f"best {fact.best}, but {low}"
    above = max(requests, key=lambda r: r.cost - r.ideal)
    if above.cost - above.ideal > fact.excess:
        yield f"excess {fact.excess}, but {above.cost - above.ideal}: {above}"
    for case in fact.cases:
        for r in requests:
            names = {safe_name(n): v for n, v in r.sample.values.items()}
            if eval(case.when, {}, names) and r.cost > case.cost:
                yield f"{case.cost} when {case.when}, but {r}"
                break
    sizes = fact.variation.sizes
    if sizes is not None:
        for r in requests:
            value = r.sample.values[sizes.symbol]
            if (value == sizes.value and r.cost > sizes.least) or (value < sizes.threshold and r.cost >= sizes.worst):
                yield f"{sizes}, but {r}"
                break


def _uncovered(site: AccessSite, splitter: Splitter, requests: list[Seen], rng: random.Random, tally: Tally):
    """Requests that no leaf of the tree of cases holds."""
    leaves = []
    for event in site.events:
        poly, mask = event.address.poly, event.mask
        if not splitter.concerns(poly, mask):
            return
        found = splitter.leaves(poly, mask)
        if found is None:
            return
        leaves += [(leaf, event.address.bits) for leaf in found]
    tally.leaves += 1
    for r in rng.sample(requests, min(len(requests), 12)):
        lanes = np.zeros(32, dtype=bool)
        lanes[[lane for lane, _ in r.lanes]] = True
        addresses = [address for _, address in r.lanes]
        numbers = {**r.sample.values, "blockIdx.x": r.sample.block, "blockIdx.y": 0, "blockIdx.z": 0}
        numbers |= {
            f"&{e}": 0 for e in ("p_uchar", "p_short", "p_float", "p_double", "p_float4", "s_float", "s_double")
        }
        known = Known(numbers)
        for leaf, bits in leaves:
            if not (lanes & ~leaf.active).any() and holds(leaf.address, bits, 0, lanes, addresses, known):
                break
        else:
            yield f"no leaf of {len(leaves)} for {r}"
            return


def main(first: int, count: int, statements: int) -> None:
    """Kernels by number; what is broken, and at the end what happened."""
    tally = Tally()
    for seed in range(first, first + count):
        broken = examine(make(seed, statements), seed, tally)
        if broken:
            print(f"seed {seed}", *broken[:4], sep="\n   ", flush=True)
    print(tally)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 4)
