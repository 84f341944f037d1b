"""WC101 uncoalesced-access: a warp moves more sectors than its elements need because they lie apart.

Fires when sectors exceed ideal through stride or scatter.  Quiet below the thresholds, of share and of excess sectors
(rows broadcast to a few lanes each), where next to none of the kernel's work would be saved, where a single lane accesses (its one sector is ideal) or few lanes cost no more than a
coalesced request of all would, and where only our own ignorance makes the figure large.  Stores that fill their sectors together with
stores beside them are no warning, and say so: L2 pays for each of them, but what it sends on is whole.  Nor are loads of many lines that use their
sectors together, nor rows of each lane's own that begin where memory says.  Addresses that come from memory
may be anything: reported as "up to", never as a warning.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection
from dataclasses import replace

from analysis_core.ir.launch_site import is_assumed, made_launches
from analysis_core.ir.types import Space
from analysis_core.machine.sizes import SECTOR_BYTES, WARP
from analysis_core.profile.access_profile import AccessProfile
from analysis_core.profile.evidence import Evidence
from analysis_core.profile.kernel_context import Context
from analysis_core.profile.light_sides import light_sides
from analysis_core.profile.shares import access_times, moved, request_cost
from analysis_core.profile.sizes import Sizes, at_sizes
from analysis_core.profile.sureness import is_upper_figure, rests_on_data
from analysis_core.profile.work import FELT_LOUD
from analysis_core.report.checks import divergent_branch
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
    is_not_understood,
)
from analysis_core.report.findings.alike import LEAST_GAIN, Alike
from analysis_core.report.findings.check import LOUD_SECTORS, QUIET_SECTORS, Check, notes_of
from analysis_core.report.findings.gates import Gate
from analysis_core.report.findings.model import CheckId, Level
from analysis_core.report.findings.uncounted import without
from analysis_core.report.findings.wording import (
    access_text,
    assuming_text,
    cost_text,
    factor_text,
    ideal_cases_text,
    if_text,
    is_most,
    sentences,
    share_text,
    times_text,
    word_of_share,
)
from analysis_core.requests.facts import Certainty, Pattern, ReadWrite
from analysis_core.support.derived import derived
from analysis_core.text.span import Span
from analysis_core.traffic.traffic import Reuse

CODE = CheckId("WC101")

FAR_FROM_IDEAL = 2
"""Below this factor an access that is ideal for some sizes is silent: rows at a pitch that are not aligned (WC102).  Others have
to save the information share: half rows of a stencil are misaligned by nature."""


MOST = 0.5
"""The part of a kernel's sectors from which on an access is most of them."""


def is_subject(access: AccessProfile) -> bool:
    """Whether the rule asks anything of the access."""
    return access.fact.space is Space.GLOBAL and access.fact.worst > access.fact.ideal


def _at_usual_sizes(access: AccessProfile, sizes: Sizes) -> int:
    """What a request costs at these sizes, where a case says that: rows at an aligned pitch are what programs have."""
    is_case = bool(access.fact.cases) and access.fact.variation.spread is None and not rests_on_data(access.fact)
    return max(access.fact.ideal, request_cost(access, sizes)) if is_case else access.fact.worst


def _is_one_lane(access: AccessProfile) -> bool:
    picture = access.fact.picture
    return picture is not None and sum(group is not None for group in picture.group) == 1


def _is_usual(site: Site) -> bool:
    usual = _at_usual_sizes(site.access, site.context.weights.sizes)
    return 2 * usual <= site.access.fact.worst and usual - site.access.fact.ideal < QUIET_SECTORS


def _is_ideal_for_some_sizes(access: AccessProfile) -> bool:
    """Whether sizes decide the cost, and some of them give the ideal; not warps that differ."""
    fact = access.fact
    if fact.cases:
        return any(case.cost <= fact.ideal for case in fact.cases)
    return fact.certainty is Certainty.RANGED and fact.best <= fact.ideal


_TOGETHER = (Pattern.UNIFORM, Pattern.COALESCED, Pattern.MISALIGNED)


def _is_lost(access: AccessProfile) -> bool:
    return access.fact.pattern is Pattern.UNKNOWN and not (rests_on_data(access.fact) or access.expected.as_a_whole)


def full_request(width: int) -> int:
    """The sectors that a coalesced request of all 32 lanes moves for elements of `width` bytes (docs/hardware.md)."""
    return max(1, width)


def _is_few_shown(access: AccessProfile) -> bool:
    """Whether the lanes that run are few, each in a row of its own (the face of a grid that lies across memory)."""
    fact = access.fact
    if fact.picture is None or fact.worst > full_request(fact.bytes):
        return False
    return sum(group is not None for group in fact.picture.group) == fact.worst


