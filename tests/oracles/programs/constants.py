"""Constant expressions: C's arithmetic, enumerators, static members, loops in functions that are run while compiling."""

from __future__ import annotations

import random

from tests.oracles.programs.text import INTEGERS, Writer

_LITERALS = ("0", "1", "2", "3", "7", "31", "32", "100", "255", "256", "65535", "2147483647", "4294967295u", "1ull", "0x7f", "'a'", "'\\0'",
             "'\\xff'", "true", "010", "0b101", "1'000", "-1", "5l", "6ul", "7ll", "3.7", "2.5f")  # fmt: skip
_BINARY = ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&&", "||")


def write(random: random.Random) -> Writer:
    w = Writer(random, feature="arithmetic")
    names = _named(w)
    for _ in range(random.randint(1, 2)):
        _function(w, names)
    if w.chance(0.5):
        _recursive(w)
    for _ in range(random.randint(5, 9)):
        e = expression(w, names, random.randint(1, 4))
        w.ask(
            w.pick(
                f"(long long)({e})",
                f"sizeof({e})",
                f"(long long)({e})",
                f"constexpr auto x = {e}; return (long long)x * 2;",
            )
        )
    for _ in range(random.randint(0, 2)):
        e = expression(w, names, 2)
        w.ask(f"char a[((unsigned long long)({e}) & 15) + 1]{{}}; return sizeof(a);")
    return w


def expression(w: Writer, names: list[str], depth: int) -> str:
    """A random expression of constants."""
    if depth == 0 or w.chance(0.12):
        return w.random.choice(names) if names and w.chance(0.4) else w.pick(*_LITERALS)
    kind = w.random.random()
    if kind < 0.1:
        return f"{w.pick('-', '~', '!', '+')}({expression(w, names, depth - 1)})"
    if kind < 0.25:
        return f"({w.pick(*INTEGERS, 'bool', 'float', 'double')})({expression(w, names, depth - 1)})"
    if kind < 0.32:
        return f"({expression(w, names, depth - 1)} ? {expression(w, names, depth - 1)} : {expression(w, names, depth - 1)})"
    if kind < 0.38:
        return w.pick(
            "sizeof(int)", "sizeof(char[3])", "alignof(double)", "sizeof('a')", "sizeof(1 ? 'a' : 2)", "sizeof(1.f)"
        )
    op = w.pick(*_BINARY)
    left, right = expression(w, names, depth - 1), expression(w, names, depth - 1)
    if op in ("<<", ">>"):
        return f"({left} {op} ({w.random.randint(0, 9)}))"
    return f"({left} {op} {right})"


def _named(w: Writer) -> list[str]:
    names: list[str] = []
    enum = w.name("E")
    items = []
    for _ in range(w.random.randint(2, 4)):
        name = w.name("e")
        items.append(name if w.chance(0.5) else f"{name} = {w.pick('5', '1 << 4', '-3', '0x10')}")
        names.append(name)
    w.add(
        f"enum {enum}{w.pick('', ' : short', ' : unsigned char', ' : long')} {{ {', '.join(items)} }};"
        if all("-" not in i for i in items)
        else f"enum {enum} {{ {', '.join(items)} }};"
    )
    for _ in range(w.random.randint(1, 3)):
        name = w.name("k")
        w.add(
            f"{w.pick('constexpr', 'const', 'static const', 'static constexpr', 'inline constexpr')} {w.integer()} {name} = {w.pick(*_LITERALS[:12])};"
        )
        names.append(name)
    owner, member, other = w.name("S"), w.name("k"), w.name("k")
    w.add(
        f"struct {owner} {{ static constexpr {w.integer()} {member} = {w.random.randint(1, 50)}; enum {{ {other} = {member} * 2 }}; }};"
    )
    names += [f"{owner}::{member}", f"{owner}::{other}"]
    if w.chance(0.5):
        scoped = w.name("F")
        w.add(f"enum class {scoped} : {w.integer()} {{ a = {w.random.randint(0, 9)}, b, c = b + 3 }};")
        names.append(f"(int){scoped}::{w.pick('a', 'b', 'c')}")
    return names


def _function(w: Writer, names: list[str]) -> None:
    name, n = w.name("f"), w.random.randint(2, 9)
    a, b = w.integer(), w.integer()
    body = w.pick(
        f"{a} s = 0; for (int i = 0; i < {n}; ++i) s += i * x; return s;",
        f"{a} s = 1; while (x > 1) {{ s *= 2; x /= 2; if (s > 64) break; }} return s;",
        f"{a} s = 0; do {{ if (x % 2) continue; s += x; }} while (--x > 0 && s < 90); return s;",
        f"if (x < {n}) return {expression(w, names, 1)}; else return x - {n};",
        "switch (x & 3) { case 0: return 4; case 1: x += 2; default: x += 3; break; case 2: return 9; } return x;",
        f"int t[4] = {{1, 2, 3}}; t[3] = x; {a} s = 0; for (int v : t) s = s * 3 + v; return s;",
        f"{a} y = x++; return y * 10 + x--;",
        f"{a} y = x; y <<= 2; y ^= 5; y -= x; return y;",
        f"auto g = [&]({b} z) {{ x += z; return x * 2; }}; return g({n}) + x;",
        f"{a} s{{}}; for ({b} i = {n}; i > 0; i -= 2, s += 1) s += i; return s;",
        f"int y = {n}; int *p = &y; *p += x; int &r = y; r *= 2; return y + (p == &r);",
    )
    w.add(f"{w.pick('FN', 'CF')} {w.pick('int', 'long', 'unsigned', a)} {name}({b} x) {{ {body} }}")
    for _ in range(2):
        w.ask(f"{name}({w.random.randint(0, 40)})")
    names.append(f"{name}({w.random.randint(0, 9)})")


def _recursive(w: Writer) -> None:
    name, n = w.name("g"), w.random.randint(1, 8)
    w.add(
        f"CF int {name}(int n) {{ return n <= {w.pick('0', '1')} ? 1 : n {w.pick('*', '+')} {name}(n - {w.pick('1', '2')}); }}"
    )
    w.ask(f"constexpr int v = {name}({n}); return v;")
    w.ask(f"char a[{name}(2) + 1]{{}}; return sizeof(a);")
