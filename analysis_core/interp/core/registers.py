"""Elements that a register keeps through a loop: one load before it, one store after it, whatever the rounds.

    for (int k = 0; k < n; k++) out[8 * i] += a[k];          // with `__restrict__ out`

The requests are counted as the source has them (docs/hardware.md); but where every round loads, or loads and stores, the same element,
compilers move that out of the loop, and a finding that counts the rounds speaks of traffic that there is not.  What they ask for:

  * the address is the same in each round, and the access is made in each, whatever the data (what stands below an `if`, or behind a
    `break` or `continue`, stays where it is); an index that each round sets, and moves on from there, goes through the same numbers;
  * nothing in the loop lets other threads in: barriers, atomics, shuffles, fences, volatile accesses, code that is not known;
  * no store in the loop may be to the element, but such as the register takes too; and if there are stores, no load may be either.

Two pointers may lead to one element unless one of them is `__restrict__`, or they lead to memory of different spaces or to different
declared arrays: nvcc goes by nothing else, not even by types (seen in what it makes of each of the fixtures,
tests/kernels/precision/registers.cu).  An element is kept through several loops where each of them surely makes a round.  The rounds of a
short loop inside whose number is known are written out, and so its counter is as good as a constant: `x[3 * i + d]` for d < 3 are three
elements.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from analysis_core.interp.core.roots import Root, Roots, roots_of
from analysis_core.ir.constants import fold
from analysis_core.ir.early_exits import may_leave
from analysis_core.ir.effects import assigned_by, lets_others_in
from analysis_core.ir.nodes import (
    AccessId,
    Assign,
    Binary,
    Block,
    Cast,
    Const,
    Expr,
    If,
    Inlined,
    Kernel,
    Load,
    Local,
    Loop,
    LoopKind,
    PtrAdd,
    Store,
    Switch,
    UnknownExpr,
    VarId,
)
from analysis_core.ir.straight_lines import straight_lines
from analysis_core.ir.types import PointerType, ScalarKind, ScalarType, Space
from analysis_core.ir.walk import blocks_of, own_part, statements, statements_of, subexpressions, uncast
from analysis_core.ir.walk import fold as fold_tree
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_MOST = 512
"""Accesses of a loop that are looked at: each is held against all others."""

_MOST_KEPT = 16
"""Elements of one access that registers keep."""

Kept = Mapping[AccessId, tuple[Loop, ...]]
"""By access, the loops that a register keeps its element through, the innermost first."""


_Number = int
"""Of an expression: equal ones have one."""


@dataclass(frozen=True, slots=True)
class _Place:
    """What an access may touch.  `start`: the address in each round, less the constant bytes `first`; None if rounds differ."""

    start: Hashable
    first: int
    width: int
    roots: frozenset[Root]
    spaces: frozenset[Space]

    def is_same(self, other: _Place) -> bool:
        """Whether both are one element."""
        return self.start is not None and (self.start, self.first, self.width) == (
            other.start,
            other.first,
            other.width,
        )


@dataclass(frozen=True, slots=True)
class _Made:
    """A statement of a round.  `sure`: each round makes it.  `inner`: the loops inside of the one that is looked at that it is in, but for
    those that are written out; `nested`: whether there is any, written out or not."""

    stmt: Assign | Load | Store
    sure: bool
    inner: tuple[Loop, ...]
    nested: bool


def kept_in_registers(kernel: Kernel, roots: Roots) -> Kept:
    """The accesses of a kernel whose element a compiler keeps in a register through some loop, so that the loop does
    not make them."""
    found: dict[AccessId, tuple[Loop, ...]] = {}
    loops = [stmt for stmt in statements_of(kernel) if isinstance(stmt, Loop)]
    memory = _Memory(kernel, roots)
    unrolled = straight_lines(kernel).written_out if len(loops) > 1 else frozenset[Span]()
    for loop in reversed(loops):  # inner ones first
        for access in _kept(loop, memory, found, unrolled):
            found[access] = (*found.get(access, ()), loop)
    return found


def _kept(loop: Loop, memory: _Memory, found: Kept, unrolled: Collection[Span]) -> Iterator[AccessId]:
    """The accesses of a loop that it does not make.  `found`: those of the loops in it."""
    rounds = _Rounds(unrolled)
    for part in (loop.test, loop.body, loop.step):
        rounds.walk(part, True, ())
    made = [m for m in rounds.made if isinstance(m.stmt, (Load, Store))]
    if rounds.disturbed and not any(
        memory.never_changes(memory.anywhere(m.stmt)) for m in made if isinstance(m.stmt, Load)
    ):
        return
    if not made or len(made) > _MOST:
        return
    places = _places(rounds, memory)
    stores = [m for m in made if isinstance(m.stmt, Store)]

    def stays(m: _Made) -> bool:
        """Whether it is of one element, in each round, and in a register as far as the loops inside go."""
        assert isinstance(m.stmt, (Load, Store))
        kept = found.get(m.stmt.access.id, ())
        return (
            m.sure
            and not (rounds.disturbed and not memory.never_changes(places[m.stmt.access.id]))
            and all(any(inner is one for one in kept) for inner in m.inner)
            and places[m.stmt.access.id].start is not None
        )

    def apart(m: _Made, others: list[_Made]) -> bool:
        """Whether the others are to other memory, or of the same element and a register's matter too."""
        assert isinstance(m.stmt, (Load, Store))
        own = places[m.stmt.access.id]
        for other in others:
            assert isinstance(other.stmt, (Load, Store))
            its = places[other.stmt.access.id]
            if not (
                memory.are_disjoint(own, its) or (own.is_same(its) and (isinstance(other.stmt, Load) or stays(other)))
            ):
                return False
        return True

    for m in made:
        if stays(m) and apart(m, stores):
            assert isinstance(m.stmt, (Load, Store))
            own = places[m.stmt.access.id]
            written = any(own.is_same(places[s.stmt.access.id]) for s in stores if isinstance(s.stmt, Store))
            if not written or apart(m, made):
                yield m.stmt.access.id


