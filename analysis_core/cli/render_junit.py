"""Findings as JUnit's XML, which most runners of tests and of continuous integration show: a suite for each file, a test for
each kernel.

A kernel fails where a finding is at or above the level of `--fail-on`; findings below are its output.  What belongs to no kernel
is a test of the file's own name, and a file that cannot be read one with an error.  There are no times: the document depends on
the sources alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any
from xml.etree import ElementTree

from analysis_core.cli.fingerprint import kernel_around
from analysis_core.cli.options import fails
from analysis_core.cli.places import shown_path
from analysis_core.cli.render_text import place_text
from analysis_core.cli.runner_commands import no_command
from analysis_core.cli.terminal import printable
from analysis_core.report.checks.registry import name_of
from analysis_core.report.findings.model import FileReport, Finding, Level
from analysis_core.support.sources import Sources

Case = tuple[str, str]
"""Path and kernel; "" for what belongs to no kernel."""


def kernel_cases(report: FileReport) -> list[Case]:
    """The tests that a file stands for."""
    return [(shown_path(kernel.span.file), kernel.name) for kernel in report.kernels]


def junit_row(finding: Finding, report: FileReport, sources: Sources) -> dict[str, Any]:
    """What the document needs to know of a finding."""
    remarks = [f"  {note.message}" for note in finding.notes if note.span is None]
    head = f"{place_text(finding.span, sources)}: {finding.level.value}[{finding.check}] {name_of(finding.check)}:"
    return {
        "case": (shown_path(finding.span.file), kernel_around(finding.span, report)),
        "code": finding.check,
        "level": finding.level.value,
        "message": finding.message,
        "text": "\n".join((f"{head} {finding.message}", *remarks)),
    }


def junit_document(
    cases: Iterable[Sequence[str]], rows: Iterable[dict[str, Any]], fatal: Sequence[str], threshold: str
) -> str:
    """The whole document. `fatal`: what could not be read; `threshold`: the level of `--fail-on`."""
    found: dict[Case, list[dict[str, Any]]] = {(path, kernel): [] for path, kernel in cases}
    for row in rows:
        path, kernel = row["case"]
        found.setdefault((path, kernel), []).append(row)
    root = ElementTree.Element("testsuites", name="warpcost")
    for path in dict.fromkeys(path for path, _ in found):
        suite = ElementTree.SubElement(root, "testsuite", name=_legal(path), errors="0")
        for (of, kernel), about in found.items():
            if of == path:
                _add_case(suite, path, kernel, about, threshold)
        _count(suite)
    if fatal:
        suite = ElementTree.SubElement(root, "testsuite", name="warpcost", errors=str(len(fatal)))
        for text in fatal:
            case = ElementTree.SubElement(suite, "testcase", classname="warpcost", name=_legal(text))
            ElementTree.SubElement(case, "error", type="unreadable", message=_legal(text))
        _count(suite)
    for key in ("tests", "failures", "errors"):
        root.set(key, str(sum(int(suite.get(key, "0")) for suite in root)))
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode")


def _add_case(
    suite: ElementTree.Element, path: str, kernel: str, about: Sequence[dict[str, Any]], threshold: str
) -> None:
    case = ElementTree.SubElement(suite, "testcase", classname=_legal(path), name=_legal(kernel or path))
    failing = [row for row in about if fails([Level(row["level"])], threshold)]
    others = [row for row in about if not fails([Level(row["level"])], threshold)]
    if failing:
        # Readers of the form look at the first failure of a test alone.
        more = f" (and {len(failing) - 1} more)" if len(failing) > 1 else ""
        failure = ElementTree.SubElement(
            case, "failure", type=failing[0]["code"], message=_legal(failing[0]["message"] + more)
        )
        failure.text = _text(failing)
    if others:
        ElementTree.SubElement(case, "system-out").text = _text(others)


def _count(suite: ElementTree.Element) -> None:
    suite.set("tests", str(len(suite)))
    suite.set("failures", str(len(suite.findall("testcase/failure"))))


def _text(rows: Sequence[dict[str, Any]]) -> str:
    lines = (line for row in rows for line in row["text"].split("\n"))
    return "\n".join(no_command(_legal(line)) for line in lines)


def _legal(text: str) -> str:
    """Text of characters that XML 1.0 has (section 2.2); `printable` leaves two out of place."""
    return printable(text).replace("\ufffe", "\ufffd").replace("\uffff", "\ufffd")
