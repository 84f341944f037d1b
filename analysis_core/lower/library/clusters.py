"""Clusters of blocks: how many blocks one has is the launch's business, and the same for all threads of a block.

    cluster.block_rank()            a function of blockIdx of which nothing else is known
    cluster.sync()                  what others have stored is seen behind it
    cluster.map_shared_rank(s, r)   the array of another block: banks are counted as those of the block's own, which is assumed

Source: CUDA C++ programming guide, "Cooperative groups: Thread block cluster" and "Distributed shared memory".
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from analysis_core.ir.nodes import AddressOf, Binary, BuiltinKind, Cast, Expr, Intrinsic, PtrAdd
from analysis_core.ir.scalars import DIM3
from analysis_core.ir.types import UINT, PointerType
from analysis_core.lower.context import Lowering
from analysis_core.lower.library import cooperative_groups
from analysis_core.lower.statements import inline
from analysis_core.lower.statements.arguments import Argument
from analysis_core.lower.values import Operand, StructValue, Value
from analysis_core.syntax.read import tree as syn

_NUMBERS = frozenset({"block_rank", "cluster_rank", "num_blocks", "meta_group_rank", "meta_group_size"})
_VECTORS = frozenset({"dim_blocks", "block_index", "dim_threads", "thread_index"})
_BANKS = "accesses of another block's shared memory cost what those of the block's own do"


def method(ctx: Lowering, name: str, arguments: Sequence[Argument], node: syn.Call) -> Operand | None:
    """`cluster.name(arguments)`; None if it is not one of these."""
    if name in _NUMBERS or (name == "query_shared_rank" and arguments):
        return Value(_of_block(name), UINT)
    if name in _VECTORS:
        return StructValue(DIM3, tuple(Value(_of_block(f"{name}.{axis}"), UINT) for axis in "xyz"))
    if name in ("size", "num_threads"):
        return Value(Binary("*", _of_block("num_blocks"), _threads(), UINT), UINT)
    if name == "thread_rank":
        before = Binary("*", _of_block("block_rank"), _threads(), UINT)
        return Value(Binary("+", before, cooperative_groups.thread_number(ctx), UINT), UINT)
    if name == "map_shared_rank" and arguments:
        return _mapped(ctx, arguments[0], node)
    return None


def _of_block(name: str) -> Expr:
    """What is known of the block's place in its cluster: that it follows from blockIdx."""
    place = tuple(cooperative_groups.builtin(BuiltinKind.BLOCK_IDX, axis) for axis in range(3))
    return Intrinsic(f"cluster.{name}", place, UINT)


def _threads() -> Expr:
    return cooperative_groups.product(BuiltinKind.BLOCK_DIM)


def _mapped(ctx: Lowering, argument: Argument, node: syn.Call) -> Operand | None:
    """The same place in an array of its own, which stands for that of another block."""
    pointer = inline.pointer_value(ctx, argument)
    if pointer is None or not isinstance(pointer.type, PointerType):
        return None
    moved = _in_another_block(ctx, pointer.expr, node)
    if moved is None:
        return None
    ctx.assume(_BANKS)
    return Value(moved, pointer.type)


def _in_another_block(ctx: Lowering, address: Expr, node: syn.Call) -> Expr | None:
    match address:
        case PtrAdd():
            inner = _in_another_block(ctx, address.pointer, node)
            return None if inner is None else replace(address, pointer=inner)
        case Cast():
            inner = _in_another_block(ctx, address.operand, node)
            return None if inner is None else replace(address, operand=inner)
        case AddressOf(object=own):
            known = ctx.objects[own]
            number = ctx.object(known.name, known.space, known.type, node.span, known.read_only, known.align)
            return AddressOf(number, address.type)
        case _:
            return None
