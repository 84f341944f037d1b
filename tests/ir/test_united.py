"""Kernels of a header under the launches of all files that include it; from scratch and again and again the same."""

from __future__ import annotations

from dataclasses import replace

from analysis_core.incremental.asked import Asked
from analysis_core.incremental.host import Host, whole
from analysis_core.ir.nodes import Kernel
from analysis_core.pipeline.pipeline import analyse_file, load
from analysis_core.report.findings.model import FileReport
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.syntax.units import MOST_UNITS, units_of

HEADER = """#pragma once
__global__ void scale(float *a) { a[threadIdx.x * STEP] = 0; }
template <int N> __global__ void shift(float *a) { a[threadIdx.x * N] = 0; }
"""
ONE = '#define STEP 2\n#include "k.cuh"\nvoid one(float *a) { scale<<<1, 64>>>(a); shift<2><<<1, 64>>>(a); }\n'
TWO = '#define STEP 2\n#include "k.cuh"\nvoid two(float *a) { scale<<<2, 128>>>(a); shift<4><<<1, 32>>>(a); }\n'
OTHER = '#define STEP 8\n#include "k.cuh"\nvoid three(float *a) { scale<<<3, 256>>>(a); }\n'
SILENT = '#define STEP 16\n#include "k.cuh"\n'
FILES = {"p/k.cuh": HEADER, "p/one.cu": ONE, "p/two.cu": TWO, "p/other.cu": OTHER, "p/silent.cu": SILENT}
HERE = "p/k.cuh"


def through(*names: str, **changed: str) -> tuple[MemoryFiles, tuple[str, ...]]:
    """These files as a project, and the units of the header in it."""
    texts = {f"p/{name}": FILES[f"p/{name}"].encode() for name in ("k.cuh", *names)}
    texts.update({f"p/{name}.cu": text.encode() for name, text in changed.items()})
    return MemoryFiles(texts), units_of(texts).get(HERE, ())


def kernels(*names: str) -> list[tuple[str, list[tuple[int, int, int] | None]]]:
    files, units = through(*names)
    module = load(HERE, files, Settings(), units=units, strict=True)[1]
    return [(k.instantiation or k.name, [site.block for site in k.launches]) for k in module.kernels]


def test_launches_of_all_units_are_united() -> None:
    found = kernels("one.cu", "two.cu")
    assert found == [("scale", [(64, 1, 1), (128, 1, 1)]), ("shift<2>", [(64, 1, 1)]), ("shift<4>", [(32, 1, 1)])]


def test_what_units_make_of_a_kernel_is_kept_apart() -> None:
    """With STEP 8 the kernel costs four times as much, and only in blocks of 256."""
    assert kernels("one.cu", "other.cu") == [
        ("scale", [(64, 1, 1)]),
        ("scale", [(256, 1, 1)]),
        ("shift<2>", [(64, 1, 1)]),
    ]
    files, units = through("one.cu", "other.cu")
    report = analyse_file(HERE, files, Settings(), units=units, strict=True)
    worst = [max(a.worst for a in k.launches[0].facts.accesses) for k in report.kernels if k.name == "scale"]
    assert worst == [8, 32]
    told = next(f for f in report.findings if f.check == "WC101" and f.span.start == HEADER.index("a[thread"))
    assert told.message.startswith("Uncoalesced store to `a`: each warp touches 32 sectors"), (
        "the worst of both is told"
    )


def test_a_variant_that_nobody_launches_goes_where_another_is_launched() -> None:
    assert kernels("silent.cu", "one.cu") == [("scale", [(64, 1, 1)]), ("shift<2>", [(64, 1, 1)])]
    assert [name for name, _ in kernels("silent.cu")] == ["scale", "shift"]


def test_the_report_names_what_all_units_were_read_from() -> None:
    files, units = through("one.cu", "two.cu")
    report = analyse_file(HERE, files, Settings(), units=units, strict=True)
    assert {"p/one.cu", "p/two.cu", HERE} <= set(report.dependencies)


def test_units_are_few_and_sources_come_first() -> None:
    texts = {f"{letter}.cu": b'#include "k.cuh"\n' for letter in "cbafed"}
    texts |= {"k.cuh": b"", "a.cuh": b'#include "k.cuh"\n', "unrelated.cu": b""}
    assert units_of(texts)["k.cuh"] == ("a.cu", "b.cu", "c.cu", "d.cu")[:MOST_UNITS]
    cycle = {"a.cuh": b'#include "b.cuh"\n', "b.cuh": b'#include "a.cuh"\n#include "c.cuh"\n', "c.cuh": b""}
    assert units_of(cycle) == {"a.cuh": ("b.cuh",), "b.cuh": ("a.cuh",), "c.cuh": ("a.cuh",)}


def analysed(host: Host, files: MemoryFiles, units: tuple[str, ...]) -> FileReport:
    return whole(list(host.analyse(Asked(HERE, files, Settings(), units=units, strict=True)))[-1])


def test_the_host_gives_the_same_and_remembers_kernels() -> None:
    host = Host()
    texts = (
        {},
        {"one": ONE.replace("64", "96")},
        {"one": "// no longer\n"},
        {"one": "// none\n", "two": "// none\n"},
        {},
    )
    for changed in texts:
        files, units = through("one.cu", "two.cu", **changed)
        scratch = analyse_file(HERE, files, Settings(), units=units, strict=True)
        assert _timeless(analysed(host, files, units)) == _timeless(scratch)
    notes = [note for note in host.store.events() if note.what == "bounded"]
    assert notes and notes[-1].reused


def _timeless(report: FileReport) -> FileReport:
    return replace(report, kernels=tuple(replace(k, seconds=0.0) for k in report.kernels), times=())


def test_a_kernel_is_the_same_for_two_units_that_say_the_same() -> None:
    files, units = through("one.cu", "two.cu")
    found: list[Kernel] = [load(HERE, files, Settings(), units=(unit,), strict=True)[1].kernels[0] for unit in units]
    assert replace(found[0], launches=()) == replace(found[1], launches=()) and found[0] != found[1]
