"""Calls of `constexpr` functions with constant arguments, evaluated while lowering.

The function's statements are run on constants: declarations, assignments to locals, `if`, loops, `return`.  Each
operator is computed by the folding of `lower_expressions.constant` on operands bound to names, so that C's types and
promotions are applied in one place only.  Evaluation gives up (None) at anything else, and after `_STEPS` steps.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import field
from enum import Enum

from analysis_core.ir import constants
from analysis_core.ir.nodes import Const
from analysis_core.ir.types import INT, ScalarKind, ScalarType
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import associated, overloads, visibility
from analysis_core.lower.names.scope import Binding, Scope
from analysis_core.lower.objects import bind_parameters, conversions
from analysis_core.lower.statements import lower_expressions
from analysis_core.lower.values import FunctionName, Value
from analysis_core.syntax.read import tree as syn
from analysis_core.text.records import dataclass

_STEPS = 20_000
_DEPTH = 64


class _GiveUp(Exception):
    """What is evaluated is not constant, or not understood.  Never leaves this module."""


class _Flow(Enum):
    """How control left a statement other than by its end."""

    BREAK = "break"
    CONTINUE = "continue"
    RETURN = "return"


@dataclass(slots=True)
class _Run:
    """One evaluation: what is left of the budget, and the value of the last `return`."""

    ctx: Lowering
    steps: int = _STEPS
    depth: int = 0
    result: Const | None = None
    function: syn.FunctionDecl | None = None  # the one that is being evaluated
    known: dict[Hashable, Const] = field(default_factory=dict)  # results of functions that are no templates, by values

    def step(self) -> None:
        self.steps -= 1
        if self.steps <= 0:
            raise _GiveUp


def evaluate(
    ctx: Lowering, declaration: syn.FunctionDecl, bindings: Mapping[str, Binding], args: Sequence[Const]
) -> Const | None:
    """The value of the call, or None if it is not a constant."""
    try:
        with ctx.scratch():
            return _call(_Run(ctx), declaration, bindings, args)
    except _GiveUp:
        return None


def _call(run: _Run, declaration: syn.FunctionDecl, bindings: Mapping[str, Binding], args: Sequence[Const]) -> Const:
    if declaration.body is None or run.depth >= _DEPTH:
        raise _GiveUp
    ctx = run.ctx
    key = (id(declaration), *args)
    if not bindings and key in run.known:
        return run.known[key]
    scope = Scope(None, ctx.unit.body_scope(declaration), dict(bindings))
    run.depth += 1
    caller, run.function = run.function, declaration
    with ctx.in_scope(scope):
        for position, parameter in enumerate(declaration.parameters):
            if position < len(args):
                value = args[position]
            elif parameter.default is not None:
                value = _value(run, parameter.default)
            else:
                raise _GiveUp
            if parameter.name is not None:
                _bind(ctx, scope, parameter.name, value, parameter.type)
        if _statement(run, declaration.body) is not _Flow.RETURN or run.result is None:
            raise _GiveUp
        result = _converted(ctx, run.result, declaration.result)
    run.depth -= 1
    run.function = caller
    if not bindings:
        run.known[key] = result
    return result


def _bind(ctx: Lowering, scope: Scope, name: str, value: Const, declared: syn.TypeNode | None) -> None:
    converted = value if declared is None else _converted(ctx, value, declared)
    scope.bind(name, Value(converted, converted.type))


def _converted(ctx: Lowering, value: Const, declared: syn.TypeNode) -> Const:
    type = bind_parameters.parameter_type(ctx, declared)
    if type is None:
        return value
    if not isinstance(type, ScalarType) or type.kind is ScalarKind.VOID:
        raise _GiveUp
    converted = constants.fold(conversions.cast(value, type))
    if converted is None:
        raise _GiveUp
    return converted


# --- statements -------------------------------------------------------------------------------------------------


def _statement(run: _Run, stmt: syn.Stmt) -> _Flow | None:
    run.step()
    ctx = run.ctx
    match stmt:
        case syn.Compound(body=body):
            with ctx.nested_scope():
                for inner in body:
                    flow = _statement(run, inner)
                    if flow is not None:
                        return flow
            return None
        case syn.Empty():
            return None
        case syn.ExprStmt(expr=expr):
            _value(run, expr)
            return None
        case syn.DeclStmt(declarations=declarations):
            for declaration in declarations:
                _declare(run, declaration)
            return None
        case syn.If(condition=condition, then=then, otherwise=otherwise, init=None):
            if _value(run, condition).value:
                return _statement(run, then)
            return None if otherwise is None else _statement(run, otherwise)
        case syn.Return(value=value) if value is not None:
            run.result = _value(run, value)
            return _Flow.RETURN
        case syn.Break():
            return _Flow.BREAK
        case syn.Continue():
            return _Flow.CONTINUE
        case syn.For(init=init, condition=condition, step=step, body=body):
            with ctx.nested_scope():
                if init is not None:
                    _statement(run, init)
                return _loop(run, condition, step, body, test_first=True)
        case syn.While(condition=condition, body=body):
            return _loop(run, condition, None, body, test_first=True)
        case syn.DoWhile(condition=condition, body=body):
            return _loop(run, condition, None, body, test_first=False)
        case _:
            raise _GiveUp


def _loop(
    run: _Run, condition: syn.Expr | None, step: syn.Expr | None, body: syn.Stmt, test_first: bool
) -> _Flow | None:
    test = test_first
    while True:
        run.step()
        if test and condition is not None and not _value(run, condition).value:
            return None
        test = True
        flow = _statement(run, body)
        if flow is _Flow.RETURN:
            return flow
        if flow is _Flow.BREAK:
            return None
        if step is not None:
            _value(run, step)


def _declare(run: _Run, declaration: syn.Declaration) -> None:
    if not isinstance(declaration, syn.VarDecl):
        raise _GiveUp
    init = declaration.init
    if isinstance(init, syn.Construct) and len(init.args) == 1:
        init = init.args[0]
    value = Const(0, INT) if init is None else _value(run, init)
    _bind(run.ctx, run.ctx.scope, declaration.name, value, declaration.type)


# --- expressions ------------------------------------------------------------------------------------------------


def _value(run: _Run, expr: syn.Expr) -> Const:
    run.step()
    match expr:
        case syn.Conditional(condition=condition, then=then, otherwise=otherwise):
            return _value(run, then if _value(run, condition).value else otherwise)
        case syn.Binary(op="&&" | "||" as op, left=left, right=right):
            decided = bool(_value(run, left).value)
            if decided == (op == "||"):
                return _plain(run, syn.Literal(span=expr.span, kind=syn.LiteralKind.BOOL, text=str(decided).lower()))
            truth = bool(_value(run, right).value)
            return _plain(run, syn.Literal(span=expr.span, kind=syn.LiteralKind.BOOL, text=str(truth).lower()))
        case syn.Binary(op=",", left=left, right=right):
            _value(run, left)
            return _value(run, right)
        case syn.Binary(op=op, left=left, right=right):
            first, second = _value(run, left), _value(run, right)
            return _combined(run, expr, lambda a, b: syn.Binary(span=expr.span, op=op, left=a, right=b), first, second)
        case syn.Unary(op=op, operand=operand) if op in "+-!~":
            inner = _value(run, operand)
            return _combined(run, expr, lambda a, b: syn.Unary(span=expr.span, op=op, operand=a), inner, inner)
        case syn.Cast(style=style, type=type, operand=operand):
            inner = _value(run, operand)
            return _combined(
                run, expr, lambda a, b: syn.Cast(span=expr.span, style=style, type=type, operand=a), inner, inner
            )
        case syn.Assign(target=syn.Name(name=name)):
            return _assign(run, expr, name)
        case syn.IncDec(op=op, prefix=prefix, operand=syn.Name(name=name)):
            before = _value(run, expr.operand)
            one = Const(1, INT)
            after = _combined(
                run, expr, lambda a, b: syn.Binary(span=expr.span, op=op[0], left=a, right=b), before, one
            )
            stored = _rebind(run, name, after)
            return stored if prefix else before
        case syn.Call(callee=syn.Name()):
            return _nested_call(run, expr)
        case _:
            return _plain(run, expr)


def _combined(
    run: _Run, expr: syn.Expr, build: Callable[[syn.Expr, syn.Expr], syn.Expr], left: Const, right: Const
) -> Const:
    """Folds an operator on two constants, which are bound to names that no program can spell."""
    with run.ctx.nested_scope() as scope:
        scope.bind("(left)", Value(left, left.type))
        scope.bind("(right)", Value(right, right.type))
        names = [syn.Name(span=expr.span, name=name) for name in ("(left)", "(right)")]
        return _plain(run, build(*names))


def _plain(run: _Run, expr: syn.Expr) -> Const:
    value = lower_expressions.constant(run.ctx, expr)
    if value is None:
        raise _GiveUp
    return value


def _assign(run: _Run, expr: syn.Assign, name: str) -> Const:
    value = _value(run, expr.value)
    if expr.op != "=":
        before = _value(run, expr.target)
        op = expr.op.removesuffix("=")
        value = _combined(run, expr, lambda a, b: syn.Binary(span=expr.span, op=op, left=a, right=b), before, value)
    return _rebind(run, name, value)


def _rebind(run: _Run, name: str, value: Const) -> Const:
    """Gives a local of the function a new value, in the block that declares it; that is what it is worth in its type."""
    scope: Scope | None = run.ctx.scope
    while scope is not None:
        known = scope.bindings.get(name)
        if known is not None:
            if not isinstance(known, Value):
                raise _GiveUp
            converted = constants.fold(conversions.cast(value, known.type))
            if converted is None:
                raise _GiveUp
            scope.bind(name, Value(converted, known.type))
            return converted
        scope = scope.parent
    raise _GiveUp


def _takes_place(declaration: syn.FunctionDecl) -> bool:
    """Whether it matters to a function that an argument is a variable: a reference takes it that is not to a const."""
    types = (p.type for p in declaration.parameters)
    return any(isinstance(t, syn.ReferenceTo) and "const" not in t.target.qualifiers for t in types)


def _nested_call(run: _Run, call: syn.Call) -> Const:
    """A call inside: of a function with a body here, else whatever the folding knows about it (`min`)."""
    ctx = run.ctx
    assert isinstance(call.callee, syn.Name)
    args = [_value(run, arg) for arg in call.args]
    bound = ctx.scope.find(call.callee.name)
    operands = [Value(arg, arg.type) for arg in args]
    more = associated.NOTHING
    if isinstance(bound, FunctionName):
        declarations = bound.declarations
    else:
        declarations = visibility.functions(ctx, call.callee.name, run.function)
        more = associated.of_operands(ctx, call.callee.name, declarations, operands)
    if any(isinstance(arg, syn.Name) for arg in call.args) and any(map(_takes_place, (*declarations, *more.functions))):
        raise _GiveUp  # here is only what a variable holds
    if declarations or more.functions:
        given = call.callee.template_args
        choice = overloads.choose(ctx, (*declarations, *more.functions), given, operands, friends=more.bindings)
        if choice.best is None:
            raise _GiveUp
        return _call(run, choice.best.declaration, choice.best.bindings, args)
    with ctx.nested_scope() as scope:
        names = []
        for position, arg in enumerate(args):
            scope.bind(f"(argument {position})", Value(arg, arg.type))
            names.append(syn.Name(span=call.span, name=f"(argument {position})"))
        return _plain(run, syn.Call(span=call.span, callee=call.callee, args=tuple(names)))
