"""Initialisation: brace lists with brace elision and designators, constructors, default member initialisers.

Large arrays are zero-filled by a loop, as a compiler does it, not by hundreds of stores.
"""

from __future__ import annotations

from dataclasses import replace

from analysis_core.ir.constants import constant
from analysis_core.ir.nodes import Assign, Binary, Const, Expr, Local, Loop, LoopKind, UnknownExpr, UnknownStmt
from analysis_core.ir.type_names import spell
from analysis_core.ir.types import BOOL, INT, ArrayType, OpaqueType, PointerType, ScalarType, StructType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import overloads, packs, resolve
from analysis_core.lower.names.scope import RecordInstance, Scope
from analysis_core.lower.objects import (
    base_parts,
    class_conversions,
    constructors,
    conversions,
    copies,
    methods,
    references,
)
from analysis_core.lower.statements import inline, lower_calls, lower_expressions, lower_lvalues
from analysis_core.lower.values import ArrayValue, Memory, Operand, StructValue, Value, type_of
from analysis_core.support.facts import Cause, CauseKind
from analysis_core.syntax.read import tree as syn
from analysis_core.text.records import dataclass

UNROLLED_ZEROS = 64
"""Elements that are zeroed by a store each; more by a loop."""


def initialise(ctx: Lowering, place: Operand, init: syn.Expr, node: syn.Node) -> None:
    """Gives a new variable its value; `node` spells the variable."""
    type = resolve.complete(ctx, type_of(place))
    match init:
        case syn.InitList():
            _from_list(ctx, place, type, init, node)
        case syn.Construct(args=args, braces=braces) if isinstance(type, ArrayType) and braces:
            items = syn.InitList(span=init.span, items=args, designators=(None,) * len(args))
            _from_list(ctx, place, type, items, node)
        case syn.Literal(kind=syn.LiteralKind.STRING) if isinstance(type, ArrayType) and isinstance(place, Memory):
            _from_string(ctx, place, type, init, node)
        case _:
            lower_lvalues.store(ctx, place, copies.initial_value(ctx, init, type), node)


def default_initialise(ctx: Lowering, place: Operand, node: syn.Node) -> None:
    """`T x;`: a user-declared default constructor, or the default member initialisers; scalars stay as they are."""
    type = type_of(place)
    if isinstance(type, ArrayType) and isinstance(place, Memory):
        _default_elements(ctx, place, type, node)
        return
    ctx.step()
    if not isinstance(type, StructType):
        return
    if type.name == "dim3":
        ones = StructValue(type, tuple(Value(Const(1, f.type), f.type) for f in type.fields))
        lower_lvalues.store(ctx, place, ones, node)
    instance = ctx.instances.get(type.name)
    if instance is None:
        return
    definition = instance.definition
    declared = [m for m in definition.methods if m.name == definition.name and overloads.takes(m, 0)]
    if any("default" not in m.qualifiers for m in declared):
        made = lower_calls.construct(ctx, type, (), node)
        if made is None:
            reason = f"the constructor of `{definition.name}` is not visible"
            made = inline.opaque_call(ctx, CauseKind.MISSING, reason, [place], type, node.span)
        lower_lvalues.store(ctx, place, made, node)
        return
    for base in type.bases:
        part = base_parts.part(ctx, place, base)
        if part is not None:
            default_initialise(ctx, base_parts.under_construction(part, base.type), node)
    for field in definition.fields:
        if field.storage & {"static", "constexpr"}:
            continue
        if field.init is not None:
            _by_default(ctx, place, instance, field, node)
        elif any(f.name == field.name and _is_constructed(ctx, f.type, {}) for f in type.own_fields):
            default_initialise(ctx, lower_lvalues.member(ctx, place, field.name, node), node)


def _by_default(ctx: Lowering, place: Operand, instance: RecordInstance, field: syn.VarDecl, node: syn.Node) -> None:
    """A member by its default initialiser, which may name other members."""
    assert field.init is not None
    target = lower_lvalues.member(ctx, place, field.name, node)
    outer = ctx.frame
    ctx.frame = replace(outer, this=methods.this_of(ctx, place, node))
    try:
        with ctx.in_scope(Scope(None, instance.scope.namespace, dict(instance.scope.bindings))):
            if isinstance(field.type, syn.ReferenceTo):
                references.bind(ctx, target, field.init, node)
            else:
                initialise(ctx, target, field.init, node)
    finally:
        ctx.frame = outer


