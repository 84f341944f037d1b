"""Pragmas that bring an array of a thread into registers, each tried: the edited text is analysed, and none of its launches may have the array in memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from analysis_core.ir.nodes import Kernel
from analysis_core.report.findings.model import FileReport, Finding, Fix, KernelReport, Note
from analysis_core.report.fixes.edits import moved
from analysis_core.report.fixes.unroll_loop import said_of, title, unrolled
from analysis_core.text.span import Span
from analysis_core.traffic.own_arrays import REGISTER_BYTES, OwnArray

if TYPE_CHECKING:
    from analysis_core.pipeline.checked_fixes import Trials


def with_unrolling(finding: Finding, report: FileReport, kernels: Sequence[Kernel], trials: Trials) -> Finding:
    """The finding with the fix, or with the reason why there is none.  Nothing is added where the index is none that a loop counts."""
    around = [kernel for kernel in report.kernels if any(_arrays(kernel, finding.span))]
    loops = {loop for kernel in around for array in _arrays(kernel, finding.span) for loop in _counted(array)}
    counted = next(iter(loops)) if len(loops) == 1 else None
    if counted is None:
        return finding
    outcome = _outcome(finding, counted, around, kernels, trials)
    if isinstance(outcome, Fix):
        return replace(finding, fixes=(*finding.fixes, outcome))
    return replace(finding, notes=(*finding.notes, Note(f"no `#pragma unroll` is offered: {outcome}")))


def _arrays(kernel: KernelReport, place: Span) -> Iterator[OwnArray]:
    """The arrays that are declared there, under each launch."""
    return (array for launch in kernel.launches for array in launch.profile.own if array.span == place)


def _counted(array: OwnArray) -> set[Span | None]:
    """The loops whose iterations its indexes count; None for another index."""
    return {array.loops.get(number) for number in array.indexed}


def _outcome(
    finding: Finding, loop: Span, around: Sequence[KernelReport], kernels: Sequence[Kernel], trials: Trials
) -> Fix | str:
    if loop.file != trials.place.path:
        return "the loop stands in another file"
    if any((array.bytes or 0) > REGISTER_BYTES for kernel in around for array in _arrays(kernel, finding.span)):
        return "it is larger than the registers of a thread"
    if said_of(loop, kernels):
        return "a pragma before the loop says how it is unrolled"
    edit = unrolled(loop, trials.text)
    if isinstance(edit, str):
        return edit
    for kernel in around:
        after = trials.profiles(edit, kernel.name, kernel.name_span)
        if not after:
            return "too many edits were tried in this file"
        there = moved(finding.span, edit) if finding.span.start >= edit.span.start else finding.span
        if any(array.span == there for profile in after for array in profile.own):
            return "the number of iterations, of this loop or of one in it, is not a constant"
    return Fix(title([finding.message.split("`")[1]]), (edit,))
