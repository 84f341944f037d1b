"""Host functions that no launch depends on are not read; all others are."""

from __future__ import annotations

from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.syntax.parse import parse
from analysis_core.syntax.read.tree import FunctionDecl

FILLER = "\n".join(f'    printf("%d", {i} + n * {i});' for i in range(20))
SOURCE = f"""
__global__ void k(int *a) {{ a[threadIdx.x] = 0; }}
template <int B> __global__ void t(int *a) {{ a[threadIdx.x * B] = 0; }}
template <int B> void run(int *a) {{ t<B><<<1, B>>>(a); }}
void report(int n) {{
{FILLER}
}}
int blocks(int n) {{ return (n + 255) / 256; }}
void through(int *a, int n) {{
{FILLER}
    run<64>(a);
}}
void apart(int *a, int n) {{
{FILLER}
    k << < 1, 32 >> > (a);
}}
constexpr int folded(int n) {{
{FILLER}
    return n;
}}
int main(int n) {{
{FILLER}
    through(0, n);
}}
"""


def bodies() -> dict[str, bool]:
    tree = parse("a.cu", MemoryFiles({"a.cu": SOURCE.encode()}), Settings())
    assert not tree.problems
    return {d.name: d.body is not None for d in tree.declarations if isinstance(d, FunctionDecl)}


def test_what_launches_is_read_and_what_only_prints_is_not() -> None:
    found = bodies()
    assert not found["report"]
    assert [name for name, read in found.items() if not read] == ["report"]
    assert {"k", "t", "run", "blocks", "through", "apart", "folded", "main"} <= found.keys()


HEADER = f"""
__device__ int called(int n) {{ return n + 1; }}
__device__ int through(int n) {{ return called(n); }}
__device__ int alone(int n) {{ return n > 0 ? alone(n - 1) : called(n); }}
template <class T> __device__ T apart(T n) {{ return n; }}
__device__ int of_apart(int n) {{ return apart(n); }}
__device__ int declared(int n);
__device__ int declared(int n) {{ return n; }}
__device__ int of_host(int n) {{ return n; }}
inline void prints(int n) {{
{FILLER}
    of_host(n);
}}
inline int shape(int n) {{ return n; }}
struct P {{ int x; __device__ int get(); }};
__device__ int P::get() {{ return x; }}
__device__ P operator+(P a, P b) {{ return P{{a.x + b.x}}; }}
__global__ void of_header(int *a) {{ a[0] = 0; }}
template <int B> void runs(int *a) {{ of_header<<<B, 32>>>(a); }}
"""
MAIN = """
#include "h.cuh"
#define TWICE(f, n) f(f(n))
__global__ void k(int *a) { a[threadIdx.x] = TWICE(through, 1); }
int main(int n) { k<<<1, shape(n)>>>(0); }
"""


def test_of_headers_only_functions_are_read_that_something_names() -> None:
    tree = parse("a.cu", MemoryFiles({"a.cu": MAIN.encode(), "h.cuh": HEADER.encode()}), Settings())
    assert not tree.problems
    functions = [d for d in tree.declarations if isinstance(d, FunctionDecl)]
    read = {d.name for d in functions if d.body is not None}
    assert {"called", "through", "shape", "get", "operator+", "of_header", "runs", "k", "main"} <= read
    assert {d.name for d in functions} - read == {"alone", "apart", "of_apart", "declared", "of_host", "prints"}
