"""Texts of headers that are not read, and why: what they declare is missing from the unit."""

from __future__ import annotations

from collections.abc import Iterable

from analysis_core.support.facts import Cause

_LOSES_NOTHING = ("#error", "unknown directive")


def unread_texts(problems: Iterable[Cause], main: str) -> tuple[str, ...]:
    """One sentence for each header of which the preprocessor has left something out; what is wrong in the main file is said there."""
    found: dict[str, str] = {}
    for problem in problems:
        span = problem.span
        if span is not None and span.file != main and not problem.reason.startswith(_LOSES_NOTHING):
            name, reason = span.file.rpartition("/")[2], problem.reason
            found.setdefault(span.file, reason.replace(span.file, name) if span.file in reason else f"{name}: {reason}")
    return tuple(found.values())
