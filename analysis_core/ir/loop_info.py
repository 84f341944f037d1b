"""What the text of each loop says, made once per kernel: where it stands, what its rounds change, how it counts, what ends it.

    for (i = 0; i < n; i += 2) ..        counts `i` from `0` by `+ 2`, and goes on while `i < n`

Only the text is read, so that nothing here is a bound: a counter may be left early, and a start may be what another call gave.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from analysis_core.ir.comparisons import either_way
from analysis_core.ir.effects import assigned_by, assigned_in, variables_in
from analysis_core.ir.nodes import (
    Assign,
    Barrier,
    Binary,
    Block,
    Break,
    Const,
    Expr,
    If,
    Inlined,
    Kernel,
    Local,
    Loop,
    Return,
    Stmt,
    Switch,
    VarId,
)
from analysis_core.ir.walk import blocks_of, statements, uncast
from analysis_core.support.derived import derived
from analysis_core.text.records import dataclass

ORDERS = ("<", ">", "<=", ">=")


@dataclass(frozen=True, slots=True)
class Step:
    """What a statement adds to a variable (`op` is "+") or subtracts from it ("-")."""

    op: str
    by: Expr

    @property
    def number(self) -> int | None:
        """The amount as a signed number; None if it is not a constant."""
        by = uncast(self.by)
        if not isinstance(by, Const) or not isinstance(by.value, int):
            return None
        return by.value if self.op == "+" else -by.value


@dataclass(frozen=True, slots=True)
class Counter:
    """A loop that goes on while `var relation end` holds, and adds `step` to `var` once in each round.  `start`: the value of `var` before
    the loop; None where several statements may give it."""

    var: VarId
    start: Expr | None
    relation: str
    end: Expr
    step: Step


@dataclass(frozen=True, slots=True)
class Exit:
    """A `break` or `return` that leaves the loop, and the conditions of the `if`s of the loop that it stands in, outermost first."""

    stmt: Break | Return
    under: tuple[Expr, ...]


_Place = tuple[Block, int]
"""A list of statements, and which of them is meant."""


@dataclass(frozen=True)  # no slots: answers are kept
class LoopInfo:
    """What the text says about one loop. `places`: the loop in its list of statements, then the statement around it in
    its list, and so on. `around`: the loop that it is in."""

    loop: Loop
    places: tuple[_Place, ...] = ()
    around: LoopInfo | None = None

    @derived
    def inside(self) -> Sequence[Stmt]:
        """All statements of its test, body and step, those of loops inside included."""
        return statements((*self.loop.test, *self.loop.body, *self.loop.step))

    @derived
    def placed(self) -> Sequence[tuple[Stmt, Block]]:
        """The statements of one round, those of loops inside left out, each with the list that it stands in."""
        found: list[tuple[Stmt, Block]] = []
        pending: list[Block] = [self.loop.step, self.loop.body, self.loop.test]
        while pending:
            block = pending.pop()
            for stmt in block:
                found.append((stmt, block))
                if not isinstance(stmt, Loop):
                    pending.extend(blocks_of(stmt))
        return found

    @derived
    def tests(self) -> Sequence[tuple[If, Block]]:
        """The `if`s of one round, each with the list of statements that it stands in."""
        return [(stmt, block) for stmt, block in self.placed if isinstance(stmt, If)]

    @derived
    def changes(self) -> Mapping[VarId, Sequence[Stmt]]:
        """By variable, the statements in the loop that assign it, in order."""
        found: dict[VarId, list[Stmt]] = {}
        for stmt in self.inside:
            for var in assigned_by(stmt):
                found.setdefault(var, []).append(stmt)
        return found

    @derived
    def steps(self) -> Mapping[VarId, Step]:
        """The variables to which every round adds something, and that nothing else in the loop changes."""
        every = (
            s for s in (*self.loop.body, *self.loop.step) if isinstance(s, Assign) and len(self.changes[s.var]) == 1
        )
        steps = ((stmt.var, step_of(stmt)) for stmt in every)
        return {var: step for var, step in steps if step is not None}

    @derived
    def counter(self) -> Counter | None:
        """The counter that ends the loop; None of a `do` loop and of one that asks for anything else."""
        order = None if self.loop.condition is None else uncast(self.loop.condition)
        if not isinstance(order, Binary) or self.loop.kind.value == "do":
            return None
        for side, end, relation in either_way(order.op, uncast(order.left), uncast(order.right)):
            if isinstance(side, Local) and side.var in self.steps and relation in (*ORDERS, "!="):
                return Counter(side.var, self.before(side.var), relation, end, self.steps[side.var])
        return None

    @derived
    def exits(self) -> Sequence[Exit]:
        """The jumps that leave the loop."""
        return tuple(_exits(self.loop))

    @property
    def ends_by_test(self) -> bool:
        """Whether the loop, and each loop in it, ends by nothing but its test."""
        return not any(isinstance(stmt, (Break, Return)) for stmt in self.inside)

    @derived
    def meets(self) -> bool:
        """Whether each round has a barrier of more than one warp."""
        return any(isinstance(s, Barrier) and s.scope.is_whole for s in self.inside)

    def before(self, var: VarId) -> Expr | None:
        """The last value that a variable is given before the loop; None where several statements may give it."""
        for block, place in self.places:
            around = block[place]
            if around is not self.loop and isinstance(around, (Loop, Switch)) and var in assigned_in((around,)):
                return None
            for stmt in reversed(block[:place]):
                if isinstance(stmt, Assign) and stmt.var == var:
                    return stmt.value
                if var in assigned_in((stmt,)):
                    return None
        return None


def step_of(stmt: Stmt) -> Step | None:
    """What an assignment adds to its own variable; None where it does anything else."""
    value = uncast(stmt.value) if isinstance(stmt, Assign) else None
    if not isinstance(stmt, Assign) or not isinstance(value, Binary) or value.op not in ("+", "-"):
        return None
    left = uncast(value.left)
    own = isinstance(left, Local) and left.var == stmt.var and stmt.var not in variables_in(value.right)
    return Step(value.op, value.right) if own else None


@derived
def loops_of(kernel: Kernel) -> Sequence[LoopInfo]:
    """The loops of a kernel, outer ones before those inside of them."""
    found: list[LoopInfo] = []
    pending: list[tuple[Block, tuple[_Place, ...], LoopInfo | None]] = [(kernel.body, (), None)]
    while pending:
        block, outer, around = pending.pop()
        for number, stmt in enumerate(block):
            inner = blocks_of(stmt)
            if not inner:
                continue
            places = ((block, number), *outer)
            if isinstance(stmt, Loop):
                found.append(LoopInfo(stmt, places, around))
            pending.extend((part, places, found[-1] if isinstance(stmt, Loop) else around) for part in inner)
    return tuple(found)


def _exits(loop: Loop) -> Iterator[Exit]:
    jumps: tuple[type[Stmt], ...] = (Break, Return)
    pending: list[tuple[Block, tuple[Expr, ...], tuple[type[Stmt], ...]]] = [
        (part, (), jumps) for part in (loop.step, loop.body, loop.test)
    ]
    while pending:
        block, under, leaving = pending.pop()
        for stmt in block:
            match stmt:
                case Break() | Return() if isinstance(stmt, leaving):
                    yield Exit(stmt, under)
                case Loop() | Switch() if Return in leaving:
                    pending.extend((part, under, (Return,)) for part in blocks_of(stmt))
                case Inlined(body=body) if Break in leaving:
                    pending.append((body, under, (Break,)))
                case If(condition=condition):
                    pending.extend((part, (*under, condition), leaving) for part in blocks_of(stmt))
                case _:
                    pass
