"""In how many warps of a block one test can cut: those that a value which the block shares may fall into.

    if (tid < delta) .. else ..

Whatever `delta` is, the lanes of one warp at most are on both sides of it, since what is compared with it only grows from thread to
thread.  So with `tid == delta`, of which one side is run by one warp at most.  Each comparison of a condition cuts at a place of its own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Atom, Condition, Relation
from analysis_core.domains.mask import Literal, Mask
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.shape import WARP, BoolVector
from analysis_core.domains.symbol import Level, SymbolKind
from analysis_core.interp.core.events import AccessEvent, BranchEvent


def warps_cut(event: BranchEvent) -> int | None:
    """At most how many warps have undecided lanes on both sides of the test; None where nothing bounds that."""
    if len(event.conditions) != 1:
        return None
    may = event.mask.may
    total = 0
    for atom, lanes in _atoms(event.conditions[0], may):
        cuts = None if atom is None else _cuts(atom, lanes)
        if cuts is None:
            return None
        total += cuts
    return total


def warps_at_once(mask: Mask) -> int:
    """The most warps of the block that run the code of this mask in one execution. If a mask asks for one value of the
    block (`tid == last`), those are the warps that hold one value."""
    most = sum(1 for lanes in mask.by_warp if lanes)
    for entry in mask.literals if most > 1 else ():
        atom = entry.atom
        if atom is None or not entry.formula.positive or atom.relation is not Relation.ZERO or atom.poly is None:
            continue
        own = atom.poly.constant
        if isinstance(own, int) or not _is_of_block(atom.poly) or bool((mask.may & ~entry.scope).any()):
            continue
        lanes = np.flatnonzero(mask.may)
        pairs = np.unique(np.stack([own[lanes], lanes // WARP]), axis=1)
        most = min(most, int(np.unique(pairs[0], return_counts=True)[1].max()))
    return most


def differ_by_blocks(events: Sequence[AccessEvent]) -> bool:
    """Whether blocks make different numbers of these executions by their number alone, as the rounds of `for (k = 0; k
    < blockIdx.x; k++)`."""
    masks = {id(event.mask): event.mask for event in events}
    asked = {frozenset(e.key for e in mask.literals if _is_by_number(e)) for mask in masks.values()}
    return len(asked) > 1


def _is_by_number(literal: Literal) -> bool:
    """Whether only the number of the block is asked for, and no size: a size leaves blocks at the end with less."""
    atom = literal.atom
    symbols = None if atom is None or atom.poly is None or atom.level is not Level.BLOCK else atom.poly.symbols()
    return bool(symbols) and all(s.kind is SymbolKind.GRID and s.name.startswith("blockIdx") for s in symbols or ())


def _is_of_block(poly: Poly) -> bool:
    """Whether threads differ by a number of their own, from what is the same for the block."""
    shared = [(m, c) for m, c in poly.terms.items() if m]
    return all(isinstance(c, int) and all(s.level is Level.BLOCK for s in m) for m, c in shared)


def is_cut_once(atom: Atom) -> bool:
    """Whether the truth of an order changes at one place of a block at most, whatever values the block shares."""
    poly = ordered(atom)
    constant = 0 if poly is None else poly.constant
    return (
        poly is not None
        and not isinstance(constant, int)
        and _cuts_of(poly, np.ones(len(constant), dtype=bool), 1) == 1
    )


def ordered(atom: Atom) -> Poly | None:
    """The difference whose sign an atom asks for, taken as if nothing wrapped around; None for other atoms."""
    if atom.relation is Relation.NEGATIVE:
        return atom.poly
    compared = atom.compared
    if compared is None or compared.op not in ("<", "<="):
        return None
    return pl.subtract(compared.left.poly, compared.right.poly)


def _atoms(condition: Condition, may: BoolVector) -> Iterator[tuple[Atom | None, BoolVector]]:
    """The formulas that lanes wait for, with these lanes."""
    pending = [(condition, may)]
    while pending:
        found, lanes = pending.pop()
        waiting = lanes & found.undecided
        if not waiting.any():
            continue
        if found.parts:
            pending.extend((part, waiting) for part in found.parts)
        else:
            yield found.atom, waiting


def _cuts(atom: Atom, lanes: BoolVector) -> int | None:
    """How many, where it compares what grows, or falls, from thread to thread with a value of the whole block; none of its own, where
    it is one truth for the block."""
    if atom.level is Level.BLOCK:
        return 0
    return None if atom.poly is None else _cuts_of(atom.poly, lanes, 2 if atom.relation is Relation.ZERO else 1)


def _cuts_of(poly: Poly, lanes: BoolVector, ends: int) -> int | None:
    """The same of the sign of a difference, or whether it is zero: then a value that several threads have has two ends."""
    grows = falls = False
    strict = False
    for monomial, coefficient in poly.terms.items():
        if any(s.level is not Level.BLOCK for s in monomial):
            return None
        if isinstance(coefficient, int):
            continue
        low, high = pl.monomial_range(monomial) if monomial else (1.0, 1.0)
        steps = np.diff(coefficient[lanes]) * (-1 if high < 0 else 1)
        if low < 0 <= high:
            return None
        grows, falls = grows or bool((steps > 0).any()), falls or bool((steps < 0).any())
        strict = strict or ((low >= 1 or high <= -1) and bool((steps != 0).all()))
    if grows and falls:
        return None
    return 1 if strict else ends
