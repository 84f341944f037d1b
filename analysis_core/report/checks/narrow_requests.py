"""WC104 narrow-requests: neighbouring elements that a thread moves one by one, where one request of 8 or 16 bytes would move several.

It is about requests and not about sectors, which stay the same.  Compilers join no elements behind pointers to scalars, as these may begin anywhere
(traffic/narrow_requests.py); here they are known to begin at a multiple of 16 bytes, or do so if a size is a multiple, which is named.  Information where that is
known and many of the kernel's requests are saved, else a hint.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from analysis_core.expressions.expression import ZERO
from analysis_core.ir.types import Space
from analysis_core.profile.access_profile import AccessProfile
from analysis_core.profile.evidence import Evidence
from analysis_core.profile.kernel_context import Context
from analysis_core.profile.shares import requests_of_block
from analysis_core.profile.sizes import Guess, at_sizes
from analysis_core.profile.slots import CYCLE
from analysis_core.profile.work import FELT_LOUD, work_of
from analysis_core.report.findings.check import Check, notes_of
from analysis_core.report.findings.gates import Gate, asked
from analysis_core.report.findings.model import Asked, CheckId, Finding, Level, Note, Verdict
from analysis_core.report.findings.wording import array_text, assuming_text, is_most, sentences, share_text, times_text
from analysis_core.requests.facts import ReadWrite
from analysis_core.support.spelling import in_a_row
from analysis_core.text.records import dataclass

if TYPE_CHECKING:
    from analysis_core.traffic.narrow_requests import Narrow

CODE = CheckId("WC104")


@dataclass(frozen=True, slots=True)
class Split:
    """Neighbours that are moved one by one.  `share`: the part (0 to 1) of the kernel's requests of global memory that wide ones would save; `work`: of its
    work."""

    context: Context
    narrow: Narrow
    access: AccessProfile
    share: float
    work: float


SITES: tuple[Gate[Split], ...] = (
    Gate(
        "at an edge",
        Evidence.PROVED,
        "only few blocks or threads execute it",
        lambda s: s.access.frequency.at_edge or s.access.frequency.one_block is not None,
    ),
    Gate(
        "joined",
        Evidence.PROVED,
        "compilers join these requests, or make none of them",
        lambda s: s.access.traffic.joined or s.access.fact.times == ZERO,
    ),
    Gate(
        "small share",
        Evidence.SEEN,
        "wide requests would save too small a part of the kernel's requests of global memory",
        lambda s: s.share < s.context.settings.information_share,
    ),
    Gate(
        "assumed alignment",
        Evidence.DEFAULT,
        "it rests on a size that has to be a multiple of some elements",
        lambda s: bool(s.narrow.assumed),
        Level.HINT,
    ),
    Gate(
        "below data",
        Evidence.PATTERN,
        "a condition on data decides which lanes make the requests",
        lambda s: s.access.frequency.rarity > 0,
        Level.HINT,
    ),
    Gate(
        "little work",
        Evidence.SEEN,
        f"less than {FELT_LOUD:.0%} of the kernel's work would be saved",
        lambda s: s.work < FELT_LOUD,
        Level.HINT,
    ),
)
"""Asked of neighbours of one array."""


def ask(context: Context) -> Iterator[Asked]:
    """One finding per stretch of code and array."""
    profile = context.profile
    if not profile.narrow:
        return
    made = {n: _requests(context, one) for n, one in enumerate(profile.accesses) if one.fact.space is Space.GLOBAL}
    every = sum(made.values())
    total = work_of(context, Guess()).total
    for narrow in profile.narrow:
        saved = sum(made.get(n, 0.0) for n in narrow.accesses) * (1 - narrow.wide / narrow.requests)
        access = profile.accesses[narrow.accesses[0]]
        split = Split(context, narrow, access, saved / every if every else 0.0, saved * CYCLE / total if total else 0.0)
        level, reasons = asked(SITES, split, CHECK.level)
        finding = None if level is None else _finding(split, level)
        yield Asked(CODE, access.fact.span, access.fact.text, level, reasons, finding)


def _requests(context: Context, access: AccessProfile) -> float:
    return requests_of_block(access, context.profile, context.weights.sizes, context.settings)


def _finding(split: Split, level: Level) -> Finding:
    context, access, narrow = split.context, split.access, split.narrow
    sizes = context.weights.sizes
    moved = narrow.requests * narrow.width
    does = "loads from" if access.fact.rw is ReadWrite.READ else "stores to"
    often = [one.fact.block.executed for one in context.profile.accesses if one.fact.space is Space.GLOBAL]
    message = sentences(
        f"narrow {does} {array_text(access)}: each thread makes {narrow.requests} requests for {moved} neighbouring bytes "
        f"where {narrow.wide} would do",
        times_text(access.fact.times, sizes, access.fact.requests, is_most(access)),
        share_text(
            context, split.share, "requests of global memory could be saved", at_sizes(often, sizes), most="about "
        ),
        assuming_text(context.facts),
    )
    others = [context.profile.accesses[n].fact.span for n in narrow.accesses[1:]]
    notes = (
        *Note.of_all("with these", [one for one in dict.fromkeys(others) if one != access.fact.span]),
        Note(_alignment(narrow)),
        *notes_of(context, access),
    )
    return Finding(
        CODE, Verdict.MAY_FAIL, level, access.fact.span, message, notes, share=split.share, subject=access.fact.text,
        worst=narrow.requests, ideal=narrow.wide, fellows=tuple(dict.fromkeys(others)),
    )  # fmt: skip


def _alignment(narrow: Narrow) -> str:
    """What wide requests rest on."""
    if not narrow.assumed:
        return "they begin at the same place modulo 16 bytes in all threads, if the array begins at a multiple of 16"
    names = in_a_row([f"`{name}`" for name in narrow.assumed])
    return f"assumes that {names} {'are multiples' if len(narrow.assumed) > 1 else 'is a multiple'} of {16 // narrow.width}"


CHECK = Check(CODE, "narrow-requests", "requests of a thread that one of 16 bytes could be", Level.INFORMATION, ask=ask)
