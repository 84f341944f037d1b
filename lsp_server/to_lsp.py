"""Our values to the protocol's: the only module that builds what is sent, positions and encodings included."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING
from urllib.parse import quote

from lsprotocol import types

from analysis_core.cli.rule_pages import page_path
from analysis_core.report.findings.model import Level
from analysis_core.report.findings.reasons import with_hard_breaks
from analysis_core.support.sources import Sources
from analysis_core.text.line_index import LineIndex
from analysis_core.text.span import Span
from lsp_server.documents import Document
from lsp_server.encoding import Encoding
from lsp_server.features.choices import Choice, Kind
from lsp_server.plain_text import plain

if TYPE_CHECKING:
    from analysis_core.report.cards import Card
    from lsp_server.features.code_actions import Action
    from lsp_server.features.diagnostics import Squiggle
    from lsp_server.features.inlay_hints import Inlay

SOURCE = "warpcost"

Read = Callable[[str], bytes | None]

WATCHED = ("**/*.{cu,cuh,h,hpp,cpp,cc,inl}", "**/warpcost.toml", "**/pyproject.toml", "**/compile_commands.json")
"""Files that an answer may rest on."""

SHOW = "warpcost.showLine"
"""The server's command that a click on a lens calls."""


def position(index: LineIndex, offset: int, unit: Encoding) -> types.Position:
    """The position of a byte."""
    line, column = index.position(offset)
    match unit:
        case Encoding.UTF8:
            return types.Position(line - 1, column - 1)
        case Encoding.UTF16:
            return types.Position(line - 1, index.utf16_column(offset))
        case Encoding.UTF32:
            return types.Position(line - 1, index.code_point_column(offset))


def range_of(index: LineIndex, span: Span, unit: Encoding) -> types.Range:
    """The range of a span."""
    return types.Range(position(index, span.start, unit), position(index, span.end, unit))


def uri_of(path: str) -> str:
    """The URI of a path; what is no absolute path (an unsaved buffer's name) is a URI already."""
    return f"file://{quote(path)}" if path.startswith("/") else path


def severity(level: Level) -> types.DiagnosticSeverity:
    match level:
        case Level.HINT:
            return types.DiagnosticSeverity.Hint
        case Level.INFORMATION:
            return types.DiagnosticSeverity.Information
        case Level.WARNING:
            return types.DiagnosticSeverity.Warning
        case Level.ERROR:
            return types.DiagnosticSeverity.Error


def link(text: str, uri: str, line: int) -> str:
    """A Markdown link to a 1-based line; brackets and parentheses would end it early."""
    text = re.sub(r"[\\\[\]`<!&]", lambda found: f"\\{found[0]}", text)
    return f"[{text}]({uri.replace('(', '%28').replace(')', '%29')}#L{line})"


def diagnostic(squiggle: Squiggle, sources: Sources, unit: Encoding, uri: str) -> types.Diagnostic:
    """One diagnostic of the document `uri`."""

    def location(span: Span) -> types.Location:
        here = uri if span.file == squiggle.span.file else uri_of(span.file)
        return types.Location(here, range_of(sources.index(span.file), span, unit))

    related = [types.DiagnosticRelatedInformation(location(span), plain(text)) for span, text in squiggle.related]
    return types.Diagnostic(
        range=range_of(sources.index(squiggle.span.file), squiggle.span, unit),
        message=plain(squiggle.message),
        severity=severity(squiggle.level),
        code=squiggle.code,
        code_description=documentation(squiggle.code),
        source=SOURCE,
        tags=[types.DiagnosticTag.Unnecessary] if squiggle.unnecessary else None,
        related_information=related or None,
    )


def documentation(code: str) -> types.CodeDescription | None:
    """The page about a rule, which editors open on a click on its code; None where it is not installed."""
    path = page_path(code)
    return None if path is None else types.CodeDescription(uri_of(path))


def diagnostics(found: Iterable[Squiggle], sources: Sources, unit: Encoding, uri: str) -> list[types.Diagnostic]:
    """All diagnostics of a document."""
    return [diagnostic(squiggle, sources, unit, uri) for squiggle in found]


def publication(uri: str, version: int | None, items: list[types.Diagnostic]) -> types.PublishDiagnosticsParams:
    return types.PublishDiagnosticsParams(uri=uri, version=version, diagnostics=items)


