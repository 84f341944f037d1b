"""The greatest value of a polynomial as an expression over what a user knows: parameters and the size of the grid.

Symbols that are not parameters are replaced by their greatest (least) value: trip counters by the expression of the
last round, functions of other values (`n / 2`, `min(n, 64)`) by the same function of the operands' extremes, the rest
by an end of their range if that says anything.  Where a symbol has nothing to be replaced by there is no expression.
"""

from __future__ import annotations

import numpy as np

from analysis_core.domains import polynomial as pl
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.polynomial import Monomial, Poly
from analysis_core.domains.shape import BoolVector, some
from analysis_core.domains.symbol import Symbol, SymbolKind
from analysis_core.domains.thread_value import Integer, is_signed
from analysis_core.expressions import expression as ex
from analysis_core.expressions.expression import Expression
from analysis_core.interp.core.exact_expressions import all_known, exact_expression, greatest_exactly, quotient
from analysis_core.interp.core.known import Known, extreme_of, order_of

_SAYS_NOTHING = 1 << 20
"""An end of a range from which on it comes from a type or a limit of the hardware: no figure to show to anybody."""

_NARROW = frozenset({(-128, 127), (0, 255), (-32768, 32767), (0, 65535)})
"""The ranges of types that are no figure either: a length that is kept in a byte is hardly ever 255."""

_MOST_KINDS = 4
"""Kinds of lanes that are told apart: the last one, and the first."""

_MOST_STEPS = 8
"""How many functions of functions are looked through."""


def upper_expression(poly: Poly, known: Known, lanes: BoolVector, steps: int = _MOST_STEPS) -> Expression | None:
    """An expression that no lane of `lanes` exceeds."""
    chosen = alternatives(poly, known) if steps > 0 else None
    if chosen is not None:
        found = [upper_expression(instead, known, lanes, steps - 1) for instead in chosen]
        uppers = [upper for upper in found if upper is not None]
        return ex.minimum(*uppers) if uppers else None
    either = _of_a_choice(poly, known, lanes, steps) or _of_a_difference(poly, known, lanes)
    if either is None and steps > 0:
        either = _of_two_quotients(poly, known, lanes, steps)
    if either is not None:
        return either
    groups = _groups(poly, lanes)
    if len(groups) > 1:  # `tid == last ? n : begin + chunk`: each lane has its own end
        ends = all_known(upper_expression(_on(poly, group), known, group, steps) for group in groups)
        return None if ends is None else ex.maximum(*ends)
    terms: list[Expression] = []
    for monomial, coefficient in poly.terms.items():
        if isinstance(coefficient, int):
            top = bottom = coefficient
        else:
            top, bottom = int(coefficient[lanes].max()), int(coefficient[lanes].min())
        if not monomial:
            terms.append(ex.integer(top))
            continue
        low, _ = pl.monomial_range(monomial)
        if top != bottom and low < 0:
            return None
        product = _monomial_extreme(monomial, top >= 0, known, lanes, steps)
        if product is None:
            return None
        terms.append(ex.scale(top, product))
    return ex.add(*terms) if terms else ex.integer(0)


def _groups(poly: Poly, lanes: BoolVector) -> list[BoolVector]:
    """The lanes with equal factors of everything unknown, where there are few kinds of them; else all lanes."""
    factors = [c for m, c in poly.terms.items() if m and not isinstance(c, int) and some(c[lanes] != c[lanes][:1])]
    if not factors:
        return [lanes]
    kinds = np.unique(np.stack(factors)[:, lanes], axis=1)
    if kinds.shape[1] > _MOST_KINDS:
        return [lanes]
    return [lanes & np.logical_and.reduce([c == k for c, k in zip(factors, kind, strict=True)]) for kind in kinds.T]


def _on(poly: Poly, lanes: BoolVector) -> Poly:
    """The polynomial on lanes that have equal factors of everything unknown."""
    return Poly({m: c if not m or isinstance(c, int) else int(c[lanes][0]) for m, c in poly.terms.items()})


