"""Types, constants and traits of the toolkit and of the C++ library that need no header to be known.

Sources: <limits.h>, <float.h>, <math.h> of the LP64 ABI; math_constants.h, curand_kernel.h and cuComplex.h of the
CUDA toolkit 12 (the members of its records).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from analysis_core.ir import constants, layout
from analysis_core.ir.nodes import Const
from analysis_core.ir.scalars import VECTORS, scalar_named
from analysis_core.ir.types import (
    FLOAT,
    INT,
    OpaqueType,
    PointerType,
    ScalarKind,
    ScalarType,
    StructType,
    Type,
)
from analysis_core.lower.context import Lowering
from analysis_core.lower.library import cooperative_groups
from analysis_core.lower.names import resolve, type_traits
from analysis_core.lower.statements import lower_expressions
from analysis_core.lower.values import Operand, Value, unknown_value
from analysis_core.support.facts import Cause, CauseKind
from analysis_core.syntax.lex.models import CLASS_SIZES
from analysis_core.syntax.read import tree as syn

_ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "cuComplex": "float2",
        "cuFloatComplex": "float2",
        "cuDoubleComplex": "double2",
        "cufftComplex": "float2",
        "cufftDoubleComplex": "double2",
        "cufftReal": "float",
        "cufftDoubleReal": "double",
    }
)

_OPAQUE_PREFIXES = ("std::", "thrust::", "cub::", "cuda::")

_WHY = "library type"
_OPAQUE = frozenset({"texture", "surface", "cudaTextureObject", "cudaStream_t", "cudaEvent_t", "va_list"})


def named(ctx: Lowering, name: str) -> StructType | OpaqueType:
    """The vector type of the toolkit with this name, such as `float4`."""
    return VECTORS.get(name) or OpaqueType(name, "not a vector type")


def type_word(word: str) -> Type:
    """The type that a word of `intrinsics.py` stands for."""
    return scalar_named(word) or VECTORS.get(word) or OpaqueType(word, "not a type of the toolkit")


def library_type(ctx: Lowering, name: str, args: Sequence[syn.TemplateArg] | None) -> Type | None:
    """A type of the toolkit by its name as spelled, if it is known; `args` are its template arguments."""
    canonical = qualified_name(ctx, name)
    bare = canonical.removeprefix(cooperative_groups.NAMESPACE + "::")
    if bare in cooperative_groups.TYPES and (bare != canonical or name == canonical):
        if bare != name or ctx.unit.uses_namespace(cooperative_groups.NAMESPACE):
            return cooperative_groups.group_type(bare)
    if bare in cooperative_groups.FUNCTORS and bare != canonical:
        return cooperative_groups.functor(bare).type
    alias = _ALIASES.get(canonical)
    if alias is not None:
        return type_word(alias)
    if canonical in _OPAQUE or canonical.startswith(_OPAQUE_PREFIXES):
        return _of_library(ctx, canonical, args)
    return _member_of_library(ctx, name, args)


def _of_library(ctx: Lowering, canonical: str, args: Sequence[syn.TemplateArg] | None) -> OpaqueType:
    """A class of a library whose members are not known: its size is what a table says, and otherwise an unknown."""
    element = argument_type(ctx, args[0]) if args else None
    of_it = f"{canonical}<{element.name}>" if isinstance(element, ScalarType) else ""
    sized = CLASS_SIZES.get(of_it) or CLASS_SIZES.get(canonical)
    if isinstance(sized, int):
        size = layout.size_of(element) if isinstance(element, ScalarType | PointerType) else None
        sized = (max(size, sized),) * 2 if size else None
    if isinstance(sized, tuple):
        return OpaqueType(canonical, _WHY, *sized)
    return OpaqueType(canonical, _WHY, unsized=True)


def _member_of_library(ctx: Lowering, name: str, args: Sequence[syn.TemplateArg] | None) -> Type | None:
    """`BlockReduce::TempStorage` where BlockReduce is an alias of a library's class."""
    head, _, last = name.rpartition("::")
    outer = resolve.find_type(ctx, head, tuple(args) if args is not None else None) if head else None
    if isinstance(outer, OpaqueType) and outer.why.startswith("library"):
        return OpaqueType(f"{outer.name}::{last}", _WHY, unsized=True)
    return None


