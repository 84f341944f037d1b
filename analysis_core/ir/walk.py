"""Walking IR without recursion: expressions and statement lists of any depth.

A sum of ten thousand terms is a left-leaning tree ten thousand deep, which Python's stack does not hold; every
consumer that visits whole expressions goes through `fold`, and every one that visits all statements through
`statements`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from operator import attrgetter
from typing import Any, Callable, Mapping, Sequence, TypeVar, assert_never

from analysis_core.ir.nodes import (
    AddressOf,
    Assign,
    Atomic,
    Barrier,
    Binary,
    Block,
    Break,
    Builtin,
    Cast,
    Claim,
    Const,
    Continue,
    Declare,
    Expr,
    Fence,
    If,
    Inlined,
    Intrinsic,
    Kernel,
    Load,
    Local,
    Loop,
    PtrAdd,
    Return,
    Select,
    Shuffle,
    Stmt,
    Store,
    Switch,
    Unary,
    UnknownExpr,
    UnknownStmt,
    Vote,
)
from analysis_core.ir.types import ScalarType
from analysis_core.support.derived import derived
from analysis_core.text.span import Span

Result = TypeVar("Result")


_OPERANDS: Mapping[type, Callable[[Any], tuple[Expr, ...]] | None] = {
    **dict.fromkeys((Const, Local, Builtin, AddressOf, UnknownExpr)),
    Unary: lambda e: (e.operand,),
    Cast: lambda e: (e.operand,),
    Binary: attrgetter("left", "right"),
    Select: attrgetter("condition", "then", "otherwise"),
    Intrinsic: attrgetter("args"),
    PtrAdd: attrgetter("pointer", "index", "scale"),
}
"""By class, None of those that have none: walks ask this of every node, most of which are leaves, and a `match` tries one class after
the other."""


def children(expr: Expr) -> tuple[Expr, ...]:
    """The direct operands, left to right."""
    inside = _OPERANDS[type(expr)]
    return () if inside is None else inside(expr)


def fold(expr: Expr, combine: Callable[[Expr, Sequence[Result]], Result]) -> Result:
    """`combine(node, results of its children)` from the leaves up, with an explicit stack."""
    pending: list[tuple[Expr, int]] = [(expr, 0)]  # with the number of operands, once these are on their way
    results: list[Result] = []
    while pending:
        node, count = pending.pop()
        if count:
            args = results[-count:]
            del results[-count:]
            results.append(combine(node, args))
            continue
        inside = _OPERANDS[type(node)]
        operands = () if inside is None else inside(node)
        if operands:
            pending.append((node, len(operands)))
            pending.extend([(operand, 0) for operand in reversed(operands)])
        else:
            results.append(combine(node, ()))
    return results[0]


def own_part(node: Expr) -> Hashable:
    """What a node of an expression says beside its operands, as a value to compare."""
    type_ = node.type if isinstance(node.type, ScalarType) else None
    match node:
        case Const():
            return node.value, type_
        case Local():
            return node.var
        case Builtin():
            return node.kind, node.axis
        case Unary() | Binary():
            return node.op, type_
        case Intrinsic():
            return node.name, type_
        case AddressOf():
            return node.object
        case PtrAdd():
            return node.offset
        case _:
            return type_


def uncast(expr: Expr) -> Expr:
    """What is inside of the conversions around it."""
    while isinstance(expr, Cast):
        expr = expr.operand
    return expr


def subexpressions(expr: Expr) -> Sequence[Expr]:
    """`expr` and everything inside of it, parents first."""
    if _OPERANDS[type(expr)] is None:
        return (expr,)
    found: list[Expr] = []
    pending = [expr]
    while pending:
        node = pending.pop()
        found.append(node)
        inside = _OPERANDS[type(node)]
        if inside is not None:
            pending.extend(reversed(inside(node)))
    return found


_BLOCKS: Mapping[type, Callable[[Any], tuple[Block, ...]] | None] = {
    If: attrgetter("then", "otherwise"),
    Loop: attrgetter("test", "body", "step"),
    Switch: lambda s: tuple(arm.body for arm in s.arms),
    Inlined: lambda s: (s.body,),
    Claim: lambda s: (s.setup,),
    **dict.fromkeys(
        (Declare, Assign, Load, Store, Atomic, Break, Continue, Return, Barrier, Fence, Shuffle, Vote, UnknownStmt)
    ),
}


def blocks_of(stmt: Stmt) -> tuple[Block, ...]:
    """The statement lists directly inside, in source order."""
    inside = _BLOCKS[type(stmt)]
    return () if inside is None else inside(stmt)


def statements(block: Block) -> Sequence[Stmt]:
    """Every statement of `block`, nested ones after the statement that holds them, in source order."""
    found: list[Stmt] = []
    pending = list(reversed(block))
    while pending:
        stmt = pending.pop()
        found.append(stmt)
        inside = _BLOCKS[type(stmt)]
        if inside is not None:
            for inner in reversed(inside(stmt)):
                pending.extend(reversed(inner))
    return found


@derived
def statements_of(kernel: Kernel) -> tuple[Stmt, ...]:
    """Every statement of a kernel, in the same order."""
    return tuple(statements(kernel.body))


def expressions_of(stmt: Stmt) -> tuple[Expr, ...]:
    """The expressions that the statement itself holds (not those of nested statements)."""
    match stmt:
        case Assign():
            return (stmt.value,)
        case Load():
            return (stmt.address,)
        case Store():
            return (stmt.address, *stmt.values)
        case Atomic():
            return (stmt.address, *stmt.args)
        case If():
            return (stmt.condition,)
        case Loop():
            return () if stmt.condition is None else (stmt.condition,)
        case Switch():
            return (stmt.selector,)
        case Claim():
            return () if stmt.condition is None else (stmt.condition,)
        case Shuffle():
            return (stmt.value, stmt.lane, stmt.width)
        case Vote():
            return stmt.args
        case Barrier():
            return tuple(expr for expr in (stmt.number, stmt.count, stmt.object, stmt.token) if expr is not None)
        case Fence(awaits=left):
            return () if left is None else (left,)
        case Declare() | Inlined() | Break() | Continue() | Return() | UnknownStmt():
            return ()
        case _:
            assert_never(stmt)


def span_of(stmt: Stmt) -> Span:
    """Where the statement stands in the user's text (the whole of it for structured ones)."""
    match stmt:
        case Load() | Store() | Atomic():
            return stmt.access.span
        case If() | Loop() | Switch():
            return stmt.whole
        case _:
            return stmt.span


def standing(block: Block, place: Span) -> Iterator[tuple[Stmt, bool]]:
    """Each statement, nested ones as well, and whether it stands at the place or in a function that is called from there."""
    pending = [(stmt, False) for stmt in reversed(block)]
    while pending:
        stmt, called = pending.pop()
        spans = (stmt.access.span, *stmt.access.via) if isinstance(stmt, Load | Store | Atomic) else (stmt.span,)
        here = called or any(map(place.encloses, spans))
        yield stmt, here
        called = called or (here and isinstance(stmt, Inlined))
        pending.extend((inner, called) for each in reversed(blocks_of(stmt)) for inner in reversed(each))
