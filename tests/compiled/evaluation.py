"""Expressions of the JSON, evaluated as its schema says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Numbers = Mapping[str, int]


def _ceil_div(a: int, b: int) -> int:
    return -(-a // b)


def _floor_log(base: int, a: int) -> int:
    """The greatest k with base**k <= a, and -1 where there is none."""
    k = -1
    while base ** (k + 1) <= a:
        k += 1
    return k


_FUNCTIONS = {"ceil_div": _ceil_div, "floor_log": _floor_log, "max": max, "min": min, "__builtins__": {}}


def evaluated(text: str, numbers: Numbers) -> Any:
    """The number, or truth, that a text of the JSON stands for."""
    return eval(text, dict(_FUNCTIONS), dict(numbers))
