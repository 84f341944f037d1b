"""What is known at a place of a host function while it is walked (host_walk.py)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field

from analysis_core.lower.context import Lowering
from analysis_core.lower.values import Closure
from analysis_core.program.host import (
    host_cases,
    host_flow,
    host_made,
    host_operands,
    host_records,
    host_unknowns,
    host_ways,
)
from analysis_core.program.host.host_operands import Kernels
from analysis_core.program.host.host_ways import Made, State, Ways
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass


@dataclass(slots=True)
class HostFunction:
    """The function that is walked, as its text alone tells.  `arrays`: those that nothing but assignments changes; `aliased`: variables that
    something else may change; `repointed`, `moves`: pointers that are, and what they are given, both asked for once."""

    body: syn.Compound | None = None
    parameters: frozenset[str] = frozenset()
    arrays: frozenset[str] = frozenset()
    aliased: frozenset[str] = frozenset()
    repointed: frozenset[str] | None = None
    moves: Mapping[str, Sequence[syn.Expr]] | None = None


@dataclass(slots=True)
class Known:
    """What is known of variables at a place, beside their values in the scope.

    `pointers`: the kernels that each may point to; `counters`: those that the loops around count up, with what they begin with and the step;
    `conditions`: those that hold here, or do not, of names that keep their values; `rooms`: bytes that pointers are allocated with;
    `made`: what unknown numbers are made of."""

    pointers: dict[str, Kernels] = field(default_factory=dict)
    closures: dict[str, Closure] = field(default_factory=dict)
    counters: dict[str, tuple[int, int]] = field(default_factory=dict)
    conditions: tuple[tuple[syn.Expr, bool], ...] = ()
    rooms: dict[str, int] = field(default_factory=dict)
    made: Made = field(default_factory=dict)

    def drop(self, names: Iterable[str]) -> None:
        """Forgets the conditions on variables that are assigned, and what is made of them."""
        if self.conditions or self.made:
            gone = frozenset(names)
            self.conditions = tuple(c for c in self.conditions if host_flow.names_in(c[0]).isdisjoint(gone))
            self.made = host_made.without(self.made, gone)


@dataclass(slots=True)
class HostWalk:
    """A walk through one function of the host under template bindings; `visit` is called for every expression with the scope set.

    `ways`: the choices of this walk; `dead`: a constant condition leaves out what is walked; `rounds`, `entered`: loops and switches, and
    the lambdas and functions around it, none inside of itself."""

    ctx: Lowering
    visit: Callable[[HostWalk, syn.Expr], None]
    function: HostFunction = field(default_factory=HostFunction)
    known: Known = field(default_factory=Known)
    ways: Ways = field(default_factory=Ways)
    dead: bool = False
    rounds: int = 0
    entered: tuple[syn.Node, ...] = ()

    @property
    def told(self) -> Sequence[tuple[syn.Expr, bool]]:
        """The conditions that hold here, or do not, and still do where they are asked again."""
        return [one for one in self.known.conditions if self.stays(one[0])]

    def stays(self, condition: syn.Expr) -> bool:
        """Whether nothing but assignments to variables in it changes a condition."""
        for node in inside(condition):
            match node:
                case syn.Name(name=name):
                    if self.ctx.scope.find(name) is None or name in self.function.aliased:
                        return False
                case syn.Unary(op="!" | "-" | "~") | syn.Literal() | syn.Binary() | syn.Cast() | syn.TypeNode():
                    pass
                case _:
                    return False
        return True

    def state(self, names: Iterable[str]) -> State:
        """What these names are here."""
        return State({name: self.ctx.scope.find(name) for name in names}, dict(self.known.pointers), self.known.made)

    def begin_again(self, state: State) -> None:
        """Makes the names what they were."""
        for name, binding in state.values.items():
            if binding is not None:
                host_cases.rebind(self.ctx, name, binding)
        self.known.pointers, self.known.made = dict(state.pointers), state.made

    def meet(self, names: Sequence[str], ends: Sequence[State]) -> None:
        """Goes on from several ends: with what they have in common, and with one value for each variable that this walk tells apart."""
        told, each = host_ways.apart(self.ways, names, ends)
        chosen = each[self.ways.choose(len(each))] if each else None
        self.known.drop(names)
        for name in names:
            if chosen is not None and name in told:
                host_cases.rebind(self.ctx, name, chosen.values[name])
                continue
            both: object = ends[0].values[name]
            for end in ends[1:]:
                both = None if both is None else host_records.joined(both, end.values[name])
            if both is not None:
                host_cases.rebind(self.ctx, name, both)
            else:
                host_unknowns.forget(self.ctx, name)
        met = list(ends) if chosen is None else [chosen]
        self.known.pointers = dict(met[-1].pointers)
        for end in met[-2::-1]:
            self.known.pointers = host_operands.either(self.known.pointers, end.pointers)
        self.known.made = {n: m for n, m in met[0].made.items() if all(end.made.get(n) is m for end in met)}

    def forget(self, names: Iterable[str]) -> None:
        """Makes the names unknown."""
        for name in names:
            host_unknowns.forget(self.ctx, name)
