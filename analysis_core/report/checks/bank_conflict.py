"""WC201 bank-conflict: lanes of a warp want different words of the same shared-memory bank.

Fires when wavefronts exceed the ideal and the groups in which a warp is served: 2 for 8-byte, 4 for 16-byte elements.
Quiet for broadcasts (they are ideal), below the thresholds, and for wide accesses that only miss the merging of groups.  No warning where constants say how
often all is done, and it is little beside what the kernel computes (`profile/work`).  Lanes of an
atomic on the *same* address serialise too, but that is contention, told in a note and never called a conflict.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from analysis_core.ir.types import Space
from analysis_core.machine.sizes import WARP, WORD_BYTES
from analysis_core.profile.access_profile import AccessProfile
from analysis_core.profile.kernel_context import Context
from analysis_core.profile.launch_work import is_fixed
from analysis_core.profile.random_words import groups, random_wavefronts
from analysis_core.profile.shares import access_times, is_near, request_cost
from analysis_core.profile.sizes import Sizes, sizes_text
from analysis_core.profile.sureness import (
    is_idle_guess,
    is_one_guess,
    is_our_limit,
    is_upper_figure,
    may_be_cheap,
    rests_on_data,
    scatters_by_data,
)
from analysis_core.profile.work import FELT_LOUD, most_saved
from analysis_core.report.findings.alike import LEAST_GAIN, Alike, by_index, together, weighed
from analysis_core.report.findings.by_memory import heard, is_by_memory
from analysis_core.report.findings.check import Check, is_of_open_constants, level_of, notes_of, verdict_of
from analysis_core.report.findings.model import CheckId, Finding, Level, Note
from analysis_core.report.findings.nested_rounds import is_guess_of_guess
from analysis_core.report.findings.share_words import word_of_share
from analysis_core.report.findings.wording import (
    NARROW,
    assuming_text,
    cost_text,
    factor_text,
    ideal_cases_text,
    if_text,
    is_most,
    joined,
    share_text,
    tells_mean,
    times_text,
    where_text,
)

CODE = CheckId("WC201")

LEAST_RANDOM = 2
"""Wavefronts over the ideal from which a conflict is told that memory decides: a table of so few words that no bank has more than two
costs less than two of them."""


_NEARLY = 0.9
"""Part of the worst from which on a mean says nothing that the worst does not."""


LOUD, HIDDEN = 0.25, 0.05
"""Wavefronts too many for each sector of global memory above which a conflict may be a warning, and from which it is reported at all.  A
processor takes a wavefront in a cycle and gets a sector from memory in two to four: one more for each request of a word a lane, which moves four
sectors, is served while it waits."""


def find(context: Context) -> Iterator[Finding]:
    """One finding per index and way that lanes stand in, or per array where its accesses are worth a line only together."""
    sizes = context.weights.sizes
    told = [w for w in weighed(context) if _fires(w[0]) and not is_near(w[0], sizes) and not _is_padded(w[0], sizes)]
    told = [w for w in told if not (is_of_open_constants(context, w[0]) or _is_of_guessed_rows(context, w[0]))]
    each = together(told, context.settings.information_share, context.kernel)
    for found in by_index(one for one in each if _level(context, one) is not None):
        access, level = found.access, _level(context, found)
        if level is not None:
            notes = notes_of(context, access) + _contention(access) + found.notes
            yield Finding(
                CODE,
                verdict_of(access),
                level,
                access.fact.span,
                _message(context, found),
                notes,
                share=found.share,
                subject=access.fact.text,
                worst=access.fact.worst,
                ideal=access.fact.ideal,
                fellows=found.fellows,
            )


def _level(context: Context, found: Alike) -> Level | None:
    """How loud the group is; None where it is not worth a line."""
    access = found.access
    if found.gain < LEAST_GAIN * context.settings.information_share:
        return None
    beside = _beside_global(context, found)
    if beside < HIDDEN:
        return None
    certain = (
        not (may_be_cheap(access.fact) or access.frequency.rarity or is_one_guess(access.fact))
        and round(beside, 6) > LOUD
    )
    level = level_of(context, access.each / max(1, access.each_ideal), found.least, certain)
    if (
        level is Level.WARNING
        and is_fixed(context.profile)
        and most_saved(context, (access, *found.others)) < FELT_LOUD
    ):
        level = Level.INFORMATION  # by no guess how long loops are: a few wavefronts more beside all that is computed
    return level and heard(level, is_by_memory(access) or is_guess_of_guess(context, found))


def _beside_global(context: Context, found: Alike) -> float:
    """The wavefronts that the ideal pattern would save, for each sector of global memory that the kernel moves."""
    totals = context.weights.totals
    sectors = totals.get(Space.GLOBAL, 0.0)
    return found.gain * totals.get(Space.SHARED, 0.0) / sectors if sectors else inf


def _fires(access: AccessProfile) -> bool:
    if is_idle_guess(access) or _is_any_pitch(access):
        return False
    picked = random_wavefronts(access)
    if picked is not None and picked < LEAST_RANDOM * groups(access.fact.bytes):
        return False
    return (
        access.fact.space is Space.SHARED
        and not is_our_limit(access.fact)
        and access.fact.worst > groups(access.fact.bytes)
    )


def _is_padded(access: AccessProfile, sizes: Sizes) -> bool:
    """Whether a size decides, and what sizes usually are, even numbers, costs nothing: rows of `n + 1` words."""
    return access.fact.variation.mean is not None and request_cost(access, sizes) <= access.fact.ideal


def _is_of_guessed_rows(context: Context, access: AccessProfile) -> bool:
    """Whether lanes meet no more than once for each row of a block whose width is a guess: in a block of 32 in a row they may not meet
    at all (`tile[threadIdx.y][threadIdx.x]`)."""
    width = context.facts.block[0]
    rows = WARP // width if width < WARP and context.facts.source == "default" else 1
    return rows > 1 and access.fact.worst <= rows * groups(access.fact.bytes)


def _is_any_pitch(access: AccessProfile) -> bool:
    """Whether lanes keep their distances, and memory says how far these are: half of all row lengths have no conflict, a quarter
    have one of two ways, and the bound is that of one in 32."""
    known_lanes = access.fact.open is None and not access.fact.cases
    return rests_on_data(access.fact) and known_lanes and access.fact.best <= groups(access.fact.bytes)


def _message(context: Context, found: Alike) -> str:
    access = found.access
    sizes = sizes_text(access_times(context.profile, access), context.weights.sizes)
    return joined(
        _random_text(access) or _worst_text(access),
        _otherwise(access),
        ideal_cases_text(access),
        times_text(found.times, context.weights.sizes, access.fact.requests, is_most(access)),
        share_text(found.share, "wavefronts", sizes, found.text, word_of_share(context, found)),
        assuming_text(context.facts),
    )


def _random_text(access: AccessProfile) -> str:
    """ "bank conflicts: about 3.5 wavefronts per request where the values of `key[i]` are random (up to 32), ideal 1 (3.5x)": where memory
    decides which words lanes pick, all of them on one bank is nothing that happens by itself."""
    picked = random_wavefronts(access) if scatters_by_data(access.fact) and not tells_mean(access) else None
    if picked is None or picked >= _NEARLY * access.fact.worst:
        return ""
    where = where_text(access) or if_text(access, "are random", " where")
    costs = f"about {picked:.1f} wavefronts per request{where} (up to {access.fact.worst})"
    return f"bank conflicts: {costs}, ideal {access.fact.ideal} ({factor_text(picked, access.fact.ideal)})"


def _worst_text(access: AccessProfile) -> str:
    """ "up to 8-way bank conflict: 8 wavefronts per request, ideal 1 (8.0x)"."""
    most = "up to " if is_upper_figure(access) or access.fact.variation.mean is not None or tells_mean(access) else ""
    # Only narrow accesses are served in one group, so that wavefronts are the ways of the conflict.
    ways = f"{most}{access.fact.worst}-way bank conflict: " if access.fact.bytes <= NARROW else "bank conflicts: "
    costs = cost_text(access, "wavefronts", "" if access.fact.bytes <= NARROW else most)
    return f"{ways}{costs}{if_text(access, 'meet in a bank')}"


def _otherwise(access: AccessProfile) -> str:
    """What to expect where a size decides, or what memory decides is how far apart lanes are that keep their distances: the bound is for the
    worst of them."""
    if access.fact.variation.mean is not None and access.fact.variation.mean.cost > _NEARLY * access.fact.worst:
        return ""
    if access.fact.variation.mean is not None:
        return f"{access.fact.variation.mean.cost:.1f} on average over `{access.fact.variation.mean.symbol}`"
    few = access.fact.open is None and access.fact.bytes <= WORD_BYTES and access.fact.best < access.fact.worst
    return f"as few as {access.fact.best} for other values in memory" if few and rests_on_data(access.fact) else ""


def _contention(access: AccessProfile) -> tuple[Note, ...]:
    if access.fact.contention is None or access.fact.contention < 2:
        return ()
    return (Note(f"contention: up to {access.fact.contention} lanes of one atomic on one address take turns"),)


CHECK = Check(CODE, "bank-conflict", "lanes of a warp collide on a shared-memory bank", Level.WARNING, find)
