"""A function's body read again where it has changed, statement by statement.

How a statement reads depends on its own tokens, on the one behind it (`else`), and on what is known of the names in it.  So
of the outermost statements of a body those are kept whose tokens, with the next one, are as they were, as long as what was asked
about the names in them is answered alike.  What lies between is read with the function's head before it and its brace behind it.
Where anything is not in order, None says that the whole item has to be read.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import tree_sitter

from analysis_core.support.derived import derived
from analysis_core.support.facts import Cause
from analysis_core.syntax.lex.splitter_items import Item, ItemKind
from analysis_core.syntax.lex.tokens import Token
from analysis_core.syntax.read.concrete import read_concrete
from analysis_core.syntax.read.environment import Asked, Environment, Names, declare_templates, item_names
from analysis_core.syntax.read.read_items import ReadItem, body_end, top_level
from analysis_core.syntax.read.reader import Reader, make_unit
from analysis_core.syntax.read.rendering import render
from analysis_core.syntax.read.tree import Compound, FunctionDecl, OpaqueStmt
from analysis_core.text.records import dataclass

_LAST = frozenset({";", "}"})


@dataclass(frozen=True)  # no slots: where its statements end is kept with it
class Whole:
    """An item that was read: its tokens and the one behind them, counted from the item's first, and what came of
    reading them."""

    tokens: Sequence[Token]
    item: Item
    read: ReadItem

    @derived
    def ends(self) -> list[int | None]:
        """For a function, the index of the last token of each outermost statement, where that is a `;` or a `}` of the
        source."""
        function, within = self.read.declarations[0], self.item.body
        assert isinstance(function, FunctionDecl) and function.body is not None and within is not None
        tokens = self.tokens
        places = {tokens[i].span.end: i for i in range(within[0] + 1, within[1] - 1) if _is_end(tokens[i])}
        return [places.get(statement.span.end) for statement in function.body.body]


def is_long(whole: Whole, long: int) -> bool:
    """Whether an item is a function without errors and long enough to be read statement by statement."""
    return _function(whole, long) is not None


def alike(whole: Whole, tokens: Sequence[Token]) -> int:
    """How many tokens are the same at the beginning and at the end; tokens of one line are compared by their places as
    well."""
    return sum(_alike(whole.tokens[: whole.item.end], tokens))


def _alike(mine: Sequence[Token], other: Sequence[Token]) -> tuple[int, int]:
    """How many tokens are the same at the beginning, and of the others at the end.  Most are the same objects (relexing.py)."""
    shorter = min(len(mine), len(other))
    first = next((i for i in range(shorter) if mine[i] is not other[i] and mine[i] != other[i]), shorter)
    left = range(1, shorter - first + 1)
    return first, next((i - 1 for i in left if mine[-i] is not other[-i] and mine[-i] != other[-i]), shorter - first)


@dataclass(frozen=True, slots=True)
class _Seam:
    """Of the old statements the first `before` and those from `behind` on are kept; the new tokens `start <= i < end`
    stand between them."""

    before: int
    behind: int
    start: int
    end: int


def reread(
    old: Whole,
    tokens: Sequence[Token],
    item: Item,
    names: Names,
    parser: tree_sitter.Parser,
    typing: bool,
    long: int,
) -> ReadItem | None:
    """The reading of an item made from an older reading of it, whose statements are reused; None if the item has to be
    read as a whole. `old` counts tokens from its own first."""
    known = _function(old, long)
    whole = body_end(tokens, item) == item.end
    seam = None if known is None or item.body is None or not whole else _seam(old, tokens, item)
    if known is None or seam is None or item.body is None:
        return None
    low, high = item.body
    own = item_names(tokens, 0, item.end)
    still = Environment(names, own).answered_alike(old.read.asked)
    changed = old.read.asked.names_beside(still)
    if changed and any(t.text in changed for t in (*tokens[low : seam.start], *tokens[seam.end : high])):
        return None  # A statement that would be kept may ask what is answered otherwise now.
    part = (*tokens[: low + 1], *tokens[seam.start : seam.end], *tokens[high - 1 :])
    cut = len(tokens) - len(part)
    scope = Environment(names, own)
    made = _function_alone(part, replace(item, end=item.end - cut, body=(low, high - cut)), scope, parser, typing)
    if made is None:
        return None
    function, problems = made
    assert function.body is not None
    middle = function.body.body
    kept = known.body
    if any(isinstance(s, OpaqueStmt) for s in (*kept[: seam.before][-1:], *middle[-1:])) and not typing:
        return None  # A block behind it may belong to it.
    body = (*kept[: seam.before], *middle, *kept[seam.behind :])
    declare_templates(names, own)
    asked = Asked(
        {**still.sorts, **scope.asked.sorts},
        {**still.templates, **scope.asked.templates},
        {**still.variables, **scope.asked.variables},
    )
    return ReadItem((replace(function, body=replace(function.body, body=body)),), problems, (), own, asked)


def _function(old: Whole, long: int) -> Compound | None:
    """The body of an old reading that is in order and long."""
    read = old.read
    if read.problems or read.errors or len(read.declarations) != 1 or body_end(old.tokens, old.item) < old.item.end:
        return None
    function = read.declarations[0]
    if not isinstance(function, FunctionDecl) or function.body is None or len(function.body.body) < long:
        return None
    return function.body


def _seam(old: Whole, tokens: Sequence[Token], item: Item) -> _Seam | None:
    """What of the body can be kept; None if the item is another one."""
    grown = item.end - old.item.end
    was = old.item.body
    if was is None or item.body is None or item.kind is not ItemKind.FUNCTION or not item.closed:
        return None
    if replace(old.item, end=old.item.end + grown, body=(was[0], was[1] + grown)) != item:
        return None
    alike, behind = _alike(old.tokens[: old.item.end], tokens[: item.end])
    ends, count = old.ends, old.item.end
    before = 0
    while before < len(ends) and (end := ends[before]) is not None and end + 1 < alike:
        before += 1
    start = was[0] + 1 if before == 0 else _known(ends[before - 1]) + 1
    if start > alike:
        return None
    later, stop = len(ends), was[1] - 1
    for number in range(len(ends) - 1, max(before, 1) - 1, -1):
        place = ends[number - 1]
        if place is not None and place + 1 >= count - behind:
            later, stop = number, place + 1
        elif place is not None:
            break
    end = stop + grown
    whole = later == len(ends)
    if end < start or (not whole and end > start and not (_is_end(tokens[end - 1]) or _is_gap(tokens, end - 1))):
        return None
    return _Seam(before, later, start, end)


def _known(index: int | None) -> int:
    assert index is not None
    return index


def _is_end(token: Token) -> bool:
    return token.text in _LAST and token.expansion is None


def _is_gap(tokens: Sequence[Token], index: int) -> bool:
    """Whether the token is a line that repair has blanked: a statement of its own."""
    return not tokens[index].text and tokens[index - 1].text != "("


def _function_alone(
    tokens: Sequence[Token], item: Item, scope: Environment, parser: tree_sitter.Parser, typing: bool
) -> tuple[FunctionDecl, tuple[Cause, ...]] | None:
    """The one function that the tokens define, if they are in order."""
    unit = make_unit(tokens, typing)
    rendered = render(tokens, item.start, item.end, scope, item.name)
    root = read_concrete(parser, rendered)
    if root.broken:
        return None
    reader = Reader(unit, scope, rendered, parser, item.scope)
    found = [d for child in root.children if child.named for d in top_level(reader, child)]
    if len(found) != 1 or not isinstance(found[0], FunctionDecl) or found[0].body is None:
        return None
    return found[0], tuple(reader.problems)
