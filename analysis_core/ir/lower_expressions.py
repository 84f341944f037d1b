"""Expressions: what each one denotes, with its side effects emitted in C's order of evaluation.

`operand` is the one dispatcher.  Sums, products and chains of `&&`, `||` and `,` are left-deep trees that can be
thousands of operators deep; they are lowered along their left spine with a loop, everything else by recursion
(the reader bounds the nesting).

Order of evaluation is C++17's where that defines one (the right side of an assignment before its left side) and
left to right elsewhere; `ctx.keep` preserves what a left operand was worth.
"""

from __future__ import annotations

from dataclasses import replace

from analysis_core.ir import (
    constants,
    conversions,
    lower_assignments,
    lower_calls,
    lower_casts,
    lower_closures,
    lower_lvalues,
    lower_operators,
    names,
    references,
    resolve,
)
from analysis_core.ir.context import Lowering
from analysis_core.ir.literals import literal
from analysis_core.ir.nodes import Assign, Binary, Const, Expr, If, IfKind, Local, Select, Stmt, UnknownStmt, VarId
from analysis_core.ir.scalars import SIZE_T
from analysis_core.ir.scope import PackBinding
from analysis_core.ir.spelling import spelling
from analysis_core.ir.types import BOOL, INT, VOID, ArrayType, OpaqueType, PointerType, ScalarType, StructType, Type
from analysis_core.ir.values import (
    VOID_VALUE,
    ArrayValue,
    Handle,
    Memory,
    Operand,
    Register,
    RegisterPointer,
    StructPlace,
    StructValue,
    Value,
    type_of,
    unknown_value,
)
from analysis_core.support.facts import Cause, CauseKind
from analysis_core.syntax import tree as syn

_WITHOUT_EFFECTS = frozenset({"result of inline assembly", "a table of constants, not read", "typeid"})
"""Reasons of the reader for which an unread expression changes nothing."""


def operand(ctx: Lowering, expr: syn.Expr) -> Operand:
    """What `expr` denotes; its side effects are emitted.  Places stay places: `rvalue` reads them."""
    match expr:
        case syn.Literal():
            return _literal(ctx, expr)
        case syn.Name():
            return names.name_operand(ctx, expr)
        case syn.Unary():
            return _unary(ctx, expr)
        case syn.IncDec():
            return lower_assignments.step(ctx, expr, used=True)
        case syn.Binary():
            return _spine(ctx, expr)
        case syn.Assign():
            return lower_assignments.assign(ctx, expr)
        case syn.Conditional():
            return conditional(ctx, expr)
        case syn.Subscript(base=base, index=index):
            return _subscript(ctx, expr, base, index)
        case syn.Member():
            return _member(ctx, expr)
        case syn.Call():
            return lower_calls.lower_call(ctx, expr)
        case syn.Cast():
            return lower_casts.cast(ctx, expr)
        case syn.Construct():
            return lower_casts.construct(ctx, expr)
        case syn.SizeOf():
            return _size_of(ctx, expr)
        case syn.Lambda():
            return lower_closures.closure(ctx, expr)
        case syn.KernelLaunch():
            return _launch(ctx, expr)
        case syn.InitList():
            return _list(ctx, expr)
        case syn.OpaqueExpr(cause=cause):
            found = ctx.cause(cause.kind, cause.reason, cause.span)
            if cause.reason in _WITHOUT_EFFECTS:
                return unknown_value(found, OpaqueType("?", cause.reason))
            return opaque(ctx, found, expr)
        case _:
            return opaque(ctx, ctx.cause(CauseKind.READER, "an expression that is not understood", expr.span), expr)


def rvalue(ctx: Lowering, expr: syn.Expr) -> Operand:
    """The value of `expr`, loaded."""
    return lower_lvalues.load(ctx, operand(ctx, expr), expr)


def value(ctx: Lowering, expr: syn.Expr) -> Value:
    """The value of `expr` as a scalar or pointer; anything else is a recorded unknown."""
    return as_value(ctx, rvalue(ctx, expr), expr)


def as_value(ctx: Lowering, loaded: Operand, node: syn.Expr) -> Value:
    """A loaded operand where a scalar or pointer is needed."""
    match loaded:
        case Value():
            return loaded
        case RegisterPointer():
            return lower_lvalues.spill(ctx, loaded, node)
        case Register() | StructPlace() | Memory():
            return as_value(ctx, lower_lvalues.load(ctx, loaded, node), node)
        case _:
            what = "a struct" if isinstance(loaded, StructValue | ArrayValue) else "a function or library object"
            reason = f"`{spelling(node)}` is {what} where a number or a pointer is needed"
            cause = ctx.cause(CauseKind.UNSUPPORTED, reason, node.span)
            return unknown_value(cause, OpaqueType(conversions.spell(type_of(loaded)), reason))


