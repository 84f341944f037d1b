"""Thread-vector polynomials: the exact values of all threads of a block, relative to symbols.

    value of thread t  =  sum over monomials m of  c_m[t] * m

A monomial is a sorted tuple of symbols (the empty one is 1), a coefficient is a plain int where all threads share
it, else an int64 vector.  Coefficients live in Z/2^64, represented by the signed 64-bit integer: the ring laws hold
there, hence modulo 2^w for every C type.  Whether the *integer* value equals the polynomial is a separate question,
answered with `bounds` (see thread_value.py).

A choice symbol x is 0 or 1, so x*x = x is applied by `multiply`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import gcd, inf
from operator import attrgetter
from types import MappingProxyType

import numpy as np

from analysis_core.domains.shape import BoolVector, FloatVector, IntVector, every, some, vector_level
from analysis_core.domains.symbol import Level, Symbol
from analysis_core.support.derived import derived
from analysis_core.text.records import dataclass

Coefficient = int | IntVector
Monomial = tuple[Symbol, ...]

_NUMBER = attrgetter("number")
_HALF = 1 << 63
_FULL = 1 << 64
_EXACT_FLOAT = float(1 << 53)
_MAX_TERMS = 24  # a longer polynomial costs more than it tells; callers replace it by a symbol


@dataclass(frozen=True, eq=False)  # no slots: what is derived from it is kept with it
class Poly:
    """Invariant: no coefficient is zero or a vector of equal entries; every monomial is sorted."""

    terms: Mapping[Monomial, Coefficient]

    @property
    def is_constant(self) -> bool:
        """No symbol occurs; the value of every thread is known."""
        return not self.terms or (len(self.terms) == 1 and () in self.terms)

    @property
    def constant(self) -> Coefficient:
        """The coefficient of 1."""
        return self.terms.get((), 0)

    @property
    def too_long(self) -> bool:
        return len(self.terms) > _MAX_TERMS

    def symbols(self) -> frozenset[Symbol]:
        return self._symbols

    @derived
    def _symbols(self) -> frozenset[Symbol]:
        return frozenset([symbol for monomial in self.terms for symbol in monomial])

    @derived
    def level(self) -> Level:
        """The uniformity of the least uniform monomial, see `level`."""
        result = max((symbol.level for symbol in self._symbols), default=Level.BLOCK)
        for coefficient in self.terms.values():
            if result is Level.LANE:
                break
            if not isinstance(coefficient, int):
                result = max(result, Level(vector_level(coefficient)))
        return result

    def key(self) -> tuple[tuple[Monomial, int | bytes], ...]:
        """Equal keys: equal polynomials."""
        return self._key

    @derived
    def _key(self) -> tuple[tuple[Monomial, int | bytes], ...]:
        return tuple([(m, c if isinstance(c, int) else c.tobytes()) for m, c in self.ordered])

    @derived
    def ordered(self) -> tuple[tuple[Monomial, Coefficient], ...]:
        """The terms by the numbers of their symbols, the constant first."""
        if len(self.terms) < 2:
            return tuple(self.terms.items())
        return tuple(sorted(self.terms.items(), key=lambda term: tuple([s.number for s in term[0]])))

    @derived
    def ends(self) -> tuple[float, float]:
        """The bounds over all threads, see `total_bounds`."""
        low, high = bounds(self)
        return least(low), greatest(high)


ZERO = Poly(MappingProxyType({}))


def wrap64(value: int) -> int:
    """`value` modulo 2^64 as a signed integer."""
    if -_HALF <= value < _HALF:
        return value
    return (value + _HALF) % _FULL - _HALF


def _tidy(coefficient: IntVector) -> Coefficient:
    """The canonical form: an int where all entries agree."""
    first = coefficient[0]
    if coefficient[-1] != first or not every(coefficient == first):
        return coefficient  # most vectors differ at their ends
    return int(first)


def _build(terms: dict[Monomial, Coefficient]) -> Poly:
    tidy: dict[Monomial, Coefficient] = {}
    for m, c in terms.items():
        if not isinstance(c, int):
            c = _tidy(c)
            if not isinstance(c, int):
                tidy[m] = c
                continue
        if c:
            tidy[m] = c
    return Poly(tidy)


def constant(value: int | np.integer | IntVector) -> Poly:
    """The polynomial without symbols, from one number for all threads or one per thread."""
    if isinstance(value, np.ndarray) and value.ndim:
        same = _tidy(value)
        return ZERO if isinstance(same, int) and same == 0 else Poly({(): same})
    number = wrap64(int(value))
    return Poly({(): number}) if number else ZERO


def of_symbol(symbol: Symbol) -> Poly:
    return Poly({(symbol,): 1})


def _plus(a: Coefficient, b: Coefficient) -> Coefficient:
    return wrap64(a + b) if isinstance(a, int) and isinstance(b, int) else a + b


def _times(a: Coefficient, b: Coefficient) -> Coefficient:
    return wrap64(a * b) if isinstance(a, int) and isinstance(b, int) else a * b


def add(a: Poly, b: Poly) -> Poly:
    if not a.terms:
        return b
    if not b.terms:
        return a
    terms = dict(a.terms)
    for m, c in b.terms.items():
        if m in terms:
            _put(terms, m, _plus(terms[m], c))
        else:
            terms[m] = c
    return Poly(terms)


def _put(terms: dict[Monomial, Coefficient], m: Monomial, c: Coefficient) -> None:
    """Replaces a coefficient, or removes it if it became zero."""
    if not isinstance(c, int):
        c = _tidy(c)
    if isinstance(c, int) and not c:
        del terms[m]
    else:
        terms[m] = c


def scale(a: Poly, factor: Coefficient) -> Poly:
    if isinstance(factor, int):
        if factor == 1 or not a.terms:
            return a
        if factor == 0:
            return ZERO
    return _build({m: _times(c, factor) for m, c in a.terms.items()})


def negate(a: Poly) -> Poly:
    # What differs still differs, and what is not zero stays so: nothing to tidy.
    return Poly({m: wrap64(-c) if isinstance(c, int) else -c for m, c in a.terms.items()}) if a.terms else a


def subtract(a: Poly, b: Poly) -> Poly:
    return add(a, negate(b))


def _join_monomials(a: Monomial, b: Monomial) -> Monomial:
    if not a:
        return b
    if not b:
        return a
    if len(a) == 1 and len(b) == 1:  # most are
        first, second = a[0], b[0]
        if first is second:
            return a if first.is_choice else (first, first)
        return (first, second) if first.number < second.number else (second, first)
    merged = sorted((*a, *b), key=_NUMBER)
    return tuple(s for i, s in enumerate(merged) if not (i and merged[i - 1] is s and s.is_choice))


def multiply(a: Poly, b: Poly) -> Poly:
    if a.is_constant:
        return scale(b, a.constant)
    if b.is_constant:
        return scale(a, b.constant)
    terms: dict[Monomial, Coefficient] = {}
    for ma, ca in a.terms.items():
        for mb, cb in b.terms.items():
            m = _join_monomials(ma, mb)
            product = _times(ca, cb)
            terms[m] = _plus(terms[m], product) if m in terms else product
    return _build(terms)


def select(mask: BoolVector, a: Poly, b: Poly) -> Poly:
    """Lane by lane: `a` where the mask holds, else `b`."""
    if a is b:
        return a
    terms: dict[Monomial, Coefficient] = {}
    for m in {**a.terms, **b.terms}:
        ca, cb = a.terms.get(m, 0), b.terms.get(m, 0)
        same = isinstance(ca, int) and isinstance(cb, int) and ca == cb
        terms[m] = ca if same else np.where(mask, ca, cb).astype(np.int64, copy=False)
    return _build(terms)


def equal(a: Poly, b: Poly) -> bool:
    """Whether both are the same polynomial (sufficient for equal values)."""
    if a is b:
        return True
    if a.terms.keys() != b.terms.keys():
        return False
    return all(_same(c, b.terms[m]) for m, c in a.terms.items())


def _same(a: Coefficient, b: Coefficient) -> bool:
    if isinstance(a, int) or isinstance(b, int):
        return isinstance(a, int) and isinstance(b, int) and a == b
    return every(a == b)


def level(a: Poly) -> Level:
    """The least uniform of all monomials: a monomial is as uniform as its symbols and its coefficients."""
    return a.level


def map_coefficients(a: Poly, change: Callable[[Coefficient], Coefficient]) -> Poly:
    """The polynomial with every coefficient replaced, e.g. by its quotient."""
    return _build({m: change(c) for m, c in a.terms.items()})


def centred(a: Poly, bits: int) -> Poly:
    """A polynomial congruent to `a` modulo 2^bits with small coefficients: those of different lanes are less than
    2^bits apart, and the first lane's is the least in absolute value."""
    if bits >= 64:
        return a
    half, full = 1 << (bits - 1), 1 << bits

    def centre(c: Coefficient) -> Coefficient:
        if isinstance(c, int):
            return (c + half) % full - half
        first = (int(c[0]) + half) % full - half
        return np.asarray(first + ((c - c[0] + half) % full - half), dtype=np.int64)

    return map_coefficients(a, centre)


