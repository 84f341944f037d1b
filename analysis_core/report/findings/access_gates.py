"""The gates that losses at accesses have in common, of global and of shared memory (WC101, WC201).

Each access is asked first whether its figure is one that somebody could act on; then the accesses that waste alike are asked together (`alike`) what
they lose, and how sure that is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf

from analysis_core.ir.launch_site import is_assumed
from analysis_core.machine.sizes import WARP
from analysis_core.profile.access_profile import AccessProfile
from analysis_core.profile.evidence import Evidence
from analysis_core.profile.kernel_context import Context
from analysis_core.profile.sizes import Guess
from analysis_core.profile.sureness import (
    is_dear_at_all_sizes,
    is_loose,
    is_of_open_size,
    is_one_guess,
    is_our_limit,
    may_be_cheap,
)
from analysis_core.profile.work import gains, most_saved
from analysis_core.report.findings.alike import LEAST_GAIN, Alike, Weighed, by_index, together, weighed
from analysis_core.report.findings.check import is_of_open_constants, told_at_all_blocks, verdict_of
from analysis_core.report.findings.gates import ASSUMED_BLOCK, Gate, asked
from analysis_core.report.findings.model import Asked, CheckId, Finding, Level, Note, Reason
from analysis_core.report.findings.nested_rounds import is_guess_of_guess
from analysis_core.report.findings.wording import rests_on_values
from analysis_core.support.derived import derived
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span


@dataclass(frozen=True, slots=True)
class Site:
    """One access of a kernel under one launch.  `least`: the least part (0 to 1) of the kernel's cost that it may be."""

    context: Context
    access: AccessProfile
    least: float


@dataclass(frozen=True)
class Group:
    """Accesses that waste alike, of a kernel under one launch.  `sure`: what the rule warns of whichever common block it is."""

    context: Context
    found: Alike
    sure: frozenset[Span] = frozenset()

    @property
    def access(self) -> AccessProfile:
        """The one that is shown."""
        return self.found.access

    @property
    def excess(self) -> float:
        """Sectors or wavefronts of a request above the ideal."""
        return self.access.each - self.access.each_ideal

    @property
    def factor(self) -> float:
        """Times the ideal that a request costs."""
        return self.access.each / max(1, self.access.each_ideal)

    @derived
    def saved(self) -> float:
        """The part of the kernel's work (0 to 1) that the ideal pattern would save at most."""
        return most_saved(self.context, (self.access, *self.found.others))


def is_undecided(site: Site) -> bool:
    """Whether the bits of a size decide between costs each of which is exact, the ideal among them, at no more than twice the ideal: a stride of 1
    where callers pass 512 (`2 * t - (t & (stride - 1))`); or whatever it costs, where the host halves the size from launch to launch."""
    fact = site.access.fact
    nearly = fact.worst <= 2 * fact.ideal or site.access.expected.scaled
    return fact.variation.undecided and fact.best <= fact.ideal and nearly


def _as_launched(site: Site) -> float:
    """Sectors or wavefronts of a request with the numbers that all launches in view pass; endless where that is not known."""
    return site.context.profile.each_at_numbers.get(site.access.fact.span, inf)


IDLE: tuple[Gate[Site], ...] = (
    Gate(
        "handed out",
        Evidence.PATTERN,
        "an atomic counter gives each lane its place: the places of a warp are neighbours nearly always",
        lambda site: site.access.expected.handed_out,
    ),
    Gate(
        "one of many blocks",
        Evidence.PROVED,
        "only few blocks or threads execute it: at an edge of the grid, or for what is left over",
        lambda site: site.access.frequency.at_edge,
    ),
    Gate(
        "beside runtime calls",
        Evidence.NAME,
        "each lane that makes it also calls the device runtime (malloc, printf, a launch), which costs far more, or it only serves an assertion",
        lambda site: site.access.expected.dwarfed,
    ),
    Gate(
        "unknown type",
        Evidence.DEFAULT,
        "the size of the elements is not known, and at one of those that are tried it costs less than 2 times the ideal",
        lambda site: is_of_open_size(site.access.fact) and not is_dear_at_all_sizes(site.access.fact),
    ),
    Gate(
        "size is open",
        Evidence.DEFAULT,
        "its cost follows from the bits of a size that nobody gives, and may be the ideal",
        is_undecided,
    ),
    Gate(
        "less as launched",
        Evidence.PROVED,
        "its figure is an upper one, and with the numbers that all launches in view pass it costs less: what that loses is reported instead",
        lambda site: is_loose(site.access.fact) and _as_launched(site) < site.access.each,
    ),
)
"""Of accesses whose figure nobody could act on, in whatever memory."""

