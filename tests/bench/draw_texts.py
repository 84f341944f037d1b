"""Prints all that a user reads about drawn kernels: the line above each, its card, its findings with their rows and cards, its hints.

    python -m tests.bench.draw_texts --seed 20261127 --count 40 DIR.. > texts.txt

Kernels are drawn as in `draw_kernels.py`, as many of each folder.  The list is for readers who have not seen the code: each marks what is not
understood at first reading.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from analysis_core.cli.options import parser as command_line
from analysis_core.cli.work import tasks_for
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.cards import hover
from analysis_core.report.findings.model import FileReport, KernelReport
from analysis_core.report.hints import hints
from analysis_core.report.hover_kernel import hover_kernel
from analysis_core.report.kernel_line import lens
from analysis_core.report.statements import statement_start
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources
from analysis_core.text.span import FileId, Span
from lsp_server.features.diagnostics import squiggles
from lsp_server.plain_text import plain
from tests.bench.draw_kernels import Kernel, draw, population


def texts_of(path: str, drawn: Kernel) -> Iterator[str]:
    """The texts of one kernel of a file, line by line."""
    (task, *_), _ = tasks_for([path], None, command_line().parse_args(["check", path]))
    settings, files = task.settings, task.files()
    report, sources = analyse_file(path, files, settings, units=task.units), Sources(files)

    def where(span: Span) -> str:
        line = f"line {sources.line(span)}"
        return line if span.file == path else f"{Path(span.file).name}:{sources.line(span)}"

    kernels = [
        k for k in report.kernels if k.name_span.file == path and drawn.first <= sources.line(k.name_span) <= drawn.last
    ]
    for kernel in kernels[:1]:
        line = lens(kernel, settings, where)
        yield f"LENS   {'(none)' if line is None else line.title}"
        yield from _block("CARD of the kernel", hover_kernel(kernel, settings, where))
        yield from _findings(path, report, kernel, sources, settings, where)
        text = sources.index(FileId(path)).data
        launches = (launch.profile for launch in kernel.launches)
        for hint in hints(launches, settings, lambda span, text=text: statement_start(text, span.start)):
            yield f"HINT   {where(hint.span)}: {hint.label}"
    if not kernels:
        yield "(not found)"


def _findings(
    path: str,
    report: FileReport,
    kernel: KernelReport,
    sources: Sources,
    settings: Settings,
    where: Callable[[Span], str],
) -> Iterator[str]:
    for squiggle in squiggles(path, report):
        if not kernel.span.encloses(squiggle.span):
            continue
        yield f"SQUIGGLE {squiggle.level.value} {where(squiggle.span)} `{sources.text(squiggle.span)[:60]}` {squiggle.code}"
        yield f"       {plain(squiggle.message)}"
        yield from (f"     - {where(span)}: {plain(text)}" for span, text in squiggle.related)
        card = hover(path, report, settings, squiggle.span.start, where)
        if card is not None:
            yield from _block("CARD", card.markdown)


def _block(title: str, markdown: str) -> Iterator[str]:
    yield title
    yield from (f"    | {line}" for line in markdown.rstrip().splitlines())


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--seed", type=int, default=20261127)
    parser.add_argument("--count", type=int, default=40)
    options = parser.parse_args(arguments)
    each = -(-options.count // len(options.folders))
    for folder in options.folders:
        for path, kernel in draw(population(folder, "-hip/", 100), each, options.seed):
            print(f"\n== {folder.name}/{path} {kernel.name} (lines {kernel.first} to {kernel.last})")
            for line in texts_of(str((folder / path).resolve()), kernel):
                print(line)
            sys.stdout.flush()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
