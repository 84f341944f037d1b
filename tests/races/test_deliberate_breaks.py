"""Twenty wrong ladders and more: each replaces a rule of the proofs by one that claims too much, and then a kernel that races, as runs of the simulator
show (test_own_kernels.py), is said to be free of races."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from analysis_core.domains import polynomial as pl
from analysis_core.domains.mask import Mask
from analysis_core.domains.polynomial import Monomial, Poly
from analysis_core.domains.shape import IntVector
from analysis_core.domains.symbol import Symbol
from analysis_core.interp.core import parts as core_parts
from analysis_core.interp.core.events import AccessKind
from analysis_core.interp.core.trace import Barred
from analysis_core.ir.nodes import BarrierScope
from analysis_core.races import (
    between_blocks,
    cells,
    classify,
    decide,
    formulas,
    intervals,
    occurrences,
    pairs,
    parts,
    pipelines,
    stored_values,
    within_block,
)
from analysis_core.races.intervals import Intervals
from analysis_core.races.occurrences import NEXT, OWN, Occurrence, Turn
from analysis_core.races.smt import Answer, Question
from analysis_core.races.verdicts import Verdict
from tests.races.test_verdicts import HERE, kernels_of, report_of

_QUIET = frozenset({Verdict.ABSENT, Verdict.BENIGN, Verdict.LOCK_STEP})
_VALUES = cells._values_of
_VERSION, _KNOWN, _ENTRIES, _SIDE = Occurrence.version, Turn.known, cells.entries, Intervals._side

_STEP = pipelines._Reader._step

_OBJECTS = "kernels/barrier_objects.cu"
_PIPELINES = "kernels/block_pipelines.cu"


def _always(value: object) -> Callable[..., object]:
    return lambda *_, **__: value


def _kinds(one: Occurrence, other: Occurrence) -> set[AccessKind]:
    return {one.event.kind, other.event.kind}


def _first_value(monomial: Monomial) -> IntVector | None:
    """The least of the values that an unknown takes."""
    found = _VALUES(monomial)
    return None if found is None else found[:1]


def _function_stays(asked: str) -> property:
    """A function of the round's number is in the next round what it is in this one."""

    def known(turn: Turn) -> Mapping[Symbol, Poly]:
        movers, found = turn.movers, dict(_KNOWN.fget(turn))  # type: ignore[attr-defined]
        for symbol in {"counter": (movers.counter,), "power": tuple(movers.powers), "parity": (movers.parity,)}[asked]:
            if turn.when == NEXT and symbol is not None:
                found[symbol] = pl.constant(turn.phase) if asked == "parity" else pl.of_symbol(symbol)
        return found

    return property(known)


def _first_bytes(one: Occurrence, size: int) -> Any:
    """The cells of an access as if it were as narrow as a cell."""
    found, threads = _ENTRIES(one, size)
    _, first = np.unique(threads, return_index=True)
    return found[first], threads[first]


def _nobody(groups: IntVector, *_: object) -> Any:
    return np.zeros(len(groups), dtype=bool)


def _no_round(when: int) -> Callable[..., object]:
    """Rounds so far from this one are not walked."""
    return lambda self, nodes, before, where: (
        [] if where.turns and where.turns[-1].when == when else _SIDE(self, nodes, before, where)
    )


def _roomy(self: Any, node: Barred, known: Any, waited: bool) -> bool:
    """A step as if there were a stage for each commit."""
    self._stages = 9
    return _STEP(self, node, known, waited)


def _asked(self: object, one: Occurrence, other: Occurrence, apart: Any) -> tuple[Question, Answer]:
    return Question(one, other, apart), Answer(False)


