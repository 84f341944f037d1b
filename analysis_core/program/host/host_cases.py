"""What statements of the host say of names where they stand: the cases of a `switch`, tests for one number, and counters of loops.

    dim3 block(threads);
    switch (threads) { case 64: k<64><<<4, block>>>(p); break; .. }       `threads` is 64 there, and `block` 64 wide

`Shapes` keeps of which names the extents of a dim3 are made for as long as neither gets another value, so that a name that is known
later tells them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager

from analysis_core.ir.nodes import Const
from analysis_core.ir.scalars import DIM3
from analysis_core.ir.types import UINT, ScalarType
from analysis_core.lower.context import Lowering
from analysis_core.lower.names.scope import Scope
from analysis_core.lower.statements import lower_expressions
from analysis_core.lower.values import StructValue, Value
from analysis_core.program.host import host_flow
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside, uncast

Shapes = Mapping[str, tuple[str | None, ...]]
"""By name of a dim3, the names that its extents were made of; None for what is no name."""


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


def made_of(init: syn.Expr | None) -> tuple[str | None, ...]:
    """The names that the extents of a dim3 are that begins with this; () where none is."""
    match init:
        case syn.Construct(args=args) | syn.InitList(items=args):
            names = tuple(arg.name if isinstance(arg := uncast(part), syn.Name) else None for part in args[:3])
        case syn.Expr() if isinstance(arg := uncast(init), syn.Name):
            names = (arg.name,)
        case _:
            names = ()
    return names if any(names) else ()


def without(shapes: Shapes, names: Iterable[str]) -> Shapes:
    """The shapes that have none of these names and are not made of any."""
    gone = frozenset(names)
    return {name: parts for name, parts in shapes.items() if name not in gone and gone.isdisjoint(parts)}


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


@contextmanager
def known_to_be(ctx: Lowering, shapes: Shapes, numbers: Iterable[tuple[str, int]]) -> Iterator[None]:
    """A context in which these names have these numbers, and so do the extents that are made of them."""
    before: dict[str, tuple[object, object]] = {}
    for name, number in numbers:
        held = ctx.scope.find(name)
        if name in before or integer(held) is not None or not isinstance(held, Value):
            continue
        if isinstance(held.type, ScalarType):
            before[name] = held, Value(Const(number, held.type), held.type)
            for shape in (shape for shape, parts in shapes.items() if name in parts):
                old = before[shape][0] if shape in before else ctx.scope.find(shape)
                new = before[shape][1] if shape in before else old
                if isinstance(new, StructValue) and new.type == DIM3:
                    parts = (*shapes[shape], None, None, None)
                    fields = (Value(Const(number, UINT), UINT) if p == name else f for f, p in zip(new.fields, parts))
                    before[shape] = old, StructValue(DIM3, tuple(fields))
    for name, (_, now) in before.items():
        rebind(ctx, name, now)
    yield
    for name, (then, now) in before.items():
        if ctx.scope.find(name) is now:
            rebind(ctx, name, then)


def rebind(ctx: Lowering, name: str, binding: object) -> None:
    """Gives a name a new meaning in the block that declares it."""
    scope: Scope | None = ctx.scope
    while scope is not None:
        if name in scope.bindings:
            scope.bindings[name] = binding  # type: ignore[assignment]
            return
        scope = scope.parent
