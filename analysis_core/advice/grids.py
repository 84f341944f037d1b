"""The grid of a launch at a size of the data: in whole blocks, for a run, and as a quotient, for comparing.

    dim3 grid(n / 16, n / 16)         at n = 100: 6 x 6 blocks, and 39.06 of them for comparing
    //@ launch block=(B) grid=((n-2)/(S*B))

What the host's text says stands in its own words (`Execution.handed`): all of its sizes are taken to be as large.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import floor, prod

from analysis_core.advice.knobs import Launched
from analysis_core.ir.launch_site import Amount, LaunchSite
from analysis_core.ir.stated import StatedName
from analysis_core.ir.types import ScalarKind, ScalarType, Type
from analysis_core.lower.names.annotation_values import constant_value
from analysis_core.machine.block_shape import Shape
from analysis_core.syntax.read.annotation_tree import Binary, Call, Name, Number, Term

_WORKED_OUT = "'"
"""In the name of a variable of the host that is no size: a number of blocks that it works out."""


MANY = 1 << 24
"""A size of data at which it makes no difference what the last block leaves over."""


def blocks_of(found: Launched, size: int = MANY) -> Fraction | None:
    """The blocks of a launch, without rounding; None where nothing says how many."""
    launch = found.launch
    if None not in launch.grid:
        return Fraction(prod(number for number in launch.grid if number is not None))
    if launch.stated_grid:
        extents = [_quotient(term, dict(found.kernel.annotations.names), size) for term in launch.stated_grid]
        return None if None in extents else prod((one for one in extents if one is not None), start=Fraction(1))
    site = site_of(found)
    threads = None if site is None or not site.profile.executions else site.profile.executions[0].least
    value = None if threads is None else _value(threads, size)
    return None if value is None else value / prod(launch.block)


def run_at(found: Launched, size: int, evenly: bool = True) -> tuple[Shape, Mapping[str, int]] | None:
    """The grid in whole blocks, and the integer parameters; None where one is not known, or what is assumed does not hold at this size.  `evenly`: only
    where no division of the host's leaves a rest; else what it leaves is dropped."""
    kernel, launch = found.kernel, found.launch
    whole = [v.name for v in kernel.variables if v.parameter and is_whole(v.type)]
    extents: list[int | None]
    if launch.stated_grid:
        passed: dict[str, int | None] = dict.fromkeys(whole, size)
        names: Mapping[str, StatedName] = {**dict(kernel.annotations.names), **dict.fromkeys(whole, size)}
        if any(constant_value(one.condition, names) == 0 for one in kernel.annotations.assumptions):
            return None
        if evenly and not all(_is_even(term, dict(kernel.annotations.names), size) for term in launch.stated_grid):
            return None
        extents = [constant_value(term, names) for term in launch.stated_grid]
    else:
        site = site_of(found)
        if site is None or not site.profile.executions:
            return None
        handed = {
            name: _integer(amount, size, evenly, is_rounded_up=name.startswith("gridDim"))
            for name, amount in site.profile.executions[0].handed
        }
        known = {one.name: one.least for one in launch.arguments.ranges if one.least == one.most}
        extents = [
            given if given is not None else handed.get(f"gridDim.{axis}")
            for axis, given in zip("xyz", site.grid, strict=True)
        ]
        # Of a grid that follows sizes, the numbers that are known belong to another size.
        first, second = (handed, known) if None in site.grid else (known, handed)
        passed = {name: second.get(name) if first.get(name) is None else first[name] for name in whole}
    grid = [extent for extent in extents if extent is not None and extent >= 1]
    numbers = {name: value for name, value in passed.items() if value is not None}
    if len(grid) < 3 or len(numbers) < len(whole):
        return None
    return (grid[0], grid[1], grid[2]), numbers


def site_of(found: Launched) -> LaunchSite | None:
    """What the host says of the launch, where it is a call."""
    return next((one for one in found.kernel.launches if one.span == found.launch.span), None)


def is_whole(type_: Type) -> bool:
    return isinstance(type_, ScalarType) and type_.kind in (ScalarKind.INT, ScalarKind.BOOL)


def _value(amount: Amount, size: int) -> Fraction | None:
    """Of a sum of products of sizes; None if it rests on what the host works out, or a size that it is divided by is 0."""
    if size == 0 and any(power < 0 for product, _ in amount for _, power in product):
        return None
    if any(_WORKED_OUT in name for product, _ in amount for name, _ in product):
        return None
    parts = (
        part * prod((Fraction(size) ** power for _, power in product), start=Fraction(1)) for product, part in amount
    )
    return sum(parts, Fraction(0))


def _integer(amount: Amount, size: int, evenly: bool, is_rounded_up: bool = False) -> int | None:
    """The value if it is an integer (or not `evenly`).  `is_rounded_up`: also of `(n + 15) / 16`, or `(n - 1) / 16 + 1`, where n is a multiple of 16."""
    value = _value(amount, size)
    if value is not None and evenly and is_rounded_up:
        value = _without_rounding(value, sum((part for product, part in amount if not product), Fraction(0)))
    return None if value is None or (evenly and value.denominator > 1) else floor(value)


def _without_rounding(value: Fraction, at_nothing: Fraction) -> Fraction:
    """A quotient without what rounds it up: what it is for no elements at all."""
    over = at_nothing % 1
    return value - over if over == 1 - Fraction(1, over.denominator) else value


def _is_even(term: Term, names: Mapping[str, StatedName], size: int) -> bool:
    """Whether no division leaves a rest at a size, but what rounds it up."""
    value, at_nothing = (_quotient(term, names, one) for one in (size, 0))
    return value is None or _without_rounding(value, at_nothing or Fraction(0)).denominator == 1


def _quotient(term: Term, names: Mapping[str, StatedName], size: int) -> Fraction | None:
    """The value of an extent of the grid, where nothing is rounded."""
    match term:
        case Number():
            return Fraction(term.value)
        case Name():
            known = names.get(term.name)
            return Fraction(known if isinstance(known, int) else size)
        case Call(function="ceil"):
            return _quotient(term.args[0], names, size)
        case Binary() | Call():
            op, pair = (term.op, (term.left, term.right)) if isinstance(term, Binary) else (term.function, term.args)
            left, right = (_quotient(one, names, size) for one in pair)
            return None if left is None or right is None else _combined(op, left, right)
        case _:
            return None


def _combined(op: str, left: Fraction, right: Fraction) -> Fraction | None:
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/" | "ceil_div":
            return left / right if right else None
        case "min":
            return min(left, right)
        case "max":
            return max(left, right)
        case _:
            return None
