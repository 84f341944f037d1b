"""What the text of a loop says whatever the state is: asked each time that the loop is met, found out once per kernel.

A loop is met in every round of those around it, by probes and by trial rounds; what it changes, reads and writes is the
same each time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from analysis_core.interp.core.data_flow import Source, sources_of
from analysis_core.interp.core.power_loops import moves_by_powers
from analysis_core.interp.core.registers import Kept, kept_in_registers
from analysis_core.interp.core.roots import Roots, has_barrier, may_be_private, objects_written, stored_objects
from analysis_core.interp.core.subarrays import Row, pointers_assigned_once, rows_of
from analysis_core.interp.core.uniformity import Flow, Leaving, changed_variables, flow_of
from analysis_core.ir.early_exits import ends_in, made_on_leaving
from analysis_core.ir.effects import lets_others_in
from analysis_core.ir.nodes import (
    COSTLY,
    JUMPS,
    AccessId,
    Assign,
    Atomic,
    Barrier,
    Binary,
    Block,
    Break,
    Cast,
    Const,
    Expr,
    If,
    Inlined,
    Kernel,
    Load,
    Local,
    Loop,
    ObjectId,
    Return,
    Shuffle,
    Stmt,
    Store,
    UnknownStmt,
    VarId,
)
from analysis_core.ir.types import ScalarKind, ScalarType
from analysis_core.ir.walk import expressions_of, statements, subexpressions
from analysis_core.support.derived import derived
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span


@dataclass(frozen=True, eq=False)  # no slots: what is derived from it is kept with it
class StaticLoop:
    """What the text of one loop says, without interpreting it."""

    loop: Loop
    kernel: Kernel
    roots: Roots
    leaving: Leaving

    @derived
    def changed(self) -> tuple[VarId, ...]:
        """Every variable that it may assign, in ascending order."""
        return tuple(sorted(changed_variables((self.loop,))))

    @derived
    def stores(self) -> bool:
        """Whether it may change any memory."""
        return stored_objects((self.loop,))

    @derived
    def has_barrier(self) -> bool:
        """Whether other threads' stores may become visible in it."""
        return has_barrier((self.loop,))

    @derived
    def lets_others_in(self) -> bool:
        """Whether stores of other threads may become visible in the loop, at a barrier or a fence or in code that is
        not known."""
        return any(map(lets_others_in, statements((self.loop,))))

    @derived
    def written(self) -> tuple[ObjectId, ...] | None:
        """The memory objects that it may write, in ascending order; None if it may be any."""
        found = objects_written((self.loop,), self.roots)
        return None if found is None else tuple(sorted(found))

    @derived
    def tested(self) -> frozenset[VarId]:
        """The variables that the loop's test reads, or one of the `if (c) break;` (or `return`) that the body begins with."""
        loop, places = self.loop, self.leading_exits
        read = [expr for stmt in statements(loop.test) for expr in expressions_of(stmt)]
        read += [] if loop.condition is None else [loop.condition]
        for stmt in loop.body[: places[-1] + 1] if places else ():
            read += [stmt.condition] if isinstance(stmt, If) else list(expressions_of(stmt))
        return frozenset(e.var for expr in read for e in subexpressions(expr) if isinstance(e, Local))

    @derived
    def is_of_powers(self) -> bool:
        """Whether what it tests doubles or halves."""
        return moves_by_powers(self.loop, self.tested)

    @derived
    def counters(self) -> frozenset[VarId]:
        """The variables that are compared by order in the loop's condition or in a leading `if (c) break;` (or `return`).

        `head != tail` is no such test: that is how a short counter that is to wrap around is compared."""
        conditions = [] if self.loop.condition is None else [self.loop.condition]
        for place in self.leading_exits:
            stmt = self.loop.body[place]
            assert isinstance(stmt, If)
            conditions.append(stmt.condition)
        compared = [
            e
            for condition in conditions
            for e in subexpressions(condition)
            if isinstance(e, Binary) and e.op in ("<", "<=", ">", ">=")
        ]
        return frozenset(e.var for test in compared for e in subexpressions(test) if isinstance(e, Local))

    @derived
    def kept_below(self) -> frozenset[VarId]:
        """The variables that the loop's condition asks to be less than something: `i < n`."""
        condition = self.loop.condition
        tests = [e for e in ([] if condition is None else subexpressions(condition)) if isinstance(e, Binary)]
        lesser = [e.left if e.op == "<" else e.right for e in tests if e.op in ("<", ">")]
        return frozenset(e.var for side in lesser for e in subexpressions(side) if isinstance(e, Local))

    @derived
    def counted_to_zero(self) -> frozenset[VarId]:
        """The variables that the loop's condition asks to be other than zero: `while (j)`, `while (j != 0 && ..)`."""
        condition = self.loop.condition
        found = (_asked_not_zero(e) for e in ([] if condition is None else subexpressions(condition)))
        return frozenset(var for var in found if var is not None)

    @derived
    def leading_exits(self) -> tuple[int, ...]:
        """The places of `if (c) break;` and `if (c) { .. return; }` among the assignments that the body begins with."""
        places = []
        for index, stmt in enumerate(self.loop.body):
            if isinstance(stmt, If) and ends_in(stmt.then, Break, Return) and not stmt.otherwise:
                places.append(index)
            elif not isinstance(stmt, Assign):
                break
        return tuple(places)

    @derived
    def may_leave(self) -> bool:
        """Whether threads may leave the loop otherwise than by its test."""
        return any(
            isinstance(stmt, (Break, Return)) or (isinstance(stmt, UnknownStmt) and stmt.leaves)
            for stmt in statements((self.loop,))
        )

    @derived
    def works(self) -> bool:
        """Whether the body does more than arithmetic."""
        kinds = (Load, Store, Atomic, Barrier, Inlined, Shuffle, UnknownStmt, Loop)
        return any(isinstance(stmt, kinds) for stmt in statements(self.loop.body))

    @derived
    def flow(self) -> Flow:
        """Where the variables that the loop changes take their values from, by which uniformity is found."""
        return flow_of(self.loop, lambda address: may_be_private(self.kernel, address), self.leaving)

    @derived
    def sources(self) -> tuple[Source, ...]:
        """How causes flow through it."""
        return sources_of(self.flow)


