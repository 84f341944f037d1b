"""Block-size independence: does each thread do what the thread of its global number does in any other block?

    int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) a[i] = b[i];        yes: all is a function of i
    a[blockIdx.x * 256 + threadIdx.x] = ..                                        in blocks of 256 alone
    tile[threadIdx.x] = ..; __syncthreads(); .. tile[blockDim.x - 1 - threadIdx.x]  no

One walk over the kernel keeps for each variable a form (thread_forms.py); what is stored and where, what is loaded and each condition have to be
settled, and are written down as digests.  Two shapes of one kernel whose digests are the same do the same, thread by thread.  Variables that a
loop assigns keep what multiplies their raw numbers, or depend on the block.  Shared memory, and what lanes tell each other, are between threads of one
block: nothing is said of what they do but where it stands.

It is a proof about integers that do not wrap around, as are all costs.
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.advice import thread_forms as tf
from analysis_core.advice.thread_forms import Form
from analysis_core.ir import nodes as ir
from analysis_core.ir.nodes import Block, Expr, Kernel, Stmt, VarId
from analysis_core.ir.types import ScalarKind, ScalarType, Space, Type
from analysis_core.ir.walk import fold, statements
from analysis_core.machine.block_shape import Shape
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_ROUNDS = 8
"""Walks over a loop until its variables are settled; nested loops take as many of each other's."""


@dataclass(frozen=True, slots=True)
class Depends:
    """Why what a thread does is not known to be a function of its global number, and the statement that prevents it."""

    why: str
    span: Span | None


class _Dependent(Exception):
    def __init__(self, why: str, span: Span | None) -> None:
        super().__init__(why)
        self.found = Depends(why, span)


def thread_program(kernel: Kernel, block: Shape) -> tuple[str, ...] | Depends:
    """What a thread does, as digests: equal ones of two shapes do the same for equal global numbers."""
    walk = _Walk(kernel, block)
    try:
        walk.block(kernel.body)
    except _Dependent as why:
        return why.found
    return tuple(walk.told)


