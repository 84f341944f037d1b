"""Small kernels about which lanes run and where they go: guards and indices of remainders, bits, shifts and comparisons with numbers that
nobody knows.  Each is run so often that every set of lanes that may run together is met."""

from __future__ import annotations

import random

from tests.compiled.program.scope import KINDS, Scope
from tests.compiled.tree import Block, Line, Node
from tests.compiled.unit import Array, Number, Shape, Unit, kernel

_BLOCKS: tuple[Shape, ...] = (
    (64, 1, 1),
    (64, 1, 1),
    (32, 1, 1),
    (48, 1, 1),
    (96, 1, 1),
    (8, 8, 1),
    (16, 4, 1),
    (12, 4, 1),
)
_SIZES = (*range(8), *range(36), *range(66), *(63, 64, 65, 95, 96, 127, 128, 255, 256, 300, 500) * 2)
_LAUNCHES = 240


def mask_unit(seed: int) -> Unit:
    """The unit of this number."""
    rng = random.Random(f"masks {seed}")
    block = rng.choice(_BLOCKS)
    dimensions = 1 + (block[1] > 1)
    s = Scope(rng, dimensions=dimensions, threads=block[0] * block[1])
    s.kinds = tuple(rng.sample([k for k in KINDS if k.members == ("",)], 2))
    types = ("int", "int", "int", "unsigned")
    numbers = tuple(Number(name, s.one(*types), 0, 500, _SIZES) for name in ("n", "m", "k", "r"))
    s.even += ["n", "n", "m", "k"]
    body = (*_lanes(s), *(node for _ in range(s.one(1, 1, 2)) for node in _statement(s)))
    declared = tuple(Line(text) for text in s.declared)
    arrays = tuple(Array(name, k.type, k.width, k.real, 0, 7) for name, k in s.arrays.values())
    grids = (s.one(1, 1, 2, 3), 1, 1)
    return Unit(seed, block, grids, arrays, numbers, (kernel(arrays, numbers, (*declared, *body)),), _LAUNCHES, True)


def _lanes(s: Scope) -> tuple[Node, ...]:
    inside = "threadIdx.x" if s.dimensions == 1 else "threadIdx.y * blockDim.x + threadIdx.x"
    nodes: list[Node] = [Line(f"{s.one('int', 'int', 'unsigned')} t = {inside};")]
    s.lanes += ["t", "t", "t"]
    sizes, s.even = s.even, ["3", "5"]
    for _ in range(s.one(0, 0, 1, 1, 2)):
        name = s.name("v")
        first = s.one("t & 31", "t >> 5", "blockIdx.x * blockDim.x + t", "t % 8", "t / 4", _value(s, 2), _value(s, 2))
        nodes.append(Line(f"int {name} = {first};"))
        s.lanes.append(name)
    s.even = sizes
    return tuple(nodes)


def _statement(s: Scope) -> tuple[Node, ...]:
    """An access, and what decides who makes it."""
    how = s.one(
        _below, _below, _below, _below_a_flag, _below_a_number, _behind_a_return, _chosen, _in_a_loop, _of_two, _nested
    )
    return how(s)


def _access(s: Scope, index: str | None = None) -> Line:
    where = _index(s) if index is None else index
    if s.chance(0.15):
        kind, name = s.of(KINDS[:8]), s.name("s")
        s.declared.append(f"@H{{{kind.type}|{name}|[512]}}")
        return Line(f"@W{{{name}[({where}) & 511]}} = 1;")
    name, kind = s.array()
    if s.chance(0.15) and kind.type in ("int", "unsigned"):
        return Line(f"atomicAdd(&@A{{{name}[{where}]}}, 1);")
    return Line(f"@W{{{name}[{where}]}} = 1;")


def _below(s: Scope) -> tuple[Node, ...]:
    return (Block("if", f"if (@I{{{_guard(s, 2)}}})", (_access(s),)),)


def _below_a_flag(s: Scope) -> tuple[Node, ...]:
    name = s.name("c")
    flag = Line(f"bool {name} = {_guard(s, 2)};")
    test = s.one(name, name, f"!{name}", f"{name} && {_guard(s, 1)}", f"{name} || {_guard(s, 1)}")
    return (flag, Block("if", f"if (@I{{{test}}})", (_access(s),)))


def _below_a_number(s: Scope) -> tuple[Node, ...]:
    name = s.name("ok")
    start = Line(f"int {name} = {s.one('0', '0', '1', '2')};")
    sets = [
        Block("if", f"if (@I{{{_guard(s, 1)}}})", (Line(f"{name} = {s.one('1', '1', '0', f'{name} + 1')};"),))
        for _ in range(s.one(1, 1, 2))
    ]
    test = s.one(name, name, f"{name} == 1", f"{name} > 0", f"!{name}")
    return (start, *sets, Block("if", f"if (@I{{{test}}})", (_access(s),)))


def _behind_a_return(s: Scope) -> tuple[Node, ...]:
    return (Block("if", f"if (@I{{{_guard(s, 1)}}})", (Line("return;"),)), _access(s))


def _chosen(s: Scope) -> tuple[Node, ...]:
    name = s.name("j")
    if s.chance(0.5):
        return (Line(f"int {name} = {_guard(s, 1)} ? {_index(s)} : {_index(s)};"), _access(s, name))
    then = Block("if", f"if (@I{{{_guard(s, 1)}}})", (Line(f"{name} = {_index(s)};"),))
    return (Line(f"int {name} = {_index(s)};"), then, _access(s, name))


