"""Loops.  `test` holds what the condition needs, `step` the increment; both run as often as the source says."""

from __future__ import annotations

from dataclasses import replace

from analysis_core.ir.early_exits import may_leave
from analysis_core.ir.nodes import Assign, Binary, Block, Const, Expr, Local, Loop, LoopKind
from analysis_core.ir.scalars import SIZE_T
from analysis_core.ir.types import BOOL, ArrayType
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import resolve
from analysis_core.lower.objects import copies, destructors, methods
from analysis_core.lower.statements import lower_declarations, lower_expressions, lower_lvalues, lower_statements
from analysis_core.lower.values import Memory, Operand, StructPlace, StructValue, type_of, with_const
from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import tree as syn
from analysis_core.text.span import Span

_DEEPEST = 14
"""Loops that may stand around each other.  The first round of a `do` loop is interpreted apart from the others, so each of a nest doubles the
work: it counts as two."""


def _keyword(node: syn.Stmt, length: int) -> Span:
    """The keyword at the start of a statement."""
    return Span(node.span.file, node.span.start, min(node.span.end, node.span.start + length))


def _test(ctx: Lowering, node: syn.Expr) -> tuple[Block, Expr]:
    with ctx.block() as block:
        condition = lower_expressions.condition(ctx, node)
    return tuple(block), condition


def _effects(ctx: Lowering, node: syn.Expr | None) -> Block:
    if node is None:
        return ()
    with ctx.block() as block:
        lower_expressions.effects(ctx, node)
    return tuple(block)


def loop(ctx: Lowering, node: syn.Loop) -> None:
    """A loop of any kind; one that is nested too deeply, inlined calls included, is an unknown statement."""
    outer = ctx.nested_loops
    ctx.nested_loops += _weight(node)
    try:
        if ctx.nested_loops > _DEEPEST:
            reason = "not analysed: too many loops stand around it"
            lower_statements.unknown(ctx, node, CauseKind.ANALYSIS, reason, leaves=True)
            return
        if node.macro:
            ctx.assume(f"`{node.macro}` before a loop is a pragma", node.span)
        match node:
            case syn.For():
                for_loop(ctx, node)
            case syn.While():
                while_loop(ctx, node)
            case syn.DoWhile():
                do_loop(ctx, node)
            case syn.RangeFor():
                range_loop(ctx, node)
            case _:
                pass
    finally:
        ctx.nested_loops = outer


def _weight(node: syn.Loop) -> int:
    """What a loop adds to the depth of a nest."""
    match node:
        case syn.DoWhile(condition=syn.Literal(text="0" | "false")):
            return 0  # as macros are wrapped
        case syn.DoWhile():
            return 2
        case _:
            return 1


def for_loop(ctx: Lowering, node: syn.For) -> None:
    with destructors.block_scope(ctx, node, "loop"):
        if node.init is not None:
            lower_statements.statement(ctx, node.init)
        test, condition = ((), None) if node.condition is None else _test(ctx, node.condition)
        body = lower_statements.body_block(ctx, node.body)
        step = _effects(ctx, node.step)
        span = _keyword(node, 3) if node.condition is None else node.condition.span
        ctx.emit(Loop(LoopKind.FOR, test, condition, body, step, span, node.span, node.unroll))


def while_loop(ctx: Lowering, node: syn.While) -> None:
    with destructors.block_scope(ctx, node, "loop"):
        test, condition = _test(ctx, node.condition)
        body = lower_statements.body_block(ctx, node.body)
        ctx.emit(Loop(LoopKind.WHILE, test, condition, body, (), node.condition.span, node.span, node.unroll))


def do_loop(ctx: Lowering, node: syn.DoWhile) -> None:
    """`do { .. } while (0)`, as macros of several statements are wrapped, is no loop, but its body."""
    with destructors.block_scope(ctx, node, "loop"):
        body = lower_statements.body_block(ctx, node.body)
        test, condition = _test(ctx, node.condition)
        if not test and isinstance(condition, Const) and not condition.value and not may_leave(body, returns=False):
            for statement in body:
                ctx.emit(statement)
        else:
            ctx.emit(Loop(LoopKind.DO, test, condition, body, (), node.condition.span, node.span, node.unroll))


