"""The trip count of a summarised loop, read off its test over the closed forms of a trial round.

Tests are the loop's own condition and, where the body begins so, `if (c) break;`: a thread that passes such a place in
round k has found c false there.  The statements before such a place run once more than those after it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import inf

from analysis_core.domains import condition as cond
from analysis_core.domains import mask as masks
from analysis_core.domains import polynomial as pl
from analysis_core.domains.condition import Condition, atoms
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.shape import some
from analysis_core.domains.symbol import Level, SymbolKind
from analysis_core.domains.thread_value import Integer, finite, fits, is_signed, width
from analysis_core.domains.whole_multiples import with_whole_multiples
from analysis_core.expressions import expression as ex
from analysis_core.expressions.expression import Expression
from analysis_core.interp.core.extremes import alternatives
from analysis_core.interp.core.invariance import Invariants
from analysis_core.interp.core.known import Known
from analysis_core.interp.core.loop_tests import loop_tests
from analysis_core.interp.core.state import Run
from analysis_core.interp.core.transfer import evaluate_condition
from analysis_core.interp.core.trips import (
    DecayTest,
    GrowthTest,
    LinearTest,
    LoopTest,
    Series,
    differs_by_rounds,
    guarded_rounds,
    in_all,
    polynomials,
    rounds_bound,
    series_of,
    trip_expression,
)
from analysis_core.interp.loops.closed_forms import Rounds
from analysis_core.interp.loops.power_trips import along_powers
from analysis_core.interp.loops.rounds import Execute, loop_test
from analysis_core.interp.loops.steps import Additive, Growth
from analysis_core.interp.loops.summary import Summary, havoc, set_closed_forms
from analysis_core.interp.loops.unwrapped import Unwrapping
from analysis_core.ir.nodes import If, Loop
from analysis_core.support.facts import CauseKind
from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Count:
    """How many rounds a loop makes. `rounds`: the counter in round k; `trips`: how often at most a round runs to its
    end.

    `lead`: how many of the body's statements run once more than that; 0 if the loop's condition ends it. `sole`: the
    test that is the whole of the loop's condition; `followed`: the same test over the counter of the loop around.
    `all`: all tests that may end the loop, if each of their parts tells a number. `limited`: an annotation bounds it.
    `series`: the trip counts, if they differ from round to round of the loop around. `varies`: `trips` is only the
    greatest of several counts, or of all sizes. `cut`: memory, or a part of the test that tells no number, may end the
    loop earlier. `uneven`: some warps make whole rounds less."""

    rounds: Rounds
    trips: Expression
    lead: int
    sole: LoopTest | None
    followed: LoopTest | None = None
    all: tuple[LoopTest, ...] = ()
    limited: bool = False
    series: Series | None = None
    varies: bool = False
    cut: bool = False
    uneven: bool = False

    def iterations(self, entries: Expression) -> Expression:
        """How often a round runs to its end in all `entries` of the loop together."""
        return ex.multiply(entries, self.trips) if self.series is None else in_all(self.series, entries)


def count_rounds(run: Run, summary: Summary, execute: Execute, invariants: Invariants) -> Count:
    """Evaluates the loop's tests in a trial round and derives how many rounds there are."""
    provisional = run.arithmetic.source.fresh("k", Level.BLOCK, SymbolKind.ITERATION, 0)
    trial = Rounds(pl.of_symbol(provisional), Level.BLOCK, inf)
    recording = run.recording
    run.recording, run.env = False, dict(summary.env)
    havoc(run, summary, {}, {})
    set_closed_forms(run, summary, trial)
    start = len(run.exits)
    execute(run, summary.loop.test)
    condition = loop_test(run, summary.loop)
    naturals = _naturals(run, summary)
    conditions = [(0, condition), *_leading_exits(run, summary.loop, condition, execute)]
    del run.exits[start:]
    run.recording, run.mask, run.env = recording, summary.mask, summary.env
    if summary.stores:
        run.epoch += 1  # nothing that was read in a trial round is known to be the same in round k
    lanes = summary.mask.may
    known = Known(run.trip_uppers, run.arithmetic.derivations, run.arithmetic.relations)
    unwrapping = Unwrapping(run.arithmetic, provisional, known, lanes)
    alone = not condition.parts and not run.statics.loop(summary.loop).may_leave  # nothing else ends the loop

    meets_end = alone and not _is_short(run, summary)
    strides = None if alone else [step.amount for step in summary.steps.values() if isinstance(step, Additive)]

    def told(c: Condition) -> list[LoopTest]:
        tests = loop_tests(unwrapping.condition(c), trial.movers(), lanes, naturals, meets_end, strides)
        return [_whole(run, test) for test in tests if _is_invariant(test, invariants)]

    found = [(lead, test) for lead, c in conditions for test in told(c)]
    if found:
        for size in unwrapping.assumed:
            run.assume_that(f"`{size}` does not wrap around", summary.loop.span)
    meets = any(isinstance(test, LinearTest) and test.meets for _, test in found)
    if meets or (found and any(unwrapping.may_wrap(c) for _, c in conditions)):
        for var in sorted(summary.tested & summary.steps.keys()):
            variable = run.kernel.variables[var]
            run.assume_that(f"the loop counter `{variable.name}` does not wrap around", variable.span)
    parts = [part for _, c in conditions for part in _required(c) if some(part.undecided & lanes)]
    cut = any(_is_open(part) and not told(part) for part in parts)
    counted = _counted(run, summary, condition, found, cut, unwrapping.is_turned(condition))
    if (counted.sole is not None and len(found) == 1) or counted.limited or any(len(told(part)) != 1 for part in parts):
        return counted
    return replace(counted, all=tuple(test for _, test in found))