def _in_a_loop(s: Scope) -> tuple[Node, ...]:
    i, count = s.name("i"), s.one("2", "3", "4", "r & 3")
    with s.inside():
        s.lanes.append(i)
        body: tuple[Node, ...] = (Block("if", f"if (@I{{{_guard(s, 1)}}})", (_access(s),)),)
        if s.chance(0.3):
            body = (*body, Block("if", f"if (@I{{{_guard(s, 1)}}})", (Line("break;"),)))
    head = f"for (int {i} = 0; @L{{{i} < (int)({count})}}; @N{{{i}|+|{i}++}})"
    return (Block("loop", head, body),)


def _of_two(s: Scope) -> tuple[Node, ...]:
    return (Block("if", f"if (@I{{{_guard(s, 1)}}})", (_access(s),)), Block("else", "else", (_access(s),)))


def _nested(s: Scope) -> tuple[Node, ...]:
    inner = Block("if", f"if (@I{{{_guard(s, 1)}}})", (_access(s),))
    return (Block("if", f"if (@I{{{_guard(s, 1)}}})", (inner,)),)


# --- expressions ----------------------------------------------------------------------------------------------------


def _value(s: Scope, depth: int) -> str:
    """What lanes may have differently."""
    x = s.of(s.lanes)
    size = s.of(s.even)
    if depth <= 0:
        return x
    inner = _value(s, depth - 1)
    return s.one(
        x,
        x,
        f"({inner} + {size})",
        f"({inner} - {size})",
        f"({size} - {inner})",
        f"({inner} ^ {s.one(size, size, '1', '3', '16', '5')})",
        f"({inner} & {s.one(size, '1', '3', '7', '12', '~3', '30')})",
        f"({inner} | {s.one(size, '1', '4', f'({size} & 4)')})",
        f"({inner} % {s.one('3', '4', '5', '8', '3u', f'(({size} & 3) + 1)')})",
        f"({inner} / {s.one('2', '3', '4', f'(({size} & 3) + 1)')})",
        f"({inner} >> {s.one('1', '2', f'({size} & 3)')})",
        f"({inner} << {s.one('1', '2')})",
        f"({inner} * {s.one('2', '3', '5', inner)})",
        f"__popc({inner})",
        f"__ffs({inner})",
        f"min((int){inner}, (int){size})",
        f"max((int){inner}, {s.one('3', '17')})",
        f"(unsigned char){inner}",
    )


def _shared(s: Scope) -> str:
    """What all lanes have alike."""
    size = s.of(s.even)
    number = s.one("0", "1", "2", "3", "5", "7", "16", "31")
    return s.one(size, size, number, f"({size} + 1)", f"({size} & 3)", f"({size} % 3)", f"({size} >> 2)")


def _guard(s: Scope, depth: int) -> str:
    """Who runs."""
    if depth > 0 and s.chance(0.4):
        a, b = _guard(s, depth - 1), _guard(s, depth - 1)
        return s.one(f"({a} && {b})", f"({a} || {b})", f"({a} || {b})", f"!({a})", f"({a} && !({b}))")
    # Each asks for another number, so that all that may come together does.
    size = s.of([number for number in s.even if number not in s.spent] or ["6", "13"])
    s.spent.add(size)
    sizes, s.even = s.even, [size]
    found = _plain_guard(s, s.of(s.lanes), size)
    s.even = sizes
    return found


def _plain_guard(s: Scope, x: str, size: str) -> str:
    return s.one(
        f"({x} == {size})",
        f"({x} == {size} + {s.one('1', '2', '8')})",
        f"({x} != {size})",
        f"({x} < {size})",
        f"({x} >= {size})",
        f"({x} {s.one('>', '<=')} {_shared(s)})",
        f"({x} % {s.one('2', '3', '4', '5')} {s.one('==', '!=')} {_shared(s)})",
        f"({x} % {(c := s.one('2', '3', '4', '8'))} {s.one('==', '!=')} {size} % {c})",
        f"(({x} ^ {size}) & {s.one('1', '2', '16', '32', '3')})",
        f"(({x} ^ {size}) {s.one('<', '>')} {s.one('4', '8', '3')})",
        f"(__popc({x} ^ {size}) {s.one('==', '<', '&')} {s.one('1', '2')})",
        f"({x} >> {s.one('1', '2', '3')} {s.one('==', '!=')} {_shared(s)})",
        f"({x} / {s.one('2', '3', '8')} {s.one('==', '<')} {_shared(s)})",
        f"({x} & ({x} - 1)) == 0",
        f"(({size} >> ({x} & 7)) & 1)",
        f"((unsigned)({x} - {size}) < {s.one('4u', '8u', '1u')})",
        f"({_value(s, 2)} {s.one('<', '<=', '==', '!=', '>')} {_shared(s)})",
        f"({_value(s, 2)} & {s.one('1', '2', size)})",
    )


def _index(s: Scope) -> str:
    """Where to."""
    x, size = s.of(s.lanes), s.of(s.even)
    return s.one(
        x,
        f"{x} * {s.one('2', '3', '8', '8', '33')}",
        f"{x} * 8 + {size}",
        f"{x} + {size}",
        f"{x} ^ {s.one(size, '1', '3')}",
        f"{x} ^ {s.one('1', '3', '4')} | {s.one('2', '4', '16')} & {size}",
        f"({x} * 8) % (({size} & 3) + 1) + ({x} * {x} + 4) & 127",
        f"{_value(s, 2)}",
        f"({_value(s, 2)}) & {s.one('127', '255', '63')}",
        f"({_value(s, 2)}) * {s.one('2', '8')}",
        f"({_value(s, 2)}) % {s.one('7', '32', '40')} + 40",
        f"({x} & ~3) + (({x} + {size}) & 3)",
        f"({x} + {size}) % 32",
        f"{x} * {size}",
        f"({size} ^ {x}) * {s.one('1', '4', '8')}",
    )
