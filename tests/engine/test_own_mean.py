"""Means over the executions of a warp, however many these are."""

from __future__ import annotations

from typing import cast

import pytest

from analysis_core.expressions.expression import Integer
from analysis_core.requests.access_cost import RequestCost
from analysis_core.requests.own_mean import own_mean
from analysis_core.requests.requests import Request

NO_REQUEST = cast(Request, None)


def cost(sectors: int) -> RequestCost:
    return RequestCost(sectors, sectors, 4, sectors, True, None, None, 1)


@pytest.mark.parametrize("often", [3, 2**63, 2**70, 10**40])
def test_executions_of_many_nested_loops_have_a_mean(often: int) -> None:
    made = {"dear": [((0,), NO_REQUEST, cost(32))], "cheap": [((0,), NO_REQUEST, cost(4))]}
    found = own_mean([("dear", Integer(often)), ("cheap", Integer(3 * often))], made)
    assert found is not None
    assert found.paid / found.requests == pytest.approx((32 + 3 * 4) / 4)


def test_a_number_of_executions_that_no_float_holds_has_none() -> None:
    made = {"dear": [((0,), NO_REQUEST, cost(32))], "cheap": [((0,), NO_REQUEST, cost(4))]}
    assert own_mean([("dear", Integer(10**400)), ("cheap", Integer(3 * 10**400))], made) is None
