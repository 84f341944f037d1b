"""Two-dimensional tiles in shared memory, and whether the last extent of one may grow without changing what a kernel does.

A row that is longer by some elements keeps the program's meaning if nothing but `tile[row][column]` ever touches the tile,
and every column lies in its row.  So a tile may be padded only if

- in the text of its kernel its name stands in its declaration and at the beginning of accesses, nowhere else (no `sizeof`,
  no macro that is given it, no part that the preprocessor leaves out);
- in the IR its address occurs in accesses `&tile + row * pitch + column * size` alone: what is passed on, kept in a pointer
  or cast is none;
- a column outside of its row is impossible: the kernel is interpreted with a test before each access, and none of them can
  be true for any thread under any of its launches;
- nothing of the kernel is outside of the analysis.

A tile that runs over its rows (`tile[0][32 * y + x]`) works today, and would not afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from analysis_core.interp.interpret import interpret
from analysis_core.ir.layout import size_of
from analysis_core.ir.nodes import (
    AddressOf,
    Atomic,
    Binary,
    Block,
    Const,
    Expr,
    If,
    IfKind,
    Inlined,
    Kernel,
    Load,
    Loop,
    MemoryObject,
    PtrAdd,
    Stmt,
    Store,
    Switch,
    SwitchArm,
    UnknownStmt,
)
from analysis_core.ir.types import BOOL, ArrayType, ScalarKind, ScalarType, Space
from analysis_core.ir.walk import expressions_of, statements_of, subexpressions
from analysis_core.program.launch import Launch
from analysis_core.support.settings import Settings
from analysis_core.text.records import dataclass
from analysis_core.text.span import FileId, Span

_NO_CODE = re.compile(rb'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)

_TEST = Span(FileId("<column outside of its row>"), 0, 0)
"""Marks what stands behind a test that has to be false."""


@dataclass(frozen=True, slots=True)
class Tile:
    """`rows` times `columns` elements of `size` bytes."""

    object: MemoryObject
    rows: int
    columns: int
    size: int

    @property
    def pitch(self) -> int:
        """Bytes from row to row."""
        return self.columns * self.size


def tile_of(kernel: Kernel, name: str) -> Tile | None:
    """The only shared array of this name, if it has two known extents and is declared in the kernel itself."""
    found = [o for o in kernel.objects if o.name == name and o.space is Space.SHARED]
    return of_object(found[0]) if len(found) == 1 and _inside(found[0].span, kernel.span) else None


def of_object(one: MemoryObject) -> Tile | None:
    """An array as a tile, if it has two known extents."""
    outer = one.type
    if not isinstance(outer, ArrayType) or not isinstance(outer.element, ArrayType):
        return None
    size = size_of(outer.element.element)
    rows, columns = _constant(outer.extent), _constant(outer.element.extent)
    if rows is None or columns is None or not size or isinstance(outer.element.element, ArrayType):
        return None
    return Tile(one, rows, columns, size)


def refusal(kernel: Kernel, tile: Tile, text: bytes) -> str | None:
    """Why the text and the IR of a kernel do not allow the rows of a tile to grow; None if they do."""
    if any(isinstance(stmt, UnknownStmt) for stmt in statements_of(kernel)) or kernel.unknowns:
        return "a part of the kernel is not analysed"
    if any(o.space is Space.SHARED and size_of(o.type) is None for o in kernel.objects):
        return "the size of the dynamic shared memory is not known"
    starts = access_starts(kernel, tile)
    if starts is None:
        return "its address is passed on, or it is not accessed by two subscripts"
    if {tile.object.span.start, *starts} != set(mentions(tile.object.name, kernel.span, text)):
        return "its name also stands elsewhere in the kernel than in accesses"
    return None


def access_starts(kernel: Kernel, tile: Tile) -> set[int] | None:
    """Where accesses `tile[row][column]` begin; None if its address occurs in anything else."""
    starts = set()
    for stmt in statements_of(kernel):
        direct = column_of(stmt, tile)
        expressions = expressions_of(stmt) if direct is None else _around(stmt, direct)
        if any(isinstance(e, AddressOf) and e.object == tile.object.id for x in expressions for e in subexpressions(x)):
            return None
        if direct is not None and isinstance(stmt, Load | Store | Atomic):
            starts.add(stmt.access.span.start)
    return starts


@dataclass(frozen=True, slots=True)
class Direct:
    """`tile[row][column]`, or a member of it."""

    row: Expr
    column: Expr


def column_of(stmt: Stmt, tile: Tile) -> Direct | None:
    """The subscripts of an access to the tile; None for any other statement or address."""
    if not isinstance(stmt, Load | Store | Atomic):
        return None
    outer = stmt.address
    inner = outer.pointer if isinstance(outer, PtrAdd) else None
    if not isinstance(outer, PtrAdd) or not isinstance(inner, PtrAdd):
        return None
    base = inner.pointer
    is_tile = isinstance(base, AddressOf) and base.object == tile.object.id
    steps = _constant(inner.scale), _constant(outer.scale)
    inside = inner.offset == 0 and outer.offset >= 0 and outer.offset + stmt.access.width <= tile.size
    return Direct(inner.index, outer.index) if is_tile and steps == (tile.pitch, tile.size) and inside else None


def _around(stmt: Stmt, direct: Direct) -> Iterator[Expr]:
    """The expressions of an access but for its address, and the subscripts."""
    yield direct.row
    yield direct.column
    match stmt:
        case Store():
            yield from stmt.values
        case Atomic():
            yield from stmt.args
        case _:
            return


def stays_in_row(kernel: Kernel, tile: Tile, launch: Launch, settings: Settings) -> bool:
    """Whether no thread of the launch can reach an access of the tile with a column outside of its row."""
    tested = replace(kernel, body=_tested(kernel.body, tile))
    return all(branch.span != _TEST for branch in interpret(tested, launch, settings).branches)


def _tested(block: Block, tile: Tile) -> Block:
    """The statements with a test before each access of the tile: what stands behind it is reached only by columns outside."""
    result: list[Stmt] = []
    for stmt in block:
        direct = column_of(stmt, tile)
        if direct is not None and (outside := _outside(direct.column, tile.columns)) is not None:
            marker = If(Const(1, BOOL), (), (), IfKind.IF, _TEST, _TEST)
            span = stmt.access.span if isinstance(stmt, Load | Store | Atomic) else _TEST
            result.append(If(outside, (marker,), (), IfKind.IF, span, span))
        result.append(_inner_tested(stmt, tile))
    return tuple(result)


def _inner_tested(stmt: Stmt, tile: Tile) -> Stmt:
    match stmt:
        case If():
            return replace(stmt, then=_tested(stmt.then, tile), otherwise=_tested(stmt.otherwise, tile))
        case Loop():
            test, body, step = (_tested(block, tile) for block in (stmt.test, stmt.body, stmt.step))
            return replace(stmt, test=test, body=body, step=step)
        case Switch():
            return replace(stmt, arms=tuple(SwitchArm(arm.labels, _tested(arm.body, tile)) for arm in stmt.arms))
        case Inlined():
            return replace(stmt, body=_tested(stmt.body, tile))
        case _:
            return stmt


def _outside(column: Expr, columns: int) -> Expr | None:
    """ "column < 0 || column >= columns", in the column's own type; None for a constant inside."""
    known = _constant(column)
    if known is not None:
        return None if 0 <= known < columns else Const(1, BOOL)
    type_ = column.type
    if not isinstance(type_, ScalarType) or type_.kind is not ScalarKind.INT:
        return Const(1, BOOL)
    above = Binary(">=", column, Const(columns, type_), BOOL)
    if not type_.signed:
        return above
    return Binary("||", Binary("<", column, Const(0, type_), BOOL), above, BOOL)


def mentions(name: str, area: Span, text: bytes) -> Iterator[int]:
    """Where a name stands in the code of an area, comments and strings left out; also in what the preprocessor leaves out."""
    code = _NO_CODE.sub(lambda match: b" " * len(match[0]), text[area.start : area.end])
    for match in re.finditer(rb"(?<![\w.])" + re.escape(name.encode()) + rb"\b", code):
        yield area.start + match.start()


def _constant(expr: Expr | None) -> int | None:
    return expr.value if isinstance(expr, Const) and isinstance(expr.value, int) else None


def _inside(inner: Span, outer: Span) -> bool:
    return inner.file == outer.file and outer.start <= inner.start and inner.end <= outer.end
