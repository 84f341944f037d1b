"""Prints a syntax tree with the source lines beside its nodes, for `explain --stage syntax` and bug reports.

Iterative, so that no tree is too deep to print.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields

from analysis_core.support.facts import Cause
from analysis_core.syntax.read.tree import Declaration, Expr, Node, Stmt, SyntaxTree, TypeNode
from analysis_core.text.span import FileId

_LEFT = 88
_PLACES = frozenset({"span", "expansion", "name_span"})


def dump(tree: SyntaxTree, source: Callable[[FileId], bytes | None], only_main: bool = True) -> str:
    """One line per declaration and statement, expressions in one line each; the source line stands to the right.

    `source` gives the bytes of a file.  `only_main` leaves out what comes from included files."""
    lines: list[str] = []
    for declaration in tree.declarations:
        if only_main and declaration.span.file != tree.main:
            continue
        lines.extend(_dump_node(declaration, source))
    lines.extend(f"problem: {_cause(problem, source)}" for problem in tree.problems)
    return "\n".join(lines) + "\n"


def _dump_node(root: Node, source: Callable[[FileId], bytes | None]) -> Iterator[str]:
    stack: list[tuple[Node, int, str]] = [(root, 0, "")]
    previous = ""
    while stack:
        node, depth, role = stack.pop()
        inline: list[str] = []
        below: list[tuple[Node, int, str]] = []
        for field in fields(node):
            if field.name in _PLACES:
                continue
            value = getattr(node, field.name)
            for name, item in _flatten(field.name, value):
                if isinstance(item, Stmt | Declaration):
                    below.append((item, depth + 1, name))
                else:
                    inline.append(f"{name}={item}")
        label = f"{role}: " if role else ""
        left = "  " * depth + label + type(node).__name__ + ("".join(f" {part}" for part in inline))
        text = _source_line(node, source)
        shown = text if text != previous else ""
        previous = text
        yield f"{left:<{_LEFT}} | {shown}".rstrip()
        stack.extend(reversed(below))


def _flatten(name: str, value: object) -> Iterator[tuple[str, object]]:
    """The parts of a field: statements and declarations as they are, all else as text; empty fields are left out."""
    if value is None or value == () or value == "" or value is False or value == frozenset():
        return
    if isinstance(value, Stmt | Declaration):
        yield name, value
    elif isinstance(value, tuple) and any(isinstance(item, Stmt | Declaration) for item in value):
        for item in value:
            yield from _flatten("" if name == "body" else name, item)
    else:
        yield name, show(value)


def show(value: object) -> str:
    """An expression, a type or any other field as one line of text."""
    pieces: list[str] = []
    stack: list[object] = [value]
    while stack:
        item = stack.pop()
        if isinstance(item, _Raw):
            pieces.append(item.text)
        elif isinstance(item, Expr | TypeNode | Node):
            pieces.append(type(item).__name__ + "(")
            parts = [(f.name, getattr(item, f.name)) for f in fields(item) if f.name not in _PLACES]
            stack.append(_Raw(")"))
            _push(stack, [part for _, part in parts if part not in (None, (), "", frozenset()) and part is not False])
        elif isinstance(item, tuple):
            pieces.append("[")
            stack.append(_Raw("]"))
            _push(stack, list(item))
        elif isinstance(item, frozenset):
            pieces.append(" ".join(sorted(str(part) for part in item)))
        elif isinstance(item, Cause):
            pieces.append(f"<{item.kind.value}: {item.reason}>")
        else:
            pieces.append(getattr(item, "name", None) or str(item))
    return "".join(pieces)


class _Raw:
    """Punctuation on the stack of `show`."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text


def _push(stack: list[object], parts: list[object]) -> None:
    for index, part in enumerate(reversed(parts)):
        stack.append(part)
        if index < len(parts) - 1:
            stack.append(_Raw(", "))


def _source_line(node: Node, source: Callable[[FileId], bytes | None]) -> str:
    data = source(node.span.file)
    if data is None:
        return ""
    start = data.rfind(b"\n", 0, node.span.start) + 1
    end = data.find(b"\n", node.span.start)
    number = data.count(b"\n", 0, node.span.start) + 1
    return f"{number:4d} {data[start : end if end >= 0 else len(data)].decode('utf-8', 'replace').rstrip()}"


def _cause(cause: Cause, source: Callable[[FileId], bytes | None]) -> str:
    if cause.span is None:
        return cause.reason
    data = source(cause.span.file) or b""
    line = data.count(b"\n", 0, cause.span.start) + 1
    return f"{cause.span.file}:{line}: {cause.reason}"
