"""Where an interpretation comes back to the way of an earlier one, and what lies behind is taken over.

What is executed from a statement on depends on the statements from there on and on the state before the first of them.  An edit
in the middle of a kernel leaves both as they were a few statements later, more often than not: then the rest would go as it
went, over the same symbols with the same numbers, and its events are those of then.

The state is compared as far as the rest can see it.  Variables count that the rest speaks of, and all cells.  What the rest has
looked up in the side tables (values of loads, symbols of derived values) is written down as it runs (`Asked`), and has to be
found, or missed, as it was.  Everything else has to be equal outright, but for what is counted up.  Epochs only tell loads apart
and are counted on from where they are now; so are events, which the trace names by their numbers (`Moved`).  The numbers of symbols
only order them: some may be left out, and at each checkpoint there is room for more (`ROOM`).

Tested by tests/properties/test_incremental.py: every field of the report, after random edits.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import TypeVar

from analysis_core.domains.thread_value import Integer, Value
from analysis_core.interp.core.state import Environment, Run, loop_numbers
from analysis_core.interp.core.trace import Accessed, Awaited, Barred, Branched, Chosen, Looped, Node, Stepped
from analysis_core.ir.nodes import Kernel, Loop, VarId
from analysis_core.ir.walk import statements
from analysis_core.support.facts import NOT_NEGATIVE
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Asked:
    """The keys that were looked up while statements were executed: those of loads, and of derived values."""

    loads: frozenset[Hashable] = frozenset()
    derived: frozenset[Hashable] = frozenset()

    def __or__(self, other: Asked) -> Asked:
        return Asked(self.loads | other.loads, self.derived | other.derived)


def taken(run: Run) -> Asked:
    """The keys that were looked up since the last call. The record starts afresh."""
    found = Asked(frozenset(run.asked), frozenset(run.arithmetic.asked))
    run.asked, run.arithmetic.asked, run.applied = [], [], {}
    return found


def same_loops(old: Kernel, new: Kernel, behind: int) -> bool:
    """Whether the loops of the last `behind` outermost statements have the same numbers in both kernels."""
    before, after = loop_numbers(old), loop_numbers(new)
    rest = new.body[len(new.body) - behind :]
    return all(before.get(s.whole) == after[s.whole] for s in statements(rest) if isinstance(s, Loop))


@dataclass(frozen=True, slots=True)
class Spoken:
    """What some statements refer to: variables, loops by their texts, and atomic accesses."""

    variables: frozenset[VarId] = frozenset()
    loops: frozenset[Span] = frozenset()
    atomics: frozenset[Span] = frozenset()


def agrees(now: Run, then: Run, spoken: Spoken, asked: Asked, end: Run) -> bool:
    """Whether execution from `now` will go as it went from `then` to `end`. `spoken`: what its statements refer to;
    `asked`: what they looked up."""
    return (
        now.mask is then.mask
        and now.times == then.times
        and now.turn == then.turn
        and not is_ahead(now, then)
        and _alike(now.exits, then.exits)
        and _alike(now.parameters, then.parameters)
        and _alike(end.accesses[: len(then.accesses)], then.accesses)
        and _alike(end.branches[: len(then.branches)], then.branches)
        and spoken.atomics.isdisjoint(now.counters ^ then.counters)
        and _assumes_as_much(now, then)
        and list(now.trips) == list(then.trips)
        and all(now.rounds_done.get(loop) == then.rounds_done.get(loop) for loop in spoken.loops)
        and now.loop_limits == then.loop_limits
        and min(end.exact_left, end.exact_left + now.exact_left - then.exact_left) >= 0
        and _same_environment(now.env, then.env, spoken.variables)
        and _same_answers(now, then, asked)
    )


def _assumes_as_much(now: Run, then: Run) -> bool:
    """Whether what is assumed from here on adds to `now` as it did to `then`: that parameters are not negative says more than that nothing
    overflows, which is not assumed beside it (`transfer`)."""
    more = now.assumptions.keys() - then.assumptions.keys()
    return then.assumptions.keys() <= now.assumptions.keys() and NOT_NEGATIVE not in more


def is_ahead(now: Run, then: Run) -> bool:
    """Whether there are symbols with numbers that did not exist yet at `then`."""
    return now.arithmetic.source.count > then.arithmetic.source.count


def _alike(one: Sequence[object], other: Sequence[object]) -> bool:
    return len(one) == len(other) and all(a is b for a, b in zip(one, other, strict=True))


def _same_environment(now: Environment, then: Environment, used: frozenset[VarId]) -> bool:
    mine = [key for key in now if not isinstance(key, int) or key in used]
    return mine == [key for key in then if not isinstance(key, int) or key in used] and all(
        same_value(now[key], then[key]) for key in mine
    )


def same_value(one: Value, other: Value) -> bool:
    if one is other:
        return True
    if isinstance(one, Integer):
        if not isinstance(other, Integer) or (one.bits, one.origin) != (other.bits, other.origin):
            return False
        return one.condition is other.condition and one.poly.key() == other.poly.key()
    if isinstance(other, Integer):
        return False
    return (one.level, one.data, one.cause, one.origin, one.own) == (
        other.level, other.data, other.cause, other.origin, other.own
    )  # fmt: skip


def _same_answers(now: Run, then: Run, asked: Asked) -> bool:
    """Whether the side tables answer as they did; epochs after the present one are not in them yet."""
    mine, others = now.arithmetic.remembered, then.arithmetic.remembered
    if any(mine.get(key) is not others.get(key) for key in asked.derived):
        return False
    for key in asked.loads:
        assert isinstance(key, tuple)
        if key[-1] is not None and key[-1] != then.epoch:
            continue
        if not same_values(now.loads.get(key_at(key, now.epoch - then.epoch)), then.loads.get(key)):
            return False
    return True


def same_values(one: Sequence[Value] | None, other: Sequence[Value] | None) -> bool:
    """Whether both are the same values, or both are missing."""
    if one is other or one is None or other is None:
        return one is other
    return len(one) == len(other) and all(map(same_value, one, other))


def key_at(key: Hashable, by: int) -> Hashable:
    """The key of a load with its epoch of memory moved by so many."""
    assert isinstance(key, tuple)
    return key if key[-1] is None or not by else (*key[:-1], key[-1] + by)


def shifted(asked: Asked, by: int) -> Asked:
    """The keys with their epochs of memory moved by so many."""
    return Asked(frozenset(key_at(key, by) for key in asked.loads), asked.derived) if by else asked


ROOM = 16
"""Numbers of symbols that are left out at each checkpoint, for statements that grow."""


@dataclass(frozen=True, slots=True, eq=False)
class Moved:
    """Copies of trace nodes whose events have other numbers now, by so many accesses and branches. Each copy is made
    once."""

    accesses: int
    branches: int
    made: dict[int, tuple[Node, Node]] = field(default_factory=dict)

    def all(self, nodes: Iterable[Node]) -> tuple[Node, ...]:
        """The copies of these nodes."""
        return tuple(nodes) if not self.accesses and not self.branches else tuple(map(self._node, nodes))

    def _node(self, node: Node) -> Node:
        known = self.made.get(id(node))
        if known is None:
            known = self.made[id(node)] = node, self._moved(node)
        return known[1]

    def _moved(self, node: Node) -> Node:
        match node:
            case Accessed(index=index):
                return Accessed(index + self.accesses)
            case Branched(index=index):
                return Branched(index + self.branches)
            case Chosen():
                arms = tuple(map(self.all, node.arms))
                return replace(node, branch=self._branch(node.branch), arms=arms)
            case Looped():
                test, body = self.all(node.test), self.all(node.body)
                return replace(node, branch=self._branch(node.branch), test=test, body=body)
            case Stepped() | Barred() | Awaited():
                return node

    def _branch(self, index: int | None) -> int | None:
        return None if index is None else index + self.branches


def moved(now: Run, then: Run) -> Moved:
    """By how much the numbers of events behind `now` exceed those of the same events behind `then`."""
    return Moved(len(now.accesses) - len(then.accesses), len(now.branches) - len(then.branches))


def later(now: Run, then: Run, last: Run, further: Moved) -> Run:
    """The state behind the last statement, when reached from `now`, given `last`, which was reached from `then`. It
    shares nothing that may change."""
    by = now.epoch - then.epoch
    arithmetic = last.arithmetic
    source = type(arithmetic.source)()
    source.count = arithmetic.source.count
    return replace(
        last,
        kernel=now.kernel,
        roots=now.roots,
        statics=now.statics,
        liveness=now.liveness,
        deadline=now.deadline,
        arithmetic=replace(
            arithmetic,
            source=source,
            remembered=_joined(now.arithmetic.remembered, then.arithmetic.remembered, arithmetic.remembered),
            derivations=_joined(now.arithmetic.derivations, then.arithmetic.derivations, arithmetic.derivations),
            asked=[],
        ),
        asked=[],
        epoch=last.epoch + by,
        exact_left=last.exact_left + now.exact_left - then.exact_left,
        env=dict(last.env),
        trace=_traced(now.trace, then.trace, last.trace, further),
        executed=now.executed + last.executed[len(then.executed) :],
        accesses=now.accesses + last.accesses[len(then.accesses) :],
        branches=now.branches + last.branches[len(then.branches) :],
        unknowns=now.unknowns + last.unknowns[len(then.unknowns) :],
        coarse=now.coarse + last.coarse[len(then.coarse) :],
        rejected=now.rejected + last.rejected[len(then.rejected) :],
        counters=now.counters | (last.counters - then.counters),
        frames=list(last.frames),
        inside=list(last.inside),
        exits=list(last.exits),
        via=list(last.via),
        parameters=list(last.parameters),
        assumptions=_joined(now.assumptions, then.assumptions, last.assumptions),
        trips=_joined(now.trips, then.trips, last.trips),
        rounds_done=_joined(now.rounds_done, then.rounds_done, last.rounds_done),
        loop_limits=dict(last.loop_limits),
        bases=_joined(now.bases, then.bases, last.bases),
        trip_uppers=_joined(now.trip_uppers, then.trip_uppers, last.trip_uppers),
        loads={**now.loads, **{key_at(k, by): value for k, value in _since(then.loads, last.loads).items()}},
        weights={},
        programs={},
        applied={},
    )


def _since(then: Mapping[K, V], last: Mapping[K, V]) -> dict[K, V]:
    missing = object()
    return {key: value for key, value in last.items() if then.get(key, missing) is not value}


def _joined(now: Mapping[K, V], then: Mapping[K, V], last: Mapping[K, V]) -> dict[K, V]:
    """What is there now, and what came since then."""
    return {**now, **_since(then, last)}


def _traced(now: Sequence[Node], then: Sequence[Node], last: Sequence[Node], further: Moved) -> list[Node]:
    """The trace; steps of one mask are one node (`Run.add_steps`), also where the two ways meet."""
    return followed(now, further.all(since(then[-1] if then else None, len(then), last)))


def since(end: Node | None, count: int, last: Sequence[Node]) -> list[Node]:
    """The nodes that were added to a trace since it had `count` nodes, the last of which was `end`."""
    rest = list(last[count:])
    if end is not None and last[count - 1] is not end:
        grown = last[count - 1]
        assert isinstance(end, Stepped) and isinstance(grown, Stepped)
        rest.insert(0, grown.and_then(end, -1))
    return rest


def followed(now: Sequence[Node], rest: Sequence[Node]) -> list[Node]:
    """Two traces, one after the other, as one."""
    found = list(now)
    if rest and found:
        first, previous = rest[0], found[-1]
        if isinstance(first, Stepped) and isinstance(previous, Stepped) and first.mask is previous.mask:
            found[-1] = previous.and_then(first)
            rest = rest[1:]
    return [*found, *rest]
