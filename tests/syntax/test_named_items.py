"""Of headers only items are read that something names."""

from __future__ import annotations

from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.syntax.parse import parse
from analysis_core.syntax.read.tree import FunctionDecl, RecordDef

FILLER = "\n".join(f'    printf("%d", {i} + n * {i});' for i in range(20))
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
inline int stated(int n) {{ return n; }}
inline int shape(int n) {{ return n; }}
struct P {{ int x; __device__ int get(); }};
__device__ int P::get() {{ return x; }}
__device__ P operator+(P a, P b) {{ return P{{a.x + b.x}}; }}
__global__ void of_header(int *a) {{ a[0] = 0; }}
struct Unused {{ Hidden inner; }};
struct Hidden {{ int x; }};
struct First {{ int x; }};
struct Second {{ int x; }};
using Alias = Hidden;
template <class T> struct Traits;
template <> struct Traits<First> {{ static constexpr int width = 4; First *made; }};
template <> struct Traits<Second> {{ static constexpr int width = 8; Second *made; }};
template <class T> struct Traits<T *> {{ static constexpr int width = 1; }};
typedef struct Node_ {{ int x; }} Node;
typedef int A, B;
struct Placed {{ int x; }} placed;
struct Base {{ virtual __device__ int f(); }};
struct Derived : Base {{ __device__ int f() override; }};
template <int B> struct Starts {{ static void go(int *a) {{ of_header<<<B, 32>>>(a); }} }};
inline void starts(int *a) {{ Starts<4>::go(a); }}
template <int B> void runs(int *a) {{ of_header<<<B, 32>>>(a); }}
"""
MAIN = """
#include "h.cuh"
#define TWICE(f, n) f(f(n))
//@ assume stated(1) == 1
__global__ void k(int *a) { a[threadIdx.x] = TWICE(through, Traits<First>::width); }
int main(int n) { k<<<1, shape(n)>>>(0); }
"""


def test_of_headers_only_items_are_read_that_something_names() -> None:
    tree = parse("a.cu", MemoryFiles({"a.cu": MAIN.encode(), "h.cuh": HEADER.encode()}), Settings())
    assert not tree.problems
    functions = {d.name for d in tree.declarations if isinstance(d, FunctionDecl)}
    needed = {"called", "through", "shape", "of_header", "runs", "starts", "stated", "k", "main"}
    assert functions == needed | {"get", "operator+"}
    records = [d for d in tree.declarations if isinstance(d, RecordDef)]
    assert {d.name for d in records} == {"P", "First", "Traits", "Starts", "Node_", "Placed", "Base", "Derived"}
    assert len([d for d in records if d.name == "Traits"]) == 3
