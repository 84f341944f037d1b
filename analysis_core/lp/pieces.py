"""Programs that fall apart: where no statement reads what one of an earlier piece wrote, the whole pays what its pieces pay.

Loops in a row are mostly such.  Each piece is looked at on its own, so that twice as many loops take twice as long, and loops
of one shape share what is known of it.  The potential of the whole at its entry is the sum of those of its pieces, which speak
of parameters alone and have each been checked; so it is the one that the whole would have got.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from analysis_core.bounds.program import Affine, Assign, Branch, Choose, CostProgram, Stmt, Tick, While, renamed
from analysis_core.lp.certify import Claim
from analysis_core.lp.closed_form import DoesNotFit, closed_form
from analysis_core.lp.level import Answer
from analysis_core.lp.polynomials import Atom, combine
from analysis_core.lp.simplify import simplified, statements
from analysis_core.lp.study import Alike, Study
from analysis_core.lp.transitions import known_facts
from analysis_core.support.fuel import Fuel
from analysis_core.support.store import Store


class Pieces:
    """The pieces of one program, where all of them have closed forms; `answer` is None where one has none."""

    def __init__(self, program: CostProgram) -> None:
        self._programs = pieces_of(simplified(program))
        self._studies: list[Study] = []
        self._fit = len(self._programs) > 1
        self.atoms: dict[str, Atom] = {}

    def answer(self, metric: str, upper: bool, fuel: Fuel, alike: Alike, store: Store | None) -> Answer | None:
        """The sum of the bounds of one metric.  Raises as `Study` does."""
        if not self._studies and self._fit:
            self._fit = all(_fits(piece, metric, upper) for piece in self._programs)
            if self._fit:
                self._studies = [Study(piece, 1, True, alike, store, fuel) for piece in self._programs]
        if not self._fit:
            return None
        claims: list[Claim] = []
        for study in self._studies:
            claim = study.closed(metric, upper, fuel)
            if claim is None:
                return None
            claims.append(claim)
            self.atoms.update(study.atoms)
        entry = combine((1, claim.potentials[0]) for claim in claims)
        return Answer(Claim(metric, upper, (entry,), ()), "optimal", "closed form")


def _fits(piece: CostProgram, metric: str, upper: bool) -> bool:
    try:
        closed_form(piece, known_facts(piece), metric, upper)
    except DoesNotFit:
        return False
    return True


def pieces_of(program: CostProgram) -> tuple[CostProgram, ...]:
    """Programs that make up this one, one after the other, each with one statement at least that holds loops.  Their variables are
    numbered."""
    parameters = frozenset(p.name for p in program.parameters)
    bodies: list[list[Stmt]] = []
    begun: list[Stmt] = []  # what no loop has followed yet
    for stmt, apart in zip(program.body, _may_begin(program.body, parameters), strict=True):
        if begun or apart or not bodies:
            begun.append(stmt)
            if _has_loop((stmt,)):
                bodies.append(begun)
                begun = []
        else:
            bodies[-1].append(stmt)
    if bodies:
        bodies[-1] += begun
    if len(bodies) <= 1:
        return (program,)
    return tuple(
        CostProgram(program.parameters, renamed(body, _new_names(body, parameters)), program.facts) for body in bodies
    )


def _new_names(body: Iterable[Stmt], parameters: frozenset[str]) -> Mapping[str, str]:
    new: dict[str, str] = {}
    for stmt in statements(body):
        if isinstance(stmt, Assign | Choose):
            new.setdefault(stmt.var, f"#{len(new)}")
    return {var: name for var, name in new.items() if var not in parameters}


def _has_loop(block: Iterable[Stmt]) -> bool:
    return any(isinstance(stmt, While) for stmt in statements(block))


def _may_begin(body: tuple[Stmt, ...], parameters: frozenset[str]) -> list[bool]:
    """Whether no variable matters before each statement: all that is read from there on is written first."""
    read: set[str] = set()
    found: list[bool] = []
    for stmt in reversed(body):
        read = _read_before(stmt, read) - parameters
        found.append(not read)
    return found[::-1]


def _read_before(stmt: Stmt, after: set[str]) -> set[str]:
    """The names that matter before a statement, if these do after it (live variables)."""
    match stmt:
        case Tick():
            return after
        case Assign(var, value):
            return (after - {var}) | _names((value,))
        case Choose(var, low, high):
            return (after - {var}) | _names(end for end in (low, high) if end is not None)
        case Branch(arms):
            return {name for arm in arms for name in _names(arm.guard) | _read_in(arm.body, after)}
        case While(guard, inside):
            at_head = after | _names(guard)
            while True:  # what a round reads, it may read in the next one
                more = at_head | _read_in(inside, at_head)
                if more == at_head:
                    return at_head
                at_head = more


def _read_in(body: Iterable[Stmt], after: set[str]) -> set[str]:
    for stmt in reversed(tuple(body)):
        after = _read_before(stmt, after)
    return after


def _names(items: Iterable[Affine]) -> set[str]:
    return {name for item in items for name, _ in item.terms}
