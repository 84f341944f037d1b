"""Places that comparisons move lanes to, from where each begins: merges, and searches along the diagonals of a merge.

    int at = 4 * lane, other = 0;
    while (..) if (key[at] < key[other]) at++; else other++;          what is loaded is compared, and never added

Memory decides how far a lane has come, and no number from memory is part of where it is: lanes that begin next to each other, and go on
step by step, are still near each other.  Nobody can say how near; that each of them is somewhere else is the least likely of all.
Lanes that begin at one place and are led apart by what they look for are another matter: a key may lie anywhere.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from analysis_core.ir.effects import assigned_by
from analysis_core.ir.nodes import (
    AccessId,
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
    Store,
    Unary,
    VarId,
)
from analysis_core.ir.walk import statements_of, subexpressions, uncast

_MOST_PASSES = 12
_NEAR = 16
"""Elements between lanes that begin next to each other, at most."""


@dataclass(frozen=True, slots=True)
class _Made:
    """What values are made of by arithmetic that keeps neighbours near each other.  `lanes`: numbers of lanes; `halved`: the middles of
    two values that nothing of a lane goes into."""

    lanes: bool = False
    halved: bool = False


def steered(kernel: Kernel, even: Collection[AccessId]) -> frozenset[AccessId]:
    """The accesses whose addresses are made of the lane's number, of sizes and of steps, and of nothing from memory but what all lanes
    read at one place (`even`)."""
    sources: dict[VarId, list[Stmt]] = {}
    accesses: list[Load | Store | Atomic] = []
    for stmt in statements_of(kernel):
        for var in assigned_by(stmt):
            sources.setdefault(var, []).append(stmt)
        if isinstance(stmt, (Load, Store, Atomic)):
            accesses.append(stmt)
    flow = _Flow(sources, even)
    if not (flow.settle() and flow.settle(middles=True)):
        return frozenset()
    made = ((stmt.access.id, flow.of_address(stmt.address)) for stmt in accesses)
    return frozenset(id for id, one in made if one is not None and one.lanes and not one.halved)


@dataclass(slots=True)
class _Flow:
    """`known`: what variables are made of, None for those that hold anything else."""

    sources: Mapping[VarId, Sequence[Stmt]]
    even: Collection[AccessId]
    known: dict[VarId, _Made | None] = field(default_factory=dict)
    middles: bool = False

    def settle(self, middles: bool = False) -> bool:
        """Goes over all variables until nothing changes; whether it came to that."""
        self.middles = middles
        for _ in range(_MOST_PASSES):
            changed = False
            for var, stmts in self.sources.items():
                found = _sum([self._of_source(stmt) for stmt in stmts])
                changed = changed or found != self.known.get(var, _Made())
                self.known[var] = found
            if not changed:
                return True
        return False

    def of_address(self, address: Expr) -> _Made | None:
        """Of an address."""
        address = uncast(address)
        if not isinstance(address, PtrAdd):
            return self.of(address)
        return _sum((self.of_address(address.pointer), self.of(address.index)))

    def of(self, expr: Expr) -> _Made | None:
        """Of a value."""
        match expr:
            case Const() | AddressOf():
                return _Made()
            case Builtin(kind=kind):
                return _Made(lanes=kind is BuiltinKind.THREAD_IDX)
            case Cast(operand=operand) | Unary(op="-", operand=operand):
                return self.of(operand)
            case Local(var=var):
                return self.known.get(var, _Made())
            case PtrAdd():
                return self.of_address(expr)
            case Binary(op="+" | "-", left=left, right=right):
                return _sum((self.of(left), self.of(right)))
            case Binary():
                return self._scaled(expr)
            case Select(then=then, otherwise=otherwise):
                return _sum((self.of(then), self.of(otherwise)))
            case Intrinsic(name="min" | "max", args=args):
                return _sum([self.of(arg) for arg in args])
            case _:
                return None

    def _scaled(self, expr: Binary) -> _Made | None:
        """Of products and quotients: what all lanes share may be any; by small constants, neighbours stay near each other."""
        made = _sum((self.of(expr.left), self.of(expr.right)))
        if made is None or not (made.lanes or made.halved or self._steps(expr)):
            return made
        sides = (uncast(expr.left), uncast(expr.right))
        by = sides[0] if expr.op == "*" and isinstance(sides[0], Const) else sides[1]
        factor = by.value if isinstance(by, Const) and isinstance(by.value, int) else None
        if factor is None or factor < 0:
            return None
        match expr.op:
            case "*":
                return made if factor <= _NEAR else None
            case "<<":
                return made if factor < _NEAR.bit_length() else None
            case "/" | ">>":
                half = factor == (2 if expr.op == "/" else 1)
                return _Made(made.lanes, made.halved or (self.middles and half and not made.lanes))
            case "%" | "&":
                return made
            case _:
                return None

    def _steps(self, expr: Binary) -> bool:
        """Whether something in it is assigned again: a counter of the lane's own."""
        return any(isinstance(n, Local) and len(self.sources.get(n.var, ())) > 1 for n in subexpressions(expr))

    def _of_source(self, stmt: Stmt) -> _Made | None:
        if isinstance(stmt, Load):
            return _Made() if stmt.access.id in self.even else None
        return self.of(stmt.value) if isinstance(stmt, (Assign, Shuffle)) else None


def _sum(parts: Sequence[_Made | None]) -> _Made | None:
    if None in parts:
        return None
    known = [part for part in parts if part is not None]
    return _Made(any(part.lanes for part in known), any(part.halved for part in known))
