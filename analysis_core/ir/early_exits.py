"""Where loops are left before their test: the `if`s around a `break`, or around a `return` out of a loop.

Lanes that leave there wait for the others just as at the loop's own test, so the rule about loops asks for these places.
"""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.ir.nodes import Block, Break, If, Inlined, Kernel, Loop, Return, Switch
from analysis_core.text.span import Span


def loops_of_exits(kernel: Kernel) -> Mapping[Span, Span]:
    """The conditions of the innermost `if`s inside of a loop of which one side leaves that loop, with the loop's place."""
    found: dict[Span, Span] = {}
    # A block, the loops that `break` and `return` in it leave, and the condition that they stand under in that loop.
    pending: list[tuple[Block, Span | None, Span | None, Span | None]] = [(kernel.body, None, None, None)]
    while pending:
        block, breaks, returns, under = pending.pop()
        for stmt in block:
            match stmt:
                case Loop():
                    parts = (stmt.test, stmt.body, stmt.step)
                    pending.extend((part, stmt.span, stmt.span, None) for part in parts)
                case If():
                    pending.extend((arm, breaks, returns, stmt.span) for arm in (stmt.then, stmt.otherwise))
                case Switch():
                    pending.extend((arm.body, None, returns, under) for arm in stmt.arms)
                case Inlined():
                    pending.append((stmt.body, None, None, None))
                case Break() if breaks is not None and under is not None:
                    found[under] = breaks
                case Return() if returns is not None and under is not None:
                    found[under] = returns
                case _:
                    pass
    return found
