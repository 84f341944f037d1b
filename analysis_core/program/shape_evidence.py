"""What a kernel's own text says of its block: extents that indexes and assertions take for granted, and what arrays have room for.

    blockIdx.x * 32 + threadIdx.x           blocks stand 32 threads apart: blockDim.x is 32
    blockIdx.y * 16 + 8 * threadIdx.y       16 elements a block, 8 a thread: blockDim.y is 2
    int id = threadIdx.y * 32 + threadIdx.x the number of a thread: blockDim.x is 32
    shared float s[64]; s[8 * threadIdx.x + threadIdx.y]    one element a thread: 8x8 of them
    assert(blockDim.x == 32)                said outright
    shared float tile[16][33];              x goes along rows, of which one element is padding: 32x16
    shared float partial[8];  partial[threadIdx.x] = sum;     at most 8 threads
    shared float t[6][6][6];  t[z + 1][y + 1][x + 2]          at most 4 along x, 5 along y and z

In one dimension only assertions count as evidence: `blockIdx.x * 1024 + threadIdx.x` may as well be four elements a thread.  Of limits, only places
count that all threads of a full block reach: nothing under `if (threadIdx.x < 8)` or behind a return of some threads, but what stands under a condition on
blockIdx or a number in the grid (`if (i < n)`).  Like all indexes they are assumed to stay inside.
"""

from __future__ import annotations

import math
from collections import Counter
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
    MemoryObject,
    ObjectId,
    PtrAdd,
    Return,
    Store,
    UnknownStmt,
    VarId,
)
from analysis_core.ir.types import ArrayType, Space, Type
from analysis_core.ir.walk import expressions_of, span_of, statements, statements_of, subexpressions
from analysis_core.machine.block_shape import MAXIMUM_EXTENTS, Shape, is_launchable
from analysis_core.machine.sizes import WARP
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_DEEPEST = 12
_THREAD, _BLOCK = BuiltinKind.THREAD_IDX, BuiltinKind.BLOCK_IDX
_ONE, _ELSE = "1", "?"

Term = tuple[BuiltinKind, int] | str
"""threadIdx or blockIdx and its axis; `_ONE` for the constant of a sum, `_ELSE` for all that is something else."""


def linear(expr: Expr, known: Mapping[VarId, Expr], depth: int = 0) -> Mapping[Term, int]:
    """The coefficients of the terms of a sum, those that are not 0.  `known`: the values of variables that keep them."""
    if depth > _DEEPEST:
        return {_ELSE: 1}
    match expr:
        case Const(value=int() as value):
            return {_ONE: value} if value else {}
        case Builtin(kind=BuiltinKind.THREAD_IDX | BuiltinKind.BLOCK_IDX as kind, axis=axis):
            return {(kind, axis): 1}
        case Cast(operand=operand):
            return linear(operand, known, depth + 1)
        case Local(var=var) if var in known:
            return linear(known[var], known, depth + 1)
        case Binary(op="+" | "-" | "*" as op, left=left, right=right):
            return _combined(op, linear(left, known, depth + 1), linear(right, known, depth + 1))
        case _:
            return {_ELSE: 1}


def _combined(op: str, left: Mapping[Term, int], right: Mapping[Term, int]) -> Mapping[Term, int]:
    if op == "*":
        if not left.keys() <= {_ONE}:
            left, right = right, left
        if not left.keys() <= {_ONE}:
            return {_ELSE: 1}
        factor = left.get(_ONE, 0)
        return {term: factor * number for term, number in right.items() if factor}
    sign = 1 if op == "+" else -1
    total = {term: left.get(term, 0) + sign * right.get(term, 0) for term in (*left, *right)}
    return {term: number for term, number in total.items() if number}


# --- extents that are taken for granted ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Evidence:
    """For each axis, the extent that most places of a kernel assume, and the first of these places."""

    extents: Mapping[int, int]
    span: Span


_SAID = 1000
"""An assertion counts for more than any number of indexes."""


def shape_evidence(kernel: Kernel, dimensions: int) -> Evidence | None:
    """None if nothing is said of blockDim.x."""
    votes: dict[int, Counter[int]] = {0: Counter(), 1: Counter(), 2: Counter()}
    first: dict[tuple[int, int], Span] = {}
    asserted = ((axis, extent, span, _SAID) for axis, extent, span in kernel.asserted_extents)
    places = (*_indexed(kernel), *_filled(kernel)) if dimensions > 1 else ()
    indexed = ((axis, extent, span, 1) for axis, extent, span in places)
    for axis, extent, span, weight in (*asserted, *indexed):
        if 2 <= extent <= MAXIMUM_EXTENTS[axis] and axis < dimensions:
            votes[axis][extent] += weight
            first.setdefault((axis, extent), span)
    extents = {axis: min(found, key=lambda e: (-found[e], e)) for axis, found in votes.items() if found}
    return Evidence(extents, first[0, extents[0]]) if 0 in extents else None


