"""What a simulated launch counted, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from analysis_core.cli.render_text import place_text
from analysis_core.cli.terminal import printable
from analysis_core.ir.types import Space
from analysis_core.simulate.counts import AccessCount, BranchCount, PerWarp
from analysis_core.simulate.run import Outcome
from analysis_core.support.sources import Sources

_UNITS = {Space.GLOBAL: "sectors", Space.SHARED: "wavefronts"}
_KINDS_SHOWN = 6
_ELEMENTS_SHOWN = 64


def text_lines(outcome: Outcome, sources: Sources, warps_per_block: int) -> Iterator[str]:
    """The report, line by line."""
    blocks = len(outcome.warps.steps) // warps_per_block
    yield f"{blocks} blocks of {warps_per_block} warps"
    for note in outcome.notes:
        yield f"assuming {printable(note)}"
    yield ""
    yield f"{'metric':<20}{'total':>14}{'least':>10}{'mean':>12}{'most':>10}   most expensive warp"
    for name, counts in outcome.warps.by_name().items():
        worst = int(counts.argmax())
        where = f"block {worst // warps_per_block}, warp {worst % warps_per_block}" if counts.max() else "-"
        yield f"{name:<20}{counts.sum():>14}{counts.min():>10}{counts.mean():>12.2f}{counts.max():>10}   {where}"
    yield f"work {outcome.work} steps, span {outcome.span} cycles"
    yield ""
    for access in outcome.accesses:
        yield from _access_lines(access, sources)
    for branch in outcome.branches:
        yield _branch_line(branch, sources)
    for fault in outcome.faults:
        times = f", {fault.count} times in all" if fault.count > 1 else ""
        yield (
            f"{place_text(fault.span, sources)}: {fault.kind.value}: {printable(fault.text)}"
            f" (block {fault.block}, thread {fault.thread}{times})"
        )


def _access_lines(access: AccessCount, sources: Sources) -> Iterator[str]:
    place = f"{place_text(access.span, sources)}: {access.rw} {printable(access.text)}"
    if not access.requests.total:
        yield f"{place}: never executed"
        return
    unit = _UNITS.get(access.space)
    if unit is None:
        yield f"{place}: {access.space.value} memory, {access.requests.total} requests"
        return
    costs = [kind.cost for kind in access.histogram]
    yield (
        f"{place}: {access.requests.total} requests, {access.mean:.2f} {unit} each ({min(costs)} to {max(costs)}),"
        f" {access.cost.total} in all, {access.excess.total} beyond the ideal"
    )
    frequent = sorted(access.histogram.items(), key=lambda item: -item[1])
    for kind, count in frequent[:_KINDS_SHOWN]:
        yield f"    {count:>10} x {kind.cost} {unit}, ideal {kind.ideal}, {kind.active} active lanes"
    if len(frequent) > _KINDS_SHOWN:
        yield f"    {sum(count for _, count in frequent[_KINDS_SHOWN:]):>10} x other"
    if access.contention is not None and access.contention > 1:
        yield f"    up to {access.contention} lanes on one address"


def _branch_line(branch: BranchCount, sources: Sources) -> str:
    place = f"{place_text(branch.span, sources)}: {branch.kind}"
    if not branch.executions.total:
        return f"{place}: never executed"
    split = branch.divergences
    return f"{place}: {branch.executions.total} executions by warps, {split.total} split ({split.least} to {split.most} a warp)"


def array_lines(name: str, values: np.ndarray[Any, Any]) -> Iterator[str]:
    """An array, shortened."""
    with np.printoptions(threshold=_ELEMENTS_SHOWN, linewidth=110):
        yield f"{name} {values.dtype} {'x'.join(map(str, values.shape)) or '1'}:"
        yield str(values)


# --- JSON -----------------------------------------------------------------------------------------------------------


def to_json(outcome: Outcome, sources: Sources, warps_per_block: int, shown: Mapping[str, Any]) -> dict[str, Any]:
    """The report as plain data; `warps` lists every warp in order of blocks."""
    return {
        "blocks": len(outcome.warps.steps) // warps_per_block,
        "warps_per_block": warps_per_block,
        "metrics": {
            name: {"total": int(c.sum()), "least": int(c.min()), "mean": float(c.mean()), "most": int(c.max())}
            for name, c in outcome.warps.by_name().items()
        },
        "warps": {name: counts.tolist() for name, counts in outcome.warps.by_name().items()},
        "work": outcome.work,
        "span": outcome.span,
        "lane_statements": outcome.lane_statements,
        "accesses": [_access_json(access, sources) for access in outcome.accesses],
        "branches": [_branch_json(branch, sources) for branch in outcome.branches],
        "faults": [
            {
                "kind": fault.kind.value,
                "line": sources.line(fault.span),
                "text": fault.text,
                "block": list(fault.block),
                "thread": list(fault.thread),
                "count": fault.count,
            }
            for fault in outcome.faults
        ],
        "notes": list(outcome.notes),
        "arrays": {name: _plain(values) for name, values in shown.items()},
    }


def _plain(values: np.ndarray[Any, Any]) -> Any:
    """An array as lists; half precision as numbers, structures as lists of their members."""
    return values.tolist()


def _per_warp(count: PerWarp) -> dict[str, int]:
    return {"total": count.total, "least": count.least, "most": count.most}


def _access_json(access: AccessCount, sources: Sources) -> dict[str, Any]:
    line, column = sources.position(access.span)
    return {
        "line": line,
        "column": column,
        "span": [access.span.start, access.span.end],
        "text": access.text,
        "via": [sources.line(span) for span in access.via],
        "space": access.space.value,
        "rw": access.rw,
        "bytes": access.bytes,
        "requests": _per_warp(access.requests),
        "cost": _per_warp(access.cost),
        "excess": _per_warp(access.excess),
        "histogram": [
            {"active": kind.active, "cost": kind.cost, "ideal": kind.ideal, "count": count}
            for kind, count in access.histogram.items()
        ],
        "contention": access.contention,
    }


def _branch_json(branch: BranchCount, sources: Sources) -> dict[str, Any]:
    line, column = sources.position(branch.span)
    return {
        "line": line,
        "column": column,
        "kind": branch.kind,
        "executions": _per_warp(branch.executions),
        "divergences": _per_warp(branch.divergences),
        "active": {str(lanes): count for lanes, count in branch.active.items()},
    }
