"""Numbers of a text that are set in its tree give what reading the text with these numbers gives."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis_core.advice.knobs import Launched, Variants, knobs_of
from analysis_core.ir.nodes import Kernel
from analysis_core.report.findings.model import Edit
from tests.advice.variants import variants

BODY = "int i = blockIdx.x * blockDim.x + threadIdx.x;"
RUN = "void run(float *a, int n) { k<<<n / T, T>>>(a, n); }"
TEXTS = {
    "a macro": f"#define T 128\n__global__ void k(float *a, int n) {{ __shared__ float s[T][T + 1]; {BODY} s[0][i % T] = a[i]; a[i] = s[i % T][0]; }}\n{RUN}",
    "a macro of a macro": f"#define T 128\n#define S (2 * T)\n__global__ void k(float *a, int n) {{ {BODY} a[S * i] = S; }}\n{RUN}",
    "a suffix": f"#define T 128u\n__global__ void k(float *a, int n) {{ {BODY} a[i * T] = T; }}\n{RUN}",
    "hexadecimal": f"#define T 0x080\n__global__ void k(float *a, int n) {{ {BODY} a[i * T] = T; }}\n{RUN}",
    "octal": f"#define T 0200\n__global__ void k(float *a, int n) {{ {BODY} a[i * T] = T; }}\n{RUN}",
    "a constant": f"constexpr int T = 128;\n__global__ void k(float *a, int n) {{ float s[T]; {BODY} s[i % T] = 1; a[i] = s[n]; }}\n{RUN}",
    "an annotation": f"//@ launch block=128 grid=(n/128)\n__global__ void k(float *a, int n) {{ {BODY} a[i] = 1; }}",
    "a template": f"template <int B> __global__ void k(float *a, int n) {{ {BODY} a[i * B] = B; }}\nvoid run(float *a, int n) {{ const int T = 128; k<T><<<n / T, T>>>(a, n); }}",
    "unrolled": f"#define T 128\n__global__ void k(float *a, int n) {{ {BODY}\n#pragma unroll T\nfor (int j = 0; j < T; j++) a[i + j] = j; }}\n{RUN}",
}  # fmt: skip
READ_AGAIN = {
    "asked for": f"#define T 128\n#if T > 64\n#define P 1\n#else\n#define P 7\n#endif\n__global__ void k(float *a, int n) {{ {BODY} a[i * P] = 1; }}\n{RUN}",
    "asked for by another": f"#define T 128\n#define WIDE (T > \\\n 64)\n#if WIDE\n#define P 1\n#else\n#define P 7\n#endif\n__global__ void k(float *a, int n) {{ {BODY} a[i * P] = 1; }}\n{RUN}",
    "pasted": f"#define T 128\n#define CAT(a, b) a##b\n#define JOIN(a, b) CAT(a, b)\n__global__ void k(float *a, int n) {{ {BODY} int JOIN(x, T) = 1; a[i] = JOIN(x, T); }}\n{RUN}",
    "pasted into a number": f"#define T 128\n#define CAT(a, b) a##b\n#define JOIN(a, b) CAT(a, b)\n__global__ void k(float *a, int n) {{ {BODY} a[i] = JOIN(1, T); }}\n{RUN}",
    "in quotes": f"#define T 128\n#define SAID(a) #a\n#define TEXT(a) SAID(a)\n__global__ void k(float *a, int n) {{ {BODY} const char *t = TEXT(T); a[i] = t[0]; }}\n{RUN}",
}  # fmt: skip


def found_in(text: str) -> tuple[Variants, Launched]:
    found = variants(text)
    launched = found.launched(found.kernels()[0].name_span)
    assert launched is not None
    return found, launched


def meaning(found: Launched) -> Kernel:
    """The kernel without where it is launched, and without how annotations are spelled."""
    stated = tuple(replace(one, text="") for one in found.kernel.annotations.launches)
    return replace(found.kernel, launches=(), annotations=replace(found.kernel.annotations, launches=stated))


@pytest.mark.parametrize("value", [32, 64, 192, 256])
@pytest.mark.parametrize("name", TEXTS)
def test_the_kernel_is_that_of_the_text(name: str, value: int) -> None:
    found, launched = found_in(TEXTS[name])
    (knob,) = knobs_of(found, launched)
    assert knob.value == 128
    assert found.made_of(knob.span)
    turned = found.turned(launched, knob.turned(value))
    wide = str(value).rjust(knob.span.end - knob.span.start)
    text = TEXTS[name]
    again = found_in(text[: knob.span.start] + wide + text[knob.span.end :])[1]
    assert turned is not None and turned.launch.block == again.launch.block == (value, 1, 1)
    assert meaning(turned) == meaning(again)
    assert [one.block for one in turned.kernel.launches] == [one.block for one in again.kernel.launches]


@pytest.mark.parametrize("name", READ_AGAIN)
def test_what_else_may_change_is_read_again(name: str) -> None:
    text = READ_AGAIN[name]
    found, launched = found_in(text)
    (knob,) = knobs_of(found, launched)
    assert not found.made_of(knob.span)
    for value in (32, 64, 96):
        turned = found.turned(launched, knob.turned(value))
        again = found_in(text.replace("T 128", f"T {value}"))[1]
        assert turned is not None and turned == again


def test_two_numbers_in_one_place() -> None:
    """Numbers that are turned together make the literals of each."""
    text = f"#define W 32\n#define H 8\n__global__ void k(float *a, int n) {{ __shared__ float s[H][W]; {BODY} s[threadIdx.y][threadIdx.x] = 1; a[i] = s[0][0]; }}\nvoid run(float *a, int n) {{ k<<<n, dim3(W, H)>>>(a, n); }}"
    found, launched = found_in(text)
    knobs = knobs_of(found, launched)
    assert [knob.name for knob in knobs] == ["W", "H"]
    edits = (Edit(knobs[0].span, "16"), Edit(knobs[1].span, "4"))
    turned = found.turned(launched, edits)
    assert turned is not None and turned.launch.block == (16, 4, 1)
    again = found_in(text.replace("W 32", "W 16").replace("H 8", "H 4"))[1]
    assert meaning(turned) == meaning(again)
