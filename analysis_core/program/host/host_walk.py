"""What host code says about launches: constants and dim3 variables, followed through a function's statements.

A small flow-sensitive walk: declarations and assignments of names are followed in order; what is assigned under an
`if` is joined after it (kept if both sides agree), what is assigned in a loop or a `switch` is unknown from its
beginning.  Names are bound to operands in a `Scope`, so that expressions are evaluated by the same folding as in
kernels.  Of a name that stands for several kernels (a function pointer chosen by an `if`) all are kept.

What a called function changes through a pointer (`&threads`) or a non-const reference is unknown afterwards; a
function that is not declared here is taken to change only what it is given a pointer to.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace

from analysis_core.ir import constants
from analysis_core.ir.scalars import DIM3
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import resolve
from analysis_core.lower.names.scope import Scope
from analysis_core.lower.objects import bind_parameters
from analysis_core.lower.statements import lower_expressions
from analysis_core.lower.values import ArrayValue, FunctionName, Operand, StructValue, Value
from analysis_core.program.host import host_cases, host_flow, host_records
from analysis_core.program.host.host_cases import counted, rebind
from analysis_core.program.host.host_constants import (
    dims,
    host_constant,
    initial,
    initial_array,
    is_known,
    kernel_pointer,
)
from analysis_core.program.host.host_unknowns import (
    assigned_names,
    forget,
    forget_changed,
    forget_place,
    known_number,
    unknown_of,
)
from analysis_core.support.facts import Assumption
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import uncast
from analysis_core.text.records import dataclass


@dataclass(slots=True)
class HostWalk:
    """One function of the host under template bindings; `visit` is called for every expression with the scope set.

    `arrays`: those that nothing but assignments changes.  `counters`: variables that the loops around count up, with what they begin with and the step; `conditions`: those that hold
    here, or do not, of names that keep their values; `dead`: a constant condition leaves out what is walked.  `rooms`: bytes that pointers are
    allocated with; `shapes`: what each dim3 was made of; `parameters`: the function's; `aliased`: variables that something else may change."""

    ctx: Lowering
    visit: Callable[[HostWalk, syn.Expr], None]
    functions: dict[str, list[FunctionName]] = field(default_factory=dict)  # pointers to kernels by variable
    counters: dict[str, tuple[int, int]] = field(default_factory=dict)
    conditions: tuple[tuple[syn.Expr, bool], ...] = ()
    arrays: frozenset[str] = frozenset()
    dead: bool = False
    rooms: dict[str, int] = field(default_factory=dict)
    shapes: host_cases.Shapes = field(default_factory=dict)
    body: syn.Compound | None = None
    parameters: frozenset[str] = frozenset()
    aliased: frozenset[str] = frozenset()
    repointed: frozenset[str] | None = None  # asked for once
    moves: Mapping[str, Sequence[syn.Expr]] | None = None  # of pointers, by name; asked for once

    def drop(self, names: Iterable[str]) -> None:
        """Forgets the conditions on variables that are assigned, and the shapes that are made of them."""
        if self.conditions or self.shapes:
            gone = frozenset(names)
            self.conditions = tuple(c for c in self.conditions if host_flow.names_in(c[0]).isdisjoint(gone))
            self.shapes = host_cases.without(self.shapes, gone)


def walk(host: HostWalk, declaration: syn.FunctionDecl, scope: Scope, known: Mapping[str, Operand]) -> None:
    """Visits the expressions of a function's body in order.  `known`: parameters, and variables of file scope."""
    if declaration.body is None:
        return
    ctx = host.ctx
    host.body = declaration.body
    host.parameters = frozenset(p.name for p in declaration.parameters if p.name is not None)
    with ctx.in_scope(scope):
        host.aliased = host_records.aliased(declaration.body)
        host.arrays = host_flow.followed_arrays(declaration.body, ctx.unit, scope.root().namespace)
        for parameter in declaration.parameters:
            if parameter.name is not None and parameter.name not in known:
                type = bind_parameters.parameter_type(ctx, parameter.type)
                ctx.scope.bind(parameter.name, unknown_of(type))
        for name, value in known.items():
            ctx.scope.bind(name, value)
        _statement(host, declaration.body)


