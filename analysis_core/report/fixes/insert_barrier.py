"""Edits that put a barrier where it may order two accesses, the likeliest place first; and the edit that takes one away.

    between them        before the statement of the later one, in the innermost block that holds both
    from round to round at the end of the body of a loop around both, or at its beginning
    outside of a branch before or behind a statement that holds both

Whether the place orders them, and all threads come there, is not decided here: the caller analyses the edited text.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analysis_core.report.findings.model import Edit
from analysis_core.syntax.read.tree import (
    Compound,
    DoWhile,
    For,
    FunctionDecl,
    If,
    RangeFor,
    RecordDef,
    Stmt,
    Switch,
    SyntaxTree,
    While,
)
from analysis_core.text.line_index import LineIndex
from analysis_core.text.span import Span

MOST = 6
"""Places that are worth trying for one pair."""


def body_around(tree: SyntaxTree, one: Span, other: Span) -> Compound | None:
    """The body of the function that holds both places."""
    functions = [d for d in tree.declarations if isinstance(d, FunctionDecl)]
    functions += [m for d in tree.declarations if isinstance(d, RecordDef) for m in d.methods]
    for function in functions:
        if function.body is not None and _holds(function.body, one) and _holds(function.body, other):
            return function.body
    return None


def insertions(body: Compound, one: Span, other: Span, barrier: str, index: LineIndex) -> list[Edit]:
    """The edits that are worth trying."""
    found = dict.fromkeys(edit for edit in _places(body, one, other, barrier, index) if edit is not None)
    return list(found)[:MOST]


def _places(body: Compound, one: Span, other: Span, barrier: str, index: LineIndex) -> Iterator[Edit | None]:
    ways = _way(body, one), _way(body, other)
    common = [a for a, b in zip(*ways) if a is b]
    blocks = [(n, stmt) for n, stmt in enumerate(common) if isinstance(stmt, Compound)]
    later = max(ways, key=lambda way: way[-1].span.start)
    depth, _ = blocks[-1]
    if len(common) == depth + 1 and depth + 1 < len(later):
        yield _before(later[depth + 1], barrier, index)
    for stmt in reversed(common):
        if isinstance(stmt, For | While | DoWhile | RangeFor):
            yield _at_end(stmt, stmt.body, barrier, index)
            if isinstance(stmt.body, Compound) and stmt.body.body:
                yield _before(stmt.body.body[0], barrier, index)
    for depth, _ in reversed(blocks):
        if depth + 1 < len(common):
            yield _before(common[depth + 1], barrier, index)
            yield _behind(common[depth + 1], barrier, index)


def _way(stmt: Stmt, place: Span) -> list[Stmt]:
    """The statements around a place, the outermost first."""
    way = [stmt]
    while (inner := next((s for s in _within(way[-1]) if _holds(s, place)), None)) is not None:
        way.append(inner)
    return way


def _within(stmt: Stmt) -> Sequence[Stmt]:
    match stmt:
        case Compound(body=body):
            return body
        case If(then=then, otherwise=otherwise):
            return (then,) if otherwise is None else (then, otherwise)
        case For(body=inner) | While(body=inner) | DoWhile(body=inner) | RangeFor(body=inner) | Switch(body=inner):
            return (inner,)
        case _:
            return ()


def _holds(stmt: Stmt, place: Span) -> bool:
    return stmt.span.file == place.file and stmt.span.start <= place.start and place.end <= stmt.span.end


def _before(stmt: Stmt, barrier: str, index: LineIndex) -> Edit:
    start, indent = _line_of(stmt, index)
    if indent is None:
        return Edit(Span(stmt.span.file, stmt.span.start, stmt.span.start), f"{barrier}; ")
    return Edit(Span(stmt.span.file, start, start), f"{indent}{barrier};{_newline(index)}")


def _behind(stmt: Stmt, barrier: str, index: LineIndex) -> Edit | None:
    end = stmt.span.end
    if index.data[end - 1 : end] not in (b";", b"}"):
        return None
    _, indent = _line_of(stmt, index)
    text = f" {barrier};" if indent is None else f"{_newline(index)}{indent}{barrier};"
    return Edit(Span(stmt.span.file, end, end), text)


def _at_end(loop: Stmt, body: Stmt, barrier: str, index: LineIndex) -> Edit | None:
    """At the end of a loop's body, which gets braces if it has none."""
    if isinstance(body, Compound):
        return _behind(body.body[-1], barrier, index) if body.body else None
    if isinstance(loop, DoWhile):
        return None
    head = len(index.data[: body.span.start].rstrip())
    written = index.data[head : body.span.end].decode("utf-8", "surrogateescape")
    (_, outer), (_, inner), newline = _line_of(loop, index), _line_of(body, index), _newline(index)
    span = Span(body.span.file, head, body.span.end)
    if inner is None or outer is None:
        return Edit(span, f" {{ {written.lstrip()} {barrier}; }}")
    return Edit(span, f" {{{written}{newline}{inner}{barrier};{newline}{outer}}}")


def without(body: Compound, barrier: Span, index: LineIndex) -> Edit | None:
    """The edit that takes away a barrier which is a statement of its own in a block."""
    way = _way(body, barrier)
    if len(way) < 2 or not isinstance(way[-2], Compound) or isinstance(way[-1], Compound):
        return None
    span, data = way[-1].span, index.data
    if data[span.start : span.end].rstrip(b"; \t") != data[barrier.start : barrier.end]:
        return None
    start, end = index.line_range(index.line_of(span.start))
    if data[start : span.start].strip() or data[span.end : end].strip():
        return Edit(span, "")
    behind = end + (2 if data[end : end + 2] == b"\r\n" else 1)
    return Edit(Span(span.file, start, min(behind, len(data))), "")


def _line_of(stmt: Stmt, index: LineIndex) -> tuple[int, str | None]:
    """Where the statement's line begins, and its indentation; None if something stands before it."""
    start, _ = index.line_range(index.line_of(stmt.span.start))
    before = index.data[start : stmt.span.start]
    return start, None if before.strip() else before.decode("utf-8", "replace")


def _newline(index: LineIndex) -> str:
    return "\r\n" if b"\r\n" in index.data else "\n"
