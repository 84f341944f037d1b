"""Two accesses that may meet, in words: what is told of them, where the other one stands, and which two threads they are."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from analysis_core.profile.kernel_context import Context
from analysis_core.races.verdicts import Place, Race, Scope, Thread, Verdict
from analysis_core.report.findings.check import launch_notes
from analysis_core.report.findings.model import Note
from analysis_core.report.findings.reasons import quoted
from analysis_core.support.spelling import in_a_row

_TOGETHER = {
    Scope.WARP: "lanes of a warp {} here in any order",
    Scope.BLOCK: "several threads of a block {} here at the same time",
    Scope.GRID: "threads of several blocks {} here at the same time",
}
_OTHER = {
    Scope.WARP: ("another lane of the warp", ", with no `__syncwarp()` between"),
    Scope.BLOCK: ("another thread", ", with no barrier between"),
    Scope.GRID: ("a thread of another block", ", and no barrier orders blocks"),
}


def races_in(context: Context) -> tuple[Race, ...]:
    """The pairs of accesses of a kernel that are not proved apart."""
    return () if context.profile.races is None else context.profile.races.races


def array_of(race: Race) -> str:
    """The array in which they meet."""
    return race.first.text if race.witness is None else race.witness.array


def told(race: Race) -> Place:
    """The one of both accesses at which a race is told: one that writes."""
    return race.second if race.second.does != "reads" else race.first


def meeting(race: Race) -> str:
    """ "`s[t]` is written here while another thread reads `s[t + 1]`, with no barrier between"."""
    here, other = _sides(race)
    if here.span == other.span:
        return _TOGETHER[race.scope].format(in_a_row(tuple(dict.fromkeys((_plural(other), _plural(here))))))
    who, between = _OTHER[race.scope]
    return f"{quoted(here.text)} is {here.done} here while {who} {other.does} {quoted(other.text)}{between}"


def race_notes(context: Context, race: Race) -> tuple[Note, ...]:
    """The other access, the two threads, and the launch."""
    here, other = _sides(race)
    notes = list(_threads(race))
    if other.span != here.span:
        notes.insert(0, Note(f"the other thread {other.does} it here", other.span))
    return (*notes, *launch_notes(context))


def _threads(race: Race) -> Iterator[Note]:
    """Where both threads meet, and under which values."""
    witness = race.witness
    if witness is None:
        return
    one, other = witness.threads
    under = values_text(witness.values.items())
    head = "seen in a simulated run" if race.verdict is Verdict.CERTAIN else "for example"
    who = (
        f"in block {_at(one.block)} thread {_at(one.thread)} {race.first.does} {quoted(race.first.text)},"
        f" {_same_block(one, other)}thread {_at(other.thread)} {race.second.does} {quoted(race.second.text)}"
    )
    place = f", both byte {witness.byte} of {quoted(witness.array)}" if race.verdict is Verdict.CERTAIN else ""
    yield Note(f"{head}{under}: {who}{place}")


def values_text(values: Iterable[tuple[str, int]]) -> str:
    """ " with n = 5, w = 3"; "" for none."""
    listed = ", ".join(f"{name} = {value}" for name, value in values)
    return f" with {listed}" if listed else ""


def thread_text(thread: Thread) -> str:
    """ "thread (5, 0, 0) of block (0, 0, 0)"."""
    return f"thread {_at(thread.thread)} of block {_at(thread.block)}"


def _same_block(one: Thread, other: Thread) -> str:
    return "" if one.block == other.block else f"in block {_at(other.block)} "


def _sides(race: Race) -> tuple[Place, Place]:
    here = told(race)
    return here, race.first if here is race.second else race.second


def _at(place: tuple[int, int, int]) -> str:
    return f"({place[0]}, {place[1]}, {place[2]})"


def _plural(place: Place) -> str:
    return {"reads": "read", "writes": "write"}.get(place.does, "update")
