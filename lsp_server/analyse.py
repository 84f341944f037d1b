"""What the worker process does: the whole pipeline, from the overlaid files to answers, with what is left of earlier ones."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any

from analysis_core.report.findings.model import FileReport
from analysis_core.support.files import Files, MemoryFiles
from analysis_core.support.interrupts import Interrupts
from analysis_core.support.sources import Sources
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span
from analysis_core.workspace.project import Folders
from lsp_server.answers import Answer, Stage, part_of
from lsp_server.options import EditorOptions, overridden, settings_with
from lsp_server.worker_process import Alive, At, Partly, Send

if TYPE_CHECKING:
    from lsp_server.base_of import Bases

_WARM = (
    b"__global__ void k(float *a, int n) { if (threadIdx.x < n) for (int i = 0; i < 8; i++) a[threadIdx.x * i] = n; }"
    b"__global__ void s(float *a, int n) { for (int i = threadIdx.x; i < n; i += 1 + (i & 1)) a[32 * i] = 1; }"
    b"void h(float *a) { k<<<9, 64>>>(a, 99); s<<<9, 64>>>(a, 99); }"
)
"""Asks for what is loaded where it is first needed, parts of numpy and the LP solver among it: costs, which lanes a test parts, which
warps come to what is told, and a bound that no closed form gives.  So no job that may be given up loads anything."""


@dataclass(frozen=True, slots=True)
class Job:
    """Analyse `path`, with the open buffers in `contents` laid over the disk.  `last_good`: its text when it was last
    read without problems, by which a half-typed line is told from the rest.  `sent`: parts of answers that need not be sent
    again.  `avoided`: kernels whose analysis ended the process, and how.  `folders`: those of the editor's workspace.  `fix`: try the fixes of these findings (rule, first and last byte), and to cap these loops (`CAPPED`).

    `units`: files that include it, to be read in its place.  `scan`: look instead through these folders of the project.
    `early`: some of its kernels were never shown.  `ahead`: only read it, since it will be analysed soon.  `stage`: print this stage of the pipeline instead (of one kernel, or all).
    `why`: print instead what was asked about this line (from 1).  `since`: say instead what has changed since the last commit; `shapes`: what the kernel
    with this name would pay with other blocks."""

    path: str
    contents: Mapping[str, bytes]
    options: EditorOptions
    last_good: bytes | None = None
    sent: frozenset[bytes] = frozenset()
    avoided: Mapping[bytes, str] = field(default_factory=dict)
    fix: frozenset[tuple[str, int, int]] = frozenset()
    stage: tuple[str, str | None] | None = None
    units: tuple[str, ...] = ()
    scan: Folders | None = None
    early: bool = False
    ahead: bool = False
    folders: tuple[str, ...] = ()
    why: int = 0
    since: bool = False
    shapes: Span | None = None


@dataclass(frozen=True, slots=True)
class AtKernel:
    """A kernel is about to be analysed."""

    path: str
    name: str
    key: bytes


def make_analyst() -> Callable[[Job, Send, Interrupts], Answer]:
    """Imports what the first document would otherwise wait for, runs the pipeline once, and gives what does the jobs.

    What only some jobs need is imported too: nothing is loaded while a job can be given up."""
    from analysis_core.cli import advise as advise
    from analysis_core.incremental.host import Host
    from analysis_core.pipeline.pipeline import load_rest
    from analysis_core.rewrite import at_place as at_place
    from analysis_core.workspace.memory import collect_rarely
    from analysis_core.workspace.revisions import load
    from lsp_server.base_of import Bases
    from lsp_server.features import code_actions as code_actions

    load_rest()
    load()
    host, bases = Host(), Bases()
    warm = {"warm.cu": _WARM}

    def work(job: Job, send: Send, interrupts: Interrupts) -> Answer:
        return answered(host, job, send, interrupts, bases)

    work(Job("warm.cu", warm, EditorOptions()), lambda message: None, Interrupts())
    host.forget("warm.cu")
    host.store.events()
    collect_rarely()
    return work


def answered(host: Any, job: Job, send: Send, interrupts: Interrupts, bases: Bases | None = None) -> Answer:
    """Runs in the worker process; reads the project's settings file, its compilation database and, for includes, the disk."""
    from analysis_core.incremental.asked import Asked
    from analysis_core.support.settings import Settings
    from analysis_core.workspace.compile_commands import checked, database_of, settings_of
    from analysis_core.workspace.settings_file import find_settings
    from analysis_core.workspace.workspace import WorkspaceFiles, within_reach, workspace_of

    if job.scan is not None:
        return _scanned(host, job, job.scan, interrupts)
    folder = os.path.dirname(job.path) or "."
    project = checked(find_settings(folder, Settings()), host.store)
    said = overridden(job.options, project)
    settings = settings_of(job.path, said, database_of(said, folder, host.store), host.store, job.units)
    around = (folder, workspace_of(folder), *within_reach(job.folders))
    files = MemoryFiles(job.contents, WorkspaceFiles(around, settings.include_paths))
    if job.stage is not None or job.why or job.shapes is not None:
        return _printed(host, job, settings, files, lambda: send(Alive()), interrupts)
    told = None if project.path is None else FileReport(project.path, (), project.findings)

    def begin(name: str, key: bytes) -> None:
        send(At(AtKernel(job.path, name, key)))

    asked = Asked(
        job.path,
        files,
        settings,
        job.last_good,
        interrupts,
        begin,
        job.avoided,
        units=job.units,
        early=job.early,
        alive=lambda: send(Alive()),
    )
    sent = job.sent
    answer = Answer(FileReport(job.path, (), ()), settings)
    if job.ahead:
        host.read_ahead(asked)
        host.store.events()
        return answer
    result = None
    for result in host.analyse(asked):
        stage = Stage.BOUNDS if result.complete else Stage.SOME if result.lacking else Stage.FACTS
        parts = tuple(part_of(entry.report, sent) for entry in result.entries)
        answer = Answer(result.report, settings, told, parts, stage)
        if not result.complete:
            send(Partly(answer))
            sent |= {part.number for part in parts}
    if job.since and bases is not None and result is not None:
        send(At(None))
        with interrupts.pure():
            return _since(bases, result, job, files, settings)
    if job.fix:
        send(At(None))
        with interrupts.pure():
            report = _with_fixes(result, job, files, settings, lambda: send(Alive()))
        answer = replace(answer, report=report, stage=Stage.FIXES)
    host.store.events()
    return answer


