"""Small random kernels whose indexes have no polynomial, and what every thread of them does, in plain Python integers.

A kernel is made twice from the same choices: as CUDA text, and as a Python function of one thread with C's semantics
(`int` that overflows, a divisor of 0 and shifts by too much are undefined: the sample does not count).  The function
shares nothing with the analysis.  The shapes are those that case splitting is for: `(tid + i) % d`, `/ n`, `min(tid, n - 1)`,
`c ? a : b`, bit operations with symbolic operands, one inside of another, under guards and masks of their own.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field

WIDTHS = {"unsigned char": 1, "short": 2, "float": 4, "double": 8, "float4": 16}
SHARED_EXTENT = 4096
PARAMETERS = ("n", "m", "w")
_BLOCKS = ((32, 1, 1), (64, 1, 1), (48, 1, 1), (24, 2, 1), (16, 4, 1), (8, 4, 2), (20, 1, 1), (96, 1, 1), (12, 3, 2))


class Undefined(Exception):
    """The thread did what C++ leaves undefined, or what the analysis assumes away."""


def wrap_int(x: int) -> int:
    """An `int`."""
    if not -(1 << 31) <= x < 1 << 31:
        raise Undefined
    return x


def wrap_unsigned(x: int) -> int:
    return x & 0xFFFFFFFF


def to_int(x: int) -> int:
    return (x + (1 << 31)) % (1 << 32) - (1 << 31)


def to_short(x: int) -> int:
    return (x + (1 << 15)) % (1 << 16) - (1 << 15)


def divide(a: int, b: int) -> int:
    """C's quotient, towards zero."""
    if b == 0:
        raise Undefined
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def remainder(a: int, b: int) -> int:
    return a - divide(a, b) * b


def amount(x: int) -> int:
    """A shift's right operand."""
    if not 0 <= x < 32:
        raise Undefined
    return x


def left(a: int, by: int) -> int:
    if a < 0:
        raise Undefined
    return a << amount(by)


@dataclass(frozen=True)
class Term:
    """An expression: its CUDA text, its Python text, and whether it is `unsigned` (else `int`)."""

    c: str
    py: str
    unsigned: bool = False


@dataclass(frozen=True)
class Access:
    """`array[index]`: elements of `width` bytes."""

    text: str
    width: int
    shared: bool


Step = tuple[int, tuple[int, ...], int, bool]
"""Which access, in which rounds of the loops around it, the thread's index there, and whether that is `unsigned`."""


@dataclass
class Kernel:
    """`text`; `accesses` in order; `run(x, y, z, blockIdx.x, parameters.., spend, out)` appends what one thread does to
    `out`, and calls `spend(loop, round)` before each round of a loop.

    `least`: what the annotations state of the parameters."""

    block: tuple[int, int, int]
    text: str
    python: str
    accesses: list[Access]
    least: dict[str, int]
    run: Callable[..., None]


