"""WC404 idle-barrier: a barrier of the block that orders no two accesses, so that the threads wait for nothing.

Told where the pairs of accesses to shared and to global memory are all proved apart without it (races/barriers.py), under every launch and in every
kernel that comes to it.  Silent where threads may tell each other something through memory: atomics, fences, volatile memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from analysis_core.ir.launch_site import is_assumed
from analysis_core.ir.nodes import Barrier, Kernel
from analysis_core.ir.walk import statements_of
from analysis_core.profile.kernel_context import Context
from analysis_core.races.verdicts import RaceReport
from analysis_core.report.findings.check import Check, launch_notes
from analysis_core.report.findings.model import CheckId, Finding, Level, Verdict
from analysis_core.report.findings.reasons import quoted
from analysis_core.text.span import Span

CODE = CheckId("WC404")


def find(context: Context) -> Iterator[Finding]:
    """One finding per barrier, where a launch in view says the shape of the block."""
    facts, races = context.facts, context.profile.races
    if races is None or is_assumed(facts.source) or context.kernel.guessed:
        return
    for one in races.barriers:
        if one.is_idle and one.barrier.file == context.kernel.span.file:
            message = f"{quoted(one.text)} is not needed: no two threads touch the same memory before and after it"
            yield Finding(CODE, Verdict.FAILS, Level.INFORMATION, one.barrier, message, launch_notes(context))


def needed(kernel: Kernel, launches: Iterable[RaceReport | None]) -> tuple[Span, ...]:
    """The barriers of a kernel that are not proved idle under each of its launches."""
    known = [set[Span]() if races is None else {b.barrier for b in races.barriers if b.is_idle} for races in launches]
    idle = set[Span].intersection(*known) if known else set()
    found = (stmt.span for stmt in statements_of(kernel) if isinstance(stmt, Barrier))
    return tuple(dict.fromkeys(span for span in found if span not in idle))


def needed_nowhere(findings: Iterable[Finding], barriers: frozenset[Span]) -> tuple[Finding, ...]:
    """The findings, but for those on barriers that another kernel or launch needs."""
    return tuple(one for one in findings if one.check != CODE or one.span not in barriers)


CHECK = Check(CODE, "idle-barrier", "a barrier orders no two accesses", Level.INFORMATION, find)
