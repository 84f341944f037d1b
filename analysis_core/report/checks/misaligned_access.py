"""WC102 misaligned-access: neighbouring elements that straddle a sector more than they need, by alignment only.

Information, because it costs one sector of five at most in the common case.  Quiet below the thresholds, where a loop sweeps through memory
without a gap (the sector too many is what the next round needs), where the pointer is a member of something or comes from the caller of
the host's function, who may have moved it (what is added here may take that back: `b = begin + 1; .. b[i - 1]`), and where the
access is ideal for some sizes or offsets that are admissible: nearly every row at a symbolic pitch is such an access, and
its figure ("5 sectors, 4 when width % 8 == 0") belongs to hovers and hints, not to a list of findings.
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis_core.ir.launch_site import made_launches
from analysis_core.ir.nodes import Kernel
from analysis_core.ir.types import Space
from analysis_core.profile.access_profile import AccessProfile
from analysis_core.profile.evidence import Evidence
from analysis_core.profile.kernel_context import Context
from analysis_core.profile.shares import access_times, moved
from analysis_core.profile.sizes import Guess, at_sizes
from analysis_core.profile.sureness import is_of_open_size, is_upper_figure
from analysis_core.profile.work import gains
from analysis_core.report.findings.access_gates import OURS, SHARE, Site
from analysis_core.report.findings.alike import weighed
from analysis_core.report.findings.check import Check, notes_of, verdict_of
from analysis_core.report.findings.gates import Gate, asked
from analysis_core.report.findings.model import Asked, CheckId, Finding, Level
from analysis_core.report.findings.uncounted import without
from analysis_core.report.findings.wording import (
    access_text,
    assuming_text,
    is_most,
    sentences,
    share_text,
    times_text,
    worst_text,
)
from analysis_core.requests.facts import Pattern
from analysis_core.support.derived import derived

CODE = CheckId("WC102")

LEAST_GAIN = 0.05
"""The part of the kernel's sectors (0 to 1) that alignment would save at least, as 5 sectors for 4 do in a quarter of all: nobody lays data
out anew for less."""


def ask(context: Context) -> Iterator[Asked]:
    """One finding per access whose excess comes from alignment alone, for certain."""
    sizes = context.weights.sizes
    for access, share, least in weighed(context):
        if not is_subject(access):
            continue
        level, reasons = asked(SITES, Site(context, access, least), CHECK.level)
        if level is None:
            yield Asked(CODE, access.fact.span, access.fact.text, None, reasons)
            continue
        most = "up to " if is_upper_figure(access) else ""
        costs = worst_text(access, "sectors", most)
        message = sentences(
            f"misaligned {access_text(access)}: each warp touches {costs}, because its elements do not begin at a multiple of 32 bytes",
            times_text(access.fact.times, sizes, access.fact.requests, is_most(access)),
            share_text(
                context,
                share,
                moved(context.profile) + without(context.kernel),
                at_sizes(access_times(context.profile, access), sizes),
            ),
            assuming_text(context.facts),
        )
        finding = Finding(
            CODE, verdict_of(access), level, access.fact.span, message, notes_of(context, access), share=share,
            subject=access.fact.text, worst=access.fact.worst, ideal=access.fact.ideal,
        )  # fmt: skip
        yield Asked(
            CODE,
            access.fact.span,
            access.fact.text,
            level,
            reasons,
            finding,
            gain=gains(context, Guess()).get(id(access), 0.0),
        )


def is_subject(access: AccessProfile) -> bool:
    """Whether the rule asks anything of the access."""
    return access.fact.space is Space.GLOBAL and access.fact.pattern is Pattern.MISALIGNED


@derived
def _unplaced(kernel: Kernel) -> frozenset[str]:
    """The pointers of which no launch shows where in an allocation they begin, and no annotation says it."""
    stated = {kernel.variables[said.var].name for said in kernel.annotations.alignments}
    return frozenset(n for site in made_launches(kernel.launches) for n in site.arguments.unplaced if n not in stated)


SITES: tuple[Gate[Site], ...] = (
    OURS,
    Gate("spared", Evidence.PROVED, "a neighbour reads what it has too many", lambda s: s.access.traffic.spared),
    Gate(
        "unknown type",
        Evidence.DEFAULT,
        "the size of the elements is not known",
        lambda s: is_of_open_size(s.access.fact),
    ),
    Gate(
        "moved pointer",
        Evidence.DEFAULT,
        "no launch shows where in its allocation the array begins",
        lambda s: s.access.fact.base in _unplaced(s.context.kernel),
    ),
    Gate(
        "some sizes are ideal",
        Evidence.PROVED,
        "some sizes or offsets are ideal",
        lambda s: s.access.fact.best <= s.access.fact.ideal,
    ),
    Gate(
        "little gain",
        Evidence.SEEN,
        f"alignment would save less than {LEAST_GAIN:.0%} of the kernel's sectors",
        lambda s: s.least * s.access.wasted < LEAST_GAIN,
    ),
    Gate("small share", Evidence.SEEN, SHARE.asks, lambda s: s.least < s.context.settings.information_share),
)
"""Asked of each access: a yes silences it."""


CHECK = Check(CODE, "misaligned-access", "excess sectors from alignment only", Level.INFORMATION, ask=ask)
