"""WC202 atomic-contention: lanes of a warp update one address, which they do one after the other.

How many lanes meet is exact where their addresses are one expression (requests/contention.py); where memory picks the addresses among so many words it is
what random words give; where nobody knows among how many, it is a hint.  A lane more is weighed as one more sector or wavefront.  Quiet where a counter
hands out places, where all lanes add one constant, which compilers put together in a warp, and below the thresholds.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from analysis_core.ir.effects import assigned_by, variables_in
from analysis_core.ir.launch_site import is_assumed
from analysis_core.ir.nodes import Assign, Atomic, Binary, Const, If, Kernel, Load, Stmt, VarId, Vote
from analysis_core.ir.types import Space
from analysis_core.ir.walk import expressions_of, statements, statements_of, subexpressions, uncast
from analysis_core.profile.access_profile import AccessProfile
from analysis_core.profile.evidence import Evidence
from analysis_core.profile.kernel_context import Context
from analysis_core.profile.random_words import most_on_one
from analysis_core.profile.shares import requests_of_block, weigh
from analysis_core.profile.sizes import Guess, at_sizes, other_sizes
from analysis_core.profile.slots import CYCLE
from analysis_core.profile.sureness import is_our_limit, scatters_by_data
from analysis_core.profile.work import FELT_LOUD, work_of
from analysis_core.report.checks.bank_conflict import HIDDEN, LOUD
from analysis_core.report.findings.check import LOUD_SECTORS, Check, notes_of
from analysis_core.report.findings.gates import ASSUMED_BLOCK, Gate, asked
from analysis_core.report.findings.model import Asked, CheckId, Finding, Level, Note, Verdict
from analysis_core.report.findings.wording import (
    array_text,
    assuming_text,
    if_text,
    is_most,
    sentences,
    share_text,
    times_text,
)
from analysis_core.requests.facts import ReadWrite
from analysis_core.text.records import dataclass

CODE = CheckId("WC202")

LEAST_MEETING = 2.0
"""Lanes on one address from which it is told, on average."""

_MANY = 4096
"""Words from which on a table is as good as endless."""

_SAME = frozenset({"add", "sub", "inc", "dec"})
"""Operations of which a compiler makes one for a warp, where all lanes add the same (NVIDIA, "Optimized Filtering with Warp-Aggregated Atomics",
note of November 2017)."""

_SLOTS = 2 * CYCLE
"""Of a turn, as of an atomic's sector (profile/work.py)."""

_GUESSES = (Guess(few=True), Guess(blocks=True), Guess(long=True), Guess(large=True, blocks=True))


@dataclass(frozen=True, slots=True)
class Met:
    """One atomic.  `lanes`: of a warp on one address, for certain or on average; `share`, `least`: the part (0 to 1) that the lanes which wait are of all
    that the memory serves, and the least that it may be; `work`: of the kernel's work; `made`: its statements."""

    context: Context
    access: AccessProfile
    lanes: float
    share: float
    least: float
    work: float
    made: tuple[Atomic, ...]

    @property
    def is_sure(self) -> bool:
        """Whether the lanes surely meet, if they come."""
        return _surely(self.access) >= LEAST_MEETING


def ask(context: Context) -> Iterator[Asked]:
    """One finding per atomic."""
    for access in context.profile.accesses:
        if is_subject(access):
            yield _asked(context, access)


def is_subject(access: AccessProfile) -> bool:
    """Whether the rule asks anything of the access."""
    fact = access.fact
    return fact.rw is ReadWrite.ATOMIC and fact.space in (Space.GLOBAL, Space.SHARED) and (fact.contention or 0) > 1


def _surely(access: AccessProfile) -> int:
    return 0 if access.fact.meets is None else access.fact.meets[0]


