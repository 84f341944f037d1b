"""What would be gained by several refactorings, one after the other: greedily the one that gains most, then the next on what it has made.

    text  ->  all places tried  ->  the best of them done  ->  again, until nothing gains any more
    text, (fuse, prefetch-register, unroll)  ->  the best place of each in turn: a chain, gain or not

Every step is checked like a refactoring by itself, with the costs of the text that the step before has left.  What was tried at a kernel that a step
does not touch is not tried again, unless it is the best that is left.  Nothing is done twice to one thing: unrolling gains a little every time.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from analysis_core.rewrite.checks import NO_CHOICE, Checked
from analysis_core.rewrite.core.action import Action, Choice, Refused
from analysis_core.rewrite.core.unit import Unit
from analysis_core.rewrite.offers import Spot, spots, tried
from analysis_core.rewrite.registry import ACTIONS, action_named
from analysis_core.text.records import dataclass

MOST_STEPS = 8
MOST_TRIED = 48
"""Places that are tried for one step."""

_Key = tuple[str, str, str, int, str]


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """A refactoring that is done.  `line`: where, in the text before it; `before`, `after`: the texts."""

    found: Checked
    line: int
    before: Unit
    after: Unit


@dataclass(frozen=True, slots=True)
class Stopped:
    """Why a chain ends before its last action."""

    action: str
    reason: Refused


def plan(unit: Unit, choice: Choice = NO_CHOICE, kernel: str | None = None) -> Iterator[Step]:
    """Steps that each gain, of one kernel (and what becomes of it) if it is named."""
    done: set[tuple[str, str, str]] = set()
    known: dict[_Key, float | None] = {}
    names = None if kernel is None else {kernel}
    for _ in range(MOST_STEPS):
        places = [spot for spot in _places(unit, ACTIONS, names) if _thing(spot) not in done]
        best = _best(unit, places, choice, known)
        if best is None:
            return
        spot, found = best
        done.add(_thing(spot))
        step = _step(unit, found)
        done |= {(spot.action.name, one.kernel, spot.sites[0].subject) for one in found.rewritten.comparison.after}
        names = _names(names, found)
        yield step
        unit = step.after


def chain(
    unit: Unit, actions: Sequence[str], choice: Choice = NO_CHOICE, kernel: str | None = None
) -> Iterator[Step | Stopped]:
    """Each action in turn, at the place where it gains most; it ends at the first that nothing accepts."""
    names = None if kernel is None else {kernel}
    for name in actions:
        action = action_named(name)
        outcomes = [(s, tried(unit, s, choice)) for s in _places(unit, () if action is None else (action,), names)]
        accepted = [found for _, found in outcomes if isinstance(found, Checked)]
        if not accepted:
            refused = next(
                (found for _, found in outcomes if isinstance(found, Refused)), Refused("there is no place for it")
            )
            yield Stopped(name, refused)
            return
        best = max(accepted, key=lambda one: one.gain)
        step = _step(unit, best)
        names = _names(names, best)
        yield step
        unit = step.after


def _places(unit: Unit, actions: Sequence[Action], names: set[str] | None) -> list[Spot]:
    found = (
        spot
        for spot in spots(unit, actions)
        if names is None or names & {spot.sites[0].kernel.name, spot.sites[0].kernel.instantiation or ""}
    )
    return list(islice(found, MOST_TRIED))


def _thing(spot: Spot) -> tuple[str, str, str]:
    """What an action is done to, wherever that stands by then."""
    site = spot.sites[0]
    return spot.action.name, site.kernel.name, site.subject


def _key(unit: Unit, spot: Spot) -> _Key:
    """The same place of a kernel whose text is the same."""
    site = spot.sites[0]
    body = site.declaration.span
    return spot.action.name, site.kernel.name, unit.spelled(body), site.span.start - body.start, site.subject


def _best(
    unit: Unit, places: Sequence[Spot], choice: Choice, known: dict[_Key, float | None]
) -> tuple[Spot, Checked] | None:
    """What gains most; `known`: gains of places, None of those that are refused."""
    here: dict[_Key, Checked] = {}
    for spot in places:
        if _key(unit, spot) not in known:
            _try(unit, spot, choice, known, here)
    while True:
        gains = [known[_key(unit, spot)] or 0.0 for spot in places]
        gain = max(gains, default=0.0)
        if gain <= 0:
            return None
        spot = places[gains.index(gain)]
        key = _key(unit, spot)
        if key not in here:
            _try(unit, spot, choice, known, here)
            continue
        return spot, here[key]


def _try(unit: Unit, spot: Spot, choice: Choice, known: dict[_Key, float | None], here: dict[_Key, Checked]) -> None:
    key = _key(unit, spot)
    found = tried(unit, spot, choice)
    known[key] = found.gain if isinstance(found, Checked) else None
    if isinstance(found, Checked):
        here[key] = found


def _step(unit: Unit, found: Checked) -> Step:
    return Step(found, unit.line(found.site.span), unit, unit.edited(found.rewritten.edits))


def _names(names: set[str] | None, found: Checked) -> set[str] | None:
    """The kernels that a plan is about, once one of them has another name."""
    if names is None:
        return None
    comparison = found.rewritten.comparison
    return names | {one.kernel for one in comparison.after}
