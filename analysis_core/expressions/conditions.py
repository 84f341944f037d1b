"""Conditions of cases, evaluated: "w % 8 == 0" at w = 1024.

Conditions are text that Python evaluates (CostCase).  Here they are read as Python's syntax and walked, never executed: names,
integers, `+ - * // %`, comparisons, and/or/not.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping

_ARITHMETIC: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
_COMPARISONS: Mapping[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}


def holds(condition: str, values: Mapping[str, int]) -> bool | None:
    """Whether the condition holds for these values; None if a name has none, or the text is more than a condition."""
    try:
        return bool(_value(ast.parse(condition, mode="eval").body, values))
    except (KeyError, SyntaxError, ZeroDivisionError):
        return None


def names(condition: str) -> frozenset[str]:
    """The names in a condition; none if it cannot be read."""
    try:
        tree = ast.parse(condition, mode="eval")
    except SyntaxError:
        return frozenset()
    return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))


def least_values(condition: str) -> Mapping[str, int]:
    """The numbers that names are asked to be at least: 24 for n in "n % 8 == 0 and n >= 24"."""
    try:
        body = ast.parse(condition, mode="eval").body
    except SyntaxError:
        return {}
    parts = body.values if isinstance(body, ast.BoolOp) and isinstance(body.op, ast.And) else [body]
    found: dict[str, int] = {}
    for part in parts:
        match part:
            case ast.Compare(ast.Name(id=name), [ast.GtE()], [ast.Constant(value=int() as least)]):
                found[name] = max(least, found.get(name, least))
            case _:
                pass
    return found


def _value(node: ast.expr, values: Mapping[str, int]) -> int:
    match node:
        case ast.Constant(value=int() as value):
            return value
        case ast.Name(id=name):
            return values[name]
        case ast.BinOp(left=left, op=op, right=right):
            return _ARITHMETIC[type(op)](_value(left, values), _value(right, values))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not _value(operand, values)
        case ast.BoolOp(op=op, values=parts):
            found = [bool(_value(part, values)) for part in parts]
            return all(found) if isinstance(op, ast.And) else any(found)
        case ast.Compare(left=left, ops=ops, comparators=rights):
            numbers = [_value(side, values) for side in (left, *rights)]
            pairs = zip(ops, numbers, numbers[1:], strict=False)
            return all(_COMPARISONS[type(op)](a, b) for op, a, b in pairs)
        case _:
            raise KeyError(ast.dump(node))
