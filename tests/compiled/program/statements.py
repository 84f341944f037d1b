"""Statements: what stands in bodies."""

from __future__ import annotations

from tests.compiled.program.accesses import access, element
from tests.compiled.program.loops import loop
from tests.compiled.program.scope import Scope
from tests.compiled.program.values import TYPES, condition, guard, small, value
from tests.compiled.tree import Block, Line, Node


def statements(s: Scope, depth: int, count: int) -> tuple[Node, ...]:
    """Some statements one after the other."""
    return tuple(node for _ in range(count) for node in statement(s, depth))


def statement(s: Scope, depth: int) -> tuple[Node, ...]:
    """One statement (and what it needs before it)."""
    if depth <= 0:
        return (s.rng.choices((_declare, _assign, access, _call), (18, 12, 50, 8))[0](s),)
    if s.chance(0.35):
        return s.rng.choices((_if, _loop, _switch), (17, 14, 4))[0](s, depth)
    return (s.rng.choices((_declare, _assign, access, _call, _barrier, _warp), (15, 10, 26, 8, 4, 3))[0](s),)


def _declare(s: Scope) -> Node:
    name, text = s.name("v"), value(s, 2)
    s.lanes.append(name)
    s.open.append(name)
    return Line(f"{s.of(TYPES)} {name} = {text};")


def _assign(s: Scope) -> Node:
    if not s.open:
        return access(s)
    v = s.of(s.open)
    return Line(s.one(
        f"{v} = {value(s, 2)};", f"{v} += {value(s, 1)};", f"{v}++;", f"--{v};", f"{v} ^= {value(s, 1)};", f"{v} -= {small(s)};",
        f"{v} >>= 1;", f"{v} *= {small(s)};", f"{v} %= {small(s)};", f"{v} = {condition(s, 1)} ? {value(s, 1)} : {v};",
    ))  # fmt: skip


def _call(s: Scope) -> Node:
    """A call of a function of the file; without any, an access."""
    if not s.functions:
        return access(s)
    text = s.of(s.functions)
    if "INDEX" in text:
        text = text.replace("INDEX", value(s, 1), 1)
    text = text.replace("INDEX", s.of(s.lanes)).replace("SIZE", s.of(s.even))
    if "PLACE" in text:
        place, _ = element(s, integer=True)
        while not _is_int(s, place):
            name, _ = s.arrays.setdefault("int", (f"g{len(s.arrays)}", s.kinds[0]))
            place = f"{name}[{value(s, 1)}]"
        text = text.replace("PLACE", place)
    if text.startswith("= "):
        name = s.name("v")
        s.lanes.append(name)
        return Line(f"int {name} = {text[2:]};")
    return Line(text)


def _is_int(s: Scope, place: str) -> bool:
    """Whether an element is an `int`, to which a reference may be bound."""
    name = place.split("[")[0]
    return any(array == name and kind.type == "int" for array, kind in s.arrays.values())


def _barrier(s: Scope) -> Node:
    return Line("__syncthreads();") if s.uniform else access(s)


def _warp(s: Scope) -> Node:
    """What lanes of a warp tell each other."""
    if not s.uniform or s.left:
        return access(s)
    name, x = s.name("v"), s.of(s.lanes)
    told = Line(s.one(
        f"int {name} = __shfl_sync(0xffffffffu, (int){x}, {s.one('0', '3', x)} & 31);",
        f"int {name} = __shfl_xor_sync(0xffffffffu, (int){x}, {s.one('1', '2', '16')});",
        f"int {name} = __shfl_down_sync(0xffffffffu, (int){x}, {s.one('1', '4')});",
        f"int {name} = __popc(__ballot_sync(0xffffffffu, {condition(s, 1)}));",
        f"int {name} = __any_sync(0xffffffffu, {condition(s, 1)});",
    ))  # fmt: skip
    s.lanes.append(name)
    return told


def _if(s: Scope, depth: int) -> tuple[Node, ...]:
    test = guard(s, s.of(s.lanes)) if s.chance(0.5) else condition(s, 2)
    with s.inside():
        body = statements(s, depth - 1, s.one(1, 1, 2))
    leave: tuple[Node, ...] = ()
    if s.in_loop and s.chance(0.12):
        leave = (Line(s.one("break;", "continue;")),)
    elif s.chance(0.08):
        leave, s.left = (Line("return;"),), True
    nodes: tuple[Node, ...] = (Block("if", f"if (@I{{{test}}})", (*body, *leave)),)
    if s.chance(0.35):
        with s.inside():
            nodes = (*nodes, Block("else", "else", statements(s, depth - 1, 1)))
    return nodes


def _loop(s: Scope, depth: int) -> tuple[Node, ...]:
    return loop(s, lambda inner: statements(inner, depth - 1, inner.one(1, 1, 2, 2, 3)))


def _switch(s: Scope, depth: int) -> tuple[Node, ...]:
    arms: list[Node] = []
    with s.inside(in_loop=False):
        for arm in range(s.one(2, 3)):
            with s.inside():
                body = statements(s, depth - 1, 1)
            arms.append(Block("case", f"case {arm}:", (*body, *([Line("break;")] if s.chance(0.7) else []))))
        if s.chance(0.4):
            with s.inside():
                arms.append(Block("case", "default:", statements(s, depth - 1, 1)))
    return (Block("switch", f"switch (@S{{{value(s, 1)} & 3}})", tuple(arms)),)
