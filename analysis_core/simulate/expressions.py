"""IR expressions as closures over a run's state.

`Compiler.expression` walks an expression once and returns a function of the machine and the active lanes; nothing is
interpreted by name while the kernel runs, and no code is generated.  An expression that cannot be executed becomes a
function that stops the run when some lane reaches it: what is never reached does no harm.

The right sides of `&&` and `||` and the arms of `?:` are computed for the lanes that evaluate them in C, and their steps
go to the warps of these lanes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import assert_never

import numpy as np

from analysis_core.ir.nodes import (
    ARRIVAL_TOKEN,
    AddressOf,
    Binary,
    Builtin,
    Cast,
    Const,
    Expr,
    Intrinsic,
    Kernel,
    Local,
    PtrAdd,
    Select,
    Unary,
    UnknownExpr,
    VarId,
)
from analysis_core.ir.type_names import spell
from analysis_core.ir.types import UINT, PointerType, ScalarKind, ScalarType
from analysis_core.simulate import arithmetic
from analysis_core.simulate.faults import FaultKind
from analysis_core.simulate.functions import library_function
from analysis_core.simulate.lanes import Lanes
from analysis_core.simulate.machine import Machine, Stopped
from analysis_core.simulate.memory import generic, region_of
from analysis_core.simulate.representation import (
    Representation,
    Unsupported,
    Vector,
    constant,
    converted,
    does_not_fit,
    representation,
    rounded_to_bfloat16,
)
from analysis_core.simulate.weights import Weighing
from analysis_core.support.facts import Cause, CauseKind
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

Evaluate = Callable[[Machine, Lanes], Vector]


@dataclass(frozen=True, slots=True)
class Compiler:
    """What the functions of this package need to know about the kernel; `overflow`: whether signed overflow is told."""

    kernel: Kernel
    weights: Weighing
    overflow: bool = False

    def expression(self, expr: Expr, span: Span) -> Evaluate:
        """The function that computes `expr`, which stands at `span`."""
        try:
            return self._made(expr, span)
        except Unsupported as why:
            return stopping(f"not simulated: {why}", span)

    def _made(self, expr: Expr, span: Span) -> Evaluate:
        match expr:
            case Const(value=value, type=type):
                fixed = constant(value, representation(type))
                return lambda m, lanes: fixed
            case Local(var=var):
                return self._variable(var, span)
            case Builtin(kind=kind, axis=axis):
                return lambda m, lanes: _of_lanes(m.builtin(kind, axis), lanes)
            case AddressOf(object=number):
                return lambda m, lanes: m.bases[number]
            case Unary():
                return self._unary(expr, span)
            case Binary(op="&&" | "||"):
                return self._logic(expr, span)
            case Binary():
                return self._binary(expr, span)
            case Cast():
                return self._cast(expr, span)
            case Select():
                return self._select(expr, span)
            case Intrinsic():
                return self._intrinsic(expr, span)
            case PtrAdd():
                return self._pointer(expr, span)
            case UnknownExpr(cause=cause, type=type) if cause.reason == ARRIVAL_TOKEN:
                return _token(representation(type))
            case UnknownExpr(cause=cause):
                return stopping(cause.reason, span, cause)
            case _:
                assert_never(expr)

    def _variable(self, var: VarId, span: Span) -> Evaluate:
        variable = self.kernel.variables[var]
        kept = representation(variable.type)

        def read(m: Machine, lanes: Lanes) -> Vector:
            missing = m.undefined(var, lanes)
            if missing is not None:
                m.fault(FaultKind.UNINITIALISED, span, lanes.numbers[missing], f"`{variable.name}` has no value yet")
            value = m.read(var, lanes)
            return kept.compute.type(0) if value is None else value

        return read

    def _unary(self, expr: Unary, span: Span) -> Evaluate:
        inner, kept = self.expression(expr.operand, span), representation(expr.type)
        match expr.op:
            case "!":
                return lambda m, lanes: np.equal(inner(m, lanes), 0)
            case "-":
                return lambda m, lanes: np.negative(converted(inner(m, lanes), kept))
            case "~":
                return lambda m, lanes: np.invert(converted(inner(m, lanes), kept))
            case "+":
                return inner
            case _:
                raise Unsupported(f"the operator `{expr.op}`")

    def _binary(self, expr: Binary, span: Span) -> Evaluate:
        left, right = self.expression(expr.left, span), self.expression(expr.right, span)
        operand = representation(expr.left.type)
        floating = operand.compute.kind == "f"
        if isinstance(expr.left.type, PointerType) and isinstance(expr.right.type, PointerType) and expr.op == "-":
            return _difference(left, right, _bytes_behind(expr.left.type), span)
        apply = arithmetic.operator(expr.op, floating)
        if expr.op in ("/", "%") and not floating:
            return _dividing(apply, left, right, span)
        if expr.op in ("<<", ">>"):
            return _shifting(apply, left, right, span)
        if representation(expr.right.type).compute != operand.compute:
            narrow = right
            right = lambda m, lanes: converted(narrow(m, lanes), operand)  # noqa: E731
        if self.overflow and expr.op in ("+", "-", "*") and operand.compute.kind == "i":
            return _watched(expr.op, apply, left, right, span)
        if operand.rounded and expr.op not in arithmetic.COMPARISONS:
            return lambda m, lanes: rounded_to_bfloat16(apply(left(m, lanes), right(m, lanes)))
        return lambda m, lanes: apply(left(m, lanes), right(m, lanes))

    def _cast(self, expr: Cast, span: Span) -> Evaluate:
        """A conversion; of a floating value that the integer type does not hold it is a fault, and saturates."""
        kept, inner = representation(expr.type), self.expression(expr.operand, span)
        if isinstance(expr.type, PointerType) and isinstance(expr.operand.type, ScalarType):
            narrow = representation(UINT if expr.operand.type.size == UINT.size else expr.operand.type)
            return lambda m, lanes: generic(converted(inner(m, lanes), narrow))
        if kept.compute.kind not in "iu" or representation(expr.operand.type).compute.kind != "f":
            return lambda m, lanes: converted(inner(m, lanes), kept)

        def evaluate(m: Machine, lanes: Lanes) -> Vector:
            value = inner(m, lanes)
            bad = does_not_fit(value, kept.compute)
            if np.any(bad):
                chosen = lanes.where(bad[()])
                first = float(lanes.spread(value)[np.flatnonzero(lanes.spread(bad[()]))[0]])
                text = f"{first:g} does not fit into `{spell(expr.type)}`"
                m.fault(FaultKind.CONVERSION, span, chosen.numbers, text)
            return converted(value, kept)

        return evaluate

    def _logic(self, expr: Binary, span: Span) -> Evaluate:
        left, right = self.expression(expr.left, span), self.expression(expr.right, span)
        weight, wanted = self.weights.of(expr.right), expr.op == "&&"

        def evaluate(m: Machine, lanes: Lanes) -> Vector:
            first = left(m, lanes)
            going = first if wanted else np.logical_not(first)
            further = lanes.where(going)
            if further.count == 0:
                return first
            m.step(weight, further)
            second = right(m, further)
            if further is lanes:
                return second
            result = lanes.spread(first).copy()
            result[going] = second
            return result

        return evaluate

    def _select(self, expr: Select, span: Span) -> Evaluate:
        condition = self.expression(expr.condition, expr.span)
        then, otherwise = self.expression(expr.then, span), self.expression(expr.otherwise, span)
        weights = self.weights.of(expr.then), self.weights.of(expr.otherwise)
        kept = representation(expr.type)

        def evaluate(m: Machine, lanes: Lanes) -> Vector:
            truth = condition(m, lanes)
            chosen, rest = lanes.where(truth), lanes.where(np.logical_not(truth))
            m.step(weights[0], chosen)
            m.step(weights[1], rest)
            if rest.count == 0:
                return then(m, chosen)
            if chosen.count == 0:
                return otherwise(m, rest)
            result = np.empty(lanes.count, dtype=kept.compute)
            result[truth] = then(m, chosen)
            result[~np.asarray(truth)] = otherwise(m, rest)
            return result

        return evaluate

    def _intrinsic(self, expr: Intrinsic, span: Span) -> Evaluate:
        args = [self.expression(arg, span) for arg in expr.args]
        kept = representation(expr.type)
        function = library_function(expr.name, [representation(arg.type) for arg in expr.args], kept)

        def evaluate(m: Machine, lanes: Lanes) -> Vector:
            return converted(function(*(arg(m, lanes) for arg in args)), kept)

        return evaluate

    def _pointer(self, expr: PtrAdd, span: Span) -> Evaluate:
        pointer, index = self.expression(expr.pointer, span), self.expression(expr.index, span)
        offset = np.int64(expr.offset)
        if isinstance(expr.scale, Const):
            factor = np.int64(int(expr.scale.value))
            if isinstance(expr.index, Const):
                fixed = np.int64(int(expr.index.value) * int(factor)) + offset
                return lambda m, lanes: np.add(pointer(m, lanes), fixed)
            if expr.offset == 0:
                return lambda m, lanes: pointer(m, lanes) + index(m, lanes).astype(np.int64) * factor
            return lambda m, lanes: pointer(m, lanes) + (index(m, lanes).astype(np.int64) * factor + offset)
        scale = self.expression(expr.scale, span)
        return lambda m, lanes: (
            pointer(m, lanes) + index(m, lanes).astype(np.int64) * scale(m, lanes).astype(np.int64) + offset
        )


_WHY: Mapping[CauseKind, str] = MappingProxyType(
    {
        CauseKind.READER: "the text was not understood",
        CauseKind.UNSUPPORTED: "outside of what is simulated",
        CauseKind.MISSING: "not visible from here",
        CauseKind.DATA: "the value is not known",
        CauseKind.ANALYSIS: "the value is not followed",
    }
)


def _token(kept: Representation) -> Evaluate:
    """Another number each time."""

    def token(m: Machine, lanes: Lanes) -> Vector:
        m.arrivals += 1
        return constant(m.arrivals, kept)

    return token


def stopping(reason: str, span: Span, cause: Cause | None = None) -> Evaluate:
    """A function that ends the run with this reason, when a lane comes to it."""
    text = reason if cause is None else f"{_WHY[cause.kind]}: {reason}"

    def stop(m: Machine, lanes: Lanes) -> Vector:
        raise Stopped(text, cause.span if cause is not None and cause.span is not None else span, cause)

    return stop


def _of_lanes(value: Vector, lanes: Lanes) -> Vector:
    return lanes.take(value) if isinstance(value, np.ndarray) else value


def _bytes_behind(type: PointerType) -> int:
    """Bytes of what a pointer points to; 1 for `void`, as compilers have it."""
    from analysis_core.ir.layout import size_of

    if isinstance(type.target, ScalarType) and type.target.kind is ScalarKind.VOID:
        return 1
    size = size_of(type.target)
    if size is None:
        raise Unsupported("the difference of pointers to something of unknown size")
    return max(1, size)


def _difference(left: Evaluate, right: Evaluate, size: int, span: Span) -> Evaluate:
    """Elements between two pointers; undefined in C++ unless they lead into one array."""
    by = np.int64(size)

    def evaluate(m: Machine, lanes: Lanes) -> Vector:
        a, b = left(m, lanes), right(m, lanes)
        apart = np.not_equal(region_of(a), region_of(b))
        if np.any(apart):
            text = "the pointers lead into different arrays"
            m.fault(FaultKind.FOREIGN_POINTER, span, lanes.where(apart).numbers, text)
        return arithmetic.quotient(np.subtract(a, b), by)

    return evaluate


def _dividing(apply: Callable[[Vector, Vector], Vector], left: Evaluate, right: Evaluate, span: Span) -> Evaluate:
    """Integer division; by zero it is a fault, and gives all ones as the hardware does."""

    def evaluate(m: Machine, lanes: Lanes) -> Vector:
        dividend, divisor = left(m, lanes), right(m, lanes)
        if divisor.dtype != dividend.dtype:
            divisor = divisor.astype(dividend.dtype)
        zero = np.equal(divisor, 0)
        if not np.any(zero):
            return apply(dividend, divisor)
        m.fault(FaultKind.DIVISION_BY_ZERO, span, lanes.where(zero).numbers, "the divisor is 0")
        safe = np.where(zero, divisor.dtype.type(1), divisor)
        return np.where(zero, np.invert(divisor.dtype.type(0)), apply(dividend, safe))

    return evaluate


def _watched(
    op: str, apply: Callable[[Vector, Vector], Vector], left: Evaluate, right: Evaluate, span: Span
) -> Evaluate:
    """Signed arithmetic whose overflow is a fault; the value wraps around."""

    def evaluate(m: Machine, lanes: Lanes) -> Vector:
        a, b = left(m, lanes), right(m, lanes)
        over = arithmetic.overflows(op, a, b)
        if np.any(over):
            text = f"the result of `{op}` does not fit into {8 * a.dtype.itemsize} bits"
            m.fault(FaultKind.SIGNED_OVERFLOW, span, lanes.where(over).numbers, text)
        return apply(a, b)

    return evaluate


def _shifting(apply: Callable[[Vector, Vector], Vector], left: Evaluate, right: Evaluate, span: Span) -> Evaluate:
    def evaluate(m: Machine, lanes: Lanes) -> Vector:
        value, amount = left(m, lanes), right(m, lanes)
        over = arithmetic.too_far(value, amount)
        if np.any(over):
            bits = 8 * value.dtype.itemsize
            m.fault(FaultKind.SHIFT, span, lanes.where(over).numbers, f"a {bits}-bit value is shifted too far")
        return apply(value, amount)

    return evaluate


def variable_representation(kernel: Kernel, var: VarId) -> Representation:
    """How a variable's values are kept."""
    return representation(kernel.variables[var].type)
