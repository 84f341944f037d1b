"""Numbers that are set together with those of the block: grids, template arguments, shared memory of the launch, `__launch_bounds__`."""

from __future__ import annotations

import pytest

from analysis_core.advice.advisor import advice
from analysis_core.advice.companions import with_companions
from analysis_core.advice.knobs import knobs_of, turned
from analysis_core.advice.trials import trial
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.fixes.edits import applied
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.advice.variants import PATH, variants

ONE = "__global__ void k(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[3 * i] = 1; }\n"
TWO = "template <int X, int Y> __global__ void k(float *a, int n) { int i = blockIdx.x * X + threadIdx.x, j = blockIdx.y * Y + threadIdx.y; if (i < n && j < n) a[i * n + j] = 1; }\n"
OWN = "template <int B> __global__ void k(float *a, int n) { __shared__ float s[B]; int i = blockIdx.x * B + threadIdx.x; s[threadIdx.x] = a[i]; a[i] = 2 * s[threadIdx.x]; }\n"
ADDED = "extern __shared__ float s[];\n__global__ void __launch_bounds__(256) k(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; s[threadIdx.x] = a[i]; a[i] = 2 * s[threadIdx.x]; }\n"


def run(body: str) -> str:
    return f"void run(float *a, int n) {{ {body} }}"


CASES = {
    "rounded up": (ONE + run("k<<<(n + 255) / 256, 256>>>(a, n);"), [["256", "255", "256"]]),
    "one more": (ONE + run("dim3 g((n - 1) / 128 + 1); k<<<g, 128>>>(a, n);"), [["128", "128"]]),
    "stated": ("//@ launch block=(512) grid=(n/512)\n" + ONE, [["512", "512"]]),
    "a macro needs none": ("#define T 128\n" + ONE + run("k<<<n / T, T>>>(a, n);"), [["128"]]),
    "an argument is another number": (ONE + run("k<<<n / 64, 64>>>(a, 64);"), [["64", "64"]]),
    "a grid that does not follow": (ONE + run("k<<<64, 64>>>(a, n);"), [["64"]]),
    "a template": (OWN + run("k<128><<<n / 128, 128>>>(a, n);"), [["128", "128", "128"]]),
    "a template of two": (
        TWO + run("k<16, 16><<<dim3((n + 15) / 16, (n + 15) / 16), dim3(16, 16)>>>(a, n);"),
        [["16", "16", "15", "16"], ["16", "16", "15", "16"]],
    ),
    "shared memory": (ADDED + run("k<<<n / 256, 256, 256 * sizeof(float)>>>(a, n);"), [["256", "256", "256"]]),
}


@pytest.mark.parametrize("name", CASES)
def test_what_goes_along(name: str) -> None:
    text, expected = CASES[name]
    found = variants(text)
    launched = found.launched(found.kernels()[0].name_span)
    assert launched is not None
    knobs = with_companions(found, launched, knobs_of(found, launched))
    spans = [[knob.span, *(span for span, _ in knob.along)] for knob in knobs]
    assert [[text[one.start : one.end] for one in several[:1]] for several in spans] == [one[:1] for one in expected]
    assert [sorted(text[one.start : one.end] for one in several) for several in spans] == [sorted(e) for e in expected]
    assert len({span for several in spans for span in several}) == sum(map(len, spans))


@pytest.mark.parametrize("name", [one for one in CASES if "not follow" not in one])
def test_the_edited_text_does_the_same(name: str) -> None:
    text = CASES[name][0]
    found = variants(text)
    told = advice(found, found.kernels()[0])
    assert told.found is not None
    for row in told.rows[1:8]:
        if row.costs is None:
            continue
        there = found.turned(told.found, row.edits)
        assert there is not None and trial(told.found, there).same is not False
        edited = text.encode()
        for edit in sorted(row.edits, key=lambda one: -one.span.start):
            edited = applied(edited, edit)
        (kernel,) = analyse_file(PATH, MemoryFiles({PATH: edited}), Settings()).kernels
        assert kernel.launches[0].facts.block == row.block


def test_promises_and_shared_memory_follow_the_block() -> None:
    found = variants(CASES["shared memory"][0])
    told = advice(found, found.kernels()[0])
    for row in told.rows:
        assert row.costs is not None
        assert row.shared_bytes == 4 * row.block[0]
        assert [edit.text for edit in row.edits] == [str(row.block[0])] * (4 if row.block[0] != 256 else 0)
    larger = variants(CASES["shared memory"][0].replace("__launch_bounds__(256)", "__launch_bounds__(512)"))
    for row in advice(larger, larger.kernels()[0]).rows:
        assert len(row.edits) == (0 if row.block[0] == 256 else 4 if row.block[0] > 512 else 3)


def test_a_number_that_is_known_belongs_to_the_grid_of_its_size() -> None:
    """The grid follows n, so the run is at another size than that of the program, and n is of that size."""
    text = ONE + "int main() { int n = 10000000; float *a; k<<<n / 256 + 1, 256>>>(a, n); }"
    for source in (
        text,
        text.replace("int main() {", "void go(float *a, int n) {").replace("int n = 10000000; float *a;", "")
        + "\nint main() { float *a; go(a, 10000000); }",
    ):
        found = variants(source)
        told = advice(found, found.kernels()[0])
        assert told.found is not None and told.rows
        tried = [
            trial(told.found, there)
            for row in told.rows[1:6]
            if (there := found.turned(told.found, row.edits)) is not None
        ]
        assert all(one.same is not False for one in tried), tried


def test_knobs_that_are_turned_together() -> None:
    found = variants(CASES["a template of two"][0])
    launched = found.launched(found.kernels()[0].name_span)
    assert launched is not None
    knobs = with_companions(found, launched, knobs_of(found, launched))
    there = found.turned(launched, turned(dict(zip(knobs, (32, 8), strict=True))))
    assert there is not None and there.launch.block == (32, 8, 1) and there.kernel.instantiation == "k<32, 8>"


@pytest.mark.parametrize(("value", "same"), [("i", True), ("threadIdx.x", False)])
def test_of_a_grid_that_is_too_large_some_blocks_are_run(value: str, same: bool) -> None:
    text = f"__global__ void k(int *a, int n) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = {value}; }}\n"
    text += "int main() { int *a; k<<<1000000 / 256, 256>>>(a, 1000000); }"
    found = variants(text)
    told = advice(found, found.kernels()[0])
    assert told.found is not None and told.rows
    for row in told.rows[1:4]:
        there = found.turned(told.found, row.edits)
        assert there is not None
        tried = trial(told.found, there)
        assert tried.same is same, tried
        assert "threads of the grid" in tried.text
