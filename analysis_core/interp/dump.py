"""The interpreter's events as text: `warpcost explain --stage events`.

    a.cu:4:18 R global `in[8 * i]` 4B from in; address in + 8192*blockIdx.x + [0, 32 .. 8160]; 256 lanes, 256 surely

A vector in brackets has one entry per thread: its first, its second and its last if it climbs evenly, else the
entries of the first warp.  Events that repeat (a loop executed exactly, iteration by iteration) follow each other.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from analysis_core.cost.expression import to_text
from analysis_core.domains.mask import Mask
from analysis_core.domains.polynomial import Coefficient, Poly
from analysis_core.interp.events import AccessEvent, BranchEvent, Events
from analysis_core.ir.nodes import IfKind, Kernel, LoopKind
from analysis_core.support.facts import Cause
from analysis_core.text.span import Span

Place = Callable[[Span], str]

_SHOWN = 8


def dump(events: Events, kernel: Kernel, place: Place) -> str:
    """All events of one launch; `place` spells a span ("a.cu:7:5").  Ends with a newline."""
    shape = "x".join(str(extent) for extent in events.shape.dims)
    lines = [f"kernel {kernel.instantiation or kernel.name}, block {shape}"]
    lines += [f"  symbol {symbol.name} {symbol.kind.name.lower()}" for symbol in events.parameters]
    lines += [f"  trip {name}: iterations of the loop at {place(span)}" for name, span in events.trips]
    lines += [f"  {_access(event, place)}" for event in events.accesses]
    lines += [f"  {_branch(event, place)}" for event in events.branches]
    lines += [f"  assume {assumption.text}" for assumption in events.assumptions]
    lines += [f"  unknown {_cause(cause, place)}" for cause in events.unknowns]
    lines += [f"  coarse {_cause(cause, place)}" for cause in events.coarse]
    return "".join(line + "\n" for line in lines)


def polynomial_text(poly: Poly) -> str:
    """ "8*blockIdx.x + [0, 4 .. 1020]": terms in the order of their symbols, the constant last."""
    terms = []
    for monomial, coefficient in sorted(
        poly.terms.items(), key=lambda term: tuple(s.number for s in term[0]) or (1 << 60,)
    ):
        names = "*".join(symbol.name for symbol in monomial)
        number = coefficient_text(coefficient)
        terms.append(number if not names else names if number == "1" else f"{number}*{names}")
    return " + ".join(terms) or "0"


def coefficient_text(coefficient: Coefficient) -> str:
    """An integer, or the entries of a vector as the module's docstring says."""
    if isinstance(coefficient, int):
        return str(coefficient)
    steps = np.diff(coefficient)
    if len(coefficient) > 3 and (steps == steps[0]).all():
        return f"[{coefficient[0]}, {coefficient[1]} .. {coefficient[-1]}]"
    shown = ", ".join(str(entry) for entry in coefficient[:_SHOWN])
    return f"[{shown}{', ..' if len(coefficient) > _SHOWN else ''}]"


def _access(event: AccessEvent, place: Place) -> str:
    access = event.access
    return (
        f"{place(access.span)} {event.kind.value} {event.space.value} `{access.text}` {access.width}B from {event.base}; "
        f"address {polynomial_text(event.address.poly)}; {_lanes(event.mask)}; times {to_text(event.times)}"
    )


def _branch(event: BranchEvent, place: Place) -> str:
    kind = event.kind.value if isinstance(event.kind, IfKind | LoopKind) else event.kind
    decided = ["decided" if condition.is_decided else "undecided" for condition in event.conditions]
    true = [f"{int(condition.true.sum())} true, {int(condition.false.sum())} false" for condition in event.conditions]
    sides = "; ".join(f"{how}: {counts}" for how, counts in zip(decided, true))
    return f"{place(event.span)} {kind} {sides}; {_lanes(event.mask)}; times {to_text(event.times)}"


def _lanes(mask: Mask) -> str:
    return f"{int(mask.may.sum())} lanes, {int(mask.must.sum())} surely"


def _cause(cause: Cause, place: Place) -> str:
    at = f" at {place(cause.span)}" if cause.span is not None else ""
    return f"{cause.kind.value}: {cause.reason}{at}"
