"""Conditions that data decides for each lane: what stands below them is executed by some lanes, or by none.

    if (fresh[i] < best[i]) best[8 * i] = fresh[i];

Nobody can say how often the store happens.  The mask of an execution tells which conditions hold its lanes back; those of one `if` that
ask for the same contents count once, in whatever parts and rounds they come.  Tests of loops do not count, nor do the `if`s that leave
loops: how often these let lanes pass is what trip counts stand for.  Neither do conditions that are the same for a whole warp, or that
sizes decide; but where memory decides and both sides access some (`profile/idioms/both_sides`), each is one way of two, of requests as they are (`alternatives`).  A side that keeps the best value so far is rare (`profile/idioms/extrema`), even on the way out of a loop; and one that asks a number
to be one of many is, or to be negative.  What a counter lets a loop do in one round of so many (`profile/idioms/turns`) is as rare as that says.
Which of two elements of an array is the greater one (`profile/idioms/either_orders`) is open for each lane: half of the lanes of nearly every warp get there,
unlike what a flag lets through, on which a warp may agree.  Such halvings are told apart: they leave requests, with fewer lanes.
Tests of ranges by which threads leave the kernel (`profile/idioms/range_checks`) count once, all of them together: each asks whether one part of an
element is out of bounds, and a kernel is launched for elements that are not.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from analysis_core.domains.condition import Atom, Condition, Relation, atoms
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.mask import Literal, Mask
from analysis_core.domains.own_data import has_own_data
from analysis_core.domains.polynomial import total_bounds
from analysis_core.domains.shape import some
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.interp.core.events import AccessEvent, BranchEvent, Events
from analysis_core.ir.early_exits import loops_of_exits
from analysis_core.ir.nodes import AccessId, IfKind, Kernel
from analysis_core.profile.idioms.both_sides import both_sided
from analysis_core.profile.idioms.either_orders import either_orders
from analysis_core.profile.idioms.extrema import running_extrema
from analysis_core.profile.idioms.range_checks import range_checks
from analysis_core.profile.idioms.turns import turns
from analysis_core.profile.null_arguments import Site, Unreached
from analysis_core.text.span import Span

_TAKEN = (IfKind.IF, "switch")

_EQUAL = 2
"""Halvings for a value of many that an `if` asks to be one of them, `x == 7`: a lane in four.  Compilers that guess branches from their
text find such equalities false five times of six (Ball and Larus, Branch Prediction for Free, 1993), and so `x < 0`."""

_EXTREMUM = 4
"""Halvings for a value that is better than all before it: one in eight of 32, one in a hundred of a thousand."""

MOST = 6
"""Halvings in all: no path is taken to be rarer."""

NEVER = 60
"""Halvings of what a launch never comes to (null_arguments.py)."""

_FLAG = 256
"""Values below which a number is a flag, of which 0 is as good as any."""

_Held = tuple[Site, Hashable, Hashable, int]
"""The `if` that a literal comes from, what it asks for (None: it is the other side, or one of several things), its key, and halvings that it stands for by
itself."""


@dataclass(frozen=True, slots=True, order=True)
class Rarity:
    """By how many halvings something is rarer than what stands around; `thinned`: so many of these leave half of the lanes of nearly every warp."""

    halvings: int
    thinned: int = 0


@dataclass(frozen=True, slots=True)
class _Guard:
    """The `if` that asks for an atom, of contents `asked`, and the halvings of the lanes for which it is as `positive` says; `usual`: its
    other side is as usual as what stands around."""

    site: Site
    asked: Hashable
    halvings: int
    positive: bool
    usual: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Guards:
    """The guards of one kernel's executions.  `sites`: by atom, the `if` that asks for it.  `never`: what the launch never comes to.
    `own`: the atoms of the `if`s that leave loops, too.  `either`: the conditions of `if`s that are open for each lane by itself.  `shared`: by atom,
    the `if`s with two sides that ask for it, of a whole warp alike, and the accesses on their sides."""

    sites: Mapping[Hashable, _Guard]
    never: Unreached
    own: frozenset[Hashable] = frozenset()
    either: frozenset[Span] = frozenset()
    shared: Mapping[Hashable, dict[Span, frozenset[AccessId]]] = field(default_factory=dict)
    _found: dict[int, Rarity] = field(default_factory=dict)
    _literals: dict[int, frozenset[_Held]] = field(default_factory=dict)

    @staticmethod
    def of(kernel: Kernel, events: Events, never: Unreached) -> Guards:
        """From all tests of a kernel."""
        sites: dict[Hashable, _Guard] = {}
        both, shared = both_sided(kernel), dict[Hashable, dict[Span, frozenset[AccessId]]]()
        seldom, in_turn = turns(kernel), dict[Hashable, _Guard]()
        passed, check = range_checks(kernel), None
        for event in events.branches:
            if event.kind in _TAKEN:
                halved = seldom.get(event.span, 1).bit_length() - 1
                for leaf in _leaves(event.conditions):
                    atom = leaf.atom
                    if atom is None or atom.key in sites:
                        continue
                    if halved and event.conditions == (leaf,):
                        in_turn[atom.key] = _Guard((event.span, event.via), None, halved, leaf.positive, usual=True)
                    elif _is_own(atom, events.derivations) and event.span in passed:
                        check = check or (event.span, event.via)
                        sites[atom.key] = _Guard(check, None, 0, leaf.positive)
                    elif _is_own(atom, events.derivations):
                        halvings = _EQUAL if leaf.positive and (_is_one_of_many(atom) or _is_no_number(atom)) else 0
                        sites[atom.key] = _Guard((event.span, event.via), _asked(atom), halvings, leaf.positive)
                    elif event.span in both and _is_shared_data(atom):
                        shared.setdefault(atom.key, {})[event.span] = both[event.span]
        if not sites:
            return Guards(in_turn, never, shared=shared)
        exits, extrema = loops_of_exits(kernel), running_extrema(kernel)
        told = {
            key: replace(found, halvings=_EXTREMUM) if found.site[0] in extrema else found
            for key, found in sites.items()
            if found.site[0] not in exits or found.site[0] in extrema
        }
        return Guards(in_turn | told, never, frozenset(sites), either_orders(kernel), shared)

    def decide(self, events: Iterable[BranchEvent]) -> bool:
        """Whether contents of memory of a lane's own, or what was lost, decide these tests of an `if`."""
        leaves = (leaf for event in events for leaf in _leaves(event.conditions)) if self.own else ()
        return any(leaf.atom is not None and leaf.atom.key in self.own for leaf in leaves)

    def of_access(self, group: Sequence[AccessEvent]) -> Rarity:
        """How many halvings every execution of an access stands under at least."""
        if self.never.accesses and self.never.accesses.issuperset(event.access.id for event in group):
            return Rarity(NEVER)
        return self._rarity(event.mask for event in group)

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

    def of_branch(self, group: Sequence[BranchEvent]) -> Rarity:
        """The same of a branch."""
        if (group[0].span, group[0].via) in self.never.branches:
            return Rarity(NEVER)
        return self._rarity(event.mask for event in group)

    def may_end(self, group: Sequence[AccessEvent] | Sequence[BranchEvent]) -> bool:
        """Whether data decides of some execution whether it happens: a flag that rounds set ends the work though none does in the first
        round.  How often all of them happen is then told as "at most"."""
        return bool(self.sites) and any(self._of(event.mask).halvings for event in group)

    def _rarity(self, masks: Iterable[Mask]) -> Rarity:
        return min((self._of(mask) for mask in masks), default=Rarity(0)) if self.sites else Rarity(0)

    def _of(self, mask: Mask) -> Rarity:
        found = self._found.get(id(mask))
        if found is None:
            held = (self._held(entry) for entry in mask.literals if not some(mask.may & ~entry.scope))
            found = self._found[id(mask)] = self._halvings(frozenset[_Held]().union(*held))
        return found

    def _held(self, literal: Literal) -> frozenset[_Held]:
        found = self._literals.get(id(literal))
        if found is None:
            alone = None if literal.atom is None else literal.formula.positive
            known = ((atom.key, self.sites.get(atom.key)) for atom in atoms(literal.formula))
            held = frozenset(
                (asked.site, *((asked.asked, key, asked.halvings) if alone is asked.positive else (None, key, 0)))
                for key, asked in known
                if asked is not None and not (asked.usual and alone is not asked.positive)
            )
            found = self._literals[id(literal)] = held
        return found

    def _halvings(self, held: Iterable[_Held]) -> Rarity:
        """What different contents decide at one `if` is independent: `valid[i] && state[i] < 0` asks for a half of a half."""
        own: dict[Site, dict[Hashable, int]] = {}
        for site, asked, _, halvings in held:
            parts = own.setdefault(site, {})
            parts[asked] = parts.get(asked, 0) + halvings
        found = thinned = 0
        for site, parts in own.items():
            several = parts.pop(None, 0)
            halvings = max(1, several, sum(max(1, halvings) for halvings in parts.values()))
            found += halvings
            thinned += site[0] in self.either and not (parts and all(parts.values()))
        return Rarity(min(MOST, found), min(MOST, thinned))


