"""A loop as refactorings see it: its text, its statement in each instantiation of its kernel, and what drives it.

    while (cond(v)) { body; v = update(v) }        v: the one variable that the condition rests on and the loop changes, once, at a round's end

So which rounds there are is decided by what is there before the loop.  What is shown of them is asked of the analysis (shown.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from analysis_core.ir.constants import fold_at
from analysis_core.ir.effects import sources_of, variables_in
from analysis_core.ir.loop_info import LoopInfo, loops_of
from analysis_core.ir.nodes import (
    Assign,
    Break,
    Builtin,
    BuiltinKind,
    Const,
    Continue,
    Expr,
    Kernel,
    Loop,
    LoopKind,
    Return,
    Stmt,
    Switch,
    UnknownStmt,
    VarId,
)
from analysis_core.ir.types import ScalarType
from analysis_core.ir.walk import blocks_of, expressions_of, subexpressions
from analysis_core.rewrite.core.action import Site
from analysis_core.rewrite.core.unit import Unit
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span


@dataclass(frozen=True, slots=True)
class Driver:
    """`var`: what the loop's test rests on; `update`: the assignment that moves it on; `in_body`: that ends the body, else it is the step of a `for`."""

    var: VarId
    update: Assign
    in_body: bool


@dataclass(frozen=True, slots=True)
class OneLoop:
    """A loop of a kernel's text in one instantiation."""

    kernel: Kernel
    node: syn.For | syn.While | syn.DoWhile
    info: LoopInfo

    @property
    def loop(self) -> Loop:
        return self.info.loop

    @property
    def driver(self) -> Driver | str:
        """What drives it, or why nothing does that is known before the loop."""
        loop = self.loop
        if loop.condition is None:
            return "the loop has no test"
        if loop.kind is LoopKind.DO:
            return "a `do` loop makes its first round untested"
        if loop.test:
            return "the loop's test reads memory, or does something"
        read = variables_in(loop.condition)
        moved = [var for var in read if var in self.info.changes]
        if len(moved) != 1:
            return (
                "what the loop's test compares changes in the loop"
                if moved
                else "nothing that the test compares changes in the loop"
            )
        var = moved[0]
        ways = self.info.changes[var]
        if len(ways) != 1 or not isinstance(ways[0], Assign):
            return f"`{self.kernel.variables[var].name}` is changed in more than one way in the loop"
        update = ways[0]
        if any(other != var and other in self.info.changes for other in variables_in(update.value)):
            return f"what is added to `{self.kernel.variables[var].name}` changes in the loop"
        in_step = any(stmt is update for stmt in loop.step)
        if not in_step and not (loop.body and loop.body[-1] is update):
            return f"`{self.kernel.variables[var].name}` is not moved on at the end of a round"
        return Driver(var, update, not in_step)

    def first_values(self, rounds: int) -> list[int] | None:
        """The driver's values in the first rounds and behind them, where it starts with a number; None if not, or if it would overflow."""
        driver = self.driver
        start = None if isinstance(driver, str) else self.info.before(driver.var)
        first = None if start is None else fold_at(start, {})
        if (
            isinstance(driver, str)
            or first is None
            or not isinstance(first.value, int)
            or isinstance(first.value, bool)
        ):
            return None
        values = [first.value]
        while len(values) <= rounds:
            moved = fold_at(driver.update.value, {driver.var: Const(values[-1], first.type)})
            if moved is None or not isinstance(moved.value, int):
                return None
            values.append(moved.value)
        return values


def loops_in(unit: Unit, kernel: Kernel, declaration: syn.FunctionDecl) -> Iterator[OneLoop]:
    """The loops of a kernel's own text, outer ones first; without those of lambdas, and those whose place in the IR is not plain."""
    by_span: dict[Span, list[LoopInfo]] = {}
    for info in loops_of(kernel):
        by_span.setdefault(info.loop.whole, []).append(info)
    for node in inside(declaration.body, lambdas=False) if declaration.body is not None else ():
        if isinstance(node, syn.For | syn.While | syn.DoWhile) and len(by_span.get(node.span, ())) == 1:
            yield OneLoop(kernel, node, by_span[node.span][0])


