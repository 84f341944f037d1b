"""Questions about whole syntax subtrees, answered without recursion: what is assigned, returned, called.

`inside` visits every node below a statement or expression; lambdas are entered only on request, since their
statements run elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from analysis_core.syntax import tree as syn

_PLAIN = frozenset({"span", "expansion", "name_span", "cause", "op", "name", "text", "style", "qualifiers", "storage"})


def _node_fields(root: type[syn.Node]) -> Iterator[tuple[type[syn.Node], tuple[str, ...]]]:
    """Every node class with the fields that can hold nodes."""
    pending = [root]
    while pending:
        cls = pending.pop()
        pending.extend(cls.__subclasses__())
        yield cls, tuple(f.name for f in fields(cls) if f.name not in _PLAIN)


_CHILDREN = dict(_node_fields(syn.Node))


def inside(root: syn.Node, lambdas: bool = True) -> Iterator[syn.Node]:
    """`root` and all nodes below it, in source order."""
    pending: list[object] = [root]
    while pending:
        item = pending.pop()
        if isinstance(item, tuple):
            pending.extend(reversed(item))
        elif isinstance(item, syn.Node):
            yield item
            if isinstance(item, syn.Lambda) and not lambdas and item is not root:
                continue
            pending.extend(getattr(item, name) for name in reversed(_CHILDREN[type(item)]))


def assigns_to(body: syn.Node, name: str) -> bool:
    """Whether `name` is assigned, incremented or has its address taken anywhere below."""
    for node in inside(body):
        match node:
            case syn.Assign(target=syn.Name(name=target)) | syn.IncDec(operand=syn.Name(name=target)):
                if target == name:
                    return True
            case syn.Unary(op="&", operand=syn.Name(name=target)):
                if target == name:
                    return True
            case _:
                pass
    return False


def count_returns(body: syn.Node) -> int:
    return sum(isinstance(node, syn.Return) for node in inside(body, lambdas=False))


def count_statements(body: syn.Node) -> int:
    """Statements that do something: blocks and empty statements do not count."""
    return sum(
        isinstance(node, syn.Stmt) and not isinstance(node, syn.Compound | syn.Empty) for node in inside(body)
    )
