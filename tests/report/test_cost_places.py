"""What there is to gain: places by what could be saved, those of findings always, and why dear ones are not reported."""

from __future__ import annotations

from dataclasses import replace

from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.profile.evidence import Evidence
from analysis_core.report.cards import hover
from analysis_core.report.cost_places import MOST, CostPlace, by_gain, cost_places, most_to_gain, once, unreported
from analysis_core.report.findings.model import (
    Asked,
    CheckId,
    Finding,
    KernelReport,
    LaunchReport,
    Level,
    Reason,
    Verdict,
)
from analysis_core.report.hover_kernel import hover_kernel
from analysis_core.report.kernel_line import lens
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.text.span import Span
from tests.report.samples import access, facts, shared, span


def where(place: Span) -> str:
    return f"line {place.start}"


def silent(code: str, start: int, gain: float, gate: str, text: str = "because") -> Asked:
    fact = access(start).fact
    return Asked(CheckId(code), fact.span, fact.text, None, (Reason(gate, Evidence.SEEN, text, True, None),), gain=gain)


def finding(code: str, start: int, share: float, *fellows: int, level: Level = Level.WARNING) -> Finding:
    others = tuple(map(span, fellows))
    return Finding(CheckId(code), Verdict.FAILS, level, span(start), "", share=share, fellows=others)


def told(code: str, start: int, gain: float, along: int | None = None) -> Asked:
    fact = access(start).fact
    return Asked(
        CheckId(code), fact.span, fact.text, Level.WARNING, (), None, None if along is None else span(along), gain
    )


def kernel_of(*asked: Asked, findings: tuple[Finding, ...] = (), hints: tuple[Finding, ...] = ()) -> KernelReport:
    found = (access(start) for start in range(100, 100 + 10 * 12, 10))
    launch = LaunchReport(facts(*found, shared(500)), (*findings, *hints), asked)
    return KernelReport("k", None, span(0, 800), span(16, 17), (launch,), findings)


def listed(kernel: KernelReport) -> list[tuple[int, str]]:
    places = cost_places(kernel, kernel.launches[0], Settings())
    return [(place.span.start, str(place.code or place.unreported)) for place in places]


def test_the_order_is_what_can_be_saved_of_whatever_metric() -> None:
    found = (finding("WC101", 100, 0.9), finding("WC201", 500, 0.2), finding("WC101", 110, 0.05))
    asked = (told("WC101", 100, 0.1), told("WC201", 500, 0.3), told("WC101", 110, 0.02))
    kernel = kernel_of(*asked, findings=found)
    assert listed(kernel)[:3] == [(500, "WC201"), (100, "WC101"), (110, "WC101")]
    best = most_to_gain(kernel, kernel.launches[0], Settings())
    assert best is not None and best.span == span(500)
    assert best.share_texts() == ("20% of shared-memory traffic", "the ideal saves about 30% of the work")
    assert [one.span.start for one in by_gain(kernel)] == [500, 100, 110]


def test_what_the_work_is_is_said_once_and_only_where_a_share_is_of_it() -> None:
    found = (finding("WC101", 100, 0.9), finding("WC201", 500, 0.2))
    kernel = kernel_of(told("WC101", 100, 0.1), told("WC201", 500, 0.3), findings=found)
    assert hover_kernel(kernel, Settings(), where).count("Work: an estimate of all") == 1
    assert "Work:" not in hover_kernel(kernel_of(findings=found), Settings(), where)


def test_rows_that_read_the_same_are_one() -> None:
    places = (
        CostPlace("sectors", span(100), "c ? a[i] : a[i]", "4 sectors", 0.2, False),
        CostPlace("sectors", span(110), "c ? a[i] : a[i]", "4 sectors", 0.3, False),
        CostPlace("sectors", span(120), "b[i]", "4 sectors", 0.1, False),
    )
    rows = list(once(places, lambda place: "line 9"))
    assert [(row.text, round(row.share, 3)) for row in rows] == [("c ? a[i] : a[i]", 0.5), ("b[i]", 0.1)]
    assert len(list(once(places, where))) == 3


def test_places_of_one_finding_are_one_and_its_gain_is_of_all() -> None:
    asked = (told("WC101", 100, 0.1), told("WC101", 110, 0.2, along=100), told("WC101", 120, 0.15))
    kernel = kernel_of(*asked, findings=(finding("WC101", 100, 0.5, 110), finding("WC101", 120, 0.3)))
    first, second, *_ = cost_places(kernel, kernel.launches[0], Settings())
    assert (first.span, first.others, round(first.gain, 3)) == (span(100), 1, 0.3)
    assert (second.span, second.others) == (span(120), 0)


