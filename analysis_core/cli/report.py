"""`warpcost report`: a file's report as one HTML page that needs nothing else."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace

from analysis_core.cli.statuses import BROKEN, CLEAN
from analysis_core.cli.terminal import complain
from analysis_core.cli.work import one_task, unknown_kernel
from analysis_core.support.sources import Sources


def report_command(args: Namespace) -> int:
    """Writes the page to the file of `-o`, or prints it; returns the exit status."""
    task = one_task(args)
    if task is None:
        return BROKEN
    from analysis_core.cli.render_page import ROOFLINE, page
    from analysis_core.pipeline.pipeline import analyse_file

    files = task.files()
    settings = replace(task.settings, metrics={**ROOFLINE, **task.settings.metrics})
    report = analyse_file(task.path, files, settings, kernel=task.kernel, units=task.units)
    if not report.kernels and task.kernel is not None and (unknown := unknown_kernel((task,))):
        complain(unknown)
        return BROKEN
    from analysis_core.cli.advise import maps

    shapes = maps(task, [kernel.name_span for kernel in report.kernels if not kernel.guessed])
    text = page(report, Sources(files), settings, shapes=shapes)
    if args.output in (None, "-"):
        print(text, end="")
    else:
        with open(args.output, "w", encoding="utf-8") as file:
            file.write(text)
    return CLEAN