# --- statements -------------------------------------------------------------------------------------------------


def _statement(host: HostWalk, stmt: syn.Stmt) -> None:
    ctx = host.ctx
    match stmt:
        case syn.Compound(body=body):
            shapes = host.shapes
            with ctx.nested_scope():
                for inner in body:
                    _statement(host, inner)
            host.shapes = {name: parts for name, parts in host.shapes.items() if shapes.get(name) == parts}
        case syn.ExprStmt(expr=expr):
            _expression(host, expr)
        case syn.DeclStmt(declarations=declarations):
            for declaration in declarations:
                if isinstance(declaration, syn.VarDecl):
                    _declare(host, declaration)
        case syn.If():
            _if(host, stmt)
        case syn.For(init=init, condition=condition, step=step, body=body):
            with ctx.nested_scope():
                if init is not None:
                    _statement(host, init)
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
                _statement(host, inner)
        case _:
            pass


def _if(host: HostWalk, stmt: syn.If) -> None:
    """Both arms from the same state; what they leave different is unknown."""
    ctx = host.ctx
    with ctx.nested_scope():
        if stmt.init is not None:
            _statement(host, stmt.init)
        _expression(host, stmt.condition)
        decided = host_constant(ctx, stmt.condition)
        if decided is not None:
            taken, left_out = (stmt.then, stmt.otherwise) if decided.value else (stmt.otherwise, stmt.then)
            if left_out is not None:
                _walk_dead(host, left_out)
            if taken is not None:
                _statement(host, taken)
            return
        names = assigned_names(ctx, stmt)
        before = {name: ctx.scope.find(name) for name in names}
        around = host.conditions
        host.conditions = (*around, (stmt.condition, True))
        with host_cases.known_to_be(ctx, host.shapes, host_cases.equal_numbers(ctx, stmt.condition)):
            _statement(host, stmt.then)
        after = {name: ctx.scope.find(name) for name in names}
        for name, binding in before.items():
            if binding is not None:
                rebind(ctx, name, binding)
        host.conditions = (*around, (stmt.condition, False))
        if stmt.otherwise is not None:
            _statement(host, stmt.otherwise)
        host.conditions = around
        host.drop(names)
        for name in names:
            both = host_records.joined(ctx.scope.find(name), after[name])
            if both is None:
                forget(ctx, name)
            elif both != ctx.scope.find(name):
                rebind(ctx, name, both)


def _walk_dead(host: HostWalk, stmt: syn.Stmt) -> None:
    """A statement that a constant condition leaves out: its launches say how a kernel is meant to be launched, and nothing else of it
    counts."""
    ctx = host.ctx
    before = {name: ctx.scope.find(name) for name in assigned_names(ctx, stmt)}
    functions = {name: list(kernels) for name, kernels in host.functions.items()}
    counters, conditions, dead = host.counters, host.conditions, host.dead
    host.dead = True
    with ctx.nested_scope():
        _statement(host, stmt)
    host.counters, host.conditions, host.dead = counters, conditions, dead
    host.functions.clear()
    host.functions.update(functions)
    for name, binding in before.items():
        if binding is not None:
            rebind(ctx, name, binding)


