"""Functions of the device that a kernel calls: by value, by reference, by pointer; templates; members; with loops and early returns.

A function's calls are texts in which INDEX is any integer, SIZE one that a block shares, and PLACE an `int` in memory; one that begins
with "= " gives an `int`."""

from __future__ import annotations

from tests.compiled.program.moved import moved
from tests.compiled.program.scope import Kind, Scope
from tests.compiled.program.values import condition, value
from tests.compiled.tree import Block, Line, Node


def functions(s: Scope) -> tuple[Node, ...]:
    """Some definitions; what calls them is added to the scope."""
    made = [make(s) for make in s.rng.sample(_ALL, s.one(0, 1, 1, 2, 2, 3))]
    return tuple(node for nodes in made for node in nodes)


def records(s: Scope) -> tuple[Node, ...]:
    """Some structures whose arrays the kernel may have."""
    nodes: list[Node] = []
    for _ in range(s.one(0, 0, 1, 1, 2)):
        name = f"S{len(s.records)}"
        types = [
            s.one("int", "char", "short", "double", "float2", "float", "unsigned char", "float4", "long long")
            for _ in range(s.one(2, 3, 3, 4))
        ]
        members = [(t, chr(ord("a") + i), s.one("", "", "", "[3]")) for i, t in enumerate(types)]
        nodes.append(
            Block("record", f"struct {name}", tuple(Line(f"{t} {m}{extent};") for t, m, extent in members), ";")
        )
        pieces = moved([(t, 3 if extent else 1) for t, _, extent in members])
        parts = " ".join(f"t.one((const char *)&s + {offset}, {bytes});" for offset, bytes in pieces)
        nodes.append(Line(f"@O{{inline void parts(const {name} &s, wc::Touch &t) {{ {parts} }}}}"))
        plain = [f".{m}" + ("[1]" if extent else "") for t, m, extent in members if not t[-1].isdigit()]
        s.records.append(Kind(name, 1, False, False, tuple(plain) or (f".{members[0][1]}.x",)))
    return tuple(nodes)


def _integers(s: Scope, *names: str) -> Scope:
    """A scope with nothing but some integers in view."""
    return Scope(s.rng, list(names), list(names))


def _by_value(s: Scope) -> tuple[Node, ...]:
    f = s.name("f")
    inner = _integers(s, "i", "n")
    s.functions += [f"= @C{{{f}|INDEX, SIZE}} & 63"] * 2
    body = (
        Block("if", f"if (@I{{{condition(inner, 1)}}})", (Line(f"return {value(inner, 1)};"),)),
        Line(f"return {value(inner, 2)};"),
    )
    return (Block("function", f"__device__ int {f}@F{{int i, int n}}", body),)


def _by_reference(s: Scope) -> tuple[Node, ...]:
    f = s.name("f")
    s.functions.append(f"@C{{{f}|PLACE, INDEX}};")
    body = (Block("if", f"if (@I{{v > {s.one('3', '20')}}})", (Line("@W{r} = v;"),)), Line("@B{r} += 1;"))
    return (
        Block("function", f"__device__ void {f}@F{{int &r, int v}}", body if s.chance(0.5) else (Line("@W{r} = v;"),)),
    )


def _by_pointer(s: Scope) -> tuple[Node, ...]:
    f = s.name("f")
    name, kind = s.array(integer=True)
    inner = _integers(s, "i", "n")
    s.functions.append(f"= @C{{{f}|{name}, INDEX, SIZE}} & 31")
    body: tuple[Node, ...] = (Line(f"return @R{{p[{value(inner, 1)}]}};"),)
    if s.chance(0.5):
        body = (Block("if", f"if (@I{{{condition(inner, 1)}}})", (Line("return 0;"),)), *body)
    return (Block("function", f"__device__ int {f}@F{{{kind.type} *p, int i, int n}}", body),)


