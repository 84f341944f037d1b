"""What the registers of inline assembly hold: its operands, those that it declares, special ones.

What an operand holds is an expression of the program's variables.  Outputs are stored when the text ends; nothing changes before.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from types import MappingProxyType

from analysis_core.ir import constants
from analysis_core.ir.nodes import (
    Binary,
    BuiltinKind,
    Const,
    Expr,
    Intrinsic,
    Select,
    UnknownExpr,
)
from analysis_core.ir.types import (
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    UINT,
    OpaqueType,
    PointerType,
    ScalarKind,
    ScalarType,
    Type,
)
from analysis_core.lower.context import Lowering
from analysis_core.lower.library import cooperative_groups, ptx, warp_primitives
from analysis_core.lower.objects import conversions
from analysis_core.lower.statements import lower_expressions, lower_lvalues
from analysis_core.lower.values import Memory, Operand, Value, type_of
from analysis_core.support.facts import Cause, CauseKind
from analysis_core.syntax.read import tree as syn
from analysis_core.text.records import dataclass

_BUILTINS: Mapping[str, BuiltinKind] = MappingProxyType(
    {
        "tid": BuiltinKind.THREAD_IDX,
        "ctaid": BuiltinKind.BLOCK_IDX,
        "ntid": BuiltinKind.BLOCK_DIM,
        "nctaid": BuiltinKind.GRID_DIM,
    }
)


@dataclass(slots=True)
class Registers:
    """`registers`: what they hold, by "%0", "%[name]" and the text's own names; `places`: where outputs go; `nodes`: the operands as written."""

    ctx: Lowering
    node: syn.OpaqueStmt
    registers: dict[str, Expr] = field(default_factory=dict)
    places: dict[str, tuple[Operand, syn.Expr]] = field(default_factory=dict)
    nodes: dict[str, syn.Expr] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    changed: set[str] = field(default_factory=set)

    @classmethod
    def of(cls, ctx: Lowering, node: syn.OpaqueStmt) -> Registers:
        """With its operands evaluated."""
        found, marks, text = cls(ctx, node), dict[str, int](), node.assembly
        assert text is not None
        for number, (constraint, name, part) in enumerate(zip(text.constraints, text.names, node.inner)):
            if not isinstance(part, syn.ExprStmt):
                raise ptx.NotUnderstood("operand")
            key, expr = f"%{number}", part.expr
            if name:
                found.aliases[f"%[{name}]"] = key
            if constraint[:1] in "=+" and isinstance(expr, syn.Assign):
                expr = expr.target
                place = lower_expressions.operand(ctx, expr)
                found.places[key] = (ctx.freeze(place, expr.span) if isinstance(place, Memory) else place), expr
            found.nodes[key] = expr
            if constraint[:1] != "=":
                found.registers[key] = lower_expressions.value(ctx, expr).expr
                marks[key] = ctx.mark()
        for key, mark in marks.items():
            found.registers[key] = ctx.keep(found.registers[key], mark)
        return found

    def finish(self) -> None:
        """Outputs are stored; their values are those at the end."""
        ctx, span = self.ctx, self.node.span
        changed = {key: self.registers[key] for key in self.places if key in self.changed}
        if len(changed) > 1:
            changed = {key: ctx.save(value, span, "asm") for key, value in changed.items()}
        for key, value in changed.items():
            place, node = self.places[key]
            type = type_of(place)
            value = same_bits(value, type) if isinstance(type, ScalarType | PointerType) else value
            lower_lvalues.store(ctx, place, Value(value, value.type), node, whole=span)

    # --- registers --------------------------------------------------------------------------------------------------

    def key(self, register: str) -> str:
        return self.aliases.get(register, register)

    def read(self, operand: str, type: Type | None = None) -> Expr:
        """What a register or constant holds, as a number of this type."""
        key = self.key(operand)
        constant = ptx.integer(operand)
        if constant is not None:
            found: Expr = constants.constant(
                constant, type if isinstance(type, ScalarType) and type not in (FLOAT, DOUBLE) else LONG
            ) or Const(0, INT)
        elif key in self.registers:
            found = self.registers[key]
        else:
            found = self._special(key) or UnknownExpr(self.data(operand), type or UINT)
        return found if type is None else same_bits(found, type)

    def write(self, operand: str, value: Expr, guard: Expr | None = None) -> None:
        """A register gets a value; under a guard it may keep its old one."""
        key = self.key(operand)
        if operand == "_" or not operand:
            return
        if key[:1] == "%" and key[1:].isdigit() and key not in self.places:
            raise ptx.NotUnderstood(f"a result in {operand}")
        if guard is not None:
            old = same_bits(self.registers.get(key, UnknownExpr(self.data(operand), value.type)), value.type)
            value = Select(guard, value, old, value.type, self.node.span)
        self.registers[key] = value
        self.changed.add(key)

    def data(self, name: str) -> Cause:
        return Cause(CauseKind.DATA, f"the result of `{name}` depends on data", self.node.span)

    def _special(self, register: str) -> Expr | None:
        """What a special register holds, if that is known."""
        groups, name = cooperative_groups, register.removeprefix("%")
        lane = self.lane() if name.startswith("lane") else None
        if name == "laneid":
            return lane
        if lane is not None and name in ("lanemask_lt", "lanemask_eq"):
            bit = Binary("<<", Const(1, UINT), lane, UINT)
            return bit if name.endswith("eq") else Binary("-", bit, Const(1, UINT), UINT)
        kind, _, axis = name.partition(".")
        if kind in _BUILTINS and axis in ("x", "y", "z"):
            number = "xyz".index(axis)
            self.ctx.axis(_BUILTINS[kind], number)
            return groups.builtin(_BUILTINS[kind], number)
        return None

    def lane(self) -> Expr:
        """The number of the lane in its warp."""
        return Binary("%", cooperative_groups.thread_number(self.ctx), Const(warp_primitives.WARP, UINT), UINT)


def same_bits(value: Expr, type: Type) -> Expr:
    """A register seen as one of another type: numbers of one kind are converted, bits of another are an unknown function of them."""
    if _is_float(value.type) is not _is_float(type) or isinstance(value.type, OpaqueType):
        return Intrinsic("mov", (value,), type)
    return conversions.cast(value, type)


def _is_float(type: Type) -> bool:
    return isinstance(type, ScalarType) and type.kind is ScalarKind.FLOAT
