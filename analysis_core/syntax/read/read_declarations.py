"""Turns tree-sitter's declaration nodes into syntax nodes: variables, functions, records, enums, aliases, templates.

Qualifiers and attributes never reach tree-sitter (rendering.py); they are found again as the decorations that stand
before or among a declaration's tokens.  `Local l(p);` inside of a body is a variable unless its parentheses surely
hold parameter declarations.
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import (
    expression_parser,
    read_attributes,
    read_declarators,
    read_expressions,
    read_functions,
    read_records,
    read_types,
)
from analysis_core.syntax.read.concrete import Concrete
from analysis_core.syntax.read.environment import Sort, qualifier
from analysis_core.syntax.read.misreadings import scan_type
from analysis_core.syntax.read.read_declarators import Declared
from analysis_core.syntax.read.reader import Reader
from analysis_core.syntax.read.rendering import Decoration
from analysis_core.syntax.read.tree import (
    ArrayOf,
    Binary,
    Construct,
    Declaration,
    EnumDef,
    Expr,
    NamedType,
    OpaqueDecl,
    Part,
    RecordDef,
    RecordType,
    ReferenceTo,
    TypeNode,
    VarDecl,
)

STORAGE = frozenset(
    [
        "extern",
        "static",
        "const",
        "constexpr",
        "volatile",
        "__shared__",
        "__constant__",
        "__device__",
        "__managed__",
        "register",
        "mutable",
    ]
)
_ATTRIBUTE_WORDS = {
    "global": "__global__",
    "device": "__device__",
    "host": "__host__",
    "shared": "__shared__",
    "constant": "__constant__",
    "managed": "__managed__",
    "noinline": "__noinline__",
    "always_inline": "__forceinline__",
    "__global__": "__global__",
    "__device__": "__device__",
    "__shared__": "__shared__",
    "__constant__": "__constant__",
}


def read_declarations(reader: Reader, node: Concrete, local: bool = False, owner: str = "") -> tuple[Declaration, ...]:
    """The declarations that `node` makes, in order; none for those that declare nothing (`struct S;`, `friend`)."""
    match node.kind:
        case "declaration" | "field_declaration":
            return _variables(reader, node, local, owner)
        case "function_definition":
            return read_functions.function_definition(reader, node, owner)
        case "template_declaration":
            return read_functions.template(reader, node, owner)
        case "struct_specifier" | "class_specifier" | "union_specifier" | "enum_specifier":
            return (read_records.read_definition(reader, node),) if node.child("body") is not None else ()
        case "type_definition":
            return read_records.read_typedef(reader, node)
        case "alias_declaration":
            return read_records.read_alias(reader, node)
        case "using_declaration":
            return read_records.read_using(reader, node)
        case "namespace_alias_definition":
            return read_records.read_namespace_alias(reader, node)
        case "friend_declaration":
            return read_functions.friend(reader, node, owner)
        case "template_instantiation" | "static_assert_declaration":
            return ()
        case "concept_definition":
            return read_functions.concept(reader, node)
        case _:
            guide = read_functions.deduction_guide(reader, node) if node.kind == "ERROR" else None
            if guide is not None:
                reader.accounted.append((node.start, node.end))
                return guide
            return (opaque_declaration(reader, node.start, node.end, f"declaration not understood ({node.kind})"),)


DECLARATIONS = frozenset(
    [
        "declaration",
        "field_declaration",
        "function_definition",
        "template_declaration",
        "struct_specifier",
        "class_specifier",
        "union_specifier",
        "enum_specifier",
        "type_definition",
        "alias_declaration",
        "using_declaration",
        "namespace_alias_definition",
        "friend_declaration",
        "template_instantiation",
        "static_assert_declaration",
        "concept_definition",
    ]
)
"""The kinds of nodes that `read_declarations` understands."""


def opaque_declaration(reader: Reader, start: int, end: int, reason: str) -> OpaqueDecl:
    """A declaration that is not understood."""
    reader.accounted.append((start, end))
    cause = reader.cause(CauseKind.READER, reason, start, end)
    return OpaqueDecl(span=reader.span(start, end), expansion=reader.expansion(start), cause=cause)


# --- decorations ----------------------------------------------------------------------------------------------------


def words_of(reader: Reader, found: list[Decoration]) -> set[str]:
    """The qualifiers among the decorations; those spelled as attributes are given CUDA's names."""
    words: set[str] = set()
    for decoration in found:
        text = decoration.text
        if text in {"__inline__", "__inline"}:
            words.add("inline")
        elif text == 'extern "C"':
            words.add("extern")
        elif text in {"__attribute__", "__attribute", "__declspec", "[["}:
            low, high = decoration.args
            words.update(_ATTRIBUTE_WORDS[t.text] for t in reader.tokens[low:high] if t.text in _ATTRIBUTE_WORDS)
        else:
            words.add(text)
    return words


