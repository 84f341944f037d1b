"""What a kernel is launched with: shapes, values of its parameters, contents of its arrays.

Plain data; `cli/simulation_arguments.py` reads them from a command line, JSON and NPZ files, and tests build them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from analysis_core.machine.block_shape import Shape
from analysis_core.simulate.representation import Array
from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True)
class ArrayArgument:
    """Memory that a pointer parameter leads to.  `values`: its contents; their bytes are what counts, whatever their type.

    `defined` False: the memory is there but nothing was ever written to it."""

    values: Array
    defined: bool = True


@dataclass(frozen=True, slots=True)
class Alias:
    """The memory of another array argument, `offset` bytes after its start."""

    array: str
    offset: int = 0


Argument = int | float | bool | ArrayArgument | Alias


@dataclass(frozen=True, slots=True)
class LaunchRequest:
    """One launch.  `arguments` by the names of the parameters in the IR ("p.n" for a member of a struct), or of
    arrays at file scope; `shared_bytes`: the dynamic shared memory of a block; `lanes`: threads that run together at
    most (memory against speed); `rounds`: how often loops may go round before the run gives up; `statements`: how many it may execute, each once for
    all threads that run together."""

    block: Shape
    grid: Shape
    arguments: Mapping[str, Argument] = field(default_factory=dict)
    shared_bytes: int | None = None
    lanes: int = 32768
    rounds: int = 10_000_000
    statements: int = 1 << 62
    keep: frozenset[str] | None = None  # arrays to hand out; None: all of them
    overflow: bool = False  # report signed overflow, which C++ leaves undefined (slower)
    wraps: bool = False  # tell which unsigned variables wrap around at an update (slower)
    schedule: bool = False  # find out what a greedy schedule takes (slower)
    blocks: tuple[int, ...] | None = None  # numbers of the blocks to run (x fastest); None: all of them
    operations: tuple[str, ...] = ()  # those that warps count (ir/operations.py)
    counted: frozenset[object] | None = (
        None  # accesses (by id) and tests (span, kind) that warps pay for; None: all of them
    )
    weighed: frozenset[int] | None = None  # statements and parts of expressions whose operations count (by identity)
