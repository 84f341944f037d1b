"""Branches that a loop's counter decides, as loops of their own: `if (k & 1)`, `if (k < m)`, `if (k == n - 1)`.

What a side pays in the rounds in which it is chosen is what a loop over these rounds alone would pay: k = first + step*j.  Costs are sums,
whose order does not matter, so that loop may stand behind the one without the side.  Loops between the two go with it, and so do the guards
that speak of k.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from math import gcd

from analysis_core.bounds.program import Affine, Arm, Assign, Branch, Stmt, While, put
from analysis_core.domains.condition import Atom, Condition, Relation
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.symbol import Level, Symbol
from analysis_core.expressions import expression as ex
from analysis_core.expressions.expression import Expression
from analysis_core.interp.core.trips import is_plainly_nonnegative
from analysis_core.text.records import dataclass

_LONGEST = 32
"""Rounds after which the same side is run again."""


@dataclass(frozen=True, slots=True)
class Slice:
    """The rounds k = first + step*j, of which no more than `most` are meant, from 0 on where `first` is negative."""

    first: Expression
    step: int = 1
    most: Expression | None = None

    @property
    def begin(self) -> Expression:
        """The first of the rounds."""
        return _natural(self.first)

    def rounds(self, trips: Expression) -> Expression:
        """How many of the rounds 0 to trips - 1 they are."""
        first, behind = ex.constant(self.first), ex.subtract(trips, self.first)
        far = ex.constant(behind)
        if first is not None and 0 <= first < self.step:
            left = ex.floor_div(ex.add(trips, ex.integer(self.step - 1 - first)), ex.integer(self.step))
        elif self.step == 1 and far is not None:
            left = ex.minimum(trips, ex.integer(max(0, far)))
        else:
            left = ex.ceil_div(_natural(ex.subtract(trips, self.begin)), ex.integer(self.step))
        return left if self.most is None else ex.minimum(left, self.most)


def _natural(e: Expression) -> Expression:
    return e if is_plainly_nonnegative(e) else ex.maximum(ex.ZERO, e)


Slices = tuple[Slice, ...]


@dataclass(frozen=True, slots=True)
class Decided:
    """A test that the counter of a loop decides: the rounds in which it holds, and those in which it does not
    (`sides`)."""

    counter: str
    sides: tuple[Slices, Slices]


@dataclass(frozen=True, slots=True)
class Sliced(Branch):
    """A branch each of whose arms is run in certain rounds (`slices`) of the loop with this counter. Seen without this
    loop, either arm may be run."""

    counter: str
    slices: tuple[Slices, ...]


# --- which rounds ---------------------------------------------------------------------------------------------------


def decided_by(
    condition: Condition,
    counters: Mapping[Symbol, str],
    derivations: Mapping[Symbol, Derivation],
    exactly: Callable[[Poly], Expression | None],
) -> Decided | None:
    """The rounds in which a test that all threads wait for holds; None where it does not depend on exactly one
    counter."""
    atom = condition.atom
    if atom is None or atom.poly is None or atom.level is not Level.BLOCK:
        return None
    if not all(isinstance(c, int) for c in atom.poly.terms.values()):
        return None
    own = [s for s in atom.poly.symbols() if s in counters]
    found = _by_order(atom, own[0], counters, exactly) if len(own) == 1 else _by_rest(atom, counters, derivations)
    if found is None or condition.positive:
        return found
    return replace(found, sides=(found.sides[1], found.sides[0]))


def _by_order(
    atom: Atom, counter: Symbol, counters: Mapping[Symbol, str], exactly: Callable[[Poly], Expression | None]
) -> Decided | None:
    """`a*k + rest < 0`, or `== 0`."""
    assert atom.poly is not None
    factor = atom.poly.terms.get((counter,))
    others = Poly({m: c for m, c in atom.poly.terms.items() if m != (counter,)})
    rest = None if counter in others.symbols() else exactly(others)
    if rest is None or not isinstance(factor, int):
        return None
    end = ex.scale(-1 if factor > 0 else 1, rest)
    if atom.relation is Relation.ZERO:
        if abs(factor) != 1:
            return None
        behind = ex.add(end, ex.ONE)
        once = Slice(end, 1, ex.minimum(ex.ONE, _natural(behind)))
        return Decided(counters[counter], ((once,), (Slice(ex.ZERO, 1, _natural(end)), Slice(behind))))
    if factor > 0:
        first = end if factor == 1 else ex.ceil_div(_natural(end), ex.integer(factor))
    else:
        first = ex.add(end, ex.integer(-factor))
        first = first if factor == -1 else ex.floor_div(_natural(first), ex.integer(-factor))
    before, since = (Slice(ex.ZERO, 1, _natural(first)),), (Slice(first),)
    return Decided(counters[counter], (before, since) if factor > 0 else (since, before))


def _by_rest(atom: Atom, counters: Mapping[Symbol, str], derivations: Mapping[Symbol, Derivation]) -> Decided | None:
    """`c*((a*k + b) % d) + e < 0`, or `== 0`."""
    assert atom.poly is not None
    names = [m for m in atom.poly.terms if m]
    derivation = derivations.get(names[0][0]) if len(names) == 1 and len(names[0]) == 1 else None
    if derivation is None or derivation.op != "floor%" or derivation.settled is not None:
        return None
    cut, by = (operand.poly for operand in derivation.operands)
    divisor = by.constant if by.is_constant else None
    if not isinstance(divisor, int) or divisor < 2 or not all(isinstance(c, int) for c in cut.terms.values()):
        return None
    moving = [(m, c) for m, c in cut.terms.items() if m and isinstance(c, int) and c % divisor]
    if len(moving) != 1 or len(moving[0][0]) != 1 or moving[0][0][0] not in counters:
        return None
    ((counter,), by_round), start = moving[0], cut.constant
    factor, apart = atom.poly.terms[names[0]], atom.poly.constant
    assert isinstance(factor, int) and isinstance(apart, int) and isinstance(start, int)
    period = divisor // gcd(by_round, divisor)
    if period > _LONGEST:
        return None
    values = [factor * ((by_round * k + start) % divisor) + apart for k in range(period)]
    holds = [v == 0 if atom.relation is Relation.ZERO else v < 0 for v in values]
    sides = [tuple(Slice(ex.integer(k), period) for k in range(period) if holds[k] is side) for side in (True, False)]
    return Decided(counters[counter], (sides[0], sides[1]))


# --- loops of their own ---------------------------------------------------------------------------------------------

Body = tuple[Stmt, ...]


def lifted(body: Body, counter: str) -> tuple[Body, list[tuple[Slice, Body]]]:
    """The loop's body without the branches that its counter decides, and beside it what each side of these does, with
    the rounds in which it does."""
    kept: list[Stmt] = []
    pieces: list[tuple[Slice, Body]] = []
    for stmt in body:
        match stmt:
            case Sliced(arms, _, own, slices) if own == counter:
                pieces += [
                    (one, arm.body) for arm, parts in zip(arms, slices, strict=True) if arm.body for one in parts
                ]
            case Sliced(arms, _, _, slices):
                rests = [lifted(arm.body, counter) for arm in arms]
                for parts, (_, found) in zip(slices, rests, strict=True):
                    pieces += [(one, (_only(stmt, parts, side),)) for one, side in found]
                kept.append(replace(stmt, arms=tuple(Arm((), rest) for rest, _ in rests)))
            case While(guard, inner, span, may_stop):
                rest, found = lifted(inner, counter)
                step = inner[-1]
                if found and isinstance(step, Assign):
                    kept.append(While(guard, rest, span, may_stop))
                    begin = Assign(step.var, Affine(0))
                    pieces += [(one, (begin, While(guard, (*side, step), span, may_stop))) for one, side in found]
                else:
                    kept.append(stmt)
            case _:
                kept.append(stmt)
    return tuple(kept), pieces


def _only(branch: Sliced, slices: Slices, side: Body) -> Sliced:
    return Sliced((Arm((), side),), branch.span, branch.counter, (slices,))


def replaced(body: Body, values: Mapping[str, Affine]) -> Body:
    """The body with names in its guards replaced by values."""
    return tuple(_replaced(stmt, values) for stmt in body)


def _replaced(stmt: Stmt, values: Mapping[str, Affine]) -> Stmt:
    match stmt:
        case Branch(arms):
            return replace(stmt, arms=tuple(Arm(arm.guard, replaced(arm.body, values)) for arm in arms))
        case While(guard, inner, span, may_stop):
            return While(tuple(put(part, values) for part in guard), replaced(inner, values), span, may_stop)
        case _:
            return stmt


def plain(body: Body) -> Body:
    """The body in which branches that a counter decides are ordinary ones, of which either arm may be run."""
    result: list[Stmt] = []
    for stmt in body:
        match stmt:
            case Branch(arms, span):
                result.append(Branch(tuple(Arm(arm.guard, plain(arm.body)) for arm in arms), span))
            case While(guard, inner, span, may_stop):
                result.append(While(guard, plain(inner), span, may_stop))
            case _:
                result.append(stmt)
    return tuple(result)
