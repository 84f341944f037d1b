"""Uniformity of what a loop changes, found without interpreting it.

A summarised loop replaces the variables that it changes and that have no closed form by fresh symbols; this module
says how uniform such a symbol may be.  It is a small flow-insensitive fixpoint over one loop (GPUDrano's question,
with three answers): a variable is as uniform as the least uniform of

  * its value at entry,
  * every value assigned to it in the loop, and
  * every condition that decides whether an assignment runs: ifs around it, the exits of inner loops around it, and
    whatever made threads skip it on the way and come back: a `continue`, the `break` of an inner loop, the `return` of a call.

The loop's own exits are not among them, neither its test nor a `break` or a `return` of the kernel: threads still in the loop have made
the same number of rounds.  Lanes that execute a load together get one value from one address, of volatile memory too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import assert_never

from analysis_core.domains.shape import WARP
from analysis_core.domains.symbol import Level
from analysis_core.ir.effects import OF_EACH_LANE
from analysis_core.ir.nodes import (
    Access,
    Assign,
    Atomic,
    Barrier,
    Block,
    Break,
    Builtin,
    BuiltinKind,
    Claim,
    Const,
    Continue,
    Declare,
    Expr,
    Fence,
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
from analysis_core.text.records import dataclass


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
    """Where the variables that a loop changes take their values from. `assignments`: those of the loop. `reached`: for
    each variable, as bits, all that its value is made of after any number of rounds: `_WARP`, `_LANE`, axes of
    threadIdx, variables (itself included), in the order in which they are met. `variables`: all of these, in ascending
    order."""

    assignments: tuple[Assignment, ...]
    reached: Mapping[VarId, int]
    variables: tuple[VarId, ...]


_WARP, _LANE, _AXES, _VARIABLES = 0, 1, 2, 5
"""Numbers of bits: values that differ between warps, or lanes; threadIdx.x; variable 0."""

_FLOORS = {Level.BLOCK: 0, Level.WARP: 1 << _WARP, Level.LANE: 1 << _LANE}


def flow_of(loop: Loop, is_private: Callable[[Expr], bool], leaving: Leaving) -> Flow:
    """The flow of values through a loop. `is_private` tells whether an address may lead to a thread's own memory."""
    parts = (loop.test, loop.body, loop.step)
    found = tuple(a for part in parts for a in assignments(part, (), is_private, leaving, _CONTINUE))
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


def is_apart(expr: Expr) -> bool:
    """Whether lanes may differ in the expression even if they agree on its variables."""
    return bool(_read_in(expr) & ((1 << _VARIABLES) - 1))


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


def loop_uniformity(
    flow: Flow, entry: Callable[[VarId], Level], axis_level: Callable[[int], Level]
) -> dict[VarId, Level]:
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


_BREAK, _CONTINUE, _RETURN = 1, 2, 4
"""How threads leave a statement, as bits.  Those ways matter by which they come back to the loop in question."""


