"""The linear program: one column per coefficient of a template and per multiplier of a product of facts, one row per case and
monomial.

    for every case and monomial m:   source(m) - target(m) - sum of multiplier * fact(m)  =  cost if m is 1, else 0

Costs are on the right side only, so one matrix serves all metrics.  Lower bounds use it too: with psi = -phi their inequality,
phi(source) - cost - phi(target) <= 0, reads psi(source) + cost - psi(target) >= 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, count

from analysis_core.lp.cases import Case
from analysis_core.lp.polynomials import UNIT, Monomial, Number, Poly
from analysis_core.lp.templates import Templates
from analysis_core.text.records import dataclass


@dataclass(frozen=True, slots=True)
class Matrix:
    """By columns: `coefficients[c]` are (row, number).  Columns before `free` are templates' (`column_of`: (point, monomial)),
    then come the cases' multipliers, those of case k from `first_product[k]` on.  `unit_rows`: per case the row of the monomial 1.
    `rows_of`: per case its rows, from and to."""

    coefficients: tuple[tuple[tuple[int, Number], ...], ...]
    rows: int
    free: int
    column_of: dict[tuple[int, Monomial], int]
    first_product: tuple[int, ...]
    unit_rows: tuple[int, ...]
    rows_of: tuple[tuple[int, int], ...]


def build_matrix(templates: Templates, cases: list[Case], sources: list[tuple[int, int | None]]) -> Matrix:
    """`sources`: per step its source and target point."""
    column_of: dict[tuple[int, Monomial], int] = {}
    for point, monomials in enumerate(templates.monomials):
        for m in monomials:
            column_of[point, m] = len(column_of)
    of_templates: list[dict[int, Number]] = [{} for _ in column_of]
    products: list[tuple[tuple[int, Number], ...]] = []
    rows = 0
    first_product: list[int] = []
    unit_rows: list[int] = []
    rows_of: list[tuple[int, int]] = []
    for case in cases:
        source, target = sources[case.step]
        index = dict(zip(dict.fromkeys(chain(*_polys(case), (UNIT,))), count(rows)))
        for m, poly in case.source.items():
            _enter(of_templates[column_of[source, m]], 1, poly, index)
        if target is not None:
            for m, poly in case.target.items():
                _enter(of_templates[column_of[target, m]], -1, poly, index)
        first_product.append(len(column_of) + len(products))
        products += [tuple(sorted([(index[m], -k) for m, k in poly.items()])) for _, poly in case.products]
        unit_rows.append(index[UNIT])
        rows_of.append((rows, rows + len(index)))
        rows += len(index)
    first = [tuple((r, k) for r, k in sorted(column.items()) if k) for column in of_templates]
    coefficients = (*first, *products)
    return Matrix(coefficients, rows, len(column_of), column_of, tuple(first_product), tuple(unit_rows), tuple(rows_of))


def _polys(case: Case) -> Iterator[Poly]:
    return chain(case.source.values(), case.target.values(), (poly for _, poly in case.products))


def _enter(column: dict[int, Number], sign: int, poly: Poly, index: dict[Monomial, int]) -> None:
    for m, k in poly.items():
        row = index[m]
        column[row] = column.get(row, 0) + sign * k
