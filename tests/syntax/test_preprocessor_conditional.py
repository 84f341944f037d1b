"""The arithmetic of #if."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis_core.syntax.lex.conditional import Number, evaluate
from analysis_core.syntax.lex.lexer import lex_fragment
from analysis_core.text.span import FileId


def value(text: str) -> Number:
    return evaluate(lex_fragment(text, FileId("if")))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3", 7), ("(1 + 2) * 3", 9), ("10 - 4 - 3", 3), ("-7 / 2", -3), ("-7 % 4", -3), ("7 % -4", 3),
        ("1 << 3 | 1", 9), ("-1 >> 1", -1), ("1 << 63 < 0", 1), ("1u << 64", 0), ("8 >> -1", 16), ("~0", -1),
        ("!5", 0), ("!!5", 1), ("- - 3", 3), ("+4", 4), ("3 == 3 != 0", 1), ("6 & 3 ^ 1 | 8", 11),
        ("-1 > 0u", 1), ("-1 < 0", 1), ("0u - 1 == 18446744073709551615u", 1), ("18446744073709551615u / 2 > 0", 1),
        ("9223372036854775807 + 1 < 0", 1), ("1 ? -1 : 0u", -1), ("(1 ? -1 : 0u) > 0", 1),
        ("1 ? 2 : 3 ? 4 : 5", 2), ("0 ? 2 : 0 ? 4 : 5", 5), ("1 ? 0 ? 6 : 7 : 8", 7), ("1 || 0 && 0", 1),
        ("0 && 1 / 0", 0), ("1 || 1 / 0", 1), ("1 ? 2 : 1 / 0", 2), ("unknown", 0), ("true && !false", 1),
        ("1 and not 0 or 0", 1), ("7 bitand 3 xor 1", 2), ("'a'", 97), ("'\\n'", 10), ("'\\x41'", 65), ("'\\101'", 65),
        ("'\\0'", 0), ("0x1F", 31), ("017", 15), ("0b101", 5), ("1'000", 1000), ("5ull", 5), ("(2, 3)", 3),
    ],
)  # fmt: skip
def test_values(text: str, expected: int) -> None:
    assert value(text) == Number(expected, value(text).unsigned)


@pytest.mark.parametrize(
    "text",
    [
        "", "1 / 0", "1 % 0", "0 / 0u", "1 +", "* 2", "(1", "1)", "1 ? 2", "1 : 2", "? :", "1 2", "1.5", "08",
        "99999999999999999999", "9" * 5000, "\"text\"", "''", "a = 1", "x(1)", "1 ? : 2", ")(", "#", "1 && 1 / 0",
        "-9223372036854775808 1",
    ],
)  # fmt: skip
def test_errors_are_values(text: str) -> None:
    assert value(text).error


def test_the_least_integer_divided_by_minus_one_wraps() -> None:
    assert value("(-9223372036854775807 - 1) / -1").value == -(1 << 63)


@pytest.mark.parametrize("text", ["(" * 3000 + "1" + ")" * 3000, "-" * 3000 + "1", "1?" * 3000 + "1" + ":1" * 3000])
def test_deep_nesting_uses_no_call_stack(text: str) -> None:
    start = time.process_time()
    assert value(text.replace("--", "- -").replace("--", "- -")).value == 1
    assert time.process_time() - start < 2


TEXT = "1 0 2u ( ) + - * / % << ? : && || ! ~ < == , x 'c' 1.0 #"


@given(st.lists(st.sampled_from(TEXT.split()), max_size=14))
def test_any_tokens_give_a_number_or_an_error(words: list[str]) -> None:
    number = value(" ".join(words))
    assert -(1 << 63) <= number.value < 1 << 63


@given(st.integers(-50, 50), st.integers(-50, 50), st.sampled_from(["+", "-", "*", "/", "%", "<", "==", "&", "|", "^"]))
def test_small_integers_are_those_of_c(left: int, right: int, operator: str) -> None:
    number = value(f"({left}) {operator} ({right})")
    if operator in "/%":
        if right == 0:
            assert number.error
            return
        quotient = int(left / right)
        expected = quotient if operator == "/" else left - quotient * right
    else:
        expected = int(eval(f"({left}) {operator} ({right})"))  # Python agrees with C here
    assert number.value == expected
