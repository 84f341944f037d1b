"""Who mentions whom, read off texts alone: enough to tell a function that nothing calls, and nothing more.

    void scan_old(..) { scan_v1<<<blocks, 256>>>(..); }     // nobody calls it
    void scan(..) { scan_v2<<<blocks, 256>>>(..); }
    int main() { scan(..); }

A function runs, for all that is known, if its name stands in code that runs: in the body of one that does, or outside of all bodies, in a
macro, in the value of a variable.  That is no proof of a call, but the lack of it is one that there is none.  A declaration of a function
calls nothing, nor does a comment or what is printed.  Methods, operators, and what macros define (`TEST(..) { .. }`) are taken to run.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from analysis_core.text.records import dataclass

_SAID = re.compile(rb"""'(?:\\.|[^\\\n])'|"(?:\\.|[^"\\\n])*+"?|//(?:\\\n|[^\n])*|/\*.*?(?:\*/|\Z)""", re.DOTALL)
_BARE = re.compile(rb'"\w*"')
_BRACE = re.compile(rb"[{}]")
_WORD = re.compile(rb"[A-Za-z_]\w*")
_TRANSPARENT = re.compile(rb'(?:\bnamespace\b[^(){};=]*|\bextern\s*"C(?:\+\+)?"\s*)\Z')
_BEHIND = re.compile(rb"\b(?:const|noexcept|override|final)\Z")
_NAME = re.compile(rb"([A-Za-z_]\w*)\s*\Z")
_DIRECTIVE = re.compile(rb"^[ \t]*\#(?:\\\r?\n|[^\n])*", re.MULTILINE)
_BEFORE = re.compile(_DIRECTIVE.pattern + rb"|;", re.MULTILINE)
_BOUNDS = re.compile(rb"\b(?:__launch_bounds__|__maxnreg__)\s*\([^()]*\)")
_DECLARED = re.compile(
    rb"""(?:\A|(?<=[;{}]))\s*+(
        (?:template\s*<[^;{}()]*>\s*)?
        (?:extern\s*"C"\s*|(?!(?:template|return|else|delete|throw|new|goto|case|do|co_\w+)\b)[A-Za-z_][\w:]*(?:<[^<>;(){}]*>)?[\s*&]+)+
        [A-Za-z_]\w*\s*\([^(){};]*\)\s*)(?=;)""",
    re.VERBOSE,
)
"""Sought where another statement ends: from each letter of a long text it would take the square of its length."""


@dataclass(frozen=True, slots=True)
class Extent:
    """A function with a body: bytes `start` to `end` of the text. `name` is "" for code that counts as run in any
    case."""

    name: str
    start: int
    end: int


def code_of(text: bytes) -> bytes:
    """A text with blanks in the place of comments and of what is said in quotes, unless that is one word; as long as it was."""
    return _SAID.sub(lambda found: found[0] if _BARE.fullmatch(found[0]) else _blank(found), text)


def mentions_in(code: bytes) -> frozenset[str]:
    """The words of the code, without the names of functions that are only declared."""
    return _words(without_declarations(code))


def mentions_of(text: bytes) -> frozenset[str]:
    """The words of a whole file as `mentions_in` gives them, comments and strings left out."""
    return mentions_in(code_of(text))


def extents_of(code: bytes) -> Sequence[Extent] | None:
    """The functions that a text defines outside of classes; None where its braces do not say."""
    found: list[Extent] = []
    opened: list[tuple[bool, str | None, int]] = []  # whether it is a namespace; the function; where its head begins
    behind = 0  # of the last brace at this level
    for brace in _BRACE.finditer(code):
        at = brace.start()
        if brace[0] == b"{":
            plain = all(is_space for is_space, _, _ in opened)
            head = code[behind:at] if plain else b""
            start = behind + max((m.end() for m in _BEFORE.finditer(head)), default=0)
            head = code[start:at] if plain else b""
            is_space = plain and _TRANSPARENT.search(head) is not None
            opened.append((is_space, _defined(head) if plain and not is_space else None, start))
        else:
            if not opened:
                return None
            is_space, name, start = opened.pop()
            if name is not None:
                found.append(Extent(name, start, brace.end()))
        if all(is_space for is_space, _, _ in opened):
            behind = brace.end()
    return None if opened else found


def _defined(head: bytes) -> str | None:
    """The function whose body follows its head; "" of one that is taken to run, None where no body follows."""
    head = _BOUNDS.sub(b" ", head).rstrip()
    while (behind := _BEHIND.search(head)) is not None:
        head = head[: behind.start()].rstrip()
    if not head.endswith(b")"):
        return None
    depth, at = 0, len(head)
    while at > 0:
        at -= 1
        depth += (head[at] == ord(")")) - (head[at] == ord("("))
        if depth == 0:
            break
    name = _NAME.search(head[:at])
    if name is None or depth != 0:
        return ""
    before = head[: name.start()].rstrip()
    word = name[1].decode("ascii")
    is_free = before[-1:] not in (b"", b":", b"~", b",", b")") and b"operator" not in _WORD.findall(before)
    return word if is_free and not word.isupper() else ""


def without_declarations(code: bytes) -> bytes:
    """Code with blanks in the place of declarations of functions."""
    plain = _DIRECTIVE.sub(_blank, code)
    kept, at = [], 0
    for found in _DECLARED.finditer(plain):
        kept.append(code[at : found.start(1)])
        at = found.end()
    return b" ".join((*kept, code[at:]))


def _blank(found: re.Match[bytes]) -> bytes:
    return b" " * len(found[0])


def _words(code: bytes) -> frozenset[str]:
    return frozenset(word.decode("ascii") for word in set(_WORD.findall(code)))


def unreached(code: bytes, elsewhere: Collection[str]) -> dict[str, frozenset[str]] | None:
    """The functions of a text that no running code mentions, with the words in each; None where that cannot be told.
    `elsewhere`: words of the program's other files."""
    extents = extents_of(code)
    if extents is None or b"##" in code:
        return None
    inside = [(extent.name, _words(code[extent.start : extent.end])) for extent in extents]
    reached = {"main", *elsewhere, *mentions_in(b"\n;".join(_outside(code, extents)))}
    waiting = list(inside)
    while more := [words for name, words in waiting if not name or name in reached]:
        waiting = [(name, words) for name, words in waiting if name and name not in reached]
        reached.update(*more)
    left: dict[str, frozenset[str]] = {}
    for name, words in waiting:
        left[name] = left.get(name, frozenset()) | words
    return left


def _outside(code: bytes, extents: Sequence[Extent]) -> Iterator[bytes]:
    """The text between functions."""
    at = 0
    for extent in extents:
        yield code[at : extent.start]
        at = extent.end
    yield code[at:]
