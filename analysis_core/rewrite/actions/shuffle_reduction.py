"""Shuffles in place of a tree in shared memory: a warp adds up in registers, and one warp what the warps have found.

    s[t] = x;                                              int value = x;
    for (int k = 128; k > 0; k >>= 1) {                    value += __shfl_down_sync(0xffffffffu, value, 16);  ..  1
        __syncthreads();                                   if (t % 32 == 0) s[t / 32] = value;
        if (t < k) s[t] += s[t + k];                       __syncthreads();
    }                                                      if (t < 32) { value = s[t % 8];  ..  4 .. 1 }
    if (t == 0) out[0] = s[0];                             if (t == 0) out[0] = value;

One barrier is left of one for each round.  What lanes from the eighth on hold in the last warp reaches no lane that the first one asks.  The order of
the operations is another one (core/reductions.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from analysis_core.domains.shape import WARP, every
from analysis_core.interp.core.events import AccessEvent, AccessKind, Events
from analysis_core.ir import nodes as ir
from analysis_core.ir.types import ScalarKind
from analysis_core.report.findings.model import Edit
from analysis_core.rewrite.core.action import Action, Choice, Refused, Rewritten, Site
from analysis_core.rewrite.core.reductions import (
    Reduction,
    Spelled,
    Update,
    of_all,
    offsets,
    reduction_sites,
    reductions,
    spelled,
)
from analysis_core.rewrite.core.source import foreign, fresh, indent_of, step_of
from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.tree import FunctionDecl
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_ALL = "0xffffffffu"


@dataclass(frozen=True, slots=True)
class _Places:
    """The text around the loop.  `declared`: the array; `stored`: the statement by which each thread stores its own element; `read`: where the result is
    read; `function`: the body that holds all of it."""

    declared: syn.VarDecl
    stored: syn.ExprStmt
    read: tuple[syn.Subscript, ...]
    function: syn.Compound


def _rewrite(unit: Unit, site: Site, choice: Choice) -> Rewritten | Refused:
    found = reductions(unit, site.span, choice)
    if isinstance(found, Refused):
        return found
    kernel, reduction = next((pair for pair in found if pair[0] is site.kernel), found[0])
    if len({one.cells for _, one in found}) > 1:
        return Refused("the kernels that execute it have different numbers of cells")
    if len(reduction.updates) > 1:
        return Refused("it reduces several arrays")
    for each, one in found:
        for launch in unit.launches(each):
            reason = _whole_block(unit.events(each, launch), launch.block[0], one)
            if reason is not None:
                return Refused(reason)
    text = spelled(unit, kernel, reduction)
    if isinstance(text, Refused):
        return text
    update = reduction.updates[0]
    places = _places(unit, text.loop, update)
    if isinstance(places, str):
        return Refused(places)
    return replace(_rewritten(unit, reduction, text, update, places), comparison=of_all(found))


def _whole_block(events: Events, threads: int, reduction: Reduction) -> str | None:
    """Why not each thread of a block of whole warps stores its own element, or another one than the first reads the result; None if it is so."""
    update, cells = reduction.updates[0], reduction.cells
    name, size = update.array.name, update.type.size
    if cells < 2 * WARP or cells != threads:
        return f"{cells} elements are added up by {threads} threads, which are not as many, in two warps or more"
    if size not in (4, 8):
        return f"the elements of `{name}` have {size} bytes, which no shuffle moves"
    test = next(one for one in reduction.loop.body if isinstance(one, ir.If))
    if any(not every(event.mask.must[:threads]) for event in events.branches if event.span == test.span):
        return "it is not known that all threads of a block come to every round"
    own = {one.access.id for one in (update.cell, update.other, update.store)}
    before: list[AccessEvent] = []
    behind: list[AccessEvent] = []
    seen = False
    for event in events.accesses:
        if event.access.id in own:
            seen = True
        elif event.base == name:
            (behind if seen else before).append(event)
    stored = len(before) == 1 and before[0].kind is AccessKind.WRITE and before[0].access.width == size
    if not stored or offsets(before[0]) != [(t, size * t) for t in range(threads)]:
        return f"it is not known that each thread stores its own element of `{name}` before, and nothing else is done with it"
    for event in behind:
        if event.mask.may.nonzero()[0].tolist() not in ([], [0]):
            return f"`{event.access.text}` is read by other threads than the first"
    return None


def _places(unit: Unit, loop: syn.For, update: Update) -> _Places | str:
    name = update.array.name
    function = next((f for f in _bodies(unit) if f.span.encloses(loop.span)), None)
    block = (
        next((b for b in inside(function) if isinstance(b, syn.Compound) and any(s is loop for s in b.body)), None)
        if function
        else None
    )
    if function is None or block is None:
        return "the loop does not stand in a block"
    declared = [one for one in inside(function) if isinstance(one, syn.VarDecl) and one.name == name]
    if len(declared) != 1 or not isinstance(declared[0].type, syn.ArrayOf) or "__shared__" not in declared[0].storage:
        return f"`{name}` is not declared in this function alone, with a size"
    number = next(n for n, s in enumerate(block.body) if s is loop)
    stored = [s for s in block.body[:number] if isinstance(s, syn.ExprStmt) and _stores(s, name)]
    if len(stored) != 1:
        return f"the statement that stores to `{name}` does not stand before the loop in the same block"
    read = [
        s
        for stmt in block.body[number + 1 :]
        for s in inside(stmt)
        if isinstance(s, syn.Subscript) and isinstance(s.base, syn.Name) and s.base.name == name
    ]
    uses = [
        n for n in inside(function) if isinstance(n, syn.Name) and n.name == name and not loop.span.encloses(n.span)
    ]
    known = [s.base.span for s in read] + [stored[0].span]
    if any(not any(span.encloses(n.span) for span in known) for n in uses):
        return f"`{name}` is used otherwise"
    if not read:
        return f"nobody reads the result in `{name}` behind the loop in the same block"
    for one in (stored[0], *read):
        if reason := foreign(unit, one):
            return reason
    assert isinstance(stored[0].expr, syn.Assign)
    if any(isinstance(n, syn.Name) and n.name == name for n in inside(stored[0].expr.value)):
        return f"`{name}` is read before the loop"
    if loop.unroll is not None or loop.macro:
        return "a pragma says how to unroll it"
    return _Places(declared[0], stored[0], tuple(read), function)


def _bodies(unit: Unit) -> Iterator[syn.Compound]:
    for one in unit.tree.declarations:
        if isinstance(one, FunctionDecl) and one.body is not None and one.span.file == unit.file:
            yield one.body


def _stores(stmt: syn.ExprStmt, name: str) -> bool:
    match stmt.expr:
        case syn.Assign(op="=", target=syn.Subscript(base=syn.Name(name=found))):
            return found == name
        case _:
            return False


def _rewritten(unit: Unit, reduction: Reduction, text: Spelled, update: Update, places: _Places) -> Rewritten:
    name, thread = update.array.name, text.thread
    value = fresh(unit, "value")
    eol = "\r\n" if b"\r\n" in unit.text else "\n"
    outer, step = indent_of(unit, text.loop.span), step_of(unit, places.function)
    first = unit.text.rfind(b"\n", 0, text.loop.span.start) + 1
    if unit.text[first : text.loop.span.start].strip():
        outer += step
    warps = reduction.cells // WARP
    lines = [
        *_shuffles(update, value, WARP),
        f"if ({thread} % {WARP} == 0) {name}[{thread} / {WARP}] = {value};",
        "__syncthreads();",
        f"if ({thread} < {WARP}) {{",
        f"{step}{value} = {name}[{thread} % {warps}];",
        *(step + line for line in _shuffles(update, value, warps)),
        "}",
    ]
    comments = "".join(f"{line}{eol}{outer}" for line in _comments(unit, text.loop.span))
    assert isinstance(places.stored.expr, syn.Assign)
    given = unit.spelled(places.stored.expr.value.span)
    edits = [
        Edit(text.loop.span, comments + (eol + outer).join(lines)),
        Edit(places.stored.span, f"{update.type.name} {value} = {given};"),
        *(Edit(one.span, value) for one in places.read),
    ]
    if (extent := _extent(unit, places.declared)) is not None:
        edits.append(Edit(extent, str(warps)))
    floats = update.type.kind is ScalarKind.FLOAT
    return Rewritten(
        "Reduce by shuffles within warps" + (", which changes rounding" if floats else ""),
        tuple(edits),
        (f"each thread of whole warps has one element of `{name}`", "only the first thread reads the result"),
        "" if floats else f"the result takes up all elements once, and {update.done} may be done in any order",
        floats,
    )


def _shuffles(update: Update, value: str, lanes: int) -> Iterator[str]:
    distance = lanes // 2
    while distance:
        other = f"__shfl_down_sync({_ALL}, {value}, {distance})"
        if update.operation in ("min", "max"):
            yield f"{value} = {update.operation}({value}, {other});"
        else:
            yield f"{value} {update.operation}= {other};"
        distance //= 2


def _extent(unit: Unit, declared: syn.VarDecl) -> Span | None:
    """The number of elements, where the array has one extent that is spelled there."""
    match declared.type:
        case syn.ArrayOf(extent=syn.Literal() as extent) if extent.expansion is None and not isinstance(
            declared.type.element, syn.ArrayOf
        ):
            return extent.span
        case _:
            return None


def _comments(unit: Unit, span: Span) -> list[str]:
    return [one.strip() for one in re.findall(r"//[^\r\n]*|/\*.*?\*/", unit.spelled(span), re.DOTALL)]


ACTION = Action(
    "shuffle-reduction",
    "let warps add up in registers, by shuffles",
    frozenset(),
    reduction_sites,
    _rewrite,
)
