"""What an answer rests on: causes of what is unknown, and assumptions.

An unknown without a cause is useless to a reader, and an assumption that is not written down makes every green
check a guess (STYLE.md, pitfalls).  So both are values that travel with results.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from analysis_core.text.records import dataclass
from analysis_core.text.span import Span


class CauseKind(Enum):
    """Who is responsible for something unknown. `READER` is a limit of ours; the other kinds lie in the program, or in
    what is not visible."""

    READER = "reader"  # the text was not understood: our limit
    UNSUPPORTED = "unsupported"  # understood, outside of the analysed language (goto, recursion, textures, asm)
    MISSING = "missing"  # declared in an absent include or nowhere: not visible from here
    DATA = "data"  # depends on memory contents
    ANALYSIS = "analysis"  # the analysis gave up precision (widening, budget, range not proved)


SHARED = ", and all lanes share it"
MIXED = ", and its bits are mixed"
"""What is added to the reason of a cause that is data where its values do not say how lanes lie to each other (domains/deciders.py)."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Why something is not known: one sentence for the user and the place that made it so."""

    kind: CauseKind
    reason: str
    span: Span | None


SUMMARISED = "the loop has too many iterations to be followed one by one"
"""The reason of a cause by which nothing is left out: all rounds of a loop are taken together."""

CONDENSED = "too many conditions before it decide which threads get here: most of them count as unknown"
"""Another such reason: conditions under which threads left are forgotten."""

CUT = "not analysed from here on"
"""How the reason begins of a cause at which a kernel ends for us: nothing behind it was read."""


def as_far_as_read(unknowns: Iterable[Cause]) -> str:
    """ ", as far as it was read", to be put behind a share of a kernel whose end was not read; "" of a whole kernel."""
    return ", as far as it was read" if any(cause.reason.startswith(CUT) for cause in unknowns) else ""


@dataclass(frozen=True, slots=True)
class Assumption:
    """A condition under which a result holds.  `text` is shown as it is; `span` is where it was stated, if anywhere."""

    text: str
    span: Span | None = None


ALIGNED = "pointers passed to the kernel are 256-byte aligned and do not alias"
NO_OVERFLOW = "signed arithmetic does not overflow"
NOT_NEGATIVE = f"integer parameters are not negative, and {NO_OVERFLOW}"
SMALL_LAUNCH = "a launch has fewer than 2^31 threads along x"
INSIDE_ARRAYS = "indexes stay inside of arrays of declared extent"
INSIDE_POINTERS = "arrays have fewer than 2^31 elements, and pointers stay inside of them"
FIT_TYPES = "numbers that threads of the grid have fit into their types"
ALL_REACH = "barriers are reached by all threads of the block that have not left the kernel"

STANDING = frozenset(
    (ALIGNED, NO_OVERFLOW, NOT_NEGATIVE, SMALL_LAUNCH, INSIDE_ARRAYS, INSIDE_POINTERS, FIT_TYPES, ALL_REACH)
)
"""Assumptions on which nearly every kernel rests: reports list them, cards say that they are there (docs/decisions/09)."""
