"""Items of a file read, each once as long as it stays the same: an item of a header for the next file that includes it, and an item of
a file that is edited for its next text.

What reading gives depends on the item's own tokens, on the token behind it (where an empty span may stand), and on what is known of the
names in it.  The tokens are compared; of the names exactly the questions that reading asked are asked again
(`environment.Asked`).  Reading gets nothing but these tokens, so nothing else can count.  Of a long function's body, each outermost
statement is read once as well (rereading.py).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import tree_sitter

from analysis_core.support.store import Stage, Store
from analysis_core.syntax.edit.rereading import Whole, alike, is_long, reread
from analysis_core.syntax.lex.splitter_items import Item
from analysis_core.syntax.lex.tokens import Token
from analysis_core.syntax.read.environment import Environment, Names, declare_templates
from analysis_core.syntax.read.read_items import ReadItem, read_item
from analysis_core.syntax.read.reader import make_unit

_Place = tuple[str, int, int, bool, bool]
"""File and first byte, number of tokens, whether only the head is read, and whether somebody types there."""


def _tokens(whole: Whole) -> int:
    return len(whole.tokens)


ITEMS: Stage[_Place, Whole] = Stage("items read", 250_000, _tokens)
"""By place, an item and how it reads; its tokens are counted, which take some 400 bytes each with what is read from them."""

FUNCTIONS: Stage[tuple[str, int], tuple[Whole, ...]] = Stage("long functions read", 6)
"""By file and first byte, the long function that was last read in order, and that which it was made from, to which an undo leads
back without being read."""


def read_once(
    tokens: Sequence[Token],
    item: Item,
    names: Names,
    parser: tree_sitter.Parser,
    store: Store,
    head_only: bool = False,
    typing: bool = False,
) -> ReadItem:
    """As `read_item` reads it.  The templates that it declares become known to the unit, other names do not yet."""
    start = item.start
    end = item.body[0] if head_only and item.body is not None else item.end
    own = tokens[start : end + 1]
    moved = _moved(item, -start)
    span = tokens[start].span
    place = (span.file, span.start, end - start, head_only, typing)

    def holds(known: Whole) -> bool:
        same = known.item == moved and known.tokens == own
        return same and Environment(names, known.read.own).agrees(known.read.asked)

    known = store.get(ITEMS, place, holds)
    if known is not None:
        _keep_function(place, known, None, store)
        declare_templates(names, known.read.own)
    else:
        again, source = (None, None) if head_only else _reread(place, own, moved, names, parser, store)
        known = Whole(own, moved, again or read_item(make_unit(own, typing), moved, names, parser, head_only))
        store.put(ITEMS, place, known)
        _keep_function(place, known, source, store)
    return replace(known.read, errors=tuple(index + start for index in known.read.errors))


def _reread(
    place: _Place, tokens: Sequence[Token], item: Item, names: Names, parser: tree_sitter.Parser, store: Store
) -> tuple[ReadItem | None, Whole | None]:
    """From what the item was when it was last in order, or before that: from the one that is more like it, which is named too."""
    known = store.last(FUNCTIONS, place[:2]) or ()
    own = tokens[: item.end]
    source = known[0] if len(known) == 1 else max(known, key=lambda whole: alike(whole, own), default=None)
    if source is None:
        return None, None
    again = reread(source, tokens, item, names, parser, place[4], store.long)
    store.tell(FUNCTIONS, again is not None, again is None)
    return again, source


def _keep_function(place: _Place, whole: Whole, source: Whole | None, store: Store) -> None:
    read = whole.read
    if place[3] or read.problems or read.errors or not is_long(whole, store.long):
        return
    known = store.last(FUNCTIONS, place[:2]) or ()
    other = source or next((one for one in known if one is not whole), None)
    store.put(FUNCTIONS, place[:2], (whole,) if other is None or other is whole else (whole, other))


def _moved(item: Item, by: int) -> Item:
    """The item in other indices."""
    name = None if item.name is None else item.name + by
    body = None if item.body is None else (item.body[0] + by, item.body[1] + by)
    return replace(item, start=item.start + by, end=item.end + by, name=name, body=body)