def loop_sites(unit: Unit, kernel: Kernel, declaration: syn.FunctionDecl) -> Iterator[Site]:
    """Every loop, as where a refactoring may be tried."""
    for one in loops_in(unit, kernel, declaration):
        yield Site(kernel, declaration, one.node.span, "the loop", one.node)


def instantiations(unit: Unit, kernel: Kernel) -> list[Kernel]:
    """All kernels that the text of this one makes."""
    return [one for one in unit.module.kernels if one.name_span == kernel.name_span]


def in_every(unit: Unit, kernel: Kernel, declaration: syn.FunctionDecl, node: syn.Node | None) -> list[OneLoop] | None:
    """The loop in each instantiation of its kernel; None where one of them does not have it (`if constexpr`)."""
    found = []
    for one in instantiations(unit, kernel):
        here = next((loop for loop in loops_in(unit, one, declaration) if loop.node is node), None)
        if here is None:
            return None
        found.append(here)
    return found


def early_end(loop: Loop, returns: bool = False) -> Stmt | None:
    """The first `break` of the loop itself, code that may jump, and where `returns`, a `return`: how it may end without its test."""
    return next(_own(loop, (Break, Return) if returns else (Break,)), None) or next(
        (s for s in _all(loop) if isinstance(s, UnknownStmt) and s.leaves), None
    )


def early_round(loop: Loop) -> Stmt | None:
    """The first `continue` of the loop itself."""
    return next(_own(loop, (Continue,)), None)


def _own(loop: Loop, kinds: tuple[type[Stmt], ...]) -> Iterator[Stmt]:
    """Jumps of these kinds that belong to the loop: in loops inside only a `return`, in a `switch` no `break`."""
    pending: list[tuple[Stmt, tuple[type[Stmt], ...]]] = [
        (stmt, kinds) for part in (loop.step, loop.body, loop.test) for stmt in reversed(part)
    ]
    while pending:
        stmt, wanted = pending.pop()
        if isinstance(stmt, wanted):
            yield stmt
        match stmt:
            case Loop():
                wanted = tuple(kind for kind in wanted if kind is Return)
            case Switch():
                wanted = tuple(kind for kind in wanted if kind is not Break)
            case _:
                pass
        pending.extend((inner, wanted) for part in reversed(blocks_of(stmt)) for inner in reversed(part))


def _all(loop: Loop) -> Iterator[Stmt]:
    pending: list[Stmt] = [loop]
    while pending:
        stmt = pending.pop()
        yield stmt
        pending.extend(inner for part in blocks_of(stmt) for inner in part)


def made_from(kernel: Kernel, expressions: Sequence[Expr]) -> tuple[list[Expr], list[Stmt]]:
    """All expressions that go into the values of some, these included, and the statements that assign what is used there."""
    seen: set[VarId] = set()
    pending, parts, ways = list(expressions), list[Expr](), list[Stmt]()
    sources = sources_of(kernel)
    while pending:
        expr = pending.pop()
        parts.append(expr)
        for var in variables_in(expr) - seen:
            seen.add(var)
            for stmt in sources.get(var, ()):
                ways.append(stmt)
                pending.extend(expressions_of(stmt))
    return parts, ways


def is_of_all(kernel: Kernel, expressions: Sequence[Expr]) -> bool:
    """Whether no thread's number and nothing in memory goes into the values of expressions: all threads of a block have the same."""
    parts, ways = made_from(kernel, expressions)
    own = any(
        isinstance(e, Builtin) and e.kind is BuiltinKind.THREAD_IDX for part in parts for e in subexpressions(part)
    )
    return not own and all(isinstance(stmt, Assign) for stmt in ways)


def reads_memory(kernel: Kernel, expressions: Sequence[Expr]) -> bool:
    """Whether something in memory, or of other threads, goes into the values of expressions."""
    _, ways = made_from(kernel, expressions)
    return any(not isinstance(stmt, Assign) for stmt in ways)


def type_of(one: OneLoop, var: VarId) -> ScalarType | None:
    """The type of a variable, if it is a number."""
    found = one.kernel.variables[var].type
    return found if isinstance(found, ScalarType) else None
