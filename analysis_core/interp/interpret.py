"""The abstract interpreter's entry: one kernel under one launch configuration -> Events.

    value   = thread-vector polynomial over symbols           domains/polynomial.py, thread_value.py, arithmetic.py
    state   = environment, mask, threads that left            state.py
    expr    -> value                                          transfer.py
    stmt    -> state -> state, events                         statements.py, memory.py, loops.py, summaries.py

Assumptions that a result rests on are collected as it is made.
"""

from __future__ import annotations

import time

from analysis_core.cost import expression as ex
from analysis_core.domains import polynomial as pl
from analysis_core.domains.arithmetic import Arithmetic
from analysis_core.domains.mask import Mask
from analysis_core.domains.shape import make_shape
from analysis_core.domains.symbol import Level, SymbolKind, SymbolSource
from analysis_core.domains.thread_value import Integer, Other, Value, integer_range, is_integral
from analysis_core.interp.events import Events
from analysis_core.interp.roots import find_roots
from analysis_core.interp.state import FrameKind, Run
from analysis_core.interp.statements import execute
from analysis_core.interp.transfer import grid_variable, parameter_base
from analysis_core.ir.launch import Launch
from analysis_core.ir.nodes import BuiltinKind, Kernel, Variable
from analysis_core.ir.types import PointerType, ScalarKind, ScalarType
from analysis_core.support.settings import Settings

_MOST_THREADS = (1 << 31) - 1  # along x: so that blockIdx.x * blockDim.x + threadIdx.x is an int
_MOST_BLOCKS_YZ = 65535  # CUDA programming guide, technical specifications: gridDim.y and gridDim.z


def interpret(kernel: Kernel, launch: Launch, settings: Settings) -> Events:
    """All events of the kernel for one block of the launch's shape, at any place of the grid.

    Raises ValueError if the launch's block is no block (see `make_shape`)."""
    shape = make_shape(launch.block)
    arithmetic = Arithmetic(shape, SymbolSource())
    run = Run(
        kernel=kernel,
        settings=settings,
        arithmetic=arithmetic,
        roots=find_roots(kernel),
        mask=Mask(shape.real),
        env={},
        exact_left=_exact_budget(settings),
        deadline=time.monotonic() + settings.kernel_seconds,
    )
    _set_grid(run, launch)
    for number in kernel.parameters:
        run.env[number] = _parameter(run, kernel.variables[number])
    for variable in kernel.variables:
        if variable.parameter and variable.id not in run.env:
            run.env[variable.id] = _parameter(run, variable, least=1)  # a constant that is not visible here
    run.frames.append(FrameKind.FUNCTION)
    execute(run, kernel.body)
    return Events(
        shape,
        tuple(run.accesses),
        tuple(run.branches),
        tuple(run.parameters),
        tuple(run.trips.items()),
        tuple(run.unknowns),
        tuple(run.assumptions.values()),
        tuple(dict.fromkeys(run.coarse)),
    )


def _exact_budget(settings: Settings) -> int:
    """Statements that exact loops may execute in all: fewer than iterations, because a statement costs some tens of
    microseconds and the budget of a kernel is a few tenths of a second."""
    return settings.exact_iterations * 3 // 4


def _set_grid(run: Run, launch: Launch) -> None:
    """blockIdx and gridDim: numbers where the launch says so, else symbols within the hardware's limits."""
    for axis, letter in enumerate("xyz"):
        given = launch.grid[axis]
        most = _MOST_THREADS // launch.block[0] if axis == 0 else _MOST_BLOCKS_YZ
        if given is not None:
            grid = Integer(pl.constant(given))
            most = given
        else:
            symbol = run.arithmetic.source.fresh(f"gridDim.{letter}", Level.BLOCK, SymbolKind.GRID, 1, most)
            grid = Integer(pl.of_symbol(symbol))
            run.parameters.append(symbol)
        run.env[grid_variable(BuiltinKind.GRID_DIM, axis)] = grid
        block = run.arithmetic.source.fresh(f"blockIdx.{letter}", Level.BLOCK, SymbolKind.GRID, 0, most - 1)
        if given is None:
            run.trip_uppers[block] = ex.subtract(ex.symbol(f"gridDim.{letter}"), ex.integer(1))
        index = Integer(pl.ZERO) if most == 1 else Integer(pl.of_symbol(block))
        run.env[grid_variable(BuiltinKind.BLOCK_IDX, axis)] = index


def _parameter(run: Run, variable: Variable, least: int = 0) -> Value:
    """A parameter's value: given by the user, or a symbol; integers are assumed to be at least `least`."""
    type_ = variable.type
    if isinstance(type_, PointerType):
        run.assume_that("pointers passed to the kernel are 256-byte aligned and do not alias")
        return Integer(pl.of_symbol(parameter_base(run, variable.name, variable.id)))
    if not is_integral(type_):
        return Other(Level.BLOCK)
    if variable.name in run.settings.values:
        return run.arithmetic.constant(run.settings.values[variable.name], type_)
    _, high = integer_range(type_)
    if isinstance(type_, ScalarType) and type_.signed and type_.kind is ScalarKind.INT:
        run.assume_that("integer parameters are not negative, and signed arithmetic does not overflow")
    symbol = run.arithmetic.source.fresh(variable.name, Level.BLOCK, SymbolKind.PARAMETER, least, high)
    run.parameters.append(symbol)
    return Integer(pl.of_symbol(symbol))