def condition(ctx: Lowering, expr: syn.Expr) -> Expr:
    """`expr` converted to bool, as the test of an `if` or a loop."""
    return truth(ctx, rvalue(ctx, expr), expr)


def truth(ctx: Lowering, loaded: Operand, node: syn.Expr) -> Expr:
    """A loaded operand converted to bool."""
    if isinstance(loaded, StructValue):
        converted = lower_calls.convert_struct(ctx, loaded, BOOL, node)
        loaded = loaded if converted is None else converted
    return conversions.to_bool(as_value(ctx, loaded, node).expr)


def effects(ctx: Lowering, expr: syn.Expr) -> None:
    """Evaluates `expr` for its side effects; its value is discarded.  Only volatile places are read."""
    match expr:
        case syn.IncDec():
            lower_assignments.step(ctx, expr, used=False)
        case syn.Binary(op=","):
            for part in _comma_parts(expr):
                effects(ctx, part)
        case syn.Binary(op="&&" | "||", left=left, right=right):
            _guarded_effects(ctx, expr, left, right)
        case syn.Conditional():
            _conditional_effects(ctx, expr)
        case syn.Cast(type=syn.NamedType(name="void"), operand=inner):
            effects(ctx, inner)
        case _:
            result = operand(ctx, expr)
            if isinstance(result, Memory) and result.volatile and not isinstance(expr, syn.Assign):
                lower_lvalues.load(ctx, result, expr)


def constant(ctx: Lowering, expr: syn.Expr) -> Const | None:
    """The value of a constant expression, else None.  Nothing is emitted or recorded."""
    if isinstance(expr, syn.Literal):
        return literal(expr)
    with ctx.scratch() as block:
        result = rvalue(ctx, expr)
        if block or not isinstance(result, Value):
            return None
        return constants.fold(result.expr)


def type_of_expression(ctx: Lowering, expr: syn.Expr) -> Type:
    """The type of `expr`, which is not evaluated; arrays do not decay."""
    with ctx.scratch():
        return type_of(operand(ctx, expr))


def product(left: Expr, right: Expr) -> Expr:
    """The product of two sizes as size_t, folded where it is constant."""
    left, right = conversions.cast(left, SIZE_T), conversions.cast(right, SIZE_T)
    result = Binary("*", left, right, SIZE_T)
    return constants.fold(result) or result


# --- leaves -----------------------------------------------------------------------------------------------------


def _literal(ctx: Lowering, expr: syn.Literal) -> Operand:
    if expr.kind is syn.LiteralKind.STRING:
        return names.string_object(ctx, expr.text, expr.span)
    found = literal(expr)
    if found is not None:
        return Value(found, found.type)
    reason = f"the literal `{expr.text[:40]}` is not understood"
    return ctx.unknown(CauseKind.UNSUPPORTED, reason, expr.span, INT)


def _size_of(ctx: Lowering, expr: syn.SizeOf) -> Value:
    target = expr.operand
    if isinstance(target, syn.Name | syn.NamedType):
        pack = ctx.scope.find(target.name)
        if isinstance(pack, PackBinding):  # `sizeof...(x)`: the tree keeps the name.
            return Value(Const(len(pack.elements), SIZE_T), SIZE_T)
    if isinstance(target, syn.TypeNode):
        # `sizeof(x)` of a variable is read as a type where the reader cannot know.
        if isinstance(target, syn.NamedType) and resolve.find_type(ctx, target.name, target.template_args) is None:
            name = syn.Name(span=target.span, name=target.name, template_args=target.template_args)
            with ctx.scratch():
                named = names.lookup(ctx, name)
            type = type_of(named) if named is not None else resolve.resolve_type(ctx, target)
        else:
            type = resolve.resolve_type(ctx, target.target if isinstance(target, syn.ReferenceTo) else target)
    else:
        type = type_of_expression(ctx, target)
        if isinstance(type, OpaqueType) and type.name == "?":  # what is not understood has no size to be assumed
            return ctx.unknown(
                CauseKind.UNSUPPORTED, f"the size of what is not understood: {type.why}", expr.span, SIZE_T
            )
    if expr.operator != "sizeof":
        return Value(Const(lower_casts.alignment(type), SIZE_T), SIZE_T)
    return Value(resolve.size_expr(ctx, type), SIZE_T)


def _list(ctx: Lowering, expr: syn.InitList) -> Operand:
    """`{a, b}` where no type says what it initialises."""
    if len(expr.items) == 1:
        return operand(ctx, expr.items[0])
    for item in expr.items:
        effects(ctx, item)
    reason = "a brace list without a type"
    return ctx.unknown(CauseKind.UNSUPPORTED, reason, expr.span, OpaqueType("{..}", reason))


