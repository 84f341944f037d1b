"""What may be read after a statement: values of variables that nobody reads again are given up where threads meet, and nothing
that somebody reads is."""

from __future__ import annotations

import pytest

from analysis_core.interp.core.liveness import Liveness, is_live
from analysis_core.interp.interpret import interpret, interpret_again
from analysis_core.ir.nodes import If, Inlined, Kernel, Loop, Stmt, Switch
from analysis_core.ir.walk import statements
from analysis_core.program.launch import choose_launches
from analysis_core.program.lower import lower
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.syntax.parse import parse
from tests.engine.interpreted import address


def kernel_of(text: str) -> Kernel:
    """The only kernel of the text."""
    (kernel,) = lower(parse("k.cu", MemoryFiles({"k.cu": text.encode()}), Settings()), Settings()).kernels
    return kernel


def after(text: str, kind: type[Stmt]) -> set[str]:
    """The names of the variables that are live after the first statement of the kind."""
    kernel = kernel_of(text)
    stmt = next(s for s in statements(kernel.body) if isinstance(s, kind))
    live = Liveness.of(kernel).after[id(stmt)]
    return {v.name for v in kernel.variables if is_live(live, v.id)}


@pytest.mark.parametrize(
    ("body", "kind", "live"),
    [
        ("int x = 1, y = 2; if (n) { x = 3; y = 4; } a[x] = 0;", If, {"a", "x"}),
        ("int x = 1, y = 2; if (n) { x = 3; y = 4; } x = 5; a[x] = y;", If, {"a", "y"}),
        ("int x = 1; if (n) x = 2; if (n > 3) x = 1; a[x] = 0;", If, {"a", "n", "x"}),
        ("int x = 1; for (int i = 0; i < n; i++) { if (i & 1) x = i; a[i] = x; }", If, {"a", "i", "n", "x"}),
        ("int x; for (int i = 0; i < n; i++) { x = i; if (i & 1) x = 2; a[i] = x; }", If, {"a", "i", "n", "x"}),
        ("int x; for (int i = 0; i < n; i++) { x = i; if (a[x]) a[x] = 1; }", If, {"a", "i", "n"}),
        ("int x = 0; while (n > x) { x++; if (x == 7) break; } a[x] = 1;", If, {"a", "n", "x"}),
        ("int x = 0, y; while (n > x) { y = x; x += y + 1; } a[x] = 1;", Loop, {"a", "x"}),
        ("int x = n; if (n) return; a[x] = 1;", If, {"a", "x"}),
        ("int x = n; switch (n) { case 1: x = 2; case 2: a[x] = 1; } if (x) a[0] = 1;", Switch, {"a", "x"}),
    ],
)
def test_what_is_live_after_the_first_statement_of_a_kind(body: str, kind: type[Stmt], live: set[str]) -> None:
    assert after(f"__global__ void k(int *a, int n) {{ {body} }}", kind) & {"a", "i", "n", "x", "y"} == live


def test_what_a_call_declares_is_not_read_after_it() -> None:
    text = """
    __device__ int clamped(int x, int n) { int t = x * 3; if (x >= n) { t = 0; return n - 1; } return t; }
    __global__ void k(int *a, int m) { int i = threadIdx.x; int j = clamped(i, 96); a[j + i] = m; }"""
    assert after(text, Inlined) >= {"a", "i", "m"}
    assert after(text, Inlined).isdisjoint({"t", "x", "n"})


KERNEL = """__global__ void k(int *a, int n) {
    int x = 1, y = 2;
    if (n > 3) { x = 3; y = 4; }
    a[threadIdx.x] = x;
    a[threadIdx.x + 64] = REST;
}"""


@pytest.mark.parametrize(("first", "then"), [("n", "y"), ("y", "n"), ("x", "x + n"), ("n", "a[y]")])
def test_what_an_edit_reads_anew_is_known(first: str, then: str) -> None:
    settings = Settings(kernel_seconds=20.0)
    old, new = kernel_of(KERNEL.replace("REST", first)), kernel_of(KERNEL.replace("REST", then))
    launch = choose_launches(new, settings)[0]
    _, past = interpret_again(old, launch, settings, None)
    again, _ = interpret_again(new, launch, settings, past)
    fresh = interpret(new, launch, settings)
    assert [(e.access.text, address(e)) for e in again.accesses] == [
        (e.access.text, address(e)) for e in fresh.accesses
    ]
    assert not any("before it is assigned" in str(s.cause) for e in again.accesses for s in e.address.poly.symbols())