def _of_two_quotients(poly: Poly, known: Known, lanes: BoolVector, steps: int) -> Expression | None:
    """floor(a / d) - floor(b / d) is no more than (a - b + d - 1) / d, rounded down: `(t + 1) * n / 128 - t * n / 128`."""
    quotients: list[tuple[Monomial, int, Poly, int]] = []
    for monomial, factor in poly.terms.items():
        derivation = known.derivations.get(monomial[0]) if len(monomial) == 1 else None
        if derivation is not None and derivation.op == "floor/" and isinstance(factor, int) and abs(factor) == 1:
            cut, by = (operand.poly for operand in derivation.operands)
            if by.is_constant and isinstance(by.constant, int):
                quotients.append((monomial, factor, cut, by.constant))
    for up, sign, a, d in quotients:
        for down, other, b, same in quotients:
            if sign > other and d == same:
                rest = Poly({m: c for m, c in poly.terms.items() if m not in (up, down)})
                raised = pl.add(pl.add(pl.scale(rest, d), pl.subtract(a, b)), pl.constant(d - 1))
                upper = upper_expression(raised, known, lanes, steps - 1)
                return None if upper is None else ex.floor_div(upper, ex.integer(d))
    return None


def alternatives(poly: Poly, known: Known) -> list[Poly] | None:
    """Polynomials of which none is exceeded by `poly`, where that holds a minimum: c*min(a, b) + rest is at most c*a +
    rest and at most c*b + rest, where other terms may cancel (`min(first + chunk, n) - first`). Likewise for -c*max(a,
    b), and for unsigned values, which get less by wrapping around. None without such a term."""
    for monomial, coefficient in poly.terms.items():
        if len(monomial) != 1 or not isinstance(coefficient, int):
            continue
        derivation = known.derivations.get(monomial[0])
        if derivation is None or extreme_of(derivation) != ("min" if coefficient > 0 else "max"):
            continue
        natural = coefficient > 0 and derivation.type is not None and not is_signed(derivation.type)
        if all(o.exact or (natural and pl.total_bounds(o.poly)[0] >= 0) for o in derivation.operands):
            rest = Poly({m: c for m, c in poly.terms.items() if m != monomial})
            return [pl.add(rest, pl.scale(operand.poly, coefficient)) for operand in derivation.operands]
    return None


