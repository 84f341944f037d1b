"""Case discussions of own kernels, held against systems that were written by hand (`kernels/`, in comments).

    // resources T Z; registers 9 S=1:5
    // case 2*B <= Z and Z < 2*S*B: S=1, CACHE=1           or "no Z": nothing fits, for want of Z

The first four have the systems that were published for addition, Jacobi, transposition and product, with the gap of the transposition closed.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from analysis_core.case_discussion.discuss import Discussion, NotDiscussed, Registers, discussion
from analysis_core.case_discussion.tree import Leaf
from analysis_core.expressions.conditions import holds, names
from analysis_core.pipeline.checked_fixes import Place
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.support.store import Store
from analysis_core.workspace.values import registers_of

KERNELS = sorted((Path(__file__).parent / "kernels").glob("*.cu"))


def discussed(text: str | bytes, resources: str = "TZR", registers: str = "", **settings: object) -> Discussion:
    data = text.encode("utf-8", "surrogateescape") if isinstance(text, str) else text
    place = Place("a.cu", MemoryFiles({"a.cu": data}), Settings(**settings), (), Store())  # type: ignore[arg-type]
    declared = Registers(tuple(registers_of(one) for one in registers.split()))
    return discussion(place, data, None, dict.fromkeys(resources), declared)


def read(path: Path) -> tuple[Discussion, list[tuple[str, str]]]:
    text = path.read_text(encoding="utf-8")
    head = re.search(r"// resources ([TZR ]+)(?:; registers (.*))?", text)
    assert head is not None
    expected = [(when, then) for when, then in re.findall(r"// case (.*): (.*)", text)]
    return discussed(text, head[1].replace(" ", ""), head[2] or ""), expected


def outcome(found: Discussion, leaf: Leaf) -> str:
    return f"no {leaf.lacking}" if leaf.variant is None else found.label(leaf.variant)


def points(found: Discussion, expected: list[tuple[str, str]]) -> Iterator[Mapping[str, int]]:
    """Values of all names: those that reach each case with what is next to them, and random ones."""
    seed = random.Random(7)
    wanted = sorted({name for when, _ in expected for name in names(when)})
    machine = {name for name in wanted if name not in found.symbols}
    for values in found.witnesses:
        assert values is not None
        for name in machine:
            for more in (-1, 0, 1):
                yield {**dict.fromkeys(machine, 0), **values, name: max(0, values[name] + more)}
    for _ in range(600):
        sizes = {name: seed.choice((1, 2, 3, 8, 16, 100)) for name in wanted}
        yield {**sizes, **{name: seed.choice((0, 1, seed.randrange(40), seed.randrange(9000))) for name in machine}}


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_the_system_is_the_one_that_was_written_by_hand(path: Path) -> None:
    found, expected = read(path)
    assert found.proofs is not None
    assert found.proofs.disjoint
    assert found.proofs.covering
    assert len(found.cases) == len(expected)
    assert {outcome(found, leaf) for leaf in found.cases} == {then for _, then in expected}
    for values in points(found, expected):
        here = [outcome(found, leaf) for leaf in found.cases if all(one.holds(values) for one in leaf.case)]
        assert here == [then for when, then in expected if holds(when, values)], values


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_each_case_is_reached_and_says_so(path: Path) -> None:
    found, _ = read(path)
    for leaf, values in zip(found.cases, found.witnesses, strict=True):
        assert values is not None
        assert all(one.holds(values) for one in leaf.case)


@pytest.mark.parametrize("path", KERNELS, ids=lambda path: path.stem)
def test_it_takes_no_time(path: Path) -> None:
    read(path)
    before = time.process_time()
    read(path)
    assert time.process_time() - before < 1


def test_estimates_keep_the_order_of_what_was_published() -> None:
    by_variant = {}
    for stem in ("two_sums", "smooth", "turn"):
        text = next(path for path in KERNELS if path.stem == stem).read_text(encoding="utf-8")
        found = discussed(text, "R")
        by_variant |= {(stem, found.label(variant)): one.registers for variant, one in found.counted.items()}
        assert all(one.estimated for one in found.counted.values())
    assert by_variant["two_sums", "PAIRS=1"] >= by_variant["two_sums", "PAIRS=0"]


HOSTILE = {
    "nothing": b"",
    "no kernel": b"int x;",
    "bytes": b"\xff\x00{{{ #define B 8",
    "half typed": b"#define B 8\n//@ launch block=B\n__global__ void k(int *a) { __shared__ int s[B * (",
    "half a macro": b"#define B 8\n#define\n#define S (\n//@ launch block=B\n__global__ void k(int *a) { __shared__ int s[B]; s[0] = 1; }",
    "no launch": b"__global__ void k(int *a) { a[0] = 1; }",
    "two kernels": b"__global__ void k(int *a) { a[0] = 1; }\n__global__ void l(int *a) { a[0] = 1; }",
    "in itself": b"#define B B\n#define S 1\n//@ launch block=B\n__global__ void k(int *a) { a[0] = 1; }",
    "unfinished condition": b"#define B 8\n#if B\n//@ launch block=B\n__global__ void k(int *a) { a[0] = 1; }",
}


REFUSED = {"nothing", "no kernel", "bytes", "no launch", "two kernels", "in itself", "unfinished condition"}


@pytest.mark.parametrize("name", HOSTILE)
def test_any_text_is_discussed_or_refused_with_a_reason(name: str) -> None:
    if name in REFUSED:
        with pytest.raises(NotDiscussed, match="kernel"):
            discussed(HOSTILE[name])
    else:
        found = discussed(HOSTILE[name])
        assert found.proofs is not None
        assert found.proofs.covering


def test_no_macros() -> None:
    found = discussed(
        "//@ launch block=64 grid=(8)\n__global__ void k(int *a) { a[blockIdx.x * 64 + threadIdx.x] = 1; }", "TZ"
    )
    assert [one.text for one in found.cases[0].case] == ["64 <= T"]
    assert found.symbols == {}


def test_twenty_macros() -> None:
    macros = "".join(f"#define M{n} {n % 2}\n" for n in range(20))
    body = "".join(
        f"#if M{n}\n    __shared__ int s{n}[{n + 1}]; s{n}[0] = 1; a[{n}] = s{n}[0];\n#endif\n" for n in range(20)
    )
    found = discussed(f"{macros}//@ launch block=32\n__global__ void k(int *a) {{\n{body}}}", "Z")
    assert found.proofs is not None
    assert found.proofs.disjoint
    assert found.proofs.covering
    assert any("too many" in note for note in found.notes)


def test_huge_values() -> None:
    found = discussed(
        "#define B 64\n#define N 999999999\n//@ launch block=B\n"
        "__global__ void k(int *a) { __shared__ int s[N]; s[0] = N; a[0] = s[0]; }",
        "TZ",
    )
    assert any("N <= Z" in one.text for leaf in found.cases for one in leaf.case)


def test_what_is_no_expression_of_macros_is_said() -> None:
    found = discussed(
        "#define B 64\ntemplate <int N> __global__ void k(int *a) { __shared__ int s[N]; s[threadIdx.x] = 1; a[0] = s[0]; }\n"
        "void run(int *a) { k<2 * B><<<1, B>>>(a); }",
        "Z",
    )
    assert any("`s` is not followed" in note and "512" in note for note in found.notes)


def test_a_value_of_the_command_line_is_the_present_one() -> None:
    text = KERNELS[0].read_text(encoding="utf-8").replace("#define B 32", "#ifndef B\n#define B 32\n#endif")
    assert discussed(text, "Z", defines={"B": "96"}).symbols["B"] == 96


def test_constants_are_parameters_too() -> None:
    found = discussed(
        "constexpr int EACH = 16;\nstatic const int B = 64;\n"
        "__global__ void k(int *a) { __shared__ int s[EACH * B]; s[threadIdx.x] = 1; a[blockIdx.x] = s[0]; }\n"
        "void run(int *a, int n) { k<<<n / (EACH * B), B>>>(a); }",
        "Z",
    )
    assert [(leaf.case[0].text, outcome(found, leaf)) for leaf in found.cases] == [
        ("B*EACH <= Z", "EACH kept"),
        ("Z < B*EACH", "EACH=1"),
        ("Z < B", "no Z"),
    ]


def test_a_grid_that_is_a_number_says_nothing_of_granularity() -> None:
    found = discussed(
        "#define BLOCKS 64\n#define B 32\n#define PER 4\nint up(int a, int b);\n"
        "__global__ void k(int *a) { __shared__ int s[BLOCKS + PER * B]; s[threadIdx.x] = PER; a[threadIdx.x] = s[0]; }\n"
        "void run(int *a, int n) { int each = PER * B; dim3 grid(BLOCKS, up(n, each)); k<<<grid, B>>>(a); }",
        "Z",
    )
    assert [one.text for one in found.strategies] == ["PER=1"]


def test_without_a_solver_nothing_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "analysis_core.races.session", None)
    found, _ = read(next(path for path in KERNELS if path.stem == "turn"))
    assert found.proofs is None
    assert any("z3" in note for note in found.notes)
    assert len(found.cases) >= 5
