"""Inlining: a device function's body in place of its call.

An inlined call is an `Inlined` statement whose body first assigns the parameters and then runs the function; a
`return` assigns the result variable and leaves the `Inlined`.  What C++ passes without a copy is not copied here:

- a reference parameter *is* the place it refers to (registers, struct members, or a frozen memory address);
- `&x` of a variable in registers, functions, lambdas and cooperative groups are known at compile time only and are
  bound to the parameter's name as they are.

Steps of a call, in the order of C++: the arguments are evaluated in the caller (`Argument`), converted to the types
of the parameters (`bind_parameters.bind_arguments`), then the body is lowered in a scope of its own (`inline`).

Recursion, and inlining beyond the budget, end in `opaque_call`: an `UnknownStmt` with every effect that the callee
could have.  Tested by tests/ir/test_calls.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from analysis_core.ir.nodes import Inlined, Local, Return, UnknownStmt, VarId
from analysis_core.ir.types import OpaqueType, PointerType, ScalarType, Type
from analysis_core.lower.context import Frame, Lowering
from analysis_core.lower.names import deduction, expression_types, packs, resolve
from analysis_core.lower.names.scope import (
    Binding,
    PackBinding,
    Scope,
    TemplateBinding,
    TypeBinding,
    join,
    variables_of,
)
from analysis_core.lower.objects import bind_parameters, conversions, copies, destructors, references
from analysis_core.lower.statements import lower_declarations, lower_expressions, lower_lvalues, lower_statements
from analysis_core.lower.statements.arguments import Argument, CompileTime, LibraryObject
from analysis_core.lower.values import (
    VOID_VALUE,
    ArrayValue,
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
from analysis_core.support.facts import Cause, CauseKind
from analysis_core.support.fuel import INLINED
from analysis_core.syntax.read import tree as syn
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_TEMPLATE_DEPTH = 64

ByValue = Callable[[int], bool]
"""Whether the argument at a position is passed by value whatever overload is chosen."""


def evaluate(ctx: Lowering, nodes: Sequence[syn.Expr], by_value: ByValue | None = None) -> list[Argument]:
    """The arguments, left to right.  What `by_value` says is passed by value is loaded at once; other places stay
    places until it is known whether the parameter is a reference."""
    arguments: list[Argument] = []
    for node in nodes:
        pack = expanded_pack(ctx, node)
        if pack is not None:
            named = (e for e in pack.elements if not isinstance(e, TypeBinding | TemplateBinding))
            arguments.extend(Argument(node, with_category(e, Category.LVALUE), ctx.mark()) for e in named)
            continue
        if isinstance(node, syn.Expansion):
            for scope in packs.elementwise(ctx, node.pattern):
                with ctx.in_scope(scope):
                    arguments.extend(evaluate(ctx, [node.pattern]))
            continue
        operand = None if isinstance(node, syn.InitList) else lower_expressions.operand(ctx, node)
        if operand is not None and by_value is not None and by_value(len(arguments)):
            operand = operand if copies.stays_place(ctx, operand) else lower_lvalues.load(ctx, operand, node)
        arguments.append(Argument(node, operand, ctx.mark()))
    return arguments


def expanded_pack(ctx: Lowering, node: syn.Expr) -> PackBinding | None:
    """The pack that `x...` stands for: the tree keeps the bare name."""
    if not isinstance(node, syn.Name) or "::" in node.name:
        return None
    bound = ctx.scope.find(node.name)
    return bound if isinstance(bound, PackBinding) else None


def argument_count(ctx: Lowering, nodes: Sequence[syn.Expr]) -> int:
    """The number of arguments with packs expanded."""
    count = 0
    for node in nodes:
        pack = expanded_pack(ctx, node)
        if isinstance(node, syn.Expansion):
            count += sum(1 for _ in packs.elementwise(ctx, node.pattern))
        else:
            count += 1 if pack is None else len(pack.elements)
    return count


def function_scope(declaration: syn.FunctionDecl, bindings: Mapping[str, Binding]) -> Scope:
    """The root scope of a function: its namespace (and class), with the template parameters bound."""
    inside = join(declaration.scope, declaration.owner)
    return Scope(None, inside, dict(bindings))


def inline(
    ctx: Lowering,
    declaration: syn.FunctionDecl,
    arguments: Sequence[Argument],
    bindings: Mapping[str, Binding],
    call: syn.Node,
    this: Operand | None = None,
) -> Operand:
    """The result of calling `declaration` with `arguments` (already evaluated), its body emitted as `Inlined`."""
    ctx.called(call, declaration, bindings)
    scope = Scope(None, ctx.unit.body_scope(declaration), dict(bindings))
    result_node = declaration.result
    if ctx.types_only:
        with ctx.in_scope(scope):
            result = bind_parameters.declared_type(ctx, result_node)
        if isinstance(result, ScalarType) and not isinstance(result_node, syn.ReferenceTo):
            return ctx.unknown(CauseKind.ANALYSIS, "only its type is asked for", call.span, result)
    refused = refusal(ctx, declaration, bindings)
    if refused is not None:
        kind, reason = refused
        with ctx.in_scope(scope):
            result = bind_parameters.declared_type(ctx, result_node) or OpaqueType(declaration.name, reason)
        return opaque_call(ctx, kind, reason, [a.operand for a in arguments] + [this], result, call.span)
    assert declaration.body is not None
    bound = bind_parameters.bind_arguments(ctx, declaration.parameters, arguments, scope, declaration.body, call)
    frame = Frame(declaration.name, declaration, scope, this=this)
    return _run(ctx, frame, bound, copies.Returning(declaration.parameters, declaration.body), result_node, call)


def inline_closure(
    ctx: Lowering,
    closure: Closure,
    arguments: Sequence[Argument],
    call: syn.Node,
    template_args: Sequence[syn.TemplateArg] | None = None,
) -> Operand:
    """The result of calling a lambda: its scope continues that of its definition."""
    definition = closure.definition
    scope = Scope(closure.scope)
    bindings = closure_bindings(
        ctx, closure, template_args, [a.operand for a in arguments], [a.node for a in arguments]
    )
    takes = definition.parameters
    least, most = sum(p.default is None and not p.pack for p in takes), len(takes)
    enough = least <= len(arguments) and (len(arguments) <= most or any(p.pack for p in takes))
    if not enough:
        ctx.refuse(certain=True)
    if bindings is not None:
        scope.bindings.update(bindings)
    if _too_deep(ctx) or not enough or bindings is None:
        reason = "a lambda called with the wrong number of arguments, or nested too deep"
        operands = [a.operand for a in arguments] + [closure]
        return opaque_call(ctx, CauseKind.ANALYSIS, reason, operands, OpaqueType("lambda", reason), call.span)
    bound = bind_parameters.bind_arguments(ctx, definition.parameters, arguments, scope, definition.body, call)
    frame = Frame("lambda", None, scope, this=closure.this)
    result = definition.result or syn.NamedType(span=definition.span, name="auto")
    return _run(ctx, frame, bound, copies.Returning(definition.parameters, definition.body), result, call)


def closure_bindings(
    ctx: Lowering,
    closure: Closure,
    template_args: Sequence[syn.TemplateArg] | None,
    operands: Sequence[Operand | None],
    nodes: Sequence[syn.Node] | None = None,
) -> dict[str, Binding] | None:
    """What the template parameters of a lambda mean in one call, `[&]<int N, class T>(T x) {..}`; None where that is not determined."""
    template = closure.definition.template
    if not template:
        return {}
    home = Scope(None, ctx.scope.root().namespace, {})
    explicit = deduction.explicit_bindings(ctx, template, template_args or (), home.namespace)
    return deduction.deduce(ctx, template, explicit, closure.definition.parameters, operands, home, nodes)


def refusal(
    ctx: Lowering, declaration: syn.FunctionDecl, bindings: Mapping[str, Binding]
) -> tuple[CauseKind, str] | None:
    """Why this call cannot be inlined, or None."""
    name = declaration.name
    if declaration.body is None:
        return CauseKind.MISSING, f"the definition of '{name}' is not visible"
    for frame in (*ctx.frames, ctx.frame):
        if (
            frame.declaration is not None
            and frame.declaration.body is declaration.body
            and _same_bindings(frame.scope, bindings)
        ):
            return CauseKind.UNSUPPORTED, f"recursive call of '{name}'"
    if _too_deep(ctx):
        return CauseKind.ANALYSIS, f"calls nested deeper than {ctx.settings.inline_depth} at '{name}'"
    size = bind_parameters.measured(ctx, declaration.body).statements
    if ctx.inlined_statements + size > ctx.settings.inline_statements:
        limit = ctx.settings.inline_statements
        ctx.cramped = True
        return CauseKind.ANALYSIS, f"more than {limit} statements in inlined functions at '{name}'"
    ctx.inlined_statements += size
    ctx.fuel.spend(INLINED, "more calls stand before it than a kernel may have")
    ctx.most_inlined = max(ctx.most_inlined, ctx.inlined_statements)
    return None


def _too_deep(ctx: Lowering) -> bool:
    """Whether a further call would be nested too deep.  A template that calls itself with other arguments (an
    unrolled loop) counts once, but never more than `_TEMPLATE_DEPTH` calls are open."""
    if len(ctx.frames) < ctx.settings.inline_depth:
        return False
    different = len({id(frame.declaration.body) for frame in ctx.frames if frame.declaration is not None})
    return different >= ctx.settings.inline_depth or len(ctx.frames) >= _TEMPLATE_DEPTH


def _same_bindings(scope: Scope, bindings: Mapping[str, Binding]) -> bool:
    return all(scope.bindings.get(name) == binding for name, binding in bindings.items())


# --- the body ---------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Result:
    """What the `return`s of one inlined call leave behind.

    `place` is the variable that receives the value; `direct` an operand that needs none, possible where the body
    has one `return`, or where one alone is read and names a function (`returned` counts them); a returned reference to memory is a
    pointer variable (`pointer`)."""

    declared: syn.TypeNode
    single: bool
    function: copies.Returning
    place: Operand | None = None
    direct: Operand | None = None
    pointer: VarId | None = None
    target: Type | None = None
    returned: int = 0


def _run(
    ctx: Lowering,
    frame: Frame,
    bound: Sequence[bind_parameters.Bound],
    function: copies.Returning,
    declared: syn.TypeNode,
    call: syn.Node,
) -> Operand:
    body = function.body
    result = _Result(declared, bind_parameters.measured(ctx, body).returns == 1, function)

    def on_return(inner: Lowering, stmt: syn.Return) -> None:
        if stmt.value is not None:
            _return_value(inner, result, stmt.value, stmt)

    frame.on_return = on_return
    with ctx.block() as block, ctx.inlining(frame, call.span):
        for one in bound:
            bind_parameters.copy_in(ctx, one, call)
        lower_body(ctx, body)
        final = _final(ctx, result, call)
    if block and isinstance(block[-1], Return):
        block.pop()
    ctx.emit(Inlined(frame.function, tuple(block), call.span))
    # A returned value is read; a returned reference stays the place that it is.
    return lower_lvalues.load(ctx, final, call) if final is result.place else final


def lower_body(ctx: Lowering, body: syn.Compound) -> None:
    """The statements of a function in a block of names inside of its parameters'."""
    with destructors.block_scope(ctx, body):
        lower_statements.block(ctx, body.body)
        lower_statements.end(ctx, body)


