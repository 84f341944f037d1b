"""Whether a cost program has two runs of different cost for the same sizes: then no bound of it is exact, whatever a solver finds.

What data decides stays open for all sizes.  One choice of sizes is enough to see it, and of each loop the first round.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from analysis_core.bounds.program import Affine, Arm, Assign, Branch, Choose, CostProgram, Stmt, Tick, While
from analysis_core.expressions import expression as ex

_Values = dict[str, int]
"""Of parameters and variables, as far as they are known."""


def runs_differ(program: CostProgram, metric: str, sizes: Mapping[str, int], others: int) -> bool:
    """Whether some run at these sizes surely pays more of the metric than another one.  `others`: what symbols without a size are."""
    values: _Values = {}
    for parameter in program.parameters:
        known = {name: sizes.get(name, others) for name in ex.symbols(parameter.stands_for)}
        try:
            value = ex.evaluate(parameter.stands_for, known)
        except ZeroDivisionError:
            return False
        if not _within(value, parameter.low, parameter.high):
            return False
        values[parameter.name] = value
    return _hold(program.facts, values) and _differs(program.body, metric, values)


def _within(value: int, low: int | None, high: int | None) -> bool:
    return (low is None or value >= low) and (high is None or value <= high)


def _number(value: Affine, values: _Values) -> int | None:
    if any(name not in values for name, _ in value.terms):
        return None
    return value.constant + sum(factor * values[name] for name, factor in value.terms)


def _hold(conditions: Iterable[Affine], values: _Values) -> bool:
    """Whether all are surely >= 0."""
    return all((number := _number(one, values)) is not None and number >= 0 for one in conditions)


def _differs(body: Sequence[Stmt], metric: str, values: _Values) -> bool:
    """Whether the runs of a block that go through its loops once differ in cost."""
    for stmt in body:
        match stmt:
            case Tick(costs):
                if any(name == metric and least < most for name, least, most in costs):
                    return True
            case Branch(arms):
                if _arms_differ(arms, metric, values):
                    return True
            case While(guard, inner, _, may_stop):
                if _hold(guard, values) and (
                    _differs(inner, metric, dict(values)) or (may_stop and _most(inner, metric, values) > 0)
                ):
                    return True
            case _:
                pass
        _assign(stmt, values)
    return False


def _arms_differ(arms: Sequence[Arm], metric: str, values: _Values) -> bool:
    open_arms = [arm for arm in arms if _hold(arm.guard, values)]
    if any(_differs(arm.body, metric, dict(values)) for arm in open_arms):
        return True
    least = [cost for arm in open_arms if (cost := _least(arm.body, metric)) is not None]
    return bool(least) and max(_most(arm.body, metric, values) for arm in open_arms) > min(least)


def _assign(stmt: Stmt, values: _Values) -> None:
    """Notes what a statement does to variables: those of branches and loops may be anything behind them."""
    match stmt:
        case Assign(var, value) if (number := _number(value, values)) is not None:
            values[var] = number
        case Assign(var) | Choose(var):
            values.pop(var, None)
        case Branch(arms):
            for arm in arms:
                _forget(arm.body, values)
        case While(body=body):
            _forget(body, values)
        case _:
            pass


def _forget(body: Sequence[Stmt], values: _Values) -> None:
    for stmt in body:
        match stmt:
            case Assign(var):
                values.pop(var, None)
            case _:
                _assign(stmt, values)


def _most(body: Sequence[Stmt], metric: str, values: _Values) -> int:
    """What some run of a block pays that goes through its loops once where it surely can."""
    total, values = 0, dict(values)
    for stmt in body:
        match stmt:
            case Tick(costs):
                total += sum(most for name, _, most in costs if name == metric)
            case Branch(arms):
                found = [arm for arm in arms if _hold(arm.guard, values)]
                total += max((_most(arm.body, metric, values) for arm in found), default=0)
            case While(guard, inner) if _hold(guard, values):
                total += _most(inner, metric, values)
            case _:
                pass
        _assign(stmt, values)
    return total


def _least(body: Sequence[Stmt], metric: str) -> int | None:
    """What some run of a block pays; None where loops that surely pay have to be counted."""
    total = 0
    for stmt in body:
        match stmt:
            case Tick(costs):
                total += sum(least for name, least, _ in costs if name == metric)
            case Branch(arms):
                found = [_least(arm.body, metric) for arm in arms if not arm.guard]
                known = [cost for cost in found if cost is not None]
                if not known:
                    return None
                total += min(known)
            case While(body=inner, may_stop=may_stop):
                if not may_stop and _least(inner, metric) != 0:
                    return None
            case _:
                pass
    return total
