"""Host code in other files of the same program: what of the files beside a translation unit is worth reading for it.

    main.cpp       int main() { gather_on_device(rows, 4096); }
    gather.cu      void gather_on_device(const int *rows, int n) { .. gather<<<n / 256, 256>>>(rows, n); }

C++ joins them by declarations: a file that calls a function declares it, in a header that both include or by itself.  So a source of the
same folder is a *sibling* where it calls what the unit defines, or defines what the unit (or another sibling) declares and lacks.  It is
another program's if it defines anything that the unit defines, `main` above all.  Of siblings only those bodies are read that matter:
the callers of the unit, and what these call to launch kernels.  What is too large, does not read well or lies in another folder is left alone,
and the unit is then known as far as it tells itself.  For findings only, never for bounds.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from analysis_core.support.files import SOURCES, Files, sources_beside
from analysis_core.support.settings import Settings
from analysis_core.support.store import Stage, Store
from analysis_core.syntax.lex.left_out import as_written, has_conditionals, outside_of_conditionals
from analysis_core.syntax.lex.mentions import code_of, mentions_in, mentions_of
from analysis_core.syntax.lex.splitter_items import Item, ItemKind
from analysis_core.syntax.lex.text_calls import Handed, numbers_in_calls, put_together
from analysis_core.syntax.lex.tokens import Token, TokenKind
from analysis_core.syntax.parse import ParsedUnit, parse_bodies
from analysis_core.syntax.read.beyond import Beyond
from analysis_core.syntax.read.tree import SyntaxTree
from analysis_core.syntax.units import includes_of
from analysis_core.text.records import dataclass

MOST_FILES = 96
"""Sources of a folder; in a larger one nobody knows which make a program together."""

MOST_BYTES = 2_000_000
"""Of all these sources."""

MOST_READ = 6
"""Siblings that are read for one unit: each costs the time of reading it once."""

MOST_TOKENS = 12_000
"""Tokens of the bodies that are read of one sibling."""

_ROUNDS = 2
"""The second one is for helpers that siblings call and the unit does not know."""

_UPWARDS = 2
"""Calls of calls of the unit's functions."""

_WORD = re.compile(rb"[A-Za-z_]\w*")
_APART = frozenset({"static", "__device__", "__global__", "inline", "constexpr", "__forceinline__"})
_CHANGING = frozenset({"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="})


@dataclass(frozen=True, slots=True)
class Names:
    """The functions by which other files can know a unit. `defined`: those with a body, `declared`: those without one;
    `kernels`: those that run on the device; `own`: all with a body, whoever may call them; `patterns`: templates with
    a body."""

    defined: frozenset[str] = frozenset()
    declared: frozenset[str] = frozenset()
    kernels: frozenset[str] = frozenset()
    own: frozenset[str] = frozenset()
    patterns: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Siblings:
    """The other files of a unit's program. `trees`: those that were read; `outer`: functions of the unit that they may
    call, `kernels`: and kernels that they may launch. `unread`: of these, the ones that are mentioned where nobody
    read on, with the numbers that texts alone say they are passed (text_calls.py). `mentions`: the functions of the
    unit that any source of the folder mentions, and "main" where one defines it; None if nobody looked. `rests`: all
    files that this rests on, read or looked for."""

    trees: tuple[SyntaxTree, ...] = ()
    outer: frozenset[str] = frozenset()
    kernels: frozenset[str] = frozenset()
    unread: Mapping[str, Handed] = field(default_factory=dict)
    rests: tuple[str, ...] = ()
    mentions: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Joint:
    """What joins a unit to other files: the names of its functions, and the files that it is read from, none of which
    is a sibling."""

    main: str = ""
    names: Names = field(default_factory=Names)
    read: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Text:
    data: bytes
    words: frozenset[str]
    mentions: frozenset[str]
    includes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Written:
    """What a source mentions that is compiled as its own macros say, and the headers that this rests on (None: sought in vain)."""

    data: bytes
    mentions: frozenset[str]
    others: Mapping[str, bytes | None]


