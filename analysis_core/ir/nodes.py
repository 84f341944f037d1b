"""The IR on one page: one kernel, structured, typed, with side effects in order.

    Kernel    = parameters, objects (arrays in some memory space), body
    Stmt      = Declare | Assign | Load | Store | Atomic | If | Loop | Switch | Break | Continue | Return
              | Inlined | Barrier | Shuffle | Vote | UnknownStmt | Claim
    Expr      = Const | Local | Builtin | Unary | Binary | Cast | Select | Intrinsic
              | AddressOf | PtrAdd | UnknownExpr

**Invariants.** Expressions are pure: no memory, no assignment, no trap.  All loads, stores, calls and `++` have
become statements in C's order of evaluation (left to right where C leaves it open).  `&&`, `||` and `?:` are
`Binary` / `Select` where their right sides are pure, else an `If` with `kind` AND, OR or SELECT.  Every variable
(`VarId`) is a scalar or a pointer; structs and vectors held in registers are one variable per scalar member; an
array that is indexed by a non-constant, or whose address is taken, is a `MemoryObject` in space LOCAL.  Each inlined call has variables of its own.
Arithmetic conversions are explicit: both operands of a `Binary` have its operand type (shifts: each its own).

What is not understood is `UnknownExpr` / `UnknownStmt` with a cause; an `UnknownStmt` lists what it may change.
"""

from __future__ import annotations

from bisect import bisect_right
from enum import Enum
from typing import NewType

from analysis_core.ir.launch_site import LaunchSite
from analysis_core.ir.stated import NOTHING_STATED, Annotations
from analysis_core.ir.types import PointerType, ScalarType, Space, Type
from analysis_core.support.facts import Assumption, Cause
from analysis_core.syntax.read.annotation_tree import Misstatement
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

VarId = NewType("VarId", int)
ObjectId = NewType("ObjectId", int)
AccessId = NewType("AccessId", int)


# --- expressions ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Const:
    """An integer (already reduced to its type's range), float or bool constant."""

    value: int | float
    type: Type


@dataclass(frozen=True, slots=True)
class Local:
    """The present value of a variable (parameters are variables, initialised at entry)."""

    var: VarId
    type: Type


class BuiltinKind(Enum):
    THREAD_IDX = "threadIdx"
    BLOCK_IDX = "blockIdx"
    BLOCK_DIM = "blockDim"
    GRID_DIM = "gridDim"


@dataclass(frozen=True, slots=True)
class Builtin:
    """threadIdx.x and so on; `axis` 0, 1, 2; type unsigned int.  Lane and warp numbers are lowered to arithmetic."""

    kind: BuiltinKind
    axis: int
    type: Type


@dataclass(frozen=True, slots=True)
class Unary:
    op: str  # - ~ !
    operand: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Binary:
    """op: + - * / % << >> & | ^ < <= > >= == != && ||.  Comparisons and logic have type BOOL, 0 or 1.

    Both operands pointers: only - (in elements of the left's target), == != < <= > >=."""

    op: str
    left: Expr
    right: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Cast:
    """A conversion to `type`: widening, narrowing modulo 2^w, int <-> float, pointer <-> pointer (keeps the address)."""

    operand: Expr
    type: Type


@dataclass(frozen=True, slots=True)
class Select:
    condition: Expr
    then: Expr
    otherwise: Expr
    type: Type
    span: Span


@dataclass(frozen=True, slots=True)
class Intrinsic:
    """A pure function of its arguments by its canonical name: min max abs mul24 mulhi sqrt fma popc clz ffs brev ..
    The interpreter knows the integer ones; any other name is an unknown function *of its arguments*, hence as uniform as they are."""

    name: str
    args: tuple[Expr, ...]
    type: Type


@dataclass(frozen=True, slots=True)
class AddressOf:
    """The address of the first byte of a memory object."""

    object: ObjectId
    type: PointerType


