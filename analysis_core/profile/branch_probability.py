"""How rare it is that a lane comes where conditions let it, that data decides: a half of the lanes, for each such condition.

    if (fresh[i] < best[i]) best[8 * i] = fresh[i];

Nobody can say how often the store happens.  The mask of an execution tells which conditions hold its lanes back; those of one `if` that ask for the same
contents count once, in whatever parts and rounds they come, and different contents are independent.  Conditions that are the same for a whole warp, or
that sizes decide, hold back nobody: where memory decides and both sides access some, each side is one way of two, of requests as they are
(`alternatives`).  A condition that leaves a loop holds back nobody either: trip counts stand for it.  But what stands on its way out, before the
`break`, a lane does once at most, however many rounds it makes.
"""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field

from analysis_core.domains.condition import Atom, Condition, atoms
from analysis_core.domains.mask import Literal, Mask
from analysis_core.domains.own_data import has_own_data
from analysis_core.domains.shape import some
from analysis_core.domains.symbol import Level, SymbolKind
from analysis_core.interp.core.events import AccessEvent, BranchEvent, Events
from analysis_core.ir.early_exits import loops_of_exits
from analysis_core.ir.nodes import AccessId, Atomic, Block, Break, If, IfKind, Kernel, Load, Return, Store
from analysis_core.ir.walk import statements, statements_of
from analysis_core.profile.null_arguments import Site, Unreached
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

MOST = 6
"""Halvings in all: no path is taken to be rarer."""

NEVER = 60
"""Halvings of what a launch never comes to (null_arguments.py)."""


@dataclass(frozen=True, slots=True)
class _Guard:
    """The `if` that asks for an atom, of contents `asked`, and whether it asks that it holds."""

    site: Site
    asked: Hashable
    positive: bool


_Held = tuple[Site, Hashable]
"""The `if` that a literal comes from, and what it asks for (None: it is the other side, or one of several things)."""


@dataclass(frozen=True, slots=True, eq=False)
class BranchProbability:
    """What conditions make of one kernel's executions.  `guards`: by atom, the `if` that asks for it.  `never`: what the launch never comes to.
    `own`: the atoms that contents of a lane's own decide, those of the `if`s that leave loops, too.  `shared`: by atom, the `if`s with two sides
    that ask for it, of a whole warp alike, and the accesses on their sides.  `leaving`: accesses on ways out of loops that contents of a lane's own
    open."""

    guards: Mapping[Hashable, _Guard]
    never: Unreached
    own: frozenset[Hashable]
    shared: Mapping[Hashable, Mapping[Span, frozenset[AccessId]]]
    leaving: frozenset[AccessId]
    _found: dict[int, int] = field(default_factory=dict)
    _literals: dict[int, frozenset[_Held]] = field(default_factory=dict)

    @staticmethod
    def of(kernel: Kernel, events: Events, never: Unreached) -> BranchProbability:
        """From all tests of a kernel."""
        guards: dict[Hashable, _Guard] = {}
        own: set[Hashable] = set()
        shared: dict[Hashable, dict[Span, frozenset[AccessId]]] = {}
        both, exits, ways = _both_sided(kernel), loops_of_exits(kernel), set[Span]()
        for event, leaf, atom in _questions(events):
            if event.span in both and _is_shared_data(atom):
                shared.setdefault(atom.key, {})[event.span] = both[event.span]
            if atom.key in own or not _is_own(atom, events):
                continue
            own.add(atom.key)
            if event.span in exits:
                ways.add(event.span)
            else:
                guards[atom.key] = _Guard((event.span, event.via), _contents(atom), leaf.positive)
        return BranchProbability(guards, never, frozenset(own), shared, _on_ways_out(kernel, ways))

    def decide(self, events: Iterable[BranchEvent]) -> bool:
        """Whether contents of memory of a lane's own, or what was lost, decide these tests of an `if`."""
        leaves = (leaf for event in events for leaf in _leaves(event.conditions)) if self.own else ()
        return any(leaf.atom is not None and leaf.atom.key in self.own for leaf in leaves)

    def of_access(self, group: Sequence[AccessEvent]) -> int:
        """How many halvings every execution of an access stands under at least."""
        if self.never.accesses and self.never.accesses.issuperset(event.access.id for event in group):
            return NEVER
        once = self.leaving.issuperset(event.access.id for event in group)
        return min(MOST, once + self._least(event.mask for event in group))

    def of_branch(self, group: Sequence[BranchEvent]) -> int:
        """The same of a branch."""
        if (group[0].span, group[0].via) in self.never.branches:
            return NEVER
        return self._least(event.mask for event in group)

    def alternatives(self, group: Sequence[AccessEvent]) -> int:
        """On how many sides of tests with two sides every execution of an access stands at least, of which a warp takes one.  (What another `if` that
        asks the same holds back is no such side.)"""
        if not self.shared:
            return 0
        return min(MOST, *(len(set(self._sides(event))) for event in group))

    def _sides(self, event: AccessEvent) -> Iterator[Span]:
        """The tests with two sides, on one of which the execution stands."""
        asked = (atom.key for entry in event.mask.literals for atom in atoms(entry.formula))
        tests = (test for key in asked for test in self.shared.get(key, {}).items())
        return (span for span, sides in tests if event.access.id in sides)

    def may_end(self, group: Sequence[AccessEvent] | Sequence[BranchEvent]) -> bool:
        """Whether data decides of some execution whether it happens: a flag that rounds set ends the work though none does in the first
        round.  How often all of them happen is then told as "at most"."""
        return bool(self.guards) and any(self._of(event.mask) for event in group)

    def _least(self, masks: Iterable[Mask]) -> int:
        return min((self._of(mask) for mask in masks), default=0) if self.guards else 0

    def _of(self, mask: Mask) -> int:
        found = self._found.get(id(mask))
        if found is None:
            held = (self._held(entry) for entry in mask.literals if not some(mask.may & ~entry.scope))
            found = self._found[id(mask)] = _halvings(frozenset[_Held]().union(*held))
        return found

    def _held(self, literal: Literal) -> frozenset[_Held]:
        found = self._literals.get(id(literal))
        if found is None:
            alone = None if literal.atom is None else literal.formula.positive
            known = (self.guards.get(atom.key) for atom in atoms(literal.formula))
            found = self._literals[id(literal)] = frozenset(
                (guard.site, guard.asked if alone is guard.positive else None) for guard in known if guard is not None
            )
        return found


