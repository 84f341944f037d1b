"""Parameters of an inlined call: the arguments converted in the caller, then bound to names in the callee.

A parameter passed by value is a variable of its own, assigned inside of the `Inlined`.  A reference is bound to the
place itself, and so is what is known at compile time only, unless the body assigns to the parameter.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from analysis_core.ir.nodes import Const, UnknownStmt
from analysis_core.ir.types import VOID, ArrayType, OpaqueType, PointerType, StructType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import expression_types, resolve
from analysis_core.lower.names.scope import PackBinding, Scope
from analysis_core.lower.objects import base_parts, conversions, copies, destructors, methods, references
from analysis_core.lower.statements import inline, lower_declarations, lower_lvalues
from analysis_core.lower.statements.arguments import Argument, CompileTime
from analysis_core.lower.values import (
    ArrayValue,
    Category,
    Memory,
    Operand,
    Register,
    RegisterPointer,
    StructPlace,
    StructValue,
    Value,
    type_of,
    with_category,
    with_const,
)
from analysis_core.support.facts import CauseKind
from analysis_core.syntax.lex.models import is_model
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import Measure, measure
from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True)
class Bound:
    """One parameter and the argument for it: either `operand` alone, bound as it is, or to be copied into a variable
    of `type`. `pack`: an element of a parameter pack. `const`, `reference`: how the parameter is declared; `deduced`:
    it is deduced to be what it is passed."""

    parameter: syn.Parameter
    operand: Operand
    type: Type | None
    pack: bool = False
    const: bool = False
    reference: str = ""
    deduced: bool = False


def bind_arguments(
    ctx: Lowering,
    parameters: Sequence[syn.Parameter],
    arguments: Sequence[Argument],
    scope: Scope,
    body: syn.Stmt | None,
    call: syn.Node,
) -> list[Bound]:
    """Converts the arguments to the parameters' types, in the caller; defaults are evaluated in the callee's scope."""
    bound: list[Bound] = []
    marks: list[int] = []
    for position, parameter in enumerate(parameters):
        if parameter.pack:
            _bind_pack(ctx, parameter, arguments[position:], scope, bound, marks, call)
            break
        if parameter.name is None and position >= len(arguments):
            break
        if position < len(arguments):
            argument = arguments[position]
        elif parameter.default is not None:
            with ctx.in_scope(scope):
                argument = inline.evaluate(ctx, [parameter.default])[0]
        else:
            break
        before = ctx.mark()
        declared = _declared(ctx, parameter.type, scope)
        one = _bind(ctx, parameter, argument, scope, body, call, bool(declared.reference))
        reference = declared.reference
        if declared.deduced and reference == "&&" and argument.operand is not None:
            given = expression_types.given_type(ctx, argument.operand, argument.node)
            reference = given.reference or reference
        bound.append(replace(one, const=declared.const, reference=reference, deduced=declared.deduced))
        # What was loaded just now is newer than the evaluation of the argument.
        marks.append(argument.mark if ctx.mark() == before else ctx.mark())
    return _kept(ctx, bound, marks)


@dataclass(frozen=True, slots=True)
class _Declared:
    """How a parameter is declared; `deduced`: with `auto`, as what it is passed."""

    const: bool = False
    reference: str = ""
    deduced: bool = False


def _declared(ctx: Lowering, node: syn.TypeNode, scope: Scope) -> _Declared:
    words = node.qualifiers
    if isinstance(node, syn.PointerTo | syn.ArrayOf | syn.FunctionOf):
        return _Declared("const" in words and isinstance(node, syn.PointerTo))
    inner = node.target if isinstance(node, syn.ReferenceTo) else node
    if isinstance(inner, syn.NamedType) and inner.name == "auto":
        reference = ("&&" if node.rvalue else "&") if isinstance(node, syn.ReferenceTo) else ""
        return _Declared("const" in inner.qualifiers, reference, "const" not in inner.qualifiers)
    if not isinstance(node, syn.ReferenceTo) and not words and not scope.bindings:
        return _Declared()
    with ctx.in_scope(scope):
        found = resolve.qualified(ctx, node)
    return _Declared(found.const, found.reference)


def _bind_pack(
    ctx: Lowering,
    parameter: syn.Parameter,
    arguments: Sequence[Argument],
    scope: Scope,
    bound: list[Bound],
    marks: list[int],
    call: syn.Node,
) -> None:
    """`T... x`: one variable per argument, of the argument's own type; references stay places."""
    reference = isinstance(parameter.type, syn.ReferenceTo)
    for argument in arguments:
        operand = argument.operand
        if operand is None:
            operand = inline.loaded(ctx, argument)
        type = None if isinstance(operand, CompileTime) or reference else decayed(type_of(operand))
        before = ctx.mark()
        if type is None:
            operand = ctx.freeze(operand, argument.node.span)
        else:
            operand = copies.new_object(ctx, operand, None, argument.node)
        bound.append(Bound(parameter, operand, type, pack=True))
        marks.append(argument.mark if ctx.mark() == before else ctx.mark())
    if parameter.name is not None:
        scope.bind(parameter.name, PackBinding(()))


