"""Whether a warp can split at a branch: never, only at a boundary, possibly, or always (DESIGN.md section 6).

Per warp with active lanes, from the decided lanes and the formula of the others:

    NEVER      all lanes agree: decided alike, or waiting for one and the same warp-uniform formula
    BOUNDARY   the formula is `c < V` with lane constants c and one uniform V: a cut.  It goes through one warp at most, at
               one place: either V moves with blockIdx or a loop counter by more than the lanes' spread, or the warps of
               the block have disjoint ranges of c
    POSSIBLE   the formula may differ from lane to lane (data, or a cut that goes through many warps)
    ALWAYS     lanes that certainly run are decided both ways

The class of a branch is the worst over its executions and warps.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

import numpy as np

from analysis_core.cost.facts import Divergence
from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Atom, Condition, Relation
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.shape import WARP, BoolVector, IntVector
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.interp.events import BranchEvent

_ORDER = (Divergence.NEVER, Divergence.BOUNDARY, Divergence.POSSIBLE, Divergence.ALWAYS)


@dataclass(frozen=True, slots=True)
class Split:
    """`least` / `most` active threads on a side that runs in a split warp; 32, 32 where none splits."""

    divergence: Divergence
    least: int
    most: int


NO_SPLIT = Split(Divergence.NEVER, WARP, WARP)


def worse(a: Split, b: Split) -> Split:
    """Both together."""
    if a is NO_SPLIT or b is NO_SPLIT:
        return b if a is NO_SPLIT else a
    divergence = max(a.divergence, b.divergence, key=_ORDER.index)
    if a.divergence is Divergence.NEVER or b.divergence is Divergence.NEVER:
        return a if b.divergence is Divergence.NEVER else b
    return Split(divergence, min(a.least, b.least), max(a.most, b.most))


def classify(event: BranchEvent) -> Split:
    """The worst split of the event's conditions over the warps of the block."""
    result = NO_SPLIT
    must = event.mask.must
    for condition in event.conditions:
        result = worse(result, _classify_condition(condition, event.mask.may, must))
    return result


def _classify_condition(condition: Condition, may: BoolVector, must: BoolVector) -> Split:
    true, false = condition.true & may, condition.false & may
    open_lanes = may & condition.undecided
    result = NO_SPLIT
    kind: Divergence | None = None
    if condition.is_decided and not _splitting_warps(condition, may).any():
        return NO_SPLIT
    for t, f, u, m in zip(*(v.reshape(-1, WARP) for v in (true, false, open_lanes, must)), strict=True):
        if u.any():
            kind = kind or _formula_class(condition, open_lanes)
            result = worse(
                result, _open_split(kind, int(t.sum()), int(f.sum()), int(u.sum()), bool(m.sum() == (t | f | u).sum()))
            )
        elif t.any() and f.any():
            sure = bool((t & m).any() and (f & m).any())
            # Lanes that are not sure to run may be missing on either side.
            least = max(1, min(int((t & m).sum()), int((f & m).sum())))
            most = max(int(t.sum()), int(f.sum()))
            result = worse(result, Split(Divergence.ALWAYS if sure else Divergence.POSSIBLE, least, most))
    return result


def _open_split(kind: Divergence, true: int, false: int, undecided: int, sure: bool) -> Split:
    """A warp with undecided lanes beside decided ones; `sure`: all of them are there."""
    if kind is not Divergence.NEVER:
        return Split(kind, 1, max(1, true + false + undecided - 1))
    if not true and not false:
        return NO_SPLIT
    # The undecided lanes go together, to one side or the other.
    sides = [s for s in (true, false, true + undecided, false + undecided) if s]
    return Split(Divergence.POSSIBLE, min(sides) if sure else 1, max(sides))


