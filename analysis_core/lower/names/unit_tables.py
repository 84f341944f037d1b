"""The tables of a translation unit (`scope.Unit`), made from its declarations in source order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

from analysis_core.lower.names.scope import Found, Unit, body_of, first_of, join
from analysis_core.support.settings import Settings
from analysis_core.syntax.read import tree as syn


def index(tree: syn.SyntaxTree, settings: Settings) -> Unit:
    """The `Unit` of a syntax tree.  Of several definitions of one variable, type or enum the last one counts."""
    unit = Unit(tree, settings)
    for number, declaration in enumerate(tree.declarations):
        pending: list[syn.Declaration] = [declaration]
        while pending:
            entered = pending.pop()
            if isinstance(entered, syn.FunctionDecl):
                unit.order.setdefault(entered.name_span, number)
            pending.extend(reversed(_enter(unit, entered)))
    unit.found = Found()
    return unit


def _enter(unit: Unit, declaration: syn.Declaration) -> list[syn.Declaration]:
    """Puts one declaration into the tables; returns those nested in it."""
    match declaration:
        case syn.FunctionDecl():
            _note_namespace(unit, declaration.scope)
            declaration = constrained(unit, declaration)
            name = join(join(declaration.scope, declaration.owner), declaration.name)
            unit.functions.setdefault(name, []).append(declaration)
            return [] if declaration.body is None else list(_using_in(unit, declaration, declaration.body))
        case syn.RecordDef():
            _note_namespace(unit, declaration.scope)
            return _enter_record(unit, constrained(unit, declaration))
        case syn.EnumDef():
            enter_enum(unit, declaration)
        case syn.TypeAlias():
            _note_namespace(unit, declaration.scope)
            unit.aliases[join(declaration.scope, declaration.name)] = declaration
            return list(defined_in_type(declaration.type))
        case syn.VarDecl():
            _note_namespace(unit, declaration.scope)
            name = join(declaration.scope, declaration.name)
            if declaration.template is not None:
                unit.variable_templates.setdefault(name, []).append(declaration)
                return []
            known = unit.variables.get(name)
            if known is None or known.init is None or declaration.init is not None:
                unit.variables[name] = declaration
            return list(defined_in_type(declaration.type))
        case syn.ExplicitInstantiation():
            unit.instantiations.append(declaration)
        case syn.UsingDecl(target=target, scope=scope, alias=alias):
            meant = _meant(unit, target, scope)
            unit.found = Found()  # what was answered so far
            if alias is not None:
                unit.renamed[join(scope, alias)] = meant
            elif declaration.namespace:
                if meant not in unit.directives.setdefault(scope, []):
                    unit.directives[scope].append(meant)
                if declaration.inline:
                    unit.inlined.add(meant)
                    _note_namespace(unit, meant)
            else:
                name = join(scope, target.rpartition("::")[2])
                unit.renamed[name] = meant
                unit.brought.setdefault(name, []).append(meant)
        case _:
            pass  # OpaqueDecl declares nothing that could be found.
    return []


def _meant(unit: Unit, target: str, scope: str) -> str:
    """The qualified name that the target of a `using` or of a namespace's other name means: its first part is looked up outwards."""
    if target.startswith("::"):
        return target[2:]
    place = _place_of(unit, target, scope)
    return target if place is None else join(place, target)


def _place_of(unit: Unit, target: str, scope: str) -> str | None:
    """The scope that declares the first part of a qualified name, or None if none does that is seen here."""
    if target.startswith("::"):
        target, scope = target[2:], ""
    head = target.partition("::")[0]
    for level in unit.levels(scope):
        for place in level:
            first = join(place, head)
            if first in unit.namespaces or first in unit.records or first in unit.renamed:
                return place
    return None


_C = TypeVar("_C", syn.FunctionDecl, syn.RecordDef)


