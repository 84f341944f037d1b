"""Joins of two values: where threads that took different ways meet, `?:`, min and max."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from analysis_core.domains import condition as cond
from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Condition
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.own_data import are_near
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.shape import some
from analysis_core.domains.symbol import Level, SymbolKind
from analysis_core.domains.thread_value import (
    Integer,
    Other,
    Value,
    cause_of,
    first_origin,
    is_data,
    is_signed,
    lane_bounds,
    least_bits,
    level_of,
    width,
)
from analysis_core.ir.types import LONG, ScalarType, Type
from analysis_core.support.facts import Cause, CauseKind

if TYPE_CHECKING:
    from analysis_core.domains.arithmetic import Arithmetic


def blend(arithmetic: Arithmetic, c: Condition, a: Value, b: Value, type_: Type) -> Value:
    """`a` where the condition is true, `b` where it is false; undecided lanes keep the correlation b + x*(a - b)
    under a block- or warp-uniform condition, or a constant difference."""
    if a is b:
        return a
    if isinstance(a, Other) or isinstance(b, Other):
        return _blend_other(arithmetic, c, a, b)
    if pl.equal(a.poly, b.poly):
        return Integer(
            a.poly, least_bits(a.bits, b.bits), a.condition if a.condition is b.condition else None, a.origin
        )
    bits, origin = least_bits(a.bits, b.bits), first_origin(a, b)
    undecided = c.undecided
    settled = pl.select(c.true, a.poly, b.poly)
    if not some(undecided):
        return Integer(settled, bits, None, origin)
    both = _logical(c, a, b)
    difference = pl.subtract(a.poly, b.poly)
    if cond.open_level(c) is not Level.LANE or difference.is_constant or not is_signed_integer(type_):
        x = pl.scale(pl.of_symbol(arithmetic.choice(c)), pl.constant(undecided.astype(np.int64)).constant)
        blended = pl.add(settled, pl.multiply(x, difference))
        return arithmetic.shorten(Integer(blended, bits, both, origin), type_)
    base = _common_base(a, b)
    if base is not None:
        near = _hull(arithmetic, c, _apart(a, base), _apart(b, base), pl.subtract(settled, base), LONG)
        return Integer(pl.add(near.poly, base), bits, both, origin)
    if not (a.exact and b.exact):
        a, b = (v if v.exact else arithmetic.unwound(v, type_) for v in (a, b))
        settled = pl.select(c.true, a.poly, b.poly)
    return replace(_hull(arithmetic, c, a, b, settled, type_), condition=both)


def _logical(c: Condition, a: Integer, b: Integer) -> Condition | None:
    """The truth of `c && a` (b is 0) and of `c || b` (a is 1), whose right sides were executed under a mask."""
    if a.condition is not None and b.exact and not b.poly.terms:
        return cond.conjunction(c, a.condition)
    if b.condition is not None and a.exact and pl.equal(a.poly, pl.constant(1)):
        return cond.disjunction(c, b.condition)
    return None


def _hull(arithmetic: Arithmetic, c: Condition, a: Integer, b: Integer, settled: Poly, type_: Type) -> Integer:
    """Undecided lanes get a per-lane symbol between the least and the greatest of both values.  What the analysis lost about
    lanes on one side is a reason that memory does not stand in for."""
    reason = "different values on the two sides of a condition that is not known"
    cause = _lost(a) or _lost(b) or c.cause or Cause(CauseKind.ANALYSIS, reason, first_origin(a, b))
    (alow, ahigh), (blow, bhigh) = lane_bounds(a, type_), lane_bounds(b, type_)
    undecided = c.undecided
    low = float(np.min(np.minimum(alow, blow)))
    high = float(np.max(np.maximum(ahigh, bhigh)))
    symbol = arithmetic.recall(
        ("hull", c.key, arithmetic.identity(a, type_), arithmetic.identity(b, type_), width(type_), is_signed(type_)),
        lambda: arithmetic.derived(
            "?", Level.LANE, Derivation("blend", (a, b), type_, cond.formula(c), (undecided, settled)), low, high, cause
        ),
    )
    poly = pl.select(undecided, pl.of_symbol(symbol), settled)
    exact_now = None if a.exact and b.exact else least_bits(a.bits, b.bits)
    return Integer(poly, exact_now, None, first_origin(a, b))


def _common_base(a: Integer, b: Integer) -> Poly | None:
    """What is known of the lanes' values on one side, if both sides stay nearer to it than to zero: `start`, or `start + n` with n
    of a few values.  Of values that are right modulo 2^w only, what they are apart is small or nothing."""
    widest = min(_width(a.poly, b.poly), _NEAR) if a.exact and b.exact else _NEAR
    for known in (b.poly, a.poly):
        base = Poly({m: c for m, c in known.terms.items() if all(s.level is not Level.LANE for s in m)})
        if base.terms and _width(pl.subtract(a.poly, base), pl.subtract(b.poly, base)) < widest:
            return base
    return None


_NEAR = 2.0**31


def _apart(value: Integer, base: Poly) -> Integer:
    return Integer(pl.subtract(value.poly, base), None, None, value.origin)


def _width(a: Poly, b: Poly) -> float:
    """The extent of the range that both lie in."""
    (alow, ahigh), (blow, bhigh) = pl.total_bounds(a), pl.total_bounds(b)
    return max(ahigh, bhigh) - min(alow, blow)


def _lost(value: Integer) -> Cause | None:
    """Why the value is not known, if that is a symbol of the lanes' own which does not come from memory."""
    lost = (s.cause for s in sorted(value.poly.symbols()) if s.kind is SymbolKind.UNKNOWN and s.level is Level.LANE)
    return next((cause for cause in lost if cause is not None), None)


