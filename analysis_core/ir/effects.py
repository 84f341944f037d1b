"""Which variables an IR expression reads and which ones statements assign: for the order of evaluation and for
what code that is not understood may change."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from analysis_core.ir.nodes import (
    AddressOf,
    Assign,
    Atomic,
    Barrier,
    Binary,
    Break,
    Builtin,
    Cast,
    Const,
    Continue,
    Expr,
    If,
    Inlined,
    Intrinsic,
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
    VarId,
    Vote,
)


def variables_in(expr: Expr) -> frozenset[VarId]:
    """The variables that `expr` reads.  Iterative: expressions may be thousands of operators deep."""
    found: set[VarId] = set()
    pending: list[Expr] = [expr]
    while pending:
        node = pending.pop()
        if isinstance(node, Local):
            found.add(node.var)
        else:
            pending.extend(operands(node))
    return frozenset(found)


def operands(expr: Expr) -> tuple[Expr, ...]:
    """The direct subexpressions."""
    match expr:
        case Const() | Local() | Builtin() | AddressOf() | UnknownExpr():
            return ()
        case Unary(operand=operand) | Cast(operand=operand):
            return (operand,)
        case Binary(left=left, right=right):
            return (left, right)
        case Select(condition=condition, then=then, otherwise=otherwise):
            return (condition, then, otherwise)
        case Intrinsic(args=args):
            return args
        case PtrAdd(pointer=pointer, index=index, scale=scale):
            return (pointer, index, scale)
        case _:
            assert_never(expr)


def assigned_in(statements: Iterable[Stmt]) -> frozenset[VarId]:
    """The variables that some execution of `statements` may assign."""
    found: set[VarId] = set()
    pending: list[Stmt] = list(statements)
    while pending:
        statement = pending.pop()
        match statement:
            case Assign(var=var) | Shuffle(var=var) | Vote(var=var):
                found.add(var)
            case Load(vars=vars):
                found.update(vars)
            case Atomic(var=result):
                if result is not None:
                    found.add(result)
            case UnknownStmt(changes=changes):
                found.update(changes)
            case _:
                pending.extend(inner_statements(statement))
    return frozenset(found)


def inner_statements(statement: Stmt) -> tuple[Stmt, ...]:
    """The statements directly inside of a structured one, in source order."""
    match statement:
        case If(then=then, otherwise=otherwise):
            return then + otherwise
        case Loop(test=test, body=body, step=step):
            return test + body + step
        case Switch(arms=arms):
            return tuple(inner for arm in arms for inner in arm.body)
        case Inlined(body=body):
            return body
        case (
            Assign()
            | Load()
            | Store()
            | Atomic()
            | Break()
            | Continue()
            | Return()
            | Barrier()
            | Shuffle()
            | Vote()
            | UnknownStmt()
        ):
            return ()
        case _:
            assert_never(statement)
