"""`parse`: from a path to the syntax tree of its translation unit.

    bytes -> preprocess -> tokens -> split -> items -> (render -> tree-sitter -> read) each -> SyntaxTree

Items are read in source order, one at a time and apart from each other, so that what is broken in one cannot change
another; only the names it declares (types, values, templates) carry over.  If device code of the main file, or the
braces of the file, are broken, the tokens are mended once (repair.py) and read again.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from dataclasses import field, replace
from itertools import chain

import tree_sitter

from analysis_core.support.facts import Cause, CauseKind
from analysis_core.support.files import Files
from analysis_core.support.fuel import MENDING, Fuel, OutOfFuel
from analysis_core.support.settings import Settings
from analysis_core.support.store import Store
from analysis_core.syntax.edit.items import read_once
from analysis_core.syntax.edit.repair import Edit, candidates
from analysis_core.syntax.lex.left_out_kernels import LeftOutKernels, kernels_left_out
from analysis_core.syntax.lex.lexer import lex_fragment
from analysis_core.syntax.lex.preprocessor import Preprocessed, preprocess
from analysis_core.syntax.lex.tokens import Token
from analysis_core.syntax.read.annotations import read_annotations
from analysis_core.syntax.read.concrete import make_parser, read_concrete
from analysis_core.syntax.read.environment import Names, declare
from analysis_core.syntax.read.hidden_names import hidden_names
from analysis_core.syntax.read.host_bodies import unread_bodies
from analysis_core.syntax.read.read_items import body_end, is_skipped, render_item
from analysis_core.syntax.read.splitter import Item, ItemKind, split
from analysis_core.syntax.read.tree import Declaration, FunctionDecl, SyntaxTree
from analysis_core.syntax.read.unread import shown_problems, unread_texts
from analysis_core.text.change import change_between
from analysis_core.text.records import dataclass
from analysis_core.text.span import FileId

_RANK = 3
"""How many tokens more may be blanked by a candidate than by the next one in likelihood."""

_BODY = 8
"""What a kernel without its body weighs against an item that is not closed or a brace too many."""

_DEVICE = frozenset({"__global__", "__device__"})


def parse(
    path: str, files: Files, settings: Settings, last_good: bytes | None = None, store: Store | None = None
) -> SyntaxTree:
    """The syntax tree of `path` with everything it includes.  Any bytes give a tree; nothing is raised.

    `last_good`: the text of `path` when it last parsed without problems; helps to repair a line that is being typed.
    `store`: what was read before, of which nothing is read again; it belongs to the caller and changes no result."""
    return parse_unit(path, files, settings, last_good, store).tree


@dataclass(frozen=True, slots=True)
class ParsedUnit:
    """A syntax tree with the tokens and the items that it was read from, mended where they had to be.

    `sound`: the braces of the unit and the device code of the main file were in order, so that nothing was mended."""

    tree: SyntaxTree
    preprocessed: Preprocessed
    tokens: Sequence[Token]
    items: tuple[Item, ...]
    sound: bool


def parse_unit(
    path: str, files: Files, settings: Settings, last_good: bytes | None = None, store: Store | None = None
) -> ParsedUnit:
    """The syntax tree as from `parse`, with the tokens and items that it was read from."""
    store = store if store is not None else Store()
    preprocessed = preprocess(path, files, settings, store)
    parser = make_parser()
    edited = _edited_lines(last_good, files.read(path)) if last_good is not None else None
    mended = None if edited is None or not edited.cut_off else _mended_at_once(preprocessed, parser, store, edited)
    if mended is not None:
        tokens, sound = mended, False
        first = _read_unit(preprocessed, tokens, Names(), parser, store, typing=True)
    else:
        names = Names()
        first = _read_unit(preprocessed, preprocessed.tokens, names, parser, store)
        tokens, sound = preprocessed.tokens, not first.damaged
        if first.damaged or (edited is not None and edited.cut_off):
            mended = _mend(preprocessed, first, names, parser, edited)
            if mended is not None:
                tokens, sound = mended, False
                first = _read_unit(preprocessed, tokens, Names(), parser, store, typing=edited is not None)
    tree = SyntaxTree(
        main=path,
        declarations=first.declarations,
        dependencies=preprocessed.dependencies,
        missing=preprocessed.missing,
        problems=shown_problems((*preprocessed.problems, *first.problems), files),
        annotations=read_annotations(preprocessed.files, preprocessed.macros, preprocessed.inactive),
        conditionals=preprocessed.conditionals,
        refused=preprocessed.refused,
        unread=unread_texts(preprocessed.problems, path, files),
        left_out=_left_out(path, files, preprocessed, first.declarations),
        hidden=hidden_names(preprocessed.files, files, store),
    )
    return ParsedUnit(tree, preprocessed, tokens, first.items, sound)


def parse_some(
    path: str,
    files: Files,
    settings: Settings,
    store: Store,
    chosen: Callable[[ParsedUnit], Container[int] | None],
) -> ParsedUnit | None:
    """Like `parse_unit`, for a first look at a file: only the heads are read of functions that are not chosen.
    `chosen` is given the unit before anything of it is read, and gives the numbers of the items to read. None if it
    gives None, or if the text has errors."""
    unit = _parse_chosen(path, files, settings, store, chosen, everything=False)
    return None if unit is None or not unit.sound else unit


def parse_bodies(
    path: str,
    files: Files,
    settings: Settings,
    store: Store,
    chosen: Callable[[ParsedUnit], Container[int] | None],
) -> ParsedUnit | None:
    """Like `parse_some`, but all chosen functions are read with their bodies, also where nothing in the unit depends
    on them, and errors are part of the result."""
    return _parse_chosen(path, files, settings, store, chosen, everything=True)


def _parse_chosen(
    path: str,
    files: Files,
    settings: Settings,
    store: Store,
    chosen: Callable[[ParsedUnit], Container[int] | None],
    everything: bool,
) -> ParsedUnit | None:
    pre = preprocess(path, files, settings, store)
    items, stated = split(pre.tokens, pre.column), read_annotations(pre.files, pre.macros, pre.inactive)
    tree = SyntaxTree(path, (), pre.dependencies, pre.missing, pre.problems, stated)
    tree = replace(
        tree, conditionals=pre.conditionals, refused=pre.refused, unread=unread_texts(pre.problems, path, files)
    )
    tree = replace(tree, hidden=hidden_names(pre.files, files, store))
    unread = ParsedUnit(tree, pre, pre.tokens, items, True)
    wanted = chosen(unread)
    if wanted is None:
        return None
    first = _read_unit(pre, pre.tokens, Names(), make_parser(), store, wanted=wanted, everything=everything)
    problems = shown_problems((*pre.problems, *first.problems), files)
    left_out = _left_out(path, files, pre, first.declarations)
    tree = replace(tree, declarations=first.declarations, problems=problems, left_out=left_out)
    return replace(unread, tree=tree, sound=not first.damaged)


_Cost = tuple[int, int, int]
_Judged = tuple[int, Edit, _Cost]
"""A candidate's rank, itself, and how bad its tokens read."""


