"""Counts of loops of which the first rounds were executed one by one, and the others together: `9 + max(0, T9 - 9)`."""

from __future__ import annotations

from collections.abc import Collection

from analysis_core.expressions.expression import (
    Expression,
    Integer,
    Maximum,
    Product,
    Sum,
    Symbol,
    add,
    fold,
    multiply,
    symbols,
    to_text,
)


def of_whole_loops(times: Expression, at_most: bool) -> Expression:
    """The expression with `T9` for `9 + max(0, T9 - 9)`: what happens in nine rounds executed one by one and in all
    others happens in each round, also of shorter loops. Where this does not come out and an upper figure is asked for
    (`at_most`), the rest counts as all rounds."""
    trips = [name for name in symbols(times) if name.startswith("T") and name[1:].isdigit()]
    whole = with_rests(times, trips, in_full=False)
    if "-" not in to_text(whole):
        return whole
    return with_rests(times, trips, in_full=True) if at_most else times


def with_rests(times: Expression, trips: Collection[str], in_full: bool) -> Expression:
    """The expression with `T9 - 9` (or, `in_full`, with `T9`) for `max(0, T9 - 9)`, for these loops."""

    def combine(node: Expression, parts: tuple[Expression, ...]) -> Expression:
        match node, parts:
            case Maximum(), (Integer(0), Sum((Integer(), Symbol(name) as all_rounds)) as left) if name in trips:
                return all_rounds if in_full else left
            case Sum(), _:
                return add(*parts)
            case Product(), _:
                return multiply(*parts)
            case _:
                return node

    return fold(times, combine)
