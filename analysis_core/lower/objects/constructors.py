"""Constructors: member initialisers in the order of the members, bases first, then the body, all as one `Inlined`.

The object is a fresh place; `this` is a pointer to it, so members held in registers stay there.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace

from analysis_core.ir.nodes import Inlined, Return
from analysis_core.ir.types import VOID, StructType, Type
from analysis_core.lower.context import Frame, Lowering
from analysis_core.lower.names import overloads, resolve
from analysis_core.lower.names.scope import RecordInstance
from analysis_core.lower.objects import (
    base_parts,
    bind_parameters,
    conversions,
    copies,
    destructors,
    inherited_constructors,
    methods,
    references,
)
from analysis_core.lower.statements import inline, lower_declarations, lower_expressions, lower_lvalues
from analysis_core.lower.statements.arguments import Argument
from analysis_core.lower.values import Category, Operand, type_of, with_category
from analysis_core.support.facts import CauseKind
from analysis_core.syntax.read import tree as syn


def construct(ctx: Lowering, type: Type, args: Sequence[syn.Expr], node: syn.Node) -> Operand | None:
    """A new object made by a constructor of the user's; None if the class declares none that applies."""
    instance = methods.instance_of(ctx, type)
    if instance is None or not isinstance(type, StructType):
        return None
    constructors = constructors_of(ctx, instance)
    if not constructors and not copies.runs_code(ctx, type):
        return None
    if _is_copy(ctx, type, args):
        return copies.initial_value(ctx, args[0], type)
    if not constructors:
        return None
    arguments = inline.evaluate(ctx, args)
    return construct_from(ctx, type, instance, constructors, arguments, node)


def _is_copy(ctx: Lowering, type: StructType, args: Sequence[syn.Expr]) -> bool:
    """Whether the one argument is an object of the class (or of a derived one)."""
    if len(args) != 1 or isinstance(args[0], syn.InitList) or inline.argument_count(ctx, args) != 1:
        return False
    return copies.is_own(ctx, lower_expressions.type_of_expression(ctx, args[0]), type)


def constructors_of(ctx: Lowering, instance: RecordInstance) -> list[methods.Method]:
    """The constructors with a body, inherited ones included. Defaulted constructors are left out: they only initialise
    members."""
    name = instance.definition.name
    if not name:
        return []
    defined = (methods.defined(ctx, instance, m) for m in instance.definition.methods if m.name == name)
    own = [m for m in defined if m.declaration.body is not None]
    return [*own, *inherited_constructors.inherited(ctx, instance)]


def has_own(ctx: Lowering, type: Type, for_nothing: bool = False) -> bool:
    """Whether the class has constructors that somebody wrote: then it is no aggregate ([dcl.init.aggr]).  `for_nothing`: and none of
    them is `C() = default`, by which members are set as in an aggregate ([dcl.init.list])."""
    instance = methods.instance_of(ctx, type) if isinstance(type, StructType) else None
    if instance is None:
        return False
    definition = instance.definition
    own = [m for m in definition.methods if m.name == definition.name]
    if for_nothing and any("default" in m.qualifiers and not m.parameters for m in own):
        return False
    inherited = (n for n in definition.nested if isinstance(n, syn.UsingDecl) and not n.namespace)
    return any(not {"default", "delete"} & m.qualifiers for m in own) or any(
        names_constructor(n.target) for n in inherited
    )


def names_constructor(target: str) -> bool:
    """`using Base::Base;`."""
    parts = target.split("::")
    return len(parts) > 1 and parts[-1] == parts[-2]


def construct_from(
    ctx: Lowering,
    type: StructType,
    instance: RecordInstance,
    constructors: Sequence[methods.Method],
    arguments: Sequence[Argument],
    node: syn.Node,
) -> Operand | None:
    chosen = _choose_constructor(ctx, constructors, arguments)
    if chosen is None:
        return None
    place = lower_declarations.declare_place(ctx, f"({instance.definition.name})", type, node.span)
    this = methods.this_of(ctx, place, node)
    if this is None:
        return None
    run_constructor(ctx, chosen, instance, place, this, arguments, node)
    destructors.made(ctx, type)
    return with_category(place, Category.PRVALUE)


