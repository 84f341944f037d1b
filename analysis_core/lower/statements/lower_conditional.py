"""`c ? a : b`: a `Select` where both arms are pure scalars, else a branch; of class objects, the one that is chosen."""

from __future__ import annotations

from analysis_core.ir import constants, layout
from analysis_core.ir.nodes import Const, Expr, If, IfKind, Select, Stmt, VarId
from analysis_core.ir.spelling import spelling
from analysis_core.ir.types import VOID, ArrayType, PointerType, ScalarType, StructType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.objects import class_conversions, conversions, copies
from analysis_core.lower.statements import lower_declarations, lower_expressions, lower_lvalues
from analysis_core.lower.values import VOID_VALUE, Memory, Operand, Register, StructPlace, StructValue, Value, type_of
from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import tree as syn


def conditional(ctx: Lowering, expr: syn.Conditional) -> Operand:
    """`c ? a : b`: a `Select` if both arms are pure scalars, else a branch that assigns the result.

    Where the condition is a constant only the arm that is taken is lowered (template arguments decide so); the other
    one still has a say in the type."""
    test = lower_expressions.condition(ctx, expr.condition)
    decided = constants.fold(test)
    if decided is not None:
        taken, passed = (expr.then, expr.otherwise) if decided.value else (expr.otherwise, expr.then)
        return _as_if_chosen(ctx, lower_expressions.rvalue(ctx, taken), passed)
    with ctx.block() as then_block:
        then = copies.object_of(ctx, expr.then)
    with ctx.block() as else_block:
        otherwise = copies.object_of(ctx, expr.otherwise)
    mixed = copies.category_of(ctx, expr.then, then) is not copies.category_of(ctx, expr.otherwise, otherwise)
    then = _arm(ctx, expr.then, then, mixed, then_block)
    otherwise = _arm(ctx, expr.otherwise, otherwise, mixed, else_block)
    then, otherwise = (
        _matched(ctx, expr.then, then, otherwise, then_block),
        _matched(ctx, expr.otherwise, otherwise, then, else_block),
    )
    type = _common_type(then, otherwise)
    if type == VOID:
        if then_block or else_block:
            ctx.emit(select_branch(expr, test, then_block, else_block))
        return VOID_VALUE
    if not then_block and not else_block and isinstance(then, Value) and isinstance(otherwise, Value):
        left, right = conversions.cast(then.expr, type), conversions.cast(otherwise.expr, type)
        return Value(Select(test, left, right, type, expr.span), type)
    return _selected(ctx, expr, test, (then_block, then), (else_block, otherwise), type)


def _arm(ctx: Lowering, node: syn.Expr, arm: Operand, mixed: bool, block: list[Stmt]) -> Operand:
    """An arm's value: an object beside a temporary one is copied, beside another one it is the object itself."""
    if not isinstance(arm, StructPlace | Memory):
        return arm
    ctx.blocks.append(block)
    value = copies.new_object(ctx, arm, None, node) if mixed else lower_lvalues.load(ctx, arm, node)
    ctx.blocks.pop()
    return value


def _matched(ctx: Lowering, node: syn.Expr, arm: Operand, other: Operand, block: list[Stmt]) -> Operand:
    """The arm, made a number or a pointer like the other one if it is an object that only converts that way ([expr.cond])."""
    mine, theirs = type_of(arm), type_of(other)
    if not isinstance(mine, StructType) or not isinstance(theirs, ScalarType | PointerType) or theirs == VOID:
        return arm
    if not class_conversions.converts(ctx, mine, theirs) or class_conversions.converts(ctx, theirs, mine):
        return arm
    ctx.blocks.append(block)
    value = conversions.convert(ctx, arm, theirs, node)
    ctx.blocks.pop()
    return value


