"""WC101 uncoalesced-access: a warp moves more sectors than its elements need because they lie apart.

Fires when sectors exceed ideal through stride or scatter.  Quiet below the thresholds, of share and of excess sectors
(rows broadcast to a few lanes each), where next to none of the kernel's work would be saved, where a single lane accesses (its one sector is ideal) or few lanes cost no more than a
coalesced request of all would, and where only our own ignorance makes the figure large.  Stores that fill their sectors together with
stores beside them are no warning, and say so: L2 pays for each of them, but what it sends on is whole.  Nor are loads of many lines that use their
sectors together, nor short rows that each lane walks through by itself.  Addresses that come from memory
may be anything: reported as "up to", never as a warning.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator

from analysis_core.ir.launch_site import is_assumed, made_launches
from analysis_core.ir.types import Space
from analysis_core.machine.sizes import SECTOR_BYTES, WARP
from analysis_core.profile.access_profile import AccessProfile
from analysis_core.profile.kernel_context import Context
from analysis_core.profile.light_sides import light_sides
from analysis_core.profile.shares import access_times, is_near, moved, request_cost
from analysis_core.profile.sizes import Sizes, sizes_text
from analysis_core.profile.sureness import (
    is_idle_guess,
    is_one_guess,
    is_our_limit,
    is_upper_figure,
    may_be_cheap,
    rests_on_data,
)
from analysis_core.profile.work import FELT_LOUD, most_saved
from analysis_core.report.checks import divergent_branch
from analysis_core.report.findings.alike import LEAST_GAIN, Alike, by_index, together, weighed
from analysis_core.report.findings.by_memory import heard, is_by_memory
from analysis_core.report.findings.check import (
    QUIET_SECTORS,
    Check,
    capped_by_excess,
    is_of_open_constants,
    level_of,
    notes_of,
    verdict_of,
)
from analysis_core.report.findings.model import CheckId, Finding, Level
from analysis_core.report.findings.nested_rounds import is_guess_of_guess
from analysis_core.report.findings.share_words import word_of_share
from analysis_core.report.findings.uncounted import without
from analysis_core.report.findings.wording import (
    assuming_text,
    cost_text,
    factor_text,
    ideal_cases_text,
    if_text,
    is_most,
    joined,
    share_text,
    times_text,
)
from analysis_core.requests.facts import Certainty, Pattern, ReadWrite
from analysis_core.text.span import Span
from analysis_core.traffic.traffic import Reuse

CODE = CheckId("WC101")

FAR_FROM_IDEAL = 2
"""Below this factor an access that is ideal for some sizes is silent: rows at a pitch that are not aligned (WC102).  Others have
to save the information share: half rows of a stencil are misaligned by nature."""


MOST = 0.5
"""The part of a kernel's sectors from which on an access is most of them."""

FELT = 0.01
"""The part of a kernel's work that an access has to cost more than the ideal, to be reported at all: mending what lies apart among the few
sectors of a kernel that computes is no gain to anybody."""

FEW = 2
"""Halvings by data from which on the lanes of a request are few: the others are no coin's two sides."""


def find(context: Context) -> Iterator[Finding]:
    """One finding per index and way that lanes stand in, or per array where its accesses are worth a line only together."""
    sizes = context.weights.sizes
    waste = [w for w in weighed(context) if _fires(w[0]) and not is_near(w[0], sizes) and not _is_usual(w[0], sizes)]
    waste = [w for w in waste if not _is_of_guessed_rows(context, w[0]) and not is_of_open_constants(context, w[0])]
    told = _told_branches(context) if any(_lacks_lanes(access) for access, *_ in waste) else ()
    waste = [w for w in waste if not (_lacks_lanes(w[0]) and any(_lies_in(w[0].fact.span, whole) for whole in told))]
    each = together(waste, context.settings.information_share, context.kernel)
    for found in by_index(one for one in each if _level(context, one) is not None):
        access, level = found.access, _as_felt(_level(context, found), context, found)
        if level is not None:
            yield Finding(
                CODE,
                verdict_of(access),
                level,
                access.fact.span,
                _message(context, found),
                notes_of(context, access) + found.notes,
                share=found.share,
                subject=access.fact.text,
                worst=access.fact.worst,
                ideal=access.fact.ideal,
                fellows=found.fellows,
            )


