"""Declarations inside of functions: where a variable lives, and what its name is bound to.

Scalars and pointers are one register, structs one register per member; arrays, unions, structs with bit-fields
and variables whose address escaped live in local memory.  `__shared__` variables are objects of the block.
References are bound to the place they refer to.
"""

from __future__ import annotations

from dataclasses import replace

from analysis_core.ir import constants, layout
from analysis_core.ir.nodes import AddressOf, Declare, UnknownStmt
from analysis_core.ir.spelling import spelling
from analysis_core.ir.types import (
    VOID,
    ArrayType,
    OpaqueType,
    PointerType,
    Qualified,
    Space,
    StructType,
    Type,
)
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import class_deduction, enumerations, expression_types, names, records, resolve
from analysis_core.lower.names.scope import Binding, TypeBinding
from analysis_core.lower.objects import base_parts, conversions, copies, destructors, references
from analysis_core.lower.objects import initialise as initialisers
from analysis_core.lower.statements import (
    inline,
    lower_calls,
    lower_casts,
    lower_closures,
    lower_lvalues,
)
from analysis_core.lower.values import (
    Category,
    Closure,
    FunctionName,
    Handle,
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
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside, touched
from analysis_core.text.span import Span

_OUTLIVES = frozenset({"__shared__", "static", "extern", "__device__"})

initialise = initialisers.initialise
default_initialise = initialisers.default_initialise
zero = initialisers.zero


def declare_place(ctx: Lowering, name: str, type: Type, span: Span, volatile: bool = False) -> Operand:
    """A new uninitialised variable.  `span` is that of the name: it identifies the declaration (`ctx.escaped`)."""
    type = resolve.complete(ctx, type)
    if span in ctx.escaped or isinstance(type, ArrayType) or not layout.in_registers(type):
        return _local_object(ctx, name, type, span, volatile)
    if isinstance(type, StructType):
        fields = tuple(declare_place(ctx, f"{name}.{field.name}", field.type, span) for field in type.fields)
        return StructPlace(type, fields, span)
    return Register(ctx.variable(name, type, span), type)


def _local_object(ctx: Lowering, name: str, type: Type, span: Span, volatile: bool = False) -> Memory:
    shown = f"{ctx.frame.function}(): {name}" if ctx.frame.function else name
    number = ctx.object(shown, Space.LOCAL, type, span)
    return Memory(type, AddressOf(number, PointerType(type)), volatile)


def declaration(ctx: Lowering, node: syn.Declaration) -> None:
    """One declaration of a function body."""
    match node:
        case syn.VarDecl():
            before = ctx.temporaries
            declare(ctx, node)
            if not isinstance(node.type, syn.ReferenceTo) and not node.storage & _OUTLIVES:
                destructors.own(ctx, node.name, before)
        case syn.TypeAlias(name=name, type=type):
            ctx.scope.bind(name, resolve.qualified(ctx, type))
        case syn.RecordDef(name=name):
            ctx.scope.bind(name, TypeBinding(records.define(ctx, node)))
        case syn.EnumDef():
            enumerations.declare_local(ctx, node)
        case syn.OpaqueDecl(cause=cause):
            found = ctx.cause(cause.kind, cause.reason, cause.span)
            changes = ctx.scope.visible_variables()
            ctx.emit(UnknownStmt(found, changes, memory=True, leaves=False, span=node.span))
        case syn.UsingDecl(target=target, enum=True):
            enumerations.bring_in(ctx, node, target)
        case syn.UsingDecl(target=target, namespace=False, alias=None):
            _using(ctx, node, target)
        case _:
            pass  # Prototypes; what is said of namespaces is in the tables of the unit (unit_tables.py).


def _using(ctx: Lowering, node: syn.Node, target: str) -> None:
    """`using a::f;` in a body: the name means that, and hides what is declared further out."""
    functions = ctx.unit.find_functions(target, ctx.scope.root().namespace)
    meant: Binding | None = FunctionName(target, functions) if functions else None
    if meant is None:
        meant = names.lookup(ctx, syn.Name(span=node.span, name=target)) or resolve.find_qualified(ctx, target, None)
    if meant is not None:
        ctx.scope.bind(target.rpartition("::")[2], meant)


def declare(ctx: Lowering, node: syn.VarDecl) -> None:
    """A variable: its place, its name, its initialiser."""
    spelled = syn.Name(span=node.name_span, expansion=node.expansion, name=node.name)
    if isinstance(node.type, syn.ReferenceTo):
        _reference(ctx, node, node.type, spelled)
        return
    if _is_auto(node.type):
        whole = _decltype_auto(ctx, node)
        if whole.reference:
            target = syn.NamedType(span=node.type.span, name="auto")
            referring = syn.ReferenceTo(span=node.type.span, target=target, rvalue=whole.reference == "&&")
            _reference(ctx, node, referring, spelled)
        else:
            _deduced(ctx, node, spelled, names.is_const(node) or whole.const)
        return
    whole = class_deduction.resolved(ctx, node.type, node.init)
    if whole.reference:
        _reference(ctx, node, syn.ReferenceTo(span=node.type.span, target=node.type, rvalue=True), spelled)
        return
    type = names.with_extent(ctx, whole.type, node)
    volatile = "volatile" in node.storage or "volatile" in resolve.qualifiers_of(node.type)
    if "__shared__" in node.storage:
        if "extern" not in node.storage:
            ctx.emit(Declare(ctx.hidden.shown(node.name), node.span))
        ctx.scope.bind(node.name, names.shared_object(ctx, node, type))
        return
    if ("static" in node.storage and not names.is_const(node)) or node.storage & {"__device__", "extern"}:
        aligned = names.declared_alignment(ctx, node)
        number = ctx.object(node.name, Space.GLOBAL, type, node.name_span, align=aligned)
        ctx.scope.bind(node.name, Memory(type, AddressOf(number, PointerType(type)), volatile))
        return
    if isinstance(type, ArrayType) and node.storage & {"static", "constexpr"}:
        number = ctx.object(node.name, Space.CONSTANT, type, node.name_span, read_only=True)
        ctx.scope.bind(node.name, Memory(type, AddressOf(number, PointerType(type))))
        return
    _variable(ctx, node, type, volatile, spelled)


def _variable(ctx: Lowering, node: syn.VarDecl, type: Type, volatile: bool, spelled: syn.Name) -> None:
    """A variable of automatic storage.  The name is bound after its initialiser was read but for `T x = f(&x)`."""
    if node.init is None:
        ctx.emit(Declare(ctx.hidden.shown(node.name), node.span))
    if isinstance(type, OpaqueType):
        if _library_object(ctx, node, type):
            return
        if type.is_missing and isinstance(node.init, syn.Construct):
            reason = f"the constructor of `{type.name}` is not visible"
            inline.forget_named(ctx, node.init.args, ctx.cause(CauseKind.MISSING, reason, node.span))
    value = None
    if node.init is not None and not isinstance(node.init, syn.InitList) and not isinstance(type, ArrayType):
        value = _initial_value(ctx, node, node.init, type)
        if isinstance(value, Handle | FunctionName | Closure):
            ctx.scope.bind(node.name, value)
            return
    place = declare_place(ctx, node.name, type, node.name_span, volatile)
    ctx.scope.bind(node.name, with_const(place, names.is_const(node)))
    if node.init is not None and isinstance(place, Memory):
        ctx.emit(Declare(ctx.hidden.shown(node.name), node.span))  # Its contents are stored, not assigned.
    if value is not None:
        written = lower_lvalues.store(ctx, place, value, spelled, whole=node.span)
        _remember_constant(ctx, node, place, written)
        _remember_object(ctx, node, place, written)
    elif node.init is not None:
        initialise(ctx, place, node.init, spelled)
    else:
        default_initialise(ctx, place, spelled)


def _initial_value(ctx: Lowering, node: syn.VarDecl, init: syn.Expr, type: Type) -> Operand:
    if isinstance(init, syn.Construct) and _same_spelling(init.type, node.type):
        # `T x(a, b)`; where the types differ, `T x = U(a, b)` converts from another object.
        return lower_casts.construct_type(ctx, type, init.args, init, init.braces)
    value = copies.initial_value(ctx, init, type)
    if isinstance(value, RegisterPointer) and not isinstance(type, PointerType):
        return lower_lvalues.spill(ctx, value, init)
    return value


def _same_spelling(left: syn.TypeNode, right: syn.TypeNode) -> bool:
    return left == right or spelling(left) == spelling(right)


def _remember_constant(ctx: Lowering, node: syn.VarDecl, place: Operand, written: Operand) -> None:
    """`const int n = 16;`: reading the name reads the constant, as in array extents."""
    if isinstance(place, Register) and isinstance(written, Value) and names.is_const(node):
        value = constants.fold(written.expr)
        if value is not None:
            ctx.scope.bind(node.name, Register(place.var, place.type, value, const=True))


def _remember_object(ctx: Lowering, node: syn.VarDecl, place: Operand, written: Operand) -> None:
    """`Base *p = &d;`: what a pointer points to that is never assigned again."""
    declaration = ctx.frame.declaration
    whole = base_parts.whole_of(ctx, written) if isinstance(written, Value) else None
    if whole is None or not isinstance(place, Register) or declaration is None or declaration.body is None:
        return
    changed = (name for inner in inside(declaration.body) for name in touched(inner))
    if "const" in node.type.qualifiers or node.name not in changed:
        ctx.scope.bind(node.name, replace(place, whole=whole))


def _library_object(ctx: Lowering, node: syn.VarDecl, type: OpaqueType) -> bool:
    """`cg::thread_block_tile<32> t(block);` and other objects that exist at compile time only."""
    args = node.init.args if isinstance(node.init, syn.Construct) else ()
    if node.init is not None and not isinstance(node.init, syn.Construct):
        return False
    call = node.init if node.init is not None else syn.Name(span=node.name_span, name=node.name)
    made = lower_calls.construct(ctx, type, args, call)
    if made is None:
        return False
    if isinstance(made, Handle | FunctionName | Closure):
        ctx.scope.bind(node.name, made)
        return True
    place = declare_place(ctx, node.name, type_of(made), node.name_span)
    ctx.scope.bind(node.name, place)
    lower_lvalues.store(ctx, place, made, call)
    return True


def _is_auto(node: syn.TypeNode) -> bool:
    while isinstance(node, syn.PointerTo):
        node = node.target
    if not isinstance(node, syn.NamedType):
        return False
    return node.name == "auto" or (node.name == "decltype" and node.operand is None)


def _decltype_auto(ctx: Lowering, node: syn.VarDecl) -> Qualified:
    """What `decltype(auto) x = e;` keeps of the type of e; nothing of any other `auto`."""
    if not isinstance(node.type, syn.NamedType) or node.type.name != "decltype" or node.init is None:
        return Qualified(VOID)
    return expression_types.declared_type(ctx, node.init)


def _deduced(ctx: Lowering, node: syn.VarDecl, spelled: syn.Name, const: bool) -> None:
    """`auto x = e;`: the decayed type of e."""
    if node.init is None:
        ctx.cause(CauseKind.READER, f"`auto {node.name}` without an initialiser", node.span)
        ctx.scope.bind(node.name, declare_place(ctx, node.name, OpaqueType("auto", "not initialised"), node.name_span))
        return
    value = copies.initial_value(ctx, names.single_initialiser(node.init) if _is_braced(node.init) else node.init)
    if isinstance(value, Handle | FunctionName | Closure | RegisterPointer):
        if not isinstance(value, RegisterPointer) or "const" in node.type.qualifiers:
            made = isinstance(value, Closure) and not isinstance(node.init, syn.Lambda)
            ctx.scope.bind(
                node.name, lower_closures.copied(ctx, value, node) if made and isinstance(value, Closure) else value
            )
            return
        value = lower_lvalues.spill(ctx, value, spelled)
    place = declare_place(ctx, node.name, type_of(value), node.name_span)
    ctx.scope.bind(node.name, with_const(place, const))
    written = lower_lvalues.store(ctx, place, value, spelled, whole=node.span)
    _remember_constant(ctx, node, place, written)


def _is_braced(init: syn.Expr) -> bool:
    """`auto x{e}` and `auto x(e)`."""
    if isinstance(init, syn.InitList):
        return True
    return isinstance(init, syn.Construct) and isinstance(init.type, syn.NamedType) and init.type.name == "auto"


def _reference(ctx: Lowering, node: syn.VarDecl, type_node: syn.ReferenceTo, spelled: syn.Name) -> None:
    """`T &x = e;`: another name of the place; a value, or one of another type, gets a variable of its own."""
    if node.init is None:
        ctx.cause(CauseKind.READER, f"the reference `{node.name}` is not initialised", node.span)
        ctx.scope.bind(node.name, declare_place(ctx, node.name, OpaqueType("?", "not initialised"), node.name_span))
        return
    init = names.single_initialiser(node.init)
    operand = references.referred(ctx, init, type_node)
    deduced = _is_auto(type_node.target)
    declared = None if deduced else resolve.qualified(ctx, type_node)
    wanted = None if declared is None else declared.type
    const = "const" in type_node.target.qualifiers if declared is None else declared.const
    goes_on = expression_types.given_type(ctx, operand, init).reference == "&"
    deduced_reference = "&&" if type_node.rvalue and not goes_on else "&"
    ctx.scope.refer(node.name, deduced_reference if declared is None else declared.reference)
    if isinstance(operand, Handle | FunctionName | Closure | RegisterPointer):
        ctx.scope.bind(node.name, operand)
        return
    if isinstance(wanted, StructType) and base_parts.is_derived(base_parts.class_of(ctx, operand), wanted):
        if isinstance(operand, StructValue):  # a temporary object, which lives as long as the reference
            whole = declare_place(ctx, node.name, operand.type, node.name_span)
            lower_lvalues.store(ctx, whole, operand, spelled)
            operand = whole
        operand = base_parts.to_base(ctx, operand, wanted) or operand
    is_place = isinstance(operand, Register | StructPlace | Memory)
    if is_place and (wanted is None or _refers_directly(type_of(operand), wanted)):
        place = with_category(ctx.freeze(operand, node.span), Category.LVALUE)
        ctx.scope.bind(node.name, place if deduced and not const else with_const(place, const))
        return
    value = lower_lvalues.load(ctx, operand, init)
    place = declare_place(ctx, node.name, wanted or type_of(value), node.name_span)
    ctx.scope.bind(node.name, with_const(place, const))
    lower_lvalues.store(ctx, place, value, spelled, whole=node.span)


def _refers_directly(actual: Type, wanted: Type) -> bool:
    if isinstance(wanted, OpaqueType) or isinstance(actual, OpaqueType):
        return True
    if isinstance(actual, StructType) and isinstance(wanted, StructType):
        return conversions.same_type(actual, wanted)
    if isinstance(actual, ArrayType) or isinstance(wanted, ArrayType):
        return isinstance(actual, ArrayType) and isinstance(wanted, ArrayType)
    return conversions.same_target(actual, wanted) or isinstance(wanted, PointerType)