def _is_of_guessed_rows(site: Site) -> bool:
    """Whether a request costs no more than rows of a block of guessed width, in each of which lanes stand side by side.  Who calls the
    host's function hands it the block: rows of 32 are as likely as rows of 8."""
    facts, fact = site.context.facts, site.access.fact
    width = facts.block[0]
    if width >= WARP or WARP % width or not is_assumed(facts.source):
        return False
    launches = made_launches(site.context.kernel.launches)
    if not launches or not all(one.handed and one.usual is None for one in launches):
        return False
    side_by_side = (width * fact.bytes + SECTOR_BYTES - 2) // SECTOR_BYTES + 1
    return fact.worst <= WARP // width * side_by_side


def _is_told_as_branch(site: Site) -> bool:
    """Whether lanes stand side by side in memory, only those that do not run leave gaps, and WC301 says how many its sides lack."""
    fact = site.access.fact
    picture = fact.picture
    if picture is None or None not in picture.group or picture.stride != str(fact.bytes):
        return False
    return any(whole.encloses(fact.span) for whole in _told_branches(site.context))


@derived
def _told_branches(context: Context) -> tuple[Span, ...]:
    """The statements whose branch is a finding of its own; or none, as all sides are one store."""
    light = light_sides(context.kernel)
    none = (
        b.whole for b in context.facts.branches if b.whole is not None and b.span in light and light[b.span].one_place
    )
    return (*none, *(whole for told in divergent_branch.worth_a_line(context) for whole in told.wholes))


SITES: tuple[Gate[Site], ...] = (
    Gate(
        "one lane",
        Evidence.PROVED,
        "a single lane makes the request: its sector is the ideal",
        lambda s: _is_one_lane(s.access),
    ),
    Gate(
        "one sector",
        Evidence.PROVED,
        f"fewer than {QUIET_SECTORS} extra sectors per request",
        lambda s: s.access.fact.worst - s.access.fact.ideal < QUIET_SECTORS,
    ),
    SPARED,
    *IDLE,
    Gate(
        "few lanes",
        Evidence.PROVED,
        "few lanes run, each at a sector of its own: lanes are wasted, not sectors",
        lambda s: _is_few_shown(s.access),
    ),
    Gate(
        "usual cost",
        Evidence.DEFAULT,
        f"on average over where rows begin it costs less than {FAR_FROM_IDEAL} times the ideal",
        lambda s: s.access.expected.usual is not None and s.access.each < FAR_FROM_IDEAL * s.access.fact.ideal,
    ),
    Gate(
        "ends of rows",
        Evidence.DEFAULT,
        f"most warps pay less than {FAR_FROM_IDEAL} times the ideal; only those at a border or at the end of a row pay more",
        lambda s: (
            s.access.expected.inside is not None and s.access.expected.inside < FAR_FROM_IDEAL * s.access.fact.ideal
        ),
    ),
    Gate(
        "some sizes are ideal",
        Evidence.DEFAULT,
        f"less than {FAR_FROM_IDEAL} times the ideal, and the ideal where the length of a row is a multiple of what a sector holds",
        lambda s: s.access.fact.worst < FAR_FROM_IDEAL * s.access.fact.ideal and _is_ideal_for_some_sizes(s.access),
    ),
    Gate("side by side", Evidence.PROVED, "lanes lie side by side", lambda s: s.access.fact.pattern in _TOGETHER),
    replace(OURS, holds=lambda s: is_not_understood(s.access) or _is_lost(s.access)),
    Gate(
        "usual pitches",
        Evidence.DEFAULT,
        "hardly a sector too many at the pitches that programs usually have",
        _is_usual,
    ),
    Gate(
        "guessed rows",
        Evidence.DEFAULT,
        "the block is narrower than a warp only by a guess: its width is for callers to choose",
        _is_of_guessed_rows,
    ),
    OPEN,
    Gate(
        "reported as a branch",
        Evidence.PROVED,
        "the missing lanes are held back by a branch, and the branch is what to look at",
        _is_told_as_branch,
    ),
)
"""Asked of each access: a yes silences it."""


def _is_slight(group: Group) -> bool:
    """Whether rows have a sector too many at their ends, which their neighbours need: worth a line only where that is sure, and most of
    what the kernel does.  Half as many again, where rows of half a warp each begin within a sector, have to be sure, too."""
    access, fact = group.access, group.access.fact
    if 2 * fact.worst == 3 * fact.ideal:
        return is_upper_figure(access) and _fills_sectors(access)
    return 2 * fact.worst < 3 * fact.ideal and (is_upper_figure(access) or group.found.least <= MOST)


