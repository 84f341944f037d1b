"""Copies and moves of class objects: where a new object is made from another one, the user's constructor runs.

[class.copy.ctor], [class.copy.assign] and [class.copy.elision] as C++17 has them: a prvalue makes the new object itself; a named
variable that is returned is made in the place of the result where g++ does so (`returned_category`), else moved.  Classes whose
members or bases have such constructors are copied member by member.  All others are read and written as before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from analysis_core.ir.nodes import Const
from analysis_core.ir.type_names import spell
from analysis_core.ir.types import ArrayType, OpaqueType, StructType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import overloads, resolve
from analysis_core.lower.names.scope import RecordInstance
from analysis_core.lower.objects import (
    base_parts,
    class_conversions,
    constructors,
    conversions,
    destructors,
    methods,
    opaque_places,
)
from analysis_core.lower.statements import inline, lower_calls, lower_declarations, lower_expressions, lower_lvalues
from analysis_core.lower.statements.arguments import Argument
from analysis_core.lower.values import (
    ArrayValue,
    Category,
    Memory,
    Operand,
    StructPlace,
    StructValue,
    type_of,
    with_category,
)
from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass

_NOT_STORED = frozenset({"static", "constexpr"})
_NO_VARIABLE = frozenset({"static", "__shared__", "extern", "__device__", "__constant__"})


# --- questions about classes ------------------------------------------------------------------------------------


def runs_code(ctx: Lowering, type: Type) -> bool:
    """Whether copying or moving an object of the type runs a constructor of the user's, its own or that of a part."""
    return _anywhere(
        ctx, type, lambda record: any(not _is_memberwise(m.declaration, record) for m in _copying(ctx, record))
    )


def assigned_by_code(ctx: Lowering, type: Type) -> bool:
    """Whether assigning an object of the type runs an operator = of the user's: of the class, a part of it or a base."""
    return _anywhere(ctx, type, lambda record: bool(methods.own_methods(ctx, record, "operator=")))


def _anywhere(ctx: Lowering, type: Type, own: Callable[[RecordInstance], bool]) -> bool:
    """Whether something holds for the class of an object, of a part of it, or for a base."""
    pending, seen = [type], set[str]()
    while pending:
        type = pending.pop()
        while isinstance(type, ArrayType):
            type = type.element
        type = resolve.complete(ctx, type)
        instance = ctx.instances.get(type.name) if isinstance(type, StructType) else None
        if instance is None or not isinstance(type, StructType) or type.name in seen:
            continue
        seen.add(type.name)
        if own(instance):
            return True
        pending += [*(field.type for field in type.own_fields), *_base_types(ctx, instance)]
    return False


def _base_types(ctx: Lowering, instance: RecordInstance) -> Iterator[StructType]:
    for node in instance.definition.bases:
        with ctx.in_scope(instance.scope):
            type = resolve.complete(ctx, resolve.resolve_type(ctx, node))
        if isinstance(type, StructType):
            yield type


def _copying(ctx: Lowering, instance: RecordInstance) -> list[methods.Method]:
    """The copy and move constructors that the class declares, defaulted and deleted ones too."""
    definition = instance.definition
    found = [m for m in definition.methods if m.name == definition.name and _takes_own(m, definition.name)]
    return [methods.defined(ctx, instance, m) for m in found]


def _takes_own(declaration: syn.FunctionDecl, name: str) -> bool:
    if not name or declaration.template or not declaration.parameters or not overloads.takes(declaration, 1):
        return False
    first = declaration.parameters[0].type
    target = first.target if isinstance(first, syn.ReferenceTo) else None
    return isinstance(target, syn.NamedType) and target.name.rpartition("::")[2] == name


