"""`warpcost check --equivalent A.cu:K1 B.cu:K2`: do two kernels leave the same in memory?

Straight-line kernels are held against each other by a solver, thread by thread (claims/equal.py), which proves them equal for all launches.  And both are
run by the simulator with the same blocks, grids, numbers and arrays, over all combinations of a few small ones, and the bytes of all arrays
are compared.  That finds differences; it proves nothing of what was not run, so what was run is printed.  Runs in which what C++ or CUDA
leave undefined happens (an index out of bounds, a race) are left out, but for those in which only the second kernel does so.
"""

from __future__ import annotations

import json
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import product
from math import prod

import numpy as np

from analysis_core.claims.equal import Equality, equality
from analysis_core.cli.collect import collect
from analysis_core.cli.runner_commands import no_command_in_json
from analysis_core.cli.simulate import kernel_of
from analysis_core.cli.simulation_arguments import Given, arguments_for
from analysis_core.cli.statuses import BROKEN, CLEAN, FOUND
from analysis_core.cli.terminal import complain, printable
from analysis_core.cli.work import report_problems, tasks_for
from analysis_core.ir.nodes import Atomic, Kernel, Load, Store
from analysis_core.ir.type_names import spell
from analysis_core.ir.types import PointerType, ScalarKind, ScalarType, Type
from analysis_core.ir.walk import statements_of
from analysis_core.machine.block_shape import Shape
from analysis_core.program.launch import choose_launches, shape_text
from analysis_core.simulate.arguments import LaunchRequest
from analysis_core.simulate.binding import BadArguments
from analysis_core.simulate.faults import undefined
from analysis_core.simulate.machine import Stopped
from analysis_core.simulate.representation import Array
from analysis_core.simulate.run import Outcome, simulate
from analysis_core.support.settings import Settings
from analysis_core.support.sources import Sources
from analysis_core.text.records import dataclass
from analysis_core.workspace.values import BadValue

