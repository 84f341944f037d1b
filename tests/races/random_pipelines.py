"""Random kernels whose threads fill and empty the stages of a pipeline: mostly as it should be, with one step or another left out, twice, moved or for some."""

from __future__ import annotations

import random

THREADS = 64
_HEAD = """#include <cooperative_groups.h>
#include <cuda/pipeline>
namespace cg = cooperative_groups;
"""
_INDEX = ("t", "t", "63 - t", "63 - t", "t ^ 32", "(t + 1) % 64", "t / 2")
_CONDITIONS = ("n > 3", "n != 2", "t < 32", "a[t] > 30000")


class _Drawn:
    """`careful`: how likely a step is as it should be."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.stages = self.rng.choice((1, 1, 2, 2, 2, 3))
        self.careful = self.rng.choice((0.9, 0.97, 1.0))
        self.ahead = self.rng.randint(0, self.stages - 1)
        self.buffers = self.stages if self.chance(0.8) else self.rng.randint(1, 4)
        self.places = self.rng.choice(("63 - t", *_INDEX))

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def buffer(self, number: str, off: int) -> str:
        """The buffer that stage `number` has."""
        off += 0 if self.chance(self.careful) else self.rng.choice((1, 1, 2))
        number = number if off == 0 else f"({number} + {off})"
        return f"s[{number} % {self.buffers}]" if self.buffers != 2 or self.chance(0.5) else f"s[{number} & 1]"

    def filled(self, number: str, off: int) -> list[str]:
        to, drawn = self.buffer(number, off), self.rng.random()
        if drawn < 0.35:
            store = f"cuda::memcpy_async(block, {to}, a + 64 * ({number} + {off}), sizeof(int) * 64, pipe);"
        elif drawn < 0.5:
            store = f"cuda::memcpy_async({to} + t, a + t + {number}, sizeof(int), pipe);"
        else:
            store = f"{to}[{self.rng.choice(('t', 't', *_INDEX))}] = x + {off + 1};"
        return ["pipe.producer_acquire();", store, "pipe.producer_commit();"]

    def emptied(self, number: str, off: int) -> list[str]:
        return ["pipe.consumer_wait();", f"x += {self.buffer(number, off)}[{self.places}];", "pipe.consumer_release();"]

    def changed(self, steps: list[str]) -> list[str]:
        """With steps left out, twice, exchanged or for some threads."""
        found: list[str] = []
        for step in steps:
            drawn = self.rng.random()
            if self.chance(self.careful) or drawn < 0.3:
                found.append(step)
            elif drawn < 0.45:
                found += [step, step]
            elif drawn < 0.55:
                found.append(f"if ({self.rng.choice(_CONDITIONS)}) {step}")
            elif drawn < 0.75 and found:
                found.insert(self.rng.randrange(len(found)), step)
            elif drawn < 0.85:
                found += [step, "__syncthreads();"]
        return found

    def round(self, number: str) -> list[str]:
        steps = [*self.filled(number, self.ahead), *self.emptied(number, 0)]
        if self.chance(0.1):
            condition, way = self.rng.choice(_CONDITIONS), self.rng.choice(("break", "continue", "return"))
            steps.insert(self.rng.randrange(len(steps) + 1), f"if ({condition}) {way};")
        return self.changed(steps)

    def loop(self, depth: int) -> list[str]:
        to, number = self.rng.choice(("n", "n", "n + 1", "2", "5")), f"k{depth}"
        inner = self.loop(depth + 1) if depth == 0 and self.chance(0.15) else []
        body, drawn = [*self.round(number), *inner], self.rng.random()
        if drawn < 0.1:
            return [f"{{ int {number} = 0; do {{", *body, f"}} while (++{number} < {to}); }}"]
        if drawn < 0.2:
            return [f"for (int {number} = 0;; {number}++) {{", f"if ({number} >= {to}) break;", *body, "}"]
        return [f"for (int {number} = 0; {number} < {to}; {number}++) {{", *body, "}"]

    def body(self) -> list[str]:
        found: list[str] = []
        for number in range(self.ahead):
            found += self.changed(self.filled(str(number), 0))
        if self.chance(0.1):
            found.append("if (n == 4) return;")
        found += self.loop(0)
        if self.chance(0.3):
            found += ["s[0][t] = 7;"]
        if self.chance(0.6):
            for number in range(self.ahead):
                found += self.changed(self.emptied(self.rng.choice(("n", "0")), number))
        return [*found, *(self.loop(0) if self.chance(0.2) else [])]


def random_pipeline_kernel(seed: int) -> str:
    """A kernel for blocks of 64 threads."""
    drawn = _Drawn(seed)
    body = "\n    ".join(drawn.body())
    return f"""{_HEAD}
//@ launch block=({THREADS})
__global__ void k(int *a, int n) {{
    __shared__ int s[4][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, {drawn.stages}> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    int t = threadIdx.x, x = t;
    {body}
    a[t] = x;
}}
"""
