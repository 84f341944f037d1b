"""The costs of the statements of one line, added up, and the line as a reader sees it.

A line holds many statements of the IR, and their steps are of no interest one by one: all steps that begin on a line are one place.
Accesses that a sum of the user's counts too keep places of their own.
"""

from __future__ import annotations

from collections.abc import Iterable

from analysis_core.expressions.bounds import LineCost
from analysis_core.expressions.expression import Expression, add
from analysis_core.support.sources import Sources
from analysis_core.text.span import FileId, Span

LONGEST = 60
"""Characters of a condition that are quoted; a longer one is cut with an ellipsis."""


def one_line(text: str, longest: int = LONGEST) -> str:
    """The text with white space collapsed, cut at `longest` characters with an ellipsis."""
    joined = " ".join(text.split())
    return joined if len(joined) <= longest else joined[: longest - 3].rstrip() + "..."


def by_line(places: Iterable[LineCost], sources: Sources) -> tuple[LineCost, ...]:
    """The costs of places that begin on one line added up, in the order of the lines."""
    found: dict[tuple[FileId, int], list[Expression]] = {}
    for place in places:
        found.setdefault((place.span.file, sources.line(place.span)), []).append(place.cost)
    sums = {key: add(*costs) for key, costs in found.items()}
    return tuple(_line(file, line, cost, sources) for (file, line), cost in sorted(sums.items(), key=lambda s: s[0]))


def _line(file: FileId, line: int, cost: Expression, sources: Sources) -> LineCost:
    index = sources.index(file)
    start, end = index.line_range(line)
    text = index.data[start:end]
    span = Span(file, start + len(text) - len(text.lstrip()), end - len(text) + len(text.rstrip()))
    return LineCost(span, one_line(sources.text(span)), cost)