def _level(context: Context, found: Alike) -> Level | None:
    """How loud the group is; None where it is not worth a line."""
    access = found.access
    unsure = may_be_cheap(access.fact) or access.frequency.rarity > 0 or is_one_guess(access.fact)
    least_gain = LEAST_GAIN if access.fact.worst >= FAR_FROM_IDEAL * access.fact.ideal else 1
    if found.gain < least_gain * context.settings.information_share or _is_slight(found):
        return None
    level = level_of(context, access.each / max(1, access.each_ideal), found.least, not unsure)
    level = capped_by_excess(level, access.each - access.each_ideal)
    if level and access.traffic.row_end:
        return Level.HINT
    if level is Level.WARNING and _is_shared(found):
        level = Level.INFORMATION
    return level and heard(level, is_by_memory(access) or is_guess_of_guess(context, found))


def _as_felt(level: Level | None, context: Context, found: Alike) -> Level | None:
    """The level by the work that mending it would save, with many rounds in loops of unknown length or with few."""
    if level is None:
        return None
    group = (found.access, *found.others)
    saved = most_saved(context, group)
    if saved < FELT:
        return None
    return level if saved >= FELT_LOUD or level is not Level.WARNING else Level.INFORMATION


def _is_slight(found: Alike) -> bool:
    """Whether rows have a sector too many at their ends, which their neighbours need: worth a line only where that is sure, and most of
    what the kernel does.  Half as many again, where rows of half a warp each begin within a sector, have to be sure, too."""
    access = found.access
    if 2 * access.fact.worst == 3 * access.fact.ideal:
        return is_upper_figure(access) and _fills_sectors(access)
    return 2 * access.fact.worst < 3 * access.fact.ideal and (is_upper_figure(access) or found.least <= MOST)


def _fills_sectors(access: AccessProfile) -> bool:
    """Whether lanes take whole sectors, so that what is wasted is at the ends of rows; a stride leaves gaps in each."""
    groups = () if access.fact.picture is None else access.fact.picture.group
    lanes = Counter(group for group in groups if group is not None)
    return any(count * access.fact.bytes >= SECTOR_BYTES for count in lanes.values())


def _at_usual_sizes(access: AccessProfile, sizes: Sizes) -> int:
    """What a request costs at these sizes, where a case says that: rows at an aligned pitch are what programs have."""
    is_case = bool(access.fact.cases) and access.fact.variation.spread is None and not rests_on_data(access.fact)
    return max(access.fact.ideal, request_cost(access, sizes)) if is_case else access.fact.worst


def _is_usual(access: AccessProfile, sizes: Sizes) -> bool:
    """Whether a request has hardly a sector too many, and only sizes that programs do not have make it twice as many: rows of bytes that
    half a warp takes each."""
    usual = _at_usual_sizes(access, sizes)
    return 2 * usual <= access.fact.worst and usual - access.fact.ideal < QUIET_SECTORS


def _told_branches(context: Context) -> tuple[Span, ...]:
    """The statements whose branch is a finding of its own, as WC301 says how many lanes their sides lack; or none, as all sides are
    one store."""
    light = light_sides(context.kernel)
    none = (
        b.fact.whole
        for b in context.profile.branches
        if b.fact.whole is not None and b.fact.span in light and light[b.fact.span].one_place
    )
    return (*none, *(whole for told in divergent_branch.worth_a_line(context) for whole in told.wholes))


