"""Findings as GitLab's code quality report: a list of issues, which GitLab shows in a merge request beside the changed lines.

Paths are relative to where the command runs, which has to be the repository's root; a fingerprint is unique in a report, so
the path is hashed with it.  (GitLab documentation, "Code Quality report format".)
"""

from __future__ import annotations

import hashlib
from typing import Any

from analysis_core.cli.places import shown_path
from analysis_core.cli.terminal import printable
from analysis_core.report.checks.registry import name_of
from analysis_core.report.findings.model import Finding, Level
from analysis_core.support.sources import Sources

_SEVERITIES = {Level.ERROR: "critical", Level.WARNING: "major", Level.INFORMATION: "minor", Level.HINT: "info"}


def gitlab_issue(finding: Finding, fingerprint: str, sources: Sources) -> dict[str, Any]:
    """One issue of the report. `fingerprint`: the finding's name within its file."""
    index, span = sources.index(finding.span.file), finding.span
    path = printable(shown_path(span.file))
    lines = {"begin": index.line_of(span.start), "end": index.line_of(max(span.start, span.end - 1))}
    remarks = [note.message for note in finding.notes if note.span is None]
    return {
        "description": printable(" ".join((finding.message, *remarks))),
        "check_name": f"{finding.check} {name_of(finding.check)}",
        "fingerprint": hashlib.sha256(f"{path}\n{fingerprint}".encode()).hexdigest(),
        "severity": _SEVERITIES[finding.level],
        "location": {"path": path, "lines": lines},
    }
