"""A compiler for CUDA as a reader: the constant offsets and strides of the stores in its PTX.

`nvcc` is found on the PATH or in the package `nvidia-cuda-nvcc` (extra `nvcc`).  Each kernel stores one byte at
`base + stride * threadIdx.x + offset`; registers are followed as such sums, from the entry to the store.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

MISSING = "there is no nvcc here, neither on the PATH nor as a package (`pip install -e '.[nvcc]'`)"

_FLAGS = ("-ptx", "-std=c++20", "-w", "-arch=compute_80", "--expt-relaxed-constexpr")


def compiler() -> str | None:
    """The command, or None where there is no compiler that can be run."""
    found = command("nvcc")
    return None if shutil.which("g++") is None or sys.platform != "linux" else found


def command(name: str) -> str | None:
    """A command of the toolkit, on the PATH or in its package; None where it is in neither."""
    folders = [Path(folder) / "nvidia" for folder in sys.path if folder.endswith("site-packages")]
    packaged = (str(path) for folder in folders for path in sorted(folder.glob(f"cu*/bin/{name}")))
    return shutil.which(name) or next(packaged, None)


@dataclass(frozen=True)
class Compiled:
    """`stores`: by kernel, the last store's offset and stride, where both are numbers.  `errors`: lines that are refused."""

    stores: dict[str, tuple[int, int]]
    errors: tuple[tuple[int, str], ...]


def compile_text(text: str, folder: Path) -> Compiled:
    """The stores of all kernels of the text."""
    command = compiler()
    assert command is not None
    source, target = folder / "ask.cu", folder / "ask.ptx"
    source.write_text(text)
    done = subprocess.run([command, *_FLAGS, "-o", str(target), str(source)], capture_output=True, text=True)
    if done.returncode:
        found = re.findall(r"ask\.cu\((\d+)\): error:? ?(.*)", done.stderr + done.stdout)
        return Compiled({}, tuple((int(line), sentence) for line, sentence in found))
    return Compiled(dict(stores(target.read_text())), ())


def stores(ptx: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """Kernels and where their last store goes."""
    for entry in re.split(r"\.entry\s+", ptx)[1:]:
        name, body = re.match(r"\w+", entry), entry.partition("{")[2]
        found = _last_store(body)
        if name is not None and found is not None:
            yield name.group(), found


@dataclass(frozen=True)
class _Sum:
    """`bases` addresses, plus stride times threadIdx.x, plus offset."""

    offset: int = 0
    stride: int = 0
    bases: int = 0

    def plus(self, other: _Sum) -> _Sum:
        return _Sum(self.offset + other.offset, self.stride + other.stride, self.bases + other.bases)

    def times(self, factor: int) -> _Sum:
        return _Sum(self.offset * factor, self.stride * factor, self.bases * factor)


_INSTRUCTION = re.compile(r"^\s*([a-z][\w.:]*)\s+(.*?);", re.MULTILINE)
_STORE = re.compile(r"\[(%\w+)([+-]-?\d+)?\]")


def _last_store(body: str) -> tuple[int, int] | None:
    known: dict[str, _Sum | None] = {"%tid.x": _Sum(stride=1)}
    last: _Sum | None = None
    for name, operands in _INSTRUCTION.findall(body):
        if name.startswith("st."):
            place = _STORE.search(operands)
            base = None if place is None else known.get(place.group(1))
            last = None if base is None else base.plus(_Sum(int((place.group(2) or "0").lstrip("+"))))
            continue
        target, *rest = [part.strip() for part in operands.split(",")]
        known[target] = _result(name, [_operand(part, known) for part in rest], rest)
    return None if last is None or last.bases != 1 else (last.offset, last.stride)


def _operand(text: str, known: dict[str, _Sum | None]) -> _Sum | None:
    return _Sum(int(text)) if re.fullmatch(r"-?\d+", text) else known.get(text)


def _result(name: str, values: list[_Sum | None], texts: list[str]) -> _Sum | None:
    operation = name.split(".")[0]
    if operation == "ld" and texts[0].startswith("["):
        return _Sum(bases=1) if ".param" in name else None
    if any(v is None for v in values):
        return None
    sums = [v for v in values if v is not None]
    match operation, sums:
        case (("mov" | "cvt" | "cvta"), [one]):
            return one
        case "add", [one, two]:
            return one.plus(two)
        case "sub", [one, two]:
            return one.plus(two.times(-1))
        case "mul", [one, two]:
            return _product(one, two)
        case "mad", [one, two, three]:
            product = _product(one, two)
            return None if product is None else product.plus(three)
        case "shl", [one, two]:
            return one.times(1 << two.offset)
        case _:
            return None


def _product(one: _Sum, two: _Sum) -> _Sum | None:
    if two.stride == two.bases == 0:
        return one.times(two.offset)
    return two.times(one.offset) if one.stride == one.bases == 0 else None
