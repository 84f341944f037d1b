"""Fixes of a report's findings, each checked by analysing the edited text: stands on top of the pipeline, as it runs it again.

    a tile with conflicts   ->  may its rows grow? (report/fixes/tile.py)  ->  edit  ->  pipeline  ->  compare  ->  fix or reason
    an array in memory      ->  `#pragma unroll` (report/fixes/unroll_loop.py)  ->  edit  ->  pipeline  ->  in registers? ->  fix or reason
    a bound that is missing ->  annotation (report/annotate.py)            ->  edit  ->  pipeline  ->  a bound? ->  fix
    iterations without one  ->  annotation (the same)                      ->  edit  ->  pipeline  ->  compare  ->  action or reason

Where a tile is found and no padding is offered, the finding says why not in a note.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from analysis_core.ir.nodes import Kernel, ObjectId
from analysis_core.profile.access_profile import KernelProfile
from analysis_core.program.launch import choose_launches
from analysis_core.report.annotate import Proposal, proposals
from analysis_core.report.checks.bank_conflict import CODE as BANK_CONFLICT
from analysis_core.report.checks.local_memory import CODE as LOCAL_MEMORY
from analysis_core.report.checks.not_analysed import CODE as NOT_ANALYSED
from analysis_core.report.findings.figures import withheld
from analysis_core.report.findings.model import Edit, FileReport, Finding, Fix, KernelReport, Note, Tried
from analysis_core.report.findings.wording import assuming_text
from analysis_core.report.fixes import cap_loop, pad_tile
from analysis_core.report.fixes.edits import applied, moved
from analysis_core.report.fixes.refused import BARRED, refusal_note
from analysis_core.report.fixes.tile import Tile, refusal, stays_in_row, tile_of
from analysis_core.requests.facts import AccessFact, KernelFacts
from analysis_core.support.files import Files, MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources
from analysis_core.support.store import Store
from analysis_core.text.records import dataclass
from analysis_core.text.span import FileId, Span

if TYPE_CHECKING:
    from analysis_core.pipeline.barrier_fixes import BarrierFixes

MOST_TRIED = 16
"""Edits of a file that are tried: each costs the time of reading the file and analysing its kernel again."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a report comes from, so that an edited text can be analysed in the same way.  `store`: what was kept of
    its analysis."""

    path: str
    files: Files
    settings: Settings
    units: tuple[str, ...]
    store: Store | None = None


class Trials:
    """Edits of one file that were tried. Each is tried once, though several findings may ask for it."""

    def __init__(self, place: Place, text: bytes) -> None:
        self.place, self.text = place, text
        self._left = MOST_TRIED
        self._profiles: dict[tuple[Edit, Span], list[KernelProfile]] = {}
        self._reasons: dict[tuple[Span, str | None, ObjectId], str | None] = {}

    def pay(self) -> bool:
        """Whether another edit may be tried; counted as one."""
        self._left -= self._left > 0
        return self._left > 0

    def facts(self, edit: Edit, name: str, name_span: Span, bounds: bool = False) -> list[KernelFacts]:
        """The facts of a kernel, under all instantiations and launches, in the edited text; none if too much was tried."""
        return [profile.facts for profile in self.profiles(edit, name, name_span, bounds)]

    def profiles(self, edit: Edit, name: str, name_span: Span, bounds: bool = False) -> list[KernelProfile]:
        """The same with what findings rest on."""
        from analysis_core.pipeline.pipeline import analyse_file

        if (edit, name_span) not in self._profiles:
            if self._left == 0:
                return []
            self._left -= 1
            place = self.place
            files = MemoryFiles({place.path: applied(self.text, edit)}, place.files)
            settings = replace(place.settings, bounds=bounds and place.settings.bounds)
            report = analyse_file(place.path, files, settings, kernel=name, units=place.units, store=place.store)
            there = moved(name_span, edit)
            found = [launch.profile for k in report.kernels if k.name_span == there for launch in k.launches]
            self._profiles[edit, name_span] = found
        return self._profiles[edit, name_span]

    def refusal(self, kernel: Kernel, tile: Tile) -> str | None:
        """Why the rows of a tile may not grow in this kernel; None if they may."""
        key = kernel.name_span, kernel.instantiation, tile.object.id
        if key not in self._reasons:
            reason, settings = refusal(kernel, tile, self.text), self.place.settings
            if reason is None:
                launches = choose_launches(kernel, settings)
                if not all(stays_in_row(kernel, tile, launch, settings) for launch in launches):
                    reason = "its columns are not proved to stay in their rows"
            self._reasons[key] = reason
        return self._reasons[key]


def with_fixes(report: FileReport, kernels: Sequence[Kernel], place: Place, sources: Sources) -> FileReport:
    """The report with fixes, or the reasons why there is none, on its findings.  `kernels`: what it was made from."""
    trials = Trials(place, sources.index(FileId(place.path)).data)
    changed: dict[Finding, Finding] = {}
    barriers: BarrierFixes | None = None
    for finding in report.findings:
        if finding.span.file != place.path:
            continue
        if finding.check == BANK_CONFLICT and (access := _access(finding, report)) is not None:
            changed[finding] = _with_padding(finding, access, _padding(finding, access, report, kernels, trials))
        elif finding.check == NOT_ANALYSED:
            fixes = tuple(_annotations(finding, report, trials, sources))
            changed[finding] = replace(finding, fixes=(*finding.fixes, *fixes))
        elif finding.check == LOCAL_MEMORY:
            from analysis_core.pipeline.unroll_fixes import with_unrolling

            changed[finding] = with_unrolling(finding, report, kernels, trials)
        elif finding.check in BARRED:
            from analysis_core.pipeline.barrier_fixes import BarrierFixes

            barriers = barriers or BarrierFixes(report, trials, sources)
            changed[finding] = replace(finding, fixes=(*finding.fixes, *barriers.of(finding)))
    reports = tuple(replace(k, findings=tuple(changed.get(f, f) for f in k.findings)) for k in report.kernels)
    return replace(report, kernels=reports, findings=tuple(changed.get(f, f) for f in report.findings))


def with_caps(report: FileReport, loops: Collection[tuple[int, int]], place: Place, sources: Sources) -> FileReport:
    """The report with what capping the iterations of some loops (first and last byte) gains, or why it gains nothing."""
    index = sources.index(FileId(place.path))
    trials = Trials(place, index.data)
    outcomes: dict[Edit, Tried] = {}
    for kernel in report.kernels:
        for proposal in proposals(kernel, index):
            where = (proposal.place.start, proposal.place.end)
            if proposal.metrics or proposal.place.file != place.path or where not in loops or proposal.edit in outcomes:
                continue
            if (outcome := _cap(proposal, kernel, report, trials)) is not None:
                outcomes[proposal.edit] = outcome
    return replace(report, tried=tuple(outcomes.values()))


def _cap(proposal: Proposal, kernel: KernelReport, report: FileReport, trials: Trials) -> Tried | None:
    """What became of one proposal; None if too much was tried already."""
    before = [launch.facts for k in report.kernels if k.name_span == kernel.name_span for launch in k.launches]
    after = trials.facts(proposal.edit, kernel.name, kernel.name_span, bounds=True)
    if not after:
        return None
    gained = cap_loop.gain(before, after, proposal.place, proposal.edit)
    if isinstance(gained, str):
        return Tried(proposal.edit, proposal.title, gained)
    return Tried(proposal.edit, cap_loop.title(proposal.title, gained))


def _with_padding(finding: Finding, access: AccessFact, outcome: Fix | str | None) -> Finding:
    match outcome:
        case Fix():
            return replace(finding, fixes=(*finding.fixes, outcome))
        case str():
            note = Note(refusal_note(access.base, outcome))
            return replace(finding, notes=(*finding.notes, note))
        case None:
            return finding


def _annotations(finding: Finding, report: FileReport, trials: Trials, sources: Sources) -> Iterator[Fix]:
    """The annotations that give a kernel the bounds that it lacks, each tried; for the finding at the kernel's name."""
    index = sources.index(FileId(trials.place.path))
    for kernel in report.kernels:
        if kernel.name_span != finding.span:
            continue
        for proposal in proposals(kernel, index):
            if not proposal.metrics:
                continue
            after = trials.facts(proposal.edit, kernel.name, kernel.name_span, bounds=True)
            lacking = {metric for facts in after for metrics in withheld(facts).values() for metric in metrics}
            if after and not lacking & set(proposal.metrics):
                yield Fix(proposal.title, (proposal.edit,))


