"""Swizzle: the column of an element in shared memory is exclusive or'ed with its row, in place of padding: no conflicts, and no more memory.

    s[threadIdx.x][threadIdx.y]    ->    s[threadIdx.x][threadIdx.y ^ threadIdx.x]
    pool[32 * r + c]               ->    pool[(32 * r + c) ^ ((32 * r + c) / 32 % 32)]

In rows of a power of two, `column ^ row` takes each column to another one of the same row, one to one.  Where accesses move several elements
(`*(float4 *)&s[4 * i]`), groups of so many are exchanged, and stay aligned.  Of an array of one extent the rows are those that gain most, and it has
to be full of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analysis_core.domains.shape import IntVector
from analysis_core.ir.nodes import Kernel
from analysis_core.report.checks.bank_conflict import CODE as BANK_CONFLICT
from analysis_core.report.findings.model import Edit
from analysis_core.report.fixes.tile import Tile
from analysis_core.rewrite.core import accesses as acc
from analysis_core.rewrite.core.action import Action, Choice, Refused, Rewritten, Site
from analysis_core.rewrite.core.shared_arrays import (
    Flat,
    Move,
    conflicted,
    cost_of,
    highest,
    one_extent,
    subscripts,
    two_extents,
)
from analysis_core.rewrite.core.source import bracketed
from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.read import tree as syn

_ROWS = (32, 16, 64, 8, 128)
"""Elements of a row that are tried of an array of one extent."""


def _sites(unit: Unit, kernel: Kernel, declaration: syn.FunctionDecl) -> Iterator[Site]:
    for name, span in conflicted(unit, kernel):
        yield Site(kernel, declaration, span, f"`{name}`")


def _rewrite(unit: Unit, site: Site, choice: Choice) -> Rewritten | Refused:
    name = site.subject.strip("`")
    kernels = acc.instances(unit, site)
    if (refused := acc.unstated(unit, kernels)) is not None:
        return refused
    flat = [one_extent(unit, kernel, name) for kernel in kernels]
    if all(isinstance(one, Flat) for one in flat):
        return _of_one_extent(unit, site, kernels, [one for one in flat if isinstance(one, Flat)])
    tile = two_extents(unit, kernels, name)
    if isinstance(tile, str):
        told = next((one for one in flat if isinstance(one, str) and "one extent" not in one), None)
        return Refused(told or tile)
    if tile.columns & (tile.columns - 1):
        return Refused(f"rows of {tile.columns} elements are no power of two")
    places = subscripts(unit, site.declaration, name, 2)
    if isinstance(places, str):
        return Refused(places)
    if cost_of(unit, kernels, name, _in_rows(tile.pitch, tile.size, 1)) >= cost_of(unit, kernels, name, lambda at: at):
        return Refused("it would gain nothing")
    edits = [edit for place in places if (edit := _of_place(unit, tile, place)) is not None]
    return Rewritten(
        f"Swizzle `{name}`",
        tuple(edits),
        (f"nothing but `{name}[row][column]` touches the tile, and no column lies outside of its row",),
        proof="within a row of a power of two, `column ^ row` is one to one",
    )


def _in_rows(pitch: int, size: int, chunk: int) -> Move:
    """The layout in which groups of `chunk` elements of a row are exchanged by the row's number."""
    groups = pitch // size // chunk

    def move(at: IntVector) -> IntVector:
        row, rest = at // pitch, at % (size * chunk)
        group = at % pitch // (size * chunk)
        moved: IntVector = row * pitch + (group ^ (row % groups)) * (size * chunk) + rest
        return moved

    return move


def _of_place(unit: Unit, tile: Tile, place: syn.Subscript) -> Edit | None:
    assert isinstance(place.base, syn.Subscript)
    row = place.base.index
    if isinstance(row, syn.Literal) and row.text == "0":
        return None
    folded = bracketed(unit, row)
    if tile.rows > tile.columns:
        folded = f"({folded} % {tile.columns})"
    return Edit(place.index.span, f"{bracketed(unit, place.index)} ^ {folded}")


def _of_one_extent(unit: Unit, site: Site, kernels: Sequence[Kernel], flats: Sequence[Flat]) -> Rewritten | Refused:
    flat, name = flats[0], flats[0].object.name
    if len({(one.size, one.elements, one.chunk) for one in flats}) > 1:
        return Refused("it differs between instantiations")
    places = subscripts(unit, site.declaration, name, 1)
    if isinstance(places, str):
        return Refused(places)
    last = flat.elements - 1 if flat.elements is not None else highest(unit, kernels, flat)
    present = cost_of(unit, kernels, name, lambda at: at)
    costs = {
        row: cost_of(unit, kernels, name, _in_rows(row * flat.size, flat.size, flat.chunk))
        for row in _ROWS
        if row // flat.chunk >= 2 and (last + 1) % row == 0
    }
    row = min(costs, key=lambda one: costs[one], default=0)
    if not costs or costs[row] >= present:
        return Refused(
            "it would gain nothing" if costs else f"`{name}` is not known to be full of rows of a power of two"
        )
    edits = []
    for place in places:
        index = bracketed(unit, place.index)
        if isinstance(place.index, syn.Literal) and place.index.text.isdecimal() and int(place.index.text) < row:
            continue
        groups = f"{index} / {row} % {row // flat.chunk}"
        edits.append(Edit(place.index.span, f"{index} ^ ({groups}{f' * {flat.chunk}' if flat.chunk > 1 else ''})"))
    return Rewritten(
        f"Swizzle `{name}`",
        tuple(edits),
        (f"nothing but subscripts touches `{name}`, and its indices are known",),
        proof=f"within each {row} elements, `column ^ row` is one to one",
    )


ACTION = Action(
    "swizzle",
    "Swizzle a shared array",
    frozenset({BANK_CONFLICT}),
    _sites,
    _rewrite,
)
