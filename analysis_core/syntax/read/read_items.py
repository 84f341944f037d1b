"""Reads one top-level item: names in scope, rendering, tree-sitter, syntax nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import tree_sitter

from analysis_core.support.facts import Cause, CauseKind
from analysis_core.support.fuel import BODY
from analysis_core.syntax.lex.tokens import Token, TokenKind
from analysis_core.syntax.read import read_declarations
from analysis_core.syntax.read.concrete import Concrete, read_concrete
from analysis_core.syntax.read.environment import Asked, Environment, Names, declare_templates, item_names
from analysis_core.syntax.read.reader import Reader, Unit
from analysis_core.syntax.read.rendering import Rendered, render
from analysis_core.syntax.read.splitter import Item, ItemKind
from analysis_core.syntax.read.tree import (
    Compound,
    Declaration,
    ExplicitInstantiation,
    FunctionDecl,
    OpaqueDecl,
    OpaqueStmt,
    UsingDecl,
)
from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True)
class ReadItem:
    """What one item declares, what could not be read, and the tokens at which tree-sitter saw errors.

    `own`: the names that it declares itself, as they are found lexically; `asked`: what was asked about names."""

    declarations: tuple[Declaration, ...]
    problems: tuple[Cause, ...]
    errors: tuple[int, ...]
    own: Names
    asked: Asked


def render_item(tokens: Sequence[Token], item: Item, names: Names) -> tuple[Rendered, Environment]:
    """The item's text for tree-sitter, and the names in scope; its templates become known to the unit.  Of a body that is too long only
    what `body_end` says."""
    end = body_end(tokens, item)
    own = item_names(tokens, item.start, end)
    declare_templates(names, own)
    scope = Environment(names, own)
    rendered = render(tokens, item.start, end, scope, item.name)
    if end < item.end:
        rendered.text += b" }"
    return rendered, scope


def body_end(tokens: Sequence[Token], item: Item) -> int:
    """The token up to which a function is read: behind it, or, where its body has more tokens than may be read, behind the last of its
    outermost statements that ends before."""
    if item.kind is not ItemKind.FUNCTION or item.body is None or item.body[1] - item.body[0] <= BODY:
        return item.end
    start, end, depth = item.body[0] + 1, item.body[0] + 1, 0
    for i in range(start, start + BODY):
        text = tokens[i].text
        depth += (text in _OPENING) - (text in _CLOSING)
        if depth == 0 and text in _LAST and tokens[i + 1].text not in _GOES_ON:
            end = i + 1
    return end


_OPENING, _CLOSING, _LAST = frozenset("([{"), frozenset(")]}"), frozenset(";}")
_GOES_ON = frozenset({";", ",", ")", "(", "[", ".", "else", "while", "catch"})


def read_item(unit: Unit, item: Item, names: Names, parser: tree_sitter.Parser, head_only: bool = False) -> ReadItem:
    """Reads one item; what it declares is not yet added to `names`.  `head_only`: a function as if it were declared
    and not defined."""
    instantiated = _instantiated(unit.tokens, item)
    if instantiated is not None:
        return _explicit_instantiation(unit, replace(item, start=instantiated), names, parser)
    if item.kind is ItemKind.OTHER and is_skipped(unit.tokens, item):
        return ReadItem((), (), (), Names(), Asked())
    if item.kind is ItemKind.USING and any(t.text == "inline" for t in unit.tokens[item.start : item.end]):
        return ReadItem(_inline_namespaces(unit, item), (), (), Names(), Asked())
    if head_only and item.body is not None:
        item = replace(item, end=item.body[0], body=None)
    rendered, scope = render_item(unit.tokens, item, names)
    end = body_end(unit.tokens, item)
    if head_only:
        rendered.text += b" ;"
    root = read_concrete(parser, rendered)
    reader = Reader(unit, scope, rendered, parser, item.scope)
    declarations: list[Declaration] = []
    for child in root.children:
        if child.named:
            declarations.extend(top_level(reader, child))
    if end < item.end:
        declarations = [_with_rest(d, reader, end, item.end - 1) for d in declarations]
    if _lost_body(item, declarations):
        declarations = _head_alone(unit, item, scope, parser, reader)
    elif item.kind is ItemKind.RECORD and item.body is not None and not declarations:
        cause = reader.cause(CauseKind.READER, "record not understood", item.start, item.end)
        declarations.append(OpaqueDecl(span=reader.span(item.start, item.end), cause=cause))
    if root.broken:
        _note_unaccounted(reader, root)
    errors = error_tokens(root) if root.broken else ()
    return ReadItem(tuple(declarations), tuple(reader.problems), errors, scope.item, scope.asked)


def _instantiated(tokens: Sequence[Token], item: Item) -> int | None:
    """Where the declaration begins in an explicit instantiation (`template void f<int>(int);`), None in other items, and of a function
    that is defined, however its head is broken."""
    if item.body is not None:
        return None
    place = item.start + (tokens[item.start].text == "extern")
    if place + 1 < item.end and tokens[place].text == "template" and tokens[place + 1].text != "<":
        return place + 1
    return None


def _inline_namespaces(unit: Unit, item: Item) -> tuple[UsingDecl, ...]:
    """What `inline namespace v1 {`, or `namespace a::inline v1 {`, says: the namespace around it has what this one declares."""
    found: list[UsingDecl] = []
    scope, inline = item.scope, False
    for token in unit.tokens[item.start : item.end]:
        if token.text == "inline":
            inline = True
        elif token.kind is TokenKind.IDENTIFIER and token.text not in ("namespace", "__attribute__"):
            inside = f"{scope}::{token.text}" if scope else token.text
            if inline:
                span = unit.span(item.start, item.end)
                found.append(UsingDecl(span=span, target=f"::{inside}", namespace=True, scope=scope, inline=True))
            scope, inline = inside, False
    return tuple(found)


def _explicit_instantiation(unit: Unit, item: Item, names: Names, parser: tree_sitter.Parser) -> ReadItem:
    """Of a function: what it declares, read as a prototype.  One of a class or a variable declares nothing to us, and
    neither does one that cannot be read: it only ever adds an instance."""
    rendered, scope = render_item(unit.tokens, item, names)
    root = read_concrete(parser, rendered)
    if root.broken:
        return ReadItem((), (), (), scope.item, scope.asked)
    reader = Reader(unit, scope, rendered, parser, item.scope)
    found = [d for child in root.children if child.named for d in top_level(reader, child)]
    instances = [
        ExplicitInstantiation(
            span=reader.span(item.start, item.end),
            name=d.name,
            scope=d.scope,
            owner=d.owner,
            template_args=d.specialisation,
            parameters=d.parameters,
        )
        for d in found
        if isinstance(d, FunctionDecl)
    ]
    return ReadItem(tuple(instances), (), (), scope.item, scope.asked)


def _note_unaccounted(reader: Reader, root: Concrete) -> None:
    """A problem for every syntax error that left no trace in the tree: in a head, a record or an initialiser."""
    for node in root.walk():
        if node.kind != "ERROR" and (not node.broken or node.children):
            continue
        if not any(low <= node.start and node.end <= high for low, high in reader.accounted):
            reader.cause(CauseKind.READER, "syntax error", node.start, max(node.end, node.start + 1))


def _with_rest(declaration: Declaration, reader: Reader, start: int, end: int) -> Declaration:
    """A function whose body has more tokens than may be read; those from `start` on are one opaque statement."""
    if not isinstance(declaration, FunctionDecl) or declaration.body is None:
        return declaration
    reason = f"not analysed from here on: the function has more than {BODY:,} tokens"
    rest = reader.opaque_stmt(start, end, reason, CauseKind.ANALYSIS)
    body = replace(declaration.body, body=(*declaration.body.body, rest))
    return replace(declaration, body=body, span=declaration.span.hull(reader.span(end, end + 1)))


def _has_body(declarations: list[Declaration]) -> bool:
    return any(isinstance(d, FunctionDecl) and d.body is not None for d in declarations)


def _head_alone(
    unit: Unit, item: Item, scope: Environment, parser: tree_sitter.Parser, failed: Reader
) -> list[Declaration]:
    """The function with an opaque body, read from its head: what is left when the body defeats tree-sitter."""
    failed.problems.clear()  # they are all of the body
    if item.body is not None:
        low, high = item.body
        rendered = render(unit.tokens, item.start, low, scope, item.name)
        rendered.text += b" { }"
    else:
        assert item.name is not None
        low, high = item.name + 1, item.end
        rendered = render(unit.tokens, item.start, low, scope, item.name)
        rendered.text += b" ( ) { }"
    reader = Reader(unit, scope, rendered, parser, item.scope)
    body_cause = failed.cause(CauseKind.READER, "function body not understood", low, high)
    opaque = OpaqueStmt(span=unit.span(low, high), cause=body_cause)
    body = Compound(span=unit.span(low, high), body=(opaque,))
    found: list[Declaration] = []
    for child in read_concrete(parser, rendered).children:
        if child.named:
            found.extend(top_level(reader, child))
    if not _has_body(found):
        return [OpaqueDecl(span=unit.span(item.start, item.end), cause=body_cause)]
    return [replace(d, body=body) if isinstance(d, FunctionDecl) else d for d in found]


def _lost_body(item: Item, declarations: list[Declaration]) -> bool:
    """Whether the item defines a function, as far as its text goes, and nothing of the kind was read."""
    if item.kind is not ItemKind.FUNCTION:
        return False
    if item.body is not None:
        return not _has_body(declarations)
    return _is_cut_head(item) and not any(isinstance(d, FunctionDecl) for d in declarations)


def _is_cut_head(item: Item) -> bool:
    """A kernel whose parameter list is still being typed: its name is all that is sure."""
    return not item.closed and item.name is not None and item.name + 1 < item.end and "__global__" in item.qualifiers


def is_skipped(tokens: Sequence[Token], item: Item) -> bool:
    """Explicit instantiations (of classes), static assertions and pragmas declare nothing."""
    first = tokens[item.start].text
    if first == "template":
        return item.end - item.start > 1 and tokens[item.start + 1].text != "<"
    return item.end - item.start == 1 or first in {"static_assert", "_Static_assert", "asm", "__asm__"}


def error_tokens(root: Concrete) -> tuple[int, ...]:
    """Where tree-sitter's ERROR and MISSING nodes begin, in order."""
    return tuple(node.start for node in root.walk() if node.kind == "ERROR" or (node.broken and not node.children))


def top_level(reader: Reader, node: Concrete) -> tuple[Declaration, ...]:
    """What a node of the outermost level declares."""
    if node.kind == "expression_statement" and not node.named_children():
        return ()
    return read_declarations.read_declarations(reader, node)
