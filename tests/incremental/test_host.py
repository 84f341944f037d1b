"""What is done again after an edit, and what is not: told by the log of events."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from analysis_core.incremental.asked import Asked
from analysis_core.incremental.host import Host, Result, whole
from analysis_core.incremental.kernel_pieces import pack_kernel, unpack_kernel
from analysis_core.incremental.kernels import FACTS
from analysis_core.incremental.layout import LONG
from analysis_core.lower.relowering import BODIES
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.program.lower import lower
from analysis_core.report.checks.budget_exceeded import CODE as BUDGET
from analysis_core.support.files import MemoryFiles
from analysis_core.support.interrupts import Cancelled, Interrupts
from analysis_core.support.packing import mentions, pack
from analysis_core.support.settings import Settings
from analysis_core.support.store import Event, Store
from analysis_core.syntax.parse import parse
from tests.bench.typing_files import long_kernel, many_kernels
from tests.harness.scratch import from_scratch

TEXT = """\
__device__ float twice(float x) { return 2 * x; }

__global__ void k1(float *a, int n) {
    a[threadIdx.x * n] = twice(a[threadIdx.x]);
}

__global__ void k2(float *a, int n) {
    // Eight apart.
    a[threadIdx.x * 8] = 1;
    printf("%d\\n", n);
}

int seen() {
    int seen = 0;
    return seen;
}

