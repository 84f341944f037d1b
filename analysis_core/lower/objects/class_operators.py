"""Operators on objects of classes: those that the program declares, and the toolkit's own on vectors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set

from analysis_core.ir.types import ScalarType, StructType
from analysis_core.lower.context import Lowering
from analysis_core.lower.names import associated, member_lookup, overloads, resolve, visibility
from analysis_core.lower.names.scope import RecordInstance
from analysis_core.lower.objects import methods
from analysis_core.lower.statements import inline, lower_expressions
from analysis_core.lower.statements.arguments import Argument
from analysis_core.lower.values import Memory, Operand, StructPlace, type_of
from analysis_core.support.facts import Cause, CauseKind
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside, touched

_MEMBER_ONLY = frozenset({"=", "()", "[]", "->"})


def lower_operator(ctx: Lowering, op: str, operands: Sequence[Operand], node: syn.Expr) -> Operand | None:
    """A user-declared operator on structs: a member of the left operand, or a free function; None: there is none."""
    name = f"operator{op}"
    arguments = [Argument(_operand_node(node, i), o, ctx.mark()) for i, o in enumerate(operands)]
    instance = methods.instance_of(ctx, type_of(operands[0]))
    if instance is not None and methods.methods_named(ctx, instance, name):
        this, rest = methods.object_type(ctx, operands[0], arguments[0].node), arguments[1:]
        nodes = [a.node for a in rest]
        method, _ = methods.find_method(ctx, instance, name, None, [a.operand for a in rest], this, nodes)
        if method is not None:
            return methods.run_virtual(ctx, method, operands[0], arguments[1:], node)
    if op in _MEMBER_ONLY:
        return None
    known = visibility.functions(ctx, name, ctx.frame.declaration)
    more = associated.of_operands(ctx, name, known, operands)
    if known or more.functions:
        nodes = [a.node for a in arguments]
        choice = overloads.choose(ctx, (*known, *more.functions), None, operands, nodes=nodes, friends=more.bindings)
        if choice.best is not None:
            return inline.inline(ctx, choice.best.declaration, arguments, choice.best.bindings, node)
    return None


def is_overloaded(ctx: Lowering, op: str) -> bool:
    """Whether the program declares an operator of that name anywhere: `&&`, `||`, `,` and unary `&` are seldom."""
    name = f"operator{op}"
    return name in _declared(ctx) or any(
        method.name == name
        for known in ctx.instances.values()
        for method in (*known.definition.methods, *known.definition.friends)
    )


def _declared(ctx: Lowering) -> Mapping[str, set[str]]:
    """The operator functions that the file declares, by name, with the types that their parameters name."""
    if ctx.unit.found.operators is None:
        found: dict[str, set[str]] = {}
        for key, declarations in ctx.unit.functions.items():
            if "operator" in key:
                types = found.setdefault(key.rpartition("::")[2], set())
                types.update(type for declaration in declarations for type in _named_types(declaration))
        ctx.unit.found.operators = found
    return ctx.unit.found.operators


def of_enumeration(ctx: Lowering, op: str, operands: Sequence[Operand], node: syn.Expr) -> Cause | None:
    """The cause, if a built-in operator must not be assumed: the program declares that operator for the enumeration of
    an operand, and its call is not followed."""
    types = _declared(ctx).get(f"operator{op}")
    if not types or types.isdisjoint(_names_of_enumerations(ctx)):
        return None
    for number, operand in enumerate(operands):
        if not types.isdisjoint(_enumeration(ctx, operand, _operand_node(node, number))):
            return ctx.cause(CauseKind.UNSUPPORTED, f"operator {op} of an enumeration", node.span)
    return None


def _names_of_enumerations(ctx: Lowering) -> Set[str]:
    if ctx.unit.found.enumerations is None:
        ctx.unit.found.enumerations = {known.name for known in ctx.unit.enums.values()}
    return ctx.unit.found.enumerations


def _enumeration(ctx: Lowering, operand: Operand, node: syn.Expr) -> Iterator[str]:
    type = type_of(operand)
    if isinstance(type, ScalarType) and type.name in _names_of_enumerations(ctx):
        yield type.name
    found = ctx.unit.find_enumerator(node.name, ctx.scope.root().namespace) if isinstance(node, syn.Name) else None
    if found is not None:
        yield found[1][0].name


def _named_types(declaration: syn.FunctionDecl) -> Iterator[str]:
    for parameter in declaration.parameters:
        node = parameter.type.target if isinstance(parameter.type, syn.ReferenceTo) else parameter.type
        if isinstance(node, syn.NamedType):
            yield node.name.rpartition("::")[2]


def calls_operator(ctx: Lowering, expr: syn.Binary, left: Operand) -> bool:
    """Whether `left op right` calls an operator that the program declares, which evaluates both sides."""
    if not is_overloaded(ctx, expr.op):
        return False
    with ctx.scratch():
        right = lower_expressions.operand(ctx, expr.right)
        types = [resolve.complete(ctx, type_of(side)) for side in (left, right)]
        if not any(isinstance(type, StructType) for type in types):
            return False
        return lower_operator(ctx, expr.op, (left, right), expr) is not None


def changes_operand(ctx: Lowering, op: str, operand: Operand) -> bool:
    """Whether some user-declared operator of that name may change its left operand, or give it back: then it gets the object
    itself.  All others get its value, which is read once."""
    instance = methods.instance_of(ctx, type_of(operand))
    if instance is None or not isinstance(operand, StructPlace | Memory):
        return False
    name = f"operator{op}"
    members = methods.methods_named(ctx, instance, name)
    own = _names_within(ctx, instance)
    if any("const" not in m.declaration.qualifiers and _changes(m.declaration, own | {"this"}) for m in members):
        return True
    known = visibility.functions(ctx, name, ctx.frame.declaration)
    for free in (*known, *associated.of_operands(ctx, name, known, (operand,)).functions):
        first = free.parameters[0] if free.parameters else None
        if first is None or not isinstance(first.type, syn.ReferenceTo) or "const" in first.type.target.qualifiers:
            continue
        if _changes(free, {first.name or ""}):
            return True
    return False


def _names_within(ctx: Lowering, instance: RecordInstance, depth: int = 0) -> set[str]:
    """The names of members of a class and of its bases."""
    found = set(member_lookup.declared_names(instance.definition))
    for base in methods.bases(ctx, instance) if depth < methods.BASE_DEPTH else ():
        found |= _names_within(ctx, base, depth + 1)
    return found


def _changes(declaration: syn.FunctionDecl, names: set[str]) -> bool:
    """Whether a function may change what these names denote, or returns a reference (to it)."""
    if declaration.body is None or isinstance(declaration.result, syn.ReferenceTo):
        return True
    for node in inside(declaration.body):
        if any(name in names for name in touched(node)):
            return True
        match node:
            case syn.Call(callee=syn.Name(name=name)) if name in names:
                return True
            case syn.Unary(op="*", operand=syn.Name(name="this")):
                return True
            case _:
                pass
    return False


def _operand_node(node: syn.Expr, position: int) -> syn.Expr:
    """The syntax of an operator's operand, for its place in the text."""
    match node:
        case syn.Binary(left=left, right=right):
            return right if position else left
        case syn.Assign(target=target, value=value):
            return value if position else target
        case syn.Subscript(base=base, index=index):
            return index if position else base
        case syn.Unary(operand=operand) | syn.IncDec(operand=operand):
            return operand
        case _:
            return node
