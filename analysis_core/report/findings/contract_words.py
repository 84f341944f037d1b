"""What is said of a cost contract, in words."""

from __future__ import annotations

import re

from analysis_core.contracts.verdicts import Broken, Contracted
from analysis_core.expressions.expression import to_text
from analysis_core.report.findings.race_words import values_text
from analysis_core.report.findings.reasons import quoted

_UNITS = {"per_warp": "a warp", "per_block": "a block", "per_launch": "a launch"}


def broken_text(one: Contracted) -> str:
    """ "`conflicts == 0` does not hold: warp 0 of block (0, 0, 0) pays 31 with n = 33, grid 2, as a simulated run shows"."""
    broken = one.broken
    assert broken is not None
    values = values_text([*broken.values.items(), *_grid(broken)])
    stated = (
        ""
        if re.search(rf"[=<>]\s*{broken.stated}\s*(per_|when|$)", one.text)
        else f" where {broken.stated} is expected"
    )
    return f"{quoted(one.text)} does not hold: {_who(one, broken)} pays {broken.paid}{stated}{values}, as a simulated run shows"


def _who(one: Contracted, broken: Broken) -> str:
    if broken.block is None:
        return "a launch"
    place = f"block ({', '.join(map(str, broken.block))})"
    whole = f"warp {broken.warp} of {place}" if broken.warp is not None else place
    return whole if broken.paid > broken.stated else f"the most expensive {_UNITS[one.scope].split()[1]}, {whole},"


def _grid(broken: Broken) -> list[tuple[str, int]]:
    return [(f"gridDim.{axis}", n) for axis, n in zip("xyz", broken.grid, strict=True) if n > 1]


def open_text(one: Contracted) -> str:
    """ "Not shown that `sectors <= 4` holds: the bound is 4*n, which is not shown to be at most that"."""
    return f"Not shown that {quoted(one.text)} holds: {one.cause}"


def proved_text(one: Contracted) -> str:
    """ "A warp pays 8*ceil(n/256), exactly."; what the certified bound is."""
    unit = _UNITS[one.scope]
    unit = f"{unit[:1].upper()}{unit[1:]}"
    if one.upper is not None and one.upper == one.lower:
        return f"{unit} pays {quoted(to_text(one.upper))} {one.metric} at most, and the most expensive one does."
    most = "" if one.upper is None else f"{unit} pays at most {quoted(to_text(one.upper))} {one.metric}."
    if ">" not in one.text and "==" not in one.text:
        return most
    least = "" if one.lower is None else f"The most expensive one pays at least {quoted(to_text(one.lower))}."
    return " ".join(part for part in (most, least) if part)
