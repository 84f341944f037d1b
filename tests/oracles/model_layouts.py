"""Classes that models stand for, and where their members are in the toolkit's own headers and those of the standard library.

A member that is not named here has the same name there.  What cannot be asked is written down with its reason (`apart`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

HEADERS = (
    "cuda_runtime.h", "cuda_fp16.h", "cuda_bf16.h", "cuda_fp8.h", "cuComplex.h", "curand_kernel.h", "mma.h", "cub/cub.cuh", "cub/block/block_shuffle.cuh", "cuda/atomic",
    "cuda/barrier", "cuda/functional", "cuda/pipeline", "cuda/std/array", "cuda/std/atomic", "cuda/std/complex", "cuda/std/functional",
    "cuda/std/optional", "cuda/std/span", "cuda/std/tuple", "cuda/std/utility", "thrust/complex.h", "thrust/device_ptr.h", "thrust/functional.h",
    "thrust/pair.h", "thrust/tuple.h", "array", "atomic", "complex", "deque", "functional", "initializer_list", "list", "map", "memory", "mutex",
    "optional", "queue", "set", "span", "stack", "string", "string_view", "thread", "tuple", "unordered_map", "unordered_set", "utility", "vector",
)  # fmt: skip


@dataclass(frozen=True)
class Record:
    """`members`: paths of ours to paths of theirs.  `within`: the class that has them, where it is not the class itself.
    `apart`: paths of ours that nothing of theirs can be asked for, with the reason."""

    name: str
    members: Mapping[str, str] = field(default_factory=dict)
    within: str = ""
    apart: Mapping[str, str] = field(default_factory=dict)


def _plain(*names: str) -> list[Record]:
    return [Record(name) for name in names]


def _vectors() -> list[Record]:
    names = [
        "char",
        "uchar",
        "short",
        "ushort",
        "int",
        "uint",
        "long",
        "ulong",
        "longlong",
        "ulonglong",
        "float",
        "double",
    ]
    return _plain("dim3", "cuFloatComplex", "cuDoubleComplex", *(f"{name}{n}" for name in names for n in (1, 2, 3, 4)))


def _small_floats() -> list[Record]:
    found = _plain(
        "__half",
        "__half2",
        "__nv_bfloat16",
        "__nv_bfloat162",
        "__half_raw",
        "__half2_raw",
        "__nv_bfloat16_raw",
        "__nv_bfloat162_raw",
    )
    return found + _plain(*(f"__nv_fp8{lanes}_{kind}" for kind in ("e4m3", "e5m2") for lanes in ("", "x2", "x4")))


def _standard() -> list[Record]:
    found: list[Record] = []
    half = {"im": "the second half of `_M_value`, one number to clang, which it gives no address"}
    for kind in ("float", "double"):
        found.append(Record(f"std::complex<{kind}>", {"re": "_M_value"}, apart=half | {"re size": half["im"]}))
        found.append(Record(f"cuda::std::complex<{kind}>", {"re": "__re_", "im": "__im_"}))
        found.append(Record(f"thrust::complex<{kind}>", {"re": "data.x", "im": "data.y"}))
    for kind in ("char, 3", "short, 7", "float, 4", "double, 2", "float4, 5"):
        found.append(Record(f"std::array<{kind}>", {"elements_": "_M_elems"}))
        found.append(Record(f"cuda::std::array<{kind}>", {"elements_": "__elems_"}))
    nothing = {"nothing_": "no element, whose room has no name"}
    found += [
        Record(f"{space}std::array<{kind}, 0>", apart=nothing)
        for space in ("", "cuda::")
        for kind in ("char", "int", "double")
    ]
    for pair in ("char, double", "int, short", "double, char", "float3, float4"):
        found += _plain(*(f"{space}::pair<{pair}>" for space in ("std", "cuda::std", "thrust")))
    for kind in ("char", "short", "double", "float3"):
        theirs = {
            "held_": "_M_payload",
            "held_.value": "_M_payload._M_payload._M_value",
            "held_.engaged": "_M_payload._M_engaged",
        }
        found.append(Record(f"std::optional<{kind}>", theirs))
        whole = {"held_": "a base class there, which has no name as a member"}
        found.append(
            Record(
                f"cuda::std::optional<{kind}>",
                {"held_.value": "__storage_.__val_", "held_.engaged": "__engaged_"},
                apart=whole,
            )
        )
    for kind in ("float", "const double"):
        found.append(Record(f"std::span<{kind}>", {"data_": "_M_ptr", "size_": "_M_extent._M_extent_value"}))
        found.append(Record(f"std::span<{kind}, 4>", {"data_": "_M_ptr"}))
        found.append(Record(f"cuda::std::span<{kind}>", {"data_": "__data_", "size_": "__size_"}))
        found.append(Record(f"cuda::std::span<{kind}, 4>", {"data_": "__data_"}))
    for size in ("1", "3", "5", "24", "40, 8", "24, 8", "7, 2", "33, 1"):
        found.append(Record(f"std::aligned_storage<{size}>::type", {"data": "__data"}))
        room = {"data size": "there of as many bytes as the whole"}
        found.append(Record(f"cuda::std::aligned_storage<{size}>::type", {"data": "__lx"}, apart=room))
    for kinds in ("char", "char, double", "int, float, char", "char, double, char", "char, short, int, char", "char, int, char, double, char",
                  "short, char, float4, char, int, char"):  # fmt: skip
        each = list(enumerate(kinds.split(", ")))
        found.append(
            Record(
                f"std::tuple<{kinds}>",
                {f"m{i}": f"std::_Head_base<{i}ul, {kind}, false>::_M_head_impl" for i, kind in each},
            )
        )
        leaves = {f"m{i}": f"__base_.cuda::std::__tuple_leaf<{i}, {kind}>::__value_" for i, kind in each}
        found += [Record(f"{space}::tuple<{kinds}>", leaves) for space in ("cuda::std", "thrust")]
    operations = ["plus", "minus", "multiplies", "less", "greater", "equal_to"]
    found += _plain(
        *(
            f"{space}::{name}<{kind}>"
            for space in ("std", "cuda::std", "thrust")
            for name in operations
            for kind in ("int", "")
        )
    )
    return found + _plain(*(f"{space}::{name}<int>" for space in ("cuda", "thrust") for name in ("maximum", "minimum")))


def _barriers() -> list[Record]:
    found = [
        Record(f"cuda::barrier<cuda::thread_scope_{scope}>", {"state": "__barrier"}) for scope in ("block", "thread")
    ]
    found += [
        Record(f"cuda::barrier<cuda::thread_scope_{scope}>", {"state": "__phase_arrived_expected"})
        for scope in ("device", "system")
    ]
    shared = {"stages": "__stages", "refcount": "__refcount"}
    for scope in ("block", "device"):
        found += [
            Record(f"cuda::pipeline_shared_state<cuda::thread_scope_{scope}, {n}>", shared) for n in (1, 2, 3, 5, 8)
        ]
        apart = dict.fromkeys(("head", "tail"), "bit-fields there, of 8 bits each")
        found.append(Record(f"cuda::pipeline<cuda::thread_scope_{scope}>", {"state": "__shared_state"}, apart=apart))
    return found + _plain("CUtensorMap", "cuda::aligned_size_t<16>")


def _fragments() -> list[Record]:
    shapes = {"16, 16, 16": "half;__nv_bfloat16;signed char;unsigned char", "32, 8, 16": "half;__nv_bfloat16;signed char", "8, 32, 16":
              "half;__nv_bfloat16;unsigned char", "16, 16, 8": "nvcuda::wmma::precision::tf32", "8, 8, 4": "double", "8, 8, 32":
              "nvcuda::wmma::experimental::precision::u4;nvcuda::wmma::experimental::precision::s4", "8, 8, 128": "nvcuda::wmma::experimental::precision::b1"}  # fmt: skip
    space, found = "nvcuda::wmma::", list[str]()
    for shape, kinds in shapes.items():
        for use, layout in (("matrix_a", "row_major"), ("matrix_b", "col_major")):
            found += [f"{space}fragment<{space}{use}, {shape}, {kind}, {space}{layout}>" for kind in kinds.split(";")]
    sums = [("16, 16, 16", "half float int"), ("32, 8, 16", "half float int"), ("8, 32, 16", "float"), ("16, 16, 8", "float"), ("8, 8, 4", "double"),
            ("8, 8, 32", "int"), ("8, 8, 128", "int")]  # fmt: skip
    return _plain(
        *found,
        *(f"{space}fragment<{space}accumulator, {shape}, {kind}>" for shape, kinds in sums for kind in kinds.split()),
    )


def _blocks() -> list[Record]:
    found = _plain("cub::KeyValuePair<int, float>", "cub::KeyValuePair<int, double>", "cub::KeyValuePair<long, char>")
    raw = "held as the whole of the raw words there"
    empty = "nothing is stored there: one byte of an empty class"
    for kind in ("char", "float", "double", "float3"):
        for name in ("WarpReduce", "WarpScan"):
            found += [
                Record(
                    f"cub::{name}<{kind}{width}>::TempStorage",
                    apart={"unused": empty} | dict.fromkeys(("room", "flags"), raw),
                )
                for width in ("", ", 16", ", 8", ", 7", ", 25")
            ]
        for threads in ("16", "20", "32", "64", "100", "128", "160", "256", "512", "1024", "16, 2, 4, 2"):
            found += _block(kind, threads, empty, raw)
    return [*found, *_sorts(), *_runs()]


SCAN = ("aggregates", "warps", "prefix", "rest", "warp", "warp.unused", "warp.room", "grid", "grid.buffer", "aggregate")
"""Members of a block scan's room, which are held where the scan itself is."""


