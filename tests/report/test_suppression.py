"""Comments that silence rules: which lines they are about, what has nothing to do, and what is misspelt."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis_core.report.checks.suppression import Suppressions, Used, apply, suppressions_of, unused_findings
from analysis_core.report.findings.model import CheckId, Finding, Level, Verdict
from analysis_core.text.line_index import LineIndex
from analysis_core.text.span import Span
from tests.report.samples import FILE, span


def finding(start: int, code: str) -> Finding:
    return Finding(CheckId(code), Verdict.FAILS, Level.WARNING, span(start), f"at {start}", share=0.5)


def read(text: bytes) -> Suppressions:
    return suppressions_of(FILE, LineIndex.of(text))


def silenced(text: bytes, **codes: str) -> tuple[list[str], Used]:
    """The marks (bytes of the text) at which a finding of that code does not stay, and what silenced them."""
    comments = read(text)
    places = {mark: finding(text.index(mark.encode() + b"("), code) for mark, code in codes.items()}
    kept, used = apply(places.values(), comments, LineIndex.of(text))
    return [mark for mark, found in places.items() if found not in kept], used


def test_a_comment_is_about_its_line_and_alone_about_the_next() -> None:
    text = b"a(); // warpcost: ignore[WC101]\nb();\n  // warpcost: ignore[WC101, WC201]\nc();\nd();\n"
    assert silenced(text, a="WC101", b="WC101", c="WC101", d="WC101")[0] == ["a", "c"]
    assert silenced(text, a="WC102", c="WC201")[0] == ["c"]


def test_comments_alone_reach_over_comments_to_the_next_code() -> None:
    text = (
        b"// warpcost: ignore[WC101]\n// warpcost: ignore[bank-conflict]  it is small\n\n/* more */ /* of it */\n"
        b"a(); b();\n/* x */ c();\n"
    )
    assert silenced(text, a="WC101", b="WC201", c="WC101")[0] == ["a", "b"]
    assert silenced(b"// warpcost: ignore[WC101]\n/* x */ a();\n", a="WC101")[0] == ["a"]


def test_a_file_as_a_whole() -> None:
    text = b"a();\n// warpcost: ignore-file[WC101]\nb(); c();\n"
    assert silenced(text, a="WC101", b="WC101", c="WC201")[0] == ["a", "b"]


def test_without_brackets_every_rule_is_meant_and_a_remark_may_follow() -> None:
    text = b'a(); //warpcost:ignore\nb(); /* warpcost: ignore - tiny */\nputs("// warpcost: ignore"); c();\n'
    assert silenced(text, a="WC900", b="WC301", c="WC301")[0] == ["a", "b"]


def unused(text: bytes, used: Used = frozenset(), judged: bool = True) -> list[tuple[bytes, str]]:
    inside = Span(FILE, text.index(b"{"), len(text))
    found = unused_findings(read(text), used, [inside] if judged else [])
    assert {f.check for f in found} <= {"WC902"}
    return [(text[f.span.start : f.span.end], f.message) for f in found]


def test_every_code_has_to_have_something_to_do() -> None:
    text = b"// warpcost: ignore[WC101]\n{ a(); // warpcost: ignore[WC101, WC201] so\n}\n"
    comment = b"// warpcost: ignore[WC101, WC201]"
    assert unused(text) == [(comment, "this comment does not suppress WC101, WC201 here")]
    _, used = silenced(text, a="WC101")
    assert unused(text, used) == [(comment, "this comment does not suppress WC201 here")]
    assert unused(b"{ a(); // warpcost: ignore\n}") == [
        (b"// warpcost: ignore", "this comment does not suppress anything here")
    ]
    assert unused(b"{ a(); // warpcost: ignore[WC101, WC902]\n}") == []


def test_a_file_wide_comment_is_judged_by_the_whole_file() -> None:
    text = b"// warpcost: ignore-file[WC101]\n{ a(); }\n"
    said = [(b"// warpcost: ignore-file[WC101]", "this comment does not suppress WC101 in this file")]
    assert unused(text) == said
    assert unused(text, judged=False) == []
    assert unused(text, silenced(text, a="WC101")[1]) == []


@pytest.mark.parametrize(
    ("comment", "place", "part"),
    [
        (b"// warpcost: ignore[WC1O1]", b"WC1O1", "unknown rule `WC1O1`; did you mean `WC101`?"),
        (b"// warpcost: ignore[WC101, bank-conflicts]", b"bank-conflicts", "did you mean `bank-conflict`?"),
        (b"// warpcost: ignore[]", b"// warpcost: ignore[]", "no rule stands in these brackets"),
        (b"// warpcost: ignore WC101", b"WC101", "rules stand in brackets: `ignore[WC101]`"),
        (b"// warpcost: ignore[WC101", b"WC101", "a `]` is missing"),
        (b"// warpcost: ignroe[WC101]", b"ignroe", "`ignroe` is not understood"),
        (b"// warpcost: disable-file", b"disable-file", "`disable-file` is not understood"),
        (b"// warpcost: 101", b"// warpcost: ", "this is not understood"),
    ],
)
def test_what_is_misspelt_is_told_at_its_place(comment: bytes, place: bytes, part: str) -> None:
    text = b"a(); " + comment + b"\n"
    (found,) = read(text).wrong
    assert text[found.span.start : found.span.end] == place
    assert part in found.message and (found.check, found.level.value) == ("WC902", "warning")
    # What could be read of it holds; nothing else is silenced.
    assert silenced(text, a="WC301")[0] == []
    assert bool(silenced(text, a="WC101")[0]) == (b"WC101," in comment)


@given(
    st.lists(
        st.sampled_from(
            [b"//", b"/*", b"warpcost", b":", b" ", b"ignore", b"-file", b"[", b"]", b"WC101", b",", b"\n", b"\xff"]
        )
    )
)
def test_any_text_is_survived(parts: list[bytes]) -> None:
    text = b"".join(parts)
    found = read(text)
    for place in (*(c.span for c in found.comments), *(f.span for f in found.wrong)):
        assert 0 <= place.start < place.end <= len(text)
