"""A compiler for CUDA as a reader: the loads and stores in the machine code of kernels.

`nvcc` compiles (ptx.py says where it is found), `nvdisasm` of the package `nvidia-cuda-nvdisasm` or on the PATH prints the
machine code (SASS) with the line of the source that each instruction is of.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.oracles.ptx import command, compiler

MISSING = "nvcc and nvdisasm are not both here, neither on the PATH nor as packages (`pip install -e '.[nvcc]'`)"

_FLAGS = ("-cubin", "-arch=sm_80", "-O3", "-std=c++20", "-w", "-lineinfo", "--expt-relaxed-constexpr")

_SPACES = {"": "global", "G": "global", "S": "shared", "L": "local"}
_WIDTHS = {"U8": 1, "S8": 1, "U16": 2, "S16": 2, "64": 8, "128": 16}


@dataclass(frozen=True, slots=True)
class MachineRequest:
    """A load or a store of `width` bytes per lane that some line of the source is compiled to.  `in_loop`: it lies in a loop of the machine code."""

    line: int
    is_load: bool
    space: str
    width: int
    in_loop: bool

    @property
    def place(self) -> tuple[int, bool, str]:
        """Equal for requests that the source does not tell apart."""
        return self.line, self.is_load, self.space


def is_there() -> bool:
    """Whether kernels can be compiled and their machine code be read."""
    return compiler() is not None and command("nvdisasm") is not None


def machine_requests(source: Path, folder: Path) -> Mapping[str, Sequence[MachineRequest]] | None:
    """The requests of each kernel of a file, by mangled name; None where the compiler refuses the file."""
    nvcc, nvdisasm = compiler(), command("nvdisasm")
    assert nvcc is not None
    assert nvdisasm is not None
    target = folder / f"{source.stem}.cubin"
    if subprocess.run([nvcc, *_FLAGS, "-o", str(target), str(source)], capture_output=True).returncode:
        return None
    text = subprocess.run([nvdisasm, "-g", "-c", str(target)], capture_output=True, text=True, check=True).stdout
    return read_sass(text, source.name)


_SECTION = re.compile(r"^\s*\.section\s+\.text\.(\w+),.*$", re.MULTILINE)
_PLACE = re.compile(r'\s*//## File "([^"]+)", line (\d+)')
_LABEL = re.compile(r"(\.L\w+):")
_INSTRUCTION = re.compile(r"\s*/\*[0-9a-f]{4,}\*/\s+\{?\s*(@!?U?P\w+\s+)?([A-Z][\w.]*)([^;]*);")
_ACCESS = re.compile(r"(LD|ST)([GSL]?)(?:\.|$)")


def read_sass(text: str, source: str) -> dict[str, list[MachineRequest]]:
    """The requests of each kernel of a listing, those that are of lines of the file `source`."""
    names = [*_SECTION.finditer(text)]
    ends = [name.start() for name in names[1:]] + [len(text)]
    return {name.group(1): _Code.of(text[name.end() : end]).requests(source) for name, end in zip(names, ends)}


@dataclass(frozen=True, slots=True)
class _Instruction:
    operation: str
    target: str
    conditional: bool
    file: str
    line: int


@dataclass(frozen=True, slots=True)
class _Code:
    """The instructions of a kernel, and where its labels stand among them."""

    instructions: tuple[_Instruction, ...]
    labels: Mapping[str, int]

    @staticmethod
    def of(text: str) -> _Code:
        """Reads the section of one kernel.  Of the places of an inlined instruction the first is the innermost."""
        found: list[_Instruction] = []
        labels: dict[str, int] = {}
        place, is_fresh = ("", 0), True
        for row in text.splitlines():
            if (told := _PLACE.match(row)) is not None:
                place = (Path(told.group(1)).name, int(told.group(2))) if is_fresh else place
                is_fresh = False
            elif (label := _LABEL.match(row)) is not None:
                labels[label.group(1)] = len(found)
            elif (read := _INSTRUCTION.match(row)) is not None:
                is_fresh = True
                target = re.search(r"`\((\.L\w+)\)", read.group(3))
                conditional = read.group(1) is not None or "P" in read.group(3).split("`")[0]
                found.append(
                    _Instruction(read.group(2), "" if target is None else target.group(1), conditional, *place)
                )
        return _Code(tuple(found), labels)

    def requests(self, source: str) -> list[MachineRequest]:
        """The loads and stores that are of lines of this file."""
        rolled = self._rolled()
        found: list[MachineRequest] = []
        for number, one in enumerate(self.instructions):
            access = _ACCESS.match(one.operation)
            if access is not None and one.file == source:
                width = next((_WIDTHS[part] for part in one.operation.split(".") if part in _WIDTHS), 4)
                is_load, space = access.group(1) == "LD", _SPACES[access.group(2)]
                found.append(MachineRequest(one.line, is_load, space, width, number in rolled))
        return found

    def _next(self, number: int) -> Iterator[int]:
        """Where a thread may go on behind an instruction."""
        one = self.instructions[number]
        name = one.operation.split(".")[0]
        if name == "BRA" and one.target in self.labels:
            yield self.labels[one.target]
        if one.conditional or name not in ("BRA", "EXIT", "RET"):
            yield number + 1

    def _rolled(self) -> frozenset[int]:
        """The instructions in loops: those between a place and a branch back to it, by which alone the branch is reached."""
        count = len(self.instructions)
        onward = [[other for other in self._next(number) if other < count] for number in range(count)]
        backward: list[list[int]] = [[] for _ in range(count)]
        for number, others in enumerate(onward):
            for other in others:
                backward[other].append(number)
        found: set[int] = set()
        for end in range(count):
            for begin in (other for other in onward[end] if other <= end):
                if end not in _reached([0], onward, {begin}):
                    found |= _reached([end], backward, {begin}) | {begin}
        return frozenset(found)


def _reached(starts: Iterable[int], ways: Sequence[Collection[int]], barred: Collection[int]) -> set[int]:
    """All that is reached from these without passing what is barred."""
    pending = [start for start in starts if start not in barred]
    found = set(pending)
    while pending:
        for other in ways[pending.pop()]:
            if other not in found and other not in barred:
                found.add(other)
                pending.append(other)
    return found