def _with_loop(s: Scope) -> tuple[Node, ...]:
    f = s.name("f")
    name, kind = s.array(integer=True)
    s.functions.append(f"= @C{{{f}|{name}, INDEX, SIZE}} & 15")
    head = f"for (int k = {s.one('0', 'i & 7', '1')}; @L{{k < {s.one('n', '6', 'n / 4')}}}; @N{{k|+|k += {s.one('1', '2', '8')}}})"
    leave: tuple[Node, ...] = (
        Block("if", f"if (@I{{{s.one('k > i', 'sum > 200', 'k == 5')}}})", (Line("return sum;"),)),
    )
    read = Line(f"sum += @R{{p[{s.one('i + k', 'i * 4 + k', 'k', 'k * n + i')}]}} & 7;")
    body = (Line("int sum = 0;"), Block("loop", head, (read, *(leave if s.chance(0.4) else ()))), Line("return sum;"))
    return (Block("function", f"__device__ int {f}@F{{{kind.type} *p, int i, int n}}", body),)


def _template(s: Scope) -> tuple[Node, ...]:
    f = s.name("f")
    name, _ = s.array(integer=True)
    for size in s.rng.sample((2, 4, 8, 32), 2):
        s.functions.append(f"= @C{{{f}<{size}>|{name}, INDEX}} & 31")
    body = Line(f"return @R{{p[{s.one('i / N', 'i * N', 'i % N', 'i & (N - 1)', 'i + N')}]}};")
    return (Block("function", f"template <int N, typename T> __device__ T {f}@F{{T *p, int i}}", (body,)),)


def _members(s: Scope) -> tuple[Node, ...]:
    """A view of an array with a pitch, made where it is used."""
    f = s.name("View")
    name, kind = s.array(integer=True)
    v = f.lower()
    place = Line("return p[r * pitch + c];")
    s.functions.append(f"{{ {f} {v}; {v}.p = {name}; {v}.pitch = SIZE; @W{{@C{{{v}.at|INDEX, INDEX}}}} = 1; }}")
    s.functions.append(f"{{ {f} {v} = {{{name}, SIZE}}; @W{{{v}[INDEX]}} = 1; }}")
    members = (
        Line(f"{kind.type} *p;"),
        Line("int pitch;"),
        Block("function", f"__device__ {kind.type} &at@F{{int r, int c}}", (place,)),
        Block("operator", f"__device__ {kind.type} &operator[](int i)", (Line(f"return p[i {s.one('* pitch', '+ pitch')}];"),)),
    )  # fmt: skip
    return (Block("record", f"struct {f}", members, ";"),)


def _file_array(s: Scope) -> tuple[Node, ...]:
    """An array of the file itself."""
    name = s.name("d")
    kind = s.one("int", "float", "short")
    s.functions.append(f"@W{{{name}[(INDEX) & 255]}} = 1;")
    return (Line(f"@D{{{kind}|{name}|[256]}}"),)


def _derived(s: Scope) -> tuple[Node, ...]:
    """A class with a constructor and a base, whose members compute where to store."""
    base, f = s.name("Base"), s.name("Rows")
    name, kind = s.array(integer=True)
    r = f.lower()
    inner = _integers(s, "i", "pitch")
    s.functions.append(f"{{ {f} {r}({name}, SIZE); @C{{{r}.put|INDEX}}; }}")
    s.functions.append(f"{{ {f} {r}({name}, SIZE); const {base} &b = {r}; @W{{{name}[@C{{b.at|INDEX}}]}} = 1; }}")
    return (
        Block(
            "record",
            f"struct {base}",
            (Line("int pitch;"), Block("function", "__device__ int at@F{int i} const", (Line(f"return {value(inner, 1)};"),))),
            ";",
        ),
        Block(
            "record",
            f"class {f} : public {base}",
            (
                Line(f"{kind.type} *p;"),
                Line(f"public: __device__ {f}({kind.type} *q, int n) : p(q) {{ pitch = n; }}"),
                Block("function", "__device__ void put@F{int i}", (Line("@W{p[@C{at|i}]} = 1;"),)),
            ),
            ";",
        ),
    )  # fmt: skip


_ALL = (_by_value, _by_reference, _by_pointer, _with_loop, _template, _members, _file_array, _derived)
