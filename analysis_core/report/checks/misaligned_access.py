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
from analysis_core.profile.kernel_context import Context
from analysis_core.profile.shares import access_times, moved
from analysis_core.profile.sizes import sizes_text
from analysis_core.profile.sureness import is_our_limit, is_rare, is_upper_figure
from analysis_core.report.findings.alike import weighed
from analysis_core.report.findings.check import Check, level_of, notes_of, verdict_of
from analysis_core.report.findings.model import CheckId, Finding, Level
from analysis_core.report.findings.uncounted import without
from analysis_core.report.findings.wording import assuming_text, factor_text, is_most, joined, share_text, times_text
from analysis_core.requests.facts import Pattern

CODE = CheckId("WC102")

LEAST_GAIN = 0.05
"""The part of the kernel's sectors (0 to 1) that alignment would save at least, as 5 sectors for 4 do in a quarter of all: nobody lays data
out anew for less."""


def find(context: Context) -> Iterator[Finding]:
    """One finding per access whose excess comes from alignment alone, for certain."""
    unplaced, sizes = _unplaced(context.kernel), context.weights.sizes
    for access, share, least in weighed(context):
        if (
            access.fact.space is not Space.GLOBAL
            or access.fact.pattern is not Pattern.MISALIGNED
            or is_our_limit(access.fact)
        ):
            continue
        if access.traffic.spared:
            continue  # a neighbour reads what it has too many
        if is_rare(access) or access.fact.why.unsized or access.fact.base in unplaced:
            continue
        if access.fact.best <= access.fact.ideal or least * access.wasted < LEAST_GAIN:
            continue
        if level_of(context, access.fact.worst / max(1, access.fact.ideal), least, certain=False) is None:
            continue
        factor = factor_text(access.fact.worst, access.fact.ideal)
        most = "up to " if is_upper_figure(access) else ""
        message = joined(
            f"{most}{access.fact.worst} sectors per request, ideal {access.fact.ideal} ({factor}): not aligned to 32 bytes",
            times_text(access.fact.times, sizes, access.fact.requests, is_most(access)),
            share_text(
                share,
                moved(context.profile) + without(context.kernel),
                sizes_text(access_times(context.profile, access), sizes),
            ),
            assuming_text(context.facts),
        )
        yield Finding(
            CODE, verdict_of(access), Level.INFORMATION, access.fact.span, message, notes_of(context, access), share=share,
            subject=access.fact.text, worst=access.fact.worst, ideal=access.fact.ideal,
        )  # fmt: skip


def _unplaced(kernel: Kernel) -> frozenset[str]:
    """The pointers of which no launch shows where in an allocation they begin, and no annotation says it."""
    stated = {kernel.variables[said.var].name for said in kernel.annotations.alignments}
    return frozenset(n for site in made_launches(kernel.launches) for n in site.arguments.unplaced if n not in stated)


CHECK = Check(CODE, "misaligned-access", "excess sectors from alignment only", Level.INFORMATION, find)
