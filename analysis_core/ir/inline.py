"""Inlining: a device function's body in place of its call.

An inlined call is an `Inlined` statement whose body first assigns the parameters and then runs the function; a
`return` assigns the result variable and leaves the `Inlined`.  What C++ passes without a copy is not copied here:

- a reference parameter *is* the place it refers to (registers, struct members, or a frozen memory address);
- `&x` of a variable in registers, functions, lambdas and cooperative groups are known at compile time only and are
  bound to the parameter's name as they are.

Steps of a call, in the order of C++: the arguments are evaluated in the caller (`Argument`), converted to the types
of the parameters (`bind_arguments`), then the body is lowered in a scope of its own (`inline`).

Recursion, and inlining beyond the budget, end in `opaque_call`: an `UnknownStmt` with every effect that the callee
could have.  Tested by tests/ir/test_calls.py.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from analysis_core.ir import (
    conversions,
    lower_declarations,
    lower_expressions,
    lower_lvalues,
    lower_statements,
    resolve,
)
from analysis_core.ir.arguments import Argument, CompileTime
from analysis_core.ir.context import Frame, Lowering
from analysis_core.ir.nodes import Inlined, Local, Return, UnknownStmt, VarId
from analysis_core.ir.scope import Binding, PackBinding, Scope, TypeBinding, variables_of
from analysis_core.ir.types import ArrayType, OpaqueType, PointerType, Type
from analysis_core.ir.values import (
    VOID_VALUE,
    ArrayValue,
    Closure,
    Memory,
    Operand,
    Register,
    RegisterPointer,
    StructPlace,
    StructValue,
    Value,
    type_of,
)
from analysis_core.ir.walk_syntax import assigns_to, count_returns, count_statements
from analysis_core.support.facts import CauseKind
from analysis_core.syntax import tree as syn
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
            arguments.extend(Argument(node, e, ctx.mark()) for e in pack.elements if not isinstance(e, TypeBinding))
            continue
        operand = None if isinstance(node, syn.InitList) else lower_expressions.operand(ctx, node)
        if operand is not None and by_value is not None and by_value(len(arguments)):
            operand = lower_lvalues.load(ctx, operand, node)
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
    packs = (expanded_pack(ctx, node) for node in nodes)
    return sum(1 if pack is None else len(pack.elements) for pack in packs)


def function_scope(declaration: syn.FunctionDecl, bindings: Mapping[str, Binding]) -> Scope:
    """The root scope of a function: its namespace (and class), with the template parameters bound."""
    inside = "::".join(part for part in (declaration.scope, declaration.owner) if part)
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
    scope = function_scope(declaration, bindings)
    result_node = declaration.result
    refused = refusal(ctx, declaration, bindings)
    if refused is not None:
        kind, reason = refused
        with ctx.in_scope(scope):
            result = _declared_type(ctx, result_node) or OpaqueType(declaration.name, reason)
        return opaque_call(ctx, kind, reason, [a.operand for a in arguments] + [this], result, call.span)
    assert declaration.body is not None
    bound = bind_arguments(ctx, declaration.parameters, arguments, scope, declaration.body, call)
    frame = Frame(declaration.name, declaration, scope, this=this)
    return _run(ctx, frame, bound, declaration.body, result_node, call)


def inline_closure(ctx: Lowering, closure: Closure, arguments: Sequence[Argument], call: syn.Node) -> Operand:
    """The result of calling a lambda: its scope continues that of its definition."""
    definition = closure.definition
    scope = Scope(closure.scope)
    if _too_deep(ctx) or len(arguments) < sum(p.default is None and not p.pack for p in definition.parameters):
        reason = "a lambda called with the wrong number of arguments, or nested too deep"
        operands = [a.operand for a in arguments] + [closure]
        return opaque_call(ctx, CauseKind.ANALYSIS, reason, operands, OpaqueType("lambda", reason), call.span)
    bound = bind_arguments(ctx, definition.parameters, arguments, scope, definition.body, call)
    frame = Frame("lambda", None, scope, this=ctx.frame.this)
    auto = syn.NamedType(span=definition.span, name="auto")
    return _run(ctx, frame, bound, definition.body, auto, call)


def refusal(
    ctx: Lowering, declaration: syn.FunctionDecl, bindings: Mapping[str, Binding]
) -> tuple[CauseKind, str] | None:
    """Why this call cannot be inlined, or None."""
    name = declaration.name
    if declaration.body is None:
        return CauseKind.MISSING, f"the definition of '{name}' is not visible"
    for frame in (*ctx.frames, ctx.frame):
        if frame.declaration is not None and frame.declaration.body is declaration.body and _same_bindings(frame.scope, bindings):
            return CauseKind.UNSUPPORTED, f"recursive call of '{name}'"
    if _too_deep(ctx):
        return CauseKind.ANALYSIS, f"calls nested deeper than {ctx.settings.inline_depth} at '{name}'"
    size = count_statements(declaration.body)
    if ctx.inlined_statements + size > ctx.settings.inline_statements:
        limit = ctx.settings.inline_statements
        return CauseKind.ANALYSIS, f"more than {limit} statements in inlined functions at '{name}'"
    ctx.inlined_statements += size
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


# --- parameters -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Bound:
    """A parameter and what is passed: `operand` alone (bound as it is), or to be copied into a variable of `type`.
    `pack`: it is one element of a parameter pack."""

    parameter: syn.Parameter
    operand: Operand
    type: Type | None
    pack: bool = False


def bind_arguments(
    ctx: Lowering,
    parameters: Sequence[syn.Parameter],
    arguments: Sequence[Argument],
    scope: Scope,
    body: syn.Stmt | None,
    call: syn.Node,
) -> list[_Bound]:
    """Converts the arguments to the parameters' types, in the caller; defaults are evaluated in the callee's scope."""
    bound: list[_Bound] = []
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
                argument = evaluate(ctx, [parameter.default])[0]
        else:
            break
        before = ctx.mark()
        bound.append(_bind(ctx, parameter, argument, scope, body, call))
        # What was loaded just now is newer than the evaluation of the argument.
        marks.append(argument.mark if ctx.mark() == before else ctx.mark())
    return _kept(ctx, bound, marks)


def _bind_pack(
    ctx: Lowering,
    parameter: syn.Parameter,
    arguments: Sequence[Argument],
    scope: Scope,
    bound: list[_Bound],
    marks: list[int],
    call: syn.Node,
) -> None:
    """`T... x`: one variable per argument, of the argument's own type; references stay places."""
    reference = isinstance(parameter.type, syn.ReferenceTo)
    for argument in arguments:
        operand = argument.operand
        if operand is None:
            operand = loaded(ctx, argument)
        type = None if isinstance(operand, CompileTime) or reference else _decayed(type_of(operand))
        before = ctx.mark()
        if type is None:
            operand = ctx.freeze(operand, argument.node.span)
        else:
            operand = lower_lvalues.load(ctx, operand, argument.node)
        bound.append(_Bound(parameter, operand, type, pack=True))
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
) -> _Bound:
    operand = argument.operand
    reference = isinstance(parameter.type, syn.ReferenceTo)
    if isinstance(operand, CompileTime) and not _reassigned(parameter, body):
        return _Bound(parameter, operand, None)
    with ctx.in_scope(scope):
        type = parameter_type(ctx, parameter.type)
    if type is None:
        type = _decayed(type_of(operand)) if operand is not None and not reference else None
        if type is None and operand is not None:
            type = type_of(operand)
    if type is None:
        cause = "a brace list for a parameter of deduced type"
        return _Bound(parameter, ctx.unknown(CauseKind.UNSUPPORTED, cause, argument.node.span, VOID_VALUE.type), None)
    if reference and operand is not None and _binds_directly(operand, type):
        return _Bound(parameter, ctx.freeze(operand, argument.node.span), None)
    if operand is None:
        return _Bound(parameter, _braced(ctx, parameter, argument.node, type, scope), None)
    converted = conversions.convert(ctx, lower_lvalues.load(ctx, operand, argument.node), type, argument.node)
    if isinstance(converted, CompileTime) and not _reassigned(parameter, body):
        return _Bound(parameter, converted, None)
    return _Bound(parameter, converted, type)


