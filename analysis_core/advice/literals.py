"""The literals of a syntax tree that a number of the text makes: with them the tree is that of the text with another number, without reading.

    #define T 16
    __shared__ float tile[T][T + 1];         `16` in the tree in three places, and in no other way

They are found by reading the text once more with another number that takes as many bytes: whatever else is different in that tree (a name
that is pasted together, a constant that the reader folds), and the number is no such one.  Nor is one that a conditional of the
preprocessor may ask for.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any

from analysis_core.support.recursion import deep_recursion
from analysis_core.syntax.read import annotation_tree
from analysis_core.syntax.read.tree import Literal
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

Step = str | int
Path = tuple[Step, ...]

_DEFINED = re.compile(rb"^[ \t]*\#[ \t]*define[ \t]+([A-Za-z_]\w*)((?:\\\r?\n|[^\n])*)", re.MULTILINE)
_ASKED = re.compile(rb"^[ \t]*\#[ \t]*(?:el)?if\b((?:\\\r?\n|[^\n])*)", re.MULTILINE)
_WORD = re.compile(rb"[A-Za-z_]\w*")

_SPELLED = frozenset({("LaunchAnnotation", "text")})
"""What repeats the text of an annotation and means nothing."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it is spelled, and its value."""

    text: str
    value: int


def literals(tree: object, other: object, number: Number, turned: Number) -> tuple[Path, ...] | None:
    """Where in `tree` a number stands if `other` is the tree of the same text with another one in its place; None if they differ in any other way."""
    try:
        with deep_recursion():
            return tuple(_differences(tree, other, number, turned, ()))
    except (_OtherwiseDifferent, RecursionError):
        return None


class _OtherwiseDifferent(Exception):
    pass


def _differences(one: Any, other: Any, number: Number, turned: Number, path: Path) -> Iterator[Path]:
    if one is other or isinstance(one, Span):
        return
    if type(one) is not type(other):
        raise _OtherwiseDifferent
    match one:
        case Literal() if one.text != other.text:
            suffix = one.text[len(number.text) :]
            if (number.text + suffix, turned.text + suffix) != (one.text, other.text) or suffix.strip("uUlL"):
                raise _OtherwiseDifferent
            yield path
        case annotation_tree.Number() if one.value != other.value:
            if (one.value, other.value) != (number.value, turned.value):
                raise _OtherwiseDifferent
            yield path
        case int() if path[-1:] == ("unroll",) and (one, other) == (number.value, turned.value):
            yield path
        case Enum() | str() | bytes() | int() | float() | None:
            if one != other:
                raise _OtherwiseDifferent
        case tuple() | list():
            if len(one) != len(other):
                raise _OtherwiseDifferent
            for n, (mine, theirs) in enumerate(zip(one, other, strict=True)):
                yield from _differences(mine, theirs, number, turned, (*path, n))
        case _ if is_dataclass(one):
            for name in _names(type(one)):
                if (type(one).__name__, name) not in _SPELLED:
                    found = getattr(one, name), getattr(other, name)
                    yield from _differences(*found, number, turned, (*path, name))
        case _ if one != other:
            raise _OtherwiseDifferent


def _names(kind: Any) -> tuple[str, ...]:
    return tuple(one.name for one in fields(kind))


def with_numbers(tree: Any, numbers: Mapping[Path, Number]) -> Any:
    """The tree with other numbers in these places."""
    below: dict[Step, dict[Path, Number]] = {}
    for path, number in numbers.items():
        if not path:
            return _with(tree, number)
        below.setdefault(path[0], {})[path[1:]] = number
    if isinstance(tree, tuple | list):
        return type(tree)(with_numbers(one, below[n]) if n in below else one for n, one in enumerate(tree))
    return replace(tree, **{str(name): with_numbers(getattr(tree, str(name)), below[name]) for name in below})


def _with(literal: Any, number: Number) -> Any:
    if isinstance(literal, Literal):
        kept = len(literal.text.rstrip("uUlL"))
        return replace(literal, text=number.text + literal.text[kept:])
    return number.value if isinstance(literal, int) else replace(literal, value=number.value)


def decides(name: bytes, texts: Iterable[bytes]) -> bool:
    """Whether a conditional of the preprocessor names it, or a macro that names it and so on."""
    bodies, asked = dict[bytes, set[bytes]](), set[bytes]()
    for text in texts:
        for found in _DEFINED.finditer(text):
            bodies.setdefault(found[1], set()).update(_WORD.findall(found[2]))
        for found in _ASKED.finditer(text):
            asked.update(_WORD.findall(found[1]))
    pending, seen = list(asked), set(asked)
    while pending:
        for word in bodies.get(pending.pop(), set()) - seen:
            seen.add(word)
            pending.append(word)
    return name in seen
