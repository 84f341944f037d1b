"""Atomic functions: `atomicAdd(&a[i], v)` and its relatives, with the suffixes `_block` and `_system`.

The place is what the pointer argument points to; for `&a[i]` it is spelled and placed as `a[i]`.  The old value goes
into a variable; whether anybody reads it is seen by `Atomic.var` being read.  Vector atomics (`float2`, `half2`) are
one request of the whole width, whose old value is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from analysis_core.ir.nodes import Atomic, Expr, Local
from analysis_core.ir.types import OpaqueType, PointerType, ScalarKind, ScalarType, StructType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.library import warp_primitives
from analysis_core.lower.names import resolve
from analysis_core.lower.objects import conversions
from analysis_core.lower.statements import inline
from analysis_core.lower.statements.arguments import Argument
from analysis_core.lower.values import ArrayValue, Operand, StructValue, Value, type_of
from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import uncast
from analysis_core.text.span import Span

_NAME = re.compile(r"atomic(Add|Sub|Exch|Min|Max|Inc|Dec|CAS|And|Or|Xor)(_block|_system)?\Z")


def is_atomic(name: str) -> bool:
    return _NAME.match(name) is not None


def call(ctx: Lowering, name: str, arguments: Sequence[Argument], node: syn.Call) -> Operand | None:
    """The call of an atomic function, as its old value; None if the arguments do not fit one."""
    match = _NAME.match(name)
    if match is None or len(arguments) < 2:
        return None
    operation = match[1].lower()
    pointer = inline.pointer_value(ctx, arguments[0])
    if pointer is None or not isinstance(pointer.type, PointerType):
        return None
    target = pointer.type.target
    values = [inline.loaded(ctx, a) for a in arguments[1:]]
    if isinstance(target, ScalarType) and target.kind is ScalarKind.VOID and values:
        target = type_of(values[0])
    address = ctx.keep(pointer.expr, arguments[0].mark)
    args = tuple(expr for value in values for expr in _scalars(ctx, value, target))
    span, text = _place(arguments[0].node)
    width = size_of(target)
    if isinstance(target, OpaqueType):
        resolve.assume_size(ctx, target)  # as loads and stores of such elements take it
        width = target.assumed
    if width is None:
        reason = f"an atomic on a type of unknown size ('{text}')"
        return inline.opaque_call(ctx, CauseKind.MISSING, reason, (), target, node.span)
    access = ctx.access(span, text, width, target, volatile=pointer.type.volatile)
    access = replace(access, of_block=match[2] == "_block")
    if isinstance(target, StructType):
        ctx.emit(Atomic(None, operation, address, args, access))
        reason = f"the old value of '{text}' depends on data"
        return inline.unknown_result(ctx, CauseKind.DATA, reason, target, node.span)
    var = ctx.temporary(f"{name}()", target, node.span)
    ctx.emit(Atomic(var, operation, address, args, access))
    return Value(Local(var, target), target)


def _scalars(ctx: Lowering, value: Operand, target: Type) -> list[Expr]:
    match value:
        case Value():
            if isinstance(target, StructType):
                return [value.expr]
            return [conversions.convert_value(ctx, value, target).expr]
        case StructValue():
            return [expr for part in value.fields for expr in _scalars(ctx, part, target)]
        case ArrayValue():
            return [expr for part in value.elements for expr in _scalars(ctx, part, target)]
        case _:
            return []


def _place(node: syn.Expr) -> tuple[Span, str]:
    """The lvalue that an atomic's first argument points to, as the user wrote it."""
    inner = uncast(node)
    place = inner.operand if isinstance(inner, syn.Unary) and inner.op == "&" else node
    return place.span, pointed_to(node)


def pointed_to(node: syn.Expr) -> str:
    """What the user would write for the place that a pointer leads to."""
    inner = uncast(node)
    if isinstance(inner, syn.Unary) and inner.op == "&":
        return warp_primitives.spelled(inner.operand)
    text = warp_primitives.spelled(inner)
    return f"*({text})" if isinstance(inner, (syn.Binary, syn.Conditional)) else f"*{text}"


def size_of(type: Type) -> int | None:
    """Bytes of a scalar, pointer or struct; None where it is not known."""
    match type:
        case ScalarType(size=size) | StructType(size=size):
            return size if size > 0 else None
        case PointerType():
            return 8
        case OpaqueType():
            return None
        case _:
            return None
