"""What an expression denotes while it is lowered: values, places, and things that exist at compile time only.

The IR knows scalars and pointers.  C++ expressions also denote structs, lvalues, arrays, references, functions,
closures and cooperative groups; these are the operands below, and none of them survives lowering.

    Operand = Value | StructValue | ArrayValue                rvalues
            | Register | StructPlace | Memory                 lvalues ("places")
            | RegisterPointer | Handle | FunctionName | Closure   known at compile time only

A struct is a tree: one operand per field, in the order of `StructType.fields`, scalars and pointers at the leaves.
`lower_expressions.operand` makes operands, `lower_lvalues.load` and `lower_lvalues.store` read and write places.
"""

from __future__ import annotations

from dataclasses import replace
from enum import Enum
from typing import TYPE_CHECKING

from analysis_core.ir.nodes import Const, Expr, UnknownExpr, VarId
from analysis_core.ir.types import VOID, ArrayType, OpaqueType, PointerType, StructType, Type
from analysis_core.support.facts import Cause
from analysis_core.syntax.read import tree as syn
from analysis_core.text.records import dataclass
from analysis_core.text.span import Span

if TYPE_CHECKING:
    from analysis_core.lower.names.scope import Binding, Scope


@dataclass(frozen=True, slots=True)
class Whole:
    """The most derived object that a place is a base part of: its class, and how many bytes before the place it
    begins."""

    type: StructType
    offset: int


class Category(Enum):
    """The value category of an expression ([basic.lval]). It decides whether a new object is copied, moved, or made in
    place."""

    LVALUE = "lvalue"
    XVALUE = "xvalue"
    PRVALUE = "prvalue"


@dataclass(frozen=True, slots=True)
class Value:
    """A scalar or a pointer.  `type` is the C type; an IR pointer expression's own type is the same.  `fits_int`: it was read
    from a bit-field all of whose values are ints, which makes it an int in arithmetic whatever its type ([conv.prom]).  `whole`: of a pointer, what the object that it points to
    is known to be (dynamic_types.py)."""

    expr: Expr
    type: Type
    fits_int: bool = False
    whole: Whole | None = None


@dataclass(frozen=True, slots=True)
class StructValue:
    """A struct as one rvalue per field, in field order.  `const`: it was read from a const object."""

    type: StructType
    fields: tuple[Operand, ...]
    const: bool = False


@dataclass(frozen=True, slots=True)
class ArrayValue:
    """An array member of a struct value, element by element."""

    type: ArrayType
    elements: tuple[Operand, ...]


@dataclass(frozen=True, slots=True)
class Register:
    """A scalar or pointer variable.  `constant`: its value where it is const with a constant initialiser; `whole`: of a pointer that is
    never assigned again, as of its value.
    `const` here and below: the expression that denotes it has a const type, which decides between overloads only."""

    var: VarId
    type: Type
    constant: Const | None = None
    whole: Whole | None = None
    const: bool = False
    category: Category = Category.LVALUE


@dataclass(frozen=True, slots=True)
class StructPlace:
    """A struct held in registers: one place per field (array fields are `Memory`).

    `declared` is the span of the declaration, so that it can be moved to memory if its address escapes.
    `category`: whether the expression that denotes it is the object itself (a temporary: PRVALUE), or may be moved from.
    `whole`: the object that it is a base of, None if it is no base."""

    type: StructType
    fields: tuple[Operand, ...]
    declared: Span | None = None
    category: Category = Category.LVALUE
    whole: StructPlace | None = None
    const: bool = False


@dataclass(frozen=True, slots=True)
class BitRange:
    """A bit-field: `width` bits from bit `start` of the storage unit (the `Memory` place's own type).

    `unit`: the storage unit's value where it is read already (a compound assignment)."""

    start: int
    width: int
    unit: Expr | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """An lvalue in memory: the object of `type` at `address`.  `whole`: the object that it is known to be, or to be a base of.  `address` is pure but not frozen: whoever keeps a
    place while other statements are emitted calls `ctx.freeze`."""

    type: Type
    address: Expr
    volatile: bool = False
    bits: BitRange | None = None
    category: Category = Category.LVALUE
    whole: Whole | None = None
    const: bool = False


@dataclass(frozen=True, slots=True)
class RegisterPointer:
    """`&x` of a variable in registers: dereferenced and passed to inlined functions it costs nothing.

    Where it must become a real pointer, the variable is marked as escaped and the kernel is lowered again with
    the variable in local memory (`lower.py`)."""

    place: Register | StructPlace
    type: PointerType


@dataclass(frozen=True, slots=True)
class Handle:
    """A library object that only exists at compile time: a cooperative group, a pipeline.  `payload` belongs to
    the module that made it."""

    payload: object
    type: Type


@dataclass(frozen=True, slots=True)
class FunctionName:
    """A function designator: overloads in source order.  `template_args`: as written, or what they mean."""

    name: str
    declarations: tuple[syn.FunctionDecl, ...]
    template_args: tuple[syn.TemplateArg | Binding, ...] | None = None


@dataclass(frozen=True, slots=True)
class Closure:
    """A lambda with the scope of its definition (captures by copy are copied when it is made).  `this`: that of where it was made, or of
    the copy that `[*this]` made; `held`: the names that it holds objects of its own for."""

    definition: syn.Lambda
    scope: Scope
    this: Operand | None = None
    held: frozenset[str] = frozenset()


Place = Register | StructPlace | Memory
Operand = (
    Value
    | StructValue
    | ArrayValue
    | Register
    | StructPlace
    | Memory
    | RegisterPointer
    | Handle
    | FunctionName
    | Closure
)

VOID_VALUE = Value(Const(0, VOID), VOID)
"""The result of an expression of type void; its constant is never read."""


def unknown_value(cause: Cause, type: Type) -> Value:
    """A value about which only the type is known."""
    return Value(UnknownExpr(cause, type), type)


def with_category(operand: Operand, category: Category) -> Operand:
    """The same place, denoted by an expression of another category; values have none."""
    if isinstance(operand, Register | StructPlace | Memory) and operand.category is not category:
        return replace(operand, category=category)
    return operand


def with_const(operand: Operand, const: bool) -> Operand:
    """The same place, denoted by an expression of a type that is const or not."""
    if isinstance(operand, Register | StructPlace | Memory) and operand.const is not const:
        return replace(operand, const=const)
    return operand


def type_of(operand: Operand) -> Type:
    """The C type of an operand.  Functions and closures have an opaque one."""
    match operand:
        case FunctionName(name=name):
            return OpaqueType(name, "a function")
        case Closure():
            return OpaqueType("lambda", "what a closure holds has no layout here", unsized=True)
        case _:
            return operand.type
