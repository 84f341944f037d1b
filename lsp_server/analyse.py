"""What the worker process does for one document: the whole pipeline, from the overlaid files to a report."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass

from analysis_core.report.model import FileReport
from analysis_core.support.settings import Settings
from lsp_server.documents import Overlay
from lsp_server.options import EditorOptions, settings_with


@dataclass(frozen=True, slots=True)
class Job:
    """Analyse `path`, with the open buffers in `contents` laid over the disk.  `last_good`: its text when it was last
    read without problems, by which a half-typed line is told from the rest."""

    path: str
    contents: Mapping[str, bytes]
    options: EditorOptions
    last_good: bytes | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """`settings` are those that the report was made with: hover cards need them.  `project`: the settings file that was
    read, with what is wrong in it; None where there is none."""

    report: FileReport
    settings: Settings
    project: FileReport | None = None


def warm_up() -> None:
    """Imports what the first document would otherwise wait for, and runs the pipeline once."""
    analyse(Job("warm.cu", {"warm.cu": b"__global__ void k(float *a) { a[threadIdx.x * 2] = 0; }\n"}, EditorOptions()))


def analyse(job: Job) -> Answer:
    """Runs in the worker process; reads the project's settings file and, for includes, the disk."""
    from analysis_core.cli.disk import DiskFiles
    from analysis_core.cli.settings_file import find_settings
    from analysis_core.pipeline import analyse_file

    project = find_settings(os.path.dirname(job.path) or ".", Settings())
    settings = settings_with(job.options, project.settings)
    files = Overlay(job.contents, DiskFiles())
    report = analyse_file(job.path, files, settings, last_good=job.last_good, fixes=True)
    return Answer(report, settings, None if project.path is None else FileReport(project.path, (), project.findings))
