"""A difference in the words of a reviewer: "conflicts 48 -> 0 per iteration of the loop at line 10"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from analysis_core.changes.bounds import BEFORE, Change, Direction, Region, is_of_one_side
from analysis_core.changes.difference import KernelChange, LaunchChange, MetricChange, metrics_of
from analysis_core.changes.loops import PerRound, Taken
from analysis_core.changes.sides import KernelSide, trip_line
from analysis_core.expressions.expression import Expression, constant, symbols
from analysis_core.expressions.expression_people import Spelling
from analysis_core.program.launch import shape_text

LONGEST = 120
MOST = 3
"""Cases of a bound that are told."""

_SPELLING = Spelling()


def sentences(kernel: KernelChange) -> Iterator[str]:
    """What changed of a kernel's bounds, a sentence each; of launches that say the same, once."""
    told: dict[str, list[str]] = {}
    for launch, metric in kernel.shown:
        for text in _of_metric(metric, launch.taken):
            told.setdefault(text, []).append(_block(launch))
    several = len(kernel.launches) > 1
    for text, blocks in told.items():
        everywhere = len(blocks) >= len(kernel.launches)
        yield text if not several or everywhere else f"{text} ({', '.join(dict.fromkeys(blocks))})"


def _block(launch: LaunchChange) -> str:
    if launch.block_before == launch.block:
        return f"block {shape_text(launch.block)}"
    return f"block {shape_text(launch.block_before)} -> {shape_text(launch.block)}"


def _of_metric(metric: MetricChange, taken: Taken) -> Iterator[str]:
    """The sentence per warp, and per launch where that has another direction."""
    name = metric.name
    if metric.warp.direction not in (Direction.EQUAL, Direction.NONE):
        yield _of_change(name, metric.warp, metric.rounds, "per warp", taken)
        decided = (Direction.EQUAL, Direction.SMALLER, Direction.LARGER, Direction.MIXED)
        if metric.launch.direction in (metric.warp.direction, Direction.UNKNOWN, Direction.NONE):
            return
        if metric.launch.direction not in decided:
            return
        yield _of_change(name, metric.launch, (), "per launch", taken)
    elif metric.launch.direction in (Direction.SMALLER, Direction.LARGER, Direction.MIXED):
        yield _of_change(name, metric.launch, (), "per launch", taken)
    elif metric.is_changed:
        yield _of_change(name, metric.block, (), "per block", taken)


def _of_change(name: str, change: Change, rounds: tuple[PerRound | None, ...], scope: str, taken: Taken) -> str:
    match change.direction:
        case Direction.LOST:
            return f"{name} {scope} not comparable: there is no bound any more: {change.because or 'not known'}"
        case Direction.GAINED:
            return f"{name} {scope} not comparable: there was no bound before: {change.because or 'not known'}"
        case Direction.NONE:
            return f"{name} {scope}: not comparable: {change.because or 'not known'}"
        case Direction.EQUAL:
            return f"{name} {scope} unchanged"
        case _:
            pairs = zip(change.regions, rounds or [None] * len(change.regions), strict=True)
            told = [(region, per) for region, per in pairs if region.direction is not Direction.EQUAL]
            parts = [
                _of_region(region, per, scope) for region, per in (told if len(told) <= MOST else [told[0], told[-1]])
            ]
            if len(told) > 1 and not told[-1][0].when:
                parts[-1] = f"else {parts[-1]}"
            used = {n for r, per in told if per is None for e in (r.before, r.after) for n in symbols(e)}
            return f"{name} {'; '.join(parts)}{_meanings(used, taken)}"


def _meanings(names: Iterable[str], taken: Taken) -> str:
    """What counts of iterations stand for, and what a size was called."""
    said = []
    for name in sorted(names):
        if (line := trip_line(name.removesuffix(BEFORE))) is not None:
            then = " before" if is_of_one_side(name) else ", as often as before" if name in taken.as_often else ""
            said.append(f"{name}: iterations of the loop at line {line}{then}")
    said += [f"{new} is what {old} was" for new, old in taken.renamed if new in names]
    return f" ({'; '.join(said)})" if said else ""


def _of_region(region: Region, per: PerRound | None, scope: str) -> str:
    if per is not None:
        before, after = _number(per.before, region.exact_before), _number(per.after, region.exact_after)
        text = f"{before} -> {after} {_loops(per)}"
    else:
        text = f"{amount_text(region.before, region.exact_before)} -> {amount_text(region.after, region.exact_after)} {scope}"
    if region.when:
        text += f" when {conditions_text(region.when)}"
    if region.direction is Direction.MIXED:
        example = " = " in region.larger_when
        text += f", larger for some sizes ({region.larger_when})" if example else f", larger when {region.larger_when}"
    elif region.direction is Direction.UNKNOWN:
        text += ", not shown which is larger"
    return text


_MULTIPLE = re.compile(r"([A-Za-z_][\w.]*'?) % ([1-9]\d*) == 0")


def conditions_text(conditions: Iterable[str]) -> str:
    """Conditions, all of which hold, in words: "h and w are multiples of 8, h >= 8 and w >= 8"; as C spells them where they are more than comparisons."""
    text = " && ".join(conditions)
    if "||" in text or "(" in text:
        return text
    multiples, others = dict[str, list[str]](), list[str]()
    for part in dict.fromkeys(text.split(" && ")):
        found = _MULTIPLE.fullmatch(part)
        if found is None:
            others.append(part)
        else:
            multiples.setdefault(found[2], []).append(found[1])
    said = [_of_multiples(names, number) for number, names in multiples.items()]
    return _listed([*said, *others])


def _of_multiples(names: list[str], number: str) -> str:
    return f"{names[0]} is a multiple of {number}" if len(names) == 1 else f"{_listed(names)} are multiples of {number}"


def _listed(parts: list[str]) -> str:
    return " and ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def _loops(per: PerRound) -> str:
    lines = ", ".join(map(str, per.lines))
    at = " that stood" * per.gone
    where = f"the loop{at} at line {lines}" if len(per.lines) == 1 else f"the loops{at} at lines {lines}"
    return f"per iteration of {where}"


def _number(value: int, exact: bool) -> str:
    return str(value) if exact or value == 0 else f"<= {value}"


def amount_text(expression: Expression, exact: bool) -> str:
    """ "48*ceil(n/16)", "<= 32"; a long one is cut between terms."""
    sign = "" if exact or constant(expression) == 0 else "<= "
    return sign + _SPELLING.short(expression, LONGEST)


def costs(kernel: KernelSide) -> str:
    """What a kernel pays: "<= 32 sectors, 4 conflicts per warp"; "" where that is not known."""
    said = []
    for metric in metrics_of(kernel):
        if metric.warp.upper is not None and constant(metric.warp.upper) != 0:
            exact = metric.warp.exact and not metric.warp.cases
            said.append(f"{amount_text(metric.warp.upper, exact)} {metric.name}")
        elif metric.warp.upper is None:
            said.append(f"no bound on {metric.name}")
    return f"{', '.join(said)} per warp" if said else ""


def headline(message: str) -> str:
    """The first sentence of a finding's message, without its full stop."""
    return re.split(r"\.\s", message, maxsplit=1)[0].removesuffix(".")
