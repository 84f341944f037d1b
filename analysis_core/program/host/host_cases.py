"""What statements of the host say of names where they stand: the cases of a `switch`, tests for one number, and counters of loops."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from analysis_core.ir.nodes import Const
from analysis_core.lower.context import Lowering
from analysis_core.lower.names.scope import Scope
from analysis_core.lower.statements import lower_expressions
from analysis_core.lower.values import Value
from analysis_core.program.host import host_flow
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside, uncast


def integer(value: object) -> int | None:
    """The number that a variable is known to hold."""
    if isinstance(value, Value) and isinstance(value.expr, Const) and isinstance(value.expr.value, int):
        return value.expr.value
    return None


def counted(ctx: Lowering, names: Iterable[str], parts: Sequence[syn.Node | None]) -> dict[str, tuple[int, int]]:
    """Those of these names that are constants before a loop and that the loop only counts up. `parts`: the parts of
    the loop."""
    begun = {name: value for name in names if (value := integer(ctx.scope.find(name))) is not None}
    steps: dict[str, set[int | None]] = {name: set() for name in begun}
    for part in parts if begun else ():
        for node in inside(part) if part is not None else ():
            match node:
                case syn.IncDec(op="++", operand=syn.Name(name=name)):
                    steps.get(name, set()).add(1)
                case syn.Assign(op="+=", target=syn.Name(name=name), value=added) if name in steps:
                    by = lower_expressions.constant(ctx, added)
                    steps[name].add(by.value if by is not None and isinstance(by.value, int) else None)
                case syn.Assign() | syn.IncDec() | syn.Unary(op="&") | syn.Call():
                    for name in host_flow.assigned_by(ctx.unit, ctx.scope.root().namespace, node):
                        steps.get(name, set()).add(None)
                case _:
                    pass
    single = {name: next(iter(found)) for name, found in steps.items() if len(found) == 1}
    return {name: (begun[name], step) for name, step in single.items() if step is not None and step > 0}


def equal_numbers(ctx: Lowering, condition: syn.Expr) -> Iterator[tuple[str, int]]:
    """The names that have one certain number where a condition holds."""
    match condition:
        case syn.Binary(op="&&", left=left, right=right):
            yield from equal_numbers(ctx, left)
            yield from equal_numbers(ctx, right)
        case syn.Binary(op="==", left=left, right=right):
            for side, other in ((uncast(left), right), (uncast(right), left)):
                value = lower_expressions.constant(ctx, other) if isinstance(side, syn.Name) else None
                if isinstance(side, syn.Name) and value is not None and isinstance(value.value, int):
                    yield side.name, value.value
        case _:
            pass


def cases_of(body: Iterable[syn.Stmt]) -> Iterator[tuple[list[syn.CaseLabel], list[syn.Stmt], bool]]:
    """The statements of a `switch` from label to label, with the labels before them, and whether no case before falls through to
    them."""
    labels: list[syn.CaseLabel] = []
    done: list[syn.Stmt] = []
    closed = True
    for stmt in body:
        if not isinstance(stmt, syn.CaseLabel):
            done.append(stmt)
            continue
        if done:
            yield labels, done, closed
            closed, labels, done = leaves(done[-1]), [], []
        labels.append(stmt)
    if done:
        yield labels, done, closed


def number_of_case(ctx: Lowering, labels: Sequence[syn.CaseLabel], closed: bool) -> int | None:
    """The one number that leads to the statements behind these labels; None where there are more."""
    value = labels[0].value if len(labels) == 1 and closed else None
    known = None if value is None else lower_expressions.constant(ctx, value)
    return known.value if known is not None and isinstance(known.value, int) else None


def are_apart(cases: Sequence[tuple[object, Sequence[syn.Stmt], bool]]) -> bool:
    """Whether each case is left at its end alone, by a `break` or by leaving the function or the loop around."""
    for number, (_, body, _) in enumerate(cases):
        last = last_of(body[-1])
        if not leaves(last) and number < len(cases) - 1:
            return False
        if any(isinstance(node, syn.Break) and node is not last for stmt in body for node in inside(stmt)):
            return False
    return True


def last_of(stmt: syn.Stmt) -> syn.Stmt:
    """The last statement in a block of them."""
    while isinstance(stmt, syn.Compound) and stmt.body:
        stmt = stmt.body[-1]
    return stmt


def leaves(stmt: syn.Stmt) -> bool:
    """Whether control never comes behind a statement."""
    return isinstance(last_of(stmt), syn.Break | syn.Return | syn.Continue)


def rebind(ctx: Lowering, name: str, binding: object) -> None:
    """Gives a name a new meaning in the block that declares it."""
    scope: Scope | None = ctx.scope
    while scope is not None:
        if name in scope.bindings:
            scope.bindings[name] = binding  # type: ignore[assignment]
            return
        scope = scope.parent
