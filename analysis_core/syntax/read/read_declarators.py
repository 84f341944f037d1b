"""Reads declarators, the part of a declaration that C writes inside out: `*const (*f[2])(int)`.

tree-sitter nests them as they are written, so walking from the outermost node to the name wraps the type from the
base outwards in the right order, in one loop.
"""

from __future__ import annotations

from dataclasses import replace

from analysis_core.syntax.read import read_expressions, read_types
from analysis_core.syntax.read.concrete import Concrete
from analysis_core.syntax.read.environment import QUALIFIERS, qualifier
from analysis_core.syntax.read.reader import Reader
from analysis_core.syntax.read.tree import ArrayOf, FunctionOf, Parameter, PointerTo, ReferenceTo, TypeNode
from analysis_core.text.records import dataclass

_POINTERS = frozenset({"pointer_declarator", "abstract_pointer_declarator", "pointer_type_declarator"})
_REFERENCES = frozenset({"reference_declarator", "abstract_reference_declarator"})
_ARRAYS = frozenset({"array_declarator", "abstract_array_declarator"})
_FUNCTIONS = frozenset({"function_declarator", "abstract_function_declarator"})
_NAMES = frozenset(
    [
        "identifier",
        "field_identifier",
        "type_identifier",
        "qualified_identifier",
        "template_function",
        "template_method",
        "operator_name",
        "destructor_name",
        "structured_binding_declarator",
        "dependent_name",
    ]
)
_DEEPEST = 60


@dataclass(frozen=True, slots=True)
class Declared:
    """What a declarator declares.  `name` is its name node; `function` the parameter list's owner if it is a function."""

    name: Concrete | None
    type: TypeNode
    function: Concrete | None
    pack: bool


def read_declarator(reader: Reader, node: Concrete | None, base: TypeNode, start: int) -> Declared:
    """Wraps `base` by the declarator `node`; `start` is the first token of the whole declaration (for spans)."""
    pack = False
    for _ in range(_DEEPEST):
        if node is None or node.kind in _NAMES:
            return Declared(node, base, None, pack)
        if node.kind in _FUNCTIONS:
            inner = node.child("declarator") or _inner(node, skip="parameter_list")
            if inner is not None and inner.kind in _NAMES:
                return Declared(inner, base, node, pack)
            parameters = read_parameters(reader, node.child("parameters"))
            base = FunctionOf(span=reader.span(start, node.end), result=base, parameters=parameters)
            node = inner
            continue
        if node.kind == "variadic_declarator":
            pack = True
            node = _inner(node)
            continue
        base = _wrap(reader, node, base, start)
        node = node.child("declarator") if node.kind in _ARRAYS else _inner(node)
    return Declared(None, read_types.unknown_type(reader, start, start), None, pack)


def _inner(node: Concrete, skip: str = "") -> Concrete | None:
    """The declarator inside of a pointer, reference or parenthesis."""
    for child in reversed(node.children):
        if child.named and child.kind != skip and (child.kind.endswith("declarator") or child.kind in _NAMES):
            return child
    return None


def _wrap(reader: Reader, node: Concrete, base: TypeNode, start: int) -> TypeNode:
    end = node.start + 1
    if node.kind in _POINTERS:
        qualifiers = frozenset(
            qualifier(reader.text(child.start)) for child in node.children if child.kind == "type_qualifier"
        )
        if node.start > 0 and reader.text(node.start - 1) == "::":
            first = reader.first_of_name(node.start - 1)
            return replace(read_types.member_pointer(reader, base, first, node.start), qualifiers=qualifiers & _KEPT)
        return PointerTo(span=reader.span(start, end), target=base, qualifiers=qualifiers & _KEPT)
    if node.kind in _REFERENCES:
        rvalue = reader.text(node.start) == "&&"
        qualifiers = frozenset(
            qualifier(reader.text(child.start)) for child in node.children if child.kind == "type_qualifier"
        )
        return ReferenceTo(span=reader.span(start, end), target=base, rvalue=rvalue, qualifiers=qualifiers & _KEPT)
    if node.kind in _ARRAYS:
        size = node.child("size")
        extent = read_expressions.read_expression(reader, size) if size is not None else None
        return ArrayOf(span=reader.span(start, node.end), element=base, extent=extent)
    return base


_KEPT = frozenset(qualifier(word) for word in QUALIFIERS)


def read_parameters(reader: Reader, node: Concrete | None) -> tuple[Parameter, ...]:
    """The parameters of a `parameter_list`; `(void)` is none, `...` is not kept."""
    if node is None:
        return ()
    found = [_parameter(reader, child) for child in node.children if child.kind.endswith("parameter_declaration")]
    if len(found) == 1 and found[0].name is None and reader.joined(node.start, node.end) == "( void )":
        return ()
    return tuple(found)


def _parameter(reader: Reader, node: Concrete) -> Parameter:
    start = reader.rendered.lead_in(node.start)
    declarator = node.child("declarator")
    default = node.child("default_value")
    stop = declarator.start if declarator is not None else node.end
    if declarator is None and default is not None:
        stop = default.start - 1
    head = read_types.read_specifiers(reader, node.start, stop)
    base = head[0] if head is not None else read_types.unknown_type(reader, node.start, stop)
    declared = read_declarator(reader, declarator, base, node.start)
    pack = declared.pack or any(child.kind == "..." for child in node.children)
    return Parameter(
        span=reader.span(start, node.end),
        expansion=reader.expansion(node.start),
        name=reader.text(declared.name.start)
        if declared.name is not None and reader.is_name(declared.name.start)
        else None,
        type=declared.type,
        default=read_expressions.read_expression(reader, default) if default is not None else None,
        pack=pack,
    )
