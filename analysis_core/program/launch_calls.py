"""Launches that a function leads to through those that it calls, in its own words, and which of them are over far less than others.

    void step(float *p, int w, int h) {            // in the words of main: n rounds, w * h threads and h
        inside(p, w, h);
        border(p, h);
    }
    void inside(float *p, int a, int b) { all<<<a * b / 256, 256>>>(p); }
    void border(float *p, int m) { side<<<m / 256, 256>>>(p); }
    int main() { for (int i = 0; i < n; i++) step(p, w, h); }

A launch is lesser than another of the same function.  Through calls it is compared only where both are in one loop, as parts of one thing that
is done again and again, or by numbers (launch_totals.py); in a function that several call, where it is lesser for all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Container, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from analysis_core.ir.launch_site import Peers, least_of
from analysis_core.program.host.size_products import Sizes, itself, substituted
from analysis_core.program.launch_choices import are_alternatives, handed
from analysis_core.program.launch_extents import FAR_MORE, Called, Launched, times_as_many, times_lesser
from analysis_core.program.launch_totals import times_in_total
from analysis_core.text.span import Span

_NONE = Fraction(0)
DEEP = 4
"""Calls that are followed from a function that nobody calls."""

MOST = 48
"""Launches of one function that are compared with each other, those that are alike as one."""


@dataclass(frozen=True, slots=True)
class Leading:
    """A function that leads to launches.  `parameters`: their names; `own`: those of its variables."""

    name: str
    parameters: Sequence[str]
    own: Collection[str]
    launches: Sequence[Launched]
    calls: Sequence[Called]


def lesser_launches(functions: Sequence[Leading]) -> Mapping[Span, int]:
    """The launches beside which another has far more threads, with how many times as many."""
    found: dict[Span, int] = {}
    for function in functions:
        launches = _alike(function.launches)
        for group in launches if len(launches) <= MOST else ():
            times = max((_times(group[0], other[0]) for other in launches), default=0)
            found.update((one.span, times) for one in group)
    if len(functions) > 1:
        for span, times in _through_calls(functions).items():
            found[span] = max(found.get(span, 0), times)
    return {span: times for span, times in found.items() if times}


def _times(one: Launched, other: Launched) -> int:
    return max(times_lesser(one, other), times_in_total(one, other))


def peers_of(functions: Sequence[Leading], in_turn: Container[Span]) -> Mapping[Span, Peers]:
    """The kernels that are launched in the loops in which a launch is made, or in others of one function that go round as often (`repeat` times each), with how many times its threads they have: those of all functions that nobody
    calls, as far as they lead to the launch, and in runs that make it.  (Outside of loops kernels may have nothing to do with each other.)  `in_turn`: the launches beside inner
    loops of many rounds, whose threads are those of all these."""
    by_name = {function.name: function for function in functions}
    called = {call.name for function in functions for call in function.calls}
    found: dict[Span, Peers] = {}
    for function in functions if len(by_name) == len(functions) else ():
        launches = [] if function.name in called else launches_below(function, by_name, DEEP)
        around = [each.rounds for each in function.launches] + [each.rounds for each in function.calls]
        own = {loop for rounds in around for loop in rounds}
        for one in launches if len(launches) <= MOST else ():
            peers: dict[str, Fraction] = {}
            for other in launches:
                same = other.kernel == one.kernel or are_alternatives(one.choices, other.choices)
                if not same and one.rounds and _is_as_often(one, other, own):
                    rounds = FAR_MORE if one.span in in_turn and one.rounds.keys() < other.rounds.keys() else 1
                    peers[other.kernel] = max(peers.get(other.kernel, _NONE), rounds * times_as_many(one, other))
            found[one.span] = least_of((found.get(one.span, tuple(peers.items())), tuple(peers.items())))
    return found


def _is_as_often(one: Launched, other: Launched, own: Container[Span]) -> bool:
    """Whether a launch is made in each round of all loops that another is made in, or in those of loops beside them that go round as often,
    both in the function at hand (`own`)."""
    theirs = [sizes for loop, sizes in other.rounds.items() if loop not in one.rounds and loop in own]
    for loop, sizes in one.rounds.items():
        if loop in other.rounds:
            continue
        if sizes is None or loop not in own or sizes not in theirs:
            return False
        theirs.remove(sizes)
    return True


def _alike(launches: Sequence[Launched]) -> list[list[Launched]]:
    """Launches by how many threads they are over, and in which loops."""
    found: dict[Hashable, list[Launched]] = {}
    for one in launches:
        found.setdefault(_words(one), []).append(one)
    return list(found.values())


def _words(launch: Launched) -> Hashable:
    """How many threads it is over, and in which loops."""
    return _read(launch.blocks), _read(launch.threads), frozenset(launch.rounds)


def _made(launch: Launched) -> Hashable:
    """The launch, and how often it is made: calls hand other rounds to the loops around it."""
    rounds = frozenset((loop, _read(sizes)) for loop, sizes in launch.rounds.items())
    return launch.span, _words(launch), rounds, frozenset(launch.choices.items())


def _read(sizes: Sizes | None) -> Hashable:
    return None if sizes is None else frozenset(sizes.items())


def _through_calls(functions: Sequence[Leading]) -> dict[Span, int]:
    """The same of functions that nobody calls, with what they lead to."""
    by_name = {function.name: function for function in functions}
    if len(by_name) < len(functions):
        return {}  # Nobody knows which of two is called.
    called = {call.name for function in functions for call in function.calls}
    found: dict[Span, int] = {}
    for function in functions:
        if function.name in called or not function.calls:
            continue
        launches = launches_below(function, by_name, DEEP)
        for one in launches if len(launches) <= MOST else ():
            beside = [other for other in launches if one.rounds.keys() & other.rounds.keys()]
            in_all = (times_in_total(one, other) for other in launches)
            times = max((*in_all, *(times_lesser(one, other) for other in beside)), default=0)
            found[one.span] = min(times, found.get(one.span, times))
    return found


def launches_below(function: Leading, by_name: Mapping[str, Leading], deep: int) -> list[Launched]:
    """Those of a function and of what it calls, each once where several calls make it alike."""
    found = {_made(one): one for one in function.launches}
    for call in function.calls:
        below = by_name.get(call.name)
        if below is not None and deep > 0 and len(found) <= MOST:
            said = (in_callers_words(one, call, below, deep) for one in launches_below(below, by_name, deep - 1))
            found.update((_made(one), one) for one in said)
    return list(found.values())


def in_callers_words(launch: Launched, call: Called, below: Leading, deep: int) -> Launched:
    """A launch in the words of a caller.  Variables that are the function's own have other names there."""
    meant: dict[str, Sizes | None] = {name: itself(f"{name}'{deep}") for name in below.own}
    meant |= dict(zip(below.parameters, call.handed, strict=False))

    def said(sizes: Sizes | None) -> Sizes | None:
        return None if sizes is None else substituted(sizes, meant)

    rounds = {loop: said(sizes) for loop, sizes in launch.rounds.items()}
    choices = {**call.choices, **handed(launch.choices, below.parameters, call.names)}
    blocks, threads = said(launch.blocks), said(launch.threads)
    return replace(launch, blocks=blocks, threads=threads, rounds={**call.rounds, **rounds}, choices=choices)
