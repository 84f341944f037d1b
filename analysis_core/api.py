"""Checking CUDA code from Python: `check` looks at files and folders, `analyse_text` at text; both give a `Report`.

What this module exports is public, and versioned semantically with the program (CHANGELOG.md): names and fields stay within a major
version, new ones may come in any version.  Levels and wordings of findings may change in any version.  All else below `analysis_core` is
not public.  docs/api.md shows each function at work.

Nothing is printed, run or written.  What cannot be read is in `Report.problems`; wrong settings raise `InvalidSettings`, a ValueError.
"""

from __future__ import annotations

import json
import os
from argparse import Namespace
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from analysis_core.cli.check import outcomes, rendered
from analysis_core.cli.options import parser
from analysis_core.cli.render_json import SCHEMA
from analysis_core.cli.terminal import Style
from analysis_core.cli.work import select, tasks_for
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.checks.registry import name_of
from analysis_core.report.findings.model import CheckId, Level
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.text.records import dataclass
from analysis_core.workspace.disk import STDIN
from analysis_core.workspace.settings_file import read_settings
from analysis_core.workspace.settings_text import toml_of

__all__ = [
    "Access",
    "Bound",
    "Edit",
    "Finding",
    "Fix",
    "InvalidSettings",
    "Kernel",
    "Launch",
    "Note",
    "Report",
    "analyse_text",
    "check",
]

_LEVELS = tuple(level.value for level in Level)


class InvalidSettings(ValueError):
    """A setting that there is not, or a value that it does not take; the text says which and why."""


@dataclass(frozen=True, slots=True)
class Note:
    """What belongs to a finding, at a place of its own unless `line` is None.  Lines and columns count from 1, columns in bytes."""

    message: str
    path: str
    line: int | None = None
    column: int | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """The bytes from `start` to `end` (excluded) of the file become `text`."""

    path: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """Edits that have been analysed before they are offered; `title` says what they buy."""

    title: str
    edits: tuple[Edit, ...]


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding.  `rule`: "uncoalesced-access" for the `code` "WC101"; `level`: hint, information, warning or error; `kernel`: None for
    those of a file or of settings; `share`: of the kernel's cost, 0 to 1; `fingerprint`: outlives edits elsewhere in the file."""

    code: str
    rule: str
    level: str
    path: str
    line: int
    column: int
    message: str
    kernel: str | None
    share: float | None
    notes: tuple[Note, ...]
    fixes: tuple[Fix, ...]
    fingerprint: str


@dataclass(frozen=True, slots=True)
class Bound:
    """What the most expensive warp of a launch pays in a metric, as texts that Python evaluates for given sizes; `upper` is None where
    there is no bound, and `because` says why.  `exact`: some warp pays just that."""

    upper: str | None
    exact: bool
    ideal: str | None
    because: str | None


@dataclass(frozen=True, slots=True)
class Access:
    """Requests of one place: what each costs at most (`worst`), at least (`best`) and in the ideal, in sectors (`space` "global") or
    wavefronts ("shared").  None: not known."""

    path: str
    line: int
    column: int
    text: str
    space: str
    worst: int | None
    best: int | None
    ideal: int | None


