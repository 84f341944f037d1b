"""Positions that lanes get by counting: `out[rank] = x`, with the rank a sum of what the threads before counted.

Such positions rise from lane to lane by what the lane itself counted.  Of flags, which is what a compaction or a split of a sort
counts, they are neighbours; no bound says so, since the sums come out of memory.  Four ways to count are recognised:

  * sums that threads build in shared memory (`s[t] = s[t] + s[t - k]`), or by shuffles from the lanes below;
  * the population count of a vote, below the lane;
  * sums that another kernel left in memory, by the array's name, where a flag beside decides who writes: `if (flag[i]) out[scan[i]] = i;`;
  * rising numbers that the host left in memory (`program/host/host_orders`): what a scan, a sort or a filter wrote.

A run of positions for each lane (`out[first + k]` in a loop) is another matter: its lanes are as far apart as the runs are long.  Of short
ones that says what a request usually costs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np

from analysis_core.domains import condition as cond
from analysis_core.domains import polynomial as pl
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.own_data import has_own_data
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.shape import WARP
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.interp.core.events import AccessEvent, AccessKind, Events
from analysis_core.ir.nodes import (
    AccessId,
    Assign,
    Binary,
    Cast,
    Expr,
    Kernel,
    Load,
    Local,
    Select,
    Shuffle,
    Store,
    VarId,
)
from analysis_core.ir.types import Space
from analysis_core.ir.walk import statements_of
from analysis_core.machine.sizes import SECTOR_BYTES
from analysis_core.requests.counters import are_neighbours, step_of
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span
from analysis_core.traffic.next_rounds import counter_of

_DIVIDED = frozenset({"&", "%", ">>", "/", "floor/", "floor%"})
"""What ranks are spread over regions by: a part of the rank and the rest of it."""


_SUMS = re.compile("scan|prefix", re.IGNORECASE)
"""Names of arrays of such sums.  Any other array may hold a permutation."""


_MOST_IN_RUN = 16
"""Elements of a run of which half are a fair guess."""


_MEMBER = re.compile(r"\.\w+$")
"""The member of a record at the end of an access."""


@dataclass(frozen=True, slots=True)
class Ranks:
    """Where lanes get positions by counting. `sums`: where sums over the threads before are read; `reads`: global
    loads, by their places; `read`: the arrays that are read; `rising`: arrays that hold rising numbers."""

    derivations: Mapping[Symbol, Derivation]
    sums: frozenset[Span]
    reads: Mapping[Span, AccessEvent]
    read: frozenset[str]
    rising: frozenset[str]

    @staticmethod
    def of(kernel: Kernel, events: Events, rising: Iterable[str]) -> Ranks:
        bases = {e.access.id: e.base for e in events.accesses if e.space is Space.SHARED}
        reads = {e.access.span: e for e in events.accesses if e.kind is AccessKind.READ and e.space is Space.GLOBAL}
        return Ranks(
            events.derivations,
            _sums(kernel, bases),
            reads,
            frozenset(e.base for e in reads.values()),
            frozenset(rising),
        )

    def is_position(self, event: AccessEvent) -> bool:
        """Whether the lanes' addresses differ by what they counted."""
        symbols = [s for s in event.address.poly.symbols() if s.level is Level.LANE]
        if not symbols or any(s.kind is SymbolKind.ITERATION for s in event.address.poly.symbols()):
            return False
        return self._is_counted(event) or self._is_kept(event) or self._is_in_order(event)

    def usual_of_runs(self, group: Sequence[AccessEvent]) -> float | None:
        """The sectors of a request of lanes that go through short runs, one behind the other, beginning at the sums of
        their lengths: on average those of half of the longest run. None for other accesses."""
        return max((found for event in group if (found := self._usual_of_runs(event)) is not None), default=None)

    def _usual_of_runs(self, event: AccessEvent) -> float | None:
        terms, counted = event.address.poly.terms.items(), counter_of(event)
        if counted is None or counted[1] != event.access.width:
            return None
        counter, _ = counted
        own = any(s.level is Level.LANE and s is not counter for m, _ in terms for s in m)
        if counter.high is None or counter.high >= _MOST_IN_RUN or not own:
            return None
        first = Poly({m: c for m, c in terms if counter not in m})
        if not self._is_counted(replace(event, address=replace(event.address, poly=first))):
            return None
        return 1 + WARP * (counter.high + 1) * event.access.width / 2 / SECTOR_BYTES

    def _is_counted(self, event: AccessEvent) -> bool:
        terms = [(m, c) for m, c in event.address.poly.terms.items() if any(s.level is Level.LANE for s in m)]
        if not all(len(m) == 1 for m, _ in terms):
            return False
        for (symbol,), coefficient in terms:
            derivation = self.derivations.get(symbol)
            divided = derivation is not None and derivation.op in _DIVIDED
            if not divided and not are_neighbours(step_of(coefficient), event.access.width):
                return False
        return self._is_sum([m[0] for m, _ in terms])

    def _is_sum(self, symbols: list[Symbol]) -> bool:
        """Whether the symbols are made of sums over threads before and of flags, at least one of the first."""
        pending, seen, sums = symbols, set[Symbol](), 0
        while pending:
            s = pending.pop()
            if s in seen or s.level is not Level.LANE or s.is_choice:
                continue
            seen.add(s)
            derivation = self.derivations.get(s)
            if s.cause is not None and s.kind is SymbolKind.DATA and derivation is None and s.cause.span in self.sums:
                sums += 1
            elif derivation is None:
                return False
            elif derivation.op == "popc":
                if has_own_data([s], self.derivations):
                    return False
                sums += 1
            else:
                pending.extend(t for operand in derivation.operands for t in operand.poly.symbols())
        return sums > 0

    def _is_kept(self, event: AccessEvent) -> bool:
        """Whether the thread writes where an array says beside a flag that says whether it does."""
        at = self._told_by(event)
        if at is None or event.kind is not AccessKind.WRITE or event.base in self.read or not _SUMS.search(at.base):
            return False
        flags = (self.reads.get(span) for literal in event.mask.literals for span in _loads_of(literal.formula))
        return any(flag is not None and flag.base != at.base and _stand_beside(flag, at) for flag in flags)

    def _is_in_order(self, event: AccessEvent) -> bool:
        """Whether lanes go where numbers say that rise from lane to lane."""
        at = self._told_by(event) if self.rising else None
        if at is None:
            return False
        member = _MEMBER.search(at.access.text)
        told = at.base if member is None else at.base + member[0]
        return told in self.rising and _rises(at, member is not None)

    def _told_by(self, event: AccessEvent) -> AccessEvent | None:
        """The load whose value is all that lanes differ by, element by element, of what no memory chose for them."""
        own = [(m, c) for m, c in event.address.poly.terms.items() if any(s.level is Level.LANE for s in m)]
        if len(own) != 1:
            return None
        monomial, coefficient = own[0]
        cause = monomial[0].cause
        at = None if cause is None or cause.span is None else self.reads.get(cause.span)
        if at is None or len(monomial) != 1 or not are_neighbours(step_of(coefficient), event.access.width):
            return None
        if monomial[0] in self.derivations:
            return None
        own_data = has_own_data((s for s in at.address.poly.symbols() if not _is_of_rows(s)), self.derivations)
        return None if own_data else at


