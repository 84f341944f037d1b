"""The textual form of the IR: notation, minimal parentheses, stability, depth."""

from __future__ import annotations

from analysis_core.ir import dump as d
from analysis_core.ir.nodes import (
    Access,
    AccessId,
    AddressOf,
    Assign,
    Binary,
    Break,
    Builtin,
    BuiltinKind,
    Cast,
    Const,
    Expr,
    If,
    IfKind,
    Inlined,
    Kernel,
    Load,
    Local,
    Loop,
    LoopKind,
    MemoryObject,
    ObjectId,
    PtrAdd,
    Select,
    Stmt,
    Store,
    Unary,
    UnknownExpr,
    UnknownStmt,
    Variable,
    VarId,
)
from analysis_core.ir.types import BOOL, DOUBLE, FLOAT, INT, UINT, ULONG, ArrayType, PointerType, Space
from analysis_core.ir.walk import statements, subexpressions
from analysis_core.support.facts import Cause, CauseKind
from analysis_core.text.span import FileId, Span

SPAN = Span(FileId("k.cu"), 0, 1)
FLOATS = PointerType(FLOAT)


def kernel(*body: Stmt) -> Kernel:
    variables = (
        Variable(VarId(0), "p", FLOATS, SPAN, parameter=True),
        Variable(VarId(1), "n", INT, SPAN, parameter=True),
        Variable(VarId(2), "i", INT, SPAN),
        Variable(VarId(3), "i", INT, SPAN),
    )
    tile = MemoryObject(
        ObjectId(0), "tile", Space.SHARED, ArrayType(ArrayType(FLOAT, Const(33, INT)), Const(8, INT)), SPAN
    )
    return Kernel(
        "k", None, SPAN, SPAN, (VarId(0), VarId(1)), variables, (tile,), body, (), None, frozenset({0}), (), ()
    )


def text(expr: Expr) -> str:
    return d.format_expr(expr, kernel())


P, N, INDEX = Local(VarId(0), FLOATS), Local(VarId(1), INT), Local(VarId(2), INT)
TX = Builtin(BuiltinKind.THREAD_IDX, 0, UINT)


def plus(left: Expr, right: Expr) -> Expr:
    return Binary("+", left, right, INT)


def test_parentheses_are_the_fewest_that_keep_the_tree() -> None:
    assert text(plus(plus(N, INDEX), Const(1, INT))) == "n + i'2 + 1"
    assert text(plus(N, plus(INDEX, Const(1, INT)))) == "n + (i'2 + 1)"
    assert text(Binary("*", plus(N, INDEX), N, INT)) == "(n + i'2) * n"
    assert text(Unary("-", Unary("-", N, INT), INT)) == "-(-n)"
    assert text(Cast(plus(N, INDEX), UINT)) == "(unsigned int)(n + i'2)"
    assert text(Select(Binary("<", N, INDEX, BOOL), N, INDEX, INT, SPAN)) == "n < i'2 ? n : i'2"


def test_constants_show_their_type() -> None:
    shown = [text(c) for c in (Const(4, INT), Const(4, UINT), Const(4, ULONG), Const(1.5, FLOAT), Const(1.5, DOUBLE))]
    assert shown == ["4", "4u", "4ul", "1.5f", "1.5"]
    assert text(Const(1, BOOL)) == "true"
    assert text(Const(0, FLOATS)) == "null"


def test_pointer_sums_are_in_bytes() -> None:
    assert text(PtrAdd(P, TX, Const(4, INT), FLOATS)) == "p + {threadIdx.x * 4}"
    assert text(PtrAdd(P, plus(N, INDEX), Const(4, INT), FLOATS, 8)) == "p + {(n + i'2) * 4 + 8}"
    assert text(PtrAdd(AddressOf(ObjectId(0), FLOATS), Const(0, INT), Const(4, INT), FLOATS, 8)) == "&tile + {8}"


def test_a_sum_of_ten_thousand_terms_does_not_overflow() -> None:
    deep: Expr = N
    for _ in range(10_000):
        deep = plus(deep, INDEX)
    assert text(deep).count("+") == 10_000
    assert sum(1 for _ in subexpressions(deep)) == 20_001


def test_statements_deeply_nested_do_not_overflow() -> None:
    stmt: Stmt = Break(SPAN)
    for _ in range(5_000):
        stmt = If(Const(1, BOOL), (stmt,), (), IfKind.IF, SPAN, SPAN)
    assert d.format_stmt(stmt, kernel()).count("if (true) {") == 5_000
    assert sum(1 for _ in statements((stmt,))) == 5_001


def test_a_whole_kernel() -> None:
    address = PtrAdd(P, INDEX, Const(4, INT), FLOATS)
    access = Access(AccessId(0), SPAN, "p[i]", 4, FLOAT, ())
    unknown = UnknownStmt(Cause(CauseKind.UNSUPPORTED, "goto", SPAN), (VarId(1),), True, True, SPAN)
    loop = Loop(
        LoopKind.FOR,
        (),
        Binary("<", INDEX, N, BOOL),
        (Load((VarId(3),), address, access), Store(address, (Local(VarId(3), INT),), access)),
        (Assign(VarId(2), plus(INDEX, Const(1, INT)), SPAN),),
        SPAN,
        SPAN,
        unroll=4,
    )
    value = UnknownExpr(Cause(CauseKind.DATA, "texture fetch", SPAN), INT)
    body = (Inlined("f", (Assign(VarId(2), value, SPAN),), SPAN), loop, unknown)
    shown = d.dump(kernel(*body), lambda span: "    source")
    assert [line.split("|")[0].rstrip() for line in shown.splitlines()] == [
        "kernel k(float* p, int n) {",
        "  object tile: shared float[8][33]",
        "  inlined f {",
        "    i'2 = ?(data: texture fetch)",
        "  }",
        "  for (i'2 < n) unroll 4 {",
        "  body:",
        "    i'3 = load[4] p + {i'2 * 4}",
        "    store[4] p + {i'2 * 4} <- i'3",
        "  step:",
        "    i'2 = i'2 + 1",
        "  }",
        "  unknown (unsupported: goto) changes n; memory; leaves",
        "}",
    ]
    assert shown.count("| source") == 1
