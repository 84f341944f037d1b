"""Which side of an `if` is usual because a number is rarely the very one that it is compared with: `if (diagonal[i] != 0.0f)`.

Whole numbers that are compared with 0 or 1 may be flags, of which one value is as good as the other, and what is negative may stand
for nothing.
"""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.ir.nodes import Binary, Const, If, Kernel
from analysis_core.ir.types import ScalarKind, ScalarType
from analysis_core.ir.walk import statements_of, uncast
from analysis_core.text.span import Span

_LEAST = 2
"""The least number that is no flag; and the bytes of the narrowest type that is for more than flags and characters."""


def usual_sides(kernel: Kernel) -> Mapping[Span, int]:
    """By condition, 0 where its first side is usual, 1 where the second is."""
    found: dict[Span, int] = {}
    for stmt in statements_of(kernel):
        if isinstance(stmt, If):
            asked = uncast(stmt.condition)
            if isinstance(asked, Binary) and asked.op in ("==", "!=") and _is_one_of_many(asked):
                found[stmt.span] = 0 if asked.op == "!=" else 1
    return found


def _is_one_of_many(asked: Binary) -> bool:
    sides = uncast(asked.left), uncast(asked.right)
    types = [side.type for side in sides if isinstance(side.type, ScalarType)]
    if len(types) < len(sides):
        return False
    if any(type.kind is ScalarKind.FLOAT for type in types):
        return True
    wide = all(type.kind is ScalarKind.INT and type.size >= _LEAST for type in types)
    return wide and all(side.value >= _LEAST for side in sides if isinstance(side, Const))
