"""Translation phases 1 to 4 for a CUDA file: includes, conditionals and macros, with the origin of every token.

The text of each file is cut into runs and directives once (`preprocessor_lines.py`).  A stack of frames, one per
open file, is walked part by part; runs that name no macro are copied whole, others go token by token to the
expander (`macros_expand.py`), which pulls macro arguments from here and so may walk over directives.  Should such
an invocation turn out to have no end, everything done since is undone from a snapshot.

Nothing is an error: absent includes are silent and remembered, anything else that is wrong is a problem beside the
result.  `#line` and `#error` change nothing.  Includes nest at most `Limits.include_depth` deep; files that include themselves without end
are read once, as if guarded.
Tested by tests/syntax/test_preprocessor.py and, against GCC, by tests/syntax/test_gcc_tokens.py.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import chain
from types import MappingProxyType
from typing import Mapping

from analysis_core.support.facts import Cause, CauseKind
from analysis_core.support.files import Files
from analysis_core.support.settings import Settings
from analysis_core.support.store import Store
from analysis_core.syntax.lex.assumed_macros import MacroConditional, OpenConditional, taken_for_granted
from analysis_core.syntax.lex.conditional import UNCLOSED_IF, evaluate
from analysis_core.syntax.lex.includes import find
from analysis_core.syntax.lex.macros import Builtin, Macro
from analysis_core.syntax.lex.macros_expand import Expander, ExpansionLimit
from analysis_core.syntax.lex.macros_predefined import KEYWORD_MACROS, predefined
from analysis_core.syntax.lex.models import own_models, with_models
from analysis_core.syntax.lex.pragma_pack import with_pack_attributes
from analysis_core.syntax.lex.preprocessor_account import Account, Spent
from analysis_core.syntax.lex.preprocessor_frames import Frame, Mark, Snapshot
from analysis_core.syntax.lex.preprocessor_lines import Directive, FileLines, Limits, TextRun, cut_once
from analysis_core.syntax.lex.preprocessor_operand import quoted, spelled, with_operators
from analysis_core.syntax.lex.preprocessor_repair import with_lost_endifs
from analysis_core.syntax.lex.preprocessor_toolkit import with_library_macros, with_toolkit_macros
from analysis_core.syntax.lex.tokens import Token, TokenKind
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_READ_ONCE = "includes itself in more levels than are read: it is read once"

_MOST_CYCLES = 4
"""Times that a unit is walked anew because files in it include themselves without end."""


@dataclass(frozen=True, slots=True)
class Preprocessed:
    """The tokens of a translation unit, included files where they were included, and all that was learnt on the way.

    `dependencies`: files read; `missing`: paths sought and absent; `missing_headers`: operands of `#include` found
    nowhere, as spelled, `refused`: those of them that lead where nothing is read.  `macros`: the environment at the end.  `inactive`: text of the main file that conditionals
    left out.  `files`: every file read, cut (source, comments, lines).  A main file that cannot be read has no
    tokens and a problem."""

    main: str
    tokens: tuple[Token, ...]
    dependencies: tuple[str, ...]
    missing: tuple[str, ...]
    missing_headers: tuple[str, ...]
    refused: tuple[str, ...]
    problems: tuple[Cause, ...]
    macros: Mapping[str, Macro]
    inactive: tuple[Span, ...]
    files: Mapping[str, FileLines]
    conditionals: tuple[MacroConditional, ...] = ()  # those that rest on macros which nobody has stated
    spent: Spent = Spent()  # for macros and files included again

    @property
    def comments(self) -> tuple[Span, ...]:
        """The comments of the main file, in order."""
        return self.files[self.main].lexed.comments if self.main in self.files else ()

    def column(self, token: Token) -> int:
        """The 1-based byte column of a token in its file; 0 for one that stands in none."""
        opened = self.files.get(token.span.file)
        return opened.lines.position(token.span.start)[1] if opened is not None else 0


def preprocess(
    path: str,
    files: Files,
    settings: Settings,
    store: Store | None = None,
    limits: Limits = Limits(),  # noqa: B008  (frozen)
    toolkit: bool = True,
) -> Preprocessed:
    """Preprocesses the translation unit of `path`.  Never raises on account of what the files hold.

    `store` keeps cut files between calls and belongs to the caller.  `toolkit`: whether constants of absent system
    headers are filled in (`toolkit_macros.py`)."""
    data = files.read(path)
    if data is None:
        problem = Cause(CauseKind.MISSING, f"{path} cannot be read", None)
        return Preprocessed(path, (), (), (path,), (), (), (problem,), MappingProxyType({}), (), MappingProxyType({}))
    store = store if store is not None else Store()
    unit = _Unit(path, files, settings, store, limits, toolkit).walked(data)
    guarded: dict[str, None] = {}
    for _ in range(_MOST_CYCLES):
        if not unit.endless:
            break
        guarded |= unit.endless
        unit = _Unit(path, files, settings, store, limits, toolkit, guarded).walked(data)
    repaired = with_lost_endifs(unit.opened[path]) if unit.unclosed else None
    if repaired is not None:
        unit = _Unit(path, files, settings, store, limits, toolkit, guarded)
        unit.opened[path] = repaired
        unit.problems.extend(repaired.problems)
        unit.walked(data)
    unit.problems += [Cause(CauseKind.READER, f"{one} {_READ_ONCE}", None) for one in guarded]
    own = own_models(settings.models, files) if toolkit else {}
    made: Sequence[Token] = unit.out
    if toolkit:
        made = with_toolkit_macros(with_library_macros(unit.out, unit.macros), unit.macros)
        made = with_models(made, unit.cut, unit.missing_headers, tuple(chain.from_iterable(own.values())))
    tokens = tuple(with_pack_attributes(made))
    return Preprocessed(
        path,
        tokens,
        tuple(dict.fromkeys((*unit.opened, *own))),
        tuple(unit.missing),
        tuple(unit.missing_headers),
        tuple(header for header, refused in unit.missing_headers.items() if refused),
        tuple(unit.problems),
        MappingProxyType(unit.macros),
        tuple(unit.inactive),
        MappingProxyType(unit.opened),
        tuple(unit.conditionals),
        unit.account.spent,
    )


class _Unit:
    """The state of one run.  It is also the expander's `Source`."""

    def __init__(
        self,
        main: str,
        files: Files,
        settings: Settings,
        store: Store,
        limits: Limits,
        toolkit: bool,
        guarded: Collection[str] = (),
    ) -> None:
        self.main = main
        self.files = files
        self.settings = settings
        self.store = store
        self.limits = limits
        self.toolkit = toolkit
        self.macros = predefined(settings)
        self.out: list[Token] = []
        self.problems: list[Cause] = []
        self.opened: dict[str, FileLines] = {}
        self.missing: dict[str, None] = {}
        self.missing_headers: dict[str, bool] = {}
        self.inactive: list[Span] = []
        self.conditionals: list[MacroConditional] = []
        self.first = dict(self.macros)
        self.frames: list[Frame] = []
        self.once: set[str] = set()
        self.guarded = frozenset(guarded)  # files to be read once
        self.endless: dict[str, None] = {}  # those that include themselves without end
        self.counter = 0
        self.account = Account(limits.units)
        self.expander = Expander(self.macros, self.spell, limits, self.account, self.problems)
        self.unclosed = False  # the main file ended inside of a conditional
        self.full = False  # includes were left out
        self._crossed = 0
        self._base = 0  # frames open where the current expansion began
        self._before: Snapshot | None = None

    def walked(self, data: bytes) -> _Unit:
        """The unit, once its main file is walked through."""
        self.enter(self.main, data)
        self.walk()
        return self

    def cut(self, path: str, data: bytes) -> list[Token]:
        """The tokens of a text without directives."""
        parts = cut_once(path, data, self.limits, self.store).parts
        return [token for part in parts if isinstance(part, TextRun) for token in part.tokens]

    # --- walking --------------------------------------------------------------------------------------------

    def enter(self, path: str, data: bytes) -> None:
        """Opens a file, which brings work along when it is opened first."""
        known = self.opened.get(path)
        again = known is not None and bool(self.frames)
        if not again:
            self.account.opened(len(data))
        if known is None:
            known = cut_once(path, data, self.limits, self.store)
            self.opened[path] = known
            self.problems.extend(known.problems)
        self.frames.append(Frame(path, known, again))

    def walk(self) -> None:
        """Walks over all parts of all open files."""
        while self.frames:
            frame = self.frames[-1]
            if frame.part >= len(frame.file.parts):
                self._leave()
                continue
            part = frame.file.parts[frame.part]
            if isinstance(part, Directive):
                frame.part += 1
                pragma = self.directive(frame, part)
                if pragma is not None:
                    self.out.append(pragma)
            elif frame.active:
                self._text(frame, part)
            else:
                self._skip(frame, part)

    def _leave(self) -> None:
        frame = self.frames.pop()
        for conditional in frame.conditionals:
            self._problem(UNCLOSED_IF, conditional.span)
            self.unclosed = self.unclosed or not self.frames

    def _skip(self, frame: Frame, run: TextRun) -> None:
        frame.part += 1
        if len(self.frames) == 1 and run.tokens:
            first, last = run.tokens[0].span, run.tokens[-1].span
            self.inactive.append(Span(first.file, first.start, last.end))

    def _text(self, frame: Frame, run: TextRun) -> None:
        macros = self.macros
        tokens = run.tokens
        out = self.out
        if frame.again and frame.token == 0:
            self.account.fuel.left -= len(tokens)
        if frame.token == 0 and macros.keys().isdisjoint(run.identifiers):
            out.extend(tokens)
            frame.part += 1
            return
        hits = {name for name in run.identifiers if name in macros}
        carry = False  # an empty expansion hands its line start on to the next token
        done = index = frame.token
        count = len(tokens)
        while index < count:
            token = tokens[index]
            if token.text not in hits and not carry:
                index += 1
                continue
            out.extend(tokens[done:index])
            index += 1
            done = frame.token = index
            if carry and not token.line_start:
                token = Token(token.kind, token.text, token.span, True, True, token.expansion)
            carry = False
            if token.text not in hits:
                out.append(token)
                continue
            self._crossed, self._before, self._base = 0, None, len(self.frames)
            made = self.expander.expand(token, self)
            if made is None:
                out.append(token)
            else:
                out.extend(made)
                carry = not made and token.line_start
            if self._crossed:
                return
            done = index = frame.token
        out.extend(tokens[done:])
        frame.part += 1
        frame.token = 0

    # --- the expander's source ------------------------------------------------------------------------------

    def peek(self) -> str:
        frame = self.frames[-1]
        if frame.part < len(frame.file.parts):
            part = frame.file.parts[frame.part]
            if isinstance(part, TextRun) and frame.token < len(part.tokens):
                return part.tokens[frame.token].text
        return ""

    def take(self) -> Token | None:
        while True:
            frame = self.frames[-1]
            if frame.part >= len(frame.file.parts):
                if len(self.frames) <= self._base:
                    return None
                self._leave()
                continue
            part = frame.file.parts[frame.part]
            if isinstance(part, Directive):
                if self._crossed == 0:
                    self._before = self._snapshot()
                self._crossed += 1
                frame.part += 1
                frame.token = 0
                pragma = self.directive(frame, part)
                if pragma is not None:
                    return pragma
            elif not frame.active:
                self._skip(frame, part)
            elif frame.token < len(part.tokens):
                frame.token += 1
                return part.tokens[frame.token - 1]
            else:
                frame.part += 1
                frame.token = 0

    def mark(self) -> object:
        frame = self.frames[-1]
        return Mark(frame.part, frame.token, self._crossed, self._snapshot() if self._crossed else None)

    def rewind(self, mark: object) -> None:
        assert isinstance(mark, Mark)
        if mark.crossed != self._crossed:
            snapshot = mark.snapshot or self._before
            assert snapshot is not None
            self.frames[:] = [frame.copy() for frame in snapshot.frames]
            self.macros.clear()
            self.macros.update(snapshot.macros)
            self.once = set(snapshot.once)
            self.counter = snapshot.counter
            del self.problems[snapshot.problems :]
            del self.inactive[snapshot.inactive :]
            del self.conditionals[snapshot.conditionals :]
        frame = self.frames[-1]
        frame.part, frame.token = mark.part, mark.token

    def _snapshot(self) -> Snapshot:
        return Snapshot(
            [frame.copy() for frame in self.frames],
            dict(self.macros),
            set(self.once),
            self.counter,
            len(self.problems),
            len(self.inactive),
            len(self.conditionals),
        )

    def spell(self, kind: Builtin, place: Span) -> str:
        """The spelling of a builtin macro at a place of the text."""
        match kind:
            case Builtin.LINE:
                opened = self.opened.get(place.file)
                return str(opened.lines.line_of(place.start)) if opened is not None else "0"
            case Builtin.FILE:
                return quoted(place.file)
            case Builtin.BASE_FILE:
                return quoted(self.main)
            case Builtin.INCLUDE_LEVEL:
                return str(len(self.frames) - 1)
            case _:
                self.counter += 1
                return str(self.counter - 1)

    # --- directives -----------------------------------------------------------------------------------------

    def _problem(self, reason: str, span: Span | None) -> None:
        self.problems.append(Cause(CauseKind.READER, reason, span))

    def directive(self, frame: Frame, part: Directive) -> Token | None:
        """Carries out a directive; a pragma comes back as its token."""
        name = part.name
        if name in _CONDITIONALS:
            self._conditional(frame, part)
            return None
        if not frame.active:
            return None
        match name:
            case "define":
                if isinstance(part.definition, Macro):
                    self.macros[part.definition.name] = part.definition
                elif part.definition is not None:
                    self._problem(part.definition.reason, part.definition.span or part.span)
            case "undef":
                if part.tokens:
                    self.macros.pop(part.tokens[0].text, None)
            case "include" | "import":
                self._include(frame, part)
            case "pragma":
                return self._pragma(frame, part)
            case "error":
                self._problem("#error " + spelled(part.tokens), part.span)
            case "" | "line" | "warning" | "ident" | "sccs" | "include_next":
                pass
            case _:
                if not name[:1].isdigit():
                    self._problem(f"unknown directive #{name}", part.span)
        return None

    def _conditional(self, frame: Frame, part: Directive) -> None:
        name = part.name
        stack = frame.conditionals
        if name in ("if", "ifdef", "ifndef"):
            outer = frame.active
            stack.append(OpenConditional(outer and self._holds(name, part), outer, part.span))
            if outer:
                stack[-1].rests.update(self._rests(part))
        elif not stack:
            self._problem(f"#{name} without #if", part.span)
        elif name == "endif":
            done = stack.pop()
            if done.rests and done.span.file == part.span.file:
                self.conditionals.append(MacroConditional(done.span.hull(part.span), tuple(done.rests)))
        else:
            top = stack[-1]
            if top.last:
                self._problem(f"#{name} after #else", part.span)
            possible = top.outer and not top.taken and not top.last
            if possible and name != "else":
                top.rests.update(self._rests(part))
            top.active = possible and (name == "else" or self._holds(name.removeprefix("el"), part))
            top.taken = top.taken or top.active
            top.last = top.last or name == "else"

    def _rests(self, part: Directive) -> dict[str, None]:
        names = (token.text for token in part.tokens if token.kind is TokenKind.IDENTIFIER)
        return taken_for_granted(names, self.macros, self.first, self.settings.defines)

    def _holds(self, name: str, part: Directive) -> bool:
        if name in ("ifdef", "ifndef"):
            if not part.tokens:
                self._problem(f"#{part.name} without a name", part.span)
                return False
            return self._is_defined(part.tokens[0].text) is (name == "ifdef")
        try:
            tokens = self.expander.expand_all(with_operators(part.tokens, self._is_defined, self._has_header))
        except ExpansionLimit:
            self._problem("a condition's expansion is too large", part.span)
            return False
        tokens = list(with_operators(tokens, self._is_defined, self._has_header))
        if self.toolkit:
            tokens = with_toolkit_macros(tokens, self.macros)
        number = evaluate(tokens)
        if number.error is not None:
            self._problem(f"#{part.name}: {number.error}", part.span)
            return False
        return number.value != 0

    def _is_defined(self, name: str) -> bool:
        return name in self.macros or name in KEYWORD_MACROS

    def _has_header(self, header: str) -> bool:
        found = find(header, self.frames[-1].path, self.main, self.settings, self.files)
        self.missing.update(dict.fromkeys(found.absent))
        return found.path is not None

    def _include(self, frame: Frame, part: Directive) -> None:
        header = part.header
        if header is None:
            try:
                header = spelled(self.expander.expand_all(part.tokens)).strip()
            except ExpansionLimit:
                header = ""
            if len(header) < 3 or header[0] + header[-1] not in ('""', "<>"):
                self._problem("#include names no file", part.span)
                return
        path, data, absent, refused = find(header, frame.path, self.main, self.settings, self.files)
        self.missing.update(dict.fromkeys(absent))
        if path is None:
            self.missing_headers[header] = refused
            return
        if part.name == "import":
            if path in self.opened:
                return
            self.once.add(path)
        elif path in self.once or (path in self.guarded and path in self.opened):
            return
        if len(self.frames) > self.limits.include_depth:
            self._problem(f"{path} is included in more than {self.limits.include_depth} levels", part.span)
            self.once.add(path)  # A second try would only walk the same cycle again.
            times = Counter(frame.path for frame in self.frames)
            self.endless |= dict.fromkeys(path for path, number in times.items() if number > 1)
            return
        known = self.opened.get(path)
        if known is not None and not self.account.pays_again(known):
            if not self.full:
                self._problem(f"{path} is not included again: too much is read more than once", part.span)
            self.full = True
            return
        self.enter(path, data)

    def _pragma(self, frame: Frame, part: Directive) -> Token | None:
        tokens = part.tokens
        if tokens and tokens[0].text == "once":
            self.once.add(frame.path)
            return None
        if tokens and tokens[0].text in ("unroll", "pack"):
            try:
                tokens = (tokens[0], *self.expander.expand_all(tokens[1:]))
            except ExpansionLimit:
                self._problem("a pragma's expansion is too large", part.span)
        return Token(TokenKind.PRAGMA, spelled(tokens), part.span, True, True)


_CONDITIONALS = frozenset({"if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif"})
