"""What class templates whose members launch kernels are instantiated with.

template <class K> void Table<K>::insert(const K *keys, int n) { insert_all<K><<<n / 128, 128>>>(slots, keys, n); }
struct Index { Table<unsigned long long> table; };              insert_all<unsigned long long>

A class template is instantiated where its type is named with arguments (objects, members and bases of other classes, aliases, calls of
static members; [temp.inst]).  Every member of it that launches is then taken to be called: more than C++ instantiates, never less.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from analysis_core.ir.types import PointerType
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import overloads, resolve
from analysis_core.lower.names.scope import Binding, Scope, Unit, join
from analysis_core.lower.objects import methods
from analysis_core.lower.statements import inline, lower_expressions
from analysis_core.lower.values import Operand
from analysis_core.program.host import host_unknowns
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside

Members = Iterator[tuple[syn.FunctionDecl, Mapping[str, Binding]]]


def launching_classes(unit: Unit, leading: Sequence[syn.FunctionDecl]) -> frozenset[str]:
    """The names, without namespaces, of class templates of which a member is among `leading`."""
    owners = {(join(d.scope, d.owner), d.owner.rpartition("::")[2]) for d in leading if d.owner}
    return frozenset(
        name for key, name in owners if any(record.template is not None for record in unit.find_records(key))
    )


def is_of_template(ctx: Lowering, declaration: syn.FunctionDecl) -> bool:
    """Whether this is a member of a class template."""
    return bool(declaration.owner) and _inside_template(ctx, join(declaration.scope, declaration.owner))


def names_class(declaration: syn.FunctionDecl, classes: frozenset[str]) -> bool:
    """Whether a function names one of these classes."""
    return any(
        isinstance(node, syn.NamedType | syn.Name) and not classes.isdisjoint(node.name.split("::"))
        for node in inside(declaration)
    )


def instantiate_named(ctx: Lowering, hosts: Sequence[syn.FunctionDecl]) -> None:
    """Lays out the types that are named outside of templates; class instances among them are known to `ctx` then."""
    for host in hosts:
        if not host.template and not is_of_template(ctx, host):
            instantiate_in(ctx, host, inline.function_scope(host, {}))
    unit = ctx.unit
    for name, definitions in list(unit.records.items()):
        if all(record.template is None for record in definitions) and not _inside_template(ctx, name):
            resolve.find_type(ctx, name, None)
    for alias in list(unit.aliases.values()):
        if alias.template is None and not _inside_template(ctx, alias.scope):
            _resolve(ctx, alias.type, Scope(None, alias.scope))
    for variable in list(unit.variables.values()):
        _resolve(ctx, variable.type, Scope(None, variable.scope))


def instantiate_in(ctx: Lowering, declaration: syn.FunctionDecl, scope: Scope) -> None:
    """Lays out the types that a function names, in the scope of its template arguments."""
    with ctx.scratch(), ctx.in_scope(scope):
        for node in inside(declaration):
            match node:
                case syn.NamedType():
                    resolve.resolve_type(ctx, node)
                case syn.TypeAlias(name=name, type=type, template=None):
                    scope.bind(name, resolve.qualified(ctx, type))
                case syn.Name(name=name, template_args=args) if "::" in name:
                    resolve.find_type(ctx, name.rpartition("::")[0], args)
                case _:
                    pass


def member_instances(ctx: Lowering, leading: Sequence[syn.FunctionDecl], templates: bool = False) -> Members:
    """The members among `leading` under the arguments of each class instance that `ctx` knows.  Member templates are left to their calls;
    with `templates`, it is these alone, their own parameters open."""
    by_place = {d.name_span: d for d in leading if d.owner}
    for instance in list(ctx.instances.values()):
        template = instance.definition.template
        if template is None or any(p.name not in instance.scope.bindings for p in template if p.name is not None):
            continue
        for method in instance.definition.methods:
            found = methods.defined(ctx, instance, method)
            declaration = by_place.get(found.declaration.name_span)
            if declaration is not None and (method.template is not None) is templates:
                yield declaration, found.bindings


def called_templates(
    ctx: Lowering, call: syn.Call, operands: Sequence[Operand | None], leading: Sequence[syn.FunctionDecl]
) -> Members:
    """The member templates among `leading` that a call `object.name<..>(..)` names, with all that it binds."""
    if not isinstance(call.callee, syn.Member):
        return
    type = lower_expressions.type_of_expression(ctx, call.callee.base)
    if isinstance(type, PointerType):
        type = resolve.complete(ctx, type.target)
    instance = methods.instance_of(ctx, type)
    for method in () if instance is None else methods.methods_named(ctx, instance, call.callee.name):
        found = method.declaration
        if found.template is None or not any(found is d for d in leading) or not overloads.takes(found, len(call.args)):
            continue
        bound = overloads.template_bindings(ctx, found, call.callee.template_args, operands, method.bindings)
        if bound is not None:
            yield found, {**method.bindings, **bound}


def this_of(ctx: Lowering, declaration: syn.FunctionDecl, bindings: Mapping[str, Binding]) -> Operand | None:
    """The object that a member is called for, of which only the class is known; None for functions of no class."""
    if not declaration.owner:
        return None
    key = join(declaration.scope, declaration.owner)
    with ctx.scratch(), ctx.in_scope(Scope(None, key, dict(bindings))):
        type = resolve.find_type(ctx, key.rpartition("::")[2], None)
    return None if type is None else host_unknowns.unknown_of(PointerType(type))


def _resolve(ctx: Lowering, type: syn.TypeNode, scope: Scope) -> None:
    with ctx.scratch(), ctx.in_scope(scope):
        resolve.resolve_type(ctx, type)


def _inside_template(ctx: Lowering, name: str) -> bool:
    """Whether a qualified name is that of a class template, or of something inside one."""
    while name:
        if any(record.template is not None for record in ctx.unit.records.get(name, ())):
            return True
        name = name.rpartition("::")[0]
    return False
