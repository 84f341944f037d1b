"""What is in view where a statement is written, and the dice."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Kind:
    """An element type of arrays.  `width`: bytes of the numbers in it; `member`: what may follow an element (".x")."""

    type: str
    width: int
    real: bool
    integer: bool
    members: tuple[str, ...] = ("",)


KINDS = (
    Kind("int", 4, False, True),
    Kind("unsigned", 4, False, True),
    Kind("char", 1, False, True),
    Kind("unsigned char", 1, False, True),
    Kind("short", 2, False, True),
    Kind("long long", 8, False, True),
    Kind("float", 4, True, False),
    Kind("double", 8, True, False),
    Kind("float2", 4, True, False, (".x", ".y")),
    Kind("float3", 4, True, False, (".x", ".z")),
    Kind("float4", 4, True, False, (".x", ".w")),
    Kind("int4", 4, False, False, (".y",)),
    Kind("double2", 8, True, False, (".y",)),
)


@dataclass
class Scope:
    """Names in view.  `lanes`: integers that threads may have differently; `even`: those that a block shares; `open`: what may be
    assigned.  `arrays`: of the launch, by element type.  Flags say which statements may stand here."""

    rng: random.Random
    lanes: list[str] = field(default_factory=list)
    even: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    kinds: tuple[Kind, ...] = KINDS
    arrays: dict[str, tuple[str, Kind]] = field(default_factory=dict)
    records: list[Kind] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)
    declared: list[str] = field(default_factory=list)  # marked declarations at the kernel's beginning
    dimensions: int = 1
    threads: int = 32
    uniform: bool = True  # all threads of the block come here
    in_loop: bool = False
    left: bool = False  # some thread may have returned
    fresh: int = 0
    spent: set[str] = field(default_factory=set)  # of `even`, what some guard asks for

    def one(self, *choices: T) -> T:
        return self.rng.choice(choices)

    def of(self, choices: Sequence[T]) -> T:
        return self.rng.choice(choices)

    def chance(self, p: float) -> bool:
        return self.rng.random() < p

    def name(self, prefix: str) -> str:
        self.fresh += 1
        return f"{prefix}{self.fresh}"

    @contextmanager
    def inside(self, *, uniform: bool = False, in_loop: bool | None = None) -> Iterator[None]:
        """Statements of a block: what is declared there ends with it."""
        saved = list(self.lanes), list(self.even), list(self.open), self.uniform, self.in_loop
        self.uniform = self.uniform and uniform
        if in_loop is not None:
            self.in_loop = in_loop
        try:
            yield
        finally:
            self.lanes, self.even, self.open, self.uniform, self.in_loop = saved

    def array(self, integer: bool = False) -> tuple[str, Kind]:
        """An array of the launch and the kind of its elements."""
        kinds = [k for k in self.kinds if k.integer] if integer else [*self.kinds, *self.records]
        kind = self.of(kinds)
        if len(self.arrays) >= 5:
            known = [a for a in self.arrays.values() if a[1].integer or not integer]
            if known:
                return self.of(known)
        if kind.type not in self.arrays:
            self.arrays[kind.type] = (f"g{len(self.arrays)}", kind)
        return self.arrays[kind.type]
