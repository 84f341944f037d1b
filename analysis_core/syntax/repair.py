"""Reads one item, and mends it first where tree-sitter finds it broken."""

from __future__ import annotations

import tree_sitter

from analysis_core.support.facts import Cause
from analysis_core.syntax import read_declarations
from analysis_core.syntax.concrete import Concrete, read_concrete
from analysis_core.syntax.environment import Environment, Names, item_names
from analysis_core.syntax.reader import Reader, Unit
from analysis_core.syntax.rendering import render
from analysis_core.syntax.tree import Declaration


def read_item(
    unit: Unit, start: int, end: int, namespace: str, names: Names, parser: tree_sitter.Parser
) -> tuple[tuple[Declaration, ...], list[Cause]]:
    """The declarations of the tokens `start <= i < end`, and what could not be read."""
    if end - start > 1 and unit.tokens[start].text == "template" and unit.tokens[start + 1].text != "<":
        return (), []  # an explicit instantiation declares nothing
    own = item_names(unit.tokens, start, end)
    names.templates |= own.templates
    names.template_variables |= own.template_variables
    scope = Environment(names, own)
    rendered = render(unit.tokens, start, end, scope)
    root = read_concrete(parser, rendered)
    reader = Reader(unit, scope, rendered, parser, namespace)
    declarations: list[Declaration] = []
    for child in root.children:
        if child.named:
            declarations.extend(_top_level(reader, child))
    return tuple(declarations), reader.problems


def _top_level(reader: Reader, node: Concrete) -> tuple[Declaration, ...]:
    if node.kind == "expression_statement" and not node.named_children():
        return ()
    return read_declarations.read_declarations(reader, node)
