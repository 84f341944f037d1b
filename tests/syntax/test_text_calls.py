"""Numbers that texts hand to functions (syntax/lex/text_calls.py)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis_core.syntax.lex.mentions import code_of
from analysis_core.syntax.lex.text_calls import Handed, numbers_in_calls, put_together


@pytest.mark.parametrize(
    ("text", "handed"),
    [
        ("void f() { copy(n, x, 1, y, 1); }", (None, None, 1, None, 1)),
        ("void f() { copy(n, 1); g(copy(m, 1u)); }", (None, 1)),
        ("void f() { copy(n, 1); copy(n, 2); }", (None, None)),
        ("void f() { copy(g(1, 2), a[3], {4, 5}, 6); }", (None, None, None, 6)),
        ("void f() { copy(-1, 0x10, 1.0, 07, 0); }", (None, None, None, None, 0)),
        ("void f() { copy(n, 1); copy(n); }", ()),
        ("void f() { run(copy); copy(n, 1); }", ()),
        ("void f() { copy(n, 1", ()),
        ("void f() { copy(n, 1]); }", ()),
        ("int copy(int n, int step); void f() { copy(n, 1 /* , 2 */); }", (None, 1)),
    ],
)
def test_what_calls_agree_on(text: str, handed: Handed) -> None:
    assert numbers_in_calls(code_of(text.encode()), ["copy", "other"]) == {"copy": handed}


@pytest.mark.parametrize("text", ["int copy(int n) { return n; }", "S copy(int n) const { }"])
def test_a_file_that_defines_it_is_another_programs(text: str) -> None:
    assert numbers_in_calls(text.encode(), ["copy"]) is None


def test_files_are_put_together() -> None:
    assert put_together({"f": (1, 2), "g": (3,)}, {"f": (1, 3), "h": ()}) == {"f": (1, None), "g": (3,), "h": ()}


@given(st.text("copy(){}[],; 1x", max_size=60))
def test_any_text_is_read(text: str) -> None:
    numbers_in_calls(code_of(text.encode()), ["copy", "x"])
