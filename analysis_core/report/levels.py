"""How loud rules are in a project: the setting `levels`, over what each rule says itself.

A rule that is set to a level has that for its loudest; its quieter findings (a small share, an assumed shape) stay as quiet
as they are, or become as quiet as that.  "off" takes its findings away, after suppressions have been applied: a comment
that silences a rule which is off has something to do all the same.  So does one that silences a hint, which only projects see
that ask for them (`hints`): half of those about memory that were judged by hand in public code did not hold for the data that their
programs have (tests/bench/README.md).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from analysis_core.report.checks.registry import check_of
from analysis_core.report.findings.model import Finding, Level
from analysis_core.support.settings import Settings

OFF = "off"

LEVELS = (OFF, *(level.value for level in Level))


def with_levels(findings: Iterable[Finding], settings: Settings) -> tuple[Finding, ...]:
    """The findings at the levels of the settings; those of rules that are off are still there."""
    if not settings.levels:
        return tuple(findings)
    return tuple(_levelled(finding, settings) for finding in findings)


def reported(findings: Iterable[Finding], settings: Settings) -> tuple[Finding, ...]:
    """The findings of rules that are not off; hints where they are asked for."""
    return tuple(
        finding
        for finding in findings
        if settings.levels.get(finding.check) != OFF and (settings.hints or finding.level is not Level.HINT)
    )


def _levelled(finding: Finding, settings: Settings) -> Finding:
    wanted, check = settings.levels.get(finding.check), check_of(finding.check)
    if wanted is None or wanted == OFF or check is None:
        return finding
    level = Level(wanted)
    if finding.level is not check.level and level.rank > finding.level.rank:
        return finding
    return replace(finding, level=level)