def _switch(host: HostWalk, stmt: syn.Switch) -> None:
    """Each case where its number is known: of the name that is selected by, and of the shapes that are made of it."""
    ctx = host.ctx
    _expression(host, stmt.selector)
    selector = uncast(stmt.selector)
    if not isinstance(selector, syn.Name) or not isinstance(stmt.body, syn.Compound):
        _repeated(host, stmt, [], stmt.body)
        return
    names = assigned_names(ctx, stmt)
    host.drop(names)
    decided = host_constant(ctx, stmt.selector)
    with ctx.nested_scope():
        for labels, body, closed in host_cases.cases_of(stmt.body.body):
            number = host_cases.number_of_case(ctx, labels, closed)
            for name in names:
                forget(ctx, name)
            if number is not None and decided is not None and decided.value != number:
                _walk_dead(host, replace(stmt.body, body=tuple(body)))
                continue
            numbers = () if number is None or selector.name in names else ((selector.name, number),)
            with host_cases.known_to_be(ctx, host.shapes, numbers):
                for inner in body:
                    _statement(host, inner)
    for name in names:
        forget(ctx, name)


def _repeated(host: HostWalk, stmt: syn.Stmt, tests: Sequence[syn.Expr | None], body: syn.Stmt) -> None:
    """A loop, or a `switch`: what is assigned inside is not known there, nor after it."""
    ctx = host.ctx
    names = assigned_names(ctx, stmt)
    around = host.counters
    host.counters = {n: c for n, c in around.items() if n not in names} | counted(ctx, names, (*tests, body))
    host.drop(names)
    forget_changed(ctx, stmt)
    for test in tests:
        if test is not None:
            _expression(host, test)
    _statement(host, body)
    host.counters = around
    forget_changed(ctx, stmt)


def _declare(host: HostWalk, declaration: syn.VarDecl) -> None:
    ctx = host.ctx
    init = declaration.init
    if init is not None:
        host.visit(host, init)
        _side_effects(host, init)
    host.counters.pop(declaration.name, None)
    host.drop((declaration.name,))
    pointed = None if init is None else kernel_pointer(ctx, init)
    if pointed is not None:
        host.functions.setdefault(declaration.name, []).append(pointed)
    auto = isinstance(declaration.type, syn.NamedType) and declaration.type.name == "auto"
    type = None if auto else resolve.resolve_type(ctx, _referred(declaration.type))
    array = initial_array(ctx, type, init) if declaration.name in host.arrays else None
    copied = host_records.record_named(ctx, init) if declaration.name not in host.aliased else None
    known = copied if copied is not None and type in (None, copied.type) else None
    value = array or known or initial(ctx, type, init)
    ctx.scope.bind(declaration.name, value)
    if isinstance(value, StructValue) and value.type == DIM3 and (parts := host_cases.made_of(init)):
        host.shapes = {**host.shapes, declaration.name: parts}


def _referred(node: syn.TypeNode) -> syn.TypeNode:
    return node.target if isinstance(node, syn.ReferenceTo) else node


# --- expressions ------------------------------------------------------------------------------------------------


def _expression(host: HostWalk, expr: syn.Expr) -> None:
    host.visit(host, expr)
    _side_effects(host, expr)


def _side_effects(host: HostWalk, expr: syn.Expr) -> None:
    """Follows `x = e` and `d.x = e` at the top; anything assigned deeper inside is forgotten."""
    ctx = host.ctx
    if host.conditions or host.shapes:
        host.drop(assigned_names(ctx, expr))
    if isinstance(expr, syn.Assign) and expr.op == "=":
        forget_changed(ctx, expr.value)
        _assign(host, expr)
        return
    forget_changed(ctx, expr)


