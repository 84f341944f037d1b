"""Which function bodies are worth reading: device code that something names, and the host code that decides how kernels are launched.

Half of a `.cu` file is host code that allocates, copies and prints; no answer of ours depends on it, and reading it
takes longer than reading the kernels.  A host function's body is needed if it launches a kernel or mentions a function
that does (its arguments may fix a template's), directly or through others.  Functions that device code may call without
saying so (templates, constexpr, members) are always read, and so are short ones, which may compute a launch's shape.

Of headers, which bring along hundreds of functions of which a file calls some, only those are read that anything names that is read itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.syntax.lex.models import is_model
from analysis_core.syntax.lex.splitter_items import Item, ItemKind
from analysis_core.syntax.lex.tokens import Token
from analysis_core.syntax.read.launchers import WORDS

_ALWAYS = frozenset({"__global__", "__device__", "constexpr", "template", "consteval", "operator"})
_CALLED_UNNAMED = frozenset({"operator", "begin", "end", "get"})
_SHORT = 64  # tokens of a body that is read whatever it does


def unread_bodies(tokens: Sequence[Token], items: Sequence[Item], main: str) -> frozenset[int]:
    """The indices of functions whose bodies need not be read, since no answer depends on them. `main`: the file that is read with its headers."""
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
    idle = [index for index, found in words.items() if launchers.isdisjoint(found)]
    unread = frozenset(index for index in idle if _is_plain_host(tokens, items[index]))
    return unread | _unnamed(tokens, items, unread, [i for i in idle if _is_found_by_name(tokens, items[i], main)])


def _unnamed(
    tokens: Sequence[Token], items: Sequence[Item], unread: frozenset[int], asked: Sequence[int]
) -> frozenset[int]:
    """Those of the functions asked about that nothing names but themselves, each other, and bodies that are `unread`."""
    waiting: dict[str, list[int]] = {}
    for index in asked:
        waiting.setdefault(tokens[items[index].name or 0].text, []).append(index)
    if not waiting:
        return frozenset()
    heads, found = unread.union(asked), set[str]()
    for index, item in enumerate(items):
        end = item.body[0] if index in heads and item.body is not None else item.end
        is_read = item.kind is not ItemKind.FUNCTION or (item.body is not None and index not in heads)
        own = end if is_read or item.name is None else item.name
        found.update(token.text for token in tokens[item.start : own])
        found.update(token.text for token in tokens[own + 1 : end])
    while reached := [index for name in found & waiting.keys() for index in waiting.pop(name)]:
        found = {token.text for index in reached for token in tokens[slice(*(items[index].body or (0, 0)))]}
    return frozenset(index for indices in waiting.values() for index in indices)


def _is_found_by_name(tokens: Sequence[Token], item: Item, main: str) -> bool:
    """Whether it is a function of a header that is called by its name alone: no member, no operator, and none that a loop over a range calls."""
    file, name = tokens[item.start].span.file, item.name
    if file == main or is_model(file) or not item.closed or name is None or "__global__" in item.qualifiers:
        return False
    return tokens[name].text not in _CALLED_UNNAMED and tokens[name - 1].text not in ("::", "~")


def _is_plain_host(tokens: Sequence[Token], item: Item) -> bool:
    assert item.body is not None
    low, high = item.body
    if high - low <= _SHORT or not item.closed or item.template:
        return False
    return not any(token.text in _ALWAYS for token in tokens[item.start : low])
