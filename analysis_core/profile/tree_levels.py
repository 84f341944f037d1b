"""The levels of a tree, of a loop that is summarised: in each round half as many threads run, twice as far apart, or the other way round.

    for (k = 0; k < levels; k++) { step <<= 1; if (t < busy) .. row[step * t + step - 1] ..; busy >>= 1; }

The summary's dearest request is one of all lanes at the greatest step, which no round makes: for findings an execution stands for one
in each round, with its own threads and its own step.  Nothing may say what `busy` begins with, or how far apart the first threads are on the
way down.  Then as many are busy at most as the block has threads whose elements lie in the array, of more of which threads would have to do
two at once; and they are side by side when all are.  What is derived from the step is known with it, at the sizes that launches pass
(`(step * t + step) & (n - 1)`).  Bounds are those of any lanes at any step.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import below_zero
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.mask import Literal, Mask
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.shape import IntVector, some
from analysis_core.domains.symbol import Symbol
from analysis_core.expressions import expression as ex
from analysis_core.expressions.expression import Expression
from analysis_core.interp.core.events import AccessEvent, Events
from analysis_core.interp.core.trace import Looped, walk
from analysis_core.interp.loops.power_trips import quotient_of
from analysis_core.text.records import dataclass
from analysis_core.traffic.derived_sizes import InRounds, parameters_of
from analysis_core.traffic.seen_masks import mask_at

_MOST_EVENTS = 512
"""Executions that are made of those of one kernel."""

_LEAST_ROUNDS, _MOST_ROUNDS = 2, 32

Levels = Mapping[AccessEvent, Sequence[AccessEvent]]

_Shares = Mapping[Symbol, tuple[Symbol, int]]
"""Of symbols that are floor(s / n), s and n."""


@dataclass(frozen=True, slots=True)
class _Tree:
    """`power`: the symbol of b^k, `decay`: that of floor(v / b^k), of which one says how far apart threads are, and the other is what the
    numbers of those that run are below: `busy` times that, and `threads` the numbers, with what is taken off that.  `places`: the bytes that
    threads are apart at a step of 1, where the address says that."""

    loop: Looped
    power: Symbol
    decay: Symbol
    busy: int
    threads: IntVector
    places: IntVector | None

    @property
    def base(self) -> int:
        return self.loop.movers.powers[self.power]


def sizes_of_levels(
    group: Iterable[AccessEvent], levels: Levels, events: Events, seen: Mapping[Symbol, Poly]
) -> Iterator[str]:
    """The parameters that the places of these executions rest on, in rounds of a tree, without those for which all
    launches pass one value."""
    for event in group:
        if event in levels:
            own = (s for s in event.address.poly.symbols() if s in events.derivations and s not in seen)
            yield from (p.name for p in sorted(parameters_of(own, seen, events)))


def tree_levels(events: Events, dear: Sequence[AccessEvent], seen: Mapping[Symbol, Poly]) -> Levels:
    """For each round of a tree, in which half as many threads run twice as far apart, the executions as they are in
    it. `seen`: what parameters are at every launch in view, and what follows from that."""
    if not any(event.mask.literals for event in dear):
        return {}
    nodes = (node for node in walk(events.trace) if isinstance(node, Looped))
    loops = [node for node in nodes if node.movers.decays and node.movers.powers]
    found: dict[AccessEvent, Sequence[AccessEvent]] = {}
    derived = InRounds(events, seen)
    _add(found, dear if loops else (), loops, derived)
    _add(found, events.accesses if found else (), loops, derived)
    return found


def _add(
    found: dict[AccessEvent, Sequence[AccessEvent]],
    accesses: Iterable[AccessEvent],
    loops: Sequence[Looped],
    derived: InRounds,
) -> None:
    left = _MOST_EVENTS - sum(map(len, found.values()))
    for event in accesses:
        if event in found or event.held is not None:
            continue
        rounds = _levels(event, loops, derived)
        if _LEAST_ROUNDS <= len(rounds) <= left:
            left -= len(rounds)
            found[event] = rounds


def _levels(event: AccessEvent, loops: Sequence[Looped], derived: InRounds) -> Sequence[AccessEvent]:
    shares = _shares(event.address.poly, derived.events.derivations)
    tree = next(_trees(event, loops, shares), None)
    times = None if tree is None else _entered(event.times, tree.loop.trips)
    if tree is None or times is None:
        return ()
    most = ex.constant(tree.loop.trips)
    found: list[AccessEvent] = []
    for power, decay in _rounds(event, tree, shares)[:most]:
        values = {tree.power: power, tree.decay: decay}
        values |= {s: decay // n for s, (whole, n) in shares.items() if whole is tree.decay}
        polys = {s: pl.constant(value) for s, value in values.items()}
        mask = _put(mask_at(event.mask, polys), polys)
        if not mask.is_dead:
            address = replace(event.address, poly=derived.put(event.address.poly, values))
            varied = max(0, event.varied - 1)
            cut = event.cut or varied < event.varied
            found.append(replace(event, address=address, mask=mask, times=times, varied=varied, cut=cut))
    return found


def _put(mask: Mask, values: Mapping[Symbol, Poly]) -> Mask:
    """The mask with what is still asked asked of these values: `step * t == n` of one thread at most, of whatever n."""
    return Mask(mask.may, tuple(_put_into(entry, values) for entry in mask.literals))


def _put_into(entry: Literal, values: Mapping[Symbol, Poly]) -> Literal:
    atom = entry.formula.atom
    if atom is None or atom.poly is None or atom.poly.symbols().isdisjoint(values):
        return entry
    poly = pl.substitute(atom.poly, values)
    asked = replace(atom, key=(atom.relation, poly.key()), poly=poly, mirror=None)
    formula = replace(entry.formula, atom=asked)
    return Literal(formula.key, formula, entry.scope)


def _shares(poly: Poly, derivations: Mapping[Symbol, Derivation]) -> _Shares:
    found: dict[Symbol, tuple[Symbol, int]] = {}
    for symbol in poly.symbols():
        quotient = quotient_of(pl.of_symbol(symbol), derivations)
        if quotient is not None:
            for monomial, coefficient in quotient[0].terms.items():
                if len(quotient[0].terms) == 1 and len(monomial) == 1 and coefficient == 1:
                    found[symbol] = (monomial[0], quotient[1])
    return found


def _trees(event: AccessEvent, loops: Sequence[Looped], shares: _Shares) -> Iterator[_Tree]:
    """The trees that the guard of the execution follows, those first that its address follows, too."""
    steps = {shares.get(m[0], (m[0], 1))[0]: c for m, c in event.address.poly.terms.items() if len(m) == 1}
    found: list[_Tree] = []
    for loop in loops:
        pairs = product(loop.movers.powers.items(), loop.movers.decays.items())
        for (power, base), (decay, (_, divisor)) in pairs:
            for apart, busy in ((power, decay), (decay, power)):
                below = _below(event.mask, busy) if base == divisor else None
                places = steps.get(apart, 0)
                if below is not None:
                    found.append(_Tree(loop, power, decay, *below, None if isinstance(places, int) else places))
    yield from sorted(found, key=lambda tree: tree.places is None)


def _below(mask: Mask, busy: Symbol) -> tuple[int, IntVector] | None:
    """n and the numbers of threads that have to be below n times `busy` to run."""
    for entry in mask.literals:
        negative = below_zero(entry.formula)
        if negative is None or negative.terms.keys() != {(), (busy,)}:
            continue
        times = negative.terms[(busy,)]
        if isinstance(times, int) and times < 0:
            return -times, pl.coefficient_vector(negative.constant, len(mask.may))
    return None


def _rounds(event: AccessEvent, tree: _Tree, shares: _Shares) -> Sequence[tuple[int, int]]:
    """What the two symbols are in each round."""
    start: Poly = tree.loop.movers.decays[tree.decay][0]
    first = start.constant if start.is_constant else None
    widest = _widest(event, tree)
    if _runs_below(event.mask, tree.decay):
        busy = first if isinstance(first, int) else int(min(widest, pl.total_bounds(start)[1]))
        rounds = next(k for k in range(_MOST_ROUNDS + 1) if k == _MOST_ROUNDS or not busy // tree.base**k)
        return [(tree.base**k, busy // tree.base**k) for k in range(rounds)]
    rounds = next(
        k for k in range(1, _MOST_ROUNDS + 1) if k == _MOST_ROUNDS or tree.busy * tree.base ** (k - 1) >= widest
    )
    least = max((n for whole, n in shares.values() if whole is tree.decay), default=1)
    high = first if isinstance(first, int) else least * tree.base ** (rounds - 1)
    return [(tree.base**k, high // tree.base**k) for k in range(rounds)]


def _runs_below(mask: Mask, symbol: Symbol) -> bool:
    return _below(mask, symbol) is not None


def _widest(event: AccessEvent, tree: _Tree) -> int:
    """How many threads are busy at most: as many as have elements in the array where they are side by side."""
    inside = event.mask.may & (tree.threads >= 0)
    if event.extent is not None and tree.places is not None:
        inside = inside & (tree.places - tree.places[event.mask.may].min() < event.extent)
    return int(tree.threads[inside].max()) + 1 if some(inside) else 0


def _entered(times: Expression, rounds: Expression) -> Expression | None:
    """How often the loop is entered that so many executions are the rounds of; None where that does not come out."""
    if rounds == ex.ZERO:
        return None
    entries = ex.floor_div(times, rounds)
    return entries if ex.multiply(entries, rounds) == times else None
