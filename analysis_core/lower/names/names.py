"""What a name in an expression denotes: local bindings, members through `this`, file-scope declarations, builtins.

Names that are declared nowhere come from headers that are absent, or are typed at this moment.  Two kinds are told
apart.  A name that the unit uses as an array extent, a template argument or a case label must be an integer
constant by the rules of the language: it becomes one opaque block-uniform constant with an assumption.  Any other
one is an unknown of kind MISSING.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from analysis_core.ir.constants import constant as make_constant
from analysis_core.ir.literals import KNOWN_CONSTANTS
from analysis_core.ir.nodes import AddressOf, Builtin, BuiltinKind, Const
from analysis_core.ir.scalars import DIM3, SIZE_T, UINT3
from analysis_core.ir.types import (
    CHAR,
    INT,
    UINT,
    ArrayType,
    OpaqueType,
    PointerType,
    Space,
    StructType,
    Type,
)
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import enumerations, member_names, nested_types, resolve, variable_templates
from analysis_core.lower.names.absent_headers import absent_headers
from analysis_core.lower.names.scope import Binding, PackBinding, Scope, TemplateBinding, TypeBinding, Unit
from analysis_core.lower.objects import conversions
from analysis_core.lower.statements import inline, lower_calls, lower_expressions
from analysis_core.lower.values import (
    Category,
    FunctionName,
    Handle,
    Memory,
    Operand,
    StructValue,
    Value,
    with_category,
)
from analysis_core.support.facts import CauseKind
from analysis_core.support.fuel import OutOfFuel
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.span import Span

_NESTED = 1024
"""Constants that are worked out inside of each other: the standard's recommended least for templates ([implimits])."""

BUILTINS: Mapping[str, tuple[BuiltinKind, StructType]] = {
    "threadIdx": (BuiltinKind.THREAD_IDX, UINT3),
    "blockIdx": (BuiltinKind.BLOCK_IDX, UINT3),
    "blockDim": (BuiltinKind.BLOCK_DIM, DIM3),
    "gridDim": (BuiltinKind.GRID_DIM, DIM3),
}


_NAMES_OF_FUNCTIONS = ("__func__", "__FUNCTION__", "__PRETTY_FUNCTION__")
"""What compilers name the function around them by, as text."""


def _function_name(ctx: Lowering) -> str:
    return ctx.frame.function or (ctx.frame.declaration.name if ctx.frame.declaration is not None else "")


def name_operand(ctx: Lowering, node: syn.Name) -> Operand:
    """What `node` denotes; never fails, what is not declared is a recorded unknown."""
    found = lookup(ctx, node)
    return found if found is not None else _undeclared(ctx, node)


def lookup(ctx: Lowering, node: syn.Name) -> Operand | None:
    """What a name denotes, for declared names and built-in ones only; None where nothing of that name is visible."""
    name = node.name
    if name == "this":
        return ctx.frame.this
    if "::" not in name:
        binding = ctx.scope.find(name)
        if binding is not None:
            return _bound(ctx, binding, node)
        member = member_names.through_this(ctx, node) or member_names.of_base(ctx, node)
        if member is not None:
            return member
    else:
        binding = ctx.scope.find_qualified(name)
        if binding is not None:
            return _bound(ctx, binding, node)
        this = ctx.frame.this
        member = None if this is None else member_names.qualified_member(ctx, this, node)
        if member is not None:
            return member
    found = declared(ctx, node)
    if found is not None:
        return found
    if name in BUILTINS:
        return builtin_vector(ctx, name)
    if name in KNOWN_CONSTANTS:
        known = KNOWN_CONSTANTS[name]
        return Value(known, known.type)
    return string_object(ctx, f'"{_function_name(ctx)}"', node.span) if name in _NAMES_OF_FUNCTIONS else None


def _bound(ctx: Lowering, binding: Binding, node: syn.Name) -> Operand:
    match binding:
        case TypeBinding() | TemplateBinding():
            # `T` as the callee of `T(x)`: a call, which asks for types first.
            return FunctionName(node.name, ())
        case PackBinding():
            return ctx.unknown(
                CauseKind.UNSUPPORTED, f"the parameter pack `{node.name}` is not expanded", node.span, INT
            )
        case _:
            return with_category(binding, Category.LVALUE)


