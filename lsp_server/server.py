"""Binds protocol methods to features; holds no logic of its own.

Time is the scheduler's (scheduler.py), computing the worker's (worker.py), values are made in from_lsp.py and
to_lsp.py.  Handlers are short and on the event loop; none runs in a thread, since pygls reads standard input through
the same threads.  Standard output is the protocol: logs go to standard error or a file.
"""

from __future__ import annotations

import logging
import os
import sys
from importlib.metadata import PackageNotFoundError, version
from typing import BinaryIO, NoReturn, cast

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from analysis_core.cli.disk import DiskFiles
from analysis_core.text.sources import Sources
from analysis_core.text.span import Span
from lsp_server import from_lsp, to_lsp
from lsp_server.analyse import Answer, Job, analyse, warm_up
from lsp_server.documents import Document, Documents, Overlay, encoded
from lsp_server.features.diagnostics import squiggles
from lsp_server.features.hover import hover
from lsp_server.options import EditorOptions, read_options
from lsp_server.scheduler import DEBOUNCE, Analysis, Scheduler
from lsp_server.worker import Worker

_LOG = logging.getLogger("warpcost.server")

try:
    VERSION = version("warpcost")
except PackageNotFoundError:
    VERSION = "0"


class Server(LanguageServer):
    """The state of one connection: documents, settings, and who analyses them when."""

    def __init__(self, worker: Worker[Job, Answer]) -> None:
        super().__init__("warpcost", VERSION, max_workers=2)  # These threads only feed standard input.
        self.documents = Documents()
        self.last_good: dict[str, bytes] = {}  # by URI: the text that was last read without problems
        self.options = EditorOptions()
        self.said_goodbye = False
        self.worker = worker
        self.scheduler: Scheduler[Answer] = Scheduler(self._version, self._analyse, self._publish, worker.kill)

    # pygls's default sends the error to the client, which recurses when the client is what failed.
    def report_server_error(self, error: Exception, source: object) -> None:
        """Logs errors of the connection and of handlers."""
        _LOG.error("%s: %s", getattr(source, "__name__", source), error, exc_info=error)

    def shutdown(self) -> None:
        """Ends the worker with the connection.

        pygls's own would wait for the thread that reads standard input, which a client may keep open after `exit`."""
        self.scheduler.stop()
        self.worker.close()
        if self._stop_event is not None:
            self._stop_event.set()

    @property
    def unit(self) -> from_lsp.Encoding:
        """What columns count in this connection."""
        return from_lsp.encoding(self.server_capabilities.position_encoding)

    def sources(self) -> Sources:
        """The texts that offsets in reports refer to."""
        return Sources(Overlay(self.documents.contents(), DiskFiles()))

    def use_options(self, value: object) -> None:
        """Takes settings from the editor; what is wrong in them is told and left out."""
        self.options = read_options(value)
        for problem in self.options.problems:
            _LOG.warning("%s", problem)
            self.window_log_message(to_lsp.log(f"warpcost: {problem}"))

    def analyse_all(self) -> None:
        """Settings or another file changed: every open document is analysed again."""
        for document in self.documents:
            self.scheduler.request(document.uri)

    def analyse_dependents(self, path: str) -> None:
        """Open documents that include `path` (or looked for it in vain) are analysed again."""
        for document in self.documents:
            known = self.scheduler.known(document.uri)
            if known is not None and document.path != path and path in known.answer.report.dependencies:
                self.scheduler.request(document.uri, DEBOUNCE)

    def diagnostics_of(self, document: Document, answer: Answer) -> list[types.Diagnostic]:
        found = squiggles(document.path, answer.report)
        return to_lsp.diagnostics(found, self.sources(), self.unit, document.uri)

    def _version(self, uri: str) -> int | None:
        document = self.documents.get(uri)
        return None if document is None else document.version

    async def _analyse(self, uri: str) -> Answer:
        document = self.documents.get(uri)
        assert document is not None, "the scheduler asks for open documents only"
        contents = self.documents.contents()
        job = Job(document.path, contents, self.options, self.last_good.get(uri))
        answer = await self.worker.run(job)
        if not answer.report.problems and document.path in contents:
            self.last_good[uri] = contents[document.path]
        return answer

    def _publish(self, uri: str, analysis: Analysis[Answer]) -> None:
        document = self.documents.get(uri)
        if document is None:
            return
        if from_lsp.pulls_diagnostics(self.client_capabilities):
            return
        items = self.diagnostics_of(document, analysis.answer)
        self.text_document_publish_diagnostics(to_lsp.publication(uri, analysis.version, items))


def make_server(worker: Worker[Job, Answer] | None = None) -> Server:
    """A server with its handlers; tests hand in a worker of their own."""
    server = Server(worker or Worker(analyse, warm_up))
    _bind_life(server)
    _bind_documents(server)
    _bind_requests(server)
    return server


