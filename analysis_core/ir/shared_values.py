"""What the text says of the values of variables before a loop: where they come from, and whether all threads of a block have the same."""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.ir.nodes import Builtin, BuiltinKind, Expr, Kernel, Local, VarId
from analysis_core.ir.walk import subexpressions

_LONGEST_CHAIN = 16
"""Variables that are looked through to see where a value comes from."""


def is_shared(value: Expr, known: Mapping[VarId, Expr], kernel: Kernel) -> bool:
    """Whether sizes, constants and the number of the block alone decide a value. `known`: the values of variables that
    are assigned once."""
    pending = [value]
    for _ in range(_LONGEST_CHAIN):
        if not pending:
            return True
        for node in subexpressions(pending.pop()):
            if isinstance(node, Builtin) and node.kind is BuiltinKind.THREAD_IDX:
                return False
            if isinstance(node, Local) and node.var in known:
                pending.append(known[node.var])
            elif isinstance(node, Local) and node.var not in kernel.parameters:
                return False
    return False
