"""Prefetch into shared memory with a halo: a neighbourhood that each thread loads is loaded once by the block, its own element by each thread.

    if (i > 0 && i < n - 1)                       __shared__ float a_tile[258];
        b[i] = a[i - 1] + a[i] + a[i + 1];        a_tile[threadIdx.x + 1] = a[i];                      where some thread needs it
                                                  if (threadIdx.x < 1 && ..) a_tile[threadIdx.x] = a[i - 1];
                                                  if (threadIdx.x >= 255 && ..) a_tile[threadIdx.x + 2] = a[i + 1];
                                                  __syncthreads();
                                                  if (i > 0 && i < n - 1)
                                                      b[i] = a_tile[threadIdx.x] + a_tile[threadIdx.x + 1] + a_tile[threadIdx.x + 2];

An element is loaded if a thread of the block loads it: if the guards of a load hold for the thread that lies by the load's offset before it.  Where
all sizes are known and all blocks together load the element anyway, it is loaded without a guard.  Nobody writes the array.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import product
from math import prod

from analysis_core.domains.symbol import SymbolKind
from analysis_core.interp.core.events import AccessEvent, Events
from analysis_core.interp.interpret import interpret
from analysis_core.ir.nodes import Kernel
from analysis_core.ir.types import ScalarType, Space
from analysis_core.report.checks.redundant_loads import CODE as REDUNDANT
from analysis_core.report.findings.model import Edit
from analysis_core.rewrite.core import accesses as acc
from analysis_core.rewrite.core.action import Action, Choice, Refused, Rewritten, Site
from analysis_core.rewrite.core.guards import Test, leaves, tests_around
from analysis_core.rewrite.core.source import (
    addressed,
    bracketed,
    element_of,
    eol_of,
    fresh,
    has_directive,
    indent_of,
    replaced,
)
from analysis_core.rewrite.core.threads import NONE, Locals
from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_MOST_BLOCKS = 16
"""Blocks that are gone through one by one."""

_PLACE = "threadIdx.x"


@dataclass(frozen=True, slots=True)
class _Load:
    """`offsets`: elements from the reference's, in order of execution; `tests`: what a thread has to pass on the way, outermost first."""

    place: syn.Subscript
    offsets: tuple[int, ...]
    tests: tuple[Test, ...]


@dataclass(frozen=True, slots=True)
class _Halo:
    """`before`, `behind`: elements on both sides of those of the threads; `width` of an element in bytes."""

    array: str
    loads: tuple[_Load, ...]
    reference: _Load
    before: int
    behind: int
    threads: int
    width: int


def _sites(unit: Unit, kernel: Kernel, declaration: syn.FunctionDecl) -> Iterator[Site]:
    seen: dict[str, list[tuple[Span, tuple[object, ...]]]] = {}
    for launch in unit.launches(kernel)[:1]:
        for event in unit.events(kernel, launch).accesses:
            if event.space is Space.GLOBAL and not acc.is_written(event):
                seen.setdefault(event.base, []).append((event.access.span, event.address.poly.key()))
    for array, found in seen.items():
        place = next((p for p in _places(declaration, array) if p.span in {span for span, _ in found}), None)
        if place is not None and len({key for _, key in found}) > 1:
            yield Site(kernel, declaration, place.span, f"`{array}`", place)


def _places(declaration: syn.FunctionDecl, array: str) -> Iterator[syn.Subscript]:
    for node in inside(declaration):
        if isinstance(node, syn.Subscript) and isinstance(node.base, syn.Name) and node.base.name == array:
            yield node


def _rewrite(unit: Unit, site: Site, choice: Choice) -> Rewritten | Refused:
    if not isinstance(site.node, syn.Subscript) or not isinstance(site.node.base, syn.Name):
        return Refused("it is no load of an array")
    array = site.node.base.name
    kernels = acc.instances(unit, site)
    found = {_halo(unit, kernel, site.declaration, array) for kernel in kernels}
    if len(found) > 1:
        return Refused("it differs between instantiations")
    halo = found.pop()
    if isinstance(halo, str):
        return Refused(halo)
    block = acc.known_block(unit, kernels)
    if isinstance(block, Refused):
        return block
    if (reason := acc.too_much_shared(kernels, (halo.threads + halo.before + halo.behind) * halo.width)) is not None:
        return Refused(reason)
    blocks = _all_blocks(unit, kernels)
    return _Writer(unit, site.declaration, blocks, halo, Locals(unit, site.declaration)).written()