def _sorts() -> Iterable[Record]:
    raw = "held as the whole of the raw words there"
    scan = [f"block_scan.{name}" for name in SCAN]
    inner = [*scan, "aliasable", "aliasable.digit_counters", "aliasable.raking_grid", "block_scan"]
    of_sort = [
        f"{rank}.{path}" for rank in ("ascending", "descending") for path in inner if path != "block_scan.warp.unused"
    ]
    yield from _plain("cub::BFEDigitExtractor<int>", "cub::BFEDigitExtractor<double>")
    for threads in ("32", "100", "128", "512"):
        for options in ("4, false", "5, true", "1, false", "8, false, false, cub::BLOCK_SCAN_RAKING"):
            whole = f"cub::BlockRadixRank<{threads}, {options}>"
            yield Record(f"{whole}::TempStorage", within=f"{whole}::_TempStorage", apart=dict.fromkeys(scan, raw))
        for options in (
            "int, {}, 4",
            "double, {}, 7, float",
            "unsigned, {}, 1, cub::NullType, 5",
            "char, {}, 19, double",
        ):
            whole = f"cub::BlockRadixSort<{options.format(threads)}>"
            yield Record(
                f"{whole}::TempStorage",
                {"ascending": "asending_ranking_storage", "descending": "descending_ranking_storage", "keys": "exchange_keys",
                 "values": "exchange_values"},
                f"{whole}::_TempStorage",
                dict.fromkeys((*of_sort, "keys.buffer", "values.buffer"), raw),
            )  # fmt: skip


