"""Random typed C expressions, their text, and their values for one thread on Python integers.

The evaluator is written from the C standard and the CUDA guide and shares nothing with the analysis.  `Undefined` is raised
where the analysis assumes something away: undefined behaviour, signed overflow, operands of __mul24 beyond 24 bits.
"""

from __future__ import annotations

import operator
from collections.abc import Mapping
from dataclasses import dataclass

from hypothesis import strategies as st


class Undefined(Exception):
    """What the analysis assumes to be absent: the sample says nothing."""


@dataclass(frozen=True)
class CInt:
    """An integer type of C by its spelling; `bits` of its values (bool: 1)."""

    name: str
    bits: int
    signed: bool

    @property
    def least(self) -> int:
        return -(1 << (self.bits - 1)) if self.signed else 0

    @property
    def greatest(self) -> int:
        return self.least + (1 << self.bits) - 1

    def holds(self, value: int) -> bool:
        return self.least <= value <= self.greatest


BOOL = CInt("bool", 1, False)
CHAR = CInt("signed char", 8, True)
UCHAR = CInt("unsigned char", 8, False)
SHORT = CInt("short", 16, True)
USHORT = CInt("unsigned short", 16, False)
INT = CInt("int", 32, True)
UINT = CInt("unsigned", 32, False)
LONG = CInt("long long", 64, True)
ULONG = CInt("unsigned long long", 64, False)
TYPES = (BOOL, CHAR, UCHAR, SHORT, USHORT, INT, UINT, LONG, ULONG)

PARAMETERS = {"n": INT, "u": UINT, "l": LONG, "w": ULONG, "s": SHORT, "h": USHORT, "c": UCHAR, "d": CHAR, "b": BOOL}


@dataclass(frozen=True)
class Node:
    """`op`: a leaf ("x", "n", "const"), an operator, "cast", "?" or a function's name.  `type`: of the result."""

    op: str
    type: CInt
    args: tuple[Node, ...] = ()
    value: int = 0


# --- types ------------------------------------------------------------------------------------------------------


def promoted(t: CInt) -> CInt:
    return INT if t.bits < 32 else t


def usual(a: CInt, b: CInt) -> CInt:
    a, b = promoted(a), promoted(b)
    if a.bits != b.bits:
        return a if a.bits > b.bits else b
    return a if not a.signed else b


COMPARE = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
RING = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}
FUNCTIONS: Mapping[str, tuple[CInt, tuple[CInt, ...]]] = {
    "min": (INT, (INT, INT)),
    "max": (UINT, (UINT, UINT)),
    "llmin": (LONG, (LONG, LONG)),
    "abs": (INT, (INT,)),
    "__popc": (INT, (UINT,)),
    "__popcll": (INT, (ULONG,)),
    "__clz": (INT, (INT,)),
    "__clzll": (INT, (LONG,)),
    "__ffs": (INT, (INT,)),
    "__mulhi": (INT, (INT, INT)),
    "__umulhi": (UINT, (UINT, UINT)),
    "__mul24": (INT, (INT, INT)),
    "__umul24": (UINT, (UINT, UINT)),
    "__brev": (UINT, (UINT,)),
    "__funnelshift_l": (UINT, (UINT, UINT, UINT)),
    "__funnelshift_r": (UINT, (UINT, UINT, UINT)),
    "__sad": (UINT, (INT, INT, UINT)),
}


def result_type(op: str, a: CInt, b: CInt) -> CInt:
    if op in COMPARE or op in ("&&", "||"):
        return BOOL
    return promoted(a) if op in ("<<", ">>") else usual(a, b)


# --- values -----------------------------------------------------------------------------------------------------


def converted(value: int, t: CInt) -> int:
    """A conversion: modulo 2^w (to signed types too, as CUDA's compilers do), to bool by comparison with zero."""
    if t is BOOL:
        return int(value != 0)
    return (value - t.least) % (1 << t.bits) + t.least


def settled(value: int, t: CInt) -> int:
    """An arithmetic result."""
    if t.signed and not t.holds(value):
        raise Undefined
    return converted(value, t)


def evaluate(node: Node, thread: tuple[int, int, int], env: Mapping[str, int]) -> int:
    """C's value of the expression for one thread."""
    op, args = node.op, node.args
    if op == "const":
        return node.value
    if op in ("x", "y", "z"):
        return thread["xyz".index(op)]
    if not args:
        return env[op]
    first = evaluate(args[0], thread, env)
    if op == "?":
        return converted(evaluate(args[1 if first else 2], thread, env), node.type)
    if op in ("&&", "||"):
        if bool(first) is (op == "||"):
            return int(op == "||")
        return int(evaluate(args[1], thread, env) != 0)
    if op == "cast":
        return converted(first, node.type)
    if op in ("!", "~", "neg"):
        return int(not first) if op == "!" else settled(-first if op == "neg" else ~first, node.type)
    values = [first, *(evaluate(arg, thread, env) for arg in args[1:])]
    if op in FUNCTIONS:
        return apply(op, [converted(v, t) for v, t in zip(values, FUNCTIONS[op][1])])
    return _binary(op, values[0], values[1], args[0].type, args[1].type)


def _binary(op: str, a: int, b: int, left: CInt, right: CInt) -> int:
    if op in ("<<", ">>"):
        t = promoted(left)
        if not 0 <= b < t.bits or (op == "<<" and a < 0):
            raise Undefined
        return settled(a << b if op == "<<" else a >> b, t)
    t = usual(left, right)
    a, b = converted(a, t), converted(b, t)
    if op in COMPARE:
        return int(COMPARE[op](a, b))
    if op in ("/", "%"):
        if b == 0:
            raise Undefined
        quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        settled(quotient, t)
        return settled(quotient if op == "/" else a - quotient * b, t)
    return settled(RING[op](a, b), t)


