"""Diagnostics on request, cards, actions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lsprotocol import types

from analysis_core.report.findings.model import FileReport
from lsp_server import from_lsp, to_lsp
from lsp_server.answers import Answer
from lsp_server.documents import Document
from lsp_server.plain_text import plain
from lsp_server.state import Server
from lsp_server.view import View

if TYPE_CHECKING:
    from lsp_server.features.code_actions import Action


def bind(server: Server) -> None:
    """Registers the handlers."""
    _bind_texts(server)
    _bind_actions(server)


def _bind_texts(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, to_lsp.diagnostic_options())
    async def pulled(ls: Server, params: types.DocumentDiagnosticParams) -> to_lsp.PulledReport:
        uri, previous = params.text_document.uri, params.previous_result_id
        with ls.held.asking(uri):
            analysis, document = await ls.scheduler.latest(uri), ls.documents.get(uri)
            if analysis is None or document is None:
                ls.held.forget(uri)
                return to_lsp.no_report(None if document is None else previous)
            items = ls.diagnostics_of(document, analysis.answer.answer)
            ls.held.answered(uri, analysis.version, items)
            return to_lsp.pulled_report(items, analysis.version, previous)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hovered(ls: Server, params: types.HoverParams) -> types.Hover | None:
        uri = params.text_document.uri
        document, analysis = ls.documents.get(uri), ls.scheduler.known(uri)
        if document is None:
            return _of_settings(ls, ls.settings_texts.get(uri), params.position)
        view = None if analysis is None else View.of(document, analysis.answer)
        at = None if view is None else view.origin(from_lsp.offset(document.index, params.position, ls.unit))
        if view is None or at is None:  # Nothing is known of this place yet.
            analysis, document = await ls.scheduler.latest(uri), ls.documents.get(uri)
            if analysis is None or document is None:
                return None
            view, at = View.of(document, analysis.answer), from_lsp.offset(document.index, params.position, ls.unit)
        ls.looked_at[uri] = at
        ls.look_at_shapes(view.document)
        card = ls.card(view, at)
        if card is None:
            from lsp_server.features.annotation_choices import annotation_card

            place = from_lsp.offset(view.document.index, params.position, ls.unit)
            card = annotation_card(view.document.path, view.document.index, place)
        return None if card is None else to_lsp.hover(card, view.document.index, ls.unit)


def _of_settings(ls: Server, document: Document | None, position: types.Position) -> types.Hover | None:
    """The card of a key or a rule in a settings file."""
    from lsp_server.features.settings_choices import settings_card

    if document is None:
        return None
    card = settings_card(document.path, document.index, from_lsp.offset(document.index, position, ls.unit))
    return None if card is None else to_lsp.hover(card, document.index, ls.unit)


def _bind_actions(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, to_lsp.action_options())
    async def acted(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
        view = await ls.present(params.text_document.uri)
        if view is None:
            return []
        document, answer = view.document, view.known.answer
        first, last = (from_lsp.offset(document.index, p, ls.unit) for p in (params.range.start, params.range.end))
        ls.looked_at[document.uri] = first
        ls.look_at_shapes(document)
        report = await ls.fixed(
            document, answer, (first, last), from_lsp.wants_menu(params.context, not ls.shows_lenses)
        )
        able = ls.client_capabilities
        found = _actions(ls, document, report, answer, first, last)
        shown = tuple(a for a in found if a.refused is None or from_lsp.shows_disabled(able))
        here = params.context.diagnostics
        files = {edit.span.file for action in shown for edit in action.edits} - {document.path}
        from lsp_server.offered import Offered

        ls.offered = Offered(document, shown, {path: ls.text_of(path) for path in files})
        made = [to_lsp.code_action(action, document, ls.unit, here) for action in shown]
        for number, (item, action) in enumerate(zip(made, shown, strict=True)):
            if not action.edits:
                continue
            if from_lsp.resolves_edits(able):
                item.data = to_lsp.reference_to(document.uri, document.revision, number)
            else:
                item.edit = to_lsp.edit_of(action, document, ls.unit, ls.text_of)
        return made

    @server.feature(types.CODE_ACTION_RESOLVE)
    def action_resolved(ls: Server, item: types.CodeAction) -> types.CodeAction:
        found, offered = from_lsp.reference(item.data), ls.offered
        if found is None or offered is None or not 0 <= found[2] < len(offered.actions):
            return item
        document, action = offered.document, offered.actions[found[2]]
        is_listed = (document.uri, document.revision) == found[:2] and plain(action.title) == item.title
        if is_listed and all(ls.text_of(path) == text for path, text in offered.others.items()):
            item.edit = to_lsp.edit_of(action, document, ls.unit, ls.text_of)
        return item


def _actions(
    ls: Server, document: Document, report: FileReport, answer: Answer, first: int, last: int
) -> Iterator[Action]:
    """What can be done between two bytes of a document; `report`: with the fixes of what is there."""
    from lsp_server.features.code_actions import actions
    from lsp_server.features.finding_actions import finding_actions, settings_for
    from lsp_server.features.shape_actions import shape_actions

    able, found = ls.client_capabilities, None if answer.project is None else answer.project.path
    overridden = ls.options_for(document.path).sets("levels")
    settings = settings_for(document.path, found, ls.workspace_folders(), overridden)
    if settings is not None and not settings.exists and not from_lsp.creates_files(able):
        settings = None
    place = document.path, report, document.index, first, last
    commands = from_lsp.commands_of(able)
    yield from actions(*place)
    yield from shape_actions(*place, ls.shapes.of(document.uri, document.revision), document.uri, commands)
    yield from finding_actions(*place, commands, document.uri, settings, lambda path: ls.text_of(path) or b"")