def _is_short(run: Run, summary: Summary) -> bool:
    """Whether the loop's counter is one of the short ones, which wrap around as often as not (`head != tail`)."""
    return any(width(run.kernel.variables[var].type) < 32 for var in summary.tested & summary.steps.keys())


def _whole(run: Run, test: LoopTest) -> LoopTest:
    return (
        replace(test, start=with_whole_multiples(run.arithmetic, test.start)) if isinstance(test, LinearTest) else test
    )


def _naturals(run: Run, summary: Summary) -> list[Poly]:
    """The unsigned variables that step down and that the loop's condition asks to be other than zero, as they are where it does."""
    found = []
    for var in sorted(run.statics.loop(summary.loop).counted_to_zero & summary.steps.keys()):
        value, step = run.env.get(var), summary.steps[var]
        down = isinstance(step, Additive) and pl.total_bounds(step.amount)[1] < 0
        if down and isinstance(value, Integer) and value.exact and not is_signed(run.kernel.variables[var].type):
            found.append(value.poly)
    return found


def _required(condition: Condition) -> Iterator[Condition]:
    """All that has to hold for the condition to hold."""
    pending = [condition]
    while pending:
        c = pending.pop()
        if c.parts and c.all_of:
            pending.extend(c.parts)
        else:
            yield c


def _is_open(condition: Condition) -> bool:
    """Whether memory decides it, or what has no closed form, and not sizes alone."""
    return condition.data or any(atom.poly is None for atom in atoms(condition))


def _leading_exits(run: Run, loop: Loop, passed: Condition, execute: Execute) -> list[tuple[int, Condition]]:
    """For each `if (c) break;` that the body begins with, how many statements lead up to it, and c's negation."""
    found = []
    places = run.statics.loop(loop).leading_exits
    if not places:
        return []
    run.mask = masks.assume(run.mask, passed)
    for index, stmt in enumerate(loop.body[: places[-1] + 1]):
        if index in places and isinstance(stmt, If) and not run.mask.is_dead:
            condition = evaluate_condition(run, stmt.condition)
            found.append((index + 1, cond.negate(condition)))
        execute(run, (stmt,))
    return found


