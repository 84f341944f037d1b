"""IR expressions as affine values and guards of a cost program, with what is assumed on the way.

A value is an integer, not a bit pattern: that arithmetic does not wrap around is an assumption wherever it is used.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product

from analysis_core.bounds.program import Affine, plus, times
from analysis_core.ir.nodes import Binary, Cast, Const, Expr, Local, Unary, VarId
from analysis_core.ir.types import ScalarKind, ScalarType, Type

NO_WRAP = "integer arithmetic of loop counters does not wrap around"

Guard = tuple[Affine, ...]

_ALTERNATIVES = 8
_ONE = Affine(1)


class LoopValues:
    """`names`: the cost program's variable for each variable that is followed; `fixed`: what the others are, if it is
    known.  `assumptions` grows with what readings rest on."""

    def __init__(self, names: Mapping[VarId, str], fixed: Mapping[VarId, Affine | None]) -> None:
        self._names = names
        self._fixed = fixed
        self.assumptions: set[str] = set()

    def affine(self, expr: Expr) -> Affine | None:
        """The value of an expression as an affine form, or None. Recursion follows the expression, whose depth the
        reader limits."""
        match expr:
            case Const(value=int(number)):
                return Affine(int(number))
            case Local(var=var):
                name = self._names.get(var)
                return self._fixed.get(var) if name is None else Affine(0, ((name, 1),))
            case Unary(op="-", operand=operand, type=of):
                inner = self.affine(operand)
                return None if inner is None or not _is_wide(of) else self._assumed(times(-1, inner))
            case Binary(op="+" | "-" | "*" | "<<" as op, left=left, right=right, type=of) if _is_wide(of):
                return self._arithmetic(op, self.affine(left), self.affine(right))
            case Cast(operand=operand, type=of):
                # From bytes and half words nothing is lost; to them it may be.
                if not (_is_wide(of) and _is_integer(operand.type)):
                    return None
                inner = self.affine(operand)
                return inner if inner is None or _is_same(of, operand.type) else self._assumed(inner)
            case _:
                return None

    def _assumed(self, value: Affine) -> Affine:
        if value.terms:
            self.assumptions.add(NO_WRAP)
        return value

    def _arithmetic(self, op: str, left: Affine | None, right: Affine | None) -> Affine | None:
        if left is None or right is None:
            return None
        match op:
            case "+":
                return self._assumed(plus(left, right))
            case "-":
                return self._assumed(plus(left, times(-1, right)))
            case "<<":
                if right.terms or not 0 <= right.constant < 31:
                    return None
                return self._assumed(times(1 << right.constant, left))
            case _:
                if left.terms and right.terms:
                    return None
                return self._assumed(times(left.constant, right) if right.terms else times(right.constant, left))

    def quotient(self, expr: Expr) -> tuple[Affine, int, bool] | None:
        """(dividend, divisor, whether it is rounded down for negative dividends too) of `e / c`, `e >> k`."""
        match expr:
            case Cast(operand=operand, type=of) if _is_wide(of) and _is_integer(operand.type):
                return self.quotient(operand)
            case Binary(op="/", left=left, right=Const(value=int(c)), type=of) if _is_wide(of) and c >= 2:
                dividend = self.affine(left)
                return None if dividend is None else (dividend, c, False)
            case Binary(op=">>", left=left, right=Const(value=int(k)), type=of) if _is_wide(of) and 1 <= k < 31:
                dividend = self.affine(left)
                return None if dividend is None else (dividend, 1 << k, True)
            case _:
                return None

    def guards(self, condition: Expr, truth: bool) -> tuple[list[Guard], bool]:
        """Alternatives that cover where a condition is `truth`, and whether they are exactly that."""
        match condition:
            case Unary(op="!", operand=operand):
                return self.guards(operand, not truth)
            case Cast(operand=operand) if isinstance(operand.type, ScalarType) and operand.type.kind is ScalarKind.BOOL:
                return self.guards(operand, truth)
            case Binary(op="&&" | "||" as op, left=left, right=right):
                a, exact_a = self.guards(left, truth)
                b, exact_b = self.guards(right, truth)
                both = [x + y for x, y in product(a, b)] if (op == "&&") == truth else a + b
                return (both, exact_a and exact_b) if len(both) <= _ALTERNATIVES else ([()], False)
            case Binary(op="<" | "<=" | ">" | ">=" | "==" | "!=" as op, left=left, right=right):
                if not (_is_integer(left.type) and _is_integer(right.type)):
                    return [()], False
                return self._comparison(op, self.affine(left), self.affine(right), truth)
            case Const(value=value):
                return ([()] if bool(value) == truth else []), True
            case _:
                value_of = self.affine(condition)
                return self._comparison("!=", value_of, Affine(0), truth)

    def _comparison(self, op: str, a: Affine | None, b: Affine | None, truth: bool) -> tuple[list[Guard], bool]:
        if a is None or b is None:
            return [()], False
        if not truth:
            op = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}[op]
        up, down = plus(b, times(-1, a)), plus(a, times(-1, b))
        less, greater = plus(up, Affine(-1)), plus(down, Affine(-1))
        match op:
            case "<":
                return [(less,)], True
            case "<=":
                return [(up,)], True
            case ">":
                return [(greater,)], True
            case ">=":
                return [(down,)], True
            case "==":
                return [(up, down)], True
            case _:
                return [(less,), (greater,)], True


def type_range(of: Type) -> tuple[Affine | None, Affine | None]:
    """The least and the greatest value of a type; None for an end that is too far away to matter."""
    if not isinstance(of, ScalarType):
        return None, None
    if of.kind is ScalarKind.BOOL:
        return Affine(0), _ONE
    bits = 8 * of.size
    if of.signed:
        return (Affine(-(1 << (bits - 1))), Affine((1 << (bits - 1)) - 1)) if bits < 32 else (None, None)
    return Affine(0), Affine((1 << bits) - 1) if bits < 32 else None


def _is_integer(of: Type) -> bool:
    return isinstance(of, ScalarType) and of.kind in (ScalarKind.INT, ScalarKind.BOOL)


def _is_wide(of: Type) -> bool:
    return isinstance(of, ScalarType) and of.kind is ScalarKind.INT and of.size >= 4


def _is_same(a: Type, b: Type) -> bool:
    """Whether a conversion changes no value of `b`."""
    if not (isinstance(a, ScalarType) and isinstance(b, ScalarType)):
        return False
    if b.kind is ScalarKind.BOOL:
        return True
    return (a.size > b.size and (a.signed or not b.signed)) or (a.size == b.size and a.signed == b.signed)
