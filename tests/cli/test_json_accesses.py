"""JSON of accesses and branches for the shapes that real code takes: every field, from text to the schema."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from analysis_core.cli.render_json import file_json
from analysis_core.expressions.expression import PYTHON_FUNCTIONS
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources

SCHEMA = json.loads((Path(__file__).parents[2] / "analysis_core" / "report" / "schema1.json").read_text())


def launch_of(text: str, others: Mapping[str, str] | None = None) -> dict[str, Any]:
    """The first launch of the only kernel of the file `a.cu`, as a reader of JSON sees it."""
    given = {"a.cu": text, **(others or {})}
    files = MemoryFiles({path: content.encode() for path, content in given.items()})
    report = analyse_file("a.cu", files, Settings(), strict=True)
    document = json.loads(json.dumps({"schema": 1, "files": [file_json(report, Sources(files), Settings())]}))
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    (kernel,) = document["files"][0]["kernels"]
    launch: dict[str, Any] = kernel["launches"][0]
    assert all(given[one.get("path", "a.cu")].encode()[slice(*one["span"])] for one in launch["accesses"])
    return launch


def place(text: str, part: str) -> dict[str, Any]:
    """line, column and span of a part of the text that occurs once."""
    data = text.encode()
    start = data.index(part.encode())
    assert data.count(part.encode()) == 1
    line, before = data.count(b"\n", 0, start) + 1, data.rfind(b"\n", 0, start)
    return {"line": line, "column": start - before, "span": [start, start + len(part.encode())]}


def fields(one: Mapping[str, Any], *names: str) -> tuple[Any, ...]:
    return tuple(one[name] for name in names)


MATRIX = """/* \u00e9 */ __global__ void k(float *out, const float *in, int w, int h) {
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x < w && y < h) /* \u00e9 */ out[x*h + y] = in[y*w + x];
}
void go(float *a, float *b, int w, int h) { k<<<dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)>>>(a, b, w, h); }
"""


def test_every_field_of_an_access() -> None:
    load, store = launch_of(MATRIX)["accesses"]
    assert load == {
        "id": load["id"], **place(MATRIX, "in[y*w + x]"), "text": "in[y * w + x]", "via": [], "space": "global",
        "rw": "R", "requests": 1, "bytes": 4, "worst": 5, "best": 4, "ideal": 4, "times": "1", "pattern": "misaligned",
        "cause": None, "base": "in", "exact": True, "certainty": "residue", "cases": [{"when": "w % 8 == 0", "cost": 4}],
        "data_dependent": False, "contention": None, "excess": 1,
    }  # fmt: skip
    assert store["cases"] == [{"when": "h >= 8", "cost": 32}, {"when": "h == 1", "cost": 4}]
    assert fields(store, "rw", "worst", "ideal", "pattern", "base") == ("W", 32, 4, "strided", "out")
    assert fields(store, "line", "column", "span") == tuple(place(MATRIX, "out[x*h + y]").values())


def test_every_field_of_a_branch() -> None:
    (branch,) = launch_of(MATRIX)["branches"]
    assert branch == {
        **place(MATRIX, "x < w && y < h"), "kind": "if", "divergence": "boundary", "active": [1, 31], "cause": None,
        "text": "x < w && y < h", "via": [], "times": "1", "spread": None,
    }  # fmt: skip


def test_cases_and_multiplicities_are_python() -> None:
    launch = launch_of(
        "__global__ void k(float *a, int w) { for (int i = threadIdx.x; i < w; i += 256) a[i + w] = 0; }"
    )
    (access,) = launch["accesses"]
    values = {"w": 1000, **PYTHON_FUNCTIONS}
    assert launch["symbols"]["w"] == {"source": "w", "kind": "parameter"}
    assert eval(access["times"], {}, values) == 4
    assert all(eval(case["when"], {}, values) in (True, False) for case in access["cases"])
    (loop,) = launch["branches"]
    assert fields(loop, "kind", "text", "spread") == ("loop", "i < w", 1)
    assert eval(loop["times"], {}, values) == 5, "a loop tests once more than it iterates"


def test_templates() -> None:
    text = (
        "template <typename T, int B> __global__ void k(T *a) { a[threadIdx.x * B] = T(0); }\n"
        "void go(double *a) { k<double, 4><<<1, 32>>>(a); }\n"
    )
    (access,) = launch_of(text)["accesses"]
    assert fields(access, "bytes", "worst", "best", "ideal", "text") == (8, 32, 32, 8, "a[threadIdx.x * B]")


def test_macros_stand_at_their_invocation() -> None:
    text = (
        "#define AT(p, i) p[(i) * 2]\n"
        "__global__ void k(float *a, int n) {\n"
        "  if (threadIdx.x < n)\n"
        "    AT(a, threadIdx.x) = 1.0f;\n"
        "}\n"
        "void go(float *a, int n) { k<<<1, 64>>>(a, n); }\n"
    )
    launch = launch_of(text)
    (access,) = launch["accesses"]
    assert fields(access, "line", "column") == (4, 5)
    assert fields(access, "worst", "ideal") == (8, 4)
    assert launch["branches"][0]["text"] == "threadIdx.x < n"


def test_inlined_calls_say_where_they_come_from() -> None:
    text = (
        "__device__ void put(float *p, int i) {\n"
        "  p[i] = 0;\n"
        "}\n"
        "__device__ void twice(float *p, int i) {\n"
        "  put(p, 2 * i);\n"
        "}\n"
        "__global__ void k(float *a) {\n"
        "  twice(a, threadIdx.x);\n"
        "}\n"
    )
    (access,) = launch_of(text)["accesses"]
    assert fields(access, "line", "via", "worst", "ideal") == (2, [8, 5], 8, 4)


def test_headers_are_named() -> None:
    header = (
        "__device__ float get(const float *p) {\n  if (threadIdx.x & 1) return p[8 * threadIdx.x];\n  return 0;\n}\n"
    )
    text = '#include "get.h"\n__global__ void k(float *a) { a[threadIdx.x] = get(a + 32); }\n'
    launch = launch_of(text, {"get.h": header})
    inside = [one for one in launch["accesses"] if "path" in one]
    assert [fields(one, "path", "line", "via") for one in inside] == [("get.h", 2, [2])]
    (branch,) = launch["branches"]
    assert fields(branch, "path", "line", "text", "divergence", "active", "via") == (
        "get.h", 2, "threadIdx.x & 1", "always", [16, 16], [2],
    )  # fmt: skip


def test_members_of_structures() -> None:
    text = "struct P { float x, y, z, w; }; __global__ void k(P *p, float *o) { o[threadIdx.x] = p[threadIdx.x].y; }"
    load, _ = launch_of(text)["accesses"]
    assert fields(load, "text", "bytes", "worst", "ideal", "pattern") == ("p[threadIdx.x].y", 4, 16, 4, "strided")


def test_compound_assignments_and_atomics() -> None:
    text = (
        "__global__ void k(int *a, int *h, const int *d) { a[threadIdx.x] += 1; atomicAdd(&h[d[threadIdx.x] & 7], 1); }"
    )
    both, _, atomic = launch_of(text)["accesses"]
    assert fields(both, "rw", "requests", "worst") == ("RW", 2, 4)
    assert fields(atomic, "rw", "data_dependent", "contention", "worst", "certainty") == ("A", True, 32, 1, "exact")
    assert atomic["cause"] == "`d[threadIdx.x]` is loaded from memory"


@pytest.mark.parametrize(
    ("statement", "kind", "divergence"),
    [
        ("if (i & 1) a[i] = 0;", "if", "always"),
        ("while (i < n) { a[i] = 0; i += 256; }", "loop", "boundary"),
        ("do { a[i] = 0; i += 256; } while (i < n);", "loop", "boundary"),
        ("switch (i & 3) { case 0: a[i] = 0; break; case 1: a[i] = 1; }", "switch", "always"),
        ("a[i] = i & 1 ? a[i + 1] : a[i + 2];", "select", "always"),
        ("if (i & 1 && a[i] > 0) a[i] = 0;", "and", "always"),
        ("if (i & 1 || a[i] > 0) a[i] = 0;", "or", "always"),
    ],
)
def test_kinds_of_branches(statement: str, kind: str, divergence: str) -> None:
    text = f"__global__ void k(float *a, int n) {{ int i = threadIdx.x; {statement} }}"
    found = [one for one in launch_of(text)["branches"] if one["kind"] == kind]
    assert [one["divergence"] for one in found] == [divergence]
    assert found[0]["text"] and found[0]["text"] in text


def test_half_typed_code_keeps_what_it_can() -> None:
    text = "__global__ void k(float *a, int n) {\n  int i = threadIdx.x;\n  a[i] = 1;\n  a[2 * i] = \n}\n"
    launch = launch_of(text)
    assert {"a[i]"} <= {one["text"] for one in launch["accesses"]}


def test_memory_of_an_unknown_space_says_so() -> None:
    text = "__global__ void k(float *a, int n) { __shared__ float s[32]; float *p = n ? a : s; p[threadIdx.x] = 0; }"
    (access,) = launch_of(text)["accesses"]
    assert access["space"] == "unknown" and access["worst"] >= 4


def test_what_belongs_to_a_finding_has_its_place() -> None:
    """Notes say in JSON what the text and the editor show: what the index follows, the launch, what is told together."""
    device = "__device__ void put(float *a, int row) {\n    a[row] = 1.0f;\n}\n"
    kernel = """#include "put.cuh"
__global__ void columns(float *a, int n) {
    int row = threadIdx.x * n;
    put(a, row);
}
void run(float *a) { columns<<<4, 64>>>(a, 100); }
"""
    files = MemoryFiles({"put.cuh": device.encode(), "a.cu": kernel.encode()})
    report = analyse_file("a.cu", files, Settings(), strict=True)
    document = json.loads(json.dumps({"schema": 1, "files": [file_json(report, Sources(files), Settings())]}))
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    (finding,) = document["files"][0]["kernels"][0]["findings"]
    assert fields(finding, "code", "path", "line") == ("WC101", "put.cuh", 2)
    called, follows, remark, launched = finding["notes"]
    assert called == {"message": "`put(): row` is computed from `row`", **place(kernel, "put(a, row)")}
    assert follows == {"message": "`row` is computed from threadIdx.x", **place(kernel, "int row = threadIdx.x * n;")}
    assert remark == {"message": "the numbers are for `n` = 100, which launches pass"}
    assert launched == {"message": "launched here with block 64", **place(kernel, "columns<<<4, 64>>>(a, 100)")}