# --- variables ------------------------------------------------------------------------------------------------------


def read_base_type(reader: Reader, node: Concrete, stop: int) -> tuple[TypeNode, tuple[Declaration, ...]]:
    """The type before the declarators, and what it defines on the way (`struct S { ... } s;`)."""
    child = node.child("type")
    if child is not None and child.kind in read_records.DEFINITIONS and child.child("body") is not None:
        definition = read_records.read_definition(reader, child)
        if isinstance(definition, RecordDef | EnumDef):
            qualifiers = frozenset(qualifier(reader.text(c.start)) for c in node.children if c.kind == "type_qualifier")
            span = reader.span(child.start, child.end)
            if definition.name:
                return NamedType(span=span, name=definition.name, qualifiers=qualifiers), (definition,)
            return RecordType(span=span, definition=definition, qualifiers=qualifiers), ()
    head = read_types.read_specifiers(reader, node.start, stop)
    if head is None:
        return read_types.unknown_type(reader, node.start, stop), ()
    return head[0], ()


def _declarators(node: Concrete) -> list[Concrete]:
    return [c for c in node.children if c.role == "declarator" and c.named]


def _variables(reader: Reader, node: Concrete, local: bool, owner: str) -> tuple[Declaration, ...]:
    declarators = _declarators(node)
    stop = declarators[0].start if declarators else node.end
    if declarators and any((d.index, d.text) == (stop - 1, "typedef") for d in reader.decorations(node.start, stop)):
        return read_records.read_typedef(reader, node, late=True)
    base, made = read_base_type(reader, node, stop)
    found: list[Declaration] = list(made)
    if not declarators:
        child = node.child("type")
        if not made and isinstance(base, RecordType) and isinstance(base.definition, RecordDef) and owner:
            found.append(_anonymous_field(reader, node, base))
        elif not made and isinstance(base, RecordType):
            found.append(base.definition)
        elif child is None or child.kind not in read_records.DEFINITIONS:
            if any(c.kind == "ERROR" for c in node.children):
                found.append(opaque_declaration(reader, node.start, node.end, "syntax error in a declaration"))
        return tuple(found)
    for declarator in declarators:
        found.extend(_declare_one(reader, node, declarator, base, local, owner))
    return tuple(found)


def _anonymous_field(reader: Reader, node: Concrete, base: RecordType) -> VarDecl:
    """An anonymous struct or union inside of a record: a field without a name."""
    span = reader.span(node.start, node.end)
    return VarDecl(span=span, name="", name_span=span, type=base, storage=frozenset())


