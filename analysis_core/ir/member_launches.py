"""What members of class templates that launch kernels are instantiated with: the objects that they are called of tell it.

template <class K> void Table<K>::insert(const K *keys, int n) { insert_all<K><<<n / 128, 128>>>(slots, keys, n); }
Table<unsigned long long> table(n);
table.insert(keys, n);                                          insert_all<unsigned long long>
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from analysis_core.ir import inline, methods, resolve
from analysis_core.ir.context import Lowering
from analysis_core.ir.scope import Binding, RecordInstance
from analysis_core.ir.walk_syntax import inside
from analysis_core.syntax import tree as syn

Members = Sequence[tuple[syn.FunctionDecl, Mapping[str, Binding]]]


def member_instances(
    ctx: Lowering,
    hosts: Sequence[syn.FunctionDecl],
    called: Mapping[int, frozenset[str]],
    leading: Sequence[syn.FunctionDecl],
) -> Members:
    """The members among `leading` with what calls bind of their classes' parameters.  `called`: by identity of a function, the names that
    it calls."""
    members: dict[str, list[syn.FunctionDecl]] = {}
    for declaration in leading:
        if declaration.owner:
            members.setdefault(declaration.name, []).append(declaration)
    found: list[tuple[syn.FunctionDecl, Mapping[str, Binding]]] = []
    for host in hosts:
        if not called[id(host)].isdisjoint(members):
            with ctx.scratch(), ctx.in_scope(inline.function_scope(host, {})):
                found += _of_calls(ctx, host, members)
    return found


def _of_calls(
    ctx: Lowering, host: syn.FunctionDecl, members: Mapping[str, Sequence[syn.FunctionDecl]]
) -> Iterator[tuple[syn.FunctionDecl, Mapping[str, Binding]]]:
    assert host.body is not None
    nodes = list(inside(host.body))
    types = {one.name: one.type for one in host.parameters if one.name is not None}
    types.update((node.name, node.type) for node in nodes if isinstance(node, syn.VarDecl))
    for node in nodes:
        match node:
            case syn.Call(callee=syn.Member(base=syn.Name(name=base), name=name), args=args) if name in members:
                instance = _instance(ctx, types.get(base))
                for declaration in members[name] if instance is not None else ():
                    bindings = None if instance is None else _bindings(instance, declaration, len(args))
                    if bindings is not None:
                        yield declaration, bindings
            case _:
                pass


def _instance(ctx: Lowering, type: syn.TypeNode | None) -> RecordInstance | None:
    """The class of an object with template arguments of its own, or of what leads to one."""
    while isinstance(type, syn.ReferenceTo | syn.PointerTo):
        type = type.target
    if not isinstance(type, syn.NamedType) or not type.template_args:
        return None
    return methods.instance_of(ctx, resolve.resolve_type(ctx, type))


def _bindings(instance: RecordInstance, declaration: syn.FunctionDecl, count: int) -> Mapping[str, Binding] | None:
    """What the class's arguments are by the names that the member has for them."""
    record = instance.definition
    least = sum(parameter.default is None for parameter in declaration.parameters)
    if record.name != declaration.owner.rpartition("::")[2] or not record.template or least > count:
        return None
    own = declaration.template or record.template
    names = [(mine.name, theirs.name) for mine, theirs in zip(record.template, own, strict=False)]
    if len(own) != len(record.template):
        return None  # a member template, of parameters of its own
    bound = {theirs: instance.scope.bindings.get(mine or "") for mine, theirs in names if theirs is not None}
    known = {name: binding for name, binding in bound.items() if binding is not None}
    return known if len(known) == len(own) else None
