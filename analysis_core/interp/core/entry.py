"""The values with which a kernel begins: the grid's and the parameters', as far as launch and assumptions tell.

    stated  (--set, //@ launch grid, //@ assume)  ->  constraints  ->  ranges, definitions, relations  ->  values

A parameter that is known to be one number is that number; one that is defined by others (`wB == wA`) has their
polynomial; every other one is a symbol with the range and residue class that are known of it.  What is known of several
symbols together goes to `Arithmetic.relations`.  Without anything stated each integer parameter is just a symbol that
is not negative.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from analysis_core.domains import polynomial as pl
from analysis_core.domains.constraints import Constraint, Range, Relation, Solution, System, add, extent, solve, start
from analysis_core.domains.polynomial import Monomial, Poly
from analysis_core.domains.relations import Relations, rewrite
from analysis_core.domains.symbol import Level, Symbol, SymbolKind, SymbolSource
from analysis_core.domains.thread_value import Integer, Other, Value, integer_range, is_integral
from analysis_core.expressions import expression as ex
from analysis_core.expressions.expression import Expression
from analysis_core.interp.core import assumptions
from analysis_core.interp.core.assumptions import Stated
from analysis_core.interp.core.state import LoopLimit, Run
from analysis_core.interp.core.term_expressions import expression_of, expression_of_poly
from analysis_core.interp.core.transfer import MOST_THREADS, grid_variable, parameter_base
from analysis_core.ir.nodes import BuiltinKind, Variable
from analysis_core.ir.stated import GridValue, ParameterValue, StatedName
from analysis_core.ir.types import PointerType, ScalarKind, ScalarType
from analysis_core.program.launch import Launch
from analysis_core.support.facts import ALIGNED, NOT_NEGATIVE
from analysis_core.syntax.read.annotation_tree import LARGEST, Misstatement

_MOST_BLOCKS_YZ = 65535  # CUDA programming guide, technical specifications: gridDim.y and gridDim.z


def enter(run: Run, launch: Launch) -> None:
    """Gives the grid and every parameter its value, and notes what is assumed."""
    stated = _stated(run, launch)
    solution = solve(stated.system, _ranks(stated))
    values: dict[Monomial, Poly] = {}
    _set_grid(run, launch, stated, solution, values)
    for variable in _parameters(run):
        run.env[variable.id] = _parameter(run, launch, variable, stated, solution, values)
    _define(run, stated, solution, values)
    _bound_grid(run, launch, stated)
    _bound_blocks(run, launch, stated)
    _bound_loops(run, stated)
    run.extents = _extents(run)
    for assumption in stated.accepted:
        run.assume_that(assumption.text, assumption.span)
    run.rejected.extend(stated.rejected)


def _parameters(run: Run) -> list[Variable]:
    """Those of the kernel in order, then the constants that are not visible here."""
    own = [run.kernel.variables[number] for number in run.kernel.parameters]
    return own + [v for v in run.kernel.variables if v.parameter and v.id not in run.kernel.parameters]


# --- 1. what is stated --------------------------------------------------------------------------------------------


def _stated(run: Run, launch: Launch) -> Stated:
    """All that is stated about the kernel, as a system of constraints on provisional symbols."""
    source = SymbolSource()
    symbols: dict[StatedName, Symbol] = {}
    ranges: dict[Symbol, Range] = {}
    constants: dict[StatedName, int] = {}
    for axis, letter in enumerate("xyz"):
        constants[GridValue(BuiltinKind.BLOCK_DIM, axis)] = launch.block[axis]
        given = launch.grid[axis]
        most = given if given is not None else _most_blocks(launch, axis)
        grid = _provisional(source, f"gridDim.{letter}", Range(most if given is not None else 1, most), ranges)
        here = Range(0, most - 1) if run.block_at is None else Range(run.block_at[axis], run.block_at[axis])
        block = _provisional(source, f"blockIdx.{letter}", here, ranges)
        symbols[GridValue(BuiltinKind.GRID_DIM, axis)] = grid
        symbols[GridValue(BuiltinKind.BLOCK_IDX, axis)] = block
    for variable in _parameters(run):
        if is_integral(variable.type) and not isinstance(variable.type, PointerType):
            range_ = _range_of(run, variable)
            symbols[ParameterValue(variable.id)] = _provisional(source, variable.name, range_, ranges)
    names = dict(run.kernel.annotations.names)
    stated = Stated(names, symbols, constants, _with_grid(start(ranges), launch, symbols, names), source)
    for axis, term in enumerate(launch.stated_grid):
        if launch.grid[axis] is None:
            assumptions.equate(stated, symbols[GridValue(BuiltinKind.GRID_DIM, axis)], term)
    for assumption in run.kernel.annotations.assumptions:
        assumptions.state(stated, assumption.condition, assumption.text, assumption.span, assumption.required)
    return stated


def _provisional(source: SymbolSource, name: str, range_: Range, ranges: dict[Symbol, Range]) -> Symbol:
    symbol = source.fresh(name, Level.BLOCK, SymbolKind.PARAMETER)
    ranges[symbol] = range_
    return symbol


def _most_blocks(launch: Launch, axis: int) -> int:
    return MOST_THREADS // launch.block[0] if axis == 0 else _MOST_BLOCKS_YZ


def _range_of(run: Run, variable: Variable) -> Range:
    """The values of a parameter before anything is stated but `--set`: those of its type, and not negative; a constant
    that is not visible is at least 1."""
    given = run.settings.values.get(variable.name)
    if given is not None:
        value = run.arithmetic.constant(given, variable.type).poly.constant
        if isinstance(value, int) and abs(value) < LARGEST:
            return Range(value, value)
    _, high = integer_range(variable.type)
    return Range(0 if variable.id in run.kernel.parameters else 1, high)


def _with_grid(
    system: System, launch: Launch, symbols: Mapping[StatedName, Symbol], names: Mapping[str, StatedName]
) -> System:
    """blockIdx < gridDim, said only where something is stated about the grid: it would be consulted in vain."""
    if not launch.stated_grid and not any(isinstance(value, GridValue) for value in names.values()):
        return system
    constraints = []
    for axis, given in enumerate(launch.grid):
        if given is not None:
            continue  # the range of blockIdx says it
        grid = pl.of_symbol(symbols[GridValue(BuiltinKind.GRID_DIM, axis)])
        block = pl.of_symbol(symbols[GridValue(BuiltinKind.BLOCK_IDX, axis)])
        below = pl.subtract(pl.subtract(grid, block), pl.constant(1))
        constraints.append(Constraint(Relation.AT_LEAST_ZERO, below))
    return add(system, tuple(constraints)) or system


def _ranks(stated: Stated) -> dict[Symbol, int]:
    """Equations define auxiliary symbols first, then the grid's extents, then parameters (the later by the earlier);
    blockIdx is never defined by others."""
    ranks = dict.fromkeys(stated.auxiliary.values(), 2)
    for name, symbol in stated.symbols.items():
        match name:
            case ParameterValue():
                ranks[symbol] = 0
            case GridValue(kind=BuiltinKind.GRID_DIM):
                ranks[symbol] = 1
            case _:
                pass
    return ranks


# --- 2. values ----------------------------------------------------------------------------------------------------


def _set_grid(run: Run, launch: Launch, stated: Stated, solution: Solution, values: dict[Monomial, Poly]) -> None:
    """blockIdx and gridDim: numbers where the launch says so, else symbols within the hardware's limits.

    An extent that is defined by parameters gets its value when these have theirs (`_define`)."""
    for axis, letter in enumerate("xyz"):
        grid = stated.symbols[GridValue(BuiltinKind.GRID_DIM, axis)]
        block = stated.symbols[GridValue(BuiltinKind.BLOCK_IDX, axis)]
        range_ = stated.system.ranges[grid]
        if grid in solution.defined and range_.low != range_.high:
            upper = None
        elif range_.low == range_.high:
            assert isinstance(range_.low, int)
            values[(grid,)] = pl.constant(range_.low)
            upper = None
        else:
            symbol = _symbol(run, f"gridDim.{letter}", SymbolKind.GRID, range_)
            run.parameters.append(symbol)
            values[(grid,)] = pl.of_symbol(symbol)
            upper = ex.subtract(ex.symbol(f"gridDim.{letter}"), ex.integer(1))
        if (grid,) in values:
            run.env[grid_variable(BuiltinKind.GRID_DIM, axis)] = Integer(values[(grid,)])
        own = stated.system.ranges[block]
        index = _symbol(run, f"blockIdx.{letter}", SymbolKind.GRID, own)
        if upper is not None:
            run.trip_uppers[index] = upper
        number = own.low if own.low == own.high else None
        values[(block,)] = pl.constant(number) if isinstance(number, int) else pl.of_symbol(index)
        run.env[grid_variable(BuiltinKind.BLOCK_IDX, axis)] = Integer(values[(block,)])


def _symbol(run: Run, name: str, kind: SymbolKind, range_: Range) -> Symbol:
    low, high = (end if isinstance(end, int) else None for end in (range_.low, range_.high))
    return run.arithmetic.source.fresh(name, Level.BLOCK, kind, low, high, range_.modulus, range_.residue)


def _parameter(
    run: Run, launch: Launch, variable: Variable, stated: Stated, solution: Solution, values: dict[Monomial, Poly]
) -> Value:
    """A parameter's value; for one that is defined by others a placeholder until these have theirs."""
    type_ = variable.type
    if isinstance(type_, PointerType):
        return _pointer(run, launch, variable)
    if not is_integral(type_):
        return Other(Level.BLOCK)
    provisional = stated.symbols[ParameterValue(variable.id)]
    if variable.name in run.settings.values:
        value = run.arithmetic.constant(run.settings.values[variable.name], type_)
        if value.exact:
            values[(provisional,)] = value.poly
        return value
    if isinstance(type_, ScalarType) and type_.signed and type_.kind is ScalarKind.INT:
        run.assume_that(NOT_NEGATIVE)
    range_ = stated.system.ranges[provisional]
    if range_.low == range_.high and isinstance(range_.low, int) and abs(range_.low) < LARGEST:
        values[(provisional,)] = pl.constant(range_.low)
    elif provisional not in solution.defined:
        symbol = _symbol(run, variable.name, SymbolKind.PARAMETER, range_)
        run.parameters.append(symbol)
        values[(provisional,)] = pl.of_symbol(symbol)
    return Integer(values.get((provisional,), pl.ZERO))


