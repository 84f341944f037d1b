"""What of a kernel rests on sizes that are taken for granted: of types that are not declared, and of records that hold them.

    struct Pair { lib::real first; float second; };
    x = pairs[i].second;                               where that lies, nobody knows: the figure is for one size

An address rests on such a size where it counts elements of the type, or leads to a member of a record that holds one.  So does what is computed from
the address, what is stored to it or loaded from it, and what is done where a test of it decides.  Nothing of that is ever exact: the same cost at
two sizes is no proof for the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from analysis_core.ir.effects import assigned_by
from analysis_core.ir.layout import is_guessed, leads_to_guess
from analysis_core.ir.nodes import (
    AccessId,
    AddressOf,
    Assign,
    Atomic,
    Binary,
    Block,
    Break,
    Cast,
    Continue,
    Expr,
    If,
    Kernel,
    Load,
    Local,
    Loop,
    ObjectId,
    PtrAdd,
    Return,
    Select,
    Stmt,
    Store,
    Switch,
    VarId,
)
from analysis_core.ir.types import OpaqueType, PointerType, ScalarType
from analysis_core.ir.walk import blocks_of, expressions_of, statements, statements_of, subexpressions
from analysis_core.support.derived import derived

_Root = VarId | ObjectId | None
"""What an address starts from: a variable, an object with its number below 0, None where that is not known."""


@derived
def guessed_accesses(kernel: Kernel) -> frozenset[AccessId]:
    """The accesses of which the address, or who makes them, may rest on a size that is taken for granted."""
    return frozenset(_spread(kernel).accesses) if _has_guesses(kernel) else frozenset()


@derived
def shares_by_guess(kernel: Kernel) -> bool:
    """Whether which bytes accesses share may be another matter at another size.  Elements with different indexes share none at any size, unless
    their memory is seen as something else, too, or a test or a number that rests on a size decides who goes where."""
    if not _has_guesses(kernel):
        return False
    spread = _spread(kernel)
    accesses = (stmt.access for stmt in statements_of(kernel) if isinstance(stmt, Load | Store | Atomic))
    return (
        spread.tests
        or any(one.id in spread.accesses and not isinstance(one.type, OpaqueType) for one in accesses)
        or any(isinstance(kernel.variables[var].type, ScalarType) for var in spread.variables)
        or any(_seen_otherwise(kernel, expr) for expr in _expressions(kernel))
    )


def _seen_otherwise(kernel: Kernel, expr: Expr) -> bool:
    """Whether memory is seen as elements of a guessed size on one side of an operator, and as something else on the other."""
    match expr:
        case PtrAdd(pointer=inner) | Cast(operand=inner) if isinstance(inner.type, PointerType):
            return leads_to_guess(expr.type) != leads_to_guess(inner.type)
        case AddressOf(object=number):
            return leads_to_guess(expr.type) != is_guessed(kernel.objects[number].type)
        case _:
            return False


@derived
def _spread(kernel: Kernel) -> _Spread:
    spread = _Spread(kernel)
    while spread.round():
        pass
    return spread


@derived
def _has_guesses(kernel: Kernel) -> bool:
    """Whether any type of the kernel has a size that is taken for granted."""
    types = (
        *(variable.type for variable in kernel.variables),
        *(one.type for one in kernel.objects),
        *(expr.type for expr in _expressions(kernel)),
    )
    return any(map(leads_to_guess, types))


def _expressions(kernel: Kernel) -> Iterator[Expr]:
    for stmt in statements_of(kernel):
        for whole in expressions_of(stmt):
            yield from subexpressions(whole)


class _Spread:
    """What was found to rest on a guess so far; each round adds to it.  `memory`: the roots of memory that holds such a value; `tests`: whether any test
    rests on one."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.variables: set[VarId] = set()
        self.memory: set[_Root] = set()
        self.accesses: set[AccessId] = set()
        self.tests = False
        self.everywhere = False  # a test of such a value ends threads, or rounds of loops, early
        self._roots = _roots_of(kernel)

    def round(self) -> bool:
        """Goes through the kernel once; whether that found anything."""
        before = self._size()
        self._block(self.kernel.body, self.everywhere)
        return self._size() > before

    def _size(self) -> tuple[int, ...]:
        return len(self.variables), len(self.memory), len(self.accesses), int(self.everywhere)

    def _block(self, block: Block, within: bool) -> None:
        """`within`: whether a test of such a value decides who comes here."""
        pending = [(stmt, within) for stmt in reversed(block)]
        while pending:
            stmt, within = pending.pop()
            within = within or self.everywhere
            inside = within
            if isinstance(stmt, If | Loop | Switch) and self._rests(expressions_of(stmt)):
                inside = self.tests = True
                self.everywhere = self.everywhere or _leaves(stmt)
            self._statement(stmt, within)
            pending.extend((inner, inside) for inner_block in blocks_of(stmt) for inner in reversed(inner_block))

    def _statement(self, stmt: Stmt, within: bool) -> None:
        rests = within or self._rests(expressions_of(stmt))
        match stmt:
            case Load(address=address, access=access):
                known = within or self._rests((address,))
                if known:
                    self.accesses.add(access.id)
                rests = known or not self.memory.isdisjoint(self._starts(address)) or None in self.memory
            case Store(address=address, access=access) | Atomic(address=address, access=access):
                if within or self._rests((address,)):
                    self.accesses.add(access.id)
                if rests:
                    self.memory |= self._starts(address)
            case If() | Loop() | Switch():
                rests = False
            case _:
                pass
        if rests:
            self.variables.update(assigned_by(stmt))

    def _rests(self, exprs: Iterable[Expr]) -> bool:
        return any(self._is_source(node) for expr in exprs for node in subexpressions(expr))

    def _is_source(self, node: Expr) -> bool:
        match node:
            case Local(var=var):
                return var in self.variables
            case AddressOf(object=number):
                return is_guessed(self.kernel.objects[number].type)
            case PtrAdd(pointer=pointer):
                return leads_to_guess(node.type) or leads_to_guess(pointer.type)
            case Binary(op="-", left=left):
                return isinstance(left.type, PointerType) and is_guessed(left.type.target)
            case _:
                return False

    def _starts(self, address: Expr) -> set[_Root]:
        return {root for start in _starts_of(address) for root in self._roots.get(start, {start})}


