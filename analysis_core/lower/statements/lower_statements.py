"""Statements: structured control flow stays structured; `goto`, `asm` and what was not read become `UnknownStmt`s."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from analysis_core.ir import constants
from analysis_core.ir.nodes import Block, Break, Const, Continue, Expr, If, IfKind, Return, Stmt, UnknownStmt
from analysis_core.lower.context import Lowering
from analysis_core.lower.objects import destructors
from analysis_core.lower.statements import assembly, lower_declarations, lower_expressions, lower_loops, lower_switch
from analysis_core.support.facts import CUT, CauseKind
from analysis_core.support.fuel import Fuel, OutOfFuel
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside

T = TypeVar("T")

_TO_END = 2_000
"""Units of work for what is said of a kernel that is not read to its end."""


def statement(ctx: Lowering, node: syn.Stmt) -> None:
    """Emits `node` into the current block."""
    before = ctx.temporaries
    if ctx.claims is not None:
        from analysis_core.lower.statements import claims

        claims.before(ctx, ctx.claims, node)
    _statement(ctx, node)
    destructors.settle(ctx, before, node)


def _statement(ctx: Lowering, node: syn.Stmt) -> None:
    match node:
        case syn.Compound(body=body):
            with destructors.block_scope(ctx, node):
                block(ctx, body)
                end(ctx, node)
        case syn.ExprStmt(expr=expr):
            lower_expressions.effects(ctx, expr)
        case syn.DeclStmt(declarations=declarations):
            for declaration in declarations:
                lower_declarations.declaration(ctx, declaration)
        case syn.If():
            _branches(ctx, node)
        case syn.For() | syn.While() | syn.DoWhile() | syn.RangeFor():
            lower_loops.loop(ctx, node)
        case syn.Switch():
            lower_switch.switch(ctx, node)
        case syn.Break():
            destructors.leave_loop(ctx, node, ("loop", "switch"))
            ctx.emit(Break(node.span))
        case syn.Continue():
            destructors.leave_loop(ctx, node, ("loop",))
            ctx.emit(Continue(node.span))
        case syn.Return():
            _return(ctx, node)
        case syn.Empty():
            pass
        case syn.CaseLabel():
            reason = "a case label inside of another statement of the switch"
            unknown(ctx, node, CauseKind.UNSUPPORTED, reason, leaves=False)
        case syn.OpaqueStmt():
            _opaque(ctx, node)
        case _:
            unknown(ctx, node, CauseKind.READER, "a statement that is not understood", leaves=True)


def outermost(ctx: Lowering, node: syn.Stmt, lower: Callable[[], T]) -> T | None:
    """Has a statement of the kernel's body lowered; None where the kernel's fuel does not last, and then nothing but an unknown statement
    stands from there on."""
    state = ctx.scope, ctx.frame, ctx.via, ctx.types_only, ctx.scratch_depth
    blocks, frames, written = len(ctx.blocks), len(ctx.frames), len(ctx.blocks[-1])
    try:
        return lower()
    except OutOfFuel as error:
        reason = str(error)
    except RecursionError:
        reason = "what is instantiated there is nested too deeply"
    ctx.scope, ctx.frame, ctx.via, ctx.types_only, ctx.scratch_depth = state
    del ctx.blocks[blocks:], ctx.frames[frames:], ctx.blocks[-1][written:]
    ctx.fuel = Fuel.of(_TO_END)
    unknown(ctx, node, CauseKind.ANALYSIS, f"{CUT}: {reason}", leaves=True)
    ctx.emit(Return(node.span))
    return None


def body(ctx: Lowering, nodes: Sequence[syn.Stmt]) -> None:
    """Emits the statements of a kernel's body, as far as its fuel lasts."""
    for node in nodes:
        if not outermost(ctx, node, partial(_is_lowered, ctx, node)):
            return


def _is_lowered(ctx: Lowering, node: syn.Stmt) -> bool:
    statement(ctx, node)
    return True


def block(ctx: Lowering, nodes: Sequence[syn.Stmt]) -> None:
    """Emits statements in order into the current block, in the current scope."""
    for node in nodes:
        statement(ctx, node)