@dataclass(frozen=True, slots=True)
class Launch:
    """A kernel with one shape of its blocks.  `bounds`: by metric ("sectors", "conflicts", ..)."""

    block: tuple[int, int, int]
    assumptions: tuple[str, ...]
    bounds: Mapping[str, Bound]
    accesses: tuple[Access, ...]


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel, or an instantiation of one, under each of its launches."""

    name: str
    path: str
    line: int
    launches: tuple[Launch, ...]


@dataclass(frozen=True, slots=True)
class Report:
    """What was found.  `problems`: what could not be read.  `complete`: False where a file could not be read, or a bug of ours cost a part
    of the results.  `document`: all of it as `warpcost check --format json` prints it, of JSON schema 1."""

    findings: tuple[Finding, ...]
    kernels: tuple[Kernel, ...]
    problems: tuple[str, ...]
    complete: bool
    document: Mapping[str, Any]

    def at_least(self, level: str) -> tuple[Finding, ...]:
        """The findings of this level and louder ones: "hint", "information", "warning" or "error"."""
        if level not in _LEVELS:
            raise ValueError(f"there is no level {level!r}; there are {', '.join(_LEVELS)}")
        return tuple(one for one in self.findings if _LEVELS.index(one.level) >= _LEVELS.index(level))


def check(
    paths: str | os.PathLike[str] | Iterable[str | os.PathLike[str]], settings: Mapping[str, object] | None = None
) -> Report:
    """All findings of files, and of the CUDA code in folders, as `warpcost check` has them.

    `settings`: keys and values as in `warpcost.toml`, on top of the nearest settings file of each path.  Relative paths start
    from the working folder.  One process does the work; whoever wants several calls this in several."""
    several = [paths] if isinstance(paths, str | os.PathLike) else list(paths)
    args = _arguments([os.fspath(path) for path in several], settings)
    files, problems = select(args)
    tasks, used = tasks_for(files, None, args)
    found = list(outcomes(tasks, used, args, Style(False)))
    texts = tuple(problem.text for problem in problems)
    complete = not any(problem.fatal for problem in problems) and not any(one.failed for one in found)
    return _report([json.loads(one.after) for one in found], texts, complete)


def analyse_text(text: str | bytes, settings: Mapping[str, object] | None = None, *, path: str = "text.cu") -> Report:
    """All findings of CUDA code that is in memory.  Nothing is read from the disk: includes are not found, and no settings file holds.
    `path`: how the text is called in the results."""
    data = text.encode("utf-8", "surrogatepass") if isinstance(text, str) else text
    own = read_settings("warpcost.toml", _settings_text(settings), Settings(), own=True).settings
    files = MemoryFiles({path: data})
    found = rendered(analyse_file(path, files, own, fixes=True), files, "json", Style(False), own)
    return _report([json.loads(found.after)], (), not found.failed)


def _arguments(paths: Sequence[str], settings: Mapping[str, object] | None) -> Namespace:
    """The options of a command line that says the same."""
    if STDIN in paths:
        raise ValueError("the standard input is for the command line; analyse_text takes text")
    args = parser().parse_args(["check", "--format", "json"])
    args.paths, args.debug, args.laid_over = list(paths), False, _settings_text(settings)
    return args


def _settings_text(settings: Mapping[str, object] | None) -> bytes:
    """Settings as a settings file has them.  Raises `InvalidSettings` for what is wrong in them."""
    try:
        text = toml_of(settings or {}).encode("utf-8")
    except ValueError as error:
        raise InvalidSettings(str(error)) from None
    wrong = read_settings("warpcost.toml", text, Settings(), own=True).findings
    if wrong:
        raise InvalidSettings("; ".join(finding.message for finding in wrong))
    return text


def _report(files: list[dict[str, Any]], problems: tuple[str, ...], complete: bool) -> Report:
    findings = [
        _finding(one, file["path"], name)
        for file in files
        for name, holder in ((None, file), *((kernel["name"], kernel) for kernel in file["kernels"]))
        for one in holder["findings"]
    ]
    kernels = tuple(_kernel(one, file["path"]) for file in files for one in file["kernels"])
    once = {
        (one.path, one.fingerprint, one.line, one.column): one for one in findings
    }  # headers: of each file that includes them
    ordered = sorted(once.values(), key=lambda one: (one.path, one.line, one.column, one.code))
    return Report(tuple(ordered), kernels, problems, complete, {"schema": SCHEMA, "files": files})


def _finding(data: Mapping[str, Any], path: str, kernel: str | None) -> Finding:
    return Finding(
        data["code"],
        name_of(CheckId(data["code"])),
        data["level"],
        data.get("path", path),
        data["line"],
        data["column"],
        data["message"],
        kernel,
        data["share"],
        tuple(Note(one["message"], one.get("path", path), one.get("line"), one.get("column")) for one in data["notes"]),
        tuple(Fix(one["title"], tuple(_edit(edit, path) for edit in one["edits"])) for one in data["fixes"]),
        data["fingerprint"],
    )


def _edit(data: Mapping[str, Any], path: str) -> Edit:
    start, end = data["span"]
    return Edit(data.get("path", path), start, end, data["text"])


def _kernel(data: Mapping[str, Any], path: str) -> Kernel:
    return Kernel(
        data["instantiation"] or data["name"], path, data["line"], tuple(_launch(one, path) for one in data["launches"])
    )


def _launch(data: Mapping[str, Any], path: str) -> Launch:
    x, y, z = data["block"]
    bounds = {name: _bound(one) for name, one in data["bounds"].items()}
    return Launch((x, y, z), tuple(data["assumptions"]), bounds, tuple(_access(one, path) for one in data["accesses"]))


def _bound(data: Mapping[str, Any]) -> Bound:
    warp = data["per_warp"]
    because = None if warp["because"] is None else f"{warp['because']['reason']} (line {warp['because']['line']})"
    return Bound(warp["upper"], warp["exact"], data["ideal"], because)


def _access(data: Mapping[str, Any], path: str) -> Access:
    return Access(
        data.get("path", path),
        data["line"],
        data["column"],
        data["text"],
        data["space"],
        data["worst"],
        data["best"],
        data["ideal"],
    )