def _left_out(path: str, files: Files, pre: Preprocessed, declarations: Sequence[Declaration]) -> LeftOutKernels:
    """The kernels of the file that conditionals leave out."""
    read = {d.name for d in declarations if isinstance(d, FunctionDecl) and d.is_kernel}
    return kernels_left_out(files.read(path) or b"", pre.inactive, read)


@dataclass(frozen=True, slots=True)
class _UnitRead:
    """One reading of the unit's tokens.  `errors`: where tree-sitter failed in the main file and nothing else helped;
    `rescued`: items of the main file that tree-sitter found broken, but that were read all the same; `broken`: those
    that were not, or that do not end.

    `damaged`: device code of the main file, or its braces, are broken."""

    items: tuple[Item, ...]
    declarations: tuple[Declaration, ...]
    problems: tuple[Cause, ...]
    rescued: tuple[Item, ...]
    broken: tuple[Item, ...]
    errors: tuple[int, ...]
    damaged: bool


def _read_unit(
    preprocessed: Preprocessed,
    tokens: Sequence[Token],
    names: Names,
    parser: tree_sitter.Parser,
    store: Store,
    typing: bool = False,
    unwanted: int | None = None,
    wanted: Container[int] | None = None,
    everything: bool = False,
) -> _UnitRead:
    """`unwanted`: a token; of the function around it nobody wants to know more than its head; nor of those that are not `wanted`, if
    that is given.  `everything`: bodies on which no answer about kernels depends are read as well."""
    declarations: list[Declaration] = []
    problems: list[Cause] = []
    errors: list[int] = []
    rescued: list[Item] = []
    unreadable: list[Item] = []
    damaged = False
    items = split(tokens, preprocessed.column)
    unread = frozenset[int]() if everything else unread_bodies(tokens, items)
    unnamed = frozenset[int]() if everything else _unnamed(preprocessed, tokens, items, unread)
    for index, item in enumerate(items):
        if index in unnamed:
            continue
        head_only = index in unread or (wanted is not None and index not in wanted)
        head_only = head_only or (unwanted is not None and item.body is not None and _is_around(item, unwanted))
        read = read_once(tokens, item, names, parser, store, head_only, typing)
        for declaration in read.declarations:
            declare(names, declaration)
        declarations.extend(read.declarations)
        problems.extend(read.problems)
        if tokens[item.start].span.file != preprocessed.main:
            continue
        broken = bool(read.errors) and any(c.kind is CauseKind.READER for c in read.problems)
        if read.errors and not broken:
            rescued.append(item)
        elif broken or not item.closed:
            errors.extend(read.errors)
            unreadable.append(item)
            damaged = damaged or not item.closed or _is_device(tokens, item)
    damaged = damaged or sum((t.text == "{") - (t.text == "}") for t in tokens) != 0
    return _UnitRead(
        items, tuple(declarations), tuple(problems), tuple(rescued), tuple(unreadable), tuple(errors), damaged
    )


