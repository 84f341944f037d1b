"""What the arrays of a kernel allow its block: an index that every thread comes to keeps threadIdx inside of the extent.

    shared float partial[8];  partial[threadIdx.x] = sum;     at most 8 threads
    shared float t[6][6][6];  t[z + 1][y + 1][x + 2]          at most 4 along x, 5 along y and z

Only places that all threads of a full block reach count: nothing under `if (threadIdx.x < 8)` or behind a return of some
threads, but what stands under a condition on blockIdx or a number in the grid (`if (i < n)`).  Like all indexes they are assumed to stay inside.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from analysis_core.ir.effects import assigned_once
from analysis_core.ir.nodes import (
    AddressOf,
    Assign,
    Atomic,
    Binary,
    Block,
    Break,
    Builtin,
    BuiltinKind,
    Cast,
    Const,
    Continue,
    Expr,
    If,
    Inlined,
    Kernel,
    Load,
    Local,
    Loop,
    ObjectId,
    PtrAdd,
    Return,
    Store,
    UnknownStmt,
    VarId,
)
from analysis_core.ir.types import ArrayType, Type
from analysis_core.ir.walk import statements, statements_of, subexpressions
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_DEEPEST = 12
_THREAD, _BLOCK = BuiltinKind.THREAD_IDX, BuiltinKind.BLOCK_IDX

Shape = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Limit:
    """`factors` times threadIdx, summed over the axes, is at most `room` in the index at `span` of the object `name`."""

    factors: Shape
    room: int
    name: str
    span: Span

    def allows(self, block: Shape) -> bool:
        """Whether the index of the last thread is inside."""
        return sum(f * (extent - 1) for f, extent in zip(self.factors, block, strict=True)) <= self.room


def fitted(block: Shape, limits: Sequence[Limit]) -> tuple[Shape, Limit | None]:
    """The block cut to what all limits allow, and the first one that it did not meet."""
    extents, first = list(block), None
    while (broken := next((x for x in limits if not x.allows((extents[0], extents[1], extents[2]))), None)) is not None:
        first = first or broken
        axes = [axis for axis in range(3) if broken.factors[axis] and extents[axis] > 1]
        slowest = max(axes, key=lambda axis: broken.factors[axis])
        if len(axes) == 1:
            extents[slowest] = _extent(broken.room // broken.factors[slowest] + 1)
        else:
            extents[slowest] //= 2
    return (extents[0], extents[1], extents[2]), first


def _extent(most: int) -> int:
    """One element more than a power of two is padding."""
    return most - 1 if most > 2 and (most - 1) & (most - 2) == 0 else most


def shape_limits(kernel: Kernel) -> tuple[Limit, ...]:
    """The limits that leave more than one thread, in the order of the text."""
    extents = {o.id: found for o in kernel.objects if (found := extents_of(o.type))}
    if not extents:
        return ()
    known = assigned_once(kernel)
    walk = _Walk(extents, {o.id: o.name for o in kernel.objects}, known, *_spread(kernel))
    walk.block(kernel.body)
    return tuple(dict.fromkeys(walk.found))


def extents_of(type_: Type) -> tuple[int, ...]:
    """Constant extents, outermost first; () unless all are constant."""
    found: list[int] = []
    while isinstance(type_, ArrayType):
        if not isinstance(type_.extent, Const) or not isinstance(type_.extent.value, int):
            return ()
        found.append(type_.extent.value)
        type_ = type_.element
    return tuple(found)


def _spread(kernel: Kernel) -> tuple[frozenset[VarId], frozenset[VarId]]:
    """The variables that are made from threadIdx, and those made from blockIdx."""
    assigned = [(s.var, s.value) for s in statements_of(kernel) if isinstance(s, Assign)]
    made: tuple[set[VarId], set[VarId]] = (set(), set())
    for kind, found in zip((_THREAD, _BLOCK), made, strict=True):
        while True:
            more = {var for var, value in assigned if var not in found and _mentions(value, kind, found)}
            if not more:
                break
            found |= more
    return frozenset(made[0]), frozenset(made[1])


def _mentions(whole: Expr, kind: BuiltinKind, made: set[VarId] | frozenset[VarId]) -> bool:
    return any(
        (isinstance(e, Builtin) and e.kind is kind) or (isinstance(e, Local) and e.var in made)
        for e in subexpressions(whole)
    )


@dataclass(slots=True)
class _Walk:
    """`threads`, `blocks`: variables made from threadIdx and from blockIdx.  `over`: some threads do not come here any more."""

    extents: Mapping[ObjectId, tuple[int, ...]]
    names: Mapping[ObjectId, str]
    known: Mapping[VarId, Expr]
    threads: frozenset[VarId]
    blocks: frozenset[VarId]
    found: list[Limit] = field(default_factory=list)
    over: bool = False

    def block(self, body: Block) -> None:
        """Takes down the limits of statements that all threads of a full block reach."""
        for stmt in body:
            if self.over:
                return
            match stmt:
                case Load(address=address, access=access) | Store(address=address, access=access):
                    self.found.extend(self._limits(address, access.span))
                case Atomic(address=address, access=access):
                    self.found.extend(self._limits(address, access.span))
                case Inlined(body=inner):
                    self.block(inner)
                case Loop(condition=condition, test=test, body=inner):
                    if condition is None or not self._selects(condition):
                        self.block((*test, *inner))
                    else:
                        self.over = _leaves(inner)
                case If(condition=condition, then=then, otherwise=otherwise):
                    if self._selects(condition):
                        self.over = _leaves((*then, *otherwise))
                    elif _mentions(condition, _BLOCK, self.blocks):
                        self.block(then)
                        self.block(otherwise)
                case UnknownStmt(leaves=True):
                    self.over = True
                case _:
                    pass

    def _selects(self, condition: Expr) -> bool:
        """Whether a condition chooses among the threads of a full block; a number in the grid is compared with its end."""
        mentions = _mentions(condition, _THREAD, self.threads)
        return mentions and not _mentions(condition, _BLOCK, self.blocks)

    def _limits(self, address: Expr, span: Span) -> Iterator[Limit]:
        for index, extent in indexes_of(address, self.extents):
            sums = _affine(index, self.known, 0)
            if sums is None or min(sums) < 0:
                continue
            room = extent - 1 - sums[3]
            if room > 0 and any(0 < factor <= room for factor in sums[:3]):
                yield Limit(sums[:3], room, self.names[_object(address)], span)


def indexes_of(address: Expr, extents: Mapping[ObjectId, tuple[int, ...]]) -> Iterator[tuple[Expr, int]]:
    """The indexes into an array of known extents, and how many elements each has: behind constants only, as `t[0][i]`, it may
    go on in the next rows."""
    indexes: list[Expr] = []
    while isinstance(address, PtrAdd):
        indexes.append(address.index)
        address = address.pointer
    known = extents.get(address.object, ()) if isinstance(address, AddressOf) else ()
    leading = True
    for axis, index in enumerate(reversed(indexes)):
        if axis >= len(known):
            return
        yield index, math.prod(known[: axis + 1]) if leading else known[axis]
        leading = leading and isinstance(index, Const)


def _object(address: Expr) -> ObjectId:
    while isinstance(address, PtrAdd):
        address = address.pointer
    assert isinstance(address, AddressOf)
    return address.object


def _leaves(body: Block) -> bool:
    return any(isinstance(s, Return | Break | Continue) for s in statements(body))


def _affine(expr: Expr, known: Mapping[VarId, Expr], depth: int) -> tuple[int, int, int, int] | None:
    """The factors of threadIdx in a sum and its constant, None if anything else is in it."""
    if depth > _DEEPEST:
        return None
    match expr:
        case Const(value=int() as value):
            return 0, 0, 0, value
        case Builtin(kind=BuiltinKind.THREAD_IDX, axis=axis):
            return int(axis == 0), int(axis == 1), int(axis == 2), 0
        case Cast(operand=operand):
            return _affine(operand, known, depth + 1)
        case Local(var=var) if var in known:
            return _affine(known[var], known, depth + 1)
        case Binary(op="+" | "-" | "*" as op, left=left, right=right):
            a, b = _affine(left, known, depth + 1), _affine(right, known, depth + 1)
            if a is None or b is None:
                return None
            if op != "*":
                sign = 1 if op == "+" else -1
                return a[0] + sign * b[0], a[1] + sign * b[1], a[2] + sign * b[2], a[3] + sign * b[3]
            if any(a[:3]):
                a, b = b, a
            return None if any(a[:3]) else (a[3] * b[0], a[3] * b[1], a[3] * b[2], a[3] * b[3])
        case _:
            return None
