"""What the lanes of one warp may do together: the possible worlds of a mask and of the conditions tested under it.

A mask and a condition leave lanes open.  Each open lane waits for a formula over *atoms*, and how the atoms of different
lanes can be true together decides what a warp can do:

    D = c + f*V < 0 lane constants c, f and one value V for the warp: a threshold.  V lies somewhere, so the true lanes are
                    those of the least (or greatest) constants: for 32 different constants 33 worlds, not 2^32
    D = c + f*V == 0  the lanes of one threshold, or none
    opaque          with one truth value for the warp: all or none
    anything else   every lane for itself: such a lane is *free*

Atoms over the same V (up to its sign) share its position: `i < n` and `i >= n - 1` are decided together.  Lanes with
different coefficients (rows at a symbolic pitch) wait for different Vs.  V is held to its range and congruence, so a
threshold that moves by whole warps (`tid < 32*k`) never falls inside of one.  Different Vs are taken to be independent, and
if there are more than `MOST_WORLDS` combinations the largest families are given up and their lanes free.  All three make
the set of worlds too large and never too small.  Hence, and this is what everybody relies on:

**Invariant.** For every execution there is a world whose `runs` are among the lanes that ran, whose `may` holds them, and
whose `true` (`false`) lanes, where they ran, met the condition (its negation).

A world is at the *edge* if it is only met where a cut passes through the warp: V moves with blockIdx or the counter of a
loop by more than the window that V must lie in, so that it is there in one block (or round) at most, or V is the same in
all rounds and the windows of the block's warps are disjoint, so that one warp of a block meets it.

What a warp is asked is stated in warp_problems.py.
Tested against an enumeration of lane values in `tests/properties/test_branches.py`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf, prod

import numpy as np
import numpy.typing as npt

from analysis_core.cost.warp_problems import Family, Node, Problem, Use, packed
from analysis_core.domains.shape import BoolVector, IntVector

MOST_WORLDS = 33 * 33
"""Enough for two cuts that each go between any two of a warp's threads (`x < w` and then `x < border`)."""

Sets = npt.NDArray[np.uint32]
"""One set of lanes per world, `packed`."""


@dataclass(frozen=True, slots=True, eq=False)
class Worlds:
    """All (worlds,).  `runs`: lanes that surely run; `may`: lanes that run or may run; `true[i]`, `false[i]`: lanes that
    surely meet condition i, or surely do not."""

    runs: Sets
    may: Sets
    true: tuple[Sets, ...]
    false: tuple[Sets, ...]
    edge: BoolVector


def worlds(problem: Problem) -> Worlds:
    """All worlds of the problem; at least one."""
    known, edge = _positions(problem)
    may = np.full(len(edge), problem.may)
    runs = may
    for scope, node in problem.literals:
        true, false = _truth(node, known)
        may, runs = may & ~(scope & false), runs & (~scope | true)
    truths = [tuple(np.broadcast_to(sets, len(edge)) for sets in _truth(node, known)) for node in problem.conditions]
    return Worlds(runs & may, may, tuple(t for t, _ in truths), tuple(f for _, f in truths), edge)


def _truth(node: Node, known: list[tuple[Sets, Sets]]) -> tuple[Sets | np.uint32, Sets | np.uint32]:
    """The lanes that surely meet the condition, and those that surely do not (Kleene's three values): one set per world,
    or one for all worlds where it is decided."""
    if node.atom is None and not node.parts:
        return node.true, node.false
    yes: Sets | np.uint32
    no: Sets | np.uint32
    if node.atom is not None:
        yes, no = known[node.atom] if node.positive else known[node.atom][::-1]
    else:
        (yes, no), *rest = [_truth(part, known) for part in node.parts]
        for t, f in rest:
            yes, no = (yes & t, no | f) if node.all_of else (yes | t, no & f)
    waiting = ~(node.true | node.false)
    return node.true | (yes & waiting), node.false | (no & waiting)


