"""Idioms: what kernels do in shared memory, over several statements."""

from __future__ import annotations

from tests.compiled.program.scope import Scope
from tests.compiled.program.values import guard
from tests.compiled.tree import Block, Line, Node


def idiom(s: Scope) -> tuple[Node, ...]:
    """A tree, a tile, an array of a thread's own, a pointer that walks.  Stands where all threads of a block come to."""
    return s.one(_tree, _tile, _own_array, _phases, _walk, _lambda)(s)


def _tree(s: Scope) -> tuple[Node, ...]:
    """A reduction or a scan in shared memory."""
    a, k = s.name("s"), s.name("k")
    s.declared.append(f"@H{{{s.one('float', 'double', 'int', 'short')}|{a}|[1024]}}")
    t = s.lanes[0]
    head, test, mine, other = s.one(
        (f"for (int {k} = blockDim.x / 2; @L{{{k} > {s.one('0', '0', '16')}}}; @N{{{k}|-|{k} >>= 1}})", f"{t} < {k}", t, f"{t} + {k}"),
        (f"for (int {k} = 1; @L{{{k} < blockDim.x}}; @N{{{k}|+|{k} *= 2}})", f"{t} % (2 * {k}) == 0", t, f"{t} + {k}"),
        (f"for (unsigned {k} = 1; @L{{{k} < blockDim.x}}; @N{{{k}|+|{k} <<= 1}})", f"{t} >= {k}", t, f"{t} - {k}"),
        (f"for (int {k} = 1; @L{{{k} < blockDim.x}}; @N{{{k}|+|{k} *= 2}})", f"2 * {k} * {t} < blockDim.x", f"2 * {k} * {t}", f"2 * {k} * {t} + {k}"),
    )  # fmt: skip
    add = Line(f"@B{{{a}[{mine}]}} += @R{{{a}[{other}]}};")
    return (
        Line(f"@W{{{a}[{t}]}} = {t};"),
        Block("loop", head, (Line("__syncthreads();"), Block("if", f"if (@I{{{test}}})", (add,)))),
    )


def _tile(s: Scope) -> tuple[Node, ...]:
    """Written one way, read another way."""
    a, width = s.name("s"), s.one(16, 17, 32, 33, 64)
    kind = s.one("float", "double", "int", "short", "char", "float2", "float4")
    member = ".x" if kind[-1].isdigit() else ""
    s.declared.append(f"@H{{{kind}|{a}|[64][{width}]}}")
    x, y = f"threadIdx.x % {width}", f"(threadIdx.y + {s.of(s.even)}) % 64"
    there = s.one(
        f"[threadIdx.x % 64][threadIdx.y % {width}]", f"[(threadIdx.x + threadIdx.y) % 64][{x}]", f"[(threadIdx.x ^ threadIdx.y) % 16][{x}]",
        f"[threadIdx.x / 2 % 64][threadIdx.y * 2 % {width}]", f"[{y}][threadIdx.x * 3 % {width}]",
    )  # fmt: skip
    return (
        Line(f"@W{{{a}[{y}][{x}]{member}}} = {s.of(s.lanes)};"),
        Line("__syncthreads();"),
        Line(f"float {s.name('v')} = @R{{{a}{there}{member}}};"),
    )


def _own_array(s: Scope) -> tuple[Node, ...]:
    """A few numbers of a thread's own."""
    a, i, size = s.name("m"), s.name("i"), s.one(2, 3, 4, 8)
    name, _ = s.array(integer=True)
    x = s.of(s.lanes)
    fill = f"for (int {i} = 0; @L{{{i} < {size}}}; @N{{{i}|+|{i}++}})"
    read = Line(f"{a}[{i}] = @R{{{name}[{s.one(f'{x} + {i} * 32', f'{x} * {size} + {i}', f'{i}')}]}};")
    v = s.name("v")
    s.lanes.append(v)
    return (Line(f"int {a}[{size}];"), Block("loop", fill, (read,)), Line(f"int {v} = {a}[0] & 15;"))


def _phases(s: Scope) -> tuple[Node, ...]:
    """Warps that do different things between barriers."""
    name, kind = s.array()
    member = kind.members[0]
    x, y = s.of(s.lanes), s.of(s.lanes)
    return (
        Block("if", f"if (@I{{{guard(s, x)}}})", (Line(f"@W{{{name}[{x}]{member}}} = 1;"),)),
        Line("__syncthreads();"),
        Block("if", f"if (@I{{{guard(s, y)}}})", (Line(f"@W{{{name}[{y} + {s.of(s.even)}]{member}}} = 2;"),)),
    )


def _walk(s: Scope) -> tuple[Node, ...]:
    """A pointer that goes through an array."""
    name, kind = s.array()
    p, i, x, size = s.name("p"), s.name("i"), s.of(s.lanes), s.of(s.even)
    start = s.one(f"{name} + {x}", f"&{name}[{x} * {s.one('2', '4', size)}]", f"{name} + {size}")
    member = s.of(kind.members)
    place = f"(*{p}){member}" if member else f"*{p}"
    touch = s.one(f"@W{{{place}}} = 1;", f"@B{{{place}}} += 1;", f"@W{{{p}[{s.one('1', x, size)}]{member}}} = 2;")
    step = s.one(f"{p}++;", f"{p} += {s.one('32', 'blockDim.x', size)};", f"{p} = {p} + 8;")
    head = f"for (int {i} = 0; @L{{{i} < {s.one('3', size, f'{x} % 4', f'{size} / 8')}}}; @N{{{i}|+|{i}++}})"
    return (Line(f"{kind.type} *{p} = {start};"), Block("loop", head, (Line(touch), Line(step))))


def _lambda(s: Scope) -> tuple[Node, ...]:
    """An index that a function without a name computes."""
    f, v, x, size = s.name("f"), s.name("v"), s.of(s.lanes), s.of(s.even)
    body = s.one(f"i * {size} + {x}", f"i / 4 + {size}", f"(i ^ 5) + {x}", f"i < {size} ? i : {x}")
    made = Line(f"auto {f} = [{s.one('=', '&')}](int i) {{ return (int)({body}); }};")
    use = Line(f"int {v} = {f}({s.of(s.lanes)});")
    s.lanes.append(v)
    return (made, use)
