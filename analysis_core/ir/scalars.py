"""Scalar and vector types by their spellings, for LP64 (Linux and macOS; `long` has 8 bytes).

Sources: C++17 [basic.fundamental]; <cstdint>; CUDA C++ Programming Guide, "Built-in Vector Types" with the table of
alignment requirements; cuda_fp16.h and cuda_bf16.h for the 16-bit floats.
"""

from __future__ import annotations

from collections.abc import Mapping

from analysis_core.ir.types import BOOL, CHAR, DOUBLE, FLOAT, INT, UINT, VOID, Field, ScalarKind, ScalarType, StructType


def integer(size: int, signed: bool, name: str) -> ScalarType:
    return ScalarType(ScalarKind.INT, size, signed, name)


SCHAR = integer(1, True, "signed char")
UCHAR = integer(1, False, "unsigned char")
SHORT = integer(2, True, "short")
USHORT = integer(2, False, "unsigned short")
LONG_INT = integer(8, True, "long")
ULONG_INT = integer(8, False, "unsigned long")
SIZE_T = integer(8, False, "size_t")
PTRDIFF_T = integer(8, True, "ptrdiff_t")
LONG_DOUBLE = ScalarType(ScalarKind.FLOAT, 16, True, "long double")
HALF = ScalarType(ScalarKind.FLOAT, 2, True, "half")
BFLOAT16 = ScalarType(ScalarKind.FLOAT, 2, True, "nv_bfloat16")

_SPECIFIERS = frozenset(
    [
        "signed",
        "unsigned",
        "char",
        "short",
        "int",
        "long",
        "float",
        "double",
        "bool",
        "void",
        "_Bool",
        "__int64",
        "__int128",
        "__signed__",
        "wchar_t",
    ]
)


