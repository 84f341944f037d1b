"""Affine facts that hold whenever a point is reached, with a proof per transition that leads there.

Candidates are guessed (what holds when a loop is entered; ends that its guard respects up to one step; counters that move
in lock step) and struck out until each that is left follows, along every transition, from those at its source: an
inductive set, so all of them hold (Houdini; Flanagan and Leino, FME 2001).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from analysis_core.bounds.program import Affine, plus, put, times
from analysis_core.lp.entailment import Facts, Proof, tightened
from analysis_core.lp.transitions import Point, System, Transition
from analysis_core.support.fuel import Fuel
from analysis_core.text.records import dataclass

_CANDIDATES = 24
_OF_A_LOOP = 4
_MOST_CANDIDATES = 32
"""Candidates at a point: in a deep nest some for each of its loops, where its counter starts and how far it goes.  Nests of more
than eight rectangular loops have closed forms too, but proofs of 3^n products."""


_QUESTIONS = 16
"""Pairs of a candidate and a fact in a unit of work."""

TOO_MANY = "its loops are too many"


@dataclass(frozen=True, slots=True)
class Invariants:
    """`at`: facts per point.  `proofs`: per transition (by its index) one proof for each fact at its target, from
    the parameters' facts, the facts at its source, and the transition's own, in this order."""

    at: tuple[tuple[Affine, ...], ...]
    proofs: tuple[tuple[Proof, ...], ...]


def find_invariants(system: System, fuel: Fuel) -> Invariants:
    """Raises `OutOfFuel`."""
    incoming: list[list[Transition]] = [[] for _ in system.points]
    for t in system.transitions:
        if t.target is not None:
            incoming[t.target].append(t)
    at: list[tuple[Affine, ...]] = [() for _ in system.points]
    for point in _in_order(system):
        at[point.index] = tuple(_candidates(system, point, incoming, at))
    _strike_out(system, at, incoming, fuel)
    at = [_needed(system, facts) for facts in at]
    return _proved(system, at)


def premises(system: System, at: tuple[tuple[Affine, ...], ...], t: Transition) -> tuple[Affine, ...]:
    """All that is known when a transition is taken, in the order that proofs count by."""
    return (*system.known, *at[t.source], *t.facts)


def _in_order(system: System) -> Iterator[Point]:
    """Points so that one is met after those that lead to it from outside of its loop."""
    met = {0}
    todo = [0]
    by_source: dict[int, list[int]] = {}
    for t in system.transitions:
        if t.target is not None:
            by_source.setdefault(t.source, []).append(t.target)
    while todo:
        for target in by_source.get(todo.pop(0), ()):
            if target not in met:
                met.add(target)
                todo.append(target)
                yield system.points[target]


def _candidates(
    system: System, point: Point, incoming: list[list[Transition]], at: list[tuple[Affine, ...]]
) -> Iterable[Affine]:
    """Guesses for one point, without order or repetition."""
    inside = set(system.inside(point.index)) if point.is_loop else set()
    found: dict[Affine, None] = {}
    for t in incoming[point.index]:
        if t.source in inside:
            continue
        images = list(image_facts((*at[t.source], *t.facts), t.update))
        for fact in images:
            found[fact] = None
        if point.is_loop:
            for fact in _lock_steps(system, images, inside):
                found[fact] = None
    if point.is_loop:
        for guard in point.guard:
            drop = _greatest_drop(system, guard, inside)
            if drop is not None:
                found[plus(guard, Affine(drop))] = None
    loops = sum(p.is_loop for p in system.points)
    return list(found)[: min(_MOST_CANDIDATES, max(_CANDIDATES, _OF_A_LOOP * loops))]


def image_facts(facts: Iterable[Affine], update: dict[str, Affine]) -> Iterator[Affine]:
    """What `facts` say after an assignment, in terms of the new values; what speaks of lost values is dropped."""
    back: dict[str, Affine] = {}
    for var, value in update.items():
        shift = value.terms == ((var, 1),)
        if shift:
            back[var] = Affine(-value.constant, ((var, 1),))
        elif len(value.terms) == 1 and value.terms[0][0].startswith("?") and value.terms[0][1] == 1:
            back.setdefault(value.terms[0][0], Affine(-value.constant, ((var, 1),)))
    lost = {v for v in update if v not in back}

    def dead(fact: Affine) -> bool:
        return any(n in lost or (n.startswith("?") and n not in back) for n, _ in fact.terms)

    for fact in facts:
        if not dead(fact) and (moved := put(fact, back)).terms:
            yield tightened(moved)
    for var, value in update.items():
        if var not in back and not dead(value):
            difference = plus(Affine(0, ((var, 1),)), times(-1, put(value, back)))
            yield difference
            yield times(-1, difference)


def _greatest_drop(system: System, guard: Affine, inside: set[int]) -> int | None:
    """The most that a round's steps take from a guard each, where that is a constant."""
    worst = 0
    for t in system.transitions:
        if t.source in inside and t.target in inside:
            change = plus(put(guard, t.update), times(-1, guard))
            least = least_value(change, t, system)
            if least is None:
                return None
            worst = min(worst, least)
    return -worst


