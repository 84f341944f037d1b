"""Names: the declarations of a translation unit by qualified name, and the scopes of one function.

`Unit` holds the file-scope declarations of one `lower` call (symbol_table.py); it is read-only after construction, but for what
it was asked before (its life is that one call).

`Scope` is a chain of blocks inside a function.  Its root knows the namespace (and class) in which the function was
declared, from where unqualified names are sought outwards; `using` directives and namespace aliases are followed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TypeVar

from analysis_core.ir.nodes import Const, VarId
from analysis_core.ir.types import ASSUMED_BYTES, ArrayType, PointerType, Qualified, Type
from analysis_core.lower.observer import Observer
from analysis_core.lower.values import Operand, Register, StructPlace, Value
from analysis_core.support.settings import Settings
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import Measure
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_T = TypeVar("_T")


TypeBinding = Qualified
"""A name that stands for a type: a template argument, a local typedef."""


@dataclass(frozen=True, slots=True)
class TemplateBinding:
    """A template template argument: the class or alias template of this qualified name."""

    name: str


@dataclass(frozen=True, slots=True)
class PackBinding:
    """A parameter pack: its elements in order."""

    elements: tuple[Operand | TypeBinding | TemplateBinding, ...]


Binding = Operand | TypeBinding | TemplateBinding | PackBinding
"""What a local name means.  A template value argument is a `Value`; a reference is the place it refers to."""


@dataclass(slots=True)
class Watch:
    """What statements do with the names of a scope while they are watched: the meanings that they found before a name
    was bound anew, and the names that they bound. `everything`: all visible names were asked for."""

    asked: dict[str, Binding | None] = field(default_factory=dict)
    bound: dict[str, None] = field(default_factory=dict)
    everything: bool = False


@dataclass(slots=True)
class Scope:
    """One block of names; `namespace` ("a::b", with the class of a method last) matters at the root only.

    `objects`: variables that are destroyed where the block is left, by name; `target`: what `break` leaves (`destructors`)."""

    parent: Scope | None = None
    namespace: str = ""
    bindings: dict[str, Binding] = field(default_factory=dict)
    objects: list[tuple[str, Operand]] = field(default_factory=list)
    target: str = ""
    watch: Watch | None = None  # who is told of lookups (relowering.py)
    references: dict[str, str] | None = None  # the names in `bindings` that are declared as references: "&" or "&&"

    def bind(self, name: str, binding: Binding) -> None:
        self.bindings[name] = binding
        if self.watch is not None:
            self.watch.bound[name] = None

    def refer(self, name: str, reference: str) -> None:
        """Notes that a name is declared as a reference."""
        if reference:
            self.references = {**(self.references or {}), name: reference}

    def reference(self, name: str) -> str:
        """How the variable of that name is declared: "&", "&&", or "" for an object."""
        scope: Scope | None = self
        while scope is not None and name not in scope.bindings:
            scope = scope.parent
        return "" if scope is None or scope.references is None else scope.references.get(name, "")

    def find(self, name: str) -> Binding | None:
        """The innermost binding of `name` in this function, or None."""
        scope: Scope | None = self
        watch: Watch | None = None
        found: Binding | None = None
        while scope is not None:
            watch = scope.watch or watch
            found = scope.bindings.get(name)
            if found is not None:
                break
            scope = scope.parent
        if watch is not None and name not in watch.bound:
            watch.asked.setdefault(name, found)
        return found

    def find_qualified(self, name: str) -> Binding | None:
        """`E::a`, where a body declares `E`: what the block says of it that declares the innermost `E`."""
        scope, head = self, name.partition("::")[0]
        while head not in scope.bindings:
            if scope.parent is None:
                return None
            scope = scope.parent
        return self.find(name) if name in scope.bindings else None

    def root(self) -> Scope:
        scope = self
        while scope.parent is not None:
            scope = scope.parent
        return scope

    def template_arguments(self) -> dict[str, Binding]:
        """What a root binds besides the parameters of a function: constants of a class are made of nothing else."""
        return {
            name: binding
            for name, binding in self.bindings.items()
            if isinstance(binding, TypeBinding | TemplateBinding | PackBinding)
            or (isinstance(binding, Value) and isinstance(binding.expr, Const))
        }

    def visible_variables(self) -> tuple[VarId, ...]:
        """All register variables in scope, inner ones first: what code that is not understood may change."""
        seen: dict[VarId, None] = {}
        scope: Scope | None = self
        while scope is not None:
            if scope.watch is not None:
                scope.watch.everything = True
            for binding in scope.bindings.values():
                for var in variables_of(binding):
                    seen.setdefault(var)
            scope = scope.parent
        return tuple(seen)


@dataclass(frozen=True, slots=True)
class RecordInstance:
    """What a `StructType` was made from, by its name (`ctx.instances`), which is `key`: methods and static members are found in
    `definition`, names in them through `scope` (its template arguments; its namespace is the record itself).  `arguments`: those
    of the class template, one by one, whichever specialisation they selected."""

    key: str
    definition: syn.RecordDef
    scope: Scope
    arguments: tuple[Binding, ...] = ()


def variables_of(binding: Binding) -> Iterator[VarId]:
    """The register variables that a place consists of."""
    if isinstance(binding, Register):
        yield binding.var
    elif isinstance(binding, StructPlace):
        for part in binding.fields:
            yield from variables_of(part)


@dataclass(slots=True)
class Found:
    """What a unit has answered, by question: `levels`, `qualified`, `_expand`, `function_levels`.  It holds until a declaration is added.

    `operators`: the types that the parameters of operator functions name, by the function's name; `enumerations`: their bare names;
    `changing`: by identity, nodes with those below them that may change something (host_unknowns.py)."""

    levels: dict[str, Sequence[Sequence[str]]] = field(default_factory=dict)
    qualified: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    expanded: dict[str, str] = field(default_factory=dict)
    functions: dict[tuple[str, str], tuple[tuple[syn.FunctionDecl, ...], ...]] = field(default_factory=dict)
    operators: dict[str, set[str]] | None = None
    enumerations: set[str] | None = None
    changing: dict[int, tuple[syn.Node, tuple[syn.Node, ...]]] = field(default_factory=dict)


@dataclass(slots=True)
class Unit:
    """The declarations of one translation unit by qualified name ("a::b::f"), in source order.

    Members of classes are indexed as "Class::member" (static members, methods, nested types, enumerators)."""

    tree: syn.SyntaxTree
    settings: Settings
    functions: dict[str, list[syn.FunctionDecl]] = field(default_factory=dict)
    records: dict[str, list[syn.RecordDef]] = field(default_factory=dict)
    enums: dict[str, syn.EnumDef] = field(default_factory=dict)
    enumerators: dict[str, tuple[syn.EnumDef, int]] = field(default_factory=dict)
    aliases: dict[str, syn.TypeAlias] = field(default_factory=dict)
    variables: dict[str, syn.VarDecl] = field(default_factory=dict)
    variable_templates: dict[str, list[syn.VarDecl]] = field(default_factory=dict)  # with their specialisations
    order: dict[Span, int] = field(default_factory=dict)  # of functions: the number of their top-level declaration
    instantiations: list[syn.ExplicitInstantiation] = field(default_factory=list)
    directives: dict[str, list[str]] = field(default_factory=dict)  # namespace -> namespaces used in it
    renamed: dict[str, str] = field(default_factory=dict)  # "cg" -> "cooperative_groups", "f" -> "a::f"
    bodies: set[str] = field(default_factory=set)  # scopes of functions whose bodies have using-directives
    inlined: set[str] = field(default_factory=set)  # namespaces that are inline
    brought: dict[str, list[str]] = field(
        default_factory=dict
    )  # "f" -> all that using-declarations bring under that name
    found: Found = field(default_factory=lambda: Found())  # what was asked before
    namespaces: set[str] = field(default_factory=set)
    measures: dict[int, Measure] = field(default_factory=dict)  # of function bodies, by their identity
    names_alone: dict[str, int] | None = None  # how many functions have a name, wherever they are, once asked for
    constant_positions: frozenset[str] | None = None  # names used as extents, template arguments, case labels
    observer: Observer | None = None
    assumed_bytes: int = ASSUMED_BYTES  # of types that are not declared

    def qualified(self, name: str, namespace: str) -> tuple[str, ...]:
        """The qualified names that `name`, spelled inside `namespace`, may stand for, in order of lookup."""
        known = self.found.qualified.get((name, namespace))
        if known is None:
            known = self.found.qualified[name, namespace] = tuple(self._qualified(name, namespace))
        return known

    def _qualified(self, name: str, namespace: str) -> Iterator[str]:
        if name.startswith("::"):
            name, namespace = name[2:], ""
        for candidate in self._outwards(name, namespace):
            yield candidate
            expanded = self._expand(candidate)
            if expanded != candidate:
                yield expanded
            if "::" in name:
                yield from self._through(candidate)

    def canonical(self, name: str, namespace: str = "") -> str:
        """`name` with namespace aliases and using declarations resolved: "cg::sync" is "cooperative_groups::sync".

        For names that are not declared here (library names); `using namespace` is not applied."""
        name = name.removeprefix("::")
        for candidate in self._outwards(name, namespace):
            expanded = self._expand(candidate)
            if expanded != candidate:
                return expanded
        return name

    def uses_namespace(self, namespace: str) -> bool:
        """Whether a `using namespace` for `namespace` stands anywhere in the unit."""
        return any(namespace in used for used in self.directives.values())

    def _outwards(self, name: str, namespace: str) -> Iterator[str]:
        for level in self.levels(namespace):
            for scope in level:
                yield join(scope, name)

    def body_scope(self, function: syn.FunctionDecl) -> str:
        """The scope from which names in the body of a function are looked up."""
        own = body_of(function) if self.bodies else ""
        return own if own in self.bodies else join(function.scope, function.owner)

    def levels(self, namespace: str) -> Sequence[Sequence[str]]:
        """The scopes that are looked into from a namespace, inner ones first.  Those that directives bring in stand beside the
        innermost scope that holds both them and the directive ([namespace.udir])."""
        known = self.found.levels.get(namespace)
        if known is None:
            known = self.found.levels[namespace] = _levels(namespace, self.directives)
        return known

    def _expand(self, name: str) -> str:
        """Replaces the longest renamed prefix, at most a few times (aliases of aliases; cycles end)."""
        known = self.found.expanded.get(name)
        if known is None:
            known = self.found.expanded[name] = self._expanded(name)
        return known

    def _expanded(self, name: str) -> str:
        for _ in range(4):
            parts = name.split("::")
            for length in range(len(parts), 0, -1):
                head = "::".join(parts[:length])
                target = self.renamed.get(head)
                if target is not None and target != head:
                    name = "::".join([target, *parts[length:]])
                    break
            else:
                return name
        return name

    def find_functions(self, name: str, namespace: str = "") -> tuple[syn.FunctionDecl, ...]:
        """All overloads of the innermost scope that declares `name`; () if there is none."""
        return next(iter(self.function_levels(name, namespace)), ())

    def function_levels(self, name: str, namespace: str = "") -> tuple[tuple[syn.FunctionDecl, ...], ...]:
        """The overloads that each scope declares, inner ones first; those of one hide the rest."""
        known = self.found.functions.get((name, namespace))
        if known is None:
            known = self.found.functions[name, namespace] = tuple(self._function_levels(name, namespace))
        return known

    def _function_levels(self, name: str, namespace: str) -> Iterator[tuple[syn.FunctionDecl, ...]]:
        if name.startswith("::"):
            name, namespace = name[2:], ""
        for level in self.levels(namespace):
            found: dict[int, syn.FunctionDecl] = {}
            for scope in level:
                found |= self._brought_in(join(scope, name))
            if not found and "::" in name:
                for other in [o for scope in level for o in self._through(join(scope, name))]:
                    found |= self._brought_in(other)
            if found:
                yield tuple(found.values())

    def declared_in(self, namespace: str, name: str) -> tuple[syn.FunctionDecl, ...]:
        """The functions that a namespace declares under a name, its inline namespaces and using-declarations included."""
        return tuple(self._brought_in(join(namespace, name)).values())

    def _through(self, name: str) -> Iterator[str]:
        """The names that `a::f` may mean by directives in `a`."""
        head, _, last = name.rpartition("::")
        head = self._expand(head)
        pending, met = list(self.directives.get(head, ())), {head}
        while pending:
            used = pending.pop(0)
            if used not in met:
                met.add(used)
                yield join(used, last)
                pending += self.directives.get(used, ())

    def _brought_in(self, name: str) -> dict[int, syn.FunctionDecl]:
        """The functions of one scope, with those that using-declarations add to them, by identity."""
        found: dict[int, syn.FunctionDecl] = {}
        pending, met = [name], set[str]()
        while pending:
            here = pending.pop(0)
            if here in met:
                continue
            met.add(here)
            found |= {id(f): f for f in self.functions.get(here, ())}
            place, _, last = here.rpartition("::")
            inside = (join(used, last) for used in self.directives.get(place, ()) if used in self.inlined)
            pending += [*self.brought.get(here, ()), self._expand(here), *inside]
        return found

    def arguments_in(self, root: Scope, scope: str) -> dict[str, Binding]:
        """The template arguments in force for what `scope` declares: read from there, or from a class inside of that class."""
        inside = scope in self.records and root.namespace.startswith(f"{scope}::")
        return root.template_arguments() if inside or root.namespace == scope else {}

    def find_records(self, name: str, namespace: str = "") -> tuple[syn.RecordDef, ...]:
        """The definition of a class and its specialisations, the primary one first as written."""
        for candidate in self.qualified(name, namespace):
            found = self.records.get(candidate)
            if found:
                return tuple(found)
        return ()

    def find_variable(self, name: str, namespace: str = "") -> tuple[str, syn.VarDecl] | None:
        return first_of(self.variables, self.qualified(name, namespace))

    def find_alias(self, name: str, namespace: str = "") -> tuple[str, syn.TypeAlias] | None:
        return first_of(self.aliases, self.qualified(name, namespace))

    def find_enumerator(self, name: str, namespace: str = "") -> tuple[str, tuple[syn.EnumDef, int]] | None:
        return first_of(self.enumerators, self.qualified(name, namespace))


def types_of(bindings: Iterable[Binding]) -> Iterator[Type]:
    """The types among template arguments: what pointers among them point to, and what arrays are made of."""
    for binding in bindings:
        if isinstance(binding, PackBinding):
            yield from types_of(binding.elements)
        elif isinstance(binding, TypeBinding):
            type = binding.type
            while isinstance(type, PointerType | ArrayType):
                type = type.target if isinstance(type, PointerType) else type.element
            yield type


def first_of(table: Mapping[str, _T], names: Iterable[str]) -> tuple[str, _T] | None:
    """The first of the names that stands in the table, with what it stands for."""
    for name in names:
        found = table.get(name)
        if found is not None:
            return name, found
    return None


def join(scope: str, name: str) -> str:
    return f"{scope}::{name}" if scope and name else scope or name


def _levels(namespace: str, directives: Mapping[str, Sequence[str]]) -> tuple[tuple[str, ...], ...]:
    places = [namespace]
    while places[-1]:
        places.append(places[-1].rpartition("::")[0])
    levels = {place: [place] for place in places}
    pending, met = [(place, used) for place in places for used in directives.get(place, ())], set[tuple[str, str]]()
    while pending:
        place, used = pending.pop(0)
        if (place, used) in met:
            continue
        met.add((place, used))
        levels[_common(place, used)].append(used)
        pending += [(place, again) for again in directives.get(used, ())]
    return tuple(tuple(dict.fromkeys(levels[place])) for place in places)


def _common(left: str, right: str) -> str:
    """The innermost namespace that holds both."""
    while left and not f"{right}::".startswith(f"{left}::"):
        left = left.rpartition("::")[0]
    return left


def body_of(function: syn.FunctionDecl) -> str:
    """The name of the scope that a function's body is, where it brings in names of its own."""
    return join(function.scope, f"(body of {function.name} at {function.name_span.start})")
