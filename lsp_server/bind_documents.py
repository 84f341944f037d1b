"""Documents: opened, changed, saved, closed."""

from __future__ import annotations

import logging

from lsprotocol import types

from lsp_server import from_lsp, to_lsp
from lsp_server.documents import encoded
from lsp_server.scheduler import DEBOUNCE
from lsp_server.state import Server

_LOG = logging.getLogger("warpcost.server")


def bind(server: Server) -> None:
    """Registers the handlers."""

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        document = ls.documents.open(item.uri, item.version, encoded(item.text))
        ls.scheduler.touch(item.uri)
        ls.scheduler.request(item.uri)
        ls.analyse_dependents({document.path}, come=True)
        ls.look_at(document)
        ls.scans.opened(document)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
        item = params.text_document
        document = ls.documents.get(item.uri)
        if document is None:
            _LOG.warning("a change of %s, which is not open", item.uri)
            return
        text = from_lsp.edited(document.index, params.content_changes, ls.unit)
        now = ls.documents.change(item.uri, item.version, text)
        ls.scheduler.touch(item.uri)
        ls.scheduler.request(item.uri, DEBOUNCE)
        ls.analyse_dependents({document.path})
        ls.look_at(now)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
        # A header on the disk may have changed under any open document.
        ls.scheduler.touch(params.text_document.uri)
        ls.analyse_all()

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        document = ls.documents.get(uri)
        ls.documents.close(uri)
        ls.last_good.pop(uri, None)
        ls.told.pop(uri, None)
        ls.looked_at.pop(uri, None)
        ls.status.closed(uri)
        ls.scheduler.forget(uri)
        if document is not None:
            ls.analyse_dependents({document.path}, come=True)
            ls.look_at()
            ls.scans.again()
        if not from_lsp.pulls_diagnostics(ls.client_capabilities):
            ls.text_document_publish_diagnostics(to_lsp.publication(uri, None, []))
