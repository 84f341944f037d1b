"""What host code says about launches: constants and dim3 variables, followed through a function's statements.

A small flow-sensitive walk: declarations and assignments of names are followed in order; what is assigned under an
`if` is joined after it (kept if both sides agree), what is assigned in a loop or a `switch` is unknown from its
beginning.  Names are bound to operands in a `Scope`, so that expressions are evaluated by the same folding as in
kernels.  Of a name that stands for several kernels (a function pointer chosen by an `if`) all are kept.  The body of a
lambda is walked where it is called, with what is handed to it, or else where it is handed on.

What a called function changes through a pointer (`&threads`) or a non-const reference is unknown afterwards; a
function that is not declared here is taken to change only what it is given a pointer to.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from analysis_core.lower.context import Lowering
from analysis_core.lower.names import overloads, resolve
from analysis_core.lower.names.scope import Binding, PackBinding, Scope, TypeBinding
from analysis_core.lower.objects import bind_parameters
from analysis_core.lower.statements import inline, lower_declarations
from analysis_core.lower.values import Closure, FunctionName, Operand, type_of
from analysis_core.program.host import (
    host_assignments,
    host_calls,
    host_cases,
    host_flow,
    host_made,
    host_operands,
    host_records,
)
from analysis_core.program.host.host_cases import counted, rebind
from analysis_core.program.host.host_constants import (
    host_constant,
    initial,
)
from analysis_core.program.host.host_operands import kernels_named
from analysis_core.program.host.host_state import HostFunction, HostWalk, Known
from analysis_core.program.host.host_unknowns import (
    assigned_names,
    forget_changed,
    unknown_of,
)
from analysis_core.program.host.host_ways import State
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside, uncast


def walk(host: HostWalk, declaration: syn.FunctionDecl, scope: Scope, known: Mapping[str, Operand]) -> None:
    """Visits the expressions of a function's body in order.  `known`: parameters, and variables of file scope."""
    if declaration.body is None:
        return
    ctx = host.ctx
    host.function = HostFunction(
        declaration.body,
        frozenset(p.name for p in declaration.parameters if p.name is not None),
        host_flow.followed_arrays(declaration.body, ctx.unit, scope.root().namespace),
        host_records.aliased(declaration.body, ctx.unit, scope.root().namespace),
    )
    with ctx.in_scope(scope):
        for parameter in declaration.parameters:
            if parameter.name is not None and parameter.name not in known:
                _parameter(host, parameter, parameter.name)
        for name, value in known.items():
            if isinstance(value, FunctionName):
                host.known.pointers[name] = (value,)
            if isinstance(value, Closure):
                host.known.closures[name] = value
                value = unknown_of(None)
            ctx.scope.bind(name, value)
        statement(host, declaration.body)


def _parameter(host: HostWalk, parameter: syn.Parameter, name: str) -> None:
    """A parameter of which nothing but the type is known; a type may be that of one function."""
    ctx = host.ctx
    node = host_assignments.referred(parameter.type)
    bound = ctx.scope.find(node.name) if isinstance(node, syn.NamedType) else None
    if isinstance(bound, FunctionName):
        host.known.pointers[name] = (bound,)
        ctx.scope.bind(name, unknown_of(type_of(bound)))
    elif isinstance(bound, PackBinding) and parameter.pack:
        ctx.scope.bind(name, PackBinding(tuple(_argument_of(ctx, one) for one in bound.elements)))
    else:
        ctx.scope.bind(name, unknown_of(bind_parameters.parameter_type(ctx, parameter.type)))


def _argument_of(ctx: Lowering, type: Binding) -> Operand:
    return unknown_of(resolve.complete(ctx, type.type)) if isinstance(type, TypeBinding) else unknown_of(None)


# --- statements -------------------------------------------------------------------------------------------------


