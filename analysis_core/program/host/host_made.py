"""What follows where a number of the host is taken for granted: in a case of a `switch`, behind a test, or as the most that it is.

int rows = 256 / threads;
dim3 block(threads, rows);
switch (threads) { case 64: k<64><<<4, block>>>(p); break; .. }       `rows` is 4 there, and `block` 64 by 4
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import field

from analysis_core.ir.nodes import Const
from analysis_core.ir.scalars import DIM3
from analysis_core.ir.types import ScalarType
from analysis_core.lower.context import Lowering
from analysis_core.lower.values import Operand, StructValue, Value
from analysis_core.program.host import host_flow, host_limits, host_ways
from analysis_core.program.host.host_cases import integer, rebind
from analysis_core.program.host.host_constants import initial, is_known, is_whole
from analysis_core.program.host.host_unknowns import known_number
from analysis_core.program.host.host_ways import Made
from analysis_core.support.facts import Assumption
from analysis_core.syntax.read import tree as syn
from analysis_core.text.records import dataclass


def with_made(made: Made, name: str, value: Operand, init: syn.Expr | None) -> Made:
    """With one more; `value`: as far as it is known."""
    shape = isinstance(value, StructValue) and value.type == DIM3
    if init is None or is_whole(value) or not (shape or isinstance(value, Value)):
        return made
    return {**made, name: (init, host_flow.names_in(init))}


def without(made: Made, names: Iterable[str]) -> Made:
    """Without these names and what is made of them."""
    gone = frozenset(names)
    return {n: one for n, one in made.items() if gone.isdisjoint((n, _variable(n))) and gone.isdisjoint(one[1])}


def _variable(name: str) -> str:
    """The variable of which this is a member: `config.blockDim` has a name of its own."""
    return name.partition(".")[0]


@dataclass(slots=True)
class _Taken:
    """Names that are taken to be something, with what they were and are."""

    ctx: Lowering
    names: dict[str, tuple[object, Operand]] = field(default_factory=dict)

    def take(self, name: str, value: Operand | None) -> bool:
        """Takes a name that is not wholly known to be this; whether it does."""
        held = self.ctx.scope.find(name)
        if name in self.names or not isinstance(held, Value | StructValue) or is_whole(held) or value is None:
            return False
        if isinstance(held, Value):
            number = integer(value.fields[0] if isinstance(value, StructValue) else value)
            if number is None or not isinstance(held.type, ScalarType):
                return False
            value = Value(Const(number, held.type), held.type)
        self.names[name] = held, value
        rebind(self.ctx, name, value)
        return True

    def give_back(self) -> None:
        """Makes the names what they were, but for those that have another value by now."""
        for name, (then, now) in self.names.items():
            if self.ctx.scope.find(name) is now:
                rebind(self.ctx, name, then)


@contextmanager
def taken_to_be(
    ctx: Lowering, made: Made, numbers: Iterable[tuple[str, int]], told: host_ways.Conditions
) -> Iterator[None]:
    """A context in which unknown names are these numbers, and what is made of them is what that makes it.  `told`: conditions that hold, or
    do not."""
    taken = _Taken(ctx)
    for name, number in numbers:
        taken.take(name, known_number(number))
    for name, (init, names) in made.items() if taken.names else ():
        if not names.isdisjoint(taken.names):
            taken.take(name, _value(ctx, name, init, told))
    yield
    taken.give_back()


@contextmanager
def at_most(ctx: Lowering, made: Made, names: Container[str], told: host_ways.Conditions) -> Iterator[list[Assumption]]:
    """A context in which these names are the most that they are, as far as something tells it, with what tells it."""
    taken, said = _Taken(ctx), list[Assumption]()
    for name, (init, _) in made.items():
        if _variable(name) not in names or (taken.names and taken.take(name, _value(ctx, name, init, told))):
            continue
        found = host_limits.most_of(ctx, init)
        if found is not None and taken.take(name, StructValue(DIM3, tuple(map(known_number, found[0])))):
            said.append(Assumption(f"`{name}` is {found[1]}", init.span))
    yield said
    taken.give_back()


def _value(ctx: Lowering, name: str, init: syn.Expr, told: host_ways.Conditions) -> Operand | None:
    """What a name is that was made of this, where it is the same whichever way conditionals go."""
    held = ctx.scope.find(name)
    if not isinstance(held, Value | StructValue):
        return None
    each = [initial(ctx, held.type, one) for one in host_ways.sides(ctx, init, told)]
    return each[0] if is_known(each[0]) and all(one == each[0] for one in each) else None
