"""Whether two types of C++ are the same one, and spellings that are equal for equal types.

The IR merges what has the same values: `long` and `long long`, `T *` and `const T *`.  Templates, overloads and traits do not.
"""

from __future__ import annotations

from typing import assert_never

from analysis_core.ir import constants
from analysis_core.ir.nodes import Const
from analysis_core.ir.scalars import identity
from analysis_core.ir.types import (
    ArrayType,
    FunctionType,
    MemberPointerType,
    OpaqueType,
    PointerType,
    Qualified,
    ScalarType,
    StructType,
    Type,
)
from analysis_core.lower.names.scope import Binding, PackBinding, TemplateBinding
from analysis_core.lower.values import FunctionName, Register, Value

_SHORT = {
    "signed char": "signed char", "unsigned char": "uint8", "short": "int16", "unsigned short": "uint16",
    "int": "int32", "unsigned int": "uint32", "long": "int64", "unsigned long": "uint64", "char": "int8",
}  # fmt: skip


def type_key(type: Type) -> str:
    """A spelling that is equal for equal types, and for no others: "uint32" for `uint`."""
    match type:
        case ScalarType():
            name = identity(type)
            return _SHORT.get(name, name)
        case FunctionType(result=result, parameters=parameters, variadic=variadic):
            inside = [qualified_key(p) for p in parameters] + ["..."] * variadic
            given = "" if result is None else qualified_key(result)
            return f"{given}({', '.join(inside)})"
        case StructType(name=name) | OpaqueType(name=name):
            return name
        case PointerType(target=target):
            return qualified_key(Qualified(target, type.const, type.volatile)) + "*"
        case ArrayType(element=element, extent=extent):
            return f"{type_key(element)}[{extent.value if isinstance(extent, Const) else ''}]"
        case _:
            assert_never(type)


def qualified_key(type: Qualified) -> str:
    """A spelling of a qualified type that is equal for equal types, and for no others: `T *const` differs from `const
    T *`."""
    inner = type_key(type.type)
    if isinstance(type.type, PointerType) and (type.const or type.volatile):
        return f"{inner} {_words(type.const, type.volatile).strip()}{type.reference}"
    return _words(type.const, type.volatile) + inner + type.reference


def _words(const: bool, volatile: bool) -> str:
    return "const " * const + "volatile " * volatile


def same(left: Qualified, right: Qualified) -> bool:
    """Whether both are one type of C++."""
    return left == right or qualified_key(left) == qualified_key(right)


def same_plain(left: Type, right: Type) -> bool:
    """Whether two types without qualifiers of their own are one type of C++."""
    return left == right or type_key(left) == type_key(right)


def binding_key(binding: Binding | None) -> str:
    """A template argument as part of a key: equal for equal arguments."""
    match binding:
        case Qualified():
            return qualified_key(binding)
        case Value(expr=expr):
            value = constants.fold(expr)
            return "?" if value is None else str(value.value)
        case Register(var=var):
            return f"${var}"
        case TemplateBinding(name=name) | FunctionName(name=name):
            return name
        case PackBinding(elements=elements):
            return ", ".join(binding_key(element) for element in elements)
        case _:
            return "?"


def same_binding(left: Binding, right: Binding) -> bool:
    """Whether two template arguments are the same."""
    first, second = binding_key(left), binding_key(right)
    return first == second and "?" not in (first, second)


def is_open(type: Type) -> bool:
    """Whether a type, or a part of it, is not known, so that nobody can say what it matches."""
    while isinstance(type, PointerType | ArrayType):
        type = type.target if isinstance(type, PointerType) else type.element
    if isinstance(type, MemberPointerType):
        member = None if type.member is None else type.member.type
        return any(part is not None and is_open(part) for part in (type.owner, member))
    return isinstance(type, OpaqueType) and not isinstance(type, FunctionType) and not type.why.startswith("library")


def is_determined(binding: Binding) -> bool:
    """Whether a template argument is a visible type, a constant or a function."""
    match binding:
        case Qualified(type=type):
            return is_visible(type)
        case Value(expr=expr):
            return constants.fold(expr) is not None
        case PackBinding(elements=elements):
            return all(is_determined(e) for e in elements)
        case FunctionName():
            return True
        case _:
            return False


def is_visible(type: Type) -> bool:
    """Whether something is known of a type, or of what it points to, beside its name."""
    while isinstance(type, PointerType | ArrayType):
        type = type.target if isinstance(type, PointerType) else type.element
    return isinstance(type, FunctionType) or not isinstance(type, OpaqueType)
