"""What is offered where: refactorings at the places of a text, each tried and checked, those that gain most first.

A kernel template is one text and several kernels: what is done to it has to be accepted for each of them, with the same edits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from analysis_core.report.findings.model import Finding
from analysis_core.rewrite.checks import NO_CHOICE, Checked, checked
from analysis_core.rewrite.core.action import Action, Choice, Refused, Site
from analysis_core.rewrite.core.unit import Unit
from analysis_core.rewrite.registry import ACTIONS
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

MOST_TRIED = 64
"""Places that are tried for one list."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place at which an action may be tried: the site in each instantiation of its kernel, the first of them first."""

    action: Action
    sites: tuple[Site, ...]

    @property
    def span(self) -> Span:
        return self.sites[0].span


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a spot."""

    spot: Spot
    found: Checked | Refused


def spots(unit: Unit, actions: Iterable[Action], kernel: str | None = None) -> Iterator[Spot]:
    """All places of a text at which actions may be tried, by action and in the order of the text; of one kernel if it is named."""
    declared = list(unit.kernels())
    for action in actions:
        places: dict[tuple[Span, str, Span | None], list[Site]] = {}
        for one, declaration in declared:
            if kernel is None or kernel in (one.name, one.instantiation):
                for site in action.sites(unit, one, declaration):
                    key = site.span, site.subject, None if site.node is None else site.node.span
                    places.setdefault(key, []).append(site)
        for key in sorted(places, key=lambda each: each[0]):
            yield Spot(action, tuple(places[key]))


def tried(unit: Unit, spot: Spot, choice: Choice = NO_CHOICE, shapes: int = 3) -> Checked | Refused:
    """Accepted if it is for all instantiations."""
    first: Checked | None = None
    for site in spot.sites:
        found = checked(unit, spot.action, site, choice, shapes)
        if isinstance(found, Refused):
            of = f"in {site.kernel.instantiation}, " if len(spot.sites) > 1 else ""
            return Refused(f"{of}{found.reason}", found.annotation)
        if first is not None and set(found.rewritten.edits) != set(first.rewritten.edits):
            return Refused("instantiations of the template would have to be edited in different ways")
        first = first or found
    return first if first is not None else Refused("there is no such place")


def curing(unit: Unit, finding: Finding) -> Iterator[Spot]:
    """Where actions that cure the rule may be tried for a finding: what lies on its line, or holds it (a loop, the kernel); of one action and one
    subject the nearest."""
    line, seen = unit.line(finding.span), set[tuple[str, str]]()
    found = []
    for spot in spots(unit, [action for action in ACTIONS if finding.check in action.cures]):
        site = spot.sites[0]
        whole = site.declaration.span if site.node is None else site.node.span
        if whole.encloses(finding.span) or unit.line(site.span) == line:
            found.append((abs(unit.line(site.span) - line), spot))
    for _, spot in sorted(found, key=lambda each: each[0]):
        key = spot.action.name, spot.sites[0].subject
        if key not in seen:
            seen.add(key)
            yield spot


def ranked(outcomes: Sequence[Outcome]) -> list[Checked]:
    """What was accepted, by gain, the greatest first."""
    accepted = [one.found for one in outcomes if isinstance(one.found, Checked)]
    return sorted(accepted, key=lambda one: -one.gain)
