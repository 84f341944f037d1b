"""What a kernel's own arithmetic says of its block: extents that indexes and assertions take for granted.

    blockIdx.x * 32 + threadIdx.x           blocks stand 32 threads apart: blockDim.x is 32
    blockIdx.y * 16 + 8 * threadIdx.y       16 elements a block, 8 a thread: blockDim.y is 2
    int id = threadIdx.y * 32 + threadIdx.x the number of a thread: blockDim.x is 32
    shared float s[64]; s[8 * threadIdx.x + threadIdx.y]    one element a thread: 8x8 of them
    assert(blockDim.x == 32)                said outright

In one dimension only assertions count: `blockIdx.x * 1024 + threadIdx.x` may as well be four elements a thread.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from analysis_core.ir.effects import assigned_once
from analysis_core.ir.nodes import (
    AddressOf,
    Assign,
    Atomic,
    Binary,
    Builtin,
    BuiltinKind,
    Cast,
    Const,
    Expr,
    Kernel,
    Load,
    Local,
    PtrAdd,
    Store,
    VarId,
)
from analysis_core.ir.types import ArrayType, Space, Type
from analysis_core.ir.walk import expressions_of, span_of, statements_of, subexpressions
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_DEEPEST = 12
_THREAD = BuiltinKind.THREAD_IDX
_MOST_EXTENTS = (1024, 1024, 64)

Term = tuple[BuiltinKind, int] | None
"""threadIdx or blockIdx and its axis; None for a constant and for everything else."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """For each axis, the extent that most places of a kernel assume, and the first of these places."""

    extents: Mapping[int, int]
    span: Span


def shape_evidence(kernel: Kernel, dimensions: int) -> Evidence | None:
    """None if nothing is said of blockDim.x."""
    votes: dict[int, Counter[int]] = {0: Counter(), 1: Counter(), 2: Counter()}
    first: dict[tuple[int, int], Span] = {}
    for axis, extent, span in (
        *_asserted(kernel),
        *((*_indexed(kernel), *_filled(kernel)) if dimensions > 1 else ()),
    ):
        if 2 <= extent <= _MOST_EXTENTS[axis] and axis < dimensions:
            votes[axis][extent] += 1
            first.setdefault((axis, extent), span)
    extents = {axis: min(found, key=lambda e: (-found[e], e)) for axis, found in votes.items() if found}
    return Evidence(extents, first[0, extents[0]]) if 0 in extents else None


_SAID = 1000
"""An assertion counts for more than any number of indexes."""


def _asserted(kernel: Kernel) -> Iterator[tuple[int, int, Span]]:
    for axis, extent, span in kernel.asserted_extents:
        yield from ((axis, extent, span) for _ in range(_SAID))


def _indexed(kernel: Kernel) -> Iterator[tuple[int, int, Span]]:
    known = assigned_once(kernel)
    for stmt in statements_of(kernel):
        for whole in expressions_of(stmt):
            for expr in subexpressions(whole):
                if isinstance(expr, Binary) and expr.op == "+":
                    terms = _terms(expr, known, 0)
                    yield from ((axis, extent, span_of(stmt)) for axis, extent in _strides(terms))
            if isinstance(stmt, Assign) and (width := _width(_terms(whole, known, 0))) is not None:
                yield 0, width, stmt.span


def _filled(kernel: Kernel) -> Iterator[tuple[int, int, Span]]:
    """Shared arrays as long as a block has threads, each of which has an element: the factor says how long a row is."""
    known = assigned_once(kernel)
    lengths = {o.id: n for o in kernel.objects if o.space is Space.SHARED and (n := _length(o.type)) is not None}
    for stmt in statements_of(kernel):
        if not isinstance(stmt, Load | Store | Atomic):
            continue
        match stmt.address:
            case PtrAdd(pointer=AddressOf(object=array), index=index) if array in lengths:
                terms = _terms(index, known, 0)
                factors = sorted((c, term[1]) for term, c in terms.items() if term and term[0] is _THREAD)
                if len(terms) != 2 or len(factors) != 2 or {axis for _, axis in factors} != {0, 1}:
                    continue
                (one, fast), (row, slow) = factors
                threads = lengths[array]
                if one == 1 and row > 1 and threads % row == 0 and threads <= _MOST_EXTENTS[0]:
                    yield fast, row, stmt.access.span
                    yield slow, threads // row, stmt.access.span


def _length(type_: Type) -> int | None:
    """The elements of an array of one dimension and a known extent."""
    if not isinstance(type_, ArrayType) or isinstance(type_.element, ArrayType):
        return None
    extent = type_.extent
    return extent.value if isinstance(extent, Const) and isinstance(extent.value, int) else None


def _strides(terms: Mapping[Term, int]) -> Iterator[tuple[int, int]]:
    for axis in range(3):
        between, within = terms.get((BuiltinKind.BLOCK_IDX, axis), 0), terms.get((BuiltinKind.THREAD_IDX, axis), 0)
        if within > 0 and between > within and between % within == 0:
            yield axis, between // within


def _width(terms: Mapping[Term, int]) -> int | None:
    """K in K*threadIdx.y + threadIdx.x, alone: a power of two, for a row of a padded tile is none."""
    if (
        set(terms) != {(BuiltinKind.THREAD_IDX, 0), (BuiltinKind.THREAD_IDX, 1)}
        or terms[BuiltinKind.THREAD_IDX, 0] != 1
    ):
        return None
    rows = terms[BuiltinKind.THREAD_IDX, 1]
    return rows if rows >= 4 and rows & (rows - 1) == 0 else None


def _terms(expr: Expr, known: Mapping[VarId, Expr], depth: int) -> dict[Term, int]:
    """The coefficients of threadIdx and blockIdx in a sum; whatever else is in it under None."""
    match expr:
        case Const(value=int()):
            return {None: 1} if expr.value else {}
        case Builtin(kind=BuiltinKind.THREAD_IDX | BuiltinKind.BLOCK_IDX as kind, axis=axis):
            return {(kind, axis): 1}
        case Cast(operand=operand) if depth < _DEEPEST:
            return _terms(operand, known, depth + 1)
        case Local(var=var) if depth < _DEEPEST and var in known:
            return _terms(known[var], known, depth + 1)
        case Binary(op="+", left=left, right=right) if depth < _DEEPEST:
            total = Counter(_terms(left, known, depth + 1))
            total.update(_terms(right, known, depth + 1))
            return dict(total)
        case Binary(op="*", left=left, right=right) if depth < _DEEPEST:
            for factor, rest in ((left, right), (right, left)):
                number = _constant(factor, known, depth)
                if number is not None and number > 0:
                    return {term: number * c for term, c in _terms(rest, known, depth + 1).items()}
            return {None: 1}
        case _:
            return {None: 1}


def _constant(expr: Expr, known: Mapping[VarId, Expr], depth: int) -> int | None:
    match expr:
        case Const(value=int() as value):
            return value
        case Cast(operand=operand) if depth < _DEEPEST:
            return _constant(operand, known, depth + 1)
        case Local(var=var) if depth < _DEEPEST and var in known:
            return _constant(known[var], known, depth + 1)
        case Binary(op="*", left=left, right=right) if depth < _DEEPEST:
            a, b = _constant(left, known, depth + 1), _constant(right, known, depth + 1)
            return None if a is None or b is None else a * b
        case _:
            return None
