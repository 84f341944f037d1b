"""Kernels whose threads each do a task of their own, numbered by the place of the thread in the grid.

    int i = blockIdx.x * blockDim.x + threadIdx.x;        the number, in which alone the thread has a say
    if (i < n)                                            the guard: which numbers there are, if anything says that
        y[i] = a * x[i] + y[i];                           the task

Tasks do not meet: no barriers, no shared memory, no race.  So they may be done in any order, by any thread: which tasks there are is all
that has to stay.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from analysis_core.ir.effects import assigned_once, variables_in
from analysis_core.ir.nodes import (
    Assign,
    Atomic,
    Barrier,
    Binary,
    Builtin,
    BuiltinKind,
    Cast,
    Const,
    Expr,
    Fence,
    If,
    Intrinsic,
    Kernel,
    Load,
    Local,
    Shuffle,
    Store,
    UnknownStmt,
    Vote,
)
from analysis_core.ir.types import BOOL, LONG, UINT, ScalarKind, ScalarType, Space
from analysis_core.ir.walk import expressions_of, span_of, statements_of, subexpressions
from analysis_core.rewrite.core.guards import leaves, made_elsewhere
from analysis_core.rewrite.core.loops import instantiations
from analysis_core.rewrite.core.shown import is_free_of_races
from analysis_core.rewrite.core.threads import Locals
from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass

_PLACES = frozenset({"threadIdx", "blockIdx", "blockDim", "gridDim"})
_FLIPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
_NEGATED = {">=": "<", ">": "<=", "<": ">=", "<=": ">"}


@dataclass(frozen=True, slots=True)
class Guard:
    """`number < end`, or `<=`.  `statement`: the `if`; `leaves`: it is the other way round, and leaves the kernel."""

    statement: syn.If
    end: syn.Expr
    op: str
    leaves: bool


@dataclass(frozen=True, slots=True)
class Tasks:
    """`number`: the declaration of a task's number, in a statement of its own; `outside`: declarations that stay before all tasks; `own`: those that
    each task makes; `body`: its statements; `block`: threads of a block, where the number counts by it and not by blockDim."""

    kernels: tuple[Kernel, ...]
    declaration: syn.FunctionDecl
    statement: syn.DeclStmt
    number: syn.VarDecl
    own: tuple[syn.DeclStmt, ...]
    guard: Guard | None
    body: tuple[syn.Stmt, ...]
    block: int | None
    rounding: bool

    @property
    def name(self) -> str:
        return self.number.name


def tasks_of(unit: Unit, kernel: Kernel, declaration: syn.FunctionDecl) -> Tasks | str:
    """The tasks of a kernel, or why its threads do not each do one of their own."""
    kernels = tuple(instantiations(unit, kernel))
    for one in kernels:
        if (reason := _together(unit, one)) is not None:
            return reason
    found = _read(unit, kernels, declaration)
    if isinstance(found, str):
        return found
    if not all(is_free_of_races(unit, one) for one in kernels):
        return "threads may come to the same cell, so that their order matters"
    return found


def _together(unit: Unit, kernel: Kernel) -> str | None:
    """Why threads do not work on their own."""
    every = statements_of(kernel)
    barrier = next((s for s in every if isinstance(s, Barrier)), None)
    shared = any(o.space is Space.SHARED for o in kernel.objects)
    if barrier is not None or shared:
        what = " and ".join(
            word for word, there in (("barrier", barrier is not None), ("shared memory", shared)) if there
        )
        return f"{what}: the threads of a block work together"
    read = {var for s in every for e in expressions_of(s) for var in variables_in(e)}
    for stmt in every:
        line = f" (line {unit.line(span_of(stmt))})"
        if isinstance(stmt, Shuffle | Vote):
            return f"the threads of a warp work together{line}"
        if isinstance(stmt, UnknownStmt):
            return f"code in the kernel is not known{line}"
        if isinstance(stmt, Fence):
            return f"a fence orders what threads do for each other{line}"
        if isinstance(stmt, Atomic) and (stmt.var in read or stmt.op in ("exch", "cas", "inc", "dec")):
            return f"what an atomic update finds depends on the order of threads{line}"
        if isinstance(stmt, Load | Store) and stmt.access.volatile:
            return f"threads may wait for each other at a volatile access{line}"
    return None


# --- the text ---------------------------------------------------------------------------------------------------------


def _read(unit: Unit, kernels: Sequence[Kernel], declaration: syn.FunctionDecl) -> Tasks | str:
    body = declaration.body
    if body is None:
        return "it has no body in view"
    names = Locals(unit, declaration)
    lead: list[syn.DeclStmt] = []
    rest = list(body.body)
    while rest and isinstance(first := rest[0], syn.DeclStmt):
        lead.append(first)
        rest.pop(0)
    placed = [(at, d) for at, one in enumerate(lead) for d in one.declarations if isinstance(d, syn.VarDecl)]
    numbers = [(at, d, block) for at, d in placed if (block := _block_of(kernels, d)) is not None]
    if not numbers:
        return "no variable is the number of the thread in the grid (`blockIdx.x * blockDim.x + threadIdx.x`)"
    at, number, block = numbers[-1]
    if len(lead[at].declarations) != 1 or number.storage - {"const"}:
        return f"`{number.name}` is not declared by itself"
    if number.name in names.changed or len(names.declared.get(number.name, ())) != 1:
        return f"`{number.name}` is changed, or declared again"
    moved = names.changed & {p.name for p in declaration.parameters if p.name}
    if moved:
        return f"`{min(moved)}` changes in a task, and the next one of the thread would find it so"
    guard = _guard(unit, names, number.name, rest)
    if isinstance(guard, str):
        return guard
    if guard is not None and guard.leaves:
        rest.pop(0)
    elif guard is not None:
        rest = [guard.statement.then]
    kept, own = _sorted(names, [*lead[:at], *lead[at + 1 :]], number.name)
    used = {n.name for n in inside(guard.end) if isinstance(n, syn.Name)} if guard is not None else set()
    late = {d.name for one in own for d in one.declarations if isinstance(d, syn.VarDecl)}
    if used & late:
        return f"the guard rests on `{min(used & late)}`, which each task has of its own"
    places = (lead[at], *own, *rest, *(() if guard is None else (guard.statement,)))
    reason = made_elsewhere(unit, body, places) or _elsewhere(unit, body, lead[at], kept, number.name)
    if reason is not None:
        return reason
    rounding = any(
        isinstance(s, Atomic) and isinstance(s.access.type, ScalarType) and s.access.type.kind is ScalarKind.FLOAT
        for one in kernels
        for s in statements_of(one)
    )
    return Tasks(tuple(kernels), declaration, lead[at], number, own, guard, tuple(rest), block or None, rounding)


def _guard(unit: Unit, names: Locals, number: str, rest: Sequence[syn.Stmt]) -> Guard | str | None:
    """What says which numbers there are: the test of the one statement that there is, or one before all others that leaves the kernel."""
    first = rest[0] if rest else None
    leaving = first is not None and leaves(first)
    if not isinstance(first, syn.If) or not (leaving or len(rest) == 1):
        return None
    if first.otherwise is not None or first.init is not None or first.is_constexpr:
        return None
    test = first.condition
    if not isinstance(test, syn.Binary) or test.op not in _FLIPPED:
        return None
    left, right, op = test.left, test.right, test.op
    if isinstance(right, syn.Name) and right.name == number:
        left, right, op = right, left, _FLIPPED[op]
    op = _NEGATED[op] if leaving else op
    if not isinstance(left, syn.Name) or left.name != number or op not in ("<", "<="):
        return None
    reason = names.refusal(right)
    if reason is not None or names.depends(right) or _mentions_places(right):
        return f"the end of the numbers (line {unit.line(right.span)}) may differ between threads: {reason or 'it is made of their places'}"
    return Guard(first, right, op, leaving)


def _mentions_places(node: syn.Node) -> bool:
    return any(isinstance(n, syn.Name) and n.name in _PLACES for n in inside(node))


def _sorted(
    names: Locals, statements: Sequence[syn.DeclStmt], number: str
) -> tuple[tuple[syn.DeclStmt, ...], tuple[syn.DeclStmt, ...]]:
    """Declarations that are the same for all tasks and stay, and those that each task has of its own."""
    kept, own = list[syn.DeclStmt](), list[syn.DeclStmt]()
    mine = {number}
    for one in statements:
        made = [d for d in one.declarations if isinstance(d, syn.VarDecl)]
        used = {n.name for n in inside(one) if isinstance(n, syn.Name)}
        same = len(made) == len(one.declarations) and all(names.variable(d.name) is not None for d in made)
        if same and not used & mine:
            kept.append(one)
        else:
            own.append(one)
            mine |= {d.name for d in made}
    return tuple(kept), tuple(own)


def _elsewhere(
    unit: Unit, body: syn.Compound, statement: syn.DeclStmt, kept: Sequence[syn.DeclStmt], number: str
) -> str | None:
    """A use of the thread's place beside the number, which other threads would have another one of."""
    feeding = [one for one in kept if _mentions_places(one)]
    inner = {d.name for one in feeding for d in one.declarations if isinstance(d, syn.VarDecl)}
    for node in inside(body):
        if not isinstance(node, syn.Name) or (node.name not in _PLACES and node.name not in inner):
            continue
        around = (statement, *feeding)
        if not any(one.span.encloses(node.span) for one in around):
            return f"the thread's place is asked for beside `{number}` (line {unit.line(node.span)})"
    return None


