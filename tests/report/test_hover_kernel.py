"""The card of a kernel, whole: the figure of the standard, data-dependent loops, and what is odd or missing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis_core.expressions.bounds import KernelBounds, LineCost, MetricBound, Reason, SumBound, WarpBound
from analysis_core.expressions.expression import ZERO, Expression, add, ceil_div, integer, multiply, scale, symbol
from analysis_core.ir.nodes import LoopKind
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.profile.access_profile import KernelProfile
from analysis_core.report.findings.model import CheckId, Finding, Fix, KernelReport, LaunchReport, Level, Verdict
from analysis_core.report.hover_kernel import hover_kernel
from analysis_core.requests.facts import Divergence, SymbolInfo
from analysis_core.support.facts import Assumption
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.text.span import Span
from tests.report.bound_samples import WHEN, metric, transpose, withheld
from tests.report.samples import access, branch, by_data, case, facts, good, shared, span

LINES = {100: "line 36", 120: "line 17", 200: "line 42", 300: "line 43", 400: "line 35", 900: "main.cu:88"}


def where(place: Span) -> str:
    return f"[{LINES.get(place.start, place.start)}](#)"


def parameters(*names: str) -> tuple[SymbolInfo, ...]:
    return tuple(SymbolInfo(name, name, "trip" if name[0] == "T" else "parameter", span(120)) for name in names)


def kernel(
    known: KernelProfile, *others: KernelProfile, findings: tuple[Finding, ...] = (), name: str = "k"
) -> KernelReport:
    launches = tuple(LaunchReport(one, findings) for one in (known, *others))
    return KernelReport(name, None, span(0, 800), span(16, 17), launches, findings)


def card(known: KernelProfile, *others: KernelProfile, **changes: object) -> str:
    return hover_kernel(kernel(known, *others, **changes), Settings(), where)  # type: ignore[arg-type]


def tiled() -> KernelProfile:
    """The facts of the tiled transpose that its card speaks of."""
    load = good(
        text="in[(y + j)*w + x]", base="in", span=span(100), worst=5, times=integer(4), cases=(case("w % 8 == 0", 4),)
    )
    column = shared(text="tile[threadIdx.x][threadIdx.y + j]", times=integer(4))
    guard = branch(divergence=Divergence.BOUNDARY, text="x < w", times=integer(4), upper=integer(4))
    return facts(
        load, column, guard, block=(32, 8, 1), grid=("ceil_div(w, 32)", "ceil_div(h, 32)", "1"),
        symbols=parameters("w", "h"), bounds=transpose(),
        assumptions=(Assumption("`in`, `out` 256-byte aligned, no alias"), Assumption("sm_60+")),
    )  # fmt: skip


def padded() -> Finding:
    """What is found in its column, with a fix."""
    fix = Fix("pad `tile` to `[32][33]` · 124 -> 0 conflicts", ())
    return Finding(CheckId("WC201"), Verdict.FAILS, Level.WARNING, span(200), "", (), (fix,), 1.0)


def test_the_card_of_the_tiled_transpose() -> None:
    assert card(tiled(), findings=(padded(),), name="transpose") == (
        "**transpose** · most expensive warp: **32 sectors** (ideal), **124 bank conflicts**, no divergences\n"
        "\n"
        "| metric      | per warp | per block |    per launch | ideal per warp |\n"
        "|-------------|---------:|----------:|--------------:|---------------:|\n"
        "| sectors     |     = 32 |     = 256 |       = w*h/4 |             32 |\n"
        "| conflicts   |    = 124 |     = 992 | `= 31*w*h/32` |              0 |\n"
        "| divergences |      = 0 |       = 0 |           = 0 |              0 |\n"
        "\n"
        "`=` is exact. These figures hold when `w % 32 == 0 && h % 32 == 0`; otherwise at most 40 sectors, 8\n"
        "divergences.\n"
        "\n"
        "**Most to gain** (if w = h = 1024)\n"
        "1. [line 42](#) `tile[threadIdx.x][threadIdx.y + j]`: 32-way conflict x 4 · 100% of shared-memory traffic\n"
        "   Fix: pad `tile` to `[32][33]` · 124 -> 0 conflicts\n"
        "2. [line 36](#) `in[(y + j)*w + x]`: 4 sectors x 4 · 50% of sectors, already ideal\n"
        "\n"
        "Launch: block (32, 8), grid (ceil(w/32), ceil(h/32)), from [main.cu:88](#)\n"
        "Assumes: `in`, `out` 256-byte aligned, no alias · sm_60+\n"
    )


def sparse(upper: Expression | None) -> KernelProfile:
    """A loop that ends at something loaded from memory."""
    bound = WarpBound(
        upper, integer(8), ZERO, False, (), None if upper else Reason("the loop may run for ever", span(120))
    )
    total = SumBound(None, ZERO, False)
    loop = branch(120, kind=LoopKind.FOR, divergence=Divergence.POSSIBLE, text="k < rowptr[row + 1]", cause=by_data())
    found = (good(122, text="rowptr[row + 1]", span=span(122, 124)), access(130), loop)
    bounds = KernelBounds({"sectors": MetricBound("sectors", bound, total, total)})
    return facts(*found, symbols=parameters("rows", "T17"), bounds=bounds)


def test_a_loop_that_ends_by_data_is_named() -> None:
    text = card(sparse(add(integer(8), scale(65, symbol("T17")))), name="spmv")
    assert text.startswith(
        "**spmv** · most expensive warp: **<= 8 + 65*T17 sectors** · "
        "T17 = iterations of the loop at [line 17](#)\n"
        "T17 depends on `rowptr[row + 1]`, loaded from memory. To cap it, write `//@ loop_bound 64` above the\nloop.\n\n"
    )


def test_no_bound_names_what_prevents_it() -> None:
    text = card(sparse(None))
    assert text.startswith("**k** · most expensive warp: no bound on sectors\n")
    assert "No bound on sectors: the loop may run for ever ([line 17](#)).\n" in text
    known = facts(access(), bounds=KernelBounds({"sectors": withheld("sectors")}))
    assert "No bound on sectors: nothing bounds the loop ([line 17](#)). Add `//@ loop_bound 64`\n" in card(known)


def test_without_bounds_the_card_says_where_the_cost_goes() -> None:
    text = card(facts(access(), good()))
    assert text.startswith(
        "**k** · symbolic bounds are not computed yet\n\n**Most to gain**\n1. [line 36](#) `b[8*i]`: "
    )
    assert "|" not in text and "Launch: block 256, from [main.cu:88](#)" in text


def small() -> MetricBound:
    """12 sectors from n = 25 on, and three per started row below."""
    from analysis_core.expressions.bounds import BoundCase

    rows = scale(3, ceil_div(symbol("n"), integer(8)))
    cases = (BoundCase("n >= 25", integer(12), integer(12), True), BoundCase("n < 25", rows, rows, True))
    warp = WarpBound(integer(12), ZERO, ZERO, True, cases)
    total = SumBound(multiply(ceil_div(symbol("n"), integer(32)), integer(12)), ZERO, False)
    return MetricBound("sectors", warp, total, total, (), integer(12))


def test_small_sizes_are_a_case() -> None:
    known = facts(access(), symbols=parameters("n"), bounds=KernelBounds({"sectors": small()}))
    text = card(known)
    assert text.startswith("**k** · most expensive warp: **12 sectors** (ideal)\n")
    assert "These figures hold when `n >= 25`; otherwise 3*ceil(n/8)\nsectors." in text
    assert "| <= 12*ceil(n/32) |" in text


def test_assumptions_spell_bounds_too() -> None:
    stated = (Assumption("w % 32 == 0"), Assumption("h % 64 == 0"))
    bounds = KernelBounds({"conflicts": metric("conflicts", 124)})
    text = card(facts(shared(), symbols=parameters("w", "h"), bounds=bounds, assumptions=stated))
    assert "`= 31*w*h/32`" in text
    assert "`=` is exact.\n" in text


def test_names_in_conditions_are_those_of_the_source() -> None:
    shown = metric("sectors", 40, 32)
    info = (SymbolInfo("w", "p.w", "parameter", None), SymbolInfo("h", "h", "parameter", None))
    text = card(facts(access(), symbols=info, bounds=KernelBounds({"sectors": shown})))
    assert "when `p.w % 32 == 0 && h % 32 == 0`" in text


def test_long_bounds_are_cut_between_terms() -> None:
    many = add(*(scale(i + 1, symbol(f"size{i}")) for i in range(30)))
    names = parameters(*(f"size{i}" for i in range(30)))
    text = card(facts(access(), symbols=names, bounds=KernelBounds({"sectors": metric("sectors", many)})))
    assert text.startswith(
        "**k** · most expensive warp: **476160 sectors if size0 = size1 = size2 = size3 = 1024, ..**\n"
    )
    assert "| = 476160 (below) |" in text
    assert "sectors per warp = size0 + 2*size1 + " in text and "+ ...\n" in text
    assert all(len(line) <= 100 for line in text.splitlines())
    code = text[text.index("```text") : text.rindex("```")]
    assert all(len(line) <= 72 for line in code.splitlines())


def test_the_most_expensive_launch_speaks() -> None:
    cheap = facts(access(), bounds=KernelBounds({"sectors": metric("sectors", 4)}), block=(128, 1, 1))
    dear = facts(access(), bounds=KernelBounds({"sectors": metric("sectors", 8)}))
    for text in (card(cheap, dear), card(dear, cheap)):
        assert "**8 sectors**" in text.splitlines()[0]
        assert (
            "Launch: block 256, from [main.cu:88](#)\nAlso launched: block 128, from [main.cu:88](#): 4 sectors\n"
            in text
        )
    unbounded = facts(access(), bounds=KernelBounds({"sectors": withheld("sectors")}))
    assert "no bound on sectors" in card(dear, unbounded).splitlines()[0]


def test_steps_and_hidden_metrics() -> None:
    found = {name: metric(name, 7) for name in ("steps", "wavefronts", "excessive_sectors", "my_weight")}
    known = facts(access(), bounds=KernelBounds(found))
    text = card(known)
    assert "my_weight" in text and not any(word in text for word in ("steps", "wavefronts", "excessive"))
    assert "| steps " in hover_kernel(kernel(known), Settings(), where, steps=True)


def test_a_kernel_that_failed() -> None:
    failed = replace(kernel(facts()), launches=(), failure="ValueError: x")
    assert hover_kernel(failed, Settings(), where) == "**k** · not analysed: ValueError: x\n"
    assert "nothing that is counted" in card(facts(bounds=KernelBounds({})))


@pytest.mark.parametrize("metric_name", ["sectors", "conflicts", "divergences"])
def test_places_that_no_fact_knows_are_shown_with_their_cost(metric_name: str) -> None:
    place = LineCost(span(610), "made by a macro", integer(12))
    bounds = KernelBounds({metric_name: metric(metric_name, 12, None, (place,))})
    text = card(facts(access(), shared(), bounds=bounds))
    assert "1. [610](#) `made by a macro`: 12 " in text
    assert WHEN not in text


def test_divisions_by_values_of_the_run_are_told() -> None:
    def told(index: str) -> str:
        text = (
            "//@ launch block=(256) grid=(4)\n__global__ void k(float *out, const float *in, int w, int h)"
            f" {{ int i = threadIdx.x; out[i] = in[{index}]; }}\n"
        )
        report = analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), Settings(), strict=True)
        return hover_kernel(report.kernels[0], Settings(), where)

    said = "Integer divisions and remainders by values of the run are about "
    assert said in told("(i / (w * h) % 3 * h + i / w % h) * w + i % w")
    assert said not in told("i / 8 * w + i % 8 + h")