void run(float *a, int n) {
    printf("done");
    k1<<<1, 256>>>(a, n);
    k2<<<1, 256>>>(a, n);
}
"""
SETTINGS = Settings(kernel_seconds=20.0)
SHORT = Settings(bounds=False, kernel_seconds=20.0)


class Editor:
    """One file and its host."""

    def __init__(self, text: str, settings: Settings = SETTINGS, long: int = LONG) -> None:
        self.host, self.text, self.settings = Host(long=long), text, settings
        self.last_good: bytes | None = None
        self.opened = self.now()

    def contents(self, others: Mapping[str, bytes]) -> dict[str, bytes]:
        """The text as it is, beside other files."""
        return {"a.cu": self.text.encode()} | {f"{name}.h": data for name, data in others.items()}

    def asked(self, **others: bytes) -> Asked:
        """Its analysis."""
        return Asked("a.cu", MemoryFiles(self.contents(others)), self.settings, self.last_good, strict=True)

    def read_ahead(self, **others: bytes) -> tuple[Event, ...]:
        """What is done before the analysis is asked for."""
        self.host.read_ahead(self.asked(**others))
        return self.host.store.events()

    def now(self, **others: bytes) -> tuple[Event, ...]:
        """Analyses the text as it is; what was done.  The result is that from scratch."""
        *_, result = self.host.analyse(self.asked(**others))
        assert whole(result) == from_scratch("a.cu", self.contents(others), self.settings, self.last_good)
        if not result.report.problems:
            self.last_good = self.text.encode()
        self.result: Result = result
        return self.host.store.events()

    def replaced(self, old: str, new: str) -> tuple[Event, ...]:
        """What is done after an edit."""
        assert self.text.count(old) == 1
        self.text = self.text.replace(old, new)
        return self.now()


def done(events: tuple[Event, ...], what: str) -> set[str]:
    """For which subjects it was done anew."""
    return {event.subject for event in events if event.what == what and not event.reused}


def reused(events: tuple[Event, ...], what: str) -> set[str]:
    """For which subjects it was not done again."""
    return {event.subject for event in events if event.what == what and event.reused}


def test_an_edit_of_one_kernel_leaves_the_others_alone() -> None:
    events = Editor(TEXT).replaced("threadIdx.x * 8", "threadIdx.x * 4")
    assert done(events, "lowered") == done(events, "interpreted") == done(events, "bounded") == {"k2"}
    assert reused(events, "analysed") == {"k1"}


def test_an_edit_of_a_helper_concerns_those_who_call_it() -> None:
    events = Editor(TEXT).replaced("return 2 * x;", "return x > 0 ? x : 2 * x;")
    assert done(events, "lowered") == {"k1"} and reused(events, "analysed") == {"k2"}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("// Eight apart.", "// Eight apart, which is much."),
        ("__device__ float twice", "// A helper.\n\n__device__ float twice"),
        ("k2<<<1, 256>>>(a, n);", "k2<<<1, 256>>>(a, n);  // the second"),
        ("a[threadIdx.x * 8] = 1;", "a[threadIdx.x * 8] =\n        1;"),
        ('printf("done")', 'printf("all is done")'),
        ('printf("%d\\n", n)', 'printf("n = %d\\n", n)'),
        ("seen = 0;", 'seen = 17; printf("%d", seen);'),
    ],
)
def test_comments_and_white_space_are_not_interpreted(old: str, new: str) -> None:
    events = Editor(TEXT).replaced(old, new)
    assert not done(events, "interpreted") and not done(events, "bounded")


def test_an_edit_that_changes_no_token_of_a_function_reads_nothing() -> None:
    editor = Editor(TEXT)
    for old, new in (
        ("// Eight apart.", "// Eight apart; which is\n    // much."),
        ("x * 8] = 1;", "x * 8] = 1;  // a line that is quoted"),
        ("    int seen = 0;", "\n      int seen = 0;"),
        ("is quoted", "was quoted"),
    ):
        events = editor.replaced(old, new)
        assert not done(events, "read") | done(events, "lowered") and reused(events, "analysed") == {"k1", "k2"}
    assert done(editor.replaced("// a line", "//@ launch block=(32)"), "read")


def test_where_launches_were_taken_from_makes_no_other_kernel() -> None:
    """Those of a kernel that was edited are taken over, those of one that was read with all else are not."""
    editor = Editor(TEXT.replace("    k2<<<", "    for (int step = 0; step < n; step++) k2<<<"))
    events = editor.replaced("= 1;", "=\n        1;")
    assert done(events, "lowered") == {"k2"} and not done(events, "interpreted")


def test_an_undo_is_not_even_read() -> None:
    editor = Editor(TEXT)
    editor.replaced("threadIdx.x * 8", "threadIdx.x * 4")
    events = editor.replaced("threadIdx.x * 4", "threadIdx.x * 8")
    assert reused(events, "read") == {"a.cu"} and reused(events, "analysed") == {"k1", "k2"}


def test_what_was_read_ahead_is_not_read_again() -> None:
    editor = Editor(TEXT)
    for old, new in (("x * 8", "x * 4"), ("x * 4", "x * (4"), ("void run", "__global__ void k3() {}\nvoid run")):
        editor.text = editor.text.replace(old, new)
        assert done(editor.read_ahead(), "read") == {"a.cu"}
        events = editor.now()
        assert not done(events, "read") | done(events, "lowered") and done(events, "interpreted")
        assert editor.now() == editor.now()  # It was for one analysis.


def test_what_was_read_ahead_counts_for_that_text_beside_those_files_alone() -> None:
    editor = Editor('#include "by.h"\n' + TEXT.replace("x * 8", "x * BY"))
    editor.now(by=b"#define BY 8\n")
    editor.text = editor.text.replace("= 1;", "= 2;")
    editor.read_ahead(by=b"#define BY 8\n")
    assert done(editor.now(by=b"#define BY 4\n"), "read") == {"a.cu"}  # It was saved meanwhile.
    editor.text = editor.text.replace("= 2;", "= 3;")
    editor.read_ahead(by=b"#define BY 4\n")
    editor.text = editor.text.replace("= 3;", "= threadIdx.x;")
    assert done(editor.now(by=b"#define BY 4\n"), "read") == {"a.cu"}


def test_reading_ahead_may_be_given_up() -> None:
    editor = Editor(TEXT)
    editor.text = TEXT.replace("x * 8", "x * 4")
    interrupts = Interrupts()
    interrupts.ask()
    with pytest.raises(Cancelled):
        editor.host.read_ahead(replace(editor.asked(), interrupts=interrupts))
    assert done(editor.now(), "interpreted") == {"k2"}


def test_a_text_of_long_ago_is_read_and_not_interpreted() -> None:
    editor = Editor(TEXT)
    for before, after in ((8, 4), (4, 2), (2, 1), (1, 16), (16, 32)):
        editor.replaced(f"threadIdx.x * {before}]", f"threadIdx.x * {after}]")
    events = editor.replaced("threadIdx.x * 32]", "threadIdx.x * 8]")
    assert done(events, "read") == {"a.cu"} and not done(events, "interpreted")
    assert reused(events, "interpreted") == {"k2"}


def test_a_text_that_was_read_before_may_lack_an_end_now() -> None:
    """The text is the same, but seen from another one its statement has lost its semicolon."""
    editor = Editor(TEXT.replace("a[threadIdx.x * 8] = 1;", "a[threadIdx.x] = 1 +\n        a[threadIdx.x * 8];"))
    editor.replaced("1 +\n", "1;\n")
    editor.replaced("1;\n", "1 +\n")


def test_what_is_missing_is_told_of_names_that_nobody_declares() -> None:
    """The report is that from scratch (`Editor.now`), which names the headers that are not there."""
    editor = Editor('#include "one.h"\n' + TEXT.replace("threadIdx.x * 8", "threadIdx.x * STRIDE"), SHORT)
    assert done(editor.replaced('"one.h"', '"another.h"'), "interpreted") == {"k2"}


def test_a_changed_launch_is_a_changed_kernel() -> None:
    events = Editor(TEXT).replaced("k1<<<1, 256>>>", "k1<<<1, 128>>>")
    assert done(events, "interpreted") == {"k1"}


def test_a_changed_lambda_is_a_changed_kernel() -> None:
    text = (
        "template <class F> __global__ void k(float *a, F f) { a[f(threadIdx.x)] = 1; }\n"
        "void run(float *a, int v) { k<<<1, 96>>>(a, [=] __device__ (int i) { return 2 * i; }); }\n"
    )
    editor = Editor(text)
    assert done(editor.replaced("return 2 * i", "return i * 8 + v"), "interpreted") == {"k"}
    editor.replaced("int v)", "short v)")
    editor.replaced("void run", "int before();\n\nvoid run")


def test_an_item_in_another_namespace_is_another_item() -> None:
    """Its own tokens stay as they were."""
    text = "namespace far {\nenum { STRIDE = 8 };\n}\n" + TEXT.replace("threadIdx.x * 8", "threadIdx.x * far::STRIDE")
    editor = Editor(text, SHORT)
    assert len(editor.result.report.findings) == 2
    editor.replaced("namespace far", "namespace near")
    editor.replaced("namespace near", "namespace far")
    assert len(editor.result.report.findings) == 2


def test_changed_settings_are_another_analysis() -> None:
    editor = Editor(TEXT)
    editor.settings = Settings(kernel_seconds=20.0, block=(64, 1, 1))
    assert done(editor.now(), "interpreted") == {"k1", "k2"}


AMORTISED = """\
__global__ void amortised(const float *a, float *out, int n) {
    int j = 0;
    float s = 1;
    for (int i = 0; i < n; i++) {
        while (j < n && a[j] < s) j++;
        s = 2 * s;
    }
    out[threadIdx.x] = s;
}
"""


def test_linear_programs_are_solved_again_only_where_costs_change() -> None:
    editor = Editor(AMORTISED)
    events = editor.replaced("float s = 1;", "float s = 3;")
    assert done(events, "bounded") == {"amortised"} == reused(events, "solved")
    events = editor.replaced("out[threadIdx.x] = s;", "out[8 * threadIdx.x] = s;")
    assert done(events, "bounded") == {"amortised"} == done(events, "solved")
    events = editor.replaced("out[8 * threadIdx.x] = s;", "out[8 * threadIdx.x] = s + s;")
    assert done(events, "solved") == {"amortised"}


def test_only_what_an_edit_needs_is_read() -> None:
    text = many_kernels(6)
    editor = Editor(text, Settings(bounds=False, kernel_seconds=20.0))
    [everything] = [e.count for e in editor.replaced("Thirty kernels", "Thirty kernels, some") if e.what == "read"]
    place = "out[y * in.width + x] = mix3(centre, weights[3], steps);"
    [part] = [e.count for e in editor.replaced(place, place.replace("[3]", "[5]")) if e.what == "read"]
    assert part < 0.2 * everything


def executed(events: tuple[Event, ...]) -> int:
    return sum(event.count for event in events if event.what == "executed")


def test_the_last_statement_of_a_long_kernel() -> None:
    """At most a tenth of the statements are interpreted; of a comment or another function, none."""
    editor = Editor(long_kernel(), Settings(bounds=False, kernel_seconds=20.0))
    all_of_them = executed(editor.opened)
    assert 0 < executed(editor.replaced("float sum = 0.0f;", "float sum = 0.5f; sum += 1.0f;")) <= 0.1 * all_of_them
    last = executed(editor.replaced("    out[i] = sum;\n}", "    out[i * 2] = sum;\n}"))
    assert 0 < last <= 0.1 * all_of_them
    assert executed(editor.replaced("// Phase 107", "// The last phase, 107")) == 0
    assert executed(editor.replaced("void run(float *a,", "int other() { return 3; }\n\nvoid run(float *a,")) == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("sum -= 4.0f;", "sum -= 14.0f;"),
        ("sum += v4 * weights[4 % 64];", "sum += v4 * weights[14 % 64] + 2.0f;"),
        ("tile[tid] = in[i] * 5.5f;", "tile[tid] = in[i + 8] * 5.5f;"),
        ("if (c6 > 6.0f)", "if (c6 > 6.0f + sum)"),
        ("out[j7] = sum;", "out[j7 * 2] = sum;"),
        ("    v8 = in[i + 8 * w];", "    v8 = in[i + 8 * w];\n        __syncthreads();"),
    ],
)
def test_an_edit_at_the_beginning_of_a_long_kernel(old: str, new: str) -> None:
    """What follows is taken over as soon as the state is what it was, however the edit moved the text; back again as well."""
    editor = Editor(long_kernel(24), SHORT, long=100)
    whole = executed(editor.opened)
    editor.replaced("float sum = 0.0f;", "float sum = 0.5f;\n    sum += 1.0f;")
    assert 0 < executed(editor.replaced(old, new)) <= 0.25 * whole
    events = editor.replaced(new, old)
    assert not done(events, "lowered") and not done(events, "interpreted")
    assert 0 < executed(editor.replaced("out[i] = sum;\n}", "out[i * 2] = sum;\n}")) <= 0.25 * whole
    assert 0 < executed(editor.replaced(old, new)) <= 0.25 * whole


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("float c6 = in[r6 * w + tid];", "float c6 = in[r6 * w"),
        ("        v8 = in[i + 8 * w];", "        v8 = in[i +"),
        ("sum += tile[BLOCK - 1 - tid];\n    __syncthreads();\n\n    // Phase 6", "__syncthreads();\n\n    // Phase 6"),
        ("    // Phase 10", "    sum += mix0(sum, in[tid], 3) * in[i + 5];\n    // Phase 10"),
        ("    // Phase 10", "    int more = index[i + 10];\n    sum += in[more] + in[more + 1];\n    // Phase 10"),
    ],
)
def test_a_statement_more_or_less(old: str, new: str) -> None:
    """There are other numbers of variables, accesses and symbols then, and what follows is taken over all the same: at once where there
    are fewer, else from the second time on, when there is room."""
    editor = Editor(long_kernel(24), SHORT, long=100)
    whole = executed(editor.opened)
    editor.replaced("float sum = 0.0f;", "float sum = 0.5f;\n    sum += 1.0f;")
    first = executed(editor.replaced(old, new))
    assert 0 < first <= whole
    if len(new) < len(old):
        assert first <= 0.25 * whole
    editor.replaced(new, old)
    assert executed(editor.replaced(old, new.replace("3", "4").replace("5", "7"))) <= 0.25 * whole


LOCALS = """\
#define LIMIT UNSEEN
__device__ void store(float *p, float v) { p[threadIdx.x] = v; }
__global__ void locals(float *a, const int *b, int n) {
    float x = 1;
    int k = b[0];
    store(a, x);
    a[k] = x * LIMIT;
    x = unknown(k);
    a[2 * k] = x;
    float *p = a + k;
    store(p, x);
    p[threadIdx.y] = LIMIT;
    int *q = &k;
    *q = 3;
    a[k] = *q;
}
"""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("float x = 1;", "double x = 1;"),
        ("float x = 1;", "float y = 1; float x = y;"),
        ("int k = b[0];", "long k = b[0];"),
        ("int k = b[0];", ""),
        ("a[k] = x * LIMIT;", "a[k] = x;"),
        ("x = unknown(k);", "x = k;"),
        ("store(a, x);", ""),
        ("float *p = a + k;", "float *p = a; int r = 2;"),
        ("int *q = &k;", "int q_ = 2, *q = &q_;"),
        ("*q = 3;", ""),
    ],
)
def test_statements_are_lowered_again_where_names_mean_something_else(old: str, new: str) -> None:
    """The report is that from scratch (`Editor.now`), there and back and there again."""
    editor = Editor(LOCALS, SHORT, long=0)
    for _ in range(2):
        editor.replaced(f"    {old}\n", f"    {new} \n")
        editor.replaced("a[2 * k] = x;", "a[3 * k] = x;")
        editor.replaced(f"    {new} \n", f"    {old}\n")
        editor.replaced("a[3 * k] = x;", "a[2 * k] = x;")
    assert editor.host.store.count(BODIES).hits > 20


def test_after_an_undo_only_the_next_statement_is_lowered() -> None:
    """The undo was not read; what is read and lowered next is told from the text that it led back to."""
    editor = Editor(long_kernel(24), SHORT, long=100)
    editor.replaced("sum -= 4.0f;", "sum -= 14.0f;")
    editor.replaced("sum -= 14.0f;", "sum -= 4.0f;")
    before = editor.host.store.count(BODIES).hits
    editor.replaced("tile[tid] = in[i] * 21.5f;", "tile[tid] = in[i + 8] * 21.5f;")
    editor.replaced("tile[tid] = in[i + 8] * 21.5f;", "tile[tid] = in[i] * 21.5f;")
    between = editor.host.store.count(BODIES).hits
    editor.replaced("sum -= 4.0f;", "sum -= 24.0f;")
    statements = 71
    assert between - before >= 0.9 * statements and editor.host.store.count(BODIES).hits - between >= 0.9 * statements


def test_values_that_live_on_are_followed() -> None:
    """An edit whose value is used to the end takes nothing over; one after which the number of what is asked again is another one
    takes over what comes behind that."""
    body = "".join(f"    a[k * {n} + n / {n + 3} + threadIdx.x] = 1;\n" for n in range(40))
    text = f"__global__ void late(int *a, int n) {{\n    int k = n % 7;\n{body}}}\n"
    editor = Editor(text, SHORT, long=20)
    assert executed(editor.replaced("n % 7", "n % 5")) >= 40
    assert 25 <= executed(editor.replaced("n / 3 +", "n / 28 +")) < 40  # The quotient is asked for again.
    assert executed(editor.replaced("n / 23 +", "n / 123 +")) < 40


def test_the_first_kernels_of_a_long_file_are_shown_early() -> None:
    """Where that is asked for; each result holds what the one before does, and the last one all."""
    files = MemoryFiles({"a.cu": many_kernels(10).encode()})
    asked = Asked("a.cu", files, SHORT, strict=True, early=True)
    results = list(Host().analyse(asked))
    assert [len(result.entries) for result in results] == [2, 10]
    assert results[1].report.kernels[:2] == results[0].report.kernels
    assert whole(results[-1]) == analyse_file("a.cu", files, SHORT, strict=True)
    again = list(Host().analyse(Asked("a.cu", files, SHORT, strict=True)))
    assert [len(result.entries) for result in again] == [10]


def test_the_first_kernels_are_shown_before_the_others_are_read() -> None:
    """And interpreted once: their bounds are made from what was found out then."""
    host, files = Host(), MemoryFiles({"a.cu": many_kernels(7).encode()})
    results = host.analyse(Asked("a.cu", files, SETTINGS, strict=True, early=True))
    first = next(results)
    before = host.store.events()
    assert done(before, "interpreted") == {"stencil0", "tiled1"} and not done(before, "read")
    assert [kernel.name for kernel in first.report.kernels] == ["stencil0", "tiled1"] and first.report.findings
    second = next(results)
    between = host.store.events()
    assert reused(between, "interpreted") == {"stencil0", "tiled1"} and len(second.entries) == 7
    assert second.report.kernels[:2] == first.report.kernels
    results.close()  # type: ignore[attr-defined]
    changed = many_kernels(7).replace("in.cells[IDX(y, x, in.pitch)]", "in.cells[IDX(x, y, in.pitch)]", 1)
    files = MemoryFiles({"a.cu": changed.encode()})
    next(iter(host.analyse(Asked("a.cu", files, SETTINGS, strict=True, early=True))))
    after = host.store.events()
    assert done(after, "interpreted") == {"stencil0"} and len(reused(after, "analysed")) == 6
    assert not reused(after, "interpreted"), "kernels that wait for their bounds stay as they are"


def test_what_is_typed_while_a_file_is_opened_is_read_beside_what_was_opened() -> None:
    """The reading goes on where an edit overtakes it, and the kernels in which somebody types come first: only they are lowered."""
    host, text, interrupts = Host(), many_kernels(13), Interrupts()
    interrupts.overtake()
    end = text.index("void stencil9(")
    changed = text[:end] + text[end:].replace("in.cells[IDX(y, x", "in.cells[IDX(x, y", 1)
    for opened, found in (
        (text, set()),
        (changed, {"stencil9"}),
    ):  # Typed on, of the second text one kernel is found out.
        files = MemoryFiles({"a.cu": opened.encode()})
        with pytest.raises(Cancelled):
            for _ in host.analyse(Asked("a.cu", files, SHORT, None, interrupts, strict=True, early=True)):
                pass
        events = host.store.events()
        assert done(events, "read") == {"a.cu"} and done(events, "lowered") == done(events, "interpreted") == found
    for now in (changed, text, changed):
        files = MemoryFiles({"a.cu": now.encode()})
        results = host.analyse(Asked("a.cu", files, SHORT, strict=True, early=True))
        first = next(results)
        events = host.store.events()
        assert first.lacking and [entry.name for entry in first.entries] == ["stencil9"]
        assert done(events, "lowered") <= {"stencil9"} and done(events, "interpreted") <= {"stencil9"}
        results.close()  # type: ignore[attr-defined]
    *_, last = host.analyse(Asked("a.cu", files, SHORT, strict=True, early=True))
    assert whole(last) == analyse_file("a.cu", files, SHORT, strict=True) and not last.lacking


def given_up(host: Host, text: str, at: str) -> list[Result]:
    """What is shown of a text before its analysis is given up at a kernel."""
    interrupts, shown = Interrupts(), list[Result]()

    def begin(name: str, key: bytes) -> None:
        if name == at:
            interrupts.ask()

    files = MemoryFiles({"a.cu": text.encode()})
    asked = Asked("a.cu", files, SHORT, None, interrupts, begin, strict=True, early=True)
    with pytest.raises(Cancelled):
        shown.extend(host.analyse(asked))
    return shown


@pytest.mark.parametrize(("at", "least"), [("tiled4", 4), ("stencil9", 9)])
def test_the_edited_kernel_comes_first_while_a_file_is_still_being_analysed(at: str, least: int) -> None:
    """Beside it those stay that were analysed before."""
    host, text = Host(), many_kernels(13)
    given_up(host, text, at)
    host.store.events()
    changed = text.replace("bs[ty][tx] = b[(m * TILE + ty) * w + col];", "bs[ty][tx] = b[(m * TILE + tx) * w + ty];")
    changed = text[: text.index("tiled10(")] + changed[changed.index("tiled10(") :]
    changed = changed[: changed.index("stencil12(")] + text[text.index("stencil12(") :]
    contents = {"a.cu": changed.encode()}
    results = host.analyse(Asked("a.cu", MemoryFiles(contents), SHORT, strict=True, early=True))
    first = next(results)
    assert done(host.store.events(), "interpreted") == {"tiled10"} and first.lacking
    assert len(first.entries) >= least and first.entries[-1].name == "tiled10"
    *_, last = results
    assert not done(host.store.events(), "interpreted") & {entry.name for entry in first.entries} and not last.lacking
    assert whole(last) == from_scratch("a.cu", contents, SHORT, None)


def test_the_edited_kernel_is_among_the_first_that_are_looked_at() -> None:
    host, text = Host(), many_kernels(7)
    given_up(host, text, "stencil0")
    files = MemoryFiles({"a.cu": text.replace("strided5(", "strided55(").encode()})
    first = next(iter(host.analyse(Asked("a.cu", files, SHORT, strict=True, early=True))))
    assert [entry.name for entry in first.entries] == ["stencil0", "strided55"]


def test_a_first_look_reads_what_the_first_kernels_rest_on() -> None:
    """What is called to make the block is among that; what launches another kernel says nothing that anybody could know."""
    kernels = "".join(f"__global__ void k{n}(float *a) {{ a[2 * threadIdx.x] = {n}; }}\n" for n in range(7))
    launches = "".join(f"int run{n}(float *a) {{ k{n}<<<1, wide()>>>(a); return 0; }}\n" for n in range(1, 7))
    calls = "".join(f" run{n}(a);" for n in range(1, 7))
    for late, first in (("", (96, 1, 1)), ("int late(float *a) { k6<<<1, 32>>>(a); return 48; }\n", (256, 1, 1))):
        block = "late(a)" if late else "wide()"
        main = f"int main() {{ float *a = 0; const int b = {block}; k0<<<1, b>>>(a);{calls} }}\n"
        text = f"constexpr int wide() {{ return 96; }}\n{kernels}{launches}{late}{main}"
        host, files = Host(), MemoryFiles({"a.cu": text.encode()})
        result, *_, last = host.analyse(Asked("a.cu", files, SHORT, strict=True, early=True))
        shapes = [launch.facts.block for launch in whole(result).kernels[0].launches]
        assert shapes == [first] and len(result.entries) == 2
        assert whole(last) == analyse_file("a.cu", files, SHORT, strict=True)


def test_a_broken_file_is_looked_at_as_a_whole() -> None:
    text = many_kernels(7).replace("if (tid == 0)", "if (tid == ", 1)
    files = MemoryFiles({"a.cu": text.encode()})
    results = list(Host().analyse(Asked("a.cu", files, SHORT, strict=True, early=True)))
    assert whole(results[-1]) == analyse_file("a.cu", files, SHORT, strict=True)


def test_what_is_kept_is_limited() -> None:
    host = Host(40_000 / FACTS.room)
    for number in range(12):
        files = MemoryFiles({"a.cu": TEXT.replace("* 8", f"* {number + 9}").encode()})
        for _ in host.analyse(Asked("a.cu", files, SETTINGS, strict=True)):
            pass
        assert host.store.taken(FACTS) <= 40_000
    assert host.store.taken(FACTS) > 0


def test_a_job_that_is_given_up_leaves_everything_in_order() -> None:
    host, files = Host(), MemoryFiles({"a.cu": TEXT.encode()})
    interrupts = Interrupts()

    def stop_at_second(name: str, key: bytes) -> None:
        if name == "k2":
            interrupts.ask()

    with pytest.raises(Cancelled):
        list(host.analyse(Asked("a.cu", files, SETTINGS, interrupts=interrupts, begin=stop_at_second, strict=True)))
    *_, result = host.analyse(Asked("a.cu", files, SETTINGS, strict=True))
    assert whole(result) == analyse_file("a.cu", files, SETTINGS, strict=True)


def test_a_kernel_that_is_left_out_says_so_and_the_others_are_there() -> None:
    keys: dict[str, bytes] = {}
    files = MemoryFiles({"a.cu": TEXT.encode()})
    remember: Callable[[str, bytes], None] = lambda name, key: keys.__setitem__(name, key)  # noqa: E731
    list(Host().analyse(Asked("a.cu", files, SETTINGS, begin=remember, strict=True)))
    *_, result = Host().analyse(Asked("a.cu", files, SETTINGS, avoided={keys["k1"]: "it took long"}, strict=True))
    assert [f.check for f in result.report.kernels[0].findings] == [BUDGET]
    assert result.report.kernels[1].findings and not result.entries[0].report.value().launches  # type: ignore[attr-defined]


def test_the_first_edit_after_opening_is_lowered_from_what_was_opened() -> None:
    """Though the code of the host, of which nothing comes into the kernel, is not read again then."""
    editor = Editor(long_kernel(24), SHORT, long=100)
    editor.replaced("sum -= 4.0f;", "sum -= 14.0f;")
    statements = 71
    assert editor.host.store.count(BODIES).hits >= 0.9 * statements


def test_a_function_that_is_named_for_the_first_time_counts() -> None:
    editor = Editor(
        long_kernel(24).replace("void run(", "__device__ float late(float x) { return 3 * x; }\n\nvoid run("),
        SHORT,
        100,
    )
    assert done(editor.replaced("sum -= 4.0f;", "sum -= late(sum);"), "lowered") == {"pipeline"}
    assert done(editor.replaced("return 3 * x;", "return x > 2 ? x : 0;"), "lowered") == {"pipeline"}
    editor.replaced("sum -= late(sum);", "sum -= late(2);")


def test_what_another_kernel_does_is_nothing_that_a_report_rests_on() -> None:
    text = """\
