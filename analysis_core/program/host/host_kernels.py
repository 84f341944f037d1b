"""Which kernels expressions of the host mean, each with its template arguments as they are where it is named.

auto kernel = &k<Shape<T>>;  kernel<<<..>>>(..)                  T is what it is here
auto kernel = wide ? &k<8> : &k<1>;                              both
const pointer table[] = {k<1>, k<8>};  table[n]<<<..>>>(..)      both
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from analysis_core.lower.context import Lowering
from analysis_core.lower.names import deduction
from analysis_core.lower.names.scope import Scope
from analysis_core.lower.values import FunctionName
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
