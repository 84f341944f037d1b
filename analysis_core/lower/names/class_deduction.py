"""Deduction of class template arguments: `Pair p(1, 2.0);` names a class template whose arguments its initialiser gives ([over.match.class.deduct]).

The constructors of the primary template, as function templates with the parameters of the class, and the deduction guides are asked
like overloads of one function; a guide wins where it is as good.  What copies an object of the template has that object's class.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from analysis_core.ir.types import OpaqueType, Qualified, StructType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import overloads, records, resolve
from analysis_core.lower.names.scope import Binding
from analysis_core.lower.statements import inline
from analysis_core.lower.values import type_of
from analysis_core.syntax.read import tree as syn


def resolved(ctx: Lowering, node: syn.TypeNode, init: syn.Expr | Sequence[syn.Expr] | None) -> Qualified:
    """The type that a declaration or a conversion names, with the template arguments that its initialiser gives."""
    found = _left_out(ctx, node)
    if found is None:
        return resolve.qualified(ctx, node)
    name, primary = found
    words = node.qualifiers
    return Qualified(_deduced(ctx, name, primary, _arguments(init)), "const" in words, "volatile" in words)


def _left_out(ctx: Lowering, node: syn.TypeNode) -> tuple[str, syn.RecordDef] | None:
    """The class template that is named without its arguments, and its qualified name."""
    if not isinstance(node, syn.NamedType) or node.template_args is not None or node.operand is not None:
        return None
    root = ctx.scope.root()
    if node.parts or ("::" not in node.name and ctx.scope.find(node.name) is not None):
        return None
    for name in ctx.unit.qualified(node.name, root.namespace):
        if name in ctx.unit.aliases or name in ctx.unit.enums:
            return None
        declared = ctx.unit.records.get(name)
        if declared:
            primary = next((r for r in declared if r.specialisation is None), declared[0])
            inside = root.namespace == name or root.namespace.startswith(name + "::")
            return None if not primary.template or inside else (name, primary)
    return None


def _arguments(init: syn.Expr | Sequence[syn.Expr] | None) -> Sequence[syn.Expr]:
    match init:
        case None:
            return ()
        case syn.Construct(args=args):
            return args
        case syn.InitList(items=items):
            return items
        case syn.Expr():
            return (init,)
        case _:
            return init


def _deduced(ctx: Lowering, name: str, primary: syn.RecordDef, args: Sequence[syn.Expr]) -> Type:
    with ctx.scratch():
        arguments = inline.evaluate(ctx, args)
        operands = [a.operand for a in arguments]
        if len(operands) == 1 and operands[0] is not None:
            type = type_of(operands[0])
            instance = ctx.instances.get(type.name) if isinstance(type, StructType) else None
            if instance is not None and instance.scope.namespace == name:
                return type
        guides = [g for g in ctx.unit.functions.get(name, ()) if g.body is None]
        asked = [*guides, *_constructors(primary)]
        best = overloads.choose(ctx, asked, None, operands, {}, [a.node for a in arguments]).best
    if best is None and not operands and all(p.default is not None or p.pack for p in primary.template or ()):
        return records.instantiate(ctx, name, ctx.unit.records[name], ()) or _open(name)
    if best is None:
        return _open(name)
    if any(best.declaration is guide for guide in guides):
        with ctx.in_scope(inline.function_scope(best.declaration, best.bindings)):
            return resolve.resolve_type(ctx, best.declaration.result)
    given = [best.bindings.get(p.name or f"(parameter {i})") for i, p in enumerate(primary.template or ())]
    flat: list[Binding] = records.flattened(given)
    return records.instantiate(ctx, name, ctx.unit.records[name], tuple(flat)) or _open(name)


def _open(name: str) -> OpaqueType:
    return OpaqueType(name, "its template arguments are not deduced from what initialises it", unsized=True)


def _constructors(primary: syn.RecordDef) -> list[syn.FunctionDecl]:
    """The constructors as functions whose template parameters are those of the class, then their own."""
    own = (m for m in primary.methods if m.name == primary.name)
    return [replace(m, template=(*(primary.template or ()), *(m.template or ())), body=None) for m in own]