SPARED: Gate[Site] = Gate(
    "spared",
    Evidence.PROVED,
    "other accesses use what it has too many, or compilers make no such request",
    lambda site: site.access.traffic.spared,
)


def is_not_understood(access: AccessProfile) -> bool:
    """Whether how lanes lie to each other is not known because the analysis knows no better.  (Where only the place of a whole request is not, what
    it costs is.)"""
    return is_our_limit(access.fact) and not access.expected.as_a_whole


OURS: Gate[Site] = Gate(
    "not understood",
    Evidence.DEFAULT,
    "only an upper bound is known here, and the true cost may be the ideal",
    lambda site: is_not_understood(site.access),
)
OPEN: Gate[Site] = Gate(
    "unknown constants",
    Evidence.DEFAULT,
    "constants that are not declared here say how often it is made, and other accesses of the kernel are not understood",
    lambda site: is_of_open_constants(site.context, site.access),
)


def _rests_on_block(group: Group) -> bool:
    """Whether the shape of the block is a guess on which the loss rests: not where lanes are told apart by threadIdx.x alone and all warps, which are
    whole, come to the access as often: warps of any other row of threads do the same; nor where the rule warns of it at all common blocks."""
    context = group.context
    if not is_assumed(context.facts.source) or group.access.fact.span in group.sure:
        return False
    width, *rows = context.facts.block
    is_row = context.kernel.requested_axes <= {0} and width % WARP == 0 and rows == [1, 1]
    return not is_row or group.access.fact.block.uneven


GAIN: Gate[Group] = Gate(
    "little gain",
    Evidence.SEEN,
    "the ideal pattern would save too little of what the kernel pays",
    lambda group: group.found.gain < LEAST_GAIN * group.context.settings.information_share,
)
SHARE: Gate[Group] = Gate(
    "small share",
    Evidence.SEEN,
    "it is too small a part of what the kernel pays, at these or at other likely sizes",
    lambda group: group.factor <= 1 or group.found.least < group.context.settings.information_share,
)
CERTAINTY: tuple[Gate[Group], ...] = (
    Gate(
        "not loud",
        Evidence.SEEN,
        "its share of the kernel, or its factor above the ideal, is too small for a warning",
        lambda group: (
            group.factor < group.context.settings.warning_factor
            or group.found.least < group.context.settings.warning_share
        ),
        Level.INFORMATION,
    ),
    Gate(
        "memory decides",
        Evidence.PATTERN,
        "what it costs depends on data, and may be little",
        lambda group: may_be_cheap(group.access.fact),
        Level.INFORMATION,
    ),
    Gate(
        "below data",
        Evidence.PATTERN,
        "a condition on data decides which lanes make the request",
        lambda group: group.access.frequency.rarity > 0,
        Level.INFORMATION,
    ),
    Gate(
        "open size",
        Evidence.DEFAULT,
        "the size of the elements is not known",
        lambda group: is_of_open_size(group.access.fact),
        Level.INFORMATION,
    ),
    Gate(
        "one guess",
        Evidence.DEFAULT,
        "it is made once, and the bits of a size decide what it costs",
        lambda group: is_one_guess(group.access.fact),
        Level.INFORMATION,
    ),
    Gate(
        ASSUMED_BLOCK,
        Evidence.DEFAULT,
        "no launch in view says the shape of the block, and another one might cost less",
        _rests_on_block,
        Level.INFORMATION,
    ),
)
"""What keeps a loss that is told from being a warning."""


