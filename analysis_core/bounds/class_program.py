"""The program of warps that pay alike, read off what a block's warps pay (block_costs.py).

Branches that a loop's counter decides become loops of their own (slices.py).
"""

from __future__ import annotations

from collections.abc import Sequence

from analysis_core.bounds.block_costs import Arms, Block, Place, Rounds
from analysis_core.bounds.loop_nests import LoopNests
from analysis_core.bounds.program import Affine, Arm, Assign, Branch, Stmt, Tick, While, affine
from analysis_core.bounds.slices import Sliced, lifted, replaced
from analysis_core.bounds.trip_parameters import Guard, TripParameters

_MOST_PIECES = 8
"""Loops that the branches of one may become (slices.py)."""


def program_of(block: Block, warps: Sequence[int], nests: LoopNests | None, trips: TripParameters) -> tuple[Stmt, ...]:
    """The cost program of warps that pay alike. With `nests`, loops without closed form are taken from the source,
    where that promises a better bound."""
    warp = warps[0]
    ticks: dict[Place, list[tuple[str, int, int]]] = {}
    for (place, metric), costs in block.ticks.items():
        if costs.upper[warp]:
            ticks.setdefault(place, []).append((str(metric), int(costs.lower[warp]), int(costs.upper[warp])))
    stmts: list[Stmt] = [Tick(tuple(costs), span, text) for (span, text), costs in ticks.items()]
    for part in block.parts:
        match part:
            case Arms(where, possible, arms) if where[warp]:
                bodies = [
                    program_of(arm, warps, nests, trips) if rows[warp] else None
                    for arm, rows in zip(arms, possible, strict=True)
                ]
                if any(bodies):
                    stmts.append(_branch(part, bodies))
            case Rounds() if (guard := part.guards[warp]) is not None:
                stmts += _loop(part, guard, warps, nests, trips)
            case _:
                pass
    return tuple(stmts)


def _branch(part: Arms, bodies: Sequence[tuple[Stmt, ...] | None]) -> Branch:
    """What a warp runs one of; None: not possible."""
    arms = tuple(Arm((), body) for body in bodies if body is not None)
    if part.decided is None or len(arms) < len(bodies):
        return Branch(arms, part.span)
    return Sliced(arms, part.span, part.decided.counter, part.decided.sides)


def _loop(
    part: Rounds, guard: Guard, warps: Sequence[int], nests: LoopNests | None, trips: TripParameters
) -> tuple[Stmt, ...]:
    if nests is not None and not _is_closed(part, guard, warps[0]):
        own = nests.program(part.node, warps, all(bool(part.sure[w]) for w in warps))
        if own is not None:
            return own
    whole = program_of(part.body, warps, nests, trips)
    inner, pieces = lifted(whole, part.counter)
    shorter = [found for piece, _ in pieces if (found := trips.shortened(guard, part.counter, piece)) is not None]
    if len(shorter) < len(pieces) or len(pieces) > _MOST_PIECES:
        return _counted(part, guard, whole)
    stmts = _counted(part, guard, inner)
    for (_, side), (fewer, values) in zip(pieces, shorter, strict=True):
        stmts += _counted(part, fewer, replaced(side, values))
    return stmts


def _counted(part: Rounds, guard: Guard, body: tuple[Stmt, ...]) -> tuple[Stmt, ...]:
    if not body:
        return ()
    one_more = Assign(part.counter, affine(1, {part.counter: 1}))
    return Assign(part.counter, Affine(0)), While(guard.parts, (*body, one_more), part.node.span, guard.may_stop)


def _is_closed(part: Rounds, guard: Guard, warp: int) -> bool:
    """Whether the trip counts of the loop and of those inside of it are known."""
    pending: list[Block] = [part.body]
    if not guard.closed:
        return False
    while pending:
        for inner in pending.pop().parts:
            match inner:
                case Arms(where, _, arms) if where[warp]:
                    pending.extend(arms)
                case Rounds(_, guards, body, _, _) if (found := guards[warp]) is not None:
                    if not found.closed:
                        return False
                    pending.append(body)
                case _:
                    pass
    return True
