"""Several values that something of the host may have: each is looked at in a walk of its own through the function.

    int threads = 1024;
    if (n <= 256) threads = 256;
    else if (n <= 512) threads = 512;          three walks, each with one of the numbers behind it
    int rows = n > 64 ? 8 : 4;                 two for each of them

Only what the blocks of launches rest on is told apart (`asked`), and only where all of its values are known.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from analysis_core.ir.scalars import DIM3
from analysis_core.ir.spelling import spelling
from analysis_core.lower.context import Lowering
from analysis_core.lower.names.scope import Binding
from analysis_core.lower.values import StructValue, Value
from analysis_core.program.host.host_constants import host_constant, is_known
from analysis_core.program.host.host_operands import Kernels
from analysis_core.support.facts import Assumption
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.rewrite_syntax import rewritten
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass

MOST_WALKS = 12
"""Through one function; past them one more, in which nothing is told apart."""

_MOST_SIDES = 8

Most = Mapping[str, tuple[int, Assumption]]
"""By name of a variable that is not known, the most that it is."""


@dataclass(slots=True)
class Ways:
    """The choices of one walk, in order: those to make (`way`), those made so far, and how many there were each time."""

    asked: frozenset[str] = frozenset()
    way: tuple[int, ...] = ()
    taken: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)

    def choose(self, count: int) -> int:
        """Which of so many sides this walk takes."""
        position = len(self.taken)
        choice = self.way[position] if position < len(self.way) else 0
        self.taken.append(choice)
        self.counts.append(count)
        return choice

    def next(self) -> Ways | None:
        """The walk after this one; None after the last."""
        for position in reversed(range(len(self.taken))):
            if self.taken[position] + 1 < self.counts[position]:
                return Ways(self.asked, (*self.taken[:position], self.taken[position] + 1))
        return None


def walks(asked: frozenset[str]) -> Iterator[Ways]:
    """The walks through one function; each has been made when the next one is asked for."""
    ways: Ways | None = Ways(asked)
    for _ in range(MOST_WALKS):
        if ways is None:
            return
        yield ways
        ways = ways.next()
    if ways is not None:
        yield Ways()


@dataclass(frozen=True, slots=True)
class State:
    """What some variables are at the end of a side, which kernels variables point to, and the most that unknown ones are."""

    values: Mapping[str, Binding | None]
    pointers: Mapping[str, Kernels]
    most: Most


def apart(ways: Ways, names: Sequence[str], ends: Sequence[State]) -> tuple[list[str], list[State]]:
    """The variables that the ends of sides tell apart, and one end for each of their values; nothing where that is of no use."""
    told = [
        name
        for name in names
        if name in ways.asked
        and any(end.values[name] != ends[0].values[name] for end in ends)
        and _is_shape(ends, name)
    ]
    values = [end.values[name] for end in ends for name in told]
    if not all(isinstance(value, Value | StructValue) and is_known(value) for value in values):
        return [], []
    found: list[State] = []
    for end in ends:
        if all(any(end.values[name] != other.values[name] for name in told) for other in found):
            found.append(end)
    return (told, found) if 1 < len(found) <= _MOST_SIDES else ([], [])


def _is_shape(ends: Sequence[State], name: str) -> bool:
    """Whether a variable is a number or a dim3 at all ends."""
    values = [end.values[name] for end in ends]
    return all(isinstance(v, Value) or (isinstance(v, StructValue) and v.type == DIM3) for v in values)


def sides(ctx: Lowering, expr: syn.Expr) -> list[syn.Expr]:
    """What an expression is for each way that its conditionals may go; itself where there are none, or too many."""
    found = [expr]
    while len(found) <= _MOST_SIDES:
        divided = [_divided(ctx, each) for each in found]
        if not any(divided):
            return found
        found = [side for each, two in zip(found, divided, strict=True) for side in two or (each,)]
    return [expr]


def _divided(ctx: Lowering, expr: syn.Expr) -> tuple[syn.Expr, ...]:
    """The expression with either side of the first conditional in it that nobody can decide; () if there is none."""
    for node in inside(expr, lambdas=False):
        if isinstance(node, syn.Conditional) and host_constant(ctx, node.condition) is None:
            return tuple(_replaced(expr, node, side) for side in (node.then, node.otherwise))
    return ()


_MINIMA = frozenset({"min", "umin", "ullmin", "llmin"})


def capped(ctx: Lowering, expr: syn.Expr) -> syn.Expr | None:
    """The most that `min(n, 1024)` is, and what is made of it; None where there is no such thing."""
    for node in inside(expr, lambdas=False):
        match node:
            case syn.Call(callee=syn.Name(name=name), args=[one, other]) if name.rpartition("::")[2] in _MINIMA:
                known = [part for part in (one, other) if host_constant(ctx, part) is not None]
            case syn.Conditional():
                known = _least_of(ctx, node)
            case _:
                continue
        if len(known) == 1:
            within = _replaced(expr, node, known[0])
            return capped(ctx, within) or within
    return None


def _least_of(ctx: Lowering, node: syn.Conditional) -> list[syn.Expr]:
    """The constants that `n < 1024 ? n : 1024` chooses from as a minimum; none where it is something else."""
    condition = node.condition
    if not isinstance(condition, syn.Binary) or condition.op not in ("<", "<=", ">", ">="):
        return []
    below, above = (node.then, node.otherwise) if condition.op[0] == "<" else (node.otherwise, node.then)
    names = spelling(condition.left) == spelling(below) and spelling(condition.right) == spelling(above)
    known = [side for side in (below, above) if host_constant(ctx, side) is not None]
    return known if names else []


def _replaced(expr: syn.Expr, node: syn.Node, by: syn.Expr) -> syn.Expr:
    """The expression with another one in place of a part of it."""
    return rewritten(expr, lambda part: by if part is node else None)