def _is_invariant(test: LoopTest, invariants: Invariants) -> bool:
    match test:
        case LinearTest(start, step):
            return invariants.holds(start) and invariants.holds(step)
        case GrowthTest(start, factor):
            return invariants.holds(start) and invariants.holds(factor)
        case DecayTest(value):
            return invariants.holds(value)


def _counted(
    run: Run, summary: Summary, condition: Condition, found: list[tuple[int, LoopTest]], cut: bool, turned: bool
) -> Count:
    """`turned`: counters end the loop by wrapping around, which is known."""
    if summary.once:
        only = run.arithmetic.source.fresh("k", Level.BLOCK, SymbolKind.ITERATION, 0, 0)
        return Count(Rounds(pl.of_symbol(only), Level.BLOCK, 0.0), ex.integer(1), 0, None)
    lanes = summary.mask.may
    own = [test for lead, test in found if lead == 0]
    tests = [test for _, test in found]
    guarded = {test: guarded_rounds(test, summary.mask) for test in tests}
    read = {test: _followed(run, test) for test in tests}
    bounds = {
        test: min(rounds_bound(test), rounds_bound(read[test]), guarded[test]) + (lead > 0) for lead, test in found
    }
    best = min(bounds, key=lambda test: bounds[test], default=None)
    most = bounds[best] if best is not None else inf
    limit = run.loop_limits.get(summary.loop.whole)
    done = run.rounds_done.get(summary.loop.whole, 0)
    if limit is not None and limit.most is not None:
        most = min(most, max(limit.most - done, 0))
    lead = max((lead for lead, _ in found), default=0)
    _assume(run, summary, tests, most, turned)
    known = Known(run.trip_uppers, run.arithmetic.derivations, run.arithmetic.relations)
    trips = [e for test in tests if (e := trip_expression(read[test], known, lanes)) is not None]
    cut = cut or 0 < len(trips) < len(found)
    trips += [ex.integer(int(rounds)) for rounds in guarded.values() if rounds < inf]
    if limit is not None:
        left = ex.subtract(limit.rounds, ex.integer(done))
        trips.append(ex.maximum(ex.ZERO, left) if done else left)
        run.assume_that(limit.text, limit.span)
    if not trips:
        trips, lead, cut = [_named_trips(run, summary.loop)], 0, False
    level = Level.BLOCK if best is not None and _is_uniform(best) else Level.WARP
    counter = run.arithmetic.source.fresh("k", level, SymbolKind.ITERATION, 0, finite(max(most - 1, 0.0)))
    total = ex.minimum(*trips)
    upper = total if lead else ex.subtract(total, ex.integer(1))
    if run.arithmetic.earlier is not None:
        counter = run.arithmetic.earlier.counter(counter, upper)
    run.trip_uppers[counter] = upper
    rounds = Rounds(pl.of_symbol(counter), level, max(most - 1, 0.0), tuple(own))
    sole = own[0] if len(own) == 1 and not condition.parts else None
    series = None
    if run.turn is not None and len(found) == 1 and len(trips) == 1:
        series = series_of(read[found[0][1]], run.turn.counter, run.turn.even, total, known, lanes)
    varies = bool(tests) and series is None and all(_moves_on(test, known) for test in tests)
    varies = varies or (bool(tests) and isinstance(total, ex.Integer) and all(map(_is_of_a_range, tests)))
    return Count(
        rounds,
        total,
        lead,
        sole,
        None if sole is None else read[sole],
        (),
        limit is not None,
        series,
        varies,
        cut,
        len(found) == 1 and differs_by_rounds(found[0][1], lanes),
    )


def _followed(run: Run, test: LoopTest) -> LoopTest:
    """The test over the counter of the loop around, where that is what its powers come to."""
    if run.turn is None or not run.turn.powers:
        return test
    return along_powers(test, run.turn.counter, run.turn.powers, run.arithmetic.derivations) or test


