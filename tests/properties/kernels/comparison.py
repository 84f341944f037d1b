"""The analysis of a kernel against what the machine saw.

A *violation* is a broken promise (requests/facts.py):

    missing   a request or test was executed at a place of which the analysis says nothing
    worst     a request cost more
    best      a request with as many lanes as the analysis thinks possible cost less
    case      `when` holds and a request cost more than the case says
    times     a warp made more executions than the expression gives for these parameters
    crowd     more lanes of an atomic met on one address
    value     no event's mask and address hold what a warp did (containment.py)
    truth     no event's mask and condition hold how a warp decided
    never     a warp split;   always: no warp split;   active, spread: a split was more uneven, or there were more
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from analysis_core.expressions import expression as ex
from analysis_core.expressions.expression_text import safe_name
from analysis_core.interp.core.events import AccessEvent, BranchEvent, Events
from analysis_core.interp.interpret import interpret
from analysis_core.pipeline.pipeline import lower, read
from analysis_core.program.launch import Launch
from analysis_core.requests.evaluate import evaluate
from analysis_core.requests.facts import AccessFact, BranchFact, Divergence, KernelFacts, ReadWrite
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.properties.kernels.containment import Known, holds, truth
from tests.properties.kernels.generator import sample
from tests.properties.kernels.machine import Machine, Outcome, Range, Sample
from tests.properties.kernels.printing import print_program
from tests.properties.kernels.syntax import Program

SAMPLES = 8


@dataclass(frozen=True)
class Violation:
    """`kind` as in the module's docstring; `place` in the text."""

    kind: str
    place: Range
    text: str


@dataclass
class Tally:
    """What happened on the way: nothing is passed over in silence."""

    kernels: int = 0
    samples: int = 0
    undefined: int = 0
    cut: int = 0
    unknown: int = 0  # kernels with an unknown of the reader
    accesses: int = 0
    tight: int = 0
    loose: dict[str, int] = field(default_factory=dict)
    data: int = 0
    branches: int = 0
    never: int = 0


def analyse(text: str, block: tuple[int, int, int], values: Mapping[str, int]) -> tuple[KernelFacts, Events]:
    """The facts of the one kernel of the text."""
    settings = Settings(values=values, kernel_seconds=20.0)
    files = MemoryFiles({"k.cu": text.encode("latin-1")})
    kernel = lower(read("k.cu", files, settings), settings).kernels[0]
    if kernel.unknowns:
        raise NotRead(kernel.unknowns[0].reason)
    launch = Launch(block, (None, None, None), "option", None, ())
    events = interpret(kernel, launch, settings)
    return evaluate(kernel, launch, events).facts, events


class NotRead(Exception):
    """The reader did not understand the kernel."""


def examine(program: Program, tally: Tally | None = None, budget: int = 600) -> list[Violation]:
    """All broken promises about one kernel, with its parameters left open and with them given."""
    tally = tally if tally is not None else Tally()
    text, ranges = print_program(program)
    rng = random.Random(program.seed)
    samples = [sample(program, rng) for _ in range(SAMPLES)]
    outcome = Machine(program, ranges, samples, program.seed, budget).run()
    tally.kernels += 1
    tally.samples += SAMPLES
    tally.undefined += int((~outcome.usable).sum())
    tally.cut += int((outcome.usable & ~outcome.complete).sum())
    try:
        facts, events = analyse(text, program.block, {})
    except NotRead:
        tally.unknown += 1
        raise
    found = compare(text, facts, events, outcome, samples, range(SAMPLES), tally)
    usable = np.flatnonzero(outcome.usable)
    if len(usable):
        one = int(usable[rng.randrange(len(usable))])
        facts, events = analyse(text, program.block, samples[one].values)
        given = compare(text, facts, events, outcome, samples, [one])
        found += [replace(v, text=f"{v.text} (given {dict(samples[one].values)})") for v in given]
    return found