def _of_a_choice(poly: Poly, known: Known, lanes: BoolVector, steps: int) -> Expression | None:
    """What neither of two ways exceeds that a condition decides between (`b + x*(a - b)`): both are asked for at once, since their sum is
    more than either.  None where nothing is chosen."""
    choice = next((s for s in sorted(poly.symbols()) if s.kind is SymbolKind.CHOICE), None) if steps > 1 else None
    if choice is None:
        return None
    then, otherwise = _with(poly, choice, True), _with(poly, choice, False)
    found = all_known(upper_expression(way, known, lanes, steps // 2) for way in (then, otherwise))
    if found is None:
        return None
    derivation = known.derivations.get(choice)
    condition = derivation.condition if derivation is not None else None
    least = condition is not None and order_of(condition, then, otherwise) == "min"
    return ex.minimum(*found) if least else ex.maximum(*found)


def _of_a_difference(poly: Poly, known: Known, lanes: BoolVector) -> Expression | None:
    """Just what it is, where something derived is taken away, the least of which says nothing: `n - n / 4 * 4`."""
    taken = (m for m, c in poly.terms.items() if isinstance(c, int) and c < 0 for s in m if s in known.derivations)
    return greatest_exactly(poly, known, lanes) if next(taken, None) is not None else None


def _with(poly: Poly, choice: Symbol, chosen: bool) -> Poly:
    """The polynomial where the condition holds, or does not."""
    kept = Poly({m: c for m, c in poly.terms.items() if choice not in m})
    if not chosen:
        return kept
    for monomial, coefficient in poly.terms.items():
        if choice in monomial:
            kept = pl.add(kept, Poly({tuple(s for s in monomial if s is not choice): coefficient}))
    return kept


def _monomial_extreme(
    monomial: Monomial, greatest: bool, known: Known, lanes: BoolVector, steps: int
) -> Expression | None:
    """The monomial's greatest or least value; several symbols only where all are non-negative."""
    if len(monomial) > 1 and any(s.low is None or s.low < 0 for s in monomial):
        return None
    factors = []
    for symbol in monomial:
        factor = symbol_extreme(symbol, greatest, known, lanes, steps)
        if factor is None:
            return None
        factors.append(factor)
    return ex.multiply(*factors)


def symbol_extreme(
    symbol: Symbol, greatest: bool, known: Known, lanes: BoolVector, steps: int = _MOST_STEPS
) -> Expression | None:
    """The greatest (or least) value of a symbol as an expression. A parameter stands for itself; the module's
    docstring says what replaces other symbols."""
    if symbol.kind is SymbolKind.PARAMETER or symbol.name.startswith("gridDim."):
        return ex.symbol(symbol.name)
    if symbol in known.uppers and greatest:
        return known.uppers[symbol]
    end = symbol.high if greatest else symbol.low
    derivation = known.derivations.get(symbol)
    says_something = end is not None and abs(end) < _SAYS_NOTHING and not (derivation is None and _is_of_a_type(symbol))
    number = ex.integer(end) if end is not None and says_something else None
    if derivation is None or not greatest or steps <= 0:
        return number
    derived = _derived_upper(derivation, known, lanes, steps - 1)
    return ex.minimum(derived, number) if derived is not None and number is not None else derived or number


def _is_of_a_type(symbol: Symbol) -> bool:
    """Whether nothing but its type is known of a value from memory."""
    return symbol.kind in (SymbolKind.DATA, SymbolKind.UNKNOWN) and (symbol.low, symbol.high) in _NARROW


def _derived_upper(derivation: Derivation, known: Known, lanes: BoolVector, steps: int) -> Expression | None:
    """The greatest value of a function, monotone in its first operand (min, max: in both)."""
    if any(not operand.exact for operand in derivation.operands):
        return None
    uppers = (upper_expression(operand.poly, known, lanes, steps) for operand in derivation.operands)
    match extreme_of(derivation):
        case "min":
            found = [upper for upper in uppers if upper is not None]
            return ex.minimum(*found) if found else None
        case "max" | "blend":
            ends = all_known(uppers)
            return None if ends is None else ex.maximum(*ends)
        case "/" | "floor/" | ">>":
            dividend, divisor = derivation.operands
            upper = next(uppers) if pl.total_bounds(dividend.poly)[0] >= 0 else None
            if upper is None:
                return None
            if not divisor.poly.is_constant and derivation.op != ">>" and pl.total_bounds(divisor.poly)[0] >= 1:
                by = exact_expression(divisor.poly, known, lanes)
                if by is not None:
                    return quotient(upper, by)
            return _quotient(upper, divisor, derivation.op)
        case "%" | "floor%" if pl.total_bounds(derivation.operands[0].poly)[0] >= 0:
            return _remainder(next(uppers), next(uppers), derivation)
        case _:
            return None


def _remainder(dividend: Expression | None, divisor: Expression | None, derivation: Derivation) -> Expression | None:
    """A remainder does not exceed what is divided, and is below a divisor that is not negative.  Of what the whole grid counts the
    latter alone is told: its extent is hardly ever less than that by which an index is cut to a row's."""
    cut, by = (operand.poly for operand in derivation.operands)
    if divisor is None or by.is_constant or pl.total_bounds(by)[0] < 0:
        return dividend
    below = ex.subtract(divisor, ex.integer(1))
    if dividend is None or any(s.kind is SymbolKind.GRID for s in cut.symbols()):
        return below
    return ex.minimum(dividend, below)


def _quotient(dividend: Expression, divisor: Integer, op: str) -> Expression | None:
    """A bound of a non-negative dividend over a divisor of at least 1; any other divisor but a constant is taken for 1."""
    amount = divisor.poly.constant if divisor.poly.is_constant else None
    if not isinstance(amount, int):
        return dividend if op == ">>" or pl.total_bounds(divisor.poly)[0] >= 1 else None
    d = 1 << amount if op == ">>" and 0 <= amount < 64 else amount
    return ex.floor_div(dividend, ex.integer(d)) if d >= 1 else None
