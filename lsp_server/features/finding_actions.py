"""What can be done about any finding: its rule silenced in the file or the project, its page shown, its level explained."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Iterator, Sequence

from analysis_core.report.checks.unused_suppression import CODE as UNUSED
from analysis_core.report.findings.model import FileReport, Finding
from analysis_core.report.fixes.suppress import silencing_file
from analysis_core.text.line_index import LineIndex
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span
from analysis_core.workspace.disk import is_read_only
from analysis_core.workspace.settings_edits import silenced
from analysis_core.workspace.settings_file import NAMES
from analysis_core.workspace.workspace import WorkspaceFiles, is_below, repository_of, workspace_of
from lsp_server.features.code_actions import Action

SHOW_RULE, SHOW_WHY = "warpcost.showRule", "warpcost.openWhy"
"""Commands of clients: the page of a rule [code]; what was asked about the accesses and branches of a line [uri, line from 1]."""

EXPLAINED = ("WC1", "WC2", "WC3")
"""How codes begin whose levels are settled by questions about an access or a branch."""


@dataclass(frozen=True, slots=True)
class ProjectSettings:
    """The settings file of a document's project.  `exists`: else it is to be made.  `overridden`: the editor's own settings come before its
    levels."""

    path: str
    exists: bool
    overridden: bool = False


def settings_for(path: str, found: str | None, folders: Sequence[str], overridden: bool) -> ProjectSettings | None:
    """Where a project's settings are, or belong: the file that holds (`found`, without links), else the innermost open folder around the
    document, its repository, or its folder.  None for what lies nowhere on the disk."""
    if found is not None:
        real = [(top, os.path.realpath(top)) for top in folders]
        within = [os.path.join(top, os.path.relpath(found, there)) for top, there in real if is_below(found, there)]
        return ProjectSettings(min(within, key=len, default=found), True, overridden)
    if not os.path.isabs(path):
        return None
    folder = os.path.dirname(path)
    around = [top for top in folders if is_below(folder, top)]
    top = max(around, key=len) if around else repository_of(folder) or folder
    return ProjectSettings(os.path.join(top, NAMES[0]), False, overridden)


def finding_actions(
    path: str,
    report: FileReport,
    index: LineIndex,
    first: int,
    last: int,
    commands: Collection[str],
    uri: str,
    settings: ProjectSettings | None,
    read: Callable[[str], bytes],
) -> Iterator[Action]:
    """The actions for the findings at a selection, but for those of `code_actions.actions`.  `commands`: those that the client has;
    `settings`: None where there can be none; `read`: the bytes of a file."""
    here = [f for f in report.findings if f.span.file == path and f.span.start <= last and first <= f.span.end]
    rules = list({f.check: f for f in reversed(here)}.values())[::-1]
    for finding in rules:
        comment = silencing_file(finding, index)
        if comment is not None:
            yield Action(comment.title, comment.edits, _about(finding))
    for finding in rules:
        if finding.check != UNUSED and settings is not None:
            yield _in_project(finding, settings, read)
    if SHOW_RULE in commands:
        for finding in rules:
            title = f"Show documentation for {finding.check}"
            yield Action(title, fixes=_about(finding), command=(SHOW_RULE, (finding.check,)))
    explained = [f for f in here if f.check.startswith(EXPLAINED)]
    if SHOW_WHY in commands and explained:
        line = index.line_of(explained[0].span.start)
        yield Action("Why this level?", fixes=_about(explained[0]), command=(SHOW_WHY, (uri, line)))


def _in_project(finding: Finding, settings: ProjectSettings, read: Callable[[str], bytes]) -> Action:
    """Switches a rule off in the settings file, or says why that is not offered."""
    title = f"Silence {finding.check} in this project ({os.path.basename(settings.path)})"
    refused = _refusal(settings)
    edits = refused or silenced(settings.path, read(settings.path) if settings.exists else b"", finding.check)
    if isinstance(edits, str):
        return Action(title, fixes=_about(finding), refused=edits)
    return Action(title, edits, _about(finding))


def _refusal(settings: ProjectSettings) -> str | None:
    name = os.path.basename(settings.path)
    if settings.overridden:
        return "the editor's own setting for levels comes before the project's"
    if settings.exists and not WorkspaceFiles([workspace_of(os.path.dirname(settings.path))]).holds(settings.path):
        return f"{name} is a link that leads out of the project"
    return f"{name} is read-only" if settings.exists and is_read_only(settings.path) else None


def _about(finding: Finding) -> tuple[Span, str]:
    return finding.span, finding.check
