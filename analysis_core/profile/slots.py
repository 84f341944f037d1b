"""What a statement itself costs a warp, about; nested ones and what its request moves are left out.

One *slot* is the time in which a processor issues one warp's instruction.  It issues four in a clock cycle, so that what keeps one of its
other units busy for a cycle weighs four (CUDA C++ Programming Guide, table "Throughput of Native Arithmetic Instructions"):

    1    an operator, a test, a barrier of a warp; constants, variables and conversions are operands and free
    4    a wavefront of shared memory, a sector of global memory, a shuffle or vote: a cycle each
    4    an asynchronous copy, which nobody waits for where it is issued
    8    an atomic's sector or wavefront, which is read and written; a special function (16 lanes in a cycle), a barrier of the block, in
         whatever way the library writes it (`cuda::barrier`, `cuda::pipeline`)
    16   a division by what is not constant, a transcendental function: some twenty instructions, of which a part is free
    2    an operator on numbers of eight bytes: two instructions of half the width, or one at half the rate at best; a product of integers
         four, a division of doubles 32, one of integers by what is not constant 64
    100  what is outside of the analysis and may touch memory: a call of the runtime, `printf`, `malloc`

Where the text says that a loop's rounds are written out, its counter is a constant in each of them: tests and steps are gone, and so is
what is computed of counters and constants alone; a product of the counter and what the loop does not change is carried along from round to round.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field

from analysis_core.ir.effects import MATRIX_VOTES, assigned_in, variables_in
from analysis_core.ir.nodes import (
    ASYNCHRONOUS_COPY,
    LIBRARY_OBJECT,
    Assign,
    Atomic,
    Barrier,
    Binary,
    Const,
    Expr,
    If,
    Intrinsic,
    Kernel,
    Load,
    Local,
    Loop,
    PtrAdd,
    Select,
    Shuffle,
    Stmt,
    Store,
    Switch,
    Unary,
    UnknownStmt,
    VarId,
    Vote,
)
from analysis_core.ir.straight_lines import straight_lines
from analysis_core.ir.types import ScalarKind, ScalarType
from analysis_core.ir.walk import children, expressions_of, fold, statements_of, subexpressions, uncast
from analysis_core.machine.sizes import WORD_BYTES
from analysis_core.support.derived import derived
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

CYCLE = 4
"""Instructions that are issued in a cycle."""

_SPECIAL, _SLOW, _OUTSIDE, _BARRIER, _WIDE = 8, 16, 100, 8, 2

_SPECIAL_NAMES = re.compile(
    r"(h2?)?(r?sqrt|rcp|exp2|log2|f?div(ide)?|[fd](div|rcp|sqrt)_r\w)f?|(h2?)?tanhf?|cvt\w*", re.ASCII
)
_SLOW_NAMES = re.compile(
    r"(h2?)?r?(cbrt|exp(10|m1)?|log(10|1p|b)?|a?(sin|cos|tan)h?(pi)?|erf\w*|[lt]gamma|normcdf\w*|[jy][01n]|pow|atan2|fmod|hypot"
    r"|remainder\w*|norm[34]d|cyl_\w+)f?",
    re.ASCII,
)

_SYNCHRONISED = re.compile(rf"of the type 'cuda::(barrier|pipeline|make_pipeline)\b|: {re.escape(LIBRARY_OBJECT)}")
"""Why statements are outside of the analysis that are barriers of the library."""

_Part = tuple[int, bool]
"""The slots of an expression, and whether it is known while the kernel is compiled."""


@dataclass(frozen=True, slots=True)
class Slots:
    """The issue slots of statements of one kernel. `written`: loops whose rounds are written out; `counters`: their
    counters, with all that the loops change."""

    written: frozenset[Span]
    counters: Mapping[VarId, frozenset[VarId]]
    _known: dict[int, int] = field(default_factory=dict)

    @staticmethod
    @derived
    def of_kernel(kernel: Kernel) -> Slots:
        """The slots of a kernel's statements. Loops with `#pragma unroll` and a known number of rounds are written
        out."""
        said = [s for s in statements_of(kernel) if isinstance(s, Loop) and s.unroll not in (None, 1)]
        written = straight_lines(kernel).written_out if said else frozenset[Span]()
        loops = [loop for loop in said if loop.whole in written]
        counters = {
            step.var: assigned_in((loop,))
            for loop in loops
            for step in loop.step
            if isinstance(step, Assign) and variables_in(step.value) == {step.var}
        }
        return Slots(frozenset(loop.whole for loop in loops), counters)

    def of(self, stmt: Stmt) -> int:
        """The slots of a statement of the kernel."""
        known = self._known.get(id(stmt))
        if known is None:
            known = self._known[id(stmt)] = self._of(stmt)
        return known

    def of_stored(self, stmt: Stmt) -> int:
        """The part of a store's slots that is spent on the values."""
        return sum(map(self._expression, stmt.values)) if isinstance(stmt, Store) else 0

    def of_divisions(self, stmt: Stmt) -> int:
        """The part of a statement's slots that integer divisions and remainders by values of the run take."""
        if isinstance(stmt, Loop) and stmt.whole in self.written:
            return 0
        return sum(_weight(n) for e in expressions_of(stmt) for n in subexpressions(e) if is_division(n))

    def _of(self, stmt: Stmt) -> int:
        if isinstance(stmt, Loop) and stmt.whole in self.written:
            return 0
        own = sum(self._expression(e) for e in expressions_of(stmt))
        match stmt:
            case If() | Switch() | Loop() | Load() | Store() | Atomic():
                return own + 1
            case Vote(op=op) if op in MATRIX_VOTES:  # a part of the load or store beside it
                return own
            case Shuffle() | Vote():
                return own + CYCLE
            case Barrier(scope=scope):
                return _BARRIER if scope.is_whole else 1
            case UnknownStmt():
                return _outside(stmt)
            case _:
                return own

    def _expression(self, expr: Expr) -> int:
        if self.counters and not self.counters.keys().isdisjoint(variables_in(expr)):
            return fold(expr, self._part)[0]
        return sum(_weight(node) for node in subexpressions(expr))

    def _part(self, node: Expr, parts: Sequence[_Part]) -> _Part:
        if isinstance(node, Local):
            return 0, node.var in self.counters
        if isinstance(node, Const) or (parts and all(known for _, known in parts)):
            return 0, True
        if isinstance(node, PtrAdd) and parts[1][1]:
            return parts[0][0], False
        if isinstance(node, Binary) and node.op == "*" and self._is_carried(node, parts):
            return 0, False
        return sum(slots for slots, _ in parts) + _weight(node), False

    def _is_carried(self, product: Binary, parts: Sequence[_Part]) -> bool:
        """Whether it is a multiple of what no round changes, by a counter."""
        for (_, known), factor, other in zip(parts, children(product), (product.right, product.left), strict=True):
            counters = variables_in(factor) if known else frozenset[VarId]()
            if counters and not any(self.counters[var] & variables_in(other) for var in counters):
                return True
        return False


