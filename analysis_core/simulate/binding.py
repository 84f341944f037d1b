"""A launch's arguments bound to a kernel: the address space, the values of parameters, what arrays hold at first.

Shared arrays lie in order of their declarations, `extern` ones after all others, as compilers put them.  Arrays at file
scope start as zeros unless the launch gives them contents: initialisers are not part of the IR.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analysis_core.ir.layout import align_of, size_of
from analysis_core.ir.nodes import Const, Kernel, MemoryObject, ObjectId, Variable, VarId
from analysis_core.ir.types import ArrayType, PointerType, Space, Type
from analysis_core.machine.description import Machine as Hardware
from analysis_core.simulate.arguments import Alias, ArrayArgument, LaunchRequest
from analysis_core.simulate.memory import ALIGNMENT, AddressSpace, Memory, Region
from analysis_core.simulate.representation import Array, Unsupported, Vector, constant, representation
from analysis_core.text.records import dataclass

_PART = 1 << 20
"""Bytes that are copied at a time."""


class BadArguments(Exception):
    """Arguments that do not fit the kernel; the text is a sentence for the user."""


@dataclass(frozen=True, slots=True)
class Binding:
    """`bases`: addresses of the kernel's objects; `values` of its parameters; `arrays`: regions with their contents."""

    space: AddressSpace
    bases: tuple[tuple[ObjectId, int], ...]
    values: tuple[tuple[VarId, Vector], ...]
    arrays: tuple[tuple[str, Region, Array], ...]
    notes: tuple[str, ...]

    def fill(self, memory: Memory) -> None:
        """Writes the arrays' contents into memory."""
        for _, region, values in self.arrays:
            contents = np.ascontiguousarray(values).reshape(-1).view(np.uint8)
            into = memory.contents(region)
            for start in range(0, len(contents), _PART):
                part = contents[start : start + _PART]
                if part.any():  # memory starts as zeros, and what is never touched takes up no room
                    into[start : start + _PART] = part


def bind(kernel: Kernel, request: LaunchRequest) -> Binding:
    """Raises `BadArguments`."""
    space = AddressSpace()
    parameters = [v for v in kernel.variables if v.parameter]
    _check_names(kernel, parameters, request)
    arrays: dict[str, tuple[Region, Array]] = {}
    constant_memory = {obj.name for obj in kernel.objects if obj.space is Space.CONSTANT}
    for name, argument in request.arguments.items():
        if isinstance(argument, ArrayArgument):
            where = Space.CONSTANT if name in constant_memory else Space.GLOBAL
            region = space.add(name, where, argument.values.nbytes, ALIGNMENT, argument.defined)
            arrays[name] = (region, argument.values)
    bases, notes = _objects(kernel, request, space, arrays)
    values = tuple((v.id, _value(v, request, arrays)) for v in parameters)
    listed = tuple((name, region, contents) for name, (region, contents) in arrays.items())
    return Binding(space, tuple(bases.items()), values, listed, tuple(notes))


def _check_names(kernel: Kernel, parameters: Sequence[Variable], request: LaunchRequest) -> None:
    known = {v.name for v in parameters}
    missing = [v.name for v in parameters if v.name not in request.arguments]
    if missing:
        words = ", ".join(f"`{name}`" for name in missing)
        raise BadArguments(f"no value is given for {words}")
    known |= {obj.name for obj in kernel.objects if obj.space in (Space.GLOBAL, Space.CONSTANT)}
    aliased = {a.array for a in request.arguments.values() if isinstance(a, Alias)}
    for name, argument in request.arguments.items():
        # Arrays that only aliases or pointers in memory refer to may have any name.
        if name not in known and name not in aliased and not isinstance(argument, ArrayArgument):
            raise BadArguments(f"`{kernel.name}` has no parameter `{name}`; it has {', '.join(sorted(known))}")


def _value(variable: Variable, request: LaunchRequest, arrays: dict[str, tuple[Region, Array]]) -> Vector:
    """The value of a parameter."""
    argument = request.arguments[variable.name]
    if isinstance(variable.type, PointerType):
        return _address(variable.name, argument, arrays)
    if isinstance(argument, ArrayArgument | Alias):
        raise BadArguments(f"`{variable.name}` is no pointer: give it a number")
    try:
        kept = representation(variable.type)
    except Unsupported as why:
        raise BadArguments(f"`{variable.name}` cannot be given: {why}") from None
    if kept.compute.kind in "iu":
        if isinstance(argument, float) and not argument.is_integer():
            raise BadArguments(f"`{variable.name}` is an integer, not {argument}")
        value = constant(int(argument), kept)
        if int(value) != int(argument):
            limits = np.iinfo(kept.compute)
            raise BadArguments(f"`{variable.name}` lies between {limits.min} and {limits.max}; {argument} does not")
        return value
    return constant(argument, kept)


def _address(name: str, argument: object, arrays: dict[str, tuple[Region, Array]]) -> Vector:
    match argument:
        case ArrayArgument():
            return np.int64(arrays[name][0].base)
        case Alias(array=array, offset=offset):
            if array not in arrays:
                raise BadArguments(f"`{name}` is to be `{array}`, which is no array argument")
            return np.int64(arrays[array][0].base + offset)
        case 0:
            return np.int64(0)
        case _:
            raise BadArguments(f"`{name}` is a pointer: give it an array")


def _objects(
    kernel: Kernel, request: LaunchRequest, space: AddressSpace, arrays: dict[str, tuple[Region, Array]]
) -> tuple[dict[ObjectId, int], list[str]]:
    bases: dict[ObjectId, int] = {}
    notes: list[str] = []
    for obj in sorted(kernel.objects, key=_is_unsized):
        if obj.name in arrays and obj.space in (Space.GLOBAL, Space.CONSTANT):
            bases[obj.id] = arrays[obj.name][0].base
            continue
        size = _size(obj)
        if _is_unsized(obj):
            size = _dynamic_bytes(request, space, notes, obj)
        if obj.space in (Space.GLOBAL, Space.CONSTANT):
            notes.append(f"`{obj.name}` holds zeros at first")
        align = ALIGNMENT if _is_unsized(obj) else max(align_of(obj.type), obj.align)
        bases[obj.id] = space.add(obj.name, obj.space, size, align, written=obj.space is not Space.SHARED).base
    return bases, notes


def _is_unsized(obj: MemoryObject) -> bool:
    return isinstance(obj.type, ArrayType) and obj.type.extent is None


def _size(obj: MemoryObject) -> int:
    if _is_unsized(obj):
        return 0
    size = size_of(obj.type)
    if size is None:
        raise BadArguments(f"the size of `{obj.name}` is not constant: {_extent_text(obj.type)}")
    return size


def _extent_text(type: Type) -> str:
    while isinstance(type, ArrayType):
        if type.extent is not None and not isinstance(type.extent, Const):
            return "an extent depends on a value that is not known before the launch"
        type = type.element
    return "its type is not known"


def _dynamic_bytes(request: LaunchRequest, space: AddressSpace, notes: list[str], obj: MemoryObject) -> int:
    """What the launch asks for; else what the hardware gives without being asked."""
    if obj.space is not Space.SHARED:
        raise BadArguments(f"give `{obj.name}` contents: it is declared without a size")
    if request.shared_bytes is not None:
        return request.shared_bytes
    default = Hardware((9, 0)).shared_bytes_per_block
    size = max(0, default - -(-space.bytes_of(Space.SHARED) // ALIGNMENT) * ALIGNMENT)
    notes.append(f"dynamic shared memory of {size} bytes, since none was asked for")
    return size
