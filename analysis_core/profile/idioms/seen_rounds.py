"""How many rounds a loop has at the numbers that launches pass: `int size = channels / heads; .. for (s = 0; s < size; s++)` has 64 where
768 channels and 12 heads are all that is passed.

A quotient of two parameters has no name in expressions, so the loop has one of its own; what is known of the parameters is known of it too.
A loop over all of a grid, `for (i = thread; i < size / heads; i += threads)`, has the rounds of the grid's first thread, where launches tell
how many threads there are.
For the sizes of shares, like all that is seen (`size_ranges`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from analysis_core.ir.constants import Places, fold_at
from analysis_core.ir.effects import assigned_in, assigned_once, variables_in
from analysis_core.ir.launch_site import SizeRange, is_assumed
from analysis_core.ir.nodes import Assign, Binary, Block, BuiltinKind, Const, Expr, Kernel, Local, Loop, VarId
from analysis_core.ir.walk import blocks_of, uncast
from analysis_core.program.launch import Launch
from analysis_core.text.span import Span

_DEEPEST = 16
"""Variables that are made of variables."""


@dataclass(frozen=True, slots=True)
class SeenRounds:
    """By the whole statement: how many rounds a loop has, or at most, the same wherever the loop is inlined."""

    rounds: Mapping[Span, int]
    limits: Mapping[Span, int]


def seen_rounds(
    kernel: Kernel, ranges: Iterable[SizeRange], asked: Iterable[Span], launch: Launch | None = None
) -> SeenRounds:
    """What the parameters' seen values tell of these loops.  One that counts down to wherever something was found, an index of which nothing
    is known, goes no further than to 0, from the counter of a loop around too."""
    wanted = frozenset(asked)
    values = {one.name: one.least for one in ranges if one.least is not None and one.least == one.most}
    if not wanted or not values:
        return SeenRounds({}, {})
    changed = assigned_in(kernel.body)
    own = [kernel.variables[p] for p in kernel.parameters if p not in changed]
    known = {v.id: Const(values[v.name], v.type) for v in own if v.name in values}
    if not known:
        return SeenRounds({}, {})
    numbers = _Numbers(assigned_once(kernel), known, {} if launch is None else _first_thread(launch))
    found: dict[Span, set[int | None]] = {}
    limits: dict[Span, set[int | None]] = {}
    for loop, begun, around in _loops(kernel.body, ()):
        if loop.whole in wanted:
            found.setdefault(loop.whole, set()).add(_rounds(loop, begun, numbers))
            limits.setdefault(loop.whole, set()).add(_down_from(loop, begun, around, numbers))
    return SeenRounds(_single(found), _single(limits))


def _first_thread(launch: Launch) -> Places:
    """The place of the thread with the most rounds of a loop over a grid of stated extents."""
    if is_assumed(launch.source) or None in launch.grid:
        return {}
    first = {(kind, axis): 0 for kind in (BuiltinKind.THREAD_IDX, BuiltinKind.BLOCK_IDX) for axis in range(3)}
    extents = {(BuiltinKind.BLOCK_DIM, axis): extent for axis, extent in enumerate(launch.block)}
    blocks = {(BuiltinKind.GRID_DIM, axis): extent for axis, extent in enumerate(launch.grid) if extent is not None}
    return first | extents | blocks


def _single(found: Mapping[Span, set[int | None]]) -> Mapping[Span, int]:
    """Those of which one number is found."""
    single = {loop: next(iter(each)) for loop, each in found.items() if len(each) == 1}
    return {loop: rounds for loop, rounds in single.items() if rounds is not None}


@dataclass(frozen=True, slots=True)
class _Numbers:
    """`made`: what variables are that keep their value; `known`: those of which the number is found; `places`: what is known of the
    grid and its first thread."""

    made: Mapping[VarId, Expr]
    known: dict[VarId, Const]
    places: Places

    def of(self, expr: Expr | None, depth: int = 0) -> int | None:
        """The number that an expression is."""
        if expr is None or depth > _DEEPEST:
            return None
        for var in variables_in(expr):
            if var not in self.known and var in self.made:
                self._note(var, depth)
        value = fold_at(expr, self.known, self.places)
        return value.value if value is not None and isinstance(value.value, int) else None

    def _note(self, var: VarId, depth: int) -> None:
        made = self.made[var]
        number = self.of(made, depth + 1)
        if number is not None:
            self.known[var] = Const(number, made.type)


def _loops(block: Block, around: tuple[Loop, ...]) -> Iterator[tuple[Loop, Mapping[VarId, Expr], tuple[Loop, ...]]]:
    """All loops, each with what is assigned right before it, and the loops around it."""
    begun: dict[VarId, Expr] = {}
    for stmt in block:
        if isinstance(stmt, Assign):
            begun[stmt.var] = stmt.value
            continue
        if isinstance(stmt, Loop):
            yield stmt, dict(begun), around
        begun.clear()
        for inner in blocks_of(stmt):
            yield from _loops(inner, (*around, stmt) if isinstance(stmt, Loop) else around)


def _rounds(loop: Loop, begun: Mapping[VarId, Expr], numbers: _Numbers) -> int | None:
    """The rounds of `for (i = a; i < b; i += c)` with numbers for a, b and c."""
    condition = None if loop.condition is None else uncast(loop.condition)
    if not isinstance(condition, Binary) or condition.op not in ("<", "<=", "!=") or len(loop.step) != 1:
        return None
    counter, step = uncast(condition.left), loop.step[0]
    if not isinstance(counter, Local) or not isinstance(step, Assign) or counter.var in assigned_in(loop.body):
        return None
    first, last = numbers.of(begun.get(counter.var)), numbers.of(condition.right)
    each = _added(step, counter.var, numbers)
    if first is None or last is None or each is None or each < 1 or loop.test:
        return None
    return max(0, -(-(last + (condition.op == "<=") - first) // each))


def _down_from(loop: Loop, begun: Mapping[VarId, Expr], around: tuple[Loop, ...], numbers: _Numbers) -> int | None:
    """The most rounds of `for (i = a; i > x; i--)` with a number for a, or the most that it is."""
    condition = None if loop.condition is None else uncast(loop.condition)
    if not isinstance(condition, Binary) or condition.op not in (">", ">=") or len(loop.step) != 1:
        return None
    counter, step = uncast(condition.left), loop.step[0]
    if not isinstance(counter, Local) or not isinstance(step, Assign) or counter.var in assigned_in(loop.body):
        return None
    value = uncast(step.value)
    start = begun.get(counter.var)
    first = numbers.of(start)
    if first is None and start is not None:
        first = next((most for outer in around if (most := _most_of(uncast(start), outer, numbers)) is not None), None)
    if step.var != counter.var or not isinstance(value, Binary) or value.op != "-" or first is None or loop.test:
        return None
    left, each = uncast(value.left), numbers.of(value.right)
    if not isinstance(left, Local) or left.var != counter.var or each is None or each < 1:
        return None
    return max(0, -(-(first + (condition.op == ">=")) // each))


def _most_of(value: Expr, loop: Loop, numbers: _Numbers) -> int | None:
    """The most that the counter of `for (l = a; l < b; l++)` is in the loop, where the value is this counter."""
    condition = None if loop.condition is None else uncast(loop.condition)
    if not isinstance(value, Local) or not isinstance(condition, Binary) or condition.op not in ("<", "<="):
        return None
    counter, last = uncast(condition.left), numbers.of(condition.right)
    if not isinstance(counter, Local) or counter.var != value.var or value.var in assigned_in(loop.body):
        return None
    return None if last is None else last - (condition.op == "<")


def _added(step: Assign, counter: VarId, numbers: _Numbers) -> int | None:
    value = uncast(step.value)
    if step.var != counter or not isinstance(value, Binary) or value.op != "+":
        return None
    left = uncast(value.left)
    return numbers.of(value.right) if isinstance(left, Local) and left.var == counter else None