def _launch(ctx: Lowering, expr: syn.KernelLaunch) -> Value:
    """A kernel launched from a kernel: its arguments are evaluated, it may change memory but no variable here."""
    for argument in (*expr.config, *expr.args):
        if not isinstance(argument, syn.InitList):
            rvalue(ctx, argument)
    cause = ctx.cause(CauseKind.UNSUPPORTED, "a kernel is launched from a kernel", expr.span)
    ctx.emit(UnknownStmt(cause, (), memory=True, leaves=False, span=expr.span))
    return VOID_VALUE


def opaque(ctx: Lowering, cause: Cause, expr: syn.Expr) -> Value:
    """Text that may do anything to the variables in scope and to memory; its value is unknown."""
    changes = ctx.scope.visible_variables()
    ctx.emit(UnknownStmt(cause, changes, memory=True, leaves=False, span=expr.span))
    return unknown_value(cause, OpaqueType("?", cause.reason))


# --- places -----------------------------------------------------------------------------------------------------


def _subscript(ctx: Lowering, expr: syn.Subscript, base: syn.Expr, index: syn.Expr) -> Operand:
    place = operand(ctx, base)
    if not isinstance(place, Memory | StructPlace | Register) or not isinstance(type_of(place), ArrayType | StructType):
        place = lower_lvalues.load(ctx, place, base)
    mark = ctx.mark()
    position = rvalue(ctx, index)
    return lower_lvalues.subscript(ctx, kept(ctx, place, mark), position, expr)


def kept(ctx: Lowering, operand_: Operand, mark: int) -> Operand:
    """`ctx.keep` for an operand that was lowered at `mark`."""
    match operand_:
        case Value(expr=expr):
            return replace(operand_, expr=ctx.keep(expr, mark))
        case Memory(type=type, address=address, volatile=volatile, bits=bits):
            return Memory(type, ctx.keep(address, mark), volatile, bits)
        case StructValue(type=type, fields=fields):
            return StructValue(type, tuple(kept(ctx, field, mark) for field in fields))
        case _:
            return operand_


def _member(ctx: Lowering, expr: syn.Member) -> Operand:
    builtin = names.builtin_component(ctx, expr)
    if builtin is not None:
        return builtin
    base = operand(ctx, expr.base)
    if isinstance(base, Handle):
        found = lower_calls.handle_member(ctx, base, expr)
        if found is not None:
            return found
    if expr.arrow:
        base = _follow(ctx, base, expr)
    return references.member(ctx, base, expr.name, expr)


def _follow(ctx: Lowering, base: Operand, expr: syn.Member) -> Operand:
    """What `base->` leads to; a user-declared operator -> is applied once."""
    if isinstance(resolve.complete(ctx, type_of(base)), StructType):
        found = lower_calls.lower_operator(ctx, "->", (base,), expr)
        if found is None:
            return lower_lvalues.unknown_place(ctx, base, expr.base, "is not a pointer")
        base = found
    return lower_lvalues.dereference(ctx, base, expr.base)


# --- operators --------------------------------------------------------------------------------------------------


def _unary(ctx: Lowering, expr: syn.Unary) -> Operand:
    inner = operand(ctx, expr.operand)
    if expr.op == "&":
        return lower_lvalues.address_of(ctx, inner, expr.operand)
    if expr.op == "*":
        return lower_lvalues.dereference(ctx, inner, expr.operand)
    loaded = lower_lvalues.load(ctx, inner, expr.operand)
    return lower_operators.unary(ctx, expr, loaded)


def _spine(ctx: Lowering, expr: syn.Binary) -> Operand:
    """A left-deep chain of binary operators, from its innermost left operand outwards."""
    chain: list[syn.Binary] = []
    node: syn.Expr = expr
    while isinstance(node, syn.Binary):
        chain.append(node)
        node = node.left
    if chain[-1].op == ",":
        effects(ctx, node)
        left: Operand = VOID_VALUE
    else:
        left = operand(ctx, node)
    while chain:
        link = chain.pop()
        left = _combine(ctx, link, left)
    return left


def _combine(ctx: Lowering, expr: syn.Binary, left: Operand) -> Operand:
    """One operator whose left operand is lowered already."""
    if expr.op == ",":
        return operand(ctx, expr.right)
    left = lower_lvalues.load(ctx, left, expr.left)
    if expr.op in ("&&", "||"):
        return _logical(ctx, expr, truth(ctx, left, expr.left))
    mark = ctx.mark()
    right = rvalue(ctx, expr.right)
    return lower_operators.binary(ctx, expr.op, kept(ctx, left, mark), right, expr)


def _comma_parts(expr: syn.Binary) -> list[syn.Expr]:
    parts: list[syn.Expr] = []
    node: syn.Expr = expr
    while isinstance(node, syn.Binary) and node.op == ",":
        parts.append(node.right)
        node = node.left
    parts.append(node)
    return parts[::-1]


