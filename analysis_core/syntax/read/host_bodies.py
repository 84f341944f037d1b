"""Which function bodies are worth reading: all device code, and the host code that decides how kernels are launched.

Half of a `.cu` file is host code that allocates, copies and prints; no answer of ours depends on it, and reading it
takes longer than reading the kernels.  A host function's body is needed if it launches a kernel or mentions a function
that does (its arguments may fix a template's), directly or through others.  Functions that device code may call without
saying so (templates, constexpr, members) are always read, and so are short ones, which may compute a launch's shape.
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.syntax.lex.splitter_items import Item, ItemKind
from analysis_core.syntax.lex.tokens import Token
from analysis_core.syntax.read.launchers import WORDS

_ALWAYS = frozenset({"__global__", "__device__", "constexpr", "template", "consteval", "operator"})
_SHORT = 64  # tokens of a body that is read whatever it does


def unread_bodies(tokens: Sequence[Token], items: Sequence[Item]) -> frozenset[int]:
    """The indices of host functions whose bodies need not be read, since no answer depends on them."""
    words: dict[int, frozenset[str]] = {}
    launchers = set(WORDS)
    for index, item in enumerate(items):
        if "__global__" in item.qualifiers and item.name is not None:
            launchers.add(tokens[item.name].text)  # some write `k << < grid, block >> >`
        if item.kind is ItemKind.FUNCTION and item.body is not None:
            words[index] = frozenset(token.text for token in tokens[item.start : item.end])
    before = -1
    while before != len(launchers):
        before = len(launchers)
        for index, found in words.items():
            name = items[index].name
            if name is not None and not launchers.isdisjoint(found):
                launchers.add(tokens[name].text)
    return frozenset(
        index for index, found in words.items() if launchers.isdisjoint(found) and _is_plain_host(tokens, items[index])
    )


def _is_plain_host(tokens: Sequence[Token], item: Item) -> bool:
    assert item.body is not None
    low, high = item.body
    if high - low <= _SHORT or not item.closed or item.template:
        return False
    return not any(token.text in _ALWAYS for token in tokens[item.start : low])