def end(ctx: Lowering, node: syn.Compound) -> None:
    """Emits what is claimed at the end of a block."""
    if ctx.claims is not None:
        from analysis_core.lower.statements import claims

        claims.at_end(ctx, ctx.claims, node)


def body_block(ctx: Lowering, node: syn.Stmt) -> Block:
    """The statement as a block (and a scope) of its own."""
    with ctx.block() as inner, destructors.block_scope(ctx, node):
        statement(ctx, node)
    return tuple(inner)


def unknown(ctx: Lowering, node: syn.Stmt, kind: CauseKind, reason: str, *, leaves: bool) -> None:
    """A statement that may change every variable in scope, and memory."""
    cause = ctx.cause(kind, reason, node.span)
    ctx.emit(UnknownStmt(cause, ctx.scope.visible_variables(), memory=True, leaves=leaves, span=node.span))


def _opaque(ctx: Lowering, node: syn.OpaqueStmt) -> None:
    """What the reader did not read; statements found inside of it are lowered after it."""
    if node.assembly is not None:
        refused = assembly.assembly(ctx, node)
        if refused is None:
            return
        # It names the variables that it writes: `inner` assigns to them.
        cause = ctx.cause(node.cause.kind, f"{node.cause.reason}: `{refused}`", node.cause.span)
        ctx.emit(UnknownStmt(cause, (), memory=True, leaves=False, span=node.span))
        with ctx.nested_scope():
            block(ctx, node.inner)
        return
    cause = ctx.cause(node.cause.kind, node.cause.reason, node.cause.span)
    if node.typing:
        ctx.emit(UnknownStmt(cause, (), memory=False, leaves=False, span=node.span))
    else:
        ctx.emit(UnknownStmt(cause, ctx.scope.visible_variables(), memory=True, leaves=True, span=node.span))
    with ctx.nested_scope():
        block(ctx, node.inner)


def _return(ctx: Lowering, node: syn.Return) -> None:
    before = ctx.temporaries
    if ctx.frame.on_return is not None:
        ctx.frame.on_return(ctx, node)
    elif node.value is not None:
        lower_expressions.effects(ctx, node.value)
    destructors.settle(ctx, before, node)
    destructors.leave_function(ctx, node)
    ctx.emit(Return(node.span))


def _is_dead(decided: Const | None, value: bool, arm: syn.Stmt | None) -> bool:
    """Whether an arm is never taken because the condition is a constant of that value, and nothing jumps into it."""
    if decided is None or bool(decided.value) is not value or arm is None:
        return False
    return not any(isinstance(node, syn.CaseLabel | syn.OpaqueStmt) for node in inside(arm))


def _branches(ctx: Lowering, node: syn.If) -> None:
    """A chain of else-ifs with a loop: generated code has thousands of them in a row.

    Each `else` opens a block (and the scope of its declarations); they are closed from the inside out at the end."""
    opened: list[tuple[Expr, Block, syn.If]] = []
    outer = ctx.scope
    current: syn.Stmt | None = node
    while isinstance(current, syn.If):
        with_scope = ctx.nested_scope()
        with with_scope as scope:
            if current.init is not None:
                statement(ctx, current.init)
                if scope.objects:
                    unknown(ctx, current, CauseKind.UNSUPPORTED, "an object of an `if` is destroyed", leaves=True)
            test = lower_expressions.condition(ctx, current.condition)
            decided = constants.fold(test)
            if current.is_constexpr and decided is not None:
                taken = current.then if decided.value else current.otherwise
                if taken is not None:
                    statement(ctx, taken)
                current = None
                break
            then = () if _is_dead(decided, False, current.then) else body_block(ctx, current.then)
        opened.append((test, then, current))
        ctx.blocks.append([])
        ctx.scope = scope
        current = None if _is_dead(decided, True, current.otherwise) else current.otherwise
    if current is not None:
        statement(ctx, current)
    for test, then, branch in reversed(opened):
        otherwise: list[Stmt] = ctx.blocks.pop()
        ctx.emit(If(test, then, tuple(otherwise), IfKind.IF, branch.condition.span, branch.span))
    ctx.scope = outer
