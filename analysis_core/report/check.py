"""What a rule is: its code, name, summary, default level, and a function from facts to findings.

Each rule lives in one file of `checks/`, which exports `CHECK`; `registry.py` lists them.  A rule sees one kernel
under one launch configuration; `judge.py` merges launches, keeps the worst finding per statement and applies
suppressions, so a rule reports every place it fires at.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from analysis_core.cost.expression import constant, safe_name, symbols
from analysis_core.cost.facts import AccessFact, BranchFact, Divergence, KernelFacts
from analysis_core.ir.launch_site import is_assumed
from analysis_core.ir.nodes import Kernel, UnknownStmt
from analysis_core.ir.types import Space
from analysis_core.ir.walk import statements_of
from analysis_core.report.model import CheckId, Finding, Level, Note, Verdict
from analysis_core.report.reasons import block_text, quoted, sizes_passed
from analysis_core.support.facts import CauseKind
from analysis_core.support.settings import Settings
from analysis_core.text.span import Span

if TYPE_CHECKING:
    from analysis_core.report.shares import Weights  # which asks what rests on data

_KEPT = "it is the same element in all rounds of this loop: counted once, as a register keeps it"
_LEAVING = "each thread leaves this loop behind it: counted once, though not all need leave in one round"


@dataclass(frozen=True, slots=True)
class Context:
    """All that a rule may look at."""

    kernel: Kernel
    facts: KernelFacts
    weights: Weights
    settings: Settings


@dataclass(frozen=True, slots=True)
class Check:
    """`level` is the loudest at which the rule reports."""

    code: CheckId
    name: str
    summary: str
    level: Level
    find: Callable[[Context], Iterator[Finding]]


def level_of(context: Context, factor: float, share: float, certain: bool) -> Level | None:
    """The level for a cost of `factor` over ideal and this share of its metric (0 to 1); None below the thresholds.

    `certain`: not a mere possibility through data; only then a warning.  A guessed block shape lowers a warning too."""
    settings = context.settings
    if factor <= 1 or share < settings.information_share:
        return None
    loud = factor >= settings.warning_factor and share >= settings.warning_share
    if loud and certain and not is_assumed(context.facts.source):
        return Level.WARNING
    return Level.INFORMATION


@dataclass(frozen=True, slots=True)
class Loss:
    """Parts (0 to 1) of a kernel's work: `held` by a place, and of that `lost`."""

    held: float
    lost: float


ABOUT = 0.9
"""Half of a side is lost where half of the lanes run it, but never half of the test: this part of the half is enough."""


LIKELY = 2 / 3
"""What memory may make a kernel lose is an upper figure, for lanes that part as far as they can: this part of it is taken to be likely.  (Of
the splits in public code that were judged by hand, and that memory decides, one in five was right that loses less than 15%, three in
four of all others.)"""


def level_of_loss(context: Context, told: Loss, least: Loss, certain: bool, by_data: bool) -> Level | None:
    """The level where work is lost, of which so much is told and so much at least is lost at other sizes; None below the threshold, which
    what is likely of what is told has to reach where memory decides (`by_data`).
    It is a warning where an access of this share and factor were one: from a quarter of the kernel on, if half of what is held is lost."""
    settings = context.settings
    likely = told.lost * (LIKELY if by_data else 1)
    if min(likely, least.lost) < settings.information_share:
        return None
    loud = ABOUT * max(settings.warning_share, least.held) * (1 - 1 / max(1.0, settings.warning_factor))
    is_loud = least.held >= settings.warning_share and least.lost >= loud
    return Level.WARNING if is_loud and certain and not is_assumed(context.facts.source) else Level.INFORMATION


LOUD_SECTORS, QUIET_SECTORS = 4, 2
"""Excess sectors per request from which an access may be a warning, or be reported at all.  A full warp of floats needs 4
sectors: two rows that are broadcast to half a warp each cost 2 instead of 1, and nobody gains by changing that."""


def capped_by_excess(level: Level | None, excess: float) -> Level | None:
    """The level for so many excess sectors per request: a large factor over a small ideal is no reason for noise."""
    if level is None or excess < QUIET_SECTORS:
        return None
    return level if excess >= LOUD_SECTORS else Level.INFORMATION


def rests_on_data(fact: AccessFact | BranchFact) -> bool:
    """Whether memory contents decide the cost, so that it may be anything up to the worst.

    A known cause tells; what else is loaded on the way (`p[loaded + q]`, where only q is not understood) does not."""
    if fact.cause is not None:
        return fact.cause.kind is CauseKind.DATA
    return isinstance(fact, AccessFact) and fact.data_dependent


def scatters_by_data(access: AccessFact) -> bool:
    """Whether memory decides how the lanes lie to each other, and not only where all of them begin or which of them run."""
    return rests_on_data(access) and access.open is not None


SURE = 2
"""Times the ideal that a request costs at the best place to begin from which memory, which decides only that, makes nothing unsure."""


def may_be_cheap(access: AccessFact) -> bool:
    """Whether some contents of memory cost little: not where the lanes' distances are known and dear wherever they begin."""
    return scatters_by_data(access) or (rests_on_data(access) and access.best < SURE * access.ideal)


def surely_splits(branch: BranchFact) -> bool:
    """Whether some warp splits, and data does not decide whether it gets there."""
    return branch.divergence is Divergence.ALWAYS and not branch.rarity