@dataclass(slots=True)
class _Rounds:
    """What a round of a loop executes, in order.  `disturbed`: others may see or change memory in it.  `counters`: of the loops inside that
    are written out."""

    unrolled: Collection[Span]
    made: list[_Made] = field(default_factory=list)
    definitions: Counter[VarId] = field(default_factory=Counter)
    counters: set[VarId] = field(default_factory=set)
    disturbed: bool = False

    def walk(self, block: Block, sure: bool, inner: tuple[Loop, ...], nested: bool = False) -> None:
        """Takes down the statements of a block that each round comes to, if `sure`."""
        for index, stmt in enumerate(block):
            self.disturbed |= lets_others_in(stmt)
            match stmt:
                case Assign() | Load() | Store():
                    self.made.append(_Made(stmt, sure, inner, nested))
                    self.definitions.update(assigned_by(stmt))
                case Loop():
                    enters = sure and (stmt.kind is LoopKind.DO or _is_entered(stmt, block[:index]))
                    counter = _short_counter(stmt, self.unrolled) if enters else None
                    self.counters.update(() if counter is None else (counter,))
                    around = (*inner, stmt) if counter is None else inner
                    self.walk(stmt.test, sure, around, True)
                    self.walk(stmt.body, enters, around, True)
                    self.walk(stmt.step, enters, around, True)
                case If() | Switch():
                    for part in blocks_of(stmt):
                        self.walk(part, False, inner, nested)
                case Inlined():
                    self.walk(stmt.body, sure, inner, nested)
                case _:
                    pass
            sure = sure and not may_leave((stmt,))


