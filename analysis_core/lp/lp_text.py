"""Linear programs as text, for `explain --stage lp`: templates, constraints with their source lines, solution, certificate."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from analysis_core.bounds.program_text import Place, affine_text, guard_text
from analysis_core.lp.cases import Case, steps_of
from analysis_core.lp.certify import Claim
from analysis_core.lp.polynomials import Monomial, Number, Poly, poly_of
from analysis_core.lp.study import Study
from analysis_core.lp.transitions import Transition
from analysis_core.text.span import Span


def lp_text(study: Study, claims: Iterable[Claim], place: Place) -> str:
    """What was set up for a program, and the given claims with their proofs; ends with a newline."""
    return "".join(f"{line}\n" for line in _lines(study, list(claims), place))


def _lines(study: Study, claims: list[Claim], place: Place) -> Iterator[str]:
    yield from _points(study, place)
    steps = steps_of(study.system)
    for degree, level in study.levels.items():
        columns = len(level.matrix.coefficients)
        yield f"products of up to {degree}: {level.matrix.rows} rows, {columns} columns, {len(level.cases)} cases"
        for point, monomials in zip(study.system.points, level.templates.monomials):
            yield f"  template at {point.index}: " + ", ".join(map(monomial_text, monomials))
        for case in level.cases:
            yield from _case(case, steps[case.step], place)
    for claim in claims:
        yield from _claim(study, claim)


def _points(study: Study, place: Place) -> Iterator[str]:
    for point in study.system.points:
        kind = "entry" if point.index == 0 else "loop" if point.is_loop else "join"
        yield f"point {point.index}: {kind}{_at(point.span, place)}"
        if point.is_loop:
            yield f"  guard {guard_text(point.guard)}" + (", may stop" if point.may_stop else "")
        for fact in study.invariants.at[point.index]:
            yield f"  always {guard_text([fact])}"


def _case(case: Case, step: Transition, place: Place) -> Iterator[str]:
    target = "stop" if step.target is None else str(step.target)
    yield f"  case of {step.source} -> {target}{_at(step.span, place)}"
    guard = (*step.facts, *case.splits)
    if guard:
        yield f"    where {guard_text(guard)}"
    for var, value in sorted(step.update.items()):
        yield f"    {var} becomes {affine_text(value)}"
    for key, applied in case.rewrites.items():
        yield f"    {key} = {poly_text(applied.rule.value)}   by {applied.rule.name}"
    for fact in case.facts:
        if isinstance(fact, int):
            yield f"    known {poly_text(poly_of(case.known[fact]))} >= 0"
        else:
            yield f"    known {poly_text(fact.rule.conclusion)} >= 0   by {fact.rule.name}"
    for tick in step.ticks:
        for metric, low, high in tick.costs:
            yield f"    pays {metric} {low} to {high}{_at(tick.span, place)}"


def _claim(study: Study, claim: Claim) -> Iterator[str]:
    yield f"{claim.metric}, {'upper' if claim.upper else 'lower'} bound, certified:"
    for index, potential in enumerate(claim.potentials):
        yield f"  potential at {index}: {poly_text(potential)}"
    level = next(lv for lv in study.levels.values() if len(lv.cases) == len(claim.multipliers))
    for case, multipliers in zip(level.cases, claim.multipliers):
        if multipliers is None:
            continue
        step = level.steps[case.step]
        target = "stop" if step.target is None else str(step.target)
        parts = [f"{number} * {_product(case, indices)}" for indices, number in multipliers]
        yield f"  {step.source} -> {target}: difference = {' + '.join(parts) or '0'}"


def _product(case: Case, indices: tuple[int, ...]) -> str:
    """A product of facts; the k-th repetition is one less each time."""
    texts = []
    for position, i in enumerate(indices):
        fact = case.facts[i]
        poly = dict(poly_of(case.known[fact]) if isinstance(fact, int) else fact.rule.conclusion)
        less = indices[:position].count(i)
        poly[()] = poly.get((), 0) - less
        texts.append(f"({poly_text(poly)})")
    return "*".join(texts) or "1"


def monomial_text(m: Monomial) -> str:
    return "*".join(m) or "1"


def poly_text(p: Mapping[Monomial, Number] | Poly) -> str:
    """`3*n*ceil{..} - 1/2*n + 1`."""
    parts = []
    for m, k in sorted(p.items(), key=lambda item: (-len(item[0]), item[0])):
        if k:
            size = "" if abs(k) == 1 and m else str(abs(k)) + ("*" if m else "")
            parts.append(f"{'-' if k < 0 else '+'} {size}{monomial_text(m) if m else ''}")
    text = " ".join(parts) or "+ 0"
    return text[2:] if text.startswith("+ ") else "-" + text[2:]


def _at(span: Span | None, place: Place) -> str:
    return f"   [{place(span)}]" if span is not None else ""
