"""Virtual functions: which override a call through an object, a pointer or a reference comes to ([class.virtual], [class.cdtor]).

A function is virtual if its class says so or a base declares a virtual one with the same name, parameters and qualifiers.  The call
comes to the override of the most derived class of the object, if that is known (`base_parts.most_derived`).  Where it is not, a call
has one meaning only if no class of the program overrides the function; else it is unknown.
"""

from __future__ import annotations

from collections.abc import Iterator

from analysis_core.ir.types import PointerType, StructType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import identity, member_lookup, resolve
from analysis_core.lower.names.scope import join
from analysis_core.lower.objects import base_parts, bind_parameters, methods
from analysis_core.lower.statements import inline
from analysis_core.lower.values import Operand
from analysis_core.syntax.read import tree as syn
from analysis_core.text.records import dataclass

_SAYS_SO = frozenset({"virtual", "override"})
_DEPTH = 16

Signature = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Unclear:
    """Raised for a virtual call whose target is not known."""

    reason: str


def dispatched(ctx: Lowering, method: methods.Method, operand: Operand) -> methods.Method | Unclear:
    """The function that a call of `method` on the object comes to."""
    owner = method.owner
    if owner is None or not is_virtual(ctx, method):
        return method
    whole = base_parts.most_derived(ctx, operand)
    found = None if whole is None else base_parts.class_of(ctx, whole)
    if isinstance(found, StructType):
        return overrider(ctx, found, method) or Unclear(
            f"which '{method.declaration.name}' overrides that of '{owner.name}'"
        )
    return _only_one(ctx, method, owner)


def is_virtual(ctx: Lowering, method: methods.Method) -> bool:
    if method.owner is None or "static" in method.declaration.qualifiers:
        return False
    if method.declared_qualifiers & _SAYS_SO:
        return True
    return any(_says_so(ctx, base, method) for base in list(member_lookup.all_classes(method.owner))[1:])


def _says_so(ctx: Lowering, type: StructType, method: methods.Method) -> bool:
    return any(m.declared_qualifiers & _SAYS_SO for m in _alike(ctx, type, method))


def _alike(ctx: Lowering, type: StructType, method: methods.Method) -> Iterator[methods.Method]:
    """The class's own functions that override `method`, or are overridden by it."""
    instance = methods.instance_of(ctx, type)
    if instance is None:
        return
    wanted = signature(ctx, method)
    for own in methods.own_methods(ctx, instance, method.declaration.name, type):
        if signature(ctx, own) == wanted:
            yield own


def signature(ctx: Lowering, method: methods.Method) -> Signature:
    """What an override has in common with what it overrides, beside the name."""
    declaration = method.declaration
    with ctx.in_scope(inline.function_scope(declaration, method.bindings)):
        parameters = tuple(_parameter(ctx, p.type) for p in declaration.parameters)
    return ("const" in declaration.qualifiers, *parameters)


def _parameter(ctx: Lowering, node: syn.TypeNode) -> tuple[object, ...]:
    type = bind_parameters.parameter_type(ctx, node)
    reference: tuple[object, ...] = ()
    if isinstance(node, syn.ReferenceTo):
        reference = (node.rvalue, "const" in resolve.qualifiers_of(node.target))
    return (*reference, *(() if type is None else _key(type)))


def _key(type: Type) -> tuple[object, ...]:
    """A type with what is said of what pointers point to."""
    if isinstance(type, PointerType):
        return ("*", type.const, type.volatile, *_key(type.target))
    return (identity.type_key(type),)


def overrider(ctx: Lowering, whole: StructType, method: methods.Method, depth: int = 0) -> methods.Method | None:
    """The function that overrides the method last in an object of class `whole`; None if several unrelated bases
    override it."""
    owner = method.owner
    if owner is None or depth > _DEPTH:
        return None
    if whole.name != owner.name and not base_parts.is_derived(whole, owner):
        return None
    own = next(_alike(ctx, whole, method), None)
    if own is not None:
        return own
    found: dict[str, methods.Method] = {}
    for base in whole.bases:
        inner = overrider(ctx, base.type, method, depth + 1)
        if inner is not None and inner.owner is not None:
            found.setdefault(inner.owner.name, inner)
    last = [m for m in found.values() if not any(base_parts.is_derived(o.owner, m.owner) for o in found.values())]  # type: ignore[arg-type]
    return last[0] if len(last) == 1 else None


# --- objects of any class -----------------------------------------------------------------------------------------


def _only_one(ctx: Lowering, method: methods.Method, owner: StructType) -> methods.Method | Unclear:
    """The one function that a call on any object of the class or of a derived one comes to."""
    name = method.declaration.name
    instance = methods.instance_of(ctx, owner)
    if "final" in method.declared_qualifiers or (instance is not None and instance.definition.final):
        return method
    derived = _derived(ctx, instance.definition.name) if instance is not None else []
    overriding = [
        r
        for r in derived
        if any(m.name == name and len(m.parameters) == len(method.declaration.parameters) for m in r.methods)
    ]
    pure = "pure" in method.declared_qualifiers
    if not overriding and not pure:
        ctx.assume(f"`{name}` of `{owner.name}` is overridden by no class that is not seen here")
        return method
    if len(overriding) == 1 and pure and overriding[0].template is None:
        record = overriding[0]
        key = join(record.scope, record.name)
        type = ctx.types.get(key) or resolve.record_type(ctx, record, key, key, {})
        one = overrider(ctx, type, method) if isinstance(type, StructType) else None
        if one is not None and one.declaration.body is not None:
            ctx.assume(f"`{name}` of `{owner.name}` is overridden by no class that is not seen here")
            return one
    return Unclear(f"which '{name}' a virtual call through '{owner.name}' comes to")


def _derived(ctx: Lowering, name: str) -> list[syn.RecordDef]:
    """The classes of the program, and those that were met in functions, that are derived from a class of that name, by the names of bases."""
    records = [r for found in ctx.unit.records.values() for r in found]
    records += [i.definition for i in ctx.instances.values() if i.definition not in records]
    known, found = {name}, list[syn.RecordDef]()
    for _ in range(_DEPTH):
        more = [r for r in records if r not in found and any(b.name.rpartition("::")[2] in known for b in r.bases)]
        if not more:
            break
        found += more
        known.update(r.name for r in more)
    return found
