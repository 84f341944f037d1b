"""Contracts in a text that is edited: what is said is what an analysis from scratch says, at each stroke; half of one is told and breaks nothing."""

from __future__ import annotations

import random

import pytest

from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from tests.incremental.test_host import Editor, done

TEXT = """\
//@ launch block=(64) grid=(1)
//@ expect sectors <= 8
__global__ void k1(float *a, const float *b, int n) {
    //@ expect sectors <= 4
    a[threadIdx.x] = b[threadIdx.x];
}

//@ launch block=(64) grid=(1)
//@ expect conflicts == 0
__global__ void k2(float *a, int n) {
    a[threadIdx.x] = 1.0f;
}
"""

EDITS = (
    ("sectors <= 8", "sectors <= 7"),
    ("sectors <= 8", "sectors <= 8 when n >= 4"),
    ("sectors <= 4", "sectors < 4"),
    ("b[threadIdx.x]", "b[2 * threadIdx.x]"),
    ("b[threadIdx.x]", "b[n * threadIdx.x]"),
    ("//@ expect sectors <= 4\n", ""),
    ("//@ expect sectors <= 8\n", "// a remark\n//@ expect sectors <= 8\n"),
    ("//@ expect sectors <= 8\n", "//@ expect sectors <= 8\n//@ expect sectors == 8\n"),
    ("float *b, int n", "float *b, int m"),
    ("float *b, int n", "float *b, int n, int w"),
    ("grid=(1)", "grid=(2)"),
)


@pytest.mark.parametrize(("old", "new"), EDITS)
def test_an_edit_and_its_undo_say_what_scratch_says(old: str, new: str) -> None:
    editor = Editor(TEXT)
    before = editor.text
    editor.text = before.replace(old, new, 1)
    editor.now()
    editor.text = before
    editor.now()


def test_an_edit_of_a_contract_leaves_other_kernels_alone() -> None:
    editor = Editor(TEXT)
    editor.text = TEXT.replace("sectors <= 8", "sectors <= 9")
    assert done(editor.now(), "interpreted") <= {"k1"}


def test_random_edits_say_what_scratch_says() -> None:
    rng, editor = random.Random(1), Editor(TEXT)
    for _ in range(12):
        old, new = rng.choice(EDITS)
        editor.text = editor.text.replace(*((old, new) if rng.random() < 0.6 else (new, old)), 1) if new else TEXT
        editor.now()


WHOLE = "//@ expect sectors <= 8*ceil(n/32) per_block when n % 32 == 0 && (n >= 32)"


def _checks(line: str) -> list[str]:
    text = f"//@ launch block=(64) grid=(1)\n{line}\n__global__ void k(float *a, int n) {{ if (threadIdx.x < n) a[threadIdx.x] = 1.0f; }}\n"
    report = analyse_file("k.cu", MemoryFiles({"k.cu": text.encode("utf-8")}), Settings(), strict=True)
    return [f.check for f in report.findings]


def test_half_a_contract_is_told() -> None:
    for end in range(len("//@ ex"), len(WHOLE)):
        assert set(_checks(WHOLE[:end])) <= {"WC901", "WC501"}, WHOLE[:end]
    assert "WC901" in _checks(WHOLE[: len("//@ expect sectors <=")])
    assert _checks(WHOLE) == []


def test_no_contract_breaks_the_reading() -> None:
    rng = random.Random(7)
    words = ["sectors", "conflicts", "==", "<=", "<", ">", "when", "per_warp", "per_launch", "n", "(", ")", "ceil(", "/", "%", "0", "4",
             "&&", "||", "!", "-", "ä", "*", "blockIdx.x", "threadIdx.x", "99999999999999999999", "expect", ",", "min(n,", "\\old(n)", "#", "'"]  # fmt: skip
    for _ in range(25):
        drawn = [" ".join(rng.choice(words) for _ in range(rng.randrange(1, 9))) for _ in range(12)]
        lines = "\n".join(f"//@ expect {each}" for each in drawn)
        assert set(_checks(lines)) <= {"WC901", "WC501"}, lines
