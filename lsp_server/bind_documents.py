"""Documents: opened, changed, saved, closed."""

from __future__ import annotations

import logging
from collections.abc import Callable

from lsprotocol import types

from lsp_server import text_changes
from lsp_server.documents import holds_settings, path_of
from lsp_server.scheduler import DEBOUNCE
from lsp_server.state import Server

_LOG = logging.getLogger("warpcost.server")


def _read(handle: Callable[[Server, object], None]) -> Callable[[Server, object], None]:
    """What cannot be read is no error of ours, but says that a text may be out of step.  These handlers are done before the next message
    is read."""

    def handler(ls: Server, params: object) -> None:
        try:
            handle(ls, params)
        except text_changes.Unread as why:
            ls.lose(why)

    return handler


def bind(server: Server) -> None:
    """Registers the handlers."""

    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    @_read
    def opened(ls: Server, params: object) -> None:
        said = text_changes.read_opened(params)
        if holds_settings(path_of(said.uri)):
            ls.settings_texts.open(said)
            return
        document = ls.documents.open(said)
        ls.scheduler.touch(document.uri)
        ls.scheduler.request(document.uri)
        ls.analyse_dependents({document.path}, come=True)
        ls.look_at(document)
        ls.scans.opened(document)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    @_read
    def changed(ls: Server, params: object) -> None:
        said = text_changes.read_changed(params)
        if ls.settings_texts.get(said.uri) is not None or ls.settings_texts.is_lost(said.uri):
            try:
                ls.settings_texts.change(said, ls.unit)
            except text_changes.Unread as why:
                _LOG.warning("the text of %s is not known any more: %s", said.uri, why)
                ls.settings_texts.lose(said.uri)
            return
        now = ls.documents.change(said, ls.unit)
        if now is None:
            if not ls.documents.is_lost(said.uri):
                _LOG.warning("a change of %s, which is not open", said.uri)
            return
        ls.scheduler.touch(now.uri)
        ls.scheduler.request(now.uri, DEBOUNCE)
        ls.analyse_dependents({now.path})
        ls.look_at(now)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
        # A header on the disk may have changed under any open document.
        ls.scheduler.touch(params.text_document.uri)
        ls.analyse_all()

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    @_read
    def closed(ls: Server, params: object) -> None:
        uri = text_changes.read_closed(params)
        if holds_settings(path_of(uri)):
            ls.settings_texts.close(uri)
            return
        document = ls.documents.get(uri)
        ls.documents.close(uri)
        ls.forget(uri, document)
