"""What reading one file leaves behind for the next, and for the same file after an edit.

Files of a project include the same headers, and between two keystrokes nearly all of a file stays as it is.  Two things
are kept, both as long as their text is the same byte for byte:

- files cut into tokens and directives (`preprocessor_lines.LexCache`), by path and contents;
- items as read.  What reading gives depends on the item's own tokens, on the token behind it (where an empty span may
  stand), and on what is known of the names in it.  The tokens are compared; of the names exactly the questions that
  reading asked are asked again (`environment.Asked`).  Reading gets nothing but these tokens, so nothing else can count.

A memo changes no result.  It belongs to whoever reads several files or one file many times (a run of the command line,
the server's worker), and holds a bounded number of bytes and tokens; what was not used for longest goes first.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import tree_sitter

from analysis_core.syntax.environment import Environment, Names, declare_templates
from analysis_core.syntax.preprocessor_lines import LexCache
from analysis_core.syntax.read_items import ReadItem, read_item
from analysis_core.syntax.reader import make_unit
from analysis_core.syntax.splitter_items import Item
from analysis_core.syntax.tokens import Token

KEPT_TOKENS = 250_000
"""Tokens of all items that are kept; with what is read from them some 400 bytes each."""

_Place = tuple[str, int, int, bool, bool]


@dataclass(frozen=True, slots=True)
class _Known:
    """An item and its reading, both in indices of `tokens`."""

    tokens: Sequence[Token]
    item: Item
    read: ReadItem


class ReadingMemo:
    """Files cut and items read; see above.  Safe to drop at any time."""

    def __init__(self, kept_tokens: int = KEPT_TOKENS) -> None:
        self.cuts = LexCache()
        self.reused = 0
        """Items that were not read again, for tests."""
        self._items: OrderedDict[_Place, _Known] = OrderedDict()
        self._room = kept_tokens

    def read(
        self,
        tokens: Sequence[Token],
        item: Item,
        names: Names,
        parser: tree_sitter.Parser,
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
        known = self._items.get(place)
        if known is not None and known.item == moved and known.tokens == own:
            read = known.read
            if Environment(names, read.own).agrees(read.asked):
                self._items.move_to_end(place)
                self.reused += 1
                declare_templates(names, read.own)
                return replace(read, errors=tuple(index + start for index in read.errors))
        read = read_item(make_unit(own, typing), moved, names, parser, head_only)
        self._keep(place, _Known(own, moved, read))
        return replace(read, errors=tuple(index + start for index in read.errors))

    def _keep(self, place: _Place, made: _Known) -> None:
        replaced = self._items.pop(place, None)
        if replaced is not None:
            self._room += len(replaced.tokens)
        self._items[place] = made
        self._room -= len(made.tokens)
        while self._room < 0:
            _, oldest = self._items.popitem(last=False)
            self._room += len(oldest.tokens)


def _moved(item: Item, by: int) -> Item:
    """The item in other indices."""
    name = None if item.name is None else item.name + by
    body = None if item.body is None else (item.body[0] + by, item.body[1] + by)
    return replace(item, start=item.start + by, end=item.end + by, name=name, body=body)
