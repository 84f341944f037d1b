"""Where members of records lie: the Itanium C++ ABI (2.4) on x86-64 as GCC carries it out; nvcc follows its host compiler.

Pure functions: `records.py` turns definitions into `Member`s.  Rules that are easy to get wrong:

- A bit-field of type T goes to the next free bit if it does not cross a boundary of sizeof(T) bytes there; its access unit is the T at
  that boundary (System V ABI, 3.1.2).  Width 0 closes the unit.  Under `packed` and `#pragma pack` fields cross boundaries.
- Members of a class derived from a class that is not "POD for the purpose of layout" start in its tail padding.
- `packed` removes the alignment of members, not that of an explicit `__align__`; `#pragma pack` limits both.
- A class with virtual functions or virtual bases, and no base that has one already, begins with a pointer to its table.
- Empty bases take no room, but for two objects of one type at one place: the later one moves.

Checked against g++ by `tests/ir/test_layout.py` and `tests/ir/test_random_layouts.py`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace

from analysis_core.ir.layout import MOST_FIELDS, POINTER_BYTES, align_of, is_guessed, round_up, size_of
from analysis_core.ir.types import ArrayType, Base, Field, OpaqueType, StructType, Type
from analysis_core.support.fuel import OutOfFuel
from analysis_core.text.records import dataclass

_ELEMENTS = 64
"""Elements of an array whose empty parts are remembered: what is placed later lies behind all of them."""

Empties = tuple[tuple[str, int], ...]
"""Objects of empty classes within an object: the class and the offset of each."""


@dataclass(frozen=True, slots=True)
class Layout:
    """A laid-out record.  `data_size`: where a class derived from it may go on.  `pod`: whether it is POD for the purpose of layout, None
    where compilers differ.  `virtual`: its virtual bases, direct and indirect; its `type` is then opaque, for their places are known at run time only."""

    type: StructType | OpaqueType
    data_size: int
    pod: bool | None = True
    empty: bool = False
    has_table: bool = False
    empties: Empties = ()
    virtual: tuple[Layout, ...] = ()
    packed: bool = False
    doubt: str | None = None  # what compilers do not agree on, as far as placing the members showed it

    @property
    def size(self) -> int:
        return self.type.size or 0

    @property
    def align(self) -> int:
        return self.type.align or 1

    @property
    def is_certain(self) -> bool:
        """Whether it is certain where a derived class goes on."""
        return self.pod is not None or self.data_size == self.size


def plain(type: StructType) -> Layout:
    """The layout of a record of the toolkit: a C structure."""
    return Layout(type, type.size, empty=not type.fields)


@dataclass(frozen=True, slots=True)
class Member:
    """One member of a record before layout.  `bits`: width of a bit-field; `align`: explicit alignment in bytes; `layout`: that of a class;
    `inherited`: a base class, whose members become members of the record; `overlaps`: as a base, [[no_unique_address]]."""

    name: str
    type: Type
    bits: int | None = None
    align: int | None = None
    inherited: bool = False
    virtual: bool = False
    overlaps: bool = False
    packed: bool = False
    reference: bool = False  # declared as `T &`: `type` is the pointer that it is kept as
    layout: Layout | None = None
    const: bool = False
    mutable: bool = False
    natural: int | None = None  # the alignment that its type has by a typedef's attribute

    @property
    def own_align(self) -> int:
        """The alignment of its type, in bytes."""
        return align_of(self.type) if self.natural is None else self.natural


@dataclass(frozen=True, slots=True)
class Shape:
    """What a definition says beside its members.  `pack`: the alignment that a `#pragma pack` allows, 0 without one; `table`: it has virtual
    functions of its own; `pod`: see `Layout`, as far as the members do not decide."""

    union: bool = False
    packed: bool = False
    pack: int = 0
    align: int | None = None
    table: bool = False
    pod: bool | None = True


_USUAL = Shape()


@dataclass(slots=True)
class _Placing:
    """The state while members are placed in order."""

    shape: Shape
    fields: list[Field] = field(default_factory=list)
    bit: int = 0  # the next free bit
    end: int = 0  # bytes that data takes
    reach: int = 0  # bytes that empty objects reach
    align: int = 1
    empties: list[tuple[str, int]] = field(default_factory=list)
    clashed: bool = False

    def limited(self, align: int) -> int:
        return min(align, self.shape.pack) if self.shape.pack else align

    def clashes(self, empties: Empties, offset: int) -> bool:
        """Whether an object placed there would have an empty object where another of its type is."""
        found = any((name, offset + at) in self.empties for name, at in empties)
        self.clashed = self.clashed or found
        return found

    def take(self, empties: Empties, offset: int) -> None:
        self.empties.extend((name, offset + at) for name, at in empties)


def lay_out(name: str, members: Sequence[Member], shape: Shape = _USUAL) -> Layout:
    """The layout of a record with these members in order, bases first.  Members without a constant size have size 0."""
    placing = _Placing(shape)
    bases = [m for m in members if m.inherited and not m.virtual]
    virtual = _virtual_bases(members)
    has_table = shape.table or bool(virtual) or any(_of(m).has_table for m in bases)
    primary = next((m for m in bases if _of(m).has_table), None)
    if has_table and primary is None:
        placing.bit, placing.end = 8 * POINTER_BYTES, POINTER_BYTES
        placing.align = 1 if shape.packed else placing.limited(POINTER_BYTES)
    places: dict[int, tuple[int, tuple[Field, ...]]] = {}
    for member in sorted(bases, key=lambda m: m is not primary):
        places[id(member)] = _place_base(placing, member)
    parts: list[Base] = []
    for member in bases:
        offset, fields = places[id(member)]
        if isinstance(member.type, StructType):
            parts.append(Base(member.type, offset, len(placing.fields)))
        placing.fields.extend(fields)
    for member in members:
        if not member.inherited:
            _place_member(placing, member)
    pod = _pod(shape, members, has_table)
    own_end = max(placing.end, placing.reach)
    for base in virtual:
        _place_base(placing, Member("", base.type, inherited=True, layout=base))
    alignment = max(placing.align, shape.align or 1)
    size = round_up(max(placing.end, placing.reach), alignment)
    empty = not has_table and _is_empty(members)
    if empty:
        size = max(size, alignment)
    guessed = any(map(is_guessed, [*(member.type for member in members), *(base.type for base in virtual)]))
    fields = tuple(placing.fields)
    type: StructType | OpaqueType = StructType(name, fields, size, alignment, bases=tuple(parts), guessed=guessed)
    if virtual:
        reason = "where its virtual base lies is known at run time only"
        type = OpaqueType(name, reason, unsized=True) if guessed else OpaqueType(name, reason, size, alignment)
    data = size if pod and not virtual else own_end
    empties = (*placing.empties, (name, 0)) if empty else tuple(placing.empties)
    doubt = "where two empty objects of one type lie" if shape.pack and placing.clashed else None
    if virtual and (shape.pack or any(base.has_table or base.empties for base in virtual)):
        doubt = "where its virtual bases and their tables lie"
    return Layout(type, data, pod, empty, has_table, empties, virtual, shape.packed, doubt)


def disputed(members: Sequence[Member], shape: Shape) -> str | None:
    """What GCC and the front end of nvcc lay out differently, in words."""
    for member in members:
        limit = shape.pack or member.own_align
        if member.inherited:
            if not _of(member).is_certain:
                return f"whether members go on in the padding of its base `{_of(member).type.name}`"
            if shape.packed and _of(member).align > 1 and not _of(member).empty:
                return "whether `packed` moves its base"
            if shape.pack and _of(member).empty and _of(member).align > shape.pack:
                return "whether `#pragma pack` limits the alignment of its base"
        elif shape.packed and (
            member.reference or ((shape.table or shape.pack) and not _gives_way(member)) or _is_disputed(member)
        ):
            return f"whether `packed` moves its member `{member.name}`"
        elif shape.pack and (member.align or 0) > limit:
            return f"whether `#pragma pack` limits the alignment of its member `{member.name}`"
        elif member.overlaps and _overlap_is_disputed(member, shape):
            return f"where its member `{member.name}` lies, which others may overlap"
    return None


def _overlap_is_disputed(member: Member, shape: Shape) -> bool:
    layout = _of(member)
    return bool(layout.virtual) or not layout.is_certain or (layout.align > 1 and bool(shape.packed or shape.pack))


def _is_disputed(member: Member) -> bool:
    return member.layout is not None and member.layout.pod is None


def _gives_way(member: Member) -> bool:
    """Whether `packed` of the record moves a member: not one of a class that is no POD and not packed itself."""
    return member.layout is None or member.layout.pod is True or member.layout.packed


def _of(member: Member) -> Layout:
    if member.layout is not None:
        return member.layout
    return plain(member.type) if isinstance(member.type, StructType) else Layout(OpaqueType("", ""), 0)


def _virtual_bases(members: Sequence[Member]) -> tuple[Layout, ...]:
    """The virtual bases of a class, each once, in the order of the inheritance graph."""
    found: dict[str, Layout] = {}
    for member in members:
        if member.inherited:
            for base in (*((_of(member),) if member.virtual else ()), *_of(member).virtual):
                found.setdefault(base.type.name, base)
    return tuple(found.values())


def _is_empty(members: Sequence[Member]) -> bool:
    for member in members:
        if member.inherited or (member.overlaps and member.layout is not None):
            if member.virtual or not _of(member).empty:
                return False
        elif member.bits != 0:
            return False
    return True


def _pod(shape: Shape, members: Sequence[Member], has_table: bool) -> bool | None:
    if has_table or shape.pod is False or any(m.inherited or m.reference for m in members):
        return False
    parts = [None if m.overlaps else m.layout.pod for m in members if m.layout is not None]
    return False if False in parts else None if None in parts else shape.pod


# --- placing ----------------------------------------------------------------------------------------------------


def _place_base(placing: _Placing, member: Member) -> tuple[int, tuple[Field, ...]]:
    """Places a base: its offset, and its members as they lie in the record."""
    layout = _of(member)
    align = placing.limited(max(layout.align, member.align or 1))
    if layout.empty:
        return _place_empty(placing, layout, align), ()
    if isinstance(layout.type, StructType) and len(layout.type.fields) > MOST_FIELDS:
        raise OutOfFuel(f"a class has more than {MOST_FIELDS} members")
    offset = round_up(-(-placing.bit // 8), align)
    while placing.clashes(layout.empties, offset):
        offset += align
    placing.take(layout.empties, offset)
    placing.align = max(placing.align, align)
    placing.bit = 8 * (offset + layout.data_size)
    placing.end = max(placing.end, offset + layout.data_size)
    placing.reach = max(placing.reach, offset + layout.data_size)
    return offset, tuple(_moved(layout.type, offset))


def _place_empty(placing: _Placing, layout: Layout, align: int) -> int:
    """Places an empty base: at the beginning, or else behind the data, where no other of its type is."""
    offset = 0
    if placing.clashes(layout.empties, 0):
        offset = round_up(-(-placing.bit // 8), align)
        while placing.clashes(layout.empties, offset):
            offset += align
    placing.take(layout.empties, offset)
    placing.align = max(placing.align, align)
    placing.reach = max(placing.reach, offset + layout.size)
    return offset


def _place_member(placing: _Placing, member: Member) -> None:
    shape = placing.shape
    size = size_of(member.type) or 0
    loose = (member.packed or (shape.packed and _gives_way(member))) and not (member.bits is not None and shape.pack)
    natural = 1 if loose else member.own_align
    wanted = placing.limited(max(natural, member.align or 1))
    if shape.union:
        placing.bit = 0
    if member.bits is not None:
        _place_bits(placing, member, max(1, size), wanted)
        return
    layout = member.layout if not isinstance(member.type, ArrayType) else None
    placing.align = max(placing.align, wanted)
    if member.overlaps and layout is not None and layout.empty:
        offset = _place_empty(placing, layout, wanted)
        placing.fields.append(Field(member.name, member.type, offset))
        return
    empties = tuple(_empties_within(member))
    offset = round_up(-(-placing.bit // 8), wanted)
    while not shape.union and placing.clashes(empties, offset):
        offset += wanted
    placing.take(empties, offset)
    placing.fields.extend(_placed(member, offset))
    taken = layout.data_size if member.overlaps and layout is not None else size
    placing.bit = 8 * (offset + taken)
    placing.end = max(placing.end, offset + taken)
    placing.reach = max(placing.reach, offset + taken)


def _empties_within(member: Member) -> Iterator[tuple[str, int]]:
    if member.layout is None:
        return
    count, step = 1, member.layout.size
    if isinstance(member.type, ArrayType) and step:
        count = min(_ELEMENTS, (size_of(member.type) or 0) // step)
    for i in range(count):
        yield from ((name, i * step + at) for name, at in member.layout.empties)


def _place_bits(placing: _Placing, member: Member, size: int, wanted: int) -> None:
    """Places a bit-field at or after the next free bit."""
    shape = placing.shape
    unit = 8 * size
    width = member.bits or 0
    crossing = shape.packed or member.packed or bool(shape.pack)
    bit = placing.bit
    if width == 0:
        placing.bit = round_up(bit, max(unit, 8 * (member.align or 1)))
        placing.end = max(placing.end, placing.bit // 8)
        return
    if member.align is not None:
        bit = round_up(bit, 8 * placing.limited(member.align))
    if not crossing and bit // unit != (bit + min(width, unit) - 1) // unit:
        bit = round_up(bit, unit)
    offset = bit // unit * size
    start = bit - 8 * offset
    if start + width > unit:  # Packed fields may cross the unit: take the unit that starts at their first byte.
        offset, start = bit // 8, bit % 8
    if member.name:
        placing.fields.append(Field(member.name, member.type, offset, (start, min(width, unit))))
        placing.align = max(placing.align, wanted)
    placing.bit = bit + width
    placing.end = max(placing.end, -(-placing.bit // 8))


def _placed(member: Member, offset: int) -> Iterator[Field]:
    """The fields that a member contributes: itself, or the members of an anonymous record."""
    if not member.name and isinstance(member.type, StructType):
        yield from _moved(member.type, offset)
    else:
        words = (member.reference, member.const, member.mutable)
        yield Field(member.name, member.type, offset, None, *words)


def _moved(type: Type, offset: int) -> Iterator[Field]:
    for inner in type.fields if isinstance(type, StructType) else ():
        yield replace(inner, offset=offset + inner.offset)
