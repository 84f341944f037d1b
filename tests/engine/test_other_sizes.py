"""Elements of a type that is not declared: what is said at 4 bytes and at 2 is what is said of elements that are known to have them."""

from __future__ import annotations

import pytest

from analysis_core.expressions.bounds import MetricBound, SumBound, WarpBound
from analysis_core.expressions.compare import proved_at_most
from analysis_core.incremental.kernel_pieces import pack_kernel, unpack_kernel
from analysis_core.pipeline.pipeline import analyse_file, load
from analysis_core.report.cards import hover
from analysis_core.report.findings.model import KernelReport
from analysis_core.requests.facts import Certainty, ReadWrite, SizedCost
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.support.store import Store
from tests.incremental.test_host import SETTINGS, Editor

KNOWN = {4: "int", 2: "short"}
UNKNOWN = "lib::element"

KERNELS = {
    "rows": "out[i] = in[i];",
    "strides": "out[i] = in[4 * i + 1];",
    "pitched": "out[threadIdx.y * n + threadIdx.x] = in[threadIdx.x * n + threadIdx.y];",
    "shifted": "out[i + n] = in[i + 1];",
    "columns": """__shared__ T tile[32][32];
    tile[threadIdx.y][threadIdx.x] = in[i];
    __syncthreads();
    out[i] = tile[threadIdx.x][threadIdx.y];""",
    "rounds": "for (int k = 0; k < n; k++) out[k * 128 + 2 * i] = in[k * 64 + i];",
    "records": """struct Pair { float first; T second; };
    const Pair *pairs = (const Pair *)in;
    out[i] = pairs[i].second;
    ((float *)out)[i] = pairs[i].first;""",
    "guarded": "if (i < n) out[i] = in[8 * i];",
}


def kernel_of(name: str, element: str) -> str:
    body = KERNELS[name].replace("T ", f"{element} ")
    return (
        f"__global__ void {name}({element} *out, const {element} *in, int n) {{\n"
        f"    int i = threadIdx.y * blockDim.x + threadIdx.x;\n    {body}\n}}\n"
        f"void run({element} *a, {element} *b, int n) {{ {name}<<<n, dim3(32, 4)>>>(a, b, n); }}\n"
    )


def report_of(text: str) -> KernelReport:
    report = analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), Settings(), strict=True)
    return report.kernels[0]


@pytest.mark.parametrize("name", KERNELS)
def test_both_sizes_are_those_of_known_elements(name: str) -> None:
    open_ = report_of(kernel_of(name, UNKNOWN)).launches[0].facts
    known = {size: report_of(kernel_of(name, word)).launches[0].facts for size, word in KNOWN.items()}
    for number, access in enumerate(open_.accesses):
        assert not access.exact or access.variation.sized is None
        found = [one.accesses[number] for one in known.values()]
        costs = tuple(SizedCost(size, a.worst, a.best, a.ideal) for size, a in zip(known, found, strict=True))
        if access.variation.sized is None:
            assert len({(a.worst, a.best, a.ideal) for a in found}) == 1
        else:
            assert access.variation.sized.costs == costs
            assert access.certainty is Certainty.RANGED
    assert open_.bounds is not None
    for metric, bound in open_.bounds.metrics.items():
        four, two = (one.bounds.metrics[metric] for one in known.values() if one.bounds is not None)
        assert not bound.per_warp.exact
        for part, at_four, at_two in zip(parts(bound), parts(four), parts(two), strict=True):
            case = next(iter(part.cases), None)
            if case is not None and case.when == "sizeof_lib_element_ == 2":
                assert case.upper == at_two.upper
            else:
                assert at_four.upper == at_two.upper
            for each in (at_four.upper, at_two.upper):
                assert part.upper is not None and each is not None and proved_at_most(each, part.upper)


def parts(bound: MetricBound) -> tuple[WarpBound | SumBound, ...]:
    return bound.per_warp, bound.per_block, bound.per_launch


def test_a_loss_at_both_sizes_is_told_with_both() -> None:
    (finding,) = [one for one in report_of(kernel_of("strides", UNKNOWN)).findings if one.check == "WC101"]
    text = "16 sectors where 4 would do (4x) if `lib::element` has 4 bytes, 8 where 2 would do (4x) if it has 2"
    assert text in finding.message
    assert finding.level.value == "information"


def test_a_loss_at_one_size_is_none_to_tell() -> None:
    text = kernel_of("columns", UNKNOWN).replace("[32][32]", "[32][34]")  # conflicts at 4 bytes, none at 2
    assert all(one.check != "WC201" for one in report_of(text).findings)


def test_kernels_that_know_their_types_are_analysed_once() -> None:
    for word in KNOWN.values():
        facts = report_of(kernel_of("strides", word)).launches[0].facts
        assert all(access.variation.sized is None for access in facts.accesses)


