"""What attributes say of layout: alignment, packing, members that may overlap; in the spellings of C++, GNU, CUDA and `#pragma pack`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analysis_core.syntax.lex.pragma_pack import PACK_ATTRIBUTE, UNREADABLE
from analysis_core.syntax.read import expression_parser
from analysis_core.syntax.read.reader import Reader
from analysis_core.syntax.read.rendering import Decoration
from analysis_core.syntax.read.tree import Expr, Literal, LiteralKind, SizeOf

_ALIGNERS = frozenset({"__align__", "alignas", "__builtin_align__", "_Alignas"})
_LISTS = frozenset({"__attribute__", "__attribute", "__declspec", "[["})
_ALIGNED = frozenset({"aligned", "__aligned__", "align"})
_BIGGEST = "16"
"""Bytes of `__attribute__((aligned))` without a number: the most that the machine's types need."""


def has(reader: Reader, found: Sequence[Decoration], *words: str) -> bool:
    """Whether one of the attributes is among the decorations."""
    return any(reader.text(i) in words for decoration in _lists(found) for i in range(*decoration.args))


def is_packed(reader: Reader, found: Sequence[Decoration]) -> bool:
    return has(reader, found, "packed", "__packed__")


def pack_bytes(reader: Reader, found: Sequence[Decoration]) -> int:
    """The alignment that a `#pragma pack` allows here; 0 without one."""
    for decoration in _lists(found):
        for i in range(*decoration.args):
            if reader.text(i) == PACK_ATTRIBUTE:
                number = reader.text(i + 2)
                return int(number) if number.isdigit() else UNREADABLE
    return 0


def alignments(reader: Reader, found: Sequence[Decoration]) -> tuple[Expr, ...]:
    """The N of each `__align__(N)`, `alignas(N)` and `__attribute__((aligned(N)))`; `alignas(N)` of a bare name reads as `alignas(T)`."""
    return tuple(_alignment(reader, low, high) for low, high in _places(reader, found))


def _lists(found: Sequence[Decoration]) -> Iterator[Decoration]:
    return (decoration for decoration in found if decoration.text in _LISTS)


def _places(reader: Reader, found: Sequence[Decoration]) -> Iterator[tuple[int, int]]:
    """The tokens between the parentheses of each aligner; an empty range where it has none."""
    for decoration in found:
        low, high = decoration.args
        if decoration.text in _ALIGNERS and high > low:
            yield low, high
        elif decoration.text in _LISTS:
            for i in range(low, high):
                if reader.text(i) in _ALIGNED:
                    yield (i + 2, _closing(reader, i + 1, high)) if reader.text(i + 1) == "(" else (i, i)


def _closing(reader: Reader, opening: int, end: int) -> int:
    depth = 0
    for i in range(opening, end):
        depth += {"(": 1, ")": -1}.get(reader.text(i), 0)
        if depth == 0:
            return i
    return end


def _alignment(reader: Reader, low: int, high: int) -> Expr:
    if high <= low:
        return Literal(span=reader.span(low, low + 1), kind=LiteralKind.INT, text=_BIGGEST)
    type = expression_parser.read_type_operand(reader, low, high)
    if type is not None:
        return SizeOf(span=reader.span(low, high), operator="alignas", operand=type)
    value = expression_parser.read_tokens(reader, low, high)
    return value if value is not None else reader.opaque(low, high, "alignment not understood")
