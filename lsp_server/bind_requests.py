"""Diagnostics on request, cards, actions."""

from __future__ import annotations

from lsprotocol import types

from lsp_server import from_lsp, to_lsp
from lsp_server.plain_text import plain
from lsp_server.state import Offered, Server
from lsp_server.view import View


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
            return None
        view = None if analysis is None else View.of(document, analysis.answer)
        at = None if view is None else view.origin(from_lsp.offset(document.index, params.position, ls.unit))
        if view is None or at is None:  # Nothing is known of this place yet.
            analysis, document = await ls.scheduler.latest(uri), ls.documents.get(uri)
            if analysis is None or document is None:
                return None
            view, at = View.of(document, analysis.answer), from_lsp.offset(document.index, params.position, ls.unit)
        ls.looked_at[uri] = at
        card = ls.card(view, at)
        return None if card is None else to_lsp.hover(card, view.document.index, ls.unit)


def _bind_actions(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, to_lsp.action_options())
    async def acted(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
        from lsp_server.features.code_actions import actions

        view = await ls.present(params.text_document.uri)
        if view is None:
            return []
        document, answer = view.document, view.known.answer
        first, last = (from_lsp.offset(document.index, p, ls.unit) for p in (params.range.start, params.range.end))
        report = await ls.fixed(document, answer, first, last)
        able = ls.client_capabilities
        found = actions(document.path, report, document.index, first, last)
        shown = tuple(a for a in found if a.refused is None or from_lsp.shows_disabled(able))
        here, about = params.context.diagnostics, (document.index, ls.unit, document.uri, document.version)
        ls.offered = Offered(document, shown)
        made = [to_lsp.code_action(action, *about, here) for action in shown]
        for number, (item, action) in enumerate(zip(made, shown, strict=True)):
            if from_lsp.resolves_edits(able):
                item.data = to_lsp.reference_to(document.uri, document.revision, number)
            else:
                item.edit = to_lsp.edit_of(action, *about)
        return made

    @server.feature(types.CODE_ACTION_RESOLVE)
    def action_resolved(ls: Server, item: types.CodeAction) -> types.CodeAction:
        found, offered = from_lsp.reference(item.data), ls.offered
        if found is None or offered is None or not 0 <= found[2] < len(offered.actions):
            return item
        document, action = offered.document, offered.actions[found[2]]
        # Else it was of an older list.
        if (document.uri, document.revision) == found[:2] and plain(action.title) == item.title:
            item.edit = to_lsp.edit_of(action, document.index, ls.unit, document.uri, document.version)
        return item
