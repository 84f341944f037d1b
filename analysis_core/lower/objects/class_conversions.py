"""Conversions that classes declare: operators `operator T()`, converting constructors, and objects as their bases."""

from __future__ import annotations

from analysis_core.ir.nodes import Const
from analysis_core.ir.scalars import DIM3, UINT3
from analysis_core.ir.types import BOOL, UINT, ScalarKind, ScalarType, StructType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import overloads, resolve
from analysis_core.lower.names.scope import RecordInstance
from analysis_core.lower.objects import base_parts, bind_parameters, constructors, conversions, methods
from analysis_core.lower.statements import inline, lower_lvalues
from analysis_core.lower.statements.arguments import Argument
from analysis_core.lower.values import Memory, Operand, Register, StructPlace, StructValue, Value, type_of
from analysis_core.syntax.read import tree as syn


def conversion_operators(ctx: Lowering, instance: RecordInstance, depth: int = 0) -> list[methods.Method]:
    """`operator T()` members, of the class and its bases."""
    owned = {m.name for m in instance.definition.methods if m.name.startswith("operator ")}
    found = [m for name in sorted(owned) for m in methods.own_methods(ctx, instance, name)]
    if depth < methods.BASE_DEPTH:
        for base in methods.bases(ctx, instance):
            found.extend(m for m in conversion_operators(ctx, base, depth + 1) if m.declaration.name not in owned)
    return found


def convert_struct(
    ctx: Lowering, operand: Operand, type: Type, node: syn.Node, explicit: bool = False
) -> Operand | None:
    """A user-defined conversion from or to a class, or None.  `explicit`: a cast asks for it."""
    given = type_of(operand)
    source = methods.instance_of(ctx, given) if isinstance(given, StructType) else None
    if source is not None:
        const = isinstance(operand, StructValue | StructPlace | Memory) and operand.const
        method = _conversion_to(ctx, source, type, const, explicit=explicit)
        if method is not None:
            result = methods.run_virtual(ctx, method, operand, (), node)
            return conversions.convert(ctx, result, type, node)
        sliced = _base_part(ctx, source, operand, type)
        if sliced is not None:
            return sliced
    if type == DIM3 and _makes_shape(given):
        return _shape(ctx, operand)
    target = methods.instance_of(ctx, type) if isinstance(type, StructType) else None
    if target is not None and isinstance(type, StructType) and given != type:
        converting = [c for c in converting_constructors(ctx, target) if _constructs(ctx, c, given, type)]
        argument = Argument(as_expression(node), operand, ctx.mark())
        if converting:
            return constructors.construct_from(ctx, type, target, converting, [argument], node)
    return None


def _makes_shape(given: Type) -> bool:
    """Whether a value becomes a `dim3`: `dim3(unsigned x, unsigned y = 1, unsigned z = 1)` and `dim3(uint3)` (vector_types.h)."""
    return given == UINT3 or (isinstance(given, ScalarType) and given.kind is not ScalarKind.VOID)


def _shape(ctx: Lowering, operand: Operand) -> StructValue | None:
    if isinstance(operand, StructValue):
        return StructValue(DIM3, operand.fields)
    one = Value(Const(1, UINT), UINT)
    return (
        StructValue(DIM3, (conversions.convert_value(ctx, operand, UINT), one, one))
        if isinstance(operand, Value)
        else None
    )


def as_expression(node: syn.Node) -> syn.Expr:
    """The node that a converted operand is reported at."""
    return node if isinstance(node, syn.Expr) else syn.Name(span=node.span, name="(operand)")


def number_of(ctx: Lowering, operand: Operand, node: syn.Node) -> Operand | None:
    """What the one conversion operator of a class makes of an object that is an operand of a built-in operator ([over.built])."""
    instance = methods.instance_of(ctx, type_of(operand))
    found = [] if instance is None else conversion_operators(ctx, instance)
    implicit = [m for m in found if "explicit" not in m.declaration.qualifiers]
    if len(implicit) == 2:  # one for const objects, and one for others
        const = isinstance(operand, StructValue | StructPlace | Memory) and operand.const
        implicit = [m for m in implicit if ("const" in m.declaration.qualifiers) is const]
    if len(implicit) != 1:
        return None
    result = lower_lvalues.load(ctx, methods.run_virtual(ctx, implicit[0], operand, (), node), node)
    return result if isinstance(result, Value) else None


