"""`wmma::fragment`: a matrix kept in the registers of a warp's threads (CUDA programming guide, "Warp matrix functions").

How its elements are spread over the lanes is not specified, and nothing of it is in memory that costs are counted for.
What a program may use is documented: `x`, the lane's elements as an array, and `num_elements`, how many they are.
"""

from __future__ import annotations

from analysis_core.ir.types import INT, ArrayType, OpaqueType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.values import Memory, Operand
from analysis_core.text.span import Span

_NAMES = frozenset(("nvcuda::wmma::fragment", "wmma::fragment", "fragment"))


def is_fragment(type: Type) -> bool:
    """Whether the type is a matrix fragment."""
    return isinstance(type, OpaqueType) and type.name in _NAMES


def fragment_member(ctx: Lowering, place: Memory, name: str, span: Span) -> Operand | None:
    """The documented members of a fragment; None for anything else."""
    type = place.type
    if not isinstance(type, OpaqueType) or not is_fragment(type):
        return None
    if name == "num_elements":
        return ctx.opaque_constant(f"{type.name}::num_elements", INT, span)
    if name == "x":
        return Memory(ArrayType(OpaqueType("fragment element", type.why), None), place.address, place.volatile)
    return None
