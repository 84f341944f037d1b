"""What variables of the host are after declarations and assignments, where these stand (host_walk.py).

int threads = n > 64 ? 256 : 128;        one or the other in each walk
int rows = min(n, 1024);                 1024, the most that it is
block.x = rows / 2; block.y = 2;         512 and 2
"""

from __future__ import annotations

from dataclasses import replace

from analysis_core.ir import constants
from analysis_core.ir.scalars import DIM3
from analysis_core.ir.spelling import spelling
from analysis_core.ir.types import Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import resolve
from analysis_core.lower.statements import lower_expressions
from analysis_core.lower.values import ArrayValue, Operand, StructValue, Value, type_of
from analysis_core.program.host import (
    host_flow,
    host_limits,
    host_made,
    host_objects,
    host_operands,
    host_records,
    host_ways,
)
from analysis_core.program.host.host_cases import rebind
from analysis_core.program.host.host_constants import dims, host_constant, initial, initial_array, is_known
from analysis_core.program.host.host_operands import kernels_named
from analysis_core.program.host.host_state import HostWalk
from analysis_core.program.host.host_unknowns import (
    assigned_names,
    forget,
    forget_changed,
    forget_place,
    known_number,
    unknown_of,
)
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside


def declare(host: HostWalk, declaration: syn.VarDecl) -> None:
    """Binds a new variable to what it begins with."""
    ctx, init = host.ctx, declaration.init
    host.known.counters.pop(declaration.name, None)
    host.known.drop((declaration.name,))
    type = None if is_auto(declaration.type) else resolve.resolve_type(ctx, referred(declaration.type))
    init = _one_side(host, declaration.name, type, init)
    host.known.pointers[declaration.name] = () if init is None else kernels_named(ctx, init, host.known.pointers)
    array = initial_array(ctx, type, init) if declaration.name in host.function.arrays else None
    copied = host_records.record_named(ctx, init) if declaration.name not in host.function.aliased else None
    known = copied if copied is not None and type in (None, copied.type) else None
    if known is None and array is None and declaration.name in host.ways.asked:
        known = host_objects.made(ctx, type, init, declaration)
    value = array or known or initial(ctx, type, init)
    if unseen := _changes_unseen(host, declaration):
        value = unknown_of(type_of(value))
    ctx.scope.bind(declaration.name, value)
    if not unseen:
        _note_made(host, declaration.name, value, init)


def is_auto(node: syn.TypeNode) -> bool:
    """Whether a type is that of what stands for it."""
    node = referred(node)
    return isinstance(node, syn.NamedType) and node.name == "auto"


def referred(node: syn.TypeNode) -> syn.TypeNode:
    """The type that a reference is to, or the type itself."""
    return node.target if isinstance(node, syn.ReferenceTo) else node


def _changes_unseen(host: HostWalk, declaration: syn.VarDecl) -> bool:
    """Whether a variable may be another one than what was assigned to it here last: by a reference or a pointer, or by an earlier call."""
    if declaration.storage & {"const", "constexpr"} or "const" in resolve.qualifiers_of(declaration.type):
        return False
    return declaration.name in host.function.aliased or "static" in declaration.storage


def _one_side(host: HostWalk, name: str, type: Type | None, init: syn.Expr | None) -> syn.Expr | None:
    """What this walk takes a variable to begin with, where a conditional leaves several constants, or kernels that later conditionals go
    with."""
    ctx, known = host.ctx, host.known
    if init is None or not host.ways.tells(name):
        return init
    each = host_ways.sides(ctx, init, host.told)
    if len(each) < 2:
        return each[0]
    if not all(is_known(initial(ctx, type, one)) for one in each) and not _is_asked_again(host, init):
        return init
    while found := host_ways.divided(ctx, init, host.told):
        condition, two = found
        taken = host.ways.choose(len(two)) if len(two) > 1 else 0
        if len(two) > 1:
            known.conditions = (*known.conditions, (condition, taken == 0))
        init = two[taken]
    return init


def _is_asked_again(host: HostWalk, init: syn.Expr) -> bool:
    """Whether this chooses from kernels by a condition that other conditionals of the function have, too."""
    if not isinstance(init, syn.Conditional) or not kernels_named(host.ctx, init, host.known.pointers):
        return False
    body, text = host.function.body, spelling(init.condition)
    others = (node for node in inside(body) if isinstance(node, syn.Conditional)) if body is not None else ()
    return host.stays(init.condition) and sum(spelling(node.condition) == text for node in others) > 1


def _note_made(host: HostWalk, name: str, value: Operand, init: syn.Expr | None) -> None:
    """Notes what a number or a dim3 is made of that is not known."""
    if name.partition(".")[0] in host.ways.asked:
        host.known.made = host_made.with_made(host.known.made, name, value, init)