_BREAKS = {
    "barriers of a block order the grid": (
        ((Intervals, "_orders", lambda _, node: isinstance(node, Barred) and node.scope is not BarrierScope.WARP),),
        "kernels/grids.cu", "block_barrier_for_the_grid"),
    "a barrier under a condition is waited at": (((intervals, "_beyond", _always(())),), "racy.cu", "one_side_waits"),
    "a barrier that may be passed by is not": (((occurrences, "_is_sure", _always(True)),), "racy.cu", "one_side_waits"),
    "atomic updates race with nothing": (
        tuple((m, "conflict", lambda a, b: {AccessKind.WRITE} <= _kinds(a, b) - {AccessKind.ATOMIC} and AccessKind.ATOMIC not in _kinds(a, b))
              for m in (pairs, within_block)), "racy.cu", "too_early"),
    "only stores race": (
        tuple((m, "conflict", lambda a, b: _kinds(a, b) == {AccessKind.WRITE}) for m in (pairs, within_block)),
        "kernels/producers.cu", "not_awaited"),
    "a round is not held against the next": (
        ((Intervals, "_side", _no_round(NEXT)),), "kernels/reductions.cu", "total_reset_too_early"),
    "what a stage holds is not held against the next round": (((Intervals, "_side", _no_round(NEXT)),), _PIPELINES, "filled_before_it_is_acquired"),
    "what a stage holds is held against the next round alone": (
        ((Intervals, "_side", _no_round(NEXT + 1)),), _PIPELINES, "read_two_rounds_later_and_not_waited_for"),
    "a wait waits for all stages": (
        ((pipelines.Step, "behind", lambda step, one: one if step.left is None else None),), _PIPELINES, "waits_once_for_two"),
    "what lies behind a release is released": (
        ((pipelines.Step, "behind", lambda step, one: one if step.left is None else None),), _PIPELINES, "read_behind_the_release"),
    "stages are waited for before they are released": (
        ((pipelines._Reader, "_step", lambda self, node, known, _: _STEP(self, node, known, True)),), _PIPELINES, "committed_again_without_a_wait"),
    "there are stages enough": (((pipelines._Reader, "_step", _roomy),), _PIPELINES, "more_ahead_than_stages"),
    "counters stay": (((Turn, "known", _function_stays("counter")),), "kernels/double_buffers.cu", "reads_what_comes_next"),
    "powers stay": (((Turn, "known", _function_stays("power")),), "kernels/double_buffers.cu", "reads_the_next_power"),
    "parities stay": (((Turn, "known", _function_stays("parity")),), "kernels/double_buffers.cu", "reads_the_other_side"),
    "all threads are in one round": (
        ((Occurrence, "version", lambda one, symbol: () if _VERSION(one, symbol) == OWN else _VERSION(one, symbol)),),
        "kernels/producers.cu", "rounds_of_their_own"),
    "accesses are as wide as a cell": (((cells, "entries", _first_bytes),), "kernels/overlapping.cu", "second_of_a_pair"),
    "no two threads have a cell": (((within_block, "someone_meets", _always(False)),), "kernels/reductions.cu", "first_round_too_early"),
    "all threads are of one warp": (
        ((cells.Meetings, "across_warps", property(lambda met: met.where(np.zeros(len(met), dtype=bool)))),),
        "kernels/warp_synchronous.cu", "row_of_the_other_warp"),
    "all store the same": (
        ((stored_values, "surely_equal", lambda one, other, met: np.ones(len(met), dtype=bool)),), "racy.cu", "different_values"),
    "copies are done at once": (
        ((intervals, "_awaited", lambda one, *_: one), (Intervals, "_barrier", lambda *_: [])), "kernels/async_copies.cu", "not_awaited_at_all"),
    "all wait for their copies": (((intervals, "implies", lambda _, mask: isinstance(mask, Mask)),), "kernels/async_copies.cu", "half_of_the_threads_wait"),
    "blocks are apart": (((between_blocks, "blocks_apart", _always(True)),), "kernels/grids.cu", "neighbour_block"),
    "there is one block": (((decide, "_axes_of", _always(frozenset())),), "kernels/grids.cu", "cell_of_all_blocks"),
    "threads decide alike": (((Occurrence, "shares", _always(True)),), "kernels/producers.cu", "one_side_writes"),
    "cells differ modulo any number": (((within_block, "apart_by_remainder", _always(True)),), "racy.cu", "columns_that_meet"),
    "unknowns in an address are the same for all": (((cells, "_is_shared", _always(True)),), "racy.cu", "rows_that_meet"),
    "unknowns in an address are one number": (((cells, "_values_of", _first_value),), "racy.cu", "rows_that_meet"),
    "sums of unknowns reach nothing": (((formulas, "is_within", _always(False)),), "racy.cu", "grid_stride_to_the_next"),
    "those who come to a barrier of one number wait for each other": (
        ((parts, "_doubted", _always(set())),), "kernels/parts.cu", "more_come_than_are_waited_for"),
    "barriers of one number at two places are two barriers": (((parts, "_doubted", _always(set())),), "kernels/parts.cu", "one_number_at_two_places"),
    "lanes come together": (((core_parts, "_split", _nobody),), "kernels/parts.cu", "lanes_that_data_choose"),
    "lanes come to the same barrier": (((core_parts, "_split", _nobody),), "kernels/parts.cu", "half_a_warp_waits_twice"),
    "a barrier of a part is one of all": (
        ((Occurrence, "is_before", lambda one, other, first, second: np.ones(len(first), dtype=bool)),), "kernels/parts.cu", "beyond_the_pair"),
    "a barrier of some is one of all": (((Occurrence, "is_before_all", _always(True)),), "kernels/parts.cu", "rows_beyond_the_pair"),
    "what lies between an arrival and the wait is ordered": (((parts._Turns, "_step", _always(None)),), _OBJECTS, "stored_before_the_wait"),
    "any token will do": (((parts, "_is_awaited", _always(True)),), _OBJECTS, "token_of_the_round_before"),
    "who has arrived waits": (((parts, "_is_awaited", _always(True)),), _OBJECTS, "breaks_once"),
    "objects wait for all who come": (((parts, "_made", lambda _: SimpleNamespace(get=_always(128))),), _OBJECTS, "made_for_fewer"),
    "objects are made": (((parts, "_made", lambda _: SimpleNamespace(get=_always(128))), (parts, "_holds", _always(True))), _OBJECTS, "never_made"),
    "objects are made before anybody comes": (((parts, "_holds", _always(True)),), _OBJECTS, "made_without_sync"),
    "waits for no stage count": (((intervals, "UNCOUNTED", -3),), "kernels/thread_pipelines.cu", "waits_too_early"),
    "any barrier waits for copies": (((intervals, "_waits_for", _always(True)),), "kernels/bound_copies.cu", "bound_and_not_awaited"),
    "what is asked of the solver is impossible": (((classify.Classifier, "ask", _asked),), "kernels/transposes.cu", "blocks_in_place"),
}  # fmt: skip


@pytest.mark.parametrize("name", _BREAKS)
def test_a_break_is_noticed(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    changes, path, chosen = _BREAKS[name]
    (kernel,) = [kernel for kernel in kernels_of((HERE / path).read_text()) if kernel.name == chosen]
    assert report_of(kernel).verdict not in _QUIET
    for owner, attribute, wrong in changes:
        monkeypatch.setattr(owner, attribute, wrong)
    assert report_of(kernel).verdict in _QUIET


def test_there_are_twenty() -> None:
    assert len(_BREAKS) >= 20
