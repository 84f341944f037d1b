"""Reads functions and templates: heads, places, constructor initialisers, template parameters."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

from analysis_core.syntax.read import (
    expression_parser,
    read_declarations,
    read_declarators,
    read_expressions,
    read_records,
    read_statements,
    read_types,
)
from analysis_core.syntax.read.concrete import Concrete
from analysis_core.syntax.read.environment import Sort
from analysis_core.syntax.read.read_declarators import Declared
from analysis_core.syntax.read.reader import Reader
from analysis_core.syntax.read.rendering import STATIC_ASSERT, Decoration
from analysis_core.syntax.read.tree import (
    Declaration,
    Expr,
    FunctionDecl,
    NamedType,
    PointerTo,
    RecordDef,
    ReferenceTo,
    TemplateArg,
    TemplateParameter,
    TypeAlias,
    VarDecl,
)
from analysis_core.text.span import Span

FUNCTION_QUALIFIERS = frozenset(
    [
        "__global__",
        "__device__",
        "__host__",
        "__forceinline__",
        "__noinline__",
        "inline",
        "static",
        "constexpr",
        "extern",
        "const",
        "virtual",
        "explicit",
    ]
)
BEHIND_HEAD = frozenset({"override", "final"})


def _launch_bounds(reader: Reader, found: list[Decoration]) -> tuple[Expr, ...]:
    for decoration in found:
        if decoration.text == "__launch_bounds__":
            ranges = read_types.split_at_commas(reader, *decoration.args)
            values = [(low, high, expression_parser.read_tokens(reader, low, high)) for low, high in ranges]
            return tuple(
                value if value is not None else reader.opaque(low, high, "launch bound not understood")
                for low, high, value in values
            )
    return ()


def function_definition(reader: Reader, node: Concrete, owner: str = "") -> tuple[Declaration, ...]:
    declarator = node.child("declarator")
    if declarator is not None and declarator.kind == "operator_cast":
        return (_operator_cast(reader, node, declarator, owner),)
    stop = declarator.start if declarator is not None else node.end
    if node.child("type") is not None:
        base, _ = read_declarations.read_base_type(reader, node, stop)
    else:
        base = NamedType(span=reader.span(node.start, node.start), name="")
    declared = read_declarators.read_declarator(reader, declarator, base, node.start)
    if declared.function is None or declared.name is None:
        return (read_declarations.opaque_declaration(reader, node.start, node.end, "function head not understood"),)
    return (function(reader, node, declared, node.child("body"), owner),)


def friend(reader: Reader, node: Concrete, owner: str) -> tuple[Declaration, ...]:
    """A function that a class defines as its friend; nothing for friends that are defined elsewhere."""
    inner = node.of_kind("function_definition")
    if inner is None or not owner:
        return ()
    before = reader.decorations(node.start, inner.start)
    words = (read_declarations.words_of(reader, before) & FUNCTION_QUALIFIERS) | {"friend"}
    made = function_definition(reader, inner, owner)
    return tuple(replace(d, qualifiers=d.qualifiers | words) for d in made if isinstance(d, FunctionDecl))


def _operator_cast(reader: Reader, node: Concrete, declarator: Concrete, owner: str) -> FunctionDecl:
    """`operator T() const { ... }`."""
    child = declarator.child("type")
    result = read_types.read_type_id(reader, child.start, child.end) if child is not None else None
    inner: Concrete | None = declarator.child("declarator")
    if isinstance(result, NamedType) and _own_const(reader, declarator):  # `operator const T &()`
        result = replace(result, qualifiers=result.qualifiers | {"const"})
    while inner is not None and inner.kind in ("abstract_pointer_declarator", "abstract_reference_declarator"):
        if result is not None:
            made = {"abstract_pointer_declarator": PointerTo, "abstract_reference_declarator": ReferenceTo}[inner.kind]
            result = made(span=result.span, target=result)
        inner = next((c for c in inner.children if c.kind.startswith("abstract_")), None)
    if result is None:
        result = read_types.unknown_type(reader, declarator.start, declarator.end)
    body = node.child("body")
    name_end = inner.start if inner is not None else declarator.end
    return FunctionDecl(
        span=reader.span(reader.rendered.lead_in(node.start), node.end),
        expansion=reader.expansion(node.start),
        name=reader.joined(declarator.start, name_end),
        name_span=reader.span(declarator.start, name_end),
        scope=reader.namespace,
        owner=owner,
        result=result,
        parameters=(),
        qualifiers=frozenset(
            read_declarations.words_of(reader, reader.decorations(node.start, declarator.end)) & FUNCTION_QUALIFIERS
        )
        | _own_const(reader, inner),
        body=read_statements.read_compound(reader, body) if body is not None else None,
    )


def _own_const(reader: Reader, declarator: Concrete | None) -> frozenset[str]:
    """The `const` behind the parameters, or before the type that an object is converted to."""
    found = () if declarator is None else declarator.children
    const = any(c.kind == "type_qualifier" and reader.text(c.start) == "const" for c in found)
    return frozenset({"const"} if const else ())


def function(reader: Reader, node: Concrete, declared: Declared, body: Concrete | None, owner: str) -> FunctionDecl:
    function, name = declared.function, declared.name
    assert function is not None and name is not None
    found = reader.decorations(node.start, function.end)
    qualifiers = read_declarations.words_of(reader, found) & FUNCTION_QUALIFIERS
    qualifiers |= _after_parameters(reader, function)
    qualifiers |= _as_generated(reader, function, node) if body is None else set()
    behind = reader.decorations(function.start, body.start if body is not None else node.end)
    qualifiers |= read_declarations.words_of(reader, behind) & BEHIND_HEAD
    text, args, parts, _ = read_types.read_qualified(reader, name.start, name.end)
    if not text and name.kind == "destructor_name":
        text = "~" + reader.text(name.end - 1)
    prefix, _, last = ("", "", text) if text.startswith("operator") else text.rpartition("::")
    if "::operator" in text:
        prefix, _, last = text.partition("::operator")
        last = "operator" + last
    scope, owner = _place(reader, prefix, owner)
    trailing = function.of_kind("trailing_return_type")
    result = declared.type
    if trailing is not None:
        result = read_types.read_type_id(reader, trailing.start + 1, trailing.end) or result
    return FunctionDecl(
        span=reader.span(reader.rendered.lead_in(node.start), node.end),
        expansion=reader.expansion(node.start),
        name=last,
        name_span=reader.span(*_last_name(reader, name)),
        scope=scope,
        owner=owner,
        result=result,
        parameters=read_declarators.read_parameters(reader, function.child("parameters")),
        qualifiers=frozenset(qualifiers),
        body=read_statements.read_compound(reader, body) if body is not None else None,
        specialisation=args if args is not None and name.kind != "qualified_identifier" else None,
        launch_bounds=_launch_bounds(reader, found),
        initialisers=_constructor_initialisers(reader, node),
        requires=_requirements(reader, function),
        owner_arguments=parts[-2] if parts else None,
        asserted=_asserted(reader, body) if body is not None and "__global__" in qualifiers else (),
    )


def _asserted(reader: Reader, body: Concrete) -> tuple[Expr, ...]:
    """The conditions of `static_assert` in a body; inner blocks may be those of an `if constexpr` that is left out."""
    found: list[Expr] = []
    at, depth = body.start, 0
    for decoration in reader.rendered.decorations_between(body.start, body.end):
        if decoration.text in STATIC_ASSERT:
            words = [reader.text(i) for i in range(at, decoration.index)]
            at, depth = decoration.index, depth + words.count("{") - words.count("}")
            low, high = next(iter(read_types.split_at_commas(reader, *decoration.args)), (0, 0))
            value = expression_parser.read_tokens(reader, low, high) if depth == 1 and low < high else None
            found += [value] if value is not None else []
    return tuple(found)


def _after_parameters(reader: Reader, function: Concrete) -> set[str]:
    """`const`, `volatile`, `&` and `&&` of a member function, `...` at the end of the parameters."""
    parameters = function.child("parameters")
    if parameters is None:
        return set()
    words = {reader.text(c.start) for c in function.children if c.kind in ("type_qualifier", "ref_qualifier")}
    dots = parameters.end - 2
    if reader.text(dots) == "..." and reader.text(dots - 1) in ("(", ","):
        words.add("...")
    return words & {"const", "volatile", "&", "&&", "..."}


def _as_generated(reader: Reader, function: Concrete, node: Concrete) -> set[str]:
    """`= default`, `= delete`, and "pure" for `= 0`."""
    after = [reader.text(i) for i in range(function.end, node.end)]
    words = {"default": "default", "delete": "delete", "0": "pure"}
    return {words[word] for equals, word in pairwise(after) if equals == "=" and word in words}


def _last_name(reader: Reader, name: Concrete) -> tuple[int, int]:
    """The tokens of the unqualified name: `f` of `A::f` and of `f<int>`, `operator +` as a whole."""
    start = name.start
    depth_close = reader.rendered.brackets.close
    i = start
    while i < name.end:
        if i in depth_close:
            i = depth_close[i]
        elif reader.text(i) == "::":
            start = i + 1
        i += 1
    if reader.text(start) in {"operator", "~"}:
        return start, name.end
    return start, start + 1


def _place(reader: Reader, prefix: str, owner: str) -> tuple[str, str]:
    """Scope and class of a name qualified by `prefix`: the qualifier is a class if it is known as a type."""
    if not prefix:
        return reader.namespace, owner
    outer, _, last = prefix.rpartition("::")
    if reader.scope.sort(prefix) is Sort.TYPE or reader.scope.sort(last) is Sort.TYPE or outer == "":
        if reader.scope.sort(last) is Sort.UNKNOWN and last in reader.namespace.split("::"):
            return reader.namespace, owner
        return "::".join(p for p in (reader.namespace, outer) if p), last
    return "::".join(p for p in (reader.namespace, prefix) if p), owner


def _constructor_initialisers(reader: Reader, node: Concrete) -> tuple[tuple[str, tuple[Expr, ...]], ...]:
    holder = node.of_kind("field_initializer_list")
    if holder is None:
        return ()
    found: list[tuple[str, tuple[Expr, ...]]] = []
    for child in holder.children:
        if child.kind == "field_initializer":
            named = child.named_children()
            name, _, _ = read_types.read_name(reader, named[0].start, named[0].end)
            args = read_expressions.read_arguments(reader, named[-1]) if len(named) > 1 else ()
            found.append((name, args))
    return tuple(found)


# --- templates ------------------------------------------------------------------------------------------------------


def template(reader: Reader, node: Concrete, owner: str = "") -> tuple[Declaration, ...]:
    holder = node.child("parameters")
    parameters = template_parameters(reader, holder)
    named = [c for c in node.children if c.named and c is not holder and c.kind != "requires_clause"]
    if not named:
        return (read_declarations.opaque_declaration(reader, node.start, node.end, "template not understood"),)
    inner = named[-1]
    if inner.kind in read_records.DEFINITIONS:
        made: tuple[Declaration, ...] = (read_records.read_definition(reader, inner),)
        if inner.child("body") is None:
            only = [
                d for d in made if isinstance(d, RecordDef) and d.specialisation is None and parameters and not owner
            ]
            made = tuple(replace(d, declared=True) for d in only)
    else:
        made = read_declarations.read_declarations(reader, inner, owner=owner)
    span = reader.span(reader.rendered.lead_in(node.start), node.end)
    requires = _requirements(reader, node)
    return tuple(_with_template(declaration, parameters, requires, span) for declaration in made)


def _requirements(reader: Reader, node: Concrete) -> tuple[Expr, ...]:
    """The constraint of a `requires` clause right inside of `node`."""
    clause = node.of_kind("requires_clause")
    if clause is None:
        return ()
    read = expression_parser.read_tokens(reader, clause.start + 1, clause.end)
    return (read if read is not None else reader.opaque(clause.start, clause.end, "constraint not understood"),)


def concept(reader: Reader, node: Concrete) -> tuple[Declaration, ...]:
    """`concept C = e;`: a variable template of type bool."""
    equals = node.of_kind("=")
    name = node.start + 1
    value = expression_parser.read_tokens(reader, equals.end, node.end - 1) if equals is not None else None
    if value is None:
        return (read_declarations.opaque_declaration(reader, node.start, node.end, "concept not understood"),)
    type = NamedType(span=reader.span(name, name + 1), name="bool", qualifiers=frozenset({"const"}))
    return (
        VarDecl(
            span=reader.span(node.start, node.end),
            name=reader.text(name),
            name_span=reader.span(name, name + 1),
            type=type,
            storage=frozenset({"constexpr", "concept"}),
            init=value,
            scope=reader.namespace,
        ),
    )


def deduction_guide(reader: Reader, node: Concrete) -> tuple[Declaration, ...] | None:
    """`P(const char *) -> P<short>;`, which tree-sitter takes for an error: a function without a body that returns a P<short>."""
    head = node.of_kind("function_declarator")
    name = None if head is None else head.of_kind("identifier")
    if head is None or name is None or head.of_kind("trailing_return_type") is None:
        return None
    declared = Declared(name, NamedType(span=reader.span(name.start, name.end), name=""), head, False)
    return (function(reader, node, declared, None, ""),)


def _with_template(
    declaration: Declaration, parameters: tuple[TemplateParameter, ...], requires: tuple[Expr, ...], span: Span
) -> Declaration:
    if isinstance(declaration, FunctionDecl | RecordDef) and requires:
        declaration = replace(declaration, requires=(*requires, *declaration.requires))
    if isinstance(declaration, FunctionDecl | RecordDef | TypeAlias):
        if isinstance(declaration, FunctionDecl) and declaration.template is not None:
            parameters = parameters + declaration.template
        return replace(declaration, template=parameters, span=span)
    if isinstance(declaration, VarDecl):
        return replace(declaration, template=parameters)
    return declaration


_TEMPLATE_TYPES = frozenset(
    {"type_parameter_declaration", "optional_type_parameter_declaration", "variadic_type_parameter_declaration"}
)


def template_parameters(reader: Reader, holder: Concrete | None) -> tuple[TemplateParameter, ...]:
    """The parameters of a template header, of a lambda's too."""
    if holder is None:
        return ()
    found: list[TemplateParameter] = []
    for child in holder.children:
        if not child.named:
            continue
        if child.kind in _TEMPLATE_TYPES or child.kind == "template_template_parameter_declaration":
            found.append(_type_parameter(reader, child))
        elif child.kind.endswith("parameter_declaration"):
            found.append(_value_parameter(reader, child))
    return tuple(found)