def range_loop(ctx: Lowering, node: syn.RangeFor) -> None:
    """`for (T x : array)` over an array of known extent counts an index; objects are asked for begin() and end()."""
    with destructors.block_scope(ctx, node, "loop"):
        range_ = lower_expressions.operand(ctx, node.range)
        if _has_iterators(ctx, range_):
            _over_object(ctx, node, range_)
            return
        if not isinstance(range_, Memory) or not isinstance(range_.type, ArrayType) or range_.type.extent is None:
            reason = "a range-based for over something that is no array, and has no begin() and end() here"
            lower_statements.unknown(ctx, node, CauseKind.UNSUPPORTED, reason, leaves=True)
            return
        span = node.range.span
        counter = ctx.temporary("(index)", SIZE_T, span)
        index = Local(counter, SIZE_T)
        ctx.emit(Assign(counter, Const(0, SIZE_T), span))
        with ctx.block() as body, destructors.block_scope(ctx, node):
            element = lower_lvalues.indexed(
                ctx, range_.address, range_.type.element, index, range_.volatile, range_.const
            )
            _bind_element(ctx, node.variable, element)
            destructors.own(ctx, node.variable.name, ctx.temporaries)
            lower_statements.statement(ctx, node.body)
        step = Assign(counter, Binary("+", index, Const(1, SIZE_T), SIZE_T), span)
        condition = Binary("<", index, range_.type.extent, BOOL)
        ctx.emit(Loop(LoopKind.FOR, (), condition, tuple(body), (step,), span, node.span))


def _has_iterators(ctx: Lowering, range_: Operand) -> bool:
    instance = methods.instance_of(ctx, resolve.complete(ctx, type_of(range_)))
    named = instance is not None and all(methods.methods_named(ctx, instance, name) for name in ("begin", "end"))
    return named and isinstance(range_, StructValue | StructPlace | Memory)


def _over_object(ctx: Lowering, node: syn.RangeFor, range_: Operand) -> None:
    """[stmt.ranged]: `for (auto b = range.begin(), e = range.end(); b != e; ++b) { T x = *b; .. }`."""
    span, place = node.range.span, range_
    if isinstance(range_, StructValue):
        place = lower_declarations.declare_place(ctx, "(range)", range_.type, span)
        lower_lvalues.store(ctx, place, range_, node.range)
    ctx.scope.bind("(range)", place)
    for name in ("begin", "end"):
        method = syn.Member(span=span, base=_named(node, "(range)"), name=name, arrow=False, name_span=span)
        init = syn.Call(span=span, callee=method, args=())
        auto = syn.NamedType(span=span, name="auto")
        made = syn.VarDecl(span=span, name=f"({name})", name_span=span, type=auto, storage=frozenset(), init=init)
        lower_declarations.declaration(ctx, made)
    element = syn.Unary(span=span, op="*", operand=_named(node, "(begin)"))
    variable = syn.DeclStmt(span=node.variable.span, declarations=(replace(node.variable, init=element),))
    condition = syn.Binary(span=span, op="!=", left=_named(node, "(begin)"), right=_named(node, "(end)"))
    step = syn.IncDec(span=span, op="++", prefix=True, operand=_named(node, "(begin)"))
    body = syn.Compound(span=node.body.span, body=(variable, node.body))
    for_loop(ctx, syn.For(span=node.span, init=None, condition=condition, step=step, body=body, unroll=node.unroll))


def _named(node: syn.RangeFor, name: str) -> syn.Name:
    return syn.Name(span=node.range.span, name=name)


def _bind_element(ctx: Lowering, variable: syn.VarDecl, element: Memory) -> None:
    """The loop's variable: the element itself by reference, else a copy."""
    if isinstance(variable.type, syn.ReferenceTo):
        const = element.const or "const" in variable.type.target.qualifiers
        ctx.scope.bind(variable.name, with_const(element, const))
        ctx.scope.refer(variable.name, "&")
        return
    spelled = syn.Name(span=variable.name_span, name=variable.name)
    type = element.type
    if not (isinstance(variable.type, syn.NamedType) and variable.type.name == "auto"):
        type = resolve.resolve_type(ctx, variable.type)
    value = copies.new_object(ctx, element, type, spelled)
    place = lower_declarations.declare_place(ctx, variable.name, type, variable.name_span)
    ctx.scope.bind(variable.name, place)
    lower_lvalues.store(ctx, place, value, spelled)
