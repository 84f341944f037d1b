"""Texts of headers that are not read, and why: what they declare is missing from the unit."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from analysis_core.support.facts import Cause
from analysis_core.support.files import Files, is_shown

_LOSES_NOTHING = ("#error", "unknown directive")
_OUTSIDE = "a text that cannot be read, of a file outside of the project"


def shown_problems(problems: Iterable[Cause], files: Files) -> tuple[Cause, ...]:
    """The problems, without words of files that must not be shown."""
    return tuple(p if p.span is None or is_shown(p.span.file, files) else replace(p, reason=_OUTSIDE) for p in problems)


def unread_texts(problems: Iterable[Cause], main: str, files: Files) -> tuple[str, ...]:
    """One sentence for each header of which the preprocessor has left something out. Problems of the main file are
    told at their places instead."""
    found: dict[str, str] = {}
    for problem in problems:
        span, reason = problem.span, problem.reason
        if span is not None and span.file != main and not reason.startswith(_LOSES_NOTHING):
            name = span.file.rpartition("/")[2]
            said = reason.replace(span.file, name) if span.file in reason else f"{name}: {reason}"
            found.setdefault(span.file, said if is_shown(span.file, files) else f"{name}: {_OUTSIDE}")
    return tuple(found.values())
