"""What the formulas of a thread are made of: its numbers, parameters by their place, memory before the launch, and functions without a meaning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import z3

from analysis_core.ir.types import ScalarKind, ScalarType


class Unfollowed(Exception):
    """Something that is not followed; the text says what."""


class Symbols:
    """What two kernels have in common: the thread's numbers, parameters by their place, memory before the launch. `real`: floating point numbers are
    real ones; `natural`: integer parameters are not negative."""

    def __init__(self, real: bool, natural: bool) -> None:
        self.context = z3.Context()
        self.natural = natural
        self.real, self.floats = real, False
        self._sorts: dict[int, Any] = {}
        self.limits: list[Any] = []
        self._builtins: dict[tuple[str, int], Any] = {}

    def bits(self, name: str, width: int) -> Any:
        return z3.BitVec(name, width, self.context)

    def number(self, value: int, width: int) -> Any:
        return z3.BitVecVal(value, width, self.context)

    def float_sort(self, size: int) -> Any:
        """The sort of floating point numbers of so many bytes."""
        self.floats = True
        if self.real:
            return z3.RealSort(self.context)
        if size not in self._sorts:
            self._sorts[size] = z3.DeclareSort(f"float{8 * size}", self.context)
        return self._sorts[size]

    def sort(self, type_: ScalarType) -> Any:
        if type_.kind is ScalarKind.FLOAT:
            return self.float_sort(type_.size)
        if type_.kind is ScalarKind.INT:
            return z3.BitVecSort(8 * type_.size, self.context)
        raise Unfollowed(f"a value of type `{type_.name}` in memory")

    def memory(self, root: str, type_: ScalarType) -> Any:
        """What an array holds before the launch, by byte offset."""
        key = f"{root}:{type_.kind.name}{type_.size}"
        return z3.Function(key, z3.BitVecSort(64, self.context), self.sort(type_))

    def function(self, name: str, args: Sequence[Any], sort: Any) -> Any:
        """A function without a meaning."""
        shape = ",".join(str(arg.sort()) for arg in args)
        if not args:
            return z3.Const(f"{name}:{sort}", sort)
        return z3.Function(f"{name}:{shape}:{sort}", *(arg.sort() for arg in args), sort)(*args)

    def either_way(self, name: str, args: Sequence[Any], sort: Any) -> Any:
        """A function of two that gives the same if they are exchanged."""
        found = self.function(name, args, sort)
        self.limits.append(found == self.function(name, tuple(reversed(args)), sort))
        return found

    def builtin(self, kind: str, axis: int) -> Any:
        """threadIdx and so on, 32 bits each, as far as the hardware lets them go."""
        known = self._builtins.get((kind, axis))
        if known is None:
            known = self._builtins[kind, axis] = self.bits(f"{kind}.{'xyz'[axis]}", 32)
            extent = {"threadIdx": "blockDim", "blockIdx": "gridDim"}.get(kind)
            most = {"blockDim": (1024, 1024, 64), "gridDim": ((1 << 31) - 1, 65535, 65535)}.get(kind)
            if extent is not None:
                self.limits.append(z3.ULT(known, self.builtin(extent, axis)))
            if kind == "blockIdx":  # the last thread of the grid has a number that is an int
                block = self.builtin("blockDim", axis)
                self.limits.append(z3.ULE(known * block, self.number((1 << 31) - 1, 32) - block))
            elif most is not None:
                self.limits += [z3.UGE(known, self.number(1, 32)), z3.ULE(known, self.number(most[axis], 32))]
        return known


REAL: Mapping[str, Any] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: a / b,
    "negated": lambda a: -a,
}
COMMON: Mapping[str, Any] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "&": lambda a, b: a & b,
    "|": lambda a, b: a | b,
    "^": lambda a, b: a ^ b,
    "==": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
}
SIGNED: Mapping[str, Any] = {
    "/": lambda a, b: a / b,
    "%": z3.SRem,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
UNSIGNED: Mapping[str, Any] = {
    "/": z3.UDiv,
    "%": z3.URem,
    "<": z3.ULT,
    "<=": z3.ULE,
    ">": z3.UGT,
    ">=": z3.UGE,
}
"""C's operators on bit vectors, and those of real numbers."""
