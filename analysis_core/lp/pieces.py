"""Programs that fall apart: where no statement reads what one of an earlier piece wrote, the whole pays what its pieces pay.

Loops in a row are mostly such.  Each piece is looked at on its own, so that twice as many loops take twice as long, and loops
of one shape share what is known of it.  Potentials at the entry speak of parameters alone, so that of the whole is their sum.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from analysis_core.bounds.program import Affine, Assign, Branch, Choose, CostProgram, Stmt, Tick, While, renamed
from analysis_core.lp.simplify import statements


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
