"""What the interpreter computes with, as text that can be checked by hand: polynomials, vectors, conditions.

    &in + 128*blockIdx.x + 4*w*threadIdx.y + 4*threadIdx.x

With the block's shape at hand, a vector of coefficients that is a sum of multiples of threadIdx is spelled so.  Any other stands in
brackets with one entry per thread: the first, the second and the last if it climbs evenly, else the first few.
"""

from __future__ import annotations

import numpy as np

from analysis_core.domains.condition import Condition, Relation
from analysis_core.domains.polynomial import Coefficient, Monomial, Poly
from analysis_core.domains.shape import IntVector, Shape, every, some
from analysis_core.domains.symbol import SymbolKind

_SHOWN = 8
_MOST_PARTS = 4


def polynomial_text(poly: Poly, shape: Shape | None = None) -> str:
    """ "8*blockIdx.x + [0, 4 .. 1020]": terms in the order of their symbols, the constant last; with a shape, vectors as
    multiples of threadIdx, after the base."""
    terms: list[str] = []
    for monomial, coefficient in sorted(poly.terms.items(), key=_by_age):
        names = "*".join(symbol.name for symbol in monomial)
        affine = None if shape is None or isinstance(coefficient, int) else _affine(coefficient, shape)
        if affine is None:
            number = coefficient_text(coefficient)
            terms.append(
                _product(coefficient, names, "") if isinstance(coefficient, int) else f"{number}*{names}".strip("*")
            )
        else:
            terms += [_product(factor, names, thread) for factor, thread in affine]
    return (" + ".join(terms) or "0").replace(" + -", " - ")


def coefficient_text(coefficient: Coefficient) -> str:
    """An integer, or the entries of a vector as the module's docstring says."""
    if isinstance(coefficient, int):
        return str(coefficient)
    steps = np.diff(coefficient)
    if len(coefficient) > 3 and every(steps == steps[0]):
        return f"[{coefficient[0]}, {coefficient[1]} .. {coefficient[-1]}]"
    shown = ", ".join(str(entry) for entry in coefficient[:_SHOWN])
    return f"[{shown}{', ..' if len(coefficient) > _SHOWN else ''}]"


def condition_text(condition: Condition, shape: Shape | None = None) -> str:
    """What undecided lanes wait for: "threadIdx.x + 256*blockIdx.x - n < 0", joined by && and ||."""
    if condition.parts:
        shown = [condition_text(part, shape) for part in condition.parts[:_MOST_PARTS]]
        shown += [".."] if len(condition.parts) > _MOST_PARTS else []
        return (" && " if condition.all_of else " || ").join(f"({text})" for text in shown)
    atom = condition.atom
    if atom is None:
        return "decided"
    if atom.poly is None or atom.relation is Relation.OPAQUE:
        why = atom.cause.reason if atom.cause is not None else "a value that is not known"
        return f"{'' if condition.positive else 'not '}({why})"
    left = polynomial_text(atom.poly, shape)
    match atom.relation:
        case Relation.NEGATIVE:
            return f"{left} {'<' if condition.positive else '>='} 0"
        case _:
            return f"{left} {'==' if condition.positive else '!='} 0"


def _by_age(term: tuple[Monomial, Coefficient]) -> tuple[bool, tuple[int, ...]]:
    """Bases first, then by age, the constant last."""
    base = len(term[0]) == 1 and term[0][0].kind is SymbolKind.BASE
    return not base, tuple(symbol.number for symbol in term[0]) or (1 << 60,)


def _affine(vector: IntVector, shape: Shape) -> list[tuple[int, str]] | None:
    """The vector as multiples of threadIdx.x, .y, .z and 1 ("" stands for 1); None if it is no such sum."""
    start = int(vector[0])
    rest = vector - start
    found: list[tuple[int, str]] = []
    stride = 1
    for axis, extent in enumerate(shape.dims):
        if extent > 1:
            factor = int(vector[stride]) - start
            rest = rest - factor * shape.thread[axis]
            if factor:
                found.append((factor, f"threadIdx.{'xyz'[axis]}"))
        stride *= extent
    if some(rest[shape.real] != 0):
        return None
    return [*found, (start, "")] if start else found


def _product(factor: int, names: str, thread: str) -> str:
    parts = [text for text in (names, thread) if text]
    if not parts:
        return str(factor)
    if abs(factor) == 1:
        return ("-" if factor < 0 else "") + "*".join(parts)
    return "*".join((str(factor), *parts))
