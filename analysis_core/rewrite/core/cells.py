"""Cells of memory that a loop comes back to in every round: which they are, and whether they may be kept in registers while it runs.

A place (`a[t]`) may be kept if its address is the same in all rounds, one access to it is made in the first round for certain, and nobody else comes
to the cell meanwhile: no other access of the loop leads into the array, unless all of them only read; and of other threads either nobody
writes the array in the whole kernel, or there is neither a race nor a barrier in the loop.  Arrays of different names do not overlap, as
everywhere in the analysis, unless a launch in view passes them so.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence

from analysis_core.ir.effects import assigned_by, lets_others_in, variables_in
from analysis_core.ir.nodes import (
    Access,
    Assign,
    Atomic,
    Block,
    Break,
    Continue,
    Expr,
    Kernel,
    Load,
    Return,
    Stmt,
    Store,
    UnknownStmt,
)
from analysis_core.ir.walk import span_of, statements, statements_of
from analysis_core.races.verdicts import Verdict
from analysis_core.rewrite.core.loops import OneLoop, made_from
from analysis_core.rewrite.core.source import addressed
from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

Touch = Load | Store | Atomic


@dataclass(frozen=True, slots=True)
class Place:
    """A cell as a loop's text spells it.  `nodes`: the lvalues that are this cell; `base`: the array; `written`: the loop stores there."""

    text: str
    base: str
    nodes: tuple[syn.Expr, ...]
    address: Expr
    access: Access
    written: bool

    @property
    def spans(self) -> frozenset[Span]:
        return frozenset(node.span for node in self.nodes)


def touches(stmts: Sequence[Stmt]) -> Iterator[Touch]:
    return (stmt for stmt in stmts if isinstance(stmt, Load | Store | Atomic))


def places_of(unit: Unit, one: OneLoop) -> list[Place]:
    """The cells of a loop whose addresses do not change in it, in the order of the text."""
    nodes = {
        node.span: node
        for node in inside(one.node, lambdas=False)
        if node.expansion is None
        and (isinstance(node, syn.Subscript | syn.Member) or (isinstance(node, syn.Unary) and node.op == "*"))
    }
    bases = bases_of(unit, one.kernel)
    found: list[Place] = []
    for stmt in touches(one.info.inside):
        node = nodes.get(stmt.access.span)
        if node is None or stmt.access.via or variables_in(stmt.address) & one.info.changes.keys():
            continue
        at = next(
            (n for n, p in enumerate(found) if p.address == stmt.address and p.access.width == stmt.access.width), None
        )
        written = not isinstance(stmt, Load)
        if at is None:
            base = bases.get(stmt.access.span, "?")
            found.append(Place(unit.spelled(node.span), base, (node,), stmt.address, stmt.access, written))
        else:
            old = found[at]
            more = old.nodes if node in old.nodes else (*old.nodes, node)
            found[at] = Place(old.text, old.base, more, old.address, old.access, old.written or written)
    return sorted(found, key=lambda p: p.nodes[0].span)


def bases_of(unit: Unit, kernel: Kernel) -> dict[Span, str]:
    """The array of each access, by its span; "?" where it is not known, or is not the same in all launches and calls."""
    found: dict[Span, str] = {}
    for launch in unit.launches(kernel):
        for event in unit.events(kernel, launch).accesses:
            span = event.access.span
            found[span] = event.base if found.get(span, event.base) == event.base else "?"
    return found


def joined(unit: Unit, kernel: Kernel, base: str) -> frozenset[str]:
    """An array with those that some launch passes as parts of the same one."""
    same = {base}
    pairs = [pair for launch in unit.launches(kernel) for pair in launch.arguments.same]
    while more := {n for one, other, _ in pairs if {one, other} & same for n in (one, other)} - same:
        same |= more
    return frozenset(same)


def barred(unit: Unit, one: OneLoop, place: Place) -> str | None:
    """Why a cell may not be kept in a register while the loop runs; None if it may."""
    inside_of = one.info.inside
    unknown = next((s for s in inside_of if isinstance(s, UnknownStmt)), None)
    if unknown is not None:
        return f"code in the loop is not known (line {unit.line(span_of(unknown))})"
    own = [stmt for stmt in touches(inside_of) if stmt.access.span in place.spans]
    if any(stmt.access.volatile for stmt in own):
        return f"`{place.text}` is volatile"
    if any(isinstance(stmt, Atomic) for stmt in own):
        return f"`{place.text}` is updated atomically"
    if place.spans & addressed(one.node):
        return f"the address of `{place.text}` is asked for"
    if any(stmt.access.merges for stmt in own):
        return f"`{place.text}` is a bit-field"
    if any(stmt.access.width != own[0].access.width or stmt.access.deferred for stmt in own):
        return f"`{place.text}` is read in parts"
    if place.base == "?":
        return f"it is not known what array `{place.text}` is a cell of"
    reason = (
        _behind_barriers(unit, one, place)
        or _others_in_loop(unit, one, place, own)
        or _others_in_kernel(unit, one, place)
    )
    if reason is not None:
        return reason
    if not any(stmt in own for stmt in _certain(one)):
        return f"not every round comes to `{place.text}`"
    if place.written and not any(stmt in own and isinstance(stmt, Store) for stmt in _certain(one)):
        return f"not every round writes `{place.text}`"
    left = next((s for s in inside_of if isinstance(s, Return)), None) if place.written else None
    return (
        None if left is None else f"`return` in the loop leaves `{place.text}` unwritten (line {unit.line(left.span)})"
    )