def _is_memberwise(declaration: syn.FunctionDecl, instance: RecordInstance) -> bool:
    """Whether the constructor does what the compiler's own would: `M(const M &o) : x(o.x), y(o.y) {}`."""
    if "default" in declaration.qualifiers:
        return True
    definition = instance.definition
    if declaration.body is None or declaration.body.body or definition.bases or definition.keyword == "union":
        return False
    other = declaration.parameters[0].name
    members = {f.name for f in definition.fields if not f.storage & _NOT_STORED}
    taken = set()
    for name, args in declaration.initialisers:
        match args:
            case (syn.Member(base=syn.Name(name=base), name=source),) if base == other and source == name:
                taken.add(name)
            case _:
                return False
    return taken == members


# --- new objects from others ------------------------------------------------------------------------------------


def category_of(ctx: Lowering, expr: syn.Node, operand: Operand) -> Category:
    """The value category of the expression that denotes a class object."""
    match expr:
        case syn.Name():
            return Category.LVALUE
        case syn.Member(arrow=True):
            return Category.LVALUE
        case syn.Member(base=base) if isinstance(operand, StructValue):
            named = base
            while isinstance(named, syn.Member) and not named.arrow:
                named = named.base
            return Category.LVALUE if isinstance(named, syn.Name | syn.Member) else Category.XVALUE
        case syn.Binary(op=",", right=right):
            return category_of(ctx, right, operand)
        case syn.Conditional(then=then, otherwise=otherwise) if isinstance(operand, StructValue):
            with ctx.scratch():
                arms = {category_of(ctx, arm, lower_expressions.operand(ctx, arm)) for arm in (then, otherwise)}
            return arms.pop() if len(arms) == 1 else Category.PRVALUE
        case _ if isinstance(operand, StructPlace | Memory):
            return operand.category
        case _:
            return Category.PRVALUE


def object_of(ctx: Lowering, expr: syn.Expr) -> Operand:
    """The value of `expr`, with one exception: an object whose copies run code stays a place until it is known whether
    it is copied."""
    operand = lower_expressions.operand(ctx, expr)
    return operand if stays_place(ctx, operand) else lower_lvalues.load(ctx, operand, expr)


def stays_place(ctx: Lowering, operand: Operand) -> bool:
    """Whether an argument stays a place until it is known whether it is passed by value."""
    if isinstance(operand, Memory) and opaque_places.is_shared_whole(ctx, operand):
        return True
    return isinstance(operand, StructPlace | Memory) and (
        runs_code(ctx, operand.type) or assigned_by_code(ctx, operand.type)
    )


def is_chosen_object(ctx: Lowering, expr: syn.Expr, operand: Operand) -> bool:
    """Whether `expr` is `c ? a : b` of two objects with copies of their own, whose value is no longer either of them."""
    chosen = isinstance(expr, syn.Conditional) and isinstance(operand, StructValue)
    return chosen and runs_code(ctx, type_of(operand)) and category_of(ctx, expr, operand) is not Category.PRVALUE


def initial_value(ctx: Lowering, expr: syn.Expr, type: Type | None = None) -> Operand:
    """What a new object of the type (None: of that of `expr`) is initialised with by `expr`."""
    return new_object(ctx, lower_expressions.operand(ctx, expr), type, expr)


def new_object(
    ctx: Lowering, operand: Operand, type: Type | None, node: syn.Node, category: Category | None = None
) -> Operand:
    """The value of a new object of class `type` that is initialised by `operand`; any other operand loaded."""
    given = resolve.complete(ctx, type_of(operand))
    wanted = given if type is None else resolve.complete(ctx, type)
    if not isinstance(wanted, StructType) or not isinstance(given, StructType) or not runs_code(ctx, wanted):
        return lower_lvalues.load(ctx, operand, node)
    same = conversions.same_type(given, wanted)
    if category is None:
        category = category_of(ctx, node, operand)
    if same and category is Category.PRVALUE:
        return lower_lvalues.load(ctx, operand, node)
    if not same and not _is_derived(ctx, given, wanted):
        return lower_lvalues.load(ctx, operand, node)
    return lower_lvalues.load(ctx, _copied(ctx, wanted, operand, category, node), node)


