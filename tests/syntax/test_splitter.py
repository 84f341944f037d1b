"""Top-level items: what they are, where they end, and that one fault stays in one item."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.syntax.lex.preprocessor import Preprocessed, preprocess
from analysis_core.syntax.read.splitter import Item, ItemKind, split


def cut(text: str | bytes) -> tuple[Preprocessed, tuple[Item, ...]]:
    data = text.encode() if isinstance(text, str) else text
    unit = preprocess("a.cu", MemoryFiles({"a.cu": data}), Settings())
    return unit, split(unit.tokens, unit.column)


def summary(text: str) -> list[tuple[str, str, str]]:
    """Kind, name, scope of each item."""
    unit, items = cut(text)
    return [
        (item.kind.value, unit.tokens[item.name].text if item.name is not None else "", item.scope) for item in items
    ]


def only(text: str) -> tuple[Preprocessed, Item]:
    unit, items = cut(text)
    assert len(items) == 1
    return unit, items[0]


def kernels(text: str) -> dict[str, str]:
    """The spellings of each `__global__` function, by name."""
    unit, items = cut(text)
    return {
        unit.tokens[item.name].text: " ".join(token.text for token in unit.tokens[item.start : item.end])
        for item in items
        if item.kind is ItemKind.FUNCTION and "__global__" in item.qualifiers and item.name is not None
    }


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("int x;", "variable", "x"),
        ("int x = f(1, g(2));", "variable", "x"),
        ("__constant__ float c[4][5] = {{1}, {2}};", "variable", "c"),
        ("extern __shared__ float s[];", "variable", "s"),
        ("dim3 block(16, 16);", "variable", "block"),
        ("int a{3};", "variable", "a"),
        ("void (*hook)(int) = nullptr;", "variable", "hook"),
        ("auto f = [](int a) { return a; };", "variable", "f"),
        ("texture<float, 2> t;", "variable", "t"),
        ("std::function<void(int)> callback;", "variable", "callback"),
        ("void f(int a, int b = 3);", "function", "f"),
        ("float2 a::b::f() const { return {1, 2}; }", "function", "f"),
        ("template <int N, class T = float> __global__ void k(T *p) { }", "function", "k"),
        ("template <> void k<3>(int) { }", "function", "k"),
        ("__global__ void __launch_bounds__(256, 2) k(int *p) { }", "function", "k"),
        ("extern \"C\" __global__ void k() { }", "function", "k"),
        ("S::S(int a) : x(a), y{a} { z = 1; }", "function", "S"),
        ("bool operator()(int a) const { return a; }", "function", "operator"),
        ("S &operator+=(S &a, S b) { return a; }", "function", "operator"),
        ("auto f(int a) -> decltype(a) { return a; }", "function", "f"),
        ("struct S *f(int a) { return 0; }", "function", "f"),
        ("S() = default;", "function", "S"),
        ("struct __align__(16) S { float x; void f() { } };", "record", "S"),
        ("class S;", "record", "S"),
        ("struct S : public T<int> { int a; } s;", "record", "S"),
        ("union { int a; };", "record", ""),
        ("enum Color { RED = 1, BLUE };", "enum", "Color"),
        ("enum class E : int { A };", "enum", "E"),
        ("typedef struct { int a; } S;", "alias", "S"),
        ("typedef float real;", "alias", "real"),
        ("using real = float;", "alias", "real"),
        ("template <class T> using P = T *;", "alias", "P"),
        ("using namespace std;", "using", ""),
        ("namespace cg = cooperative_groups;", "using", ""),
        ("static_assert(sizeof(int) == 4, \"x\");", "other", ""),
        ("template __global__ void k<int>(int *);", "other", ""),
        ("#pragma once_in_a_while", "other", ""),
        ("asm(\"nop\");", "other", ""),
    ],
)  # fmt: skip
def test_kinds_and_names(text: str, kind: str, name: str) -> None:
    unit, item = only(text)
    assert item.kind.value == kind
    assert (item.start, item.end, item.closed) == (0, len(unit.tokens), True)
    if name:
        assert item.name is not None
        assert unit.tokens[item.name].text == name


def test_scopes() -> None:
    text = """
    namespace a { int x; namespace b::c { void f() { } } namespace { int y; } inline namespace v { int z; } }
    extern "C" { void g(); namespace d { int w; } }
    int last;
    """
    assert [(name, scope) for _, name, scope in summary(text)] == [
        ("x", "a"), ("f", "a::b::c"), ("y", "a"), ("", "a"), ("z", "a::v"), ("g", ""), ("w", "d"), ("last", ""),
    ]  # fmt: skip


def test_qualifiers_and_bodies() -> None:
    text = "static __device__ __forceinline__ int f(int a) { return a; }"
    unit, item = only(text)
    assert item.qualifiers == {"static", "__device__", "__forceinline__"}
    assert item.body is not None
    assert " ".join(token.text for token in unit.tokens[slice(*item.body)]) == "{ return a ; }"
    assert only("template <int N> void f();")[1].template
    assert 'extern "C"' in cut('extern "C" { void f(); }')[1][0].qualifiers
    assert 'extern "C"' in only('extern "C" void f();')[1].qualifiers


@pytest.mark.parametrize(
    "head",
    [
        "__attribute__((global)) void k()",
        "__attribute__((__global__)) void k()",
        "static __global__ void k()",
        "void __global__ k()",
        "template <int A, typename B = decltype(1 > 2)> __global__ __launch_bounds__(128) void k()",
        "__global__\nvoid\nk\n(\n)\n",
        "BOUNDS(256) __global__ void k(int *p)",
        "template <int N> BOUNDS(256) __global__ void k(int *p)",
        "template <int N>\nBOUNDS(256)\n__global__ void k(int *p)",
        "__global__ BOUNDS(256, 2)\nvoid k(int *p)",
        "__global__ void BOUNDS_ONLY k(int *p)",
    ],
)
def test_spellings_of_a_kernel(head: str) -> None:
    unit, item = only(head + " { int i = threadIdx.x; }")
    assert item.kind is ItemKind.FUNCTION
    assert item.name is not None
    assert unit.tokens[item.name].text == "k"
    assert "__global__" in item.qualifiers


def test_an_unknown_qualifier_macro_leaves_a_function() -> None:
    assert summary("GLOBAL void k(int *p) { p[0] = 1; }\nint x;") == [("function", "k", ""), ("variable", "x", "")]


def test_an_unexpanded_macro_without_semicolon_swallows_nothing() -> None:
    text = "REGISTER(x)\n__global__ void a() { }\nREGISTER(y)\ntemplate <int N>\n__global__ void b() { }\nREGISTER(z)\nvoid c() { }"
    assert [(kind, name) for kind, name, _ in summary(text)] == [
        ("other", "REGISTER"), ("function", "a"), ("other", "REGISTER"), ("function", "b"),
        ("other", "REGISTER"), ("function", "c"),
    ]  # fmt: skip


def test_lambdas_members_and_local_records_are_no_items() -> None:
    text = """
