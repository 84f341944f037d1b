"""What stands beside the text: lenses and hints.  What they are made with is loaded after the handshake (features/__init__.py)."""

from __future__ import annotations

from lsprotocol import types

from lsp_server import from_lsp, to_lsp
from lsp_server.state import Server


def bind(server: Server) -> None:
    """Registers the handlers."""
    _bind_lenses(server)
    _bind_hints(server)


def _bind_lenses(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, to_lsp.lens_options())
    async def lensed(ls: Server, params: types.CodeLensParams) -> list[types.CodeLens]:
        from lsp_server.features.code_lens import lens_places

        uri, able = params.text_document.uri, ls.client_capabilities
        view = await ls.soon(uri, True, from_lsp.refreshes_lenses(able)) if ls.display.code_lens else None
        if view is None:
            return []
        document, known = view.document, view.known
        spans = filter(view.is_whole, lens_places(document.path, ls.parts.whole(known.answer)))
        return [
            to_lsp.unresolved_lens(
                view.now(s), document.index, ls.unit, to_lsp.reference_to(uri, known.revision, s.start)
            )
            for s in spans
        ]

    @server.feature(types.CODE_LENS_RESOLVE)
    def lens_resolved(ls: Server, lens: types.CodeLens) -> types.CodeLens:
        from lsp_server.features.code_lens import lens_line

        about = ls.about(lens.data)
        if about is None:  # There is something newer; the client is about to ask for new ones.
            return to_lsp.resolved_lens(lens, "warp: ...", None)
        (view, at), steps, sources = about, bool(ls.display.steps), ls.sources()
        document, answer = view.document, view.known.answer
        report = ls.parts.whole(answer, at)
        line = lens_line(document.path, report, answer.settings, at, view.plain_place(sources), steps)
        if line is None:
            return to_lsp.resolved_lens(lens, "warp: ...", None)
        target = None
        if line.worst is not None and from_lsp.shows_documents(ls.client_capabilities):
            uri = document.uri if line.worst.file == document.path else to_lsp.uri_of(line.worst.file)
            target = (uri, sources.line(view.now(line.worst)))
        since = ls.since.said(document.uri, view.known.revision, at) if ls.display.since_commit else ""
        return to_lsp.resolved_lens(lens, f"{line.title} | {since}" if since else line.title, target)

    @server.command(to_lsp.SHOW)
    async def shown(ls: Server, *arguments: object) -> None:
        place = from_lsp.place_argument(arguments)
        if place is not None and from_lsp.shows_documents(ls.client_capabilities):
            await ls.window_show_document_async(to_lsp.show_line(*place))


def _bind_hints(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_INLAY_HINT, to_lsp.hint_options())
    async def hinted(ls: Server, params: types.InlayHintParams) -> list[types.InlayHint]:
        from lsp_server.features.inlay_hints import Inlay, inlays, kernel_inlays

        uri, able = params.text_document.uri, ls.client_capabilities
        view = await ls.soon(uri, False, from_lsp.refreshes_hints(able))
        if view is None:
            return []
        index, known = view.document.index, view.known
        report = ls.parts.whole(known.answer)
        first, last = (from_lsp.offset(index, place, ls.unit) for place in (params.range.start, params.range.end))
        found = list[Inlay]()
        if ls.display.inlay_hints:
            found += inlays(view, report)
        if ls.display.kernel_hint:
            found += kernel_inlays(view, report, view.plain_place(ls.sources()), bool(ls.display.steps))
        return [
            to_lsp.inlay_hint(inlay, index, ls.unit, to_lsp.reference_to(uri, known.revision, inlay.about))
            for inlay in found
            if first <= inlay.offset <= last
        ]

    @server.feature(types.INLAY_HINT_RESOLVE)
    def hint_resolved(ls: Server, hint: types.InlayHint) -> types.InlayHint:
        about = ls.about(hint.data)
        return hint if about is None else to_lsp.with_tooltip(hint, ls.card(*about))