PulledReport = types.RelatedFullDocumentDiagnosticReport | types.RelatedUnchangedDocumentDiagnosticReport


def pulled_report(items: list[types.Diagnostic], revision: int, previous: str | None) -> PulledReport:
    """The answer to a pull: all of them, or that they are those of the `previous` answer about the same text."""
    digest = blake2b(repr(items).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
    number = f"{revision} {digest}"
    if number == previous:
        return types.RelatedUnchangedDocumentDiagnosticReport(result_id=number)
    return types.RelatedFullDocumentDiagnosticReport(items=items, result_id=number)


def no_report(previous: str | None) -> PulledReport:
    """The answer to a pull where nothing is known of the present text: the client keeps those of the `previous` answer."""
    if previous is not None:
        return types.RelatedUnchangedDocumentDiagnosticReport(result_id=previous)
    return types.RelatedFullDocumentDiagnosticReport(items=[])


def hover(card: Card, index: LineIndex, unit: Encoding) -> types.Hover:
    return types.Hover(_markdown(card), range_of(index, card.span, unit))


def _markdown(card: Card) -> types.MarkupContent:
    return types.MarkupContent(types.MarkupKind.Markdown, with_hard_breaks(card.markdown))


def unresolved_lens(span: Span, index: LineIndex, unit: Encoding, reference: dict[str, object]) -> types.CodeLens:
    """A lens without its text, which the client asks for once the line is on screen."""
    return types.CodeLens(range_of(index, span, unit), data=reference)


def resolved_lens(lens: types.CodeLens, title: str, target: tuple[str, int] | None) -> types.CodeLens:
    """The lens with its text; a click shows the `target`, a document and a 1-based line."""
    arguments = None if target is None else list(target)
    lens.command = types.Command(title, "" if target is None else SHOW, arguments=arguments)
    return lens


def inlay_hint(inlay: Inlay, index: LineIndex, unit: Encoding, reference: dict[str, object]) -> types.InlayHint:
    """A hint without its tooltip, which is made on request."""
    return types.InlayHint(position(index, inlay.offset, unit), inlay.label, padding_left=True, data=reference)


def with_tooltip(hint: types.InlayHint, card: Card | None) -> types.InlayHint:
    if card is not None:
        hint.tooltip = _markdown(card)
    return hint


def code_action(
    action: Action, document: Document, unit: Encoding, here: Sequence[types.Diagnostic]
) -> types.CodeAction:
    """One action, without its edit; a fix belongs to those of the client's diagnostics that it puts right."""
    solved: list[types.Diagnostic] = []
    if action.fixes is not None:
        span, code = action.fixes
        area = range_of(document.index, span, unit)
        solved = [d for d in here if d.source == SOURCE and d.code == code and d.range == area]
    kind = types.CodeActionKind.QuickFix if action.fixes is not None else types.CodeActionKind.RefactorRewrite
    disabled = None if action.refused is None else types.CodeActionDisabled(plain(action.refused))
    preferred = True if action.preferred else None
    command = None
    if action.command is not None:
        command = types.Command(plain(action.title), action.command[0], arguments=list(action.command[1]))
    return types.CodeAction(
        plain(action.title), kind, solved or None, is_preferred=preferred, disabled=disabled, command=command
    )


def edit_of(action: Action, document: Document, unit: Encoding, read: Read) -> types.WorkspaceEdit | None:
    """What an action does; None for one that edits nothing.  `read`: the text of another file than the document's, None
    where there is none: then it is made."""
    if action.refused is not None or not action.edits:
        return None
    changes: list[types.TextDocumentEdit | types.CreateFile] = []
    for file in dict.fromkeys(edit.span.file for edit in action.edits):
        identifier = types.OptionalVersionedTextDocumentIdentifier(document.uri, document.version)
        index = document.index
        if file != document.path:
            identifier, data = types.OptionalVersionedTextDocumentIdentifier(uri_of(file)), read(file)
            index = LineIndex.of(data or b"")
            changes += [types.CreateFile(identifier.uri)] if data is None else []
        edits = [
            types.TextEdit(range_of(index, edit.span, unit), edit.text)
            for edit in action.edits
            if edit.span.file == file
        ]
        changes.append(types.TextDocumentEdit(identifier, list(edits)))
    return types.WorkspaceEdit(document_changes=list(changes))


_KINDS = {
    Kind.WORD: types.CompletionItemKind.Keyword,
    Kind.KEY: types.CompletionItemKind.Property,
    Kind.VALUE: types.CompletionItemKind.Value,
    Kind.VARIABLE: types.CompletionItemKind.Variable,
    Kind.FUNCTION: types.CompletionItemKind.Function,
    Kind.RULE: types.CompletionItemKind.EnumMember,
}


def completions(found: Sequence[Choice], index: LineIndex, unit: Encoding) -> types.CompletionList:
    """Choices in their order, each with what it means."""
    items = []
    for number, choice in enumerate(found):
        area = types.Range(position(index, choice.start, unit), position(index, choice.end, unit))
        items.append(
            types.CompletionItem(
                label=choice.label,
                kind=_KINDS[choice.kind],
                detail=choice.detail or None,
                documentation=types.MarkupContent(types.MarkupKind.Markdown, choice.says) if choice.says else None,
                sort_text=f"{number:03}",
                filter_text=choice.text,
                text_edit=types.TextEdit(area, choice.text),
            )
        )
    return types.CompletionList(is_incomplete=False, items=items)


def completion_options() -> types.CompletionOptions:
    return types.CompletionOptions(trigger_characters=["@", "=", '"', "'", "[", "(", "{", ".", "\\"])


def show_line(uri: str, line: int) -> types.ShowDocumentParams:
    """Asks the client to show a 1-based line."""
    place = types.Position(line - 1, 0)
    return types.ShowDocumentParams(uri, take_focus=True, selection=types.Range(place, place))


def lens_options() -> types.CodeLensOptions:
    return types.CodeLensOptions(resolve_provider=True)


def hint_options() -> types.InlayHintOptions:
    return types.InlayHintOptions(resolve_provider=True)


def action_options() -> types.CodeActionOptions:
    kinds = [types.CodeActionKind.QuickFix, types.CodeActionKind.RefactorRewrite]
    return types.CodeActionOptions(kinds, resolve_provider=True)


def reference_to(uri: str, revision: int, about: int) -> dict[str, object]:
    """What an unresolved lens, hint or action is known by when it comes back.  `revision`: of the text that was analysed."""
    return {"uri": uri, "revision": revision, "about": about}


def configuration_request(folders: Sequence[str]) -> types.ConfigurationParams:
    """Asks for the settings in general, then for those of each workspace folder (a URI)."""
    items = [types.ConfigurationItem(section=SOURCE)]
    items += [types.ConfigurationItem(scope_uri=folder, section=SOURCE) for folder in folders]
    return types.ConfigurationParams(items)


def registrations(configuration: bool, files: bool) -> types.RegistrationParams:
    """What to be told of: changed settings, and changes of files that an answer may rest on."""
    wanted: list[types.Registration] = []
    if configuration:
        method = types.WORKSPACE_DID_CHANGE_CONFIGURATION
        options = types.DidChangeConfigurationRegistrationOptions(section=SOURCE)
        wanted.append(types.Registration("warpcost-settings", method, options))
    if files:
        watchers = [types.FileSystemWatcher(glob_pattern=pattern) for pattern in WATCHED]
        watched = types.DidChangeWatchedFilesRegistrationOptions(watchers)
        wanted.append(types.Registration("warpcost-files", types.WORKSPACE_DID_CHANGE_WATCHED_FILES, watched))
    return types.RegistrationParams(wanted)


def progress_begin(title: str, message: str) -> types.WorkDoneProgressBegin:
    return types.WorkDoneProgressBegin(title=title, message=message or None, cancellable=True)


def progress_report(message: str) -> types.WorkDoneProgressReport:
    return types.WorkDoneProgressReport(message=message, cancellable=True)


def progress_end() -> types.WorkDoneProgressEnd:
    return types.WorkDoneProgressEnd()


def diagnostic_options() -> types.DiagnosticOptions:
    return types.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=False, identifier=SOURCE)


def log(text: str) -> types.LogMessageParams:
    return types.LogMessageParams(types.MessageType.Warning, text)


def warning(text: str) -> types.ShowMessageParams:
    """A message to the user.  Some editors make links of `[text](address)` in it, which no file's name should be."""
    return types.ShowMessageParams(types.MessageType.Warning, text.replace("](", "] ("))
