"""WC401 data-race: two threads meet in memory, one of them writes, and no barrier orders them.

    certain      a simulated run has met it, whatever memory holds                  warning, one per array
    conditional  parameters decide, and a condition on them keeps the threads apart information, one per kernel
    data         what memory holds decides                                          hint, one per kernel
    benign       all of them store the same value                                   hint, one per kernel

What is not decided stands in the report of JSON alone.  Lanes of one warp are WC403's.
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis_core.profile.kernel_context import Context
from analysis_core.races.verdicts import Race, Scope, Verdict
from analysis_core.report.findings import model
from analysis_core.report.findings.check import Check
from analysis_core.report.findings.model import CheckId, Finding, Level
from analysis_core.report.findings.race_words import array_of, meeting, race_notes, races_in, told
from analysis_core.report.findings.reasons import quoted

CODE = CheckId("WC401")


def find(context: Context) -> Iterator[Finding]:
    """The certain ones, and one of each quieter kind."""
    said: set[Verdict] = set()
    for race in races_in(context):
        if race.scope is Scope.WARP or race.verdict in said:
            continue
        found = _finding(context, race)
        if found is not None:
            yield found
            if race.verdict is not Verdict.CERTAIN:
                said.add(race.verdict)


def _finding(context: Context, race: Race) -> Finding | None:
    array = quoted(array_of(race))
    match race.verdict:
        case Verdict.CERTAIN if race.witness is not None:
            level, head = Level.WARNING, f"Data race on {array}"
        case Verdict.CONDITIONAL if race.required is not None and _is_asked(context, race):
            level, head = Level.INFORMATION, f"Data race on {array} unless {quoted(race.required.text)}"
        case Verdict.DATA:
            level, head = Level.HINT, f"Data race on {array} if memory holds the values for it"
        case Verdict.BENIGN:
            level, head = Level.HINT, f"Data race on {array}, harmless as all store the same value"
        case _:
            return None
    fails = model.Verdict.FAILS if level is Level.WARNING else model.Verdict.MAY_FAIL
    return Finding(CODE, fails, level, told(race).span, f"{head}: {meeting(race)}", race_notes(context, race))


def _is_asked(context: Context, race: Race) -> bool:
    """Whether the condition of a race is the caller's to see to: launches in view mostly make the grid of the sizes that it is about."""
    on_grid = race.scope is Scope.GRID or (race.required is not None and "gridDim" in race.required.text)
    return not on_grid or context.facts.source != "call"


CHECK = Check(CODE, "data-race", "two threads meet in memory with no barrier between", Level.WARNING, find)