def builtin_vector(ctx: Lowering, name: str) -> StructValue:
    """All of threadIdx, blockIdx, blockDim or gridDim."""
    kind, type = BUILTINS[name]
    for axis in range(3):
        ctx.axis(kind, axis)
    return StructValue(type, tuple(Value(Builtin(kind, axis, UINT), UINT) for axis in range(3)))


def builtin_component(ctx: Lowering, node: syn.Member) -> Value | None:
    """`threadIdx.x` and so on, unless the program declares a variable of that name."""
    base = node.base
    if not isinstance(base, syn.Name) or base.name not in BUILTINS or node.name not in ("x", "y", "z"):
        return None
    if ctx.scope.find(base.name) is not None:
        return None
    kind, _ = BUILTINS[base.name]
    axis = "xyz".index(node.name)
    ctx.axis(kind, axis)
    return Value(Builtin(kind, axis, UINT), UINT)


# --- file scope -------------------------------------------------------------------------------------------------


def declared(ctx: Lowering, node: syn.Name) -> Operand | None:
    head, _, last = node.name.removeprefix("::").rpartition("::")
    if head and (head not in ctx.unit.namespaces or ctx.unit.find_records(head, ctx.scope.root().namespace)):
        static = member_names.static_member(ctx, head, last, node)
        if static is None and any(
            r.template is not None for r in ctx.unit.find_records(head, ctx.scope.root().namespace)
        ):
            static = _undecided_member(ctx, head, node)
        if static is not None:
            return static
    root = ctx.scope.root()
    here = nested_types.enclosing_instance(ctx) if not head else None
    own = None if here is None else member_names.own_member(ctx, here, last, node)
    if own is not None:
        return own
    for candidate in ctx.unit.qualified(node.name, root.namespace):
        enumerator_ = ctx.unit.enumerators.get(candidate)
        if enumerator_ is not None:
            return enumerations.enumerator_operand(ctx, enumerator_, candidate, node)
        templates = ctx.unit.variable_templates.get(candidate)
        if templates:
            args = node.parts[-1] if node.parts else node.template_args
            return variable_templates.instantiate(ctx, candidate, templates, args or (), node)
        variable = ctx.unit.variables.get(candidate)
        if variable is not None:
            return file_variable(ctx, candidate, variable, node)
        functions = ctx.unit.functions.get(candidate)
        if functions:
            return FunctionName(candidate, tuple(functions), node.template_args)
    return None


def _undecided_member(ctx: Lowering, head: str, node: syn.Name) -> Operand | None:
    """A member of a class template of which it is not known which definition is meant: each may declare another one."""
    args, before = (node.parts[-2], node.parts[:-1]) if node.parts else (node.template_args, ())
    outer = resolve.find_qualified(ctx, head, args, before)
    type = None if outer is None else outer.type
    if type is not None and not isinstance(type, OpaqueType):
        return None
    why = f"no definition of `{head}` for these arguments is seen" if type is None else type.why
    reason = f"`{node.name}` is not known: {why}"
    return ctx.unknown(CauseKind.ANALYSIS, reason, node.span, OpaqueType(node.name, reason))


def file_variable(
    ctx: Lowering, name: str, declaration: syn.VarDecl, node: syn.Name, inside: Scope | None = None
) -> Operand:
    """A variable of namespace scope or a static member: a constant, an object of the device, or one of the host.

    `name` is its key; `inside` the scope of the class instance that declares it."""
    known = ctx.globals.get(name)
    if known is not None:
        return known
    constant = _constant_variable(ctx, name, declaration, inside)
    if constant is not None:
        return Value(constant, constant.type)
    home = Scope(None, name.rpartition("::")[0]) if inside is None else inside
    found = _device_object(ctx, home, declaration, node)
    if not isinstance(found, Value):
        ctx.globals[name] = found
    return found


def is_const(declaration: syn.VarDecl) -> bool:
    """Whether the variable itself (not what it points to) is const."""
    return bool(declaration.storage & {"const", "constexpr"}) or "const" in resolve.qualifiers_of(declaration.type)


