"""What expressions of the host are where constants say it: numbers, extents of launches, arrays.

    int rounds = log2(n / 2);                       n is 128: 6
    int blocks = (int)ceil((float)n / 256.f);       n is 1000: 4
    dim3 block(32, 8);                              32, 8 and 1

Functions of the library count where they give one number on every machine: roundings are exact, and so are roots of squares and logarithms of powers of two; of other arguments nothing is said.  Device code is left
alone: there a build may ask for functions that are only nearly right.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from analysis_core.ir import constants
from analysis_core.ir.constants import fold_int
from analysis_core.ir.effects import assigned_in
from analysis_core.ir.literals import literal
from analysis_core.ir.nodes import (
    Assign,
    Break,
    Const,
    Continue,
    Expr,
    Inlined,
    Intrinsic,
    Local,
    Return,
    Stmt,
    VarId,
)
from analysis_core.ir.scalars import DIM3
from analysis_core.ir.types import ArrayType, ScalarKind, ScalarType, Type
from analysis_core.ir.walk import fold as fold_tree
from analysis_core.ir.walk import statements
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import resolve
from analysis_core.lower.names.scope import Scope
from analysis_core.lower.objects import closure_types, conversions
from analysis_core.lower.statements import lower_expressions
from analysis_core.lower.values import ArrayValue, Operand, StructValue, Value
from analysis_core.program.host import host_flow, host_records
from analysis_core.program.host.host_cases import integer
from analysis_core.program.host.host_unknowns import known_number, unknown_array, unknown_of
from analysis_core.support.facts import Assumption
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass

_EXACT = 1 << 52
_MOST_ELEMENTS = 64

Dims = tuple[int | None, int | None, int | None]


def host_constant(ctx: Lowering, expr: syn.Expr, type: Type | None = None) -> Const | None:
    """The value of a constant expression of the host, else None.  `type`: what an object is converted to."""
    if isinstance(expr, syn.Literal):
        return literal(expr)
    result, left = _lowered(ctx, expr, type)
    if not isinstance(result, Value):
        return None
    return result.expr if isinstance(result.expr, Const) else value_of(result.expr, left)


def _lowered(ctx: Lowering, expr: syn.Expr, type: Type | None = None) -> tuple[Operand | None, Left]:
    """An expression of the host as device code has it, and what its statements leave; None where these do not come to their end."""
    left: Left = {}
    with ctx.scratch() as block:
        result = lower_expressions.rvalue(ctx, expr)
        if isinstance(result, StructValue) and type is not None:
            result = conversions.convert(ctx, result, type, expr)
        return (None if block and (_changes(expr) or not follow(block, left)) else result), left


def _changes(expr: syn.Expr) -> bool:
    """Whether an expression itself gives something a new value."""
    return any(isinstance(node, syn.Assign | syn.IncDec) for node in inside(expr))


Left = dict[VarId, Const | None]
"""What statements leave in variables; None where that is not known."""


def follow(block: Sequence[Stmt], left: Left) -> bool:
    """Follows lowered statements to their end; whether they come to it."""
    for number, stmt in enumerate(block):
        match stmt:
            case Assign(var=var, value=value):
                left[var] = value_of(value, left)
            case Inlined(body=body):
                if not follow(body[:-1] if body and isinstance(body[-1], Return) else body, left):
                    return False
            case _:
                if any(isinstance(inner, Return | Break | Continue) for inner in statements((stmt,))):
                    return False
                left.update(dict.fromkeys(assigned_in(block[number : number + 1])))
    return True


def value_of(expr: Expr, left: Left) -> Const | None:
    """The value of an expression behind statements."""

    def combined(node: Expr, args: Sequence[Const | None]) -> Const | None:
        if isinstance(node, Local):
            return left.get(node.var)
        if isinstance(node, Intrinsic) and len(args) == 1 and args[0] is not None:
            value = _computed(node.name, args[0].value)
            if value is not None:
                return constants.constant(value, node.type)
        return constants.combined(node, args)

    return fold_tree(expr, combined)


def bytes_of(ctx: Lowering, expr: syn.Expr | None) -> int:
    """The value of a number of bytes, 0 where there is none or it is no constant."""
    value = None if expr is None else host_constant(ctx, expr)
    return value.value if value is not None and isinstance(value.value, int) and value.value > 0 else 0


def _computed(name: str, value: int | float) -> int | float | None:
    """What a function of the library makes of a number."""
    if not math.isfinite(value) or abs(value) >= _EXACT:
        return None
    match name:
        case "ceil":
            return math.ceil(value)
        case "floor":
            return math.floor(value)
        case "trunc":
            return math.trunc(value)
        case "sqrt" if value >= 0 and value == int(value) and (root := math.isqrt(int(value))) ** 2 == value:
            return root
        case "log2" if value > 0 and (parts := math.frexp(value))[0] == 0.5:
            return parts[1] - 1
        case _:
            return None


# --- values that variables begin with -------------------------------------------------------------------------------


def initial(ctx: Lowering, type: Type | None, init: syn.Expr | None) -> Operand:
    """The value of a variable after its declaration."""
    if type == DIM3 or (type is None and init is not None and _is_dim3(ctx, init)):
        values: Dims = (1, 1, 1) if init is None else dims(ctx, init)
        return StructValue(DIM3, tuple(known_number(v) for v in values))
    if init is None:
        return unknown_of(type)
    if type is None and isinstance(init, syn.Lambda):
        return unknown_of(closure_types.closure_type(ctx, init))
    if type is None:
        type = lower_expressions.type_of_expression(ctx, init)
    if isinstance(type, ScalarType) and type.kind is not ScalarKind.VOID:
        if isinstance(init, syn.InitList | syn.Construct) and len(_items(init)) == 1:
            init = _items(init)[0]
        value = host_constant(ctx, init, type)
        if value is not None:
            converted = (
                constants.constant(value.value, type) if isinstance(value.value, float) else Const(value.value, type)
            )
            return unknown_of(type) if converted is None else Value(converted, type)
    return unknown_of(type)


def _items(init: syn.InitList | syn.Construct) -> tuple[syn.Expr, ...]:
    return init.items if isinstance(init, syn.InitList) else init.args


def initial_array(ctx: Lowering, type: Type | None, init: syn.Expr | None) -> ArrayValue | None:
    """An array that begins with these elements; what is left out is 0, or unknown where nothing is said."""
    if not isinstance(type, ArrayType) or not isinstance(type.element, ScalarType):
        return None
    if init is None:
        extent = None if type.extent is None else fold_int(type.extent)
        return unknown_array(type, extent) if extent is not None and 0 < extent <= _MOST_ELEMENTS else None
    if not isinstance(init, syn.InitList):
        return None
    extent = len(init.items) if type.extent is None else fold_int(type.extent)
    if extent is None or not len(init.items) <= extent <= _MOST_ELEMENTS:
        return None
    if any(name is not None for name in init.designators) or any(isinstance(i, syn.InitList) for i in init.items):
        return None
    zero = Value(Const(0, type.element), type.element)
    elements = tuple(initial(ctx, type.element, item) for item in init.items)
    return ArrayValue(type, elements + (zero,) * (extent - len(elements)))


# --- variables of file scope -------------------------------------------------------------------------------------


@dataclass(slots=True)
class Settled:
    """The variables of file scope that keep the value they begin with, as far as the host functions in `hosts` tell."""

    ctx: Lowering
    hosts: Sequence[syn.FunctionDecl]
    assigned: frozenset[str] | None = None

    def among(self, names: Iterable[str], scope: Scope) -> dict[str, tuple[Operand, Assumption | None]]:
        """Those of these names that keep their value, with the values and the assumptions behind them."""
        found: dict[str, tuple[Operand, Assumption | None]] = {}
        unit = self.ctx.unit
        for name in sorted(names):
            declared = unit.find_variable(name, scope.namespace)
            if declared is None or not host_flow.is_variable(declared[1]):
                continue
            if self.assigned is None:
                self.assigned = host_flow.assigned_anywhere(unit, self.hosts).union(unit.tree.beyond.assigned)
            if declared[1].name in self.assigned:
                continue
            home = declared[0].rpartition("::")[0]
            with self.ctx.in_scope(Scope(None, home)), self.ctx.scratch():
                type = resolve.resolve_type(self.ctx, declared[1].type)
                value = initial(self.ctx, type, declared[1].init)
            if is_known(value):
                rests = Assumption(f"`{name}` keeps its value: nothing in view assigns it", declared[1].span)
                found[name] = value, None if "static" in declared[1].storage else rests
        return found


# --- what a launch asks -----------------------------------------------------------------------------------------


def dims(ctx: Lowering, expr: syn.Expr) -> Dims:
    """The three components of a launch dimension, each an int where it is constant."""
    match expr:
        case syn.Name(name=name):
            known = ctx.scope.find(name)
            if isinstance(known, StructValue) and known.type == DIM3:
                x, y, z = (_constant(part) for part in known.fields)
                return x, y, z
            declared = ctx.unit.find_variable(name, ctx.scope.root().namespace) if known is None else None
            if declared is not None and declared[1].init is not None and _is_dim3_type(declared[1].type):
                constant = declared[1].storage & {"const", "constexpr"} or "const" in declared[1].type.qualifiers
                return dims(ctx, declared[1].init) if constant else (None, None, None)
        case syn.Member(base=syn.Name(name=base), name=member):
            known = ctx.scope.find(f"{base}.{member}") or host_records.shape_named(ctx, expr)
            if isinstance(known, StructValue) and known.type == DIM3:
                x, y, z = (_constant(part) for part in known.fields)
                return x, y, z
        case syn.Construct(type=syn.NamedType(name=name), args=args) if name.rpartition("::")[2] == "dim3":
            return _components(ctx, args)
        case syn.InitList(items=items):
            return _components(ctx, items)
        case syn.Cast(type=syn.NamedType(name=name), operand=operand) if name.rpartition("::")[2] == "dim3":
            return dims(ctx, operand)
        case _:
            pass
    value = host_constant(ctx, expr)
    if value is not None:
        return _extent(value), 1, 1
    made, left = _lowered(ctx, expr) if isinstance(expr, syn.Call) else (None, Left())
    if isinstance(made, StructValue) and made.type == DIM3:
        found = (value_of(part.expr, left) if isinstance(part, Value) else None for part in made.fields)
        x, y, z = (None if one is None else _extent(one) for one in found)
        return x, y, z
    type = lower_expressions.type_of_expression(ctx, expr)
    scalar = isinstance(type, ScalarType)
    return (None, 1, 1) if scalar else (None, None, None)


def _components(ctx: Lowering, args: Sequence[syn.Expr]) -> Dims:
    if len(args) == 1 and _is_dim3(ctx, args[0]):
        return dims(ctx, args[0])
    values: list[int | None] = [1, 1, 1]
    for axis, arg in enumerate(args[:3]):
        value = host_constant(ctx, arg)
        values[axis] = None if value is None else _extent(value)
    return values[0], values[1], values[2]


def _extent(value: Const) -> int:
    """The extent that a constant is; 0, which none has, where it is no number that it could be converted to (`1e400`)."""
    return constants.whole(value) or 0


def is_known(value: Operand) -> bool:
    """Whether this is a constant, or a record (a dim3, say) of which some member is one."""
    if isinstance(value, StructValue):
        return any(map(is_known, value.fields))
    return integer(value) is not None


def is_whole(value: Operand) -> bool:
    """Whether this is a constant, or a record of which all members are."""
    return all(map(is_whole, value.fields)) if isinstance(value, StructValue) else integer(value) is not None


def _constant(part: Operand) -> int | None:
    if isinstance(part, Value) and isinstance(part.expr, Const):
        return constants.whole(part.expr)
    return None


def _is_dim3_type(node: syn.TypeNode) -> bool:
    return isinstance(node, syn.NamedType) and node.name.rpartition("::")[2] == "dim3"


def _is_dim3(ctx: Lowering, expr: syn.Expr) -> bool:
    match expr:
        case syn.Construct(type=type) | syn.Cast(type=type):
            return _is_dim3_type(type)
        case syn.Name() | syn.Member():
            known = host_records.shape_named(ctx, expr)
            return known is not None and known.type == DIM3
        case _:
            return False
