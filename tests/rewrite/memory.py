"""Actions on memory, tried on a text: what they make of it, run beside what was there before, or why they are refused."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from analysis_core.ir.types import ArrayType, PointerType
from analysis_core.pipeline.checked_fixes import Place
from analysis_core.rewrite.core.action import Action, Choice, Refused, Rewritten, Site
from analysis_core.rewrite.core.unit import Unit
from analysis_core.simulate.arguments import Argument, ArrayArgument, LaunchRequest
from analysis_core.simulate.machine import Touched
from analysis_core.simulate.run import Outcome, simulate
from analysis_core.support.files import MemoryFiles
from analysis_core.support.settings import Settings

Shape = tuple[int, int, int]
NONE = Choice()


def unit_of(text: str) -> Unit:
    return Unit(Place("a.cu", MemoryFiles({"a.cu": text.encode()}), Settings(), ()))


def sites_of(unit: Unit, action: Action, kernel: str = "") -> list[Site]:
    found = [(k, d) for k, d in unit.kernels() if kernel in ("", k.name)]
    return [site for k, d in found for site in action.sites(unit, k, d)]


def rewritten(
    text: str, action: Action, kernel: str = "", about: str = "", choice: Choice = NONE, line: int = 0
) -> Rewritten | Refused:
    """What becomes of the first site that is about something."""
    unit = unit_of(text)
    site = next(
        one for one in sites_of(unit, action, kernel) if about in one.subject and line in (0, unit.line(one.span))
    )
    return action.rewrite(unit, site, choice)


def after(text: str, action: Action, kernel: str = "", about: str = "", choice: Choice = NONE, line: int = 0) -> str:
    made = rewritten(text, action, kernel, about, choice, line)
    assert isinstance(made, Rewritten), made
    return unit_of(text).edited(made.edits).text.decode()


def reason(text: str, action: Action, kernel: str = "", about: str = "", choice: Choice = NONE, line: int = 0) -> str:
    made = rewritten(text, action, kernel, about, choice, line)
    assert isinstance(made, Refused), made
    return made.reason


Elements = int | Mapping[str, int]
"""Of all arrays, or of each by its name."""


def run(
    text: str,
    kernel: str,
    block: Shape,
    grid: Shape,
    numbers: Mapping[str, int],
    elements: Elements = 1 << 14,
    trace: Callable[[Touched], None] | None = None,
) -> Outcome:
    """A run of a kernel on arrays of distinct small numbers."""
    unit = unit_of(text)
    one = next(k for k in unit.module.kernels if k.name == kernel)
    given: dict[str, Argument] = {}
    for number, place in enumerate(one.parameters):
        variable = one.variables[place]
        if isinstance(variable.type, PointerType):
            target = variable.type.target
            while isinstance(target, ArrayType):
                target = target.element
            size = getattr(target, "size", 4)
            count = elements if isinstance(elements, int) else elements[variable.name]
            whole = np.arange(count, dtype=np.int64) * 7 + number * 1001
            is_float = getattr(getattr(target, "kind", None), "name", "") == "FLOAT"
            kind = f"f{size}" if is_float else f"i{size}"
            given[variable.name] = ArrayArgument((whole % 1009 % 120).astype(kind))
        else:
            given[variable.name] = numbers[variable.name]
    return simulate(one, LaunchRequest(block, grid, given), trace=trace)


def reach(text: str, kernel: str, block: Shape, grid: Shape, numbers: Mapping[str, int]) -> dict[str, int]:
    """Up to which element a run comes in each array, at least 1."""
    touched: dict[int, int] = {}

    def touch(one: Touched) -> None:
        for region in set(one.regions.tolist()):
            end = int(one.offsets[one.regions == region].max()) // one.bytes + 1
            touched[region] = max(touched.get(region, 0), end)

    outcome = run(text, kernel, block, grid, numbers, trace=touch)
    return {name: touched.get(region, 1) for region, name in enumerate(outcome.arrays, start=1)}


def same(
    before: str, text: str, kernel: str, block: Shape, grid: Shape, elements: Elements = 1 << 14, **numbers: int
) -> tuple[Outcome, Outcome]:
    """Both runs, which leave the same in all arrays, and in which nothing goes wrong."""
    both = run(before, kernel, block, grid, numbers, elements), run(text, kernel, block, grid, numbers, elements)
    for outcome in both:
        assert not outcome.faults, outcome.faults
    for name, values in both[0].arrays.items():
        assert np.array_equal(values, both[1].arrays[name]), f"{name}\n{text}"
    return both


def costs(outcome: Outcome) -> dict[str, int]:
    """What the dearest warp of a run pays."""
    warps = outcome.warps
    return {name: int(getattr(warps, name).max()) for name in ("sectors", "conflicts", "divergences", "steps")}
