"""Random loops with all sorts of ends, as text: quotients, differences of unsigned sizes, extremes, ways out at the start of a round, chunks
of threads, triangles, a rest behind an unrolled loop."""

from __future__ import annotations

import random
from dataclasses import dataclass

TYPES = ("int", "unsigned", "long long", "size_t")

SIZES = (
    "n", "n / {c}", "(n + {d}) / {c}", "n >> {s}", "(n + {d}) >> {s}", "n % {c}", "n - {a}", "n - m", "n / {c} + {a}", "(n - m) / {c}",
    "(n / {c}) * 2", "min(n, m)", "min(n / {c}, m)", "(n & ~{p})", "n / {c} / 2", "m + {a}", "n - n % {c}",
)  # fmt: skip
"""What a loop goes up to, of sizes n and m."""

LEAVING = (
    "",
    "",
    "if (i >= m) break;",
    "if (i > {a}) return;",
    "if (i == m) break;",
    "if (i >= m + t) return;",
    "if (i * 2 > n) { a[t] = 9; break; }",
)

STORES = (
    "a[i * 64 + t] = 1;",
    "a[t] += 1;",
    "a[t * 8 + i] = 1;",
    "if (i % {c}) a[t] = 1;",
    "if (t < m) a[i * 64 + t] = 1;",
    "if (i & 1) a[t] = 1; else a[t * 2] = 2;",
    "if (i % {c} == 1) a[t * 8] = 1;",
    "if (i < m) a[t] = 1; else a[t + i] = 2;",
    "if (i + 1 < n) { a[t] += 2; if (i & 1) a[t] = 1; }",
    "if (i == m) a[t] = 1; else if (i % 4 > 1) a[t * 2] = 4;",
    "if (2 * i + 3 > m) a[t] = 5;",
    "if (m < 3 * i) { if (i > 7) a[t] = 5; a[t * 8] = 6; }",
)


@dataclass(frozen=True)
class Drawn:
    """A kernel's text, and the values of n and m that are worth a run: without what is assumed not to happen."""

    text: str
    sizes: tuple[tuple[int, int], ...]


def loop(seed: int) -> Drawn:
    """One kernel of a block of 64 threads with `int *a` and two sizes."""
    draw = random.Random(seed)
    holes = {
        "c": draw.choice((2, 3, 4, 7, 16, 32)),
        "a": draw.choice((1, 2, 5)),
        "s": draw.choice((1, 2, 4)),
        "p": draw.choice((3, 7, 31)),
    }
    holes["d"] = draw.choice((holes["c"] - 1, 1, (1 << holes["s"]) - 1))
    kind = draw.choice(TYPES)
    body = _unrolled(draw, kind) if draw.random() < 0.15 else _plain(draw, kind)
    parameter = kind if draw.random() < 0.7 else draw.choice(TYPES)
    body = body.replace("min(", f"min<{kind}>(")
    inner = f"    {kind} t = threadIdx.x;\n{body}"
    for name, value in holes.items():
        inner = inner.replace("{" + name + "}", str(value))
    signature = f"(int *a, {parameter} n, {parameter} m)"
    if draw.random() < 0.3:
        text = f"__device__ void work{signature} {{\n{inner}}}\n__global__ void k{signature} {{\n    work(a, n, m);\n    a[threadIdx.x] = 3;\n}}\n"
    else:
        text = f"__global__ void k{signature} {{\n{inner}    a[t] = 3;\n}}\n"
    least = 0 if parameter in ("int", "long long") and kind in ("int", "long long") else 5
    pairs = {(draw.randint(least, 40), draw.randint(0, 45)) for _ in range(4)} | {
        (least, 0),
        (48, 3),
        (37, 37),
        (64, 64),
    }
    wraps = least > 0 and "n - m" in text
    return Drawn(text, tuple(sorted((n, min(n, m) if wraps else m) for n, m in pairs)))