def _behind_barriers(unit: Unit, one: OneLoop, place: Place) -> str | None:
    """What lets other threads come in between, where the array is written."""
    writes = list(_writes(unit, one.kernel, place.base))
    meeting = next((s for s in one.info.inside if lets_others_in(s)), None)
    if not writes or meeting is None or _is_own_cell(unit, one.kernel, place):
        return None
    inner = next((span for span in writes if one.node.span.encloses(span)), None)
    if inner is not None:
        return f"other threads write it between the barriers of a round (line {unit.line(inner)})"
    return f"other threads may write it while the loop waits for them (line {unit.line(_place_of(meeting))})"


def _others_in_loop(unit: Unit, one: OneLoop, place: Place, own: Sequence[Touch]) -> str | None:
    """An access of the loop that may be of the same cell, or meet others there."""
    bases, same = bases_of(unit, one.kernel), joined(unit, one.kernel, place.base)
    for stmt in touches(one.info.inside):
        reads = isinstance(stmt, Load)
        if stmt in own or (reads and not place.written):
            continue
        base = bases.get(stmt.access.span, place.base)
        if base == "?" or base in same:
            word = "read" if reads else "written"
            return (
                f"`{place.text}` may be {word} in the loop as `{stmt.access.text}` (line {unit.line(stmt.access.span)})"
            )
    return None


def _others_in_kernel(unit: Unit, one: OneLoop, place: Place) -> str | None:
    """Other threads that may come to the cell while the loop runs."""
    writes = list(_writes(unit, one.kernel, place.base))
    if not writes:
        return None
    reported = unit.reported(one.kernel)
    races = [] if reported is None else [launch.profile.races for launch in reported.launches]
    if not races or not all(report is not None and report.verdict is Verdict.ABSENT for report in races):
        return f"other threads may write it meanwhile (line {unit.line(writes[0])})"
    return None


def _is_own_cell(unit: Unit, kernel: Kernel, place: Place) -> bool:
    """Whether all accesses to the array are to the one cell whose number each thread works out once: so its own, if there is no race."""
    bases, same = bases_of(unit, kernel), joined(unit, kernel, place.base)
    for stmt in statements_of(kernel):
        if isinstance(stmt, UnknownStmt) and stmt.memory:
            return False
        if isinstance(stmt, Load | Store | Atomic):
            base = bases.get(stmt.access.span, place.base)
            if base == "?" or (base in same and stmt.address != place.address):
                return False
    _, ways = made_from(kernel, [place.address])
    moved = Counter(var for stmt in ways for var in assigned_by(stmt))
    moved.update(var for var in kernel.parameters if var in moved)
    return all(isinstance(stmt, Assign) for stmt in ways) and all(count == 1 for count in moved.values())


def _writes(unit: Unit, kernel: Kernel, base: str) -> Iterator[Span]:
    """Where the kernel may write an array."""
    bases, same = bases_of(unit, kernel), joined(unit, kernel, base)
    for stmt in statements_of(kernel):
        if isinstance(stmt, Store | Atomic):
            found = bases.get(stmt.access.span, base)
            if found == "?" or found in same:
                yield stmt.access.span
        elif isinstance(stmt, UnknownStmt) and stmt.memory:
            yield stmt.span


def _place_of(stmt: Stmt) -> Span:
    return stmt.access.span if isinstance(stmt, Load | Store | Atomic) else span_of(stmt)


def _certain(one: OneLoop) -> list[Stmt]:
    """What every thread that makes a first round surely does in it, in order."""
    found: list[Stmt] = []
    blocks: tuple[Block, ...] = (one.loop.test, one.loop.body, one.loop.step)
    for block in blocks:
        for stmt in block:
            if any(isinstance(inner, Break | Continue | Return) for inner in statements((stmt,))):
                return found
            found.append(stmt)
    return found


def is_tested_first(one: OneLoop, place: Place) -> bool:
    """Whether the cell is read before it is known that there is a round."""
    return any(isinstance(s, Load) and s.access.span in place.spans for s in one.loop.test)


def names_read(place: Place) -> frozenset[str]:
    """The names that the text of a place is made of."""
    return frozenset(n.name for n in inside(place.nodes[0]) if isinstance(n, syn.Name))


def same_in_all(loops: Sequence[OneLoop], unit: Unit, wanted: Collection[str]) -> tuple[list[Place], Mapping[str, str]]:
    """The places that may be kept in every instantiation, and why the others may not, by their texts.  `wanted`: texts, or () for all."""
    kept: dict[frozenset[Span], Place] = {}
    refused: dict[str, str] = {}
    for number, one in enumerate(loops):
        here: set[frozenset[Span]] = set()
        for place in places_of(unit, one):
            if wanted and place.text not in wanted:
                continue
            reason = barred(unit, one, place)
            if reason is not None:
                refused.setdefault(place.text, reason)
                continue
            here.add(place.spans)
            if number == 0:
                kept[place.spans] = place
        kept = {spans: place for spans, place in kept.items() if spans in here}
    return list(kept.values()), refused
