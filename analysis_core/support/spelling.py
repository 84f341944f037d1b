"""What a misspelt word was meant to be."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

_ALIKE = 0.6


def do_you_mean(word: str, known: Iterable[str]) -> str:
    """ "; do you mean `warning-share`?", or "" where no known word is like it."""
    spelled = {name.lower(): name for name in known}
    near = get_close_matches(word.lower(), list(spelled), n=1, cutoff=_ALIKE)
    return f"; do you mean `{spelled[near[0]]}`?" if near else ""