def _is_derived(ctx: Lowering, given: StructType, wanted: StructType) -> bool:
    source = methods.instance_of(ctx, given)
    return source is not None and methods.is_base(ctx, source, wanted)


def is_own(ctx: Lowering, given: Type, wanted: StructType) -> bool:
    """Whether an object of one type initialises one of the other by a copy: of the same class, or of a derived one."""
    found = resolve.complete(ctx, given)
    return isinstance(found, StructType) and (conversions.same_type(found, wanted) or _is_derived(ctx, found, wanted))


def _copied(ctx: Lowering, type: StructType, operand: Operand, category: Category, node: syn.Node) -> Operand:
    instance = methods.instance_of(ctx, type)
    if instance is None:
        return operand
    declared = _copying(ctx, instance)
    moving = [m for m in declared if _moves(m.declaration)]
    chosen = moving if moving and category is not Category.LVALUE else [m for m in declared if m not in moving]
    if len(chosen) > 1 or (moving and not chosen):
        reason = f"which constructor of `{spell(type)}` copies is not decided"
        return inline.opaque_call(ctx, CauseKind.UNSUPPORTED, reason, [operand], type, node.span)
    if not chosen:
        generated = not any(m.name in ("operator=", f"~{type.name}") for m in instance.definition.methods)
        return _memberwise(ctx, type, instance, operand, category if generated else Category.LVALUE, node)
    if "default" in chosen[0].declaration.qualifiers:
        return _memberwise(ctx, type, instance, operand, category if moving else Category.LVALUE, node)
    place = lower_declarations.declare_place(ctx, f"({instance.definition.name})", type, node.span)
    this = methods.this_of(ctx, place, node)
    argument = Argument(class_conversions.as_expression(node), operand, ctx.mark())
    if this is not None:
        constructors.run_constructor(ctx, chosen[0], instance, place, this, [argument], node)
        destructors.made(ctx, type)
    return with_category(place, Category.PRVALUE)


def _moves(declaration: syn.FunctionDecl) -> bool:
    first = declaration.parameters[0].type
    return isinstance(first, syn.ReferenceTo) and first.rvalue


def _memberwise(
    ctx: Lowering, type: StructType, instance: RecordInstance, operand: Operand, category: Category, node: syn.Node
) -> Operand:
    """The copy that the compiler generates: bases, then members, each as its own class says."""
    if instance.definition.keyword == "union":
        return operand
    given = base_parts.to_base(ctx, operand, type)
    if given is None:
        reason = f"which base is copied to a `{spell(type)}`"
        return inline.opaque_call(ctx, CauseKind.UNSUPPORTED, reason, [operand], type, node.span)
    values: list[Operand] = []
    for base in type.bases:
        of_base = base_parts.part(ctx, given, base)
        copied = None if of_base is None else _copied_base(ctx, base.type, of_base, category, node)
        if isinstance(copied, StructValue):
            values.extend(copied.fields)
    for index in range(len(values), len(type.fields)):
        part = base_parts.field_at(given, index)
        field = type.fields[index]
        values.append(operand if part is None else _part(ctx, part, field.type, category, node))
    return StructValue(type, tuple(values))


def _copied_base(ctx: Lowering, type: StructType, operand: Operand, category: Category, node: syn.Node) -> Operand:
    made = _copied(ctx, type, operand, category, node) if runs_code(ctx, type) else operand
    return lower_lvalues.load(ctx, made, node)


def _part(ctx: Lowering, part: Operand, type: Type, category: Category, node: syn.Node) -> Operand:
    """A member's copy; arrays are copied, not decayed."""
    if not isinstance(type, ArrayType):
        return new_object(ctx, part, type, node, category)
    if not isinstance(part, Memory):
        return part
    count = int(type.extent.value) if isinstance(type.extent, Const) else None
    if count is None or count > lower_lvalues.COPIED_ELEMENTS:
        cause = ctx.cause(CauseKind.UNSUPPORTED, "an array is copied as a whole", node.span)
        return lower_lvalues.unknown_operand(cause, type)
    elements = (lower_lvalues.element_at(ctx, part, type, i) for i in range(count))
    return ArrayValue(type, tuple(_part(ctx, e, type.element, category, node) for e in elements))


