"""The statistics as one object, for scripts and for Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from analysis_core.cli.statistics.bounds import all_together, bounds_as_json
from analysis_core.cli.statistics.numbers import (
    DIVERGENCES,
    Numbers,
    kernel_seconds,
    per_thousand,
    quantile,
    slowest,
    total_causes,
    total_findings,
    total_stages,
)
from analysis_core.report.precision import CLASSES, Place, Tally, figures, together
from analysis_core.support.files import Files
from analysis_core.text.line_index import LineIndex
from analysis_core.workspace.disk import DiskFiles

SLOWEST = 10


def as_json(numbers: Sequence[Numbers]) -> dict[str, Any]:
    """The statistics as one object, for scripts.  Times are milliseconds but for stages and the solver
    (seconds)."""
    found = together(n.precision for n in numbers)
    seconds = kernel_seconds(numbers)
    memory = sorted(n.megabytes for n in numbers if n.megabytes is not None)
    lines = sum(n.lines for n in numbers)
    return {
        "files": len(numbers),
        "kernels": len(seconds),
        "launches": sum(n.launches for n in numbers),
        "lines": lines,
        "not_analysed": {"kernels": sum(n.incomplete for n in numbers), "unread": sum(n.unread for n in numbers)},
        "left_out": dict(sum((n.left_out for n in numbers), Counter[str]())),
        "kernel_ms": _percentiles([1e3 * s for s in seconds]),
        "file_megabytes": _percentiles(memory),
        "stages": total_stages(numbers),
        "findings": {
            code: {"count": count, "per_1000_lines": round(per_thousand(count, lines), 3)}
            for code, count in sorted(total_findings(numbers).items())
        },
        "bounds": bounds_as_json(all_together(n.bounds for n in numbers)),
        "accesses": {name: found.accesses[name] for name in CLASSES},
        "direct": {"all": found.direct, "known": found.known, "settled": found.strict, "per_execution": found.settled},
        "unknowns": dict(found.unknowns.most_common()),
        "misses": dict(found.misses.most_common()),
        "places": asdict(figures(found.places)),
        "missed": missed_places(found.places, DiskFiles()),
        "branches": {name: found.branches[name] for name in DIVERGENCES},
        "races": dict(sum((n.races for n in numbers), Counter[str]())),
        "claims": dict(sum((n.claims for n in numbers), Counter[str]())),
        "contracts": dict(sum((n.contracts for n in numbers), Counter[str]())),
        "causes": [
            {"kind": kind, "reason": reason, "kernels": count}
            for (kind, reason), count in total_causes(numbers).most_common()
        ],
        "slowest": [{"path": k.path, "kernel": k.name, "ms": 1e3 * k.seconds} for k in slowest(numbers, SLOWEST)],
        "failures": [f"{n.path}: {failure}" for n in numbers for failure in n.failures],
    }


def _percentiles(ordered: Sequence[float]) -> dict[str, float] | None:
    """Of values in increasing order; None where there are none."""
    if not ordered:
        return None
    names = {"median": 0.5, "p90": 0.9, "p95": 0.95, "p99": 0.99}
    return {**{name: quantile(ordered, q) for name, q in names.items()}, "max": ordered[-1]}


def missed_places(places: Mapping[Place, Tally], files: Files) -> list[dict[str, object]]:
    """The places with an occurrence that is not good, in order of the source: how many of how many, and the most frequent
    reasons.  Lines and columns count from 1; they are null where the text is not to be had any more."""
    indices: dict[str, LineIndex | None] = {}
    rows: list[dict[str, object]] = []
    for (span, text), tally in sorted(places.items(), key=lambda item: item[0]):
        if not tally.unknowns and not tally.misses:
            continue
        if span.file not in indices:
            data = files.read(span.file)
            indices[span.file] = None if data is None else LineIndex.of(data)
        index = indices[span.file]
        line, column = (None, None) if index is None else index.position(span.start)
        rows.append(
            {
                "path": span.file,
                "line": line,
                "column": column,
                "text": text,
                "occurrences": tally.direct,
                "unknowns": dict(tally.unknowns.most_common()),
                "misses": dict(tally.misses.most_common()),
            }
        )
    return rows
