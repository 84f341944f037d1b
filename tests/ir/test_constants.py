"""Constant evaluation: against g++ on fixed and drawn expressions, conversions against ctypes."""

from __future__ import annotations

import ctypes
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis_core.ir.constants import calculate, constant, fold, wrap
from analysis_core.ir.literals import character_literal, floating_literal, integer_literal
from analysis_core.ir.nodes import Binary, Cast, Const, Expr, Local, Select, Store, Unary, VarId
from analysis_core.ir.scalars import scalar_named
from analysis_core.ir.types import BOOL, DOUBLE, FLOAT, INT, ULONG, ScalarType
from analysis_core.ir.walk import statements
from tests.ir import gpp
from tests.ir.lowering import kernel

PRELUDE = """
enum Colour { RED = 3, GREEN, BLUE = RED * 10, LAST };
enum class Wide : unsigned long long { TOP = ~0ull };
const int N = 17;
constexpr unsigned U = 4000000000u;
static const long long L = N * (1LL << 33);
const short S = 70000;
const bool YES = N > 3;
const unsigned char SMALL = -1;
template <int A, int B = A + 1> struct Pair { static const int sum = A + B; enum { product = A * B }; };
namespace deep { const int N = 5; namespace er { const int M = N * 2; } }
enum Long : long { L0, L1 = 5 }; enum { FOUR = sizeof(int), FIVE }; enum { HIGH = 1u << 31, ONE = 1 };
constexpr int down(unsigned short x) { int s = 0; do { s += x & 1; } while (--x > 65530); return s * 10 + (x == 65530); }
struct Host { static constexpr int K = 4; struct In { static const int J = K + 1; }; };
"""

EXPRESSIONS = [
    "1 + 2 * 3", "-7 / 2", "-7 % 3", "7 % -3", "-7 / -2", "1 << 10", "-16 >> 2", "0xFFFFFFFF >> 4", "~0", "~0u", "~0ull >> 60",
    "5 - 6u", "-1 < 1u", "-1 < 1", "(unsigned char)300", "(signed char)200", "(short)100000", "(int)3.99", "(int)-3.99",
    "(unsigned)-1", "(long long)(unsigned)-1", "(long long)-1u", "'a' + 1", "'\\n'", "'\\x41'", "'\\101'", "'ab'", "0x7fffffff + 1u",
    "2147483648", "4294967295 + 1", "010 + 0b101 + 0x1F", "1'000'000", "sizeof(int) * 3 - 20 > 0", "sizeof(long) + sizeof(char)",
    "3 > 2 ? 10 : 20u", "(3 > 2) + (2 > 3)", "!5 + !0", "1 && 0 || 1", "5 & 3 | 4 ^ 1", "1.5 * 2 > 2.9", "(int)(0.1f * 10)",
    "N * 2", "U + U", "L", "S", "YES + YES", "SMALL", "RED + GREEN * BLUE + LAST", "(long long)Wide::TOP >> 3", "Pair<3>::sum",
    "Pair<3, 9>::product", "deep::N + deep::er::M + ::N", "Host::K + Host::In::J", "true + true", "(bool)8 + 1", "+(char)-3",
    "(unsigned short)40000 * (unsigned short)2", "1ll << 40 >> 38", "-5 >> 1", "10u / 3 % 2", "(1, 2)", "(float)16777217 == 16777216",
    "5 / 2.0 * 2", "-2147483647 - 1", "(unsigned long long)1 << 63 >> 63", "sizeof(1 ? 'a' : 2)", "sizeof(0 ? 1.0 : true ? 'a' : 2) + sizeof(N ? S : SMALL)", "sizeof(L1) + sizeof(N ? L0 : 1)", "sizeof(FIVE ? FOUR : 'a')",
    "(FOUR - 9) / 2", "(ONE - 9) / 2 > 0", "down(3)", "sizeof 'a' + sizeof(L) + sizeof(char[3][N])",
]  # fmt: skip


