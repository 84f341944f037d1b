"""A file with more launches, macros or tokens than are read: what is said of it is the same after an edit as from scratch, of every
kernel."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from analysis_core.program import launches, lower
from analysis_core.support.fuel import UNITS_PER_SECOND
from analysis_core.support.settings import Settings
from analysis_core.syntax.lex import preprocessor, preprocessor_account, preprocessor_lines
from analysis_core.syntax.read import read_items
from tests.harness.scratch import forget
from tests.incremental.test_host import SETTINGS as WHOLE
from tests.incremental.test_host import SHORT, Editor

NAMES = "abcd"
TEXT = "".join(
    f"__global__ void {name}(float *p) {{ p[threadIdx.x * 8 + {n}] = 1; }}\n"
    f"void run_{name}(float *p) {{ {name}<<<4, 32>>>(p); {name}<<<4, 64>>>(p + {n}); }}\n"
    for n, name in enumerate(NAMES)
)
UNREAD = "the launches of this file are not read to the end"
EDITS = (
    ("* 8 + 0", "* 4 + 0"),  # in a kernel
    ("* 8 + 3", "* 4 + 3"),
    ("a<<<4, 32>>>(p);", "a<<<4, 32>>>(p); a<<<4, 96>>>(p);"),  # one launch more
    ("b<<<4, 32>>>(p); b<<<4, 64>>>(p + 1);", ""),  # two less
    ("c<<<4, 32>>>(p); c<<<4, 64>>>(p + 2);", ""),
    ("d<<<4, 32>>>(p); d<<<4, 64>>>(p + 3);", "d<<<4, 64>>>(p);"),
)


@pytest.fixture(autouse=True)
def own_limits() -> Iterator[None]:
    """Each test has limits of its own: no report from scratch under others is taken for one under these."""
    forget()
    yield
    forget()


def unread_of(editor: Editor) -> set[bool]:
    """Whether kernels rest on that not all launches are read."""
    return {
        any(UNREAD in one.text for one in launch.facts.assumptions)
        for entry in editor.result.entries
        for launch in entry.report.value().launches  # type: ignore[attr-defined]
    }


@pytest.mark.parametrize("most", range(1, 11))
def test_edits_at_the_limit(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    units = round(max(SHORT.kernel_seconds, Settings().kernel_seconds) * UNITS_PER_SECOND)
    monkeypatch.setattr(launches, "LAUNCHES", (most * launches.LAUNCH + 90) / units)
    editor = Editor(TEXT, SHORT)
    assert unread_of(editor) == {most < 8}
    for old, new in EDITS:
        editor.replaced(old, new)  # compares with an analysis from scratch
        assert len(unread_of(editor)) == 1
    assert most < 4 or unread_of(editor) == {False}


INSTANCES = """template <int N> __global__ void k(float *p) { p[threadIdx.x * N] = 1; }
__global__ void last(float *p) { p[threadIdx.x * 8] = 1; }
void run(float *p) { k<1><<<4, 32>>>(p); k<2><<<4, 32>>>(p); last<<<4, 32>>>(p); }
"""


@pytest.mark.parametrize("most", [1, 2, 3, 4])
def test_edits_at_the_number_of_kernels(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lower, "WHOLE_KERNELS", most)
    monkeypatch.setattr(lower, "REPEATED_KERNELS", most + 1)
    editor = Editor(INSTANCES, WHOLE)
    for old, new in (
        ("k<2>", "k<3>"),
        ("{ k<1>", "{ k<7><<<4, 32>>>(p); k<1>"),
        ("x * 8", "x * 4"),
        ("k<7><<<4, 32>>>(p);", ""),
    ):
        editor.replaced(old, new)  # compares with an analysis from scratch


DOUBLING = "#define M0 p[0] = 1;\n" + "".join(f"#define M{k} M{k - 1} M{k - 1}\n" for k in range(1, 7))
MACROS = DOUBLING + "".join(
    f"#define SIZE_{name} {8 + n}\n__global__ void {name}(float *p) {{ M2 p[threadIdx.x * SIZE_{name}] = 1; }}\n"
    for n, name in enumerate(NAMES)
)


@pytest.mark.parametrize("units", [600, 1460, 2500])
def test_edits_where_macros_make_as_much_as_a_file_may(units: int, monkeypatch: pytest.MonkeyPatch) -> None:
    limits = preprocessor_lines.Limits(units=units)
    monkeypatch.setattr(preprocessor.preprocess, "__defaults__", (None, limits, True))
    monkeypatch.setattr(preprocessor_account, "READING", units)
    monkeypatch.setattr(preprocessor_account, "OF_TEXT", 0)
    editor = Editor(MACROS, SHORT)  # compares with an analysis from scratch
    for old, new in (
        ("M2 p[threadIdx.x * SIZE_b]", "M4 p[threadIdx.x * SIZE_b]"),
        ("M2 p[threadIdx.x * SIZE_d]", "M6 p[threadIdx.x * SIZE_d]"),
        ("M4 p[threadIdx.x * SIZE_b]", "p[threadIdx.x * SIZE_b]"),
        ("M2 p[threadIdx.x * SIZE_a]", "M6 p[threadIdx.x * SIZE_a]"),
        ("M6 p[threadIdx.x * SIZE_a]", "p[threadIdx.x * SIZE_a]"),
    ):
        editor.replaced(old, new)


def test_edits_of_a_body_that_is_too_long_to_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_items, "BODY", 60)
    lines = "".join(f"    p[threadIdx.x * {k}] = {k};\n" for k in range(2, 12))
    editor = Editor(
        f"__global__ void a(float *p) {{\n{lines}}}\n__global__ void b(float *p) {{ p[3] = 1; }}\n", SHORT, 4
    )
    report = editor.result.report
    assert [kernel.name for kernel in report.kernels] == ["a", "b"]
    assert any("from here on: the function has more than 60 tokens" in f.message for f in report.findings)
    assert [len(entry.report.value().launches[0].facts.accesses) for entry in editor.result.entries] == [5, 1]  # type: ignore[attr-defined]
    for old, new in (
        ("p[threadIdx.x * 3] = 3;", "p[threadIdx.x * 3 + 1] = 3;"),  # what is read ends earlier
        ("p[threadIdx.x * 9] = 9;", "p[threadIdx.x * 9 + 1] = 9;"),  # what is not read
        ("p[threadIdx.x * 9 + 1] = 9;", "p[threadIdx.x * 9 + 1] = 9"),
        ("p[threadIdx.x * 9 + 1] = 9", "p[threadIdx.x * 9] = 9;"),
        (lines[lines.index("    p[threadIdx.x * 4]") :].replace("x * 9 + 1", "x * 9"), ""),  # all is read
        ("p[3] = 1;", f"p[3] = 1;\n{lines}"),
    ):
        editor.replaced(old, new)


MEMBERS = """__global__ void k(float *p) { p[threadIdx.x] = 1; }
template <int N> struct Runs { void run(float *p) { k<<<4, N>>>(p); k<<<4, 64>>>(p); } };
void a(float *p) { k<<<4, 32>>>(p); Runs<32> one; one.run(p); Runs<96> other; other.run(p); }
"""


def test_the_search_ends_where_members_of_classes_still_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    units = round(max(SHORT.kernel_seconds, Settings().kernel_seconds) * UNITS_PER_SECOND)
    monkeypatch.setattr(launches, "LAUNCHES", (2 * launches.LAUNCH + 90) / units)
    assert unread_of(Editor(MEMBERS, SHORT)) == {True}


def test_launches_stay_where_their_numbers_take_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = "".join(f"run_{name}(p, {n} + 1 * 2 - 3 + 4 * 5 - 6 + 7);" for n, name in enumerate(NAMES))
    text = "".join(
        f"__global__ void {name}(float *p, int n) {{ p[threadIdx.x * 8 + n] = 1; }}\n"
        f"void run_{name}(float *p, int n) {{ {name}<<<4, 64>>>(p, n); }}\n"
        for name in NAMES
    )
    units = round(max(SHORT.kernel_seconds, Settings().kernel_seconds) * UNITS_PER_SECOND)
    monkeypatch.setattr(launches, "LAUNCHES", (len(NAMES) * launches.LAUNCH + 90) / units)
    editor = Editor(text + f"void all(float *p) {{ {calls} }}\n", SHORT)
    reports = [entry.report.value() for entry in editor.result.entries]
    assert {launch.facts.block for report in reports for launch in report.launches} == {(64, 1, 1)}  # type: ignore[attr-defined]
    texts = {one.text for report in reports for launch in report.launches for one in launch.facts.assumptions}  # type: ignore[attr-defined]
    assert any("the numbers that callers hand to the launches" in text for text in texts)
