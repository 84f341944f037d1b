"""What is decided under stated assumptions is decided so for every size that they allow."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis_core.interp.core.events import Events
from analysis_core.interp.interpret import interpret
from analysis_core.pipeline.pipeline import analyse_file, load
from analysis_core.program.launch import choose_launches
from analysis_core.report.findings.model import LaunchReport
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings

Array = np.ndarray
GRID_STEP = 8  # blocks of 32 threads every 8 elements: lanes overlap, so that cuts go through warps

_SIZES = np.arange(0, 27)
ns, ws, ms = (a.reshape(-1, 1) for a in np.meshgrid(_SIZES, _SIZES, _SIZES, indexing="ij"))
LANE = np.arange(32).reshape(1, -1)


def ceil_div(a: Array, b: int) -> Array:
    return -(-a // b)


def _conditions(k: int, c: int) -> list[tuple[str, Array]]:
    """Conditions in the language of annotations, and which sizes satisfy them."""
    return [
        (f"n % {k} == {c % k}", ns % k == c % k),
        (f"n == {k} * m", ns == k * ms),
        (f"n + m <= {c}", ns + ms <= c),
        (f"{k} * n >= m + {c}", k * ns >= ms + c),
        (f"ceil(n / {k}) == w", ceil_div(ns, k) == ws),
        (f"n / {k} < m", ns // k < ms),
        (f"(n & 7) == {c % 8} && w > 1", (ns % 8 == c % 8) & (ws > 1)),
        (f"(n + m) % {k} != {c % k}", (ns + ms) % k != c % k),
        (f"ceil_div(m, {k}) * {k} == m", ceil_div(ms, k) * k == ms),
        ("n < w", ns < ws),
        ("!(n < w || m < w)", ~((ns < ws) | (ms < ws))),
        (f"n % {k} == {c % k} || n == {c}", (ns % k == c % k) | (ns == c)),
        ("n < w || m < w || w > n + m", (ns < ws) | (ms < ws) | (ws > ns + ms)),
        (f"n == {k} || n == {3 * k} || n < 0", (ns == k) | (ns == 3 * k)),
        ("w == m", ws == ms),
        ("n != w", ns != ws),
        ("m == min(n, w)", ms == np.minimum(ns, ws)),
        ("n - w == max(m, 3)", np.maximum(ms, 3) == ns - ws),
        ("n", ns != 0),
        ("gridDim.x <= m", ceil_div(ns, GRID_STEP) <= ms),
    ]


def _tests(b: Array, c: int) -> list[tuple[str, Array]]:
    """Conditions in CUDA, and for which sizes and lanes they hold in block b."""
    x = GRID_STEP * b + LANE
    unsigned = 1 << 32
    return [
        ("x < n", x < ns),
        ("x + w >= n", x + ws >= ns),
        ("n - m > (int)threadIdx.x", ns - ms > LANE),
        ("n == w", np.broadcast_to(ns == ws, x.shape)),
        ("n * 2 - m < x", ns * 2 - ms < x),
        ("n - w >= 0 && (n - w) / 2 < m", np.broadcast_to((ns - ws >= 0) & ((ns - ws) // 2 < ms), x.shape)),
        (f"(unsigned)n - (unsigned)m < {c}u", np.broadcast_to((ns - ms) % unsigned < c, x.shape)),
        (f"(n + m) % 8 == {c % 8}", np.broadcast_to((ns + ms) % 8 == c % 8, x.shape)),
        ("(int)gridDim.x > w", np.broadcast_to(ceil_div(ns, GRID_STEP) > ws, x.shape)),
        ("(int)blockIdx.x * 8 < n", np.broadcast_to(b * GRID_STEP < ns, x.shape)),
    ]


def events_of(text: str) -> Events:
    _, module = load("a.cu", MemoryFiles({"a.cu": text.encode()}), Settings(), strict=True)
    (kernel,) = module.kernels
    assert kernel.annotations.rejected == ()
    return interpret(kernel, choose_launches(kernel, Settings())[0], Settings())


@settings(max_examples=40, deadline=None)
@given(st.data(), st.integers(2, 9), st.integers(0, 40))
def test_decisions_hold_for_all_sizes_that_are_assumed(data: st.DataObject, k: int, c: int) -> None:
    chosen = data.draw(st.lists(st.sampled_from(_conditions(k, c)), min_size=1, max_size=3))
    index = data.draw(st.integers(0, len(_tests(np.zeros_like(ns), c)) - 1))
    block = data.draw(st.integers(0, 5))
    tested, truth = _tests(np.full_like(ns, block), c)[index]
    lines = "".join(f"//@ assume {text}\n" for text, _ in chosen)
    events = events_of(
        f"//@ launch block=(32) grid=(ceil(n / {GRID_STEP}))\n{lines}"
        "__global__ void k(float *a, int n, int w, int m) {\n"
        f"    int x = blockIdx.x * {GRID_STEP} + threadIdx.x;\n    if ({tested}) a[x] = 1;\n}}\n"
    )
    allowed = (block < ceil_div(ns, GRID_STEP)) & np.logical_and.reduce([holds for _, holds in chosen])
    allowed = allowed[:, 0]
    if events.rejected:
        if len(events.rejected) == 1 and len(chosen) == 1 and "contradicts" in events.rejected[0].reason:
            assert not allowed.any()
        return
    branch = events.branches[-1]
    (condition,) = branch.conditions
    if len(events.branches) > 1:
        return  # && became a branch of its own
    rows = np.broadcast_to(truth, (len(ns), 32))[allowed]
    assert rows[:, condition.true].all(), "decided true"
    assert not rows[:, condition.false].any(), "decided false"


def launches(text: str, **options: object) -> tuple[LaunchReport, ...]:
    report = analyse_file("a.cu", MemoryFiles({"a.cu": text.encode()}), Settings(**options), strict=True)  # type: ignore[arg-type]
    (kernel,) = report.kernels
    return kernel.launches


KERNEL = "__global__ void k(float *a, int n) { a[blockIdx.x * n + threadIdx.x] = n; }\n"
HOST = "void run(float *a, int n) { k<<<4, 64>>>(a, n); }\n"


def test_annotations_come_after_options_and_before_calls() -> None:
    stated = "//@ launch block=(128) grid=(ceil(n / 128), 2)\n//@ launch block=(32, 4)\n"
    first, second = launches(stated + KERNEL + HOST)
    assert (first.facts.source, first.facts.block) == ("annotation", (128, 1, 1))
    assert first.facts.grid == ("ceil_div(n, 128)", "2", "1")
    assert (second.facts.source, second.facts.block, second.facts.grid) == ("annotation", (32, 4, 1), None)
    (option,) = launches(stated + KERNEL + HOST, block=(64, 1, 1))
    assert (option.facts.source, option.facts.grid) == ("option", None)
    (called,) = launches(KERNEL + HOST)
    assert (called.facts.source, called.facts.grid) == ("call", ("4", "1", "1"))
    (one,) = launches(stated + KERNEL, launch_configurations=1)
    assert one.facts.block == (128, 1, 1)
    further = (
        "not analysed: 1 of 2 launches of this kernel, the first with block 32x4, since `launch-configurations` is 1"
    )
    assert further in [assumption.text for assumption in one.facts.assumptions]


def test_every_assumption_is_listed_with_its_place() -> None:
    text = "//@ assume n % 4 == 0 && n > 8\n//@ aligned(a, 512)\n" + KERNEL
    (launch,) = launches(text)
    listed = {a.text: a.span for a in launch.facts.assumptions}
    for part in ("n % 4 == 0", "n > 8", "aligned(a, 512)"):
        span = listed[part]
        assert span is not None and text[span.start : span.end] == part


@pytest.mark.parametrize(
    ("assumed", "worst"),
    [("n % 8 == 0", 4), ("n % 4 == 0", 5), ("n == 64", 4), ("n == 63", 5), ("n == 8 * 3", 4), ("n > 5", 5)],
)
def test_what_is_assumed_of_a_pitch_changes_its_cost(assumed: str, worst: int) -> None:
    (launch,) = launches(f"//@ launch block=(32)\n//@ assume {assumed}\n{KERNEL}")
    assert [access.worst for access in launch.facts.accesses] == [worst]


def test_values_of_the_command_line_are_assumptions_too() -> None:
    report = analyse_file(
        "a.cu",
        MemoryFiles(
            {
                "a.cu": f"//@ assume n % 8 == 0\n//@ assume m == 2 * n\n{KERNEL.replace('int n', 'int n, int m')}".encode()
            }
        ),
        Settings(values={"n": 63}),
        strict=True,
    )
    assert [f.message for f in report.findings if f.check == "WC901"] == ["this contradicts what is known: `n` is 63"]


@pytest.mark.parametrize("change", [lambda s: s.replace("8", "4"), lambda s: s.replace("//@", "//")])
def test_a_change_of_a_comment_is_seen(change: Callable[[str], str]) -> None:
    text = f"//@ launch block=(32)\n//@ assume n % 8 == 0\n{KERNEL}"
    assert launches(text)[0].facts.accesses[0].worst == 4
    (changed,) = launches(change(text), block=(32, 1, 1))
    assert changed.facts.accesses[0].worst == 5


def test_members_of_structs_and_template_arguments_have_names() -> None:
    text = (
        "struct Size { int pitch; int rows; };\n"
        "//@ launch block=(32)\n//@ assume s.pitch % UNIT == 0 && s.rows > 2\n"
        "template <int UNIT> __global__ void k(float *a, Size s) { a[s.pitch * blockIdx.x + threadIdx.x] = 1; }\n"
        "void run(float *a, Size s) { k<8><<<1, 32>>>(a, s); }\n"
    )
    (launch,) = launches(text)
    assert launch.facts.accesses[0].worst == 4


def test_settings_assume_for_every_kernel_with_such_a_parameter() -> None:
    (launch,) = launches(KERNEL, assume=("n % 8 == 0 && m > 3", "n < 0"), block=(32, 1, 1))
    assert [access.worst for access in launch.facts.accesses] == [4]
    texts = [a.text for a in launch.facts.assumptions]
    assert "n % 8 == 0" in texts and not any("m > 3" in text for text in texts)
    assert "n < 0 (not used: this contradicts what is known: `n` >= 0, `n` % 8 == 0)" in texts
    assert all(finding.check.startswith("WC4") for finding in launch.findings)


_WORDS = st.sampled_from(
    ["n", "w", "p", "s.k", "T", "U", "gridDim.x", "blockIdx.y", "blockDim.x", "threadIdx.x", "0", "1", "7", "32", "4611686018427387903",
     "+", "-", "*", "/", "%", "<<", "&", "==", "!=", "<", ">=", "&&", "||", "!", "(", ")", ",", "ceil(", "min(", "ceil_div(n,"]
)  # fmt: skip
_LINES = st.one_of(
    st.builds("assume {}".format, st.lists(_WORDS, max_size=9).map(" ".join)),
    st.builds("launch block=({}) grid=({})".format, st.sampled_from(["32", "T", "n", "33, 31"]), st.lists(_WORDS, max_size=5).map(" ".join)),
    st.builds("loop_bound {}".format, st.lists(_WORDS, max_size=5).map(" ".join)),
    st.builds("aligned({}, {})".format, _WORDS, _WORDS),
)  # fmt: skip


@settings(max_examples=80, deadline=None)
@given(st.lists(_LINES, min_size=1, max_size=4))
def test_no_annotation_breaks_the_analysis(lines: list[str]) -> None:
    stated = "".join(f"//@ {line}\n" for line in lines)
    text = (
        "struct S { int k; float f; };\nconstexpr int U = 4;\n"
        f"{stated}template <int T> __global__ void k(float *p, int n, unsigned w, S s) {{\n{stated}"
        "    for (int i = threadIdx.x; i < n; i += T) if (i != (int)w) p[i * s.k] = n / U;\n}\n"
        "void run(float *p, S s) { k<8><<<1, 32>>>(p, 3, 4, s); }\n"
    )
    report = analyse_file("a.cu", MemoryFiles({"a.cu": text.encode()}), Settings(launch_configurations=2), strict=True)
    for finding in report.findings:
        assert 0 <= finding.span.start <= finding.span.end <= len(text)
