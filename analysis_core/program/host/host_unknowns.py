"""What is not known of the host's variables, and which of them a statement makes so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analysis_core.ir.nodes import Const, UnknownExpr
from analysis_core.ir.scalars import DIM3
from analysis_core.ir.types import UINT, ArrayType, OpaqueType, ScalarType, StructType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import deduction
from analysis_core.lower.names.scope import Unit
from analysis_core.lower.statements import lower_expressions
from analysis_core.lower.values import ArrayValue, Operand, StructValue, Value
from analysis_core.program.host import host_flow
from analysis_core.program.host.host_cases import rebind
from analysis_core.program.host.host_records import HOST, changed_members, place_of, unknown_record, with_member
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.launchers import LAUNCHERS
from analysis_core.syntax.read.walk_syntax import inside

_CHANGING = (syn.Assign, syn.IncDec, syn.Unary, syn.Binary, syn.Call)


def unknown_of(type: Type | None) -> Operand:
    """A host value of which the type is known."""
    if type == DIM3:
        return StructValue(DIM3, tuple(known_number(None) for _ in range(3)))
    type = type if type is not None else OpaqueType("auto", "a value of the host")
    if isinstance(type, ArrayType):
        type = deduction.decayed(type)
    if isinstance(type, StructType):
        return unknown_record(type)
    return Value(UnknownExpr(HOST, type), type)


def known_number(value: int | None) -> Value:
    """An extent, or an unknown one."""
    return Value(UnknownExpr(HOST, UINT) if value is None else Const(value, UINT), UINT)


def unknown_array(type: ArrayType, extent: int) -> ArrayValue:
    """An array of so many elements of which nothing is known."""
    return ArrayValue(type, tuple(unknown_of(type.element) for _ in range(extent)))


def assigned_names(ctx: Lowering, root: syn.Node) -> set[str]:
    """The local names that anything below assigns, or hands out for change."""
    found = {name for target in _changed(ctx, root) for name in host_flow.assigned_base(target)}
    return {name for name in found if ctx.scope.find(name) is not None}


def _changed(ctx: Lowering, root: syn.Node) -> Iterator[syn.Expr]:
    """What anything below assigns, or hands out for change; objects of which a method is called among it."""
    read_only = set[int]()  # the configurations of launches, which stand behind their calls
    for node in _changing(ctx.unit, root):
        if id(node) not in read_only:
            yield from host_flow.changed_by(ctx.unit, ctx.scope.root().namespace, node)
        match node:
            case syn.Call(callee=syn.Name(name=name), args=args) if name in LAUNCHERS and LAUNCHERS[name].grid is None:
                read_only.update(map(id, args[LAUNCHERS[name].block : LAUNCHERS[name].block + 1]))
            case syn.Binary(op=">>", left=left, right=right) if not _is_number(ctx, left):
                yield right
            case syn.Call(callee=syn.Member(base=base, arrow=False)) if (place := place_of(base)) is not None:
                if isinstance(ctx.scope.find(place[0]), StructValue):
                    yield base
            case _:
                pass


def _changing(unit: Unit, root: syn.Node) -> Sequence[syn.Node]:
    """The nodes below that may change something, as their kinds say."""
    known = unit.found.changing.get(id(root))
    if known is None:
        found = tuple(node for node in inside(root) if isinstance(node, _CHANGING))
        known = unit.found.changing[id(root)] = root, found
    return known[1]


def forget_changed(ctx: Lowering, root: syn.Node) -> None:
    """Makes unknown all that code below assigns or passes on to be changed; of records, only the members."""
    for target in list(_changed(ctx, root)):
        forget_place(ctx, target)


def forget_place(ctx: Lowering, target: syn.Expr) -> None:
    """Makes unknown a variable, or the member of a record that is named, or that an element is of."""
    for name in host_flow.assigned_base(target):
        record = ctx.scope.find(name)
        if isinstance(record, StructValue) and record.type != DIM3:
            rebind(ctx, name, with_member(record, changed_members(target), None))
        else:
            forget(ctx, name)


def _is_number(ctx: Lowering, expr: syn.Expr) -> bool:
    """Whether `>>` shifts it, and reads nothing from it."""
    return isinstance(lower_expressions.type_of_expression(ctx, expr), ScalarType)


def forget(ctx: Lowering, name: str) -> None:
    """Makes a variable unknown."""
    known = ctx.scope.find(name)
    if isinstance(known, StructValue) and known.type == DIM3:
        rebind(ctx, name, unknown_of(DIM3))
    elif isinstance(known, ArrayValue):
        rebind(ctx, name, unknown_array(known.type, len(known.elements)))
    elif isinstance(known, Value | StructValue):
        rebind(ctx, name, unknown_of(known.type))
        for member in (f"{name}.gridDim", f"{name}.blockDim"):  # of a launch configuration
            if ctx.scope.find(member) is not None:
                rebind(ctx, member, unknown_of(DIM3))
