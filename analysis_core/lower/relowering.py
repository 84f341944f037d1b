"""A kernel's body lowered again after an edit, outermost statement by statement.

What a statement of the body is lowered to depends on itself, on what the names in it stand for, on the numbers of variables and
accesses that are free, and on what is known of the unit so far (objects, types, constants).  All that is noted for each
statement (`Lowered`), with all that lowering it has done; where it is the same again, the same is done without a look at the
statement.

Numbers are counted up, so a variable more or less would make all statements behind it others.  Hence numbers are left out: where a
statement has become smaller, the next one goes on with its own numbers, and where one has grown, there is room from then on
(`_ROOM`).  Facts do not tell such numbers (`Kernel.left_out`).

Held by tests/properties/test_incremental.py: every field of the report, after random edits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from functools import partial
from typing import Any

from analysis_core.ir.nodes import AccessId, Stmt, Variable, VarId
from analysis_core.ir.types import INT
from analysis_core.lower.context import Lowering, Notes
from analysis_core.lower.names.names import constants_of
from analysis_core.lower.names.scope import Binding, Unit, Watch
from analysis_core.lower.statements import lower_statements
from analysis_core.support.settings import Settings
from analysis_core.support.store import Stage, Store
from analysis_core.syntax.read import tree as syn
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_ROOM = 24
"""Numbers that are left out behind a statement that has grown."""


@dataclass(frozen=True, slots=True, eq=False)
class Lowered:
    """One outermost statement: what it was lowered among, and all that came of it.

    `first`: the free numbers of variables and accesses; `known`: what was known of the unit; `asked`: what names stood
    for.
    `plain`: nothing has come of it but what is listed here.  `inlined`, `most_inlined`: statements of inlined functions; `fuel`: what
    lowering it took."""

    node: syn.Stmt
    first: tuple[int, int]
    known: tuple[object, ...]
    asked: Mapping[str, Binding | None]
    plain: bool
    statements: tuple[Stmt, ...]
    variables: tuple[Variable, ...]
    accesses: int
    bindings: Mapping[str, Binding]
    notes: Notes
    inlined: int
    most_inlined: int
    fuel: int


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """A kernel's body as it was lowered last.  `others`: the other declarations of the unit that may matter, `missing`: its headers that
    are not there; `rounds`: its statements, by the
    declarations that had to live in memory (lower.py)."""

    declaration: syn.FunctionDecl
    others: tuple[syn.Declaration, ...]
    missing: tuple[str, ...]
    settings: Settings
    constants: frozenset[str]
    rounds: Mapping[frozenset[Span], tuple[Lowered, ...]]

    def is_beside(self, other: Body) -> bool:
        """Whether two versions of a kernel can differ in nothing but the body."""
        mine, theirs = self.declaration, other.declaration
        return (
            (self.settings, self.missing) == (other.settings, other.missing)
            and self.constants == other.constants
            and len(self.others) == len(other.others)
            and all(a is b or a == b for a, b in zip(self.others, other.others, strict=True))
            and replace(mine, body=None, span=mine.name_span) == replace(theirs, body=None, span=theirs.name_span)
        )

    def shares(self, nodes: Sequence[syn.Stmt]) -> int:
        """How many statements of the body are the same objects as before."""
        known = {id(node) for node in _nodes(self.declaration)}
        return sum(id(node) in known for node in nodes)


Matters = Callable[[Span, Span], bool]
"""Whether what a kernel (where it stands) is lowered to may rest on another declaration."""


BODIES: Stage[tuple[str, str], tuple[Body, ...]] = Stage("bodies lowered", 3)
"""By file and name of the kernel, its body as it was lowered last, and that which it was made from."""


@dataclass(frozen=True, slots=True, eq=False)
class Bodies:
    """The bodies that were lowered before, for a unit of which it is known what matters to a kernel: the rest may be missing the next time."""

    store: Store
    matters: Matters = lambda kernel, other: True

    def begin(self, unit: Unit, declaration: syn.FunctionDecl) -> Work:
        """What lowering of the kernel may take over from an older version of it."""
        place = declaration.span
        others = tuple(d for d in unit.tree.declarations if d is not declaration and self.matters(place, d.span))
        made = Body(
            declaration,
            others,
            (*unit.tree.missing, *unit.tree.refused, *unit.tree.unread, *unit.tree.hidden.names),
            unit.settings,
            constants_of(unit),
            {},
        )
        known = self.store.last(BODIES, (unit.tree.main, declaration.name)) or ()
        alike = [body for body in known if body.is_beside(made)]
        return Work(made, max(alike, key=lambda body: body.shares(_nodes(declaration)), default=None))

    def end(self, path: str, work: Work) -> None:
        """Keeps what was lowered."""
        made = replace(work.made, rounds=work.rounds)
        known = (made,) if work.past is None else (made, work.past)
        self.store.put(BODIES, (path, work.made.declaration.name), known)
        self.store.tell(BODIES, hits=work.reused, misses=len(_nodes(work.made.declaration)) - work.reused)

    def concerns(self, declaration: syn.FunctionDecl) -> bool:
        """Whether the kernel is long enough for its statements to be kept."""
        return len(_nodes(declaration)) >= self.store.long


@dataclass(slots=True)
class Work:
    """One kernel that is being lowered from an older one."""

    made: Body
    past: Body | None
    rounds: dict[frozenset[Span], tuple[Lowered, ...]] = field(default_factory=dict)
    left_out: list[tuple[AccessId, int]] = field(default_factory=list)
    reused: int = 0

    def leave_out(self, ctx: Lowering, first: tuple[int, int]) -> None:
        """Continues with these numbers for variables and accesses; the numbers between stand for nothing."""
        while len(ctx.variables) < first[0]:
            ctx.variables.append(Variable(VarId(len(ctx.variables)), "", INT, self.made.declaration.name_span))
        if ctx.next_access < first[1]:
            sofar = self.left_out[-1][1] if self.left_out else 0
            self.left_out.append((AccessId(first[1]), sofar + first[1] - ctx.next_access))
            ctx.next_access = first[1]


def _nodes(declaration: syn.FunctionDecl) -> tuple[syn.Stmt, ...]:
    return () if declaration.body is None else declaration.body.body


def body(ctx: Lowering, nodes: Sequence[syn.Stmt], work: Work) -> None:
    """As `lower_statements.block` lowers the statements of the kernel's body, in the scope of its names."""
    old = () if work.past is None else work.past.rounds.get(ctx.escaped, ())
    alike = {id(lowered.node): lowered for lowered in old}
    made: list[Lowered] = []
    known, sizes = _known(ctx), _sizes(ctx)
    roomy = False
    work.left_out.clear()
    for node in nodes:
        before = alike.get(id(node))
        if before is not None and _holds(ctx, before, known):
            ctx.fuel.left -= before.fuel
            work.leave_out(ctx, before.first)
            _repeat(ctx, before)
            work.reused += 1
            made.append(before)
            continue
        if before is not None and not roomy and not _fits(ctx, before):
            work.leave_out(ctx, (len(ctx.variables) + _ROOM, ctx.next_access + _ROOM))
            roomy = True
        lowered = lower_statements.outermost(ctx, node, partial(_lowered, ctx, node, known, sizes))
        if lowered is None:
            break
        made.append(lowered)
        if not made[-1].plain:
            known, sizes = _known(ctx), _sizes(ctx)
    work.rounds[ctx.escaped] = tuple(made)