def _lanes(access: AccessProfile) -> float:
    """The lanes of a warp on one address: for certain; else on average, of random words; else the most."""
    fact = access.fact
    if _surely(access) >= LEAST_MEETING:
        return _surely(access)
    if not scatters_by_data(fact) or fact.open is None or fact.open.reach is None:
        return fact.contention or 0
    return most_on_one(sum(fact.open.active), min(_MANY, fact.open.reach // max(1, fact.bytes) + 1))


def _is_of_open_words(met: Met) -> bool:
    """Whether nobody knows among how many words memory picks."""
    return not met.is_sure and (met.access.fact.open is None or met.access.fact.open.reach is None)


def _asked(context: Context, access: AccessProfile) -> Asked:
    fact, lanes = access.fact, _lanes(access)
    each = [_share(context, access, lanes, guess) for guess in (Guess(), *_GUESSES)]
    requests = requests_of_block(access, context.profile, context.weights.sizes, context.settings)
    more = _SLOTS * (lanes - 1) * requests
    total = work_of(context, Guess()).total + more
    numbers = frozenset(fact.ids)
    atomics = (stmt for stmt in statements_of(context.kernel) if isinstance(stmt, Atomic))
    made = tuple(stmt for stmt in atomics if context.kernel.plain_number(stmt.access.id) in numbers)
    met = Met(context, access, lanes, each[0], min(each), more / total if total else 0.0, made)
    level, reasons = asked(SITES, met, CHECK.level)
    finding = None if level is None else _finding(met, level)
    return Asked(CODE, fact.span, fact.text, level, reasons, finding, gain=met.work)


def _share(context: Context, access: AccessProfile, lanes: float, guess: Guess) -> float:
    """The part of all that the memory serves that lanes are which wait for others at this access."""
    sizes, changed = other_sizes(context.profile, context.settings, guess)
    weights = context.weights if guess == Guess() else weigh(context.profile, changed)
    space = access.fact.space
    served = weights.totals.get(space, 0.0)
    waiting = 0.0
    for one in context.profile.accesses:
        if is_subject(one) and one.fact.space is space and one is not access:
            served += (_lanes(one) - 1) * requests_of_block(one, context.profile, sizes, changed)
    waiting = (lanes - 1) * requests_of_block(access, context.profile, sizes, changed)
    return waiting / (served + waiting) if served + waiting else 0.0


def _beside_global(met: Met) -> float:
    """The lanes that wait, for each sector of global memory that the kernel moves."""
    context = met.context
    sectors = context.weights.totals.get(Space.GLOBAL, 0.0)
    requests = requests_of_block(met.access, context.profile, context.weights.sizes, context.settings)
    return (met.lanes - 1) * requests / sectors if sectors else inf


def _is_put_together(met: Met) -> bool:
    """Whether all lanes that come add one constant to one integer."""
    if not met.is_sure or not met.made:
        return False
    return all(
        s.op in _SAME and not _is_float(s) and all(isinstance(uncast(a), Const) for a in s.args) for s in met.made
    )


def _is_float(stmt: Atomic) -> bool:
    return any(isinstance(value.value, float) for value in map(uncast, stmt.args) if isinstance(value, Const))


def _is_elected(met: Met) -> bool:
    """Whether lanes that come are those for which two things are equal that a vote goes into, and memory does not: the first of a ballot, the rank 0 of
    those that are there.  One lane is."""
    kernel = met.context.kernel
    voted, loaded = _made_from(kernel, (Vote,)), _made_from(kernel, (Load, Atomic))
    wanted = {id(stmt) for stmt in met.made}
    for test in (stmt for stmt in statements_of(kernel) if isinstance(stmt, If)):
        for relation, side in (("==", test.then), ("!=", test.otherwise)):
            if any(id(stmt) in wanted for stmt in statements(side)):
                parts = [e for e in subexpressions(test.condition) if isinstance(e, Binary) and e.op == relation]
                read = [variables_in(part) for part in parts]
                if any(one & voted and not one & loaded for one in read):
                    return True
    return False


def _made_from(kernel: Kernel, kinds: tuple[type[Stmt], ...]) -> frozenset[VarId]:
    """The variables that results of such statements go into."""
    every = statements_of(kernel)
    found = {var for stmt in every if isinstance(stmt, kinds) for var in assigned_by(stmt)}
    assigned = [stmt for stmt in every if isinstance(stmt, Assign)]
    count = -1
    while count < len(found):
        count = len(found)
        found |= {stmt.var for stmt in assigned if variables_in(stmt.value) & found}
    return frozenset(found)


SITES: tuple[Gate[Met], ...] = (
    Gate(
        "handed out",
        Evidence.PATTERN,
        "an atomic counter gives each lane its place",
        lambda met: met.access.expected.handed_out,
    ),
    Gate(
        "beside runtime calls",
        Evidence.NAME,
        "each lane that makes it also calls the device runtime (malloc, printf, a launch), which costs far more, or it only serves an assertion",
        lambda met: met.access.expected.dwarfed,
    ),
    Gate(
        "one of many blocks",
        Evidence.PROVED,
        "only few blocks or threads execute it",
        lambda met: met.access.frequency.at_edge or met.access.frequency.one_block is not None,
    ),
    Gate(
        "put together",
        Evidence.PATTERN,
        "all lanes add one constant to one integer: compilers make one update for a warp",
        _is_put_together,
    ),
    Gate(
        "elected",
        Evidence.PATTERN,
        "a test for equality that rests on a vote lets one lane of those that are there come",
        _is_elected,
    ),
    Gate(
        "not understood",
        Evidence.DEFAULT,
        "only how many lanes may meet at most is known",
        lambda met: not met.is_sure and (is_our_limit(met.access.fact) or not scatters_by_data(met.access.fact)),
    ),
    Gate(
        "seldom",
        Evidence.PATTERN,
        f"fewer than {LEAST_MEETING:.0f} lanes meet on average, if values in memory are random",
        lambda met: met.lanes < LEAST_MEETING,
    ),
    Gate(
        "hidden",
        Evidence.SEEN,
        f"of shared memory, less than {HIDDEN} lanes wait for each sector of global memory",
        lambda met: met.access.fact.space is Space.SHARED and _beside_global(met) < HIDDEN,
    ),
    Gate(
        "small share",
        Evidence.SEEN,
        "lanes that wait are too small a part of what the memory serves, at these or at other likely sizes",
        lambda met: met.least < met.context.settings.information_share,
    ),
    Gate(
        "open words",
        Evidence.DEFAULT,
        "memory picks the addresses, and nobody knows among how many",
        _is_of_open_words,
        Level.HINT,
    ),
    Gate(
        "partly hidden",
        Evidence.SEEN,
        f"of shared memory, no more than {LOUD} lanes wait for each sector of global memory",
        lambda met: met.access.fact.space is Space.SHARED and _beside_global(met) <= LOUD,
        Level.INFORMATION,
    ),
    Gate(
        "memory decides",
        Evidence.PATTERN,
        "memory picks the addresses, or says which lanes come",
        lambda met: not met.is_sure or met.access.frequency.rarity > 0,
        Level.INFORMATION,
    ),
    Gate(
        "not loud",
        Evidence.SEEN,
        "its share is too small for a warning",
        lambda met: met.least < met.context.settings.warning_share,
        Level.INFORMATION,
    ),
    Gate(
        "few lanes",
        Evidence.PROVED,
        f"fewer than {LOUD_SECTORS} lanes wait",
        lambda met: met.lanes - 1 < LOUD_SECTORS,
        Level.INFORMATION,
    ),
    Gate(
        "little work",
        Evidence.SEEN,
        f"lanes wait for less than {FELT_LOUD:.0%} of the kernel's work",
        lambda met: met.work < FELT_LOUD,
        Level.INFORMATION,
    ),
    Gate(
        ASSUMED_BLOCK,
        Evidence.DEFAULT,
        "no launch in view says the shape of the block, and the lanes of a warp are on one address only by it",
        lambda met: is_assumed(met.context.facts.source) and met.access.fact.meets != _all_of_block(met),
        Level.INFORMATION,
    ),
)
"""Asked of each atomic."""


def _all_of_block(met: Met) -> tuple[int, int]:
    """What `meets` is where all threads of a block have one address."""
    x, y, z = met.context.facts.block
    return (min(32, x * y * z), x * y * z)


def _finding(met: Met, level: Level) -> Finding:
    context, access, fact = met.context, met.access, met.access.fact
    sizes = context.weights.sizes
    memory = "global sectors" if fact.space is Space.GLOBAL else "shared-memory wavefronts"
    often = [one.fact.block.executed for one in context.profile.accesses if one.fact.space is fact.space]
    message = sentences(
        f"contended atomic on {array_text(access)}: {_lanes_text(met)}",
        times_text(fact.times, sizes, fact.requests, is_most(access)),
        share_text(context, met.share, f"{memory} and waiting updates", at_sizes(often, sizes), most="about "),
        assuming_text(context.facts),
    )
    verdict = Verdict.FAILS if met.is_sure and not access.frequency.rarity else Verdict.MAY_FAIL
    notes = (*notes_of(context, access), Note(_remedy(met)))
    return Finding(
        CODE, verdict, level, fact.span, message, notes, share=met.share, subject=fact.text,
        worst=fact.contention or 0, ideal=1,
    )  # fmt: skip


def _lanes_text(met: Met) -> str:
    """ "32 threads of each warp (256 of the block) update one address one after the other"."""
    fact = met.access.fact
    turns = "update one address one after the other"
    most = "" if fact.together and not met.access.frequency.rarity and not fact.block.uneven else "up to "
    if met.is_sure and fact.meets is not None:
        warp, block = fact.meets
        return f"{most}{warp} threads of each warp{f' ({most}{block} of the block)' if block > warp else ''} {turns}"
    if _is_of_open_words(met):
        return f"up to {fact.contention} threads of each warp {turns}{if_text(met.access, 'are equal')}"
    return f"about {met.lanes:.1f} threads of each warp (up to {fact.contention}) {turns}{if_text(met.access, 'are random')}"


def _remedy(met: Met) -> str:
    """What to do instead, by what the atomic is for."""
    results = {stmt.var for stmt in met.made}
    if any(results & variables_in(e) for stmt in statements_of(met.context.kernel) for e in expressions_of(stmt)):
        return "its result is used: one atomic for the warp can reserve the places of all its lanes, which count themselves by `__popc` of a ballot"
    unused = "its result is not used, so it is a reduction (`red`) that no thread waits for"
    if met.is_sure:
        return f"{unused}: sum up in the warp (`__shfl_down_sync`) or the block first, and let one thread update"
    return f"{unused}: copies of the table, for each warp or block, part the updates"


CHECK = Check(CODE, "atomic-contention", "lanes of a warp update one address", Level.WARNING, ask=ask)