def _leaves(stmt: Stmt) -> bool:
    """Whether something inside of it ends a loop, a call or the thread."""
    return any(isinstance(inner, Return | Break | Continue) for part in blocks_of(stmt) for inner in statements(part))


# --- where addresses lead to ------------------------------------------------------------------------------------


def _roots_of(kernel: Kernel) -> dict[_Root, set[_Root]]:
    """What the pointers that a kernel assigns may start from."""
    roots: dict[_Root, set[_Root]] = {}
    for stmt in statements_of(kernel):
        for var in assigned_by(stmt):
            if isinstance(kernel.variables[var].type, PointerType):
                first: set[_Root] = {var} if var in kernel.parameters else set()
                roots.setdefault(var, first).update(_starts_of(stmt.value) if isinstance(stmt, Assign) else (None,))
    for _ in roots:
        followed = {var: {end for one in ends for end in roots.get(one, {one})} for var, ends in roots.items()}
        if followed == roots:
            break
        roots = followed
    return roots


def _starts_of(address: Expr) -> Iterator[_Root]:
    """The variables and objects that an address is computed from."""
    pending = [address]
    while pending:
        match pending.pop():
            case Local(var=var):
                yield var
            case AddressOf(object=number):
                yield ObjectId(-1 - number)
            case PtrAdd(pointer=pointer):
                pending.append(pointer)
            case Cast(operand=operand) if isinstance(operand.type, PointerType):
                pending.append(operand)
            case Select(then=then, otherwise=otherwise):
                pending += (then, otherwise)
            case _:
                yield None