@dataclass(frozen=True, slots=True)
class PtrAdd:
    """`pointer` plus `index * scale + offset` bytes.  `index` is an integer expression of its own C type (it is sign- or zero-extended to 64 bits by
    that type), `scale` the element size (Const, or symbolic with opaque sizes)."""

    pointer: Expr
    index: Expr
    scale: Expr
    type: PointerType
    offset: int = 0


@dataclass(frozen=True, slots=True)
class UnknownExpr:
    """A value about which only its type is known; `reads` are the expressions it was made from, for display."""

    cause: Cause
    type: Type


Expr = Const | Local | Builtin | Unary | Binary | Cast | Select | Intrinsic | AddressOf | PtrAdd | UnknownExpr


# --- statements -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Access:
    """The place of a memory access: `text` is the lvalue as the user wrote it, `via` the spans of the inlined calls
    that lead here (outermost first), `width` the bytes that one lane moves in one request."""

    id: AccessId
    span: Span
    text: str
    width: int
    type: Type
    via: tuple[Span, ...]
    volatile: bool = False
    compound: bool = False  # one half of `a[i] += v` or `a[i]++`: the load and the store share the span
    merges: bool = False  # the load of a storage unit for the bits around a bit-field that is assigned
    deferred: bool = False  # part of a copy that is done when its thread waits for it (`cp.async`)
    of_block: bool = False  # an atomic update that only threads of one block see as such (`atomicAdd_block`)
    loose: bool = False  # more bytes than one instruction moves: of shared memory its wavefronts are an upper figure


@dataclass(frozen=True, slots=True)
class Declare:
    """A declaration that no `Assign` stands for: without initialiser, of an array, `__shared__`.  It changes nothing."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Assign:
    var: VarId
    value: Expr
    span: Span


@dataclass(frozen=True, slots=True)
class Load:
    """`vars`: one variable, or one per component of a vector access (width bytes in all)."""

    vars: tuple[VarId, ...]
    address: Expr
    access: Access


@dataclass(frozen=True, slots=True)
class Store:
    address: Expr
    values: tuple[Expr, ...]
    access: Access


@dataclass(frozen=True, slots=True)
class Atomic:
    """`op`: add sub exch min max inc dec cas and or xor; `var` receives the old value if it is used."""

    var: VarId | None
    op: str
    address: Expr
    args: tuple[Expr, ...]
    access: Access


class IfKind(Enum):
    IF = "if"
    AND = "and"
    OR = "or"
    SELECT = "select"


@dataclass(frozen=True, slots=True)
class If:
    """`span` is that of the condition, `whole` that of the statement."""

    condition: Expr
    then: Block
    otherwise: Block
    kind: IfKind
    span: Span
    whole: Span


class LoopKind(Enum):
    FOR = "for"
    WHILE = "while"
    DO = "do"


@dataclass(frozen=True, slots=True)
class Loop:
    """while (test; condition) { body; step }.  `test` computes what the condition needs, before every test; `continue` in `body` goes to `step`.  DO tests
    after `step` instead of before `body`.  `condition` None: for (;;).  `span` is that of the condition (of the keyword if there is none)."""

    kind: LoopKind
    test: Block
    condition: Expr | None
    body: Block
    step: Block
    span: Span
    whole: Span
    unroll: int | None = None


@dataclass(frozen=True, slots=True)
class SwitchArm:
    """`labels` are constants, None is `default`.  Control falls through to the next arm unless it breaks."""

    labels: tuple[int | None, ...]
    body: Block


@dataclass(frozen=True, slots=True)
class Switch:
    selector: Expr
    arms: tuple[SwitchArm, ...]
    span: Span
    whole: Span


@dataclass(frozen=True, slots=True)
class Break:
    """Leaves the innermost Loop or Switch."""

    span: Span


@dataclass(frozen=True, slots=True)
class Continue:
    span: Span


@dataclass(frozen=True, slots=True)
class Return:
    """Leaves the innermost Inlined, or the kernel.  The value was assigned to the Inlined's result before."""

    span: Span


