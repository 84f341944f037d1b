"""Files to results, in this process or in several (`processes.py`); the order of results is that of the files either way.

A result must be small and plain, because it may cross a process boundary: workers render what they found and send the
text.  Whoever works on several files keeps what it has read of them in a `Store`.
"""

from __future__ import annotations

import logging
import os
from argparse import Namespace
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from analysis_core.cli.collect import collect
from analysis_core.cli.options import UnreadableConfig, settings_in
from analysis_core.cli.terminal import Style, complain
from analysis_core.support.files import SOURCES, Files, MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.support.spelling import did_you_mean
from analysis_core.support.store import Store
from analysis_core.syntax.units import units_from
from analysis_core.text.records import dataclass
from analysis_core.workspace.compile_commands import Database, checked, database_of, settings_of
from analysis_core.workspace.disk import STDIN, STDIN_NAME, Problem, read_stdin, sources_in
from analysis_core.workspace.include_roots import Includes
from analysis_core.workspace.left_out import Globs
from analysis_core.workspace.settings_file import SettingsFile, excluded_by
from analysis_core.workspace.workspace import WorkspaceFiles, workspace_of

R = TypeVar("R")


_SHOWN_NAMES = 12
"""Kernels that are listed where none has the name asked for."""

_MOST_BETWEEN = 2_000
"""Headers that are read only for what they include."""


@dataclass(frozen=True, slots=True)
class Task:
    """One file to work on, with its settings. `stdin`: its bytes, if it came from there. `kernel`: the only kernel
    wanted. `units`: files to read it through, if it is one that is only included. `folders`: its workspace. `expected`: of its findings nothing but those of
    contracts is wanted."""

    path: str
    stdin: bytes | None
    settings: Settings
    kernel: str | None
    style: Style
    format: str
    debug: bool
    units: tuple[str, ...] = ()
    folders: tuple[str, ...] = ()
    expected: bool = False

    def files(self) -> Files:
        """What the analysis may read."""
        disk = WorkspaceFiles(self.folders, self.settings.include_paths)
        return disk if self.stdin is None else MemoryFiles({self.path: self.stdin}, disk)


def tasks_for(
    paths: Sequence[str], stdin: bytes | None, args: Namespace, style: Style | None = None
) -> tuple[tuple[Task, ...], tuple[SettingsFile, ...]]:
    """A task per path, with the settings that hold in its folder, and the settings files that were used."""
    store = Store()
    by_folder: dict[str, tuple[SettingsFile, Database | None]] = {}
    folders = {path: os.path.abspath(os.path.dirname(path)) if path != STDIN else os.getcwd() for path in paths}
    for folder in folders.values():
        if folder not in by_folder:
            found = checked(settings_in(folder, args), store)
            by_folder[folder] = found, _database(found, folder, store, args)
    include_paths = dict.fromkeys(part for found, _ in by_folder.values() for part in found.settings.include_paths)
    read = {database.path: database for _, database in by_folder.values() if database is not None}
    include_paths.update(dict.fromkeys(part for one in read.values() for part in one.include_paths))
    workspaces = {folder: (folder, workspace_of(folder)) for folder in by_folder}
    named = {
        path: os.path.realpath(path) for path in paths if path != STDIN
    }  # a link that is named leads where it leads
    tops = (top for tops in workspaces.values() for top in tops)
    readable = WorkspaceFiles((*tops, *include_paths, *named.values()))
    units = units_from(_includes(paths, tuple(include_paths), readable, store))
    tasks = []
    for path in paths:
        folder = folders[path]
        name, data = (STDIN_NAME, stdin or b"") if path == STDIN else (path, None)
        found, database = by_folder[folder]
        settings = settings_of(name, found, database, store, units.get(path, ()))
        shown = getattr(args, "format", "text")
        tasks.append(
            Task(
                name,
                data,
                settings,
                args.kernel,
                style or Style(False),
                shown,
                args.debug,
                units.get(path, ()),
                (*workspaces[folder], *((named[path],) if path in named else ())),
                getattr(args, "expect_only", False),
            )
        )
    used = {found.path: found for found, _ in by_folder.values() if found.path is not None}
    return tuple(tasks), tuple(used.values())


def one_task(args: Namespace) -> Task | None:
    """The task of a command that is about one file; None where that is not one file, which is said."""
    paths, problems = collect([args.file])
    if problems or len(paths) != 1:
        report_problems(problems)
        if not problems:
            complain(f"{args.command} takes one file")
        return None
    (task,), _ = tasks_for(paths, read_stdin() if paths[0] == STDIN else None, args)
    return task


