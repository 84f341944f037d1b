"""Claims that need all that a thread stores, and those that others may break."""

from __future__ import annotations

import pytest

from analysis_core.claims.decide import claims_of
from analysis_core.claims.verdicts import Judged, Standing
from analysis_core.interp.interpret import interpret
from analysis_core.program.launch import choose_launches
from analysis_core.races.decide import race_report
from analysis_core.support.settings import Settings
from tests.races.test_verdicts import kernels_of

INDEX = "blockIdx.x * blockDim.x + threadIdx.x"


def _only(text: str) -> Judged:
    (kernel,) = kernels_of(text)
    (launch,) = choose_launches(kernel, Settings())
    races = race_report(kernel, launch, interpret(kernel, launch, Settings()), False)
    (found,) = claims_of(kernel, launch, Settings(), races)
    return found


@pytest.mark.parametrize(
    ("claim", "body", "standing"),
    [
        (f"ensures {INDEX} >= n || a[{INDEX}] == \\old(a[{INDEX}]) + 1", "if (i < n) a[i] += 1;", Standing.PROVED),
        (f"ensures {INDEX} >= n || a[{INDEX}] == \\old(a[{INDEX}]) + 1", "if (i < n) a[i] += 2;", Standing.UNDECIDED),
        (f"ensures a[{INDEX}] == \\old(a[{INDEX}]) || {INDEX} < n", "if (i >= n) return; a[i] = 7;", Standing.PROVED),
        (f"ensures a[{INDEX}] >= 0", "int v = a[i]; a[i] = v < 0 ? 0 : v;", Standing.PROVED),
        (f"ensures b[{INDEX}] == \\old(a[{INDEX}])", "b[i] = a[i];", Standing.PROVED),
        (f"ensures b[{INDEX}] == \\old(a[0])", "if (i == 0) a[0] = 5; b[i] = a[0];", Standing.UNDECIDED),
        ("ensures n == \\old(n)", "n = n + 1; a[i] = n;", Standing.PROVED),
        ("ensures n > 2", "if (n < 3) return; a[i] = n;", Standing.REFUTED),
    ],
)
def test_ensures(claim: str, body: str, standing: Standing) -> None:
    text = f"""//@ {claim}
    __global__ void k(int *a, int *b, int n) {{ int i = {INDEX}; {body} }}
    void run(int *a, int *b, int n) {{ k<<<2, 64>>>(a, b, n); }}"""
    assert _only(text).standing is standing


@pytest.mark.parametrize(
    ("body", "standing", "cause"),
    [
        (
            "int x = a[0]; if (i == 0) a[0] = 5; int y = a[0];\n//@ assert x == y || y == 5\n b[i] = x + y;",
            Standing.UNDECIDED,
            "another thread may write `a[0]`",
        ),
        ("int x = a[i]; int y = a[i];\n//@ assert x == y\n b[i] = x + y;", Standing.PROVED, ""),
        (
            "a[i] = 3;\n__syncthreads();\n//@ assert a[i] == 3\n b[i] = a[i];",
            Standing.UNDECIDED,
            "is loaded from memory",
        ),
        (
            "a[i] = 3; a[i + 1] = 4;\n//@ assert a[i] == 3\n b[i] = a[i];",
            Standing.UNDECIDED,
            "another thread may write",
        ),
    ],
)
def test_cells(body: str, standing: Standing, cause: str) -> None:
    text = f"""__global__ void k(int *a, int *b, int n) {{ int i = {INDEX}; {body} }}
    void run(int *a, int *b, int n) {{ k<<<2, 64>>>(a, b, n); }}"""
    found = _only(text)
    assert found.standing is standing and cause in found.cause


def test_pointers_into_one_array_are_no_different_arrays() -> None:
    text = """__global__ void k(int *a, int *b) { int t = threadIdx.x; a[t] = 3; b[t] = 4;
    //@ assert a[t] == 3
    }
    void run(int *p) { k<<<1, 64>>>(p, p + 64); }"""
    found = _only(text)
    assert found.standing is Standing.UNDECIDED and "one array" in found.cause
