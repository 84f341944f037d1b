"""WC201 bank-conflict: lanes of a warp want different words of the same shared-memory bank.

Fires when wavefronts exceed the ideal and the groups in which a warp is served: 2 for 8-byte, 4 for 16-byte elements.
Quiet for broadcasts (they are ideal), below the thresholds, and for wide accesses that only miss the merging of groups.  No warning where constants say how
often all is done, and it is little beside what the kernel computes (`profile/work`).  Lanes of an
atomic on the *same* address serialise too, but that is contention, told in a note and never called a conflict.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import inf
from types import MappingProxyType

from analysis_core.ir.types import Space
from analysis_core.machine.sizes import WARP, WORD_BYTES
from analysis_core.profile.access_profile import AccessProfile
from analysis_core.profile.evidence import Evidence
from analysis_core.profile.kernel_context import Context
from analysis_core.profile.launch_work import is_fixed
from analysis_core.profile.random_words import groups, random_wavefronts
from analysis_core.profile.shares import access_times, request_cost
from analysis_core.profile.sizes import at_sizes
from analysis_core.profile.sureness import (
    is_upper_figure,
    rests_on_data,
    scatters_by_data,
)
from analysis_core.profile.work import FELT_LOUD
from analysis_core.report.findings.access_gates import (
    CERTAINTY,
    GAIN,
    IDLE,
    OPEN,
    OURS,
    SHARE,
    SPARED,
    UNSURE,
    AccessRule,
    Group,
    Site,
)
from analysis_core.report.findings.alike import Alike
from analysis_core.report.findings.check import Check, notes_of
from analysis_core.report.findings.gates import Gate
from analysis_core.report.findings.model import CheckId, Level, Note
from analysis_core.report.findings.wording import (
    NARROW,
    array_text,
    assuming_text,
    cost_text,
    ideal_cases_text,
    if_text,
    is_most,
    sentences,
    share_text,
    tells_mean,
    times_text,
    where_text,
    word_of_share,
)
from analysis_core.requests.facts import ReadWrite

CODE = CheckId("WC201")

_DOES: Mapping[ReadWrite, str] = MappingProxyType(
    {ReadWrite.READ: "reading", ReadWrite.WRITE: "writing", ReadWrite.BOTH: "updating", ReadWrite.ATOMIC: "updating"}
)

LEAST_RANDOM = 2
"""Wavefronts over the ideal from which a conflict is told that memory decides: a table of so few words that no bank has more than two
costs less than two of them."""


_NEARLY = 0.9
"""Part of the worst from which on a mean says nothing that the worst does not."""


LOUD, HIDDEN = 0.25, 0.05
"""Wavefronts too many for each sector of global memory above which a conflict may be a warning, and from which it is reported at all.  A
processor takes a wavefront in a cycle and gets a sector from memory in two to four: one more for each request of a word a lane, which moves four
sectors, is served while it waits."""


def is_subject(access: AccessProfile) -> bool:
    """Whether the rule asks anything of the access."""
    return access.fact.space is Space.SHARED and access.fact.worst > access.fact.ideal


def _beside_global(group: Group) -> float:
    """The wavefronts that the ideal pattern would save, for each sector of global memory that the kernel moves."""
    totals = group.context.weights.totals
    sectors = totals.get(Space.GLOBAL, 0.0)
    return group.found.gain * totals.get(Space.SHARED, 0.0) / sectors if sectors else inf


def _is_cheap_table(site: Site) -> bool:
    picked = random_wavefronts(site.access)
    return picked is not None and picked < LEAST_RANDOM * groups(site.access.fact.bytes)


def _is_of_guessed_rows(site: Site) -> bool:
    """Whether lanes meet no more than once for each row of a block whose width is a guess: in a block of 32 in a row they may not meet
    at all (`tile[threadIdx.y][threadIdx.x]`)."""
    facts, fact = site.context.facts, site.access.fact
    width = facts.block[0]
    rows = WARP // width if width < WARP and facts.source == "default" else 1
    return rows > 1 and fact.worst <= rows * groups(fact.bytes)


def _is_any_pitch(access: AccessProfile) -> bool:
    """Whether lanes keep their distances, and memory says how far these are: half of all row lengths have no conflict, a quarter
    have one of two ways, and the bound is that of one in 32."""
    fact = access.fact
    return rests_on_data(fact) and fact.open is None and not fact.cases and fact.best <= groups(fact.bytes)


def _is_little_work(group: Group) -> bool:
    """Whether no guess says how long loops are, and a few wavefronts more are little beside all that is computed."""
    return is_fixed(group.context.profile) and group.saved < FELT_LOUD


SITES: tuple[Gate[Site], ...] = (
    SPARED,
    *IDLE,
    Gate(
        "any pitch",
        Evidence.DEFAULT,
        "the lanes are one pitch apart that is read from memory, and most pitches cost little",
        lambda s: _is_any_pitch(s.access),
    ),
    Gate(
        "small table",
        Evidence.PATTERN,
        "lanes pick among so few words that two of them hardly ever meet in a bank",
        _is_cheap_table,
    ),
    OURS,
    Gate(
        "wide elements",
        Evidence.PROVED,
        "no more wavefronts than groups of lanes that are served one after another: elements are wider than a word",
        lambda s: s.access.fact.worst <= groups(s.access.fact.bytes),
    ),
    Gate(
        "usual sizes",
        Evidence.DEFAULT,
        "even sizes, which most are, cost nothing",
        lambda s: (
            s.access.fact.variation.mean is not None
            and request_cost(s.access, s.context.weights.sizes) <= s.access.fact.ideal
        ),
    ),
    OPEN,
    Gate(
        "guessed rows",
        Evidence.DEFAULT,
        "lanes of different rows of the block meet, and the width of the block is a guess",
        _is_of_guessed_rows,
    ),
)
"""Asked of each access: a yes silences it."""

GROUPS: tuple[Gate[Group], ...] = (
    GAIN,
    Gate(
        "hidden",
        Evidence.SEEN,
        f"less than {HIDDEN} wavefronts too many for each sector of global memory: served while the warp waits for it",
        lambda g: _beside_global(g) < HIDDEN,
    ),
    SHARE,
    Gate(
        "partly hidden",
        Evidence.SEEN,
        f"no more than {LOUD} wavefronts too many for each sector of global memory",
        lambda g: round(_beside_global(g), 6) <= LOUD,
        Level.INFORMATION,
    ),
    *CERTAINTY,
    Gate(
        "little work",
        Evidence.SEEN,
        f"less than {FELT_LOUD:.0%} of the work of a kernel of fixed length",
        _is_little_work,
        Level.INFORMATION,
    ),
    *UNSURE,
)
"""Asked of accesses that waste alike."""


def _message(context: Context, found: Alike) -> str:
    access = found.access
    return sentences(
        f"bank conflict {_DOES[access.fact.rw]} {array_text(access)}: {_random_text(access) or _worst_text(access)}",
        _otherwise(access),
        ideal_cases_text(access),
        times_text(found.times, context.weights.sizes, access.fact.requests, is_most(access)),
        share_text(
            context,
            found.share,
            "shared-memory traffic",
            at_sizes(access_times(context.profile, access), context.weights.sizes),
            found.text,
            word_of_share(context, found),
        ),
        assuming_text(context.facts),
    )


def _random_text(access: AccessProfile) -> str:
    """ "about 3.5 wavefronts (up to 32) where 1 would do (3.5x) if the values of `key[i]` are random": where memory
    decides which words lanes pick, all of them on one bank is nothing that happens by itself."""
    picked = random_wavefronts(access) if scatters_by_data(access.fact) and not tells_mean(access) else None
    if picked is None or picked >= _NEARLY * access.fact.worst:
        return ""
    costs = f"about {picked:.1f} wavefronts (up to {access.fact.worst}) {where_text(picked, access.fact.ideal)}"
    return f"each request takes {costs}{if_text(access, 'are random')}"


def _worst_text(access: AccessProfile) -> str:
    """ "up to 8-way, each request takes 8 wavefronts where 1 would do (8x)"."""
    most = "up to " if is_upper_figure(access) or access.fact.variation.mean is not None or tells_mean(access) else ""
    # Only narrow accesses are served in one group, so that wavefronts are the ways of the conflict.
    told = access.fact.bytes <= NARROW and access.fact.variation.sized is None
    ways = f"{most}{access.fact.worst}-way, " if told else ""
    costs = cost_text(access, "wavefronts", "" if told else most)
    return f"{ways}each request takes {costs}{if_text(access, 'meet in a bank')}"


def _otherwise(access: AccessProfile) -> str:
    """What to expect where a size decides, or what memory decides is how far apart lanes are that keep their distances: the bound is for the
    worst of them."""
    if access.fact.variation.mean is not None and access.fact.variation.mean.cost > _NEARLY * access.fact.worst:
        return ""
    if access.fact.variation.mean is not None:
        return f"{access.fact.variation.mean.cost:.1f} on average over `{access.fact.variation.mean.symbol}`"
    few = access.fact.open is None and access.fact.bytes <= WORD_BYTES and access.fact.best < access.fact.worst
    return f"as few as {access.fact.best} for other values in memory" if few and rests_on_data(access.fact) else ""


def _notes(context: Context, access: AccessProfile) -> tuple[Note, ...]:
    notes = notes_of(context, access)
    if access.fact.contention is None or access.fact.contention < 2:
        return notes
    return (*notes, Note(f"contention: up to {access.fact.contention} lanes of one atomic on one address take turns"))


RULE = AccessRule(CODE, Level.WARNING, SITES, GROUPS, (), is_subject, _message, _notes)

CHECK = Check(CODE, "bank-conflict", "lanes of a warp collide on a shared-memory bank", RULE.level, ask=RULE.ask)
