"""Which pieces of text may be taken apart."""

from __future__ import annotations

import pytest

from analysis_core.rewrite.core.source import foreign
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from tests.rewrite.harness import unit_of

TEXT = """#define TILE 32
#define TWICE (TILE * 2)
#define OPEN 2 + 3
#define MINE n
#define AT(i, j) ((i) * TILE + (j))
#define STORE a[0] = 1
__global__ void k(float *a, int n) {{
    {statement}
}}
"""


@pytest.mark.parametrize(
    ("statement", "macro"),
    [
        ("a[TILE] = 1;", None),
        ("a[TWICE + TILE] = 1;", None),
        ("a[OPEN] = 1;", None),
        ("a[OPEN * 2] = 1;", "OPEN"),
        ("a[2 * OPEN] = 1;", "OPEN"),
        ("a[MINE] = 1;", "MINE"),
        ("a[AT(n, 2)] = 1;", "AT"),
        ("STORE;", "STORE"),
        ("for (int i = 0; i < TILE; i++) a[i] = TILE;", None),
        ("for (int i = 0; i < MINE; i++) a[i] = TILE;", "MINE"),
    ],
)
def test_constants_of_macros_are_spelled_as_they_are(statement: str, macro: str | None) -> None:
    unit = unit_of(TEXT.format(statement=statement))
    (_, declaration), *_ = unit.kernels()
    assert declaration.body is not None
    (first, *_) = declaration.body.body
    assert isinstance(first, syn.ExprStmt | syn.For) and any(True for _ in inside(first))
    assert foreign(unit, first) == (None if macro is None else f"the macro `{macro}` makes part of it")
