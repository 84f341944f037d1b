"""Cost expressions as text: for Python to evaluate (JSON), and for people to read (messages, hovers).

Both print the normal form in its own order, but positive terms before negative ones.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Callable, Iterable, Mapping
from typing import assert_never

from analysis_core.expressions.expression_nodes import (
    PYTHON_FUNCTIONS,
    CeilDiv,
    Expression,
    FloorDiv,
    FloorLog,
    Integer,
    Maximum,
    Minimum,
    Modulo,
    Product,
    Sum,
    Symbol,
    fold,
)


def safe_name(name: str) -> str:
    """A Python identifier for a source name: "p.n" -> "p_n", "gridDim.x" -> "gridDim_x", "lambda" -> "lambda_"."""
    safe = re.sub(r"[^A-Za-z0-9_]", "_", name.replace("->", ".").replace("::", "_")) or "_"
    if safe[0].isdigit():
        safe = "_" + safe
    if keyword.iskeyword(safe) or safe in PYTHON_FUNCTIONS:
        safe += "_"
    return safe


def safe_names(names: Iterable[str]) -> dict[str, str]:
    """Source name -> safe name, made distinct by a number where two names fall together ("p.n" and "p_n")."""
    result: dict[str, str] = {}
    taken: set[str] = set()
    # Names that are safe already keep their spelling, whatever else is in the list.
    for name in sorted(set(names), key=lambda n: (safe_name(n) != n, n)):
        safe, number = safe_name(name), 2
        while safe in taken:
            safe, number = f"{safe_name(name)}_{number}", number + 1
        taken.add(safe)
        result[name] = safe
    return result


def to_python(expression: Expression, names: Mapping[str, str] | None = None) -> str:
    """Text that Python evaluates to the value, given the symbols by safe name and `PYTHON_FUNCTIONS`.

    `names`: source name -> safe name for all names of one report (from `safe_names`); by default each alone."""
    given = names or {}
    return _print(expression, lambda name: given.get(name) or safe_name(name), _python_call)


def to_text(expression: Expression) -> str:
    """Text for people: "4 + 8*ceil(wA/32)", "ceil(max(0, n - tid)/256)".  Symbols as in the source."""
    return _print(expression, lambda name: name, _people_call)


_SUM, _PRODUCT, _ATOM = range(3)  # binding strength of printed text
_Printed = tuple[str, int]


def _print(
    expression: Expression, spell: Callable[[str], str], call: Callable[[Expression, tuple[_Printed, ...]], _Printed]
) -> str:
    def combine(node: Expression, parts: tuple[_Printed, ...]) -> _Printed:
        match node:
            case Integer(value):
                return str(value), _ATOM if value >= 0 else _SUM
            case Symbol(name):
                return spell(name), _ATOM
            case Sum():
                return _printed_sum(parts), _SUM
            case Product():
                return _printed_product(parts)
            case _:
                return call(node, parts)

    return fold(expression, combine)[0]


def _printed_sum(parts: tuple[_Printed, ...]) -> str:
    """Positive terms before negative ones: "n - 1" rather than "-1 + n"."""
    plus = [text for text, _ in parts if not text.startswith("-")]
    minus = [text[1:] for text, _ in parts if text.startswith("-")]
    if plus:
        return " + ".join(plus) + "".join(f" - {text}" for text in minus)
    return "-" + " - ".join(minus)


def _printed_product(parts: tuple[_Printed, ...]) -> _Printed:
    """A leading constant -1 is printed as a sign; a negative product binds like a sum (it starts with a sign)."""
    first = parts[0][0]
    if first.startswith("-") and first[1:].isdigit():
        rest = "*".join(_tight(part) for part in parts[1:])
        return (f"-{rest}" if first == "-1" else f"{first}*{rest}"), _SUM
    return "*".join(_tight(part) for part in parts), _PRODUCT


def _tight(part: _Printed) -> str:
    """The text, in parentheses unless it is an atom."""
    return part[0] if part[1] == _ATOM else f"({part[0]})"


def _python_call(node: Expression, parts: tuple[_Printed, ...]) -> _Printed:
    texts = [text for text, _ in parts]
    match node:
        case CeilDiv():
            return f"ceil_div({texts[0]}, {texts[1]})", _ATOM
        case FloorDiv():
            return f"{_tight(parts[0])} // {_tight(parts[1])}", _PRODUCT
        case Modulo():
            return f"{_tight(parts[0])} % {_tight(parts[1])}", _PRODUCT
        case FloorLog(base):
            return f"floor_log({base}, {texts[0]})", _ATOM
        case Maximum():
            return f"max({', '.join(texts)})", _ATOM
        case Minimum():
            return f"min({', '.join(texts)})", _ATOM
        case Integer() | Symbol() | Sum() | Product():
            raise AssertionError("printed by _print")
        case _:
            assert_never(node)


def _people_call(node: Expression, parts: tuple[_Printed, ...]) -> _Printed:
    match node:
        case CeilDiv():
            return f"ceil({_numerator(parts[0])}/{_tight(parts[1])})", _ATOM
        case FloorDiv():
            return f"floor({_numerator(parts[0])}/{_tight(parts[1])})", _ATOM
        case FloorLog(base):
            return f"floor(log{base}({parts[0][0]}))", _ATOM
        case _:
            return _python_call(node, parts)


def _numerator(part: _Printed) -> str:
    """A product needs no parentheses before a slash: its value is the same either way."""
    return f"({part[0]})" if part[1] == _SUM else part[0]
