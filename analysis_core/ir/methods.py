"""Member functions, constructors and operators of the user's classes.

A class is found through the name of its `StructType` (`ctx.instances`), with the bindings of its template.  `this` is
a `RegisterPointer` where the object is held in registers, so that calling a method does not move it to memory, and
an ordinary pointer otherwise.  Members of base classes are members of the derived layout, so a base's methods run on
the derived object as it is; virtual calls do not occur in kernels that the analysis can follow.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from analysis_core.ir import (
    bind_parameters,
    constructors,
    conversions,
    inline,
    lower_declarations,
    lower_lvalues,
    overloads,
    records,
    resolve,
)
from analysis_core.ir.arguments import Argument
from analysis_core.ir.context import Lowering
from analysis_core.ir.nodes import Binary
from analysis_core.ir.scope import Binding, RecordInstance, join
from analysis_core.ir.types import OpaqueType, PointerType, StructType, Type
from analysis_core.ir.values import (
    Category,
    Memory,
    Operand,
    Register,
    RegisterPointer,
    StructPlace,
    StructValue,
    Value,
    type_of,
)
from analysis_core.ir.walk_syntax import inside, touched
from analysis_core.support.facts import CauseKind
from analysis_core.syntax import tree as syn

_BASE_DEPTH = 16
_MEMBER_ONLY = frozenset({"=", "()", "[]", "->"})


@dataclass(frozen=True, slots=True)
class Method:
    """A member function with the bindings of the class that declares it."""

    declaration: syn.FunctionDecl
    bindings: Mapping[str, Binding]


def instance_of(ctx: Lowering, type: Type) -> RecordInstance | None:
    """The definition behind a struct type (also one that is not complete yet), if it is the user's."""
    if not isinstance(type, StructType | OpaqueType):
        return None
    known = ctx.instances.get(type.name)
    if known is None and type.name in ctx.unit.records:
        # A type that was resolved for another kernel of the unit.
        record = ctx.unit.records[type.name][-1]
        if record.template is None:
            records.record_type(ctx, record, type.name, type.name, {})
            known = ctx.instances.get(type.name)
    return known


def methods_named(ctx: Lowering, instance: RecordInstance, name: str, depth: int = 0) -> list[Method]:
    """The member functions of that name: those of the class, else of its nearest bases."""
    found = own_methods(ctx, instance, name)
    if found or depth > _BASE_DEPTH or name == "operator=":  # the one of a derived class hides those of its bases
        return found
    for base in bases(ctx, instance):
        found.extend(methods_named(ctx, base, name, depth + 1))
    return found


def own_methods(ctx: Lowering, instance: RecordInstance, name: str) -> list[Method]:
    """Those that the class itself declares; what the compiler generates does what the layout says."""
    declared = (m for m in instance.definition.methods if m.name == name and "default" not in m.qualifiers)
    return [defined(ctx, instance, m) for m in declared]


def bases(ctx: Lowering, instance: RecordInstance) -> Iterator[RecordInstance]:
    for node in instance.definition.bases:
        with ctx.in_scope(instance.scope):
            type = resolve.resolve_type(ctx, node)
        base = instance_of(ctx, type)
        if base is not None:
            yield base


def defined(ctx: Lowering, instance: RecordInstance, declaration: syn.FunctionDecl) -> Method:
    """The declaration in the class, or its definition outside of it.

    Outside, the parameters of the class template may have other names: they are bound by position."""
    bindings = dict(instance.scope.bindings)
    if declaration.body is not None:
        return Method(declaration, bindings)
    key = join(instance.scope.namespace, declaration.name)
    for other in ctx.unit.functions.get(key, ()):
        if other.body is None or len(other.parameters) != len(declaration.parameters):
            continue
        if not _same_parameters(other, declaration) and not other.template:
            continue
        for mine, theirs in zip(instance.definition.template or (), other.template or ()):
            if mine.name in bindings and theirs.name is not None:
                bindings[theirs.name] = bindings[mine.name]
        if instance.definition.template and declaration.template is None:
            other = replace(other, template=None)  # Its parameters are those of the class, which are bound.
        return Method(other, bindings)
    return Method(declaration, bindings)


def _same_parameters(left: syn.FunctionDecl, right: syn.FunctionDecl) -> bool:
    return all(shape(a.type) == shape(b.type) for a, b in zip(left.parameters, right.parameters))