def qualified_name(ctx: Lowering, name: str) -> str:
    """`name` with aliases resolved, and with the namespace in front that a `using namespace` supplies."""
    canonical = ctx.unit.canonical(name, ctx.scope.root().namespace)
    head = canonical.partition("::")[0]
    if "::" not in canonical or head in cooperative_groups.TYPES:
        known = (
            head in cooperative_groups.TYPES
            or canonical in cooperative_groups.FUNCTIONS
            or canonical in cooperative_groups.TYPES
        )
        if known and ctx.unit.uses_namespace(cooperative_groups.NAMESPACE):
            return f"{cooperative_groups.NAMESPACE}::{canonical}"
    return canonical


def constant_argument(ctx: Lowering, node: syn.TemplateArg | syn.Expr) -> Const | None:
    """The integer that a template argument (or a call's argument) is, if it is one.

    `f<N>` is read as a type name where N might be one; then the name is looked up as a value."""
    if isinstance(node, syn.NamedType):
        if node.template_args is not None and not node.name.endswith(("::value", "_v")):
            return None
        node = syn.Name(span=node.span, expansion=node.expansion, name=node.name, template_args=node.template_args)
    if not isinstance(node, syn.Expr):
        return None
    return lower_expressions.constant(ctx, node)


def argument_type(ctx: Lowering, arg: syn.TemplateArg) -> Type | None:
    return resolve.resolve_type(ctx, arg) if isinstance(arg, syn.TypeNode) else None


# --- constants --------------------------------------------------------------------------------------------------

_FLOAT_MAX, _FLOAT_MIN, _FLOAT_EPSILON = 3.4028234663852886e38, 1.1754943508222875e-38, 1.1920928955078125e-07
_DOUBLE_MAX, _DOUBLE_MIN, _DOUBLE_EPSILON = 1.7976931348623157e308, 2.2250738585072014e-308, 2.220446049250313e-16

_CONSTANTS: Mapping[str, Const] = MappingProxyType(
    {
        "MAXINT": Const(2**31 - 1, INT),
        "CUDART_MAX_NORMAL_F": Const(_FLOAT_MAX, FLOAT),
        "CUDART_MIN_DENORM_F": Const(2.0**-149, FLOAT),
        "cudaSuccess": Const(0, INT),
        "EXIT_SUCCESS": Const(0, INT),
        "EXIT_FAILURE": Const(1, INT),
    }
)
"""What `literals.KNOWN_CONSTANTS` leaves to the toolkit."""


def library_value(ctx: Lowering, name: str, node: syn.Name) -> Operand | None:
    """A name of the toolkit that is no function and that the text does not declare, or None."""
    canonical = qualified_name(ctx, name)
    constant = _CONSTANTS.get(canonical)
    if constant is not None:
        return Value(constant, constant.type)
    trait = type_traits.constant_named(ctx, name, node.template_args)
    if trait is None and "numeric_limits::" in canonical:
        trait = numeric_limit(ctx, canonical, node.template_args)
    if trait is not None:
        return Value(trait, trait.type)
    if canonical.startswith(
        ("cudaBoundaryMode", "cuda::memory_order", "cuda::std::memory_order", "cuda::thread_scope")
    ):
        return unknown_value(Cause(CauseKind.MISSING, f"'{name}' is an enumerator of a library", node.span), INT)
    return None


def numeric_limit(ctx: Lowering, canonical: str, args: Sequence[syn.TemplateArg] | None) -> Const | None:
    """`std::numeric_limits<T>::max()` and its relatives (called or, for `digits`, named)."""
    member = canonical.rpartition("::")[2]
    type = argument_type(ctx, args[0]) if args else None
    if not isinstance(type, ScalarType):
        return None
    if type.kind is ScalarKind.FLOAT and type.size in (4, 8):
        single = type.size == 4
        table = {
            "max": _FLOAT_MAX if single else _DOUBLE_MAX,
            "lowest": -_FLOAT_MAX if single else -_DOUBLE_MAX,
            "min": _FLOAT_MIN if single else _DOUBLE_MIN,
            "epsilon": _FLOAT_EPSILON if single else _DOUBLE_EPSILON,
            "infinity": math.inf,
            "quiet_NaN": math.nan,
            "round_error": 0.5,
            "denorm_min": 2.0**-149 if single else 2.0**-1074,
        }
        return Const(table[member], type) if member in table else None
    if type.kind is ScalarKind.INT:
        bits = 8 * type.size - type.signed
        least = -(2**bits) if type.signed else 0
        values = {"max": 2**bits - 1, "min": least, "lowest": least}
        if member in values:
            return Const(values[member], type)
        if member == "digits":
            return Const(bits, INT)
    return None


def folded(value: Value) -> Const | None:
    """The constant that a value is, if it is one."""
    return constants.fold(value.expr)
