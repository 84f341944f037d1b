"""Transfer functions of expressions: IR expression -> abstract value or condition, under the present environment.

Expressions are pure, so they are folded from the leaves up without regard to the mask; a lane whose value would be
undefined (a division by zero on an inactive side) gets some value, which nobody uses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

import numpy as np

from analysis_core.domains import condition as cond
from analysis_core.domains import polynomial as pl
from analysis_core.domains.alike_lanes import alike_values
from analysis_core.domains.condition import Condition
from analysis_core.domains.derivation import Derivation
from analysis_core.domains.own_data import are_near, makes_own
from analysis_core.domains.polynomial import Poly
from analysis_core.domains.symbol import Level, Symbol, SymbolKind
from analysis_core.domains.thread_value import (
    Integer,
    Other,
    Value,
    first_origin,
    integer_range,
    is_integral,
    is_signed,
    lane_bounds,
    level_of,
    settle,
    why_lost,
    width,
)
from analysis_core.interp.core.bit_functions import of_known
from analysis_core.interp.core.null_arms import without_null_arms
from analysis_core.interp.core.roots import Root, object_root
from analysis_core.interp.core.state import Cell, Program, Run
from analysis_core.ir.layout import align_of, shared_alignment, size_of
from analysis_core.ir.nodes import (
    AddressOf,
    Binary,
    Builtin,
    BuiltinKind,
    Cast,
    Const,
    Expr,
    Intrinsic,
    Local,
    MemoryObject,
    ObjectId,
    PtrAdd,
    Select,
    Unary,
    UnknownExpr,
)
from analysis_core.ir.types import ULONG, PointerType, ScalarKind, ScalarType, Space, Type
from analysis_core.ir.walk import children
from analysis_core.support.facts import (
    FIT_TYPES,
    INSIDE_POINTERS,
    NO_OVERFLOW,
    NOT_NEGATIVE,
    SMALL_LAUNCH,
    Cause,
    CauseKind,
)

_COMPARISONS = frozenset(("<", "<=", ">", ">=", "==", "!="))
MOST_THREADS = (1 << 31) - 1
"""Along x, so that blockIdx.x * blockDim.x + threadIdx.x is an int."""

_ALIGNED_BASE = 256  # bytes: what the allocator returns (docs/hardware.md)


def evaluate(run: Run, expr: Expr) -> Value:
    """The value of the expression for all threads.

    The expression is flattened to postfix order once and kept for the run, since loops evaluate it again and again. A
    result is remembered for the same values of its variables, unless a fresh symbol was drawn for it."""
    if type(expr) is Local:
        return read_variable(run, expr)
    program = run.programs.get(id(expr))
    if program is None:
        program = run.programs[id(expr)] = _postfix(expr)
    values = [run.env.get(var) for var in program.variables]
    key = (id(program), *map(id, values))
    known = run.applied.get(key)
    if known is not None and None not in values:
        return known[0]
    before = run.arithmetic.source.count
    value = _evaluated(run, program)
    if run.arithmetic.source.count == before and None not in values:
        run.keep(key, value, values)
    return value


def _evaluated(run: Run, program: Program) -> Value:
    stack: list[Value] = []
    for node, count, known in program.nodes:
        if known is not None:
            stack.append(known)
        elif type(node) is Local:
            stack.append(read_variable(run, node))
        else:
            args = stack[len(stack) - count :]
            del stack[len(stack) - count :]
            stack.append(_applied(run, node, args))
    return stack[0]


def _applied(run: Run, node: Expr, args: list[Value]) -> Value:
    """The value of a node, that of the last time if its operands are the same objects: parts of an expression do not change
    in a loop that the whole changes in."""
    key = (id(node), *map(id, args))
    known = run.applied.get(key)
    if known is not None:
        return known[0]
    before = run.arithmetic.source.count
    value = _combine(run, node, args)
    if run.arithmetic.source.count == before:
        run.keep(key, value, args)
    return value


def _postfix(expr: Expr) -> Program:
    """The program of an expression; no recursion, whatever the depth."""
    ordered: list[tuple[Expr, int, Value | None]] = []
    pending = [expr]
    while pending:
        node = pending.pop()
        operands = children(node)
        ordered.append((node, len(operands), _constant(node) if isinstance(node, Const) else None))
        pending.extend(operands)
    ordered.reverse()
    return Program(tuple(ordered), tuple({node.var: None for node, _, _ in ordered if isinstance(node, Local)}))


def evaluate_condition(run: Run, expr: Expr) -> Condition:
    """C's truth of the expression for all threads."""
    return run.arithmetic.test(evaluate(run, expr), expr.type)