def _default_elements(ctx: Lowering, place: Memory, type: ArrayType, node: syn.Node) -> None:
    """`T x[4];` constructs every element."""
    if not _is_constructed(ctx, type, {}):
        return
    count = int(type.extent.value) if isinstance(type.extent, Const) else None
    if count is None or count > lower_lvalues.COPIED_ELEMENTS:
        cause = ctx.cause(CauseKind.UNSUPPORTED, "the elements of an array are constructed", node.span)
        ctx.emit(UnknownStmt(cause, (), memory=True, leaves=False, span=node.span))
        return
    for i in range(count):
        default_initialise(ctx, lower_lvalues.element_at(ctx, place, type, i), node)


def _is_constructed(ctx: Lowering, type: Type, known: dict[str, bool]) -> bool:
    """Whether a new object of the type, or some part of it, is given a value without being asked for. `known`: of these classes."""
    while isinstance(type, ArrayType):
        type = type.element
    if not isinstance(type, StructType):
        return False
    if type.name not in known:
        known[type.name] = type.name == "dim3"  # a class that is a part of itself is none
        known[type.name] |= _gives_values(ctx, type) or any(_is_constructed(ctx, f.type, known) for f in type.fields)
    return known[type.name]


def _gives_values(ctx: Lowering, type: StructType) -> bool:
    """Whether the class itself says what new objects hold."""
    instance = ctx.instances.get(type.name)
    if instance is None:
        return False
    definition = instance.definition
    members = (f for f in definition.fields if not f.storage & {"static", "constexpr"})
    return any(m.name == definition.name for m in definition.methods) or any(f.init is not None for f in members)


def zero(ctx: Lowering, type: Type, node: syn.Node) -> Operand:
    """The value-initialised object of any type."""
    match type:
        case StructType(fields=fields):
            return StructValue(type, tuple(zero(ctx, field.type, node) for field in fields))
        case ArrayType(element=element, extent=extent):
            count = int(extent.value) if isinstance(extent, Const) else 0
            one = zero(ctx, element, node)
            return ArrayValue(type, (one,) * count if count <= lower_lvalues.COPIED_ELEMENTS else ())
        case OpaqueType():
            return Value(Const(0, type), type)
        case ScalarType() | PointerType():
            return Value(constant(0, type) or Const(0, type), type)


@dataclass(slots=True)
class _Cursor:
    """The items of a brace list that are not used yet."""

    items: tuple[syn.Expr, ...]
    designators: tuple[str | None, ...]
    next: int = 0

    def more(self) -> bool:
        return self.next < len(self.items)

    def designator(self) -> str | None:
        return self.designators[self.next] if self.next < len(self.designators) else None

    def peek(self) -> syn.Expr:
        return self.items[self.next]

    def take(self) -> syn.Expr:
        self.next += 1
        return self.items[self.next - 1]


def _from_list(ctx: Lowering, place: Operand, type: Type, init: syn.InitList, node: syn.Node) -> None:
    written = packs.expressions(ctx, init.items)
    if written != init.items:
        init = syn.InitList(span=init.span, expansion=init.expansion, items=written, designators=(None,) * len(written))
    if isinstance(type, StructType | OpaqueType):
        made = lower_calls.construct(ctx, type, init.items, init)
        if made is not None:
            lower_lvalues.store(ctx, place, made, node)
            return
    # `T x = {y}` with y of type T is a copy.
    if isinstance(type, StructType) and len(init.items) == 1 and not isinstance(init.items[0], syn.InitList):
        if conversions.same_type(lower_expressions.type_of_expression(ctx, init.items[0]), type):
            lower_lvalues.store(ctx, place, copies.initial_value(ctx, init.items[0], type), node)
            return
    if isinstance(type, StructType) and constructors.has_own(ctx, type, for_nothing=not init.items):
        _by_unknown_constructor(ctx, place, type, init, node)
        return
    if isinstance(type, StructType) and type.name == "dim3":  # which has constructors
        ones = tuple(syn.Literal(span=init.span, kind=syn.LiteralKind.INT, text="1") for _ in range(3))
        init = replace(init, items=(*init.items, *ones[len(init.items) :]), designators=())
    cursor = _Cursor(init.items, init.designators)
    _fill(ctx, place, type, cursor, node)
    while cursor.more():  # Excess items are ill-formed; their effects are kept.
        item = cursor.take()
        if not isinstance(item, syn.InitList):
            lower_expressions.effects(ctx, item)