def _typedefs() -> Mapping[str, ScalarType]:
    table: dict[str, ScalarType] = {}
    for bits in (8, 16, 32, 64):
        for form in ("int{}_t", "int_least{}_t", "__int{}_t"):
            name = form.format(bits)
            table[name] = integer(bits // 8, True, name)
            unsigned = name.replace("int", "uint", 1)
            table[unsigned] = integer(bits // 8, False, unsigned)
        table[f"u_int{bits}_t"] = integer(bits // 8, False, f"u_int{bits}_t")
    for name, size, signed in (
        ("int_fast8_t", 1, True), ("uint_fast8_t", 1, False), ("int_fast16_t", 8, True), ("uint_fast16_t", 8, False),
        ("int_fast32_t", 8, True), ("uint_fast32_t", 8, False), ("int_fast64_t", 8, True), ("uint_fast64_t", 8, False),
        ("intmax_t", 8, True), ("uintmax_t", 8, False), ("intptr_t", 8, True), ("uintptr_t", 8, False),
        ("size_t", 8, False), ("ssize_t", 8, True), ("ptrdiff_t", 8, True), ("off_t", 8, True), ("clock_t", 8, True),
        ("time_t", 8, True), ("uint", 4, False), ("uchar", 1, False), ("ushort", 2, False), ("ulong", 8, False),
        ("u_char", 1, False), ("u_short", 2, False), ("u_int", 4, False), ("u_long", 8, False), ("byte", 1, False),
        ("longlong", 8, True), ("ulonglong", 8, False),
        ("char8_t", 1, False), ("char16_t", 2, False), ("char32_t", 4, False), ("wint_t", 4, False),
        ("cudaTextureObject_t", 8, False), ("cudaSurfaceObject_t", 8, False), ("cudaError_t", 4, False),
    ):  # fmt: skip
        table[name] = integer(size, signed, name)
    del table["longlong"], table["ulonglong"], table["byte"]  # Not declared by any header of the toolkit.
    for name in ("half", "__half", "__nv_half", "nv_half", "__nv_bfloat16", "nv_bfloat16", "_Float16"):
        table[name] = ScalarType(ScalarKind.FLOAT, 2, True, name)
    return table


_TYPEDEFS: Mapping[str, ScalarType] = _typedefs()

_ELEMENTS: Mapping[str, ScalarType] = {
    "char": CHAR,
    "uchar": UCHAR,
    "short": SHORT,
    "ushort": USHORT,
    "int": INT,
    "uint": UINT,
    "long": LONG_INT,
    "ulong": ULONG_INT,
    "longlong": integer(8, True, "long long"),
    "ulonglong": integer(8, False, "unsigned long long"),
    "float": FLOAT,
    "double": DOUBLE,
}


def vector(name: str, element: ScalarType, count: int, align: int) -> StructType:
    """A vector type with components x, y, z, w."""
    fields = tuple(Field("xyzw"[i], element, i * element.size) for i in range(count))
    return StructType(name, fields, count * element.size, align, vector=True)


def _vectors() -> Mapping[str, StructType]:
    """Two components are aligned as their pair, four as at most 16 bytes, one and three as their element."""
    table: dict[str, StructType] = {}
    for word, element in _ELEMENTS.items():
        for count in (1, 2, 3, 4):
            name = f"{word}{count}"
            align = min(16, count * element.size) if count in (2, 4) else element.size
            table[name] = vector(name, element, count, align)
    for word, align in (("long", 32), ("ulong", 32), ("longlong", 32), ("ulonglong", 32), ("double", 32)):
        for name, bytes_ in ((f"{word}4_16a", 16), (f"{word}4_32a", align)):
            table[name] = vector(name, _ELEMENTS[word], 4, bytes_)
    table["dim3"] = vector("dim3", UINT, 3, 4)
    for name, element in (
        ("half2", HALF), ("nv_bfloat162", BFLOAT16),
    ):  # fmt: skip
        table[name] = table[f"__{name}"] = vector(f"__{name}", element, 2, 4)
    return table


VECTORS: Mapping[str, StructType] = _vectors()

DIM3 = VECTORS["dim3"]
UINT3 = VECTORS["uint3"]


def scalar_named(name: str) -> ScalarType | None:
    """The built-in type or standard typedef that `name` spells ("long unsigned int", "std::uint32_t"), if any."""
    for prefix in ("std::", "cuda::std::"):
        name = name.removeprefix(prefix)
    words = name.split()
    if words and all(word in _SPECIFIERS for word in words):
        return _from_specifiers(words)
    return _TYPEDEFS.get(name)


def _from_specifiers(words: list[str]) -> ScalarType | None:
    """[dcl.type.simple]: specifiers in any order.  None for a combination that is no type."""
    signed = "unsigned" not in words
    longs = words.count("long")
    if "void" in words:
        return VOID
    if "bool" in words or "_Bool" in words:
        return BOOL
    if "float" in words:
        return FLOAT
    if "double" in words:
        return LONG_DOUBLE if longs else DOUBLE
    if "char" in words:
        return UCHAR if not signed else SCHAR if "signed" in words or "__signed__" in words else CHAR
    if "short" in words:
        return SHORT if signed else USHORT
    if "wchar_t" in words:
        return integer(4, True, "wchar_t")
    if "__int128" in words:
        return integer(16, signed, "__int128" if signed else "unsigned __int128")
    if longs == 2 or "__int64" in words:
        return integer(8, True, "long long") if signed else integer(8, False, "unsigned long long")
    if longs == 1:
        return LONG_INT if signed else ULONG_INT
    return INT if signed else UINT


_FIXED = {(1, True): "signed char", (1, False): "unsigned char", (2, True): "short", (2, False): "unsigned short",
          (4, True): "int", (4, False): "unsigned int", (8, True): "long", (8, False): "unsigned long"}  # fmt: skip
_DISTINCT = frozenset({"char", "long long", "unsigned long long", "__int128", "unsigned __int128", "wchar_t", "char8_t",
                       "char16_t", "char32_t"})  # fmt: skip
_SAME = {"__half": "half", "nv_half": "half", "__nv_half": "half", "nv_bfloat16": "__nv_bfloat16"}
"""Names of one 16-bit type each (cuda_fp16.h, cuda_bf16.h)."""


def identity(type: ScalarType) -> str:
    """The name of the type that a scalar is, however it is spelled: "unsigned long" for size_t.  An enumeration is its own type."""
    if type.kind is not ScalarKind.INT or type.name in _DISTINCT:
        return _SAME.get(type.name, type.name)
    if type.name in _TYPEDEFS or type.name in _FIXED.values():
        return _FIXED[(type.size, type.signed)]
    return type.name


def same_representation(left: ScalarType, right: ScalarType) -> bool:
    """Whether two scalar types have the same values, however they are spelled."""
    if left.kind is not right.kind or left.size != right.size:
        return False
    if left.kind is ScalarKind.INT:
        return left.signed == right.signed
    # half and bfloat16 have the same size and other values.
    return left.kind is not ScalarKind.FLOAT or left.size != 2 or ("bfloat" in left.name) == ("bfloat" in right.name)
