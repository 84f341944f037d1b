"""The two sides of `warpcost diff`, analysed: folders, files, or what `check --format json` printed earlier.

Both sides are folders in the end, and paths are relative to them, so that a file is the same file on both.  What is the same on both sides,
with all that it rests on, is not analysed.
"""

from __future__ import annotations

import json
import os
from argparse import Namespace
from collections.abc import Mapping, Sequence
from typing import Any

from analysis_core.changes.sides import BadSide, Side, files_of, side_of
from analysis_core.cli.progress import Progress
from analysis_core.cli.terminal import printable
from analysis_core.cli.work import Task, logging_for, run, select, tasks_for
from analysis_core.support.store import Store
from analysis_core.text.records import dataclass
from analysis_core.workspace.disk import STDIN, Problem, read_file

_MOST_BYTES = 1 << 30


class BadComparison(Exception):
    """Raised if there is nothing to compare; the text says why, in one line."""


@dataclass(frozen=True, slots=True)
class Root:
    """A side before it is analysed.  `folder`: absolute, which paths are relative to; `paths`: what is looked at, as absolute paths."""

    shown: str
    folder: str
    paths: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """Both sides.  `base`, `head`: what they are called; `names`: of all kernels, where one was asked for that there is not; `results`: of
    findings after the change, for code scanning, by path and fingerprint."""

    before: Side
    after: Side
    base: str
    head: str
    one_file: bool
    problems: tuple[Problem, ...]
    failed: bool
    names: tuple[str, ...] = ()
    results: Mapping[tuple[str, str], Any] | None = None


@dataclass(frozen=True, slots=True)
class Analysed:
    """What a worker makes of one file: its JSON, and its results for code scanning if they are wanted."""

    text: str
    results: str
    failed: bool


def compared_sides(args: Namespace) -> Compared:
    """Analyses what has to be.  Raises `BadComparison` and `BadSide`."""
    if args.base_json is not None:
        return _with_document(args)
    if args.head is None:
        raise BadComparison("two folders or files are compared; one is named")
    before, after = (_root(path) for path in (args.base, args.head))
    one_file = os.path.isfile(args.base)
    if one_file != os.path.isfile(args.head):
        raise BadComparison("a file is compared with a file, and a folder with a folder")
    return _both(args, before, after, one_file)


def _root(path: str) -> Root:
    if path == STDIN or not os.path.exists(path):
        raise BadComparison(f"cannot read {path}: no such file or directory")
    full = os.path.abspath(path)
    return Root(path, full if os.path.isdir(full) else os.path.dirname(full), (full,))


def _both(args: Namespace, before: Root, after: Root, one_file: bool) -> Compared:
    tasks, problems = zip(*(_tasks(args, root) for root in (before, after)))
    found = _run((*tasks[0], *tasks[1]), args)
    mine, theirs = found[: len(tasks[0])], found[len(tasks[0]) :]
    return Compared(
        _side(mine, before.folder),
        _side(theirs, after.folder),
        before.shown,
        after.shown,
        one_file,
        (*problems[0], *problems[1]),
        any(one.failed for one in found),
        results=_results(theirs, after.folder),
    )


def _with_document(args: Namespace) -> Compared:
    """The base is a document; paths in it are relative to the present folder, as those of `check` are."""
    path = args.base or "."
    if args.head is not None:
        raise BadComparison("with --base-json, one folder or file is named: what is compared with it")
    data = read_file(args.base_json, _MOST_BYTES)
    if data is None:
        raise BadComparison(f"cannot read {args.base_json}")
    try:
        files = files_of(json.loads(data))
        before = side_of([_placed(file, os.getcwd()) for file in files])
    except (ValueError, RecursionError, BadSide) as bad:
        reason = str(bad) if isinstance(bad, BadSide) else "it is not JSON"
        raise BadComparison(f"cannot use {args.base_json}: {reason}") from None
    root = _root(path)
    tasks, problems = _tasks(args, root)
    found = _run(tasks, args)
    after = _side(found, os.getcwd())
    one_file = os.path.isfile(path) and len(files) == 1
    failed = any(one.failed for one in found)
    results = _results(found, os.getcwd())
    return Compared(before, after, args.base_json, path, one_file, problems, failed, results=results)


def _tasks(args: Namespace, root: Root) -> tuple[tuple[Task, ...], tuple[Problem, ...]]:
    here = Namespace(**{**vars(args), "paths": list(root.paths)})
    paths, problems = select(here)
    tasks, _ = tasks_for(paths, None, here)
    return tasks, problems


def _run(tasks: Sequence[Task], args: Namespace) -> list[Analysed]:
    progress, found = Progress(len(tasks)), []
    for task, one in zip(tasks, run(tasks, analysed, args.jobs, lost)):
        found.append(one)
        progress.advance(task.path)
    progress.clear()
    return found


def analysed(task: Task, store: Store) -> Analysed:
    """One file, from its bytes to its JSON."""
    from analysis_core.pipeline.pipeline import analyse_file

    logging_for(task.debug)
    report = analyse_file(task.path, task.files(), task.settings, kernel=task.kernel, units=task.units, store=store)
    return _analysed(report, task)


def lost(task: Task, failure: str) -> Analysed:
    """What is left of a file whose process died."""
    from analysis_core.report.checks.not_analysed import unreadable

    return _analysed(unreadable(task.path, failure), task)


def _analysed(report: Any, task: Task) -> Analysed:
    from analysis_core.cli.fingerprint import fingerprints, place_of
    from analysis_core.cli.render_json import file_json
    from analysis_core.cli.render_sarif import sarif_result
    from analysis_core.support.sources import Sources

    sources = Sources(task.files())
    rows = []
    if task.format == "sarif":
        names = fingerprints(report, sources)
        for one in report.findings:
            name = names[place_of(one)]
            rows.append([printable(one.span.file), name, sarif_result(one, name, report, sources)])
    return Analysed(json.dumps(file_json(report, sources, task.settings)), json.dumps(rows), report.has_failed)


def _side(found: Sequence[Analysed], folder: str) -> Side:
    return side_of([_placed(json.loads(one.text), folder) for one in found])


def _placed(file: Any, folder: str) -> Any:
    """A file's JSON with paths relative to a folder."""
    return _renamed(file, printable(os.path.abspath(folder)))


def _renamed(data: Any, folder: str) -> Any:
    if isinstance(data, dict):
        return {
            key: _relative(value, folder) if key == "path" else _renamed(value, folder) for key, value in data.items()
        }
    return [_renamed(value, folder) for value in data] if isinstance(data, list) else data


def _relative(path: Any, folder: str) -> Any:
    if not isinstance(path, str):
        return path
    full = path if os.path.isabs(path) else os.path.normpath(os.path.join(folder, path))
    inside = full.startswith(folder.rstrip(os.sep) + os.sep)
    return (os.path.relpath(full, folder) if inside else path).replace(os.sep, "/")


def _results(found: Sequence[Analysed], folder: str) -> Mapping[tuple[str, str], Any]:
    rows = [row for one in found for row in json.loads(one.results)]
    return {(_relative(path, printable(os.path.abspath(folder))), name): row for path, name, row in rows}