def _constant_variable(ctx: Lowering, name: str, declaration: syn.VarDecl, inside: Scope | None) -> Const | None:
    """The value of `const int N = 16;`, `constexpr`, static const members; None for anything else."""
    if declaration.init is None or not is_const(declaration):
        return None
    if declaration.storage & {"__constant__", "__device__", "__shared__", "__managed__"}:
        if not declaration.storage & {"constexpr"}:
            return None
    root = ctx.scope.root() if inside is None else inside
    home = name.rpartition("::")[0] if inside is None else inside.namespace
    bindings = ctx.unit.arguments_in(root, home)
    instance = (name, *bindings.items())
    known = ctx.constants.get(instance)
    if known is not None or name in ctx.evaluating or not isinstance(declaration.type, syn.NamedType):
        return known
    if instance in ctx.without_value:
        return None
    if len(ctx.evaluating) >= _NESTED:
        raise OutOfFuel("what is instantiated there is nested too deeply")
    ctx.evaluating.add(name)
    try:
        with ctx.in_scope(Scope(None, home, bindings)):
            value = lower_expressions.constant(ctx, single_initialiser(declaration.init))
            type = resolve.resolve_type(ctx, declaration.type) if value is not None else INT
    finally:
        ctx.evaluating.discard(name)
    if value is None:
        ctx.without_value.add(instance)
    if not ctx.evaluating:
        ctx.without_value.clear()
    if value is None:
        return None
    if isinstance(type, OpaqueType):
        result: Const | None = value
    else:
        result = make_constant(value.value, type)
    if result is not None:
        ctx.constants[instance] = result
    return result


def single_initialiser(init: syn.Expr) -> syn.Expr:
    """`{x}` and `T(x)` as initialisers of a scalar are `x`."""
    while True:
        match init:
            case syn.InitList(items=(item,)) | syn.Construct(args=(item,)):
                init = item
            case _:
                return init


def _device_object(ctx: Lowering, home: Scope, declaration: syn.VarDecl, node: syn.Name) -> Operand:
    """`home`: from where its declaration is read."""
    with ctx.in_scope(home):
        type = with_extent(ctx, resolve.resolve_type(ctx, declaration.type), declaration)
        alignment = declared_alignment(ctx, declaration)
    storage = declaration.storage
    if "__shared__" in storage:
        return shared_object(ctx, declaration, type)
    if isinstance(type, OpaqueType) and type.why.startswith("library"):
        return Handle(declaration, type)
    volatile = "volatile" in storage or "volatile" in resolve.qualifiers_of(declaration.type)
    if "__constant__" in storage:
        space, read_only = Space.CONSTANT, True
    elif storage & {"__device__", "__managed__"}:
        space, read_only = Space.GLOBAL, is_const(declaration)
    elif "constexpr" in storage or (is_const(declaration) and isinstance(declaration.init, syn.InitList)):
        space, read_only = Space.CONSTANT, True
    elif lower_calls.library_type(ctx, _type_name(declaration.type), None) is not None:
        return Handle(declaration, type)
    else:
        what = "has no value that is known here" if is_const(declaration) else "is a variable of the host"
        reason = f"`{node.name}` {what}"
        return ctx.unknown(CauseKind.MISSING, reason, node.span, _element(type))
    number = ctx.object(declaration.name, space, type, declaration.name_span, read_only, alignment)
    return Memory(type, AddressOf(number, PointerType(type)), volatile, const=is_const(declaration))


def declared_alignment(ctx: Lowering, node: syn.VarDecl) -> int:
    """The bytes of `__align__(N)`, `alignas(N)` or its typedef's; 1 where none are declared, or none that are known here."""
    values = [lower_expressions.constant(ctx, alignment) for alignment in node.alignments]
    said = max(1, resolve.qualified(ctx, node.type).align)
    return max((v.value for v in values if v is not None and isinstance(v.value, int) and v.value > said), default=said)


def with_extent(ctx: Lowering, type: Type, node: syn.VarDecl) -> Type:
    """`int a[] = {1, 2, 3}` has the extent of its initialiser."""
    if not isinstance(type, ArrayType) or type.extent is not None:
        return type
    match node.init:
        case syn.InitList(items=items) | syn.Construct(args=items):
            return ArrayType(type.element, Const(inline.argument_count(ctx, items), SIZE_T))
        case syn.Literal(kind=syn.LiteralKind.STRING, text=text):
            return ArrayType(type.element, Const(max(1, len(text) - 1), SIZE_T))
        case _:
            return type


