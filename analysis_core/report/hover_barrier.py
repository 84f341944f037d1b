"""The card of a barrier of the block: which accesses it orders, or that it orders none.

**orders 2 pairs of accesses** · `__syncthreads()`

`s[t]` is written (line 5), `s[t + k]` is read (line 8)
`s[t]` is written (line 8), `s[t + k]` is read (line 8)

Assumes: block 256 from main.cu:88
"""

from __future__ import annotations

from analysis_core.races.verdicts import Ordering, Place
from analysis_core.report.findings.model import LaunchReport
from analysis_core.report.findings.reasons import Where, assumes, quoted, wrapped

_SHOWN = 6


def hover_barrier(barrier: Ordering, launch: LaunchReport, where: Where) -> str:
    """The card under one launch."""
    pairs = [_pair(one, other, where) for one, other in barrier.pairs[:_SHOWN]]
    if len(barrier.pairs) > _SHOWN:
        pairs.append(f"and {len(barrier.pairs) - _SHOWN} more")
    paragraphs = [f"{_headline(barrier)} · {quoted(barrier.text)}", "  \n".join(pairs), _open(barrier)]
    paragraphs.append(assumes(launch.facts, where))
    return "\n\n".join(part for part in paragraphs if part) + "\n"


def _headline(barrier: Ordering) -> str:
    if barrier.pairs:
        return f"**orders {len(barrier.pairs)} pair{'s' if len(barrier.pairs) > 1 else ''} of accesses**"
    return "**orders nothing**" if barrier.is_idle else "**may order something**"


def _open(barrier: Ordering) -> str:
    return wrapped([f"Not known what: {barrier.cause}"]) if barrier.cause else ""


def _pair(one: Place, other: Place, where: Where) -> str:
    return f"{_access(one, where)}, {_access(other, where)}"


def _access(place: Place, where: Where) -> str:
    return f"{quoted(place.text)} is {place.done} ({where(place.span)})"