def ours(expressions: list[str], prelude: str = PRELUDE) -> list[int | float | None]:
    body = "\n".join(f"o[{i}] = (long long)({e});" for i, e in enumerate(expressions))
    found = kernel(f"{prelude}\n__global__ void k(long long *o) {{ {body} }}")
    folded = [fold(stmt.values[0]) for stmt in statements(found.body) if isinstance(stmt, Store)]
    return [None if value is None else value.value for value in folded]


def test_constant_expressions_have_the_compilers_values(tmp_path: Path) -> None:
    theirs = gpp.integers(PRELUDE, EXPRESSIONS, tmp_path)
    assert dict(zip(EXPRESSIONS, ours(EXPRESSIONS))) == dict(zip(EXPRESSIONS, theirs))


def test_drawn_expressions_have_the_compilers_values(tmp_path: Path) -> None:
    """Operators over casts of edge values; undefined ones (division by zero, wide shifts) are left out by us first."""
    types = ["signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long"]
    values = [
        "0",
        "1",
        "-1",
        "2",
        "7",
        "127",
        "128",
        "255",
        "-128",
        "65535",
        "2147483647",
        "4294967295u",
        "-2147483648L",
    ]
    operators = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", "<=", "==", "!=", ">"]
    drawn = []
    for i in range(600):
        left = f"({types[i % 8]})({values[i * 7 % 13]})"
        right = f"({types[i * 5 % 8]})({values[i * 11 % 13]})"
        drawn.append(f"{left} {operators[i * 13 % 15]} {right}")
    mine = ours(drawn, "")
    defined = [(e, v) for e, v in zip(drawn, mine) if v is not None]
    assert len(defined) > 450
    theirs = gpp.integers("", [e for e, _ in defined], tmp_path)
    assert defined == [(e, v) for (e, _), v in zip(defined, theirs)]


def test_an_extent_of_a_division_by_zero_is_unknown_and_no_crash() -> None:
    found = kernel("__global__ void k(int *o) { int a[4 / 0]; a[0] = 1; o[0] = 5 % 0; }")
    assert [cause.reason for cause in found.unknowns] == ["the extent `4 / 0` is not a constant"]


INTEGERS = {
    "signed char": ctypes.c_int8, "unsigned char": ctypes.c_uint8, "short": ctypes.c_int16, "unsigned short": ctypes.c_uint16,
    "int": ctypes.c_int32, "unsigned int": ctypes.c_uint32, "long": ctypes.c_int64, "unsigned long long": ctypes.c_uint64,
}  # fmt: skip


@given(st.integers(-(2**70), 2**70), st.sampled_from(sorted(INTEGERS)))
def test_integer_conversions_are_those_of_c(value: int, name: str) -> None:
    type = scalar_named(name)
    assert type is not None
    converted = constant(value, type)
    assert converted is not None
    assert converted.value == INTEGERS[name](value).value
    assert wrap(value, type.size, type.signed) == converted.value


@given(st.integers(-(2**63), 2**63 - 1), st.sampled_from(sorted(INTEGERS)), st.sampled_from(sorted(INTEGERS)))
def test_chained_casts_fold_as_c_converts(value: int, first: str, second: str) -> None:
    inner, outer = scalar_named(first), scalar_named(second)
    assert inner is not None
    assert outer is not None
    expr = Cast(Cast(Const(value, ULONG), inner), outer)
    folded = fold(expr)
    assert folded is not None
    assert folded.value == INTEGERS[second](INTEGERS[first](value).value).value


@given(st.floats(allow_nan=False, width=64))
def test_conversion_to_float_rounds_as_c_does(value: float) -> None:
    converted = constant(value, FLOAT)
    assert converted is not None
    assert converted.value == ctypes.c_float(value).value


