"""Bounds found by linear programming alone, program by program: their text, and all runs at small sizes."""

from __future__ import annotations

from itertools import product

import pytest

from analysis_core.bounds.program import Affine, Assign, Choose, CostProgram, Parameter, Stmt
from analysis_core.expressions.expression import evaluate, to_text
from analysis_core.lp.infer import Inference, Options, infer
from analysis_core.lp.pieces import pieces_of
from analysis_core.support.fuel import Fuel
from tests.lp.cost_programs import (
    a,
    at_most,
    either,
    extremes,
    halve,
    less,
    loop,
    parameter,
    program,
    step,
    tick,
    v,
    when,
)

LP = Options(short_cut=False)

K, J, N, M, S = v("i"), v("j"), v("n"), v("m"), v("s")
ZERO = Affine(0)


def start(*names: str) -> tuple[Stmt, ...]:
    return tuple(Assign(name, ZERO) for name in names)


PROGRAMS: dict[str, tuple[CostProgram, str, str]] = {
    "counting": (program("n", *start("i"), loop(less(K, N), tick(3), step("i"))), "3*n", "3*n"),
    "any sign": (
        program((parameter("n", None),), *start("i"), loop(less(K, N), tick(3), step("i"))),
        "3*max(0, n)",
        "3*max(0, n)",
    ),
    "downwards": (program("n", Assign("i", N), loop(less(ZERO, K), tick(2), step("i", -1))), "2*n", "2*n"),
    "strided": (
        program("n", *start("i"), loop(less(K, N), tick(3), step("i", 32)), tick(4)),
        "4 + 3*ceil(n/32)",
        "4 + 3*ceil(n/32)",
    ),
    "stride is a parameter": (
        program((parameter("n"), parameter("d", 1)), *start("i"), loop(less(K, N), tick(2), Assign("i", a(i=1, d=1)))),
        "2*ceil(n/d)",
        "2*ceil(n/d)",
    ),
    "counters shared and not reset": (
        program(
            "n m",
            *start("i", "j"),
            loop(less(K, N), loop(less(J, M), step("j"), tick(), may_stop=True), step("i"), tick(2)),
        ),
        "m + 2*n",
        "2*n",
    ),
    "one of two variables": (
        program("n m", *start("i", "j"), loop((less(K, N), less(J, M)), tick(), either((step("i"),), (step("j"),)))),
        "m + n",
        "max(0, n - max(0, n - m))",
    ),
    "monotone without closed form": (
        program("n", *start("i"), loop(less(K, N), tick(2), Choose("i", a(1, i=1), a(4, i=1)))),
        "2*n",
        "2*ceil(n/4)",
    ),
    "stack": (
        program(
            "n",
            *start("i", "s"),
            loop(less(K, N), step("i"), step("s"), tick(), loop(less(ZERO, S), step("s", -1), tick(), may_stop=True)),
        ),
        "2*n",
        "n",
    ),
    "doubling": (
        program("n", Assign("i", Affine(1)), loop(less(K, N), tick(2), Assign("i", a(i=2)))),
        "2 + 2*floor(log2(n - 1))",
        "2 + 2*floor(log2(n - 1))",
    ),
    "halving": (
        program("n", Assign("i", N), loop(less(Affine(1), K), tick(2), *halve("i"))),
        "2 + 2*floor(log2(floor(n/2)))",
        "2 + 2*floor(log2(floor(n/2)))",
    ),
    "nest": (
        program(
            "n m",
            *start("i"),
            loop(less(K, N), *start("j"), loop(less(J, M), step("j"), tick()), step("i")),
        ),
        "m*n",
        "m*n",
    ),
    "triangular": (
        program(
            "n",
            *start("i"),
            loop(less(K, N), *start("j"), loop(less(J, K), step("j"), tick()), step("i")),
        ),
        "floor((n*n - n)/2)",
        "floor((n*n - n)/2)",
    ),
    "several updates": (
        program("n", *start("i"), loop(less(K, N), either((step("i", 1), tick(2)), (step("i", 3), tick(6))))),
        "4 + 2*n",
        "2*n",
    ),
    "early exit": (
        program("n", *start("i"), loop(less(K, N), tick(3), step("i"), may_stop=True), tick()),
        "1 + 3*n",
        "1",
    ),
    "trips from data": (
        program(
            "n T", *start("i", "j"), loop(less(K, N), step("i"), tick()), loop(less(J, v("T")), step("j"), tick(5))
        ),
        "5*T + n",
        "5*T + n",
    ),
}


def solve(p: CostProgram) -> Inference:
    return infer(p, "c", LP)


def sizes(p: Parameter) -> list[int]:
    low = -2 if p.low is None else p.low
    return [x for x in range(low, 7) if p.high is None or x <= p.high]


def check_all_runs(p: CostProgram, found: Inference) -> int:
    """Compares with all runs at small sizes; returns how many sizes were compared."""
    compared = 0
    for values in product(*map(sizes, p.parameters)):
        env = {q.name: x for q, x in zip(p.parameters, values)}
        ends = extremes(p, env)
        if ends is None:
            continue
        compared += 1
        assert evaluate(found.lower, env) <= ends[0], env
        if found.upper is not None:
            assert evaluate(found.upper.expression, env) >= ends[1], env
    return compared


@pytest.mark.parametrize("name", PROGRAMS)
def test_bounds_by_linear_programming(name: str) -> None:
    p, upper, lower = PROGRAMS[name]
    found = solve(p)
    assert found.upper is not None, found.because
    assert found.upper.method == "lp"
    assert to_text(found.upper.expression) == upper
    assert to_text(found.lower) == lower
    assert check_all_runs(p, found) >= 5