@dataclass
class _Maker:
    rng: random.Random
    block: tuple[int, int, int]
    depth: int = 0
    c: list[str] = field(default_factory=list)
    py: list[str] = field(default_factory=list)
    accesses: list[Access] = field(default_factory=list)
    locals: list[Term] = field(default_factory=list)
    common: list[Term] = field(default_factory=list)
    types: dict[str, str] = field(default_factory=dict)
    names: int = 0

    # --- text -----------------------------------------------------------------------------------------------------

    def line(self, c: str | None, py: str | None) -> None:
        if c is not None:
            self.c.append("    " * (self.depth + 1) + c)
        if py is not None:
            self.py.append("    " * (self.depth + 1) + py)

    def binary(self, op: str, a: Term, b: Term) -> Term:
        unsigned = a.unsigned or b.unsigned
        x, y = (f"wrap_unsigned({t.py})" if unsigned and not t.unsigned else t.py for t in (a, b))
        wrap = "wrap_unsigned" if unsigned else "wrap_int"
        c = f"({a.c} {op} {b.c})"
        match op:
            case "/":
                return Term(c, f"divide({x}, {y})", unsigned)
            case "%":
                return Term(c, f"remainder({x}, {y})", unsigned)
            case "<<":
                return Term(c, f"{'wrap_unsigned' if a.unsigned else 'wrap_int'}(left({a.py}, {b.py}))", a.unsigned)
            case ">>":
                return Term(c, f"({a.py} >> amount({b.py}))", a.unsigned)
            case "<" | "<=" | ">" | ">=" | "==" | "!=":
                return Term(c, f"int({x} {op} {y})")
            case "&&":
                return Term(c, f"int({a.py} != 0 and {b.py} != 0)")
            case "||":
                return Term(c, f"int({a.py} != 0 or {b.py} != 0)")
            case _:
                return Term(c, f"{wrap}({x} {op} {y})", unsigned)

    def chosen(self, c: Term, a: Term, b: Term) -> Term:
        unsigned = a.unsigned or b.unsigned
        x, y = (f"wrap_unsigned({t.py})" if unsigned and not t.unsigned else t.py for t in (a, b))
        return Term(f"({c.c} ? {a.c} : {b.c})", f"({x} if {c.py} != 0 else {y})", unsigned)

    def cast(self, type_: str, a: Term) -> Term:
        how = {"int": "to_int", "unsigned": "wrap_unsigned", "short": "to_short", "unsigned char": "0xFF &"}[type_]
        return Term(f"(({type_}){a.c})", f"({how}({a.py}))", type_ == "unsigned")

    def number(self, *choices: int) -> Term:
        value = self.rng.choice(choices)
        return Term(str(value), str(value))

    # --- expressions ----------------------------------------------------------------------------------------------

    def lane(self) -> Term:
        """A value that the lanes have apart, an affine function of threadIdx."""
        rng = self.rng
        if self.locals and rng.random() < 0.35:
            return rng.choice(self.locals)
        x = Term("(int)threadIdx.x", "tx") if rng.random() < 0.8 else Term("threadIdx.x", "tx", True)
        kind = rng.randrange(9)
        if kind <= 2:
            return x
        if kind == 3:
            return Term("t", "t")
        if kind == 4:
            return Term("g", "g")
        if kind == 5:
            return self.binary("*", x, self.number(2, 3, 4, 8))
        if kind == 6:
            return self.binary("-", Term(str(self.block[0] - 1), str(self.block[0] - 1)), x)
        if kind == 7:
            y = Term("(int)threadIdx.y", "ty")
            return self.binary("+", x, self.binary("*", y, rng.choice([self.number(1, 2, 7, 16), self.parameter()])))
        return rng.choice([Term("(int)threadIdx.y", "ty"), Term("(int)threadIdx.z", "tz"), Term("t", "t")])

    def parameter(self) -> Term:
        name = self.rng.choice(PARAMETERS)
        return Term(name, name, self.types[name] == "unsigned")

    def uniform(self, depth: int = 1) -> Term:
        """A value that the lanes share."""
        rng = self.rng
        kind = rng.randrange(12)
        if kind <= 4:
            return self.parameter()
        if kind == 5:
            return Term("(int)blockIdx.x", "bx")
        if kind == 6:
            return self.number(0, 1, 2, 3, 5, 7, 8, 16, 31, 32, 33)
        if kind == 7 and self.common:
            return rng.choice(self.common)
        if depth == 0:
            return self.parameter()
        if kind == 8:
            return self.binary("*", self.parameter(), self.number(2, 3, 4, 8))
        if kind == 9:
            return self.binary(rng.choice("/%&"), self.uniform(0), self.number(2, 3, 4, 8, 7))
        if kind == 10:
            return self.binary(rng.choice("+-"), self.parameter(), self.number(1, 2, 31))
        return self.binary(rng.choice(["+", "+", "-", "*"]), self.uniform(0), self.uniform(0))

    def affine(self) -> Term:
        """A lane's own value plus a common one."""
        rng = self.rng
        kind = rng.randrange(8)
        if kind == 0:
            return self.lane()
        if kind == 1:
            return self.binary("-", self.uniform(), self.lane())
        if kind == 2:
            return self.binary("-", self.lane(), self.uniform())
        return self.binary("+", self.lane(), self.uniform())

    def pattern(self, depth: int) -> Term:
        """What has no polynomial."""
        rng = self.rng
        a = self.affine() if depth == 0 or rng.random() < 0.6 else self.pattern(depth - 1)
        kind = rng.randrange(17)
        if kind == 15:
            return self.binary("%", self.binary("/", a, self.parameter()), self.parameter())
        if kind == 16:
            return self.binary(rng.choice("//%"), a, self.binary("*", self.parameter(), self.parameter()))
        if kind <= 2:
            return self.binary(rng.choice("%/"), a, self.number(2, 3, 4, 5, 7, 8, 12, 16, 31, 32))
        if kind <= 6:
            return self.binary(rng.choice("%/"), a, rng.choice([self.parameter(), self.parameter(), self.uniform()]))
        if kind <= 8:
            other = self.uniform() if rng.random() < 0.8 else self.affine()
            return self.extreme(rng.choice(["min", "max"]), a, other)
        if kind == 9:
            low = self.extreme("max", a, self.number(0, 1, 3))
            return self.extreme("min", low, self.binary("-", self.parameter(), self.number(1)))
        if kind == 10:
            return self.chosen(self.condition(depth - 1), a, rng.choice([self.affine(), self.uniform()]))
        if kind == 11:
            return self.binary(rng.choice("&|^"), a, self.uniform())
        if kind == 12:
            return self.binary(rng.choice([">>", ">>", "<<"]), a, rng.choice([self.number(1, 2, 3, 5), self.small()]))
        if kind == 13:
            return self.cast(rng.choice(["unsigned char", "short", "unsigned", "int"]), a)
        return self.binary(rng.choice("+-*"), a, rng.choice([self.uniform(), self.affine(), self.number(2, 4, 3)]))

    def small(self) -> Term:
        return self.binary("&", self.parameter(), self.number(1, 3, 7))

    def extreme(self, op: str, a: Term, b: Term) -> Term:
        if a.unsigned != b.unsigned:
            a, b = (self.cast("int", t) if t.unsigned else t for t in (a, b))
        return Term(f"{op}({a.c}, {b.c})", f"{op}({a.py}, {b.py})", a.unsigned)

    def condition(self, depth: int) -> Term:
        rng = self.rng
        kind = rng.randrange(9)
        if kind <= 2:
            return self.binary(rng.choice(["<", "<=", ">", ">=", "==", "!="]), self.affine(), self.uniform())
        if kind == 3:
            return self.binary(rng.choice(["<", "==", ">="]), self.uniform(), self.uniform())
        if kind == 4:
            rest = self.binary("%", self.affine(), rng.choice([self.number(2, 3, 4, 8), self.parameter()]))
            return self.binary(rng.choice(["==", "!=", "<"]), rest, self.number(0, 1, 2))
        if kind == 5:
            return self.binary(
                rng.choice(["==", "!="]), self.binary("&", self.affine(), self.uniform()), self.number(0)
            )
        if kind == 6 and depth >= 0:
            return self.binary(rng.choice(["<", "==", ">"]), self.pattern(0), self.uniform())
        if kind >= 7 and depth >= 0:
            return self.binary(rng.choice(["&&", "||"]), self.condition(depth - 1), self.condition(depth - 1))
        return self.binary("<", self.affine(), self.parameter())

    # --- statements -----------------------------------------------------------------------------------------------

    def name(self, type_: str, value: Term, c: str | None = None, known: bool = True) -> Term:
        """A local variable of this value."""
        name = f"v{self.names}"
        self.names += 1
        cast = self.cast(type_, value)
        self.line(f"{type_} {name} = {c or value.c};", f"{name} = {cast.py}")
        term = Term(name, name, type_ == "unsigned")
        if known:
            self.locals.append(term)
        return term

    def statement(self, budget: int) -> None:
        rng = self.rng
        kind = rng.randrange(13)
        if kind <= 3:
            self.access()
        elif kind <= 5:
            type_ = rng.choice(["int", "int", "int", "unsigned", "unsigned char", "short"])
            self.name(type_, self.pattern(1))
        elif kind == 6:
            self.common.append(self.name(rng.choice(["int", "unsigned"]), self.uniform(), known=False))
        elif kind <= 8 and self.locals and budget:
            self.reassign()
        elif kind == 9 and budget:
            c = self.condition(1)
            self.line(f"if ({c.c}) return;", f"if {c.py}: return")
        elif kind == 10 and budget and self.depth < 3:
            self.loop(budget - 1)
        elif budget and self.depth < 3:
            self.branch(budget - 1)
        else:
            self.access()

    def branch(self, budget: int) -> None:
        c = self.condition(1)
        self.line(f"if ({c.c}) {{", f"if {c.py}:")
        self.body(budget)
        if self.rng.random() < 0.4:
            self.line("} else {", "else:")
            self.body(budget)
        self.line("}", None)

    def loop(self, budget: int) -> None:
        """A loop whose bound is common to the lanes, so that rounds can be told apart by their number."""
        name = f"k{self.names}"
        self.names += 1
        bound = self.rng.choice([self.number(2, 3), Term("3", "3"), self.parameter(), self.parameter()])
        self.line(
            f"for (int {name} = 0; {name} < (int){bound.c}; ++{name}) {{",
            f"for {name} in range(to_int({bound.py})):\n" + "    " * (self.depth + 2) + f"spend('{name}', {name})",
        )
        seen = len(self.common)
        self.common.append(Term(name, name))
        self.body(budget, f"{name}, ")
        del self.common[seen:]
        self.line("}", None)

    round: str = ""

    def body(self, budget: int, round_: str = "") -> None:
        seen, shared, outer = len(self.locals), len(self.common), self.round
        self.round += round_
        self.depth += 1
        self.line(None, "pass")
        for _ in range(self.rng.randint(1, 2)):
            self.statement(budget)
        self.depth -= 1
        self.round = outer
        del self.locals[seen:]
        del self.common[shared:]

    def reassign(self) -> None:
        """A variable that some threads change: values join where the ways meet."""
        rng = self.rng
        target = rng.choice(self.locals)
        declared = next(line for line in self.c if f" {target.c} =" in line).split(f" {target.c} =")[0].strip()
        value = rng.choice([self.affine, self.uniform, lambda: self.pattern(0)])()
        assign = (f"{target.c} = {value.c};", f"{target.c} = {self.cast(declared, value).py}")
        if rng.random() < 0.75:
            c = self.condition(0)
            self.line(f"if ({c.c}) {assign[0]}", f"if {c.py}: {assign[1]}")
        else:
            self.line(*assign)

    def access(self) -> None:
        rng = self.rng
        index = self.pattern(rng.choice([0, 0, 1, 1, 2])) if rng.random() < 0.85 else self.affine()
        if rng.random() < 0.3:
            index = self.binary(
                "+", self.binary("*", index, rng.choice([self.parameter(), self.number(2)])), self.lane()
            )
        shared = rng.random() < 0.25
        element = rng.choice(["float", "float", "float", *WIDTHS]) if not shared else rng.choice(["float", "double"])
        array = f"{'s' if shared else 'p'}_{element.replace('unsigned ', 'u')}"
        number = len(self.accesses)
        text = f"{array}[{index.c}]"
        self.accesses.append(Access(text, WIDTHS[element], shared))
        self.line(
            f"{text} = {array}_0;",
            f"out.append(({number}, ({self.round}), {index.py}, {index.unsigned}))",
        )