def _blend_other(arithmetic: Arithmetic, c: Condition, a: Value, b: Value) -> Value:
    level = Level(max(level_of(a), level_of(b)))
    if level is not Level.LANE:
        level = Level(max(level, c.level))
    own = arithmetic.is_own_data(a) or arithmetic.is_own_data(b) or (c.data and c.level is Level.LANE)
    near = are_near((a, b), arithmetic.derivations) and not any(map(_by_lane, cond.atoms(c)))
    return Other(level, is_data(a) or is_data(b) or c.data, cause_of(a) or cause_of(b) or c.cause, own=own, near=near)


def _by_lane(atom: cond.Atom) -> bool:
    """Whether contents of memory that lanes load each for itself may decide it."""
    by_data = atom.cause is None or atom.cause.kind is CauseKind.DATA
    return atom.data and by_data and atom.level is Level.LANE


def is_signed_integer(type_: Type) -> bool:
    """Whether two values of the type may be joined to a range of integers: yes for integers, no for pointers."""
    return isinstance(type_, ScalarType)


def extreme(arithmetic: Arithmetic, op: str, a: Integer, b: Integer, type_: Type) -> Value:
    """min and max: lane by lane where decided, else a symbol between the bounds, the same for equal operands."""
    a, b = (v if v.exact else arithmetic.unwound(v, type_) for v in (a, b))
    less = arithmetic.compare("<", a, b, type_)
    first, second = (a, b) if op == "min" else (b, a)
    settled = pl.select(less.true, first.poly, second.poly)
    bits, origin = least_bits(a.bits, b.bits), first_origin(a, b)
    if not some(less.undecided):
        return Integer(settled, bits, None, origin)
    (alow, ahigh), (blow, bhigh) = lane_bounds(a, type_), lane_bounds(b, type_)
    pick = np.minimum if op == "min" else np.maximum
    low, high = float(np.min(pick(alow, blow))), float(np.max(pick(ahigh, bhigh)))
    level = Level(max(pl.level(a.poly), pl.level(b.poly)))
    cause = Cause(CauseKind.ANALYSIS, f"the {op} of two values whose order is not known", origin)
    symbol = arithmetic.recall(
        (op, *(arithmetic.identity(v, type_) for v in (a, b)), str(type_)),
        lambda: arithmetic.derived(
            op, level, Derivation(op, (a, b), type_, None, (less.undecided, settled)), low, high, cause
        ),
    )
    return Integer(pl.select(less.undecided, pl.of_symbol(symbol), settled), bits, None, origin)