def _lacks_lanes(access: AccessProfile) -> bool:
    """Whether lanes stand side by side in memory, and only those that do not run leave gaps."""
    picture = access.fact.picture
    return picture is not None and None in picture.group and picture.stride == str(access.fact.bytes)


def _lies_in(span: Span, whole: Span) -> bool:
    return span.file == whole.file and whole.start <= span.start and span.end <= whole.end


def _fires(access: AccessProfile) -> bool:
    if (
        access.fact.space is not Space.GLOBAL
        or _is_one_lane(access)
        or access.fact.worst - access.fact.ideal < QUIET_SECTORS
    ):
        return False
    if is_idle_guess(access) or _is_few_lanes(access):
        return False
    if access.expected.usual is not None and access.each < FAR_FROM_IDEAL * access.fact.ideal:
        return False
    if access.fact.worst < FAR_FROM_IDEAL * access.fact.ideal and _is_ideal_for_some_sizes(access):
        return False
    match access.fact.pattern:
        case Pattern.STRIDED | Pattern.SCATTERED:
            return not is_our_limit(access.fact)
        case Pattern.UNKNOWN:
            return rests_on_data(access.fact)
        case Pattern.UNIFORM | Pattern.COALESCED | Pattern.MISALIGNED:
            return False


def _is_ideal_for_some_sizes(access: AccessProfile) -> bool:
    """Whether sizes decide the cost, and some of them give the ideal; not warps that differ."""
    if access.fact.cases:
        return any(case.cost <= access.fact.ideal for case in access.fact.cases)
    return access.fact.certainty is Certainty.RANGED and access.fact.best <= access.fact.ideal


def full_request(width: int) -> int:
    """The sectors that a coalesced request of all 32 lanes moves for elements of `width` bytes (HARDWARE.md)."""
    return max(1, width)


def _is_few_lanes(access: AccessProfile) -> bool:
    """Whether few lanes, each in a row of its own (the face of a grid that lies across memory), cost no more than all lanes side by
    side would: what is wasted is lanes, not sectors.  So where lanes go through windows of their own, where data decides which lanes run, and few are to be expected, and where the
    whole array has no more sectors than that."""
    if access.frequency.few is not None and access.frequency.few <= full_request(access.fact.bytes):
        return True
    if access.traffic.room is not None and access.traffic.room <= full_request(access.fact.bytes) * SECTOR_BYTES:
        return True
    if (
        access.frequency.rarity >= FEW
        and rests_on_data(access.fact)
        and WARP >> access.frequency.rarity <= full_request(access.fact.bytes)
    ):
        return True
    if access.fact.picture is None or access.fact.worst > full_request(access.fact.bytes):
        return False
    return sum(group is not None for group in access.fact.picture.group) == access.fact.worst


def _is_of_guessed_rows(context: Context, access: AccessProfile) -> bool:
    """Whether a request costs no more than rows of a block of guessed width, in each of which lanes stand side by side.  Who calls the
    host's function hands it the block: rows of 32 are as likely as rows of 8."""
    width = context.facts.block[0]
    if width >= WARP or WARP % width or not is_assumed(context.facts.source):
        return False
    launches = made_launches(context.kernel.launches)
    if not launches or not all(site.handed and site.usual is None for site in launches):
        return False
    side_by_side = (width * access.fact.bytes + SECTOR_BYTES - 2) // SECTOR_BYTES + 1
    return access.fact.worst <= WARP // width * side_by_side


def _is_one_lane(access: AccessProfile) -> bool:
    return access.fact.picture is not None and sum(group is not None for group in access.fact.picture.group) == 1


