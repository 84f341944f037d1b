"""WC105 redundant-loads: threads of a block load the same elements from global memory again and again in a loop.

How often is exact from addresses (requests/reuse.py), and a lower figure.  It is told with the bytes of shared memory that the elements of some rounds take:
a tile that each thread loads one element of.  Never a warning, as first caches hold what warps ask for at nearly one time, and how much of it nobody knows.
Quiet where a round loads one element for all threads, which a cache serves as well; where compilers keep the element in a register; where the kernel
writes to the array; and where nothing is loaded twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analysis_core.expressions.expression import Expression, constant
from analysis_core.ir.launch_site import is_assumed
from analysis_core.ir.types import Space
from analysis_core.profile.access_profile import AccessProfile
from analysis_core.profile.evidence import Evidence
from analysis_core.profile.kernel_context import Context
from analysis_core.profile.shares import access_times, moved
from analysis_core.profile.sizes import Guess, at_sizes
from analysis_core.profile.slots import CYCLE
from analysis_core.profile.sureness import is_our_limit
from analysis_core.profile.work import FELT_LOUD, work_of
from analysis_core.report.findings.alike import weighed
from analysis_core.report.findings.check import Check, notes_of
from analysis_core.report.findings.gates import ASSUMED_BLOCK, Gate, asked
from analysis_core.report.findings.model import Asked, CheckId, Finding, Level, Note, Reason, Verdict
from analysis_core.report.findings.uncounted import without
from analysis_core.report.findings.wording import array_text, assuming_text, is_most, sentences, share_text, times_text
from analysis_core.requests.facts import ReadWrite, Reuse
from analysis_core.support.spelling import in_a_row
from analysis_core.text.records import dataclass

CODE = CheckId("WC105")

LEAST_TIMES = 4
"""Loads of each element from which it is told."""

MOST_SHARED = 48 * 1024
"""Bytes of static shared memory that a block may have."""


@dataclass(frozen=True, slots=True)
class Again:
    """One load.  `share`, `least`: its part (0 to 1) of the kernel's global traffic, and the least that it may be; `paid`: its sectors."""

    context: Context
    access: AccessProfile
    reuse: Reuse
    share: float
    least: float
    paid: float

    @property
    def times(self) -> float:
        """How often each element is loaded, at representative sizes."""
        context, trips = self.context, self.reuse.trips
        return self.reuse.times_in(1 if trips is None else context.weights.sizes.executions(trips, context.settings))

    @property
    def spared(self) -> float:
        """The part of its loads that a tile would spare."""
        return 1 - 1 / max(1.0, self.times)

    @property
    def work(self) -> float:
        """What these are of the kernel's work."""
        total = work_of(self.context, Guess()).total
        return CYCLE * self.paid * self.spared / total if total else 0.0


def _is_written(again: Again) -> bool:
    accesses = again.context.profile.accesses
    return any(
        a.fact.base in (again.access.fact.base, "?") and a.fact.rw is not ReadWrite.READ
        for a in accesses
        if a.fact.space is not Space.SHARED
    )


def _is_assumed(again: Again) -> bool:
    return is_assumed(again.context.facts.source)


SITES: tuple[Gate[Again], ...] = (
    Gate(
        "seldom twice",
        Evidence.PROVED,
        f"threads of a block load each element fewer than {LEAST_TIMES} times",
        lambda a: a.times < LEAST_TIMES,
    ),
    Gate(
        "one for all",
        Evidence.PATTERN,
        "a round loads one element for all threads: a cache serves it as well as shared memory",
        lambda a: a.reuse.fresh <= a.reuse.rounds,
    ),
    Gate(
        "in a register",
        Evidence.PATTERN,
        "compilers keep the element in a register, or make no such request",
        lambda a: a.access.fact.block.kept is not None or _often(a) == 1,
    ),
    Gate(
        "written",
        Evidence.PROVED,
        "the kernel writes to the array, or to one that nobody knows",
        _is_written,
    ),
    Gate(
        "not understood",
        Evidence.DEFAULT,
        "only an upper bound is known here",
        lambda a: is_our_limit(a.access.fact),
    ),
    Gate(
        "one of many blocks",
        Evidence.PROVED,
        "only few blocks or threads execute it",
        lambda a: a.access.frequency.at_edge or a.access.frequency.one_block is not None,
    ),
    Gate(
        "small share",
        Evidence.SEEN,
        "a tile would spare too small a part of the kernel's global traffic, at these or at other likely sizes",
        lambda a: a.least * a.spared < a.context.settings.information_share,
    ),
    Gate(
        "not loud",
        Evidence.SEEN,
        "a tile would spare too small a part of the kernel's global traffic for an information",
        lambda a: a.least * a.spared < a.context.settings.warning_share,
        Level.HINT,
    ),
    Gate(
        "below data",
        Evidence.PATTERN,
        "data decides which lanes load, or when they leave the loop",
        lambda a: a.access.frequency.rarity > 0 or a.access.frequency.ends,
        Level.HINT,
    ),
    Gate(
        ASSUMED_BLOCK,
        Evidence.DEFAULT,
        "no launch in view says the shape of the block, on which it rests how often threads load an element",
        _is_assumed,
        Level.HINT,
    ),
    Gate(
        "little work",
        Evidence.SEEN,
        f"less than {FELT_LOUD:.0%} of the kernel's work would be spared",
        lambda a: a.work < FELT_LOUD,
        Level.HINT,
    ),
)
"""Asked of each load."""