def statement(host: HostWalk, stmt: syn.Stmt) -> None:
    """Visits the expressions of a statement."""
    ctx = host.ctx
    match stmt:
        case syn.Compound(body=body):
            with ctx.nested_scope() as scope:
                for inner in body:
                    statement(host, inner)
                own = frozenset(scope.bindings)
            host.known.made = host_made.without(host.known.made, own)
        case syn.ExprStmt(expr=expr):
            _expression(host, expr)
        case syn.DeclStmt(declarations=declarations):
            for declaration in declarations:
                if isinstance(declaration, syn.VarDecl):
                    _declare(host, declaration)
                else:
                    lower_declarations.declaration(ctx, declaration)
        case syn.If():
            _if(host, stmt)
        case syn.For(init=init, condition=condition, step=step, body=body):
            with ctx.nested_scope():
                if init is not None:
                    statement(host, init)
                _repeated(host, stmt, [condition, step], body)
        case syn.RangeFor(variable=variable, range=range_, body=body):
            with ctx.nested_scope():
                _expression(host, range_)
                ctx.scope.bind(variable.name, unknown_of(None))
                _repeated(host, stmt, [], body)
        case syn.While(condition=condition, body=body) | syn.DoWhile(condition=condition, body=body):
            _repeated(host, stmt, [condition], body)
        case syn.Switch():
            _switch(host, stmt)
        case syn.Return(value=value):
            if value is not None:
                _expression(host, value)
        case syn.OpaqueStmt(inner=inner_statements):
            for inner in inner_statements:
                statement(host, inner)
        case _:
            pass


def _if(host: HostWalk, stmt: syn.If) -> None:
    """Both arms from the same state; what they leave different is unknown, or one of its values in this walk."""
    with host.ctx.nested_scope():
        names = sorted(assigned_names(host.ctx, stmt))
        ends = _ends(host, stmt, names)
        if len(ends) > 1:
            host.meet(names, ends)


def _ends(host: HostWalk, stmt: syn.If, names: Sequence[str]) -> list[State]:
    """What the names are at the end of each arm from which control comes out; arms that are such statements have several."""
    ctx = host.ctx
    if stmt.init is not None:
        statement(host, stmt.init)
    _expression(host, stmt.condition)
    decided = host_constant(ctx, stmt.condition)
    if decided is not None:
        taken, left_out = (stmt.then, stmt.otherwise) if decided.value else (stmt.otherwise, stmt.then)
        if left_out is not None:
            _walk_dead(host, left_out)
        return [host.state(names)] if taken is None else _arm(host, taken, names)
    before, around = host.state(names), host.known.conditions
    host.known.conditions = (*around, (stmt.condition, True))
    with host_made.taken_to_be(ctx, host.known.made, host_cases.equal_numbers(ctx, stmt.condition), host.told):
        ends = _arm(host, stmt.then, names)
    ends = [host.state(names)] if len(ends) == 1 else ends
    host.begin_again(before)
    host.known.conditions = (*around, (stmt.condition, False))
    others = [host.state(names)] if stmt.otherwise is None else _arm(host, stmt.otherwise, names)
    host.known.conditions = around
    left = stmt.otherwise is not None and host_cases.leaves(stmt.otherwise)
    if left == host_cases.leaves(stmt.then):
        return [*ends, *others]
    host.known.drop(names)
    host.begin_again(ends[0] if left else others[0])
    return ends if left else others


def _arm(host: HostWalk, stmt: syn.Stmt, names: Sequence[str]) -> list[State]:
    inner = stmt
    while isinstance(inner, syn.Compound) and len(inner.body) == 1:
        inner = inner.body[0]
    if isinstance(inner, syn.If) and inner.init is None:
        return _ends(host, inner, names)
    statement(host, stmt)
    return [host.state(names)]


def _walk_dead(host: HostWalk, stmt: syn.Stmt) -> None:
    """A statement that a constant condition leaves out: its launches say how a kernel is meant to be launched, and nothing else of it
    counts."""
    ctx = host.ctx
    before = {name: ctx.scope.find(name) for name in assigned_names(ctx, stmt)}
    pointers, counters, conditions, dead = (
        dict(host.known.pointers),
        host.known.counters,
        host.known.conditions,
        host.dead,
    )
    host.dead = True
    with ctx.nested_scope():
        statement(host, stmt)
    host.known.pointers, host.known.counters, host.known.conditions, host.dead = pointers, counters, conditions, dead
    for name, binding in before.items():
        if binding is not None:
            rebind(ctx, name, binding)


