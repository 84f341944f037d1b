"""Random kernels as text, with what people's own have: bounds checks, nested loops of all kinds, early exits, gathers, wide and mixed elements, shared memory,
atomics, compound assignments, `?:` and `&&` around loads, and a function that is inlined several times.

The same seed gives the same kernel.  Each statement has a line of its own, so that annotations may stand above it."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from analysis_core.simulate.arguments import Argument, ArrayArgument

BLOCKS = ((32, 1, 1), (64, 1, 1), (48, 1, 1), (16, 4, 1), (8, 8, 1), (128, 1, 1))
N = (0, 1, 5, 31, 32, 33, 64, 100, 128, 200, 256)
W = (0, 1, 2, 3, 8, 16, 33)
_TWICE = """__device__ int f(const int *p, int j) {
    if (j % 2) return p[j];
    int z = 0;
    for (int q = 0; q < 2; q++) z += p[j + q];
    return z;
}
"""
_HEAD = "__global__ void k(int *out, const int *in, const double *wide, int *count, int n, int w) {"


@dataclass(frozen=True)
class Wild:
    """A kernel as lines of text, its block, and the numbers (from 0) of the lines of its signature and of its statements."""

    lines: tuple[str, ...]
    block: tuple[int, int, int]
    signature: int
    statements: tuple[int, ...]

    def text(self, above: Sequence[tuple[int, str]] = ()) -> str:
        """With comments above lines."""
        lines = [(at, 1, line) for at, line in enumerate(self.lines)] + [(at, 0, line) for at, line in above]
        return "\n".join(line for _, _, line in sorted(lines, key=lambda one: one[:2])) + "\n"


def wild(seed: int) -> Wild:
    """One kernel."""
    writing = _Writing(random.Random(seed))
    chance, before = writing.chance, _TWICE.splitlines()
    start = ["    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, y = threadIdx.y, v = i;"]
    start += ["    __shared__ int s[256];", "    __shared__ double s2[128];"] * writing.shared
    writing.block(["t", "i", "y"] if chance.random() < 0.5 else ["t", "i"], 2, 1)
    lines = (*before, _HEAD, *start, *writing.lines, "    out[i] = v;", "}")
    body = range(len(before) + 1 + len(start), len(lines) - 1)
    plain = (at for at in body if not lines[at].strip().startswith("}"))
    return Wild(lines, chance.choice(BLOCKS), len(before), tuple(plain))


def arguments(chance: random.Random, n: int, w: int) -> Iterator[dict[str, Argument]]:
    """The same sizes with arrays of three kinds: mixed, all zeros, far apart."""
    numbers = np.arange(1 << 16)
    for held in (numbers * 7919 % chance.choice((509, 7, 65521)), numbers * 0, numbers * 32 % 8192):
        yield {
            "out": ArrayArgument(np.zeros(1 << 16, np.int32)),
            "in": ArrayArgument(held.astype(np.int32)),
            "wide": ArrayArgument(held.astype(np.float64)),
            "count": ArrayArgument(np.zeros(1 << 16, np.int32)),
            "n": n,
            "w": w,
        }


@dataclass
class _Writing:
    chance: random.Random
    lines: list[str] = field(default_factory=list)
    shared: bool = False

    def __post_init__(self) -> None:
        self.shared = self.chance.random() < 0.5

    def index(self, names: list[str], deep: int = 2) -> str:
        chance, kind = self.chance, self.chance.randrange(8)
        if deep == 0 or kind < 2:
            return chance.choice(names)
        one = self.index(names, deep - 1)
        return (
            f"({one}) * {chance.choice((2, 3, 4, 8, 'w'))}",
            f"({one}) / {chance.choice((2, 4, 8, 32, 3))}",
            f"({one}) % {chance.choice((4, 8, 32, 5))}",
            f"(({one}) & {chance.choice((7, 15, 31, 3))})",
            f"(({one}) ^ 1)",
            f"{one} + {self.index(names, deep - 1)}",
        )[kind - 2]

    def condition(self, names: list[str]) -> str:
        chance = self.chance
        return chance.choice(
            (
                "i < n",
                f"t {chance.choice(('<', '>', '==', '>='))} {chance.choice((3, 16, 31, 32, 33, 40))}",
                f"({chance.choice(names)}) % {chance.choice((2, 3, 32))} == {chance.choice((0, 1))}",
                f"{self.index(names, 1)} < w",
                f"in[{self.index(names, 1)}] > 100",
                f"blockIdx.x == {chance.choice((0, 1))}",
                f"i < n && t != {chance.choice((0, 5))}",
            )
        )

    def access(self, names: list[str]) -> str:
        one, other, test = self.index(names), self.index(names, 1), self.condition(names)
        plain = (
            f"v += in[{one}];",
            f"v += in[{one}];",
            f"v += in[in[{other}]];",
            f"out[{one}] = v;",
            f"out[{one}] = v;",
            f"atomicAdd(&count[{one}], 1);",
            f"out[{one}] += v;",
            f"v += {test} ? in[{one}] : in[{other}];",
            f"if ({test} && in[{one}] > 50) out[{other}] = 1;",
            f"v += f(in, {one}) + f(in, {other});",
            f"v += ((const int4 *)in)[{one}].x + in[{one}];",
            f"v += wide[{one}];",
        )
        shared = (
            f"s[({one}) & 255] = v;",
            f"v += s[({one}) & 255];",
            f"atomicAdd(&s[({one}) & 255], 1);",
            f"s[({one}) & 255] *= 3;",
            f"s2[({one}) & 127] += v;",
        )
        return self.chance.choice((*plain, *shared) if self.shared else plain)

    def loop(self, names: list[str], k: str) -> str:
        return self.chance.choice(
            (
                f"for (int {k} = 0; {k} < w; {k}++)",
                f"for (int {k} = t; {k} < n; {k} += blockDim.x)",
                f"for (int {k} = 0; {k} < {self.chance.choice((2, 3, 5))}; {k}++)",
                f"for (int {k} = w; {k} > 0; {k} /= 2)",
                f"for (int {k} = i; {k} < n; {k} += gridDim.x * blockDim.x)",
                f"for (int {k} = 0; {k} < t / 8; {k}++)",
                f"for (int {k} = 0; {k} <= {names[-1]} % 7; {k} += 2)",
            )
        )

    def block(self, names: list[str], deep: int, indent: int, looped: bool = False) -> None:
        for _ in range(self.chance.randint(1, 3)):
            self.statement(names, deep, indent, looped)

    def statement(self, names: list[str], deep: int, indent: int, looped: bool) -> None:
        kind, before, chance = self.chance.randrange(10), "    " * indent, self.chance
        if kind < 5 or deep == 0:
            self.lines.append(before + self.access(names))
        elif kind < 7:
            self.lines.append(f"{before}if ({self.condition(names)}) {{")
            self.block(names, deep - 1, indent + 1, looped)
            if chance.random() < 0.3:
                self.lines.append(before + "} else {")
                self.block(names, deep - 1, indent + 1, looped)
            self.lines.append(before + "}")
        elif kind < 9:
            self.lines.append(f"{before}{self.loop(names, f'k{indent}')} {{")
            self.block([*names, f"k{indent}"], deep - 1, indent + 1, True)
            self.lines.append(before + "}")
        else:
            leave = chance.choice(("break", "continue", "return")) if looped else "return"
            self.lines.append(f"{before}if ({self.condition(names)}) {leave};")
