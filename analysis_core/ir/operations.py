"""What statements do, by kind: floating-point operations, divisions, calls, instructions (docs/hardware.md, "Operations").

    flops, flops.KIND, flops.TYPE, flops.KIND.TYPE    of add, mul, fma, div, special and f16, f32, f64: of every thread
    bytes, bytes.shared, bytes.local                  that threads ask for, of every thread
    instructions                                      as `machine/instructions.py` counts them; this and all that follows of every warp
    requests, requests.shared, requests.local         loads, stores and atomics; without a word of global memory
    atomics, atomics.OPERATION                        by the names of the IR: add, sub, exch, min, max, inc, dec, cas, and, or, xor
    divisions, divisions.32, divisions.64             and remainders of integers by values of the run
    conversions                                       between integers and floating-point numbers, and between sizes of the latter
    barriers                                          of the block or of more
    calls.NAME                                        of a function of the program or of the library

A product that is added in the same expression is one multiply-add, of two operations, as compilers make it.  Negation, comparisons, minima and
absolute values are no operations.  Bytes and requests are of accesses and are added where these are; all else is of the text of statements.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field

from analysis_core.ir import constants
from analysis_core.ir.effects import MATRIX_VOTES
from analysis_core.ir.nodes import (
    Access,
    AddressOf,
    Assign,
    Atomic,
    Barrier,
    BarrierScope,
    Binary,
    Break,
    Builtin,
    Cast,
    Claim,
    Const,
    Continue,
    Declare,
    Expr,
    Fence,
    Inlined,
    Intrinsic,
    Kernel,
    Local,
    PtrAdd,
    Select,
    Stmt,
    Store,
    Unary,
    UnknownExpr,
    UnknownStmt,
    Vote,
)
from analysis_core.ir.types import ScalarKind, ScalarType, Space, Type
from analysis_core.ir.walk import children, expressions_of, fold, standing, statements_of, subexpressions
from analysis_core.machine.instructions import BY_CONSTANTS, DIVISIONS, FAST, FUNCTIONS
from analysis_core.machine.sizes import is_of_threads
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

KINDS, TYPES = ("add", "mul", "fma", "div", "special"), ("f16", "f32", "f64")
NAMES = (
    "instructions", "flops", *(f"flops.{one}" for one in (*KINDS, *TYPES)), *(f"flops.{kind}.{type}" for kind in KINDS for type in TYPES),
    "bytes", "bytes.shared", "bytes.local", "requests", "requests.shared", "requests.local",
    "atomics", *(f"atomics.{one}" for one in ("add", "sub", "exch", "min", "max", "inc", "dec", "cas", "and", "or", "xor")),
    "divisions", "divisions.32", "divisions.64", "conversions", "barriers",
)  # fmt: skip
"""All operations that are counted, but for calls of a function."""

_CALLS = "calls."
_SPACES = {"": Space.GLOBAL, "shared": Space.SHARED, "local": Space.LOCAL}


def is_operation(name: str) -> bool:
    """Whether a weight may have this name."""
    return name in NAMES or re.fullmatch(r"calls\.[A-Za-z_]\w*(::[A-Za-z_]\w*)*", name, re.ASCII) is not None


def asked_by(metrics: Mapping[str, Mapping[str, int]]) -> tuple[str, ...]:
    """The operations that metrics of the user's weigh."""
    return tuple(dict.fromkeys(name for weights in metrics.values() for name in weights if is_operation(name)))


def of_access(name: str, space: Space, width: int) -> int:
    """What a request pays of an operation; of `bytes` each of its lanes."""
    what, _, where = name.partition(".")
    if what not in ("bytes", "requests") or _SPACES.get(where) is not space:
        return 0
    return width if what == "bytes" else 1


def within(kernel: Kernel, place: Span) -> frozenset[int] | None:
    """The identities of the statements that stand at a place or in a function that is called from there, and of the parts of their expressions that not every
    thread evaluates; None if one of them is met elsewhere in the kernel as well."""
    inside, outside = set[int](), set[int]()
    for stmt, here in standing(kernel.body, place):
        nodes = (node for expr in expressions_of(stmt) for node in subexpressions(expr))
        met = (part for node in nodes for part in _open_parts(node) if not isinstance(part, Const | Local | Builtin))
        (inside if here else outside).update((id(stmt), *map(id, met)))
    return frozenset(inside) if inside.isdisjoint(outside) else None


def _open_parts(expr: Expr) -> tuple[Expr, ...]:
    """The operands that not every thread evaluates."""
    match expr:
        case Binary(op="&&" | "||"):
            return (expr.right,)
        case Select():
            return expr.then, expr.otherwise
        case _:
            return ()


_MATRIX_PRODUCT = re.compile(r"the result of `(wg)?mma\b|tcgen05\.mma\b")