class _Walk:
    def __init__(self, kernel: Kernel, block: Shape) -> None:
        self.kernel, self.shape = kernel, block
        self.values: dict[VarId, Form] = {
            v.id: Form(own=tf.digest("parameter", v.name)) for v in kernel.variables if v.parameter
        }
        self.told: list[str] = []
        self.assigned: list[tuple[VarId, Form]] = []
        self.steps = 20_000

    # --- statements -----------------------------------------------------------------------------------------------

    def block(self, block: Block) -> None:
        for stmt in block:
            self.steps -= 1
            if self.steps < 0:
                raise _Dependent("it has too many statements", None)
            self.statement(stmt)

    def statement(self, stmt: Stmt) -> None:
        match stmt:
            case ir.Declare() | ir.Fence() | ir.Break() | ir.Continue() | ir.Return():
                self.told.append(type(stmt).__name__)
            case ir.Assign(var, value, span):
                self.assign(var, self.value(value, span))
            case ir.Load(variables, address, access):
                place = self.place(address, access)
                self.tell("load", place)
                for n, var in enumerate(variables):
                    self.assign(var, Form(own=tf.digest("loaded", place, n, len(self.told))))
            case ir.Store(address, values, access):
                self.tell("store", self.place(address, access), *(self.settled(v, access.span) for v in values))
            case ir.Atomic(var, op, address, args, access):
                self.tell(op, self.place(address, access), *(self.settled(v, access.span) for v in args))
                if var is not None:
                    self.assign(var, tf.dependent("the order in which threads come to an atomic"))
            case ir.If():
                self.choice(self.settled(stmt.condition, stmt.span), (stmt.then, stmt.otherwise))
            case ir.Switch():
                labels = tuple(arm.labels for arm in stmt.arms)
                arms = tuple(tuple(one for arm in stmt.arms[n:] for one in arm.body) for n in range(len(stmt.arms)))
                self.choice((self.settled(stmt.selector, stmt.span), labels), (*arms, ()))
            case ir.Loop():
                self.loop(stmt)
            case ir.Inlined():
                self.inlined(stmt)
            case ir.Barrier(text=text, span=span):
                raise _Dependent(f"threads wait for each other (`{text}`)", span)
            case ir.Shuffle(span=span) | ir.Vote(span=span):
                raise _Dependent("lanes of a warp tell each other something", span)
            case ir.Claim():
                pass
            case ir.UnknownStmt(cause=cause, span=span):
                raise _Dependent(cause.reason, span)

    def tell(self, *parts: object) -> None:
        self.told.append(tf.digest(*parts))

    def assign(self, var: VarId, value: Form) -> None:
        self.values[var] = value
        self.assigned.append((var, value))

    def place(self, address: Expr, access: ir.Access) -> str:
        """The digest of an address; it has to be settled, and to lead to memory of the grid or of the thread."""
        found = self.settled(address, access.span)
        for node in _objects(address):
            if self.kernel.objects[node].space is Space.SHARED:
                raise _Dependent(f"`{access.text}` is shared by the threads of a block", access.span)
        return found

    def choice(self, condition: object, arms: Sequence[Block]) -> None:
        self.tell("choice", condition)
        before, after = self.values, []
        for n, arm in enumerate(arms):
            self.values = dict(before)
            self.tell("arm", n)
            self.block(arm)
            after.append(self.values)
        self.tell("joined")
        names = dict.fromkeys(name for one in after for name in one)
        self.values = {name: self.joined([one[name] for one in after if name in one], name) for name in names}

    def joined(self, values: Sequence[Form], var: VarId) -> Form:
        """One of several values."""
        first = values[0]
        if all(one == first for one in values):
            return first
        if why := next((one.why for one in values if one.why), ""):
            return tf.dependent(why)
        own = tf.digest("joined", [one.own for one in values], len(self.told), var)
        if all(one.raw == first.raw for one in values):
            return Form(first.raw, own)
        settled = [tf.settled(one, self.shape) for one in values]
        why = next((one.why for one in settled if one.why), "")
        return tf.dependent(why) if why else Form(own=tf.digest("joined", [one.own for one in settled], own))

    def inlined(self, stmt: ir.Inlined) -> None:
        """A call; where it returns from inside of something, a variable may be any value that it was given in it."""
        start = len(self.assigned)
        self.block(stmt.body)
        if any(isinstance(one, ir.Return) for part in stmt.body[:-1] for one in statements((part,))):
            given: dict[VarId, list[Form]] = {}
            for var, value in self.assigned[start:]:
                given.setdefault(var, []).append(value)
            self.values.update((var, self.joined(values, var)) for var, values in given.items())

    def loop(self, stmt: ir.Loop) -> None:
        """Variables that it assigns keep their raw numbers in each round; others of their values depend on the block.

        A variable that begins with a global number and goes on by as many threads as the grid has stands for all numbers, each of one thread in
        one round; nothing else may then be carried from round to round."""
        before, told = dict(self.values), len(self.told)
        heads: dict[VarId, Form] = {}
        for _ in range(_ROUNDS):
            self.values = {**before, **heads}
            del self.told[told:]
            start = len(self.assigned)
            self.tell("loop", stmt.kind)
            self.block(stmt.test)
            self.tell("while", None if stmt.condition is None else self.settled(stmt.condition, stmt.span))
            self.block(stmt.body)
            self.block(stmt.step)
            self.tell("end")
            given: dict[VarId, list[Form]] = {}
            for var, value in self.assigned[start:]:
                given.setdefault(var, []).append(value)
            strided = {var for var, values in given.items() if self._strides(before.get(var), values)}
            found = {
                var: self._head(var, before.get(var), [] if var in strided else values, told)
                if var in strided or not strided
                else tf.dependent("what was done in the round before")
                for var, values in given.items()
            }
            if found == heads:
                behind = dict.fromkeys(given, tf.dependent("what was done in the last round")) if strided else heads
                self.values = {**before, **behind}
                return
            heads = found
        raise _Dependent("its loops are nested too deeply", stmt.span)

    def _strides(self, entered: Form | None, values: Sequence[Form]) -> bool:
        """Whether a variable is a global number at first, and in each round the one that lies all threads of the grid behind."""
        if entered is None or entered.why or len(values) != 1 or values[0].why:
            return False
        more = dict(values[0].raw)
        for key, number in entered.raw.items():
            more[key] = more.get(key, 0) - number
        steps = {key: number for key, number in more.items() if number}
        if len(steps) != 1:
            return False
        ((kind, axis, by), number) = next(iter(steps.items()))
        of_thread = entered.raw.get((tf.THREAD, axis, by), 0)
        return kind is tf.GRID and of_thread > 0 and number == of_thread * self.shape[axis]

    def _head(self, var: VarId, entered: Form | None, values: Sequence[Form], place: int) -> Form:
        """What a variable is in any round, and behind the loop."""
        every = [*values] if entered is None else [entered, *values]
        if why := next((one.why for one in every if one.why), ""):
            return tf.dependent(why)
        own = tf.digest("round", var, place)
        if all(one.raw == every[0].raw for one in every):
            return Form(every[0].raw, own)
        settled = [tf.settled(one, self.shape) for one in every]
        why = next((one.why for one in settled if one.why), "")
        return tf.dependent(why) if why else Form(own=own)

    # --- expressions ----------------------------------------------------------------------------------------------

    def settled(self, expr: Expr, span: Span | None) -> str:
        """The digest of a value that is a function of global numbers."""
        found = tf.settled(self.value(expr, span), self.shape)
        if found.why:
            raise _Dependent(f"it rests on {found.why}", span)
        return str(found.own)

    def value(self, expr: Expr, span: Span | None) -> Form:
        return fold(expr, lambda node, below: self.combined(node, below))

    def combined(self, node: Expr, below: Sequence[Form]) -> Form:
        match node:
            case ir.Const(value, type_):
                return Form(own=value if isinstance(value, int) and _is_whole(type_) else tf.digest("number", value))
            case ir.Local(var):
                return self.values.get(var, Form(own=tf.digest("unset", var)))
            case ir.Builtin(kind, axis):
                return tf.builtin(kind, axis)
            case ir.Binary(op="+" | "-" as op) if _is_whole(node.type):
                return tf.added(below[0], below[1], 1 if op == "+" else -1)
            case ir.Binary(op="*") if _is_whole(node.type):
                return tf.multiplied(below[0], below[1], self.shape)
            case ir.Binary(op="<<") if _is_whole(node.type) and (by := below[1].number) is not None and 0 <= by < 32:
                return tf.multiplied(below[0], Form(own=1 << by), self.shape)
            case ir.Unary(op="-") if _is_whole(node.type):
                return tf.added(Form(), below[0], -1)
            case ir.Cast(operand, type_) if _is_wide(type_) and _is_wide(operand.type):
                return below[0]
            case ir.PtrAdd(offset=offset):
                index = tf.multiplied(below[1], below[2], self.shape)
                return tf.added(tf.added(below[0], index), Form(own=offset))
            case ir.AddressOf(object=id_):
                return Form(own=tf.digest("object", self.kernel.objects[id_].name))
            case ir.UnknownExpr(cause=cause):
                return tf.dependent(cause.reason)
            case _:
                return self.opaque(node, below)

    def opaque(self, node: Expr, below: Sequence[Form]) -> Form:
        """An operation of settled values; a warp's or block's own numbers in it depend on the block."""
        parts = [tf.settled(one, self.shape) for one in below]
        if why := next((one.why for one in parts if one.why), ""):
            return tf.dependent(why)
        name = getattr(node, "op", getattr(node, "name", ""))
        return Form(own=tf.digest(type(node).__name__, name, repr(node.type), [one.own for one in parts]))


def _is_whole(type_: Type) -> bool:
    return isinstance(type_, ScalarType) and type_.kind is ScalarKind.INT


def _is_wide(type_: Type) -> bool:
    """Integers of which no value that counts threads is cut."""
    return (isinstance(type_, ScalarType) and type_.kind is ScalarKind.INT and type_.size >= 4) or not isinstance(
        type_, ScalarType
    )


def _objects(address: Expr) -> list[ir.ObjectId]:
    found: list[ir.ObjectId] = []

    def combine(node: Expr, _: Sequence[None]) -> None:
        if isinstance(node, ir.AddressOf):
            found.append(node.object)

    fold(address, combine)
    return found