def side_effects(host: HostWalk, expr: syn.Expr) -> None:
    """Follows `x = e`, `x += e` and `d.x = e` at the top; anything assigned deeper inside is forgotten."""
    ctx = host.ctx
    if isinstance(expr, syn.Assign) and expr.op != "=" and isinstance(expr.target, syn.Name):
        value = syn.Binary(span=expr.span, op=expr.op[:-1], left=expr.target, right=expr.value)
        expr = replace(expr, op="=", value=value)
    if host.known.conditions or host.known.made:
        host.known.drop(_changed_names(ctx, expr))
    if isinstance(expr, syn.Assign) and expr.op == "=":
        forget_changed(ctx, expr.value)
        _assign(host, expr)
    else:
        forget_changed(ctx, expr)
    if host.ways.asked:
        _note_occupancy(host, expr)


def _changed_names(ctx: Lowering, expr: syn.Expr) -> set[str]:
    """The variables that an expression changes; of a launch configuration only the member."""
    changed = assigned_names(ctx, expr)
    match expr:
        case syn.Assign(target=syn.Member(base=syn.Name(name=name), name=member), value=value):
            if not isinstance(ctx.scope.find(name), StructValue) and name not in assigned_names(ctx, value):
                return changed - {name} | {f"{name}.{member}"}
        case _:
            pass
    return changed


def _note_occupancy(host: HostWalk, expr: syn.Expr) -> None:
    """Notes that a number is what a call for the best block gives."""
    for node in inside(expr, lambdas=False):
        match node:
            case syn.Call(callee=syn.Name(name=function), args=[_, place, _, *_]) if function in host_limits.OCCUPANCY:
                name = host_flow.pointed(place)
                if name in host.ways.asked:
                    host.known.made = {**host.known.made, name: (node, frozenset())}
            case _:
                pass


def _assign(host: HostWalk, expr: syn.Assign) -> None:
    ctx = host.ctx
    match expr.target:
        case syn.Name(name=name):
            pointed = kernels_named(ctx, expr.value, host.known.pointers)
            if name in host.known.pointers:
                host.known.pointers[name] = (
                    host_operands.joined(host.known.pointers[name], pointed) if host.rounds else pointed
                )
            known = ctx.scope.find(name)
            if name in host.function.aliased and isinstance(known, Value | StructValue):
                rebind(ctx, name, unknown_of(known.type))
            elif isinstance(known, StructValue) and known.type == DIM3:
                shape = StructValue(DIM3, tuple(known_number(v) for v in dims(ctx, expr.value)))
                rebind(ctx, name, shape)
                _note_made(host, name, shape, expr.value)
            elif isinstance(known, Value):
                side = _one_side(host, name, known.type, expr.value)
                value = initial(ctx, known.type, side)
                rebind(ctx, name, value)
                _note_made(host, name, value, side)
            elif isinstance(known, StructValue):
                copied = host_records.record_named(ctx, expr.value)
                same = copied is not None and copied.type == known.type
                rebind(ctx, name, copied if same else unknown_of(known.type))
        case syn.Member() if (place := host_records.place_of(expr.target)) and _is_record(ctx, place[0]):
            if place[0] not in host.function.aliased:
                _assign_member(ctx, place, expr.value)
        case syn.Member(base=syn.Name(name=name), name=member):
            known = ctx.scope.find(name)
            if name in host.function.aliased:
                forget(ctx, name)
            elif isinstance(known, StructValue) and known.type == DIM3 and member in ("x", "y", "z"):
                parts = list(known.fields)
                parts["xyz".index(member)] = known_number(constants.whole(host_constant(ctx, expr.value)))
                rebind(ctx, name, StructValue(DIM3, tuple(parts)))
            elif known is not None:
                # A launch configuration: its members are kept under a name of their own.
                extents = initial(ctx, DIM3, expr.value)
                ctx.scope.bind(f"{name}.{member}", extents)
                _note_made(host, f"{name}.{member}", extents, expr.value)
        case syn.Subscript(base=syn.Name(name=name), index=index) if isinstance(ctx.scope.find(name), ArrayValue):
            _assign_element(ctx, name, index, expr.value)
        case _:
            forget_changed(ctx, expr.target)
            if any(_is_record(ctx, name) for name in host_flow.assigned_base(expr.target)):
                forget_place(ctx, expr.target)


def _is_record(ctx: Lowering, name: str) -> bool:
    known = ctx.scope.find(name)
    return isinstance(known, StructValue) and known.type != DIM3


def _assign_member(ctx: Lowering, place: tuple[str, host_records.Members], value: syn.Expr) -> None:
    name, members = place
    record = ctx.scope.find(name)
    assert isinstance(record, StructValue)
    type, copied = host_records.member_type(record, members), host_records.record_named(ctx, value)
    known = (
        copied if copied is not None and copied.type == type else None if type is None else initial(ctx, type, value)
    )
    rebind(ctx, name, host_records.with_member(record, members, known))


def _assign_element(ctx: Lowering, name: str, index: syn.Expr, value: syn.Expr) -> None:
    array, place = ctx.scope.find(name), lower_expressions.constant(ctx, index)
    for changed in assigned_names(ctx, index):
        forget(ctx, changed)
    at = constants.whole(place)
    if not isinstance(array, ArrayValue) or at is None or not 0 <= at < len(array.elements):
        forget(ctx, name)
        return
    element = initial(ctx, array.type.element, value)
    rebind(ctx, name, replace(array, elements=(*array.elements[:at], element, *array.elements[at + 1 :])))