def _type_parameter(reader: Reader, node: Concrete) -> TemplateParameter:
    template = node.kind == "template_template_parameter_declaration"
    inner = next((c for c in node.children if template and c.kind in _TEMPLATE_TYPES), node)
    default = inner.child("default_type")
    names = [c for c in inner.children if c.kind == "type_identifier" and c is not default]
    return TemplateParameter(
        span=reader.span(node.start, node.end),
        name=reader.text(names[0].start) if names else None,
        type=None,
        default=read_types.read_template_arg(reader, default.start, default.end) if default is not None else None,
        pack=inner.of_kind("...") is not None,
        template=template,
    )


def _value_parameter(reader: Reader, node: Concrete) -> TemplateParameter:
    declarator, default = node.child("declarator"), node.child("default_value")
    stop = declarator.start if declarator is not None else (default.start - 1 if default is not None else node.end)
    head = read_types.read_specifiers(reader, node.start, stop)
    base = head[0] if head is not None else read_types.unknown_type(reader, node.start, stop)
    declared = read_declarators.read_declarator(reader, declarator, base, node.start)
    value: TemplateArg | None = None
    if default is not None:
        value = read_expressions.read_expression(reader, default)
    return TemplateParameter(
        span=reader.span(node.start, node.end),
        name=reader.text(declared.name.start) if declared.name is not None else None,
        type=declared.type,
        default=value,
        pack=declared.pack or node.of_kind("...") is not None,
    )