def has_work(block: Block) -> bool:
    """Whether an arm does more than a compiler would predicate: accesses, calls, loops, barriers, unknown code.
    Leaving, by `break` as by `goto`, is no work."""
    return any(
        isinstance(stmt, COSTLY) and not (isinstance(stmt, UnknownStmt) and stmt.cause.reason in JUMPS)
        for stmt in statements(block)
    )


@dataclass(frozen=True, eq=False)  # no slots: what is derived from it is kept with it
class Statics:
    """The loops of one kernel, and the work in the arms of its branches, by the identity of statements."""

    kernel: Kernel
    roots: Roots
    _leaving: Leaving = field(default_factory=Leaving)
    _loops: dict[int, StaticLoop] = field(default_factory=dict)
    _works: dict[int, tuple[bool, ...]] = field(default_factory=dict)
    _rows: dict[int, tuple[Row, ...]] = field(default_factory=dict)

    @derived
    def unseen(self) -> frozenset[str]:
        """The names of constants whose values are not visible."""
        return self.kernel.unseen

    @derived
    def _pointers(self) -> Mapping[VarId, Expr]:
        return pointers_assigned_once(self.kernel)

    @derived
    def _in_registers(self) -> Kept:
        return kept_in_registers(self.kernel, self.roots)

    @derived
    def _on_leaving(self) -> Mapping[AccessId, Span]:
        return made_on_leaving(self.kernel)

    def loop(self, loop: Loop) -> StaticLoop:
        """What the loop's text says (`StaticLoop`), found once."""
        found = self._loops.get(id(loop))
        if found is None:
            found = self._loops[id(loop)] = StaticLoop(loop, self.kernel, self.roots, self._leaving)
        return found

    def works(self, branch: Stmt, arms: tuple[Block, ...]) -> tuple[bool, ...]:
        """Which arms of a branch have work."""
        found = self._works.get(id(branch))
        if found is None:
            found = self._works[id(branch)] = tuple(has_work(arm) for arm in arms)
        return found

    def kept_through(self, access: AccessId) -> tuple[Loop, ...]:
        """The loops through which a register keeps the element of an access, the innermost first."""
        return self._in_registers.get(access, ())

    def left_behind(self, access: AccessId) -> Span | None:
        """The loop that every thread leaves which makes the access, if there is one."""
        return self._on_leaving.get(access)

    def rows(self, address: Expr) -> tuple[Row, ...]:
        """The rows of arrays that an access at this address stays inside of, the innermost first."""
        found = self._rows.get(id(address))
        if found is None:
            found = self._rows[id(address)] = tuple(rows_of(address, self._pointers))
        return found


def _asked_not_zero(expr: Expr) -> VarId | None:
    """The variable of `j` as a truth value, or of `j != 0`."""
    match expr:
        case Cast(operand=Local(var=var), type=ScalarType(kind=ScalarKind.BOOL)):
            return var
        case Binary(op="!=", left=Local(var=var), right=Const(value=0)):
            return var
        case _:
            return None
