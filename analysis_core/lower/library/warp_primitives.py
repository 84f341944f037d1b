"""Shuffles, votes and reductions of a warp, in both spellings (`__shfl_sync`, `tile.shfl`).

A shuffled struct or vector is one `Shuffle` per scalar.  A mask operand that is a constant names the same lanes in
every lane that executes the primitive; one that is not constant is the last of the `Vote`'s arguments, since then
the result is uniform only as far as the mask is.

Votes of a tile smaller than a warp differ from tile to tile: their values are unknown (they depend on data).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from analysis_core.ir.nodes import Barrier, BarrierScope, Binary, Cast, Const, Expr, Intrinsic, Local, Shuffle, Vote
from analysis_core.ir.spelling import spelling
from analysis_core.ir.types import BOOL, INT, UINT, ScalarKind, ScalarType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.objects import conversions
from analysis_core.lower.statements import inline, lower_lvalues
from analysis_core.lower.statements.arguments import Argument
from analysis_core.lower.values import VOID_VALUE, ArrayValue, Operand, StructValue, Value
from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import tree as syn
from analysis_core.text.span import Span

WARP = 32
ALL_LANES = (1 << WARP) - 1

_SHUFFLES: Mapping[str, str] = MappingProxyType(
    {"__shfl": "idx", "__shfl_up": "up", "__shfl_down": "down", "__shfl_xor": "xor"}
)
_VOTES: Mapping[str, tuple[str, Type]] = MappingProxyType(
    {
        "__all": ("all", INT),
        "__any": ("any", INT),
        "__uni": ("uni", INT),
        "__ballot": ("ballot", UINT),
        "__match_any": ("match_any", UINT),
        "__match_all": ("match_all", UINT),
    }
)
REDUCTIONS = frozenset({"add", "min", "max", "and", "or", "xor"})

TILE_METHODS = frozenset({"shfl", "shfl_up", "shfl_down", "shfl_xor", "any", "all", "ballot", "match_any", "match_all"})


def is_warp_primitive(name: str) -> bool:
    base = name.removesuffix("_sync")
    return (
        base in _SHUFFLES
        or base in _VOTES
        or name in ("__activemask", "__syncwarp")
        or (base.startswith("__reduce_") and name.endswith("_sync"))
    )


def call(ctx: Lowering, name: str, arguments: Sequence[Argument], node: syn.Call) -> Operand | None:
    """A primitive by its name; None if the arguments do not fit it."""
    base = name.removesuffix("_sync")
    synchronised = name != base
    values = [inline.loaded(ctx, a) for a in arguments]
    if name == "__syncwarp":
        ctx.emit(barrier(named_lanes(values[0]) if values else ALL_LANES, spelled(node), node.span))
        return VOID_VALUE
    if name == "__activemask":
        return vote(ctx, "activemask", (), UINT, node.span)
    mask = values.pop(0) if synchronised and values else None
    whole = names_all(mask)
    if not values:
        return None
    if base in _SHUFFLES:
        width = _integer(ctx, values[2]) if len(values) > 2 else Const(WARP, INT)
        lane = _integer(ctx, values[1]) if len(values) > 1 else Const(0, INT)
        return shuffle(ctx, _SHUFFLES[base], values[0], lane, width, node, whole)
    if base in _VOTES:
        op, result = _VOTES[base]
        operand = values[0] if op.startswith("match") else _truth(ctx, values[0])
        answer = vote(ctx, op, with_mask(operand, mask), result, node.span, whole)
        if op == "match_all" and len(values) > 1:
            _store_predicate(ctx, values[1], answer, arguments[-1].node)
        return answer
    operation = base.removeprefix("__reduce_")
    if operation in REDUCTIONS and isinstance(values[0], Value):
        value = conversions.convert_value(ctx, values[0], _promoted(values[0].type))
        return vote(ctx, f"reduce_{operation}", with_mask(value, mask), value.type, node.span, whole)
    return None


def shuffle(
    ctx: Lowering, op: str, value: Operand, lane: Expr, width: Expr, node: syn.Call, whole: bool = False
) -> Operand:
    """One `Shuffle` per scalar of `value`; the same operand with the received values.  `whole`: all lanes of a warp are named."""
    match value:
        case Value(type=type):
            promoted = _promoted(type)
            expr = conversions.convert_value(ctx, value, promoted).expr
            var = ctx.temporary(f"{callee_text(node)}()", promoted, node.span)
            ctx.emit(Shuffle(var, op, expr, lane, width, node.span, whole))
            return Value(Local(var, promoted), promoted)
        case StructValue():
            return replace(value, fields=tuple(shuffle(ctx, op, f, lane, width, node, whole) for f in value.fields))
        case ArrayValue():
            return replace(value, elements=tuple(shuffle(ctx, op, e, lane, width, node, whole) for e in value.elements))
        case _:
            reason = "a shuffle of something that is not a value"
            return inline.unknown_result(ctx, CauseKind.UNSUPPORTED, reason, INT, node.span)


def barrier(lanes: int, text: str, span: Span) -> Barrier:
    """The lanes of a mask wait for each other; 0: of one that is not known."""
    return Barrier(BarrierScope.WARP, text, span, *((WARP, 0) if lanes == ALL_LANES else (0, lanes)))


def active_lanes(ctx: Lowering, span: Span) -> Expr:
    """The lanes of the warp that are here, as bits."""
    return vote(ctx, "activemask", (), UINT, span).expr


def clock(ctx: Lowering, type: Type, span: Span) -> Value:
    """A reading of a clock: the same for all lanes of the warp, another one each time."""
    return vote(ctx, "clock", (), type, span)


def shuffle_among(ctx: Lowering, members: Expr, arguments: Sequence[Argument], node: syn.Call) -> Operand:
    """`group.shfl(value, rank)`: from the lane that is the rank-th of the members."""
    value, rank = (inline.loaded(ctx, a) for a in arguments[:2])
    place = Binary("+", _integer(ctx, rank), Const(1, INT), INT)
    lane = Cast(Intrinsic("fns", (members, Const(0, UINT), place), UINT), INT)
    return shuffle(ctx, "idx", value, lane, Const(WARP, INT), node)


def vote_among(ctx: Lowering, op: str, members: Expr, argument: Argument, node: syn.Call) -> Operand:
    """`group.any(truth)`, `group.all(truth)`."""
    truth = _truth(ctx, inline.loaded(ctx, argument))
    args = (truth.expr, members) if isinstance(truth, Value) else (members,)
    return vote(ctx, op, args, INT, node.span)


def tile_method(ctx: Lowering, name: str, size: Const, arguments: Sequence[Argument], node: syn.Call) -> Operand:
    """`tile.name(arguments)` for a tile of `size` <= 32 consecutive lanes."""
    values = [inline.loaded(ctx, a) for a in arguments]
    if name.startswith("shfl") and len(values) > 1:
        op = _SHUFFLES["__" + name]
        whole = size.value == WARP
        return shuffle(ctx, op, values[0], _integer(ctx, values[1]), Const(int(size.value), INT), node, whole)
    result: Type = UINT if name in ("ballot", "match_any", "match_all") else INT
    if size.value == WARP and values:
        operand = values[0] if name.startswith("match") else _truth(ctx, values[0])
        return vote(ctx, name, with_mask(operand, None), result, node.span, True)
    reason = f"a vote in a tile of {size.value} lanes depends on data"
    return inline.unknown_result(ctx, CauseKind.DATA, reason, result, node.span)


def reduce_tile(ctx: Lowering, argument: Argument, operation: str | None, node: syn.Call) -> Operand:
    """`cg::reduce(tile, value, op)` in a tile of a whole warp; `operation` as in `__reduce_add_sync`, None if not known."""
    value = inline.loaded(ctx, argument)
    if isinstance(value, Value):
        op = "reduce" if operation is None else f"reduce_{operation}"
        return vote(ctx, op, (value.expr,), value.type, node.span)
    if isinstance(value, StructValue):
        parts = tuple(
            vote(ctx, "reduce", (f.expr,), f.type, node.span) if isinstance(f, Value) else f for f in value.fields
        )
        return replace(value, fields=parts)
    reason = "a reduction of something that is not a value"
    return inline.unknown_result(ctx, CauseKind.UNSUPPORTED, reason, INT, node.span)


def vote_block(ctx: Lowering, op: str, argument: Argument, node: syn.Call) -> Operand:
    """The second half of `__syncthreads_count/and/or`."""
    truth = _truth(ctx, inline.loaded(ctx, argument))
    var = ctx.temporary(f"{callee_text(node)}()", INT, node.span)
    args = (truth.expr,) if isinstance(truth, Value) else ()
    ctx.emit(Vote(var, op, args, node.span, block=True))
    return Value(Local(var, INT), INT)


def vote(ctx: Lowering, op: str, args: tuple[Expr, ...], result: Type, span: Span, whole: bool = False) -> Value:
    """One `Vote`, and what it answers.  `whole`: all lanes of a warp are named."""
    var = ctx.temporary(f"({op})", result, span)
    ctx.emit(Vote(var, op, args, span, whole=whole))
    return Value(Local(var, result), result)


def names_all(mask: Operand | None) -> bool:
    """Whether the mask is that of a whole warp."""
    return named_lanes(mask) == ALL_LANES


def named_lanes(mask: Operand | None) -> int:
    """The bits of a mask that is a constant; 0 for any other."""
    number = mask.expr.value if isinstance(mask, Value) and isinstance(mask.expr, Const) else None
    return number & ALL_LANES if isinstance(number, int) else 0


def with_mask(operand: Operand, mask: Operand | None) -> tuple[Expr, ...]:
    args = [operand.expr] if isinstance(operand, Value) else []
    if isinstance(mask, Value) and not isinstance(mask.expr, Const):
        args.append(mask.expr)
    return tuple(args)


def _truth(ctx: Lowering, operand: Operand) -> Operand:
    return conversions.convert_value(ctx, operand, BOOL) if isinstance(operand, Value) else operand


def _integer(ctx: Lowering, operand: Operand) -> Expr:
    return conversions.convert_value(ctx, operand, INT).expr if isinstance(operand, Value) else Const(0, INT)


def _promoted(type: Type) -> Type:
    """Small integers are shuffled as int; everything else as it is."""
    if isinstance(type, ScalarType) and type.kind in (ScalarKind.INT, ScalarKind.BOOL) and type.size < 4:
        return INT
    return type


def _store_predicate(ctx: Lowering, pointer: Operand, answer: Value, node: syn.Expr) -> None:
    """`__match_all_sync(mask, value, &predicate)`: the predicate is whether the mask came back."""
    target = lower_lvalues.dereference(ctx, pointer, node)
    truth = Value(Binary("!=", answer.expr, Const(0, UINT), BOOL), BOOL)
    lower_lvalues.store(ctx, target, Value(Cast(truth.expr, INT), INT), node)


def callee_text(node: syn.Call) -> str:
    match node.callee:
        case syn.Name(name=name) | syn.Member(name=name):
            return name
        case _:
            return "call"


def spelled(node: syn.Node) -> str:
    """The call as the user wrote it."""
    return spelling(node)
