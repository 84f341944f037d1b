"""Accesses of a kernel as refactorings of memory read them: affine in the thread's place, with their base and what else the address holds.

    address  =  base + sum over monomials m of (c + c_x * threadIdx.x + c_y * threadIdx.y + c_z * threadIdx.z) * m

in bytes, where a monomial is a product of numbers that all threads of a block share (sizes, blockIdx, counters of loops), or 1.  An address that
is no such sum (it was loaded, the analysis lost it, threads choose between two) has a reason instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from analysis_core.domains.condition import Condition
from analysis_core.domains.polynomial import Coefficient, Monomial
from analysis_core.domains.shape import WARP, make_shape
from analysis_core.domains.shape import Shape as Vectors
from analysis_core.domains.symbol import Level, SymbolKind
from analysis_core.interp.core.events import AccessEvent, AccessKind, Events
from analysis_core.ir.launch_site import made_launches
from analysis_core.ir.layout import size_of
from analysis_core.ir.nodes import Kernel, UnknownStmt
from analysis_core.ir.types import Space
from analysis_core.ir.walk import statements_of
from analysis_core.machine.block_shape import Shape
from analysis_core.machine.shared_memory import wavefronts_many
from analysis_core.program.launch import shape_text
from analysis_core.rewrite.core.action import Refused, Site
from analysis_core.rewrite.core.unit import Unit
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

MOST_SHARED = 48 * 1024
"""Bytes of static shared memory that a block may have."""

Part = tuple[int, int, int, int]
"""The coefficient of a monomial: of 1, threadIdx.x, threadIdx.y and threadIdx.z."""


@dataclass(frozen=True, slots=True, eq=False)
class Affine:
    """`terms`: the address in bytes without its base; no part is all zeros."""

    base: str
    terms: Mapping[Monomial, Part]

    def along(self, axis: int) -> dict[Monomial, int]:
        """By what the address grows from a thread to the next one along an axis of the block; {} for nothing."""
        return {m: part[1 + axis] for m, part in self.terms.items() if part[1 + axis]}

    def steps_by(self, axis: int, bytes_: int) -> bool:
        """Whether neighbours along an axis touch neighbouring elements of so many bytes."""
        return self.along(axis) == {(): bytes_}

    def apart_from(self, other: Affine) -> int | None:
        """By how many bytes this address lies behind another one in all threads of all blocks; None if that differs."""
        keys = set(self.terms) | set(other.terms)
        none = (0, 0, 0, 0)
        apart = {
            m: tuple(a - b for a, b in zip(self.terms.get(m, none), other.terms.get(m, none), strict=True))
            for m in keys
        }
        left = {m: part for m, part in apart.items() if any(part)}
        number = left.pop((), (0, 0, 0, 0))
        return number[0] if not left and not any(number[1:]) else None


def affine(event: AccessEvent, shape: Vectors) -> Affine | str:
    """The address of an execution; or why it is not affine, in one clause."""
    terms: dict[Monomial, Part] = {}
    for monomial, coefficient in event.address.poly.terms.items():
        if any(symbol.kind is SymbolKind.BASE for symbol in monomial):
            continue
        for symbol in monomial:
            if symbol.kind is SymbolKind.DATA:
                return "the index comes from memory"
            if symbol.level is not Level.BLOCK or symbol.kind in (SymbolKind.CHOICE, SymbolKind.UNKNOWN):
                return "the index is not a sum of multiples of the thread's place"
        part = _part(coefficient, shape)
        if part is None:
            return "the index is not a sum of multiples of the thread's place"
        terms[monomial] = part
    return Affine(event.base, terms)


def _part(coefficient: Coefficient, shape: Vectors) -> Part | None:
    """The coefficients of the place of a thread that give this vector; None if none do."""
    if isinstance(coefficient, int):
        return coefficient, 0, 0, 0
    x, y, z = shape.dims
    first = int(coefficient[0])
    steps = [
        int(coefficient[number]) - first if extent > 1 else 0
        for number, extent in ((1, x), (x, y), (x * y, z))
        if extent == 1 or number < len(coefficient)
    ]
    if len(steps) < 3:
        return None
    made = first + sum(step * vector for step, vector in zip(steps, shape.thread, strict=True))
    return (first, steps[0], steps[1], steps[2]) if bool(np.array_equal(made, coefficient)) else None


def at(events: Events, span: Span) -> list[AccessEvent]:
    """The executions of an access."""
    return [event for event in events.accesses if event.access.span == span]


def all_together(event: AccessEvent, shape: Vectors) -> bool:
    """Whether all threads of a block come there, or none does: what they wait for is the same for all."""
    if not bool(event.mask.may[shape.real].all()):
        return False
    return all(bool(one.scope[shape.real].all()) and _of_block(one.formula) for one in event.mask.literals)


def _of_block(condition: Condition) -> bool:
    if condition.atom is not None:
        return condition.atom.level is Level.BLOCK
    return bool(condition.parts) and all(_of_block(part) for part in condition.parts)


def others(events: Events, base: str, own: Iterable[Span]) -> Iterator[AccessEvent]:
    """Executions of other accesses that may touch an array: those of it, and those that may touch any."""
    mine = set(own)
    return (e for e in events.accesses if e.access.span not in mine and e.base in (base, "?"))


def is_written(event: AccessEvent) -> bool:
    return event.kind is not AccessKind.READ


def instances(unit: Unit, site: Site) -> tuple[Kernel, ...]:
    """All instantiations of the site's kernel: an edit has to be right for each of them."""
    return tuple(kernel for kernel, _ in unit.kernels() if kernel.name_span == site.kernel.name_span)


