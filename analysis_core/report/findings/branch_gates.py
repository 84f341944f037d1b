"""The gates that losses at branches and loops have in common (WC301, WC302): how much of the kernel's work is lost, and how sure that is."""

from __future__ import annotations

from analysis_core.ir.launch_site import is_assumed
from analysis_core.profile.evidence import Evidence
from analysis_core.profile.kernel_context import Context, Loss
from analysis_core.report.findings.gates import Gate
from analysis_core.report.findings.model import Level
from analysis_core.text.records import dataclass

ABOUT = 0.9
"""Half of a side is lost where half of the lanes run it, but never half of the test: this part of the half is enough."""

LIKELY = 2 / 3
"""What memory may make a kernel lose is an upper figure, for lanes that part as far as they can: this part of it is taken to be likely.  (Of
the splits in public code that were judged by hand, and that memory decides, one in five was right that loses less than 15%, three in
four of all others.)"""


@dataclass(frozen=True, slots=True)
class Lost:
    """The work that is lost at a branch or a loop: `told`, and `least` at other sizes.  `certain`: that lanes part is sure; `by_data`: memory decides;
    `sure`: the rule warns of it whichever common block it is; `merges`: it is lost only if compilers do not put together what both sides do."""

    context: Context
    told: Loss
    least: Loss
    certain: bool
    by_data: bool
    sure: bool
    merges: bool = False


def is_loud(lost: Lost) -> bool:
    """Whether a quarter of the kernel stands there, and half of that is lost: an access of such a share and factor would be a warning."""
    settings, held = lost.context.settings, lost.least.held
    loud = ABOUT * max(settings.warning_share, held) * (1 - 1 / max(1.0, settings.warning_factor))
    return held >= settings.warning_share and lost.least.lost >= loud


def _is_little(lost: Lost) -> bool:
    likely = lost.told.lost * (LIKELY if lost.by_data else 1)
    return min(likely, lost.least.lost) < lost.context.settings.information_share


LOSSES: tuple[Gate[Lost], ...] = (
    Gate(
        "little loss",
        Evidence.SEEN,
        "too little of the kernel's work is lost, at these or at other likely sizes",
        _is_little,
    ),
    Gate(
        "not loud",
        Evidence.SEEN,
        "too little of the kernel's work stands there, or is lost, for a warning",
        lambda lost: not is_loud(lost),
        Level.INFORMATION,
    ),
    Gate(
        "uncertain",
        Evidence.PROVED,
        "lanes may part there, but need not",
        lambda lost: not lost.certain,
        Level.INFORMATION,
    ),
    Gate(
        "assumed block",
        Evidence.DEFAULT,
        "no launch in view says the shape of the block, and another one might lose less",
        lambda lost: is_assumed(lost.context.facts.source) and not lost.sure,
        Level.INFORMATION,
    ),
    Gate(
        "alike sides",
        Evidence.PATTERN,
        "it is lost only if compilers do not put together what both sides do alike",
        lambda lost: lost.merges,
        Level.HINT,
    ),
)
