"""What a compiler knows of a kernel's memory: which accesses are of one element, and which may be of one byte."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping

from analysis_core.domains.symbol import Symbol, SymbolKind
from analysis_core.interp.core.events import AccessEvent, AccessKind
from analysis_core.interp.core.roots import find_roots
from analysis_core.ir.layout import shared_alignment
from analysis_core.ir.nodes import AccessId, Cast, Const, Expr, Kernel, Load, PtrAdd, Store
from analysis_core.ir.types import ArrayType, PointerType, Space, StructType
from analysis_core.ir.walk import statements_of
from analysis_core.text.records import dataclass
from analysis_core.traffic.addresses import split_address


@dataclass(frozen=True, slots=True)
class Member:
    """What an access moves of a record: `start` bytes behind its beginning, if that is known."""

    record: StructType
    start: int | None


@dataclass(frozen=True, slots=True, eq=False)
class Op:
    """An execution, made (`event`) for one of the source.  `rest`: its address but for a constant of `offset` bytes."""

    source: AccessEvent
    event: AccessEvent
    rest: Hashable
    offset: int
    base: Symbol | None
    member: Member | None

    @property
    def width(self) -> int:
        return self.event.access.width

    @property
    def element(self) -> Hashable:
        """Equal for executions that move the same bytes."""
        return (self.event.space, self.rest, self.offset, self.width, self.event.times)

    @property
    def is_load(self) -> bool:
        return self.event.kind is AccessKind.READ


def op_of(event: AccessEvent, member: Member | None) -> Op:
    bases = [m[0] for m in event.address.poly.terms if len(m) == 1 and m[0].kind is SymbolKind.BASE]
    return Op(event, event, *split_address(event), bases[0] if len(bases) == 1 else None, member)


@dataclass(frozen=True, slots=True)
class Memory:
    """What is known of a kernel's memory.  `restrict`: names of pointers that alone lead to theirs, `constant`: of these, by which nobody writes;
    `shared`: by name, how arrays in shared memory are aligned."""

    restrict: frozenset[str]
    constant: frozenset[str]
    shared: Mapping[str, int]

    @staticmethod
    def of(kernel: Kernel) -> Memory:
        roots = find_roots(kernel)
        restricted = [number for number in kernel.parameters if kernel.variables[number].is_restrict]
        objects = frozenset(found.name for found in kernel.objects)
        # An execution is known by the name of what it is of: those of arrays are none of a pointer.
        restrict = frozenset(kernel.variables[number].name for number in restricted) - objects
        written = frozenset(kernel.variables[number].name for number in restricted if roots.may_write(number))
        arrays = [found for found in kernel.objects if found.space is Space.SHARED]
        shared: dict[str, int] = {}
        for found in arrays:
            align = shared_alignment(found.type, (other.type for other in arrays))
            shared[found.name] = min(align, shared.get(found.name, align))
        return Memory(restrict, restrict - written, shared)

    def may_alias(self, one: Op, other: Op) -> bool:
        """Whether both may be of one byte, as far as a compiler knows."""
        a, b = one.event, other.event
        if a.space is not b.space and Space.UNKNOWN not in (a.space, b.space):
            return False
        if one.rest == other.rest:
            return one.offset < other.offset + other.width and other.offset < one.offset + one.width
        if one.base is not None and other.base is not None and one.base is not other.base:
            if a.space is Space.SHARED or a.base in self.restrict or b.base in self.restrict:
                return False
        return not _are_other_members(one, other)


def _are_other_members(one: Op, other: Op) -> bool:
    """Whether they are different members of one type of records."""
    a, b = one.member, other.member
    if a is None or b is None or a.start is None or b.start is None or a.record.name != b.record.name:
        return False
    return a.start + one.width <= b.start or b.start + other.width <= a.start


def members_of(kernel: Kernel) -> Iterable[tuple[AccessId, Member]]:
    """The accesses that move a part of a record."""
    for stmt in statements_of(kernel):
        if isinstance(stmt, (Load, Store)):
            member = _member(stmt.address)
            if member is not None:
                yield stmt.access.id, member


def _member(address: Expr) -> Member | None:
    """The record that the address is in: what the pointer was to before it was one to the member."""
    steps: list[PtrAdd] = []
    while isinstance(address, (Cast, PtrAdd)):
        inner = address.operand if isinstance(address, Cast) else address.pointer
        if isinstance(address, PtrAdd):
            steps.append(address)
        target = inner.type.target if isinstance(inner.type, PointerType) else None
        while isinstance(target, ArrayType):
            target = target.element
        if isinstance(target, StructType):
            return Member(target, _start(steps, target))
        address = inner
    return None


def _start(steps: Iterable[PtrAdd], record: StructType) -> int | None:
    """How far behind the beginning of a record these steps lead, from one that may be before it."""
    start = 0
    for step in steps:
        scale = int(step.scale.value) if isinstance(step.scale, Const) else 0
        if isinstance(step.index, Const):
            start += int(step.index.value) * scale
        elif scale % max(1, record.size) or not scale:
            return None
        start += step.offset
    return start % max(1, record.size)
