"""The advisor: what a kernel would pay with other blocks, and how many of them a multiprocessor would hold.

    for each shape to which the knobs of a launch can be turned: the text with these numbers -> the pipeline -> costs per launch, occupancy

Shapes are compared at one amount of work: the costs of a block times the blocks that cover the data.  How many these are is what the launch says
of its grid, at representative sizes and without rounding.  The order is that of

    (sectors + conflicts / 2) / occupancy

which fits the speed-ups that were measured for the examples of comprehensive parametric kernels with rank correlations of 0.87 (Jacobi),
0.95 (transposition) and 0.43 (product, which waits at barriers, and for its steps).  It is a score and no running time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from fractions import Fraction
from math import prod

from analysis_core.advice.account import COSTING, SPENT
from analysis_core.advice.companions import launch_bounds_of, with_companions
from analysis_core.advice.grids import blocks_of, site_of
from analysis_core.advice.independence import Depends, thread_program
from analysis_core.advice.knobs import Knob, Launched, Variants, knobs_of, shapes_of, turned
from analysis_core.advice.registers import estimated_registers
from analysis_core.expressions.bounds import Reason
from analysis_core.expressions.expression import Expression, Integer
from analysis_core.expressions.metric import Metric
from analysis_core.interp.core.events import Events
from analysis_core.interp.interpret import interpret
from analysis_core.ir.layout import size_of
from analysis_core.ir.nodes import Kernel
from analysis_core.ir.types import Space
from analysis_core.lp.kernel_bounds import block_uppers
from analysis_core.machine.block_shape import Shape
from analysis_core.machine.description import MULTIPROCESSORS, Multiprocessor
from analysis_core.machine.occupancy import Occupancy, most_registers, occupancy
from analysis_core.pipeline.clock import Clock
from analysis_core.pipeline.launch_stages import cost_launch
from analysis_core.profile.sizes import covering, representative_sizes
from analysis_core.report.findings.model import Edit
from analysis_core.requests.event_costs import EventCosts
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

_NOT_LAUNCHED = "no launch in view says which block it has"
_NO_NUMBERS = "its block is not made of numbers that stand in this file"
_NOT_FOLLOWED = "the launch does not follow these numbers"

_PAID = (Metric.SECTORS.value, Metric.CONFLICTS.value, Metric.DIVERGENCES.value)


@dataclass(frozen=True, slots=True)
class Costs:
    """What a launch pays for each 1,000 threads that it has with its present block, at representative sizes."""

    sectors: Fraction
    conflicts: Fraction
    divergences: Fraction

    @property
    def loss(self) -> Fraction:
        return self.sectors + self.conflicts / 2


@dataclass(frozen=True, slots=True)
class Row:
    """One shape.  `costs` None: `why` says why it has none.  `edits`: what turns the text to it.  `shared_bytes`: of a block, with what the launch
    adds where that is a constant.  `occupancies`: by compute capability.  `proved`: each thread does what the
    thread of its global number does with the present block."""

    block: Shape
    edits: tuple[Edit, ...]
    costs: Costs | None
    shared_bytes: int = 0
    occupancies: Mapping[str, Occupancy] = field(default_factory=dict)
    why: str = ""
    proved: bool = False

    def score(self, capability: str) -> Fraction | None:
        """Less is better; None where nothing is known, or no block fits."""
        held = self.occupancies.get(capability)
        return None if self.costs is None or held is None or not held.blocks else self.costs.loss / Fraction(held.share)


@dataclass(frozen=True, slots=True)
class Advice:
    """`rows`: the present shape first.  `registers`: of a thread, 0 if they are not counted; `estimated`: by liveness.  `covered`: the launch says how its grid follows
    the block; else it is taken to cover the same threads.  `why`: why there are no rows.  `depends`: why what a thread does is not known to be a function of its global number."""

    kernel: str
    place: Span
    knobs: tuple[Knob, ...] = ()
    rows: tuple[Row, ...] = ()
    registers: int = 0
    estimated: bool = False
    covered: bool = True
    why: str = ""
    found: Launched | None = None
    depends: Depends | None = None

    def ranked(self, capability: str) -> tuple[Row, ...]:
        """Those that have a score, the best first; of equals the present one, then the smaller block."""
        scored = [(score, prod(row.block), row) for row in self.rows if (score := row.score(capability)) is not None]
        present = self.rows[0] if self.rows else None
        return tuple(row for *_, row in sorted(scored, key=lambda one: (one[0], one[2] is not present, one[1])))


def advice(variants: Variants, kernel: Kernel, registers: int | None = None) -> Advice:
    """The shapes of the kernel's first launch that the user wrote.  `registers`: of a thread, 0 not to count them, None to estimate them."""
    told = Advice(kernel.instantiation or kernel.name, kernel.name_span, registers=registers or 0)
    if variants.account.is_spent():
        return replace(told, why=SPENT)
    if registers is None:
        told = replace(told, registers=estimated_registers(kernel), estimated=True)
    found = variants.launched(kernel.name_span)
    if found is None:
        return replace(told, why=_NOT_LAUNCHED)
    knobs = with_companions(variants, found, knobs_of(variants, found))
    if variants.account.is_spent():
        return replace(told, why=SPENT)
    if not knobs:
        return replace(told, why=_NO_NUMBERS)
    shapes = Shapes(variants, found, knobs, told.registers, told.estimated)
    return replace(
        told,
        knobs=knobs,
        rows=tuple(shapes.rows()),
        covered=shapes.blocks is not None,
        found=found,
        depends=shapes.program if isinstance(shapes.program, Depends) else None,
    )


