"""Fixes of a report's findings, each checked by analysing the edited text: stands on top of the pipeline, as it runs it again.

    a tile with conflicts   ->  may its rows grow? (report/fixes/tile.py)  ->  edit  ->  pipeline  ->  compare  ->  fix or reason
    a bound that is missing ->  annotation (report/annotate.py)            ->  edit  ->  pipeline  ->  a bound? ->  fix

Where a tile is found and no padding is offered, the finding says why not in a note.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from analysis_core.cost.facts import AccessFact, KernelFacts
from analysis_core.ir.launch import choose_launches
from analysis_core.ir.nodes import Kernel
from analysis_core.report.annotate import proposals
from analysis_core.report.checks.bank_conflict import CODE as BANK_CONFLICT
from analysis_core.report.checks.not_analysed import CODE as NOT_ANALYSED
from analysis_core.report.figures import withheld
from analysis_core.report.fixes import pad_tile
from analysis_core.report.fixes.edits import applied, moved
from analysis_core.report.fixes.tile import refusal, stays_in_row, tile_of
from analysis_core.report.model import Edit, FileReport, Finding, Fix, Note
from analysis_core.support.files import Files, MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.text.sources import Sources
from analysis_core.text.span import FileId, Span

MOST_TRIED = 8
"""Tiles and annotations of a file that are tried: each costs the time of reading the file and analysing its kernel again."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a report comes from, so that an edited text can be analysed in the same way."""

    path: str
    files: Files
    settings: Settings
    unit: str | None


def with_fixes(report: FileReport, kernels: Sequence[Kernel], place: Place, sources: Sources) -> FileReport:
    """The report with fixes, or the reasons why there is none, on its findings.  `kernels`: what it was made from."""
    tried: set[str] = set()
    changed: dict[Finding, Finding] = {}
    for finding in report.findings:
        if finding.span.file != place.path:
            continue
        if finding.check == BANK_CONFLICT:
            access = _access(finding, report)
            if access is not None and (access.base in tried or len(tried) < MOST_TRIED):
                tried.add(access.base)
                outcome = _padding(finding, access, report, kernels, place, sources)
                changed[finding] = _with_padding(finding, access, outcome)
        elif finding.check == NOT_ANALYSED and len(tried) < MOST_TRIED:
            fixes = tuple(_annotations(finding, report, place, sources))
            tried.update(fix.title for fix in fixes)
            changed[finding] = replace(finding, fixes=(*finding.fixes, *fixes))
    reports = tuple(replace(k, findings=tuple(changed.get(f, f) for f in k.findings)) for k in report.kernels)
    return replace(report, kernels=reports, findings=tuple(changed.get(f, f) for f in report.findings))


def _with_padding(finding: Finding, access: AccessFact, outcome: Fix | str | None) -> Finding:
    match outcome:
        case Fix():
            return replace(finding, fixes=(*finding.fixes, outcome))
        case str():
            note = Note(f"no padding of `{access.base}` is offered: {outcome}")
            return replace(finding, notes=(*finding.notes, note))
        case None:
            return finding


def _annotations(finding: Finding, report: FileReport, place: Place, sources: Sources) -> Iterator[Fix]:
    """The annotations that give a kernel the bounds that it lacks, each tried; for the finding at the kernel's name."""
    index = sources.index(FileId(place.path))
    for kernel in report.kernels:
        if kernel.name_span != finding.span:
            continue
        for proposal in proposals(kernel, index):
            if not proposal.metrics:
                continue
            after = _again(proposal.edit, kernel.name, kernel.name_span, place, index.data, bounds=True)
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
    finding: Finding,
    access: AccessFact,
    report: FileReport,
    kernels: Sequence[Kernel],
    place: Place,
    sources: Sources,
) -> Fix | str | None:
    """The fix; why there is none; None where no tile is meant."""
    around = [
        k for k in kernels if k.span.file == finding.span.file and k.span.start <= finding.span.start < k.span.end
    ]
    tiles = [tile_of(kernel, access.base) for kernel in around]
    found = [tile for tile in tiles if tile is not None]
    if not found or len(found) < len(tiles):
        return None
    index = sources.index(FileId(place.path))
    for kernel, tile in zip(around, found, strict=True):
        reason = refusal(kernel, tile, index.data)
        if reason is not None:
            return reason
        launches = choose_launches(kernel, place.settings)
        if not all(stays_in_row(kernel, tile, launch, place.settings) for launch in launches):
            return "its columns are not proved to stay in their rows"
    before = [launch.facts for k in report.kernels if k.span == around[0].span for launch in k.launches]
    reason = "it would gain nothing"
    for padding in pad_tile.paddings(found[0]):
        if any(pad_tile.shared_bytes(k, t, padding) > pad_tile.MOST_SHARED for k, t in zip(around, found, strict=True)):
            return "it would need more than 48 KB of shared memory"
        edit = pad_tile.padded(found[0], padding, index.data)
        if edit is None:
            return "its extents do not stand behind its name"
        after = _again(edit, around[0].name, around[0].name_span, place, index.data)
        gained = pad_tile.gain(before, after, finding.span, finding.subject, edit)
        if not isinstance(gained, str):
            title = pad_tile.title(found[0], padding, gained, access.bytes, access.ideal)
            return Fix(title, (edit,))
        reason = gained
    return reason


def _again(
    edit: Edit, name: str, name_span: Span, place: Place, text: bytes, bounds: bool = False
) -> list[KernelFacts]:
    """The facts of a kernel, under all instantiations and launches, in the edited text."""
    from analysis_core.pipeline import analyse_file

    files = MemoryFiles({place.path: applied(text, edit)}, place.files)
    settings = replace(place.settings, bounds=bounds and place.settings.bounds)
    report = analyse_file(place.path, files, settings, kernel=name, unit=place.unit)
    there = moved(name_span, edit)
    return [launch.facts for k in report.kernels if k.name_span == there for launch in k.launches]
