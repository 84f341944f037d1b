"""The phases of a block between its barriers, as cost programs that pay latencies.

Warps wait for each other at a barrier, so a block takes the sum, over its phases, of what the slowest warp of each phase takes (the cost
semantics of 10.1145/3434306, section 5, takes the greatest span at each barrier).  A phase without loops that hold barriers is a set of
programs, one of which every warp runs.  A loop with a barrier makes its rounds one after the other, each the sum of its phases: one
program, in which a phase is a choice of what some warp does.  Of arms with barriers the phases are added up, whoever runs them.
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis_core.bounds.block_costs import Arms, Block, Cut, Rounds
from analysis_core.bounds.program import Affine, Arm, Assign, Branch, Stmt, Tick, While, affine
from analysis_core.domains.shape import IntVector

LATENCY = "latency"
"""The name that these programs' ticks pay in."""

Body = tuple[Stmt, ...]
_Phase = tuple[IntVector | None, list[Arms | Rounds]]


def phases_of(block: Block, warps: int) -> list[tuple[Body, ...]]:
    """For each phase between barriers the different bodies that warps run in it. Phases in which no warp does anything
    are left out."""
    found = []
    for waited, parts in _phases(block):
        if any(_is_barred(part) for part in parts):
            bodies: tuple[Body, ...] = (tuple(stmt for part in parts for stmt in _barred(part, warps)),)
        else:
            bodies = _bodies(waited, parts, warps)
        if any(bodies):
            found.append(bodies)
    return found


def _phases(block: Block) -> Iterator[_Phase]:
    """What is waited for between two cuts, and the parts between them."""
    before = Cut(None, 0)
    for cut in (*block.cuts, Cut(block.waited, len(block.parts))):
        waited = cut.waited
        if waited is not None and before.waited is not None:
            waited = waited - before.waited
        yield waited, block.parts[before.parts : cut.parts]
        before = cut


def _is_barred(part: Arms | Rounds) -> bool:
    return any(arm.barred for arm in part.arms) if isinstance(part, Arms) else part.body.barred


def _bodies(waited: IntVector | None, parts: list[Arms | Rounds], warps: int) -> tuple[Body, ...]:
    """The distinct things that warps do in a phase."""
    found = dict.fromkeys(_of_warp(waited, parts, warp) for warp in range(warps))
    if len(found) > 1 and all(len(body) <= 1 and not parts for body in found):
        return (max(found, key=_paid),)
    return tuple(found)


def _paid(body: Body) -> int:
    """The latency of a body that is a tick, or nothing."""
    return sum(most for stmt in body if isinstance(stmt, Tick) for _, _, most in stmt.costs)


def _of_warp(waited: IntVector | None, parts: list[Arms | Rounds], warp: int) -> Body:
    stmts: list[Stmt] = []
    if waited is not None and waited[warp]:
        stmts.append(Tick(((LATENCY, 0, int(waited[warp])),), None))
    for part in parts:
        match part:
            case Arms(where, possible, arms, span, _) if where[warp]:
                bodies = [
                    _of_warp(a.waited, a.parts, warp) for a, rows in zip(arms, possible, strict=True) if rows[warp]
                ]
                if any(bodies):
                    stmts.append(Branch(tuple(Arm((), body) for body in bodies), span))
            case Rounds(guards=guards) if guards[warp] is not None:
                stmts += _loop(part, warp, _of_warp(part.body.waited, part.body.parts, warp))
            case _:
                pass
    return tuple(stmts)


def _loop(part: Rounds, warp: int, inner: Body) -> Body:
    guard = part.guards[warp]
    if guard is None or not inner:
        return ()
    one_more = Assign(part.counter, affine(1, {part.counter: 1}))
    return Assign(part.counter, Affine(0)), While(guard.parts, (*inner, one_more), part.node.span, guard.may_stop)


def _barred(part: Arms | Rounds, warps: int) -> Body:
    """What holds a barrier, as one program for all warps."""
    match part:
        case Arms(arms=arms):
            return tuple(stmt for arm in arms for stmt in _joint(arm, warps))
        case Rounds(body=body):
            inner = _joint(body, warps)
            return _choice(tuple(dict.fromkeys(_loop(part, warp, inner) for warp in range(warps))))


def _joint(block: Block, warps: int) -> Body:
    """The phases of a block one after the other, each a choice of what warps do."""
    stmts: list[Stmt] = []
    for waited, parts in _phases(block):
        if any(_is_barred(part) for part in parts):
            stmts += [stmt for part in parts for stmt in _barred(part, warps)]
        else:
            stmts += _choice(_bodies(waited, parts, warps))
    return tuple(stmts)


def _choice(bodies: tuple[Body, ...]) -> Body:
    if len(bodies) < 2:
        return bodies[0] if bodies else ()
    return (Branch(tuple(Arm((), body) for body in bodies), None),)