def _declare_one(
    reader: Reader, node: Concrete, declarator: Concrete, base: TypeNode, local: bool, owner: str
) -> tuple[Declaration, ...]:
    inner, value, braces_or_parens = declarator, None, False
    if declarator.kind == "init_declarator":
        target = declarator.child("declarator")
        value = declarator.child("value")
        braces_or_parens = declarator.of_kind("=") is None
        inner = target if target is not None else declarator
    else:
        value = _value_after(node, declarator)
        braces_or_parens = value is not None and value.kind == "initializer_list" and node.of_kind("=") is None
    declared = read_declarators.read_declarator(reader, inner, base, node.start)
    if declared.name is not None and declared.name.kind == "structured_binding_declarator" and local:
        whole = _initialiser(reader, declared.type, value, braces_or_parens)
        return tuple(_structured_binding(reader, node, declared, declared.name, whole))
    if declared.name is None or declared.name.kind == "structured_binding_declarator":
        reason = "structured binding" if declared.name is not None else "declarator not understood"
        kind = CauseKind.UNSUPPORTED if declared.name is not None else CauseKind.READER
        cause = reader.cause(kind, reason, node.start, node.end)
        return (OpaqueDecl(span=reader.span(node.start, node.end), cause=cause),)
    if declared.function is not None:
        arguments = None if owner else _constructor_arguments(reader, declared.function, local)
        if arguments is None:
            return (read_functions.function(reader, node, declared, None, owner),)
        init: Expr | None = Construct(
            span=reader.span(inner.start, inner.end), type=declared.type, args=arguments, braces=False
        )
    else:
        init = _initialiser(reader, declared.type, value, braces_or_parens)
    return (_variable(reader, node, declarator, declared, init),)


def _structured_binding(
    reader: Reader, node: Concrete, declared: Declared, names: Concrete, init: Expr | None
) -> Iterator[VarDecl]:
    """`auto [a, b] = e;`: a variable that holds e, and a reference to each of its parts."""
    span, whole = reader.span(node.start, node.end), reader.joined(names.start, names.end)
    name_span = reader.span(names.start, names.end)
    yield VarDecl(span=span, name=whole, name_span=name_span, type=declared.type, storage=frozenset(), init=init)
    found = [child for child in names.children if child.named]
    for position, child in enumerate(found):
        place = reader.span(child.start, child.end)
        part = Part(span=place, whole=whole, position=position, count=len(found))
        type = ReferenceTo(span=place, target=NamedType(span=place, name="auto"), rvalue=True)
        name = reader.text(child.start)
        yield VarDecl(span=span, name=name, name_span=place, type=type, storage=frozenset(), init=part)


def _value_after(node: Concrete, declarator: Concrete) -> Concrete | None:
    """The initialiser that stands beside a field's declarator instead of inside."""
    seen = False
    for child in node.children:
        if child is declarator:
            seen = True
        elif seen and child.role in {"default_value", "value"} and child.named:
            return child
        elif seen and child.kind == ",":
            return None
    return None


def _initialiser(reader: Reader, declared: TypeNode, value: Concrete | None, direct: bool) -> Expr | None:
    if value is None:
        return None
    if value.kind == "argument_list":
        args = read_expressions.read_arguments(reader, value)
        return Construct(span=reader.span(value.start, value.end), type=declared, args=args, braces=False)
    if direct and value.kind == "initializer_list":
        args = read_expressions.read_arguments(reader, value)
        return Construct(span=reader.span(value.start, value.end), type=declared, args=args, braces=True)
    return read_expressions.read_expression(reader, value)


def _constructor_arguments(reader: Reader, function: Concrete, local: bool) -> tuple[Expr, ...] | None:
    """The arguments of `Local l(p, q);`, or None if the parentheses hold parameter declarations."""
    parameters = function.child("parameters")
    if parameters is None or parameters.end - parameters.start <= 2:
        return None
    args: list[Expr] = []
    for low, high in read_types.split_at_commas(reader, parameters.start + 1, parameters.end - 1):
        scanned = scan_type(reader.tokens, low, high, reader.scope, reader.rendered.brackets)
        if scanned is not None:
            stop, sure, _ = scanned
            if sure and (stop == high or reader.is_name(stop) or reader.text(stop) in {"(", "...", "["}):
                if not (stop < high and reader.text(stop) == "(" and stop == low + 1):
                    return None
            if stop < high and reader.is_name(stop):
                return None
            if not local and reader.scope.sort(reader.text(low)) is not Sort.VALUE:
                return None
        value = expression_parser.read_tokens(reader, low, high)
        if value is None:
            return None
        args.append(value)
    return tuple(args)