def _bind(
    ctx: Lowering,
    parameter: syn.Parameter,
    argument: Argument,
    scope: Scope,
    body: syn.Stmt | None,
    call: syn.Node,
    reference: bool,
) -> Bound:
    operand = argument.operand
    with ctx.in_scope(scope):
        type = parameter_type(ctx, parameter.type)
    if isinstance(operand, RegisterPointer) and type is not None and not reference:
        operand = _pointer_to_base(ctx, operand, type)
    if isinstance(operand, CompileTime) and not _reassigned(ctx, parameter, body):
        return Bound(parameter, operand, None)
    if type is None:
        type = decayed(type_of(operand)) if operand is not None and not reference else None
        if type is None and operand is not None:
            type = type_of(operand)
    if type is None:
        cause = "a brace list for a parameter of deduced type"
        return Bound(parameter, ctx.unknown(CauseKind.UNSUPPORTED, cause, argument.node.span, VOID), None)
    if reference and operand is not None:
        operand = _base_of(ctx, operand, type, argument.node)
        if _binds_directly(operand, type):
            return Bound(
                parameter, ctx.freeze(_lasting(ctx, parameter, operand, argument.node), argument.node.span), None
            )
    if operand is None:
        return Bound(parameter, _braced(ctx, parameter, argument.node, type, scope), None)
    if isinstance(argument.node, syn.Conditional) and references.is_written_through(parameter.type):
        # What the function assigns goes to one of two places, of which this is a copy.
        either = ctx.cause(CauseKind.UNSUPPORTED, "a reference to one of two places is passed", argument.node.span)
        changes = ctx.scope.visible_variables()
        ctx.emit(UnknownStmt(either, changes, memory=True, leaves=False, span=argument.node.span))
    if not reference:
        operand = copies.new_object(ctx, operand, type, argument.node)
    converted = conversions.convert(ctx, lower_lvalues.load(ctx, operand, argument.node), type, argument.node)
    if (isinstance(converted, CompileTime) or _is_told(parameter, converted)) and not _reassigned(ctx, parameter, body):
        return Bound(parameter, converted, None)
    return Bound(parameter, converted, type)


def _is_told(parameter: syn.Parameter, operand: Operand) -> bool:
    """Whether a function of a model is handed a constant, which it knows as one: that `v[1]` is one component of `v`."""
    return is_model(parameter.span.file) and isinstance(operand, Value) and isinstance(operand.expr, Const)


def _base_of(ctx: Lowering, operand: Operand, type: Type, node: syn.Node) -> Operand:
    """The part of a derived object that a reference to its base is bound to."""
    given = resolve.complete(ctx, type_of(operand))
    if isinstance(given, StructType) and isinstance(type, StructType) and not conversions.same_type(given, type):
        if isinstance(operand, StructValue) and copies.is_own(ctx, given, type):
            place = lower_declarations.declare_place(ctx, "(argument)", given, node.span)
            lower_lvalues.store(ctx, place, operand, node)
            operand = with_category(place, Category.PRVALUE)
        if isinstance(operand, StructPlace | Memory) and copies.is_own(ctx, given, type):
            return methods.base_place(ctx, replace(operand, type=given), type) or operand
    return operand


def _pointer_to_base(ctx: Lowering, operand: RegisterPointer, type: Type) -> Operand:
    """`&d` for a parameter that is a pointer to a base."""
    base = conversions.pointer_class(ctx, type)
    return operand if base is None else base_parts.to_base(ctx, operand, base) or operand


def _lasting(ctx: Lowering, parameter: syn.Parameter, operand: Operand, node: syn.Node) -> Operand:
    """A value that is bound to a reference through which it may be changed is a variable."""
    reference = parameter.type
    if not isinstance(operand, StructValue) or not isinstance(reference, syn.ReferenceTo):
        return operand
    if "const" in reference.target.qualifiers:
        return operand
    place = lower_declarations.declare_place(ctx, parameter.name or "(argument)", operand.type, node.span)
    lower_lvalues.store(ctx, place, operand, node)
    return with_category(place, Category.PRVALUE)


def _braced(ctx: Lowering, parameter: syn.Parameter, node: syn.Expr, type: Type, scope: Scope) -> Operand:
    """`f({1, 2})`: an object of the parameter's type, initialised from the list in the caller."""
    place = lower_declarations.declare_place(ctx, parameter.name or "(argument)", type, node.span)
    lower_declarations.initialise(ctx, place, node, node)
    return place


