"""Uniformity of what a loop changes, found without interpreting it.

A summarised loop replaces the variables that it changes and that have no closed form by fresh symbols; this module
says how uniform such a symbol may be.  It is a small flow-insensitive fixpoint over one loop (GPUDrano's question,
with three answers): a variable is as uniform as the least uniform of

  * its value at entry,
  * every value assigned to it in the loop, and
  * every condition that decides whether an assignment runs: ifs around it, the exits of inner loops around it, and
    whatever made threads leave before it (`continue`, `break`, `return`) on the way.

The loop's own exit condition is not among them: threads still in the loop have made the same number of rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import assert_never

from analysis_core.domains.shape import WARP
from analysis_core.domains.symbol import Level
from analysis_core.ir.nodes import (
    Access,
    Assign,
    Atomic,
    Barrier,
    Block,
    Break,
    Builtin,
    BuiltinKind,
    Const,
    Continue,
    Declare,
    Expr,
    If,
    Inlined,
    Load,
    Local,
    Loop,
    Return,
    Shuffle,
    Stmt,
    Store,
    Switch,
    UnknownExpr,
    UnknownStmt,
    VarId,
    Vote,
)
from analysis_core.ir.walk import statements, subexpressions
from analysis_core.support.facts import Cause, CauseKind


@dataclass(frozen=True, slots=True)
class Assignment:
    """`var` gets a value made of `sources` (none: from outside of the analysis), at least `floor` non-uniform, under
    the conditions `guards`.  `data`: the load that it comes from, if it is one."""

    var: VarId
    sources: tuple[Expr, ...]
    floor: Level
    guards: tuple[Expr, ...]
    data: Cause | None = None


def changed_variables(block: Block) -> frozenset[VarId]:
    """Every variable that a statement of the block may assign."""
    found: set[VarId] = set()
    for stmt in statements(block):
        found.update(assigned_by(stmt))
    return frozenset(found)


def assigned_by(stmt: Stmt) -> tuple[VarId, ...]:
    """The variables that the statement itself assigns."""
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


def loop_levels(
    loop: Loop,
    entry: Callable[[VarId], Level],
    axis_level: Callable[[int], Level],
    is_private: Callable[[Expr], bool],
) -> dict[VarId, Level]:
    """For each variable that the loop changes, the level of its value at the start of any round.

    `entry` gives the level of a variable's value before the loop, `axis_level` that of threadIdx along an axis;
    `is_private` tells whether an address may lead to a thread's own memory."""
    found = [a for part in (loop.test, loop.body, loop.step) for a in assignments(part, (), is_private)]
    levels = {a.var: entry(a.var) for a in found}
    known: dict[int, tuple[Level, tuple[VarId, ...]]] = {}

    def parts_of(expr: Expr) -> tuple[Level, tuple[VarId, ...]]:
        """The level of what the loop does not change, and the variables that it does change."""
        read = known.get(id(expr))
        if read is None:
            fixed, changing = Level.BLOCK, dict[VarId, None]()
            for node in subexpressions(expr):
                match node:
                    case Local(var=var) if var in levels:
                        changing[var] = None
                    case Local(var=var):
                        fixed = max(fixed, entry(var))
                    case Builtin(kind=BuiltinKind.THREAD_IDX, axis=axis):
                        fixed = max(fixed, axis_level(axis))
                    case UnknownExpr():
                        fixed = Level.LANE
                    case _:
                        pass
            read = known[id(expr)] = fixed, tuple(changing)
        return read

    def read_by(a: Assignment) -> tuple[VarId, Level, tuple[VarId, ...]]:
        read = [parts_of(expr) for expr in (*a.sources, *a.guards)]
        floor = max((fixed for fixed, _ in read), default=Level.BLOCK)
        return a.var, max(a.floor, floor), tuple({var: None for _, changing in read for var in changing})

    pending = [read_by(a) for a in found]
    changed = True
    while changed:
        changed = False
        for var, floor, sources in pending:
            before = levels[var]
            if before is Level.LANE:
                continue
            raised = max(before, floor, *(levels[source] for source in sources))
            if raised is not before:
                levels[var] = raised
                changed = True
    return levels


def assignments(block: Block, guards: tuple[Expr, ...], is_private: Callable[[Expr], bool]) -> Iterator[Assignment]:
    """The assignments of a block with the conditions under which each runs.

    Recursion follows the nesting of statements, which the reader limits."""
    for stmt in block:
        match stmt:
            case Assign():
                yield Assignment(stmt.var, (stmt.value,), Level.BLOCK, guards)
            case Load():
                private = is_private(stmt.address)
                floor = Level.LANE if stmt.access.volatile or private else Level.WARP
                data = None if private else _loaded(stmt.access)
                for var in stmt.vars:
                    yield Assignment(var, (stmt.address,), floor, guards, data)
            case Atomic():
                if stmt.var is not None:
                    yield Assignment(stmt.var, (stmt.address,), Level.LANE, guards, _loaded(stmt.access))
            case Shuffle():
                # Reading one and the same lane gives one value, whatever the lanes held.
                broadcast = stmt.op == "idx" and isinstance(stmt.width, Const) and stmt.width.value == WARP
                yield Assignment(stmt.var, (stmt.lane,), Level.WARP if broadcast else Level.LANE, guards)
            case Vote():
                # The last argument may be the mask of the lanes that vote together.
                floor = Level.LANE if stmt.op == "match_any" else Level.WARP
                yield Assignment(stmt.var, stmt.args[1:], floor, guards)
            case UnknownStmt():
                for var in stmt.changes:
                    yield Assignment(var, (), Level.LANE, guards)
            case If():
                inner = (*guards, stmt.condition)
                yield from assignments(stmt.then, inner, is_private)
                yield from assignments(stmt.otherwise, inner, is_private)
            case Switch():
                for arm in stmt.arms:
                    yield from assignments(arm.body, (*guards, stmt.selector), is_private)
            case Loop():
                exits = _leave_guards((stmt,))
                inner = guards if stmt.condition is None else (*guards, stmt.condition)
                for part in (stmt.test, stmt.body, stmt.step):
                    yield from assignments(part, (*inner, *exits), is_private)
            case Inlined():
                yield from assignments(stmt.body, guards, is_private)
            case Declare() | Store() | Barrier() | Break() | Continue() | Return():
                pass
            case _:
                assert_never(stmt)
        guards = (*guards, *_leave_guards((stmt,)))


def _loaded(access: Access) -> Cause:
    return Cause(CauseKind.DATA, f"`{access.text}` is loaded from memory", access.span)


def _leave_guards(block: Block) -> tuple[Expr, ...]:
    """The conditions that decide whether a thread leaves inside of `block`, hence what runs after it."""
    found: list[Expr] = []
    for stmt in block:
        if isinstance(stmt, If) and _leaves(stmt):
            found.append(stmt.condition)
            found.extend(_leave_guards(stmt.then))
            found.extend(_leave_guards(stmt.otherwise))
        elif isinstance(stmt, Switch) and _leaves(stmt):
            found.append(stmt.selector)
            for arm in stmt.arms:
                found.extend(_leave_guards(arm.body))
        elif isinstance(stmt, (Loop, Inlined)):
            inner = (stmt.body,) if isinstance(stmt, Inlined) else (stmt.test, stmt.body, stmt.step)
            for part in inner:
                found.extend(_leave_guards(part))
    return tuple(found)


def _leaves(stmt: Stmt) -> bool:
    return any(isinstance(inner, (Break, Continue, Return)) for inner in statements((stmt,)))
