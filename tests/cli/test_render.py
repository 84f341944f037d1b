"""Text and JSON output of reports made by hand: whole frames, odd text, and the committed schema."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis_core.cli.render_json import file_json
from analysis_core.cli.render_text import render_file, source_lines, summary
from analysis_core.cli.terminal import Style, printable, width
from analysis_core.expressions.bounds import Reason
from analysis_core.expressions.expression import PYTHON_FUNCTIONS, add, ceil_div, integer, scale, symbol
from analysis_core.ir.nodes import LoopKind
from analysis_core.report.findings.model import NOT_COMPUTED, FileReport, KernelReport, LaunchReport
from analysis_core.report.judge import judge, ordered
from analysis_core.requests.facts import KernelFacts, SymbolInfo
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources
from analysis_core.text.line_index import LineIndex
from analysis_core.text.span import FileId, Span
from tests.report.bound_samples import metric, transpose, withheld
from tests.report.samples import FILE, access, branch, by_data, facts, good, kernel, shared, span

SCHEMA = json.loads((Path(__file__).parents[2] / "analysis_core" / "report" / "schema1.json").read_text())

CODE = b"""__global__ void k(float *a, const float *b) {
\tint i = threadIdx.x;
\ta[i] = b[8 * i];
}
"""
START = CODE.index(b"b[8")
PLACE = Span(FILE, START, START + len(b"b[8 * i]"))


def report(known: KernelFacts, data: bytes = CODE) -> tuple[FileReport, Sources]:
    made = kernel(span=Span(FILE, 0, len(data)), name_span=Span(FILE, 16, 17))
    findings = ordered(judge(made, known, Settings()).findings)
    launches = (LaunchReport(known, findings),)
    kernels = (KernelReport("k", None, made.span, made.name_span, launches, findings),)
    return FileReport(FILE, kernels, findings), Sources(MemoryFiles({FILE: data}))


def valid(document: Any) -> None:
    jsonschema.Draft202012Validator(SCHEMA).validate(document)


def test_a_finding_as_text() -> None:
    made, sources = report(facts(access(span=PLACE, origin=Span(FILE, 50, 51)), good()))
    assert render_file(made, sources, Style(False), Settings()) == (
        "sample.cu:3:9: warning[WC101] uncoalesced-access: Uncoalesced load from `b`: each warp touches 32 sectors where 4 would do (8x). "
        "89% of this kernel's global traffic.\n"
        "      a[i] = b[8 * i];\n"
        "             ^^^^^^^^\n"
        "      lane     0        8        16       24     31\n"
        "      sector   ABCDEFGH IJKLMNOP QRSTUVWX YZabcdef\n"
        "      each sector: 4 of 32 bytes used; neighbours are 32 bytes apart\n"
        "  note: sample.cu:2:5: differs between threads from here on\n"
        "  note: sample.cu:5:1: launched here with block 256\n"
        "\n"
    )


def test_colours_only_where_asked_for() -> None:
    made, sources = report(facts(access(span=PLACE)))
    assert "\x1b[" in render_file(made, sources, Style(True), Settings())
    assert "\x1b[" not in render_file(made, sources, Style(False), Settings())
    assert render_file(FileReport(FILE, (), ()), sources, Style(True), Settings()) == ""


def carets(line: bytes, part: bytes) -> tuple[str, str]:
    start = line.index(part)
    text, marks = source_lines(Span(FILE, start, start + len(part)), LineIndex.of(line))
    return text, marks


@pytest.mark.parametrize(
    ("line", "part", "under"),
    [
        (b"x = a[i];", b"a[i]", "a[i]"),
        (b"\t\tx =\ta[i];", b"a[i]", "a[i]"),
        (b"x = /* \xff\xfe */ a[i];", b"a[i]", "a[i]"),
        ("x = /* \u00e9\u4e16\U0001f600 */ a[i];".encode(), b"a[i]", "a[i]"),
        ("x = /* e\u0301 */ a[i];".encode(), b"a[i]", "a[i]"),
        (b"y = 1; \x1b[31m a[i];", b"a[i]", "a[i]"),
        (b"z" * 4000 + b" a[i]; " + b"w" * 4000, b"a[i]", "a[i]"),
        (b"  " * 200 + b"a[i]" + b" + b" * 100, b"a[i]", "a[i]"),
    ],
)
def test_carets_stand_under_the_span(line: bytes, part: bytes, under: str) -> None:
    text, marks = carets(line, part)
    assert width(text) <= 130 and "\x1b" not in text and "\t" not in text
    assert marks.strip() == "^" * len(under)
    column = len(marks) - len(marks.lstrip())
    before = text[: text.index(under)]
    assert width(before) == column


def test_spans_over_lines_and_beyond_the_text() -> None:
    index = LineIndex.of(b"a = f(b,\n      c);\n")
    assert source_lines(Span(FILE, 4, 17), index) == ("a = f(b,", "    ^^^^")
    assert source_lines(Span(FILE, 500, 600), index) == ()
    assert source_lines(Span(FILE, 8, 9), index) == ("a = f(b,", "        ^")


@given(st.binary(max_size=300), st.integers(0, 320), st.integers(0, 320))
def test_any_text_and_any_span_can_be_shown(data: bytes, one: int, two: int) -> None:
    lines = source_lines(Span(FILE, min(one, two), max(one, two)), LineIndex.of(data))
    for line in lines:
        line.encode("utf-8")
        assert "\n" not in line and "\x1b" not in line
    if lines:
        assert set(lines[1]) <= {" ", "^"} and "^" in lines[1]


def test_printable_text_has_no_surrogates_and_no_controls() -> None:
    assert printable("a\udcffb\x07c\u2028d") == "a\N{REPLACEMENT CHARACTER}b c d"
    assert printable("plain") == "plain"


def test_the_summary_counts() -> None:
    assert summary(["warning", "warning", "information"], 1, 3) == "2 warnings, 1 information in 3 kernels of 1 file"
    assert summary([], 2, 1) == "no findings in 1 kernel of 2 files"


def test_json_follows_the_schema() -> None:
    times = add(integer(4), scale(8, ceil_div(symbol("p.n"), integer(32))))
    known = facts(
        access(span=PLACE, times=times, cause=by_data("because \udcff")),
        good(times=None, via=(span(60), span(70))),
        shared(),
        branch(),
        branch(kind=LoopKind.FOR, spread=3),
        branch(kind="switch"),
        symbols=(SymbolInfo("p.n", "p.n", "parameter", None),),
        grid=("ceil_div(n, 256)", "1", "1"),
    )
    made, sources = report(known)
    document = {"schema": 1, "files": [json.loads(json.dumps(file_json(made, sources, Settings())))]}
    valid(document)
    (one,) = document["files"][0]["kernels"]
    launch = one["launches"][0]
    assert launch["symbols"] == {"p_n": {"source": "p.n", "kind": "parameter"}}
    assert eval(launch["accesses"][0]["times"], {}, {**PYTHON_FUNCTIONS, "p_n": 100}) == 4 + 8 * 4
    assert launch["accesses"][0]["cause"] == "because \N{REPLACEMENT CHARACTER}"
    assert launch["accesses"][1]["via"] == [sources.line(span(60)), sources.line(span(70))]
    assert [b["kind"] for b in launch["branches"]] == ["if", "loop", "switch"]
    assert launch["bounds"]["sectors"]["per_warp"]["because"] == {
        "line": 1,
        "reason": NOT_COMPUTED,
        "annotation": None,
    }
    assert one["line"] == 1 and one["span"] == [0, len(CODE)]
    assert document["files"][0]["findings"] == []
    finding = next(f for f in one["findings"] if f["code"] == "WC101")
    assert (finding["line"], finding["column"], finding["span"]) == (3, 9, [PLACE.start, PLACE.end])


def test_bounds_follow_the_schema() -> None:
    known = transpose(per_launch=True)
    lost = withheld("steps")
    reasons = (Reason("the function 'f' is not declared here", PLACE),)
    lost = replace(lost, per_warp=replace(lost.per_warp, known=integer(36), excluded=reasons))
    bounds = replace(known, metrics={**known.metrics, "steps": lost, "weighted": metric("weighted", 7)})
    made, sources = report(facts(access(span=PLACE), bounds=bounds))
    document = {"schema": 1, "files": [json.loads(json.dumps(file_json(made, sources, Settings())))]}
    valid(document)
    launch = document["files"][0]["kernels"][0]["launches"][0]
    found = launch["bounds"]
    assert list(found)[:2] == ["sectors", "excessive_sectors"] and list(found)[-1] == "weighted"
    sectors = found["sectors"]
    assert sectors["per_warp"]["text"] == "40" and not sectors["per_warp"]["exact"]
    assert sectors["per_warp"]["cases"] == [
        {"when": "w % 32 == 0 and h % 32 == 0", "upper": "32", "worst_lower": "32", "exact": True}
    ]
    values = {**PYTHON_FUNCTIONS, "w": 64, "h": 96}
    assert eval(sectors["per_launch"]["cases"][0]["upper"], {}, values) == 64 * 96 // 4
    assert [place["cost"] for place in sectors["places"]] == ["20", "20"]
    assert [place["share"] for place in sectors["places"]] == [0.5, 0.5]
    assert set(launch["symbols"]) >= {"w", "h"}
    assert found["steps"]["per_warp"]["because"]["annotation"] == "//@ loop_bound 64"
    assert found["steps"]["per_warp"]["known"] == "36" and found["steps"]["per_warp"]["upper"] is None
    assert found["steps"]["per_warp"]["excluded"] == [{"line": 3, "reason": "the function 'f' is not declared here"}]
    assert found["wavefronts"]["per_warp"]["because"]["reason"] == NOT_COMPUTED
    assert launch["work_span"] == {"work": "8*w", "span": "w", "processors": "4", "schedule": "3*w"}


def test_kernels_with_bounds_have_a_line() -> None:
    made, sources = report(facts(good(), shared(worst=1, best=1), bounds=transpose()))
    assert render_file(made, sources, Style(False), Settings()) == (
        "sample.cu:1:17: k: 32 sectors (ideal), 124 bank conflicts, no divergences per warp, "
        "when w % 32 == 0 && h % 32 == 0; h*w/4 sectors, 31*h*w/32 conflicts per launch\n\n"
    )


def test_names_that_fall_together_stay_apart_in_json() -> None:
    clash = add(symbol("p.n"), scale(2, symbol("p_n")))
    known = facts(access(span=PLACE, times=clash), symbols=())
    made, sources = report(known)
    launch = file_json(made, sources, Settings())["kernels"][0]["launches"][0]
    values = {name: {"p.n": 100, "p_n": 1}[info["source"]] for name, info in launch["symbols"].items()}
    assert eval(launch["accesses"][0]["times"], {}, values) == 102


def test_the_schema_refuses_what_it_should() -> None:
    made, sources = report(facts(access(span=PLACE), branch()))
    good_one = json.loads(json.dumps({"schema": 1, "files": [file_json(made, sources, Settings())]}))
    valid(good_one)
    launch = good_one["files"][0]["kernels"][0]["launches"][0]
    launch["bounds"]["steps"]["per_warp"]["because"] = None
    with pytest.raises(jsonschema.ValidationError):
        valid(good_one)


def test_a_finding_of_the_file_stands_in_the_file() -> None:
    from analysis_core.workspace.settings_file import read_settings

    path = FileId("warpcost.toml")
    data = b"blok = 3\n"
    found = read_settings(path, data, Settings())
    made = FileReport(path, (), found.findings)
    sources = Sources(MemoryFiles({path: data}))
    document = {"schema": 1, "files": [file_json(made, sources, Settings())]}
    valid(document)
    assert document["files"][0]["findings"][0]["code"] == "WC903"
    text = render_file(made, sources, Style(False), Settings())
    assert text.startswith(
        "warpcost.toml:1:1: warning[WC903] bad-setting: unknown setting 'blok'; did you mean `block`?\n      blok = 3\n      ^^^^\n"
    )


def test_expressions_too_deep_for_python_are_null() -> None:
    deep = symbol("n")
    for _ in range(200):
        deep = ceil_div(add(deep, symbol("m")), symbol("w"))
    made, sources = report(facts(access(span=PLACE, times=deep)))
    document = {"schema": 1, "files": [file_json(made, sources, Settings())]}
    valid(document)
    assert document["files"][0]["kernels"][0]["launches"][0]["accesses"][0]["times"] is None


def test_branches_have_a_place() -> None:
    made, sources = report(facts(branch(span=PLACE)))
    assert file_json(made, sources, Settings())["kernels"][0]["launches"][0]["branches"][0]["line"] == 3