__global__ void turn(float *q, const float *p, int n) {
    for (int k = 0; k < n; k++) q[(blockIdx.x * 256 + threadIdx.x) * n + k] = p[k];
}
__global__ void nearest(float *q, int n) {
    for (int j = 0; j < n; j++) q[blockIdx.x * 256 + threadIdx.x] += j;
}
bool moved();
void host(float *p, float *q, int most, int n) {
    for (int k = 2; k <= most; k++) {
        turn<<<n / 256, 256>>>(q, p, n);
        do { nearest<<<n / 256, 256>>>(q, n); } while (moved());
    }
}
"""
    editor = Editor(text)
    events = editor.replaced("for (int j = 0; j < n; j++) q[blockIdx.x * 256 + threadIdx.x] += j;", "q[0] = n;")
    assert done(events, "interpreted") == {"nearest"}


def test_a_kernel_is_light_beside_another_as_that_is_now() -> None:
    text = """\
__global__ void forces(const float *p, float *f, int n) {
    for (int k = 0; k < n; k++) f[blockIdx.x * 256 + threadIdx.x] += p[k];
}
__global__ void moved(float *p, const float *f) { p[8 * (blockIdx.x * 256 + threadIdx.x)] += f[0]; }
void steps(float *p, float *f, int n, int rounds) {
    for (int s = 0; s < rounds; s++) {
        forces<<<n / 256, 256>>>(p, f, n);
        moved<<<n / 256, 256>>>(p, f);
    }
}
"""

    def levels(editor: Editor) -> set[str]:
        return {finding.level.value for finding in editor.result.report.findings if finding.worst == 32}

    editor = Editor(text)
    assert levels(editor) == {"information"}
    events = editor.replaced("for (int k = 0; k < n; k++) f[blockIdx.x * 256 + threadIdx.x] += p[k];", "f[0] = n;")
    assert done(events, "interpreted") == {"forces"} and levels(editor) == {"warning"}


READ_AND_UNREAD = """__global__ void k(float *a, const float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float kept = 2.5f * b[8 * i], asked = 0.25f;
    float limit = asked + 3.5f;
    if (b[i] > limit) kept += 4.5f;
    int at = (int)(5.5f * n);
    a[at + i] = kept * 6.5f + 2.5f;
}
void run(float *a, float *b, int n) { k<<<n / 256, 256>>>(a, b, n); }
"""


def test_numbers_that_nothing_rests_on_are_no_part_of_a_kernel() -> None:
    """Another `float` constant is another kernel only where a test, an address or what lanes do together is made from it."""
    text = READ_AND_UNREAD

    def key(changed: str) -> bytes:
        module = lower(parse("k.cu", MemoryFiles({"k.cu": changed.encode()}), Settings()), Settings())
        packed, digest = pack_kernel(module.kernels[0], Store())
        assert unpack_kernel(packed) == module.kernels[0]
        return digest

    for unread in ("4.5f", "6.5f"):
        assert key(text) == key(text.replace(unread, "17.25f")), unread
        assert key(text) != key(text.replace(unread, "0.0f")), "zero is seen"
    for read in ("0.25f", "3.5f", "5.5f"):
        assert key(text) != key(text.replace(read, "17.25f")), read
    assert key(text) != key(text.replace("+ 2.5f", "+ 7.5f")), "two that were equal are not any more"


def test_names_that_nothing_rests_on_are_no_part_of_a_kernel() -> None:
    editor = Editor(READ_AND_UNREAD)
    for old, new, interpreted in (
        ("kept", "total", set[str]()),
        ("limit", "border", {"k"}),
        ("total", "b2", set[str]()),
    ):
        editor.text = editor.text.replace(old, new)
        events = editor.now()
        assert done(events, "lowered") == {"k"} and done(events, "interpreted") == interpreted, new


def test_a_word_that_is_printed_is_found_in_what_is_packed() -> None:
    texts = ("the value of `sum` after", "a" * 0x61 + " kept", "sums, assume", "x" * 300 + " late")
    packed = pack(texts)
    assert all(mentions(packed, word) for word in ("sum", "kept", "late", "the", "after"))
    assert not mentions(packed, "assum") and not mentions(packed, "kep") and not mentions(packed, "ate")
    assert mentions(pack(("sum", "a" * 97)), "sum") and mentions(pack("q" + " " * 96), "q")


def test_operations_are_those_from_scratch_after_edits() -> None:
    text = (
        "//@ launch block=(128) grid=(4)\n__global__ void k(float *o, const float *a, int n, int w) {\n    int i = threadIdx.x;\n    float s = 0.0f;\n"
        "    for (int j = 0; j < n; j++) {\n        s += a[j * 128 + i] * 2.0f;\n        if (i % w > 3) s = s / 3.0f;\n    }\n    o[i] = s;\n}\n"
    )
    metrics = {one: {one: 1} for one in ("flops", "bytes", "instructions", "divisions")}
    editor = Editor(text, Settings(kernel_seconds=20.0, metrics=metrics))
    for old, new in (
        ("s / 3.0f", "s / 3.0f + 1.0f"),
        ("* 2.0f", "* 3.0f"),
        ("float s = 0.0f;", "float s = 1.0f + n;"),
        ("o[i] = s", "o[i] = s * s"),
    ):
        editor.replaced(old, new)