def _choose_constructor(
    ctx: Lowering, constructors: Sequence[methods.Method], arguments: Sequence[Argument]
) -> methods.Method | None:
    operands = [a.operand for a in arguments]
    declarations = [c.declaration for c in constructors]
    nodes = [a.node for a in arguments]
    choice = overloads.choose(ctx, declarations, None, operands, constructors[0].bindings, nodes)
    return None if choice.best is None else methods.Method(choice.best.declaration, choice.best.bindings)


def run_constructor(
    ctx: Lowering,
    chosen: methods.Method,
    instance: RecordInstance,
    place: Operand,
    this: Operand,
    arguments: Sequence[Argument],
    node: syn.Node,
) -> None:
    """Member initialisers in the order of the members, then the body: one `Inlined`."""
    declaration = chosen.declaration
    ctx.called(node, declaration, chosen.bindings)
    refused = inline.refusal(ctx, declaration, chosen.bindings)
    if refused is not None:
        operands = [*(a.operand for a in arguments), this]
        inline.opaque_call(ctx, *refused, operands, VOID, node.span)
        return
    scope = inline.function_scope(declaration, chosen.bindings)
    bound = bind_parameters.bind_arguments(ctx, declaration.parameters, arguments, scope, declaration.body, node)
    frame = Frame(declaration.name, declaration, scope, on_return=_no_value, this=this)
    with ctx.block() as block, ctx.inlining(frame, node.span):
        for one in bound:
            bind_parameters.copy_in(ctx, one, node)
        _initialise_members(ctx, declaration, instance, place, this, node)
        if declaration.body is not None:
            inline.lower_body(ctx, declaration.body)
    if block and isinstance(block[-1], Return):
        block.pop()
    ctx.emit(Inlined(declaration.name, tuple(block), node.span))


def _no_value(ctx: Lowering, stmt: syn.Return) -> None:
    """`return;` in a constructor."""


def _initialise_members(
    ctx: Lowering,
    declaration: syn.FunctionDecl,
    instance: RecordInstance,
    place: Operand,
    this: Operand,
    node: syn.Node,
) -> None:
    written = dict(declaration.initialisers)
    own = instance.definition.name
    if own in written:  # A delegating constructor has no other initialiser.
        _delegate(ctx, instance, place, this, written[own], node)
        return
    for base_node in instance.definition.bases:
        with ctx.in_scope(instance.scope):
            type = resolve.complete(ctx, resolve.resolve_type(ctx, base_node))
        if isinstance(type, StructType):
            _construct_base(ctx, type, place, _of_base(ctx, instance, base_node, type, written), node)
    for member in _initialised(instance.definition, written):
        target = lower_lvalues.member(ctx, place, member.name, node)
        if isinstance(member.type, syn.ReferenceTo):
            _bind_reference(ctx, instance, target, written.get(member.name, ()), member, node)
        elif member.name in written:
            _initialise_member(ctx, target, written[member.name], node)
        elif member.init is not None:
            with ctx.in_scope(instance.scope):
                lower_declarations.initialise(ctx, target, member.init, member.init)
        else:
            lower_declarations.default_initialise(ctx, target, node)


def _of_base(
    ctx: Lowering,
    instance: RecordInstance,
    base: syn.NamedType,
    type: StructType,
    written: Mapping[str, tuple[syn.Expr, ...]],
) -> tuple[syn.Expr, ...]:
    """What a base is initialised with: behind its name, or behind another name of its type (`typedef Base<T> Parent; .. : Parent(x)`)."""
    for name in (base.name, base.name.rpartition("::")[2]):
        if name in written:
            return written[name]
    members = {member.name for member in _initialised(instance.definition, written)}
    for name in (name for name in written if name not in members):
        other = replace(base, name=name, template_args=None, parts=())
        with ctx.scratch(), ctx.in_scope(instance.scope):
            if resolve.complete(ctx, resolve.resolve_type(ctx, other)) == type:
                return written[name]
    return ()


