"""Loops of all shapes: their heads, and what has to stand in their bodies for them to end."""

from __future__ import annotations

from collections.abc import Callable

from tests.compiled.program.scope import Scope
from tests.compiled.program.values import condition, leaf, number, small, value
from tests.compiled.tree import Block, Line, Node

Body = Callable[[Scope], tuple[Node, ...]]


def loop(s: Scope, body: Body) -> tuple[Node, ...]:
    """A loop around some statements, which are asked for with its counter in view."""
    shapes = (_up, _down, _powers, _grid_stride, _counted_down, _while, _do, _endless, _two_counters)
    return s.rng.choices(shapes, (40, 12, 10, 12, 8, 8, 5, 6, 4))[0](s, body)


def _bound(s: Scope) -> str:
    size = s.of(s.even)
    return s.one(size, size, small(s), f"{size} - {leaf(s)}", f"({value(s, 1)} & 31)", f"min((int)({size}), {number(s)})",
                 f"{size} / 2", f"({size} + 31) / 32", f"{size} + {s.of(s.even)}", s.of(s.lanes))  # fmt: skip


def _start(s: Scope) -> str:
    return s.one("0", "0", "0", "1", s.of(s.lanes), f"({value(s, 1)} & 15)", s.of(s.even))


def _type(s: Scope) -> str:
    return s.one("int", "int", "int", "unsigned", "short", "long long", "size_t", "unsigned char")


def _round(s: Scope, body: Body, *counters: str) -> tuple[Node, ...]:
    """The statements of a round; maybe some lanes leave it or the loop."""
    with s.inside(in_loop=True):
        s.lanes += [*counters, *counters]
        leave: tuple[Node, ...] = ()
        if s.chance(0.15):
            leave = (Block("if", f"if (@I{{{condition(s, 1)}}})", (Line(s.one("break;", "continue;", "break;")),)),)
        nodes = body(s)
    return (*leave, *nodes) if s.chance(0.6) else (*nodes, *leave)


def _for(s: Scope, type_: str, name: str, start: str, test: str, sign: str, step: str, body: Body) -> tuple[Node, ...]:
    head = f"for ({type_} {name} = @Z{{{type_}|{name}|{start}}}; @L{{{test}}}; @N{{{name}|{sign}|{step}}})"
    return (Block("loop", head, _round(s, body, name)),)


def _up(s: Scope, body: Body) -> tuple[Node, ...]:
    i = s.name("i")
    step = s.one(f"{i}++", f"++{i}", f"{i} += {small(s)}", f"{i} += blockDim.x", f"{i} += k0", f"{i} += 32")
    return _for(s, _type(s), i, _start(s), f"{i} {s.one('<', '<', '<', '<=', '!=')} {_bound(s)}", "+", step, body)


def _down(s: Scope, body: Body) -> tuple[Node, ...]:
    i = s.name("i")
    step = s.one(f"{i}--", f"{i} -= {small(s)}", f"{i} /= 2", f"{i} >>= 1")
    test = f"{i} {s.one('>', '>', '>=')} {s.one('0', '2', '1', leaf(s))}"
    return _for(s, s.one("int", "int", "unsigned", "long long"), i, _bound(s), test, "-", step, body)


def _powers(s: Scope, body: Body) -> tuple[Node, ...]:
    i = s.name("i")
    test = f"{i} {s.one('<', '<=')} {s.one(s.of(s.even), '40', 'blockDim.x')}"
    return _for(
        s,
        s.one("int", "int", "unsigned"),
        i,
        s.one("1", "1", "2", "k0"),
        test,
        "+",
        s.one(f"{i} *= 2", f"{i} <<= 1", f"{i} *= 3"),
        body,
    )


def _grid_stride(s: Scope, body: Body) -> tuple[Node, ...]:
    i = s.name("i")
    step = s.one("gridDim.x * blockDim.x", "blockDim.x", "64", "32")
    start = s.one("blockIdx.x * blockDim.x + threadIdx.x", "threadIdx.x", s.of(s.lanes))
    return _for(s, s.one("int", "int", "unsigned"), i, start, f"{i} < {s.of(s.even)}", "+", f"{i} += {step}", body)


def _counted_down(s: Scope, body: Body) -> tuple[Node, ...]:
    i = s.name("i")
    head = f"while (@L{{{i}-- > {s.one('0', '0', leaf(s))}}})"
    return (Line(f"int {i} = {_bound(s)};"), Block("loop", head, _round(s, body, i)))


def _while(s: Scope, body: Body) -> tuple[Node, ...]:
    i, step = s.name("i"), small(s)
    nodes = _without_continue(_round(s, body, i))
    return (
        Line(f"{s.one('int', 'unsigned')} {i} = {_start(s)};"),
        Block("loop", f"while (@L{{{i} < {_bound(s)}}})", (*nodes, Line(f"@N{{{i}|+|{i} += {step}}};"))),
    )


def _do(s: Scope, body: Body) -> tuple[Node, ...]:
    i = s.name("i")
    nodes = _without_continue(_round(s, body, i))
    return (
        Line(f"int {i} = {_start(s)};"),
        Block("do", "do", (*nodes, Line(f"@N{{{i}|+|{i} += {small(s)}}};")), f" while (@L{{{i} < {_bound(s)}}});"),
    )


def _endless(s: Scope, body: Body) -> tuple[Node, ...]:
    i = s.name("i")
    leave = Block("if", f"if (@I{{{i} >= {_bound(s)}}})", (Line("break;"),))
    nodes = _round(s, body, i)
    head = f"for (int {i} = {_start(s)}; @E{{}}; @N{{{i}|+|{i} += {small(s)}}})"
    return (Block("loop", head, (leave, *nodes) if s.chance(0.7) else (*_without_continue(nodes), leave)),)


def _two_counters(s: Scope, body: Body) -> tuple[Node, ...]:
    i, j = s.name("i"), s.name("i")
    head = f"for (int {i} = {_start(s)}, {j} = {_bound(s)}; @L{{{i} < {j}}}; @N{{{i}|+|{i}++}}, @N{{{j}|-|{j}--}})"
    return (Block("loop", head, _round(s, body, i, j)),)


def _without_continue(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """A `continue` would jump over the step that follows, and the loop would not end."""
    return tuple(
        Line("break;") if n == Line("continue;") else Block(n.kind, n.head, _without_continue(n.body), n.tail) if isinstance(n, Block) and n.kind not in ("loop", "do") else n
        for n in nodes
    )  # fmt: skip
