"""A difference as JSON (`analysis_core/changes/schema1.json` says the same): every metric of every kernel, before and after."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from analysis_core.changes.bounds import Change, Region
from analysis_core.changes.difference import Difference, KernelChange, LaunchChange, MetricChange
from analysis_core.changes.loops import PerRound
from analysis_core.changes.sides import Found, KernelSide
from analysis_core.changes.words import amount_text, sentences
from analysis_core.cli.runner_commands import no_command_in_json
from analysis_core.cli.terminal import printable

Json = dict[str, Any]

SCHEMA = 1


def difference_json(found: Difference, base: str, head: str) -> str:
    """The document, with a line end."""
    document = {
        "schema": SCHEMA,
        "base": printable(base),
        "head": printable(head),
        "regression": found.is_worse,
        "kernels": [_kernel(one) for one in found.kernels],
        "added": [_alone(one) for one in found.added],
        "removed": [_alone(one) for one in found.removed],
        "renamed": [{"before": printable(before), "after": printable(after)} for before, after in found.renamed],
        "came": _findings(found.came),
        "went": _findings(found.went),
    }
    return no_command_in_json(json.dumps(document, indent=1)) + "\n"


def _kernel(kernel: KernelChange) -> Json:
    return {
        **_alone(kernel.after),
        "before": _alone(kernel.before),
        "changed": kernel.is_changed,
        "regression": kernel.is_worse,
        "sentences": [printable(text) for text in sentences(kernel)],
        "launches": [_launch(one) for one in kernel.launches],
        "came": _findings(kernel.came),
        "went": _findings(kernel.went),
    }


def _alone(kernel: KernelSide) -> Json:
    return {
        "path": printable(kernel.path),
        "name": printable(kernel.name),
        "instantiation": None if kernel.instantiation is None else printable(kernel.instantiation),
        "line": kernel.line,
    }


def _launch(launch: LaunchChange) -> Json:
    return {
        "block_before": list(launch.block_before),
        "block": list(launch.block),
        "as_often": [printable(name) for name in launch.taken.as_often],
        "parameters": [{"before": printable(old), "after": printable(new)} for new, old in launch.taken.renamed],
        "metrics": {printable(one.name): _metric(one) for one in launch.metrics},
    }


def _metric(metric: MetricChange) -> Json:
    return {
        "regression": metric.is_worse,
        "per_warp": _change(metric.warp, metric.rounds),
        "per_block": _change(metric.block, ()),
        "per_launch": _change(metric.launch, ()),
    }


def _change(change: Change, rounds: Sequence[PerRound | None]) -> Json:
    pairs = zip(change.regions, rounds or [None] * len(change.regions), strict=True)
    return {
        "direction": change.direction.value,
        "because": printable(change.because) or None,
        "cases": [_region(region, per) for region, per in pairs],
    }


def _region(region: Region, per: PerRound | None) -> Json:
    rounds: Mapping[str, Any] | None = None
    if per is not None:
        rounds = {"before": per.before, "after": per.after, "lines": list(per.lines), "gone": per.gone}
    return {
        "when": [printable(part) for part in region.when],
        "direction": region.direction.value,
        "before": printable(amount_text(region.before, region.exact_before)),
        "after": printable(amount_text(region.after, region.exact_after)),
        "exact_before": region.exact_before,
        "exact_after": region.exact_after,
        "larger_when": printable(region.larger_when) or None,
        "per_iteration": rounds,
    }


def _findings(findings: Sequence[Found]) -> list[Json]:
    return [
        {
            "path": printable(one.path),
            "line": one.line,
            "column": one.column,
            "code": printable(one.code),
            "level": printable(one.level),
            "message": printable(one.message),
            "fingerprint": printable(one.fingerprint),
        }
        for one in findings
    ]