# --- the number -------------------------------------------------------------------------------------------------------

_Form = Mapping[tuple[str, ...], int]


def _block_of(kernels: Sequence[Kernel], variable: syn.VarDecl) -> int | None:
    """0 if the variable is blockIdx.x * blockDim.x + threadIdx.x, b if it is blockIdx.x * b + threadIdx.x, None if it is something else."""
    found: set[int | None] = set()
    for kernel in kernels:
        values = assigned_once(kernel)
        own = [v for v in kernel.variables if v.name == variable.name and not v.parameter]
        at = [
            v.id
            for v in own
            if v.span == variable.span or v.span == variable.name_span or variable.span.encloses(v.span)
        ]
        form = _linear(values[at[0]], kernel) if len(at) == 1 and at[0] in values else None
        found.add(None if form is None else _counted(form))
    return found.pop() if len(found) == 1 else None


def _counted(form: _Form) -> int | None:
    if form.get(("threadIdx.x",)) != 1 or len(form) != 2:
        return None
    if form.get(("blockDim.x", "blockIdx.x")) == 1:
        return 0
    by = form.get(("blockIdx.x",))
    return by if by is not None and by > 0 else None


def _linear(expr: Expr, kernel: Kernel, depth: int = 8) -> _Form | None:
    """An integer as a sum of products of places, None where it is anything else."""
    if depth == 0:
        return None
    match expr:
        case Const(value=int() as value):
            return {(): value} if value else {}
        case Builtin(kind=kind, axis=axis):
            return {(f"{kind.value}.{'xyz'[axis]}",): 1}
        case Cast(operand=operand, type=ScalarType(kind=ScalarKind.INT, size=size)) if size >= 4:
            return _linear(operand, kernel, depth)
        case Local(var=var) if var in (values := assigned_once(kernel)):
            return _linear(values[var], kernel, depth - 1)
        case Binary(op="+" | "*" as op, left=left, right=right):
            one, other = _linear(left, kernel, depth), _linear(right, kernel, depth)
        case Intrinsic(name="mul24", args=(left, right)):
            op, one, other = "*", _linear(left, kernel, depth), _linear(right, kernel, depth)
        case _:
            return None
    if one is None or other is None:
        return None
    made: dict[tuple[str, ...], int] = {}
    pairs = (
        [(k, v) for form in (one, other) for k, v in form.items()]
        if op == "+"
        else [(tuple(sorted((*k, *m))), v * w) for k, v in one.items() for m, w in other.items()]
    )
    for key, value in pairs:
        made[key] = made.get(key, 0) + value
    return {key: value for key, value in made.items() if value}


