"""From floating point to fractions: the solver's answer is taken as a hint which columns are used and what they nearly are.

Coefficients of templates are rounded to fractions with small denominators; then each case is a small system by itself, for its
multipliers: they are rounded too where that fits, else solved for.  If that fails, the system of all used columns is solved in
fractions (it contains the solver's basis).  Nothing here needs to be trusted: `certify` checks what comes out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from analysis_core.lp.matrix import Matrix
from analysis_core.lp.polynomials import Number
from analysis_core.text.records import dataclass

_ZERO = 1e-7
_DENOMINATORS = (60, 5040, 1_000_000)
_UNKNOWNS = 1500


@dataclass(frozen=True, slots=True)
class ExactSolution:
    """`templates`: by column, without zeros.  `multipliers`: per case (index of the product, positive number)."""

    templates: dict[int, Number]
    multipliers: tuple[tuple[tuple[int, Number], ...], ...]


def made_exact(
    matrix: Matrix, values: Sequence[float], right: Mapping[int, Number], skipped: Sequence[bool]
) -> ExactSolution | None:
    """An exact solution near the given one; `skipped`: per case whether it does not count."""
    for most in _DENOMINATORS:
        templates = {c: _near(values[c], most) for c in range(matrix.free) if abs(values[c]) > _ZERO}
        found = _with_templates(matrix, values, right, skipped, {c: k for c, k in templates.items() if k}, most)
        if found is not None:
            return found
    return _solved_whole(matrix, values, right, skipped)


def _near(value: float, most: int) -> Number:
    near = Fraction(value).limit_denominator(most)
    return near.numerator if near.denominator == 1 else near


def _with_templates(
    matrix: Matrix,
    values: Sequence[float],
    right: Mapping[int, Number],
    skipped: Sequence[bool],
    templates: dict[int, Number],
    most: int,
) -> ExactSolution | None:
    rest: dict[int, Number] = dict(right)
    for c, k in templates.items():
        for row, x in matrix.coefficients[c]:
            rest[row] = rest.get(row, 0) - k * x
    multipliers: list[tuple[tuple[int, Number], ...]] = []
    ends = [*matrix.first_product[1:], len(matrix.coefficients)]
    for case, (first, end) in enumerate(zip(matrix.first_product, ends)):
        if skipped[case]:
            multipliers.append(())
            continue
        rows = range(*matrix.rows_of[case])
        needed = {row: rest[row] for row in rows if rest.get(row)}
        used = [c for c in range(first, end) if values[c] > _ZERO]
        own = _multipliers(matrix, values, needed, used, most)
        if own is None:
            return None
        multipliers.append(tuple((c - first, k) for c, k in own))
    return ExactSolution(templates, tuple(multipliers))


def _multipliers(
    matrix: Matrix, values: Sequence[float], needed: dict[int, Number], used: list[int], most: int
) -> list[tuple[int, Number]] | None:
    """Numbers > 0 for the used columns of a case."""
    guess = [(c, _near(values[c], most)) for c in used]
    rest = dict(needed)
    for c, k in guess:
        for row, x in matrix.coefficients[c]:
            rest[row] = rest.get(row, 0) - k * x
    if not any(rest.values()) and all(k >= 0 for _, k in guess):
        return [(c, k) for c, k in guess if k]
    solved = solve_system([matrix.coefficients[c] for c in used], needed, [k for _, k in guess])
    if solved is None or any(k < 0 for k in solved):
        return None
    return [(c, k) for c, k in zip(used, solved) if k]


def _solved_whole(
    matrix: Matrix, values: Sequence[float], right: Mapping[int, Number], skipped: Sequence[bool]
) -> ExactSolution | None:
    """All used columns at once."""
    out = {row for case, skip in enumerate(skipped) if skip for row in range(*matrix.rows_of[case])}
    used = [c for c in range(len(matrix.coefficients)) if abs(values[c]) > 1e-9]
    if len(used) > _UNKNOWNS:
        return None
    columns = [tuple((r, x) for r, x in matrix.coefficients[c] if r not in out) for c in used]
    solved = solve_system(
        columns, {r: x for r, x in right.items() if r not in out and x}, [_near(values[c], 10_000) for c in used]
    )
    if solved is None or any(k < 0 and c >= matrix.free for c, k in zip(used, solved)):
        return None
    number = dict(zip(used, solved))
    ends = [*matrix.first_product[1:], len(matrix.coefficients)]
    multipliers = tuple(
        () if skipped[case] else tuple((c - first, number[c]) for c in range(first, end) if number.get(c))
        for case, (first, end) in enumerate(zip(matrix.first_product, ends))
    )
    return ExactSolution({c: number[c] for c in used if c < matrix.free and number[c]}, multipliers)


def solve_system(
    columns: Sequence[Sequence[tuple[int, Number]]], right: Mapping[int, Number], free: Sequence[Number]
) -> list[Number] | None:
    """x with sum of x[j] * columns[j] = right, in fractions; unknowns that nothing decides get their value in `free`."""
    rows: dict[int, dict[int, Number]] = {}
    for j, column in enumerate(columns):
        for r, x in column:
            rows.setdefault(r, {})[j] = x
    side: dict[int, Number] = {r: right.get(r, 0) for r in {*rows, *right}}
    if any(k and r not in rows for r, k in side.items()):
        return None
    pivots: list[tuple[int, dict[int, Number], Number]] = []
    while rows:
        r = min(rows, key=lambda row: len(rows[row]))
        row, value = rows.pop(r), side[r]
        if not row:
            if value:
                return None
            continue
        j = min(row, key=lambda c: sum(c in other for other in rows.values()))
        pivot = row[j]
        for s, other in rows.items():
            if j in other:
                factor = Fraction(other[j]) / pivot
                for c, x in row.items():
                    y = other.get(c, 0) - factor * x
                    if y:
                        other[c] = y
                    else:
                        other.pop(c, None)
                side[s] -= factor * value
        pivots.append((j, row, value))
    result: list[Number] = list(free)
    for j, row, value in reversed(pivots):
        rest = value - sum(x * result[c] for c, x in row.items() if c != j)
        quotient = Fraction(rest) / row[j]
        result[j] = quotient.numerator if quotient.denominator == 1 else quotient
    return result