def referred_number(ctx: Lowering, operand: Operand, node: syn.Node) -> Operand | None:
    """The number that an object converts to a reference of, `operator T &()`: what `+=` and `++` change of it ([over.built])."""
    instance = methods.instance_of(ctx, type_of(operand))
    referring = []
    for method in conversion_operators(ctx, instance) if instance is not None else ():
        with ctx.in_scope(inline.function_scope(method.declaration, method.bindings)):
            result = resolve.qualified(ctx, method.declaration.result)
        if result.reference == "&" and not result.const and isinstance(result.type, ScalarType):
            referring.append(method)
    if len(referring) != 1 or "explicit" in referring[0].declaration.qualifiers:
        return None
    place = methods.run_virtual(ctx, referring[0], operand, (), node)
    return place if isinstance(place, Register | Memory) else None


def _conversion_to(
    ctx: Lowering,
    instance: RecordInstance,
    type: Type,
    const_object: bool = False,
    contextual: bool = True,
    explicit: bool = False,
) -> methods.Method | None:
    """The conversion operator whose result fits best; of const and other ones, as the object is.  `contextual`: it is converted, and not
    only asked whether it could be: `explicit` ones, too, make a bool, and casts add a constructor of `__half`.
    `explicit`: a cast asks for it."""
    best: dict[bool, tuple[int, methods.Method]] = {}
    for method in conversion_operators(ctx, instance):
        with ctx.in_scope(inline.function_scope(method.declaration, method.bindings)):
            result = bind_parameters.parameter_type(ctx, method.declaration.result)
        asked = explicit or (contextual and type == BOOL)
        if result is None or (not asked and "explicit" in method.declaration.qualifiers):
            continue
        rank = _rank_without_classes(ctx, result, type)
        if rank < (overloads.ELLIPSIS if contextual else overloads.USER):
            const = "const" in method.declaration.qualifiers
            if const not in best or rank < best[const][0]:
                best[const] = rank, method
    if not best:
        return None
    # Whether the object is const comes before what the operators give.
    return best[const_object][1] if const_object in best else best[not const_object][1]


def _rank_without_classes(ctx: Lowering, given: Type, wanted: Type) -> int:
    """How well what an operator gives becomes what is wanted with no further operator or constructor."""
    if isinstance(given, StructType):
        return overloads.EXACT if conversions.same_type(given, wanted) else overloads.NONE
    return overloads.NONE if isinstance(wanted, StructType) else overloads.rank_types(ctx, given, wanted)


def _base_part(ctx: Lowering, source: RecordInstance, operand: Operand, type: Type) -> Operand | None:
    """The base class part of a derived value: the base's fields come first."""
    if not isinstance(type, StructType) or not isinstance(operand, StructValue):
        return None
    return base_parts.to_base(ctx, operand, type) if base_parts.is_derived(operand.type, type) else None


def converts(ctx: Lowering, given: Type, wanted: Type) -> bool:
    """Whether a user-defined conversion exists between two types that nobody asks for explicitly."""
    if wanted == DIM3 and _makes_shape(given):
        return True
    source = methods.instance_of(ctx, given) if isinstance(given, StructType) else None
    if source is not None:
        if _conversion_to(ctx, source, wanted, contextual=False) is not None:
            return True
        if isinstance(wanted, StructType) and methods.is_base(ctx, source, wanted):
            return True
    target = methods.instance_of(ctx, wanted) if isinstance(wanted, StructType) else None
    if target is None:
        return False
    return any(_constructs(ctx, c, given, wanted) for c in converting_constructors(ctx, target))


def converting_constructors(ctx: Lowering, instance: RecordInstance) -> list[methods.Method]:
    """The constructors by which a value of another type becomes an object where nobody asks for one."""
    found = constructors.constructors_of(ctx, instance)
    return [c for c in found if overloads.takes(c.declaration, 1) and "explicit" not in c.declaration.qualifiers]


def _constructs(ctx: Lowering, constructor: methods.Method, given: Type, made: Type) -> bool:
    """Whether a constructor of the class `made` takes a value of that type without a further user-defined conversion."""
    with ctx.in_scope(inline.function_scope(constructor.declaration, constructor.bindings)):
        wanted = bind_parameters.parameter_type(ctx, constructor.declaration.parameters[0].type)
    if wanted is None or (constructor.declaration.template and wanted != made):
        return True
    if isinstance(wanted, StructType) or isinstance(given, StructType):
        source = methods.instance_of(ctx, given) if isinstance(given, StructType) else None
        is_part = source is not None and isinstance(wanted, StructType) and methods.is_base(ctx, source, wanted)
        return is_part or conversions.same_type(given, wanted)
    return overloads.rank_types(ctx, given, wanted) < overloads.USER