def _initialised(definition: syn.RecordDef, written: Container[str]) -> Iterator[syn.VarDecl]:
    """The data members that a constructor initialises, those of anonymous structs and unions too: of a union at most those that are written,
    or have an initialiser of their own ([class.base.init])."""
    for member in definition.fields:
        inner = member.type.definition if isinstance(member.type, syn.RecordType) and not member.name else None
        if member.storage & {"static", "constexpr"}:
            continue
        if isinstance(inner, syn.RecordDef):
            yield from _initialised(inner, written)
        elif definition.keyword != "union" or member.name in written or member.init is not None:
            yield member


def _bind_reference(
    ctx: Lowering,
    instance: RecordInstance,
    target: Operand,
    args: Sequence[syn.Expr],
    member: syn.VarDecl,
    node: syn.Node,
) -> None:
    if len(args) == 1:
        references.bind(ctx, target, args[0], node)
    elif member.init is not None:
        with ctx.in_scope(instance.scope):
            references.bind(ctx, target, member.init, node)


def _delegate(
    ctx: Lowering, instance: RecordInstance, place: Operand, this: Operand, args: Sequence[syn.Expr], node: syn.Node
) -> None:
    """Runs a constructor of a base (or another of the same class) on the object under construction."""
    constructors = constructors_of(ctx, instance)
    arguments = inline.evaluate(ctx, args)
    chosen = _choose_constructor(ctx, constructors, arguments) if constructors else None
    if chosen is not None:
        run_constructor(ctx, chosen, instance, place, this, arguments, node)
    else:
        reason = f"which constructor of `{instance.definition.name}` is meant"
        inline.opaque_call(ctx, CauseKind.UNSUPPORTED, reason, [*(a.operand for a in arguments), this], VOID, node.span)


def _construct_base(ctx: Lowering, type: StructType, place: Operand, args: Sequence[syn.Expr], node: syn.Node) -> None:
    """A base of the object under construction: by its constructor, as a copy, or member by member."""
    base = methods.instance_of(ctx, type)
    part = methods.base_place(ctx, place, type)
    if base is None or part is None:
        return
    part = base_parts.under_construction(part, type)
    this = methods.this_of(ctx, part, node)
    if this is None:
        return
    if _is_copy(ctx, type, args):
        value = conversions.convert(ctx, copies.initial_value(ctx, args[0], type), type, args[0])
        lower_lvalues.store(ctx, part, value, node)
    elif constructors_of(ctx, base) and (args or not _is_generated(base)):
        _delegate(ctx, base, part, this, args, node)
    elif args:
        items = syn.InitList(span=node.span, items=tuple(args), designators=(None,) * len(args))
        lower_declarations.initialise(ctx, part, items, items)
    else:
        lower_declarations.default_initialise(ctx, part, node)


def _is_generated(instance: RecordInstance) -> bool:
    """Whether the default constructor is `= default`."""
    mine = (m for m in instance.definition.methods if m.name == instance.definition.name and not m.parameters)
    return any("default" in m.qualifiers for m in mine)


def _initialise_member(ctx: Lowering, target: Operand, args: Sequence[syn.Expr], node: syn.Node) -> None:
    type = type_of(target)
    made = construct(ctx, type, args, node) if isinstance(type, StructType) else None
    if made is not None:
        lower_lvalues.store(ctx, target, lower_lvalues.load(ctx, made, node), node)
    elif len(args) == 1:
        lower_declarations.initialise(ctx, target, args[0], args[0])
    else:
        items = syn.InitList(span=node.span, items=tuple(args), designators=(None,) * len(args))
        lower_declarations.initialise(ctx, target, items, items)
