"""What is left over of a count that was rounded down: `if (i < n / 4 * 4) .. else if (i < n) ..`.

However long the arrays are, fewer indexes than the divisor come there: some threads of one block or two.  What they do costs a launch
nothing, be it ever so scattered, and takes no share from what all others do.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence, Set
from dataclasses import field
from itertools import combinations

from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Condition, below_zero
from analysis_core.domains.derivation import QUOTIENTS, Derivation
from analysis_core.domains.mask import Mask
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.shape import BoolVector, some
from analysis_core.domains.symbol import Symbol, SymbolKind
from analysis_core.interp.core.events import AccessEvent
from analysis_core.text.records import dataclass

_MOST_CONDITIONS = 8
"""Orders of one mask that are held against each other."""

_REMAINDERS = ("%", "floor%")

_FEW_LANES = 8
"""Threads of a block which are few, and the part of the block that they are at most."""


@dataclass(frozen=True, slots=True, eq=False)
class LeftOvers:
    """Finds what runs only for the rest of a count, `i >= n / 4 * 4 && i < n`. Answers are kept by mask, since most
    accesses share theirs."""

    derivations: Mapping[Symbol, Derivation]
    _found: dict[int, bool] = field(default_factory=dict)
    _divided: list[frozenset[tuple[Hashable, int]]] = field(default_factory=list)

    def holds(self, group: Iterable[AccessEvent]) -> bool:
        """Whether all these executions are made only for the rest of a count."""
        events = tuple(group)
        return all(self._of(event.mask) for event in events) or self._go_over_a_rest(events)

    def _go_over_a_rest(self, events: Sequence[AccessEvent]) -> bool:
        """Whether rounds over `n % 8` make all of them, where the kernel asks for `n / 8`, too: what the rounds over that leave.  A lone
        test whether anything is left says nothing of how much is done."""
        if not all(event.mask.literals for event in events) or not self._wholes:
            return False
        rests: list[Poly] = []
        for event in events:
            rest = self._rest(event.mask)
            if rest is None:
                return False
            rests.append(rest)
        return any(map(_has_rounds, rests)) or len({rest.key() for rest in rests}) > 1

    def _rest(self, mask: Mask) -> Poly | None:
        """The innermost order by which a round is one of a rest's: `k - n % 8 < 0`."""
        for order in reversed(self._orders(mask)):
            sizes = Poly({m: c for m, c in order.terms.items() if not any(s.kind is SymbolKind.ITERATION for s in m)})
            divisors = [self._rest_of(s) for s in sizes.symbols() if s.kind is not SymbolKind.PARAMETER]
            if divisors and all(divisors) and -self._least(sizes) < max(divisors) and _goes_up(order):
                return order
        return None

    def _rest_of(self, symbol: Symbol) -> int:
        """The number that a quotient or a remainder of sizes is by, where the kernel has the quotient; else 0."""
        derivation = self.derivations.get(symbol)
        number = None if derivation is None else _divisor(derivation, (*QUOTIENTS, *_REMAINDERS))
        if derivation is None or number is None:
            return 0
        return number if (derivation.operands[0].poly.key(), number) in self._wholes else 0

    @property
    def _wholes(self) -> Set[tuple[Hashable, int]]:
        """What sizes are divided by, in all of the kernel."""
        if not self._divided:
            divided = ((one, _divisor(one)) for one in self.derivations.values())
            sizes = ((one.operands[0].poly, number) for one, number in divided if number is not None)
            self._divided.append(frozenset((poly.key(), number) for poly, number in sizes if _is_of_sizes(poly)))
        return self._divided[0]

    def _orders(self, mask: Mask) -> list[Poly]:
        """What has to be below zero for a lane to be there."""
        orders = (_below_zero(entry.formula) for entry in mask.literals if not some(mask.may & ~entry.scope))
        return [order for order in orders if order is not None][:_MOST_CONDITIONS]

    def _of(self, mask: Mask) -> bool:
        if not mask.literals:
            return False
        found = self._found.get(id(mask))
        if found is None:
            known = self._orders(mask)
            found = any(self._lets_few_in(order, mask.may) for order in known)
            found = self._found[id(mask)] = found or any(self._are_few(a, b) for a, b in combinations(known, 2))
        return found

    def _lets_few_in(self, order: Poly, may: BoolVector) -> bool:
        """Whether hardly a lane of a block is below zero: of those behind the last whole group of eight (`while ((i + 1) * 8 > n)` with i
        from `(n + 7) / 8` on down) there is one, in one round."""
        rounded = (self.derivations.get(s) for s in order.symbols())
        if not any(one is not None and _divisor(one) is not None for one in rounded):
            return False
        rest = self._least(Poly({m: c for m, c in order.terms.items() if m}))
        lanes = pl.coefficient_vector(order.constant, len(may))[may]
        few = int((lanes + rest < 0).sum())
        return few <= _FEW_LANES and _FEW_LANES * few <= len(lanes)

    def _are_few(self, first: Poly, second: Poly) -> bool:
        """Whether no more values of the first than a block has lie between both ends: first < 0 and second < 0, and neither is far below,
        since their sum is not."""
        per_block = _per_block(first)
        return per_block > 0 and -self._least(pl.add(first, second)) - 1 <= per_block

    def _least(self, poly: Poly) -> float:
        """What it is at least, where a dividend and what its quotient makes of it cancel."""
        slack = 0
        for symbol in sorted(poly.symbols()):
            derivation, factor = self.derivations.get(symbol), poly.terms.get((symbol,), 0)
            divisor = None if derivation is None else _divisor(derivation)
            if derivation is None or divisor is None or not isinstance(factor, int) or not factor or factor % divisor:
                continue
            times = factor // divisor
            dividend = pl.scale(derivation.operands[0].poly, times)
            poly = pl.add(pl.subtract(poly, pl.scale(pl.of_symbol(symbol), factor)), dividend)
            slack += max(0, times) * (divisor - 1)
        return pl.total_bounds(poly)[0] - slack


