"""Refactorings as editors offer them: those that cure a finding, on the finding; and all others at a selection, when somebody asks for the menu.

On a finding only what is worth it is offered: what was accepted, and pays less.  The menu says why what it names is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from analysis_core.pipeline.checked_fixes import Place
from analysis_core.report.findings.model import Finding, Refactored
from analysis_core.rewrite.core.action import Refused
from analysis_core.rewrite.core.unit import Unit
from analysis_core.rewrite.offers import Spot, curing, spots, tried
from analysis_core.rewrite.registry import ACTIONS

MOST_TRIED = 12
"""Refactorings that are tried for one question of an editor."""


def refactorings(
    place: Place,
    findings: Sequence[Finding],
    selected: tuple[int, int] | None,
    alive: Callable[[], None] = lambda: None,
) -> tuple[Refactored, ...]:
    """What may be done about findings, by gain, and then, of the lines from the first byte `selected` to the last, all the rest.  `alive`: as of a unit."""
    unit = Unit(place, alive)
    cures = [(spot, finding) for finding in findings for spot in curing(unit, finding)]
    left = MOST_TRIED
    accepted: list[tuple[float, Refactored]] = []
    seen: set[tuple[str, object]] = set()
    for spot, finding in cures[:left]:
        found = tried(unit, spot)
        if isinstance(found, Refused) or found.gain <= 0:
            continue
        seen.add((spot.action.name, spot.span))
        one = Refactored(spot.action.name, spot.span, found.title, found.rewritten.edits, (finding.span, finding.check))
        accepted.append((-found.gain, one))
    left -= len(cures[:left])
    result = [one for _, one in sorted(accepted, key=lambda each: each[0])]
    for spot in _at(unit, selected):
        if left > 0 and (spot.action.name, spot.span) not in seen:
            left -= 1
            result.append(_told(unit, spot))
    return tuple(result)


def _told(unit: Unit, spot: Spot) -> Refactored:
    found = tried(unit, spot)
    name, span = spot.action.name, spot.span
    if isinstance(found, Refused):
        more = f"; `{found.annotation}` would help" if found.annotation else ""
        return Refactored(
            name, span, f"{spot.action.summary} ({spot.sites[0].subject})", refused=f"{found.reason}{more}"
        )
    return Refactored(name, span, found.title, found.rewritten.edits)


def _at(unit: Unit, selected: tuple[int, int] | None) -> Iterator[Spot]:
    """Places on the lines of a selection."""
    if selected is None:
        return
    first, last = (unit.index.line_of(offset) for offset in selected)
    for spot in spots(unit, ACTIONS):
        if first <= unit.line(spot.span) <= last:
            yield spot