def test_no_progress_has_a_reason() -> None:
    p = program("n", *start("i"), loop(less(K, N), tick(), Choose("i", v("i"), None)))
    found = solve(p)
    assert found.upper is None
    assert found.because is not None


def test_contradictory_facts_have_a_reason() -> None:
    p = program("n", *start("i"), loop(less(K, N), tick(), step("i")), facts=(at_most(N, Affine(-1)),))
    found = solve(p)
    assert found.upper is None
    assert found.because is not None
    assert "contradict" in found.because.text


def test_an_arm_by_its_guard() -> None:
    p = program(
        "n m", *start("i"), loop(less(K, N), either(when(less(K, M), tick(1)), when(at_most(M, K), tick(5))), step("i"))
    )
    check_all_runs(p, solve(p))


def counted(name: str, end: Affine, *body: Stmt, by: int = 1) -> tuple[Stmt, ...]:
    """for (name = 0; name < end; name += by) body"""
    return (*start(name), loop(less(v(name), end), *body, step(name, by)))


CLOSED: dict[str, CostProgram] = {
    "one loop": program("n", tick(4), *counted("i", N, tick(3, 1)), tick()),
    "strided": program("n", *counted("i", N, tick(3), by=32)),
    "any sign": program((parameter("n", None),), *counted("i", N, tick(3))),
    "two in a row": program("n m", *counted("i", N, tick(3)), *counted("i", M, tick(5), by=4)),
    "nest": program("n m", *counted("i", N, tick(2), *counted("j", M, tick(7), by=4), tick(1))),
    "step before the inner loop": program(
        "n m", *start("i"), loop(less(K, N), step("i"), *counted("j", M, tick(7)), tick(1))
    ),
    "two inner loops": program("n m", *counted("i", N, *counted("j", M, tick(7)), *counted("j", M, tick(2), by=3))),
    "arms": program("n m", *counted("i", N, either((tick(3),), (tick(5), tick(2, 1)), ()), *counted("j", M, tick(7)))),
    "three deep": program("n m p", *counted("i", N, *counted("j", M, *counted("k", v("p"), tick(2)), tick()))),
}


@pytest.mark.parametrize("name", CLOSED)
def test_closed_forms_are_what_linear_programs_find(name: str) -> None:
    p = CLOSED[name]
    short, long = infer(p, "c", Options()), infer(p, "c", LP)
    assert short.upper is not None and long.upper is not None
    assert (short.upper.method, long.upper.method) == ("closed form", "lp")
    assert short.solver_seconds == 0.0
    assert to_text(short.upper.expression) == to_text(long.upper.expression)
    assert to_text(short.lower) == to_text(long.lower)


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_short_cut_changes_no_bound(name: str) -> None:
    p, upper, lower = PROGRAMS[name]
    found = infer(p, "c", Options())
    assert found.upper is not None
    assert (to_text(found.upper.expression), to_text(found.lower)) == (upper, lower)


def test_many_paths_are_cut_at_joins() -> None:
    body = [either((tick(2), step("s")), (tick(1),)) for _ in range(9)]
    p = program("n", *start("i", "s"), loop(less(K, N), *body, step("i")), loop(less(ZERO, S), step("s", -1), tick()))
    found = infer(p, "c", Options(work=1_000_000))
    assert found.upper is not None
    assert to_text(found.upper.expression) == "27*n"
    assert to_text(found.lower) == "9*n"


def test_a_counter_in_binary() -> None:
    """Each round sets one digit and clears any number of set ones: the digits set are the potential."""
    clear = loop(less(ZERO, S), step("s", -1), tick(), may_stop=True)
    p = program("n", *start("i", "s"), loop(less(K, N), clear, step("s"), tick(), step("i")))
    found = solve(p)
    assert found.upper is not None
    assert to_text(found.upper.expression) == "2*n"
    check_all_runs(p, found)


def test_work_is_limited() -> None:
    """Less work gives no bound and says what was too much; what is enough is enough on any machine."""
    p = PROGRAMS["triangular"][0]
    plenty = Fuel.of(1_000_000)
    wanted = infer(p, "c", LP, fuel=plenty)
    spent = 1_000_000 - plenty.left
    reasons = set()
    for part in range(40):
        found = infer(p, "c", LP, fuel=Fuel.of(spent * part // 40))
        assert found.upper is None and found.because is not None
        reasons.add(found.because.text.split(" of ")[0])
    assert reasons >= {"the paths between its loops are too many", "the cases"}
    again = Fuel.of(spent)
    assert infer(p, "c", LP, fuel=again).upper == wanted.upper
    assert again.left == 0


def test_time_is_the_last_resort() -> None:
    found = infer(PROGRAMS["triangular"][0], "c", LP, fuel=Fuel(1_000_000, 0.0))
    assert found.upper is None
    assert found.because is not None and "the time that a kernel has" in found.because.text


def test_loops_in_a_row_cost_what_each_of_them_does() -> None:
    """There may be more of them than a linear program has paths."""
    rows = [s for i in range(400) for s in (*counted("i", N if i % 2 else M, tick(3)), tick())]
    found = infer(program("n m", *rows), "c", Options(work=100_000))
    assert found.upper is not None and found.upper.method == "closed form"
    assert to_text(found.upper.expression) == to_text(found.lower) == "400 + 600*m + 600*n"


def test_a_loop_that_begins_where_another_one_ended_stays_with_it() -> None:
    last = (*counted("j", M, tick()), Assign("k", J), loop(less(v("k"), N), step("k")))
    p = program("n m", tick(), *counted("i", N), tick(2), *last)
    assert [len(piece.body) for piece in pieces_of(p)] == [3, 5]
