"""An edit of comments and white space inside of one function: everything is as it was, at other places.

The tokens of the function are the same, each as far from its neighbours as before or moved by what was typed, and each still first on its line
or not.  So the tree, the IR and the facts are those of the old text, moved; only what reports quote of the text may be other words.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from analysis_core.incremental.outline import Outline, text_digest
from analysis_core.incremental.places import Shift
from analysis_core.incremental.reduced import edited_part, lines_matter, moved_parts
from analysis_core.support.store import Store
from analysis_core.syntax.lex.lexer import Lexed
from analysis_core.syntax.lex.relexing import lex_again
from analysis_core.syntax.parse import is_cut_off
from analysis_core.text.change import Change, change_between
from analysis_core.text.records import dataclass
from analysis_core.text.source import SourceText
from analysis_core.text.span import FileId

_SAID = (b"//@", b"/*@")
"""Comments that say something."""


@dataclass(frozen=True, slots=True)
class Respaced:
    """The outline of the new text, where everything has moved, and the kernels whose reports may quote what was changed."""

    outline: Outline
    shift: Shift
    quoting: frozenset[int]


def respaced(base: Outline, old: bytes, new: bytes, path: str, store: Store) -> Respaced | None:
    """What an edit of comments and white space in a function comes to; None if it is an edit of another kind."""
    file, change = FileId(path), change_between(old, new)
    number = edited_part(base, change, file)
    body = None if number is None else base.parts[number].body
    if number is None or body is None or lines_matter(base, change, old, new, file):
        return None
    start, blocks = body[0], (old[body[0] : body[1]], new[body[0] : body[1] + change.delta])
    if any(mark in block for mark in _SAID for block in blocks):
        return None
    before, after = (lex_again(f"{start} {path}", SourceText(file, block), store) for block in blocks)
    inside = Change(change.start - start, change.old_end - start, change.new_end - start)
    if not _same_tokens(before, after, inside):
        return None
    several = any(
        b"\n" in block[c.start : c.end]
        for block, cut in zip(blocks, (before, after), strict=True)
        for c in cut.comments
    )
    if several and is_cut_off(old, new):
        return None  # Lines are looked at one by one there.
    parts = list(moved_parts(base.parts, change, file))
    edited = parts[number]
    parts[number] = replace(edited, text=text_digest(new[edited.start : edited.end], edited.line))
    outline = Outline(tuple(parts), base.beside, base.regular)
    begins = any(token.span.start == inside.start for token in before.tokens)
    ends = np.array([change.start - begins, max(len(old), len(new)) + 1])
    shift = Shift({file: (ends, np.array([0, change.delta]))}, change.delta != 0)
    resting = {k for k in outline.kernels if not edited.kernel and number in outline.closure(k)}
    return Respaced(outline, shift, frozenset(resting | {number}))


def _same_tokens(before: Lexed, after: Lexed, change: Change) -> bool:
    """Whether two texts have the same tokens, those behind the change moved by it."""
    if before.problems or after.problems or before.directives != after.directives:
        return False
    if len(before.tokens) != len(after.tokens):
        return False
    for old, new in zip(before.tokens, after.tokens, strict=True):
        if old is new:
            continue
        by = change.delta if old.span.start >= change.start else 0
        if (old.span.start + by, old.span.end + by) != (new.span.start, new.span.end):
            return False
        if (old.kind, old.text, old.space, old.line_start) != (new.kind, new.text, new.space, new.line_start):
            return False
    return True
