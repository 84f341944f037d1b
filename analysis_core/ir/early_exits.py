"""Where loops are left before their test: the `if`s around a `break`, or around a `return` out of a loop.

Lanes that leave there wait for the others just as at the loop's own test, so the rule about loops asks for these places.  Where all that
come to an `if` leave the loop in any case (`if (last) return; break;`), it is what leads there that decides, not this `if`.
"""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.ir.nodes import (
    AccessId,
    Atomic,
    Block,
    Break,
    If,
    Inlined,
    Kernel,
    Load,
    Loop,
    Return,
    Store,
    Switch,
)
from analysis_core.text.span import Span


def loops_of_exits(kernel: Kernel) -> Mapping[Span, Span]:
    """The conditions of the innermost `if`s inside of a loop of which one side leaves that loop and the other may stay, with the
    loop's place."""
    found: dict[Span, Span] = {}
    # A block, the loops that `break` and `return` in it leave, and the condition that they stand under in that loop; whether the
    # block leaves it in any case.
    pending: list[tuple[Block, Span | None, Span | None, Span | None, bool]] = [(kernel.body, None, None, None, False)]
    while pending:
        block, breaks, returns, under, gone = pending.pop()
        for stmt in block:
            match stmt:
                case Loop():
                    parts = (stmt.test, stmt.body, stmt.step)
                    pending.extend((part, stmt.span, stmt.span, None, False) for part in parts)
                case If():
                    for arm in (stmt.then, stmt.otherwise):
                        leaves = gone or _leaves(arm, breaks is not None, returns is not None)
                        pending.append((arm, breaks, returns, under if gone else stmt.span, leaves))
                case Switch():
                    pending.extend((arm.body, None, returns, under, gone) for arm in stmt.arms)
                case Inlined():
                    pending.append((stmt.body, None, None, None, False))
                case Break() if breaks is not None and under is not None:
                    found[under] = breaks
                case Return() if returns is not None and under is not None:
                    found[under] = returns
                case _:
                    pass
    return found


def made_on_leaving(kernel: Kernel) -> Mapping[AccessId, Span]:
    """Accesses whose threads all leave a loop behind them, as in `if (found) { out[i] = k; break; }`, with the loop's place: however many
    rounds there are, a thread makes them once."""
    found: dict[AccessId, Span] = {}
    # A block, the loops that `break` and `return` in it leave, and that which all its threads leave.
    pending: list[tuple[Block, Span | None, Span | None, Span | None]] = [(kernel.body, None, None, None)]
    while pending:
        block, breaks, returns, left = pending.pop()
        for stmt in block:
            match stmt:
                case Loop():
                    pending.append((stmt.body, stmt.span, stmt.span, None))
                case If():
                    for arm in (stmt.then, stmt.otherwise):
                        leaves = left is None and _leaves(arm, breaks is not None, returns is not None)
                        pending.append((arm, breaks, returns, (breaks or returns) if leaves else left))
                case Switch():
                    pending.extend((arm.body, None, returns, left) for arm in stmt.arms)
                case Inlined():
                    pending.append((stmt.body, None, None, left))
                case Load() | Store() | Atomic() if left is not None:
                    found[stmt.access.id] = left
                case _:
                    pass
    return found


def _leaves(block: Block, breaks: bool, returns: bool) -> bool:
    """Whether all threads that run the block leave the loop, which `break` (`return`) does or does not."""
    match block[-1] if block else None:
        case Break():
            return breaks
        case Return():
            return returns
        case If(then=then, otherwise=otherwise):
            return _leaves(then, breaks, returns) and _leaves(otherwise, breaks, returns)
        case _:
            return False
