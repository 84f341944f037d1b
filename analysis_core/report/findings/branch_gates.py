"""How loud losses at branches and loops are (WC301, WC302): by the part of the kernel's work that is lost, at least, likely, and at most."""

from __future__ import annotations

from analysis_core.ir.launch_site import is_assumed
from analysis_core.profile.evidence import Evidence
from analysis_core.profile.kernel_context import Context, Loss
from analysis_core.report.findings.gates import ASSUMED_BLOCK, Gate
from analysis_core.report.findings.model import Level
from analysis_core.text.records import dataclass

LIKELY = 2 / 3
"""What memory may make a kernel lose is an upper figure, for lanes that part as far as they can: this part of it is taken to be likely.  (Of
the splits in public code that were judged by hand, and that memory decides, one in five was right that loses less than 15%, three in
four of all others.)"""


@dataclass(frozen=True, slots=True)
class Lost:
    """The part (0 to 1) of a kernel's work that is lost at a branch or a loop: `low` for certain, `likely`, and `high` at most.  `guessed`: for
    a block whose shape is a guess; for another one it may be less."""

    context: Context
    low: float
    likely: float
    high: float
    guessed: bool

    @staticmethod
    def of(
        context: Context, told: Loss, least: Loss, *, certain: bool, by_data: bool, sure: bool, in_full: float = 0.0
    ) -> Lost:
        """`told`: at the sizes that are told, `least`: at others that are as likely.  `certain`: that lanes part is sure; `by_data`: memory decides;
        `sure`: the rule warns of it whichever common block it is; `in_full`: if compilers do not put together what both sides do alike."""
        high = min(told.lost, least.lost)
        likely = min(told.lost * LIKELY, high) if by_data else high
        guessed = is_assumed(context.facts.source) and not sure
        return Lost(context, likely if certain else 0.0, likely, max(high, in_full), guessed)

    @property
    def text(self) -> str:
        """ "0% to 12% of the work, likely 8%"."""
        return f"{self.low:.0%} to {self.high:.0%} of the work, likely {self.likely:.0%}"


LOSSES: tuple[Gate[Lost], ...] = (
    Gate(
        "little loss",
        Evidence.SEEN,
        "even at most too little of the kernel's work is lost",
        lambda lost: lost.high < lost.context.settings.information_share,
        because=lambda lost: lost.text,
    ),
    Gate(
        "little for certain",
        Evidence.SEEN,
        "too little of the kernel's work is lost for certain, for a warning",
        lambda lost: lost.low < lost.context.settings.warning_share,
        Level.INFORMATION,
    ),
    Gate(
        ASSUMED_BLOCK,
        Evidence.DEFAULT,
        "no launch in view says the shape of the block, and another one might lose less",
        lambda lost: lost.guessed,
        Level.INFORMATION,
    ),
    Gate(
        "only at most",
        Evidence.DEFAULT,
        "enough of the work is lost only at most: for other values in memory, or where compilers put together what both sides do alike, it is less",
        lambda lost: lost.likely < lost.context.settings.information_share,
        Level.HINT,
    ),
)