def is_our_limit(fact: AccessFact | BranchFact) -> bool:
    """Whether the cost is only an upper figure because the analysis knows no better: hovers say so, rules stay quiet."""
    return fact.cause is not None and fact.cause.kind is not CauseKind.DATA


def is_upper_figure(access: AccessFact) -> bool:
    """Whether some admissible sizes or contents cost less than `worst` and no case says which: shown as "up to".  So where data
    decides which lanes get there."""
    if access.rarity > 0 or may_be_cheap(access):
        return True
    return access.best != access.worst and (rests_on_data(access) or not access.exact)


def is_of_open_constants(context: Context, access: AccessFact) -> bool:
    """Whether an upper figure is made as often as constants say that nobody gives, beside accesses that are left out: neither what it
    costs is known then, nor what part of the kernel's cost that is.  Vectors of a template's length are as short as registers allow, and
    the sizes that others are taken for would make the share of one of them all that there is."""
    if not is_upper_figure(access) or access.times is None:
        return False
    open_names = {one.name for one in context.facts.symbols if one.kind == "parameter" and one.span is None}
    known = {safe_name(one.name) for one in context.facts.ranges} | context.settings.values.keys()
    if not (open_names - known) & set(symbols(access.times)):
        return False
    return any(isinstance(stmt, UnknownStmt) and stmt.memory for stmt in statements_of(context.kernel))


RARE = 4
"""Halvings from which nothing is told of a path: as often as a lane in sixteen gets there, or none."""


def is_rare(fact: AccessFact | BranchFact) -> bool:
    """Whether conditions that data decides hold back nearly all lanes (cost/guards.py)."""
    return fact.rarity >= RARE


def is_idle_guess(access: AccessFact) -> bool:
    """Whether the access may as well be ideal and nobody can say for which sizes, at no more than twice the ideal: a stride
    of 1 where callers pass 512 (`2 * t - (t & (stride - 1))`).  Hovers say so.  So do places that a counter hands out: nothing
    promises that those of a warp are neighbours, and they nearly always are; what one block of many does; and what is done beside a
    call of the runtime, which costs many times as much; what costs that much only in
    the few of many passes at which a size that the host halves is small; and what only the size of an unknown type decides; and a sector too many for each
    row that begins where memory says."""
    if access.handed_out or access.at_edge or access.dwarfed or access.straddling or is_rare(access):
        return True
    if access.unsized and not is_scattered_unsized(access):
        return True
    nearly = access.worst <= 2 * access.ideal or access.scaled
    return access.undecided and access.best <= access.ideal and nearly


def is_scattered_unsized(access: AccessFact) -> bool:
    """Whether lanes are anywhere in memory: each has a sector of its own, whatever the size of its element, which nobody knows."""
    return access.unsized and access.space is Space.GLOBAL and rests_on_data(access)


def is_one_guess(access: AccessFact) -> bool:
    """The same of an access that is executed once: no round of a loop makes the dear case sure."""
    return access.undecided and access.best <= access.ideal and access.times is not None and constant(access.times) == 1


def verdict_of(fact: AccessFact) -> Verdict:
    """FAILS where even the best request costs more than the ideal, and some lane surely makes it."""
    return Verdict.FAILS if fact.best > fact.ideal and not fact.rarity else Verdict.MAY_FAIL


def notes_of(context: Context, fact: AccessFact | BranchFact) -> tuple[Note, ...]:
    """Related places: how the index follows the thread, why something is not known, the calls that lead here, and the
    launch.  One note a place, and none at the place of the finding itself."""
    notes = list(_ways(fact))
    if not notes and fact.origin is not None:
        notes.append(Note("it depends on the thread because of this", fact.origin))
    if fact.cause is not None:
        notes.append(Note(fact.cause.reason, fact.cause.span))
    if isinstance(fact, AccessFact) and fact.kept is not None:
        notes.append(
            Note(
                _LEAVING if fact.kept.leaving else _KEPT,
                fact.kept.loop,
            )
        )
    if isinstance(fact, AccessFact) and fact.joined:
        notes.append(
            Note(
                f"compilers make one request of {fact.bytes} bytes of it and of those beside it: told is what that costs"
            )
        )
    if isinstance(fact, AccessFact) and fact.seen:
        sizes = sizes_passed(fact, context.facts)
        notes.append(Note(f"told is what it costs at {sizes}"))
    if isinstance(fact, AccessFact) and fact.room is not None:
        notes.append(Note(f"{quoted(fact.base)} is allocated with {fact.room} bytes where it is launched"))
    notes.extend(Note("called from here", span) for span in reversed(fact.via))
    launch = context.facts.launch_span
    if launch is not None and context.facts.source == "call":
        notes.append(Note(f"launched here with {block_text(context.facts)}", launch))
    first: dict[Span | str, Note] = {}
    for note in notes:
        first.setdefault(note.span or note.message, note)
    return tuple(note for note in first.values() if note.span != fact.span)


def _ways(fact: AccessFact | BranchFact) -> Iterator[Note]:
    """The statements by which names of the index follow threadIdx, and what is done to them on the way."""
    for hops, factors in () if fact.story is None else fact.story.sources:
        for hop in hops:
            if hop.span is not None and hop.follows is not None:
                yield Note(f"{quoted(hop.name)} follows {quoted(hop.follows)}", hop.span)
        name = quoted(hops[0].name) if hops else "the index"
        yield from (Note(f"{name} {factor.text}", factor.span) for factor in factors if factor.span is not None)