def _scanned(host: Any, job: Job, folders: Folders, interrupts: Interrupts) -> Answer:
    """What the files of the project include."""
    from analysis_core.support.settings import Settings
    from analysis_core.workspace.scan import scan

    base = settings_with(job.options, Settings())
    with host.store.waiting() as store, interrupts.pure():
        found = scan(folders, base, store=store)
    return Answer(FileReport(job.path, (), ()), base, scan=found)


def _printed(
    host: Any, job: Job, settings: Any, files: Files, alive: Callable[[], None], interrupts: Interrupts
) -> Answer:
    """What a command of the same name prints of the file."""
    answer = Answer(FileReport(job.path, (), ()), settings)
    if job.shapes is None:
        return replace(answer, text=_explained(job, settings, files))
    from analysis_core.cli.advise import compared
    from analysis_core.pipeline.checked_fixes import Place

    with host.store.waiting() as store, interrupts.pure():
        shapes, text = compared(Place(job.path, files, settings, job.units, store), job.shapes, alive)
    return replace(answer, text=text, shapes=shapes)


def _explained(job: Job, settings: Any, files: Files) -> str:
    """What `warpcost explain` prints, with lines alone where it is plain which file is meant."""
    from analysis_core.cli.explain import stage_text
    from analysis_core.cli.explain_why import why_text
    from analysis_core.cli.render_text import place_text
    from analysis_core.cli.terminal import Style
    from analysis_core.cli.work import Task

    def place(span: Span, sources: Sources) -> str:
        return f"line {sources.line(span)}" if span.file == job.path else place_text(span, sources)

    name, kernel = job.stage or ("", None)
    task = Task(job.path, None, settings, kernel, Style(False), "text", False, job.units)
    if job.why:
        return "".join(why_text(task, job.why, files, os.path.basename(job.path)))
    return "".join(stage_text(task, name, place, files))


def _since(bases: Bases, result: Any, job: Job, files: Files, settings: Any) -> Answer:
    """What has changed since the last commit, as text."""
    from analysis_core.incremental.host import whole

    text = bases.said(job, whole(result), files, settings)
    return Answer(FileReport(job.path, (), ()), settings, text=text)


def _with_fixes(result: Any, job: Job, files: Any, settings: Any, alive: Callable[[], None]) -> FileReport:
    """The report with the fixes and refactorings, each tried, of some findings or a selection, and the annotations of some loops."""
    from analysis_core.incremental.host import whole
    from analysis_core.incremental.kernel_pieces import unpack_kernel
    from analysis_core.pipeline.checked_fixes import Place, with_caps, with_fixes
    from analysis_core.report.fixes.refused import CURED
    from lsp_server.features.code_actions import CAPPED, REFACTORED

    report: FileReport = result.report
    here = tuple(f for f in report.findings if (f.check, f.span.start, f.span.end) in job.fix)
    loops = frozenset((first, last) for rule, first, last in job.fix if rule == CAPPED)
    menu = next(((first, last) for rule, first, last in job.fix if rule == REFACTORED), None)
    place, sources = Place(report.path, files, settings, job.units), Sources(files)
    if menu is not None or any(f.check in CURED for f in here):
        from analysis_core.rewrite.at_place import refactorings

        report = replace(report, refactored=refactorings(place, [f for f in here if f.check in CURED], menu, alive))
    if not here and not loops:
        return report
    full = replace(whole(result), findings=here)
    if loops:
        report = replace(report, tried=with_caps(full, loops, place, sources).tried)
    kernels = [unpack_kernel(entry.kernel.packed()) for entry in result.entries]
    fixed = with_fixes(full, kernels, place, sources)
    changed = dict(zip(here, fixed.findings, strict=True))
    return replace(report, findings=tuple(changed.get(f, f) for f in report.findings))


def analyse(job: Job) -> Answer:
    """One job from scratch, in this process."""
    from analysis_core.incremental.host import Host

    return answered(Host(), job, lambda message: None, Interrupts())
