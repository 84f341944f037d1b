"""The worker's side of `since_commit`: the text of the last commit analysed, and what differs, a phrase for each kernel."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping

from analysis_core.changes.bounds import Direction, Region
from analysis_core.changes.difference import KernelChange, MetricChange, difference
from analysis_core.changes.sides import Side, side_of
from analysis_core.cli.render_json import file_json
from analysis_core.expressions.expression import constant, subtract
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.findings.model import FileReport
from analysis_core.support.files import Files, MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources
from analysis_core.text.records import dataclass
from analysis_core.workspace.disk import real_path
from analysis_core.workspace.revisions import BadRevision, Repository
from lsp_server.analyse import Job

MOST_KEPT = 8
_ENDING = " since the last commit"


@dataclass(frozen=True, slots=True)
class _Base:
    """A file as a commit has it, analysed.  `rests`: the files that it was read from."""

    side: Side
    rests: tuple[str, ...]


class Bases:
    """Files of last commits that were analysed, the last few."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, ...], _Base] = {}

    def said(self, job: Job, report: FileReport, files: Files, settings: Settings) -> str:
        """By the first byte of a kernel's name, what differs, as JSON; "{}" where the base is not at hand.  `report`: of the present text, whole."""
        try:
            with Repository(os.path.dirname(job.path)) as repository:
                base = self._base(job, repository, report, files, settings)
        except BadRevision:
            return "{}"
        if base is None:
            return "{}"
        after = side_of([file_json(report, Sources(files), settings)])
        found = difference(base.side, after, one_file=True)
        starts = _starts(report)
        said = {
            str(starts[key]): text
            for kernel in found.kernels
            if (key := (kernel.after.name, kernel.after.instantiation)) in starts and (text := phrase(kernel))
        }
        return json.dumps(said)

    def _base(
        self, job: Job, repository: Repository, report: FileReport, files: Files, settings: Settings
    ) -> _Base | None:
        commit, now = repository.commit("HEAD"), files.read(job.path)

        def blob(path: str) -> bytes | None:
            inside = os.path.relpath(real_path(path), repository.top)
            return None if inside.startswith(os.pardir) else repository.blob(commit, inside.replace(os.sep, "/"))

        def is_other(path: str) -> bool:
            committed = blob(path)
            return committed is not None and _lines(committed) != _lines(files.read(path) or b"")

        then = blob(job.path)
        if then is None or now is None or _lines(then) == _lines(now):
            return None
        key = (job.path, commit, repr(settings), job.units)
        base = self._known.pop(key, None)
        if base is None:
            below = MemoryFiles({job.path: then}, files)
            old = analyse_file(job.path, below, settings, units=job.units)
            rests = tuple(path for path in old.dependencies if path not in old.missing and path != job.path)
            base = _Base(side_of([file_json(old, Sources(below), settings)]), rests)
        self._known[key] = base
        while len(self._known) > MOST_KEPT:
            del self._known[next(iter(self._known))]
        included = {*base.rests, *report.dependencies} - {*report.missing, job.path}
        return None if any(map(is_other, sorted(included))) else base


def _lines(data: bytes) -> bytes:
    return data.replace(b"\r\n", b"\n")


def _starts(report: FileReport) -> Mapping[tuple[str, str | None], int]:
    here = [kernel for kernel in report.kernels if kernel.name_span.file == report.path]
    return {(kernel.name, kernel.instantiation): kernel.name_span.start for kernel in here}


def phrase(kernel: KernelChange) -> str:
    """ "+31 conflicts, fewer sectors since the last commit"; "" where nothing has changed per warp."""
    told: list[str] = []
    first = kernel.launches[0] if kernel.launches else None
    for metric in () if first is None else first.metrics:
        if metric.is_shown:
            told += _metric(metric)
    return f"{', '.join(told)}{_ENDING}" if told else ""


def _metric(metric: MetricChange) -> Iterator[str]:
    name = metric.name
    match metric.warp.direction:
        case Direction.SMALLER | Direction.LARGER:
            region = metric.warp.regions[0]
            per = metric.rounds[0] if metric.rounds else None
            if per is not None and len(metric.warp.regions) == 1:
                yield f"{per.after - per.before:+d} {name} per iteration"
            elif len(metric.warp.regions) == 1 and (more := _more(region)) is not None:
                yield f"{more:+d} {name}"
            else:
                yield f"{'fewer' if metric.warp.direction is Direction.SMALLER else 'more'} {name}"
        case Direction.MIXED:
            yield f"more {name} for some sizes"
        case Direction.LOST:
            yield f"no bound on {name} any more"
        case _:
            return


def _more(region: Region) -> int | None:
    return constant(subtract(region.after, region.before))
