"""The checker refuses what is not proved, and the printers show what was."""

from __future__ import annotations

from dataclasses import replace

import pytest

from analysis_core.bounds.program import Affine, Assign, CostProgram
from analysis_core.bounds.program_text import program_text
from analysis_core.expressions.expression import to_text
from analysis_core.lp import rules
from analysis_core.lp.certify import Checker, Claim, covered
from analysis_core.lp.infer import Memo, Options, infer
from analysis_core.lp.lp_text import lp_text
from analysis_core.lp.polynomials import Ceil, Max
from analysis_core.lp.rules import is_instance
from analysis_core.lp.study import Level, Study
from analysis_core.support.fuel import Fuel
from tests.lp.cost_programs import a, less, loop, program, step, tick, v


@pytest.fixture
def nest() -> CostProgram:
    inner = loop(less(v("j"), v("m")), tick(3, 2), step("j", 4))
    return program("n m", Assign("i", Affine(0)), loop(less(v("i"), v("n")), Assign("j", Affine(0)), inner, step("i")))


def certified(p: CostProgram, upper: bool = True) -> tuple[Study, Level, Claim]:
    study = Study(p, 4, short_cut=False)
    answer = study.answer("c", upper, Fuel.of(1_000_000))
    assert answer.claim is not None
    level = next(lv for lv in study.levels.values() if len(lv.cases) == len(answer.claim.multipliers))
    return study, level, answer.claim


@pytest.mark.parametrize("upper", [True, False])
def test_a_claim_with_any_other_number_is_refused(nest: CostProgram, upper: bool) -> None:
    _, level, claim = certified(nest, upper)
    assert level.checker.objects(claim) is None
    for point, potential in enumerate(claim.potentials):
        for m in potential:
            changed = list(claim.potentials)
            changed[point] = {**potential, m: potential[m] - 1 if upper else potential[m] + 1}
            assert level.checker.objects(replace(claim, potentials=tuple(changed))) is not None
    other = replace(claim, upper=not upper)
    assert level.checker.objects(other) is not None


def test_negative_multipliers_are_refused(nest: CostProgram) -> None:
    _, level, claim = certified(nest)
    for index, own in enumerate(claim.multipliers):
        for position, (indices, number) in enumerate(own or ()):
            changed = list(claim.multipliers)
            wrong = list(own or ())
            wrong[position] = (indices, -number)
            changed[index] = tuple(wrong)
            assert level.checker.objects(replace(claim, multipliers=tuple(changed))) is not None


def test_a_case_that_is_left_out_is_noticed(nest: CostProgram) -> None:
    study, level, _ = certified(nest)
    for index in range(len(level.cases)):
        rest = [case for i, case in enumerate(level.cases) if i != index]
        assert Checker(study.system, study.invariants, level.templates.atoms, rest).objection is not None


def test_invariants_that_do_not_follow_are_refused(nest: CostProgram) -> None:
    study, level, _ = certified(nest)
    wrong = tuple((Affine(-5, (("i", 1),)), *facts[1:]) if facts else facts for facts in study.invariants.at)
    changed = replace(study.invariants, at=wrong)
    assert Checker(study.system, changed, level.templates.atoms, level.cases).objection is not None


def test_halves_cover_the_integers() -> None:
    f, g = Affine(0, (("n", 1),)), Affine(-1, (("n", -1),))
    assert covered([(f,), (g,)])
    assert not covered([(f,)])
    assert not covered([(f, f), (g,)])


def test_only_axioms_are_rules() -> None:
    atom = Max(a(n=1))
    good = rules.max_is(atom)
    assert is_instance(good)
    assert not is_instance(replace(good, premises=()))
    with pytest.raises(ValueError):
        rules.ceil_shift(Ceil(a(n=1), Affine(4)), Ceil(a(n=1), Affine(4)), 1)


def test_a_claim_about_another_program_is_refused(nest: CostProgram) -> None:
    """Programs that pay other costs share a checker; what they pay, and whether they are alike, is looked up in their own."""
    study, level, claim = certified(nest)
    dearer = program("n m", *(Assign("i", Affine(0)), *nest.body[1:], tick(1)))
    longer = Study(dearer, 4, False).system
    assert level.checker.objects(claim, study.system) is None
    assert level.checker.objects(claim, longer) is not None
    other = program("n m", Assign("i", Affine(1)), *nest.body[1:])
    assert level.checker.objects(claim, Study(other, 4, False).system) == "another program"


def test_programs_that_only_pay_other_costs_share_what_does_not_depend_on_them(nest: CostProgram) -> None:
    cheap = program("n", Assign("i", Affine(0)), loop(less(v("i"), v("n")), tick(2), step("i")))
    dear = program("n", Assign("i", Affine(0)), loop(less(v("i"), v("n")), tick(5), step("i")))
    memo = Memo()
    found = [infer(p, "c", Options(short_cut=False), memo).upper for p in (nest, cheap, dear)]
    assert [to_text(bound.expression) for bound in found if bound is not None][1:] == ["2*n", "5*n"]
    levels = [study.levels for p in (nest, cheap, dear) for study in memo.studies[p]]
    assert levels[1] is levels[2] and levels[0] is not levels[1]


def test_one_program_is_studied_once_for_all_metrics(nest: CostProgram) -> None:
    memo = Memo()
    first = infer(nest, "c", Options(short_cut=False), memo)
    again = infer(nest, "c", Options(short_cut=False), memo)
    assert len(memo.studies) == 1
    assert again.solver_seconds == 0.0
    assert first.upper == again.upper


def test_the_stages_can_be_seen(nest: CostProgram) -> None:
    study, _, claim = certified(nest)
    text = program_text(nest, lambda span: str(span.start))
    assert "while n > i:" in text
    assert "pay c 2 to 3" in text
    shown = lp_text(study, [claim], lambda span: str(span.start))
    assert "by ceil-shift" in shown
    assert "potential at 0: 3*ceil{(m) / (4)}*n" in shown
