"""Random kernels whose threads meet in shared memory, or do not: own elements and neighbours', barriers, sides of branches, loops with and
without barriers."""

from __future__ import annotations

import random

THREADS = 64
_INDEX = (
    "{v}", "{v}", "{v} + 1", "{v} + 31", "{v} + 32", "{v} ^ 1", "{v} ^ 32", "{v} ^ 33", "63 - {v}", "2 * {v}", "2 * {v} + 1", "{v} / 2",
    "{v} % 8", "{v} % 32", "{v} * 3", "{v} * 33", "{v} & 62", "{v} + n", "({v} + 7) % 64", "{v} >> 5", "n * {v}", "min({v}, 5)", "0", "40",
)  # fmt: skip
_OWN = ("{v}", "{v}", "{v}", "2 * {v}", "{v} ^ 32", "63 - {v}", "{v} + 64", "{v} * 3", "n * {v}", "{v} + n")
_CONDITION = (
    "t < 1", "t < 16", "t < 32", "t < 33", "t == 0", "t == 32", "t % 2 == 0", "t % 32 == 0", "t >= 32", "t < n", "n > 3", "t / 32 == 0",
)  # fmt: skip
_UNIFORM = (
    "for (int {v} = 0; {v} < 2; {v}++)", "for (int {v} = 0; {v} < n; {v}++)", "for (int {v} = 32; {v} > 0; {v} >>= 1)",
    "for (int {v} = 1; {v} < 64; {v} *= 2)",
)  # fmt: skip
_STRIDED = "for (int {v} = t; {v} < 128; {v} += 64)"
BARRIER = "__syncthreads();"


class _Drawn:
    """`ordered`: how likely a barrier follows a statement."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.ordered = self.rng.choice((0.2, 0.75, 0.75, 0.75))
        self.counters = ["t", "t", "t"]
        self.loops = 0

    def place(self, own: bool) -> str:
        index = self.rng.choice(_OWN if own else _INDEX).format(v=self.rng.choice(self.counters))
        return f"{self.rng.choice('su')}[({index}) & 255]"

    def access(self) -> str:
        value = self.rng.choice(("t", "x", "1", "x + t", "y[t]"))
        own = self.rng.random() < self.ordered
        return self.rng.choice((
            f"{self.place(own)} = {value};", f"{self.place(own)} = {value};", f"{self.place(own)} += {value};", f"x += {self.place(False)};",
            f"x += {self.place(False)};", f"atomicAdd(&{self.place(False)}, 1);", "__syncwarp();",
        ))  # fmt: skip

    def statement(self, depth: int, uniform: bool) -> str:
        kind = self.rng.random()
        if depth == 0 or kind < 0.6:
            return self.access()
        if kind < 0.75:
            other = f" else {{ {self.access()} }}" if self.rng.random() < 0.4 else ""
            return f"if ({self.rng.choice(_CONDITION)}) {{ {self.access()} }}{other}"
        strided = self.rng.random() < 0.25
        self.loops += 1
        counter = f"k{self.loops}"
        head = _STRIDED if strided else self.rng.choice(_UNIFORM)
        self.counters.append(counter)
        body = self.body(depth - 1, uniform and not strided)
        self.counters.remove(counter)
        return f"{head.format(v=counter)} {{ {body} }}"

    def body(self, depth: int, uniform: bool) -> str:
        """`uniform`: all threads come here."""
        made = []
        for _ in range(self.rng.randint(1, 4)):
            made.append(self.statement(depth, uniform))
            if uniform and self.rng.random() < self.ordered:
                made.append(BARRIER)
        return " ".join(made)


def random_kernel(seed: int) -> str:
    """A kernel and the function that launches it with `THREADS` threads."""
    body = _Drawn(seed).body(2, True)
    return (
        "__global__ void k(int *o, const int *y, int n) {\n    __shared__ int s[256], u[256];\n    int t = threadIdx.x, x = 0;\n"
        f"    {body}\n    o[t] = x;\n}}\nvoid run(int *o, const int *y, int n) {{ k<<<1, {THREADS}>>>(o, y, n); }}\n"
    )
