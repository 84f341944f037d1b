"""Tests of which both sides access memory: a warp that goes to one of them does not pay for the other.

    if (small[segment]) sort_in_registers(..); else sort_in_memory(..);

Where all lanes of a warp ask for the same contents of memory, they go one way together.  Nobody can say which, and over all warps each side is
taken to be as usual as the other.  (Of an `if` with one side that may be the usual way; what data lets through may be nearly everything.)
"""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.ir.nodes import AccessId, Atomic, Block, If, IfKind, Kernel, Load, Store
from analysis_core.ir.once import once
from analysis_core.ir.walk import statements, statements_of
from analysis_core.text.span import Span


@once
def both_sided(kernel: Kernel) -> Mapping[Span, frozenset[AccessId]]:
    """By the condition of an `if` with an access on either side: those that stand there."""
    found: dict[Span, frozenset[AccessId]] = {}
    for stmt in statements_of(kernel):
        if isinstance(stmt, If) and stmt.kind is IfKind.IF:
            then, otherwise = _accesses(stmt.then), _accesses(stmt.otherwise)
            if then and otherwise:
                found[stmt.span] = found.get(stmt.span, frozenset()) | then | otherwise
    return found


def _accesses(block: Block) -> frozenset[AccessId]:
    return frozenset(s.access.id for s in statements(block) if isinstance(s, (Load, Store, Atomic)))