def _pointer(run: Run, launch: Launch, variable: Variable) -> Value:
    """The address that a pointer parameter holds: aligned as stated, else as the launch passes it, else as the
    allocator does."""
    stated = next((a for a in run.kernel.annotations.alignments if a.var == variable.id), None)
    passed = dict(launch.arguments.aligned).get(variable.name)
    if stated is not None:
        run.assume_that("pointers passed to the kernel do not alias")
        run.assume_that(stated.text, stated.span)
        aligned = stated.bytes
    elif passed is not None:
        run.assume_that("pointers passed to the kernel do not alias")
        run.assume_that(f"`{variable.name}` is {passed}-byte aligned, as it is passed here", launch.span)
        aligned = passed
    else:
        run.assume_that(ALIGNED)
        return Integer(pl.of_symbol(parameter_base(run, variable.name, variable.id)))
    return Integer(pl.of_symbol(parameter_base(run, variable.name, variable.id, aligned)))


def _define(run: Run, stated: Stated, solution: Solution, values: dict[Monomial, Poly]) -> None:
    """The values of what is defined by others, and the relations, over the symbols that were made."""
    for symbol, range_ in solution.ranges.items():
        if (symbol,) not in values:  # an auxiliary one that no equation removed
            values[(symbol,)] = pl.of_symbol(_symbol(run, "(auxiliary)", SymbolKind.UNKNOWN, range_))
    for symbol, poly in solution.defined.items():
        values.setdefault((symbol,), rewrite(poly, values))
    for name, symbol in stated.symbols.items():
        if symbol not in solution.defined:
            continue
        match name:
            case ParameterValue(var=var) if run.kernel.variables[var].name not in run.settings.values:
                run.env[var] = Integer(values[(symbol,)])
            case GridValue(kind=BuiltinKind.GRID_DIM as kind, axis=axis):
                run.env[grid_variable(kind, axis)] = Integer(values[(symbol,)])
            case _:
                pass
    relations = solution.relations
    run.arithmetic.relations = Relations(
        tuple(_rewritten(relations.nonnegative, values)), tuple(_rewritten(relations.nonzero, values))
    )


