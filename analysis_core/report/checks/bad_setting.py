"""WC903 bad-setting: a key or value in a settings file that is unknown, of the wrong type or out of range.

Said at its place in that file; the other settings hold.  Found where settings files are read, before any kernel is.
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis_core.profile.kernel_context import Context
from analysis_core.report.findings.check import Check
from analysis_core.report.findings.model import CheckId, Finding, Level, Verdict
from analysis_core.text.span import Span

CODE = CheckId("WC903")


def find(context: Context) -> Iterator[Finding]:
    """Nothing: a settings file belongs to no kernel."""
    yield from ()


def bad_setting(span: Span, message: str) -> Finding:
    """The finding for a place in a settings file."""
    return Finding(CODE, Verdict.FAILS, Level.WARNING, span, message)


CHECK = Check(CODE, "bad-setting", "a setting that is unknown, of the wrong type or out of range", Level.WARNING, find)
