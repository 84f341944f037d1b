"""What accesses cost whose coordinates are clamped or reflected at borders, where there is no border: in nearly all blocks.

    int y = blockIdx.y * 8 + e / 36 - 2, x = blockIdx.x * 32 + e % 36 - 2;
    y = y < 0 ? -y : y;  y = y >= h ? 2 * h - 2 - y : y;  x = min(max(x, 0), w - 1);  .. in[y * pitch + x]

Bounds and facts per request hold in all blocks, and what lanes do at two borders in two directions may be too many cases to tell them
from lanes at any places.  In a share of the kernel's cost these would count for what nobody pays.  So such a coordinate is taken for what it is
inside: of the two operands of `min` and `max` the one that goes with the block's number (the other one is the border); of the values on
the two sides of a comparison the one that is compared itself and rises with the block's number, or either if they are a period apart.

A linear index that is taken apart, `x = i % w, y = i / w`, has ends of rows for borders: at most one of them lies among the lanes of a warp where w is at
least 32, and mostly none.  There the quotient is the same for all lanes, and the remainder goes on as the index does.

For shares and levels, and for nothing else.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from analysis_core.domains import condition as cond
from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Atom, Condition, Relation
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.polynomial import Coefficient, Monomial, Poly
from analysis_core.domains.shape import WARP
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.interp.core.events import AccessEvent
from analysis_core.profile.sureness import SURE
from analysis_core.requests.event_costs import EventCosts
from analysis_core.requests.facts import AccessFact
from analysis_core.text.records import dataclass

_DEEPEST = 8
"""Borders one after the other, and coordinates inside of coordinates, that are followed."""

MOST = 0.5
"""Part of its worst that is most of it."""

_QUOTIENTS = frozenset(("/", "floor/"))
_REMAINDERS = frozenset(("%", "floor%"))

_MOST_EVENTS = 64
"""Executions of one access that are costed again."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """How values follow from others.  `short`: names of sizes that may well be less than a warp: launches pass such, or no file in view gives them."""

    derivations: Mapping[Symbol, Derivation]
    short: frozenset[str]

    def are_rows(self, length: Poly) -> bool:
        """Whether so many elements are a row that is longer than a warp, as far as anybody knows."""
        if length.is_constant:
            return isinstance(length.constant, int) and length.constant >= WARP
        return all(s.kind is SymbolKind.PARAMETER and s.name not in self.short for s in length.symbols())


def cost_inside(events: Sequence[AccessEvent], sizes: Sizes, costs: EventCosts) -> float | None:
    """What a request costs on average in a block that touches no border; None where borders decide nothing."""
    different: dict[Hashable, tuple[AccessEvent, int]] = {}
    for event in events:
        first, times = different.get(costs.pattern(event), (event, 0))
        different[costs.pattern(event)] = (first, times + 1)
    if len(different) > _MOST_EVENTS:
        return None
    requests = paid = 0
    for event, times in different.values():
        poly = inside(event.address.poly, sizes)
        if poly is None:
            return None
        moved = replace(event, address=replace(event.address, poly=poly))
        found = costs.plain(moved)
        requests += times * sum(len(warps) for warps, _, _ in found)
        paid += times * sum(len(warps) * cost.worst for warps, _, cost in found)
    return paid / requests if requests else None


def is_dear_inside(fact: AccessFact, cost: float | None) -> bool:
    """Whether a request costs that in a block that touches no border, which is most of its worst and twice its ideal: borders make nothing dear."""
    return cost is not None and cost >= max(SURE * fact.ideal, MOST * fact.worst)


def inside(poly: Poly, sizes: Sizes, depth: int = 0) -> Poly | None:
    """The value away from borders; None where something else makes it unknown, or nothing does."""
    own = [s for s in poly.symbols() if s.level is Level.LANE]
    if depth > _DEEPEST or (not own and depth == 0):
        return None
    values: dict[Symbol, Poly] = {}
    for symbol in own:
        derivation = sizes.derivations.get(symbol)
        value = None if derivation is None else _plain(symbol, derivation, sizes, depth)
        if value is None:
            return None
        values[symbol] = value
    return pl.substitute(poly, values)


def _plain(symbol: Symbol, d: Derivation, sizes: Sizes, depth: int) -> Poly | None:
    """What is clamped or reflected, or goes along a row."""
    if d.op in _QUOTIENTS or d.op in _REMAINDERS:
        return _within_a_row(symbol, d, sizes, depth)
    if d.op not in ("min", "max", "blend") or len(d.operands) != 2:
        return None
    a, b = (inside(operand.poly, sizes, depth + 1) for operand in d.operands)
    if a is None or b is None:
        return None
    risen = [value for value in (a, b) if _rises(value)]
    if d.op != "blend":
        return risen[0] if len(risen) == 1 and _are_fixed(b if risen[0] is a else a) else None
    tested = None if d.condition is None else _tested(d.condition, sizes, depth)
    if tested is None:
        return None
    if _is_shared(pl.subtract(a, b)) and not any(map(_are_fixed, tested)):
        return min(a, b, key=lambda value: len(value.terms))  # a period away, in few blocks
    return next((value for value in risen if all(_is_measured(value, poly) for poly in tested)), None)


def _within_a_row(symbol: Symbol, d: Derivation, sizes: Sizes, depth: int) -> Poly | None:
    """The quotient or remainder in warps among whose lanes no row ends; None where rows are shorter than a warp, or lanes lie further apart."""
    dividend, divisor = d.operands
    if not (dividend.exact and divisor.exact and sizes.are_rows(divisor.poly)):
        return None
    index = inside(dividend.poly, sizes, depth + 1)
    if index is None or not all(isinstance(c, int) for m, c in index.terms.items() if m):
        return None
    own = replace(symbol, level=Level.WARP)
    common = pl.of_symbol(own)
    if isinstance(index.constant, int):
        return common
    places = index.constant.reshape(-1, WARP)
    along = places - places[:, :1]
    length = divisor.poly.constant if divisor.poly.is_constant else 0
    if isinstance(length, int) and length:
        along = along % length  # whole rows may have been taken out of the index already
        common = pl.subtract(common, pl.constant(((places[:, :1] + along - places) // length).reshape(-1)))
    if (along.max(axis=1) - along.min(axis=1)).max() >= WARP:
        return None
    if d.op in _QUOTIENTS:
        return common
    return pl.add(pl.of_symbol(own), pl.constant(along.reshape(-1)))


def _tested(condition: Condition, sizes: Sizes, depth: int) -> list[Poly] | None:
    """What the condition compares with zero, away from borders; None where it asks for anything else."""
    found: list[Poly] = []
    for atom in cond.atoms(condition):
        poly = _difference(atom)
        value = None if poly is None else inside(poly, sizes, depth + 1)
        if value is None:
            return None
        found.append(value)
    return found or None


def _difference(atom: Atom) -> Poly | None:
    """Of a comparison by order, what is below zero in it."""
    if atom.relation is Relation.NEGATIVE:
        return atom.poly
    if atom.compared is None or atom.compared.op == "==":
        return None
    return pl.subtract(atom.compared.left.poly, atom.compared.right.poly)


def _is_measured(value: Poly, tested: Poly) -> bool:
    """Whether a test asks on which side of a border the value lies: they differ by what is the same everywhere."""
    apart = (pl.subtract(value, tested), pl.add(value, tested))
    return any(_are_fixed(rest) and _is_shared(rest) for rest in apart)


def _is_shared(poly: Poly) -> bool:
    """Whether it is the same for all lanes, away from borders."""
    return all(isinstance(c, int) for c in poly.terms.values())


def _are_fixed(poly: Poly) -> bool:
    """Whether it is the same in all blocks."""
    return not any(_is_of_block(m) for m in poly.terms)


def _rises(poly: Poly) -> bool:
    """Whether it grows with the number of the block, or with the rounds of a loop."""
    moving = [c for m, c in poly.terms.items() if _is_of_block(m)]
    return bool(moving) and all(map(_is_positive, moving))


def _is_of_block(monomial: Monomial) -> bool:
    return any(s.kind is SymbolKind.GRID and s.name.startswith("blockIdx") for s in monomial)


def _is_positive(coefficient: Coefficient) -> bool:
    return bool(np.min(coefficient) > 0)
