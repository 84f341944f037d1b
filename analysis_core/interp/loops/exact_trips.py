"""Trip counts that are no more and no less than what the warp makes: what guards of cost programs rest on (bounds/trip_parameters.py)."""

from __future__ import annotations

from analysis_core.domains import polynomial as pl
from analysis_core.domains.shape import BoolVector
from analysis_core.expressions import expression as ex
from analysis_core.expressions.expression import Expression
from analysis_core.interp.core.exact_expressions import exact_expression, greatest_exactly
from analysis_core.interp.core.known import Known
from analysis_core.interp.core.trips import DecayTest, GrowthTest, LinearTest, LoopTest, rounds_by


def exact_trips(test: LoopTest, known: Known, lanes: BoolVector) -> Expression | None:
    """How many rounds the lane with the most rounds makes, no more and no less."""
    match test:
        case LinearTest(start, step):
            length = greatest_exactly(pl.negate(start), known, lanes)
            divisor = exact_expression(step, known, lanes)
            if length is None or divisor is None:
                return None
            return rounds_by(length, divisor, start, known)
        case GrowthTest(start, factor, base):
            length = greatest_exactly(pl.subtract(pl.constant(-1), start), known, lanes)
            return _powers(base, length, exact_expression(factor, known, lanes))
        case DecayTest(value, base, least):
            return _powers(base, greatest_exactly(value, known, lanes), ex.integer(least))


def _powers(base: int, length: Expression | None, divisor: Expression | None) -> Expression | None:
    if length is None or divisor is None:
        return None
    return ex.add(ex.floor_log(base, ex.floor_div(length, divisor)), ex.ONE)
