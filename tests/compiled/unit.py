"""A generated file: one kernel, what it calls, and what it may be launched with."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tests.compiled.marks import Dialects, Site
from tests.compiled.tree import Block, Node, write

Shape = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Array:
    """A pointer parameter: `width` bytes of the numbers that it is filled with, from `low` to `high`; `real` ones are floats."""

    name: str
    type: str
    width: int
    real: bool
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Number:
    """An integer parameter and its range.  `usual`: what it is taken from, if not from all of that."""

    name: str
    type: str
    low: int
    high: int
    usual: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Unit:
    """`grids`: the most blocks along each axis.  `nodes`: declarations, and the kernel `k` at last.  `launches`: how often it is run;
    where that is `dense`, it is taken that every set of lanes was met that may run together."""

    seed: int
    block: Shape
    grids: Shape
    arrays: tuple[Array, ...]
    numbers: tuple[Number, ...]
    nodes: tuple[Node, ...]
    launches: int = 6
    dense: bool = False

    @property
    def name(self) -> str:
        return f"unit{self.seed}"

    def with_nodes(self, nodes: tuple[Node, ...]) -> Unit:
        return replace(self, nodes=nodes)


@dataclass(frozen=True, slots=True)
class Texts:
    """A unit in both dialects, and its sites by number."""

    cuda: str
    cpp: str
    sites: tuple[Site | None, ...]


def texts_of(unit: Unit) -> Texts:
    """Writes a unit."""
    out = Dialects()
    write(unit.nodes, out)
    return Texts("".join(out.cuda), "".join(out.cpp), tuple(out.sites))


def kernel(arrays: tuple[Array, ...], numbers: tuple[Number, ...], body: tuple[Node, ...]) -> Block:
    """The kernel's definition."""
    parameters = [f"{a.type} *{a.name}" for a in arrays] + [f"{n.type} {n.name}" for n in numbers]
    return Block("kernel", f"__global__ void k({', '.join(parameters)})", body)
