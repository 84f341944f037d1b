"""What models of libraries may say that CUDA C++ cannot: values that data decide, and work that nobody can follow.

warpcost::data<T>()         a value that depends on data, another one in each lane
warpcost::function<T>("name", a, ..)   a pure function of these arguments of which nothing else is known
warpcost::assume("what")    what costs rest on, told with them
warpcost::wait("barrier")   waits for some threads of the block, whose stores are seen from here on
warpcost::made("name", p, n)   a barrier object at p lets n threads wait for each other
warpcost::sync("name", p)      arrives at it and waits for the others
warpcost::arrive("name", p, n)  arrives by n threads; a token, another one each time
warpcost::wait("name", p, t)   waits for the others that were to arrive when t was made
warpcost::binds("name", p)     lets the object at p wait, before all have arrived, for the copies of this thread, too
warpcost::stages("name", p, n, s)   a pipeline at p has s stages, which n threads fill and empty
warpcost::commit("name", p)    has filled a stage, with the copies that are bound to p; or `consume`: waits for the oldest one that it has not emptied
warpcost::release("name", p)   has emptied that; or `acquire`: waits for the next one to be emptied; or `quit`: takes part no longer
warpcost::copy_begins()     accesses from here on, in the order of the text, are done when their thread waits for them
warpcost::copy_ends()       those from here on are not
warpcost::commits_copies()  those since the last one are a group
warpcost::awaits_copies(n)  waits for all groups but the last n, for a constant n < 0 also for what is in none
warpcost::move<T>(to, from) one request of each lane that copies as many bytes as a T has
warpcost::uncounted("what") is done, and is in no count
warpcost::opaque("why")     what is done here is not known, and neither what it costs
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from analysis_core.ir import constants, layout
from analysis_core.ir.nodes import (
    ARRIVAL_TOKEN,
    Barrier,
    BarrierScope,
    Fence,
    Intrinsic,
    Load,
    Local,
    Store,
    UnknownExpr,
)
from analysis_core.ir.types import INT, ULONG, VOID, PointerType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.library import library, library_types
from analysis_core.lower.objects import block_moves, conversions
from analysis_core.lower.statements import inline
from analysis_core.lower.statements.arguments import Argument
from analysis_core.lower.values import VOID_VALUE, Operand, Value
from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import tree as syn
from analysis_core.text.span import Span

NAMESPACE = "warpcost"


def call(
    ctx: Lowering,
    name: str,
    template_args: Sequence[syn.TemplateArg] | None,
    arguments: Sequence[Argument],
    node: syn.Call,
) -> Operand | None:
    """A call of this vocabulary; None for any other."""
    span = ctx.seen_at(node.span)
    type = library_types.argument_type(ctx, template_args[0]) if template_args else None
    said = arguments[0].node if arguments else None
    text = said.text.strip('"') if isinstance(said, syn.Literal) else ""
    match name.removeprefix(f"{NAMESPACE}::"):
        case "data":
            reason = "what a library computes depends on data"
            return inline.unknown_result(ctx, CauseKind.DATA, reason, type or INT, span)
        case "function":
            return _function(ctx, text, type or INT, arguments[1:])
        case "assume":
            ctx.assume(text)
            return VOID_VALUE
        case ("made" | "sync" | "arrive" | "wait" | "binds") | (
            "stages" | "commit" | "consume" | "release" | "acquire" | "quit"
        ) as step if len(arguments) > 1:
            return _barrier_object(ctx, step, text, arguments[1:], span)
        case "wait":
            ctx.emit(Barrier(BarrierScope.PART, text, span))
            return VOID_VALUE
        case "copy_begins" | "copy_ends" as edge:
            ctx.deferred = edge == "copy_begins"
            return VOID_VALUE
        case "commits_copies":
            ctx.emit(Fence(name, span, True))
            return VOID_VALUE
        case "awaits_copies":
            left = library.scalars(inline.loaded(ctx, arguments[0]))[0]
            ctx.emit(Fence(name, span, awaits=constants.fold(left) or left))
            return VOID_VALUE
        case "move":
            return _move(ctx, type or INT, arguments, node)
        case "uncounted":
            ctx.cause(CauseKind.DATA, f"{text} are in no count", span)
            return VOID_VALUE
        case "opaque":
            reason = text or "a library does what is not known here"
            operands = [a.operand for a in arguments[1:]]
            return inline.opaque_call(ctx, CauseKind.UNSUPPORTED, reason, operands, VOID, span)
        case _:
            return None


def _barrier_object(ctx: Lowering, step: str, text: str, arguments: Sequence[Argument], span: Span) -> Operand | None:
    """A step at a barrier object, the first of the arguments."""
    place = inline.pointer_value(ctx, arguments[0])
    given = [scalar for one in arguments[1:] for scalar in library.scalars(inline.loaded(ctx, one))]
    if place is None or len(given) != {"made": 1, "arrive": 1, "wait": 1, "stages": 2}.get(step, 0):
        return None
    count = given[0] if step in ("made", "arrive", "stages") else None
    token = given[-1] if step in ("wait", "stages") else None
    if step == "arrive":
        token = ctx.save(UnknownExpr(ctx.cause(CauseKind.DATA, ARRIVAL_TOKEN, span), ULONG), span, "token")
    ctx.emit(Barrier(BarrierScope.PART, text, span, count=count, object=place.expr, step=step, token=token))
    return VOID_VALUE if token is None or step != "arrive" else Value(token, ULONG)


def _function(ctx: Lowering, name: str, type: Type, arguments: Sequence[Argument]) -> Operand | None:
    """A value of `type` whose scalars are functions of the scalars of the arguments."""
    given = tuple(scalar for argument in arguments for scalar in library.scalars(inline.loaded(ctx, argument)))
    scalars = tuple(block_moves.leaves(type))
    made = (Intrinsic(f"{name}.{i}" if len(scalars) > 1 else name, given, leaf) for i, leaf in enumerate(scalars))
    return block_moves.assembled(type, made)


def _move(ctx: Lowering, type: Type, arguments: Sequence[Argument], node: syn.Call) -> Operand | None:
    """A load and a store of one request each, however many bytes a T has."""
    pointers = [inline.pointer_value(ctx, argument) for argument in arguments[:2]]
    if len(pointers) != 2 or None in pointers:
        return None
    to, from_ = (conversions.cast(pointer.expr, PointerType(type)) for pointer in pointers if pointer is not None)
    parts = tuple(block_moves.leaves(type))
    kept = tuple(ctx.temporary("copied", part, node.span) for part in parts)
    size = layout.size_of(type) or 1
    loose = size > layout.REQUEST_BYTES
    ctx.emit(Load(kept, from_, replace(ctx.access(node.span, "copied", size, type), loose=loose)))
    values = tuple(Local(var, part) for var, part in zip(kept, parts))
    ctx.emit(Store(to, values, replace(ctx.access(node.span, "copied", size, type), loose=loose)))
    return VOID_VALUE
