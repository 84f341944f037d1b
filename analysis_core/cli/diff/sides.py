"""The two sides of `warpcost diff`, analysed: folders, files, revisions, or what `check --format json` printed earlier.

Both sides are folders in the end, and paths are relative to them, so that a file is the same file on both.  What is the same on both sides,
with all that it rests on, is not analysed.
"""

from __future__ import annotations

import json
import os
from argparse import Namespace
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from analysis_core.changes.sides import BadSide, Side, files_of, side_of
from analysis_core.cli.diff.changed import Half, changed
from analysis_core.cli.diff.roots import BadComparison, Root, root_of, roots
from analysis_core.cli.progress import Progress
from analysis_core.cli.terminal import printable
from analysis_core.cli.work import Task, logging_for, run, select, tasks_for, unknown_kernel
from analysis_core.support.store import Store
from analysis_core.text.records import dataclass
from analysis_core.workspace.disk import Problem, read_file

_MOST_BYTES = 1 << 30


@dataclass(frozen=True, slots=True)
class Compared:
    """Both sides.  `base`, `head`: what they are called; `unknown`: what is wrong with the kernel that was asked for; `results`: of
    findings after the change, for code scanning, by path and fingerprint."""

    before: Side
    after: Side
    base: str
    head: str
    one_file: bool
    problems: tuple[Problem, ...]
    failed: bool
    unknown: str | None = None
    results: Mapping[tuple[str, str], Any] | None = None


@dataclass(frozen=True, slots=True)
class Analysed:
    """What a worker makes of one file: its JSON, and its results for code scanning if they are wanted."""

    text: str
    results: str
    failed: bool


def compared_sides(args: Namespace) -> Compared:
    """Analyses what has to be.  Raises `BadComparison`, `BadRevision` and `BadSide`."""
    if args.base_json is not None:
        return _with_document(args)
    with roots(args) as (before, after, one_file, troubles):
        return _both(args, before, after, one_file, troubles)


def _both(args: Namespace, before: Root, after: Root, one_file: bool, troubles: tuple[Problem, ...]) -> Compared:
    tasks, problems = zip(*(_tasks(args, root) for root in (before, after)))
    mine, theirs = tasks if one_file else _that_differ(before, after, *tasks)
    found = _run((*mine, *theirs), args)
    sides = _side(found[: len(mine)], before.folder), _side(found[len(mine) :], after.folder)
    missing = args.kernel is not None and not (sides[0].kernels or sides[1].kernels)
    return Compared(
        *sides,
        before.shown,
        after.shown,
        one_file,
        (*troubles, *problems[0], *problems[1]),
        any(one.failed for one in found),
        unknown_kernel((*tasks[0], *tasks[1])) if missing else None,
        _results(found[len(mine) :], after.folder),
    )


def _that_differ(
    before: Root, after: Root, mine: tuple[Task, ...], theirs: tuple[Task, ...]
) -> tuple[tuple[Task, ...], tuple[Task, ...]]:
    """The files that are not the same on both sides, with all that they rest on."""
    halves = Half(before.folder, mine), Half(after.folder, theirs)
    paths = changed(*halves)
    first, second = (tuple(task for name, task in half.tasks.items() if name in paths) for half in halves)
    return first, second


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
    root = root_of(path)
    tasks, problems = _tasks(args, root)
    found = _run(tasks, args)
    after = _side(found, os.getcwd())
    one_file = os.path.isfile(path) and len(files) == 1
    failed = any(one.failed for one in found)
    missing = args.kernel is not None and not after.kernels
    unknown = unknown_kernel(tasks) if missing else None
    results = _results(found, os.getcwd())
    return Compared(
        _of_kernel(before, args.kernel), after, args.base_json, path, one_file, problems, failed, unknown, results
    )


def _of_kernel(side: Side, name: str | None) -> Side:
    """What a document says of one kernel."""
    if name is None:
        return side
    return Side(tuple(kernel for kernel in side.kernels if name in (kernel.name, kernel.instantiation)), ())


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
    top = printable(os.path.abspath(folder))
    rows = [row for one in found for row in json.loads(one.results)]
    return {
        (_relative(path, top), name): _below(row, f"file://{quote(os.fsencode(folder))}/") for path, name, row in rows
    }


def _below(data: Any, top: str) -> Any:
    """Results with the addresses of files in a folder relative to it."""
    if isinstance(data, list):
        return [_below(value, top) for value in data]
    if not isinstance(data, dict):
        return data
    uri = data.get("uri")
    if isinstance(uri, str) and uri.startswith(top):
        return {"uri": uri.removeprefix(top), "uriBaseId": "%SRCROOT%"}
    return {key: _below(value, top) for key, value in data.items()}
