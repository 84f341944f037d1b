"""What stands for arguments of templates that nothing in view binds: the order of candidates, and what is said of them."""

from __future__ import annotations

import pytest

from analysis_core.ir.nodes import Kernel
from analysis_core.program.lower import lower
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.syntax.parse import parse


def taken(source: str, name: str = "k") -> list[str]:
    """What is taken for arguments of a kernel, as it is said."""
    return [a.text for a in kernel(source, name).assumptions if "is taken to be" in a.text]


def kernel(source: str, name: str = "k") -> Kernel:
    tree = parse("k.cu", MemoryFiles({"k.cu": source.encode()}), Settings())
    (found,) = (one for one in lower(tree, Settings()).kernels if one.name == name)
    return found


def asserting(condition: str, parameters: str = "int N", before: str = "") -> str:
    return f"template <{parameters}> __global__ void k(float *p) {{ {before} static_assert({condition}); p[0] = 0; }}"


@pytest.mark.parametrize(
    ("condition", "value"),
    [
        ("N == 96 || N == 80", "80"),  # what it is compared with, the least first
        ("N % 32 == 0", "32"),
        ("N % 64 == 0 && N > 64", "128"),
        ("N > 0", "32"),
        ("N < 8", "1"),
        ("N > 300 && (N & (N - 1)) == 0", "512"),
        ("N == 40 + 2", "42"),
        ("N >= 77 && N <= 78", "77"),  # a number that it names
        ("N < 1", "0"),
    ],
)
def test_the_first_candidate_that_is_allowed(condition: str, value: str) -> None:
    (said,) = taken(asserting(condition))
    assert said.startswith(f"`N` is taken to be {value}, which `static_assert(")


@pytest.mark.parametrize(
    "condition", ["N > 0 && N < 0", "Absent<N>::fits", "sizeof(float) == 4", "sizeof(p) == 8 || M == 3"]
)
def test_what_asserts_nothing_of_a_parameter_leaves_it_open(condition: str) -> None:
    assert not taken(asserting(condition))


def test_assertions_of_inner_blocks_may_be_left_out() -> None:
    assert not taken("template <int N> __global__ void k(float *p) { if constexpr (N > 4) { static_assert(N == 8); } }")


def test_several_parameters_are_chosen_together() -> None:
    said = taken(
        asserting(
            "BYTES == 16 && N % V == 0 && N > 200", "typename T, int V, int N", "constexpr int BYTES = sizeof(T) * V;"
        )
    )
    assert [one.split(",")[0] for one in said] == [
        "`T` is taken to be float",
        "`V` is taken to be 4",
        "`N` is taken to be 256",
    ]


@pytest.mark.parametrize(
    ("condition", "type"),
    [
        ("sizeof(T) == 4", "float"),
        ("sizeof(T) == 8", "double"),
        ("sizeof(T) == 1", "unsigned char"),
        ("sizeof(T) == 8 && T(-1) < 0 && std::is_same<T, long long>::value", "long long"),
    ],
)
def test_types_are_float_unless_that_is_refused(condition: str, type: str) -> None:
    (said,) = taken("#include <type_traits>\n" + asserting(condition, "typename T"))
    assert said.startswith(f"`T` is taken to be {type}, ")


OTHER = "template <int N> __global__ void other(float *p) { p[N] = 0; } void f(float *p) { other<48><<<1, 32>>>(p); }\n"


def test_arguments_of_other_kernels_come_first() -> None:
    plain = "template <int N> __global__ void k(float *p) { p[N] = 0; }"
    assert taken(OTHER + plain) == ["`N` is taken to be 48, as in a launch of `other`"]
    assert taken(OTHER + asserting("N % 16 == 0")) == ["`N` is taken to be 48, as in a launch of `other`"]
    assert taken(OTHER + asserting("N % 32 == 0")) == [
        "`N` is taken to be 32, which `static_assert(N % 32 == 0)` allows"
    ]
    assert not taken(OTHER + "template <long N> __global__ void k(float *p) { p[N] = 0; }")
    assert not taken(OTHER + "template <int M> __global__ void k(float *p) { p[M] = 0; }")


def test_defaults_and_launches_are_no_guesses() -> None:
    assert not taken(asserting("N % 32 == 0", "int N = 64"))
    launch = "\nvoid g(float *p) { dim3 b(32); k<T, 64><<<1, b>>>(p); }"
    found = kernel(asserting("N % 32 == 0", "typename T, int N") + launch)
    assert found.instantiation == "k<?, 64>"
    assert not found.guessed


def test_a_guess_is_marked_where_it_is_a_value() -> None:
    assert kernel(asserting("N == 3")).guessed
    assert not kernel(asserting("sizeof(T) == 8", "typename T")).guessed