def _formula_class(condition: Condition, lanes: BoolVector) -> Divergence:
    """How the lanes that wait for the formula can disagree within a warp."""
    if condition.parts:
        classes = [
            _formula_class(part, lanes & part.undecided) for part in condition.parts if (lanes & part.undecided).any()
        ]
        worst = max(classes, key=_ORDER.index, default=Divergence.NEVER)
        if worst is Divergence.NEVER and not _together(condition, lanes):
            return Divergence.POSSIBLE
        return worst
    atom = condition.atom
    if atom is None:
        return Divergence.POSSIBLE
    if atom.poly is None:
        return Divergence.POSSIBLE if atom.level is Level.LANE else Divergence.NEVER
    if _uniform_in_warps(atom.poly, lanes):
        return Divergence.NEVER
    return Divergence.BOUNDARY if _is_cut(atom, lanes) else Divergence.POSSIBLE


def _together(condition: Condition, lanes: BoolVector) -> bool:
    """Whether, in each warp, every part is open for all or for none of the lanes."""
    for part in condition.parts:
        for u, all_lanes in zip(part.undecided.reshape(-1, WARP), lanes.reshape(-1, WARP), strict=True):
            inside = u & all_lanes
            if inside.any() and (inside != all_lanes).any():
                return False
    return True


def _uniform_in_warps(poly: Poly, lanes: BoolVector) -> bool:
    """Whether the lanes of each warp among `lanes` see one value."""
    rows = lanes.reshape(-1, WARP)
    for monomial, coefficient in poly.terms.items():
        if any(s.level is Level.LANE for s in monomial):
            return False
        if isinstance(coefficient, int):
            continue
        for row, values in zip(rows, coefficient.reshape(-1, WARP), strict=True):
            if row.any() and (values[row] != values[row][0]).any():
                return False
    return True


def _is_cut(atom: Atom, lanes: BoolVector) -> bool:
    """Whether the atom compares lane constants with one uniform value, so that it cuts through few warps."""
    assert atom.poly is not None
    constant = atom.poly.terms.get((), 0)
    if isinstance(constant, int) or atom.relation is Relation.OPAQUE:
        return False
    for monomial, coefficient in atom.poly.terms.items():
        if monomial and (not isinstance(coefficient, int) or any(s.level is Level.LANE for s in monomial)):
            return False
        if any(s.kind is SymbolKind.DATA for s in monomial):
            return False
    return _moves_apart(atom.poly, _warp_spread(constant, lanes)) or _disjoint_warps(constant, lanes)


def _warp_spread(constant: IntVector, lanes: BoolVector) -> int:
    """The greatest distance between two lanes of one warp."""
    most = 0
    for row, values in zip(lanes.reshape(-1, WARP), constant.reshape(-1, WARP), strict=True):
        if row.any():
            most = max(most, int(values[row].max() - values[row].min()))
    return most


def _moves_apart(poly: Poly, spread: int) -> bool:
    """Whether the uniform part moves with blockIdx or a loop counter by more than the lanes' spread, so that the cut
    goes through a given warp at one block, or in one round, only."""
    for monomial, coefficient in poly.terms.items():
        moving = [s for s in monomial if _is_index(s)]
        if moving and isinstance(coefficient, int) and abs(coefficient) > spread:
            if all(s.low is not None and s.low >= 1 for s in monomial if s not in moving):
                return True
    return False


def _is_index(symbol: Symbol) -> bool:
    return symbol.kind is SymbolKind.ITERATION or symbol.name.startswith("blockIdx.")


def _disjoint_warps(constant: IntVector, lanes: BoolVector) -> bool:
    """Whether the ranges of the lane constants of different warps do not overlap: then a cut through the block goes
    through one warp at most."""
    ranges = []
    for row, values in zip(lanes.reshape(-1, WARP), constant.reshape(-1, WARP), strict=True):
        if row.any():
            ranges.append((int(values[row].min()), int(values[row].max())))
    ranges.sort()
    return all(a[1] < b[0] for a, b in pairwise(ranges))


# --- loops ------------------------------------------------------------------------------------------------------