def _all_blocks(unit: Unit, kernels: Sequence[Kernel]) -> list[list[Events]]:
    """What happens in all blocks of each launch, one by one; [] where these are not all known, or many."""
    found: list[list[Events]] = []
    for kernel in kernels:
        for launch in unit.launches(kernel):
            grid = [extent for extent in launch.grid if extent is not None]
            if len(grid) < 3 or prod(grid) > _MOST_BLOCKS:
                return []
            places = product(*(range(extent) for extent in grid))
            found.append([interpret(kernel, launch, unit.place.settings, (x, y, z)) for x, y, z in places])
    return found


# --- the neighbourhood ------------------------------------------------------------------------------------------------


def _halo(unit: Unit, kernel: Kernel, declaration: syn.FunctionDecl, array: str) -> _Halo | str:
    """What is loaded of an array around each thread's element; or why it is no neighbourhood."""
    if acc.not_analysed(kernel):
        return "a part of the kernel is not analysed"
    launch = unit.launches(kernel)[0]
    if any(one.block != launch.block for one in unit.launches(kernel)) or launch.block[1:] != (1, 1):
        return "the block does not have one dimension"
    events = unit.events(kernel, launch)
    own = [event for event in events.accesses if event.base in (array, "?")]
    if (wrong := next((event for event in own if acc.is_written(event) or event.base == "?"), None)) is not None:
        return f"`{array}` may be written in line {unit.line(wrong.access.span)}"
    places = {place.span: place for place in _places(declaration, array)}
    if any(event.access.span not in places for event in own):
        return f"`{array}` is not only loaded by subscripts in the kernel itself"
    if places.keys() & addressed(declaration):
        return f"the address of an element of `{array}` is asked for"
    offsets = _offsets(own, events)
    if isinstance(offsets, str):
        return offsets
    at = sorted({number for numbers in offsets.values() for number in numbers})
    reference = min(
        (span for span in offsets if len(set(offsets[span])) == 1),
        key=lambda span: max(at[-1] - offsets[span][0], offsets[span][0] - at[0]),
        default=next(iter(offsets)),
    )
    zero = offsets[reference][0]
    loads = []
    for span, numbers in offsets.items():
        tests = tests_around(declaration, places[span])
        if isinstance(tests, str):
            return tests
        free = all(acc.all_together(e, events.shape) and not e.mask.literals for e in own if e.access.span == span)
        loads.append(_Load(places[span], tuple(number - zero for number in numbers), () if free else tests))
    chosen = next(load for load in loads if load.place.span == reference)
    before, behind = max(0, zero - at[0]), max(0, at[-1] - zero)
    if max(before, behind) > launch.block[0]:
        return "the neighbourhood is wider than the block"
    return _Halo(array, tuple(loads), chosen, before, behind, launch.block[0], own[0].access.width)


