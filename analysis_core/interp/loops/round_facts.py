"""What is known in round k of a summarised loop, because it has passed its test: relations between k and sizes.

A round of `for (m = 0; m < n / 16; m++)` has k <= q - 1 for the quotient q of n by 16, and 16*q <= n: so `16*m + threadIdx.x < n` holds for
the first 16 lanes, and a tile lies inside of the matrix.  Where n is a multiple of 16, n - 16*q is 0, and so it is for (n + 15) / 16.  A test `16*k < n` says
that 16*k <= n - 16 there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import gcd

from analysis_core.domains import polynomial as pl
from analysis_core.domains.congruence import common_congruence
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.quotient_facts import is_shared, quotient_facts
from analysis_core.domains.relations import Relations
from analysis_core.domains.symbol import Symbol
from analysis_core.interp.core.trips import LinearTest, LoopTest

_MOST = 1 << 20
"""Multiples that are worth knowing."""


def with_round_facts(
    relations: Relations, tests: Iterable[LoopTest], counter: Symbol, derivations: Mapping[Symbol, Derivation]
) -> Relations:
    """The relations that hold outside of the loop together with those of its round k; the same object where nothing is
    added."""
    found: list[Poly] = []
    for test in tests:
        if isinstance(test, LinearTest) and is_shared(test.start) and is_shared(test.step):
            below = pl.add(test.start, pl.multiply(test.step, pl.of_symbol(counter)))
            facts = list(quotient_facts(test.start, derivations))
            slack = _slack(below)
            if facts or slack > 1:
                found += [*facts, pl.subtract(pl.constant(-slack), below)]
    return Relations((*relations.nonnegative, *found), relations.nonzero) if found else relations


def _slack(below: Poly) -> int:
    """By how much the polynomial is less than 0 at least, where it is: it may go by steps only."""
    step = 0
    for monomial, c in below.terms.items():
        if monomial and isinstance(c, int):
            modulus, _ = pl.congruence(monomial)
            step = gcd(step, c * modulus)
    if not 1 < step <= _MOST:
        return 1
    modulus, residue = common_congruence(below, step)
    return modulus - residue if modulus > 1 else 1
