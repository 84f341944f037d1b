"""The state of one connection: documents, settings, what is known of each document, and who analyses when."""

from __future__ import annotations

import asyncio
import codecs
import contextlib
import logging
import os
from collections.abc import Callable, Collection
from dataclasses import replace
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer

from analysis_core.report.code_spans import harmless
from analysis_core.report.findings.model import FileReport
from analysis_core.support.files import MemoryFiles
from analysis_core.support.sources import Sources
from analysis_core.support.version import VERSION
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span
from analysis_core.workspace.disk import DiskFiles
from analysis_core.workspace.project import Folders, Scan
from lsp_server import from_lsp, to_lsp
from lsp_server.analyse import AtKernel, Job
from lsp_server.answers import Answer, Parts, Stage
from lsp_server.documents import Document, Documents, path_of
from lsp_server.encoding import Encoding
from lsp_server.features.diagnostics import squiggles
from lsp_server.held import Held
from lsp_server.idle import Idle, scanned
from lsp_server.options import Display, EditorOptions, read_options
from lsp_server.project import SETTLE, Project, Scans
from lsp_server.protocol import Protocol
from lsp_server.scheduler import DEBOUNCE, Analysis, Scheduler
from lsp_server.shapes import Shapes
from lsp_server.since_commit import SinceCommit
from lsp_server.status import Status
from lsp_server.text_changes import Unread, suspect
from lsp_server.view import Known, View, place_text
from lsp_server.worker import Worker, WorkerBroke, WorkerFailed

if TYPE_CHECKING:
    from analysis_core.report.cards import Card
    from lsp_server.offered import Offered

_LOG = logging.getLogger("warpcost.server")

SOON = 0.5
"""Seconds that a request for lenses or hints waits for the present analysis, where the client can be told to ask again.  Editors show what
other servers say only once all have answered."""


@dataclass(frozen=True, slots=True)
class Told:
    """The diagnostics of a document that were made last, of which of its revisions, and from how much of an answer."""

    revision: int
    stage: Stage
    items: list[types.Diagnostic]

    def says_no_more_than(self, told: Told | None) -> bool:
        """Whether a better answer about the same text, or one more that is not whole, has brought nothing new."""
        if told is None or told.revision != self.revision or told.items != self.items:
            return False
        return told.stage < self.stage or told.stage == self.stage < Stage.BOUNDS


