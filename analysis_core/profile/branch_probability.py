"""How rare it is that a lane comes where conditions let it, that data decides: one table of weights, of which the first row that fits counts.

    if (fresh[i] < best[i]) best[8 * i] = fresh[i];

Nobody can say how often the store happens.  The mask of an execution tells which conditions hold its lanes back; those of one `if` that ask for the same
contents count once, in whatever parts and rounds they come, and different contents are independent.  Conditions that are the same for a whole warp, or
that sizes decide, hold back nobody: where memory decides and both sides access some, each side is one way of two, of requests as they are
(`alternatives`).  As in LLVM's BranchProbabilityInfo, weights are fixed numbers by the form of the condition.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from math import log2

from analysis_core.domains.condition import Atom, Condition, Relation, atoms
from analysis_core.domains.mask import Literal, Mask
from analysis_core.domains.own_data import has_own_data
from analysis_core.domains.polynomial import total_bounds
from analysis_core.domains.shape import some
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.interp.core.events import AccessEvent, BranchEvent, Events
from analysis_core.ir.early_exits import loops_of_exits
from analysis_core.ir.nodes import AccessId, Atomic, Block, If, IfKind, Kernel, Load, Store
from analysis_core.ir.walk import statements, statements_of
from analysis_core.profile.evidence import Evidence
from analysis_core.profile.idioms.extrema import running_extrema
from analysis_core.profile.idioms.range_checks import range_checks
from analysis_core.profile.idioms.turns import turns
from analysis_core.profile.null_arguments import Site, Unreached
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

MOST = 6
"""Halvings in all: no path is taken to be rarer."""

NEVER = 60
"""Halvings of what a launch never comes to (null_arguments.py)."""

_FLAG = 256
"""Values below which a number is a flag, of which 0 is as good as any."""


@dataclass(frozen=True, slots=True)
class _Forms:
    """What the text of a kernel says of its conditions, by their places: those that keep the best value so far, that leave loops or, by tests of ranges, the
    kernel, and in one round of how many a counter is set back."""

    extrema: frozenset[Span]
    exits: Mapping[Span, Span]
    checks: frozenset[Span]
    turns: Mapping[Span, int]

    @staticmethod
    def of(kernel: Kernel) -> _Forms:
        """All of a kernel."""
        return _Forms(running_extrema(kernel), loops_of_exits(kernel), range_checks(kernel), turns(kernel))


@dataclass(frozen=True, slots=True)
class _Asked:
    """A test that a condition is made of (`leaf`), of numbers (`atom`).  `own`: contents of memory of a lane's own decide it."""

    event: BranchEvent
    leaf: Condition
    atom: Atom
    own: bool
    forms: _Forms


def _is_turn(asked: _Asked) -> bool:
    return asked.event.span in asked.forms.turns and asked.event.conditions == (asked.leaf,)


def _holds_back_nobody(asked: _Asked) -> bool:
    return not asked.own


def _beats_all_before(asked: _Asked) -> bool:
    return asked.event.span in asked.forms.extrema


def _leaves_a_loop(asked: _Asked) -> bool:
    return asked.event.span in asked.forms.exits


def _is_range_check(asked: _Asked) -> bool:
    return asked.event.span in asked.forms.checks


def _is_one_of_many(asked: _Asked) -> bool:
    """Whether it holds for one value of a number that is no flag, nor a truth that is compared with a number: `(x < y) == up`."""
    poly = asked.atom.poly
    if not asked.leaf.positive or asked.atom.relation is not Relation.ZERO or poly is None:
        return False
    if any(s.kind is SymbolKind.CHOICE and _is_flag(s) for s in poly.symbols() if s.level is Level.LANE):
        return False
    low, high = total_bounds(poly)
    return high - low >= _FLAG


def _is_flag(symbol: Symbol) -> bool:
    return symbol.low is not None and symbol.high is not None and symbol.high - symbol.low < _FLAG


def _is_no_number(asked: _Asked) -> bool:
    """Whether it holds for negative values of a number from memory: such stand for nothing, an error, or the end of a list."""
    poly = asked.atom.poly
    if not asked.leaf.positive or asked.atom.relation is not Relation.NEGATIVE or poly is None or () in poly.terms:
        return False
    (*terms,) = poly.terms.items()
    return len(terms) == 1 and isinstance(terms[0][1], int) and [s.kind for s in terms[0][0]] == [SymbolKind.DATA]


@dataclass(frozen=True, slots=True)
class Weight:
    """A form of conditions.  `part`: the part of the lanes for which one holds (1: it holds back nobody); None: one in as many as the text says.  Of lanes for
    which it does not hold half are left, unless the form is one of the first two."""

    form: str
    evidence: Evidence
    part: float | None
    fits: Callable[[_Asked], bool]

    def halvings(self, asked: _Asked) -> int:
        """By how many halvings lanes become fewer, rounded down."""
        return int(-log2(self.part or 1 / asked.forms.turns[asked.event.span]))


_TURN = Weight("a counter comes to it in one round of so many, and is set back", Evidence.PATTERN, None, _is_turn)

