"""Features on real reports, without the protocol: macros, several launches, templates, half a kernel."""

from __future__ import annotations

from dataclasses import replace

from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.cards import hover
from analysis_core.report.findings.model import FileReport, LaunchReport
from analysis_core.report.hints import LONGEST
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.text.line_index import LineIndex
from analysis_core.text.span import Span
from lsp_server.analyse import Job, analyse
from lsp_server.answers import Answer, Parts
from lsp_server.documents import Document
from lsp_server.features.code_actions import actions, fixable
from lsp_server.features.code_lens import lens_line, lens_places
from lsp_server.features.diagnostics import squiggles
from lsp_server.features.inlay_hints import WIDTH, inlays, kernel_inlays
from lsp_server.options import EditorOptions
from lsp_server.view import Known, View
from tests.server.bounded_server import bounded

PATH = "a.cu"

MACRO = b"""#define KERNEL(name, type) \\
    __global__ void name(type *a) { a[8 * threadIdx.x] = a[16 * threadIdx.x]; }
KERNEL(one, float)
KERNEL(two, double)
void run(float *a, double *b) { one<<<1, 64>>>(a); two<<<1, 64>>>(b); }
"""

LAUNCHES = b"""template <int N> __global__ void k(float *a) { a[N * threadIdx.x] = 0; }
void run(float *a) {
    k<2><<<1, 256>>>(a);
    k<8><<<1, 256>>>(a);
    k<8><<<1, 128>>>(a);
}
"""


def report_of(data: bytes, with_bounds: bool = True) -> FileReport:
    """The report with bounds made by hand, or with none."""
    report = analyse_file(PATH, MemoryFiles({PATH: data}), Settings(), strict=True)

    def changed(launch: LaunchReport) -> LaunchReport:
        known = bounded(launch.facts) if with_bounds else replace(launch.facts, bounds=None)
        return LaunchReport(replace(launch.profile, facts=known), launch.findings)

    kernels = tuple(replace(k, launches=tuple(map(changed, k.launches))) for k in report.kernels)
    return replace(report, kernels=kernels)


def seen(data: bytes, report: FileReport, now: bytes | None = None) -> View:
    """The report of a text as it is seen from another one, into which it was edited."""
    index = LineIndex.of(data)
    document = Document("file:///a.cu", PATH, 2, index if now is None else LineIndex.of(now), 2)
    return View.of(document, Known(Answer(report, Settings()), index, 1))


def where(span: Span) -> str:
    return f"{span.file}:{span.start}"


def card_at(report: FileReport, data: bytes, needle: bytes) -> str:
    card = hover(PATH, report, Settings(), data.index(needle), where)
    return "" if card is None else card.markdown


def test_kernels_that_a_macro_makes() -> None:
    report, index = report_of(MACRO), LineIndex.of(MACRO)
    assert [MACRO[s.start : s.end] for s in lens_places(PATH, report)] == [b"one", b"two"]
    assert card_at(report, MACRO, b"one, float").startswith("**one** ")
    found = list(inlays(seen(MACRO, report), report))
    assert len({inlay.offset for inlay in found}) == len(found) > 0
    assert all(index.line_of(inlay.offset) in (2, 3, 4) for inlay in found)
    assert [a.title for a in actions(PATH, report, index, 0, len(MACRO)) if "loop_bound" in a.title] == []


def test_the_most_expensive_instantiation_and_launch_speak() -> None:
    report = report_of(LAUNCHES)
    (place,) = lens_places(PATH, report)
    line = lens_line(PATH, report, Settings(), place.start, where, steps=False)
    assert line is not None and line.title.endswith(" | most of 2 instantiations")
    (inlay,) = kernel_inlays(seen(LAUNCHES, report), report, where, steps=False)
    assert inlay.label in line.shorter and inlay.offset == LAUNCHES.index(b"\n")
    (remark,) = inlays(seen(LAUNCHES, report), report)
    assert remark.label == "32 sectors (8x)", "the worst of all"
    card = card_at(report, LAUNCHES, b"k(float")
    assert card.startswith("**k<") and "Launch: block " in card


def test_the_line_of_a_kernel_is_as_long_as_its_code_leaves_room() -> None:
    def label(parameters: bytes) -> tuple[str, int]:
        data = LAUNCHES.replace(b" void k(float *a) {", b" void\nk(float *a" + parameters + b") {\n", 1)
        report = report_of(data)
        (inlay,) = kernel_inlays(seen(data, report), report, where, steps=False)
        return inlay.label, inlay.offset - data.rindex(b"\n", 0, inlay.offset) + len(inlay.label)

    labels = {}
    for length in range(0, 80, 5):
        text, end = label(b", int " + b"n" * (length + 1))
        labels[text] = length
        assert end <= WIDTH or len(text) <= LONGEST
    assert len(labels) >= 2 and min(map(len, labels)) <= LONGEST
    assert sorted(labels, key=len, reverse=True) == list(labels)
    assert label(b", int\t\t\t\tn")[0] == label(b", int" + b" " * 25 + b"n")[0], "a tab is as wide as it is drawn"


