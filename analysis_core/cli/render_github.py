"""Findings as workflow commands of GitHub Actions, which shows them beside the changed lines of a pull request.

    ::warning file=src/a.cu,line=7,col=5,endColumn=17,endLine=7,title=WC101 uncoalesced-access::Uncoalesced load from ..

One command a line.  Columns count code points from 1.  Paths are relative to where the command runs, which has to be the
repository's root.
"""

from __future__ import annotations

from analysis_core.cli.places import shown_path
from analysis_core.cli.terminal import printable
from analysis_core.report.checks.registry import name_of
from analysis_core.report.findings.model import Finding, Level
from analysis_core.support.sources import Sources

_COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.INFORMATION: "notice", Level.HINT: "notice"}


def github_command(finding: Finding, sources: Sources) -> str:
    """The command for a finding, with a line end."""
    index, span = sources.index(finding.span.file), finding.span
    line, last = index.line_of(span.start), index.line_of(max(span.start, span.end - 1))
    where = {"file": shown_path(span.file), "line": str(line), "endLine": str(last)}
    if line == last:
        # A range of columns is shown for one line only.
        where["col"] = str(index.code_point_column(span.start) + 1)
        where["endColumn"] = str(index.code_point_column(span.end) + 1)
    where["title"] = f"{finding.check} {name_of(finding.check)}"
    properties = ",".join(f"{key}={_property(value)}" for key, value in where.items())
    remarks = [note.message for note in finding.notes if note.span is None]
    return f"::{_COMMANDS[finding.level]} {properties}::{_data(chr(10).join((finding.message, *remarks)))}\n"


def _data(text: str) -> str:
    lines = [printable(line).replace("%", "%25") for line in text.split("\n")]
    return "%0A".join(lines)


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
