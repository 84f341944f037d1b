"""The kernels of a text that was read, one after the other: which of them first, and what is shown meanwhile.

Kernels that are as they were keep what is known of them, moved along.  Of the others that comes first in which the text was changed last.
Facts come before bounds, and these before races.  Where not all kernels were ever shown, what is there is shown again and again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any

from analysis_core.incremental.entry import Entry
from analysis_core.incremental.kernels import Pending, Working, begun, bounded, raced, renamed, resumed
from analysis_core.incremental.outline import Outline
from analysis_core.incremental.places import Moved
from analysis_core.ir.nodes import Kernel
from analysis_core.pipeline.pipeline import assemble
from analysis_core.report.findings.model import FileReport
from analysis_core.support.sources import Sources
from analysis_core.syntax.lex.preprocessor_account import Spent
from analysis_core.syntax.read.annotation_tree import Misstatement
from analysis_core.syntax.read.tree import SyntaxTree
from analysis_core.syntax.siblings import Joint
from analysis_core.text.records import dataclass

_AT_HAND = 4
"""Kernels whose events are kept from the first step to the second; those of others are made again."""

_FIRST = frozenset({1, 2, 8, 32, 128})
"""New kernels after which what is there is shown, where not all were shown before and some more are to come (`MORE`)."""

MORE = 4


@dataclass(frozen=True, slots=True)
class Result:
    """A report of a file, whose kernels have no launches: those are in `entries`, one for each.  `complete`: nothing better
    follows.  `lacking`: kernels of which nothing is known yet may be missing."""

    report: FileReport
    entries: tuple[Entry, ...]
    complete: bool
    lacking: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Read:
    """A text that was read.  `others`: the contents of all files it was read with (None: sought in vain), but for those that it was read
    through.  `macros`: the words that each macro's body holds; `spent`: what reading it took.  `outline` None: it is not in order.  `kept`: entries by
    part; `lowered`: kernels by part (all under -1 where parts do not count); `joint`: by what it is joined to other files of the program.
    `lacking`: kernels are missing, since only a part was read and nothing was known of them before.  `crowded`: not all launches may be
    read; `unlowered`: what lies outside of the kernels was never lowered; `sites`: by part, the launches of a kernel that is not known yet, if
    these are."""

    tree: SyntaxTree
    rejected: tuple[Misstatement, ...]
    outline: Outline | None
    others: Mapping[str, bytes | None]
    macros: Mapping[str, frozenset[str]]
    spent: Spent
    kept: Mapping[int, tuple[Entry, ...]]
    lowered: Mapping[int, tuple[Kernel, ...]]
    joint: Joint = field(default_factory=Joint)
    lacking: bool = False
    crowded: bool = False
    unlowered: bool = False
    sites: Mapping[int, Moved] = field(default_factory=dict)

    def lacks(self, entries: int) -> bool:
        """Whether kernels are missing where so many parts are known."""
        return self.unlowered or (self.outline is not None and entries < len(self.outline.kernels))


Entries = dict[int, list[Entry]]


@dataclass(slots=True)
class Analysing:
    """One analysis of a file.  `near`: the byte where it was changed last; `known`: kernels whose facts were found out just now, by
    fingerprint; `shown`: how many new kernels were shown already; `keep`: is told what is known so far."""

    path: str
    work: Working
    sources: Sources
    near: int | None
    keep: Callable[[Read, Mapping[int, Sequence[Entry]]], None]
    known: dict[bytes, Pending] = field(default_factory=dict)
    shown: int = 0

    def first_look(self, kernels: Sequence[Kernel], tree: SyntaxTree) -> Result:
        """The first kernels of a file of which nobody has seen any."""
        entries = [self._begun_ahead(kernel) for kernel in kernels]
        self.shown = len(entries)
        return self._put_together(tree, (), entries, complete=False, lacking=True)

    def part(self, read: Read) -> Result:
        """What is known of a text that was read in part, and the kernels that were read."""
        entries = Entries()
        for k, start in self._in_turn(read):
            entries.setdefault(k, []).append(self._begun_ahead(start))
        self.keep(read, entries)
        return self._result(read, entries, complete=False, lacking=True)

    def whole(self, read: Read) -> Iterator[Result]:
        """First all facts, then the bounds, then the races."""
        entries = Entries({k: [] for k in sorted({*read.kept, *read.lowered})})
        misnamed: list[tuple[int, int]] = []
        pending: list[tuple[int, int, Pending | Entry]] = []
        new, total = 0, sum(map(len, read.lowered.values()))
        for k, start in self._in_turn(read):
            if self.work.asked.early and isinstance(start, Kernel):
                self.keep(read, entries)
            if self.work.asked.early and new > self.shown and new in _FIRST and new + MORE <= total:
                yield self._result(read, entries, complete=False, lacking=True)
            if isinstance(start, Kernel):
                new += 1
            entry, rest = self._begun(start)
            place = k, len(entries[k])
            if not entry.is_named_well(self.sources.line):
                misnamed.append(place)
            if isinstance(rest, Pending):
                at_hand = sum(isinstance(one, Pending) and one.costed is not None for _, _, one in pending) < _AT_HAND
                rest = rest if at_hand else replace(rest, costed=None)
            if rest is not None:
                pending.append((*place, rest))
            entries[k].append(entry)
        self.keep(read, entries)
        if pending or misnamed:
            yield self._result(read, entries, complete=False)
        for k, number in misnamed:
            entries[k][number] = renamed(entries[k][number], self.work.settings, self.sources)
            self.keep(read, entries)
        for k, number, rest in pending:
            rest = rest if isinstance(rest, Pending) else resumed(rest)
            entries[k][number] = bounded(rest, self.work, self.sources)
            self.keep(read, entries)
        open_ = [(k, number) for k, number, _ in pending if not entries[k][number].complete]
        if open_:
            yield self._result(read, entries, complete=False)
        for k, number in open_:
            entries[k][number] = raced(entries[k][number], self.work, self.sources)
            self.keep(read, entries)
        yield self._result(read, entries, complete=True)

    def _in_turn(self, read: Read) -> list[tuple[int, Entry | Kernel]]:
        """All kernels by part: those of which something is known, then that which was changed last, then the others in order."""
        kept = [(k, entry) for k in sorted(read.kept) for entry in read.kept[k]]
        lowered = [(k, kernel) for k in sorted(read.lowered) for kernel in read.lowered[k]]
        near = {k for k, kernel in lowered if k >= 0 and self._is_near(kernel)}
        return [*kept, *sorted(lowered, key=lambda one: one[0] not in near)]

    def _is_near(self, kernel: Kernel) -> bool:
        span = kernel.span
        return self.near is not None and span.file == self.path and span.start <= self.near <= span.end

    def _begun(self, start: Entry | Kernel) -> tuple[Entry, Pending | Entry | None]:
        """A kernel as far as it is known at once: an entry that was kept, or IR.  Second, what its bounds are to be made from: an entry where an edit
        came before them."""
        if isinstance(start, Entry):
            self.work.store.note("analysed", start.name, reused=True)
            return start, None if start.complete else start
        entry, rest = begun(start, self.work, self.sources)
        if rest is not None:
            known = self.known.get(rest.key, rest)
            rest = known if known.packed == rest.packed else rest
        return entry, rest

    def _begun_ahead(self, start: Entry | Kernel) -> Entry:
        """Remembers what bounds will be made from."""
        entry, rest = self._begun(start)
        if isinstance(rest, Pending) and len(self.known) < _AT_HAND:
            self.known[rest.key] = rest
        return entry

    def _result(
        self, read: Read, entries: Mapping[int, Sequence[Entry]], complete: bool, lacking: bool = False
    ) -> Result:
        found = [entry for k in sorted(entries) for entry in entries[k]]
        return self._put_together(read.tree, read.rejected, found, complete, lacking)

    def _put_together(
        self,
        tree: SyntaxTree,
        rejected: tuple[Misstatement, ...],
        entries: Sequence[Entry],
        complete: bool,
        lacking: bool,
    ) -> Result:
        """The report of the file, put together from the findings of its kernels."""
        heads: tuple[Any, ...] = tuple(entry.head.value() for entry in entries)
        report = assemble(self.path, tree, heads, self.sources, self.work.settings, rejected, self.work.store)
        return Result(report, tuple(entries), complete, lacking)
