"""Who waits for whom at a barrier of a part of a block: tiles, the lanes that a mask names, those that come to a barrier of one number, or to
one object."""

from __future__ import annotations

from collections.abc import Hashable

import numpy as np

from analysis_core.domains import condition as cond
from analysis_core.domains.mask import Mask
from analysis_core.domains.polynomial import coefficient_vector
from analysis_core.domains.shape import WARP, BoolVector, IntVector, some
from analysis_core.domains.symbol import Level
from analysis_core.domains.thread_value import Integer
from analysis_core.interp.core.state import Run
from analysis_core.interp.core.trace import Part
from analysis_core.interp.core.transfer import evaluate
from analysis_core.ir.nodes import Barrier, Expr
from analysis_core.ir.types import Space

NOBODY = -1


def part_of(run: Run, stmt: Barrier, here: Mask, everyone: Mask) -> Part | None:
    """None if that is not known. `here`: the threads that come, with what keeps them from being `everyone` who has not left the kernel."""
    threads = np.arange(len(here.may))
    if stmt.tile:
        groups = np.where(run.arithmetic.shape.real, threads // stmt.tile, NOBODY)
        split = _split(groups, here, everyone.may, Level.WARP if stmt.tile <= WARP else Level.BLOCK)
        return Part(groups, split, step=stmt.step)
    if stmt.lanes:
        named = (stmt.lanes >> threads % WARP & 1).astype(bool) & run.arithmetic.shape.real
        groups = np.where(named, threads // WARP, NOBODY)
        return None if some(here.may & ~named) else Part(groups, _split(groups, here, everyone.may, Level.WARP))
    count = _of_threads(run, stmt.count)
    if stmt.object is not None:
        return _of_object(run, stmt, stmt.object, here, count)
    number = _of_threads(run, stmt.number)
    if number is None or count is None:
        return None
    groups = np.where(here.may, number, NOBODY)
    return Part(groups, _split(groups, here, here.may, Level.BLOCK), count)


def _of_object(run: Run, stmt: Barrier, address: Expr, here: Mask, count: IntVector | None) -> Part | None:
    """At an object in shared memory that all threads have at one place, which is known."""
    place = evaluate(run, address)
    if not isinstance(place, Integer) or place.bits is not None:
        return None
    bases = place.poly.symbols()
    if len(bases) != 1 or not all(isinstance(number, int) for number in place.poly.terms.values()):
        return None
    (root,) = (run.bases.get(symbol) for symbol in bases)
    if not isinstance(root, tuple) or run.kernel.objects[root[1]].space is not Space.SHARED:
        return None
    if stmt.step == "arrive" and (count is None or not np.all(count[here.may] == 1)):
        return None
    token = None if stmt.token is None else evaluate(run, stmt.token)
    if token is not None and not isinstance(token, Integer):
        return None
    groups = np.where(here.may, 0, NOBODY)
    key: Hashable = None if token is None else token.poly.key()
    if stmt.step == "stages" and token is not None:
        number = token.poly.constant
        key = number if isinstance(number, int) and token.poly.is_constant and token.bits is None else None
    return Part(groups, _split(groups, here, here.may, Level.BLOCK), count, place.poly.key(), stmt.step, key)


def _of_threads(run: Run, expr: Expr | None) -> IntVector | None:
    """The number of each thread; None if they are not known."""
    value = None if expr is None else evaluate(run, expr)
    if not isinstance(value, Integer) or not value.poly.is_constant or value.bits is not None:
        return None
    return coefficient_vector(value.poly.constant, len(run.mask.may))


def _split(groups: IntVector, here: Mask, everyone: BoolVector, most: Level) -> BoolVector:
    """The threads of whose group some may come and others not, of those who have not left the kernel. `most`: how far apart threads may be that
    decide one by one."""
    found = _divided(groups, here.may, everyone)
    for entry in here.literals:
        apart = cond.open_level(entry.formula)
        if apart is Level.BLOCK or (apart is Level.WARP and most is Level.WARP):
            found |= _divided(groups, entry.scope & here.may, here.may)
        else:
            found |= _touched(groups, entry.scope & here.may)
    return found


def _divided(groups: IntVector, chosen: BoolVector, among: BoolVector) -> BoolVector:
    """The threads of groups of which some are chosen and others among them are not."""
    return _touched(groups, chosen) & _touched(groups, among & ~chosen)


def _touched(groups: IntVector, chosen: BoolVector) -> BoolVector:
    """The threads of groups of which any is chosen."""
    return np.isin(groups, np.unique(groups[chosen & (groups != NOBODY)]))