def _variable(reader: Reader, node: Concrete, declarator: Concrete, declared: Declared, init: Expr | None) -> VarDecl:
    name = declared.name
    assert name is not None
    found = decorations_of(reader, node, declarator)
    words = words_of(reader, found) & STORAGE
    leaf = declared.type
    while isinstance(leaf, ArrayOf):
        leaf = leaf.element
    words |= leaf.qualifiers & {"volatile", "const"}
    text, specialisation, _ = read_types.read_name(reader, name.start, name.end)
    prefix, _, last = ("" if reader.text(name.start) == ":" else text).rpartition("::")  # a bit-field may have no name
    scope = "::".join(part for part in (reader.namespace, prefix) if part)
    start = reader.rendered.lead_in(node.start)
    return VarDecl(
        span=reader.span(start, node.end),
        expansion=reader.expansion(node.start),
        name=last,
        name_span=reader.span(name.end - 1, name.end),
        type=declared.type,
        storage=frozenset(words),
        init=init,
        scope=scope,
        alignments=read_attributes.alignments(reader, found),
        bits=_bits(reader, node, declarator),
        packed=read_attributes.is_packed(reader, found),
        overlaps=read_attributes.has(reader, found, "no_unique_address"),
        specialisation=specialisation,
    )


def decorations_of(reader: Reader, node: Concrete, declarator: Concrete) -> list[Decoration]:
    """The qualifiers and attributes that were taken out before the first declarator and beside this one, without those
    inside of a type that is defined there."""
    first = next((c.start for c in node.children if c.role == "declarator" and c.named), declarator.start)
    made = node.child("type")
    body = made.child("body") if made is not None and made.kind in read_records.DEFINITIONS else None
    low, high = (body.start, body.end) if body is not None else (first, first)
    shared = [d for d in reader.decorations(node.start, first) if not low <= d.index < high + 1 - (body is None)]
    start, stop = first, node.end
    for child in node.children:
        if child.kind == ",":
            if child.start < declarator.start:
                start = child.start
            elif stop == node.end:
                stop = child.start
    return shared + [d for d in reader.rendered.decorations_between(start, stop) if d not in shared]


def _bits(reader: Reader, node: Concrete, declarator: Concrete) -> Expr | None:
    """The width in `int b : 3;`."""
    seen = False
    for child in node.children:
        if child is declarator:
            seen = True
        elif seen and child.kind == "bitfield_clause":
            return read_expressions.read_expression(reader, child.children[-1])
        elif seen and child.kind == ",":
            return None
    return None


def read_condition_declaration(reader: Reader, node: Concrete) -> VarDecl:
    """The variable of `if (T x = e)`."""
    declarator = _declarators(node)[0]
    base = read_base_type(reader, node, declarator.start)[0]
    declaration = _declare_one(reader, node, declarator, base, True, "")[0]
    if isinstance(declaration, VarDecl):
        return declaration
    span = reader.span(node.start, node.end)
    init = reader.opaque(node.start, node.end, "condition not understood")
    unknown = read_types.unknown_type(reader, node.start, node.end)
    return VarDecl(span=span, name="", name_span=span, type=unknown, storage=frozenset(), init=init)


def declaration_as_expression(reader: Reader, node: Concrete) -> Expr | None:
    """The expression that was misread as a declaration: `a * b;` with `a` a variable; None for a declaration."""
    child = node.child("type")
    if node.kind != "declaration" or child is None or child.kind not in {"type_identifier", "qualified_identifier"}:
        return None
    name, _, end = read_types.read_name(reader, child.start, child.end)
    if end != child.end or reader.scope.sort(name) is not Sort.VALUE or reader.text(node.end - 1) != ";":
        return None
    value = expression_parser.read_tokens(reader, node.start, node.end - 1)
    return value if isinstance(value, Binary) else None
