"""A kernel about which more is assumed, as if its user had written it: for the cases of a bound ("when n % 32 == 0")."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from analysis_core.ir.nodes import Kernel
from analysis_core.ir.stated import ParameterValue, StatedAssumption
from analysis_core.syntax.annotation_tree import Binary, Name, Number, Term


def assuming_multiples(kernel: Kernel, names: Iterable[str], unit: int) -> Kernel | None:
    """The kernel where each of its parameters of these names is a positive multiple of `unit`; None if one is no parameter
    of the kernel's own."""
    stated = kernel.annotations
    known = dict(stated.names)
    found = list(stated.assumptions)
    variables = {kernel.variables[var].name: var for var in kernel.parameters}
    for name in names:
        if name not in variables:
            return None
        known[name] = ParameterValue(variables[name])
        span = kernel.variables[variables[name]].span
        here = Name(name, span)
        remainder = Binary("%", here, Number(unit, span), span)
        conditions: tuple[tuple[Term, str], ...] = (
            (Binary("==", remainder, Number(0, span), span), f"{name} % {unit} == 0"),
            (Binary(">=", here, Number(unit, span), span), f"{name} >= {unit}"),
        )
        found += [StatedAssumption(condition, text, None) for condition, text in conditions]
    return replace(kernel, annotations=replace(stated, assumptions=tuple(found), names=tuple(known.items())))
