"""Tests of ranges that a thread leaves the kernel by, before anything else: `if (x < low || x >= high) return;`.

Such a test is there for the few threads whose element lies outside of what the kernel handles.  Several of them one behind the other ask
the same of one element, part by part (`if (column >= width) return; .. if (row >= height) return;`).
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis_core.ir.nodes import Binary, Block, Expr, If, Kernel, Return, Unary
from analysis_core.ir.walk import uncast
from analysis_core.support.derived import derived
from analysis_core.text.span import Span

_ORDER = frozenset({"<", "<=", ">", ">="})


@derived
def range_checks(kernel: Kernel) -> frozenset[Span]:
    """The conditions by which a thread leaves the kernel if its element is out of range, outside of loops and calls."""
    return frozenset(_checks(kernel))


def _checks(kernel: Kernel) -> Iterator[Span]:
    pending: list[Block] = [kernel.body]
    while pending:
        for stmt in pending.pop():
            if not isinstance(stmt, If):
                continue
            sides = (stmt.then, stmt.otherwise)
            if any(map(_only_returns, sides)) and _is_of_ranges(stmt.condition):
                yield stmt.span
            pending.extend(sides)


def _only_returns(block: Block) -> bool:
    return len(block) == 1 and isinstance(block[0], Return)


def _is_of_ranges(condition: Expr) -> bool:
    """Whether nothing but orders of numbers makes it true or false."""
    pending = [condition]
    while pending:
        match uncast(pending.pop()):
            case Binary(op="&&" | "||", left=left, right=right):
                pending += [left, right]
            case Unary(op="!", operand=operand):
                pending.append(operand)
            case Binary(op=op) if op in _ORDER:
                pass
            case _:
                return False
    return True