def _rewritten(polys: Iterable[Poly], values: dict[Monomial, Poly]) -> Iterable[Poly]:
    for poly in polys:
        result = rewrite(poly, values)
        if not result.is_constant:
            yield result


# --- 3. stated terms as expressions -------------------------------------------------------------------------------


def _named(run: Run, stated: Stated, name: str) -> Expression | None:
    """What a name in an annotation is worth, over parameters and the grid."""
    meaning = stated.names[name]
    match meaning:
        case int():
            return ex.integer(meaning)
        case ParameterValue(var=var):
            value = run.env.get(var)
            return expression_of_poly(value.poly) if isinstance(value, Integer) and value.exact else None
        case GridValue(kind=BuiltinKind.BLOCK_DIM):
            return ex.integer(stated.constants[meaning])
        case GridValue():
            value = run.env.get(grid_variable(meaning.kind, meaning.axis))
            return expression_of_poly(value.poly) if isinstance(value, Integer) else None


def _extents(run: Run) -> tuple[int | None, int | None, int | None]:
    """The extents of the grid that are numbers."""

    def number(axis: int) -> int | None:
        value = run.env.get(grid_variable(BuiltinKind.GRID_DIM, axis))
        constant = value.poly.constant if isinstance(value, Integer) and value.poly.is_constant else None
        return constant if isinstance(constant, int) else None

    return number(0), number(1), number(2)