def _plain(draw: random.Random, kind: str) -> str:
    end, start = draw.choice(SIZES), draw.choice(("0", "0", "0", "m", "t", "2"))
    step = draw.choice(("1", "1", "2", "{c}", "64"))
    way = draw.choice(("for", "for", "for", "while", "do", "down", "endless", "halves", "until", "until", "turning"))
    inside = f"{draw.choice(LEAVING)} {draw.choice(STORES)}"
    if way == "for" and draw.random() < 0.3:
        inner = draw.choice(
            ("j < i", "j < (n) / {c}", "j <= i", "j < n - i" if kind in ("int", "long long") else "j < i / 2")
        )
        own = draw.choice((*STORES, *(store.replace("i", "j").replace("jf", "if") for store in STORES)))
        inside = f"for ({kind} j = 0; {inner}; j++) {{ {own} }}"
    both = draw.choice(("", "", " && i < m"))
    match way:
        case "for":
            return f"    for ({kind} i = {start}; i < {end}{both}; i += {step}) {{ {inside} }}\n"
        case "while":
            return f"    {kind} i = {start};\n    while (i < {end}{both}) {{ {inside} i += {step}; }}\n"
        case "do":
            return f"    {kind} i = {start};\n    do {{ {inside} i += {step}; }} while (i < {end}{both});\n"
        case "down":
            return f"    for ({kind} i = {end}; i > {draw.choice(('0', '1', '3'))}; i--) {{ {inside} }}\n"
        case "until":
            return _until(draw, kind)
        case "turning":
            natural = kind in ("unsigned", "size_t")
            below = draw.choice(("i < {end}", f"i != ({kind})-1") if natural else ("i >= 0",))
            head = draw.choice((f"i = {end} - 1; {below}; --i", f"i = {end}; i-- > 0;"))
            return f"    for ({kind} {head}) {{ {draw.choice(STORES)} }}\n".replace("{end}", end)
        case "endless":
            return f"    {kind} i = {start};\n    for (;;) {{ if (i >= {end}) break; {inside} i += {step}; }}\n"
        case _:
            return f"    for ({kind} i = {end}; i > 0; i /= 2) {{ {inside} }}\n"


def _until(draw: random.Random, kind: str) -> str:
    """A loop whose counter comes to be what it is compared with."""
    store = draw.choice(STORES)
    return draw.choice(
        (
            f"    for ({kind} i = 0; i != n; ++i) {{ {store} }}\n",
            f"    for ({kind} i = 1; i != n + 1; ++i) {{ {store} }}\n",
            f"    for ({kind} i = 0; i != 2 * n; i += 2) {{ {store} }}\n",
            f"    for ({kind} i = n; i != 0; --i) {{ {store} }}\n",
            f"    for ({kind} i = n + m; i != m; --i) {{ {store} }}\n",
            f"    for ({kind} i = m; i != n + m; ++i) {{ for ({kind} j = m; j != i; ++j) {{ {store} }} }}\n",
            f"    {kind} r = n + 1;\n    while (r--) {{ a[t] += r; }}\n",
            f"    {kind} i = 0;\n    do {{ {store} ++i; }} while (i != n + 1);\n",
        )
    )


def _unrolled(draw: random.Random, kind: str) -> str:
    """A loop that does several things in a round, and one for the rest."""
    width = draw.choice((2, 3, 4, 8))
    end = draw.choice(("n", "m", "n / {c}"))
    test = draw.choice((f"i + {width - 1} < {end}", f"i + {width} <= {end}", f"i < ({end}) / {width} * {width}"))
    things = " ".join(f"a[(i + {k}) * 64 + t] = 1;" for k in range(width))
    rest = draw.choice(
        (f"for (; i < {end}; i++) a[i * 64 + t] = 1;", f"while (i < {end}) {{ a[i * 64 + t] = 1; ++i; }}")
    )
    return f"    {kind} i = 0;\n    for (; {test}; i += {width}) {{ {things} }}\n    {rest}\n"