def _access(finding: Finding, report: FileReport) -> AccessFact | None:
    """The worst access at the place of a finding."""
    found = [
        access
        for kernel in report.kernels
        for launch in kernel.launches
        for access in launch.facts.accesses
        if access.span == finding.span and access.text == finding.subject
    ]
    return max(found, key=lambda access: access.worst, default=None)


def _padding(
    finding: Finding, access: AccessFact, report: FileReport, kernels: Sequence[Kernel], trials: Trials
) -> Fix | str | None:
    """The fix; why there is none; None where no tile is meant."""
    around = [
        k for k in kernels if k.span.file == finding.span.file and k.span.start <= finding.span.start < k.span.end
    ]
    tiles = [tile_of(kernel, access.base) for kernel in around]
    found = [tile for tile in tiles if tile is not None]
    if not found or len(found) < len(tiles):
        return None
    both = list(zip(around, found, strict=True))
    reasons = (trials.refusal(kernel, tile) for kernel, tile in both)
    if (refused := next((reason for reason in reasons if reason is not None), None)) is not None:
        return refused
    before = [launch.facts for k in report.kernels if k.span == around[0].span for launch in k.launches]
    said = "it would gain nothing"
    for padding in pad_tile.paddings(found[0]):
        if any(pad_tile.shared_bytes(kernel, tile, padding) > pad_tile.MOST_SHARED for kernel, tile in both):
            return "it would need more than 48 KB of shared memory"
        edit = pad_tile.padded(found[0], padding, trials.text)
        if edit is None:
            return "its extents do not stand behind its name"
        after = trials.facts(edit, around[0].name, around[0].name_span)
        gained = pad_tile.gain(before, after, finding.span, finding.subject, edit)
        if not isinstance(gained, str):
            title = pad_tile.title(found[0], padding, gained, access.bytes, access.ideal)
            return Fix("; ".join(filter(None, (title, assuming_text(before[0])))), (edit,))
        said = gained
    return said
