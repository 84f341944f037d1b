"""Which numbers a file hands to functions, read off its text alone: for files that are too many, or too large, to be read.

    copy(n, x, 1, y, 1);            // the third and the fifth argument of copy are 1
    copy(l.n, x + off, 1, y, 1);    // so they are here

A literal is a number whatever stands around it; any other argument is none that is known.  Where a function's name stands without being
called, nobody knows what it is given.  A file that defines it once more is another program's.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from analysis_core.syntax.lex.mentions import without_declarations

Handed = tuple[int | None, ...]
"""By argument, the number that all calls hand to it; () where nothing is known of them."""

_LONGEST = 4_000
"""Bytes of a call."""

_LITERAL = re.compile(rb"\s*(0|[1-9][0-9]{0,17})[uUlL]*\s*")
_DEFINES = re.compile(rb"\s*(?:\{|const\b|noexcept\b)")
_SHUT = {b")"[0]: b"("[0], b"]"[0]: b"["[0], b"}"[0]: b"{"[0]}


def numbers_in_calls(code: bytes, names: Collection[str]) -> dict[str, Handed] | None:
    """The numbers that the code (`mentions.code_of`) passes to each of these functions; None for the whole if it
    defines one of them."""
    found: dict[str, Handed] = {}
    plain = without_declarations(code)
    for name in names:
        for place in re.finditer(rb"\b%s\b" % re.escape(name.encode()), plain):
            given, behind = _arguments(plain, place.end())
            if _DEFINES.match(plain, behind):
                return None
            numbers = () if given is None else tuple(map(_number, given))
            found[name] = numbers if name not in found else agreed(found[name], numbers)
    return found


def agreed(one: Handed, other: Handed) -> Handed:
    """The numbers in which both agree, argument by argument."""
    return tuple(a if a == b else None for a, b in zip(one, other)) if len(one) == len(other) else ()


def put_together(each: Mapping[str, Handed], more: Mapping[str, Handed]) -> dict[str, Handed]:
    """The numbers that both files pass to each function, where they agree."""
    return {**each, **{name: agreed(each[name], handed) if name in each else handed for name, handed in more.items()}}


def _arguments(code: bytes, at: int) -> tuple[list[bytes] | None, int]:
    """What stands between the parentheses behind a name, and where they end; None where it is not called there."""
    opening = re.compile(rb"\s*\(").match(code, at)
    if opening is None:
        return None, at
    opened, parts, begin = [code[opening.end() - 1]], list[bytes](), opening.end()
    for place in range(begin, min(begin + _LONGEST, len(code))):
        char = code[place]
        if char in b"([{":
            opened.append(char)
        elif char in _SHUT:
            if opened.pop() != _SHUT[char]:
                break
            if not opened:
                return [*parts, code[begin:place]], place + 1
        elif char == b","[0] and len(opened) == 1:
            parts.append(code[begin:place])
            begin = place + 1
    return None, at


def _number(argument: bytes) -> int | None:
    literal = _LITERAL.fullmatch(argument)
    return None if literal is None else int(literal[1])