def _by_unknown_constructor(
    ctx: Lowering, place: Operand, type: StructType, init: syn.InitList, node: syn.Node
) -> None:
    """A class with constructors of its own, none of which is seen to take the list: it is no aggregate."""
    for item in init.items:
        if not isinstance(item, syn.InitList):
            lower_expressions.effects(ctx, item)
    reason = f"which constructor of `{spell(type)}` is meant"
    made = inline.opaque_call(ctx, CauseKind.UNSUPPORTED, reason, [place], type, node.span)
    lower_lvalues.store(ctx, place, made, node)


def _empty(ctx: Lowering, place: Operand, type: Type, node: syn.Node) -> None:
    """An element that a list has no item for: as if initialised from `{}`."""
    if isinstance(type, StructType):
        _from_list(ctx, place, type, syn.InitList(span=node.span, items=(), designators=()), node)
    else:
        _fill(ctx, place, type, _Cursor((), ()), node)


def _fill(ctx: Lowering, place: Operand, type: Type, cursor: _Cursor, node: syn.Node) -> None:
    match type:
        case ArrayType():
            _fill_array(ctx, place, type, cursor, node)
        case StructType():
            _fill_struct(ctx, place, type, cursor, node)
        case _ if cursor.more():
            item = cursor.take()
            if isinstance(item, syn.InitList):
                _from_list(ctx, place, type, item, node)
            else:
                lower_lvalues.store(ctx, place, lower_expressions.rvalue(ctx, item), node)
        case _:
            lower_lvalues.store(ctx, place, zero(ctx, type, node), node)


def _fill_array(ctx: Lowering, place: Operand, type: ArrayType, cursor: _Cursor, node: syn.Node) -> None:
    if not isinstance(place, Memory):
        return
    count = int(type.extent.value) if isinstance(type.extent, Const) else len(cursor.items)
    given: set[int] = set()
    position = 0
    while cursor.more():
        designated = _designated_index(ctx, cursor)
        position = position if designated is None else designated
        if position >= count:
            break
        _element(ctx, lower_lvalues.element_at(ctx, place, type, position), cursor, node)
        given.add(position)
        position += 1
    missing = [i for i in range(min(count, UNROLLED_ZEROS * 4)) if i not in given]
    if count - len(given) <= UNROLLED_ZEROS:
        for i in missing:
            element = lower_lvalues.element_at(ctx, place, type, i)
            _empty(ctx, element, type.element, node)
    else:
        _zero_loop(ctx, place, type, max(given, default=-1) + 1, count, node)


def _zero_loop(ctx: Lowering, place: Memory, type: ArrayType, start: int, count: int, node: syn.Node) -> None:
    counter = ctx.temporary("(element)", INT, node.span)
    index: Expr = Local(counter, INT)
    ctx.emit(Assign(counter, Const(start, INT), node.span))
    with ctx.block() as body:
        element = lower_lvalues.indexed(ctx, place.address, type.element, index, place.volatile)
        _empty(ctx, element, type.element, node)
    step = Assign(counter, Binary("+", index, Const(1, INT), INT), node.span)
    test = Binary("<", index, Const(count, INT), BOOL)
    ctx.emit(Loop(LoopKind.FOR, (), test, tuple(body), (step,), node.span, node.span))


def _designated_index(ctx: Lowering, cursor: _Cursor) -> int | None:
    text = cursor.designator()
    if text is None or not text.startswith("["):
        return None
    digits = text.strip("[] ")
    return int(digits) if digits.isdecimal() and len(digits) < 10 else None


@dataclass(frozen=True, slots=True)
class _Element:
    """What one item of a brace list initialises: a member, or (`inner`) an anonymous struct or union."""

    name: str
    inner: StructType | None

    def holds(self, name: str) -> bool:
        return self.name == name if self.inner is None else any(f.name == name for f in self.inner.fields)


def _elements(ctx: Lowering, type: StructType) -> list[_Element]:
    """The members of an aggregate in order; the layout has the members of anonymous ones among its own."""
    instance = ctx.instances.get(type.name)
    if instance is None or all(f.name for f in instance.definition.fields):
        return [_Element(field.name, None) for field in type.own_fields]
    found: list[_Element] = []
    with ctx.in_scope(instance.scope):
        for member in instance.definition.fields:
            inner = None if member.name else resolve.resolve_type(ctx, member.type)
            if member.storage & {"static", "constexpr"}:
                continue
            if member.name or isinstance(inner, StructType):
                found.append(_Element(member.name, inner if isinstance(inner, StructType) else None))
    return found