def _runs() -> Iterable[Record]:
    raw = "held as the whole of the raw words there"
    for key, value in (("int", "cub::NullType"), ("char", "double"), ("float3", "int"), ("long long", "char")):
        for items in (1, 4, 7):
            for threads in (32, 256):
                whole = f"cub::BlockMergeSort<{key}, {threads}, {items}, {value}>"
                yield Record(f"{whole}::TempStorage", within=f"{whole}::_TempStorage")
            for width in (4, 32):
                whole = f"cub::WarpMergeSort<{key}, {items}, {width}, {value}>"
                yield Record(f"{whole}::TempStorage", within=f"{whole}::_TempStorage")
    for kind in ("char", "double", "float3", "int"):
        for threads in ("32", "100", "256"):
            whole = f"cub::BlockDiscontinuity<{kind}, {threads}>"
            yield Record(f"{whole}::TempStorage", within=f"{whole}::_TempStorage")
            yield Record(f"cub::BlockShuffle<{kind}, {threads}>::TempStorage", apart={"items": raw})
            whole = f"cub::BlockAdjacentDifference<{kind}, {threads}>"
            yield Record(f"{whole}::TempStorage", within=f"{whole}::_TempStorage")
            for offset in ("unsigned", "unsigned long long"):
                whole = f"cub::BlockRunLengthDecode<{kind}, {threads}, 3, 5, {offset}>"
                apart = dict.fromkeys((f"offset_scan.{name}" for name in SCAN[4:]), raw)
                yield Record(f"{whole}::TempStorage", within=f"{whole}::_TempStorage", apart=apart)
        for items, width in ((1, 32), (3, 32), (5, 8), (8, 32), (16, 16), (32, 4)):
            whole = f"cub::WarpExchange<{kind}, {items}, {width}>"
            within = f"cub::detail::WarpExchangeSmem<{kind}, {items}, {width}>::_TempStorage"
            yield Record(f"{whole}::TempStorage", within=within)
        yield Record(f"cub::WarpExchange<{kind}, 8, 8, cub::WARP_EXCHANGE_SHUFFLE>::TempStorage")
    sort = [f"sort.{rank}.{path}" for rank in ("ascending", "descending")
            for path in ("aliasable", "aliasable.digit_counters", "aliasable.raking_grid", "block_scan", *(f"block_scan.{name}" for name in SCAN if name != "warp.unused"))]  # fmt: skip
    inner = ("sort.ascending", "sort.descending", "sort.keys", "sort.keys.buffer", "sort.values", "sort.values.buffer")
    flag = ("discontinuities.flag.first_items", "discontinuities.flag.last_items")
    for options in ("unsigned char, 128, 4, 256", "int, 100, 3, 40", "unsigned, 64, 19, 1000"):
        whole = f"cub::BlockHistogram<{options}, cub::BLOCK_HISTO_"
        apart = dict.fromkeys((*sort, *inner, *flag), raw)
        yield Record(
            f"{whole}SORT>::TempStorage", within=f"{whole}SORT>::InternalBlockHistogram::_TempStorage", apart=apart
        )
        yield Record(f"{whole}ATOMIC>::TempStorage")


