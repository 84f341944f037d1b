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
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.rewrite_syntax import rewritten
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass

MOST_WALKS = 12
"""Through one function; past them one more, in which nothing is told apart."""

_MOST_SIDES = 8


@dataclass(slots=True)
class Ways:
    """The choices of one walk, in order: those to make (`way`), those made so far, and how many there were each time.  `asked`: the variables
    that the blocks of launches rest on; `together`: nothing is told apart."""

    asked: frozenset[str] = frozenset()
    way: tuple[int, ...] = ()
    together: bool = False
    taken: list[int] = field(default_factory=list)
    counts: list[int] = field(default_factory=list)

    def tells(self, name: str) -> bool:
        """Whether the values of a variable are told apart."""
        return not self.together and name in self.asked

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
        yield Ways(asked, together=True)


Made = Mapping[str, tuple[syn.Expr, frozenset[str]]]
"""By name of a number or a dim3 that is not known, what it was made of and the names in that, in the order of the text."""


@dataclass(frozen=True, slots=True)
class State:
    """What some variables are at the end of a side, which kernels variables point to, and what unknown numbers are made of."""

    values: Mapping[str, Binding | None]
    pointers: Mapping[str, Kernels]
    made: Made


def apart(ways: Ways, names: Sequence[str], ends: Sequence[State]) -> tuple[list[str], list[State]]:
    """The variables that the ends of sides tell apart, and one end for each of their values; nothing where that is of no use."""
    told = [
        name
        for name in names
        if ways.tells(name) and any(end.values[name] != ends[0].values[name] for end in ends) and _is_shape(ends, name)
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


Conditions = Sequence[tuple[syn.Expr, bool]]
"""Those that hold at a place, or do not."""


def sides(ctx: Lowering, expr: syn.Expr, conditions: Conditions) -> list[syn.Expr]:
    """What an expression is for each way that its conditionals may go; itself where there are too many."""
    found = [expr]
    while len(found) <= _MOST_SIDES:
        each = [divided(ctx, one, conditions) for one in found]
        if not any(each):
            return found
        found = [side for one, two in zip(found, each, strict=True) for side in (two[1] if two else (one,))]
    return [expr]


def divided(ctx: Lowering, expr: syn.Expr, conditions: Conditions) -> tuple[syn.Expr, tuple[syn.Expr, ...]] | None:
    """The first condition in an expression that no constant decides, and the expression with either side behind it: with one of them where
    `conditions` tell."""
    for node in inside(expr, lambdas=False):
        if isinstance(node, syn.Conditional) and host_constant(ctx, node.condition) is None:
            told = [holds for condition, holds in conditions if spelling(condition) == spelling(node.condition)]
            both = (node.then, node.otherwise)
            chosen = (both[not told[0]],) if told else both
            return node.condition, tuple(replaced(expr, node, side) for side in chosen)
    return None


def replaced(expr: syn.Expr, node: syn.Node, by: syn.Expr) -> syn.Expr:
    """The expression with another one in place of a part of it."""
    return rewritten(expr, lambda part: by if part is node else None)
