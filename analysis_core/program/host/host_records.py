"""Records of the host, member by member: where programs keep the sizes that they are run with.

    Grid whole, part;
    whole.rows = 512;
    part = whole;
    part.rows /= 2;                        more than is read here: unknown
    part.columns = whole.rows + 2;
    step<<<8, 256>>>(p, part.columns);     514

A record is a value for each of its members, in order (`StructValue`).  What is called with its address, with a reference to it, or as one of its methods,
may change it then; one whose address the function itself keeps is not followed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from analysis_core.ir.scalars import DIM3
from analysis_core.ir.types import StructType, Type
from analysis_core.lower.context import Lowering
from analysis_core.lower.names.scope import Unit
from analysis_core.lower.statements import lower_lvalues
from analysis_core.lower.values import Operand, StructValue
from analysis_core.program.host.host_flow import assigned_base, changed_by
from analysis_core.support.facts import Cause, CauseKind
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside, uncast

HOST = Cause(CauseKind.DATA, "a value of the host", None)

Members = tuple[str, ...]
"""The member of a member, and so on, outermost first; () for the whole record."""


def place_of(expr: syn.Expr) -> tuple[str, Members] | None:
    """The variable and the members that an expression names: `whole` and `rows` of `whole.rows`."""
    members: list[str] = []
    while isinstance(expr, syn.Member) and not expr.arrow:
        members.insert(0, expr.name)
        expr = expr.base
    return (expr.name, tuple(members)) if isinstance(expr, syn.Name) else None


def changed_members(target: syn.Expr) -> Members:
    """The members of a variable that are changed with what is assigned: of an element, all that it is an element of."""
    members: list[str] = []
    while isinstance(target, syn.Member | syn.Subscript):
        members = [] if isinstance(target, syn.Subscript) else [target.name, *members]
        target = target.base
    return tuple(members)


def unknown_record(type: StructType) -> Operand:
    """A record of which nothing is known."""
    return lower_lvalues.unknown_operand(HOST, type)


def with_member(record: StructValue, members: Members, value: Operand | None) -> Operand:
    """The record with another value of one of its members, None for any; unknown as a whole where members overlap."""
    fields = record.type.fields
    number = next((n for n, field in enumerate(fields) if members and field.name == members[0]), None)
    if number is None or len({field.offset for field in fields}) < len(fields):
        return unknown_record(record.type)
    old = record.fields[number]
    if len(members) > 1:
        inner = fields[number].type
        new = (
            with_member(old, members[1:], value)
            if isinstance(old, StructValue)
            else lower_lvalues.unknown_operand(HOST, inner)
        )
    else:
        new = lower_lvalues.unknown_operand(HOST, fields[number].type) if value is None else value
    return replace(record, fields=(*record.fields[:number], new, *record.fields[number + 1 :]))


def member_type(record: StructValue, members: Members) -> Type | None:
    """The type of a member; None where there is none of that name."""
    type: Type | None = record.type
    for name in members:
        fields = type.fields if isinstance(type, StructType) else ()
        type = next((field.type for field in fields if field.name == name), None)
    return type


def record_named(ctx: Lowering, expr: syn.Expr | None) -> StructValue | None:
    """The record that an expression names: a variable, or a member that is one."""
    found = shape_named(ctx, expr)
    return found if found is not None and found.type != DIM3 else None


def shape_named(ctx: Lowering, expr: syn.Expr | None) -> StructValue | None:
    """The record, or the dim3, that an expression names."""
    place = None if expr is None else place_of(uncast(expr))
    if place is None:
        return None
    found: object = ctx.scope.find(place[0])
    for name in place[1]:
        if not isinstance(found, StructValue):
            return None
        parts = zip(found.type.fields, found.fields, strict=True)
        found = next((value for field, value in parts if field.name == name), None)
    return found if isinstance(found, StructValue) else None


def joined(one: object, other: object) -> object | None:
    """The value that a variable has after two ways meet; None where that is not known."""
    if one == other:
        return one
    if (
        not isinstance(one, StructValue)
        or not isinstance(other, StructValue)
        or one.type != other.type
        or one.type == DIM3
    ):
        return None
    parts: list[Operand] = []
    for field, a, b in zip(one.type.fields, one.fields, other.fields, strict=True):
        both = joined(a, b)
        parts.append(lower_lvalues.unknown_operand(HOST, field.type) if both is None else both)  # type: ignore[arg-type]
    return replace(one, fields=tuple(parts))


def aliased(body: syn.Node, unit: Unit, namespace: str) -> frozenset[str]:
    """The variables that something may change unseen: those of which a function keeps the address, or a reference, and references to what is
    changed by another name."""
    kept, changed, references = Counter[str](), set[str](), dict[str, str]()
    for node in inside(body):
        changed.update(name for target in changed_by(unit, namespace, node) for name in assigned_base(target))
        match node:
            case syn.VarDecl(name=name, type=syn.ReferenceTo(target=type), init=syn.Expr() as init):
                for base in assigned_base(uncast(init)):
                    references[name] = base
                    kept[base] += "const" not in type.qualifiers
            case syn.VarDecl(init=syn.Expr() as value) | syn.Assign(value=value):
                value = uncast(value)
                if isinstance(value, syn.Unary) and value.op == "&":
                    kept.update(assigned_base(uncast(value.operand)))
            case _:
                pass
    again = {name for name, base in references.items() if base in changed or kept[base] > 1}
    return frozenset(again.union(name for name, count in kept.items() if count))
