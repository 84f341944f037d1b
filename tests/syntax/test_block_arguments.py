"""Statements that a macro of the host is handed, which no file in view defines."""

from __future__ import annotations

import pytest

from analysis_core.program.lower import lower
from analysis_core.support.settings import Settings
from analysis_core.syntax.read import tree as syn
from analysis_core.syntax.read.walk_syntax import inside
from tests.syntax.reading import read


def arguments_of(body: str, head: str = "void host(int n)") -> list[syn.Expr]:
    """The arguments of the first call in a function."""
    tree = read(f"{head} {{ {body} }}")
    return next(list(n.args) for one in tree.declarations for n in inside(one) if isinstance(n, syn.Call))


@pytest.mark.parametrize(
    "body", ["M(n, N, { k<N><<<1, 2>>>(n); });", "M({ n = 1; f(n); }, 2);", "M(n, { int i; { } }) ;"]
)
def test_statements_are_a_lambda(body: str) -> None:
    assert sum(isinstance(argument, syn.Lambda) for argument in arguments_of(body)) == 1


@pytest.mark.parametrize(
    "body", ["f(n, {1, 2});", "f(n, {g(n)}, {});", "f(n, {[&] { n = 1; }});", "f(n, {{1}, {2}}); n = 3;", "f(n, {1, 2 "]
)
def test_lists_stay_lists(body: str) -> None:
    tree = read(f"void host(int n) {{ {body} }}")
    inner = [n for one in tree.declarations for n in inside(one) if isinstance(n, syn.Lambda)]
    assert len(inner) == body.count("[&]")


def test_statements_in_device_code_are_not_understood() -> None:
    assert not any(isinstance(a, syn.Lambda) for a in arguments_of("M(n, { return; });", "__global__ void k(int n)"))


def test_the_arms_of_a_macro_in_view_are_shapes_and_of_an_absent_one_a_launch() -> None:
    source = """
        template <int W> __global__ void k(float *p) { p[blockIdx.x * W + threadIdx.x] = 0; }
        #define SEEN(n, W, ...) if (n) { constexpr int W = 64; __VA_ARGS__ } else { constexpr int W = 128; __VA_ARGS__ }
        void host(int n, float *p) { %s(n, W, { k<W><<<n, %s>>>(p); }) ; }
    """
    shapes = []
    for macro, block in (("SEEN", "W"), ("ABSENT", "96")):
        kernels = lower(read(source % (macro, block)), Settings()).kernels
        shapes.append([site.block for kernel in kernels for site in kernel.launches])
    assert shapes == [[(64, 1, 1), (128, 1, 1)], [(96, 1, 1)]]
