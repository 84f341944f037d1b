"""What expressions of the host hand on: the kernels that they mean, each with its template arguments as they are where it is named, and of
arguments the constants and types, with packs written out.

auto kernel = &k<Shape<T>>;  kernel<<<..>>>(..)                  T is what it is here
auto kernel = wide ? &k<8> : &k<1>;                              both
const pointer table[] = {k<1>, k<8>};  table[n]<<<..>>>(..)      both
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, product

from analysis_core.lower.context import Lowering
from analysis_core.lower.names import deduction, packs
from analysis_core.lower.names.scope import Scope
from analysis_core.lower.objects import closure_types
from analysis_core.lower.statements import lower_expressions
from analysis_core.lower.values import FunctionName, Operand, Value
from analysis_core.program.host import host_unknowns
from analysis_core.program.host.host_constants import host_constant
from analysis_core.support.distinct import distinct
from analysis_core.syntax.read import tree as syn

Kernels = tuple[FunctionName, ...]

Pointers = Mapping[str, Kernels]
"""By variable of the host, the kernels that it may point to."""


def kernels_named(ctx: Lowering, expr: syn.Expr, pointers: Pointers) -> Kernels:
    """The kernels that an expression may mean; () where it means none, or nobody knows which."""
    match expr:
        case syn.Cast(operand=inner) | syn.Unary(op="&" | "*", operand=inner) | syn.Subscript(base=inner):
            return kernels_named(ctx, inner, pointers)
        case syn.Construct(args=[inner]) | syn.Call(callee=syn.Name(name="HIP_KERNEL_NAME"), args=[inner]):
            return kernels_named(ctx, inner, pointers)
        case syn.InitList(items=items):
            return _all_of(ctx, items, pointers)
        case syn.Conditional(condition=condition, then=then, otherwise=otherwise):
            decided = host_constant(ctx, condition)
            sides = (then, otherwise) if decided is None else (then if decided.value else otherwise,)
            return _all_of(ctx, sides, pointers)
        case syn.Name(name=name):
            return pointers[name] if name in pointers else _named(ctx, expr)
        case _:
            return ()


def joined(one: Kernels, other: Kernels) -> Kernels:
    """The kernels of both."""
    return tuple(distinct((*one, *other), lambda kernel: kernel.name))


def either(one: Pointers, other: Pointers) -> dict[str, Kernels]:
    """What variables may point to where one or the other holds."""
    return {name: joined(one.get(name, ()), other.get(name, ())) for name in (*one, *other)}


def _all_of(ctx: Lowering, parts: Sequence[syn.Expr], pointers: Pointers) -> Kernels:
    found = (kernel for part in parts for kernel in kernels_named(ctx, part, pointers))
    return tuple(distinct(found, lambda kernel: kernel.name))


def _named(ctx: Lowering, node: syn.Name) -> Kernels:
    """The kernel of that name, or those in a table at file scope."""
    bound = ctx.scope.find(node.name)
    if bound is not None:
        return (bound,) if isinstance(bound, FunctionName) and _is_kernel(bound) else ()
    namespace = ctx.scope.root().namespace
    kernels = tuple(d for d in ctx.unit.find_functions(node.name, namespace) if d.is_kernel)
    if kernels:
        return (deduction.settled(ctx, FunctionName(node.name, kernels, node.template_args)),)
    table = ctx.unit.find_variable(node.name, namespace)
    if table is None or table[1].init is None:
        return ()
    with ctx.in_scope(Scope(None, table[0].rpartition("::")[0])):
        return kernels_named(ctx, table[1].init, {})


def _is_kernel(function: FunctionName) -> bool:
    return any(declaration.is_kernel for declaration in function.declarations)


# --- arguments ---------------------------------------------------------------------------------------------------

_MOST_CHOICES = 16


def written_out(ctx: Lowering, args: Sequence[syn.Expr]) -> tuple[Sequence[syn.Expr], bool]:
    """Arguments with packs written out, as far as they are known, and whether these are all."""
    for position, arg in enumerate(args):
        if isinstance(arg, syn.Expansion) and not packs.named_packs(ctx, arg.pattern):
            return packs.expressions(ctx, args[:position]), False
    return packs.expressions(ctx, args), True


def operands_of(ctx: Lowering, args: Sequence[syn.Expr], pointers: Pointers) -> Iterator[list[Operand]]:
    """The arguments of which only types matter, for each choice of kernels that they may point to."""
    each = [kernels_named(ctx, arg, pointers) or (_typed(ctx, arg),) for arg in args]
    return (list(choice) for choice in islice(product(*each), _MOST_CHOICES))


def _typed(ctx: Lowering, expr: syn.Expr) -> Operand:
    """An argument of which only the type matters."""
    value = lower_expressions.constant(ctx, expr) if not isinstance(expr, syn.InitList) else None
    if value is not None:
        return Value(value, value.type)
    if isinstance(expr, syn.InitList):
        return host_unknowns.unknown_of(None)
    if isinstance(expr, syn.Lambda):
        return host_unknowns.unknown_of(closure_types.closure_type(ctx, expr))
    return host_unknowns.unknown_of(lower_expressions.type_of_expression(ctx, expr))
