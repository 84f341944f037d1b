"""Calls through pointers of the device: `ops[i](x)` is one of the functions that the table's initialiser lists, each behind a test of `i`.

Tables and pointers that may be written to are taken to hold what they are initialised with, which is told as an assumption.  A pointer that
comes from elsewhere (a parameter, a member) is taken to be one that a variable of the device holds, since host code has no other way to one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from analysis_core.ir.nodes import Binary, Const, Expr, If, IfKind, Stmt
from analysis_core.ir.scalars import SIZE_T
from analysis_core.ir.spelling import spelling
from analysis_core.ir.types import BOOL, VOID, FunctionType, OpaqueType, PointerType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import deduction, identity, names, overloads, resolve
from analysis_core.lower.names.scope import Scope
from analysis_core.lower.objects import conversions
from analysis_core.lower.statements import inline, lower_conditional, lower_expressions, lower_lvalues
from analysis_core.lower.statements.arguments import Argument
from analysis_core.lower.values import VOID_VALUE, FunctionName, Operand, Value, type_of
from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside

_MOST = 32
"""Functions that are told apart at one call."""

_APART = 1 << 12
"""Bytes from one function to the next: any number that no alignment of pointers excludes."""

_OF_DEVICE = frozenset({"__device__", "__constant__", "__managed__"})

Alternatives = Sequence[tuple[Expr | None, FunctionName]]
"""Functions with the tests of which the first that holds chooses; the last one has none."""


def call(ctx: Lowering, pointer: Operand, arguments: Sequence[Argument], call: syn.Call) -> Operand | None:
    """What a call through that pointer comes to; None where it is not known which functions it may mean."""
    given = type_of(pointer)
    type = given.target if isinstance(given, PointerType) else None
    if not isinstance(type, FunctionType) or type.result is None or type.result.reference:
        return None
    found = _listed(ctx, call.callee) or _held(ctx, type, pointer, call)
    if found is None:
        return None
    result = type.result.type
    place = None if result == VOID else lower_conditional.temporary_place(ctx, call, result)
    blocks: list[list[Stmt]] = []
    for _, function in found:
        with ctx.block() as block:
            value = _called(ctx, function, arguments, call)
            if place is not None:
                lower_lvalues.store(ctx, place, value, call)
        blocks.append(block)
    rest = blocks[-1]
    for (test, _), block in reversed(list(zip(found, blocks))[:-1]):
        assert test is not None
        rest = [If(test, tuple(block), tuple(rest), IfKind.IF, call.callee.span, call.span)]
    for stmt in rest:
        ctx.emit(stmt)
    return VOID_VALUE if place is None else lower_lvalues.load(ctx, place, call)


def _listed(ctx: Lowering, callee: syn.Expr) -> Alternatives | None:
    """The functions of the table that `callee` is an element of, or of the variable that it names."""
    while isinstance(callee, syn.Unary) and callee.op == "*":
        callee = callee.operand
    index = callee.index if isinstance(callee, syn.Subscript) else None
    callee = callee.base if isinstance(callee, syn.Subscript) else callee
    if not isinstance(callee, syn.Name) or ctx.scope.find(callee.name) is not None:
        return None
    found = ctx.unit.find_variable(callee.name, ctx.scope.root().namespace)
    if found is None or found[1].init is None:
        return None
    key, declaration = found
    with ctx.in_scope(Scope(None, key.rpartition("::")[0])):
        functions = _functions(ctx, declaration)
    if functions is None:
        return None
    if not names.is_const(declaration):
        ctx.assume(f"`{declaration.name}` holds what it is initialised with", declaration.name_span)
    if index is None:
        return [(None, functions[0])] if len(functions) == 1 and functions[0] is not None else None
    with ctx.scratch() as block:
        lower_expressions.value(ctx, index)
        pure = not block
    return _by_number(lower_expressions.value(ctx, index).expr, functions, 1) if pure else None


def _held(ctx: Lowering, type: FunctionType, pointer: Operand, call: syn.Call) -> Alternatives | None:
    """The functions of that type that variables of the device hold at file scope, behind tests of the pointer."""
    if not isinstance(pointer, Value):
        return None
    found: list[FunctionName] = []
    for key, declaration in ctx.unit.variables.items():
        if not declaration.storage & _OF_DEVICE or declaration.init is None:
            continue
        with ctx.in_scope(Scope(None, key.rpartition("::")[0])):
            named = [deduction.function_argument(ctx, node) for node in inside(declaration.init)]
            found += [one for function in named if function is not None if (one := _of_type(ctx, function, type))]
    found = list(dict.fromkeys(found))
    if not found or len(found) > _MOST:
        return None
    held = ", ".join(f"`{function.name}`" for function in found)
    one_of = "one of the functions" if len(found) > 1 else "the function"
    text = f"`{spelling(call.callee)}` is {one_of} of its type that variables of the device hold: {held}"
    ctx.assume(text, call.callee.span)
    return _by_number(pointer.expr, found, _APART)


def _of_type(ctx: Lowering, function: FunctionName, type: FunctionType) -> FunctionName | None:
    """The overloads of a function that have a type, None if none has."""
    fitting = tuple(d for d in function.declarations if not d.template and identity.same_plain(_type(ctx, d), type))
    return replace(function, declarations=fitting) if fitting else None


def _type(ctx: Lowering, declaration: syn.FunctionDecl) -> Type:
    written = syn.FunctionOf(span=declaration.span, result=declaration.result, parameters=declaration.parameters)
    with ctx.in_scope(Scope(None, ctx.unit.body_scope(declaration))):
        return resolve.resolve_type(ctx, written)


def _functions(ctx: Lowering, declaration: syn.VarDecl) -> list[FunctionName | None] | None:
    """What a table or a pointer of the device is initialised with, in order, None for null pointers; no list where it holds anything else."""
    ours = declaration.storage & _OF_DEVICE or names.is_const(declaration)
    init = declaration.init
    if not ours or init is None:
        return None
    if isinstance(init, syn.InitList) and any(init.designators):
        return None
    items = init.items if isinstance(init, syn.InitList) else init.args if isinstance(init, syn.Construct) else (init,)
    found: list[FunctionName | None] = []
    for item in items:
        function = deduction.function_argument(ctx, item)
        if function is not None and sum(d.body is not None for d in function.declarations) > 1:
            return None  # which overload it is the type of the table says, which is not looked at
        null = (isinstance(item, syn.Name) and item.name in ("NULL", "nullptr")) or (
            isinstance(item, syn.Literal) and item.text in ("0", "nullptr")
        )
        if (function is None and not null) or len(found) == _MOST:
            return None
        found.append(function)
    return found


def _by_number(selector: Expr, functions: Sequence[FunctionName | None], step: int) -> Alternatives | None:
    """The functions by their places in the table, `step` apart."""
    known = [(number, function) for number, function in enumerate(functions) if function is not None]
    if not known:
        return None
    selector = conversions.cast(selector, SIZE_T)
    return [
        (Binary("==", selector, Const(step * number, SIZE_T), BOOL) if i + 1 < len(known) else None, function)
        for i, (number, function) in enumerate(known)
    ]


def _called(ctx: Lowering, function: FunctionName, arguments: Sequence[Argument], call: syn.Call) -> Operand:
    """Calls a function of the file that a pointer leads to, with arguments that are evaluated already."""
    fitting = [d for d in overloads.definitions_first(function.declarations) if overloads.takes(d, len(arguments))]
    operands, nodes = [a.operand for a in arguments], [a.node for a in arguments]
    best = overloads.choose(ctx, fitting, function.template_args, operands, nodes=nodes).best
    if best is not None:
        return inline.inline(ctx, best.declaration, arguments, best.bindings, call)
    reason = f"which '{function.name}' a pointer leads to is not decided"
    return inline.opaque_call(ctx, CauseKind.ANALYSIS, reason, operands, OpaqueType(function.name, reason), call.span)
