"""Costs for people to read, where something is known of the sizes: `w*h/4` rather than `256*ceil(w/32)*ceil(h/32)`.

`Spelling` says what is known: the order in which the source names its sizes, and which are multiples of a number.  As
Markdown, text with two asterisks or more is a code span, since they would be read as emphasis and disappear.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import field
from fractions import Fraction
from math import lcm

from analysis_core.expressions.expression import (
    Expression,
    Modulo,
    Symbol,
    add,
    ceil_div,
    constant,
    floor_div,
    floor_log,
    integer,
    maximum,
    minimum,
    modulo,
    multiply,
    scale,
    size,
    symbol,
    to_text,
)
from analysis_core.expressions.rational import Atoms, rational
from analysis_core.text.records import dataclass

MOST_NODES = 400
"""Nodes of an expression from which on it is spelled as it stands: nobody reads it, and ordering its terms takes time."""

LONGEST = 300
"""Characters of a cost that are shown in full; a longer one helps nobody."""


@dataclass(frozen=True, slots=True)
class Spelling:
    """`order`: names of sizes as the source has them; `multiples`: sizes known to be multiples of a number."""

    order: tuple[str, ...] = ()
    multiples: Mapping[str, int] = field(default_factory=dict)

    def text(self, expression: Expression) -> str:
        """Text for people: "4 + 8*ceil(wA/32)", "w*h/4"."""
        number = constant(expression)
        if number is not None:
            return str(number)
        if size(expression) > MOST_NODES:
            return to_text(expression)
        terms = rational(expression, self.multiples)
        printed = [self._term(atoms, terms[atoms]) for atoms in sorted(terms, key=self._place)]
        plus = [text for text in printed if not text.startswith("-")]
        minus = [text[1:] for text in printed if text.startswith("-")]
        if not printed:
            return "0"
        return " + ".join(plus) + "".join(f" - {text}" for text in minus) if plus else "-" + " - ".join(minus)

    def short(self, expression: Expression, longest: int = LONGEST) -> str:
        """The text, cut between terms where it is too long: "8*a + 8*b + ...": never a figure of its own."""
        text = self.text(expression)
        if len(text) <= longest:
            return text
        cut = max(text.rfind(" + ", 0, longest - 5), text.rfind(" - ", 0, longest - 5))
        return f"{text[:cut]} + ..." if cut > 0 else f"{text[: longest - 3]}..."

    def markdown(self, expression: Expression, before: str = "") -> str:
        """The text with a sign such as "= " before it, safe within Markdown."""
        return marked(before + self.short(expression))

    def _term(self, atoms: Atoms, coefficient: Fraction) -> str:
        sign = "-" if coefficient < 0 else ""
        factors = [self._atom(atom) for atom in sorted(atoms, key=self._rank)]
        above = abs(coefficient.numerator)
        product = "*".join([str(above), *factors] if above != 1 or not factors else factors)
        return f"{sign}{product}" + (f"/{coefficient.denominator}" if coefficient.denominator != 1 else "")

    def _atom(self, atom: Expression) -> str:
        text = to_text(atom)
        is_call = re.match(r"\w+\(", text) is not None and not isinstance(
            atom, Modulo
        )  # "ceil(n/2) % 2" begins with one
        return text if isinstance(atom, Symbol) or is_call else f"({text})"

    def _place(self, atoms: Atoms) -> tuple[object, ...]:
        """Constants first, then by degree, then in the order of the source."""
        return len(atoms), sorted(self._rank(atom) for atom in atoms)

    def _rank(self, atom: Expression) -> tuple[int, str]:
        if isinstance(atom, Symbol):
            named = self.order.index(atom.name) if atom.name in self.order else len(self.order)
            return named, atom.name
        return len(self.order) + 1, to_text(atom)


def marked(text: str) -> str:
    """Markdown for text that may hold asterisks."""
    return f"`{text}`" if text.count("*") > 1 else text


def condition_text(condition: str) -> str:
    """A condition in Python's words as C spells it: "w % 32 == 0 && h >= 2"."""
    words = {"and": "&&", "or": "||", "not": "!"}
    return re.sub(r"\b(and|or|not)\b ?", lambda m: words[m[1]] + (" " if m[1] != "not" else ""), condition)


def multiples_of(condition: str) -> Mapping[str, int]:
    """What a condition says about multiples: {"w": 32} for "w % 32 == 0 and h >= 2"; nothing for "or"."""
    try:
        tree = ast.parse(condition.replace("&&", " and "), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    parts = tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And) else [tree]
    found: dict[str, int] = {}
    for part in parts:
        match part:
            case ast.Compare(
                left=ast.BinOp(left=ast.Name(id=name), op=ast.Mod(), right=ast.Constant(value=int() as number)),
                ops=[ast.Eq()],
                comparators=[ast.Constant(value=0)],
            ) if number > 0:
                found[name] = lcm(number, found.get(name, 1))
            case _:
                continue
    return found


def from_python(text: str) -> Expression | None:
    """The expression that `to_python` wrote, with safe names for symbols; None for any other text."""
    try:
        return _read(ast.parse(text, mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def in_people(text: str) -> str:
    """What `to_python` wrote, as people write it ("ceil(n/32)"); any other text as it is."""
    read = from_python(text)
    return text if read is None else Spelling().text(read)


def _read(node: ast.expr) -> Expression:
    match node:
        case ast.Constant(value=int() as value):
            return integer(value)
        case ast.Name(id=name):
            return symbol(name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return scale(-1, _read(operand))
        case ast.BinOp(left=left, op=op, right=right):
            a, b = _read(left), _read(right)
            match op:
                case ast.Add():
                    return add(a, b)
                case ast.Sub():
                    return add(a, scale(-1, b))
                case ast.Mult():
                    return multiply(a, b)
                case ast.FloorDiv():
                    return floor_div(a, b)
                case ast.Mod():
                    return modulo(a, b)
                case _:
                    raise ValueError(ast.dump(node))
        case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
            return _call(name, [_read(argument) for argument in arguments])
        case _:
            raise ValueError(ast.dump(node))


def _call(name: str, arguments: list[Expression]) -> Expression:
    match name, arguments:
        case "ceil_div", [a, b]:
            return ceil_div(a, b)
        case "floor_log", [base, a] if (number := constant(base)) is not None:
            return floor_log(number, a)
        case "max", [_, *_]:
            return maximum(*arguments)
        case "min", [_, *_]:
            return minimum(*arguments)
        case _:
            raise ValueError(name)
