"""The line above each kernel: what its most expensive warp pays, and where to look first."""

from __future__ import annotations

from collections.abc import Callable

from analysis_core.report.findings.figures import expense
from analysis_core.report.findings.model import FileReport, KernelReport
from analysis_core.report.kernel_line import KernelLine, lens
from analysis_core.support.settings import Settings
from analysis_core.text.span import Span


def lens_places(path: str, report: FileReport) -> tuple[Span, ...]:
    """The names of kernels that have figures to show; instantiations of a template share one."""
    spans = {kernel.name_span: None for kernel in report.kernels if _is_shown(kernel, path)}
    return tuple(spans)


def lens_line(
    path: str, report: FileReport, settings: Settings, start: int, where: Callable[[Span], str], steps: bool
) -> KernelLine | None:
    """The line of the kernel whose name starts at a byte; of several instantiations the most expensive speaks."""
    here = [k for k in report.kernels if _is_shown(k, path) and k.name_span.start == start]
    if not here:
        return None
    line = lens(max(here, key=lambda kernel: expense(kernel, settings)), settings, where, steps)
    if line is None or len(here) == 1:
        return line
    title = f"{line.title} | most of {len(here)} instantiations"
    return KernelLine(title, line.worst, (line.title, *line.shorter))


def _is_shown(kernel: KernelReport, path: str) -> bool:
    return kernel.name_span.file == path and any(launch.facts.bounds is not None for launch in kernel.launches)
