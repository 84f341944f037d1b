"""Where a bound cannot be had it is withheld, with its reason, and everything else of the kernel stays."""

from __future__ import annotations

import pytest

from analysis_core.bounds.program import Affine, Assign, CostProgram
from analysis_core.expressions import expression as ex
from analysis_core.expressions.bounds import KernelBounds, Reason
from analysis_core.lp import kernel_bounds as under_test
from analysis_core.lp import transitions
from analysis_core.lp.infer import Memo, Options, infer
from analysis_core.lp.solve import Solver
from analysis_core.pipeline.pipeline import analyse_file
from analysis_core.report.findings.model import KernelReport
from analysis_core.support.files import MemoryFiles
from analysis_core.support.fuel import Fuel
from analysis_core.support.settings import Settings
from tests.lp.cost_programs import a, either, less, loop, program, step, tick, v, when

WHILE = """
__global__ void k(float *a, const int *f, int n, int m) {
    __shared__ int s[1024];
    s[32 * threadIdx.x] = 0;
    int j = 0;
    for (int i = 0; i < n; i++) {
        a[32 * i + threadIdx.x] = 1;
        while (j < m && f[j] != i) { a[32 * j + threadIdx.x] = 2; j++; }
    }
}
"""
"""Needs a linear program for its sectors, and none for its conflicts."""


def analysed(text: str, **options: object) -> KernelReport:
    settings = Settings(block=(32, 1, 1), **options)  # type: ignore[arg-type]
    return analyse_file("k.cu", MemoryFiles({"k.cu": text.encode()}), settings, strict=True).kernels[0]


def bounds_of(kernel: KernelReport) -> KernelBounds:
    found = kernel.launches[0].facts.bounds
    assert found is not None
    return found


def reason_of(kernel: KernelReport, metric: str = "sectors") -> Reason:
    """Why a metric has no bound; what else there is has to be there."""
    bounds, facts = bounds_of(kernel), kernel.launches[0].facts
    warp = bounds.metrics[metric].per_warp
    assert warp.upper is None and not warp.exact and warp.because is not None
    assert bounds.metrics[metric].per_block.upper is None and bounds.metrics[metric].per_launch.upper is None
    assert bounds.metrics["conflicts"].per_warp.upper == ex.integer(31)
    assert kernel.failure is None and {access.text for access in facts.accesses} >= {"a[32 * i + threadIdx.x]"}
    assert bounds.metrics[metric].places
    return warp.because


def test_there_is_a_bound_where_nothing_goes_wrong() -> None:
    upper = bounds_of(analysed(WHILE)).metrics["sectors"].per_warp.upper
    assert upper is not None and ex.symbols(upper) <= {"n", "m"}


def test_a_condition_that_contradicts_is_refused_and_the_rest_holds() -> None:
    text = WHILE.replace("__global__", "//@ assume n >= 10 && n <= 5\n__global__")
    kernel = analysed(text)
    (finding,) = [finding for finding in kernel.findings if finding.check == "WC901"]
    assert "contradicts what is known: `n` >= 10" in finding.message
    assert bounds_of(kernel).metrics["sectors"].per_warp.upper is not None


def test_facts_that_contradict_in_a_program() -> None:
    p = program("n", Assign("i", Affine(0)), loop(less(v("i"), v("n")), tick(), step("i")), facts=(a(-1, n=-1),))
    because = infer(p, "c").because
    assert because is not None and because.text == "the assumptions contradict each other"


def growing(cost: int, by: int) -> CostProgram:
    """Steps of `by` or one more, on a path that the first round does not take."""
    arms = (when(less(Affine(0), v("i")), tick(cost), step("i", by)), when(a(i=-1), tick(1), step("i", by + 1)))
    return program("n", Assign("i", Affine(0)), loop(less(v("i"), v("n")), either(*arms)))


