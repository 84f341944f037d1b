"""How many lanes of a warp run together at most, where its worlds are too many to be told apart.

    if (t == n || t == m || t == k) ..      33 * 33 * 33 worlds; three lanes, whichever these are

What waits for one value that the lanes share is looked at for each place of that value; of several conditions of which one is enough, as
many lanes meet one as all of them together, of conditions that all have to hold as many as the rarest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from analysis_core.requests.threshold_families import Sets
from analysis_core.requests.warp_problems import Node, Problem
from analysis_core.requests.worlds import truth


def most_together(problem: Problem) -> int:
    """The most lanes of the problem's mask that run in one execution; never too low."""
    may = int(problem.may)
    most = may.bit_count()
    for scope, node, numbers in problem.literals:
        held = int(scope) & may
        most = min(most, (may & ~held).bit_count() + _most(node, True, held, problem, numbers))
    return most


def _most(node: Node, meet: bool, lanes: int, problem: Problem, numbers: Sequence[int]) -> int:
    """Of these lanes, how many meet the condition at once, or its negation."""
    waiting = lanes & ~int(node.true | node.false)
    if not waiting:
        return (int(node.true if meet else node.false) & lanes).bit_count()
    families = _families(node, problem, numbers)
    if len(families) == 1:
        (family,) = families
        known = _known(problem, numbers, family)
        true, false = truth(node, known)
        excluded = np.asarray(false if meet else true, dtype=np.uint32)
        return int(np.bitwise_count(np.uint32(lanes) & ~excluded).max())
    if node.atom is not None:
        return lanes.bit_count()
    decided = int(node.true if meet else node.false) & lanes
    parts = [_most(part, meet, waiting, problem, numbers) for part in node.parts]
    found = min(parts) if node.all_of is meet else sum(parts)
    return decided.bit_count() + min(found, waiting.bit_count())


def _families(node: Node, problem: Problem, numbers: Sequence[int]) -> set[int]:
    """The values that the condition waits for, by their places in the problem."""
    asked = {numbers[atom] for atom in _atoms(node)}
    return {place for place, (_, own) in enumerate(problem.families) if not asked.isdisjoint(own)}


def _atoms(node: Node) -> Iterator[int]:
    if node.atom is not None:
        yield node.atom
    for part in node.parts:
        yield from _atoms(part)


def _known(problem: Problem, numbers: Sequence[int], family: int) -> list[tuple[Sets, Sets]]:
    """For each atom the lanes where it is surely true and false, for each place of one value."""
    asked, own = problem.families[family]
    nobody = np.zeros(len(asked.outcomes.edge), dtype=np.uint32)
    found = {number: (nobody, nobody | problem.false[number]) for number in numbers}
    for number, (true, false) in zip(own, asked.outcomes.sets, strict=True):
        if number in found:
            yes, no = found[number]
            found[number] = yes | true, no | false
    return [found[number] for number in numbers]
