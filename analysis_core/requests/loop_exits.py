"""At how many different rounds the lanes of a warp leave a loop.  (By how many rounds they do: rounds_apart.py.)

A warp splits at a loop's test whenever some of its lanes leave and others stay, so in one execution of the loop it splits
as often as its lanes have distinct exit times, less one.  Each such split takes a lane away for good, hence never more
than one less than the lanes, and never more than the rounds.

Exact rounds are counted one by one.  For a summarised test  c + k*B + .. < 0  with lane constants c the exit times of a
warp lie within ceil(spread of c / least B) rounds: a strided loop whose stride is at least the
spread splits once at most.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf

import numpy as np

from analysis_core.domains import polynomial as pl
from analysis_core.domains.alike_lanes import alike_lanes
from analysis_core.domains.condition import Atom, Condition, Relation
from analysis_core.domains.polynomial import Monomial, Poly
from analysis_core.domains.shape import WARP, BoolVector, FloatVector, IntVector, distinct_numbers, every, some
from analysis_core.domains.symbol import Level, Symbol
from analysis_core.interp.core.events import BranchEvent
from analysis_core.requests.block_cuts import ordered
from analysis_core.requests.lane_groups import lane_numbers


def exit_spread(events: Iterable[BranchEvent]) -> int | None:
    """For the tests of one loop: the most splits of one warp in one execution, i.e. at how many different rounds its lanes
    leave, less one (0: together).  None if nothing but the number of lanes bounds it.

    An execution may begin with exact rounds and go on summarised, so both are added."""
    counts: dict[int, IntVector] = {}
    summarised = 0.0
    for event in events:
        if event.iteration is not None:
            summarised = max(summarised, float(summarised_spread(event).max(initial=0.0)))
            continue
        splits = divided_warps(event.conditions[0], event.mask.may).astype(np.int64)
        seen = counts.get(event.execution)
        counts[event.execution] = splits if seen is None else seen + splits
    if summarised == inf:
        return None
    return int(summarised) + max((int(c.max()) for c in counts.values()), default=0)


def is_strided(events: Iterable[BranchEvent]) -> bool:
    """Whether the lanes of a warp stand next to each other before an end that they share, and all move on by one step:
    `for (i = tid; i < *count; i += stride)`.  What bounds how far apart they leave is a step of at least as much, which such loops
    are written for, and an end that stays.  Some may have made such a step before.  Unsigned counters are taken not to wrap around."""
    rounds = [event for event in events if event.iteration is not None]
    return bool(rounds) and all(_moves_together(event) for event in rounds)


def _moves_together(event: BranchEvent) -> bool:
    found = False
    pending = [(event.exits or event.conditions[0], event.mask.may)]
    while pending:
        condition, may = pending.pop()
        lanes = may & condition.undecided
        pending.extend((part, lanes) for part in condition.parts)
        atom = condition.atom
        if condition.parts or not some(lanes) or (atom is not None and atom.level is not Level.LANE):
            continue
        poly = None if atom is None else ordered(atom)
        if atom is None or poly is None or (atom.poly is None and _changes(poly, event.iteration)):
            return False
        step = _step(poly, event.iteration)
        spread = int(warp_spread(pl.coefficient_vector(poly.constant, len(lanes)), lanes).max(initial=0))
        if step is None or spread > step:
            return False
        found = True
    return found


def _changes(poly: Poly, k: Symbol | None) -> bool:
    """Whether something in it belongs to the round."""
    return k is not None and any(s.number > k.number for s in poly.symbols())


def _step(poly: Poly, k: Symbol | None) -> int | None:
    """How far lanes go in a round that differ in a constant only, and in whether they go one round ahead: of a step that is a size, as far
    as a warp of them."""
    total = None
    for monomial, coefficient in poly.terms.items():
        if not monomial:
            continue
        if not isinstance(coefficient, int):
            return None
        own = [s for s in monomial if s.level is Level.LANE]
        if own:
            ahead = tuple(sorted(k if s is own[0] else s for s in monomial)) if k is not None else ()
            if len(own) > 1 or not own[0].is_choice or abs(coefficient) != abs(_number(poly.terms.get(ahead, 0))):
                return None
            continue
        if k in monomial:
            total = (total or 0) + abs(coefficient) * (1 if monomial == (k,) else WARP - 1)
    return total


def _number(coefficient: pl.Coefficient) -> int:
    """The coefficient, 0 where lanes have different ones."""
    return coefficient if isinstance(coefficient, int) else 0


def divided_warps(condition: Condition, may: BoolVector) -> BoolVector:
    """The warps in which some lanes certainly meet the condition and others certainly do not."""
    true, false = ((v & may).reshape(-1, WARP).any(axis=1) for v in (condition.true, condition.false))
    return np.asarray(true & false)


def summarised_splits(event: BranchEvent) -> IntVector:
    """For a summarised test, per warp, the most splits in one execution of the loop."""
    lanes = np.maximum(event.mask.may.reshape(-1, WARP).sum(axis=1) - 1, 0)
    return np.asarray(np.minimum(summarised_spread(event), lanes), dtype=np.int64)


def summarised_spread(event: BranchEvent) -> FloatVector:
    """Per warp, the distinct exit times minus one: those of the lanes that wait for the formula, and one more for lanes
    that are decided to leave at once, or to stay for ever.  Infinite where nothing bounds them."""
    condition, may = event.exits or event.conditions[0], event.mask.may
    groups = [(v & may).reshape(-1, WARP).any(axis=1) for v in (condition.true, condition.false, condition.undecided)]
    kinds = np.maximum(np.sum(groups, axis=0) - 1, 0).astype(np.float64)
    lanes = may & condition.undecided
    waiting = _formula_spread(condition, event.iteration, lanes)
    return np.asarray(kinds + waiting, dtype=np.float64)


def _formula_spread(condition: Condition, k: Symbol | None, lanes: BoolVector) -> FloatVector:
    """Per warp, the distinct exit times among the lanes that wait for the formula, minus one.

    A lane leaves a conjunction with the first of its parts, a disjunction with the last: either way the times are among
    those of the parts, and the greatest (least) of all cannot be met where every lane waits for all parts."""
    rows = lanes.reshape(-1, WARP)
    if condition.parts:
        if condition.all_of and (within := _within_window(condition, k, lanes)) is not None:
            return np.where(rows.any(axis=1), float(within), 0.0)
        total = np.zeros(len(rows))
        for part in condition.parts:
            total += _formula_spread(part, k, lanes & part.undecided)
        return total + np.where(waits_together(condition, lanes), 0, len(condition.parts))
    atom = condition.atom
    nowhere = np.where(rows.any(axis=1), inf, 0.0)
    if atom is not None and atom.level is not Level.LANE and atom.poly is None:
        return np.zeros(len(rows))
    if atom is None or atom.poly is None:
        return nowhere if atom is None else np.minimum(nowhere, _spread_of_groups(atom, k, lanes)[0])
    uniform = uniform_in_warps(atom.poly, lanes)
    if every(uniform):
        return np.zeros(len(rows))
    spread = np.where(uniform, 0.0, atom_spread(atom.poly, k, lanes))
    return spread if every(np.isfinite(spread)) else np.minimum(spread, _spread_of_groups(atom, k, lanes)[0])


def exit_groups(events: Iterable[BranchEvent]) -> int:
    """For the tests of one loop: into how many groups memory parts the lanes of a warp at most, each of which leaves together, or nearly
    so; 0 where each lane may leave by itself, or not memory decides."""
    most = 0
    for event in events:
        pending = [] if event.iteration is None else [(event.exits or event.conditions[0], event.mask.may)]
        while pending:
            condition, may = pending.pop()
            lanes = may & condition.undecided
            pending.extend((part, lanes) for part in condition.parts)
            atom = condition.atom
            if atom is None or atom.level is not Level.LANE or not some(lanes):
                continue
            if atom.poly is not None and every(np.isfinite(atom_spread(atom.poly, event.iteration, lanes))):
                continue
            groups = _spread_of_groups(atom, event.iteration, lanes)[1]
            if groups == 0:
                return 0
            most = max(most, groups)
    return most


def _spread_of_groups(atom: Atom, k: Symbol | None, lanes: BoolVector) -> tuple[FloatVector, int]:
    """Per warp, the distinct exit times minus one where lanes of one value leave together: one for each group of them, or as many as its
    own constants lie rounds apart; and the most groups.  Infinite, and none, where lanes have values of their own."""
    rows = len(lanes) // WARP
    best, groups = np.full(rows, inf), 0
    numbers = lane_numbers(atom)
    if numbers is not None:
        counts = _counted(numbers, np.zeros_like(numbers), 1, lanes)
        best, groups = counts[0], counts[1]
    if atom.poly is None or k is None:
        return best, groups
    others = {m: c for m, c in atom.poly.terms.items() if m}
    own = {m: c for m, c in others.items() if any(s.level is Level.LANE for s in m) or not isinstance(c, int)}
    step = least_step(Poly({m: c for m, c in others.items() if m not in own}), k)
    numbers = alike_lanes(Poly(own))
    if step is None or numbers is None or any(s is k or s.number > k.number for m in own for s in m):
        return best, groups
    spread, found = _counted(numbers, pl.coefficient_vector(atom.poly.constant, len(lanes)), step, lanes)
    return np.minimum(best, spread), min(groups, found) if groups else found


def _counted(numbers: IntVector, constants: IntVector, step: int, lanes: BoolVector) -> tuple[FloatVector, int]:
    """Per warp, the exit times of groups of lanes whose constants are rounds of `step` apart, minus one; the most groups."""
    spread, most = np.zeros(len(lanes) // WARP), 0
    for warp in range(len(spread)):
        own = slice(warp * WARP, (warp + 1) * WARP)
        here, values = numbers[own][lanes[own]], constants[own][lanes[own]]
        groups = [values[here == number] for number in distinct_numbers(here)]
        times = sum(1 - (int(g.min()) - int(g.max())) // step for g in groups)
        spread[warp], most = max(0, times - 1), max(most, len(groups))
    return spread, most


def _within_window(condition: Condition, k: Symbol | None, lanes: BoolVector) -> int | None:
    """`k < chunk && chunk*t + k < n`: all lanes leave after `chunk` rounds, unless before; and the second part lets them
    leave `chunk` rounds one after the other, so that only one lane leaves strictly in between.  Distinct exit times less one:
    those at once, those in between, those at the end.

    With rounds below B, where B <= beta*m, and a part  s*k + c[t]*m + U < 0  whose constants c are g apart, the times
    lie g*m/s apart, and no more than ceil(beta*s/g) of them in an open interval as long as beta*m."""
    if k is None or any((part.undecided & lanes).any() and part.atom is None for part in condition.parts):
        return None
    opened = [part for part in condition.parts if (part.undecided & lanes).any()]
    polys = [p.atom.poly for p in opened if p.atom is not None and p.positive and p.atom.relation is Relation.NEGATIVE]
    known = [poly for poly in polys if poly is not None]
    if len(known) < len(opened):
        return None
    windows = [poly for poly in known if uniform_in_warps(poly, lanes).all()]
    between = 0
    for poly in known:
        if poly in windows:
            continue
        found = [n for window in windows if (n := _in_between(poly, window, k, lanes)) is not None]
        if not found:
            return None
        between += min(found)
    return 1 + between if windows and len(known) > len(windows) else None


def _in_between(poly: Poly, window: Poly, k: Symbol, lanes: BoolVector) -> int | None:
    """How many exit times of the test `poly < 0` lie strictly between the first round and the last that `window < 0` allows."""
    apart = [(m, c) for m, c in poly.terms.items() if not isinstance(c, int)]
    step, per_round = poly.terms.get((k,)), window.terms.get((k,))
    if len(apart) != 1 or not isinstance(step, int) or not isinstance(per_round, int) or min(step, per_round) < 1:
        return None
    monomial, constants = apart[0]
    others = {m for terms in (poly.terms, window.terms) for m in terms if m != (k,)}
    if not monomial or any(s is k or s.level is Level.LANE or s.number > k.number for m in others for s in m):
        return None
    length, rest = window.terms.get(monomial), window.terms.get((), 0)
    if window.terms.keys() - {(k,), monomial, ()} or not isinstance(length, int) or not isinstance(rest, int):
        return None
    values = constants.reshape(-1, WARP)
    gaps = [
        np.diff(distinct_numbers(row[own]))
        for row, own in zip(values, lanes.reshape(-1, WARP), strict=True)
        if own.any()
    ]
    gap = min((int(g.min()) for g in gaps if len(g)), default=0)
    if pl.monomial_range(monomial)[0] < 0 or length >= 0 or rest < 0 or gap < 1:
        return None
    return -(length * step // (per_round * gap))


def waits_together(condition: Condition, lanes: BoolVector) -> BoolVector:
    """For each warp, whether each part of the condition is undecided for all of the lanes or for none."""
    rows = lanes.reshape(-1, WARP)
    result = np.ones(len(rows), dtype=bool)
    for part in condition.parts:
        inside = part.undecided.reshape(-1, WARP) & rows
        result &= ~inside.any(axis=1) | (inside == rows).all(axis=1)
    return result


def uniform_in_warps(poly: Poly, lanes: BoolVector) -> BoolVector:
    """For each warp, whether its lanes (of `lanes`) have the same value."""
    rows = lanes.reshape(-1, WARP)
    result = np.ones(len(rows), dtype=bool)
    for monomial, coefficient in poly.terms.items():
        own = any(s.level is Level.LANE for s in monomial)
        if isinstance(coefficient, int):
            result &= ~rows.any(axis=1) | (not own)
            continue
        values = coefficient.reshape(-1, WARP)
        if own:
            result &= ~(rows & (values != 0)).any(axis=1)
            continue
        first = np.take_along_axis(values, rows.argmax(axis=1)[:, np.newaxis], axis=1)
        result &= ~(rows & (values != first)).any(axis=1)
    return result


def atom_spread(poly: Poly, k: Symbol | None, lanes: BoolVector) -> FloatVector:
    """Per warp, ceil(spread of the lane constants / least step per round), if nothing else in the test changes in the
    loop; else infinite."""
    step = steps_by_warp(poly, k, lanes)
    apart = np.ceil(warp_spread(pl.coefficient_vector(poly.constant, len(lanes)), lanes) / np.maximum(step, 1))
    return np.where(step > 0, apart, inf)


def steps_by_warp(poly: Poly, k: Symbol | None, lanes: BoolVector) -> IntVector:
    """Per warp, `least_step`; 0 where there is none.  A term that only differs from warp to warp (`warp > 0 ? cut[warp - 1] : 0`) is one
    value for the lanes of each."""
    none = np.zeros(len(lanes) // WARP, dtype=np.int64)
    if k is None:
        return none
    own = {
        m: c
        for m, c in poly.terms.items()
        if m and not isinstance(c, int) and not any(s is k or s.level is Level.LANE or s.number > k.number for s in m)
    }
    least = least_step(Poly({m: c for m, c in poly.terms.items() if m not in own}) if own else poly, k)
    if least is None:
        return none
    return np.where(uniform_in_warps(Poly(own), lanes), least, none) if own else none + least


def warp_spread(constants: IntVector, lanes: BoolVector) -> IntVector:
    """Per warp, the greatest distance between two of its lanes."""
    rows, values = lanes.reshape(-1, WARP), constants.reshape(-1, WARP)
    any_lane = rows.any(axis=1)
    high = np.where(rows, values, np.iinfo(np.int64).min).max(axis=1)
    low = np.where(rows, values, np.iinfo(np.int64).max).min(axis=1)
    return np.where(any_lane, np.where(any_lane, high, 0) - np.where(any_lane, low, 0), 0)


def least_step(poly: Poly, k: Symbol) -> int | None:
    """A lower bound (at least 1) of what a test moves per round; None if it does not surely move with the counter, or
    something else in it changes from round to round, or differs between lanes in more than a constant.

    A symbol younger than the counter belongs to the round."""
    total = 0
    signs = set()
    for monomial, coefficient in poly.terms.items():
        if not monomial:
            continue
        if not isinstance(coefficient, int) or any(s.level is Level.LANE or s.number > k.number for s in monomial):
            return None
        if k in monomial:
            rest = _without(monomial, k)
            low, _ = pl.monomial_range(rest) if rest else (1.0, 1.0)
            if low < 0 or k in rest:
                return None
            signs.add(coefficient > 0)
            total += abs(coefficient) * int(min(low, 1 << 40))
    return total if total >= 1 and len(signs) == 1 else None


def _without(monomial: Monomial, k: Symbol) -> Monomial:
    rest = list(monomial)
    rest.remove(k)
    return tuple(rest)
