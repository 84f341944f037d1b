"""What a quotient q = floor(P / d) says of P: P - d*q lies from 0 to d - 1."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from analysis_core.domains import polynomial as pl
from analysis_core.domains.congruence import common_congruence
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.relations import NONE, Relations, lower_bounds
from analysis_core.domains.symbol import Level, Symbol

_MOST = 1 << 20
"""Divisors that are worth knowing."""


def is_never_negative(poly: Poly, derivations: Mapping[Symbol, Derivation], relations: Relations = NONE) -> bool:
    """Whether a polynomial is never negative, by what its quotients are made of and by what is assumed of several
    symbols together."""
    facts = (*relations.nonnegative, *quotient_facts(poly, derivations))
    return bool(facts) and float(np.min(lower_bounds(poly, Relations(facts)))) >= 0


def quotient_facts(poly: Poly, derivations: Mapping[Symbol, Derivation]) -> Iterator[Poly]:
    """Polynomials that are never negative, read off the quotients in a polynomial that all threads of a block share."""
    for symbol in sorted(poly.symbols()):
        derivation = derivations.get(symbol)
        if derivation is not None and derivation.op == "floor/" and derivation.settled is None:
            yield from _of_quotient(symbol, derivation)


def _of_quotient(symbol: Symbol, derivation: Derivation) -> Iterator[Poly]:
    """P - d*q is no less than the remainder, as far as that is known."""
    cut, by = (operand.poly for operand in derivation.operands)
    d = by.constant if by.is_constant else None
    if isinstance(d, int) and 1 < d <= _MOST and is_shared(cut):
        modulus, residue = common_congruence(cut, d)
        rest = pl.subtract(cut, pl.scale(pl.of_symbol(symbol), d))
        yield pl.subtract(rest, pl.constant(residue if modulus == d else 0))


def is_shared(poly: Poly) -> bool:
    """Whether all threads of the block have one value: no symbol differs between them, and no coefficient is a vector."""
    return pl.level(poly) is Level.BLOCK and all(isinstance(c, int) for c in poly.terms.values())
