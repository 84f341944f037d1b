"""What the analysis shows in front of a statement: conditions over variables there, as claims of the kernel, for all threads that come to it.

    .. saved = v; claim cond(v); v = update(v); claim cond(v); ..; v = saved; while (cond(v)) ..

A condition is shown if the values of the variables decide it, or a solver finds no thread that breaks it.  Nothing is shown where it rests on
memory that others may write, or on a block that nobody states.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace

from analysis_core.claims.from_memory import resting_on_memory
from analysis_core.interp.core.events import ClaimEvent, Events
from analysis_core.interp.interpret import interpret
from analysis_core.ir.launch_site import is_assumed
from analysis_core.ir.loop_info import LoopInfo
from analysis_core.ir.nodes import (
    Assign,
    Block,
    Builtin,
    BuiltinKind,
    Claim,
    Expr,
    Kernel,
    Local,
    Stmt,
    SwitchArm,
    Unary,
    Variable,
    VarId,
)
from analysis_core.ir.types import BOOL
from analysis_core.ir.walk import subexpressions
from analysis_core.program.launch import Launch
from analysis_core.races.verdicts import Verdict
from analysis_core.rewrite.core.loops import Driver, OneLoop, made_from
from analysis_core.rewrite.core.unit import Unit
from analysis_core.text.span import FileId, Span

_LARGEST = (1024, 1, 1)

_MOST_OPEN = 8
"""Executions of a claim that a solver is asked about."""


def rounds_shown(unit: Unit, one: OneLoop, driver: Driver, rounds: int) -> tuple[int, int | None]:
    """How many rounds the loop surely makes, `rounds` at most, and the most that it may make if that is less than so many."""
    condition = one.loop.condition
    if condition is None:
        return 0, None
    ask: list[Stmt] = []
    each: list[tuple[Claim, Claim]] = []
    for number in range(rounds):
        pair = _claim(condition, 2 * number), _claim(Unary("!", condition, BOOL), 2 * number + 1)
        each.append(pair)
        ask += [*pair, replace(driver.update)]
    shown = _shown(unit, one, driver.var, ask, [holds for holds, _ in each], [fails for _, fails in each])
    least = next((n for n, (holds, _) in enumerate(each) if id(holds) not in shown), rounds)
    most = next((n for n, (_, fails) in enumerate(each) if id(fails) in shown), None)
    return least, most


def holds_before(unit: Unit, one: OneLoop, condition: Expr) -> bool:
    """Whether a condition over the variables in front of a loop holds there for all threads."""
    claim = _claim(condition, 0)
    return id(claim) in _shown(unit, one, None, [claim], [claim], [])


def holds_at(unit: Unit, kernel: Kernel, number: int, condition: Expr, launches: Sequence[Launch]) -> bool:
    """The same in front of a statement of the kernel's body, for some of its launches."""
    claim = _claim(condition, 0)
    body = (*kernel.body[:number], claim, *kernel.body[number:])
    return bool(_shown_in(unit, replace(kernel, body=body, claimed=None), launches, [claim], []))


def _claim(condition: Expr, number: int) -> Claim:
    """Claims are told apart by their spans."""
    return Claim("assert", (), condition, "", Span(FileId(""), number, number))


def _shown(
    unit: Unit, one: OneLoop, var: VarId | None, ask: Sequence[Stmt], claims: Sequence[Claim], plain: Sequence[Claim]
) -> set[int]:
    """The identities of the claims that hold in every launch.  A solver is asked about `claims`, until one of them does not hold."""
    kernel = one.kernel
    added: Block = tuple(ask)
    if var is not None:
        moved = kernel.variables[var]
        saved = Variable(VarId(len(kernel.variables)), "", moved.type, moved.span)
        kernel = replace(kernel, variables=(*kernel.variables, saved))
        before = Assign(saved.id, Local(var, moved.type), moved.span)
        after = Assign(var, Local(saved.id, moved.type), moved.span)
        added = (before, *added, after)
    kernel = replace(kernel, body=_with_before(one.info, added), claimed=None)
    launches = _launches(unit, one, [c.condition for c in claims if c.condition is not None])
    return _shown_in(unit, kernel, launches, claims, plain)


