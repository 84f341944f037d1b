"""Kernels each of whose threads goes through as many rounds as there are threads: all pairs of n things.

    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int k = 0; k < n; k++) sum += pull(p[i], p[k]);

The loop counts to what the thread's own number is compared with as well, something that is set once: a parameter, or what was loaded.  However large
that is, it says how this kernel compares to one whose threads do a few things each: where there are thousands of threads, each does thousands of times
as much here, and where there are fewer, a launch that does little is over at once.  (Threads of a grid of two dimensions are more than either number.)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from analysis_core.ir.effects import assigned_by, assigned_once, sources_of
from analysis_core.ir.nodes import (
    Assign,
    Binary,
    Block,
    Break,
    Builtin,
    BuiltinKind,
    Const,
    Expr,
    If,
    Inlined,
    Kernel,
    Local,
    Loop,
    Return,
    Stmt,
    VarId,
)
from analysis_core.ir.once import once
from analysis_core.ir.walk import blocks_of, expressions_of, statements, statements_of, subexpressions, uncast

_DEEPEST = 8
"""Variables that are set to others."""

_OWN = frozenset({BuiltinKind.THREAD_IDX, BuiltinKind.BLOCK_IDX})


@once
def goes_through_all_pairs(kernel: Kernel) -> bool:
    """Whether each thread of a grid of one dimension makes a round for each of them."""
    values = assigned_once(kernel)
    limits: set[VarId] = set()
    ends: set[VarId] = set()
    for stmt in _of_all_threads(kernel, values):
        if isinstance(stmt, If):
            limits.update(_limits(stmt, values))
        elif isinstance(stmt, Loop) and not _may_be_left(stmt):
            ends.update(_end(stmt, kernel, values))
    return not ends.isdisjoint(limits) and len({node.axis for node in _numbers_in(kernel)}) == 1


def _of_all_threads(kernel: Kernel, values: Mapping[VarId, Expr]) -> Iterator[Stmt]:
    """The statements in no loop and under no other condition than one on the thread's number, also of functions that are called there."""
    pending: list[Block] = [kernel.body]
    while pending:
        for stmt in pending.pop():
            yield stmt
            if isinstance(stmt, Inlined) or (isinstance(stmt, If) and any(_limits(stmt, values))):
                pending.extend(blocks_of(stmt))


def _numbers_in(kernel: Kernel) -> Iterator[Builtin]:
    """What is asked of a thread's place in the grid."""
    for stmt in statements_of(kernel):
        for expr in expressions_of(stmt):
            yield from (node for node in subexpressions(expr) if isinstance(node, Builtin) and node.kind in _OWN)


def _may_be_left(loop: Loop) -> bool:
    """Whether something in a loop may end it before its test does."""
    pending: list[Sequence[Stmt]] = [loop.body]
    while pending:
        for stmt in pending.pop():
            if isinstance(stmt, (Break, Return)):
                return True
            if not isinstance(stmt, Inlined):
                pending.extend(blocks_of(stmt))
    return False


def _end(loop: Loop, kernel: Kernel, values: Mapping[VarId, Expr]) -> Iterator[VarId]:
    """What a loop counts to from 0, by one."""
    match loop.condition:
        case Binary(op="<" | "!=", left=left, right=right):
            counter, end = uncast(left), _meant(right, values)
        case _:
            return
    if not isinstance(counter, Local) or end is None or not _is_set_once(end, kernel):
        return
    begun = [stmt for stmt in sources_of(kernel).get(counter.var, ()) if stmt not in loop.step]
    raised = [stmt for stmt in statements((*loop.test, *loop.body, *loop.step)) if counter.var in assigned_by(stmt)]
    if len(raised) != 1 or len(begun) != 1 or not _is_raised(raised[0], counter.var):
        return
    first = uncast(begun[0].value) if isinstance(begun[0], Assign) else None
    if isinstance(first, Const) and first.value == 0:
        yield end


def _is_raised(stmt: Stmt, counter: VarId) -> bool:
    """Whether it adds one."""
    value = uncast(stmt.value) if isinstance(stmt, Assign) else None
    if not isinstance(value, Binary) or value.op != "+":
        return False
    left, right = uncast(value.left), uncast(value.right)
    return isinstance(left, Local) and left.var == counter and isinstance(right, Const) and right.value == 1


def _is_set_once(var: VarId, kernel: Kernel) -> bool:
    return len(sources_of(kernel).get(var, ())) + (var in kernel.parameters) == 1


def _limits(test: If, values: Mapping[VarId, Expr]) -> Iterator[VarId]:
    """What a test compares the thread's number in the grid with."""
    pending = [test.condition]
    while pending:
        match uncast(pending.pop()):
            case Binary(op="&&" | "||", left=left, right=right):
                pending += [left, right]
            case Binary(op="<" | ">=", left=left, right=right):
                if _is_own_number(left, values) and (end := _meant(right, values)) is not None:
                    yield end
            case _:
                pass


def _meant(expr: Expr, values: Mapping[VarId, Expr]) -> VarId | None:
    """The variable that an expression is, by way of others that are set to it."""
    for _ in range(_DEEPEST):
        expr = uncast(expr)
        if not isinstance(expr, Local):
            return None
        value = values.get(expr.var)
        if value is None or not isinstance(uncast(value), Local):
            return expr.var
        expr = value
    return None


def _is_own_number(expr: Expr, values: Mapping[VarId, Expr]) -> bool:
    """Whether it is made of the number of the thread in its block and of that block."""
    var = _meant(expr, values)
    whole = expr if var is None else values.get(var)
    if whole is None:
        return False
    return {node.kind for node in subexpressions(whole) if isinstance(node, Builtin)} >= _OWN
