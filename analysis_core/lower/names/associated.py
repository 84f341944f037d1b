"""Functions that are found by their arguments: those of the namespaces of the arguments' types, and the friends that the classes
define ([basic.lookup.argdep])."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from analysis_core.ir.types import ArrayType, OpaqueType, PointerType, Qualified, ScalarType, StructType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import resolve
from analysis_core.lower.names.scope import Binding, RecordInstance
from analysis_core.lower.objects import methods
from analysis_core.lower.statements import lower_expressions
from analysis_core.lower.values import Operand, type_of
from analysis_core.syntax.read import tree as syn
from analysis_core.text.records import dataclass

_MOST_TYPES = 64


@dataclass(frozen=True, slots=True)
class Associated:
    """What argument-dependent lookup adds to a call: `functions`, and for each friend function, by its identity, the
    template arguments of the class that declares it."""

    functions: tuple[syn.FunctionDecl, ...] = ()
    bindings: Mapping[int, Mapping[str, Binding]] | None = None


NOTHING: Associated = Associated()


def of_call(ctx: Lowering, name: str, known: Sequence[syn.FunctionDecl], args: Sequence[syn.Expr]) -> Associated:
    """The functions that argument-dependent lookup adds to a call by an unqualified name; `args` are not evaluated."""
    if not args or "::" in name or not _may_add(ctx, name, known):
        return NOTHING
    namespace = ctx.scope.root().namespace
    if not known and (ctx.unit.find_variable(name, namespace) or resolve.find_qualified(ctx, name, None)):
        return NOTHING  # what is no function is not looked for by its arguments
    with ctx.scratch(types_only=True):
        operands = [lower_expressions.operand(ctx, a) for a in args if not isinstance(a, syn.InitList)]
    return of_operands(ctx, name, known, operands)


def of_operands(
    ctx: Lowering, name: str, known: Sequence[syn.FunctionDecl], operands: Sequence[Operand | None]
) -> Associated:
    """The functions that argument-dependent lookup adds to a call by an unqualified name, for evaluated arguments."""
    if not _may_add(ctx, name, known):
        return NOTHING
    found = {id(f): f for f in known}
    bindings: dict[int, Mapping[str, Binding]] = {}
    spaces: dict[str, None] = {}
    for type in _types(ctx, [type_of(o) for o in operands if o is not None]):
        if isinstance(type, ScalarType):
            if type.name in ctx.unit.enums:
                spaces[type.name.rpartition("::")[0]] = None
            continue
        instance = methods.instance_of(ctx, type)
        if instance is None:
            continue
        spaces[_namespace_of(ctx, instance)] = None
        for friend in instance.definition.friends:
            if friend.name == name:
                one = replace(friend)
                found[id(one)], bindings[id(one)] = one, instance.scope.bindings
    for space in spaces:
        found |= {id(f): f for f in ctx.unit.declared_in(space, name) if not f.owner}
    return Associated(tuple(f for key, f in found.items() if all(f is not k for k in known)), bindings)


def _may_add(ctx: Lowering, name: str, known: Sequence[syn.FunctionDecl]) -> bool:
    """Whether any namespace or class declares functions of that name beside those that are known."""
    unit = ctx.unit
    if unit.names_alone is None:
        unit.names_alone = {}
        for functions in unit.functions.values():
            last = functions[0].name
            unit.names_alone[last] = unit.names_alone.get(last, 0) + sum(not f.owner for f in functions)
        for definitions in unit.records.values():
            for friend in (f for d in definitions for f in d.friends):
                unit.names_alone[friend.name] = unit.names_alone.get(friend.name, 0) + 1
    return unit.names_alone.get(name, 0) > len(known)


def _namespace_of(ctx: Lowering, instance: RecordInstance) -> str:
    place = instance.scope.namespace.rpartition("::")[0]
    while place in ctx.unit.records:
        place = place.rpartition("::")[0]
    return place


def _types(ctx: Lowering, given: Sequence[Type]) -> Iterator[Type]:
    """The classes and enumerations that the types are made of: what they point to, bases, enclosing classes, template arguments."""
    pending, met = list(given), set[str]()
    while pending and len(met) < _MOST_TYPES:
        type = pending.pop(0)
        while isinstance(type, PointerType | ArrayType):
            type = type.target if isinstance(type, PointerType) else type.element
        if type.name in met:
            continue
        met.add(type.name)
        yield type
        instance = methods.instance_of(ctx, type) if isinstance(type, StructType | OpaqueType) else None
        if instance is not None:
            pending += [a.type for a in instance.arguments if isinstance(a, Qualified)]
            pending += [base.type for base in type.bases] if isinstance(type, StructType) else []