def _bind_life(server: Server) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(ls: Server, params: types.InitializeParams) -> None:
        ls.use_options(params.initialization_options)

    @server.feature(types.INITIALIZED)
    async def initialized(ls: Server, _: types.InitializedParams) -> None:
        ls.worker.start()
        await _ask_for_options(ls)

    @server.feature(types.SHUTDOWN)
    def goodbye(ls: Server, *_: object) -> None:
        ls.said_goodbye = True

    @server.feature(types.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def configuration(ls: Server, params: types.DidChangeConfigurationParams) -> None:
        if not await _ask_for_options(ls):
            ls.use_options(from_lsp.own_section(params.settings))
            ls.analyse_all()


async def _ask_for_options(ls: Server) -> bool:
    """Fetches the editor's settings if it can be asked; whether it could."""
    if not from_lsp.answers_configuration(ls.client_capabilities):
        return False
    answers = await ls.workspace_configuration_async(to_lsp.configuration_request())
    if answers and answers[0] is not None:
        ls.use_options(answers[0])
        ls.analyse_all()
    return True


def _bind_documents(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_DID_OPEN)
    async def opened(ls: Server, params: types.DidOpenTextDocumentParams) -> None:
        item = params.text_document
        document = ls.documents.open(item.uri, item.version, encoded(item.text))
        ls.scheduler.request(item.uri)
        ls.analyse_dependents(document.path)

    @server.feature(types.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(ls: Server, params: types.DidChangeTextDocumentParams) -> None:
        item = params.text_document
        document = ls.documents.get(item.uri)
        if document is None:
            _LOG.warning("a change of %s, which is not open", item.uri)
            return
        text = from_lsp.edited(document.index, params.content_changes, ls.unit)
        ls.documents.change(item.uri, item.version, text)
        ls.scheduler.request(item.uri, DEBOUNCE)
        ls.analyse_dependents(document.path)

    @server.feature(types.TEXT_DOCUMENT_DID_SAVE)
    async def saved(ls: Server, params: types.DidSaveTextDocumentParams) -> None:
        # A header on the disk may have changed under any open document.
        ls.analyse_all()

    @server.feature(types.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(ls: Server, params: types.DidCloseTextDocumentParams) -> None:
        uri = params.text_document.uri
        ls.documents.close(uri)
        ls.last_good.pop(uri, None)
        ls.scheduler.forget(uri)
        if not from_lsp.pulls_diagnostics(ls.client_capabilities):
            ls.text_document_publish_diagnostics(to_lsp.publication(uri, None, []))


def _bind_requests(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_DIAGNOSTIC, to_lsp.diagnostic_options())
    async def pulled(ls: Server, params: types.DocumentDiagnosticParams) -> types.RelatedFullDocumentDiagnosticReport:
        uri = params.text_document.uri
        analysis = await ls.scheduler.latest(uri)
        document = ls.documents.get(uri)
        if analysis is None or document is None:
            return to_lsp.full_report([], None)
        return to_lsp.full_report(ls.diagnostics_of(document, analysis.answer), analysis.version)

    @server.feature(types.TEXT_DOCUMENT_HOVER)
    async def hovered(ls: Server, params: types.HoverParams) -> types.Hover | None:
        uri = params.text_document.uri
        analysis = await ls.scheduler.latest(uri)
        document = ls.documents.get(uri)
        if analysis is None or document is None or analysis.version != document.version:
            return None
        sources = ls.sources()

        def where(span: Span) -> str:
            line = sources.line(span)
            if span.file == document.path:
                return to_lsp.link(f"line {line}", uri, line)
            return to_lsp.link(f"{os.path.basename(span.file)}:{line}", to_lsp.uri_of(span.file), line)

        at = from_lsp.offset(document.index, params.position, ls.unit)
        card = hover(document.path, analysis.answer.report, analysis.answer.settings, at, where)
        return None if card is None else to_lsp.hover(card, document.index, ls.unit)


class ClientStream:
    """Standard output.  Once nobody reads it the server has no purpose and ends, instead of failing message by message."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream

    def write(self, data: bytes) -> None:
        try:
            self._stream.write(data)
            self._stream.flush()
        except (OSError, ValueError) as error:
            _LOG.error("the client is gone: %s", error)
            leave(1)

    def flush(self) -> None:
        """Every write is flushed already."""

    def close(self) -> None:
        self._stream.close()


def leave(status: int) -> NoReturn:
    """Ends the process at once: the thread that reads standard input cannot be interrupted, an orderly exit waits for it."""
    logging.shutdown()
    os._exit(status)


def main(log_file: str | None = None) -> NoReturn:
    """Serves over standard input and output until the client leaves; status 0 if it said goodbye (`shutdown`)."""
    handler = logging.FileHandler(log_file) if log_file else logging.StreamHandler(sys.stderr)
    form = "%(asctime)s %(name)s %(levelname)s %(message)s"
    logging.basicConfig(level=logging.WARNING, format=form, handlers=[handler], force=True)
    logging.getLogger("pygls").setLevel(logging.WARNING)
    server = make_server()
    server.start_io(stdout=cast(BinaryIO, ClientStream(sys.stdout.buffer)))
    leave(0 if server.said_goodbye else 1)