def _halvings(held: Iterable[_Held]) -> int:
    """What different contents decide at one `if` is independent: `valid[i] && state[i] < 0` asks for a half of a half."""
    sites: dict[Site, set[Hashable]] = {}
    for site, asked in held:
        sites.setdefault(site, set()).add(asked)
    return min(MOST, sum(max(1, len(contents - {None})) for contents in sites.values()))


def _questions(events: Events) -> Iterator[tuple[BranchEvent, Condition, Atom]]:
    """The tests of numbers that the conditions of all `if`s and `switch`es are made of."""
    for event in events.branches:
        if event.kind in (IfKind.IF, "switch"):
            yield from ((event, leaf, leaf.atom) for leaf in _leaves(event.conditions) if leaf.atom is not None)


def _leaves(conditions: Iterable[Condition]) -> Iterator[Condition]:
    """The literals that open conditions are made of."""
    pending = [c for c in conditions if not c.is_decided]
    while pending:
        c = pending.pop()
        pending.extend(c.parts)
        yield c


def _both_sided(kernel: Kernel) -> Mapping[Span, frozenset[AccessId]]:
    """By the condition of an `if` with an access on either side, those that stand there.  (Of one side alone that may be the usual way.)"""
    found: dict[Span, frozenset[AccessId]] = {}
    for stmt in statements_of(kernel):
        if isinstance(stmt, If) and stmt.kind is IfKind.IF:
            then, otherwise = _accesses(stmt.then), _accesses(stmt.otherwise)
            if then and otherwise:
                found[stmt.span] = found.get(stmt.span, frozenset()) | then | otherwise
    return found


def _on_ways_out(kernel: Kernel, ways: Collection[Span]) -> frozenset[AccessId]:
    """The accesses on the sides of these `if`s that end with leaving a loop."""
    asked = (stmt for stmt in statements_of(kernel) if isinstance(stmt, If) and stmt.span in ways) if ways else ()
    sides = (
        side for stmt in asked for side in (stmt.then, stmt.otherwise) if side and isinstance(side[-1], (Break, Return))
    )
    return frozenset(access for side in sides for access in _accesses(side))


def _accesses(block: Block) -> frozenset[AccessId]:
    return frozenset(s.access.id for s in statements(block) if isinstance(s, (Load, Store, Atomic)))


def _contents(atom: Atom) -> Hashable:
    """The contents that an atom asks for: tests of one number (`0 <= x && x < n`) are one question."""
    if atom.poly is None:
        return ""
    return frozenset(s for s in atom.poly.symbols() if s.level is Level.LANE)


def _is_shared_data(atom: Atom) -> bool:
    """Whether contents of memory that a warp shares decide it, and nothing of a lane's own."""
    if atom.level is Level.LANE or not atom.data:
        return False
    return atom.poly is None or any(s.kind is SymbolKind.DATA for s in atom.poly.symbols())


def _is_own(atom: Atom, events: Events) -> bool:
    """Whether contents of memory of a lane's own, or what was lost, decide it."""
    if atom.level is not Level.LANE:
        return False
    if atom.poly is None:
        return atom.data or atom.compared is None
    own = [s for s in atom.poly.symbols() if s.level is Level.LANE]
    return any(s.kind is SymbolKind.UNKNOWN for s in own) or has_own_data(own, events.derivations)
