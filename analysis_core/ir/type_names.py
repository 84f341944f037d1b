"""How messages name types."""

from __future__ import annotations

from analysis_core.ir.types import ArrayType, OpaqueType, PointerType, ScalarType, StructType, Type


def spell(type: Type) -> str:
    """A type for messages."""
    match type:
        case ScalarType() | StructType() | OpaqueType():
            return type.name or "struct"
        case PointerType():
            return spell(type.target) + "*"
        case ArrayType():
            return spell(type.element) + "[]"
