"""Abstract evaluation steps (docs/hardware.md, "Steps"), read off the IR.

One for each constant, named variable, operator, comparison, local assignment, branch test, barrier, return and call; two
for a declaration with initialiser, one for a `__shared__` declaration; array names are free, and so is what the IR makes
up for itself: temporaries, conversions, element sizes.  Accesses add their sectors or wavefronts elsewhere.

The right sides of `&&` and `||` and the arms of `?:` cost only the warps that evaluate them; the weights here leave them
out, and whoever executes them adds theirs.

A constant expression counts as one constant.  `extern __shared__` names what the launch has made, and is free.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import field
from typing import assert_never

from analysis_core.ir.nodes import (
    AddressOf,
    Assign,
    Atomic,
    Barrier,
    Binary,
    Break,
    Builtin,
    Cast,
    Claim,
    Const,
    Continue,
    Declare,
    Expr,
    Fence,
    If,
    Inlined,
    Intrinsic,
    Kernel,
    Load,
    Local,
    Loop,
    PtrAdd,
    Return,
    Select,
    Shuffle,
    Stmt,
    Store,
    Switch,
    Unary,
    UnknownExpr,
    UnknownStmt,
    VarId,
    Vote,
)
from analysis_core.ir.walk import expressions_of, fold, statements_of
from analysis_core.support.derived import derived
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_NAMED = re.compile(r"(?:[^()]*\(\): )?[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\d+\])*")


@dataclass(frozen=True, slots=True)
class Weights:
    """What steps depend on beyond the statement: `temporaries` are variables that the source does not name,
    `declared` where each variable is declared.  `_known`: (least, most) steps of expressions, by identity."""

    temporaries: frozenset[VarId]
    declared: tuple[Span, ...]
    _known: dict[int, tuple[Expr, int, int]] = field(default_factory=dict)

    def of(self, expr: Expr) -> int:
        """Steps of evaluating `expr`, without the parts that not every lane evaluates."""
        return self._both(expr)[1]

    def most_of(self, expr: Expr) -> int:
        """Steps of evaluating all of `expr`, both arms of every `?:` included."""
        return self._both(expr)[2]

    def _both(self, expr: Expr) -> tuple[Expr, int, int]:
        found = self._known.get(id(expr))
        if found is None:
            found = self._known[id(expr)] = (expr, *fold(expr, self._least_and_most))
        return found

    def _least_and_most(self, expr: Expr, parts: Sequence[tuple[int, int]]) -> tuple[int, int]:
        match expr:
            case Local(var=var):
                return (0, 0) if var in self.temporaries else (1, 1)
            case Const() | Builtin() | UnknownExpr():
                return 1, 1
            case Cast():
                return parts[0]
            case Binary(op="&&" | "||"):
                return 1 + parts[0][0], 1 + parts[0][1] + parts[1][1]
            case Binary() | PtrAdd():  # the size of an element is free
                return 1 + parts[0][0] + parts[1][0], 1 + parts[0][1] + parts[1][1]
            case AddressOf():
                return 0, 0
            case Unary():
                return 1 + parts[0][0], 1 + parts[0][1]
            case Select():
                return 1 + parts[0][0], 1 + sum(most for _, most in parts)
            case Intrinsic():
                return 1 + sum(least for least, _ in parts), 1 + sum(most for _, most in parts)
            case _:
                assert_never(expr)

    def open_in(self, stmt: Stmt) -> int:
        """Steps that `of_statement` leaves out: parts that not every warp evaluates."""
        return sum(self.most_of(e) - self.of(e) for e in expressions_of(stmt))

    def of_address(self, expr: Expr) -> int:
        """Steps of the indices of an access; the array's name is free."""
        total = 0
        while True:
            match expr:
                case PtrAdd(pointer=pointer, index=index, scale=Const()):
                    # Members are offsets without an index of their own: a constant 0 that nobody wrote.
                    total += 0 if isinstance(index, Const) and index.value == 0 and expr.offset else self.of(index)
                    expr = pointer
                case PtrAdd(pointer=pointer, index=index):
                    total += self.of(index)
                    expr = pointer
                case Cast(operand=operand):
                    expr = operand
                case Local() | AddressOf():
                    return total
                case _:
                    return total + self.of(expr)

    def of_statement(self, stmt: Stmt, inlined: Span | None) -> int:
        """Steps of a statement itself, nested ones left out.  `inlined`: the call whose body this is."""
        match stmt:
            case Assign():
                return self.of(stmt.value) + self._assignment(stmt, inlined)
            case Load():
                return self.of_address(stmt.address)
            case Store():
                return self.of_address(stmt.address) + sum(self.of(value) for value in stmt.values)
            case Atomic():
                return 1 + self.of_address(stmt.address) + sum(self.of(arg) for arg in stmt.args)
            case If():
                return 1 + self.of(stmt.condition)
            case Loop():
                return 1 + (self.of(stmt.condition) if stmt.condition is not None else 0)
            case Switch():
                return 1 + self.of(stmt.selector)
            case Shuffle():
                return 1 + self.of(stmt.value) + self.of(stmt.lane)
            case Vote():
                return 1 + sum(self.of(arg) for arg in stmt.args)
            case Declare() | Return() | Inlined() | Barrier():
                return 1
            case Break() | Continue() | Fence() | UnknownStmt() | Claim():
                return 0
            case _:
                assert_never(stmt)

    def _assignment(self, stmt: Assign, inlined: Span | None) -> int:
        if stmt.var in self.temporaries or stmt.span == inlined:
            return 0
        declared = self.declared[stmt.var]
        return 2 if stmt.span.encloses(declared) else 1


@derived
def weights_of(kernel: Kernel) -> Weights:
    """The weights of one kernel."""
    declared = tuple(variable.span for variable in kernel.variables)
    temporaries = {v.id for v in kernel.variables if not v.parameter and _NAMED.fullmatch(v.name) is None}
    for stmt in statements_of(kernel):
        match stmt:
            case Load(vars=vars):
                temporaries.update(vars)
            case Shuffle(var=var) | Vote(var=var):
                temporaries.add(var)
            case Atomic(var=var) if var is not None:
                temporaries.add(var)
            case Assign(var=var, span=span) if span != declared[var] and declared[var].encloses(span):
                temporaries.add(var)  # The result of a call, assigned inside of its `return`.
            case _:
                pass
    return Weights(frozenset(temporaries), declared)