def _leaves(conditions: Iterable[Condition]) -> Iterator[Condition]:
    """The literals that open conditions are made of."""
    pending = [c for c in conditions if not c.is_decided]
    while pending:
        c = pending.pop()
        pending.extend(c.parts)
        yield c


def _is_one_of_many(atom: Atom) -> bool:
    """Whether it holds for one value of a number that is no flag, nor a truth that is compared with a number: `(x < y) == up`."""
    if atom.relation is not Relation.ZERO or atom.poly is None:
        return False
    if any(s.kind is SymbolKind.CHOICE and _is_flag(s) for s in atom.poly.symbols() if s.level is Level.LANE):
        return False
    low, high = total_bounds(atom.poly)
    return high - low >= _FLAG


def _is_flag(symbol: Symbol) -> bool:
    return symbol.low is not None and symbol.high is not None and symbol.high - symbol.low < _FLAG


def _is_no_number(atom: Atom) -> bool:
    """Whether it holds for negative values of a number from memory: such stand for nothing, an error, or the end of a list."""
    if atom.relation is not Relation.NEGATIVE or atom.poly is None or () in atom.poly.terms:
        return False
    (*terms,) = atom.poly.terms.items()
    return len(terms) == 1 and isinstance(terms[0][1], int) and [s.kind for s in terms[0][0]] == [SymbolKind.DATA]


def _asked(atom: Atom) -> Hashable:
    """The contents that an atom asks for: tests of one number (`0 <= x && x < n`) are one question."""
    if atom.poly is None:
        return ""
    return frozenset(s for s in atom.poly.symbols() if s.level is Level.LANE)


def _is_shared_data(atom: Atom) -> bool:
    """Whether contents of memory that a warp shares decide it, and nothing of a lane's own."""
    if atom.level is Level.LANE or not atom.data:
        return False
    return atom.poly is None or any(s.kind is SymbolKind.DATA for s in atom.poly.symbols())


def _is_own(atom: Atom, derivations: Mapping[Symbol, Derivation]) -> bool:
    """Whether contents of memory of a lane's own, or what was lost, decide it."""
    if atom.level is not Level.LANE:
        return False
    if atom.poly is None:
        return atom.data or atom.compared is None
    own = [s for s in atom.poly.symbols() if s.level is Level.LANE]
    return any(s.kind is SymbolKind.UNKNOWN for s in own) or has_own_data(own, derivations)
