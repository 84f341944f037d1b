"""Constants that the toolkit's and the standard library's headers define, for programs read without them.

They are a *fallback*: a name is replaced only if it is still spelled in the preprocessed text, so the program's own
definition always wins, and `#ifndef M_PI` still sees it undefined, as it does before the header is included.
Sources: C17 limits.h and float.h for LP64, POSIX math.h, CUDA 12 math_constants.h.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Mapping

TOOLKIT_MACROS: Mapping[str, str] = MappingProxyType(
    {
        # c10/macros/Macros.h
        "C10_WARP_SIZE": "32",
        # limits.h
        "CHAR_BIT": "8",
        "SCHAR_MIN": "(-128)",
        "SCHAR_MAX": "127",
        "UCHAR_MAX": "255",
        "CHAR_MIN": "(-128)",
        "CHAR_MAX": "127",
        "SHRT_MIN": "(-32768)",
        "SHRT_MAX": "32767",
        "USHRT_MAX": "65535",
        "INT_MIN": "(-2147483647 - 1)",
        "INT_MAX": "2147483647",
        "UINT_MAX": "4294967295U",
        "LONG_MIN": "(-9223372036854775807L - 1L)",
        "LONG_MAX": "9223372036854775807L",
        "ULONG_MAX": "18446744073709551615UL",
        "LLONG_MIN": "(-9223372036854775807LL - 1LL)",
        "LLONG_MAX": "9223372036854775807LL",
        "ULLONG_MAX": "18446744073709551615ULL",
        "PATH_MAX": "4096",
        "MAXFLOAT": "3.40282347e+38F",
        # stdint.h
        "INT8_MIN": "(-128)",
        "INT8_MAX": "127",
        "UINT8_MAX": "255",
        "INT16_MIN": "(-32768)",
        "INT16_MAX": "32767",
        "UINT16_MAX": "65535",
        "INT32_MIN": "(-2147483647 - 1)",
        "INT32_MAX": "2147483647",
        "UINT32_MAX": "4294967295U",
        "INT64_MIN": "(-9223372036854775807L - 1L)",
        "INT64_MAX": "9223372036854775807L",
        "UINT64_MAX": "18446744073709551615UL",
        "SIZE_MAX": "18446744073709551615UL",
        # float.h
        "FLT_RADIX": "2",
        "FLT_MANT_DIG": "24",
        "DBL_MANT_DIG": "53",
        "FLT_DIG": "6",
        "DBL_DIG": "15",
        "FLT_MAX": "3.402823466e+38F",
        "FLT_MIN": "1.175494351e-38F",
        "FLT_EPSILON": "1.192092896e-07F",
        "DBL_MAX": "1.7976931348623158e+308",
        "DBL_MIN": "2.2250738585072014e-308",
        "DBL_EPSILON": "2.2204460492503131e-016",
        # math.h
        "M_E": "2.7182818284590452354",
        "M_LOG2E": "1.4426950408889634074",
        "M_LOG10E": "0.43429448190325182765",
        "M_LN2": "0.69314718055994530942",
        "M_LN10": "2.30258509299404568402",
        "M_PI": "3.14159265358979323846",
        "M_PI_2": "1.57079632679489661923",
        "M_PI_4": "0.78539816339744830962",
        "M_1_PI": "0.31830988618379067154",
        "M_2_PI": "0.63661977236758134308",
        "M_2_SQRTPI": "1.12837916709551257390",
        "M_SQRT2": "1.41421356237309504880",
        "M_SQRT1_2": "0.70710678118654752440",
        "HUGE_VALF": "(__builtin_huge_valf())",
        "HUGE_VAL": "(__builtin_huge_val())",
        "INFINITY": "(__builtin_inff())",
        "NAN": '(__builtin_nanf(""))',
        # stddef.h, stdlib.h, stdio.h
        "NULL": "nullptr",
        "EXIT_SUCCESS": "0",
        "EXIT_FAILURE": "1",
        "RAND_MAX": "2147483647",
        "EOF": "(-1)",
        "BUFSIZ": "8192",
        "SEEK_SET": "0",
        "SEEK_CUR": "1",
        "SEEK_END": "2",
        # math_constants.h
        "CUDART_INF_F": "__int_as_float(0x7f800000)",
        "CUDART_NAN_F": "__int_as_float(0x7fffffff)",
        "CUDART_MIN_DENORM_F": "__int_as_float(0x00000001)",
        "CUDART_MAX_NORMAL_F": "__int_as_float(0x7f7fffff)",
        "CUDART_NEG_ZERO_F": "__int_as_float(0x80000000)",
        "CUDART_ZERO_F": "0.0F",
        "CUDART_ONE_F": "1.0F",
        "CUDART_SQRT_HALF_F": "0.707106781F",
        "CUDART_SQRT_TWO_F": "1.414213562F",
        "CUDART_THIRD_F": "0.333333333F",
        "CUDART_PIO4_F": "0.785398163F",
        "CUDART_PIO2_F": "1.570796327F",
        "CUDART_3PIO4_F": "2.356194490F",
        "CUDART_2_OVER_PI_F": "0.636619772F",
        "CUDART_PI_F": "3.141592654F",
        "CUDART_L2E_F": "1.442695041F",
        "CUDART_L2T_F": "3.321928094F",
        "CUDART_LN2_F": "0.693147181F",
        "CUDART_INF": "__longlong_as_double(0x7ff0000000000000ULL)",
        "CUDART_NAN": "__longlong_as_double(0xfff8000000000000ULL)",
        "CUDART_ZERO": "0.0",
        "CUDART_ONE": "1.0",
        "CUDART_PI": "3.1415926535897931e+0",
        "CUDART_PIO2": "1.5707963267948966e+0",
        "CUDART_LN2": "6.9314718055994529e-1",
        "CUDART_SQRT_TWO": "1.4142135623730951e+0",
    }
)

LIBRARY_MACROS: Mapping[str, tuple[tuple[str, ...], str]] = MappingProxyType(
    {
        f"{name}{of_type}": (
            ("i", "n", "index_t") if of_type else ("i", "n"),
            f"for ({'index_t' if of_type else 'int'} i = blockIdx.x * blockDim.x + threadIdx.x; i < (n); i += blockDim.x * gridDim.x)",
        )
        for name, of_types in (("CUDA_KERNEL_LOOP", ("", "_TYPE")), ("CUDA_1D_KERNEL_LOOP", ("", "_T")))
        for of_type in of_types
    }
)
"""Macros of frameworks for loops over a grid, with their parameters (ATen/cuda/detail/KernelUtils.h of PyTorch 2; torchvision, cuda_helpers.h)."""