def strays(tasks: Tasks) -> bool:
    """Whether a function that a task calls asks for the thread's place."""
    for kernel in tasks.kernels:
        values = assigned_once(kernel)
        allowed = {id(value) for var, value in values.items() if _linear(value, kernel) is not None}
        for stmt in statements_of(kernel):
            for expr in expressions_of(stmt):
                if isinstance(stmt, Assign) and id(expr) in allowed:
                    continue
                if any(isinstance(e, Builtin) for e in subexpressions(expr)):
                    return True
    return False


def covered(tasks: Tasks, kernel: Kernel) -> tuple[int, Expr] | None:
    """That the threads of a launch are as many as the guard lets through, at least, and the number of the statement where it holds."""
    guard = tasks.guard
    if guard is None:
        return None
    for number, stmt in enumerate(kernel.body):
        if isinstance(stmt, If) and stmt.whole == guard.statement.span and isinstance(stmt.condition, Binary):
            condition = stmt.condition
            sides = [condition.left, condition.right]
            if not all(isinstance(each.type, ScalarType) and each.type.kind is ScalarKind.INT for each in sides):
                return None
            end = sides[0 if isinstance(_bare(sides[1]), Local) and _is_number(kernel, tasks, sides[1]) else 1]
            threads = Binary(
                "*",
                Cast(Builtin(BuiltinKind.GRID_DIM, 0, UINT), LONG),
                Cast(Builtin(BuiltinKind.BLOCK_DIM, 0, UINT), LONG),
                LONG,
            )
            return number, Binary(">" if guard.op == "<=" else ">=", threads, Cast(end, LONG), BOOL)
    return None


def _bare(expr: Expr) -> Expr:
    while isinstance(expr, Cast):
        expr = expr.operand
    return expr


def _is_number(kernel: Kernel, tasks: Tasks, expr: Expr) -> bool:
    bare = _bare(expr)
    return isinstance(bare, Local) and kernel.variables[bare.var].name == tasks.name


def returns_of(tasks: Tasks) -> list[syn.Return] | str:
    """The `return`s of a task, which end it and no other; or why one of them cannot be told so."""
    found: list[syn.Return] = []
    for stmt in tasks.body:
        every = list(inside(stmt, lambdas=False))
        loops = [n.span for n in every if isinstance(n, syn.Loop)]
        for node in every:
            if isinstance(node, syn.Return):
                if node.expansion is not None:
                    return f"the macro `{node.expansion}` leaves the task"
                if any(loop.encloses(node.span) for loop in loops):
                    return "`return` in a loop of the task would not end the task alone"
                found.append(node)
    return found
