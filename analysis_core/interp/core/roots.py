"""Which memory a kernel may write: a flow-insensitive look at pointers before interpretation.

A *root* is what a pointer can ultimately point into: a pointer parameter (its variable), a memory object, or memory
reached through a loaded pointer.  Pointer variables take the union of the roots of everything assigned to them.  A
load from a root that no store, atomic or unknown statement can reach gives the same value to all threads that read
the same address, which is what makes a loaded bound block-uniform.

Pointers passed to a kernel are assumed not to alias (a listed assumption), so different roots are different memory.
"""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.domains.thread_value import is_integral
from analysis_core.ir.nodes import (
    AddressOf,
    Assign,
    Atomic,
    Barrier,
    Block,
    Expr,
    Kernel,
    Load,
    Local,
    ObjectId,
    Shuffle,
    Stmt,
    Store,
    UnknownExpr,
    UnknownStmt,
    VarId,
)
from analysis_core.ir.types import PointerType, Space
from analysis_core.ir.walk import statements, statements_of, subexpressions
from analysis_core.support.derived import derived
from analysis_core.text.records import dataclass

LOADED = "loaded"
"""The root of all memory behind pointers that come from memory or from nowhere."""

Root = VarId | tuple[str, ObjectId] | str


@dataclass(frozen=True, slots=True)
class Roots:
    """`written`: roots that some statement may write; `everything`: unknown code may write any memory; `pointers`: for
    each variable, what its value may point into.  `read_back`: roots that are written, and from which integers or pointers are loaded."""

    written: frozenset[Root]
    everything: bool
    pointers: Mapping[VarId, frozenset[Root]]
    read_back: frozenset[Root | None] = frozenset()

    def may_write(self, root: Root) -> bool:
        return self.everything or root in self.written


def object_root(number: ObjectId) -> Root:
    return ("object", number)


@derived
def find_roots(kernel: Kernel) -> Roots:
    """The roots that the kernel may write."""
    every = statements_of(kernel)
    pointers = _pointer_roots(kernel, every)
    written: set[Root] = set()
    read: set[Root] = set()
    everything = False
    reachable = {*kernel.parameters, *(object_root(o.id) for o in kernel.objects if o.space is Space.GLOBAL)}
    for stmt in every:
        match stmt:
            case Store() | Atomic():
                written |= roots_of(stmt.address, pointers)
            case Load(access=access) if is_integral(access.type):
                read |= roots_of(stmt.address, pointers)
            case UnknownStmt(memory=True):
                everything = True
            case _:
                pass
    read_back = frozenset[Root | None](written & read)
    if LOADED in written:
        written |= reachable  # a pointer that was loaded may lead to any global memory
    return Roots(frozenset(written), everything, pointers, read_back)


def _pointer_roots(kernel: Kernel, every: tuple[Stmt, ...]) -> dict[VarId, frozenset[Root]]:
    """For each variable that may hold a pointer, the roots of what is assigned to it, as a least fixed point."""
    found: dict[VarId, frozenset[Root]] = {p: frozenset((p,)) for p in kernel.parameters}
    flows: list[tuple[VarId, Expr]] = []
    for stmt in every:
        match stmt:
            case Assign():
                flows.append((stmt.var, stmt.value))
            case Shuffle():
                flows.append((stmt.var, stmt.value))
            case Load():
                for var in stmt.vars:
                    if isinstance(kernel.variables[var].type, PointerType):
                        found[var] = found.get(var, frozenset()) | {LOADED}
            case UnknownStmt():
                for var in stmt.changes:
                    found[var] = found.get(var, frozenset()) | {LOADED}
            case _:
                pass
    leaves = [(var, _leaves(value)) for var, value in flows]
    changed = True
    while changed:
        changed = False
        for var, (variables, direct) in leaves:
            before = found.get(var, frozenset())
            after = before | direct
            for source in variables:
                after |= found.get(source, frozenset())
            if after != before:
                found[var] = after
                changed = True
    return found


def roots_of(expr: Expr, pointers: Mapping[VarId, frozenset[Root]]) -> frozenset[Root]:
    """The roots that the value of `expr`, taken as an address, may lie in."""
    variables, roots = _leaves(expr)
    for var in variables:
        roots |= pointers.get(var, frozenset())
    return roots


def _leaves(expr: Expr) -> tuple[tuple[VarId, ...], frozenset[Root]]:
    """The variables that occur in the expression, and the roots that it names itself."""
    variables: list[VarId] = []
    roots: set[Root] = set()
    for node in subexpressions(expr):
        match node:
            case Local(var=var):
                variables.append(var)
            case AddressOf(object=number):
                roots.add(object_root(number))
            case UnknownExpr():
                roots.add(LOADED)
            case _:
                pass
    return tuple(variables), frozenset(roots)


def has_barrier(block: Block) -> bool:
    """Whether other threads' stores may become visible within the block."""
    return any(isinstance(stmt, Barrier) for stmt in statements(block))


def stored_objects(block: Block) -> bool:
    """Whether the block may change any memory."""
    for stmt in statements(block):
        if isinstance(stmt, (Store, Atomic)) or (isinstance(stmt, UnknownStmt) and stmt.memory):
            return True
    return False


def objects_written(block: Block, roots: Roots) -> frozenset[ObjectId] | None:
    """The memory objects that the block may write; None if it may be any."""
    written: set[ObjectId] = set()
    for stmt in statements(block):
        match stmt:
            case Store() | Atomic():
                found = roots_of(stmt.address, roots.pointers)
                if not found:
                    return None
                written |= {root[1] for root in found if isinstance(root, tuple)}
            case UnknownStmt(memory=True):
                return None
            case _:
                pass
    return frozenset(written)


def may_be_private(kernel: Kernel, address: Expr) -> bool:
    """Whether the address may lead to local memory, where each thread has its own values: any pointer variable may, in
    a kernel with local arrays."""
    private = [o.id for o in kernel.objects if o.space is Space.LOCAL]
    named = [e.object for e in subexpressions(address) if isinstance(e, AddressOf)]
    return bool(private) and (not named or any(number in private for number in named))
