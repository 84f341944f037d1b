"""Expressions: constructors keep the value, printed text evaluates to it, equal costs become equal values."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from analysis_core.expressions.expression import (
    MAXIMUM_DEPTH,
    PYTHON_FUNCTIONS,
    Expression,
    Integer,
    Symbol,
    add,
    ceil_div,
    ceil_div_value,
    depth,
    evaluate,
    floor_div,
    floor_log,
    floor_log_value,
    integer,
    maximum,
    minimum,
    modulo,
    multiply,
    safe_name,
    safe_names,
    scale,
    substitute,
    subtract,
    symbol,
    symbols,
    to_python,
    to_text,
)

NAMES = ("n", "p.n", "gridDim.x", "lambda", "max", "T17")
ENVIRONMENTS = st.fixed_dictionaries({name: st.integers(-100, 1100) for name in NAMES})

# A recipe is built twice: by the constructors, and by plain arithmetic on one environment.
Recipe = tuple[object, ...]
LEAVES = st.one_of(
    st.tuples(st.just("int"), st.integers(-70, 70)),
    st.tuples(st.just("symbol"), st.sampled_from(NAMES)),
)
TWO = ("add", "subtract", "multiply", "ceil_div", "floor_div", "modulo", "maximum", "minimum")


def grow(inner: st.SearchStrategy[Recipe]) -> st.SearchStrategy[Recipe]:
    return st.one_of(
        st.tuples(st.sampled_from(TWO), inner, inner),
        st.tuples(
            st.sampled_from(("ceil_div", "floor_div", "modulo")), inner, st.tuples(st.just("int"), st.integers(1, 64))
        ),
        st.tuples(st.just("scale"), st.integers(-9, 9), inner),
        st.tuples(st.just("floor_log"), st.integers(2, 5), inner),
    )


RECIPES = st.recursive(LEAVES, grow, max_leaves=12)

BUILD = {
    "add": add, "subtract": subtract, "multiply": multiply, "ceil_div": ceil_div, "floor_div": floor_div,
    "modulo": modulo, "maximum": maximum, "minimum": minimum,
}  # fmt: skip
COUNT = {
    "add": lambda a, b: a + b, "subtract": lambda a, b: a - b, "multiply": lambda a, b: a * b,
    "ceil_div": ceil_div_value, "floor_div": lambda a, b: a // b, "modulo": lambda a, b: a % b,
    "maximum": max, "minimum": min,
}  # fmt: skip


def build(recipe: Recipe) -> Expression:
    match recipe:
        case ("int", int(value)):
            return integer(value)
        case ("symbol", str(name)):
            return symbol(name)
        case ("scale", int(factor), inner):
            return scale(factor, build(inner))
        case ("floor_log", int(base), inner):
            return floor_log(base, build(inner))
        case (operation, left, right):
            return BUILD[operation](build(left), build(right))
    raise AssertionError(recipe)


def count(recipe: Recipe, env: dict[str, int]) -> int:
    match recipe:
        case ("int", int(value)):
            return value
        case ("symbol", str(name)):
            return env[name]
        case ("scale", int(factor), inner):
            return factor * count(inner, env)
        case ("floor_log", int(base), inner):
            return floor_log_value(base, count(inner, env))
        case (operation, left, right):
            return COUNT[operation](count(left, env), count(right, env))
    raise AssertionError(recipe)


@given(RECIPES, ENVIRONMENTS)
def test_normalisation_keeps_the_value(recipe: Recipe, env: dict[str, int]) -> None:
    try:
        wanted = count(recipe, env)
    except ZeroDivisionError:
        assume(False)
    assert evaluate(build(recipe), env) == wanted


@given(RECIPES, ENVIRONMENTS)
def test_printed_text_evaluates_to_the_value(recipe: Recipe, env: dict[str, int]) -> None:
    expression = build(recipe)
    try:
        wanted = evaluate(expression, env)
    except ZeroDivisionError:
        assume(False)
    names = safe_names(NAMES)
    values = {names[name]: value for name, value in env.items()}
    text = to_python(expression, names)
    assert set(text) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_ ,()+-*/%")
    assert eval(text, {"__builtins__": {}}, {**PYTHON_FUNCTIONS, **values}) == wanted


@given(RECIPES)
def test_normal_forms_are_stable(recipe: Recipe) -> None:
    expression = build(recipe)
    assert substitute(expression, {}) == expression
    assert to_text(expression) == to_text(substitute(expression, {}))


@given(RECIPES, RECIPES, ENVIRONMENTS)
def test_substitution_is_evaluation_of_the_replacement(outer: Recipe, inner: Recipe, env: dict[str, int]) -> None:
    expression, replacement = build(outer), build(inner)
    try:
        value = evaluate(replacement, env)
        wanted = evaluate(expression, {**env, "n": value})
    except ZeroDivisionError:
        assume(False)
    assert evaluate(substitute(expression, {"n": replacement}), env) == wanted


@given(st.lists(st.tuples(st.integers(-5, 5), st.sampled_from(NAMES)), max_size=8).flatmap(
    lambda terms: st.tuples(st.just(terms), st.permutations(terms))
))  # fmt: skip
def test_the_order_of_terms_does_not_matter(case: tuple[list[tuple[int, str]], list[tuple[int, str]]]) -> None:
    one, two = (add(*(scale(c, symbol(name)) for c, name in terms)) for terms in case)
    assert one == two


n, w, tid = symbol("n"), symbol("wA"), symbol("tid")


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (add(integer(4), scale(8, ceil_div(w, integer(32)))), "4 + 8*ceil(wA/32)"),
        (ceil_div(maximum(integer(0), subtract(n, tid)), integer(256)), "ceil(max(0, n - tid)/256)"),
        (scale(13, w), "13*wA"),
        (add(integer(8), scale(65, symbol("T17"))), "8 + 65*T17"),
        (subtract(n, integer(1)), "n - 1"),
        (scale(-2, n), "-2*n"),
        (subtract(n, n), "0"),
        (floor_div(add(n, integer(255)), integer(256)), "ceil(n/256)"),
        (ceil_div(add(scale(64, n), w), integer(32)), "2*n + ceil(wA/32)"),
        (ceil_div(ceil_div(n, integer(4)), integer(8)), "ceil(n/32)"),
        (ceil_div(multiply(n, w), integer(4)), "ceil(n*wA/4)"),
        (floor_div(n, add(w, tid)), "floor(n/(tid + wA))"),
        (add(floor_log(2, subtract(n, integer(1))), integer(1)), "1 + floor(log2(n - 1))"),
        (modulo(add(scale(33, n), integer(37)), integer(32)), "(5 + n) % 32"),
        (maximum(n, add(n, integer(2)), integer(0)), "max(0, 2 + n)"),
        (multiply(add(n, integer(1)), subtract(n, integer(1))), "n*n - 1"),
    ],
)
def test_texts_for_people(expression: Expression, text: str) -> None:
    assert to_text(expression) == text


def test_names_are_made_safe_and_stay_distinct() -> None:
    assert [safe_name(x) for x in ("p.n", "gridDim.x", "lambda", "max", "a->b", "n")] == [
        "p_n", "gridDim_x", "lambda_", "max_", "a_b", "n",
    ]  # fmt: skip
    names = safe_names(["p.n", "p_n", "p->n"])
    assert names["p_n"] == "p_n"
    assert len(set(names.values())) == 3


def test_floor_log_is_minus_one_below_one() -> None:
    assert [floor_log_value(2, a) for a in (-3, 0, 1, 2, 3, 4, 1023, 1024)] == [-1, -1, 0, 1, 1, 2, 9, 10]
    with pytest.raises(ValueError):
        floor_log(1, n)


def test_deep_expressions_do_not_overflow_the_stack() -> None:
    expression: Expression = n
    for level in range(5000):
        expression = floor_div(expression, symbol(f"d{level % 3}"))
    assert depth(expression) == 5001 > MAXIMUM_DEPTH
    assert symbols(expression) == {"n", "d0", "d1", "d2"}
    assert evaluate(expression, {"n": 7, "d0": 1, "d1": 1, "d2": 1}) == 7
    assert to_python(expression).startswith("(")


def test_text_at_the_greatest_printed_depth_is_accepted_by_python() -> None:
    expression: Expression = n
    while depth(expression) < MAXIMUM_DEPTH:
        expression = ceil_div(add(multiply(n, modulo(expression, w)), integer(1)), add(w, integer(1)))
    assert depth(expression) <= MAXIMUM_DEPTH + 4
    env = {"n": 5, "wA": 3}
    assert eval(to_python(expression), {}, {**PYTHON_FUNCTIONS, **env}) == evaluate(expression, env)


def test_a_symbol_without_a_value_is_an_error() -> None:
    with pytest.raises(KeyError):
        evaluate(add(n, w), {"n": 1})
    assert isinstance(Symbol("n"), Symbol) and Integer(3) == integer(3)
