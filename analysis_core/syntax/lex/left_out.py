"""What conditionals leave out of a text as it is written, whatever the command line says.

    #define SAMPLE_VOLUME 1            // here, or in a header that this file includes
    ..
    #if SAMPLE_VOLUME
        launch_new(..);
    #else
        launch_old(..);                // left out
    #endif

A macro that nothing in view defines may come from the command line, so a condition that rests on one is open: what it guards may be compiled, and
what is defined there may be defined.  Each header counts where it is included first.  This is no preprocessor: it reads the lines of
directives alone, and macros with parameters are open.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from analysis_core.syntax.lex.conditional import evaluate
from analysis_core.syntax.lex.includes import candidates
from analysis_core.syntax.lex.lexer import lex_fragment
from analysis_core.syntax.lex.mentions import code_of
from analysis_core.syntax.lex.tokens import Token, TokenKind
from analysis_core.text.records import dataclass
from analysis_core.text.span import FileId

Read = Callable[[str], bytes | None]

MOST_FILES = 64
"""Headers that are read for one text."""

_DIRECTIVE = re.compile(rb"^[ \t]*\#[ \t]*([a-z]+)((?:\\\r?\n|[^\n])*)", re.MULTILINE)
_CONDITIONAL = re.compile(rb"^[ \t]*\#[ \t]*if", re.MULTILINE)
_DEFINITION = re.compile(r"([A-Za-z_]\w*)(\(?)(.*)", re.DOTALL)
_NOT_A_NEWLINE = re.compile(rb"[^\n]")
_KEPT = frozenset({"true", "false", "and", "or", "not", "bitand", "bitor", "xor", "compl", "not_eq"})
_DEEPEST = 24
"""Levels of parentheses in a condition."""

_LONGEST = 400
"""Tokens of a condition with the values of its macros."""


@dataclass(frozen=True, slots=True)
class _Branch:
    """The text behind `#if`, `#elif` or `#else`.  `here`: whether it is compiled; `taken`: whether it or one before it is; None: that is open.
    `outer`: whether the text around all of them is; `start`: where it begins."""

    here: bool | None
    taken: bool | None
    outer: bool | None
    start: int


def has_conditionals(code: bytes) -> bool:
    """Whether anything of a text may be left out."""
    return b"#" in code and _CONDITIONAL.search(code) is not None


def as_written(
    path: str, text: bytes, code: bytes, defines: Mapping[str, str], paths: Sequence[str], read: Read
) -> bytes:
    """The code of a text (mentions.py) with blanks in place of what its conditionals leave out. `defines`: macros
    known from the command line; `paths`: where headers are looked for; `read`: gives their texts."""
    if not has_conditionals(code):
        return code
    search = _Search(path, paths, read, {name: value for name, value in defines.items() if name.isidentifier()})
    return _blanked(code, search.left_out(path, text, code, True))


def outside_of_conditionals(code: bytes) -> bytes:
    """The code with blanks in place of everything inside of a conditional, except one around the whole file."""
    found, opened = list[tuple[int, int]](), list[int]()
    lines = list(_DIRECTIVE.finditer(code))
    outermost: list[tuple[int, int]] = []
    for line in lines:
        if line[1].startswith(b"if"):
            opened.append(line.end())
        elif line[1] == b"endif" and opened:
            start = opened.pop()
            (found if len(opened) == 1 else outermost if not opened else []).append((start, line.start()))
    around = b"".join(code[low:high] for low, high in _gaps(outermost, len(code)))
    guarded = len(outermost) == 1 and _is_guard(lines, 0) and not _DIRECTIVE.sub(b"", around).strip()
    return _blanked(code, found if guarded else outermost)


def _gaps(spans: Sequence[tuple[int, int]], size: int) -> Sequence[tuple[int, int]]:
    """What lies between spans."""
    ends = [0, *(end for _, end in spans)]
    return list(zip(ends, (*(start for start, _ in spans), size), strict=True))


def _blanked(code: bytes, spans: Sequence[tuple[int, int]]) -> bytes:
    kept, at = list[bytes](), 0
    for start, end in spans:
        if start >= at:
            kept += (code[at:start], _NOT_A_NEWLINE.sub(b" ", code[start:end]))
            at = end
    return b"".join((*kept, code[at:]))


def _is_guard(lines: Sequence[re.Match[bytes]], n: int) -> bool:
    """Whether a directive and the next one are `#ifndef NAME` and `#define NAME`: whoever comes first passes."""
    if n + 1 >= len(lines) or lines[n][1] != b"ifndef" or lines[n + 1][1] != b"define":
        return False
    return lines[n][2].split() == lines[n + 1][2].split()


@dataclass(slots=True)
class _Search:
    """Reads a text and its headers in order.  `bodies`: what is defined for certain (None: with parameters), `gone`: what is not defined for certain;
    `seen`: headers that were read."""

    main: str
    paths: Sequence[str]
    read: Read
    bodies: dict[str, str | None]
    gone: set[str]
    seen: set[str]

    def __init__(self, main: str, paths: Sequence[str], read: Read, bodies: Mapping[str, str | None]) -> None:
        self.main, self.paths, self.read = main, paths, read
        self.bodies, self.gone, self.seen = dict(bodies), set(), {main}

    def left_out(self, path: str, text: bytes, code: bytes, certain: bool | None) -> list[tuple[int, int]]:
        """The parts of a text that are left out, in order.  `certain`: whether it is compiled itself."""
        found: list[tuple[int, int]] = []
        opened: list[_Branch] = []
        lines = list(_DIRECTIVE.finditer(code))
        for n, line in enumerate(lines):
            here = opened[-1].here if opened else certain
            name = line[1].decode("ascii")
            operand = line[2].replace(b"\\\r\n", b" ").replace(b"\\\n", b" ").decode("utf-8", "surrogateescape").strip()
            if name in ("if", "ifdef", "ifndef"):
                passed = _is_guard(lines, n) and operand not in self.bodies
                holds = here is not False and (passed or self.holds(name, operand))
                opened.append(_Branch(_both(here, holds), holds, here, line.end()))
            elif name in ("elif", "elifdef", "elifndef", "else", "endif"):
                if not opened:
                    continue
                last = opened.pop()
                if last.here is False and last.outer is not False:
                    found.append((last.start, line.start()))
                if name != "endif":
                    opened.append(self.next_branch(last, name, operand, line.end()))
            elif here is not False:
                header = text[line.start(2) : line.end(2)].decode("utf-8", "surrogateescape").strip()
                self.carry_out(name, header if name == "include" else operand, path, here)
        return found

    def next_branch(self, last: _Branch, name: str, operand: str, start: int) -> _Branch:
        """The branch behind another one."""
        holds = True if name == "else" else last.taken is not True and self.holds(name.removeprefix("el"), operand)
        here = _both(_not(last.taken), holds)
        return replace(
            last, here=_both(last.outer, here), taken=_not(_both(_not(last.taken), _not(holds))), start=start
        )

    def carry_out(self, name: str, operand: str, path: str, here: bool | None) -> None:
        """`#define`, `#undef` and `#include` where they may be carried out; `here` None: or may not."""
        if name == "include":
            self.include(operand, path, here)
        elif name in ("define", "undef") and (definition := _DEFINITION.match(operand)) is not None:
            word, bracket, body = definition.groups()
            self.gone.discard(word)
            self.bodies.pop(word, None)
            if here and name == "define":
                self.bodies[word] = None if bracket else body
            elif here:
                self.gone.add(word)

    def include(self, operand: str, path: str, here: bool | None) -> None:
        """Reads a header, once."""
        end = operand.find(">" if operand[:1] == "<" else '"', 1)
        if operand[:1] not in ("<", '"') or end < 0:
            return
        for place in candidates(operand[: end + 1], path, self.main, self.paths):
            if place in self.seen:
                return
            text = self.read(place) if len(self.seen) < MOST_FILES else None
            if text is not None:
                self.seen.add(place)
                self.left_out(place, text, code_of(text), here)
                return

    def holds(self, name: str, operand: str) -> bool | None:
        """Whether a condition holds; None if that is open."""
        if name != "if":
            defined = self.is_defined(operand.split()[0] if operand else "")
            return defined if name == "ifdef" else _not(defined)
        return self.truth(list(lex_fragment(operand, FileId(self.main))), _DEEPEST)

    def is_defined(self, word: str) -> bool | None:
        return True if word in self.bodies else False if word in self.gone else None

    def truth(self, tokens: Sequence[Token], depth: int) -> bool | None:
        """The answer to a condition, whose parts may be open as long as others decide it."""
        texts = [token.text for token in tokens]
        whole = "?" in texts or "," in texts or not depth
        for operator, decided in () if whole else (("||", True), ("&&", False)):
            parts = _split(tokens, operator)
            if len(parts) > 1:
                answers = [self.truth(part, depth - 1) for part in parts]
                return decided if decided in answers else None if None in answers else not decided
        if not whole and texts[:1] == ["!"] and _is_operand(texts[1:]):
            return _not(self.truth(tokens[1:], depth - 1))
        if not whole and texts[:1] == ["("] and _is_operand(texts):
            return self.truth(tokens[1:-1], depth - 1)
        if texts[:1] == ["defined"] and _is_operand(texts):
            return self.is_defined(texts[-1] if len(texts) == 2 else texts[2])
        expanded = self.expanded(tokens)
        number = None if expanded is None else evaluate(expanded)
        return None if number is None or number.error is not None else number.value != 0

    def expanded(self, tokens: Sequence[Token]) -> list[Token] | None:
        """Tokens with the values of macros; None where one is open, or too long."""
        made: list[Token] = []
        waiting = list(reversed(tokens))
        for _ in range(_LONGEST):
            if not waiting:
                return made
            token = waiting.pop()
            if token.kind is not TokenKind.IDENTIFIER or token.text in _KEPT or token.text in self.gone:
                made.append(token)
                continue
            body = self.bodies.get(token.text)
            if body is None or len(body) > _LONGEST:
                return None
            waiting.extend(reversed(lex_fragment(body, FileId(self.main))))
        return None


def _not(answer: bool | None) -> bool | None:
    return None if answer is None else not answer


def _both(one: bool | None, other: bool | None) -> bool | None:
    return False if one is False or other is False else None if one is None or other is None else True


def _split(tokens: Sequence[Token], *operators: str) -> list[list[Token]]:
    """The parts between operators that stand in no parentheses."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.text == "(") - (token.text == ")")
        if depth == 0 and token.text in operators:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _is_operand(texts: Sequence[str]) -> bool:
    """Whether this is one operand: in parentheses, asked for with `defined`, or negated, or a word."""
    if texts[:1] == ["defined"]:
        return len(texts) == 2 or (len(texts) == 4 and texts[1] == "(" and texts[3] == ")")
    if texts[:1] != ["("]:
        return len(texts) == 1 or (texts[:1] == ["!"] and _is_operand(texts[1:]))
    depth = 0
    for n, text in enumerate(texts):
        depth += (text == "(") - (text == ")")
        if depth == 0:
            return n == len(texts) - 1
    return False
