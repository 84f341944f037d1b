"""Places that comparisons move lanes to, from where each begins: merges, and searches along the diagonals of a merge.

    int at = 4 * lane, other = 0;
    while (..) if (key[at] < key[other]) at++; else other++;          what is loaded is compared, and never added

Memory decides how far a lane has come, and no number from memory is part of where it is: lanes that begin c elements apart, and go on
step by step, are still about that far from each other.  So are the diagonals of a merge, which each lane searches for where it crosses the path: of two
lists that are as dense as each other, it has come as far in one as in the other, half of c.  What that costs is told by `profile/probed`.
Lanes that begin at one place and are led apart by what they look for are another matter (profile/searched.py): a key may lie anywhere.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field
from fractions import Fraction

from analysis_core.ir.effects import sources_of, variables_in
from analysis_core.ir.nodes import (
    AccessId,
    AddressOf,
    Assign,
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
    Loop,
    PtrAdd,
    Select,
    Shuffle,
    Stmt,
    Unary,
    VarId,
)
from analysis_core.ir.walk import statements, statements_of, subexpressions, uncast
from analysis_core.machine.sizes import WARP
from analysis_core.profile.idioms.searches import halves
from analysis_core.support.derived import derived
from analysis_core.text.records import dataclass

_MOST_PASSES = 12
_MOST_VARIABLES = 96
_NEAR = 16
"""Elements between lanes that begin next to each other, at most."""

_NONE = Fraction(0)
_HALF = 2
_WORD = 32


@dataclass(frozen=True, slots=True)
class _Made:
    """What values are made of by arithmetic that keeps neighbours near each other.  `lanes`: by how much they rise from lane to lane; `halved`:
    the middles of two values that nothing of a lane goes into; `middles`: of two that rise."""

    lanes: Fraction = _NONE
    halved: bool = False
    middles: bool = False


def steered(kernel: Kernel, address: Expr, is_even: Callable[[AccessId], bool]) -> Fraction | None:
    """By how many elements neighbouring lanes are apart on average at an address that is made of lanes' numbers, sizes
    and steps, and of values that all lanes load at one place (`is_even`). None for other addresses."""
    sources = _behind(kernel, address, is_even)
    if sources is None or not any(_halves_in_rounds(kernel, stmt) for made in sources.values() for stmt in made):
        return None
    flow = _Flow(sources, _repeated(kernel))
    if not (flow.settle() and flow.settle(middles=True)):
        return None
    made = flow.of_address(address)
    if made is None or made.halved or not 0 < made.lanes <= _NEAR:
        return None
    return made.lanes / 2 if made.middles else made.lanes


def _behind(
    kernel: Kernel, address: Expr, is_even: Callable[[AccessId], bool]
) -> Mapping[VarId, Sequence[Stmt]] | None:
    """What is assigned to the variables that an address is made of; None where it is of a lane's own in memory, or of many."""
    found: dict[VarId, Sequence[Stmt]] = {}
    pending = [*variables_in(address)]
    while pending:
        var = pending.pop()
        if var in found:
            continue
        found[var] = sources_of(kernel).get(var, ())
        for stmt in found[var]:
            if isinstance(stmt, Assign | Shuffle):
                pending += variables_in(stmt.value)
            elif not (isinstance(stmt, Load) and is_even(stmt.access.id)):
                return None
        if len(found) > _MOST_VARIABLES:
            return None
    return found


def _halves_in_rounds(kernel: Kernel, stmt: Stmt) -> bool:
    """Whether a search goes on by it.  Lanes that count what they met in memory, in as many rounds as there are, part more and more."""
    return isinstance(stmt, Assign) and id(stmt) in _repeated(kernel) and halves(stmt.value)


@derived
def _repeated(kernel: Kernel) -> frozenset[int]:
    """The statements in loops, by identity."""
    loops = (stmt for stmt in statements_of(kernel) if isinstance(stmt, Loop))
    return frozenset(id(stmt) for loop in loops for stmt in statements((loop,)))


