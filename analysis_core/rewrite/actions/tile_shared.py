"""Tile into shared memory: what threads of a block load again and again in a loop is loaded once per chunk of rounds, by all of them.

    for (int k = 0; k < n; k++)              for (int k_t = 0; k_t < n; k_t += 16) {
        sum += a[y * n + k] * b[k * n + x];      a_tile[threadIdx.y][threadIdx.x] = a[y * n + (k_t + (int)threadIdx.x)];
                                                 b_tile[threadIdx.y][threadIdx.x] = b[(k_t + (int)threadIdx.y) * n + x];
                                                 __syncthreads();
                                                 for (int k = 0; k < 16; k++) sum += a_tile[threadIdx.y][k] * b_tile[k][threadIdx.x];
                                                 __syncthreads();
                                             }

A load whose address is the same along threadIdx.x is loaded for round `k_t + threadIdx.x`, one that is the same along threadIdx.y for round
`k_t + threadIdx.y`: exactly the elements that the rounds of the chunk load.  The order of rounds is kept, so floats are summed in the same order.
Conditions: all threads of a block come to the loop, but for guards (guarded_loops.py), and make the same rounds (barriers), nobody writes the array, the
load is made in every round.  Where there are guards, a thread loads an element if a thread that shares it is inside: the one at the first (or last) place
along the axis, where the analysis shows that it is inside whenever another one is.  So no element is loaded that was not loaded before.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analysis_core.domains.symbol import Symbol
from analysis_core.interp.core.events import Events
from analysis_core.ir.nodes import Kernel
from analysis_core.ir.types import ScalarType, Space
from analysis_core.machine.block_shape import Shape
from analysis_core.report.checks.redundant_loads import CODE as REDUNDANT
from analysis_core.report.findings.model import Edit
from analysis_core.rewrite.core import accesses as acc
from analysis_core.rewrite.core.action import Action, Choice, Refused, Rewritten, Site
from analysis_core.rewrite.core.guarded_loops import GuardedLoop, guarded_loop, unmovable, witness, written
from analysis_core.rewrite.core.guards import made_elsewhere, without_returns
from analysis_core.rewrite.core.source import (
    addressed,
    bracketed,
    element_of,
    eol_of,
    fresh,
    indent_of,
    is_conditional,
    replaced,
    step_of,
)
from analysis_core.rewrite.core.threads import Locals
from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_APART = "not all threads of a block come to it, and a barrier has to be reached by all"
_LEAVING = (syn.Break, syn.Continue, syn.Return, syn.CaseLabel, syn.OpaqueStmt)


@dataclass(frozen=True, slots=True)
class _Loop:
    """`for (type name = start; name < limit; name++) body`."""

    whole: syn.For
    name: str
    type: str
    start: syn.Expr
    limit: syn.Expr


@dataclass(frozen=True, slots=True)
class _Load:
    """`axis`: along which the threads of a block share an element, 0 or 1; it is the round within a chunk in the tile."""

    place: syn.Subscript
    array: str
    axis: int
    width: int


def _sites(unit: Unit, kernel: Kernel, declaration: syn.FunctionDecl) -> Iterator[Site]:
    read = {
        event.access.span
        for launch in unit.launches(kernel)
        for event in unit.events(kernel, launch).accesses
        if event.space is Space.GLOBAL and not acc.is_written(event)
    }
    for node in inside(declaration):
        if isinstance(node, syn.For) and any(place.span in read for place in _loads(node.body)):
            yield Site(kernel, declaration, node.span, "the loop", node)


def _loads(body: syn.Stmt) -> Iterator[syn.Subscript]:
    return (node for node in inside(body) if isinstance(node, syn.Subscript))


def _rewrite(unit: Unit, site: Site, choice: Choice) -> Rewritten | Refused:
    if not isinstance(site.node, syn.For):
        return Refused("it is no loop")
    kernels = acc.instances(unit, site)
    loop, variables = _plain(site.node), Locals(unit, site.declaration)
    if loop is not None and (variables.depends(loop.start) or variables.depends(loop.limit)):
        return Refused("threads make different numbers of rounds")
    loads = _shared_loads(unit, kernels, site.node, choice)
    if isinstance(loads, Refused):
        return loads
    if loop is None:
        return Refused("the loop does not count up by one to a limit")
    if (reason := _unfit(unit, loop, variables)) is not None:
        return Refused(reason)
    guarded = _guarded(unit, site, kernels, variables, loop, loads)
    if isinstance(guarded, Refused):
        return guarded
    if guarded is None and not any(
        isinstance(one, syn.Compound) and loop.whole in one.body for one in inside(site.declaration)
    ):
        return Refused("it stands behind another statement's condition without braces")
    block = acc.known_block(unit, kernels)
    if isinstance(block, Refused):
        return block
    chunks = {block[load.axis] for load in loads}
    if len(chunks) > 1:
        return Refused(f"the block is not square ({'x'.join(map(str, block))})")
    chunk = chunks.pop()
    if (reason := acc.too_much_shared(kernels, sum(block[0] * block[1] * load.width for load in loads))) is not None:
        return Refused(reason)
    whole = all(_is_whole(unit, kernel, loop, chunk) for kernel in kernels)
    flags = None if guarded is None else _flags(unit, kernels, variables, guarded, loads, block)
    if isinstance(flags, Refused):
        return flags
    return _Writer(unit, site.declaration, variables, loop, block, chunk, whole, flags).written(loads)


# --- guards -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Flags:
    """`lines`: declare what is asked of each thread once; `inside`: whether it comes to the loop; `some`: for each axis along which loads are shared,
    whether a thread does that is in a row with it."""

    guarded: GuardedLoop
    lines: tuple[str, ...]
    inside: str
    some: dict[int, str]


def _guarded(
    unit: Unit, site: Site, kernels: Sequence[Kernel], variables: Locals, loop: _Loop, loads: Sequence[_Load]
) -> GuardedLoop | Refused | None:
    """The guards of a loop that not all threads of a block come to; None where all do."""
    together = all(
        acc.all_together(event, events.shape)
        for kernel in kernels
        for launch in unit.launches(kernel)
        for events in (unit.events(kernel, launch),)
        for load in loads
        for event in acc.at(events, load.place.span)
    )
    if together:
        return None
    found = guarded_loop(unit, site.declaration, loop.whole)
    if isinstance(found, str):
        return Refused(f"{_APART}: {found}")
    if any(acc.not_analysed(kernel) for kernel in kernels):
        return Refused("a part of the kernel is not analysed")
    reason = unmovable(unit, kernels, site.declaration, variables, found)
    return found if reason is None else Refused(reason)


def _flags(
    unit: Unit,
    kernels: Sequence[Kernel],
    variables: Locals,
    guarded: GuardedLoop,
    loads: Sequence[_Load],
    block: Shape,
) -> _Flags | Refused:
    conditions = tuple(guard.condition for guard in guarded.guards)
    inside_ = fresh(unit, "inside")
    lines = [f"const bool {inside_} = {guarded.joined([unit.spelled(one.span) for one in conditions])};"]
    some: dict[int, str] = {}
    for axis in dict.fromkeys(load.axis for load in loads):
        name = "xy"[axis]
        if not any(variables.depends(one, name) for one in conditions):
            some[axis] = inside_
            continue
        place = witness(unit, kernels, guarded, axis)
        if place is None:
            return Refused(f"no one thread is shown to pass the guard whenever one along threadIdx.{name} does")
        made = variables.copied(conditions, {f"threadIdx.{name}": f"{place}u"}, single=True)
        if isinstance(made, Refused):
            return made
        some[axis] = fresh(unit, f"some_along_{name}" if block[1] > 1 else "some_inside")
        lines += [*made.lines, f"const bool {some[axis]} = {guarded.joined(made.texts)};"]
    return _Flags(guarded, tuple(lines), inside_, some)


# --- which loads --------------------------------------------------------------------------------------------------------


def _shared_loads(unit: Unit, kernels: Sequence[Kernel], loop: syn.For, choice: Choice) -> list[_Load] | Refused:
    """The loads that threads share, in order; or why there are none."""
    found: list[_Load] = []
    reasons: list[str] = []
    for place in _loads(loop.body):
        kinds = {_kind(unit, kernel, loop, place) for kernel in kernels}
        kind = kinds.pop() if len(kinds) == 1 else "it differs between instantiations"
        array = place.base.name if isinstance(place.base, syn.Name) else ""
        if choice.names and not {array, unit.spelled(place.span)} & set(choice.names):
            continue
        if isinstance(kind, tuple):
            found.append(_Load(place, array, *kind))
        elif kind:
            reasons.append(kind)
    if found:
        return found
    told = sorted(reasons, key=lambda reason: reason != "the index comes from memory")
    return Refused(told[0] if told else "nothing that is loaded in every round is shared by threads")


def _kind(unit: Unit, kernel: Kernel, loop: syn.For, place: syn.Subscript) -> tuple[int, int] | str:
    """The axis along which threads share a load, and its bytes; or why it stays; "" for what is no load from global memory."""
    axes: set[int] = {0, 1}
    width = 0
    for launch in unit.launches(kernel):
        events = unit.events(kernel, launch)
        own = acc.at(events, place.span)
        if not own or any(event.space is not Space.GLOBAL for event in own):
            return ""
        if (reason := _stays(unit, events, loop, place)) is not None:
            return reason
        width = max(event.access.width for event in own)
        for event in own:
            address = acc.affine(event, events.shape)
            if isinstance(address, str):
                return address
            if address.along(2) or launch.block[2] > 1:
                return "the block has three dimensions"
            axes &= {axis for axis in (0, 1) if not address.along(axis) and launch.block[axis] > 1}
    if not axes:
        return "each thread of a block loads elements of its own"
    return min(axes), width


def _stays(unit: Unit, events: Events, loop: syn.For, place: syn.Subscript) -> str | None:
    """Why a load has to stay where it is; None if it may be made earlier, by another thread."""
    own = acc.at(events, place.span)
    base = own[0].base
    if place.expansion is not None or place.base.expansion is not None:
        return f"the macro `{place.expansion or place.base.expansion}` makes part of it"
    if not isinstance(place.base, syn.Name) or place.base.name != base:
        return "it is no array that is passed to the kernel"
    if any(event.access.volatile or not isinstance(event.access.type, ScalarType) for event in own):
        return f"`{base}` is volatile, or no array of plain numbers"
    if place.span in addressed(loop):
        return f"the address of `{unit.spelled(place.span)}` is asked for"
    if (other := next((e for e in acc.others(events, base, ()) if acc.is_written(e)), None)) is not None:
        return f"`{base}` is written in line {unit.line(other.access.span)}"
    top = loop.body.body if isinstance(loop.body, syn.Compound) else (loop.body,)
    around = next((one for one in top if one.span.encloses(place.span)), None)
    if not isinstance(around, syn.ExprStmt | syn.DeclStmt) or is_conditional(around, place):
        return "it is not loaded in every round"
    return None


# --- the loop -----------------------------------------------------------------------------------------------------------


def _plain(loop: syn.For) -> _Loop | None:
    match loop:
        case syn.For(
            init=syn.DeclStmt(declarations=(syn.VarDecl(name=name, type=syn.NamedType() as type_, init=start),)),
            condition=syn.Binary(op="<", left=syn.Name(name=compared), right=limit),
            step=step,
        ) if start is not None and name == compared and _steps(step, name) and not type_.template_args:
            return _Loop(loop, name, type_.name, start, limit)
        case _:
            return None


def _steps(step: syn.Expr | None, name: str) -> bool:
    match step:
        case syn.IncDec(op="++", operand=syn.Name(name=stepped)):
            return stepped == name
        case syn.Assign(op="+=", target=syn.Name(name=stepped), value=syn.Literal(text="1")):
            return stepped == name
        case _:
            return False


def _unfit(unit: Unit, loop: _Loop, variables: Locals) -> str | None:
    """Why the rounds of a loop cannot be made in chunks, all threads together; None if they can."""
    if (reason := made_elsewhere(unit, loop.whole, (loop.whole.body,))) is not None:
        return reason
    for node in inside(loop.whole.body):
        if isinstance(node, _LEAVING):
            return f"its rounds may end in line {unit.line(node.span)}"
        if isinstance(node, syn.VarDecl) and node.name == loop.name:
            return f"`{loop.name}` is declared again in it"
        if isinstance(node, syn.Call) and isinstance(node.callee, syn.Name) and "sync" in node.callee.name:
            return f"there is a barrier in line {unit.line(node.span)}"
        if isinstance(node, syn.Assign | syn.IncDec | syn.Unary):
            target = node.target if isinstance(node, syn.Assign) else node.operand
            changes = not isinstance(node, syn.Unary) or node.op == "&"
            if changes and isinstance(target, syn.Name) and target.name == loop.name:
                return f"`{loop.name}` is changed in it"
    for end in (loop.start, loop.limit):
        if (reason := variables.refusal(end)) is not None:
            return reason
    return None


def _is_whole(unit: Unit, kernel: Kernel, loop: _Loop, chunk: int) -> bool:
    """Whether the rounds are a multiple of the chunk."""
    if not isinstance(loop.start, syn.Literal) or loop.start.text != "0":
        return False
    if isinstance(loop.limit, syn.Literal):
        return loop.limit.text.isdecimal() and int(loop.limit.text) % chunk == 0
    if not isinstance(loop.limit, syn.Name):
        return False
    symbols = [_symbol(unit.events(kernel, launch), loop.limit.name) for launch in unit.launches(kernel)]
    return all(one is not None and one.modulus % chunk == 0 and one.residue % chunk == 0 for one in symbols)


def _symbol(events: Events, name: str) -> Symbol | None:
    return next((one for one in events.parameters if one.name == name), None)


# --- the text -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Writer:
    unit: Unit
    declaration: syn.FunctionDecl
    variables: Locals
    loop: _Loop
    block: Shape
    chunk: int
    whole: bool
    flags: _Flags | None

    def written(self, loads: Sequence[_Load]) -> Rewritten | Refused:
        unit, loop = self.unit, self.loop
        chunked = fresh(unit, f"{loop.name}_t")
        texts: dict[str, tuple[_Load, str]] = {}
        declared, filled = list[str](), list[str]()
        body: dict[Span, str] = {}
        others = self._keeps_its_number(loads)
        number = f"{loop.name} - {chunked}" if others else loop.name
        for load in loads:
            spelled = unit.spelled(load.place.span)
            if spelled not in texts:
                tile = fresh(unit, f"{load.array}_tile", frozenset(name for _, name in texts.values()))
                texts[spelled] = load, tile
                element = element_of(self.declaration, load.array)
                if element is None:
                    return Refused(f"`{load.array}` is no array that is passed to the kernel")
                lines = self._filling(load, tile, chunked)
                if isinstance(lines, Refused):
                    return lines
                declared.append(f"__shared__ {element} {tile}{self._extents()};")
                filled += lines
            body[load.place.span] = f"{texts[spelled][1]}{self._read(load, number)}"
        edits = self._edits(chunked, declared, filled, body, others)
        if isinstance(edits, Refused):
            return edits
        return Rewritten(
            "Tile into shared memory",
            edits,
            (
                f"all launches in view have blocks of {self.block[0]}x{self.block[1]} threads",
                f"{', '.join(f'`{name}`' for name in dict.fromkeys(load.array for load in loads))} overlap no array that is written",
            ),
            proof="each round reads the elements that it read before, which nobody writes, and in the same order",
        )

    def _keeps_its_number(self, loads: Sequence[_Load]) -> bool:
        """Whether the body uses the number of its round elsewhere than in these loads."""
        places = [load.place.span for load in loads]
        text = self.unit.spelled(self.loop.whole.body.span)
        return "//@" in text or any(
            isinstance(node, syn.Name)
            and node.name == self.loop.name
            and not any(place.encloses(node.span) for place in places)
            for node in inside(self.loop.whole.body)
        )

    def _extents(self) -> str:
        x, y, _ = self.block
        return f"[{x}]" if y == 1 else f"[{y}][{x}]"

    def _read(self, load: _Load, number: str) -> str:
        if self.block[1] == 1:
            return f"[{number}]"
        return f"[threadIdx.y][{number}]" if load.axis == 0 else f"[{number}][threadIdx.x]"

    def _filling(self, load: _Load, tile: str, chunked: str) -> list[str] | Refused:
        """Lines by which each thread loads its element of the chunk."""
        loop, place = self.loop, load.place
        type_ = loop.type
        own = f"{type_}(threadIdx.{'xy'[load.axis]})" if " " not in type_ else f"({type_})threadIdx.{'xy'[load.axis]}"
        if (reason := self.variables.refusal(place.base)) is not None:
            return Refused(reason)
        made = self.variables.copied((place.index,), {}, loop.whole.body.span, {loop.name: f"({chunked} + {own})"})
        if isinstance(made, Refused):
            return made
        element = replaced(self.unit, place, {place.index.span: made.texts[0]})
        at = "[threadIdx.x]" if self.block[1] == 1 else "[threadIdx.y][threadIdx.x]"
        if self.flags is not None and any(op in line for line in made.lines for op in ("/", "%", "<<", ">>")):
            return Refused("the index divides by a number that may be worth nothing outside of the guard")
        asked = [] if self.flags is None else [self.flags.some[load.axis]]
        if not self.whole:
            asked.append(f"{chunked} + {own} < {bracketed(self.unit, loop.limit)}")
        guard = f"if ({' && '.join(asked)}) " if asked else ""
        return [*made.lines, f"{guard}{tile}{at} = {element};"]

    def _edits(
        self, chunked: str, declared: list[str], filled: list[str], body: dict[Span, str], numbered: bool
    ) -> tuple[Edit, ...] | Refused:
        flags, unit = self.flags, self.unit
        if flags is None:
            text = self._text(chunked, declared, filled, body, numbered, indent_of(unit, self.loop.whole.span), "")
            return (Edit(self.loop.whole.span, text),)
        guarded = flags.guarded
        loop = self._text(
            chunked, declared, filled, body, numbered, indent_of(unit, guarded.whole), f"if ({flags.inside}) "
        )
        made = written(unit, guarded, flags.lines, loop, flags.inside)
        if isinstance(made, Refused):
            return made
        return (*without_returns(unit, guarded.left), Edit(guarded.whole, made))

    def _text(
        self,
        chunked: str,
        declared: list[str],
        filled: list[str],
        body: dict[Span, str],
        numbered: bool,
        indent: str,
        guard: str,
    ) -> str:
        """The loop over chunks, at that indentation; rounds within a chunk are made behind a guard, if there is one."""
        unit, loop, chunk = self.unit, self.loop, self.chunk
        eol = eol_of(unit)
        step = step_of(unit, self.declaration.body) if self.declaration.body is not None else "    "
        start, limit = (bracketed(unit, one) for one in (loop.start, loop.limit))
        if numbered:
            rest = "" if self.whole else f" && {loop.name} < {limit}"
            inner = f"for ({loop.type} {loop.name} = {chunked}; {loop.name} < {chunked} + {chunk}{rest}; {loop.name}++)"
        else:
            rest = "" if self.whole else f" && {chunked} + {loop.name} < {limit}"
            inner = f"for ({loop.type} {loop.name} = 0; {loop.name} < {chunk}{rest}; {loop.name}++)"
        between = unit.spelled(Span(unit.file, _header_end(unit, loop.whole), loop.whole.body.span.start))
        kept = between + replaced(unit, loop.whole.body, body)
        old = indent_of(unit, loop.whole.span)
        kept = kept.replace(f"{eol}{old}", f"{eol}{indent}").replace(eol, f"{eol}{step}")
        lines = [
            *declared,
            f"for ({loop.type} {chunked} = {start}; {chunked} < {limit}; {chunked} += {chunk}) {{",
            *(f"{step}{line}" for line in filled),
            f"{step}__syncthreads();",
            f"{step}{guard}{inner}{kept}",
            f"{step}__syncthreads();",
            "}",
        ]
        return f"{eol}{indent}".join(lines)


def _header_end(unit: Unit, loop: syn.For) -> int:
    """Behind the parenthesis that closes a loop's header."""
    before = loop.step.span.end if loop.step is not None else loop.span.start
    return unit.text.index(b")", before) + 1


ACTION = Action(
    "tile-shared",
    "Tile a loop into shared memory",
    frozenset({REDUNDANT}),
    _sites,
    _rewrite,
)
