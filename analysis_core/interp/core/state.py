"""The state of one interpretation: environment, mask, and who has left.

Threads leave a construct by `break`, `continue` and `return`.  Each departure is an `Exit`: the mask of those who
left and their environment.  The construct that an exit targets collects its exits when it ends, and joins their
environments there, which is where the threads reconverge; until then the mask of those who stay is the mask before
minus the exits.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import field
from enum import Enum
from typing import TypeGuard

from analysis_core.domains import condition as cond
from analysis_core.domains import mask as masks
from analysis_core.domains.arithmetic import Arithmetic
from analysis_core.domains.condition import Condition
from analysis_core.domains.mask import Mask
from analysis_core.domains.symbol import Symbol
from analysis_core.domains.thread_value import Value
from analysis_core.expressions import expression as ex
from analysis_core.expressions.expression import Expression
from analysis_core.interp.core.events import AccessEvent, BranchEvent, ClaimEvent, Executed, bytes_of
from analysis_core.interp.core.liveness import EVERY, Live, Liveness
from analysis_core.interp.core.roots import Root, Roots
from analysis_core.interp.core.static_loops import Statics
from analysis_core.interp.core.trace import Node, Ranges, Stepped
from analysis_core.ir.nodes import AccessId, Expr, Kernel, Loop, ObjectId, Stmt, VarId
from analysis_core.ir.steps import weights_of
from analysis_core.ir.types import LONG, Type
from analysis_core.ir.walk import statements_of
from analysis_core.support.derived import derived
from analysis_core.support.facts import Assumption, Cause
from analysis_core.support.settings import Settings
from analysis_core.syntax.read.annotation_tree import Misstatement
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

Cell = tuple[ObjectId, int, Type | None]
"""A known element of an array in local memory: the object, the byte offset and the type that was stored there."""

STORED = ObjectId(-4)

Stored = tuple[ObjectId, Hashable, int, Root, Type]
"""A place where the present threads have stored a value (just_stored.py): STORED, its address but for a constant, that, what it lies in and
the type of the value."""

Environment = dict[VarId | Cell | Stored, Value]

_MOST_APPLIED = 32 << 20
"""Bytes of values that `Run.applied` holds at most, where each has a number for every thread."""


@dataclass(frozen=True, slots=True, eq=False)
class Program:
    """An expression in postfix order: each node with the number of its operands and, for a constant, its value.
    `variables`: those that it reads."""

    nodes: tuple[tuple[Expr, int, Value | None], ...]
    variables: tuple[VarId, ...]


def is_stored(key: VarId | Cell | Stored) -> TypeGuard[Stored]:
    """Whether a key of the environment is that of a stored value (`just_stored`)."""
    return type(key) is tuple and len(key) == 5


class FrameKind(Enum):
    LOOP, SWITCH, FUNCTION = range(3)


class ExitKind(Enum):
    BREAK, CONTINUE, RETURN = range(3)


@dataclass(frozen=True, slots=True, eq=False)
class Exit:
    """`target`: index of the frame that the threads of `mask` leave (or, for CONTINUE, go on in)."""

    target: int
    kind: ExitKind
    mask: Mask
    env: Environment


@dataclass(frozen=True, slots=True)
class LoopLimit:
    """A stated bound of a loop's iterations: an expression, and the greatest number that it can have, if there is one."""

    most: int | None
    rounds: Expression
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Turn:
    """A round of a summarised loop: its `counter`. `even`: each entry of the loop counts as many rounds. `powers`: the
    symbols for b^counter, each with its b."""

    counter: Symbol
    even: bool
    powers: Mapping[Symbol, int]


@dataclass(slots=True)
class Inside:
    """A loop that is being executed and was entered `outer` times.

    `later`: this is not the first round; `summed`: all remaining rounds are executed as one. `left_open`: threads may
    have left in some round so far. `left`: accesses of an earlier round behind which threads leave. `clock`: symbols
    younger than this were made in the loop; `counter`: that of its summarised rounds, while these are executed; `literals`: how many its threads
    waited for when they entered it."""

    loop: Loop
    outer: Expression
    clock: int = 0
    later: bool = False
    summed: bool = False
    left_open: bool = False
    left: set[AccessId] = field(default_factory=set)
    counter: Symbol | None = None
    literals: int = 0


