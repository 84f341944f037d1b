"""Random sets of overloads and specialisations: what is chosen is a stride, which g++ computes as well.  Without g++ nothing is compared."""

from __future__ import annotations

import random
import subprocess
from pathlib import Path

import pytest

from analysis_core.program.lower import lower
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.syntax.parse import parse
from tests.ir.gpp import COMPILER, integers
from tests.oracles.decisions import stored_at

_PARAMETERS = ("int", "long", "double", "const int &", "int &", "int &&", "const int *", "int *", "bool", "S", "const S &", "S &&", "T",
               "T &", "const T &", "T &&", "T *", "const T *", "Box<T>", "const Box<T> &", "...")  # fmt: skip
_ARGUMENTS = ("i", "k", "r", "1", "2.0", "'c'", "&i", "&k", "s", "S{}", "b", "cb", "Box<char>{}", "(int &&)i", "h")
_PATTERNS = ("T *", "const T", "T &", "T &&", "const T *", "T[3]", "T(int)", "Box<T>", "Box<T *>", "Box<Box<T>>")
_TYPES = ("int", "const int", "int *", "const int *", "int &", "const int &", "int &&", "int[3]", "char(int)", "Box<int>", "Box<int *>",
          "Box<Box<char>>", "const Box<int>", "int *const")  # fmt: skip
_BEFORE = "template <class T> struct Box { T x; }; struct S { int x; S() {} S(int) {} };"
_LOCALS = "int i = 1; const int k = 2; int &r = i; short h = 3; S s; Box<int> b{1}; const Box<int> cb{1};"


def _overloads(rng: random.Random, name: str) -> tuple[str, list[str]]:
    chosen = rng.sample(_PARAMETERS, rng.randint(2, 5))
    lines = [
        f"{'template <class T> ' if 'T' in p.replace('Box', '').replace('S', '') else ''}FN int {name}({p}) {{ return {n}; }}"
        for n, p in enumerate(chosen, 2)
    ]
    return "\n".join(lines), [f"{name}({a})" for a in rng.sample(_ARGUMENTS, 4)]


def _specialisations(rng: random.Random, name: str) -> tuple[str, list[str]]:
    lines = [f"template <class T> struct {name} {{ static constexpr int v = 1; }};"]
    for number, pattern in enumerate(rng.sample(_PATTERNS, rng.randint(2, 5)), 2):
        lines.append(f"template <class T> struct {name}<{pattern}> {{ static constexpr int v = {number}; }};")
    return "\n".join(lines), [f"{name}<{t}>::v" for t in rng.sample(_TYPES, 4)]


def _compiled(before: str, expressions: list[str], folder: Path) -> dict[str, int]:
    """The values of those expressions that compile: a call may be ambiguous, or have nothing that fits."""
    found: dict[str, int] = {}
    for number, expression in enumerate(expressions):
        text = f"#define FN\n{_BEFORE}\n{before}\nint value() {{ {_LOCALS} return {expression}; }}"
        inner = folder / str(number)
        inner.mkdir(parents=True)
        try:
            (found[expression],) = integers(text, ["value()"], inner)
        except subprocess.CalledProcessError:  # ambiguous, or nothing fits
            continue
    return found


def _ours(before: str, expression: str) -> tuple[int | None, bool]:
    """The stride that the analysis gives the kernel, and whether it says that something is unknown."""
    text = f"#define FN __device__\n{_BEFORE}\n{before}\n__global__ void q(char *out) {{ {_LOCALS} out[{expression} * threadIdx.x] = 1; }}"
    (kernel,) = lower(parse("q.cu", MemoryFiles({"q.cu": text.encode()}), Settings()), Settings()).kernels
    stored = stored_at(kernel)
    return (None if stored.place is None else stored.place[1]), bool(kernel.unknowns)


@pytest.mark.skipif(COMPILER is None, reason="no g++ on this machine: nothing tells what C++ chooses")
@pytest.mark.parametrize("seed", range(6))
def test_what_is_chosen_is_what_gpp_chooses(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    before, expressions = (_overloads if seed % 2 else _specialisations)(rng, "f" if seed % 2 else "F")
    for expression, value in _compiled(before, expressions, tmp_path).items():
        stride, is_unknown = _ours(before, expression)
        assert stride == value or (stride is None and is_unknown), f"{before}\n{expression}: {stride}, g++ says {value}"