def exit_spread(events: Iterable[BranchEvent]) -> int | None:
    """For the tests of one loop: the most splits of one warp in one execution, i.e. by how many rounds its lanes leave
    apart (0: together).  None if nothing bounds it.

    An execution may begin with exact rounds and go on summarised, so both are added."""
    counts: dict[int, IntVector] = {}
    summarised = 0
    for event in events:
        condition = event.conditions[0]
        if event.iteration is not None:
            spread = _summarised_spread(condition, event)
            if spread is None:
                return None
            summarised = max(summarised, spread)
            continue
        splits = _splitting_warps(condition, event.mask.may)
        seen = counts.get(event.execution)
        counts[event.execution] = splits if seen is None else seen + splits
    return summarised + max((int(c.max()) for c in counts.values()), default=0)


def _splitting_warps(condition: Condition, may: BoolVector) -> IntVector:
    rows = [(v & may).reshape(-1, WARP).any(axis=1) for v in (condition.true, condition.false)]
    return np.asarray(rows[0] & rows[1], dtype=np.int64)


def _summarised_spread(condition: Condition, event: BranchEvent) -> int | None:
    """The distinct exit times of a warp minus one: those of the lanes that wait for the formula, and one more for lanes
    that are decided to leave at once, or to stay for ever."""
    may = event.mask.may
    groups = [(v & may).reshape(-1, WARP).any(axis=1) for v in (condition.true, condition.false, condition.undecided)]
    kinds = int(np.sum(groups, axis=0).max())
    lanes = may & condition.undecided
    if not lanes.any():
        return max(0, kinds - 1)
    waiting = _formula_spread(condition, event, lanes)
    return None if waiting is None else waiting + kinds - 1


def _formula_spread(condition: Condition, event: BranchEvent, lanes: BoolVector) -> int | None:
    """The distinct exit times among the lanes of a warp that wait for the formula, minus one.

    A lane leaves a conjunction with the first of its parts, a disjunction with the last: either way the times are among
    those of the parts, and the greatest (least) of all cannot be met where every lane waits for all parts."""
    if condition.parts:
        open_parts = [part for part in condition.parts if (part.undecided & lanes).any()]
        spreads = [_formula_spread(part, event, lanes & part.undecided) for part in open_parts]
        if any(s is None for s in spreads):
            return None
        extra = 0 if _together(condition, lanes) else len(condition.parts)
        return sum(s for s in spreads if s is not None) + extra
    atom = condition.atom
    if atom is None or atom.poly is None:
        return 0 if atom is not None and atom.level is not Level.LANE else None
    if _uniform_in_warps(atom.poly, lanes):
        return 0
    return _atom_spread(atom.poly, event.iteration, lanes)


def _atom_spread(poly: Poly, k: Symbol | None, lanes: BoolVector) -> int | None:
    """ceil(spread of the lane constants / least step per round), if nothing else in the test changes in the loop."""
    constant = poly.terms.get((), 0)
    others = [(m, c) for m, c in poly.terms.items() if m]
    if isinstance(constant, int) or any(not isinstance(c, int) or _own(m) for m, c in others):
        return None
    if k is None or any(s.number > k.number for m, _ in others for s in m):
        return None  # a symbol younger than the counter belongs to the round: it changes from round to round
    least = _least_step(others, k)
    return None if least is None else ceil(_warp_spread(constant, lanes) / least)


def _own(monomial: tuple[Symbol, ...]) -> bool:
    return any(s.level is Level.LANE for s in monomial)


def _least_step(terms: list[tuple[tuple[Symbol, ...], pl.Coefficient]], k: Symbol) -> int | None:
    """A lower bound (at least 1) of what the test moves per round; None if it does not surely move with the counter."""
    total = 0
    signs = set()
    for monomial, coefficient in terms:
        if k in monomial and isinstance(coefficient, int):
            rest = list(monomial)
            rest.remove(k)
            low, _ = pl.monomial_range(tuple(rest)) if rest else (1.0, 1.0)
            if low < 0 or k in rest:
                return None
            signs.add(coefficient > 0)
            total += abs(coefficient) * int(min(low, 1 << 40))
    return total if total >= 1 and len(signs) == 1 else None
