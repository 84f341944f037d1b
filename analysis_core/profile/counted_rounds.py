"""How many rounds a loop has by its counter: at the numbers that launches pass, or because the counter is an index.

    for (int s = 0; s < channels / heads; s++) ..                   64 where 768 channels and 12 heads are all that is passed
    for (int j = 0; j < n; j++) .. near[i][j] ..                    8 at most with `int near[64][8]`

A quotient of two parameters has no name in expressions, so the loop has one of its own; what is known of the parameters is known of it too.
A loop over all of a grid, `for (i = thread; i < size / heads; i += threads)`, has the rounds of the grid's first thread.  Indexes are taken to
stay inside of arrays of declared extent (a listed assumption), wherever the bound of the loop comes from.
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis_core.ir.layout import size_of
from analysis_core.ir.loop_info import Counter, LoopInfo
from analysis_core.ir.nodes import Atomic, Const, Expr, Load, Local, PtrAdd, Store
from analysis_core.ir.types import ArrayType, PointerType
from analysis_core.ir.walk import uncast
from analysis_core.profile.launch_numbers import LaunchNumbers


def counted_rounds(info: LoopInfo, numbers: LaunchNumbers) -> int | None:
    """The rounds of `for (i = a; i < b; i += c)` with numbers for a, b and c."""
    counter = info.counter
    if counter is None or counter.relation not in ("<", "<=", "!="):
        return None
    first, last, each = numbers.of_expr(counter.start), numbers.of_expr(counter.end), _each(counter, numbers)
    if first is None or last is None or each is None or each < 1:
        return None
    return _rounds(last + (counter.relation == "<=") - first, each)


def most_counted_rounds(info: LoopInfo, numbers: LaunchNumbers) -> int | None:
    """The most rounds of a loop that counts down to an unknown place, from a number or the counter of a loop around it,
    since it goes no further than 0."""
    counter = info.counter
    each = None if counter is None else _each(counter, numbers)
    if counter is None or each is None or each >= 0 or counter.relation not in (">", ">="):
        return None
    first, last = numbers.of_expr(counter.end) or 0, _most_at_start(counter, info, numbers)
    return None if last is None else _rounds(last + ("=" in counter.relation) - first, -each)


def extent_indexed(info: LoopInfo) -> int | None:
    """The least extent of the arrays that a variable is an index into, if each round raises it by one."""
    counters = {var for var, step in info.steps.items() if step.number == 1}
    accesses = (s for s in info.inside if isinstance(s, (Load, Store, Atomic))) if counters else ()
    extents = (extent for s in accesses for index, extent in _indexes(s.address) if index in counters)
    return min(extents, default=None)


def _rounds(distance: int, each: int) -> int:
    return max(0, -(-distance // each))


def _each(counter: Counter, numbers: LaunchNumbers) -> int | None:
    by = numbers.of_expr(counter.step.by)
    return by if by is None or counter.step.op == "+" else -by


def _most_at_start(counter: Counter, info: LoopInfo, numbers: LaunchNumbers) -> int | None:
    """The most that a counter begins with: a number, or where the counter of a loop around stands."""
    most, outer = numbers.of_expr(counter.start), info.around
    start = None if counter.start is None else uncast(counter.start)
    while most is None and outer is not None and isinstance(start, Local):
        above = outer.counter
        if above is not None and above.var == start.var and above.relation in ("<", "<="):
            last = numbers.of_expr(above.end)
            most = None if last is None else last - (above.relation == "<")
        outer = outer.around
    return most


def _indexes(address: Expr) -> Iterator[tuple[int, int]]:
    """The variables that are indexes into arrays of declared extent, with the extents."""
    while isinstance(address, PtrAdd):
        index, type_ = uncast(address.index), address.pointer.type
        array = type_.target if isinstance(type_, PointerType) else None
        if isinstance(index, Local) and isinstance(array, ArrayType) and not address.offset:
            extent, scale = array.extent, address.scale
            if isinstance(extent, Const) and isinstance(scale, Const) and size_of(array.element) == scale.value:
                yield index.var, int(extent.value)
        address = address.pointer
