"""Elements of arrays of a thread's own: in registers where the index is constant, in local memory where it is not."""

from __future__ import annotations

from analysis_core.ir.nodes import AddressOf, Builtin, Expr, Kernel, Local
from analysis_core.ir.types import PointerType, Space
from analysis_core.ir.walk import subexpressions
from analysis_core.support.derived import derived


@derived
def _has_own(kernel: Kernel) -> bool:
    return any(thing.space is Space.LOCAL for thing in kernel.objects)


def is_own(address: Expr, kernel: Kernel) -> bool:
    """Whether the address lies in an array of the thread's own."""
    if not _has_own(kernel):
        return False
    named = [
        e for e in subexpressions(address) if isinstance(e, (AddressOf, Local)) and isinstance(e.type, PointerType)
    ]
    return bool(named) and all(
        isinstance(e, AddressOf) and kernel.objects[e.object].space is Space.LOCAL for e in named
    )


def is_register(address: Expr, kernel: Kernel) -> bool:
    """Whether the address is that of one element of an array of the thread's own."""
    return is_own(address, kernel) and not any(isinstance(e, (Local, Builtin)) for e in subexpressions(address))