def _indexed(kernel: Kernel) -> Iterator[tuple[int, int, Span]]:
    known = assigned_once(kernel)
    for stmt in statements_of(kernel):
        for whole in expressions_of(stmt):
            for expr in subexpressions(whole):
                if isinstance(expr, Binary) and expr.op == "+":
                    yield from ((axis, extent, span_of(stmt)) for axis, extent in _strides(linear(expr, known)))
            if isinstance(stmt, Assign) and (width := _width(linear(whole, known))) is not None:
                yield 0, width, stmt.span


def _filled(kernel: Kernel) -> Iterator[tuple[int, int, Span]]:
    """Shared arrays as long as a block has threads, each of which has an element: the factor says how long a row is."""
    known = assigned_once(kernel)
    lengths = {o.id: extents_of(o.type) for o in kernel.objects if o.space is Space.SHARED}
    for stmt in statements_of(kernel):
        match stmt.address if isinstance(stmt, Load | Store | Atomic) else None:
            case PtrAdd(pointer=AddressOf(object=array), index=index) if len(lengths.get(array, ())) == 1:
                (threads,), terms = lengths[array], linear(index, known)
                x, y = terms.get((_THREAD, 0), 0), terms.get((_THREAD, 1), 0)
                row = max(x, y)
                if len(terms) == 2 and min(x, y) == 1 < row and threads % row == 0 and threads <= MAXIMUM_EXTENTS[0]:
                    yield int(x == row), row, span_of(stmt)
                    yield int(y == row), threads // row, span_of(stmt)
            case _:
                pass


def _strides(terms: Mapping[Term, int]) -> Iterator[tuple[int, int]]:
    for axis in range(3):
        between, within = terms.get((_BLOCK, axis), 0), terms.get((_THREAD, axis), 0)
        if within > 0 and between > within and between % within == 0:
            yield axis, between // within


def _width(terms: Mapping[Term, int]) -> int | None:
    """K in K*threadIdx.y + threadIdx.x, alone: a power of two, for a row of a padded tile is none."""
    rows = terms.get((_THREAD, 1), 0)
    is_number = len(terms) == 2 and terms.get((_THREAD, 0)) == 1
    return rows if is_number and rows >= 4 and rows & (rows - 1) == 0 else None


def tile_shape(kernel: Kernel, dimensions: int, limits: Sequence[Limit]) -> tuple[Shape, MemoryObject] | None:
    """The block that most shared arrays suggest and all have room for, and the first array that does; ties go to the smaller
    block."""
    votes: dict[Shape, list[MemoryObject]] = {}
    for tile in kernel.objects:
        shape = _suggested(extents_of(tile.type), dimensions) if tile.space is Space.SHARED else None
        if shape is not None and all(limit.allows(shape) for limit in limits):
            votes.setdefault(shape, []).append(tile)
    if not votes:
        return None
    best = min(votes, key=lambda shape: (-len(votes[shape]), math.prod(shape), shape))
    return best, votes[best][0]


def _suggested(extents: tuple[int, ...], dimensions: int) -> Shape | None:
    """`tile[A][B]` suggests the block (B, A): x is the fastest index.  A last extent of 2^k + 1 is padding.

    Only whole warps are believed, and only arrays of as many dimensions as the kernel uses threadIdx components."""
    if len(extents) != dimensions or dimensions > 2:
        return None
    row = extents[-1] if dimensions == 1 or extents[-1] == 3 else _extent(extents[-1])
    shape = (row, 1 if dimensions == 1 else extents[0], 1)
    return shape if is_launchable(shape) and math.prod(shape) % WARP == 0 else None


# --- what arrays have room for ------------------------------------------------------------------------------------


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
            terms = linear(index, self.known)
            x, y, z = factors = tuple(terms.get((_THREAD, axis), 0) for axis in range(3))
            of_threads = {_ONE, *((_THREAD, axis) for axis in range(3))}
            if not terms.keys() <= of_threads or min(terms.values(), default=0) < 0:
                continue
            room = extent - 1 - terms.get(_ONE, 0)
            if room > 0 and any(0 < factor <= room for factor in factors):
                yield Limit((x, y, z), room, self.names[_object(address)], span)


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