def _return_value(ctx: Lowering, result: _Result, value: syn.Expr, stmt: syn.Return) -> None:
    result.returned += 1
    if isinstance(result.declared, syn.NamedType) and result.declared.name != "auto":
        deduced = result.declared.name == "decltype" and result.declared.operand is None
        whole = expression_types.declared_type(ctx, value) if deduced else resolve.qualified(ctx, result.declared)
        if whole.reference:
            target = result.declared
            result.declared = syn.ReferenceTo(span=target.span, target=target, rvalue=whole.reference == "&&")
    type = bind_parameters.declared_type(ctx, result.declared)
    if type == VOID_VALUE.type:
        lower_expressions.effects(ctx, value)
        return
    if isinstance(result.declared, syn.ReferenceTo):
        _return_reference(ctx, result, value, stmt)
        return
    if isinstance(value, syn.InitList):
        if type is not None:
            lower_declarations.initialise(ctx, _result_place(ctx, result, type, stmt), value, value)
        return
    category = copies.returned_category(result.function, value)
    if category is Category.PRVALUE and isinstance(value, syn.Name):
        destructors.release(ctx, value.name)
    operand = copies.new_object(ctx, lower_expressions.operand(ctx, value), type, value, category)
    if result.single and isinstance(operand, CompileTime):
        result.direct = operand
        return
    if isinstance(operand, FunctionName) and result.returned == 1:
        result.direct = deduction.settled(ctx, operand)
        return
    if type is None:
        type = bind_parameters.decayed(type_of(operand))
    converted = conversions.convert(ctx, operand, type, value)
    if result.single and isinstance(converted, CompileTime):
        result.direct = converted
        return
    lower_lvalues.store(ctx, _result_place(ctx, result, type, stmt), converted, value)


