"""Random kernels whose threads wait at barrier objects: mostly as it should be, with one thing or another left out, twice, too early or for some."""

from __future__ import annotations

import random

THREADS = 64
_HEAD = """#include <cooperative_groups.h>
#include <cuda/barrier>
using barrier = cuda::barrier<cuda::thread_scope_block>;
"""
_INDEX = ("t", "t", "63 - t", "t ^ 1", "t ^ 32", "(t + 1) % 64", "t / 2")
_CONDITIONS = ("n > 3", "n > 3", "n != 2", "t < 32", "t == 0", "a[t] > 30000")


class _Drawn:
    """`careful`: how likely what is stored is waited for before and behind."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.objects = ("b0", "b1")[: self.rng.choice((1, 1, 2))]
        self.careful = self.rng.choice((0.5, 0.95, 1.0))
        self.tokens = 0

    def one_of(self, *choices: str) -> str:
        return self.rng.choice(choices)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def access(self) -> str:
        place = self.one_of(*_INDEX)
        return self.one_of(f"s[{place}] = x + {self.rng.randint(0, 9)};", f"x += s[{place}];")

    def waiting(self, in_loop: bool) -> list[str]:
        """A barrier of some kind."""
        name, drawn = self.one_of(*self.objects), self.rng.random()
        if drawn < 0.35:
            return [f"{name}.arrive_and_wait();"]
        if drawn < 0.42:
            return ["__syncthreads();"]
        self.tokens += 1
        token = self.tokens if self.chance(0.94) else max(1, self.tokens - 1)
        between = ["x *= 3;"] if self.chance(0.8) else [self.access()]
        if in_loop and self.chance(0.1):
            between.append(f"if ({self.one_of(*_CONDITIONS)}) {self.one_of('break', 'continue')};")
        last = [f"{name}.wait(std::move(q{token}));"] if self.chance(0.95) else []
        return [f"auto q{self.tokens} = {name}.arrive();", *between, *last]

    def statements(self, depth: int, in_loop: bool) -> list[str]:
        found: list[str] = []
        for _ in range(self.rng.randint(1, 4)):
            drawn = self.rng.random()
            if drawn < 0.6 or depth > 1:
                before = self.waiting(in_loop) if self.chance(self.careful) else []
                found += [*before, self.access(), *(self.waiting(in_loop) if self.chance(self.careful) else [])]
            elif drawn < 0.8:
                to = self.one_of("n", "2", "n + 1")
                found += [
                    f"for (int k{depth} = 0; k{depth} < {to}; k{depth}++) {{",
                    *self.statements(depth + 1, True),
                    "}",
                ]
            elif drawn < 0.97:
                found += [f"if ({self.one_of(*_CONDITIONS)}) {{", *self.statements(depth + 1, in_loop), "}"]
            else:
                found.append(f"if ({self.one_of(*_CONDITIONS)}) return;")
        return found

    def made(self) -> list[str]:
        found = []
        for name in self.objects:
            who = "t == 0" if self.chance(0.95) else "t == 0 && n > 3"
            count = 64 if self.chance(0.92) else self.rng.choice((32, 65))
            found += [f"__shared__ barrier {name};", f"if ({who}) init(&{name}, {count});"]
        return [*found, *(["__syncthreads();"] if self.chance(0.95) else [])]


def random_object_kernel(seed: int) -> str:
    """A kernel for blocks of 64 threads."""
    drawn = _Drawn(seed)
    body = "\n    ".join([*drawn.made(), *drawn.statements(0, False)])
    return f"""{_HEAD}
//@ launch block=({THREADS})
__global__ void k(int *a, int n) {{
    __shared__ int s[64];
    int t = threadIdx.x, x = t;
    {body}
    a[t] = x;
}}
"""