@dataclass(frozen=True, slots=True)
class Inlined:
    """A device function's body in place of its call; parameters are assigned before, inside `body`."""

    function: str
    body: Block
    span: Span


class BarrierScope(Enum):
    WARP = "warp"
    PART = "part"
    BLOCK = "block"
    CLUSTER = "cluster"
    GRID = "grid"

    @property
    def is_whole(self) -> bool:
        """Whether all threads of a block wait there, and it is counted as such."""
        return self in (BarrierScope.BLOCK, BarrierScope.GRID)


@dataclass(frozen=True, slots=True)
class Barrier:
    """`text` as spelled.  In a part of a block, who waits for whom, if that is said: each `tile` threads in a row; the `lanes` of a mask; `count`
    threads at a `number`; those who come to an `object` at this address.  `step`: they "sync", only "arrive", each for `count`, or "wait" with the
    `token` of an arrival; or it is "made" for `count`, or "binds" what is deferred, or is a step of a pipeline (races/pipelines.py)."""

    scope: BarrierScope
    text: str
    span: Span
    tile: int = 0
    lanes: int = 0
    number: Expr | None = None
    count: Expr | None = None
    object: Expr | None = None
    step: str = "sync"
    token: Expr | None = None


@dataclass(frozen=True, slots=True)
class Fence:
    """Orders memory or may read any of it.  `commits`: what was deferred becomes a group; `awaits`: so many may be left, -1 (as a constant): all is done."""

    text: str
    span: Span
    commits: bool = False
    awaits: Expr | None = None


@dataclass(frozen=True, slots=True)
class Shuffle:
    """`op`: idx up down xor.  `width` lanes (sub-warp segments); semantics of __shfl_*_sync.  `whole`: all lanes of a warp are named."""

    var: VarId
    op: str
    value: Expr
    lane: Expr
    width: Expr
    span: Span
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Vote:
    """`op`: all any ballot uni activemask clock match_any match_all, elect (a lane's number), reduce_ with add min max and or xor (or reduce: unknown),
    and those of 8 x 8 matrices (simulate/matrices.py); warp-uniform but for match_any and matrices, among lanes of one mask where that is the last of `args`.  syncthreads_count.. are a Barrier and a Vote with `block`.  `whole`: as for Shuffle."""

    var: VarId
    op: str
    args: tuple[Expr, ...]
    span: Span
    block: bool = False
    whole: bool = False


LAUNCHED = "a kernel is launched from a kernel"
"""The reason of an `UnknownStmt` that is a launch."""

HEAP_EXPRESSIONS = frozenset({"new expression", "delete expression"})
"""The reasons of an `UnknownStmt` that takes memory from the device's heap or gives it back."""

ASYNCHRONOUS_COPY = "asynchronous copy"
LIBRARY_OBJECT = "library object of libcu++"
"""What is said of an `UnknownStmt` that starts a copy, or is a call of the library's own barriers and pipelines among others."""

ARRIVAL_TOKEN = "a token of an arrival"
"""The reason of an `UnknownExpr` that stands for one; of what it is nothing depends but for which arrival a thread waits."""

JUMPS = frozenset({"goto", "label"})
"""The reasons of an `UnknownStmt` that goes elsewhere, or is gone to: what is done there stands there."""


@dataclass(frozen=True, slots=True)
class UnknownStmt:
    """Not analysed.  `changes`: variables that it may assign; `memory`: it may access all that a pointer reaches; `leaves`: it may jump (goto)."""

    cause: Cause
    changes: tuple[VarId, ...]
    memory: bool
    leaves: bool
    span: Span


@dataclass(frozen=True, slots=True)
class Claim:
    """What an annotation claims of the threads that come here, in kernels that are made to check it (`Kernel.claimed`).  `setup` computes what the
    condition needs and changes nothing else; without a condition it remembers what a claim asks for later.  `text`: of the condition."""

    word: str
    setup: Block
    condition: Expr | None
    text: str
    span: Span


Plain = Declare | Assign | Load | Store | Atomic | Barrier | Fence | Shuffle | Vote | UnknownStmt
Control = If | Loop | Switch | Break | Continue | Return | Inlined | Claim
Stmt = Plain | Control