@dataclass(slots=True)
class Run:
    """Everything that changes while one kernel is interpreted; it lives for one call of `interpret`.

    `block_at`: the one block that is interpreted, if it is not any block of the grid. `times`: iterations per warp of
    the enclosing summarised loops; `turn`: the innermost of these, if all that is executed lies in its rounds 0 to its
    trip count - 1. `recording` is off while a loop's step form is derived. `programs`: expressions in postfix order,
    by identity. `applied`: results of expressions and statements, by the identities of what they were made from.
    `counted`: operations that the settings ask for. `epoch` counts what may have changed memory. `exact_left`: statements that may still be executed in exact loops, those that wait for many conditions counted more than once."""

    kernel: Kernel
    settings: Settings
    arithmetic: Arithmetic
    roots: Roots
    statics: Statics
    mask: Mask
    env: Environment
    liveness: Liveness
    exact_left: int
    deadline: float
    times: Expression = field(default_factory=lambda: ex.integer(1))
    turn: Turn | None = None
    block_at: tuple[int, int, int] | None = None
    recording: bool = True
    trace: list[Node] = field(default_factory=list)
    weights: dict[int, tuple[Stmt, int, int, Ranges]] = field(default_factory=dict)  # steps and operations by statement
    counted: tuple[str, ...] = ()
    operations: Callable[[Stmt], Ranges] | None = None  # of `counted`, what a statement does; None if nothing is
    executed: list[Executed] = field(default_factory=list)
    counters: set[Span] = field(default_factory=set)
    epoch: int = 0
    frames: list[FrameKind] = field(default_factory=list)
    inside: list[Inside] = field(default_factory=list)  # the outermost first
    exits: list[Exit] = field(default_factory=list)
    via: list[Span] = field(default_factory=list)
    accesses: list[AccessEvent] = field(default_factory=list)
    branches: list[BranchEvent] = field(default_factory=list)
    claims: list[ClaimEvent] = field(default_factory=list)
    claimed: dict[Span, int] = field(default_factory=dict)  # executions of claims that are kept
    unknowns: list[Cause] = field(default_factory=list)
    coarse: list[Cause] = field(default_factory=list)
    assumptions: dict[str, Assumption] = field(default_factory=dict)
    bases: dict[Symbol, Root] = field(default_factory=dict)
    loads: dict[Hashable, tuple[Value, ...]] = field(default_factory=dict)
    asked: list[Hashable] = field(default_factory=list)  # of `loads`, since the last checkpoint (rejoin.py)
    programs: dict[int, Program] = field(default_factory=dict)
    applied: dict[tuple[int, ...], tuple[Value, object]] = field(default_factory=dict)
    trips: dict[str, Span] = field(default_factory=dict)
    trip_uppers: dict[Symbol, Expression | None] = field(default_factory=dict)
    parameters: list[Symbol] = field(default_factory=list)
    loop_limits: dict[Span, LoopLimit] = field(default_factory=dict)  # stated bounds by the text of the loop
    rounds_done: dict[Span, int] = field(default_factory=dict)  # executed exactly before the rest was summarised
    rejected: list[Misstatement] = field(default_factory=list)
    grid: tuple[Expression, ...] | None = None
    extents: tuple[int | None, int | None, int | None] = (None, None, None)

    def keep(self, key: tuple[int, ...], value: Value, operands: object) -> None:
        """Remembers in `applied` what was made from operands. The operands are held, so that nothing else gets their
        identities. Rounds that are executed one by one make new ones each time, so everything is forgotten once it may
        take too much room."""
        if (len(self.applied) + 1) * 8 * self.arithmetic.shape.padded > _MOST_APPLIED:
            self.applied.clear()
        self.applied[key] = value, operands

    def count_steps(self, stmt: Stmt) -> None:
        """Notes that the present threads execute the statement (for a loop: its test); nested statements are noted
        apart."""
        if not self.recording:
            return
        known = self.weights.get(id(stmt))
        if known is None:
            weights = weights_of(self.kernel)
            least = weights.of_statement(stmt, self.via[-1] if self.via else None)
            operations = self.operations(stmt) if self.operations is not None else ()
            known = self.weights[id(stmt)] = (stmt, least, least + weights.open_in(stmt), operations)
        self.add_steps(Stepped(self.mask, *known[1:]))
        if known[2] or known[3]:
            self.executed.append((stmt, known[2], self.mask, self.times))

    def is_heavy(self) -> bool:
        """Whether the events so far take more memory than one kernel may have."""
        return (
            bytes_of(len(self.accesses), len(self.branches), self.arithmetic.shape)
            > self.settings.kernel_megabytes << 20
        )

    def add_steps(self, steps: Stepped) -> None:
        """Steps of the present threads; those of one mask are added up."""
        if not steps.most and not steps.operations:
            return
        last = self.trace[-1] if self.trace else None
        if isinstance(last, Stepped) and last.mask is self.mask:
            self.trace[-1] = last.and_then(steps)
        else:
            self.trace.append(steps)

    def number_of(self, loop: Loop) -> int:
        """The number of a loop in its kernel, in the order of the IR. It stays the same when the kernel moves in its
        file."""
        return loop_numbers(self.kernel)[loop.whole]

    def type_of(self, key: VarId | Cell | Stored) -> Type | None:
        """The type of a variable; None for a cell, whose values remember their own nature."""
        return self.kernel.variables[key].type if isinstance(key, int) else None

    def assume_that(self, text: str, span: Span | None = None) -> None:
        """Notes a condition on which the results rest."""
        self.assumptions.setdefault(text, Assumption(text, span))


