"""How a copy of a record is split into requests.

The hardware moves 1, 2, 4, 8 or 16 bytes at a multiple of their number (CUDA C++ programming guide, "Device Memory Accesses": data of such a
size that is naturally aligned is accessed by one instruction, records as well).  A copy takes the largest such pieces that the record's
alignment allows: `float4` and `struct alignas(16) { half h[8]; }` are one piece, `float3` (aligned to 4) is three, `double4` is two.
"""

from __future__ import annotations

from analysis_core.ir.layout import REQUEST_BYTES, align_of, size_of
from analysis_core.ir.nodes import Const
from analysis_core.ir.types import ArrayType, PointerType, ScalarKind, ScalarType, StructType, Type
from analysis_core.text.records import dataclass

MOST_LEAVES = 64
"""Records of more scalars are copied member by member."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A scalar or a pointer in a record: `path` as it is written behind the record, `offset` and `size` in bytes."""

    path: str
    type: Type
    offset: int
    size: int


Piece = tuple[Leaf, ...]


def pieces_of(type: StructType) -> tuple[Piece, ...]:
    """The requests of a copy, in order; none if the record has members that overlap, that nobody knows or that are too many."""
    leaves: list[Leaf] = []
    if not _gather(type, "", 0, leaves):
        return ()
    pieces: list[Piece] = []
    while leaves:
        width = _widest(leaves, align_of(type))
        pieces.append(tuple(leaves[:width]))
        del leaves[:width]
    return tuple(pieces)


def _widest(leaves: list[Leaf], align: int) -> int:
    """How many of the first leaves one request moves."""
    first, end, most = leaves[0], leaves[0].offset, 1
    for count, leaf in enumerate(leaves, 1):
        if leaf.offset != end or end - first.offset >= min(REQUEST_BYTES, align):
            break
        end = leaf.offset + leaf.size
        width = end - first.offset
        if width <= min(REQUEST_BYTES, align) and width & (width - 1) == 0 and first.offset % width == 0:
            most = count
    return most


def _gather(type: Type, path: str, offset: int, leaves: list[Leaf]) -> bool:
    """Appends the leaves of an object at the offset; whether all of it is known."""
    match type:
        case ScalarType(kind=kind) if kind is ScalarKind.VOID:
            return False
        case ScalarType() | PointerType():
            leaves.append(Leaf(path, type, offset, size_of(type) or 0))
            return len(leaves) <= MOST_LEAVES
        case ArrayType(element=element, extent=Const(value=count)):
            step = size_of(element)
            if step is None or count > MOST_LEAVES:
                return False
            return all(_gather(element, f"{path}[{i}]", offset + i * step, leaves) for i in range(int(count)))
        case StructType(fields=fields):
            end = 0
            for field in fields:
                if field.bits is not None or field.offset < end:
                    return False
                if not _gather(field.type, f"{path}.{field.name}", offset + field.offset, leaves):
                    return False
                end = field.offset + (size_of(field.type) or 0)
            return bool(fields)
        case _:
            return False
