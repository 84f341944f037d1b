"""WC902 unused-suppression: a `// warpcost: ignore[...]` comment in a kernel that silences nothing, or one that is misspelt.

Left in place it would hide the next finding on its line.  Reported only inside of kernels that were analysed: elsewhere
nothing can tell whether the comment has work to do.  What is misspelt (a rule that there is not, a word other than
`ignore`) is a warning, wherever it stands: it was meant to silence something.  Found by `suppression.py`, after all rules have run.
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis_core.profile.kernel_context import Context
from analysis_core.report.findings.check import Check
from analysis_core.report.findings.model import CheckId, Finding, Level, Verdict
from analysis_core.text.span import Span

CODE = CheckId("WC902")


def find(context: Context) -> Iterator[Finding]:
    """Nothing: whether a suppression is used is known only after every rule has run on every kernel."""
    yield from ()


def unused(span: Span, codes: tuple[str, ...], in_file: bool = False) -> Finding:
    """The finding for the suppression comment at `span` of these codes (none: of all)."""
    what, where = ", ".join(codes) if codes else "anything", "in this file" if in_file else "here"
    return Finding(CODE, Verdict.FAILS, Level.INFORMATION, span, f"this comment does not suppress {what} {where}")


def misspelt(span: Span, text: str) -> Finding:
    """The finding for a part of a comment that cannot be used; `text` says why."""
    return Finding(CODE, Verdict.FAILS, Level.WARNING, span, text)


CHECK = Check(
    CODE, "unused-suppression", "a suppression comment that silences nothing, or is misspelt", Level.WARNING, find
)
