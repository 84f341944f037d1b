"""The text of work that is done to several neighbouring elements in place of one: statements once for each part of a vector.

out[i] = in[i] * 2.0f;     ->     float4 in4 = ((const float4 *)in)[i];  ..  in4.x * 2.0f ..
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from analysis_core.ir.types import ScalarKind, ScalarType
from analysis_core.rewrite.core.source import comments_in, fresh, indent_of
from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_LONGEST = 120
"""Characters of a line."""

_PARTS = "xyzw"
_COMMENT = re.compile(r"[ \t]*(?://[^\r\n]*|/\*.*?\*/)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Array:
    """`read`: its elements are loaded before they are stored to; `stored`: they are stored to."""

    name: str
    type: ScalarType
    const: bool
    read: bool
    stored: bool


@dataclass(frozen=True, slots=True)
class Guard:
    """`if (i < n)` around the work, or `if (i >= n) return;` before it.  `limit`: n as spelled; `number`: its place among the parameters, None if it is
    a constant; `whole`: it is known to be a multiple of the elements that are moved at a time."""

    test: syn.If
    limit: str
    number: tuple[str, int] | None
    whole: bool


@dataclass(frozen=True, slots=True)
class Work:
    """What a thread does to its element.  `index`: the declaration of the element's number, `number`: its type; `nodes`: the statements; `replaced`:
    where the result stands."""

    index: syn.VarDecl
    number: str
    guard: Guard | None
    nodes: tuple[syn.Stmt, ...]
    arrays: tuple[Array, ...]
    replaced: Span


def vector_type(type_: ScalarType, factor: int) -> str:
    if type_.kind is ScalarKind.FLOAT:
        return ("float" if type_.size == 4 else "double") + str(factor)
    return ("" if type_.signed else "u") + {1: "char", 2: "short", 4: "int", 8: "longlong"}[type_.size] + str(factor)


def vector_text(unit: Unit, work: Work, factor: int, step: str) -> str:
    """`step`: what a level is indented by."""
    eol = "\r\n" if b"\r\n" in unit.text else "\n"
    outer, text = _written(unit, work, factor, step, eol)
    lost = [one for one in comments_in(unit.spelled(work.replaced)) if one not in text]
    return "".join(f"{one}{eol}{outer}" for one in dict.fromkeys(lost)) + text


def _written(unit: Unit, work: Work, factor: int, step: str, eol: str) -> tuple[str, str]:
    """The indentation of the text, and the text without the comments that have no place in it."""
    outer = indent_of(unit, work.replaced)
    first = unit.text.rfind(b"\n", 0, work.replaced.start) + 1
    if unit.text[first : work.replaced.start].strip():
        outer += step
    index = work.index.name
    names = {one.name: fresh(unit, f"{one.name}{factor}") for one in work.arrays}
    inner = outer + step if work.guard is not None else outer
    lines = []
    for one in work.arrays:
        vector = vector_type(one.type, factor)
        const = "const " if one.const else ""
        start = f" = (({const}{vector} *){one.name})[{index}]" if one.read else ""
        lines.append(f"{vector} {names[one.name]}{start};")
    was = indent_of(unit, work.nodes[0].span)
    block = len(work.nodes) > 1 or any(isinstance(one, syn.DeclStmt) for one in work.nodes)
    each_lane = [_lane(unit, work, names, factor, lane) for lane in range(factor)]
    single = _single(work, names)
    if single is not None:
        array, value = single
        parts = [
            replaced_nodes(unit, (value,), {s: t for s, t in by.items() if value.span.encloses(s)}) for by in each_lane
        ]
        vector = vector_type(array.type, factor)
        lines = [line for line in lines if not line.endswith(f" {names[array.name]};")]
        made = f"(({vector} *){array.name})[{index}] = make_{vector}(%s);"
        joined_parts = ", ".join(map(_without_comments, parts))
        if len(inner) + len(made) + len(joined_parts) > _LONGEST:
            joined_parts = eol + inner + step + f",{eol}{inner}{step}".join(map(_without_comments, parts))
        lines.append(made % joined_parts)
    else:
        for lane, by in enumerate(each_lane):
            text = replaced_nodes(unit, work.nodes, by)
            lines.append(_braced(text if lane == 0 else _without_comments(text), block, was, inner, step, eol))
        lines += [
            f"(({vector_type(one.type, factor)} *){one.name})[{index}] = {names[one.name]};"
            for one in work.arrays
            if one.stored
        ]
    joined = (eol + inner).join(lines)
    if work.guard is None:
        return outer, joined
    limit = work.guard.limit
    text = f"if ({index} < {limit} / {factor}) {{{eol}{inner}{joined}{eol}{outer}}}"
    if work.guard.whole:
        return outer, text
    each = fresh(unit, "e")
    uses = {n.span: each for stmt in work.nodes for n in inside(stmt) if isinstance(n, syn.Name) and n.name == index}
    rest = _braced(_without_comments(replaced_nodes(unit, work.nodes, uses)), block, was, inner, step, eol)
    return outer, (
        f"{text} else if ({index} == {limit} / {factor}) {{{eol}"
        f"{inner}for ({work.number} {each} = {limit} - {limit} % {factor}; {each} < {limit}; {each}++) {rest}{eol}{outer}}}"
    )


def _lane(unit: Unit, work: Work, names: Mapping[str, str], factor: int, lane: int) -> dict[Span, str]:
    """What stands in the place of the elements and of their number, for one of the elements of a vector."""
    index = work.index.name
    by: dict[Span, str] = {}
    for stmt in work.nodes:
        taken = list(elements_of(stmt, index, work.arrays))
        for element in taken:
            assert isinstance(element.base, syn.Name)
            by[element.span] = f"{names[element.base.name]}.{_PARTS[lane]}"
        for name in inside(stmt):
            if isinstance(name, syn.Name) and name.name == index and not any(e.span.encloses(name.span) for e in taken):
                by[name.span] = f"({factor} * {index} + {lane})" if lane else f"({factor} * {index})"
    return by


def _single(work: Work, names: Mapping[str, str]) -> tuple[Array, syn.Expr] | None:
    """The array and the value of the work, where it is one assignment, without comments that would be lost."""
    match work.nodes:
        case (syn.ExprStmt(expr=syn.Assign(op="=", target=syn.Subscript(base=syn.Name(name=name)), value=value)),):
            if any(isinstance(one, syn.Assign | syn.IncDec) for one in inside(value)) or name not in names:
                return None
            return next(one for one in work.arrays if one.name == name), value
        case _:
            return None


def replaced_nodes(unit: Unit, nodes: Sequence[syn.Node], by: Mapping[Span, str]) -> str:
    """The text of statements in a row, with other text for spans in it."""
    text, end = "", nodes[0].span.start
    for span in sorted(by):
        text += unit.spelled(Span(unit.file, end, span.start)) + by[span]
        end = span.end
    return text + unit.spelled(Span(unit.file, end, nodes[-1].span.end))


def _without_comments(text: str) -> str:
    return text if '"' in text else _COMMENT.sub("", text)


def _braced(text: str, block: bool, was: str, indent: str, step: str, eol: str) -> str:
    """Statements in braces if they are a block, a level deeper than `indent`.  `was`: how they were indented."""
    if not block:
        return text
    if eol in text or "//" in text:
        inner = indent + step
        lines = [inner + line.removeprefix(was) if line.strip() else line for line in text.split(eol)]
        return f"{{{eol}{eol.join(lines)}{eol}{indent}}}"
    return f"{{ {text} }}"


def elements_of(stmt: syn.Node, index: str, arrays: Sequence[Array]) -> Iterator[syn.Subscript]:
    names = {one.name for one in arrays}
    for one in inside(stmt):
        if (
            isinstance(one, syn.Subscript)
            and isinstance(one.base, syn.Name)
            and one.base.name in names
            and isinstance(one.index, syn.Name)
            and one.index.name == index
        ):
            yield one