def _offsets(own: Sequence[AccessEvent], events: Events) -> dict[Span, tuple[int, ...]] | str:
    """By how many elements each load lies behind the first, in order of execution."""
    found: dict[Span, list[int]] = {}
    first: acc.Affine | None = None
    for event in own:
        width = event.access.width
        if event.access.volatile or not isinstance(event.access.type, ScalarType) or width != own[0].access.width:
            return f"`{event.base}` is volatile, or no array of plain numbers"
        address = acc.affine(event, events.shape)
        if isinstance(address, str):
            return address
        if not address.steps_by(0, width):
            return "neighbouring threads do not load neighbouring elements"
        if any(symbol.kind is SymbolKind.ITERATION for monomial in address.terms for symbol in monomial):
            return "the rounds of a loop around it are not all known"
        first = first or address
        apart = address.apart_from(first)
        if apart is None or apart % width:
            return "the loads do not lie a constant number of elements apart"
        found.setdefault(event.access.span, []).append(apart // width)
    if len({number for numbers in found.values() for number in numbers}) < 2:
        return "each thread loads one element only"
    return {span: tuple(numbers) for span, numbers in found.items()}


# --- the text -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Writer:
    unit: Unit
    declaration: syn.FunctionDecl
    blocks: list[list[Events]]
    halo: _Halo
    variables: Locals

    def written(self) -> Rewritten | Refused:
        unit, halo = self.unit, self.halo
        start = self._first()
        if isinstance(start, str):
            return Refused(start)
        element = element_of(self.declaration, halo.array)
        if element is None or self.variables.refusal(halo.reference.place.base) is not None:
            return Refused(f"`{halo.array}` is no array that is passed to the kernel and stays the same")
        assert self.declaration.body is not None
        again = Span(unit.file, start.start, self.declaration.body.span.end)
        tile = fresh(unit, f"{halo.array}_tile")
        lines = [f"__shared__ {element} {tile}[{halo.threads + halo.before + halo.behind}];"]
        index = self._index(again)
        if isinstance(index, Refused):
            return index
        for shift, low, high in self._pieces():
            condition = self._condition(shift, low, high, again)
            if isinstance(condition, Refused):
                return condition
            at = _sum(_PLACE, halo.before + shift)
            load = f"{tile}[{at}] = {replaced(unit, halo.reference.place, {halo.reference.place.index.span: _sum(index, shift)})};"
            lines.append(f"if ({condition}) {load}" if condition else load)
        lines.append("__syncthreads();")
        edits = [Edit(load.place.span, f"{tile}[{self._read(load, index)}]") for load in halo.loads]
        indent, eol = indent_of(unit, start), eol_of(unit)
        point = Span(unit.file, start.start, start.start)
        edits.append(Edit(point, "".join(f"{line}{eol}{indent}" for line in lines)))
        return Rewritten(
            f"Prefetch `{halo.array}` into shared memory",
            tuple(edits),
            (
                f"all launches in view have blocks of {halo.threads} threads",
                f"`{halo.array}` overlaps no array that is written",
            ),
            proof="each load finds in the tile the element that it read, which nobody writes",
        )

    def _first(self) -> Span | str:
        """The statement of the kernel's body before which the tile is filled."""
        body = self.declaration.body.body if self.declaration.body is not None else ()
        spans = [load.place.span for load in self.halo.loads]
        for statement in body:
            if leaves(statement) or any(statement.span.encloses(span) for span in spans):
                if statement.expansion is not None or has_directive(self.unit, statement.span):
                    return "a macro or a directive of the preprocessor makes part of it"
                return statement.span
            if any(isinstance(node, syn.Return | syn.OpaqueStmt) for node in inside(statement, lambdas=False)):
                return f"threads may leave the kernel in line {self.unit.line(statement.span)}"
        return "it is not loaded in the kernel itself"

    def _index(self, again: Span) -> str | Refused:
        """The index of the reference, before anything of the kernel's rest is declared; in its first round where it is in a loop."""
        place = self.halo.reference.place
        if any(load.place.expansion is not None for load in self.halo.loads):
            return Refused("a macro makes part of it")
        made = self.variables.copied((place.index,), NONE, again, _first_rounds(self.unit, self.declaration, place))
        if isinstance(made, Refused):
            return made
        if made.lines:
            return Refused("its index is not one expression")
        text = made.texts[0]
        sums = isinstance(place.index, syn.Binary) and place.index.op in ("+", "-", "*")
        return text if sums or text == bracketed(self.unit, place.index) else f"({text})"

    def _pieces(self) -> Iterator[tuple[int, int, int]]:
        """By how much elements lie behind that of the thread that loads them, and the first and the last but one of the threads."""
        halo = self.halo
        yield 0, 0, halo.threads
        if halo.before:
            yield -halo.before, 0, halo.before
        if halo.behind:
            yield halo.behind, halo.threads - halo.behind, halo.threads

    def _condition(self, shift: int, low: int, high: int, again: Span) -> str | Refused:
        """When the threads from `low` on load the elements that lie by `shift` behind their own."""
        threads = self.halo.threads
        own = [f"{_PLACE} < {high}"] if high < threads else [f"{_PLACE} >= {low}"] if low else []
        if self._loaded_anyway(shift, low, high):
            return " && ".join(own)
        terms: dict[str, None] = {}
        for load in self.halo.loads:
            for offset in sorted(set(load.offsets), key=abs):
                term = self._term(load, shift - offset, low, high, again)
                if isinstance(term, Refused):
                    return term
                if term == "":
                    return " && ".join(own)
                if term is not None:
                    terms[term] = None
        whole = " || ".join(terms if len(terms) == 1 else (f"({one})" for one in terms))
        compound = "&&" in whole or "||" in whole
        return " && ".join([*own, f"({whole})" if own and compound else whole])

    def _term(self, load: _Load, apart: int, low: int, high: int, again: Span) -> str | Refused | None:
        """When the thread that lies by `apart` behind one of these makes the load; None for never, "" for always."""
        threads = self.halo.threads
        if high - 1 + apart < 0 or low + apart >= threads:
            return None
        parts = [f"{_PLACE} >= {-apart}"] if low + apart < 0 else []
        parts += [f"{_PLACE} < {threads - apart}"] if high - 1 + apart >= threads else []
        places = {_PLACE: f"({_sum(_PLACE, apart)})"} if apart else NONE
        made = self.variables.copied(tuple(test.condition for test in load.tests), places, again)
        if isinstance(made, Refused):
            return made
        if made.lines:
            made = self.variables.copied(tuple(test.condition for test in load.tests), places, again, single=True)
            assert not isinstance(made, Refused)
        alone = not parts and len(load.tests) == 1
        for test, text in zip(load.tests, made.texts, strict=True):
            parts.append(f"!({text})" if test.negated else text if alone else f"({text})")
        return " && ".join(parts)

    def _loaded_anyway(self, shift: int, low: int, high: int) -> bool:
        """Whether all launches are known, and each of their elements is loaded by some thread already."""
        for blocks in self.blocks:
            loaded: set[int] = set()
            wanted: set[int] = set()
            if not all(self._gather(events, shift, low, high, loaded, wanted) for events in blocks):
                return False
            if not wanted <= loaded:
                return False
        return bool(self.blocks)

    def _gather(self, events: Events, shift: int, low: int, high: int, loaded: set[int], wanted: set[int]) -> bool:
        """Adds what a block surely loads, and what the threads would load; False where an address is not known."""
        reference = self.halo.reference.place.span
        found = False
        for event in events.accesses:
            if event.base != self.halo.array:
                continue
            rest = replace(
                event.address.poly,
                terms={m: c for m, c in event.address.poly.terms.items() if m and m[0].kind is not SymbolKind.BASE},
            )
            if rest.terms:
                return False
            address = acc.affine(event, events.shape)
            if isinstance(address, str):
                return False
            number, step, _, _ = address.terms.get((), (0, 0, 0, 0))
            must = event.mask.must & events.shape.real
            loaded.update(number + step * int(thread) for thread in events.shape.thread[0][must])
            if event.access.span == reference and not found:
                found = True
                wanted.update(number + step * (thread + shift) for thread in range(low, high))
        return found

    def _read(self, load: _Load, index: str) -> str:
        """The place in the tile of what a load reads."""
        halo = self.halo
        if len(set(load.offsets)) == 1:
            return _sum(_PLACE, halo.before + load.offsets[0])
        first = halo.reference.offsets[0]
        own = bracketed(self.unit, load.place.index)
        return f"{own} - ({index}) + {_sum(_PLACE, halo.before + first)}"


def _first_rounds(unit: Unit, declaration: syn.FunctionDecl, place: syn.Subscript) -> dict[str, str]:
    """What the counters of the loops around a place are in their first rounds."""
    found: dict[str, str] = {}
    for node in inside(declaration):
        if isinstance(node, syn.For) and node.span.encloses(place.span) and isinstance(node.init, syn.DeclStmt):
            for one in node.init.declarations:
                if isinstance(one, syn.VarDecl) and one.init is not None:
                    found[one.name] = f"({unit.spelled(one.init.span)})"
    return found


def _sum(text: str, number: int) -> str:
    return f"{text} + {number}" if number > 0 else f"{text} - {-number}" if number else text


ACTION = Action(
    "prefetch-shared",
    "Prefetch a neighbourhood into shared memory",
    frozenset({REDUNDANT}),
    _sites,
    _rewrite,
)
