"""One thread of a kernel as formulas of z3: what it stores where, under which condition, in terms of its numbers, parameters and the memory before.

Integers are bit vectors, with C's conversions; floating point is a sort of its own whose operations are functions without a meaning, so that what is
proved equal does the same operations in the same order.  Where `real`, it is real numbers instead, which add in any order.

Straight-line code, with branches, calls and loops of a constant number of rounds; anything else is `Unfollowed`.  Memory is as the launch found it,
and what the thread itself has stored: nobody else writes what it reads.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from math import gcd
from typing import Any

import z3

from analysis_core.claims.symbols import COMMON, REAL, SIGNED, UNSIGNED, Symbols, Unfollowed
from analysis_core.ir.nodes import (
    AddressOf,
    Assign,
    Binary,
    Block,
    Break,
    Builtin,
    Cast,
    Claim,
    Const,
    Continue,
    Declare,
    Expr,
    Fence,
    If,
    Inlined,
    Intrinsic,
    Kernel,
    Load,
    Local,
    Loop,
    LoopKind,
    PtrAdd,
    Return,
    Select,
    Stmt,
    Store,
    Unary,
    VarId,
)
from analysis_core.ir.types import PointerType, ScalarKind, ScalarType, Space, Type
from analysis_core.ir.walk import fold
from analysis_core.text.records import dataclass

_MOST_ROUNDS = 64
_MOST_STATEMENTS = 4_000
_MOST_STORES = 256


@dataclass(frozen=True, slots=True)
class Pointer:
    """`root`: what it leads into; `offset` in bytes from its start, 64 bits, a multiple of `step` (0: it is 0)."""

    root: str
    offset: Any
    step: int = 0


@dataclass(frozen=True, slots=True)
class Stored:
    """A store of one cell: if `guard`, `value` is at byte `offset`."""

    guard: Any
    offset: Any
    value: Any


@dataclass(slots=True)
class Effects:
    """What a thread does: the stores into each array in order, with the type of its cells; `read`: arrays that it loads from."""

    stores: dict[str, list[Stored]] = field(default_factory=dict)
    cells: dict[str, ScalarType] = field(default_factory=dict)
    read: set[str] = field(default_factory=set)


class Thread:
    """One thread of one kernel, executed with formulas for values. `own`: names what is not shared with the other kernel."""

    def __init__(self, kernel: Kernel, symbols: Symbols, own: str) -> None:
        self._kernel, self.symbols, self._own = kernel, symbols, own
        self._context = symbols.context
        self._true, self._false = z3.BoolVal(True, self._context), z3.BoolVal(False, self._context)
        self._values: dict[VarId, Any] = {}
        self._left = _MOST_STATEMENTS
        self._gone: list[dict[type, Any]] = [{}]
        self.effects = Effects()
        self.claims: list[tuple[Claim, Any, Any]] = []
        parameters = [v for v in kernel.variables if v.parameter]
        if len(parameters) != len(kernel.parameters):
            raise Unfollowed("a constant that is not visible")
        for place, var in enumerate(kernel.parameters):
            self._values[var] = self._parameter(f"p{place}", kernel.variables[var].type)

    def run(self) -> Effects:
        """Executes the kernel. Raises `Unfollowed`."""
        self._block(self._kernel.body, self._true)
        return self.effects

    def _parameter(self, name: str, type_: Type) -> Any:
        match type_:
            case PointerType():
                return Pointer(name, self.symbols.number(0, 64))
            case ScalarType(kind=ScalarKind.BOOL):
                return z3.Bool(name, self._context)
            case ScalarType():
                made = z3.Const(name, self.symbols.sort(type_))
                if self.symbols.natural and z3.is_bv(made) and type_.signed:
                    self.symbols.limits.append(made >= self.symbols.number(0, made.size()))
                return made
            case _:
                raise Unfollowed("a parameter that is neither a number nor a pointer")

    def _unset(self, name: str, type_: Type) -> Any:
        """Any value."""
        if isinstance(type_, ScalarType) and type_.kind is not ScalarKind.BOOL:
            return z3.Const(name, self.symbols.sort(type_))
        return self._parameter(name, type_)

    # --- statements -------------------------------------------------------------------------------------------------

    def _block(self, block: Block, live: Any) -> Any:
        """Executes statements for a thread that is there if `live`; whether it is there behind them."""
        for stmt in block:
            if z3.is_false(live):
                break
            self._left -= 1
            if self._left < 0:
                raise Unfollowed("more statements than are followed")
            live = self._statement(stmt, live)
        return live

    def _statement(self, stmt: Stmt, live: Any) -> Any:
        match stmt:
            case Assign(var=var, value=value):
                self._assign(var, self.value(value), live)
            case Load():
                self._load(stmt, live)
            case Store():
                self._store(stmt, live)
            case If(condition=condition, then=then, otherwise=otherwise):
                test = self._truth(self.value(condition))
                entering = self._and(live, test), self._and(live, self._not(test))
                yes, no = self._block(then, entering[0]), self._block(otherwise, entering[1])
                return live if yes is entering[0] and no is entering[1] else self._or(yes, no)
            case Inlined(body=body):
                return self._inlined(body, live)
            case Loop():
                return self._loop(stmt, live)
            case Return() | Break() | Continue():
                return self._leave(type(stmt), live)
            case Claim():
                return self._claim(stmt, live)
            case Declare() | Fence():
                pass
            case _:
                raise Unfollowed(_WHAT.get(type(stmt).__name__, "a statement that is not followed"))
        return live

    def _claim(self, stmt: Claim, live: Any) -> Any:
        live = self._block(stmt.setup, live)
        if stmt.condition is not None:
            self.claims.append((stmt, live, self._truth(self.value(stmt.condition))))
        return live

    def _leave(self, kind: type, live: Any) -> Any:
        frame = next((f for f in reversed(self._gone) if kind in f), self._gone[0])
        frame[kind] = self._or(frame.get(kind, self._false), live)
        return self._false

    def _inlined(self, body: Block, live: Any) -> Any:
        self._gone.append({Return: self._false})
        on = self._block(body, live)
        return self._or(on, self._gone.pop()[Return])

    def _loop(self, stmt: Loop, live: Any) -> Any:
        left = self._false
        first = stmt.kind is not LoopKind.DO
        for number in range(_MOST_ROUNDS + 1):
            if first or number:
                live = self._block(stmt.test, live)
                test = self._true if stmt.condition is None else self._truth(self.value(stmt.condition))
                decided = z3.simplify(test)
                if z3.is_false(decided):
                    return self._or(left, live)
                if not z3.is_true(decided):
                    raise Unfollowed("a loop whose number of rounds is not constant")
            self._gone.append({Break: self._false, Continue: self._false})
            on = self._block(stmt.body, live)
            frame = self._gone.pop()
            left = self._or(left, frame[Break])
            live = self._block(stmt.step, self._or(on, frame[Continue]))
            if z3.is_false(z3.simplify(live)):
                return left
        raise Unfollowed(f"a loop of more than {_MOST_ROUNDS} rounds")

    def _assign(self, var: VarId, value: Any, live: Any) -> None:
        before = self._values.get(var)
        self._values[var] = value if before is None or z3.is_true(live) else self._chosen(live, value, before)

    def _chosen(self, test: Any, then: Any, otherwise: Any) -> Any:
        if isinstance(then, Pointer) or isinstance(otherwise, Pointer):
            if not isinstance(then, Pointer) or not isinstance(otherwise, Pointer) or then.root != otherwise.root:
                raise Unfollowed("a pointer that leads into one of several arrays")
            step = gcd(then.step, otherwise.step)
            return Pointer(then.root, self._chosen(test, then.offset, otherwise.offset), step)
        if then.sort() != otherwise.sort():
            raise Unfollowed("a value whose type is not known")
        return then if then.eq(otherwise) else z3.If(test, then, otherwise)

    # --- memory -----------------------------------------------------------------------------------------------------

    def _cells(self, address: Expr, types: Sequence[Type], volatile: bool) -> tuple[str, list[tuple[Any, ScalarType]]]:
        """The array, and offset and type of each cell of an access."""
        pointer = self.value(address)
        if volatile or not isinstance(pointer, Pointer):
            raise Unfollowed("volatile memory, or an address that is not known")
        cells: list[tuple[Any, ScalarType]] = []
        offset = pointer.offset
        for type_ in types:
            if not isinstance(type_, ScalarType):
                raise Unfollowed("a pointer in memory")
            if pointer.step % type_.size:
                raise Unfollowed("an address between the elements of an array")
            known = self.effects.cells.setdefault(pointer.root, type_)
            if (known.size, known.kind) != (type_.size, type_.kind):
                raise Unfollowed("an array that is read and written in several types")
            cells.append((offset, type_))
            offset = offset + self.symbols.number(type_.size, 64)
        return pointer.root, cells

    def _load(self, stmt: Load, live: Any) -> None:
        types = [self._kernel.variables[var].type for var in stmt.vars]
        if len(types) == 1 and isinstance(stmt.access.type, ScalarType):
            types = [stmt.access.type]
        root, cells = self._cells(stmt.address, types, stmt.access.volatile)
        self.effects.read.add(root)
        for var, (offset, type_) in zip(stmt.vars, cells, strict=True):
            self._assign(var, self.there(root, offset, type_), live)

    def there(self, root: str, offset: Any, type_: ScalarType) -> Any:
        """What the thread finds in a cell."""
        found = self.symbols.memory(root, type_)(offset)
        stores = self.effects.stores.get(root, ())
        self._left -= len(stores)
        for one in stores:
            found = self._chosen(z3.And(one.guard, one.offset == offset), one.value, found)
        return found

    def _store(self, stmt: Store, live: Any) -> None:
        types = [value.type for value in stmt.values]
        if len(types) == 1 and isinstance(stmt.access.type, ScalarType):
            types = [stmt.access.type]
        root, cells = self._cells(stmt.address, types, stmt.access.volatile)
        stores = self.effects.stores.setdefault(root, [])
        for expr, (offset, type_) in zip(stmt.values, cells, strict=True):
            stores.append(Stored(live, offset, self._converted(self.value(expr), expr.type, type_)))
        if len(stores) > _MOST_STORES:
            raise Unfollowed("more stores than are followed")

    # --- expressions ------------------------------------------------------------------------------------------------

    def value(self, expr: Expr) -> Any:
        """The value of an expression. Raises `Unfollowed`."""
        return fold(expr, self._value)

    def _value(self, node: Expr, args: Sequence[Any]) -> Any:
        match node:
            case Const(value=value, type=type_):
                return self._constant(value, type_)
            case Local(var=var, type=type_):
                if var not in self._values:  # it was given no value
                    self._values[var] = self._unset(f"{self._own}.v{var}", type_)
                return self._values[var]
            case Builtin(kind=kind, axis=axis):
                return self.symbols.builtin(kind.value, axis)
            case Unary(op=op):
                return self._unary(op, args[0], node.type)
            case Binary(op=op, left=left):
                return self._binary(op, args[0], args[1], left.type, node.type)
            case Cast(operand=operand, type=type_):
                return self._converted(args[0], operand.type, type_)
            case Select():
                return self._chosen(self._truth(args[0]), args[1], args[2])
            case Intrinsic(name=name, type=type_):
                return self._intrinsic(name, args, node.args[0].type if node.args else type_, type_)
            case AddressOf(object=number):
                one = self._kernel.objects[number]
                if one.space is Space.SHARED:
                    raise Unfollowed("shared memory")
                local = one.space is Space.LOCAL
                root = f"{self._own}.#{number}" if local else f"{one.name}@{one.span.file}:{one.span.start}"
                return Pointer(root, self.symbols.number(0, 64))
            case PtrAdd():
                return self._moved(node, args)
            case _:
                raise Unfollowed("an expression that is not understood")

    def _moved(self, node: PtrAdd, args: Sequence[Any]) -> Pointer:
        pointer, index, scale = args
        if not isinstance(pointer, Pointer):
            raise Unfollowed("an address that is not known")
        wide = self._widened(index, node.index.type, 64)
        by = wide * self._widened(scale, node.scale.type, 64) + self.symbols.number(node.offset, 64)
        steps = [node.scale.value if isinstance(node.scale, Const) and isinstance(node.scale.value, int) else 1]
        if isinstance(node.index, Const) and isinstance(node.index.value, int):
            steps = [steps[0] * node.index.value]
        return Pointer(pointer.root, pointer.offset + by, gcd(pointer.step, node.offset, *steps))

    def _constant(self, value: int | float, type_: Type) -> Any:
        match type_:
            case ScalarType(kind=ScalarKind.BOOL):
                return z3.BoolVal(bool(value), self._context)
            case ScalarType(kind=ScalarKind.INT):
                return self.symbols.number(int(value), 8 * type_.size)
            case ScalarType(kind=ScalarKind.FLOAT):
                return self._float(float(value), type_)
            case _:
                raise Unfollowed("a constant that is no number")

    def _float(self, value: float, type_: ScalarType) -> Any:
        if not self.symbols.real:
            return self.symbols.function(f"constant {value.hex()}", (), self.symbols.float_sort(type_.size))
        if value != value or value in (float("inf"), float("-inf")):
            raise Unfollowed("infinite numbers")
        exact = Fraction(value)
        return z3.RealVal(f"{exact.numerator}/{exact.denominator}", self._context)

    def _unary(self, op: str, a: Any, type_: Type) -> Any:
        if op == "!":
            return self._not(self._truth(a))
        if _is_float(type_):
            return self._arithmetic("negated", (a,), type_)
        return -a if op == "-" else ~a

    def _binary(self, op: str, a: Any, b: Any, operands: Type, type_: Type) -> Any:
        if isinstance(a, Pointer) or isinstance(b, Pointer):
            raise Unfollowed("pointers that are compared")
        if op in ("&&", "||"):
            return (self._and if op == "&&" else self._or)(self._truth(a), self._truth(b))
        if _is_float(operands):
            return self._of_floats(op, a, b, type_)
        if z3.is_bool(a):
            a, b = (z3.If(x, self.symbols.number(1, 8), self.symbols.number(0, 8)) for x in (a, b))
            operands = ScalarType(ScalarKind.INT, 1, False, "bool")
        signed = isinstance(operands, ScalarType) and operands.signed
        if op in ("<<", ">>"):
            b = _fitted(b, a.size())
            return a << b if op == "<<" else a >> b if signed else z3.LShR(a, b)
        table = SIGNED if signed else UNSIGNED
        if op in table:
            return table[op](a, b)
        if op in COMMON:
            return COMMON[op](a, b)
        raise Unfollowed(f"the operator `{op}`")

    def _of_floats(self, op: str, a: Any, b: Any, type_: Type) -> Any:
        if op in ("+", "-", "*", "/"):
            return self._arithmetic(op, (a, b), type_)
        if op == "!=":
            return self._not(self._of_floats("==", a, b, type_))
        if op in (">", ">="):  # The same comparison with its sides exchanged.
            op, a, b = {">": "<", ">=": "<="}[op], b, a
        if self.symbols.real:
            return {"<": a < b, "<=": a <= b, "==": a == b}[op]
        sort = z3.BoolSort(self._context)
        return self.symbols.either_way(op, (a, b), sort) if op == "==" else self.symbols.function(op, (a, b), sort)

    def _arithmetic(self, op: str, args: tuple[Any, ...], type_: Type) -> Any:
        """An operation on floating point numbers."""
        assert isinstance(type_, ScalarType)
        if self.symbols.real:
            return REAL[op](*args)
        sort = self.symbols.float_sort(type_.size)
        return self.symbols.either_way(op, args, sort) if op in ("+", "*") else self.symbols.function(op, args, sort)

    def _intrinsic(self, name: str, args: Sequence[Any], operands: Type, type_: Type) -> Any:
        if any(isinstance(arg, Pointer) for arg in args) or not isinstance(type_, ScalarType):
            raise Unfollowed(f"the function `{name}`")
        if name in ("min", "max") and len(args) == 2 and not _is_float(operands) and not z3.is_bool(args[0]):
            a, b = args
            signed = isinstance(operands, ScalarType) and operands.signed
            less = a < b if signed else z3.ULT(a, b)
            return z3.If(less, a, b) if name == "min" else z3.If(less, b, a)
        if name == "abs" and len(args) == 1 and not _is_float(operands):
            return z3.If(args[0] < 0, -args[0], args[0])
        if name == "fma" and self.symbols.real:
            return args[0] * args[1] + args[2]
        sort = z3.BoolSort(self._context) if type_.kind is ScalarKind.BOOL else self.symbols.sort(type_)
        return self.symbols.function(name, tuple(args), sort)

    def _converted(self, value: Any, source: Type, target: Type) -> Any:
        if isinstance(value, Pointer):
            if isinstance(target, PointerType):
                return value
            raise Unfollowed("an address as a number")
        if not isinstance(source, ScalarType) or not isinstance(target, ScalarType):
            raise Unfollowed("a number as an address")
        if target.kind is ScalarKind.BOOL:
            return (
                self._truth(value)
                if not _is_float(source)
                else self._not(self._of_floats("==", value, self._float(0.0, source), source))
            )
        if _is_float(target):
            if _is_float(source):
                if source.size == target.size or (self.symbols.real and source.size < target.size):
                    return value
                return self.symbols.function("converted", (value,), self.symbols.float_sort(target.size))
            if z3.is_bool(value):
                value = z3.If(value, self.symbols.number(1, 32), self.symbols.number(0, 32))
            sign = "signed" if source.signed else "unsigned"
            return self.symbols.function(f"from {sign}", (value,), self.symbols.float_sort(target.size))
        if _is_float(source):
            sign = "signed" if target.signed else "unsigned"
            return self.symbols.function(f"to {sign}", (value,), self.symbols.sort(target))
        return self._widened(value, source, 8 * target.size)

    def _widened(self, value: Any, source: Type, width: int) -> Any:
        if isinstance(value, Pointer) or not isinstance(source, ScalarType):
            raise Unfollowed("an address as a number")
        if z3.is_bool(value):
            return z3.If(value, self.symbols.number(1, width), self.symbols.number(0, width))
        own = value.size()
        if own >= width:
            return value if own == width else z3.Extract(width - 1, 0, value)
        return (z3.SignExt if source.signed else z3.ZeroExt)(width - own, value)

    def _truth(self, value: Any) -> Any:
        if isinstance(value, Pointer):
            raise Unfollowed("pointers that are compared")
        if z3.is_bool(value):
            return value
        if z3.is_bv(value):
            return value != self.symbols.number(0, value.size())
        raise Unfollowed("a floating point number as a condition")

    def _and(self, a: Any, b: Any) -> Any:
        if z3.is_true(a) or z3.is_false(b):
            return b
        return a if z3.is_true(b) or z3.is_false(a) else z3.And(a, b)

    def _or(self, a: Any, b: Any) -> Any:
        if z3.is_false(a) or z3.is_true(b):
            return b
        return a if z3.is_false(b) or z3.is_true(a) else z3.simplify(z3.Or(a, b))

    def _not(self, a: Any) -> Any:
        return self._false if z3.is_true(a) else self._true if z3.is_false(a) else z3.Not(a)


def _is_float(type_: Type) -> bool:
    return isinstance(type_, ScalarType) and type_.kind is ScalarKind.FLOAT


def _fitted(value: Any, width: int) -> Any:
    """A count of bits in the width of what is shifted; counts from the width on are undefined."""
    own = value.size()
    return value if own == width else z3.Extract(width - 1, 0, value) if own > width else z3.ZeroExt(width - own, value)


_WHAT: Mapping[str, str] = {
    "Atomic": "an atomic update",
    "Barrier": "a barrier",
    "Shuffle": "a shuffle",
    "Vote": "a vote",
    "Switch": "a `switch`",
    "UnknownStmt": "code that is not understood",
}
