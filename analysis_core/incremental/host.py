"""The report of a file that is being edited: the same as from scratch, made of what is left of the last one.

    text -> change -> parts that it touches -> kernels that rest on them -> these are read, lowered and analysed again

1. *Parts.*  Of the last text that was in order (the *base*) the top-level items are known, and which of them each kernel
   rests on (outline.py).  A kernel whose key is unchanged keeps its entry, moved along with its text.
2. *Reading.*  If the change lies inside of one function, only what the touched kernels rest on is read (reduced.py), and nothing
   if it changes no token (respaced.py).  Otherwise the whole file is read, which finds headers and items that are the same in the store.
3. *Meaning.*  A kernel that has been lowered again is looked up by the fingerprint of its IR (kernels.py): after an edit of a
   comment, after an undo, or of a text that moved, nothing is interpreted.
4. *Steps.*  The kernel that was changed comes first (analysing.py).  Where nothing is shown yet, two kernels are shown before the others are
   read; where some are not known yet, those that are and what an edit touches.  Facts come first, bounds after them, and so do new names of trip counts that moved by a line; each time the report of the file is put together anew.

Invariant, held by tests/properties/test_incremental.py: after any edits the report equals that of `pipeline.analyse_file` on
the same text, with the same last good text.  One host serves one process; its store holds all that is kept.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from analysis_core.incremental.analysing import MORE, Analysing, Read, Result
from analysis_core.incremental.asked import Asked
from analysis_core.incremental.entry import Entry
from analysis_core.incremental.kernels import Working
from analysis_core.incremental.layout import LAYOUTS, LONG, Layout, layout_of, padded_beside
from analysis_core.incremental.outline import Outline, Part, first_kernels, outline_of
from analysis_core.incremental.places import Moved, Shift
from analysis_core.incremental.reduced import completed, macro_words, reduction
from analysis_core.incremental.respaced import respaced
from analysis_core.ir.launch_site import LaunchSite
from analysis_core.ir.nodes import IrModule, Kernel
from analysis_core.lower.relowering import Bodies
from analysis_core.pipeline.pipeline import describe_failure, load_through, log_bug
from analysis_core.program.lower import AllLaunches, all_launches_of, is_crowd, lower
from analysis_core.program.other_files import joined, still
from analysis_core.report.checks.not_analysed import unreadable
from analysis_core.report.findings.model import FileReport
from analysis_core.support.files import MemoryFiles, Snapshot
from analysis_core.support.interrupts import Cancelled
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources
from analysis_core.support.store import LONG as STATEMENTS
from analysis_core.support.store import Stage, Store
from analysis_core.syntax.lex.preprocessor_account import Spent
from analysis_core.syntax.parse import ParsedUnit, is_cut_off, parse_some, parse_unit
from analysis_core.syntax.read.tree import FunctionDecl, SyntaxTree
from analysis_core.syntax.siblings import joint_of
from analysis_core.text.change import change_between
from analysis_core.text.records import dataclass
from analysis_core.text.span import FileId

_EARLIER = 2
"""Texts of a file before that one that are kept as well: an undo leads back to one of them."""

_BEFORE = 2
"""Kernels that are shown before the others are even read."""


@dataclass(frozen=True, slots=True, eq=False)
class _Base:
    """The last text of a file that was in order, with what is known of it: `read` has its kernels as entries alone."""

    text: bytes
    meaning: str
    outline: Outline
    read: Read


BASES: Stage[str, tuple[_Base, ...]] = Stage("texts in order", 24)
"""By file, the last texts that were in order, the last one first."""


_TEXTS: Stage[str, tuple[bytes, int | None]] = Stage("texts", 24)
"""By file, the text that was analysed last, and where it differed from that before."""


@dataclass(frozen=True, slots=True, eq=False)
class _Ahead:
    """What was read before its analysis was asked for, of which text and beside which base."""

    path: str
    data: bytes
    last_good: bytes | None
    meaning: str
    base: _Base
    read: Read

    def is_of(self, ask: Asked, data: bytes | None, meaning: str, base: _Base | None) -> bool:
        """Whether it would be read the same now, from the same files."""
        same = (self.path, self.data, self.last_good, self.meaning) == (ask.path, data, ask.last_good, meaning)
        return same and self.base is base and not ask.units


class Host:
    """Analyses files again and again; see above.  `part`: of the room of the store; `long`: lines from which on a kernel is laid out."""

    def __init__(self, part: float = 1.0, long: int = LONG) -> None:
        self.store = Store(part, min(long, STATEMENTS))
        self._long = long
        self._ahead: _Ahead | None = None

    def forget(self, path: str) -> None:
        """Forgets a file that was closed."""
        self.store.drop(BASES, path)
        self.store.drop(LAYOUTS, path)
        self.store.drop(_TEXTS, path)

    def analyse(self, ask: Asked) -> Iterator[Result]:
        """The reports of a file as it is now, each better than the one before; the last one is the report of a fresh
        analysis. Raises nothing unless `ask.strict`, except `Cancelled` if that was asked for."""
        laid, layout = self._laid_out(replace(ask, files=Snapshot(ask.files)))
        for result in self._analyse(laid):
            yield result if layout is None else _put_back(result, layout)

    def read_ahead(self, ask: Asked) -> None:
        """Reads a file that will be analysed soon, if it was analysed before, so that the analysis finds it read.
        Raises only `Cancelled`, if that was asked for; errors are met again and told by the analysis."""
        laid, _ = self._laid_out(replace(ask, files=Snapshot(ask.files)))
        data, meaning = laid.files.read(laid.path), repr(laid.settings)
        bases = self._bases_of(laid.path, meaning)
        self._ahead = None
        if not bases or data is None or laid.units:
            return
        try:
            read = self._read_beside(laid, data, bases) or self._read_all(laid, meaning, bases[0])
        except Exception:  # The analysis meets it again, and tells it.
            return
        self._ahead = _Ahead(laid.path, data, laid.last_good, meaning, bases[0], read)

    def _laid_out(self, ask: Asked) -> tuple[Asked, Layout | None]:
        """The same about the text laid out, and its layout, if it has one."""
        data = ask.files.read(ask.path)
        layout = None if data is None or ask.units else layout_of(ask.path, data, self._long, self.store)
        if layout is None:
            return ask, None
        good = None if ask.last_good is None else padded_beside(ask.path, ask.last_good, layout, self.store)
        return replace(ask, files=MemoryFiles({ask.path: layout.padded}, ask.files), last_good=good), layout

    def _analyse(self, ask: Asked) -> Iterator[Result]:
        path, data = ask.path, ask.files.read(ask.path) or b""
        work = Working(ask, ask.settings, repr(ask.settings), self.store)
        near = self._near(path, data)
        analysing = Analysing(
            path, work, Sources(ask.files), near, lambda read, known: self._keep(path, data, work, read, known)
        )
        base = next(iter(self._bases_of(path, work.meaning)), None)
        unseen = ask.early and (base is None or not base.read.kept)
        # Where a text was only read, one kernel is found out, too, whatever is typed meanwhile.
        ask.interrupts.patient = unseen and base is not None
        try:
            read, part = self._read(ask, work.meaning), None
            if read is not None and read.lacking and ask.early and (read.kept or read.lowered):
                part = analysing.part(read)
            ask.interrupts.patient = False
            if part is not None:
                yield part
            elif unseen and (read is None or read.lacking):
                yield from self._first_look(ask, analysing)
            if read is not None and read.lacking:
                read, base = None, self._bases_of(path, work.meaning)[0]
            if read is None:
                first = unseen and part is None
                read = self._read_first(ask, data, work, base) if first else self._read_all(ask, work.meaning, base)
        except Exception as error:
            if ask.strict:
                raise
            self.forget(path)
            yield Result(unreadable(path, describe_failure(error)), (), True)
            return
        yield from analysing.whole(read)

    def _near(self, path: str, data: bytes) -> int | None:
        """Where the text was changed last."""
        known = self.store.last(_TEXTS, path)
        near = None if known is None else known[1]
        if known is not None and known[0] != data:
            near = change_between(known[0], data).start
        self.store.put(_TEXTS, path, (data, near))
        return near

    def _read(self, ask: Asked, meaning: str) -> Read | None:
        """What was read before the analysis was asked for, or can be read by what is known of the last texts; None if it has to be read as a
        whole."""
        data, bases = ask.files.read(ask.path), self._bases_of(ask.path, meaning)
        ahead, self._ahead = self._ahead, None
        if ahead is not None and ahead.is_of(ask, data, meaning, bases[0] if bases else None):
            if self._same_files(ahead.read, ask):
                return ahead.read
        return self._read_through(ask) if ask.units else self._read_beside(ask, data, bases)

    def _first_look(self, ask: Asked, analysing: Analysing) -> Iterator[Result]:
        """The first kernels of a file that nobody has seen yet, from what they rest on alone; none if another text overtakes this one."""
        try:
            yield from self._first_kernels(ask, analysing)
        except Cancelled:
            if ask.interrupts.asked:
                raise

    def _first_kernels(self, ask: Asked, analysing: Analysing) -> Iterator[Result]:
        parts = list[Part]()

        def chosen(unit: ParsedUnit) -> frozenset[int] | None:
            found = first_kernels(unit, analysing.work.meaning, _BEFORE, MORE, analysing.near)
            if found is None:
                return None
            parts[:] = found[0]
            return found[1]

        unit = parse_some(ask.path, ask.files, ask.settings, self.store, chosen)
        if unit is None:
            return
        unit = joined(unit, ask.files, ask.settings, self.store, ask.pause)
        with ask.interrupts.pure():
            module = _lowered(unit, ask.settings, parts, None)
        yield analysing.first_look(module.kernels, unit.tree)

    # --- reading ------------------------------------------------------------------------------------------------

    def _bases_of(self, path: str, meaning: str) -> tuple[_Base, ...]:
        return tuple(base for base in self.store.last(BASES, path) or () if base.meaning == meaning)

    def _read_beside(self, ask: Asked, data: bytes | None, bases: Sequence[_Base]) -> Read | None:
        """The file by what is known of its last texts; None if it has to be read as a whole."""
        read = self._known(ask, data, bases[1:])
        if read is None and bases and data is not None and self._same_files(bases[0].read, ask):
            read = self._respaced(ask, data, bases[0]) or self._read_part(ask, data, bases[0])
        return read

    def _same_files(self, read: Read, ask: Asked) -> bool:
        """Whether all that it was read with is as it was, the file itself apart, and other files say the same of it."""
        same = all(ask.files.read(other) == contents for other, contents in read.others.items())
        return same and still(read.joint, read.tree, ask.files, ask.settings, self.store, ask.pause)

    def _known(self, ask: Asked, data: bytes | None, earlier: Sequence[_Base]) -> Read | None:
        """A text that the file had before, if it reads now as it read then, and all its kernels are known."""
        whole = (base for base in earlier if base.text == data and not base.read.lacking)
        found = next((base for base in whole if self._same_files(base.read, ask)), None)
        if found is None or (ask.last_good is not None and is_cut_off(ask.last_good, found.text)):
            return None
        self.store.note("read", ask.path, reused=True)
        return found.read

    def _respaced(self, ask: Asked, data: bytes, base: _Base) -> Read | None:
        """The file, if only comments and white space in one function differ from the base."""
        if ask.last_good not in (None, base.text) or base.read.lacking:
            return None
        last, file = base.read, FileId(ask.path)
        spent = last.spent.after(len(data) - len(base.text))
        placed = any(problem.span is not None and problem.span.file == file for problem in last.tree.problems)
        if last.rejected or placed or not spent.is_as_part(0):
            return None
        found = respaced(base.outline, base.text, data, ask.path, self.store)
        if found is None:
            return None
        self.store.note("read", ask.path, reused=True)
        kept = {
            k: tuple(
                replace(entry.by(found.shift), quotes=entry.quotes and k not in found.quoting) for entry in entries
            )
            for k, entries in last.kept.items()
        }
        launched = {k: one.by(found.shift) for k, one in last.sites.items()}
        return replace(last, outline=found.outline, spent=spent, kept=kept, sites=launched)

    def _read_part(self, ask: Asked, data: bytes, base: _Base) -> Read | None:
        """What the kernels that an edit inside of one function touches rest on; None if the edit is of another kind."""
        path, settings, last_good = ask.path, ask.settings, ask.last_good
        if last_good not in (None, base.text):
            return None
        if base.text == data:
            self.store.note("read", path, reused=True)
            return base.read
        last, known = base.read, base.read.kept
        single = {k for k, found in known.items() if len(found) == 1 and not base.outline.parts[k].template}
        single |= last.sites.keys()
        less = reduction(base.outline, last.macros, base.text, data, path, single, self.store)
        if less is None:
            return None
        reduced = MemoryFiles({path: less.text}, ask.files)
        unit = parse_unit(path, reduced, settings, None if last_good is None else less.before, self.store)
        if not unit.preprocessed.spent.is_as_part(max(0, len(base.text) - len(data))):
            return None
        tree = replace(unit.tree, beyond=last.tree.beyond, beside=last.tree.beside)  # An edit inside of a function.
        unit = replace(unit, tree=tree)
        outline = completed(outline_of(unit, base.meaning), less)
        if outline is None:
            return None
        self.store.note("read", path, count=len(unit.tokens))
        shift = Shift.between(zip(base.outline.parts, outline.parts, strict=True))
        sites: Any = None
        if outline.parts[less.edited].kernel and less.edited in single:
            entries = known.get(less.edited)
            sites = (last.sites[less.edited] if entries is None else entries[0].sites).by(shift).value()
        touched = [outline.parts[k] for k in less.touched]
        with self.store.waiting() as store, ask.interrupts.pure():
            bodies = Bodies(store, outline.matters)
            module = _lowered(unit, settings, touched, outline.constants, sites, bodies)
        if module.crowded:
            return None
        self._note_lowered(module)
        kept = {
            k: tuple(entry.by(shift) for entry in known[k])
            for k in outline.kernels
            if k not in less.touched and k in known
        }
        lowered = {k: _standing_in(outline.parts[k], module) for k in less.touched}
        if is_crowd(_number(kept, lowered)):
            return None
        read = replace(last, tree=unit.tree, rejected=module.rejected, outline=outline, kept=kept, lowered=lowered)
        lacking, sound = read.lacks(len(kept) + len(lowered)), outline if unit.sound else None
        launched = {k: one.by(shift) for k, one in last.sites.items() if sites is not None or k not in less.touched}
        return replace(read, outline=sound, lacking=lacking, sites=launched)

    def _read_first(self, ask: Asked, data: bytes, work: Working, base: _Base | None) -> Read:
        """The whole file, nothing of which was shown yet.  The reading goes on if another text overtakes this one, since what is read
        is a base for that."""
        ask.interrupts.patient = True
        try:
            read, unit = self._read_text(ask, work.meaning, base)
            assert read.outline is not None
            with ask.interrupts.pure():
                launches = all_launches_of(unit.tree, ask.settings)
        finally:
            ask.interrupts.patient = False
        read = replace(read, crowded=read.crowded or launches.coverage.crowded, sites=_sites(read.outline, launches))
        self._keep(ask.path, data, work, read, read.kept)
        return self._lowered_all(ask, read, unit, launches)

    def _read_all(self, ask: Asked, meaning: str, base: _Base | None) -> Read:
        """The whole file; of kernels that rest on what they did in the base, the entries are kept."""
        return self._lowered_all(ask, *self._read_text(ask, meaning, base))

    def _read_text(self, ask: Asked, meaning: str, base: _Base | None) -> tuple[Read, ParsedUnit]:
        settings = ask.settings
        unit = parse_unit(ask.path, ask.files, settings, ask.last_good, self.store)
        unit = joined(unit, ask.files, settings, self.store, ask.pause)
        self.store.note("read", ask.path, count=len(unit.tokens))
        outline = outline_of(unit, meaning)
        kept: dict[int, tuple[Entry, ...]] = {}
        if base is not None and outline.regular:
            known = {base.outline.key(k): k for k in base.read.kept}
            for k in outline.kernels:
                if (old := known.get(outline.key(k))) is not None:
                    shift = Shift.between(zip(base.outline.resting(old), outline.resting(k), strict=True))
                    kept[k] = tuple(entry.by(shift) for entry in base.read.kept[old])
        around = (*unit.tree.dependencies, *unit.tree.missing)
        others = {other: ask.files.read(other) for other in around if other != ask.path}
        macros, spent = macro_words(unit.preprocessed.macros), unit.preprocessed.spent
        crowded, joint = spent.crowded, joint_of(unit)
        read = Read(unit.tree, (), outline, others, macros, spent, kept, {}, joint, True, crowded, unlowered=True)
        return read, unit

    def _lowered_all(self, ask: Asked, read: Read, unit: ParsedUnit, launches: AllLaunches | None = None) -> Read:
        """The same with all kernels that are not kept."""
        settings, outline, kept = ask.settings, read.outline, read.kept
        assert outline is not None
        fresh = [k for k in outline.kernels if k not in kept]
        parts = [outline.parts[k] for k in fresh] if kept else None
        with self.store.waiting() as store, ask.interrupts.pure():
            bodies = Bodies(store, outline.matters)
            module = _lowered(unit, settings, parts, None, bodies=bodies, launches=launches)
            lowered = {k: _standing_in(outline.parts[k], module) for k in fresh}
            if kept and (module.crowded or is_crowd(_number(kept, lowered))):
                module, kept = _lowered(unit, settings, None, None, bodies=bodies, launches=launches), {}
                lowered = {k: _standing_in(outline.parts[k], module) for k in outline.kernels}
            loose = not outline.regular or sum(map(len, lowered.values())) != len(module.kernels)
            if loose and kept:  # A kernel stands in no part.
                module = _lowered(unit, settings, None, None, bodies=bodies, launches=launches)
        self._note_lowered(module)
        whole = replace(read, rejected=module.rejected, lacking=False, unlowered=False, sites={})
        if loose:
            return replace(whole, outline=None, kept={}, lowered={-1: module.kernels})
        return replace(whole, kept=kept, lowered=lowered, crowded=module.crowded or read.crowded)

    def _read_through(self, ask: Asked) -> Read | None:
        """Through the files that include it; None if its kernels are in none of them.  Nothing of it is a base for the next time:
        each of these files is read again, as far as the store does not have it."""

        def reading(unit: str) -> SyntaxTree:
            ask.pause()
            parsed = parse_unit(unit, ask.files, ask.settings, None, self.store)
            parsed = joined(parsed, ask.files, ask.settings, self.store, ask.pause)
            self.store.note("read", unit, count=len(parsed.tokens))
            return parsed.tree

        def lowering(tree: SyntaxTree) -> IrModule:
            with ask.interrupts.pure():
                return lower(tree, ask.settings, log_bug)

        found = load_through(ask.path, ask.units, reading, lowering)
        if found is None:
            return None
        tree, module = found
        self._note_lowered(module)
        return Read(tree, module.rejected, None, {}, {}, Spent(), {}, {-1: module.kernels})

    def _note_lowered(self, module: IrModule) -> None:
        for kernel in module.kernels:
            self.store.note("lowered", kernel.name)

    def _keep(
        self,
        path: str,
        data: bytes,
        work: Working,
        read: Read,
        entries: Mapping[int, Sequence[Entry]],
    ) -> None:
        """Makes a text that was in order the base of the next analysis."""
        outline = read.outline
        if outline is None or not outline.regular or read.crowded:
            return  # What is not read of a crowded file rests on the whole of it.
        counts = {k: len(read.kept.get(k, ())) + len(read.lowered.get(k, ())) for k in entries}
        known = {k: tuple(found) for k, found in entries.items() if len(found) == counts[k]}
        sites = {k: one for k, one in read.sites.items() if k not in known}
        last = replace(read, kept=known, lowered={}, lacking=read.lacks(len(known)), sites=sites)
        made = _Base(data, work.meaning, outline, last)
        earlier = [base for base in self.store.last(BASES, path) or () if base.text != data]
        self.store.put(BASES, path, (made, *earlier[:_EARLIER]))


def _lowered(
    unit: ParsedUnit,
    settings: Settings,
    parts: Sequence[Part] | None,
    constants: frozenset[str] | None,
    sites: tuple[LaunchSite, ...] | None = None,
    bodies: Bodies | None = None,
    launches: AllLaunches | None = None,
) -> IrModule:
    """The kernels that stand in these parts; all if none are named.  `sites`: where they are launched, if that is known; `bodies`:
    those that were lowered before; `launches`: all of the file, if they are known."""

    def wanted(declaration: FunctionDecl) -> bool:
        return parts is None or any(part.begins(declaration.span) for part in parts)

    return lower(
        unit.tree, settings, log_bug, wanted, constants, lambda declaration: sites, bodies, all_launches=launches
    )


def _sites(outline: Outline, launches: AllLaunches) -> dict[int, Moved]:
    """By part, the launches of kernels of which there is one instance."""
    kernels, found = launches.by_kernel(), {}
    for k in outline.kernels:
        here = [sites for span, sites in kernels if outline.parts[k].begins(span)]
        if len(here) == 1 and here[0] is not None and not outline.parts[k].template:
            found[k] = Moved.of(here[0])
    return found


def _number(kept: Mapping[int, tuple[Entry, ...]], lowered: Mapping[int, tuple[Kernel, ...]]) -> int:
    """How many kernels a file has."""
    return sum(map(len, (*kept.values(), *lowered.values())))


def _standing_in(part: Part, module: IrModule) -> tuple[Kernel, ...]:
    return tuple(kernel for kernel in module.kernels if part.begins(kernel.span))


def _put_back(result: Result, layout: Layout) -> Result:
    """A result about a text that was laid out, at the places of the real one."""
    report: Any = Moved.of(result.report).by(layout.back).value()
    return replace(result, report=report, entries=tuple(entry.by(layout.back) for entry in result.entries))


def whole(result: Result) -> FileReport:
    """The report with the launches of all kernels, as the pipeline makes it."""
    kernels = []
    for head, entry in zip(result.report.kernels, result.entries, strict=True):
        full: Any = entry.report.value()
        kernels.append(replace(head, launches=full.launches))
    return replace(result.report, kernels=tuple(kernels))
