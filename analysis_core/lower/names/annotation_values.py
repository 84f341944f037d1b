"""The value of an annotation's term where all its names are constants: mathematical integers, `/` and `%` as in C."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from analysis_core.ir.stated import StatedName
from analysis_core.syntax.read.annotation_tree import LARGEST, Binary, Call, Name, Number, Term, Unary

COMPARISONS = frozenset({"<", "<=", ">", ">=", "==", "!="})


def is_condition(term: Term) -> bool:
    """Whether a term can be true or false; a bare name can, it asks for a value other than zero."""
    match term:
        case Binary(op="&&" | "||"):
            return is_condition(term.left) and is_condition(term.right)
        case Binary(op=op):
            return op in COMPARISONS
        case Unary(op="!"):
            return is_condition(term.operand)
        case Name():
            return True
        case _:
            return False


def constant_value(term: Term, names: Mapping[str, StatedName]) -> int | None:
    """The value; None where a name is no constant or C gives no value (a division by zero)."""
    match term:
        case Number():
            return term.value
        case Name():
            value = names.get(term.name)
            return value if isinstance(value, int) else None
        case Unary():
            operand = constant_value(term.operand, names)
            return None if operand is None else _unary(term.op, operand)
        case Binary():
            left, right = constant_value(term.left, names), constant_value(term.right, names)
            return None if left is None or right is None else apply(term.op, left, right)
        case Call(function="ceil"):
            return _ceiling(term.args[0], names)
        case Call():
            first, second = (constant_value(arg, names) for arg in term.args)
            if first is None or second is None:
                return None
            if term.function == "ceil_div":
                return -(-first // second) if second else None
            return min(first, second) if term.function == "min" else max(first, second)
        case _:
            assert_never(term)


def _ceiling(inner: Term, names: Mapping[str, StatedName]) -> int | None:
    """ceil(a / b) is the quotient rounded up, ceil of anything else the thing itself."""
    if isinstance(inner, Binary) and inner.op == "/":
        left, right = constant_value(inner.left, names), constant_value(inner.right, names)
        return None if left is None or not right else -(-left // right)
    return constant_value(inner, names)


def _unary(op: str, value: int) -> int:
    match op:
        case "-":
            return -value
        case "~":
            return ~value
        case "!":
            return int(value == 0)
        case _:
            return value


def apply(op: str, a: int, b: int) -> int | None:
    """The result of a binary operator on numbers; None where it is undefined, or 2^62 and more."""
    value = _apply(op, a, b)
    return value if value is not None and abs(value) < LARGEST else None


def _apply(op: str, a: int, b: int) -> int | None:
    match op:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case "/" | "%":
            if b == 0:
                return None
            quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
            return quotient if op == "/" else a - b * quotient
        case "<<" | ">>":
            if not 0 <= b < 62:
                return None
            return a << b if op == "<<" else a >> b
        case "&":
            return a & b
        case "|":
            return a | b
        case "^":
            return a ^ b
        case "<":
            return int(a < b)
        case "<=":
            return int(a <= b)
        case ">":
            return int(a > b)
        case ">=":
            return int(a >= b)
        case "==":
            return int(a == b)
        case "!=":
            return int(a != b)
        case "&&":
            return int(bool(a) and bool(b))
        case _:
            return int(bool(a) or bool(b))