def _braced(ctx: Lowering, parameter: syn.Parameter, node: syn.Expr, type: Type, scope: Scope) -> Operand:
    """`f({1, 2})`: an object of the parameter's type, initialised from the list in the caller."""
    place = lower_declarations.declare_place(ctx, parameter.name or "(argument)", type, node.span)
    lower_declarations.initialise(ctx, place, node, node)
    return place


def _kept(ctx: Lowering, bound: list[_Bound], marks: list[int]) -> list[_Bound]:
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
            return replace(operand, expr=ctx.keep(operand.expr, mark))
        case StructValue():
            return replace(operand, fields=tuple(keep_operand(ctx, f, mark) for f in reversed(operand.fields))[::-1])
        case ArrayValue():
            return replace(operand, elements=tuple(keep_operand(ctx, e, mark) for e in reversed(operand.elements))[::-1])
        case _:
            return operand


def parameter_type(ctx: Lowering, node: syn.TypeNode) -> Type | None:
    """The type of a parameter: what a reference refers to, arrays as pointers; None for `auto`."""
    if isinstance(node, syn.ReferenceTo):
        return _declared_type(ctx, node.target)
    declared = _declared_type(ctx, node)
    return None if declared is None else _decayed(declared)


def _decayed(type: Type) -> Type:
    return PointerType(type.element) if isinstance(type, ArrayType) else type


