"""What the worker answers, and how it comes over the pipe.

The report of a file is small: findings, and a line for each kernel.  What cards, hints and lenses are made of is large, so it
comes apart, packed, one part per kernel; and only if the server does not have it yet.  Most edits change one kernel and move
others: then one part is sent, and for the others a few numbers (analysis_core/incremental/places.py).
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import replace
from enum import IntEnum
from typing import TYPE_CHECKING, Any

from analysis_core.report.block_shapes import BlockShapes
from analysis_core.report.findings.model import FileReport, KernelReport
from analysis_core.support.settings import Settings
from analysis_core.text.records import dataclass
from analysis_core.workspace.project import Scan

if TYPE_CHECKING:
    from analysis_core.incremental.places import Moved, Places

KEPT_BYTES = 16_000_000
"""Bytes of parts that are kept for texts that may come back (undo)."""


class Stage(IntEnum):
    """How much of an answer is there: costs per request of some kernels, of all, bounds too, fixes of some findings too."""

    SOME, FACTS, BOUNDS, FIXES = range(4)


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """The report of one kernel by number, and where it stands.  `data`: None if it was sent before."""

    number: bytes
    places: Places
    data: bytes | None


@dataclass(frozen=True, slots=True)
class Answer:
    """`settings` are those that the report was made with: hover cards need them.  `project`: the settings file that was
    read, with what is wrong in it; None where there is none.  `parts`: of the report's kernels, one each; () if these are
    complete as they are.  `text`: what was printed, where that was asked for; `scan`: what files include, where that was; `shapes`: what other
    blocks would cost."""

    report: FileReport
    settings: Settings
    project: FileReport | None = None
    parts: tuple[Part, ...] = ()
    stage: Stage = Stage.BOUNDS
    text: str = ""
    scan: Scan | None = None
    shapes: BlockShapes | None = None


def load() -> None:
    """Loads what answers are read with, numpy among it, and what is shown of them: not before the handshake, whose answer somebody waits for."""
    from analysis_core.incremental import places as places
    from analysis_core.report import cards
    from lsp_server.features import (
        annotation_choices,
        code_actions,
        code_lens,
        exported,
        finding_actions,
        inlay_hints,
        kernel_report,
        settings_choices,
        shape_actions,
    )

    del shape_actions, cards, code_actions, code_lens, exported, finding_actions, inlay_hints, kernel_report
    del annotation_choices, settings_choices


def part_of(whole: Moved, sent: frozenset[bytes]) -> Part:
    """A kernel's report, packed.  `sent`: numbers of parts that the other side has."""
    return Part(whole.number, whole.places, None if whole.number in sent else whole.data)


class Parts:
    """The server's side of reports: parts by number, those of present answers and, up to a limit, of older ones."""

    def __init__(self, limit: int = KEPT_BYTES) -> None:
        self._data: OrderedDict[bytes, bytes] = OrderedDict()
        self._read: dict[bytes, tuple[object, KernelReport]] = {}
        self._limit = limit
        self.bytes = 0

    @property
    def numbers(self) -> frozenset[bytes]:
        """The numbers of parts that need not be sent again."""
        return frozenset(self._data)

    def take(self, answer: Answer, in_use: frozenset[bytes]) -> Answer:
        """Keeps the parts that came with an answer. `in_use`: numbers that other answers still need."""
        for part in answer.parts:
            if part.data is not None and part.number not in self._data:
                self._data[part.number] = part.data
                self.bytes += len(part.data)
            elif part.number in self._data:
                self._data.move_to_end(part.number)
        wanted = in_use | {part.number for part in answer.parts}
        for number in [n for n in self._data if n not in wanted]:
            if self.bytes <= self._limit:
                break
            self.bytes -= len(self._data.pop(number))
        for number in [n for n in self._read if n not in wanted]:
            del self._read[number]
        return replace(answer, parts=tuple(replace(part, data=None) for part in answer.parts))

    def whole(self, answer: Answer, at: int | None = None) -> FileReport:
        """The report with its parts put together; `at`: only of the kernel around this byte, if there is one."""
        report = answer.report
        if not answer.parts:
            return report
        pairs = list(zip(report.kernels, answer.parts, strict=True))
        if at is not None:
            pairs = [p for p in pairs if p[0].span.file == report.path and p[0].span.contains(at)] or pairs
        return replace(report, kernels=tuple(self._whole(head, part) for head, part in pairs))

    def _whole(self, head: KernelReport, part: Part) -> KernelReport:
        known, place = self._read.get(part.number), part.places.key()
        if known is None or known[0] != place:
            from analysis_core.incremental.places import Moved

            report: Any = Moved(self._data[part.number], part.places, part.number).value()
            known = self._read[part.number] = (place, report)
        return replace(known[1], findings=head.findings)
