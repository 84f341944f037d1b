"""Transpose through a tile: a store (or a load) that goes down a column is done by the thread's mirror image in the block, along a row.

    out[x * n + y] = in[y * n + x];    ->    tile[threadIdx.y][threadIdx.x] = in[y * n + x];
                                             __syncthreads();
                                             out[x_t * n + y_t] = tile[threadIdx.x][threadIdx.y];

where x_t and y_t are what x and y are with threadIdx.x and threadIdx.y exchanged.  In a square block that is a permutation of its threads: each
store is done once, with the value that its own thread computed.  Guards (`if (x < w && y < h)`, `if (x >= w) return;`) are asked on both sides of the
barrier, which all threads reach.  Source: the transpose of NVIDIA's best practices guide.
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis_core.ir.nodes import Kernel
from analysis_core.ir.types import ScalarType
from analysis_core.report.checks.uncoalesced_access import CODE as UNCOALESCED
from analysis_core.report.findings.model import Edit
from analysis_core.rewrite.core import accesses as acc
from analysis_core.rewrite.core.action import Action, Choice, Refused, Rewritten, Site
from analysis_core.rewrite.core.guards import Guarded, guarded_statements, made_elsewhere
from analysis_core.rewrite.core.source import addressed, element_of, eol_of, fresh, indent_of, is_conditional, replaced
from analysis_core.rewrite.core.threads import Locals
from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_MIRRORED = {"threadIdx.x": "threadIdx.y", "threadIdx.y": "threadIdx.x"}
_WRITTEN, _READ = "[threadIdx.y][threadIdx.x]", "[threadIdx.x][threadIdx.y]"


@dataclass(frozen=True, slots=True)
class _Column:
    """An access down a column: `store` or a load of the assignment; `array`: the name of the pointer."""

    guarded: Guarded
    place: syn.Subscript
    array: str
    store: bool


def _sites(unit: Unit, kernel: Kernel, declaration: syn.FunctionDecl) -> Iterator[Site]:
    columns = set(_columns(unit, kernel))
    for column in _candidates(declaration):
        if column.place.span in columns:
            yield Site(kernel, declaration, column.place.span, f"`{unit.spelled(column.place.span)}`", column.place)


def _candidates(declaration: syn.FunctionDecl) -> Iterator[_Column]:
    """Subscripts of pointers in assignments, the target first."""
    for guarded in guarded_statements(declaration):
        assigned = guarded.statement.expr
        if not isinstance(assigned, syn.Assign):
            continue
        for node in inside(assigned):
            if isinstance(node, syn.Subscript) and isinstance(node.base, syn.Name):
                yield _Column(guarded, node, node.base.name, node is assigned.target)


def _columns(unit: Unit, kernel: Kernel) -> Iterator[Span]:
    """Accesses whose neighbours lie along threadIdx.y, not along threadIdx.x."""
    for launch in unit.launches(kernel):
        events = unit.events(kernel, launch)
        for event in events.accesses:
            address = acc.affine(event, events.shape)
            if isinstance(address, acc.Affine) and _is_column(address, event.access.width):
                yield event.access.span


def _is_column(address: acc.Affine, width: int) -> bool:
    along = address.along(0)
    return bool(along) and along != {(): width} and address.steps_by(1, width)


def _rewrite(unit: Unit, site: Site, choice: Choice) -> Rewritten | Refused:
    column = next((one for one in _candidates(site.declaration) if one.place is site.node), None)
    if column is None:
        return Refused("it is no plain assignment of the kernel's own body")
    if column.place.span in addressed(site.declaration):
        return Refused("its address is asked for")
    kernels = acc.instances(unit, site)
    block = acc.known_block(unit, kernels)
    if isinstance(block, Refused):
        return block
    if block[0] != block[1] or block[2] != 1 or block[0] < 2:
        return Refused(f"the block is not square ({'x'.join(map(str, block))})")
    for kernel in kernels:
        if (reason := _refusal(unit, kernel, column)) is not None:
            return Refused(reason)
    width = _width(unit, kernels[0], column)
    pitch = acc.best_pitch(block, block[0], width, ((1, 0), (0, 1)))
    if (reason := acc.too_much_shared(kernels, block[0] * pitch * width)) is not None:
        return Refused(reason)
    return _edited(unit, site, column, block[0], pitch)


def _width(unit: Unit, kernel: Kernel, column: _Column) -> int:
    return max(
        e.access.width
        for launch in unit.launches(kernel)
        for e in acc.at(unit.events(kernel, launch), column.place.span)
    )


def _refusal(unit: Unit, kernel: Kernel, column: _Column) -> str | None:
    """What the analysis has against it in one instantiation."""
    if acc.not_analysed(kernel):
        return "a part of the kernel is not analysed"
    for launch in unit.launches(kernel):
        events = unit.events(kernel, launch)
        own = acc.at(events, column.place.span)
        if not own:
            return "it is never executed"
        for event in own:
            address = acc.affine(event, events.shape)
            if isinstance(address, str):
                return address
            if not _is_column(address, event.access.width):
                return "it does not go down a column"
            if event.access.volatile:
                return "it is volatile"
            if event.base != column.array or not isinstance(event.access.type, ScalarType):
                return f"`{column.array}` is no array of plain numbers that is passed to the kernel"
        for other in acc.others(events, column.array, {column.place.span}):
            if column.store or acc.is_written(other):
                line = unit.line(other.access.span)
                return f"`{column.array}` is also {'written' if acc.is_written(other) else 'read'} in line {line}"
    return None


def _edited(unit: Unit, site: Site, column: _Column, extent: int, pitch: int) -> Rewritten | Refused:
    guarded, place = column.guarded, column.place
    assigned = guarded.statement.expr
    assert isinstance(assigned, syn.Assign)
    if (reason := made_elsewhere(unit, guarded.whole, (place,)) or guarded.refusal(unit)) is not None:
        return Refused(reason)
    if assigned.op != "=":
        return Refused(f"`{assigned.op}` reads what it changes")
    if not column.store and is_conditional(assigned, place):
        return Refused("it is loaded under a condition within the expression")
    element = element_of(site.declaration, column.array)
    if element is None:
        return Refused(f"`{column.array}` is no array that is passed to the kernel")
    variables = Locals(unit, site.declaration)
    again = guarded.whole.span if guarded.whole is not guarded.statement else None
    if (reason := variables.refusal(place.base)) is not None:
        return Refused(reason)
    made = variables.copied((*guarded.conditions, place.index), _MIRRORED, again)
    if isinstance(made, Refused):
        return made
    tile = fresh(unit, "tile")
    *conditions, index = made.texts
    mirrored = replaced(unit, place, {place.index.span: index})
    indent, eol = indent_of(unit, guarded.whole.span), eol_of(unit)
    condition = guarded.joined(tuple(conditions))
    if column.store:
        moved, first = f"{mirrored} = {tile}{_READ};", Edit(place.span, f"{tile}{_WRITTEN}")
    else:
        moved, first = f"{tile}{_WRITTEN} = {mirrored};", Edit(place.span, f"{tile}{_READ}")
    lines = [*made.lines, f"if ({condition}) {moved}" if condition else moved]
    declared = f"__shared__ {element} {tile}[{extent}][{pitch}];"
    barrier = "__syncthreads();"
    before = [declared] if column.store else [declared, *lines, barrier]
    after = [barrier, *lines] if column.store else []
    edits = [first, *guarded.without_returns(unit)]
    edits.append(
        Edit(
            _point(guarded.whole.span, False), "".join(f"{line}{eol}{indent}" for line in before) + guarded.asked(unit)
        )
    )
    if after:
        edits.append(Edit(_point(guarded.whole.span, True), "".join(f"{eol}{indent}{line}" for line in after)))
    return Rewritten(
        "Transpose through a tile",
        tuple(edits),
        (
            f"all launches in view have blocks of {extent}x{extent} threads",
            f"`{column.array}` overlaps no other array",
        ),
        proof="in a square block each thread does once what its mirror image did",
    )


def _point(span: Span, end: bool) -> Span:
    at = span.end if end else span.start
    return Span(span.file, at, at)


ACTION = Action(
    "transpose-tile",
    "Transpose through a tile in shared memory",
    frozenset({UNCOALESCED}),
    _sites,
    _rewrite,
)