struct Functor {
    template <class T> __device__ T operator()(T a) const { return a; }
    __host__ __device__ static int f(int a) { return a; }
};
void host() {
    struct Local { __device__ int g(int a) { return a; } };
    auto h = [=] __device__ (int i) { return i; };
    for_each(n, [=]
        __device__ (int i) { work(i); });
    #pragma omp parallel
    LOOP(i, n) { }
}
"""
    assert [(kind, name) for kind, name, _ in summary(text)] == [("record", "Functor"), ("function", "host")]


# --- while typing -------------------------------------------------------------------------------------------

FILE = """#include <absent.h>
#define LOOP(i, n) for (int i = 0; i < (n); ++i)
struct Pair {
    int a, b;
    __device__ int sum() const { return a + b; }
};
__device__ float helper(float x) {
    return x > 0 ? x : -x;
}
template <int B>
__global__ void first(float *out,
                      const float *in,
                      int n)
{
    __shared__ float tile[B];
    const int i = blockIdx.x * B + threadIdx.x;
    tile[threadIdx.x] = i < n ? in[i] : 0.0f;
    __syncthreads();
    /* half
       way */
    if (i < n && (tile[0] > 1.0f || in[i] < 2.0f)) {
        LOOP(k, 4) {
            out[i] += helper(tile[k]); // add
        }
    } else {
        out[i] = 'a' + sizeof("text { (");
    }
#if B_IS_SMALL
    out[i] = 1;
#endif
}
static const int SIZE = 16;
extern "C" __global__ void second(int *p) {
    for (int i = threadIdx.x; i < SIZE; i += 32) {
        p[i] = i;
    }
}
int *allocate(int n)
{
    return new int[n];
}
namespace inner {
__global__ void
third(Pair *pairs, int n)
{
    while (n > 0) {
        n -= pairs[n].sum();
    }
}
__host__ __device__ inline int late(int a) {
    return a;
}
}  // namespace inner
GLOBAL void fourth(int a) { use(a); }
__global__ void fifth(int *q) { q[0] = 1; }
int main() {
    first<16><<<1, 16>>>(a, b, 16);
    second<<<1, 32>>>(p);
}
"""
NAMES = ("first", "second", "third", "fifth")


def test_the_file_itself() -> None:
    assert [(kind, name, scope) for kind, name, scope in summary(FILE)] == [
        ("record", "Pair", ""), ("function", "helper", ""), ("function", "first", ""), ("variable", "SIZE", ""),
        ("function", "second", ""), ("function", "allocate", ""), ("function", "third", "inner"),
        ("function", "late", "inner"), ("function", "fourth", ""), ("function", "fifth", ""), ("function", "main", ""),
    ]  # fmt: skip


@pytest.mark.parametrize("line", range(len(FILE.splitlines())))
def test_a_line_cut_anywhere_leaves_all_other_kernels_as_they_were(line: int) -> None:
    """Every line of the file, cut at every place: other kernels keep their tokens, the edited one its name."""
    lines = FILE.split("\n")
    whole = kernels(FILE)
    edited_kernel = _kernel_at(line)
    for place in range(len(lines[line])):
        text = "\n".join((*lines[:line], lines[line][:place], *lines[line + 1 :]))
        after = kernels(text)
        for name in NAMES:
            if name != edited_kernel and not (line == 1 and name == "first"):  # line 1 defines a macro of `first`
                assert after.get(name) == whole[name], (line, place, lines[line][:place])
        if (
            edited_kernel
            and f" {edited_kernel}(" in text.replace("\n", " ")
            and "__global__" in "".join(text.split(edited_kernel)[0].split("\n")[-2:])
        ):
            assert edited_kernel in after, (line, place, lines[line][:place])


def _kernel_at(line: int) -> str:
    unit, items = cut(FILE)
    lines = unit.files["a.cu"].lines
    for item in items:
        name = unit.tokens[item.name].text if item.name is not None else ""
        if name in NAMES:
            first = lines.line_of(unit.tokens[item.start].span.start) - 1
            if first <= line < lines.line_of(unit.tokens[item.end - 1].span.start):
                return name
    return ""


@pytest.mark.parametrize("token", ["{", "}", "(", ")", "[", "]", ";", '"', "'", "/*", "\\", "<", "#", "*/", "=", ","])
def test_a_stray_token_in_a_kernel_leaves_the_others(token: str) -> None:
    chance = random.Random(7)
    whole = kernels(FILE)
    lines = FILE.split("\n")
    for line in range(13, 28):
        place = chance.randrange(len(lines[line]) + 1)
        text = "\n".join((*lines[:line], lines[line][:place] + token + lines[line][place:], *lines[line + 1 :]))
        after = kernels(text)
        for name in NAMES[1:]:
            assert after.get(name) == whole[name], (token, line, place)
        assert "first" in after


@pytest.mark.parametrize(
    "broken",
    [
        "__global__ void broken(",
        "__global__ void broken(int *p",
        "__global__ void broken(int *p)",
        "__global__ void broken(int *p) {",
        "__global__ void broken(int *p) { for (int i = 0; i <",
        "__global__ void broken(int *p) { p[0] = (1 + ",
        "__global__ void broken(int *p) { if (p) { p[0] = f(1; }",
        "__global__ void broken(int *p) { p[0] = 1; } }",
        "__global__ void broken",
        "void host(int a) { return f(",
        "struct S { int a;",
        "enum E { A, B",
        "int table[] = { 1, 2,",
        "namespace n",
        "template <int N",
        "typedef struct { int a; }",
        "#define F(x",
        "FOO(x",
        "FOO(x) BAR(y)",
        "}}}}",
        "((((",
        "= = =",
    ],
)
def test_a_kernel_behind_broken_text_is_whole(broken: str) -> None:
    good = "template <int N>\n__global__ void good(int *p) {\n    p[0] = N;\n}\n"
    text = f"int a;\n{broken}\n{good}int b;\n"
    found = kernels(text)
    assert found["good"] == " ".join(token.text for token in cut(good)[0].tokens)
    if broken.startswith("__global__ void broken"):
        assert "broken" in found


@settings(deadline=None, max_examples=200)
@given(st.binary(max_size=100))
def test_any_bytes_split(data: bytes) -> None:
    _check(*cut(data))


TEXT = (
    "{ } ( ) [ ] ; , = < > : :: __global__ __device__ void k f int template namespace struct enum typedef using extern"
    ' operator -> * & if for return static 1 "x" __attribute__ friend \n const'
)
WORDS = st.sampled_from(TEXT.split(" "))


@settings(deadline=None, max_examples=400)
@given(st.lists(WORDS, max_size=40))
def test_any_words_split_in_order(words: list[str]) -> None:
    _check(*cut(" ".join(words)))


def _check(unit: Preprocessed, items: tuple[Item, ...]) -> None:
    end = 0
    for item in items:
        assert end <= item.start < item.end <= len(unit.tokens)
        assert item.name is None or item.start <= item.name < item.end
        assert item.body is None or item.start <= item.body[0] <= item.body[1] <= item.end
        lost = [token.text for token in unit.tokens[end : item.start]]
        assert (
            set(lost) <= {"{", "}", ";", "namespace", "inline", "extern", "::", "[", "]"}
            or "namespace" in lost
            or ("extern" in lost)
        )
        end = item.end
