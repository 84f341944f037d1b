"""The variables of a loop at the start of round k: closed forms over symbols that stand for functions of k.

`Rounds` owns the counter and makes the other symbols at need: b^k for a base, the parity of k, floor(v0/d^k) of a
variable, the distance that a drifting variable has gone.  There is one such object for each point in time that the
analysis looks at: a trial round for the trip count, round k itself, and the end of the loop.
"""

from __future__ import annotations

from dataclasses import field
from math import inf
from typing import TypeGuard, assert_never

from analysis_core.domains import polynomial as pl
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.domains.thread_value import (
    Integer,
    Value,
    finite,
    fits,
    integer_range,
    is_signed,
    lane_bounds,
    level_of,
    width,
)
from analysis_core.expressions import expression as ex
from analysis_core.interp.core.loop_tests import Movers
from analysis_core.interp.core.state import Run
from analysis_core.interp.core.trips import DecayTest, LoopTest
from analysis_core.interp.loops.steps import Additive, Alternation, Cycle, Decay, Drift, Growth, Step
from analysis_core.ir.nodes import VarId
from analysis_core.ir.types import LONG, Type
from analysis_core.support.facts import Cause, CauseKind
from analysis_core.text.records import dataclass


@dataclass(slots=True)
class Rounds:
    """How many rounds of a loop have been made: `counter`, a symbol or an exact polynomial, at most `most`. `holds`:
    tests of the loop that hold in the round; `fails`: the test that has just failed, at the loop's end."""

    counter: Poly
    level: Level
    most: float
    holds: tuple[LoopTest, ...] = ()
    fails: LoopTest | None = None
    powers: dict[tuple[int, int | None], Symbol] = field(default_factory=dict)
    decays: dict[Symbol, tuple[Poly, int]] = field(default_factory=dict)
    parity: Symbol | None = None

    def movers(self) -> Movers:
        """The symbols that move from round to round; the counter must be a symbol."""
        (counter,) = self.counter.symbols()
        return Movers(counter, {symbol: base for (base, _), symbol in self.powers.items()}, self.decays, self.parity)


def value_at(run: Run, rounds: Rounds, var: VarId, start: Integer, step: Step, tested: bool) -> Value:
    """The variable at the start of the round, from its value at the loop's first test.

    Signed counters do not overflow (assumed); unsigned and short ones stay in range by their bounds or, if the loop's
    test reads them (`tested`), are assumed not to wrap around; the others are right modulo 2^w."""
    variable = run.kernel.variables[var]
    type_ = variable.type
    match step:
        case Additive(amount):
            if not amount.terms:
                return start
            poly = pl.add(start.poly, pl.multiply(rounds.counter, amount))
            return _ranged(run, var, poly, start, tested)
        case Growth(base):
            return _grown(run, rounds, var, start, base, tested)
        case Decay(divisor):
            return _decayed(run, rounds, start, divisor, type_)
        case Cycle(amount, modulus):
            reached = Integer(pl.add(start.poly, pl.multiply(rounds.counter, amount)), None, None, start.origin)
            return run.arithmetic.floor("%", reached, modulus, LONG)
        case Alternation(other):
            difference = pl.subtract(other.poly, start.poly)
            bits = min((v.bits for v in (start, other) if v.bits is not None), default=None)
            blended = pl.add(start.poly, pl.multiply(pl.of_symbol(_parity(run, rounds)), difference))
            return run.arithmetic.shorten(Integer(blended, bits, None, start.origin), type_)
        case Drift():
            return _drifted(run, rounds, var, start, step, tested)
        case _:
            assert_never(step)


def _ranged(run: Run, var: VarId, poly: Poly, start: Integer, tested: bool) -> Value:
    variable = run.kernel.variables[var]
    bits = start.bits
    if start.exact and not is_signed(variable.type) and not fits(poly, variable.type):
        if not tested:
            bits = width(variable.type)
        elif run.recording:
            run.assume_that(f"the loop counter `{variable.name}` does not wrap around", variable.span)
    return run.arithmetic.shorten(Integer(poly, bits, None, start.origin), variable.type)


