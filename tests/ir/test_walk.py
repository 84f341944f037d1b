"""Walks know the parts of every kind of node: their tables are looked up by class, so no type checker sees a gap.  What a kernel is asked
again and again is found out once."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from analysis_core.ir import walk
from analysis_core.ir.nodes import Expr, Kernel, Stmt
from analysis_core.support.derived import derived
from analysis_core.support.packing import pack, unpack
from tests.ir import lowering


def test_every_kind_of_node_has_its_parts() -> None:
    assert set(walk._OPERANDS) == set(get_args(Expr))
    assert set(walk._BLOCKS) == set(get_args(Stmt))


def test_a_question_is_answered_once_for_each_kernel() -> None:
    asked: list[str] = []

    @derived
    def answer(kernel: Kernel) -> int:
        asked.append(kernel.name)
        return len(kernel.body)

    kernel = lowering.kernel("__global__ void k(int *a) { if (a[0]) a[1] = 2; }")
    shorter = replace(kernel, name="shorter", body=kernel.body[:1])
    assert [answer(k) for k in (kernel, shorter, kernel, shorter)] == [len(kernel.body), 1] * 2
    assert asked == ["k", "shorter"]
    assert kernel == replace(kernel) and unpack(pack(kernel)) == kernel  # answers are no part of it
    assert walk.statements_of(kernel) == tuple(walk.statements(kernel.body))