def _is_entered(loop: Loop, before: Block) -> bool:
    """Whether the first test is of constants and holds: `for (int j = 0; j < 16; j++)`."""
    condition = None if loop.condition is None else uncast(loop.condition)
    if loop.test or not isinstance(condition, Binary):
        return loop.condition is None
    counter = uncast(condition.left)
    if not isinstance(counter, Local):
        return False
    for stmt in reversed(before):
        if isinstance(stmt, Assign) and stmt.var == counter.var:
            first = fold(stmt.value)
            start = None if first is None or first.type != condition.left.type else first
            test = None if start is None else fold(Binary(condition.op, start, condition.right, condition.type))
            return test is not None and bool(test.value)
        if not isinstance(stmt, Assign):
            return False
    return False


def _short_counter(loop: Loop, unrolled: Collection[Span]) -> VarId | None:
    """The counter of a loop that is written out, if the elements that it leads to are few enough for registers."""
    test = None if loop.condition is None or loop.whole not in unrolled else uncast(loop.condition)
    if not isinstance(test, Binary) or test.op not in ("<", "<=", "!="):
        return None
    counter, bound = uncast(test.left), fold(test.right)
    if not isinstance(counter, Local) or bound is None or int(bound.value) > _MOST_KEPT:
        return None
    steps = [stmt.var for stmt in loop.step if isinstance(stmt, Assign)]
    assigned = [var for stmt in statements(loop.body) for var in assigned_by(stmt)]
    return counter.var if steps == [counter.var] and counter.var not in assigned else None


def _places(rounds: _Rounds, memory: _Memory) -> Mapping[AccessId, _Place]:
    """What the accesses of a loop may touch, and which addresses are the same in each round."""
    found: dict[AccessId, _Place] = {}
    constant: set[VarId] = set()  # variables that each round sets to the same value, before it reads them
    moving = _moved_in_line(rounds)
    written = [memory.anywhere(m.stmt) for m in rounds.made if isinstance(m.stmt, Store)]

    def is_constant(expr: Expr, beside: Collection[VarId] = ()) -> bool:
        for e in subexpressions(expr):
            if isinstance(e, UnknownExpr):
                return False
            if isinstance(e, Local) and e.var in rounds.definitions and e.var not in constant and e.var not in beside:
                return False
        return True

    for m in rounds.made:
        if isinstance(m.stmt, Assign):
            var = m.stmt.var
            if m.sure and (rounds.definitions[var] == 1 or var in moving) and is_constant(m.stmt.value):
                constant.add(var)
            else:
                constant.discard(var)
            continue
        place = memory.anywhere(m.stmt)
        if is_constant(m.stmt.address):
            start, first = memory.split(m.stmt.address)
            if any(isinstance(e, Local) and e.var in moving for e in subexpressions(m.stmt.address)):
                start = ("here", m.stmt.access.id)  # the same text is another place further on
            place = replace(place, start=start, first=first)
            if m.sure and isinstance(m.stmt, Load) and all(memory.are_disjoint(place, w) for w in written):
                constant.update(var for var in m.stmt.vars if rounds.definitions[var] == 1)
        elif rounds.counters and is_constant(m.stmt.address, rounds.counters):
            place = replace(place, start=("several", m.stmt.access.id))  # the same ones in each round
        found[m.stmt.access.id] = place
    return found


def _moved_in_line(rounds: _Rounds) -> frozenset[VarId]:
    """The variables that a round sets several times, each time in every round, and in no loop inside."""
    found: dict[VarId, bool] = {}
    for m in rounds.made:
        for var in assigned_by(m.stmt):
            found[var] = found.get(var, True) and m.sure and not m.nested and isinstance(m.stmt, Assign)
    return frozenset(var for var, in_line in found.items() if in_line and rounds.definitions[var] > 1)


