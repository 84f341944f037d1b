"""What is seen of the values that integer parameters have: for the sizes at which shares are computed, and for nothing else.

    assert(iter < 256)                                       at most 255
    int row[16]; for (int i = 0; i < n; i++) row[i] = ..     at most 16
    for (int i = 0; ..; i++) k<<<g, b>>>(i, ..)              counted up from 0 by the host: few, not the size of anything
    if (n < 32) k<<<g, b>>>(n, ..)                           at most 31 in this launch

The first two are the kernel's own, the next two are seen at its launches (`host_walk`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

from analysis_core.ir.effects import assigned_in, assigned_once
from analysis_core.ir.launch_site import SizeRange
from analysis_core.ir.nodes import (
    Atomic,
    Binary,
    Block,
    Cast,
    Const,
    Expr,
    Inlined,
    Kernel,
    Load,
    Local,
    Loop,
    ObjectId,
    Store,
    VarId,
)
from analysis_core.ir.walk import statements, uncast
from analysis_core.program.launch import Launch
from analysis_core.program.shape_evidence import extents_of, indexes_of
from analysis_core.text.records import dataclass

_DEEPEST = 12


def size_ranges(kernel: Kernel, launch: Launch) -> tuple[SizeRange, ...]:
    """One range for each parameter of which something is seen."""
    found: dict[str, SizeRange] = {}
    for one in (*launch.arguments.ranges, *_own(kernel)):
        found[one.name] = one if one.name not in found else meeting(found[one.name], one)
    return tuple(one for one in found.values() if one.least is None or one.most is None or one.least <= one.most)


def meeting(a: SizeRange, b: SizeRange) -> SizeRange:
    """What two sources together say about one parameter."""
    least, most = _last(max, a.least, b.least), _last(min, a.most, b.most)
    return replace(a, least=least, most=most, step=a.step or b.step, condition=a.condition or b.condition)


def _last(choose: Callable[[int, int], int], a: int | None, b: int | None) -> int | None:
    return b if a is None else a if b is None else choose(a, b)


def _own(kernel: Kernel) -> Iterator[SizeRange]:
    """What the kernel asserts, and what its arrays have room for."""
    if not kernel.asserted_sizes and not any(extents_of(o.type) for o in kernel.objects):
        return
    names = {v: kernel.variables[v].name for v in kernel.parameters}
    for var in assigned_in(kernel.body):
        names.pop(var, None)
    for var, least, most in kernel.asserted_sizes:
        if var in names:
            yield SizeRange(names[var], least, most)
    rooms = _Rooms(names, {o.id: extents_of(o.type) for o in kernel.objects}, assigned_once(kernel))
    for var, most in rooms.found(kernel.body):
        if most > 0:
            yield SizeRange(names[var], None, most)


@dataclass(frozen=True, slots=True)
class _Rooms:
    """Indexes that a parameter is in, or bounds through a loop, with the elements that there are.  `names`: the parameters that keep
    their values."""

    names: Mapping[VarId, str]
    extents: Mapping[ObjectId, tuple[int, ...]]
    known: Mapping[VarId, Expr]

    def found(self, body: Block) -> Iterator[tuple[VarId, int]]:
        for stmt in statements(body):
            if isinstance(stmt, Load | Store | Atomic):
                for index, extent in indexes_of(stmt.address, self.extents):
                    yield from self._at_most(index, extent - 1, 0)
            elif isinstance(stmt, Loop):
                yield from self._of_loop(stmt)

    def _of_loop(self, loop: Loop) -> Iterator[tuple[VarId, int]]:
        """`for (i < bound) .. a[i + c] ..`: the bound is at most extent - c."""
        condition = None if loop.condition is None else uncast(loop.condition)
        if not isinstance(condition, Binary) or condition.op not in ("<", "<=", "!="):
            return
        counter = uncast(condition.left)
        if not isinstance(counter, Local) or not any(True for _ in self._at_most(condition.right, 0, 0)):
            return
        beyond = 0 if condition.op == "<=" else 1
        for stmt in _done_each_time(loop.body):
            for index, extent in indexes_of(stmt.address, self.extents):
                offset = _offset(index, counter.var, 0)
                if offset is not None:
                    yield from self._at_most(condition.right, extent - 1 - offset + beyond, 0)

    def _at_most(self, expr: Expr, most: int, depth: int) -> Iterator[tuple[VarId, int]]:
        """What parameter an expression is a function of, and the most that it is where the expression is at most that."""
        if depth > _DEEPEST:
            return
        match expr:
            case Local(var=var) if var in self.names:
                yield var, most
            case Local(var=var) if var in self.known:
                yield from self._at_most(self.known[var], most, depth + 1)
            case Cast(operand=operand):
                yield from self._at_most(operand, most, depth + 1)
            case Binary(op="+" | "-" | "*" | "/" | ">>" as op, left=left, right=Const(value=int() as c)) if c > 0:
                bounds = {"+": most - c, "-": most + c, "*": most // c}
                divisor = 1 << min(c, 62) if op == ">>" else c
                yield from self._at_most(left, bounds.get(op, (most + 1) * divisor - 1), depth + 1)
            case _:
                pass


def _done_each_time(body: Block) -> Iterator[Load | Store | Atomic]:
    """The accesses of a loop's body that stand under no condition, but that of an inner loop."""
    for stmt in body:
        match stmt:
            case Load() | Store() | Atomic():
                yield stmt
            case Inlined(body=inner) | Loop(body=inner):
                yield from _done_each_time(inner)
            case _:
                pass


def _offset(index: Expr, counter: VarId, depth: int) -> int | None:
    """c where the index is the counter plus c."""
    match index:
        case Local(var=var) if var == counter:
            return 0
        case Cast(operand=operand) if depth < _DEEPEST:
            return _offset(operand, counter, depth + 1)
        case Binary(op="+" | "-" as op, left=left, right=Const(value=int() as c)) if depth < _DEEPEST:
            before = _offset(left, counter, depth + 1)
            return None if before is None else before + (c if op == "+" else -c)
        case _:
            return None