def evaluate_address(run: Run, expr: Expr) -> Integer:
    """The value of a pointer expression by which memory is accessed; a non-integer stands for an unknown address."""
    value = evaluate(run, expr)
    if isinstance(value, Integer):
        poly = without_null_arms(value.poly)
        return value if poly is value.poly else Integer(poly, value.bits, None, value.origin)
    cause = value.cause or Cause(CauseKind.ANALYSIS, "an address that is not an integer expression", value.origin)
    unknown = run.arithmetic.unknown(value.level, ULONG, cause)
    assert isinstance(unknown, Integer)
    return unknown


def _combine(run: Run, node: Expr, args: Sequence[Value]) -> Value:
    match node:
        case Binary():
            return _binary(run, node, args[0], args[1])
        case Cast():
            return _converted(run, args[0], node.operand.type, node.type)
        case PtrAdd():
            return _pointer_add(run, node, args)
        case Unary():
            return _unary(run, node, args[0])
        case Select():
            chosen = run.arithmetic.test(args[0], node.condition.type)
            return run.arithmetic.blend(chosen, args[1], args[2], node.type)
        case Intrinsic():
            return _intrinsic(run, node, args)
        case Local():
            return read_variable(run, node)
        case Const():
            return _constant(node)
        case Builtin():
            return _builtin(run, node)
        case AddressOf():
            return Integer(pl.of_symbol(_object_base(run, node)))
        case UnknownExpr():
            return run.arithmetic.unknown(Level.LANE, node.type, node.cause)
        case _:
            assert_never(node)


def _constant(node: Const) -> Value:
    if isinstance(node.value, int) and is_integral(node.type):
        return settle(pl.constant(int(node.value)), None, node.type)
    return Other(Level.BLOCK)


def read_variable(run: Run, node: Local) -> Value:
    """The variable's value; one that was never assigned holds anything."""
    value = run.env.get(node.var)
    if value is not None:
        return value
    variable = run.kernel.variables[node.var]
    cause = Cause(CauseKind.ANALYSIS, f"`{variable.name}` is read before it is assigned", variable.span)
    value = run.arithmetic.unknown(Level.LANE, variable.type, cause)
    run.env[node.var] = value
    return value


def _builtin(run: Run, node: Builtin) -> Value:
    shape = run.arithmetic.shape
    match node.kind:
        case BuiltinKind.THREAD_IDX:
            return Integer(pl.constant(shape.thread[node.axis]))
        case BuiltinKind.BLOCK_DIM:
            return Integer(pl.constant(shape.dims[node.axis]))
        case BuiltinKind.BLOCK_IDX | BuiltinKind.GRID_DIM:
            value = run.env[grid_variable(node.kind, node.axis)]
            if node.axis == 0 and _is_limited(run, value):
                run.assume_that(SMALL_LAUNCH)
            return value
        case _:
            assert_never(node.kind)


def _is_limited(run: Run, value: Value) -> bool:
    """Whether nothing but the number of threads along x, which has to be an int, limits the blocks along x below the hardware's 2^31 - 1."""
    width = run.arithmetic.shape.dims[0]
    if width == 1 or not isinstance(value, Integer):
        return False
    most = MOST_THREADS // width
    return any(s.high in (most, most - 1) for s in value.poly.symbols())


