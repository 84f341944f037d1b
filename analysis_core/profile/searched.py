"""Loads of searches that all lanes of a warp begin at one place (profile/idioms/probes.py), with what is known of how many elements these search.

The first rounds of such a search look at one place, at two, at four: that each lane is somewhere else is so only in the last of them.
For findings; bounds are those of lanes anywhere.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from analysis_core.domains.polynomial import Coefficient, Poly
from analysis_core.domains.shape import WARP
from analysis_core.domains.symbol import Level, Symbol
from analysis_core.domains.thread_value import level_of
from analysis_core.expressions import expression as ex
from analysis_core.expressions.expression import Expression
from analysis_core.interp.core.events import AccessEvent, Events
from analysis_core.interp.core.trace import Looped, walk
from analysis_core.ir.effects import assigned_in
from analysis_core.ir.nodes import AccessId, Atomic, Expr, Kernel, Load, Loop, Store, VarId
from analysis_core.ir.walk import statements_of
from analysis_core.profile.access_profile import Found, Searched
from analysis_core.profile.idioms.probes import Search, searches_begun_alike
from analysis_core.profile.idioms.search_keys import Keys
from analysis_core.profile.search_rounds import extent_of
from analysis_core.profile.steered import steered
from analysis_core.support.derived import derived
from analysis_core.text.records import dataclass


@dataclass(frozen=True)  # no slots: searches are found once, where somebody asks
class Searches:
    """The searches of one kernel as it was interpreted."""

    kernel: Kernel
    events: Events
    rising: frozenset[str]

    def of_access(self, group: Sequence[AccessEvent]) -> Searched | Found | None:
        """The search that these executions are part of, or whose result they use; None for other accesses."""
        found = self._found.get(group[0].access.id)
        if found is None:
            return self._at_what_was_found(group) or self._stepped(group[0])
        search, extent = found
        told = extent is not None or search.nested or self._summarised(search.loop)
        rounds = None if told else len(group)
        return Searched(extent, rounds, search.probes[group[0].access.id], self._span(search.keys))

    def _at_what_was_found(self, group: Sequence[AccessEvent]) -> Found | None:
        spans = [self._span(s.keys) for s, _ in self._found.values() if group[0].access.id in s.after]
        known = [span for span in spans if span is not None]
        if not spans or len(known) < len(spans):
            return None
        reaches = [_reach(event.address.poly, max(known)) for event in group]
        told = [reach for reach in reaches if reach is not None]
        return Found(max(told)) if len(told) == len(reaches) else None

    def _stepped(self, event: AccessEvent) -> Found | None:
        address = self._addresses.get(event.access.id)
        apart = None if address is None else steered(self.kernel, address, self._is_even_load)
        return None if apart is None else Found(int(WARP * apart) * event.access.width, stepped=True)

    @derived
    def _addresses(self) -> Mapping[AccessId, Expr]:
        made = (stmt for stmt in statements_of(self.kernel) if isinstance(stmt, Load | Store | Atomic))
        return {stmt.access.id: stmt.address for stmt in made}

    @derived
    def _executions(self) -> Mapping[AccessId, Sequence[AccessEvent]]:
        found: dict[AccessId, list[AccessEvent]] = {}
        for event in self.events.accesses:
            found.setdefault(event.access.id, []).append(event)
        return found

    def _is_even_load(self, load: AccessId) -> bool:
        """Whether all lanes of a warp load from one place."""
        return all(event.address.poly.level is not Level.LANE for event in self._executions.get(load, ()))

    def _span(self, keys: Keys | None) -> int | None:
        """How many elements the keys of a warp lie among: as many as these are apart where they were loaded from; lanes' numbers are in order."""
        if keys is None or not (keys.loads or keys.numbers):
            return None
        made = [event for event in self.events.accesses if event.access.id in keys.loads]
        if any(event.base not in self._sorted for event in made):
            return None
        spans = [_elements_apart(event) for event in made]
        known = [span for span in (*spans, WARP if keys.numbers else 1) if span is not None]
        return max(known) if len(known) > len(spans) else None

    @derived
    def _sorted(self) -> frozenset[str]:
        """The arrays that are searched, and those that the host left in order."""
        found = (event.base for event in self.events.accesses if event.access.id in self._found)
        return self.rising.union(found) - {"?"}

    @derived
    def _found(self) -> Mapping[AccessId, tuple[Search, Expression | None]]:
        found: dict[AccessId, tuple[Search, Expression | None]] = {}
        for search in searches_begun_alike(self.kernel, self._even):
            extent = _extent(search, self._summarised(search.loop))
            found.update(dict.fromkeys(search.probes, (search, extent)))
        return found

    @derived
    def _nodes(self) -> Sequence[Looped]:
        return [node for node in walk(self.events.trace) if isinstance(node, Looped)]

    def _summarised(self, loop: Loop) -> Sequence[Looped]:
        """The executions of a loop that are told as one round."""
        like = [node for node in self._nodes if node.loop.whole == loop.whole]
        if not like:
            return like
        changed = assigned_in((loop,))  # other calls of one function have variables of their own
        return [node for node in like if assigned_in((node.loop,)) == changed]

    def _even(self, loop: Loop) -> Collection[VarId]:
        """The variables of which all lanes of a warp have one value where the loop begins."""
        entries = [node.entry for node in self._summarised(loop)]
        if not entries:
            return ()
        return [v for v in entries[0] if all(v in entry and level_of(entry[v]) is not Level.LANE for entry in entries)]


def _reach(poly: Poly, span: int) -> int | None:
    """The bytes that places lie among by the lanes' numbers, and by what each of them found among so many elements."""
    steps: dict[Symbol, int] = {}
    for monomial, c in poly.terms.items():
        own = [s for s in monomial if not s.is_choice]
        if any(s.level is Level.LANE for s in monomial):
            if len(own) != 1 or not isinstance(c, int):
                return None
            steps[own[0]] = max(abs(c), steps.get(own[0], 0))
    return _apart(poly.constant) + sum(step * (span - 1) for step in steps.values())


def _apart(entries: Coefficient) -> int:
    """How far apart the lanes of a warp are by a coefficient, at most."""
    if isinstance(entries, int):
        return 0
    rows = entries.reshape(-1, WARP)
    return int((rows.max(axis=1) - rows.min(axis=1)).max())


def _elements_apart(event: AccessEvent) -> int | None:
    """How many elements a warp's lanes load from, first to last; None where more than their numbers decides that."""
    if any(s.level is Level.LANE for s in event.address.poly.symbols()):
        return None
    return _apart(event.address.poly.constant) // event.access.width + 1


def _extent(search: Search, nodes: Sequence[Looped]) -> Expression | None:
    """How many elements are searched, where sizes say that."""
    if search.first is not None:
        return ex.integer(2 * search.first)
    sizes = {extent_of(search.ends, search.step, node.entry) for node in nodes}
    return sizes.pop() if len(sizes) == 1 else None