def shape(node: syn.TypeNode) -> tuple[str, ...]:
    """A type as written without places and qualifiers, for telling overloads apart."""
    parts: list[str] = []
    while True:
        match node:
            case syn.PointerTo(target=target):
                parts.append("*")
                node = target
            case syn.ReferenceTo(target=target):
                parts.append("&")
                node = target
            case syn.NamedType(name=name):
                return (*parts, name.rpartition("::")[2])
            case _:
                return (*parts, type(node).__name__)


def find_method(
    ctx: Lowering,
    instance: RecordInstance,
    name: str,
    template_args: Sequence[syn.TemplateArg] | None,
    operands: Sequence[Operand | None],
) -> tuple[Method | None, bool]:
    """The method that a call means, with its bindings; the flag says that there are several."""
    methods = methods_named(ctx, instance, name)
    if not methods:
        return None, False
    choice = overloads.choose(ctx, [m.declaration for m in methods], template_args, operands, methods[0].bindings)
    if choice.best is None:
        return None, choice.ambiguous
    return Method(choice.best.declaration, choice.best.bindings), False


# --- calls ------------------------------------------------------------------------------------------------------


def this_of(ctx: Lowering, operand: Operand, node: syn.Node) -> Operand | None:
    """What `this` is for an object (or for what `->` was applied to)."""
    match operand:
        case StructPlace(type=type):
            return RegisterPointer(replace(operand, category=Category.LVALUE), PointerType(type))
        case Memory(type=StructType() | OpaqueType() as type):
            frozen = ctx.freeze(operand, node.span)
            return Value(frozen.address, PointerType(type)) if isinstance(frozen, Memory) else None
        case StructValue(type=type):
            place = lower_declarations.declare_place(ctx, "(object)", type, node.span)
            lower_lvalues.store(ctx, place, operand, node)
            return this_of(ctx, place, node)
        case RegisterPointer():
            return operand
        case Value(type=PointerType()):
            return Value(ctx.save(operand.expr, node.span, "this"), operand.type)
        case Memory(type=PointerType()) | Register(type=PointerType()):
            return this_of(ctx, lower_lvalues.load(ctx, operand, node), node)
        case _:
            return None


def class_of(operand: Operand) -> Type:
    """The class type of an object, or of what a pointer points to."""
    type = type_of(operand)
    return type.target if isinstance(type, PointerType) else type


def call_method(
    ctx: Lowering,
    operand: Operand,
    name: str,
    template_args: Sequence[syn.TemplateArg] | None,
    arguments: Sequence[Argument],
    node: syn.Node,
) -> Operand | None:
    """`object.name(arguments)` or `pointer->name(arguments)`; None if the class has no such method."""
    type = resolve.complete(ctx, class_of(operand))
    instance = instance_of(ctx, type)
    if instance is None:
        return None
    method, ambiguous = find_method(ctx, instance, name, template_args, [a.operand for a in arguments])
    if method is None:
        if not ambiguous and not methods_named(ctx, instance, name):
            return None
        owner = instance.definition.name
        reason = f"which '{name}' of '{owner}' is meant" if ambiguous else f"no '{name}' of '{owner}' fits"
        operands = [a.operand for a in arguments] + [operand]
        result = OpaqueType(name, reason)
        return inline.opaque_call(ctx, CauseKind.ANALYSIS, reason, operands, result, node.span)
    return run_method(ctx, method, operand, arguments, node)


def run_method(
    ctx: Lowering, method: Method, operand: Operand | None, arguments: Sequence[Argument], node: syn.Node
) -> Operand:
    """Inlines a chosen method on an object; `operand` is None for a static one."""
    static = "static" in method.declaration.qualifiers
    this = None if operand is None or static else this_of(ctx, operand, node)
    return inline.inline(ctx, method.declaration, arguments, method.bindings, node, this)


# --- operators and conversions ----------------------------------------------------------------------------------


def lower_operator(ctx: Lowering, op: str, operands: Sequence[Operand], node: syn.Expr) -> Operand | None:
    """A user-declared operator on structs: a member of the left operand, or a free function; None: there is none."""
    name = f"operator{op}"
    arguments = [Argument(_operand_node(node, i), o, ctx.mark()) for i, o in enumerate(operands)]
    instance = instance_of(ctx, type_of(operands[0]))
    if instance is not None and methods_named(ctx, instance, name):
        method, _ = find_method(ctx, instance, name, None, [a.operand for a in arguments[1:]])
        if method is not None:
            return run_method(ctx, method, operands[0], arguments[1:], node)
    if op in _MEMBER_ONLY:
        return None
    declarations = free_functions(ctx, name, operands)
    if declarations:
        choice = overloads.choose(ctx, declarations, None, operands)
        if choice.best is not None:
            return inline.inline(ctx, choice.best.declaration, arguments, choice.best.bindings, node)
    return _vector_operator(ctx, op, operands, node)


