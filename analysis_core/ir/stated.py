"""What the user states about one kernel, with a meaning for every name: made by `annotations.py`, part of `Kernel`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis_core.syntax.read.annotation_tree import Misstatement, Term
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

if TYPE_CHECKING:
    from analysis_core.ir.nodes import BuiltinKind, VarId


@dataclass(frozen=True, slots=True)
class ParameterValue:
    """The value of a parameter when the kernel begins."""

    var: VarId


@dataclass(frozen=True, slots=True)
class GridValue:
    """A component of gridDim, blockDim or blockIdx."""

    kind: BuiltinKind
    axis: int


StatedName = ParameterValue | GridValue | int


@dataclass(frozen=True, slots=True)
class StatedLaunch:
    """`//@ launch`: `block` in threads; `grid`: up to three terms in blocks, () where it is not stated."""

    block: tuple[int, int, int]
    grid: tuple[Term, ...]
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class StatedAssumption:
    """One part of a `//@ assume`, or of a setting (then `span` is None). `required`: of a `//@ requires`, which callers see to."""

    condition: Term
    text: str
    span: Span | None
    required: bool = False


@dataclass(frozen=True, slots=True)
class StatedAlignment:
    """`//@ aligned(pointer, bytes)`: `bytes` is a power of two."""

    var: VarId
    bytes: int
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class StatedLoopBound:
    """`//@ loop_bound`: the loop whose text is `loop` makes at most so many iterations each time it is reached."""

    loop: Span
    bound: Term
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class StatedContract:
    """`//@ expect`: the `metric` of the kernel, or of the statement whose text is `place`, is held against `bound` by `op`, per warp, block or
    launch (`scope`), where all of `when` holds.  `names`: what the names in its terms stand for."""

    metric: str
    op: str
    bound: Term
    scope: str
    when: tuple[StatedAssumption, ...]
    place: Span | None
    names: tuple[tuple[str, StatedName], ...]
    text: str
    span: Span


@dataclass(frozen=True, slots=True)
class Annotations:
    """All that is stated about one kernel.  `names`: what the names in the terms stand for; `rejected`: parts that are
    wrong, and why."""

    launches: tuple[StatedLaunch, ...] = ()
    assumptions: tuple[StatedAssumption, ...] = ()
    alignments: tuple[StatedAlignment, ...] = ()
    loop_bounds: tuple[StatedLoopBound, ...] = ()
    names: tuple[tuple[str, StatedName], ...] = ()
    rejected: tuple[Misstatement, ...] = ()
    contracts: tuple[StatedContract, ...] = ()


NOTHING_STATED = Annotations()