@derived
def loop_numbers(kernel: Kernel) -> Mapping[Span, int]:
    """The number of each loop of a kernel in the order of the IR, by the place of its whole text."""
    places = (stmt.whole for stmt in statements_of(kernel) if isinstance(stmt, Loop))
    return {place: number for number, place in enumerate(dict.fromkeys(places))}


def leave(run: Run, target: int, kind: ExitKind) -> None:
    """The present threads leave; nobody remains."""
    run.exits.append(Exit(target, kind, run.mask, run.env))
    run.mask = Mask(run.mask.may & False)


def innermost(run: Run, kinds: tuple[FrameKind, ...]) -> int | None:
    """Index of the innermost frame of one of the kinds that lies within the innermost function."""
    for index in range(len(run.frames) - 1, -1, -1):
        if run.frames[index] in kinds:
            return index
        if run.frames[index] is FrameKind.FUNCTION:
            return None
    return None


def without(mask: Mask, exits: list[Exit]) -> Mask:
    """The threads of `mask` that took none of the exits."""
    for entry in exits:
        mask = masks.assume(mask, cond.negate(masks.since(entry.mask, mask_base(mask, entry.mask))))
    return mask


def mask_base(mask: Mask, inner: Mask) -> Mask:
    """The mask whose literals `mask` and `inner` share: what both were made from, with `mask`'s lanes."""
    shared = {id(entry) for entry in inner.literals}
    return Mask(mask.may, tuple(entry for entry in mask.literals if id(entry) in shared))


def join(run: Run, c: Condition, then: Environment, otherwise: Environment, live: Live = EVERY) -> Environment:
    """The environment after two ways meet: `then` for threads that satisfy the condition, else `otherwise`.

    Forgotten are variables and cells that only one side knows, what only one side has stored, and variables that are
    not `live`, since nobody reads them again."""
    if then is otherwise:
        return then
    result = {key: v for key, v in otherwise.items() if not isinstance(key, int) or live >> key & 1}
    for key, value in then.items():
        if isinstance(key, int) and not live >> key & 1:
            continue
        other = otherwise.get(key)
        if other is value:
            continue
        if is_stored(key):
            result.pop(key, None)
            continue
        if other is None:
            if isinstance(key, int):
                result[key] = value
            continue
        type_ = run.type_of(key)
        result[key] = run.arithmetic.blend(c, value, other, type_ if type_ is not None else LONG)
    for key in otherwise:
        if not isinstance(key, int) and key not in then:
            del result[key]
    return result
