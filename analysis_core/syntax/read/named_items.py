"""Which items of headers are worth reading: those that anything names that is read itself.

A file that includes a library's headers uses some of what they declare: of 5,000 classes and functions for matrix products a kernel of a
tutorial names 300, directly or through others.  A function, class or alias that no token names which is read is as good as absent.  So is

    template <> struct Traits<Instruction> { .. };

where nothing names the instruction but what is not read either.  What is found without its name (operators, members that are defined outside of
their class, what loops over ranges and structured bindings call) is always read, and so is all that leads to a launch.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Mapping, Sequence

from analysis_core.syntax.lex.models import is_model
from analysis_core.syntax.lex.preprocessor_lines import FileLines
from analysis_core.syntax.lex.splitter_items import Item, ItemKind
from analysis_core.syntax.lex.tokens import Token
from analysis_core.syntax.read.host_bodies import leading_words

_FOUND_UNNAMED = frozenset({"operator", "begin", "end", "get", "tuple_size", "tuple_element", "initializer_list"})
_SHARED = frozenset({"typedef", "virtual", "override", "friend"})
_NAMED = frozenset({ItemKind.FUNCTION, ItemKind.RECORD, ItemKind.ALIAS})


def unnamed_items(
    tokens: Sequence[Token], items: Sequence[Item], main: str, unread: Container[int], files: Mapping[str, FileLines]
) -> frozenset[int]:
    """The indices of items of headers that need not be read. `main`: the file that is read with its headers, all of them `files`; `unread`:
    functions of which only the head is."""
    waiting = {index: tokens[name].text for index, name in _found_by_name(tokens, items, main)}
    if not waiting:
        return frozenset()
    found = {index: _words(tokens, items[index], index in unread) for index in range(len(items))}
    leading = leading_words(tokens, items, found)
    waiting = {index: name for index, name in waiting.items() if leading.isdisjoint(found[index])}
    lacking = _lacking(tokens, items, waiting)
    asking: dict[str, list[int]] = {}
    for index, names in lacking.items():
        for name in names:
            asking.setdefault(name, []).append(index)
    reached = [index for index in range(len(items)) if index not in waiting]
    named = frozenset(_stated(files) & asking.keys())
    while reached:
        named |= {name for index in reached for name in found[index] & asking.keys()}
        asked = [(index, name) for name in named for index in asking.pop(name)]
        for index, name in asked:
            lacking[index].discard(name)
        reached = [index for index in {index for index, _ in asked} if not lacking[index]]
        named = frozenset()
    return frozenset(index for index, names in lacking.items() if names)


def _stated(files: Mapping[str, FileLines]) -> frozenset[str]:
    """The words of annotations."""
    found = set[str]()
    for lexed in (opened.lexed for opened in files.values()):
        data = lexed.source.data
        if b"//@" in data or b"/*@" in data:
            texts = (data[comment.start : comment.end].decode("latin-1") for comment in lexed.comments)
            found.update(word for text in texts if text[2:3] == "@" for word in re.findall(r"\w+", text))
    return frozenset(found)


def _words(tokens: Sequence[Token], item: Item, head: bool) -> frozenset[str]:
    end = item.body[0] if head and item.body is not None else item.end
    return frozenset(token.text for token in tokens[item.start : end])


def _found_by_name(tokens: Sequence[Token], items: Sequence[Item], main: str) -> Iterator[tuple[int, int]]:
    """The items of headers that are found by their names alone, each with the index of its name."""
    for index, item in enumerate(items):
        name = item.name
        if item.kind not in _NAMED or name is None or name == item.start or not item.closed:
            continue
        file = tokens[item.start].span.file
        if file == main or is_model(file) or tokens[name].text in _FOUND_UNNAMED:
            continue
        if tokens[name - 1].text not in ("::", "~") and not _declares_more(tokens, item):
            yield index, name


def _declares_more(tokens: Sequence[Token], item: Item) -> bool:
    """Whether it has another name, or is called through what it is derived from."""
    if item.kind is ItemKind.FUNCTION:
        return "__global__" in item.qualifiers
    own = tokens[item.start : item.end]
    if item.kind is ItemKind.RECORD and item.body is not None and [t.text for t in own[-2:]] != ["}", ";"]:
        return True
    return any(token.text in _SHARED for token in own)


def _lacking(tokens: Sequence[Token], items: Sequence[Item], waiting: dict[int, str]) -> dict[int, set[str]]:
    """What has to be named for each item: its own name, and of a class for certain arguments the classes among them."""
    records = {name for index, name in waiting.items() if items[index].kind is ItemKind.RECORD}
    lacking: dict[int, set[str]] = {}
    for index, name in waiting.items():
        item = items[index]
        lacking[index] = {name}
        if item.kind is ItemKind.RECORD and item.name is not None and item.body is not None:
            lacking[index] |= _arguments(tokens, item.name + 1, item.body[0]) & records
    return lacking


def _arguments(tokens: Sequence[Token], start: int, end: int) -> set[str]:
    """The words of `<..>`, if it stands there."""
    depth, words = 0, set[str]()
    for token in tokens[start:end]:
        depth += {"<": 1, ">": -1, ">>": -2, ">>>": -3}.get(token.text, 0)
        if depth <= 0:
            break
        words.add(token.text)
    return words