def changes_operand(ctx: Lowering, op: str, operand: Operand) -> bool:
    """Whether some user-declared operator of that name may change its left operand, or give it back: then it gets the object
    itself.  All others get its value, which is read once."""
    instance = instance_of(ctx, type_of(operand))
    if instance is None or not isinstance(operand, StructPlace | Memory):
        return False
    name = f"operator{op}"
    members = methods_named(ctx, instance, name)
    own = {field.name for field in instance.definition.fields} | {m.name for m in instance.definition.methods}
    if any("const" not in m.declaration.qualifiers and _changes(m.declaration, own | {"this"}) for m in members):
        return True
    for free in free_functions(ctx, name, (operand,)):
        first = free.parameters[0] if free.parameters else None
        if first is None or not isinstance(first.type, syn.ReferenceTo) or "const" in first.type.target.qualifiers:
            continue
        if _changes(free, {first.name or ""}):
            return True
    return False


def _changes(declaration: syn.FunctionDecl, names: set[str]) -> bool:
    """Whether a function may change what these names denote, or returns a reference (to it)."""
    if declaration.body is None or isinstance(declaration.result, syn.ReferenceTo):
        return True
    for node in inside(declaration.body):
        if any(name in names for name in touched(node)):
            return True
        match node:
            case syn.Call(callee=syn.Name(name=name)) if name in names:
                return True
            case syn.Unary(op="*", operand=syn.Name(name="this")):
                return True
            case _:
                pass
    return False


def _operand_node(node: syn.Expr, position: int) -> syn.Expr:
    """The syntax of an operator's operand, for its place in the text."""
    match node:
        case syn.Binary(left=left, right=right):
            return right if position else left
        case syn.Assign(target=target, value=value):
            return value if position else target
        case syn.Subscript(base=base, index=index):
            return index if position else base
        case syn.Unary(operand=operand) | syn.IncDec(operand=operand):
            return operand
        case _:
            return node


def free_functions(ctx: Lowering, name: str, operands: Sequence[Operand | None]) -> list[syn.FunctionDecl]:
    """Functions of that name visible here, and those in the namespaces of the arguments' classes."""
    found = list(ctx.unit.find_functions(name, ctx.scope.root().namespace))
    for operand in operands:
        instance = None if operand is None else instance_of(ctx, class_of(operand))
        if instance is None:
            continue
        place = instance.scope.namespace.rpartition("::")[0]
        if place:
            found.extend(f for f in ctx.unit.functions.get(join(place, name), ()) if f not in found)
    return [f for f in found if not f.owner]


_VECTOR_OPERATORS = frozenset({"+", "-", "*", "/"})


def _vector_operator(ctx: Lowering, op: str, operands: Sequence[Operand], node: syn.Expr) -> Operand | None:
    """The toolkit's own operators: `half2` and `bfloat162` are added and multiplied by component."""
    base = op.removesuffix("=")
    if base not in _VECTOR_OPERATORS or len(operands) != 2:
        return None
    values = [lower_lvalues.load(ctx, o, node) for o in operands]
    left, right = values
    if not isinstance(left, StructValue) or not isinstance(right, StructValue) or left.type != right.type:
        return None
    if "half2" not in left.type.name and "bfloat162" not in left.type.name:
        return None
    parts = []
    for a, b in zip(left.fields, right.fields):
        if not isinstance(a, Value) or not isinstance(b, Value):
            return None
        parts.append(Value(Binary(base, a.expr, b.expr, a.type), a.type))
    result = StructValue(left.type, tuple(parts))
    if base == op:
        return result
    lower_lvalues.store(ctx, operands[0], result, node)
    return operands[0]


def conversion_operators(ctx: Lowering, instance: RecordInstance, depth: int = 0) -> list[Method]:
    """`operator T()` members, of the class and its bases."""
    found = [defined(ctx, instance, m) for m in instance.definition.methods if m.name.startswith("operator ")]
    if depth < _BASE_DEPTH:
        for base in bases(ctx, instance):
            found.extend(conversion_operators(ctx, base, depth + 1))
    return found


