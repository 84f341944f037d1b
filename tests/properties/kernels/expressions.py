"""Random expressions: sizes small enough that most samples do not overflow, shapes that the analysis has rules for."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from tests.properties.kernels.syntax import (
    BOOL,
    CHAR,
    COMPARISONS,
    INT,
    INTRINSICS,
    LONG,
    SHORT,
    UCHAR,
    UINT,
    ULONG,
    USHORT,
    Apply,
    Array,
    Binary,
    Builtin,
    Call,
    Cast,
    Choose,
    Const,
    CType,
    Distance,
    Expr,
    Extreme,
    Function,
    Load,
    Logic,
    Place,
    Record,
    Shuffle,
    Unary,
    Var,
    Vote,
    type_of,
)

TID, TIDY, TIDZ = (Builtin("threadIdx", axis) for axis in range(3))
BID, BDIM, GDIM = Builtin("blockIdx", 0), Builtin("blockDim", 0), Builtin("gridDim", 0)


@dataclass
class Scope:
    """Names that may be used here.  `pure`: no loads, calls or shuffles."""

    rng: random.Random
    block: tuple[int, int, int]
    variables: list[Var] = field(default_factory=list)
    parameters: list[Var] = field(default_factory=list)
    arrays: list[Array] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    pure: bool = False
    exchanges: bool = True

    def fork(self) -> Scope:
        """A scope for a nested block: what is declared there ends there."""
        return Scope(
            self.rng,
            self.block,
            list(self.variables),
            self.parameters,
            list(self.arrays),
            self.functions,
            self.pure,
            self.exchanges,
        )


def number(rng: random.Random) -> Const:
    return Const(rng.choice((0, 1, 1, 2, 2, 3, 4, 4, 5, 7, 8, 8, 16, 16, 17, 31, 32, 32, 33, 64, 100)))


def lane(s: Scope) -> Expr:
    """Something that differs between threads."""
    _, y, z = s.block
    choices: list[Expr] = [TID] * 4
    if y > 1:
        choices += [TIDY] * 2
    if z > 1:
        choices += [TIDZ]
    flat = Binary("+", Binary("*", TIDY, BDIM), TID) if y > 1 else TID
    choices += [flat, Binary("+", Binary("*", BID, BDIM), TID)]
    if y > 1:
        choices += [Binary("+", Binary("*", Builtin("blockIdx", 1), Builtin("blockDim", 1)), TIDY)]
    return s.rng.choice(choices)


def leaf(s: Scope) -> Expr:
    """A value without operands."""
    pick = s.rng.random()
    if pick < 0.34:
        return lane(s)
    if pick < 0.62 and s.variables:
        return s.rng.choice(s.variables)
    if pick < 0.80 and s.parameters:
        return s.rng.choice(s.parameters)
    if pick < 0.86:
        return s.rng.choice((BID, BDIM, GDIM, TIDY, TIDZ, Builtin("blockIdx", 1), Builtin("gridDim", 1)))
    return number(s.rng)


def value(s: Scope, depth: int = 2) -> Expr:
    """An integer expression."""
    rng = s.rng
    if depth <= 0 or rng.random() < 0.2:
        return leaf(s)
    pick = rng.random()
    if pick < 0.34:
        return Binary(rng.choice("++-"), value(s, depth - 1), value(s, depth - 1))
    if pick < 0.46:
        return Binary("*", leaf(s), rng.choice((number(rng), leaf(s))))
    if pick < 0.58:
        return Binary(rng.choice("/%"), value(s, depth - 1), _divisor(s))
    if pick < 0.64:
        amount = Const(rng.randrange(6)) if rng.random() < 0.6 else Binary("&", leaf(s), Const(rng.choice((1, 3, 7))))
        return Binary(rng.choice(("<<", ">>")), value(s, depth - 1), amount)
    if pick < 0.72:
        return Binary(
            rng.choice("&&|^"),
            value(s, depth - 1),
            rng.choice((number(rng), Const(~rng.choice((0, 3, 7, 31))), leaf(s))),
        )
    if pick < 0.78:
        t = rng.choice((INT, INT, UINT, UINT, UINT, LONG, LONG, ULONG, SHORT, USHORT, UCHAR, CHAR, BOOL))
        return Cast(t, value(s, depth - 1))
    if pick < 0.82:
        return Choose(condition(s, depth - 1), value(s, depth - 1), value(s, depth - 1))
    if pick < 0.86:
        sides = [x if type_of(x) == INT else Cast(INT, x) for x in (value(s, depth - 1), value(s, depth - 1))]
        return Extreme(rng.choice(("min", "max")), sides[0], sides[1])
    if pick < 0.89:
        return Unary(rng.choice("-~!"), value(s, depth - 1))
    if pick < 0.91:
        return condition(s, depth - 1)
    if pick < 0.93:
        name = rng.choice(sorted(INTRINSICS))
        return Apply(name, tuple(value(s, depth - 1) for _ in INTRINSICS[name][1]))
    if pick < 0.935:
        return _distance(s)
    return leaf(s) if s.pure else effect(s, depth)


def _distance(s: Scope) -> Expr:
    """The distance of two pointers into what may be one array."""
    places = [a for a in s.arrays if not a.extents and not a.const]
    left = s.rng.choice(places) if places else None
    mates = [a for a in places if left is not None and a.element == left.element]
    return Distance(left.name, s.rng.choice(mates).name) if left is not None else leaf(s)


def effect(s: Scope, depth: int) -> Expr:
    """A load, a call or an exchange between lanes."""
    rng = s.rng
    pick = rng.random()
    if pick < 0.15 and s.functions:
        function = rng.choice(s.functions)
        return Call(function.name, function.pointers, tuple(value(s, depth - 2) for _ in function.arguments))
    if pick < 0.3 and s.exchanges:
        of = value(s, depth - 2)
        of = of if type_of(of) == INT else Cast(INT, of)
        if rng.random() < 0.3:
            return Vote(rng.choice(("any", "all", "ballot")), condition(s, depth - 2))
        op = rng.choice(("", "xor", "up", "down"))
        where: Expr = Const(rng.choice((0, 1, 2, 4, 8, 16, 31)))
        if rng.random() < 0.25:
            where = Binary("&", Cast(INT, leaf(s)), Const(31))
        return Shuffle(op, of, where, rng.choice((32, 32, 32, 32, 16, 8, 4)))
    place = read_place(s, depth - 1)
    return leaf(s) if place is None else Load(place)


def read_place(s: Scope, depth: int = 1) -> Place | None:
    """Some scalar place that may be read."""
    readable = [a for a in s.arrays if not (isinstance(a.element, CType) and a.element.floating)]
    place = place_in(s, s.rng.choice(readable), depth) if readable else None
    return place if place is not None and isinstance(place.type, CType) and not place.type.floating else None


def place_in(s: Scope, array: Array, depth: int = 2) -> Place:
    """An element (or a member of one) of the array."""
    member = s.rng.choice(array.element.members)[0] if isinstance(array.element, Record) else None
    if array.extents:
        return Place(array.name, tuple(_within(s, e) for e in array.extents), array.element, member)
    star = member is None and s.rng.random() < 0.1
    return Place(array.name, (index(s, depth),), array.element, member, star)


def index(s: Scope, depth: int = 2) -> Expr:
    """An index as kernels have them, most of the time."""
    rng = s.rng
    pick = rng.random()
    simple = value(s, depth) if pick < 0.3 else None
    if simple is not None:
        return simple
    if pick < 0.5:
        return Binary(rng.choice("++-"), lane(s), leaf(s))
    if pick < 0.6:
        return Binary("+", Binary("*", leaf(s), leaf(s)), leaf(s))
    if pick < 0.65 and s.parameters:
        pitch = Binary("*", s.rng.choice(s.parameters), Const(rng.choice((4, 8, 16, 32))))
        return Binary("+", Binary("*", lane(s), pitch), lane(s))
    if pick < 0.75:
        return Binary("*", lane(s), rng.choice((number(rng), leaf(s))))
    if pick < 0.85:
        return Binary("-", leaf(s), lane(s))
    return leaf(s)


def _within(s: Scope, extent: int) -> Expr:
    """An index that is probably inside of the extent."""
    rng = s.rng
    pick = rng.random()
    if pick < 0.3 and s.block[0] <= extent:
        return TID
    if pick < 0.4:
        return Const(rng.randrange(extent))
    inner = Cast(UINT, index(s, 1))
    if extent & (extent - 1) == 0 and rng.random() < 0.6:
        return Binary("&", inner, Const(extent - 1))
    return Binary("%", inner, Const(extent))


def _divisor(s: Scope) -> Expr:
    rng = s.rng
    if rng.random() < 0.75:
        return Const(rng.choice((2, 2, 3, 4, 4, 5, 8, 8, 16, 16, 17, 32, 32, 33, 64)))
    return rng.choice((leaf(s), Binary("+", leaf(s), Const(1)), BDIM))


def condition(s: Scope, depth: int = 1) -> Expr:
    """A truth value."""
    rng = s.rng
    pick = rng.random()
    if pick < 0.2 and depth > 0:
        return Logic(rng.choice(("&&", "||")), condition(s, depth - 1), condition(s, depth - 1))
    if pick < 0.27 and depth > 0:
        return Unary("!", condition(s, depth - 1))
    if pick < 0.37:
        return Binary(
            "==", Binary(rng.choice("%&"), value(s, depth - 1), Const(rng.choice((1, 2, 4, 7, 8, 31)))), number(rng)
        )
    if pick < 0.45:
        return Binary("<", Cast(UINT, Binary("-", value(s, depth - 1), leaf(s))), leaf(s))
    return Binary(rng.choice(COMPARISONS), value(s, depth), rng.choice((leaf(s), value(s, depth))))