def _unnamed(
    preprocessed: Preprocessed, tokens: Sequence[Token], items: Sequence[Item], unread: frozenset[int]
) -> frozenset[int]:
    """The items of headers that nothing names; no more is loaded for a file without headers."""
    if all(name == preprocessed.main for name in preprocessed.dependencies):
        return frozenset()
    from analysis_core.syntax.read.named_items import unnamed_items

    return unnamed_items(tokens, items, preprocessed.main, unread, preprocessed.files)


def _is_device(tokens: Sequence[Token], item: Item) -> bool:
    if item.kind is ItemKind.FUNCTION:
        return bool(item.qualifiers & _DEVICE)
    return any(tokens[i].text in _DEVICE for i in range(item.start, item.end))


# --- repair ---------------------------------------------------------------------------------------------------------


def _is_around(item: Item, token: int) -> bool:
    return item.kind is ItemKind.FUNCTION and item.start <= token <= item.end


def _mended_at_once(
    preprocessed: Preprocessed, parser: tree_sitter.Parser, store: Store, edited: _EditedLines
) -> tuple[Token, ...] | None:
    """The tokens with the likeliest repair of a statement that was cut off, if that leaves nothing wrong: then the function around it
    need not be read as it stands.  `_mend` would choose the same."""
    tokens, main = preprocessed.tokens, FileId(preprocessed.main)
    opened = preprocessed.files.get(main)
    if opened is None:
        return None

    def line_of(token: Token) -> int:
        return opened.lines.position(token.span.start)[0]

    changed = edited.first, edited.end
    edit = next(candidates(tokens, main, line_of, preprocessed.column, (), changed), None)
    if edit is None or not _near(edit, tokens, main, line_of, changed, ()):
        return None
    names = Names()
    around = _read_unit(preprocessed, tokens, names, parser, store, unwanted=edit.start)
    judge = _judge(preprocessed, around, names, parser)
    mends = any(cost[:2] == (0, 0) for _, _, cost in judge.judged([(0, edit)]))
    return edit.apply(tokens) if mends else None


def _judge(preprocessed: Preprocessed, first: _UnitRead, names: Names, parser: tree_sitter.Parser) -> _Judge:
    tokens = preprocessed.tokens
    own = [item for item in first.items if tokens[item.start].span.file == preprocessed.main]
    bodies = sum(_is_kernel_body(item) for item in own)
    rescued = {_key(tokens, item): 0 for item in first.rescued}
    return _Judge(preprocessed, names, parser, rescued, bodies, _behind_headers(preprocessed, first.items))