def _fills_sectors(access: AccessProfile) -> bool:
    """Whether lanes take whole sectors, so that what is wasted is at the ends of rows; a stride leaves gaps in each."""
    groups = () if access.fact.picture is None else access.fact.picture.group
    lanes = Counter(group for group in groups if group is not None)
    return any(count * access.fact.bytes >= SECTOR_BYTES for count in lanes.values())


def _gains_little(group: Group) -> bool:
    least = LEAST_GAIN if group.access.fact.worst >= FAR_FROM_IDEAL * group.access.fact.ideal else 1
    return group.found.gain < least * group.context.settings.information_share


GROUPS: tuple[Gate[Group], ...] = (
    replace(GAIN, holds=_gains_little),
    Gate(
        "slight",
        Evidence.DEFAULT,
        "one sector too many at the ends of rows, which the neighbouring warp needs anyway",
        _is_slight,
    ),
    SHARE,
    Gate(
        "one sector on average",
        Evidence.PROVED,
        f"fewer than {QUIET_SECTORS} extra sectors per request",
        lambda g: g.excess < QUIET_SECTORS,
    ),
    *CERTAINTY,
    Gate(
        "small excess",
        Evidence.PROVED,
        f"fewer than {LOUD_SECTORS} extra sectors per request",
        lambda g: g.excess < LOUD_SECTORS,
        Level.INFORMATION,
    ),
    Gate(
        "end of rows",
        Evidence.PATTERN,
        "each lane is at the end of a long row of its own",
        lambda g: g.access.traffic.row_end,
        Level.HINT,
    ),
    Gate(
        "shared sectors",
        Evidence.PROVED,
        "other accesses beside it, or its own next iterations, use the same sectors",
        lambda g: _is_shared(g.found),
        Level.INFORMATION,
    ),
    *UNSURE,
)
"""Asked of accesses that waste alike."""

WHOLE: tuple[Gate[Group], ...] = (
    Gate(
        "little work",
        Evidence.DEFAULT,
        f"the ideal would save less than {FELT_LOUD:.0%} of the kernel's work",
        lambda g: g.saved < FELT_LOUD,
        Level.INFORMATION,
    ),
)
"""Asked once more, of all that are told together."""


def _message(context: Context, found: Alike) -> str:
    access = found.access
    most = "up to " if is_upper_figure(access) else ""
    costs = cost_text(access, "sectors", most)
    if access.fact.why.unsized and access.fact.variation.sized is None:
        costs = f"{most}{access.fact.worst} sectors (the type of its elements is not known)"
    return sentences(
        f"uncoalesced {access_text(access)}: each warp touches {costs}{if_text(access, 'scatter')}",
        ideal_cases_text(access) or _usual_text(access, _at_usual_sizes(access, context.weights.sizes)),
        _shared_text(access) if _is_shared(found) else _along_text(context, found),
        times_text(found.times, context.weights.sizes, access.fact.requests, is_most(access)),
        share_text(
            context,
            found.share,
            moved(context.profile) + without(context.kernel),
            at_sizes(access_times(context.profile, access), context.weights.sizes),
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
    if access.traffic.reuse is Reuse.OWN_ROW or 0 < access.traffic.step <= access.fact.bytes:
        return f"each thread {_does(access)} the rest of these sectors in its next iterations"
    return _by_those_beside(access)


def _by_those_beside(access: AccessProfile) -> str:
    return (
        "neighbouring loads read the rest of these sectors"
        if access.fact.rw is ReadWrite.READ
        else "neighbouring stores fill the rest of these sectors"
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
    return f"each thread {_does(found.access)} the rest of these sectors in its next iterations (L1 may absorb this)"


def _does(access: AccessProfile) -> str:
    return "reads" if access.fact.rw is ReadWrite.READ else "fills"


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
    """ "4 (4x) when pitch % 32 == 0": where the sizes that the share is told for meet that."""
    fixed = access.fact.variation.sized is None
    met = [case.when for case in access.fact.cases if case.cost == usual < access.fact.worst and fixed]
    return f"{usual} ({factor_text(usual, access.fact.ideal)}) when {met[0]}" if met else ""


RULE = AccessRule(CODE, Level.WARNING, SITES, GROUPS, WHOLE, is_subject, _message, notes_of)

CHECK = Check(CODE, "uncoalesced-access", "a warp moves more sectors than its elements need", RULE.level, ask=RULE.ask)
