"""Launches that are made once beside a loop, each launch of which is over far more threads: sums of what blocks have left.

    void measured(float *p, unsigned *sums, int blocks) {
        for (int r = 0; r < 10; r++) parts<<<blocks, 256>>>(p, sums);    // 256 blocks threads, ten times
        summed(sums, blocks);
    }
    void summed(unsigned *sums, int n) {
        int blocks = (n + 511) / 512;                                    // at most 1024 n / 512
        level<<<blocks, 256>>>(sums, n);
        if (blocks > 1) summed(sums + n, blocks);
    }

Both are read in the words of a function that nobody calls (launch_calls.py): every loop around the one is around the other as well,
whatever it is that goes round there (the words of a command line), and another loop, of many rounds with as many blocks in each, is
around the other alone, in a function that leads to both.  A function that calls itself at one place launches no more than twice what
it is first called for, if it hands itself half as much at most; how often others that lead back to themselves launch nobody knows.  A
block that nobody knows has as many threads as a block may have.

That loop may repeat something to time it.  So each of its launches is over far more threads, and what the threads of the one do is
asked as well (report/findings/launch_gates.py).
"""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from analysis_core.program.host.counted_loops import FEW
from analysis_core.program.host.size_products import Sizes, constant_of, itself, product_of
from analysis_core.program.launch_calls import DEEP, MOST, Leading, in_callers_words, launches_below
from analysis_core.program.launch_choices import are_alternatives
from analysis_core.program.launch_extents import FAR_MORE, Launched, least_times
from analysis_core.text.span import Span

_NONE = Fraction(0)
_HALVED = 2

_LARGEST: Sizes = {(): Fraction(1024)}
"""Threads of a block."""


def outnumbered_launches(
    functions: Sequence[Leading], loops: Collection[Span], many: Collection[Span], steady: Container[Span]
) -> Mapping[Span, int]:
    """The launches that are made once beside a loop whose launches are over far more threads each, with how many times as many all of
    these are over together.  `loops`: what may go round, lambdas among it; `many`: loops that go round often; `steady`: launches of as
    many blocks in each round of the loops around them."""
    by_name = {function.name: function for function in functions}
    by_name = {name: _completed(function, by_name, loops) for name, function in by_name.items()}
    if not many or len(by_name) < len(functions):
        return {}
    called = {call.name for function in functions for call in function.calls}
    unclear = _in_several(function.own for function in functions)
    near = _loops_above(by_name, many)
    found: dict[Span, int] = {}
    for function in by_name.values():
        launches = [] if function.name in called else launches_below(function, by_name, DEEP)
        if len(launches) > MOST:
            return {}
        looped = [one for one in launches if _is_steady(one, many, steady)]
        for one in launches:
            clear, loops = _as_far_as_clear(one, unclear), near.get(one.span, ())
            times = max((_times(clear, other, loops) for other in looped), default=_NONE)
            found[one.span] = min(int(times), found.get(one.span, int(times)))
    likely = {span: (times, _times_made(span, by_name)) for span, times in found.items() if times}
    return {span: int(times / made) for span, (times, made) in likely.items() if made}


def _completed(function: Leading, by_name: Mapping[str, Leading], loops: Collection[Span]) -> Leading:
    """The function with lambdas as loops, and what it hands on that cannot be read, or is left out, as a number of that call."""

    def around(place: Span) -> dict[Span, Sizes | None]:
        return {loop: None for loop in loops if loop.encloses(place)}

    calls = []
    for call in function.calls:
        below = by_name.get(call.name)
        names = () if below is None else below.parameters
        handed = (*call.handed, *(None for _ in names[len(call.handed) :]))
        read = (
            itself(f"{n}@{call.span.start}") if sizes is None else sizes
            for n, sizes in zip(names, handed, strict=False)
        )
        calls.append(replace(call, handed=tuple(read), rounds={**around(call.span), **call.rounds}))
    launches = [replace(one, rounds={**around(one.span), **one.rounds}) for one in function.launches]
    return replace(function, launches=launches, calls=calls)


