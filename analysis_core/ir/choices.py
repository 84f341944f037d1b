"""Sides of tests of which a warp takes one, and always the same: of such a test no run pays for both.

    if (mode == 1) fine(..); else coarse(..);        one launch comes to one of them
    if (i < n) first(..); else second(..);           of thousands of warps, the one at n comes to both

Sizes, constants and the number of the block decide them, as parameters are passed; or where the number of a thread in the grid stands
against such.  What changes from round to round does not: over all rounds a warp may come to both sides.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import field

from analysis_core.ir.early_exits import ends_in
from analysis_core.ir.effects import assigned_by, assigned_once
from analysis_core.ir.nodes import (
    AccessId,
    Atomic,
    Binary,
    Block,
    Break,
    Builtin,
    BuiltinKind,
    Expr,
    If,
    IfKind,
    Kernel,
    Load,
    Local,
    Return,
    Stmt,
    Store,
    Switch,
    UnknownExpr,
    VarId,
)
from analysis_core.ir.walk import blocks_of, statements_of, subexpressions, uncast
from analysis_core.support.derived import derived
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

Sides = tuple[tuple[int, int], ...]
"""From the outside in: the number of a test, the same for tests of one condition, and the side of it."""

_ORDERS = ("<", ">", "<=", ">=")
_LONGEST_CHAIN = 16
"""Variables that are looked through to see where a value comes from."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Tests of which one run takes one side, always the same. `sides`: for each access on sides of such tests, which
    sides these are; `tests`: the conditions of the `if`s among them; `branches`: for the statement of an `if`, the
    sides that it stands on."""

    sides: Mapping[AccessId, Sides]
    tests: frozenset[Span]
    branches: Mapping[Span, Sides]


@derived
def choices(kernel: Kernel) -> Choices:
    """The tests of a kernel of which one run takes one side."""
    if not any(_has_sides(stmt) for stmt in statements_of(kernel)):
        return Choices({}, frozenset(), {})
    assigned = Counter(var for stmt in statements_of(kernel) for var in assigned_by(stmt))
    given = frozenset(var for var in kernel.parameters if not assigned[var])
    search = _Search(assigned_once(kernel), given)
    search.run(kernel.body)
    return Choices(search.sides, frozenset(search.tests), search.branches)


def _has_sides(stmt: Stmt) -> bool:
    return isinstance(stmt, Switch) or (isinstance(stmt, If) and (bool(stmt.otherwise) or ends_in(stmt.then, Return)))


@dataclass(slots=True)
class _Search:
    """`known`: what variables are that are assigned once; `given`: parameters that nothing assigns."""

    known: Mapping[VarId, Expr]
    given: frozenset[VarId]
    numbers: dict[Expr, int] = field(default_factory=dict)
    sides: dict[AccessId, Sides] = field(default_factory=dict)
    tests: set[Span] = field(default_factory=set)
    branches: dict[Span, Sides] = field(default_factory=dict)

    def run(self, body: Block) -> None:
        """All statements."""
        pending: list[tuple[Block, Sides]] = [(body, ())]
        while pending:
            block, path = pending.pop()
            for stmt in block:
                if isinstance(stmt, (Load, Store, Atomic)):
                    if path:
                        self.sides[stmt.access.id] = path
                    continue
                if path and isinstance(stmt, If):
                    self.branches[stmt.whole] = path if stmt.whole not in self.branches else ()
                inner = blocks_of(stmt)
                number = self._number(stmt)
                if number is None:
                    pending.extend((each, path) for each in inner)
                    continue
                pending.extend((each, _with(path, number, side)) for side, each in enumerate(inner))
                if isinstance(stmt, If) and not stmt.otherwise:
                    path = _with(path, number, 1)  # what comes after a return

    def _number(self, stmt: Stmt) -> int | None:
        """Of a test whose sides exclude each other."""
        if not _has_sides(stmt) or not isinstance(stmt, (If, Switch)):
            return None
        if isinstance(stmt, Switch):
            if not all(ends_in(arm.body, Break, Return) for arm in stmt.arms[:-1]):
                return None
            asked = stmt.selector
        elif stmt.kind not in (IfKind.IF, IfKind.SELECT):
            return None
        else:
            asked = stmt.condition
        if not self._is_chosen(asked):
            return None
        if isinstance(stmt, If):
            self.tests.add(stmt.span)
        return self.numbers.setdefault(asked, len(self.numbers))

    def _is_chosen(self, asked: Expr) -> bool:
        if self._is_given(asked, lanes=False):
            return True
        order = uncast(asked)
        if not isinstance(order, Binary) or order.op not in _ORDERS:
            return False
        left, right = order.left, order.right
        return any(
            self._is_given(size, lanes=False) and self._is_number_in_grid(one)
            for one, size in ((left, right), (right, left))
        )

    def _is_number_in_grid(self, value: Expr) -> bool:
        """Whether it is the number of a thread among those of all blocks, of one axis."""
        nodes = self._nodes(value)
        if nodes is None or not self._is_given(value, lanes=True):
            return False
        sums = all(node.op in ("+", "-", "*") for node in nodes if isinstance(node, Binary))
        places = {(n.kind, n.axis) for n in nodes if isinstance(n, Builtin)}
        lanes = {axis for kind, axis in places if kind is BuiltinKind.THREAD_IDX}
        return sums and len(lanes) == 1 and all((BuiltinKind.BLOCK_IDX, axis) in places for axis in lanes)

    def _is_given(self, value: Expr, lanes: bool) -> bool:
        """Whether a warp finds the same in it all the time; `lanes`: but for the numbers of its lanes."""
        nodes = self._nodes(value)
        if nodes is None:
            return False
        return lanes or not any(isinstance(n, Builtin) and n.kind is BuiltinKind.THREAD_IDX for n in nodes)

    def _nodes(self, value: Expr) -> list[Expr] | None:
        """What a value is made of, through variables that are assigned once; None where that is more than sizes."""
        pending, found = [value], list[Expr]()
        for _ in range(_LONGEST_CHAIN):
            if not pending:
                return found
            for node in subexpressions(pending.pop()):
                found.append(node)
                if isinstance(node, UnknownExpr):
                    return None
                if isinstance(node, Local) and node.var not in self.given:
                    if node.var not in self.known:
                        return None
                    pending.append(self.known[node.var])
        return None


def _with(path: Sides, number: int, side: int) -> Sides:
    """Further in; a condition that was asked before is not asked again."""
    return path if any(asked == number for asked, _ in path) else (*path, (number, side))
