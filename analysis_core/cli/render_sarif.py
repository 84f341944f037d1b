"""Findings as SARIF 2.1.0 (OASIS), the form in which code scanning services take results.

Columns count UTF-16 units from 1 (`columnKind`).  Paths are relative to `%SRCROOT%`, which is the folder where the command
runs.  A result carries the fingerprint of `fingerprint.py`, so that it is known again after its line has moved; its
`rank` is its share of the kernel's cost in percent.  Rules that have a result carry what their pages say, less the examples.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from analysis_core.cli.fingerprint import kernel_around
from analysis_core.cli.places import uri_of
from analysis_core.cli.rule_pages import page_of
from analysis_core.cli.terminal import printable
from analysis_core.report.checks.registry import CHECKS
from analysis_core.report.findings.check import Check
from analysis_core.report.findings.model import Edit, FileReport, Finding, Fix, Level
from analysis_core.support.addresses import PAGES, REPOSITORY, with_addresses
from analysis_core.support.sources import Sources
from analysis_core.support.version import VERSION
from analysis_core.text.span import Span

Json = dict[str, Any]

SCHEMA_URI = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

FINGERPRINT = "warpcostFinding/v1"

_LEVELS = {Level.ERROR: "error", Level.WARNING: "warning", Level.INFORMATION: "note", Level.HINT: "note"}


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
    rows = list(results)
    rules = [check for check in CHECKS if any(row["ruleId"] == check.code for row in rows)]
    numbers = {rule.code: number for number, rule in enumerate(rules)}
    run = {
        "tool": {"driver": _driver(rules)},
        "columnKind": "utf16CodeUnits",
        "invocations": [invocation],
        "results": [{**row, "ruleIndex": numbers[row["ruleId"]]} for row in rows],
    }
    return {"$schema": SCHEMA_URI, "version": "2.1.0", "runs": [run]}


def _driver(rules: Sequence[Check]) -> Json:
    return {
        "name": "warpcost",
        "version": VERSION,
        "informationUri": REPOSITORY,
        "rules": [_rule(rule) for rule in rules],
    }


def _rule(rule: Check) -> Json:
    address = f"{PAGES}/docs/rules/{rule.code}.md"
    described: Json = {
        "id": rule.code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "helpUri": address,
        "defaultConfiguration": {"level": _LEVELS[rule.level]},
        "properties": {"tags": ["performance", "cuda"]},
    }
    page = page_of(rule.code)
    if page is not None:
        says, fix = first_paragraph(page), section_of(page, "How to fix")
        described["fullDescription"] = {"text": _plain(says)}
        described["help"] = {
            "text": f"{_plain(says)}\n\nHow to fix:\n{_plain(fix)}\n\n{address}",
            "markdown": with_addresses(f"{says}\n\n**How to fix**\n\n{fix}\n\n[{rule.code}]({address})", "docs/rules"),
        }
    return described


def _plain(markdown: str) -> str:
    """Without links, and without stars around words."""
    return re.sub(r"(?<![\w*`])\*(\w[^*`\n]*)\*", r"\1", re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", markdown))


def section_of(page: str, title: str) -> str:
    """The text below a heading of a rule's page, up to the next one."""
    return page.partition(f"\n## {title}\n")[2].partition("\n## ")[0].strip()


def first_paragraph(page: str) -> str:
    """What a rule says in one paragraph: the first one of its page that is no quotation."""
    blocks = section_of(page, "What it says").split("\n\n")
    return " ".join(next(block for block in blocks if not block.startswith(">")).split())
