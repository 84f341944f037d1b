"""A whole unit: its block, its parameters, its declarations and its kernel."""

from __future__ import annotations

import random

from tests.compiled.program.functions import functions, records
from tests.compiled.program.idioms import idiom
from tests.compiled.program.scope import Kind, Scope
from tests.compiled.program.statements import statements
from tests.compiled.program.values import guard
from tests.compiled.tree import Block, Line, Node
from tests.compiled.unit import Array, Number, Shape, Unit, kernel

_BLOCKS: tuple[Shape, ...] = (
    (64, 1, 1), (48, 1, 1), (33, 1, 1), (32, 1, 1), (96, 1, 1), (40, 1, 1), (128, 1, 1), (100, 1, 1),
    (8, 8, 1), (16, 4, 1), (12, 5, 1), (16, 8, 1), (32, 4, 1), (24, 3, 1), (5, 13, 1), (7, 5, 2), (4, 4, 4),
)  # fmt: skip


def unit(seed: int) -> Unit:
    """The unit of this number."""
    rng = random.Random(seed)
    block = rng.choice(_BLOCKS)
    dimensions = 1 + (block[1] > 1) + (block[2] > 1)
    s = Scope(rng, dimensions=dimensions, threads=block[0] * block[1] * block[2])
    # A kernel uses few types; one that it has is likely met again.
    kinds = rng.sample(s.kinds, 3)
    s.kinds = (s.kinds[0], *kinds)
    before = (*records(s), *functions(s))
    numbers = _numbers(s)
    body = (*_indexes(s), *_body(s))
    declared = tuple(Line(text) for text in s.declared)
    arrays = tuple(_array(s, name, kind) for name, kind in s.arrays.values())
    grids = (s.one(1, 2, 3, 4), 1 if dimensions == 1 else s.one(1, 2), 1)
    return Unit(seed, block, grids, arrays, numbers, (*before, kernel(arrays, numbers, (*declared, *body))))


def _numbers(s: Scope) -> tuple[Number, ...]:
    n = Number(
        "n",
        s.one("int", "int", "int", "unsigned", "short", "unsigned char", "size_t", "long long"),
        0,
        s.one(40, 100, 255),
    )
    m = Number("m", s.one("int", "int", "unsigned", "unsigned short"), s.one(0, 1), s.one(9, 20, 40))
    k0 = Number("k0", "int", 1, 6)
    s.even += ["n", "n", "n", "m", "k0"]
    return n, m, k0


def _indexes(s: Scope) -> tuple[Node, ...]:
    """Which thread this is, in one of the usual ways."""
    kind = s.one("int", "int", "int", "unsigned", "short")
    inside = {
        1: "threadIdx.x",
        2: "threadIdx.y * blockDim.x + threadIdx.x",
        3: "(threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x",
    }
    nodes: list[Node] = [Line(f"{kind} t = {inside[s.dimensions]};")]
    s.lanes += ["t", "t", "t"]
    x = s.one(
        "blockIdx.x * blockDim.x + threadIdx.x",
        "(gridDim.x - 1 - blockIdx.x) * blockDim.x + threadIdx.x",
        "threadIdx.x * n + blockIdx.x",
    )
    nodes.append(Line(f"int x = {x};"))
    s.lanes += ["x", "x"]
    if s.dimensions > 1:
        nodes.append(Line("int y = blockIdx.y * blockDim.y + threadIdx.y;"))
        s.lanes += ["y", "threadIdx.y"]
    if s.chance(0.4):
        s.even.append(s.one("blockIdx.x", "gridDim.x", "blockDim.x"))
    return tuple(nodes)


def _body(s: Scope) -> tuple[Node, ...]:
    nodes: tuple[Node, ...] = ()
    if s.chance(0.3):
        nodes, s.left = (Block("if", f"if (@I{{{guard(s, 'x')}}})", (Line("return;"),)),), True
    for _ in range(s.one(2, 3, 3, 4)):
        if s.chance(0.22):
            nodes = (*nodes, *idiom(s))
        else:
            nodes = (*nodes, *statements(s, s.one(1, 2, 3), s.one(1, 1, 2)))
    return nodes


def _array(s: Scope, name: str, kind: Kind) -> Array:
    return Array(name, kind.type, kind.width, kind.real, 0, s.one(1, 7, 63, 100))
