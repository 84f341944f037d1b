"""The way that an interpretation took, to begin the next one where the texts part.

An interpretation goes through a kernel's statements in order, and what it knows before one of them depends on those before,
and on a few things about the kernel as a whole: its objects, what it may write (`roots`), which variables are read later
(`liveness`), its annotations, its launch.  So a
copy of the state is kept before some of the outermost statements (`SPACING`).  When another kernel begins with the same
statements, the last state before the first difference is as good as interpreting them again: the values are the same objects,
and so are the events.

A trail is worth its memory for the kernel that somebody is typing in, and for no other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from analysis_core.domains.arithmetic import Arithmetic
from analysis_core.domains.symbol import SymbolSource
from analysis_core.interp.levels import assigned_by
from analysis_core.interp.liveness import Liveness, is_live
from analysis_core.interp.roots import Roots
from analysis_core.interp.state import Run
from analysis_core.ir.launch import Launch
from analysis_core.ir.nodes import Block, Kernel, Local, Stmt, VarId
from analysis_core.ir.steps import Weights, weights_of
from analysis_core.ir.walk import expressions_of, statements, subexpressions
from analysis_core.support.settings import Settings

MOST_CHECKPOINTS = 32


@dataclass(frozen=True, slots=True, eq=False)
class Checkpoint:
    """The state before the outermost statement with number `done`."""

    done: int
    state: Run


@dataclass(frozen=True, slots=True, eq=False)
class Trail:
    """An interpretation of `kernel` under `launch`.  `executed`: statements
    that were executed, not counting those before the checkpoint where it began; those of exact loops count in each round."""

    kernel: Kernel
    launch: Launch
    settings: Settings
    roots: Roots
    checkpoints: tuple[Checkpoint, ...]
    executed: int


def shape_of(launch: Launch) -> Launch:
    """The launch without the place where it stands, unless that is told with what it says of pointers (entry.py)."""
    return replace(launch, span=launch.span if launch.alignments else None, assumptions=())


def spacing(body: Block) -> int:
    """Outermost statements from one checkpoint to the next."""
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
        env=dict(run.env),
        trace=list(run.trace),
        weights={},
        step_weights=None,
        executed=list(run.executed),
        frames=list(run.frames),
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
        trips=dict(run.trips),
        trip_uppers=dict(run.trip_uppers),
        parameters=list(run.parameters),
        loop_numbers={},
        loop_limits=dict(run.loop_limits),
        rounds_done=dict(run.rounds_done),
        rejected=list(run.rejected),
    )


def resumed(
    past: Trail, kernel: Kernel, launch: Launch, settings: Settings, roots: Roots, liveness: Liveness
) -> Checkpoint | None:
    """The last checkpoint of an earlier interpretation that holds for this one too; None if there is none.  `liveness`: of
    this kernel; what is read behind a checkpoint decides what is still known there."""
    old = past.kernel
    if shape_of(past.launch) != shape_of(launch) or past.settings != settings:
        return None
    if (old.objects, old.annotations, old.parameters) != (kernel.objects, kernel.annotations, kernel.parameters):
        return None
    if (past.roots.written, past.roots.everything) != (roots.written, roots.everything):
        return None
    alike = _alike(old.body, kernel.body)
    before, after = weights_of(old), weights_of(kernel)
    for found in reversed(past.checkpoints):
        if found.done > alike:
            continue
        used = _variables(kernel.body[: found.done])
        used.update(v.id for v in (*old.variables, *kernel.variables) if v.parameter)
        was, now = found.state.liveness.outermost[found.done], liveness.outermost[found.done]
        read_alike = all(is_live(was, v) == is_live(now, v) for v in used)
        if read_alike and all(_same_variable(v, old, kernel, past.roots, roots, before, after) for v in used):
            return found
    return None


def _same_variable(
    var: VarId, old: Kernel, new: Kernel, old_roots: Roots, roots: Roots, before: Weights, after: Weights
) -> bool:
    """Whether a variable is in both kernels the same: as declared, in what it may point to, and in what using it costs."""
    return (
        var < min(len(old.variables), len(new.variables))
        and old.variables[var] == new.variables[var]
        and old_roots.pointers.get(var) == roots.pointers.get(var)
        and (var in before.temporaries) == (var in after.temporaries)
    )


def _alike(old: Block, new: Block) -> int:
    """How many statements both blocks begin with."""
    for number, (one, other) in enumerate(zip(old, new, strict=False)):
        if one != other:
            return number
    return min(len(old), len(new))


def _variables(block: Iterable[Stmt]) -> set[VarId]:
    found: set[VarId] = set()
    for stmt in statements(tuple(block)):
        found.update(assigned_by(stmt))
        for whole in expressions_of(stmt):
            found.update(e.var for e in subexpressions(whole) if isinstance(e, Local))
    return found
