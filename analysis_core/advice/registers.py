"""Registers of a thread, estimated by liveness: the most 32-bit values that are alive at once.

Values live from where they are assigned to where they are last read; what a loop reads that was assigned before it, or in an earlier iteration, lives to its end.
Parameters of the kernel lie in constant memory and count where they are read into an expression.  It is an estimate: a compiler hoists, unrolls and reuses.
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.ir import nodes as ir
from analysis_core.ir.layout import size_of
from analysis_core.ir.nodes import Block, Expr, Kernel, VarId
from analysis_core.ir.types import Space, Type
from analysis_core.ir.walk import blocks_of, children, expressions_of, fold, subexpressions

BASE = 4
"""What addresses and the machine's own take in every kernel."""

_LOCAL_BYTES = 256
"""Arrays of a thread up to so many bytes are taken to lie in registers."""


def estimated_registers(kernel: Kernel) -> int:
    """Of a thread, 32 bits each."""
    walk = _Walk(kernel)
    walk.block(kernel.body)
    alive = sorted((first, _words(kernel.variables[var].type)) for var, (first, _) in walk.lives.items())
    ends = sorted((last + 1, -_words(kernel.variables[var].type)) for var, (_, last) in walk.lives.items())
    events: dict[int, int] = {}
    for at, words in (*alive, *ends):
        events[at] = events.get(at, 0) + words
    held, most = 0, 0
    for at in range(walk.now + 2):
        held += events.get(at, 0)
        most = max(most, held + walk.temporaries.get(at, 0))
    arrays = sum(
        bytes_ // 4
        for one in kernel.objects
        if one.space is Space.LOCAL and (bytes_ := size_of(one.type)) is not None and bytes_ <= _LOCAL_BYTES
    )
    return BASE + most + arrays


class _Walk:
    """Numbers statements in the order of the text."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel, self.now = kernel, 0
        self.lives: dict[VarId, tuple[int, int]] = {}
        self.temporaries: dict[int, int] = {}

    def block(self, block: Block) -> None:
        for stmt in block:
            self.now += 1
            start = self.now
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
    """Registers for what is in between (Sethi and Ullman)."""

    def combine(node: Expr, below: Sequence[int]) -> int:
        needs = sorted(below, reverse=True)
        return max((need + n for n, need in enumerate(needs)), default=0 if isinstance(node, ir.Local) else 1)

    return fold(expr, combine) if children(expr) else 0


def _words(type_: Type) -> int:
    return max(1, -(-(size_of(type_) or 4) // 4))
