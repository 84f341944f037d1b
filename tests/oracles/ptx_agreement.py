"""Random programs before a compiler for CUDA: the offsets and strides of stores in its PTX, and ours.

    compare([program(3), ..], folder).differences

Each query is the offset of a store, each member of a class the place of a store into an array of it.  What the compiler
refuses is left out; where it does not fold an address to a number nothing is compared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis_core.support.files import MemoryFiles
from tests.oracles.agreement import HEAD, Difference, Outcome
from tests.oracles.decisions import decide, stored_at
from tests.oracles.programs import Program
from tests.oracles.ptx import compile_text

_DEFINED = (
    "#define FN __device__ __forceinline__\n#define DF __device__\n#define CF constexpr __device__ __forceinline__\n"
)
_ROUNDS = 8  # of leaving out what is refused


@dataclass(frozen=True)
class _Kernel:
    """`refused` by the compiler: the kernel alone, or with its whole program."""

    program: Program
    name: str
    feature: str
    what: str
    text: str


def compare(programs: Sequence[Program], folder: Path) -> Outcome:
    """All kernels of these programs, compiled in one go and lowered one program at a time."""
    outcome = Outcome()
    kernels = [k for p in programs for k in _kernels(p)]
    stores, kept = _compiled(list(programs), kernels, folder)
    outcome.counts["kernel", "refused"] += len(kernels) - len(kept)
    for p in programs:
        mine = [k for k in kept if k.program is p]
        text = HEAD + p.text() + "".join(k.text for k in mine)
        lowered = {k.name: k for k in decide("program.cu", MemoryFiles({"program.cu": text.encode()})).kernels}
        for kernel in mine:
            _compare(kernel, stores.get(kernel.name), stored_at(lowered[kernel.name]).place, outcome)
    return outcome


def _kernels(p: Program) -> Iterator[_Kernel]:
    for i, query in enumerate(p.queries):
        name = f"k_{p.name}_{i}"
        text = f'extern "C" __global__ void {name}(char *out) {{ out[{p.name}::q{i}()] = 1; }}\n'
        yield _Kernel(p, name, query.feature, query.body, text)
    for i, (class_, members) in enumerate(p.layouts):
        for member in members:
            name, what = f"l_{p.name}_{i}_{member}", f"p[threadIdx.x].{member}"
            head = f'extern "C" __global__ void {name}({p.name}::{class_} *p)'
            yield _Kernel(p, name, "layout", f"{class_}: {what}", f"{head} {{ *(char *)&{what} = 1; }}\n")


def _compare(kernel: _Kernel, theirs: tuple[int, int] | None, ours: tuple[int, int] | None, outcome: Outcome) -> None:
    if theirs is None or ours is None:
        outcome.counts["place", "not folded by the compiler" if theirs is None else "unknown to us"] += 1
        return
    outcome.counts["place", "equal" if ours == theirs else "different"] += 1
    if ours != theirs:
        difference = Difference(
            kernel.program.seed, kernel.feature, "place", kernel.what, str(ours), f"(nvcc) {theirs}"
        )
        outcome.differences.append(difference)


def _compiled(
    programs: list[Program], kernels: list[_Kernel], folder: Path
) -> tuple[dict[str, tuple[int, int]], list[_Kernel]]:
    """The stores of all kernels that compile, and these kernels."""
    refused: set[str] = set()  # programs, queries and kernels by name
    for _ in range(_ROUNDS):
        lines = [(line, name) for p in programs if p.name not in refused for line, name in _lines(p, refused)]
        kept = [k for k in kernels if k.program.name not in refused and k.name not in refused]
        lines += [(k.text.rstrip(), k.name) for k in kept]
        compiled = compile_text(_DEFINED + "\n".join(line for line, _ in lines) + "\n", folder)
        if not compiled.errors:
            return compiled.stores, kept
        first = _DEFINED.count("\n") + 1
        refused |= {lines[number - first][1] for number, _ in compiled.errors}
    return {}, []


def _lines(p: Program, refused: set[str]) -> Iterator[tuple[str, str]]:
    """The lines of a program's text without refused queries, each with the name of what goes if it is refused."""
    for line in p.text().splitlines():
        query = line.removeprefix("FN long long q").partition("(")[0]
        name = f"k_{p.name}_{query}" if query.isdigit() and line.startswith("FN long long q") else p.name
        if name not in refused:
            yield line, name