def _behind_headers(preprocessed: Preprocessed, items: Sequence[Item]) -> int:
    """The number of tokens before the first one of the main file, if these are whole items of headers; else 0."""
    tokens, main = preprocessed.tokens, preprocessed.main
    first = next((number for number, token in enumerate(tokens) if token.span.file == main), 0)
    braces = sum((token.text == "{") - (token.text == "}") for token in tokens[:first])
    return first if braces == 0 and any(item.start == first for item in items) else 0


def _mend(
    preprocessed: Preprocessed,
    first: _UnitRead,
    names: Names,
    parser: tree_sitter.Parser,
    edited: _EditedLines | None,
) -> tuple[Token, ...] | None:
    """The tokens with the best repair applied; None if nothing is better than leaving them alone."""
    tokens = preprocessed.tokens
    main = FileId(preprocessed.main)
    opened = preprocessed.files.get(main)
    if opened is None:
        return None

    def line_of(token: Token) -> int:
        return opened.lines.position(token.span.start)[0]

    judge = _judge(preprocessed, first, names, parser)
    changed = (edited.first, edited.end) if edited is not None else None
    judged = judge.judged(
        (rank, edit)
        for rank, edit in enumerate(candidates(tokens, main, line_of, preprocessed.column, first.errors, changed))
        if changed is None or _near(edit, tokens, main, line_of, changed, first.broken)
    )
    if edited is not None and (first.errors or edited.cut_off):
        # Nearly always the first one mends all; then it need not be known how bad the text is as it stands.
        likeliest = next(iter(judged), None)
        if likeliest is None:
            return None
        _, edit, cost = likeliest
        if cost[:2] == (0, 0):
            return edit.apply(tokens)
        judged = chain((likeliest,), judged)
    try:
        chosen = _best(judged, judge.cost(None), edited)
    except OutOfFuel:
        return None
    return chosen.apply(tokens) if chosen is not None else None


def _best(judged: Iterable[_Judged], best: _Cost, edited: _EditedLines | None) -> Edit | None:
    """The candidate that leaves the least wrong; None if leaving all alone, which costs `best`, is as good."""
    chosen: Edit | None = None
    if edited is not None and edited.cut_off:
        best = (best[0] + 1, *best[1:])
    if best[:2] == (0, 0):
        return None
    for rank, edit, (lost, wrong, blanked) in judged:
        cost = (lost, wrong, blanked + _RANK * rank)
        if cost < best:
            best, chosen = cost, edit
        if best[:2] == (0, 0) and (edited is not None or best[2] <= _RANK * rank):
            break
    return chosen


def _near(
    edit: Edit,
    tokens: Sequence[Token],
    main: FileId,
    line_of: Callable[[Token], int],
    changed: tuple[int, int],
    broken: tuple[Item, ...],
) -> bool:
    """Whether the edit touches the lines that were typed in, or an item that does not read: all else was good before."""
    if any(item.start <= edit.start <= item.end for item in broken):
        return True
    around = [tokens[i] for i in (edit.start - 1, edit.start) if 0 <= i < len(tokens)]
    return any(t.span.file == main and changed[0] - 1 <= line_of(t) <= changed[1] for t in around)


def _is_kernel_body(item: Item) -> bool:
    return item.kind is ItemKind.FUNCTION and "__global__" in item.qualifiers and item.body is not None


def _key(tokens: Sequence[Token], item: Item) -> tuple[int, int, int]:
    """Tells an item again after an edit elsewhere: the tokens are the same objects."""
    return id(tokens[item.start]), id(tokens[item.end - 1]), item.end - item.start


