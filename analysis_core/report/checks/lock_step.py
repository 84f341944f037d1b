"""WC403 lock-step: lanes of one warp exchange something in memory, and no `__syncwarp()` lies between.

Since compute capability 7.0 lanes need not run in step.  One finding per kernel: a warning where a run of the simulator that takes the lanes apart
has met it, else a hint, since nearly all code of earlier years does so.
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis_core.profile.kernel_context import Context
from analysis_core.races.verdicts import Scope, Verdict
from analysis_core.report.findings import model
from analysis_core.report.findings.check import Check
from analysis_core.report.findings.model import CheckId, Finding, Level
from analysis_core.report.findings.race_words import array_of, meeting, race_notes, races_in, told
from analysis_core.report.findings.reasons import quoted

CODE = CheckId("WC403")


def find(context: Context) -> Iterator[Finding]:
    """The loudest one, on devices whose lanes may run apart."""
    if not context.settings.lanes_run_apart:
        return
    for race in races_in(context):
        shown = race.verdict is Verdict.CERTAIN
        if race.scope is Scope.WARP and (shown or race.verdict is Verdict.LOCK_STEP):
            level, verdict = (Level.WARNING, model.Verdict.FAILS) if shown else (Level.HINT, model.Verdict.MAY_FAIL)
            message = f"Race within a warp on {quoted(array_of(race))}: {meeting(race)}"
            yield Finding(CODE, verdict, level, told(race).span, message, race_notes(context, race))
            return


CHECK = Check(CODE, "lock-step", "lanes of a warp exchange something without `__syncwarp()`", Level.WARNING, find)
