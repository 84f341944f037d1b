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