def _declared_type(ctx: Lowering, node: syn.TypeNode) -> Type | None:
    """A result or parameter type, None for `auto` (also behind const)."""
    inner = node.target if isinstance(node, syn.ReferenceTo) else node
    if isinstance(inner, syn.NamedType) and inner.name in ("auto", "decltype") and inner.operand is None:
        return None
    return resolve.resolve_type(ctx, inner)


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


def _reassigned(parameter: syn.Parameter, body: syn.Stmt | None) -> bool:
    """Whether the body gives the parameter a new value, so that it needs a variable."""
    if body is None or parameter.name is None or isinstance(parameter.type, syn.ReferenceTo):
        return False
    return assigns_to(body, parameter.name)


def copy_in(ctx: Lowering, bound: _Bound, call: syn.Node) -> None:
    """Binds one parameter's name inside of the frame."""
    name = bound.parameter.name
    if name is None:
        return
    if bound.type is None:
        _bind_name(ctx, name, bound.operand, bound.pack)
        return
    place = lower_declarations.declare_place(ctx, name, bound.type, bound.parameter.span)
    _bind_name(ctx, name, place, bound.pack)
    lower_lvalues.store(ctx, place, bound.operand, call)


def _bind_name(ctx: Lowering, name: str, operand: Operand, pack: bool) -> None:
    """Binds a parameter's name; the elements of a pack are appended to it."""
    known = ctx.scope.bindings.get(name)
    if pack and isinstance(known, PackBinding):
        ctx.scope.bind(name, PackBinding((*known.elements, operand)))
    else:
        ctx.scope.bind(name, operand)


# --- the body ---------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Result:
    """What the `return`s of one inlined call leave behind.

    `place` is the variable that receives the value; `direct` an operand that needs none, possible where the body
    has one `return`; a returned reference to memory is a pointer variable (`pointer`)."""

    declared: syn.TypeNode
    single: bool
    place: Operand | None = None
    direct: Operand | None = None
    pointer: VarId | None = None
    target: Type | None = None