def _bound_grid(run: Run, launch: Launch, stated: Stated) -> None:
    """The extents of the grid as expressions, and the last block of an axis: ceil(n / 16) - 1 says more than
    gridDim.x - 1."""
    extents: list[Expression | None] = []
    for axis, given in enumerate(launch.grid):
        extents.append(None if given is None else ex.integer(given))
        if given is not None or not launch.stated_grid:
            continue
        term = launch.stated_grid[axis]
        if any(term.span.encloses(wrong.span) for wrong in stated.rejected):
            continue
        extents[axis] = shown = expression_of(term, lambda name: _named(run, stated, name))
        index = run.env[grid_variable(BuiltinKind.BLOCK_IDX, axis)]
        if shown is not None and isinstance(index, Integer):
            for symbol in index.poly.symbols():
                run.trip_uppers[symbol] = ex.subtract(shown, ex.integer(1))
    known = tuple(extent for extent in extents if extent is not None)
    run.grid = known if len(known) == len(extents) else None


def _bound_blocks(run: Run, launch: Launch, stated: Stated) -> None:
    """The last block of an axis where something is stated of blockIdx itself: `blockIdx.x < 4`, `blockIdx.y < rows`."""
    named = {v.axis for v in stated.names.values() if isinstance(v, GridValue) and v.kind is BuiltinKind.BLOCK_IDX}
    for axis in sorted(named):
        index = run.env[grid_variable(BuiltinKind.BLOCK_IDX, axis)]
        symbol = next(iter(index.poly.symbols()), None) if isinstance(index, Integer) else None
        if symbol is None:
            continue
        ends = [run.trip_uppers.get(symbol)]
        if symbol.high is not None and symbol.high < _most_blocks(launch, axis) - 1:
            ends.append(ex.integer(symbol.high))
        for relation in run.arithmetic.relations.nonnegative:
            if relation.terms.get((symbol,)) == -1:
                ends.append(expression_of_poly(pl.add(relation, pl.of_symbol(symbol))))
        known = [end for end in ends if end is not None]
        if known:
            run.trip_uppers[symbol] = ex.minimum(*known)


def _bound_loops(run: Run, stated: Stated) -> None:
    """The stated bounds of loops: numbers that no bound exceeds, and expressions over parameters and the grid."""
    for limit in run.kernel.annotations.loop_bounds:
        found = assumptions.bound_of(stated, limit.bound)
        shown = expression_of(limit.bound, lambda name: _named(run, stated, name))
        if found is None:
            continue
        if shown is None:
            stated.rejected.append(Misstatement("the analysis cannot count by this", limit.bound.span))
            continue
        least, most = extent(*found)
        number = most if isinstance(most, int) else None
        shown = shown if least >= 0 else ex.maximum(ex.ZERO, shown)
        run.loop_limits[limit.loop] = LoopLimit(number, shown, limit.text, limit.span)