def unstated(unit: Unit, kernels: Iterable[Kernel]) -> Refused | None:
    """Why the blocks of some launches in view are not known; None if somebody has written them all."""
    for kernel in kernels:
        launches = unit.launches(kernel)
        if any(launch.source not in ("option", "annotation", "call") for launch in launches):
            shown = ", ".join(map(str, _used(launches[0].block)))
            return Refused("the block is not known: state it", f"//@ launch block=({shown})")
        stated = bool(kernel.annotations.launches) or launches[0].source == "option"
        if not stated and any(site.block is None for site in made_launches(kernel.launches)):
            return Refused("the block of a launch is not known: state it", "//@ launch block=(..)")
    return None


def known_block(unit: Unit, kernels: Sequence[Kernel]) -> Shape | Refused:
    """The one block with which all launches in view, of all instantiations, are made; or why there is none."""
    if (refused := unstated(unit, kernels)) is not None:
        return refused
    shapes = {launch.block for kernel in kernels for launch in unit.launches(kernel)}
    if len(shapes) != 1:
        return Refused(f"it is launched with blocks of {' and of '.join(sorted(map(shape_text, shapes)))}")
    return shapes.pop()


def _used(block: Shape) -> tuple[int, ...]:
    return block if block[2] > 1 else block[:2] if block[1] > 1 else block[:1]


def not_analysed(kernel: Kernel) -> bool:
    """Whether a part of the kernel is outside of the analysis, so that anything may be done there."""
    return bool(kernel.unknowns) or any(isinstance(stmt, UnknownStmt) for stmt in statements_of(kernel))


def shared_bytes(kernel: Kernel) -> int | None:
    """Bytes of static shared memory; None where the kernel has shared memory of a size that is not known."""
    sizes = [size_of(o.type) for o in kernel.objects if o.space is Space.SHARED]
    return None if any(size is None for size in sizes) else sum(size or 0 for size in sizes)


def too_much_shared(kernels: Iterable[Kernel], more: int) -> str | None:
    """Why a tile of so many bytes has no room beside what the kernels have; None if it has."""
    for kernel in kernels:
        bytes_ = shared_bytes(kernel)
        if bytes_ is None:
            return "the size of the dynamic shared memory is not known"
        if bytes_ + more > MOST_SHARED:
            return "it would need more than 48 KB of shared memory"
    return None


def best_pitch(block: Shape, columns: int, width: int, patterns: Iterable[tuple[int, int]]) -> int:
    """The length of a tile's rows, at least `columns`, for which accesses `tile[row][column]` of elements of `width` bytes cost least.  `patterns`:
    which axis of the block is the row and which the column."""
    shape = make_shape(block)
    places = [(shape.thread[row], shape.thread[column]) for row, column in patterns]
    active = shape.real.reshape(-1, WARP)

    def cost(pitch: int) -> int:
        return sum(
            int(wavefronts_many(((row * pitch + column) * width).reshape(-1, WARP), active, width).sum())
            for row, column in places
        )

    return min(range(columns, columns + 4), key=lambda pitch: (cost(pitch), pitch))