def compare(
    text: str,
    facts: KernelFacts,
    events: Events,
    outcome: Outcome,
    samples: list[Sample],
    which: list[int] | range,
    tally: Tally | None = None,
) -> list[Violation]:
    """Broken promises about the samples `which`."""
    mine = [s for s in which if outcome.usable[s] and not _wraps(facts, outcome, s) and not _hangs(facts, outcome, s)]
    if not mine:
        return []
    seen = _Seen(outcome, samples, mine, text)
    found = []
    for fact in facts.accesses:
        found += _access(fact, _widest(fact, events), seen, tally)
    for branch in facts.branches:
        found += _branch(branch, seen, tally, _is_masked(branch, events))
    found += _contained(seen, events)
    known = {(f.span.start, f.span.end, _via(f.via)) for f in (*facts.accesses, *facts.branches)}
    for key, requests in outcome.recorder.requests.items():
        if key[:3] not in known and seen.times(requests.times):
            found.append(Violation("missing", key[:2], f"`{text[key[0] : key[1]]}` {key[3]}"))
    for key, tests in outcome.recorder.tests.items():
        if key[:3] not in known and key[3] not in ("&&", "||", "?") and seen.times(tests.times):
            found.append(Violation("missing", key[:2], f"`{text[key[0] : key[1]]}` {key[3]}"))
    return found


def _wraps(facts: KernelFacts, outcome: Outcome, s: int) -> bool:
    """Whether the sample breaks an assumption of the form "the loop counter `k` does not wrap around"."""
    texts = " ".join(a.text for a in facts.assumptions if "does not wrap around" in a.text)
    return any(f"`{name}`" in texts or f": {name}`" in texts for name, on in outcome.wrapped.items() if on[s])


def _hangs(facts: KernelFacts, outcome: Outcome, s: int) -> bool:
    """Whether the sample was cut off, maybe in a loop that breaks the assumption that it ends."""
    return not outcome.complete[s] and any("loops end" in a.text for a in facts.assumptions)


@dataclass(frozen=True)
class _Seen:
    outcome: Outcome
    samples: list[Sample]
    mine: list[int]
    text: str

    def known(self, row: int) -> tuple[Known, int] | None:
        """The numbers that the row's block runs with, and the warp; None if the sample does not count."""
        sample, block, warp = self.outcome.place(row)
        if sample not in self.mine:
            return None
        s = self.samples[sample]
        numbers = dict(s.values)
        numbers |= {f"gridDim.{a}": g for a, g in zip("xyz", s.grid)}
        numbers |= {f"blockIdx.{a}": b for a, b in zip("xyz", s.blocks[block])}
        numbers |= {f"&{name}": int(bases[sample]) for name, bases in self.outcome.bases.items()}
        return Known(numbers), warp

    def request(self, thing: tuple[int, tuple[np.ndarray, ...]]) -> _Did | None:
        """A request that was kept, if its sample counts."""
        where = self.known(thing[0])
        addresses, lanes = thing[1]
        return None if where is None else _Did(*where, lanes, addresses[lanes].tolist())

    def times(self, per_row: np.ndarray) -> int:
        """Most executions of one warp, in the samples in question."""
        rows = np.isin(self.outcome.recorder.sample_of_row, self.mine)
        return int(per_row[rows].max(initial=0))

    def too_often(self, per_row: np.ndarray, times: ex.Expression | None) -> str | None:
        """Why an expression for the executions of a warp is wrong, if it is."""
        if times is None:
            return None
        names = ex.symbols(times)
        for s in self.mine:
            env = {safe_name(name): v for name, v in self.samples[s].values.items()}
            env |= dict(self.samples[s].values)
            env |= {f"gridDim.{a}": g for a, g in zip("xyz", self.samples[s].grid)}
            rows = self.outcome.recorder.sample_of_row == s
            most = int(per_row[rows].max(initial=0))
            if not most or any(name.startswith("T@") for name in names):
                continue
            try:
                said = ex.evaluate(times, env)
            except ZeroDivisionError:
                continue  # a step of 0, which a listed assumption excludes
            if most > said:
                return f"{most} times, not {said} = {ex_text(times)} at {env}"
        return None


def ex_text(e: ex.Expression) -> str:
    from analysis_core.expressions.expression_text import to_text

    return to_text(e)


