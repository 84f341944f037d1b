"""Random kernels with the constructs that the analysis has rules for, and hostile corners of each.

`program(seed)` gives the same kernel for the same seed.  A kernel has one to three integer parameters, some pointers and
shared or local arrays, and some ten statements; loops come from the shapes that real kernels have.
"""

from __future__ import annotations

import random

from tests.properties.kernels.expressions import (
    BDIM,
    BID,
    GDIM,
    TID,
    Scope,
    condition,
    index,
    lane,
    leaf,
    number,
    place_in,
    read_place,
    value,
)
from tests.properties.kernels.machine import Sample
from tests.properties.kernels.syntax import (
    BOOL,
    CELL,
    CHAR,
    DOUBLE,
    FLOAT,
    FLOAT4,
    INT,
    INT2,
    LONG,
    PAIR,
    SHORT,
    UCHAR,
    UINT,
    ULONG,
    USHORT,
    Arm,
    Array,
    Assign,
    AtomicAdd,
    Barrier,
    Binary,
    Body,
    Cast,
    Const,
    Copy,
    CType,
    Declare,
    DeclareRecord,
    Expr,
    Function,
    Group,
    If,
    Jump,
    Load,
    Logic,
    Loop,
    MovePointer,
    Parameter,
    Place,
    Point,
    Program,
    Record,
    Return,
    Step,
    Stmt,
    Store,
    Switch,
    Var,
)

BLOCKS = (
    ((32, 1, 1), (64, 1, 1), (64, 1, 1), (96, 1, 1), (24, 1, 1), (48, 1, 1), (33, 1, 1), (20, 1, 1), (1, 1, 1))
    + ((16, 4, 1), (32, 2, 1), (8, 8, 1), (24, 2, 1), (17, 3, 1), (1, 32, 1), (2, 40, 1), (64, 2, 1))
    + ((4, 4, 4), (16, 2, 2), (5, 3, 3), (32, 1, 2))
)
SIZES = (0, 1, 1, 2, 3, 4, 5, 7, 8, 9, 12, 16, 17, 20, 24, 31, 32, 33, 40, 48, 63, 64, 65, 96, 100, 127, 128, 130, 256)
LARGE = (1000, 1023, 1024, 4096, 65535, 1 << 20, (1 << 20) + 3, (1 << 31) - 1)


def program(seed: int) -> Program:
    """The kernel of a seed."""
    return _Maker(seed).program()


def sample(p: Program, rng: random.Random, blocks: int = 2) -> Sample:
    """Values for the parameters and the grid, and the blocks to run: the first or last ones, or any."""
    values = {}
    for parameter in p.parameters:
        _, high = parameter.type.range
        pick = rng.choice(LARGE) if rng.random() < 0.1 else rng.choice(SIZES)
        if parameter.type is UINT and rng.random() < 0.06:
            pick = rng.choice(((1 << 32) - 1, 1 << 31, (1 << 32) - 8))
        values[parameter.name] = min(pick, high)
    grid = tuple(rng.choice((1, 1, 2, 3, 7)) for _ in range(3))
    if rng.random() < 0.15:
        grid = (rng.choice((100, 1000, 65536)), *grid[1:])
    chosen = []
    for _ in range(blocks):
        chosen.append(tuple(rng.choice((0, g - 1, rng.randrange(g))) for g in grid))
    return Sample(values, grid, tuple(chosen))  # type: ignore[arg-type]


