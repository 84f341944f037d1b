"""What a rule is: its code, name, summary, default level, and a function from facts to findings.

Each rule lives in one file of `checks/`, which exports `CHECK`; `registry.py` lists them.  A rule sees one kernel
under one launch configuration; `judge.py` merges launches, keeps the worst finding per statement and applies
suppressions, so a rule reports every place it fires at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from analysis_core.expressions.expression import safe_name, symbols
from analysis_core.ir.nodes import UnknownStmt
from analysis_core.ir.walk import statements_of
from analysis_core.profile.access_profile import AccessProfile, BranchProfile
from analysis_core.profile.kernel_context import Context
from analysis_core.profile.sureness import is_of_open_size, is_upper_figure
from analysis_core.report.findings.model import Asked, CheckId, Finding, Level, Note, Verdict
from analysis_core.report.findings.reasons import block_text, quoted, sizes_passed
from analysis_core.requests.facts import Hop
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_KEPT = "the same element in all iterations of this loop: counted once, a register keeps it"
_LEAVING = "each thread exits this loop right after: counted once, although threads may exit at different iterations"


def _nothing(context: Context) -> Iterator[Finding]:
    return iter(())


@dataclass(frozen=True, slots=True)
class Check:
    """`level` is the loudest at which the rule reports.  A rule has a table of gates (`ask`), or finds what it reports otherwise (`find`)."""

    code: CheckId
    name: str
    summary: str
    level: Level
    find: Callable[[Context], Iterator[Finding]] = _nothing
    ask: Callable[[Context], Iterator[Asked]] | None = None

    def asked(self, context: Context) -> Iterator[Asked | Finding]:
        """What the rule finds, and of rules with gates what they asked about each place."""
        return self.find(context) if self.ask is None else self.ask(context)


SHOWN_WAYS = 2
"""Rows that say how an index follows the thread: its card says all of it."""

LOUD_SECTORS, QUIET_SECTORS = 4, 2
"""Excess sectors per request from which an access may be a warning, or be reported at all.  A full warp of floats needs 4
sectors: two rows that are broadcast to half a warp each cost 2 instead of 1, and nobody gains by changing that."""


def told_at_all_blocks(context: Context, ask: Callable[[Context], Iterator[Asked]]) -> frozenset[Span]:
    """The places that a rule warns of at all other common blocks, where nothing says which block it is."""
    each = [
        frozenset(one.span for one in ask(other) if one.level is Level.WARNING) for other in context.at_other_blocks
    ]
    return frozenset[Span]().union(*each[:1]).intersection(*each)


def is_of_open_constants(context: Context, access: AccessProfile) -> bool:
    """Whether an upper figure is multiplied by constants that no file in view gives, beside accesses that are left
    out. Neither the cost nor its share is known then."""
    if not is_upper_figure(access) or access.fact.times is None:
        return False
    open_names = {one.name for one in context.facts.symbols if one.kind == "parameter" and one.span is None}
    known = {safe_name(one.name) for one in context.profile.ranges} | context.settings.values.keys()
    if not (open_names - known) & set(symbols(access.fact.times)):
        return False
    return any(isinstance(stmt, UnknownStmt) and stmt.memory for stmt in statements_of(context.kernel))


def verdict_of(access: AccessProfile) -> Verdict:
    """FAILS where even the best request costs more than the ideal, and some lane surely makes it."""
    open_ = access.frequency.rarity > 0 or is_of_open_size(access.fact)
    return Verdict.FAILS if access.fact.best > access.fact.ideal and not open_ else Verdict.MAY_FAIL


def notes_of(context: Context, place: AccessProfile | BranchProfile) -> tuple[Note, ...]:
    """Related places: how the index follows the thread, why something is not known, the calls that lead here, and the
    launch.  One note a place, and none at the place of the finding itself."""
    notes = list(islice(_ways(place), SHOWN_WAYS))
    if not notes and place.fact.why.origin is not None:
        notes.append(Note("differs between threads from here on", place.fact.why.origin))
    if place.fact.why.cause is not None:
        notes.append(Note(place.fact.why.cause.reason, place.fact.why.cause.span))
    if isinstance(place, AccessProfile) and place.fact.block.kept is not None:
        notes.append(Note(_LEAVING if place.fact.block.kept.leaving else _KEPT, place.fact.block.kept.loop))
    if isinstance(place, AccessProfile) and place.traffic.joined:
        notes.append(
            Note(
                f"the compiler joins it with its neighbours into one request of {place.fact.bytes} bytes; the numbers are of that request"
            )
        )
    if isinstance(place, AccessProfile) and place.traffic.seen:
        sizes = sizes_passed(place, context.profile.ranges)
        notes.append(Note(f"the numbers are for {sizes}"))
    if isinstance(place, AccessProfile) and place.traffic.room is not None:
        notes.append(
            Note(f"{quoted(place.fact.base)} is allocated with {place.traffic.room} bytes where it is launched")
        )
    notes.extend(Note("called from here", span) for span in reversed(place.fact.via))
    notes.extend(launch_notes(context))
    first: dict[Span | str, Note] = {}
    for note in notes:
        first.setdefault(note.span or note.message, note)
    return tuple(note for note in first.values() if note.span != place.fact.span)


def launch_notes(context: Context) -> tuple[Note, ...]:
    """Where the kernel is launched, if that is in view, and with which numbers it was analysed."""
    facts = context.facts
    if facts.launch_span is None or facts.source != "call":
        return ()
    passed = "".join(f", {quoted(name)} = {value}" for name, value in context.profile.numbers.items())
    return (Note(f"launched here with {block_text(facts)}{passed}", facts.launch_span),)


def _ways(place: AccessProfile | BranchProfile) -> Iterator[Note]:
    """The statements by which names of the index follow threadIdx, and what is done to them on the way: `SHOWN_WAYS` at most, of which one stands
    for all between."""
    for hops, factors in () if place.fact.why.story is None else place.fact.why.story.sources:
        steps = [hop for hop in hops if hop.span is not None and hop.follows is not None]
        if steps:
            yield _way(steps[:1])
        if steps[1:]:
            yield _way(steps[1:])
        name = quoted(hops[0].name) if hops else "the index"
        yield from (Note(f"{name} {factor.text}", factor.span) for factor in factors if factor.span is not None)


def _way(steps: Sequence[Hop]) -> Note:
    """ "`i4` is computed from threadIdx.x through `idx`": how a name follows another, by way of those between."""
    through = " and ".join(quoted(hop.name) for hop in steps[1:])
    source = quoted(steps[-1].follows or "")
    return Note(f"{quoted(steps[0].name)} is computed from {source}{through and f' through {through}'}", steps[0].span)
