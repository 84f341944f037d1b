"""Where loops are left before their test: the `if`s around a `break`, or around a `return` out of a loop.

Lanes that leave there wait for the others just as at the loop's own test, so the rule about loops asks for these places.  Where all that
come to an `if` leave the loop in any case (`if (last) return; break;`), it is what leads there that decides, not this `if`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from analysis_core.ir.nodes import (
    AccessId,
    Atomic,
    Block,
    Break,
    Continue,
    If,
    Inlined,
    Kernel,
    Load,
    Loop,
    Return,
    Stmt,
    Store,
    Switch,
)
from analysis_core.ir.walk import blocks_of, statements_of
from analysis_core.support.derived import derived
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span


@dataclass(frozen=True, slots=True)
class _Place:
    """Where statements stand: the loops that `break` and `return` leave there, the condition that they stand under in that loop, and the
    loop that all threads leave which come there."""

    breaks: Span | None = None
    returns: Span | None = None
    under: Span | None = None
    left: Span | None = None


@derived
def loops_of_exits(kernel: Kernel) -> Mapping[Span, Span]:
    """The conditions of `if`s by which some threads leave the innermost loop around while others may stay, each with
    the place of that loop."""
    found: dict[Span, Span] = {}
    for stmt, at in _placed(kernel):
        loop = at.breaks if isinstance(stmt, Break) else at.returns if isinstance(stmt, Return) else None
        if loop is not None and at.under is not None:
            found[at.under] = loop
    return found


@derived
def plain_exits(kernel: Kernel) -> Mapping[Span, tuple[tuple[Span, bool], ...]]:
    """For each `for` and `while` loop that threads leave only by its test and by conditions that every round comes to:
    these conditions, each with whether threads that meet it are those that leave."""
    found: dict[Span, tuple[tuple[Span, bool], ...]] = {}
    for loop in statements_of(kernel):
        if not isinstance(loop, Loop):
            continue
        exits = [
            (stmt.span, _leaves(stmt.then, True, True)) for stmt in loop.body if isinstance(stmt, If) and _is_exit(stmt)
        ]
        rest = tuple(stmt for stmt in loop.body if not (isinstance(stmt, If) and _is_exit(stmt)))
        if not may_leave(rest, continues=False):
            found[loop.span] = tuple(exits)
    return found


def _is_exit(stmt: If) -> bool:
    """Whether all that take one side leave a loop, and none that take the other do."""
    sides = (stmt.then, stmt.otherwise)
    return any(
        _leaves(side, True, True) and not may_leave(other, continues=False) for side, other in (sides, sides[::-1])
    )


def may_leave(block: Block, breaks: bool = True, continues: bool = True, returns: bool = True) -> bool:
    """Whether a thread may continue elsewhere than behind these statements, by a `break`, a `continue` or a `return`
    in them; only the kinds that are asked for count."""
    for stmt in block:
        match stmt:
            case Break():
                found = breaks
            case Continue():
                found = continues
            case Return():
                found = returns
            case Loop():
                found = any(may_leave(part, False, False, returns) for part in blocks_of(stmt))
            case Switch():
                found = any(may_leave(part, False, continues, returns) for part in blocks_of(stmt))
            case If():
                found = any(may_leave(part, breaks, continues, returns) for part in blocks_of(stmt))
            case _:
                found = False
        if found:
            return True
    return False


def ends_in(block: Block, *kinds: type[Stmt]) -> bool:
    """Whether the last of these statements is of one of the kinds."""
    return bool(block) and isinstance(block[-1], kinds)


@derived
def loops_left_inside(kernel: Kernel) -> frozenset[Span]:
    """The loops out of which a `break` or a `return` leads, wherever it stands in them."""
    loops = (stmt for stmt in statements_of(kernel) if isinstance(stmt, Loop))
    return frozenset(loop.span for loop in loops if any(may_leave(part, continues=False) for part in blocks_of(loop)))


def made_on_leaving(kernel: Kernel) -> Mapping[AccessId, Span]:
    """Accesses behind which every thread leaves a loop, each with the place of that loop: `if (found) { out[i] = k;
    break; }`. A thread makes them once, however many rounds there are."""
    return {
        stmt.access.id: at.left
        for stmt, at in _placed(kernel)
        if at.left is not None and isinstance(stmt, (Load, Store, Atomic))
    }


def _placed(kernel: Kernel) -> Iterator[tuple[Stmt, _Place]]:
    """All statements, with where they stand."""
    pending: list[tuple[Block, _Place]] = [(kernel.body, _Place())]
    while pending:
        block, at = pending.pop()
        for stmt in block:
            yield stmt, at
            match stmt:
                case Loop():
                    inside = _Place(stmt.span, stmt.span)
                    pending.extend((part, inside) for part in (stmt.test, stmt.body, stmt.step))
                case If():
                    under = at.under if at.left is not None else stmt.span
                    for arm in (stmt.then, stmt.otherwise):
                        leaves = _leaves(arm, at.breaks is not None, at.returns is not None)
                        left = at.left or ((at.breaks or at.returns) if leaves else None)
                        pending.append((arm, replace(at, under=under, left=left)))
                case Switch():
                    pending.extend((arm.body, replace(at, breaks=None)) for arm in stmt.arms)
                case Inlined():
                    pending.append((stmt.body, _Place(left=at.left)))
                case _:
                    pass


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
