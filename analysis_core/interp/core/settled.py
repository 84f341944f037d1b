"""Which shared arrays no thread has written since the last barrier of the block, as marks in the environment.

A mark is a cell that every way to the present statement has set: where ways meet, a cell that only one of them knows is
dropped (state.join), so the marks need no rules of their own at ifs, loops and exits.  A loop that is summarised starts
without the marks of what it may write.
"""

from __future__ import annotations

from collections.abc import Iterable

from analysis_core.domains import polynomial as pl
from analysis_core.domains.thread_value import Integer
from analysis_core.interp.core.state import Cell, Environment
from analysis_core.ir.nodes import ObjectId

_MARKS = ObjectId(-3)
_MARK = Integer(pl.ZERO)


def is_settled(env: Environment, number: ObjectId) -> bool:
    """Whether all threads find the same contents in the shared array at this statement."""
    return _mark(number) in env


def settle(env: Environment, numbers: Iterable[ObjectId]) -> Environment:
    """The environment after a barrier of the block: these shared arrays are the same for all threads."""
    marked = dict(env)
    for number in numbers:
        marked[_mark(number)] = _MARK
    return marked


def unsettle(env: Environment, number: ObjectId | None) -> Environment:
    """The environment after a store to the shared array (None: to any shared array)."""
    gone = (
        {_mark(number)} & env.keys() if number is not None else {k for k in env if type(k) is tuple and k[0] == _MARKS}
    )
    return {key: value for key, value in env.items() if key not in gone} if gone else env


def _mark(number: ObjectId) -> Cell:
    return (_MARKS, int(number), None)
