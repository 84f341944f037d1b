"""Findings as SARIF 2.1.0 (OASIS), the form in which code scanning services take results.

Columns count UTF-16 units from 1 (`columnKind`).  Paths are relative to `%SRCROOT%`, which is the folder where the command
runs.  A result carries the fingerprint of `fingerprint.py`, so that it is known again after its line has moved; its
`rank` is its share of the kernel's cost in percent.  Rules carry the texts of their pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from analysis_core.cli.fingerprint import kernel_around
from analysis_core.cli.places import uri_of
from analysis_core.cli.rule_pages import page_of
from analysis_core.cli.terminal import printable
from analysis_core.report.checks.registry import CHECKS
from analysis_core.report.findings.model import Edit, FileReport, Finding, Fix, Level
from analysis_core.support.sources import Sources
from analysis_core.support.version import VERSION
from analysis_core.text.span import Span

Json = dict[str, Any]

SCHEMA_URI = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

FINGERPRINT = "warpcostFinding/v1"

_LEVELS = {Level.ERROR: "error", Level.WARNING: "warning", Level.INFORMATION: "note", Level.HINT: "note"}
_NUMBERS = {rule.code: number for number, rule in enumerate(CHECKS)}


def sarif_result(finding: Finding, fingerprint: str, report: FileReport, sources: Sources) -> Json:
    """One element of `results`."""
    remarks = [note.message for note in finding.notes if note.span is None]
    related = [(note.span, note.message) for note in finding.notes if note.span is not None]
    kernel = kernel_around(finding.span, report)
    location: Json = {"physicalLocation": _physical(finding.span, sources)}
    if kernel:
        location["logicalLocations"] = [{"name": printable(kernel), "kind": "function"}]
    result: Json = {
        "ruleId": finding.check,
        "ruleIndex": _NUMBERS[finding.check],
        "level": _LEVELS[finding.level],
        "message": {"text": "\n".join(map(printable, (finding.message, *remarks)))},
        "locations": [location],
        "partialFingerprints": {FINGERPRINT: fingerprint},
    }
    if related:
        result["relatedLocations"] = [
            {"id": number, "physicalLocation": _physical(span, sources), "message": {"text": printable(text)}}
            for number, (span, text) in enumerate(related)
        ]
    if finding.share is not None:
        result["rank"] = round(100 * finding.share, 2)
    if finding.fixes:
        result["fixes"] = [_fix(fix, sources) for fix in finding.fixes]
    return result


def _physical(span: Span, sources: Sources) -> Json:
    return {"artifactLocation": _artifact(span.file), "region": _region(span, sources)}


def _artifact(path: str) -> Json:
    uri, relative = uri_of(path)
    return {"uri": uri, "uriBaseId": "%SRCROOT%"} if relative else {"uri": uri}


def _region(span: Span, sources: Sources) -> Json:
    index = sources.index(span.file)
    return {
        "startLine": index.line_of(span.start),
        "startColumn": index.utf16_column(span.start) + 1,
        "endLine": index.line_of(span.end),
        "endColumn": index.utf16_column(span.end) + 1,
    }


def _fix(fix: Fix, sources: Sources) -> Json:
    """Edits by file; each file's in the order in which they are given."""
    by_file: dict[str, list[Edit]] = {}
    for edit in fix.edits:
        by_file.setdefault(edit.span.file, []).append(edit)
    changes = [
        {"artifactLocation": _artifact(path), "replacements": [_replacement(edit, sources) for edit in edits]}
        for path, edits in by_file.items()
    ]
    return {"description": {"text": printable(fix.title)}, "artifactChanges": changes}


def _replacement(edit: Edit, sources: Sources) -> Json:
    return {"deletedRegion": _region(edit.span, sources), "insertedContent": {"text": edit.text}}


def sarif_log(results: Iterable[Json], problems: Sequence[str], complete: bool) -> Json:
    """The whole log.  `problems`: what could not be read; `complete`: nothing failed."""
    invocation: Json = {"executionSuccessful": complete}
    if problems:
        texts = [{"level": "error", "message": {"text": printable(text)}} for text in problems]
        invocation["toolExecutionNotifications"] = texts
    run = {
        "tool": {"driver": _driver()},
        "columnKind": "utf16CodeUnits",
        "invocations": [invocation],
        "results": list(results),
    }
    return {"$schema": SCHEMA_URI, "version": "2.1.0", "runs": [run]}


def _driver() -> Json:
    driver: Json = {
        "name": "warpcost",
        "version": VERSION,
        "rules": [_rule(number) for number in range(len(CHECKS))],
    }
    return driver


def _rule(number: int) -> Json:
    rule = CHECKS[number]
    described: Json = {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "defaultConfiguration": {"level": _LEVELS[rule.level]},
        "properties": {"tags": ["performance", "cuda"]},
    }
    page = page_of(rule.code)
    if page is not None:
        described["fullDescription"] = {"text": first_paragraph(page)}
        described["help"] = {"text": page, "markdown": page}
    return described


def first_paragraph(page: str) -> str:
    """What a rule does in one paragraph: the first one below the first section heading of its page."""
    body = page.split("\n## ", 1)[-1].split("\n", 1)[-1].strip()
    return " ".join(body.split("\n\n", 1)[0].split())