def _fits(ctx: Lowering, before: Lowered) -> bool:
    """Whether the statement's numbers are free."""
    return before.first[0] >= len(ctx.variables) and before.first[1] >= ctx.next_access


def _holds(ctx: Lowering, before: Lowered, known: tuple[object, ...]) -> bool:
    """Whether the statement would be lowered to the same again."""
    if not before.plain or not _fits(ctx, before) or (before.known is not known and before.known != known):
        return False
    if ctx.fuel.left < before.fuel:
        return False
    if ctx.cramped or ctx.inlined_statements + before.most_inlined > ctx.settings.inline_statements:
        return False
    find = ctx.scope.find
    return all((found := find(name)) is answer or found == answer for name, answer in before.asked.items())


def _repeat(ctx: Lowering, before: Lowered) -> None:
    """Does what lowering the statement did."""
    ctx.variables += before.variables
    ctx.next_access += before.accesses
    ctx.blocks[-1] += before.statements
    ctx.inlined_statements += before.inlined
    for name, binding in before.bindings.items():
        ctx.scope.bind(name, binding)
    notes = before.notes
    for cause in notes.causes:
        ctx.cause(cause.kind, cause.reason, cause.span)
    for text, span in notes.assumptions:
        ctx.assume(text, span)
    ctx.requested_axes |= notes.axes
    ctx.escapes |= notes.escapes


def _lowered(ctx: Lowering, node: syn.Stmt, known: tuple[object, ...], sizes: tuple[int, ...]) -> Lowered:
    """Lowers a statement and notes what came of it."""
    scope, watch, notes = ctx.scope, Watch(), Notes()
    first, written = (len(ctx.variables), ctx.next_access), len(ctx.blocks[-1])
    inlined, fuel = ctx.inlined_statements, ctx.fuel.left
    ctx.most_inlined = inlined
    cramped, ctx.cramped = ctx.cramped, False
    scope.watch, ctx.notes = watch, notes
    try:
        lower_statements.statement(ctx, node)
    finally:
        scope.watch = ctx.notes = None
    plain = not ctx.cramped and not watch.everything and not scope.objects and _sizes(ctx) == sizes
    ctx.cramped = ctx.cramped or cramped
    return Lowered(
        node,
        first,
        known,
        watch.asked,
        plain,
        tuple(ctx.blocks[-1][written:]),
        tuple(ctx.variables[first[0] :]),
        ctx.next_access - first[1],
        {name: scope.bindings[name] for name in watch.bound},
        notes,
        ctx.inlined_statements - inlined,
        ctx.most_inlined - inlined,
        fuel - ctx.fuel.left,
    )


def _tables(ctx: Lowering) -> tuple[Mapping[Any, object] | Sequence[object], ...]:
    """What is only ever added to."""
    said = (ctx.promises, ctx.asserted, ctx.asserted_extents, ctx.asserted_sizes)
    return ctx.globals, ctx.opaque, ctx.types, ctx.aliases, ctx.instances, ctx.objects, *said, ctx.constants


def _sizes(ctx: Lowering) -> tuple[int, ...]:
    return tuple(map(len, _tables(ctx)))


def _known(ctx: Lowering) -> tuple[object, ...]:
    """What is known of the unit."""
    return tuple(dict(table) if isinstance(table, Mapping) else tuple(table) for table in _tables(ctx))
