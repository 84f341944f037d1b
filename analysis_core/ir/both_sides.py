"""Tests of which both sides access memory: a warp that goes to one of them does not pay for the other.

    if (small[segment]) sort_in_registers(..); else sort_in_memory(..);

Where all lanes of a warp ask for the same contents of memory, they go one way together.  Nobody can say which, and over all warps each side is
taken to be as usual as the other.  (Of an `if` with one side that may be the usual way; what data lets through may be nearly everything.)
"""

from __future__ import annotations

from analysis_core.ir.nodes import Atomic, Block, If, IfKind, Kernel, Load, Store
from analysis_core.ir.once import once
from analysis_core.ir.walk import statements, statements_of
from analysis_core.text.span import Span


@once
def both_sided(kernel: Kernel) -> frozenset[Span]:
    """The conditions of `if`s with an access on either side."""
    tests = (stmt for stmt in statements_of(kernel) if isinstance(stmt, If) and stmt.kind is IfKind.IF)
    return frozenset(stmt.span for stmt in tests if _accesses(stmt.then) and _accesses(stmt.otherwise))


def _accesses(block: Block) -> bool:
    return any(isinstance(stmt, (Load, Store, Atomic)) for stmt in statements(block))
