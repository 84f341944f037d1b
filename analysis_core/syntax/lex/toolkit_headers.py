"""Headers that come with a compiler, the system or the CUDA toolkit, and are no project's own."""

from __future__ import annotations

_NAMES = frozenset(
    {
        "assert", "math", "stdio", "stdlib", "string", "time", "limits", "float", "ctype", "stdint", "stdbool", "stddef",
        "errno", "signal", "unistd", "omp", "device_launch_parameters", "vector_types", "vector_functions", "mma",
        "curand_kernel", "math_constants", "curand", "cublas", "cublas_v2", "cufft", "cusparse", "cusolverDn", "nvrtc",
        "device_functions", "sm_60_atomic_functions", "driver_types", "host_defines", "builtin_types",
        "texture_types", "surface_types", "cooperative_groups", "cuda", "hip_runtime",
    }
)  # fmt: skip
_PREFIXES = ("cuda_", "cuda/std/", "cudaProfiler", "cooperative_groups/", "sys/", "thrust/", "cub/", "nvtx3/", "nv/")


def is_of_toolkit(path: str) -> bool:
    """Whether a header of this name, as an `#include` spells it without quotes, or of this path is one of those."""
    stem, dot, _ = path.rpartition("/")[2].rpartition(".")
    return not dot or stem in _NAMES or any(f"/{prefix}" in f"/{path}" for prefix in _PREFIXES)
