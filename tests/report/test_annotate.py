"""Annotations as edits: above the loop or the kernel, at its indentation, and nowhere else."""

from __future__ import annotations

import pytest

from analysis_core.expressions.bounds import KernelBounds, Reason
from analysis_core.report.annotate import annotation_edit, proposals
from analysis_core.report.findings.model import KernelReport, LaunchReport
from analysis_core.requests.facts import SymbolInfo
from analysis_core.text.line_index import LineIndex
from analysis_core.text.span import Span
from tests.report.bound_samples import metric, withheld
from tests.report.samples import FILE, access, facts

CODE = b"""\
    __global__ void k(int *p) {
        int i = 0;
\t    for (int j = p[0]; j < p[1]; j++) { while (p[j]) i++; }
        if (i) while (p[i]) i++;
    }
"""

CAP = "//@ loop_bound 64"


def at(needle: bytes, code: bytes = CODE) -> Span:
    return Span(FILE, code.index(needle), len(code))


def after(annotation: str, needle: bytes, code: bytes = CODE) -> bytes | None:
    """The text once the annotation is in."""
    edit = annotation_edit(annotation, at(needle, code), LineIndex.of(code), annotation == CAP)
    if edit is None:
        return None
    return code[: edit.span.start] + edit.text.encode() + code[edit.span.end :]


def test_a_loop_is_capped_on_a_line_of_its_own() -> None:
    text = after(CAP, b"for (int j")
    assert text == CODE.replace(b"\t    for", b"\t    //@ loop_bound 64\n\t    for")
    assert after(CAP, b"while (p[i])") == CODE.replace(b"        if", b"        //@ loop_bound 64\n        if")
    assert after("//@ assume n >= 1", b"__global__") == b"    //@ assume n >= 1\n" + CODE
    windows = CODE.replace(b"\n", b"\r\n")
    assert after(CAP, b"for (int j", windows) == windows.replace(b"\t    for", b"\t    //@ loop_bound 64\r\n\t    for")


@pytest.mark.parametrize(
    ("code", "needle"),
    [
        (CODE, b"while (p[j])"),  # the loop before it on the line would be capped
        (CODE.replace(b"int i = 0;\n", b"int i = 0; \\\n"), b"for (int j"),
        (b"#define LOOP for (;;) {}\n", b"for"),
        (b"#define LOOP \\\n for (;;) { \\\n }\n", b"for"),
        (b"LOOP(i, n)\n", b"LOOP"),  # a macro's name, not a loop
        (b"    //@ loop_bound 64\n    for (;;) {}\n", b"for"),
    ],
)
def test_where_no_annotation_can_stand(code: bytes, needle: bytes) -> None:
    assert after(CAP, needle, code) is None
    assert annotation_edit(CAP, Span(FILE, 5000, 5001), LineIndex.of(code), True) is None


def report(bounds: KernelBounds | None, *symbols: SymbolInfo) -> KernelReport:
    name = Span(FILE, CODE.index(b"k("), CODE.index(b"k(") + 1)
    launches = (LaunchReport(facts(access(), bounds=bounds, symbols=symbols)),) * 2
    return KernelReport("k", None, Span(FILE, 4, len(CODE)), name, launches, ())


def test_what_is_proposed_for_a_kernel() -> None:
    trip = SymbolInfo("T3", "T3", "trip", at(b"for (int j"))
    lost = Reason("the loop may not end", at(b"while (p[i])"), CAP)
    unclear = Reason("n may be anything", None, "//@ assume n < 1000")
    bounds = KernelBounds(
        {
            "sectors": withheld("sectors", lost),
            "conflicts": withheld("conflicts", unclear),
            "divergences": withheld("divergences", lost),
            "steps": withheld("steps", Reason("hidden", None, "//@ assume 1")),
        }
    )
    index = LineIndex.of(CODE)
    titles = [proposal.title for proposal in proposals(report(bounds, trip), index)]
    assert titles == [
        f"Insert `{CAP}`: a bound on sectors, divergences",
        "Insert `//@ assume n < 1000`: a bound on conflicts",
        f"Insert `{CAP}`: cap the iterations T3 of this loop",
    ]
    assert not list(proposals(report(KernelBounds({"sectors": metric("sectors", 4)})), index))
    assert not list(proposals(report(None), index))
