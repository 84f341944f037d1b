"""Assumptions as data: what is stated about parameters and the grid, before their symbols are made.

Every integer parameter and every component of gridDim and blockIdx gets a provisional symbol with the range of its
type (parameters: not negative).  Each stated condition becomes constraints on them (domains/constraints.py); one that
contradicts what is known by then is rejected at its range and changes nothing.  What the constraints come to is used
where symbols are made (entry.py) and kept for comparisons (domains/relations.py).

A quotient is a symbol of its own:  q = a / d for a >= 0 means  0 <= a - d*q <= d - 1,  and ceil(a / d)
0 <= d*q - a <= d - 1;  a remainder r = a % d has the same sign as a, and d divides a - r.  min and max are bounded by
their arguments.  So is said no more of them than holds, and a condition over them is only ever weakened.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import field
from math import inf

from analysis_core.domains import polynomial as pl
from analysis_core.domains.constraints import Constraint, Range, Relation, System, add, either, extended, extent
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.symbol import Level, Symbol, SymbolKind, SymbolSource
from analysis_core.ir.stated import StatedName
from analysis_core.lower.names.annotation_values import COMPARISONS, apply, constant_value
from analysis_core.support.facts import Assumption
from analysis_core.support.fuel import STATED
from analysis_core.syntax.read.annotation_tree import (
    LARGEST,
    Binary,
    Call,
    Misstatement,
    Name,
    Number,
    Term,
    Unary,
    names_in,
)
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_NEGATED = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}


class _Unusable(Exception):
    """Carries the part of a term that cannot be used out of its translation; caught by `state`."""

    def __init__(self, reason: str, span: Span) -> None:
        super().__init__(reason)
        self.wrong = Misstatement(reason, span)


@dataclass(slots=True)
class Stated:
    """The conditions stated so far. `symbols`: the provisional symbol for each name's value; `constants`: blockDim;
    `auxiliary`: symbols for quotients and the like, by what they stand for."""

    names: Mapping[str, StatedName]
    symbols: Mapping[StatedName, Symbol]
    constants: Mapping[StatedName, int]
    system: System
    source: SymbolSource
    auxiliary: dict[Hashable, Symbol] = field(default_factory=dict)
    accepted: list[Assumption] = field(default_factory=list)
    rejected: list[Misstatement] = field(default_factory=list)


def state(stated: Stated, condition: Term, text: str, span: Span | None, required: bool = False) -> None:
    """Adds a condition that the user says holds; what cannot hold is rejected. `span` None: it is a setting, meant for
    many kernels, and what is wrong with it for this one is told beside it; so it is with what launches are to see to (`required`)."""
    if len(stated.accepted) >= STATED:
        stated.accepted.append(Assumption(f"{text} (not used: {STATED} conditions are stated before it)", span))
        return
    before = stated.system
    try:
        ways = [_condition(stated, way, True) for way in _ways(condition)]
    except _Unusable as unusable:
        stated.system = before
        if span is not None:
            stated.rejected.append(unusable.wrong)
        if span is None or len(_ways(condition)) > 1:
            stated.accepted.append(Assumption(f"{text} (not used)", span))
        return
    after = add(stated.system, ways[0]) if len(ways) == 1 else either(stated.system, ways)
    if after is None:
        stated.system = before
        if span is not None and not required:
            stated.rejected.append(Misstatement(_contradiction(stated, condition), span))
        else:
            stated.accepted.append(Assumption(f"{text} (not used: {_contradiction(stated, condition)})"))
        return
    stated.system = after
    stated.accepted.append(Assumption(text, span))


def equate(stated: Stated, symbol: Symbol, term: Term) -> bool:
    """States that a symbol (an extent of the grid) has the value of a term. False, with a rejection, if it cannot."""
    before = stated.system
    try:
        difference = pl.subtract(pl.of_symbol(symbol), _poly(stated, term))
    except _Unusable as unusable:
        stated.system = before
        stated.rejected.append(unusable.wrong)
        return False
    after = add(stated.system, (Constraint(Relation.ZERO, difference),))
    if after is None:
        stated.rejected.append(Misstatement(_contradiction(stated, term), term.span))
        stated.system = before
        return False
    stated.system = after
    return True


def bound_of(stated: Stated, term: Term) -> tuple[Poly, Mapping[Symbol, Range]] | None:
    """A term as a polynomial over provisional symbols, and their ranges; None, and a rejection, if it cannot be used."""
    before = stated.system
    try:
        return _poly(stated, term), stated.system.ranges
    except _Unusable as unusable:
        stated.system = before
        stated.rejected.append(unusable.wrong)
        return None


def _contradiction(stated: Stated, term: Term) -> str:
    """Why a condition cannot hold, by what is known of the names in it."""
    shown = []
    for name in dict.fromkeys(name.name for name in names_in(term)):
        symbol = stated.symbols.get(stated.names[name])
        if symbol is None:
            continue
        range_ = stated.system.ranges[symbol]
        if range_.low == range_.high:
            shown.append(f"`{symbol.name}` is {range_.low}")
            continue
        if range_.low != -inf:
            shown.append(f"`{symbol.name}` >= {range_.low}")
        if range_.high < _NOTICED:
            shown.append(f"`{symbol.name}` <= {range_.high}")
        if range_.modulus > 1:
            shown.append(f"`{symbol.name}` % {range_.modulus} == {range_.residue}")
    if not shown:
        return "this never holds"
    return f"this contradicts what is known: {', '.join(shown[:4])}"


_NOTICED = 1 << 20
"""Greater ends come from types and limits of the hardware, not from what anybody stated."""


_MOST_WAYS = 16


def _ways(condition: Term) -> list[Term]:
    """The alternatives of `a || b || c`: what they have in common is used.  Of more than a few, none are told apart."""
    found, pending = [], [condition]
    while pending:
        term = pending.pop()
        if isinstance(term, Binary) and term.op == "||":
            pending += [term.right, term.left]
        else:
            found.append(term)
    return found if len(found) <= _MOST_WAYS else [condition]


# --- conditions ---------------------------------------------------------------------------------------------------


def _condition(stated: Stated, term: Term, positive: bool) -> tuple[Constraint, ...]:
    """The constraints that say that a condition holds, or that it does not."""
    match term:
        case Unary(op="!"):
            return _condition(stated, term.operand, not positive)
        case Binary(op="&&" | "||" as op):
            constant = constant_value(term, _numbers(stated))
            if constant is not None:
                return _decided(bool(constant) is positive)
            if (op == "&&") is positive:
                return _condition(stated, term.left, positive) + _condition(stated, term.right, positive)
            spelled = "`||`" if positive else "the negation of `&&`"
            raise _Unusable(f"the analysis cannot use {spelled}: state what holds in every case", term.span)
        case Binary(op=op) if op in COMPARISONS:
            return _comparison(stated, op if positive else _NEGATED[op], term)
        case _:
            relation = Relation.NONZERO if positive else Relation.ZERO
            return (Constraint(relation, _poly(stated, term)),)


def _decided(holds: bool) -> tuple[Constraint, ...]:
    return () if holds else (Constraint(Relation.AT_LEAST_ZERO, pl.constant(-1)),)


def _comparison(stated: Stated, op: str, term: Binary) -> tuple[Constraint, ...]:
    for side in (term.left, term.right):
        if isinstance(side, Binary) and side.op in COMPARISONS:
            raise _Unusable("comparisons cannot be chained: join them by `&&`", term.span)
    difference = pl.subtract(_poly(stated, term.left), _poly(stated, term.right))
    match op:
        case "==":
            return (Constraint(Relation.ZERO, difference),)
        case "!=":
            return (Constraint(Relation.NONZERO, difference),)
        case ">" | ">=":
            strict = pl.constant(-1 if op == ">" else 0)
            return (Constraint(Relation.AT_LEAST_ZERO, pl.add(difference, strict)),)
        case _:
            strict = pl.constant(-1 if op == "<" else 0)
            return (Constraint(Relation.AT_LEAST_ZERO, pl.add(pl.negate(difference), strict)),)


# --- terms --------------------------------------------------------------------------------------------------------


def _numbers(stated: Stated) -> dict[str, StatedName]:
    """The names that are constants under this launch."""
    return {name: stated.constants.get(value, value) for name, value in stated.names.items()}


def _poly(stated: Stated, term: Term) -> Poly:
    """The term as a polynomial over provisional symbols."""
    value = constant_value(term, _numbers(stated))
    if value is not None:
        if abs(value) >= LARGEST:
            raise _Unusable("this number is too large", term.span)
        return pl.constant(value)
    match term:
        case Number():
            return pl.constant(term.value)
        case Name():
            return pl.of_symbol(stated.symbols[stated.names[term.name]])
        case Unary():
            return _unary(stated, term)
        case Binary():
            return _small(_binary(stated, term), term.span)
        case Call(function="ceil"):
            inner = term.args[0]
            if isinstance(inner, Binary) and inner.op == "/":
                return _quotient(stated, inner.left, inner.right, up=True)
            return _poly(stated, inner)
        case Call(function="ceil_div"):
            return _quotient(stated, term.args[0], term.args[1], up=True)
        case Call():
            return _extreme(stated, term)


def _small(poly: Poly, span: Span) -> Poly:
    """Refuses coefficients with which 64 bits would not do."""
    if any(abs(c) >= 1 << 40 for m, c in poly.terms.items() if m and isinstance(c, int)) or len(poly.terms) > 24:
        raise _Unusable("this expression is too large to be used", span)
    return poly


def _unary(stated: Stated, term: Unary) -> Poly:
    if term.op == "!":
        raise _Unusable("a condition is no number here", term.span)
    operand = _poly(stated, term.operand)
    if term.op == "+":
        return operand
    return pl.negate(operand) if term.op == "-" else pl.add(pl.negate(operand), pl.constant(-1))


def _binary(stated: Stated, term: Binary) -> Poly:
    match term.op:
        case "+":
            return pl.add(_poly(stated, term.left), _poly(stated, term.right))
        case "-":
            return pl.subtract(_poly(stated, term.left), _poly(stated, term.right))
        case "*":
            return pl.multiply(_poly(stated, term.left), _poly(stated, term.right))
        case "/":
            return _quotient(stated, term.left, term.right, up=False)
        case "%":
            return _remainder(stated, _poly(stated, term.left), _divisor(stated, term.right), term)
        case "<<":
            factor = apply("<<", 1, _constant(stated, term.right, "the distance of a shift"))
            if factor is None:
                raise _Unusable("this shift has no value", term.span)
            return pl.scale(_poly(stated, term.left), factor)
        case ">>":
            factor = apply("<<", 1, _constant(stated, term.right, "the distance of a shift"))
            if factor is None:
                raise _Unusable("this shift has no value", term.span)
            return _floor(stated, _poly(stated, term.left), factor, term)
        case "&":
            mask = _constant(stated, term.right, "the right side of `&`")
            if mask < 0 or mask & (mask + 1):
                raise _Unusable("the analysis uses only masks of low bits: 2^k - 1", term.right.span)
            return _remainder(stated, _poly(stated, term.left), mask + 1, term, always_positive=True)
        case _:
            what = (
                "a condition is no number here"
                if term.op in (*COMPARISONS, "&&", "||")
                else f"the analysis cannot use `{term.op}`"
            )
            raise _Unusable(what, term.span)


def _constant(stated: Stated, term: Term, what: str) -> int:
    value = constant_value(term, _numbers(stated))
    if value is None:
        raise _Unusable(f"{what} has to be a constant", term.span)
    return value


def _divisor(stated: Stated, term: Term) -> int:
    value = _constant(stated, term, "a divisor")
    if value == 0:
        raise _Unusable("a division by zero", term.span)
    if value < 0:
        raise _Unusable("the analysis cannot use negative divisors", term.span)
    return value


def _fresh(
    stated: Stated, key: Hashable, make: Callable[[Symbol], tuple[Range, tuple[Constraint, ...]]], span: Span
) -> Poly:
    """The auxiliary symbol for what `key` names, made and constrained at its first use."""
    symbol = stated.auxiliary.get(key)
    if symbol is None or symbol not in stated.system.ranges:
        symbol = stated.source.fresh("(auxiliary)", Level.BLOCK, SymbolKind.UNKNOWN)
        range_, constraints = make(symbol)
        system = add(extended(stated.system, symbol, range_), constraints)
        if system is None:  # a definition excludes nothing, so what was stated before did
            raise _Unusable("this contradicts what was stated before", span)
        stated.system = system
        stated.auxiliary[key] = symbol
    return pl.of_symbol(symbol)


def _quotient(stated: Stated, dividend: Term, divisor: Term, up: bool) -> Poly:
    d = _divisor(stated, divisor)
    a = _poly(stated, dividend)
    if up:
        # ceil(a / d) = floor((a + d - 1) / d), where a may be negative too: it is the mathematical one.
        return _floor(stated, pl.add(a, pl.constant(d - 1)), d, dividend)
    low, _ = extent(a, stated.system.ranges)
    if low < 0:
        raise _Unusable("the analysis cannot divide what may be negative", dividend.span)
    return _floor(stated, a, d, dividend)


def _floor(stated: Stated, a: Poly, d: int, term: Term) -> Poly:
    """floor(a / d): 0 <= a - d*q <= d - 1."""

    def define(q: Symbol) -> tuple[Range, tuple[Constraint, ...]]:
        rest = _small(pl.subtract(a, pl.scale(pl.of_symbol(q), d)), term.span)
        at_most = pl.subtract(pl.constant(d - 1), rest)
        constraints = (Constraint(Relation.AT_LEAST_ZERO, rest), Constraint(Relation.AT_LEAST_ZERO, at_most))
        return Range(-inf, inf), constraints

    return a if d == 1 else _fresh(stated, ("floor", a.key(), d), define, term.span)


def _remainder(stated: Stated, a: Poly, d: int, term: Term, always_positive: bool = False) -> Poly:
    """C's a % d (or the low bits of a, which are never negative): d divides a - r."""
    low, high = extent(a, stated.system.ranges)

    def define(r: Symbol) -> tuple[Range, tuple[Constraint, ...]]:
        least = 0 if always_positive or low >= 0 else 1 - d
        most = d - 1 if always_positive or high > 0 else 0
        difference = _small(pl.subtract(a, pl.of_symbol(r)), term.span)
        return Range(least, most), (Constraint(Relation.DIVISIBLE, difference, d),)

    return _fresh(stated, ("bits" if always_positive else "remainder", a.key(), d), define, term.span)


def _extreme(stated: Stated, term: Call) -> Poly:
    """min or max: on the right side of both arguments."""
    sign = 1 if term.function == "max" else -1
    parts = [_poly(stated, arg) for arg in term.args]

    def define(v: Symbol) -> tuple[Range, tuple[Constraint, ...]]:
        beyond = (pl.scale(pl.subtract(pl.of_symbol(v), part), sign) for part in parts)
        return Range(-inf, inf), tuple(Constraint(Relation.AT_LEAST_ZERO, poly) for poly in beyond)

    return _fresh(stated, (term.function, *(part.key() for part in parts)), define, term.span)
