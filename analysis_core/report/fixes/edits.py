"""What an edit makes of a text, and of places in it."""

from __future__ import annotations

from analysis_core.report.findings.model import Edit
from analysis_core.text.span import Span


def applied(data: bytes, edit: Edit) -> bytes:
    """The text after an edit."""
    return data[: edit.span.start] + edit.text.encode("utf-8", "surrogateescape") + data[edit.span.end :]


def moved(span: Span, edit: Edit) -> Span:
    """Where a span that the edit does not touch stands afterwards."""
    if span.file != edit.span.file or span.end <= edit.span.start:
        return span
    by = len(edit.text.encode("utf-8", "surrogateescape")) - (edit.span.end - edit.span.start)
    return Span(span.file, span.start + by, span.end + by)
