"""Divisions by numbers that were made for it: a high product and a shift, with the divisor beside both in a record.

    struct IntDivider { unsigned divisor, m1, shift; .. };         t = __umulhi(n, m1);  (t + n) >> shift      is  n / divisor

The record's one other integer is taken for the divisor where its name says so, or it is the last of three like `uint3`, which is told as an
assumption; another number beside both (a count, an offset) is none.  Source: Granlund and Montgomery, "Division by
invariant integers using multiplication" (PLDI 1994); IntegerDivider.cuh of PyTorch, fast_math.h of CUTLASS and common.cuh of ggml make such.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from analysis_core.ir.nodes import Assign, Binary, Cast, Expr, Intrinsic, Local, VarId
from analysis_core.ir.types import ScalarKind, ScalarType
from analysis_core.lower.context import Lowering
from analysis_core.lower.names.scope import Scope
from analysis_core.lower.values import Register, RegisterPointer, StructPlace

_DIVISOR = re.compile(r"(?:m_)?(?:d|z|\w*(?:div|den|modul)\w*)_*", re.IGNORECASE)
"""What a divisor is called, as a member; `z` of `uint3`."""

_LOOKED_AT = 6
"""Assignments before the shift among which the product is looked for."""


def divided(ctx: Lowering, value: Expr, amount: Expr) -> Expr | None:
    """What `value >> amount` divides, if it is such a division."""
    shift = _variable(amount)
    if shift is None:
        return None
    value = _without_casts(value)
    parts = (value.left, value.right) if isinstance(value, Binary) and value.op == "+" else (value,)
    for part in parts:
        product = _product(ctx, part)
        if product is None:
            continue
        others = {_variable(other) for other in parts if other is not part}
        for number, multiplier in (product.args, product.args[::-1]):
            divisor = _divisor(ctx, _variable(multiplier), shift)
            if divisor is not None and others <= {_variable(number)}:
                ctx.assume(f"`{ctx.variables[divisor.var].name}` is what the numbers beside it divide by")
                return Binary("/", number, Cast(divisor, number.type), number.type)
    return None


def _product(ctx: Lowering, expr: Expr) -> Intrinsic | None:
    """The high part of a product that is written here, or was just assigned."""
    expr = _without_casts(expr)
    if isinstance(expr, Local):
        for stmt in reversed(ctx.blocks[-1][-_LOOKED_AT:]):
            if not isinstance(stmt, Assign):
                return None
            if stmt.var == expr.var:
                expr = _without_casts(stmt.value)
                break
    return expr if isinstance(expr, Intrinsic) and expr.name == "mulhi" and len(expr.args) == 2 else None


def _divisor(ctx: Lowering, multiplier: VarId | None, shift: VarId) -> Local | None:
    """The one other integer of the record that holds both, if it is called a divisor."""
    for record in _records(ctx):
        fields = {
            field.var: Local(field.var, field.type)
            for field in record.fields
            if isinstance(field, Register) and isinstance(field.type, ScalarType) and field.type.kind is ScalarKind.INT
        }
        if multiplier in fields and shift in fields and multiplier != shift and len(fields) == 3:
            local = next(local for var, local in fields.items() if var not in (multiplier, shift))
            name = ctx.variables[local.var].name.rpartition(".")[2]
            return local if _DIVISOR.fullmatch(name) else None
    return None


def _records(ctx: Lowering) -> Iterator[StructPlace]:
    """The records that can be named here."""
    this = ctx.frame.this.place if isinstance(ctx.frame.this, RegisterPointer) else ctx.frame.this
    if isinstance(this, StructPlace):
        yield this
    scope: Scope | None = ctx.scope
    while scope is not None:
        yield from (known for known in scope.bindings.values() if isinstance(known, StructPlace))
        scope = scope.parent


def _without_casts(expr: Expr) -> Expr:
    while isinstance(expr, Cast) and isinstance(expr.type, ScalarType) and expr.type.kind is ScalarKind.INT:
        expr = expr.operand
    return expr


def _variable(expr: Expr) -> VarId | None:
    bare = _without_casts(expr)
    return bare.var if isinstance(bare, Local) else None
