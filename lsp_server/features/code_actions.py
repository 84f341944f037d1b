"""What can be done at a place: fixes of findings, annotations that would give a bound or a better one, comments that silence."""

from __future__ import annotations

from collections.abc import Iterator

from analysis_core.report.annotate import Proposal, proposals
from analysis_core.report.findings.model import Edit, FileReport, Finding, Fix, KernelReport
from analysis_core.report.fixes.refused import CURED, PADDED, TRIED, read_refusal
from analysis_core.report.fixes.suppress import removing, silencing
from analysis_core.text.line_index import LineIndex
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span


@dataclass(frozen=True, slots=True)
class Action:
    """`fixes`: the place and code of the finding that it is about, if there is one.  `preferred`: what most would do;
    `refused`: why it cannot be done, where that is worth telling.  `command`: one of the client's, with its arguments, instead of edits."""

    title: str
    edits: tuple[Edit, ...] = ()
    fixes: tuple[Span, str] | None = None
    preferred: bool = False
    refused: str | None = None
    command: tuple[str, tuple[object, ...]] | None = None


CAPPED = "loop_bound"
"""What stands in place of a rule for a loop whose cap is to be tried."""

REFACTORED = "refactor"
"""What stands there for a selection whose refactorings are to be tried."""


def fixable(
    path: str, report: FileReport, index: LineIndex, first: int, last: int, menu: bool = False
) -> frozenset[tuple[str, int, int]]:
    """The findings (rule, first and last byte) whose fixes may be wanted for a selection: those at it, and what is said of the
    kernel around it; the loops that may be capped there; and, for the `menu` of refactorings, the selection itself."""
    around = {
        k.name_span for k in report.kernels if k.span.file == path and k.span.start <= last and first <= k.span.end
    }
    caps = frozenset(
        (CAPPED, proposal.place.start, proposal.place.end)
        for kernel in report.kernels
        if kernel.span.file == path
        for proposal in proposals(kernel, index)
        if not proposal.metrics and _is_near(proposal, kernel, index, first, last)
    )
    whole = frozenset({(REFACTORED, first, last)} if menu else ())
    return (
        whole
        | caps
        | frozenset(
            (f.check, f.span.start, f.span.end)
            for f in report.findings
            if f.check in TRIED | CURED
            and f.span.file == path
            and (f.span in around or (f.span.start <= last and first <= f.span.end))
        )
    )


def actions(path: str, report: FileReport, index: LineIndex, first: int, last: int) -> Iterator[Action]:
    """The actions for a selection, from byte to byte.

    Annotations are offered on the line of what they are about, and on the kernel's name, once they were tried.  To silence
    comes last."""
    here = [f for f in report.findings if f.span.file == path and f.span.start <= last and first <= f.span.end]
    for finding in here:
        removal = removing(finding, index)
        for fix in (*finding.fixes, *([removal] if removal is not None else [])):
            if all(edit.span.file == path for edit in fix.edits):
                preferred = finding.check == PADDED and fix is not removal
                yield Action(fix.title, fix.edits, (finding.span, finding.check), preferred)
        yield from _refused(finding)
    yield from _refactorings(report, {fix.edits for finding in here for fix in finding.fixes})
    checked = {edit for finding in report.findings for fix in finding.fixes for edit in fix.edits}
    tried = {outcome.edit: outcome for outcome in report.tried}
    from analysis_core.report.expect_cost import contracts_for  # with expressions, which no server needs at its start

    seen = {edit for finding in here for fix in finding.fixes for edit in fix.edits}
    for kernel in report.kernels:
        if kernel.span.file != path:
            continue
        for proposal in proposals(kernel, index):
            if proposal.edit in seen or not _is_near(proposal, kernel, index, first, last):
                continue
            if proposal.metrics:
                if proposal.edit in checked:  # Else it was tried, and gives no bound.
                    seen.add(proposal.edit)
                    yield Action(proposal.title, (proposal.edit,))
            elif (outcome := tried.get(proposal.edit)) is not None:
                seen.add(proposal.edit)
                yield Action(outcome.title, (proposal.edit,), refused=outcome.refused)
        for contract in contracts_for(kernel, index, first, last):
            if contract.edits[0] not in seen:
                seen.add(contract.edits[0])
                yield Action(contract.title, contract.edits)
    silenced: set[Fix] = set()
    for finding in here:
        comment = silencing(finding, index)
        if comment is not None and comment not in silenced:
            silenced.add(comment)
            yield Action(comment.title, comment.edits, (finding.span, finding.check))


def _refactorings(report: FileReport, edited: set[tuple[Edit, ...]]) -> Iterator[Action]:
    """What was tried at the selection, each once: what cures a finding of it first.  `edited`: what fixes do already."""
    for one in report.refactored:
        if one.refused is not None:
            yield Action(one.title, refused=one.refused)
        elif one.edits not in edited:
            edited.add(one.edits)
            yield Action(one.title, one.edits, one.cures)


def _refused(finding: Finding) -> Iterator[Action]:
    """What was tried and is not offered, with the reason."""
    for note in finding.notes:
        refused = read_refusal(note.message)
        if refused is not None:
            tile, reason = refused
            yield Action(f"Pad `{tile}`", (), (finding.span, finding.check), refused=reason)


def _is_near(proposal: Proposal, kernel: KernelReport, index: LineIndex, first: int, last: int) -> bool:
    """Whether a selection lies on the line that an annotation is about, or on the kernel's name."""
    place = _line(index, proposal.place)
    on_name = kernel.name_span.start <= last and first <= kernel.name_span.end
    return on_name or (place.start <= last and first <= place.end)


def _line(index: LineIndex, place: Span) -> Span:
    """The line on which a place begins: a loop's body may be long, and is not meant."""
    start, end = index.line_range(index.line_of(place.start))
    return Span(place.file, start, end)
