"""Comparisons of a value with a number, whichever side it stands on, and what they leave of the value."""

from __future__ import annotations

from typing import TypeVar

Side = TypeVar("Side")

_TURNED = str.maketrans("<>", "><")


def either_way(op: str, left: Side, right: Side) -> tuple[tuple[Side, Side, str], tuple[Side, Side, str]]:
    """`left op right` read from both sides: each time one side, the other side, and how the first compares to it."""
    return (left, right, op), (right, left, op.translate(_TURNED))


def bounds(relation: str, value: int) -> tuple[int | None, int | None]:
    """The least and the greatest x that compares so to a number; None where there is no end."""
    least = {">": value + 1, ">=": value, "==": value}.get(relation)
    most = {"<": value - 1, "<=": value, "==": value}.get(relation)
    return least, most
