"""Inline assembly, lowered instruction by instruction: accesses of memory are accesses, barriers are barriers, arithmetic of addresses is followed.

    ldmatrix.x4 {..}, [a]        each lane reads the 16 bytes of one row: the banks are those of a 16-byte load; of x2 and x1 half and a quarter
                                 of a warp do (PTX ISA, ldmatrix)
    cp.async [s], [g], 16, n     a load of 16 bytes where n > 0, and a store
    @p ld.global ..              a predicated instruction: lanes without the predicate access nothing, and no warp splits
    shfl, vote, redux            as the functions of the same names
    mma                          no memory; what a lane gets depends on data

What an instruction computes otherwise is an unknown function of its operands.  A text with an instruction of which nothing is known is unknown as
a whole: it may touch memory, and change its outputs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType

from analysis_core.ir import constants, layout
from analysis_core.ir.nodes import (
    Assign,
    Atomic,
    Binary,
    Const,
    Expr,
    Fence,
    If,
    IfKind,
    Intrinsic,
    Load,
    Local,
    Select,
    Store,
    Unary,
    UnknownExpr,
    VarId,
)
from analysis_core.ir.scalars import VECTORS, scalar_named
from analysis_core.ir.types import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    UINT,
    PointerType,
    ScalarType,
    StructType,
    Type,
)
from analysis_core.lower.context import Lowering
from analysis_core.lower.library import atomics, ptx, warp_primitives
from analysis_core.lower.objects import conversions
from analysis_core.lower.statements import assembly_barriers, assembly_exchanges
from analysis_core.lower.statements.assembly_registers import Registers, same_bits
from analysis_core.syntax.read import tree as syn
from analysis_core.text.records import dataclass

_NAMED: Mapping[str, str] = MappingProxyType(
    {"8": "unsigned char", "16": "unsigned short", "32": "unsigned int", "64": "unsigned long long"}
)
_TYPES: Mapping[str, Type] = MappingProxyType(
    {
        **{f"{kind}{bits}": scalar_named(name) or UINT for bits, name in _NAMED.items() for kind in "ub"},
        **{f"s{bits}": scalar_named(name.replace("unsigned", "signed")) or INT for bits, name in _NAMED.items()},
        "f32": FLOAT, "f64": DOUBLE, "f16": scalar_named("unsigned short") or UINT, "bf16": scalar_named("unsigned short") or UINT,
        "f16x2": UINT, "bf16x2": UINT, "pred": BOOL,
    }
)  # fmt: skip
_WORDS: Mapping[str, str] = MappingProxyType(
    {f"{kind}{size}": f"{sign}{name}" for size, name in (("8", "char"), ("16", "short"), ("32", "int"), ("64", "longlong"))
     for kind, sign in (("u", "u"), ("b", "u"), ("s", ""))}
    | {"f32": "float", "f64": "double", "f16": "ushort", "bf16": "ushort", "f16x2": "uint", "bf16x2": "uint"}
)  # fmt: skip
"""The first part of the name of a vector of each type."""

_ARITHMETIC: Mapping[str, str] = MappingProxyType(
    {"add": "+", "sub": "-", "mul": "*", "and": "&", "or": "|", "xor": "^", "shl": "<<", "shr": ">>"}
)
_COMPARISONS: Mapping[str, str] = MappingProxyType(
    {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "lo": "<", "ls": "<=", "hi": ">", "hs": ">="}
)
_ATOMICS = frozenset({"add", "exch", "min", "max", "inc", "dec", "cas", "and", "or", "xor"})
_COPIED: Mapping[object, Type] = MappingProxyType({4: UINT, 8: VECTORS["uint2"], 16: VECTORS["uint4"]})
_LANES_OF_ROWS: Mapping[str, int] = MappingProxyType({"x1": 8, "x2": 16, "x4": 32})
_VOLATILE = frozenset({"volatile", "relaxed", "acquire", "release", "mmio"})


@contextmanager
def _deferring(ctx: Lowering) -> Iterator[None]:
    """Accesses that are lowered inside are done when their thread waits for them."""
    ctx.deferred = True
    try:
        yield
    finally:
        ctx.deferred = False


def assembly(ctx: Lowering, node: syn.OpaqueStmt) -> str | None:
    """Emits what the text does; or gives the name of an instruction that is not understood, with nothing emitted."""
    found = None if node.assembly is None else ptx.instructions(node.assembly.text.replace("%%", "%"))
    if found is None:
        return "asm"
    with ctx.scratch():
        refused = _refused(ctx, node, found)
    if refused is None:
        _run(ctx, node, found)
    return refused


def _refused(ctx: Lowering, node: syn.OpaqueStmt, found: Sequence[ptx.Instruction]) -> str | None:
    try:
        _run(ctx, node, found)
    except ptx.NotUnderstood as refused:
        return str(refused)
    return None


def _run(ctx: Lowering, node: syn.OpaqueStmt, found: Sequence[ptx.Instruction]) -> None:
    registers = Registers.of(ctx, node)
    machine = _Machine(ctx, node, registers)
    for instruction in found:
        machine.execute(instruction)
    registers.finish()


@dataclass(slots=True)
class _Machine:
    ctx: Lowering
    node: syn.OpaqueStmt
    registers: Registers

    # --- instructions -----------------------------------------------------------------------------------------------

    def execute(self, instruction: ptx.Instruction) -> None:
        """One instruction, under its guard."""
        name = instruction.words[0]
        guard = self._guard(instruction.guard)
        if name == "mbarrier":
            return assembly_barriers.barrier_object(self.ctx, self.registers, instruction, self.node)
        if name == "cp" and "bulk" in instruction.words:
            with self._under(guard):
                assembly_barriers.bulk_copy(self.ctx, self.registers, instruction, self.node)
            return None
        if name == "tcgen05":
            return self._tensor_memory(instruction, guard)
        if name not in ("cp", "fence") and not {"async", "bulk"}.isdisjoint(
            instruction.words
        ):  # They say when they are done.
            raise ptx.NotUnderstood(instruction.name)
        if name in ("ld", "ldu"):
            self._load(instruction, guard)
        elif name == "st":
            self._store(instruction, guard)
        elif name in ("ldmatrix", "stmatrix"):
            self._matrix(instruction, guard)
        elif name == "cp":
            self._copy(instruction, guard)
        elif name in ("atom", "red"):
            self._atomic(instruction, guard)
        elif name in ("bar", "barrier"):
            if guard is not None:
                raise ptx.NotUnderstood(instruction.name)
            assembly_barriers.barrier(self.ctx, self.registers, instruction, self.node)
        elif name in ptx.ORDERS or (name == "wgmma" and "mma_async" not in instruction.words):
            self.ctx.emit(Fence(instruction.name, self.node.span))
        elif name in ptx.COMPUTES and instruction.operands:
            self._compute(instruction, guard)
        elif (
            name in ptx.EXCHANGES
            and guard is None
            and assembly_exchanges.exchange(self.ctx, self.registers, instruction, self.node)
        ):
            pass
        elif name in ptx.EXCHANGES | ptx.CARRIES | {"wgmma"} and instruction.operands:
            for register in self._results(instruction):
                self.registers.write(
                    register, UnknownExpr(self.registers.data(instruction.name), _type(instruction) or UINT)
                )
        elif name not in ptx.NOTHING:
            raise ptx.NotUnderstood(instruction.name)
        return None

    def _guard(self, written: str) -> Expr | None:
        if not written:
            return None
        value = conversions.to_bool(self.registers.read(written.removeprefix("!")))
        return Unary("!", value, BOOL) if written.startswith("!") else value

    def _results(self, instruction: ptx.Instruction) -> tuple[str, ...]:
        """The registers that an instruction's first operand names: `{a, b}`, `d|p`."""
        return tuple(part.strip() for register in ptx.vector(instruction.operand(0)) for part in register.split("|"))

    def _compute(self, instruction: ptx.Instruction, guard: Expr | None) -> None:
        results, type = self._results(instruction), _type(instruction)
        value = self._known(instruction, type)
        for number, register in enumerate(results):
            if value is None or number:
                args = tuple(
                    self.registers.read(part)
                    for operand in instruction.operands[1:]
                    for part in ptx.vector(operand.lstrip("!-"))
                )
                first = BOOL if instruction.words[0] == "setp" else type or UINT
                self.registers.write(register, Intrinsic(instruction.name, args, first), guard)
            else:
                self.registers.write(register, value, guard)

    def _known(self, instruction: ptx.Instruction, type: Type | None) -> Expr | None:
        """The value of an instruction that is followed: moves, integer arithmetic, comparisons."""
        name, words, parts = instruction.words[0], instruction.words, instruction.operands[1:]
        if any(part.startswith(("{", "!", "-%", "[")) for part in parts):
            return None
        if name in ("mov", "cvta") and len(parts) == 1:
            return self.registers.read(parts[0])
        if not isinstance(type, ScalarType) or not re.fullmatch(r"[usb]\d+", words[-1]):
            return None
        if name == "cvt" and len(parts) == 1 and "sat" not in words:
            return self._converted(parts[0], words[-2], type)
        if name in _ARITHMETIC and len(parts) == 2 and len(words) - ("lo" in words) == 2:
            return self._arithmetic(name, parts, type)
        if name == "setp" and len(parts) == 2 and len(words) == 3 and words[1] in _COMPARISONS:
            return Binary(
                _COMPARISONS[words[1]], self.registers.read(parts[0], type), self.registers.read(parts[1], type), BOOL
            )
        if name == "selp" and len(parts) == 3:
            return Select(
                conversions.to_bool(self.registers.read(parts[2])),
                self.registers.read(parts[0], type),
                self.registers.read(parts[1], type),
                type,
                self.node.span,
            )
        return None

    def _converted(self, operand: str, to: str, type: Type) -> Expr | None:
        """An integer as one of another width."""
        target = _TYPES.get(to)
        return (
            conversions.cast(self.registers.read(operand, type), target)
            if target is not None and to[0] in "us"
            else None
        )

    def _arithmetic(self, name: str, parts: Sequence[str], type: ScalarType) -> Expr | None:
        """An operation of integers.  Numbers with a sign wrap as those without one do; shifts by a width or more are not followed."""
        shifts = name in ("shl", "shr")
        right = self.registers.read(parts[1], UINT if shifts else type)
        amount = constants.fold(right) if shifts else None
        if shifts and (amount is None or not 0 <= amount.value < 8 * type.size):
            return None
        wraps = scalar_named(_NAMED[str(8 * type.size)]) if name in ("add", "sub", "mul", "shl") else None
        within = type if wraps is None else wraps
        left, right = self.registers.read(parts[0], within), right if shifts else self.registers.read(parts[1], within)
        return conversions.cast(Binary(_ARITHMETIC[name], left, right, within), type)

    # --- memory -----------------------------------------------------------------------------------------------------

    @contextmanager
    def _under(self, guard: Expr | None) -> Iterator[None]:
        """What is emitted inside is predicated: nobody splits."""
        decided = None if guard is None else constants.fold(guard)
        if guard is None or (decided is not None and decided.value):
            yield
            return
        with self.ctx.block() as inner:
            yield
        if decided is None:
            self.ctx.emit(If(guard, tuple(inner), (), IfKind.SELECT, self.node.span, self.node.span))

    def _moved(self, instruction: ptx.Instruction, count: int) -> Type:
        """The type of what is moved by one lane."""
        element = _type(instruction)
        if element is None or count not in (1, 2, 4):
            raise ptx.NotUnderstood(instruction.name)
        if count == 1:
            return element
        word = _WORDS.get(_type_word(instruction), "")
        found = VECTORS.get(f"{word}{count}")
        if found is None or found.size > 16:
            raise ptx.NotUnderstood(instruction.name)
        return found

    def _address(self, operand: str, type: Type) -> tuple[Expr, str]:
        """The pointer that an operand like `[%1 + 16]` means, and its text for readers."""
        found = ptx.address(operand)
        if found is None:
            raise ptx.NotUnderstood(f"the address {operand}")
        register, offset = found
        base = conversions.cast(self.registers.read(register, None), PointerType(type))
        node = self.registers.nodes.get(self.registers.key(register))
        text = register if node is None else atomics.pointed_to(node)
        return conversions.moved(base, offset, type), text

    def _load(self, instruction: ptx.Instruction, guard: Expr | None) -> None:
        registers = self._results(instruction)
        type = self._moved(instruction, len(registers))
        before = tuple(self.registers.read(register) for register in registers) if guard is not None else ()
        kept = self._loaded(instruction, instruction.operand(1), type, guard, before)
        for register, var in zip(registers, kept):
            self.registers.write(register, Local(var, self.ctx.variables[var].type))

    def _loaded(
        self, instruction: ptx.Instruction, operand: str, type: Type, guard: Expr | None, before: Sequence[Expr] = ()
    ) -> tuple[VarId, ...]:
        """Emits a load; its variables hold what was there before where the guard keeps it from happening."""
        ctx, span = self.ctx, self.node.span
        address, text = self._address(operand, type)
        parts = [f.type for f in type.fields] if isinstance(type, StructType) else [type]
        kept = tuple(ctx.temporary(text, part, span) for part in parts)
        for var, part, value in zip(kept, parts, before if guard is not None else ()):
            ctx.emit(Assign(var, same_bits(value, part), span))
        volatile = not _VOLATILE.isdisjoint(instruction.words)
        with self._under(guard):
            ctx.emit(Load(kept, address, ctx.access(span, text, layout.size_of(type) or 1, type, volatile=volatile)))
        return kept

    def _store(self, instruction: ptx.Instruction, guard: Expr | None) -> None:
        registers = ptx.vector(instruction.operand(1))
        type = self._moved(instruction, len(registers))
        parts = [f.type for f in type.fields] if isinstance(type, StructType) else [type]
        self._stored(
            instruction,
            instruction.operand(0),
            type,
            [self.registers.read(r, p) for r, p in zip(registers, parts)],
            guard,
        )

    def _stored(
        self, instruction: ptx.Instruction, operand: str, type: Type, values: Sequence[Expr], guard: Expr | None
    ) -> None:
        ctx, span = self.ctx, self.node.span
        address, text = self._address(operand, type)
        volatile = not _VOLATILE.isdisjoint(instruction.words)
        with self._under(guard):
            access = ctx.access(span, text, layout.size_of(type) or 1, type, volatile=volatile)
            ctx.emit(Store(address, tuple(values), access))

    def _matrix(self, instruction: ptx.Instruction, guard: Expr | None) -> None:
        """`ldmatrix`, `stmatrix`: each of the first lanes names a row of 16 bytes."""
        words = instruction.words
        lanes = next((_LANES_OF_ROWS[word] for word in words if word in _LANES_OF_ROWS), 0)
        if "m8n8" not in words or not lanes or guard is not None:
            raise ptx.NotUnderstood(instruction.name)
        row, rows = VECTORS["uint4"], None
        if lanes < warp_primitives.WARP:
            rows = Binary("<", self.registers.lane(), Const(lanes, UINT), BOOL)
        suffix = "_trans" if "trans" in words else ""
        if words[0] == "stmatrix":
            pieces = tuple(self.registers.read(part, UINT) for part in ptx.vector(instruction.operand(1)))
            moved = [self._of_all_lanes("rows" + suffix, pieces, word) for word in range(4)]
            self._stored(instruction, instruction.operand(0), row, moved, rows)
            return
        kept = self._loaded(instruction, instruction.operand(1), row, rows, (Const(0, UINT),) * 4)
        loaded = tuple(Local(var, UINT) for var in kept)
        for matrix, register in enumerate(self._results(instruction)):
            self.registers.write(register, self._of_all_lanes("matrix" + suffix, loaded, matrix))

    def _of_all_lanes(self, op: str, words: tuple[Expr, ...], number: int) -> Expr:
        """What a lane gets of 8 x 8 matrices that all lanes hold together (`simulate/matrices.py`)."""
        return warp_primitives.vote(self.ctx, op, (*words, Const(number, INT)), UINT, self.node.span).expr

    def _tensor_memory(self, instruction: ptx.Instruction, guard: Expr | None) -> None:
        """`tcgen05`: a memory of its own, which is in no count; where it is allocated is stored in shared memory."""
        data = UnknownExpr(self.registers.data(instruction.name), UINT)
        if instruction.words[1] == "alloc":
            self._stored(instruction, instruction.operand(0), UINT, (data,), guard)
        elif instruction.words[1] == "ld":
            for register in self._results(instruction):
                self.registers.write(register, data)
        else:
            self.ctx.emit(Fence(instruction.name, self.node.span))

    def _copy(self, instruction: ptx.Instruction, guard: Expr | None) -> None:
        """`cp.async` of 4, 8 or 16 bytes: what it reads may be fewer, or nothing."""
        words, operands = instruction.words, instruction.operands
        if words[:2] != ("cp", "async"):
            raise ptx.NotUnderstood(instruction.name)
        if not ptx.WAITS_FOR_COPIES.isdisjoint(words):
            commits, awaits = "commit_group" in words, self._groups_left(instruction)
            self.ctx.emit(Fence(instruction.name, self.node.span, commits, awaits))
            return
        size = constants.fold(self.registers.read(operands[2])) if len(operands) in (3, 4) else None
        type = _COPIED.get(size.value) if size is not None and not {"ca", "cg"}.isdisjoint(words) else None
        if type is None or ptx.address(operands[0]) is None:
            raise ptx.NotUnderstood(instruction.name)
        some: Expr | None = None
        if len(operands) == 4:  # how many bytes are read, or whether none are
            given = self.registers.read(operands[3])
            some = Unary("!", given, BOOL) if given.type == BOOL else conversions.to_bool(given)
        with self._under(guard), _deferring(self.ctx):
            kept = self._loaded(instruction, operands[1], type, some, (Const(0, UINT),) * 4)
            self._stored(instruction, operands[0], type, [Local(v, self.ctx.variables[v].type) for v in kept], None)

    def _groups_left(self, instruction: ptx.Instruction) -> Const | None:
        """How many groups of copies may be under way behind a wait; None if that is not known."""
        if "wait_group" not in instruction.words:
            return Const(-1, INT) if "wait_all" in instruction.words else None
        return constants.fold(self.registers.read(instruction.operand(0)))

    def _atomic(self, instruction: ptx.Instruction, guard: Expr | None) -> None:
        """`atom` gives the old value, `red` does not."""
        words, operands, type = instruction.words, instruction.operands, _type(instruction)
        operation = next((word for word in words if word in _ATOMICS), None)
        result = instruction.operand(0) if words[0] == "atom" else None
        rest = operands if result is None else operands[1:]
        if (
            operation is None
            or not isinstance(type, ScalarType)
            or type.size < 4
            or guard is not None
            or len(rest) != (3 if operation == "cas" else 2)
            or any(part.startswith("{") for part in operands)
        ):
            raise ptx.NotUnderstood(instruction.name)
        ctx, span = self.ctx, self.node.span
        address, text = self._address(rest[0], type)
        var = None if result is None else ctx.temporary(text, type, span)
        args = tuple(self.registers.read(part, type) for part in rest[1:])
        ctx.emit(Atomic(var, operation, address, args, ctx.access(span, text, type.size, type)))
        if result is not None and var is not None:
            self.registers.write(result, Local(var, type))


def _type(instruction: ptx.Instruction) -> Type | None:
    """The type that an instruction's name ends in."""
    return _TYPES.get(_type_word(instruction))


def _type_word(instruction: ptx.Instruction) -> str:
    return next((word for word in reversed(instruction.words) if word in _TYPES), "")