def _block(kind: str, threads: str, empty: str, raw: str) -> Iterable[Record]:
    x, *_, y, z = (*threads.split(", "), "1", "1") if "," not in threads else (threads.split(", ")[0], "4", "2")
    whole = f"cub::BlockReduce<{kind}, {x}, cub::BLOCK_REDUCE_WARP_REDUCTIONS, {y}, {z}>"
    names = {"warps": "warp_reduce", "aggregates": "warp_aggregates", "prefix": "block_prefix"}
    yield Record(f"{whole}::TempStorage", names, f"{whole}::InternalBlockReduce::_TempStorage")
    for algorithm in ("RAKING", "RAKING_COMMUTATIVE_ONLY"):
        whole = f"cub::BlockReduce<{kind}, {x}, cub::BLOCK_REDUCE_{algorithm}, {y}, {z}>"
        inner = ("room", "warp", "warp.unused", "grid", "grid.buffer")
        yield Record(f"{whole}::TempStorage", apart=dict.fromkeys(inner, raw))
    count = int(x) * int(y) * int(z)
    raking = {"warp": "warp_scan", "grid": "raking_grid", "aggregate": "block_aggregate"}
    for algorithm in ("RAKING", "RAKING_MEMOIZE", "WARP_SCANS"):
        whole = f"cub::BlockScan<{kind}, {x}, cub::BLOCK_SCAN_{algorithm}, {y}, {z}>"
        by_warps = algorithm == "WARP_SCANS" and count % 32 == 0
        members = (
            {"warps": "warp_scan", "aggregates": "warp_aggregates", "prefix": "block_prefix"} if by_warps else raking
        )
        apart = (
            {"rest": "what rounds the room up to 32 bytes"}
            if by_warps
            else {"warp.unused": empty, "warp.room": raw, "grid.buffer": raw}
        )
        yield Record(f"{whole}::TempStorage", members, f"{whole}::InternalBlockScan::_TempStorage", apart)
    for items in (1, 2, 4, 7, 8):
        whole = f"cub::BlockExchange<{kind}, {x}, {items}, false, {y}, {z}>"
        yield Record(f"{whole}::TempStorage", {"buffer": "buff"}, f"{whole}::_TempStorage")
        for way in ("Load", "Store"):
            for algorithm in (
                "DIRECT",
                "STRIPED",
                "VECTORIZE",
                "TRANSPOSE",
                *(["WARP_TRANSPOSE"] if count % 32 == 0 else []),
            ):
                whole = f"cub::Block{way}<{kind}, {x}, {items}, cub::BLOCK_{way.upper()}_{algorithm}, {y}, {z}>"
                yield Record(
                    f"{whole}::TempStorage", {"valid": "valid_items"}, f"{whole}::_TempStorage", {"buffer": raw}
                )