def _often(again: Again) -> int | None:
    """How often a warp makes the load, if that is a number."""
    times = again.access.fact.times
    return None if times is None else constant(times)


def ask(context: Context) -> Iterator[Asked]:
    """One finding for the loads that are made as often as each other."""
    paid = {id(access): cost for access, cost in zip(context.profile.accesses, context.weights.accesses, strict=True)}
    told: dict[tuple[Expression | None, Level], list[tuple[Again, tuple[Reason, ...]]]] = {}
    for access, share, least in weighed(context):
        fact = access.fact
        if fact.reuse is None or fact.reuse.times < 2 or fact.space is not Space.GLOBAL:
            continue
        again = Again(context, access, fact.reuse, share, least, paid[id(access)])
        level, reasons = asked(SITES, again, CHECK.level)
        if level is None:
            yield Asked(CODE, fact.span, fact.text, level, reasons)
        else:
            told.setdefault((fact.times, level), []).append((again, reasons))
    for (_, level), group in told.items():
        finding = _finding([again for again, _ in group], level)
        for again, reasons in group:
            fact = again.access.fact
            own = finding if fact.span == finding.span else None
            along = None if own else finding.span
            yield Asked(CODE, fact.span, fact.text, level, reasons, own, along, again.work)


def _finding(group: Sequence[Again], level: Level) -> Finding:
    """`group`: loads in source order."""
    first = group[0]
    context, access, fact = first.context, first.access, first.access.fact
    sizes = context.weights.sizes
    arrays = in_a_row(list(dict.fromkeys(array_text(one.access) for one in group)))
    share = min(1.0, sum(one.share for one in group))
    message = sentences(
        f"redundant loads from {arrays}: threads of a block load each element {_times_text(group)} times{_if_all(group)}",
        times_text(fact.times, sizes, fact.requests, is_most(access)),
        share_text(
            context,
            share,
            moved(context.profile) + without(context.kernel),
            at_sizes(access_times(context.profile, access), sizes),
        ),
        _tile_text(first),
        assuming_text(context.facts),
    )
    others = tuple(dict.fromkeys(one.access.fact.span for one in group if one.access.fact.span != fact.span))
    remedy = Note("each thread can load one element of a tile, and all read it there between two barriers")
    notes = (*Note.of_all("loaded as often", others), remedy, *notes_of(context, access))
    return Finding(
        CODE, Verdict.MAY_FAIL, level, fact.span, message, notes, share=share, subject=fact.text,
        worst=round(first.times), ideal=1, fellows=others,
    )  # fmt: skip


def _if_all(group: Sequence[Again]) -> str:
    return "" if all(one.access.fact.together for one in group) else " if all are active"


def _times_text(group: Sequence[Again]) -> str:
    """ "16", "16 to 32", "about 28.5"."""
    ends = sorted(one.times for one in group)
    low, high = _number(ends[0]), _number(ends[-1])
    return low if low == high else f"{low} to {high.removeprefix('about ')}"


def _number(times: float) -> str:
    return f"{times:.0f}" if times == round(times) else f"about {times:.1f}"


def _tile_text(again: Again) -> str:
    """ "a tile of 16 iterations of `a` takes 1024 bytes of shared memory": of as many rounds as give each thread one element to load."""
    reuse, width = again.reuse, again.access.fact.bytes
    each = reuse.loads / reuse.rounds
    rounds = max(1, round(each / (reuse.fresh / reuse.rounds)))
    times = _often(again)
    rounds = rounds if times is None else min(rounds, times)
    size = round(rounds * reuse.fresh / reuse.rounds * width)
    said = f"of {rounds} iterations" if rounds > 1 else "of one iteration"
    return (
        f"a tile {said} of {array_text(again.access)} takes {size} bytes of shared memory"
        if size <= MOST_SHARED
        else ""
    )


CHECK = Check(
    CODE, "redundant-loads", "threads of a block load the same elements again and again", Level.INFORMATION, ask=ask
)