def make(seed: int, statements: int = 4) -> Kernel:
    """The kernel of this number."""
    rng = random.Random(seed)
    block = rng.choice(_BLOCKS)
    maker = _Maker(rng, block)
    maker.types = {name: rng.choice(["int", "int", "unsigned"]) for name in PARAMETERS}
    least = {name: rng.choice([0, 0, 1, 1, 1, 2, 5]) for name in PARAMETERS}
    x, y, _ = block
    maker.line(
        f"int t = (threadIdx.z * {y} + threadIdx.y) * {x} + threadIdx.x;",
        f"t = (tz * {y} + ty) * {x} + tx",
    )
    maker.line(f"int g = blockIdx.x * {x} + threadIdx.x;", f"g = wrap_int(bx * {x} + tx)")
    for _ in range(statements):
        maker.statement(2)
    if not maker.accesses:
        maker.access()
    return finish(maker, least)


def finish(maker: _Maker, least: dict[str, int]) -> Kernel:
    """The texts put together."""
    arrays = ", ".join(
        f"{e} *p_{e.replace('unsigned ', 'u')}, {e} {a}_{e.replace('unsigned ', 'u')}_0" for e in WIDTHS for a in ("p",)
    )
    head = "".join(f"//@ assume {name} >= {low}\n" for name, low in least.items() if low)
    names = ", ".join(f"{maker.types[name]} {name}" for name in PARAMETERS)
    local = "".join(f"    __shared__ {e} s_{e}[{SHARED_EXTENT}]; {e} s_{e}_0 = p_{e}_0;\n" for e in ("float", "double"))
    text = f"{head}__global__ void k({arrays}, {names}) {{\n{local}" + "\n".join(maker.c) + "\n}\n"
    python = f"def run(tx, ty, tz, bx, {', '.join(PARAMETERS)}, spend, out):\n"
    python += "\n".join(maker.py) + "\n"
    scope = {f.__name__: f for f in (wrap_int, wrap_unsigned, to_int, to_short, divide, remainder, amount, left)}
    exec(python, scope)
    return Kernel(maker.block, text, python, maker.accesses, least, scope["run"])  # type: ignore[arg-type]