_GRIDS: tuple[Shape, ...] = ((1, 1, 1), (2, 1, 1))
_WIDE: Shape = (2, 2, 1)
_SIZES = (1, 7, 33)
_FILLS = {"zeros": "zeros", "0, 1, 2, ..": "iota", "random": "random:1:-8:8"}
_ELEMENTS = 1 << 17
_ROUNDS = 1_000_000
_BLOCKS = 2


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two kernels, as named on the command line."""

    name: str
    kernel: Kernel
    sources: Sources
    settings: Settings


@dataclass(slots=True)
class Found:
    """What the runs gave. `beyond`: a difference where there are more elements than threads, which launches may rule out; `executed`: per side the accesses that some run made."""

    equal: int = 0
    left_out: dict[str, int] = field(default_factory=dict)
    difference: str = ""
    beyond: str = ""
    executed: tuple[set[tuple[int, str]], set[tuple[int, str]]] = field(default_factory=lambda: (set(), set()))


def equivalent(args: Namespace) -> int:
    """Runs the command. 0: no difference in any run; 1: different in one; 2: there was no run that could be compared."""
    try:
        one, other = (_side(text, args) for text in args.equivalent)
        _check_parameters(one, other)
        shapes = [args.block] if args.block is not None else _blocks(one)
        flat = all(block[1:] == (1, 1) for block in shapes)
        grids = [args.grid] if args.grid is not None else [*_GRIDS, *(() if flat else (_WIDE,))]
        found = _run_all(one, other, shapes, grids, dict(args.values))
        proof = equality(one.kernel, other.kernel)
    except (BadValue, BadArguments, Stopped, MemoryError) as error:
        complain(str(error))
        return BROKEN
    lines = [*_proof_lines(one, other, found, proof), *_lines(one, other, found, shapes, grids)]
    if args.format == "json":
        told = {"equal": found.equal, "left_out": found.left_out, "difference": found.difference or None, "text": lines}
        sure = _is_sure(found, proof)
        told |= {
            "proved": sure and not proof.rounding,
            "proved_but_rounding": sure and proof.rounding,
            "not_proved": proof.cause or None,
        }
        print(no_command_in_json(json.dumps(told)))
    else:
        print("\n".join(printable(line) for line in lines))
    if found.difference:
        return FOUND
    return CLEAN if found.equal or proof.proved else BROKEN


def _side(text: str, args: Namespace) -> Side:
    path, _, name = text.rpartition(":")
    if not path or not name:
        raise BadValue(f"say FILE:KERNEL instead of `{text}`")
    paths, problems = collect([path])
    if problems or len(paths) != 1:
        report_problems(problems)
        raise BadValue(f"{path} is not one file that can be read")
    (task, *_), _ = tasks_for(paths, None, args)
    return Side(text, kernel_of(replace(task, kernel=name)), Sources(task.files()), task.settings)


def _parameters(kernel: Kernel) -> list[tuple[str, Type]]:
    return [(v.name, v.type) for v in kernel.variables if v.parameter]


def _check_parameters(one: Side, other: Side) -> None:
    """Parameters go by their order. Raises `BadValue` if they differ."""
    mine, others = _parameters(one.kernel), _parameters(other.kernel)
    if len(mine) != len(others):
        raise BadValue(f"{one.name} has {len(mine)} parameters, {other.name} has {len(others)}")
    for (name, type_), (_, against) in zip(mine, others, strict=True):
        if spell(_plain(type_)) != spell(_plain(against)):
            raise BadValue(f"`{name}` of {one.name} is a `{spell(type_)}`, in {other.name} it is a `{spell(against)}`")


def _plain(type_: Type) -> Type:
    return PointerType(type_.target) if isinstance(type_, PointerType) else type_


def _blocks(one: Side) -> list[Shape]:
    """Those that the first kernel is launched with."""
    return list(dict.fromkeys(launch.block for launch in choose_launches(one.kernel, one.settings)))[:_BLOCKS]


def _run_all(
    one: Side, other: Side, blocks: Sequence[Shape], grids: Sequence[Shape], given: Mapping[str, Given]
) -> Found:
    found = Found()
    for block, grid, fill, numbers in (
        (*launch, numbers)
        for launch in product(blocks, grids, _FILLS.items())
        for numbers in _numbers(one.kernel, given, *launch[:2])
    ):
        sides = [_run(side, one, block, grid, numbers, fill[1]) for side in (one, other)]
        for executed, outcome in zip(found.executed, sides, strict=True):
            executed |= {(a.id, a.text) for a in outcome.accesses if a.requests.total}
        sizes = "".join(f", {name} = {value}" for name, value in numbers.items())
        where = f"block {shape_text(block)}, grid {shape_text(grid)}{sizes}, arrays {fill[0]}"
        wrong = [undefined(outcome.faults) for outcome in sides]
        if wrong[0] or (wrong[1] and not found.equal):
            reason = f"{one.name if wrong[0] else other.name}: {wrong[0] or wrong[1]}"
            found.left_out[reason] = found.left_out.get(reason, 0) + 1
            continue
        if wrong[1]:
            found.difference = f"{other.name} goes wrong with {where}: {wrong[1]}"
            return found
        difference = _difference(one, other, sides[0], sides[1], where)
        if difference and max(numbers.values(), default=0) > _reach(block, grid):
            found.beyond = found.beyond or difference
            continue
        found.difference = difference
        if found.difference:
            return found
        found.equal += 1
    return found


def _numbers(kernel: Kernel, given: Mapping[str, Given], block: Shape, grid: Shape) -> Iterator[dict[str, int]]:
    """Values of the integer parameters: all the same, a few and about as many as there are threads in a block and in all blocks; and all different. Those
    that are given stay."""
    names = [name for name, type_ in _parameters(kernel) if isinstance(type_, ScalarType) and type_.kind in _WHOLE]
    known = {name: value for name, value in given.items() if name in names and isinstance(value, int)}
    free = [name for name in names if name not in known]
    threads, every = prod(block), _reach(block, grid)
    ends = {threads - 1, threads, min(threads + 1, every), every - 1, every}
    for size in (*sorted({*_SIZES, *ends} - {0}), every + threads // 2 + 1) if free else ():
        yield {**dict.fromkeys(free, size), **known}
    if len(free) != 1:
        yield {**{name: 32 + 5 * n for n, name in enumerate(free)}, **known}


def _reach(block: Shape, grid: Shape) -> int:
    """Threads along the axis that has most of them."""
    return max(threads * blocks for threads, blocks in zip(block, grid, strict=True))


_WHOLE = (ScalarKind.INT, ScalarKind.BOOL)


def _run(side: Side, first: Side, block: Shape, grid: Shape, numbers: Mapping[str, int], fill: str) -> Outcome:
    """One run; `numbers` are named as the first kernel names its parameters."""
    given: dict[str, Given] = {}
    for (name, type_), (key, _) in zip(_parameters(side.kernel), _parameters(first.kernel), strict=True):
        if isinstance(type_, PointerType):
            given[name] = f"{_ELEMENTS}:{fill}"
        elif key in numbers:
            is_truth = isinstance(type_, ScalarType) and type_.kind is ScalarKind.BOOL
            given[name] = numbers[key] % 2 if is_truth else numbers[key]
        else:
            given[name] = 1.5
    return simulate(side.kernel, LaunchRequest(block, grid, arguments_for(side.kernel, given), rounds=_ROUNDS))


def _difference(one: Side, other: Side, mine: Outcome, others: Outcome, where: str) -> str:
    """The first element that differs; "" for none."""
    for (name, _), (key, _) in zip(_parameters(one.kernel), _parameters(other.kernel), strict=True):
        if name not in mine.arrays or key not in others.arrays:
            continue
        left, right = mine.arrays[name].reshape(-1), others.arrays[key].reshape(-1)
        different = np.flatnonzero((left != right) & ~(_nan(left) & _nan(right)))
        if len(different):
            at = int(different[0])
            text = f"`{name}[{at}]` is {left[at]} and {right[at]} with {where}"
            more = f"; {len(different)} elements differ" if len(different) > 1 else ""
            return f"{text}{more}{_rounding(left[different], right[different])}"
    return ""


def _nan(values: Array) -> Array:
    return np.isnan(values) if values.dtype.kind == "f" else np.zeros(len(values), dtype=bool)


def _rounding(left: Array, right: Array) -> str:
    """How far floats are apart, where it may be the order of additions."""
    if left.dtype.kind != "f":
        return ""
    with np.errstate(all="ignore"):
        apart = float(np.max(np.abs(left - right) / np.maximum(np.abs(left), np.abs(right))))
    return f", by at most {apart:.1e} of their value (rounding?)" if apart < 1e-4 else ""


def _is_sure(found: Found, proof: Equality) -> bool:
    """Whether a proof is told: not where a run shows that what it takes for granted does not hold."""
    return proof.proved and (proof.rounding or not found.difference)


def _proof_lines(one: Side, other: Side, found: Found, proof: Equality) -> Iterator[str]:
    """What the solver says, and what that rests on."""
    if _is_sure(found, proof):
        order = " but for the order of floating point operations, which changes roundings," if proof.rounding else ""
        yield (
            f"proved equal{order} by a solver (z3), for one thread: {one.name} and {other.name} store the same, whatever blocks,"
            " grids, numbers and arrays are"
        )
        natural = ", integer parameters are not negative" if proof.natural else ""
        yield (
            f"taken for granted: pointers lead to different arrays, no thread touches what another one writes{natural}, and numbers"
            " of threads fit into an int"
        )
    elif proof.cause:
        yield f"not proved, decided by simulation: {proof.cause}"


def _lines(one: Side, other: Side, found: Found, blocks: Sequence[Shape], grids: Sequence[Shape]) -> Iterator[str]:
    if found.difference:
        yield f"different: {found.difference}"
        yield f"no difference in {found.equal} runs before"
    else:
        said = f"no difference in {found.equal} runs" if found.equal else "not comparable"
        yield f"{said}: {one.name} and {other.name}"
    names = [name for name, type_ in _parameters(one.kernel) if isinstance(type_, ScalarType) and type_.kind in _WHOLE]
    if found.beyond:
        yield f"different with more elements than threads: {found.beyond}"
    yield (
        f"blocks {_shapes(blocks)}; grids {_shapes(grids)}"
        + (f"; {', '.join(names)} from 1 to more than all threads" if names else "")
        + f"; arrays of {', '.join(_FILLS)}"
    )
    for reason, count in found.left_out.items():
        yield f"left out: {count} runs, in which {reason}"
    for side, executed in () if found.difference else zip((one, other), found.executed, strict=True):
        yield from dict.fromkeys(_never(side, executed))


def _shapes(shapes: Sequence[Shape]) -> str:
    return ", ".join(shape_text(shape) for shape in shapes)


def _never(side: Side, executed: set[tuple[int, str]]) -> Iterator[str]:
    """The accesses that no run made: nothing is known of them."""
    for stmt in statements_of(side.kernel):
        if isinstance(stmt, Load | Store | Atomic) and (stmt.access.id, stmt.access.text) not in executed:
            yield f"never executed: `{stmt.access.text}` in line {side.sources.line(stmt.access.span)} of {side.name}"
