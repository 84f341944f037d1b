"""What of a header is named by an edit first is read then."""

from __future__ import annotations

from tests.incremental.test_host import Editor

HEADER = b"""struct Pair { int a, b; };
__device__ int wide(int x) { return 8 * x; }
__device__ int wider(int x) { return 4 * wide(x); }
template <class T> struct Step { static constexpr int value = 1; };
template <> struct Step<Pair> { static constexpr int value = 16; };
"""
TEXT = """#include "other.h"
__global__ void k(float *a, int n) {
    a[threadIdx.x] = 1.0f;
}
__global__ void other(float *a, int n) {
    a[threadIdx.x * n] = 1.0f;
}
void run(float *a, int n) {
    k<<<1, 256>>>(a, n);
    other<<<1, 256>>>(a, n);
}
"""


def test_an_edit_that_names_more_of_a_header_reads_it() -> None:
    editor = Editor(TEXT)
    editor.now(other=HEADER)
    for before, after in (
        ("a[threadIdx.x] =", "a[wider(threadIdx.x)] ="),
        ("wider(threadIdx.x)", "Step<Pair>::value * threadIdx.x"),
        ("Step<Pair>::value", "Step<int>::value"),
        ("threadIdx.x * n", "wide(threadIdx.x)"),
        ("Step<int>::value * ", ""),
    ):
        assert editor.text.count(before) == 1
        editor.text = editor.text.replace(before, after)
        editor.now(other=HEADER)
        assert not editor.result.report.problems