def is_division(node: Expr) -> bool:
    """Whether it divides integers by what is no constant."""
    return (
        isinstance(node, Binary)
        and node.op in ("/", "%")
        and not _is_real(node)
        and not isinstance(uncast(node.right), Const)
    )


def _outside(stmt: UnknownStmt) -> int:
    if not stmt.memory:
        return 1
    reason = stmt.cause.reason
    return CYCLE if ASYNCHRONOUS_COPY in reason else _BARRIER if _SYNCHRONISED.search(reason) else _OUTSIDE


def _weight(node: Expr) -> int:
    match node:
        case Binary():
            return _weight_of_operator(node)
        case PtrAdd(index=index):
            return 0 if isinstance(index, Const) else 1
        case Unary(operand=operand):
            return _WIDE if _is_wide(operand) else 1
        case Select():
            return 1
        case Intrinsic(name=name):
            each = _WIDE if _is_wide(node) else 1
            return each * (_SLOW if _SLOW_NAMES.fullmatch(name) else _SPECIAL if _SPECIAL_NAMES.fullmatch(name) else 1)
        case _:
            return 0


def _weight_of_operator(node: Binary) -> int:
    """Of two operands: what they are decides, a comparison is a truth value."""
    if not _is_wide(node.left):
        product = each = 1
    else:
        each = _WIDE
        product = _WIDE if _is_real(node.left) else _WIDE**2
    if node.op in ("/", "%") and not isinstance(uncast(node.right), Const):
        return _SLOW * product
    return product if node.op == "*" else each


def _is_wide(operand: Expr) -> bool:
    """Whether it is a number of eight bytes."""
    return isinstance(operand.type, ScalarType) and operand.type.size > WORD_BYTES


def _is_real(operand: Expr) -> bool:
    return isinstance(operand.type, ScalarType) and operand.type.kind is ScalarKind.FLOAT
