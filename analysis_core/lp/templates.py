"""Which base functions a potential may use at each point.

At a loop head: what its guards leave to go, max(0, e) or ceil(max(0, e) / d) by how a round changes e, logarithms where a round
multiplies or divides, and guards of branches that its rounds change.  A point inside of a loop also has its surroundings'
functions, since the rounds still to come are paid from there; a point before a loop has what the loop's functions are worth
on the way to it.  Products are formed up to a degree.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement, islice

from analysis_core.bounds.program import Affine, plus, put, times
from analysis_core.lp.entailment import Facts
from analysis_core.lp.invariants import Invariants, least_value
from analysis_core.lp.polynomials import Atom, Ceil, Log, Max, Monomial, atom_names, image, name_of
from analysis_core.lp.transitions import Point, System, Transition
from analysis_core.text.records import dataclass

_ATOMS = 10
_PASSES = 6
_BRANCHES = 3

ONE = Affine(1)


@dataclass(frozen=True, slots=True)
class Templates:
    """`monomials`: per point, those with a coefficient to be found.  `atoms`: what the factors between braces mean."""

    monomials: tuple[tuple[Monomial, ...], ...]
    atoms: dict[str, Atom]


def build_templates(system: System, invariants: Invariants, highest: int) -> Templates:
    """Templates with products of up to `highest` factors."""
    seeds = [tuple(_seeds(system, p)) for p in system.points]
    at: list[dict[str, Atom]] = [{} for _ in system.points]
    for p in system.points:
        for loop in p.loops:
            for atom in seeds[loop]:
                _insert(at[p.index], atom, system, invariants, p.index)
    for _ in range(_PASSES):
        if not _spread(system, invariants, at):
            break
    atoms = {name: atom for own in at for name, atom in own.items()}
    live = _variables(system, at)
    monomials = tuple(_monomials(system, live[p.index], at[p.index], highest) for p in system.points)
    return Templates(monomials, atoms)


def loop_depth(system: System) -> int:
    return max((sum(system.points[i].is_loop for i in p.loops) for p in system.points), default=0)


# --- seeds --------------------------------------------------------------------------------------------------------


def _seeds(system: System, point: Point) -> Iterator[Atom]:
    """The functions that a loop's own guards and branches suggest."""
    if not point.is_loop:
        return
    inside = set(system.inside(point.index))
    rounds = [t for t in system.transitions if t.source in inside and t.target in inside]
    own = [plus(g, ONE) for g in point.guard]
    for e in own:
        yield from _functions_of(system, e, rounds)
    for i, e in enumerate(own):
        for other in own[i + 1 :]:
            yield Max(plus(e, times(-1, other)))
    branches = {plus(f, ONE): None for t in rounds for f in t.facts if not any(n.startswith("?") for n, _ in f.terms)}
    loops_own = {plus(g, ONE) for p in system.points if p.index in inside for g in p.guard}
    loops_own |= {times(-1, plus(g, ONE)) for g in loops_own}
    useful = (e for e in branches if e not in own and e not in loops_own and _moves_steadily(e, rounds))
    for e in islice(useful, _BRANCHES):
        yield Max(e)


def _moves_steadily(e: Affine, rounds: list[Transition]) -> bool:
    """Whether every step changes it by a constant, and some step does."""
    moves = False
    for t in rounds:
        if any(name in t.update for name, _ in e.terms):
            change = plus(put(e, t.update), times(-1, e))
            if change.terms:
                return False
            moves = moves or change.constant != 0
    return moves


def _functions_of(system: System, e: Affine, rounds: list[Transition]) -> Iterator[Atom]:
    """By how rounds change what is left, `e`."""
    steps: set[int] = set()
    plain = False
    for t in rounds:
        change = plus(e, times(-1, put(e, t.update)))
        if not change.terms:
            if change.constant > 0:
                steps.add(change.constant)
            plain = plain or change.constant < 0
        elif (divisor := _symbolic_step(system, change)) is not None:
            yield Ceil(e, divisor)
        elif (log := _logarithm(e, t)) is not None:
            yield log
        else:
            plain = True
            most = least_value(times(-1, change), t, system)
            if most is not None and -most >= 2:
                steps.add(-most)
    if plain or len(steps) > 1 or 1 in steps:
        yield Max(e)
    for step in sorted(steps):
        if step >= 2:
            yield Ceil(e, Affine(step))


def _symbolic_step(system: System, change: Affine) -> Affine | None:
    """A step that is a positive expression of parameters."""
    if any(n not in system.names for n, _ in change.terms):
        return None
    return change if Facts(system.known).implies(plus(change, Affine(-1))) else None


