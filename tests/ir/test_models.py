"""Library classes without headers: their sizes are those of the C++ library, and what is declared by the program is its own."""

from __future__ import annotations

from pathlib import Path

from analysis_core.ir.nodes import Const, Load, Store
from analysis_core.ir.walk import statements
from analysis_core.program.lower import lower
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.syntax.lex.models import CLASS_SIZES, is_model, with_models
from analysis_core.syntax.parse import parse
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
    text = "template <class T> __device__ void gpuAtomicAdd(T *p, T v) { *p = v; }"
    found = kernel(f"{text} __global__ void k(int *o) {{ gpuAtomicAdd(o, 1); }}")
    assert any(isinstance(stmt, Store) for stmt in statements(found.body))


OWN = b"""
#pragma warpcost model acme::Twice
#pragma warpcost model acme/rows.cuh
namespace acme { struct Twice { float a, b; __device__ float sum(const float *p) { return p[2 * threadIdx.x] + warpcost::data<float>(); } }; }
__device__ inline void odd() { warpcost::opaque("nobody knows"); }
"""


def test_a_project_has_models_of_its_own() -> None:
    text = b"#include <acme/rows.cuh>\n__global__ void k(float *o, const float *p) { acme::Twice t; o[threadIdx.x] = t.sum(p); odd(); }"
    files = MemoryFiles({"proj/a.cu": text, "proj/models/acme.cuh": OWN})
    settings = Settings(models=("proj/models/acme.cuh",))
    tree = parse("proj/a.cu", files, settings)
    found = lower(tree, settings).kernels[0]
    assert "proj/models/acme.cuh" in tree.dependencies
    assert found.assumptions[0].text == "the costs of `acme::Twice` are those of warpcost's model of it"
    assert {cause.reason for cause in found.unknowns} == {"what a library computes depends on data", "nobody knows"}
    own = MemoryFiles(
        {"proj/a.cu": b"namespace acme { struct Twice { char c; }; }\n" + text, "proj/models/acme.cuh": OWN}
    )
    assert not any(is_model(d.span.file) for d in parse("proj/a.cu", own, settings).declarations)
