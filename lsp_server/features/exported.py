"""The report of a document as `warpcost check --format json` prints it."""

from __future__ import annotations

import json

from analysis_core.report.findings.model import FileReport
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources


def report_json(report: FileReport, sources: Sources, settings: Settings) -> str:
    """One object of JSON schema 1, with one file."""
    from analysis_core.cli.render_json import SCHEMA, file_json

    return json.dumps({"schema": SCHEMA, "files": [file_json(report, sources, settings)]}, ensure_ascii=False)