@pytest.mark.parametrize("cost", [10**9, 2**40 + 1, 2**53, 2**63, 2**70, 10**30])
def test_costs_beyond_64_bits_are_not_too_low(cost: int) -> None:
    """The first round takes 4 for 1, all others take 3 for `cost`."""
    found = infer(growing(cost, 3), "c")
    assert found.upper is not None and found.because is None
    for n in (0, 1, 5, 3000, 10**12):
        rounds = max(0, -(-(n - 4) // 3))
        assert ex.evaluate(found.upper.expression, {"n": n}) >= (n > 0) + rounds * cost
        assert ex.evaluate(found.lower, {"n": n}) <= (n > 0) + rounds * cost


@pytest.mark.parametrize(("cost", "by"), [(1, 10**18 + 9), (10**400, 1), (1, 10**400)])
def test_numbers_that_a_solver_cannot_hold(cost: int, by: int) -> None:
    found = infer(growing(cost, by), "c")
    assert found.upper is None and found.because is not None
    assert "solver" in found.because.text
    assert found.lower == ex.ZERO


def test_long_loops_have_bounds_beyond_64_bits() -> None:
    text = """
    __global__ void k(float *a, long long n) {
        for (long long i = 0; i < n; i++)
            for (long long j = 0; j < n; j++) a[threadIdx.x] = 1;
    }"""
    bound = bounds_of(analysed(text)).metrics["sectors"].per_warp
    assert bound.upper is not None and bound.exact
    assert ex.evaluate(bound.upper, {"n": 1 << 62}) == 4 << 124


def test_nests_beyond_the_highest_degree() -> None:
    loops = "".join(f"for (int {x} = 0; {x} < {end}; {x}++) " for x, end in zip("ijpqr", "nijpq", strict=True))
    text = f"__global__ void k(float *a, int n) {{ __shared__ int s[1024]; s[32 * threadIdx.x] = 0; {loops} a[32 * i + threadIdx.x] = 1; }}"
    because = reason_of(analysed(text, kernel_seconds=30.0))
    assert because.text == "its loops are nested deeper than 4"
    assert (because.annotation, because.span is not None) == ("//@ loop_bound 64", True)


@pytest.mark.parametrize(
    ("error", "said"), [(RuntimeError("no licence"), "RuntimeError: no licence"), (OverflowError(), "too large")]
)
def test_a_solver_that_fails(monkeypatch: pytest.MonkeyPatch, error: Exception, said: str) -> None:
    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(Solver, "_solve", fail)
    assert said in reason_of(analysed(WHILE)).text


def test_a_solver_that_is_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pulp", None)
    assert "ModuleNotFoundError" in reason_of(analysed(WHILE)).text


def test_an_answer_that_the_checker_refuses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("analysis_core.lp.certify.Checker.objects", lambda *_: "no")
    assert reason_of(analysed(WHILE)).text == "the solver's answer is not exact enough to be proved"


def test_no_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        under_test,
        "infer",
        lambda p, m, memo, fuel, store, most: infer(p, m, Options(False), memo, Fuel(9999, 0.0), store),
    )
    assert reason_of(analysed(WHILE)).text == "the time that a kernel has is over"


def test_too_much_work() -> None:
    texts = {reason_of(analysed(WHILE, kernel_seconds=seconds)).text for seconds in (0.0, 0.005)}
    assert "the linear programs of other warps or metrics took all the work that a kernel may take" in texts
    assert any("too many" in text for text in texts)


def test_too_many_paths_are_found_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """300 loops, each behind a condition: the stretches between them are parted by one look at each point and at each join, and
    a second metric of the program does not look at all."""
    looked = []
    crowded = transitions._crowded
    monkeypatch.setattr(transitions, "_crowded", lambda cut, *rest: looked.append(cut) or crowded(cut, *rest))
    rounds = (loop(less(v("i"), v("n")), tick(), step("i")), step("i", -1))
    many = program(
        "n m", Assign("i", Affine(0)), *(either(when(less(v("m"), Affine(j)), *rounds), (tick(2),)) for j in range(300))
    )
    memo = Memo()
    fuel = Fuel.of(100_000)
    first = infer(many, "c", memo=memo, fuel=fuel)
    assert first.because is not None and first.because.text == "too many paths between loops"
    assert len(looked) <= 2 * len(set(map(id, looked))) <= 2 * 900
    left = fuel.left
    assert left < 100_000
    looked.clear()
    assert infer(many, "d", memo=memo, fuel=fuel).because == first.because
    assert not looked and fuel.left == left