def _return_reference(ctx: Lowering, result: _Result, value: syn.Expr, stmt: syn.Return) -> None:
    """A reference result denotes the place itself; of several returns only places in memory can be joined."""
    operand = references.referred(ctx, value, result.declared)
    moved = isinstance(result.declared, syn.ReferenceTo) and result.declared.rvalue
    if result.single:
        place = with_category(ctx.freeze(operand, value.span), Category.XVALUE if moved else Category.LVALUE)
        const = _returns_const(ctx, result.declared)
        result.direct = place if const is None else with_const(place, const)
        return
    if isinstance(operand, Register | StructPlace) and references.is_written_through(result.declared):
        # Two returns may name two variables: which one is known only by address.
        lower_lvalues.spill(ctx, RegisterPointer(operand, PointerType(operand.type)), value)
    if isinstance(operand, Memory) and operand.bits is None:
        pointer = PointerType(operand.type, const=_returns_const(ctx, result.declared) or False)
        if result.pointer is None:
            result.pointer, result.target = ctx.temporary("(reference)", pointer, stmt.span), operand.type
        place = Register(result.pointer, pointer)
        lower_lvalues.store(ctx, place, Value(operand.address, pointer), value)
    else:
        type = type_of(operand)
        lower_lvalues.store(ctx, _result_place(ctx, result, type, stmt), lower_lvalues.load(ctx, operand, value), value)


