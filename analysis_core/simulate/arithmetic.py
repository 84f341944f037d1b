"""C's operators on vectors of lanes.

Both operands have the operator's operand type already (the IR makes conversions explicit), so numpy's arithmetic of
that width is C's, wrap-around included.  What differs is told here: division truncates, shifts by the width or more give
what the hardware gives (0, or the sign; PTX ISA `shl`, `shr`), and division by zero is a fault.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from analysis_core.simulate.representation import Unsupported, Vector

COMPARISONS: Mapping[str, Callable[[Vector, Vector], Vector]] = MappingProxyType(
    {
        "<": np.less,
        "<=": np.less_equal,
        ">": np.greater,
        ">=": np.greater_equal,
        "==": np.equal,
        "!=": np.not_equal,
    }
)

_PLAIN: Mapping[str, Callable[[Vector, Vector], Vector]] = MappingProxyType(
    {
        "+": np.add,
        "-": np.subtract,
        "*": np.multiply,
        "&": np.bitwise_and,
        "|": np.bitwise_or,
        "^": np.bitwise_xor,
    }
)


def operator(op: str, floating: bool) -> Callable[[Vector, Vector], Vector]:
    """The function of a binary operator other than `&&`, `||`; integer `/` and `%` need a divisor without zeros."""
    if op in COMPARISONS:
        return COMPARISONS[op]
    if op in _PLAIN and not (floating and op in "&|^"):
        return _PLAIN[op]
    match op, floating:
        case "/", True:
            return np.divide
        case "/", False:
            return quotient
        case "%", False:
            return remainder
        case "<<", False:
            return shifted_left
        case ">>", False:
            return shifted_right
        case _:
            raise Unsupported(f"the operator `{op}` on these operands")


def remainder(a: Vector, b: Vector) -> Vector:
    """Integer `%`: it has the sign of the dividend."""
    return np.remainder(a, b) if a.dtype.kind == "u" else np.fmod(a, b)


def quotient(a: Vector, b: Vector) -> Vector:
    """Integer `/`: towards zero."""
    if a.dtype.kind == "u" or (np.min(a, initial=0) >= 0 and np.min(b, initial=0) >= 0):
        return np.floor_divide(a, b)
    # The division of a - a % b leaves no remainder, so rounding does not matter.
    return np.floor_divide(np.subtract(a, np.fmod(a, b)), b)


def _amount(a: Vector, b: Vector) -> tuple[Vector, Vector]:
    """The shift as the left operand's type, at most its width - 1; and whether it was more."""
    bits = 8 * a.dtype.itemsize
    over = np.greater_equal(b, bits) if b.dtype.kind == "u" else np.greater_equal(b, bits) | np.less(b, 0)
    if not np.any(over):
        return b.astype(a.dtype), over
    return np.where(over, bits - 1, b).astype(a.dtype)[()], over


def shifted_left(a: Vector, b: Vector) -> Vector:
    """`<<`; 0 for shifts by the width or more."""
    by, over = _amount(a, b)
    result = np.left_shift(a, by)
    return np.where(over, a.dtype.type(0), result)[()] if np.any(over) else result


def shifted_right(a: Vector, b: Vector) -> Vector:
    """`>>`: arithmetic for signed operands; shifts by the width or more leave 0 or the sign."""
    by, over = _amount(a, b)
    result = np.right_shift(a, by)
    if a.dtype.kind == "u" and np.any(over):
        return np.where(over, a.dtype.type(0), result)[()]
    return result


def overflows(op: str, a: Vector, b: Vector) -> Vector:
    """Where a signed `+`, `-` or `*` leaves the range of its type."""
    wide = np.float64 if a.dtype.itemsize == 8 else np.int64
    exact = _PLAIN[op](a.astype(wide), b.astype(wide))
    limits = np.iinfo(a.dtype)
    # Doubles are exact enough: they round at 2^63, where the overflow begins, to the number beyond.
    return np.less(exact, wide(limits.min)) | np.greater(
        exact, wide(limits.max) if wide is np.int64 else 2.0**63 - 1024
    )


def too_far(a: Vector, b: Vector) -> Vector:
    """Where a shift is by the width or more, or negative: undefined in C++."""
    return _amount(a, b)[1]
