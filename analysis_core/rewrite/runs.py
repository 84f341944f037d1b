"""Do the kernels of a text leave in memory after a refactoring what they left before?  Both texts are run by the simulator on the same memory.

Runs are those that launches in view may make: their blocks, grids as they state them for sizes that assumptions allow, arrays of several contents.
A run counts if nothing undefined happens in it before the refactoring; then nothing may afterwards, either, nor may another byte be
reached: arrays end where the run before left off, so that reading one element too many is a fault.  That finds differences; it proves nothing of
what was not run.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from itertools import islice, zip_longest
from math import prod

from analysis_core.advice.grids import run_at
from analysis_core.advice.knobs import Launched
from analysis_core.ir.launch_site import is_assumed
from analysis_core.ir.layout import size_of
from analysis_core.ir.nodes import Kernel
from analysis_core.ir.stated import StatedName
from analysis_core.ir.types import ArrayType, PointerType, ScalarKind, ScalarType, Space, Type
from analysis_core.lower.names.annotation_values import constant_value
from analysis_core.machine.block_shape import Shape
from analysis_core.machine.sizes import WARP
from analysis_core.program.launch import Launch, shape_text
from analysis_core.rewrite.core.action import Comparison, Launching
from analysis_core.rewrite.core.unit import Unit
from analysis_core.simulate import contents
from analysis_core.simulate.arguments import Argument, ArrayArgument, LaunchRequest
from analysis_core.simulate.binding import BadArguments
from analysis_core.simulate.faults import undefined
from analysis_core.simulate.machine import Stopped, Touched
from analysis_core.simulate.representation import Array, Unsupported
from analysis_core.simulate.run import simulate
from analysis_core.text.records import dataclass

_SIZES = (64, 0, 33, 1, 128, 2, 31, 96, 3, 256, 7, 32, 48, 5, 100, 16, 512, 8, 4, 160, 65, 600, 1000, 1024)
"""What integer parameters are, all alike."""

_APART = 40
"""Draws of sizes that are not all alike."""

_GRIDS: tuple[Shape, ...] = ((2, 1, 1), (1, 1, 1), (3, 2, 1))
"""Where nothing says how many blocks there are."""

_BYTES = 1 << 20
"""Of an array of parameters, before it is known how much of it is used."""

_MOST_THREADS = 1 << 13
_ROUNDS = 1 << 14
_STATEMENTS = 20_000
"""Of a run, each once for all threads that run together."""

_ALL_STATEMENTS = 100_000
"""Of all runs of one comparison: what was run until then counts."""

_ROUNDING = 1e-5

FILLS: tuple[contents.Pattern, ...] = (contents.counted, contents.random(1), contents.zeros)


@dataclass(frozen=True, slots=True)
class Ran:
    """`equal`: runs after which memory was the same; `different`: one after which it was not, in words, "" for none; `nothing`: why no run could be
    compared, where `equal` is 0; `shapes`: the launches that were run, in words."""

    equal: int = 0
    different: str = ""
    nothing: str = ""
    shapes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Setting:
    """A launch of the kernels before at some sizes.  `number`: which of their launches; `grid`: of all kernels, where launches do not say; `blocks`: how
    many the first has."""

    number: int
    numbers: Mapping[str, int]
    size: int
    grid: Shape | None
    blocks: int

    @property
    def kind(self) -> tuple[int, int]:
        """Launches of a kind are much alike: which it is; sizes that are no multiples of a warp in several blocks, sizes of 0, multiples in several
        blocks, and one block."""
        if 0 in self.numbers.values():
            return self.number, 1
        whole = all(value % WARP == 0 for value in self.numbers.values())
        return self.number, (2 if whole else 0) if self.blocks > 1 else 4 if whole else 3


@dataclass(slots=True)
class _Memory:
    """Arrays by what they are called in both texts.  `types`: of their elements; `reached`: bytes from the beginning that were touched."""

    arrays: dict[str, Array] = field(default_factory=dict)
    types: dict[str, Type] = field(default_factory=dict)
    reached: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class _Account:
    """Statements that runs may still execute.  `most`: one of them."""

    left: int = _ALL_STATEMENTS
    most: int = _STATEMENTS


class _Undefined(Exception):
    """A run does something that is worth nothing, or cannot be run; the text says what."""


def compared(
    before: Unit, after: Unit, kernel: str, comparison: Comparison, shapes: int = 3, rounding: bool = False
) -> Ran:
    """Runs both with up to that many launches, each with all contents.  `rounding`: floats may differ by roundings."""
    olds, news = (one or (Launching(kernel),) for one in (comparison.before, comparison.after))
    first = before.named(olds[0].kernel)
    if first is None or any(before.named(one.kernel) is None for one in olds):
        return Ran(nothing="the kernel is not there")
    if any(after.named(one.kernel) is None for one in news):
        return Ran(different="the refactored kernel is not there")
    told: list[str] = []
    equal, why = 0, "no launch of it can be made up"
    account = _Account()
    for setting in _settings(before, first, olds[0]):
        ran = 0
        if account.left <= 0:
            break
        for pattern in FILLS:
            before.alive()
            account.most = _STATEMENTS
            try:
                memory, results = _before(before, olds, setting, pattern, account)
            except _Undefined as stopped:
                why = str(stopped)
                continue
            account.most = 4 * _STATEMENTS  # what ended before is to end afterwards
            text = _differs(after, news, comparison, setting, memory, results, _ROUNDING if rounding else 0.0, account)
            if text:
                return Ran(equal, f"{text}, {_text(setting)}", shapes=tuple(told))
            ran += 1
        equal += ran
        if ran:
            told.append(_text(setting))
        if len(told) == shapes:
            break
    return Ran(equal, nothing="" if equal else why, shapes=tuple(told))


def _text(setting: _Setting) -> str:
    sizes = ", ".join(f"{name} = {value}" for name, value in setting.numbers.items())
    grid = "" if setting.grid is None else f"grid {shape_text(setting.grid)}"
    return "with " + (", ".join(filter(None, (grid, sizes))) or "its launch")


# --- which launches -------------------------------------------------------------------------------------------------


def _settings(unit: Unit, kernel: Kernel, launching: Launching) -> Iterator[_Setting]:
    """Launches that the text allows, of all kinds in turn."""
    names = [v.name for v in kernel.variables if v.parameter and _is_whole(v.type)]
    kinds: dict[tuple[int, int], list[_Setting]] = {}
    for number, _ in enumerate(unit.launches(kernel)):
        for found in _of_launch(unit, kernel, launching, number, names):
            kinds.setdefault(found.kind, []).append(found)
    for row in zip_longest(*(kinds[kind] for kind in sorted(kinds, key=lambda each: each[::-1]))):
        yield from (found for found in row if found is not None)


def _of_launch(
    unit: Unit, kernel: Kernel, launching: Launching, number: int, names: Sequence[str]
) -> Iterator[_Setting]:
    launch = unit.launches(kernel)[number]
    seen: set[tuple[object, ...]] = set()
    is_told = any(_grid(Launched(kernel, launch), dict.fromkeys(names, size), size) for size in _SIZES)
    for size, numbers in _numbers(kernel, launch, names):
        called = {launching.called.get(name, name): value for name, value in numbers.items()}
        own = _grid(Launched(kernel, launch), numbers, size)
        for grid in _GRIDS if own is None and not is_told else (None,):
            blocks = own or grid
            if blocks is None or min(blocks) < 1 or prod(blocks) * prod(launch.block) > _MOST_THREADS:
                continue
            key = (blocks, *sorted(called.items()))
            if key not in seen:
                seen.add(key)
                yield _Setting(number, called, size, grid, prod(blocks))


def _numbers(kernel: Kernel, launch: Launch, names: Sequence[str]) -> Iterator[tuple[int, dict[str, int]]]:
    """Values of the integer parameters that assumptions and launches allow."""
    generator = random.Random(7)
    alike = ((size, dict.fromkeys(names, size)) for size in _SIZES)
    drawn = ((32, {name: generator.choice(_SIZES) for name in names}) for _ in range(_APART if len(names) > 1 else 0))
    known = {one.name: one.least for one in launch.arguments.ranges if one.least == one.most and one.least is not None}
    for size, numbers in (*islice(alike, 6), *drawn, *alike) if names else ((1, {}),):
        handed = None if launch.stated_grid else run_at(Launched(kernel, launch), size, evenly=False)
        values = {**numbers, **(handed[1] if handed is not None else {}), **known}
        values = {name: value for name, value in values.items() if name in names}
        stated: Mapping[str, StatedName] = {**dict(kernel.annotations.names), **values}
        if all(constant_value(one.condition, stated) != 0 for one in kernel.annotations.assumptions):
            yield size, values


def _grid(found: Launched, numbers: Mapping[str, int], size: int) -> Shape | None:
    """The blocks of a launch at these numbers; None where nothing says how many."""
    launch = found.launch
    if launch.stated_grid:
        names: Mapping[str, StatedName] = {**dict(found.kernel.annotations.names), **numbers}
        stated = [constant_value(term, names) for term in launch.stated_grid]
        extents = [one for one in stated if one is not None]
        return (extents[0], extents[1], extents[2]) if len(extents) == 3 else None
    x, y, z = launch.grid
    if x is not None and y is not None and z is not None:
        return (x, y, z)
    at = None if is_assumed(launch.source) else run_at(found, size, evenly=False)
    return None if at is None else at[0]


def _is_whole(type_: Type) -> bool:
    return isinstance(type_, ScalarType) and type_.kind in (ScalarKind.INT, ScalarKind.BOOL)


# --- runs -----------------------------------------------------------------------------------------------------------


def _before(
    unit: Unit, launchings: Sequence[Launching], setting: _Setting, pattern: contents.Pattern, account: _Account
) -> tuple[_Memory, Mapping[str, Array]]:
    """What memory held at first, cut to what was touched, and what it holds afterwards.  Raises `_Undefined`."""
    memory = _Memory()
    for launching in launchings:
        kernel = _kernel(unit, launching)
        for name, type_, count in _arrays(kernel):
            called = launching.called.get(name, name)
            if called not in memory.arrays:
                try:
                    memory.arrays[called] = contents.filled(type_, count, pattern)
                except Unsupported as why:
                    raise _Undefined(f"the simulator gives up: {why}") from None
                memory.types[called] = type_
    at_first = dict(memory.arrays)
    _all(unit, launchings, setting, memory, account)
    for name, type_ in memory.types.items():
        size = size_of(type_) or 1
        end = max(size, -(-memory.reached.get(name, 0) // size) * size)
        at_first[name] = at_first[name][:end]
    return _Memory(at_first, memory.types), {name: memory.arrays[name][: len(at_first[name])] for name in at_first}


def _differs(
    unit: Unit,
    launchings: Sequence[Launching],
    comparison: Comparison,
    setting: _Setting,
    memory: _Memory,
    results: Mapping[str, Array],
    rounding: float,
    account: _Account,
) -> str:
    """What the refactored kernels do otherwise, "" for nothing."""
    if comparison.moved is not None:
        moved = [comparison.moved(each, setting.numbers) for each in (memory.arrays, results)]
        if moved[0] is None or moved[1] is None:
            return "the new layout of arrays is not worked out"
        arrays, results = dict(moved[0]), moved[1]
    else:
        arrays = dict(memory.arrays)
    types = dict(memory.types)
    for launching in launchings:
        for name, type_, count in _arrays(_kernel(unit, launching)):
            called = launching.called.get(name, name)
            types[called] = type_
            arrays.setdefault(called, contents.filled(type_, count, contents.zeros))
    after = _Memory(arrays, types)
    try:
        _all(unit, launchings, setting, after, account)
    except _Undefined as why:
        return f"afterwards {why}"
    for name, expected in results.items():
        if name in comparison.dead or name not in after.arrays:
            continue
        apart = contents.difference(types[name], expected, after.arrays[name], rounding)
        if apart is not None:
            at, one, other = apart
            return f"`{name}[{at}]` is {one} and then {other}"
    return ""


def _all(unit: Unit, launchings: Sequence[Launching], setting: _Setting, memory: _Memory, account: _Account) -> None:
    """Launches the kernels one after the other on the same memory.  Raises `_Undefined`."""
    for launching in launchings:
        kernel = _kernel(unit, launching)
        launches = unit.launches(kernel)
        launch = launches[min(setting.number, len(launches) - 1)]
        own = {name: launching.called.get(name, name) for name in _parameters(kernel)}
        numbers = {name: setting.numbers[called] for name, called in own.items() if called in setting.numbers}
        grid = _grid(Launched(kernel, launch), numbers, setting.size) or setting.grid
        if grid is None or min(grid) < 1:
            raise _Undefined("it is not launched with a grid of at least a block")
        _run(kernel, launch.block, grid, own, numbers, memory, account)


def _run(
    kernel: Kernel,
    block: Shape,
    grid: Shape,
    called: Mapping[str, str],
    numbers: Mapping[str, int],
    memory: _Memory,
    account: _Account,
) -> None:
    arrays = {name: called.get(name, name) for name, _, _ in _arrays(kernel)}
    given: dict[str, Argument] = {name: ArrayArgument(memory.arrays[at]) for name, at in arrays.items()}
    order = list(given)
    for variable in kernel.variables:
        if variable.parameter and variable.name not in given:
            given[variable.name] = _number(variable.type, numbers.get(variable.name))
    reached = memory.reached

    def touch(one: Touched) -> None:
        for number, name in enumerate(order, start=1):
            at = one.offsets[one.regions == number]
            if len(at):
                reached[arrays[name]] = max(reached.get(arrays[name], 0), int(at.max()) + one.bytes)

    request = LaunchRequest(block, grid, given, rounds=_ROUNDS, statements=account.most)
    try:
        outcome = simulate(kernel, request, trace=touch)
    except (Stopped, BadArguments, MemoryError) as why:
        account.left -= account.most
        raise _Undefined(f"the simulator gives up: {why}") from None
    account.left -= outcome.lane_statements // (prod(block) * prod(grid))
    if wrong := undefined(outcome.faults):
        raise _Undefined(f"it does something undefined: {wrong}")
    for name, at in arrays.items():
        memory.arrays[at] = outcome.arrays[name].reshape(-1).view("u1")


def _number(type_: Type, value: int | None) -> Argument:
    """The value of a parameter that is no array."""
    if not isinstance(type_, ScalarType):
        raise _Undefined("a parameter is neither a number nor an array")
    if type_.kind is ScalarKind.FLOAT:
        return 1.5
    number = 1 if value is None else value
    return number % 2 if type_.kind is ScalarKind.BOOL else min(number, (1 << (8 * type_.size - type_.signed)) - 1)


def _kernel(unit: Unit, launching: Launching) -> Kernel:
    found = unit.named(launching.kernel)
    if found is None:
        raise _Undefined(f"`{launching.kernel}` is not there")
    return found


def _parameters(kernel: Kernel) -> list[str]:
    return [v.name for v in kernel.variables if v.parameter]


def _arrays(kernel: Kernel) -> Iterator[tuple[str, Type, int]]:
    """Pointer parameters and arrays at file scope, with their elements and how many there may be."""
    for variable in kernel.variables:
        if variable.parameter and isinstance(variable.type, PointerType):
            element = variable.type.target
            while isinstance(element, ArrayType):
                element = element.element
            size = size_of(element)
            if isinstance(element, ScalarType) and element.kind is ScalarKind.VOID:
                element, size = ScalarType(ScalarKind.INT, 1, False, "unsigned char"), 1
            if not size:
                raise _Undefined("what a pointer leads to has no known size")
            yield variable.name, element, _BYTES // size
    for one in kernel.objects:
        if one.space in (Space.GLOBAL, Space.CONSTANT) and size_of(one.type):
            element, count = one.type, 1
            while isinstance(element, ArrayType) and (size := size_of(element.element)):
                count = (size_of(one.type) or 0) // size
                element = element.element
            yield one.name, element, count