def _fill_bases(ctx: Lowering, place: Operand, type: StructType, cursor: _Cursor, node: syn.Node) -> None:
    """The bases of an aggregate are its first elements."""
    for base in type.bases:
        part = base_parts.part(ctx, place, base)
        if part is not None and cursor.more() and not cursor.designator():
            _element(ctx, part, cursor, node)
        elif part is not None:
            _empty(ctx, part, base.type, node)


def _fill_struct(ctx: Lowering, place: Operand, type: StructType, cursor: _Cursor, node: syn.Node) -> None:
    _fill_bases(ctx, place, type, cursor, node)
    given: set[str] = set()
    elements = _elements(ctx, type)
    references_ = {field.name for field in type.own_fields if field.reference}
    position = 0
    while cursor.more() and position < len(elements):
        designator = (cursor.designator() or "").strip()
        wanted = designator[1:].strip() if designator.startswith(".") else ""
        position = next((i for i, e in enumerate(elements) if wanted and e.holds(wanted)), position)
        element = elements[position]
        if element.inner is not None and not wanted:
            given.update(field.name for field in element.inner.fields)
            part = methods.base_place(ctx, place, element.inner)
            if part is not None:
                _element(ctx, part, cursor, node)
            elif isinstance(cursor.peek(), syn.InitList):
                cursor.take()
        else:
            name = wanted or element.name
            target = lower_lvalues.member(ctx, place, name, node)
            if name in references_:
                references.bind(ctx, target, cursor.take(), node)
            else:
                _element(ctx, target, cursor, node)
            given.update(_sharing(ctx, element.inner) or {name})
        position += 1
        if _is_union(ctx, type):
            return
    if not (_is_union(ctx, type) and given):
        _fill_missing(ctx, place, type, given, node)


def _fill_missing(ctx: Lowering, place: Operand, type: StructType, given: set[str], node: syn.Node) -> None:
    """The members without an item: by default, else as if from `{}`; of a union the first one."""
    instance = ctx.instances.get(type.name)
    declared = {} if instance is None else {field.name: field for field in instance.definition.fields}
    for field in type.own_fields:
        if field.name in given:
            continue
        default = declared.get(field.name)
        if default is not None and default.init is not None and instance is not None:
            _by_default(ctx, place, instance, default, node)
        else:
            _empty(ctx, lower_lvalues.member(ctx, place, field.name, node), field.type, node)
        if _is_union(ctx, type):
            return


def _sharing(ctx: Lowering, inner: StructType | None) -> set[str]:
    """The members of an anonymous union: initialising one is initialising all."""
    if inner is None or not _is_union(ctx, inner):
        return set()
    return {field.name for field in inner.fields}


def _is_union(ctx: Lowering, type: StructType) -> bool:
    instance = ctx.instances.get(type.name)
    return instance is not None and instance.definition.keyword == "union"


def _element(ctx: Lowering, place: Operand, cursor: _Cursor, node: syn.Node) -> None:
    """One element or member: from its own braces, from one expression, or (brace elision) from the outer list."""
    type = resolve.complete(ctx, type_of(place))
    item = cursor.peek()
    if isinstance(item, syn.InitList):
        cursor.take()
        _from_list(ctx, place, type, item, node)
        return
    if isinstance(type, ArrayType) and not _is_string(item):
        _fill(ctx, place, type, cursor, node)
        return
    if isinstance(type, StructType):
        given = lower_expressions.type_of_expression(ctx, item)
        if not isinstance(given, OpaqueType) and not _initialises(ctx, given, type):
            _fill(ctx, place, type, cursor, node)
            return
    initialise(ctx, place, cursor.take(), node)


def _initialises(ctx: Lowering, given: Type, type: StructType) -> bool:
    """Whether an expression initialises the member as a whole, so that braces are not elided ([dcl.init.aggr])."""
    return (
        copies.is_own(ctx, given, type)
        or constructors.has_own(ctx, type)
        or class_conversions.converts(ctx, given, type)
    )


def _is_string(item: syn.Expr) -> bool:
    return isinstance(item, syn.Literal) and item.kind is syn.LiteralKind.STRING


def _from_string(ctx: Lowering, place: Memory, type: ArrayType, init: syn.Literal, node: syn.Node) -> None:
    """The characters of a string literal are contents nobody asks about: each element becomes unknown data."""
    cause = Cause(CauseKind.DATA, "the characters of a string literal", init.span)
    count = int(type.extent.value) if isinstance(type.extent, Const) else 0
    for i in range(min(count, UNROLLED_ZEROS)):
        element = lower_lvalues.element_at(ctx, place, type, i)
        lower_lvalues.store(ctx, element, Value(UnknownExpr(cause, type.element), type.element), node)