# --- assignments ------------------------------------------------------------------------------------------------


def assign_members(ctx: Lowering, target: Operand, value: Operand, node: syn.Expr) -> None:
    """`target = value` as the compiler generates it for a class whose parts have an operator = of their own."""
    type = resolve.complete(ctx, type_of(target))
    if isinstance(type, StructType) and type_of(value) != type:
        value = conversions.convert(ctx, value, type, node)
    _assign_parts(ctx, target, value, type, node)


def _assign_parts(ctx: Lowering, target: Operand, value: Operand, type: Type, node: syn.Expr) -> None:
    instance = ctx.instances.get(type.name) if isinstance(type, StructType) else None
    if isinstance(type, StructType) and instance is not None and assigned_by_code(ctx, type):
        for base in type.bases:
            _assign_part(ctx, base_parts.part(ctx, target, base), base_parts.part(ctx, value, base), base.type, node)
        inherited = len(type.fields) - len(type.own_fields)
        for index, field in enumerate(type.own_fields, inherited):
            to, part = base_parts.field_at(target, index), base_parts.field_at(value, index)
            _assign_part(ctx, to, part, resolve.complete(ctx, field.type), node)
    elif isinstance(type, ArrayType) and assigned_by_code(ctx, type):
        reason = "objects with an operator = in an array are assigned as a whole"
        inline.opaque_call(ctx, CauseKind.UNSUPPORTED, reason, [target], OpaqueType("array", reason), node.span)
    elif isinstance(type, ArrayType):
        lower_lvalues.store(ctx, target, _part(ctx, value, type, Category.LVALUE, node), node)
    else:
        lower_lvalues.store(ctx, target, lower_lvalues.load(ctx, value, node), node)


def _assign_part(ctx: Lowering, target: Operand | None, value: Operand | None, type: Type, node: syn.Expr) -> None:
    """A base or a member: by its own operator =, if it has one."""
    if target is None or value is None:
        return
    operator = lower_calls.lower_operator(ctx, "=", (target, value), node) if isinstance(type, StructType) else None
    if operator is None:
        _assign_parts(ctx, target, value, type, node)


# --- returned variables -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Returning:
    """A function whose `return`s are looked at."""

    parameters: tuple[syn.Parameter, ...]
    body: syn.Compound


def returned_category(function: Returning, value: syn.Expr) -> Category | None:
    """How the operand of a `return` initialises the result; None: as any other expression.

    A variable of the outermost block that every `return` names is the result itself (g++ up to 13); any other variable and
    every parameter by value is moved."""
    if not isinstance(value, syn.Name):
        return None
    if any(p.name == value.name for p in function.parameters):
        mine = next(p for p in function.parameters if p.name == value.name)
        return None if isinstance(mine.type, syn.ReferenceTo) else Category.XVALUE
    nodes = list(inside(function.body, lambdas=False))
    declared = [n for n in nodes if isinstance(n, syn.VarDecl) and n.name == value.name]
    if not declared or any(isinstance(d.type, syn.ReferenceTo) or d.storage & _NO_VARIABLE for d in declared):
        return None
    returns = [n.value for n in nodes if isinstance(n, syn.Return)]
    always = all(isinstance(r, syn.Name) and r.name == value.name for r in returns)
    outermost = any(
        isinstance(s, syn.DeclStmt) and any(d is declared[0] for d in s.declarations) for s in function.body.body
    )
    return Category.PRVALUE if always and outermost and len(declared) == 1 else Category.XVALUE


def captured(ctx: Lowering, place: StructPlace | Memory, node: syn.Node) -> Operand:
    """The copy that a closure holds of a variable."""
    return _part(ctx, place, resolve.complete(ctx, place.type), Category.LVALUE, node)
