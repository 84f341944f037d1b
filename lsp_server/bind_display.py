"""What stands beside the text: lenses and hints."""

from __future__ import annotations

from lsprotocol import types

from lsp_server import from_lsp, to_lsp
from lsp_server.features.code_lens import lens_line, lens_places
from lsp_server.features.inlay_hints import Inlay, inlays, kernel_inlays
from lsp_server.state import Server


def bind(server: Server) -> None:
    """Registers the handlers."""
    _bind_lenses(server)
    _bind_hints(server)


def _bind_lenses(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, to_lsp.lens_options())
    async def lensed(ls: Server, params: types.CodeLensParams) -> list[types.CodeLens]:
        uri, able = params.text_document.uri, ls.client_capabilities
        now = await ls.present(uri, True, from_lsp.refreshes_lenses(able)) if ls.display.code_lens else None
        if now is None:
            return []
        document, answer = now
        spans = lens_places(document.path, ls.parts.whole(answer))
        return [to_lsp.unresolved_lens(s, document.index, ls.unit, document.uri, document.revision) for s in spans]

    @server.feature(types.CODE_LENS_RESOLVE)
    def lens_resolved(ls: Server, lens: types.CodeLens) -> types.CodeLens:
        about = ls.about(lens.data)
        if about is None:  # The text has changed since; the client is about to ask for new ones.
            return to_lsp.resolved_lens(lens, "warp: ...", None)
        document, known, at = about
        where, steps = ls.plain_place(document), bool(ls.display.steps)
        report = ls.parts.whole(known.answer, at)
        line = lens_line(document.path, report, known.answer.settings, at, where, steps)
        if line is None:
            return to_lsp.resolved_lens(lens, "warp: ...", None)
        target = None
        if line.worst is not None and from_lsp.shows_documents(ls.client_capabilities):
            uri = document.uri if line.worst.file == document.path else to_lsp.uri_of(line.worst.file)
            target = (uri, ls.sources().line(line.worst))
        return to_lsp.resolved_lens(lens, line.title, target)

    @server.command(to_lsp.SHOW)
    async def shown(ls: Server, *arguments: object) -> None:
        place = from_lsp.place_argument(arguments)
        if place is not None and from_lsp.shows_documents(ls.client_capabilities):
            await ls.window_show_document_async(to_lsp.show_line(*place))


def _bind_hints(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT, to_lsp.hint_options())
    async def hinted(ls: Server, params: types.InlayHintParams) -> list[types.InlayHint]:
        refreshed = from_lsp.refreshes_hints(ls.client_capabilities)
        now = await ls.present(params.text_document.uri, refreshed=refreshed)
        if now is None:
            return []
        document, answer = now
        index, found = document.index, list[Inlay]()
        report = ls.parts.whole(answer)
        first, last = (from_lsp.offset(index, place, ls.unit) for place in (params.range.start, params.range.end))
        if ls.display.inlay_hints:
            found += inlays(document.path, report, answer.settings, index, first, last)
        if ls.display.kernel_hint:
            where, steps = ls.plain_place(document), bool(ls.display.steps)
            lines = kernel_inlays(document.path, report, answer.settings, index, where, steps)
            found += [inlay for inlay in lines if first <= inlay.offset <= last]
        return [to_lsp.inlay_hint(inlay, index, ls.unit, document.uri, document.version) for inlay in found]

    @server.feature(types.INLAY_HINT_RESOLVE)
    def hint_resolved(ls: Server, hint: types.InlayHint) -> types.InlayHint:
        about = ls.about(hint.data)
        if about is None:
            return hint
        document, known, at = about
        return to_lsp.with_tooltip(hint, ls.card(document, known, at))
