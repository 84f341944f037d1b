"""Which test notices when a transfer rule is broken: `python -m tests.bench.mutations [NAME...]`.

Each mutation replaces one function of the analysis by a wrong one, in a process of its own, and runs checks there:

    fixture   the claims of tests/kernels/soundness: the kernels whose claims fail
    values    typed expressions through the front end, judged by an evaluator on Python integers (test_integer_types.py)
    random    random kernels against the concrete machine (tests/properties/kernels)
    executed  the simulator's tests (tests/simulate), and generated kernels against their compiled form

Breaks of the analysis go through the first three, breaks of the simulator through the last, breaks of the lowering through all but
the third.  The table goes to `mutations.tsv`.  A mutation that nothing catches, or whose function is gone, ends the run with 1.
`--quick` leaves out the random kernels.  Functions are found by name wherever they live, so that moving one is no reason
to edit this file.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import pkgutil
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import numpy as np
import pytest

from tests.bench import execution_mutations
from tests.bench.mutation import Mutation, Wrapper, constant

ROOT = Path(__file__).resolve().parents[2]
TABLE = Path(__file__).with_name("mutations.tsv")
SEEDS = range(20)
STAGES = (
    *("machine", "expressions", "ir", "lower", "program", "domains", "interp"),
    *("requests", "bounds", "traffic", "profile", "simulate"),
)


# --- how a function is replaced ---------------------------------------------------------------------------------


def engine() -> list[ModuleType]:
    """Every module of the stages whose rules are broken here."""
    found = []
    for stage in STAGES:
        package = importlib.import_module(f"analysis_core.{stage}")
        below = pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        found += [importlib.import_module(m.name) for m in below if not m.ispkg]
    return found


def install(mutation: Mutation) -> None:
    """Replaces the function wherever a module of the engine has bound it."""
    owner, _, name = mutation.target.rpartition(".")
    modules = engine()
    holders: list[Any] = [m for m in modules if m.__name__.endswith(f".{owner}")] if owner else modules
    if owner[:1].isupper():
        classes = [m.__dict__[owner] for m in modules if owner in m.__dict__]
        holders = list({id(c): c for c in classes}.values())
    made = [h for h in holders if isinstance(f := h.__dict__.get(name), FunctionType) and _is_home(h, f)]
    if len(made) != 1:
        raise LookupError(mutation.target)
    original = made[0].__dict__[name]
    wrong = mutation.wrong(original)
    setattr(made[0], name, wrong)
    for module in modules:
        for alias, bound in list(module.__dict__.items()):
            if bound is original:
                setattr(module, alias, wrong)


def _is_home(holder: Any, function: FunctionType) -> bool:
    return not isinstance(holder, ModuleType) or function.__module__ == holder.__name__


# --- the mutations ----------------------------------------------------------------------------------------------


def _arms_alike(original: Wrapper) -> Wrapper:
    from analysis_core.domains.condition import Condition

    return lambda self, c, a, b, type_: original(self, Condition(c.true | c.undecided, c.false), a, b, type_)


def _lanes_alike(original: Wrapper) -> Wrapper:
    from analysis_core.domains.symbol import Level

    return lambda c: Level.BLOCK


def _always_exact(original: Wrapper) -> Wrapper:
    from analysis_core.domains.thread_value import Integer

    return lambda poly, bits, type_, origin=None: Integer(poly, None, None, origin)


def _floor_division(original: Wrapper) -> Wrapper:
    from analysis_core.domains import polynomial as pl
    from analysis_core.domains.thread_value import Integer

    def wrong(self: Any, op: str, a: Any, b: Any, type_: Any) -> Any:
        x, y = (pl.coefficient_vector(v.poly.constant, self.shape.padded) for v in (a, b))
        y = np.where(y == 0, 1, y)
        return Integer(pl.constant(x // y if op == "/" else x % y))

    return wrong


def _same_epoch(original: Wrapper) -> Wrapper:
    def wrong(run: Any, stmt: Any) -> None:
        before = run.epoch
        original(run, stmt)
        run.epoch = before

    return wrong


def _not_volatile(original: Wrapper) -> Wrapper:
    return lambda run, stmt, *rest: original(run, replace(stmt, access=replace(stmt.access, volatile=False)), *rest)


def _atomics_alike(original: Wrapper) -> Wrapper:
    from analysis_core.domains.symbol import Level

    def wrong(run: Any, type_: Any, level: Any, cause: Any) -> Any:
        return original(run, type_, Level.WARP if "old value" in cause.reason else level, cause)

    return wrong


def _one_segment(original: Wrapper) -> Wrapper:
    return lambda value: None if original(value) is None else 32


def _barriers_do_nothing(original: Wrapper) -> Wrapper:
    from analysis_core.ir.nodes import Barrier

    def wrong(run: Any, stmt: Any) -> None:
        if not isinstance(stmt, Barrier):
            original(run, stmt)

    return wrong


def _everybody_takes_part(original: Wrapper) -> Wrapper:
    return lambda mask: mask.may | True


def _no_wrap(original: Wrapper) -> Wrapper:
    return lambda poly, type_: poly


def _uniform_after(original: Wrapper) -> Wrapper:
    from analysis_core.domains.symbol import Level
    from analysis_core.interp.loops.summary import fresh_value

    return lambda run, summary, var, values, level: fresh_value(run, var, Level.BLOCK, None)


def _same_rounds(original: Wrapper) -> Wrapper:
    from analysis_core.domains.symbol import Level

    return lambda run, summary, count, level, exact: original(run, summary, count, Level.BLOCK, exact)


def _everybody_left(original: Wrapper) -> Wrapper:
    def wrong(run: Any, summary: Any, entry: Any, level: Any) -> Any:
        return replace(original(run, summary, entry, level), mask=summary.mask)

    return wrong


def _first_round_only(original: Wrapper) -> Wrapper:
    return lambda run, rounds, var, start, *rest: start


def _drop_continued(original: Wrapper) -> Wrapper:
    from analysis_core.interp.core.state import ExitKind

    def wrong(run: Any, kinds: Any, kind: Any) -> None:
        original(run, kinds, ExitKind.BREAK if kind is ExitKind.CONTINUE else kind)

    return wrong


def _alike_negated(original: Wrapper) -> Wrapper:
    def wrong(c: Any) -> Any:
        return replace(c, true=c.false, false=c.true) if c.atom is not None else original(c)

    return wrong


def _falls_nowhere(original: Wrapper) -> Wrapper:
    from analysis_core.domains import condition as cond

    def wrong(mask: Any, earlier: Any) -> Any:
        caller = sys._getframe(1).f_code.co_name
        return cond.decided(mask.may & False) if caller == "_execute_switch" else original(mask, earlier)

    return wrong


def _not_equal_excludes(original: Wrapper) -> Wrapper:
    return lambda literals: original(tuple(replace(e, formula=replace(e.formula, positive=True)) for e in literals))


def _greater_modulus(original: Wrapper) -> Wrapper:
    def wrong(monomial: Any) -> Any:
        modulus, residue = original(monomial)
        return 2 * modulus, residue

    return wrong


def _first_is_less(original: Wrapper) -> Wrapper:
    return lambda arithmetic, op, a, b, type_: a


def _whole_warp(original: Wrapper) -> Wrapper:
    return lambda addresses, active, width: (
        original(addresses // 2, active, 4) if width == 8 else original(addresses, active, width)
    )


def _rows_apart(original: Wrapper) -> Wrapper:
    return lambda layout, groups: max(original(layout, [lanes]) for lanes in groups)


def _aligned_pitches(original: Wrapper) -> Wrapper:
    def wrong(request: Any, space: Any, width: int) -> Any:
        choices = original(request, space, width)
        return None if choices is None else replace(choices, pitches=tuple((p[0],) for p in choices.pitches))

    return wrong


def _whole_words(original: Wrapper) -> Wrapper:
    def wrong(request: Any, space: Any, width: int) -> Any:
        choices = original(request, space, width)
        return None if choices is None else replace(choices, shifts=tuple(s // 4 * 4 for s in choices.shifts))

    return wrong


def _overlapping_rows(original: Wrapper) -> Wrapper:
    return lambda layouts, groups, active, *rest: original(layouts, [np.logical_or.reduce(groups)], active, *rest)


def _full_warp(original: Wrapper) -> Wrapper:
    return lambda layout, active, *rest: original(np.arange(32) * 4, active | True, *rest)


def _signed_shift(original: Wrapper) -> Wrapper:
    return lambda arithmetic, op, a, b, type_: original(arithmetic, ">>" if op == "<<" else op, a, b, type_)


def _complement_is_minus(original: Wrapper) -> Wrapper:
    def wrong(run: Any, node: Any, operand: Any) -> Any:
        return original(run, replace(node, op="-") if node.op == "~" else node, operand)

    return wrong


def _exits_forgotten(original: Wrapper) -> Wrapper:
    return lambda run, summary, count, level, exact: original(run, summary, count, level, True)


def _nobody_splits(original: Wrapper) -> Wrapper:
    return lambda sides: original(sides) & False


def _arm_alone(original: Wrapper) -> Wrapper:
    return lambda ctx, taken, passed: taken


def _private_is_shared(original: Wrapper) -> Wrapper:
    return lambda run, address: False


MUTATIONS = (
    Mutation("two arms", "an undecided if takes its first arm", "Arithmetic.blend", _arms_alike),
    Mutation("lanes choose alike", "a condition that waits is uniform in the block", "open_level", _lanes_alike),
    Mutation("unsigned difference", "no unsigned result wraps around", "thread_value.settle", _always_exact),
    Mutation(
        "negative dividend", "/ and % round towards minus infinity", "Arithmetic._divide_constants", _floor_division
    ),
    Mutation("written cell", "a store changes nothing that was loaded", "memory.store", _same_epoch),
    Mutation("volatile", "volatile places are read once", "memory._loaded", _not_volatile),
    Mutation("barrier", "barriers make no store visible", "_execute_one", _barriers_do_nothing),
    Mutation("old value", "an atomic gives all lanes one old value", "loaded_value", _atomics_alike),
    Mutation("segments", "every shuffle is over the whole warp", "warp_primitives._number", _one_segment),
    Mutation("inactive source", "lanes that are not there are read", "_surely_active", _everybody_takes_part),
    Mutation("narrow type", "constants keep their bits in a narrow type", "thread_value._reduce", _no_wrap),
    Mutation("after a divergent loop", "what a loop leaves behind is uniform", "_unknown_after", _uniform_after),
    Mutation("rounds of a lane", "all lanes leave a loop in one round", "_last_rounds", _same_rounds),
    Mutation("returned in a loop", "who can return in some round has returned", "_blurred", _everybody_left),
    Mutation("break keeps the counter", "a loop is left by its test only", "_last_rounds", _exits_forgotten),
    Mutation("later rounds", "round k is the first round", "value_at", _first_round_only),
    Mutation("continue", "continue ends the loop", "_leave_to", _drop_continued),
    Mutation("opposite arms", "the negation of a literal is itself", "condition.negate", _alike_negated),
    Mutation("fall-through", "no case falls into the next one", "mask.since", _falls_nowhere),
    Mutation("lane != n", "`lane != n` excludes lanes as `lane == n` does", "exclusions", _not_equal_excludes),
    Mutation(
        "congruence",
        "products are known modulo twice their modulus",
        "polynomial.congruence",
        _greater_modulus,
    ),
    Mutation("minimum", "the first of two is the lesser", "joins.extreme", _first_is_less),
    Mutation("halves", "8-byte elements are served as a whole warp", "wavefronts_many", _whole_warp),
    Mutation("contention at pitch 0", "rows never meet on one address", "_contention", _rows_apart),
    Mutation("pitch 16", "rows are as aligned as at pitch 0", "_choices", _aligned_pitches),
    Mutation("pitch 0", "rows never coincide", "_largest_group", _overlapping_rows),
    Mutation("short elements", "elements begin at whole words", "_choices", _whole_words),
    Mutation("every eighth lane", "the ideal is that of a full warp", "_ideal", _full_warp),
    Mutation("private arrays", "a local array is the same for all threads", "may_be_private", _private_is_shared),
    Mutation("left shift", "<< shifts to the right", "bits.shift", _signed_shift),
    Mutation("complement", "~x is -x", "transfer._unary", _complement_is_minus),
    Mutation("passed arm", "an arm that is not taken has no type", "_as_if_chosen", _arm_alone),
    Mutation("cut through rows", "warps of a block have disjoint ranges", "_disjoint_warps", constant(True)),
    Mutation("between rows", "lanes that wait for a formula go together", "_can_split", _nobody_splits),
)

ALL = (*MUTATIONS, *execution_mutations.MUTATIONS)


# --- the checks -------------------------------------------------------------------------------------------------


def _fixtures() -> Iterator[str]:
    """Kernels of the soundness fixtures with a failing claim."""
    from tests.harness.annotations import parse
    from tests.harness.check import check
    from tests.harness.observe import observe

    for path in sorted((ROOT / "tests" / "kernels" / "soundness").glob("*.cu")):
        data = path.read_bytes()
        fixture = parse(data)
        try:
            problems = check(fixture, observe(path.name, data, fixture))
        except Exception as error:
            yield f"{path.stem}: {type(error).__name__}"
            continue
        lines = data.decode("latin-1").split("\n")
        for problem in problems:
            heads = [line for line in lines[: problem.line] if line.startswith("__global__")]
            yield heads[-1].split("(")[0].split()[-1] if heads else path.stem


def _values() -> Iterator[str]:
    """Whether random typed expressions show it; a failure is enough, no time for its smallest form."""
    from hypothesis import HealthCheck, Phase, given, settings

    from tests.properties import test_integer_types as law

    quickly = settings(
        max_examples=60,
        deadline=None,
        derandomize=True,
        phases=[Phase.generate],
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    try:
        quickly(given(*law.CASES)(law.examine))()
    except (Exception, BaseExceptionGroup) as error:
        yield type(error).__name__


def _random_kernels() -> Iterator[str]:
    """The first random kernel that shows it, and the kinds of its broken promises."""
    from tests.properties.kernels.comparison import NotRead, examine
    from tests.properties.kernels.generator import program

    for seed in SEEDS:
        random.seed(seed)
        try:
            kinds = sorted({v.kind for v in examine(program(seed))})
        except NotRead:
            continue
        except Exception as error:
            kinds = [type(error).__name__]
        if kinds:
            yield f"seed {seed}: {', '.join(kinds)}"
            return


class _FirstFailure:
    """Notes the first test of a pytest run that fails."""

    name = ""

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Called by pytest after each phase of a test."""
        if report.failed and not self.name:
            self.name = report.nodeid.rsplit("/", 1)[-1]


