"""Trying template arguments: whether what they are put into is well-formed (substitution failure is not an error)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest

from analysis_core.ir import constants
from analysis_core.ir.nodes import UnknownExpr
from analysis_core.ir.types import VOID, PointerType, Qualified
from analysis_core.lower.context import Fit, Lowering, Substitution
from analysis_core.lower.names import resolve
from analysis_core.lower.names.scope import Binding, PackBinding, Scope
from analysis_core.lower.statements import lower_expressions, lower_lvalues
from analysis_core.lower.values import Category, Closure, Memory, Operand, Value, with_category
from analysis_core.support.facts import Cause, CauseKind
from analysis_core.syntax.read import tree as syn


def tried(ctx: Lowering, scope: Scope, read: Callable[[], object]) -> Fit:
    """The result of reading something in `scope`, for a trial: nothing is emitted or recorded."""
    outer, ctx.substitution = ctx.substitution, Substitution()
    try:
        with ctx.scratch(), ctx.in_scope(scope):
            read()
        found = ctx.substitution
    finally:
        ctx.substitution = outer
    return Fit.NO if found.failed else Fit.OPEN if found.unsure else Fit.YES


@contextmanager
def parameters_bound(
    ctx: Lowering, parameters: Sequence[syn.Parameter], operands: Sequence[Operand | None] = ()
) -> Iterator[None]:
    """A context in which the names of function parameters stand for values of their types, as the result type behind
    them sees them; one that is given a closure stands for that."""
    ahead = next((i for i, p in enumerate(parameters) if p.pack), len(parameters))
    with ctx.nested_scope() as scope:
        for parameter, operand in zip_longest(parameters, operands[:ahead]):
            if parameter.name is None:
                continue
            if isinstance(operand, Closure):
                scope.bind(parameter.name, operand)
                continue
            if parameter.pack:
                elements = tuple(_stand_in(ctx, each) for each in resolve.expanded(ctx, parameter.type))
                scope.bind(parameter.name, PackBinding(elements))
            else:
                type = resolve.decayed(resolve.qualified(ctx, parameter.type))
                scope.bind(parameter.name, _stand_in(ctx, type))
                scope.refer(parameter.name, type.reference)
        yield


def stand_in(ctx: Lowering, type: Binding, node: syn.Node) -> Operand:
    """`std::declval<T>()`: an object of type T that ends, or goes on where T is an lvalue reference."""
    if not isinstance(type, Qualified):
        return ctx.unknown(CauseKind.UNSUPPORTED, "`declval` of what is no type", node.span, VOID)
    category = Category.LVALUE if type.reference == "&" else Category.XVALUE
    return with_category(_stand_in(ctx, type), category)


def _stand_in(ctx: Lowering, type: Qualified) -> Operand:
    """An object of a type, of which nothing else is known."""
    cause = Cause(CauseKind.ANALYSIS, "an operand that is not evaluated", None)
    return Memory(type.type, UnknownExpr(cause, PointerType(type.type)), type.volatile, const=type.const)


def both(left: Fit, right: Fit) -> Fit:
    if Fit.NO in (left, right):
        return Fit.NO
    return Fit.OPEN if Fit.OPEN in (left, right) else Fit.YES


def constraints(ctx: Lowering, scope: Scope, requires: Sequence[syn.Expr]) -> Fit:
    """Whether `requires` clauses hold."""
    answer = Fit.YES
    for requirement in requires:
        answer = both(answer, _holds(ctx, scope, requirement))
    return answer


def _holds(ctx: Lowering, scope: Scope, requirement: syn.Expr) -> Fit:
    """One atomic constraint, or two joined: an ill-formed one does not hold, but leaves the other side of `||`."""
    if isinstance(requirement, syn.Binary) and requirement.op in ("&&", "||"):
        left, right = (_holds(ctx, scope, side) for side in (requirement.left, requirement.right))
        if requirement.op == "&&":
            return both(left, right)
        return Fit.YES if Fit.YES in (left, right) else Fit.OPEN if Fit.OPEN in (left, right) else Fit.NO
    value: list[bool | None] = []

    def read() -> None:
        operand = lower_lvalues.load(ctx, lower_expressions.operand(ctx, requirement), requirement)
        folded = constants.fold(operand.expr) if isinstance(operand, Value) else None
        value.append(None if folded is None else bool(folded.value))

    fit = tried(ctx, scope, read)
    if fit is Fit.NO:
        return Fit.NO
    return Fit.OPEN if not value or value[0] is None else Fit.YES if value[0] else Fit.NO
