"""Cooperative groups: compile-time handles whose ranks are exact arithmetic on threadIdx and blockDim.

A group object never exists in the IR.  `cg::this_thread_block()` is a `Handle` with a `Group`; its methods become

    block:  thread_rank = tx + bdx*(ty + bdy*tz)          sync -> Barrier BLOCK
    tile N: thread_rank = block rank % N                  sync -> Barrier WARP, or PART beyond 32
            meta_group_rank = block rank / N
    grid:   thread_rank = block number * block size + block rank, 64 bits    sync -> Barrier GRID

Tiles are cut from consecutive ranks of the block, whatever group they were partitioned from (the library demands
that sizes divide).  Votes and reductions are uniform in a *tile*: those of a tile of 32 are the warp's; of a smaller
tile the value is unknown per lane.  `coalesced_threads()` is the lanes M that are active where it stands:

    rank    popc(M & lanes below)       size    popc(M)
    shfl    from the k-th set bit of M  any, all    among M

The ranks in labelled and binary partitions depend on data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from types import MappingProxyType

from analysis_core.ir.nodes import (
    ASYNCHRONOUS_COPY,
    Barrier,
    BarrierScope,
    Binary,
    Builtin,
    BuiltinKind,
    Cast,
    Const,
    Expr,
    Intrinsic,
)
from analysis_core.ir.types import BOOL, INT, UINT, ULONG, OpaqueType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.library import library_types, warp_primitives
from analysis_core.lower.statements import inline
from analysis_core.lower.statements.arguments import Argument
from analysis_core.lower.values import VOID_VALUE, Handle, Operand, StructValue, Value, type_of
from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import tree as syn
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

NAMESPACE = "cooperative_groups"
WARP = 32
_BLOCK = 1024
"""A tile of so many threads is the block."""


class GroupKind(Enum):
    THREAD = "a single thread"
    TILE = "a tile"
    COALESCED = "a group formed at run time"
    BLOCK = "the block"
    CLUSTER = "a cluster of blocks"
    GRID = "the grid"
    MULTI_GRID = "several devices"


_ALL_OF_A_BLOCK = {GroupKind.BLOCK: BarrierScope.PART, GroupKind.CLUSTER: BarrierScope.CLUSTER}
"""Groups at whose barriers all threads of a block may arrive before they wait."""


@dataclass(frozen=True, slots=True)
class Group:
    """`size`: lanes of a tile, where constant.  `members`: the lanes of a group formed at run time, as bits, if known."""

    kind: GroupKind
    size: Const | None = None
    members: Expr | None = None


_CREATED: Mapping[str, GroupKind] = MappingProxyType(
    {
        "this_thread": GroupKind.THREAD,
        "this_thread_block": GroupKind.BLOCK,
        "this_grid": GroupKind.GRID,
        "this_multi_grid": GroupKind.MULTI_GRID,
        "this_cluster": GroupKind.CLUSTER,
        "coalesced_threads": GroupKind.COALESCED,
        "labeled_partition": GroupKind.COALESCED,
        "binary_partition": GroupKind.COALESCED,
    }
)

TYPES: Mapping[str, GroupKind | None] = MappingProxyType(
    {
        "thread_block": GroupKind.BLOCK,
        "grid_group": GroupKind.GRID,
        "multi_grid_group": GroupKind.MULTI_GRID,
        "cluster_group": GroupKind.CLUSTER,
        "coalesced_group": GroupKind.COALESCED,
        "thread_block_tile": GroupKind.TILE,
        "thread_group": None,
    }
)
"""Names of group types; `thread_group` may hold any."""

FUNCTORS: Mapping[str, str] = MappingProxyType(
    {"plus": "add", "less": "min", "greater": "max", "bit_and": "and", "bit_or": "or", "bit_xor": "xor"}
)
"""Operations for `reduce`, objects without state, and the names of what they do."""

FUNCTIONS = frozenset({*_CREATED, *FUNCTORS, "tiled_partition", "sync", "synchronize", "thread_rank", "group_size", "reduce",
                       "inclusive_scan", "exclusive_scan", "invoke_one",
                       "invoke_one_broadcast", "reduce_update_async", "reduce_store_async"})  # fmt: skip


def group_type(name: str) -> OpaqueType:
    """The type of a group by its unqualified name."""
    return OpaqueType(f"{NAMESPACE}::{name}", "library object: a cooperative group")


def handle(group: Group) -> Handle:
    name = next((n for n, kind in TYPES.items() if kind is group.kind), "thread_group")
    return Handle(group, group_type(name))


def functor(name: str) -> Handle:
    """`cg::plus<T>()`."""
    return Handle(name, OpaqueType(f"{NAMESPACE}::{name}", "library object: an operation"))


# --- free functions ---------------------------------------------------------------------------------------------


def call(
    ctx: Lowering,
    name: str,
    template_args: Sequence[syn.TemplateArg] | None,
    arguments: Sequence[Argument],
    node: syn.Call,
) -> Operand | None:
    """A function of the namespace by its unqualified name; None if it is not one of `FUNCTIONS`."""
    if name in FUNCTORS:
        return functor(name)
    kind = _CREATED.get(name)
    if kind is GroupKind.COALESCED:
        return handle(Group(kind, None, warp_primitives.active_lanes(ctx, node.span)))
    if kind is not None:
        return handle(Group(kind))
    if name == "tiled_partition":
        return _tiled_partition(ctx, template_args, arguments, node)
    group = _group_of(arguments[0].operand) if arguments else None
    if group is None:
        return None
    match name:
        case "sync" | "synchronize":
            return _sync(ctx, group, node)
        case "thread_rank":
            return _rank(ctx, group, node.span)
        case "group_size":
            return _size(ctx, group, node.span)
        case "reduce":
            return _reduce(ctx, group, arguments, node)
        case "inclusive_scan" | "exclusive_scan":
            return _data(ctx, f"a scan over {group.kind.value}", _value_type(arguments, 1), node.span)
        case "reduce_update_async" | "reduce_store_async":
            operands = [a.operand for a in arguments]
            return inline.opaque_call(
                ctx, CauseKind.UNSUPPORTED, ASYNCHRONOUS_COPY, operands, VOID_VALUE.type, node.span
            )
        case _:
            return None


def _group_of(operand: Operand | None) -> Group | None:
    if isinstance(operand, Handle) and isinstance(operand.payload, Group):
        return operand.payload
    return None


def _tiled_partition(
    ctx: Lowering,
    template_args: Sequence[syn.TemplateArg] | None,
    arguments: Sequence[Argument],
    node: syn.Call,
) -> Operand:
    size: Const | None = None
    if template_args:
        size = library_types.constant_argument(ctx, template_args[0])
    elif len(arguments) > 1:
        size = library_types.constant_argument(ctx, arguments[1].node)
    group = _group_of(arguments[0].operand) if arguments else None
    if group is not None and group.kind in (GroupKind.COALESCED, GroupKind.THREAD):
        return handle(Group(group.kind))
    if size is None:
        ctx.cause(CauseKind.UNSUPPORTED, "a tile whose size is not a constant", node.span)
        return handle(Group(GroupKind.COALESCED))
    return handle(Group(GroupKind.TILE, Const(size.value, UINT)))


def _of_cluster(ctx: Lowering, name: str, arguments: Sequence[Argument], node: syn.Call) -> Operand | None:
    from analysis_core.lower.library import clusters

    return clusters.method(ctx, name, arguments, node)


# --- methods ----------------------------------------------------------------------------------------------------


def method(ctx: Lowering, group: Group, name: str, arguments: Sequence[Argument], node: syn.Call) -> Operand | None:
    """`group.name(arguments)`; None if there is no such method."""
    span = node.span
    if name == "sync":
        return _sync(ctx, group, node)
    if name == "barrier_wait":
        return _wait_for_those_that_arrived(ctx, group, node)
    if name == "barrier_arrive":
        if group.kind in _ALL_OF_A_BLOCK:
            ctx.emit(Barrier(_ALL_OF_A_BLOCK[group.kind], warp_primitives.spelled(node), span, _BLOCK, step="arrive"))
        return Handle(group, OpaqueType("arrival_token", "a barrier's token"))
    if group.kind is GroupKind.CLUSTER and (found := _of_cluster(ctx, name, arguments, node)) is not None:
        return found
    if name == "is_valid":
        return Value(Const(1, BOOL), BOOL)
    if name == "thread_rank":
        return _rank(ctx, group, span)
    if name in ("size", "num_threads"):
        return _size(ctx, group, span)
    if group.kind is GroupKind.TILE and name in ("meta_group_rank", "meta_group_size") and group.size is not None:
        return _meta(ctx, group.size, name)
    if group.kind in (GroupKind.BLOCK, GroupKind.GRID):
        geometry = _geometry(ctx, group, name)
        if geometry is not None:
            return geometry
    if name in warp_primitives.TILE_METHODS:
        return _collective(ctx, group, name, arguments, node)
    if name in ("meta_group_rank", "meta_group_size", "grid_rank"):
        return _data(ctx, f"'{name}' of {group.kind.value}", UINT, span)
    return None


def _geometry(ctx: Lowering, group: Group, name: str) -> Operand | None:
    """The index and extent vectors of a block and of the grid."""
    in_block = group.kind is GroupKind.BLOCK
    match name:
        case "group_index" | "block_index":
            return vector(ctx, BuiltinKind.BLOCK_IDX, "uint3")
        case "thread_index" if in_block:
            return vector(ctx, BuiltinKind.THREAD_IDX, "uint3")
        case "dim_threads" | "group_dim" if in_block:
            return vector(ctx, BuiltinKind.BLOCK_DIM, "dim3")
        case "dim_blocks" | "group_dim":
            return vector(ctx, BuiltinKind.GRID_DIM, "dim3")
        case "block_rank":
            return Value(Cast(block_number(ctx), ULONG), ULONG)
        case "num_blocks":
            return Value(Cast(product(BuiltinKind.GRID_DIM), ULONG), ULONG)
        case _:
            return None


def _collective(ctx: Lowering, group: Group, name: str, arguments: Sequence[Argument], node: syn.Call) -> Operand:
    """Shuffles and votes of a tile."""
    if group.kind is GroupKind.TILE and group.size is not None and int(group.size.value) <= WARP:
        return warp_primitives.tile_method(ctx, name, group.size, arguments, node)
    if group.members is not None and name == "shfl" and len(arguments) > 1:
        return warp_primitives.shuffle_among(ctx, group.members, arguments, node)
    if group.members is not None and name in ("any", "all") and arguments:
        return warp_primitives.vote_among(ctx, name, group.members, arguments[0], node)
    if name.startswith("shfl"):
        return _data(ctx, f"a shuffle in {group.kind.value}", _value_type(arguments, 0), node.span)
    result: Type = UINT if name in ("ballot", "match_any", "match_all") else INT
    return _data(ctx, f"a vote of {group.kind.value}", result, node.span)


def _sync(ctx: Lowering, group: Group, node: syn.Call) -> Operand:
    match group.kind:
        case GroupKind.BLOCK:
            ctx.emit(Barrier(BarrierScope.BLOCK, warp_primitives.spelled(node), node.span))
        case GroupKind.GRID:
            ctx.emit(Barrier(BarrierScope.GRID, warp_primitives.spelled(node), node.span))
        case GroupKind.CLUSTER:
            ctx.emit(Barrier(BarrierScope.CLUSTER, warp_primitives.spelled(node), node.span, _BLOCK))
        case GroupKind.COALESCED:
            ctx.emit(Barrier(BarrierScope.WARP, warp_primitives.spelled(node), node.span))
        case GroupKind.TILE if group.size is not None:
            tile = int(group.size.value)
            scope = BarrierScope.WARP if tile <= WARP else BarrierScope.PART
            ctx.emit(Barrier(scope, warp_primitives.spelled(node), node.span, tile))
        case GroupKind.THREAD:
            pass
        case _:
            reason = f"a barrier of {group.kind.value} that is not a warp, a block or the grid"
            return inline.opaque_call(ctx, CauseKind.UNSUPPORTED, reason, (), VOID_VALUE.type, node.span)
    return VOID_VALUE


def _wait_for_those_that_arrived(ctx: Lowering, group: Group, node: syn.Call) -> Operand:
    """Behind it is seen what others did before they arrived; what they did since is not ordered."""
    if group.kind is GroupKind.GRID:
        reason = "a barrier of the grid at which blocks arrive before they wait"
        return inline.opaque_call(ctx, CauseKind.UNSUPPORTED, reason, (), VOID_VALUE.type, node.span)
    scope = _ALL_OF_A_BLOCK.get(group.kind, BarrierScope.PART)
    tile = _BLOCK if group.kind in _ALL_OF_A_BLOCK else 0
    ctx.emit(Barrier(scope, warp_primitives.spelled(node), node.span, tile, step="wait"))
    return VOID_VALUE


def _reduce(ctx: Lowering, group: Group, arguments: Sequence[Argument], node: syn.Call) -> Operand:
    if group.kind is GroupKind.TILE and group.size is not None and group.size.value == WARP and len(arguments) > 1:
        chosen = arguments[2].operand if len(arguments) > 2 else None
        payload = chosen.payload if isinstance(chosen, Handle) else None
        operation = FUNCTORS.get(payload) if isinstance(payload, str) else None
        return warp_primitives.reduce_tile(ctx, arguments[1], operation, node)
    return _data(ctx, f"a reduction over {group.kind.value}", _value_type(arguments, 1), node.span)


def _data(ctx: Lowering, what: str, type: Type, span: Span) -> Operand:
    return inline.unknown_result(ctx, CauseKind.DATA, f"{what} depends on data", type, span)


def _value_type(arguments: Sequence[Argument], position: int) -> Type:
    if position < len(arguments):
        operand = arguments[position].operand
        if operand is not None:
            return type_of(operand)
    return OpaqueType("auto", "the result of a collective")


# --- ranks as arithmetic ----------------------------------------------------------------------------------------


def builtin(kind: BuiltinKind, axis: int) -> Expr:
    return Builtin(kind, axis, UINT)


def _binary(op: str, left: Expr, right: Expr) -> Expr:
    return Binary(op, left, right, left.type)


def linear(index: Callable[[int], Expr], extent: Callable[[int], Expr]) -> Expr:
    """x + X*(y + Y*z)."""
    inner = _binary("+", index(1), _binary("*", extent(1), index(2)))
    return _binary("+", index(0), _binary("*", extent(0), inner))


def thread_number(ctx: Lowering) -> Expr:
    """The rank of the thread in its block.  The y and z components vanish where a block is one-dimensional, so using
    them says nothing about the shape and is not noted in `requested_axes`."""
    ctx.axis(BuiltinKind.THREAD_IDX, 0)
    return linear(lambda a: builtin(BuiltinKind.THREAD_IDX, a), lambda a: builtin(BuiltinKind.BLOCK_DIM, a))


def block_number(ctx: Lowering) -> Expr:
    return linear(lambda a: builtin(BuiltinKind.BLOCK_IDX, a), lambda a: builtin(BuiltinKind.GRID_DIM, a))


def product(kind: BuiltinKind) -> Expr:
    return _binary("*", builtin(kind, 0), _binary("*", builtin(kind, 1), builtin(kind, 2)))


def vector(ctx: Lowering, kind: BuiltinKind, name: str) -> Operand:
    """threadIdx and the like as a struct value."""
    for axis in range(3):
        ctx.axis(kind, axis)
    type = library_types.named(ctx, name)
    parts = tuple(Value(builtin(kind, axis), UINT) for axis in range(3))
    return StructValue(type, parts) if not isinstance(type, OpaqueType) else parts[0]


def _rank(ctx: Lowering, group: Group, span: Span) -> Operand:
    match group.kind:
        case GroupKind.THREAD:
            return Value(Const(0, UINT), UINT)
        case GroupKind.BLOCK:
            return Value(thread_number(ctx), UINT)
        case GroupKind.TILE if group.size is not None:
            return Value(_binary("%", thread_number(ctx), group.size), UINT)
        case GroupKind.GRID:
            blocks = _binary("*", Cast(block_number(ctx), ULONG), Cast(product(BuiltinKind.BLOCK_DIM), ULONG))
            return Value(_binary("+", blocks, Cast(thread_number(ctx), ULONG)), ULONG)
        case GroupKind.COALESCED if group.members is not None:
            bit = Binary("<<", Const(1, UINT), _binary("%", thread_number(ctx), Const(WARP, UINT)), UINT)
            return Value(_count(_binary("&", group.members, _binary("-", bit, Const(1, UINT)))), UINT)
        case _:
            return _data(ctx, f"the rank in {group.kind.value}", UINT, span)


def _size(ctx: Lowering, group: Group, span: Span) -> Operand:
    match group.kind:
        case GroupKind.THREAD:
            return Value(Const(1, UINT), UINT)
        case GroupKind.BLOCK:
            return Value(product(BuiltinKind.BLOCK_DIM), UINT)
        case GroupKind.TILE if group.size is not None:
            return Value(group.size, UINT)
        case GroupKind.GRID:
            blocks = Cast(product(BuiltinKind.GRID_DIM), ULONG)
            return Value(_binary("*", blocks, Cast(product(BuiltinKind.BLOCK_DIM), ULONG)), ULONG)
        case GroupKind.COALESCED if group.members is not None:
            return Value(_count(group.members), UINT)
        case _:
            return _data(ctx, f"the size of {group.kind.value}", UINT, span)


def _count(bits: Expr) -> Expr:
    return Cast(Intrinsic("popc", (bits,), INT), UINT)


def _meta(ctx: Lowering, size: Const, name: str) -> Operand:
    if name == "meta_group_rank":
        return Value(_binary("/", thread_number(ctx), size), UINT)
    rounded = _binary("+", product(BuiltinKind.BLOCK_DIM), Const(int(size.value) - 1, UINT))
    return Value(_binary("/", rounded, size), UINT)
