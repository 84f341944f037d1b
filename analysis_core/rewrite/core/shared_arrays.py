"""Arrays in shared memory whose elements may lie elsewhere: which they are, where their conflicts are, and what another layout would cost.

The elements of an array may be laid out anew if nothing but subscripts in the kernel's own text touches it.  Of two extents `report/fixes/tile.py` says
when that is so and that columns stay in their rows.  Of one extent (`extern __shared__` pools as well) an access may be wider than an element
(`*(float4 *)&s[4 * i]`): a layout that moves such groups as a whole keeps it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np

from analysis_core.domains.shape import WARP, IntVector
from analysis_core.domains.symbol import SymbolKind
from analysis_core.interp.core.events import AccessEvent, Events
from analysis_core.ir.layout import size_of
from analysis_core.ir.nodes import AddressOf, Atomic, Cast, Const, Expr, Kernel, Load, MemoryObject, PtrAdd, Store
from analysis_core.ir.types import ArrayType, Space
from analysis_core.ir.walk import expressions_of, statements_of, subexpressions
from analysis_core.machine.shared_memory import wavefronts_many
from analysis_core.report.fixes.tile import Tile, refusal, stays_in_row, tile_of
from analysis_core.rewrite.core import accesses as acc
from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

Move = Callable[[IntVector], IntVector]
"""Byte offsets in an array to those of another layout."""


@dataclass(frozen=True, slots=True)
class Flat:
    """An array of one extent: `elements` of `size` bytes, None where its size is the launch's; `chunk`: elements that one access moves at most."""

    object: MemoryObject
    size: int
    elements: int | None
    chunk: int


def conflicted(unit: Unit, kernel: Kernel) -> Iterator[tuple[str, Span]]:
    """The shared arrays, by name, and the places at which their accesses conflict, once each."""
    seen: set[tuple[str, Span]] = set()
    for launch in unit.launches(kernel):
        events = unit.events(kernel, launch)
        for event in events.accesses:
            key = event.base, event.access.span
            if event.space is Space.SHARED and key not in seen and _conflicts(event, events):
                seen.add(key)
                yield key


def _conflicts(event: AccessEvent, events: Events) -> bool:
    offsets = offsets_of(event, events)
    if offsets is None:
        return False
    least = 1 if event.access.width <= 4 else 2 if event.access.width <= 8 else 4
    return bool((_wavefronts(event, events, offsets) > least).any())


def _wavefronts(event: AccessEvent, events: Events, offsets: IntVector) -> IntVector:
    active = (event.mask.may & events.shape.real).reshape(-1, WARP)
    return np.asarray(wavefronts_many(offsets.reshape(-1, WARP), active, event.access.width), dtype=np.int64)


def offsets_of(event: AccessEvent, events: Events) -> IntVector | None:
    """The byte offsets of all threads in their array, but for what all threads of a block share; None where memory decides them."""
    if isinstance(acc.affine(event, events.shape), str) and any(
        symbol.kind is not SymbolKind.BASE and symbol.kind is not SymbolKind.GRID
        for monomial in event.address.poly.terms
        for symbol in monomial
    ):
        return None
    constant = event.address.poly.constant
    return np.full(events.shape.padded, constant, dtype=np.int64) if isinstance(constant, int) else constant


def cost_of(unit: Unit, kernels: Sequence[Kernel], name: str, move: Move) -> int:
    """Wavefronts of all accesses of an array, each executed once, in another layout."""
    total = 0
    for kernel in kernels:
        for launch in unit.launches(kernel):
            events = unit.events(kernel, launch)
            for event in events.accesses:
                if event.base == name and event.space is Space.SHARED and (at := offsets_of(event, events)) is not None:
                    total += int(_wavefronts(event, events, move(at)).sum())
    return total


def two_extents(unit: Unit, kernels: Sequence[Kernel], name: str) -> Tile | str:
    """The tile of this name, in the first instantiation; or why its rows may not be laid out anew in one of them."""
    tiles: list[Tile] = []
    for kernel in kernels:
        tile = tile_of(kernel, name)
        if tile is None:
            return f"`{name}` is no array of two known extents that the kernel declares"
        if (reason := refusal(kernel, tile, unit.text)) is not None:
            return reason
        settings = unit.place.settings
        if not all(stays_in_row(kernel, tile, launch, settings) for launch in unit.launches(kernel)):
            return "its columns are not proved to stay in their rows"
        tiles.append(tile)
    if any((t.rows, t.columns, t.size) != (tiles[0].rows, tiles[0].columns, tiles[0].size) for t in tiles):
        return "its extents differ between instantiations"
    return tiles[0]


