"""Texts laid out: the places of the real text are found again, and an edit moves next to nothing."""

from __future__ import annotations

import random

import pytest

from analysis_core.incremental.layout import LONG, ROOM, layout_of
from analysis_core.support.store import Store
from analysis_core.text.span import FileId, Span
from tests.bench.typing_files import long_kernel

TEXT = b"""\
#define TWICE(x) x; x;
__global__ void k(float *a, int n) {
    int i = threadIdx.x;  // one { remark;
    if (i < n) {
        a[i] = 1;
    } else
        a[i] = 2;
#pragma unroll;
    /* three
       lines; */
    a[i] = 'x;
    a[i] = 3; \\
    a[i] = 4;
}

void host() {
    int i;
}
"""


def test_room_is_behind_statements_of_kernels_and_nowhere_else() -> None:
    layout = layout_of("a.cu", TEXT, 0, Store())
    assert layout is not None
    blanks = b" " * ROOM + b"\n"
    roomy = [line for line in layout.padded.split(b"\n") if line.endswith(blanks[:-1])]
    assert [line.strip() for line in roomy] == [
        b"__global__ void k(float *a, int n) {", b"if (i < n) {", b"a[i] = 1;", b"a[i] = 2;", b"a[i] = 4;",
    ]  # fmt: skip
    assert [line.rstrip() for line in layout.padded.split(b"\n")] == [line.rstrip() for line in TEXT.split(b"\n")]


@pytest.mark.parametrize("text", [b"int i;\n", TEXT.replace(b"/*", b"/*@"), "\ufeff".encode("utf-16") + TEXT])
def test_texts_that_are_not_laid_out(text: bytes) -> None:
    assert layout_of("a.cu", text, 0, Store()) is None


def test_places_are_put_back() -> None:
    store, text, draw = Store(), long_kernel().encode(), random.Random(1)
    for _ in range(60):
        at = draw.randrange(len(text))
        text = text[:at] + draw.choice((b"", b"x", b"\n", b"int q = 1;\n", b"// y")) + text[at + draw.randrange(9) :]
        layout = layout_of("a.cu", text, LONG, store)
        assert layout is not None
        for _ in range(20):
            word = text[(place := draw.randrange(len(text) - 20)) : place + 12].split()
            if word and layout.padded.count(word[0]) == text.count(word[0]) == 1:
                start = layout.padded.index(word[0])
                found = layout.back(Span(FileId("a.cu"), start, start + len(word[0])))
                assert text[found.start : found.end] == word[0]


def test_an_edit_moves_only_its_line() -> None:
    store, text = Store(), long_kernel().encode()
    first = layout_of("a.cu", text, LONG, store)
    second = layout_of("a.cu", text.replace(b"sum += v40", b"sum += 123.0f * v40"), LONG, store)
    third = layout_of("a.cu", text, LONG, store)
    assert first is not None and second is not None and third is first
    assert first.padded.index(b"// Phase 41") == second.padded.index(b"// Phase 41")
    long_line = text.replace(b"sum += v40", b"sum += " + b"1.0f + " * 40 + b"v40")
    fourth = layout_of("a.cu", long_line, LONG, store)
    assert fourth is not None and fourth.padded.index(b"// Phase 44") == first.padded.index(b"// Phase 44")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("sum -= 40.0f;", "sum -= 40.0f; // so it is"),
        ("sum -= 40.0f;", "sum -= 40.0f;\n    __syncthreads();"),
        ("sum -= 40.0f;", "sum -= 40.0f;\n        __syncthreads();"),
        ("sum -= 40.0f;", "sum -= 40.0f"),
        ("sum -= 40.0f;", "sum -= 40.0"),
        ("sum -= 40.0f;\n    }\n    // Phase 41: through shared memory.", "sum -= 40.0f;\n    }"),
    ],
)
def test_the_next_line_stays(old: str, new: str) -> None:
    """A remark, a line more or less, a statement that is typed: there and, by other texts, back."""
    store, text = Store(), long_kernel()
    first = layout_of("a.cu", text.encode(), LONG, store)
    changed = layout_of("a.cu", text.replace(old, new, 1).encode(), LONG, store)
    further = layout_of("a.cu", text.replace(old, new + "  ", 1).encode(), LONG, store)
    back = layout_of("a.cu", text.replace(old, new + " ", 1).encode(), LONG, store)
    assert first is not None and changed is not None and further is not None and back is not None
    for mark in (b"tile[tid] = in[i] * 41.5f", b"// Phase 42"):
        assert first.padded.index(mark) == changed.padded.index(mark)
        assert first.padded.index(mark) == further.padded.index(mark) == back.padded.index(mark)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("sum -= 40.0f;\n    }", "sum -= 40.0f;}"),
        ("sum -= 40.0f;\n    }", "sum -= 40.0f;\n    }}"),
        ("sum -= 40.0f;\n", "sum -= 40.0f;// so\n"),
        ("sum -= 40.0f;\n", "sum -= 40.0f;;\n"),
    ],
)
def test_quoted_lines_are_those_of_the_real_text(old: str, new: str) -> None:
    store, text = Store(), long_kernel()
    layout_of("a.cu", text.encode(), LONG, store)
    for changed in (text.replace(old, new, 1), text, text.replace(old, new, 1)):
        layout = layout_of("a.cu", changed.encode(), LONG, store)
        assert layout is not None
        assert " ".join(layout.padded.decode().split()) == " ".join(changed.split())
