"""Random kernels with random claims: variables, sides of branches, loops, returns, cells of shared and global memory, several blocks."""

from __future__ import annotations

import random

THREADS, BLOCKS = 64, 2
_NUMBERS = ("0", "1", "2", "3", "7", "31", "32", "63", "64", "-1")
_LEAVES = ("t", "t", "i", "i", "b", "n", "n", "m", "x", "x", "y", "y", "threadIdx.x", "blockDim.x", "u")
_RELATIONS = ("<", "<=", "==", "!=", ">=", ">")
_PLACES = ("a[i]", "a[i]", "a[i + 1]", "a[n]", "s[t]", "s[t]", "s[63 - t]", "s[x & 63]", "s[0]", "a[2 * i]")


class _Drawn:
    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.counters: list[str] = []
        self.loops = 0

    def term(self, depth: int = 2) -> str:
        rng = self.rng
        if depth == 0 or rng.random() < 0.3:
            return rng.choice((*_LEAVES, *self.counters * 4)) if rng.random() < 0.7 else rng.choice(_NUMBERS)
        op = rng.choice(("+", "+", "-", "-", "*", "/", "%", "&", ">>", "min", "max", "^", "?"))
        left, right = self.term(depth - 1), self.term(depth - 1)
        if op in ("min", "max"):
            return f"{op}((int)({left}), (int)({right}))" if self.casts else f"{op}({left} - 0, {right} - 0)"
        if op in ("/", "%"):
            return f"({left}) {op} {rng.choice(('2', '3', '8', '32'))}"
        if op == ">>":
            return f"({left} & 255) >> {rng.choice('123')}"
        if op == "*":
            return f"({left}) * {rng.choice(('2', '3', left))}"
        if op == "?":
            return f"({left} < {right} ? {left} : {right})"
        return f"({left} {op} {right})"

    casts = False

    def condition(self) -> str:
        rng = self.rng
        one = f"{self.term()} {rng.choice(_RELATIONS)} {self.term()}"
        if rng.random() < 0.3:
            return f"{one} {rng.choice(('&&', '||'))} {self.term(1)} {rng.choice(_RELATIONS)} {self.term(1)}"
        return one

    def likely(self, known: str) -> str:
        """A claim that has a chance to hold where `known` does."""
        rng = self.rng
        return rng.choice(
            (
                known,
                f"({known}) || {self.condition()}",
                self.condition(),
                f"t >= 0 && t < {THREADS} && i >= b",
                f"x == {rng.choice(('x', 'y', 't', '2 * t', 'n'))}",
                f"{rng.choice(_PLACES)} {rng.choice(('==', '==', '>=', '<'))} {rng.choice(('x', 'y', 't', 'i + n', '0'))}",
                f"(x & 31) {rng.choice(('< 32', '>= 0', '!= 5'))}",
            )
        )

    def statements(self, depth: int, known: str) -> list[str]:
        rng, found = self.rng, []
        for _ in range(rng.randint(1, 4)):
            kind = rng.choice(("set", "set", "claim", "claim", "store", "if", "for", "load", "sync", "return", "while"))
            if kind == "set":
                found.append(f"{rng.choice('xy')} {rng.choice(('=', '=', '+=', '-='))} {self.term()};")
            elif kind == "claim":
                found.append(f"//@ assert {self.likely(known)}\n")
            elif kind == "store":
                found.append(f"{rng.choice(_PLACES)} = {rng.choice(('x', 'y', 't', 'i + n', self.term()))};")
                if rng.random() < 0.6:
                    place, value = found[-1][:-1].split(" = ", 1)
                    found.append(f"//@ assert {place} == {value}\n")
            elif kind == "load":
                found.append(f"{rng.choice('xy')} = {rng.choice(_PLACES)};")
            elif kind == "sync" and depth == 0:
                found.append("__syncthreads();")
            elif kind == "return" and rng.random() < 0.3 and depth > 0:
                found.append("return;")
                break
            elif kind == "if" and depth < 3:
                test = self.condition()
                then = self.statements(depth + 1, test)
                found += [f"if ({test}) {{", f"//@ assert {self.likely(test)}\n", *then, "}"]
                if rng.random() < 0.4:
                    found += ["else {", *self.statements(depth + 1, f"!({test})"), "}"]
            elif kind == "for" and depth < 2:
                k = f"k{self.loops}"
                self.loops += 1
                end = rng.choice(("n", "m", "t", "4", "10", "x & 7"))
                self.counters.append(k)
                inner = self.statements(depth + 1, f"{k} >= 0 && {k} < {end}")
                self.counters.pop()
                step = rng.choice(("++", "++", " += 2", " += 3"))
                found += [f"for (int {k} = {rng.choice(('0', '1', 't'))}; {k} < {end}; {k}{step}) {{", *inner, "}"]
            elif kind == "while" and depth < 2:
                found += ["while (u > 1) {", "//@ assert u >= 2\n", "u >>= 1;", "}", "//@ assert u <= 1\n"]
        return found


def random_claims(seed: int) -> str:
    """A kernel of two sizes, an array of global and one of shared memory."""
    drawn = _Drawn(seed)
    body = "\n    ".join(
        [*drawn.statements(0, "n >= 0"), *drawn.statements(0, "m >= 0"), f"//@ assert {drawn.likely('i >= t')}\n"]
    )
    ensures = f"//@ ensures {drawn.rng.choice(('n >= 0', 'a[0] == a[0]', 'n + m >= m', 'threadIdx.x < 64 && n < 7'))}\n"
    requires = drawn.rng.choice(("", "", "//@ requires n >= 1\n", "//@ assume n <= 40 && m >= 2\n"))
    return f"""{ensures}{requires}__global__ void k(int *a, int n, int m) {{
    __shared__ int s[64];
    int t = threadIdx.x, b = blockIdx.x, i = b * 64 + t, x = t, y = n;
    unsigned u = n;
    s[t] = 2 * t;
    {body}
    a[i] = x + y + s[t] + u;
}}
void run(int *a, int n, int m) {{ k<<<2, 64>>>(a, n, m); }}
"""