def _executed() -> Iterator[str]:
    """The first test of the simulator that fails; if none does, the first generated kernel that g++ runs otherwise."""
    from tests.simulate.generated_host import Tally, compared

    tests = ["tests/simulate/test_host.py::test_what_a_wrong_lowering_gets_wrong"]
    tests += [f"tests/simulate/test_{name}.py" for name in ("results", "counts", "faults")]
    first = _FirstFailure()
    with contextlib.redirect_stdout(io.StringIO()):
        pytest.main([*tests, "-x", "-q", "-m", "not nightly", "-p", "no:cacheprovider"], plugins=[first])
    if first.name:
        yield first.name
        return
    try:
        found = list(compared(500_000, 35, Tally()))
    except Exception as error:
        found = [type(error).__name__]
    if found:
        yield f"compiled {found[0]}"


def one(name: str, quick: bool) -> list[str]:
    """The columns of one mutation: fixtures, values, random kernels, executions."""
    mutation = next(m for m in ALL if m.name == name)
    install(mutation)
    front = mutation.stage != "simulation"
    return [
        " ".join(dict.fromkeys(_fixtures())) if front else "",
        " ".join(_values()) if front else "",
        " ".join(_random_kernels()) if mutation.stage == "analysis" and not quick else "",
        " ".join(_executed()) if mutation.stage != "analysis" else "",
    ]


def main(arguments: list[str]) -> int:
    """Runs each mutation in a process of its own; 1 if one of them is not noticed."""
    if arguments[:1] == ["--one"]:
        sys.stdout.write("\t".join(one(arguments[1], "--quick" in arguments)) + "\n")
        return 0
    quick = ["--quick"] if "--quick" in arguments else []
    wanted = [a for a in arguments if a not in quick]
    rows, missed = ["mutation\trule\tfixture\tvalues\trandom\texecuted"], 0
    for mutation in ALL:
        if wanted and mutation.name not in wanted:
            continue
        command = [sys.executable, "-W", "ignore", "-m", "tests.bench.mutations", "--one", mutation.name, *quick]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=False)
        last = done.stdout.rstrip("\n").split("\n")[-1] if done.returncode == 0 else done.stderr.strip().split("\n")[-1]
        missed += done.returncode != 0 or not last.strip()
        rows.append(f"{mutation.name}\t{mutation.rule}\t{last}")
        sys.stdout.write(rows[-1] + "\n")
        sys.stdout.flush()
    if not wanted and not quick:
        TABLE.write_text("\n".join(rows) + "\n", encoding="utf-8")
    sys.stdout.write(f"{len(rows) - 1} mutations, {missed} not noticed\n")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
