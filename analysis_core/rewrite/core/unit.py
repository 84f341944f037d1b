"""A file as refactorings read it: its text, tree and kernels, and, once somebody asks, what the analysis says of a kernel."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from analysis_core.interp.core.events import Events
from analysis_core.interp.interpret import interpret
from analysis_core.ir.nodes import IrModule, Kernel
from analysis_core.pipeline.checked_fixes import Place
from analysis_core.pipeline.pipeline import analyse_file, load
from analysis_core.program.launch import Launch, choose_launches
from analysis_core.report.findings.model import Edit, KernelReport
from analysis_core.report.fixes.edits import applied
from analysis_core.support.files import MemoryFiles
from analysis_core.support.sources import Sources
from analysis_core.syntax.read.tree import FunctionDecl, SyntaxTree
from analysis_core.text.line_index import LineIndex
from analysis_core.text.source import SourceText
from analysis_core.text.span import FileId, Span


class Unit:
    """One text.  Everything is found out once, at the first question.  `alive`: called between steps, each of which takes a few seconds at most."""

    def __init__(self, place: Place, alive: Callable[[], None] = lambda: None) -> None:
        self.place, self.alive = place, alive
        self.sources = Sources(place.files)
        self.file = FileId(place.path)
        self.index: LineIndex = self.sources.index(self.file)
        self.text: bytes = self.index.data
        self.transcoded = SourceText.from_bytes(self.file, place.files.read(place.path) or b"").transcoded
        loaded: tuple[SyntaxTree, IrModule] = load(
            place.path, place.files, place.settings, units=place.units, store=place.store
        )
        self.tree, self.module = loaded
        self._reports: dict[str, tuple[KernelReport, ...]] = {}
        self._events: dict[tuple[Span, str | None, Launch], Events] = {}
        self._edited: tuple[tuple[Edit, ...], Unit] | None = None

    def kernels(self) -> Iterator[tuple[Kernel, FunctionDecl]]:
        """Kernels that stand in the file itself, with their declarations; each instantiation of a template by itself."""
        declared = {
            d.name_span: d for d in self.tree.declarations if isinstance(d, FunctionDecl) and d.body is not None
        }
        for kernel in self.module.kernels:
            if kernel.name_span.file == self.file and kernel.name_span in declared:
                yield kernel, declared[kernel.name_span]

    def named(self, name: str) -> Kernel | None:
        """The first kernel of that name, or instantiation."""
        return next((k for k in self.module.kernels if name in (k.name, k.instantiation)), None)

    def reports(self, name: str) -> tuple[KernelReport, ...]:
        """What `check` says of the kernels of a name (all instantiations, or the one that is named), with bounds and races."""
        if name not in self._reports:
            self.alive()
            place = self.place
            report = analyse_file(
                place.path, place.files, place.settings, kernel=name, units=place.units, store=place.store
            )
            self._reports[name] = report.kernels
        return self._reports[name]

    def reported(self, kernel: Kernel) -> KernelReport | None:
        """What it says of one kernel."""
        found = (one for one in self.reports(kernel.name) if one.name_span == kernel.name_span)
        return next((one for one in found if one.instantiation == kernel.instantiation), None)

    def launches(self, kernel: Kernel) -> tuple[Launch, ...]:
        return choose_launches(kernel, self.place.settings)

    def events(self, kernel: Kernel, launch: Launch) -> Events:
        key = kernel.name_span, kernel.instantiation, launch
        if key not in self._events:
            self._events[key] = interpret(kernel, launch, self.place.settings)
        return self._events[key]

    def line(self, span: Span) -> int:
        """The line, from 1, on which a span of the file begins."""
        return self.index.line_of(span.start)

    def spelled(self, span: Span) -> str:
        """The user's text of a span."""
        return self.text[span.start : span.end].decode("utf-8", "surrogateescape")

    def edited(self, edits: tuple[Edit, ...]) -> Unit:
        """The unit after edits of this file that do not overlap.  The last one is kept."""
        if self._edited is not None and self._edited[0] == edits:
            return self._edited[1]
        text = self.text
        for edit in sorted(edits, key=lambda one: (-one.span.start, -one.span.end)):
            text = applied(text, edit)
        place = self.place
        files = MemoryFiles({place.path: text}, place.files)
        made = Unit(Place(place.path, files, place.settings, place.units, place.store))
        self._edited = (edits, made)
        return made