def _positions(problem: Problem) -> tuple[list[tuple[Sets, Sets]], BoolVector]:
    """For each atom the lanes where it is surely true and false, in every combination of the families' positions; and
    which combinations have a family at an edge."""
    choices = [_intervals(family) for family in problem.families]
    sizes = [len(values) for values, _ in choices]
    tested = {number for node in problem.conditions for number in _atoms_of(node)}
    kept = list(range(len(sizes)))
    # What only the mask waits for is given up first, then what has the most positions.
    cheapest = sorted(kept, key=lambda i: (tested.isdisjoint(n for n, _ in problem.families[i].uses), sizes[i]))
    while prod(sizes[i] for i in kept) > MOST_WORLDS:
        kept.remove(cheapest.pop())
    count = prod(sizes[i] for i in kept)
    yes = [np.zeros(count, dtype=np.uint32) for _ in range(problem.atoms)]
    no = [np.zeros(count, dtype=np.uint32) for _ in range(problem.atoms)]
    for number, never in problem.false:
        no[number] |= never
    edge = np.zeros(count, dtype=bool)
    stride = count
    for index in kept:
        values, at_edge = choices[index]
        stride //= sizes[index]
        pick = np.arange(count) // stride % sizes[index]
        edge |= at_edge[pick]
        for number, use in problem.families[index].uses:
            true = _holds(use, values)
            yes[number] |= packed(true & use.lanes)[pick]
            no[number] |= packed(~true & use.lanes)[pick]
    return list(zip(yes, no, strict=True)), edge


def _atoms_of(node: Node) -> Iterator[int]:
    if node.atom is not None:
        yield node.atom
    for part in node.parts:
        yield from _atoms_of(part)


def _holds(use: Use, values: IntVector) -> npt.NDArray[np.bool_]:
    """Whether the atom is true for each value of V (rows) on each lane."""
    v = values[:, np.newaxis]
    c = use.constants if use.rising else -use.constants
    if use.point:
        return np.asarray(v == c)
    return np.asarray(v > c if use.rising else v < c)


def _intervals(family: Family) -> tuple[IntVector, BoolVector]:
    """One value of V out of each interval on which no atom of the family changes, and whether the interval is an edge.

    Intervals that V's range or congruence excludes are left out; if that leaves none (the family cannot be waited for),
    all are kept."""
    if family.truth_value:
        return np.array([0, 1], dtype=np.int64), np.zeros(2, dtype=bool)
    starts: set[int] = set()
    thresholds: set[int] = set()
    for _, use in family.uses:
        own = np.unique((use.constants if use.rising else -use.constants)[use.lanes]).tolist()
        thresholds.update(own)
        for t in own:
            starts.update((t, t + 1) if use.point else (t + 1,) if use.rising else (t,))
    cuts = sorted(starts)
    window = cuts[-1] - cuts[0]  # the number of values of V that lie inside
    disjoint = family.disjoint and len(thresholds) > 1
    moving = family.moves > 0 and family.moves >= window
    found: list[tuple[int, bool]] = []
    for number, (start, end) in enumerate(zip([-inf, *cuts], [*(c - 1 for c in cuts), inf], strict=True)):
        low, high = max(start, family.low), min(end, family.high)
        value = _member(low, high, family.modulus, family.residue)
        if value is None:
            continue
        inside = 0 < number < len(cuts)
        found.append((value, (moving and high - low < family.moves) or (disjoint and inside)))
    if not found:
        found = [(c, False) for c in (cuts[0] - 1, *cuts)]
    return np.array([v for v, _ in found], dtype=np.int64), np.array([e for _, e in found], dtype=bool)


def _member(low: float, high: float, modulus: int, residue: int) -> int | None:
    """A number of the interval that is `residue` modulo `modulus` (0: the residue itself), or None."""
    if low > high:
        return None
    if modulus == 0:
        return residue if low <= residue <= high else None
    if low != -inf:
        value = int(low) + (residue - int(low)) % modulus
        return value if value <= high else None
    if high != inf:
        return int(high) - (int(high) - residue) % modulus
    return residue
