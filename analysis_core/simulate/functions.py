"""The pure functions of the device library, on vectors of lanes.

Names are the canonical ones of `lower/library/intrinsics.py`; a trailing `f`, leading `__` and the rounding suffixes are
dropped, since the types of the arguments say the precision.  Fast approximations (`__expf`) give the exact function's
value rounded to the type, and other roundings than to nearest are not told apart: results agree with the hardware's within
the error bounds that the programming guide promises for the approximation.

A function that is not here is `Unsupported`: a run that meets it ends with its name.

Sources: CUDA Math API reference manual; CUDA C++ Programming Guide, "Mathematical Functions" and "Intrinsics".
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

import numpy as np

from analysis_core.simulate.integer_functions import INTEGER
from analysis_core.simulate.representation import Array, Representation, Unsupported, Vector, converted

Function = Callable[..., Vector]


def library_function(name: str, args: Sequence[Representation], result: Representation) -> Function:
    """The function that computes `name` of arguments represented like `args`; raises `Unsupported`."""
    base, _, component = name.partition(".")
    if base in ("bits", "bits_high", "bits_low"):
        return _reinterpreting(base, component, args, result)
    if base in _TO_INTEGER:
        rounded = _TO_INTEGER[base]
        return lambda value: converted(rounded(_widened(value)), result)
    if base in ("int2float", "float2float"):
        return _conversion(component, args, result)
    if component:
        return _packed(base, component, args, result)
    integral = bool(args) and all(arg.compute.kind in "iub" for arg in args)
    if integral and name in INTEGER:
        integer = INTEGER[name]
        return lambda *values: converted(integer(*values), result)
    if name in ("low2float", "low2half"):
        return lambda low, high: converted(low, result)
    if name in ("high2float", "high2half"):
        return lambda low, high: converted(high, result)
    function = _floating(name)
    if integral and name not in ("jn", "yn"):
        raise Unsupported(f"the function `{name}` of integers")
    # Half precision is computed in single and rounded once.
    narrow = any(arg.rounded or arg.compute.itemsize == 2 for arg in args)
    if narrow:
        return lambda *values: converted(function(*(_widened(v) for v in values)), result)
    return lambda *values: converted(function(*values), result)


def _widened(value: Vector) -> Vector:
    return value.astype(np.float32) if value.dtype == np.float16 else value


def _floating(name: str) -> Function:
    """A function of floating-point arguments by any of its spellings."""
    bare = re.sub(r"_(rn|rz|ru|rd)$", "", name.strip("_"))
    for candidate in (
        bare,
        bare.removesuffix("f"),
        bare.removeprefix("h"),
        bare.removeprefix("f"),
        bare.removeprefix("d"),
    ):
        if candidate in _FLOATING:
            return _FLOATING[candidate]
    raise Unsupported(f"the function `{name}`")


# --- bits and conversions -------------------------------------------------------------------------------------------


def _reinterpreting(name: str, component: str, args: Sequence[Representation], result: Representation) -> Function:
    """`__float_as_int` and its relatives: the same bytes as another type."""
    if component or any(arg.rounded for arg in args) or result.rounded or len(args) > 2:
        raise Unsupported("the bits of a vector or of a bfloat16")
    if name == "bits" and len(args) == 2:
        return lambda high, low: _viewed(_as64(high) << np.uint64(32) | _as64(low), result)
    if name == "bits_high":
        return lambda value: _viewed((value.view(np.uint64) >> np.uint64(32)).astype(np.uint32), result)
    if name == "bits_low":
        return lambda value: _viewed(value.view(np.uint64).astype(np.uint32), result)
    if args[0].compute.itemsize != result.compute.itemsize or "b" in (args[0].compute.kind, result.compute.kind):
        raise Unsupported("the bits of a value as a type of another size")
    return lambda value: _viewed(value, result)


def _as64(value: Vector) -> Vector:
    return value.astype(np.int32).view(np.uint32).astype(np.uint64)


def _viewed(value: Vector, result: Representation) -> Vector:
    return np.ascontiguousarray(value).view(result.compute).reshape(np.shape(value))[()]


def _conversion(component: str, args: Sequence[Representation], result: Representation) -> Function:
    """To floating point, to nearest; between vectors, component by component."""
    if not component or len(args) == 1:
        return lambda *values: converted(values[0], result)
    position = "xyzw".index(component)
    return lambda *values: converted(values[position], result)


_PACKED = re.compile(
    r"h(add|sub|mul|fma|neg|abs|min|max)2(_rn)?|h2(div|sqrt|rsqrt|rcp|exp|log|sin|cos|ceil|floor|trunc)"
)


def _packed(name: str, component: str, args: Sequence[Representation], result: Representation) -> Function:
    """One component of a function of `half2`: the same of that component of every argument."""
    first = "xyzw".find(component)
    match name:
        case "half2half2":
            return lambda value: converted(value, result)
        case "halves2half2":
            return lambda *values: converted(values[first], result)
        case "floats2half2_rn" | "floats2bfloat162_rn":
            return lambda *values: converted(values[first], result)
        case "lowhigh2highlow":
            return lambda *values: converted(values[1 - first], result)
        case "low2half2":
            return lambda *values: converted(values[0], result)
        case "high2half2":
            return lambda *values: converted(values[1], result)
        case "lows2half2":
            return lambda *values: converted(values[2 * first], result)
        case "highs2half2":
            return lambda *values: converted(values[2 * first + 1], result)
        case _:
            found = _PACKED.fullmatch(name)
            if found is None or len(args) % 2:
                raise Unsupported(f"the function `{name}`")
            scalar = library_function("h" + (found[1] or found[3]), args[first::2], result)
            return lambda *values: scalar(*values[first::2])


_TO_INTEGER: Mapping[str, Function] = MappingProxyType(
    {"float2int_rn": np.rint, "float2int_rz": np.trunc, "float2int_ru": np.ceil, "float2int_rd": np.floor}
)
"""`__float2int_rn` and its relatives by their rounding."""


# --- floating point -------------------------------------------------------------------------------------------------


def _each(function: Callable[[float], float]) -> Function:
    """A function of Python's `math` on every entry; what it refuses is NaN."""

    def one(x: float) -> float:
        try:
            return function(x)
        except (ValueError, OverflowError):
            return math.nan

    def all_of(values: Vector) -> Vector:
        flat = np.asarray(values, dtype=np.float64)
        result = np.array([one(float(x)) for x in flat.ravel()]).reshape(flat.shape)
        return result.astype(values.dtype)[()]

    return all_of


