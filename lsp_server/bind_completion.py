"""Completion: within `//@` comments and settings files alone, for all else is the C++ server's."""

from __future__ import annotations

from lsprotocol import types

from lsp_server import from_lsp, to_lsp
from lsp_server.state import Server


def bind(server: Server) -> None:
    """Registers the handler.  It rests on no analysis, and is answered at once."""

    @server.feature(types.TEXT_DOCUMENT_COMPLETION, to_lsp.completion_options())
    def completed(ls: Server, params: types.CompletionParams) -> types.CompletionList | None:
        from lsp_server.features.annotation_choices import annotation_choices
        from lsp_server.features.settings_choices import settings_choices

        uri = params.text_document.uri
        settings, source = ls.settings_texts.get(uri), ls.documents.get(uri)
        document = settings or source
        if document is None:
            return None
        at = from_lsp.offset(document.index, params.position, ls.unit)
        if settings is not None:
            found = list(settings_choices(document.path, document.index, at))
        else:
            found = list(annotation_choices(document.index, at))
        return to_lsp.completions(found, document.index, ls.unit) if found else None
