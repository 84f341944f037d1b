"""Which variables an IR expression reads and which ones statements assign: for the order of evaluation and for
what code that is not understood may change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from analysis_core.ir.nodes import (
    Assign,
    Atomic,
    Barrier,
    Expr,
    Fence,
    Inlined,
    Kernel,
    Load,
    Local,
    Loop,
    Shuffle,
    Stmt,
    Store,
    UnknownStmt,
    VarId,
    Vote,
)
from analysis_core.ir.walk import children, statements, statements_of, subexpressions
from analysis_core.support.derived import derived

MATRIX_VOTES = frozenset({"matrix", "matrix_trans", "rows", "rows_trans"})
OF_EACH_LANE = MATRIX_VOTES | {"match_any"}
"""The votes that move 8 x 8 matrices between lanes, and all those that have an answer for each lane."""


def variables_in(expr: Expr) -> frozenset[VarId]:
    """The variables that `expr` reads."""
    return frozenset(node.var for node in subexpressions(expr) if isinstance(node, Local))


Reads = dict[int, tuple[Expr, frozenset[VarId]]]
"""What expressions read, by identity; the expression is kept so that its identity stays its own."""


def variables_of(expr: Expr, known: Reads) -> frozenset[VarId]:
    """The variables that `expr` reads, as from `variables_in`. Parts that were asked for before are not walked again,
    which matters for expressions that grow by a term at a time."""
    found: set[VarId] = set()
    pending = [expr]
    while pending:
        node = pending.pop()
        before = known.get(id(node))
        if before is not None:
            found |= before[1]
        elif isinstance(node, Local):
            found.add(node.var)
        else:
            pending.extend(children(node))
    known[id(expr)] = expr, frozenset(found)
    return known[id(expr)][1]


def assigned_in(block: Iterable[Stmt]) -> frozenset[VarId]:
    """The variables that some execution of the statements may assign, those nested in them included."""
    return frozenset(var for statement in statements(tuple(block)) for var in assigned_by(statement))


def assigned_by(statement: Stmt) -> tuple[VarId, ...]:
    """The variables that the statement itself may assign, without the statements nested in it."""
    match statement:
        case Assign(var=var) | Shuffle(var=var) | Vote(var=var):
            return (var,)
        case Load(vars=vars):
            return vars
        case Atomic(var=result):
            return () if result is None else (result,)
        case UnknownStmt(changes=changes):
            return changes
        case _:
            return ()


def made_of(every: Iterable[Stmt], found: frozenset[VarId]) -> frozenset[VarId]:
    """These variables, and all that the statements assign to which anything made of them goes."""
    assigned = [(stmt.var, variables_in(stmt.value)) for stmt in every if isinstance(stmt, Assign)]
    while more := {var for var, read in assigned if var not in found and read & found}:
        found |= more
    return found


def lets_others_in(statement: Stmt) -> bool:
    """Whether the statement itself may make stores of other threads visible, or its own visible to others, or is code
    that is not known."""
    match statement:
        case Barrier() | Fence() | Atomic() | Shuffle() | Vote() | UnknownStmt():
            return True
        case Load(access=access) | Store(access=access):
            return access.volatile
        case Inlined(body=body):
            return not body
        case _:
            return False


def accesses_memory(loop: Loop) -> bool:
    """Whether the loop accesses memory, or may."""
    return any(isinstance(stmt, (Load, Store, Atomic)) or lets_others_in(stmt) for stmt in statements((loop,)))


@derived
def sources_of(kernel: Kernel) -> Mapping[VarId, Sequence[Stmt]]:
    """The statements of a kernel that assign each variable, in order."""
    found: dict[VarId, list[Stmt]] = {}
    for statement in statements_of(kernel):
        for var in assigned_by(statement):
            found.setdefault(var, []).append(statement)
    return found


@derived
def assigned_once(kernel: Kernel) -> Mapping[VarId, Expr]:
    """The values of the variables that exactly one statement assigns and nothing else changes."""
    found: dict[VarId, Expr] = {}
    times = Counter(kernel.parameters)
    for statement in statements_of(kernel):
        times.update(assigned_by(statement))
        if isinstance(statement, Assign):
            found[statement.var] = statement.value
    return {var: value for var, value in found.items() if times[var] == 1}