def one_extent(unit: Unit, kernel: Kernel, name: str) -> Flat | str:
    """The array of this name; or why its elements may not be laid out anew."""
    found = [o for o in kernel.objects if o.name == name and o.space is Space.SHARED]
    if acc.not_analysed(kernel):
        return "a part of the kernel is not analysed"
    if len(found) != 1 or not isinstance(found[0].type, ArrayType) or isinstance(found[0].type.element, ArrayType):
        return f"`{name}` is no array of one extent"
    size = size_of(found[0].type.element)
    if not size or not kernel.span.encloses(found[0].span):
        return f"`{name}` is not declared in the kernel"
    chunk = 1
    for stmt in statements_of(kernel):
        looked: Iterable[Expr] = expressions_of(stmt)
        if isinstance(stmt, Load | Store | Atomic) and (direct := _direct(stmt, found[0], size)) is not None:
            looked = (*_beside(stmt), direct)
            chunk = max(chunk, stmt.access.width // size)
        if any(isinstance(e, AddressOf) and e.object == found[0].id for x in looked for e in subexpressions(x)):
            return "its address is passed on, or it is not accessed by subscripts alone"
    whole = size_of(found[0].type)
    for launch in unit.launches(kernel):
        events = unit.events(kernel, launch)
        for event in (one for one in events.accesses if one.base == name):
            rest = [m for m in event.address.poly.terms if any(s.kind is not SymbolKind.BASE for s in m)]
            offsets = offsets_of(event, events)
            if rest or offsets is None or int(offsets.min()) < 0:
                return "its indices are not all known"
            if event.access.width > size and bool((offsets % event.access.width).any()):
                return "wide accesses are not aligned to their own width"
    return Flat(found[0], size, None if whole is None else whole // size, chunk)


def _direct(stmt: Load | Store | Atomic, array: MemoryObject, size: int) -> Expr | None:
    """The subscript of an access to the array."""
    address = stmt.address
    while isinstance(address, Cast):
        address = address.operand
    if not isinstance(address, PtrAdd) or address.offset or address.scale != Const(size, address.scale.type):
        return None
    base = address.pointer
    while isinstance(base, Cast):
        base = base.operand
    width = stmt.access.width
    fits = width == size or (width in (8, 16) and width % size == 0)
    return address.index if isinstance(base, AddressOf) and base.object == array.id and fits else None


def _beside(stmt: Load | Store | Atomic) -> Iterator[Expr]:
    """The expressions of an access but for its address."""
    match stmt:
        case Store():
            yield from stmt.values
        case Atomic():
            yield from stmt.args
        case _:
            return


def highest(unit: Unit, kernels: Sequence[Kernel], flat: Flat) -> int:
    """The last element of the array that threads touch, if some thread surely does in every launch, else -1."""
    found: set[int] = set()
    for kernel in kernels:
        for launch in unit.launches(kernel):
            events = unit.events(kernel, launch)
            surely, ever = -1, -1
            for event in events.accesses:
                offsets = offsets_of(event, events) if event.base == flat.object.name else None
                if offsets is None:
                    continue
                last = (offsets + event.access.width) // flat.size - 1
                may, must = (lanes & events.shape.real for lanes in (event.mask.may, event.mask.must))
                ever = max(ever, int(last[may].max(initial=-1)))
                surely = max(surely, int(last[must].max(initial=-1)))
            found |= {surely, ever}
    return found.pop() if len(found) == 1 else -1


def subscripts(unit: Unit, declaration: syn.FunctionDecl, name: str, depth: int) -> list[syn.Subscript] | str:
    """All that is done with an array in the text of a kernel: subscripts, `depth` of them; or what else is, or why they cannot be edited."""
    places: list[syn.Subscript] = []
    bases: set[int] = set()
    pools = [n for n in inside(declaration) if isinstance(n, syn.VarDecl) and {"extern", "__shared__"} <= n.storage]
    if len(pools) > 1 and any(one.name == name for one in pools):
        return f"`{pools[0].name}` and `{pools[1].name}` are the same memory"
    for node in inside(declaration):
        base: syn.Expr = node if isinstance(node, syn.Subscript) else syn.Name(span=node.span, name="")
        for _ in range(depth):
            base = base.base if isinstance(base, syn.Subscript) else syn.Name(span=node.span, name="")
        if isinstance(node, syn.Subscript) and isinstance(base, syn.Name) and base.name == name:
            places.append(node)
            bases.add(id(base))
    for node in inside(declaration):
        if isinstance(node, syn.Name) and node.name == name and id(node) not in bases:
            return "its name also stands elsewhere in the kernel than in accesses"
    led = {id(one) for node in inside(declaration) if (one := _dereferenced(node)) is not None}
    for node in inside(declaration):
        if isinstance(node, syn.Unary) and node.op == "&" and id(node) not in led and node.operand in places:
            return f"its address is taken in line {unit.line(node.span)}"
    for place in places:
        reason = _not_twice(unit, place)
        if reason is not None:
            return reason
    return places


def _not_twice(unit: Unit, place: syn.Subscript) -> str | None:
    """Why the indices of a place may not be written twice; None if they may."""
    for node in inside(place):
        if node.expansion is not None and not isinstance(node, syn.Literal | syn.Binary):
            return f"the macro `{node.expansion}` makes part of an index"
        if isinstance(node, syn.Assign | syn.IncDec | syn.Lambda | syn.OpaqueExpr):
            return f"an index in line {unit.line(place.span)} changes something"
        if isinstance(node, syn.Call):
            return f"a function is called in an index in line {unit.line(place.span)}"
    return None if place.expansion is None and place.index.span.file == unit.file else "a macro makes part of it"


def _dereferenced(node: syn.Node) -> syn.Expr | None:
    """What is led through at once: `*(float4 *)&s[i]`, `((float4 *)&s[i])[0]`, `atomicAdd(&s[i], 1)`."""
    match node:
        case syn.Unary(op="*", operand=syn.Cast(operand=operand)):
            return operand
        case syn.Subscript(base=syn.Cast(operand=operand), index=syn.Literal(text="0")):
            return operand
        case syn.Call(callee=syn.Name(name=name), args=(first, *_)) if name.startswith("atomic"):
            return first
        case _:
            return None
