"""`warpcost check --fix` and `--diff`: the fixes that editors offer, applied to the files that are checked, or shown as a patch.

Each fix was analysed before it is offered, alone.  So of one kernel one fix is applied, the edited text is analysed, and what that says is fixed
next, until nothing is left; fixes of several kernels are applied together where they do not overlap.  A text that comes back, or that
takes too many rounds, is left where it is, and that is said.  What only states something (`//@` comments) is no such fix.

A file whose bytes are not the text that was analysed (UTF-16) is left alone.  Of headers only those are edited that are checked themselves.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence

from analysis_core.cli.edited import patch, print_exactly, written
from analysis_core.cli.fingerprint import fingerprints, place_of
from analysis_core.cli.places import shown_path
from analysis_core.cli.statuses import BROKEN, CLEAN, FOUND
from analysis_core.cli.terminal import complain
from analysis_core.cli.work import Task, logging_for
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.checks.not_analysed import CODE as NOT_ANALYSED
from analysis_core.report.checks.unused_suppression import CODE as UNUSED
from analysis_core.report.findings.model import Edit, FileReport, Finding
from analysis_core.report.fixes.edits import applied
from analysis_core.report.fixes.suppress import removing
from analysis_core.support.files import Files, MemoryFiles
from analysis_core.support.sources import Sources
from analysis_core.support.store import Store
from analysis_core.text.records import dataclass
from analysis_core.text.source import SourceText
from analysis_core.text.span import FileId

MOST_ROUNDS = 40
"""How often a file is edited and analysed again."""

Known = Callable[[str, str], bool]
"""Whether a finding (its path and fingerprint) is one of the baseline's, which are left alone."""


@dataclass(frozen=True, slots=True)
class Fixed:
    """What became of one file. `before`, `after`: its bytes; `count`: fixes that were applied; `trouble`: why there are
    not more."""

    path: str
    before: bytes
    after: bytes
    count: int
    trouble: str | None = None


def fix_files(tasks: Sequence[Task], known: Known, diff: bool) -> int | None:
    """Fixes the files of a run.  With `diff` a patch is printed instead, and the status is 1 if there is one, 2 after an error, else 0; without it None
    if all went well, for the check that follows, else 2."""
    edited: dict[str, bytes] = {}
    store, broken, count, files = Store(), False, 0, 0
    for task in tasks:
        found = fixed(task, MemoryFiles(edited, task.files()), store, known)
        if found.trouble is not None:
            complain(f"{shown_path(task.path)}: {found.trouble}")
        if found.before == found.after:
            continue
        if diff:
            print_exactly(patch(found.path, found.before, found.after))
        elif (trouble := written(found.path, found.before, found.after)) is not None:
            broken = True
            complain(f"{shown_path(task.path)}: {trouble}")
            continue
        edited[task.path] = found.after
        count, files = count + found.count, files + 1
    if diff:
        sys.stdout.flush()
        return FOUND if files else CLEAN
    complain(f"{count} fix{'es' * (count != 1)} in {files} file{'s' * (files != 1)}")
    return BROKEN if broken else None


def fixed(task: Task, files: Files, store: Store, known: Known) -> Fixed:
    """The text of one file with all its fixes."""
    logging_for(task.debug)
    before = files.read(task.path)
    if before is None or SourceText.from_bytes(FileId(task.path), before).transcoded:
        return Fixed(task.path, b"", b"", 0, None if before is None else "it is UTF-16, and not fixed")
    text, seen, count = before, {before}, 0
    for _ in range(MOST_ROUNDS):
        now = MemoryFiles({task.path: text}, files)
        report = analyse_file(
            task.path, now, task.settings, kernel=task.kernel, units=task.units, fixes=True, store=store
        )
        chosen = list(_chosen(report, Sources(now), known))
        if not chosen:
            return Fixed(task.path, before, text, count)
        count += len(chosen)
        for edit in sorted((e for edits in chosen for e in edits), key=lambda e: e.span.start, reverse=True):
            text = applied(text, edit)
        if text in seen:
            return Fixed(task.path, before, before, 0, "its fixes undo each other, and none is applied")
        seen.add(text)
    return Fixed(task.path, before, text, count, f"there are more fixes after {MOST_ROUNDS} rounds; run it again")


def _chosen(report: FileReport, sources: Sources, known: Known) -> Iterator[tuple[Edit, ...]]:
    """Fixes that can be applied together: one for each kernel, and comments that silence nothing."""
    names = fingerprints(report, sources)
    kernels: set[object] = set()
    taken: list[Edit] = []
    for finding in report.findings:
        file = finding.span.file
        if file != report.path or known(file, names[place_of(finding)]):
            continue
        for edits in _offered(finding, sources):
            kernel = next((k.name_span for k in report.kernels if k.span.contains(finding.span.start)), None)
            is_code = finding.check != UNUSED
            if (is_code and kernel in kernels) or any(_overlap(one, other) for one in edits for other in taken):
                continue
            taken += edits
            kernels |= {kernel} if is_code else set()
            yield edits
            break


def _offered(finding: Finding, sources: Sources) -> Iterator[tuple[Edit, ...]]:
    """The edits of a finding's fixes that stay in its file."""
    if finding.check == NOT_ANALYSED:
        return
    removal = removing(finding, sources.index(finding.span.file))
    for fix in (*finding.fixes, *([removal] if removal is not None else [])):
        if fix.edits and all(edit.span.file == finding.span.file for edit in fix.edits):
            yield fix.edits


def _overlap(one: Edit, other: Edit) -> bool:
    """Whether two edits touch the same text, or insert at the same place."""
    return one.span.start <= other.span.end and other.span.start <= one.span.end