def apply(name: str, v: list[int]) -> int:
    """What a function of the device library gives for operands of its types."""
    unsigned = [x % (1 << 32) for x in v]
    match name:
        case "min" | "llmin":
            return min(v)
        case "max":
            return max(v)
        case "abs":
            return settled(abs(v[0]), INT)
        case "__popc" | "__popcll":
            return v[0].bit_count()
        case "__clz":
            return 32 - unsigned[0].bit_length()
        case "__clzll":
            return 64 - (v[0] % (1 << 64)).bit_length()
        case "__ffs":
            return (unsigned[0] & -unsigned[0]).bit_length()
        case "__mulhi" | "__umulhi":
            return v[0] * v[1] >> 32
        case "__mul24" | "__umul24":
            low, high = (-(1 << 23), 1 << 23) if name == "__mul24" else (0, 1 << 24)
            if not all(low <= x < high for x in v):
                raise Undefined
            return settled(v[0] * v[1], INT if name == "__mul24" else UINT)
        case "__brev":
            return int(f"{v[0]:032b}"[::-1], 2)
        case "__funnelshift_l":
            return ((v[1] << 32 | v[0]) << (v[2] & 31) >> 32) % (1 << 32)
        case "__funnelshift_r":
            return ((v[1] << 32 | v[0]) >> (v[2] & 31)) % (1 << 32)
        case _:
            return (abs(v[0] - v[1]) + v[2]) % (1 << 32)  # __sad


# --- text -------------------------------------------------------------------------------------------------------


def to_text(node: Node) -> str:
    """The expression as C; operands in parentheses."""
    op, args = node.op, [to_text(arg) for arg in node.args]
    if op == "const":
        suffix = {UINT: "u", LONG: "LL", ULONG: "ULL"}.get(node.type, "")
        return f"{node.value}{suffix}"
    if op in ("x", "y", "z"):
        return f"threadIdx.{op}"
    if not args:
        return op
    if op == "cast":
        return f"({node.type.name})({args[0]})"
    if op == "?":
        return f"({args[0]} ? {args[1]} : {args[2]})"
    if op in FUNCTIONS:
        casts = (f"({t.name})({arg})" for t, arg in zip(FUNCTIONS[op][1], args))
        return f"{op}({', '.join(casts)})"
    if len(args) == 1:
        return f"{'-' if op == 'neg' else op}({args[0]})"
    return f"({args[0]} {op} {args[1]})"


# --- random expressions -----------------------------------------------------------------------------------------

SMALL = (0, 1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 31, 32, 33, 63, 64, 100, 127, 128, 255, 256, 1024)
LARGE = (65535, 65536, (1 << 31) - 1)


@st.composite
def leaves(draw: st.DrawFn) -> Node:
    pick = draw(st.integers(0, 9))
    if pick < 4:
        return Node(draw(st.sampled_from(["x", "x", "y", "z"])), UINT)
    if pick < 7:
        name = draw(st.sampled_from(sorted(PARAMETERS)))
        return Node(name, PARAMETERS[name])
    t = draw(st.sampled_from([INT, INT, UINT, LONG, ULONG]))
    large = draw(st.integers(0, 9)) == 0
    return Node("const", t, (), draw(st.sampled_from(LARGE if large else SMALL)))


@st.composite
def expressions(draw: st.DrawFn, depth: int) -> Node:
    """An expression of at most `depth` levels of operators."""
    if depth == 0 or draw(st.integers(0, 7)) == 0:
        return draw(leaves())
    op = draw(st.sampled_from(_OPERATORS))
    a = draw(expressions(depth - 1))
    match op:
        case "cast":
            return Node(op, draw(st.sampled_from(TYPES)), (a,))
        case "!":
            return Node(op, BOOL, (a,))
        case "~" | "neg":
            return Node(op, promoted(a.type), (a,))
        case "call":
            name = draw(st.sampled_from(sorted(FUNCTIONS)))
            result, operands = FUNCTIONS[name]
            rest = (draw(expressions(depth - 1)) for _ in operands[1:])
            return Node(name, result, (a, *rest))
        case "?":
            b, c = draw(expressions(depth - 1)), draw(expressions(depth - 1))
            return Node(op, b.type if b.type is c.type else usual(b.type, c.type), (a, b, c))
        case "/" | "%" | "<<" | ">>" if draw(st.booleans()):
            b = Node("const", INT, (), draw(st.sampled_from(SMALL)))
        case _:
            b = draw(expressions(depth - 1))
    return Node(op, result_type(op, a.type, b.type), (a, b))


_OPERATORS = (*"++--**//%%&|^", "<<", ">>", "cast", "cast", "!", "~", "neg", "call", "call", "?", "&&", "||", *COMPARE)

SHAPES = ((32, 1, 1), (64, 1, 1), (16, 4, 1), (24, 3, 1), (8, 4, 2), (40, 1, 1), (5, 3, 3), (1, 33, 1), (1, 1, 1))


@st.composite
def environments(draw: st.DrawFn) -> dict[str, int]:
    """Values of the parameters: any of an unsigned type, not negative of a signed one (assumed)."""
    values = {}
    for name, t in PARAMETERS.items():
        picks = st.one_of(st.integers(0, 70), st.sampled_from(SMALL), st.integers(0, t.greatest), st.just(t.greatest))
        values[name] = min(draw(picks), t.greatest)
    return values


def threads(shape: tuple[int, int, int]) -> list[tuple[int, int, int]]:
    """threadIdx of every thread, in order."""
    x, y, z = shape
    return [(i % x, i // x % y, i // (x * y)) for i in range(x * y * z)]
