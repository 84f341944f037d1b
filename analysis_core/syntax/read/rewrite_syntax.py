"""A syntax tree with some of its nodes replaced; the others are shared with the tree that it was made of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, TypeVar

from analysis_core.syntax.read import tree as syn

N = TypeVar("N", bound=syn.Node)

Change = Callable[[syn.Node], syn.Node | None]
"""What stands for a node, with all that is below it; None where the node stays and what is below it is asked for in turn."""


def rewritten(node: N, change: Change) -> N:
    """The tree from this node on; a node's place has to have room for what `change` makes of it."""
    made = change(node)
    if made is not None:
        return made  # type: ignore[return-value]
    fresh: dict[str, Any] = {}
    for name in _places(type(node)):
        before = getattr(node, name)
        after = _rewritten(before, change)
        if after is not before:
            fresh[name] = after
    return replace(node, **fresh) if fresh else node


def _rewritten(value: object, change: Change) -> object:
    if isinstance(value, syn.Node):
        return rewritten(value, change)
    if isinstance(value, tuple) and value:
        parts = tuple(_rewritten(part, change) for part in value)
        return parts if any(a is not b for a, b in zip(parts, value, strict=True)) else value
    return value


def _places(cls: type[syn.Node]) -> tuple[str, ...]:
    """The fields of a class of nodes that may hold nodes."""
    return tuple(field.name for field in fields(cls) if field.name not in ("span", "name_span", "expansion"))