def _loops_above(by_name: Mapping[str, Leading], many: Collection[Span]) -> Mapping[Span, Collection[Span]]:
    """By launch: these loops of its function, and of those that lead to it."""
    found: dict[Span, set[Span]] = {}
    for name, function in by_name.items():
        around = [one.rounds for one in function.launches] + [call.rounds for call in function.calls]
        loops = {loop for rounds in around for loop in rounds if loop in many}
        for below in {name, *_reached(name, by_name)} if loops else ():
            for one in by_name[below].launches if below in by_name else ():
                found.setdefault(one.span, set()).update(loops)
    return found


def _in_several(owned: Iterable[Collection[str]]) -> frozenset[str]:
    """The variables of several functions that have one name, which stand for the same in the words of their callers."""
    seen: set[str] = set()
    found: set[str] = set()
    for names in owned:
        found |= seen.intersection(names)
        seen.update(names)
    return frozenset(found)


def _times_made(span: Span, by_name: Mapping[str, Leading]) -> Fraction:
    """How many times its threads a launch is over at most where its function is called once; 0 where nobody knows how often it is made then."""
    host = next(function for function in by_name.values() if any(one.span == span for one in function.launches))
    above = [name for name in by_name if name != host.name and host.name in _reached(name, by_name)]
    if any(name in _reached(name, by_name) for name in above):
        return _NONE
    if host.name not in _reached(host.name, by_name):
        return Fraction(1)
    again = [call for call in host.calls if host.name in {call.name, *_reached(call.name, by_name)}]
    if len(again) != 1 or again[0].name != host.name or again[0].rounds:
        return _NONE
    one = next(one for one in host.launches if one.span == span)
    less = _compared(in_callers_words(one, again[0], host, 0).blocks, one.blocks)
    return less / (less - 1) if less >= _HALVED else _NONE


def _reached(name: str, by_name: Mapping[str, Leading]) -> set[str]:
    """The functions that one calls, or that these do."""
    found: set[str] = set()
    waiting = [name]
    while waiting:
        function = by_name.get(waiting.pop())
        more = set() if function is None else {call.name for call in function.calls} - found
        found |= more
        waiting += more
    return found


def _is_steady(one: Launched, many: Collection[Span], steady: Container[Span]) -> bool:
    """Whether a launch stands in a loop that goes round often, and is of as many blocks each time."""
    around = [loop for loop in one.rounds if loop in many]
    return bool(around) and (one.span in steady or not any(loop.encloses(one.span) for loop in around))


def _times(one: Launched, other: Launched, many: Collection[Span]) -> Fraction:
    """How many times as many threads another has in its own loops, if far more in each launch; else 0."""
    own = {loop: sizes for loop, sizes in other.rounds.items() if loop not in one.rounds}
    rounds = max((_rounds(sizes) for loop, sizes in own.items() if loop in many), default=0)
    if one.rounds.keys() - other.rounds.keys() or rounds <= FEW or one.kernel == other.kernel:
        return _NONE
    each = _NONE if are_alternatives(one.choices, other.choices) else _times_as_many(one, other)
    return each * rounds if each >= FAR_MORE else _NONE


def _rounds(sizes: Sizes | None) -> Fraction:
    """Of a loop that goes round often: as many as its text says, or more than a few."""
    number = None if sizes is None else constant_of(sizes)
    return Fraction(FEW + 1) if number is None else number


def _as_far_as_clear(one: Launched, unclear: Container[str]) -> Launched:
    """The launch without numbers in which a name may be that of several variables."""

    def clear(sizes: Sizes | None) -> Sizes | None:
        parts = [name.partition("'") for product in sizes or () for name, _ in product]
        return None if any(inner and name in unclear for name, inner, _ in parts) else sizes

    return replace(one, blocks=clear(one.blocks), threads=clear(one.threads))


def _times_as_many(one: Launched, other: Launched) -> Fraction:
    """How many times the threads of one launch another has at least; 0 where nobody knows."""
    return max(_compared(threads, other.threads) for threads in (one.threads, product_of((one.blocks, _LARGEST))))


def _compared(one: Sizes | None, other: Sizes | None) -> Fraction:
    if one is None or other is None:
        return _NONE
    few, many = constant_of(one), constant_of(other)
    if few is None:
        return least_times(one, other)
    return _NONE if many is None or few <= 0 else many / few
