"""Swap thread axes: a kernel whose threadIdx.x runs down columns gets threadIdx.y there, and all launches in view get blocks and grids turned round.

    int row = blockIdx.x * 32 + threadIdx.x;            int row = blockIdx.y * 32 + threadIdx.y;
    int col = blockIdx.y * 8 + threadIdx.y;      ->     int col = blockIdx.x * 8 + threadIdx.x;
    k<<<grid, dim3(32, 8)>>>(a);                        k<<<dim3(grid.y, grid.x, grid.z), dim3(8, 32)>>>(a);

The same threads do the same under other places.  So it is refused where threads work together by their places: shared memory, warps.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from analysis_core.ir.nodes import Barrier, Kernel, Shuffle, Vote
from analysis_core.ir.types import Space
from analysis_core.ir.walk import statements_of
from analysis_core.report.checks.uncoalesced_access import CODE as UNCOALESCED
from analysis_core.report.findings.model import Edit
from analysis_core.rewrite.core import accesses as acc
from analysis_core.rewrite.core.action import Action, Choice, Refused, Rewritten, Site
from analysis_core.rewrite.core.host_launches import launches_of
from analysis_core.rewrite.core.source import bracketed, has_directive
from analysis_core.rewrite.core.threads import PLACES
from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.annotation_tree import LaunchAnnotation, Term
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.span import Span

_AXIS = re.compile(rb"\b(?:threadIdx|blockIdx|blockDim|gridDim)\s*\.\s*([xy])\b")
_OTHER = {"x": "y", "y": "x"}
_GROUPS = ("this_thread_block", "this_grid", "tiled_partition", "coalesced_threads", "this_cluster")


def _sites(unit: Unit, kernel: Kernel, declaration: syn.FunctionDecl) -> Iterator[Site]:
    for launch in unit.launches(kernel):
        events = unit.events(kernel, launch)
        for event in events.accesses:
            address = acc.affine(event, events.shape)
            if (
                event.space is Space.GLOBAL
                and isinstance(address, acc.Affine)
                and _is_turned(address, event.access.width)
            ):
                yield Site(kernel, declaration, event.access.span, f"`{kernel.name}`")
                return


def _is_turned(address: acc.Affine, width: int) -> bool:
    return bool(address.along(0)) and address.along(0) != {(): width} and address.steps_by(1, width)


def _rewrite(unit: Unit, site: Site, choice: Choice) -> Rewritten | Refused:
    for kernel in acc.instances(unit, site):
        if (reason := _together(kernel)) is not None:
            return Refused(reason)
    edits = [*_in_kernel(unit, site.declaration)]
    if (wrong := next((one for one in edits if isinstance(one, str)), None)) is not None:
        return Refused(wrong)
    turned = _launches(unit, site)
    if isinstance(turned, str):
        return Refused(turned)
    whole = [one for one in edits if isinstance(one, Edit)]
    return Rewritten(
        "Swap the axes of threads",
        (*whole, *turned),
        ("all launches are in view", "no launch has more than 65535 blocks along x or y"),
        proof="the same threads do the same under other places, and none of them works together with others by its place",
    )


def _together(kernel: Kernel) -> str | None:
    """How threads work together by their places; None if they do not."""
    if acc.not_analysed(kernel):
        return "a part of the kernel is not analysed"
    shared = next((o.name for o in kernel.objects if o.space is Space.SHARED), None)
    if shared is not None:
        return f"`{shared}` is indexed by both axes: threads work together by their places"
    for stmt in statements_of(kernel):
        if isinstance(stmt, Shuffle | Vote) or (isinstance(stmt, Barrier) and not stmt.scope.is_whole):
            return "lanes of a warp work together by their places"
    return None


# --- the kernel's text ------------------------------------------------------------------------------------------------


def _in_kernel(unit: Unit, declaration: syn.FunctionDecl) -> Iterator[Edit | str]:
    """The other axis wherever one of both is named; or why that is not all."""
    if has_directive(unit, declaration.span):
        yield "there are directives of the preprocessor in the kernel"
    members: set[int] = set()
    written: set[int] = set()
    for node in inside(declaration):
        if isinstance(node, syn.OpaqueExpr | syn.OpaqueStmt):
            yield "part of the kernel is not understood"
        if isinstance(node, syn.Member) and isinstance(node.base, syn.Name) and node.base.name in PLACES:
            members.add(id(node.base))
            if node.expansion is not None or node.name_span.file != unit.file:
                yield f"the macro `{node.expansion}` names the place of a thread"
            elif node.name in _OTHER:
                written.add(node.name_span.start)
                yield Edit(node.name_span, _OTHER[node.name])
    for node in inside(declaration):
        if isinstance(node, syn.Name) and node.name in PLACES and id(node) not in members:
            yield f"`{node.name}` is used as a whole in line {unit.line(node.span)}"
        if isinstance(node, syn.Name) and any(group in node.name for group in _GROUPS):
            yield f"`{node.name}` makes a group of threads by their places"
    if (name := _function_with_places(unit, declaration)) is not None:
        yield f"`{name}` is called, which names the place of a thread itself"
    for comment in unit.tree.annotations:
        if comment.span.file == unit.file and declaration.span.encloses(comment.span):
            yield from _in_comment(unit, comment.span)


def _function_with_places(unit: Unit, declaration: syn.FunctionDecl) -> str | None:
    """A function of the file that the kernel may reach, and that names the place of a thread."""
    functions: dict[str, list[syn.FunctionDecl]] = {}
    for one in unit.tree.declarations:
        for inner in inside(one):
            if isinstance(inner, syn.FunctionDecl) and inner is not declaration and inner.body is not None:
                functions.setdefault(inner.name, []).append(inner)
    pending, seen = [declaration], {declaration.name}
    while pending:
        for node in inside(pending.pop()):
            name = node.name if isinstance(node, syn.Name | syn.Member | syn.NamedType) else ""
            for called in functions.get(name, ()) if name not in seen else ():
                if any(isinstance(inner, syn.Name) and inner.name in PLACES for inner in inside(called)):
                    return name
                pending.append(called)
            seen.add(name)
    return None


def _in_comment(unit: Unit, span: Span) -> Iterator[Edit]:
    for found in _AXIS.finditer(unit.text, span.start, span.end):
        yield Edit(Span(unit.file, found.start(1), found.end(1)), _OTHER[found[1].decode()])


# --- launches ---------------------------------------------------------------------------------------------------------


def _launches(unit: Unit, site: Site) -> list[Edit] | str:
    """The edits of all launches in view and of annotations that state one; or why one cannot be edited."""
    launches = launches_of(unit, acc.instances(unit, site), site.declaration)
    if isinstance(launches, str):
        return launches
    edits: list[Edit] = []
    for launch in launches:
        for given in launch.call.config[:2]:
            turned = _turned(unit, given, launch.types)
            if isinstance(turned, str):
                return turned
            edits += turned
    before = [
        o.span.end
        for o in unit.tree.declarations
        if o.span.file == unit.file and o.span.end <= site.declaration.span.start
    ]
    start = max(before, default=0)
    stated = False
    for comment in unit.tree.annotations:
        if comment.span.file != unit.file or not start <= comment.span.start < site.declaration.span.end:
            continue
        if not site.declaration.span.encloses(comment.span):
            edits += _in_comment(unit, comment.span)
        if isinstance(comment.said, LaunchAnnotation):
            stated = True
            for terms in (comment.said.block, comment.said.grid):
                if terms:
                    edits += _turned_terms(unit, terms)
    return edits if launches or stated else "no launch of it is in view"


def _turned(unit: Unit, given: syn.Expr, types: dict[str, str]) -> list[Edit] | str:
    """A grid or a block with its first two extents exchanged."""
    if given.expansion is not None or given.span.file != unit.file:
        return f"a macro gives the shape of a launch in line {unit.line(given.span)}"
    text = unit.spelled(given.span)
    match given:
        case syn.Construct(args=args) | syn.InitList(items=args) if len(args) >= 2:
            return _exchanged(unit, args[0].span, args[1].span)
        case syn.Call(callee=syn.Name(name="dim3"), args=args) if len(args) >= 2:
            return _exchanged(unit, args[0].span, args[1].span)
        case syn.Cast(style="functional", type=syn.NamedType(name="dim3"), operand=operand):
            return [Edit(operand.span, f"1, {unit.spelled(operand.span)}")]
        case syn.Name(name=name) if types.get(name) == "dim3":
            return [Edit(given.span, f"dim3({text}.y, {text}.x, {text}.z)")]
        case syn.Name(name=name) if name not in types:
            return f"`{name}` gives the shape of a launch in line {unit.line(given.span)}, and is not known"
        case _ if any(isinstance(one, syn.Call | syn.OpaqueExpr | syn.Conditional) for one in inside(given)):
            return f"the shape of the launch in line {unit.line(given.span)} is not understood"
        case _ if any(isinstance(one, syn.Name) and types.get(one.name, "") not in _WHOLE for one in inside(given)):
            return f"the shape of the launch in line {unit.line(given.span)} is not understood"
        case _:
            return [Edit(given.span, f"dim3(1, {bracketed(unit, given) if ',' in text else text})")]


_WHOLE = frozenset(
    {"int", "unsigned", "unsigned int", "size_t", "long", "unsigned long", "short", "uint32_t", "int32_t", "const"}
)


def _turned_terms(unit: Unit, terms: tuple[Term, ...]) -> list[Edit]:
    if len(terms) >= 2:
        return _exchanged(unit, terms[0].span, terms[1].span)
    text, span = unit.spelled(terms[0].span), terms[0].span
    around = unit.text[: span.start].rstrip().endswith(b"(") and unit.text[span.end :].lstrip().startswith(b")")
    return [Edit(span, f"1, {text}" if around else f"(1, {text})")]


def _exchanged(unit: Unit, one: Span, other: Span) -> list[Edit]:
    return [Edit(one, unit.spelled(other)), Edit(other, unit.spelled(one))]


ACTION = Action("swap-axes", "Swap the axes of threads", frozenset({UNCOALESCED}), _sites, _rewrite)