def _below_zero(c: Condition) -> Poly | None:
    """As `below_zero`, also of numbers that may wrap: what is left over of great numbers is no more."""
    known = below_zero(c)
    order = None if c.atom is None else c.atom.compared
    if known is not None or order is None or order.op not in ("<", "<="):
        return known
    apart = pl.subtract(order.left.poly, order.right.poly)
    if not c.positive:
        apart = pl.subtract(pl.constant(-1), apart)
    return apart if order.op == "<" else pl.add(apart, pl.constant(-1 if c.positive else 1))


def _is_of_sizes(poly: Poly) -> bool:
    return bool(poly.symbols()) and all(s.kind is SymbolKind.PARAMETER for s in poly.symbols())


def _has_rounds(order: Poly) -> bool:
    return any(s.kind is SymbolKind.ITERATION for s in order.symbols())


def _goes_up(order: Poly) -> bool:
    """Whether rounds bring it nearer to zero."""
    moving = [c for m, c in order.terms.items() if any(s.kind is SymbolKind.ITERATION for s in m)]
    return all(isinstance(c, int) and c > 0 for c in moving)


def _divisor(derivation: Derivation, ops: Collection[str] = QUOTIENTS) -> int | None:
    """The number by which a value is divided."""
    if derivation.op not in ops or derivation.settled is not None or len(derivation.operands) != 2:
        return None
    by = derivation.operands[1].poly
    number = by.constant if by.is_constant else None
    if not isinstance(number, int) or number < 0 or (derivation.op == ">>" and number > 31):
        return None
    return 1 << number if derivation.op == ">>" else number or None


def _per_block(poly: Poly) -> int:
    """How far it goes from block to block; 0 where rounds of a loop move it as well."""
    if any(s.kind is SymbolKind.ITERATION for s in poly.symbols()):
        return 0
    steps = (
        abs(c)
        for m, c in poly.terms.items()
        if isinstance(c, int) and len(m) == 1 and m[0].kind is SymbolKind.GRID and m[0].name.startswith("blockIdx")
    )
    return max(steps, default=0)
