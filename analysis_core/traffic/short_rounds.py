"""Executions that follow each other as those of straight-line code do: rounds of a loop that compilers write out.

    for (int k = 0; k < 7; k++)
        tile[7 * t + k] = record[7 * i + k];

The seven loads are seven executions of one access, one behind the other, like the members of a record in the text.  Where the interpreter
has put the rounds together, or what is left of them when a budget is spent, they are taken apart again by the number of the round in the address,
and in what is derived from it.  A loop with a barrier, with unknown code or with more in it than is unrolled (straight_lines.py) makes its rounds at other times, and so does every
loop whose rounds nobody knows; but for one in which nothing is accessed, as long as it may take: what was fetched before it is still there.

At the sizes that launches pass (`at`), so follow each other the few rounds of a loop that compilers do not write out: `for (c = 0; c < width; c++)`
where all of them pass a width of 2, with nothing in it that lets other threads in, and no loop.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from itertools import product
from math import prod

from analysis_core.domains.mask import Mask
from analysis_core.domains.symbol import Symbol
from analysis_core.expressions import expression as ex
from analysis_core.interp.core.events import AccessEvent, Events
from analysis_core.interp.core.trace import Accessed, Branched, Chosen, Looped
from analysis_core.ir.effects import accesses_memory, lets_others_in
from analysis_core.ir.nodes import AccessId, Atomic, Kernel, Load, Loop, LoopKind, Store
from analysis_core.ir.straight_lines import StraightLines
from analysis_core.ir.walk import statements, statements_of
from analysis_core.text.records import dataclass
from analysis_core.traffic.derived_sizes import InRounds

_MOST_ROUNDS = 16
"""Rounds, of all loops together, that are taken apart again."""

FEW_ROUNDS, BRIEF_ROUNDS = 4, 16
"""Rounds of a loop that is not written out, until whose end the cache surely holds what the first of them fetched, and until which it mostly
does."""


@dataclass(frozen=True, slots=True)
class ShortRounds:
    """`numbers`: by place in `Events.accesses`, of accesses in such loops, a number that executions have in common if no round of another
    loop began between them.  `counters`: of those of these loops that are summarised, the number of their rounds, and who makes them;
    `sized`: the same of loops whose rounds sizes decide.  `derived`: what follows from the numbers of rounds."""

    derived: InRounds
    numbers: Mapping[int, int] = field(default_factory=dict)
    counters: Mapping[Symbol, tuple[int, Mask]] = field(default_factory=dict)
    sized: Mapping[Symbol, tuple[ex.Expression, Mask]] = field(default_factory=dict)

    @staticmethod
    def of(kernel: Kernel, events: Events, lines: StraightLines) -> ShortRounds:
        """What the text says is written out, found in the trace."""
        inside = _inside(kernel, lines)
        loops = (stmt for stmt in statements_of(kernel) if inside and isinstance(stmt, Loop))
        idle = frozenset(loop.whole for loop in loops if not accesses_memory(loop))
        found: dict[int, int] = {}
        counters: dict[Symbol, tuple[int, Mask]] = {}
        sized: dict[Symbol, tuple[ex.Expression, Mask]] = {}
        number, pending = 0, list(reversed(events.trace))
        while pending:
            node = pending.pop()
            match node:
                case Accessed(index=index):
                    if events.accesses[index].access.id in inside:
                        found[index] = number
                case Branched(index=index):
                    branch = events.branches[index]
                    is_loop = isinstance(branch.kind, LoopKind)
                    number += is_loop and branch.whole not in lines.strung and branch.whole not in idle
                case Chosen(arms=arms):
                    pending.extend(inner for arm in reversed(arms) for inner in reversed(arm))
                case Looped(counter=counter, trips=trips, test=test, body=body):
                    most = trips.value if isinstance(trips, ex.Integer) else None
                    if most is not None and most <= _MOST_ROUNDS and node.span in lines.strung and not node.leaves:
                        counters[counter] = most, node.staying
                    elif most is None and not node.leaves and _is_brief(node.loop):
                        sized[counter] = trips, node.staying
                    pending.extend((*reversed(body), *reversed(test)))
                case _:
                    pass
        return ShortRounds(InRounds(events), found, counters, sized)

    def at(self, values: Mapping[str, int], most: int) -> ShortRounds:
        """With the loops that have no more rounds than that at these sizes, by their names in expressions, instead of those that are written
        out."""
        known = ((s, trips, mask) for s, (trips, mask) in self.sized.items() if ex.symbols(trips) <= values.keys())
        counted = ((s, ex.evaluate(trips, values), mask) for s, trips, mask in known)
        few = {s: (trips, mask) for s, trips, mask in counted if 0 < trips <= most}
        return ShortRounds(self.derived, {}, few)

    def are_of_one_loop(self, place: int, other: int) -> bool:
        """Whether two executions of one access are rounds of loops that are written out, and of no other; or of one execution that stands
        for them."""
        number = self.numbers.get(place)
        return place == other or (number is not None and number == self.numbers.get(other))

    def taken_apart(self, event: AccessEvent) -> Iterator[AccessEvent]:
        """The rounds of an execution that stands for all rounds of such loops; the execution itself where it stands for no more than that,
        or not all threads make each of them."""
        own = self._own(event)
        counts = [self.counters[s][0] for s in own]
        if not own:
            yield event
            return
        for rounds in product(*map(range, counts)):
            poly = self.derived.put(event.address.poly, dict(zip(own, rounds, strict=True)))
            yield replace(event, address=replace(event.address, poly=poly))

    def entered(self, event: AccessEvent) -> ex.Expression:
        """How often the execution happens, with all rounds of such loops as one."""
        times = event.times
        for s in self._own(event):
            count = ex.Integer(self.counters[s][0])
            once = ex.floor_div(times, count)
            times = once if ex.multiply(once, count) == times else times
        return times

    def _own(self, event: AccessEvent) -> list[Symbol]:
        """The counters of such loops that the place of the execution rests on, if their rounds are few, and all threads make each."""
        if not self.counters:
            return []
        asked = event.address.poly.symbols()
        own = [s for s in self.counters if s in asked or not asked.isdisjoint(self.derived.values({s: 0}))]
        few = prod(self.counters[s][0] for s in own) <= _MOST_ROUNDS
        return own if few and all(event.mask.content == self.counters[s][1].content for s in own) else []


def _is_brief(loop: Loop) -> bool:
    """Whether a round of it has no loop in it, and lets no other threads in."""
    inside = statements((*loop.test, *loop.body, *loop.step))
    return not any(isinstance(stmt, Loop) or lets_others_in(stmt) for stmt in inside)


def _inside(kernel: Kernel, lines: StraightLines) -> frozenset[AccessId]:
    """The accesses in loops that are written out, not those of which no test is seen between the rounds of one around."""
    if not lines.strung:
        return frozenset()
    loops = (stmt for stmt in statements(kernel.body) if isinstance(stmt, Loop) and stmt.whole in lines.strung)
    every = (s for loop in loops for s in statements((loop,)) if isinstance(s, (Load, Store, Atomic)))
    return frozenset(s.access.id for s in every if lines.stretches.get(s.access.id, -1) >= 0)
