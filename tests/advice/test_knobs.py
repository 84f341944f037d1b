"""Which numbers of a text make the block of a launch."""

from __future__ import annotations

import pytest

from analysis_core.advice.knobs import shapes_of
from analysis_core.advice.knobs import turned as edits_for
from tests.advice.variants import knobs, variants

KERNEL = "__global__ void k(float *a, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = 1; }\n"
TILED = "__global__ void k(float *a, int w) { a[(blockIdx.y * blockDim.y + threadIdx.y) * w + blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("#define T 16\n" + TILED + "void f(float *a, int w) { dim3 b(T, T); k<<<dim3(w / T, w / T), b>>>(a, w); }", [("T", 16, (0, 1))]),
        ("#define W 32\n#define H 8\n" + TILED + "void f(float *a, int w) { dim3 b(W, H); k<<<dim3(w / W, w / H), b>>>(a, w); }",
         [("W", 32, (0,)), ("H", 8, (1,))]),
        (KERNEL + "void f(float *a, int n) { k<<<(n + 255) / 256, 256>>>(a, n); }", [("", 256, (0,))]),
        (KERNEL + "void f(float *a, int n) { const int t = 128; k<<<n / t, t>>>(a, n); }", [("t", 128, (0,))]),
        (KERNEL + "constexpr int warps = 8;\nvoid f(float *a, int n) { k<<<n / (32 * warps), 32 * warps>>>(a, n); }", []),
        ("//@ launch block=(64) grid=(n/64)\n" + KERNEL, [("", 64, (0,))]),
        ("#define B 64\n//@ launch block=B grid=(n/B)\n" + KERNEL, [("B", 64, (0,))]),
        (KERNEL + "void f(float *a, int n, int t) { k<<<n / t, t>>>(a, n); }", []),
        (KERNEL + "// k<<<1, 256>>>(a, n)\nvoid f(float *a, int n) { puts(\"256\"); k<<<n, 256>>>(a, n); }", [("", 256, (0,))]),
        ("#define B \\\n  64\n" + KERNEL + "void f(float *a, int n) { k<<<n / B, B>>>(a, n); }", [("B", 64, (0,))]),
        (KERNEL + f"void f(float *a, int n) {{ k<<<n / 64, 64 + 0 * {'1' * 5000}>>>(a, n); }}", [("", 64, (0,))]),
        (KERNEL, []),
    ],
)  # fmt: skip
def test_knobs(text: str, expected: list[tuple[str, int, tuple[int, ...]]]) -> None:
    assert [(one.name, one.value, one.axes) for one in knobs(text)] == expected


def test_the_number_of_the_grid_is_no_knob() -> None:
    text = KERNEL + "void f(float *a, int n) { k<<<n / 256, 256>>>(a, n); }"
    (knob,) = knobs(text)
    assert knob.span.start == text.rindex("256")


def test_shapes_of_one_axis_are_multiples_of_a_warp() -> None:
    shapes = [
        block
        for block, _ in shapes_of(knobs(KERNEL + "void f(float *a, int n) { k<<<n / 64, 64>>>(a, n); }"), (64, 1, 1))
    ]
    assert shapes[0] == (64, 1, 1)
    assert len(shapes) == len(set(shapes))
    assert all(x % 32 == 0 and y == z == 1 for x, y, z in shapes)


def test_shapes_of_two_axes_have_64_to_1024_threads() -> None:
    text = (
        "#define W 32\n#define H 8\n"
        + TILED
        + "void f(float *a, int w) { k<<<dim3(w / W, w / H), dim3(W, H)>>>(a, w); }"
    )
    shapes = [block for block, _ in shapes_of(knobs(text), (32, 8, 1))]
    assert 30 <= len(shapes) <= 40
    assert all(64 <= x * y <= 1024 and x >= 8 for x, y, _ in shapes)


@pytest.mark.parametrize(
    "text", ["", "__global__ void k(", "\x00\xff", KERNEL + "void f(){ k<<<1, 99999999999999999999>>>(0, 1); }"]
)
def test_what_is_no_program_has_none(text: str) -> None:
    assert knobs(text) == ()


def test_a_knob_that_is_turned_changes_its_axes_alone() -> None:
    text = (
        "#define W 32\n#define H 8\n"
        + TILED
        + "void f(float *a, int w) { k<<<dim3(w / W, w / H), dim3(W, H)>>>(a, w); }"
    )
    found = variants(text)
    kernel = found.kernels()[0]
    launched = found.launched(kernel.name_span)
    assert launched is not None
    for block, values in shapes_of(knobs(text), (32, 8, 1)):
        edits = edits_for(values)
        turned = found.turned(launched, edits) if edits else launched
        assert turned is not None
        assert turned.launch.block == block