def _ring(run: Run, op: str, a: Integer, b: Integer, type_: Type) -> Value:
    """A sum, difference or product.  Where a signed one may leave its type, it is taken not to, which is listed once."""
    value = run.arithmetic.ring(op, a, b, type_)
    if (
        isinstance(value, Integer)
        and value.exact
        and NO_OVERFLOW not in run.assumptions
        and NOT_NEGATIVE not in run.assumptions
    ):
        if isinstance(type_, ScalarType) and is_signed(type_):
            (low, high), (least, most) = pl.total_bounds(value.poly), integer_range(type_)
            if low < least or high > most:
                run.assume_that(NO_OVERFLOW)
    return value


def grid_variable(kind: BuiltinKind, axis: int) -> Cell:
    """The environment's key of blockIdx / gridDim: no object has a negative number."""
    return (ObjectId(-1 if kind is BuiltinKind.BLOCK_IDX else -2), axis, None)


def _unary(run: Run, node: Unary, operand: Value) -> Value:
    if node.op == "!":
        return run.arithmetic.truth(cond.negate(run.arithmetic.test(operand, node.operand.type)))
    if isinstance(operand, Other) or not is_integral(node.type):
        own, alike = run.arithmetic.is_own_data(operand), alike_values((operand,))
        near = are_near((operand,), run.arithmetic.derivations)
        return Other(level_of(operand), _data(operand), _cause(operand), operand.origin, own, alike, near)
    if node.op == "-":
        return _ring(run, "-", Integer(pl.ZERO), operand, node.type)
    # ~x = -x - 1 in two's complement
    minus_one = Integer(pl.constant(-1))
    flipped = pl.subtract(minus_one.poly, operand.poly)
    return settle(flipped, operand.bits, node.type, operand.origin)


def _binary(run: Run, node: Binary, a: Value, b: Value) -> Value:
    arithmetic = run.arithmetic
    if node.op in _COMPARISONS:
        return arithmetic.truth(arithmetic.compare(node.op, a, b, node.left.type))
    if node.op in ("&&", "||"):
        connect = cond.conjunction if node.op == "&&" else cond.disjunction
        return arithmetic.truth(connect(arithmetic.test(a, node.left.type), arithmetic.test(b, node.right.type)))
    if isinstance(a, Other) or isinstance(b, Other) or not is_integral(node.type):
        return _mixed(run, node, a, b)
    if isinstance(node.left.type, PointerType) and isinstance(node.right.type, PointerType):
        return _pointer_difference(run, node, a, b)
    if node.op in ("+", "-", "*"):
        return _ring(run, node.op, a, b, node.type)
    if node.op in ("/", "%"):
        return arithmetic.divide(node.op, a, b, node.type)
    if node.op in ("<<", ">>"):
        return arithmetic.shift(node.op, a, b, node.type)
    truths = a.condition is not None and b.condition is not None
    if truths or (isinstance(node.type, ScalarType) and node.type.kind is ScalarKind.BOOL):
        return _bool_bits(run, node, a, b)
    return arithmetic.bitwise(node.op, a, b, node.type)


def _bool_bits(run: Run, node: Binary, a: Integer, b: Integer) -> Value:
    """& and | of two truth values are conjunction and disjunction, whatever they are promoted to; ^ is left to the bits."""
    ca, cb = run.arithmetic.test(a, node.left.type), run.arithmetic.test(b, node.right.type)
    if node.op == "&":
        return run.arithmetic.truth(cond.conjunction(ca, cb))
    if node.op == "|":
        return run.arithmetic.truth(cond.disjunction(ca, cb))
    return run.arithmetic.bitwise(node.op, a, b, node.type)


def _mixed(run: Run, node: Binary, a: Value, b: Value) -> Value:
    """Floating point: nothing but the level is kept."""
    level = Level(max(level_of(a), level_of(b)))
    data, cause = _data(a) or _data(b), _cause(a) or _cause(b)
    own = makes_own((a, b), run.arithmetic.derivations)
    near = are_near((a, b), run.arithmetic.derivations)
    result = Other(level, data, cause, first_origin(a, b), own, alike_values((a, b)), near)
    if not is_integral(node.type):
        return result
    return run.arithmetic.unknown(level, node.type, why_lost(result, "computed from a floating-point value"))