def test_no_bound_is_exact_that_rests_on_a_guessed_size() -> None:
    text = """struct Item { lib::element first; float second; };
    template <class T> __global__ void moved(T *out, const T *in) { out[threadIdx.x] = in[threadIdx.x * 8]; }
    void run(Item *x) { moved<Item><<<1, 32>>>(x, x); }"""
    bounds = report_of(text).launches[0].facts.bounds
    assert bounds is not None and not any(bound.per_warp.exact for bound in bounds.metrics.values())


def test_both_kernels_are_packed_whole() -> None:
    for name in KERNELS:
        files = MemoryFiles({"k.cu": kernel_of(name, UNKNOWN).encode()})
        (kernel,) = load("k.cu", files, Settings())[1].kernels
        assert kernel.resized is not None
        assert unpack_kernel(pack_kernel(kernel, Store())[0]) == kernel


def test_sizes_follow_edits() -> None:
    editor = Editor("// lib\n" + "".join(kernel_of(name, UNKNOWN) for name in ("strides", "columns")), SETTINGS)
    editor.replaced("in[4 * i + 1]", "in[5 * i + 1]")
    editor.replaced("// lib\n", "// lib\n\n\n")
    editor.replaced("in[5 * i + 1];", "in[5 * i + 1]; out[i] = in[")
    editor.replaced(" out[i] = in[\n", "\n")
    editor.replaced("// lib\n", "namespace lib { typedef short element; }\n")
    editor.replaced("namespace lib { typedef short element; }\n", "// lib\n")


UNSURE = """struct Pair { lib::element first; float second; };
union Either { lib::element e[3]; float f; };
struct Inner { Either both; float x; };
struct Base { lib::element b; };
struct Derived : Base { float x; };
struct Node { lib::element e; Node *next; float x; };
struct Holder { Pair *pairs; };
"""

PLACES = {
    "member": ("const Pair *p", "p[i].second"),
    "of a union": ("const Inner *p", "p[i].x"),
    "behind a base": ("const Derived *p", "p[i].x"),
    "of an element of an array": ("const Pair (*p)[4]", "p[i][2].second"),
    "by reference": ("const Pair *p", "*[&] { const Pair &r = p[i]; return &r.second; }()"),
    "of a list": ("const Node *p", "p->next->x"),
    "of what a member points to": ("Holder p", "p.pairs[i].second"),
    "of a record seen in memory": ("int2 *p", "((Pair *)(p + i))->second"),
    "behind elements": ("const lib::element *p", "((const float *)(p + 16))[i]"),
    "behind elements or not": ("const lib::element *p", "(i < 64 ? (const float *)(p + 16) : (const float *)p)[i]"),
    "by a size": ("const float *p", "p[i * sizeof(Pair)]"),
    "by an alignment": ("const float *p", "p[i * alignof(Pair)]"),
    "by an offset": ("const float *p", "p[i + 8 * offsetof(Pair, second)]"),
    "by a difference": ("const float *p", "p[i * ((const lib::element *)(p + 32) - (const lib::element *)p)]"),
}


@pytest.mark.parametrize("name", PLACES)
def test_no_access_is_exact_that_rests_on_a_guessed_size(name: str) -> None:
    parameter, place = PLACES[name]
    kernel = f"__global__ void k(float *out, {parameter}) {{ int i = threadIdx.x; out[i] = {place}; }}\n"
    for access in report_of(UNSURE + kernel).launches[0].facts.accesses:
        assert access.exact == (access.rw is ReadWrite.WRITE)


def test_no_access_is_exact_behind_a_test_of_a_guessed_size() -> None:
    kernel = """__global__ void k(float *out, const float *in, const lib::element *p, const lib::element *q) {
        if (p + 32 * threadIdx.x > q) return;
        out[threadIdx.x] = in[threadIdx.x];
    }"""
    assert not any(access.exact for access in report_of(kernel).launches[0].facts.accesses)


def test_records_of_launches_are_guesses_as_those_of_kernels() -> None:
    kernel = (
        "template <class T> __global__ void k(float *out, const T *in) { out[threadIdx.x] = in[threadIdx.x].second; }"
    )
    run = "void run(float *y, Pair *p) { k<Pair><<<1, 32>>>(y, p); }"
    facts = report_of(f"{UNSURE}{kernel}\n{run}").launches[0].facts
    assert [access.exact for access in facts.accesses] == [False, True]
    assert facts.bounds is not None and not any(bound.per_warp.exact for bound in facts.bounds.metrics.values())


def test_what_rests_on_no_size_stays_exact() -> None:
    kernel = """__global__ void k(lib::element *out, const lib::element *in, float *sums, const float *plain, int n) {
        const lib::element *row = in + blockIdx.x * n;
        for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = row[i];
        sums[threadIdx.x] = plain[threadIdx.x];
    }"""
    accesses = report_of(kernel).launches[0].facts.accesses
    assert [one.text for one in accesses if one.exact] == ["plain[threadIdx.x]", "sums[threadIdx.x]"]


LAUNCHED = "void run(lib::element *p) { k<lib::element><<<1, 32>>>(p, p); }"