def _assign(host: HostWalk, expr: syn.Assign) -> None:
    ctx = host.ctx
    match expr.target:
        case syn.Name(name=name):
            pointed = kernel_pointer(ctx, expr.value)
            if pointed is not None:
                host.functions.setdefault(name, []).append(pointed)
            known = ctx.scope.find(name)
            if isinstance(known, StructValue) and known.type == DIM3:
                values = dims(ctx, expr.value)
                rebind(ctx, name, StructValue(DIM3, tuple(known_number(v) for v in values)))
            elif isinstance(known, Value):
                rebind(ctx, name, initial(ctx, known.type, expr.value))
            elif isinstance(known, StructValue):
                copied = host_records.record_named(ctx, expr.value) if name not in host.aliased else None
                same = copied is not None and copied.type == known.type
                rebind(ctx, name, copied if same else unknown_of(known.type))
        case syn.Member() if (place := host_records.place_of(expr.target)) and _is_record(ctx, place[0]):
            if place[0] not in host.aliased:
                _assign_member(ctx, place, expr.value)
        case syn.Member(base=syn.Name(name=name), name=member):
            known = ctx.scope.find(name)
            if isinstance(known, StructValue) and known.type == DIM3 and member in ("x", "y", "z"):
                parts = list(known.fields)
                parts["xyz".index(member)] = known_number(constants.whole(host_constant(ctx, expr.value)))
                rebind(ctx, name, StructValue(DIM3, tuple(parts)))
            elif known is not None:
                # A launch configuration: its members are kept under a name of their own.
                ctx.scope.bind(f"{name}.{member}", initial(ctx, DIM3, expr.value))
        case syn.Subscript(base=syn.Name(name=name), index=index) if isinstance(ctx.scope.find(name), ArrayValue):
            _assign_element(ctx, name, index, expr.value)
        case _:
            forget_changed(ctx, expr.target)
            if any(_is_record(ctx, name) for name in host_flow.assigned_base(expr.target)):
                forget_place(ctx, expr.target)


def _is_record(ctx: Lowering, name: str) -> bool:
    known = ctx.scope.find(name)
    return isinstance(known, StructValue) and known.type != DIM3


def _assign_member(ctx: Lowering, place: tuple[str, host_records.Members], value: syn.Expr) -> None:
    name, members = place
    record = ctx.scope.find(name)
    assert isinstance(record, StructValue)
    type, copied = host_records.member_type(record, members), host_records.record_named(ctx, value)
    known = (
        copied if copied is not None and copied.type == type else None if type is None else initial(ctx, type, value)
    )
    rebind(ctx, name, host_records.with_member(record, members, known))


def _assign_element(ctx: Lowering, name: str, index: syn.Expr, value: syn.Expr) -> None:
    array, place = ctx.scope.find(name), lower_expressions.constant(ctx, index)
    for changed in assigned_names(ctx, index):
        forget(ctx, changed)
    at = constants.whole(place)
    if not isinstance(array, ArrayValue) or at is None or not 0 <= at < len(array.elements):
        forget(ctx, name)
        return
    element = initial(ctx, array.type.element, value)
    rebind(ctx, name, replace(array, elements=(*array.elements[:at], element, *array.elements[at + 1 :])))


# --- variables of file scope ---------------------------------------------------------------------------------------


@dataclass(slots=True)
class Settled:
    """The variables of file scope that keep the value they begin with, as far as the host functions in `hosts` tell."""

    ctx: Lowering
    hosts: Sequence[syn.FunctionDecl]
    assigned: frozenset[str] | None = None

    def among(self, names: Iterable[str], scope: Scope) -> dict[str, tuple[Operand, Assumption | None]]:
        """Those of these names that keep their value, with the values and the assumptions behind them."""
        found: dict[str, tuple[Operand, Assumption | None]] = {}
        unit = self.ctx.unit
        for name in sorted(names):
            declared = unit.find_variable(name, scope.namespace)
            if declared is None or not host_flow.is_variable(declared[1]):
                continue
            if self.assigned is None:
                self.assigned = host_flow.assigned_anywhere(unit, self.hosts).union(unit.tree.beyond.assigned)
            if declared[1].name in self.assigned:
                continue
            home = declared[0].rpartition("::")[0]
            with self.ctx.in_scope(Scope(None, home)), self.ctx.scratch():
                type = resolve.resolve_type(self.ctx, declared[1].type)
                value = initial(self.ctx, type, declared[1].init)
            if is_known(value):
                rests = Assumption(f"`{name}` keeps its value: nothing in view assigns it", declared[1].span)
                found[name] = value, None if "static" in declared[1].storage else rests
        return found
