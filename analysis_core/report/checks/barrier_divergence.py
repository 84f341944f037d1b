"""WC402 barrier-divergence: a barrier of the block to which not all of its threads come.

Threads that have returned are not waited for since compute capability 7.0: information there.  One finding per kernel of those that parameters or
memory decide.
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis_core.profile.kernel_context import Context
from analysis_core.races.verdicts import Divergence, Scope, Verdict
from analysis_core.report.findings import model
from analysis_core.report.findings.check import Check, launch_notes
from analysis_core.report.findings.model import CheckId, Finding, Level, Note
from analysis_core.report.findings.race_words import thread_text, values_text
from analysis_core.report.findings.reasons import quoted

CODE = CheckId("WC402")

_LEVELS = {
    Verdict.CERTAIN: Level.WARNING,
    Verdict.CONDITIONAL: Level.INFORMATION,
    Verdict.DATA: Level.HINT,
}


def find(context: Context) -> Iterator[Finding]:
    """One finding per barrier that is surely parted, and one of those that are by parameters or by data."""
    found = () if context.profile.races is None else context.profile.races.divergences
    said: set[Level] = set()
    for one in found:
        level = _level(context, one)
        if level is not None and level not in said:
            yield _finding(context, one, level)
            if level is not Level.WARNING:
                said.add(level)


def _level(context: Context, one: Divergence) -> Level | None:
    level = _LEVELS.get(one.verdict)
    if level is Level.WARNING and one.left and context.settings.lanes_run_apart:
        return Level.INFORMATION
    return level


def _finding(context: Context, one: Divergence, level: Level) -> Finding:
    whole = "warp" if one.scope is Scope.WARP else "grid" if one.scope is Scope.GRID else "block"
    if one.left:
        message = (
            f"Threads of the {whole} may have returned before {quoted(one.text)}: undefined before compute capability 7.0,"
            " and what they should have stored is missing"
        )
    else:
        may = "" if level is Level.WARNING else "may "
        message = f"{quoted(one.text)} {may}part{'s' if not may else ''} the {whole}: some threads wait here and others never come"
    verdict = model.Verdict.FAILS if level is Level.WARNING else model.Verdict.MAY_FAIL
    return Finding(CODE, verdict, level, one.barrier, message, (*_notes(one), *launch_notes(context)))


def _notes(one: Divergence) -> Iterator[Note]:
    if one.thread is not None and one.absent is not None:
        head = "seen in a simulated run" if one.verdict is Verdict.CERTAIN and not one.left else "for example"
        under = values_text(one.values.items())
        yield Note(f"{head}{under}: {thread_text(one.thread)} comes here, {thread_text(one.absent)} does not")
    if one.cause:
        yield Note(one.cause)


CHECK = Check(CODE, "barrier-divergence", "not all threads of a block come to a barrier", Level.WARNING, find)
