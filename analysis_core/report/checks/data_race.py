"""WC401 data-race: two threads of a block meet in shared memory, one of them writes, and no barrier lies between.

Told only where it is certain: parameters alone decide whether they meet, and the simulator has run into it (races/decide.py).  Of each array
one pair of accesses is told.  Silent are lanes of one warp, which nearly all code keeps in step, and threads that store the same value.
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis_core.profile.kernel_context import Context
from analysis_core.races.verdicts import Place, Race, Verdict, Witness
from analysis_core.report.findings import model
from analysis_core.report.findings.check import Check
from analysis_core.report.findings.model import CheckId, Finding, Level, Note
from analysis_core.report.findings.reasons import quoted

CODE = CheckId("WC401")


def find(context: Context) -> Iterator[Finding]:
    """One finding per array."""
    races = () if context.profile.races is None else context.profile.races.races
    for race in races:
        if race.verdict is Verdict.CERTAIN and race.witness is not None:
            yield _finding(race, race.witness)


def _finding(race: Race, witness: Witness) -> Finding:
    told, other = (race.second, race.first) if race.second.does != "reads" else (race.first, race.second)
    if told is other or told.span == other.span:
        message = (
            f"Data race on {quoted(witness.array)}: several threads of a block {_plural(told)} here at the same time"
        )
    else:
        message = (
            f"Data race on {quoted(witness.array)}: {quoted(told.text)} is {told.done} here while another thread"
            f" {other.does} {quoted(other.text)}, with no barrier between"
        )
    notes = (Note(f"the other thread {other.does} it here", other.span),) if other.span != told.span else ()
    return Finding(CODE, model.Verdict.FAILS, Level.WARNING, told.span, message, (*notes, Note(_shown(race, witness))))


def _shown(race: Race, witness: Witness) -> str:
    """The two threads, where they meet, and under which values."""
    (first, second), under = witness.threads, ", ".join(f"{name} = {n}" for name, n in witness.values.items())
    who = f"thread {_at(first.thread)} {race.first.does} {quoted(race.first.text)}, thread {_at(second.thread)} {race.second.does} {quoted(race.second.text)}"
    values = f" with {under}" if under else ""
    return f"seen in a simulated run{values}: in block {_at(first.block)} {who}, both byte {witness.byte} of {quoted(witness.array)}"


def _at(place: tuple[int, int, int]) -> str:
    return f"({place[0]}, {place[1]}, {place[2]})"


def _plural(place: Place) -> str:
    return {"reads": "read", "writes": "write"}.get(place.does, "update")


CHECK = Check(CODE, "data-race", "two threads meet in shared memory with no barrier between", Level.WARNING, find)
