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
loop by more than half of the window that V must lie in, so that it is there in one block (or round) at most, or in two tiles that overlap,
or V is the same in all rounds and the windows of the block's warps are disjoint, so that one warp of a block meets it.

What a warp is asked is stated in warp_problems.py, and where one value may lie in threshold_families.py.
Tested against an enumeration of lane values in `tests/properties/test_branches.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from analysis_core.domains.shape import BoolVector
from analysis_core.requests.threshold_families import Sets
from analysis_core.requests.warp_problems import Node, Problem
from analysis_core.text.records import dataclass

MOST_WORLDS = 40 * 40
"""Enough for two cuts that each go between any two of a warp's threads (`x < w` and then `x < border`), or windows of eight threads."""

Lanes = Sets | np.uint32
"""One set of lanes per world, `packed`, or one for all worlds."""


@dataclass(frozen=True, slots=True, eq=False)
class Worlds:
    """The possible worlds of one warp, one entry each. `runs`: lanes that surely run; `may`: lanes that run or may
    run; `true[i]`, `false[i]`: lanes that surely meet condition i, or surely do not; `edge`: the world is met only
    where a cut passes through the warp."""

    runs: Sets
    may: Sets
    true: tuple[Sets, ...]
    false: tuple[Sets, ...]
    edge: BoolVector


def worlds(problem: Problem) -> Worlds:
    """All worlds of the problem; at least one."""
    known, edge = _positions(problem)
    may: Lanes = problem.may
    runs = may
    for scope, node, numbers in problem.literals:
        true, false = truth(node, [known[number] for number in numbers])
        may, runs = may & ~(scope & false), runs & (~scope | true)
    truths = [truth(node, [known[number] for number in numbers]) for node, numbers in problem.conditions]
    return Worlds(
        _each(runs & may, edge),
        _each(may, edge),
        tuple(_each(true, edge) for true, _ in truths),
        tuple(_each(false, edge) for _, false in truths),
        edge,
    )


def _each(lanes: Lanes, edge: BoolVector) -> Sets:
    """One set per world."""
    return lanes if isinstance(lanes, np.ndarray) else np.full(len(edge), lanes, dtype=np.uint32)


def truth(node: Node, known: Sequence[tuple[Lanes, Lanes]]) -> tuple[Lanes, Lanes]:
    """The lanes that surely meet the condition, and those that surely do not, in Kleene's three-valued logic."""
    if node.atom is None and not node.parts:
        return node.true, node.false
    if node.atom is not None:
        yes, no = known[node.atom] if node.positive else known[node.atom][::-1]
    else:
        (yes, no), *rest = [truth(part, known) for part in node.parts]
        for t, f in rest:
            yes, no = (yes & t, no | f) if node.all_of else (yes | t, no & f)
    waiting = ~(node.true | node.false)
    return node.true | (yes & waiting), node.false | (no & waiting)


def _positions(problem: Problem) -> tuple[list[tuple[Lanes, Lanes]], BoolVector]:
    """For each atom the lanes where it is surely true and false, in every combination of the families' positions; and
    which combinations have a family at an edge."""
    outcomes = [family.outcomes for family, _ in problem.families]
    sizes = [len(found.edge) for found in outcomes]
    tested = {number for _, numbers in problem.conditions for number in numbers}
    kept, count = list(range(len(sizes))), prod(sizes)
    # What only the mask waits for is given up first, then what has the most positions.
    cheapest = sorted(kept, key=lambda i: (tested.isdisjoint(problem.families[i][1]), sizes[i]))
    while count > MOST_WORLDS:
        kept.remove(dearest := cheapest.pop())
        count //= sizes[dearest]
    known: list[tuple[Lanes, Lanes]] = [(np.uint32(0), never) for never in problem.false]
    edge = np.zeros(count, dtype=bool)
    stride = count
    for index in kept:
        stride //= sizes[index]
        pick = np.arange(count) // stride % sizes[index]
        edge |= outcomes[index].edge[pick]
        for number, (true, false) in zip(problem.families[index][1], outcomes[index].sets, strict=True):
            yes, no = known[number]
            known[number] = yes | true[pick], no | false[pick]
    return known, edge