def _is_of_rows(symbol: Symbol) -> bool:
    """Whether many lanes side by side share each value of it: where a row begins that takes half a warp."""
    if symbol.alike is None or symbol.cause is None:
        return False
    rows = symbol.alike.reshape(-1, WARP // 2)
    return bool((rows == rows[:, :1]).all())


def _rises(event: AccessEvent, is_member: bool) -> bool:
    """Whether the lanes of each warp, or of each half of it, load elements that follow each other, or of records that do a member."""
    places, rows = event.address.poly.constant, WARP
    own = [s for s in _inside(event.address.poly).symbols() if s.level is Level.LANE]
    if own and all(map(_is_of_rows, own)):
        rows = WARP // 2
    elif own:
        return False
    if isinstance(places, int):
        return False
    steps = np.diff(places.reshape(-1, rows), axis=1)
    shared = all(isinstance(c, int) for m, c in event.address.poly.terms.items() if m)
    width = event.access.width
    return shared and bool((steps == (max(width, int(steps[0, 0])) if is_member else width)).all())


def _stand_beside(flag: AccessEvent, at: AccessEvent) -> bool:
    """Whether both are elements of the same index, which differs from lane to lane, of arrays of the same width."""
    place = _inside(flag.address.poly)
    return (
        flag.access.width == at.access.width
        and pl.level(place) is Level.LANE
        and pl.equal(place, _inside(at.address.poly))
    )


def _inside(address: Poly) -> Poly:
    """The address less the base of its array."""
    return Poly({m: c for m, c in address.terms.items() if not (len(m) == 1 and m[0].kind is SymbolKind.BASE)})


def _loads_of(c: cond.Condition) -> Iterator[Span]:
    """Where the values were loaded that the formula compares."""
    for atom in cond.atoms(c):
        causes = [atom.cause] if atom.poly is None else [s.cause for s in atom.poly.symbols()]
        yield from (cause.span for cause in causes if cause is not None and cause.span is not None)


# --- which loads read sums ----------------------------------------------------------------------------------------


def _sums(kernel: Kernel, bases: Mapping[AccessId, str]) -> frozenset[Span]:
    """The loads of shared arrays to which sums of their own elements are stored, and the shuffles from below of values that
    their results are added to."""
    body = statements_of(kernel)
    elements: dict[VarId, set[str]] = {}
    for stmt in body:
        if isinstance(stmt, Load) and stmt.access.id in bases:
            for var in stmt.vars:
                elements.setdefault(var, set()).add(bases[stmt.access.id])
    added: dict[VarId, set[str]] = {}
    assigned = [stmt for stmt in body if isinstance(stmt, Assign)]
    changed = True
    while changed:
        changed = False
        for stmt in assigned:
            for table, found in (
                (elements, _reached(stmt.value, elements)),
                (added, _added(stmt.value, elements, added)),
            ):
                known = table.setdefault(stmt.var, set())
                if not found <= known:
                    known |= found
                    changed = True
    arrays = {
        bases[stmt.access.id]
        for stmt in body
        if isinstance(stmt, Store) and stmt.access.id in bases
        for value in stmt.values
        if bases[stmt.access.id] in _added(value, elements, added)
    }
    loads = (s.access.span for s in body if isinstance(s, Load) and bases.get(s.access.id) in arrays)
    return frozenset((*loads, *_scanning_shuffles(body)))


def _reached(value: Expr, known: Mapping[VarId, set[str]]) -> set[str]:
    return {name for var in _summands(value) for name in known.get(var, ())}


def _added(value: Expr, elements: Mapping[VarId, set[str]], added: Mapping[VarId, set[str]]) -> set[str]:
    """The arrays of which an element is part of a sum with something else that varies."""
    found = {name for var in _summands(value) for name in added.get(var, ())}
    return found | _reached(value, elements) if _adds(value) else found


def _adds(value: Expr) -> bool:
    """Whether two things that vary are added; a choice between two is no sum."""
    pending = [value]
    while pending:
        match pending.pop():
            case Cast(operand=operand):
                pending.append(operand)
            case Select(then=then, otherwise=otherwise):
                pending += (then, otherwise)
            case Binary(op="+", left=left, right=right):
                if any(True for _ in _summands(left)) and any(True for _ in _summands(right)):
                    return True
                pending += (left, right)
            case _:
                pass
    return False


def _summands(value: Expr) -> Iterator[VarId]:
    """The variables whose sum the value is, or may be."""
    pending = [value]
    while pending:
        match pending.pop():
            case Local(var=var):
                yield var
            case Cast(operand=operand):
                pending.append(operand)
            case Binary(op="+", left=left, right=right):
                pending += (left, right)
            case Select(then=then, otherwise=otherwise):
                pending += (then, otherwise)
            case _:
                pass


def _scanning_shuffles(body: Iterable[object]) -> Iterator[Span]:
    """Shuffles from lanes below whose result is added to what was shuffled."""
    body = list(body)
    sums = [(stmt.var, set(_summands(stmt.value))) for stmt in body if isinstance(stmt, Assign)]
    copies = {var: parts for var, parts in sums if len(parts) == 1}
    for stmt in body:
        if isinstance(stmt, Shuffle) and stmt.op == "up":
            results = {stmt.var} | {var for var, parts in copies.items() if stmt.var in parts}
            if any(parts & results and var in set(_summands(stmt.value)) for var, parts in sums if len(parts) > 1):
                yield stmt.span