def _contained(seen: _Seen, events: Events) -> list[Violation]:
    """Requests and decisions that no event holds."""
    accesses, branches = defaultdict(list), defaultdict(list)
    for access in events.accesses:
        span, via = access.access.span, _via(access.access.via)
        accesses[span.start, span.end, via, access.kind.value].append(access)
    for branch in events.branches:
        branches[branch.span.start, branch.span.end, _via(branch.via), _kind_name(branch.kind)].append(branch)
    found = []
    for key, requests in seen.outcome.recorder.requests.items():
        if wrong := next(
            (w for w in map(seen.request, requests.kept.things) if w and not _any(w, accesses[key])), None
        ):
            found.append(Violation("value", key[:2], f"`{seen.text[key[0] : key[1]]}` {key[3]}: {wrong}"))
    for key, tests in seen.outcome.recorder.tests.items():
        if key not in branches:
            continue
        for thing in tests.kept.things:
            if (where := seen.known(thing[0])) and not _decided_so(where, thing[1][0], branches[key]):
                sides = [np.flatnonzero(side).tolist() for side in thing[1][0]]
                text = f"`{seen.text[key[0] : key[1]]}` {key[3]}: warp {where[1]} goes {sides} in {where[0].numbers}"
                found.append(Violation("truth", key[:2], text))
                break
    return found


@dataclass(frozen=True)
class _Did:
    """One warp's request."""

    known: Known
    warp: int
    lanes: np.ndarray
    addresses: list[int]

    def __str__(self) -> str:
        lanes = np.flatnonzero(self.lanes).tolist()
        return f"warp {self.warp}, lanes {lanes}, at {self.addresses} in {dict(self.known.numbers)}"


def _any(did: _Did, events: list[AccessEvent]) -> bool:
    for event in events:
        row = event.mask.may[32 * did.warp : 32 * did.warp + 32]
        if (did.lanes & ~row).any():
            continue
        if holds(event.address.poly, event.address.bits, did.warp, did.lanes, did.addresses, did.known):
            return True
    return False


def _decided_so(where: tuple[Known, int], sides: np.ndarray, events: list[BranchEvent]) -> bool:
    known, warp = where
    active = np.logical_or.reduce(sides)
    row = slice(32 * warp, 32 * warp + 32)
    for event in events:
        if (active & ~event.mask.may[row]).any():
            continue
        if event.iteration is not None and not sides[0].any():
            return True  # round k stands for the rounds that run: the test after the last one is no event
        said = [truth(condition, warp, known) for condition in event.conditions]
        if all(_allowed(s, side, active) for s, side in zip(said, sides)):
            return True
    return False


def _allowed(said: list[bool | None], side: np.ndarray, active: np.ndarray) -> bool:
    return all(s is None or s == bool(t) for s, t, on in zip(said, side, active) if on)


def _kind_name(kind: object) -> str:
    name = kind if isinstance(kind, str) else kind.value  # type: ignore[attr-defined]
    return {"and": "&&", "or": "||", "select": "?"}.get(name, name)


def _via(spans: tuple[object, ...]) -> tuple[Range, ...]:
    return tuple((s.start, s.end) for s in spans)  # type: ignore[attr-defined]


def _widest(fact: AccessFact, events: Events) -> int:
    """The most lanes of a warp that the analysis thinks can take part in one request."""
    ids = set(fact.ids)
    rows = [e.mask.may.reshape(-1, 32).sum(axis=1).max() for e in events.accesses if e.access.id in ids]
    return int(max(rows))