def _sized() -> list[Record]:
    """Classes of `sizes.txt`, which have no members there."""
    atomics = [
        f"{space}atomic<{kind}>"
        for space in ("std::", "cuda::", "cuda::std::")
        for kind in ("bool", "char", "short", "int", "long long", "double")
    ]
    containers = ("vector<int>", "vector<bool>", "string", "string_view", "unique_ptr<int>", "shared_ptr<int>", "weak_ptr<int>", "map<int, int>",
                  "multimap<int, char>", "set<int>", "multiset<double>", "unordered_map<int, int>", "unordered_set<int>", "list<int>", "deque<int>",
                  "queue<int>", "stack<int>", "function<int(int)>", "mutex", "thread", "initializer_list<int>")  # fmt: skip
    return _plain(
        "thrust::device_ptr<int>", "cudaStream_t", "cudaEvent_t", *atomics, *(f"std::{name}" for name in containers)
    )


def records() -> list[Record]:
    """All classes that are held against the headers."""
    states = _plain("curandState", "curandStatePhilox4_32_10_t", "curandStateMRG32k3a")
    return [*_vectors(), *_small_floats(), *_standard(), *_barriers(), *states, *_fragments(), *_blocks(), *_sized()]


NO_PACKAGE = {
    "glm.cuh": "GLM", "cutlass.cuh": "CUTLASS", "cute.cuh": "CUTLASS", "cute_tensors.cuh": "CUTLASS", "tensor_accessor.cuh": "PyTorch",
    "torch.cuh": "PyTorch", "fp8_of_frameworks.cuh": "PyTorch and CUTLASS", "names_of_halves.cuh": "PyTorch and CUTLASS",
}  # fmt: skip
"""Models of libraries whose headers are not of the packages."""

OWN = {
    "async_copies.cuh": ("__alignment_of_size", "__alignment_of_copy", "__piece"),
    "cub.cuh": (
        "BlockRakingLayout",
        "RakingStorage",
        "SharingStorage",
        "SharedByOthers",
        "Either",
        "ReduceStorage",
        "RoomOfReduce",
        "ScanStorage",
        "ScanParts",
        "Rest",
        "WarpRoom",
        "Arrangement",
        "ExchangeStorage",
        "Vector",
        "ValidItems",
        "Storage",
    ),
    "cub_exchanges.cuh": ("WarpExchangeBy",),
    "cub_histograms.cuh": (
        "Discontinuities",
        "HistogramBySort",
        "HistogramByAtomics",
        "RoomOfHistogram",
        "MarksRuns",
        "Type",
    ),
    "cub_merges.cuh": ("BlockMergeSortStrategy",),
    "cub_runs.cuh": ("Equality", "Inequality", "Runs"),
    "cub_sorts.cuh": ("Prefix",),
    "cub_traits.cuh": ("UnsignedOf", "Traits"),
    "cuda_pipeline.cuh": ("__pipeline_words",),
    "cuda_ptx.cuh": ("n32_t",),
    "optional.cuh": ("optional_payload_",),
    "wmma.cuh": ("Element", "Held", "Shape", "Word", "Pieces"),
}
"""Classes that models have for themselves: theirs are arranged otherwise, and kernels name none of them."""

TAGS = {
    "cub.cuh": ("NullType", "Sum", "Max", "Min", "ArgMax", "ArgMin"),
    "wmma.cuh": ("row_major", "col_major", "matrix_a", "matrix_b", "accumulator", "tf32", "u4", "s4", "b1"),
}
"""Classes without members, of one byte in every C++."""
