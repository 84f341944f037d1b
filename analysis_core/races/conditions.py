"""Comparisons of sizes that keep two accesses apart: what a caller must see to, as `//@ assume` takes it.

A few templates are tried, the weakest first, made of the sizes that the accesses use and of the block's extents: `p >= 1`, `p >= q`,
`p % 16 == 0`, `p >= 16`, `p >= 16 * gridDim.x`, `p == 16 * gridDim.x`, `p == 0`, one block, `p <= 256`.  Those that hold in a case in which
threads meet keep nobody apart, and are not asked about.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import prod

from analysis_core.ir.launch_site import SizeRange
from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True)
class Comparison:
    """`left op factor * right`, or `left op factor` where `right` is ""; op: >= <= ==, or % for `left % factor == 0`."""

    left: str
    op: str
    factor: int
    right: str = ""

    @property
    def text(self) -> str:
        """As C spells it."""
        if self.op == "%":
            return f"{self.left} % {self.factor} == 0"
        number = str(self.factor)
        if self.right:
            number = self.right if self.factor == 1 else f"{number} * {self.right}"
        return f"{self.left} {self.op} {number}"

    @property
    def names(self) -> set[str]:
        """The sizes in it."""
        return {self.left, self.right} - {""}

    def holds(self, values: Mapping[str, int]) -> bool | None:
        """Whether it holds under these values; None where one is missing."""
        if not self.names <= values.keys():
            return None
        left, number = values[self.left], self.factor * (values[self.right] if self.right else 1)
        if self.op == "%":
            return left % self.factor == 0
        return left >= number if self.op == ">=" else left <= number if self.op == "<=" else left == number


Condition = tuple[Comparison, ...]
"""All of them."""


def text_of(condition: Condition) -> str:
    """As C spells it."""
    return " && ".join(one.text for one in condition)


def both_of(one: Condition, other: Condition) -> Condition:
    """What asks for both, without comparisons that others imply."""
    every = tuple(dict.fromkeys((*one, *other)))
    return tuple(c for c in every if not any(d != c and _implies(d, c) for d in every))


def _implies(one: Comparison, other: Comparison) -> bool:
    """Whether the first cannot hold without the second: extents of the grid are 1 at least."""
    if one.left != other.left or one.op == "%" or other.op == "%":
        return False
    if other.op == ">=" and one.op in (">=", "=="):
        return other.right in ("", one.right) and one.factor >= other.factor and _is_positive(one.right)
    return other.op == "<=" and one.op == "<=" and one.right == other.right and one.factor <= other.factor


def _is_positive(name: str) -> bool:
    return not name or name.startswith("gridDim.")


def holds(condition: Condition, values: Mapping[str, int]) -> bool | None:
    """Whether all comparisons hold; None where that is not known."""
    found = [one.holds(values) for one in condition]
    return False if False in found else None if None in found else True


def candidates(
    pitches: Sequence[str],
    guards: Sequence[str],
    block: tuple[int, int, int],
    axes: Iterable[int],
    single: Iterable[int],
) -> Iterator[Condition]:
    """Conditions that may keep threads apart, the weakest first. `pitches`: sizes in the distance; `guards`: others that are compared, of
    which small ones leave one block at work; `axes`: along which blocks differ; `single`: those along which one block may be asked for."""
    extents = sorted({*block, block[0] * block[1], prod(block)} - {1})
    grid = [(block[axis], f"gridDim.{'xyz'[axis]}") for axis in axes]
    for p in pitches:
        yield (Comparison(p, ">=", 1),)
    for p in pitches:
        yield from ((Comparison(p, ">=", 1, q),) for q in (*pitches, *guards) if q != p)
        yield from ((Comparison(p, "%", n),) for n in extents)
        yield from ((Comparison(p, ">=", n),) for n in extents)
    for p in pitches:
        yield from ((Comparison(p, ">=", n, extent),) for n, extent in grid)
        yield from ((Comparison(p, "==", n, extent),) for n, extent in grid)
        yield (Comparison(p, "==", 0),)
        yield (Comparison(p, "==", 1),)
    alone = [Comparison(f"gridDim.{'xyz'[axis]}", "==", 1) for axis in single]
    yield from ((one,) for one in alone)
    if len(alone) > 1:
        yield tuple(alone)
    if grid:
        yield from ((Comparison(p, "<=", n),) for p in guards for n in reversed(extents))


def of_parameters(ranges: Iterable[SizeRange]) -> Condition:
    """What the launch in view says of parameters, whatever the program is run with."""
    said = []
    for one in ranges:
        if one.run or one.condition:
            continue
        if one.least is not None and one.least == one.most:
            said.append(Comparison(one.name, "==", one.least))
            continue
        if one.least is not None:
            said.append(Comparison(one.name, ">=", one.least))
        if one.most is not None:
            said.append(Comparison(one.name, "<=", one.most))
    return tuple(said)