class Shapes:
    """The shapes of one launch, compared at its present work."""

    def __init__(
        self, variants: Variants, found: Launched, knobs: Sequence[Knob], registers: int, estimated: bool
    ) -> None:
        self.variants, self.found, self.knobs, self.registers, self.estimated = (
            variants,
            found,
            knobs,
            registers,
            estimated,
        )
        self.store, self.settings = variants.place.store, replace(variants.place.settings, bound_cases=False)
        self.costed = cost_launch(found.kernel, found.launch, self.settings, Clock(), store=self.store)
        self.sizes = representative_sizes(self.costed.profile, self.settings)
        self.blocks = blocks_of(found)
        self.program = thread_program(found.kernel, found.launch.block)
        self.work = (self.blocks or Fraction(1)) * prod(found.launch.block)

    def rows(self) -> Iterator[Row]:
        """The present shape first."""
        for block, values in shapes_of(self.knobs, self.found.launch.block):
            edits = turned(values)
            bounds = launch_bounds_of(self.variants, self.found, block)
            edits += bounds if edits else ()
            if edits and self.variants.account.is_spent():
                yield Row(block, edits, None, why=SPENT)
                continue
            there = self.variants.turned(self.found, edits) if edits else self.found
            if there is None or there.launch.block != block:
                yield Row(block, edits, None, why=_NOT_FOLLOWED)
                continue
            most = there.kernel.launch_bounds
            if most is not None and prod(block) > most:
                yield Row(block, edits, None, why=f"the kernel promises at most {most} threads (`__launch_bounds__`)")
                continue
            bytes_ = _shared_bytes(there)
            threads = max(prod(block), most or 0)
            held = {
                name: occupancy(one, prod(block), self._registers(one, threads), bytes_)
                for name, one in MULTIPROCESSORS.items()
            }
            if not any(one.blocks for one in held.values()):
                yield Row(block, edits, None, bytes_, held, "no multiprocessor has room for a block")
                continue
            costs = self._costs(there)
            proved = not isinstance(self.program, Depends) and thread_program(there.kernel, block) == self.program
            if isinstance(costs, str):
                yield Row(block, edits, None, bytes_, held, costs, proved)
            else:
                yield Row(block, edits, costs, bytes_, held, proved=proved)

    def _registers(self, machine: Multiprocessor, threads: int) -> int:
        """Of a thread of a block with so many.  An estimate refuses no block: compilers keep to what there is room for, if they are told."""
        return min(self.registers, most_registers(machine, threads)) if self.estimated else self.registers

    def _costs(self, there: Launched) -> Costs | str:
        """What the launch pays, or why it is not known."""
        kernel, launch = there.kernel, there.launch
        if there is self.found:
            events, costs = self.costed.events, self.costed.found
        else:
            events = interpret(kernel, launch, self.settings)
            costs = replace(EventCosts.of(events), excessive=False)
        self.variants.account.work -= COSTING * (1 + len(_places(events)))
        uppers = block_uppers(kernel, launch, events, self.settings, _PAID, costs, self.store)
        blocks = blocks_of(there) or self.work / prod(launch.block)
        paid: list[Fraction] = []
        for metric in _PAID:
            upper = uppers[metric]
            value = None if isinstance(upper, Reason) else self._at(upper, launch.block, events)
            if value is None:
                return upper.text if isinstance(upper, Reason) else "there is no bound"
            paid.append(Fraction(1000 * value) * blocks / self.work)
        return Costs(*paid)

    def _at(self, upper: Expression, block: Shape, events: Events) -> int | None:
        """The value at the sizes of the present shape, with as many blocks as cover the data."""
        grid = events.grid or (None, None, None)
        values = dict(self.sizes.values)
        for axis, stated, extent in zip("xyz", grid, block, strict=True):
            name = f"gridDim.{axis}"
            if name in values:
                values[name] = stated.value if isinstance(stated, Integer) else covering(extent, self.settings)
        return replace(self.sizes, values=values).at(upper)


def _shared_bytes(there: Launched) -> int:
    """Of a block: what the kernel declares, and what the launch adds where that is a constant."""
    site = site_of(there)
    declared = sum(size_of(one.type) or 0 for one in there.kernel.objects if one.space is Space.SHARED)
    return declared + (0 if site is None else site.shared)


def _places(events: Events) -> set[object]:
    """The accesses and branches of the text that are executed."""
    return {one.access.id for one in events.accesses} | {(one.span, one.via) for one in events.branches}
