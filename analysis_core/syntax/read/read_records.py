"""Reads what defines or renames types: records, enumerations, typedefs, `using`, namespace aliases."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import read_attributes, read_declarations, read_declarators, read_expressions, read_types
from analysis_core.syntax.read.concrete import Concrete
from analysis_core.syntax.read.reader import MAX_DEPTH, TOO_DEEP, Reader
from analysis_core.syntax.read.rendering import Decoration
from analysis_core.syntax.read.tree import (
    Declaration,
    EnumDef,
    Expr,
    FunctionDecl,
    NamedType,
    OpaqueDecl,
    RecordDef,
    RecordType,
    TemplateArg,
    TypeAlias,
    TypeNode,
    UsingDecl,
    VarDecl,
)
from analysis_core.text.span import Span

DEFINITIONS = frozenset({"struct_specifier", "class_specifier", "union_specifier", "enum_specifier"})

_OTHER_TYPE = ("vector_size", "__vector_size__", "ext_vector_type", "mode", "__mode__")
"""Attributes of a typedef that make another type of it."""

_FUNCTIONS = frozenset({"function_definition", "template_declaration", "friend_declaration"})

_LEVEL = 10
"""What one record within another counts in nesting: many functions lie between the two."""


def read_definition(reader: Reader, node: Concrete) -> RecordDef | EnumDef | OpaqueDecl:
    """A record or an enumeration with its body."""
    if reader.depth + _LEVEL > MAX_DEPTH:
        return read_declarations.opaque_declaration(reader, node.start, node.end, TOO_DEEP)
    reader.depth += _LEVEL
    result = _enum(reader, node) if node.kind == "enum_specifier" else _record(reader, node)
    reader.depth -= _LEVEL
    return result


def _enum(reader: Reader, node: Concrete) -> EnumDef:
    name, base, body = node.child("name"), node.child("base"), node.child("body")
    enumerators: list[tuple[str, Expr | None]] = []
    for child in body.children if body is not None else []:
        if child.kind == "enumerator":
            value = child.child("value")
            read = read_expressions.read_expression(reader, value) if value is not None else None
            enumerators.append((reader.text(child.start), read))
        elif child.kind == "ERROR":
            reader.cause(CauseKind.READER, "syntax error in an enumeration", child.start, child.end)
    return EnumDef(
        span=reader.span(reader.rendered.lead_in(node.start), node.end),
        expansion=reader.expansion(node.start),
        name=reader.text(name.end - 1) if name is not None else "",
        scope=reader.namespace,
        scoped=node.of_kind("class") is not None or node.of_kind("struct") is not None,
        enumerators=tuple(enumerators),
        underlying=read_types.read_type_id(reader, base.start, base.end) if base is not None else None,
        packed=read_attributes.is_packed(reader, _beside(reader, node, body)),
    )


def _record(reader: Reader, node: Concrete) -> RecordDef:
    name_node, body = node.child("name"), node.child("body")
    name: str = ""
    args: tuple[TemplateArg, ...] | None = None
    if name_node is not None:
        name, args, _ = read_types.read_name(reader, name_node.start, name_node.end)
    prefix, _, name = name.rpartition("::")
    scope = "::".join(part for part in (reader.namespace, prefix) if part)
    found = _beside(reader, node, body)
    outer = reader.namespace
    reader.namespace = "::".join(part for part in (scope, name) if part)
    hidden = node.kind == "class_specifier"
    fields, methods, nested, friends = _members(reader, body, name, reader.namespace, outer, hidden)
    reader.namespace = outer
    return RecordDef(
        span=reader.span(reader.rendered.lead_in(node.start), node.end),
        expansion=reader.expansion(node.start),
        keyword=node.kind.removesuffix("_specifier"),
        name=name,
        scope=scope,
        bases=_bases(reader, node.of_kind("base_class_clause")),
        fields=fields,
        methods=methods,
        nested=nested,
        friends=friends,
        specialisation=args,
        alignments=read_attributes.alignments(reader, found),
        packed=read_attributes.is_packed(reader, found),
        pack=read_attributes.pack_bytes(reader, found),
        final=any(
            word.text == "final"
            for word in reader.decorations(node.start, body.start if body is not None else node.end)
        ),
    )


def _beside(reader: Reader, node: Concrete, body: Concrete | None) -> list[Decoration]:
    """What was dropped in the head of a definition and directly behind its body."""
    if body is None:
        return reader.decorations(node.start, node.end)
    head = reader.decorations(node.start, body.start)
    return head + reader.rendered.decorations_between(body.end, reader.rendered.next_token(body.end))


def _members(
    reader: Reader, body: Concrete | None, name: str, inside: str, outer: str, hidden: bool
) -> tuple[tuple[VarDecl, ...], tuple[FunctionDecl, ...], tuple[Declaration, ...], tuple[FunctionDecl, ...]]:
    fields: list[VarDecl] = []
    methods: list[FunctionDecl] = []
    friends: list[FunctionDecl] = []
    nested: list[Declaration] = []
    for child in body.children if body is not None else []:
        if child.kind == "access_specifier":
            hidden = reader.text(child.start) != "public"
        if not child.named or child.kind in {"access_specifier", "comment"}:
            continue
        is_function = child.kind in _FUNCTIONS or _declares_function(child)
        reader.namespace = outer if is_function else inside
        for declaration in read_declarations.read_declarations(reader, child, owner=name or "?"):
            if isinstance(declaration, VarDecl) and "static" not in declaration.storage:
                fields.append(replace(declaration, private=True) if hidden else declaration)
            elif isinstance(declaration, FunctionDecl):
                (friends if "friend" in declaration.qualifiers else methods).append(declaration)
            else:
                nested.append(declaration)
    reader.namespace = inside
    return tuple(fields), tuple(methods), tuple(nested), tuple(friends)


def _declares_function(node: Concrete) -> bool:
    # Not in the body of a class that is declared there.
    declarators = [child for child in node.children if child.role == "declarator"]
    found = any(inner.kind == "function_declarator" for child in declarators for inner in child.walk())
    return found and node.child("type") is not None


def _bases(reader: Reader, node: Concrete | None) -> tuple[NamedType, ...]:
    found: list[NamedType] = []
    previous = node.start if node is not None else 0
    for child in node.children if node is not None else []:
        if child.named and child.kind not in {"access_specifier", "attribute_declaration"}:
            base = read_types.read_type_id(reader, child.start, child.end)
            if isinstance(base, NamedType):
                words = reader.rendered.decorations_between(previous, child.start)
                if any(word.text == "virtual" for word in words):
                    base = replace(base, qualifiers=base.qualifiers | {"virtual"})
                dots = reader.text(child.end) == "..." if child.end < (node.end if node is not None else 0) else False
                found.append(replace(base, pack=True) if dots else base)
        if reader.text(child.start) == ",":
            previous = child.end
    return tuple(found)


def read_typedef(reader: Reader, node: Concrete, late: bool = False) -> tuple[Declaration, ...]:
    """`typedef T a, *b;`, after the record that it defines on the way, if any.  `late`: `T typedef a;`."""
    declarators = [c for c in node.children if c.role == "declarator" and c.named]
    if not declarators:
        return (read_declarations.opaque_declaration(reader, node.start, node.end, "typedef not understood"),)
    inner = node if late else Concrete(node.kind, node.start + 1, node.end, None, True, node.broken, node.children)
    base, made = read_declarations.read_base_type(reader, inner, declarators[0].start)
    found: list[Declaration] = list(made)
    for declarator in declarators:
        declared = read_declarators.read_declarator(reader, declarator, base, node.start)
        target: TypeNode = declared.type
        if declared.name is None:
            found.append(read_declarations.opaque_declaration(reader, node.start, node.end, "typedef not understood"))
            continue
        if declared.function is not None:
            parameters = read_declarators.read_parameters(reader, declared.function.child("parameters"))
            target = read_types.function_type(target, parameters)
        name = reader.text(declared.name.start)
        span, expansion = reader.span(node.start, node.end), reader.expansion(node.start)
        if isinstance(target, RecordType) and isinstance(target.definition, RecordDef) and not target.qualifiers:
            target = RecordType(span=target.span, definition=target.definition)
        attributes = read_declarations.decorations_of(reader, inner, declarator)
        found.append(_alias(reader, span, expansion, name, target, attributes))
    return tuple(found)


def read_alias(reader: Reader, node: Concrete) -> tuple[Declaration, ...]:
    """`using X = T;`."""
    name, target = node.child("name"), node.child("type")
    read = read_types.read_type_id(reader, target.start, target.end) if target is not None else None
    made: tuple[Declaration, ...] = ()
    if target is not None and read is None:  # `using X = union {..};`
        read, made = read_declarations.read_base_type(reader, target, target.end)
    if name is None or read is None:
        return (read_declarations.opaque_declaration(reader, node.start, node.end, "alias not understood"),)
    span, expansion = reader.span(node.start, node.end), reader.expansion(node.start)
    attributes = reader.decorations(node.start, node.end)
    return (*made, _alias(reader, span, expansion, reader.text(name.start), read, attributes))


def _alias(
    reader: Reader, span: Span, expansion: str | None, name: str, type: TypeNode, attributes: Sequence[Decoration]
) -> TypeAlias:
    """Another name of a type, which may say how its objects are aligned."""
    if read_attributes.has(reader, attributes, *_OTHER_TYPE):
        type = NamedType(span=span, name="?")
    alignments = read_attributes.alignments(reader, attributes)
    return TypeAlias(
        span=span, expansion=expansion, name=name, scope=reader.namespace, type=type, alignments=alignments
    )


def read_using(reader: Reader, node: Concrete) -> tuple[Declaration, ...]:
    """`using namespace a::b;`, `using a::f;` and `using enum E;`."""
    is_namespace, is_enum = (node.of_kind(kind) is not None for kind in ("namespace", "enum"))
    named = node.named_children()
    if not named:
        return ()
    target, _, _ = read_types.read_name(reader, named[-1].start, named[-1].end)
    span, expansion = reader.span(node.start, node.end), reader.expansion(node.start)
    scope = reader.namespace
    return (
        UsingDecl(span=span, expansion=expansion, target=target, namespace=is_namespace, scope=scope, enum=is_enum),
    )


def read_namespace_alias(reader: Reader, node: Concrete) -> tuple[Declaration, ...]:
    """`namespace cg = cooperative_groups;`."""
    name = node.child("name")
    named = node.named_children()
    if name is None or len(named) < 2:
        return ()
    target, _, _ = read_types.read_name(reader, named[-1].start, named[-1].end)
    span, expansion = reader.span(node.start, node.end), reader.expansion(node.start)
    alias = reader.text(name.start)
    return (
        UsingDecl(span=span, expansion=expansion, target=target, namespace=True, scope=reader.namespace, alias=alias),
    )
