"""What the interpreter saw: every access, branch and barrier that can be executed, in order, with its mask.

One event is one execution of a statement by the block, under one abstract state; a loop executed exactly gives one
event per iteration, a summarised one a single event with its iterations as `times`.  Costs are made from events
later (requests/evaluate.py); nothing here knows of sectors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import Enum

from analysis_core.domains.condition import Condition
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.mask import Mask
from analysis_core.domains.relations import NONE, Relations
from analysis_core.domains.shape import Shape
from analysis_core.domains.symbol import Symbol
from analysis_core.domains.thread_value import Integer, Value
from analysis_core.expressions.expression import Expression
from analysis_core.interp.core.trace import Node
from analysis_core.ir.nodes import Access, Claim, IfKind, LoopKind, Stmt
from analysis_core.ir.types import Space
from analysis_core.support.facts import Assumption, Cause
from analysis_core.syntax.read.annotation_tree import Misstatement
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span


class AccessKind(Enum):
    READ = "R"
    WRITE = "W"
    ATOMIC = "A"

    __hash__ = object.__hash__  # members are themselves only; that of `Enum` is a call of its own


@dataclass(frozen=True, slots=True)
class Held:
    """What is left of an execution whose element stays in a register through loops (registers.py), or behind which
    threads leave a loop (early_exits.py): it happens `times` in all, an upper expression. `loop`: the outermost of
    these loops; `leaving`: the second reason holds."""

    times: Expression
    loop: Span
    leaving: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class AccessEvent:
    """One execution of an access. `address`: in bytes, a polynomial that holds the base's symbol; `base`: the name of
    the array or pointer, "?" if it is not known; `times`: executions per warp in the enclosing summarised loops, an
    upper expression.

    `extent`: bytes of the one array in which every address lies, if known. `ragged`: as in `BranchEvent`. `held`: set
    where compilers make fewer requests than there are executions. `varied`: in how many of the loops around `times`
    counts the most rounds, though other entries have fewer. `cut`: memory may end one of these loops before the rounds
    that `times` counts. `uneven`: one of them makes whole rounds more for some warps (`for (u = 0; u <= threadIdx.x;
    u++)`). `own`: it loads what the same threads have just stored (just_stored.py).
    `stored`: what a store to shared memory leaves there."""

    access: Access
    kind: AccessKind
    address: Integer
    base: str
    space: Space
    mask: Mask
    times: Expression
    extent: int | None = None
    ragged: bool = False
    held: Held | None = None
    varied: int = 0
    cut: bool = False
    uneven: bool = False
    own: bool = False
    stored: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class BranchEvent:
    """One execution of a test. `conditions`: one for an if or a loop test, one per target for a switch. `work`: per
    arm, whether it holds memory accesses, calls, loops or barriers.

    `iteration`: the counter of a summarised loop, else None; `entered`: for the test of a summarised loop, how often
    the loop is entered, an upper expression like `times`; `exits`: that test in another form (`exit_tests`), if there
    is one. `execution`: tells apart executions of one exact loop. `ragged`: lanes of a warp may have left the
    enclosing summarised loops in an earlier round, which `mask`, since it speaks of one round, does not say. `cut`: as
    in `AccessEvent`."""

    span: Span
    whole: Span
    kind: IfKind | LoopKind | str
    via: tuple[Span, ...]
    conditions: tuple[Condition, ...]
    mask: Mask
    times: Expression
    work: tuple[bool, ...]
    iteration: Symbol | None = None
    execution: int = 0
    entered: Expression | None = None
    ragged: bool = False
    exits: Condition | None = None
    cut: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ClaimEvent:
    """One execution of a claim by the threads of `mask`; in a summarised loop that of any of its rounds.  `condition`: what is claimed of them."""

    claim: Claim
    condition: Condition
    mask: Mask


Executed = tuple[Stmt, int, Mask, Expression]
"""One execution: the statement, its steps beside what accesses add, its threads, and the rounds of the enclosing summarised loops."""


_FEW = 8
"""Conditions that accesses and branches stand behind in code that people write."""


@dataclass(frozen=True, slots=True, eq=False)
class Events:
    """All that was executed in one interpretation of a kernel.

    `trips`: names of data-dependent trip counts with their loops. `coarse`: what a budget made imprecise.
    `derivations`: what symbols were made from; `symbols`: the first free number of a symbol. `trace`: the same events
    as a tree. `uppers`: the most that counters of summarised loops can be. `rejected`: parts of annotations that could
    not be used. `grid`: its three extents, if known. `executed`: the statements with their steps (`step_counts`).
    `counters`: atomics by which all lanes add the same amount to one cell. `relations`: what is assumed of several symbols together.
    `claims`: executions of claims. `extents`: those of the grid that are numbers. `counted`: the operations that are (ir/operations.py)."""

    shape: Shape
    accesses: tuple[AccessEvent, ...]
    branches: tuple[BranchEvent, ...]
    parameters: tuple[Symbol, ...]
    trips: tuple[tuple[str, Span], ...]
    unknowns: tuple[Cause, ...]
    assumptions: tuple[Assumption, ...]
    coarse: tuple[Cause, ...]
    derivations: Mapping[Symbol, Derivation]
    symbols: int
    rejected: tuple[Misstatement, ...] = ()
    trace: tuple[Node, ...] = ()
    uppers: Mapping[Symbol, Expression | None] = field(default_factory=dict)
    grid: tuple[Expression, ...] | None = None
    executed: tuple[Executed, ...] = ()
    counters: frozenset[Span] = frozenset()
    relations: Relations = NONE
    claims: tuple[ClaimEvent, ...] = ()
    extents: tuple[int | None, int | None, int | None] = (None, None, None)
    counted: tuple[str, ...] = ()

    def operations_of(self, event: AccessEvent) -> list[tuple[str, int]]:
        """What a request pays of the operations that the settings ask for; of those of threads each lane pays it."""
        if not self.counted:
            return []
        from analysis_core.ir.operations import of_access

        return [(name, of_access(name, event.space, event.access.width)) for name in self.counted]

    @property
    def size(self) -> int:
        """How many accesses and branches there are.  Each condition that keeps lanes from one counts
        as another one, but for a few."""
        masks = [event.mask for events in (self.accesses, self.branches) for event in events]
        return len(masks) + sum(max(0, len(mask.literals) - _FEW) for mask in masks)

    @property
    def bytes(self) -> int:
        """About what they hold in memory: see `bytes_of`."""
        return bytes_of(len(self.accesses), len(self.branches), self.shape)


def bytes_of(accesses: int, branches: int, shape: Shape) -> int:
    """About what so many events hold in memory: per thread some nine bytes for an address and a mask, four for the masks of a test.
    Counted, not measured, so that the answer is the same everywhere."""
    return (9 * accesses + 4 * branches) * shape.padded
