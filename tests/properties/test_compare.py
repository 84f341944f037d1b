"""Costs compared and spelled for people: proofs hold, counterexamples are real, text means what the expression does."""

from __future__ import annotations

import re
from fractions import Fraction
from math import floor, log

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from analysis_core.expressions.compare import always_equal, at_most, simplified
from analysis_core.expressions.expression import (
    Expression,
    add,
    ceil_div,
    evaluate,
    floor_div,
    floor_log,
    integer,
    maximum,
    minimum,
    modulo,
    multiply,
    scale,
    subtract,
    symbol,
    symbols,
    to_python,
)
from analysis_core.expressions.expression_people import Spelling, condition_text, from_python, marked, multiples_of

N, M, W, H = symbol("n"), symbol("m"), symbol("w"), symbol("h")
NAMES = ("n", "m", "w")
SIZES = st.fixed_dictionaries({name: st.integers(0, 300) for name in NAMES})

LEAVES = st.one_of(st.integers(-40, 40).map(integer), st.sampled_from(NAMES).map(symbol))


def grow(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    divisors = st.integers(1, 40).map(integer)
    return st.one_of(
        st.builds(add, inner, inner),
        st.builds(subtract, inner, inner),
        st.builds(multiply, inner, inner),
        st.builds(scale, st.integers(-9, 9), inner),
        st.builds(ceil_div, inner, divisors),
        st.builds(floor_div, inner, divisors),
        st.builds(modulo, inner, divisors),
        st.builds(maximum, inner, inner),
        st.builds(minimum, inner, inner),
        st.builds(floor_log, st.integers(2, 4), inner),
    )


EXPRESSIONS = st.recursive(LEAVES, grow, max_leaves=8)


@settings(max_examples=300)
@given(EXPRESSIONS, EXPRESSIONS, st.lists(SIZES, min_size=5, max_size=5))
def test_a_proof_holds_everywhere(a: Expression, b: Expression, sizes: list[dict[str, int]]) -> None:
    if at_most(a, b):
        assert all(evaluate(a, at) <= evaluate(b, at) for at in sizes)


@settings(max_examples=200)
@given(EXPRESSIONS, EXPRESSIONS)
def test_what_is_true_is_never_denied(a: Expression, b: Expression) -> None:
    assert at_most(minimum(a, b), maximum(a, b)) is not False
    assert at_most(a, maximum(a, b)) is not False


@settings(max_examples=200)
@given(EXPRESSIONS, SIZES)
def test_simplifying_keeps_the_value(expression: Expression, at: dict[str, int]) -> None:
    assert evaluate(simplified(expression), at) == evaluate(expression, at)


@settings(max_examples=200)
@given(EXPRESSIONS)
def test_pythons_text_is_read_back(expression: Expression) -> None:
    read = from_python(to_python(expression))
    assert read is not None
    for at in ({"n": 5, "m": 64, "w": 33}, {"n": 0, "m": 0, "w": 1}):
        assert evaluate(read, at) == evaluate(expression, at)


def value_of(text: str, at: dict[str, int]) -> Fraction:
    """The value of a text for people, by Python's exact division."""
    python = re.sub(r"\blog(\d+)\(", r"log(\1, ", text)
    python = re.sub(r"(?<![\w.])(\d+)", r"F(\1)", python)

    def ceiling(x: Fraction) -> Fraction:
        return Fraction(-floor(-x))

    names = {"F": Fraction, "ceil": ceiling, "max": max, "min": min}
    values = {name: Fraction(value) for name, value in at.items()}
    return Fraction(eval(python, {}, {**names, "floor": lambda x: Fraction(floor(x)), "log": log, **values}))


@example(scale(-1, modulo(ceil_div(symbol("n"), integer(2)), integer(2))), {"n": 1, "m": 0, "w": 0}, 1)
@settings(max_examples=200)
@given(EXPRESSIONS, SIZES, st.sampled_from((1, 2, 8, 32)))
def test_text_for_people_means_the_value(expression: Expression, at: dict[str, int], multiple: int) -> None:
    known = {"w": multiple}
    at = {**at, "w": at["w"] * multiple}
    text = Spelling(("w", "n"), known).text(expression)
    if "log" not in text:
        assert value_of(text, at) == evaluate(expression, at)


@pytest.mark.parametrize(
    ("a", "b", "answer"),
    [
        (N, scale(8, ceil_div(N, integer(8))), True),
        (scale(8, floor_div(N, integer(8))), N, True),
        (scale(8, ceil_div(N, integer(8))), add(N, integer(7)), True),
        (scale(8, ceil_div(N, integer(8))), add(N, integer(6)), False),
        (N, multiply(N, M), False),
        (integer(32), integer(40), True),
        (minimum(integer(12), scale(3, ceil_div(N, integer(8)))), integer(12), True),
        (maximum(integer(4), N), add(N, integer(4)), True),
        (multiply(N, ceil_div(M, integer(32))), multiply(N, M), True),
        (floor_log(2, N), N, True),
        (modulo(N, integer(8)), integer(7), True),
        (modulo(N, M), N, True),
        (multiply(N, N, M), add(multiply(N, N, N), multiply(M, M, M)), None),  # true, and beyond this proof
    ],
)
def test_comparisons(a: Expression, b: Expression, answer: bool | None) -> None:
    assert at_most(a, b) is answer


def test_comparisons_know_what_is_known_of_sizes() -> None:
    assert at_most(N, multiply(N, M), least={"m": 1}) is True
    assert at_most(scale(8, ceil_div(N, integer(8))), N) is False
    assert at_most(scale(8, ceil_div(N, integer(8))), N, multiples={"n": 8}) is True
    assert at_most(integer(32), N, least={"n": 1}, multiples={"n": 32}) is True
    assert always_equal(scale(2, N), add(N, N)) is True
    assert always_equal(N, M) is False


def test_extremes_lose_what_cannot_decide() -> None:
    blocks = ceil_div(N, integer(8))
    assert simplified(maximum(blocks, N, integer(0))) == N
    assert simplified(minimum(scale(8, blocks), N)) == N
    assert simplified(maximum(N, M)) == maximum(N, M)
    warps = [
        add(integer(16), scale(8, ceil_div(maximum(integer(0), subtract(N, integer(32 * w))), integer(256))))
        for w in range(8)
    ]
    assert simplified(maximum(add(integer(16), scale(8, ceil_div(N, integer(256)))), *warps[1:])) == (
        add(integer(16), scale(8, ceil_div(N, integer(256))))
    )


def test_text_for_people() -> None:
    tiles = multiply(ceil_div(W, integer(32)), ceil_div(H, integer(32)))
    spelling = Spelling(("w", "h"), {"w": 32, "h": 32})
    assert spelling.text(scale(256, tiles)) == "w*h/4"
    assert spelling.text(scale(8 * 124, tiles)) == "31*w*h/32"
    assert Spelling().text(scale(256, tiles)) == "256*ceil(h/32)*ceil(w/32)"
    assert spelling.text(add(integer(4), scale(8, ceil_div(symbol("wA"), integer(32))))) == "4 + 8*ceil(wA/32)"
    assert spelling.text(subtract(W, add(H, integer(3)))) == "w - 3 - h"
    assert spelling.text(subtract(W, W)) == "0"
    assert spelling.text(multiply(add(W, floor_div(N, M)), symbol("x"))) == "w*x + x*floor(n/m)"
    assert spelling.text(modulo(N, M)) == "(n % m)"


def test_markdown_shows_every_asterisk() -> None:
    spelling = Spelling(("w", "h"))
    assert spelling.markdown(scale(31, multiply(W, H)), "= ") == "`= 31*w*h`"
    assert spelling.markdown(scale(31, W), "<= ") == "<= 31*w"
    assert marked("32") == "32"


def test_what_is_too_long_is_cut_between_terms() -> None:
    many = add(*(scale(i + 1, symbol(f"size{i}")) for i in range(30)))
    text = Spelling().short(many, 60)
    assert len(text) <= 60 and text.endswith(" + ...")
    assert len(Spelling().text(many)) > 300
    assert len(symbols(many)) == 30
    assert Spelling().short(symbol("x" * 80), 20) == "x" * 17 + "..."


def test_conditions() -> None:
    assert condition_text("w % 32 == 0 and not h == 2 or android >= 1") == "w % 32 == 0 && !h == 2 || android >= 1"
    assert multiples_of("w % 32 == 0 and h % 8 == 0 and n >= 25") == {"w": 32, "h": 8}
    assert multiples_of("w % 32 == 0 && h % 8 == 0") == {"w": 32, "h": 8}
    assert multiples_of("w % 32 == 0 or h % 8 == 0") == {}
    assert multiples_of("w % 32 == 1") == multiples_of("((") == {}
    assert from_python("__import__('os')") is None and from_python("n +") is None
