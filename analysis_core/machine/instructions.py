"""How many instructions the hardware issues for what is one operator or one call in CUDA C++.

Counted in the machine code that nvcc 13.0 makes for sm_80 (`-O3`), what the kernel around it takes left out; sm_90 differs by a tenth at most but
for functions of doubles, which take up to twice as many.  Of what is done in several ways the way of ordinary operands is counted: denormal
divisors, and arguments of a sine beyond 105,615, take more.  A 64-bit division tests whether both operands fit into 32 bits, and takes the short way then:
its two figures are those of both ways.  `tests/oracles/test_instructions.py` compares.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

DIVISIONS: Mapping[str, tuple[int, int]] = MappingProxyType(
    {"/i32": (24, 24), "%i32": (22, 22), "/u32": (18, 18), "%u32": (17, 17),
     "/i64": (26, 90), "%i64": (24, 84), "/u64": (26, 74), "%u64": (24, 70)}
)  # fmt: skip
"""Least and most instructions of an integer division or remainder by a value of the run."""

BY_CONSTANTS: Mapping[str, tuple[int, int]] = MappingProxyType(
    {"/i32": (3, 4), "%i32": (4, 5), "/u32": (1, 4), "%u32": (1, 5), "/i64": (5, 16), "%i64": (6, 19), "/u64": (2, 15), "%u64": (2, 18)}
)  # fmt: skip
"""By a constant: a power of two, and another one."""

FUNCTIONS: Mapping[str, tuple[int, int]] = MappingProxyType({
    "div": (13, 21), "rcp": (14, 16), "sqrt": (14, 22), "rsqrt": (4, 17), "exp": (10, 38), "exp2": (4, 39), "exp10": (10, 42), "expm1": (29, 50),
    "log": (27, 62), "log2": (29, 65), "log10": (28, 65), "log1p": (32, 102), "sin": (27, 42), "cos": (28, 43), "tan": (25, 54), "sincos": (45, 80),
    "asin": (25, 65), "acos": (26, 72), "atan": (19, 43), "atan2": (50, 78), "sinh": (25, 84), "cosh": (16, 38), "tanh": (17, 59), "pow": (94, 75),
    "cbrt": (16, 43), "rcbrt": (17, 46), "erf": (29, 55), "erfc": (48, 101), "hypot": (29, 40), "fmod": (73, 255), "lgamma": (215, 147),
    "tgamma": (164, 429), "normcdf": (64, 117), "round": (4, 5), "fmax": (1, 8), "fmin": (1, 8),
})  # fmt: skip
"""Of functions of floating-point numbers: for `float`, and for `double`."""

FAST: Mapping[str, int] = MappingProxyType(
    {
        "expf": 5,
        "exp10f": 5,
        "logf": 5,
        "log2f": 4,
        "log10f": 5,
        "sinf": 2,
        "cosf": 2,
        "tanf": 8,
        "powf": 10,
        "fdividef": 5,
        "tanhf": 1,
    }
)
"""Of functions that one instruction of the special function unit does the most of (`__expf`)."""