def assignments(
    block: Block, guards: tuple[Expr, ...], is_private: Callable[[Expr], bool], leaving: Leaving, ways: int
) -> Iterator[Assignment]:
    """The assignments of a block with the conditions under which each runs.  `ways`: of leaving the block that matter.

    Recursion follows the nesting of statements, which the reader limits."""
    for stmt in block:
        match stmt:
            case Assign():
                yield Assignment(stmt.var, (stmt.value,), Level.BLOCK, guards)
            case Load():
                private = is_private(stmt.address)
                data = None if private else _loaded(stmt.access)
                for var in stmt.vars:
                    yield Assignment(var, (stmt.address,), Level.LANE if private else Level.WARP, guards, data)
            case Atomic():
                if stmt.var is not None:
                    yield Assignment(stmt.var, (stmt.address,), Level.LANE, guards, _loaded(stmt.access))
            case Shuffle():
                # Reading one and the same lane gives one value, whatever the lanes held.
                broadcast = stmt.op == "idx" and isinstance(stmt.width, Const) and stmt.width.value == WARP
                yield Assignment(stmt.var, (stmt.lane,), Level.WARP if broadcast else Level.LANE, guards)
            case Vote():
                # The last argument may be the mask of the lanes that vote together.
                floor = Level.LANE if stmt.op in OF_EACH_LANE else Level.WARP
                yield Assignment(stmt.var, stmt.args[1:], floor, guards)
            case UnknownStmt():
                for var in stmt.changes:
                    yield Assignment(var, (), Level.LANE, guards)
            case If():
                inner = (*guards, stmt.condition)
                yield from assignments(stmt.then, inner, is_private, leaving, ways)
                yield from assignments(stmt.otherwise, inner, is_private, leaving, ways)
            case Switch():
                inner = (*guards, stmt.selector)
                for arm in stmt.arms:
                    yield from assignments(arm.body, inner, is_private, leaving, ways | _BREAK)
                    inner = (*inner, *leaving.inside(arm.body, ways | _BREAK))  # of those that fall through
            case Loop():
                around = _BREAK | _CONTINUE | ways & _RETURN
                exits = [e for part in (stmt.test, stmt.body, stmt.step) for e in leaving.inside(part, around)]
                inner = guards if stmt.condition is None else (*guards, stmt.condition)
                for part in (stmt.test, stmt.body, stmt.step):
                    yield from assignments(part, (*inner, *exits), is_private, leaving, around)
            case Inlined():
                yield from assignments(stmt.body, guards, is_private, leaving, _RETURN)
            case Claim():
                yield from assignments(stmt.setup, guards, is_private, leaving, 0)
            case Declare() | Store() | Barrier() | Fence() | Break() | Continue() | Return():
                pass
            case _:
                assert_never(stmt)
        left = leaving.guards(stmt, ways)
        guards = (*guards, *left) if left else guards


def _loaded(access: Access) -> Cause:
    return Cause(CauseKind.DATA, f"`{access.text}` is loaded from memory", access.span)


class Leaving:
    """The conditions that decide whether threads leave statements of one kernel; each is found once, though several
    loops ask for it."""

    def __init__(self) -> None:
        self._guards: dict[tuple[int, int], tuple[Expr, ...]] = {}
        self._ways: dict[int, int] = {}

    def inside(self, block: Block, ways: int) -> tuple[Expr, ...]:
        """The conditions that decide whether a thread leaves the block in one of the ways."""
        return tuple(guard for stmt in block for guard in self.guards(stmt, ways))

    def guards(self, stmt: Stmt, ways: int) -> tuple[Expr, ...]:
        """The conditions that decide whether a thread leaves the statement in one of the ways, hence what runs after it."""
        if not self._leaves(stmt) & ways:
            return ()
        known = self._guards.get((id(stmt), ways))
        if known is None:
            known = self._guards[id(stmt), ways] = self._guards_of(stmt, ways)
        return known

    def _guards_of(self, stmt: Stmt, ways: int) -> tuple[Expr, ...]:
        match stmt:
            case If():
                own: tuple[Expr, ...] = (stmt.condition,)
            case Switch():
                # Which arms a thread falls into is decided by those that it breaks out of, too.
                own, ways = (stmt.selector,), ways | _BREAK
            case Loop():
                own, ways = () if stmt.condition is None else (stmt.condition,), ways | _BREAK | _CONTINUE
            case _:
                return ()
        return (*own, *(guard for block in blocks_of(stmt) for guard in self.inside(block, ways)))

    def _leaves(self, stmt: Stmt) -> int:
        """The ways in which a thread may leave the statement."""
        known = self._ways.get(id(stmt))
        if known is None:
            known = self._ways[id(stmt)] = self._ways_of(stmt)
        return known

    def _ways_of(self, stmt: Stmt) -> int:
        match stmt:
            case Break():
                return _BREAK
            case Continue():
                return _CONTINUE
            case Return():
                return _RETURN
            case Inlined():
                return 0
            case _:
                pass
        found = 0
        for block in blocks_of(stmt):
            for inner in block:
                found |= self._leaves(inner)
        if isinstance(stmt, Switch):
            return found & ~_BREAK
        return found & _RETURN if isinstance(stmt, Loop) else found
