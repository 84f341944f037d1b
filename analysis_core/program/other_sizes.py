"""A kernel that rests on the size of types that are not declared, lowered once more with another size.

    __global__ void scale(lib::real *out, ..) { out[4 * i] = ..; }      at 4 bytes, and at 2

Which bytes an access touches follows from both: what is said of it is said of both, or is the same.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from analysis_core.ir.nodes import Kernel
from analysis_core.ir.types import OTHER_BYTES, StructType
from analysis_core.lower.context import Instance
from analysis_core.lower.names.scope import Unit, types_of
from analysis_core.support.fuel import OutOfFuel


def with_other_size(unit: Unit, instance: Instance, kernel: Kernel, lower: Callable[[Unit], Kernel]) -> Kernel:
    """The kernel, with itself at the other size.  Not where a template argument is a class, whose layout was settled when its launch was read, nor
    where it takes too much to be read."""
    if any(isinstance(type, StructType) and not type.vector for type in types_of(instance.bindings.values())):
        return kernel
    try:
        found = lower(replace(unit, assumed_bytes=OTHER_BYTES, observer=None))
    except (OutOfFuel, RecursionError):
        return kernel
    return replace(kernel, resized=replace(found, launches=(), claimed=None))
