"""Loops of CUDA sources read as cost programs, and their bounds."""

from __future__ import annotations

import pytest

from analysis_core.bounds.loop_program import loop_program
from analysis_core.bounds.loop_values import NO_WRAP
from analysis_core.bounds.program import Affine, Parameter
from analysis_core.expressions.bounds import Reason
from analysis_core.expressions.expression import symbol, to_text
from analysis_core.ir.nodes import AccessId, Kernel, Loop, VarId
from analysis_core.ir.walk import statements
from analysis_core.lp.infer import infer
from analysis_core.program.lower import lower
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings
from analysis_core.syntax.parse import parse
from analysis_core.text.span import Span

SIZES = ("n", "m")


def bounds(body: str, lane_dependent: tuple[str, ...] = ()) -> tuple[str, str]:
    """Upper and lower bound of "c" for the first loop of a kernel: every access costs 1."""
    text = f"__global__ void k(int *p, const int *q, int n, int m) {{ {body} }}"
    settings = Settings()
    module = lower(parse("k.cu", MemoryFiles({"k.cu": text.encode()}), settings), settings)
    (kernel,) = module.kernels
    loop = next(s for s in kernel.body if isinstance(s, Loop))
    found = loop_program(kernel, loop, entry_of(kernel), parameters(), costs(loop), uniform(kernel, lane_dependent))
    assert not isinstance(found, Reason)
    assert not found.assumptions or found.assumptions == (NO_WRAP,)
    answer = infer(found.program, "c")
    upper = "none" if answer.upper is None else to_text(answer.upper.expression)
    return upper, to_text(answer.lower)


def parameters() -> tuple[Parameter, ...]:
    return tuple(Parameter(name, 0, None, symbol(name)) for name in SIZES)


def entry_of(kernel: Kernel) -> dict[VarId, Affine | None]:
    """Counters start at 0, sizes are parameters."""
    entry: dict[VarId, Affine | None] = {}
    for variable in kernel.variables:
        if variable.name in SIZES:
            entry[variable.id] = Affine(0, ((variable.name, 1),))
        elif variable.name in ("i", "j", "top"):
            entry[variable.id] = Affine(0)
    return entry


def costs(loop: Loop) -> dict[AccessId | Span, tuple[tuple[str, int, int], ...]]:
    below = statements((loop,))
    return {access.id: (("c", 1, 1),) for s in below if (access := getattr(s, "access", None)) is not None}


def uniform(kernel: Kernel, lane_dependent: tuple[str, ...]) -> object:
    names = {variable.id: variable.name for variable in kernel.variables}
    return lambda var: names[var] not in lane_dependent


@pytest.mark.parametrize(
    ("body", "upper", "lower"),
    [
        ("for (int i = 0; i < n; i++) p[i] = 1;", "n", "n"),
        (
            "int i = 0, j = 0; while (i < n) { while (j < m && q[j]) { j++; p[j] = 1; } i++; }",
            "2*m + n + max(0, 1 - m) - 1",
            "0",
        ),
        ("int i = 0, j = 0; while (i < n && j < m) { if (q[i]) i++; else j++; }", "m + n", "max(0, n - max(0, n - m))"),
        ("int i = 0; while (i < n) { p[i] = 1; i += 1 + (q[i] & 3); }", "none", "0"),
        ("int i = 0; while (i < n) { p[i] = 1; if (q[i]) break; i++; }", "2*n", "max(0, 2 - 2*max(0, 1 - n))"),
        ("for (int i = 0; i < n; i++) { if (q[i]) continue; p[i] = 1; }", "2*n", "n"),
        ("for (int i = 0; i < n; i++) { if (q[i]) return; p[i] = 1; }", "2*n", None),
        ("int i = 0; do { p[i] = 1; i++; } while (i < n);", "1 + max(0, n - 1)", "1 + max(0, n - 1)"),
        ("for (int s = n; s > 0; s /= 2) p[s] = 1;", "none", None),
    ],
)
def test_loops_of_sources(body: str, upper: str, lower: str | None) -> None:
    found = bounds(body)
    assert found[0] == upper
    assert lower is None or found[1] == lower


def test_lanes_that_differ() -> None:
    """Both arms may run, and a break of some lanes ends nothing for sure."""
    body = "for (int i = 0; i < n; i++) { if (threadIdx.x < m) p[i] = 1; else p[i] = 2; }"
    assert bounds(body) == ("2*n", "0")
    body = "for (int i = 0; i < n; i++) { p[i] = 1; if (threadIdx.x < m) break; }"
    assert bounds(body)[0] == "n"


def test_lanes_that_return_leave_the_others_behind() -> None:
    """Some lanes return from the inner loop, the others still pay for what follows it."""
    inner = "if (threadIdx.x < m) { for (int j = 0; j < 4; j++) { if (q[j]) return; } } p[i] = 1;"
    upper, _ = bounds(f"for (int i = 0; i < n; i++) {{ {inner} }}")
    assert upper == "5*n"


def test_lanes_that_continued_make_another_round() -> None:
    body = "for (int i = 0; i < n; i++) { if (threadIdx.x < m) continue; p[i] = 1; break; }"
    assert bounds(body)[0] == "n"
