"""Do a launch with its present block and one with another leave the same in memory?  Both are run by the simulator, with the grids that the text
gives them at one size of the data, and all arrays are compared, floats but for rounding.  That finds differences; it proves nothing of other sizes.

The size is such that no division of the host's leaves a rest: a launch is to cover the same data with both blocks.
"""

from __future__ import annotations

from dataclasses import replace
from math import lcm, prod

from analysis_core.advice.account import NOT_RUN, Account
from analysis_core.advice.grids import run_at
from analysis_core.advice.knobs import Launched
from analysis_core.ir.types import ArrayType, PointerType, ScalarKind, ScalarType, Type
from analysis_core.program.launch import shape_text
from analysis_core.simulate.arguments import Argument, ArrayArgument, LaunchRequest
from analysis_core.simulate.binding import BadArguments
from analysis_core.simulate.contents import counted, difference, filled
from analysis_core.simulate.faults import undefined
from analysis_core.simulate.machine import Stopped
from analysis_core.simulate.representation import Unsupported
from analysis_core.simulate.run import Outcome, simulate
from analysis_core.text.records import dataclass

_LARGEST = 4096
"""Sizes of data that are tried."""

_MOST_THREADS = 1 << 16
_FEW_THREADS = 1 << 12
_ELEMENTS = 1 << 18
_ROUNDS, _STATEMENTS = 10_000, 20_000
"""Of a run, each once for all threads that run together."""

_ROUNDING = 1e-5


@dataclass(frozen=True, slots=True)
class Trial:
    """`same`: None if nothing could be run.  `text`: with which data, or what differs, or why there was no run."""

    same: bool | None
    text: str


def trial(present: Launched, other: Launched, account: Account | None = None) -> Trial:
    """One run of each, as long as the account lasts."""
    account = account or Account()
    if account.statements <= 0:
        return Trial(None, NOT_RUN)
    fixed = all(None not in one.launch.grid for one in (present, other))
    for size in range(1, 2 if fixed else _LARGEST + 1):
        if (requests := _both(present, other, size)) is not None:
            return _held_against(present, other, requests, size, account)
    if fixed and (parts := _parts(present, other)) is not None:
        held = _held_against(present, other, parts, 1, account)
        shown = shape_text(tuple(g * b for g, b in zip(parts[0].grid, parts[0].block, strict=True)))
        return replace(held, text=held.text.replace("all sizes 1", f"the first {shown} threads of the grid"))
    return Trial(None, "no size of the data is found at which both launches cover it evenly")


def _both(
    present: Launched, other: Launched, size: int, most: int = _MOST_THREADS
) -> tuple[LaunchRequest, LaunchRequest] | None:
    one, two = _request(present, size, most), _request(other, size, most)
    if one is None or two is None or one.arguments.keys() != two.arguments.keys():
        return None
    numbers = [{n: v for n, v in request.arguments.items() if isinstance(v, int)} for request in (one, two)]
    return (one, two) if numbers[0] == numbers[1] else None


def _parts(present: Launched, other: Launched) -> tuple[LaunchRequest, LaunchRequest] | None:
    """Launches of so many blocks that both have the same threads, some thousand, where all would be too many; None where no blocks have."""
    both = _both(present, other, 1, most=1 << 60)
    if both is None:
        return None
    one, two = both
    steps = [lcm(a, b) for a, b in zip(one.block, two.block, strict=True)]
    counts = [min(one.grid[n] * one.block[n], two.grid[n] * two.block[n]) // step for n, step in enumerate(steps)]
    while prod(counts) * prod(steps) > _FEW_THREADS and max(counts) > 1:
        widest = counts.index(max(counts))
        counts[widest] = -(-counts[widest] // 2)
    if not all(counts) or prod(counts) * prod(steps) > _MOST_THREADS:
        return None
    threads = [step * count for step, count in zip(steps, counts, strict=True)]
    cut = [
        replace(asked, grid=(threads[0] // asked.block[0], threads[1] // asked.block[1], threads[2] // asked.block[2]))
        for asked in (one, two)
    ]
    return (cut[0], cut[1])


def _request(found: Launched, size: int, most: int) -> LaunchRequest | None:
    """The launch at a size of the data; None where its grid or a number is not known there, or it has too many threads."""
    at = run_at(found, size)
    if at is None or prod(at[0]) < 2 or prod(at[0]) * prod(found.launch.block) > most:
        return None
    given = {v.name: _argument(v.type, at[1].get(v.name)) for v in found.kernel.variables if v.parameter}
    arguments = {name: one for name, one in given.items() if one is not None}
    return (
        LaunchRequest(found.launch.block, at[0], arguments, rounds=_ROUNDS, statements=_STATEMENTS)
        if len(arguments) == len(given)
        else None
    )


def _argument(type_: Type, number: int | None) -> Argument | None:
    """Arrays hold small whole numbers, whose sums and products are exact in floating point."""
    match type_:
        case PointerType():
            try:
                return ArrayArgument(filled(_element(type_), _ELEMENTS, counted))
            except Unsupported:
                return None
        case ScalarType(kind=ScalarKind.FLOAT):
            return 2.0
        case ScalarType():
            return number
        case _:
            return None


def _element(pointer: PointerType) -> Type:
    target = pointer.target
    while isinstance(target, ArrayType):
        target = target.element
    return target


def _held_against(
    present: Launched, other: Launched, requests: tuple[LaunchRequest, LaunchRequest], size: int, account: Account
) -> Trial:
    try:
        runs = [_run(one, request, account) for one, request in zip((present, other), requests, strict=True)]
    except (Stopped, BadArguments, MemoryError) as why:
        return Trial(None, f"the simulator gives up: {why}")
    where = f"all sizes {size}"
    wrong = [undefined(run.faults) for run in runs]
    if wrong[0]:
        return Trial(None, f"with {where} and its present block it does something undefined: {wrong[0]}")
    if wrong[1]:
        return Trial(False, f"with {where} it does something undefined: {wrong[1]}")
    types = {v.name: _element(v.type) for v in present.kernel.variables if isinstance(v.type, PointerType)}
    for name, mine in runs[0].arrays.items():
        if name in types and (apart := difference(types[name], mine, runs[1].arrays[name], _ROUNDING)) is not None:
            at, before, after = apart
            return Trial(False, f"with {where} `{name}[{at}]` is {before} and then {after}")
    return Trial(True, where)


def _run(found: Launched, request: LaunchRequest, account: Account) -> Outcome:
    """A run, which pays for what a thread executes, or for all that it may where it is given up."""
    account.statements -= request.statements
    outcome = simulate(found.kernel, request)
    threads = prod(request.grid) * prod(request.block)
    account.statements += max(0, request.statements - outcome.lane_statements // threads)
    return outcome