def least_value(e: Affine, t: Transition, system: System) -> int | None:
    """A constant that `e` never falls below on a transition, as far as facts give one by cancelling names in turn."""
    facts = [f for f in (*t.facts, *system.known) if f.terms]
    best: int | None = None
    todo = [(e, 3)]
    while todo:
        rest, depth = todo.pop()
        if not rest.terms:
            best = rest.constant if best is None else max(best, rest.constant)
        elif depth:
            # Choices first: what they are chosen between speaks of other names.
            name, c = min(rest.terms, key=lambda term: (not term[0].startswith("?"), term[0]))
            for f in facts:
                k = dict(f.terms).get(name, 0)
                if k * c > 0 and c % k == 0:
                    todo.append((plus(rest, times(-(c // k), f)), depth - 1))
    return best


def _lock_steps(system: System, entered: list[Affine], inside: set[int]) -> Iterator[Affine]:
    """Differences of counters that every step moves alike, from the equalities that hold on entry."""
    equal = [f for f in entered if times(-1, f) in entered]
    starts = {n: (f, c) for f in equal for n, c in f.terms if n not in system.names and abs(c) == 1}
    steps: dict[str, set[int | None]] = {n: set() for n in starts}
    moves: dict[str, list[int]] = {n: [] for n in starts}
    for t in system.transitions:
        if t.source in inside and t.target in inside:
            for n in starts:
                value = t.update.get(n, Affine(0, ((n, 1),)))
                constant = value.terms == ((n, 1),)
                steps[n].add(value.constant if constant else None)
                moves[n].append(value.constant if constant else 0)
    names = sorted(n for n in starts if None not in steps[n] and any(moves[n]))
    for i, x in enumerate(names):
        for y in names[i + 1 :]:
            pairs = list(zip(moves[x], moves[y]))
            a, b = next(p for p in pairs if p[0])
            if b and all(b * p == a * q for p, q in pairs):
                fx, fy = times(starts[x][1], starts[x][0]), times(starts[y][1], starts[y][0])
                relation = tightened(plus(times(b, fx), times(-a, fy)))
                if relation.terms:
                    yield relation
                    yield times(-1, relation)


def _strike_out(system: System, at: list[tuple[Affine, ...]], incoming: list[list[Transition]], fuel: Fuel) -> None:
    """Drops candidates until each one left follows along every transition to its point."""
    todo = [p.index for p in system.points if at[p.index]]
    outgoing: dict[int, set[int]] = {}
    for t in system.transitions:
        if t.target is not None:
            outgoing.setdefault(t.source, set()).add(t.target)
    while todo:
        index = todo.pop(0)
        kept = list(at[index])
        for t in incoming[index]:
            facts = Facts((*system.known, *at[t.source], *t.facts))
            fuel.spend_spare(len(kept) * len(facts.items) // _QUESTIONS, TOO_MANY)
            kept = [fact for fact in kept if facts.implies(put(fact, t.update))]
        if len(kept) < len(at[index]):
            at[index] = tuple(kept)
            for target in sorted(outgoing.get(index, set()) | {index}):
                if at[target] and target not in todo:
                    todo.append(target)


def _needed(system: System, facts: tuple[Affine, ...]) -> tuple[Affine, ...]:
    """Without what follows from the rest; the longest go first."""
    kept = list(facts)
    for fact in sorted(facts, key=lambda f: (-len(f.terms), f.constant), reverse=False):
        rest = [f for f in kept if f != fact]
        if Facts((*system.known, *rest)).implies(fact):
            kept = rest
    return tuple(kept)


def _proved(system: System, at: list[tuple[Affine, ...]]) -> Invariants:
    """The proofs; a fact that lost its proof with what was dropped goes too, and those that rest on it."""
    facts_at = tuple(at)
    while True:
        proofs: list[tuple[Proof, ...]] = []
        failed: set[tuple[int, Affine]] = set()
        for t in system.transitions:
            own: list[Proof] = []
            if t.target is not None and facts_at[t.target]:
                facts = Facts(premises(system, facts_at, t))
                for fact in facts_at[t.target]:
                    proof = facts.proof(put(fact, t.update))
                    if proof is None:
                        failed.add((t.target, fact))
                    else:
                        own.append(proof)
            proofs.append(tuple(own))
        if not failed:
            return Invariants(facts_at, tuple(proofs))
        facts_at = tuple(tuple(f for f in facts if (index, f) not in failed) for index, facts in enumerate(facts_at))