def _as_if_chosen(ctx: Lowering, taken: Operand, passed: syn.Expr) -> Operand:
    """The arm that is taken, in the common type if both are numbers.  Of the other one only the type is asked for: what it calls
    is not looked into, so that a function that calls itself ends."""
    if not isinstance(taken, Value) or not isinstance(taken.type, ScalarType):
        return taken
    with ctx.scratch(types_only=True):
        other = lower_expressions.rvalue(ctx, passed)
    if not isinstance(other, Value) or not isinstance(other.type, ScalarType):
        return taken
    type = _common_type(taken, other)
    return Value(conversions.cast(taken.expr, type), type)


def _selected(
    ctx: Lowering,
    expr: syn.Conditional,
    test: Expr,
    then: tuple[list[Stmt], Operand],
    otherwise: tuple[list[Stmt], Operand],
    type: Type,
) -> Operand:
    """Both arms assign to the leaves of a fresh place."""
    if not isinstance(then[1], Value | StructValue) or not isinstance(otherwise[1], Value | StructValue):
        # Pointers to registers, functions, groups: one of two is chosen at run time.
        reason = f"`{spelling(expr)}` chooses between things that have no value"
        loose = [
            lower_expressions.as_value(ctx, v, e) for (_, v), e in ((then, expr.then), (otherwise, expr.otherwise))
        ]
        ctx.emit(select_branch(expr, test, then[0], otherwise[0]))
        return ctx.unknown(CauseKind.UNSUPPORTED, reason, expr.span, loose[0].type)
    split = not isinstance(type, StructType) or _is_split(type)
    result = (
        temporary_place(ctx, expr, type) if split else lower_declarations.declare_place(ctx, "(?:)", type, expr.span)
    )
    for (block, arm), node in ((then, expr.then), (otherwise, expr.otherwise)):
        ctx.blocks.append(block)
        lower_lvalues.store(ctx, result, arm, node)
        ctx.blocks.pop()
    ctx.emit(select_branch(expr, test, then[0], otherwise[0]))
    return lower_lvalues.load(ctx, result, expr)


def _is_split(type: StructType) -> bool:
    """Whether an object is kept as one variable per member: no union, and no arrays."""
    plain = all(
        _is_split(f.type) if isinstance(f.type, StructType) else not isinstance(f.type, ArrayType) for f in type.fields
    )
    return plain and layout.in_registers(type)


def temporary_place(ctx: Lowering, expr: syn.Expr, type: Type) -> Operand:
    """A register for what `expr` comes to, of a class one for each member."""
    if isinstance(type, StructType):
        return StructPlace(type, tuple(temporary_place(ctx, expr, field.type) for field in type.fields))
    return Register(_temporary(ctx, expr, type), type)


def _temporary(ctx: Lowering, expr: syn.Expr, type: Type) -> VarId:
    return ctx.temporary("(?:)", type, expr.span)


def select_branch(expr: syn.Conditional, test: Expr, then: list[Stmt], otherwise: list[Stmt]) -> If:
    return If(test, tuple(then), tuple(otherwise), IfKind.SELECT, expr.condition.span, expr.span)


def conditional_effects(ctx: Lowering, expr: syn.Conditional) -> None:
    test = lower_expressions.condition(ctx, expr.condition)
    with ctx.block() as then:
        lower_expressions.effects(ctx, expr.then)
    with ctx.block() as otherwise:
        lower_expressions.effects(ctx, expr.otherwise)
    if then or otherwise:
        ctx.emit(select_branch(expr, test, then, otherwise))


def _common_type(then: Operand, otherwise: Operand) -> Type:
    """[expr.cond]: the type of both arms together."""
    left, right = type_of(then), type_of(otherwise)
    if isinstance(left, StructType):
        return left
    if isinstance(right, StructType):
        return right
    if VOID in (left, right):
        return VOID
    if isinstance(left, PointerType):
        null = isinstance(then, Value) and isinstance(then.expr, Const)
        return right if null and isinstance(right, PointerType) else left
    if isinstance(right, PointerType):
        return right
    if conversions.same_type(left, right):
        return left
    return conversions.arithmetic(left, right)