def _returns_const(ctx: Lowering, declared: syn.TypeNode) -> bool | None:
    """Whether a result of reference type refers to something const; None: that depends on what is returned."""
    if isinstance(declared, syn.ReferenceTo) and bind_parameters.declared_type(ctx, declared) is None:
        return True if "const" in declared.target.qualifiers else None
    return resolve.qualified(ctx, declared).const


def _result_place(ctx: Lowering, result: _Result, type: Type, node: syn.Node) -> Operand:
    if result.place is None:
        result.place = lower_declarations.declare_place(ctx, "result", type, node.span)
    return result.place


def _final(ctx: Lowering, result: _Result, call: syn.Node) -> Operand:
    """The result operand after the body."""
    if isinstance(result.direct, FunctionName) and result.returned > 1:
        reason = "which function is returned depends on values not known here"
        return ctx.unknown(CauseKind.UNSUPPORTED, reason, call.span, OpaqueType("function", reason))
    if result.direct is not None:
        return result.direct
    if result.pointer is not None and result.target is not None:
        const = _returns_const(ctx, result.declared) or False
        return Memory(result.target, Local(result.pointer, PointerType(result.target)), const=const)
    if result.place is not None:
        return result.place
    type = bind_parameters.declared_type(ctx, result.declared)
    if type is None or type == VOID_VALUE.type:
        return VOID_VALUE
    return _result_place(ctx, result, type, call)


# --- what is not inlined ----------------------------------------------------------------------------------------


def reachable(operands: Sequence[Operand | None]) -> tuple[VarId, ...]:
    """The register variables that a function which is not inlined could change through these operands."""
    found: dict[VarId, None] = {}
    pending = list(operands)
    while pending:
        operand = pending.pop(0)
        match operand:
            case Register() | StructPlace():
                found.update(dict.fromkeys(variables_of(operand)))
            case RegisterPointer():
                found.update(dict.fromkeys(variables_of(operand.place)))
            case StructValue():
                pending.extend(operand.fields)
            case ArrayValue():
                pending.extend(operand.elements)
            case Handle(payload=LibraryObject(made_from=parts)):
                pending.extend(parts)
            case Closure():
                found.update(dict.fromkeys(operand.scope.visible_variables()))
            case _:
                pass
    return tuple(found)


def opaque_call(
    ctx: Lowering,
    kind: CauseKind,
    reason: str,
    operands: Sequence[Operand | None],
    result: Type,
    span: Span,
    *,
    memory: bool = True,
) -> Operand:
    """A call that is not looked into: it may change what it was handed, and memory; its value is unknown."""
    cause = ctx.cause(kind, reason, span)
    ctx.emit(UnknownStmt(cause, reachable(operands), memory, False, span))
    return VOID_VALUE if result == VOID_VALUE.type else unknown_result(ctx, kind, reason, result, span)


def forget_named(ctx: Lowering, nodes: Sequence[syn.Expr], cause: Cause) -> None:
    """What is not understood may have taken these operands by reference: variables that they name may hold anything."""
    for node in nodes:
        inner = node
        while isinstance(inner, syn.Member):
            inner = inner.base
        bound = ctx.scope.find(inner.name) if isinstance(inner, syn.Name) else None
        if isinstance(bound, Register | StructPlace):
            lower_lvalues.forget(ctx, bound, cause, node)


def unknown_result(ctx: Lowering, kind: CauseKind, reason: str, type: Type, span: Span) -> Operand:
    """An unknown rvalue of any type: a place whose contents nobody assigned would read as uninitialised, so every
    scalar is an unknown of its own."""
    return lower_lvalues.unknown_operand(ctx.cause(kind, reason, span), type)


def loaded(ctx: Lowering, argument: Argument) -> Operand:
    """The argument as an rvalue, as it was when it was evaluated."""
    if argument.operand is None:
        reason = "a brace list as an argument of a library function"
        return unknown_result(ctx, CauseKind.UNSUPPORTED, reason, OpaqueType("auto", reason), argument.node.span)
    mark = ctx.mark()
    operand = lower_lvalues.load(ctx, argument.operand, argument.node)
    return bind_parameters.keep_operand(ctx, operand, argument.mark) if ctx.mark() == mark else operand


def pointer_value(ctx: Lowering, argument: Argument) -> Value | None:
    """The argument as a pointer in the IR; `&x` of a register moves `x` to memory."""
    operand = loaded(ctx, argument)
    if isinstance(operand, RegisterPointer):
        return lower_lvalues.spill(ctx, operand, argument.node)
    return operand if isinstance(operand, Value) else None