def _database(found: SettingsFile, folder: str, store: Store, args: Namespace) -> Database | None:
    """The database of the folder.  Raises `UnreadableConfig` where an option names one that cannot be read."""
    database = database_of(found, folder, store)
    if database is None and args.compile_commands is not None:
        raise UnreadableConfig(f"no compilation database can be read from {args.compile_commands}")
    return database


def _includes(
    paths: Sequence[str], include_paths: Sequence[str], disk: Files, store: Store
) -> dict[str, tuple[str, ...]]:
    """What each of these may include: the files in question, those near them that may include them (in the same folder or the one above; for
    headers the sources of their workspace), and the headers between these, which need not hold a kernel."""
    wanted, included = dict.fromkeys(path for path in paths if path != STDIN), Includes(store)
    folders = {os.path.dirname(path) for path in wanted}
    of_headers = {os.path.dirname(path) for path in wanted if not path.endswith(SOURCES)}
    for folder in sorted(folders | {_above(folder) for folder in folders}):
        wanted.update(dict.fromkeys(sources_in(folder)))
    for folder in sorted(of_headers):
        wanted.update(dict.fromkeys(included.sources(folder)))
    known, waiting = {os.path.normpath(path) for path in wanted}, list(wanted)
    found: dict[str, tuple[str, ...]] = {}
    for path in waiting:  # which grows
        data = disk.read(path) if len(found) < len(wanted) + _MOST_BETWEEN else None
        if data is not None:
            found[path] = included.of(path, data, include_paths)
            waiting += [target for target in found[path] if target not in known]
            known.update(found[path])
    return found


def _above(folder: str) -> str:
    """The folder above, "" for the present one."""
    above = os.path.normpath(os.path.join(folder, os.pardir))
    return "" if above == os.curdir else above


def select(args: Namespace) -> tuple[tuple[str, ...], tuple[Problem, ...]]:
    """The files that the command is about; globs to leave out come from options and settings files."""
    found: dict[str, None] = {}
    problems: list[Problem] = []
    for path in args.paths:
        exclude = [Globs(os.path.realpath(os.getcwd()), tuple(args.exclude))]
        if path != STDIN and os.path.isdir(path):
            exclude.append(excluded_by(settings_in(path, args)))
        files, troubles = collect([path], exclude)
        found.update(dict.fromkeys(files))
        problems += troubles
    return tuple(found), tuple(problems)


def unknown_kernel(tasks: Sequence[Task]) -> str | None:
    """What is wrong with the name of `--kernel`; None if a kernel of these files has it.  Reads the files."""
    from analysis_core.pipeline.pipeline import load

    names: dict[str, None] = {}
    for task in tasks:
        _, module = load(task.path, task.files(), task.settings, units=task.units)
        for kernel in module.kernels:
            if task.kernel in (kernel.name, kernel.instantiation):
                return None
            names[kernel.instantiation or kernel.name] = None
    return no_kernel_named(tasks[0].kernel or "", tuple(names)) if tasks else None


def no_kernel_named(name: str, known: Sequence[str]) -> str:
    """ "no kernel is named nope; did you mean `node`?", or which there are."""
    shown = ", ".join(known[:_SHOWN_NAMES]) + (f" and {len(known) - _SHOWN_NAMES} more" * (len(known) > _SHOWN_NAMES))
    return f"no kernel is named {name}" + (did_you_mean(name, known) or f"; there are: {shown or 'none'}")


def report_problems(problems: Sequence[Problem]) -> None:
    """What went wrong on the disk, on standard error."""
    for problem in problems:
        complain(problem.text)


def logging_for(debug: bool) -> None:
    """Internal errors are findings; their tracebacks are shown only to whoever asks for them."""
    log = logging.getLogger("warpcost")
    log.propagate = False
    if not log.handlers:
        log.addHandler(logging.StreamHandler() if debug else logging.NullHandler())


def run(
    tasks: Sequence[Task], work: Callable[[Task, Store], R], jobs: int, lost: Callable[[Task, str], R]
) -> Iterator[R]:
    """`work` on every task, in their order.  A task whose process dies twice has the result that `lost` makes of it, and the
    others go on."""
    jobs = min(jobs, len(tasks))
    if jobs <= 1:
        from analysis_core.workspace.memory import Leftovers

        store, leftovers = Store(), Leftovers()
        for task in tasks:
            yield work(task, store)
            leftovers.freed()
    else:
        from analysis_core.cli.processes import in_processes

        yield from in_processes(tasks, work, jobs, lambda task: lost(task, "the process that analysed this file died"))
