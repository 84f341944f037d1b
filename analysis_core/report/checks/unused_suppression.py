"""WC902 unused-suppression: a `// warpcost: ignore[...]` comment in a kernel that silences nothing.

Left in place it would hide the next finding on its line.  Reported only inside of kernels that were analysed: elsewhere
nothing can tell whether the comment has work to do.  Found by `suppression.py`, after all rules have run.
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis_core.report.check import Check, Context
from analysis_core.report.model import CheckId, Finding, Level, Verdict
from analysis_core.text.span import Span

CODE = CheckId("WC902")


def find(context: Context) -> Iterator[Finding]:
    """Nothing: whether a suppression is used is known only after every rule has run on every kernel."""
    yield from ()


def unused(span: Span, codes: tuple[str, ...]) -> Finding:
    """The finding for the suppression comment at `span` of these codes (none: of all)."""
    what = ", ".join(codes) if codes else "anything"
    return Finding(CODE, Verdict.FAILS, Level.INFORMATION, span, f"this comment does not suppress {what} here")


CHECK = Check(CODE, "unused-suppression", "a suppression comment that silences nothing", Level.INFORMATION, find)