def _switch(host: HostWalk, stmt: syn.Switch) -> None:
    """Each case where its number is known: of the name that is selected by, and what is made of it."""
    ctx = host.ctx
    _expression(host, stmt.selector)
    selector = uncast(stmt.selector)
    if not isinstance(selector, syn.Name) or not isinstance(stmt.body, syn.Compound):
        _repeated(host, stmt, [], stmt.body)
        return
    names = sorted(assigned_names(ctx, stmt))
    host.known.drop(names)
    decided = host_constant(ctx, stmt.selector)
    before, cases = host.state(names), list(host_cases.cases_of(stmt.body.body))
    apart = host_cases.are_apart(cases)
    ends = [] if any(label.value is None for labels, _, _ in cases for label in labels) else [before]
    host.rounds += not apart
    with ctx.nested_scope():
        for labels, body, closed in cases:
            number = host_cases.number_of_case(ctx, labels, closed)
            if apart:
                host.begin_again(before)
            else:
                host.forget(names)
            if number is not None and decided is not None and decided.value != number:
                _walk_dead(host, replace(stmt.body, body=tuple(body)))
                continue
            numbers = () if number is None or selector.name in names else ((selector.name, number),)
            with host_made.taken_to_be(ctx, host.known.made, numbers, host.told):
                for inner in body:
                    statement(host, inner)
            if isinstance(host_cases.last_of(body[-1]), syn.Break) or not host_cases.leaves(body[-1]):
                ends.append(host.state(names))
    host.rounds -= not apart
    if apart and ends:
        host.meet(names, ends)
    else:
        host.forget(names)


def _repeated(host: HostWalk, stmt: syn.Stmt, tests: Sequence[syn.Expr | None], body: syn.Stmt) -> None:
    """A loop, or a `switch`: what is assigned inside is not known there, nor after it."""
    ctx = host.ctx
    names = assigned_names(ctx, stmt)
    around = host.known.counters
    host.known.counters = {n: c for n, c in around.items() if n not in names} | counted(ctx, names, (*tests, body))
    host.known.drop(names)
    forget_changed(ctx, stmt)
    host.rounds += 1
    for test in tests:
        if test is not None:
            _expression(host, test)
    statement(host, body)
    host.rounds -= 1
    host.known.counters = around
    forget_changed(ctx, stmt)


def _declare(host: HostWalk, declaration: syn.VarDecl) -> None:
    init = declaration.init
    if init is not None and not isinstance(init, syn.Lambda):
        _expression(host, init)
    host.known.closures.pop(declaration.name, None)
    host_assignments.declare(host, declaration)
    if isinstance(init, syn.Lambda):
        host.known.closures[declaration.name] = _closure(host.ctx, init)


# --- expressions ------------------------------------------------------------------------------------------------


def _expression(host: HostWalk, expr: syn.Expr) -> None:
    host.visit(host, expr)
    _walk_closures(host, expr)
    host_assignments.side_effects(host, expr)


# --- lambdas ----------------------------------------------------------------------------------------------------

_DEEPEST = 12
"""Lambdas that are walked inside of each other."""


def _closure(ctx: Lowering, node: syn.Lambda) -> Closure:
    """A lambda with the scope that it is made in; what it captures by copy is what it is now."""
    scope = Scope(ctx.scope)
    for name in host_flow.names_in(node.body):
        bound = ctx.scope.find(name)
        if bound is not None and (name in node.captures or ("=" in node.captures and f"&{name}" not in node.captures)):
            scope.bind(name, bound)
    for name, value in node.made:
        scope.bind(name.removeprefix("&"), initial(ctx, None, value))
    return Closure(node, scope)


def _walk_closures(host: HostWalk, expr: syn.Expr) -> None:
    """Walks the lambdas that an expression calls or hands on, and the functions that it hands them to."""
    called: set[int] = set()
    for node in (expr,) if isinstance(expr, syn.Lambda) else inside(expr, lambdas=False):
        match node:
            case syn.Call(callee=syn.Lambda() as made, args=args):
                called.add(id(made))
                _walk_closure(host, _closure(host.ctx, made), args)
            case syn.Call(callee=syn.Name(name=name) as named, args=args) if name in host.known.closures:
                called.add(id(named))
                _walk_closure(host, host.known.closures[name], args)
            case syn.Call(
                callee=syn.Member(base=syn.Name(name=name) as named, name="operator()") as callee, args=args
            ) if name in host.known.closures:
                called.add(id(named))
                _walk_closure(host, host.known.closures[name], args, callee.template_args)
            case syn.Call(callee=syn.Name() as named) if _hand_to_function(host, node, named):
                called.update(map(id, node.args))
            case syn.Lambda() if id(node) not in called:
                _walk_closure(host, _closure(host.ctx, node), ())
            case syn.Name(name=name) if name in host.known.closures and id(node) not in called:
                _walk_closure(host, host.known.closures[name], ())
            case _:
                pass


