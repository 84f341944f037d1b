"""What `//@ requires` asks of launches, held against those in view: kept, broken by the numbers that one passes, or not known.

A launch breaks it where no value that it may pass keeps it.  Numbers are mathematical integers, as in all annotations about launches.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from analysis_core.claims.verdicts import Judged, Standing
from analysis_core.ir.launch_site import SizeRange, is_assumed, made_launches
from analysis_core.ir.nodes import BuiltinKind, Kernel
from analysis_core.ir.stated import GridValue, ParameterValue, StatedAssumption
from analysis_core.lower.names.annotation_values import COMPARISONS, apply
from analysis_core.machine.block_shape import Shape
from analysis_core.program.launch import Launch
from analysis_core.syntax.read.annotation_tree import Binary, Name, Number, Term, Unary, names_in
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_Range = tuple[int | None, int | None]
_ANY: _Range = (None, None)
_PASSED = "what the launch passes"


def required_of(kernel: Kernel, launch: Launch) -> Iterator[Judged]:
    """Each condition under a launch that is in view, which may stand for several of one block."""
    if is_assumed(launch.source):
        return
    sites = [_Passed(launch.span, launch.block, launch.grid, launch.arguments.ranges)]
    if launch.source == "call":
        made = [site for site in made_launches(kernel.launches) if site.block in (None, launch.block)]
        sites = [_Passed(site.span, launch.block, site.grid, site.arguments.ranges) for site in made] or sites
    for one in kernel.annotations.assumptions:
        if one.required and one.span is not None:
            judged = [_judged(one, one.span, _ranges(kernel, site), site.span) for site in sites]
            yield min(judged, key=lambda found: found.standing.rank)


@dataclass(frozen=True, slots=True)
class _Passed:
    """What one launch passes."""

    span: Span | None
    block: Shape
    grid: tuple[int | None, int | None, int | None]
    ranges: tuple[SizeRange, ...]


def _judged(one: StatedAssumption, span: Span, ranges: Mapping[str, _Range], launched: Span | None) -> Judged:
    names = [name.name for name in names_in(one.condition)]
    holds = _holds(one.condition, ranges)
    if holds is None:
        unknown = [name for name in names if _number(ranges.get(name, _ANY)) is None]
        cause = f"the launch does not say what `{unknown[0]}` is" if unknown else "it is not followed"
        return Judged("requires", one.text, span, Standing.UNDECIDED, cause=cause, place=launched)
    if holds:
        return Judged("requires", one.text, span, Standing.PROVED, _PASSED)
    numbers = {name: _number(ranges.get(name, _ANY)) for name in names}
    values = {name: number for name, number in numbers.items() if number is not None}
    return Judged("requires", one.text, span, Standing.REFUTED, place=launched, values=values)


def _number(known: _Range) -> int | None:
    return known[0] if known[0] == known[1] else None


def _ranges(kernel: Kernel, site: _Passed) -> dict[str, _Range]:
    """What is known of the names that conditions may use."""
    passed = {r.name: (r.least, r.most) for r in site.ranges if not r.run and not r.condition}
    found: dict[str, _Range] = {}
    for name, meaning in kernel.annotations.names:
        match meaning:
            case int():
                found[name] = meaning, meaning
            case ParameterValue(var=var):
                found[name] = passed.get(kernel.variables[var].name, _ANY)
            case GridValue(kind=BuiltinKind.BLOCK_DIM, axis=axis):
                found[name] = site.block[axis], site.block[axis]
            case GridValue(kind=BuiltinKind.GRID_DIM, axis=axis):
                found[name] = site.grid[axis], site.grid[axis]
            case _:
                pass
    return found


def _holds(term: Term, ranges: Mapping[str, _Range]) -> bool | None:
    """Whether a condition holds for all values (True), or for none (False)."""
    match term:
        case Binary(op="&&" | "||" as op, left=left, right=right):
            sides = [_holds(left, ranges), _holds(right, ranges)]
            decisive = op == "||"
            return decisive if decisive in sides else None if None in sides else not decisive
        case Unary(op="!", operand=operand):
            inner = _holds(operand, ranges)
            return None if inner is None else not inner
        case Binary(op=op, left=left, right=right) if op in COMPARISONS:
            return _compared(op, _range(left, ranges), _range(right, ranges))
        case _:
            equal = _compared("==", _range(term, ranges), (0, 0))
            return None if equal is None else not equal


def _compared(op: str, left: _Range, right: _Range) -> bool | None:
    match op:
        case ">" | ">=":
            return _compared({">": "<", ">=": "<="}[op], right, left)
        case "!=":
            equal = _compared("==", left, right)
            return None if equal is None else not equal
        case "==":
            if left[0] is not None and left[0] == left[1] and left == right:
                return True
            apart = _compared("<", left, right), _compared("<", right, left)
            return False if True in apart else None
        case _:
            strict = op == "<"
            if (
                left[1] is not None
                and right[0] is not None
                and (left[1] < right[0] or (not strict and left[1] == right[0]))
            ):
                return True
            if (
                left[0] is not None
                and right[1] is not None
                and (left[0] > right[1] or (strict and left[0] == right[1]))
            ):
                return False
            return None


def _range(term: Term, ranges: Mapping[str, _Range]) -> _Range:
    match term:
        case Number(value=value):
            return value, value
        case Name(name=name):
            return ranges.get(name, _ANY)
        case Binary(op=op, left=left, right=right):
            return _combined(op, _range(left, ranges), _range(right, ranges))
        case Unary(op="-", operand=operand):
            return _combined("-", (0, 0), _range(operand, ranges))
        case _:
            return _ANY


def _combined(op: str, a: _Range, b: _Range) -> _Range:
    if a[0] is not None and b[0] is not None and a[0] == a[1] and b[0] == b[1]:
        value = apply(op, a[0], b[0])
        return value, value
    if op == "+":
        return _sum(a[0], b[0]), _sum(a[1], b[1])
    if op == "-":
        return _sum(a[0], None if b[1] is None else -b[1]), _sum(a[1], None if b[0] is None else -b[0])
    return _ANY


def _sum(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b
