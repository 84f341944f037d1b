"""What lanes of a warp tell each other in inline assembly: shuffles, votes and reductions, as the functions of the same names do.

    shfl.sync.idx.b32 d|p, a, b, c, m    the value of lane b in segments of 32 - (c >> 8) lanes; c's low bits are 31, or 0 of `up`
    vote.sync.ballot.b32 d, p, m         which lanes have p
    redux.sync.add.u32 d, a, m           the sum over the lanes
    elect.sync d|p, m                    one lane, which all agree on: d is its number, p is true in it

Source: PTX ISA 8.7, "shfl.sync", "vote.sync", "redux.sync", "activemask", "elect.sync".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from analysis_core.ir import constants
from analysis_core.ir.nodes import Binary, Const, Expr, Local, Shuffle, Unary, UnknownExpr
from analysis_core.ir.types import BOOL, INT, UINT, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.library import ptx, warp_primitives
from analysis_core.lower.objects import conversions
from analysis_core.lower.statements.assembly_registers import Registers
from analysis_core.lower.values import Value
from analysis_core.machine.sizes import WARP
from analysis_core.syntax.read import tree as syn

_SHUFFLES: Mapping[str, str] = MappingProxyType({"idx": "idx", "up": "up", "down": "down", "bfly": "xor"})
_VOTES = frozenset({"all", "any", "uni", "ballot"})
_INTEGERS: Mapping[str, Type] = MappingProxyType({"s32": INT, "u32": UINT, "b32": UINT})


def exchange(ctx: Lowering, registers: Registers, instruction: ptx.Instruction, node: syn.OpaqueStmt) -> bool:
    """Whether the instruction is one that is followed; it is emitted then, and its results are written."""
    words, operands = instruction.words, instruction.operands
    if words[0] == "shfl" and words[-1] == "b32" and words[-2] in _SHUFFLES:
        return _shuffle(ctx, registers, instruction, node)
    if words[0] == "activemask" and len(operands) == 1:
        registers.write(operands[0], warp_primitives.active_lanes(ctx, node.span))
        return True
    if words == ("elect", "sync") and len(operands) == 2:
        _elect(ctx, registers, operands, node)
        return True
    if len(operands) != 3 or words[1:2] != ("sync",):
        return False
    mask = _register(registers, operands[2], UINT)
    if words[0] == "vote" and words[2] in _VOTES:
        asked = conversions.to_bool(registers.read(operands[1].removeprefix("!")))
        truth = Unary("!", asked, BOOL) if operands[1].startswith("!") else asked
        type = UINT if words[2] == "ballot" else INT
        found = _vote(ctx, node, words[2], Value(truth, BOOL), mask, type)
        registers.write(operands[0], found if words[2] == "ballot" else conversions.to_bool(found))
        return True
    if words[0] == "redux" and words[2] in warp_primitives.REDUCTIONS and len(words) == 4 and words[3] in _INTEGERS:
        value = _register(registers, operands[1], _INTEGERS[words[3]])
        registers.write(operands[0], _vote(ctx, node, f"reduce_{words[2]}", value, mask, value.type))
        return True
    return False


def _elect(ctx: Lowering, registers: Registers, operands: Sequence[str], node: syn.OpaqueStmt) -> None:
    result, _, predicate = operands[0].partition("|")
    there = Value(Const(1, UINT), UINT)
    elected = _vote(ctx, node, "elect", there, _register(registers, operands[1], UINT), UINT)
    registers.write(result.strip(), elected)
    registers.write(predicate.strip(), Binary("==", registers.read("%laneid", UINT), elected, BOOL))


def _shuffle(ctx: Lowering, registers: Registers, instruction: ptx.Instruction, node: syn.OpaqueStmt) -> bool:
    op, operands = _SHUFFLES[instruction.words[-2]], instruction.operands
    synchronised = "sync" in instruction.words
    width = _width(registers.read(operands[3], UINT), op) if len(operands) == 4 + synchronised else None
    if width is None:
        return False
    result, _, predicate = operands[0].partition("|")
    value, lane = registers.read(operands[1], UINT), registers.read(operands[2], INT)
    var = ctx.temporary("shfl", UINT, node.span)
    whole = synchronised and warp_primitives.names_all(_register(registers, operands[4], UINT))
    ctx.emit(Shuffle(var, op, value, lane, Const(width, INT), node.span, whole))
    registers.write(result.strip(), Local(var, UINT))
    registers.write(predicate.strip(), UnknownExpr(registers.data(instruction.name), BOOL))
    return True


def _width(clamp: Expr, op: str) -> int | None:
    """Lanes of a segment; None where the operand says something that the functions of CUDA never do."""
    constant = constants.fold(clamp)
    if constant is None or not isinstance(constant.value, int):
        return None
    width = WARP - (constant.value >> 8)
    is_power = 0 < width <= WARP and width & (width - 1) == 0
    return width if is_power and constant.value & 255 == (0 if op == "up" else WARP - 1) else None


def _vote(ctx: Lowering, node: syn.OpaqueStmt, op: str, value: Value, mask: Value, type: Type) -> Expr:
    args = warp_primitives.with_mask(value, mask)
    return warp_primitives.vote(ctx, op, args, type, node.span, warp_primitives.names_all(mask)).expr


def _register(registers: Registers, operand: str, type: Type) -> Value:
    """What a register holds, as a number where it is constant."""
    held = registers.read(operand, type)
    return Value(constants.fold(held) or held, type)
