"""Updates of unsigned variables that wrap around, `k -= 3` where k is 1, and unsigned sums that what they are given to does not hold.

That is well defined in C++, and no fault.  But bounds of loops rest on counters that do not (a listed assumption), so
whoever compares a run with the analysis wants to know.  An update is an assignment of sums, products and left shifts in
which the variable itself occurs; it wraps around if its exact value is not the one that is assigned.  So does a variable that is
given an unsigned sum (`int i = first + threadIdx.x`, `unsigned j = n - 1`).  Exact values are
doubles: what they round is far beyond 2^32, and 64-bit results of updates are compared with a tolerance of 2^62, others
with one of 2^31: what is lost of a sum of 32 bits is more.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from analysis_core.ir.nodes import Assign, Binary, Cast, Expr, Local
from analysis_core.ir.types import ScalarKind, ScalarType
from analysis_core.ir.walk import subexpressions
from analysis_core.simulate.expressions import Compiler
from analysis_core.simulate.faults import Faults
from analysis_core.simulate.lanes import Lanes
from analysis_core.simulate.machine import Machine
from analysis_core.simulate.representation import Vector
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

Exact = Callable[[Machine, Lanes], Vector]
Watch = Callable[[Machine, Lanes, Vector], None]
"""Told of the value that is about to be assigned."""


@dataclass(frozen=True, slots=True)
class _Exact:
    compiler: Compiler
    span: Span

    def of(self, expr: Expr) -> Exact:
        """The mathematical value of a sum or product of values that are what they are."""
        match expr:
            case Cast(operand=operand) if _is_integer(operand) and _is_integer(expr):
                return self.of(operand)
            case Binary(op="+" | "-" | "*", left=left, right=right) if _is_integer(expr):
                return self._combined(expr.op, self.of(left), self.of(right))
            case Binary(op="<<", left=left, right=right):
                a, by = self.of(left), self.of(right)
                return lambda m, lanes: np.ldexp(a(m, lanes), np.clip(by(m, lanes), 0, 64).astype(np.int32))
            case _:
                value = self.compiler.expression(expr, self.span)
                return lambda m, lanes: value(m, lanes).astype(np.float64)

    @staticmethod
    def _combined(op: str, a: Exact, b: Exact) -> Exact:
        apply = {"+": np.add, "-": np.subtract, "*": np.multiply}[op]
        return lambda m, lanes: apply(a(m, lanes), b(m, lanes))


def watch(compiler: Compiler, stmt: Assign) -> Watch | None:
    """A function that notes when the assignment wraps around. None for an assignment that neither updates an unsigned
    variable nor gives an unsigned sum to a variable of 32 bits or more."""
    variable = compiler.kernel.variables[stmt.var]
    type = variable.type
    if not isinstance(type, ScalarType) or type.kind is not ScalarKind.INT or isinstance(stmt.value, Local):
        return None
    given = type.size >= 4 and any(_is_unsigned_sum(node) for node in subexpressions(stmt.value))
    updated = any(isinstance(node, Local) and node.var == stmt.var for node in subexpressions(stmt.value))
    if not given and (type.signed or not updated):
        return None
    exact = _Exact(compiler, stmt.span).of(stmt.value)
    tolerance = 0.5 if type.size < 8 else 2.0**62 if updated else 2.0**31

    def note(m: Machine, lanes: Lanes, value: Vector) -> None:
        if variable.name in m.wrapped:
            return
        # The operands are computed a second time: neither what they cost nor their faults count again.
        steps, faults, operations = m.steps, m.faults, m.operations
        m.steps, m.faults = np.zeros_like(steps), Faults()
        m.operations = {name: np.zeros_like(steps) for name in operations}
        apart = np.abs(exact(m, lanes) - value.astype(np.float64))
        m.steps, m.faults, m.operations = steps, faults, operations
        if np.any(apart > tolerance):
            m.wrapped.add(variable.name)

    return note


def _is_unsigned_sum(expr: Expr) -> bool:
    return isinstance(expr, Binary) and _is_integer(expr) and isinstance(expr.type, ScalarType) and not expr.type.signed


def _is_integer(expr: Expr) -> bool:
    return isinstance(expr.type, ScalarType) and expr.type.kind in (ScalarKind.INT, ScalarKind.BOOL)