def _type_name(node: syn.TypeNode) -> str:
    return node.name if isinstance(node, syn.NamedType) else ""


def _element(type: Type) -> Type:
    while isinstance(type, ArrayType):
        type = type.element
    return type


def shared_object(ctx: Lowering, declaration: syn.VarDecl, type: Type) -> Memory:
    """A `__shared__` variable: one object per declaration; all unsized `extern` ones are the same object."""
    volatile = "volatile" in declaration.storage or "volatile" in resolve.qualifiers_of(declaration.type)
    dynamic = "extern" in declaration.storage
    span = declaration.name_span
    key = "extern __shared__" if dynamic else f"{span.file}:{span.start}"
    known = ctx.globals.get(key)
    if not isinstance(known, Memory):
        # The launch says how many bytes dynamic shared memory has, whatever extent one of its names is given.
        number = ctx.object(declaration.name, Space.SHARED, ArrayType(_element(type), None) if dynamic else type, span)
        known = Memory(type, AddressOf(number, PointerType(type)), volatile)
        ctx.globals[key] = known
    return Memory(type, conversions.retype(known.address, PointerType(type)), volatile)


def string_object(ctx: Lowering, text: str, span: Span) -> Memory:
    """A string literal: a read-only array of characters."""
    key = f"string {text}"
    known = ctx.globals.get(key)
    if isinstance(known, Memory):
        return known
    type = ArrayType(CHAR, Const(max(1, len(text) - 1), INT))
    number = ctx.object(text, Space.CONSTANT, type, span, read_only=True)
    place = Memory(type, AddressOf(number, PointerType(type, const=True)), const=True)
    ctx.globals[key] = place
    return place


# --- what is declared nowhere -----------------------------------------------------------------------------------


def _undeclared(ctx: Lowering, node: syn.Name) -> Operand:
    found = lower_calls.library_value(ctx, node.name, node)
    if found is not None:
        return found
    if node.template_args is None and node.name in constants_of(ctx.unit):
        return ctx.opaque_constant(node.name, INT, node.span)
    reason = missing_reason(ctx, node.name)
    return ctx.unknown(CauseKind.MISSING, reason, node.span, OpaqueType(node.name, "it is not declared here"))


def missing_reason(ctx: Lowering, name: str, what: str = "") -> str:
    """The sentence for a name that is declared nowhere, with the absent headers that may declare it."""
    noun = f"the {what} " if what else ""
    return f"{noun}`{name}` is not declared in this file or its includes{absent_headers(ctx.unit.tree)}"


def constants_of(unit: Unit) -> frozenset[str]:
    """All names that stand in an array extent, a template argument or a case label of device code.  Memoised."""
    if unit.constant_positions is None:
        unit.constant_positions = frozenset().union(*map(constant_positions, unit.tree.declarations))
    return unit.constant_positions


def constant_positions(declaration: syn.Declaration) -> frozenset[str]:
    """The names that stand in an array extent, a template argument or a case label of one declaration, if that is
    device code."""
    if isinstance(declaration, syn.FunctionDecl) and not declaration.qualifiers & {"__global__", "__device__"}:
        return frozenset()
    found: set[str] = set()
    for node in inside(declaration):
        if not isinstance(node, _HOLDERS):
            continue
        for expr in _constant_expressions(node):
            found.update(n.name for n in inside(expr) if isinstance(n, syn.Name))
    return frozenset(found)


_HOLDERS = (syn.Name, syn.ArrayOf, syn.NamedType, syn.CaseLabel)


def _constant_expressions(node: syn.Node) -> Iterator[syn.Node]:
    match node:
        case syn.ArrayOf(extent=extent):
            if extent is not None:
                yield extent
        case syn.CaseLabel(value=value):
            if value is not None:
                yield value
        case syn.NamedType(template_args=args) | syn.Name(template_args=args):
            for arg in args or ():
                # A bare name in an argument list may be a type: then it is found as one before it comes here.
                yield syn.Name(span=arg.span, name=arg.name) if isinstance(arg, syn.NamedType) else arg
        case _:
            pass
