"""Integer expressions: C's arithmetic in every width, as people write it and as nobody does."""

from __future__ import annotations

from tests.compiled.program.scope import Scope

TYPES = (
    "int",
    "int",
    "int",
    "unsigned",
    "unsigned",
    "short",
    "unsigned char",
    "unsigned short",
    "long long",
    "size_t",
    "char",
)
CASTS = (
    "unsigned char",
    "short",
    "unsigned",
    "long long",
    "int",
    "size_t",
    "signed char",
    "unsigned short",
    "char",
    "bool",
)
_NUMBERS = (0, 1, 1, 2, 2, 3, 4, 5, 7, 8, 10, 15, 16, 17, 24, 31, 32, 33, 48, 63, 64, 100, 200, 255)
_SMALL = (1, 2, 2, 3, 4, 4, 5, 6, 7, 8, 8, 12, 16, 32)


def number(s: Scope) -> str:
    return str(s.of(_NUMBERS))


def small(s: Scope) -> str:
    return str(s.of(_SMALL))


def leaf(s: Scope) -> str:
    x = s.rng.random()
    if x < 0.45:
        return s.of(s.lanes)
    if x < 0.78:
        return s.of(s.even)
    return number(s)


def value(s: Scope, depth: int) -> str:
    """Any integer."""
    if depth <= 0 or s.chance(0.15):
        return leaf(s)
    less = depth - 1
    match s.rng.choices(range(12), (22, 15, 13, 8, 8, 7, 5, 8, 6, 4, 3, 2))[0]:
        case 0:
            return f"({value(s, less)} + {value(s, less)})"
        case 1:
            return f"({value(s, less)} - {value(s, less)})"
        case 2:
            return f"({value(s, less)} * {s.one(small(s), leaf(s))})"
        case 3:
            return f"({value(s, less)} % {_divisor(s)})"
        case 4:
            return f"({value(s, less)} / {_divisor(s)})"
        case 5:
            return f"({value(s, less)} {s.one('&', '|', '^')} {value(s, less)})"
        case 6:
            return f"({value(s, less)} {s.one('>>', '>>', '<<')} {s.one('1', '2', '3', '5', f'({leaf(s)} & 7)')})"
        case 7:
            return f"({s.of(CASTS)})({value(s, less)})"
        case 8:
            return f"({condition(s, less)} ? {value(s, less)} : {value(s, less)})"
        case 9:
            return f"{s.one('min', 'max')}((int)({value(s, less)}), (int)({value(s, less)}))"
        case 10:
            return f"{s.one('-', '~', '-', '!')}({value(s, less)})"
        case _:
            return _library(s, less)


def _library(s: Scope, depth: int) -> str:
    operand = value(s, depth)
    return s.one(
        f"__popc((unsigned)({operand}))",
        f"__ffs((int)({operand}))",
        f"__clz((int)({operand}))",
        f"abs((int)({operand}))",
        f"(__brev((unsigned)({operand})) >> 27)",
        f"__mul24((int)({operand}), {small(s)})",
        f"(int)__umulhi((unsigned)({operand}), {s.one('0x10000000u', '0x40000000u', '0x55555556u')})",
    )


def _divisor(s: Scope) -> str:
    return s.one(small(s), small(s), f"{small(s)}u", f"(({leaf(s)} & {s.one('3', '7')}) + 1)")


def condition(s: Scope, depth: int) -> str:
    """A truth value."""
    x = s.rng.random()
    if x < 0.64 or depth <= 0:
        return f"({value(s, depth)} {s.one('<', '<', '<=', '>', '>=', '==', '!=')} {value(s, depth - 1)})"
    if x < 0.74:
        return f"(({value(s, depth)} & {s.one('1', '2', '4', '3', '8', '16', '32')}) {s.one('== 0', '!= 0')})"
    if x < 0.78:
        return f"({value(s, depth)})"
    if x < 0.92:
        return f"({condition(s, depth - 1)} {s.one('&&', '||')} {condition(s, depth - 1)})"
    return f"!({condition(s, depth - 1)})"


def index(s: Scope) -> str:
    """Where in an array: anything, wrapped into it, or as kernels do."""
    x = s.rng.random()
    if x < 0.4:
        return line(s, s.of(s.lanes))
    wild = value(s, s.one(1, 2, 2, 3))
    if x < 0.58:
        return wild
    if x < 0.72:
        return f"({wild}) & {s.one('255', '127', '1023', '63')}"
    if x < 0.82:
        return f"(unsigned)({wild}) % {s.one('100u', '37u', '256u', '500u')}"
    if x < 0.88:
        return f"({wild}) % {s.one('50', '32', '9')} + 60"
    return f"{s.of(s.lanes)} * {s.one('1', '2', '3', '4', '8', s.of(s.even))} + {value(s, 1)}"


def line(s: Scope, x: str) -> str:
    """An index that follows `x` along the lanes."""
    size, other = s.of(s.even), s.of(s.even)
    return s.one(
        x,
        x,
        f"{x} + {s.one('1', '3', '8', size)}",
        f"{x} * {s.one('2', '3', '4', '5', '8', size)}",
        f"{x} * {s.one('2', '4', '3')} + {s.one('1', size)}",
        f"{x} / {s.one('2', '4', '8', '3')}",
        f"{x} % {s.one('8', '16', '20', '32')}",
        f"{size} + 300 - {x}",
        f"({x} + {s.one('1', '5', size)}) % {s.one('64', '40', f'({size} + 1)')}",
        f"{x} ^ {s.one('1', '7', '16')}",
        f"{x} & ~{s.one('1', '3', '7')}",
        f"min((int)({x}), (int)({s.one(size, '40', f'{size} + 5')}))",
        f"{s.of(s.lanes)} * {s.one(size, '64', '33', f'({size} + 1)', f'{size} * 2')} + {x}",
        f"{x} + {size} * {other}",
    )


def guard(s: Scope, x: str) -> str:
    """A condition as kernels have it, on `x`."""
    size = s.of(s.even)
    return s.one(
        f"{x} < {size}",
        f"{x} < {size}",
        f"{x} + 1 < {size}",
        f"{x} > 0 && {x} < {size} - 1",
        f"{x} % 2 == 0",
        f"{x} < {size} / 4",
        f"{x} * 4 < {size}",
        f"{x} >= {size}",
        f"({x} & {s.one('1', '16', '32', '7')}) == 0",
        f"{x} < {size} && {x} % {s.one('3', '4')} == {s.of(s.even)} % 4",
        f"{x} == {s.one('0', size, '31', 'blockDim.x - 1')}",
        f"{x} < {s.one('16', '32', '40')}",
        f"{x} < ({size} + 3) / 4 * 4",
        f"{x} != {s.one('0', '5')}",
        f"{x} < {size} || {x} == {s.of(s.even)}",
    )
