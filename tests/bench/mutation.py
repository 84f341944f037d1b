"""What a mutation is: one function replaced by a wrong one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

Wrapper = Callable[..., Any]  # takes the function that is replaced, gives its replacement


@dataclass(frozen=True)
class Mutation:
    """`rule`: what is broken, in words; `target`: the function's name (with its class, or
    with its module where two modules have one of that name); `stage`: analysis, lowering or simulation."""

    name: str
    rule: str
    target: str
    wrong: Wrapper
    stage: str = "analysis"


def constant(result: Any) -> Wrapper:
    """A replacement that always gives `result`."""
    return lambda original: lambda *args, **kwargs: result