def _moves_on(test: LoopTest, known: Known) -> bool:
    """Whether the trip count goes with the counter of a loop around, one by one or as its powers do.  A window that moves on by its
    width is as wide in nearly all rounds."""
    if not isinstance(test, LinearTest):
        pending = [s for poly in polynomials(test) for s in poly.symbols()]
        seen = set(pending)
        while pending:
            derivation = known.derivations.get(pending.pop())
            more = (
                {s for o in derivation.operands for s in o.poly.symbols()} - seen if derivation is not None else set()
            )
            pending += more
            seen |= more
        return any(s.kind is SymbolKind.ITERATION for s in seen)
    length = pl.negate(test.start)
    return any(
        s.kind is SymbolKind.ITERATION and (len(monomial) > 1 or (isinstance(c, int) and abs(c) == 1))
        for poly in alternatives(length, known) or (length,)
        for monomial, c in poly.terms.items()
        for s in monomial
    )


def _is_of_a_range(test: LoopTest) -> bool:
    """Whether a number of rounds is that of the greatest value of a type: `for (s = n; s > 0; s /= 4)` goes 16 rounds at most, and as many
    elements as a bit-field in memory says are no more than it has room for."""
    if isinstance(test, LinearTest):
        return any(
            s.cause is not None and s.cause.kind is CauseKind.DATA for poly in polynomials(test) for s in poly.symbols()
        )
    return not all(poly.is_constant for poly in polynomials(test))


def _is_uniform(test: LoopTest) -> bool:
    match test:
        case LinearTest(start, step):
            return pl.level(start) is Level.BLOCK and pl.level(step) is Level.BLOCK
        case GrowthTest(start, factor):
            return pl.level(start) is Level.BLOCK and pl.level(factor) is Level.BLOCK
        case DecayTest(value):
            return pl.level(value) is Level.BLOCK


def _assume(run: Run, summary: Summary, tests: list[LoopTest], most: float, turned: bool) -> None:
    """What the trip count rests on: counters that do not wrap around up to the last test, one step beyond the values
    that the rounds see, but for those that end the loop so (`turned`); and steps that are not 0."""
    if any(isinstance(test, (LinearTest, GrowthTest)) and test.may_stand for test in tests):
        run.assume_that("loops end: the step of a loop's counter is not 0")
    last = run.arithmetic.source.fresh("k", Level.BLOCK, SymbolKind.ITERATION, 0, finite(most))
    for var in () if turned else sorted(summary.tested & summary.steps.keys()):
        value, step, variable = summary.env[var], summary.steps[var], run.kernel.variables[var]
        if not isinstance(value, Integer) or is_signed(variable.type):
            continue
        match step:
            case Additive(amount):
                poly = pl.add(value.poly, pl.multiply(pl.of_symbol(last), amount))
            case Growth(base):
                high = base ** int(most) if most < 64 else None
                power = run.arithmetic.source.fresh("p", Level.BLOCK, SymbolKind.ITERATION, 1, high)
                poly = pl.multiply(value.poly, pl.of_symbol(power))
            case _:
                continue
        if not value.exact or not fits(poly, variable.type):
            run.assume_that(f"the loop counter `{variable.name}` does not wrap around", variable.span)


def _named_trips(run: Run, loop: Loop) -> Expression:
    """A trip count that depends on data: a symbol named after the loop's number, given its line when it is shown.  It counts what is
    left of the loop, and its name says how many rounds were executed before one by one (`report/trip_names`)."""
    name = f"T@{run.number_of(loop)}"
    done = run.rounds_done.get(loop.whole, 0)
    if done:
        fewer = run.inside[-1].left_open or bool(run.mask.literals)  # or none, where nobody comes to the loop
        name += f"{'upto' if fewer else 'after'}{done}"
    if run.recording:
        run.trips.setdefault(name, loop.whole)
    return ex.symbol(name)
