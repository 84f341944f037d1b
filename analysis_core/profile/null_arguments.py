"""What a launch never comes to because it passes null, or a constant that stands for a way through the kernel.

    __global__ void classify(float *losses, float *probs, bool add, ..) { .. if (probs != NULL) probs[8 * i] = x; if (add) .. }
    classify<<<grid, block>>>(losses, NULL, false, ..);

The facts hold for whatever is passed, so the store is in them; no finding about this launch speaks of it, nor is it weighed there.
Where several launches are looked at as one, all of them have to pass the same (`program/launch.py`).  Of numbers only those tests count that ask
for one (`mode == 2`, `if (add)`): that a size is small where a launch is seen says little of others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from analysis_core.ir import constants
from analysis_core.ir.early_exits import ends_in
from analysis_core.ir.effects import assigned_in, assigned_once
from analysis_core.ir.launch_site import SizeRange
from analysis_core.ir.nodes import (
    AccessId,
    Atomic,
    Binary,
    Block,
    Break,
    Cast,
    Const,
    Continue,
    Expr,
    If,
    Inlined,
    Kernel,
    Load,
    Local,
    Loop,
    Return,
    Store,
    Switch,
    Unary,
    VarId,
)
from analysis_core.ir.types import BOOL, PointerType
from analysis_core.ir.walk import blocks_of, fold
from analysis_core.lower.objects.conversions import is_integer
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

Site = tuple[Span, tuple[Span, ...]]
"""A condition in the text, and the calls that lead to it."""


@dataclass(slots=True)
class Unreached:
    """The accesses and branches that no launch comes to."""

    accesses: set[AccessId] = field(default_factory=set)
    branches: set[Site] = field(default_factory=set)


def unreached(kernel: Kernel, ranges: Iterable[SizeRange]) -> Unreached:
    """What stands below tests of parameters for which all launches in view pass null, or one number (`ranges`)."""
    found = Unreached()
    values = {one.name: one.least for one in ranges if one.least is not None and one.least == one.most}
    if not values:
        return found
    named = [v for v in (kernel.variables[p] for p in kernel.parameters) if v.name in values]
    named = [v for v in named if is_integer(v.type) or (isinstance(v.type, PointerType) and values[v.name] == 0)]
    changed = assigned_in(kernel.body) if named else frozenset()
    known = {v.id: Const(values[v.name], v.type) for v in named if v.id not in changed}
    if not known:
        return found
    for var, value in assigned_once(kernel).items():
        constant = _value(value, known)
        if constant is not None:
            known[var] = constant
    _Walk(known, found).block(kernel.body, (), False)
    return found


@dataclass(frozen=True, slots=True)
class _Walk:
    """A walk through the kernel.  `known`: variables with one value."""

    known: Mapping[VarId, Const]
    found: Unreached

    def block(self, block: Block, via: tuple[Span, ...], dead: bool) -> None:
        """`dead`: nobody comes here."""
        for stmt in block:
            match stmt:
                case Load() | Store() | Atomic() if dead:
                    self.found.accesses.add(stmt.access.id)
                case If():
                    taken = _value(stmt.condition, self.known)
                    self._note(stmt.span, via, dead)
                    self.block(stmt.then, via, dead or (taken is not None and not taken.value))
                    self.block(stmt.otherwise, via, dead or (taken is not None and bool(taken.value)))
                    dead = dead or (
                        taken is not None
                        and ends_in(stmt.then if taken.value else stmt.otherwise, Return, Break, Continue)
                    )
                case Inlined():
                    self.block(stmt.body, (*via, stmt.span), dead)
                case Loop() | Switch():
                    self._note(stmt.span, via, dead)
                    for part in blocks_of(stmt):
                        self.block(part, via, dead)
                case _:
                    pass

    def _note(self, span: Span, via: tuple[Span, ...], dead: bool) -> None:
        if dead:
            self.found.branches.add((span, via))


def _value(expr: Expr, known: Mapping[VarId, Const]) -> Const | None:
    """The value of a test, where that is known; numbers that are computed are no matter here."""

    def value(node: Expr, args: Sequence[Const | None]) -> Const | None:
        match node:
            case Local():
                return known.get(node.var)
            case Cast() if args[0] is not None and isinstance(node.type, PointerType):
                return Const(args[0].value, node.type)
            case Binary(op="==" | "!=" as op) if args[0] is not None and args[1] is not None:
                return Const(int((args[0].value == args[1].value) == (op == "==")), BOOL)
            case Const() | Cast() | Unary(op="!") | Binary(op="&&" | "||"):
                return constants.combined(node, args)
            case _:
                return None

    return fold(expr, value)
