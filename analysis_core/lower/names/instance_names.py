"""How template arguments are shown in the name of an instance: `reduce<256, float>`."""

from __future__ import annotations

from analysis_core.ir import constants
from analysis_core.ir.nodes import Const
from analysis_core.ir.types import ArrayType, FunctionType, PointerType, Qualified, Type
from analysis_core.lower.names.scope import Binding, PackBinding, TypeBinding
from analysis_core.lower.values import FunctionName, Register, StructValue, Value


def argument_text(binding: Binding | None) -> str:
    """A template argument as it is shown in "reduce<256, float>"."""
    match binding:
        case TypeBinding(type=type):
            return _type_text(type)
        case Value(expr=expr):
            value = constants.fold(expr)
            return "?" if value is None else _number_text(value)
        case FunctionName(name=name):
            return name
        case PackBinding(elements=elements):
            return ", ".join(argument_text(e) for e in elements)
        case Register() | StructValue():
            return "?"
        case _:
            return "?"


def _number_text(value: Const) -> str:
    if isinstance(value.value, int) and getattr(value.type, "name", "") == "bool":
        return "true" if value.value else "false"
    return str(value.value)


def _type_text(type: Type) -> str:
    match type:
        case PointerType(target=FunctionType(result=Qualified() as result) as function):
            return f"{_type_text(result.plain)} (*)({', '.join(_type_text(p.plain) for p in function.parameters)})"
        case PointerType(target=target):
            return f"{_type_text(target)}*"
        case ArrayType(element=element):
            return f"{_type_text(element)}[]"
        case _:
            return type.name
