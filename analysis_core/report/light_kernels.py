"""Kernels that do little beside others that are launched wherever they are: what they waste is no warning.

    for (int i = 0; i < steps; i++) {
        forces<<<n / 256, 256>>>(p, n);      // each thread goes through all n particles
        move<<<n / 256, 256>>>(p, n);        // each thread moves one
    }

How much a thread does is reckoned roughly, by what it does most often: loops of unknown length have as many rounds as in findings.  So findings of
`move` stay, as information.

This is asked where the report of a file is put together: the report of one kernel never rests on the body of another, so that an edit
of a kernel makes that one stale alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from analysis_core.cost.facts import KernelFacts
from analysis_core.report.model import Finding, KernelReport, Level
from analysis_core.report.shares import representative_sizes
from analysis_core.support.settings import Settings

_FAR_MORE = 64
"""Times as often as a thread of one kernel does anything, a thread of another does something."""


def most_often(facts: KernelFacts, settings: Settings) -> int:
    """How often a warp does what it does most often, at representative sizes; once at least."""
    sizes = representative_sizes(facts, settings)
    times = (*(access.times for access in facts.accesses), *(branch.times for branch in facts.branches))
    return max((sizes.executions(one, settings) for one in times), default=1) or 1


def quieter_where_light(kernels: Sequence[KernelReport]) -> tuple[KernelReport, ...]:
    """The kernels of a file, those without warnings that are light beside others of it."""
    if not any(kernel.peers and _has_warnings(kernel.findings) for kernel in kernels):
        return tuple(kernels)
    often: dict[str, int] = {}
    for kernel in kernels:
        often[kernel.name] = max(often.get(kernel.name, 0), kernel.often)
    return tuple(_informed(kernel) if _is_light(kernel, often) else kernel for kernel in kernels)


def _has_warnings(findings: Iterable[Finding]) -> bool:
    return any(finding.share is not None and finding.level.rank > Level.INFORMATION.rank for finding in findings)


def _is_light(kernel: KernelReport, often: Mapping[str, int]) -> bool:
    own = often[kernel.name]
    return any(often.get(peer, 0) >= _FAR_MORE * own for peer in kernel.peers)


def _informed(kernel: KernelReport) -> KernelReport:
    found = (replace(f, level=Level.INFORMATION) if _has_warnings((f,)) else f for f in kernel.findings)
    return replace(kernel, findings=tuple(found))
