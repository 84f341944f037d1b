"""Refactorings in an editor: those that cure a finding come with it, all others when somebody asks for the menu."""

from __future__ import annotations

from analysis_core.report.fixes.refused import CURED
from analysis_core.rewrite.registry import ACTIONS
from analysis_core.text.line_index import LineIndex
from lsp_server.analyse import Job, analyse
from lsp_server.answers import Parts
from lsp_server.features.code_actions import Action, actions, fixable
from lsp_server.options import EditorOptions

TURN = b"""__global__ void turn(float *out, const float *in, int n) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    out[x * n + y] = in[y * n + x];
}
void run(float *a, float *b, int n) { turn<<<dim3(n / 32, n / 32), dim3(32, 32)>>>(a, b, n); }
"""

ROUNDS = b"""//@ launch block=64 grid=2
//@ assume n >= 2
__global__ void rounds(float *a, int n) {
    float v = a[threadIdx.x];
    for (int i = 0; i < n; i++) v = v * 2 + i;
    a[threadIdx.x] = v;
    for (int i = 0; i < n / 2; i++) a[threadIdx.x] += i;
}
"""


def offered(data: bytes, at: bytes, menu: bool) -> list[Action]:
    """What is offered at the first place of a text."""
    parts, index, first = Parts(), LineIndex.of(data), data.index(at)
    known = parts.take(analyse(Job("a.cu", {"a.cu": data}, EditorOptions())), frozenset())
    wanted = fixable("a.cu", parts.whole(known), index, first, first, menu)
    answer = analyse(Job("a.cu", {"a.cu": data}, EditorOptions(), fix=wanted))
    report = parts.whole(parts.take(answer, frozenset()))
    return [one for one in actions("a.cu", report, index, first, first) if not one.title.startswith("Silence")]


def test_a_finding_comes_with_what_cures_it() -> None:
    (tile, *_) = offered(TURN, b"out[x", menu=False)
    assert tile.title.startswith("Transpose through a tile: sectors <= 37 -> 8 per warp")
    assert tile.fixes is not None and tile.fixes[1] == "WC101" and tile.refused is None
    edited = TURN
    for edit in sorted(tile.edits, key=lambda one: -one.span.start):
        edited = edited[: edit.span.start] + edit.text.encode() + edited[edit.span.end :]
    assert not any(
        one.check == "WC101" for one in analyse(Job("a.cu", {"a.cu": edited}, EditorOptions())).report.findings
    )


def test_the_menu_has_what_cures_nothing_and_says_what_is_refused() -> None:
    (unrolled,) = [one for one in offered(ROUNDS, b"for (int i = 0; i < n;", menu=True) if "nroll" in one.title]
    assert unrolled.fixes is None and unrolled.refused is None and unrolled.edits
    refused = [one for one in offered(ROUNDS, b"for (int i = 0; i < n / 2", menu=True) if one.refused is not None]
    assert "the loop is not known to make 2 rounds" in [one.refused for one in refused]
    assert not any(one.edits for one in refused)


def test_a_cursor_that_passes_tries_nothing_that_cures_nothing() -> None:
    assert not [one for one in offered(ROUNDS, b"for (int i = 0; i < n;", menu=False) if "nroll" in one.title]


def test_the_rules_that_are_cured_are_those_of_the_actions() -> None:
    assert frozenset().union(*(one.cures for one in ACTIONS)) <= CURED