@dataclass(slots=True)
class _Flow:
    """`known`: what variables are made of, None for those that hold anything else.  `repeated`: the statements in loops, by identity."""

    sources: Mapping[VarId, Sequence[Stmt]]
    repeated: Collection[int]
    known: dict[VarId, _Made | None] = field(default_factory=dict)
    middles: bool = False

    def settle(self, middles: bool = False) -> bool:
        """Goes over all variables until nothing changes; whether it came to that."""
        self.middles = middles
        for _ in range(_MOST_PASSES):
            changed = False
            for var, stmts in self.sources.items():
                found = _either([self._of_source(stmt) for stmt in stmts])
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
        added = _either if _is_taken_away(address.index) else _sum
        return added((self.of_address(address.pointer), self.of(address.index)))

    def of(self, expr: Expr) -> _Made | None:
        """Of a value."""
        match expr:
            case Const() | AddressOf():
                return _Made()
            case Builtin(kind=kind):
                return _Made(lanes=Fraction(kind is BuiltinKind.THREAD_IDX))
            case Cast(operand=operand) | Unary(op="-" | "~", operand=operand):
                return self.of(operand)
            case Local(var=var):
                return self.known.get(var, _Made())
            case PtrAdd():
                return self.of_address(expr)
            case Binary(op="+", left=left, right=right):
                return _sum((self.of(left), self.of(right)))
            case Binary(op="-", left=left, right=right):
                return _either((self.of(left), self.of(right)))
            case Binary(op="*" | "<<" | "/" | ">>" | "%" | "&"):
                return self._scaled(expr)
            case Select(then=then, otherwise=otherwise):
                return _either((self.of(then), self.of(otherwise)))
            case Intrinsic(name="min" | "max", args=args):
                return _either([self.of(arg) for arg in args])
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
                return _times(made, factor)
            case "<<":
                return _times(made, 1 << factor) if factor < _WORD else None
            case "/" | ">>":
                return self._divided(expr, made, factor if expr.op == "/" else 1 << min(factor, _WORD))
            case _:
                return made

    def _divided(self, expr: Binary, made: _Made, by: int) -> _Made | None:
        """Of a quotient: a warp's lanes share it where it is by as many."""
        if by <= 0:
            return None
        lanes = _NONE if made.lanes * WARP <= by else made.lanes / by
        half = self.middles and by == _HALF
        ends = uncast(expr.left)
        between = half and isinstance(ends, Binary) and all(self._rises(end) for end in (ends.left, ends.right))
        return _Made(lanes, made.halved or (half and not made.lanes), made.middles or between)

    def _rises(self, value: Expr) -> bool:
        made = self.of(value)
        return made is not None and made.lanes > 0

    def _steps(self, expr: Binary) -> bool:
        """Whether something in it is assigned again: a counter of the lane's own."""
        return any(isinstance(n, Local) and len(self.sources.get(n.var, ())) > 1 for n in subexpressions(expr))

    def _step(self, by: Expr) -> _Made | None:
        """Of what a lane moves on by, as often as memory says: a few elements, or as far as the next lane began; a size leads anywhere."""
        by = uncast(by)
        if isinstance(by, Const):
            return _Made() if abs(by.value) <= _NEAR else None
        return self.of(by) if self._rises(by) else None

    def _of_source(self, stmt: Stmt) -> _Made | None:
        if isinstance(stmt, Load):
            return _Made()  # the others were asked for before
        if isinstance(stmt, Assign) and (by := _moved_by(stmt)) is not None:
            return self._step(by) if id(stmt) in self.repeated else self.of(by)
        return self.of(stmt.value) if isinstance(stmt, Assign | Shuffle) else None


def _is_taken_away(value: Expr) -> bool:
    return isinstance(uncast(value), Unary)


def _moved_by(stmt: Assign) -> Expr | None:
    """What a variable is moved on by (`at += step`): how often that is done data decides, and no more than makes up for where it began."""
    value = uncast(stmt.value)
    if isinstance(value, Binary) and value.op in ("+", "-"):
        left = uncast(value.left)
        return value.right if isinstance(left, Local) and left.var == stmt.var else None
    return None


def _times(made: _Made, factor: int) -> _Made:
    return _Made(made.lanes * factor, made.halved, made.middles)


def _sum(parts: Sequence[_Made | None]) -> _Made | None:
    most = _either(parts)
    return most and _Made(sum((part.lanes for part in parts if part is not None), _NONE), most.halved, most.middles)


def _either(parts: Sequence[_Made | None]) -> _Made | None:
    """Of what is one of several values, or their difference: that of two numbers that rise is no more than the greater of them."""
    if None in parts:
        return None
    known = [part for part in parts if part is not None]
    lanes = max((part.lanes for part in known), default=_NONE)
    return _Made(lanes, any(part.halved for part in known), any(part.middles for part in known))