COSTLY = (Load, Store, Atomic, Loop, Barrier, Inlined, Shuffle, Vote, UnknownStmt)
"""What a compiler does not predicate as it does arithmetic: accesses, calls, loops, barriers, unknown code."""

Block = tuple[Stmt, ...]


# --- variables, objects ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Variable:
    """A register.  `name` as in the source ("p.n" for a member of a by-value struct, "f(): x" in an inlined call)."""

    id: VarId
    name: str
    type: ScalarType | PointerType | Type
    span: Span
    parameter: bool = False

    @property
    def is_restrict(self) -> bool:
        """A pointer that is said to be the only way to its memory; of a member of a struct compilers do not believe it."""
        return isinstance(self.type, PointerType) and self.type.restrict and "." not in self.name


@dataclass(frozen=True, slots=True)
class MemoryObject:
    """An array (or variable) with an address.  `type` has the extents; `bytes` None if unsized (`extern __shared__`).  All `extern __shared__`
    arrays of a kernel are one object.  `align`: bytes that the declaration asks for (`alignas`, `__align__`), at least 1."""

    id: ObjectId
    name: str
    space: Space
    type: Type
    span: Span
    read_only: bool = False  # __constant__, const
    align: int = 1


# --- the kernel -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)  # no slots: what is asked of it again and again is kept with it (support/derived.py)
class Kernel:
    """`instantiation`: "reduce<256>" or None.  `unknowns`: every cause met while lowering, in source order.

    `requested_axes`: which components of threadIdx the body uses (for the default block shape).  `asserted`: what assertions ask
    for; `asserted_extents`: axis and extent of `assert(blockDim.x == 32)`; `asserted_sizes`: parameters with the least and the most that assertions leave them.  `left_out`: from an access on, how many numbers before it stand for nothing (relowering.py); variables that stand for nothing have no name.  `bounded`: its bounds are found, unless the settings say no.  `guessed`: values of its template that nothing in view says are taken for granted.  `claimed`: the same kernel with what annotations claim in it, None if they claim nothing.  `resized`: the same kernel with types that are not declared at `OTHER_BYTES`, where it rests on their size; without launches."""

    name: str
    instantiation: str | None
    span: Span
    name_span: Span
    parameters: tuple[VarId, ...]
    variables: tuple[Variable, ...]  # index = VarId
    objects: tuple[MemoryObject, ...]  # index = ObjectId
    body: Block
    launches: tuple[LaunchSite, ...]
    launch_bounds: int | None
    requested_axes: frozenset[int]
    unknowns: tuple[Cause, ...]
    assumptions: tuple[Assumption, ...]
    annotations: Annotations = NOTHING_STATED
    asserted: tuple[Span, ...] = ()
    asserted_extents: tuple[tuple[int, int, Span], ...] = ()
    asserted_sizes: tuple[tuple[VarId, int | None, int | None], ...] = ()
    left_out: tuple[tuple[AccessId, int], ...] = ()
    bounded: bool = True
    claimed: Kernel | None = None
    guessed: bool = False
    resized: Kernel | None = None

    @property
    def unseen(self) -> frozenset[str]:
        """The names of constants whose values are not visible."""
        own = set(self.parameters)
        return frozenset(v.name for v in self.variables if v.parameter and v.id not in own)

    def plain_number(self, access: AccessId) -> AccessId:
        """The number of an access if none were left out."""
        before = bisect_right(self.left_out, access, key=lambda entry: entry[0])
        return AccessId(access - self.left_out[before - 1][1]) if before else access


@dataclass(frozen=True, slots=True)
class IrModule:
    """`rejected`: annotations of the main file that are about no kernel.  `crowded`: its launches, or kernels, may be too many to be all read or analysed."""

    kernels: tuple[Kernel, ...]
    dependencies: tuple[str, ...]
    rejected: tuple[Misstatement, ...] = ()
    crowded: bool = False
