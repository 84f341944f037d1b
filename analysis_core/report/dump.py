"""A kernel's facts and findings as a table in text: `warpcost explain --stage report`.

One line per access and branch, with the source place first, so that a wrong figure can be pointed at.
"""

from __future__ import annotations

from collections.abc import Callable

from analysis_core.expressions.bounds import MetricBound
from analysis_core.expressions.expression import Expression, to_text
from analysis_core.ir.nodes import IfKind, LoopKind
from analysis_core.program.launch import shape_text
from analysis_core.report.findings.model import FileReport, KernelReport
from analysis_core.requests.facts import AccessFact, BranchFact, KernelFacts
from analysis_core.text.span import Span

Place = Callable[[Span], str]


def dump(report: FileReport, place: Place) -> str:
    """All kernels of a file; `place` spells a span ("a.cu:7:5").  Ends with a newline unless empty."""
    lines: list[str] = []
    for kernel in report.kernels:
        lines += _kernel(kernel, place)
    for finding in report.findings:
        share = "" if finding.share is None else f" share={finding.share:.3f}"
        verdict = finding.verdict.name.lower()
        lines.append(f"{place(finding.span)} {finding.level.value}[{finding.check}] {verdict}{share} {finding.message}")
    return "".join(line + "\n" for line in lines)


def _kernel(kernel: KernelReport, place: Place) -> list[str]:
    lines = [f"kernel {kernel.instantiation or kernel.name} at {place(kernel.name_span)}"]
    if kernel.failure is not None:
        lines.append(f"  failed: {kernel.failure}")
    for launch in kernel.launches:
        lines += _launch(launch.facts, place)
    lines += [f"  unknown {cause.kind.value}: {cause.reason}{_at(cause.span, place)}" for cause in kernel.unknowns]
    return [*lines, ""]


def _launch(facts: KernelFacts, place: Place) -> list[str]:
    grid = "?" if facts.grid is None else "x".join(facts.grid)
    lines = [f"  launch block={shape_text(facts.block)} grid={grid} from {facts.source}{_at(facts.launch_span, place)}"]
    lines += [f"    assume {assumption.text}{_at(assumption.span, place)}" for assumption in facts.assumptions]
    lines += [f"    {_access(access, place)}" for access in facts.accesses]
    lines += [f"    {_branch(branch, place)}" for branch in facts.branches]
    metrics = {} if facts.bounds is None else facts.bounds.metrics
    return lines + [f"    {_bound(bound, place)}" for bound in metrics.values()]


def _bound(bound: MetricBound, place: Place) -> str:
    """ "bound sectors <= 40, >= 32 [32 when w % 8 == 0] per block <= 320 by closed form"."""
    warp = bound.per_warp
    if warp.upper is None:
        because = warp.because
        return f"bound {bound.metric} none" + (f" because {because.text}{_at(because.span, place)}" if because else "")
    cases = "".join(
        f" [{_times(case.upper)}{'' if case.exact else ' at most'} when {case.when}]" for case in warp.cases
    )
    least = " exact" if warp.exact else f", worst >= {to_text(warp.worst_lower)}"
    sums = f" per block <= {_times(bound.per_block.upper)} per launch <= {_times(bound.per_launch.upper)}"
    return f"bound {bound.metric} <= {to_text(warp.upper)}{least}{cases}{sums} by {warp.method or '?'}"


def _access(access: AccessFact, place: Place) -> str:
    cause = "" if access.why.cause is None else f" because {access.why.cause.reason}"
    cases = "".join(f" [{case.cost} when {case.when}]" for case in access.cases)
    exact = " exact" if access.exact else ""
    requests = f" x{access.requests}" if access.requests != 1 else ""
    return (
        f"{place(access.span)} {access.rw.value} {access.space.value} `{access.text}` {access.bytes}B{requests} "
        f"worst={access.worst} best={access.best} ideal={access.ideal}{exact} times={_times(access.times)} "
        f"{access.pattern.value}{cases}{cause}"
    )


def _branch(branch: BranchFact, place: Place) -> str:
    kind = branch.kind.value if isinstance(branch.kind, IfKind | LoopKind) else branch.kind
    cause = "" if branch.why.cause is None else f" because {branch.why.cause.reason}"
    spread = "" if branch.leaving.spread is None else f" spread={branch.leaving.spread}"
    work = ",".join("work" if has else "light" for has in branch.work)
    return (
        f"{place(branch.span)} {kind} `{branch.spelled.text}` {branch.divergence.value} active={branch.splits.active[0]}..{branch.splits.active[1]}"
        f"{spread} {work} times={_times(branch.times)}{cause}"
    )


def _times(times: Expression | None) -> str:
    return "?" if times is None else to_text(times)


def _at(span: Span | None, place: Place) -> str:
    return "" if span is None else f" at {place(span)}"
