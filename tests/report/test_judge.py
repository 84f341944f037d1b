"""Merging, ordering, statements, suppressions: from findings to what is shown."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from analysis_core.report.checks.registry import CHECKS, check_of, name_of
from analysis_core.report.findings.model import CheckId, Finding, Level, Verdict
from analysis_core.report.judge import ordered, worst_per_statement
from analysis_core.report.statements import statement_start
from analysis_core.text.line_index import LineIndex
from analysis_core.text.span import Span
from tests.report.samples import span


def finding(start: int, code: str = "WC101", level: Level = Level.WARNING, share: float | None = 0.5) -> Finding:
    return Finding(CheckId(code), Verdict.FAILS, level, span(start), f"at {start}", share=share)


def line_of_ten(place: Span) -> tuple[str, int]:
    return place.file, place.start // 10


def test_one_finding_per_statement_and_rule_the_worst() -> None:
    small, large = finding(11, share=0.2), finding(15, share=0.6)
    quiet_but_large = finding(12, level=Level.INFORMATION, share=0.9)
    other_rule, other_line = finding(13, "WC102"), finding(25, share=0.3)
    merged = worst_per_statement([small, large, quiet_but_large, other_rule, other_line], line_of_ten)
    assert merged == (large, other_rule, other_line)


def test_findings_without_a_share_are_kept_by_place_and_come_last() -> None:
    one, two = finding(11, "WC900", Level.INFORMATION, None), finding(12, "WC900", Level.INFORMATION, None)
    last = finding(1, "WC102", Level.INFORMATION, 0.1)
    assert worst_per_statement([two, one, last, one], line_of_ten) == (last, one, two)


@given(
    st.lists(
        st.tuples(
            st.integers(0, 60), st.sampled_from(["WC101", "WC201"]), st.sampled_from(list(Level)), st.integers(0, 9)
        )
    )
)
def test_merging_keeps_a_worst_one_and_does_not_depend_on_order(raw: list[tuple[int, str, Level, int]]) -> None:
    findings = [finding(s, c, level, share / 9) for s, c, level, share in raw]
    merged = worst_per_statement(findings, line_of_ten)
    keys = [(f.check, line_of_ten(f.span)) for f in merged]
    assert len(keys) == len(set(keys)) and set(keys) == {(f.check, line_of_ten(f.span)) for f in findings}
    for f in findings:
        kept = next(m for m in merged if (m.check, line_of_ten(m.span)) == (f.check, line_of_ten(f.span)))
        assert (kept.level.rank, kept.share or 0) >= (f.level.rank, f.share or 0)
    badness = [(m.level.rank, m.share or 0) for m in worst_per_statement(findings[::-1], line_of_ten)]
    assert badness == [(m.level.rank, m.share or 0) for m in merged]
    assert ordered(merged) == merged


def test_statements_are_found_in_the_text() -> None:
    text = b"{ a = f(b[i], c[j]); for (int i = 0; x[i] < n; i++) { y[i] = g({1, 2}); } }"

    def start(part: bytes) -> bytes:
        return text[statement_start(text, text.index(part)) :].strip()[:6]

    assert start(b"b[i]") == start(b"c[j]") == start(b"a =") == b"a = f("
    assert start(b"x[i]") == b"x[i] <"
    assert start(b"y[i]") == b"y[i] ="
    assert statement_start(b"", 0) == 0
    text = (
        b"; if (f(a[i]) < b[j]) c[k] = 1; else while (d[l]) e[m] = g(h[o]); for (;; n[p]++) q[r] = s ? (t[u]) : v[w];"
    )
    assert start(b"a[i]") == start(b"b[j]") == b"if (f("
    assert start(b"c[k]") == b"c[k] =" and start(b"d[l]") == b"else w" and start(b"h[o]") == b"e[m] ="
    assert start(b"q[r]") == start(b"t[u]") == start(b"v[w]") == b"q[r] ="
    assert statement_start(b"x" * 10000, 9000) == 9000 - 4096


def index(text: bytes) -> LineIndex:
    return LineIndex.of(text)


def test_the_registry_is_in_order_and_complete() -> None:
    codes = [check.code for check in CHECKS]
    assert codes == sorted(set(codes))
    assert check_of("WC101") is CHECKS[0]
    assert check_of("WC999") is None
    assert name_of(CheckId("WC101")) == "uncoalesced-access"
    assert name_of(CheckId("WC903")) == "bad-setting"