def test_a_template_launched_with_such_a_type_is_told_at_both_sizes() -> None:
    kernel = (
        "template <class T> __global__ void k(T *out, const T *in) { out[threadIdx.x] = in[4 * threadIdx.x] * T(2); }"
    )
    report = report_of(f"{kernel}\n{LAUNCHED}")
    (read, written), bounds = report.launches[0].facts.accesses, report.launches[0].facts.bounds
    assert not (read.exact or written.exact)
    assert read.variation.sized is not None and written.variation.sized is not None
    assert read.variation.sized.costs == (SizedCost(4, 16, 16, 4), SizedCost(2, 8, 8, 2))
    assert bounds is not None and bounds.metrics["sectors"].per_warp.cases[0].when == "sizeof_T_ == 2"
    (finding,) = [one for one in report.findings if one.check == "WC101"]
    assert "if `T` has 4 bytes" in finding.message and finding.level.value == "information"


def test_nothing_is_exact_in_a_template_launched_with_such_a_type() -> None:
    kernel = """template <class T> __global__ void k(const T *in, float *out) {
        if constexpr (std::is_same_v<T, lib::other>) out[2 * threadIdx.x] = 0; else out[threadIdx.x] = 0;
    }"""
    run = LAUNCHED.replace("(p, p)", "(p, 0)")
    facts = report_of(f"{kernel}\n{run}").launches[0].facts
    assert facts.accesses and not any(access.exact for access in facts.accesses)
    assert facts.bounds is not None and not any(bound.per_warp.exact for bound in facts.bounds.metrics.values())


def test_a_template_that_nothing_launches_is_one_stated_instance() -> None:
    kernel = "template <class T> __global__ void k(T *out, const T *in) { out[threadIdx.x] = in[threadIdx.x]; }"
    host = "template <class S> void run(S *p) { k<S><<<1, 32>>>(p, p); }"  # which nothing calls
    for text in (kernel, f"{kernel}\n{host}"):
        (known,) = [report_of(text).launches[0].facts]
        assert all(access.exact and access.variation.sized is None for access in known.accesses)


def test_what_is_launched_with_follows_edits() -> None:
    kernel = "template <class T> __global__ void k(T *out, const T *in) { out[threadIdx.x] = in[threadIdx.x]; }"
    editor = Editor(f"// lib\n{kernel}\n{LAUNCHED}\n", SETTINGS)
    editor.replaced("k<lib::element>", "k<float>")
    editor.replaced("k<float>", "k<lib::element>")
    editor.replaced("// lib\n", "namespace lib { typedef short element; }\n")
    editor.replaced("k<lib::element><<<1, 32>>>(p, p);", "")


RACING = {
    "elements beside what they lie in": """__shared__ float all[256];
        float *behind = (float *)((lib::element *)all + 32);
        all[i] = in[i];
        behind[i] = 2;""",
    "members beside what they lie in": "((Pair *)out)[i].second = 1; out[256 + i] = 2;",
    "elements as something else": "lib::element *as = (lib::element *)out; as[i] = lib::element(); out[i] = 1;",
}


@pytest.mark.parametrize("name", RACING)
def test_no_race_is_absent_that_another_size_makes(name: str) -> None:
    kernel = f"__global__ void k(float *out, const float *in) {{ int i = threadIdx.x; {RACING[name]} }}\n"
    races = report_of(UNSURE + kernel).launches[0].profile.races
    assert races is not None and races.cause


def test_elements_of_any_size_are_held_against_each_other() -> None:
    for name in ("rows", "rounds", "guarded"):
        races = report_of(kernel_of(name, UNKNOWN)).launches[0].profile.races
        assert races is not None and not races.cause


def test_records_that_hold_two_of_each_other_and_long_sums_are_read() -> None:
    records = "struct R0 { lib::element e; };\n" + "".join(f"struct R{n} {{ R{n - 1} a, b; }};\n" for n in range(1, 20))
    place = "(" * 100 + "p" + " + 1)" * 100
    body = f"out[threadIdx.x] = *(const float *){place}; out[1] = r[1].b.a.b.a.a.b.b.a.a.b.a.a.b.b.a.a.b.b.a.e;"
    report = report_of(f"{records}__global__ void k(float *out, const lib::element *p, R19 *r) {{ {body} }}")
    assert report.failure is None
    assert not any(access.exact for access in report.launches[0].facts.accesses if access.rw is ReadWrite.READ)


PASSED = """\
__global__ void rows(floatX *out, const floatX *in, int N, int C) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= N) return;
    for (int c = 0; c < C; c++) out[i * C + c] = (float)in[i * C + c];
}
void launch(floatX *out, const floatX *in) { rows<<<64, 256>>>(out, in, 16384, 768); }
"""


def test_cards_for_numbers_that_launches_pass_say_both_sizes_as_findings_do() -> None:
    report = analyse_file("a.cu", MemoryFiles({"a.cu": PASSED.encode()}), Settings())
    found = [one for one in report.findings if one.check == "WC101"]
    assert found
    for finding in found:
        card = hover("a.cu", report, Settings(), finding.span.start, lambda span: "there")
        assert card is not None and "if `floatX` has 4 bytes" in " ".join(card.markdown.split())
        assert f"WC101 {finding.level.value}" in card.markdown
