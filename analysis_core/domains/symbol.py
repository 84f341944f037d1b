"""Symbols: the unknowns that values are polynomials of.

A symbol stands for an integer that the analysis does not know, constant during one execution of the statement
that reads it.  Its *level* says who shares it (docs/decisions/01-thread-vectors.md):

    BLOCK   all threads of a block see one value   (parameters, blockIdx, counters of block-uniform loops)
    WARP    all lanes of a warp see one value, warps may differ
    LANE    every thread has its own

Identity is the object itself: two executions are never equated by spelling.  Each symbol carries an interval, a
congruence (value = residue mod modulus) and the cause that made it, so that an unknown always has a reason to show.
"""

from __future__ import annotations

from enum import Enum, IntEnum
from math import inf

from analysis_core.domains.shape import IntVector
from analysis_core.support.derived import derived
from analysis_core.support.facts import Cause
from analysis_core.text.records import dataclass


class Level(IntEnum):
    """Ordered: a greater level is less uniform; the join is `max`."""

    BLOCK = 0
    WARP = 1
    LANE = 2


class SymbolKind(Enum):
    PARAMETER = "parameter"  # an integer kernel parameter, or an opaque compile-time constant
    BASE = "base"  # the address of an object or of what a pointer parameter points to
    GRID = "grid"  # blockIdx, gridDim
    ITERATION = "iteration"  # how often a loop has run before the present iteration
    CHOICE = "choice"  # 0 or 1: which arm an undecided condition took
    DERIVED = "derived"  # a known function of other values, e.g. their remainder: see derivation.py
    DATA = "data"  # loaded from memory, a shuffle, a vote, a conversion from floating point
    UNKNOWN = "unknown"  # the analysis lost it: `cause` says why


@dataclass(frozen=True, eq=False)  # no slots: what is derived from it is kept with it
class Symbol:
    """`low <= value <= high` (None: unbounded) and value = residue (mod modulus).  `number` orders symbols by age.

    `values`: the only values that it takes, in increasing order, where they are few (powers of two).  `alike`: a number for each thread
    of the block; those of a warp with equal numbers have equal values (what they loaded from one address).  `counted`: memory decides it
    by what is counted, one by one: how often a condition held.

    Invariant: modulus >= 1, 0 <= residue < modulus, low <= high where both are given."""

    number: int
    name: str
    level: Level
    kind: SymbolKind
    low: int | None
    high: int | None
    modulus: int = 1
    residue: int = 0
    cause: Cause | None = None
    values: tuple[int, ...] | None = None
    alike: IntVector | None = None
    counted: bool = False

    def __lt__(self, other: Symbol) -> bool:
        return self.number < other.number

    @derived
    def ends(self) -> tuple[float, float]:
        """`low` and `high`, infinite where there is none."""
        return (-inf if self.low is None else float(self.low)), (inf if self.high is None else float(self.high))

    @derived
    def is_choice(self) -> bool:
        """A 0/1 symbol: its square is itself."""
        return self.kind is SymbolKind.CHOICE


class Unique:
    """A key that equals nothing but itself, also in later interpretations: what was found out in one may be looked up
    in the next."""

    __slots__ = ()


class SymbolSource:
    """Hands out fresh symbols for one interpretation of one kernel.

    `count` is also the clock that tells whether a symbol is older than a loop: an expression over symbols with
    number < count at the loop's entry is invariant in the loop."""

    def __init__(self) -> None:
        self.count = 0

    def unique(self) -> Unique:
        """A key that equals no other key. The clock goes on."""
        self.count += 1
        return Unique()

    def fresh(
        self,
        name: str,
        level: Level,
        kind: SymbolKind,
        low: int | None = None,
        high: int | None = None,
        modulus: int = 1,
        residue: int = 0,
        cause: Cause | None = None,
        values: tuple[int, ...] | None = None,
        alike: IntVector | None = None,
        counted: bool = False,
    ) -> Symbol:
        """A symbol equal to no other."""
        rest = residue % modulus
        symbol = Symbol(self.count, name, level, kind, low, high, modulus, rest, cause, values, alike, counted)
        self.count += 1
        return symbol
