"""Library classes without headers: their sizes are those of the C++ library, and what is declared by the program is its own."""

from __future__ import annotations

from pathlib import Path

from analysis_core.ir.nodes import Const, Load, Store
from analysis_core.ir.walk import statements
from analysis_core.syntax.lex.models import CLASS_SIZES, is_model, with_models
from tests.ir import gpp
from tests.ir.lowering import kernel

HEADERS = "".join(
    f"#include <{name}>\n"
    for name in (
        "array", "atomic", "complex", "deque", "functional", "initializer_list", "list", "map", "memory", "mutex", "optional", "queue",
        "set", "stack", "string", "string_view", "thread", "unordered_map", "unordered_set", "utility", "vector",
    )
)  # fmt: skip
MODELS = ("complex<float>", "complex<double>", "array<short, 7>", "array<int, 0>", "pair<char, double>", "pair<short, char>", "optional<double>",
          "optional<char>")  # fmt: skip
ARGUMENTS = {"map": "<int, int>", "multimap": "<int, int>", "unordered_map": "<int, int>", "function": "<int()>", "string": "", "string_view": "",
             "mutex": "", "thread": "", "vector<bool>": ""}  # fmt: skip


def test_sizes_are_those_of_the_library(tmp_path: Path) -> None:
    listed = [name.removeprefix("std::") for name in CLASS_SIZES if name.startswith("std::")]
    classes = [f"std::{name}" for name in (*MODELS, *(name + ARGUMENTS.get(name, "<int>") for name in listed))]
    derived = "".join(f"struct D{i} : std::{name} {{ char last; }};\n" for i, name in enumerate(MODELS))
    questions = [f"{word}({name})" for name in classes for word in ("sizeof", "alignof")]
    questions += [f"sizeof(D{i})" for i in range(len(MODELS))]
    body = " ".join(f"o[0] = {question};" for question in questions)
    found = kernel(f"{HEADERS}{derived}__global__ void k(long long *o) {{ {body} }}")
    values = [stmt.values[0] for stmt in statements(found.body) if isinstance(stmt, Store)]
    ours = [int(value.value) if isinstance(value, Const) else None for value in values]
    assert dict(zip(questions, ours)) == dict(zip(questions, gpp.integers(HEADERS + derived, questions, tmp_path)))


def test_what_models_access_stands_where_they_are_called() -> None:
    found = kernel("""
        __global__ void k(thrust::complex<float> *z) { z[threadIdx.x] *= z[0]; }
    """)
    accesses = [stmt.access for stmt in statements(found.body) if isinstance(stmt, Load | Store)]
    assert accesses
    assert not any(is_model(span.file) for access in accesses for span in (access.span, *access.via))
    assert not found.unknowns


def test_what_a_program_declares_is_its_own() -> None:
    text = "namespace std { template <class T> struct complex { T a, b, c; }; }"
    found = kernel(f"{text} __global__ void k(int *o) {{ o[0] = sizeof(std::complex<float>); }}")
    values = [stmt.values[0] for stmt in statements(found.body) if isinstance(stmt, Store)]
    assert [value.value for value in values if isinstance(value, Const)] == [12]
    assert with_models((), lambda path, text: ()) == ()
