"""Annotations: what users state in comments about launches and sizes.

    //@ launch block=(16,16) grid=(ceil(n/16), ceil(n/16))
    //@ assume n % 32 == 0 && w >= 1
    //@ aligned(p, 16)
    //@ loop_bound 64
    //@ assert i < n
    //@ requires n > 0
    //@ ensures i >= n || a[i] == \\old(a[i]) + 1
    //@ expect sectors <= 4*ceil(n/32) per_warp when n % 32 == 0

They stand before a kernel's head or inside of its body; `loop_bound` is about the next loop and may stand in any
function, and so may `assert`, which is about the place where it stands.  `expect` is about the kernel, or in its body about the next statement.  `/*@ assume n > 0 */` says the same.  What follows a second `//` is a remark.

Here each comment becomes data or a misstatement at its own range; what names mean is decided later, by the kernel
(program/annotations.py).  Others write `//@` too: documentation groups (`//@{`), marks (`//@TODO`), and the contracts of
verifiers (`/*@ requires`).  So a block comment is ours only by its first word, and an unknown word is reported only
where it stands apart (`//@ asume`) or resembles one of ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import pairwise

from analysis_core.support.spelling import did_you_mean
from analysis_core.syntax.lex.macros import Macro
from analysis_core.syntax.lex.preprocessor_lines import Directive, FileLines
from analysis_core.syntax.read.annotation_terms import Piece, Tokens, Unread, read_term, token_places
from analysis_core.syntax.read.annotation_tree import (
    AlignedAnnotation,
    Annotation,
    AnnotationComment,
    AssumeAnnotation,
    ClaimAnnotation,
    Conjunct,
    LaunchAnnotation,
    LoopBoundAnnotation,
    Misstatement,
    Name,
    Term,
    conjuncts,
)
from analysis_core.text.span import Span

WORDS = ("launch", "assume", "aligned", "loop_bound", "assert", "requires", "ensures", "expect")

_CONTRACTS = frozenset({"assert", "requires", "ensures"})
"""Words that other verifiers use as well: what ends in a semicolon, or is a block comment, and is not understood is theirs."""

_CONDITIONALS = frozenset({"if", "ifdef", "ifndef", "elif", "elifdef", "elifndef", "else", "endif"})
_HEAD = re.compile(r"/[/*]@([ \t]*)([A-Za-z_]\w*)?")
_FIELD = re.compile(r"\s*,?\s*([A-Za-z_]\w*)\s*=(?!=)\s*")
_SPLICE = re.compile(r"\\[ \t]*(\r\n?|\n)")
_DIM3 = re.compile(r"dim3\s*(?=\()")


def read_annotations(
    files: Mapping[str, FileLines], macros: Mapping[str, Macro], inactive: tuple[Span, ...]
) -> tuple[AnnotationComment, ...]:
    """The annotations of all files that were read, in the order of their text.

    `macros`: object-like and function-like macros that terms may use; `inactive`: text left out by conditionals."""
    found: list[AnnotationComment] = []
    for opened in files.values():
        data = opened.lexed.source.data
        if b"//@" not in data and b"/*@" not in data:
            continue
        left_out = _left_out(opened, inactive)
        for comment in opened.lexed.comments:
            if data[comment.start + 2 : comment.start + 3] != b"@" or _within(comment, left_out):
                continue
            text = data[comment.start : comment.end].decode("latin-1")
            read = _read_comment(Piece(text, comment.start, comment.file), macros)
            if read is not None:
                found.append(read)
    return tuple(found)


def _left_out(opened: FileLines, inactive: tuple[Span, ...]) -> list[Span]:
    """The stretches between conditional directives that are left out: those with tokens that are, and `#if 0`.

    What is known to be left out are tokens; a comment beside them goes with them."""
    ends = [(p.span, p) for p in opened.parts if isinstance(p, Directive) and p.name in _CONDITIONALS]
    found: list[Span] = []
    for (span, directive), (after, _) in pairwise(ends):
        stretch = Span(span.file, span.end, after.start)
        never = directive.name == "if" and [token.text for token in directive.tokens] == ["0"]
        if never or any(stretch.file == r.file and stretch.start <= r.start < stretch.end for r in inactive):
            found.append(stretch)
    return found


def _within(comment: Span, ranges: list[Span]) -> bool:
    return any(r.start <= comment.start < r.end for r in ranges)


def _read_comment(comment: Piece, macros: Mapping[str, Macro]) -> AnnotationComment | None:
    """What a comment says; None if it is not meant for us."""
    text = _SPLICE.sub(lambda match: " " * len(match[0]), comment.text)
    comment = Piece(text, comment.start, comment.file)
    head = _HEAD.match(text)
    word = head[2] if head is not None else None
    if head is None or word is None:
        return None
    if word not in WORDS:
        return _unknown_word(comment, head, word)
    end = len(text)
    if text.startswith("/*"):
        end -= 2 if text.endswith("*/") else 0
    elif (remark := text.find("//", head.end())) >= 0:
        end = remark
    others = word in _CONTRACTS and (text.startswith("/*") or text[:end].rstrip(" \t\r\n@").endswith(";"))
    if others:
        end = len(text[:end].rstrip(" \t\r\n@").removesuffix(";"))
    said = comment.part(head.start(2), end)
    shown = comment.spelling(said.whole)
    rest = comment.part(head.end(), end) if text[head.end() : end].strip() else None
    if rest is None:
        wrong = Misstatement(f"`{word}` {_WANTS[word]}", comment.span(*head.span(2)))
        return None if others else AnnotationComment(comment.whole, None, (wrong,))
    try:
        return AnnotationComment(comment.whole, _read(word, rest, macros, shown, said.whole))
    except Unread as unread:
        return None if others else AnnotationComment(comment.whole, None, (unread.wrong,))


def _unknown_word(comment: Piece, head: re.Match[str], word: str) -> AnnotationComment | None:
    hint = did_you_mean(word, WORDS, 0.7)
    apart = bool(head[1]) and word.islower() and comment.text.startswith("//")
    if not hint and not apart:
        return None
    hint = hint or f"; there are {', '.join(WORDS)}"
    wrong = Misstatement(f"`{word}` is no annotation{hint}", comment.span(*head.span(2)))
    return AnnotationComment(comment.whole, None, (wrong,), certain=False)


_WANTS: Mapping[str, str] = {
    "launch": "wants block=(x, y, z), and may have grid=(x, y, z)",
    "assume": "wants a condition on the kernel's parameters",
    "aligned": "wants (pointer, bytes)",
    "loop_bound": "wants a number of iterations",
    "assert": "wants a condition on the thread's variables",
    "requires": "wants a condition on the kernel's parameters",
    "ensures": "wants a condition on parameters and cells",
    "expect": "wants a metric and what it is held against, as in `expect conflicts == 0`",
}


def _read(word: str, rest: Piece, macros: Mapping[str, Macro], text: str, span: Span) -> Annotation:
    """The annotation after its word; raises `Unread`."""
    match word:
        case "launch":
            return _read_launch(rest, macros, text, span)
        case "assume" | "requires":
            parts = tuple(Conjunct(part, rest.spelling(part.span)) for part in conjuncts(read_term(rest, macros)))
            return AssumeAnnotation(parts, text, span, word == "requires")
        case "assert" | "ensures":
            from analysis_core.syntax.read.annotation_expressions import read_expression

            return ClaimAnnotation(word, read_expression(rest, macros), text, span)
        case "aligned":
            return _read_aligned(rest, macros, text, span)
        case "expect":
            from analysis_core.syntax.read.annotation_contracts import read_contract

            return read_contract(rest, macros, text, span)
        case _:
            return LoopBoundAnnotation(read_term(rest, macros), text, span)


def _read_launch(rest: Piece, macros: Mapping[str, Macro], text: str, span: Span) -> LaunchAnnotation:
    parts: dict[str, tuple[Term, ...]] = {}
    for name, name_span, value in _fields(rest):
        if name not in ("block", "grid"):
            raise Unread(f"`{name}` is no part of a launch; there are block and grid", name_span)
        if name in parts:
            raise Unread(f"`{name}` is given twice", name_span)
        terms = tuple(read_term(part, macros) for part in _elements(value))
        if len(terms) > 3:
            raise Unread(f"a {name} has at most three extents, not {len(terms)}", value.whole)
        parts[name] = terms
    if "block" not in parts:
        raise Unread("`launch` wants block=(x, y, z)", rest.whole)
    return LaunchAnnotation(parts["block"], parts.get("grid", ()), text, span)


def _fields(rest: Piece) -> Iterator[tuple[str, Span, Piece]]:
    """The `name=value` parts of a launch."""
    starts = [m for m in _FIELD.finditer(rest.text) if _depth(rest.text[: m.start(1)]) == 0]
    if not starts or starts[0].start() != 0:
        raise Unread("block=(x, y, z) is expected here", rest.span(0, len(rest.text)))
    ends = [m.start() for m in starts[1:]] + [len(rest.text)]
    for match, end in zip(starts, ends, strict=True):
        value = rest.part(match.end(), end)
        if not value.text:
            raise Unread(f"a value is missing after `{match[1]}=`", rest.span(match.start(1), match.end(1)))
        yield match[1], rest.span(match.start(1), match.end(1)), value


def _depth(text: str) -> int:
    return text.count("(") - text.count(")")


def _elements(value: Piece) -> Iterator[Piece]:
    """The elements of "(a, b)", "dim3(a, b)", "a, b" or "a"."""
    if (dim3 := _DIM3.match(value.text)) is not None:
        value = value.part(dim3.end(), len(value.text))
    tokens = token_places(value)
    if value.text.startswith("(") and _closing(value, tokens) == len(tokens) - 1:
        value = Piece(value.text[1:-1], value.start + 1, value.file, value.fixed)
    yield from _split(value)


def _closing(piece: Piece, tokens: Tokens) -> int | None:
    """Index of the token that closes the parenthesis with which the piece begins."""
    depth = 0
    for index, (begin, _) in enumerate(tokens):
        depth += {"(": 1, ")": -1}.get(piece.text[begin], 0)
        if depth == 0:
            return index
    return None


def _split(piece: Piece) -> Iterator[Piece]:
    """The parts between commas that stand in no parentheses."""
    depth, begin = 0, 0
    for at, character in enumerate(piece.text + ","):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if (character == "," and depth == 0) or at == len(piece.text):
            part = piece.part(begin, at)
            if not part.text:
                raise Unread(
                    "an expression is missing here", piece.span(max(begin - 1, 0), min(at + 1, len(piece.text)))
                )
            yield part
            begin = at + 1


def _read_aligned(rest: Piece, macros: Mapping[str, Macro], text: str, span: Span) -> AlignedAnnotation:
    tokens = token_places(rest)
    if not rest.text.startswith("(") or _closing(rest, tokens) != len(tokens) - 1:
        raise Unread("(pointer, bytes) is expected here", rest.whole)
    parts = list(_split(Piece(rest.text[1:-1], rest.start + 1, rest.file)))
    if len(parts) != 2:
        raise Unread(f"`aligned` takes a pointer and a number of bytes, not {len(parts)} things", rest.whole)
    pointer = read_term(parts[0], {})
    if not isinstance(pointer, Name):
        raise Unread("the name of a pointer is expected here", parts[0].whole)
    return AlignedAnnotation(pointer, read_term(parts[1], macros), text, span)
