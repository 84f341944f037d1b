"""Barrier objects and bulk copies of inline assembly.

    mbarrier.init, arrive, ..    work on an object in shared memory by ways of their own, which pass no bank
    mbarrier.try_wait            what others have stored is seen behind it; it is taken to succeed when it is first asked, which is assumed
    cp.async.bulk                whole sectors, 32 bytes a step; nobody's registers
    cp.async.bulk.tensor         a tile of the size that a map of the host says: in no count
    wgmma                        reads shared memory by descriptors, in layouts that are made for it: no request of the program's

Source: PTX ISA 8.7, "Parallel Synchronization and Communication Instructions: mbarrier", "Data Movement: bulk copy", "wgmma".
"""

from __future__ import annotations

from analysis_core.ir import constants
from analysis_core.ir.nodes import Barrier, BarrierScope, Const, Expr, Fence, UnknownExpr
from analysis_core.ir.spelling import spelling
from analysis_core.ir.types import BOOL, UINT, VOID, PointerType
from analysis_core.lower.context import Lowering
from analysis_core.lower.library import ptx, warp_primitives
from analysis_core.lower.objects import conversions
from analysis_core.lower.statements import inline
from analysis_core.lower.statements.arguments import Argument
from analysis_core.lower.statements.assembly_registers import Registers
from analysis_core.lower.values import Value
from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import tree as syn

_OPERATIONS = frozenset(
    {"init", "inval", "expect_tx", "complete_tx", "arrive", "arrive_drop", "test_wait", "try_wait", "pending_count"}
)
_WAITS = "a wait for an `mbarrier` is over when it is first asked for"


def barrier(ctx: Lowering, registers: Registers, instruction: ptx.Instruction, node: syn.OpaqueStmt) -> None:
    """`bar`, `barrier`: of the block, of a warp, or of so many threads as come to one of the same number.  At any other one the stores of others
    are seen."""
    words, operands, span = instruction.words, instruction.operands, node.span
    if "red" in words:
        raise ptx.NotUnderstood(instruction.name)
    given = [registers.read(operand, UINT) for operand in operands[:2]]
    written = [registers.nodes.get(registers.key(operand)) for operand in operands]
    told = [operand if one is None else spelling(one) for operand, one in zip(operands, written, strict=True)]
    text = f"{instruction.name} {', '.join(told)}".rstrip()
    if words[1:2] == ("warp",):
        mask = constants.fold(given[0]) if given else None
        made = warp_primitives.barrier(0 if mask is None else int(mask.value) & warp_primitives.ALL_LANES, text, span)
    elif not {"arrive", "cluster"}.isdisjoint(words) or not given:
        made = Barrier(BarrierScope.PART, text, span)
    elif len(given) == 1:
        made = Barrier(BarrierScope.BLOCK, text, span)
    else:
        made = Barrier(BarrierScope.PART, text, span, number=given[0], count=given[1])
    ctx.emit(made)


def barrier_object(ctx: Lowering, registers: Registers, instruction: ptx.Instruction, node: syn.OpaqueStmt) -> None:
    """`mbarrier`: arriving orders memory, waiting shows what others have stored."""
    if instruction.words[1] not in _OPERATIONS:
        raise ptx.NotUnderstood(instruction.name)
    result = instruction.operand(0)
    waits = not {"test_wait", "try_wait"}.isdisjoint(instruction.words)
    if waits:
        ctx.assume(_WAITS)
        ctx.emit(Barrier(BarrierScope.PART, instruction.name, node.span))
    else:
        ctx.emit(Fence(instruction.name, node.span))
    if not result.startswith("[") and result != "_":
        known: Expr = Const(1, BOOL) if waits else UnknownExpr(registers.data(instruction.name), UINT)
        registers.write(result.split("|")[0].strip(), known)


def bulk_copy(ctx: Lowering, registers: Registers, instruction: ptx.Instruction, node: syn.OpaqueStmt) -> None:
    """`cp.async.bulk` and what is done when it is complete."""
    words = instruction.words
    if "prefetch" in words:
        return
    ctx.emit(Fence(instruction.name, node.span))
    if not {"commit_group", "wait_group"}.isdisjoint(words):
        return
    if "tensor" in words:
        ctx.cause(CauseKind.DATA, ptx.TILES, node.span)
        return
    places = [ptx.address(instruction.operand(i)) for i in (0, 1)]
    model = next(iter(ctx.unit.functions.get(ptx.BULK_COPY, ())), None)
    if model is None or None in places or words[1] != "async":
        raise ptx.NotUnderstood(instruction.name)
    arguments = []
    for place in places:
        register, offset = place or ("", 0)
        pointer = PointerType(VOID)
        address = conversions.moved(conversions.cast(registers.read(register, None), pointer), offset, UINT)
        arguments.append(_argument(ctx, registers, register, Value(conversions.cast(address, pointer), pointer), node))
    size = registers.read(instruction.operand(2), UINT)
    arguments.append(_argument(ctx, registers, instruction.operand(2), Value(size, UINT), node))
    inline.inline(ctx, model, arguments, {}, node)


def _argument(ctx: Lowering, registers: Registers, register: str, value: Value, node: syn.OpaqueStmt) -> Argument:
    written = registers.nodes.get(registers.key(register))
    return Argument(written or syn.Name(span=node.span, name=register), value, ctx.mark())