def matrix_product(kernel: Kernel) -> Span | None:
    """Where a kernel multiplies matrices by an instruction of the warp, whose operations are in no count; None if it does nowhere."""
    for stmt in statements_of(kernel):
        match stmt:
            case Inlined(function="mma_sync" | "bmma_sync", span=span):
                return span
            case Fence(text=text, span=span) if _MATRIX_PRODUCT.match(text):
                return span
            case Assign(span=span) | Store(access=Access(span=span)):
                parts = (node for expr in expressions_of(stmt) for node in subexpressions(expr))
                if any(isinstance(n, UnknownExpr) and _MATRIX_PRODUCT.match(n.cause.reason) for n in parts):
                    return span
            case _:
                pass
    return None


Amounts = tuple[tuple[str, int], ...]
Range = tuple[str, int, int]
Ranges = tuple[Range, ...]
"""Operations with how many; with the least and the most."""

_Counts = tuple[dict[str, int], dict[str, int], dict[str, int]]
"""Of an expression: what is surely done of it, by the least figures and by the most; and all that may be done."""

_CONSTANT: _Counts = ({}, {}, {})
"""Of a constant expression, which compilers evaluate; it is told by its identity."""


@dataclass(frozen=True, slots=True)
class Operations:
    """What is counted of `asked`.  `only`: the statements and parts of expressions of which it is, by identity (`within`); None for all.  `_known`: of
    expressions, by identity; they are held."""

    asked: tuple[str, ...]
    only: frozenset[int] | None = None
    _known: dict[int, tuple[Expr, _Counts]] = field(default_factory=dict)

    def of_statement(self, stmt: Stmt) -> Ranges:
        """Of the statement itself, nested ones left out."""
        if not self._counts(stmt):
            return ()
        least, _, most = self._statement(stmt)
        return tuple((name, least.get(name, 0), most[name]) for name in self.asked if most.get(name))

    def run(self, stmt: Stmt) -> Amounts:
        """Of a run of the statement, without the parts of its expressions that not every thread evaluates."""
        return tuple(self._statement(stmt)[1].items()) if self._counts(stmt) else ()

    def run_part(self, expr: Expr) -> Amounts:
        """Of a run of such a part, without those inside of it."""
        return tuple(self._of(expr)[1].items()) if self._counts(expr) else ()

    def _counts(self, node: Stmt | Expr) -> bool:
        return bool(self.asked) and (self.only is None or id(node) in self.only)

    def _statement(self, stmt: Stmt) -> _Counts:
        own = self._chosen(_of_statement(stmt))
        return _sum([own, *(self._of(expr) for expr in expressions_of(stmt))])

    def _of(self, expr: Expr) -> _Counts:
        found = self._known.get(id(expr))
        if found is None:
            found = self._known[id(expr)] = (expr, fold(expr, self._combined))
        return found[1]

    def _chosen(self, items: Iterable[Range]) -> _Counts:
        """Those that are asked for."""
        least, most = Counter[str](), Counter[str]()
        for name, low, high in items:
            if name in self.asked:
                least[name] += low
                most[name] += high
        return least, most, most

    def _combined(self, expr: Expr, parts: Sequence[_Counts]) -> _Counts:
        if isinstance(expr, Const) or (parts and all(part is _CONSTANT for part in parts)):
            return _CONSTANT
        fused = any(_is_product(e) and part is not _CONSTANT for e, part in zip(children(expr), parts))
        own = self._chosen(_of_expression(expr, fused))
        match expr:
            case Binary(op="&&" | "||"):
                low, run, high = _sum([own, parts[0]])
                return low, run, _plus(high, parts[1][2])
            case Select():
                (low, run, high), (then, otherwise) = _sum([own, parts[0]]), parts[1:]
                surely = {name: min(n, otherwise[0].get(name, 0)) for name, n in then[0].items() if is_of_threads(name)}
                return _plus(low, surely), run, _plus(high, _of_arms(then[2], otherwise[2]))
            case _:
                return _sum([own, *parts])


def _plus(left: dict[str, int], right: dict[str, int]) -> dict[str, int]:
    if not right:
        return left
    return {name: left.get(name, 0) + right.get(name, 0) for name in (*left, *(n for n in right if n not in left))}


def _sum(items: Sequence[_Counts]) -> _Counts:
    low, run, high = items[0]
    for other in items[1:]:
        low, run, high = _plus(low, other[0]), _plus(run, other[1]), _plus(high, other[2])
    return low, run, high


def _of_arms(then: dict[str, int], otherwise: dict[str, int]) -> dict[str, int]:
    """A thread evaluates one arm, a warp perhaps both."""
    both = _plus(then, otherwise)
    return {n: max(then.get(n, 0), otherwise.get(n, 0)) if is_of_threads(n) else both[n] for n in both}


def _of_statement(stmt: Stmt) -> Iterator[Range]:
    match stmt:
        case Inlined(function=name):
            yield _CALLS + name, 1, 1
        case Assign() | Declare() | Claim() | UnknownStmt() | Break() | Continue():
            pass
        case Vote(op=op) if op in MATRIX_VOTES:
            pass
        case _:
            yield "instructions", 1, 1
    if isinstance(stmt, Atomic):
        yield "atomics", 1, 1
        yield f"atomics.{stmt.op}", 1, 1
    if isinstance(stmt, Barrier) and stmt.scope is not BarrierScope.WARP:
        yield "barriers", 1, 1