def _logical(ctx: Lowering, expr: syn.Binary, left: Expr) -> Value:
    """`&&` and `||`: one `Binary` if the right side is pure, else a branch that assigns the result."""
    with ctx.block() as block:
        right = condition(ctx, expr.right)
    if not block:
        return Value(Binary(expr.op, left, right, BOOL), BOOL)
    result = ctx.temporary(f"({expr.op})", BOOL, expr.span)
    block.append(Assign(result, right, expr.right.span))
    short = (Assign(result, Const(int(expr.op == "||"), BOOL), expr.span),)
    ctx.emit(_short_circuit(expr, left, block, short))
    return Value(Local(result, BOOL), BOOL)


def _short_circuit(expr: syn.Binary, left: Expr, right: list[Stmt], short: tuple[Stmt, ...]) -> If:
    if expr.op == "&&":
        return If(left, tuple(right), short, IfKind.AND, expr.left.span, expr.span)
    return If(left, short, tuple(right), IfKind.OR, expr.left.span, expr.span)


def _guarded_effects(ctx: Lowering, expr: syn.Binary, left: syn.Expr, right: syn.Expr) -> None:
    """`c && f();` as a statement."""
    test = condition(ctx, left)
    with ctx.block() as block:
        effects(ctx, right)
    if block:
        ctx.emit(_short_circuit(expr, test, block, ()))


def conditional(ctx: Lowering, expr: syn.Conditional) -> Operand:
    """`c ? a : b`: a `Select` if both arms are pure scalars, else a branch that assigns the result.

    Where the condition is a constant only the arm that is taken is lowered (template arguments decide so); the other
    one still has a say in the type."""
    test = condition(ctx, expr.condition)
    decided = constants.fold(test)
    if decided is not None:
        taken, passed = (expr.then, expr.otherwise) if decided.value else (expr.otherwise, expr.then)
        return _as_if_chosen(ctx, rvalue(ctx, taken), passed)
    with ctx.block() as then_block:
        then = rvalue(ctx, expr.then)
    with ctx.block() as else_block:
        otherwise = rvalue(ctx, expr.otherwise)
    type = _common_type(then, otherwise)
    if type == VOID:
        if then_block or else_block:
            ctx.emit(select_branch(expr, test, then_block, else_block))
        return VOID_VALUE
    if not then_block and not else_block and isinstance(then, Value) and isinstance(otherwise, Value):
        left, right = conversions.cast(then.expr, type), conversions.cast(otherwise.expr, type)
        return Value(Select(test, left, right, type, expr.span), type)
    return _selected(ctx, expr, test, (then_block, then), (else_block, otherwise), type)


def _as_if_chosen(ctx: Lowering, taken: Operand, passed: syn.Expr) -> Operand:
    """The arm that is taken, in the common type if both are numbers.  Inside of what is not evaluated the type of an arm
    that is passed by is not asked for, so that no expression is looked at more than twice."""
    if not isinstance(taken, Value) or not isinstance(taken.type, ScalarType) or ctx.scratch_depth:
        return taken
    with ctx.scratch():
        other = rvalue(ctx, passed)
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
        loose = [as_value(ctx, v, e) for (_, v), e in ((then, expr.then), (otherwise, expr.otherwise))]
        ctx.emit(select_branch(expr, test, then[0], otherwise[0]))
        return ctx.unknown(CauseKind.UNSUPPORTED, reason, expr.span, loose[0].type)
    result = _temporary_place(ctx, expr, type)
    for (block, arm), node in ((then, expr.then), (otherwise, expr.otherwise)):
        ctx.blocks.append(block)
        lower_lvalues.store(ctx, result, arm, node)
        ctx.blocks.pop()
    ctx.emit(select_branch(expr, test, then[0], otherwise[0]))
    return lower_lvalues.load(ctx, result, expr)


def _temporary_place(ctx: Lowering, expr: syn.Expr, type: Type) -> Operand:
    if isinstance(type, StructType):
        return StructPlace(type, tuple(_temporary_place(ctx, expr, field.type) for field in type.fields))
    return Register(_temporary(ctx, expr, type), type)


def _temporary(ctx: Lowering, expr: syn.Expr, type: Type) -> VarId:
    return ctx.temporary("(?:)", type, expr.span)


def select_branch(expr: syn.Conditional, test: Expr, then: list[Stmt], otherwise: list[Stmt]) -> If:
    return If(test, tuple(then), tuple(otherwise), IfKind.SELECT, expr.condition.span, expr.span)


def _conditional_effects(ctx: Lowering, expr: syn.Conditional) -> None:
    test = condition(ctx, expr.condition)
    with ctx.block() as then:
        effects(ctx, expr.then)
    with ctx.block() as otherwise:
        effects(ctx, expr.otherwise)
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
