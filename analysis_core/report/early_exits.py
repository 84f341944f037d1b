"""Where loops are left before their test: the `if`s around a `break`, or around a `return` out of a loop.

Lanes that leave there wait for the others just as at the loop's own test, so the rule about loops asks for these places.
"""

from __future__ import annotations

from analysis_core.ir.nodes import Block, Break, If, Inlined, Kernel, Loop, Return, Switch
from analysis_core.text.span import Span


def conditions_of_exits(kernel: Kernel) -> frozenset[Span]:
    """The conditions of the innermost `if`s inside of a loop of which one side leaves that loop."""
    found: set[Span] = set()
    # A block, whether `break` and `return` in it leave a loop, and the condition that they stand under in that loop.
    pending: list[tuple[Block, bool, bool, Span | None]] = [(kernel.body, False, False, None)]
    while pending:
        block, breaks, returns, under = pending.pop()
        for stmt in block:
            match stmt:
                case Loop():
                    pending.extend((part, True, True, None) for part in (stmt.test, stmt.body, stmt.step))
                case If():
                    pending.extend((arm, breaks, returns, stmt.span) for arm in (stmt.then, stmt.otherwise))
                case Switch():
                    pending.extend((arm.body, False, returns, under) for arm in stmt.arms)
                case Inlined():
                    pending.append((stmt.body, False, False, None))
                case Break() if breaks and under is not None:
                    found.add(under)
                case Return() if returns and under is not None:
                    found.add(under)
                case _:
                    pass
    return frozenset(found)