class _Maker:
    """The state of one generation: names are numbered, statements are counted."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.rng = random.Random(seed)
        self.names = 0
        self.left = self.rng.randrange(5, 16)
        self.block = self.rng.choice(BLOCKS)
        self.probed = self.rng.random() < 0.5

    def name(self, letter: str) -> str:
        self.names += 1
        return f"{letter}{self.names}"

    # --- the frame of a kernel ----------------------------------------------------------------------------------

    def program(self) -> Program:
        rng = self.rng
        parameters = [Parameter("n", rng.choice((INT, INT, INT, UINT, LONG, SHORT)))]
        if rng.random() < 0.7:
            parameters.append(Parameter("m", rng.choice((INT, INT, UINT, UCHAR))))
        if rng.random() < 0.25:
            parameters += [Parameter("d.w", INT), Parameter("d.h", rng.choice((INT, UINT)))]
        arrays = self._arrays()
        scope = Scope(rng, self.block, [], [Var(p.name, p.type) for p in parameters], list(arrays))
        functions = tuple(self._function(scope) for _ in range(rng.choice((0, 0, 0, 1, 2))))
        scope.functions = list(functions)
        body = self._body(scope, 0, False)
        body += (Store(place_in(scope, arrays[0]), "=", Cast(INT, value(scope, 1))),)
        return Program(self.block, tuple(parameters), tuple(arrays), functions, body, self.seed)

    def _arrays(self) -> list[Array]:
        rng = self.rng
        arrays = [Array("out", rng.choice((INT, INT, FLOAT, SHORT, UCHAR, DOUBLE)), "global")]
        if self.probed:
            arrays.append(Array("see", UCHAR, "global"))
        arrays.append(Array("in", rng.choice((INT, INT, UINT, SHORT, USHORT, UCHAR, CHAR, LONG)), "global", (), True))
        if rng.random() < 0.4:
            arrays.append(Array("q", rng.choice((FLOAT4, CELL, PAIR, INT, LONG)), "global"))
        if rng.random() < 0.5:
            extents = rng.choice(((64,), (128,), (100,), (32, 33), (16, 17), (32, 32), (8, 16), (4, 4, 4), (3, 5, 9)))
            arrays.append(
                Array("s", rng.choice((INT, INT, FLOAT, SHORT, UCHAR, LONG, DOUBLE, FLOAT4, CELL)), "shared", extents)
            )
        if rng.random() < 0.25:
            arrays.append(Array("r", rng.choice((INT, UINT, SHORT)), "local", rng.choice(((4,), (2, 3), (8,)))))
        return arrays

    def _function(self, scope: Scope) -> Function:
        """A device function with an early return or two."""
        rng = self.rng
        arguments = tuple(Var(self.name("a"), rng.choice((INT, INT, UINT, SHORT))) for _ in range(rng.choice((1, 2))))
        pointers = ("in",) if rng.random() < 0.6 else ()
        inner = Scope(rng, self.block, list(arguments), [], [a for a in scope.arrays if a.name in pointers])
        inner.exchanges = False
        body: list[Stmt] = []
        if rng.random() < 0.7:
            body.append(If(condition(inner), (Return(value(inner, 1)),), ()))
        if rng.random() < 0.4:
            counter = Var(self.name("k"), INT)
            deeper = inner.fork()
            deeper.variables.append(counter)
            leave = If(condition(deeper), (Return(value(deeper, 1)),), ())
            first = Declare(counter.name, INT, Const(0))
            test = Binary("<", counter, Const(rng.choice((3, 5, 8))))
            body.append(Loop("for", first, test, (Step(counter.name, INT, "++"),), (leave,)))
        body.append(Return(value(inner, 2)))
        return Function(self.name("f"), arguments, pointers, tuple(body))

    # --- statements ---------------------------------------------------------------------------------------------

    def _body(self, scope: Scope, depth: int, in_loop: bool, most: int = 6) -> Body:
        result: list[Stmt] = []
        for _ in range(self.rng.randrange(1, most + 1) if depth else 12):
            if self.left <= 0:
                break
            self.left -= 1
            known = len(scope.variables)
            result += self._statement(scope, depth, in_loop)
            if self.probed:
                result += self._probes(scope, result[-1], scope.variables[known:])
        if not result:
            result += self._write(scope)
        return tuple(result)

    def _probes(self, scope: Scope, last: Stmt, declared: list[Var]) -> list[Stmt]:
        """Stores whose addresses are the values of the variables that were just assigned."""
        changed = [Var(last.name, last.type)] if isinstance(last, (Assign, Step)) else declared
        after_jump = isinstance(last, Jump)
        if isinstance(last, (If, Loop, Switch)) and scope.variables:
            changed = [self.rng.choice(scope.variables)]
        if after_jump or self.rng.random() < 0.3:
            return []
        return [Store(Place("see", (self._visible(v),), UCHAR), "=", Const(1)) for v in changed[:2]]

    def _visible(self, v: Var) -> Expr:
        pick = self.rng.random()
        if pick < 0.8:
            return v
        return Binary("&", v, Const(1023)) if pick < 0.9 else Cast(self.rng.choice((UCHAR, SHORT, BOOL)), v)

    def _statement(self, scope: Scope, depth: int, in_loop: bool) -> list[Stmt]:
        rng = self.rng
        pick = rng.random()
        if depth < 3 and pick < 0.16:
            return [self._if(scope, depth, in_loop)]
        if depth < 3 and pick < 0.36:
            return self._loop(scope, depth)
        if depth < 3 and pick < 0.40:
            return [self._switch(scope, depth, in_loop)]
        if pick < 0.46:
            return self._jump(scope, depth, in_loop)
        if pick < 0.60:
            return self._declare(scope)
        if pick < 0.70 and scope.variables:
            return [self._assign(scope)]
        if pick < 0.76:
            return self._pointer(scope)
        if pick < 0.79 and (depth == 0 or rng.random() < 0.4):
            return [Barrier(rng.choice(("__syncthreads()", "__syncthreads()", "__syncwarp()")))]
        return self._write(scope)

    def _declare(self, scope: Scope) -> list[Stmt]:
        if self.rng.random() < 0.08:
            return self._record(scope)
        kinds = (INT,) * 6 + (UINT,) * 4 + (LONG, LONG, SHORT, SHORT, UCHAR, UCHAR, USHORT, CHAR, ULONG, BOOL)
        name, t = self.name("v"), self.rng.choice(kinds)
        place = read_place(scope) if self.rng.random() < 0.25 and not scope.pure else None
        what = Load(place) if place is not None else value(scope, 2)
        stmt = Declare(name, t, what)
        scope.variables.append(Var(name, t))
        return [stmt]

    def _record(self, scope: Scope) -> list[Stmt]:
        """A record in registers, or a copy of one; its members are variables from then on."""
        name, record = self.name("c"), self.rng.choice((INT2, INT2, PAIR))
        dotted = [v.name.split(".")[0] for v in scope.variables if v.name.endswith(f".{record.members[0][0]}")]
        copied = self.rng.choice(dotted) if dotted and self.rng.random() < 0.5 else ""
        args = () if copied else tuple(value(scope, 1) for _ in record.members)
        scope.variables += [Var(f"{name}.{member}", t) for member, t, _ in record.members]
        return [DeclareRecord(name, record, args, copied)]

    def _assign(self, scope: Scope) -> Stmt:
        var = self.rng.choice(scope.variables)
        if self.rng.random() < 0.2:
            return Step(var.name, var.type, self.rng.choice(("++", "--")))
        op = self.rng.choice(("=", "=", "+=", "+=", "-=", "*=", "/=", "%=", "^=", "&=", "|=", ">>=", "<<="))
        if op in ("/=", "%="):
            return Assign(var.name, var.type, op, Const(self.rng.choice((2, 3, 4, 8, 32))))
        if op in (">>=", "<<="):
            return Assign(var.name, var.type, op, Const(self.rng.randrange(4)))
        if op == "*=":
            return Assign(var.name, var.type, op, Const(self.rng.choice((0, 1, 2, 3))))
        return Assign(var.name, var.type, op, value(scope, 1))

    def _pointer(self, scope: Scope) -> list[Stmt]:
        """A new alias, sometimes of one of two arrays, or a step of an alias."""
        rng = self.rng
        aliases = [a for a in scope.arrays if a.space == "alias"]
        if aliases and rng.random() < 0.5:
            alias = rng.choice(aliases)
            return [MovePointer(alias.name, alias.element, rng.choice((leaf(scope), number(rng), value(scope, 1))))]
        bases = [a for a in scope.arrays if not a.extents and not a.const]
        if not bases:
            return self._write(scope)
        base = rng.choice(bases)
        same = [a for a in bases if a.element == base.element and a is not base]
        name = self.name("p")
        if same and rng.random() < 0.4:
            stmt = Point(name, base.element, base.name, index(scope, 1), condition(scope), rng.choice(same).name)
        else:
            stmt = Point(name, base.element, base.name, index(scope, 1))
        scope.arrays.append(Array(name, base.element, "alias"))
        return [stmt]

    def _write(self, scope: Scope) -> list[Stmt]:
        rng = self.rng
        writable = [a for a in scope.arrays if not a.const]
        array = rng.choice(writable)
        vectors = [a for a in scope.arrays if a.element == FLOAT4]
        if isinstance(array.element, Record) and array.element.vector and rng.random() < 0.6:
            places = [place_in(scope, a) for a in (array, rng.choice(vectors))]
            whole = [Place(p.base, p.indices, p.element) for p in places]
            return [Copy(whole[0], whole[1])]
        place = place_in(scope, array)
        if place.type in (INT, UINT) and array.space != "local" and rng.random() < 0.15:
            result = self.name("o") if rng.random() < 0.4 and place.type is INT else None
            stmt: Stmt = AtomicAdd(place, Cast(INT, value(scope, 1)), result)
            if result:
                scope.variables.append(Var(result, INT))
            return [stmt]
        op = rng.choice(("=", "=", "=", "+=", "-=", "++"))
        what = Const(1) if op == "++" else value(scope, 1)
        readable = [a for a in scope.arrays if isinstance(a.element, CType)]
        if rng.random() < 0.4 and op != "++":
            what = Load(place_in(scope, rng.choice(readable)))
        return [Store(place, op, what)]

    def _if(self, scope: Scope, depth: int, in_loop: bool) -> Stmt:
        then = self._body(scope.fork(), depth + 1, in_loop, 3)
        otherwise = self._body(scope.fork(), depth + 1, in_loop, 3) if self.rng.random() < 0.4 else ()
        return If(condition(scope, 1), then, otherwise)

    def _jump(self, scope: Scope, depth: int, in_loop: bool) -> list[Stmt]:
        """A guarded return, break or continue."""
        kind = self.rng.choice(("break", "continue", "return")) if in_loop else "return"
        if kind == "return" and self.rng.random() < 0.5:
            return self._declare(scope)
        guard = condition(scope, 1)
        before = self._write(scope.fork()) if self.rng.random() < 0.3 else []
        return [If(guard, (*before, Jump(kind)), ())]

    def _switch(self, scope: Scope, depth: int, in_loop: bool) -> Stmt:
        rng = self.rng
        selector = rng.choice(
            (value(scope, 1), Binary("%", value(scope, 1), Const(4)), Binary("&", lane(scope), Const(3)))
        )
        labels: list[int | None] = [*rng.sample(range(5), rng.choice((1, 2, 3)))]
        if rng.random() < 0.6:
            labels.insert(rng.randrange(len(labels) + 1), None)
        arms = []
        for label in labels:
            body = self._body(scope.fork(), depth + 1, False, 2)
            if in_loop and rng.random() < 0.2:
                body = (*body, If(condition(scope, 1), (Jump("continue"),), ()))
            body = (Group(body),)
            arms.append(Arm((label,), (*body, Jump("break")) if rng.random() < 0.65 else body))
        return Switch(selector, tuple(arms))

    # --- loops --------------------------------------------------------------------------------------------------

    def _loop(self, scope: Scope, depth: int) -> list[Stmt]:
        rng = self.rng
        maker = rng.choice(
            (self._counting,) * 4
            + (self._geometric, self._strided, self._strided, self._reused, self._endless, self._do, self._carried)
        )
        return maker(scope, depth)

    def _inside(self, scope: Scope, depth: int, counter: Var | None) -> Body:
        inner = scope.fork()
        if counter is not None:
            inner.variables += [counter, counter]
        if rng_moves := [a for a in inner.arrays if a.space == "alias"]:
            if self.rng.random() < 0.4:
                alias = self.rng.choice(rng_moves)
                step = MovePointer(alias.name, alias.element, self.rng.choice((number(self.rng), leaf(scope))))
                return (*self._body(inner, depth + 1, True, 3), step)
        return self._body(inner, depth + 1, True, 3)

    def _counting(self, scope: Scope, depth: int) -> list[Stmt]:
        """for (k = a; k < b; k += c), up or down, of any type, with any test."""
        rng = self.rng
        t = rng.choice((INT, INT, INT, INT, UINT, UINT, LONG, SHORT, UCHAR))
        counter = Var(self.name("k"), t)
        bound = rng.choice((Const(rng.choice((1, 2, 3, 5, 8, 10))), *scope.parameters, leaf(scope), value(scope, 1)))
        start = rng.choice((Const(0), Const(0), Const(1), lane(scope), leaf(scope)))
        amount = rng.choice((1, 1, 1, 2, 3, 4, 7, 32))
        pick = rng.random()
        if pick < 0.12:
            test: Expr = Binary("!=", counter, bound)
            step: Stmt = Step(counter.name, t, "++")
        elif pick < 0.3:
            start, bound = bound, rng.choice((Const(0), Const(0), start))
            test = Binary(rng.choice((">", ">", ">=")), counter, bound)
            step = Step(counter.name, t, "--") if amount == 1 else Assign(counter.name, t, "-=", Const(amount))
        else:
            test = Binary(rng.choice(("<", "<", "<", "<=")), counter, bound)
            step = Step(counter.name, t, "++") if amount == 1 else Assign(counter.name, t, "+=", Const(amount))
        if rng.random() < 0.12:
            test = Logic("&&", test, condition(scope, 0))
        first = Declare(counter.name, t, start)
        body = self._inside(scope, depth, counter)
        if rng.random() < 0.2:
            return self._as_while(scope, first, test, step, body)
        return [Loop("for", first, test, (step,), body)]

    def _as_while(self, scope: Scope, first: Declare, test: Expr, step: Stmt, body: Body) -> list[Stmt]:
        """The same with a counter that lives on."""
        scope.variables.append(Var(first.name, first.type))
        kind = self.rng.choice(("while", "do", "for"))
        if kind == "for":
            return [
                Declare(first.name, first.type, Const(0)),
                Loop("for", Assign(first.name, first.type, "=", first.value or Const(0)), test, (step,), body),
            ]
        return [first, Loop(kind, None, test, (), (*body, step))]

    def _strided(self, scope: Scope, depth: int) -> list[Stmt]:
        """Block and grid strides from a thread's own start."""
        rng = self.rng
        t = rng.choice((INT, INT, UINT))
        counter = Var(self.name("i"), t)
        total = Binary("*", BDIM, GDIM)
        start = rng.choice((TID, Binary("+", Binary("*", BID, BDIM), TID), lane(scope)))
        stride = rng.choice((BDIM, BDIM, total, Const(32), leaf(scope)))
        step = Assign(counter.name, t, "+=", stride)
        test = Binary("<", counter, rng.choice((*scope.parameters, leaf(scope), Const(100))))
        return [Loop("for", Declare(counter.name, t, start), test, (step,), self._inside(scope, depth, counter))]

    def _geometric(self, scope: Scope, depth: int) -> list[Stmt]:
        rng = self.rng
        t = rng.choice((INT, UINT))
        counter = Var(self.name("g"), t)
        bound = rng.choice((Const(32), BDIM, *scope.parameters))
        if rng.random() < 0.5:
            first = Declare(counter.name, t, rng.choice((Const(1), Const(1), Const(2))))
            step = Assign(counter.name, t, *rng.choice((("*=", Const(2)), ("<<=", Const(1)), ("*=", Const(3)))))
            test = Binary(rng.choice(("<", "<=")), counter, bound)
        else:
            first = Declare(counter.name, t, rng.choice((bound, Binary("/", bound, Const(2)))))
            step = Assign(counter.name, t, *rng.choice(((">>=", Const(1)), ("/=", Const(2)))))
            test = Binary(">", counter, Const(rng.choice((0, 0, 1, 3))))
        return [Loop("for", first, test, (step,), self._inside(scope, depth, counter))]

    def _reused(self, scope: Scope, depth: int) -> list[Stmt]:
        """A nest whose inner counter is not reset, or starts at the outer one."""
        rng = self.rng
        outer, inner = Var(self.name("k"), INT), Var(self.name("j"), INT)
        bound = rng.choice((Const(rng.choice((2, 4, 6))), leaf(scope), *scope.parameters))
        shared = rng.random() < 0.5
        deep = scope.fork()
        deep.variables.append(outer)
        first = None if shared else Declare(inner.name, INT, rng.choice((outer, Binary("+", outer, Const(1)), TID)))
        test = Binary("<", inner, rng.choice((bound, bound, Binary("*", Binary("+", outer, Const(1)), Const(3)))))
        nest = Loop("for", first, test, (Step(inner.name, INT, "++"),), self._inside(deep, depth + 1, inner))
        loop = Loop(
            "for",
            Declare(outer.name, INT, Const(0)),
            Binary("<", outer, bound),
            (Step(outer.name, INT, "++"),),
            (nest,),
        )
        if not shared:
            return [loop]
        scope.variables.append(inner)
        return [Declare(inner.name, INT, rng.choice((Const(0), lane(scope)))), loop]

    def _carried(self, scope: Scope, depth: int) -> list[Stmt]:
        """Variables that a loop hands from round to round: they take turns, go round, double, halve, or move now and
        then; and live on."""
        rng = self.rng
        counter = Var(self.name("k"), INT)
        a, b = (Var(self.name("c"), rng.choice((INT, INT, UINT, LONG))) for _ in range(2))
        few: Expr = Const(rng.choice((1, 2, 3, 8)))
        values: list[Expr] = [Const(0), Const(1), leaf(scope), lane(scope)]
        starts = [Declare(v.name, v.type, rng.choice(values)) for v in (a, b)]
        deep = scope.fork()
        deep.variables += [a, b, counter]
        keep = Var(self.name("c"), INT)
        change: Body = rng.choice(
            (
                (Assign(a.name, a.type, "^=", few),),
                (Assign(a.name, a.type, "=", Binary("-", few, a)),),
                (Assign(a.name, a.type, "=", Binary("%", Binary("+", a, few), Const(rng.choice((2, 3, 8))))),),
                (Assign(a.name, a.type, "*=", Const(2)), Assign(b.name, b.type, "/=", Const(2))),
                (Assign(a.name, a.type, ">>=", Const(1)), Step(b.name, b.type, "++")),
                (If(condition(deep), (Assign(a.name, a.type, "+=", few),), ()),),
                (If(condition(scope), (Assign(a.name, a.type, "+=", few),), ()), Assign(b.name, b.type, "-=", few)),
                (
                    Declare(keep.name, INT, a),
                    Assign(a.name, a.type, "=", b),
                    Assign(b.name, b.type, "=", keep),
                ),
            )
        )
        body = self._inside(deep, depth, counter)
        scope.variables += [a, b]
        test: Expr = Binary("<", counter, rng.choice((*scope.parameters, leaf(scope), Const(5))))
        if rng.random() < 0.2:
            test = Logic("&&", test, condition(deep))
        ordered = (*change, *body) if rng.random() < 0.3 else (*body, *change)
        step = Step(counter.name, INT, "++")
        return [*starts, Loop("for", Declare(counter.name, INT, Const(0)), test, (step,), ordered)]

    def _endless(self, scope: Scope, depth: int) -> list[Stmt]:
        """for (;;) with a way out."""
        t = self.rng.choice((INT, UINT, INT))
        counter = Var(self.name("e"), t)
        body = self._inside(scope, depth, counter)
        deep = scope.fork()
        deep.variables.append(counter)
        out = self.rng.choice((condition(deep), Binary(">=", counter, leaf(scope)), Binary(">", counter, Const(4))))
        leave = If(out, (Jump("break"),), ())
        step = Step(counter.name, t, "++")
        ordered = (leave, *body, step) if self.rng.random() < 0.5 else (*body, step, leave)
        return [Loop("for", Declare(counter.name, t, self.rng.choice((Const(0), TID))), None, (), ordered)]

    def _do(self, scope: Scope, depth: int) -> list[Stmt]:
        t = self.rng.choice((INT, INT, UINT, SHORT))
        counter = Var(self.name("w"), t)
        start = self.rng.choice((Const(0), leaf(scope)))
        scope.variables.append(counter)
        body = self._inside(scope, depth, counter)
        step = self.rng.choice((Step(counter.name, t, "++"), Assign(counter.name, t, "+=", leaf(scope))))
        test = self.rng.choice((Binary("<", counter, leaf(scope)), condition(scope)))
        first = Declare(counter.name, t, start)
        return [first, Loop(self.rng.choice(("do", "do", "while")), None, test, (), (*body, step))]
