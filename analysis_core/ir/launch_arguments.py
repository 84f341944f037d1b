"""What is seen of the arguments of a launch: alignments of pointers that are moved, values of sizes, pointers that are null."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from analysis_core.ir import host_values, layout, lower_expressions
from analysis_core.ir.context import Lowering
from analysis_core.ir.nodes import SizeRange
from analysis_core.ir.types import PointerType
from analysis_core.ir.walk_syntax import uncast
from analysis_core.syntax import tree as syn

ALLOCATOR_ALIGNMENT = 256
"""Bytes: what cudaMalloc guarantees (CUDA C++ Programming Guide, device memory accesses)."""


def alignments(ctx: Lowering, declaration: syn.FunctionDecl, args: Sequence[syn.Expr]) -> tuple[tuple[str, int], ...]:
    """Parameter name and proven alignment in bytes (a power of two) of pointer arguments that are offset: `p + c`,
    `&p[c]`."""
    found = []
    for parameter, arg in zip(declaration.parameters, args):
        aligned = ALLOCATOR_ALIGNMENT
        for pointer, offset in _offsets(arg):
            type = lower_expressions.type_of_expression(ctx, pointer)
            size = (layout.size_of(type.target) or 1) if isinstance(type, PointerType) else 0
            value = lower_expressions.constant(ctx, offset)
            aligned = math.gcd(aligned, abs(int(value.value)) * size if value is not None else size)
        if parameter.name is not None and aligned != ALLOCATOR_ALIGNMENT:
            found.append((parameter.name, aligned))
    return tuple(found)


def ranges(
    host: host_values.HostWalk, declaration: syn.FunctionDecl, args: Sequence[syn.Expr]
) -> tuple[SizeRange, ...]:
    """What is seen of the values of parameters; a null pointer is 0 at least and at most."""
    found = []
    for number, parameter in enumerate(declaration.parameters):
        arg = args[number] if number < len(args) else parameter.default
        if parameter.name is None or arg is None:
            continue
        if _is_null(parameter.type, uncast(arg)):
            found.append(SizeRange(parameter.name, 0, 0))
        elif (seen := host_values.seen_of(host, parameter.name, arg)) is not None:
            found.append(seen)
    return tuple(found)


def _is_null(type_: syn.TypeNode, arg: syn.Expr) -> bool:
    if not isinstance(arg, syn.Literal):
        return False
    zero = arg.kind is syn.LiteralKind.INT and arg.text == "0"
    return arg.kind is syn.LiteralKind.NULL or (zero and isinstance(type_, syn.PointerTo))


def _offsets(arg: syn.Expr) -> Iterator[tuple[syn.Expr, syn.Expr]]:
    """Each pointer that is moved inside of an argument, and by how many elements: those of `(p + a) + b` are two."""
    while True:
        match arg:
            case syn.Cast(operand=operand):
                arg = operand
            case syn.Binary(op="+" | "-", left=left, right=right):
                yield arg, right
                arg = left
            case syn.Unary(op="&", operand=syn.Subscript(base=base, index=index)):
                yield arg, index
                arg = base
            case _:
                return