def monomial_range(monomial: Monomial) -> tuple[float, float]:
    """An interval of the product of the symbols; infinite where a symbol is unbounded."""
    if len(monomial) == 1:
        return monomial[0].ends
    low, high = 1.0, 1.0
    for symbol in monomial:
        slow, shigh = symbol.ends
        corners = [_product(x, y) for x in (low, high) for y in (slow, shigh)]
        low, high = min(corners), max(corners)
    if len(monomial) == 2 and monomial[0] is monomial[1]:
        low = max(low, 0.0)
    return low, high


def _product(x: float, y: float) -> float:
    return 0.0 if x == 0 or y == 0 else x * y


End = FloatVector | float
"""An end of a range, one per thread or one that all threads share."""


def least(end: End) -> float:
    """The least over all threads."""
    return end if isinstance(end, float) else float(end.min())


def greatest(end: End) -> float:
    """The greatest over all threads."""
    return end if isinstance(end, float) else float(end.max())


def less(a: End, b: End) -> End:
    """The lesser of two ends, thread by thread."""
    return min(a, b) if isinstance(a, float) and isinstance(b, float) else np.minimum(a, b)


def greater(a: End, b: End) -> End:
    """The greater of two ends, thread by thread."""
    return max(a, b) if isinstance(a, float) and isinstance(b, float) else np.maximum(a, b)