class Server(LanguageServer):
    """The language server's state that all handlers share."""

    def __init__(self, worker: Worker[Job, Answer]) -> None:
        # These threads only feed standard input.
        super().__init__("warpcost", VERSION, protocol_cls=Protocol, max_workers=2)
        self.documents = Documents()
        self.settings_texts = Documents()  # settings files that are open, which are not analysed
        if isinstance(self.protocol, Protocol):
            self.protocol.texts = lambda: self.documents.last_revision
            self.protocol.before = self._look_for_losses
        self.last_good: dict[str, bytes] = {}  # by URI: the text that was last read without problems
        self.told: dict[str, Told] = {}  # by URI
        self.held = Held()
        self.whole: dict[str, Known] = {}  # by URI: the last answer to which nothing was lacking
        self.owed: set[str] = set()  # URIs whose lenses or hints were asked for and are not the present ones
        self.looked_at: dict[str, int] = {}  # by URI: the byte that the last card was about
        self.told_of_settings: dict[str, FileReport] = {}  # by path: what was last said of a settings file
        self.offered: Offered | None = None
        self.tried: tuple[Answer, frozenset[tuple[str, int, int]], FileReport] | None = None  # what was asked for last
        self.options = EditorOptions()
        self.options_of_folder: dict[str, EditorOptions] = {}  # by the folder's path, where the editor has such
        self.shows_lenses = False
        self.links = True  # whether places on cards are links
        self.said_goodbye = False
        self.last_message: Callable[[], bytes] = bytes  # the body that was read last
        self.has_lost: Callable[[], bool] = bool  # whether something came that belongs to no message
        self.worker = worker
        self.parts = Parts()
        self.avoided: dict[bytes, str] = {}  # kernels whose analysis ended the process, and how
        self.news: list[tuple[frozenset[str], bool]] = []  # files that changed since the analysis that runs began
        self.status = Status(self._notify)
        self.project = Project()
        self.scans = Scans(self.scan, self.use_scan, self.workspace_folders)
        self.scheduler: Scheduler[Known] = Scheduler(
            self._version,
            self._analyse,
            self._publish,
            worker.give_up,
            worker.overtake,
            self._failed,
            self.status.busy,
            self._read_ahead,
        )
        self.since = SinceCommit(Idle(self.scheduler, worker, "the last commit"), self._refresh_beside)
        self.shapes = Shapes(Idle(self.scheduler, worker, "another block"))

    def forget(self, uri: str, document: Document | None) -> None:
        """Forgets a document that was closed. Documents that may include it are read again."""
        self.last_good.pop(uri, None)
        self.told.pop(uri, None)
        self.held.forget(uri)
        self.since.forget(uri)
        self.shapes.forget(uri)
        self.whole.pop(uri, None)
        self.owed.discard(uri)
        self.looked_at.pop(uri, None)
        self.status.closed(uri)
        self.scheduler.forget(uri)
        if document is not None:
            self.analyse_dependents({document.path}, come=True)
            self.look_at()
            self.scans.again()
        if not from_lsp.pulls_diagnostics(self.client_capabilities):
            self.text_document_publish_diagnostics(to_lsp.publication(uri, None, []))

    def lose(self, why: Unread) -> None:
        """Closes a document that may not match the editor's text any more (all, if nobody knows which), and tells the user."""
        open_ones = [document.uri for document in self.documents]
        lost = open_ones if why.uri is None else [] if self.documents.is_lost(why.uri) else [why.uri]
        for uri in lost:
            document = self.documents.get(uri)
            self.documents.lose(uri)
            self.forget(uri, document)
            name = os.path.basename(path_of(uri))
            text = f"{name} is not analysed any more, since its text may differ from the editor's ({why}): close it and open it again"
            self.status.failed(uri, text)
            self.window_show_message(to_lsp.warning(f"warpcost: {text}"))
        if lost:
            _LOG.error("out of step (%s): %s", why, ", ".join(lost))
            self.status.tell()
            self._refresh_diagnostics()
            self._refresh_beside()

    def _look_for_losses(self) -> None:
        if self.has_lost():
            self.lose(Unread("something came that belongs to no message"))

    # pygls's default sends the error to the client, which recurses when the client is what failed.
    def report_server_error(self, error: Exception, source: object) -> None:
        """Logs errors of the connection and of handlers; a client that sends no JSON is told so."""
        _LOG.error("%s: %s", getattr(source, "__name__", source), error, exc_info=error)
        if not isinstance(self.protocol, Protocol):
            return
        self.protocol.unreadable(error)
        lost = suspect(self.last_message()) if source is JsonRpcException and self.protocol.is_ready else None
        if lost is not None:
            self.lose(lost)

    def shutdown(self) -> None:
        """Ends the worker with the connection.

        pygls's own would wait for the thread that reads standard input, which a client may keep open after `exit`."""
        self.scans.stop()
        self.scheduler.stop()
        self.worker.close()
        if self._stop_event is not None:
            self._stop_event.set()

    @property
    def unit(self) -> Encoding:
        """The unit in which this client counts columns."""
        return from_lsp.encoding(self.server_capabilities.position_encoding)

    @property
    def display(self) -> Display:
        """What is shown in this editor."""
        return self.options.display.for_editor(self.shows_lenses)

    def sources(self) -> Sources:
        """The texts as they are now."""
        return Sources(MemoryFiles(self.documents.contents(), DiskFiles()))

    # --- settings -----------------------------------------------------------------------------------------------

    def use_options(self, value: object, folder: str | None = None) -> None:
        """Takes settings from the editor, of a workspace folder if one is named; what is wrong in them is told and left out."""
        options = read_options(value)
        if folder is None:
            self.options = options
        else:
            self.options_of_folder[folder] = options
        for problem in options.problems:
            _LOG.warning("%s", problem)
            self.window_log_message(to_lsp.log(f"warpcost: {problem}"))
        everywhere = (self.options, *self.options_of_folder.values())
        self.status.settings_wrong(any(one.problems for one in everywhere))

    def options_for(self, path: str) -> EditorOptions:
        """The editor's settings for a file: those of the innermost workspace folder around it."""
        around = [f for f in self.options_of_folder if path == f or path.startswith(f.rstrip("/") + "/")]
        return self.options_of_folder[max(around, key=len)] if around else self.options

    # --- analyses -----------------------------------------------------------------------------------------------

    def analyse_all(self) -> None:
        """Settings or another file changed: every open document is analysed again."""
        for document in self.documents:
            self.scheduler.request(document.uri)

    def analyse_dependents(self, paths: Collection[str], come: bool = False) -> None:
        """Analyses open documents again that depend on these files: those that include one of them or looked for it in
        vain, and, once nobody types, those beside one that may belong to the same program. `come`: the files may be
        new."""
        if self.scheduler.running is not None:
            self.news.append((frozenset(paths), come))
        for document in self.documents:
            known = self.scheduler.known(document.uri)
            if known is not None:
                self._analyse_if_dependent(document, known.answer.answer.report, paths, come)

    def _analyse_if_dependent(self, document: Document, report: FileReport, paths: Collection[str], come: bool) -> None:
        others = set(paths) - {document.path}
        if not others.isdisjoint(report.dependencies):
            self.scheduler.request(document.uri, DEBOUNCE)
        elif report.is_by(others, come):
            self.scheduler.request(document.uri, SETTLE)

    def look_at(self, document: Document | None = None) -> None:
        """Reads the includes of a document that was opened or changed (None: one is gone). Documents that are now read
        through other units are analysed again."""
        if self.project.look_at(self.documents, document):
            self._use_units()

    def use_scan(self, found: Scan) -> None:
        """Takes over which files of the project include which."""
        self.project.scanned(found, self.documents)
        self.status.scanned(found.left_out)
        self._use_units()

    def _use_units(self) -> None:
        """Documents that are to be read through other files than before are analysed again."""
        for document in self.documents:
            if self.project.has_moved(document.path):
                self.scheduler.request(document.uri, DEBOUNCE)

    def workspace_folders(self) -> list[str]:
        """The paths of the editor's folders."""
        root = self.workspace.root_uri  # from clients that know of no folders
        return [path_of(uri) for uri in self.workspace.folders or ([root] if root else [])]

    async def scan(self, folders: Folders) -> Scan | None:
        """Looks through the project as soon as nothing else is to be done; None if that failed."""
        return await scanned(self.scheduler, self.worker, lambda: Job("", {}, self.options, scan=folders))

    async def present(self, uri: str) -> View | None:
        """Waits for the last answer about the present text; None if there is none."""
        analysis, document = await self.scheduler.latest(uri, whole=True), self.documents.get(uri)
        return None if analysis is None or document is None else View.of(document, analysis.answer)

    async def soon(self, uri: str, whole: bool, refreshed: bool) -> View | None:
        """Waits for an answer about the present text (`whole`: with bounds): briefly, if the client can be told to ask again (`refreshed`);
        then gives the best that is known, None if that is nothing."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self.scheduler.latest(uri, whole), SOON if refreshed else None)
        document, analysis = self.documents.get(uri), self.scheduler.known(uri)
        if document is None:
            return None
        if analysis is not None and analysis.version == document.revision and (analysis.whole or not whole):
            return View.of(document, analysis.answer)
        self.owed.add(uri)
        latest = None if analysis is None else analysis.answer
        last_whole = self.whole.get(uri)
        known = last_whole if whole or latest is None or latest.answer.stage is Stage.SOME else latest
        return None if known is None else View.of(document, known)

    def about(self, data: object) -> tuple[View, int] | None:
        """What an unresolved lens or hint is about: the answer that it was made from, if that is still known, and a byte of its text."""
        found = from_lsp.reference(data)
        document = None if found is None else self.documents.get(found[0])
        if found is None or document is None:
            return None
        uri, revision, at = found
        analysis = self.scheduler.known(uri)
        for known in (None if analysis is None else analysis.answer, self.whole.get(uri)):
            if known is not None and known.revision == revision:
                return View.of(document, known), at
        return None

    async def fixed(self, document: Document, answer: Answer, at: tuple[int, int], menu: bool) -> FileReport:
        """The whole report, with the fixes, each tried, of what lies between two bytes (`menu`: all refactorings, too); without them if the text has changed."""
        from lsp_server.features.code_actions import fixable

        whole = self.parts.whole(answer)
        wanted = fixable(document.path, whole, document.index, *at, menu)
        if self.tried is not None and self.tried[0] is answer and self.tried[1] == wanted:
            return self.tried[2].fixes_in(whole)
        found = await self._apart(replace(self._job(document), fix=wanted)) if wanted else None
        if found is None or self.documents.get(document.uri) is not document:
            return whole
        self.tried = answer, wanted, found.report
        return found.report.fixes_in(whole)

    def text_of(self, path: str) -> bytes | None:
        """The text of a file as an editor has it, without a byte order mark; None where there is none."""
        data = MemoryFiles(self.documents.contents(), DiskFiles()).read(path)
        return None if data is None else data.removeprefix(codecs.BOM_UTF8)

    async def printed(
        self, document: Document, stage: tuple[str, str | None] | None, line: int = 0, shapes: Span | None = None
    ) -> str | None:
        """What `warpcost explain` prints: a stage (of a kernel), or answers about a line (from 1); or `advise` of one; None after an edit."""
        found = await self._apart(replace(self._job(document), stage=stage, why=line, shapes=shapes))
        return None if found is None else found.text

    async def _apart(self, job: Job) -> Answer | None:
        try:
            return await self.scheduler.apart(lambda: self.worker.run(job))
        except WorkerFailed as error:
            _LOG.error("a request was not answered: %s", error)
            return None

    def _job(self, document: Document) -> Job:
        contents = self.documents.contents()
        options = self.options_for(document.path)
        good = self.last_good.get(document.uri)
        units = self.project.units(document.path)
        known = self.scheduler.known(document.uri)
        early = known is None or known.answer.answer.stage is Stage.SOME
        sent, folders = self.parts.numbers, tuple(sorted(self.workspace_folders()))
        return Job(
            document.path, contents, options, good, sent, dict(self.avoided), units=units, early=early, folders=folders
        )

    def _version(self, uri: str) -> int | None:
        document = self.documents.get(uri)
        return None if document is None else document.revision

    async def _analyse(self, uri: str, partly: Callable[[Known], None]) -> Known:
        document = self.documents.get(uri)
        assert document is not None, "the scheduler asks for open documents only"

        job = self._job(document)
        self.news.clear()

        def taken(answer: Answer) -> Known:
            if (
                not answer.report.problems and answer.stage > Stage.SOME
            ):  # The first look at a file sees only some of it.
                self.last_good[uri] = document.data
            known = Known(self.parts.take(answer, self._parts_in_use(uri)), document.index, document.revision)
            if answer.stage is Stage.BOUNDS:
                self.whole[uri] = known
            return known

        def at(what: object) -> None:
            if isinstance(what, AtKernel):
                self.status.at(os.path.basename(what.path), what.name)

        try:
            return taken(await self.worker.run(job, lambda answer: partly(taken(answer)), at))
        except WorkerBroke as broke:
            keys = {what.key for what in broke.at if isinstance(what, AtKernel)}
            names = {what.name for what in broke.at if isinstance(what, AtKernel)}
            if len(keys) != 1 or keys <= self.avoided.keys():
                raise
            _LOG.error("kernel %s is left out: %s", *names, broke)
            self.avoided |= dict.fromkeys(keys, str(broke))
            return taken(await self.worker.run(self._job(document), lambda answer: partly(taken(answer)), at))

    async def _read_ahead(self, uri: str) -> None:
        document = self.documents.get(uri)
        if document is None or self.scheduler.known(uri) is None or self.project.units(document.path):
            return  # What nobody has seen yet is analysed without a wait.
        try:
            await self.worker.run(replace(self._job(document), ahead=True), again=False)
        except WorkerFailed as error:
            _LOG.warning("a file was not read ahead: %s", error)

    def _parts_in_use(self, apart_from: str) -> frozenset[bytes]:
        known = (self.scheduler.known(document.uri) for document in self.documents if document.uri != apart_from)
        used = [*(analysis.answer for analysis in known if analysis), *self.whole.values()]
        return frozenset(part.number for one in used for part in one.answer.parts)

    # --- what is told -------------------------------------------------------------------------------------------

    def diagnostics_of(self, document: Document, answer: Answer) -> list[types.Diagnostic]:
        """What is underlined in a document."""
        found = squiggles(document.path, answer.report)
        return to_lsp.diagnostics(found, self.sources(), self.unit, document.uri)

    def card(self, view: View, at: int) -> Card | None:
        """The card of what lies at a byte of the text that was analysed."""
        from analysis_core.report.cards import Card, hover

        sources, document, links = self.sources(), view.document, set[str]()

        def where(span: Span) -> str:
            text, line = place_text(sources, document, view.now(span))
            uri = document.uri if span.file == document.path else to_lsp.uri_of(span.file)
            links.add(link := to_lsp.link(text, uri, line))
            return link if self.links else text

        answer = view.known.answer
        report = self.parts.whole(answer, at)
        card = hover(document.path, report, answer.settings, at, where, bool(self.display.steps))
        if card is None:
            return None
        text = card.markdown + self.shapes.card(document.uri, view.known.revision, card.span)
        return Card(view.now(card.span), harmless(text, links))

    def look_at_shapes(self, document: Document) -> None:
        """Looks at the block shapes of the kernel that the user looks at, once nothing else is to be done."""
        analysis = self.scheduler.known(uri := document.uri)
        if self.display.block_shapes and analysis is not None and analysis.whole:
            self.shapes.look(document, analysis.answer, self._job(document), self.looked_at.get(uri))

    def _prepare_card(self, uri: str, analysis: Analysis[Known]) -> None:
        """Reads what the next card is likely made from, in two steps between which others are answered."""
        at, loop, answer = self.looked_at.get(uri), asyncio.get_running_loop(), analysis.answer.answer
        if at is None or not any(kernel.span.contains(at) for kernel in answer.report.kernels):
            return  # A card about none of them reads all.

        from analysis_core.report.cards import prepare

        def read() -> None:
            if self.scheduler.known(uri) is analysis:
                loop.call_soon(prepare, self.parts.whole(answer, at), answer.settings)

        loop.call_soon(read)

    def _refresh_beside(self) -> None:
        """Asks the client to ask again for lenses and hints."""
        if from_lsp.refreshes_lenses(self.client_capabilities):
            self.workspace_code_lens_refresh(None)
        if from_lsp.refreshes_hints(self.client_capabilities):
            self.workspace_inlay_hint_refresh(None)

    def _refresh_diagnostics(self) -> None:
        """Asks a client that asks for diagnostics to ask again."""
        if from_lsp.pulls_diagnostics(self.client_capabilities):
            self.workspace_diagnostic_refresh(None)

    def _tell_of_settings(self, project: FileReport | None) -> None:
        """Publishes what is wrong in a settings file, which no client opens with this server, where that has changed."""
        for path, told in list(self.told_of_settings.items()):
            if told.findings and not os.path.exists(path):
                self.told_of_settings[path] = FileReport(path, (), ())
                self.text_document_publish_diagnostics(to_lsp.publication(to_lsp.uri_of(path), None, []))
        if project is None or self.told_of_settings.get(project.path, FileReport(project.path, (), ())) == project:
            return
        self.told_of_settings[project.path] = project
        uri = to_lsp.uri_of(project.path)
        items = to_lsp.diagnostics(squiggles(project.path, project), self.sources(), self.unit, uri)
        self.text_document_publish_diagnostics(to_lsp.publication(uri, None, items))

    def _publish(self, uri: str, analysis: Analysis[Known]) -> None:
        document = self.documents.get(uri)
        if document is None:
            return
        answer = analysis.answer.answer
        self._tell_of_settings(answer.project)
        self.status.worked(uri, answer.report.failure)
        told, now = self.told.get(uri), Told(analysis.version, answer.stage, self.diagnostics_of(document, answer))
        self.told[uri] = now
        if uri in self.owed or (told is not None and told.revision == now.revision):
            self._refresh_beside()  # The client does not know that there is something new.
        if analysis.whole:
            self.owed.discard(uri)
        if not from_lsp.pulls_diagnostics(self.client_capabilities):
            if not now.says_no_more_than(told):
                self.text_document_publish_diagnostics(to_lsp.publication(uri, document.version, now.items))
        elif self.held.is_behind(uri, now.revision, now.items):
            self._refresh_diagnostics()
        self._prepare_card(uri, analysis)
        if analysis.whole:  # What it was to depend on was not known while it ran.
            if self.display.since_commit:
                self.since.look(uri, analysis.answer, self._job(document))
            self.look_at_shapes(document)
            for paths, come in self.news:
                self._analyse_if_dependent(document, answer.report, paths, come)

    def _failed(self, uri: str, error: Exception) -> None:
        document = self.documents.get(uri)
        name = uri if document is None else os.path.basename(document.path)
        self.status.failed(uri, f"{name} could not be analysed: {error}")

    def _notify(self, method: str, value: object) -> None:
        self.protocol.notify(method, value)