def constrained(unit: Unit, declaration: _C) -> _C:
    """`template <C T>` with a concept C is `template <class T> requires C<T>`."""
    if not unit.variable_templates or not declaration.template:
        return declaration
    parameters: list[syn.TemplateParameter] = []
    requires: list[syn.Expr] = []
    for parameter in declaration.template:
        concept = _concept_of(unit, parameter, declaration.scope)
        if concept is not None:
            requires.append(concept)
        parameters.append(parameter if concept is None else replace(parameter, type=None))
    if not requires:
        return declaration
    return replace(declaration, template=tuple(parameters), requires=(*requires, *declaration.requires))


def _concept_of(unit: Unit, parameter: syn.TemplateParameter, namespace: str) -> syn.Name | None:
    """`C<T>` of `template <C T>`, if C is a concept."""
    if not isinstance(parameter.type, syn.NamedType) or parameter.name is None:
        return None
    node = parameter.type
    found = first_of(unit.variable_templates, unit.qualified(node.name, namespace))
    if found is None or "concept" not in found[1][0].storage:
        return None
    args = (syn.NamedType(span=parameter.span, name=parameter.name), *(node.template_args or ()))
    return syn.Name(span=parameter.span, name=node.name, template_args=args)


def _using_in(unit: Unit, function: syn.FunctionDecl, body: syn.Compound) -> Iterator[syn.UsingDecl]:
    """What a body says of namespaces.  Those that are declared here are brought into a scope of its own; what is said of
    others (`namespace cg = cooperative_groups;`) is taken to hold in the whole namespace."""
    for statement in body.body:
        for declaration in statement.declarations if isinstance(statement, syn.DeclStmt) else ():
            if not isinstance(declaration, syn.UsingDecl):
                continue
            is_declared = _place_of(unit, declaration.target, function.scope) is not None
            if not is_declared:
                yield replace(declaration, scope=function.scope)
            elif declaration.namespace and not function.owner:
                unit.bodies.add(body_of(function))
                yield replace(declaration, scope=body_of(function))


def enter_enum(unit: Unit, definition: syn.EnumDef) -> None:
    """Its name and its enumerators: those of an unscoped enum are found with and without its name."""
    full = join(definition.scope, definition.name)
    if definition.name:
        unit.enums[full] = definition
    for position, (name, _) in enumerate(definition.enumerators):
        if definition.name:
            unit.enumerators[join(full, name)] = (definition, position)
        if not definition.scoped:
            unit.enumerators[join(definition.scope, name)] = (definition, position)


def _enter_record(unit: Unit, record: syn.RecordDef) -> list[syn.Declaration]:
    inside = join(record.scope, record.name)
    if record.name:
        _enter_definition(unit.records.setdefault(inside, []), record)
    nested: list[syn.Declaration] = list(record.nested)
    for member in record.fields:
        if "static" in member.storage or "constexpr" in member.storage:
            unit.variables.setdefault(join(inside, member.name), member)
        nested.extend(defined_in_type(member.type))
    nested.extend(record.methods)
    return nested


def _enter_definition(known: list[syn.RecordDef], record: syn.RecordDef) -> None:
    """A class template that is only declared is one until it is defined; a definition has the declaration's default arguments."""
    position = next((i for i, d in enumerate(known) if d.specialisation is None), None)
    if record.specialisation is not None or position is None or not (record.declared or known[position].declared):
        known.append(record)
        return
    kept, other = (known[position], record) if record.declared else (record, known[position])
    mine, theirs = kept.template or (), other.template or ()
    if len(mine) == len(theirs):
        kept = replace(kept, template=tuple(replace(m, default=m.default or t.default) for m, t in zip(mine, theirs)))
    known[position] = kept


def defined_in_type(type_node: syn.TypeNode) -> Iterator[syn.Declaration]:
    """The records and enums that are defined where a type is written."""
    node = type_node
    while True:
        match node:
            case syn.RecordType(definition=definition):
                yield definition
                return
            case syn.PointerTo(target=target) | syn.ReferenceTo(target=target):
                node = target
            case syn.ArrayOf(element=element):
                node = element
            case _:
                return


def _note_namespace(unit: Unit, scope: str) -> None:
    while scope and scope not in unit.namespaces:
        unit.namespaces.add(scope)
        scope = scope.rpartition("::")[0]
