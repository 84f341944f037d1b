"""A generated kernel as CUDA text, with the byte range of every place that the analysis may speak about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from tests.properties.kernels.syntax import (
    BOOL,
    CELL,
    INTRINSICS,
    PAIR,
    Apply,
    Array,
    Assign,
    AtomicAdd,
    Barrier,
    Binary,
    Body,
    Builtin,
    Call,
    Cast,
    Choose,
    Const,
    Copy,
    Declare,
    DeclareRecord,
    Distance,
    Expr,
    Extreme,
    Function,
    Group,
    If,
    Jump,
    Load,
    Logic,
    Loop,
    MovePointer,
    Place,
    Point,
    Program,
    Record,
    Return,
    Shuffle,
    Step,
    Stmt,
    Store,
    Switch,
    Unary,
    Var,
    Vote,
)

Range = tuple[int, int]


class Spelling(Protocol):
    """Other ways to write the same; each says whether it wrote anything (`spellings.py`)."""

    prelude: str

    def expression(self, out: Text, e: Expr, bare: bool) -> bool: ...

    def statement(self, out: Text, stmt: Stmt) -> bool: ...

    def simple(self, out: Text, stmt: Declare | Assign | Step) -> bool: ...

    def function(self, out: Text, function: Function, arrays: Mapping[str, Array]) -> bool: ...

    def kernel(self, out: Text, program: Program, parameters: list[str]) -> bool: ...


@dataclass
class Text:
    """`ranges`: node -> [start, end) of its text (loops and ifs: of their condition); `target`: what stands before the
    parenthesised target of a compound assignment to memory, if anything; `spelling`: other ways to write things (there
    are no ranges then)."""

    parts: list[str] = field(default_factory=list)
    length: int = 0
    depth: int = 0
    ranges: dict[object, Range] = field(default_factory=dict)
    target: str = ""
    spelling: Spelling | None = None

    def put(self, text: str) -> None:
        self.parts.append(text)
        self.length += len(text)

    def line(self) -> None:
        self.put("\n" + "    " * self.depth)


def print_program(
    program: Program, target: str = "", spelling: Spelling | None = None
) -> tuple[str, dict[object, Range]]:
    """The text and the ranges of its nodes; `target` and `spelling` as in `Text`."""
    out = Text(target=target, spelling=spelling)
    out.put(spelling.prelude if spelling is not None else "")
    records = {a.element for a in program.arrays if isinstance(a.element, Record) and not a.element.vector}
    records |= {s.record for s in every_statement(program.body) if isinstance(s, DeclareRecord)}
    for record in (CELL, PAIR):
        if record in records:
            members = " ".join(f"{t.name} {name};" for name, t, _ in record.members)
            out.put(f"struct {record.name} {{ {members} }};\n")
    by_value = [p for p in program.parameters if "." in p.name]
    if by_value:
        out.put("struct Dims { " + " ".join(f"{p.type.name} {p.name.split('.')[1]};" for p in by_value) + " };\n")
    arrays = {a.name: a for a in program.arrays}
    for function in program.functions:
        if spelling is None or not spelling.function(out, function, arrays):
            _function(out, function, program)
    parameters = [f"{_const(a)}{a.element.name} *{a.name}" for a in program.arrays if a.space == "global"]
    parameters += [f"{p.type.name} {p.name}" for p in program.parameters if "." not in p.name]
    parameters += ["Dims d"] if by_value else []
    if spelling is not None and spelling.kernel(out, program, parameters):
        return "".join(out.parts), out.ranges
    out.put(f"__global__ void k({', '.join(parameters)})")
    print_braces(out, program.body, program.arrays)
    out.put("\n")
    return "".join(out.parts), out.ranges


def every_statement(body: Body) -> list[Stmt]:
    """All statements at any depth."""
    found: list[Stmt] = []
    for stmt in body:
        found.append(stmt)
        match stmt:
            case If(_, then, otherwise):
                found += every_statement(then) + every_statement(otherwise)
            case Loop():
                found += every_statement(stmt.body)
            case Switch(_, arms):
                for arm in arms:
                    found += every_statement(arm.body)
            case Group(inner):
                found += every_statement(inner)
    return found


def _const(array: Array) -> str:
    return "const " if array.const else ""


def _function(out: Text, function: Function, program: Program) -> None:
    arrays = {a.name: a for a in program.arrays}
    arguments = [f"{_const(arrays[name])}{arrays[name].element.name} *{name}" for name in function.pointers]
    arguments += [f"{v.type.name} {v.name}" for v in function.arguments]
    out.put(f"__device__ int {function.name}({', '.join(arguments)})")
    print_braces(out, function.body, ())
    out.put("\n")


def print_braces(out: Text, body: Body, arrays: tuple[Array, ...] = ()) -> None:
    out.put(" {")
    out.depth += 1
    for array in arrays:
        if array.space != "global":
            out.line()
            extents = "".join(f"[{e}]" for e in array.extents)
            shared = "__shared__ " if array.space == "shared" else ""
            out.put(f"{shared}{array.element.name} {array.name}{extents};")
    for stmt in body:
        out.line()
        print_statement(out, stmt)
    out.depth -= 1
    out.line()
    out.put("}")


def print_statement(out: Text, stmt: Stmt) -> None:
    if out.spelling is not None and out.spelling.statement(out, stmt):
        return
    match stmt:
        case Declare() | Assign() | Step():
            _simple(out, stmt)
            out.put(";")
        case Point() | MovePointer():
            _pointer(out, stmt)
        case DeclareRecord():
            _record(out, stmt)
        case Store(place, op, value):
            wrapped = bool(out.target) and op != "="
            out.put(f"{out.target}(" if wrapped else "")
            print_place(out, place, stmt)
            out.put(")" if wrapped else "")
            if op == "++" and not place.star:
                out.put(op)
            elif op == "++":
                out.put(" += 1")
            else:
                out.put(f" {op} ")
                print_expr(out, value)
            out.put(";")
        case Copy(to, source):
            print_place(out, to, to)
            out.put(" = ")
            print_place(out, source, source)
            out.put(";")
        case AtomicAdd(place, value, result):
            out.put(f"int {result} = " if result else "")
            out.put("atomicAdd(&")
            print_place(out, place, stmt)
            out.put(", ")
            print_expr(out, value)
            out.put(");")
        case Jump(kind):
            out.put(kind + ";")
        case Return(value):
            out.put("return ")
            print_expr(out, value)
            out.put(";")
        case Barrier(text):
            out.put(text + ";")
        case Group(body):
            print_braces(out, body)
        case _:
            _control(out, stmt)


def _simple(out: Text, stmt: Declare | Assign | Step) -> None:
    if out.spelling is not None and out.spelling.simple(out, stmt):
        return
    match stmt:
        case Declare(name, t, value):
            out.put(f"{t.name} {name}")
            if value is not None:
                out.put(" = ")
                print_expr(out, value)
        case Assign(name, _, op, value):
            out.put(f"{name} {op} ")
            print_expr(out, value)
        case Step(name, t, op):
            # C++17 has neither ++ nor -- for bool.
            out.put(f"{name} {op[0]}= 1" if t is BOOL else f"{name}{op}")


def _record(out: Text, stmt: DeclareRecord) -> None:
    if stmt.source:
        out.put(f"{stmt.record.name} {stmt.name} = {stmt.source};")
        return
    if stmt.record.vector:
        out.put(f"{stmt.record.name} {stmt.name} = make_{stmt.record.name}(")
        for i, arg in enumerate(stmt.args):
            out.put(", " if i else "")
            print_expr(out, arg, bare=True)
        out.put(");")
        return
    out.put(f"{stmt.record.name} {stmt.name};")
    for (member, _, _), arg in zip(stmt.record.members, stmt.args):
        out.line()
        out.put(f"{stmt.name}.{member} = ")
        print_expr(out, arg)
        out.put(";")


def _pointer(out: Text, stmt: Point | MovePointer) -> None:
    match stmt:
        case Point(name, element, base, offset, condition, other, declares):
            out.put(f"{element.name} *{name} = " if declares else f"{name} = ")
            if condition is not None:
                print_expr(out, condition)
                out.put(" ? ")
            out.put(f"{base} + ")
            print_expr(out, offset)
            out.put(f" : {other};" if condition is not None else ";")
        case MovePointer(name, _, offset):
            out.put(f"{name} += ")
            print_expr(out, offset)
            out.put(";")


def _condition(out: Text, stmt: object, condition: Expr) -> None:
    start = out.length
    if isinstance(stmt, Choose) and isinstance(condition, Choose):
        out.put("(")
        start += 1
    print_expr(out, condition, bare=True)
    out.ranges[stmt] = (start, out.length)
    if isinstance(stmt, Choose) and isinstance(condition, Choose):
        out.put(")")


def _control(out: Text, stmt: Stmt) -> None:
    match stmt:
        case If(condition, then, otherwise):
            out.put("if (")
            _condition(out, stmt, condition)
            out.put(")")
            print_braces(out, then)
            if otherwise:
                out.put(" else")
                print_braces(out, otherwise)
        case Loop("do"):
            start = out.length
            out.put("do")
            print_braces(out, stmt.body)
            out.put(" while (")
            assert stmt.condition is not None
            _condition(out, stmt, stmt.condition)
            out.put(");")
            out.ranges[stmt.body] = (start, out.length)
        case Loop(kind, first, condition, step, body):
            out.put("while (" if kind == "while" else "for (")
            if kind == "for":
                if first is not None:
                    _simple(out, first)
                out.put("; ")
            if condition is not None:
                _condition(out, stmt, condition)
            if kind == "for":
                out.put("; ")
                for i, one in enumerate(step):
                    out.put(", " if i else "")
                    _pointer_step(out, one) if isinstance(one, MovePointer) else _simple(out, one)
            out.put(")")
            print_braces(out, body)
        case Switch(selector, arms):
            out.put("switch (")
            _condition(out, stmt, selector)
            out.put(") {")
            for arm in arms:
                out.line()
                out.put(" ".join("default:" if label is None else f"case {label}:" for label in arm.labels))
                _braces_arm(out, arm.body)
            out.line()
            out.put("}")


def _pointer_step(out: Text, stmt: MovePointer) -> None:
    out.put(f"{stmt.name} += ")
    print_expr(out, stmt.offset)


def _braces_arm(out: Text, body: Body) -> None:
    out.depth += 1
    for stmt in body:
        out.line()
        print_statement(out, stmt)
    out.depth -= 1


def print_place(out: Text, place: Place, node: object) -> None:
    start = out.length
    if place.star:
        out.put(f"*({place.base} + ")
        print_expr(out, place.indices[0])
        out.put(")")
    else:
        out.put(place.base)
        for index in place.indices:
            out.put("[")
            print_expr(out, index, bare=True)
            out.put("]")
    if place.member is not None:
        out.put("." + place.member)
    out.ranges[node] = (start, out.length)


def print_expr(out: Text, e: Expr, bare: bool = False) -> None:
    if out.spelling is not None and out.spelling.expression(out, e, bare):
        return
    match e:
        case Const(value, t):
            suffix = {"unsigned": "u", "long long": "LL", "unsigned long long": "ULL"}.get(t.name, "")
            out.put(f"({value}{suffix})" if value < 0 else f"{value}{suffix}")
        case Var(name, _):
            out.put(name)
        case Builtin(kind, axis):
            out.put(f"{kind}.{'xyz'[axis]}")
        case Binary(op, a, b):
            _infix(out, op, a, b, bare)
        case Logic(op, a, b):
            start = out.length
            _infix(out, op, a, b, bare, e)
            out.ranges.setdefault(("whole", e), (start, out.length))
        case Unary(op, a):
            out.put(op + "(")
            print_expr(out, a, bare=True)
            out.put(")")
        case Cast(t, a):
            out.put(f"({t.name})(")
            print_expr(out, a, bare=True)
            out.put(")")
        case Choose(c, a, b):
            out.put("" if bare else "(")
            _condition(out, e, c)
            out.put(" ? ")
            print_expr(out, a)
            out.put(" : ")
            print_expr(out, b)
            out.put("" if bare else ")")
        case Extreme(op, a, b):
            _call(out, op, (a, b))
        case Load(place):
            print_place(out, place, e)
        case _:
            _intrinsic(out, e)


def _intrinsic(out: Text, e: Expr) -> None:
    match e:
        case Call(function, pointers, args):
            start = out.length
            _call(out, function, args, pointers)
            out.ranges[e] = (start, out.length)
        case Apply(name, args):
            operands = (Cast(t, arg) for t, arg in zip(INTRINSICS[name][1], args))
            _call(out, name, tuple(operands))
        case Distance(left, right):
            out.put(f"({left} - {right})")
        case Shuffle(op, a, lane, width):
            name = f"__shfl_{op}_sync" if op else "__shfl_sync"
            out.put(f"{name}(0xffffffff, ")
            print_expr(out, a)
            out.put(", ")
            print_expr(out, lane)
            out.put(f", {width})" if width != 32 else ")")
        case Vote(op, a):
            out.put(f"__{op}_sync(0xffffffff, ")
            print_expr(out, a)
            out.put(")")


def _infix(out: Text, op: str, a: Expr, b: Expr, bare: bool, node: object = None) -> None:
    out.put("" if bare else "(")
    start = out.length
    print_expr(out, a)
    if node is not None:
        out.ranges[node] = (start, out.length)
    out.put(f" {op} ")
    print_expr(out, b)
    out.put("" if bare else ")")


def _call(out: Text, name: str, args: tuple[Expr, ...], pointers: tuple[str, ...] = ()) -> None:
    out.put(f"{name}({', '.join(pointers)}")
    for i, arg in enumerate(args):
        out.put(", " if i or pointers else "")
        print_expr(out, arg, bare=True)
    out.put(")")