@dataclass(frozen=True, slots=True)
class _Reading:
    """A source as it was read for a unit.  `others`: all files it was read from (None: sought in vain); `tree` None: there is nothing to
    read, or too much (`Beyond.assigned` is that of what was not read); `foreign`: it is another program's."""

    others: Mapping[str, bytes | None]
    tree: SyntaxTree | None
    names: Names
    foreign: bool


_TEXTS: Stage[tuple[str, tuple[str, ...]], _Text] = Stage("texts of siblings", 4 * MOST_FILES)
_WRITTEN: Stage[tuple[str, str], _Written] = Stage("mentions in siblings", 4 * MOST_FILES)
_HANDED: Stage[tuple[_Text, frozenset[str]], Mapping[str, Handed]] = Stage("numbers in siblings", 4 * MOST_FILES)
_CONTENTS: Stage[str, tuple[bytes | None]] = Stage("contents of files", 32 * MOST_FILES)
_READ: Stage[tuple[str, Names, frozenset[str], str], _Reading] = Stage("siblings read", 48)


def _text_of(path: str, data: bytes, include_paths: Sequence[str], store: Store) -> _Text:
    """What is in a source."""
    key = path, tuple(include_paths)
    known = store.get(_TEXTS, key, lambda known: known.data == data)
    if known is None:
        words = frozenset(word.decode("ascii") for word in set(_WORD.findall(data)))
        known = _Text(data, words, mentions_of(data), includes_of(path, data, include_paths))
        store.put(_TEXTS, key, known)
    return known


def _mentions(
    path: str, text: _Text, asked: Collection[str], files: Files, settings: Settings, store: Store
) -> tuple[frozenset[str], Collection[str]]:
    """Which of the names asked for a source mentions, as its own macros say, and the headers that this rests on."""
    found = text.mentions.intersection(asked)
    if not found or b"#" not in text.data or not has_conditionals(code := code_of(text.data)):
        return found, ()
    if found <= mentions_in(outside_of_conditionals(code)):
        return found, ()
    key = path, repr(settings)
    known = store.get(_WRITTEN, key, lambda known: known.data == text.data and still_holds(known.others, files))
    if known is None:
        sought: dict[str, None] = {}

        def read(header: str) -> bytes | None:
            sought[header] = None
            return files.read(header)

        written = as_written(path, text.data, code, settings.defines, settings.include_paths, read)
        known = _Written(text.data, mentions_in(written), contents_of(sought, files, store))
        store.put(_WRITTEN, key, known)
    return found & known.mentions, known.others


def _handed(text: _Text, names: frozenset[str], store: Store) -> Mapping[str, Handed]:
    """The numbers that a source hands to functions, as its text says it; nothing of another program's source."""
    known = store.get(_HANDED, (text, names))
    if known is None:
        known = numbers_in_calls(code_of(text.data), names) or {}
        store.put(_HANDED, (text, names), known)
    return known


def contents_of(paths: Iterable[str], files: Files, store: Store) -> dict[str, bytes | None]:
    """The texts of files (None: not there), each held once, however many units rest on it."""
    return {path: _content(path, files.read(path), store) for path in paths}


def _content(path: str, data: bytes | None, store: Store) -> bytes | None:
    known = store.get(_CONTENTS, path, lambda known: known[0] == data)
    if known is None:
        known = (data,)
        store.put(_CONTENTS, path, known)
    return known[0]


def still_holds(contents: Mapping[str, bytes | None], files: Files) -> bool:
    """Whether all files are as they were."""
    return all(files.read(path) == data for path, data in contents.items())


@dataclass(slots=True)
class _Search:
    """`pause`: is called where work may be given up."""

    joint: Joint
    files: Files
    settings: Settings
    store: Store
    pause: Callable[[], None]
    used: frozenset[str]
    sought: set[str]
    trees: dict[str, SyntaxTree] = field(default_factory=dict)
    unread: set[str] = field(default_factory=set)
    rests: dict[str, None] = field(default_factory=dict)