def _logarithm(e: Affine, t: Transition) -> Log | None:
    """For `x *= c` under x <= bound, and for `x /= c` under x >= bound: e is the guard's expression plus 1."""
    guard = plus(e, Affine(-1))
    for name, c in guard.terms:
        value = t.update.get(name)
        if value is None:
            continue
        rest = Affine(guard.constant, tuple(term for term in guard.terms if term[0] != name))
        if c == -1 and len(value.terms) == 1 and value.terms[0][0] == name and value.terms[0][1] >= 2:
            return Log(value.terms[0][1], rest, Affine(0, ((name, 1),)))
        if c == 1 and value.terms and value.terms[0][0].startswith("?") and not rest.terms and rest.constant < 0:
            choice = value.terms[0][0]
            for fact in t.facts:
                terms = dict(fact.terms)
                if terms.keys() == {name, choice} and terms[name] == 1 and terms[choice] <= -2:
                    return Log(-terms[choice], Affine(0, ((name, 1),)), Affine(-rest.constant))
    return None


# --- spreading ----------------------------------------------------------------------------------------------------


def _insert(own: dict[str, Atom], atom: Atom, system: System, invariants: Invariants, point: int) -> bool:
    """Adds a function to a point's, unless it is affine there; whether it is new."""
    if len(own) >= _ATOMS or name_of(atom) in own:
        return False
    e = atom.e
    if not e.terms and not isinstance(atom, Log):
        return False
    facts = Facts((*system.known, *invariants.at[point]))
    if isinstance(atom, Max) and facts.implies(e):
        return False
    if facts.implies(times(-1, e)):
        return False
    own[name_of(atom)] = atom
    return True


def _spread(system: System, invariants: Invariants, at: list[dict[str, Atom]]) -> bool:
    """Brings functions from a point to those that lead to it and lie outside of its loop; whether anything is new."""
    new = False
    for t in system.transitions:
        if t.target is None or t.source == t.target:
            continue
        back = t.target in system.points[t.source].loops
        for atom in list(at[t.target].values()):
            # Rounds to come are worth the same at a loop's head and inside of it only if nothing in them changes.
            if back and not atom_names(atom) <= system.names:
                continue
            moved = image(atom, t.update)
            for version in _without_choices(moved, t):
                if t.source == 0 and not atom_names(version) <= system.names:
                    continue
                new |= _insert(at[t.source], version, system, invariants, t.source)
    return new


def _without_choices(atom: Atom, t: Transition) -> Iterator[Atom]:
    """The function with its choices at either end."""
    if not any(n.startswith("?") for n in atom_names(atom)):
        yield atom
        return
    for sign in (1, -1):
        values: dict[str, Affine] = {}
        for choice in t.choices:
            for fact in t.facts:
                terms = dict(fact.terms)
                if terms.get(choice) == sign and not any(n.startswith("?") for n in terms.keys() - {choice}):
                    rest = Affine(fact.constant, tuple(x for x in fact.terms if x[0] != choice))
                    values.setdefault(choice, times(-sign, rest))
        version = image(atom, values)
        if not any(n.startswith("?") for n in atom_names(version)):
            yield version


# --- monomials ----------------------------------------------------------------------------------------------------


def _variables(system: System, at: list[dict[str, Atom]]) -> list[set[str]]:
    """Per point the variables whose values still matter there (live), none at the entry."""
    live: list[set[str]] = [set() for _ in system.points]
    changed = True
    while changed:
        changed = False
        for t in system.transitions:
            reads = {n for f in t.facts for n, _ in f.terms}
            if t.target is not None:
                for name in live[t.target]:
                    reads |= {n for n, _ in t.update[name].terms} if name in t.update else {name}
            reads = {n for n in reads if not n.startswith("?") and n not in system.names}
            if not reads <= live[t.source]:
                live[t.source] |= reads
                changed = True
    live[0] = set()
    return live


def _monomials(system: System, live: set[str], own: dict[str, Atom], highest: int) -> tuple[Monomial, ...]:
    """All products of up to `highest` base functions."""
    used = {n for t in system.transitions for f in t.facts for n, _ in f.terms}
    used |= {n for t in system.transitions for a in t.update.values() for n, _ in a.terms}
    parameters = sorted(system.names & used)
    guarding = {n for p in system.points for g in p.guard for n, _ in g.terms}
    result: list[Monomial] = [(), *((name,) for name in (*parameters, *sorted(live), *own))]
    bases = [*parameters, *sorted(live & guarding), *own]
    for k in range(2, highest + 1):
        result.extend(tuple(sorted(combination)) for combination in combinations_with_replacement(bases, k))
    return tuple(result)
