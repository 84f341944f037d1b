"""Which function bodies are worth reading: all device code, and the host code that decides how kernels are launched.

Half of a `.cu` file is host code that allocates, copies and prints; no answer of ours depends on it, and reading it
takes longer than reading the kernels.  A host function's body is needed if it launches a kernel or mentions a function
that does (its arguments may fix a template's), directly or through others.  Functions that device code may call without
saying so (templates, constexpr, members) are always read, and so are short ones, which may compute a launch's shape.  So are helpers of
such functions that may leave an array of whole numbers in order (program/host/host_orders.py): how lanes that look them up part ways rests on that.
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.syntax.lex.splitter_items import Item, ItemKind
from analysis_core.syntax.lex.tokens import Token
from analysis_core.syntax.read.launchers import WORDS
from analysis_core.syntax.read.orderings import APPENDED, ORDERING

_ALWAYS = frozenset({"__global__", "__device__", "constexpr", "template", "consteval", "operator"})
_IN_ORDER = ORDERING | APPENDED
"""Functions of libraries that put something in order, or append to it."""

_POINTING = frozenset({"*", "&", "["})
_NO_NUMBERS = frozenset({"const", "float", "double", "char", "void", "bool", "FILE", "string", "half", "__half"})
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
    used = frozenset[str]().union(*(found for found in words.values() if not launchers.isdisjoint(found)))
    return frozenset(
        index
        for index, found in words.items()
        if launchers.isdisjoint(found)
        and _is_plain_host(tokens, items[index])
        and not (_name(tokens, items[index]) in used and may_order(tokens, items[index], found))
    )


def may_order(tokens: Sequence[Token], item: Item, words: frozenset[str]) -> bool:
    """Whether a function looks as if it leaves an array of integers that it is passed in order. `words`: the words in
    its text."""
    assert item.name is not None and item.body is not None
    low, high = item.body
    if not _takes_numbers([token.text for token in tokens[item.name + 1 : low]]):
        return False
    if not words.isdisjoint(_IN_ORDER):
        return True
    stores = (tokens[n].text == "]" and tokens[n + 1].text == "=" for n in range(low, high - 1))
    return not words.isdisjoint({"for", "while"}) and any(stores)


def _takes_numbers(head: Sequence[str]) -> bool:
    """Whether a parameter leads to something that may hold whole numbers, and may be written."""
    found = False
    types: set[str] = set()
    for text in head:
        if text in (",", ")"):
            if found and types.isdisjoint(_NO_NUMBERS):
                return True
            found, types = False, set()
        found = found or text in _POINTING
        types.add(text)
    return False


def _name(tokens: Sequence[Token], item: Item) -> str | None:
    return None if item.name is None else tokens[item.name].text


def _is_plain_host(tokens: Sequence[Token], item: Item) -> bool:
    assert item.body is not None
    low, high = item.body
    if high - low <= _SHORT or not item.closed or item.template:
        return False
    return not any(token.text in _ALWAYS for token in tokens[item.start : low])
