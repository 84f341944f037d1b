"""Matrix linearisation: an array of two extents becomes one of one extent, by rows or by columns.

    float (*m)[N], m[r][c]              ->  float *m, m[r * N + c]             rows: the same addresses
    __device__ float m[R][C], m[r][c]   ->  __device__ float m[R * C], m[c * R + r]     columns: lanes of a column lie side by side

By columns memory is laid out anew: that is done to arrays that nothing but subscripts in this file touches, and whose columns are proved to stay in
their rows.  A matrix of pointers to rows, and one of which a row is passed on, is refused.  Source: Alpinist, matrix linearisation.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np

from analysis_core.ir.nodes import Kernel, MemoryObject
from analysis_core.ir.types import Space
from analysis_core.report.checks.bank_conflict import CODE as BANK_CONFLICT
from analysis_core.report.checks.uncoalesced_access import CODE as UNCOALESCED
from analysis_core.report.findings.model import Edit
from analysis_core.report.fixes.tile import Tile, access_starts, mentions, of_object, stays_in_row
from analysis_core.rewrite.core import accesses as acc
from analysis_core.rewrite.core.action import Action, Choice, Comparison, Contents, Moved, Refused, Rewritten, Site
from analysis_core.rewrite.core.host_launches import launches_of, run_together
from analysis_core.rewrite.core.source import bracketed
from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_EXTENTS = re.compile(r"\s*\[([^\[\]\n]*)\]\s*\[([^\[\]\n]*)\]")
_POINTER = re.compile(
    r"(?P<type>[^()]*?)\s*\(\s*\*\s*(?P<of>(?:(?:const|__restrict__|__restrict|restrict)\s+)*)\w+\s*\)\s*\[(?P<columns>[^\[\]]+)\]"
)
_ARRAY = re.compile(r"(?P<type>[^\[\]()]*?)\s*\b(?P<of>)\w+\s*\[[^\[\]]*\]\s*\[(?P<columns>[^\[\]]+)\]")


@dataclass(frozen=True, slots=True)
class _Place:
    """`m[row][column]`, with the text between the brackets."""

    node: syn.Subscript
    row: str
    column: str


def _sites(unit: Unit, kernel: Kernel, declaration: syn.FunctionDecl) -> Iterator[Site]:
    names = [p.name for p in declaration.parameters if p.name and _is_matrix(p.type)]
    names += [o.name for o in kernel.objects if o.space in (Space.SHARED, Space.GLOBAL) and of_object(o) is not None]
    for name in dict.fromkeys(names):
        mention = next((n for n in inside(declaration) if isinstance(n, syn.Subscript) and _root(n) == name), None)
        if mention is not None:
            yield Site(kernel, declaration, mention.span, f"`{name}`", mention)


def _is_matrix(type_: syn.TypeNode) -> bool:
    inner = (
        type_.target if isinstance(type_, syn.PointerTo) else type_.element if isinstance(type_, syn.ArrayOf) else None
    )
    return isinstance(inner, syn.PointerTo | syn.ArrayOf)


def _root(node: syn.Expr) -> str:
    while isinstance(node, syn.Subscript):
        node = node.base
    return node.name if isinstance(node, syn.Name) else ""


def _rewrite(unit: Unit, site: Site, choice: Choice, columns: bool) -> Rewritten | Refused:
    name = site.subject.strip("`")
    parameter = next((p for p in site.declaration.parameters if p.name == name), None)
    if parameter is not None:
        return _of_parameter(unit, site, parameter, columns)
    kernels = acc.instances(unit, site)
    found = next((o for o in kernels[0].objects if o.name == name), None) if kernels else None
    if found is None:
        return Refused(f"`{name}` is no array that is known")
    return _of_array(unit, site, kernels, found, columns)


# --- what is done with a matrix -----------------------------------------------------------------------------------------


def _places(unit: Unit, around: Sequence[syn.Node], area: Span, declared: Span, name: str) -> list[_Place] | str:
    """All that is done with a matrix in an area of the text: two subscripts; or what else is."""
    places: list[_Place] = []
    inner: set[int] = set()
    for node in (one for part in around for one in inside(part)):
        match node:
            case syn.Subscript(base=syn.Subscript(base=syn.Name(name=base) as root) as row) if base == name:
                inner |= {id(row), id(root)}
                if node.expansion is not None or root.expansion is not None or node.span.file != unit.file:
                    return f"a macro makes part of an access in line {unit.line(node.span)}"
                places.append(_place(unit, node, row, root))
            case syn.Subscript(base=syn.Name(name=base) as root) if base == name and id(node) not in inner:
                return f"a row is passed as a pointer (line {unit.line(node.span)})"
            case syn.Name(name=base) if base == name and id(node) not in inner:
                return f"it is used as a whole in line {unit.line(node.span)}"
    spans = sorted(place.node.span for place in places)
    if any(one.end > other.start for one, other in pairwise(spans)):
        return "an element of it is the index of another one"
    own = {place.node.span.start for place in places}
    for at in mentions(name, area, unit.text):
        if at not in own and not declared.start <= at < declared.end:
            return f"its name also stands in line {unit.index.line_of(at)}, in what is not compiled here or in a macro"
    return places


def _place(unit: Unit, node: syn.Subscript, row: syn.Subscript, root: syn.Name) -> _Place:
    first = unit.spelled(Span(unit.file, root.span.end, row.span.end)).strip()
    second = unit.spelled(Span(unit.file, row.span.end, node.span.end)).strip()
    return _Place(node, _operand(unit, row.index, first[1:-1]), _operand(unit, node.index, second[1:-1]))


def _operand(unit: Unit, index: syn.Expr, text: str) -> str:
    is_plain = bracketed(unit, index) == text.strip() or re.fullmatch(r"\w+", text.strip())
    return text.strip() if is_plain else f"({text.strip()})"


def _edit(unit: Unit, name: str, place: _Place, pitch: str, columns: bool) -> Edit:
    major, minor = (place.column, place.row) if columns else (place.row, place.column)
    index = minor if major == "0" else f"{major} * {pitch} + {minor}"
    return Edit(place.node.span, f"{name}[{index}]")


# --- parameters ---------------------------------------------------------------------------------------------------------


def _of_parameter(unit: Unit, site: Site, parameter: syn.Parameter, columns: bool) -> Rewritten | Refused:
    name = parameter.name or ""
    assert site.declaration.body is not None
    places = _places(unit, (site.declaration.body,), site.declaration.span, parameter.span, name)
    if isinstance(places, str):
        return Refused(places)
    if isinstance(parameter.type, syn.PointerTo) and isinstance(parameter.type.target, syn.PointerTo):
        return Refused(f"the rows of `{name}` are allocated one by one: how far they lie apart is not known")
    if columns:
        return Refused(f"`{name}` is filled by its callers: its layout is not the kernel's alone")
    text = unit.spelled(parameter.span)
    shape = _POINTER.fullmatch(text) or _ARRAY.fullmatch(text)
    if shape is None or parameter.expansion is not None or not all(map(str.isascii, text)):
        return Refused(f"the declaration of `{name}` is not understood")
    launches = launches_of(unit, acc.instances(unit, site), site.declaration)
    if isinstance(launches, str):
        return Refused(launches)
    element = shape["type"].strip()
    own = {p.name for p in site.declaration.template or ()}
    if launches and any(word in own for word in re.findall(r"\w+", element + shape["columns"])):
        return Refused("its type depends on the template's arguments")
    if not launches and not site.kernel.annotations.launches:
        return Refused("no launch of it is in view", "//@ launch block=(..)")
    number = [p.name for p in site.declaration.parameters].index(name)
    pitch = (
        shape["columns"].strip() if re.fullmatch(r"\s*\w+\s*", shape["columns"]) else f"({shape['columns'].strip()})"
    )
    edits = [Edit(parameter.span, f"{element} *{shape['of']}{name}")]
    edits += [_edit(unit, name, place, pitch, False) for place in places]
    for launch in launches:
        if number >= len(launch.call.args) or launch.call.args[number].expansion is not None:
            return Refused(f"the launch in line {unit.line(launch.call.span)} cannot be edited")
        given = launch.call.args[number]
        edits.append(Edit(given.span, f"({element} *){bracketed(unit, given)}"))
    return Rewritten(
        f"Linearise `{name}` by rows",
        tuple(edits),
        ("all launches are in view",),
        proof="each element stays where it is: a row is as long as it was",
    )


# --- arrays -------------------------------------------------------------------------------------------------------------


def _of_array(
    unit: Unit, site: Site, kernels: Sequence[Kernel], found: MemoryObject, columns: bool
) -> Rewritten | Refused:
    name, tile = found.name, of_object(found)
    own = found.space is Space.SHARED
    if tile is None or found.span.file != unit.file:
        return Refused(f"`{name}` is no array of two known extents in this file")
    around: Sequence[syn.Node] = (site.declaration,) if own else unit.tree.declarations
    declared = [n for part in around for n in inside(part) if isinstance(n, syn.VarDecl) and n.name == name]
    if len(declared) != 1 or declared[0].init is not None or declared[0].expansion is not None:
        return Refused(f"`{name}` is declared more than once, or with a value")
    if "extern" in declared[0].storage or (own and not site.declaration.span.encloses(declared[0].span)):
        return Refused(f"`{name}` is not this kernel's alone")
    area = site.declaration.span if own else Span(unit.file, 0, len(unit.text))
    places = _places(unit, around, area, declared[0].name_span, name)
    if isinstance(places, str):
        return Refused(places)
    touching = list(kernels) if own else [k for k in unit.module.kernels if any(o.name == name for o in k.objects)]
    if columns and (refused := acc.unstated(unit, touching)) is not None:
        return refused
    if (reason := _moves(unit, touching, name, tile, places, columns)) is not None:
        return Refused(reason)
    extents = _EXTENTS.match(unit.text.decode("utf-8", "surrogateescape"), _characters(unit, declared[0].name_span.end))
    if extents is None or not unit.text.isascii():
        return Refused("its extents do not stand behind its name")
    rows, cols = (one.strip() if re.fullmatch(r"\s*\w+\s*", one) else f"({one.strip()})" for one in extents.groups())
    start = declared[0].name_span.end
    edits = [Edit(Span(unit.file, start, start + len(extents[0])), f"[{rows} * {cols}]")]
    edits += [_edit(unit, name, place, rows if columns else cols, columns) for place in places]
    return Rewritten(
        f"Linearise `{name}` by {'columns' if columns else 'rows'}",
        tuple(edits),
        (f"nothing but `{name}[row][column]` in this file touches it", "no column lies outside of its row")
        if columns
        else (f"nothing but `{name}[row][column]` in this file touches it",),
        proof="each row and column has an element of its own, as before",
        comparison=Comparison() if own else run_together(touching, {}, _turned(name, tile) if columns else None),
    )


def _characters(unit: Unit, at: int) -> int:
    return len(unit.text[:at].decode("utf-8", "surrogateescape"))


def _moves(
    unit: Unit, kernels: Sequence[Kernel], name: str, tile: Tile, places: Sequence[_Place], columns: bool
) -> str | None:
    """What the analysis has against another layout; None for nothing."""
    spelled = {place.node.span.start for place in places}
    for kernel in kernels:
        one = next((of_object(o) for o in kernel.objects if o.name == name), None)
        if acc.not_analysed(kernel):
            return f"a part of the kernel `{kernel.name}` is not analysed"
        if one is None or (one.rows, one.columns, one.size) != (tile.rows, tile.columns, tile.size):
            return "its extents differ between instantiations"
        starts = access_starts(kernel, one)
        if starts is None or not starts <= spelled:
            return "its address is passed on, or it is not accessed by two subscripts"
        settings = unit.place.settings
        if columns and not all(stays_in_row(kernel, one, launch, settings) for launch in unit.launches(kernel)):
            return "its columns are not proved to stay in their rows"
    return None


def _turned(name: str, tile: Tile) -> Moved:
    rows, columns, size = tile.rows, tile.columns, tile.size

    def moved(contents: Contents, numbers: Mapping[str, int]) -> Contents:
        flat = np.zeros(rows * columns * size, dtype=np.uint8)
        given = np.ascontiguousarray(contents[name]).reshape(-1).view(np.uint8)
        flat[: len(given)] = given[: len(flat)]
        turned = flat.reshape(rows, columns, size).transpose(1, 0, 2).reshape(-1)
        return {**contents, name: np.ascontiguousarray(turned)}

    return moved


def by(columns: bool) -> Action:
    """The action that lays matrices out by rows or by columns."""

    def rewrite(unit: Unit, site: Site, choice: Choice) -> Rewritten | Refused:
        return _rewrite(unit, site, choice, columns)

    word = "columns" if columns else "rows"
    cures = frozenset({UNCOALESCED, BANK_CONFLICT}) if columns else frozenset()
    return Action(f"linearise-{word}", f"Linearise a matrix by {word}", cures, _sites, rewrite)


ACTION = by(False)