def _of_expression(expr: Expr, fused: bool) -> Iterator[Range]:
    """What a node does beside its operands.  `fused`: one of them is a product."""
    match expr:
        case Binary(op="/" | "%") if _integer(expr.type) is not None:
            yield from _division(expr)
        case Binary(op="+" | "-") if _float(expr.type) and fused:
            yield from _negated(_flops("mul", expr.type))
            yield from _flops("fma", expr.type)
        case Binary(op="+" | "-" | "*" | "/" as op) if _float(expr.type):
            yield from _flops({"*": "mul", "/": "div"}.get(op, "add"), expr.type)
        case Binary(op=op):
            wide = (_integer(expr.left.type) or "")[1:] == "64"
            number = (3 if op == "*" else 2) if wide else 1
            yield "instructions", number, number
        case PtrAdd(index=index):
            if not isinstance(index, Const):
                yield "instructions", 1, 1
        case Unary(op=op):
            if op != "!" and not _float(expr.type):
                yield "instructions", 1, 1
        case Cast(operand=operand):
            yield from _conversion(operand.type, expr.type)
        case Select():
            yield "instructions", 1, 1
        case Intrinsic():
            yield from _call(expr)
        case Const() | Local() | Builtin() | AddressOf() | UnknownExpr():
            pass


def _is_product(expr: Expr) -> bool:
    return isinstance(expr, Binary) and expr.op == "*"


def _negated(items: Iterable[Range]) -> Iterator[Range]:
    return ((name, -low, -high) for name, low, high in items)


def _float(type: Type) -> str:
    """ "f32"; "" for what is no floating-point number."""
    return f"f{8 * type.size}" if isinstance(type, ScalarType) and type.kind is ScalarKind.FLOAT else ""


def _integer(type: Type) -> str | None:
    """ "i32", "u64"; None for what is no integer.  Smaller ones are computed with 32 bits."""
    if not isinstance(type, ScalarType) or type.kind not in (ScalarKind.INT, ScalarKind.BOOL):
        return None
    return f"{'i' if type.signed or type.size < 4 else 'u'}{max(8 * type.size, 32)}"


def _flops(kind: str, type: Type, instructions: int | None = None) -> Iterator[Range]:
    """The names that operations of a kind have."""
    of, number = _float(type), 2 if kind == "fma" else 1
    for name in ("flops", f"flops.{kind}", f"flops.{of}", f"flops.{kind}.{of}"):
        yield name, number, number
    if instructions is None:
        instructions = _of_function("div", of) if kind == "div" else 1
    yield "instructions", instructions, instructions


def _of_function(name: str, of: str) -> int:
    """Halves are converted, and take what `float` does."""
    return FUNCTIONS[name][of == "f64"]


def _division(expr: Binary) -> Iterator[Range]:
    key = f"{expr.op}{_integer(expr.left.type)}"
    divisor = constants.fold_int(expr.right)
    if divisor is not None:
        number = BY_CONSTANTS[key][divisor & (divisor - 1) != 0]
        yield "instructions", number, number
        return
    yield "instructions", *DIVISIONS[key]
    yield "divisions", 1, 1
    yield f"divisions.{key[-2:]}", 1, 1


def _conversion(of: Type, to: Type) -> Iterator[Range]:
    one, other = _float(of), _float(to)
    if (one or other) and one != other:
        yield "conversions", 1, 1
        yield "instructions", 1, 1
    elif _integer(of) == "i32" and (_integer(to) or "")[1:] == "64":
        yield "instructions", 1, 1


_ROUNDED = re.compile(r"_r[nzud]$")
_ARITHMETIC = re.compile(r"[fdh]?(add|sub|mul|fma|mad|div|rcp|sqrt|rsqrt)2?(_rn|_relu|_sat)?")
_KINDS = {"sub": "add", "mad": "fma", "rcp": "div", "sqrt": "special", "rsqrt": "special"}


def _call(expr: Intrinsic) -> Iterator[Range]:
    """A function of the library; `hfma2.x` is the part of one for one of two halves."""
    written, _, part = expr.name.rpartition("::")[2].partition(".")
    name = _ROUNDED.sub("", written.removeprefix("__"))
    yield _CALLS + written, 1, 1
    of = _float(expr.type)
    first = 0 if part == "y" else 1
    plain = name.removesuffix("f") if name.removesuffix("f") in FUNCTIONS else name.removeprefix("h").removesuffix("2")
    if written.startswith("__") and name in FAST:
        yield from _flops("div" if name == "fdividef" else "special", expr.type, FAST[name])
    elif of and (found := _ARITHMETIC.fullmatch(name)) is not None:
        base = found[1]
        number = _of_function(base, of) if base in FUNCTIONS else 1
        yield from _flops(_KINDS.get(base, base), expr.type, number * first)
    elif of and plain in FUNCTIONS:
        number = _of_function(plain, of)
        if plain in ("fmax", "fmin", "round"):
            yield "instructions", number, number
        else:
            yield from _flops("special", expr.type, number * first)
    else:
        yield "instructions", first, first
