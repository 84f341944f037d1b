"""Pitches that are no longer than what is accessed of a row: elements 0 to k of it, each by its number.

    float x = p[i * stride + 0], y = p[i * stride + 1], z = p[i * stride + 2];               stride is 3

A pitch below that would make rows overlap, and elements that nobody touches are rare: where no launch tells more, a row is what the kernel
takes it for.  A parameter that is asked for in any other way may be a size of something else.  For findings only.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from analysis_core.ir.effects import assigned_in, assigned_once
from analysis_core.ir.nodes import Binary, Const, Expr, Kernel, Load, Local, PtrAdd, Store, VarId
from analysis_core.ir.walk import expressions_of, statements_of, subexpressions, uncast
from analysis_core.text.records import dataclass

_LEAST = 3
"""Elements of a row: of two, others may be left to another kernel."""

_MOST = 8
"""Elements of a row that somebody writes down one by one."""


@dataclass(frozen=True, slots=True)
class _Element:
    """Element `number` of a row of an array; `name`: the variable by which the index says so."""

    pitch: VarId
    array: Expr
    number: int
    name: VarId


def filled_rows(kernel: Kernel) -> Mapping[str, int]:
    """For each parameter that is used as a pitch and nothing else, by name, the number of elements of a row."""
    body = statements_of(kernel)
    indexes = [(p.pointer, p.index) for s in body if isinstance(s, Load | Store) for p in _additions(s.address)]
    if len(indexes) < _LEAST:
        return {}
    pitches = frozenset(kernel.parameters) - assigned_in(kernel.body)
    known = {v: pitch for v, value in assigned_once(kernel).items() if (pitch := _factor(value, pitches)) is not None}
    found = [e for array, index in indexes if (e := _element(array, index, pitches, known)) is not None]
    rows: dict[VarId, dict[Expr, set[int]]] = {}
    for element in found:
        rows.setdefault(element.pitch, {}).setdefault(element.array, set()).add(element.number)
    lengths = {pitch: length for pitch, arrays in rows.items() if (length := _length(arrays)) is not None}
    if not lengths:
        return {}
    used = Counter(n.var for s in body for e in expressions_of(s) for n in subexpressions(e) if isinstance(n, Local))
    used.subtract(element.name for element in found)
    used.subtract(pitch for row, pitch in known.items() if not used[row])
    return {kernel.variables[pitch].name: length for pitch, length in lengths.items() if not used[pitch]}


def _length(arrays: Mapping[Expr, set[int]]) -> int | None:
    """How many elements of each row are accessed, from the first on, in all arrays alike."""
    lengths = {len(numbers) if numbers == set(range(len(numbers))) else 0 for numbers in arrays.values()}
    length = lengths.pop()
    return length if not lengths and _LEAST <= length <= _MOST else None


def _additions(address: Expr) -> Iterator[PtrAdd]:
    address = uncast(address)
    if isinstance(address, PtrAdd) and not address.offset:
        yield address


def _element(array: Expr, index: Expr, pitches: frozenset[VarId], known: Mapping[VarId, VarId]) -> _Element | None:
    row, number = uncast(index), 0
    if isinstance(row, Binary) and row.op == "+":
        left, right = uncast(row.left), uncast(row.right)
        row, last = (right, left) if isinstance(left, Const) else (left, right)
        if not isinstance(last, Const) or not isinstance(last.value, int):
            return None
        number = last.value
    if isinstance(row, Local) and row.var in known:
        return _Element(known[row.var], array, number, row.var)
    pitch = _factor(row, pitches)
    return None if pitch is None else _Element(pitch, array, number, pitch)


def _factor(row: Expr, pitches: frozenset[VarId]) -> VarId | None:
    """The pitch in `x * pitch`."""
    row = uncast(row)
    if not isinstance(row, Binary) or row.op != "*":
        return None
    sides = (uncast(row.left), uncast(row.right))
    found = [side.var for side in sides if isinstance(side, Local) and side.var in pitches]
    return found[0] if len(found) == 1 else None