UNSURE: tuple[Gate[Group], ...] = (
    Gate(
        "only memory",
        Evidence.PATTERN,
        "it is expensive for some data only, and nothing in the program shows that it gets such data",
        lambda group: rests_on_values(group.access),
        Level.HINT,
        only_at=Level.INFORMATION,
    ),
    Gate(
        "guess of a guess",
        Evidence.DEFAULT,
        "two unknown numbers of iterations, one inside the other, make its share what it is",
        lambda group: is_guess_of_guess(group.context, group.found),
        Level.HINT,
        only_at=Level.INFORMATION,
    ),
)
"""What makes a hint of an information."""


@dataclass(frozen=True, slots=True)
class AccessRule:
    """A rule about accesses.  `sites`: what it asks of each access; `groups`: of those that waste alike; `whole`: once more, of groups with one index.
    `message`, `notes`: what it says of a group, and beside the access that is shown."""

    code: CheckId
    level: Level
    sites: Sequence[Gate[Site]]
    groups: Sequence[Gate[Group]]
    whole: Sequence[Gate[Group]]
    is_subject: Callable[[AccessProfile], bool]
    message: Callable[[Context, Alike], str]
    notes: Callable[[Context, AccessProfile], tuple[Note, ...]]

    def ask(self, context: Context) -> Iterator[Asked]:
        """All accesses that the rule asks about: one finding per index and way that lanes stand in, or per array where its accesses are worth a line
        only together."""
        reasons: dict[int, tuple[Reason, ...]] = {}
        waste: list[Weighed] = []
        sure = told_at_all_blocks(context, self.ask)
        for one in weighed(context):
            if self.is_subject(one[0]):
                level, reasons[id(one[0])] = asked(self.sites, Site(context, one[0], one[2]), self.level)
                if level is None:
                    yield self._asked(context, one[0], None, reasons)
                else:
                    waste.append(one)
        left = {id(access): access for access, *_ in waste}
        loud: list[Alike] = []
        known: dict[int, _Answers] = {}
        for alike in together(waste, context.settings.information_share, context.kernel):
            level, answers = asked(self.groups, Group(context, alike, sure), self.level)
            members = [left.pop(id(access), access) for access in (alike.access, *alike.others)]
            if level is not None:
                loud.append(alike)
                known[id(alike)] = level, answers
                continue
            for access in members:
                reasons[id(access)] += answers
                yield self._asked(context, access, None, reasons)
        for access in left.values():
            reasons[id(access)] += (_CARRIED,)
            yield self._asked(context, access, None, reasons)
        for found in by_index(loud):
            group = Group(context, found, sure)
            yield from self._told(group, known.get(id(found)) or asked(self.groups, group, self.level), reasons)

    def _told(self, group: Group, before: _Answers, reasons: dict[int, tuple[Reason, ...]]) -> Iterator[Asked]:
        level, answers = before
        if level is not None:
            level, more = asked(self.whole, group, level)
            answers += more
        finding = None if level is None else self._finding(group, level)
        for access in (group.access, *group.found.others):
            reasons[id(access)] += answers
            told = finding if access is group.access else None
            yield self._asked(group.context, access, level, reasons, told, group.access.fact.span)

    def _finding(self, group: Group, level: Level) -> Finding:
        """What is told of a group, at its dearest access."""
        context, found, access = group.context, group.found, group.access
        return Finding(
            self.code,
            verdict_of(access),
            level,
            access.fact.span,
            self.message(context, found),
            self.notes(context, access) + found.notes,
            share=found.share,
            subject=access.fact.text,
            worst=access.fact.worst,
            ideal=access.fact.ideal,
            fellows=found.fellows,
        )

    def _asked(
        self,
        context: Context,
        access: AccessProfile,
        level: Level | None,
        reasons: Mapping[int, tuple[Reason, ...]],
        finding: Finding | None = None,
        along: Span | None = None,
    ) -> Asked:
        fact = access.fact
        beside = None if along == fact.span else along
        gain = gains(context, Guess()).get(id(access), 0.0)
        return Asked(self.code, fact.span, fact.text, level, reasons[id(access)], finding, beside, gain)


_Answers = tuple[Level | None, tuple[Reason, ...]]
_CARRIED = Reason(
    "guessed member",
    Evidence.DEFAULT,
    "others of its array are reported without it: a condition on data in a loop of unknown length says how much it adds",
    True,
    None,
)
