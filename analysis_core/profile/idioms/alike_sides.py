"""What both sides of a branch do alike: loads and stores of the same places, and values that are made in the same way of other operands.

    if (i % 2 == 0) { re[i] = a[i]; im[i] = b[i]; }          if (tx == 15) { w = tile[ty][tx - 1] - c; e = edge[ty] - c; }
    else            { re[i] = -a[i]; im[i] = -b[i]; }        else           { w = tile[ty][tx - 1] - c; e = tile[ty][tx + 1] - c; }

Whoever writes such sides means one piece of code with a number in it that is picked (a sign, an edge), and compilers that put together what
both sides begin or end with make it that.  So what is alike is nothing that a split costs.  Places are compared by what their addresses are
made of before the branch; of values that are stored, or assigned to one variable on both sides, the sign and the operands do not matter.
Nothing in loops, calls and inner branches is, but the tests that a chain ends in: `else if (b) .. else ..` has as many sides as arms.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import field
from operator import attrgetter

from analysis_core.ir.effects import assigned_in
from analysis_core.ir.nodes import (
    Assign,
    Atomic,
    Binary,
    Block,
    Cast,
    Const,
    Expr,
    If,
    IfKind,
    Kernel,
    Load,
    Local,
    Stmt,
    Store,
    Unary,
    UnknownExpr,
    VarId,
)
from analysis_core.ir.walk import fold, own_part, statements_of
from analysis_core.support.derived import derived
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_MOST_ARMS, _MOST_STATEMENTS = 16, 256
"""Arms of a chain, and statements of one of them, that are looked at."""

Arm = tuple[Span, Span, int]
"""A side of a branch: the condition, the whole statement, and which side (0 or 1)."""


@dataclass(frozen=True, slots=True)
class Alike:
    """The sides of a branch that have a statement in common with the other side. `places`: those where only the place
    that is stored to is the same, and not the value."""

    sides: tuple[Arm, ...] = ()
    places: tuple[Arm, ...] = ()


@derived
def alike_sides(kernel: Kernel) -> Mapping[int, Alike]:
    """For each statement that both sides of a branch have in common, on which sides it stands; by identity of the
    statements."""
    found: dict[int, Alike] = {}
    for stmt in statements_of(kernel):
        if isinstance(stmt, If) and stmt.kind is IfKind.IF and stmt.then and stmt.otherwise:
            for number, side, whole in _of_branch(stmt):
                old, arm = found.get(number, Alike()), (stmt.span, stmt.whole, side)
                found[number] = Alike((*old.sides, arm), old.places) if whole else Alike(old.sides, (*old.places, arm))
    return found


def _of_branch(branch: If) -> Iterator[tuple[int, int, bool]]:
    """The statements that the two arms have in common which have most, by identity, with their side, and whether that is all of them."""
    numbers: dict[Hashable, int] = {}
    first, second = ([_Read.of(arm, numbers) for arm in _arms(side)] for side in (branch.then, branch.otherwise))
    pairs = (_common(one.done, other.done) for one in first for other in second)
    for one, other, whole in max(pairs, key=len, default=()):
        yield id(one), 0, whole
        yield id(other), 1, whole


def _arms(block: Block) -> list[Block]:
    """The statements of a side, from its beginning to the end of each arm of the chain that it ends in."""
    found: list[Block] = []
    pending: list[tuple[Block, Block]] = [((), block)]
    while pending:
        before, rest = pending.pop()
        last = rest[-1] if rest else None
        if isinstance(last, If) and last.kind is IfKind.IF and len(pending) + len(found) < _MOST_ARMS:
            pending += [((*before, *rest[:-1]), arm) for arm in (last.otherwise, last.then)]
        else:
            found.append((*before, *rest))
    return [arm[:_MOST_STATEMENTS] for arm in found]


@dataclass(frozen=True, slots=True)
class _Done:
    """A statement, what it is in all, and what it is but for operands or a value that is stored; `shape`: of that value."""

    stmt: Stmt
    exact: Hashable
    loose: Hashable
    shape: Hashable = None


def _common(one: Sequence[_Done], other: Sequence[_Done]) -> list[tuple[Stmt, Stmt, bool]]:
    """What both do, and whether in all: each statement is one of the other side's at most."""
    found: list[tuple[Stmt, Stmt, bool]] = []
    for asked in (attrgetter("exact", "shape"), attrgetter("loose", "shape"), attrgetter("loose")):
        left: dict[Hashable, list[_Done]] = {}
        for done in other:
            left.setdefault(asked(done), []).append(done)
        pairs = [(done, left[asked(done)].pop(0)) for done in one if left.get(asked(done))]
        found += [(a.stmt, b.stmt, a.shape == b.shape) for a, b in pairs]
        taken = {id(done) for pair in pairs for done in pair}
        one, other = ([done for done in side if id(done) not in taken] for side in (one, other))
    return found


@dataclass(frozen=True, slots=True)
class _Read:
    """The statements of an arm with what they do, in terms of what holds before the branch.  `values`: of variables; `numbers`: of what is
    equal on both sides."""

    numbers: dict[Hashable, int]
    done: list[_Done] = field(default_factory=list)
    values: dict[VarId, Hashable] = field(default_factory=dict)

    @staticmethod
    def of(arm: Block, numbers: dict[Hashable, int]) -> _Read:
        """All of an arm."""
        read = _Read(numbers)
        for stmt in arm:
            read._take(stmt)
        return read

    def _take(self, stmt: Stmt) -> None:
        match stmt:
            case Load(vars=variables, address=address, access=access):
                key = ("load", access.width, self._number(address))
                self.done.append(_Done(stmt, key, key))
                self.values.update((var, (key, number)) for number, var in enumerate(variables))
            case Store(address=address, values=values, access=access):
                key = ("store", access.width, self._number(address))
                self.done.append(_Done(stmt, key, key, tuple(map(self._shape, values))))
            case Atomic(var=var, op=op, address=address, access=access):
                key = (op, access.width, self._number(address))
                self.done.append(_Done(stmt, key, key))
                if var is not None:
                    self.values[var] = key
            case Assign(var=var, value=value):
                made = self._number(value)
                self.done.append(_Done(stmt, ("value", made), ("assign", var, self._shape(value))))
                self.values[var] = made
            case _:
                self.values.update((var, (id(stmt), var)) for var in assigned_in((stmt,)))

    def _number(self, expr: Expr) -> Hashable:
        """Equal numbers: equal values."""

        def number(node: Expr, parts: Sequence[Hashable]) -> Hashable:
            if isinstance(node, Local) and node.var in self.values:
                return self.values[node.var]
            if isinstance(node, UnknownExpr):
                return ("unknown", id(node))
            return self.numbers.setdefault((type(node), own_part(node), *parts), len(self.numbers))

        return fold(expr, number)

    def _shape(self, expr: Expr) -> Hashable:
        """Equal shapes: the same operators, whatever the operands and signs."""

        def shape(node: Expr, parts: Sequence[Hashable]) -> Hashable:
            match node:
                case Local() | Const():
                    return "operand"
                case Unary(op="-") | Cast():
                    return parts[0]
                case Binary(op="+" | "-"):
                    own: Hashable = "sum"
                case _:
                    own = (type(node), own_part(node))
            return self.numbers.setdefault(("shape", own, *parts), len(self.numbers))

        return fold(expr, shape)