def fused(a: Vector, b: Vector, c: Vector) -> Vector:
    """a * b + c, rounded once: in double for float; for double with the errors of both operations added back."""
    if a.dtype != np.float64:
        return (a.astype(np.float64) * b.astype(np.float64) + c.astype(np.float64)).astype(a.dtype)
    product = np.multiply(a, b)
    error = _product_error(a, b, product)
    total = np.add(product, c)
    part = np.subtract(total, product)
    rest = np.add(np.subtract(product, np.subtract(total, part)), np.subtract(c, part))
    exact: Vector = np.add(total, np.add(rest, error))
    return np.asarray(np.where(np.isfinite(exact), exact, total))[()]


def _product_error(a: Vector, b: Vector, product: Vector) -> Vector:
    """a * b - product exactly (Dekker 1971), where nothing overflows."""
    a_high, b_high = _high_half(a), _high_half(b)
    a_low, b_low = np.subtract(a, a_high), np.subtract(b, b_high)
    return a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)


def _high_half(a: Vector) -> Vector:
    scaled = np.multiply(a, 134217729.0)
    return np.subtract(scaled, np.subtract(scaled, a))


def _rounded_half_away(x: Vector) -> Vector:
    """`round`; adding a half first would lift 0.49999997f, and move odd numbers beyond 2^23."""
    whole = np.trunc(x)
    up = np.greater_equal(np.abs(np.subtract(x, whole)), 0.5)
    return np.copysign(np.add(np.abs(whole), up.astype(whole.dtype)), x)


def _remainder(a: Vector, b: Vector) -> Vector:
    """IEEE remainder: a - n * b for the integer n nearest to a / b, the even one of two."""
    part, size = np.fmod(np.abs(a), np.abs(b)), np.abs(b)
    odd = np.greater_equal(np.fmod(np.abs(a), np.multiply(size, size.dtype.type(2))), size)
    rest = np.subtract(size, part)
    over = np.greater(part, rest) | (np.equal(part, rest) & odd)
    return np.multiply(np.where(over, np.subtract(part, size), part), np.copysign(a.dtype.type(1), a))[()]


def _scaled(x: Vector, exponent: Vector) -> Vector:
    return np.ldexp(x, np.asarray(exponent, dtype=np.int64))


