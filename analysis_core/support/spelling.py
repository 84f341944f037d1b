"""Words of messages: what a misspelt one was meant to be, and several in a row."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

_ALIKE = 0.6


def did_you_mean(word: str, known: Iterable[str], likeness: float = _ALIKE) -> str:
    """ "; did you mean `warning-share`?", or "" where no known word is as much like it as `likeness`, 0 to 1."""
    spelled = {name.lower(): name for name in known}
    near = get_close_matches(word.lower(), list(spelled), n=1, cutoff=likeness)
    return f"; did you mean `{spelled[near[0]]}`?" if near else ""


def in_a_row(words: Sequence[str]) -> str:
    """ "a", "a and b", "a, b and c"."""
    return " and ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)
