"""Nests of loops without closed form as parts of a kernel's cost programs: what `loop_program` needs, read off the trace.

A summarised loop whose trip count no expression gives, or whose inner loops have none, is known to the trace only by upper
figures, round by round: a pointer that the inner loop moves on and nobody sets back is paid in full in every round.  The
program of the loop itself (loop_program.py) keeps what the rounds share, so it may have a better bound, or one at all.

One execution of a statement costs at most what the dearest of its events does, for any lanes.  It costs at least what the
cheapest does if no decision in the loop divides a warp (then each reaches it whole), the warp enters the loop whole, and the
event is one of all lanes that entered.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import field, replace

import numpy as np

from analysis_core.bounds.loop_program import Costs, LoopProgram, loop_program
from analysis_core.bounds.program import Affine, Branch, Stmt, While, affine
from analysis_core.bounds.trip_parameters import TripParameters
from analysis_core.bounds.warp_costs import WarpCosts
from analysis_core.domains.mask import Mask
from analysis_core.domains.shape import WARP, BoolVector, every, some
from analysis_core.domains.symbol import Level
from analysis_core.domains.thread_value import Integer, level_of
from analysis_core.expressions.metric import Metric
from analysis_core.interp.core.trace import Accessed, Branched, Looped, walk
from analysis_core.interp.core.uniformity import changed_variables
from analysis_core.ir import nodes as ir
from analysis_core.ir.steps import Weights, weights_of
from analysis_core.ir.walk import expressions_of, statements, subexpressions
from analysis_core.support.facts import Assumption
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

Prices = dict[ir.AccessId | Span, dict[str, tuple[int, int]]]
"""Per access, and per span of what decides a branch: (lower, upper) of one execution by metric."""


Entry = tuple[tuple[ir.VarId, Affine | None], ...]

Ticks = tuple[tuple[ir.AccessId | Span, Costs], ...]


@dataclass(slots=True, eq=False)
class LoopReadings:
    """The loops of one kernel read as cost programs from the source. Warps of several classes and interpretations
    mostly enter them with the same values and pay the same, so answers are kept by all that they depend on; loops and
    statements by identity, and kept alive for that."""

    kernel: ir.Kernel
    weights: Weights | None = field(default=None)
    _steps: dict[int, tuple[ir.Stmt, int]] = field(default_factory=dict)
    _mentioned: dict[int, tuple[ir.Loop, tuple[ir.VarId, ...]]] = field(default_factory=dict)
    _programs: dict[Hashable, tuple[ir.Loop, LoopProgram | None]] = field(default_factory=dict)

    def mentioned(self, loop: ir.Loop) -> tuple[ir.VarId, ...]:
        """The variables that the loop reads or changes."""
        known = self._mentioned.get(id(loop))
        if known is None:
            inside = list(statements((loop,)))
            read = {
                node.var
                for stmt in inside
                for expr in expressions_of(stmt)
                for node in subexpressions(expr)
                if isinstance(node, ir.Local)
            }
            known = self._mentioned[id(loop)] = (loop, tuple(sorted(read | changed_variables((loop,)))))
        return known[1]

    def program(self, loop: ir.Loop, entry: Entry, shared: frozenset[ir.VarId], ticks: Ticks) -> LoopProgram | None:
        """The loop, from a test to its end, as a cost program; None where that promises no bound. `entry`: the values
        before it of the variables that it mentions; `shared`: those of them on which all lanes of a warp agree."""
        key = (id(loop), entry, shared, ticks)
        known = self._programs.get(key)
        if known is None:
            known = self._programs[key] = (loop, self._read(loop, entry, shared, ticks))
        return known[1]

    def _read(self, loop: ir.Loop, entry: Entry, shared: frozenset[ir.VarId], ticks: Ticks) -> LoopProgram | None:
        # The trace stands at a test, also of a `do` loop, whose first round is before.
        tested = replace(loop, kind=ir.LoopKind.WHILE)
        found = loop_program(self.kernel, tested, dict(entry), (), dict(ticks), shared.__contains__, (), self.steps)
        if isinstance(found, LoopProgram) and found.divides:
            upper = {key: tuple((m, 0, high) for m, _, high in costs) for key, costs in ticks}
            found = loop_program(self.kernel, tested, dict(entry), (), upper, shared.__contains__, (), self.steps)
        return found if isinstance(found, LoopProgram) and _ends(found.program.body) else None

    def steps(self, stmt: ir.Stmt) -> int:
        """Abstract steps of one execution of the statement at most (a loop: of its test), nested ones left out."""
        known = self._steps.get(id(stmt))
        if known is None:
            known = self._steps[id(stmt)] = (stmt, self._steps_of(stmt))
        return known[1]

    def _steps_of(self, stmt: ir.Stmt) -> int:
        if self.weights is None:
            self.weights = weights_of(self.kernel)
        return self.weights.of_statement(stmt, None) + self.weights.open_in(stmt)


@dataclass(slots=True, eq=False)
class LoopNests:
    """The loops of one interpretation.  `assumptions`: what the programs made so far rest on."""

    readings: LoopReadings
    costs: WarpCosts
    trips: TripParameters
    assumptions: dict[str, Assumption] = field(default_factory=dict)

    def program(self, node: Looped, warps: Sequence[int], sure: bool) -> tuple[Stmt, ...] | None:
        """The loop, from its start to its end, as a cost program for any of these warps; None where that promises no
        bound. `sure`: the warps surely enter it whole."""
        rows = np.zeros_like(node.before.may)
        for warp in warps:
            rows[warp * WARP : (warp + 1) * WARP] = True
        lanes = rows & node.before.may
        mentioned = self.readings.mentioned(node.loop)
        prices = self._prices(node, warps, sure)
        if prices is None:
            return None
        entry = tuple((v, self._affine(node.entry[v], lanes)) for v in mentioned if v in node.entry)
        shared = frozenset(v for v in mentioned if _is_uniform(node, v))
        ticks = tuple((key, tuple((m, low, high) for m, (low, high) in costs.items())) for key, costs in prices.items())
        found = self.readings.program(node.loop, entry, shared, ticks)
        if found is None:
            return None
        for text in found.assumptions:
            self.assumptions.setdefault(text, Assumption(text, node.span))
        return found.program.body

    def _affine(self, value: object, lanes: BoolVector) -> Affine | None:
        """The one value that all these lanes hold, in sizes and counters of enclosing loops."""
        if not isinstance(value, Integer) or not value.exact or not some(lanes):
            return None
        terms: list[tuple[str, int]] = []
        constant = 0
        for monomial, coefficient in value.poly.terms.items():
            if isinstance(coefficient, int):
                number = coefficient
            else:
                held = coefficient[lanes]
                if some(held != held[0]):
                    return None
                number = int(held[0])
            if not monomial:
                constant = number
                continue
            name = self.trips.monomial(monomial, lanes)
            if name is None:
                return None
            terms.append((name, number))
        return affine(constant, terms)

    def _prices(self, node: Looped, warps: Sequence[int], sure: bool) -> Prices | None:
        """What one execution of each statement costs one of the warps.  None: an event is of no statement that has a price."""
        spans = {s.span for s in statements((node.loop,)) if isinstance(s, (ir.If, ir.Loop, ir.Switch))}
        found: Prices = {}

        def pay(key: ir.AccessId | Span, metric: Metric, low: int, high: int) -> None:
            known = found.setdefault(key, {})
            least, most = known.get(metric.value, (low, high))
            known[metric.value] = (min(least, low), max(most, high))

        for inner in walk((node,)):
            match inner:
                case Accessed(index):
                    event = self.costs.events.accesses[index]
                    whole = sure and _same(event.mask, node.before, warps)
                    for metric, costs in self.costs.access(index).items():
                        low = min(int(costs.lower[w]) for w in warps) if whole else 0
                        high = max(int(costs.upper[w]) for w in warps)
                        pay(event.access.id, metric, low, high)
                        if metric in (Metric.SECTORS, Metric.WAVEFRONTS):
                            pay(event.access.id, Metric.STEPS, low, high)
                case Branched(index):
                    branch = self.costs.events.branches[index]
                    if branch.span not in spans:
                        return None
                    splits = self.costs.branch(index)
                    if branch.iteration is not None:  # Told of all rounds together; one test splits a warp once.
                        high = 0 if all(splits.whole[w] for w in warps) else 1
                    else:
                        high = max(int(splits.splits.upper[w]) for w in warps)
                    pay(branch.span, Metric.DIVERGENCES, 0, high)
                case _:
                    pass
        return found


def _is_uniform(node: Looped, var: ir.VarId) -> bool:
    """Whether all lanes of a warp have one value of the variable, anywhere in the loop."""
    level = node.levels.get(var)
    if level is None:
        value = node.entry.get(var)
        level = Level.LANE if value is None else level_of(value)
    return level is not Level.LANE


def _same(mask: Mask, before: Mask, warps: Sequence[int]) -> bool:
    """Whether a mask holds all lanes of these warps that entered the loop."""
    ours, entered = mask.may.reshape(-1, WARP), before.may.reshape(-1, WARP)
    return all(every(ours[w] == entered[w]) for w in warps)


def _ends(body: Sequence[Stmt]) -> bool:
    """Whether each loop of the program has a test of numbers somewhere; without one nothing ends it."""
    for stmt in body:
        match stmt:
            case While(guard, inner):
                if not (any(_is_numeric(part) for part in guard) or _tests(inner)) or not _ends(inner):
                    return False
            case Branch(arms):
                if not all(_ends(arm.body) for arm in arms):
                    return False
            case _:
                pass
    return True


def _tests(body: Sequence[Stmt]) -> bool:
    """Whether the round itself asks for numbers, outside of inner loops."""
    for stmt in body:
        if isinstance(stmt, Branch):
            for arm in stmt.arms:
                if any(_is_numeric(part) for part in arm.guard) or _tests(arm.body):
                    return True
    return False


def _is_numeric(part: Affine) -> bool:
    """A comparison of the program's variables, rather than a flag."""
    return any(not name.startswith(("break", "continue", "return")) for name, _ in part.terms)