def bounds(a: Poly) -> tuple[End, End]:
    """Per thread, a lower and an upper bound of the integer value; plain floats where all threads share them.

    Floats are exact below 2^53; results beyond are rounded outwards."""
    low: FloatVector | float = 0.0
    high: FloatVector | float = 0.0
    for monomial, coefficient in a.terms.items():
        if not monomial:
            value = float(coefficient) if isinstance(coefficient, int) else coefficient.astype(np.float64)
            low, high = low + value, high + value
            continue
        mlow, mhigh = monomial_range(monomial)
        if isinstance(coefficient, int):
            c = float(coefficient)
            first, second = (
                (_product(c, mlow), _product(c, mhigh)) if c >= 0 else (_product(c, mhigh), _product(c, mlow))
            )
            low, high = low + first, high + second
        else:
            first_v, second_v = _ends(coefficient, mlow, mhigh)
            low, high = low + first_v, high + second_v
    return _outwards(low, -inf), _outwards(high, inf)


def _ends(coefficient: IntVector, low: float, high: float) -> tuple[FloatVector, FloatVector]:
    """The least and the greatest of coefficient * x for x in [low, high]; 0 * infinity is 0."""
    factors = coefficient.astype(np.float64)
    at_low, at_high = _scaled(factors, low), _scaled(factors, high)
    return np.minimum(at_low, at_high), np.maximum(at_low, at_high)


def _scaled(factors: FloatVector, end: float) -> FloatVector:
    if end in (inf, -inf):
        return np.where(factors == 0, 0.0, np.where((factors > 0) == (end > 0), inf, -inf))
    return factors * end


def _outwards(value: FloatVector | float, towards: float) -> FloatVector | float:
    if isinstance(value, float):
        if abs(value) <= _EXACT_FLOAT or value in (inf, -inf):
            return value
        return value + abs(value) * 1e-12 * (1 if towards > 0 else -1)
    big = np.abs(value) > _EXACT_FLOAT
    if some(big):
        slack = np.where(np.isfinite(value) & big, np.abs(value) * 1e-12, 0.0)
        return value + (slack if towards > 0 else -slack)
    return value


def total_bounds(a: Poly) -> tuple[float, float]:
    """Bounds over all threads."""
    return a.ends


def is_shared(monomial: Monomial) -> bool:
    """Whether the lanes of a warp agree on the product."""
    return all(s.level is not Level.LANE for s in monomial)


def congruence(monomial: Monomial) -> tuple[int, int]:
    """(modulus, residue) of a product of symbols: value = residue (mod modulus)."""
    modulus, residue = 0, 1  # modulus 0: exactly `residue`
    for s in monomial:
        m, r = s.modulus, s.residue
        modulus, residue = gcd(modulus * m, gcd(modulus * r, m * residue)), residue * r
        residue = residue % modulus if modulus else residue
    return (modulus or 1), (residue % modulus if modulus else residue)


def coefficient_vector(coefficient: Coefficient, size: int) -> IntVector:
    """The coefficient as a vector of `size` entries."""
    if isinstance(coefficient, int):
        return np.full(size, coefficient, dtype=np.int64)
    return coefficient


def substitute(a: Poly, values: Mapping[Symbol, Poly]) -> Poly:
    """The polynomial with symbols replaced by polynomials, all at once."""
    if a.symbols().isdisjoint(values):
        return a
    terms: dict[Monomial, Coefficient] = {}
    for monomial, coefficient in a.terms.items():
        if len(monomial) == 1 and monomial[0] in values:  # most are
            for m, factor in values[monomial[0]].terms.items():
                c = _times(coefficient, factor)
                terms[m] = _plus(terms[m], c) if m in terms else c
            continue
        put_in = [values[s] for s in monomial if s in values]
        if not put_in:
            terms[monomial] = _plus(terms[monomial], coefficient) if monomial in terms else coefficient
            continue
        kept = tuple(s for s in monomial if s not in values)
        product: Mapping[Monomial, Coefficient] = {kept: coefficient}
        for value in put_in[:-1]:
            product = multiply(Poly(product), value).terms
        for mb, cb in put_in[-1].terms.items():
            for ma, ca in product.items():
                m = _join_monomials(ma, mb)
                c = _times(ca, cb)
                terms[m] = _plus(terms[m], c) if m in terms else c
    return _build(terms)


def lanes_of(a: Poly, start: int, stop: int) -> Poly:
    """The polynomial of the threads from `start` to before `stop` only."""
    return map_coefficients(a, lambda c: c if isinstance(c, int) else c[start:stop])