def joint_of(unit: ParsedUnit) -> Joint:
    """What joins a unit that was read to other files."""
    read = frozenset(posixpath.normpath(path) for path in unit.tree.dependencies)
    return Joint(unit.tree.main, names_of(unit.tokens, unit.items), read)


def siblings_of(
    joint: Joint,
    beside: Sequence[str],
    files: Files,
    settings: Settings,
    store: Store,
    pause: Callable[[], None] = lambda: None,
) -> Siblings:
    """The siblings of a unit among the sources `beside` it. `pause` is called wherever the work may be given up."""
    names = joint.names
    if not beside or len(beside) >= MOST_FILES or not (names.defined or names.declared or names.kernels):
        return Siblings(mentions=None if beside else frozenset())  # Whatever these sources say.
    left, mentions, headers = _texts(joint, beside, files, settings, store)
    outer = names.defined - {"main"}
    used, sought = outer | names.kernels, set(names.declared)
    search = _Search(joint, files, settings, store, pause, used, sought)
    search.rests.update(dict.fromkeys((*beside, *headers)))
    for _ in range(_ROUNDS):
        concerned = used | search.sought
        fresh = [path for path, text in left.items() if not text.words.isdisjoint(concerned)]
        if not fresh or len(search.trees) + len(fresh) > MOST_READ:
            break
        before = frozenset(search.sought)
        for path in fresh:
            _take(search, path, before, left[path].words)
            del left[path]
        if search.sought == before:
            break
    unread: dict[str, Handed] = {}
    for text in left.values():
        if not text.words.isdisjoint(outer):
            unread = put_together(unread, _handed(text, text.words & outer, store))
    unread.update(dict.fromkeys(search.unread & outer, ()))
    return Siblings(tuple(search.trees.values()), outer, names.kernels, unread, tuple(search.rests), mentions)


def beside_of(main: str, files: Files) -> tuple[str, ...]:
    """The other sources of a unit's folder; none of what is no source itself."""
    return tuple(path for path in sources_beside(main, files) if path != main) if main.endswith(SOURCES) else ()


def _take(search: _Search, path: str, sought: frozenset[str], words: frozenset[str]) -> None:
    """Takes in one source of these words, if it is a sibling."""
    search.pause()
    key = path, search.joint.names, sought, repr(search.settings)
    reading = search.store.get(_READ, key, lambda known: still_holds(known.others, search.files))
    if reading is None:
        reading = _read(search, path, sought)
        search.store.put(_READ, key, reading)
    search.rests.update(dict.fromkeys(reading.others))
    if reading.tree is not None:
        search.trees[path] = reading.tree
        search.sought |= reading.names.declared - search.used
    elif not reading.foreign:
        search.unread |= (search.used - reading.names.own) & words


def _read(search: _Search, path: str, sought: frozenset[str]) -> _Reading:
    """Reads one source."""
    theirs, foreign, rests, wanted = Names(), False, tuple[str, ...](), None

    def chosen(unread: ParsedUnit) -> frozenset[int] | None:
        nonlocal theirs, foreign, rests, wanted
        rests = (*unread.tree.dependencies, *unread.tree.missing)
        theirs, mine = names_of(unread.tokens, unread.items), search.joint.names
        foreign = not theirs.defined.isdisjoint(mine.defined) or not theirs.kernels.isdisjoint(mine.kernels)
        wanted = None if foreign else _wanted(unread.tokens, unread.items, search, sought)
        return wanted

    unit = parse_bodies(path, search.files, search.settings, search.store, chosen)
    others = contents_of(dict.fromkeys((path, *rests)), search.files, search.store)
    if unit is None or wanted is None:
        return _Reading(others, None, theirs, foreign)
    assigned = frozenset[str]().union(
        *(_assigned(unit.tokens, item) for n, item in enumerate(unit.items) if n not in wanted)
    )
    return _Reading(others, replace(unit.tree, beyond=Beyond(assigned=tuple(sorted(assigned)))), theirs, foreign)


