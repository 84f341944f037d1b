"""Registers of a thread, estimated by liveness: the most 32-bit values that are alive at once.

Values live from where they are assigned to where they are last read; what a loop reads that was assigned before it, or in an earlier iteration, lives to its end.
Parameters of the kernel lie in constant memory and count where they are read into an expression.  What is loaded ahead
(loads_ahead.py) is added as far as nothing is lost by it.  It is an estimate: a compiler hoists, unrolls and reuses.
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.advice.loads_ahead import words_ahead, words_of
from analysis_core.ir import nodes as ir
from analysis_core.ir.layout import size_of
from analysis_core.ir.nodes import Block, Expr, Kernel, VarId
from analysis_core.ir.types import Space
from analysis_core.ir.walk import blocks_of, children, expressions_of, fold, subexpressions

BASE = 2
"""What the stack's pointer and the thread's number take in every kernel."""

_UNIT = 8
"""Registers are given to threads in multiples of so many (machine/description.py: 256 for a warp): with fewer nothing is saved, and compilers do not try."""

_FULL = 32
"""With so many a multiprocessor of 64 K registers has room for 2,048 threads, all that it holds: loads go ahead as far as that, not further."""

_LOCAL_BYTES = 256
"""Arrays of a thread up to so many bytes are taken to lie in registers."""

MEDIAN_ERROR = 20
"""Percent by which the estimate is off, above or below, for half of the fixtures (tests/oracles/test_registers.py)."""


def estimated_registers(kernel: Kernel) -> int:
    """Of a thread, 32 bits each."""
    walk = _Walk(kernel)
    walk.block(kernel.body)
    alive = sorted((first, words_of(kernel.variables[var].type)) for var, (first, _) in walk.lives.items())
    ends = sorted((last + 1, -words_of(kernel.variables[var].type)) for var, (_, last) in walk.lives.items())
    events: dict[int, int] = {}
    for at, words in (*alive, *ends):
        events[at] = events.get(at, 0) + words
    held, most, hurried = 0, 0, 0
    for at in range(walk.now + 2):
        held += events.get(at, 0)
        most = max(most, held + walk.temporaries.get(at, 0))
        hurried = max(hurried, held + walk.ahead.get(at, 0))
    arrays = sum(
        bytes_ // 4
        for one in kernel.objects
        if one.space is Space.LOCAL and (bytes_ := size_of(one.type)) is not None and bytes_ <= _LOCAL_BYTES
    )
    needed = BASE + most + arrays
    wanted = BASE + hurried + arrays
    taken = max(_UNIT, needed, min(_FULL, wanted))
    return taken + taken % 2


class _Walk:
    """Numbers statements in the order of the text."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel, self.now = kernel, 0
        self.lives: dict[VarId, tuple[int, int]] = {}
        self.temporaries: dict[int, int] = {}
        self.ahead: dict[int, int] = {}
        self.pieces = words_ahead(kernel)

    def block(self, block: Block) -> None:
        for stmt in block:
            self.now += 1
            start = self.now
            if isinstance(stmt, (ir.Load, ir.Store)):
                self.ahead[self.now] = self.pieces.get(stmt.access.id, 0)
            for expr in expressions_of(stmt):
                self.temporaries[self.now] = max(self.temporaries.get(self.now, 0), _needed(expr))
                for node in subexpressions(expr):
                    if isinstance(node, ir.Local):
                        self.read(node.var)
            for var in _assigned(stmt):
                self.lives.setdefault(var, (self.now, self.now))
            for inner in blocks_of(stmt):
                self.block(inner)
            if isinstance(stmt, ir.Loop):
                self._around(start)

    def read(self, var: VarId) -> None:
        if self.kernel.variables[var].parameter:
            return
        first, _ = self.lives.get(var, (self.now, self.now))
        self.lives[var] = first, self.now

    def _around(self, start: int) -> None:
        """What was alive before the loop and is read in it, is alive to its end."""
        for var, (first, last) in self.lives.items():
            if first < start <= last:
                self.lives[var] = first, self.now


def _assigned(stmt: ir.Stmt) -> tuple[VarId, ...]:
    match stmt:
        case ir.Assign(var=var):
            return (var,)
        case ir.Load(vars=several):
            return several
        case ir.Shuffle(var=var) | ir.Vote(var=var):
            return (var,)
        case ir.Atomic(var=old) if old is not None:
            return (old,)
        case _:
            return ()


def _needed(expr: Expr) -> int:
    """Registers for what is in between (Sethi and Ullman), addresses in two; constants and sizes of blocks are operands in constant memory."""

    def combine(node: Expr, below: Sequence[tuple[int, int]]) -> tuple[int, int]:
        if isinstance(node, (ir.Local, ir.Const)) or (isinstance(node, ir.Builtin) and node.kind in _CONSTANT):
            return 0, 0
        held, most = 0, words_of(node.type)
        for needs, kept in sorted(below, key=lambda one: one[1] - one[0]):
            most, held = max(most, held + needs), held + kept
        return max(most, held), words_of(node.type)

    return fold(expr, combine)[0] if children(expr) else 0


_CONSTANT = frozenset({ir.BuiltinKind.BLOCK_DIM, ir.BuiltinKind.GRID_DIM})
