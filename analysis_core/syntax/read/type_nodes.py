"""Types as written, the part of the syntax tree (`tree.py`) that declarations, casts and template arguments share."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

if TYPE_CHECKING:
    from analysis_core.syntax.read.tree import EnumDef, Expr, Parameter, Parts, RecordDef, TemplateArg


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """`expansion` is the name of the outermost macro whose body made the node's first token, if any."""

    span: Span
    expansion: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeNode(Node):
    """A type as spelled; `qualifiers` holds const, volatile, __restrict__ (spelled so) of this level.  `pack`: `...` follows."""

    qualifiers: frozenset[str] = frozenset()
    pack: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedType(TypeNode):
    """`name`: specifiers in source order joined by one blank ("unsigned int"), or a qualified name ("a::b<T>::c" has
    name "a::b::c" and the last template arguments; `parts` holds those of each part where some have any).
    `decltype(e)`, `decltype((e))` and `auto` are named "decltype", "decltype()" and "auto"."""

    name: str
    template_args: tuple[TemplateArg, ...] | None = None
    parts: Parts = ()
    operand: Expr | None = None  # of decltype


@dataclass(frozen=True, slots=True, kw_only=True)
class PointerTo(TypeNode):
    target: TypeNode


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberPointerTo(TypeNode):
    """`T C::*`, `R (C::*)(A)`: a pointer to a member of class `owner`."""

    target: TypeNode
    owner: TypeNode


@dataclass(frozen=True, slots=True, kw_only=True)
class ReferenceTo(TypeNode):
    target: TypeNode
    rvalue: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrayOf(TypeNode):
    """`int x[2][3]` is ArrayOf(extent 2, element ArrayOf(extent 3, int)): outermost extent outside."""

    element: TypeNode
    extent: Expr | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FunctionOf(TypeNode):
    """A function type (through a pointer or a reference to one)."""

    result: TypeNode
    parameters: tuple[Parameter, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordType(TypeNode):
    """A struct/class/union/enum defined in the place of a type."""

    definition: RecordDef | EnumDef