def _assigned(tokens: Sequence[Token], item: Item) -> Iterator[str]:
    """The names that a function nobody reads may change, by the look of it."""
    low, high = item.body if item.kind is ItemKind.FUNCTION and item.body is not None else (0, 0)
    for n in range(low + 1, high - 1):
        if tokens[n].kind is TokenKind.IDENTIFIER:
            before, behind = tokens[n - 1].text, tokens[n + 1].text
            if behind in _CHANGING or before in ("++", "--", "&", ">>") or behind in ("++", "--"):
                yield tokens[n].text


def _wanted(
    tokens: Sequence[Token], items: Sequence[Item], search: _Search, sought: frozenset[str]
) -> frozenset[int] | None:
    """The functions of a source whose bodies are worth reading: callers of the unit with their callers; None if there are
    none, or too much of it.  Where there is room, also what these call to launch kernels."""
    words = {
        n: frozenset(t.text for t in tokens[item.body[0] : item.body[1]])
        for n, item in enumerate(items)
        if item.kind is ItemKind.FUNCTION and item.body is not None and item.name is not None and item.closed
        and not item.qualifiers & {"__device__", "__global__"}
    }  # fmt: skip
    calling = {n for n, found in words.items() if not found.isdisjoint(search.used)}
    above = calling
    for _ in range(_UPWARDS if calling else 0):
        called = {_name(tokens, items[n]) for n in above}
        above = {n for n, found in words.items() if n not in calling and not found.isdisjoint(called)}
        calling = calling | above
    mentioned = sought.union(*(words[n] for n in calling))
    launching = {n for n in words if _name(tokens, items[n]) in mentioned and "<<<" in words[n]}
    for wanted in (calling | launching, calling):
        if wanted and sum(items[n].end - items[n].start for n in wanted) <= MOST_TOKENS:
            return frozenset(wanted)
    return None


def names_of(tokens: Sequence[Token], items: Iterable[Item]) -> Names:
    """The free functions of a unit."""
    defined, declared, kernels, own, patterns = (set[str]() for _ in range(5))
    for item in items:
        if item.kind is not ItemKind.FUNCTION or item.name is None:
            continue
        name = _name(tokens, item)
        if item.template:
            patterns.update({name} if item.body is not None else ())
            continue
        if item.body is not None:
            own.add(name)
            if "__global__" in item.qualifiers and "static" not in item.qualifiers:
                kernels.add(name)
        if not item.qualifiers & _APART:
            (declared if item.body is None else defined).add(name)
    return Names(*map(frozenset, (defined, declared - own, kernels, own, patterns)))


def _name(tokens: Sequence[Token], item: Item) -> str:
    """The name of a function; of a member with that of its class."""
    assert item.name is not None
    at, name = item.name, tokens[item.name].text
    while at - 2 >= item.start and tokens[at - 1].text == "::":
        at -= 2
        name = f"{tokens[at].text}::{name}"
    return name


def _texts(
    joint: Joint, beside: Sequence[str], files: Files, settings: Settings, store: Store
) -> tuple[dict[str, _Text], frozenset[str] | None, Collection[str]]:
    """The sources of the folder that may be compiled by themselves, none where these are too large; what all of them mention; and the headers
    that this rests on."""
    found: dict[str, _Text] = {}
    left = MOST_BYTES
    for path in beside:
        if posixpath.normpath(path) not in joint.read:
            data = files.read(path) or b""
            left -= len(data)
            if left < 0:
                return {}, None, ()
            found[path] = _text_of(path, data, settings.include_paths, store)
    included = {name for text in found.values() for name in text.includes}
    asked = joint.names.own | joint.names.patterns | {"main"}
    mentioned, headers = set[str](), dict[str, None]()
    for path, text in found.items():
        names, rests = _mentions(path, text, asked, files, settings, store)
        mentioned.update(names)
        headers.update(dict.fromkeys(rests))
    kept = {path: text for path, text in found.items() if posixpath.normpath(path) not in included}
    return kept, frozenset(mentioned), headers
