"""The page that a client shows in a panel or a browser: the same as `warpcost report` writes."""

from __future__ import annotations

from analysis_core.report.findings.model import FileReport
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources


def kernel_report(report: FileReport, sources: Sources, settings: Settings, line: int = 0) -> str:
    """The page's text, opened at the kernel around a line (from 1).  The renderer is imported with the first one: no session pays for it that shows none."""
    from analysis_core.cli.render_page import page

    return page(report, sources, settings, line)