def _pointer_difference(run: Run, node: Binary, a: Integer, b: Integer) -> Value:
    """p - q in elements: exact where the bytes are a multiple of the element entry by entry."""
    size = _element_size(node.left.type)
    bytes_apart = Integer(pl.subtract(a.poly, b.poly), None, None, first_origin(a, b))
    if node.op != "-" or size is None or not (a.exact and b.exact):
        cause = Cause(CauseKind.ANALYSIS, "arithmetic on pointers", first_origin(a, b))
        return run.arithmetic.unknown(Level(max(level_of(a), level_of(b))), node.type, cause)
    exactly = pl.map_coefficients(bytes_apart.poly, lambda c: c % size)
    if not exactly.terms:
        return Integer(pl.map_coefficients(bytes_apart.poly, lambda c: c // size), None, None, bytes_apart.origin)
    return run.arithmetic.divide("/", bytes_apart, Integer(pl.constant(size)), node.type)


def _converted(run: Run, value: Value, source: Type, target: Type) -> Value:
    """A conversion.  Where threads of the grid are numbered by unsigned values and the number becomes an int (`int i = 4 * (blockIdx.x *
    blockDim.x + threadIdx.x)`), it is taken to fit, as that of a signed product is: else programs would count on negative numbers."""
    found = run.arithmetic.convert(value, source, target)
    if not isinstance(found, Integer) or found.exact or not isinstance(value, Integer) or not is_integral(source):
        return found
    wider = width(target) > width(source) or (is_signed(target) and width(target) == width(source))
    if wider and value.bits == width(source) and _numbers_threads(value.poly):
        run.assume_that(FIT_TYPES)
        return Integer(value.poly, None, None, value.origin)
    return found


def _numbers_threads(poly: Poly) -> bool:
    """Whether it is a sum of what tells blocks and threads, without anything that is taken away."""
    if not any(m for m in poly.terms) or not all(s.kind is SymbolKind.GRID for m in poly.terms for s in m):
        return False
    return all(c >= 0 if isinstance(c, int) else c.min() >= 0 for c in poly.terms.values())


def _element_size(type_: Type) -> int | None:
    return size_of(type_.target) if isinstance(type_, PointerType) else None


def _pointer_add(run: Run, node: PtrAdd, args: Sequence[Value]) -> Value:
    """pointer + index * scale + offset, in bytes modulo 2^64."""
    pointer, index, scale = args
    if isinstance(pointer, Other) or isinstance(index, Other) or isinstance(scale, Other):
        level = Level(max(level_of(v) for v in args))
        cause = (
            _cause(index) or _cause(pointer) or Cause(CauseKind.ANALYSIS, "an address computed from no integer", None)
        )
        return run.arithmetic.unknown(level, node.type, cause)
    offset = pl.add(pl.multiply(index.poly, scale.poly), pl.constant(node.offset))
    total = pl.add(pointer.poly, offset)
    # An index that is right modulo 2^b makes a distance that is right modulo 2^b times the power of two in the scale.
    size = scale.poly.constant if scale.exact and scale.poly.is_constant else None
    gained = (size & -size).bit_length() - 1 if isinstance(size, int) and size > 0 else 0
    known = (pointer.bits, scale.bits, None if index.bits is None else min(64, index.bits + gained))
    bits = min((b for b in known if b is not None), default=None)
    if bits is not None:
        run.assume_that(INSIDE_POINTERS)
    return run.arithmetic.shorten(Integer(total, bits, None, first_origin(index, pointer, scale)), node.type)


def _object_base(run: Run, node: AddressOf) -> Symbol:
    found = run.kernel.objects[node.object]
    root: Root = object_root(node.object)
    symbol = run.arithmetic.recall(
        ("base", root),
        lambda: run.arithmetic.source.fresh(
            f"&{found.name}", Level.BLOCK, SymbolKind.BASE, 0, None, _alignment(run, found)
        ),
    )
    run.bases[symbol] = root
    return symbol


def _alignment(run: Run, found: MemoryObject) -> int:
    """Bytes that the address is a multiple of.  The linker puts objects of a module behind each other, and promises no more of
    `__device__` memory than what their types and declarations ask for."""
    if found.space is Space.SHARED:
        return shared_alignment(found.type, (o.type for o in run.kernel.objects if o.space is Space.SHARED))
    return max(align_of(found.type), found.align)


def parameter_base(run: Run, name: str, root: Root, alignment: int = _ALIGNED_BASE) -> Symbol:
    """The address that a pointer parameter holds: 256-byte aligned unless something else is stated (both are listed)."""
    symbol = run.arithmetic.source.fresh(f"&{name}", Level.BLOCK, SymbolKind.BASE, 0, None, alignment)
    run.bases[symbol] = root
    return symbol


# --- intrinsics -------------------------------------------------------------------------------------------------


def _intrinsic(run: Run, node: Intrinsic, args: Sequence[Value]) -> Value:
    integers = [a for a in args if isinstance(a, Integer)]
    if is_integral(node.type) and len(integers) == len(args):
        found = of_known(node, integers, run.arithmetic.shape)
        if found is not None:
            return found
        match node.name, len(args):
            case (("min" | "max"), 2):
                return run.arithmetic.extreme(node.name, integers[0], integers[1], node.type)
            case "abs", 1:
                return _absolute(run, node, integers[0])
            case (("mul24" | "umul24"), 2):
                if not all(_fits24(a, node.type) for a in integers):
                    run.assume_that("operands of __mul24 fit into 24 bits")
                return run.arithmetic.ring("*", integers[0], integers[1], node.type)
            case (("popc" | "clz" | "ffs"), 1):
                return _counted(run, node, integers[0])
            case _:
                pass
    level = Level(max((level_of(a) for a in args), default=Level.BLOCK))
    data = any(_data(a) for a in args)
    cause = next((c for c in map(_cause, args) if c is not None), None)
    own = makes_own(args, run.arithmetic.derivations)
    near = are_near(args, run.arithmetic.derivations)
    result = Other(level, data, cause, first_origin(*args), own, alike_values(args), near)
    if not is_integral(node.type):
        return result
    return run.arithmetic.unknown(level, node.type, why_lost(result, f"`{node.name}` is not followed"))


def _fits24(value: Integer, type_: Type) -> bool:
    """Whether the value is unchanged by taking its low 24 bits, as __mul24 does (programming guide, intrinsics)."""
    low, high = (np.asarray(end) for end in lane_bounds(value, type_))
    return bool(low.min() >= -(1 << 23) and high.max() < 1 << 24)


def _absolute(run: Run, node: Intrinsic, a: Integer) -> Value:
    zero = Integer(pl.ZERO)
    minus = _ring(run, "-", zero, a, node.type)
    return run.arithmetic.blend(run.arithmetic.compare("<", a, zero, node.type), minus, a, node.type)


def _counted(run: Run, node: Intrinsic, a: Integer) -> Value:
    """A count of bits, as a symbol in [0, 64]."""
    size = getattr(node.args[0].type, "size", 8)
    cause = Cause(CauseKind.ANALYSIS, f"`{node.name}` of a value not known here", a.origin)
    low, high = pl.total_bounds(a.poly)
    most = 8 * size
    if node.name == "popc" and a.exact and low >= 0 and high < 1 << 53:
        most = min(most, int(high).bit_length())
    derivation = Derivation(node.name, (a,), node.args[0].type)
    symbol = run.arithmetic.recall(
        (node.name, run.arithmetic.identity(a, node.args[0].type), size),
        lambda: run.arithmetic.derived(node.name, level_of(a), derivation, 0, most, cause),
    )
    return Integer(pl.of_symbol(symbol), None, None, a.origin)


def _data(value: Value) -> bool:
    if isinstance(value, Other):
        return value.data
    return any(s.kind is SymbolKind.DATA for s in value.poly.symbols())


def _cause(value: Value) -> Cause | None:
    if isinstance(value, Other):
        return value.cause
    return next((s.cause for s in sorted(value.poly.symbols()) if s.cause is not None), None)