def _kept(ctx: Lowering, bound: list[Bound], marks: list[int]) -> list[Bound]:
    """The values as they were when evaluated, though later arguments assigned to what they read.

    From the last one back: a copy inserted at a mark moves only the marks behind it."""
    kept = list(bound)
    for position in range(len(bound) - 1, -1, -1):
        if bound[position].type is not None:
            operand = keep_operand(ctx, bound[position].operand, marks[position])
            kept[position] = replace(bound[position], operand=operand)
    return kept


def keep_operand(ctx: Lowering, operand: Operand, mark: int) -> Operand:
    """`Lowering.keep` for every scalar of an rvalue."""
    match operand:
        case Value():
            same = ctx.keep(operand.expr, mark)
            return operand if same is operand.expr else replace(operand, expr=same)
        case StructValue():
            return replace(operand, fields=tuple(keep_operand(ctx, f, mark) for f in reversed(operand.fields))[::-1])
        case ArrayValue():
            return replace(
                operand, elements=tuple(keep_operand(ctx, e, mark) for e in reversed(operand.elements))[::-1]
            )
        case _:
            return operand


def parameter_type(ctx: Lowering, node: syn.TypeNode) -> Type | None:
    """The type of a parameter: what a reference refers to, arrays as pointers; None for `auto`."""
    declared = declared_type(ctx, node)
    if isinstance(node, syn.ReferenceTo):
        return declared
    return None if declared is None else decayed(declared)


def decayed(type: Type) -> Type:
    return PointerType(type.element) if isinstance(type, ArrayType) else type


def declared_type(ctx: Lowering, node: syn.TypeNode) -> Type | None:
    """A result or parameter type, None for `auto` (also behind const) and `auto *`."""
    inner = node.target if isinstance(node, syn.ReferenceTo) else node
    pointed = inner
    while isinstance(pointed, syn.PointerTo):
        pointed = pointed.target
    if isinstance(pointed, syn.NamedType) and pointed.name == "auto":
        return None
    if isinstance(inner, syn.NamedType) and inner.name == "decltype" and inner.operand is None:
        return None
    return resolve.qualified(ctx, inner).type


def _binds_directly(operand: Operand, type: Type) -> bool:
    """Whether a reference to `type` can be the operand itself: an lvalue (or a struct value) of that very type."""
    if not isinstance(operand, Register | StructPlace | Memory | StructValue | ArrayValue):
        return False
    actual = type_of(operand)
    if actual == type or isinstance(type, OpaqueType) or isinstance(actual, OpaqueType):
        return True
    if isinstance(type, ArrayType) and isinstance(actual, ArrayType):
        return type.extent is None or type.element == actual.element
    if isinstance(type, PointerType) and isinstance(actual, PointerType):
        return type.target == actual.target  # qualifiers of the pointer itself do not matter to a reference
    return False


def measured(ctx: Lowering, body: syn.Stmt) -> Measure:
    """The measure of a body, taken once per unit."""
    known = ctx.unit.measures.get(id(body))
    if known is None:
        known = ctx.unit.measures[id(body)] = measure(body)
    return known


def _reassigned(ctx: Lowering, parameter: syn.Parameter, body: syn.Stmt | None) -> bool:
    """Whether the body gives the parameter a new value, so that it needs a variable."""
    if body is None or parameter.name is None or isinstance(parameter.type, syn.ReferenceTo):
        return False
    return parameter.name in measured(ctx, body).assigned


def copy_in(ctx: Lowering, bound: Bound, call: syn.Node) -> None:
    """Binds one parameter's name inside of the frame."""
    name = bound.parameter.name
    if name is None:
        return
    if bound.type is None:
        operand = bound.operand
        if bound.reference and not bound.deduced:
            operand = with_const(operand, bound.const)
        _bind_name(ctx, name, operand, bound.pack)
        ctx.scope.refer(name, bound.reference)
        return
    destructors.made(ctx, bound.type)  # it is destroyed where the call ends
    place = lower_declarations.declare_place(ctx, name, bound.type, bound.parameter.span)
    _bind_name(ctx, name, with_const(place, bound.const), bound.pack)
    ctx.scope.refer(name, bound.reference)
    lower_lvalues.store(ctx, place, bound.operand, call)


def _bind_name(ctx: Lowering, name: str, operand: Operand, pack: bool) -> None:
    """Binds a parameter's name; the elements of a pack are appended to it."""
    known = ctx.scope.bindings.get(name)
    if pack and isinstance(known, PackBinding):
        ctx.scope.bind(name, PackBinding((*known.elements, operand)))
    else:
        ctx.scope.bind(name, operand)