@dataclass(frozen=True, slots=True)
class _Memory:
    """What is known of the memory of one kernel.  `numbers`: of the expressions that were met."""

    kernel: Kernel
    roots: Roots
    numbers: dict[Hashable, _Number] = field(default_factory=dict)

    def anywhere(self, stmt: Load | Store) -> _Place:
        """The place of an access of which only the memory is known that it leads to."""
        roots = frozenset(filter(self._is_pointer, roots_of(stmt.address, self.roots.pointers)))
        return _Place(None, 0, stmt.access.width, roots, frozenset(map(self._space, roots)))

    def never_changes(self, place: _Place) -> bool:
        """Whether compilers know that nobody writes there while the kernel runs, whatever other threads do: it is read by a restricted
        pointer, and not written."""
        return bool(place.roots) and all(self._is_restrict(r) and not self.roots.may_write(r) for r in place.roots)

    def are_disjoint(self, one: _Place, other: _Place) -> bool:
        """Whether they never share a byte, for all that a compiler knows."""
        if not one.roots or not other.roots:
            return False
        if not one.spaces & other.spaces:
            return True
        if one.start is not None and one.start == other.start:
            return one.first + one.width <= other.first or other.first + other.width <= one.first
        return all(self._are_apart(a, b) for a in one.roots for b in other.roots)

    def _are_apart(self, one: Root, other: Root) -> bool:
        if one == other:
            return False
        return (
            (isinstance(one, tuple) and isinstance(other, tuple)) or self._is_restrict(one) or self._is_restrict(other)
        )

    def _is_restrict(self, root: Root) -> bool:
        return isinstance(root, int) and self.kernel.variables[root].is_restrict

    def _is_pointer(self, root: Root) -> bool:
        """Whether it is memory: parameters that an index is made of are none."""
        return not isinstance(root, int) or isinstance(self.kernel.variables[root].type, PointerType)

    def _space(self, root: Root) -> Space:
        return self.kernel.objects[root[1]].space if isinstance(root, tuple) else Space.GLOBAL

    def split(self, address: Expr) -> tuple[Hashable, int]:
        """An address as what it starts from and constant bytes behind it."""
        first, parts = 0, list[tuple[Hashable, _Number]]()
        while isinstance(address, PtrAdd) or (isinstance(address, Cast) and isinstance(address.type, PointerType)):
            if isinstance(address, Cast):
                address = address.operand
                continue
            first += address.offset
            index, scale, constant = address.index, address.scale, 0
            if isinstance(scale, Const):
                constant, terms = _as_sum(index)
                first += constant * int(scale.value)
                summed = tuple(sorted((self._number(term), adds) for term, adds in terms))
                parts += [(summed, self._number(scale))] if terms else []
            else:
                parts.append((((self._number(index), True),), self._number(scale)))
            address = address.pointer
        return (self._number(address), *sorted(parts)), first

    def _number(self, expr: Expr) -> _Number:
        def number(node: Expr, inner: Sequence[_Number]) -> _Number:
            return self.numbers.setdefault((type(node), own_part(node), *inner), len(self.numbers))

        return fold_tree(expr, number)


def _as_sum(index: Expr) -> tuple[int, list[tuple[Expr, bool]]]:
    """`(i + 3) - j` as 3, and i, which is added, and j, which is not: sums of one type, whatever order they are written in.

    Unsigned ones may wrap, and yet two that differ by a constant lead to places that far apart, or 2^32 less that: as good as apart."""
    whole = 0
    terms: list[tuple[Expr, bool]] = []
    left = [(index, True)]
    while left:
        term, adds = left.pop()
        match term:
            case Const():
                whole += int(term.value) if adds else -int(term.value)
            case Binary(op="+" | "-" as op) if term.type == index.type and _is_integer(term):
                left += [(term.right, adds == (op == "+")), (term.left, adds)]
            case _:
                terms.append((term, adds))
    bits = 8 * index.type.size if isinstance(index.type, ScalarType) else 64
    return (whole + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1), terms


def _is_integer(expr: Expr) -> bool:
    return isinstance(expr.type, ScalarType) and expr.type.kind is ScalarKind.INT
