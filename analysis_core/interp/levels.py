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

from collections.abc import Callable, Iterator, Mapping
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
from analysis_core.ir.walk import blocks_of, statements, subexpressions
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


@dataclass(frozen=True, slots=True, eq=False)
class Flow:
    """Where the values of the variables that a loop changes come from.  `assignments`: those of the loop; `reached`: for each of
    the variables, in the order in which they are met, what it is made of in any number of rounds, as bits: `_WARP` and `_LANE`,
    an axis of threadIdx, a variable, itself included.  `variables`: all of these, in ascending order."""

    assignments: tuple[Assignment, ...]
    reached: Mapping[VarId, int]
    variables: tuple[VarId, ...]


_WARP, _LANE, _AXES, _VARIABLES = 0, 1, 2, 5
"""Numbers of bits: values that differ between warps, or lanes; threadIdx.x; variable 0."""

_FLOORS = {Level.BLOCK: 0, Level.WARP: 1 << _WARP, Level.LANE: 1 << _LANE}


def flow_of(loop: Loop, is_private: Callable[[Expr], bool], leaving: Leaving) -> Flow:
    """`is_private` tells whether an address may lead to a thread's own memory."""
    parts = (loop.test, loop.body, loop.step)
    found = tuple(a for part in parts for a in assignments(part, (), is_private, leaving))
    known: dict[int, int] = {}  # guards are shared by many assignments, and one guard by many tuples of them

    def read(expressions: tuple[Expr, ...]) -> int:
        bits = known.get(id(expressions))
        if bits is None:
            bits = 0
            for expr in expressions:
                if id(expr) not in known:
                    known[id(expr)] = _read_in(expr)
                bits |= known[id(expr)]
            known[id(expressions)] = bits
        return bits

    reached: dict[VarId, int] = {}
    for a in found:
        reached[a.var] = (
            reached.get(a.var, 1 << _VARIABLES + a.var) | _FLOORS[a.floor] | read(a.sources) | read(a.guards)
        )
    _close(reached)
    every = 0
    for bits in reached.values():
        every |= bits
    return Flow(found, reached, tuple(VarId(number) for number in _numbers(every >> _VARIABLES)))


def _read_in(expr: Expr) -> int:
    bits = 0
    for node in subexpressions(expr):
        match node:
            case Local(var=var):
                bits |= 1 << _VARIABLES + var
            case Builtin(kind=BuiltinKind.THREAD_IDX, axis=axis):
                bits |= 1 << _AXES + axis
            case UnknownExpr():
                bits |= 1 << _LANE
            case _:
                pass
    return bits


def _close(reached: dict[VarId, int]) -> None:
    """Adds what is reached through the variables themselves: through one after the other, as Warshall does."""
    for through in list(reached):
        bit, further = 1 << _VARIABLES + through, reached[through]
        for var, bits in reached.items():
            if bits & bit:
                reached[var] = bits | further


def _numbers(bits: int) -> Iterator[int]:
    """The numbers of the bits that are set, in ascending order."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def loop_levels(flow: Flow, entry: Callable[[VarId], Level], axis_level: Callable[[int], Level]) -> dict[VarId, Level]:
    """For each variable that the loop changes, the level of its value at the start of any round.

    `entry` gives the level of a variable's value before the loop, `axis_level` that of threadIdx along an axis."""
    by_level = dict(_FLOORS)
    for axis in range(_VARIABLES - _AXES):
        by_level[axis_level(axis)] |= 1 << _AXES + axis
    for var in flow.variables:
        by_level[entry(var)] |= 1 << _VARIABLES + var
    warps, lanes = by_level[Level.WARP], by_level[Level.LANE]
    return {
        var: Level.LANE if bits & lanes else Level.WARP if bits & warps else Level.BLOCK
        for var, bits in flow.reached.items()
    }


def assignments(
    block: Block, guards: tuple[Expr, ...], is_private: Callable[[Expr], bool], leaving: Leaving
) -> Iterator[Assignment]:
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
                yield from assignments(stmt.then, inner, is_private, leaving)
                yield from assignments(stmt.otherwise, inner, is_private, leaving)
            case Switch():
                for arm in stmt.arms:
                    yield from assignments(arm.body, (*guards, stmt.selector), is_private, leaving)
            case Loop():
                exits = leaving.guards(stmt)
                inner = guards if stmt.condition is None else (*guards, stmt.condition)
                for part in (stmt.test, stmt.body, stmt.step):
                    yield from assignments(part, (*inner, *exits), is_private, leaving)
            case Inlined():
                yield from assignments(stmt.body, guards, is_private, leaving)
            case Declare() | Store() | Barrier() | Break() | Continue() | Return():
                pass
            case _:
                assert_never(stmt)
        left = leaving.guards(stmt)
        guards = (*guards, *left) if left else guards


def _loaded(access: Access) -> Cause:
    return Cause(CauseKind.DATA, f"`{access.text}` is loaded from memory", access.span)


class Leaving:
    """Where threads leave, of the statements of one kernel; each is asked once, though loops around it ask again."""

    def __init__(self) -> None:
        self._guards: dict[int, tuple[Expr, ...]] = {}
        self._leaves: dict[int, bool] = {}

    def guards(self, stmt: Stmt) -> tuple[Expr, ...]:
        """The conditions that decide whether a thread leaves inside of the statement, hence what runs after it."""
        known = self._guards.get(id(stmt))
        if known is None:
            known = self._guards[id(stmt)] = self._guards_of(stmt)
        return known

    def _guards_of(self, stmt: Stmt) -> tuple[Expr, ...]:
        match stmt:
            case If() if self._may_leave(stmt):
                own: tuple[Expr, ...] = (stmt.condition,)
            case Switch() if self._may_leave(stmt):
                own = (stmt.selector,)
            case Loop() | Inlined():
                own = ()
            case _:
                return ()
        inside = [guard for block in blocks_of(stmt) for inner in block for guard in self.guards(inner)]
        return (*own, *inside)

    def _may_leave(self, stmt: Stmt) -> bool:
        known = self._leaves.get(id(stmt))
        if known is None:
            inside = (self._may_leave(inner) for block in blocks_of(stmt) for inner in block)
            known = self._leaves[id(stmt)] = isinstance(stmt, (Break, Continue, Return)) or any(inside)
        return known