WEIGHTS: Sequence[Weight] = (
    _TURN,
    Weight("sizes decide it, or a warp agrees", Evidence.PROVED, 1, _holds_back_nobody),
    # H(n) of n values in no particular order beat all before them: one in eight of 32, one in a hundred of a thousand (Knuth, The Art of
    # Computer Programming, volume 1, section 1.2.10).
    Weight("it beats all values before it", Evidence.PATTERN, 1 / 16, _beats_all_before),
    Weight("it leaves a loop, for which trip counts stand", Evidence.PATTERN, 1, _leaves_a_loop),
    Weight("an element is out of range, and its thread leaves the kernel", Evidence.PATTERN, 1 / 2, _is_range_check),
    # Compilers that guess branches from their text find such equalities false five times of six, and negative numbers too (Ball and Larus,
    # Branch Prediction for Free, 1993).
    Weight("a number of many is the very one that is asked for", Evidence.PATTERN, 1 / 4, _is_one_of_many),
    Weight("a number is negative, which stands for nothing", Evidence.PATTERN, 1 / 4, _is_no_number),
    Weight("data decides it", Evidence.DEFAULT, 1 / 2, lambda _: True),
)
"""The first that fits counts."""


@dataclass(frozen=True, slots=True)
class _Guard:
    """The `if` that asks for an atom, of contents `asked`, and the halvings of the lanes for which it is as `positive` says; `usual`: its
    other side is as usual as what stands around."""

    site: Site
    asked: Hashable
    halvings: int
    positive: bool
    usual: bool = False


_Held = tuple[Site, Hashable, Hashable, int]
"""The `if` that a literal comes from, what it asks for (None: it is the other side, or one of several things), its key, and its halvings."""


@dataclass(frozen=True, slots=True, eq=False)
class BranchProbability:
    """What conditions make of one kernel's executions.  `guards`: by atom, the `if` that asks for it.  `never`: what the launch never comes to.
    `own`: the atoms that contents of a lane's own decide, those of the `if`s that leave loops, too.  `shared`: by atom, the `if`s with two sides
    that ask for it, of a whole warp alike, and the accesses on their sides."""

    guards: Mapping[Hashable, _Guard]
    never: Unreached
    own: frozenset[Hashable]
    shared: Mapping[Hashable, Mapping[Span, frozenset[AccessId]]]
    _found: dict[int, int] = field(default_factory=dict)
    _literals: dict[int, frozenset[_Held]] = field(default_factory=dict)

    @staticmethod
    def of(kernel: Kernel, events: Events, never: Unreached) -> BranchProbability:
        """From all tests of a kernel."""
        guards: dict[Hashable, _Guard] = {}
        own: set[Hashable] = set()
        shared: dict[Hashable, dict[Span, frozenset[AccessId]]] = {}
        forms, both = _Forms.of(kernel), _both_sided(kernel)
        check: Site | None = None  # of all range checks: each asks whether one part of an element is out of bounds
        for asked in _questions(events, forms):
            event, atom = asked.event, asked.atom
            if event.span in both and _is_shared_data(atom):
                shared.setdefault(atom.key, {})[event.span] = both[event.span]
            if atom.key in guards or atom.key in own:
                continue
            weight = next(one for one in WEIGHTS if one.fits(asked))
            if asked.own and weight is not _TURN:
                own.add(atom.key)
            halvings, site = weight.halvings(asked), (event.span, event.via)
            if halvings:
                if weight.fits is _is_range_check:
                    site = check = check or site
                contents = None if weight.fits in (_is_turn, _is_range_check) else _contents(atom)
                guards[atom.key] = _Guard(site, contents, halvings, asked.leaf.positive, usual=weight is _TURN)
        return BranchProbability(guards, never, frozenset(own), shared)

    def decide(self, events: Iterable[BranchEvent]) -> bool:
        """Whether contents of memory of a lane's own, or what was lost, decide these tests of an `if`."""
        leaves = (leaf for event in events for leaf in _leaves(event.conditions)) if self.own else ()
        return any(leaf.atom is not None and leaf.atom.key in self.own for leaf in leaves)

    def of_access(self, group: Sequence[AccessEvent]) -> int:
        """How many halvings every execution of an access stands under at least."""
        if self.never.accesses and self.never.accesses.issuperset(event.access.id for event in group):
            return NEVER
        return self._least(event.mask for event in group)

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
            known = ((atom.key, self.guards.get(atom.key)) for atom in atoms(literal.formula))
            found = self._literals[id(literal)] = frozenset(
                (asked.site, *((asked.asked, key, asked.halvings) if alone is asked.positive else (None, key, 1)))
                for key, asked in known
                if asked is not None and not (asked.usual and alone is not asked.positive)
            )
        return found


def _halvings(held: Iterable[_Held]) -> int:
    """What different contents decide at one `if` is independent: `valid[i] && state[i] < 0` asks for a half of a half."""
    sites: dict[Site, dict[Hashable, int]] = {}
    for site, asked, _, halvings in held:
        parts = sites.setdefault(site, {})
        parts[asked] = max(parts.get(asked, 0), halvings)
    each = (max(parts.pop(None, 0), sum(parts.values())) for parts in sites.values())
    return min(MOST, sum(each))


def _questions(events: Events, forms: _Forms) -> Iterator[_Asked]:
    for event in events.branches:
        if event.kind in (IfKind.IF, "switch"):
            for leaf in _leaves(event.conditions):
                if leaf.atom is not None:
                    yield _Asked(event, leaf, leaf.atom, _is_own(leaf.atom, events), forms)


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
