"""Runs a generated kernel in lock step: all threads of some blocks of several samples as one vector.

Lanes are ordered by sample, block, thread; 32 of them are a warp (a row).  Control is structured: `break`, `continue` and
`return` take lanes out of the mask until the construct that they target ends, where the threads reconverge.  A sample is
one choice of parameters, grid and memory contents.  Lock step of all warps is one legal order; in half of the samples of
kernels without barriers a warp never sees another warp's stores, which is another.

Samples that meet undefined behaviour are dropped by `Undefined`, among it that a thread finds what another stored where it has just stored
itself (a race); samples that run too long are cut off: what was seen of
them until then counts.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from tests.properties.kernels.evaluation import Undefined, binary, convert, intrinsic, settle
from tests.properties.kernels.memory import Memory
from tests.properties.kernels.printing import every_statement
from tests.properties.kernels.record import Recorder
from tests.properties.kernels.syntax import (
    INT,
    INTRINSICS,
    UINT,
    Apply,
    Array,
    Assign,
    AtomicAdd,
    Barrier,
    Binary,
    Body,
    Builtin,
    Call,
    Cast,
    Choose,
    Const,
    Copy,
    CType,
    Declare,
    DeclareRecord,
    Distance,
    Expr,
    Extreme,
    Function,
    Group,
    If,
    Jump,
    Load,
    Logic,
    Loop,
    MovePointer,
    Place,
    Point,
    Program,
    Record,
    Return,
    Shuffle,
    Step,
    Stmt,
    Store,
    Switch,
    Unary,
    Var,
    Vote,
    promoted,
    type_of,
    usual,
)

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Vector = npt.NDArray[np.generic]
Range = tuple[int, int]


@dataclass(frozen=True)
class Sample:
    """`values` of the parameters by name; `grid` in blocks; `blocks` that are run, three numbers each."""

    values: Mapping[str, int]
    grid: tuple[int, int, int]
    blocks: tuple[tuple[int, int, int], ...]


@dataclass(frozen=True)
class Outcome:
    """`usable`: samples without undefined behaviour; `complete`: those that also ran to their end; `wrapped`: for each
    unsigned or short variable the samples in which an update of it wrapped around; `bases`: addresses of arrays per sample."""

    recorder: Recorder
    usable: Bools
    complete: Bools
    wrapped: Mapping[str, Bools]
    bases: Mapping[str, Ints]
    warps: int

    def place(self, row: int) -> tuple[int, int, int]:
        """(sample, which of its blocks, warp of the block) of a row."""
        per_sample = len(self.recorder.sample_of_row) // len(self.usable)
        return row // per_sample, row % per_sample // self.warps, row % self.warps


@dataclass
class _Frame:
    """Lanes that left for the end (`out`) or the step (`again`) of a construct."""

    kind: str
    out: Bools
    again: Bools


class Machine:
    """One run of one kernel.  All samples have equally many blocks."""

    def __init__(
        self, program: Program, ranges: Mapping[object, Range], samples: list[Sample], seed: int, budget: int = 4000
    ) -> None:
        self.program, self.ranges, self.budget = program, ranges, budget
        self.rng = random.Random(seed)
        x, y, z = program.block
        threads = x * y * z
        padded = -(-threads // 32) * 32
        blocks = len(samples[0].blocks)
        number = np.tile(np.arange(padded), len(samples) * blocks)
        self.size = len(number)
        self.sample = np.repeat(np.arange(len(samples)), blocks * padded)
        self.row = np.arange(self.size) // 32
        self.real = number < threads
        self.alive = self.real.copy()
        self.thread = (number % x, number // x % y, number // (x * y))
        per_block = [block for s in samples for block in s.blocks]
        self.block = tuple(np.repeat([b[axis] for b in per_block], padded) for axis in range(3))
        self.grid = tuple(np.array([s.grid[axis] for s in samples])[self.sample] for axis in range(3))
        self.memory = Memory(program.arrays, len(samples), self.rng)
        self.recorder = Recorder(len(samples), blocks * padded // 32)
        self.undefined = Undefined(self.sample, len(samples))
        self.cut = np.zeros(len(samples), dtype=bool)
        self.wrapped: dict[str, Bools] = {}
        self.arrays = {a.name: a for a in program.arrays}
        self.functions = {f.name: f for f in program.functions}
        self.env: dict[str, Vector] = {}
        for p in program.parameters:
            self.env[p.name] = np.array([s.values[p.name] for s in samples], dtype=np.int64)[self.sample]
        for a in program.arrays:
            self.env[a.name] = self.memory.bases[a.name][self.sample]
        self.spaces = {a.name: a.space for a in program.arrays}
        self.sizes = {a.name: a.element.size for a in program.arrays}
        self.via: tuple[Range, ...] = ()
        self.frames: list[_Frame] = []
        self.view = self._views(len(samples), padded * blocks, padded)

    def _views(self, samples: int, per_sample: int, padded: int) -> dict[str, Ints]:
        alone = np.array([self.rng.random() < 0.5 for _ in range(samples)])
        if any(isinstance(s, Barrier) for s in every_statement(self.program.body)):
            alone[:] = False
        block = np.arange(self.size) // padded
        base = np.int64(1 << 20)
        mine = np.where(alone[self.sample], self.row + base, self.sample)
        shared = np.where(alone[self.sample], self.row + base, block)
        return {"global": mine, "shared": shared, "local": np.arange(self.size)}

    def run(self) -> Outcome:
        """Everything that the samples do."""
        self.frames.append(_Frame("function", self._none(), self._none()))
        self._body(self.program.body, self.real)
        usable = ~self.undefined.samples
        warps = -(-int(np.prod(self.program.block)) // 32)
        return Outcome(self.recorder, usable, usable & ~self.cut, self.wrapped, self.memory.bases, warps)

    def _none(self) -> Bools:
        return np.zeros(self.size, dtype=bool)

    # --- statements ---------------------------------------------------------------------------------------------

    def _body(self, body: Body, mask: Bools) -> Bools:
        """Runs the statements; gives the lanes that come out at their end."""
        for stmt in body:
            mask = mask & self.alive
            if not mask.any():
                break
            self.budget -= 1
            if self.budget < 0:
                self._cut_off(mask)
                return mask & self.alive
            mask = self._statement(stmt, mask)
        return mask

    def _cut_off(self, mask: Bools) -> None:
        late = np.unique(self.sample[mask])
        self.cut[late] = True
        self.alive &= ~self.cut[self.sample]

    def _statement(self, stmt: Stmt, mask: Bools) -> Bools:
        match stmt:
            case Barrier():
                self.memory.let_others_in(mask)
            case Declare(name, t, value):
                if value is not None:
                    self._note_start(name, t, value, mask)
                    self._set(name, convert(self._eval(value, mask), type_of(value), t, mask, self.undefined), mask)
            case DeclareRecord():
                self._declare_record(stmt, mask)
            case Assign(name, t, op, value):
                if op == "=":
                    self._note_start(name, t, value, mask)
                self._set(name, self._combined(self.env[name], t, op, value, mask, name), mask)
            case Step(name, t, op):
                self._set(name, self._combined(self.env[name], t, op[0] + "=", Const(1), mask, name), mask)
            case Point() | MovePointer():
                self._pointer(stmt, mask)
            case Store() | Copy() | AtomicAdd():
                self._write(stmt, mask)
            case If(condition, then, otherwise):
                c = self._test(condition, mask)
                self.recorder.test(self._key(stmt, "if"), [mask & c, mask & ~c], mask)
                return self._body(then, mask & c) | self._body(otherwise, mask & ~c)
            case Loop():
                return self._loop(stmt, mask)
            case Switch():
                return self._switch(stmt, mask)
            case Jump(kind):
                return self._jump(kind, mask)
            case Return(value):
                result = convert(self._eval(value, mask), type_of(value), INT, mask, self.undefined)
                self._set("return value", result, mask)
                return self._jump("return", mask)
            case Group(body):
                return self._body(body, mask)
        return mask

    def _declare_record(self, stmt: DeclareRecord, mask: Bools) -> None:
        names = [(f"{stmt.name}.{member}", t) for member, t, _ in stmt.record.members]
        if stmt.source:
            for (name, _), (member, _, _) in zip(names, stmt.record.members):
                self._set(name, self.env[f"{stmt.source}.{member}"], mask)
            return
        values = [
            convert(self._eval(a, mask), type_of(a), t, mask, self.undefined) for (_, t), a in zip(names, stmt.args)
        ]
        for (name, _), value in zip(names, values):
            self._set(name, value, mask)

    def _set(self, name: str, value: Vector, mask: Bools) -> None:
        old = self.env.get(name)
        self.env[name] = np.broadcast_to(value, self.size).copy() if old is None else np.where(mask, value, old)

    def _combined(self, old: Vector, t: CType, op: str, value: Expr, mask: Bools, name: str | None = None) -> Vector:
        """The value that `old op value` assigns."""
        new, source = self._eval(value, mask), type_of(value)
        if op == "=":
            return convert(new, source, t, mask, self.undefined)
        sign = op[:-1]
        common = promoted(t) if sign in ("<<", ">>") else usual(t, source)
        left = convert(old, t, common, mask, self.undefined)
        right = new if sign in ("<<", ">>") else convert(new, source, common, mask, self.undefined)
        if common is UINT and name is not None and sign in ("+", "-", "*", "<<"):
            far = {"+": left + right, "-": left - right, "*": left * right, "<<": left << np.clip(right, 0, 29)}[sign]
            self._note_wrap(name, mask & ((far < 0) | (far >= 1 << 32)))
        result = binary(sign, left, right, common, mask, self.undefined)
        if not t.floating and t.size < common.size and name is not None:
            least, greatest = t.range
            self._note_wrap(name, mask & ((result < least) | (result > greatest)))
        return convert(result, common, t, mask, self.undefined)

    def _note_start(self, name: str, t: CType, value: Expr, mask: Bools) -> None:
        """A variable is given an unsigned sum that it does not hold."""
        exact = self._sum(value) if t.size >= 4 and type_of(value) is UINT else None
        if exact is not None:
            least, greatest = t.range if t.size == 4 else UINT.range
            self._note_wrap(name, mask & ((exact < least) | (exact > greatest)))

    def _sum(self, e: Expr) -> Vector | None:
        """The mathematical value of sums and products of variables; None for anything else."""
        match e:
            case Const() | Var() | Builtin():
                return self._eval(e, np.ones(self.size, dtype=bool)).astype(np.float64)
            case Cast(t, a) if not t.floating and not type_of(a).floating:
                return self._sum(a)
            case Binary("+" | "-" | "*" as op, a, b):
                left, right = self._sum(a), self._sum(b)
                if left is None or right is None:
                    return None
                return {"+": np.add, "-": np.subtract, "*": np.multiply}[op](left, right)
        return None

    def _note_wrap(self, name: str, lanes: Bools) -> None:
        """An unsigned or short variable wrapped around when it was updated, or any when it got its start."""
        if lanes.any():
            found = self.wrapped.setdefault(name, np.zeros(len(self.cut), dtype=bool))
            found[np.unique(self.sample[lanes])] = True

    def _pointer(self, stmt: Point | MovePointer, mask: Bools) -> None:
        chosen = mask
        if isinstance(stmt, Point) and stmt.condition is not None:
            chosen = mask & self._test(stmt.condition, mask)
        offset = self._eval(stmt.offset, chosen)
        self.undefined.where(chosen & (np.abs(offset) >= 2**30))
        offset = np.clip(offset, -(2**30), 2**30) * stmt.element.size
        if isinstance(stmt, MovePointer):
            self._set(stmt.name, self.env[stmt.name] + offset, mask)
            self._inside(stmt.name, mask)
            return
        self.spaces[stmt.name] = self.spaces[stmt.base]
        self.sizes[stmt.name] = stmt.element.size
        place = self.env[stmt.base] + offset
        if stmt.condition is not None:
            place = np.where(chosen, place, self.env[stmt.other])
        self._set(stmt.name, place, mask)
        self._inside(stmt.name, mask)

    def _inside(self, name: str, mask: Bools) -> None:
        """Pointers stay inside of their array, which has fewer than 2^31 elements."""
        at = self.env[name] & ((1 << 36) - 1)
        self.undefined.where(mask & (np.abs(at - (1 << 35)) >= 1 << 34))

    def _jump(self, kind: str, mask: Bools) -> Bools:
        kinds = {"break": ("loop", "switch"), "continue": ("loop",), "return": ("function",)}[kind]
        frame = next(f for f in reversed(self.frames) if f.kind in kinds)
        if kind == "continue":
            frame.again |= mask
        else:
            frame.out |= mask
        return self._none()

    def _loop(self, loop: Loop, mask: Bools) -> Bools:
        frame = _Frame("loop", self._none(), self._none())
        if loop.first is not None:
            self._statement(loop.first, mask)
        self.frames.append(frame)
        key = self._key(loop, loop.kind) if loop.condition is not None else None
        splits = np.zeros(len(self.recorder.sample_of_row), dtype=np.int64)
        done = self._none()
        tested = loop.kind != "do"
        while True:
            if tested and loop.condition is not None:
                c = self._test(loop.condition, mask)
                splits += self.recorder.test(key, [mask & c, mask & ~c], mask)
                done |= mask & ~c
                mask = mask & c
            tested = True
            self.budget -= 1
            if self.budget < 0:
                self._cut_off(mask)
            mask = mask & self.alive
            if not mask.any():
                break
            mask = self._body(loop.body, mask) | frame.again
            frame.again = self._none()
            mask = self._body(loop.step, mask)
        self.frames.pop()
        self.recorder.loop_ended(key, splits)
        return done | frame.out

    def _switch(self, switch: Switch, mask: Bools) -> Bools:
        value = self._eval(switch.selector, mask)
        labels = [label for arm in switch.arms for label in arm.labels if label is not None]
        unmatched = mask & ~np.isin(value, labels)
        entries = []
        for arm in switch.arms:
            entry = mask & np.isin(value, [label for label in arm.labels if label is not None])
            entries.append(entry | unmatched if None in arm.labels else entry)
        rest = mask & ~np.logical_or.reduce(entries)
        self.recorder.test(self._key(switch, "switch"), [*entries, rest], mask)
        frame = _Frame("switch", self._none(), self._none())
        self.frames.append(frame)
        falls = self._none()
        for arm, entry in zip(switch.arms, entries):
            falls = self._body(arm.body, entry | falls)
        self.frames.pop()
        return falls | frame.out | rest

    # --- memory -------------------------------------------------------------------------------------------------

    def _key(self, node: object, kind: str) -> Hashable:
        return (*self.ranges[node], self.via, kind)

    def _address(self, place: Place, mask: Bools) -> Ints:
        element = place.element
        indices = [self._eval(i, mask) for i in place.indices]
        array = self.arrays.get(place.base)
        flat = indices[0]
        if array is not None and array.extents:
            for index, extent in zip(indices, array.extents):
                self.undefined.where(mask & ((index < 0) | (index >= extent)))
            for index, extent in zip(indices[1:], array.extents[1:]):
                flat = flat * extent + index
            flat = flat % int(np.prod(array.extents))
        self.undefined.where(mask & (np.abs(flat) >= 2**30))  # the room of an array
        offset = element.member(place.member)[1] if place.member and isinstance(element, Record) else 0
        return self.env[place.base] + np.clip(flat, -(2**30), 2**30) * element.size + offset

    def _load(self, place: Place, address: Ints, key: Hashable, mask: Bools) -> Vector:
        t, space = place.type, self.spaces[place.base]
        assert isinstance(t, CType)
        self.recorder.access(key, space, address, mask, t.size)
        value = self.memory.load(address, t, self.sample, self.view[space], mask)
        self.undefined.where(mask & self.memory.is_lost(address, value, mask))
        return value

    def _write(self, stmt: Store | Copy | AtomicAdd, mask: Bools) -> None:
        if isinstance(stmt, Copy):
            self._copy(stmt, mask)
            return
        place = stmt.place
        t, space = place.type, self.spaces[place.base]
        assert isinstance(t, CType)
        if isinstance(stmt, AtomicAdd):
            value = self._eval(stmt.value, mask)
            address = self._address(place, mask)
            self.recorder.access(self._key(stmt, "A"), space, address, mask, t.size, crowd=True)
            old = self.memory.load(address, t, self.sample, self.view[space], mask)
            self.memory.let_others_in(mask)
            self.memory.store(address, settle(old + value, UINT, self._none(), self.undefined), self.view[space], mask)
            self.memory.let_others_in(mask)
            if stmt.result:
                self._set(stmt.result, old + self.rng.randrange(3), mask)  # other warps may have added
            return
        if stmt.op == "=":
            value = convert(self._eval(stmt.value, mask), type_of(stmt.value), t, mask, self.undefined)
            address = self._address(place, mask)
        else:
            op = stmt.op[0] + "=" if stmt.op in ("++", "--") else stmt.op
            address = self._address(place, mask)
            old = self._load(place, address, self._key(stmt, "R"), mask)
            value = self._combined(old, t, op, stmt.value, mask)
        self.recorder.access(self._key(stmt, "W"), space, address, mask, t.size)
        self.memory.store(address, value, self.view[space], mask)

    def _copy(self, stmt: Copy, mask: Bools) -> None:
        record = stmt.to.element
        assert isinstance(record, Record)
        source, target = self._address(stmt.source, mask), self._address(stmt.to, mask)
        near, far = self.spaces[stmt.source.base], self.spaces[stmt.to.base]
        self.recorder.access(self._key(stmt.source, "R"), near, source, mask, record.size)
        self.recorder.access(self._key(stmt.to, "W"), far, target, mask, record.size)
        for _, t, at in record.members:
            moved = self.memory.load(source + at, t, self.sample, self.view[near], mask)
            self.memory.store(target + at, moved, self.view[far], mask)

    # --- expressions --------------------------------------------------------------------------------------------

    def _test(self, e: Expr, mask: Bools) -> Bools:
        return np.broadcast_to(self._eval(e, mask) != 0, self.size)

    def _eval(self, e: Expr, mask: Bools) -> Vector:
        """The values of the expression; anything where the mask is off."""
        match e:
            case Const(value, _):
                return np.full(self.size, value, dtype=np.int64)
            case Var(name, _):
                return self.env[name]
            case Builtin(kind, axis):
                table = {"threadIdx": self.thread, "blockIdx": self.block, "gridDim": self.grid}
                return table[kind][axis] if kind in table else np.full(self.size, self.program.block[axis])
            case Binary(op, a, b):
                return self._binary(op, a, b, mask)
            case Unary(op, a):
                return self._unary(op, a, mask)
            case Cast(t, a):
                return convert(self._eval(a, mask), type_of(a), t, mask, self.undefined)
            case Logic(op, a, b):
                first = self._test(a, mask)
                further = mask & first if op == "&&" else mask & ~first
                self.recorder.test(self._key(e, op), [mask & first, mask & ~first], mask)
                second = self._test(b, further) if further.any() else first
                return ((first & second) if op == "&&" else (first | second)).astype(np.int64)
            case Choose(c, a, b):
                chosen, t = self._test(c, mask), type_of(e)
                self.recorder.test(self._key(e, "?"), [mask & chosen, mask & ~chosen], mask)
                sides = [
                    convert(self._eval(x, m), type_of(x), t, m, self.undefined)
                    for x, m in ((a, mask & chosen), (b, mask & ~chosen))
                ]
                return np.where(chosen, *sides)
            case Extreme(op, a, b):
                pick = np.minimum if op == "min" else np.maximum
                return pick(self._eval(a, mask), self._eval(b, mask))
            case Load(place):
                return self._load(place, self._address(place, mask), self._key(e, "R"), mask)
            case Call():
                return self._call(e, mask)
            case Shuffle() | Vote():
                return self._exchange(e, mask)
            case Apply(name, args):
                types = INTRINSICS[name][1]
                values = [
                    convert(self._eval(a, mask), type_of(a), t, mask, self.undefined) for a, t in zip(args, types)
                ]
                return intrinsic(name, values, mask, self.undefined)
            case Distance(left, right):
                apart, size = self.env[left] - self.env[right], self.sizes[left]
                self.undefined.where(mask & ((self.env[left] >> 36 != self.env[right] >> 36) | (apart % size != 0)))
                return apart // size

    def _binary(self, op: str, a: Expr, b: Expr, mask: Bools) -> Vector:
        left, right = self._eval(a, mask), self._eval(b, mask)
        if op in ("<<", ">>"):
            common = promoted(type_of(a))
            return binary(
                op, convert(left, type_of(a), common, mask, self.undefined), right, common, mask, self.undefined
            )
        common = usual(type_of(a), type_of(b))
        left = convert(left, type_of(a), common, mask, self.undefined)
        right = convert(right, type_of(b), common, mask, self.undefined)
        return binary(op, left, right, common, mask, self.undefined)

    def _unary(self, op: str, a: Expr, mask: Bools) -> Vector:
        value = self._eval(a, mask)
        if op == "!":
            return (value == 0).astype(np.int64)
        t = promoted(type_of(a))
        value = convert(value, type_of(a), t, mask, self.undefined)
        return settle(-value if op == "-" else ~value, t, mask, self.undefined)

    def _call(self, call: Call, mask: Bools) -> Vector:
        function: Function = self.functions[call.function]
        values = [self._eval(arg, mask) for arg in call.args]
        for var, arg, value in zip(function.arguments, call.args, values):
            self._set(var.name, convert(value, type_of(arg), var.type, mask, self.undefined), mask)
        outer, self.via = self.via, (*self.via, self.ranges[call])
        self._set("return value", np.zeros(self.size, dtype=np.int64), mask)
        self.frames.append(_Frame("function", self._none(), self._none()))
        self._body(function.body, mask)
        self.frames.pop()
        self.via = outer
        return self.env["return value"]

    def _exchange(self, e: Shuffle | Vote, mask: Bools) -> Vector:
        """Shuffles read garbage from lanes that do not take part; votes see the lanes that do."""
        self.memory.let_others_in(mask)
        value = self._eval(e.a, mask)
        if isinstance(e, Vote):
            said = ((value != 0) & mask).reshape(-1, 32)
            match e.op:
                case "any":
                    result = said.any(axis=1)
                case "all":
                    result = (said | ~mask.reshape(-1, 32)).all(axis=1)
                case _:
                    result = (said * (1 << np.arange(32))).sum(axis=1)
            return np.repeat(result.astype(np.int64), 32)
        lane = self._eval(e.lane, mask)
        own, lane = np.arange(self.size) % 32, lane & 31
        first = own // e.width * e.width
        last = first + e.width - 1
        source = {"": first + lane % e.width, "xor": own ^ lane, "up": own - lane, "down": own + lane}[e.op]
        source = np.where((source < first) & (e.op == "up") | (source > last), own, source)
        at = self.row * 32 + source
        garbage = np.array([self.rng.randrange(100) for _ in range(self.size)])
        return np.where(mask[at], np.broadcast_to(value, self.size)[at], garbage[at])


def local_arrays(program: Program) -> list[Array]:
    return [a for a in program.arrays if a.space == "local"]
