"""Own rewrites of a kernel's text, as strategies beside its macros.

    launch-bounds        `__launch_bounds__(threads)` before the name: the compiler keeps to the registers that a block of so many threads can have, and spills the rest
    subexpressions       an index that is written twice, `row * n + col`, is computed once: `const auto once_0 = row * n + col;`

Both are edits inside of the kernel, so that places before it stay what they were.  An index is a sum or product of whole numbers that nothing assigns but their
declaration, threadIdx and the like, and parameters; it is computed before the statement that holds its first use, in the innermost block that holds all of them, where
all of its names are declared.  Sums and products of whole numbers do nothing else, so that what the kernel does stays the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from analysis_core.report.findings.model import Edit
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside, measure
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

LAUNCH_BOUNDS, SUBEXPRESSIONS = "launch-bounds", "subexpressions"
REWRITES = (SUBEXPRESSIONS, LAUNCH_BOUNDS)
"""In the order in which they are applied."""

_WHOLE = re.compile(
    r"(?:const |volatile )?(?:(?:un)?signed |long |short )*(?:int|unsigned|long|size_t|u?int(?:32|64)_t)"
)
_BUILTIN = frozenset({"threadIdx", "blockIdx", "blockDim", "gridDim"})
_MOST = 4


def launch_bounds(kernel: syn.FunctionDecl, threads: str) -> Edit:
    """`threads`: of a block, as C++."""
    start = kernel.name_span.start
    return Edit(Span(kernel.name_span.file, start, start), f"__launch_bounds__({threads}) ")


def subexpressions(kernel: syn.FunctionDecl, text: bytes, numbers: frozenset[str]) -> tuple[Edit, ...]:
    """Edits that compute each index once.  `numbers`: names of parameters of the text."""
    found = () if kernel.body is None else _once(kernel, kernel.body, text, numbers)
    return tuple(sorted(found, key=lambda one: one.span.start))


@dataclass(frozen=True, slots=True)
class _Uses:
    """The same index at several places."""

    words: str
    nodes: tuple[syn.Expr, ...]


def _once(kernel: syn.FunctionDecl, body: syn.Compound, text: bytes, numbers: frozenset[str]) -> Iterator[Edit]:
    assigned = measure(body).assigned
    declared = [n for n in inside(body) if isinstance(n, syn.VarDecl)]
    names = [v.name for v in declared] + [p.name for p in kernel.parameters]
    settled = {
        v.name: v.span.end for v in declared if _is_whole(v.type) and v.init is not None and v.name not in assigned
    }
    settled |= {
        p.name: body.span.start for p in kernel.parameters if p.name and _is_whole(p.type) and p.name not in assigned
    }
    settled = {name: end for name, end in settled.items() if names.count(name) == 1}
    taken: list[Span] = []
    for number, uses in enumerate(_repeated(body, text, set(settled) | numbers)[:_MOST]):
        nodes = [
            node
            for node in uses.nodes
            if not any(one.start < node.span.end and node.span.start < one.end for one in taken)
        ]
        place = _place(body, nodes) if len(nodes) > 1 else None
        used = {n.name for n in inside(nodes[0]) if isinstance(n, syn.Name)} if nodes else set()
        if place is None or any(settled.get(name, 0) > place.start for name in used):
            continue
        taken += [node.span for node in nodes]
        spelled = text[nodes[0].span.start : nodes[0].span.end].decode("utf-8", "replace")
        if f"once_{number}" in names or spelled.count("(") != spelled.count(")"):
            continue
        yield Edit(Span(place.file, place.start, place.start), f"const auto once_{number} = {spelled}; ")
        yield from (Edit(node.span, f"once_{number}") for node in nodes)


def _is_whole(type_: syn.TypeNode) -> bool:
    return isinstance(type_, syn.NamedType) and _WHOLE.fullmatch(type_.name) is not None


def _repeated(body: syn.Compound, text: bytes, known: set[str]) -> list[_Uses]:
    """Indices that are written more than once, the longest first; at least two operators, of whole numbers."""
    found: dict[str, list[syn.Expr]] = {}
    for node in inside(body, lambdas=False):
        if isinstance(node, syn.Binary) and _is_index(node, known):
            words = b"".join(text[node.span.start : node.span.end].split()).decode("utf-8", "replace")
            if sum(sign in "+-*" for sign in words) >= 2:
                found.setdefault(words, []).append(node)
    several = [_Uses(words, tuple(nodes)) for words, nodes in found.items() if len(nodes) > 1]
    return sorted(several, key=lambda one: -len(one.words))


def _is_index(node: syn.Expr, known: set[str]) -> bool:
    if node.expansion is not None:
        return False
    match node:
        case syn.Binary(op="+" | "-" | "*", left=left, right=right):
            return _is_index(left, known) and _is_index(right, known)
        case syn.Name(name=name, template_args=None):
            return name in known
        case syn.Literal(kind=syn.LiteralKind.INT):
            return True
        case syn.Member(base=syn.Name(name=name), arrow=False):
            return name in _BUILTIN
        case _:
            return False


def _place(body: syn.Compound, nodes: Sequence[syn.Expr]) -> Span | None:
    """The statement that holds the first of them, in the innermost block that holds all."""
    start, end = min(n.span.start for n in nodes), max(n.span.end for n in nodes)
    around = [n for n in inside(body) if isinstance(n, syn.Compound) and n.span.start <= start and end <= n.span.end]
    block = min(around, key=lambda one: one.span.end - one.span.start, default=None)
    if block is None or any(isinstance(stmt, syn.CaseLabel) for stmt in block.body):
        return None
    first = next((stmt for stmt in block.body if stmt.span.start <= start < stmt.span.end), None)
    return None if first is None or first.expansion is not None else first.span