def _run(
    ctx: Lowering, frame: Frame, bound: Sequence[_Bound], body: syn.Compound, declared: syn.TypeNode, call: syn.Node
) -> Operand:
    result = _Result(declared, count_returns(body) == 1)

    def on_return(inner: Lowering, stmt: syn.Return) -> None:
        if stmt.value is not None:
            _return_value(inner, result, stmt.value, stmt)

    frame.on_return = on_return
    with ctx.block() as block, ctx.inlining(frame, call.span):
        for one in bound:
            copy_in(ctx, one, call)
        lower_body(ctx, body)
        final = _final(ctx, result, call)
    if block and isinstance(block[-1], Return):
        block.pop()
    ctx.emit(Inlined(frame.function, tuple(block), call.span))
    # A returned value is read; a returned reference stays the place that it is.
    return lower_lvalues.load(ctx, final, call) if final is result.place else final


def lower_body(ctx: Lowering, body: syn.Compound) -> None:
    """The statements of a function in a block of names inside of its parameters'."""
    with ctx.nested_scope():
        lower_statements.block(ctx, body.body)


def _return_value(ctx: Lowering, result: _Result, value: syn.Expr, stmt: syn.Return) -> None:
    type = _declared_type(ctx, result.declared)
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
    operand = lower_expressions.rvalue(ctx, value)
    if result.single and isinstance(operand, CompileTime):
        result.direct = operand
        return
    if type is None:
        type = _decayed(type_of(operand))
    converted = conversions.convert(ctx, operand, type, value)
    if result.single and isinstance(converted, CompileTime):
        result.direct = converted
        return
    lower_lvalues.store(ctx, _result_place(ctx, result, type, stmt), converted, value)


def _return_reference(ctx: Lowering, result: _Result, value: syn.Expr, stmt: syn.Return) -> None:
    """A reference result denotes the place itself; of several returns only places in memory can be joined."""
    operand = lower_expressions.operand(ctx, value)
    if result.single:
        result.direct = ctx.freeze(operand, value.span)
    elif isinstance(operand, Memory) and operand.bits is None:
        pointer = PointerType(operand.type)
        if result.pointer is None:
            result.pointer, result.target = ctx.temporary("(reference)", pointer, stmt.span), operand.type
        place = Register(result.pointer, pointer)
        lower_lvalues.store(ctx, place, Value(operand.address, pointer), value)
    else:
        type = type_of(operand)
        lower_lvalues.store(
            ctx, _result_place(ctx, result, type, stmt), lower_lvalues.load(ctx, operand, value), value
        )


def _result_place(ctx: Lowering, result: _Result, type: Type, node: syn.Node) -> Operand:
    if result.place is None:
        result.place = lower_declarations.declare_place(ctx, "result", type, node.span)
    return result.place


def _final(ctx: Lowering, result: _Result, call: syn.Node) -> Operand:
    """The result operand after the body."""
    if result.direct is not None:
        return result.direct
    if result.pointer is not None and result.target is not None:
        return Memory(result.target, Local(result.pointer, PointerType(result.target)))
    if result.place is not None:
        return result.place
    type = _declared_type(ctx, result.declared)
    if type is None or type == VOID_VALUE.type:
        return VOID_VALUE
    return _result_place(ctx, result, type, call)


# --- what is not inlined ----------------------------------------------------------------------------------------


def reachable(operands: Sequence[Operand | None]) -> tuple[VarId, ...]:
    """The register variables that a callee which is not looked into could change through these operands."""
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
    return keep_operand(ctx, operand, argument.mark) if ctx.mark() == mark else operand


def pointer_value(ctx: Lowering, argument: Argument) -> Value | None:
    """The argument as a pointer in the IR; `&x` of a register moves `x` to memory."""
    operand = loaded(ctx, argument)
    if isinstance(operand, RegisterPointer):
        return lower_lvalues.spill(ctx, operand, argument.node)
    return operand if isinstance(operand, Value) else None
