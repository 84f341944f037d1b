"""Comments that silence a finding, and comments that are taken away: where they stand, and what they change."""

from __future__ import annotations

import pytest

from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.findings.model import CheckId, FileReport, Finding, Fix, Level, Verdict
from analysis_core.report.fixes.edits import applied
from analysis_core.report.fixes.suppress import removing, silencing, silencing_file
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.text.line_index import LineIndex
from analysis_core.text.span import FileId, Span


def kernel(body: str) -> bytes:
    return f"""__global__ void k(float *out, const float *in) {{
    int i = threadIdx.x;
{body}
}}
void run(float *a, float *b) {{ k<<<1, 256>>>(a, b); }}
""".encode()


def analysed(data: bytes) -> FileReport:
    return analyse_file("a.cu", MemoryFiles({"a.cu": data}), Settings(bounds=False), strict=True)


def edited(data: bytes, fix: Fix | None) -> bytes:
    assert fix is not None
    (edit,) = fix.edits
    return applied(data, edit)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("    out[i] = in[8 * i];", "    out[i] = in[8 * i];  // warpcost: ignore[WC101]"),
        ("    out[i] = in[8 * i];   ", "    out[i] = in[8 * i];  // warpcost: ignore[WC101]   "),
        (
            "    out[i] = in[8 * i];  // a remark",
            "    // warpcost: ignore[WC101]\n    out[i] = in[8 * i];  // a remark",
        ),
        (
            "    // warpcost: ignore[WC201]\n    out[i] = in[8 * i];",
            "    // warpcost: ignore[WC201, WC101]\n    out[i] = in[8 * i];",
        ),
        (
            "    out[i] = in[8 * i];  // warpcost: ignore[WC201]  so",
            "    out[i] = in[8 * i];  // warpcost: ignore[WC201, WC101]  so",
        ),
        (
            "    out[i] = in[8 * i]; // warpcost: ignore[WC301]\n    out[i] += in[9 * i];",
            "    out[i] = in[8 * i]; // warpcost: ignore[WC301, WC101]\n    out[i] += in[9 * i];",
        ),
    ],
)
def test_a_finding_is_silenced_and_nothing_else(before: str, after: str) -> None:
    data = kernel(before)
    found = [f for f in analysed(data).findings if f.check == "WC101"]
    new = edited(data, silencing(found[0], LineIndex.of(data)))
    assert new == kernel(after)
    assert len([f for f in analysed(new).findings if f.check == "WC101"]) == len(found) - 1


def test_no_comment_where_none_can_stand() -> None:
    data = b"#define BODY \\\n    out[i] = in[8 * i];\n" + kernel("    BODY")
    (finding,) = [f for f in analysed(data).findings if f.check == "WC101"]
    assert edited(data, silencing(finding, LineIndex.of(data))).endswith(kernel("    BODY  // warpcost: ignore[WC101]"))
    inside = kernel("#define BODY out[i] = \\\n    in[8 * i]\n    BODY;")
    (finding,) = [f for f in analysed(inside).findings if f.check == "WC101"]
    assert b"BODY;  // warpcost" in edited(inside, silencing(finding, LineIndex.of(inside)))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("    out[i] = in[i];  // warpcost: ignore[WC101]  so", "    out[i] = in[i];"),
        ("    // warpcost: ignore[WC101, WC201]\n    out[i] = in[i];", "    out[i] = in[i];"),
        ("    out[i] = /* warpcost: ignore */ in[i];", "    out[i] =  in[i];"),
        ("    out[i] = in[i];  /* warpcost: ignore */", "    out[i] = in[i];"),
    ],
)
def test_a_comment_without_work_is_removed(before: str, after: str) -> None:
    data = kernel(before)
    (finding,) = analysed(data).findings
    assert finding.check == "WC902" and silencing(finding, LineIndex.of(data)) is None
    new = edited(data, removing(finding, LineIndex.of(data)))
    assert new == kernel(after) and analysed(new).findings == ()


def test_a_comment_with_some_work_stays() -> None:
    data = kernel("    out[i] = in[8 * i];  // warpcost: ignore[WC101, WC201]")
    (finding,) = analysed(data).findings
    assert finding.message == "this comment does not suppress WC201 here"
    assert removing(finding, LineIndex.of(data)) is None


FILE_TEXTS = {
    b"__global__ void k();\n": b"// warpcost: ignore-file[WC101]\n__global__ void k();\n",
    b"\r\nint x;\r\n": b"// warpcost: ignore-file[WC101]\r\n\r\nint x;\r\n",
    b"\xef\xbb\xbfint x;\n": b"\xef\xbb\xbf// warpcost: ignore-file[WC101]\nint x;\n",
    b"int x; // warpcost: ignore-file[WC301]\n": b"int x; // warpcost: ignore-file[WC301, WC101]\n",
    b"int x; // warpcost: ignore[WC301]\n": b"// warpcost: ignore-file[WC101]\nint x; // warpcost: ignore[WC301]\n",
    b"/* warpcost: ignore-file[WC101] */": None,
}


@pytest.mark.parametrize("before", FILE_TEXTS)
def test_a_rule_is_silenced_in_its_file(before: bytes) -> None:
    finding = Finding(CheckId("WC101"), Verdict.FAILS, Level.WARNING, Span(FileId("a.cu"), 0, 3), "")
    fix = silencing_file(finding, LineIndex.of(before))
    after = None if fix is None else applied(before, fix.edits[0])
    assert after == FILE_TEXTS[before]
