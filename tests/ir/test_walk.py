"""Walks know the parts of every kind of node: their tables are looked up by class, so no type checker sees a gap."""

from __future__ import annotations

from typing import get_args

from analysis_core.ir import walk
from analysis_core.ir.nodes import Expr, Stmt


def test_every_kind_of_node_has_its_parts() -> None:
    assert set(walk._OPERANDS) == set(get_args(Expr))
    assert set(walk._BLOCKS) == set(get_args(Stmt))