@given(st.integers(-(2**31), 2**31 - 1), st.integers(-(2**31), 2**31 - 1))
def test_division_truncates_and_the_remainder_follows(left: int, right: int) -> None:
    quotient = calculate("/", left, right, INT)
    remainder = calculate("%", left, right, INT)
    if right == 0:
        assert quotient is None
        assert remainder is None
    else:
        assert isinstance(quotient, int)
        assert isinstance(remainder, int)
        assert abs(quotient) == abs(left) // abs(right)
        assert quotient * right + remainder == left
        assert remainder == 0 or (remainder < 0) == (left < 0)


@pytest.mark.parametrize(
    ("expr", "expected"),
    [
        (Binary("&&", Const(0, BOOL), Local(VarId(0), BOOL), BOOL), 0),
        (Binary("||", Local(VarId(0), BOOL), Const(1, BOOL), BOOL), 1),
        (Binary("&&", Const(1, BOOL), Local(VarId(0), BOOL), BOOL), None),
        (Unary("-", Const(-(2**31), INT), INT), -(2**31)),
        (Binary("<<", Const(1, INT), Const(32, INT), INT), None),
        (Binary(">>", Const(1, INT), Const(-1, INT), INT), None),
        (Binary("/", Const(1.0, DOUBLE), Const(0.0, DOUBLE), DOUBLE), None),
        (Cast(Const(float("inf"), DOUBLE), INT), None),
        (Cast(Const(float("nan"), DOUBLE), BOOL), 1),
    ],
)
def test_folding_stops_where_c_leaves_the_value_open(expr: Expr, expected: int | None) -> None:
    folded = fold(expr)
    assert (None if folded is None else folded.value) == expected


def test_a_selection_needs_only_the_arm_that_is_taken() -> None:
    from analysis_core.text.span import FileId, Span

    span = Span(FileId("x"), 0, 1)
    folded = fold(Select(Const(1, BOOL), Const(7, INT), Local(VarId(0), INT), INT, span))
    assert folded == Const(7, INT)


def test_a_chain_of_ten_thousand_terms_folds_without_recursion() -> None:
    expr: Expr = Const(0, INT)
    for _ in range(10_000):
        expr = Binary("+", expr, Const(1, INT), INT)
    assert fold(expr) == Const(10_000, INT)


@pytest.mark.parametrize(
    ("text", "value", "size", "signed"),
    [
        ("2147483647", 2**31 - 1, 4, True), ("2147483648", 2**31, 8, True), ("0x80000000", 2**31, 4, False),
        ("0xFFFFFFFFFFFFFFFF", 2**64 - 1, 8, False), ("5u", 5, 4, False), ("5L", 5, 8, True), ("5ull", 5, 8, False),
        ("5UL", 5, 8, False), ("4294967296u", 2**32, 8, False), ("0", 0, 4, True), ("0777", 511, 4, True),
        ("0b1011", 11, 4, True), ("1'000", 1000, 4, True), ("18446744073709551616", 0, 8, False),
    ],
)  # fmt: skip
def test_integer_literals_take_the_first_type_that_holds_them(text: str, value: int, size: int, signed: bool) -> None:
    found = integer_literal(text)
    assert found is not None
    assert found.value == value
    assert isinstance(found.type, ScalarType)
    assert (found.type.size, found.type.signed) == (size, signed)


def test_malformed_literals_are_none() -> None:
    assert integer_literal("12abc") is None
    assert integer_literal("089") is None
    assert integer_literal("9" * 5000) is not None
    assert floating_literal("1.5x") is None
    assert character_literal("''") is None
    assert character_literal("'\\") is None


def test_floating_literals_have_the_type_of_their_suffix() -> None:
    assert floating_literal("1.5f") == Const(1.5, FLOAT)
    assert floating_literal("1e3") == Const(1000.0, DOUBLE)
    assert floating_literal("0x1p-3") == Const(0.125, DOUBLE)
    assert floating_literal("0x1.8p1f") == Const(3.0, FLOAT)
    assert floating_literal(".5F") == Const(0.5, FLOAT)
    assert floating_literal("1e400") == Const(float("inf"), DOUBLE)
