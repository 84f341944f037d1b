"""Literals: their values and types by [lex.literal], and the constants of the standard headers.

A header that is absent declares nothing, so the values of <climits>, <cfloat>, <cstdint> and <math_constants.h> that
kernels use everywhere are known here; a macro of the same name is expanded long before.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from analysis_core.ir.constants import constant
from analysis_core.ir.nodes import Const
from analysis_core.ir.scalars import LONG_INT, ULONG_INT, integer
from analysis_core.ir.types import BOOL, CHAR, DOUBLE, FLOAT, INT, UINT, VOID, PointerType, ScalarType
from analysis_core.syntax.read import tree as syn

_INTEGER = re.compile(r"(0[xX][0-9a-fA-F]+|0[bB][01]+|[0-9]+)([uUlLzZ]*)")
_ESCAPES: Mapping[str, int] = {"n": 10, "t": 9, "r": 13, "0": 0, "a": 7, "b": 8, "f": 12, "v": 11}


def literal(node: syn.Literal) -> Const | None:
    """The constant that a literal stands for; None for strings, user-defined suffixes and malformed spellings."""
    match node.kind:
        case syn.LiteralKind.INT:
            return integer_literal(node.text)
        case syn.LiteralKind.FLOAT:
            return floating_literal(node.text)
        case syn.LiteralKind.CHAR:
            return character_literal(node.text)
        case syn.LiteralKind.BOOL:
            return Const(int(node.text == "true"), BOOL)
        case syn.LiteralKind.NULL:
            return Const(0, PointerType(VOID))
        case syn.LiteralKind.STRING:
            return None


def integer_literal(text: str) -> Const | None:
    """[lex.icon]: the first type of the list of its base and suffix that holds the value."""
    found = _INTEGER.fullmatch(text.replace("'", ""))
    if found is None:
        return None
    digits, suffix = found.group(1), found.group(2).lower()
    try:
        value = _integer_value(digits)
    except ValueError:
        return None
    unsigned = "u" in suffix
    size = 8 if "l" in suffix or "z" in suffix else 4
    decimal = not (len(digits) > 1 and digits[0] == "0")
    for type in (INT, UINT, LONG_INT, ULONG_INT):
        if type.size < size or (unsigned and type.signed) or (decimal and not unsigned and not type.signed):
            continue
        if value < 1 << (8 * type.size - type.signed):
            return Const(value, _long_long(type) if "ll" in suffix else type)
    # A decimal literal that only unsigned long holds is ill-formed; compilers take that type.
    return constant(value, ULONG_INT)


def _integer_value(digits: str) -> int:
    if len(digits) > 1 and digits[0] == "0":
        return int(digits, 0) if digits[1] in "xXbB" else int(digits, 8)
    # Python refuses to convert more than 4,300 decimal digits; no type holds even 40.
    return int(digits) if len(digits) <= 40 else 1 << 64


def _long_long(type: ScalarType) -> ScalarType:
    return integer(8, type.signed, "long long" if type.signed else "unsigned long long")


def floating_literal(text: str) -> Const | None:
    """Decimal and hexadecimal floats; `f` makes float, no suffix or `l` double."""
    text = text.replace("'", "")
    hexadecimal = text[:2] in ("0x", "0X")
    body = text.rstrip("fFlL") if not hexadecimal or "p" in text.lower() else text
    type = FLOAT if text[-1:] in ("f", "F") and body != text else DOUBLE
    try:
        value = float.fromhex(body) if hexadecimal else float(body)
    except (ValueError, OverflowError):
        return None
    return constant(value, type)


def character_literal(text: str) -> Const | None:
    """'a' is a char; multi-character literals are int, big-endian, as gcc makes them."""
    prefix, _, rest = text.partition("'")
    body = rest.removesuffix("'")
    values: list[int] = []
    i = 0
    while i < len(body):
        code, i = _character(body, i)
        if code is None:
            return None
        values.append(code)
    if not values:
        return None
    if prefix in ("L", "u", "U"):
        return constant(values[0], integer(2 if prefix == "u" else 4, prefix == "L", "wide char"))
    if len(values) == 1:
        return constant(values[0], CHAR)
    total = 0
    for value in values:
        total = total << 8 | (value & 0xFF)
    return constant(total, INT)


def _character(body: str, i: int) -> tuple[int | None, int]:
    """The code of the character at `i`, and the position after it."""
    if body[i] != "\\":
        return ord(body[i]), i + 1
    rest = body[i + 1 :]
    found = re.match(r"x([0-9a-fA-F]+)|([0-7]{1,3})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})", rest)
    if found is not None:
        digits = found.group(2)
        code = int(digits, 8) if digits else int(found.group(1) or found.group(3) or found.group(4), 16)
        return code, i + 1 + found.end()
    if not rest:
        return None, i + 1
    return _ESCAPES.get(rest[0], ord(rest[0])), i + 2


def _known() -> Mapping[str, Const]:
    table: dict[str, Const] = {
        "CHAR_BIT": Const(8, INT),
        "SCHAR_MIN": Const(-128, INT), "SCHAR_MAX": Const(127, INT), "UCHAR_MAX": Const(255, INT),
        "CHAR_MIN": Const(-128, INT), "CHAR_MAX": Const(127, INT),
        "SHRT_MIN": Const(-(2**15), INT), "SHRT_MAX": Const(2**15 - 1, INT), "USHRT_MAX": Const(2**16 - 1, INT),
        "INT_MIN": Const(-(2**31), INT), "INT_MAX": Const(2**31 - 1, INT), "UINT_MAX": Const(2**32 - 1, UINT),
        "LONG_MIN": Const(-(2**63), LONG_INT), "LONG_MAX": Const(2**63 - 1, LONG_INT),
        "ULONG_MAX": Const(2**64 - 1, ULONG_INT),
        "LLONG_MIN": Const(-(2**63), LONG_INT), "LLONG_MAX": Const(2**63 - 1, LONG_INT),
        "ULLONG_MAX": Const(2**64 - 1, ULONG_INT), "SIZE_MAX": Const(2**64 - 1, ULONG_INT),
        "NULL": Const(0, PointerType(VOID)),
        "RAND_MAX": Const(2**31 - 1, INT),
        "warpSize": Const(32, INT),
        "true": Const(1, BOOL), "false": Const(0, BOOL),
        "DBL_MAX": Const(float.fromhex("0x1.fffffffffffffp+1023"), DOUBLE),
        "DBL_MIN": Const(2.0**-1022, DOUBLE), "DBL_EPSILON": Const(2.0**-52, DOUBLE),
        "FLT_MAX": Const(float.fromhex("0x1.fffffep+127"), FLOAT), "MAXFLOAT": Const(2.0**127, FLOAT),
        "FLT_MIN": Const(2.0**-126, FLOAT), "FLT_EPSILON": Const(2.0**-23, FLOAT),
        "INFINITY": Const(math.inf, FLOAT), "HUGE_VALF": Const(math.inf, FLOAT), "HUGE_VAL": Const(math.inf, DOUBLE),
        "NAN": Const(math.nan, FLOAT),
        "CUDART_INF_F": Const(math.inf, FLOAT), "CUDART_INF": Const(math.inf, DOUBLE),
        "CUDART_NAN_F": Const(math.nan, FLOAT), "CUDART_NAN": Const(math.nan, DOUBLE),
        "CUDART_PI_F": Const(math.pi, FLOAT), "CUDART_PI": Const(math.pi, DOUBLE),
    }  # fmt: skip
    for bits in (8, 16, 32, 64):
        narrow = bits <= 32
        table[f"INT{bits}_MAX"] = Const(2 ** (bits - 1) - 1, INT if narrow else LONG_INT)
        table[f"INT{bits}_MIN"] = Const(-(2 ** (bits - 1)), INT if narrow else LONG_INT)
        table[f"UINT{bits}_MAX"] = Const(2**bits - 1, ULONG_INT if bits == 64 else UINT if bits == 32 else INT)
    for name, value in (
        ("M_PI", math.pi), ("M_PI_2", math.pi / 2), ("M_PI_4", math.pi / 4), ("M_1_PI", 1 / math.pi),
        ("M_2_PI", 2 / math.pi), ("M_E", math.e), ("M_SQRT2", math.sqrt(2)), ("M_SQRT1_2", math.sqrt(0.5)),
        ("M_LN2", math.log(2)), ("M_LN10", math.log(10)), ("M_LOG2E", math.log2(math.e)),
        ("M_LOG10E", math.log10(math.e)), ("M_2_SQRTPI", 2 / math.sqrt(math.pi)),
    ):  # fmt: skip
        table[name] = Const(value, DOUBLE)
    return table


KNOWN_CONSTANTS: Mapping[str, Const] = _known()
"""By unqualified name."""