@dataclass(frozen=True, slots=True)
class _Judge:
    """Says how bad edited tokens read.  `seen`: the errors of items that an edit does not touch, by their ends;
    `bodies`: kernels that the text defines as it is, whole or not, which no edit may turn into something less; `headers`: tokens of
    whole headers at the beginning, which stay as they are."""

    preprocessed: Preprocessed
    names: Names
    parser: tree_sitter.Parser
    seen: dict[tuple[int, int, int], int]
    bodies: int
    headers: int
    fuel: Fuel = field(default_factory=lambda: Fuel.of(MENDING))

    def judged(self, edits: Iterable[tuple[int, Edit]]) -> Iterator[_Judged]:
        """The candidates with their costs, as many as the account lasts for."""
        with contextlib.suppress(OutOfFuel):
            for rank, edit in edits:
                yield rank, edit, self.cost(edit)

    def cost(self, edit: Edit | None) -> tuple[int, int, int]:
        """(structure lost, tokens inside of errors, tokens blanked).  Raises `OutOfFuel`.

        Structure: kernels or their bodies not found, items not closed, closing braces too many.  A brace that is
        not closed counts with its item: counted for the whole file, it would be closed where it costs least, not where
        it is missing."""
        preprocessed = self.preprocessed
        main = preprocessed.main
        headers = self.headers if edit is None or edit.start >= self.headers else 0
        tokens: Sequence[Token] = preprocessed.tokens[headers:]
        if edit is not None:
            edit = replace(edit, start=edit.start - headers, end=edit.end - headers)
            tokens = edit.apply(tokens)
        lost = sum(t.text == "__global__" and t.span.file == main for t in preprocessed.tokens)
        wrong = bodies = 0
        for item in split(tokens, preprocessed.column):
            if tokens[item.start].span.file != main:
                continue
            lost += not item.closed
            lost -= item.kind is ItemKind.FUNCTION and "__global__" in item.qualifiers
            bodies += _is_kernel_body(item)
            if item.kind is ItemKind.OTHER and is_skipped(tokens, item):
                continue
            wrong += self._errors(tokens, item, edit)
        surplus = max(0, sum((t.text == "}") - (t.text == "{") for t in tokens))
        lost = max(0, lost) + surplus + _BODY * max(0, self.bodies - bodies)
        return lost, wrong, edit.blanked if edit is not None else 0

    def _errors(self, tokens: Sequence[Token], item: Item, edit: Edit | None) -> int:
        """Tokens of the item that lie in ERROR nodes."""
        touched = edit is not None and item.start <= edit.start + len(edit.insert) and edit.start <= item.end
        key = _key(tokens, item)
        if not touched and key in self.seen:
            return self.seen[key]
        if touched:
            self.fuel.spend(body_end(tokens, item) - item.start, "the text is too long to be mended")
        rendered, _ = render_item(tokens, item, self.names)
        wrong = 0
        if self.parser.parse(rendered.text).root_node.has_error:
            nodes = read_concrete(self.parser, rendered).walk()
            wrong = sum(max(1, n.end - n.start) for n in nodes if n.kind == "ERROR" or (n.broken and not n.children))
        if not touched:
            self.seen[key] = wrong
        return wrong


@dataclass(frozen=True, slots=True)
class _EditedLines:
    """The lines `first <= line < end` (1-based) differ from the last good text.

    `cut_off`: they ended a statement there, and do not any more; so the next line is not their continuation."""

    first: int
    end: int
    cut_off: bool


def is_cut_off(before: bytes, after: bytes) -> bool:
    """Whether a statement of the good text `before` has lost its end in `after`. Only then, or where a text has errors
    of its own, does reading look at the text before."""
    edited = _edited_lines(before, after)
    return edited is not None and edited.cut_off


def _edited_lines(before: bytes, after: bytes | None) -> _EditedLines | None:
    """Compares two texts line by line, but for blanks at the ends of lines; None if nothing differs."""
    if after is None or before == after:
        return None
    old, new = before.splitlines(), after.splitlines()
    shorter, low, high = min(len(old), len(new)), 0, 0
    # Nearly all lines are alike byte for byte, and need not be looked at.
    if b"\r" not in before and b"\r" not in after:
        change = change_between(before, after)
        low = before.count(b"\n", 0, change.start)
        high = max(0, before.count(b"\n", change.old_end) - 1)
    while low < shorter and old[low].rstrip() == new[low].rstrip():
        low += 1
    if low == len(old) == len(new):
        return None
    high = min(high, shorter - low)
    while high < shorter - low and old[-1 - high].rstrip() == new[-1 - high].rstrip():
        high += 1
    was = _last_token(old[low : len(old) - high])
    now = _last_token(new[low : len(new) - high])
    cut_off = was in _TERMINATORS and now not in _TERMINATORS and now is not None
    return _EditedLines(low + 1, len(new) - high + 1, cut_off)


_TERMINATORS = frozenset({";", "{", "}"})


def _last_token(lines: Sequence[bytes]) -> str | None:
    """What the lines end with; comments are no part of a statement."""
    tokens = lex_fragment(b"\n".join(lines).decode("utf-8", "surrogateescape"), FileId(""))
    return tokens[-1].text if tokens else None
