"""Text to IR and back to text, for the tests of calls."""

from __future__ import annotations

from analysis_core.ir.dump import format_block
from analysis_core.ir.nodes import Kernel, Stmt
from analysis_core.ir.walk import statements
from analysis_core.program.lower import lower
from analysis_core.support.facts import CauseKind
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.syntax.parse import parse


def kernels(source: str, settings: Settings | None = None) -> dict[str, Kernel]:
    """Every kernel by the name of its instantiation (or its own)."""
    settings = settings or Settings()
    tree = parse("k.cu", MemoryFiles({"k.cu": source.encode()}), settings)
    return {k.instantiation or k.name: k for k in lower(tree, settings).kernels}


def only(source: str, settings: Settings | None = None) -> Kernel:
    """The one kernel of a source."""
    (kernel,) = kernels(source, settings).values()
    return kernel


def body(text: str, before: str = "", parameters: str = "int *p, int n", settings: Settings | None = None) -> list[str]:
    """The IR of a kernel with this body, one stripped line per statement."""
    return lines(only(f"{before}\n__global__ void k({parameters}) {{ {text} }}", settings))


def lines(kernel: Kernel) -> list[str]:
    return [line.strip() for line in format_block(kernel.body, kernel).splitlines()]


def of_type(kernel: Kernel, cls: type[Stmt]) -> list[Stmt]:
    return [s for s in statements(kernel.body) if isinstance(s, cls)]


def causes(kernel: Kernel) -> list[tuple[CauseKind, str]]:
    return [(c.kind, c.reason) for c in kernel.unknowns]
