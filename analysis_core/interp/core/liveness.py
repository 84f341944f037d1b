"""Which variables may still be read, so that no work goes into the values of others.

Most variables of a kernel are temporaries of inlined functions and of the IR.  Where threads meet again, and after loops, the
values that they hold on different ways are joined, which takes symbols and time; nobody reads most of them again.

Classical liveness on structured code, in two walks.  Sets of variables are whole numbers, bit v for variable v.

1. *Uses* of a statement, from the inside out: `reads`, what may be read before the statement assigns it; `writes`, what is
   assigned on every way to its end; `returned`, what is assigned on every way to a `return` in it (-1: there is no such
   way).  A loop is entered anywhere and writes nothing for sure.
2. *After*, from the outside in: what may be read after a statement, by identity.  What is live where control jumps to is added
   wherever there is a jump.

A variable that is not live is taken out of the environment, and reading it would give an unknown value: an error here would
cost precision, and no more.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import field

from analysis_core.interp.core.uniformity import assigned_by
from analysis_core.ir.nodes import (
    Block,
    Break,
    Claim,
    Continue,
    Expr,
    If,
    Inlined,
    Kernel,
    Local,
    Loop,
    Return,
    Stmt,
    Switch,
    UnknownStmt,
    VarId,
)
from analysis_core.ir.walk import expressions_of, subexpressions
from analysis_core.support.derived import derived
from analysis_core.text.records import dataclass

Live = int
"""Bit v: variable v may be read."""

EVERY: Live = -1

_NEVER = -1  # assigned on all of no ways


@dataclass(frozen=True, slots=True)
class _Uses:
    """See above.  `jumps`: by which of break, continue and return it may be left."""

    reads: Live
    writes: int
    returned: int = _NEVER
    jumps: frozenset[type[Stmt]] = frozenset()


@dataclass(frozen=True, slots=True)
class _Targets:
    """What is live where jumps lead to."""

    breaks: Live
    continues: Live
    returns: Live


@dataclass(frozen=True, slots=True)
class Liveness:
    """The variables that may be read later, at places of a kernel's body; statements are known by identity and live as
    long as the kernel.

    `after`: what may be read after a structured statement; `round_end`: for a loop, what its step and all that follows
    may read; `head`: for a loop, what may be read from a test on; `outermost`: what may be read before each of the
    kernel's outermost statements, and after the last."""

    outermost: tuple[Live, ...]
    after: dict[int, Live] = field(default_factory=dict)
    round_end: dict[int, Live] = field(default_factory=dict)
    head: dict[int, Live] = field(default_factory=dict)

    @staticmethod
    @derived
    def of(kernel: Kernel) -> Liveness:
        """The variables of a kernel that may be read later. Nothing is read after its end."""
        nowhere = _Targets(0, 0, 0)
        walk = _Walk()
        live = [0]
        for stmt in reversed(kernel.body):
            live.append(walk.live_before(stmt, live[-1], nowhere))
        found = Liveness(tuple(reversed(live)))
        walk.down(found, kernel.body, 0, nowhere)
        return found


def is_live(live: Live, var: VarId) -> bool:
    """Whether the variable may be read."""
    return bool(live >> var & 1)


def _bits(variables: Iterable[VarId]) -> int:
    result = 0
    for var in variables:
        result |= 1 << var
    return result


def _read_in(expressions: Iterable[Expr]) -> Live:
    return _bits(e.var for expr in expressions for e in subexpressions(expr) if isinstance(e, Local))