def _grown(run: Run, rounds: Rounds, var: VarId, start: Integer, base: int, tested: bool) -> Value:
    """v0 * b^k.  A value that does not wrap around keeps b^k within its type (if v0 is 0, any b^k will do)."""
    type_ = run.kernel.variables[var].type
    wraps = not is_signed(type_) and not tested
    limit = None if wraps else integer_range(type_)[1]
    symbol = rounds.powers.get((base, limit))
    if symbol is None:
        symbol = rounds.powers[(base, limit)] = _power(run, rounds, base, limit)
    return _ranged(run, var, pl.multiply(start.poly, pl.of_symbol(symbol)), start, tested)


def _power(run: Run, rounds: Rounds, base: int, limit: int | None) -> Symbol:
    most = rounds.most if rounds.most < 64 else inf
    values = [1]
    while len(values) <= most and (limit is None or values[-1] * base <= limit) and values[-1] * base < 1 << 62:
        values.append(values[-1] * base)
    ended = len(values) > most or limit is not None
    high = values[-1] if ended else None
    return run.arithmetic.source.fresh(
        f"{base}^k", rounds.level, SymbolKind.ITERATION, 1, high, values=tuple(values) if ended else None
    )


def _decayed(run: Run, rounds: Rounds, start: Integer, divisor: int, type_: Type) -> Value:
    """floor(v0 / d^k): at least what the test asks for, where all threads of a warp share it."""
    level = Level(max(level_of(start), rounds.level))
    _, high = lane_bounds(start, type_)
    top = float(high) if isinstance(high, float) else float(high.max())
    asked = [test.least for test in rounds.holds if _speaks_of(test, start, divisor)]
    low = max(asked, default=0) if level is not Level.LANE else 0
    if rounds.fails is not None and _speaks_of(rounds.fails, start, divisor):
        top = min(top, rounds.fails.least - 1.0)
        if top == 0:
            return Integer(pl.ZERO)
    symbol = run.arithmetic.source.fresh("s", level, SymbolKind.ITERATION, low, finite(max(top, float(low))))
    rounds.decays[symbol] = (start.poly, divisor)
    return Integer(pl.of_symbol(symbol), None, None, start.origin)


def _speaks_of(test: LoopTest, start: Integer, divisor: int) -> TypeGuard[DecayTest]:
    return isinstance(test, DecayTest) and test.divisor == divisor and pl.equal(test.value, start.poly)


def _parity(run: Run, rounds: Rounds) -> Symbol:
    if rounds.parity is None:
        rounds.parity = run.arithmetic.source.fresh("parity", rounds.level, SymbolKind.CHOICE, 0, 1)
    return rounds.parity


_STEPS = 32
"""Units that a round adds more in one lane than in another up to which they move step by step: what is counted in a short loop."""


def _drifted(run: Run, rounds: Rounds, var: VarId, start: Integer, step: Drift, tested: bool) -> Value:
    """v0 + unit*d for what the rounds so far can have added, to it or to what it was set back to."""
    variable = run.kernel.variables[var]
    low = step.back[0] + (min(0.0, step.low * rounds.most) if step.low else 0.0)
    high = step.back[1] + (max(0.0, step.high * rounds.most) if step.high else 0.0)
    reason = f"`{variable.name}` changes in the loop by amounts that differ from round to round"
    cause = Cause(CauseKind.ANALYSIS, reason, variable.span)
    kind = SymbolKind.UNKNOWN
    if step.source is not None:
        kind, cause = SymbolKind.DATA, step.source.cause or cause
    level = Level(max(step.level, rounds.level))
    by_counts = step.source is not None and step.source.counted
    counted = step.base is None and (by_counts or step.high - step.low <= _STEPS)
    source = run.arithmetic.source
    symbol = source.fresh("moved", level, kind, finite(low), finite(high), cause=cause, counted=counted)
    _limit(run, rounds, symbol, step)
    base = start.poly if step.base is None else step.base
    poly = pl.add(base, pl.scale(pl.of_symbol(symbol), step.unit))
    return _ranged(run, var, poly, start, tested)


def _limit(run: Run, rounds: Rounds, moved: Symbol, step: Drift) -> None:
    """As far as the rounds lead, as an expression."""
    counters = rounds.counter.symbols()
    made = [run.trip_uppers.get(c) for c in counters if pl.equal(rounds.counter, pl.of_symbol(c))]
    if made and made[0] is not None and 0 <= step.high < inf:
        run.trip_uppers[moved] = ex.add(ex.integer(int(step.back[1])), ex.scale(int(step.high), made[0]))
