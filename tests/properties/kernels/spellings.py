"""The same kernels in other words: references, pointers, templates, methods, function objects, lambdas, macros, side effects.

`Spelled(seed)` goes to `print_program` and writes now this node, now that one differently, without changing what is computed
or which memory is accessed: for whoever compares executions of the text (g++, the simulator, the analysis), not for
`machine.py`, whose nodes have no places in such a text.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.properties.kernels.printing import Text, print_braces, print_expr, print_place
from tests.properties.kernels.syntax import (
    BOOL,
    COMPARISONS,
    INT,
    Array,
    Assign,
    Binary,
    Body,
    Builtin,
    Call,
    Cast,
    Choose,
    Const,
    CType,
    Declare,
    Expr,
    Function,
    Group,
    If,
    Jump,
    Load,
    Logic,
    Loop,
    MovePointer,
    Program,
    Step,
    Stmt,
    Store,
    Switch,
    Unary,
    Var,
    type_of,
)

PRELUDE = """
#define AXIS(of, which) (of).which
enum Few { ZERO, ONE, TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT };
template <int N> struct Fixed { enum { value = N }; static const int same = N; };
template <int N> __device__ constexpr int fixed() { return N; }
template <class T> __device__ T same(T v) { return v; }
template <class T> __device__ T seen(const T &v) { return v; }
template <class T> __device__ T loaded(const T *p) { return *p; }
template <class T> __device__ T &at(T *p, long long i) { return p[i]; }
template <class T> __device__ T &itself(T &v) { return v; }
template <class T, class U> __device__ void put(T &to, U v) { to = v; }
template <class T> __device__ T bumped(T &v, int by) { v += by; return v; }
template <class T> struct Box {
    T held;
    __device__ Box(T v) : held(v) {}
    __device__ T get() const { return held; }
    __device__ operator T() const { return held; }
};
"""
_OPPOSITE = {"<": ">=", ">=": "<", ">": "<=", "<=": ">", "==": "!=", "!=": "=="}


@dataclass
class Spelled:
    """The state: what was drawn, names that were used."""

    seed: int
    often: float = 0.3
    prelude: str = PRELUDE
    names: int = 0
    functors: set[str] = field(default_factory=set)
    plain: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)

    def _name(self) -> str:
        self.names += 1
        return f"z{self.names}"

    # --- expressions --------------------------------------------------------------------------------------------

    def expression(self, out: Text, e: Expr, bare: bool) -> bool:
        """Writes an expression in another way, sometimes."""
        if id(e) in self.plain:
            self.plain.discard(id(e))
            return False
        if isinstance(e, Call) and e.function in self.functors:
            out.put(f"{e.function}{{{', '.join(e.pointers)}}}(")
            for i, arg in enumerate(e.args):
                out.put(", " if i else "")
                print_expr(out, arg, bare=True)
            out.put(")")
            return True
        if self.rng.random() >= self.often:
            return False
        match e:
            case Const(value, t) if t is INT and value >= 0:
                out.put(self.rng.choice(_constants(value)))
            case Var(name, t):
                forms = [
                    f"same({name})",
                    f"seen({name})",
                    f"(0, {name})",
                    f"(*&{name})",
                    f"Box<{t.name}>({name}).get()",
                ]
                forms += [f"same<{t.name}>({name})", f"([&] {{ return {name}; }}())", f"({name})"]
                out.put(self.rng.choice(forms))
            case Builtin(kind, axis):
                out.put(f"AXIS({kind}, {'xyz'[axis]})")
            case Cast(t, a) if t.name != "bool":
                self._cast(out, t, a)
            case Choose(c, a, b) if type_of(a) == type_of(b):
                # The arms run under a test of their own.
                out.put("([&] { if (")
                print_expr(out, c, bare=True)
                out.put(f") return ({type_of(a).name})(")
                print_expr(out, a, bare=True)
                out.put(f"); return ({type_of(b).name})(")
                print_expr(out, b, bare=True)
                out.put("); }())")
            case Binary(op, a, b) if op in COMPARISONS:
                out.put("(!")
                print_expr(out, Binary(_OPPOSITE[op], a, b))
                out.put(")")
            case Binary("+" | "*" as op, a, b) if not _has_effects((a, b)):
                self._plainly(out, Binary(op, b, a), bare)
            case Logic(op, a, b):
                out.put("(!(!")
                print_expr(out, Unary("!", Unary("!", a)))
                out.put(f" {'||' if op == '&&' else '&&'} !")
                print_expr(out, Unary("!", Unary("!", b)))
                out.put("))")
            case Load():
                self._load(out, e)
            case _:
                return False
        return True

    def _plainly(self, out: Text, e: Expr, bare: bool = False) -> None:
        self.plain.add(id(e))
        print_expr(out, e, bare)

    def _cast(self, out: Text, t: CType, a: Expr) -> None:
        form = self.rng.randrange(4)
        if form == 0 and " " not in t.name and t.name != "unsigned":
            out.put(f"{t.name}(")
        elif form == 1:
            out.put(f"same<{t.name}>(")
        elif form == 2:
            out.put(f"Box<{t.name}>(")
        else:
            out.put(f"static_cast<{t.name}>(")
        print_expr(out, a, bare=True)
        out.put(")" if form != 2 else ").get()")

    def _load(self, out: Text, e: Load) -> None:
        form = self.rng.choice(("loaded(&", "seen(", "(*&", "at(&", "same("))
        out.put(form)
        print_place(out, e.place, e)
        out.put(", 0)" if form == "at(&" else ")")

    # --- statements ---------------------------------------------------------------------------------------------

    def statement(self, out: Text, stmt: Stmt) -> bool:
        """Writes a statement in another way, sometimes."""
        if self.rng.random() >= 1.5 * self.often:
            return False
        match stmt:
            case Declare(name, t, value) if value is not None and t is not BOOL:
                form = self.rng.randrange(3)
                out.put(
                    (f"{t.name} {name}; {name} = ", f"auto {name} = ({t.name})", f"{t.name} {name} = ({t.name})")[form]
                )
                out.put("(")
                print_expr(out, value, bare=True)
                out.put(");")
            case Store():
                self._store(out, stmt)
            case If(condition, then, otherwise):
                out.put("if (!")
                print_expr(out, Unary("!", Unary("!", condition)))
                out.put(")")
                print_braces(out, otherwise)
                out.put(" else")
                print_braces(out, then)
            case Loop("for", _, condition, _, body) if condition is not None and not _continues(body):
                self._while(out, stmt)
            case MovePointer(name, _, offset):
                head, tail = self.rng.choice((("{0} = {0} + ", ";"), ("{0} = &at({0}, ", ");"), ("{0} = &{0}[", "];")))
                out.put(head.format(name))
                print_expr(out, offset)
                out.put(tail)
            case _:
                return False
        return True

    def _while(self, out: Text, stmt: Loop) -> None:
        out.put("{ ")
        if stmt.first is not None:
            if not self.simple(out, stmt.first):
                _plain_simple(out, stmt.first)
            out.put("; ")
        out.put("while (")
        assert stmt.condition is not None
        print_expr(out, stmt.condition, bare=True)
        out.put(")")
        print_braces(out, (*stmt.body, *stmt.step))
        out.put(" }")

    def _store(self, out: Text, stmt: Store) -> None:
        place, op, value = stmt.place, stmt.op, stmt.value
        single = len(place.indices) == 1 and not place.star and place.member is None
        form = self.rng.choice(("reference", "pointer", "bump" if single else "reference", "put"))
        written = " += 1" if op == "++" else f" {op} "
        if form == "bump" and type_of(place.indices[0]) is not BOOL:
            name = self._name()
            out.put(f"{{ auto {name} = +")
            print_expr(out, place.indices[0])
            out.put(f"; {place.base}[{name}++]{written}")
        elif form == "put" and op == "=":
            out.put("{ put(")
            print_place(out, place, stmt)
            out.put(", ")
        elif form == "pointer":
            name = self._name()
            out.put(f"{{ auto *{name} = &")
            print_place(out, place, stmt)
            out.put(f"; *{name}{written}")
        else:
            name = self._name()
            out.put(f"{{ auto &{name} = ")
            print_place(out, place, stmt)
            out.put(f"; {name}{written}")
            form = "reference"
        if op != "++":
            print_expr(out, value, bare=form == "put")
        out.put("); }" if form == "put" and op == "=" else "; }")

    def simple(self, out: Text, stmt: Declare | Assign | Step) -> bool:
        """Writes an assignment or a step in another way, sometimes; these may stand in the head of a loop."""
        if self.rng.random() >= self.often:
            return False
        match stmt:
            case Step(name, t, op) if t is not BOOL:
                sign = op[0]
                forms = [f"{op}{name}", f"{name} {sign}= 1", f"{name} = {name} {sign} 1", f"bumped({name}, {sign}1)"]
                out.put(self.rng.choice((*forms, f"(*&{name}){op}", f"[&] {{ {name}{op}; }}()")))
            case Assign(name, t, op, value) if t is not BOOL:
                form = self.rng.randrange(3)
                if form == 0 and op != "=":
                    out.put(f"{name} = {name} {op[:-1]} ")
                elif form == 1:
                    out.put(f"(*&{name}) {op} ")
                else:
                    out.put(f"itself({name}) {op} ")
                print_expr(out, value)
            case _:
                return False
        return True

    # --- functions ----------------------------------------------------------------------------------------------

    def function(self, out: Text, function: Function, arrays: Mapping[str, Array]) -> bool:
        """A function object, whose members are the pointers; or a template; or references."""
        form = self.rng.randrange(4)
        if form == 0:
            return False
        members = [f"{'const ' if arrays[n].const else ''}{arrays[n].element.name} *{n}" for n in function.pointers]
        arguments = [f"{v.type.name} {v.name}" for v in function.arguments]
        if form == 1:
            self.functors.add(function.name)
            inner = "".join(f"{member}; " for member in members)
            out.put(f"struct {function.name} {{ {inner}__device__ int operator()({', '.join(arguments)}) const")
            print_braces(out, function.body)
            out.put(" };\n")
            return True
        if form == 2:
            names = [f"P{i}" for i in range(len(members))]
            head = f"template <{', '.join(f'class {n}' for n in names)}> " if names else ""
            members = [f"{n} {name}" for n, name in zip(names, function.pointers)]
            out.put(f"{head}__device__ int {function.name}({', '.join([*members, *arguments])})")
        else:
            members = [
                f"{'const ' if arrays[n].const else ''}{arrays[n].element.name} *const &{n}" for n in function.pointers
            ]
            arguments = [f"const {v.type.name} &{v.name}" for v in function.arguments]
            out.put(f"__device__ __forceinline__ int {function.name}({', '.join([*members, *arguments])})")
        print_braces(out, function.body)
        out.put("\n")
        return True

    def kernel(self, out: Text, program: Program, parameters: list[str]) -> bool:
        """The body as a method of an object whose members are the parameters, or as a function of references to them."""
        form = self.rng.randrange(3)
        names = [parameter.replace("*", " ").split()[-1] for parameter in parameters]
        if form == 0:
            return False
        if form == 1:
            members = "".join(f"{parameter}; " for parameter in parameters)
            out.put(f"struct Work {{ {members}__device__ void run(); }};\n__device__ void Work::run()")
            print_braces(out, program.body, program.arrays)
            out.put(f"\n__global__ void k({', '.join(parameters)}) {{\n")
            out.put(f"    Work work = {{{', '.join(names)}}};\n    work.run();\n}}\n")
        else:
            references = [" &".join(p.rsplit(" ", 1)) if "*" not in p else p.replace("*", "*&") for p in parameters]
            out.put(f"__device__ void work({', '.join(references)})")
            print_braces(out, program.body, program.arrays)
            out.put(f"\n__global__ void k({', '.join(parameters)}) {{\n    work({', '.join(names)});\n}}\n")
        return True


def _constants(value: int) -> list[str]:
    forms = [hex(value), f"Fixed<{value}>::value", f"Fixed<{value}>::same", f"fixed<{value}>()", f"({value} + ZERO)"]
    if value <= 8:
        forms += [("ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT")[value]]
    return [*forms, f"(int)sizeof(char[{value}])"] if value else forms


def _plain_simple(out: Text, stmt: Declare | Assign) -> None:
    out.put(f"{stmt.type.name} {stmt.name} = " if isinstance(stmt, Declare) else f"{stmt.name} {stmt.op} ")
    if stmt.value is not None:
        print_expr(out, stmt.value)


def _has_effects(parts: tuple[Expr, ...]) -> bool:
    """Whether the order of two operands may show: calls and exchanges of lanes."""
    return any(not isinstance(part, Const | Var | Builtin) for part in parts)


def _continues(body: Body) -> bool:
    """Whether a loop's body goes on to the next round early."""
    for stmt in body:
        match stmt:
            case Jump("continue"):
                return True
            case If(_, then, otherwise):
                if _continues(then) or _continues(otherwise):
                    return True
            case Group(inner):
                if _continues(inner):
                    return True
            case Switch(_, arms):
                if any(_continues(arm.body) for arm in arms):
                    return True
    return False
