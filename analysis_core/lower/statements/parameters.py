"""The parameters of a kernel: one variable per scalar, also inside of structs passed by value.

Array members of such structs, and structs that cannot be split (unions, bit-fields), are objects in constant memory,
where the hardware keeps parameters.
"""

from __future__ import annotations

from analysis_core.ir import layout
from analysis_core.ir.nodes import AddressOf, Local, Store, VarId
from analysis_core.ir.types import (
    LAUNCHED_WITH,
    NOT_INSTANTIATED,
    ArrayType,
    OpaqueType,
    PointerType,
    Qualified,
    Space,
    StructType,
    Type,
)
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import resolve, stated_types, template_arguments
from analysis_core.lower.names.scope import PackBinding
from analysis_core.lower.objects import parameter_members
from analysis_core.lower.values import Memory, Operand, Register, StructPlace, with_const
from analysis_core.syntax.read import tree as syn
from analysis_core.text.span import Span


def bind_opaque_template(
    ctx: Lowering, declaration: syn.FunctionDecl, undeclared: frozenset[str] = frozenset()
) -> None:
    """Template parameters that the instance leaves open: defaults, else opaque types and constants.  `undeclared`: those that launches give
    types which are not declared."""
    bindings = ctx.scope.bindings
    for parameter in declaration.template or ():
        if parameter.name is None or parameter.name in bindings:
            continue
        if parameter.pack:
            bindings[parameter.name] = PackBinding(())
            continue
        if parameter.default is not None:
            bound = template_arguments.bind_template(ctx, (parameter,), (parameter.default,), declaration.scope)
            bindings.update(bound)
            continue
        launched = parameter.name in undeclared
        stated = stated_types.argument(ctx, declaration, parameter, launched)
        why = LAUNCHED_WITH if launched else NOT_INSTANTIATED
        bindings[parameter.name] = (
            Qualified(stated)
            if stated is not None
            else template_arguments.opaque_argument(ctx, parameter, parameter.name, why)
        )


def declare_parameters(ctx: Lowering, declaration: syn.FunctionDecl) -> tuple[VarId, ...]:
    """Binds the names of the parameters; the variables of their scalars in order."""
    found: list[VarId] = []
    for position, parameter in enumerate(declaration.parameters):
        node, known = parameter.type, len(ctx.unknowns)
        type = resolve.resolve_type(ctx, node.target if isinstance(node, syn.ReferenceTo) else node)
        if isinstance(type, ArrayType):
            type = PointerType(type.element)
        name = parameter.name or f"(parameter {position + 1})"
        place = _place(ctx, name, type, parameter.span, found)
        if isinstance(place, Register) and isinstance(place.type, OpaqueType):
            if parameter_members.is_only_read(ctx, declaration, parameter, place.type):
                ctx.read_only.add(place.var)
                del ctx.unknowns[known:]  # told where the members are used that are not known
        if parameter.name is not None:
            if "const" in (node.target.qualifiers if isinstance(node, syn.ReferenceTo) else node.qualifiers):
                place = with_const(place, True)
            ctx.scope.bind(parameter.name, PackBinding((place,)) if parameter.pack else place)
    return tuple(found)


def _place(ctx: Lowering, name: str, type: Type, span: Span, found: list[VarId]) -> Operand:
    type = resolve.complete(ctx, type)
    if isinstance(type, ArrayType) or not layout.in_registers(type):
        return _constant_object(ctx, name, type, span)
    if isinstance(type, StructType):
        if span in ctx.escaped:
            return _constant_object(ctx, name, type, span)
        fields = tuple(_place(ctx, f"{name}.{field.name}", field.type, span, found) for field in type.fields)
        return StructPlace(type, fields, span)
    var = ctx.variable(name, type, span, parameter=True)
    found.append(var)
    if span not in ctx.escaped or isinstance(type, OpaqueType):
        return Register(var, type)
    # Its address escapes: the function keeps a copy in memory, as a compiler does.
    number = ctx.object(name, Space.LOCAL, type, span)
    address = AddressOf(number, PointerType(type))
    access = ctx.access(span, name, layout.size_of(type) or 1, type)
    ctx.emit(Store(address, (Local(var, type),), access))
    return Memory(type, address)


def _constant_object(ctx: Lowering, name: str, type: Type, span: Span) -> Memory:
    number = ctx.object(name, Space.CONSTANT, type, span, read_only=True)
    return Memory(type, AddressOf(number, PointerType(type)))
