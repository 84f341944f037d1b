"""WC901 bad-annotation: a part of a `//@` comment that is wrong or that the analysis cannot use.

Said at the range of that part; everything else that is stated holds all the same.  What reads wrong on its own is found
where comments are read (syntax/read/annotations.py), names by the kernel (program/annotations.py), contradictions by what is
known of the sizes under a launch (interp/core/assumptions.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from analysis_core.profile.kernel_context import Context
from analysis_core.report.findings.check import Check
from analysis_core.report.findings.model import CheckId, Finding, Level, Verdict
from analysis_core.syntax.read.annotation_tree import Misstatement

CODE = CheckId("WC901")


def find(context: Context) -> Iterator[Finding]:
    """One finding per part that cannot be used for this kernel under this launch."""
    yield from findings_of((*context.kernel.annotations.rejected, *context.facts.rejected))


def findings_of(wrong: Iterable[Misstatement]) -> Iterator[Finding]:
    """The findings for misstatements, each once."""
    for misstatement in dict.fromkeys(wrong):
        yield Finding(CODE, Verdict.FAILS, Level.WARNING, misstatement.span, misstatement.reason)


CHECK = Check(CODE, "bad-annotation", "an annotation that is wrong or cannot be used", Level.WARNING, find)
