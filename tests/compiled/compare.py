"""One kernel's claims against its launches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tests.compiled.broken import Broken, Findings
from tests.compiled.compare_accesses import Ideals, compare_accesses
from tests.compiled.compare_bounds import compare_bounds
from tests.compiled.compare_branches import compare_branches
from tests.compiled.compare_sets import Sets
from tests.compiled.evaluation import evaluated
from tests.compiled.launches import Sample
from tests.compiled.names import named
from tests.compiled.unit import Texts, Unit

Json = dict[str, Any]
_WRAPS = re.compile(r"the loop counter `(\w+)` does not wrap around")
_STAYS = re.compile(r"^`([^`]+)` does not wrap around")


@dataclass
class Tally:
    """What was compared: nothing is passed over in silence.  `void`: launches that prove nothing, by reason.  `loose`: of kernels that are
    run often, accesses that never cost what is said."""

    kernels: int = 0
    launches: int = 0
    checks: int = 0
    void: dict[str, int] = field(default_factory=dict)
    unread: dict[str, int] = field(default_factory=dict)
    loose: list[str] = field(default_factory=list)


def compare(
    unit: Unit, texts: Texts, launch: Json, runs: Sequence[tuple[Sample, Json | None]], tally: Tally
) -> list[Broken]:
    """Claims that some launch broke, each kind at a place once."""
    tally.kernels += 1
    broken: dict[tuple[str, str], Broken] = {}
    ideals, sets = Ideals(), Sets()
    for sample, seen in runs:
        reason = _void(launch, seen, texts) or _wrapping(launch, unit, sample)
        if reason or seen is None:
            tally.void[reason] = tally.void.get(reason, 0) + 1
            continue
        tally.launches += 1
        found = Findings()
        numbers = named(launch, unit, sample, seen, texts.sites)
        x, y, z = unit.block
        compare_bounds(launch, seen, numbers, found)
        compare_accesses(launch, seen, texts.sites, x * y * z, numbers, ideals, found)
        compare_branches(launch, seen, texts.sites, numbers, found)
        if unit.dense:
            sets.add(launch, seen, texts.sites)
        tally.checks += found.checks
        for b in found.broken:
            place = b.text.split(":")[0]
            at = f"{b.text} at {_told(unit, sample)}"
            broken.setdefault((b.kind, place), Broken(b.kind, at))
    at_end = Findings()
    ideals.check(at_end)
    sets.check(at_end)
    tally.loose += (f"{unit.seed} {text}" for text in sets.loose())
    tally.checks += at_end.checks
    return [*broken.values(), *at_end.broken]


def _void(launch: Json, seen: Json | None, texts: Texts) -> str:
    """Why a launch proves nothing: it is undefined, or breaks an assumption that is listed."""
    if seen is None:
        return "the program ended"
    if seen["why"]:
        return str(seen["why"])
    assumptions = launch["assumptions"]
    if seen["raced"] and any(text.startswith("no data race") for text in assumptions):
        return "a data race"
    counters = {name for text in assumptions for name in _WRAPS.findall(text)}
    if any((site := texts.sites[number]) is not None and site.name in counters for number in seen["wraps"]):
        return "a counter wraps around"
    return ""


def _wrapping(launch: Json, unit: Unit, sample: Sample) -> str:
    """Whether an expression of sizes wraps around of which it is listed that it does not; nobody knows of others."""
    sizes = {n.name: value for n, value in zip(unit.numbers, sample.values, strict=True)}
    for text in launch["assumptions"]:
        for expression in _STAYS.findall(text):
            try:
                stays = 0 <= evaluated(expression.replace("/", "//"), sizes) < 1 << 31
            except (NameError, SyntaxError, ZeroDivisionError):
                stays = False
            if not stays:
                return "a listed expression may wrap around"
    return ""


def _told(unit: Unit, sample: Sample) -> str:
    numbers = " ".join(f"{n.name}={v}" for n, v in zip(unit.numbers, sample.values))
    return f"block {unit.block} grid {sample.grid} {numbers}"
