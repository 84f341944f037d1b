"""Reads the expectations that a fixture carries in its comments.

    // PARAM: --block 32,8 --set n=1024        options of the run, anywhere before the first kernel
    //! block (32,8)                           about the next kernel: its block shape ...
    //! unknown none                           ... and what of it was not understood (none, a count, or
    //! unknown "goto" kind=unsupported        part of a reason)
    //! bound sectors "4*n" exact              what a warp pays at most; `lower` in place of `exact`: the most expensive one, at least
        float x = b[8 * i];
    //            ^^^^^^^^ warn[WC101]! "32 sectors where 4 would do"
    //            ^^^^^^^^ access! worst=32 best=32 ideal=4 space=global rw=R bytes=4
        if (i % 2) work(x);
    //      ^^^^^ branch divergence=always active=16,16
    //      ^^^^^ none[WC302]

Carets point, by byte column, at the nearest line above that is not itself such a comment.  After them comes a word,
a rule in brackets where one is meant, `!` if the claim is true in the concrete cost semantics, a quoted part of the
text, and `key=value` pairs, quoted where they hold blanks.  The manual of all words and keys is docs/expectations.md.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

LEVELS: Mapping[str, str] = MappingProxyType({"warn": "warning", "info": "information", "hint": "hint"})
POINTED = frozenset({*LEVELS, "none", "todo", "access", "branch", "hover"})
ABOUT_KERNEL = frozenset({"block", "unknown", "bound"})

_CARETS = re.compile(r"^\s*//\s*(?P<carets>\^+)\s+(?P<claim>\S.*?)\s*$")
_KERNEL_LINE = re.compile(r"^\s*//!\s*(?P<claim>\S.*?)\s*$")
_CLAIM = re.compile(r"(?P<word>[a-z]+)(?:\[(?P<code>\w+)\])?(?P<certain>!)?(?P<rest>\s.*|)$")
_REST = re.compile(r'\s+(?:"(?P<text>[^"]*)"|(?P<key>\w+)=(?:"(?P<quoted>[^"]*)"|(?P<value>\S+))|(?P<bare>\S+))')
_PARAM = re.compile(r"^\s*//\s*PARAM:\s*(.*)$")
_COVERS = re.compile(r"^\s*//\s*COVERS:\s*(.*)$")


class BadFixture(ValueError):
    """A comment that looks like an expectation and cannot be read: better loud than never checked."""


@dataclass(frozen=True, slots=True)
class Claim:
    """One expectation.  Lines count from 1.  `start`, `end`: bytes of the file under the carets; for a `//!` line both
    are the end of that line, so that "the next kernel" is the first one named after `start`."""

    line: int
    word: str
    code: str | None
    certain: bool
    start: int
    end: int
    text: str | None
    values: Mapping[str, str]
    bare: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Fixture:
    """The expectations of one file.  `text` is latin-1, so that one character is one byte."""

    text: str
    claims: tuple[Claim, ...]
    params: tuple[str, ...]
    covers: tuple[tuple[int, str], ...]  # offset of the comment's end, what it says
    lines: tuple[int, ...]  # offset of the start of every line

    def line_of(self, offset: int) -> int:
        """The line, from 1, that holds a byte."""
        return sum(start <= offset for start in self.lines)

    def line_end(self, offset: int) -> int:
        """The offset of the end of the line that holds a byte, its newline left out."""
        end = self.text.find("\n", offset)
        return len(self.text) if end < 0 else end


def parse_claim(text: str, line: int, start: int, end: int, words: frozenset[str]) -> Claim:
    """One claim after its carets or `//!`; raises `BadFixture` if it is none of `words`."""
    head = _CLAIM.match(text)
    if head is None or head["word"] not in words:
        raise BadFixture(f"line {line}: cannot read the expectation {text!r}")
    quoted: str | None = None
    values: dict[str, str] = {}
    bare: list[str] = []
    for part in _REST.finditer(head["rest"]):
        if part["text"] is not None:
            quoted = part["text"]
        elif part["key"] is not None:
            values[part["key"]] = part["quoted"] if part["quoted"] is not None else part["value"]
        else:
            bare.append(part["bare"])
    if bare and head["word"] not in ABOUT_KERNEL:
        raise BadFixture(f"line {line}: {bare[0]!r} in {text!r} is neither quoted nor key=value")
    certain = head["certain"] is not None
    return Claim(line, head["word"], head["code"], certain, start, end, quoted, MappingProxyType(values), tuple(bare))


def parse(data: bytes) -> Fixture:
    """The expectations in a fixture's bytes."""
    text = data.decode("latin-1")
    claims: list[Claim] = []
    params: list[str] = []
    covers: list[tuple[int, str]] = []
    starts: list[int] = []
    offset = target = 0  # target: start of the nearest line above that is code
    for number, raw in enumerate(text.split("\n"), start=1):
        starts.append(offset)
        end = offset + len(raw)
        if found := _CARETS.match(raw):
            begin = target + found.start("carets")
            claims.append(parse_claim(found["claim"], number, begin, begin + len(found["carets"]), POINTED))
        elif found := _KERNEL_LINE.match(raw):
            claims.append(parse_claim(found["claim"], number, end, end, ABOUT_KERNEL))
        elif found := _PARAM.match(raw):
            params += shlex.split(found[1])
        elif found := _COVERS.match(raw):
            covers.append((end, found[1].strip()))
        else:
            target = offset
        offset = end + 1
    return Fixture(text, tuple(claims), tuple(params), tuple(covers), tuple(starts))


_FENCE = re.compile(r"^```cuda[^\n]*\n(.*?)^```", re.MULTILINE | re.DOTALL)


def fenced(page: bytes) -> list[tuple[int, bytes]]:
    """The CUDA examples of a documentation page, each with the number of lines above its first."""
    text = page.decode("utf-8")
    return [(text.count("\n", 0, m.start(1)), m[1].encode()) for m in _FENCE.finditer(text)]
