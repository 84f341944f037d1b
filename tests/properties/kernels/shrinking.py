"""The smallest kernel that still shows a disagreement: greedy removal, from statements to constants."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import Any

from tests.properties.kernels.syntax import (
    Apply,
    Arm,
    Binary,
    Call,
    Cast,
    Choose,
    Const,
    Copy,
    Declare,
    Distance,
    Expr,
    Extreme,
    Group,
    If,
    Jump,
    Load,
    Logic,
    Loop,
    Place,
    Point,
    Program,
    Return,
    Shuffle,
    Stmt,
    Switch,
    Unary,
    Var,
    Vote,
)

_EXPRESSIONS = (Binary, Unary, Cast, Choose, Logic, Extreme, Load, Call, Shuffle, Vote, Apply, Distance)


def shrink(program: Program, still: Callable[[Program], bool], attempts: int = 1500) -> Program:
    """A kernel for which `still` holds and none of whose smaller neighbours does (within the attempts)."""
    progress = True
    while progress and attempts > 0:
        progress = False
        for candidate in _smaller(program):
            attempts -= 1
            if attempts <= 0:
                break
            if still(candidate):
                program, progress = candidate, True
                break
    return program


def _smaller(program: Program) -> Iterator[Program]:
    for body in _bodies(program.body):
        yield replace(program, body=body)
    for at, function in enumerate(program.functions):
        for body in _bodies(function.body):
            changed = replace(function, body=body)
            yield replace(program, functions=(*program.functions[:at], changed, *program.functions[at + 1 :]))
    for at in range(len(program.arrays)):
        yield replace(program, arrays=(*program.arrays[:at], *program.arrays[at + 1 :]))
    for at in range(len(program.functions)):
        yield replace(program, functions=(*program.functions[:at], *program.functions[at + 1 :]))
    for at in range(len(program.parameters)):
        yield replace(program, parameters=(*program.parameters[:at], *program.parameters[at + 1 :]))
    if program.block != (32, 1, 1):
        yield replace(program, block=(32, 1, 1))


def _bodies(body: tuple[Stmt, ...]) -> Iterator[tuple[Stmt, ...]]:
    """The body with one thing less."""
    size = len(body)
    for chunk in (size // 2, size // 4, 1):
        if chunk:
            for start in range(0, size, chunk):
                yield (*body[:start], *body[start + chunk :])
    for at, stmt in enumerate(body):
        for less in _statements(stmt):
            yield (*body[:at], *less, *body[at + 1 :])


def _statements(stmt: Stmt) -> Iterator[tuple[Stmt, ...]]:
    match stmt:
        case If(_, then, otherwise):
            yield then
            yield otherwise
        case Group(body):
            yield body
        case Loop():
            yield (*((stmt.first,) if stmt.first else ()), *(s for s in stmt.body if not _jumps(s)))
        case Switch(_, arms):
            for arm in arms:
                yield tuple(s for s in arm.body if not _jumps(s))
    for less in _nodes(stmt):
        yield (less,)


def _jumps(stmt: Stmt) -> bool:
    """Whether the statement only makes sense inside of a loop or switch."""
    return isinstance(stmt, Jump) and stmt.kind != "return"


def _nodes(node: Any) -> Iterator[Any]:
    """The node with one of its children made simpler."""
    for part in fields(node):
        child = getattr(node, part.name)
        if isinstance(child, tuple) and child and isinstance(child[0], Arm):
            for at in range(len(child)):
                if len(child) > 1:
                    yield replace(node, **{part.name: (*child[:at], *child[at + 1 :])})
                for body in _bodies(child[at].body):
                    yield replace(node, **{part.name: (*child[:at], replace(child[at], body=body), *child[at + 1 :])})
        elif isinstance(child, tuple) and part.name in ("then", "otherwise", "body", "step"):
            for body in _bodies(child):
                yield replace(node, **{part.name: body})
        elif isinstance(child, tuple) and child and part.name in ("indices", "args"):
            for at, one in enumerate(child):
                for less in _expressions(one):
                    yield replace(node, **{part.name: (*child[:at], less, *child[at + 1 :])})
        elif isinstance(child, (*_EXPRESSIONS, Const, Var)) or (
            child is not None and type(child).__name__ == "Builtin"
        ):
            for less in _expressions(child):
                yield replace(node, **{part.name: less})
        elif isinstance(child, (Place, Declare)) and is_dataclass(child):
            for less in _nodes(child):
                yield replace(node, **{part.name: less})


def _expressions(e: Expr) -> Iterator[Expr]:
    if not isinstance(e, Const):
        yield Const(0)
        yield Const(1)
    elif e.value not in (0, 1, 2):
        yield Const(2, e.type)
    if isinstance(e, _EXPRESSIONS):
        for part in fields(e):
            child = getattr(e, part.name)
            if isinstance(child, (*_EXPRESSIONS, Const, Var)) or type(child).__name__ == "Builtin":
                yield child
            elif isinstance(child, tuple):
                yield from (c for c in child if is_dataclass(c))
        yield from _nodes(e)


__all__ = ["Copy", "Point", "Return", "shrink"]
