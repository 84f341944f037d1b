"""Case splitting: addresses that have a polynomial in each of a few cases (docs/decisions/05-case-splitting.md).

`(tid + i) % 8`, `min(tid + 1, n - 1)`, `tid / n` have no polynomial over the symbols at hand: interpretation gives each a
symbol of its own, one value per lane, with the function that made it (domains/derivation.py).  Here, where one warp's
request is costed, the function is applied again under *decisions*, each of which leaves nothing open:

    the residue of i modulo 8                              8 cases
    where the value n - 1 lies among the lanes' constants  33 cases for 32 different constants
    where the quotient by n steps up within the warp       33 cases, and n = 1 .. 31 one by one

A decision replaces a symbol by a polynomial over fresh symbols with narrower ranges: i by 8*q + 3, n by v + 1 with v in
[4, 4].  Everything that was derived is then computed anew by the same arithmetic, on the 32 lanes of the warp, and is a
polynomial, or asks for the next decision.  The leaves of this tree of decisions cover all values of the symbols, so the
worst of their costs is the worst, and each is as exact as any request.  Lanes whose condition is false in a leaf are not
active there.

A tree that grows beyond `MOST_LEAVES`, or meets something that no decision settles, is given up: the access is then what
it was before, lanes at unknown places.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence

import numpy as np

from analysis_core.domains import condition as cond
from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Condition
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.mask import Literal, Mask
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.shape import WARP, BoolVector, some, warps_with
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.requests.case_run import Alternative, CaseRun, Fresh, NotAlike, Tangled
from analysis_core.requests.decisions import decide
from analysis_core.requests.restrictions import divides
from analysis_core.text.records import dataclass

MOST_LEAVES = 1024
"""Cases of one access in one warp: 33 wrap positions and 496 residues of the divisors below 32 fit."""

_MOST_NODES = 2 * MOST_LEAVES

_MOST_MASK_NODES = 64
"""For an access whose address is known: only which lanes are there can be told more precisely."""

_MOST_SHARPENED = 64
"""Leaves for which it is asked which lanes are excluded there; with more of them, all lanes of the mask are taken."""

_MOST_WORK = 2200
"""Derivations repeated for one tree, at first."""

MOST_WORK_AT_ALL = 1 << 40

_PATTERNS = frozenset(("floor%", "floor/", "%", "/", "&", "|", "^", ">>"))
"""Functions that choose lanes in a pattern; where a clamped value is compared, the lanes are a run, and all of them cost
no less than some."""

_MOST_DECISIONS = 12
"""One after the other on the way to a leaf."""


@dataclass(frozen=True, slots=True, eq=False)
class Leaf:
    """One case of one warp: the lanes that can be active together, and their addresses as a polynomial over 32 lanes.  `open`: that all of
    them are is not known (restrictions.py)."""

    active: BoolVector
    address: Poly
    open: bool


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """One case of one warp: the lanes that may be there, and those of them for which a condition holds."""

    may: BoolVector
    true: BoolVector


def _truth(run: CaseRun, condition: Condition, mask: Mask) -> Truth | None:
    may, found = run.lanes(mask.may), run.condition(condition)
    return None if some(found.undecided & may) else Truth(may, found.true & may)


@dataclass(frozen=True, slots=True)
class TreeCost:
    """What a tree of cases took. `name`: trees of equal names are the same ("": nobody else can name this one).
    `work`: derivations; `checked`: the work when it was last compared with the budget; `gave_up`: the tree was too
    large; `exhausted`: it was too large for this budget, not for any; `rows`: it is one of long rows, which have a budget of their own."""

    name: bytes
    work: int
    checked: int
    gave_up: bool
    exhausted: bool = False
    rows: bool = False

    def charge(self, allowed: int) -> int:
        """What the tree takes of a budget: one that was given up takes no more than it was allowed, however it came to
        its end."""
        return max(0, min(self.work, allowed)) if self.gave_up else self.work

    def same(self, allowed: int) -> bool:
        """Whether the tree would end in the same way if so much were allowed."""
        return (allowed < self.checked or not self.exhausted) if self.gave_up else self.checked <= allowed


NameTree = Callable[[frozenset[Symbol], Mask, tuple[Literal, ...], tuple[int, ...]], bytes]


class Splitter:
    """Splits the accesses of one kernel; `budget`: derivations that may still be repeated.

    What was found out elsewhere (site_memo.py) is counted by `replay`, so that the budget is what it would be, had it been found out
    here: `name_tree` gives trees names, `log` says what the answers since it was last emptied rest on."""

    def __init__(self, derivations: Mapping[Symbol, Derivation], first_free: int, budget: int) -> None:
        self._derivations = derivations
        self._splittable: dict[Symbol, bool] = {}
        self._fresh = Fresh(first_free)
        self._budgets = [budget, budget // 2]  # of all rows, and of long ones
        self._allowances = [_MOST_WORK, _MOST_WORK]
        self._dependent: dict[tuple[Symbol, Symbol], bool] = {}
        self._trees: dict[Hashable, list[CaseRun] | None] = {}
        self._lanes: dict[tuple[int, Hashable], BoolVector] = {}  # by identity of cases, which the trees keep
        self._costs: dict[Hashable, TreeCost] = {}
        self._values: dict[Hashable, list[Poly | None]] = {}
        self._charged: dict[bytes, TreeCost] = {}
        self._last = TreeCost(b"", 0, 0, False)
        self.name_tree: NameTree = lambda own, mask, literals, warps: b""
        self.log: list[TreeCost] = []

    def derivation(self, symbol: Symbol) -> Derivation | None:
        """How the symbol follows from others, in the kernel or in a case."""
        return self._derivations.get(symbol) or self._fresh.derivations.get(symbol)

    def concerns(self, address: Poly, mask: Mask) -> bool:
        """Whether splitting can tell more of the access: a lane's own symbol is a function of common ones, in the
        address, or in the condition that decides which lanes are there."""
        own = [s for s in address.symbols() if s.level is Level.LANE]
        if not all(self.splittable(s) for s in own):
            return False
        return bool(own) or any(self._decidable(entry.formula) for entry in mask.literals)

    def _decidable(self, formula: Condition) -> bool:
        symbols = cond.symbols(formula)
        lanes = [s for s in symbols if s.level is Level.LANE]
        if not lanes or cond.has_opaque(formula) or not all(self.splittable(s) for s in lanes):
            return False
        return all(self._derivations[s].op in _PATTERNS for s in lanes)

    def splittable(self, symbol: Symbol) -> bool:
        """Whether the symbol is common to the lanes, or a function of symbols that are."""
        known = self._splittable.get(symbol)
        if known is not None:
            return known
        pending = [symbol]
        while pending:
            top = pending[-1]
            if top.level is not Level.LANE or top in self._splittable:
                self._splittable.setdefault(top, True)
                pending.pop()
                continue
            inner = self._inputs(top)
            missing = [] if inner is None else [s for s in inner if s not in self._splittable]
            if missing:
                pending.extend(missing)
                continue
            self._splittable[top] = inner is not None and all(self._splittable[s] for s in inner)
            pending.pop()
        return self._splittable[symbol]

    def _inputs(self, symbol: Symbol) -> set[Symbol] | None:
        """What the symbol is a function of, None if that is not known."""
        derivation = self._derivations.get(symbol)
        if derivation is None:
            return None
        used = {s for v in derivation.operands for s in v.poly.symbols()}
        if derivation.condition is not None:
            if any(atom.poly is None and atom.level is Level.LANE for atom in cond.atoms(derivation.condition)):
                return None
            used |= cond.symbols(derivation.condition)
        return used

    def row_lengths(self, address: Poly) -> frozenset[Symbol]:
        """The sizes that may be less than a warp by which an index is divided in the address: the lengths of rows that it goes along."""
        found, seen = set[Symbol](), set[Symbol]()
        pending = [s for s in address.symbols() if s.level is Level.LANE]
        while pending:
            symbol = pending.pop()
            derivation = self.derivation(symbol)
            if derivation is None or symbol in seen:
                continue
            seen.add(symbol)
            inner = [s for v in derivation.operands for s in v.poly.symbols() if s.level is Level.LANE]
            pending += inner
            if derivation.op in ("/", "%") and not inner:
                found |= {s for s in derivation.operands[1].poly.symbols() if may_be_short(s)}
        return frozenset(found)

    def leaves(
        self, address: Poly, mask: Mask, most: int = MOST_LEAVES, rows: frozenset[Symbol] = frozenset()
    ) -> list[Leaf] | None:
        """All cases of all warps; None if a tree was given up, or has more than so many cases.  Warps are looked at together as
        far as they are alike.  `rows`: sizes that are taken to be no less than a warp."""
        found: list[Leaf] = []
        groups = [warps_of(mask)]
        ends = True  # mostly the first and the last warp differ from the others
        while groups:
            warps = groups.pop()
            try:
                leaves = self._leaves(address, mask, warps, most, rows)
            except NotAlike:
                parts = (
                    (warps[-1:], warps[1:-1], warps[:1])
                    if ends
                    else (warps[len(warps) // 2 :], warps[: len(warps) // 2])
                )
                groups += [part for part in parts if part]
                ends = False
                continue
            except Tangled:  # by what the address or the mask holds beside the lanes' own symbols
                return None
            if leaves is None:
                return None
            found += leaves
        return found

    def truths(self, condition: Condition, mask: Mask) -> dict[int, list[Truth]] | None:
        """How the warps of the mask decide a condition, warp by warp and case by case; None where that is not known for every
        lane in every case."""
        if not self._decidable(condition):
            return None
        literals = (Literal(None, condition, mask.may),)
        found: dict[int, list[Truth]] = {}
        groups = [warps_of(mask)]
        while groups:
            warps = groups.pop()
            try:
                tree = self._tree(frozenset(), mask, literals, warps) if warps else []
                if warps:
                    self.log.append(self._last)
                told = None if tree is None else [_truth(run, condition, mask) for run in tree]
            except NotAlike:
                groups += [warps[len(warps) // 2 :], warps[: len(warps) // 2]]
                continue
            except Tangled:
                return None
            truths = [truth for truth in told or () if truth is not None]
            if told is None or len(truths) < len(told):
                return None
            found.update((warp, truths) for warp in warps)
        return found

    def _leaves(
        self, address: Poly, mask: Mask, warps: tuple[int, ...], most: int, rows: frozenset[Symbol]
    ) -> list[Leaf] | None:
        """The cases of warps that are alike."""
        own = frozenset(s for s in address.symbols() if s.level is Level.LANE)
        literals = () if own else tuple(entry for entry in mask.literals if self._decidable(entry.formula))
        shared = None if own else tuple((entry.key, entry.scope.tobytes()) for entry in mask.literals)
        key = (warps, own, None if own else mask.may.tobytes(), shared, rows)
        if key not in self._trees:
            name = self.name_tree(own | rows, mask, literals, warps)
            known = self._charged.get(name) if name else None
            self._last = TreeCost(name, 0, 0, False, False, bool(rows))
            try:
                gave_up = known is not None and known.gave_up
                tree = None if gave_up else self._tree(own, mask, literals, warps, name, known is not None, rows)
            except Tangled:
                tree = None
            self._trees[key] = tree
            self._costs[key] = self._last if known is None else known
            if name:
                self._charged.setdefault(name, self._last)
        self.log.append(self._costs[key])
        tree = self._trees[key]
        if tree is None or len(tree) > most:
            return None
        if not tree:
            return []
        here = tree[0].lanes_of(address)  # the same for all cases of these warps
        may = tree[0].lanes(mask.may)
        few = not own or len(tree) <= _MOST_SHARPENED
        apart = bool(mask.exclusions)
        dividing = [entry for entry in mask.literals if apart or divides(entry.formula, self.derivation)]
        values = self._values.setdefault((key, here.key()), [None] * len(tree))  # under other masks too
        found: list[Leaf] = []
        for at, run in enumerate(tree):
            active = self._active(run, mask) if few else may
            if some(active):
                values[at] = value = values[at] or run.tidy(run.expand(here))
                found.append(
                    Leaf(active, value, bool(dividing) and (not few or self._is_open(run, dividing, active, apart)))
                )
        return found

    def _is_open(self, run: CaseRun, literals: Sequence[Literal], active: BoolVector, apart: bool) -> bool:
        """Whether the case leaves it open which of the lanes the literals hold back.  `apart`: some cannot run together."""
        for entry in literals:
            formula, scope = run.condition(entry.formula), run.lanes(entry.scope) & active
            if some(formula.undecided & scope) and (apart or divides(formula, self.derivation)):
                return True
        return False

    def replay(self, trees: Sequence[TreeCost]) -> bool:
        """Counts the trees that remembered answers rest on, as if they were built now. False, and nothing is counted,
        if the answers could be others here."""
        budgets, allowances, fresh = [*self._budgets], [*self._allowances], dict[bytes, TreeCost]()
        for tree in trees:
            known = (self._charged.get(tree.name) or fresh.get(tree.name)) if tree.name else None
            if known is not None:
                if known.gave_up != tree.gave_up:
                    return False
                continue
            allowed = min(budgets[tree.rows], allowances[tree.rows])
            if not tree.same(allowed):
                return False
            budgets[tree.rows] -= tree.charge(allowed)
            allowances[tree.rows] //= 2 if tree.gave_up else 1
            if tree.name:
                fresh[tree.name] = tree
        self._budgets, self._allowances = budgets, allowances
        self._charged.update(fresh)
        return True

    def _tree(
        self,
        own: frozenset[Symbol],
        mask: Mask,
        literals: tuple[Literal, ...],
        warps: tuple[int, ...],
        name: bytes = b"",
        paid: bool = False,
        rows: frozenset[Symbol] = frozenset(),
    ) -> list[CaseRun] | None:
        """The leaves of the tree that settles all of the lanes' own symbols, which is the same for all masks; without
        such symbols, of the tree that settles the literals.  None if it grew too large.  `paid`: it is counted already."""
        found: list[CaseRun] = []
        long = {s: pl.of_symbol(self._fresh.at_least(s, WARP)) for s in sorted(rows)}
        pending: list[tuple[tuple[Alternative, ...], CaseRun | None]] = [((Alternative(long),) if rows else (), None)]
        nodes, work, checked = 0, 0, 0
        allowed = min(self._budgets[bool(rows)], self._allowances[bool(rows)])
        limit = MOST_WORK_AT_ALL if paid else allowed
        most = _MOST_NODES if own else _MOST_MASK_NODES
        wanted = Poly({(s,): 1 for s in own})
        while pending:
            made, parent = pending.pop()
            nodes, checked = nodes + 1, work
            too_many = len(made) > _MOST_DECISIONS or nodes > most or len(found) + len(pending) > MOST_LEAVES
            if too_many or work > limit:
                self._give_up(TreeCost(name, work, checked, True, not too_many, bool(rows)), allowed)
                return None
            run = CaseRun(warps, self._derivations, made, self._fresh, parent)
            undecided = min((s for s in run.poly(wanted).symbols() if s.level is Level.LANE), default=None)
            if undecided is not None:
                alternatives = decide(run, undecided)
                if alternatives is None:
                    self._give_up(TreeCost(name, work + run.work, checked, True, False, bool(rows)), allowed)
                    return None
            else:
                alternatives = None if own else self._mask_decision(run, literals, run.lanes(mask.may))
            work += run.work
            if alternatives is None:
                found.append(run)
            else:
                pending.extend(((*made, alternative), run) for alternative in reversed(alternatives))
        self._last = TreeCost(name, work, checked, False, False, bool(rows))
        if not paid:
            self._budgets[bool(rows)] -= work
        return found

    def _give_up(self, cost: TreeCost, allowed: int) -> None:
        """Each failure makes the next one cheaper: a kernel whose cases are many has many such accesses."""
        self._last = cost
        self._budgets[cost.rows] -= cost.charge(allowed)
        self._allowances[cost.rows] //= 2

    def _active(self, run: CaseRun, mask: Mask) -> BoolVector:
        """The warp's lanes that the decisions do not exclude; mostly asked for several accesses under one mask."""
        key = (id(run), mask.content)
        known = self._lanes.get(key)
        if known is None:
            known = self._lanes[key] = self._not_excluded(run, mask)
        return known

    def _not_excluded(self, run: CaseRun, mask: Mask) -> BoolVector:
        active: BoolVector = run.lanes(mask.may)
        for entry in mask.literals:
            scope = run.lanes(entry.scope) & active
            if some(scope) and self._touched(run, entry.formula):
                active = active & ~(scope & run.condition(entry.formula).false)
        return active

    def _touched(self, run: CaseRun, formula: Condition) -> bool:
        """Whether a decision says something about the formula."""
        replaced = [s for alternative in run.made for s in alternative.replaced]
        for symbol in cond.symbols(formula):
            for on in replaced:
                key = (symbol, on)
                if key not in self._dependent:
                    self._dependent[key] = run.depends(symbol, on)
                if self._dependent[key]:
                    return True
        return any(a.truth_key is not None or a.quotient is not None for a in run.made)

    def _mask_decision(
        self, run: CaseRun, literals: tuple[Literal, ...], active: BoolVector
    ) -> list[Alternative] | None:
        """What to decide so that a literal with derived symbols says which lanes are active."""
        for entry in literals:
            scope = run.lanes(entry.scope) & active
            if not some(scope):
                continue
            formula = run.condition(entry.formula)
            if not some(formula.undecided & scope):
                continue
            for symbol in sorted(cond.symbols(formula)):
                if symbol.level is Level.LANE:
                    return decide(run, symbol)
        return None


def may_be_short(symbol: Symbol) -> bool:
    """Whether a size may be less than a warp, and more."""
    known = symbol.kind is SymbolKind.PARAMETER and symbol.low is not None and symbol.low >= 0
    return known and (symbol.low or 0) < WARP and (symbol.high is None or symbol.high >= 2 * WARP)


def warps_of(mask: Mask) -> tuple[int, ...]:
    """The numbers of the warps with a lane that may be active."""
    return tuple(np.flatnonzero(warps_with(mask.may)).tolist())