def convert_struct(ctx: Lowering, operand: Operand, type: Type, node: syn.Node) -> Operand | None:
    """A user-defined conversion from or to a class, or None."""
    given = type_of(operand)
    source = instance_of(ctx, given) if isinstance(given, StructType) else None
    if source is not None:
        method = _conversion_to(ctx, source, type)
        if method is not None:
            result = run_method(ctx, method, operand, (), node)
            return conversions.convert(ctx, result, type, node)
        sliced = _base_part(ctx, source, operand, type)
        if sliced is not None:
            return sliced
    target = instance_of(ctx, type) if isinstance(type, StructType) else None
    if target is not None and isinstance(type, StructType) and given != type:
        converting = [c for c in constructors.constructors_of(ctx, target) if overloads.takes(c.declaration, 1)]
        argument = Argument(as_expression(node), operand, ctx.mark())
        if converting:
            return constructors.construct_from(ctx, type, target, converting, [argument], node)
    return None


def as_expression(node: syn.Node) -> syn.Expr:
    """The node that a converted operand is reported at."""
    return node if isinstance(node, syn.Expr) else syn.Name(span=node.span, name="(operand)")


def _conversion_to(ctx: Lowering, instance: RecordInstance, type: Type) -> Method | None:
    """The conversion operator whose result fits best."""
    best: tuple[int, Method] | None = None
    for method in conversion_operators(ctx, instance):
        with ctx.in_scope(inline.function_scope(method.declaration, method.bindings)):
            result = bind_parameters.parameter_type(ctx, method.declaration.result)
        if result is None or isinstance(result, StructType):
            continue
        rank = overloads.rank_types(ctx, result, type)
        if rank < overloads.USER and (best is None or rank < best[0]):
            best = rank, method
    return None if best is None else best[1]


def _base_part(ctx: Lowering, source: RecordInstance, operand: Operand, type: Type) -> Operand | None:
    """The base class part of a derived value: the base's fields come first."""
    if not isinstance(type, StructType) or not isinstance(operand, StructValue):
        return None
    names = [f.name for f in operand.type.fields]
    if not is_base(ctx, source, type) or any(f.name not in names for f in type.fields):
        return None
    return StructValue(type, tuple(operand.fields[names.index(f.name)] for f in type.fields))


def base_place(ctx: Lowering, place: Operand, type: StructType) -> Operand | None:
    """The part of a derived object in a place that is its base of that type; None if the base has no members."""
    derived = type_of(place)
    if isinstance(place, RegisterPointer) or not isinstance(derived, StructType) or not type.fields:
        return None
    at = {field.name: i for i, field in enumerate(derived.fields)}
    if any(field.name not in at for field in type.fields):
        return None
    if isinstance(place, StructPlace):
        return StructPlace(type, tuple(place.fields[at[f.name]] for f in type.fields), place.declared, place.category)
    if isinstance(place, Memory):
        offset = derived.fields[at[type.fields[0].name]].offset - type.fields[0].offset
        return replace(place, type=type, address=conversions.moved(place.address, offset, type, place.volatile))
    return None


def is_base(ctx: Lowering, source: RecordInstance, type: StructType, depth: int = 0) -> bool:
    wanted = ctx.instances.get(type.name)
    if wanted is None or depth > _BASE_DEPTH:
        return False
    return any(
        base.definition is wanted.definition or is_base(ctx, base, type, depth + 1) for base in bases(ctx, source)
    )


def converts(ctx: Lowering, given: Type, wanted: Type) -> bool:
    """Whether a user-defined conversion exists between two types."""
    source = instance_of(ctx, given) if isinstance(given, StructType) else None
    if source is not None:
        if _conversion_to(ctx, source, wanted) is not None:
            return True
        if isinstance(wanted, StructType) and is_base(ctx, source, wanted):
            return True
    target = instance_of(ctx, wanted) if isinstance(wanted, StructType) else None
    if target is None:
        return False
    return any(
        _constructs(ctx, c, given)
        for c in constructors.constructors_of(ctx, target)
        if overloads.takes(c.declaration, 1)
    )


def _constructs(ctx: Lowering, constructor: Method, given: Type) -> bool:
    """Whether a constructor takes a value of that type without a further user-defined conversion."""
    with ctx.in_scope(inline.function_scope(constructor.declaration, constructor.bindings)):
        wanted = bind_parameters.parameter_type(ctx, constructor.declaration.parameters[0].type)
    if wanted is None or constructor.declaration.template:
        return True
    if isinstance(wanted, StructType) or isinstance(given, StructType):
        return conversions.same_type(given, wanted)
    return overloads.rank_types(ctx, given, wanted) < overloads.USER
