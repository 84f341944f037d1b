"""Statements of a generated kernel: marked lines, and blocks of them.  A tree, so that a failing kernel can be made smaller."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tests.compiled.marks import Dialects


@dataclass(frozen=True, slots=True)
class Line:
    """A statement of one line."""

    text: str


@dataclass(frozen=True, slots=True)
class Block:
    """`head` { `body` } `tail`.  `kind`: plain, if, else, loop (for, while), do, switch, case, function, operator, record, kernel."""

    kind: str
    head: str
    body: tuple[Node, ...]
    tail: str = ""


Node = Line | Block


def write(nodes: Sequence[Node], out: Dialects, depth: int = 0) -> None:
    """Both texts of some statements."""
    for node in nodes:
        out.write("  " * depth)
        if isinstance(node, Line):
            out.write(node.text)
        else:
            _block(node, out, depth)
        out.write("\n")


def _block(node: Block, out: Dialects, depth: int) -> None:
    number: int | None = None
    if node.kind in ("loop", "do"):
        number = out.reserve()
        out.cpp_only(f"{{ wc::Loop loop_({number}, {int(node.kind == 'do')}); ")
    elif node.kind == "switch":
        number = out.reserve()
        out.cpp_only(f"{{ wc::Switch switch_({number}); ")
    out.write(f"{node.head} {{", number)
    if node.kind == "function":
        out.cpp_only(" wc::Frame frame_(site_);")
    elif node.kind == "operator":
        out.cpp_only(" wc::Frame frame_(__builtin_return_address(0));")
    elif node.kind == "case":
        arm = node.head.removeprefix("case").rstrip(":").strip()
        out.cpp_only(f" switch_.land({-2 if arm.startswith('default') else arm});")
    out.write("\n")
    write(node.body, out, depth + 1)
    out.write("  " * depth + "}" + node.tail, number)
    if number is not None:
        out.cpp_only(" }")


def smaller(nodes: tuple[Node, ...]) -> Iterator[tuple[Node, ...]]:
    """The same statements with one left out, or with one block's statements in its place."""
    for i, node in enumerate(nodes):
        before, after = nodes[:i], nodes[i + 1 :]
        if isinstance(node, Block) and node.kind in ("kernel", "record"):
            yield from ((*before, replace(node, body=body), *after) for body in smaller(node.body))
            continue
        yield before + after
        if isinstance(node, Block):
            if node.kind != "function":
                yield (*before, *node.body, *after)
            yield from ((*before, replace(node, body=body), *after) for body in smaller(node.body))
