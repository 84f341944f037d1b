"""Edits that silence a finding by a comment at its place, and that take a comment away which silences nothing.

The comment is put at the end of the finding's line; into the brackets of one that stands there already; or, where the line
ends in another comment, on a line of its own above.  Each edit is checked by reading the edited text as the analysis
does: it is offered only if the finding's line is then silenced for its rule, and no other line's rules change.  A rule is silenced in
its whole file by a comment at the top, likewise.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterator

from analysis_core.report.checks.suppression import Suppression, suppressions_of
from analysis_core.report.checks.unused_suppression import CODE as UNUSED
from analysis_core.report.findings.model import Edit, Finding, Fix
from analysis_core.report.fixes.edits import applied
from analysis_core.text.line_index import LineIndex
from analysis_core.text.span import FileId, Span


def silencing(finding: Finding, index: LineIndex) -> Fix | None:
    """The fix that silences a finding on its line; None where no comment can stand, or would change something else."""
    if finding.check == UNUSED:
        return None
    file, line = finding.span.file, index.line_of(finding.span.start)
    before = suppressions_of(file, index).comments
    for edit in _candidates(finding, line, before, index):
        after = LineIndex.of(applied(index.data, edit))
        added = after.line_count - index.line_count
        if _says(suppressions_of(file, after).comments, before, (line, finding.check), line, added):
            return Fix(f"Silence {finding.check} on this line", (edit,))
    return None


def silencing_file(finding: Finding, index: LineIndex) -> Fix | None:
    """The fix that silences a finding's rule in its whole file; None where no comment can say so, or one does."""
    if finding.check == UNUSED:
        return None
    file, data = finding.span.file, index.data
    before = suppressions_of(file, index).comments
    edits = [_insertion(file, c.span.end - 1, f", {finding.check}") for c in before if c.target is None and c.codes]
    top = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    edits.append(_insertion(file, top, f"// warpcost: ignore-file[{finding.check}]{_newline(index, 1)}"))
    for edit in edits:
        after = LineIndex.of(applied(data, edit))
        added = after.line_count - index.line_count
        if _says(suppressions_of(file, after).comments, before, (None, finding.check), 1, added):
            return Fix(f"Silence {finding.check} in this file", (edit,))
    return None


def removing(finding: Finding, index: LineIndex) -> Fix | None:
    """The fix that deletes a comment which silences nothing."""
    if finding.check != UNUSED:
        return None
    comments = [c for c in suppressions_of(finding.span.file, index).comments if c.span == finding.span]
    if not comments or any(code not in finding.message for code in comments[0].codes):
        return None
    start, end = index.line_range(comments[0].line)
    data, at = index.data, finding.span.start
    if data[at : at + 2] == b"/*":
        close = data.find(b"*/", at, end)
        if close < 0:
            return None
        stop = close + 2
    else:
        stop = end
    alone = not data[start:at].strip() and not data[stop:end].strip()
    if alone and comments[0].line < index.line_count:
        span = Span(finding.span.file, start, index.starts[comments[0].line])
    else:
        kept = len(data[start:at].rstrip()) if not data[stop:end].strip() else at - start
        span = Span(finding.span.file, start + kept, stop)
    return Fix("Remove this comment", (Edit(span, ""),))


def _candidates(finding: Finding, line: int, comments: tuple[Suppression, ...], index: LineIndex) -> Iterator[Edit]:
    file, data = finding.span.file, index.data
    start, end = index.line_range(line)
    for comment in comments:
        if comment.target == line and comment.codes:
            yield Edit(Span(file, comment.span.end - 1, comment.span.end - 1), f", {finding.check}")
    text = data[start:end]
    if text.endswith(b"\\") or text.lstrip().startswith(b"#"):
        return
    if b"//" not in text and b"/*" not in text:
        yield _insertion(file, start + len(text.rstrip()), f"  // warpcost: ignore[{finding.check}]")
    above = data[slice(*index.line_range(line - 1))] if line > 1 else b""
    if not above.endswith(b"\\"):
        indent = text[: len(text) - len(text.lstrip())].decode("utf-8", "replace")
        yield _insertion(file, start, f"{indent}// warpcost: ignore[{finding.check}]{_newline(index, line)}")


def _insertion(file: FileId, at: int, text: str) -> Edit:
    return Edit(Span(file, at, at), text)


def _newline(index: LineIndex, line: int) -> str:
    """How a line ends."""
    _, end = index.line_range(line)
    return "\r\n" if index.data[end : end + 2] == b"\r\n" else "\n"


def _says(
    after: tuple[Suppression, ...],
    before: tuple[Suppression, ...],
    more: tuple[int | None, str],
    line: int,
    added: int,
) -> bool:
    """Whether the comments silence `more`, a rule on a line or in the file, and everything else as before.  `added`: lines that were put
    in before `line`."""

    def meant(comments: tuple[Suppression, ...], moved: int) -> set[tuple[int | None, str]]:
        return {
            (None if c.target is None else c.target - (moved if c.target >= line + moved else 0), word)
            for c in comments
            for word in (c.codes or ("",))
        }

    return meant(after, added) == meant(before, 0) | {more} and more not in meant(before, 0)
