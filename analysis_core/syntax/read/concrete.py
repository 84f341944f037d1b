"""tree-sitter's concrete tree, copied once into light Python nodes that speak of tokens instead of bytes.

Asking tree-sitter for a node's parts costs microseconds each; one iterative walk with a cursor is the cheapest way to
get them all, and it cannot overflow the stack.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field

import tree_sitter
import tree_sitter_cuda

from analysis_core.syntax.read.rendering import Rendered
from analysis_core.text.records import dataclass


@dataclass(slots=True, eq=False)
class Concrete:
    """One node: the tokens `start <= i < end`.  `role` is the name of the parent's field that holds it.

    `broken`: an ERROR or MISSING node is inside (or is this)."""

    kind: str
    start: int
    end: int
    role: str | None
    named: bool
    broken: bool
    children: list[Concrete] = field(default_factory=list)

    def child(self, role: str) -> Concrete | None:
        """The first child in that field, or None."""
        for child in self.children:
            if child.role == role:
                return child
        return None

    def all(self, role: str) -> list[Concrete]:
        """The named children in that field, in order."""
        return [child for child in self.children if child.role == role and child.named]

    def of_kind(self, kind: str) -> Concrete | None:
        """The first child of that kind, or None."""
        for child in self.children:
            if child.kind == kind:
                return child
        return None

    def named_children(self) -> list[Concrete]:
        """The children that are not punctuation or keywords."""
        return [child for child in self.children if child.named]

    def walk(self) -> Iterator[Concrete]:
        """This node and all below it, parents first."""
        stack = [self]
        while stack:
            node = stack.pop()
            yield node
            stack.extend(reversed(node.children))


def make_parser() -> tree_sitter.Parser:
    """A parser for CUDA C++; one per `parse`, since it holds state."""
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_cuda.language()))


def read_concrete(parser: tree_sitter.Parser, rendered: Rendered) -> Concrete:
    """Parses the rendered text and copies the tree.  Time is linear in its nodes."""
    tree = parser.parse(rendered.text)
    cursor = tree.walk()
    starts, ends = rendered.at.get, rendered.ends.get

    def copy(role: str | None) -> Concrete:
        node = cursor.node
        assert node is not None
        low, high = node.start_byte, node.end_byte
        start = starts(low)
        if start is None:
            start = rendered.first_token(low)
        end = ends(high) if high > low else start
        if end is None:
            end = rendered.token_end(high)
        return Concrete(node.type, start, end, role, node.is_named, node.has_error, [])

    root = copy(None)
    ancestors = [root]
    if not cursor.goto_first_child():
        return root
    children = root.children
    while True:
        node = copy(cursor.field_name)
        children.append(node)
        if cursor.goto_first_child():
            ancestors.append(node)
            children = node.children
            continue
        while not cursor.goto_next_sibling():
            ancestors.pop()
            if not ancestors:
                return root
            children = ancestors[-1].children
            cursor.goto_parent()
