"""Binds protocol methods to features; holds no logic of its own.

Time is the scheduler's (scheduler.py), computing the worker's (worker.py), values are made in from_lsp.py and
to_lsp.py.  Handlers are short and on the event loop; none runs in a thread, since pygls reads standard input through
the same threads.  Standard output is the protocol: logs go to standard error or a file.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from typing import BinaryIO, NoReturn, cast

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from analysis_core.cli.disk import DiskFiles
from analysis_core.report.model import FileReport
from analysis_core.text.sources import Sources
from analysis_core.text.span import Span
from lsp_server import from_lsp, to_lsp
from lsp_server.analyse import Answer, Job, analyse, warm_up
from lsp_server.documents import Document, Documents, Overlay, encoded
from lsp_server.features.code_actions import actions
from lsp_server.features.code_lens import lens_line, lens_places
from lsp_server.features.diagnostics import squiggles
from lsp_server.features.hover import Card, hover
from lsp_server.features.inlay_hints import Inlay, inlays, kernel_inlays
from lsp_server.options import Display, EditorOptions, read_options
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
        self.told: dict[str, int] = {}  # by URI: the version that the last answer was about
        self.told_of_settings: dict[str, FileReport] = {}  # by path: what was last said of a settings file
        self.options = EditorOptions()
        self.shows_lenses = False
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

    @property
    def display(self) -> Display:
        """What is shown in this editor."""
        return self.options.display.for_editor(self.shows_lenses)

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

    async def present(self, uri: str) -> tuple[Document, Answer] | None:
        """A document with the answer for its present version, awaited; None if there is none."""
        analysis = await self.scheduler.latest(uri)
        document = self.documents.get(uri)
        if analysis is None or document is None or analysis.version != document.version:
            return None
        return document, analysis.answer

    def about(self, data: object) -> tuple[Document, Answer, int] | None:
        """What an unresolved lens or hint is about, if its text is still the present one."""
        found = from_lsp.reference(data)
        if found is None:
            return None
        uri, version, at = found
        document, known = self.documents.get(uri), self.scheduler.known(uri)
        if document is None or known is None or not version == document.version == known.version:
            return None
        return document, known.answer, at

    def card(self, document: Document, answer: Answer, at: int) -> Card | None:
        """The card of what lies at a byte."""
        sources = self.sources()

        def where(span: Span) -> str:
            line = sources.line(span)
            if span.file == document.path:
                return to_lsp.link(f"line {line}", document.uri, line)
            return to_lsp.link(f"{os.path.basename(span.file)}:{line}", to_lsp.uri_of(span.file), line)

        return hover(document.path, answer.report, answer.settings, at, where, bool(self.display.steps))

    def plain_place(self, document: Document) -> Callable[[Span], str]:
        """Spells places where there are no links."""
        sources = self.sources()

        def where(span: Span) -> str:
            line = sources.line(span)
            return f"line {line}" if span.file == document.path else f"{os.path.basename(span.file)}:{line}"

        return where

    def refresh(self) -> None:
        """Asks the client to ask again for what it shows beside diagnostics."""
        if from_lsp.refreshes_lenses(self.client_capabilities):
            self.workspace_code_lens_refresh(None)
        if from_lsp.refreshes_hints(self.client_capabilities):
            self.workspace_inlay_hint_refresh(None)

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

    def _tell_of_settings(self, project: FileReport | None) -> None:
        """Publishes what is wrong in a settings file, which no client opens with this server, where that has changed."""
        if project is None or self.told_of_settings.get(project.path, FileReport(project.path, (), ())) == project:
            return
        self.told_of_settings[project.path] = project
        uri = to_lsp.uri_of(project.path)
        items = to_lsp.diagnostics(squiggles(project.path, project), self.sources(), self.unit, uri)
        self.text_document_publish_diagnostics(to_lsp.publication(uri, None, items))

    def _publish(self, uri: str, analysis: Analysis[Answer]) -> None:
        document = self.documents.get(uri)
        if document is None:
            return
        self._tell_of_settings(analysis.answer.project)
        if self.told.get(uri) == analysis.version:
            # Settings or another file changed, not this text: the client does not know that there is something new.
            self.refresh()
        self.told[uri] = analysis.version
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
    _bind_lenses(server)
    _bind_hints(server)
    return server


def _bind_life(server: Server) -> None:
    @server.feature(types.INITIALIZE)
    def initialize(ls: Server, params: types.InitializeParams) -> None:
        ls.shows_lenses = from_lsp.shows_lenses(params.capabilities, params.client_info)
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
        ls.told.pop(uri, None)
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
        now = await ls.present(params.text_document.uri)
        if now is None:
            return None
        document, answer = now
        card = ls.card(document, answer, from_lsp.offset(document.index, params.position, ls.unit))
        return None if card is None else to_lsp.hover(card, document.index, ls.unit)

    @server.feature(types.TEXT_DOCUMENT_CODE_ACTION, to_lsp.action_options())
    async def acted(ls: Server, params: types.CodeActionParams) -> list[types.CodeAction]:
        now = await ls.present(params.text_document.uri)
        if now is None:
            return []
        document, answer = now
        first, last = (from_lsp.offset(document.index, p, ls.unit) for p in (params.range.start, params.range.end))
        found = actions(document.path, answer.report, document.index, first, last)
        here = params.context.diagnostics
        return [to_lsp.code_action(a, document.index, ls.unit, document.uri, document.version, here) for a in found]


def _bind_lenses(server: Server) -> None:
    @server.feature(types.TEXT_DOCUMENT_CODE_LENS, to_lsp.lens_options())
    async def lensed(ls: Server, params: types.CodeLensParams) -> list[types.CodeLens]:
        now = await ls.present(params.text_document.uri) if ls.display.code_lens else None
        if now is None:
            return []
        document, answer = now
        spans = lens_places(document.path, answer.report)
        return [to_lsp.unresolved_lens(s, document.index, ls.unit, document.uri, document.version) for s in spans]

    @server.feature(types.CODE_LENS_RESOLVE)
    def lens_resolved(ls: Server, lens: types.CodeLens) -> types.CodeLens:
        about = ls.about(lens.data)
        if about is None:  # The text has changed since; the client is about to ask for new ones.
            return to_lsp.resolved_lens(lens, "warp: ...", None)
        document, answer, at = about
        where, steps = ls.plain_place(document), bool(ls.display.steps)
        line = lens_line(document.path, answer.report, answer.settings, at, where, steps)
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
        now = await ls.present(params.text_document.uri)
        if now is None:
            return []
        document, answer = now
        index, found = document.index, list[Inlay]()
        first, last = (from_lsp.offset(index, place, ls.unit) for place in (params.range.start, params.range.end))
        if ls.display.inlay_hints:
            found += inlays(document.path, answer.report, answer.settings, index, first, last)
        if ls.display.kernel_hint:
            where, steps = ls.plain_place(document), bool(ls.display.steps)
            lines = kernel_inlays(document.path, answer.report, answer.settings, index, where, steps)
            found += [inlay for inlay in lines if first <= inlay.offset <= last]
        return [to_lsp.inlay_hint(inlay, index, ls.unit, document.uri, document.version) for inlay in found]

    @server.feature(types.INLAY_HINT_RESOLVE)
    def hint_resolved(ls: Server, hint: types.InlayHint) -> types.InlayHint:
        about = ls.about(hint.data)
        return hint if about is None else to_lsp.with_tooltip(hint, ls.card(*about))


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
