"""The way that an interpretation took, to begin the next one where the texts part.

An interpretation goes through a kernel's statements in order, and what it knows before one of them depends on those before,
and on a few things about the kernel as a whole: its objects, what it may write (`roots`), which variables are read later
(`liveness`), its annotations, its launch.  So a
copy of the state is kept before some of the outermost statements (`SPACING`).  When another kernel begins with the same
statements, the last state before the first difference is as good as interpreting them again: the values are the same objects,
and so are the events.  Where it ends with the same statements, and has come to the same state before them, the rest is what it was
(rejoin.py).

A trail is worth its memory for the kernel that somebody is typing in, and for no other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from analysis_core.domains.arithmetic import Arithmetic
from analysis_core.domains.earlier import Round
from analysis_core.domains.symbol import SymbolSource
from analysis_core.interp.core.liveness import Liveness, is_live
from analysis_core.interp.core.roots import Roots
from analysis_core.interp.core.state import Run
from analysis_core.interp.core.static_loops import Statics
from analysis_core.interp.core.trace import Looped, walk
from analysis_core.interp.core.uniformity import assigned_by
from analysis_core.interp.resume.rejoin import Asked, Spoken, same_loops
from analysis_core.ir.nodes import Atomic, Block, Kernel, Load, Local, Loop, Stmt, Store, VarId
from analysis_core.ir.steps import Weights, weights_of
from analysis_core.ir.walk import expressions_of, statements, subexpressions
from analysis_core.program.launch import Launch
from analysis_core.support.settings import Settings
from analysis_core.text.records import dataclass

MOST_CHECKPOINTS = 32


@dataclass(frozen=True, slots=True, eq=False)
class Checkpoint:
    """The state before the outermost statement with number `done`.  `asked`: what was looked up from there to the next one."""

    done: int
    state: Run
    asked: Asked


@dataclass(frozen=True, slots=True, eq=False)
class Trail:
    """An interpretation of `kernel` under `launch`.  `end`: the state behind the last statement.  `executed`: statements that were
    executed, not counting those that were taken over; those of exact loops count in each round."""

    kernel: Kernel
    launch: Launch
    settings: Settings
    roots: Roots
    checkpoints: tuple[Checkpoint, ...]
    end: Run
    executed: int


def shape_of(launch: Launch) -> Launch:
    """The launch without its place in the text, unless something is reported there (entry.py)."""
    return replace(launch, span=launch.span if launch.arguments.aligned else None, assumptions=())


def spacing(body: Block) -> int:
    """How many outermost statements lie between two checkpoints."""
    return max(1, -(-len(body) // MOST_CHECKPOINTS))


def copied(run: Run) -> Run:
    """A state that shares nothing with `run` that either of them may change."""
    arithmetic = run.arithmetic
    source = SymbolSource()
    source.count = arithmetic.source.count
    return replace(
        run,
        arithmetic=Arithmetic(
            arithmetic.shape, source, dict(arithmetic.remembered), dict(arithmetic.derivations), arithmetic.relations
        ),
        statics=Statics(run.kernel, run.roots),
        asked=[],
        counters=set(run.counters),
        env=dict(run.env),
        trace=list(run.trace),
        weights={},
        executed=list(run.executed),
        frames=list(run.frames),
        inside=list(run.inside),
        exits=list(run.exits),
        via=list(run.via),
        accesses=list(run.accesses),
        branches=list(run.branches),
        unknowns=list(run.unknowns),
        coarse=list(run.coarse),
        assumptions=dict(run.assumptions),
        bases=dict(run.bases),
        loads=dict(run.loads),
        programs={},
        applied={},
        trips=dict(run.trips),
        trip_uppers=dict(run.trip_uppers),
        parameters=list(run.parameters),
        loop_limits=dict(run.loop_limits),
        rounds_done=dict(run.rounds_done),
        rejected=list(run.rejected),
    )


def resumed(past: Trail, kernel: Kernel, roots: Roots, liveness: Liveness) -> Checkpoint | None:
    """The last checkpoint of an earlier, comparable interpretation that holds for this one too; None if there is none.  `liveness`: of
    this kernel; what is read behind a checkpoint decides what is still known there."""
    old = past.kernel
    alike = _alike(old.body, kernel.body)
    before, after = weights_of(old), weights_of(kernel)
    for found in reversed(past.checkpoints):
        if found.done > alike:
            continue
        used = _variables(kernel.body[: found.done])
        used.update(v.id for v in (*old.variables, *kernel.variables) if v.parameter)
        was, now = found.state.liveness.outermost[found.done], liveness.outermost[found.done]
        read_alike = all(is_live(was, v) == is_live(now, v) for v in used)
        if not read_alike or not _same_pointers(kernel.body[: found.done], past.roots, roots):
            continue
        if all(_same_variable(v, old, kernel, before, after) for v in used):
            return found
    return None


def comparable(past: Trail, kernel: Kernel, launch: Launch, settings: Settings, roots: Roots) -> bool:
    """Whether an earlier interpretation is of a kernel that is equal in all that matters to every statement."""
    old = past.kernel
    return (
        shape_of(past.launch) == shape_of(launch)
        and past.settings == settings
        and (old.objects, old.annotations, old.parameters) == (kernel.objects, kernel.annotations, kernel.parameters)
        and (past.roots.written, past.roots.everything) == (roots.written, roots.everything)
        and past.roots.read_back == roots.read_back
    )


def turns_of(past: Trail) -> Mapping[int, Round]:
    """The rounds of summarised loops in an earlier interpretation, by the numbers of their counters."""
    found = (node for node in walk(past.end.trace) if isinstance(node, Looped))
    uppers = past.end.trip_uppers
    return {n.counter.number: Round(n.span, n.counter, uppers.get(n.counter), n.before, n.staying) for n in found}


@dataclass(frozen=True, slots=True, eq=False)
class Rest:
    """Where an earlier interpretation can be rejoined: its checkpoints behind which all statements are equal in the
    new kernel, by the number of the statement there. `spoken`: what these statements refer to; `asked`: what was
    looked up behind each checkpoint."""

    checkpoints: Mapping[int, Checkpoint]
    spoken: Spoken
    asked: Mapping[int, Asked]


NO_REST = Rest({}, Spoken(), {})


def rest_of(past: Trail, kernel: Kernel, roots: Roots, done: int) -> Rest:
    """Where the new interpretation, now at statement `done`, can rejoin the earlier one, which is comparable."""
    old = past.kernel
    fewer = min(len(old.body), len(kernel.body)) - done
    behind = _alike(old.body[: -fewer - 1 : -1], kernel.body[: -fewer - 1 : -1]) if fewer > 0 else 0
    grown = len(kernel.body) - len(old.body)
    points = [c for c in past.checkpoints if c.done >= len(old.body) - behind and c.done + grown > done]
    if not points:
        return NO_REST
    before, after = weights_of(old), weights_of(kernel)
    variables = _variables(kernel.body[points[0].done + grown :])
    others = {v for v in variables if not _same_variable(v, old, kernel, before, after)}
    least = _behind(kernel.body, others) if others else 0
    points = [c for c in points if c.done + grown >= least]
    if not points:
        return NO_REST
    first = points[0].done + grown
    spoken = _spoken(kernel.body[first:])
    if not _same_pointers(kernel.body[first:], past.roots, roots):
        return NO_REST
    if not same_loops(old, kernel, len(kernel.body) - first):
        return NO_REST
    asked: dict[int, Asked] = {}
    sofar = Asked()
    for point in reversed(points):
        sofar = asked[point.done + grown] = sofar | point.asked
    return Rest({point.done + grown: point for point in points}, spoken, asked)


def _behind(body: Block, variables: set[VarId]) -> int:
    """From which outermost statement on nothing is said of these variables."""
    return next((n + 1 for n in reversed(range(len(body))) if not variables.isdisjoint(_variables((body[n],)))), 0)


def _same_pointers(block: Block, old: Roots, new: Roots) -> bool:
    """Whether what the statements take for addresses may lead to the same memory in both kernels."""
    accesses = [s for s in statements(block) if isinstance(s, Load | Store | Atomic)]
    held = {e.var for s in accesses for e in subexpressions(s.address) if isinstance(e, Local)}
    return all(old.pointers.get(var) == new.pointers.get(var) for var in held)


def _same_variable(var: VarId, old: Kernel, new: Kernel, before: Weights, after: Weights) -> bool:
    """Whether a variable is in both kernels the same: as declared, and in what using it costs."""
    return (
        var < min(len(old.variables), len(new.variables))
        and old.variables[var] == new.variables[var]
        and (var in before.temporaries) == (var in after.temporaries)
    )


def shared(past: Trail, kernel: Kernel) -> int:
    """How many outermost statements are equal at the beginning, and at the end, of both kernels."""
    old, new = past.kernel.body, kernel.body
    first = _alike(old, new)
    left = min(len(old), len(new)) - first
    return first + (_alike(old[: -left - 1 : -1], new[: -left - 1 : -1]) if left else 0)


def _alike(old: Block, new: Block) -> int:
    """How many statements both blocks begin with."""
    for number, (one, other) in enumerate(zip(old, new, strict=False)):
        if one != other:
            return number
    return min(len(old), len(new))


def _spoken(block: Block) -> Spoken:
    inner = tuple(statements(block))
    loops = frozenset(s.whole for s in inner if isinstance(s, Loop))
    atomics = frozenset(s.access.span for s in inner if isinstance(s, Atomic))
    return Spoken(frozenset(_variables(block)), loops, atomics)


def _variables(block: Iterable[Stmt]) -> set[VarId]:
    found: set[VarId] = set()
    for stmt in statements(tuple(block)):
        found.update(assigned_by(stmt))
        for whole in expressions_of(stmt):
            found.update(e.var for e in subexpressions(whole) if isinstance(e, Local))
    return found