def _closure_of(host: HostWalk, arg: syn.Expr) -> Closure | None:
    """The lambda that an argument is."""
    if isinstance(arg, syn.Lambda):
        return _closure(host.ctx, arg)
    return host.known.closures.get(arg.name) if isinstance(arg, syn.Name) else None


def _hand_to_function(host: HostWalk, call: syn.Call, callee: syn.Name) -> bool:
    """Walks a function of the host that calls what it is handed, if this is a lambda; whether it is such a call."""
    ctx = host.ctx
    closures = {n: closure for n, arg in enumerate(call.args) if (closure := _closure_of(host, arg)) is not None}
    if not closures:
        return False
    candidates = [
        d
        for d in ctx.unit.find_functions(callee.name, ctx.scope.root().namespace)
        if host_calls.is_host(d) and len(d.parameters) == len(call.args) and _calls_any(d, closures)
    ]
    if len(candidates) != 1:
        return False
    (declaration,) = candidates
    if not _may_enter(host, declaration):
        return False
    operands = next(host_operands.operands_of(ctx, call.args, host.known.pointers))
    bindings = overloads.template_bindings(ctx, declaration, callee.template_args, operands, {})
    known: dict[str, Operand] = {}
    for number, parameter in enumerate(declaration.parameters):
        if parameter.name is not None:
            known[parameter.name] = closures.get(number) or operands[number]
    outer = host.function, host.known
    host.known = Known()
    host.entered += (declaration,)
    walk(host, declaration, Scope(None, ctx.unit.body_scope(declaration), dict(bindings or {})), known)
    host.entered = host.entered[:-1]
    host.function, host.known = outer
    return True


def _calls_any(declaration: syn.FunctionDecl, numbers: Iterable[int]) -> bool:
    """Whether a function calls one of these parameters."""
    names = host_calls.called(declaration)[1]
    return any(declaration.parameters[number].name in names for number in numbers)


def _may_enter(host: HostWalk, definition: syn.Node) -> bool:
    """Whether a lambda or function may be walked where it is called: not inside of itself."""
    return len(host.entered) < _DEEPEST and all(definition is not other for other in host.entered)


def _walk_closure(
    host: HostWalk,
    closure: Closure,
    args: Sequence[syn.Expr],
    template_args: Sequence[syn.TemplateArg] | None = None,
) -> None:
    if not _may_enter(host, closure.definition):
        forget_changed(host.ctx, closure.definition.body)
        return
    ctx, pointers, parameters = host.ctx, dict(host.known.pointers), closure.definition.parameters
    scope = Scope(closure.scope)
    scope.bindings.update(_template_of(host, closure, args, template_args))
    for position, parameter in enumerate(parameters):
        arg = args[position] if position < len(args) else None
        if parameter.name is not None:
            host.known.pointers[parameter.name] = () if arg is None else kernels_named(ctx, arg, pointers)
            scope.bind(parameter.name, _handed(ctx, parameter, arg))
    host.entered += (closure.definition,)
    with ctx.in_scope(scope):
        statement(host, closure.definition.body)
    host.entered = host.entered[:-1]
    own = {parameter.name for parameter in parameters}
    kept = {name: kernels for name, kernels in host.known.pointers.items() if name in pointers and name not in own}
    host.known.pointers = host_operands.either(pointers, kept)


def _template_of(
    host: HostWalk, closure: Closure, args: Sequence[syn.Expr], template_args: Sequence[syn.TemplateArg] | None
) -> Mapping[str, Binding]:
    """What the template parameters of a lambda mean where it is called; nothing where that is not determined."""
    if not closure.definition.template:
        return {}
    operands = next(host_operands.operands_of(host.ctx, args, host.known.pointers))
    return inline.closure_bindings(host.ctx, closure, template_args, operands) or {}


def _handed(ctx: Lowering, parameter: syn.Parameter, arg: syn.Expr | None) -> Operand:
    """What a parameter of a lambda is; an `auto` has the type of its argument."""
    type = bind_parameters.parameter_type(ctx, parameter.type)
    if arg is None:
        return unknown_of(type)
    return initial(ctx, None if host_assignments.is_auto(parameter.type) else type, arg)
