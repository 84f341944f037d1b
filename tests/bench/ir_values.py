"""The value of an IR expression under invented values of its leaves: enough to compare two address formulas.

A variable that is assigned exactly once, by a pure `Assign`, is its definition.  Every other variable (a
parameter, a loop counter, a loaded value) is a *leaf*: it has one value for the whole expression.  Two formulas
over the same leaves that agree under several random valuations are, for our purposes, the same.

Integers follow C: every result is reduced to its type.  What has no value here (an unknown expression, a
floating-point function) raises `NoValue` with the reason.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from analysis_core.ir.nodes import (
    AddressOf,
    Assign,
    Atomic,
    Binary,
    Builtin,
    BuiltinKind,
    Cast,
    Const,
    Expr,
    Intrinsic,
    Kernel,
    Load,
    Local,
    PtrAdd,
    Select,
    Shuffle,
    Stmt,
    Unary,
    UnknownExpr,
    UnknownStmt,
    VarId,
    Vote,
)
from analysis_core.ir.types import PointerType, ScalarKind, ScalarType, Space, Type
from analysis_core.ir.walk import fold, statements, subexpressions

OBJECT_BASE = 1 << 40  # objects and pointers lie far apart, so that a wrong base shows
Number = int | float


class NoValue(Exception):
    """The expression holds something whose value is not known from its leaves."""


def assigned(stmt: Stmt) -> tuple[VarId, ...]:
    """The variables that a statement itself may set."""
    match stmt:
        case Assign() | Shuffle() | Vote():
            return (stmt.var,)
        case Load():
            return stmt.vars
        case Atomic():
            return () if stmt.var is None else (stmt.var,)
        case UnknownStmt():
            return stmt.changes
        case _:
            return ()


def definitions(kernel: Kernel) -> dict[VarId, list[Stmt]]:
    """All statements that set each variable."""
    found: dict[VarId, list[Stmt]] = {}
    for stmt in statements(kernel.body):
        for var in assigned(stmt):
            found.setdefault(var, []).append(stmt)
    return found


def pure_definitions(kernel: Kernel, found: Mapping[VarId, Sequence[Stmt]]) -> dict[VarId, Expr]:
    """The variables with one definition, a pure `Assign`."""
    parameters = set(kernel.parameters)
    single: dict[VarId, Expr] = {}
    for var, stmts in found.items():
        if len(stmts) == 1 and isinstance(stmts[0], Assign) and var not in parameters:
            single[var] = stmts[0].value
    return single


def reached(expr: Expr, single: Mapping[VarId, Expr]) -> set[VarId]:
    """Every variable that the value depends on, through pure definitions, those expanded on the way included."""
    seen: set[VarId] = set()
    pending = [expr]
    while pending:
        for node in subexpressions(pending.pop()):
            if isinstance(node, Local) and node.var not in seen:
                seen.add(node.var)
                if node.var in single:
                    pending.append(single[node.var])
    return seen


def wrap(value: Number, type: Type) -> Number:
    """`value` converted to `type`: integers modulo 2^w, floats cut towards zero."""
    match type:
        case ScalarType(kind=ScalarKind.INT, size=size, signed=signed) if size > 0:
            number = int(value) % (1 << 8 * size)
            return number - (1 << 8 * size) if signed and number >> (8 * size - 1) else number
        case ScalarType(kind=ScalarKind.BOOL):
            return int(value != 0)
        case PointerType():
            return int(value) % (1 << 64)
        case _:
            return value


def truncated(left: Number, right: Number) -> int:
    """C's integer quotient."""
    if right == 0:
        raise NoValue("division by zero")
    return int(abs(left) // abs(right)) * (1 if (left < 0) == (right < 0) else -1)


def binary(op: str, left: Number, right: Number) -> Number:
    """One operator of C; the caller cuts integers to their type."""
    integer = isinstance(left, int) and isinstance(right, int)
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/" if integer:
            return truncated(left, right)
        case "/":
            return left / (right or 1.0)
        case "%":
            return left - right * truncated(left, right)
        case "<<":
            return int(left) << (int(right) & 63)
        case ">>":
            return int(left) >> (int(right) & 63)
        case "&":
            return int(left) & int(right)
        case "|":
            return int(left) | int(right)
        case "^":
            return int(left) ^ int(right)
        case "<" | "<=" | ">" | ">=" | "==" | "!=":
            order = (left > right) - (left < right)
            holds = {"<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0, "==": order == 0}
            return int(holds.get(op, order != 0))
        case "&&":
            return int(bool(left) and bool(right))
        case "||":
            return int(bool(left) or bool(right))
        case _:
            raise NoValue(f"operator {op}")


@dataclass
class Valuation:
    """Values of leaves, invented on first use and kept; `shape` gives blockDim and gridDim."""

    kernel: Kernel
    single: Mapping[VarId, Expr]
    chance: random.Random
    leaves: dict[object, int] = field(default_factory=dict)
    open: set[VarId] = field(default_factory=set)  # being expanded: `x = x + 1` alone makes x a leaf of itself

    def leaf(self, key: object, low: int, high: int) -> int:
        if key not in self.leaves:
            self.leaves[key] = self.chance.randint(low, high)
        return self.leaves[key]

    def builtin(self, kind: BuiltinKind, axis: int) -> int:
        """Thread and block numbers lie inside of their extents."""
        match kind:
            case BuiltinKind.BLOCK_DIM:
                return self.leaf((kind, axis), 2, 16)
            case BuiltinKind.GRID_DIM:
                return self.leaf((kind, axis), 2, 16)
            case BuiltinKind.THREAD_IDX:
                return self.leaf((kind, axis), 0, self.builtin(BuiltinKind.BLOCK_DIM, axis) - 1)
            case BuiltinKind.BLOCK_IDX:
                return self.leaf((kind, axis), 0, self.builtin(BuiltinKind.GRID_DIM, axis) - 1)
            case _:
                assert_never(kind)

    def variable(self, var: VarId) -> Number:
        """The value of a variable: of its definition where it has just one, else a leaf's."""
        if var in self.single and var not in self.open:
            if ("defined", var) not in self.leaves:
                self.open.add(var)
                try:
                    self.leaves[("defined", var)] = int(self.value(self.single[var]))
                finally:
                    self.open.discard(var)
            return self.leaves[("defined", var)]
        match self.kernel.variables[var].type:
            case PointerType():
                return self.leaf(("pointer", var), 1, 1 << 20) * 4096 + OBJECT_BASE
            case ScalarType(size=1):
                return wrap(self.leaf(("variable", var), 0, 100), self.kernel.variables[var].type)
            case _:
                return self.leaf(("variable", var), 1, 200)

    def value(self, expr: Expr) -> Number:
        return fold(expr, self._combine)

    def _combine(self, node: Expr, args: Sequence[Number]) -> Number:
        match node:
            case Const():
                return node.value
            case Local():
                return self.variable(node.var)
            case Builtin():
                return self.builtin(node.kind, node.axis)
            case AddressOf():
                return OBJECT_BASE * (2 + node.object)
            case Unary(op=op):
                return wrap({"-": -args[0], "!": int(not args[0])}.get(op, ~int(args[0])), node.type)
            case Binary(type=ScalarType(kind=ScalarKind.FLOAT)):
                return binary(node.op, float(args[0]), float(args[1]))
            case Binary():
                return wrap(binary(node.op, args[0], args[1]), node.type)
            case Cast():
                return wrap(args[0], node.type)
            case Select():
                return args[1] if args[0] else args[2]
            case Intrinsic(name="min" | "max" as name):
                return min(args) if name == "min" else max(args)
            case Intrinsic(name="mul24"):
                return wrap(args[0] * args[1], node.type)
            case Intrinsic(name="abs"):
                return abs(args[0])
            case Intrinsic():
                raise NoValue(f"function {node.name}")
            case PtrAdd():
                return wrap(args[0] + args[1] * args[2] + node.offset, node.type)
            case UnknownExpr():
                raise NoValue(node.cause.reason)
            case _:
                assert_never(node)


def spaces(kernel: Kernel, address: Expr) -> frozenset[Space]:
    """The memory spaces of everything that an address may be based on.

    Parameters of the kernel and pointers that were loaded from memory point to global memory, as the design assumes."""
    found = definitions(kernel)
    seen: set[VarId] = set()
    result: set[Space] = set()
    pending = [address]
    while pending:
        for base in bases(pending.pop(), {}):
            match base:
                case AddressOf():
                    result.add(kernel.objects[base.object].space)
                case Local() if base.var in found and base.var not in seen:
                    seen.add(base.var)
                    own = [stmt.value for stmt in found[base.var] if isinstance(stmt, Assign)]
                    pending.extend(own)
                    if len(own) < len(found[base.var]) or base.var in kernel.parameters:
                        result.add(Space.GLOBAL)
                case Local() if base.var not in seen:
                    result.add(Space.GLOBAL if base.var in kernel.parameters else Space.UNKNOWN)
                case UnknownExpr():
                    result.add(Space.UNKNOWN)
                case _:
                    pass
    return frozenset(result)


def bases(address: Expr, single: Mapping[VarId, Expr]) -> Iterator[Expr]:
    """What pointer arithmetic starts from, variables with one pure definition replaced by what that starts from."""
    pending = [address]
    seen: set[VarId] = set()
    while pending:
        node = pending.pop()
        match node:
            case PtrAdd():
                pending.append(node.pointer)
            case Cast():
                pending.append(node.operand)
            case Select():
                pending.extend((node.then, node.otherwise))
            case Local() if node.var in single and node.var not in seen:
                seen.add(node.var)
                pending.append(single[node.var])
            case _:
                yield node
