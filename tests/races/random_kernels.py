"""Random kernels whose threads meet in shared memory, or do not: own elements and neighbours', barriers, sides of branches, loops with and
without barriers; and in global memory, several blocks."""

from __future__ import annotations

import random
from dataclasses import dataclass

THREADS, BLOCKS = 64, 3
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
_BLOCK = "cooperative_groups::this_thread_block()"
_TILES = "".join(f"    auto tile{n} = cooperative_groups::tiled_partition<{n}>({_BLOCK});\n" for n in (8, 16, 32))


@dataclass(frozen=True)
class Kind:
    """What kernels are made of: `arrays` and the `indexes` into them, `own` ones that are often apart; `mask`: how an index is kept in range."""

    arrays: str
    indexes: tuple[str, ...]
    own: tuple[str, ...]
    conditions: tuple[str, ...]
    strided: str
    mask: str


OF_BLOCK = Kind("su", _INDEX, _OWN, _CONDITION, _STRIDED, "({}) & 255")
OF_GRID = Kind(
    "gh",
    ("{v}", "i", "i", "i + 1", "i + 64", "i - t", "b", "i * 2 + 1", "n * b + t", "t * n + b", "b * n + {v}", "i * n", "gridDim.x * t + b", "i + n", "i % 64", "i ^ 1",
     "i ^ 64", "i / 2", "(b + 1) * 64 + t", "m + i", "i * m + n", "{v} * n + i", "0", "b * 64", "{v} + b", "191 - i", "i % 100", "t * gridDim.x + 5", "min(i, 70)"),
    ("i", "i", "i", "2 * i", "i + 64", "t * gridDim.x + b", "b * 64 + 63 - t", "i + n", "i * n", "n * b + t", "t * n + b", "i * m + n", "i * 3"),
    ("t < 1", "b == 0", "i == 0", "i < n", "t < n", "t + b < n", "i < 100", "b < n", "i % 2 == 0", "t == 63", "b == gridDim.x - 1", "n > 3", "i % n == 0"),
    "for (int {v} = i; {v} < 300 + n; {v} += blockDim.x * gridDim.x)", "{}",
)  # fmt: skip


class _Drawn:
    """`ordered`: how likely a barrier follows a statement."""

    def __init__(self, seed: int, kind: Kind) -> None:
        self.rng = random.Random(seed)
        self.kind = kind
        self.ordered = self.rng.choice((0.2, 0.75, 0.75, 0.75))
        self.counters = ["t", "t", "t"] if kind is OF_BLOCK else ["i", "i", "t"]
        self.loops = 0
        self.sides: list[str] = []

    def place(self, own: bool) -> str:
        index = self.rng.choice(self.kind.own if own else self.kind.indexes).format(v=self.rng.choice(self.counters))
        if self.sides and self.rng.random() < 0.6:
            index = f"({index}) % 64 + 64 * ({self.rng.choice(self.sides)})"
        return f"{self.rng.choice(self.kind.arrays)}[{self.kind.mask.format(index)}]"

    def access(self) -> str:
        value = self.rng.choice(("t", "x", "1", "x + t", "y[t]"))
        own = self.rng.random() < self.ordered
        return self.rng.choice((
            f"{self.place(own)} = {value};", f"{self.place(own)} = {value};", f"{self.place(own)} += {value};", f"x += {self.place(False)};",
            f"x += {self.place(False)};", f"atomicAdd(&{self.place(False)}, 1);",
            self.rng.choice(("__syncwarp();", "__syncwarp();", "tile8.sync();", "tile16.sync();", "tile32.sync();")),
        ))  # fmt: skip

    def statement(self, depth: int, uniform: bool) -> str:
        kind = self.rng.random()
        if depth and kind > 0.94:
            return self.rows()
        if depth == 0 or kind < 0.6:
            return self.access()
        if kind < 0.75:
            other = f" else {{ {self.access()} }}" if self.rng.random() < 0.4 else ""
            return f"if ({self.rng.choice(self.kind.conditions)}) {{ {self.access()} }}{other}"
        strided = self.rng.random() < 0.25
        self.loops += 1
        counter = f"k{self.loops}"
        head = self.kind.strided if strided else self.rng.choice(_UNIFORM)
        self.counters.append(counter)
        turns = not strided and self.rng.random() < 0.4
        self.sides += [f"p{counter}", f"p{counter} ^ 1"] if turns else []
        body = self.body(depth - 1, uniform and not strided)
        self.counters.remove(counter)
        if not turns:
            return f"{head.format(v=counter)} {{ {body} }}"
        del self.sides[-2:]
        turned = self.rng.choice((f"p{counter} ^= 1;", f"p{counter} = 1 - p{counter};"))
        return f"int p{counter} = 0; {head.format(v=counter)} {{ {body} {turned} }}"

    def rows(self) -> str:
        """A loop of few rounds over rows of some pitch, of which columns are apart or not."""
        self.loops += 1
        counter, pitch = f"k{self.loops}", self.rng.choice((16, 32, 40, 63, 64, 65, 66, 128))
        column = self.rng.choice(
            ("t", "t / 2 + t % 2 * 32", "t % 32 * 2", "t ^ 5", "t * 2", "t / 4 * 4 + t % 2", "63 - t")
        )
        more = self.rng.choice(("n", "3", "2"))
        place = f"{self.kind.arrays[0]}[{self.kind.mask.format(f'{column} + {counter} * {pitch}')}]"
        return (
            f"for (int {counter} = 0; {counter} < {more} && {counter} < 3; {counter}++) {{ {place} = t + {counter}; }}"
        )

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
    body = _Drawn(seed, OF_BLOCK).body(2, True)
    return (
        f"__global__ void k(int *o, const int *y, int n) {{\n    __shared__ int s[256], u[256];\n    int t = threadIdx.x, x = 0;\n{_TILES}"
        f"    {body}\n    o[t] = x;\n}}\nvoid run(int *o, const int *y, int n) {{ k<<<1, {THREADS}>>>(o, y, n); }}\n"
    )


def random_grid_kernel(seed: int) -> str:
    """A kernel of several blocks and the function that launches it."""
    drawn = _Drawn(seed, OF_GRID)
    body = drawn.body(2, True)
    blocks = drawn.rng.choice((str(BLOCKS), "n", "m / 64"))
    return (
        f"__global__ void k(int *g, int *h, int *y, int n, int m) {{\n    int t = threadIdx.x, b = blockIdx.x, i = b * blockDim.x + t, x = 0;\n{_TILES}"
        f"    {body}\n    y[i] = x;\n}}\nvoid run(int *g, int *h, int *y, int n, int m) {{ k<<<{blocks}, {THREADS}>>>(g, h, y, n, m); }}\n"
    )