def _access(fact: AccessFact, widest: int, seen: _Seen, tally: Tally | None) -> list[Violation]:
    place = (fact.span.start, fact.span.end)
    name = f"`{seen.text[place[0] : place[1]]}`"
    kinds = {ReadWrite.BOTH: "RW", ReadWrite.ATOMIC: "A"}.get(fact.rw, fact.rw.value)
    records = [seen.outcome.recorder.requests.get((*place, _via(fact.via), kind)) for kind in kinds]
    present = [r for r in records if r is not None]
    if not present:
        return []
    found = []
    high = max(int(r.high[seen.mine].max()) for r in present)
    if high > fact.worst:
        found.append(Violation("worst", place, f"{name} costs {high}, not at most {fact.worst}"))
    most = max(int(np.flatnonzero((r.high[seen.mine] > 0).any(axis=0)).max(initial=0)) for r in present)
    if most > widest:
        found.append(Violation("lanes", place, f"{name} by {most} lanes, not at most {widest}"))
    low = min(int(r.low[seen.mine, widest].min()) for r in present)
    if low < fact.best:
        found.append(Violation("best", place, f"{name} costs {low} by {widest} lanes, not at least {fact.best}"))
    if fact.contention is not None and present[0].crowd[seen.mine].max() > fact.contention:
        found.append(Violation("crowd", place, f"{name}: {present[0].crowd[seen.mine].max()}, not {fact.contention}"))
    for r in present:
        wrong = seen.too_often(r.times, fact.times)
        if wrong:
            found.append(Violation("times", place, f"{name} {wrong}"))
    found += _cases(fact, seen, present, place, name)
    if tally is not None and high:
        _count(fact, high, tally)
    return found


def _cases(fact: AccessFact, seen: _Seen, present: list, place: Range, name: str) -> list[Violation]:
    found = []
    for case in fact.cases:
        for s in seen.mine:
            env = {safe_name(n): v for n, v in seen.samples[s].values.items()}
            high = max(int(r.high[s].max()) for r in present)
            if eval(case.when, {}, env) and high > case.cost:  # our own text, of parameters and numbers
                found.append(
                    Violation("case", place, f"{name} costs {high} where {case.when}, not {case.cost} ({env})")
                )
    return found


def _count(fact: AccessFact, high: int, tally: Tally) -> None:
    if fact.why.data_dependent:
        tally.data += 1
        return
    tally.accesses += 1
    if high == fact.worst:
        tally.tight += 1
    else:
        reason = fact.why.cause.reason if fact.why.cause is not None else "no cause"
        reason = reason if "`" not in reason else reason.split("`")[0] + "`x`" + reason.split("`")[-1]
        tally.loose[reason] = tally.loose.get(reason, 0) + 1


def _is_masked(fact: BranchFact, events: Events) -> bool:
    """Whether an edge may cut lanes off before they get there: "always" speaks of warps that are all there."""
    return any(e.mask.literals for e in events.branches if e.span == fact.span and e.via == fact.via)


def _branch(fact: BranchFact, seen: _Seen, tally: Tally | None, masked: bool) -> list[Violation]:
    place = (fact.span.start, fact.span.end)
    kind = _kind_name(fact.kind)
    tests = seen.outcome.recorder.tests.get((*place, _via(fact.via), kind))
    if tests is None or not seen.times(tests.times):
        return []
    found = []
    name = f"`{seen.text[place[0] : place[1]]}` ({kind})"
    splits = seen.times(tests.splits)
    if tally is not None:
        tally.branches += 1
        tally.never += fact.divergence is Divergence.NEVER
    if splits and fact.divergence is Divergence.NEVER:
        found.append(Violation("never", place, f"{name} splits"))
    if splits and fact.divergence is not Divergence.NEVER:
        least, most = int(tests.least[seen.mine].min()), int(tests.most[seen.mine].max())
        if least < fact.splits.active[0] or most > fact.splits.active[1]:
            found.append(
                Violation("active", place, f"{name}: sides of {least} to {most} lanes, not {fact.splits.active}")
            )
    if fact.divergence is Divergence.ALWAYS and not masked:
        for s in seen.mine:
            rows = seen.outcome.recorder.sample_of_row == s
            if seen.outcome.complete[s] and tests.times[rows].any() and not tests.splits[rows].any():
                found.append(Violation("always", place, f"{name} splits in no warp of a run"))
                break
    if fact.leaving.spread is not None and int(tests.apart[seen.mine].max()) > fact.leaving.spread:
        found.append(
            Violation("spread", place, f"{name}: {tests.apart[seen.mine].max()} splits, not {fact.leaving.spread}")
        )
    wrong = seen.too_often(tests.times, fact.times)
    if wrong:
        found.append(Violation("times", place, f"{name} {wrong}"))
    return found