def test_findings_are_listed_however_many_there_are() -> None:
    starts = range(100, 100 + 10 * (MOST + 3), 10)
    kernel = kernel_of(findings=tuple(finding("WC101", start, 0.1) for start in starts))
    assert [start for start, _ in listed(kernel)] == list(starts)


def test_a_dear_place_without_a_finding_says_why_there_is_none() -> None:
    kernel = kernel_of(silent("WC101", 110, 0.3, "only memory", "it is expensive for some data only"))
    assert (110, "it is expensive for some data only") in listed(kernel)
    assert most_to_gain(kernel, kernel.launches[0], Settings()) is None
    assert "not reported: it is expensive for some data only" in hover_kernel(kernel, Settings(), where)


def test_small_losses_of_a_metric_are_one_line_with_their_part_of_the_work() -> None:
    kernel = kernel_of(
        told("WC101", 100, 0.4),
        silent("WC201", 500, 0.03, "hidden", "served while the warp waits"),
        findings=(finding("WC101", 100, 0.4),),
    )
    places = cost_places(kernel, kernel.launches[0], Settings())
    (one,) = unreported(kernel, kernel.launches[0], places)
    assert (one.metric, one.gain, one.span, one.reason) == ("conflicts", 0.03, span(500), "served while the warp waits")
    card = hover_kernel(kernel, Settings(), where)
    assert "Not reported: line 500: conflicts, 3% of the work (served while the warp waits)" in card


def test_what_others_use_or_a_comment_silences_is_no_gain() -> None:
    spared = kernel_of(silent("WC101", 110, 0.3, "spared"))
    assert all(code != "because" for _, code in listed(spared)) and not unreported(spared, spared.launches[0], ())
    silenced = replace(kernel_of(told("WC101", 110, 0.3), findings=(finding("WC101", 110, 0.3),)), findings=())
    assert 110 not in [start for start, _ in listed(silenced)]


def test_a_hint_that_nobody_asked_for_is_not_reported() -> None:
    kernel = kernel_of(
        replace(silent("WC101", 110, 0.3, "only memory"), level=Level.HINT),
        hints=(finding("WC101", 110, 0.3, level=Level.HINT),),
    )
    assert (110, "because") in listed(kernel)


CODE = """\
__global__ void k(float *out, const float *in, int n) {
    __shared__ float tile[32][32];
    int lane = threadIdx.x % 32;
    tile[threadIdx.y][threadIdx.x] = in[blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 32; i++) sum += tile[threadIdx.x][i];
    if (lane == 0 && sum > 0) out[n] = sum;
    out[(blockIdx.x * 1024 + threadIdx.y * 32 + threadIdx.x) * 2] = sum;
}
void launch(float *out, const float *in, int n) { k<<<64, dim3(32, 32)>>>(out, in, n); }
"""


def test_the_lens_names_a_line_that_a_finding_is_on() -> None:
    files = MemoryFiles({"a.cu": CODE.encode()})
    report = analyse_file("a.cu", files, Settings())
    (kernel,) = report.kernels

    def line(place: Span) -> str:
        return f"line {CODE.encode()[: place.start].count(10) + 1}"

    shown = lens(kernel, Settings(), line)
    assert shown is not None and shown.title.endswith("most to gain: line 7")
    assert "line 8" not in hover_kernel(kernel, Settings(), line)  # one lane does a little work: nothing to gain
    found = [line(f.span) for f in kernel.findings]
    assert found[0] == "line 7"
    assert {line(p.span) for p in cost_places(kernel, kernel.launches[0], Settings())} >= set(found)


def test_cards_of_accesses_say_the_share_of_their_finding() -> None:
    files = MemoryFiles({"a.cu": TWO.encode()})
    report = analyse_file("a.cu", files, Settings())
    (found,) = [one for one in report.findings if one.check == "WC101"]
    assert found.share is not None and len(found.fellows) == 1
    card = hover("a.cu", report, Settings(), found.span.start, where)
    told = f"{round(100 * found.share)}% with 1 more access of this pattern"
    assert card is not None and told in card.markdown and f"{round(100 * found.share)}% of this kernel" in found.message


TWO = """\
__global__ void k(float *out, const float *in) {
    int i = blockIdx.x * 256 + threadIdx.x;
    out[i] = in[i * 32] + in[i * 32 + 4096 * 4096];
}
void launch(float *out, const float *in) { k<<<64, 256>>>(out, in); }
"""
