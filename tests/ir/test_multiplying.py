"""Templates, classes and calls that stand for more than anybody can wait for: the kernel is not read, which is said, and the next one is.
What a compiler makes once is made once."""

from __future__ import annotations

import pytest

from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.program import lower
from analysis_core.report.findings.model import FileReport
from analysis_core.report.hover_kernel import hover_kernel
from analysis_core.support import fuel
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings

OTHER = "\n__global__ void other(float *a) { a[8 * threadIdx.x] = 1; }\nvoid run(float *a) { other<<<4, 256>>>(a); }\n"

MULTIPLYING = {
    "static members": ("template <int N> struct F { static const int v = F<N - 1>::v + F<N - 2>::v; };", "a[F<40>::v & 3] = 1;"),
    "member types": (
        "template <int N> struct F { typedef decltype(typename F<N - 2>::type() + typename F<N - 1>::type()) type; };",
        "a[sizeof(F<40>::type)] = 1;",
    ),
    "packs": ("template <class... T> struct S { typedef typename S<T..., T...>::type type; };", "a[sizeof(S<int>::type)] = 1;"),
    "bases": ("template <int N> struct F : F<N - 1>, F<N - 2> { int x; };\ntemplate <> struct F<0> {};\ntemplate <> struct F<1> {};", "F<40> f; a[0] = f.x;"),
    "members": ("struct S0 { int x; };\n" + "".join(f"struct S{i} {{ S{i - 1} a, b; }};\n" for i in range(1, 26)), "S25 s, t; s = t; a[0] = 1;"),
    "closures": (
        "",
        "auto f0 = [=](int x) { return x; };" + "".join(f"auto f{i} = [=](int x) {{ return f{i - 1}(x) + f{i - 1}(x + 1); }};" for i in range(1, 30)) + "a[f29(1)] = 1;",
    ),
    "overloads": ("template <int N> auto f(int) -> decltype(f<N - 1>(0) + f<N - 2>(0));\ntemplate <int N> int f(...);", "a[sizeof(f<30>(0))] = 1;"),
}  # fmt: skip


def report_of(declarations: str, body: str) -> FileReport:
    text = f"{declarations}\n__global__ void k(int *a) {{ {body} }}\n{OTHER}"
    return analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), Settings(), strict=True)


@pytest.mark.parametrize("name", MULTIPLYING)
def test_a_kernel_that_multiplies_is_said_not_to_be_read(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lower, "LOWERING", fuel.LOWERING / 10)  # so that nobody waits for the real limit
    first, second = report_of(*MULTIPLYING[name]).kernels
    (found,) = first.findings
    assert found.check == "WC900" and "Not analysed from here on: " in found.message
    assert first.launches[0].facts.bounds is not None
    assert first.launches[0].facts.bounds.metrics["sectors"].per_warp.upper is None
    assert [finding.check for finding in second.findings] == ["WC101"]


def test_a_share_of_a_kernel_that_is_not_read_to_its_end_is_said_to_be_of_what_was_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lower, "LOWERING", fuel.LOWERING / 10)
    declarations, body = MULTIPLYING["static members"]
    first, second = report_of(declarations, f"a[9 * threadIdx.x] = 2; {body}").kernels
    (told,) = [finding.message for finding in first.findings if finding.check == "WC101"]
    assert "100% of this kernel's global traffic, as far as it was read" in told
    assert "of the work, as far as it was read" in hover_kernel(first, Settings(), lambda span: "line")
    assert not any("as far as" in finding.message for finding in second.findings)


def test_a_static_member_of_an_instance_is_worked_out_once() -> None:
    ends = "template <> struct F<0> { static const int v = 1; };\ntemplate <> struct F<1> { static const int v = 1; };"
    kernels = report_of(MULTIPLYING["static members"][0] + ends, "a[threadIdx.x * (F<40>::v & 4)] = 1;").kernels
    (access,) = kernels[0].launches[0].facts.accesses
    assert access.worst == 16  # Fibonacci's 41st number is 165580141: 16 bytes apart


def test_what_one_kernel_works_out_no_other_one_has_for_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    chain = "".join(f"const int c{i} = c{i - 1} + 1;\n" for i in range(1, 100))
    kernels = [f"__global__ void k{c}(int *a) {{ a[c{c} + threadIdx.x] = 1; a[9] = 2; }}\n" for c in (49, 99)]
    monkeypatch.setattr(lower, "LOWERING", 0.0013)  # enough for the first one
    settings = Settings()
    found = []
    for order in (kernels, kernels[::-1], kernels[:1], kernels[1:]):
        text = "const int c0 = 0;\n" + chain + "".join(order)
        report = analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), settings, strict=True)
        found.append({k.name: [f.message for f in k.findings] for k in report.kernels})
    both, turned, first, second = found
    assert both == turned == first | second
    assert "Not analysed from here on" in both["k99"][0] and "analysed" not in str(both["k49"])
