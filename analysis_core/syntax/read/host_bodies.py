"""Which function bodies are worth reading: all device code, and the host code that decides how kernels are launched.

Half of a `.cu` file is host code that allocates, copies and prints; no answer of ours depends on it, and reading it
takes longer than reading the kernels.  A host function's body is needed if it launches a kernel or mentions a function
that does (its arguments may fix a template's), directly or through others.  Functions that device code may call without
saying so (templates, constexpr, members) are always read, and so are short ones, which may compute a launch's shape.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from analysis_core.syntax.lex.splitter_items import Item, ItemKind
from analysis_core.syntax.lex.tokens import Token
from analysis_core.syntax.read.launchers import WORDS

_ALWAYS = frozenset({"__global__", "__device__", "constexpr", "template", "consteval", "operator"})
_SHORT = 64  # tokens of a body that is read whatever it does


def unread_bodies(tokens: Sequence[Token], items: Sequence[Item]) -> frozenset[int]:
    """The indices of host functions whose bodies need not be read, since no answer depends on them."""
    words = {
        index: frozenset(token.text for token in tokens[item.start : item.end])
        for index, item in enumerate(items)
        if item.kind is ItemKind.FUNCTION and item.body is not None
    }
    launchers = leading_words(tokens, items, words)
    return frozenset(
        index for index, found in words.items() if launchers.isdisjoint(found) and _is_plain_host(tokens, items[index])
    )


def leading_words(
    tokens: Sequence[Token], items: Sequence[Item], words: Mapping[int, frozenset[str]]
) -> frozenset[str]:
    """Words of which each item that launches a kernel, or names what does, has one.  `words`: those of the items that may lead to a launch."""
    leading = set(WORDS)  # and names of kernels: some write `k << < grid, block >> >`
    leading.update(tokens[i.name].text for i in items if "__global__" in i.qualifiers and i.name is not None)
    idle, before = list(words), -1
    while before != len(idle):
        before = len(idle)
        found = [index for index in idle if not leading.isdisjoint(words[index])]
        idle = [index for index in idle if leading.isdisjoint(words[index])]
        leading.update(tokens[name].text for index in found if (name := items[index].name) is not None)
    return frozenset(leading)


def _is_plain_host(tokens: Sequence[Token], item: Item) -> bool:
    assert item.body is not None
    low, high = item.body
    if high - low <= _SHORT or not item.closed or item.template:
        return False
    return not any(token.text in _ALWAYS for token in tokens[item.start : low])