def _shown_in(
    unit: Unit, kernel: Kernel, launches: Sequence[Launch], claims: Sequence[Claim], plain: Sequence[Claim]
) -> set[int]:
    """Those that hold under all of the launches, none where there is no launch."""
    if resting_on_memory(kernel) and not is_free_of_races(unit, kernel):
        return set()
    found = {id(claim) for claim in (*claims, *plain)} if launches else set()
    for launch in launches:
        found &= _shown_under(unit, kernel, launch, claims, plain)
    return found


def _launches(unit: Unit, one: OneLoop, conditions: Sequence[Expr]) -> list[Launch]:
    """The launches to ask about; where nobody states the block, that with the most threads in a row too, and none where more than that decides."""
    launches = list(unit.launches(one.kernel))
    if not any(is_assumed(launch.source) for launch in launches):
        return launches
    parts, _ = made_from(one.kernel, conditions)
    own = [e for part in parts for e in subexpressions(part) if isinstance(e, Builtin)]
    if any(e.kind is BuiltinKind.BLOCK_DIM or (e.kind is BuiltinKind.THREAD_IDX and e.axis) for e in own):
        return []
    flat = [replace(launch, block=_LARGEST) for launch in launches[:1] if not one.kernel.requested_axes - {0}]
    return [*launches, *flat]


def is_free_of_races(unit: Unit, kernel: Kernel) -> bool:
    """Whether no two threads may meet in a cell with no barrier between, under any launch; by the report on the kernel's text."""
    reported = unit.reported(kernel)
    if reported is None or not reported.launches:
        return False
    races = [launch.profile.races for launch in reported.launches]
    return all(one is not None and one.verdict is Verdict.ABSENT for one in races)


def _shown_under(
    unit: Unit, kernel: Kernel, launch: Launch, claims: Sequence[Claim], plain: Sequence[Claim]
) -> set[int]:
    events = interpret(kernel, launch, unit.place.settings)
    if events.unknowns:
        return set()
    executions: dict[Span, list[ClaimEvent]] = {}
    for event in events.claims:
        executions.setdefault(event.claim.span, []).append(event)
    found = {id(claim) for claim in plain if _open(executions.get(claim.span, ())) == []}
    for claim in claims:
        left = _open(executions.get(claim.span, ()))
        if left is None or (left and not _solved(events, launch, left)):
            break
        found.add(id(claim))
    return found


def _open(executions: Sequence[ClaimEvent]) -> list[ClaimEvent] | None:
    """Those that values do not decide; None where there are too many of them, or nobody comes there."""
    left = [event for event in executions if bool((event.mask.may & ~event.condition.true).any())]
    return left if executions and len(left) <= _MOST_OPEN else None


def _solved(events: Events, launch: Launch, left: Sequence[ClaimEvent]) -> bool:
    """Whether a solver finds no thread for which one of them does not hold."""
    from analysis_core.claims.formulas import WORK_OF_KERNEL, broken

    ranges = {r.name: (r.least, r.most) for r in launch.arguments.ranges if not r.run and not r.condition}
    return all(broken(events, event, WORK_OF_KERNEL // _MOST_OPEN, ranges).possible is False for event in left)


def _with_before(info: LoopInfo, added: Block) -> Block:
    """The body of the loop's kernel with statements in front of the loop."""
    (block, number), *outer = info.places
    made: Block = (*block[:number], *added, *block[number:])
    for around, at in outer:
        made = (*around[:at], _with_block(around[at], block, made), *around[at + 1 :])
        block = around
    return made


def _with_block(stmt: Stmt, old: Block, new: Block) -> Stmt:
    changed: dict[str, object] = {}
    for one in fields(stmt):
        value = getattr(stmt, one.name)
        if value is old:
            changed[one.name] = new
        elif one.name == "arms":
            changed["arms"] = tuple(SwitchArm(a.labels, new if a.body is old else a.body) for a in value)
    return replace(stmt, **changed)  # type: ignore[arg-type]
