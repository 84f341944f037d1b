"""Text to IR for tests: one kernel of a small file, or its body in the notation of `ir/dump.py`."""

from __future__ import annotations

from textwrap import dedent

from analysis_core.ir.dump import dump
from analysis_core.ir.nodes import IrModule, Kernel
from analysis_core.program.lower import lower
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.syntax.parse import parse

PATH = "kernel.cu"


def module(source: str, **headers: str) -> IrModule:
    """The IR of a file; `headers` are files that it may include, by name without `.h`."""
    files = {PATH: source.encode()} | {f"{name}.h": text.encode() for name, text in headers.items()}
    settings = Settings()
    return lower(parse(PATH, MemoryFiles(files), settings), settings)


def kernel(source: str, **headers: str) -> Kernel:
    """The only kernel of a file."""
    (found,) = module(source, **headers).kernels
    return found


def text(source: str) -> str:
    """The dump of the only kernel, from its objects to the last statement."""
    lines = dump(kernel(dedent(source)), lambda span: "").splitlines()
    return dedent("\n".join(line.rstrip() for line in lines[1:-1])).strip()


def check(source: str, expected: str) -> None:
    """The kernel's dump is exactly `expected` (indentation of the whole aside)."""
    assert text(source) == dedent(expected).strip()


def reasons(found: Kernel) -> list[tuple[str, str]]:
    """Kind and sentence of every unknown."""
    return [(cause.kind.value, cause.reason) for cause in found.unknowns]
