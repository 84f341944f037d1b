"""The forms in which findings are printed.  A worker renders what it found in one file: each finding on its own, and the rest of
the file.  The process that gathers the files prints these as they come (`text`, `github`), or makes one document of them.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from analysis_core.cli.runner_commands import no_command_in_json
from analysis_core.cli.terminal import Style
from analysis_core.report.findings.model import FileReport, Finding
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources
from analysis_core.text.records import dataclass

FORMATS = ("text", "json", "sarif", "github", "gitlab", "junit")

STREAMED = ("text", "github")
"""Forms of which each part is printed as it comes: a long run is not silent."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run, of which a document is made. `rows`: findings, rendered; `rest`: of each file; `fatal`: what could not be read;
    `complete`: nothing failed; `threshold`: the level of `--fail-on`."""

    rows: Sequence[str]
    rest: Sequence[str]
    fatal: Sequence[str]
    complete: bool
    threshold: str


def finding_in(
    format: str, finding: Finding, fingerprint: str, report: FileReport, sources: Sources, style: Style
) -> str:
    """One finding in a form; "" where the form has it in the rest of its file."""
    match format:
        case "text":
            from analysis_core.cli.render_text import finding_text

            return finding_text(finding, report, sources, style)
        case "github":
            from analysis_core.cli.render_github import github_command

            return github_command(finding, sources)
        case "sarif":
            from analysis_core.cli.render_sarif import sarif_result

            return json.dumps(sarif_result(finding, fingerprint, report, sources))
        case "gitlab":
            from analysis_core.cli.render_gitlab import gitlab_issue

            return json.dumps(gitlab_issue(finding, fingerprint, sources))
        case "junit":
            from analysis_core.cli.render_junit import junit_row

            return json.dumps(junit_row(finding, report, sources))
        case _:
            return ""


def rest_in(format: str, report: FileReport, sources: Sources, style: Style, settings: Settings) -> str:
    """What a form says of a file besides its findings."""
    match format:
        case "text":
            from analysis_core.cli.render_text import kernels_text

            return kernels_text(report, sources, style, settings)
        case "json":
            from analysis_core.cli.render_json import file_json

            return json.dumps(file_json(report, sources, settings))
        case "junit":
            from analysis_core.cli.render_junit import kernel_cases

            return json.dumps(kernel_cases(report))
        case _:
            return ""


def document(format: str, run: Run) -> str:
    """The whole document of a form that is not streamed, without a line end."""
    match format:
        case "json":
            from analysis_core.cli.render_json import SCHEMA

            return no_command_in_json(f'{{"schema": {SCHEMA}, "files": [' + ",\n".join(run.rest) + "]}")
        case "sarif":
            from analysis_core.cli.render_sarif import sarif_log

            log = sarif_log(map(json.loads, run.rows), run.fatal, run.complete and not run.fatal)
            return no_command_in_json(json.dumps(log, indent=1))
        case "gitlab":
            return no_command_in_json(json.dumps([json.loads(row) for row in run.rows], indent=1))
        case "junit":
            from analysis_core.cli.render_junit import junit_document

            cases = [case for rest in run.rest for case in json.loads(rest)]
            return junit_document(cases, map(json.loads, run.rows), run.fatal, run.threshold)
        case _:
            raise AssertionError(f"no document of {format}")
