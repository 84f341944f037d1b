"""Types that expressions give: deduced class template arguments, `decltype` as an operand, defaults of what is named, names of types.

g++ says what each function returns; a kernel whose stride it is pays that many sectors.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from analysis_core.main import main
from tests.ir import gpp

_PRELUDE = """
#include <type_traits>
#include <utility>
#ifndef __CUDACC__
#define __device__
#define __global__
#endif
"""

_DECLARED = """
namespace other { template <class T> struct B { char member[3]; }; }
template <class T> struct V { T t; __device__ constexpr V(T x) : t(x) {} };
template <class T, class U = char> struct W { T t; U u; __device__ constexpr W(T x) : t(x), u(1) {} __device__ constexpr W(T x, U y) : t(x), u(y) {} };
template <class T> struct Guided { T t; __device__ constexpr Guided(T x) : t(x) {} };
Guided(double) -> Guided<char>;
template <class T, int N> struct Row { T t[N]; __device__ constexpr Row(const T (&x)[N]) : t() {} };
template <class T, class = void> struct Has { static const int v = 2; };
template <class T> struct Has<T, std::void_t<typename T::member>> { static const int v = 9; };
template <class T, class = void> struct Calls { static const int v = 2; };
template <class T> struct Calls<T, decltype(std::declval<T>().go(), void())> { static const int v = 9; };
struct A { using member = int; int go(); };
struct B { };
struct Base { __device__ virtual int h(int a = 3) const { return a; } };
struct Derived : Base { __device__ int h(int a = 7) const override { return a * 2; } };
"""

_BODIES = {
    "from_a_constructor": "V v(3.0); return sizeof(v);",
    "from_a_copied_value": "V v = (short)3; auto w = V(4.0); return sizeof(v) + sizeof(w);",
    "copies_keep_their_class": "V v((char)3); V w(v); V z{w}; return sizeof(v) + sizeof(w) + sizeof(z);",
    "with_defaults": "W v(3); W w((short)1, 2LL); return sizeof(v) + sizeof(w);",
    "by_a_guide": "Guided v(2); Guided w(1.0); return sizeof(v) + sizeof(w);",
    "from_an_array": "short s[3] = {1, 2, 3}; Row r(s); return sizeof(r);",
    "decltype_as_operand": "char q = 3; return sizeof(decltype(q)) + sizeof(decltype((long long)1) *) + alignof(decltype(1.0));",
    "decltype_of_a_cast": "return sizeof(decltype((char)1));",
    "members_that_others_have": "return Has<A>::v + Has<B>::v;",
    "left_of_a_comma": "return Calls<A>::v + Calls<B>::v;",
    "defaults_of_what_is_named": "Derived d; const Base &b = d; return b.h() + d.h();",
}


@pytest.mark.skipif(gpp.COMPILER is None, reason="no g++")
def test_types_of_expressions_are_those_of_cpp(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    functions = "".join(f"__device__ int {name}() {{ {body} }}\n" for name, body in _BODIES.items())
    program = _PRELUDE + _DECLARED + functions
    expected = gpp.integers(program, [f"{name}()" for name in _BODIES], tmp_path)
    kernels = "".join(f"__global__ void k_{n}(char *c) {{ c[{n}() * threadIdx.x] = 1; }}\n" for n in _BODIES)
    source = tmp_path / "program.cu"
    source.write_text(program + kernels)
    main(["check", "--no-config", "--block", "64", "--format", "json", str(source)])
    [file] = json.loads(capsys.readouterr().out)["files"]
    found = {k["name"]: accesses_of(k) for k in file["kernels"]}
    assert found == {f"k_{name}": [(min(32, value), "exact")] for name, value in zip(_BODIES, expected)}


def accesses_of(kernel: dict[str, object]) -> list[tuple[object, object]]:
    launches = kernel["launches"]
    assert isinstance(launches, list)
    return [(a["worst"], a["certainty"]) for i in launches for a in i["accesses"] if a["text"].startswith("c[")]
