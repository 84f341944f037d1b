"""Expressions: what each one denotes, with its side effects emitted in C's order of evaluation.

`operand` is the one dispatcher.  Sums, products and chains of `&&`, `||` and `,` are left-deep trees that can be
thousands of operators deep; they are lowered along their left spine with a loop, everything else by recursion
(the reader bounds the nesting).

Order of evaluation is C++17's where that defines one (the right side of an assignment before its left side) and
left to right elsewhere; `ctx.keep` preserves what a left operand was worth.
"""

from __future__ import annotations

from dataclasses import replace

from analysis_core.ir import constants, layout
from analysis_core.ir.literals import literal
from analysis_core.ir.nodes import (
    LAUNCHED,
    Assign,
    Binary,
    Const,
    Expr,
    If,
    IfKind,
    Local,
    Stmt,
    UnknownExpr,
    UnknownStmt,
)
from analysis_core.ir.scalars import SIZE_T
from analysis_core.ir.spelling import spelling
from analysis_core.ir.type_names import spell
from analysis_core.ir.types import BOOL, INT, ArrayType, OpaqueType, StructType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import names, resolve, structured_bindings
from analysis_core.lower.names.scope import PackBinding
from analysis_core.lower.objects import (
    class_conversions,
    class_operators,
    conversions,
    copies,
    member_pointers,
    offsets,
    references,
)
from analysis_core.lower.statements import (
    folds,
    lower_assignments,
    lower_calls,
    lower_casts,
    lower_closures,
    lower_conditional,
    lower_lvalues,
    lower_operators,
)
from analysis_core.lower.values import (
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
from analysis_core.syntax.read import tree as syn

_WITHOUT_EFFECTS = frozenset({"result of inline assembly", "a table of constants, not read", "typeid", "noexcept"})
"""Reasons of the reader for which an unread expression changes nothing."""


def operand(ctx: Lowering, expr: syn.Expr) -> Operand:
    """What `expr` denotes; its side effects are emitted.  Places stay places: `rvalue` reads them."""
    ctx.step()
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
            return lower_conditional.conditional(ctx, expr)
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
        case syn.SizeOf() | syn.OffsetOf():
            return offsets.offset_of(ctx, expr) if isinstance(expr, syn.OffsetOf) else _size_of(ctx, expr)
        case syn.Lambda():
            return lower_closures.closure(ctx, expr)
        case syn.KernelLaunch():
            return _launch(ctx, expr)
        case syn.InitList():
            return _list(ctx, expr)
        case syn.Fold():
            return folds.fold(ctx, expr)
        case syn.Part():
            return structured_bindings.part(ctx, expr)
        case syn.OpaqueExpr():
            return _unread(ctx, expr)
        case _:
            return opaque(ctx, ctx.cause(CauseKind.READER, "an expression that is not understood", expr.span), expr)


def _unread(ctx: Lowering, expr: syn.OpaqueExpr) -> Operand:
    """What the reader did not understand; a part that it did is evaluated for its effects."""
    cause, part = expr.cause, expr.part
    found = ctx.cause(cause.kind, cause.reason, cause.span)
    if part is not None:
        rvalue(ctx, part)
    if part is not None or cause.reason in _WITHOUT_EFFECTS:
        return unknown_value(found, OpaqueType("?", cause.reason))
    return opaque(ctx, found, expr)


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
            number = class_conversions.number_of(ctx, loaded, node) if isinstance(loaded, StructValue) else None
            if isinstance(number, Value):
                return number
            what = "a struct" if isinstance(loaded, StructValue | ArrayValue) else "a function or library object"
            reason = f"`{spelling(node)}` is {what} where a number or a pointer is needed"
            cause = ctx.cause(CauseKind.UNSUPPORTED, reason, node.span)
            return unknown_value(cause, OpaqueType(spell(type_of(loaded)), reason))


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
        case syn.Binary(op="&&" | "||" | "," as op) if class_operators.is_overloaded(ctx, op):
            operand(ctx, expr)
        case syn.Binary(op=","):
            for part in _comma_parts(expr):
                effects(ctx, part)
        case syn.Binary(op="&&" | "||", left=left, right=right):
            _guarded_effects(ctx, expr, left, right)
        case syn.Conditional():
            lower_conditional.conditional_effects(ctx, expr)
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
        found = constants.fold(result.expr)
    if found is not None and ctx.unit.observer is not None:
        ctx.unit.observer.folded(ctx, expr, found)
    return found


def type_of_expression(ctx: Lowering, expr: syn.Expr) -> Type:
    """The type of `expr`, which is not evaluated; arrays do not decay."""
    with ctx.scratch(types_only=True):
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
        args = target.template_args if isinstance(target, syn.NamedType) else None
        named_type = target if isinstance(target, syn.NamedType) and target.operand is None else None
        if named_type is not None and resolve.find_qualified(ctx, named_type.name, args, named_type.parts) is None:
            name = syn.Name(span=target.span, name=named_type.name, template_args=args, parts=named_type.parts)
            with ctx.scratch():
                named = names.lookup(ctx, name)
            if named is not None and expr.operator == "alignas":
                return as_value(ctx, rvalue(ctx, name), name)
            type = type_of(named) if named is not None else resolve.qualified(ctx, target).type
        else:
            type = resolve.qualified(ctx, target).type  # that of a reference is of what it refers to
    else:
        type = type_of_expression(ctx, target)
        if isinstance(type, OpaqueType) and type.name == "?":  # what is not understood has no size to be assumed
            return ctx.unknown(
                CauseKind.UNSUPPORTED, f"the size of what is not understood: {type.why}", expr.span, SIZE_T
            )
    guess = next(layout.guesses_in(type), None)
    if guess is not None:
        reason = f"the size of `{guess.name}` is not known: {guess.why}"
        return ctx.unknown(CauseKind.MISSING, reason, expr.span, SIZE_T)
    if expr.operator == "sizeof":
        return Value(resolve.size_expr(ctx, type), SIZE_T)
    said = resolve.qualified(ctx, target).align if isinstance(target, syn.TypeNode) else 0
    return Value(resolve.alignment_expr(ctx, type, said), SIZE_T)


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
    cause = ctx.cause(CauseKind.UNSUPPORTED, LAUNCHED, expr.span)
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
    if isinstance(place, ArrayValue):
        chosen = constant(ctx, index)
        if chosen is not None and isinstance(chosen.value, int) and 0 <= chosen.value < len(place.elements):
            return place.elements[chosen.value]
    if not isinstance(place, Memory | StructPlace | Register) or not isinstance(type_of(place), ArrayType | StructType):
        place = lower_lvalues.load(ctx, place, base)
    mark = ctx.mark()
    position = rvalue(ctx, index)
    return lower_lvalues.subscript(ctx, kept(ctx, place, mark), position, expr)


def kept(ctx: Lowering, operand_: Operand, mark: int) -> Operand:
    """`ctx.keep` for an operand that was lowered at `mark`."""
    match operand_:
        case Value(expr=expr):
            same = ctx.keep(expr, mark)
            return operand_ if same is expr else replace(operand_, expr=same)
        case Memory(address=address):
            return replace(operand_, address=ctx.keep(address, mark))
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
    pointer = member_pointers.address_of_member(ctx, expr)
    if pointer is not None:
        return pointer
    inner = operand(ctx, expr.operand)
    if expr.op == "&":
        if class_operators.is_overloaded(ctx, "&") and isinstance(resolve.complete(ctx, type_of(inner)), StructType):
            found = lower_calls.lower_operator(ctx, "&", (inner,), expr)
            if found is not None:
                return found
        return lower_lvalues.address_of(ctx, inner, expr.operand)
    if expr.op == "*":
        return lower_lvalues.dereference(ctx, inner, expr.operand)
    if class_operators.changes_operand(ctx, expr.op, inner):
        found = lower_calls.lower_operator(ctx, expr.op, (inner,), expr)
        if found is not None:
            return found
    loaded = lower_lvalues.load(ctx, inner, expr.operand)
    return lower_operators.unary(ctx, expr, loaded)


def _spine(ctx: Lowering, expr: syn.Binary) -> Operand:
    """A left-deep chain of binary operators, from its innermost left operand outwards."""
    chain: list[syn.Binary] = []
    node: syn.Expr = expr
    while isinstance(node, syn.Binary):
        chain.append(node)
        node = node.left
    if chain[-1].op == "," and not class_operators.is_overloaded(ctx, ","):
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
    if expr.op in ("&&", "||", ",") and class_operators.calls_operator(ctx, expr, left):
        mark = ctx.mark()
        right = copies.object_of(ctx, expr.right)
        found = lower_calls.lower_operator(ctx, expr.op, (kept(ctx, left, mark), right), expr)
        assert found is not None
        return found
    if expr.op == ",":
        return operand(ctx, expr.right)
    if not copies.stays_place(ctx, left) and not class_operators.changes_operand(ctx, expr.op, left):
        left = lower_lvalues.load(ctx, left, expr.left)
    if expr.op in ("&&", "||"):
        loaded = lower_lvalues.load(ctx, left, expr.left)
        unseen = class_operators.of_enumeration(ctx, expr.op, (loaded, loaded), expr)
        if unseen is not None:
            return _logical(ctx, expr, truth(ctx, loaded, expr.left), unseen)
        return _logical(ctx, expr, truth(ctx, loaded, expr.left), _no_truth(ctx, loaded, expr.left))
    mark = ctx.mark()
    right = copies.object_of(ctx, expr.right)
    return lower_operators.binary(ctx, expr.op, kept(ctx, left, mark), right, expr)


def _comma_parts(expr: syn.Binary) -> list[syn.Expr]:
    parts: list[syn.Expr] = []
    node: syn.Expr = expr
    while isinstance(node, syn.Binary) and node.op == ",":
        parts.append(node.right)
        node = node.left
    parts.append(node)
    return parts[::-1]


def _no_truth(ctx: Lowering, loaded: Operand, node: syn.Expr) -> Cause | None:
    """Why an operand of `&&` or `||` is none of the built-in ones, which are numbers: then an operator that nobody sees is meant."""
    if isinstance(loaded, Value) and not isinstance(loaded.type, OpaqueType):
        return None
    test = truth(ctx, loaded, node)
    return test.cause if isinstance(test, UnknownExpr) else None


def _logical(ctx: Lowering, expr: syn.Binary, left: Expr, unseen: Cause | None = None) -> Value:
    """`&&` and `||`: one `Binary` if the right side is pure, else a branch that assigns the result.

    `unseen`: why it is not known what the operator gives."""
    with ctx.block() as block:
        loaded = rvalue(ctx, expr.right)
        right = truth(ctx, loaded, expr.right)
        unseen = unseen or _no_truth(ctx, loaded, expr.right)
    if unseen is not None:
        ctx.emit(If(UnknownExpr(unseen, BOOL), tuple(block), (), IfKind.AND, expr.left.span, expr.span))
        return unknown_value(unseen, OpaqueType("?", unseen.reason))
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
