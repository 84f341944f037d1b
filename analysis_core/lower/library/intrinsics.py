"""The device library as data: pure functions by name, with the types of their arguments and of their result.

A *pure* function depends on its arguments only, so its value is as uniform as they are; it becomes `Intrinsic`
under a canonical name (`fminf`, `std::min` and `umin` are all "min": the type says the rest).  The interpreter
knows the meaning of the integer ones; of floating-point values nothing is tracked.

Signatures are written as in the CUDA documentation, with these words for types:

    T        the common type of all arguments by the usual arithmetic conversions (`min`, `max`)
    F        floating: float if every argument is float (or half), else double (the C++ overloads of `sqrt`)
    A        the type of the first argument, unchanged
    others   C and CUDA type names; `uint`, `ll`, `ull`, `bf16`, `bf162` abbreviate

`{a,b}` in a name stands for both spellings (in the canonical name too: the first for the first).  What is not pure stands in the sets below the table.

Source: CUDA C++ Programming Guide (intrinsics appendix), CUDA Math API reference manual, 12.x.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from analysis_core.ir.nodes import ASYNCHRONOUS_COPY, LIBRARY_OBJECT
from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True)
class PureFunction:
    """`result` and `parameters` are type words of the module docstring, abbreviations written out."""

    canonical: str
    result: str
    parameters: tuple[str, ...]


_ROUNDINGS = "{rn,rz,ru,rd}"

_INTEGER = """
T min(T, T)
T max(T, T)
uint umin(uint, uint) = min
uint umax(uint, uint) = max
ll llmin(ll, ll) = min
ll llmax(ll, ll) = max
ull ullmin(ull, ull) = min
ull ullmax(ull, ull) = max
A abs(A)
long labs(long) = abs
ll llabs(ll) = abs
int __mul24(int, int) = mul24
int mul24(int, int)
uint __umul24(uint, uint) = mul24
uint umul24(uint, uint) = mul24
int __mulhi(int, int) = mulhi
int mulhi(int, int)
uint __umulhi(uint, uint) = mulhi
uint umulhi(uint, uint) = mulhi
ll __mul64hi(ll, ll) = mulhi
ll mul64hi(ll, ll) = mulhi
ull __umul64hi(ull, ull) = mulhi
ull umul64hi(ull, ull) = mulhi
int __popc(uint) = popc
int __popcll(ull) = popc
int popc(uint)
int __clz(int) = clz
int __clzll(ll) = clz
int clz(int)
int __ffs(int) = ffs
int __ffsll(ll) = ffs
int ffs(int)
int __builtin_popcount(uint) = popc
int __builtin_clz(uint) = clz
int __builtin_ffs(int) = ffs
int __builtin_ctz(uint) = ctz
uint __brev(uint) = brev
ull __brevll(ull) = brev
uint __byte_perm(uint, uint, uint) = byte_perm
uint __funnelshift_l(uint, uint, uint) = funnelshift_l
uint __funnelshift_lc(uint, uint, uint) = funnelshift_lc
uint __funnelshift_r(uint, uint, uint) = funnelshift_r
uint __funnelshift_rc(uint, uint, uint) = funnelshift_rc
uint __sad(int, int, uint) = sad
uint __usad(uint, uint, uint) = sad
int __hadd(int, int) = hadd
int __rhadd(int, int) = rhadd
uint __uhadd(uint, uint) = hadd
uint __urhadd(uint, uint) = rhadd
uint __fns(uint, uint, int) = fns
int __dp4a(int, int, int) = dp4a
int __dp2a_{lo,hi}(int, int, int) = dp2a
"""

_FLOATING = """
F {sqrt,cbrt,rsqrt,rcbrt,exp,exp2,exp10,expm1,log,log2,log10,log1p,logb}(F)
F {sin,cos,tan,asin,acos,atan,sinh,cosh,tanh,asinh,acosh,atanh,sinpi,cospi,tanpi}(F)
F {ceil,floor,trunc,round,rint,nearbyint,fabs,erf,erfc,erfinv,erfcinv,erfcx,lgamma,tgamma,normcdf,normcdfinv}(F)
F {j0,j1,y0,y1,cyl_bessel_i0,cyl_bessel_i1}(F)
F {pow,atan2,fmod,fdim,hypot,rhypot,copysign,remainder,nextafter,fdivide}(F, F)
F fmin(F, F) = min
F fmax(F, F) = max
F fma(F, F, F)
F {norm3d,rnorm3d}(F, F, F)
F {norm4d,rnorm4d}(F, F, F, F)
F {ldexp,scalbn,scalbln}(F, int)
F {jn,yn}(int, F)
float {sqrt,cbrt,rsqrt,rcbrt,exp,exp2,exp10,expm1,log,log2,log10,log1p,logb}f(float)
float {sin,cos,tan,asin,acos,atan,sinh,cosh,tanh,asinh,acosh,atanh,sinpi,cospi,tanpi}f(float)
float {ceil,floor,trunc,round,rint,nearbyint,fabs,erf,erfc,erfinv,erfcinv,erfcx,lgamma,tgamma,normcdf,normcdfinv}f(float)
float {j0,j1,y0,y1,cyl_bessel_i0,cyl_bessel_i1}f(float)
float {pow,atan2,fmod,fdim,hypot,rhypot,copysign,remainder,nextafter,fdivide}f(float, float)
float fminf(float, float) = min
float fmaxf(float, float) = max
float fmaf(float, float, float) = fma
float {norm3d,rnorm3d}f(float, float, float)
float {norm4d,rnorm4d}f(float, float, float, float)
float {ldexp,scalbn,scalbln}f(float, int)
float {jn,yn}f(int, float)
float __saturatef(float) = saturate
float __{sin,cos,tan,exp,exp10,log,log2,log10}f(float)
float __tanhf(float)
float __powf(float, float)
float __fdividef(float, float) = fdivide
float __f{add,sub,mul,div,max,min}_ROUND(float, float)
float __fmaf_ROUND(float, float, float) = fma
float __fmaf_ieee_ROUND(float, float, float) = fma
float __f{rcp,sqrt}_ROUND(float)
float __frsqrt_rn(float) = rsqrt
double __d{add,sub,mul,div}_ROUND(double, double)
double __fma_ROUND(double, double, double) = fma
double __d{rcp,sqrt}_ROUND(double)
bool {isnan,isinf,isfinite,signbit,isnormal,__isnan,__isinf,__finite,__isnanf,__isinff,__finitef,__signbit,__signbitf}(A)
int {ilogb}(F)
int ilogbf(float)
int {finite,finitef}(A)
long {lrint,lround}(F)
long {lrintf,lroundf}(float)
ll {llrint,llround}(F)
ll {llrintf,llroundf}(float)
float {nanf}(A)
double {nan}(A)
F lerp(F, F, F)
float {__builtin_inff,__builtin_huge_valf}()
double {__builtin_inf,__builtin_huge_val}()
float {__builtin_nanf}(A)
double {__builtin_nan}(A)
float {__builtin_fabsf,__builtin_sqrtf}(float)
double {__builtin_fabs,__builtin_sqrt}(double)
float __builtin_fmaxf(float, float) = max
float __builtin_fminf(float, float) = min
"""

_CONVERSIONS = """
int __float2int_ROUND(float) = float2int_ROUND
uint __float2uint_ROUND(float) = float2int_ROUND
ll __float2ll_ROUND(float) = float2int_ROUND
ull __float2ull_ROUND(float) = float2int_ROUND
int __double2int_ROUND(double) = float2int_ROUND
uint __double2uint_ROUND(double) = float2int_ROUND
ll __double2ll_ROUND(double) = float2int_ROUND
ull __double2ull_ROUND(double) = float2int_ROUND
float __int2float_ROUND(int) = int2float
float __uint2float_ROUND(uint) = int2float
float __ll2float_ROUND(ll) = int2float
float __ull2float_ROUND(ull) = int2float
double __int2double_rn(int) = int2float
double __uint2double_rn(uint) = int2float
double __ll2double_ROUND(ll) = int2float
double __ull2double_ROUND(ull) = int2float
float __double2float_ROUND(double) = float2float
int __float_as_int(float) = bits
uint __float_as_uint(float) = bits
float __int_as_float(int) = bits
float __uint_as_float(uint) = bits
ll __double_as_longlong(double) = bits
double __longlong_as_double(ll) = bits
int __double2hiint(double) = bits_high
int __double2loint(double) = bits_low
double __hiloint2double(int, int) = bits
half __float2half(float) = float2float
half __float2half_ROUND(float) = float2float
half __double2half(double) = float2float
float __half2float(half) = float2float
half __int2half_ROUND(int) = int2float
half __uint2half_ROUND(uint) = int2float
half __short2half_ROUND(short) = int2float
half __ushort2half_ROUND(ushort) = int2float
int __half2int_ROUND(half) = float2int_ROUND
uint __half2uint_ROUND(half) = float2int_ROUND
short __half2short_ROUND(half) = float2int_ROUND
ushort __half2ushort_ROUND(half) = float2int_ROUND
short __half_as_short(half) = bits
ushort __half_as_ushort(half) = bits
half __short_as_half(short) = bits
half __ushort_as_half(ushort) = bits
bf16 __float2bfloat16(float) = float2float
bf16 __float2bfloat16_ROUND(float) = float2float
bf16 __double2bfloat16(double) = float2float
float __bfloat162float(bf16) = float2float
bf16 __int2bfloat16_ROUND(int) = int2float
int __bfloat162int_ROUND(bf16) = float2int_ROUND
short __bfloat16_as_short(bf16) = bits
ushort __bfloat16_as_ushort(bf16) = bits
bf16 __short_as_bfloat16(short) = bits
bf16 __ushort_as_bfloat16(ushort) = bits
half2 __float2half2_rn(float) = float2float
half2 __floats2half2_rn(float, float) = float2float
half2 __float22half2_rn(float2) = float2float
float2 __half22float2(half2) = float2float
float __low2float(half2) = low2float
float __high2float(half2) = high2float
half __low2half(half2) = low2half
half __high2half(half2) = high2half
half2 __half2half2(half) = half2half2
half2 __halves2half2(half, half) = halves2half2
half2 {__lowhigh2highlow,__low2half2,__high2half2}(half2)
half2 {__lows2half2,__highs2half2}(half2, half2)
bf162 __float2bfloat162_rn(float) = float2float
bf162 __floats2bfloat162_rn(float, float) = float2float
bf162 __float22bfloat162_rn(float2) = float2float
float2 __bfloat1622float2(bf162) = float2float
bf162 __bfloat162bfloat162(bf16) = half2half2
bf162 __halves2bfloat162(bf16, bf16) = halves2half2
bf16 __low2bfloat16(bf162) = low2half
bf16 __high2bfloat16(bf162) = high2half
bf162 {__lowhigh2highlow,__low2bfloat162,__high2bfloat162}(bf162)
bf162 {__lows2bfloat162,__highs2bfloat162}(bf162, bf162)
float __low2float(bf162) = low2float
float __high2float(bf162) = high2float
bf16 __uint2bfloat16_ROUND(uint) = int2float
bf16 __short2bfloat16_ROUND(short) = int2float
bf16 __ushort2bfloat16_ROUND(ushort) = int2float
bf16 __ll2bfloat16_ROUND(ll) = int2float
bf16 __ull2bfloat16_ROUND(ull) = int2float
uint __bfloat162uint_ROUND(bf16) = float2int_ROUND
short __bfloat162short_ROUND(bf16) = float2int_ROUND
ushort __bfloat162ushort_ROUND(bf16) = float2int_ROUND
half __ll2half_ROUND(ll) = int2float
half __ull2half_ROUND(ull) = int2float
ll __half2ll_ROUND(half) = float2int_ROUND
ull __half2ull_ROUND(half) = float2int_ROUND
"""

_HALF = """
A {__hneg,__habs,hsqrt,hrsqrt,hrcp,hexp,hexp2,hexp10,hlog,hlog2,hlog10,hsin,hcos,htanh,hceil,hfloor,htrunc,hrint}(A)
A {__hneg2,__habs2,h2sqrt,h2rsqrt,h2rcp,h2exp,h2exp2,h2exp10,h2log,h2log2,h2log10,h2sin,h2cos,h2tanh,h2ceil,h2floor,h2trunc,h2rint}(A)
A {__hadd,__hsub,__hmul,__hdiv,__hadd_sat,__hsub_sat,__hmul_sat,__hadd_rn,__hsub_rn,__hmul_rn,__hmin,__hmax,__hmin_nan,__hmax_nan}(A, A)
A {__hadd2,__hsub2,__hmul2,__h2div,__hadd2_sat,__hsub2_sat,__hmul2_sat,__hadd2_rn,__hsub2_rn,__hmul2_rn,__hmin2,__hmax2}(A, A)
A {__hfma,__hfma_sat,__hfma_relu,__hfma2,__hfma2_sat,__hfma2_relu,__hcmadd}(A, A, A)
A {__heq2,__hne2,__hle2,__hge2,__hlt2,__hgt2}(A, A)
bool {__heq,__hne,__hle,__hge,__hlt,__hgt,__hequ,__hneu,__hleu,__hgeu,__hltu,__hgtu}(A, A)
unsigned {__heq2_mask,__hne2_mask,__hle2_mask,__hge2_mask,__hlt2_mask,__hgt2_mask}(A, A)
unsigned {__hequ2_mask,__hneu2_mask,__hleu2_mask,__hgeu2_mask,__hltu2_mask,__hgtu2_mask}(A, A)
bool {__hbeq2,__hbne2,__hble2,__hbge2,__hblt2,__hbgt2}(A, A)
bool {__hisnan,__hisinf}(A)
"""

_SIMD = """
uint __v{abs,absss,neg,negss}{2,4}(uint)
uint __v{abs,neg}diff{s,u}{2,4}(uint, uint)
uint __v{add,sub}{2,4}(uint, uint)
uint __v{add,sub}{ss,us}{2,4}(uint, uint)
uint __v{avgs,avgu,havgu,hadd}{2,4}(uint, uint)
uint __v{min,max,sad}{s,u}{2,4}(uint, uint)
uint __v{cmp,set}{eq,ne}{2,4}(uint, uint)
uint __v{cmp,set}{ge,gt,le,lt}{s,u}{2,4}(uint, uint)
int __v{imax,imin}_s32_relu(int, int)
"""

_ABBREVIATIONS = {
    "uint": "unsigned int",
    "ll": "long long",
    "ull": "unsigned long long",
    "ushort": "unsigned short",
    "bf16": "__nv_bfloat16",
    "bf162": "__nv_bfloat162",
    "half": "__half",
    "half2": "__half2",
}

_SIGNATURE = re.compile(r"(?P<result>\w+) (?P<name>[^\s(]+)\((?P<parameters>[^)]*)\)(?: = (?P<canonical>\S+))?")


def _spellings(pattern: str) -> Iterator[str]:
    """All names that `pattern` stands for."""
    start = pattern.find("{")
    if start < 0:
        yield pattern
        return
    end = pattern.index("}", start)
    for choice in pattern[start + 1 : end].split(","):
        yield from _spellings(pattern[:start] + choice + pattern[end + 1 :])


def _table(text: str) -> Iterator[tuple[str, PureFunction]]:
    for line in text.replace("ROUND", _ROUNDINGS).split("\n"):
        match = _SIGNATURE.fullmatch(line.strip())
        if match is None:
            continue
        words = [w.strip() for w in match["parameters"].split(",")] if match["parameters"] else []
        parameters = tuple(_ABBREVIATIONS.get(w, w) for w in words)
        result = _ABBREVIATIONS.get(match["result"], match["result"])
        names = list(_spellings(match["name"]))
        canonical = list(_spellings(match["canonical"])) if match["canonical"] else [n.strip("_") for n in names]
        for position, name in enumerate(names):
            yield name, PureFunction(canonical[position % len(canonical)], result, parameters)


def _all() -> Mapping[str, tuple[PureFunction, ...]]:
    table: dict[str, tuple[PureFunction, ...]] = {}
    for name, function in _table(_INTEGER + _FLOATING + _CONVERSIONS + _HALF + _SIMD):
        table[name] = (*table.get(name, ()), function)
    return MappingProxyType(table)


PURE: Mapping[str, tuple[PureFunction, ...]] = _all()
"""By unqualified name; several entries where the hardware library overloads a name (`__hadd`: int and half)."""

PURE_NAMESPACES = frozenset({"", "std", "thrust", "cuda::std", "cuda", "cub"})
"""Namespaces in which the names of `PURE` mean the same (`std::min`, `cuda::std::sqrt`)."""

OUT_POINTERS: Mapping[str, tuple[str | None, tuple[str, ...]]] = MappingProxyType(
    {
        "sincos": (None, ("sin", "cos")),
        "sincosf": (None, ("sin", "cos")),
        "__sincosf": (None, ("sin", "cos")),
        "sincospi": (None, ("sinpi", "cospi")),
        "sincospif": (None, ("sinpi", "cospi")),
        "frexp": ("frexp", ("frexp_exponent",)),
        "frexpf": ("frexp", ("frexp_exponent",)),
        "modf": ("modf", ("modf_integral",)),
        "modff": ("modf", ("modf_integral",)),
        "remquo": ("remainder", ("remquo_quotient",)),
        "remquof": ("remainder", ("remquo_quotient",)),
    }
)
"""name -> (function returned, functions stored through the trailing pointers); all of them of the leading values."""

CACHED_LOADS = frozenset({"__ldg", "__ldca", "__ldcg", "__ldcs", "__ldlu", "__ldcv"})
CACHED_STORES = frozenset({"__stwb", "__stcg", "__stcs", "__stwt"})

FRESH: Mapping[str, str] = MappingProxyType(
    {
        "clock": "long",
        "clock64": "long long",
        "__clock": "long",
        "__clock64": "long long",
        "__globaltimer": "unsigned long long",
        "globaltimer": "unsigned long long",
        "__nv_clock": "long",
    }
)
"""Clocks, whose value differs from execution to execution, with their result types."""

UNEVALUATED = frozenset({"CUTE_STATIC_ASSERT", "CUTE_STATIC_ASSERT_V"})
"""Macros of assertions that a compiler checks and no run: where their headers are missing, their arguments are not looked at, either."""

NO_EFFECT = frozenset(
    {
        "printf", "fprintf", "puts", "assert", "static_assert", "_assert", "__assert_fail", "__assertfail", "_wassert",
        "__trap", "trap", "__brkpt", "__prof_trigger", "__nanosleep", "exit", "abort",
        "__threadfence", "__threadfence_block", "__threadfence_system", "__syncwarp_fence",
        "__builtin_assume", "__assume", "__builtin_unreachable", "__builtin_prefetch", "__builtin_trap",
        "__nv_associate_access_property", "atomic_thread_fence", "mem_fence",
        "cudaGetLastError", "cudaPeekAtLastError", "__pragma", "CUPRINTF", "cuPrintf",
        "cudaTriggerProgrammaticLaunchCompletion", "cudaGridDependencySynchronize", "cudaDeviceSynchronize",
        *UNEVALUATED,
    }
)  # fmt: skip
"""Calls that change no value the analysis follows; their arguments are evaluated."""

FENCES = NO_EFFECT - UNEVALUATED - {
    "assert", "static_assert", "_assert", "__assert_fail", "__assertfail", "_wassert", "__builtin_assume", "__assume",
    "__builtin_unreachable", "__builtin_prefetch", "__builtin_trap", "__trap", "trap", "exit", "abort", "__pragma",
}  # fmt: skip
"""Those of them that no load is moved past: they order memory, or may read any of it."""

ANSWERING = frozenset(
    {
        "printf", "fprintf", "puts", "cuPrintf",
        "cudaGetLastError", "cudaPeekAtLastError", "cudaDeviceSynchronize", "cudaFree",
    }
)  # fmt: skip
"""Functions that return an `int` (an error, or how much was printed), which may differ from thread to thread."""

IDENTITY = frozenset(
    {
        "__builtin_expect", "__builtin_assume_aligned", "__builtin_launder", "move", "forward", "addressof_identity", "assume_aligned", "as_const", "raw_pointer_cast", "launder",
    }
)  # fmt: skip
"""Calls whose value is that of their first argument (a pointer's alignment claim is not used)."""

_SPACES = ("shared", "global", "local", "constant", "grid_constant")
ADDRESS_TO_NUMBER = frozenset(f"__cvta_generic_to_{space}" for space in _SPACES)
NUMBER_TO_ADDRESS = frozenset(f"__cvta_{space}_to_generic" for space in _SPACES)
"""Pointers as the numbers that instructions of one address space take (`size_t`), and back (`void *`)."""

ALLOCATION_TO_PLACE = frozenset({"cudaMalloc"})
"""Allocation that writes the address to where its first argument points."""

ALLOCATION = frozenset({"malloc", "calloc", "realloc", "__nv_aligned_device_malloc", "alloca"})
RELEASE = frozenset({"free", "cudaFree"})
HEAP = (ALLOCATION_TO_PLACE | ALLOCATION | RELEASE) - {"alloca"}
"""Calls that take memory from the device's heap, or give it back."""

SEEDING = "curand_init"
"""Makes the state of a random number generator.  For a subsequence of the lane's own it multiplies matrices of bits, thousands of
instructions, but where the generator counts (Philox) or the subsequence is 0."""

BLOCK_MOVES = frozenset({"memcpy", "memset", "memmove", "__builtin_memcpy", "__builtin_memset", "cudaMemcpyAsync"})

TEXTURE_FETCH = re.compile(r"(tex(1D|2D|3D|Cubemap)\w*|surf(1D|2D|3D|Cubemap)\w*read)\Z")
SURFACE_WRITE = re.compile(r"surf(1D|2D|3D|Cubemap)\w*write\Z")
"""Texture and surface memory is not counted (docs/hardware.md): a fetched value depends on data, a write changes nothing seen."""

TEXTURE_VALUE = "the value of a texture or surface fetch depends on data"

ADDRESS_SPACE_TESTS = frozenset({"__isGlobal", "__isShared", "__isConstant", "__isLocal", "__isGridConstant"})

UNSUPPORTED_PREFIXES: tuple[tuple[str, str], ...] = (
    ("curand", "random number generator state"),
    ("cub::", "block- or device-wide primitive of a library"),
    ("cuda::memcpy_async", ASYNCHRONOUS_COPY),
    ("cooperative_groups::memcpy_async", ASYNCHRONOUS_COPY),
    ("cuda::ptx::", "inline machine instruction"),
    ("cuda::device::", "inline machine instruction"),
    ("cuda::", LIBRARY_OBJECT),
    ("thrust::", "algorithm of a library"),
    ("cudaStream", "kernel launch from the device"),
    ("cudaLaunch", "kernel launch from the device"),
    ("cudaMemset", "kernel launch from the device"),
    ("cudaEvent", "kernel launch from the device"),
    ("cg::", "cooperative group operation"),
    ("cooperative_groups::", "cooperative group operation"),
    ("std::", "function of the standard library"),
)
"""What is known but outside of the analysed language: prefix of the canonical name, and what it is."""

VECTOR_CONSTRUCTORS: Mapping[str, str] = MappingProxyType(
    {
        f"make_{base}{width}": f"{base}{width}"
        for base in ["char", "uchar", "short", "ushort", "int", "uint", "long", "ulong", "longlong", "ulonglong", "float", "double"]
        for width in (1, 2, 3, 4)
    }
    | {"make_half2": "__half2", "make_bfloat162": "__nv_bfloat162", "make_cuComplex": "float2",
       "make_cuFloatComplex": "float2", "make_cuDoubleComplex": "double2"}
)  # fmt: skip
"""`make_float4(x, y, z, w)` -> the vector type built member by member."""
