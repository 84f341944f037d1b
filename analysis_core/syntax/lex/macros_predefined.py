"""Macros that exist before the first line: those of nvcc compiling C++17 for Linux on x86-64.

The device pass is what is analysed, so `__CUDA_ARCH__` is defined.  Only macros that programs test are listed, and
none that a header would bring (`INT_MAX` and its like are in `toolkit_macros.py`, as a fallback).

`KEYWORD_MACROS` are macros of the toolkit that every CUDA file sees (`__global__`, `__device__`, ...).  The reader
knows them as keywords, so they are not expanded, but `#ifdef` must find them defined: host-only fallbacks such as
`#ifndef __device__` / `#define __device__` / `#endif` would erase them otherwise.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Mapping

from analysis_core.support.settings import Settings
from analysis_core.syntax.lex.macros import Builtin, Macro, define
from analysis_core.text.span import FileId

_NOWHERE = FileId("")

_FIXED = {
    "__CUDACC__": "1",
    "__NVCC__": "1",
    "__CUDACC_VER_BUILD__": "88",
    "__cplusplus": "201703L",
    "__STDC__": "1",
    "__STDC_HOSTED__": "1",
    "__GNUC__": "12",
    "__GNUC_MINOR__": "2",
    "__GNUC_PATCHLEVEL__": "0",
    "__GNUG__": "12",
    "__EXCEPTIONS": "1",
    "__CHAR_BIT__": "8",
    "__SIZEOF_SHORT__": "2",
    "__SIZEOF_INT__": "4",
    "__SIZEOF_LONG__": "8",
    "__SIZEOF_LONG_LONG__": "8",
    "__SIZEOF_FLOAT__": "4",
    "__SIZEOF_DOUBLE__": "8",
    "__SIZEOF_POINTER__": "8",
    "__SIZEOF_SIZE_T__": "8",
    "__SCHAR_MAX__": "0x7f",
    "__SHRT_MAX__": "0x7fff",
    "__INT_MAX__": "0x7fffffff",
    "__LONG_MAX__": "0x7fffffffffffffffL",
    "__LONG_LONG_MAX__": "0x7fffffffffffffffLL",
    "__FLT_MAX__": "3.40282346638528859811704183484516925e+38F",
    "__FLT_MIN__": "1.17549435082228750796873653722224568e-38F",
    "__FLT_EPSILON__": "1.19209289550781250000000000000000000e-7F",
    "__DBL_MAX__": "double(1.79769313486231570814527423731704357e+308L)",
    "__DBL_EPSILON__": "double(2.22044604925031308084726333618164062e-16L)",
    "__LP64__": "1",
    "_LP64": "1",
    "__x86_64__": "1",
    "__x86_64": "1",
    "__amd64__": "1",
    "__linux__": "1",
    "__linux": "1",
    "linux": "1",
    "__gnu_linux__": "1",
    "__unix__": "1",
    "__unix": "1",
    "unix": "1",
    "__ELF__": "1",
    "_GNU_SOURCE": "1",
    "__ORDER_LITTLE_ENDIAN__": "1234",
    "__ORDER_BIG_ENDIAN__": "4321",
    "__BYTE_ORDER__": "__ORDER_LITTLE_ENDIAN__",
    "__SIZE_TYPE__": "long unsigned int",
    "__PTRDIFF_TYPE__": "long int",
    "__DATE__": '"Jan  1 1970"',
    "__TIME__": '"00:00:00"',
    "__TIMESTAMP__": '"Thu Jan  1 00:00:00 1970"',
}

KEYWORD_MACROS = frozenset(
    {
        "__global__", "__device__", "__host__", "__shared__", "__constant__", "__managed__", "__grid_constant__",
        "__forceinline__", "__noinline__", "__launch_bounds__", "__cluster_dims__", "__maxnreg__", "__align__",
        "__builtin_align__", "__device_builtin__", "__inline_hint__", "__no_return__", "__has_include",
        "__has_include_next", "__has_attribute", "__has_cpp_attribute", "__has_builtin",
    }
)  # fmt: skip
"""Defined for `#ifdef` and `defined`, never expanded; a program that defines one itself has its will."""

_BUILTINS = {
    kind.value: Macro(kind.value, ("text",) if kind is Builtin.PRAGMA else None, (), None, plain=False, builtin=kind)
    for kind in Builtin
}
_TABLE: Mapping[str, Macro] = MappingProxyType(
    _BUILTINS | {name: define(name, value, _NOWHERE) for name, value in _FIXED.items()}
)


def predefined(settings: Settings) -> dict[str, Macro]:
    """The macros before the first line, those of `settings.defines` last."""
    macros = dict(_TABLE)
    arch = architecture(settings.compute_capability)
    macros["__CUDA_ARCH__"] = define("__CUDA_ARCH__", arch, _NOWHERE)
    macros["__CUDA_ARCH_LIST__"] = define("__CUDA_ARCH_LIST__", arch, _NOWHERE)
    for name, value in toolkit(settings.cuda_version).items():
        macros[name] = define(name, value, _NOWHERE)
    for name, value in settings.defines.items():
        macro = define(name, value, _NOWHERE)
        macros[macro.name] = macro
    return macros


def toolkit(version: str) -> dict[str, str]:
    """What headers and compiler of a version of the toolkit define: 12.4 gives 12040."""
    major, _, minor = version.partition(".")
    number = str(int(major) * 1000 + int(minor or "0") * 10)
    return {
        "CUDA_VERSION": number, "CUDART_VERSION": number, "__CUDACC_VER_MAJOR__": major, "__CUDACC_VER_MINOR__": minor or "0",
        "__CUDA_API_VER_MAJOR__": major, "__CUDA_API_VER_MINOR__": minor or "0",
    }  # fmt: skip


def architecture(compute_capability: str) -> str:
    """`__CUDA_ARCH__` of a compute capability: "9.0" gives "900"; a malformed one gives "900" too."""
    major, _, minor = compute_capability.partition(".")
    minor = minor.rstrip("af")  # "9.0a" and "10.0f" are feature variants of the same number
    if not major.isdigit() or not (minor or "0").isdigit():
        return "900"
    return str(int(major) * 100 + int(minor or "0") * 10)


def command_line(settings: Settings) -> tuple[str, ...]:
    """`-D` options that give another preprocessor (run with `-undef`) the same macros; used by the tests."""
    named = {**_FIXED, **{name: name for name in sorted(KEYWORD_MACROS) if not name.startswith("__has")}}
    named |= {name: architecture(settings.compute_capability) for name in ("__CUDA_ARCH__", "__CUDA_ARCH_LIST__")}
    named |= toolkit(settings.cuda_version) | dict(settings.defines)
    builtin = ("__DATE__", "__TIME__", "__TIMESTAMP__", "__cplusplus", "__STDC__", "__STDC_HOSTED__")
    return tuple(f"-D{name}={value}" for name, value in named.items() if name not in builtin)
