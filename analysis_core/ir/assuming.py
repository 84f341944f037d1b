"""A kernel about which more is assumed, as if its user had written it: for the cases of a bound ("when n % 32 == 0")."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace

from analysis_core.ir.nodes import Kernel
from analysis_core.ir.stated import ParameterValue, StatedAssumption
from analysis_core.syntax.read.annotation_tree import Binary, Name, Number, Term
from analysis_core.text.span import Span


def assuming_multiples(kernel: Kernel, units: Mapping[str, int], leasts: Mapping[str, int]) -> Kernel | None:
    """The kernel where each of these parameters is a multiple of its unit, and at least so much; None if one is no parameter of
    the kernel's own."""

    def conditions(name: str, here: Name, span: Span) -> Iterable[tuple[Term, str]]:
        unit = units[name]
        remainder = Binary("%", here, Number(unit, span), span)
        yield Binary("==", remainder, Number(0, span), span), f"{name} % {unit} == 0"
        yield Binary(">=", here, Number(leasts[name], span), span), f"{name} >= {leasts[name]}"

    return _assuming(kernel, units, conditions)


def assuming_at_least(kernel: Kernel, leasts: Mapping[str, int]) -> Kernel | None:
    """The kernel under the condition that each of these parameters is at least so much; None if one is no parameter of
    the kernel's own."""

    def conditions(name: str, here: Name, span: Span) -> Iterable[tuple[Term, str]]:
        yield Binary(">=", here, Number(leasts[name], span), span), f"{name} >= {leasts[name]}"

    return _assuming(kernel, leasts, conditions)


def _assuming(
    kernel: Kernel, names: Iterable[str], conditions: Callable[[str, Name, Span], Iterable[tuple[Term, str]]]
) -> Kernel | None:
    stated = kernel.annotations
    known = dict(stated.names)
    found = list(stated.assumptions)
    variables = {kernel.variables[var].name: var for var in kernel.parameters}
    for name in names:
        if name not in variables:
            return None
        known[name] = ParameterValue(variables[name])
        span = kernel.variables[variables[name]].span
        found += [StatedAssumption(c, text, None) for c, text in conditions(name, Name(name, span), span)]
    return replace(kernel, annotations=replace(stated, assumptions=tuple(found), names=tuple(known.items())))