def _message(context: Context, found: Alike) -> str:
    access = found.access
    sizes = sizes_text(access_times(context.profile, access), context.weights.sizes)
    most = "up to " if is_upper_figure(access) else ""
    costs = cost_text(access, "sectors", most)
    if access.fact.why.unsized:
        costs = f"{most}{access.fact.worst} sectors per request, elements of a type that is not known here"
    return joined(
        costs + if_text(access, "scatter"),
        ideal_cases_text(access) or _usual_text(access, _at_usual_sizes(access, context.weights.sizes)),
        _shared_text(access) if _is_shared(found) else _along_text(context, found),
        times_text(found.times, context.weights.sizes, access.fact.requests, is_most(access)),
        share_text(
            found.share,
            moved(context.profile) + without(context.kernel),
            sizes,
            found.text,
            word_of_share(context, found),
        ),
        assuming_text(context.facts),
    )


def _is_shared(found: Alike) -> bool:
    """Whether the access uses its sectors together with others beside it, or in its next rounds, and so does most of what loses anything with it."""
    if not _uses_sectors(found.access):
        return False
    return _is_most_lost(found, _uses_sectors)


def _is_most_lost(found: Alike, is_one: Callable[[AccessProfile], bool]) -> bool:
    """Whether such accesses of the group make up most of what it loses."""
    lost = [(is_one(one), one.wasted * one.each) for one in (found.access, *found.others)]
    return sum(loss for counts, loss in lost if counts) > MOST * sum(loss for _, loss in lost)


def _uses_sectors(access: AccessProfile) -> bool:
    return access.traffic.reuse is not Reuse.NONE


def _shared_text(access: AccessProfile) -> str:
    if access.traffic.reuse.is_by_rounds:
        does = "use" if access.fact.rw is ReadWrite.READ else "fill"
        return f"each lane's next rounds {does} the same sectors"
    return _by_those_beside(access)


def _by_those_beside(access: AccessProfile) -> str:
    return (
        "loads beside it use the same sectors"
        if access.fact.rw is ReadWrite.READ
        else "stores beside it fill the same sectors"
    )


def _along_text(context: Context, found: Alike) -> str:
    """What is left of the sectors of long rows: the next rounds ask for it, and nobody knows whether a cache has it then."""
    group = (found.access, *found.others)
    if not _goes_along(found.access, group):
        return ""
    lost = [
        (_goes_along(one, group) or _lies_in_rows_of(one, found.access), _lost_in_all(context, one)) for one in group
    ]
    if sum(loss for along, loss in lost if along) <= MOST * sum(loss for _, loss in lost):
        return ""
    does = "use" if found.access.fact.rw is ReadWrite.READ else "fill"
    return f"each lane's next rounds {does} the same sectors, if a cache holds them"


def _goes_along(access: AccessProfile, group: Collection[AccessProfile]) -> bool:
    """Whether rounds leave nothing of a sector: by themselves, or with others of the array that move as far and lie between (parts of a number)."""
    beside = (
        one
        for one in group
        if one.traffic.step == access.traffic.step
        and one.fact.base == access.fact.base
        and one.fact.rw is access.fact.rw
    )
    return 0 < access.traffic.step <= access.fact.bytes or 0 < access.traffic.step <= sum(
        one.fact.bytes for one in beside
    )


def _lies_in_rows_of(access: AccessProfile, walked: AccessProfile) -> bool:
    """Whether its lanes are elements of the rows that another access goes along."""
    return access.fact.base == walked.fact.base and access.lanes == walked.lanes != 0


def _lost_in_all(context: Context, access: AccessProfile) -> float:
    """What a warp pays above the ideal, in all rounds at the sizes that are told."""
    times = 1.0 if access.fact.times is None else context.weights.sizes.executions(access.fact.times, context.settings)
    return access.wasted * access.each * times


def _usual_text(access: AccessProfile, usual: int) -> str:
    """ "4 (4.0x) when pitch % 32 == 0": where the sizes that the share is told for meet that."""
    met = [case.when for case in access.fact.cases if case.cost == usual < access.fact.worst]
    return f"{usual} ({factor_text(usual, access.fact.ideal)}) when {met[0]}" if met else ""


CHECK = Check(CODE, "uncoalesced-access", "a warp moves more sectors than its elements need", Level.WARNING, find)