class _Walk:
    def __init__(self) -> None:
        self._known: dict[int, _Uses] = {}

    # --- from the inside out ----------------------------------------------------------------------------------------

    def block(self, block: Block) -> _Uses:
        reads, writes, returned = 0, 0, _NEVER
        jumps: frozenset[type[Stmt]] = frozenset()
        for stmt in block:
            uses = self.uses(stmt)
            reads |= uses.reads & ~writes
            returned &= writes | uses.returned
            writes |= uses.writes
            jumps |= uses.jumps
        return _Uses(reads, writes, returned, jumps)

    def uses(self, stmt: Stmt) -> _Uses:
        known = self._known.get(id(stmt))
        if known is None:
            known = self._known[id(stmt)] = self._uses(stmt)
        return known

    def _uses(self, stmt: Stmt) -> _Uses:
        reads = _read_in(expressions_of(stmt))
        match stmt:
            case If(then=then, otherwise=otherwise):
                yes, no = self.block(then), self.block(otherwise)
                return _Uses(
                    reads | yes.reads | no.reads,
                    yes.writes & no.writes,
                    yes.returned & no.returned,
                    yes.jumps | no.jumps,
                )
            case Loop(test=test, body=body, step=step):
                parts = [self.block(part) for part in (test, body, step)]
                reads &= ~parts[0].writes  # the condition is asked behind the test
                for part in parts:
                    reads |= part.reads
                returned = parts[0].returned & parts[1].returned & parts[2].returned
                return _Uses(reads, 0, returned, (parts[0].jumps | parts[1].jumps | parts[2].jumps) & {Return})
            case Switch(arms=arms):
                returned = _NEVER
                jumps: frozenset[type[Stmt]] = frozenset()
                for arm in arms:
                    inner = self.block(arm.body)
                    reads |= inner.reads
                    returned &= inner.returned
                    jumps |= inner.jumps - {Break}
                return _Uses(reads, 0, returned, jumps)
            case Inlined(body=body):
                inner = self.block(body)
                return _Uses(reads | inner.reads, inner.writes & inner.returned)
            case Claim(setup=setup):
                inner = self.block(setup)
                return _Uses(inner.reads | reads & ~inner.writes, inner.writes)
            case Return():
                return _Uses(reads, _NEVER, 0, frozenset({Return}))
            case Break() | Continue():
                return _Uses(reads, _NEVER, _NEVER, frozenset({type(stmt)}))
            case UnknownStmt():
                return _Uses(reads, 0, _NEVER, frozenset({Return}) if stmt.leaves else frozenset())
            case _:
                return _Uses(reads, _bits(assigned_by(stmt)))

    # --- from the outside in ----------------------------------------------------------------------------------------

    def before(self, block: Block, after: Live, targets: _Targets) -> Live:
        """What is live before a block."""
        for stmt in reversed(block):
            after = self.live_before(stmt, after, targets)
        return after

    def live_before(self, stmt: Stmt, after: Live, targets: _Targets) -> Live:
        """What is live before a statement."""
        uses = self.uses(stmt)
        live = uses.reads | (after & ~uses.writes)
        if Break in uses.jumps:
            live |= targets.breaks
        if Continue in uses.jumps:
            live |= targets.continues
        if Return in uses.jumps:
            live |= targets.returns
        return live

    def down(self, found: Liveness, block: Block, after: Live, targets: _Targets) -> None:
        """Notes what is live after the structured statements of a block and of those inside."""
        for stmt in reversed(block):
            self._down(found, stmt, after, targets)
            after = self.live_before(stmt, after, targets)

    def _down(self, found: Liveness, stmt: Stmt, after: Live, targets: _Targets) -> None:
        match stmt:
            case If(then=then, otherwise=otherwise):
                _note(found.after, stmt, after)
                self.down(found, then, after, targets)
                self.down(found, otherwise, after, targets)
            case Loop(test=test, body=body, step=step):
                _note(found.after, stmt, after)
                # A test, a body and a step may come next to each other in any order: one set is live at all three ends.
                head = self.uses(stmt).reads | after
                round_end = self.before(step, head, targets)
                _note(found.head, stmt, head)
                _note(found.round_end, stmt, round_end)
                inner = _Targets(after, round_end, targets.returns)
                self.down(found, test, head | _read_in(expressions_of(stmt)), inner)
                self.down(found, body, round_end, inner)
                self.down(found, step, head, inner)
            case Switch(arms=arms):
                _note(found.after, stmt, after)
                inner = _Targets(after, targets.continues, targets.returns)
                for arm in reversed(arms):
                    self.down(found, arm.body, after | self.uses(stmt).reads, inner)
            case Inlined(body=body):
                _note(found.after, stmt, after)
                self.down(found, body, after, _Targets(0, 0, after))
            case Claim(setup=setup):
                self.down(found, setup, after | _read_in(expressions_of(stmt)), targets)
            case _:
                pass


def _note(where: dict[int, Live], stmt: Stmt, live: Live) -> None:
    where[id(stmt)] = where.get(id(stmt), 0) | live