def test_nothing_is_shown_of_bounds_that_were_not_sought() -> None:
    report = report_of(LAUNCHES, with_bounds=False)
    assert lens_places(PATH, report) == ()
    assert lens_line(PATH, report, Settings(), LAUNCHES.index(b"k("), where, steps=False) is None
    assert not list(kernel_inlays(seen(LAUNCHES, report), report, where, steps=False))
    assert "symbolic bounds are not computed yet" in card_at(report, LAUNCHES, b"k(float")


def test_what_stands_beside_the_text_moves_along_with_an_edit() -> None:
    report = report_of(LAUNCHES)
    first, rest = LAUNCHES.split(b"\n", 1)
    for longer in (b"// more\n" + LAUNCHES, first + b"  // longer\n" + rest, LAUNCHES + b"// more\n"):
        view = seen(LAUNCHES, report, longer)
        (remark,) = inlays(view, report)
        (inlay,) = kernel_inlays(view, report, where, steps=False)
        assert remark.offset == inlay.offset == longer.index(b"\n", longer.index(b"k(float"))
        assert LAUNCHES[remark.about :].startswith(b"a[N * threadIdx.x]")
        (place,) = lens_places(PATH, report)
        assert longer[view.now(place).start :].startswith(b"k(float")
    other = LAUNCHES.replace(b"N * threadIdx", b"N * 2 * threadIdx")
    assert list(inlays(seen(LAUNCHES, report, other), report)) == [], "what is edited is left out"


def test_half_a_kernel_and_no_kernel_show_nothing() -> None:
    for data in (b"", b"__global__ void k(", b"int main() { return 0; }\n"):
        report, index = report_of(data), LineIndex.of(data)
        assert list(inlays(seen(data, report), report)) == []
        assert [a for a in actions(PATH, report, index, 0, len(data)) if not a.title.startswith("Silence")] == []


def test_a_conflict_can_be_put_right_or_silenced() -> None:
    data = b"""__global__ void turn(float *out, const float *in) {
    __shared__ float tile[32][32];
    tile[threadIdx.y][threadIdx.x] = in[32 * threadIdx.y + threadIdx.x];
    __syncthreads();
    out[32 * threadIdx.y + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}
void run(float *a, float *b) { turn<<<1, dim3(32, 32)>>>(a, b); }
"""
    parts = Parts()
    first = parts.take(analyse(Job("turn.cu", {"turn.cu": data}, EditorOptions())), frozenset())
    at = data.index(b"tile[threadIdx.x]")
    wanted = fixable("turn.cu", parts.whole(first), LineIndex.of(data), at, at)
    report = parts.whole(
        parts.take(analyse(Job("turn.cu", {"turn.cu": data}, EditorOptions(), fix=wanted)), frozenset())
    )
    pad, *others = actions("turn.cu", report, LineIndex.of(data), at, at)
    written, silence = others[-2:]
    assert written.title == "Write the present cost as a contract: `expect conflicts <= 31, expect sectors <= 4`"
    assert pad.title == "Pad `tile` to [32][33]: 32-way bank conflict -> none"
    assert silence.title == "Silence WC201 on this line"
    for action in (pad, silence):
        (edit,) = action.edits
        edited = data[: edit.span.start] + edit.text.encode() + data[edit.span.end :]
        assert analyse(Job("turn.cu", {"turn.cu": edited}, EditorOptions())).report.is_clean


def test_what_is_not_analysed_is_one_row_of_a_file() -> None:
    text = "".join(f"__global__ void k{n}(float *a) {{ unknown_{n}(a); a[8 * threadIdx.x] = 1; }}\n" for n in range(3))
    report = analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), Settings(block=(256, 1, 1)))
    assert sum(finding.check == "WC900" for finding in report.findings) == 3
    (row,) = (one for one in squiggles("k.cu", report) if one.code == "WC900")
    assert "unknown_0" in row.message and row.message.endswith("\nand 2 more places of this file")
    assert [part in text for (_, text), part in zip(row.related[-2:], ("unknown_1", "unknown_2"), strict=True)] == [
        True,
        True,
    ]
