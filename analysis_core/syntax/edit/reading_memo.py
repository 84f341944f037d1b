"""What reading one file leaves behind for the next, and for the same file after an edit.

Files of a project include the same headers, and between two keystrokes nearly all of a file stays as it is.  Two things
are kept, both as long as their text is the same byte for byte:

- files cut into tokens and directives (`preprocessor_lines.LexCache`), by path and contents; where these have changed, lines that
  have not are not cut again (`relexing`);
- items as read (of a long function body, each outermost statement: rereading.py).  What reading gives depends on the item's own tokens, on the token behind it (where an empty span may
  stand), and on what is known of the names in it.  The tokens are compared; of the names exactly the questions that
  reading asked are asked again (`environment.Asked`).  Reading gets nothing but these tokens, so nothing else can count.

A memo changes no result.  It belongs to whoever reads several files or one file many times (a run of the command line,
the server's worker), and holds a bounded number of bytes and tokens; what was not used for longest goes first.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import tree_sitter

from analysis_core.syntax.edit.rereading import LONG, Whole, alike, is_long, reread
from analysis_core.syntax.lex.preprocessor_lines import LexCache
from analysis_core.syntax.lex.relexing import Relexer
from analysis_core.syntax.lex.splitter_items import Item
from analysis_core.syntax.lex.tokens import Token
from analysis_core.syntax.read.environment import Environment, Names, declare_templates
from analysis_core.syntax.read.hidden_names import Words
from analysis_core.syntax.read.read_items import ReadItem, read_item
from analysis_core.syntax.read.reader import make_unit

KEPT_TOKENS = 250_000
"""Tokens of all items that are kept; with what is read from them some 400 bytes each."""

_LONG_FUNCTIONS = 6
"""Long functions whose last readings are kept."""

_Place = tuple[str, int, int, bool, bool]


class ReadingMemo:
    """Files cut and items read; see above.  Safe to drop at any time.  `long`: outermost statements of a body that is read by
    statement."""

    def __init__(self, kept_tokens: int = KEPT_TOKENS, long: int = LONG) -> None:
        self.cuts = LexCache()
        self.words = Words()
        self.blocks = Relexer()
        """Bodies of functions, by themselves."""
        self.reused = 0
        """Items that were not read again, for tests."""
        self.reread = 0
        """Items that were read in part."""
        self.programs: Any = None
        """What is remembered of files beside each other (`program/program.Programs`, which this folder does not know)."""
        self._items: OrderedDict[_Place, Whole] = OrderedDict()
        self._last: OrderedDict[tuple[str, int], tuple[Whole, ...]] = OrderedDict()
        """By file and first byte: the long function that was last read in order, and that which it was made from, to which an undo
        leads back without being read."""
        self._room, self._long = kept_tokens, long

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
                self._note(place, known, None)
                self.reused += 1
                declare_templates(names, read.own)
                return replace(read, errors=tuple(index + start for index in read.errors))
        again, source = (None, None) if head_only else self._reread(place, own, moved, names, parser)
        read = again or read_item(make_unit(own, typing), moved, names, parser, head_only)
        self.reread += again is not None
        self._keep(place, Whole(own, moved, read), source)
        return replace(read, errors=tuple(index + start for index in read.errors))

    def _reread(
        self, place: _Place, tokens: Sequence[Token], item: Item, names: Names, parser: tree_sitter.Parser
    ) -> tuple[ReadItem | None, Whole | None]:
        """From what the item was when it was last in order, or before that: from the one that is more like it, which is named too."""
        known = self._last.get(place[:2], ())
        own = tokens[: item.end]
        source = known[0] if len(known) == 1 else max(known, key=lambda whole: alike(whole, own), default=None)
        if source is None:
            return None, None
        return reread(source, tokens, item, names, parser, place[4], self._long), source

    def _note(self, place: _Place, whole: Whole, source: Whole | None) -> None:
        read = whole.read
        if place[3] or read.problems or read.errors or not is_long(whole, self._long):
            return
        known = self._last.pop(place[:2], ())
        other = source or next((one for one in known if one is not whole), None)
        self._last[place[:2]] = (whole,) if other is None or other is whole else (whole, other)
        while len(self._last) > _LONG_FUNCTIONS:
            self._last.popitem(last=False)

    def _keep(self, place: _Place, made: Whole, source: Whole | None) -> None:
        replaced = self._items.pop(place, None)
        if replaced is not None:
            self._room += len(replaced.tokens)
        self._items[place] = made
        self._note(place, made, source)
        self._room -= len(made.tokens)
        while self._room < 0:
            _, oldest = self._items.popitem(last=False)
            self._room += len(oldest.tokens)


def _moved(item: Item, by: int) -> Item:
    """The item in other indices."""
    name = None if item.name is None else item.name + by
    body = None if item.body is None else (item.body[0] + by, item.body[1] + by)
    return replace(item, start=item.start + by, end=item.end + by, name=name, body=body)
