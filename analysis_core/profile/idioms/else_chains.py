"""Chains of tests: `if (a) .. else if (b) .. else if (c) .. else ..`.  A reader takes them for one question with several answers."""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.ir.nodes import Assign, Block, Declare, If, IfKind, Inlined, Kernel, Load
from analysis_core.ir.walk import statements, statements_of
from analysis_core.support.derived import derived
from analysis_core.text.span import Span


@derived
def else_chains(kernel: Kernel) -> Mapping[Span, Span]:
    """For each further test of an `else if` chain, by its statement, the first test's statement."""
    heads: dict[Span, Span] = {}
    for stmt in statements_of(kernel):  # outer ones first
        if isinstance(stmt, If) and stmt.kind is IfKind.IF:
            following = _only_test(stmt.otherwise)
            if following is not None:
                heads[following.whole] = heads.get(stmt.whole, stmt.whole)
    return heads


def _only_test(block: Block) -> If | None:
    """The `if` that the block consists of, beside what its condition computes."""
    last = block[-1] if block else None
    if not isinstance(last, If) or last.kind is not IfKind.IF:
        return None
    return last if all(_is_part_of_condition(stmt) for stmt in statements(block[:-1])) else None


def _is_part_of_condition(stmt: object) -> bool:
    if isinstance(stmt, If):
        return stmt.kind is not IfKind.IF
    return isinstance(stmt, (Assign, Declare, Inlined, Load))