def _minimum(a: Vector, b: Vector) -> Vector:
    """The lesser one; NaN loses."""
    return np.fmin(a, b)


def _one_over(function: Function) -> Function:
    return lambda *x: np.divide(x[0].dtype.type(1), function(*x))


def _norm(*parts: Vector) -> Vector:
    total = sum((p.astype(np.float64) ** 2 for p in parts), np.float64(0))
    return np.sqrt(total).astype(parts[0].dtype)


def _truth(ufunc: Callable[[Vector], Vector]) -> Function:
    return lambda x: ufunc(x)


def _times_pi(function: Callable[[Array], Array]) -> Function:
    return lambda x: function(np.multiply(np.fmod(x.astype(np.float64), 2.0), math.pi)).astype(x.dtype)


_FLOATING: Mapping[str, Function] = MappingProxyType(
    {
        "sqrt": np.sqrt, "cbrt": np.cbrt, "rsqrt": _one_over(np.sqrt), "rcbrt": _one_over(np.cbrt),
        "exp": np.exp, "exp2": np.exp2, "expm1": np.expm1, "log": np.log, "log2": np.log2, "log10": np.log10,
        "log1p": np.log1p, "exp10": lambda x: np.power(x.dtype.type(10), x), "rcp": np.reciprocal,
        "logb": lambda x: (np.frexp(x)[1] - 1).astype(x.dtype), "ilogb": lambda x: np.frexp(x)[1] - 1,
        "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan,
        "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "asinh": np.arcsinh, "acosh": np.arccosh,
        "atanh": np.arctanh, "sinpi": _times_pi(np.sin), "cospi": _times_pi(np.cos), "tanpi": _times_pi(np.tan),
        "ceil": np.ceil, "floor": np.floor, "trunc": np.trunc, "round": _rounded_half_away, "rint": np.rint,
        "nearbyint": np.rint, "lrint": np.rint, "llrint": np.rint, "lround": _rounded_half_away,
        "llround": _rounded_half_away, "fabs": np.abs, "abs": np.abs, "neg": np.negative,
        "erf": _each(math.erf), "erfc": _each(math.erfc), "lgamma": _each(math.lgamma), "tgamma": _each(math.gamma),
        "normcdf": _each(lambda x: 0.5 * math.erfc(-x / math.sqrt(2))),
        "erfcx": _each(lambda x: math.exp(x * x) * math.erfc(x)),
        "pow": np.power, "atan2": np.arctan2, "fmod": np.fmod, "hypot": np.hypot, "rhypot": _one_over(np.hypot),
        "copysign": np.copysign, "nextafter": np.nextafter, "fdivide": np.divide,
        "fdim": lambda a, b: np.where(np.greater(a, b), np.subtract(a, b), a.dtype.type(0))[()],
        "remainder": _remainder,
        "min": _minimum, "max": np.fmax, "fma": fused, "norm3d": _norm, "norm4d": _norm, "rnorm3d": _one_over(_norm),
        "rnorm4d": _one_over(_norm), "ldexp": _scaled, "scalbn": _scaled, "scalbln": _scaled,
        "frexp": lambda x: np.frexp(x)[0], "frexp_exponent": lambda x: np.frexp(x)[1],
        "modf": lambda x: np.modf(x)[0], "modf_integral": lambda x: np.modf(x)[1],
        "saturate": lambda x: np.fmin(np.fmax(np.nan_to_num(x), x.dtype.type(0)), x.dtype.type(1)),
        "lerp": lambda a, b, t: np.add(a, np.multiply(t, np.subtract(b, a))),
        "add": np.add, "sub": np.subtract, "mul": np.multiply, "div": np.divide,
        "isnan": np.isnan, "isinf": np.isinf, "isfinite": np.isfinite, "finite": np.isfinite, "signbit": np.signbit,
        "isnormal": lambda x: np.isfinite(x) & np.greater_equal(np.abs(x), np.finfo(x.dtype).tiny),
        "eq": np.equal, "ne": np.not_equal, "lt": np.less, "le": np.less_equal, "gt": np.greater,
        "ge": np.greater_equal,
        "builtin_inf": lambda: np.float64(np.inf), "builtin_huge_val": lambda: np.float64(np.inf),
        "nan": lambda x: np.float64(np.nan), "builtin_nan": lambda x: np.float64(np.nan),
        "builtin_fabs": np.abs, "builtin_sqrt": np.sqrt,
    }
)  # fmt: skip
