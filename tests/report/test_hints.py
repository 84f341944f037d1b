"""Remarks at line ends and lines above kernels: their exact words, their length, and where they stay away."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis_core.expressions.bounds import KernelBounds
from analysis_core.expressions.expression import add, ceil_div, integer, scale, symbol
from analysis_core.ir.nodes import LoopKind
from analysis_core.ir.types import Space
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.profile.access_profile import AccessProfile, BranchProfile, KernelProfile
from analysis_core.report.cards import hover
from analysis_core.report.findings.model import KernelReport, LaunchReport
from analysis_core.report.hints import LONGEST, access_label, branch_label, factor, hints
from analysis_core.report.kernel_line import kernel_text, lens
from analysis_core.requests.facts import ArmRuns, BranchRuns, Divergence, SizeCases
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.text.span import Span
from tests.report.bound_samples import metric, withheld
from tests.report.samples import access, branch, by_data, case, facts, good, our_limit, shared, span
from tests.report.test_hover_kernel import kernel, padded, tiled

ROUNDS = ceil_div(symbol("n"), integer(256))
SPREAD = BranchRuns(8, 8, 0, (ArmRuns(8, 128, 4, 8),))


def labels(*found: AccessProfile | BranchProfile, **changes: object) -> list[str]:
    known = facts(*found, **changes)
    return [hint.label for hint in hints([known], Settings(), lambda place: place.start // 100)]


def loop(**changes: object) -> BranchProfile:
    settled: dict[str, object] = {
        "kind": LoopKind.FOR, "divergence": Divergence.NEVER, "spread": 0, "rounds": ROUNDS, "whole": span(400, 600),
    }  # fmt: skip
    return branch(400, **{**settled, **changes})


@pytest.mark.parametrize(
    ("fact", "label"),
    [
        (access(), "32 sectors (8x)"),
        (access(exact=False, best=4), "up to 32 sectors (8x)"),
        (access(exact=False, best=4, sizes=SizeCases("h", 32, 8, 4, 1)), "32 sectors (8x)"),
        (access(worst=10), "10 sectors (2.5x)"),
        (shared(), "32-way conflict"),
        (shared(exact=False, best=1), "up to 32-way conflict"),
        (shared(ideal=2, bytes=8), "32 wavefronts (16x)"),
        (access(worst=8, best=4, cases=(case("w % 8 == 0", 4),)), "8 sectors, 4 if w % 8 == 0"),
        (access(worst=8, best=4, cases=(case("width_of_all * height_of_all % 8 == 0", 4),)), "8 sectors (2x)"),
        (access(worst=5, best=4, cases=(case("w % 8 == 0", 4),)), None),
        (access(exact=False, best=1, cause=by_data("`idx[i]` is loaded from memory")), "up to 32 sectors (idx[i] decides)"),
        (access(exact=False, best=1, cause=by_data("`index_of_row[row + 1]` is loaded from memory")), "up to 32 sectors (depends on data)"),
        (access(exact=False, best=1, cause=our_limit()), None),
        (access(worst=5, best=5), None),  # one sector too many, and nothing to do about it
        (good(), None),
        (access(space=Space.LOCAL), None),
    ],
)  # fmt: skip
def test_labels_of_accesses(fact: AccessProfile, label: str | None) -> None:
    assert access_label(fact) == label
    assert label is None or len(label) <= LONGEST


def test_labels_of_branches_and_loops() -> None:
    assert branch_label(branch(runs=SPREAD)) == "diverges: 16 of 32 active"
    assert branch_label(branch(divergence=Divergence.POSSIBLE, active=(1, 31))) == "may diverge: 1-31 of 32 active"
    assert branch_label(branch(divergence=Divergence.BOUNDARY)) is None
    assert branch_label(branch(divergence=Divergence.NEVER)) is None
    assert labels(loop(divergence=Divergence.BOUNDARY)) == [], "nothing is lost in it"
    assert labels(loop(divergence=Divergence.POSSIBLE)) == ["ceil(n/256) times per warp"]
    assert labels(loop(), access(450)) == ["ceil(n/256) times per warp", "32 sectors (8x)"]
    assert labels(loop(), good(450)) == [], "nothing is lost in it"
    assert labels(loop(rounds=integer(5)), access(550)) == ["32 sectors (8x)"]
    assert labels(loop(rounds=None), access(550)) == ["32 sectors (8x)"]
    long = add(*(symbol(f"size{i}") for i in range(9)))
    assert labels(loop(rounds=long, divergence=Divergence.POSSIBLE)) == []


def test_one_hint_per_statement_the_worst_of_all_launches() -> None:
    assert labels(access(110, worst=16, best=16), access(120), good(130), access(210)) == ["32 sectors (8x)"] * 2
    mild, bad = facts(access(worst=16, best=16)), facts(access())
    (hint,) = hints([mild, bad, mild], Settings(), lambda place: 0)
    assert hint.label == "32 sectors (8x)" and hint.span == span(100)


def test_factors() -> None:
    assert [factor(32, 4), factor(5, 4), factor(10, 4), factor(7, 2), factor(3, 0)] == [
        "8x",
        "1.2x",
        "2.5x",
        "3.5x",
        "3x",
    ]


LINES = {100: "line 36", 120: "line 17", 200: "line 42", 300: "line 43", 400: "line 35", 900: "main.cu:88"}


def where(place: Span) -> str:
    return LINES.get(place.start, "?")


def one(known: KernelProfile) -> KernelReport:
    return KernelReport("k", None, span(0, 800), span(16, 17), (LaunchReport(known),), ())


def test_the_lens_of_the_tiled_transpose() -> None:
    line = lens(kernel(tiled(), findings=(padded(),)), Settings(), where)
    assert line is not None and line.worst == span(200)
    assert line.title == "warp: 32 sectors (ideal) | 124 conflicts | most to gain: line 42"
    assert line.shorter == (
        "warp: 32 sectors (ideal) | 124 conflicts",
        "warp: 32 sectors | 124 conflicts",
        "warp: 32 sectors …",
        "32 sectors …",
    )
    assert kernel_text(kernel(tiled()), Settings()) == (
        "32 sectors (ideal), 124 bank conflicts, no divergences per warp, when w % 32 == 0 && h % 32 == 0; "
        "w*h/4 sectors, 31*w*h/32 conflicts per launch"
    )


def test_lenses_of_odd_kernels() -> None:
    assert lens(one(facts(access())), Settings(), where) is None
    assert kernel_text(one(facts(access())), Settings()) is None
    none = KernelReport("k", None, span(0, 800), span(16, 17), (), ())
    assert lens(none, Settings(), where) is None
    nothing = facts(good(), bounds=KernelBounds({"divergences": metric("divergences", 0)}))
    line = lens(one(nothing), Settings(), where)
    assert line is not None and (line.title, line.worst) == ("warp: nothing lost", None)
    stuck = facts(good(), bounds=KernelBounds({"sectors": withheld("sectors")}))
    line = lens(one(stuck), Settings(), where)
    assert line is not None and line.title == "warp: no bound on sectors (line 17)"
    assert kernel_text(one(stuck), Settings()) == "no bound on sectors per warp; nothing bounds the loop"
    single = facts(shared(), bounds=KernelBounds({"conflicts": metric("conflicts", 1)}))
    line = lens(one(single), Settings(), where)
    assert line is not None and line.title == "warp: 1 conflict"
    short = replace(metric("sectors", 64), ideal=integer(8))
    line = lens(one(facts(access(), bounds=KernelBounds({"sectors": short}))), Settings(), where)
    assert line is not None and line.title == "warp: 64 sectors (ideal 8)"
    many = add(*(scale(i + 1, symbol(f"size{i}")) for i in range(30)))
    line = lens(one(facts(access(), bounds=KernelBounds({"sectors": metric("sectors", many)}))), Settings(), where)
    assert line is not None and line.title == "warp: 476160 sectors if size0 = size1 = size10 = size11 = 1024, .."


PASSED = """\
__global__ void k(float *out, int P) { out[blockIdx.x * P + threadIdx.x * 4] = 1; }
void launch(float *out) { k<<<64, 32>>>(out, 1024); }
"""


def test_hints_are_for_the_numbers_that_launches_pass_as_findings_and_cards_are() -> None:
    report = analyse_file("a.cu", MemoryFiles({"a.cu": PASSED.encode()}), Settings())
    (found,) = [one for one in report.findings if one.check == "WC101"]
    assert "touches 16 sectors" in found.message
    profiles = (launch.profile for one in report.kernels for launch in one.launches)
    assert [one.label for one in hints(profiles, Settings(), lambda span: span)] == ["16 sectors (4x)"]
    card = hover("a.cu", report, Settings(), found.span.start, where)
    assert card is not None and "16 for `P` = 1024, which launches pass; up to 17 for others" in card.markdown
    assert "otherwise" not in card.markdown
