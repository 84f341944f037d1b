"""What lanes wait for each other in a loop, in rounds: told at its test and at the conditions that leave it out of the middle."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from analysis_core.domains.shape import some
from analysis_core.interp.core.events import BranchEvent
from analysis_core.ir.early_exits import loops_of_exits, plain_exits
from analysis_core.ir.nodes import IfKind, Kernel, LoopKind
from analysis_core.requests.facts import BranchFact, Divergence
from analysis_core.requests.lane_rounds import lane_rounds
from analysis_core.requests.rounds_apart import Walk
from analysis_core.support.facts import CauseKind
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

Groups = Sequence[list[BranchEvent]]
_Loop = tuple[Span, tuple[Span, ...]]


@dataclass(slots=True)
class _Places:
    """Of one loop, by their numbers among the facts: its test, and the conditions that leave it."""

    test: int | None
    exits: list[int]


def with_waits(kernel: Kernel, groups: Groups, facts: tuple[BranchFact, ...]) -> tuple[BranchFact, ...]:
    """The facts of branches, with what lanes wait in loops. `groups`: the tests of each branch."""
    exits = loops_of_exits(kernel)
    if not any(_may_wait(fact, exits) for fact in facts):
        return facts
    told = list(facts)
    for loop, places in _loops(facts, exits).items():
        for place, fact in _of_loop(plain_exits(kernel).get(loop[0]), places, groups, facts):
            told[place] = fact
    return tuple(told)


def _may_wait(fact: BranchFact, exits: Mapping[Span, Span]) -> bool:
    """Whether lanes may leave a loop there, by how many rounds apart is not known yet."""
    if isinstance(fact.kind, LoopKind):
        return fact.leaving.spread is None and fact.divergence is not Divergence.NEVER
    return fact.span in exits and fact.kind is IfKind.IF and fact.divergence is not Divergence.NEVER


def _loops(facts: Iterable[BranchFact], exits: Mapping[Span, Span]) -> Mapping[_Loop, _Places]:
    found: dict[_Loop, _Places] = {}
    for place, fact in enumerate(facts):
        if isinstance(fact.kind, LoopKind):
            found.setdefault((fact.span, fact.via), _Places(None, [])).test = place
        elif fact.span in exits and fact.kind is IfKind.IF:
            found.setdefault((exits[fact.span], fact.via), _Places(None, [])).exits.append(place)
    return found


def _of_loop(
    plain: Sequence[tuple[Span, bool]] | None, places: _Places, groups: Groups, facts: Sequence[BranchFact]
) -> Iterator[tuple[int, BranchFact]]:
    """The facts of one loop that say more now.  `plain`: the conditions that leave it, if each round comes to all of them."""
    test = None if places.test is None else facts[places.test]
    told = [place for place in places.exits if _leave_there(facts[place])]
    if test is not None and test.leaving.waiting is not None and (test.leaving.exits or 0) <= 1:
        yield from (
            (place, _with(facts[place], waiting=test.leaving.waiting, spread=test.leaving.spread)) for place in told
        )
        return
    if plain is None or (test is not None and test.leaving.spread is not None):
        return
    sides = dict(plain)
    if any(facts[place].span not in sides for place in places.exits):
        return
    events = [(event, sides[facts[place].span]) for place in places.exits for event in groups[place]]
    tests = [] if places.test is None else groups[places.test]
    if places.test is None and len(events) > 1 and len(places.exits) == 1:
        walk = _walked([event for event, _ in events], events[0][1])
        if walk is not None and walk.kept:
            part, apart = walk.waited / walk.kept, int(walk.apart.max(initial=0))
            yield from ((place, _with(facts[place], waiting=part, spread=apart)) for place in told)
        return
    if len(tests) > 1 or len(events) > len(places.exits):
        return
    rounds = lane_rounds(tests[0] if tests else None, events)
    if rounds and any(len(warp.lanes) > 1 for warp in rounds):
        shown = told if places.test is None else [places.test, *told]
        yield from ((place, _with(facts[place], lane_rounds=rounds)) for place in shown)


def _leave_there(fact: BranchFact) -> bool:
    """Whether lanes may leave apart there, and not because memory says so."""
    return fact.divergence is not Divergence.NEVER and (
        fact.why.cause is None or fact.why.cause.kind is not CauseKind.DATA
    )


def _with(fact: BranchFact, **known: Any) -> BranchFact:
    """The fact that says more of how lanes leave."""
    return replace(fact, leaving=replace(fact.leaving, **known))


def _walked(events: Sequence[BranchEvent], leaves: bool) -> Walk | None:
    """One execution of `for (;;)`, round by round, from its one way out; None if there are several, or lanes are open."""
    walk, staying = Walk.begin(events[0].mask), events[0].mask.may
    for event in events:
        condition = event.conditions[0]
        if event.mask.literals or not condition.is_decided or some(event.mask.may & ~staying):
            return None
        walk.add(event.mask.may, event.mask.may, 1)
        staying = event.mask.may & ~(condition.true if leaves else condition.false)
    return walk
