"""Loops that an earlier interpretation ran through with the same state, and that leave behind what they left then.

Trails (trail.py) begin again before the outermost statement that was edited, and leave off behind it.  Where that is a loop over
tiles, most of what is run again for a key that was pressed is not what was edited: short loops beside it, round by round.  A
*passage* is the way through one such loop: what it asked for, and what it left.  It may be taken over if everything that the loop can
ask for is as it was.

Only *plain* loops have passages: they compute and load, and nobody leaves them but by tests that all threads decide alike.  Such
a loop changes neither mask nor memory; it leaves values of its variables, events, and entries in the side tables.  That
the loop around is made of the same symbols again, and runs its round under the same mask, is the work of
`domains/earlier.py`.

Tested by tests/properties/test_incremental.py, as trails are.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from itertools import islice
from typing import TypeVar

from analysis_core.domains.thread_value import Value
from analysis_core.interp.core.passage import Before, Known, Passage, Passages
from analysis_core.interp.core.state import Run
from analysis_core.interp.resume.rejoin import (
    ROOM,
    Asked,
    Moved,
    followed,
    key_at,
    same_value,
    same_values,
    shifted,
    since,
)
from analysis_core.ir.nodes import Load, Loop
from analysis_core.ir.steps import weights_of
from analysis_core.ir.walk import statements, statements_of

K = TypeVar("K")
V = TypeVar("V")

_MOST = 64
"""Passages of one loop that are kept: its executions in the rounds of a loop around that is executed exactly."""


def passages_of(run: Run) -> Known:
    """The passages of this interpretation, and those of the earlier one for loops that this one did not come to."""
    passages = run.passages
    assert passages is not None
    loops = {stmt.whole for stmt in statements_of(run.kernel) if isinstance(stmt, Loop)}
    return {loop: tuple(made) for loop, made in {**passages.earlier, **passages.made}.items() if loop in loops}


def entered(run: Run, loop: Loop) -> Before | None:
    """The state before a loop that may have a passage; None for any other."""
    passages = run.passages
    if (
        passages is None
        or passages.around is not None
        or not run.recording
        or not run.inside
        or loop.whole in run.loop_limits
    ):
        return None
    static = run.statics.loop(loop)
    if not static.is_plain or len(passages.made.setdefault(loop.whole, [])) >= _MOST:
        return None
    known, arithmetic = passages.known(loop), run.arithmetic
    _leave_room(run, None if known is None else known.before.symbols)
    values: dict[Hashable, Value | None] = {var: run.env.get(var) for var in static.spoken}
    values.update((key, value) for key, value in run.env.items() if isinstance(key, tuple))
    before = Before(
        _text(run, loop), run.mask, run.times, values, tuple(run.assumptions), run.epoch, arithmetic.source.count, run.exact_left,
        (len(run.accesses), len(run.branches), len(run.executed), len(run.trace)),
        (len(run.loads), len(arithmetic.remembered), len(arithmetic.derivations), len(run.bases)),
        _others(run), (len(run.asked), len(arithmetic.asked)), run.trace[-1] if run.trace else None,
    )  # fmt: skip
    # What was looked up before is looked up again: `asked` has to be all of it.
    passages.around, run.applied = run.applied, {}
    return before


def leave_room_for_counter(run: Run, loop: Loop) -> None:
    """Called before the counter of a summarised loop is made: gives it the number that it had in the earlier
    interpretation, if no other symbol has that number yet."""
    if run.passages is not None and run.recording:
        _leave_room(run, run.passages.numbers.get(loop.whole))


def _leave_room(run: Run, number: int | None) -> None:
    """Leaves out numbers of symbols up to that which came here before, or as many as an edit may take; in outermost loops only."""
    source = run.arithmetic.source
    if len(run.inside) == 1:
        source.count = source.count + ROOM if number is None or number < source.count else number


def left(run: Run, loop: Loop, before: Before, exactly: bool) -> None:
    """Keeps what a loop left, now that it was run through, if nothing else has changed."""
    made = _closed(run).made[loop.whole]
    paid = (
        exactly and run.exact_left >= 0
    )  # what was cut short for lack of a budget may be run through in full another time
    whole = paid and run.mask is before.mask and run.epoch == before.epoch and _others(run) == before.others
    made.append(_passage(run, loop, before) if whole else None)


def _closed(run: Run) -> Passages:
    """Nothing is run through any more."""
    passages = run.passages
    assert passages is not None and passages.around is not None
    run.applied, passages.around = passages.around, None
    return passages


def _passage(run: Run, loop: Loop, before: Before) -> Passage:
    arithmetic = run.arithmetic
    accesses, branches, executed, nodes = before.events
    loads, remembered, derivations, bases = before.tables
    new_loads, new_symbols = _added(run.loads, loads), _added(arithmetic.remembered, remembered)
    return Passage(
        loop,
        before,
        {key: None if key in new_loads else run.loads[key] for key in run.asked[before.asked[0] :]},
        {k: None if k in new_symbols else arithmetic.remembered[k] for k in arithmetic.asked[before.asked[1] :]},
        new_loads,
        new_symbols,
        _added(arithmetic.derivations, derivations),
        _added(run.bases, bases),
        {var: run.env[var] for var in run.env if var in before.values and run.env[var] is not before.values[var]},
        tuple(run.accesses[accesses:]),
        tuple(run.branches[branches:]),
        tuple(run.executed[executed:]),
        tuple(since(before.last, nodes, run.trace)),
        tuple(islice(run.assumptions.values(), len(before.assumptions), None)),
        arithmetic.source.count,
        before.exact_left - run.exact_left,
    )


def taken_over(run: Run, loop: Loop, before: Before) -> bool:
    """Takes over what a loop left in an earlier interpretation that entered it in this state. Whether there was such a
    one."""
    passages = run.passages
    assert passages is not None
    passage = passages.known(loop)
    if passage is None or not _holds(run, loop, before, passage):
        return False
    _closed(run).made[loop.whole].append(passage)
    by, arithmetic = before.epoch - passage.before.epoch, run.arithmetic
    asked = shifted(Asked(frozenset(passage.read), frozenset(passage.recalled)), by)
    run.asked.extend(asked.loads)
    arithmetic.asked.extend(asked.derived)
    run.loads.update((key_at(key, by), values) for key, values in passage.loads.items())
    arithmetic.remembered.update(passage.remembered)
    arithmetic.derivations.update(passage.derivations)
    run.bases.update(passage.bases)
    run.env = {**run.env, **passage.env}
    further = Moved(before.events[0] - passage.before.events[0], before.events[1] - passage.before.events[1])
    run.trace[:] = followed(run.trace, further.all(passage.nodes))
    run.accesses += passage.accesses
    run.branches += passage.branches
    run.executed += passage.executed
    for assumption in passage.assumptions:
        run.assume_that(assumption.text, assumption.span)
    arithmetic.source.count = passage.symbols
    run.exact_left -= passage.spent
    return True


def _holds(run: Run, loop: Loop, now: Before, passage: Passage) -> bool:
    """Whether the loop would go as it went."""
    then = passage.before
    return (
        now.mask is then.mask
        and now.symbols <= then.symbols
        and now.exact_left >= passage.spent
        and not run.is_heavy(len(passage.accesses), len(passage.branches))
        and now.times == then.times
        and now.assumptions == then.assumptions
        and now.text == then.text
        and loop == passage.loop
        and now.values.keys() == then.values.keys()
        and all(_same(value, then.values[key]) for key, value in now.values.items())
        and all(run.arithmetic.remembered.get(key) is symbol for key, symbol in passage.recalled.items())
        and all(same_values(run.loads.get(key_at(k, now.epoch - then.epoch)), was) for k, was in passage.read.items())
    )


def _same(now: Value | None, then: Value | None) -> bool:
    return now is then or (now is not None and then is not None and same_value(now, then))


def _others(run: Run) -> tuple[object, ...]:
    """What a plain loop leaves alone if it is executed exactly."""
    lists = (
        run.exits,
        run.unknowns,
        run.coarse,
        run.rejected,
        run.trips,
        run.trip_uppers,
        run.parameters,
        run.counters,
    )
    return (tuple(len(one) for one in lists), dict(run.rounds_done))


def _text(run: Run, loop: Loop) -> Hashable:
    """What the kernel says of the loop: the call that it is in, how the loops around it are executed, what its statements weigh, the rows
    that its accesses stay inside of, which of them registers keep, and the variables that it speaks of."""
    passages, static = run.passages, run.statics.loop(loop)
    assert passages is not None
    known = passages.texts.get(id(loop))
    if known is None:
        inner = tuple(statements((loop,)))
        weights, call = weights_of(run.kernel), run.via[-1] if run.via else None
        loads = [stmt for stmt in inner if isinstance(stmt, Load)]
        known = passages.texts[id(loop)] = (
            tuple((weights.of_statement(stmt, call), weights.open_in(stmt)) for stmt in inner),
            tuple(run.statics.rows(stmt.address) for stmt in loads),
            tuple(_kept(run, stmt) for stmt in loads),
            tuple(run.kernel.variables[var] for var in static.spoken),
        )
    return known, tuple(run.via), tuple((inside.outer, inside.later, inside.summed) for inside in run.inside)


def _kept(run: Run, stmt: Load) -> Hashable:
    """The loops that a register keeps an element through: those around by their number."""
    around = {id(inside.loop): number for number, inside in enumerate(run.inside)}
    loops = run.statics.kept_through(stmt.access.id)
    return tuple(around.get(id(loop), loop.whole) for loop in loops), loops[-1].span if loops else None


def _added(table: Mapping[K, V], first: int) -> dict[K, V]:
    """What came into a side table, from which nothing is ever taken, behind its first entries."""
    return dict(islice(table.items(), first, None))
